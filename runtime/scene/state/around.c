/* SPDX-License-Identifier: MIT */
/* Makes the audio thread's room from its description. Control thread. */
#include "runtime/scene/state/around.h"

#include "runtime/base/memory.h"
#include "runtime/dsp/room/room.h"
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
    late->mean_s = MEAN_S;
    double energy = pow(10.0, 0.1 * def->level_db);
    double gain = sb_late_gain(late->sample_rate_hz, late->mean_s,
                               energy * rate_of(def->t60_s[KHZ]));
    for (int band = 0; band < SB_LATE_BANDS; band++) {
        late->t60_s[band] = octave_of(def->t60_s, band);
        /* What decays before it has passed a line is not heard. */
        double lost = 0.5 * rate_of(late->t60_s[band]) * late->mean_s;
        late->gain[band] = gain * exp(0.5 * lost);
    }
    design->predelay_s = def->predelay_s;
}

static sb_status make_room(const sb_scene *scene, const sb_room_def *room,
                           sb_room **out, sb_error *err) {
    sb_room_design design = {.latency = sb_engine_stem_latency(scene->engine),
                             .late.sample_rate_hz =
                                 sb_engine_sample_rate(scene->engine)};
    design_reverb(&room->reverb, &design);
    void *memory = sb_alloc_aligned(sb_room_bytes(&design));
    if (!memory) return sb_fail(err, SB_NO_MEMORY, "room: out of memory");
    *out = sb_room_init(memory, &design);
    return SB_OK;
}

sb_status scene_prepare_room(const sb_scene *scene, const sb_room_def *room,
                             bool *changes, sb_room **out, sb_error *err) {
    *out = NULL;
    *changes = !sb_room_is_same(&scene->hear.room, room);
    if (!*changes || !sb_reverb_is_on(&room->reverb)) return SB_OK;
    return make_room(scene, room, out, err);
}

void scene_enter_room(sb_scene *scene, const sb_room_def *room, sb_room *made,
                      double time_s) {
    scene->hear.room = *room;
    sb_engine_set_room(scene->engine, scene_frames(scene, time_s), made);
}

sb_status sb_scene_set_room(sb_scene *scene, const sb_room_def *room,
                            double time_s, sb_error *err) {
    bool changes;
    sb_room *made = NULL;
    sb_status status = sb_engine_reserve(scene->engine, 1, err);
    if (!status) status = scene_prepare_room(scene, room, &changes, &made, err);
    if (!status && changes) scene_enter_room(scene, room, made, time_s);
    return status;
}

sb_room_def sb_scene_room(const sb_scene *scene) {
    return scene->hear.room;
}
