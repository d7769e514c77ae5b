/* SPDX-License-Identifier: MIT */
/* runtime/dsp/room/convolve.h -- convolution with a measured impulse response.
 *
 * The response is cut into partitions; each is a product of spectra (overlap and
 * save). The first 16 have a block's length, so nothing is late. The others have
 * eight blocks' length: their products are spread over the eight blocks in which
 * the next input is collected, so that all blocks cost nearly the same.
 *
 *     y_block = sum over p of IFFT(X_(block - p) H_p)
 *
 * Thread:  sb_convolver_run audio, the rest control.
 * Memory:  the caller's, of sb_convolver_bytes.
 * Source:  W. G. Gardner, Efficient convolution without input-output delay, JAES
 *          43:127, 1995.
 */
#pragma once

#include "runtime/base/status.h"

#include <stddef.h>

/* Frames of the longest partition: input stays so long inside. */
enum { SB_LONGEST_PARTITION = 1024 };

typedef struct sb_convolver sb_convolver;

size_t sb_convolver_bytes(int frames);
/* In zeroed memory of that size, aligned to a cache line. `response` has `frames`
 * interleaved stereo frames, and is not used afterwards. */
sb_convolver *sb_convolver_init(void *memory, const float *response,
                                int frames);

/* Add a block of `x` convolved to interleaved stereo frames. */
void sb_convolver_run(sb_convolver *convolver, const float *x,
                      float *stereo) SB_RT;
