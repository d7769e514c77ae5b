/* Frequencies and decays of a body that is touched or strained; the voice
 * glides to them. Control thread. */
#include "runtime/scene/state/tuning.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/scene/plan/diffuse_part.h"
#include "runtime/scene/plan/noise_part.h"
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

sb_bank_mode *scene_tuned_modes(const sb_scene *scene, const scene_body *body) {
    sb_bank_mode *modes = scene_bank_modes(&body->declared);
    int count = sb_model_mode_count(body->declared.model);
    if (modes && body->tuning.touch_count > 0) touch_heard(body, count, modes);
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

sb_status scene_retune(sb_scene *scene, const scene_body *body,
                       const sb_bank_mode *from, double push, double ramp_s,
                       double time_s, sb_error *err) {
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
            sb_alloc((size_t)(count + SB_YIELD_MOST), sizeof(double));
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
        (size_t)(sb_model_mode_count(body->declared.model) + SB_YIELD_MOST);
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
        status = scene_retune(scene, body, from, wobble ? wobble->push : 0.0,
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
    status = scene_retune(scene, body, from, 0.0, ramp_s, time_s, err);
    if (status) body->tuning.silenced = before;
    sb_free(from);
    sb_free(status ? silenced : before);
    return status;
}
