#include "runtime/engine/audio_awake.h"

#include "runtime/dsp/modal_choice.h"

static uint64_t bit_of(const sb_voice *voice) {
    return (uint64_t)1 << (voice->place % 64);
}

void audio_wake(sb_audio *audio, const sb_voice *voice) {
    audio->awake[voice->place / 64] |= bit_of(voice);
}

void audio_let_sleep(sb_audio *audio, sb_voice *voice) {
    /* Nobody looks after it while it sleeps: it wakes heard in full. */
    if (voice->share.is_hidden || sb_modal_bank_is_partial(voice->bank))
        sb_modal_bank_choose_all(voice->bank, false);
    voice->share = (sb_share){0};
    audio->awake[voice->place / 64] &= ~bit_of(voice);
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

/* A voice that strikes another must be there to be gathered. */
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
    for (int i = audio_next_awake(audio, 0); i >= 0;
         i = audio_next_awake(audio, i + 1))
        wake_seconds(audio, audio->voices[audio->playing[i]]);
    for (int i = audio_next_awake(audio, 0); i >= 0;
         i = audio_next_awake(audio, i + 1))
        audio->listed[count++] = audio->playing[i];
    return count;
}
