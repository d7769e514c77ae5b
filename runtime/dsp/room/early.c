/* SPDX-License-Identifier: MIT */
/* Early reflections: parts of a sound, taps, fades. Thread: audio. */
#include "runtime/dsp/room/early.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/room/early_kernel.h"
#include "runtime/dsp/vector/isa.h"

#include <math.h>
#include <string.h>

enum { LOWS = SB_EARLY_PARTS - 1 };

/* Of the low-passes. */
static const double corner_hz[LOWS] = {150.0, 700.0, 3000.0};

static const sb_early_kernel *const kernels[SB_ISA_COUNT] = {
    [SB_ISA_PORTABLE] = &sb_early_kernel_portable,
#if defined(__x86_64__)
    [SB_ISA_AVX2] = &sb_early_kernel_avx2,
    [SB_ISA_AVX512] = &sb_early_kernel_avx2,
#endif
};

void sb_early_split_poles(double sample_rate_hz, float poles[LOWS]) {
    for (int k = 0; k < LOWS; k++)
        poles[k] =
            (float)(1.0 - exp(-2 * SB_PI * corner_hz[k] / sample_rate_hz));
}

/* --- the taps of a voice --------------------------------------------------*/

void sb_reflected_put(sb_reflected *reflected, sb_taps *taps, bool at_once) {
    sb_reflected *r = reflected;
    if (at_once || !r->now) {
        r->spent[0] = r->now;
        r->spent[1] = r->next;
        r->spent[2] = r->waiting;
        r->now = taps;
        r->next = r->waiting = NULL;
    } else if (!r->next) {
        r->next = taps;
        r->faded = 0;
    } else {
        r->spent[0] = r->waiting;
        r->waiting = taps;
    }
}

sb_taps *sb_reflected_spent(sb_reflected *reflected) {
    for (int i = 0; i < 3; i++) {
        sb_taps *taps = reflected->spent[i];
        reflected->spent[i] = NULL;
        if (taps) return taps;
    }
    return NULL;
}

sb_taps *sb_reflected_take(sb_reflected *reflected) {
    sb_reflected *r = reflected;
    sb_taps **places[] = {&r->now, &r->next, &r->waiting};
    for (int i = 0; i < 3; i++) {
        sb_taps *taps = *places[i];
        *places[i] = NULL;
        if (taps) return taps;
    }
    return sb_reflected_spent(r);
}

/* --- a block --------------------------------------------------------------*/

static void split(const sb_early *early, sb_reflected *r, const float *mono,
                  sb_early_parts *out) {
    memcpy((*out)[0], mono, sizeof(*out)[0]);
    float low[LOWS];
    memcpy(low, r->low, sizeof low);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        for (int k = 0; k < LOWS; k++) {
            low[k] += early->poles[k] * (mono[n] - low[k]);
            (*out)[k + 1][n] = low[k];
        }
    }
    memcpy(r->low, low, sizeof low);
}

/* Where the block goes: into the ring buffer, or, round its end, into `spare`. */
static float *place_of(const sb_early *early, int ear, int64_t frame,
                       float *spare) {
    uint32_t place = (uint32_t)frame & early->mask;
    if (early->mask + 1 - place >= SB_BLOCK_FRAMES)
        return early->ear[ear] + place;
    memset(spare, 0, SB_BLOCK_FRAMES * sizeof *spare);
    return spare;
}

static void fold(const sb_early *early, int ear, int64_t frame,
                 const float *spare) {
    for (uint32_t n = 0; n < SB_BLOCK_FRAMES; n++)
        early->ear[ear][((uint32_t)frame + n) & early->mask] += spare[n];
}

static void add_taps(sb_early *early, const sb_taps *taps,
                     const sb_early_parts *parts, int64_t frame) {
    const sb_early_kernel *kernel = kernels[sb_isa_chosen()];
    float spare[2][SB_BLOCK_FRAMES];
    for (int i = 0; i < taps->count; i++) {
        const sb_tap *tap = &taps->taps[i];
        uint32_t later =
            (uint32_t)(tap->delay[0] > tap->delay[1] ? tap->delay[0]
                                                     : tap->delay[1]);
        /* Taps of another room, while rooms change. */
        if (later + 2 * SB_BLOCK_FRAMES > early->mask) continue;
        float *to[2];
        for (int ear = 0; ear < 2; ear++)
            to[ear] = place_of(early, ear, frame + tap->delay[ear], spare[ear]);
        kernel->add(parts, tap->gain, to[0], to[1]);
        for (int ear = 0; ear < 2; ear++)
            if (to[ear] == spare[ear])
                fold(early, ear, frame + tap->delay[ear], spare[ear]);
    }
}

/* Move the share that has faded in from one set of parts to another. */
static void fade(int faded, sb_early_parts *from, sb_early_parts *to) {
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float share =
            ((float)faded + (float)n / SB_BLOCK_FRAMES) / SB_EARLY_FADE;
        for (int k = 0; k < SB_EARLY_PARTS; k++) {
            (*to)[k][n] = (*from)[k][n] * share;
            (*from)[k][n] *= 1.0f - share;
        }
    }
}

static void finish_fade(sb_reflected *r) {
    if (++r->faded < SB_EARLY_FADE) return;
    r->spent[r->spent[0] ? 1 : 0] = r->now;
    r->now = r->next;
    r->next = r->waiting;
    r->waiting = NULL;
    r->faded = 0;
}

void sb_early_take(sb_early *early, sb_reflected *reflected, const float *mono,
                   int64_t frame, bool goes_on) {
    if (!reflected->now) return;
    _Alignas(64) sb_early_parts parts, coming;
    if (!goes_on) memset(reflected->low, 0, sizeof reflected->low);
    split(early, reflected, mono, &parts);
    if (reflected->next) {
        fade(reflected->faded, &parts, &coming);
        add_taps(early, reflected->next, (const sb_early_parts *)&coming,
                 frame);
    }
    add_taps(early, reflected->now, (const sb_early_parts *)&parts, frame);
    if (reflected->next) finish_fade(reflected);
}

void sb_early_give(sb_early *early, int64_t frame, float *stereo) {
    for (int ear = 0; ear < 2; ear++) {
        for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
            float *at = &early->ear[ear][(uint32_t)(frame + n) & early->mask];
            stereo[2 * n + ear] += *at;
            *at = 0.0f;
        }
    }
}
