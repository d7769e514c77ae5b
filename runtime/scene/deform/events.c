/* Strikes, pushes and drives on deformable bodies. Control thread. */
#include "runtime/base/pi.h"
#include "runtime/deform/deform.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/state/state.h"

#include <math.h>

/* Times of the simulation. A script may be a fraction of a step behind. */
static double event_s(const scene_deform *deform, double time_s) {
    return fmax(time_s - deform->origin_s, sb_deform_time_s(deform->sim));
}

/* While a journal is read, what happens is in it. */
static bool is_computed(const scene_deform *deform) {
    return deform->def.how != SB_DEFORM_REPLAY && deform->resume_bytes == 0;
}

static sb_status find(const sb_scene *scene, sb_body_id id, int *index,
                      sb_error *err) {
    *index = scene_deform_index(scene, id);
    if (*index >= 0) return SB_OK;
    const sb_planned *declared = &scene_body_of(scene, id)->declared;
    /* Nothing was opened: it is still and silent. */
    if (declared->def.is_deformable && !scene->has_changed_deform) return SB_OK;
    if (declared->def.is_deformable)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' has changed since it was computed: start the "
                       "scene again",
                       declared->name);
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s' is not deformable: sb.deformable makes one",
                   declared->name);
}

static void keep_busy(scene_deform *deform, double until_s) {
    if (isfinite(until_s)) deform->busy_s = fmax(deform->busy_s, until_s);
}

static void note_signal(scene_deform *deform, const sb_deform_signal *signal) {
    scene_deform_note(deform, (double[]){signal->start_s, signal->freq_hz}, 2);
    scene_deform_note(deform, signal->times_s, signal->count);
    scene_deform_note(deform, signal->values, signal->count);
}

static double end_of(const sb_deform_signal *signal) {
    return signal->start_s + signal->times_s[signal->count - 1];
}

/* A known force: a half sine. */
static sb_status push_once(scene_deform *deform, int body,
                           const deform_strike *strike, sb_vec3 direction,
                           double at_s, sb_error *err) {
    double duration = strike->duration_s;
    double peak = 0.5 * SB_PI * strike->impulse_ns / duration;
    sb_deform_push_def push = {
        .body = body,
        .low_m = strike->at_m,
        .high_m = strike->at_m,
        .force_n = sb_vec3_scale(direction, peak),
        .signal = {.start_s = at_s,
                   .freq_hz = 0.5 / duration,
                   .count = 3,
                   .times_s = {0.0, duration, duration * (1.0 + 1e-9)},
                   .values = {1.0, 1.0, 0.0}}};
    return sb_deform_push(deform->sim, &push, err);
}

/* In the world, of unit length. By default straight into the surface of the
 * model: its elements have edges, whose normals lean outwards. A free body may
 * have turned; it is struck into its surface as it is then: 0. */
static sb_vec3 direction_of(const scene_body *body,
                            const deform_strike *strike) {
    const sb_body_def *def = &body->declared.def;
    const sb_model *model = body->declared.model;
    sb_vec3 d = strike->direction;
    bool is_known = strike->duration_s > 0.0 && !(strike->mass_kg > 0.0);
    if (sb_vec3_length(d) == 0.0) {
        if (def->moves.motion != SB_MOTION_FIXED && !is_known) return d;
        d = sb_vec3_scale(
            sb_model_normal(model, sb_model_nearest(model, strike->at_m)),
            -1.0);
    }
    return sb_vec3_normalised(sb_quat_turn(def->moves.rotation, d));
}

sb_status scene_deform_strike(sb_scene *scene, const deform_strike *strike,
                              double time_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    int index;
    sb_status status = find(scene, strike->body, &index, err);
    if (status || index < 0) return status;
    double at_s = event_s(deform, time_s);
    const double numbers[] = {index,
                              time_s,
                              strike->at_m.x,
                              strike->at_m.y,
                              strike->at_m.z,
                              strike->direction.x,
                              strike->direction.y,
                              strike->direction.z,
                              strike->mass_kg,
                              strike->speed_m_s,
                              strike->stiffness,
                              strike->impulse_ns,
                              strike->duration_s};
    scene_deform_note(deform, numbers, (int)(sizeof numbers / sizeof *numbers));
    keep_busy(deform, time_s - deform->origin_s + 0.01);
    if (!is_computed(deform) || deform->failure.status) return SB_OK;
    const scene_body *body = scene_body_of(scene, strike->body);
    sb_vec3 direction = direction_of(body, strike);
    if (!(strike->mass_kg > 0.0) && strike->duration_s > 0.0)
        return push_once(deform, index, strike, direction, at_s, err);
    bool is_mass = strike->mass_kg > 0.0;
    sb_deform_strike_def def = {.body = index,
                                .at_m = strike->at_m,
                                .direction = direction,
                                .time_s = at_s,
                                .mass_kg = is_mass ? strike->mass_kg
                                                   : strike->impulse_ns,
                                .speed_m_s = is_mass ? strike->speed_m_s : 1.0,
                                .stiffness = is_mass ? strike->stiffness : 0.0};
    return sb_deform_strike(deform->sim, &def, NULL, err);
}

sb_status sb_scene_push_deform(sb_scene *scene, sb_body_id id,
                               const sb_deform_push_def *def, double time_s,
                               sb_error *err) {
    scene_deform *deform = scene->deform;
    int index;
    sb_status status = find(scene, id, &index, err);
    if (status || index < 0) return status;
    sb_deform_push_def push = *def;
    push.body = index;
    push.signal.start_s = event_s(deform, time_s);
    const double numbers[] = {index,
                              time_s,
                              push.low_m.x,
                              push.low_m.y,
                              push.low_m.z,
                              push.high_m.x,
                              push.high_m.y,
                              push.high_m.z,
                              push.force_n.x,
                              push.force_n.y,
                              push.force_n.z,
                              push.moment_nm.x,
                              push.moment_nm.y,
                              push.moment_nm.z};
    scene_deform_note(deform, numbers, (int)(sizeof numbers / sizeof *numbers));
    note_signal(deform, &push.signal);
    keep_busy(deform, end_of(&push.signal));
    if (!is_computed(deform) || deform->failure.status) return SB_OK;
    return sb_deform_push(deform->sim, &push, err);
}

bool sb_scene_is_driven(const sb_scene *scene, sb_body_id id) {
    return sb_scene_has(scene, id) && scene_body_of(scene, id)->is_driven;
}

sb_status sb_scene_drive_deform(sb_scene *scene, sb_body_id id,
                                const sb_deform_drive_def *def, double time_s,
                                sb_error *err) {
    scene_deform *deform = scene->deform;
    int index;
    sb_status status = find(scene, id, &index, err);
    if (status || index < 0) return status;
    sb_deform_drive_def drive = *def;
    drive.body = index;
    drive.signal.start_s = event_s(deform, time_s);
    drive.until_s = drive.signal.start_s + def->until_s;
    if (isinf(def->until_s)) scene_body_of(scene, id)->is_driven = true;
    const double numbers[] = {index,
                              time_s,
                              drive.low_m.x,
                              drive.low_m.y,
                              drive.low_m.z,
                              drive.high_m.x,
                              drive.high_m.y,
                              drive.high_m.z,
                              drive.displacement_m.x,
                              drive.displacement_m.y,
                              drive.displacement_m.z,
                              drive.until_s,
                              drive.is_loose,
                              drive.is_clamped};
    scene_deform_note(deform, numbers, (int)(sizeof numbers / sizeof *numbers));
    note_signal(deform, &drive.signal);
    keep_busy(deform, fmin(end_of(&drive.signal), drive.until_s));
    if (!is_computed(deform) || deform->failure.status) return SB_OK;
    return sb_deform_drive(deform->sim, &drive, err);
}
