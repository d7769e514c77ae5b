/* SPDX-License-Identifier: MIT */
/* tests/model/solve_fixture.h -- shapes solved by finite elements, from
 * meshes made here or from closed forms. */
#pragma once

#include "runtime/model/mesh_source.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/solve.h"
#include "tests/model/fem/fem_fixture.h"

#include <stdio.h>

/* `elastic` with damping, so that it is audible. */
static inline sb_material heard(sb_material material) {
    material.alpha = 5;
    material.beta = 3e-8;
    material.hardness = 1e9;
    material.roughness = 1e-6;
    return material;
}

static inline sb_material heard_steel(void) {
    return heard(steel());
}

/* Takes the mesh and returns a shape with it; release the shape's mesh. */
static inline sb_shape shape_of(sb_mesh mesh, double thickness_m) {
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .thickness = thickness_m,
                      /* The faces of a sheet are used as they are. */
                      .elements = thickness_m > 0 ? 1 : 0,
                      .keeps_beats = true};
    sb_mesh clean = {0};
    sb_mesh_report report;
    sb_mesh_source *source = NULL;
    sb_error err = {0};
    sb_status status = sb_mesh_clean(&mesh, &clean, &report, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    status = sb_mesh_source_create("test.obj", &clean, &report, &source, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    shape.mesh = source;
    return shape;
}

static inline sb_model *solved(sb_shape shape, sb_material material) {
    sb_model *model = NULL;
    sb_error err = {0};
    sb_status status = sb_model_create(&shape, &material, NULL, &model, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return model;
}

/* Solves the shape and releases its mesh. */
static inline sb_model *solved_mesh(sb_shape shape, sb_material material) {
    sb_model *model = solved(shape, material);
    sb_mesh_source_release(shape.mesh);
    return model;
}

static inline void refused(sb_shape shape, sb_material material,
                           sb_status expected, const char *sentence) {
    sb_model *model = NULL;
    sb_error err = {0};
    sb_status status = sb_model_create(&shape, &material, NULL, &model, &err);
    ck_assert_msg(status == expected, "%s: %s", sb_status_name(status),
                  status ? err.message : "made");
    ck_assert_ptr_null(model);
    ck_assert_msg(strstr(err.message, sentence), "%s", err.message);
}

/* Mode k as solved, before close modes are merged. */
static inline double solved_hz(const sb_model *model, sb_material material,
                               int k) {
    const sb_solution *solution = sb_model_solution(model);
    ck_assert_int_lt(k, solution->mode_count);
    return sqrt(solution->lambdas[k] * material.youngs_modulus /
                material.density) /
           (2 * SB_PI);
}

/* Each of the lowest modes is within `percent` of the reference; SHOW=1 in
 * the environment prints the differences. */
static inline void expect_hz(const char *name, const sb_model *model,
                             sb_material material, const double *printed,
                             int count, double percent) {
    for (int k = 0; k < count; k++) {
        double got = solved_hz(model, material, k);
        double error = 100 * (got / printed[k] - 1);
        if (getenv("SHOW")) {
            (void)printf("%-14s %2d %10.2f %10.2f %+7.3f %%\n", name, k + 1,
                         printed[k], got, error);
        }
        ck_assert_msg(fabs(error) <= percent,
                      "%s, mode %d: %.3f Hz instead of %.3f, %+.3f %%", name,
                      k + 1, got, printed[k], error);
    }
}

/* The lowest `count` modes of two models: the largest deviation of a ratio
 * from `ratio`. */
static inline double worst_ratio(const sb_model *a, const sb_model *b,
                                 int count, double ratio) {
    const sb_solution *from = sb_model_solution(a), *to = sb_model_solution(b);
    double worst = 0;
    ck_assert_int_ge(from->mode_count, count);
    ck_assert_int_ge(to->mode_count, count);
    for (int k = 0; k < count; k++) {
        double got = sqrt(to->lambdas[k] / from->lambdas[k]);
        worst = fmax(worst, fabs(got / ratio - 1));
    }
    return worst;
}

static inline double weight_at(const sb_model *model, sb_vec3 point,
                               sb_vec3 direction, int k) {
    static double weights[4096];
    sb_model_weights(model, sb_model_nearest(model, point), &direction,
                     weights);
    return weights[k];
}

/* With a saddle, so that its bending and its stretching are coupled. */
static inline sb_shape small_sheet(void) {
    sb_mesh mesh = square(.2, 6, JITTERED);
    for (int i = 0; i < mesh.vertex_count; i++)
        mesh.vertices[i].y = mesh.vertices[i].x * mesh.vertices[i].z;
    sb_shape shape = shape_of(mesh, .002);
    shape.max_hz = 5000;
    return shape;
}
