/* SPDX-License-Identifier: MIT */
/* What is heard of a block: the ears and the stems, and voices that are output
 * alone, before the ears. Thread: audio. */
#include "runtime/dsp/ears/ears.h"
#include "runtime/dsp/room/room.h"
#include "runtime/engine/audio/audio_internal.h"

#include <string.h>

/* Fade-out of a room that is replaced. */
enum { ROOM_FADE_BLOCKS = 16 };

void audio_begin_ears(sb_audio *audio) {
    const sb_hearing *hearing = &audio->hearing;
    if (hearing->ears) sb_ears_begin(hearing->ears, audio->clock);
    float silence = hearing->ears ? hearing->ears->silence : 0.0f;
    if (hearing->room) sb_room_begin(hearing->room, audio->clock, silence);
    if (hearing->left) sb_room_begin(hearing->left, audio->clock, silence);
    for (int i = 0; i < hearing->stem_count; i++) {
        hearing->stems[i]->ears->air = hearing->air;
        hearing->stems[i]->ears->head = hearing->head;
        sb_ears_begin(hearing->stems[i]->ears, audio->clock);
    }
}

/* The room that was left fades out. */
static void leave_room(sb_audio *audio, float *stereo) {
    sb_hearing *hearing = &audio->hearing;
    float block[SB_BLOCK_FRAMES * SB_CHANNELS] = {0};
    sb_room_give(hearing->left, block);
    for (int n = 0; n < SB_BLOCK_FRAMES * SB_CHANNELS; n++) {
        float done = (float)(n / SB_CHANNELS) / SB_BLOCK_FRAMES;
        stereo[n] +=
            block[n] * ((float)hearing->left_blocks - done) / ROOM_FADE_BLOCKS;
    }
    if (--hearing->left_blocks > 0) return;
    audio_retire(audio, SB_RETIRED_ROOM, 0, hearing->left);
    hearing->left = NULL;
}

void audio_hear(sb_audio *audio, float *stereo) {
    sb_hearing *hearing = &audio->hearing;
    if (!hearing->ears) return;
    for (int i = 0; i < hearing->stem_count; i++) {
        sb_stem *stem = hearing->stems[i];
        memset(stem->block, 0, sizeof stem->block);
        sb_ears_give(stem->ears, stem->block);
    }
    sb_ears_give(hearing->ears, stereo);
    int64_t frames = sb_ears_travelling(hearing->ears);
    if (hearing->left) leave_room(audio, stereo);
    if (hearing->room) {
        sb_room_give(hearing->room, stereo);
        int64_t more = sb_room_travelling(hearing->room);
        if (more > frames) frames = more;
    }
    /* The limiter delays it further. */
    if (frames > 0)
        hearing->loud_until = audio->clock + frames + SB_LIMITER_LATENCY;
    int64_t left = hearing->loud_until - audio->clock;
    atomic_store_explicit(&audio->counters.travelling, left > 0 ? left : 0,
                          memory_order_relaxed);
}

/* Without ears the table is returned at once. */
void audio_set_air(sb_audio *audio, sb_air_table *air) {
    sb_hearing *hearing = &audio->hearing;
    sb_air_table *gone = hearing->ears ? hearing->air : air;
    if (hearing->ears) {
        hearing->air = air;
        hearing->ears->air = air;
        for (int i = 0; i < hearing->stem_count; i++)
            hearing->stems[i]->ears->air = air;
    }
    audio_retire(audio, SB_RETIRED_AIR, 0, gone);
}

/* Without ears it is returned at once. A path keeps the filters it has. */
void audio_set_head(sb_audio *audio, sb_head *head) {
    sb_hearing *hearing = &audio->hearing;
    sb_head *gone = hearing->ears ? hearing->head : head;
    if (hearing->ears) {
        hearing->head = head;
        hearing->ears->head = head;
        for (int i = 0; i < hearing->stem_count; i++)
            hearing->stems[i]->ears->head = head;
    }
    audio_retire(audio, SB_RETIRED_HEAD, 0, gone);
}

void audio_set_room(sb_audio *audio, sb_room *room) {
    sb_hearing *hearing = &audio->hearing;
    if (!hearing->ears) {
        audio_retire(audio, SB_RETIRED_ROOM, 0, room);
        return;
    }
    /* Of two changes within the fade, the first is cut short. */
    audio_retire(audio, SB_RETIRED_ROOM, 0, hearing->left);
    hearing->left = hearing->room;
    hearing->left_blocks = ROOM_FADE_BLOCKS;
    hearing->room = hearing->ears->room = room;
    if (room) sb_room_begin(room, audio->clock, hearing->ears->silence);
}

/* --- voices alone ---------------------------------------------------------*/

void audio_begin_dry(sb_audio *audio) {
    sb_dry *dry = &audio->dry;
    for (int i = 0; i < dry->count; i++) {
        sb_voice *voice =
            audio_voice(audio, dry->ids[i].index, dry->ids[i].generation);
        if (voice) voice->dry = NULL;
    }
    dry->count = dry->wanted_count < dry->most ? dry->wanted_count : dry->most;
    for (int i = 0; i < dry->count; i++) {
        dry->ids[i] = dry->wanted[i];
        memset(dry->blocks[i], 0, sizeof dry->blocks[i]);
        sb_voice *voice =
            audio_voice(audio, dry->ids[i].index, dry->ids[i].generation);
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
