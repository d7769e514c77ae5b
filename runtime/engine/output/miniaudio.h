/* SPDX-License-Identifier: MIT */
/* runtime/engine/output/miniaudio.h -- the only file that includes miniaudio.
 *
 * Only playback devices are used: decoding, encoding, the node graph and the
 * rest are left out of the build, here and in miniaudio.c.
 */
#pragma once

#define MA_NO_DECODING
#define MA_NO_ENCODING
#define MA_NO_GENERATION
#define MA_NO_RESOURCE_MANAGER
#define MA_NO_NODE_GRAPH
#define MA_NO_ENGINE
#define MA_NO_NULL

#include <miniaudio.h>

/* After a failed ma_device_init: free what it left open. */
void sb_miniaudio_free_failed(ma_context *context, ma_device *device);
