/* runtime/dsp/contact/rolling.h -- the force of a ball that rolls on a rough
 * surface, in closed form for small roughness.
 *
 * A ball of mass m and radius R lies on a body under the load N, by Hertz's law
 * F = K x^a, K = 4/3 E sqrt(R), a = 3/2. At rest it is pressed in by d, touches
 * over a circle of radius b, and is held by the stiffness k:
 *
 *     d = (N / K)^(1/a),   b = sqrt(R d),   k = a N / d = 2 E b.
 *
 * A height z(s) under the patch, small compared with d, changes the force at an
 * unchanged position by k times a mean of z. By Betti's theorem its weights are
 * the pressure under a flat punch, 1 / (2 pi b sqrt(b^2 - r^2)). Integrated
 * across the direction of travel that is 1 / 2b from -b to b: ridges across the
 * path are averaged evenly over the width of the patch. So a wave of w = v c,
 * c = 2 pi / length, counts by
 *
 *     A(c) = sin(c b) / (c b).
 *
 * The ball and the body give way by their displacement per newton, -1/m w^2 of
 * the ball, -1/M w^2 of the body as a rigid body, and
 * Y = sum phi^2 / (w0^2 - w^2 + 2 i s w) of its modes. With the loss L of
 * Hunt and Crossley's law, f = x^a (K + L x'), the force is
 *
 *     F = k' A z / (1 + k' (Y - (1/m + 1/M) / w^2)),   k' = k + i w N L / K.
 *
 * Below the contact resonance the ball follows the surface and is pushed by
 * m z''; above it the surface passes under a ball at rest and pushes by k z.
 * Roughness of the order of d makes the ball jump; then there is no closed
 * form, and link.h solves the contact.
 *
 * Symbols: K, a, L law; m mass_kg; 1/M inverse_mass; R radius_m; N load_n;
 *          c per_m, w omega_rad_s, Y body_m_n.
 * Thread:  any. Memory: plain values.
 * Source:  Johnson, Contact Mechanics, 1985, 3.4, 3.8, 4.2; Remington, Wheel/rail
 *          rolling noise, 1987, for patch, stiffness and two impedances.
 */
#ifndef SB_DSP_CONTACT_ROLLING_H
#define SB_DSP_CONTACT_ROLLING_H

#include "runtime/base/cmplx.h"
#include "runtime/dsp/contact/contact.h"

typedef struct sb_rolling {
    sb_contact_law law;
    double mass_kg;      /* > 0 */
    double inverse_mass; /* >= 0; 0: the body is held */
    double radius_m;     /* > 0 */
    double load_n;       /* > 0 */
} sb_rolling;

double sb_rolling_depth_m(const sb_rolling *rolling);
double sb_rolling_patch_m(const sb_rolling *rolling); /* b */
double sb_rolling_stiffness_n_m(const sb_rolling *rolling);

/* A: the mean of a wave over a patch of half-width `patch_m`. */
double sb_rolling_mean(double patch_m, double per_m);

/* L / K that damps the contact resonance by this share of the critical. */
double sb_rolling_loss_s_m(const sb_rolling *rolling, double damping);

/* F / (A z), in N/m. */
double complex sb_rolling_response(const sb_rolling *rolling,
                                   double omega_rad_s, double complex body_m_n);

#endif
