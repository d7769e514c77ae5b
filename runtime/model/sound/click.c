/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/click.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh/mesh_coarse.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/family.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ZETA    0.70710678118654752
#define MOST_HZ 20000.0
enum { VERTICES = 500 };

static sb_status solve(const sb_mesh *mesh, sb_bem_rigid *out, sb_error *err) {
    float(*vertices)[3] =
        sb_alloc((size_t)mesh->vertex_count, sizeof *vertices);
    sb_coarse coarse = {0};
    if (!vertices)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a click");
    for (int v = 0; v < mesh->vertex_count; v++) {
        sb_vec3 at = mesh->vertices[v];
        memcpy(vertices[v], (float[3]){(float)at.x, (float)at.y, (float)at.z},
               sizeof *vertices);
    }
    sb_status status =
        sb_coarse_make((const float(*)[3])vertices, mesh->vertex_count,
                       (const int32_t(*)[3])mesh->faces, mesh->face_count,
                       VERTICES, &coarse, err);
    if (!status) {
        const sb_bem_def def = {
            .surface = {coarse.vertex_count, coarse.face_count,
                        (const float(*)[3])coarse.vertices,
                        (const int32_t(*)[3])coarse.faces, false}};
        status = sb_bem_solve_rigid(&def, out, err);
    }
    sb_coarse_free(&coarse);
    sb_free(vertices);
    return status;
}

static sb_mode click_of(const sb_model *model, const sb_bem_rigid *rigid,
                        int axis) {
    const double c = SB_AIR_SPEED;
    double dipole = rigid->dipole[axis][axis], mass = rigid->mass[axis][axis];
    double omega = cbrt(12 * SB_TAU * SB_AIR_DENSITY * c * c * c * ZETA * mass /
                        (dipole * dipole));
    omega = fmin(omega, SB_TAU * MOST_HZ);
    sb_mode mode = {.freq_hz = omega / SB_TAU,
                    .sigma_per_s = ZETA * omega,
                    .radiation = dipole * omega * omega /
                                 (2 * SB_TAU * c * sqrt(3 * model->mass_kg))};
    (void)snprintf(mode.label, sizeof mode.label, "click %c", "xyz"[axis]);
    return mode;
}

/* The order of the modes says which axis each has (solid.c). */
static void sort(sb_mode *modes, sb_mode_shape *shapes) {
    for (int i = 1; i < 3; i++) {
        for (int k = i; k > 0 && modes[k - 1].freq_hz > modes[k].freq_hz; k--) {
            sb_mode mode = modes[k];
            sb_mode_shape shape = shapes[k];
            modes[k] = modes[k - 1];
            shapes[k] = shapes[k - 1];
            modes[k - 1] = mode;
            shapes[k - 1] = shape;
        }
    }
}

sb_status sb_model_add_clicks(sb_model *model, sb_error *err) {
    const sb_shape_family *family = sb_shape_family_of(&model->shape);
    bool is_rigid = model->mode_count == 0 && family->least_hz &&
                    family->outside &&
                    model->shape.radiation == SB_RADIATES_EXACT;
    if (!is_rigid) return SB_OK;
    sb_mesh mesh = {0};
    sb_bem_rigid rigid;
    sb_status status = family->outside(&model->shape, &mesh, err);
    if (!status) status = solve(&mesh, &rigid, err);
    sb_mesh_free(&mesh);
    if (status) return status;
    sb_mode *modes = sb_alloc(3, sizeof *modes);
    sb_mode_shape *shapes = sb_alloc(3, sizeof *shapes);
    if (!modes || !shapes) {
        sb_free(modes);
        sb_free(shapes);
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a click");
    }
    for (int axis = 0; axis < 3; axis++) {
        modes[axis] = click_of(model, &rigid, axis);
        shapes[axis].kind = axis;
    }
    sort(modes, shapes);
    sb_free(model->modes);
    sb_free(model->shapes);
    model->modes = modes;
    model->shapes = shapes;
    model->mode_count = model->exact_count = 3;
    return SB_OK;
}
