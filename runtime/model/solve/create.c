/* Models from shapes: closed forms are built at once, other shapes are solved
 * by elements. Thread: control, workers. */
#include "runtime/model/solve/create.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/solution.h"
#include "runtime/model/solve/solved.h"
#include "runtime/model/sound/hearing.h"

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
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                       sb_shape_kind_name(shape->kind));
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
