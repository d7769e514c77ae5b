#include "runtime/model/modal_model.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/family.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/solve/solved.h"
#include "runtime/model/sound/hearing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODES_MOST = 4096 };

sb_model_limits sb_model_limits_default(void) {
    return (sb_model_limits){.max_hz = 22000, .max_modes = 2048};
}

static const sb_family *family_of(const sb_shape *shape) {
    switch (shape->kind) {
    case SB_SHAPE_RIGID:
        return &sb_family_rigid;
    case SB_SHAPE_BAR:
        return &sb_family_bar;
    case SB_SHAPE_MODES:
        return &sb_family_hand_modes;
    case SB_SHAPE_PLATE:
        return shape->support == SB_SUPPORT_PINNED ? &sb_family_plate
                                                   : &sb_family_plate_ritz;
    case SB_SHAPE_DISK:
        return &sb_family_disk;
    case SB_SHAPE_MEMBRANE:
        return shape->radius > 0 ? &sb_family_membrane_round
                                 : &sb_family_membrane;
    case SB_SHAPE_STRING:
        return &sb_family_string;
    case SB_SHAPE_RING:
        return &sb_family_ring;
    case SB_SHAPE_SPHERE:
    case SB_SHAPE_BOX:
    case SB_SHAPE_CYLINDER:
    case SB_SHAPE_FLOOR:
        return &sb_family_solid;
    case SB_SHAPE_MESH:
    case SB_SHAPE_KIND_COUNT:
        break;
    }
    return &sb_family_rigid; /* not reached: the shape has been checked */
}

/* --- collecting modes ------------------------------------------------------ */

void sb_model_note(sb_model *model, double freq_hz) {
    if (model->lowest_hz == 0 || freq_hz < model->lowest_hz) {
        model->lowest_hz = freq_hz;
    }
}

sb_status sb_model_add_mode(sb_model *model, const sb_mode *mode,
                            const sb_mode_shape *shape, sb_error *err) {
    sb_model_note(model, mode->freq_hz);
    if (!(mode->freq_hz <= model->limits.max_hz)) return SB_OK;
    if (!sb_grow((void **)&model->drafts, &model->draft_capacity,
                 model->draft_count + 1, sizeof *model->drafts)) {
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory for its modes",
                       sb_shape_kind_name(model->shape.kind));
    }
    sb_draft_mode *draft = &model->drafts[model->draft_count];
    draft->mode = *mode;
    draft->shape = *shape;
    draft->pitch_key = llround(log(mode->freq_hz) * 1e9);
    draft->order = model->draft_count++;
    return SB_OK;
}

sb_status sb_model_add(sb_model *model, double freq_hz, double mean_square,
                       const sb_mode_shape *shape, const char *label,
                       sb_error *err) {
    double omega = SB_TAU * freq_hz;
    double radius = sqrt(model->area_m2 / (4 * SB_PI)); /* a: S = 4 pi a^2 */
    double ka = omega / SB_AIR_SPEED * radius;
    sb_mode mode = {
        .freq_hz = freq_hz,
        .sigma_per_s = sb_material_sigma(&model->material, omega),
        .radiation = SB_AIR_DENSITY * SB_AIR_SPEED * radius *
                     sqrt(mean_square) * ka / sqrt(1 + ka * ka),
    };
    (void)snprintf(mode.label, sizeof mode.label, "%s", label);
    return sb_model_add_mode(model, &mode, shape, err);
}

void sb_model_set_box(sb_model *model, double x_m, double y_m, double z_m) {
    double xx = x_m * x_m, yy = y_m * y_m, zz = z_m * z_m;
    model->mass_kg = model->material.density * x_m * y_m * z_m;
    model->area_m2 = 2 * (x_m * y_m + y_m * z_m + z_m * x_m);
    model->inverse_inertia[0] = 12 / (model->mass_kg * (yy + zz));
    model->inverse_inertia[1] = 12 / (model->mass_kg * (zz + xx));
    model->inverse_inertia[2] = 12 / (model->mass_kg * (xx + yy));
}

static int by_pitch(const void *left, const void *right) {
    const sb_draft_mode *a = left, *b = right;
    if (a->pitch_key != b->pitch_key) {
        return a->pitch_key < b->pitch_key ? -1 : 1;
    }
    return a->order < b->order ? -1 : 1;
}

static void print_hz(char *text, size_t size, double hz) {
    if (hz >= 1000) {
        (void)snprintf(text, size, "%.3g kHz", hz / 1000);
    } else {
        (void)snprintf(text, size, "%.3g Hz", hz);
    }
}

static sb_status fail_no_modes(const sb_model *model, sb_error *err) {
    char lowest[32], limit[32];
    print_hz(lowest, sizeof lowest, model->lowest_hz);
    print_hz(limit, sizeof limit, model->limits.max_hz);
    return sb_fail(err, SB_NO_MODES,
                   "the lowest mode of this %s lies at %s, above the limit "
                   "of %s",
                   sb_shape_kind_name(model->shape.kind), lowest, limit);
}

/* Drafts in any order become modes and shapes, lowest first. */
static sb_status finish(sb_model *model, sb_error *err) {
    int count = model->draft_count;
    if (count == 0 && model->family != &sb_family_rigid &&
        model->family != &sb_family_solid) {
        return fail_no_modes(model, err);
    }
    if (count > 1) {
        qsort(model->drafts, (size_t)count, sizeof *model->drafts, by_pitch);
    }
    if (count > model->limits.max_modes) count = model->limits.max_modes;
    model->modes = sb_alloc((size_t)count, sizeof *model->modes);
    model->shapes = sb_alloc((size_t)count, sizeof *model->shapes);
    if (!model->modes || !model->shapes) {
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory for %d modes",
                       sb_shape_kind_name(model->shape.kind), count);
    }
    for (int k = 0; k < count; k++) {
        sb_mode *mode = &model->modes[k];
        *mode = model->drafts[k].mode;
        model->shapes[k] = model->drafts[k].shape;
        if (mode->label[0] == '\0') {
            (void)snprintf(mode->label, sizeof mode->label, "mode %d", k + 1);
        }
    }
    model->mode_count = count;
    sb_free(model->drafts);
    model->drafts = NULL;
    return SB_OK;
}

/* --- life ------------------------------------------------------------------ */

static sb_status check_limits(const sb_model_limits *limits, sb_error *err) {
    if (!(limits->max_hz >= 1 && limits->max_hz <= 1e6)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "limits: max_hz must be 1 to 1e+06 Hz, got %g",
                       limits->max_hz);
    }
    if (limits->max_modes < 1 || limits->max_modes > MODES_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "limits: max_modes must be 1 to %d, got %d",
                       (int)MODES_MOST, limits->max_modes);
    }
    return SB_OK;
}

static sb_status check_all(const sb_shape *shape, const sb_material *material,
                           const sb_model_limits *limits, sb_error *err) {
    sb_status status = sb_shape_check(shape, err);
    if (!status) status = check_limits(limits, err);
    if (status) return status;
    if (material) return sb_material_check(material, err);
    if (shape->kind == SB_SHAPE_MODES || shape->kind == SB_SHAPE_RIGID ||
        shape->kind == SB_SHAPE_FLOOR) {
        return SB_OK;
    }
    return sb_fail(err, SB_BAD_ARGUMENT, "%s: a material is needed",
                   sb_shape_kind_name(shape->kind));
}

static void destroy(sb_model *model) {
    if (model->family->free_extra) model->family->free_extra(model->extra);
    sb_model_release(model->base);
    sb_mesh_source_release(model->shape.mesh);
    sb_free(model->drafts);
    sb_free(model->modes);
    sb_free(model->shapes);
    sb_free(model->slopes);
    sb_free(model);
}

/* Solve, and finish for the material. Who keeps solutions does this in steps. */
static sb_status create_computed(const sb_shape *shape,
                                 const sb_material *material, sb_model **out,
                                 sb_error *err) {
    sb_finish_def finish = sb_solved_finish_def(shape);
    sb_solution *solution;
    sb_finished finished;
    sb_status status =
        sb_solve_for(shape, material, NULL, NULL, &solution, err);
    if (status) return status;
    status = sb_solution_finish(solution, material, &finish, &finished, err);
    if (!status) {
        status = sb_model_from_solution(shape, material, solution, &finished,
                                        out, err);
    }
    sb_solution_release(solution);
    return status;
}

static sb_status create_form(const sb_shape *shape, const sb_material *material,
                             const sb_model_limits *limits, sb_model **out,
                             sb_error *err) {
    sb_model *model = sb_alloc(1, sizeof *model);
    if (!model) {
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                       sb_shape_kind_name(shape->kind));
    }
    atomic_init(&model->users, 1);
    model->family = family_of(shape);
    model->shape = *shape;
    model->limits = *limits;
    if (material) model->material = *material;
    model->is_held = shape->support != SB_SUPPORT_FREE;
    sb_status status = model->family->build(model, err);
    model->shape.modes = NULL; /* the caller's; read during build only */
    model->shape.mesh = NULL;
    if (!status) status = finish(model, err);
    if (!status) status = sb_model_hear(model, err);
    if (status) {
        destroy(model);
        return status;
    }
    *out = model;
    return SB_OK;
}

sb_status sb_model_create(const sb_shape *shape, const sb_material *material,
                          const sb_model_limits *limits, sb_model **out,
                          sb_error *err) {
    sb_model_limits chosen = limits ? *limits : sb_model_limits_default();
    sb_status status = check_all(shape, material, &chosen, err);
    if (status) return status;
    if (sb_shape_is_computed(shape) && !sb_solid_is_silent(shape, material)) {
        status = create_computed(shape, material, out, err);
        if (status != SB_NO_MODES || !sb_solid_is(shape)) return status;
    }
    return create_form(shape, material, &chosen, out, err);
}

sb_status sb_model_create_rigid(const sb_shape *shape,
                                const sb_material *material, sb_model **out,
                                sb_error *err) {
    sb_model_limits limits = sb_model_limits_default();
    if (!sb_solid_is(shape)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: only a sphere, box or cylinder is rigid as well",
                       sb_shape_kind_name(shape->kind));
    }
    sb_status status = check_all(shape, material, &limits, err);
    return status ? status : create_form(shape, material, &limits, out, err);
}

sb_model *sb_model_retain(sb_model *model) {
    atomic_fetch_add_explicit(&model->users, 1, memory_order_relaxed);
    return model;
}

void sb_model_release(sb_model *model) {
    if (!model) return;
    /* The last user must see all that the others did before they let go. */
    if (atomic_fetch_sub_explicit(&model->users, 1, memory_order_acq_rel) ==
        1) {
        destroy(model);
    }
}

/* --- questions ------------------------------------------------------------- */

int sb_model_mode_count(const sb_model *model) {
    return model->mode_count;
}

const sb_mode *sb_model_modes(const sb_model *model) {
    return model->modes;
}

const char *sb_model_method(const sb_model *model) {
    return model->family->method;
}

int sb_model_rigid_modes(const sb_model *model) {
    const sb_solution *solution = sb_model_solution(model);
    if (solution) return solution->facts.rigid_count;
    return model->is_held ? 0 : 6;
}

double sb_model_mass_kg(const sb_model *model) {
    return model->mass_kg;
}

/* Into 0 .. 1; a NaN becomes 0. */
static double unit_range(double u) {
    return fmin(fmax(u, 0.0), 1.0);
}

/* Of a rescaled model, the one that was solved. */
static const sb_model *source_of(const sb_model *model) {
    return model->base ? model->base : model;
}

static sb_model_point in_range(const sb_model *model, sb_model_point point) {
    if (model->family->mesh) return point;
    return (sb_model_point){0, unit_range(point.u), unit_range(point.v)};
}

sb_model_point sb_model_point_at(const sb_model *model, double u, double v) {
    const sb_model *source = source_of(model);
    sb_model_point point = {0, unit_range(u), unit_range(v)};
    if (!source->family->mesh) return point;
    return source->family->mesh->at_uv(source, point.u, point.v);
}

bool sb_model_has_uv(const sb_model *model) {
    const sb_model *source = source_of(model);
    return !source->family->mesh || source->family->mesh->has_uv(source);
}

void sb_model_uv(const sb_model *model, sb_model_point point, double *u,
                 double *v) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    *u = point.u;
    *v = point.v;
    if (source->family->mesh) source->family->mesh->uv_of(source, point, u, v);
}

sb_model_point sb_model_nearest(const sb_model *model, sb_vec3 point_m) {
    const sb_model *source = source_of(model);
    if (model->base) point_m = sb_vec3_scale(point_m, 1 / model->base_size);
    if (source->family->mesh) {
        return source->family->mesh->nearest(source, point_m);
    }
    sb_model_point point = {0, 0, 0};
    source->family->nearest(source, point_m, &point.u, &point.v);
    return in_range(source, point);
}

sb_vec3 sb_model_position(const sb_model *model, sb_model_point point) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    sb_vec3 at = source->family->mesh
                     ? source->family->mesh->position(source, point)
                     : source->family->position(source, point.u, point.v);
    return model->base ? sb_vec3_scale(at, model->base_size) : at;
}

sb_vec3 sb_model_normal(const sb_model *model, sb_model_point point) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    if (source->family->mesh)
        return source->family->mesh->normal(source, point);
    if (!source->family->normal) return (sb_vec3){0, 1, 0};
    return source->family->normal(source, point.u, point.v);
}

static sb_vec3 resolve_direction(const sb_model *model, sb_model_point point,
                                 const sb_vec3 *direction) {
    if (direction) return sb_vec3_normalised(*direction);
    return sb_vec3_scale(sb_model_normal(model, point), -1);
}

void sb_model_weights(const sb_model *model, sb_model_point point,
                      const sb_vec3 *direction, double *weights) {
    const sb_model *source = source_of(model);
    point = in_range(source, point);
    sb_vec3 unit = resolve_direction(source, point, direction);
    if (source->family->mesh) {
        source->family->mesh->weights(source, point, unit, weights);
    } else {
        source->family->weights(source, point.u, point.v, unit, weights);
    }
    for (int k = 0; model->base && k < model->mode_count; k++)
        weights[k] *= model->base_weight;
}

/* The rigid body that a blow there moves. */
static sb_model_part body_at(const sb_model *model, sb_model_point point) {
    const sb_model *source = source_of(model);
    const sb_model_part *part =
        source->family->mesh ? source->family->mesh->part(source, point) : NULL;
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
