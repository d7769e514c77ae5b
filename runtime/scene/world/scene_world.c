/* SPDX-License-Identifier: MIT */
/* Bodies in the rigid-body world: adding and removing them, their poses,
 * joints, pushes and rays. Control thread. */
#include "runtime/scene/world/scene_world.h"

#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/world/scene_world_state.h"
#include "runtime/world/collider_choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double scene_world_now(const scene_world *world) {
    if (world->foreign.is_on) return world->foreign.now_s;
    double steps = (double)(world->skipped + sb_world_steps(world->world));
    return world->origin_s + steps / world->rate_hz;
}

world_solid *scene_solid(const scene_world *world, uint32_t user) {
    if (!world || user == 0 || user >= (uint32_t)world->solid_count)
        return NULL;
    world_solid *found = &world->solids[user];
    return found->solid.generation != 0 ? found : NULL;
}

sb_body_id scene_world_body(const scene_world *world, uint32_t user) {
    const world_solid *found = scene_solid(world, user);
    return found ? found->body : (sb_body_id){0, 0};
}

/* --- adding and removing ------------------------------------------------- */

sb_status scene_world_add(sb_scene *scene, const sb_planned *planned,
                          double time_s, uint32_t *user, sb_error *err) {
    *user = 0;
    bool moves = planned->def.moves.motion != SB_MOTION_FIXED;
    if (!scene->world && !moves) return SB_OK;
    sb_status status = scene_world_ensure(scene, time_s, err);
    if (status) return status;
    sb_pose pose = scene_declared_pose(planned);
    return scene_world_put(scene->world, planned, &pose, user, err);
}

void scene_world_own(sb_scene *scene, sb_body_id id, uint32_t user) {
    scene_body_of(scene, id)->user = user;
    if (user != 0) scene->world->solids[user].body = id;
}

static void drop_joints(scene_world *world, sb_body_id id) {
    int kept = 0;
    for (int i = 0; i < world->joint_count; i++) {
        const world_joint *joint = &world->joints[i];
        bool is_held = false;
        for (int k = 0; k < 2; k++)
            is_held |= is_same_body(joint->body[k], id);
        if (is_held) {
            sb_world_remove_joint(world->world, joint->joint);
        } else {
            world->joints[kept++] = *joint;
        }
    }
    world->joint_count = kept;
}

void scene_world_remove(sb_scene *scene, sb_body_id id, double time_s) {
    scene_body *body = scene_body_of(scene, id);
    if (!scene->world) return;
    scene_unfollow(scene, id, time_s);
    scene_forget(scene, id);
    world_solid *solid = scene_solid(scene->world, body->user);
    if (!solid) return;
    drop_joints(scene->world, id);
    sb_world_remove(scene->world->world, solid->solid);
    *solid = (world_solid){0};
    body->user = 0;
}

/* --- facts --------------------------------------------------------------- */

sb_world_info sb_scene_world_info(const sb_scene *scene) {
    const scene_world *world = scene->world;
    if (!world) return (sb_world_info){0};
    return (sb_world_info){.is_there = true,
                           .time_s = scene_world_now(world),
                           .rate_hz = world->rate_hz,
                           .substeps = sb_world_least_substeps(world->world),
                           .was_limited = world->was_limited,
                           .bodies = sb_world_count(world->world),
                           .awake = sb_world_awake_count(world->world),
                           .contacts = sb_tracker_count(world->tracker),
                           .lost = world->lost_ever,
                           .unheard = world->unheard};
}

typedef struct overlap_visit {
    const scene_world *world;
    sb_scene_overlap_visitor *visit;
    void *user;
} overlap_visit;

static void pass_on(void *user, uint32_t first, uint32_t second,
                    double depth_m) {
    const overlap_visit *self = user;
    self->visit(self->user, scene_world_body(self->world, first),
                scene_world_body(self->world, second), depth_m);
}

bool sb_scene_overlaps(const sb_scene *scene, sb_scene_overlap_visitor *visit,
                       void *user) {
    overlap_visit self = {scene->world, visit, user};
    return !scene->world ||
           sb_world_overlaps(scene->world->world, pass_on, &self);
}

static const char *collider_name(const sb_scene *scene, sb_body_id id) {
    const sb_body_def *def = &sb_scene_body_planned(scene, id)->def;
    return sb_collider_kind_name(
        sb_motion_collider(&def->moves, &def->shape).kind);
}

void sb_scene_overlap_text(const sb_scene *scene, sb_body_id first,
                           sb_body_id second, double depth_m,
                           char text[SB_OVERLAP_TEXT_SIZE]) {
    if (sb_scene_motion(scene, first) != SB_MOTION_FREE) {
        sb_body_id fixed = first;
        first = second;
        second = fixed;
    }
    (void)snprintf(text, SB_OVERLAP_TEXT_SIZE,
                   "'%s' (%s) begins %.3g mm inside '%s' (%s): they will be "
                   "pushed apart",
                   sb_scene_body_name(scene, first),
                   collider_name(scene, first), 1e3 * depth_m,
                   sb_scene_body_name(scene, second),
                   collider_name(scene, second));
}

bool sb_scene_new_overlaps(sb_scene *scene, sb_scene_overlap_visitor *visit,
                           void *user) {
    overlap_visit self = {scene->world, visit, user};
    return !scene->world ||
           sb_world_new_overlaps(scene->world->world, visit ? pass_on : NULL,
                                 &self);
}

bool sb_scene_is_moving(const sb_scene *scene) {
    const scene_world *world = scene->world;
    if (sb_scene_deform_is_moving(scene)) return true;
    return world && !world->foreign.is_on &&
           sb_world_awake_count(world->world) > 0;
}

sb_pose sb_scene_pose(const sb_scene *scene, sb_body_id id) {
    const scene_body *body = scene_body_of(scene, id);
    const world_solid *solid = scene_solid(scene->world, body->user);
    bool moves = body->declared.def.moves.motion != SB_MOTION_FIXED;
    bool is_there = solid && moves && !scene->world->foreign.is_on;
    return is_there ? sb_world_pose(scene->world->world, solid->solid)
                    : body->pose;
}

bool sb_scene_is_asleep(const sb_scene *scene, sb_body_id id) {
    const scene_body *body = scene_body_of(scene, id);
    const world_solid *solid = scene_solid(scene->world, body->user);
    if (!solid || body->declared.def.moves.motion == SB_MOTION_FIXED)
        return true;
    if (body->declared.def.moves.motion == SB_MOTION_FREE &&
        !scene->world->foreign.is_on)
        return sb_world_is_asleep(scene->world->world, solid->solid);
    return is_zero(body->pose.velocity) && is_zero(body->pose.spin);
}

sb_motion sb_scene_motion(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->declared.def.moves.motion;
}

/* --- poses, impulses, rays ----------------------------------------------- */

#define FARTHEST 1e6

bool scene_is_within(sb_vec3 v) {
    /* Written so that a NaN fails, too. */
    return fabs(v.x) <= FARTHEST && fabs(v.y) <= FARTHEST &&
           fabs(v.z) <= FARTHEST;
}

sb_status sb_scene_set_pose(sb_scene *scene, sb_body_id id, const sb_pose *pose,
                            double time_s, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status && scene->deform)
        status = scene_check_modal(scene, id, "a new pose", err);
    if (status) return status;
    char what[SB_NAME_SIZE + 8];
    (void)snprintf(what, sizeof what, "body '%s'",
                   sb_scene_body_name(scene, id));
    status = sb_fields_check(sb_pose_fields, false, pose, what, err);
    if (status) return status;
    scene_body *body = scene_body_of(scene, id);
    sb_pose before = body->pose;
    body->pose = *pose;
    bool is_elsewhere =
        memcmp(&before.position, &pose->position, sizeof pose->position) != 0 ||
        memcmp(&before.rotation, &pose->rotation, sizeof pose->rotation) != 0;
    if (is_elsewhere) status = scene_put(scene, body, time_s, err);
    if (status) {
        body->pose = before;
        return status;
    }
    const world_solid *solid = scene_solid(scene->world, body->user);
    if (!solid) return SB_OK;
    sb_world_place(scene->world->world, solid->solid, pose);
    if (is_elsewhere) {
        scene_unfollow(scene, id, time_s);
        scene_forget(scene, id);
    }
    return SB_OK;
}

sb_status sb_scene_push(sb_scene *scene, sb_body_id id, sb_vec3 impulse_ns,
                        const sb_vec3 *point, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_own(scene, err);
    if (status) return status;
    const scene_body *body = scene_body_of(scene, id);
    const world_solid *solid = scene_solid(scene->world, body->user);
    if (!solid || body->declared.def.moves.motion != SB_MOTION_FREE)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' is not free to move; give it motion = "
                       "\"free\"",
                       body->declared.name);
    if (!scene_is_within(impulse_ns) || (point && !scene_is_within(*point)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "impulse and point must be finite and within %g",
                       FARTHEST);
    sb_world_push(scene->world->world, solid->solid, impulse_ns, point);
    return SB_OK;
}

sb_status sb_scene_set_force(sb_scene *scene, sb_body_id id, sb_vec3 force_n,
                             sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_own(scene, err);
    if (status) return status;
    const scene_body *body = scene_body_of(scene, id);
    world_solid *solid = scene_solid(scene->world, body->user);
    if (!solid || body->declared.def.moves.motion != SB_MOTION_FREE)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' is not free to move; give it motion = "
                       "\"free\"",
                       body->declared.name);
    solid->force_n = force_n;
    scene->world->has_forces = true;
    sb_world_set_force(scene->world->world, solid->solid, force_n);
    return SB_OK;
}

sb_status sb_scene_raycast(sb_scene *scene, sb_vec3 from, sb_vec3 direction,
                           double most_m, double time_s, bool *is_hit,
                           sb_scene_ray_hit *out, sb_error *err) {
    *is_hit = false;
    if (!scene_is_within(from) || !(sb_vec3_length(direction) > 0.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a ray needs a finite point and a direction");
    sb_status status = scene_world_ensure(scene, time_s, err);
    if (status) return status;
    sb_ray_hit hit;
    *is_hit = sb_world_raycast(scene->world->world, from,
                               sb_vec3_normalised(direction), most_m, 0, &hit);
    if (!*is_hit) return SB_OK;
    *out = (sb_scene_ray_hit){scene_world_body(scene->world, hit.user),
                              hit.point, hit.normal, hit.distance_m};
    *is_hit = sb_scene_has(scene, out->body);
    return SB_OK;
}

void sb_scene_restart(sb_scene *scene, double time_s) {
    scene_forget_hits(scene);
    scene_deform_restart(scene, time_s);
    for (int i = 0; i < scene->order_count; i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        scene_body *body = scene_body_of(scene, id);
        sb_pose declared = scene_declared_pose(&body->declared);
        body->is_lost = false;
        /* When out of memory, it is heard from its old place. */
        if (sb_scene_set_pose(scene, id, &declared, time_s, NULL))
            body->pose = declared;
    }
}

/* --- joints and rules ---------------------------------------------------- */

sb_status sb_scene_join(sb_scene *scene, const sb_joint_part *joint,
                        double time_s, sb_error *err) {
    sb_status status = sb_joint_check(joint, err);
    if (!status) status = scene_check_own(scene, err);
    if (!status) status = scene_world_ensure(scene, time_s, err);
    if (status) return status;
    scene_world *world = scene->world;
    for (int i = 0; i < world->joint_count; i++) {
        if (strcmp(world->joints[i].part.name, joint->name) == 0)
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "there is a joint called '%s' already", joint->name);
    }
    world_joint made = {.part = *joint};
    sb_world_joint_def def = {.anchor = joint->at, .axis = joint->axis};
    for (int k = 0; k < 2 && !status; k++) {
        if (k == 1 && !joint->body[1][0]) break;
        made.body[k] = sb_scene_find(scene, joint->body[k]);
        bool is_there = sb_scene_has(scene, made.body[k]);
        const world_solid *solid =
            is_there
                ? scene_solid(world, scene_body_of(scene, made.body[k])->user)
                : NULL;
        if (solid) def.solid[k] = solid->solid;
        status = scene_joint_check(joint, k, is_there, def.solid[k], err);
    }
    return status ? status : scene_world_add_joint(world, &def, &made, err);
}

sb_world_rules sb_scene_world_rules(const sb_scene *scene) {
    return scene->declared.world;
}

void sb_scene_set_world_rules(sb_scene *scene, const sb_world_rules *part) {
    const sb_vec3 *old = &scene->declared.world.gravity, *new = &part->gravity;
    bool is_other = old->x != new->x || old->y != new->y || old->z != new->z;
    scene->declared.world = *part;
    if (scene->world && is_other)
        sb_world_set_gravity(scene->world->world, part->gravity);
}
