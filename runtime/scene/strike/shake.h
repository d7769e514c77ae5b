/* SPDX-License-Identifier: MIT */
/* runtime/scene/strike/shake.h -- a blow on a body throws what lies on it.
 *
 * A table that is struck vibrates, and a cup on it is thrown up and lands
 * again. The cup is a mass m on the contact law of the pair, pressed by its
 * weight; the table is its modes, struck by a half-sine of the impulse J and
 * the duration T:
 *
 *     q'' + 2 s q' + w^2 q = J h(t) phi0 - (F - m g) phi1
 *     m y'' = F - m g,     F = law(d + sum phi1 q - y),   law(d) = m g
 *
 * phi0 and phi1 are the weights of a mode along the blow and, at the cup, out
 * of the surface. The greatest speed at which the cup comes off is the result;
 * a cup that stays on is not thrown. A surface that starts at the speed u under
 * a light cup, by a short blow, throws it at (1 + e) u.
 *
 * Symbols: J impulse_ns, T duration_s, w omega_rad_s, s sigma_per_s, m mass_kg,
 *          g gravity_m_s2, e restitution.
 * Thread:  any. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/contact/contact.h"

enum { SB_SHAKE_MODES = 64 };

typedef struct sb_shake_mode {
    double omega_rad_s, sigma_per_s;
    double struck, thrown; /* phi0, phi1 */
} sb_shake_mode;

typedef struct sb_shake_def {
    sb_shake_mode modes[SB_SHAKE_MODES];
    int mode_count;
    double impulse_ns, duration_s; /* of the blow */
    sb_contact_law law;            /* its loss is set from the restitution */
    double restitution;            /* of the pair */
    double mass_kg, gravity_m_s2;  /* > 0 */
} sb_shake_def;

typedef struct sb_shake {
    double speed_m_s; /* at which it comes off; 0: it stays on */
    double start_s;   /* of the push that throws it, after the blow began */
} sb_shake;

/* About the fastest that a mass can be thrown, cheap to find: all modes move
 * together. */
double sb_shake_most_m_s(const sb_shake_def *def);

sb_shake sb_shake_of(const sb_shake_def *def);
