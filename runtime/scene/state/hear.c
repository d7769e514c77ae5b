/* SPDX-License-Identifier: MIT */
/* Sends the engine the paths of sound from bodies to ears, as bodies and
 * listener move. Control thread. */
#include "runtime/scene/state/hear.h"
#include "runtime/base/memory.h"
#include "runtime/scene/state/around.h"
#include "runtime/scene/state/head_change.h"
#include "runtime/scene/state/mirror.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/state/track.h"

#include <math.h>

/* --- turning -------------------------------------------------------------- */

static const sb_vec3 own_axes[2] = {{1, 0, 0}, {0, 1, 0}};

void scene_turn_rest(sb_quat turn, sb_track axes[2]) {
    for (int i = 0; i < 2; i++)
        axes[i] = sb_track_rest(sb_quat_turn(turn, own_axes[i]));
}

/* As the body's leg turns. */
static void turn_follow(sb_track axes[2], const sb_leg *leg) {
    for (int i = 0; i < 2; i++) {
        sb_vec3 from = sb_quat_turn(leg->start_turn, own_axes[i]);
        sb_vec3 to = sb_quat_turn(leg->end_turn, own_axes[i]);
        const sb_leg tip = {.from_s = leg->from_s,
                            .to_s = leg->to_s,
                            .start = from,
                            .start_velocity =
                                sb_vec3_cross(leg->start_spin, from),
                            .end = to,
                            .end_velocity = sb_vec3_cross(leg->end_spin, to)};
        sb_track_follow(&axes[i], &tip);
    }
}

/* A unit vector of the world, in the body's axes. */
static sb_vec3 turned_back(const sb_track axes[2], double time_s,
                           sb_vec3 unit) {
    sb_vec3 unused, x = sb_track_at(&axes[0], time_s, &unused);
    x = sb_vec3_normalised(x);
    sb_vec3 y = sb_track_at(&axes[1], time_s, &unused);
    y = sb_vec3_normalised(sb_vec3_sub(y, sb_vec3_scale(x, sb_vec3_dot(x, y))));
    return (sb_vec3){sb_vec3_dot(x, unit), sb_vec3_dot(y, unit),
                     sb_vec3_dot(sb_vec3_cross(x, y), unit)};
}

/* Ramp of a change of gain or shade without a motion. */
#define RAMP_S 0.005

/* Times closer than this count as equal. */
#define SAME_S 1e-4

/* Step of the numeric derivative that gives velocities. */
#define LOOK_S 1e-4

/* A body that a script moves from rest by more than this has jumped: m; and for
 * the facing, as a share of a turn. */
#define JUMP_M    0.05
#define JUMP_TURN 0.5

/* Commands per body: a jump, the legs of the body and of the listener's head
 * and nose, one leg sent earlier, and a ramp. */
enum { POSTS = 3 * SB_TRACK_LEGS + 3 };

/* --- a knot of a path ---------------------------------------------------- */

static sb_listener listener_at(const sb_scene *scene, double time_s) {
    sb_listener listener = scene->hear.listener;
    sb_vec3 unused;
    listener.position = sb_track_at(&scene->hear.head, time_s, &unused);
    listener.facing = sb_track_at(&scene->hear.nose, time_s, &unused);
    return listener;
}

/* Sound that leaves at `time_s` is heard where the listener is on arrival. */
static sb_heard hear(const sb_scene *scene, int ear, sb_vec3 source,
                     sb_shade shade, double time_s) {
    enum { TRIES = 24 };
    double arrival_s = time_s;
    sb_heard heard = {0};
    sb_listener listener = scene->hear.listener;
    for (int i = 0; i < TRIES; i++) {
        sb_vec3 unused;
        listener.position = sb_track_at(&scene->hear.head, arrival_s, &unused);
        listener.facing = sb_track_at(&scene->hear.nose, arrival_s, &unused);
        heard =
            sb_heard_behind(sb_listener_listen(&listener, ear, source), shade);
        double next_s = time_s + heard.delay_s;
        if (fabs(next_s - arrival_s) < 1e-13) break;
        arrival_s = next_s;
    }
    return heard;
}

static void ear_knot(const sb_scene *scene, int ear, const sb_track *track,
                     sb_shade shade, double gain, double time_s,
                     sb_path_knot *out) {
    double rate_hz = sb_engine_sample_rate(scene->engine);
    sb_vec3 velocity, place = sb_track_at(track, time_s, &velocity);
    sb_vec3 step = sb_vec3_scale(velocity, LOOK_S);
    sb_heard now = hear(scene, ear, place, shade, time_s);
    sb_heard before =
        hear(scene, ear, sb_vec3_sub(place, step), shade, time_s - LOOK_S);
    sb_heard after =
        hear(scene, ear, sb_vec3_add(place, step), shade, time_s + LOOK_S);
    double per_s = 0.5 / LOOK_S, per_frame = gain * per_s / rate_hz;
    double rate = (after.delay_s - before.delay_s) * per_s;
    /* Rounding of two equal delays. */
    if (fabs(rate) < 1e-10) rate = 0.0;
    out->ear[ear] = (sb_ear_knot){
        .delay = now.delay_s * rate_hz,
        .rate = rate,
        .full = (float)(gain * now.full),
        .full_rate = (float)((after.full - before.full) * per_frame),
        .dull = (float)(gain * now.dull),
        .dull_rate = (float)((after.dull - before.dull) * per_frame)};
    out->toward = now.toward;
    out->toward_rate = sb_vec3_scale(sb_vec3_sub(after.toward, before.toward),
                                     per_s / rate_hz);
}

/* Where the body has the middle of the head. */
static sb_vec3 aim_at(const sb_scene *scene, const sb_track *track,
                      const sb_track axes[2], double time_s) {
    sb_vec3 unused, place = sb_track_at(track, time_s, &unused);
    sb_vec3 head = sb_track_at(&scene->hear.head, time_s, &unused);
    sb_vec3 to = sb_vec3_normalised(sb_vec3_sub(head, place));
    return turned_back(axes, time_s, to);
}

sb_path_knot scene_knot(const sb_scene *scene, const sb_track *track,
                        const sb_track axes[2], double gain, sb_shade shade,
                        double time_s) {
    sb_path_knot knot = {.time_frames = scene_frames(scene, time_s)};
    for (int ear = 0; ear < 2; ear++)
        ear_knot(scene, ear, track, shade, gain, time_s, &knot);
    knot.aim = aim_at(scene, track, axes, time_s);
    sb_vec3 before = aim_at(scene, track, axes, time_s - LOOK_S);
    sb_vec3 after = aim_at(scene, track, axes, time_s + LOOK_S);
    double per_frame = 0.5 / LOOK_S / sb_engine_sample_rate(scene->engine);
    knot.aim_rate = sb_vec3_scale(sb_vec3_sub(after, before), per_frame);
    sb_vec3 unused, place = sb_track_at(track, time_s, &unused);
    knot.roomy = (float)(gain * scene->hear.listener.gain / SB_FULL_SCALE_PA);
    knot.distance_m = (float)hear(scene, 0, place, shade, time_s).distance_m;
    return knot;
}

/* --- sending to the engine ----------------------------------------------- */

typedef enum post_kind { POST_LEG, POST_JUMP, POST_EASED } post_kind;

/* From `from_s` on those of where it is at `to_s`. */
static void reflect(sb_scene *scene, const scene_body *body, double from_s,
                    double to_s) {
    if (!scene->hear.mirror) return;
    sb_listener listener = listener_at(scene, to_s);
    sb_vec3 unused, place = sb_track_at(&body->track, to_s, &unused);
    sb_taps *taps = scene_mirror_taps(scene->hear.mirror, &listener, place,
                                      body->is_lost ? 0.0 : body->gain);
    if (taps)
        sb_engine_set_taps(scene->engine, body->voice,
                           scene_frames(scene, from_s), taps);
}

void scene_reflect(sb_scene *scene, const scene_body *body, double time_s) {
    reflect(scene, body, time_s, time_s);
}

static sb_status post(sb_scene *scene, scene_body *body, double from_s,
                      double to_s, post_kind kind, sb_error *err) {
    /* For the path and the reflections. */
    sb_status status = sb_engine_reserve(scene->engine, 2, err);
    if (status) return status;
    sb_path_knot knot =
        scene_knot(scene, &body->track, body->axes,
                   body->is_lost ? 0.0 : body->gain, body->shade, to_s);
    knot.is_jump = kind == POST_JUMP;
    knot.is_eased = kind == POST_EASED;
    if (from_s > body->sent_s) body->sent_s = from_s;
    status = sb_engine_set_path(scene->engine, body->voice,
                                scene_frames(scene, from_s), &knot, err);
    if (!status) reflect(scene, body, from_s, to_s);
    return status;
}

static void add_time(double *times, int *count, double time_s) {
    int i = *count;
    while (i > 0 && times[i - 1] > time_s) {
        times[i] = times[i - 1];
        i--;
    }
    times[i] = time_s;
    (*count)++;
}

static void add_legs(const sb_track *track, double time_s, double *times,
                     int *count) {
    for (int i = 0; i < track->count; i++)
        if (track->legs[i].to_s > time_s)
            add_time(times, count, track->legs[i].to_s);
}

sb_status scene_send(sb_scene *scene, scene_body *body, double time_s,
                     bool is_jump, sb_error *err) {
    if (!sb_engine_has_voice(scene->engine, body->voice)) return SB_OK;
    sb_status status = sb_engine_reserve(scene->engine, 2 * POSTS, err);
    if (status) return status;
    double times[POSTS];
    int count = 0;
    if (is_jump) status = post(scene, body, time_s, time_s, POST_JUMP, err);
    add_legs(&body->track, time_s, times, &count);
    add_legs(&scene->hear.head, time_s, times, &count);
    add_legs(&scene->hear.nose, time_s, times, &count);
    post_kind kind = POST_LEG;
    if (count == 0 && !is_jump) {
        add_time(times, &count, time_s + RAMP_S);
        kind = POST_EASED;
    }
    /* A leg that was sent to begin later must not override this one. */
    double sent_s = body->sent_s, from_s = time_s;
    if (sent_s > time_s && sent_s - time_s < SAME_S) {
        from_s = sent_s; /* equal but for rounding */
    } else if (sent_s > time_s) {
        add_time(times, &count, sent_s);
        if (times[count - 1] == sent_s)
            add_time(times, &count, sent_s + RAMP_S);
    }
    for (int i = 0; i < count && !status; i++) {
        if (times[i] - from_s < SAME_S) continue;
        status = post(scene, body, from_s, times[i], kind, err);
        from_s = times[i];
    }
    return status;
}

static bool is_under_way(const sb_scene *scene, double time_s) {
    double times[2 * SB_TRACK_LEGS];
    int count = 0;
    add_legs(&scene->hear.head, time_s, times, &count);
    add_legs(&scene->hear.nose, time_s, times, &count);
    return count > 0;
}

int scene_send_new_commands(const sb_scene *scene, double time_s,
                            int body_count) {
    return is_under_way(scene, time_s) ? 2 * POSTS * body_count : 0;
}

void scene_send_new(sb_scene *scene, scene_body *body, double time_s) {
    if (!is_under_way(scene, time_s)) return;
    sb_status status = scene_send(scene, body, time_s, false, NULL);
    (void)status;
}

/* --- bodies -------------------------------------------------------------- */

typedef struct heard_motion {
    sb_track track, axes[2];
} heard_motion;

static heard_motion motion_of(const scene_body *body) {
    return (heard_motion){body->track, {body->axes[0], body->axes[1]}};
}

static void move_back(scene_body *body, const heard_motion *to) {
    body->track = to->track;
    body->axes[0] = to->axes[0];
    body->axes[1] = to->axes[1];
}

sb_status scene_send_motion(sb_scene *scene, scene_body *body,
                            const sb_leg *leg, sb_error *err) {
    heard_motion before = motion_of(body);
    sb_vec3 unused, here = sb_track_at(&before.track, leg->from_s, &unused);
    double off_m = sb_vec3_length(sb_vec3_sub(here, leg->start));
    sb_track_follow(&body->track, leg);
    turn_follow(body->axes, leg);
    sb_status status =
        scene_send(scene, body, leg->from_s, off_m > 10 * JUMP_M, err);
    if (status) move_back(body, &before);
    return status;
}

/* All three, so that their legs have the same times. */
static bool put_all(scene_body *body, double time_s) {
    sb_vec3 tips[2];
    bool rests = sb_track_rests_at(&body->track, time_s, body->pose.position);
    for (int i = 0; i < 2; i++) {
        tips[i] = sb_quat_turn(body->pose.rotation, own_axes[i]);
        rests = rests && sb_track_rests_at(&body->axes[i], time_s, tips[i]);
    }
    if (rests) return false;
    bool has_jumped =
        sb_track_move(&body->track, time_s, body->pose.position, JUMP_M);
    if (has_jumped) {
        scene_turn_rest(body->pose.rotation, body->axes);
        return true;
    }
    for (int i = 0; i < 2; i++)
        has_jumped |= sb_track_move(&body->axes[i], time_s, tips[i], JUMP_TURN);
    return has_jumped;
}

sb_status scene_put(sb_scene *scene, scene_body *body, double time_s,
                    sb_error *err) {
    heard_motion before = motion_of(body);
    bool has_jumped = put_all(body, time_s);
    sb_status status = scene_send(scene, body, time_s, has_jumped, err);
    if (status) move_back(body, &before);
    return status;
}

sb_status sb_scene_set_gain(sb_scene *scene, sb_body_id id, double gain,
                            double time_s, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status)
        status = sb_field_check_number(sb_field_find(sb_body_fields, "gain"),
                                       gain, "body", err);
    if (status) return status;
    scene_body *body = scene_body_of(scene, id);
    double before = body->gain;
    body->gain = gain;
    status = scene_send(scene, body, time_s, false, err);
    if (status) body->gain = before;
    return status;
}

sb_status scene_shade(sb_scene *scene, scene_body *body, sb_shade shade,
                      double time_s, bool at_once, sb_error *err) {
    sb_shade before = body->shade;
    if (shade.low == before.low && shade.high == before.high) return SB_OK;
    body->shade = shade;
    sb_status status = scene_send(scene, body, time_s, at_once, err);
    if (status) body->shade = before;
    return status;
}

/* --- the listener -------------------------------------------------------- */

sb_status scene_prepare_air(const sb_scene *scene, const sb_listener *listener,
                            sb_air_table **out, sb_error *err) {
    *out = NULL;
    if (sb_air_is_same(&scene->hear.listener.air, &listener->air)) return SB_OK;
    *out =
        sb_air_table_make(&listener->air, sb_engine_sample_rate(scene->engine));
    if (*out) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "air: out of memory");
}

static bool is_moving(const sb_listener *listener) {
    return sb_vec3_length(listener->velocity) > 0.0;
}

/* True when the listener has jumped. */
static bool move_head(sb_scene *scene, const sb_listener *to, double time_s) {
    sb_vec3 nose = sb_vec3_normalised(to->facing);
    bool has_turned = sb_track_put(&scene->hear.nose, time_s, nose, JUMP_TURN);
    sb_vec3 velocity, here = sb_track_at(&scene->hear.head, time_s, &velocity);
    if (!is_moving(to) && !is_moving(&scene->hear.listener))
        return sb_track_put(&scene->hear.head, time_s, to->position, JUMP_M) ||
               has_turned;
    sb_track_go(&scene->hear.head, time_s, to->position, to->velocity);
    return has_turned ||
           sb_vec3_length(sb_vec3_sub(here, to->position)) > JUMP_M;
}

void scene_set_listener(sb_scene *scene, const sb_listener *listener,
                        sb_air_table *air, bool is_jump, double time_s) {
    bool is_measured = listener->ears == SB_EARS_MEASURED;
    bool is_other =
        listener->ears != scene->hear.listener.ears || air != NULL ||
        (is_measured &&
         !sb_ears_file_is_same(&listener->file, &scene->hear.listener.file));
    bool has_jumped = is_jump || move_head(scene, listener, time_s);
    if (is_jump) {
        sb_track_go(&scene->hear.head, time_s, listener->position,
                    listener->velocity);
        scene->hear.nose = sb_track_rest(sb_vec3_normalised(listener->facing));
    }
    scene->hear.listener = *listener;
    scene->hear.listener.delays = scene->hear.delays;
    /* A vacuum carries nothing. */
    if (!(scene->declared.world.air_kg_m3 > 0.0))
        scene->hear.listener.gain = 0.0;
    if (air) sb_engine_set_air(scene->engine, scene_frames(scene, time_s), air);
    for (int i = 0; i < scene->order_count; i++) {
        /* Room has been reserved, and the body was heard from this place
         * before, so this cannot fail. */
        sb_status status = scene_send(scene, &scene->bodies[scene->order[i]],
                                      time_s, has_jumped || is_other, NULL);
        (void)status;
    }
}

int scene_send_commands(int body_count) {
    return 3 + body_count + 2 * POSTS * (body_count + 1);
}

sb_status sb_scene_set_listener(sb_scene *scene, const sb_listener *listener,
                                double time_s, sb_error *err) {
    sb_status status = sb_engine_reserve(
        scene->engine, scene_send_commands(scene->order_count), err);
    sb_air_table *air = NULL;
    scene_room_change room;
    if (!status)
        status = scene_prepare_room(scene, &scene->hear.room, &listener->air,
                                    &room, err);
    if (status) return status;
    scene_head_change head = {0};
    status = scene_prepare_air(scene, listener, &air, err);
    if (!status) status = scene_prepare_head(scene, listener, &head, err);
    if (status) {
        sb_free(air);
        scene_drop_room(&room);
        return status;
    }
    scene_wear_head(scene, &head, time_s);
    scene_set_listener(scene, listener, air, false, time_s);
    scene_enter_room(scene, &room, time_s);
    return SB_OK;
}

double sb_scene_exposure(const sb_scene *scene) {
    return scene->hear.exposure;
}

void sb_scene_set_exposure(sb_scene *scene, double gain) {
    scene->hear.exposure = gain;
}

void sb_scene_start_over(sb_scene *scene) {
    scene->starts_over = true;
    scene->hear.exposure = 0.0;
}

sb_listener sb_scene_listener(const sb_scene *scene) {
    return scene->hear.listener;
}

sb_status sb_scene_advance_listener(sb_scene *scene, double from_s, double to_s,
                                    sb_error *err) {
    if (!is_moving(&scene->hear.listener)) return SB_OK;
    sb_vec3 velocity;
    scene->hear.listener.position =
        sb_track_at(&scene->hear.head, from_s, &velocity);
    sb_status status = sb_engine_reserve(
        scene->engine, scene_send_commands(scene->order_count), err);
    for (int i = 0; i < scene->order_count && !status; i++) {
        scene_body *body = &scene->bodies[scene->order[i]];
        if (sb_engine_has_voice(scene->engine, body->voice))
            status = post(scene, body, from_s, to_s, POST_LEG, err);
    }
    return status;
}
