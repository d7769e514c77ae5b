/* SPDX-License-Identifier: MIT */
/* Compares the planned scene with the running one and carries out the
 * difference in one step: first everything that can fail, then the
 * commands. Control thread. */
#include "runtime/scene/commit.h"

#include "runtime/base/memory.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/model/textures/texture.h"
#include "runtime/scene/contact/exposure.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/scene_internal.h"
#include "runtime/scene/state/around.h"
#include "runtime/scene/state/head_change.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/world/scene_world_state.h"

#include <string.h>

/* Glide of ringing modes to new values. */
#define GLIDE_S 0.02

/* What to do with one planned body. */
typedef struct action {
    int place;         /* of the running body, or SB_NO_NAME */
    sb_change change;  /* of the running body */
    sb_voice_id voice; /* made for it, or null */
    sb_retune *retune; /* made for it, or NULL */
} action;

/* --- the running scene as a plan ----------------------------------------- */

sb_status sb_scene_snapshot(const sb_scene *scene, sb_plan **out,
                            sb_error *err) {
    sb_plan *plan;
    sb_status status = sb_plan_create(&plan, err);
    if (status) return status;
    for (int i = 0; i < scene->order_count && !status; i++) {
        const sb_planned *declared = &scene->bodies[scene->order[i]].declared;
        status = sb_plan_add_solved(plan, declared, err);
    }
    if (status) {
        sb_plan_destroy(plan);
        return status;
    }
    *sb_plan_listener(plan) = scene->declared.listener;
    *sb_plan_world(plan) = scene->declared.world;
    *sb_plan_quality(plan) = scene->declared.quality;
    *sb_plan_room(plan) = scene->declared.room;
    *out = plan;
    return SB_OK;
}

/* --- preparing: everything that can fail --------------------------------- */

/* None in place of some are alike in all directions. */
static sb_status retune_patterns(const scene_body *body,
                                 const sb_planned *planned, sb_retune *retune,
                                 sb_error *err) {
    sb_pattern *before = NULL, *now = NULL;
    sb_status status = SB_OK;
    if (!scene_patterns(&body->declared, &before) ||
        !scene_patterns(planned, &now))
        status = sb_no_memory(err, "body '%s'", planned->name);
    if (!status && (before || now))
        status = sb_engine_set_patterns(
            retune, now, now ? sb_planned_mode_count(planned) : 0, err);
    sb_free(before);
    sb_free(now);
    return status;
}

static sb_status prepare_retune(sb_scene *scene, const scene_body *body,
                                const sb_planned *planned, action *todo,
                                sb_error *err) {
    if (!sb_planned_rings(planned)) return SB_OK;
    int count = sb_planned_mode_count(planned);
    /* Touches and strain end with the script that made them. */
    sb_bank_mode *from = scene_tuned_modes(scene, body);
    sb_bank_mode *to = scene_bank_modes(planned);
    sb_status status;
    if (from && to) {
        scene_discretise(scene, planned, to);
        status = sb_engine_prepare_retune(scene->engine, from, to, count,
                                          GLIDE_S, &todo->retune, err);
    } else {
        status = sb_no_memory(err, "body '%s'", planned->name);
    }
    sb_free(from);
    sb_free(to);
    if (!status) status = retune_patterns(body, planned, todo->retune, err);
    if (!status && sb_planned_bands(planned))
        sb_engine_set_diffuse(todo->retune, sb_planned_bands(planned));
    if (!status && planned->spring_count > 0)
        sb_engine_set_springs(todo->retune, planned->springs,
                              planned->spring_count);
    return status;
}

/* A new voice is silent. There is one more per body until the old ones have
 * faded, so that a scene of more bodies than fit twice rings on. */
enum { MOST_STARTED_OVER = 2000 };

static bool starts_over(const sb_scene *scene, const sb_planned *planned) {
    return scene->starts_over && !planned->def.is_deformable &&
           scene->order_count <= MOST_STARTED_OVER;
}

static sb_status prepare_one(sb_scene *scene, const sb_planned *planned,
                             double time_s, action *todo, sb_error *err) {
    todo->place = scene_find(scene, planned->name);
    todo->change = SB_CHANGE_MODEL;
    if (todo->place != SB_NO_NAME) {
        const scene_body *body = &scene->bodies[todo->place];
        todo->change = starts_over(scene, planned)
                           ? SB_CHANGE_MODEL
                           : sb_planned_compare(&body->declared, planned);
        if (todo->change == SB_CHANGE_TUNING ||
            (todo->change != SB_CHANGE_MODEL && scene_is_tuned(body))) {
            return prepare_retune(scene, body, planned, todo, err);
        }
    }
    if (todo->change != SB_CHANGE_MODEL) return SB_OK;
    sb_status status = scene_reserve_weights(scene, planned->model, err);
    if (status) return status;
    return scene_make_voice(scene, planned, time_s, &todo->voice, err);
}

/* Reserve room for every command, so that nothing after this can fail: each
 * body may be retuned or replaced, removed, and moved, and so may the listener;
 * two more are for quality and room. */
static sb_status reserve(sb_scene *scene, const sb_plan *plan, double time_s,
                         sb_error *err) {
    int bodies = sb_plan_count(plan) + scene->order_count;
    sb_status status = scene_reserve(scene, sb_plan_count(plan), err);
    int commands = 6 * bodies + sb_scene_contact_count(scene) + 2 +
                   2 * scene_send_commands(scene->order_count) +
                   scene_send_new_commands(scene, time_s, sb_plan_count(plan));
    if (!status) status = sb_engine_reserve(scene->engine, commands, err);
    return status;
}

static void undo(sb_scene *scene, action *actions, int count, double time_s) {
    for (int i = 0; i < count; i++) {
        sb_engine_drop_retune(actions[i].retune);
        /* It has not sounded yet; room for the command is reserved. */
        sb_status status =
            sb_engine_remove_voice(scene->engine, actions[i].voice,
                                   scene_frames(scene, time_s), 0.0, NULL);
        (void)status;
    }
}

static sb_status prepare(sb_scene *scene, sb_plan *plan, double time_s,
                         action *actions, world_change *world, sb_error *err) {
    sb_status status = reserve(scene, plan, time_s, err);
    for (int i = 0; i < sb_plan_count(plan) && !status; i++) {
        status =
            prepare_one(scene, sb_plan_at(plan, i), time_s, &actions[i], err);
    }
    if (!status) status = scene_world_prepare(scene, plan, time_s, world, err);
    if (status) undo(scene, actions, sb_plan_count(plan), time_s);
    return status;
}

/* What is around the bodies: made, to be sent. */
typedef struct surroundings {
    sb_air_table *air; /* NULL: as it is */
    scene_room_change room;
    scene_head_change head;
} surroundings;

static sb_status prepare_surroundings(const sb_scene *scene, sb_plan *plan,
                                      surroundings *out, sb_error *err) {
    sb_status status =
        scene_prepare_air(scene, sb_plan_listener(plan), &out->air, err);
    if (!status)
        status =
            scene_prepare_head(scene, sb_plan_listener(plan), &out->head, err);
    if (!status)
        status =
            scene_prepare_room(scene, sb_plan_room(plan),
                               &sb_plan_listener(plan)->air, &out->room, err);
    return status;
}

/* --- committing: nothing that can fail ----------------------------------- */

/* Room for these has been reserved. */
static void remove_voice(sb_scene *scene, sb_voice_id voice, double frames) {
    sb_status status = sb_engine_remove_voice(scene->engine, voice, frames,
                                              SCENE_FADE_S, NULL);
    (void)status;
}

/* Jump to its place. */
static void move_body(sb_scene *scene, scene_body *body, double time_s) {
    sb_status status = scene_send(scene, body, time_s, true, NULL);
    (void)status;
}

/* The running body becomes what is planned; the plan's entry becomes empty. */
static void change_body(sb_scene *scene, sb_planned *planned,
                        const action *todo, double time_s,
                        sb_commit_counts *counts) {
    double frames = scene_frames(scene, time_s);
    scene_body *body = &scene->bodies[todo->place];
    if (todo->retune) {
        sb_engine_retune(scene->engine, body->voice, frames, todo->retune);
    }
    scene_untune(body);
    switch (todo->change) {
    case SB_CHANGE_NONE:
        counts->kept++;
        break;
    case SB_CHANGE_PLACE:
        counts->moved++;
        break;
    case SB_CHANGE_PAINT:
        counts->painted++;
        break;
    case SB_CHANGE_TUNING:
        counts->retuned++;
        break;
    case SB_CHANGE_MODEL:
        remove_voice(scene, body->voice, frames);
        body->voice = todo->voice;
        counts->replaced++;
        break;
    }
    /* A body the script has moved stays where it is, unless its place in the
     * script has changed. */
    bool has_moved = !sb_planned_is_same_start(&body->declared, planned);
    bool is_louder = body->declared.def.gain != planned->def.gain;
    scene_smooth(body);
    sb_planned_free(&body->declared);
    body->declared = *planned;
    memset(planned, 0, sizeof *planned);
    body->collider = sb_motion_collider(&body->declared.def.moves,
                                        &body->declared.def.shape);
    if (has_moved) {
        body->pose = scene_declared_pose(&body->declared);
        body->track = sb_track_rest(body->pose.position);
        scene_turn_rest(body->pose.rotation, body->axes);
        body->is_lost = false;
    }
    if (is_louder) body->gain = body->declared.def.gain;
    if (has_moved || is_louder || todo->change == SB_CHANGE_MODEL) {
        move_body(scene, body, time_s);
    }
    if (has_moved) {
        sb_body_id id = {(uint32_t)todo->place, body->generation};
        scene_world_replace(scene, id, time_s);
    }
    if (todo->change != SB_CHANGE_NONE)
        scene_renew_pads(scene, scene_id_at(scene, todo->place));
}

/* Bodies whose names the plan does not have. */
static void remove_missing(sb_scene *scene, const sb_plan *plan, double time_s,
                           sb_commit_counts *counts) {
    double frames = scene_frames(scene, time_s);
    for (int i = scene->order_count - 1; i >= 0; i--) {
        int place = scene->order[i];
        const char *name = scene->bodies[place].declared.name;
        if (sb_plan_find(plan, name) >= 0) continue;
        sb_body_id id = {(uint32_t)place, scene->bodies[place].generation};
        remove_voice(scene, scene->bodies[place].voice, frames);
        scene_world_remove(scene, id, time_s);
        scene_leave(scene, place);
        counts->removed++;
    }
}

/* The automatic gain is that of the first bodies that ring: it stays, so that
 * a change of a material is heard as it is. */
static sb_listener expose(sb_scene *scene, sb_listener planned) {
    if (!planned.is_exposed) return planned;
    if (!(scene->hear.exposure > 0.0))
        scene->hear.exposure = scene_exposure(
            scene, scene_world_loudness(scene), planned.position);
    planned.gain = scene->hear.exposure > 0.0 ? scene->hear.exposure : 1.0;
    return planned;
}

static void move_listener(sb_scene *scene, const sb_listener *planned,
                          surroundings *around, double time_s) {
    sb_listener listener = expose(scene, *planned);
    if (!(scene->declared.world.air_kg_m3 > 0.0)) listener.gain = 0.0;
    if (sb_listener_is_same(&scene->declared.listener, &listener)) {
        sb_free(around->air);
        scene_drop_head(&around->head);
        return;
    }
    scene->declared.listener = listener;
    scene_wear_head(scene, &around->head, time_s);
    scene_set_listener(scene, &listener, around->air, true, time_s);
}

static void change_quality(sb_scene *scene, const sb_quality_def *planned,
                           double time_s) {
    if (sb_quality_is_same(&scene->declared.quality, planned)) return;
    scene->declared.quality = *planned;
    /* Room has been reserved, and the plan has checked the values. */
    sb_status status = sb_scene_set_quality(scene, planned, time_s, NULL);
    (void)status;
}

/* Does anything change that deformable bodies depend on? */
static bool changes_deform(const sb_scene *scene, const sb_plan *plan,
                           const action *actions, const world_change *world) {
    int count = 0;
    for (int i = 0; i < sb_plan_count(plan); i++) {
        if (!sb_plan_at(plan, i)->def.is_deformable) continue;
        bool is_kept = actions[i].place != SB_NO_NAME &&
                       actions[i].change == SB_CHANGE_NONE;
        if (!is_kept) return true;
        count++;
    }
    return world->is_other || count != sb_scene_deformable_count(scene);
}

static void carry_out(sb_scene *scene, sb_plan *plan, const action *actions,
                      const world_change *world, surroundings *around,
                      double time_s, sb_body_id *ids,
                      sb_commit_counts *counts) {
    scene_deform_commit(scene, changes_deform(scene, plan, actions, world));
    /* Lasting contacts end with their script, like timers. */
    sb_scene_end_contacts(scene, time_s, SCENE_FADE_S);
    remove_missing(scene, plan, time_s, counts);
    for (int i = 0; i < sb_plan_count(plan); i++) {
        sb_planned *planned = sb_plan_take(plan, i);
        if (actions[i].place == SB_NO_NAME) {
            ids[i] = scene_enter(scene, planned, actions[i].voice);
            scene_send_new(scene, scene_body_of(scene, ids[i]), time_s);
            scene_reflect(scene, scene_body_of(scene, ids[i]), time_s);
            counts->added++;
        } else {
            change_body(scene, planned, &actions[i], time_s, counts);
            ids[i] = (sb_body_id){(uint32_t)actions[i].place,
                                  scene->bodies[actions[i].place].generation};
        }
    }
    scene_world_change(scene, world, sb_plan_world(plan), ids,
                       sb_plan_count(plan), time_s);
    move_listener(scene, sb_plan_listener(plan), around, time_s);
    change_quality(scene, sb_plan_quality(plan), time_s);
    scene->declared.room = *sb_plan_room(plan);
    scene_enter_room(scene, &around->room, time_s);
}

sb_status sb_scene_commit(sb_scene *scene, sb_plan *plan, double time_s,
                          sb_body_id *ids, sb_commit_counts *counts,
                          sb_error *err) {
    int count = sb_plan_count(plan);
    action *actions = sb_alloc((size_t)count, sizeof *actions);
    if (!actions) return sb_no_memory(err, "commit");
    surroundings around = {0};
    world_change world;
    sb_status status = prepare_surroundings(scene, plan, &around, err);
    if (!status) status = prepare(scene, plan, time_s, actions, &world, err);
    if (status) {
        sb_free(around.air);
        scene_drop_room(&around.room);
        scene_drop_head(&around.head);
    } else {
        *counts = (sb_commit_counts){0};
        carry_out(scene, plan, actions, &world, &around, time_s, ids, counts);
    }
    scene->starts_over = false;
    sb_free(actions);
    return status;
}

/* --- one body alone -------------------------------------------------------- */

sb_status sb_scene_change(sb_scene *scene, sb_planned *planned, double time_s,
                          sb_change *what, sb_error *err) {
    sb_commit_counts counts = {0};
    action todo = {0};
    if (scene_find(scene, planned->name) == SB_NO_NAME)
        return sb_fail(err, SB_STALE_HANDLE, "body '%s' is not there any more",
                       planned->name);
    int commands = 8 + scene_send_commands(1) + sb_scene_contact_count(scene);
    sb_status status = sb_engine_reserve(scene->engine, commands, err);
    if (!status) status = prepare_one(scene, planned, time_s, &todo, err);
    if (status) return status;
    /* Its contacts play on the voice that leaves. */
    if (todo.change == SB_CHANGE_MODEL)
        sb_scene_end_contacts(scene, time_s, SCENE_FADE_S);
    change_body(scene, planned, &todo, time_s, &counts);
    *what = todo.change;
    return SB_OK;
}

/* --- new paint ----------------------------------------------------------- */

static void swap_paint(sb_planned *a, sb_planned *b) {
    sb_texture *weights = a->def.weights;
    double *peaks = a->peaks;
    int peak_count = a->peak_count;
    a->def.weights = b->def.weights;
    a->peaks = b->peaks;
    a->peak_count = b->peak_count;
    b->def.weights = weights;
    b->peaks = peaks;
    b->peak_count = peak_count;
}

void sb_scene_repaint(sb_scene *scene, sb_plan *plan, double time_s,
                      sb_commit_counts *counts) {
    *counts = (sb_commit_counts){.kept = scene->order_count};
    for (int i = 0; i < sb_plan_count(plan); i++) {
        sb_planned *planned = sb_plan_take(plan, i);
        int place = scene_find(scene, planned->name);
        if (place == SB_NO_NAME) continue;
        scene_body *body = &scene->bodies[place];
        if (planned->model != body->declared.model ||
            sb_texture_is_same(body->declared.def.weights,
                               planned->def.weights)) {
            continue;
        }
        swap_paint(&body->declared, planned);
        body->faded = planned;
        scene_renew_pads(scene, scene_id_at(scene, place));
        counts->painted++;
        counts->kept--;
    }
    scene_repaint_contacts(scene, time_s);
    scene_repaint_touches(scene, time_s);
    for (int i = 0; i < scene->order_count; i++)
        scene->bodies[scene->order[i]].faded = NULL;
}
