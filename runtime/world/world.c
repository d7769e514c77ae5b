/* SPDX-License-Identifier: MIT */
/* Creates worlds; adds, moves and removes their solids. Runs on the control
 * thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <assert.h>
#include <math.h>

static const double MOST_PLACE = 1e6; /* m, m/s, rad/s */

sb_world_def sb_world_def_default(void) {
    return (sb_world_def){.gravity = {0.0, -9.81, 0.0}, .rate_hz = 1000.0};
}

static bool is_pose_sound(const sb_pose *pose) {
    const sb_quat *q = &pose->rotation;
    double length = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
    return sb_is_within(pose->position, MOST_PLACE) &&
           sb_is_within(pose->velocity, MOST_PLACE) &&
           sb_is_within(pose->spin, MOST_PLACE) && length > 1e-12 &&
           length < 1e12;
}

static void take_pose(sb_solid *solid, const sb_pose *pose) {
    solid->rotation = sb_quat_normalised(pose->rotation);
    sb_vec3 arm = sb_quat_turn(solid->rotation, solid->mass.centre);
    solid->position = sb_vec3_add(pose->position, arm);
    solid->spin = pose->spin;
    solid->velocity =
        sb_vec3_add(pose->velocity, sb_vec3_cross(pose->spin, arm));
    solid->sound_position = solid->position;
    solid->sound_rotation = solid->rotation;
    solid->rest.calm[0] = solid->velocity;
    solid->rest.calm[1] = solid->spin;
    if (solid->motion != SB_MOTION_FIXED) return;
    solid->velocity = solid->spin = (sb_vec3){0.0, 0.0, 0.0};
}

/* --- the world ------------------------------------------------------------ */

/* Least number of substeps per second. */
static const double SUBSTEPS_HZ = 4000.0;

sb_status sb_world_create(const sb_world_def *def, sb_world **out,
                          sb_error *err) {
    if (!(def->rate_hz >= 60.0 && def->rate_hz <= 10000.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the world's rate is %g steps per second; expected "
                       "60 to 10000",
                       def->rate_hz);
    if (!sb_is_within(def->gravity, MOST_PLACE))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "gravity is not finite or beyond 1e6 m/s^2");
    sb_world *world = sb_alloc(1, sizeof *world);
    if (!world) return sb_no_memory_for(err, "a world");
    world->step_s = 1.0 / def->rate_hz;
    world->substeps = def->substeps;
    if (def->substeps <= 0) {
        world->substeps = (int)ceil(SUBSTEPS_HZ / def->rate_hz);
        if (world->substeps < 4) world->substeps = 4;
    }
    sb_world_set_gravity(world, def->gravity);
    *out = world;
    return SB_OK;
}

static void free_solid(sb_world *world, int index) {
    sb_solid *solid = &world->solids[index];
    sb_world_remove_joints_of(world, index);
    sb_solid_free_collider(solid);
    solid->is_used = false;
    world->used_count--;
}

void sb_world_destroy(sb_world *world) {
    if (!world) return;
    for (int i = 0; i < world->solid_count; i++)
        if (world->solids[i].is_used) free_solid(world, i);
    for (int i = 0; i < world->pair_count; i++)
        sb_pair_free(&world->pairs[i]);
    sb_free_all(world->solids, world->free_slots.items, world->islands.items,
                world->joints, world->active.items, world->sweep.sorted.items,
                world->sweep.keys, world->sweep.key_room,
                world->sweep.bins.items, world->pairs, world->sweep.next_pairs,
                world->contacts, world->old.items, world->blows.links.items,
                world->blows.due, world->blows.heads.items,
                world->report.points, world->lost.ids, world);
}

void sb_world_set_rebound(sb_world *world, sb_rebound rebound, void *user) {
    world->rebound = rebound;
    world->rebound_user = user;
}

void sb_world_set_gravity(sb_world *world, sb_vec3 gravity) {
    if (!sb_is_within(gravity, MOST_PLACE)) return;
    world->gravity = gravity;
    for (int i = 0; i < world->solid_count; i++)
        sb_solid_wake(&world->solids[i]);
}

double sb_world_step_s(const sb_world *world) {
    return world->step_s;
}

int64_t sb_world_steps(const sb_world *world) {
    return world->steps;
}

/* --- solids --------------------------------------------------------------- */

static sb_status check_def(const sb_solid_def *def, sb_error *err) {
    if (!is_pose_sound(&def->pose))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a solid's pose is not finite or beyond 1e6 m, m/s or "
                       "rad/s");
    if (!(def->restitution >= 0.0 && def->restitution <= 1.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a solid's restitution is %g; expected 0 to 1",
                       def->restitution);
    if (!(def->friction >= 0.0 && def->friction <= 10.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a solid's friction is %g; expected 0 to 10",
                       def->friction);
    if (!(def->rolling >= 0.0 && def->rolling <= 1.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a solid's rolling friction is %g; expected 0 to 1",
                       def->rolling);
    if (!(def->lever_m >= 0.0 && def->lever_m <= 1.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a solid's rolling lever is %g m; expected 0 to 1",
                       def->lever_m);
    return sb_solid_check_collider(def, err);
}

static sb_status fill_mass(sb_solid *solid, const sb_solid_def *def,
                           sb_error *err) {
    if (def->motion != SB_MOTION_FREE) return SB_OK;
    sb_status status =
        sb_mass_properties_find(def, &solid->faces, &solid->mass, err);
    if (status != SB_OK) return status;
    solid->inverse_mass = 1.0 / solid->mass.mass_kg;
    sb_solid_set_rotor(solid);
    return sb_solid_set_rims(solid, err);
}

/* Takes a slot for a new solid: the one freed last, or a new one. The list
 * of free slots has room for all slots, so that removal cannot fail. */
static int take_slot(sb_world *world) {
    if (world->free_slots.count > 0)
        return world->free_slots.items[--world->free_slots.count];
    int next = world->solid_count;
    if (!sb_grow_list(world->solids, world->solid_capacity, next + 1) ||
        !sb_ints_grow(&world->free_slots, next + 1) ||
        !sb_ints_grow(&world->islands, next + 1) ||
        !sb_grow_list(world->lost.ids, world->lost.capacity, next + 1))
        return -1;
    world->solids[next] = (sb_solid){0};
    world->solid_count++;
    return next;
}

/* Solids near a change may begin to move: they wake, and wake their own
 * neighbours in the next step. */
static void wake_near(sb_world *world, int index) {
    for (int i = 0; i < world->pair_count; i++) {
        const sb_pair *pair = &world->pairs[i];
        if (pair->first == index)
            sb_solid_wake(&world->solids[pair->second]);
        else if (pair->second == index)
            sb_solid_wake(&world->solids[pair->first]);
    }
}

/* What was found of its pairs is no longer true. */
static void forget_pairs(sb_world *world, int index) {
    for (int i = 0; i < world->pair_count; i++) {
        sb_pair *pair = &world->pairs[i];
        if (pair->first != index && pair->second != index) continue;
        sb_pair_free(pair);
        *pair = (sb_pair){.first = pair->first, .second = pair->second};
    }
}

sb_status sb_world_add(sb_world *world, const sb_solid_def *def,
                       sb_solid_id *out, sb_error *err) {
    sb_status status = check_def(def, err);
    if (status != SB_OK) return status;
    int index = take_slot(world);
    if (index < 0) return sb_no_memory_for(err, "a solid");
    sb_solid *solid = &world->solids[index];
    uint32_t generation = solid->generation + 1;
    *solid = (sb_solid){.generation = generation,
                        .motion = def->motion,
                        .user = def->user,
                        .collider = def->collider,
                        .surface = {def->restitution, def->friction,
                                    def->rolling, def->lever_m, def->given},
                        .force.drag_m2 = def->drag_m2,
                        .rotation = sb_quat_identity()};
    status = sb_solid_make_collider(solid, def->shape, err);
    if (status == SB_OK) status = fill_mass(solid, def, err);
    if (status != SB_OK) {
        sb_solid_free_collider(solid);
        world->free_slots.items[world->free_slots.count++] = index;
        return status;
    }
    sb_solid_set_reach(solid);
    take_pose(solid, &def->pose);
    sb_solid_turn_inertia(solid);
    forget_pairs(world, index);
    solid->is_used = solid->is_new = world->has_new = true;
    world->used_count++;
    *out = (sb_solid_id){(uint32_t)index, generation};
    return SB_OK;
}

int sb_world_find(const sb_world *world, sb_solid_id id) {
    if (id.generation == 0 || id.index >= (uint32_t)world->solid_count)
        return -1;
    const sb_solid *solid = &world->solids[id.index];
    bool is_it = solid->is_used && solid->generation == id.generation;
    return is_it ? (int)id.index : -1;
}

void sb_world_remove(sb_world *world, sb_solid_id id) {
    int index = sb_world_find(world, id);
    if (index < 0) return;
    wake_near(world, index);
    forget_pairs(world, index);
    free_solid(world, index);
    world->free_slots.items[world->free_slots.count++] = index;
}

int sb_world_count(const sb_world *world) {
    return world->used_count;
}

static sb_solid *solid_of(const sb_world *world, sb_solid_id id) {
    int index = sb_world_find(world, id);
    assert(index >= 0);
    return &world->solids[index];
}

sb_pose sb_world_pose(const sb_world *world, sb_solid_id id) {
    const sb_solid *solid = solid_of(world, id);
    sb_vec3 origin = sb_solid_origin(solid);
    return (sb_pose){.position = origin,
                     .rotation = solid->rotation,
                     .velocity = sb_solid_velocity_at(solid, origin),
                     .spin = solid->spin};
}

/* Drops entries that were reported or whose solid was removed. Each slot is
 * listed at most once, so the list has room for all slots. */
static void drop_reported(sb_world *world) {
    int kept = 0;
    for (int i = world->lost.read; i < world->lost.count; i++)
        if (sb_world_find(world, world->lost.ids[i]) >= 0)
            world->lost.ids[kept++] = world->lost.ids[i];
    world->lost.count = kept;
    world->lost.read = 0;
}

void sb_world_lose(sb_world *world, int index) {
    sb_solid *solid = &world->solids[index];
    solid->position = solid->sound_position;
    solid->rotation = solid->sound_rotation;
    solid->velocity = solid->spin = (sb_vec3){0.0, 0.0, 0.0};
    if (solid->is_lost) return;
    solid->is_lost = true;
    if (solid->is_listed) return;
    solid->is_listed = true;
    if (world->lost.count == world->lost.capacity) drop_reported(world);
    world->lost.ids[world->lost.count++] =
        (sb_solid_id){(uint32_t)index, solid->generation};
}

bool sb_world_next_lost(sb_world *world, sb_solid_id *out) {
    while (world->lost.read < world->lost.count) {
        sb_solid_id id = world->lost.ids[world->lost.read++];
        if (sb_world_find(world, id) < 0) continue;
        world->solids[id.index].is_listed = false;
        /* The solid may have been placed again since. */
        if (!world->solids[id.index].is_lost) continue;
        *out = id;
        return true;
    }
    return false;
}

/* A lost solid that is placed again is no longer lost. */
void sb_world_place(sb_world *world, sb_solid_id id, const sb_pose *pose) {
    sb_solid *solid = solid_of(world, id);
    if (!is_pose_sound(pose)) {
        sb_world_lose(world, (int)id.index);
        return;
    }
    solid->is_lost = false;
    wake_near(world, (int)id.index);
    forget_pairs(world, (int)id.index);
    take_pose(solid, pose);
    solid->bounds.are_kept = false;
    solid->crowd.spread_s = 0.0;
    sb_solid_turn_inertia(solid);
    sb_solid_wake(solid);
}

void sb_world_push(sb_world *world, sb_solid_id id, sb_vec3 impulse_ns,
                   const sb_vec3 *point) {
    sb_solid *solid = solid_of(world, id);
    if (solid->motion != SB_MOTION_FREE || solid->is_lost) return;
    sb_solid_wake(solid);
    solid->velocity =
        sb_vec3_plus(solid->velocity, impulse_ns, solid->inverse_mass);
    if (point) {
        sb_vec3 arm = sb_vec3_sub(*point, solid->position);
        sb_vec3 turn = sb_vec3_cross(arm, impulse_ns);
        solid->spin = sb_vec3_add(solid->spin,
                                  sb_sym_times(solid->inverse_inertia, turn));
    }
    if (!sb_is_within(solid->velocity, MOST_PLACE) ||
        !sb_is_within(solid->spin, MOST_PLACE))
        sb_world_lose(world, (int)id.index);
}

bool sb_world_is_asleep(const sb_world *world, sb_solid_id id) {
    return solid_of(world, id)->is_asleep;
}

int sb_world_awake_count(const sb_world *world) {
    int count = 0;
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &world->solids[i];
        count += solid->is_used && solid->motion == SB_MOTION_FREE &&
                 !solid->is_asleep && !solid->is_lost;
    }
    return count;
}

/* --- forces --------------------------------------------------------------- */

static bool is_same(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Smaller changes of a force do not wake a solid. */
static const double LEAST_PUSH_M_S2 = 0.1;

void sb_world_set_force(sb_world *world, sb_solid_id id, sb_vec3 force_n) {
    sb_solid *solid = solid_of(world, id);
    if (solid->motion != SB_MOTION_FREE || !sb_is_within(force_n, 1e12)) return;
    sb_vec3 push = sb_vec3_scale(force_n, solid->inverse_mass);
    double change = sb_vec3_length(sb_vec3_sub(push, solid->force.felt_m_s2));
    solid->force.push_m_s2 = push;
    if (!(change > LEAST_PUSH_M_S2)) return;
    solid->force.felt_m_s2 = push;
    sb_solid_wake(solid);
}

double sb_world_mass_kg(const sb_world *world, sb_solid_id id) {
    return solid_of(world, id)->mass.mass_kg;
}

void sb_world_set_medium(sb_world *world, double density, sb_vec3 wind) {
    if (!(density >= 0.0 && density <= 1e5) || !sb_is_within(wind, MOST_PLACE))
        return;
    bool is_other = density != world->medium || !is_same(wind, world->wind);
    world->medium = density;
    world->wind = wind;
    for (int i = 0; is_other && i < world->solid_count; i++)
        if (world->solids[i].force.drag_m2 > 0.0)
            sb_solid_wake(&world->solids[i]);
}

bool sb_world_is_limited(const sb_world *world) {
    return world->has_limited;
}

/* --- what another solver does --------------------------------------------- */

sb_solid_body sb_world_body(const sb_world *world, sb_solid_id id) {
    const sb_solid *solid = solid_of(world, id);
    sb_solid_body out = {.collider = solid->collider,
                         .friction = solid->surface.friction,
                         .principal = {1.0, 0.0, 0.0, 0.0},
                         .points = solid->faces.points,
                         .corners = (const int(*)[3])solid->faces.corners,
                         .point_count = solid->faces.point_count,
                         .face_count = solid->faces.face_count};
    if (!(solid->inverse_mass > 0.0)) return out;
    out.mass_kg = 1.0 / solid->inverse_mass;
    out.centre = solid->mass.centre;
    out.principal = solid->inertia.principal;
    for (int k = 0; k < 3; k++)
        out.moments[k] = solid->inertia.moments[k];
    return out;
}

void sb_world_nudge(sb_world *world, sb_solid_id id,
                    const sb_solid_nudge *nudge) {
    sb_solid *solid = solid_of(world, id);
    if (solid->motion != SB_MOTION_FREE || solid->is_lost) return;
    sb_solid_wake(solid);
    solid->velocity = sb_vec3_add(solid->velocity, nudge->velocity_m_s);
    solid->spin = sb_vec3_add(solid->spin, nudge->spin_rad_s);
    solid->position = sb_vec3_add(solid->position, nudge->shift_m);
    double angle = sb_vec3_length(nudge->turn_rad);
    if (angle > 0.0) {
        sb_quat turn = sb_quat_about(nudge->turn_rad, angle);
        solid->rotation =
            sb_quat_normalised(sb_quat_times(turn, solid->rotation));
        sb_solid_turn_inertia(solid);
    }
    solid->bounds.are_kept = false;
    /* Neither NaN nor far away. */
    double far_m = sb_vec3_length(solid->position) +
                   sb_vec3_length(solid->velocity) +
                   sb_vec3_length(solid->spin);
    if (!(far_m < 1e6)) sb_world_lose(world, (int)id.index);
}
