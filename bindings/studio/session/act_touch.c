/* SPDX-License-Identifier: MIT */
/* What a hand does to bodies: strikes, probes, scrapes, throws.
 * Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/script/script.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/voice_types.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/strike/strike.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <string.h>

#define PROBE_S     (1.0 / 40.0)
#define SCRAPE_S    0.02 /* ramp of a move: about the time between two */
#define RELEASE_S   0.03
#define PULL_S      0.05 /* time in which a hand brings a body to it */
#define FASTEST_M_S 20.0

static sb_scene *scene_of(const session_call *call) {
    return sb_host_scene(call->session->host);
}

/* --- strikers -------------------------------------------------------------------- */

static bool read_material(session_call *call, const cJSON *json,
                          sb_indenter *thing, sb_error *err) {
    const char *name;
    if (!read_text(json, "material", &name, err)) return false;
    if (!name) return true;
    const sb_material *material = sb_material_find(name);
    if (!material)
        return session_fail(call, "bad_field", err,
                            "there is no material '%.60s'", name);
    thing->material = *material;
    thing->has_material = true;
    return true;
}

static bool read_thing(session_call *call, sb_indenter *thing, sb_error *err) {
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(call->json, "striker");
    return read_fields(json, sb_indenter_fields, thing, err) &&
           read_material(call, json, thing, err);
}

static bool read_model(session_call *call, sb_strike_def *def, sb_error *err) {
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(call->json, "striker");
    const char *name;
    if (!read_text(json, "model", &name, err)) return false;
    for (int i = 0; name && i < SB_IMPACT_MODELS; i++) {
        if (strcmp(name, sb_impact_model_names[i]) != 0) continue;
        def->model = (sb_impact_model)i;
        name = NULL;
    }
    if (name)
        return session_fail(call, "bad_field", err,
                            "there is no contact model '%.60s'", name);
    if (!read_bool(json, "bounces", &def->bounces, NULL, err)) return false;
    if (def->bounces && !sb_impact_model_is_nonlinear(sb_strike_model(def)))
        return session_fail(call, "bad_field", err,
                            "bounces needs the model gradient or kmethod, and "
                            "no hardness");
    return true;
}

static bool read_place(session_call *call, sb_place *place, sb_error *err) {
    *place = (sb_place){.u = 0.5, .v = 0.5, .is_local = true};
    if (!read_vec3(call->json, "point", &place->point, &place->has_point,
                   err) ||
        !read_vec3(call->json, "direction", &place->direction,
                   &place->has_direction, err)) {
        return false;
    }
    place->is_usual = !place->has_point;
    place->has_direction =
        place->has_direction && sb_vec3_length(place->direction) > 0.0;
    return true;
}

/* --- strikes --------------------------------------------------------------------- */

/* As soon as the audio thread can hear of it: after the period that it may be
 * rendering now. */
static double strike_time(const session *self) {
    const sb_engine *engine = sb_host_engine(self->host);
    int64_t soon = sb_engine_clock(engine) + SB_BLOCK_FRAMES +
                   (self->output ? sb_output_period_frames(self->output) : 0);
    int64_t horizon = sb_engine_horizon(engine);
    if (soon > horizon) soon = horizon;
    return (double)soon / sb_engine_sample_rate(engine);
}

bool session_do_strike(session_call *call, sb_error *err) {
    session *self = call->session;
    session_body *body = session_call_body(call, err);
    sb_strike_def def = {.name = "page", .by = SCRIPT_HAND};
    sb_place place;
    if (!body || !read_place(call, &place, err) ||
        !read_fields(call->json, sb_strike_fields, &def, err) ||
        !read_thing(call, &def.striker, err)) {
        return false;
    }
    def.has_gravity = json_field(call->json, "gravity") != NULL;
    if (!json_field(call->json, "speed") && !json_field(call->json, "impulse"))
        def.speed_m_s = 1.0;
    if (!read_model(call, &def, err)) return false;
    if (session_deforms(self, body)) {
        return session_fail(
            call, "refused", err,
            "%s is deformable: what it does was computed before "
            "the scene began; strike it in the script",
            body->name);
    }
    if (!call->is_replayed) call->time_s = strike_time(self);
    sb_impact_estimate estimate;
    if (!session_call_done(call,
                           sb_scene_strike(scene_of(call), body->id, &place,
                                           &def, call->time_s, &estimate, err)))
        return false;
    /* Send it now, and not at the end of the next step. */
    sb_engine *engine = sb_host_engine(self->host);
    if (!call->is_replayed)
        (void)sb_engine_flush(engine, sb_engine_horizon(engine));
    double posted_ms = 1e3 * sb_clock_s();
    session_reply_as(call, "struck");
    json_number(call->reply, "posted", posted_ms);
    json_number(call->reply, "body", body->number);
    json_number(call->reply, "t", call->time_s);
    json_number(call->reply, "impulse", estimate.impulse_ns);
    json_number(call->reply, "duration", estimate.duration_s);
    json_number(call->reply, "peak_force", estimate.peak_force_n);
    json_number(call->reply, "mass", estimate.mass_kg);
    return true;
}

/* --- probes ----------------------------------------------------------------------- */

bool session_do_probe(session_call *call, sb_error *err) {
    session_body *body = session_call_body(call, err);
    sb_place place;
    if (!body || !read_place(call, &place, err)) return false;
    double now_s = sb_clock_s();
    if (!call->is_replayed && now_s - call->hand->probed_s < PROBE_S)
        return session_fail(call, "busy", err, "at most 30 probes a second");
    call->hand->probed_s = now_s;
    size_t count = (size_t)sb_model_mode_count(body->model);
    double *weights = sb_alloc(count + SB_BEHIND_MOST, sizeof *weights);
    if (!weights) return session_fail(call, "failed", err, "out of memory");
    const sb_planned *planned = sb_scene_body_planned(scene_of(call), body->id);
    sb_planned_weights(planned,
                       place.is_usual
                           ? sb_planned_usual_point(planned)
                           : sb_model_nearest(body->model, place.point),
                       place.has_direction ? &place.direction : NULL, weights);
    sb_spot spot = sb_scene_spot(scene_of(call), body->id, &place);
    cJSON *reply = call->reply;
    session_reply_as(call, "probe.result");
    json_number(reply, "body", body->number);
    json_numbers(reply, "phi", weights, (int)count);
    sb_free(weights);
    if (spot.has_uv) {
        const double uv[2] = {spot.u, spot.v};
        json_numbers(reply, "uv", uv, 2);
    } else {
        (void)cJSON_AddNullToObject(reply, "uv");
    }
    json_vec3(reply, "point", spot.point);
    json_vec3(reply, "normal", spot.normal);
    sb_quat turn = sb_scene_pose(scene_of(call), body->id).rotation;
    json_vec3(reply, "direction",
              place.has_direction
                  ? sb_quat_turn(turn, sb_vec3_normalised(place.direction))
                  : spot.normal);
    return true;
}

/* --- scrapes ----------------------------------------------------------------------- */

/* Force, speed and place of the mouse. */
static bool read_motion(session_call *call, sb_contact_kind kind,
                        sb_lasting_change *change, sb_error *err) {
    sb_vec3 velocity = {0};
    bool has_velocity;
    change->ramp_s = SCRAPE_S;
    if (!read_vec3(call->json, "velocity", &velocity, &has_velocity, err) ||
        !read_fields(call->json, sb_lasting_change_fields, change, err) ||
        !read_place(call, &change->place[0], err)) {
        return false;
    }
    double *speed = change->load.speed_m_s;
    if (has_velocity) speed[0] = sb_vec3_length(velocity);
    speed[0] = fmin(speed[0], FASTEST_M_S);
    change->has_place[0] = change->place[0].has_point;
    change->has_force = json_field(call->json, "force") != NULL;
    change->has_speed[0] = has_velocity || json_field(call->json, "speed");
    change->has_speed[1] = json_field(call->json, "with_speed") != NULL;
    change->has_slip = json_field(call->json, "slip") != NULL;
    sb_lasting_change_settle(change, sb_contact_kind_rolls(kind));
    return true;
}

static bool begin_scrape(session_call *call, session_hand *hand,
                         sb_error *err) {
    session_body *body = session_call_body(call, err);
    sb_lasting_setup setup = {.kind = SB_CONTACT_SLIDE, .level = 1.0};
    sb_lasting_change first = {0};
    if (!body || !read_fields(call->json, sb_lasting_fields, &setup, err))
        return false;
    setup.body = body->id;
    setup.seed = body->number;
    if (!read_motion(call, setup.kind, &first, err) ||
        !read_thing(call, &setup.thing, err) || sb_lasting_check(&setup, err)) {
        return false;
    }
    sb_status status = sb_scene_end_contact(scene_of(call), hand->scrape,
                                            call->time_s, RELEASE_S, NULL);
    (void)status; /* a stale one is not an error */
    hand->kind = setup.kind;
    return session_call_done(
        call, sb_scene_begin_contact(scene_of(call), &setup, &first,
                                     call->time_s, &hand->scrape, err));
}

bool session_do_scrape(session_call *call, sb_error *err) {
    session_hand *hand = call->hand;
    const char *phase;
    if (!read_text(call->json, "phase", &phase, err)) return false;
    if (phase && strcmp(phase, "begin") == 0)
        return begin_scrape(call, hand, err);
    bool is_end = phase && strcmp(phase, "end") == 0;
    if (!is_end && (!phase || strcmp(phase, "move") != 0))
        return session_fail(call, "bad_field", err,
                            "phase must be begin, move or end");
    sb_status status = SB_OK;
    if (is_end) {
        status = sb_scene_end_contact(scene_of(call), hand->scrape,
                                      call->time_s, RELEASE_S, err);
    } else if (sb_scene_has_contact(scene_of(call), hand->scrape)) {
        sb_lasting_change change = {0};
        if (!read_motion(call, hand->kind, &change, err)) return false;
        status = sb_scene_move_contact(scene_of(call), hand->scrape, &change,
                                       call->time_s, err);
    }
    if (!status && !is_end) session_reply_not(call);
    return session_call_done(call, status);
}

void session_end_touches(session *self, session_hand *hand) {
    if (!self->host) return;
    sb_scene *scene = sb_host_scene(self->host);
    sb_status status = sb_scene_end_contact(scene, hand->scrape,
                                            self->clock.now_s, RELEASE_S, NULL);
    (void)status;
    hand->grabbed = 0;
}

/* --- throws ------------------------------------------------------------------------ */

/* A unit quaternion, as hands get it in poses. */
static bool read_turn(const cJSON *json, const char *name, sb_quat *out,
                      sb_error *err) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    double parts[4] = {0}, square = 0.0;
    if (!item || cJSON_IsNull(item)) return true;
    for (int i = 0; i < 4 && cJSON_GetArraySize(item) == 4; i++) {
        const cJSON *part = cJSON_GetArrayItem(item, i);
        parts[i] = cJSON_IsNumber(part) ? part->valuedouble : NAN;
        square += parts[i] * parts[i];
    }
    if (!(fabs(square - 1.0) < 1e-3)) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "%s must be a unit quaternion",
                      name);
        return false;
    }
    double length = sqrt(square);
    *out = (sb_quat){.x = parts[0] / length,
                     .y = parts[1] / length,
                     .z = parts[2] / length,
                     .w = parts[3] / length};
    return true;
}

static bool release(session_call *call, session_hand *hand, sb_error *err) {
    session_body *body = session_body_of(call->session, hand->grabbed);
    sb_scene *scene = scene_of(call);
    hand->grabbed = 0;
    if (!body || !sb_scene_has(scene, body->id)) return true;
    sb_pose pose = sb_scene_pose(scene, body->id);
    if (!read_fields(call->json, sb_pose_fields, &pose, err) ||
        !read_turn(call->json, "orientation", &pose.rotation, err)) {
        return false;
    }
    double speed = sb_vec3_length(pose.velocity);
    if (speed > FASTEST_M_S)
        pose.velocity = sb_vec3_scale(pose.velocity, FASTEST_M_S / speed);
    return sb_scene_set_pose(scene, body->id, &pose, call->time_s, err) ==
           SB_OK;
}

bool session_do_throw(session_call *call, sb_error *err) {
    session_hand *hand = call->hand;
    const char *phase;
    if (!read_text(call->json, "phase", &phase, err)) return false;
    if (phase && strcmp(phase, "release") == 0) return release(call, hand, err);
    bool is_grab = phase && strcmp(phase, "grab") == 0;
    if (!is_grab && (!phase || strcmp(phase, "move") != 0))
        return session_fail(call, "bad_field", err,
                            "phase must be grab, move or release");
    if (is_grab) {
        session_body *body = session_call_body(call, err);
        if (!body) return false;
        if (sb_scene_motion(scene_of(call), body->id) != SB_MOTION_FREE)
            return session_fail(call, "bad_field", err,
                                "'%s' does not move freely", body->name);
        hand->grabbed = body->number;
        hand->hand = sb_scene_pose(scene_of(call), body->id).position;
    }
    if (!read_vec3(call->json, "point", &hand->hand, NULL, err)) return false;
    if (!is_grab) session_reply_not(call);
    return true;
}

/* A held body flies to the hand: it has the speed that brings it there. */
static void pull(session *self, session_hand *hand, double time_s) {
    sb_scene *scene = sb_host_scene(self->host);
    const session_body *body = session_body_of(self, hand->grabbed);
    if (!body || !sb_scene_has(scene, body->id)) {
        hand->grabbed = 0;
        return;
    }
    sb_pose pose = sb_scene_pose(scene, body->id);
    sb_vec3 way = sb_vec3_sub(hand->hand, pose.position);
    pose.velocity = sb_vec3_scale(way, 1.0 / PULL_S);
    double speed = sb_vec3_length(pose.velocity);
    if (speed > FASTEST_M_S)
        pose.velocity = sb_vec3_scale(pose.velocity, FASTEST_M_S / speed);
    pose.spin = sb_vec3_scale(pose.spin, 0.8);
    sb_status status = sb_scene_set_pose(scene, body->id, &pose, time_s, NULL);
    (void)status;
}

void session_pull_held(session *self, double time_s) {
    for (int i = 0; i < SESSION_HANDS; i++)
        if (self->hands[i].grabbed) pull(self, &self->hands[i], time_s);
    if (self->replayed.grabbed) pull(self, &self->replayed, time_s);
}
