/* SPDX-License-Identifier: MIT */
/* runtime/dsp/surface/surface_kernel.h -- the inner loops of surface.c and
 * rub_forces.c.
 *
 * The same source (surface_kernel_body.h) is compiled for each instruction set.
 *
 * Thread: any; a kernel touches only its arguments. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/surface/pulses.h"
#include "runtime/dsp/surface/surface.h"

enum { SB_LOWPASS_STEP = 8 };

typedef struct sb_surface_kernel {
    /* Add a pulse to `count` frames from `first` on, both multiples of 8. */
    void (*pulse)(const sb_pulse *pulse, int first, int count,
                  float *impulse_ns);
    /* Add the slopes of one row at positions of a level, times `scale` and
     * `speeds`. `count` is a multiple of 8. */
    void (*slopes)(const sb_surface_level *level, const float *spline,
                   float scale, const uint64_t *phases, const float *speeds,
                   int count, float *out);
    /* A low-pass b / (1, a) over in[-2 .. count - 1], count a multiple of
     * SB_LOWPASS_STEP; `state` holds the last two outputs. */
    void (*lowpass)(const double b[3], const double a[2], const float *in,
                    int count, double state[2], float *out);
} sb_surface_kernel;

/* The table of the chosen instruction set (isa.h). */
const sb_surface_kernel *sb_surface_kernel_chosen(void) SB_RT;

extern const sb_surface_kernel sb_surface_kernel_portable;
#if defined(__x86_64__)
extern const sb_surface_kernel sb_surface_kernel_avx2;
extern const sb_surface_kernel sb_surface_kernel_avx512;
#endif
