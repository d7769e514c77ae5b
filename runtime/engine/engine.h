/* runtime/engine/engine.h -- the control side of everything that sounds.
 *
 * The engine owns the voices and the only doors between the threads: a command
 * ring in, a retired ring out. Calls here never wait for the audio thread.
 * Commands are kept, in the order of their times, until sb_engine_flush lets
 * those before the new horizon through.
 *
 * Thread: control -- the one thread that created the engine -- except
 *         sb_engine_pull, which is the audio thread's, and the functions that
 *         say so.
 * Memory: the engine owns its voices; definitions are copied.
 */
#ifndef SB_ENGINE_ENGINE_H
#define SB_ENGINE_ENGINE_H

#include "runtime/base/ring.h"
#include "runtime/base/status.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/dsp/contact/link.h"
#include "runtime/dsp/diffuse.h"
#include "runtime/dsp/ears/path.h"
#include "runtime/dsp/surface/contact_load.h"
#include "runtime/dsp/surface/rub.h"
#include "runtime/engine/audio/lasting.h"
#include "runtime/engine/audio/quality_def.h"
#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/voice/wobble.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_engine sb_engine;

/* A voice is named, never pointed at: a stale id is detected, not followed.
 * The all-zero id is "no voice". */
typedef struct sb_voice_id {
    uint32_t index;
    uint32_t generation;
} sb_voice_id;

typedef struct sb_engine_def {
    double sample_rate_hz; /* 8000 .. 384000; default 48000 */
    double threshold;      /* tau, of full scale, 0 .. 1; default 0.01/32768:
                              a hundredth of a 16-bit step */
    double ceiling;        /* of the limiter, of full scale; default 0.989 */
    /* it is played as it is made: a budget of time counts, and the machine
     * is measured for it, which takes some 10 ms */
    bool is_live;
} sb_engine_def;

sb_engine_def sb_engine_def_default(void);

SB_NODISCARD sb_status sb_engine_create(const sb_engine_def *def,
                                        sb_engine **out, sb_error *err);

/* The device must have stopped. NULL is allowed. */
void sb_engine_destroy(sb_engine *engine);

double sb_engine_sample_rate(const sb_engine *engine); /* Thread: any */

/* A spring or a distortion inside a body, at one point of it (link.h). */
typedef struct sb_spring_def {
    sb_spring spring;
    bool is_distortion;
    const double *weights; /* phi . direction, one a mode */
} sb_spring_def;

typedef struct sb_voice_def {
    const sb_bank_mode *modes;
    int mode_count;           /* at least 1 */
    const sb_path_knot *knot; /* where it is heard from; NULL: silent */
    const sb_spring_def *springs;
    int spring_count;              /* at most SB_VOICE_SPRINGS, 5 */
    const sb_diffuse_def *diffuse; /* NULL: it has no diffuse part */
} sb_voice_def;

/* A new voice, silent, from `time_frames` on. NO_MEMORY also when all
 * SB_AUDIO_VOICES places are taken. */
SB_NODISCARD sb_status sb_engine_add_voice(sb_engine *engine,
                                           const sb_voice_def *def,
                                           double time_frames, sb_voice_id *out,
                                           sb_error *err);

/* Fade out and forget; the id is stale at once. A stale id is a no-op. */
SB_NODISCARD sb_status sb_engine_remove_voice(sb_engine *engine, sb_voice_id id,
                                              double time_frames, double fade_s,
                                              sb_error *err);
bool sb_engine_has_voice(const sb_engine *engine, sb_voice_id id);

/* Give it ears (propagation.h): from now on voices may be heard from where they
 * are, through the air. Before any voice is added and any device runs; once is
 * enough. NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_open_ears(sb_engine *engine, const sb_air *air,
                                           sb_error *err);

/* From `time_frames` on, go from where it is to `knot`: see path.h. Only a
 * voice that was made with a knot has a path. BAD_ARGUMENT for numbers that are
 * not finite. */
SB_NODISCARD sb_status sb_engine_set_path(sb_engine *engine, sb_voice_id id,
                                          double time_frames,
                                          const sb_path_knot *knot,
                                          sb_error *err);

/* Other air, made ready (sb_air_table_make for this rate) and handed over; room
 * must have been reserved. */
void sb_engine_set_air(sb_engine *engine, double time_frames,
                       sb_air_table *air);

/* The peak that counts as silence, for `travelling`; 0 at first. Only while no
 * device runs. */
void sb_engine_set_silence(sb_engine *engine, double amplitude);

/* Frames between a sound's time and its way out: the limiter's look-ahead, and
 * with ears what they need. Thread: any. */
int sb_engine_latency(const sb_engine *engine);

/* New values for all modes of a voice, made ready but not yet said, so that a
 * change of many voices can be prepared as a whole and then cannot fail. */
typedef struct sb_retune sb_retune;

/* A glide of `glide_s` between two sets of `count` values. */
SB_NODISCARD sb_status sb_engine_prepare_retune(const sb_engine *engine,
                                                const sb_bank_mode *from,
                                                const sb_bank_mode *to,
                                                int count, double glide_s,
                                                sb_retune **out, sb_error *err);
void sb_engine_drop_retune(sb_retune *retune); /* not said after all */

/* Let the body go on swinging through this glide and after it; one that says
 * nothing of a wobble ends it. `bend` has one number a mode. */
void sb_engine_set_wobble(sb_retune *retune, const sb_wobble *wobble,
                          const double *bend);

/* Other powers and decays for the diffuse part of a voice that has one. */
void sb_engine_set_diffuse(sb_retune *retune, const sb_diffuse_def *def);

/* Other values for the springs of a voice that has as many, in their order and
 * of the same kinds. */
void sb_engine_set_springs(sb_retune *retune, const sb_spring *springs,
                           int count);

/* Say it. The voice must be there and have as many modes; room must have been
 * reserved. */
void sb_engine_retune(sb_engine *engine, sb_voice_id id, double time_frames,
                      sb_retune *retune);

/* Make room for `count` commands: that many of the calls above and below that
 * allocate nothing themselves (retune, remove) cannot fail then. */
SB_NODISCARD sb_status sb_engine_reserve(sb_engine *engine, int count,
                                         sb_error *err);

typedef struct sb_impact_def {
    double impulse_ns;     /* finite */
    double duration_s;     /* 0: ideal impulse; else a half-sine this long */
    const double *weights; /* phi . direction, one a mode of the voice */
    /* A mass that presses and bounces instead: its first part, as striker.h
     * says, but for start_frame and weights. NULL: the force above. */
    const sb_striker *striker;
    /* And that mass may be a voice that rings itself: its id and its weights
     * toward the contact. All zeros: it does not. */
    sb_voice_id second;
    const double *second_weights;
    /* What sb_engine_next_impact says of a force; its time is filled in, and
     * its label, if not 0, makes it do so at all. */
    sb_impact_record told;
    bool is_watched; /* see sb_engine_trace */
} sb_impact_def;

/* STALE_HANDLE, or NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_strike(sb_engine *engine, sb_voice_id id,
                                        double time_frames,
                                        const sb_impact_def *def,
                                        sb_error *err);

/* The next contact that was measured, of a strike with a label; its time counts
 * from frame 0. False when there is none. */
bool sb_engine_next_impact(sb_engine *engine, sb_impact_record *out);

/* --- contacts that last ----------------------------------------------------*/

/* A stale id is detected, not followed; the all-zero id is "no contact". */
typedef struct sb_lasting_id {
    uint32_t index;
    uint32_t generation;
} sb_lasting_id;

typedef struct sb_lasting_def {
    sb_voice_id voice[2];     /* what is touched; null: it does not ring */
    const double *weights[2]; /* where, one a mode of each voice */
    sb_surface *surface[2];   /* of each side, retained; NULL: smooth */
    sb_rub_def rub;           /* but for its surfaces */
    sb_lasting_model model;
    /* PRESS, BUZZ */
    sb_contact_law law;
    double mass_kg, inverse_mass; /* of what presses; 1/M of the body */
    double gap_m;                 /* BUZZ */
    /* FRICTION */
    sb_bristle bristle;
    double rub_mass_kg, rub_stiffness; /* of what rubs, and of what holds it;
                                          0: it goes at the slip told */
    bool is_watched;                   /* see sb_engine_trace */
} sb_lasting_def;

/* Two surfaces come together, without a force yet. STALE_HANDLE, or NO_MEMORY,
 * also when all SB_AUDIO_CONTACTS places are taken. */
SB_NODISCARD sb_status sb_engine_begin_contact(sb_engine *engine,
                                               double time_frames,
                                               const sb_lasting_def *def,
                                               sb_lasting_id *out,
                                               sb_error *err);
bool sb_engine_has_contact(const sb_engine *engine, sb_lasting_id id);

typedef struct sb_move_def {
    sb_contact_load to;
    bool has_force, has_speed[2], has_slip; /* which of it is meant; the others
                                               go on as they were told */
    double ramp_s;                          /* how long it takes, >= 0 */
    bool is_last; /* the contact is over when it has arrived */
    int rows;     /* places at even times of the way, from where it is to where
                      it goes; 0: as it was told before */
    const double *weights[2]; /* `rows` times one a mode of each voice */
} sb_move_def;

/* Go, from that time on, to where `def` says. The id is stale after the last,
 * which cannot fail where room for a command has been reserved and it has no
 * rows. */
SB_NODISCARD sb_status sb_engine_move_contact(sb_engine *engine,
                                              sb_lasting_id id,
                                              double time_frames,
                                              const sb_move_def *def,
                                              sb_error *err);

/* --- too much sound (quality.h) --------------------------------------------*/

/* From that time on; at first it is sb_quality_default(), with the threshold of
 * the engine's definition. Cannot fail where room for a command has been
 * reserved, and the definition is good. */
SB_NODISCARD sb_status sb_engine_set_quality(sb_engine *engine,
                                             double time_frames,
                                             const sb_quality_def *def,
                                             sb_error *err);

/* A callback that pulled took so long. Thread: audio. */
void sb_engine_took(sb_engine *engine, int64_t took_ns) SB_RT;

/* --- seeing it (tracer.h) --------------------------------------------------*/

/* Where all energy went since the first call of sb_engine_count_energy. */
typedef struct sb_engine_energy {
    double in_j, out_j, now_j;
    double drift; /* (in - out - now) / in */
} sb_engine_energy;

/* Begin the account, which costs something from then on. */
void sb_engine_count_energy(sb_engine *engine);
/* Thread: any. Zeros until the next block has been played. */
sb_engine_energy sb_engine_read_energy(const sb_engine *engine);

/* Begin the account, and make what says is_watched tell of itself; one contact
 * may. Only while no device runs. NO_MEMORY. */
SB_NODISCARD sb_status sb_engine_trace(sb_engine *engine, sb_error *err);
/* The next row of it; false when there is none. */
bool sb_engine_next_traced(sb_engine *engine, sb_traced *out);
/* That nobody asked for in time. */
long long sb_engine_rows_lost(const sb_engine *engine);

/* Let the commands before `horizon_frames` through, collect what came back,
 * and tell the audio thread how far it may go. True when everything before
 * the horizon went through; false when the ring is full: call again. */
bool sb_engine_flush(sb_engine *engine, int64_t horizon_frames);

/* No command fits in before audio goes on, so it must not wait for any, even
 * if some will come late. Thread: any. */
bool sb_engine_is_choked(const sb_engine *engine);

/* Frames up to here have had all their commands. Thread: any. */
int64_t sb_engine_horizon(const sb_engine *engine);
/* Frames rendered so far. Thread: any. */
int64_t sb_engine_clock(const sb_engine *engine);

/* The next frames, interleaved stereo. The first sb_engine_latency frames are
 * look-ahead: sound of time t comes out at t + that. */
void sb_engine_pull(sb_engine *engine, float *stereo, int frames) SB_RT;

/* Copy everything that is pulled into a ring of stereo frames as well. NULL
 * ends it. Only while no device runs. */
void sb_engine_set_tap(sb_engine *engine, sb_ring *tap);

/* Frames the tap can take now; many when there is none. Thread: audio. */
int64_t sb_engine_tap_room(const sb_engine *engine);

typedef struct sb_engine_stats {
    long long frames;  /* rendered */
    long long late;    /* commands after their time */
    long long muted;   /* bodies set to rest for not being finite */
    long long dropped; /* strikes without a place */
    long long strikes;
    long long retunes;      /* glides begun */
    long long travelling;   /* frames in which more than silence comes */
    long long tap_dropped;  /* frames lost to the recorder */
    long long impacts_lost; /* contacts that there was no room to tell of */
    int voices, sounding;
    int flying;   /* strikers that may still come back */
    int touching; /* contacts that last */
    int active_modes;
    /* Of the last block: modes that rang, and that were mixed, and the level of
     * those that were not, dBFS, -200 of none. */
    int modes_wanted, modes_mixed;
    double dropped_db;
    int units, budget_units; /* of cost, and allowed; no budget: -1 */
    double unit_s;           /* that one takes; 0: not live */
    double peak;             /* of the last block, full scale is 1 */
    double limiter_gain;  /* smallest of the last block, 1 before the first */
    double limiter_least; /* smallest of all blocks so far */
} sb_engine_stats;

/* Thread: any. */
sb_engine_stats sb_engine_read_stats(const sb_engine *engine);

#endif
