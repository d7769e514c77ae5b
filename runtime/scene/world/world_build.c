/* SPDX-License-Identifier: MIT */
/* Builds worlds from planned bodies and joints; and the world after a commit: the
 * running one, or a new one in which bodies that stay keep their motion. Control
 * thread. */
#include "runtime/base/memory.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>
#include <string.h>

#define USUAL_DENSITY 1000.0

void scene_world_free(scene_world *world) {
    if (!world) return;
    sb_tracker_destroy(world->tracker);
    sb_world_destroy(world->world);
    sb_free_all(world->solids, world->joints, world->contacts, world->powers,
                world->lost, world->points, world->struck_m_s, world);
}

/* --- solids -------------------------------------------------------------- */

/* The mass that the sound model uses. */
static double mass_of(const sb_planned *planned) {
    const sb_motion_part *moves = &planned->def.moves;
    if (moves->mass_kg > 0.0 || moves->motion != SB_MOTION_FREE)
        return moves->mass_kg;
    double mass_kg = sb_model_mass_kg(planned->model);
    return mass_kg > 0.0 && isfinite(mass_kg) ? mass_kg : 0.0;
}

static sb_solid_def solid_of(const sb_planned *planned, const sb_pose *pose,
                             uint32_t user) {
    const sb_body_def *def = &planned->def;
    const sb_material *material = def->has_material ? &def->material : NULL;
    return (sb_solid_def){
        .motion = def->moves.motion,
        .pose = *pose,
        .shape = &def->shape,
        .collider = sb_motion_collider(&def->moves, &def->shape),
        .density = material ? material->density : USUAL_DENSITY,
        .mass_kg = mass_of(planned),
        .restitution = sb_motion_restitution(&def->moves, material),
        .friction = sb_motion_friction(&def->moves, material),
        .rolling = sb_motion_rolling(&def->moves, material),
        .lever_m = fmax(def->moves.lever_m, 0.0),
        .drag_m2 = def->moves.drag_m2,
        .given = {def->moves.restitution >= 0.0, def->moves.friction >= 0.0,
                  def->moves.rolling >= 0.0, def->moves.lever_m >= 0.0},
        .user = user};
}

static bool is_in_world(const sb_planned *planned) {
    const sb_motion_part *moves = &planned->def.moves;
    if (planned->def.is_deformable) return false;
    return moves->motion != SB_MOTION_FIXED ||
           sb_motion_collider(moves, &planned->def.shape).kind !=
               SB_COLLIDER_NONE;
}

static sb_status put_at(scene_world *world, const sb_planned *planned,
                        const sb_pose *pose, uint32_t user, sb_error *err) {
    sb_solid_def def = solid_of(planned, pose, user);
    sb_status status =
        sb_world_add(world->world, &def, &world->solids[user].solid, err);
    if (!status) return SB_OK;
    return sb_error_lead(err, status, "body '%s'", planned->name);
}

sb_status scene_world_put(scene_world *world, const sb_planned *planned,
                          const sb_pose *pose, uint32_t *user, sb_error *err) {
    *user = 0;
    if (!is_in_world(planned)) return SB_OK;
    int place = 1;
    while (place < world->solid_count &&
           world->solids[place].solid.generation != 0)
        place++;
    if (place >= world->solid_count) {
        if (!sb_grow_list(world->solids, world->solid_capacity, place + 1))
            return sb_no_memory_for(err, "one more body in the world");
        world->solid_count = place + 1;
        world->solids[place] = (world_solid){0};
    }
    sb_status status = put_at(world, planned, pose, (uint32_t)place, err);
    if (!status) *user = (uint32_t)place;
    return status;
}

static sb_status put_all(scene_world *world, const world_plan *plan,
                         sb_error *err) {
    int count = plan->count + 1;
    if (!sb_grow_list(world->solids, world->solid_capacity, count))
        return sb_no_memory_for(err, "a world");
    memset(world->solids, 0, (size_t)count * sizeof *world->solids);
    world->solid_count = count;
    for (int i = 0; i < plan->count; i++) {
        const world_entry *entry = &plan->entries[i];
        if (!is_in_world(entry->planned)) continue;
        sb_status status =
            put_at(world, entry->planned, &entry->pose, (uint32_t)i + 1, err);
        if (status) return status;
    }
    return SB_OK;
}

/* --- joints -------------------------------------------------------------- */

sb_status scene_joint_check(const sb_joint_part *part, int side, bool is_there,
                            sb_solid_id solid, sb_error *err) {
    if (!is_there)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "joint '%s': there is no body called '%s'", part->name,
                       part->body[side]);
    if (solid.generation != 0) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "joint '%s': body '%s' cannot be joined; give it a collider",
                   part->name, part->body[side]);
}

sb_status scene_world_add_joint(scene_world *world, sb_world_joint_def *def,
                                world_joint *joint, sb_error *err) {
    const sb_joint_part *part = &joint->part;
    def->kind = part->kind;
    def->has_limits = part->has_limits;
    def->low = part->low;
    def->high = part->high;
    def->friction = part->friction;
    if (!sb_grow_list(world->joints, world->joint_capacity,
                      world->joint_count + 1))
        return sb_no_memory_for(err, "one more joint");
    sb_status status =
        sb_world_add_joint(world->world, def, &joint->joint, err);
    if (!status) world->joints[world->joint_count++] = *joint;
    return status;
}

static int entry_called(const world_plan *plan, const char *name) {
    for (int i = 0; i < plan->count; i++) {
        if (strcmp(plan->entries[i].planned->name, name) == 0) return i;
    }
    return -1;
}

/* A joint refers to the declared poses of its bodies. They may have moved
 * since; the joint then moves with the first. */
static sb_status join(scene_world *world, const world_plan *plan,
                      const sb_joint_part *part, sb_error *err) {
    sb_world_joint_def def = {.anchor = part->at, .axis = part->axis};
    for (int i = 0; i < 2; i++) {
        if (i == 1 && !part->body[1][0]) break;
        int at = entry_called(plan, part->body[i]);
        if (at >= 0) def.solid[i] = world->solids[at + 1].solid;
        sb_status status =
            scene_joint_check(part, i, at >= 0, def.solid[i], err);
        if (status) return status;
    }
    const world_entry *first =
        &plan->entries[entry_called(plan, part->body[0])];
    sb_pose declared = scene_declared_pose(first->planned);
    def.anchor =
        sb_pose_to_world(&first->pose, sb_pose_to_local(&declared, part->at));
    def.axis = sb_quat_turn(first->pose.rotation,
                            sb_quat_turn_back(declared.rotation, part->axis));
    world_joint made = {.part = *part};
    sb_status status = scene_world_add_joint(world, &def, &made, err);
    return status ? sb_error_lead(err, status, "joint '%s'", part->name)
                  : SB_OK;
}

/* --- the whole ----------------------------------------------------------- */

/* Collisions 1,000 times per second, with four substeps each. */
#define USUAL_RATE_HZ 1000.0

static double rate_for(const world_plan *plan) {
    return plan->rules.rate_hz > 0.0 ? plan->rules.rate_hz : USUAL_RATE_HZ;
}

static sb_status build(scene_world *world, const world_plan *plan,
                       sb_error *err) {
    world->rate_hz = rate_for(plan);
    world->origin_s = plan->origin_s;
    world->nothing.declared.def = sb_body_def_default();
    world->nothing.declared.def.role = SB_ROLE_EXCITER; /* it has no model */
    world->nothing.pose = sb_pose_default();
    sb_world_def def = sb_world_def_default();
    def.gravity = plan->rules.gravity;
    def.rate_hz = world->rate_hz;
    sb_status status = sb_world_create(&def, &world->world, err);
    if (status) return status;
    sb_tracker_def tracker = {.step_s = sb_world_step_s(world->world),
                              .gravity_m_s2 =
                                  sb_vec3_length(plan->rules.gravity)};
    status = sb_tracker_create(&tracker, &world->tracker, err);
    if (!status) status = put_all(world, plan, err);
    for (int i = 0; i < plan->joint_count && !status; i++)
        status = join(world, plan, &plan->joints[i], err);
    return status;
}

/* The solid of entry i gets the number i + 1, or none when it has no collider;
 * ids of bodies are filled in later. BAD_ARGUMENT, NO_MEMORY. */
static sb_status scene_world_build(const world_plan *plan, scene_world **out,
                                   sb_error *err) {
    scene_world *world = sb_alloc(1, sizeof *world);
    if (!world) return sb_no_memory_for(err, "a world");
    sb_status status = build(world, plan, err);
    if (status) {
        scene_world_free(world);
        return status;
    }
    *out = world;
    return SB_OK;
}

/* Replace the running world; ids[i] is the body of entry i. */
static void take_world(sb_scene *scene, scene_world *world,
                       const sb_body_id *ids, int count, double time_s) {
    if (scene->world) {
        scene_follow_none(scene, time_s, false);
        if (world) {
            world->lost_ever = scene->world->lost_ever;
            world->unheard = scene->world->unheard;
            world->foreign = scene->world->foreign;
        }
    }
    scene_world_free(scene->world);
    scene->world = world;
    for (int i = 0; i < scene->order_count; i++)
        scene->bodies[scene->order[i]].user = 0;
    for (int i = 0; world && i < count; i++) {
        if (world->solids[i + 1].solid.generation == 0) continue;
        scene_world_own(scene, ids[i], (uint32_t)i + 1);
    }
    for (int i = 0; world && i < world->joint_count; i++) {
        world_joint *joint = &world->joints[i];
        for (int k = 0; k < 2; k++)
            joint->body[k] = sb_scene_find(scene, joint->part.body[k]);
    }
}

sb_status scene_world_ensure(sb_scene *scene, double time_s, sb_error *err) {
    if (scene->world) return SB_OK;
    int count = scene->order_count;
    world_entry *entries = sb_alloc((size_t)count, sizeof *entries);
    sb_body_id *ids = sb_alloc((size_t)count, sizeof *ids);
    sb_status status = SB_OK;
    scene_world *world = NULL;
    if (!entries || !ids) status = sb_no_memory_for(err, "a world");
    for (int i = 0; i < count && !status; i++) {
        const scene_body *body = &scene->bodies[scene->order[i]];
        entries[i] = (world_entry){&body->declared, body->pose};
        ids[i] = sb_scene_body_at(scene, i);
    }
    world_plan plan = {.entries = entries,
                       .count = count,
                       .rules = scene->declared.world,
                       .origin_s = time_s};
    if (!status) status = scene_world_build(&plan, &world, err);
    if (!status) take_world(scene, world, ids, count, time_s);
    sb_free(entries);
    sb_free(ids);
    return status;
}

/* --- after a commit ------------------------------------------------------- */

static bool needs_world(const sb_plan *plan) {
    if (sb_plan_joint_count(plan) > 0) return true;
    for (int i = 0; i < sb_plan_count(plan); i++) {
        const sb_body_def *def = &sb_plan_at(plan, i)->def;
        if (def->moves.motion != SB_MOTION_FIXED || def->is_deformable)
            return true;
    }
    return false;
}

static bool has_same_joints(const scene_world *world, const sb_plan *plan) {
    if (world->joint_count != sb_plan_joint_count(plan)) return false;
    for (int i = 0; i < world->joint_count; i++) {
        if (!sb_joint_is_same(&world->joints[i].part,
                              sb_plan_joint_at(plan, i)))
            return false;
    }
    return true;
}

/* Are the same solids in it, wherever they are? */
static bool is_same_world(const sb_scene *scene, sb_plan *plan) {
    if (!scene->world || !has_same_joints(scene->world, plan)) return false;
    if (sb_plan_world(plan)->rate_hz != scene->declared.world.rate_hz ||
        sb_plan_count(plan) != scene->order_count)
        return false;
    for (int i = 0; i < sb_plan_count(plan); i++) {
        const sb_planned *planned = sb_plan_at(plan, i);
        int place = scene_find(scene, planned->name);
        if (place == SB_NO_NAME ||
            !sb_planned_is_same_solid(&scene->bodies[place].declared, planned))
            return false;
    }
    return true;
}

/* Its current pose, unless the script now declares another. */
static sb_pose pose_of(const sb_scene *scene, const sb_planned *planned) {
    int place = scene_find(scene, planned->name);
    if (place == SB_NO_NAME) return scene_declared_pose(planned);
    const scene_body *body = &scene->bodies[place];
    if (!sb_planned_is_same_start(&body->declared, planned))
        return scene_declared_pose(planned);
    return sb_scene_pose(scene,
                         (sb_body_id){(uint32_t)place, body->generation});
}

sb_status scene_world_prepare(sb_scene *scene, sb_plan *plan, double time_s,
                              world_change *out, sb_error *err) {
    *out = (world_change){.is_other = true};
    bool is_foreign = scene->world && scene->world->foreign.is_on;
    if (!needs_world(plan) && !is_foreign) return SB_OK;
    out->is_other = !is_same_world(scene, plan);
    if (!out->is_other) return SB_OK;
    int count = sb_plan_count(plan), joints = sb_plan_joint_count(plan);
    world_entry *entries = sb_alloc((size_t)count, sizeof *entries);
    if (!entries) return sb_no_memory_for(err, "a world");
    for (int i = 0; i < count; i++)
        entries[i] = (world_entry){sb_plan_at(plan, i),
                                   pose_of(scene, sb_plan_at(plan, i))};
    world_plan planned = {.entries = entries,
                          .count = count,
                          .joints = joints ? sb_plan_joint_at(plan, 0) : NULL,
                          .joint_count = joints,
                          .rules = *sb_plan_world(plan),
                          .origin_s = time_s};
    if (scene->world)
        planned.origin_s = fmax(time_s, scene_world_now(scene->world));
    sb_status status = scene_world_build(&planned, &out->world, err);
    sb_free(entries);
    return status;
}

void scene_world_change(sb_scene *scene, const world_change *change,
                        const sb_world_rules *rules, const sb_body_id *ids,
                        int count, double time_s) {
    if (change->is_other) {
        scene->declared.world = *rules;
        take_world(scene, change->world, ids, count, time_s);
    } else {
        sb_scene_set_world_rules(scene, rules);
        scene_rest_again(scene);
    }
}

void scene_world_replace(sb_scene *scene, sb_body_id id, double time_s) {
    const scene_body *body = scene_body_of(scene, id);
    const world_solid *solid = scene_solid(scene->world, body->user);
    if (!solid) return;
    scene_unfollow(scene, id, time_s);
    scene_forget(scene, id);
    sb_world_place(scene->world->world, solid->solid, &body->pose);
}
