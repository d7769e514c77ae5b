/* The engine's ears and the paths of the voices. Thread: control. */
#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/dsp/ears/propagation.h"
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

sb_status sb_engine_add_stem(sb_engine *engine, int *out, sb_error *err) {
    sb_audio *audio = engine->audio;
    if (audio->stem_count == SB_AUDIO_STEMS)
        return sb_fail(err, SB_NO_MEMORY, "there are at most %d stems",
                       (int)SB_AUDIO_STEMS);
    double rate_hz = audio->sample_rate_hz;
    sb_stem *stem = sb_alloc(1, sizeof *stem);
    void *memory = sb_alloc_aligned(engine_aligned(sb_ears_bytes(rate_hz)));
    if (!stem || !memory) {
        sb_free(stem);
        sb_free(memory);
        return sb_fail(err, SB_NO_MEMORY, "stem: out of memory");
    }
    stem->ears = sb_ears_init(memory, rate_hz);
    sb_ears_begin(stem->ears, audio->clock);
    audio->stems[audio->stem_count++] = stem;
    *out = audio->stem_count;
    return SB_OK;
}

const float *sb_engine_stem_block(const sb_engine *engine, int stem) {
    return engine->audio->stems[stem - 1]->block;
}

void engine_free_stems(sb_engine *engine) {
    sb_audio *audio = engine->audio;
    for (int i = 0; i < audio->stem_count; i++) {
        sb_free(audio->stems[i]->ears);
        sb_free(audio->stems[i]);
    }
}

sb_status sb_engine_open_bodies(sb_engine *engine, int most, sb_error *err) {
    sb_dry *dry = &engine->audio->dry;
    if (dry->most > 0) return SB_OK;
    dry->ids = sb_alloc((size_t)most, sizeof *dry->ids);
    dry->blocks = sb_alloc((size_t)most, sizeof *dry->blocks);
    if (!dry->ids || !dry->blocks) {
        engine_free_dry(engine);
        return sb_fail(err, SB_NO_MEMORY,
                       "out of memory for the sound of %d bodies alone", most);
    }
    dry->most = most;
    return SB_OK;
}

void engine_free_dry(sb_engine *engine) {
    sb_dry *dry = &engine->audio->dry;
    sb_free(dry->ids);
    sb_free(dry->blocks);
    *dry = (sb_dry){0};
}

void sb_engine_set_silence(sb_engine *engine, double amplitude) {
    if (engine->audio->ears) engine->audio->ears->silence = (float)amplitude;
}

int sb_engine_stem_latency(const sb_engine *engine) {
    const sb_audio *audio = engine->audio;
    return audio->ears ? sb_ears_latency(audio->sample_rate_hz) : 0;
}

int sb_engine_latency(const sb_engine *engine) {
    return SB_LIMITER_LATENCY + sb_engine_stem_latency(engine);
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
