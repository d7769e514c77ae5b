/* SPDX-License-Identifier: MIT */
#include "runtime/model/solution.h"

#include "runtime/base/memory.h"
#include "runtime/base/select.h"
#include "runtime/model/method.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

typedef struct shared_solution {
    sb_solution solution; /* first: the pointer users hold */
    atomic_int users;
    void (*let_go)(void *context); /* NULL: `context` is our own block */
    void *context;
} shared_solution;

/* --- checks --------------------------------------------------------------- */

/* The largest numbers of a body that can be simulated. They are far beyond
 * what is heard, and near enough that products of them stay finite. */
#define MOST_M      1e6  /* of a coordinate, a thickness */
#define MOST_VOLUME 1e18 /* m^3; the least is 1 / MOST_VOLUME */
/* Texture coordinates that repeat are larger than 1. */
#define MOST_UV 1e6F

static bool is_within(double value, double least, double most) {
    return value >= least && value <= most;
}

/* No axis has a negative moment: all principal minors are at least zero, but
 * for rounding. That of all three rows is seen to by sb_moments_invert. */
static bool is_inertia(const double m[6]) {
    const double most = MOST_VOLUME * MOST_M * MOST_M;
    for (int i = 0; i < 3; i++) {
        double product = m[i] * m[(i + 1) % 3], off = m[3 + i];
        if (!is_within(m[i], 0, most) || !(off * off <= product * (1 + 1e-6)))
            return false;
    }
    return true;
}

static const char *wrong_fact(const sb_solution_facts *f) {
    if (f->method <= SB_METHOD_ANALYTIC || f->method >= SB_METHOD_COUNT)
        return "its method makes no elements";
    if (!is_within(f->volume_m3, 1 / MOST_VOLUME, MOST_VOLUME))
        return "its volume is out of range";
    if (!is_within(f->area_m2, 0, MOST_VOLUME))
        return "its area is out of range";
    if (!is_within(f->thickness_m, 0, MOST_M))
        return "its thickness is out of range";
    if (!(sb_vec3_length(f->centre_m) <= MOST_M))
        return "its centre of mass is out of range";
    if (!is_inertia(f->inertia_m5))
        return "its inertia is that of no body: a mesh must enclose a "
               "volume, or have a thickness";
    if (!is_within(f->poisson_ratio, -1, 0.5))
        return "its Poisson's ratio is out of range";
    /* lambda_bound may be infinite. */
    if (isnan(f->lambda_bound) || !isfinite(f->seconds) || f->rigid_count < 0 ||
        f->element_count < 0 || f->dof_count < 0)
        return "its facts are out of range";
    return NULL;
}

static sb_status check_faces(const sb_solution *parts, sb_error *err) {
    for (int i = 0; i < parts->face_count; i++) {
        const int32_t *face = parts->faces[i];
        for (int j = 0; j < 3; j++) {
            if (face[j] < 0 || face[j] >= parts->vertex_count) {
                return sb_fail(err, SB_BAD_FORMAT,
                               "face %d names vertex %d of %d", i, (int)face[j],
                               parts->vertex_count);
            }
        }
        if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "face %d has the same vertex twice", i);
        }
    }
    return SB_OK;
}

static sb_status check_lambdas(const sb_solution *parts, sb_error *err) {
    double last = 0;
    for (int k = 0; k < parts->mode_count; k++) {
        double lambda = parts->lambdas[k];
        if (!(lambda > 0 && lambda >= last && isfinite(lambda))) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "eigenvalue %d is %g: they must be above zero and "
                           "ascend",
                           k, lambda);
        }
        last = lambda;
    }
    return SB_OK;
}

static sb_status check_numbers(const sb_solution *parts, sb_error *err) {
    size_t vertices = (size_t)parts->vertex_count;
    size_t modes = (size_t)parts->mode_count;
    size_t faces = (size_t)parts->face_count;
    float most = (float)(SB_SHAPE_MOST / sqrt(parts->facts.volume_m3));
    const char *wrong = NULL;
    if (!sb_are_within(parts->vertices[0], vertices * 3, (float)MOST_M))
        wrong = "a vertex";
    else if (!sb_are_within(parts->shapes, vertices * modes * 3, most))
        wrong = "a mode shape";
    else if (parts->uvs && !sb_are_within(parts->uvs[0][0], faces * 6, MOST_UV))
        wrong = "a texture coordinate";
    if (!wrong) return SB_OK;
    return sb_fail(err, SB_BAD_FORMAT,
                   "%s is not finite, or far too large: lengths are in metres, "
                   "at most %g (scale of a mesh, sides of a shape)",
                   wrong, MOST_M);
}

sb_status sb_solution_check(const sb_solution *parts, sb_error *err) {
    if (parts->vertex_count < 1 || parts->face_count < 1 ||
        parts->mode_count < 0) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%d vertices, %d faces and %d modes make no solution",
                       parts->vertex_count, parts->face_count,
                       parts->mode_count);
    }
    sb_status status = check_faces(parts, err);
    if (!status) status = check_lambdas(parts, err);
    if (status) return status;
    const char *wrong = wrong_fact(&parts->facts);
    if (wrong) return sb_fail(err, SB_BAD_FORMAT, "%s", wrong);
    return check_numbers(parts, err);
}

/* --- life ----------------------------------------------------------------- */

static sb_status make(const sb_solution *parts, void (*let_go)(void *context),
                      void *context, sb_solution **out, sb_error *err) {
    shared_solution *shared = sb_alloc(1, sizeof *shared);
    if (!shared) {
        return sb_no_memory_for(err, "a solution");
    }
    shared->solution = *parts;
    shared->let_go = let_go;
    shared->context = context;
    atomic_init(&shared->users, 1);
    *out = &shared->solution;
    return SB_OK;
}

sb_status sb_solution_wrap(const sb_solution *parts,
                           void (*let_go)(void *context), void *context,
                           sb_solution **out, sb_error *err) {
    return make(parts, let_go, context, out, err);
}

/* Doubles come first, so that every array is aligned. */
static void copy_arrays(sb_solution *to, char *block, const size_t bytes[5]) {
    const void *from[5] = {to->lambdas, to->vertices, to->faces, to->uvs,
                           to->shapes};
    void *at[5];
    for (int i = 0; i < 5; i++) {
        at[i] = block;
        if (bytes[i] > 0) memcpy(block, from[i], bytes[i]);
        block += bytes[i];
    }
    to->lambdas = at[0];
    to->vertices = (const float(*)[3])at[1];
    to->faces = (const int32_t(*)[3])at[2];
    if (to->uvs) to->uvs = (const float(*)[3][2])at[3];
    to->shapes = at[4];
}

sb_status sb_solution_create(const sb_solution *parts, sb_solution **out,
                             sb_error *err) {
    sb_status status = sb_solution_check(parts, err);
    if (status) return status;
    size_t vertices = (size_t)parts->vertex_count;
    size_t faces = (size_t)parts->face_count;
    size_t modes = (size_t)parts->mode_count;
    const size_t bytes[5] = {modes * sizeof(double),
                             vertices * sizeof(float[3]),
                             faces * sizeof(int32_t[3]),
                             parts->uvs ? faces * sizeof(float[3][2]) : 0,
                             vertices * modes * sizeof(float[3])};
    char *block =
        sb_alloc(1, bytes[0] + bytes[1] + bytes[2] + bytes[3] + bytes[4]);
    if (!block) {
        return sb_no_memory_for(err, "%d modes at %d vertices",
                                parts->mode_count, parts->vertex_count);
    }
    sb_solution copy = *parts;
    copy_arrays(&copy, block, bytes);
    status = make(&copy, NULL, block, out, err);
    if (status) sb_free(block);
    return status;
}

sb_status sb_solution_lowest(const sb_solution *from, int count,
                             sb_solution **out, sb_error *err) {
    size_t vertices = (size_t)from->vertex_count;
    size_t row = 3 * (size_t)count, old = 3 * (size_t)from->mode_count;
    float *shapes = sb_alloc(vertices * row, sizeof *shapes);
    if (!shapes) return sb_no_memory_for(err, "%d modes", count);
    for (size_t v = 0; v < vertices; v++)
        memcpy(shapes + v * row, from->shapes + v * old, row * sizeof *shapes);
    sb_solution parts = *from;
    parts.mode_count = count;
    parts.shapes = shapes;
    parts.facts.lambda_bound = from->lambdas[count - 1];
    sb_status status = sb_solution_create(&parts, out, err);
    sb_free(shapes);
    return status;
}

static shared_solution *shared_of(sb_solution *solution) {
    return (shared_solution *)(void *)solution;
}

sb_solution *sb_solution_retain(sb_solution *solution) {
    atomic_fetch_add_explicit(&shared_of(solution)->users, 1,
                              memory_order_relaxed);
    return solution;
}

void sb_solution_release(sb_solution *solution) {
    if (!solution) return;
    shared_solution *shared = shared_of(solution);
    /* The last user must see all that the others wrote before their release. */
    if (atomic_fetch_sub_explicit(&shared->users, 1, memory_order_acq_rel) !=
        1) {
        return;
    }
    if (shared->let_go) {
        shared->let_go(shared->context);
    } else {
        sb_free(shared->context);
    }
    sb_free(shared);
}
