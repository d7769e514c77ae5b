/* Touches: dampers on a body. Computes how much faster each mode decays and
 * retunes the voice. Control thread. */
#include "runtime/scene/state/tuning.h"

#include "runtime/base/memory.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/scene/plan/weigh.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <string.h>

/* Points of a patch: one in the middle, the others spread evenly around it like
 * the seeds of a sunflower. */
enum { PATCH_PLACES = 19 };
#define GOLDEN_ANGLE 2.399963229728653

/* Two directions along the surface. */
static void tangents(sb_vec3 normal, sb_vec3 *a, sb_vec3 *b) {
    sb_vec3 other =
        fabs(normal.x) < 0.7 ? (sb_vec3){1, 0, 0} : (sb_vec3){0, 0, 1};
    *a = sb_vec3_cross(normal, other);
    *a = sb_vec3_scale(*a, 1.0 / sb_vec3_length(*a));
    *b = sb_vec3_cross(normal, *a);
}

static sb_model_point patch_point(const sb_model *model, sb_model_point middle,
                                  double radius, int i) {
    sb_vec3 a, b, from = sb_model_position(model, middle);
    sb_vec3 normal = sb_model_normal(model, middle);
    if (i == 0 || !(sb_vec3_length(normal) > 0.0)) return middle;
    tangents(normal, &a, &b);
    double r = radius * sqrt(i / (PATCH_PLACES - 0.5));
    a = sb_vec3_scale(a, r * cos(i * GOLDEN_ANGLE));
    b = sb_vec3_scale(b, r * sin(i * GOLDEN_ANGLE));
    return sb_model_nearest(model, sb_vec3_add(from, sb_vec3_add(a, b)));
}

/* Add c <phi^2> / 2 to every mode; the place is local.  */
static void add_up(const sb_scene *scene, const scene_body *body,
                   const sb_touch_def *def, double *sigma_per_s) {
    const sb_model *model = body->declared.model;
    int modes = sb_model_mode_count(model);
    int places = def->radius_m > 0.0 ? PATCH_PLACES : 1;
    double share = 0.5 * def->damping_ns_m / places;
    sb_model_point middle = scene_model_point(body, &def->place);
    for (int i = 0; modes > 0 && i < places; i++) {
        sb_planned_weights(
            &body->declared, patch_point(model, middle, def->radius_m, i),
            def->place.has_direction ? &def->place.direction : NULL,
            scene->weights);
        for (int k = 0; k < modes; k++)
            sigma_per_s[k] += share * scene->weights[k] * scene->weights[k];
    }
}

static scene_touch *find(const sb_scene *scene, sb_touch_id id) {
    if (!sb_scene_has(scene, id.body)) return NULL;
    const scene_tuning *tuning = &scene_body_of(scene, id.body)->tuning;
    for (int i = 0; i < tuning->touch_count; i++) {
        if (tuning->touches[i].number == id.number) return &tuning->touches[i];
    }
    return NULL;
}

bool sb_scene_has_touch(const sb_scene *scene, sb_touch_id id) {
    return find(scene, id) != NULL;
}

sb_touch_def sb_scene_touch_def(const sb_scene *scene, sb_touch_id id) {
    sb_touch_def def = find(scene, id)->def;
    def.place = scene_to_world(scene_body_of(scene, id.body), &def.place);
    return def;
}

/* More than this on one body is a mistake of the script. */
enum { MOST_TOUCHES = 256 };

static sb_status check_room(scene_tuning *tuning, sb_error *err) {
    if (tuning->touch_count >= MOST_TOUCHES) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "this body has %d touches already; lift some",
                       (int)MOST_TOUCHES);
    }
    if (sb_grow((void **)&tuning->touches, &tuning->touch_capacity,
                tuning->touch_count + 1, sizeof *tuning->touches)) {
        return SB_OK;
    }
    return sb_fail(err, SB_NO_MEMORY, "out of memory for one more touch");
}

static sb_status make(const sb_scene *scene, const scene_body *body,
                      const sb_touch_def *def, scene_touch *out,
                      sb_error *err) {
    int modes = sb_model_mode_count(body->declared.model);
    out->def = *def;
    out->def.place = scene_to_local(body, &def->place);
    out->sigma_per_s = sb_alloc((size_t)modes + 1, sizeof(double));
    if (!out->sigma_per_s)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for one more touch");
    add_up(scene, body, &out->def, out->sigma_per_s);
    return SB_OK;
}

sb_status sb_scene_touch(sb_scene *scene, sb_body_id id,
                         const sb_touch_def *def, double time_s,
                         sb_touch_id *out, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_modal(scene, id, "a touch", err);
    if (status) return status;
    scene_body *body = scene_body_of(scene, id);
    scene_tuning *tuning = &body->tuning;
    scene_touch touch = {.number = scene->touch_number + 1};
    status = check_room(tuning, err);
    if (!status) status = make(scene, body, def, &touch, err);
    if (status) return status;
    sb_bank_mode *from = scene_tuned_modes(scene, body);
    tuning->touches[tuning->touch_count++] = touch;
    status = scene_retune(scene, body, from, 0.0, def->ramp_s, time_s, err);
    sb_free(from);
    if (status) {
        tuning->touch_count--;
        sb_free(touch.sigma_per_s);
        return status;
    }
    *out = (sb_touch_id){id, ++scene->touch_number};
    return SB_OK;
}

static sb_status is_gone(sb_error *err) {
    return sb_fail(err, SB_STALE_HANDLE, "this touch has been lifted");
}

sb_status sb_scene_set_touch(sb_scene *scene, sb_touch_id id,
                             const sb_touch_def *def, double time_s,
                             sb_error *err) {
    scene_touch *touch = find(scene, id);
    if (!touch) return is_gone(err);
    const scene_body *body = scene_body_of(scene, id.body);
    scene_touch before = *touch, after = *touch;
    sb_status status = make(scene, body, def, &after, err);
    if (status) return status;
    sb_bank_mode *from = scene_tuned_modes(scene, body);
    *touch = after;
    status = scene_retune(scene, body, from, 0.0, def->ramp_s, time_s, err);
    sb_free(from);
    sb_free(status ? after.sigma_per_s : before.sigma_per_s);
    if (status) *touch = before;
    return status;
}

/* Time in which the damping changes to that of a new texture. */
#define PAINT_S 0.02

static void repaint(sb_scene *scene, scene_body *body, double time_s) {
    scene_tuning *tuning = &body->tuning;
    sb_bank_mode *from = scene_tuned_modes(scene, body);
    for (int i = 0; i < tuning->touch_count; i++) {
        scene_touch *touch = &tuning->touches[i], after = *touch;
        /* When out of memory, its damping does not change. */
        if (make(scene, body, &touch->def, &after, NULL)) continue;
        sb_free(touch->sigma_per_s);
        *touch = after;
    }
    sb_status status =
        scene_retune(scene, body, from, 0.0, PAINT_S, time_s, NULL);
    (void)status;
    sb_free(from);
}

void scene_repaint_touches(sb_scene *scene, double time_s) {
    for (int i = 0; i < scene->order_count; i++) {
        scene_body *body = &scene->bodies[scene->order[i]];
        if (body->faded && body->tuning.touch_count > 0)
            repaint(scene, body, time_s);
    }
}

sb_status sb_scene_lift(sb_scene *scene, sb_touch_id id, double ramp_s,
                        double time_s, sb_error *err) {
    scene_touch *touch = find(scene, id);
    if (!touch) return is_gone(err);
    scene_body *body = scene_body_of(scene, id.body);
    scene_tuning *tuning = &body->tuning;
    sb_bank_mode *from = scene_tuned_modes(scene, body);
    scene_touch gone = *touch;
    scene_touch *end = tuning->touches + --tuning->touch_count;
    size_t after = (size_t)(end - touch);
    memmove(touch, touch + 1, after * sizeof *touch);
    sb_status status =
        scene_retune(scene, body, from, 0.0, ramp_s, time_s, err);
    sb_free(from);
    if (status) {
        memmove(touch + 1, touch, after * sizeof *touch);
        *touch = gone;
        tuning->touch_count++;
    } else {
        sb_free(gone.sigma_per_s);
    }
    return status;
}
