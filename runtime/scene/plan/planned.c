/* SPDX-License-Identifier: MIT */
/* Planned bodies: checked copies, their models, and what changed between two of
 * them. One thread at a time, control or loader. */
#include "runtime/scene/plan/planned.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/dsp/surface/surface.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/beyond.h"
#include "runtime/model/textures/texture.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/store/model_maker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the modes that merging and truncation took away ---------------------------
 * A body whose definition says `hears_removed` has all its modes, nothing merged
 * and their number not limited. Heard are only those that the body as described
 * has no oscillator for: of the modes that were merged into one, all but the one
 * nearest to it in frequency, and those beyond the number of modes. The others
 * vibrate and yield, but are silent. There is no diffuse field. */

/* The body as it must be solved to have all modes. */
static void want_all(sb_planned *planned) {
    sb_shape *shape = &planned->def.shape;
    shape->merge = 0.0;
    shape->keeps_beats = true;
    shape->max_modes = 0;
}

/* Both lists ascend. Modes that were merged are neighbours, and the frequency
 * of the result lies between theirs. */
static void find_kept(const sb_model *all, const sb_model *usual, bool *kept) {
    const sb_mode *modes = sb_model_modes(all);
    const sb_mode *others = sb_model_modes(usual);
    int count = sb_model_mode_count(all), next = 0;
    for (int i = 0; i < sb_model_mode_count(usual) && next < count; i++) {
        double hz = others[i].freq_hz;
        int k = next;
        while (k + 1 < count &&
               fabs(modes[k + 1].freq_hz - hz) < fabs(modes[k].freq_hz - hz))
            k++;
        kept[k] = true;
        next = k + 1;
    }
}

/* Note which modes of the body's model `usual`, that of the body as described,
 * has as well. NO_MEMORY. */
static sb_status fill_kept(sb_planned *planned, const sb_model *usual,
                           sb_error *err) {
    int count = sb_model_mode_count(planned->model);
    sb_free(planned->kept);
    planned->kept = sb_alloc((size_t)count + 1, sizeof *planned->kept);
    if (!planned->kept) return sb_no_memory(err, "body '%s'", planned->name);
    find_kept(planned->model, usual, planned->kept);
    return SB_OK;
}

static bool has_same_kept(const sb_planned *a, const sb_planned *b) {
    if (!a->kept || !b->kept) return !a->kept && !b->kept;
    int count = sb_model_mode_count(a->model);
    return count == sb_model_mode_count(b->model) &&
           memcmp(a->kept, b->kept, (size_t)count * sizeof *a->kept) == 0;
}

int sb_planned_removed_count(const sb_planned *planned) {
    int removed = 0;
    for (int k = 0; planned->kept && k < sb_model_mode_count(planned->model);
         k++)
        removed += !planned->kept[k];
    return removed;
}

/* --- one body ------------------------------------------------------------ */

sb_status sb_planned_init(sb_planned *planned, const sb_body_def *def,
                          sb_error *err) {
    sb_status status = sb_body_check(def, err);
    if (status) return status;
    memset(planned, 0, sizeof *planned);
    planned->def = *def;
    planned->def.name = NULL;
    planned->def.surface = NULL; /* until nothing can fail */
    planned->def.weights = NULL;
    planned->def.shape.mesh = NULL;
    planned->def.shape.profile = NULL;
    if (def->shape.modes) {
        size_t count = (size_t)def->shape.mode_count;
        planned->modes = sb_alloc(count, sizeof *planned->modes);
        if (!planned->modes) {
            return sb_no_memory(err, "body '%s'", def->name);
        }
        memcpy(planned->modes, def->shape.modes,
               count * sizeof *planned->modes);
        planned->def.shape.modes = planned->modes;
    }
    if (def->shape.mesh) {
        planned->def.shape.mesh = sb_mesh_source_retain(def->shape.mesh);
    }
    if (def->shape.profile) {
        planned->def.shape.profile = sb_profile_retain(def->shape.profile);
    }
    planned->def.surface = sb_surface_retain(def->surface);
    planned->def.weights = sb_texture_retain(def->weights);
    (void)snprintf(planned->name, sizeof planned->name, "%s", def->name);
    return SB_OK;
}

const sb_diffuse_def *sb_planned_bands(const sb_planned *planned) {
    bool has = planned->noise && planned->noise->bands.band_count > 0;
    return has ? &planned->noise->bands : NULL;
}

int sb_planned_yield_count(const sb_planned *planned) {
    return planned->noise ? planned->noise->yield_count : 0;
}

void sb_planned_drop_noise(sb_planned *planned) {
    sb_free(planned->noise);
    planned->noise = NULL;
}

sb_status sb_planned_make_noise(sb_planned *planned, sb_error *err) {
    sb_planned_drop_noise(planned);
    planned->noise = sb_alloc(1, sizeof *planned->noise);
    if (planned->noise) return SB_OK;
    return sb_no_memory(err, "body '%s'", planned->name);
}

void sb_planned_free(sb_planned *planned) {
    sb_free_all(planned->modes, planned->noise, planned->spring_weights,
                planned->kept);
    sb_mesh_source_release(planned->def.shape.mesh);
    sb_profile_release(planned->def.shape.profile);
    sb_surface_release(planned->def.surface);
    sb_texture_release(planned->def.weights);
    sb_model_release(planned->model);
    sb_free(planned->peaks);
    memset(planned, 0, sizeof *planned);
}

void sb_planned_strip(sb_planned *planned) {
    sb_free(planned->spring_weights);
    sb_free(planned->kept);
    planned->kept = NULL;
    sb_surface_release(planned->def.surface);
    sb_texture_release(planned->def.weights);
    sb_free(planned->peaks);
    planned->spring_weights = planned->peaks = NULL;
    planned->def.surface = NULL;
    planned->def.weights = NULL;
    planned->spring_count = planned->peak_count = 0;
}

static bool is_same_mesh(const sb_shape *a, const sb_shape *b) {
    if (!a->mesh || !b->mesh) return a->mesh == b->mesh;
    return sb_mesh_source_ratio(a->mesh, b->mesh) == 1.0;
}

static bool is_computed_alike(const sb_shape *a, const sb_shape *b) {
    return a->method == b->method && a->elements == b->elements &&
           a->is_for_deform == b->is_for_deform &&
           a->keeps_beats == b->keeps_beats && a->merge == b->merge &&
           a->max_hz == b->max_hz && a->max_modes == b->max_modes &&
           a->radiation == b->radiation &&
           memcmp(&a->hold, &b->hold, sizeof a->hold) == 0 &&
           is_same_mesh(a, b);
}

static bool is_same_shape(const sb_shape *a, const sb_shape *b) {
    return sb_shape_is_same_form(a, b) && is_computed_alike(a, b);
}

static bool is_same_substance(const sb_body_def *a, const sb_body_def *b) {
    if (a->has_material != b->has_material) return false;
    return !a->has_material ||
           sb_material_is_same_vibration(&a->material, &b->material);
}

bool sb_planned_is_same_body(const sb_planned *a, const sb_planned *b) {
    return is_same_shape(&a->def.shape, &b->def.shape) &&
           is_same_substance(&a->def, &b->def);
}

bool sb_planned_is_same_vibration(const sb_planned *a, const sb_planned *b) {
    return sb_planned_is_same_body(a, b) &&
           (a->put_off_s > 0) == (b->put_off_s > 0);
}

static bool has_same_modes(const sb_model *a, const sb_model *b) {
    int count = sb_model_mode_count(a);
    if (count != sb_model_mode_count(b)) return false;
    for (int k = 0; k < count; k++) {
        if (strcmp(sb_model_modes(a)[k].label, sb_model_modes(b)[k].label) !=
            0) {
            return false;
        }
    }
    return true;
}

static sb_status create_model(const sb_planned *planned, const sb_maker *maker,
                              const sb_model_limits *limits, sb_model **out,
                              sb_error *err) {
    const sb_material *material =
        planned->def.has_material ? &planned->def.material : NULL;
    sb_status status =
        sb_maker_make(maker, &planned->def.shape, material, limits, out, err);
    return status ? sb_body_blame(planned->name, status, err) : SB_OK;
}

/* When all frequencies rise or fall together, some cross the upper limit. A
 * ringing body must keep exactly the modes it had: solve again with the limit
 * scaled alike. Returns the model that fits, or NULL when there is none. */
static sb_model *fit_modes(const sb_planned *planned, const sb_maker *maker,
                           const sb_model *model, const sb_model *before) {
    int count = sb_model_mode_count(before);
    if (count == 0 || sb_model_mode_count(model) == 0) return NULL;
    if (sb_shape_is_computed(&planned->def.shape)) return NULL;
    sb_model_limits limits = sb_model_limits_default();
    double rise =
        sb_model_modes(model)[0].freq_hz / sb_model_modes(before)[0].freq_hz;
    limits.max_hz *= 1.01 * fmax(rise, 1.0);
    int plain = sb_model_plain_modes(before, NULL, NULL);
    limits.max_modes = plain > 0 ? plain : count;
    limits.is_whole = !sb_model_beyond(before).is_cut;
    sb_model *fitting = NULL;
    if (create_model(planned, maker, &limits, &fitting, NULL)) return NULL;
    if (has_same_modes(fitting, before)) return fitting;
    sb_model_release(fitting);
    return NULL;
}

/* What a body was solved to be whose radiation was put off; else NULL. */
static sb_solution *known_of(const sb_planned *planned,
                             const sb_planned *before) {
    const sb_planned *from = planned->put_off_s > 0 ? planned : before;
    if (!from || !(from->put_off_s > 0) || !from->is_solved_alone ||
        !sb_planned_is_same_body(planned, from) || !from->model)
        return NULL;
    const sb_solution *solution = sb_model_solution(from->model);
    return solution ? sb_solution_retain((sb_solution *)solution) : NULL;
}

/* A new model, from `known` if there is one. */
static sb_status make_model(sb_planned *planned, const sb_planned *before,
                            const sb_maker *maker, sb_solution *known,
                            sb_error *err) {
    sb_maker own = maker ? *maker : sb_maker_default();
    own.known = known;
    sb_model_limits limits = sb_model_limits_default();
    sb_status status =
        create_model(planned, &own, &limits, &planned->model, err);
    planned->is_solved_alone = true;
    if (status || !before) return status;
    if (before->def.shape.kind != planned->def.shape.kind ||
        has_same_modes(planned->model, before->model)) {
        return SB_OK;
    }
    sb_model *fitting = fit_modes(planned, &own, planned->model, before->model);
    if (fitting) {
        sb_model_release(planned->model);
        planned->model = fitting;
    }
    return SB_OK;
}

static sb_status solve_model(sb_planned *planned, const sb_planned *before,
                             const sb_maker *maker, sb_error *err) {
    bool puts_off = maker && maker->put_off_s;
    sb_solution *known = known_of(planned, before);
    sb_model_release(planned->model); /* of an earlier attempt */
    planned->model = NULL;
    planned->put_off_s = 0;
    planned->is_solved_alone = false;
    sb_status status = SB_OK;
    if (before && !before->model) before = NULL;
    bool is_same = before && sb_planned_is_same_body(planned, before);
    bool serves = before && (puts_off || !(before->put_off_s > 0));
    if (is_same && serves) {
        planned->model = sb_model_retain(before->model);
        planned->put_off_s = before->put_off_s;
        planned->is_solved_alone = before->is_solved_alone;
    } else if (!is_same && serves && planned->def.has_material &&
               sb_model_can_rescale(before->model, &planned->def.shape,
                                    &planned->def.material)) {
        status = sb_maker_rescale(maker, before->model, &planned->def.shape,
                                  &planned->def.material, &planned->model, err);
        if (status) status = sb_body_blame(planned->name, status, err);
        if (puts_off) planned->put_off_s = before->put_off_s;
    } else {
        status = make_model(planned, before, maker, known, err);
    }
    sb_solution_release(known);
    return status;
}

/* Whether a solid rings is known only after it has been solved. */
static sb_status check_rings(const sb_planned *planned, sb_error *err) {
    const sb_body_def *def = &planned->def;
    bool needs_modes = def->diffuse.is_on || def->nonlinear.is_on;
    if (!needs_modes || sb_model_mode_count(planned->model) > 0) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s': %s needs a shape that rings, and all modes of "
                   "this %s are above what can be heard",
                   planned->name, def->diffuse.is_on ? "diffuse" : "nonlinear",
                   sb_shape_kind_name(def->shape.kind));
}

/* The body as described first, then with all modes. */
static sb_status solve_removed(sb_planned *planned, const sb_maker *maker,
                               sb_error *err) {
    sb_status status = solve_model(planned, NULL, maker, err);
    if (status) return status;
    sb_model *usual = planned->model;
    planned->model = NULL;
    want_all(planned);
    status = solve_model(planned, NULL, maker, err);
    if (!status) status = fill_kept(planned, usual, err);
    sb_model_release(usual);
    return status;
}

/* After a solve that took longer, memory goes back to the system. */
#define LONG_S 0.2

sb_status sb_planned_solve(sb_planned *planned, const sb_planned *before,
                           const sb_maker *maker, sb_error *err) {
    double began_s = sb_clock_s();
    double before_s = maker && maker->put_off_s ? *maker->put_off_s : 0;
    /* Of two models, which must be heard alike, none is put off; nor is that of a
     * deformable body, whose sound is computed once. */
    sb_maker both = maker ? *maker : sb_maker_default();
    both.put_off_s = NULL;
    if (planned->def.is_deformable) maker = &both;
    sb_status status = planned->def.hears_removed
                           ? solve_removed(planned, &both, err)
                           : solve_model(planned, before, maker, err);
    if (maker && maker->put_off_s && *maker->put_off_s > before_s)
        planned->put_off_s = *maker->put_off_s - before_s;
    if (!status) status = check_rings(planned, err);
    if (!status) status = sb_planned_fill_bands(planned, err);
    if (!status) status = sb_planned_fill_beyond(planned, err);
    if (!status) status = sb_planned_fill_springs(planned, err);
    if (!status) status = sb_planned_fill_peaks(planned, before, err);
    if (sb_clock_s() - began_s > LONG_S) sb_memory_give_back();
    return status;
}

sb_status sb_planned_solve_soon(sb_planned *planned, const sb_planned *before,
                                sb_error *err) {
    double seconds = 0;
    sb_maker maker = sb_maker_default();
    maker.put_off_s = &seconds;
    return sb_planned_solve(planned, before, &maker, err);
}

static bool is_same_place(const sb_body_def *a, const sb_body_def *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z;
}

bool sb_planned_is_same_start(const sb_planned *a, const sb_planned *b) {
    return is_same_place(&a->def, &b->def) &&
           sb_motion_is_same_start(&a->def.moves, &b->def.moves);
}

bool sb_planned_is_same_solid(const sb_planned *a, const sb_planned *b) {
    const sb_material *m = &a->def.material, *n = &b->def.material;
    return sb_motion_is_same(&a->def.moves, &b->def.moves) &&
           is_same_shape(&a->def.shape, &b->def.shape) &&
           is_same_substance(&a->def, &b->def) &&
           m->restitution == n->restitution && m->friction == n->friction;
}

bool sb_planned_rings(const sb_planned *planned) {
    return planned->def.role != SB_ROLE_EXCITER &&
           (sb_model_mode_count(planned->model) > 0 ||
            sb_planned_click_count(planned) > 0);
}

sb_change sb_planned_compare(const sb_planned *before,
                             const sb_planned *after) {
    if (sb_planned_rings(before) != sb_planned_rings(after) ||
        before->def.is_deformable != after->def.is_deformable ||
        !has_same_kept(before, after))
        return SB_CHANGE_MODEL;
    bool is_same_sound =
        sb_planned_is_same_vibration(before, after) &&
        sb_diffuse_part_is_same(before, after) &&
        sb_nonlinear_part_is_same(before, after) &&
        before->def.discretisation == after->def.discretisation;
    if (!is_same_sound) {
        bool keeps_voice = before->def.shape.kind == after->def.shape.kind &&
                           has_same_modes(before->model, after->model) &&
                           sb_diffuse_part_is_alike(before, after) &&
                           sb_nonlinear_part_is_alike(before, after);
        return keeps_voice ? SB_CHANGE_TUNING : SB_CHANGE_MODEL;
    }
    if (!sb_texture_is_same(before->def.weights, after->def.weights))
        return SB_CHANGE_PAINT;
    bool is_there =
        sb_planned_is_same_start(before, after) &&
        sb_planned_is_same_solid(before, after) &&
        sb_motion_is_same_design(&before->def.moves, &after->def.moves) &&
        before->def.gain == after->def.gain;
    return is_there ? SB_CHANGE_NONE : SB_CHANGE_PLACE;
}
