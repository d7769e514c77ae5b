/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/island.h -- connected voices are rendered together.
 *
 * A striker may be another voice, and a lasting contact couples two voices.
 * Voices that are connected in a block, directly or not, form an island: their
 * modes and contacts are stepped together (link.h), and then each voice is
 * heard along its own path. A single voice is an island, too.
 *
 * An island has room for SB_ISLAND_BODIES voices and SB_ISLAND_LINKS links. A
 * link that would exceed this treats its second side as rigid in that block, or
 * does nothing when there is no room for the link.
 *
 * Per block: gather once, then render the island of every voice that is its own
 * leader.
 *
 * Thread: audio. Memory: the caller's.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_link sb_link;
typedef struct sb_modal_field sb_modal_field;
typedef struct sb_tracer sb_tracer;
typedef struct sb_voice sb_voice;
typedef struct sb_voice_report sb_voice_report;

/* A lasting link between two voices, or at one. The weights of its sides are
 * set; their bodies are set here. The owner sets load, slip, profile and moving
 * weights before each gathering. */
typedef struct sb_coupling {
    sb_link *link;
    sb_voice *voice[2];       /* per side; NULL: that side does not ring */
    sb_modal_field *room[2];  /* work space for the modes of that voice */
    struct sb_coupling *next; /* internal: next at the same voice */
} sb_coupling;

/* Find the islands of the coming block. `by_slot` has an entry for every slot a
 * strike may name. */
void sb_voices_gather(sb_voice *const *by_slot, const uint32_t *playing,
                      int count, sb_coupling *const *couplings,
                      int coupling_count) SB_RT;

/* The whole island is silent and stays so. */
bool sb_voices_are_silent(const sb_voice *leader) SB_RT;

/* Add a block of an island to `stereo` and to the report, which starts empty;
 * and to the tracer, or NULL if that is off. */
void sb_voices_render(sb_voice *leader, float *stereo, sb_tracer *tracer,
                      sb_voice_report *report) SB_RT;

/* A voice has left: its sides are rigid from now on. */
void sb_couplings_forget(sb_coupling *const *couplings, int coupling_count,
                         const sb_voice *voice) SB_RT;
