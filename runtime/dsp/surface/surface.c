/* SPDX-License-Identifier: MIT */
/* Reading a surface: positions, levels, heights and slopes. Thread: any. */
#include "runtime/dsp/surface/surface.h"

#include "runtime/base/voice_types.h"
#include "runtime/dsp/surface/pulses.h"
#include "runtime/dsp/surface/surface_kernel.h"
#include "runtime/dsp/vector/isa.h"

#include <math.h>
#include <string.h>

/* --- instruction sets -----------------------------------------------------*/

static const sb_surface_kernel *const kernels[SB_ISA_COUNT] = {
    [SB_ISA_PORTABLE] = &sb_surface_kernel_portable,
#if defined(__x86_64__)
    [SB_ISA_AVX2] = &sb_surface_kernel_avx2,
    [SB_ISA_AVX512] = &sb_surface_kernel_avx512,
#endif
};

const sb_surface_kernel *sb_surface_kernel_chosen(void) {
    return kernels[sb_isa_chosen()];
}

/* --- reading --------------------------------------------------------------*/

uint64_t sb_surface_phase(const sb_surface *surface, double along_m) {
    double turns = fabs(along_m / surface->period_m);
    /* More than 2^53 periods cannot occur; this excludes infinity. */
    if (!(turns < 9007199254740992.0)) return 0;
    double part = turns - floor(turns);
    uint64_t phase = (uint64_t)(int64_t)(part * 9223372036854775808.0) << 1;
    return along_m < 0.0 ? (uint64_t)0 - phase : phase;
}

int sb_surface_level_for(const sb_surface *surface, double stretch_m,
                         int level) {
    int count = surface->level_count;
    if (level > count) level = count;
    while (level > 0 && surface->level[level - 1].spacing_m >= stretch_m)
        level--;
    while (level < count && surface->level[level].spacing_m < stretch_m)
        level++;
    return level;
}

/* The cell of a position and the fraction within it, 0 .. 1. */
typedef struct cell {
    uint64_t index;
    int32_t part; /* in units of 2^-24 */
} cell;

static const float cell_part = 1.0f / 16777216.0f;

static inline cell find(uint64_t factor, int shift, uint64_t phase) {
    uint64_t place = (phase >> 2) * factor;
    return (cell){place >> shift, (int32_t)(place << (64 - shift) >> 40)};
}

static inline float spline_height(const float *c, float t) {
    float low = c[0] + 4.0f * c[1] + c[2]; // NOLINT: a table has heights
    float rise = 3.0f * (c[2] - c[0]);
    float bend = 3.0f * (c[0] - 2.0f * c[1] + c[2]);
    float twist = c[3] - c[0] + 3.0f * (c[1] - c[2]);
    return (1.0f / 6.0f) * (low + t * (rise + t * (bend + t * twist)));
}

/* The two rows next to a position across, and the share of each. */
typedef struct lane {
    const float *rows[2];
    float part[2];
} lane;

static lane choose_lane(const sb_surface *surface,
                        const sb_surface_level *level, double across_m) {
    if (surface->rows == 1) return (lane){{level->spline, 0}, {1.0f, 0.0f}};
    double rows = surface->rows, row = across_m / surface->row_spacing_m;
    if (!(fabs(row) < 1e15)) row = 0.0;
    if (surface->is_clamped) {
        row = fmin(fmax(row, 0.0), rows - 1.0);
    } else {
        row -= rows * floor(row / rows);
    }
    int first = (int)row;
    if (first >= surface->rows) first = 0; /* rounding just below zero */
    int second = first + 1 < surface->rows ? first + 1 : 0;
    float part = (float)(row - floor(row));
    const long stride = level->points + 3;
    return (lane){
        {level->spline + first * stride, level->spline + second * stride},
        {1.0f - part, part}};
}

void sb_surface_heights(const sb_surface *surface, int level, double across_m,
                        const uint64_t *phases, int count, double *out) {
    bool is_flat = level >= surface->level_count;
    for (int n = 0; n < count; n++)
        out[n] = is_flat ? surface->mean_m : 0.0;
    if (is_flat) return;
    const sb_surface_level *from = &surface->level[level];
    uint64_t factor = (uint64_t)(unsigned)from->factor;
    lane beside = choose_lane(surface, from, across_m);
    for (int row = 0; row < 2; row++) {
        float part = beside.part[row];
        if (part == 0.0f) continue;
        const float *spline = beside.rows[row];
        for (int n = 0; n < count; n++) {
            cell at = find(factor, from->shift, phases[n]);
            float t = (float)at.part * cell_part;
            out[n] += (double)(part * spline_height(spline + at.index, t));
        }
    }
}

void sb_surface_slopes(const sb_surface *surface, int level, double across_m,
                       const uint64_t *phases, const float *speeds, int count,
                       float *out) {
    if (level >= surface->level_count) return;
    const sb_surface_level *from = &surface->level[level];
    lane beside = choose_lane(surface, from, across_m);
    for (int row = 0; row < 2; row++) {
        float scale = beside.part[row] * (float)(0.5 / from->spacing_m);
        const float *spline = beside.rows[row];
        if (scale == 0.0f) continue;
        sb_surface_kernel_chosen()->slopes(from, spline, scale, phases, speeds,
                                           count, out);
    }
}

/* --- pulses ---------------------------------------------------------------*/

enum { AHEAD = SB_PULSES_AHEAD };

void sb_pulses_add(sb_pulses *pulses, sb_pulse pulse) {
    if (pulses->count < SB_PULSES_MOST) {
        pulses->pulse[pulses->count++] = pulse;
    } else {
        pulses->pulse[SB_PULSES_MOST - 1].impulse_ns += pulse.impulse_ns;
    }
}

static void add(const sb_surface_kernel *kernel, const sb_pulse *p,
                float *impulse_ns) {
    enum { WHOLE = 8 };
    double from = p->start_frame - AHEAD;
    double end = p->start_frame + p->duration_frames + AHEAD;
    if (from >= SB_BLOCK_FRAMES || end <= 0.0) return;
    int first = from > 0.0 ? (int)from / WHOLE * WHOLE : 0;
    int last = end < SB_BLOCK_FRAMES ? ((int)end / WHOLE + 1) * WHOLE
                                     : SB_BLOCK_FRAMES;
    kernel->pulse(p, first, last - first, impulse_ns);
}

void sb_pulses_block(sb_pulses *pulses, float *impulse_ns) {
    const sb_surface_kernel *kernel = sb_surface_kernel_chosen();
    int kept = 0;
    for (int i = 0; i < pulses->count; i++) {
        sb_pulse p = pulses->pulse[i];
        add(kernel, &p, impulse_ns);
        p.start_frame -= SB_BLOCK_FRAMES;
        if (p.start_frame + p.duration_frames > -AHEAD)
            pulses->pulse[kept++] = p;
    }
    pulses->count = kept;
}
