/* Voices that are output alone, before the ears. Thread: audio. */
#include "runtime/engine/audio/audio_awake.h"
#include "runtime/engine/audio/audio_internal.h"

#include <string.h>

static sb_voice *find(const sb_audio *audio, sb_voice_id id) {
    sb_voice *voice =
        id.index < SB_AUDIO_VOICES ? audio->voices[id.index] : NULL;
    return voice && voice->generation == id.generation ? voice : NULL;
}

void audio_begin_dry(sb_audio *audio) {
    sb_dry *dry = &audio->dry;
    for (int i = 0; i < dry->count; i++) {
        sb_voice *voice = find(audio, dry->ids[i]);
        if (voice) voice->dry = NULL;
    }
    dry->count = dry->wanted_count < dry->most ? dry->wanted_count : dry->most;
    for (int i = 0; i < dry->count; i++) {
        dry->ids[i] = dry->wanted[i];
        memset(dry->blocks[i], 0, sizeof dry->blocks[i]);
        sb_voice *voice = find(audio, dry->ids[i]);
        if (!voice || voice->dry) continue;
        voice->dry = dry->blocks[i];
        if (voice->share.is_dozing) audio_wake(audio, voice);
    }
}

static bool is_same(sb_voice_id a, sb_voice_id b) {
    return a.index == b.index && a.generation == b.generation;
}

/* The block of the i-th wanted voice, or NULL: the list may have changed since
 * the block was made. */
static const float *block_of(const sb_dry *dry, int i) {
    if (i < dry->count && is_same(dry->ids[i], dry->wanted[i]))
        return dry->blocks[i];
    for (int j = 0; j < dry->count; j++)
        if (is_same(dry->ids[j], dry->wanted[i])) return dry->blocks[j];
    return NULL;
}

void audio_give_dry(const sb_audio *audio, float *const *mono, int at, int from,
                    int count) {
    for (int i = 0; i < audio->dry.wanted_count; i++) {
        const float *block = from < 0 ? NULL : block_of(&audio->dry, i);
        size_t bytes = (size_t)count * sizeof *block;
        if (block) {
            memcpy(mono[i] + at, block + from, bytes);
        } else {
            memset(mono[i] + at, 0, bytes);
        }
    }
}
