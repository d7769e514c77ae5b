/* SPDX-License-Identifier: MIT */
/* runtime/model/solution.h -- a solved vibration problem, for any material.
 *
 * With Poisson's ratio and the geometry given, frequencies scale with
 * sqrt(E / rho) and mode shapes with 1 / sqrt(rho). So each problem is solved
 * once for E = 1 Pa and rho = 1 kg/m^3: eigenvalues `lambda` (omega^2 =
 * lambda E / rho) and shapes (phi = shape / sqrt(rho)) on the vertices of the
 * surface. For a material it is then cut to the audible range, merged
 * (compress.h) and given radiation weights (radiation.h): finish.h.
 *
 * Thread: control, workers. Immutable once made.
 * Memory: retain and release count users; a solution may be a file mapped into
 *         memory, so all arrays are read only.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

/* Numbers that are written to a file unchanged. */
typedef struct sb_solution_facts {
    double poisson_ratio;
    double volume_m3;     /* mass of unit density */
    double area_m2;       /* in contact with air: both sides of a sheet */
    double thickness_m;   /* 0 for solids */
    sb_vec3 centre_m;     /* of mass */
    double inertia_m5[6]; /* xx yy zz xy yz zx about it, unit density */
    double lambda_bound;  /* complete up to here */
    double seconds;       /* time of the solve */
    int32_t method;       /* sb_method */
    int32_t is_held;
    int32_t rigid_count; /* motions without stiffness: 6 per free component */
    int16_t is_sheet;    /* it radiates from both sides, in antiphase */
    int16_t is_lumped;   /* modes of a deformable body (fem/tet10.h) */
    int32_t element_count;
    int32_t dof_count;
    int64_t peak_bytes;
} sb_solution_facts;

typedef struct sb_solution {
    sb_solution_facts facts;
    bool is_coarse; /* memory did not allow the elements that its waves need;
                       not stored, so that each solve can say so */
    int vertex_count, face_count, mode_count;
    const float (*vertices)[3];
    const int32_t (*faces)[3];
    const float (*uvs)[3][2]; /* or NULL */
    const double *lambdas;    /* elastic modes only, ascending */
    /* [vertex][mode][3]: all modes at one vertex are contiguous. */
    const float *shapes;
} sb_solution;

/* |phi| sqrt(mass) is about 1 on average; a thin tip moves some hundred times
 * as much. */
#define SB_SHAPE_MOST 1e6

/* For data from a file. BAD_FORMAT unless there are at least one vertex and one
 * face, faces have three different vertices that exist, lambdas are above zero
 * and ascend, the facts are those of a body that a method of elements solves,
 * and all numbers are finite and so small that what a model computes of them
 * is finite, too. */
SB_NODISCARD sb_status sb_solution_check(const sb_solution *parts,
                                         sb_error *err);

/* A new solution from copies of the arrays of `parts`. */
SB_NODISCARD sb_status sb_solution_create(const sb_solution *parts,
                                          sb_solution **out, sb_error *err);

/* One with the lowest `count` modes of `from`, complete up to the last of them.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_solution_lowest(const sb_solution *from, int count,
                                          sb_solution **out, sb_error *err);

/* As _create without copying and checking, for a mapped file that has been
 * checked: the arrays must stay valid until the last release calls
 * let_go(context). On failure let_go is not called. */
SB_NODISCARD sb_status sb_solution_wrap(const sb_solution *parts,
                                        void (*let_go)(void *context),
                                        void *context, sb_solution **out,
                                        sb_error *err);

sb_solution *sb_solution_retain(sb_solution *solution);
void sb_solution_release(sb_solution *solution); /* NULL is allowed */
