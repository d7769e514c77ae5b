/* The control side of voices: adding, retuning and removing them. Thread:
 * control. */
#include "runtime/base/memory.h"
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

static void add_spring(sb_voice *voice, const sb_spring_def *def) {
    const sb_spring *spring = &def->spring;
    sb_link link;
    if (def->is_distortion) {
        sb_link_init_distortion(&link, spring->loss_ns_m, spring->knee_m_s);
    } else {
        sb_link_init_spring(&link, spring->linear_n_m, spring->cubic_n_m3);
    }
    sb_voice_add_spring(voice, &link, def->weights);
}

/* Layout: the voice, its diffuse part, and its tones, which only control
 * reads. */
static size_t diffuse_offset(const sb_voice_def *def) {
    return engine_aligned(sb_voice_bytes(def->mode_count, def->spring_count));
}

static size_t tones_offset(const sb_voice_def *def) {
    return diffuse_offset(def) +
           (def->diffuse ? engine_aligned(sb_voice_diffuse_bytes()) : 0);
}

static engine_tone *tones_of(sb_voice *voice, const sb_voice_def *def) {
    return (engine_tone *)(void *)((char *)voice + tones_offset(def));
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
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                       def->mode_count);
    }
    sb_status status = sb_voice_init(voice, def->modes, def->mode_count,
                                     audio->sample_rate_hz);
    if (status) {
        sb_free(voice);
        return sb_fail(err, status,
                       "a mode's frequency, decay or gain is not a finite "
                       "number in its range");
    }
    for (int i = 0; i < def->spring_count; i++)
        add_spring(voice, &def->springs[i]);
    if (def->diffuse) {
        void *memory = (char *)voice + diffuse_offset(def);
        sb_voice_set_diffuse(voice, memory, def->diffuse);
    }
    if (def->stem > 0) voice->stem = audio->stems[def->stem - 1]->ears;
    if (def->knot) sb_voice_begin_path(voice, def->knot, engine->threshold);
    *out = voice;
    return SB_OK;
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
    engine_keep_tones(engine->tones[slot], def->modes, def->mode_count);

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

void sb_engine_set_springs(sb_retune *retune, const sb_spring *springs,
                           int count) {
    assert(count <= SB_VOICE_SPRINGS);
    retune->spring_count = count;
    memcpy(retune->springs, springs, (size_t)count * sizeof *springs);
}

void sb_engine_drop_retune(sb_retune *retune) {
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
