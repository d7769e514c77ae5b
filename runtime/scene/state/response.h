/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/response.h -- an impulse response from a file, at the rate
 * of the engine.
 *
 * Another rate is converted by a windowed sinc of 64 taps. Amplitudes are divided
 * by the ratio of the rates, so that a convolution keeps its level.
 *
 * Thread: control. Memory: the caller frees the samples with sb_free.
 */
#pragma once

#include "runtime/base/status.h"

enum { SCENE_RESPONSE_SECONDS = 30 };

/* Interleaved stereo; mono goes to both ears. NOT_FOUND, IO_ERROR, NO_MEMORY;
 * BAD_FORMAT for more than two channels, nothing, or more than 30 s. */
SB_NODISCARD sb_status scene_read_response(const char *path, double gain,
                                           double rate_hz, float **out,
                                           int *frames, sb_error *err);
