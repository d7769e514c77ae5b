/* SPDX-License-Identifier: MIT */
/* The control side of voices: adding, retuning and removing them, their paths
 * and the ears. Thread: control. */
#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_internal.h"
#include "runtime/engine/voice_def.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool sb_engine_has_voice(const sb_engine *engine, sb_voice_id id) {
    return (id.generation & 1) && id.index < SB_AUDIO_VOICES &&
           engine->generation[id.index] == id.generation;
}

static bool find_slot(sb_engine *engine, uint32_t *slot) {
    for (uint32_t i = 0; i < SB_AUDIO_VOICES; i++) {
        uint32_t at = (engine->next_slot + i) % SB_AUDIO_VOICES;
        if (engine->generation[at] % 2 == 0 && !engine->is_resting[at]) {
            *slot = at;
            return true;
        }
    }
    return false;
}

/* Layout: the voice, its diffuse part, and its tones, which only control
 * reads. */
static size_t diffuse_offset(const sb_voice_def *def) {
    return sb_modal_bank_aligned(
        sb_voice_bytes(def->mode_count, def->spring_count));
}

static size_t tones_offset(const sb_voice_def *def) {
    return diffuse_offset(def) +
           (def->diffuse ? sb_modal_bank_aligned(sb_voice_diffuse_bytes()) : 0);
}

static engine_tone *tones_of(sb_voice *voice, const sb_voice_def *def) {
    return (engine_tone *)(void *)((char *)voice + tones_offset(def));
}

/* The first `pattern_count` modes have patterns; others are alike in all
 * directions. NULL when out of memory. */
static sb_modal_aims *make_aims(const sb_pattern *patterns, int pattern_count,
                                int mode_count) {
    sb_pattern *all = sb_alloc((size_t)mode_count, sizeof *all);
    if (!all) return NULL;
    for (int k = 0; k < mode_count; k++)
        all[k] = patterns && k < pattern_count ? patterns[k]
                                               : (sb_pattern){.order = -1};
    void *memory = sb_alloc_aligned(
        sb_modal_bank_aligned(sb_modal_aims_bytes(all, mode_count)));
    sb_modal_aims *aims =
        memory ? sb_modal_aims_init(memory, all, mode_count) : NULL;
    sb_free(all);
    return aims;
}

static sb_status make_voice(const sb_engine *engine, const sb_voice_def *def,
                            sb_voice **out, sb_error *err) {
    const sb_audio *audio = engine->audio;
    if (def->mode_count < 1) {
        return sb_fail(err, SB_BAD_ARGUMENT, "a voice needs at least one mode");
    }
    if (def->spring_count < 0 || def->spring_count > SB_VOICE_SPRINGS) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a voice has 0 to %d springs, not %d",
                       (int)SB_VOICE_SPRINGS, def->spring_count);
    }
    sb_voice *voice = sb_alloc_aligned(
        tones_offset(def) + (size_t)def->mode_count * sizeof(engine_tone));
    if (!voice) {
        return sb_no_memory_for(err, "%d modes", def->mode_count);
    }
    sb_status status = sb_voice_init(voice, def->modes, def->mode_count,
                                     audio->sample_rate_hz);
    if (status) {
        sb_free(voice);
        return sb_fail(err, status,
                       "a mode's frequency, decay or gain is not a finite "
                       "number in its range");
    }
    for (int i = 0; i < def->spring_count; i++) {
        const sb_spring_def *spring = &def->springs[i];
        sb_link link;
        sb_link_init_spring(&link, &spring->spring, spring->is_distortion);
        sb_voice_add_spring(voice, &link, spring->weights);
    }
    if (def->diffuse) {
        void *memory = (char *)voice + diffuse_offset(def);
        sb_voice_set_diffuse(voice, memory, def->diffuse);
    }
    if (def->stem > 0) voice->stem = audio->hearing.stems[def->stem - 1]->ears;
    if (def->patterns) {
        voice->aims =
            make_aims(def->patterns, def->pattern_count, def->mode_count);
        if (!voice->aims) {
            sb_free(voice);
            return sb_fail(err, SB_NO_MEMORY, "out of memory for %d patterns",
                           def->pattern_count);
        }
        sb_modal_bank_set_aims(voice->bank, voice->aims);
    }
    if (def->knot) sb_voice_begin_path(voice, def->knot, engine->threshold);
    *out = voice;
    return SB_OK;
}

static void keep_tones(engine_tone *tones, const sb_bank_mode *modes,
                       int count) {
    for (int k = 0; k < count; k++)
        tones[k] = (engine_tone){(float)modes[k].out_gain,
                                 (float)modes[k].omega_rad_s};
}

sb_status sb_engine_add_voice(sb_engine *engine, const sb_voice_def *def,
                              double time_frames, sb_voice_id *out,
                              sb_error *err) {
    uint32_t slot;
    if (!find_slot(engine, &slot)) {
        return sb_fail(err, SB_NO_MEMORY,
                       "all %d places for bodies that sound are taken",
                       (int)SB_AUDIO_VOICES);
    }
    sb_status status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    sb_voice *voice = NULL;
    status = make_voice(engine, def, &voice, err);
    if (status) return status;
    engine->tones[slot] = tones_of(voice, def);
    keep_tones(engine->tones[slot], def->modes, def->mode_count);

    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_ADD,
                                     .slot = slot,
                                     .generation = engine->generation[slot] + 1,
                                     .with.voice = voice});
    engine->generation[slot]++;
    engine->mode_count[slot] = def->mode_count;
    engine->added_frames[slot] = time_frames;
    engine->next_slot = slot + 1;
    *out = (sb_voice_id){slot, engine->generation[slot]};
    return SB_OK;
}

sb_status sb_engine_remove_voice(sb_engine *engine, sb_voice_id id,
                                 double time_frames, double fade_s,
                                 sb_error *err) {
    if (!sb_engine_has_voice(engine, id)) return SB_OK;
    sb_status status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    double rate = engine->audio->sample_rate_hz;
    /* It cannot leave before it was added. */
    double from = fmax(time_frames, engine->added_frames[id.index]);
    engine_post(engine, (sb_command){.time_frames = from,
                                     .kind = SB_COMMAND_REMOVE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.fade_frames = fade_s * rate});
    engine->generation[id.index]++;
    engine->is_resting[id.index] = true;
    return SB_OK;
}

sb_status engine_check_voice(const sb_engine *engine, sb_voice_id id,
                             sb_error *err) {
    if (sb_engine_has_voice(engine, id)) return SB_OK;
    return sb_fail(err, SB_STALE_HANDLE, "this voice has been removed");
}

sb_status sb_engine_prepare_retune(const sb_engine *engine,
                                   const sb_bank_mode *from,
                                   const sb_bank_mode *to, int count,
                                   double glide_s, sb_retune **out,
                                   sb_error *err) {
    size_t bytes = (size_t)count * sizeof(sb_bank_mode);
    sb_retune *retune = sb_alloc(1, sizeof *retune + 6 * bytes +
                                        (size_t)count * sizeof(double));
    if (!retune) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory to retune %d modes",
                       count);
    }
    double frames = glide_s * engine->audio->sample_rate_hz;
    retune->mode_count = count;
    retune->glide_blocks = fmax(ceil(frames / SB_BLOCK_FRAMES), 1.0);
    retune->from = (sb_bank_mode *)(void *)(retune + 1);
    retune->to = retune->from + count;
    retune->slope = retune->to + count; /* none: zeros */
    retune->calm = retune->slope + count;
    retune->was = retune->calm + count;
    retune->now = retune->was + count;
    retune->bend = (double *)(void *)(retune->now + count);
    memcpy(retune->from, from, bytes);
    memcpy(retune->calm, from, bytes);
    memcpy(retune->was, from, bytes);
    memcpy(retune->now, from, bytes);
    memcpy(retune->to, to, bytes);
    *out = retune;
    return SB_OK;
}

void sb_engine_set_wobble(sb_retune *retune, const sb_wobble *wobble,
                          const double *bend) {
    retune->wobbles = true;
    retune->wobble = *wobble;
    memcpy(retune->bend, bend, (size_t)retune->mode_count * sizeof *bend);
}

void sb_engine_set_diffuse(sb_retune *retune, const sb_diffuse_def *def) {
    retune->has_diffuse = true;
    retune->diffuse = *def;
}

sb_status sb_engine_set_patterns(sb_retune *retune, const sb_pattern *patterns,
                                 int count, sb_error *err) {
    retune->aims = make_aims(patterns, count, retune->mode_count);
    retune->has_aims = retune->aims != NULL;
    if (retune->aims) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "out of memory for %d patterns", count);
}

void sb_engine_set_springs(sb_retune *retune, const sb_spring *springs,
                           int count) {
    assert(count <= SB_VOICE_SPRINGS);
    retune->spring_count = count;
    memcpy(retune->springs, springs, (size_t)count * sizeof *springs);
}

void sb_engine_drop_retune(sb_retune *retune) {
    if (retune) sb_free(retune->aims);
    sb_free(retune);
}

void sb_engine_retune(sb_engine *engine, sb_voice_id id, double time_frames,
                      sb_retune *retune) {
    assert(sb_engine_has_voice(engine, id));
    assert(engine->mode_count[id.index] == retune->mode_count);
    assert(engine->pending_count < engine->pending_capacity);
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_RETUNE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.retune = retune});
}

/* --- ears and paths -------------------------------------------------------*/

sb_status sb_engine_open_ears(sb_engine *engine, const sb_air *air,
                              sb_error *err) {
    sb_audio *audio = engine->audio;
    if (audio->hearing.ears) return SB_OK;
    double rate_hz = audio->sample_rate_hz;
    void *memory =
        sb_alloc_aligned(sb_modal_bank_aligned(sb_ears_bytes(rate_hz)));
    sb_air_table *table = memory ? sb_air_table_make(air, rate_hz) : NULL;
    if (!table) {
        sb_free(memory);
        return sb_no_memory(err, "ears");
    }
    audio->hearing.ears = sb_ears_init(memory, rate_hz);
    audio->hearing.air = table;
    audio->hearing.ears->air = table;
    return SB_OK;
}

sb_status sb_engine_add_stem(sb_engine *engine, int *out, sb_error *err) {
    sb_audio *audio = engine->audio;
    if (audio->hearing.stem_count == SB_AUDIO_STEMS)
        return sb_fail(err, SB_NO_MEMORY, "there are at most %d stems",
                       (int)SB_AUDIO_STEMS);
    double rate_hz = audio->sample_rate_hz;
    sb_stem *stem = sb_alloc(1, sizeof *stem);
    void *memory =
        sb_alloc_aligned(sb_modal_bank_aligned(sb_ears_bytes(rate_hz)));
    if (!stem || !memory) {
        sb_free(stem);
        sb_free(memory);
        return sb_no_memory(err, "stem");
    }
    stem->ears = sb_ears_init(memory, rate_hz);
    sb_ears_begin(stem->ears, audio->clock);
    audio->hearing.stems[audio->hearing.stem_count++] = stem;
    *out = audio->hearing.stem_count;
    return SB_OK;
}

const float *sb_engine_stem_block(const sb_engine *engine, int stem) {
    return engine->audio->hearing.stems[stem - 1]->block;
}

void engine_free_stems(sb_engine *engine) {
    sb_audio *audio = engine->audio;
    for (int i = 0; i < audio->hearing.stem_count; i++) {
        sb_free(audio->hearing.stems[i]->ears);
        sb_free(audio->hearing.stems[i]);
    }
}

sb_status sb_engine_open_bodies(sb_engine *engine, int most, sb_error *err) {
    sb_dry *dry = &engine->audio->dry;
    if (dry->most > 0) return SB_OK;
    dry->ids = sb_alloc((size_t)most, sizeof *dry->ids);
    dry->blocks = sb_alloc((size_t)most, sizeof *dry->blocks);
    if (!dry->ids || !dry->blocks) {
        engine_free_dry(engine);
        return sb_no_memory_for(err, "the sound of %d bodies alone", most);
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
    if (engine->audio->hearing.ears)
        engine->audio->hearing.ears->silence = (float)amplitude;
}

int sb_engine_stem_latency(const sb_engine *engine) {
    const sb_audio *audio = engine->audio;
    return audio->hearing.ears ? sb_ears_latency(audio->sample_rate_hz) : 0;
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
    sum += sb_vec3_length(knot->toward) + sb_vec3_length(knot->toward_rate);
    sum += sb_vec3_length(knot->aim) + sb_vec3_length(knot->aim_rate);
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

void sb_engine_set_head(sb_engine *engine, double time_frames, sb_head *head) {
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_HEAD,
                                     .with.head = head});
}

void sb_engine_set_room(sb_engine *engine, double time_frames, sb_room *room) {
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_ROOM,
                                     .with.room = room});
}

void sb_engine_set_taps(sb_engine *engine, sb_voice_id id, double time_frames,
                        sb_taps *taps) {
    if (!sb_engine_has_voice(engine, id)) {
        sb_free(taps);
        return;
    }
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_TAPS,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.taps = taps});
}
