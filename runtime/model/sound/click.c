/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/click.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/principal.h"
#include "runtime/model/bem/bem.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh/mesh_coarse.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"

#include <math.h>
#include <string.h>

#define LEAST 1e-4

enum { VERTICES = 200, EDGES = 12 };

/* --- the surface ---------------------------------------------------------- */

/* SB_BAD_FORMAT and SB_BAD_ARGUMENT: boundary elements cannot take it. */
static sb_status solve(const sb_model *model, const float (*vertices)[3],
                       int vertex_count, const int32_t (*faces)[3],
                       int face_count, sb_bem_rigid *out, sb_error *err) {
    sb_coarse coarse = {0};
    sb_status status = sb_coarse_make(vertices, vertex_count, faces, face_count,
                                      VERTICES, &coarse, err);
    if (!status) {
        const sb_bem_def def = {
            .surface = {coarse.vertex_count, coarse.face_count,
                        (const float(*)[3])coarse.vertices,
                        (const int32_t(*)[3])coarse.faces, coarse.is_sheet},
            .centre_m = model->centre_m};
        status = sb_bem_solve_rigid(&def, out, err);
    }
    sb_coarse_free(&coarse);
    return status;
}

static sb_status solve_form(const sb_model *model, sb_bem_rigid *out,
                            sb_error *err) {
    const sb_shape_family *family = sb_shape_family_of(&model->shape);
    if (!family->outside && !family->sheet && !family->surface)
        return SB_BAD_FORMAT;
    sb_mesh mesh = {0};
    sb_status status = family->outside
                           ? family->outside(&model->shape, &mesh, err)
                           : sb_shape_surface(&model->shape, EDGES, &mesh, err);
    if (status) {
        sb_mesh_free(&mesh);
        return status;
    }
    float(*vertices)[3] = sb_alloc((size_t)mesh.vertex_count, sizeof *vertices);
    for (int v = 0; vertices && v < mesh.vertex_count; v++) {
        sb_vec3 at = mesh.vertices[v];
        memcpy(vertices[v], (float[3]){(float)at.x, (float)at.y, (float)at.z},
               sizeof *vertices);
    }
    status =
        vertices
            ? solve(model, (const float(*)[3])vertices, mesh.vertex_count,
                    (const int32_t(*)[3])mesh.faces, mesh.face_count, out, err)
            : sb_no_memory_for(err, "a click");
    sb_free(vertices);
    sb_mesh_free(&mesh);
    return status;
}

/* --- axes ----------------------------------------------------------------- */

/* Corners of a coarse mesh lie on a round body, so it encloses too little. A sheet
 * that stands for the body encloses nothing, and is taken as it is. */
static double shortfall(const sb_model *model, const sb_bem_rigid *rigid) {
    if (!sb_shape_family_of(&model->shape)->outside) return 1;
    double encloses =
        (rigid->dipole[0][0] - rigid->mass[0][0]) / SB_AIR_DENSITY;
    double whole = model->mass_kg / model->material.density;
    return encloses > 0.5 * whole ? whole / encloses : 1;
}

static void take_axes(sb_model *model, const sb_bem_rigid *rigid) {
    static const sb_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double(*m)[6] = rigid->mass;
    const double tensor[6] = {m[0][0], m[1][1], m[2][2],
                              m[0][1], m[1][2], m[0][2]};
    double masses[3], larger = shortfall(model, rigid);
    sb_quat turn;
    sb_principal(tensor, masses, &turn);
    double most = fmax(masses[0], fmax(masses[1], masses[2]));
    for (int k = 0; k < 3; k++) {
        sb_vec3 axis = sb_quat_turn(turn, units[k]);
        double e[3] = {axis.x, axis.y, axis.z}, d[6] = {0};
        for (int i = 0; i < 18; i++)
            d[i % 6] += e[i / 6] * rigid->dipole[i / 6][i % 6];
        double dipole = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
        if (!(masses[k] > LEAST * most) || !(dipole > 0)) continue;
        model->click_axes[model->click_count++] = (sb_click_axis){
            .axis = axis,
            .mass_kg = masses[k] * larger,
            .dipole_kg = dipole * larger,
            .turning_kg_m = {d[3] * larger, d[4] * larger, d[5] * larger},
        };
    }
}

static bool has_parts(const sb_model *model) {
    const sb_face_ops *faces = model->ops->faces;
    return faces && faces->part && faces->part(model, (sb_model_point){0});
}

sb_status sb_model_find_clicks(sb_model *model, sb_error *err) {
    if (model->shape.radiation != SB_RADIATES_EXACT || model->is_held ||
        !(model->mass_kg > 0) || has_parts(model))
        return SB_OK;
    sb_bem_rigid rigid;
    const sb_solution *own = model->solution;
    sb_status status =
        own ? solve(model, (const float(*)[3])own->vertices, own->vertex_count,
                    (const int32_t(*)[3])own->faces, own->face_count, &rigid,
                    err)
            : solve_form(model, &rigid, err);
    if (!status) take_axes(model, &rigid);
    bool is_refused = status == SB_BAD_FORMAT || status == SB_BAD_ARGUMENT;
    return is_refused ? SB_OK : status;
}
