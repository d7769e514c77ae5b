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
    int latency;
    int delay;     /* of the sum of all bodies: latency and predelay */
    uint32_t mask; /* of `sum` */
    float *sum;    /* ring, by the frame at which it enters the late field */
    sb_late *late; /* or NULL */
    sb_convolver *convolver; /* or NULL */
    bool has_early;
    sb_early early;
};

static uint32_t ring_frames(int delay) {
    uint32_t frames = 2 * SB_BLOCK_FRAMES;
    while (frames < (uint32_t)delay + 4 * SB_BLOCK_FRAMES)
        frames *= 2;
    return frames;
}

static int frames_of(const sb_room_design *design, double seconds) {
    double frames = seconds * design->late.sample_rate_hz;
    return design->latency + (int)(frames + 0.5);
}

/* Parts begin at multiples of a cache line. */
static size_t aligned(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static uint32_t sum_frames(const sb_room_design *design) {
    return ring_frames(frames_of(design, design->predelay_s));
}

static uint32_t early_frames(const sb_room_design *design) {
    return design->early_s > 0.0
               ? ring_frames(frames_of(design, design->early_s))
               : 0;
}

static bool has_late(const sb_room_design *design) {
    return design->late.size > 0;
}

size_t sb_room_bytes(const sb_room_design *design) {
    return aligned(sizeof(sb_room)) +
           (sum_frames(design) + 2 * early_frames(design)) * sizeof(float) +
           aligned(has_late(design) ? sb_late_bytes(&design->late) : 0) +
           (design->response ? sb_convolver_bytes(design->response_frames) : 0);
}

sb_room *sb_room_init(void *memory, const sb_room_design *design) {
    sb_room *room = memory;
    float *at = (float *)(void *)((char *)memory + aligned(sizeof *room));
    uint32_t early = early_frames(design);
    room->latency = design->latency;
    room->delay = frames_of(design, design->predelay_s);
    room->mask = sum_frames(design) - 1;
    room->sum = at;
    at += room->mask + 1;
    room->has_early = early > 0;
    room->early = (sb_early){.ear = {at, at + early}, .mask = early - 1};
    sb_early_split_poles(design->late.sample_rate_hz, room->early.poles);
    at += (size_t)2 * early;
    room->gap = room->delay + SB_BLOCK_FRAMES + (int64_t)early;
    if (has_late(design)) {
        room->late = sb_late_init(at, &design->late);
        room->gap += sb_late_longest(room->late);
        at += aligned(sb_late_bytes(&design->late)) / sizeof *at;
    }
    if (design->response) {
        room->convolver =
            sb_convolver_init(at, design->response, design->response_frames);
        room->gap += design->response_frames + SB_LONGEST_PARTITION;
    }
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

void sb_room_take(sb_room *room, sb_reflected *reflected, const float *mono,
                  bool goes_on, float from, float to) {
    float step = (to - from) / SB_BLOCK_FRAMES, peak = 0.0f;
    int64_t at = room->frame + room->delay;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float x = mono[n] * (from + step * (float)n);
        room->sum[(uint32_t)(at + n) & room->mask] += x;
        peak = sb_maxf(fabsf(x), peak);
    }
    note(room, peak);
    if (room->has_early)
        sb_early_take(&room->early, reflected, mono,
                      room->frame + room->latency, goes_on);
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
    if (room->late) sb_late_run(room->late, u, out);
    if (room->convolver) sb_convolver_run(room->convolver, u, out);
    if (room->has_early) sb_early_give(&room->early, room->frame, out);
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
