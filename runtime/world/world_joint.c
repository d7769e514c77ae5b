/* Ball, hinge and slider joints: checks, making, removing. joint_rows.c solves
 * them. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <math.h>

bool sb_world_are_joined(const sb_world *world, int first, int second) {
    if (world->solids[first].joint_count == 0 ||
        world->solids[second].joint_count == 0)
        return false;
    for (int i = 0; i < world->joint_count; i++) {
        const sb_joint *joint = &world->joints[i];
        if (!joint->is_used) continue;
        if ((joint->solid[0] == first && joint->solid[1] == second) ||
            (joint->solid[0] == second && joint->solid[1] == first))
            return true;
    }
    return false;
}

void sb_world_wake_joined(sb_world *world) {
    for (bool has_woken = true; has_woken;) {
        has_woken = false;
        for (int i = 0; i < world->joint_count; i++) {
            const sb_joint *joint = &world->joints[i];
            if (!joint->is_used || joint->solid[1] < 0) continue;
            sb_solid *a = &world->solids[joint->solid[0]],
                     *b = &world->solids[joint->solid[1]];
            if (sb_solid_moves(a) == sb_solid_moves(b)) continue;
            sb_solid *still = sb_solid_moves(a) ? b : a;
            if (!still->is_asleep) continue;
            sb_solid_wake(still);
            has_woken = true;
        }
    }
}

/* --- checks --------------------------------------------------------------- */

static bool is_place(sb_vec3 v) {
    return fabs(v.x) <= 1e6 && fabs(v.y) <= 1e6 && fabs(v.z) <= 1e6;
}

static sb_status check(const sb_world *world, const sb_world_joint_def *def,
                       sb_error *err) {
    int a = sb_world_find(world, def->solid[0]);
    bool is_world = def->solid[1].index == 0 && def->solid[1].generation == 0;
    int b = is_world ? -1 : sb_world_find(world, def->solid[1]);
    if (a < 0 || (b < 0 && !is_world))
        return sb_fail(err, SB_STALE_HANDLE,
                       "a joint's solid has been removed");
    if (a == b)
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "a joint connects a solid to itself; expected two solids");
    bool has_free = world->solids[a].motion == SB_MOTION_FREE ||
                    (b >= 0 && world->solids[b].motion == SB_MOTION_FREE);
    if (!has_free)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint connects two solids that are not free; "
                       "expected at least one free solid");
    double length = sb_vec3_length(def->axis);
    if (def->kind != SB_JOINT_BALL && !(length > 1e-6 && length < 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT, "a joint's axis has no direction");
    if (def->kind != SB_JOINT_SLIDER && !is_place(def->anchor))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint's anchor is not finite or beyond 1e6 m");
    if (def->has_limits && !(def->low <= 0.0 && def->high >= 0.0 &&
                             def->low >= -1e6 && def->high <= 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint's limits are %g and %g; expected the first "
                       "at most 0 and the second at least 0",
                       def->low, def->high);
    if (!(def->friction >= 0.0 && def->friction <= 1e12))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint's friction is %g; expected 0 or more",
                       def->friction);
    return SB_OK;
}

/* --- making --------------------------------------------------------------- */

/* A unit vector across a unit vector. */
static sb_vec3 across(sb_vec3 axis) {
    sb_vec3 e = {0.0, 0.0, 1.0};
    if (fabs(axis.z) > 0.6) e = (sb_vec3){1.0, 0.0, 0.0};
    return sb_vec3_normalised(sb_vec3_cross(e, axis));
}

/* Anchor and axis in the axes of each solid, at their present poses. */
static void attach(const sb_world *world, sb_joint *joint,
                   const sb_world_joint_def *def) {
    sb_vec3 axis = sb_vec3_normalised(def->axis), side = across(axis);
    sb_vec3 anchor = def->anchor;
    if (def->kind == SB_JOINT_SLIDER)
        anchor = world->solids[joint->solid[0]].position;
    for (int i = 0; i < 2; i++) {
        joint->anchor[i] = anchor;
        joint->axis[i] = axis;
        joint->across[i] = side;
        if (joint->solid[i] < 0) continue;
        const sb_solid *s = &world->solids[joint->solid[i]];
        joint->anchor[i] =
            sb_quat_turn_back(s->rotation, sb_vec3_sub(anchor, s->position));
        joint->axis[i] = sb_quat_turn_back(s->rotation, axis);
        joint->across[i] = sb_quat_turn_back(s->rotation, side);
    }
}

sb_status sb_world_add_joint(sb_world *world, const sb_world_joint_def *def,
                             sb_world_joint_id *out, sb_error *err) {
    sb_status status = check(world, def, err);
    if (status != SB_OK) return status;
    int slot = 0;
    while (slot < world->joint_count && world->joints[slot].is_used)
        slot++;
    if (slot == world->joint_count) {
        if (!sb_grow((void **)&world->joints, &world->joint_capacity, slot + 1,
                     sizeof *world->joints))
            return sb_fail(err, SB_NO_MEMORY, "no memory for a joint");
        world->joints[world->joint_count++] = (sb_joint){0};
    }
    sb_joint *joint = &world->joints[slot];
    *joint = (sb_joint){.generation = joint->generation + 1,
                        .is_used = true,
                        .kind = def->kind,
                        .has_limits = def->has_limits,
                        .low = def->low,
                        .high = def->high,
                        .friction = def->friction,
                        .solid = {sb_world_find(world, def->solid[0]),
                                  sb_world_find(world, def->solid[1])}};
    attach(world, joint, def);
    for (int i = 0; i < 2; i++) {
        if (joint->solid[i] < 0) continue;
        sb_solid *solid = &world->solids[joint->solid[i]];
        solid->joint_count++;
        sb_solid_wake(solid);
    }
    *out = (sb_world_joint_id){(uint32_t)slot, joint->generation};
    return SB_OK;
}

static void part(sb_world *world, sb_joint *joint) {
    joint->is_used = false;
    for (int i = 0; i < 2; i++) {
        if (joint->solid[i] < 0) continue;
        sb_solid *solid = &world->solids[joint->solid[i]];
        solid->joint_count--;
        sb_solid_wake(solid);
    }
}

void sb_world_remove_joint(sb_world *world, sb_world_joint_id id) {
    if (id.generation == 0 || id.index >= (uint32_t)world->joint_count) return;
    sb_joint *joint = &world->joints[id.index];
    if (joint->is_used && joint->generation == id.generation)
        part(world, joint);
}

void sb_world_remove_joints_of(sb_world *world, int solid) {
    if (world->solids[solid].joint_count == 0) return;
    for (int i = 0; i < world->joint_count; i++) {
        sb_joint *joint = &world->joints[i];
        if (joint->is_used &&
            (joint->solid[0] == solid || joint->solid[1] == solid))
            part(world, joint);
    }
}
