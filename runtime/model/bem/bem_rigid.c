/* SPDX-License-Identifier: MIT */
/* Rigid motion of a surface in air that does not feel compression: Laplace's
 * equation, k = 0. */
#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/bem/bem_matrix.h"
#include "runtime/model/bem/bem_memo.h"
#include "runtime/model/linear/blas.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* A constant mu on a closed surface makes no sound, and W maps it to 0: this
 * much of M is taken off W, by the radius. Motions change by as little. */
#define REGULAR 1e-4

enum { MOTIONS = 6 };

typedef struct still {
    const sb_bem_def *def;
    sb_bem_mesh mesh;
    float (*w)[2], (*k)[2];
    double *system, *mass; /* [column][row]: W, M */
    double *right;         /* [motion][unknown]: M v_n, then mu */
    double *surface;       /* [motion][unknown]: the potential outside */
    double (*corners)[3];  /* v_n at the corners of the faces */
    lapack_int *pivots;
} still;

static bool take_memory(still *s) {
    size_t count = (size_t)s->mesh.unknown_count;
    size_t size = count * (size_t)s->mesh.wide;
    s->w = sb_alloc(size, sizeof *s->w);
    if (!s->mesh.is_sheet) s->k = sb_alloc(size, sizeof *s->k);
    s->system = sb_alloc(count * count, sizeof(double));
    s->mass = sb_alloc(count * count, sizeof(double));
    s->right = sb_alloc(count * MOTIONS, sizeof(double));
    s->surface = sb_alloc(count * MOTIONS, sizeof(double));
    s->corners = sb_alloc((size_t)s->mesh.face_count, sizeof *s->corners);
    s->pivots = sb_alloc(count, sizeof *s->pivots);
    return s->w && (s->k || s->mesh.is_sheet) && s->system && s->mass &&
           s->right && s->surface && s->corners && s->pivots;
}

static void release(still *s) {
    sb_free(s->w);
    sb_free(s->k);
    sb_free(s->system);
    sb_free(s->mass);
    sb_free(s->right);
    sb_free(s->surface);
    sb_free(s->corners);
    sb_free(s->pivots);
    sb_bem_mesh_free(&s->mesh);
}

/* The velocity of a point per unit of a motion: along an axis, or about it. */
static sb_vec3 velocity(const still *s, int motion, sb_vec3 at) {
    const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (motion < 3) return axes[motion];
    return sb_vec3_cross(axes[motion - 3], sb_vec3_sub(at, s->def->centre_m));
}

static void set_corners(const still *s, int motion) {
    for (int f = 0; f < s->mesh.face_count; f++) {
        const sb_bem_face *face = &s->mesh.faces[f];
        for (int j = 0; j < 3; j++) {
            s->corners[f][j] = sb_vec3_dot(
                velocity(s, motion, face->corners[j]), face->normal);
        }
    }
}

static void set_system(const still *s) {
    const sb_bem_mesh *mesh = &s->mesh;
    size_t count = (size_t)mesh->unknown_count, wide = (size_t)mesh->wide;
    for (int f = 0; f < mesh->face_count; f++) {
        const sb_bem_face *face = &mesh->faces[f];
        for (int i = 0; i < 9; i++) {
            int row = face->unknowns[i / 3], column = face->unknowns[i % 3];
            if (row < 0 || column < 0) continue;
            s->mass[(size_t)column * count + (size_t)row] +=
                face->area / (i / 3 == i % 3 ? 6 : 12);
        }
    }
    double regular = mesh->is_sheet ? 0 : REGULAR / mesh->radius;
    for (size_t i = 0; i < count * count; i++) {
        s->system[i] = (double)s->w[i / count * wide + i % count][0] -
                       regular * s->mass[i];
    }
}

/* Outside: mu / 2 + M^-1 K mu on a closed surface; the jump mu on a sheet. */
static bool find_surface(const still *s) {
    int count = s->mesh.unknown_count;
    size_t wide = (size_t)s->mesh.wide;
    size_t size = (size_t)count * MOTIONS;
    if (s->mesh.is_sheet) {
        memcpy(s->surface, s->right, size * sizeof(double));
        return true;
    }
    for (size_t i = 0; i < size; i++) {
        const double *mu = s->right + i / (size_t)count * (size_t)count;
        const float(*row)[2] =
            (const float(*)[2])s->k + i % (size_t)count * wide;
        for (int j = 0; j < count; j++)
            s->surface[i] += (double)row[j][0] * mu[j];
    }
    if (LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', count, MOTIONS, s->mass,
                           count, s->surface, count)) {
        return false;
    }
    for (size_t i = 0; i < size; i++)
        s->surface[i] += s->right[i] / 2;
    return true;
}

/* - rho times the integral of a potential by v_n at the corners. */
static double integral(const still *s, const double *potential) {
    double sum = 0;
    for (int f = 0; f < s->mesh.face_count; f++) {
        const sb_bem_face *face = &s->mesh.faces[f];
        const double *v = s->corners[f];
        double total = v[0] + v[1] + v[2];
        for (int i = 0; i < 3; i++) {
            int at = face->unknowns[i];
            if (at >= 0)
                sum += face->area / 12 * (total + v[i]) * potential[at];
        }
    }
    double density = s->def->density_kg_m3;
    return -(density > 0 ? density : SB_AIR_DENSITY) * sum;
}

static bool solve(const still *s, sb_bem_rigid *out) {
    int count = s->mesh.unknown_count;
    sb_bem_matrices(&s->mesh, 0, s->w, s->k);
    set_system(s);
    for (int i = 0; i < MOTIONS; i++) {
        set_corners(s, i);
        sb_bem_mass(&s->mesh, (const double(*)[3])s->corners,
                    s->right + (size_t)i * (size_t)count);
    }
    if (count &&
        (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, count, MOTIONS, s->system, count,
                            s->pivots, s->right, count) ||
         !find_surface(s))) {
        return false;
    }
    for (int j = 0; j < MOTIONS; j++) {
        set_corners(s, j);
        for (int i = 0; i < MOTIONS; i++) {
            size_t at = (size_t)i * (size_t)count;
            out->mass[i][j] = integral(s, s->surface + at);
            if (j < 3) out->dipole[j][i] = integral(s, s->right + at);
        }
    }
    for (int i = 0; i < MOTIONS; i++) {
        for (int j = 0; j < i; j++) {
            double mean = (out->mass[i][j] + out->mass[j][i]) / 2;
            out->mass[i][j] = out->mass[j][i] = mean;
        }
    }
    return true;
}

sb_status sb_bem_solve_rigid(const sb_bem_def *def, sb_bem_rigid *out,
                             sb_error *err) {
    still s = {.def = def};
    char key[SB_DIGEST_TEXT_SIZE];
    if (sb_bem_recall_rigid(def, key, out)) return SB_OK;
    *out = (sb_bem_rigid){0};
    sb_status status = sb_bem_mesh_make(&def->surface, &s.mesh, err);
    if (status) return status;
    if (!take_memory(&s))
        status = sb_fail(err, SB_NO_MEMORY,
                         "out of memory for the air round %d faces",
                         def->surface.face_count);
    if (!status) status = sb_blas_enter(err);
    if (!status) {
        bool is_ok = solve(&s, out);
        sb_blas_leave();
        status = sb_stop_check(err);
        if (!status && !is_ok)
            status = sb_fail(err, SB_BAD_ARGUMENT,
                             "the air round the surface cannot be computed: "
                             "it has points without area");
    }
    release(&s);
    if (!status) sb_bem_note_rigid(key, out);
    return status;
}
