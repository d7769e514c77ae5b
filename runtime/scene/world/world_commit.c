/* The world after a commit: the running one, or a new one in which bodies that
 * stay keep their motion. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

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
    if (sb_plan_world(plan)->rate_hz != scene->world_rules.rate_hz ||
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
    if (!entries)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a world");
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
    sb_status status =
        scene_world_build(&planned, scene->seed, &out->world, err);
    sb_free(entries);
    return status;
}

void scene_world_change(sb_scene *scene, const world_change *change,
                        const sb_world_rules *rules, const sb_body_id *ids,
                        int count, double time_s) {
    if (change->is_other) {
        scene->world_rules = *rules;
        scene_world_take(scene, change->world, ids, count, time_s);
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
