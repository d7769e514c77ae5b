/* SPDX-License-Identifier: MIT */
/* tests/bench/audio/texture_lookup.h -- what looking up textures costs.
 *
 * Contacts that roll over bodies with textures of 512 modes, each at its own
 * pace and place: the weights of all of them are looked up anew in every block
 * of 128 frames at 48 kHz. The textures together are larger than the caches.
 *
 * Thread: control; it takes a few seconds and holds on to one core.
 */
#pragma once

#include "tests/bench/bench.h"

/* NO_MEMORY. */
SB_NODISCARD sb_status report_lookups(report *to, sb_error *err);
