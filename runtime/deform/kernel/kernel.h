/* SPDX-License-Identifier: MIT */
/* runtime/deform/kernel/kernel.h -- the inner loops over elements, compiled for
 * several instruction sets; sb_deform_kernel_choose picks one at run time.
 *
 * Elements are stored in groups of SB_DEFORM_LANES, number by number: lane e
 * of every number belongs to element e of the group. Groups that are not full
 * repeat an element with weight 0.
 *
 * Solid (quadratic tetrahedron, total Lagrangian, St. Venant-Kirchhoff). With
 * L_i the volume coordinates and J = dx/dL the current tangents at one of four
 * integration points, J0 those at rest, J0 = Q R, T = R^-1 (upper triangular):
 *
 *     F = J T          deformation gradient, in axes turned by Q
 *     E = (F'F - 1)/2  Green's strain
 *     S = l tr(E) + 2 m E,  force on dx/dL = w F S T'
 *
 * The material is isotropic, so Q drops out of everything.
 *
 * Sheet (flat triangle that follows its corners). E0 and E are the triangle's
 * axes at rest and now: the first along side 12, the third normal. Local
 * freedoms are the corners' u2, u3, v3, and of each corner the turn
 * a = axial(Q - Q')/2 of Q = E' R E0, R being the node's rotation:
 *
 *     p = K q,  moment = (tr Q - Q') m / 2,  forces by balance
 *
 * which is the exact gradient of q'K q / 2.
 *
 * Damping by stiffness, on the stress S or the local forces p (Zener):
 *     d = S - M;  M += c2 d;  S += (beta c2 / dt) d
 *
 * Thread: any; calls for different groups may run at the same time.
 * Memory: the caller's.
 */
#pragma once

#include <stddef.h>

enum {
    SB_DEFORM_LANES = 4,
    SB_TET_POINTS = 4,
    SB_TET_STRESSES = 6,  /* xx yy zz xy yz zx */
    SB_SHELL_FORCES = 12, /* u2 u3 v3, drills, then x and y turns by corner */
    SB_SHELL_HALF = 21    /* upper half of a 6 x 6 matrix, row by row */
};

/* One number of four elements. */
typedef double sb_lanes[SB_DEFORM_LANES];

/* Where an element's forces go: each node has consecutive rows, one per
 * element, so that summing them reads memory in order. Elements that repeat
 * others have a row that no node has. */
typedef struct sb_tet_group {
    int nodes[10][SB_DEFORM_LANES];
    int rows[10][SB_DEFORM_LANES];
} sb_tet_group;

/* At one point: T by columns, 00 01 11 02 12 22, then the point's volume. Where
 * all edges are straight, it is the same at all four points. */
typedef struct sb_tet_metric {
    sb_lanes of[7];
} sb_tet_metric;

typedef struct sb_shell_group {
    sb_lanes axes[9];   /* E0: e1, e2, e3 */
    sb_lanes corner[3]; /* X2, X3, Y3 */
    sb_lanes membrane[SB_SHELL_HALF];
    sb_lanes bending[SB_SHELL_HALF];
    sb_lanes slowest; /* 1 / (highest bending frequency of it alone)^2, s^2 */
    int nodes[3][SB_DEFORM_LANES];
    int rows[3][SB_DEFORM_LANES];
} sb_shell_group;

/* Points and vectors of nodes are x, y, z and a fourth number that is 0. */
typedef struct sb_element_job {
    const double *positions; /* [node][4] */
    const double *quats;     /* [node][4]: x y z w of R; sheets */
    const sb_tet_group *tets;
    const sb_tet_metric *metrics; /* [group][point], or straight: [group] */
    int is_straight;
    const sb_shell_group *shells;
    double *memory; /* M: [group][point][6][lanes], [group][12][lanes] */
    double *forces, *moments; /* [row][4] */
    double lame, shear_twice; /* l and 2 m */
    double rate, gain;        /* c2 and beta c2 / dt; gain 0: no memory */
    /* Where these are not NULL, [group]: elastic energy, and det F or, of a
     * sheet, the lesser of its area's ratio and cos of a corner's turn. */
    double *energy_j, *least;
    /* bends: a field over the nodes of sheets, as velocities and spins. */
    const double *moves, *turns; /* [node][4] */
} sb_element_job;

/* Nodes: forces are summed in the order of their rows. */
typedef struct sb_node_job {
    const int *row_start; /* [node + 1] */
    const double *forces; /* [row][4] */
    const double *push;   /* [node][4], or NULL */
    const double *inverse_mass;
    double gravity[4];
    double step_s;
    double *positions, *velocities; /* [node][4] */
} sb_node_job;

/* The same for the rotations of the nodes of sheets. */
typedef struct sb_turn_job {
    const int *row_start;
    const double *moments;
    const double *push; /* [turn][4], or NULL */
    const double *inverse_inertia;
    double step_s;
    double *spins, *quats; /* [turn][4]; quaternions are x y z w */
} sb_turn_job;

/* Filters windows of `taps` points, `hop` points apart; out[i] is `stride`
 * numbers after out[i - 1]. */
typedef struct sb_filter_job {
    int taps, hop;
    int count; /* of windows, a multiple of four */
    const double *taps_value, *taps_second;
    const double *history; /* [time][4] */
    size_t stride;
    double *value, *second;
} sb_filter_job;

typedef struct sb_deform_kernel {
    const char *name;
    void (*tets)(const sb_element_job *job, int first, int last);
    void (*shells)(const sb_element_job *job, int first, int last);
    /* Forces and moments that resist the bending of a field as the triangles
     * are now, per highest frequency squared of each: no unit remains but that
     * of a mass. */
    void (*bends)(const sb_element_job *job, int first, int last);
    void (*nodes)(const sb_node_job *job, int first, int last);
    /* `first` and `last` are multiples of four. */
    void (*turns)(const sb_turn_job *job, int first, int last);
    /* sums[node][4][4] += weights[4] positions[node][4] */
    void (*windows)(double *sums, const double *positions,
                    const double weights[4], int count);
    /* Both filters over windows of points. */
    void (*filter)(const sb_filter_job *job);
    /* to[k] += a low[k] + b high[k], k = 0 .. 15 */
    void (*splat)(double *to, const double *low, const double *high, double a,
                  double b);
    /* to[row][16] += by * sum of matrix[row][column] from[column][16] */
    void (*mix)(double *to, int rows, const double *matrix, int columns,
                const double *from, double by);
} sb_deform_kernel;

extern const sb_deform_kernel sb_deform_kernel_portable;
extern const sb_deform_kernel sb_deform_kernel_avx2;

/* By name, "avx2" or "portable", or NULL for the fastest; NULL if this build or
 * machine does not have it. */
const sb_deform_kernel *sb_deform_kernel_choose(const char *name);
