/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem.h -- the sound of a surface that vibrates, by boundary
 * elements.
 *
 * The pressure outside a closed surface, time e^{iwt}, is written as that of a
 * layer mu of dipoles and of monopoles on it (Brakhage and Werner), that
 * beside a sheet as that of dipoles alone, which are its jump of pressure:
 *
 *     p(x) = integral mu(y) [ dG/dn_y + i eta G ] dS,   G = e^{-ikr} / 4 pi r
 *
 * with eta = max(k, 1/a) on closed surfaces of the area 4 pi a^2, so that no
 * frequency is irregular, and 0 on sheets. mu is linear between the vertices,
 * 0 on the edge of a sheet, and follows from the velocity v_n (Galerkin):
 *
 *     [ W + i eta (K' - M/2) ] mu = -i k rho c M v_n
 *     <w, W mu> = double integral G (k^2 n.n' w mu - curl w . curl mu)  (Maue)
 *
 * so that nothing more singular than 1/r is integrated. On coarse meshes linear
 * elements see a sheet too small by h/8, h being the height of the triangles at
 * its edge: the edge is moved out by that much.
 *
 * The matrices of a few wave numbers are interpolated, as e^{ik r} times the
 * entry; those of each mode's own frequency are solved, so that resonances of
 * the air are kept. With 250 vertices spheres are right to 0.1 dB, with 500
 * plates to 0.2 dB, as long as there are 8 edges in each wave on the surface
 * and 3 in each wave in the air.
 *
 * Symbols: k wave number, 1/m; R distance from the centre, m.
 * Thread:  control, workers. The result does not depend on their number.
 * Memory:  8 n^2 bytes per matrix of n unknowns, one per wave number and kind.
 */
#pragma once

#include "runtime/base/pattern.h"
#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

/* A closed surface, all of whose faces are seen counter-clockwise from outside,
 * or a sheet with a free edge, all of whose faces are seen so from one side.
 * Each edge has at most two faces. */
typedef struct sb_bem_surface {
    int vertex_count, face_count;
    const float (*vertices)[3]; /* m */
    const int32_t (*faces)[3];
    bool is_sheet;
} sb_bem_surface;

typedef struct sb_bem_def {
    sb_bem_surface surface;
    sb_vec3 centre_m; /* R is counted from here */
    int mode_count;
    const double *freqs_hz;   /* [mode_count]; above 0 */
    const float (*shapes)[3]; /* [mode][vertex], per unit of modal coordinate */
    double density_kg_m3;     /* of the air; 0: 1.204 */
    double speed_m_s;         /* of sound; 0: 343.2 */
} sb_bem_def;

/* What a sheet feels of the air, per mode: it is heavier by `mass`, and resists
 * with `resistance` times the modal velocity, which takes half of that of the
 * amplitude per second. 1 and 1/s for shapes of unit modal mass; 0 of closed
 * surfaces. */
typedef struct sb_bem_load {
    double mass, resistance;
} sb_bem_load;

typedef struct sb_bem_result {
    /* The thread's memo has no time for it (memo.h): nothing was solved. */
    bool is_put_off;
    sb_pattern *patterns; /* [mode_count] */
    float (*coefs)[2];    /* of all of them */
    sb_bem_load *loads;   /* [mode_count] */
} sb_bem_result;

/* What a solve takes, before it: processor time on a core of 2020, s. */
double sb_bem_estimate_s(const sb_bem_def *def);

/* NO_MEMORY, INTERRUPTED, or BAD_ARGUMENT for a surface that has no faces. */
SB_NODISCARD sb_status sb_bem_solve(const sb_bem_def *def, sb_bem_result *out,
                                    sb_error *err);
void sb_bem_result_free(sb_bem_result *result);

/* Rigid motion, far below the first wave that fits the body: the kinetic energy
 * of the air is 1/2 u.M.u for the velocities u = (U, angular velocity) about
 * the centre, and
 *
 *     p R = 1/(4 pi c) d^2/dt^2 (D u) . r
 */
typedef struct sb_bem_rigid {
    double mass[6][6];   /* M: kg, kg m, kg m^2 */
    double dipole[3][6]; /* D: kg, kg m */
} sb_bem_rigid;

/* Of `def` only the surface, the centre and the density count. */
SB_NODISCARD sb_status sb_bem_solve_rigid(const sb_bem_def *def,
                                          sb_bem_rigid *out, sb_error *err);
