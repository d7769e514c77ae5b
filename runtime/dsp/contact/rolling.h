/* SPDX-License-Identifier: MIT */
/* runtime/dsp/contact/rolling.h -- the force between rough surfaces that roll or
 * slide on each other, in closed form for small roughness.
 *
 * A ball of mass m and radius R lies on a body under the load N. Smooth, it
 * follows Hertz's law F = K x^a, K = 4/3 E sqrt(R), a = 3/2: it goes in by
 * d = (N / K)^(1/a). Rough, with asperities of height s (root mean square)
 * between the two surfaces, it lies on their tips. Their number and so their
 * force grows as exp(x / c s), c = 0.4: a spring N / c s in series with Hertz's.
 * And they reach s beyond his patch:
 *
 *     k = N / (d / a + c s),   b = sqrt(R (d + s)).
 *
 * So k grows with the load as N^(1/3) on smooth surfaces and as N on rough ones.
 * A height z(x) under the patch changes the force at an unchanged position by k
 * times a mean of z. By Betti's theorem its weights are the pressure under a
 * flat punch, 1 / (2 pi b sqrt(b^2 - r^2)). Integrated across the direction of
 * travel that is 1 / 2b from -b to b. So a wave of w = v q, q = 2 pi / length,
 * counts by
 *
 *     A(q) = sin(q b) / (q b).
 *
 * Asperities are shorter than the patch. A junction between two of them carries
 * f = K sqrt(r / R) s^a in the mean, r being the radius of their tips, whatever
 * the load: a greater load makes more junctions, n = N / f + 4 (Greenwood and
 * Williamson). They are independent, so that their force varies by N / sqrt(n):
 * as N on rough surfaces, where few junctions carry all, as sqrt(N) on smooth
 * ones. That is a height z = N / (k sqrt(n)) under the spring k. It varies in two
 * ways. At the speed v of the contact along the surface junctions come and go, in
 * the width B = 2 sqrt(R h) in which the gap is below the height h of their tips:
 * all that happens in rolling, where no asperity moves against another. And at
 * the slip speed u one field of asperities sweeps past the other: junctions of
 * all lengths, from the least, l, to B, give way to the next. With a noise T(f_c)
 * of mean square 1 and the power 2 / (pi f_c (1 + (f / f_c)^2)) per hertz, that
 * is
 *
 *     z = N / (k sqrt(n)) (g(v) T(0.44 v / B) + g(u) sum over L of T(0.44 u / L)),
 *     L = B, sqrt(B l), l,
 *
 * 0.44 being where A^2 is a half for b = B / 2. So rolling is a less bright
 * version of sliding, and never the louder one (Menzies 2.2.1). Asperities that
 * meet faster are pushed harder, until the load cannot bear more:
 *
 *     g(u)^2 = a^2 n / (n + 2 a^2),   a^2 = u / u0,   u0 = 0.3 m/s.
 *
 * The level of surfaces that slide rises with the speed by a power of 0.7 to 1
 * (Ben Abdelounis et al. 2010). With g, and with what T moves to where the ear
 * and the modes are, it does so here by about 0.5.
 *
 * A flat body lies on bumps of its roughness, and is a ball of their radius: the
 * area that touches depends on the load, not on the face.
 *
 * The ball and the body give way by their displacement per newton, -1/m w^2 of
 * the ball, -1/M w^2 of the body as a rigid body, and
 * Y = sum phi^2 / (w0^2 - w^2 + 2 i s w) of its modes. With the loss L of
 * Hunt and Crossley's law, f = x^a (K + L x'), the force is
 *
 *     F = k z / (1 + k' (Y - (1/m + 1/M) / w^2)),   k' = k + i w N L / K,
 *
 * z being A times the profile, and the asperities. The loss damps the motion of
 * the bodies; heights that pass under them push by the spring alone. Below the
 * contact resonance the ball follows the surface and is pushed by m z''; above it
 * the surface passes under a ball at rest and pushes by k z. A profile of the
 * order of d / a + c s makes the ball jump; then there is no closed form, and
 * link.h solves the contact by a law of Hertz's form with the stiffness k at the
 * load N.
 *
 * Symbols: K, a, L law; m mass_kg; 1/M inverse_mass; R radius_m; N load_n;
 *          s rough_m; q per_m, w omega_rad_s, Y body_m_n.
 * Thread:  any; what is marked SB_RT also audio. Memory: plain values.
 * Source:  Johnson, Contact Mechanics, 1985, 3.4, 3.8, 4.2, 13.4, 13.5;
 *          Greenwood and Williamson 1966; Persson 2007 (c); Remington,
 *          Wheel/rail rolling noise, 1987, for patch, stiffness and two
 *          impedances; Ben Abdelounis et al., Wear 268, 2010, for the speed.
 */
#pragma once

#include "runtime/dsp/contact/contact.h"

typedef struct sb_rolling {
    sb_contact_law law;  /* of smooth surfaces; lambda 0: the default loss */
    double mass_kg;      /* > 0 */
    double inverse_mass; /* >= 0; 0: the body is held */
    double radius_m;     /* > 0 */
    double load_n;       /* > 0 */
    double rough_m;      /* >= 0 */
    double mobility; /* m/(N s), the mean of the modes, Y = mobility / i w */
} sb_rolling;

double sb_rolling_depth_m(const sb_rolling *rolling) SB_RT;       /* d */
double sb_rolling_patch_m(const sb_rolling *rolling) SB_RT;       /* b */
double sb_rolling_stiffness_n_m(const sb_rolling *rolling) SB_RT; /* k */

/* n; INFINITY of smooth surfaces. */
double sb_rolling_junctions(const sb_rolling *rolling) SB_RT;

/* N / sqrt(n): the force of the asperities above the contact resonance, root mean
 * square, for each of v and u, times g. */
double sb_rolling_asperities_n(const sb_rolling *rolling) SB_RT;
double sb_rolling_gain(double junctions, double speed_m_s) SB_RT; /* g */

/* Corners of the noises, Hz per m/s: of the speed, and three of the slip. */
enum { SB_ROLLING_NOISES = 4 };
void sb_rolling_corners_hz(const sb_rolling *rolling,
                           double corner_hz[SB_ROLLING_NOISES]) SB_RT;

/* Damping of the contact resonance, as a share of the critical: what the modes
 * take, if a mean mobility stands for them, and that of law.lambda or, where it
 * is 0, 0.05 of smooth surfaces and up to 0.3 of rough ones. A choice, of the
 * order that dry contacts have: the law's own loss vanishes with the speed, and a
 * ball would hum for seconds. */
double sb_rolling_damping(const sb_rolling *rolling) SB_RT;

/* The law that link.h solves, with stiffness k and this damping at the load. Its
 * loss acts on the heights, too: they must be low-passed before. At another load
 * the law has another stiffness, and the low-pass another corner. */
sb_contact_law sb_rolling_law(const sb_rolling *rolling) SB_RT;
typedef struct sb_rolling_at {
    double stiffness_n_m, corner_hz;
} sb_rolling_at;
sb_rolling_at sb_rolling_law_at(const sb_contact_law *law, double load_n) SB_RT;
