/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/gauge.h -- the energies of the modes of a few voices,
 * for display.
 *
 * Control names up to SB_GAUGES voices. The audio thread writes the energies of
 * their modes some 47 times a second (at 48 kHz), between two changes of a
 * count that is odd meanwhile; whoever reads them reads again if the count has
 * changed. Without a named voice the cost is five checks per eight blocks.
 *
 * Thread: audio, except sb_gauge_read; all fields are atomic.
 * Memory: the caller's, zeroed.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct sb_voice sb_voice;

/* The last one is that of scripts. */
enum {
    SB_GAUGES = 5,
    SB_GAUGE_SCRIPT = 4,
    SB_GAUGE_MODES = 4096,
    SB_GAUGE_BLOCKS = 8
};

typedef struct sb_gauge {
    atomic_uint place;      /* slot of the voice plus 1; 0: none */
    atomic_uint generation; /* of the voice */
    atomic_uint turn;       /* odd while the energies are written */
    atomic_int count;       /* modes that were written; 0: not yet, or no such
                               voice */
    _Atomic float energy_j[SB_GAUGE_MODES];
} sb_gauge;

/* After a block; `block` is its number. */
void sb_gauges_take(sb_gauge gauges[SB_GAUGES], sb_voice *const *voices,
                    int64_t block) SB_RT;

/* Which voices ring, and which of these are heard, by slot: modes that ring
 * times 65536 plus modes that are mixed. Written when `is_wanted`. */
typedef struct sb_tally {
    atomic_bool is_wanted;
    atomic_uint *modes; /* one per slot */
} sb_tally;

void sb_tally_take(sb_tally *heard, sb_voice *const *voices,
                   const uint32_t *playing, int count, int64_t block) SB_RT;

/* Copy up to `most` energies; returns their number, or -1 if they are being
 * written just now. Thread: any. */
int sb_gauge_read(const sb_gauge *gauge, float *energy_j, int most) SB_RT;
