/* SPDX-License-Identifier: MIT */
/* Creates and destroys a scene, adds and removes single bodies, and opens the
 * deformable ones. Control
 * thread. */
#include "runtime/scene/scene.h"

#include "runtime/base/memory.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/engine/voice_def.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/contact/scene_event.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/scene_internal.h"
#include "runtime/scene/world/scene_world_state.h"

#include <stdio.h>
#include <string.h>

sb_status sb_scene_create(sb_engine *engine, sb_scene **out, sb_error *err) {
    sb_scene *scene = sb_alloc(1, sizeof *scene);
    if (!scene) return sb_no_memory(err, "scene");
    scene->engine = engine;
    scene->seed = 1;
    scene->hear.listener = sb_listener_default();
    scene->declared.listener = scene->hear.listener;
    scene->declared.world = sb_world_rules_default();
    scene->quality = scene->declared.quality = sb_quality_default();
    scene->hear.room = scene->declared.room = sb_room_default();
    scene->hear.head = sb_track_rest(scene->hear.listener.position);
    scene->hear.nose = sb_track_rest(scene->hear.listener.facing);
    sb_status status = scene_open_events(scene, err);
    if (!status)
        status = sb_engine_open_ears(engine, &scene->hear.listener.air, err);
    if (status) {
        sb_free(scene->events);
        sb_free(scene);
        return status;
    }
    *out = scene;
    return SB_OK;
}

void sb_scene_destroy(sb_scene *scene) {
    if (!scene) return;
    scene_deform_free(scene);
    scene_world_free(scene->world);
    sb_free(scene->events);
    for (int i = 0; i < scene->body_count; i++) {
        scene_untune(&scene->bodies[i]);
        scene_smooth(&scene->bodies[i]);
        sb_planned_free(&scene->bodies[i].declared);
    }
    scene_forget_gone(scene);
    sb_free(scene->bodies);
    sb_free(scene->order);
    sb_names_free(&scene->names);
    sb_free(scene->weights);
    sb_free(scene->lasting.contacts);
    scene_free_surfaces(scene);
    scene_free_pads(scene);
    sb_free_all(scene->stems.names, scene->watch.traced, scene->hear.mirror,
                scene->hear.delays, scene);
}

void sb_scene_put_off_air(sb_scene *scene) {
    scene->puts_off_air = true;
}

void sb_scene_set_seed(sb_scene *scene, uint64_t seed) {
    scene->seed = seed;
}

/* --- adding and removing ------------------------------------------------- */

void sb_scene_want_stems(sb_scene *scene) {
    scene->stems.are_wanted = true;
}

int sb_scene_stem_count(const sb_scene *scene) {
    return scene->stems.count;
}

const char *sb_scene_stem_name(const sb_scene *scene, int i) {
    return scene->stems.names[i];
}

const float *sb_scene_stem_block(const sb_scene *scene, int i) {
    return sb_engine_stem_block(scene->engine, i + 1);
}

/* The stem of a body: one of the same name has the same stem. */
static sb_status find_stem(sb_scene *scene, const char *name, int *out,
                           sb_error *err) {
    *out = 0;
    if (!scene->stems.are_wanted) return SB_OK;
    for (*out = scene->stems.count; *out > 0; --*out)
        if (strcmp(scene->stems.names[*out - 1], name) == 0) return SB_OK;
    if (!sb_grow_list(scene->stems.names, scene->stems.capacity,
                      scene->stems.count + 1))
        return sb_no_memory(err, "body '%s'", name);
    sb_status status = sb_engine_add_stem(scene->engine, out, err);
    if (status) return status;
    (void)snprintf(scene->stems.names[scene->stems.count++], SB_NAME_SIZE, "%s",
                   name);
    return SB_OK;
}

/* A voice that plays streams: its only mode is never driven. */
static sb_status make_silent_voice(sb_scene *scene, const sb_planned *planned,
                                   double time_s, sb_voice_id *out,
                                   sb_error *err) {
    const sb_bank_mode still = {.omega_rad_s = 1000.0, .sigma_per_s = 1000.0};
    sb_track track = sb_track_rest(planned->def.position), axes[2];
    scene_turn_rest(scene_declared_pose(planned).rotation, axes);
    sb_path_knot knot = scene_knot(scene, &track, axes, planned->def.gain,
                                   (sb_shade){0}, time_s);
    sb_voice_def def = {.modes = &still, .mode_count = 1, .knot = &knot};
    sb_status status = find_stem(scene, planned->name, &def.stem, err);
    if (status) return status;
    return sb_engine_add_voice(scene->engine, &def, scene_frames(scene, time_s),
                               out, err);
}

sb_status scene_make_voice(sb_scene *scene, const sb_planned *planned,
                           double time_s, sb_voice_id *out, sb_error *err) {
    *out = (sb_voice_id){0, 0};
    if (planned->def.is_deformable)
        return make_silent_voice(scene, planned, time_s, out, err);
    if (!sb_planned_rings(planned)) return SB_OK;
    int count = sb_planned_mode_count(planned);
    sb_bank_mode *modes = scene_bank_modes(planned);
    sb_pattern *patterns = NULL;
    if (!modes || !scene_patterns(planned, &patterns)) {
        sb_free(modes);
        return sb_no_memory(err, "body '%s'", planned->name);
    }
    scene_discretise(scene, planned, modes);
    sb_spring_def springs[SB_NONLINEAR_SPRINGS];
    sb_voice_def def = {
        .modes = modes,
        .mode_count = count,
        .springs = springs,
        .spring_count = sb_planned_springs(planned, springs),
        .diffuse = sb_planned_bands(planned),
        .patterns = patterns,
        .pattern_count = count,
    };
    sb_track track = sb_track_rest(planned->def.position), axes[2];
    scene_turn_rest(scene_declared_pose(planned).rotation, axes);
    sb_path_knot knot = scene_knot(scene, &track, axes, planned->def.gain,
                                   (sb_shade){0}, time_s);
    def.knot = &knot;
    sb_status status = find_stem(scene, planned->name, &def.stem, err);
    if (!status)
        status = sb_engine_add_voice(scene->engine, &def,
                                     scene_frames(scene, time_s), out, err);
    sb_free(modes);
    sb_free(patterns);
    return status;
}

sb_status scene_reserve(sb_scene *scene, int count, sb_error *err) {
    int most = scene->body_count + count;
    if (sb_grow_list(scene->order, scene->order_capacity, most) &&
        sb_grow_list(scene->bodies, scene->body_capacity, most) &&
        sb_names_reserve(&scene->names, most)) {
        return SB_OK;
    }
    return sb_no_memory_for(err, "%d more bodies", count);
}

sb_status scene_reserve_weights(sb_scene *scene, const sb_model *model,
                                sb_error *err) {
    int count = sb_model_mode_count(model) + SB_BEHIND_MOST;
    if (count <= scene->weights_capacity) return SB_OK;
    /* For two bodies that meet, and the second turned round. */
    double *larger =
        sb_resize(scene->weights, 3 * (size_t)count, sizeof *larger);
    if (!larger) {
        return sb_no_memory_for(err, "%d weights", count);
    }
    scene->weights = larger;
    scene->weights_capacity = count;
    return SB_OK;
}

/* The first place that is free, or a new one. */
static int free_place(sb_scene *scene) {
    if (scene->order_count < scene->body_count) {
        for (int i = 0; i < scene->body_count; i++) {
            if (scene->bodies[i].generation % 2 == 0) return i;
        }
    }
    memset(&scene->bodies[scene->body_count], 0, sizeof *scene->bodies);
    return scene->body_count++;
}

/* A random stream seeded by its name, so that it does not depend on which other
 * bodies there are. */
static sb_random random_of(const sb_scene *scene, const char *name) {
    uint64_t stream = 14695981039346656037u; /* FNV-1a */
    for (const char *c = name; *c; c++)
        stream = (stream ^ (unsigned char)*c) * 1099511628211u;
    return sb_random_make(scene->seed, stream);
}

sb_body_id scene_enter(sb_scene *scene, sb_planned *planned,
                       sb_voice_id voice) {
    int place = free_place(scene);
    scene_body *body = &scene->bodies[place];
    uint32_t generation = body->generation + 1;
    *body = (scene_body){.generation = generation,
                         .declared = *planned,
                         .pose = scene_declared_pose(planned),
                         .collider = sb_motion_collider(&planned->def.moves,
                                                        &planned->def.shape),
                         .track = sb_track_rest(planned->def.position),
                         .gain = planned->def.gain,
                         .voice = voice,
                         .random = random_of(scene, planned->name)};
    scene_turn_rest(body->pose.rotation, body->axes);
    memset(planned, 0, sizeof *planned);
    sb_names_add(&scene->names, body->declared.name, place);
    scene->order[scene->order_count++] = place;
    return scene_id_at(scene, place);
}

void scene_leave(sb_scene *scene, int place) {
    scene_body *body = &scene->bodies[place];
    scene_drop_pads(scene, scene_id_at(scene, place));
    sb_names_remove(&scene->names, body->declared.name, place);
    int i = 0;
    while (scene->order[i] != place)
        i++;
    scene->order_count--;
    memmove(scene->order + i, scene->order + i + 1,
            (size_t)(scene->order_count - i) * sizeof *scene->order);
    body->generation++;
    scene_untune(body);
    scene_smooth(body);
    scene_remember(scene, &body->declared);
}

/* Make its voice: everything that can fail. */
static sb_status realise(sb_scene *scene, const sb_planned *planned,
                         double time_s, sb_voice_id *voice, sb_error *err) {
    sb_status status = scene_reserve(scene, 1, err);
    if (!status) status = scene_reserve_weights(scene, planned->model, err);
    /* Room for the commands of its path. */
    if (!status)
        status = sb_engine_reserve(scene->engine, scene_send_commands(1), err);
    if (!status) status = scene_make_voice(scene, planned, time_s, voice, err);
    return status;
}

/* The voice has not sounded yet. When out of memory it stays, silent. */
static void take_back(sb_scene *scene, sb_voice_id voice, double time_s) {
    sb_status status = sb_engine_remove_voice(
        scene->engine, voice, scene_frames(scene, time_s), 0.0, NULL);
    (void)status;
}

static sb_status check_new(const sb_scene *scene, const char *name,
                           bool is_deformable, sb_error *err) {
    if (name && scene_find(scene, name) != SB_NO_NAME)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "there is a body called '%s' already", name);
    if (is_deformable)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s': deformable bodies are made while the scene "
                       "loads; make it at the top of the script",
                       name);
    return SB_OK;
}

sb_status sb_scene_add_planned(sb_scene *scene, sb_planned *planned,
                               double time_s, sb_body_id *out, sb_error *err) {
    sb_voice_id voice = {0, 0};
    uint32_t user = 0;
    sb_status status =
        check_new(scene, planned->name, planned->def.is_deformable, err);
    if (!status) status = realise(scene, planned, time_s, &voice, err);
    if (status) return status;
    status = scene_world_add(scene, planned, time_s, &user, err);
    if (status) {
        take_back(scene, voice, time_s);
        return status;
    }
    *out = scene_enter(scene, planned, voice);
    scene_world_own(scene, *out, user);
    scene_send_new(scene, scene_body_of(scene, *out), time_s);
    scene_reflect(scene, scene_body_of(scene, *out), time_s);
    return SB_OK;
}

sb_status sb_scene_add(sb_scene *scene, const sb_body_def *def, double time_s,
                       sb_body_id *out, sb_error *err) {
    sb_planned planned;
    sb_status status = check_new(scene, def->name, def->is_deformable, err);
    if (!status) status = sb_planned_init(&planned, def, err);
    if (status) return status;
    const sb_planned *twin = scene_twin(scene, &planned);
    status = scene->puts_off_air ? sb_planned_solve_soon(&planned, twin, err)
                                 : sb_planned_solve(&planned, twin, NULL, err);
    if (!status)
        status = sb_scene_add_planned(scene, &planned, time_s, out, err);
    if (status) sb_planned_free(&planned);
    return status;
}

sb_status sb_scene_remove(sb_scene *scene, sb_body_id id, double time_s,
                          sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (status) return status;
    /* A deformable one goes on moving unheard: others may lie on it. */
    status =
        sb_engine_remove_voice(scene->engine, scene_body_of(scene, id)->voice,
                               scene_frames(scene, time_s), SCENE_FADE_S, err);
    if (status) return status;
    scene_drop_contacts(scene, id, time_s);
    scene_world_remove(scene, id, time_s);
    scene_leave(scene, (int)id.index);
    return SB_OK;
}

/* --- deformable bodies --------------------------------------------------------- */

/* From the beginning; without a journal if it cannot be written. */
static void begin_journal(scene_deform *deform) {
    sb_error reason;
    if (!deform->def.journal) return;
    if (journal_create(&deform->journal, deform->def.journal, &deform->sizes,
                       &reason))
        (void)sb_fail(&deform->remark, reason.status,
                      "%.400s: the work can be done, but not resumed",
                      reason.message);
}

static sb_status open_resumed(scene_deform *deform, sb_error *err) {
    sb_error reason;
    const char *path = deform->def.journal;
    if (!path)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "--resume: there is no cache, so nothing was kept "
                       "(SANDBELL_CACHE)");
    sb_status status =
        journal_find_mark(path, &deform->sizes, &deform->checkpoint, &reason);
    if (!status)
        status =
            journal_open(&deform->journal, path, &deform->sizes, true, &reason);
    if (status) {
        (void)sb_fail(&deform->remark, SB_NOT_FOUND,
                      "--resume: no checkpoint of this scene was found, so it "
                      "begins at 0 s");
        begin_journal(deform);
        return SB_OK;
    }
    deform->resume_bytes = deform->checkpoint.journal_bytes;
    return SB_OK;
}

static sb_status open_replay(scene_deform *deform, sb_error *err) {
    const char *path = deform->def.journal;
    if (!path)
        return sb_fail(err, SB_IO_ERROR,
                       "deformable bodies are played from the cache, and there "
                       "is none (SANDBELL_CACHE)");
    sb_status status =
        journal_find_mark(path, &deform->sizes, &deform->checkpoint, err);
    if (!status)
        status =
            journal_open(&deform->journal, path, &deform->sizes, false, err);
    if (!status)
        status = journal_open(&deform->ahead, path, &deform->sizes, false, err);
    return status;
}

static sb_status open_all(sb_scene *scene, sb_error *err) {
    scene_deform *deform = scene->deform;
    sb_status status = scene_world_colliders(scene, deform, err);
    if (!status) status = scene_deform_make(scene, deform, err);
    scene_world_free_faces(deform);
    if (status) return status;
    if (deform->def.how == SB_DEFORM_RESUME) return open_resumed(deform, err);
    if (deform->def.how == SB_DEFORM_REPLAY) return open_replay(deform, err);
    begin_journal(deform);
    return SB_OK;
}

sb_status sb_scene_open_deform(sb_scene *scene, const sb_scene_deform_def *def,
                               sb_error *err) {
    int count = sb_scene_deformable_count(scene);
    if (count == 0 || def->how == SB_DEFORM_NOT) return SB_OK;
    if (count > SB_DEFORM_BODIES)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a scene has at most %d deformable bodies, got %d",
                       (int)SB_DEFORM_BODIES, count);
    scene->deform = sb_alloc(1, sizeof *scene->deform);
    if (!scene->deform) return sb_no_memory(err, "deformable bodies");
    scene->deform->def = *def;
    scene->deform->inputs = 0xcbf29ce484222325u;
    sb_status status = open_all(scene, err);
    if (status) scene_deform_free(scene);
    bool is_missing = status == SB_NOT_FOUND || status == SB_BAD_FORMAT;
    return def->may_miss && is_missing ? SB_OK : status;
}

sb_status sb_scene_close_deform(sb_scene *scene, bool is_over, sb_error *err) {
    scene_deform *deform = scene->deform;
    sb_status status = SB_OK;
    if (!deform) return SB_OK;
    if (deform->def.how != SB_DEFORM_REPLAY && deform->resume_bytes == 0) {
        scene_deform_mark(deform, is_over);
        if (deform->remark.status)
            status = sb_fail(err, deform->remark.status, "%s",
                             deform->remark.message);
    }
    scene_deform_free(scene);
    return status;
}
