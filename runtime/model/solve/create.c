/* SPDX-License-Identifier: MIT */
/* Models from shapes: closed forms are built at once, other shapes are solved
 * by elements. Thread: control, workers. */
#include "runtime/model/solve/solve.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/click.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/hearing.h"

#include <math.h>
#include <string.h>

enum { MODES_MOST = 4096 };

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
    if (!sb_shape_needs_material(shape)) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT, "%s: a material is needed",
                   sb_shape_kind_name(shape->kind));
}

/* Solve, and finish for the material. The store, which keeps solutions, calls
 * these steps one by one. */
static sb_status create_computed(const sb_shape *shape,
                                 const sb_material *material, sb_model **out,
                                 sb_error *err) {
    sb_finish_def finish = sb_solved_finish_def(shape);
    sb_solution *solution;
    sb_finished finished;
    sb_status status =
        sb_solve_for(shape, material, NULL, NULL, 0, &solution, err);
    if (status) return status;
    status = sb_solution_finish(solution, material, &finish, &finished, err);
    if (!status) {
        status = sb_model_from_solution(shape, material, solution, &finished,
                                        out, err);
    }
    sb_solution_release(solution);
    return status;
}

/* A list that is complete ends within a few modes of max_hz. One that ends
 * earlier was cut: by the number of modes, or by what the closed form can
 * resolve. A list given by hand is all there is, wherever it ends. */
static void note_cut(sb_model *model) {
    enum { MANY = 64, FEW = 12 };
    int count = model->mode_count;
    if (model->limits.is_whole || model->shape.kind == SB_SHAPE_MODES) {
        model->is_cut = false;
        return;
    }
    if (model->is_cut || count < MANY) return;
    double last = model->modes[count - 1].freq_hz;
    double spacing = (last - model->modes[count / 2].freq_hz) / (count / 2.0);
    model->is_cut = last + FEW * spacing < model->limits.max_hz;
}

static sb_status create_form(const sb_shape *shape, const sb_material *material,
                             const sb_model_limits *limits, sb_model **out,
                             sb_error *err) {
    sb_model *model = sb_alloc(1, sizeof *model);
    if (!model) {
        return sb_no_memory(err, "%s", sb_shape_kind_name(shape->kind));
    }
    atomic_init(&model->users, 1);
    model->ops = sb_shape_ops(shape);
    model->shape = *shape;
    if (shape->profile)
        model->shape.profile = sb_profile_retain(shape->profile);
    model->limits = *limits;
    if (material) model->material = *material;
    model->is_held = shape->support != SB_SUPPORT_FREE;
    sb_status status = model->ops->build(model, err);
    model->shape.modes = NULL; /* the caller's; read during build only */
    model->shape.mesh = NULL;
    model->rigid_mode_count = model->is_held ? 0 : 6;
    if (!status) status = sb_model_finish(model, err);
    if (!status) note_cut(model);
    if (!status) status = sb_model_find_clicks(model, err);
    if (!status) status = sb_model_hear(model, err);
    if (status) {
        sb_model_release(model);
        return status;
    }
    *out = model;
    return SB_OK;
}

/* Workers leave out what is no longer wanted: such a model is not whole. */
static sb_status keep_wanted(sb_status status, sb_model **model,
                             sb_error *err) {
    if (status) return status;
    status = sb_stop_check(err);
    if (!status) return SB_OK;
    sb_model_release(*model);
    *model = NULL;
    return status;
}

sb_status sb_model_create(const sb_shape *shape, const sb_material *material,
                          const sb_model_limits *limits, sb_model **out,
                          sb_error *err) {
    sb_model_limits chosen = limits ? *limits : sb_model_limits_default();
    if (!limits || !limits->is_whole) {
        if (shape->max_hz > 0) chosen.max_hz = shape->max_hz;
        if (shape->max_modes > 0) chosen.max_modes = shape->max_modes;
    }
    sb_status status = check_all(shape, material, &chosen, err);
    if (status) return status;
    sb_shape grained;
    if (sb_shape_needs_form(shape, material, &grained)) shape = &grained;
    if (sb_shape_is_computed(shape) && !sb_solid_is_silent(shape, material)) {
        status = create_computed(shape, material, out, err);
        if (status != SB_NO_MODES || !sb_shape_is_solid(shape))
            return keep_wanted(status, out, err);
    }
    return keep_wanted(create_form(shape, material, &chosen, out, err), out,
                       err);
}

sb_status sb_model_create_rigid(const sb_shape *shape,
                                const sb_material *material, sb_model **out,
                                sb_error *err) {
    sb_model_limits limits = sb_model_limits_default();
    if (!sb_shape_is_solid(shape)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: only a sphere, box or cylinder is rigid as well",
                       sb_shape_kind_name(shape->kind));
    }
    sb_status status = check_all(shape, material, &limits, err);
    return status ? status : create_form(shape, material, &limits, out, err);
}

/* --- another size or stiffness -------------------------------------------- */

/* The shapes of the modes are the same, and nothing is solved. With all lengths
 * times s, E and rho changed and Poisson's ratio as it was,
 *
 *     f' = f / s sqrt(E' rho / (E rho')),   phi' = phi / sqrt(m' / m)
 *
 * The radiation of a mesh depends on its size in wavelengths and is computed
 * anew. */

/* Lengths whose ratio agrees to this differ only by the rounding of a script's
 * arithmetic. */
#define TINY 1e-12

static bool is_near(double a, double b) {
    return fabs(a - b) <= TINY * fmax(fabs(a), fabs(b));
}

/* s, or 0 when the shapes differ in more than their size. */
static double size_ratio(const sb_shape *from, const sb_shape *to) {
    double a[SB_SHAPE_SIZE_COUNT], b[SB_SHAPE_SIZE_COUNT], ratio = 0;
    sb_shape_sizes(from, a);
    sb_shape_sizes(to, b);
    if (from->mesh && to->mesh) {
        ratio = sb_mesh_source_ratio(from->mesh, to->mesh);
        /* The box that clamps it does not grow with it. */
        bool is_boxed = to->hold.where == SB_HOLD_IN_BOX;
        if (ratio == 0 || (is_boxed && ratio != 1)) return 0;
    }
    if (from->profile && to->profile) {
        ratio = sb_profile_ratio(from->profile, to->profile);
        if (ratio == 0) return 0;
    }
    for (int i = 0; i < SB_SHAPE_SIZE_COUNT; i++) {
        if ((a[i] > 0) != (b[i] > 0)) return 0;
        if (!(a[i] > 0)) continue;
        if (ratio == 0) ratio = b[i] / a[i];
        if (!is_near(a[i] * ratio, b[i])) return 0;
    }
    return ratio;
}

static bool is_same_rule(const sb_hold_rule *a, const sb_hold_rule *b) {
    return a->where == b->where && a->how == b->how &&
           (a->where != SB_HOLD_IN_BOX ||
            (memcmp(&a->low, &b->low, sizeof a->low) == 0 &&
             memcmp(&a->high, &b->high, sizeof a->high) == 0));
}

/* Both closed forms, or both computed by the same method. */
static bool is_same_method(const sb_shape *a, const sb_shape *b) {
    return sb_shape_is_computed(a) == sb_shape_is_computed(b) &&
           a->keeps_beats == b->keeps_beats && a->merge == b->merge &&
           a->max_hz == b->max_hz && a->max_modes == b->max_modes &&
           a->radiation == b->radiation &&
           (!sb_shape_is_computed(a) ||
            (a->method == b->method && a->elements == b->elements &&
             a->is_for_deform == b->is_for_deform &&
             is_same_rule(&a->hold, &b->hold)));
}

bool sb_model_can_rescale(const sb_model *model, const sb_shape *shape,
                          const sb_material *material) {
    /* A solid that has no audible modes may have some when it is larger. */
    if (sb_shape_is_solid(shape) && !sb_model_solution(model)) return false;
    return material && sb_shape_family_of(shape)->is_rescalable &&
           shape->kind == model->shape.kind &&
           shape->support == model->shape.support &&
           shape->theory == model->shape.theory &&
           is_same_method(shape, &model->shape) &&
           sb_material_has_same_ratios(material, &model->material) &&
           size_ratio(&model->shape, shape) > 0;
}

static double radiation_of(double mean_root, double radius, double omega) {
    double ka = omega / SB_AIR_SPEED * radius;
    return SB_AIR_DENSITY * SB_AIR_SPEED * radius * mean_root * ka /
           sqrt(1 + ka * ka);
}

/* The level is proportional to size and motion, and follows a power of
 * frequency times size (slopes). Shapes without a radiating surface radiate
 * like a sphere. */
static void scale_modes(sb_model *to, const sb_model *from, double pitch,
                        double weight, double size) {
    double radius_from = sqrt(from->area_m2 / (4 * SB_PI));
    double radius_to = sqrt(to->area_m2 / (4 * SB_PI));
    for (int k = 0; k < to->mode_count; k++) {
        const sb_mode *before = &from->modes[k];
        sb_mode *mode = &to->modes[k];
        double omega_from = SB_TAU * before->freq_hz;
        double unit = radiation_of(1.0, radius_from, omega_from);
        *mode = *before;
        mode->freq_hz = before->freq_hz * pitch;
        double omega = SB_TAU * mode->freq_hz;
        mode->sigma_per_s = sb_material_sigma(&to->material, omega);
        mode->radiation = to->slopes
                              ? before->radiation * weight * size *
                                    pow(pitch * size, to->slopes[k])
                              : radiation_of(before->radiation / unit * weight,
                                             radius_to, omega);
    }
}

/* The radiation of a mesh: levels of the modes of `first`, the model that was
 * solved, at the frequencies of `to` times the ratio of sizes. */
static sb_status hear_again(sb_model *to, const sb_model *first,
                            sb_error *err) {
    size_t count = (size_t)to->mode_count;
    const sb_solution *solution = sb_model_solution(first);
    const sb_finished *finished = sb_model_finished(first);
    double *hz = sb_alloc(2 * count, sizeof *hz);
    double *levels = sb_alloc(2 * count, sizeof *levels);
    sb_patterns *patterns = to->patterns;
    sb_status status = SB_NO_MEMORY;
    if (hz && levels) {
        for (size_t k = 0; k < count; k++) {
            hz[k] = first->modes[k].freq_hz;
            hz[count + k] = to->modes[k].freq_hz * to->base_size;
        }
        sb_radiating how = finished->radiation, before;
        do { /* both in the same way */
            before = how;
            status = sb_finished_hear(solution, finished, hz, &how, levels,
                                      NULL, err);
            if (!status) {
                status = sb_finished_hear(solution, finished, hz + count, &how,
                                          levels + count, patterns, err);
            }
        } while (!status && how != before);
    } else {
        (void)sb_fail(err, status, "mesh: out of memory");
    }
    for (size_t k = 0; !status && k < count; k++) {
        double change = levels[k] > 0 ? levels[count + k] / levels[k] : 1;
        to->modes[k].radiation = first->modes[k].radiation * change *
                                 to->base_size * to->base_weight;
    }
    sb_free(hz);
    sb_free(levels);
    return status;
}

/* The directions are those at the frequency times the size that `model` has:
 * where that changes, they are near enough for a closed form; a mesh is heard
 * again. */
static sb_status copy_patterns(sb_model *to, const sb_model *model,
                               sb_error *err) {
    const sb_pattern *from = sb_model_patterns(model);
    if (!from) return SB_OK;
    to->patterns = sb_patterns_make(to->mode_count);
    bool is_made = to->patterns != NULL;
    for (int k = 0; is_made && k < to->mode_count; k++)
        is_made = sb_patterns_put(to->patterns, k, &from[k]);
    return is_made ? SB_OK
                   : sb_fail(err, SB_NO_MEMORY, "out of memory for patterns");
}

/* What does not depend on the modes: `mass` and `size` are ratios. */
static void copy_body(sb_model *to, const sb_model *model,
                      const sb_shape *shape, const sb_material *material,
                      double mass, double size) {
    atomic_init(&to->users, 1);
    to->ops = model->ops;
    to->theory = model->theory;
    to->is_cut = model->is_cut;
    to->shape = *shape;
    to->shape.modes = NULL;
    sb_shape_retain(shape);
    to->material = *material;
    to->limits = model->limits;
    to->is_held = model->is_held;
    to->rigid_mode_count = model->rigid_mode_count;
    to->mass_kg = model->mass_kg * mass;
    to->area_m2 = model->area_m2 * size * size;
    to->centre_m = sb_vec3_scale(model->centre_m, size);
    sb_model_scale_clicks(to, model, size);
    for (int i = 0; i < 6; i++) {
        to->inverse_inertia[i] =
            model->inverse_inertia[i] / (mass * size * size);
    }
}

sb_status sb_model_rescale(sb_model *model, const sb_shape *shape,
                           const sb_material *material, sb_model **out,
                           sb_error *err) {
    if (!sb_model_can_rescale(model, shape, material)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: not the same object in another size or stiffness",
                       sb_shape_kind_name(shape->kind));
    }
    sb_status status = sb_shape_check(shape, err);
    if (!status) status = sb_material_check(material, err);
    if (status) return status;
    sb_model *to = sb_alloc(1, sizeof *to);
    size_t count = (size_t)model->mode_count;
    sb_mode *modes = sb_alloc(count, sizeof *modes);
    double *slopes = model->slopes ? sb_alloc(count, sizeof *slopes) : NULL;
    if (!to || !modes || !model->slopes != !slopes) {
        sb_free_all(to, modes, slopes);
        return sb_no_memory(err, "%s", sb_shape_kind_name(shape->kind));
    }
    double size = size_ratio(&model->shape, shape);
    double mass =
        material->density / model->material.density * size * size * size;
    double speed =
        sqrt(material->youngs_modulus / model->material.youngs_modulus *
             model->material.density / material->density);
    copy_body(to, model, shape, material, mass, size);
    to->modes = modes;
    if (slopes) memcpy(slopes, model->slopes, count * sizeof *slopes);
    to->slopes = slopes;
    to->mode_count = model->mode_count;
    /* In a chain of rescalings the first model has the shapes. */
    sb_model *first = model->base ? model->base : model;
    to->base = sb_model_retain(first);
    to->base_size = (model->base ? model->base_size : 1.0) * size;
    to->base_weight = (model->base ? model->base_weight : 1.0) / sqrt(mass);
    scale_modes(to, model, speed / size, 1 / sqrt(mass), size);
    status = copy_patterns(to, model, err);
    if (!status && sb_model_solution(first))
        status = hear_again(to, first, err);
    if (!status) sb_model_lose(to);
    for (int k = 0; to->patterns && k < to->mode_count; k++)
        sb_patterns_match(to->patterns, k, to->modes[k].radiation);
    if (status) {
        sb_model_release(to);
        return status;
    }
    *out = to;
    return SB_OK;
}
