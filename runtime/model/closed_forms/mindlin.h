/* SPDX-License-Identifier: MIT */
/* runtime/model/closed_forms/mindlin.h -- stiffness of a plate, thin or thick.
 *
 * A plate bends by w and by the turns psi of its sections, which do not have to
 * stay normal to its middle surface (R. D. Mindlin, J. Appl. Mech. 18 (1951)
 * 31). With x along the grain of an orthotropic material, its energy is
 *
 *     D11 psi_x,x^2 + 2 D12 psi_x,x psi_z,z + D22 psi_z,z^2
 *     + D66 (psi_x,z + psi_z,x)^2 + S1 (w,x + psi_x)^2 + S2 (w,z + psi_z)^2
 *
 * and its mass rho h w^2 + rho h^3 / 12 (psi_x^2 + psi_z^2). Kirchhoff's thin
 * plate has psi = -grad w and no rotary inertia: its frequencies are too high,
 * by a share that grows with (k h)^2 and, at free edges, with h over its side.
 *
 * kappa in S = kappa G h is 5 / (6 - nu): of an infinite plate, omega(k) is
 * then exact to the order (k h)^2 (N. G. Stephen, J. Sound Vib. 202 (1997)
 * 539). Against elasticity, plates of any support are then right to 0.6 % up to
 * a thickness of a fifth of their side (tests/model/shapes/test_thick_plate.c).
 * Along a grain, where G is smaller against E, it tends to 5 / 6.
 *
 * Symbols: D11 .. D66 N m; S1, S2 N/m; k wave number, 1/m.
 * Private to runtime/model.   Thread: any.   Memory: plain values.
 */
#pragma once

typedef struct sb_material sb_material;

typedef struct sb_plate_stiffness {
    double d11, d12, d22, d66; /* N m */
    double s1, s2;             /* N/m */
    double mass;               /* rho h, kg/m^2 */
    double rotary;             /* rho h^3 / 12, kg */
} sb_plate_stiffness;

sb_plate_stiffness sb_plate_stiffness_of(const sb_material *material,
                                         double thickness_m);

/* Angular frequencies of the wave with wave numbers kx and kz: of Kirchhoff's
 * plate, and of Mindlin's (its lowest). rad/s. `share`, unless NULL, is the part
 * of the energy of motion that is not rotation. */
double sb_kirchhoff_omega(const sb_plate_stiffness *plate, double kx,
                          double kz);
double sb_mindlin_omega(const sb_plate_stiffness *plate, double kx, double kz,
                        double *share);

/* The wave numbers along x and along z at this frequency, by Mindlin. */
void sb_mindlin_wave_numbers(const sb_plate_stiffness *plate, double omega,
                             double *kx, double *kz);

/* Above it, sections also shear without bending: rad/s. */
double sb_mindlin_cut_off(const sb_plate_stiffness *plate);

/* How much Kirchhoff's frequency may be too high before Mindlin's is taken: 5
 * cents, a difference in pitch that is just noticeable. */
#define SB_KIRCHHOFF_ERROR 0.0028923
