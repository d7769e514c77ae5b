/* What a hand does in the page: strikes, probes, scrapes, throws.
 * Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/script/script.h"
#include "runtime/base/block.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/plan/weigh.h"
#include "runtime/scene/strike/strike.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <string.h>

#define PROBE_S     (1.0 / 40.0)
#define SCRAPE_S    0.02 /* ramp of a move: about the time between two */
#define RELEASE_S   0.03
#define PULL_S      0.05 /* time in which a hand brings a body to it */
#define FASTEST_M_S 20.0

static sb_scene *scene_of(const studio_call *call) {
    return sb_host_scene(call->studio->host);
}

/* --- strikers -------------------------------------------------------------------- */

static bool read_material(studio_call *call, const cJSON *json,
                          sb_indenter *thing, sb_error *err) {
    const char *name;
    if (!read_text(json, "material", &name, err)) return false;
    if (!name) return true;
    const sb_material *material = sb_material_find(name);
    if (!material)
        return studio_fail(call, "bad_field", err,
                           "there is no material '%.60s'", name);
    thing->material = *material;
    thing->has_material = true;
    return true;
}

static bool read_thing(studio_call *call, sb_indenter *thing, sb_error *err) {
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(call->json, "striker");
    return read_number(json, "mass", 1e-6, 1e3, &thing->mass_kg, err) &&
           read_number(json, "radius", 1e-5, 10.0, &thing->radius_m, err) &&
           read_number(json, "hardness", 1.0, 1e13, &thing->hardness_n_m,
                       err) &&
           read_material(call, json, thing, err);
}

static bool read_model(studio_call *call, sb_strike_def *def, sb_error *err) {
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(call->json, "striker");
    const char *name;
    if (!read_text(json, "model", &name, err)) return false;
    for (int i = 0; name && i < SB_IMPACT_MODELS; i++) {
        if (strcmp(name, sb_impact_model_name((sb_impact_model)i)) != 0)
            continue;
        def->model = (sb_impact_model)i;
        name = NULL;
    }
    if (name)
        return studio_fail(call, "bad_field", err,
                           "there is no contact model '%.60s'", name);
    if (!read_bool(json, "bounces", &def->bounces, NULL, err)) return false;
    if (def->bounces && !sb_impact_model_is_nonlinear(sb_strike_model(def)))
        return studio_fail(call, "bad_field", err,
                           "bounces needs the model gradient or kmethod, and "
                           "no hardness");
    return true;
}

static bool read_place(studio_call *call, sb_place *place, sb_error *err) {
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
static double strike_time(const studio *self) {
    const sb_engine *engine = sb_host_engine(self->host);
    int64_t soon = sb_engine_clock(engine) + SB_BLOCK_FRAMES +
                   (self->output ? sb_output_period_frames(self->output) : 0);
    int64_t horizon = sb_engine_horizon(engine);
    if (soon > horizon) soon = horizon;
    return (double)soon / sb_engine_sample_rate(engine);
}

bool studio_do_strike(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    studio_body *body = studio_call_body(call, err);
    sb_strike_def def = {.name = "page", .by = SCRIPT_HAND};
    sb_place place;
    double speed = 1.0;
    if (!body || !read_place(call, &place, err) ||
        !read_thing(call, &def.striker, err) ||
        !read_number(call->json, "speed", 1e-4, 1e3, &speed, err)) {
        return false;
    }
    def.speed_m_s = speed;
    if (!read_model(call, &def, err)) return false;
    if (studio_deforms(self, body)) {
        return studio_fail(call, "refused", err,
                           "%s is deformable: what it does was computed before "
                           "the scene began; strike it in the script",
                           body->name);
    }
    if (call->client) call->time_s = strike_time(self);
    sb_impact_estimate estimate;
    if (sb_scene_strike(scene_of(call), body->id, &place, &def, call->time_s,
                        &estimate, err)) {
        call->code = "failed";
        return false;
    }
    /* Send it now, and not at the end of the next step. */
    sb_engine *engine = sb_host_engine(self->host);
    if (call->client) (void)sb_engine_flush(engine, sb_engine_horizon(engine));
    double posted_ms = 1e3 * sb_clock_s();
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"), "struck");
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

bool studio_do_probe(studio_call *call, sb_error *err) {
    studio_body *body = studio_call_body(call, err);
    sb_place place;
    if (!body || !read_place(call, &place, err)) return false;
    double now_s = sb_clock_s();
    if (call->client && now_s - call->client->probed_s < PROBE_S)
        return studio_fail(call, "busy", err, "at most 30 probes a second");
    if (call->client) call->client->probed_s = now_s;
    size_t count = (size_t)sb_model_mode_count(body->model);
    double *weights = sb_alloc(count + SB_YIELD_MOST, sizeof *weights);
    if (!weights) return studio_fail(call, "failed", err, "out of memory");
    const sb_planned *planned = sb_scene_body_planned(scene_of(call), body->id);
    sb_planned_weights(planned,
                       place.is_usual
                           ? sb_planned_usual_point(planned)
                           : sb_model_nearest(body->model, place.point),
                       place.has_direction ? &place.direction : NULL, weights);
    sb_spot spot = sb_scene_spot(scene_of(call), body->id, &place);
    cJSON *reply = call->reply;
    cJSON_SetValuestring(cJSON_GetObjectItem(reply, "type"), "probe.result");
    json_number(reply, "body", body->number);
    (void)cJSON_AddItemToObject(reply, "phi",
                                cJSON_CreateDoubleArray(weights, (int)count));
    sb_free(weights);
    if (spot.has_uv) {
        const double uv[2] = {spot.u, spot.v};
        (void)cJSON_AddItemToObject(reply, "uv",
                                    cJSON_CreateDoubleArray(uv, 2));
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

static bool read_kind(studio_call *call, sb_contact_kind *out, sb_error *err) {
    static const char *const names[] = {
#define CONTACT_KIND(kind, name, ...) [SB_CONTACT_##kind] = name,
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_KIND
    };
    const char *name;
    if (!read_text(call->json, "kind", &name, err)) return false;
    *out = SB_CONTACT_SLIDE;
    if (!name) return true;
    for (int i = 0; i < SB_CONTACT_KINDS; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *out = (sb_contact_kind)i;
        return true;
    }
    return studio_fail(call, "bad_field", err,
                       "there is no kind of contact '%.60s'", name);
}

/* Force, speed and place of the mouse. */
static bool read_motion(studio_call *call, sb_contact_kind kind,
                        sb_lasting_change *change, sb_error *err) {
    sb_vec3 velocity = {0};
    bool has_velocity;
    double speed = NAN, force = NAN;
    if (!read_vec3(call->json, "velocity", &velocity, &has_velocity, err) ||
        !read_number(call->json, "speed", -100, 100, &speed, err) ||
        !read_number(call->json, "force", 0, 1e4, &force, err) ||
        !read_place(call, &change->place[0], err)) {
        return false;
    }
    if (has_velocity) speed = sb_vec3_length(velocity);
    change->has_place[0] = change->place[0].has_point;
    change->has_force = isfinite(force);
    if (change->has_force) change->load.force_n = force;
    if (isfinite(speed)) {
        speed = fmin(speed, FASTEST_M_S);
        bool rolls = sb_contact_kind_rolls(kind);
        change->has_speed[0] = change->has_speed[1] = change->has_slip = true;
        change->load.speed_m_s[0] = speed;
        change->load.speed_m_s[1] = rolls ? speed : 0.0;
        change->load.slip_m_s = rolls ? 0.0 : speed;
    }
    change->ramp_s = SCRAPE_S;
    return true;
}

static bool begin_scrape(studio_call *call, studio_client *hand,
                         sb_error *err) {
    studio_body *body = studio_call_body(call, err);
    sb_lasting_setup setup = {.level = 1.0};
    sb_lasting_change first = {0};
    if (!body || !read_kind(call, &setup.kind, err)) return false;
    setup.body = body->id;
    setup.seed = body->number;
    if (!read_motion(call, setup.kind, &first, err) ||
        !read_thing(call, &setup.thing, err)) {
        return false;
    }
    sb_status status = sb_scene_end_contact(scene_of(call), hand->scrape,
                                            call->time_s, RELEASE_S, NULL);
    (void)status; /* a stale one is not an error */
    if (sb_scene_begin_contact(scene_of(call), &setup, &first, call->time_s,
                               &hand->scrape, err)) {
        call->code = "failed";
        return false;
    }
    hand->scraped = body->number;
    hand->kind = setup.kind;
    return true;
}

bool studio_do_scrape(studio_call *call, sb_error *err) {
    studio_client *hand = call->client ? call->client : &call->studio->replayed;
    const char *phase;
    if (!read_text(call->json, "phase", &phase, err)) return false;
    if (!call->studio->host)
        return studio_fail(call, "no_scene", err, "no scene is open");
    if (phase && strcmp(phase, "begin") == 0)
        return begin_scrape(call, hand, err);
    bool is_end = phase && strcmp(phase, "end") == 0;
    if (!is_end && (!phase || strcmp(phase, "move") != 0))
        return studio_fail(call, "bad_field", err,
                           "phase must be begin, move or end");
    sb_status status = SB_OK;
    if (is_end) {
        status = sb_scene_end_contact(scene_of(call), hand->scrape,
                                      call->time_s, RELEASE_S, err);
        hand->scraped = 0;
    } else if (sb_scene_has_contact(scene_of(call), hand->scrape)) {
        sb_lasting_change change = {0};
        if (!read_motion(call, hand->kind, &change, err)) return false;
        status = sb_scene_move_contact(scene_of(call), hand->scrape, &change,
                                       call->time_s, err);
    }
    if (status) {
        call->code = "failed";
        return false;
    }
    if (!is_end) {
        cJSON_Delete(call->reply);
        call->reply = NULL;
    }
    return true;
}

void studio_end_touches(studio *self, studio_client *client) {
    if (!self->host) return;
    sb_scene *scene = sb_host_scene(self->host);
    sb_status status = sb_scene_end_contact(scene, client->scrape, self->now_s,
                                            RELEASE_S, NULL);
    (void)status;
    client->scraped = client->grabbed = 0;
}

/* --- throws ------------------------------------------------------------------------ */

/* A unit quaternion, as pages get it in poses. */
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

static bool release(studio_call *call, studio_client *hand, sb_error *err) {
    studio_body *body = studio_body_of(call->studio, hand->grabbed);
    sb_scene *scene = scene_of(call);
    hand->grabbed = 0;
    if (!body || !sb_scene_has(scene, body->id)) return true;
    sb_pose pose = sb_scene_pose(scene, body->id);
    if (!read_vec3(call->json, "velocity", &pose.velocity, NULL, err) ||
        !read_vec3(call->json, "spin", &pose.spin, NULL, err) ||
        !read_vec3(call->json, "position", &pose.position, NULL, err) ||
        !read_turn(call->json, "orientation", &pose.rotation, err)) {
        return false;
    }
    double speed = sb_vec3_length(pose.velocity);
    if (speed > FASTEST_M_S)
        pose.velocity = sb_vec3_scale(pose.velocity, FASTEST_M_S / speed);
    return sb_scene_set_pose(scene, body->id, &pose, call->time_s, err) ==
           SB_OK;
}

bool studio_do_throw(studio_call *call, sb_error *err) {
    studio_client *hand = call->client ? call->client : &call->studio->replayed;
    const char *phase;
    if (!call->studio->host)
        return studio_fail(call, "no_scene", err, "no scene is open");
    if (!read_text(call->json, "phase", &phase, err)) return false;
    if (phase && strcmp(phase, "release") == 0) return release(call, hand, err);
    bool is_grab = phase && strcmp(phase, "grab") == 0;
    if (!is_grab && (!phase || strcmp(phase, "move") != 0))
        return studio_fail(call, "bad_field", err,
                           "phase must be grab, move or release");
    if (is_grab) {
        studio_body *body = studio_call_body(call, err);
        if (!body) return false;
        if (sb_scene_motion(scene_of(call), body->id) != SB_MOTION_FREE)
            return studio_fail(call, "bad_field", err,
                               "'%s' does not move freely", body->name);
        hand->grabbed = body->number;
        hand->hand = sb_scene_pose(scene_of(call), body->id).position;
    }
    if (!read_vec3(call->json, "point", &hand->hand, NULL, err)) return false;
    if (!is_grab) {
        cJSON_Delete(call->reply);
        call->reply = NULL;
    }
    return true;
}

/* A held body flies to the hand: it has the speed that brings it there. */
static void pull(studio *self, studio_client *hand, double time_s) {
    sb_scene *scene = sb_host_scene(self->host);
    const studio_body *body = studio_body_of(self, hand->grabbed);
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

void studio_pull_held(studio *self, double time_s) {
    for (int i = 0; i < NET_CLIENTS; i++)
        if (self->clients[i].grabbed) pull(self, &self->clients[i], time_s);
    if (self->replayed.grabbed) pull(self, &self->replayed, time_s);
}
