/* SPDX-License-Identifier: MIT */
/* Bit sets of the active and dozing voices, and quality.h applied to them.
 * Thread: audio. */

#include "runtime/dsp/bank/modal_choice.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/voice/voice_share.h"

#include <math.h>

static uint64_t bit_of(const sb_voice *voice) {
    return (uint64_t)1 << (voice->place % 64);
}

void audio_wake(sb_audio *audio, const sb_voice *voice) {
    audio->active.is_up[audio->playing[voice->place]] = true;
    audio->active.awake[voice->place / 64] |= bit_of(voice);
}

void audio_let_sleep(sb_audio *audio, sb_voice *voice) {
    /* An inactive voice is not managed: it becomes active again with all modes
     * heard. */
    if (voice->share.is_hidden || sb_modal_bank_is_partial(voice->bank))
        sb_modal_bank_choose_all(voice->bank, false);
    voice->share = (sb_share){0};
    audio->active.is_up[audio->playing[voice->place]] = false;
    audio->active.awake[voice->place / 64] &= ~bit_of(voice);
}

void audio_update_dozing(sb_audio *audio, const sb_voice *voice) {
    audio->active.dozing[voice->place / 64] |= bit_of(voice);
}

bool audio_may_doze(const sb_voice *voice) {
    return voice->share.is_hidden && !voice->leaving.is_set && !voice->retune &&
           voice->impact_count == 0 && voice->flying_count == 0;
}

void audio_let_doze(sb_audio *audio, sb_voice *voice) {
    sb_quality *q = &audio->quality;
    sb_share *share = &voice->share;
    audio->active.is_up[audio->playing[voice->place]] = false;
    audio->active.awake[voice->place / 64] &= ~bit_of(voice);
    audio_update_dozing(audio, voice);
    share->is_dozing = true;
    share->since = audio->clock / SB_BLOCK_FRAMES + 1;
    q->dozing_count++;
    q->dozing_modes += share->wanted;
    q->dozing_power += (double)share->power;
    q->dozing_j += share->energy_j;
}

static void rouse(sb_audio *audio, sb_voice *voice) {
    sb_quality *q = &audio->quality;
    sb_share *share = &voice->share;
    int blocks = (int)(audio->clock / SB_BLOCK_FRAMES - share->since);
    audio->active.dozing[voice->place / 64] &= ~bit_of(voice);
    share->is_dozing = false;
    share->behind += blocks;
    q->dozing_count--;
    q->dozing_modes -= share->wanted;
    q->dozing_power = fmax(q->dozing_power - (double)share->power, 0.0);
    q->dozing_j = fmax(q->dozing_j - share->energy_j, 0.0);
    /* Running sums do not return to exactly 0. */
    if (q->dozing_count == 0) q->dozing_power = q->dozing_j = 0.0;
    share->power *= powf(share->keep, (float)blocks);
}

/* Voices for whose place p the sum p + block is a multiple of
 * SB_QUALITY_REFRESH. */
static void wake_due(sb_audio *audio) {
    int64_t block = audio->clock / SB_BLOCK_FRAMES;
    int first = (int)((SB_QUALITY_REFRESH - block % SB_QUALITY_REFRESH) %
                      SB_QUALITY_REFRESH);
    uint64_t due = 0;
    for (int i = first; i < 64; i += SB_QUALITY_REFRESH)
        due |= (uint64_t)1 << i;
    for (int word = 0; word < SB_AUDIO_VOICES / 64; word++)
        audio->active.awake[word] |= audio->active.dozing[word] & due;
}

bool audio_may_sleep(const sb_voice *voice) {
    return !voice->leaving.is_set && !voice->retune &&
           sb_voice_is_silent(voice);
}

int audio_next_awake(const sb_audio *audio, int from) {
    int last = (audio->playing_count + 63) / 64;
    for (int word = from / 64; word < last; word++) {
        uint64_t bits = audio->active.awake[word];
        if (word == from / 64) bits &= ~(uint64_t)0 << (from % 64);
        if (bits) return word * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

/* A voice that strikes another must be active to be gathered. */
static void wake_seconds(sb_audio *audio, const sb_voice *voice) {
    for (int i = 0; i < voice->flying_count; i++) {
        const sb_strike *strike = voice->flying[i];
        if (strike->second_mode_count == 0) continue;
        const sb_voice *second =
            audio_voice(audio, strike->second_slot, strike->second_generation);
        if (second) audio_wake(audio, second);
    }
}

int audio_list_awake(sb_audio *audio) {
    int count = 0;
    wake_due(audio);
    for (int i = audio_next_awake(audio, 0); i >= 0;
         i = audio_next_awake(audio, i + 1))
        wake_seconds(audio, audio->voices[audio->playing[i]]);
    for (int i = audio_next_awake(audio, 0); i >= 0;
         i = audio_next_awake(audio, i + 1))
        audio->active.listed[count++] = audio->playing[i];
    for (int i = 0; i < count && audio->quality.dozing_count > 0; i++) {
        sb_voice *voice = audio->voices[audio->active.listed[i]];
        if (voice->share.is_dozing) rouse(audio, voice);
    }
    return count;
}

/* --- limits ---------------------------------------------------------------*/

void audio_set_quality(sb_audio *audio, const sb_quality_def *def) {
    audio->quality.def = *def;
    audio->threshold = def->tau / 32768.0;
    for (int word = 0; word < SB_AUDIO_VOICES / 64; word++)
        audio->active.awake[word] |= audio->active.dozing[word];
}

sb_retune *audio_ready_voice(const sb_audio *audio, sb_voice *voice) {
    /* Only for active voices: visiting all would take too long. */
    if (voice->threshold != audio->threshold)
        sb_voice_set_threshold(voice, audio->threshold);
    return sb_voice_glide(voice);
}

void audio_pass(sb_voice *voice, sb_tracer *tracer, sb_voice_report *report) {
    sb_share *share = &voice->share;
    /* Measuring every time would cost more than all the rest. */
    if (tracer && (!share->was_hidden || share->behind == 0))
        share->energy_j = sb_modal_bank_energy_j(voice->bank);
    double before_j = share->energy_j;
    sb_voice_pass(voice, report);
    if (!tracer) return;
    if (share->behind == 0)
        share->energy_j = sb_modal_bank_energy_j(voice->bank);
    sb_tracer_passed(tracer, before_j, share->energy_j);
}

static int centi_db(double power) {
    const int silence = -20000;
    double level = power > 1e-20 ? 1000.0 * log(power) / log(10.0) : silence;
    return (int)fmin(fmax(level, silence), 20000.0);
}

static int clamped(double x) {
    return (int)fmin(fmax(x, 0.0), 2e9);
}

void audio_show_quality(sb_audio *audio, int active_modes) {
    const sb_quality *q = &audio->quality;
    sb_audio_counters *c = &audio->counters;
    bool is_counted = q->spent_units > 0.0;
    audio_show(&c->modes_wanted, is_counted ? q->wanted_modes : active_modes);
    audio_show(&c->modes_mixed, is_counted ? q->mixed_modes : active_modes);
    audio_show(&c->dropped_centi_db, centi_db(q->dropped_power));
    audio_show(&c->units, clamped(q->spent_units));
    audio_show(&c->budget_units,
               isinf(q->budget_units) ? -1 : clamped(q->budget_units));
    audio_show(&c->unit_pico_s, clamped(q->unit_ns * 1e3));
}
