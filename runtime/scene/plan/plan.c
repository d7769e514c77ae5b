/* SPDX-License-Identifier: MIT */
/* Bodies and joints of a plan, and the models of all. One thread at a time,
 * control or loader. */
#include "runtime/scene/plan/plan.h"

#include "runtime/base/memory.h"
#include "runtime/base/quality_def.h"
#include "runtime/scene/plan/listener.h"
#include "runtime/scene/plan/names.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/plan/room_def.h"
#include "runtime/store/model_maker.h"

#include <math.h>
#include <string.h>

struct sb_plan {
    sb_planned *bodies;
    int count, capacity;
    sb_names names;
    sb_listener listener;
    sb_world_rules world;
    sb_joint_part *joints;
    int joint_count, joint_capacity;
    sb_quality_def quality;
    sb_room_def room;
    sb_maker maker;
    bool may_put_off;
    int solving;
};

static const char *name_at(const void *owner, int place) {
    return ((const sb_plan *)owner)->bodies[place].name;
}

sb_status sb_plan_create(sb_plan **out, sb_error *err) {
    sb_plan *plan = sb_alloc(1, sizeof *plan);
    if (!plan) return sb_no_memory(err, "scene");
    plan->listener = sb_listener_default();
    plan->world = sb_world_rules_default();
    plan->quality = sb_quality_default();
    plan->room = sb_room_default();
    plan->maker = sb_maker_default();
    *out = plan;
    return SB_OK;
}

void sb_plan_destroy(sb_plan *plan) {
    if (!plan) return;
    for (int i = 0; i < plan->count; i++)
        sb_planned_free(&plan->bodies[i]);
    sb_free(plan->bodies);
    sb_free(plan->joints);
    sb_names_free(&plan->names);
    sb_free(plan);
}

sb_status sb_plan_add(sb_plan *plan, const sb_body_def *def, int *index,
                      sb_error *err) {
    if (def->name && sb_plan_find(plan, def->name) >= 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "there is a body called '%s' already", def->name);
    }
    if (!sb_grow_list(plan->bodies, plan->capacity, plan->count + 1) ||
        !sb_names_reserve(&plan->names, plan->count + 1)) {
        return sb_no_memory_for(err, "one more body");
    }
    sb_planned *planned = &plan->bodies[plan->count];
    sb_status status = sb_planned_init(planned, def, err);
    if (status) return status;
    sb_names_add(&plan->names, planned->name, plan->count);
    *index = plan->count++;
    return SB_OK;
}

sb_status sb_plan_add_solved(sb_plan *plan, const sb_planned *solved,
                             sb_error *err) {
    sb_body_def def = solved->def;
    def.name = solved->name;
    int index;
    sb_status status = sb_plan_add(plan, &def, &index, err);
    if (status) return status;
    sb_planned *planned = &plan->bodies[index];
    planned->model = sb_model_retain(solved->model);
    planned->put_off_s = solved->put_off_s;
    planned->is_solved_alone = solved->is_solved_alone;
    if (solved->noise) status = sb_planned_make_noise(planned, err);
    if (status) return status;
    if (solved->noise) *planned->noise = *solved->noise;
    status = sb_planned_fill_peaks(planned, solved, err);
    return status ? status : sb_planned_fill_springs(planned, err);
}

int sb_plan_count(const sb_plan *plan) {
    return plan->count;
}

const sb_planned *sb_plan_at(const sb_plan *plan, int index) {
    return &plan->bodies[index];
}

sb_planned *sb_plan_take(sb_plan *plan, int index) {
    return &plan->bodies[index];
}

int sb_plan_find(const sb_plan *plan, const char *name) {
    return sb_names_find(&plan->names, name, name_at, plan);
}

sb_listener *sb_plan_listener(sb_plan *plan) {
    return &plan->listener;
}

sb_world_rules *sb_plan_world(sb_plan *plan) {
    return &plan->world;
}

/* Checks those of the joint's bodies that have been added so far: each must
 * have a collider, and one must be free. */
static sb_status check_held(const sb_plan *plan, const sb_joint_part *joint,
                            sb_error *err) {
    bool can_move = false;
    for (int i = 0; i < 2; i++) {
        if (!joint->body[i][0]) continue;
        int at = sb_plan_find(plan, joint->body[i]);
        const sb_body_def *def = at < 0 ? NULL : &plan->bodies[at].def;
        can_move |= !def || def->moves.motion == SB_MOTION_FREE;
        if (!def || def->moves.motion != SB_MOTION_FIXED) continue;
        if (sb_motion_collider(&def->moves, &def->shape).kind ==
            SB_COLLIDER_NONE)
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "joint '%s': body '%s' cannot be joined; "
                           "give it a collider",
                           joint->name, joint->body[i]);
    }
    if (can_move) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "joint '%s' needs a body that is free to move", joint->name);
}

sb_status sb_plan_join(sb_plan *plan, const sb_joint_part *joint,
                       sb_error *err) {
    sb_status status = sb_joint_check(joint, err);
    if (!status) status = check_held(plan, joint, err);
    for (int i = 0; i < plan->joint_count && !status; i++) {
        if (strcmp(plan->joints[i].name, joint->name) == 0)
            status =
                sb_fail(err, SB_BAD_ARGUMENT,
                        "there is a joint called '%s' already", joint->name);
    }
    if (status) return status;
    if (!sb_grow_list(plan->joints, plan->joint_capacity,
                      plan->joint_count + 1))
        return sb_no_memory_for(err, "one more joint");
    plan->joints[plan->joint_count++] = *joint;
    return SB_OK;
}

int sb_plan_joint_count(const sb_plan *plan) {
    return plan->joint_count;
}

const sb_joint_part *sb_plan_joint_at(const sb_plan *plan, int index) {
    return &plan->joints[index];
}

sb_quality_def *sb_plan_quality(sb_plan *plan) {
    return &plan->quality;
}

sb_room_def *sb_plan_room(sb_plan *plan) {
    return &plan->room;
}

/* Bodies of the same shape and material share one model. */
static const sb_planned *twin_of(const sb_plan *plan, int index) {
    for (int i = index - 1; i >= 0 && i >= index - 64; i--) {
        if (sb_planned_is_same_body(&plan->bodies[i], &plan->bodies[index]))
            return &plan->bodies[i];
    }
    return NULL;
}

void sb_plan_set_memory(sb_plan *plan, double bytes) {
    plan->maker.memory_bytes = bytes;
}

void sb_plan_set_progress(sb_plan *plan, sb_progress progress, void *context) {
    plan->maker.progress = progress;
    plan->maker.context = context;
}

const char *sb_plan_solving(const sb_plan *plan) {
    return plan->solving < plan->count ? plan->bodies[plan->solving].name : "";
}

void sb_plan_put_off(sb_plan *plan) {
    plan->may_put_off = true;
}

/* Radiation that takes no longer than this is not put off. */
#define SOON_S 0.3

/* In a vacuum nothing is radiated, nor loads a membrane. */
static void take_air(sb_shape *shape) {
    shape->radiation = SB_RADIATES_QUICK;
    shape->kettle = 0;
}

/* Solve all bodies, or those only whose radiation was put off. */
static sb_status solve_bodies(sb_plan *plan, const sb_plan *running,
                              bool only_put_off, sb_error *err) {
    for (int i = 0; i < plan->count; i++) {
        sb_planned *planned = &plan->bodies[i];
        if (only_put_off && !(planned->put_off_s > 0)) continue;
        plan->solving = i;
        if (!(plan->world.air_kg_m3 > 0.0)) take_air(&planned->def.shape);
        int at = running ? sb_plan_find(running, planned->name) : -1;
        const sb_planned *before =
            at >= 0 ? &running->bodies[at] : twin_of(plan, i);
        if (plan->maker.progress)
            (void)plan->maker.progress(plan->maker.context, SB_STAGE_NEXT, 0,
                                       0);
        sb_status status = sb_planned_solve(planned, before, &plan->maker, err);
        if (status) return status;
    }
    return SB_OK;
}

/* How many models were put off, bodies that share one counted once. */
static int count_put_off(const sb_plan *plan) {
    int count = 0;
    for (int i = 0; i < plan->count; i++)
        count += plan->bodies[i].put_off_s > 0 && !twin_of(plan, i);
    return count;
}

/* First with what is known or quick, so that the time that radiation takes can
 * be said before it is spent. */
sb_status sb_plan_solve(sb_plan *plan, const sb_plan *running, sb_error *err) {
    double seconds = 0;
    plan->maker.put_off_s = &seconds;
    sb_status status = solve_bodies(plan, running, false, err);
    plan->maker.put_off_s = NULL;
    int count = status ? 0 : count_put_off(plan);
    if (count == 0 || (plan->may_put_off && seconds > SOON_S)) return status;
    if (plan->maker.progress &&
        !plan->maker.progress(plan->maker.context, SB_STAGE_AIR, count,
                              (int)fmin(1e3 * seconds, 1e9)))
        return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
    return solve_bodies(plan, running, true, err);
}
