/* SPDX-License-Identifier: MIT */
/* Makes the audio thread's room from its description. Control thread. */
#include "runtime/scene/state/around.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/room/room.h"
#include "runtime/scene/state/mirror.h"
#include "runtime/scene/state/response.h"
#include "runtime/scene/state/state.h"

#include <math.h>

/* Mean delay of the lines for a free choice: a room of some 10 m. */
#define MEAN_S 0.023

/* The decay of energy, nepers per second. */
static double rate_of(double t60_s) {
    return 6.0 * log(10.0) / t60_s;
}

/* Octaves beyond those given decay like the nearest. */
static double octave_of(const double *values, int band) {
    return values[band < SB_ROOM_OCTAVES ? band : SB_ROOM_OCTAVES - 1];
}

static void design_reverb(const sb_reverb_def *def, sb_room_design *design) {
    enum { KHZ = 3 };
    sb_late_def *late = &design->late;
    late->size = sb_late_size(MEAN_S);
    double energy = pow(10.0, 0.1 * def->level_db);
    double gain = sb_late_gain(late->size, energy * rate_of(def->t60_s[KHZ]));
    for (int band = 0; band < SB_LATE_BANDS; band++) {
        late->t60_s[band] = octave_of(def->t60_s, band);
        /* What decays before it has passed a line is not heard. */
        double lost =
            0.5 * rate_of(late->t60_s[band]) * sb_late_mean_s(late->size);
        late->gain[band] = gain * exp(0.5 * lost);
    }
    design->predelay_s = def->predelay_s;
}

/* Images of up to three walls are complete until this many mean free times. */
#define EARLY_UNTIL 2.5

static void design_hall(const sb_hall_def *hall, const sb_air *air,
                        sb_room_design *design) {
    sb_late_def *late = &design->late;
    double speed = sb_air_speed(air), volume = sb_hall_volume(hall);
    double free_s = 4.0 * volume / (sb_hall_surface(hall) * speed);
    late->size = sb_late_size(free_s);
    design->predelay_s = EARLY_UNTIL * free_s;
    design->early_s = scene_mirror_longest_s(hall, air);
    double gain = sb_late_gain(late->size, 4.0 * SB_PI * speed / volume);
    for (int band = 0; band < SB_LATE_BANDS; band++) {
        late->t60_s[band] = fmax(sb_hall_t60_s(hall, air, band), 1e-3);
        late->gain[band] =
            gain * exp(-0.5 * rate_of(late->t60_s[band]) * design->predelay_s);
    }
}

/* What the design needs: the response, which the caller frees, and the walls. */
static sb_status make_parts(scene_room_change *change, double rate_hz,
                            sb_room_design *design, float **response,
                            sb_error *err) {
    const sb_room_def *def = &change->def;
    if (sb_hall_is_on(&def->hall)) {
        design_hall(&def->hall, &change->air, design);
        change->mirror = scene_mirror_make(&def->hall, &change->air, rate_hz);
        if (!change->mirror)
            return sb_fail(err, SB_NO_MEMORY, "room: out of memory");
    }
    if (sb_reverb_is_on(&def->reverb)) design_reverb(&def->reverb, design);
    if (!def->response.path[0]) return SB_OK;
    sb_status status = scene_read_response(
        def->response.path, pow(10.0, 0.05 * def->response.level_db), rate_hz,
        response, &design->response_frames, err);
    design->response = *response;
    return status;
}

static sb_status make_room(const sb_scene *scene, scene_room_change *change,
                           sb_error *err) {
    double rate_hz = sb_engine_sample_rate(scene->engine);
    sb_room_design design = {.latency = sb_engine_stem_latency(scene->engine),
                             .late.sample_rate_hz = rate_hz};
    float *response = NULL;
    sb_status status = make_parts(change, rate_hz, &design, &response, err);
    void *memory = status ? NULL : sb_alloc_aligned(sb_room_bytes(&design));
    if (memory) {
        change->room = sb_room_init(memory, &design);
    } else {
        sb_free(change->mirror);
        change->mirror = NULL;
        if (!status) status = sb_fail(err, SB_NO_MEMORY, "room: out of memory");
    }
    sb_free(response);
    return status;
}

sb_status scene_prepare_room(const sb_scene *scene, const sb_room_def *room,
                             const sb_air *air, scene_room_change *out,
                             sb_error *err) {
    *out = (scene_room_change){.def = *room, .air = *air};
    sb_status status = sb_room_check(room, err);
    if (status) return status;
    bool has_hall = sb_hall_is_on(&room->hall);
    bool is_other_air =
        has_hall && !sb_air_is_same(&scene->hear.listener.air, air);
    out->changes = is_other_air || !sb_room_is_same(&scene->hear.room, room);
    if (!out->changes || !sb_room_is_on(room)) return SB_OK;
    return make_room(scene, out, err);
}

void scene_drop_room(scene_room_change *change) {
    sb_free(change->room);
    sb_free(change->mirror);
}

void scene_enter_room(sb_scene *scene, scene_room_change *change,
                      double time_s) {
    if (!change->changes) return;
    scene->hear.room = change->def;
    sb_free(scene->hear.mirror);
    scene->hear.mirror = change->mirror;
    sb_engine_set_room(scene->engine, scene_frames(scene, time_s),
                       change->room);
    for (int i = 0; i < scene->order_count; i++)
        scene_reflect(scene, &scene->bodies[scene->order[i]], time_s);
}

sb_status sb_scene_set_room(sb_scene *scene, const sb_room_def *room,
                            double time_s, sb_error *err) {
    scene_room_change change;
    sb_status status =
        sb_engine_reserve(scene->engine, 1 + scene->order_count, err);
    if (!status)
        status = scene_prepare_room(scene, room, &scene->hear.listener.air,
                                    &change, err);
    if (!status) scene_enter_room(scene, &change, time_s);
    return status;
}

sb_room_def sb_scene_room(const sb_scene *scene) {
    return scene->hear.room;
}
