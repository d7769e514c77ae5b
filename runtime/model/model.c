/* SPDX-License-Identifier: MIT */
#include "runtime/model/model.h"

#include "runtime/base/memory.h"
#include "runtime/model/model_draft.h"

#include <math.h>
#include <string.h>

sb_model_limits sb_model_limits_default(void) {
    return (sb_model_limits){.max_hz = SB_SHAPE_MAX_HZ, .max_modes = 2048};
}

/* --- life ----------------------------------------------------------------- */

void sb_merging_free(sb_merging *merging) {
    if (!merging) return;
    sb_free_all(merging->plain, merging->groups, merging->terms, merging);
}

static void destroy(sb_model *model) {
    if (model->ops->free_extra) model->ops->free_extra(model->extra);
    sb_model_release(model->base);
    sb_shape_release(&model->shape);
    sb_free_all(model->drafts, model->modes, model->shapes, model->slopes);
    sb_patterns_free(model->patterns);
    sb_merging_free(model->merging);
    sb_free(model);
}

sb_model *sb_model_retain(sb_model *model) {
    atomic_fetch_add_explicit(&model->users, 1, memory_order_relaxed);
    return model;
}

void sb_model_release(sb_model *model) {
    if (!model) return;
    /* The last user must see all that the others wrote before their release. */
    if (atomic_fetch_sub_explicit(&model->users, 1, memory_order_acq_rel) ==
        1) {
        destroy(model);
    }
}

/* --- reading -------------------------------------------------------------- */

int sb_model_mode_count(const sb_model *model) {
    return model->mode_count;
}

const sb_mode *sb_model_modes(const sb_model *model) {
    return model->modes;
}

const char *sb_model_method(const sb_model *model) {
    return model->ops->method;
}

const char *sb_model_theory(const sb_model *model) {
    return model->theory ? model->theory : "";
}

int sb_model_rigid_modes(const sb_model *model) {
    return model->rigid_mode_count;
}

double sb_model_mass_kg(const sb_model *model) {
    return model->mass_kg;
}

/* Limited to 0 .. 1; a NaN becomes 0. */
static double unit_range(double u) {
    return fmin(fmax(u, 0.0), 1.0);
}

/* The model itself or, if it was rescaled, the one that was solved. */
static const sb_model *source_of(const sb_model *model) {
    return model->base ? model->base : model;
}

const sb_solution *sb_model_solution(const sb_model *model) {
    return source_of(model)->solution;
}

int sb_model_plain_modes(const sb_model *model, const sb_mode **modes,
                         double *error_db) {
    const sb_merging *merging = source_of(model)->merging;
    if (modes) *modes = merging ? merging->plain : NULL;
    if (error_db) *error_db = merging ? merging->error_db : 0;
    return merging ? merging->plain_count : 0;
}

static sb_model_point in_range(const sb_model *model, sb_model_point point) {
    const sb_model_ops *ops = model->ops;
    if (ops->faces) return point;
    bool is_side =
        ops->sides && point.face > 0 && point.face < ops->sides->face_count;
    return (sb_model_point){is_side ? point.face : 0, unit_range(point.u),
                            unit_range(point.v)};
}

sb_model_point sb_model_point_at(const sb_model *model, double u, double v) {
    const sb_model *source = source_of(model);
    sb_model_point point = {0, unit_range(u), unit_range(v)};
    if (!source->ops->faces) return point;
    return source->ops->faces->at_uv(source, point.u, point.v);
}

/* Of a point in range, in the lengths of the model itself. */
static sb_vec3 place_of(const sb_model *model, sb_model_point point) {
    const sb_model_ops *ops = model->ops;
    if (ops->faces) return ops->faces->position(model, point);
    if (point.face > 0) return ops->sides->position(&model->shape, point);
    return ops->position(model, point.u, point.v);
}

bool sb_model_has_uv(const sb_model *model) {
    const sb_model *source = source_of(model);
    const sb_face_ops *faces = source->ops->faces;
    return !faces || !faces->has_uv || faces->has_uv(source);
}

void sb_model_uv(const sb_model *model, sb_model_point point, double *u,
                 double *v) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    *u = point.u;
    *v = point.v;
    if (source->ops->faces) {
        source->ops->faces->uv_of(source, point, u, v);
    } else if (point.face > 0) { /* of the place above or below it */
        source->ops->nearest(source, place_of(source, point), u, v);
    }
}

sb_model_point sb_model_nearest(const sb_model *model, sb_vec3 point_m) {
    const sb_model *source = source_of(model);
    if (model->base) point_m = sb_vec3_scale(point_m, 1 / model->base_size);
    if (source->ops->faces) {
        return source->ops->faces->nearest(source, point_m);
    }
    sb_model_point point = {0, 0, 0};
    if (source->ops->sides)
        point = source->ops->sides->nearest(&source->shape, point_m);
    else
        source->ops->nearest(source, point_m, &point.u, &point.v);
    return in_range(source, point);
}

sb_vec3 sb_model_position(const sb_model *model, sb_model_point point) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    sb_vec3 at = place_of(source, point);
    return model->base ? sb_vec3_scale(at, model->base_size) : at;
}

sb_vec3 sb_model_normal(const sb_model *model, sb_model_point point) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    if (source->ops->faces) return source->ops->faces->normal(source, point);
    if (point.face > 0) return source->ops->sides->normal(point);
    if (!source->ops->normal) return (sb_vec3){0, 1, 0};
    return source->ops->normal(source, point.u, point.v);
}

static sb_vec3 resolve_direction(const sb_model *model, sb_model_point point,
                                 const sb_vec3 *direction) {
    if (direction) return sb_vec3_normalised(*direction);
    return sb_vec3_scale(sb_model_normal(model, point), -1);
}

/* Weights of the groups from those of the plain modes. */
static void merge_weights(const sb_merging *merging, const double *plain,
                          double *weights) {
    for (int k = 0; k < merging->group_count; k++) {
        const sb_merged_group *group = &merging->groups[k];
        const double *phi = plain + group->first_mode;
        const double *l = merging->terms + group->first_term;
        double sum = 0;
        weights[k] = phi[0];
        if (group->mode_count == 1) continue;
        for (int r = 0; r < group->row_count; r++, l += group->mode_count) {
            double member = 0;
            for (int j = 0; j < group->mode_count; j++)
                member += l[j] * phi[j];
            sum += member * member;
        }
        weights[k] = sqrt(sum);
    }
}

static void plain_weights(const sb_model *form, sb_model_point point,
                          sb_vec3 unit, double *weights) {
    if (point.face > 0)
        form->ops->side_weights(form, place_of(form, point), unit, weights);
    else
        form->ops->weights(form, point.u, point.v, unit, weights);
}

static void form_weights(const sb_model *form, sb_model_point point,
                         sb_vec3 unit, double *weights) {
    if (!form->merging) {
        plain_weights(form, point, unit, weights);
        return;
    }
    double phi[SB_PLAIN_MODES_MOST];
    sb_model plain = *form;
    plain.mode_count = form->merging->plain_count;
    plain_weights(&plain, point, unit, phi);
    merge_weights(form->merging, phi, weights);
}

void sb_model_weights(const sb_model *model, sb_model_point point,
                      const sb_vec3 *direction, double *weights) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    sb_vec3 unit = resolve_direction(source, point, direction);
    if (source->ops->faces) {
        if (source->ops->faces->weights)
            source->ops->faces->weights(source, point, unit, weights);
    } else {
        form_weights(source, point, unit, weights);
    }
    for (int k = 0; model->base && k < model->mode_count; k++)
        weights[k] *= model->base_weight;
}

/* The rigid body that an impact at this point moves. */
static sb_model_part body_at(const sb_model *model, sb_model_point point) {
    const sb_model *source = source_of(model);
    const sb_face_ops *faces = source->ops->faces;
    const sb_model_part *part =
        faces && faces->part ? faces->part(source, point) : NULL;
    sb_model_part body = {.mass_kg = model->mass_kg,
                          .centre_m = model->centre_m};
    memcpy(body.inverse_inertia, model->inverse_inertia,
           sizeof body.inverse_inertia);
    if (!part) return body;
    body = *part;
    if (!model->base) return body;
    double size = model->base_size, lighter = source->mass_kg / model->mass_kg;
    body.mass_kg /= lighter;
    body.centre_m = sb_vec3_scale(body.centre_m, size);
    for (int i = 0; i < 6; i++)
        body.inverse_inertia[i] *= lighter / (size * size);
    return body;
}

double sb_model_inverse_mass(const sb_model *model, sb_model_point point,
                             const sb_vec3 *direction) {
    if (model->is_held) return 0;
    sb_vec3 unit = resolve_direction(model, point, direction);
    sb_model_part body = body_at(model, point);
    sb_vec3 arm = sb_vec3_sub(sb_model_position(model, point), body.centre_m);
    sb_vec3 turn = sb_vec3_cross(arm, unit);
    const double *inv = body.inverse_inertia;
    return sb_vec3_dot(unit, unit) / body.mass_kg + turn.x * turn.x * inv[0] +
           turn.y * turn.y * inv[1] + turn.z * turn.z * inv[2] +
           2 * (turn.x * turn.y * inv[3] + turn.y * turn.z * inv[4] +
                turn.z * turn.x * inv[5]);
}

/* --- the largest value of each mode --------------------------------------- */

static void lift(const sb_model *model, sb_model_point point, int count,
                 double *weights, double *peaks) {
    sb_model_weights(model, point, NULL, weights);
    for (int k = 0; k < count; k++)
        peaks[k] = fmax(peaks[k], fabs(weights[k]));
}

/* On a mesh modes are linear over each triangle, so its corners are enough. */
static void over_mesh(const sb_model *model, int faces, int count,
                      double *weights, double *peaks) {
    for (int i = 0; i < faces; i++) {
        lift(model, (sb_model_point){i, 0, 0}, count, weights, peaks);
        lift(model, (sb_model_point){i, 1, 0}, count, weights, peaks);
        lift(model, (sb_model_point){i, 0, 1}, count, weights, peaks);
    }
}

/* Edges and middle included. Forms whose modes have many waves ask for many
 * points; where one point takes a millisecond the default is enough. */
enum { POINTS = 49 };

static void over_grid(const sb_model *model, int count, double *weights,
                      double *peaks) {
    int along = model->ops->peaks_u, across = model->ops->peaks_v;
    if (along == 0) along = POINTS;
    if (across == 0) across = POINTS;
    for (int i = 0; i < along * across; i++) {
        sb_model_point point = {0, (double)(i % along) / (along - 1), 0.5};
        if (across > 1) point.v = (double)(i / along) / (across - 1);
        lift(model, point, count, weights, peaks);
    }
}

sb_status sb_model_peaks(const sb_model *model, int count, double *peaks,
                         sb_error *err) {
    const sb_model *source = model->base ? model->base : model;
    double *weights = sb_alloc((size_t)model->mode_count + 1, sizeof *weights);
    if (!weights) return sb_no_memory(err, "model");
    for (int k = 0; k < count; k++)
        peaks[k] = 0.0;
    if (source->ops->faces) {
        over_mesh(source, source->ops->faces->face_count(source), count,
                  weights, peaks);
    } else {
        /* A closed form evaluates as many modes as mode_count says. */
        sb_model few = *source;
        few.mode_count = count;
        over_grid(&few, count, weights, peaks);
    }
    for (int k = 0; model->base && k < count; k++)
        peaks[k] *= model->base_weight;
    sb_free(weights);
    return SB_OK;
}
