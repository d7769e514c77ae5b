/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/audio.h -- the state of the audio thread.
 *
 *     commands ─► voices ─► mix ─► limiter ─► frames ─► retired pointers
 *
 * Time is counted in frames from 0. The inner block is SB_BLOCK_FRAMES long and
 * always starts at a multiple of that. Requests for any number of frames are
 * served from inner blocks, so that the samples do not depend on the block size
 * of the device.
 *
 * Nothing here fails: it clamps, mutes, resets and counts.
 *
 * Thread: audio, except init. The counters may be read from any thread.
 * Memory: the caller's. Commands lend voices and strikes to the audio thread;
 *         they return through the retired ring.
 */
#pragma once

#include "runtime/base/ring.h"
#include "runtime/engine/audio/command.h"
#include "runtime/engine/audio/gauge.h"
#include "runtime/engine/audio/island.h"
#include "runtime/engine/audio/limiter.h"
#include "runtime/engine/audio/quality.h"
#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/voice/voice_pad.h"

#include <stdatomic.h>

enum {
    SB_AUDIO_VOICES = 4096,      /* bodies that can sound at once */
    SB_AUDIO_STEMS = 512,        /* most stems of a render */
    SB_AUDIO_CONTACTS = 4096,    /* lasting contacts at once */
    SB_AUDIO_COMMANDS = 1 << 15, /* ring capacity; powers of two */
    SB_AUDIO_RETIRED = 1 << 16,
    SB_AUDIO_PENDING = 4096,    /* strikes that can be pending */
    SB_AUDIO_IMPACTS = 1 << 14, /* impact records not yet read by control */
    SB_AUDIO_PADS = 1024,       /* prepared places */
    SB_AUDIO_HITS = 1024,       /* hits of these that can wait */
    SB_AUDIO_PAD_POSTS = 4096,  /* what control may send of them; a power of 2,
                                   more than twice as many as pads */
    SB_CHANNELS = 2
};

/* Counters and meters. Each is written by the audio thread alone. */
typedef struct sb_audio_counters {
    atomic_llong frames;      /* rendered so far: the clock */
    atomic_llong late;        /* commands that arrived after their time */
    atomic_llong muted;       /* blocks in which a body was set to rest */
    atomic_llong dropped;     /* strikes that did not begin */
    atomic_llong crowded;     /* of these, for lack of room or time */
    atomic_llong strikes;     /* strikes begun */
    atomic_llong retunes;     /* glides begun */
    atomic_int voices;        /* existing bodies */
    atomic_int flying;        /* strikers in flight */
    atomic_int touching;      /* lasting contacts */
    atomic_int sounding;      /* bodies that are not silent */
    atomic_int active_modes;  /* modes mixed in the last block */
    atomic_int peak_micro;    /* last block's peak, millionths of full scale */
    atomic_int limiter_micro; /* last block's smallest gain, millionths */
    atomic_int least_micro;   /* the smallest of all blocks so far */
    atomic_llong travelling;  /* frames for which more than silence will come */
    atomic_llong tap_dropped; /* frames lost because the recorder was late */
    atomic_llong impacts_lost; /* impact records lost */
    /* Of the last block: see quality.h. */
    atomic_int modes_wanted, modes_mixed;
    /* level of what was left out, relative to full scale */
    atomic_int dropped_centi_db;
    atomic_int units, budget_units; /* units of cost; no budget: -1 */
    atomic_int unit_pico_s;         /* time per unit; 0: not live */
} sb_audio_counters;

/* A strike that is due. */
typedef struct sb_pending_strike {
    double time_frames;
    uint32_t slot, generation;
    sb_strike *strike;
    float power; /* approximate power at the louder ear */
    bool is_chosen;
} sb_pending_strike;

/* The power by which strikes are ranked; a moving mass comes first. */
static inline float sb_strike_power(const sb_strike *strike) {
    double impulse = strike->impulse_ns;
    double power = strike->response * impulse * impulse;
    return strike->is_striker || !(power < 1e30) ? 1e30f : (float)power;
}

/* Of audio_strikes.c. */
typedef struct sb_due {
    sb_pending_strike pending[SB_AUDIO_PENDING]; /* oldest first */
    int count;
    double striker_units; /* cost of the strikers that press now */
} sb_due;

/* The sound of some voices alone, before the limiter. */
typedef struct sb_stem {
    sb_ears *ears;
    float block[SB_BLOCK_FRAMES * SB_CHANNELS]; /* the last */
} sb_stem;

/* Of audio_ears.c. */
typedef struct sb_room sb_room;
typedef struct sb_hearing {
    sb_ears *ears;     /* NULL: no travel time */
    sb_air_table *air; /* used by the ears */
    sb_head *head;     /* that was measured, or NULL; used by the ears */
    sb_room *room;     /* around them, or NULL */
    sb_room *left;     /* the one before, while it fades; or NULL */
    int left_blocks;   /* until it has faded */
    sb_stem *stems[SB_AUDIO_STEMS];
    int stem_count;     /* 0 while a device runs */
    int64_t loud_until; /* end of the audible output */
} sb_hearing;

/* Voices that are also output alone, before the ears: audio_ears.c. */
typedef struct sb_dry {
    int most; /* voices for which there is room */
    /* The request; valid while frames are pulled. */
    const sb_voice_id *wanted;
    int wanted_count;
    int count; /* voices of the last block */
    sb_voice_id *ids;
    float (*blocks)[SB_BLOCK_FRAMES];
} sb_dry;

/* From control: a pad for a place in the table, or NULL; or a hit. */
typedef struct sb_pad_post {
    enum { SB_POST_PAD, SB_POST_HIT } kind;
    sb_pad_id id;
    sb_pad *pad;
    double speed_m_s;
    int64_t frame;
} sb_pad_post;

typedef struct sb_waiting_hit {
    double frame;
    sb_strike *strike;
} sb_waiting_hit;

/* Prepared places: audio_strikes.c. */
typedef struct sb_pads {
    sb_ring posts; /* of sb_pad_post, from control */
    sb_pad *by_slot[SB_AUDIO_PADS];
    sb_waiting_hit waiting[SB_AUDIO_HITS]; /* earliest first */
    int waiting_count;
} sb_pads;

/* Of audio_awake.c. */
typedef struct sb_active {
    /* One bit per entry of `playing`: it is active. */
    uint64_t awake[SB_AUDIO_VOICES / 64];
    uint64_t dozing[SB_AUDIO_VOICES / 64]; /* it is not heard for some blocks */
    uint32_t listed[SB_AUDIO_VOICES]; /* slots of those active in the block */
    bool is_up[SB_AUDIO_VOICES];      /* it was active recently, by slot */
} sb_active;

/* Of audio_lasting.c. */
typedef struct sb_contacts {
    sb_lasting *by_slot[SB_AUDIO_CONTACTS];
    uint32_t touching[SB_AUDIO_CONTACTS];      /* slots in use, oldest first */
    int count;                                 /* of these */
    sb_coupling *couplings[SB_AUDIO_CONTACTS]; /* of the coming block */
    int coupling_count;
} sb_contacts;

typedef struct sb_audio {
    double sample_rate_hz;
    double threshold; /* tau: modes below it are dropped, of full scale */
    int64_t clock;    /* start of the next inner block */
    int held;         /* frames of `block` not yet output */
    /* Set by control: from this frame on nothing is rendered. */
    _Atomic int64_t hold_at;
    bool was_holding; /* when last asked for frames */
    float block[SB_BLOCK_FRAMES * SB_CHANNELS];
    sb_limiter limiter;
    sb_hearing hearing;
    sb_dry dry;
    sb_pads pads;
    sb_ring commands; /* of sb_command, from control */
    sb_ring retired;  /* of sb_retired, to control */
    sb_ring impacts;  /* of sb_impact_record, to control */
    sb_ring traced;   /* of sb_traced, to control, if tracing */
    sb_ring *tap;     /* of stereo frames, to a recorder; or NULL */
    sb_voice *voices[SB_AUDIO_VOICES]; /* by slot */
    uint32_t playing[SB_AUDIO_VOICES]; /* slots in use, in order of arrival */
    int playing_count;
    sb_active active;
    float louder[SB_AUDIO_VOICES]; /* squared gain at the louder ear, by slot */
    sb_due due;
    sb_contacts contacts;
    /* Overflow of the retired ring. */
    sb_retired waiting[SB_AUDIO_RETIRED];
    int waiting_count;
    sb_tracer tracer;
    sb_gauge gauges[SB_GAUGES];
    sb_tally heard;
    atomic_uint heard_modes[SB_AUDIO_VOICES]; /* of `heard` */
    /* By slot; until control has read it. */
    atomic_bool is_muted[SB_AUDIO_VOICES];
    sb_quality quality;
    sb_audio_counters counters;
} sb_audio;

/* Output the next `frames` interleaved stereo frames, or none of them if
 * `stereo` is NULL, and `count` voices alone: see sb_engine_pull_bodies. */
void sb_audio_pull(sb_audio *audio, const sb_voice_id *voices,
                   float *const *mono, int count, float *stereo,
                   int frames) SB_RT;

/* Hit a pad: see sb_engine_hit_pad. */
bool sb_audio_hit(sb_audio *audio, sb_pad_id id, double speed_m_s,
                  int64_t frame) SB_RT;

/* Return everything the audio thread still holds, one pointer per call, after
 * it has stopped. False when nothing is left. Thread: control. */
bool sb_audio_release(sb_audio *audio, sb_retired *out);

/* What a command that was not applied has lent. False if nothing. */
bool sb_audio_take_back(const sb_command *command, sb_retired *out);
