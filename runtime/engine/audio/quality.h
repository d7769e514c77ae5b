/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/quality.h -- dividing the time of a block among bodies.
 *
 * Cost is counted in units: one unit is the cost of one ringing mode for a
 * block. Strikes, forces, contacts and each body have measured costs in units.
 * There may be a budget:
 *
 *     live:   def.budget of the block's time, using the time per unit, which is
 *             measured when the engine is created and slowly corrected by the
 *             duration of the device's callbacks;
 *     always: def.modes mixed, and def.units, per block. These do not depend on
 *             a clock: the same scene gives the same bytes, whatever the block
 *             size.
 *
 * Without a budget, or while everything fits, everything is mixed. Otherwise
 * bodies are ranked by their power at the louder ear, including what strikes
 * are about to add. The budget is divided by a share that falls linearly over
 * the rank x = 0 .. 1: the ranks up to x together get
 *
 *     F(x) = x + S x (1 - x),  S <= 1;    2 S x - (S x)^2,  then 1,  S > 1
 *
 * of it. What one does not use passes to the next. A body whose share is less
 * than a group of modes gets its loudest group while any budget is left. Within
 * a body the loudest groups come first (modal_choice.h). Bodies under a lasting
 * force and those that glide are mixed fully or not at all.
 *
 * A body that gets nothing is not rendered, and its state is not touched except
 * every SB_QUALITY_REFRESH blocks. Strikes on it become single impulses of its
 * state; where the budget does not allow even that, the strike is dropped and
 * counted.
 *
 * The minimum: bodies in contact with a compliant partner (island.h), and those
 * in the middle of an audible strike, are rendered in full, first, even beyond
 * the budget. So is the examination of every body that sounds. A quarter of the
 * budget is left for mixing even then. An eighth is reserved for fades, and up
 * to a third for impulses; what finds no room to fade out is cut.
 *
 * Symbols: S def.slope.
 * Thread:  audio, except init. Memory: the caller's.
 * Source:  Raghuvanshi & Lin 2006, 4.2 and 4.3.
 */
#pragma once

#include "runtime/base/quality_def.h"
#include "runtime/base/status.h"

#include <stdint.h>

typedef struct sb_voice sb_voice;

/* Every REFRESH blocks (a twelfth of a second) an unheard voice is examined
 * again; divides 64. */
enum { SB_QUALITY_VOICES = 4096, SB_QUALITY_REFRESH = 32 };

typedef struct sb_quality {
    sb_quality_def def;
    double block_ns;
    double unit_ns; /* present estimate; 0: not live, no time limit */
    double first_unit_ns;
    double pull_share; /* share of the block's time that the device allows */
    bool is_scaling;   /* some voice is not heard in full */
    /* Of the block. */
    double budget_units; /* INFINITY: none */
    int budget_modes;
    double spent_units;
    int wanted_modes, mixed_modes;
    double dropped_power; /* power left out, at the louder ears */
    double unpaid_units;  /* units since the last measured callback */
    double ahead_units;   /* units already spent on the coming block */
    int timed;            /* callbacks measured so far, up to a limit */
    /* Dozing voices: their number and what they would need. */
    int dozing_count, dozing_modes;
    double dozing_power, dozing_j;
    int count;
    sb_voice *voices[SB_QUALITY_VOICES]; /* candidates, then sorted by rank */
    sb_voice *sorted[SB_QUALITY_VOICES];
    uint16_t keys[2][SB_QUALITY_VOICES];
} sb_quality;

/* In zeroed memory. `unit_ns` is the measured time per unit, or 0: not live. */
void sb_quality_init(sb_quality *quality, const sb_quality_def *def,
                     double sample_rate_hz, double unit_ns);

/* A device requests so many frames, for which so many blocks are rendered. */
void sb_quality_pull(sb_quality *quality, int frames, int blocks) SB_RT;
/* Report the duration of that request. */
void sb_quality_report_duration(sb_quality *quality, double took_ns) SB_RT;

/* The units of a block for strikers that press; INFINITY: no limit. */
double sb_quality_striker_units(const sb_quality *quality) SB_RT;

/* The units of the coming block for beginning strikes; INFINITY: no limit. */
double sb_quality_strike_units(const sb_quality *quality) SB_RT;

/* Decide what is heard in the coming block, for gathered voices. */
void sb_quality_share(sb_quality *quality, sb_voice *const *by_slot,
                      const uint32_t *listed, int count, int64_t block) SB_RT;

/* F(x): the share of the budget of all ranks up to x. Thread: any. */
double sb_quality_ramp(double slope, double x) SB_RT;
