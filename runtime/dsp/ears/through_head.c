/* SPDX-License-Identifier: MIT */
/* Filters a body's sound by the direction in which a head sees it. Thread:
 * audio. */
#include "runtime/dsp/ears/through_head.h"

#include <string.h>

enum {
    STEP = SB_BLOCK_FRAMES / 2,
    PAST = SB_HEAD_TAPS_MAX,
    SPAN = PAST + SB_BLOCK_FRAMES
};

static bool is_at(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_same(const sb_head_place *a, const sb_head_place *b) {
    return is_at(a->now, b->now) && is_at(a->old, b->old) &&
           a->share == b->share;
}

static bool is_seen(const sb_head_place *place) {
    const sb_vec3 nowhere = {0, 0, 0};
    return !is_at(place->now, nowhere) || !is_at(place->old, nowhere);
}

static void find(const sb_head *head, const sb_hear_kernel *kernel, int taps,
                 const sb_head_place *place, float *filters) {
    if (head) {
        sb_head_find(head, kernel, place, filters);
        return;
    }
    memset(filters, 0, 2 * (size_t)taps * sizeof *filters);
    filters[0] = filters[taps] = 1.0f;
}

/* What came before the first block that is filtered is heard as it was. */
static void begin(const sb_head *head, const sb_hear_kernel *kernel, int taps,
                  const sb_head_place *place, sb_path *path) {
    sb_path_head *m = &path->measured;
    m->is_on = true;
    m->head = head;
    m->place = *place;
    find(head, kernel, taps, place, m->filters);
    memset(m->past, 0, sizeof m->past);
    memcpy(m->past + PAST - SB_HEAR_TAPS, path->aired,
           SB_HEAR_TAPS * sizeof *m->past);
    for (int ear = 0; ear < 2; ear++)
        memcpy(m->ear[ear] + SB_BLOCK_FRAMES, path->aired,
               SB_HEAR_TAPS * sizeof *m->past);
}

/* Half a block for one ear; `next` is NULL if the filter stays. */
static void run(const sb_hear_kernel *kernel, int taps, const float *x,
                const float *filter, const float *next, float *out) {
    kernel->fir(x, filter, taps, out, STEP);
    if (!next) return;
    float then[STEP];
    kernel->fir(x, next, taps, then, STEP);
    for (int n = 0; n < STEP; n++)
        out[n] += (then[n] - out[n]) * ((float)(n + 1) / STEP);
}

void sb_through_head(const sb_head *head, const sb_hear_kernel *kernel,
                     int taps, sb_path *path, double first,
                     double fade_frames) {
    sb_path_head *m = &path->measured;
    sb_head_place places[3];
    if (!head && !m->is_on) return;
    for (int i = 0; i < 3; i++)
        sb_path_see(path, first + i * STEP, fade_frames, &places[i]);
    if (!m->is_on) {
        if (!is_seen(&places[0]) && !is_seen(&places[2])) return;
        begin(head, kernel, taps, &places[0], path);
    }
    float x[SPAN], next[2 * SB_HEAD_TAPS_MAX];
    memcpy(x, m->past, sizeof m->past);
    memcpy(x + PAST, path->aired + SB_HEAR_TAPS, SB_BLOCK_FRAMES * sizeof *x);
    for (int ear = 0; ear < 2; ear++)
        memmove(m->ear[ear], m->ear[ear] + SB_BLOCK_FRAMES,
                SB_HEAR_TAPS * sizeof *x);
    for (int i = 0; i < 2; i++) {
        bool stays = m->head == head && is_same(&m->place, &places[i + 1]);
        if (!stays) find(head, kernel, taps, &places[i + 1], next);
        for (int ear = 0; ear < 2; ear++)
            run(kernel, taps, x + PAST + i * STEP, m->filters + ear * taps,
                stays ? NULL : next + ear * taps,
                m->ear[ear] + SB_HEAR_TAPS + i * STEP);
        if (!stays) memcpy(m->filters, next, 2 * (size_t)taps * sizeof *next);
        m->head = head;
        m->place = places[i + 1];
    }
    memcpy(m->past, x + SB_BLOCK_FRAMES, sizeof m->past);
}
