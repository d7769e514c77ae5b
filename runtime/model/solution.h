/* runtime/model/solution.h -- a vibration problem solved, before it is made of
 * a particular material.
 *
 * With Poisson's ratio and the geometry given, frequencies scale with
 * sqrt(E / rho) and mode shapes with 1 / sqrt(rho). So each problem is solved
 * once for E = 1 Pa, rho = 1 kg/m^3 and kept: eigenvalues `lambda` (omega^2 =
 * lambda E / rho) and shapes (phi = shape / sqrt(rho)) on the vertices of the
 * surface. What is heard is made from it for a material: cut off at the limit
 * of hearing, merged (compress.h), given radiation weights (radiation.h).
 *
 * Thread: control, workers. Immutable once made.
 * Memory: retain and release count users; a solution may be a file mapped into
 *         memory, so all arrays are read only.
 */
#ifndef SB_MODEL_SOLUTION_H
#define SB_MODEL_SOLUTION_H

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/fem/fem.h"
#include "runtime/model/mesh/mesh.h"

#include <stdbool.h>
#include <stdint.h>

/* Numbers that go to a file as they are. */
typedef struct sb_solution_facts {
    double poisson_ratio;
    double volume_m3;     /* mass of unit density */
    double area_m2;       /* of all that touches air, both sides of a sheet */
    double thickness_m;   /* 0 for solids */
    sb_vec3 centre_m;     /* of mass */
    double inertia_m5[6]; /* xx yy zz xy yz zx about it, unit density */
    double lambda_bound;  /* complete up to here */
    double seconds;       /* that the solve took */
    int32_t method;       /* sb_method */
    int32_t is_held;
    int32_t rigid_count; /* motions without stiffness: 6 a free component */
    int32_t is_sheet;    /* two sides hear it, opposite ways */
    int32_t element_count;
    int32_t dof_count;
    int64_t peak_bytes;
} sb_solution_facts;

typedef struct sb_solution {
    sb_solution_facts facts;
    int vertex_count, face_count, mode_count;
    const float (*vertices)[3];
    const int32_t (*faces)[3];
    const float (*uvs)[3][2]; /* or NULL */
    const double *lambdas;    /* elastic modes only, ascending */
    /* [vertex][mode][3]: one place for all modes is contiguous. */
    const float *shapes;
} sb_solution;

/* BAD_FORMAT when a count, an index or a number cannot be: at least one vertex
 * and face, faces of distinct vertices that exist, lambdas above zero and
 * ascending, everything finite. For what comes from a file. */
SB_NODISCARD sb_status sb_solution_check(const sb_solution *parts,
                                         sb_error *err);

/* A solution of its own, from copies of the arrays of `parts`. */
SB_NODISCARD sb_status sb_solution_create(const sb_solution *parts,
                                          sb_solution **out, sb_error *err);

/* The same without copies and without the check, for a file that has been
 * checked: the arrays stay where they are until the last release calls
 * let_go(context). On failure let_go is not called. */
SB_NODISCARD sb_status sb_solution_wrap(const sb_solution *parts,
                                        void (*let_go)(void *context),
                                        void *context, sb_solution **out,
                                        sb_error *err);

sb_solution *sb_solution_retain(sb_solution *solution);
void sb_solution_release(sb_solution *solution); /* NULL is allowed */

#endif
