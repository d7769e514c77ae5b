/* runtime/engine/audio/quality.h -- sharing out a block's time among the
 * bodies.
 *
 * Cost is counted in units: one is what one mode costs that rings for a block.
 * Blows, forces, contacts and each body by itself cost what they were measured
 * to cost in those. There may be a budget:
 *
 *     live:   def.budget of the block's time, by the time that a unit takes,
 *             which is measured when the engine is made and corrected slowly by
 *             the time that the device's callbacks take;
 *     always: def.modes mixed, and def.units, in a block. These know no clock:
 *             the same scene gives the same bytes, whatever the block size.
 *
 * Without a budget, or while all fits in, everything is mixed. Else bodies are
 * ranked by the power they send to the louder ear, what blows are about to add
 * included. The budget is shared out along a ramp over the rank x = 0 .. 1 that
 * falls in a straight line: up to x, in all,
 *
 *     F(x) = x + S x (1 - x),  S <= 1;    2 S x - (S x)^2,  then 1,  S > 1
 *
 * of it. What one does not use the next may; one whose share is less than a
 * group of modes gets its loudest group while there is budget at all. Within a
 * body the loudest groups come first (modal_choice.h). All or nothing, by what
 * is left: bodies under a force that lasts, and those that glide.
 *
 * A body that gets nothing is not rendered and its state not touched, but every
 * SB_QUALITY_REFRESH blocks. Blows on it become single impulses of its state;
 * where the budget does not allow even that, the blow is dropped, and counted.
 *
 * The floor: bodies that touch something that gives way (island.h), and those
 * in the middle of a blow that is heard, are played in full, first, even beyond
 * the budget; so is what it takes to look at every body that sounds; and a
 * quarter of the budget is left for mixing even then. An eighth is kept back
 * for fades, and up to a third for impulses; what goes and finds no room to
 * fade is cut.
 *
 * Symbols: S def.slope. Thread: audio, but for init. Memory: the caller's.
 * Source:  Raghuvanshi & Lin 2006, 4.2 and 4.3.
 */
#ifndef SB_ENGINE_AUDIO_QUALITY_H
#define SB_ENGINE_AUDIO_QUALITY_H

#include "runtime/engine/audio/quality_def.h"
#include "runtime/engine/voice/voice.h"

/* Every REFRESH blocks (a twelfth of a second) a voice that is not heard is
 * looked at again; a part of 64. */
enum { SB_QUALITY_VOICES = 4096, SB_QUALITY_REFRESH = 32 };

typedef struct sb_quality {
    sb_quality_def def;
    double block_ns;
    double unit_ns; /* as of now; 0: not live, time does not count */
    double first_unit_ns;
    double pull_share; /* of the block's time that the device allows */
    bool is_scaling;   /* somebody is not heard in full */
    /* Of the block. */
    double budget_units; /* INFINITY: none */
    int budget_modes;
    double spent_units;
    int wanted_modes, mixed_modes;
    double dropped_power; /* at the louder ears */
    double unpaid_units;  /* since the last callback was timed */
    double ahead_units;   /* of the coming block, before it is shared out */
    int timed;            /* callbacks so far, as long as that matters */
    /* Not heard and not looked at: how many, and what they would be. */
    int dozing_count, dozing_modes;
    double dozing_power, dozing_j;
    int count;
    sb_voice *voices[SB_QUALITY_VOICES]; /* candidates, then by rank */
    sb_voice *sorted[SB_QUALITY_VOICES];
    uint16_t keys[2][SB_QUALITY_VOICES];
} sb_quality;

/* In zeroed memory. `unit_ns` as sb_quality_calibrate says, or 0: not live. */
void sb_quality_init(sb_quality *quality, const sb_quality_def *def,
                     double sample_rate_hz, double unit_ns);

/* A device asks for so many frames, for which so many blocks are to be made. */
void sb_quality_pull(sb_quality *quality, int frames, int blocks) SB_RT;
/* And that took so long. */
void sb_quality_took(sb_quality *quality, double took_ns) SB_RT;

/* What the coming block has for the beginning of blows; no limit: INFINITY. */
double sb_quality_strike_units(const sb_quality *quality) SB_RT;

/* Decide about the coming block, of voices that have been gathered. */
void sb_quality_share(sb_quality *quality, sb_voice *const *by_slot,
                      const uint32_t *listed, int count, int64_t block) SB_RT;

/* How much of the budget those up to x of the ranks have, in all. */
double sb_quality_ramp(double slope, double x) SB_RT;

#endif
