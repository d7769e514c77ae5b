/* SPDX-License-Identifier: MIT */
/* runtime/scene/strike/strike.h -- what a mallet does to a body, in numbers.
 *
 * Two springs in series between two masses (Menzies 2.1.1): the surface of the
 * striker, k1, and that of the body, k2; the mass of the striker, m1, and the
 * effective mass of the body at the contact point, m2.
 *
 *     k = 1 / (1/k1 + 1/k2),   m = 1 / (1/m1 + 1/m2)
 *     duration T = pi sqrt(m / k),  impulse J = 2 m v,  force F = v sqrt(m k)
 *
 * A surface may stiffen as it is pressed in (2.1.2): k (1 + s x). The depth A
 * at which the springs hold all the energy then solves
 *
 *     m v^2 / 2 = k A^2 / 2 + k s A^3 / 3,
 *
 * and the pulse is that of the linear spring with the same depth, T = pi A / v:
 * shorter and brighter at higher speed.
 *
 * The nonlinear models press a ball of radius R into the body by Hertz' law,
 * with the losses of Hunt and Crossley (dsp/contact/contact.h). The audio
 * thread computes that force; the functions here only estimate it:
 *
 *     K = 4/3 E* sqrt(R),   1/E* = sum over both of (1 - nu^2) / E,
 *     depth A = ((a + 1) m v^2 / 2K)^(1/(a + 1)),  F = K A^a,  T = c(a) A / v
 *
 * A sound designer may bend the physics (2.1). A curve (designer.h) maps the true
 * speed to the speed that is played, and a limit bounds the impulse. From an
 * onset speed v0 on, a strike becomes harder whatever its mass and hardness
 * are. Its duration is then a T, with
 *
 *     a^2 + 2/3 (v / v0) a^3 = 1,
 *
 * which is the stiffening surface above with s chosen so that s A = 1 at v0:
 * a is 1 for slow strikes, 0.81 at the onset, 0.49 at ten times the onset. v is
 * the speed before the curve, so a strike that the curve makes quieter still
 * sounds as hard as it was.
 *
 * Symbols: v speed_m_s, s stiffening_per_m, a exponent, K stiffness,
 *          v0 onset_m_s.
 * Thread:  any. Memory: plain values.
 * Source:  Menzies, Phya, 2.1.1 and 2.1.2.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/dsp/contact/striker.h"
#include "runtime/scene/strike/designer.h"
#include "runtime/scene/strike/strike_def.h"

#include <stdbool.h>

/* What an impact amounts to, computed before it is played. */
typedef struct sb_impact_estimate {
    double impulse_ns;
    double duration_s;   /* 0 for an ideal impulse */
    double peak_force_n; /* 0 for an ideal impulse */
    double speed_m_s;    /* of the striker, as played; 0 when not known */
    double strength_m_s; /* its speed before curve and limit */
    double mass_kg;      /* of the striker */
    sb_graze graze;      /* the slide that follows a grazing strike */
    bool bounces;        /* gravity brings the striker back */
} sb_impact_estimate;

/* Default mass of a striker: a light mallet, and at most this share of the
 * body's mass. */
#define SB_STRIKER_MASS_KG 0.03
#define SB_STRIKER_SHARE   0.1

/* The model that AUTO stands for in this strike: the impulse when only an
 * impulse is given; the pulse with a hardness, a stiffening, or an impulse and
 * a mass; otherwise the gradient. */
sb_impact_model sb_strike_model(const sb_strike_def *def);

/* Contact law and mass of an indenter, with every default filled in. */
typedef struct sb_hertz {
    sb_contact_law law;
    double mass_kg;
} sb_hertz;

/* `body` is NULL for a rigid body. An indenter without a mass is a solid ball
 * of its radius and material; one without a radius is a ball of its mass. */
sb_hertz sb_indenter_hertz(const sb_indenter *indenter,
                           const sb_material *body);

/* Apply the onset: K becomes K a^-(exponent + 1), and lambda is scaled alike,
 * so that only the duration of the contact changes. */
void sb_strike_harden(const sb_strike_def *def, double inverse_mass,
                      sb_hertz *hertz) SB_RT;

/* a(v / v0) of the equation above. */
double sb_strike_shortening(double ratio);

/* e of d (1 + e) = ln((1 + d) / (1 - e d)), d = lambda v / K: the share of the
 * speed that is left after one contact, for every exponent and mass. */
double sb_impact_restitution(double d);
/* The inverse: d of a contact that keeps the share e of its speed. */
double sb_impact_loss(double e);

/* d of a contact with modes that are heard as noise, which are dense enough to
 * resist like a dashpot: the striker keeps (1 - x) / (1 + x) of its speed, but
 * at least 0.05 of it, where x = m Y, Y their summed admittance. */
double sb_strike_noise_loss(double mass_yield);

/* Estimate of a force that is known beforehand (impulse, pulse).
 * `inverse_mass` is 1/m2 (0 for a fixed body), `hardness_n_m` is k2. */
sb_impact_estimate sb_strike_push(const sb_strike_def *def, double inverse_mass,
                                  double hardness_n_m) SB_RT;

/* Estimate of a nonlinear impact on a body that does not vibrate. */
sb_impact_estimate sb_strike_press(const sb_strike_def *def,
                                   const sb_hertz *hertz,
                                   double inverse_mass) SB_RT;

/* A body also yields by vibrating. During an impact of duration T a mode takes
 * up energy like a mass 1 / (phi^2 |P|^2), where
 *
 *     P = cos(w T / 2) / (1 - (w T / pi)^2)
 *
 * is the spectrum of the half-sine at the mode's frequency. Returns
 * phi^2 |P|^2; these inverse masses add up over the modes. */
double sb_impact_mode_yield(double duration_s, double weight,
                            double omega_rad_s);

/* The material's restitution e is that of a ball on a massive block of the same
 * material: what the contact itself loses. What the modes take is counted once,
 * as the inverse mass Y of the modes above. The contact parts at e v, but part
 * of that is the motion of the vibrating surface, so that two bodies of the
 * reduced mass m that meet at v exchange
 *
 *     J = m v (1 + e) / (1 + x),   x = m Y,
 *
 * and rebound at v' = v (e - x) / (1 + x). The balance is exact:
 *
 *     m v^2 / 2 = m v'^2 / 2 + J^2 Y / 2 + (1 - e^2) m v^2 / (2 (1 + x)),
 *
 * rebound, modes, contact. A ball on a thin plate loses by x = pi^2 m / (4 T Z),
 * Z = 8 sqrt(D rho h), as Zener found (The intrinsic inelasticity of large
 * plates, 1941). Where x > e the surface carries the other body along; it then
 * parts without speed, v' = 0, and its waves give nothing back.
 *
 * Both return a share: v' / v, and J / (m v). */
double sb_impact_rebound(double restitution, double mass_yield);
double sb_impact_exchange(double restitution, double mass_yield);

/* Reduce impulse and force by what the modes yield (the sum of the above), so
 * that no more energy enters the body than the striker had. An impulse that
 * the script gave is not changed. */
sb_impact_estimate sb_strike_yield(const sb_strike_def *def,
                                   sb_impact_estimate estimate,
                                   double inverse_mass,
                                   double modes_yield) SB_RT;

/* What is reported of an impact of known force. */
sb_impact_record sb_strike_record(const sb_impact_estimate *estimate,
                                  double inverse_mass) SB_RT;
