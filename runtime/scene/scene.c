/* Creates and destroys a scene, and adds and removes single bodies. Control
 * thread. */
#include "runtime/scene/scene.h"

#include "runtime/base/memory.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/plan/diffuse_part.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/nonlinear_part.h"
#include "runtime/scene/scene_internal.h"
#include "runtime/scene/world/scene_world_state.h"

#include <stdio.h>
#include <string.h>

sb_status sb_scene_create(sb_engine *engine, sb_scene **out, sb_error *err) {
    sb_scene *scene = sb_alloc(1, sizeof *scene);
    if (!scene) return sb_fail(err, SB_NO_MEMORY, "scene: out of memory");
    scene->engine = engine;
    scene->seed = 1;
    scene->listener = sb_listener_default();
    scene->declared_listener = scene->listener;
    scene->world_rules = sb_world_rules_default();
    scene->quality = scene->declared_quality = sb_quality_default();
    scene->head = sb_track_rest(scene->listener.position);
    scene->nose = sb_track_rest(scene->listener.facing);
    sb_status status = sb_engine_open_ears(engine, &scene->listener.air, err);
    if (status) {
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
    sb_free(scene->pairs);
    sb_free(scene->contacts);
    scene_free_surfaces(scene);
    scene_free_pads(scene);
    sb_free(scene->unheard);
    sb_free(scene->struck);
    sb_free(scene->stems);
    sb_free(scene->reports);
    sb_free(scene->traced);
    sb_free(scene);
}

void sb_scene_set_seed(sb_scene *scene, uint64_t seed) {
    scene->seed = seed;
}

/* --- adding and removing ------------------------------------------------- */

static sb_status no_memory(const char *name, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "body '%s': out of memory", name);
}

void sb_scene_want_stems(sb_scene *scene) {
    scene->wants_stems = true;
}

int sb_scene_stem_count(const sb_scene *scene) {
    return scene->stem_count;
}

const char *sb_scene_stem_name(const sb_scene *scene, int i) {
    return scene->stems[i];
}

const float *sb_scene_stem_block(const sb_scene *scene, int i) {
    return sb_engine_stem_block(scene->engine, i + 1);
}

/* The stem of a body: one of the same name has the same stem. */
static sb_status find_stem(sb_scene *scene, const char *name, int *out,
                           sb_error *err) {
    *out = 0;
    if (!scene->wants_stems) return SB_OK;
    for (*out = scene->stem_count; *out > 0; --*out)
        if (strcmp(scene->stems[*out - 1], name) == 0) return SB_OK;
    if (!sb_grow((void **)&scene->stems, &scene->stem_capacity,
                 scene->stem_count + 1, sizeof *scene->stems))
        return no_memory(name, err);
    sb_status status = sb_engine_add_stem(scene->engine, out, err);
    if (status) return status;
    (void)snprintf(scene->stems[scene->stem_count++], SB_NAME_SIZE, "%s", name);
    return SB_OK;
}

/* A voice that plays streams: its only mode is never driven. */
static sb_status make_silent_voice(sb_scene *scene, const sb_planned *planned,
                                   double time_s, sb_voice_id *out,
                                   sb_error *err) {
    const sb_bank_mode still = {.omega_rad_s = 1000.0, .sigma_per_s = 1000.0};
    sb_track track = sb_track_rest(planned->def.position);
    sb_path_knot knot =
        scene_knot(scene, &track, planned->def.gain, 0.0, time_s);
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
    if (!modes) return no_memory(planned->name, err);
    scene_discretise(scene, planned, modes);
    sb_spring_def springs[SB_NONLINEAR_SPRINGS];
    sb_voice_def def = {
        .modes = modes,
        .mode_count = count,
        .springs = springs,
        .spring_count = sb_planned_springs(planned, springs),
        .diffuse = sb_planned_bands(planned),
    };
    sb_track track = sb_track_rest(planned->def.position);
    sb_path_knot knot =
        scene_knot(scene, &track, planned->def.gain, 0.0, time_s);
    def.knot = &knot;
    sb_status status = find_stem(scene, planned->name, &def.stem, err);
    if (!status)
        status = sb_engine_add_voice(scene->engine, &def,
                                     scene_frames(scene, time_s), out, err);
    sb_free(modes);
    return status;
}

sb_status scene_reserve(sb_scene *scene, int count, sb_error *err) {
    int most = scene->body_count + count;
    if (sb_grow((void **)&scene->order, &scene->order_capacity, most,
                sizeof *scene->order) &&
        sb_grow((void **)&scene->bodies, &scene->body_capacity, most,
                sizeof *scene->bodies) &&
        sb_names_reserve(&scene->names, most)) {
        return SB_OK;
    }
    return sb_fail(err, SB_NO_MEMORY, "out of memory for %d more bodies",
                   count);
}

sb_status scene_reserve_weights(sb_scene *scene, const sb_model *model,
                                sb_error *err) {
    int count = sb_model_mode_count(model) + SB_YIELD_MOST;
    if (count <= scene->weights_capacity) return SB_OK;
    /* For two bodies that meet, and the second turned round. */
    double *larger =
        sb_resize(scene->weights, 3 * (size_t)count, sizeof *larger);
    if (!larger) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d weights",
                       count);
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
    return SB_OK;
}

sb_status sb_scene_add(sb_scene *scene, const sb_body_def *def, double time_s,
                       sb_body_id *out, sb_error *err) {
    sb_planned planned;
    sb_status status = check_new(scene, def->name, def->is_deformable, err);
    if (!status) status = sb_planned_init(&planned, def, err);
    if (status) return status;
    status = sb_planned_solve(&planned, scene_twin(scene, &planned), NULL, err);
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
