/* The engine's ears and the paths of the voices. Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/engine/engine_internal.h"

#include <math.h>

sb_status sb_engine_open_ears(sb_engine *engine, const sb_air *air,
                              sb_error *err) {
    sb_audio *audio = engine->audio;
    if (audio->ears) return SB_OK;
    double rate_hz = audio->sample_rate_hz;
    void *memory = sb_alloc_aligned(engine_aligned(sb_ears_bytes(rate_hz)));
    sb_air_table *table = memory ? sb_air_table_make(air, rate_hz) : NULL;
    if (!table) {
        sb_free(memory);
        return sb_fail(err, SB_NO_MEMORY, "ears: out of memory");
    }
    audio->ears = sb_ears_init(memory, rate_hz);
    audio->air = table;
    audio->ears->air = table;
    return SB_OK;
}

void sb_engine_set_silence(sb_engine *engine, double amplitude) {
    if (engine->audio->ears) engine->audio->ears->silence = (float)amplitude;
}

int sb_engine_latency(const sb_engine *engine) {
    const sb_audio *audio = engine->audio;
    int ears = audio->ears ? sb_ears_latency(audio->sample_rate_hz) : 0;
    return SB_LIMITER_LATENCY + ears;
}

static bool is_finite(const sb_path_knot *knot) {
    double sum = knot->time_frames + (double)knot->distance_m;
    for (int ear = 0; ear < 2; ear++) {
        const sb_ear_knot *e = &knot->ear[ear];
        sum += e->delay + e->rate + (double)e->full + (double)e->full_rate +
               (double)e->dull + (double)e->dull_rate;
    }
    return isfinite(sum);
}

sb_status sb_engine_set_path(sb_engine *engine, sb_voice_id id,
                             double time_frames, const sb_path_knot *knot,
                             sb_error *err) {
    sb_status status = engine_check_voice(engine, id, err);
    if (status) return status;
    if (!is_finite(knot)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a body is heard from a place that is not finite");
    }
    status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_PATH,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.knot = *knot});
    return SB_OK;
}

void sb_engine_set_air(sb_engine *engine, double time_frames,
                       sb_air_table *air) {
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_AIR,
                                     .with.air = air});
}
