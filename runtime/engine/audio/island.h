/* runtime/engine/audio/island.h -- voices that hang together are played
 * together.
 *
 * A striker may be another voice, and lasting contacts join two. What is joined
 * in a block, by whatever chain, is an island: its modes and contacts are
 * stepped as one (link.h), and then each voice is heard through its own ears. A
 * voice by itself is an island too.
 *
 * An island has room for SB_ISLAND_BODIES voices and SB_ISLAND_LINKS links. In
 * a block in which a link would make it larger, the link finds its second side
 * still, or does nothing when there is no room for it at all.
 *
 * Per block: gather once, then render the island of every voice that is its own
 * leader.
 *
 * Thread: audio. Memory: the caller's.
 */
#ifndef SB_ENGINE_AUDIO_ISLAND_H
#define SB_ENGINE_AUDIO_ISLAND_H

#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/voice/voice.h"

/* Something that lasts between two voices, or at one. Its link's sides have
 * their weights; their bodies are filled in here. Load, slip, profile and
 * moving weights are the owner's to set before each block's gathering. */
typedef struct sb_coupling {
    sb_link *link;
    sb_voice *voice[2];       /* by side; NULL: it does not ring */
    sb_modal_field *room[2];  /* for that voice's modes, of its mode count */
    struct sb_coupling *next; /* its own: at the same voice, in the block */
} sb_coupling;

/* See which voices hang together in the coming block. `by_slot` has room for
 * every slot a strike may name. */
void sb_voices_gather(sb_voice *const *by_slot, const uint32_t *playing,
                      int count, sb_coupling *const *couplings,
                      int coupling_count) SB_RT;

/* Nothing of its island sounds, or is about to. */
bool sb_voices_are_silent(const sb_voice *leader) SB_RT;

/* Add one block of an island to `stereo`, and to the report, which start
 * empty; and to what the tracer tells, if there is one: it is on then. */
void sb_voices_render(sb_voice *leader, float *stereo, sb_tracer *tracer,
                      sb_voice_report *report) SB_RT;

/* A voice leaves: the sides that were its are still from now on. */
void sb_couplings_forget(sb_coupling *const *couplings, int coupling_count,
                         const sb_voice *voice) SB_RT;

#endif
