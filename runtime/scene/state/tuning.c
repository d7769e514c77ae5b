/* SPDX-License-Identifier: MIT */
/* Frequencies and decays of a body that is touched or strained; the voice
 * glides to them. Control thread. */
#include "runtime/scene/state/tuning.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <string.h>

/* Near critical damping a dashpot holds the mode rather than damping it, and
 * the mode has no pitch any more. Decays are bounded by this share of critical
 * damping. */
#define DEADEST 0.9

/* Least share of its stiffness that a strained body keeps. */
#define SOFTEST  0.05
#define STIFFEST 20.0

static double mode_omega(const scene_body *body, int k) {
    double omega = SB_TAU * sb_model_modes(body->declared.model)[k].freq_hz;
    if (!body->tuning.bend) return omega;
    double stiffness = 1.0 + body->tuning.bend[k] * body->tuning.strain;
    return omega * sqrt(fmax(fmin(stiffness, STIFFEST), SOFTEST));
}

static double mode_sigma(const scene_body *body, int k, double omega) {
    double own = sb_model_modes(body->declared.model)[k].sigma_per_s;
    double sum = own;
    for (int i = 0; i < body->tuning.touch_count; i++)
        sum += body->tuning.touches[i].sigma_per_s[k];
    return fmax(own, fmin(sum, DEADEST * omega));
}

void sb_scene_mode_now(const sb_scene *scene, sb_body_id id, int k,
                       double *freq_hz, double *sigma_per_s) {
    const scene_body *body = scene_body_of(scene, id);
    double omega = mode_omega(body, k);
    *freq_hz = omega / SB_TAU;
    *sigma_per_s = mode_sigma(body, k, omega);
}

/* What touches add to modes that stand for many: as to the highest mode that is
 * not one, and some below. */
static void touch_heard(const scene_body *body, int count,
                        sb_bank_mode *modes) {
    enum { LAST = 16 };
    double sum = 0.0;
    int first = count > LAST ? count - LAST : 0;
    for (int i = 0; i < body->tuning.touch_count; i++) {
        for (int k = first; k < count; k++)
            sum += body->tuning.touches[i].sigma_per_s[k] / (count - first);
    }
    for (int i = 0; i < sb_planned_yield_count(&body->declared); i++) {
        sb_bank_mode *mode = &modes[count + i];
        double own = mode->sigma_per_s;
        if (body->declared.noise->yields[i].is_heard)
            mode->sigma_per_s =
                fmax(own, fmin(own + sum, DEADEST * mode->omega_rad_s));
    }
}

/* Who silences a mode listens to the others. */
static void silence_clicks(const scene_body *body, sb_bank_mode *modes) {
    const sb_planned *own = &body->declared;
    int count = sb_model_mode_count(own->model), last = count - 1;
    while (last >= 0 && !body->tuning.silenced[last])
        last--;
    modes += count + sb_planned_yield_count(own);
    for (int i = 0; last >= 0 && i < sb_planned_click_count(own); i++)
        modes[i].out_gain = 0.0;
}

sb_bank_mode *scene_tuned_modes(const sb_scene *scene, const scene_body *body) {
    sb_bank_mode *modes = scene_bank_modes(&body->declared);
    int count = sb_model_mode_count(body->declared.model);
    if (modes && body->tuning.touch_count > 0) touch_heard(body, count, modes);
    if (modes && body->tuning.silenced) silence_clicks(body, modes);
    for (int k = 0; modes && k < count; k++) {
        modes[k].omega_rad_s = mode_omega(body, k);
        modes[k].sigma_per_s = mode_sigma(body, k, modes[k].omega_rad_s);
        if (body->tuning.silenced && body->tuning.silenced[k])
            modes[k].out_gain = 0.0;
    }
    if (modes) scene_discretise(scene, &body->declared, modes);
    return modes;
}

/* Damping of all touches together, and what it adds to the noise bands. False:
 * out of memory. */
static bool set_diffuse(const scene_body *body, sb_retune *retune) {
    if (!sb_planned_bands(&body->declared)) return true;
    int count = sb_model_mode_count(body->declared.model);
    double *added = sb_alloc((size_t)count, sizeof *added);
    if (!added) return false;
    for (int i = 0; i < body->tuning.touch_count; i++) {
        for (int k = 0; k < count; k++)
            added[k] += body->tuning.touches[i].sigma_per_s[k];
    }
    sb_diffuse_def bands;
    sb_planned_touched_bands(&body->declared, added, &bands);
    sb_engine_set_diffuse(retune, &bands);
    sb_free(added);
    return true;
}

/* Glide from `from` to the modes of body->tuning, if the body rings, and push
 * its wobble. `from` may be NULL: out of memory. */
static sb_status retune_body(sb_scene *scene, const scene_body *body,
                             const sb_bank_mode *from, double push,
                             double ramp_s, double time_s, sb_error *err) {
    if (!sb_engine_has_voice(scene->engine, body->voice)) return SB_OK;
    const scene_tuning *tuning = &body->tuning;
    int count = sb_planned_mode_count(&body->declared);
    sb_retune *retune = NULL;
    sb_bank_mode *to = scene_tuned_modes(scene, body);
    sb_status status = sb_engine_reserve(scene->engine, 1, err);
    if (!status && (!from || !to)) {
        status = sb_fail(err, SB_NO_MEMORY, "out of memory to retune %d modes",
                         count);
    }
    if (!status) {
        status = sb_engine_prepare_retune(scene->engine, from, to, count,
                                          ramp_s, &retune, err);
    }
    sb_free(to);
    if (!status && !set_diffuse(body, retune)) {
        sb_engine_drop_retune(retune);
        status = sb_fail(err, SB_NO_MEMORY, "out of memory for noise bands");
    }
    if (status) return status;
    if (tuning->wobbles) {
        sb_wobble wobble = tuning->wobble;
        wobble.push = push;
        sb_engine_set_wobble(retune, &wobble, tuning->bend);
    }
    sb_engine_retune(scene->engine, body->voice, scene_frames(scene, time_s),
                     retune);
    return SB_OK;
}

bool scene_is_tuned(const scene_body *body) {
    return body->tuning.touch_count > 0 || body->tuning.bend ||
           body->tuning.silenced;
}

void scene_untune(scene_body *body) {
    scene_tuning *tuning = &body->tuning;
    for (int i = 0; i < tuning->touch_count; i++)
        sb_free(tuning->touches[i].sigma_per_s);
    sb_free(tuning->touches);
    sb_free(tuning->bend);
    sb_free(tuning->silenced);
    memset(tuning, 0, sizeof *tuning);
}

/* --- strain -------------------------------------------------------------- */

/* As for a sheet under tension in its plane: the stiffness that tension adds
 * grows as k^2, the bending stiffness as k^4, and w as k^2. */
static double sheet_bend(const sb_model *model, int k) {
    const sb_mode *modes = sb_model_modes(model);
    return modes[0].freq_hz / modes[k].freq_hz;
}

static sb_status set_bend(scene_body *body, const sb_bend *bend,
                          sb_error *err) {
    scene_tuning *tuning = &body->tuning;
    const sb_model *model = body->declared.model;
    int count = sb_model_mode_count(model);
    bool is_new = !tuning->bend;
    if (is_new)
        tuning->bend =
            sb_alloc((size_t)(count + SB_BEHIND_MOST), sizeof(double));
    if (!tuning->bend) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory to bend %d modes",
                       count);
    }
    if (!is_new && !bend->is_given) return SB_OK;
    for (int k = 0; k < count; k++) {
        int last = bend->count - 1;
        tuning->bend[k] = bend->count > 0 ? bend->items[k < last ? k : last]
                                          : sheet_bend(model, k);
    }
    return SB_OK;
}

/* A copy for undo: everything but the touches, which stay. */
static sb_status keep(const scene_body *body, scene_tuning *kept,
                      sb_error *err) {
    *kept = body->tuning;
    if (!kept->bend) return SB_OK;
    size_t count =
        (size_t)(sb_model_mode_count(body->declared.model) + SB_BEHIND_MOST);
    kept->bend = sb_alloc(count, sizeof(double));
    if (!kept->bend) return sb_fail(err, SB_NO_MEMORY, "out of memory to bend");
    memcpy(kept->bend, body->tuning.bend, count * sizeof(double));
    return SB_OK;
}

static sb_status strain(sb_scene *scene, scene_body *body, double strain_now,
                        const sb_wobble *wobble, const sb_bend *bend,
                        double ramp_s, double time_s, sb_error *err) {
    scene_tuning kept;
    sb_status status = keep(body, &kept, err);
    if (status) return status;
    sb_bank_mode *from = scene_tuned_modes(scene, body);
    status = set_bend(body, bend, err);
    if (!status) {
        body->tuning.strain = strain_now;
        if (wobble) {
            body->tuning.wobble = *wobble;
            body->tuning.wobbles = true;
        }
        status = retune_body(scene, body, from, wobble ? wobble->push : 0.0,
                             ramp_s, time_s, err);
    }
    sb_free(from);
    sb_free(status ? body->tuning.bend : kept.bend);
    if (status) body->tuning = kept;
    return status;
}

sb_status sb_scene_deform(sb_scene *scene, sb_body_id id, double strain_now,
                          const sb_bend *bend, double ramp_s, double time_s,
                          sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_modal(scene, id, "body:deform", err);
    if (status) return status;
    return strain(scene, scene_body_of(scene, id), strain_now, NULL, bend,
                  ramp_s, time_s, err);
}

/* Time in which new bends take effect. */
#define FLEX_RAMP_S 0.02

sb_status sb_scene_flex(sb_scene *scene, sb_body_id id, const sb_wobble *wobble,
                        const sb_bend *bend, double time_s, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_modal(scene, id, "body:flex", err);
    if (status) return status;
    scene_body *body = scene_body_of(scene, id);
    return strain(scene, body, body->tuning.strain, wobble, bend, FLEX_RAMP_S,
                  time_s, err);
}

/* --- silent modes --------------------------------------------------------- */

sb_status sb_scene_silence(sb_scene *scene, sb_body_id id, const bool *modes,
                           double ramp_s, double time_s, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (status) return status;
    scene_body *body = scene_body_of(scene, id);
    size_t count = (size_t)sb_model_mode_count(body->declared.model);
    bool *silenced = modes ? sb_alloc(count + 1, sizeof *silenced) : NULL;
    if (modes && !silenced)
        return sb_fail(err, SB_NO_MEMORY, "out of memory to silence modes");
    if (modes) memcpy(silenced, modes, count * sizeof *silenced);
    bool *before = body->tuning.silenced;
    sb_bank_mode *from = scene_tuned_modes(scene, body);
    body->tuning.silenced = silenced;
    status = retune_body(scene, body, from, 0.0, ramp_s, time_s, err);
    if (status) body->tuning.silenced = before;
    sb_free(from);
    sb_free(status ? silenced : before);
    return status;
}

/* --- touches ------------------------------------------------------------- */

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
    status = retune_body(scene, body, from, 0.0, def->ramp_s, time_s, err);
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
    status = retune_body(scene, body, from, 0.0, def->ramp_s, time_s, err);
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
        retune_body(scene, body, from, 0.0, PAINT_S, time_s, NULL);
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
    sb_status status = retune_body(scene, body, from, 0.0, ramp_s, time_s, err);
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
