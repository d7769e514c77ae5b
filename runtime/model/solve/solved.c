/* SPDX-License-Identifier: MIT */
#include "runtime/model/solve/solve.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/triangle_tree.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/moments.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/sound/click.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a model of elements keeps. */
typedef struct solved {
    sb_solution *solution;
    sb_finished finished;
    sb_vec3 *vertices;
    sb_triangle_tree tree;
    /* The faces in texture coordinates, to find the one at a (u, v). */
    sb_vec3 *flat;
    int (*flat_faces)[3];
    sb_triangle_tree flat_tree;
    /* Separate parts of one mesh move separately when struck. NULL: there is
     * one part only. */
    sb_model_part *parts;
    int *component_of; /* of each vertex */
} solved;

static int part_of(const solved *self, int face) {
    return self->component_of[self->solution->faces[face][0]];
}

static const solved *of(const sb_model *model) {
    return model->extra;
}

static void free_solved(void *extra) {
    solved *self = extra;
    if (!self) return;
    sb_triangle_tree_free(&self->tree);
    sb_triangle_tree_free(&self->flat_tree);
    sb_free_all(self->vertices, self->flat, self->flat_faces, self->parts,
                self->component_of);
    sb_finished_free(&self->finished);
    sb_solution_release(self->solution);
    sb_free(self);
}

/* --- points --------------------------------------------------------------- */

static sb_model_point clamp_point(const sb_model *model, sb_model_point point) {
    int count = of(model)->solution->face_count;
    if (point.face < 0 || point.face >= count) point.face = 0;
    point.u = fmin(fmax(point.u, 0.0), 1.0);
    point.v = fmin(fmax(point.v, 0.0), 1.0 - point.u);
    return point;
}

static void corners_of(const sb_model *model, int face, sb_vec3 out[3]) {
    const solved *self = of(model);
    for (int c = 0; c < 3; c++)
        out[c] = self->vertices[self->solution->faces[face][c]];
}

static sb_vec3 position(const sb_model *model, sb_model_point point) {
    sb_vec3 p[3];
    point = clamp_point(model, point);
    corners_of(model, point.face, p);
    return sb_vec3_add(sb_vec3_scale(p[0], 1 - point.u - point.v),
                       sb_vec3_add(sb_vec3_scale(p[1], point.u),
                                   sb_vec3_scale(p[2], point.v)));
}

static sb_vec3 normal(const sb_model *model, sb_model_point point) {
    sb_vec3 p[3];
    corners_of(model, clamp_point(model, point).face, p);
    return sb_vec3_normalised(sb_vec3_span(p[0], p[1], p[2]));
}

/* The barycentric coordinates of a position on the triangle. */
static sb_model_point point_in(const sb_vec3 p[3], sb_vec3 at, int face) {
    sb_model_point point = {face, 0, 0};
    (void)sb_triangle_shares(p[0], p[1], p[2], at, &point.u, &point.v);
    return point;
}

static sb_model_point nearest(const sb_model *model, sb_vec3 point_m) {
    sb_vec3 p[3];
    sb_triangle_tree_point at =
        sb_triangle_tree_nearest(&of(model)->tree, point_m, INFINITY);
    if (at.face < 0) return (sb_model_point){0, 0, 0};
    corners_of(model, at.face, p);
    return clamp_point(model, point_in(p, at.at, at.face));
}

static bool has_uv(const sb_model *model) {
    return of(model)->flat != NULL;
}

/* Without texture coordinates: the top, above the centre of mass. */
static sb_model_point top_of(const sb_model *model) {
    const solved *self = of(model);
    sb_vec3 top = {0, -INFINITY, 0};
    for (int v = 0; v < self->solution->vertex_count; v++)
        top.y = fmax(top.y, self->vertices[v].y);
    top.x = self->solution->facts.centre_m.x;
    top.z = self->solution->facts.centre_m.z;
    return nearest(model, top);
}

static sb_model_point at_uv(const sb_model *model, double u, double v) {
    const solved *self = of(model);
    if (!self->flat) return top_of(model);
    sb_triangle_tree_point at = sb_triangle_tree_nearest(
        &self->flat_tree, (sb_vec3){u, v, 0}, INFINITY);
    if (at.face < 0) return top_of(model);
    return clamp_point(model,
                       point_in(self->flat + 3 * at.face, at.at, at.face));
}

static void uv_of(const sb_model *model, sb_model_point point, double *u,
                  double *v) {
    const solved *self = of(model);
    *u = *v = 0.5;
    if (!self->flat) return;
    point = clamp_point(model, point);
    const sb_vec3 *at = self->flat + 3 * point.face;
    double first = 1 - point.u - point.v;
    *u = first * at[0].x + point.u * at[1].x + point.v * at[2].x;
    *v = first * at[0].y + point.u * at[1].y + point.v * at[2].y;
}

static int face_count(const sb_model *model) {
    return of(model)->solution->face_count;
}

static void weights(const sb_model *model, sb_model_point point,
                    sb_vec3 direction, double *out) {
    const solved *self = of(model);
    point = clamp_point(model, point);
    const double parts[3] = {1 - point.u - point.v, point.u, point.v};
    sb_finished_weights(&self->finished, self->solution->faces[point.face],
                        parts, direction, out);
}

static const sb_model_part *part(const sb_model *model, sb_model_point point) {
    const solved *self = of(model);
    if (!self->parts) return NULL;
    return &self->parts[part_of(self, clamp_point(model, point).face)];
}

static const sb_face_ops face_ops = {.weights = weights,
                                     .position = position,
                                     .normal = normal,
                                     .nearest = nearest,
                                     .at_uv = at_uv,
                                     .has_uv = has_uv,
                                     .uv_of = uv_of,
                                     .face_count = face_count,
                                     .part = part};

/* One per method: sb_model_method gives its name. */
static const sb_model_ops ops_of[SB_METHOD_COUNT] = {
    [SB_METHOD_SHELL] = {"shell", &face_ops, .free_extra = free_solved},
    [SB_METHOD_SOLID] = {"solid", &face_ops, .free_extra = free_solved},
    [SB_METHOD_TET4] = {"tet4", &face_ops, .free_extra = free_solved},
    [SB_METHOD_SPRINGS] = {"springs", &face_ops, .free_extra = free_solved},
    [SB_METHOD_SPRINGS_LITERAL] = {"springs-literal", &face_ops,
                                   .free_extra = free_solved},
};

/* --- making --------------------------------------------------------------- */

static sb_status build_places(solved *self, sb_error *err) {
    const sb_solution *solution = self->solution;
    self->vertices =
        sb_alloc((size_t)solution->vertex_count, sizeof *self->vertices);
    if (!self->vertices) {
        return sb_no_memory(err, "mesh");
    }
    for (int v = 0; v < solution->vertex_count; v++) {
        const float *at = solution->vertices[v];
        self->vertices[v] =
            (sb_vec3){(double)at[0], (double)at[1], (double)at[2]};
    }
    return sb_triangle_tree_build(self->vertices,
                                  (const int(*)[3])solution->faces,
                                  solution->face_count, &self->tree, err);
}

static sb_status build_texture(solved *self, sb_error *err) {
    const sb_solution *solution = self->solution;
    if (!solution->uvs) return SB_OK;
    size_t corners = 3 * (size_t)solution->face_count;
    self->flat = sb_alloc(corners, sizeof *self->flat);
    self->flat_faces =
        sb_alloc((size_t)solution->face_count, sizeof *self->flat_faces);
    if (!self->flat || !self->flat_faces) {
        return sb_no_memory(err, "mesh");
    }
    for (int i = 0; i < solution->face_count; i++) {
        for (int c = 0; c < 3; c++) {
            const float *uv = solution->uvs[i][c];
            self->flat[3 * i + c] = (sb_vec3){(double)uv[0], (double)uv[1], 0};
            self->flat_faces[i][c] = 3 * i + c;
        }
    }
    return sb_triangle_tree_build(self->flat, (const int(*)[3])self->flat_faces,
                                  solution->face_count, &self->flat_tree, err);
}

/* False if a part encloses no volume, such as the wall of a cavity inside
 * another part; then the body counts as one part. */
static bool weigh_parts(const solved *self, double density, int count,
                        sb_model_part *parts, sb_moments *sums) {
    const sb_solution *solution = self->solution;
    double thickness = solution->facts.thickness_m, volume = 0;
    for (int i = 0; i < solution->face_count; i++) {
        sb_vec3 corners[3];
        for (int c = 0; c < 3; c++)
            corners[c] = self->vertices[solution->faces[i][c]];
        sb_moments_add(&sums[part_of(self, i)], corners, thickness);
    }
    for (int p = 0; p < count; p++) {
        if (!(sums[p].volume > 0)) return false;
        volume += sums[p].volume;
    }
    for (int p = 0; p < count; p++) {
        double inertia[6], scale = density * solution->facts.volume_m3 / volume;
        sb_moments_inertia(&sums[p], scale, &parts[p].centre_m, inertia);
        sb_moments_invert(inertia, parts[p].inverse_inertia);
        parts[p].mass_kg = scale * sums[p].volume;
    }
    return true;
}

static sb_status build_parts(solved *self, double density, sb_error *err) {
    const sb_solution *solution = self->solution;
    const sb_mesh mesh = {.vertex_count = solution->vertex_count,
                          .face_count = solution->face_count,
                          .faces = (int(*)[3])(uintptr_t)solution->faces};
    int count = 0;
    self->component_of =
        sb_alloc((size_t)mesh.vertex_count, sizeof *self->component_of);
    bool is_made = self->component_of != NULL;
    sb_status status = SB_OK;
    if (is_made) {
        status = sb_mesh_components(&mesh, self->component_of, &count, err);
    }
    if (status) return status;
    if (count > 1) {
        sb_moments *sums = sb_alloc((size_t)count, sizeof *sums);
        self->parts = sb_alloc((size_t)count, sizeof *self->parts);
        is_made = sums && self->parts;
        if (is_made && !weigh_parts(self, density, count, self->parts, sums)) {
            sb_free(self->parts);
            self->parts = NULL;
        }
        sb_free(sums);
    }
    return is_made ? SB_OK : sb_no_memory(err, "mesh");
}

static sb_status copy_modes(sb_model *model, const sb_finished *finished,
                            sb_error *err) {
    int count = finished->mode_count;
    model->modes = sb_alloc((size_t)count, sizeof *model->modes);
    if (!model->modes) {
        return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for %d modes",
                       count);
    }
    for (int k = 0; k < count; k++) {
        const sb_finished_mode *from = &finished->modes[k];
        sb_mode *to = &model->modes[k];
        to->freq_hz = from->freq_hz;
        to->sigma_per_s = from->sigma_per_s;
        to->radiation = from->radiation;
        char label[48];
        int members = (int)from->member_count;
        (void)snprintf(label, sizeof label,
                       members > 1 ? "mode %d (%d)" : "mode %d", k + 1,
                       members);
        (void)snprintf(to->label, sizeof to->label, "%.*s",
                       (int)sizeof to->label - 1, label);
    }
    model->mode_count = count;
    return SB_OK;
}

static void set_body(sb_model *model, const sb_solution_facts *facts) {
    double density = model->material.density, inertia[6];
    model->mass_kg = facts->volume_m3 * density;
    model->area_m2 = facts->area_m2;
    model->centre_m = facts->centre_m;
    model->is_held = facts->is_held;
    for (int i = 0; i < 6; i++)
        inertia[i] = facts->inertia_m5[i] * density;
    sb_moments_invert(inertia, model->inverse_inertia);
    const sb_shape_family *family = sb_shape_family_of(&model->shape);
    if (family->set_mass) family->set_mass(model); /* exact, if known */
}

sb_finish_def sb_solved_finish_def(const sb_shape *shape) {
    sb_finish_def def = sb_finish_def_default();
    def.merge = sb_shape_merge(shape, true);
    if (shape->max_hz > 0) def.max_hz = shape->max_hz;
    if (def.min_hz > 0.5 * def.max_hz) def.min_hz = 0.5 * def.max_hz;
    if (shape->max_modes > 0) def.max_modes = shape->max_modes;
    def.radiation = shape->radiation;
    /* The motion of a deformable body is split into these modes. */
    if (shape->is_for_deform && def.radiation == SB_RADIATES_EXACT)
        def.merge = 0;
    return def;
}

int sb_solved_mode_limit(const sb_shape *shape) {
    int most = sb_shape_is_solid(shape) ? SB_SOLVE_SOLID_MODES : SB_SOLVE_MODES;
    int resolved = sb_shape_family_of(shape)->modes_most;
    if (resolved > 0) most = resolved;
    if (shape->max_modes == 0) return most;
    return shape->max_modes < SB_SOLVE_MODES ? shape->max_modes
                                             : SB_SOLVE_MODES;
}

/* No mode lies low enough: find the lowest one for the message. */
static sb_status fail_naming_lowest(const sb_solve_def *before,
                                    const sb_material *material, double max_hz,
                                    sb_error *err) {
    sb_solve_def def = *before;
    sb_solution *solution;
    def.max_lambda = INFINITY;
    def.max_modes = 1;
    sb_status status = sb_solve(&def, &solution, err);
    if (status) return status;
    double one = sb_solution_lambda(material, 1.0);
    double lowest_hz = sqrt(solution->lambdas[0] / one);
    sb_solution_release(solution);
    return sb_model_fail_high(def.shape->kind, lowest_hz, max_hz, err);
}

sb_status sb_solve_for(const sb_shape *shape, const sb_material *material,
                       sb_progress progress, void *context, double memory_bytes,
                       sb_solution **out, sb_error *err) {
    double max_hz = sb_solved_finish_def(shape).max_hz;
    if (shape->mesh && sb_mesh_source_solution(shape->mesh)) {
        *out = sb_solution_retain(sb_mesh_source_solution(shape->mesh));
        return SB_OK;
    }
    /* The lowest mode of a solid is always found, so that the store can keep
     * the result that it is too high. */
    double up_to_hz = max_hz;
    if (sb_shape_is_solid(shape)) {
        up_to_hz = fmax(max_hz, SB_SOLID_LEAST_MOST *
                                    sb_solid_least_hz(shape, material));
    }
    sb_solve_def def = {
        .shape = shape,
        .poisson_ratio = material->poisson_ratio,
        .max_lambda = sb_solution_lambda(material, up_to_hz),
        .max_modes = sb_solved_mode_limit(shape),
        .memory_bytes = memory_bytes,
        .progress = progress,
        .context = context,
    };
    sb_status status = sb_solve(&def, out, err);
    if (status != SB_NO_MODES || sb_shape_is_solid(shape)) return status;
    return fail_naming_lowest(&def, material, max_hz, err);
}

sb_status sb_model_from_solution(const sb_shape *shape,
                                 const sb_material *material,
                                 sb_solution *solution, sb_finished *finished,
                                 sb_model **out, sb_error *err) {
    sb_model *model = sb_alloc(1, sizeof *model);
    solved *self = sb_alloc(1, sizeof *self);
    if (!model || !self) {
        sb_free(model);
        sb_free(self);
        sb_finished_free(finished);
        return sb_no_memory(err, "mesh");
    }
    self->solution = sb_solution_retain(solution);
    self->finished = *finished;
    memset(finished, 0, sizeof *finished);
    atomic_init(&model->users, 1);
    model->ops = &ops_of[solution->facts.method];
    model->shape = *shape;
    model->shape.modes = NULL;
    sb_shape_retain(shape);
    model->material = *material;
    model->limits = sb_model_limits_default();
    model->extra = self;
    model->solution = self->solution;
    model->finished = &self->finished;
    model->rigid_mode_count = solution->facts.rigid_count;
    set_body(model, &solution->facts);
    sb_status status = copy_modes(model, &self->finished, err);
    if (!status) status = build_places(self, err);
    if (!status) status = build_texture(self, err);
    if (!status) status = build_parts(self, material->density, err);
    if (!status) status = sb_model_find_clicks(model, err);
    if (status) {
        sb_model_release(model);
        return status;
    }
    *out = model;
    return SB_OK;
}
