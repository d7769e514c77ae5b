/* SPDX-License-Identifier: MIT */
/* The room: its parts, and when it is at rest. Thread: see room.h. */
#include "runtime/dsp/room/room.h"

#include "runtime/base/select.h"
#include "runtime/base/voice_types.h"

#include <math.h>
#include <string.h>

/* A room that stays below this is at rest: -180 dB of full scale. */
#define AT_REST 1e-9f

struct sb_room {
    int64_t frame;    /* first of the block */
    int64_t loud_to;  /* from here on all is silence, */
    int64_t rests_at; /* and from here on nothing is computed */
    int64_t gap;      /* longest silence before it goes on */
    float silence;
    int delay;     /* of the sum of all bodies: latency and predelay */
    uint32_t mask; /* of `sum` */
    float *sum;    /* ring, by the frame at which it enters the late field */
    sb_late *late;
};

static uint32_t ring_frames(int delay) {
    uint32_t frames = 2 * SB_BLOCK_FRAMES;
    while (frames < (uint32_t)delay + 2 * SB_BLOCK_FRAMES)
        frames *= 2;
    return frames;
}

static int delay_of(const sb_room_design *design) {
    double frames = design->predelay_s * design->late.sample_rate_hz;
    return design->latency + (int)(frames + 0.5);
}

/* Parts begin at multiples of a cache line. */
static size_t aligned(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

size_t sb_room_bytes(const sb_room_design *design) {
    return aligned(sizeof(sb_room)) +
           ring_frames(delay_of(design)) * sizeof(float) +
           sb_late_bytes(&design->late);
}

sb_room *sb_room_init(void *memory, const sb_room_design *design) {
    sb_room *room = memory;
    char *at = (char *)memory + aligned(sizeof *room);
    uint32_t frames = ring_frames(delay_of(design));
    room->delay = delay_of(design);
    room->mask = frames - 1;
    room->sum = (float *)(void *)at;
    room->late = sb_late_init(at + frames * sizeof(float), &design->late);
    room->gap = room->delay + sb_late_longest(room->late) + SB_BLOCK_FRAMES;
    room->loud_to = room->rests_at = INT64_MIN / 2;
    return room;
}

void sb_room_begin(sb_room *room, int64_t frame, float silence) {
    room->frame = frame;
    room->silence = silence;
}

/* There is sound of this peak in the block. */
static void note(sb_room *room, float peak) {
    if (peak > AT_REST) room->rests_at = room->frame + room->gap;
    if (peak > room->silence) room->loud_to = room->frame + room->gap;
}

void sb_room_take(sb_room *room, const float *mono, float from, float to) {
    float step = (to - from) / SB_BLOCK_FRAMES, peak = 0.0f;
    int64_t at = room->frame + room->delay;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float x = mono[n] * (from + step * (float)n);
        room->sum[(uint32_t)(at + n) & room->mask] += x;
        peak = sb_maxf(fabsf(x), peak);
    }
    note(room, peak);
}

static void take_sum(sb_room *room, float *out) {
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float *at = &room->sum[(uint32_t)(room->frame + n) & room->mask];
        out[n] = *at;
        *at = 0.0f;
    }
}

void sb_room_give(sb_room *room, float *stereo) {
    if (room->frame >= room->rests_at) return;
    float u[SB_BLOCK_FRAMES], out[2 * SB_BLOCK_FRAMES] = {0}, peak = 0.0f;
    take_sum(room, u);
    sb_late_run(room->late, u, out);
    for (int n = 0; n < 2 * SB_BLOCK_FRAMES; n++) {
        peak = sb_maxf(fabsf(out[n]), peak);
        stereo[n] += out[n];
    }
    note(room, peak);
}

int64_t sb_room_travelling(const sb_room *room) {
    int64_t end =
        room->loud_to < room->rests_at ? room->loud_to : room->rests_at;
    return end > room->frame ? end - room->frame : 0;
}
