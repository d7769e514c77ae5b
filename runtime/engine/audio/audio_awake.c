/* Bit sets of the active and dozing voices. Thread: audio. */
#include "runtime/engine/audio/audio_awake.h"

#include "runtime/dsp/bank/modal_choice.h"

#include <math.h>

static uint64_t bit_of(const sb_voice *voice) {
    return (uint64_t)1 << (voice->place % 64);
}

void audio_wake(sb_audio *audio, const sb_voice *voice) {
    audio->is_up[audio->playing[voice->place]] = true;
    audio->awake[voice->place / 64] |= bit_of(voice);
}

void audio_let_sleep(sb_audio *audio, sb_voice *voice) {
    /* An inactive voice is not managed: it becomes active again with all modes
     * heard. */
    if (voice->share.is_hidden || sb_modal_bank_is_partial(voice->bank))
        sb_modal_bank_choose_all(voice->bank, false);
    voice->share = (sb_share){0};
    audio->is_up[audio->playing[voice->place]] = false;
    audio->awake[voice->place / 64] &= ~bit_of(voice);
}

void audio_update_dozing(sb_audio *audio, const sb_voice *voice) {
    audio->dozing[voice->place / 64] |= bit_of(voice);
}

bool audio_may_doze(const sb_voice *voice) {
    return voice->share.is_hidden && !voice->is_leaving && !voice->retune &&
           voice->impact_count == 0 && voice->flying_count == 0;
}

void audio_let_doze(sb_audio *audio, sb_voice *voice) {
    sb_quality *q = &audio->quality;
    sb_share *share = &voice->share;
    audio->is_up[audio->playing[voice->place]] = false;
    audio->awake[voice->place / 64] &= ~bit_of(voice);
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
    audio->dozing[voice->place / 64] &= ~bit_of(voice);
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

void audio_wake_dozing(sb_audio *audio) {
    for (int word = 0; word < SB_AUDIO_VOICES / 64; word++)
        audio->awake[word] |= audio->dozing[word];
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
        audio->awake[word] |= audio->dozing[word] & due;
}

bool audio_may_sleep(const sb_voice *voice) {
    return !voice->is_leaving && !voice->retune && sb_voice_is_silent(voice);
}

int audio_next_awake(const sb_audio *audio, int from) {
    int last = (audio->playing_count + 63) / 64;
    for (int word = from / 64; word < last; word++) {
        uint64_t bits = audio->awake[word];
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
        const sb_voice *second = audio->voices[strike->second_slot];
        if (second && second->generation == strike->second_generation)
            audio_wake(audio, second);
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
        audio->listed[count++] = audio->playing[i];
    for (int i = 0; i < count && audio->quality.dozing_count > 0; i++) {
        sb_voice *voice = audio->voices[audio->listed[i]];
        if (voice->share.is_dozing) rouse(audio, voice);
    }
    return count;
}
