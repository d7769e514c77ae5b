/* SPDX-License-Identifier: MIT */
/* runtime/engine/engine.h -- the control side of the audio engine.
 *
 * The engine owns the voices and the only connections between the threads: a
 * command ring to the audio thread and a retired ring back. Calls here never
 * wait for the audio thread. Commands are kept in order of time until
 * sb_engine_flush sends those before the new horizon.
 *
 * Thread: control (the thread that created the engine), except sb_engine_pull,
 *         which is for the audio thread, and functions that say so.
 * Memory: the engine owns its voices; definitions are copied.
 */
#pragma once

#include "runtime/base/pattern.h"
#include "runtime/base/ring.h"
#include "runtime/base/status.h"
#include "runtime/base/voice_types.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_air sb_air;
typedef struct sb_air_table sb_air_table;
typedef struct sb_bank_mode sb_bank_mode;
typedef struct sb_diffuse_def sb_diffuse_def;
typedef struct sb_engine sb_engine;
typedef struct sb_impact_def sb_impact_def;
typedef struct sb_impact_record sb_impact_record;
typedef struct sb_lasting_def sb_lasting_def;
typedef struct sb_move_def sb_move_def;
typedef struct sb_path_knot sb_path_knot;
typedef struct sb_quality_def sb_quality_def;
typedef struct sb_spring sb_spring;
typedef struct sb_traced sb_traced;
typedef struct sb_voice_def sb_voice_def;
typedef struct sb_wobble sb_wobble;

typedef struct sb_engine_def {
    double sample_rate_hz; /* 8000 .. 384000; default 48000 */
    /* tau, relative to full scale, 0 .. 1; default 0.01/32768: a hundredth
     * of a 16-bit step */
    double threshold;
    double ceiling; /* of the limiter, relative to full scale; default 0.989 */
    /* it is rendered in real time: the time budget applies, and the machine is
     * measured for it, which takes some 10 ms */
    bool is_live;
} sb_engine_def;

sb_engine_def sb_engine_def_default(void);

SB_NODISCARD sb_status sb_engine_create(const sb_engine_def *def,
                                        sb_engine **out, sb_error *err);

/* The device must have stopped. NULL is allowed. */
void sb_engine_destroy(sb_engine *engine);

double sb_engine_sample_rate(const sb_engine *engine); /* Thread: any */

/* Add a silent voice at `time_frames`. NO_MEMORY also when all SB_AUDIO_VOICES
 * slots are in use. */
SB_NODISCARD sb_status sb_engine_add_voice(sb_engine *engine,
                                           const sb_voice_def *def,
                                           double time_frames, sb_voice_id *out,
                                           sb_error *err);

/* Fade out and remove; the id is stale at once. A stale id is a no-op. */
SB_NODISCARD sb_status sb_engine_remove_voice(sb_engine *engine, sb_voice_id id,
                                              double time_frames, double fade_s,
                                              sb_error *err);
bool sb_engine_has_voice(const sb_engine *engine, sb_voice_id id);
/* True once for a voice that was set to rest because its sound was not finite,
 * or a million times full scale. */
bool sb_engine_take_muted(sb_engine *engine, sb_voice_id id);

/* Add ears (ears.h): from now on voices are heard along paths through
 * the air. Before any voice is added and any device runs; further calls do
 * nothing. NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_open_ears(sb_engine *engine, const sb_air *air,
                                           sb_error *err);

/* Add a stem: the sound of the voices that name it, before the limiter. Only
 * after the ears were opened, and while no device runs. `out` counts from 1.
 * NO_MEMORY, also beyond SB_AUDIO_STEMS. */
SB_NODISCARD sb_status sb_engine_add_stem(sb_engine *engine, int *out,
                                          sb_error *err);
/* Its part of the last block, SB_BLOCK_FRAMES of interleaved stereo. Of sound
 * of time t it comes out at t + stem_latency, before the mix. */
const float *sb_engine_stem_block(const sb_engine *engine, int stem);
int sb_engine_stem_latency(const sb_engine *engine);

/* From `time_frames` on, move the path from its present position to `knot`
 * (path.h). Only a voice that was created with a knot has a path. BAD_ARGUMENT
 * for NaN or infinity. */
SB_NODISCARD sb_status sb_engine_set_path(sb_engine *engine, sb_voice_id id,
                                          double time_frames,
                                          const sb_path_knot *knot,
                                          sb_error *err);

/* Change the air; takes ownership of a table from sb_air_table_make for this
 * rate. Room must have been reserved. */
void sb_engine_set_air(sb_engine *engine, double time_frames,
                       sb_air_table *air);

/* Change the measured head that paths with a direction are heard through; takes
 * ownership of one made for this rate. Room must have been reserved. */
typedef struct sb_head sb_head;
void sb_engine_set_head(sb_engine *engine, double time_frames, sb_head *head);

/* Change the room around the ears; NULL: none. Takes ownership of a room for
 * this rate and sb_engine_stem_latency, in a block of its own. Room for the
 * command must have been reserved. */
typedef struct sb_room sb_room;
void sb_engine_set_room(sb_engine *engine, double time_frames, sb_room *room);

/* Change the early reflections of a voice (dsp/room/early.h). Takes ownership of
 * `taps`, a block of its own. Room for the command must have been reserved. A
 * stale id is a no-op. */
typedef struct sb_taps sb_taps;
void sb_engine_set_taps(sb_engine *engine, sb_voice_id id, double time_frames,
                        sb_taps *taps);

/* The peak that counts as silence, for `travelling`; default 0. Only while no
 * device runs. */
void sb_engine_set_silence(sb_engine *engine, double amplitude);

/* Output latency in frames: the look-ahead of the limiter and the latency of
 * the ears. Thread: any. */
int sb_engine_latency(const sb_engine *engine);

/* New values for all modes of a voice, prepared but not sent, so that a change
 * of many voices can be prepared as a whole and then cannot fail. */
typedef struct sb_retune sb_retune;

/* A glide of `glide_s` between two sets of `count` values. */
SB_NODISCARD sb_status sb_engine_prepare_retune(const sb_engine *engine,
                                                const sb_bank_mode *from,
                                                const sb_bank_mode *to,
                                                int count, double glide_s,
                                                sb_retune **out, sb_error *err);
void sb_engine_drop_retune(sb_retune *retune); /* instead of sending it */

/* Wobble during this glide and after it; a retune without a wobble ends it.
 * `bend` has one number per mode. */
void sb_engine_set_wobble(sb_retune *retune, const sb_wobble *wobble,
                          const double *bend);

/* New powers and decays for the diffuse part, if the voice has one. */
void sb_engine_set_diffuse(sb_retune *retune, const sb_diffuse_def *def);

/* New values for the springs; the voice must have as many, of the same kinds
 * and in the same order. */
void sb_engine_set_springs(sb_retune *retune, const sb_spring *springs,
                           int count);

/* The directions of the first `count` modes, from here on, or NULL: alike. */
SB_NODISCARD sb_status sb_engine_set_patterns(sb_retune *retune,
                                              const sb_pattern *patterns,
                                              int count, sb_error *err);

/* Send it. The voice must exist and have as many modes; room must have been
 * reserved. */
void sb_engine_retune(sb_engine *engine, sb_voice_id id, double time_frames,
                      sb_retune *retune);

/* Reserve room for `count` commands: that many calls which allocate nothing
 * themselves (retune, remove) cannot fail then. */
SB_NODISCARD sb_status sb_engine_reserve(sb_engine *engine, int count,
                                         sb_error *err);

/* STALE_HANDLE, or NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_strike(sb_engine *engine, sb_voice_id id,
                                        double time_frames,
                                        const sb_impact_def *def,
                                        sb_error *err);

/* Let the voice play `count` frames of sound from a frame on, in addition to
 * its modes (voice.h). STALE_HANDLE, NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_stream(sb_engine *engine, sb_voice_id id,
                                        int64_t start_frame,
                                        const float *samples, int count,
                                        sb_error *err);

/* The next recorded impact of a strike with a label; its time counts from frame
 * 0. False when there is none. */
bool sb_engine_next_impact(sb_engine *engine, sb_impact_record *out);

/* --- contacts that last ---------------------------------------------------*/

/* A stale id is detected; the all-zero id is "no contact". */
typedef struct sb_lasting_id {
    uint32_t index;
    uint32_t generation;
} sb_lasting_id;

/* Begin a contact without a force. STALE_HANDLE, or NO_MEMORY, also when all
 * SB_AUDIO_CONTACTS slots are in use. */
SB_NODISCARD sb_status sb_engine_begin_contact(sb_engine *engine,
                                               double time_frames,
                                               const sb_lasting_def *def,
                                               sb_lasting_id *out,
                                               sb_error *err);
bool sb_engine_has_contact(const sb_engine *engine, sb_lasting_id id);

/* Begin a move at that time. After the last move the id is stale; it cannot
 * fail if room for a command has been reserved and it has no rows. */
SB_NODISCARD sb_status sb_engine_move_contact(sb_engine *engine,
                                              sb_lasting_id id,
                                              double time_frames,
                                              const sb_move_def *def,
                                              sb_error *err);

/* --- limits (quality.h) ---------------------------------------------------*/

/* Set the limits from that time on. The default is sb_quality_default() with
 * the threshold of the engine's definition. BAD_ARGUMENT for a value outside
 * its range. Cannot fail otherwise if room for a command has been reserved. */
SB_NODISCARD sb_status sb_engine_set_quality(sb_engine *engine,
                                             double time_frames,
                                             const sb_quality_def *def,
                                             sb_error *err);

/* Report the duration of a callback that pulled. Thread: audio. */
void sb_engine_report_duration(sb_engine *engine, int64_t took_ns) SB_RT;

/* --- tracing (tracer.h) ---------------------------------------------------*/

/* The energy balance since the first call of sb_engine_count_energy. */
typedef struct sb_engine_energy {
    double in_j, out_j, now_j;
    double drift; /* (in - out - now) / in */
} sb_engine_energy;

/* Begin the energy balance, which has a cost from then on. */
void sb_engine_count_energy(sb_engine *engine);
/* End it, and its cost, until it is begun again. */
void sb_engine_end_energy(sb_engine *engine);
/* Thread: any. Zeros until the next block has been rendered. */
sb_engine_energy sb_engine_read_energy(const sb_engine *engine);

/* Begin the energy balance, and trace the contact with is_watched; at most one;
 * a short one by steps if they are wanted (tracer.h). The first time only while
 * no device runs. NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_trace(sb_engine *engine, bool wants_steps,
                                       sb_error *err);
/* The next row; false when there is none. */
bool sb_engine_next_traced(sb_engine *engine, sb_traced *out);
/* Rows lost because they were not read in time. */
long long sb_engine_rows_lost(const sb_engine *engine);

/* --- the energies of modes (gauge.h) --------------------------------------*/

/* Watch the modes of a voice by the gauge `which`, 0 .. SB_GAUGES - 1, in place
 * of the one before; the null id, or a stale one: of none. */
void sb_engine_gauge(sb_engine *engine, int which, sb_voice_id id);
/* The energies of its modes some 20 ms ago at most, J; returns their number, 0
 * if there is nothing to read yet, -1 if they are being written just now.
 * Thread: any. */
int sb_engine_read_gauge(const sb_engine *engine, int which, float *energy_j,
                         int most);

/* Note, from now on, which voices ring and are heard; how many modes of a voice
 * ring, and how many of these are mixed, some 20 ms ago at most. */
void sb_engine_want_heard(sb_engine *engine, bool is_wanted);
void sb_engine_read_heard(const sb_engine *engine, sb_voice_id id, int *wanted,
                          int *mixed);

/* Send the commands before `horizon_frames`, collect what was retired, and set
 * the horizon. True when everything before the horizon was sent; false when the
 * ring is full: call again. */
bool sb_engine_flush(sb_engine *engine, int64_t horizon_frames);

/* The command ring is full, so the audio thread must not wait for commands,
 * even if some will be late. Thread: any. */
bool sb_engine_is_full(const sb_engine *engine);

/* All commands for frames before this have been sent. Thread: any. */
int64_t sb_engine_horizon(const sb_engine *engine);
/* Frames rendered so far. Thread: any. */
int64_t sb_engine_clock(const sb_engine *engine);

/* Render the next frames, interleaved stereo. The first sb_engine_latency
 * frames are look-ahead: sound of time t comes out at t + latency. */
void sb_engine_pull(sb_engine *engine, float *stereo, int frames) SB_RT;

/* Make room for `most` voices in sb_engine_pull_bodies. Once, while nothing is
 * pulled. NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_open_bodies(sb_engine *engine, int most,
                                             sb_error *err);

/* The same, and some voices alone, for hosts that place them in space
 * themselves: mono[i] gets `frames` frames of voices[i], before the ears and
 * the limiter. Where a scene makes the voices it is the sound pressure at 1 m
 * in pascals, without the gains of body and listener. At the distance r an ear
 * without a head would hear mono / r, a travel time later; the ears of the
 * engine hear `full` of their path knot times mono (path.h).
 *
 * `stereo`, which may be NULL, is what sb_engine_pull outputs, the listed
 * voices included. Voices that are not listed are in it alone. mono has no
 * latency: the sound of time t comes out at t, sb_engine_latency frames before
 * it is in `stereo`.
 *
 * The samples do not depend on `frames`. A voice that is listed anew is output
 * from the next block of SB_BLOCK_FRAMES on. Zeros: the null id, a stale one, a
 * voice listed twice, and what is beyond the room that was made. A listed voice
 * is not subject to the limits of quality.h, but modes below the threshold of
 * hearing at the engine's own ears are dropped; a gain of 0 drops none. */
void sb_engine_pull_bodies(sb_engine *engine, const sb_voice_id *voices,
                           float *const *mono, int count, float *stereo,
                           int frames) SB_RT;

/* From the first block at or after this frame on, pull silence, and let the
 * clock stand still; INT64_MAX, the default: never. Thread: any. */
void sb_engine_hold(sb_engine *engine, int64_t frames) SB_RT;

/* Also copy everything that is pulled into a ring of stereo frames. NULL ends
 * it. Only while no device runs. */
void sb_engine_set_tap(sb_engine *engine, sb_ring *tap);

/* Frames the tap has room for; INT64_MAX without a tap. Thread: audio. */
int64_t sb_engine_tap_room(const sb_engine *engine);

typedef struct sb_engine_stats {
    long long frames;  /* rendered */
    long long late;    /* commands that arrived after their time */
    long long muted;   /* bodies set to rest because of NaN or infinity */
    long long dropped; /* strikes that did not begin */
    long long crowded; /* of these, for lack of room or time */
    long long strikes;
    long long retunes;      /* glides begun */
    long long travelling;   /* frames for which more than silence will come */
    long long tap_dropped;  /* frames lost to the recorder */
    long long impacts_lost; /* impact records lost */
    int voices, sounding;
    int flying;   /* strikers in flight */
    int touching; /* lasting contacts */
    int active_modes;
    /* Of the last block: modes that rang, modes that were mixed, and the level
     * of the others, dBFS, -200 if none. */
    int modes_wanted, modes_mixed;
    double dropped_db;
    int units,
        budget_units;     /* units of cost, used and allowed; no budget: -1 */
    double unit_s;        /* time per unit; 0: not live */
    double peak;          /* of the last block, full scale is 1 */
    double limiter_gain;  /* smallest of the last block, 1 before the first */
    double limiter_least; /* smallest of all blocks so far */
} sb_engine_stats;

/* Thread: any. */
sb_engine_stats sb_engine_read_stats(const sb_engine *engine);
