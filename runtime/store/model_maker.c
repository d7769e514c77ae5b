/* Makes models: from a closed form, from the cache, or by solving and storing
 * the result. Control thread and workers. */
#include "runtime/store/model_maker.h"
#include "runtime/model/shapes/family.h"
#include "runtime/store/make_job.h"

#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/solid.h"
#include "runtime/model/solve/create.h"
#include "runtime/model/solve/solved.h"
#include "runtime/store/model_file.h"

#include <string.h>

/* To be increased with every change of a solve's results. */
enum { SOLVER_VERSION = 10 };

sb_maker sb_maker_default(void) {
    return (sb_maker){.cache = sb_model_cache_default()};
}

/* The part of the cache key that comes from the shape besides its mesh. */
typedef struct form_key {
    double lengths[SB_SHAPE_SIZE_COUNT];
    /* What was wanted: a solve for more modes finds the same ones with other
     * rounding errors, and perhaps with smaller elements. */
    double max_lambda;
    double memory_bytes; /* may limit how small elements are */
    int max_modes;
    sb_vec3 low, high;
    int kind, support, elements, is_for_deform, where, how;
    char listed[SB_DIGEST_TEXT_SIZE];  /* digest of the individually clamped
                                        * nodes */
    char profile[SB_DIGEST_TEXT_SIZE]; /* digest of its points */
} form_key;

static form_key form_of(const sb_shape *shape, double max_lambda,
                        int max_modes) {
    form_key form;
    memset(&form, 0, sizeof form); /* its padding is part of the key */
    form.max_lambda = max_lambda;
    form.max_modes = max_modes;
    sb_shape_sizes(shape, form.lengths);
    form.kind = (int)shape->kind;
    form.support = (int)shape->support;
    form.elements = shape->elements;
    form.is_for_deform = shape->is_for_deform;
    form.where = (int)shape->hold.where;
    form.how = (int)shape->hold.how;
    if (shape->hold.where == SB_HOLD_IN_BOX) {
        form.low = shape->hold.low;
        form.high = shape->hold.high;
    }
    int count;
    const sb_hold *holds =
        shape->mesh ? sb_mesh_source_holds(shape->mesh, &count) : NULL;
    if (holds) {
        sb_digest_bytes(holds, (size_t)count * sizeof *holds, form.listed);
    }
    if (shape->profile) {
        size_t points = (size_t)sb_profile_count(shape->profile);
        sb_digest_bytes(sb_profile_points(shape->profile),
                        points * sizeof(sb_profile_point), form.profile);
    }
    return form;
}

static void key_of(const sb_maker *maker, const sb_shape *shape,
                   const sb_material *material, double max_hz,
                   char key[SB_DIGEST_TEXT_SIZE]) {
    static const sb_mesh no_mesh = {0};
    form_key form = form_of(shape, sb_solution_lambda(material, max_hz),
                            sb_solved_mode_limit(shape));
    form.memory_bytes = maker->memory_bytes;
    sb_problem problem = {
        .mesh = shape->mesh ? sb_mesh_source_mesh(shape->mesh) : &no_mesh,
        .method = shape->method,
        .poisson_ratio = material->poisson_ratio,
        .thickness_m = shape->thickness,
        .held = &form,
        .held_bytes = sizeof form,
        .solver_version = SOLVER_VERSION,
    };
    sb_problem_key(&problem, key);
}

/* Find a solution in the cache or solve. `file` receives it. */
static sb_status provide(const sb_maker *maker, const sb_shape *shape,
                         const sb_material *material,
                         const sb_finish_def *finish, sb_model_file *file,
                         bool *is_new, sb_error *err) {
    char key[SB_DIGEST_TEXT_SIZE];
    key_of(maker, shape, material, finish->max_hz, key);
    memset(file, 0, sizeof *file);
    *is_new = false;
    if (shape->mesh && sb_mesh_source_solution(shape->mesh)) {
        file->solution =
            sb_solution_retain(sb_mesh_source_solution(shape->mesh));
        return SB_OK;
    }
    if (sb_model_cache_find(&maker->cache, key, 0.0, file)) {
        if (maker->progress) {
            (void)maker->progress(maker->context, "cached",
                                  file->solution->mode_count,
                                  file->solution->mode_count);
        }
        return SB_OK;
    }
    sb_status status =
        sb_solve_for(shape, material, maker->progress, maker->context,
                     maker->memory_bytes, &file->solution, err);
    if (status) return status;
    *is_new = !file->solution->is_coarse;
    memcpy(file->key, key, sizeof key);
    return SB_OK;
}

static sb_status make_computed(const sb_maker *maker, const sb_shape *shape,
                               const sb_material *material, sb_model **out,
                               sb_error *err) {
    sb_finish_def finish = sb_solved_finish_def(shape);
    sb_model_file file;
    bool is_new;
    sb_status status =
        provide(maker, shape, material, &finish, &file, &is_new, err);
    if (status) return status;
    if (!sb_model_file_is_finished_for(&file, material, &finish)) {
        if (file.has_finished) sb_finished_free(&file.finished);
        file.has_finished = false;
        if (is_new && maker->progress &&
            !maker->progress(maker->context, "radiation", 0, 0)) {
            sb_model_file_free(&file);
            return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
        }
        status = sb_solution_finish(file.solution, material, &finish,
                                    &file.finished, err);
        file.has_finished = file.has_material = !status;
        file.material = *material;
        file.finish = finish;
    }
    /* Also store the result that there are no audible modes. */
    if ((!status || status == SB_NO_MODES) && is_new)
        (void)sb_model_cache_store(&maker->cache, &file);
    if (!status) {
        status = sb_model_from_solution(shape, material, file.solution,
                                        &file.finished, out, err);
        file.has_finished = false; /* the model owns it now */
    }
    sb_model_file_free(&file);
    return status;
}

static sb_status make_any(const sb_maker *maker, const sb_shape *shape,
                          const sb_material *material,
                          const sb_model_limits *limits, sb_model **out,
                          sb_error *err) {
    sb_shape grained;
    if (sb_shape_needs_form(shape, material, &grained)) shape = &grained;
    if (!sb_shape_is_computed(shape) || sb_solid_is_silent(shape, material)) {
        return sb_model_create(shape, material, limits, out, err);
    }
    sb_status status = sb_shape_check(shape, err);
    if (!status && material) status = sb_material_check(material, err);
    if (status) return status;
    if (!material) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: a material is needed",
                       sb_shape_kind_name(shape->kind));
    }
    status = make_computed(maker, shape, material, out, err);
    if (status != SB_NO_MODES || !sb_shape_is_solid(shape)) return status;
    return sb_model_create_rigid(shape, material, out, err);
}

/* What is too small or too large to be solved is often not in metres. */
static sb_status hint(const sb_shape *shape, sb_status status, sb_error *err) {
    char remark[96];
    bool is_told = status == SB_NO_MODES || status == SB_NO_MEMORY ||
                   status == SB_NO_CONVERGENCE;
    if (!err || !is_told || !sb_shape_size_remark(shape, remark, sizeof remark))
        return status;
    sb_error before = *err;
    return sb_fail(err, status, "%s; %s", before.message, remark);
}

sb_status sb_maker_make(const sb_maker *maker, const sb_shape *shape,
                        const sb_material *material,
                        const sb_model_limits *limits, sb_model **out,
                        sb_error *err) {
    sb_maker usual;
    if (!maker) {
        usual = sb_maker_default();
        maker = &usual;
    }
    /* Modes given by hand, and what does not ring, are made at once. */
    bool is_quick = shape->modes != NULL || !sb_shape_needs_material(shape);
    sb_status status =
        is_quick
            ? make_any(maker, shape, material, limits, out, err)
            : sb_make_job(make_any, maker, shape, material, limits, out, err);
    return status ? hint(shape, status, err) : SB_OK;
}
