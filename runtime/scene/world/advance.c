/* SPDX-License-Identifier: MIT */
/* Takes the steps of the world: turns its events into impacts and lasting
 * contacts, and sends the new poses to the ears. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* More impacts per control step cannot be heard separately. */
enum { MOST_IMPACTS = 512 };

/* After this time without a foreign step. */
#define PAUSE_S 0.1

/* --- events -------------------------------------------------------------- */

sb_event *scene_world_report(sb_scene *scene, sb_event_kind kind,
                             const sb_body_id body[2], const sb_tracked *event,
                             double time_s, double duration_s) {
    sb_event told = {.kind = kind,
                     .time_s = time_s,
                     .body = {body[0], body[1]},
                     .spot = {.point = event->point, .normal = event->normal},
                     .impulse_ns = event->impulse_ns,
                     .speed_m_s = event->speed_m_s,
                     .slip_m_s = sb_vec3_length(event->slip_m_s),
                     .force_n = event->force_n,
                     .restitution = event->restitution,
                     .contact = event->contact,
                     .duration_s = duration_s};
    scene_event_name(scene, &told);
    return scene_event_add(scene, &told);
}

/* --- bodies out of bounds ------------------------------------------------ */

static uint32_t user_of(const scene_world *world, sb_solid_id solid) {
    for (int i = 1; i < world->solid_count; i++) {
        if (world->solids[i].solid.index == solid.index &&
            world->solids[i].solid.generation == solid.generation)
            return (uint32_t)i;
    }
    return 0;
}

static void mute_lost(sb_scene *scene, double time_s) {
    scene_world *world = scene->world;
    sb_solid_id solid;
    while (sb_world_next_lost(world->world, &solid)) {
        sb_body_id id = scene_world_body(world, user_of(world, solid));
        world->lost_ever++;
        if (!sb_scene_has(scene, id)) continue;
        scene_body *body = scene_body_of(scene, id);
        body->is_lost = true;
        scene_unfollow(scene, id, time_s);
        sb_status status = scene_send(scene, body, time_s, false, NULL);
        if (status) world->unheard++;
        if (sb_grow_list(world->lost, world->lost_capacity,
                         world->lost_count + 1))
            world->lost[world->lost_count++] = id;
    }
}

bool sb_scene_next_lost(sb_scene *scene, sb_body_id *out) {
    scene_world *world = scene->world;
    while (world && world->lost_count > 0) {
        *out = world->lost[0];
        memmove(world->lost, world->lost + 1,
                (size_t)--world->lost_count * sizeof *world->lost);
        if (sb_scene_has(scene, *out)) return true;
    }
    return false;
}

/* --- steps --------------------------------------------------------------- */

/* True when nothing moves or will start to move by itself. */
static bool is_still(const sb_scene *scene) {
    for (int i = 0; i < scene->declared.world.field_count; i++)
        if (scene->declared.world.fields[i].frequency_hz > 0.0) return false;
    if (sb_world_awake_count(scene->world->world) > 0) return false;
    for (int i = 0; i < scene->order_count; i++) {
        const scene_body *body = &scene->bodies[scene->order[i]];
        if (body->declared.def.moves.motion != SB_MOTION_SCRIPTED) continue;
        if (!is_zero(body->pose.velocity) || !is_zero(body->pose.spin))
            return false;
    }
    return true;
}

/* Wind, fields and the forces that a script has set, for a whole step. A field
 * is taken where the body is in the middle of the step: a drift, a kick and a
 * drift, which keep the energy of springs and orbits. */
static void push_all(sb_scene *scene) {
    const sb_world_rules *rules = &scene->declared.world;
    scene_world *world = scene->world;
    double half_s = 0.5 / world->rate_hz;
    double middle_s = scene_world_now(world) + half_s;
    sb_world_set_medium(world->world, rules->air_kg_m3, rules->wind);
    if (rules->field_count == 0 && !world->has_forces) return;
    world->has_forces = rules->field_count > 0;
    for (int i = 1; i < world->solid_count; i++) {
        const world_solid *solid = &world->solids[i];
        if (solid->solid.generation == 0 ||
            sb_scene_motion(scene, solid->body) != SB_MOTION_FREE)
            continue;
        double mass_kg = sb_world_mass_kg(world->world, solid->solid);
        sb_pose pose = sb_world_pose(world->world, solid->solid);
        sb_vec3 at = sb_vec3_plus(pose.position, pose.velocity, half_s);
        sb_vec3 sum = solid->force_n;
        for (int k = 0; k < rules->field_count; k++) {
            sb_vec3 a =
                sb_force_field_at(&rules->fields[k], at, mass_kg, middle_s);
            sum = sb_vec3_plus(sum, a, mass_kg);
        }
        world->has_forces |= sb_vec3_length(solid->force_n) > 0.0;
        sb_world_set_force(world->world, solid->solid, sum);
    }
}

static sb_status step_world(sb_scene *scene, const sb_tracked **events,
                            int *count, sb_error *err) {
    scene_world *world = scene->world;
    sb_world_set_rebound(world->world, scene_rebound, scene);
    push_all(scene);
    sb_status status = sb_world_step(world->world, err);
    if (status) return status;
    world->was_limited |= sb_world_is_limited(world->world);
    int point_count;
    const sb_contact_point *points =
        sb_world_contact_points(world->world, &point_count);
    return sb_tracker_step(world->tracker, points, point_count, events, count,
                           err);
}

void scene_play_events(sb_scene *scene, const sb_tracked *events, int count,
                       double start_s, int *impacts) {
    for (int i = 0; i < count; i++) {
        double time_s = start_s + events[i].time_s;
        if (events[i].kind != SB_TRACKED_IMPACT) {
            scene_follow(scene, &events[i], time_s);
        } else if ((*impacts)++ < MOST_IMPACTS) {
            scene_collide(scene, &events[i], time_s, true);
        } else {
            scene->world->unheard++;
        }
    }
}

static sb_status take_step(sb_scene *scene, int *impacts, sb_error *err) {
    double start_s = scene_world_now(scene->world);
    int event_count = 0;
    const sb_tracked *events;
    sb_status status = step_world(scene, &events, &event_count, err);
    if (!status)
        scene_play_events(scene, events, event_count, start_s, impacts);
    return status;
}

/* Time of the first blow that may throw something. */
static double next_blow_s(const sb_scene *scene) {
    double next = INFINITY;
    for (int i = 0; i < scene->blows.count; i++)
        next = fmin(next, scene->blows.blows[i].time_s);
    return next;
}

/* Copy the poses of all bodies from the world. */
static void take_poses(sb_scene *scene) {
    const scene_world *world = scene->world;
    for (int i = 1; i < world->solid_count; i++) {
        const world_solid *solid = &world->solids[i];
        if (solid->solid.generation == 0 || !sb_scene_has(scene, solid->body))
            continue;
        scene_body *body = scene_body_of(scene, solid->body);
        if (body->declared.def.moves.motion != SB_MOTION_FIXED)
            body->pose = sb_world_pose(world->world, solid->solid);
    }
}

static bool moves(const scene_body *body) {
    return body->user != 0 && !body->is_lost &&
           body->declared.def.moves.motion != SB_MOTION_FIXED;
}

static void keep_heard(sb_scene *scene) {
    for (int i = 0; i < scene->order_count; i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        scene_body *body = scene_body_of(scene, id);
        if (moves(body)) body->heard = sb_scene_pose(scene, id);
    }
}

bool scene_world_leg(const sb_scene *scene, sb_body_id id, double from_s,
                     double to_s, sb_leg *out) {
    const scene_body *body = scene_body_of(scene, id);
    if (!moves(body)) return false;
    *out = (sb_leg){from_s,
                    to_s,
                    body->heard.position,
                    body->heard.velocity,
                    body->pose.position,
                    body->pose.velocity,
                    body->heard.rotation,
                    body->pose.rotation,
                    body->heard.spin,
                    body->pose.spin};
    if (sb_scene_is_asleep(scene, id))
        out->end_velocity = out->end_spin = (sb_vec3){0};
    return !is_zero(sb_vec3_sub(out->end, out->start)) ||
           !is_zero(out->start_velocity) || !is_zero(out->end_velocity) ||
           !is_zero(out->start_spin) || !is_zero(out->end_spin);
}

/* Send the ears the motion of each body since `from_s`. */
static void send_poses(sb_scene *scene, double from_s, double to_s) {
    for (int i = 0; i < scene->order_count; i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        sb_leg leg;
        if (!scene_world_leg(scene, id, from_s, to_s, &leg)) continue;
        /* When out of memory, it is heard from its old place. */
        sb_status status =
            scene_send_motion(scene, scene_body_of(scene, id), &leg, NULL);
        (void)status;
    }
}

/* Deformable bodies go through the last world step only when no script can do
 * something to them within it any more. */
static sb_status catch_up(sb_scene *scene, double now_s, sb_error *err) {
    double world_s = scene_world_now(scene->world);
    bool is_whole = world_s <= now_s + 1e-9;
    return is_whole ? scene_world_deform_end(scene, world_s, err) : SB_OK;
}

/* The steps were taken elsewhere (foreign_step.h). When none has come for a
 * while, the other engine is paused, and so is what it moves. */
static void advance_foreign(sb_scene *scene, double from_s, double to_s) {
    world_foreign *foreign = &scene->world->foreign;
    bool has_moved = foreign->now_s > foreign->heard_s;
    scene_shake(scene, to_s);
    if (from_s > foreign->now_s + PAUSE_S) {
        scene_follow_none(scene, from_s, true);
    } else {
        scene_follow_up(scene, from_s);
    }
    scene_occlude(scene, has_moved, to_s);
    if (has_moved) {
        send_poses(scene, foreign->heard_s, foreign->now_s);
        keep_heard(scene);
        foreign->heard_s = foreign->now_s;
    }
}

sb_status sb_scene_advance(sb_scene *scene, double from_s, double to_s,
                           sb_error *err) {
    sb_status status = scene_look(scene, from_s, err);
    scene_world *world = scene->world;
    if (status || !world) return status;
    if (world->foreign.is_on) {
        advance_foreign(scene, from_s, to_s);
        return SB_OK;
    }
    int impacts = 0;
    bool has_moved = false;
    double start_s = scene_world_now(world);
    keep_heard(scene);
    bool has_deform = scene_deform_is_on(scene);
    while (!status && scene_world_now(world) < to_s) {
        scene_shake(scene, scene_world_now(world) + 1.0 / world->rate_hz);
        if (has_deform) {
            status = catch_up(scene, scene_world_now(world), err);
            if (status) break;
            scene_world_deform_begin(scene);
        }
        if (is_still(scene) && !has_deform) {
            double next_s = fmin(next_blow_s(scene), to_s);
            double left = (next_s - scene_world_now(world)) * world->rate_hz;
            world->skipped += (int64_t)fmax(ceil(left - 1e-9), 1.0);
            continue;
        }
        has_moved = true;
        status = take_step(scene, &impacts, err);
        if (!status) take_poses(scene);
    }
    if (has_deform && !status) status = catch_up(scene, to_s, err);
    mute_lost(scene, to_s);
    scene_follow_up(scene, from_s);
    scene_occlude(scene, has_moved, to_s);
    if (has_moved) send_poses(scene, start_s, scene_world_now(world));
    if (has_moved && is_still(scene)) scene_follow_none(scene, to_s, true);
    return status;
}
