/* SPDX-License-Identifier: MIT */
/* The control side of strikes, of places that are prepared for them
 * (engine_pad.h), and of sound that was computed elsewhere. Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_internal.h"
#include "runtime/engine/engine_pad.h"
#include "runtime/engine/impact_def.h"

#include <math.h>
#include <string.h>

/* The weights, followed by the work space of a striker's contact; and both
 * again for a striker that rings itself. */
static sb_strike *create_strike(int mode_count, bool is_striker,
                                int second_count) {
    size_t padded = (size_t)sb_modal_field_padded(mode_count);
    size_t own =
        sb_modal_bank_aligned(sizeof(sb_strike) + padded * sizeof(float));
    size_t room = is_striker ? sb_modal_field_bytes(mode_count) : 0;
    size_t second_padded = (size_t)sb_modal_field_padded(second_count);
    size_t second = sb_modal_bank_aligned(second_padded * sizeof(float));
    size_t second_room =
        second_count > 0 ? sb_modal_field_bytes(second_count) : 0;
    sb_strike *strike = sb_alloc_aligned(own + room + second + second_room);
    if (!strike) return NULL;
    char *at = (char *)strike + own;
    strike->mode_count = mode_count;
    strike->weights = (float *)(void *)(strike + 1);
    strike->room = &strike->field;
    if (is_striker) sb_modal_field_init(&strike->field, at, mode_count);
    if (second_count == 0) return strike;
    strike->second_mode_count = second_count;
    strike->second_weights = (float *)(void *)(at + room);
    sb_modal_field_init(&strike->second_field, at + room + second,
                        second_count);
    return strike;
}

static void set_second(sb_strike *strike, const sb_impact_def *def) {
    strike->second_slot = def->second.index;
    strike->second_generation = def->second.generation;
    for (int k = 0; k < strike->second_mode_count; k++)
        strike->second_weights[k] = (float)def->second_weights[k];
}

/* The number of modes of the striker itself. */
static sb_status check_second(const sb_engine *engine, sb_voice_id id,
                              const sb_impact_def *def, int *count,
                              sb_error *err) {
    *count = 0;
    if (!def->striker || def->second.generation == 0) return SB_OK;
    sb_status status = engine_check_voice(engine, def->second, err);
    if (status) return status;
    if (def->second.index == id.index) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a voice cannot be its own striker");
    }
    *count = engine->mode_count[def->second.index];
    return SB_OK;
}

/* The value of sb_strike.response: how loud a strike will be. */
static double response_of(const sb_engine *engine, uint32_t slot,
                          const sb_impact_def *def) {
    const engine_tone *tones = engine->tones[slot];
    double nyquist = SB_PI * engine->audio->sample_rate_hz, sum = 0.0;
    double pulse = def->duration_s > 0.0 ? SB_PI / def->duration_s : 0.0;
    for (int k = 0; k < engine->mode_count[slot]; k++) {
        double omega = (double)tones[k].omega_rad_s;
        double part = (double)tones[k].gain * def->weights[k];
        double ratio = pulse > 0.0 ? omega / pulse : 0.0;
        if (omega >= nyquist) continue;
        /* An upper bound of the spectrum of a half-sine. */
        if (ratio * ratio > 2.0) part /= ratio * ratio - 1.0;
        sum += part * part;
    }
    return isfinite(sum) ? 0.5 * sum : 0.0;
}

sb_status sb_engine_strike(sb_engine *engine, sb_voice_id id,
                           double time_frames, const sb_impact_def *def,
                           sb_error *err) {
    int second_count = 0;
    sb_status status = engine_check_voice(engine, id, err);
    if (!status) status = check_second(engine, id, def, &second_count, err);
    if (!status) status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    int count = engine->mode_count[id.index];
    sb_strike *strike =
        create_strike(count, def->striker != NULL, second_count);
    if (!strike) {
        return sb_no_memory_for(err, "one more strike");
    }
    strike->impulse_ns = def->impulse_ns;
    strike->duration_s = def->duration_s;
    strike->response = response_of(engine, id.index, def);
    strike->record = def->record;
    strike->is_watched = def->is_watched;
    strike->is_striker = def->striker != NULL;
    if (def->striker) strike->striker = *def->striker;
    strike->striker.label = def->record.label;
    for (int k = 0; k < count; k++)
        strike->weights[k] = (float)def->weights[k];
    set_second(strike, def);
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_STRIKE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .power = sb_strike_power(strike),
                                     .with.strike = strike});
    return SB_OK;
}

/* --- prepared places ------------------------------------------------------*/

bool sb_engine_has_pad(const sb_engine *engine, sb_pad_id id) {
    return (id.generation & 1) && id.index < SB_AUDIO_PADS &&
           engine->pad_generation[id.index] == id.generation;
}

/* Room for the release of every pad is kept. */
static bool has_room(const sb_engine *engine, int releases) {
    return sb_ring_room(&engine->audio->pads.posts) > (uint32_t)releases;
}

static void post(sb_engine *engine, sb_pad_post item) {
    (void)sb_ring_push(&engine->audio->pads.posts, &item);
}

/* --- making one -----------------------------------------------------------*/

/* The pad, its weights, the law's data, and a striker's work space. */
static sb_pad *make(const sb_pad_def *def, int count) {
    size_t own = sb_modal_bank_aligned(sizeof(sb_pad));
    size_t weights = sb_modal_bank_aligned(
        (size_t)sb_modal_field_padded(count) * sizeof(float));
    size_t law = sb_modal_bank_aligned(def->law_bytes);
    size_t room = def->striker ? sb_modal_field_bytes(count) : 0;
    char *memory = sb_alloc_aligned(own + weights + law + room);
    if (!memory) return NULL;
    sb_pad *pad = (sb_pad *)(void *)memory;
    pad->weights = (float *)(void *)(memory + own);
    for (int k = 0; k < count; k++)
        pad->weights[k] = (float)def->weights[k];
    pad->law_data =
        memcpy(memory + own + weights, def->law_data, def->law_bytes);
    if (def->striker) {
        sb_modal_field_init(&pad->field, memory + own + weights + law, count);
        pad->striker = *def->striker;
    }
    pad->is_striker = def->striker != NULL;
    pad->voice = def->voice;
    pad->mode_count = count;
    pad->label = def->label;
    pad->law = def->law;
    for (int i = 0; i < SB_PAD_HITS; i++)
        pad->free[pad->free_count++] = &pad->strikes[i];
    return pad;
}

/* Loudness of a hit of 1 m/s, by which hits are ranked. */
static double pad_response(const sb_engine *engine, const sb_pad_def *def) {
    sb_blow blow = {0};
    if (!def->law(def->law_data, 1.0, &blow)) return 0.0;
    return response_of(engine, def->voice.index,
                       &(sb_impact_def){.duration_s = blow.duration_s,
                                        .weights = def->weights});
}

static int find_slot(const sb_engine *engine) {
    for (int i = 0; i < SB_AUDIO_PADS; i++)
        if (engine->pad_generation[i] % 2 == 0) return i;
    return -1;
}

sb_status sb_engine_prepare_pad(sb_engine *engine, const sb_pad_def *def,
                                sb_pad_id *id, sb_error *err) {
    sb_status status = engine_check_voice(engine, def->voice, err);
    if (status) return status;
    bool is_new = !sb_engine_has_pad(engine, *id);
    int slot = is_new ? find_slot(engine) : (int)id->index;
    if (slot < 0)
        return sb_fail(err, SB_NO_MEMORY, "all %d prepared places are taken",
                       (int)SB_AUDIO_PADS);
    if (!has_room(engine, engine->pad_count + is_new))
        return sb_fail(err, SB_QUEUE_FULL,
                       "the audio thread has not taken the places that were "
                       "prepared");
    sb_pad *pad = make(def, engine->mode_count[def->voice.index]);
    if (!pad) return sb_no_memory_for(err, "a prepared place");
    pad->response = pad_response(engine, def);
    engine->pad_generation[slot] += is_new;
    engine->pad_count += is_new;
    *id = (sb_pad_id){(uint32_t)slot, engine->pad_generation[slot]};
    pad->id = *id;
    pad->next = engine->pads;
    engine->pads = pad;
    post(engine, (sb_pad_post){.kind = SB_POST_PAD, .id = *id, .pad = pad});
    return SB_OK;
}

void sb_engine_release_pad(sb_engine *engine, sb_pad_id id) {
    if (!sb_engine_has_pad(engine, id)) return;
    engine->pad_generation[id.index]++;
    engine->pad_count--;
    post(engine, (sb_pad_post){.kind = SB_POST_PAD, .id = id});
}

bool sb_engine_post_hit(sb_engine *engine, sb_pad_id id, double speed_m_s,
                        int64_t frame) {
    if (!has_room(engine, engine->pad_count)) return false;
    post(engine, (sb_pad_post){.kind = SB_POST_HIT,
                               .id = id,
                               .speed_m_s = speed_m_s,
                               .frame = frame});
    return true;
}

/* --- freeing --------------------------------------------------------------*/

void engine_free_pad(sb_engine *engine, const sb_pad *gone) {
    sb_pad **at = &engine->pads;
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    sb_free((void *)gone);
}

void engine_free_pads(sb_engine *engine) {
    while (engine->pads)
        engine_free_pad(engine, engine->pads);
}

/* --- streams --------------------------------------------------------------*/

sb_status sb_engine_stream(sb_engine *engine, sb_voice_id id,
                           int64_t start_frame, const float *samples, int count,
                           sb_error *err) {
    sb_status status = engine_check_voice(engine, id, err);
    if (!status) status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    size_t bytes = (size_t)count * sizeof *samples;
    sb_stream *stream = sb_alloc(1, sizeof *stream + bytes);
    if (!stream) return sb_no_memory_for(err, "%d frames", count);
    stream->count = count;
    memcpy(stream->samples, samples, bytes);
    engine_post(engine, (sb_command){.time_frames = (double)start_frame,
                                     .kind = SB_COMMAND_STREAM,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.stream = stream});
    return SB_OK;
}
