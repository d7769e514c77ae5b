/* SPDX-License-Identifier: MIT */
/* One step: pairs, then substeps (world_internal.h). Runs on the control
 * thread. */
#include "runtime/base/stop.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Beyond these a solid is lost. */
static const double FAR_M = 1e6, FAST_M_S = 1e5;

/* More substeps than this are not taken, whatever is fast. */
enum { MOST_SUBSTEPS = 64 };

/* --- lost solids ---------------------------------------------------------- */

static bool is_sound(const sb_solid *solid) {
    sb_quat q = solid->rotation;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return sb_is_within(solid->position, FAR_M) &&
           sb_is_within(solid->velocity, FAST_M_S) &&
           sb_is_within(solid->spin, FAST_M_S) && norm > 0.5 && norm < 2.0;
}

/* Keeps the pose of a sound solid, and stops another one at the pose that was
 * kept: before it touches the others with numbers that are not finite. */
static void keep_or_lose(sb_world *world, int index) {
    sb_solid *solid = &world->solids[index];
    if (!is_sound(solid)) {
        sb_world_lose(world, index);
        return;
    }
    solid->sound_position = solid->position;
    solid->sound_rotation = solid->rotation;
}

static bool is_moving(const sb_solid *solid) {
    return solid->is_used && sb_solid_moves(solid);
}

/* Removes lost solids before they move. */
static void drop_lost(sb_world *world) {
    for (int i = 0; i < world->solid_count; i++)
        if (world->solids[i].is_used) keep_or_lose(world, i);
}

/* --- a substep ------------------------------------------------------------ */

/* An upper bound of the speed of its surface. */
static double surface_speed(const sb_solid *solid) {
    return sb_vec3_length(solid->velocity) +
           solid->reach_m * sb_vec3_length(solid->spin);
}

static void drift(sb_solid *solid, double time_s) {
    solid->bounds.fast_m_s = surface_speed(solid);
    solid->bounds.path_m += solid->bounds.fast_m_s * time_s;
    sb_solid_drift(solid, time_s);
    sb_solid_turn_inertia(solid);
}

static void drift_all(sb_world *world, double time_s) {
    for (int i = 0; i < world->active.count; i++) {
        int index = world->active.items[i];
        drift(&world->solids[index], time_s);
        keep_or_lose(world, index);
    }
}

/* The air drags it along by rho A u^2 / 2, u the velocity of the air against
 * it; taken implicitly, so that it never overshoots. */
static void drag(const sb_world *world, sb_solid *solid, double time_s) {
    if (!(solid->force.drag_m2 > 0.0)) return;
    sb_vec3 u = sb_vec3_sub(world->wind, solid->velocity);
    double rate = 0.5 * world->medium * solid->force.drag_m2 *
                  sb_vec3_length(u) * solid->inverse_mass * time_s;
    solid->velocity = sb_vec3_plus(solid->velocity, u, rate / (1.0 + rate));
}

static void kick(const sb_world *world, sb_solid *solid, double time_s) {
    if (solid->motion != SB_MOTION_FREE) return;
    sb_vec3 push = sb_vec3_add(world->gravity, solid->force.push_m_s2);
    solid->velocity = sb_vec3_plus(solid->velocity, push, time_s);
    drag(world, solid, time_s);
}

static void kick_all(sb_world *world, double time_s) {
    for (int i = 0; i < world->active.count; i++) {
        sb_solid *solid = &world->solids[world->active.items[i]];
        solid->fix.shift = solid->fix.turn = (sb_vec3){0.0, 0.0, 0.0};
        solid->fix.part_m_s = solid->fix.part_rad_s = solid->fix.shift;
        kick(world, solid, time_s);
    }
}

static bool is_zero(sb_vec3 v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

/* Positions that blows and parting correct. */
static void correct_all(sb_world *world, double substep_s) {
    for (int i = 0; i < world->active.count; i++) {
        sb_solid *solid = &world->solids[world->active.items[i]];
        if (solid->motion != SB_MOTION_FREE) continue;
        sb_vec3 way =
            sb_vec3_plus(solid->fix.shift, solid->fix.part_m_s, substep_s);
        sb_vec3 turn =
            sb_vec3_plus(solid->fix.turn, solid->fix.part_rad_s, substep_s);
        if (is_zero(way) && is_zero(turn)) continue;
        solid->bounds.path_m +=
            sb_vec3_length(way) + solid->reach_m * sb_vec3_length(turn);
        solid->position = sb_vec3_add(solid->position, way);
        solid->rotation = sb_quat_turned(solid->rotation, turn);
    }
}

/* In mid-substep, after half a substep of drift. The drifts of two substeps
 * that follow each other are one. */
static sb_status substep(sb_world *world, double since_s, double h,
                         sb_error *err) {
    sb_status status = sb_world_make_contacts(world, h, err);
    if (status != SB_OK) return status;
    kick_all(world, h);
    sb_world_prepare(world);
    sb_world_blows(world, h);
    sb_world_solve(world, h);
    sb_world_part(world, h);
    sb_world_sum_contacts(world, since_s);
    correct_all(world, h);
    return sb_stop_check(err);
}

static sb_status substeps(sb_world *world, sb_error *err) {
    int count = world->substeps_now;
    double h = world->step_s / count;
    drift_all(world, 0.5 * h);
    for (int i = 0; i < count; i++) {
        sb_status status = substep(world, h * i, h, err);
        if (status != SB_OK) return status;
        drift_all(world, i < count - 1 ? h : 0.5 * h);
    }
    return SB_OK;
}

/* Solids that touch nothing in this step take it at once: their flight is
 * exact. The others are listed. */
static bool fly(sb_world *world) {
    if (!sb_ints_grow(&world->active, world->solid_count)) return false;
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].is_alone = world->solids[i].joint_count == 0;
    for (int i = 0; i < world->pair_count; i++) {
        world->solids[world->pairs[i].first].is_alone = false;
        world->solids[world->pairs[i].second].is_alone = false;
    }
    world->active.count = 0;
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (!is_moving(solid)) continue;
        if (!solid->is_alone) {
            world->active.items[world->active.count++] = i;
            continue;
        }
        drift(solid, 0.5 * world->step_s);
        kick(world, solid, world->step_s);
        drift(solid, 0.5 * world->step_s);
    }
    return true;
}

/* --- the step ------------------------------------------------------------- */

/* Large heaps have half the substeps. */
enum { HEAP_CONTACTS = 120 };

/* A contact runs round a rim by less than this in a substep, rad: a coin's last
 * turns are the fastest. */
static const double RIM_RAD = 0.04;
/* ... while this many contacts are solved in all substeps of a step. */
static const double RIM_CONTACTS = 200.0;
/* Contacts times substeps, per second of the world: more would take seconds per
 * second. */
static const double SOLVED_HZ = 8e6;

/* How far the two may approach in a substep, as a share of the thinner one's
 * half thickness.
 * Where points are found before the solids touch, nothing passes; where a face
 * is remembered, little can; the collision library sees only overlaps. */
static double thin_share(const sb_solid *a, const sb_solid *b) {
    sb_collider_kind one = a->collider.kind, other = b->collider.kind;
    if (one == SB_COLLIDER_FLOOR || other == SB_COLLIDER_FLOOR ||
        one == SB_COLLIDER_SPHERE || other == SB_COLLIDER_SPHERE)
        return 2.0;
    return one == SB_COLLIDER_RING || other == SB_COLLIDER_RING ? 0.6 : 0.5;
}

/* Enough substeps that no pair approaches by more than a part of the thinner
 * solid in one of them; fewer among very many contacts. */
static int substeps_for(sb_world *world) {
    double few = RIM_CONTACTS / (world->contact_count + 1.0);
    double most = world->rim_rad_s * world->step_s / RIM_RAD;
    int least = world->substeps;
    if (world->contact_count > HEAP_CONTACTS) least = (least + 1) / 2;
    most = fmax(fmin(most, few), least);
    for (int i = 0; i < world->pair_count; i++) {
        const sb_pair *pair = &world->pairs[i];
        const sb_solid *a = &world->solids[pair->first],
                       *b = &world->solids[pair->second];
        if (a->bounds.are_kept && b->bounds.are_kept) continue;
        double way = sb_pair_way(world, pair, world->step_s);
        double thin = fmin(a->size.thin_m, b->size.thin_m);
        most = fmax(most, way / (thin_share(a, b) * thin));
    }
    most = fmin(ceil(most), fmax(MOST_SUBSTEPS, world->substeps));
    double allowed = SOLVED_HZ * world->step_s / (world->contact_count + 1.0);
    allowed = fmax(floor(allowed), least);
    if (most > allowed) world->has_limited = true;
    return (int)fmin(most, allowed);
}

static bool has_motion(const sb_world *world) {
    for (int i = 0; i < world->solid_count; i++)
        if (is_moving(&world->solids[i])) return true;
    return false;
}

static sb_status step(sb_world *world, sb_error *err) {
    sb_world_wake_joined(world);
    sb_status status = sb_world_find_pairs(world, err);
    if (status != SB_OK) return status;
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].touch_count = 0;
    world->substeps_now = substeps_for(world);
    world->rim_rad_s = 0.0;
    if (!fly(world)) return sb_no_memory_for(err, "a step");
    status = substeps(world, err);
    if (status == SB_OK) status = sb_world_report_contacts(world, err);
    drop_lost(world);
    sb_world_update_sleep(world);
    return status;
}

sb_status sb_world_step(sb_world *world, sb_error *err) {
    world->steps++;
    world->report.count = 0;
    drop_lost(world);
    if (!has_motion(world)) return SB_OK;
    sb_status status = step(world, err);
    if (status != SB_INTERRUPTED) return status;
    return sb_fail(err, status, "interrupted in a step of the world");
}

int sb_world_least_substeps(const sb_world *world) {
    return world->substeps;
}
