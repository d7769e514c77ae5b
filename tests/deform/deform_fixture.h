/* SPDX-License-Identifier: MIT */
/* tests/deform/deform_fixture.h -- bodies for the tests of runtime/deform, and
 * the frequency of what swings. */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/mesh/mesh.h"
#include "tests/deform/deform_motion.h"
#include "tests/suite.h"

#include <string.h>

static const sb_material plain_steel = {.density = 7850,
                                        .youngs_modulus = 200e9,
                                        .poisson_ratio = 0.29,
                                        .hardness = 1e9};

/* A rectangle in the plane y = 0 about the origin, as a sheet. */
static inline sb_mesh cells_mesh(double x_m, double z_m, int along, int rows) {
    sb_flat flat;
    sb_error err = {0};
    ck_assert_msg(!sb_flat_cells(x_m, z_m, along, rows, &flat, &err), "%s",
                  err.message);
    sb_mesh mesh = {
        .vertex_count = flat.vertex_count,
        .face_count = flat.face_count,
        .vertices = sb_alloc((size_t)flat.vertex_count, sizeof *mesh.vertices),
        .faces = sb_alloc((size_t)flat.face_count, sizeof *mesh.faces)};
    for (int i = 0; i < flat.vertex_count; i++) {
        mesh.vertices[i] =
            (sb_vec3){flat.vertices[i][0], 0, flat.vertices[i][1]};
    }
    for (int i = 0; i < 3 * flat.face_count; i++) {
        mesh.faces[i / 3][i % 3] = flat.faces[i / 3][2 - i % 3];
    }
    sb_flat_free(&flat);
    return mesh;
}

static inline sb_vec3 raise_flat(const void *context, double a, double b,
                                 double c) {
    double thick = *(const double *)context;
    return (sb_vec3){a, thick * (c - 0.5), b};
}

/* The same as a solid. */
static inline sb_solid_mesh cells_solid(double x_m, double z_m, double thick_m,
                                        int along, int rows, int layers) {
    sb_flat flat;
    sb_solid_mesh solid;
    sb_error err = {0};
    ck_assert_msg(!sb_flat_cells(x_m, z_m, along, rows, &flat, &err), "%s",
                  err.message);
    ck_assert_msg(!sb_flat_sweep(&flat, layers, false, raise_flat, &thick_m,
                                 &solid, &err),
                  "%s", err.message);
    sb_flat_free(&flat);
    return solid;
}

static inline sb_deform *create_all(const sb_deform_def *def) {
    sb_deform *deform = NULL;
    sb_error err = {0};
    ck_assert_msg(!sb_deform_create(def, &deform, &err), "%s", err.message);
    return deform;
}

/* One body, one thread. */
static inline sb_deform *create_one(sb_deform_def def,
                                    const sb_deform_body_def *body) {
    def.body_count = 1;
    def.bodies = body;
    if (def.threads == 0) def.threads = 1;
    return create_all(&def);
}

static inline sb_deform_body_def
sheet_body(const sb_mesh *mesh, double thickness_m, const sb_hold *holds) {
    sb_deform_body_def body = sb_deform_body_def_default();
    body.name = "sheet";
    body.material = plain_steel;
    body.sheet = mesh;
    body.thickness_m = thickness_m;
    body.holds = holds;
    return body;
}

static inline sb_deform_body_def solid_body(const sb_solid_mesh *solid,
                                            const sb_hold *holds) {
    sb_deform_body_def body = sb_deform_body_def_default();
    body.name = "solid";
    body.material = plain_steel;
    body.solid = solid;
    body.holds = holds;
    return body;
}

static inline void steps(sb_deform *deform, int64_t count) {
    double end_s = (double)(deform->state->step + count) * deform->step_s;
    sb_status status = sb_deform_reach(deform, end_s, NULL);
    (void)status; /* failures are in the state */
    ck_assert_msg(!deform->state->failure.status, "%s",
                  deform->state->failure.message);
}

/* The node nearest to a place at rest. */
static inline int node_near(const sb_deform *deform, sb_vec3 at) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < deform->node_count; i++) {
        double far = sb_vec3_length(sb_vec3_sub(row_vec3(deform->rest, i), at));
        if (deform->mass[i] == 0 || far >= least) continue;
        least = far;
        best = i;
    }
    return best;
}

/* The frequency of y of a node, from its upward crossings of the rest, looked
 * for every `every` steps during `time_s`; *amplitude_m is its greatest. */
static inline double crossing_hz(sb_deform *deform, int node, int every,
                                 double time_s, double *amplitude_m) {
    double rest = row_vec3(deform->rest, node).y, last = 0, first_s = -1;
    double last_s = -1, most = 0;
    int count = 0;
    int64_t end = deform->state->step + (int64_t)(time_s / deform->step_s);
    while (deform->state->step < end) {
        steps(deform, every);
        double now = row_vec3(deform->positions, node).y - rest;
        double t = sb_deform_time_s(deform);
        if (last < 0 && now >= 0) {
            double at = t - every * deform->step_s * now / (now - last);
            if (first_s < 0)
                first_s = at;
            else
                count++;
            last_s = at;
        }
        last = now;
        most = fmax(most, fabs(now));
    }
    if (amplitude_m) *amplitude_m = most;
    ck_assert_int_gt(count, 0);
    return count / (last_s - first_s);
}
