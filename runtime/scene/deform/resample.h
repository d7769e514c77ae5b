/* SPDX-License-Identifier: MIT */
/* runtime/scene/deform/resample.h -- sound at 48 kHz to the engine's rate.
 *
 * By a windowed sinc of 64 taps; at 48 kHz frames pass as they are. Frame m of
 * the output is the input at m * 48000 / rate; it is ready as soon as 32
 * frames after that are known.
 *
 * Thread: control. Memory: plain values and one buffer per channel.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { RESAMPLE_HALF = 32, RESAMPLE_KEPT = 4096 };

typedef struct deform_resampler {
    double ratio; /* input frames per output frame */
    int channels;
    int64_t known; /* input frames */
    int64_t next;  /* output frame */
    float *kept;   /* [RESAMPLE_KEPT][channels], by frame */
} deform_resampler;

SB_NODISCARD sb_status resample_make(deform_resampler *self, int channels,
                                     double rate_hz, sb_error *err);
void resample_free(deform_resampler *self);
void resample_restart(deform_resampler *self);

/* Frames that wait for later ones, of the input. */
int resample_lag(const deform_resampler *self);

/* Takes up to RESAMPLE_KEPT / 2 frames, [frame][channel]. */
void resample_take(deform_resampler *self, const float *frames, int count);
/* How many frames are ready, and frame `next + i` of a channel. */
int resample_ready(const deform_resampler *self);
float resample_at(const deform_resampler *self, int i, int channel);
void resample_drop(deform_resampler *self, int count);
