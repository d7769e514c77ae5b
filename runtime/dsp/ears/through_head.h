/* SPDX-License-Identifier: MIT */
/* runtime/dsp/ears/through_head.h -- a block of a body through a measured head.
 *
 * What has come through the air is filtered for each ear, before it travels.
 * Filters change in steps of half a block, in between the outputs of both are
 * cross-faded:
 *
 *     y(e) = (1 - u) (h_then * x)(e) + u (h_now * x)(e),   u = 0 .. 1
 *
 * This is a straight line between filters that are 1.3 ms apart: what it adds is
 * below -90 dB for a body that goes round the head 1.5 times per second, and
 * grows with the square of that.
 *
 * Thread: audio. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/ears/path.h"

/* From `path->aired`, whose new frames begin at `first`, to `path->measured`,
 * where nothing happens until the body is first seen by a head. `head` may be
 * NULL; `taps` is that of all heads at this rate. */
void sb_through_head(const sb_head *head, const sb_hear_kernel *kernel,
                     int taps, sb_path *path, double first,
                     double fade_frames) SB_RT;
