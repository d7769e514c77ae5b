/* SPDX-License-Identifier: MIT */
/* runtime/engine/voice/voice.h -- a body in the audio thread.
 *
 * A voice has a bank of modes, perhaps noise for densely spaced modes
 * (diffuse.h), the present strikes, and a path to each ear. Strikes of known
 * force are applied to the bank (impact.h). Strikers that press and bounce, and
 * springs inside the body, are solved with the modes copied from the bank
 * (link.h), together with the other voices they are connected to (island.h).
 *
 * Thread: created by control, then used by the audio thread alone until it is
 *         retired.
 * Memory: one block holds voice and bank; a striker brings the work space of
 *         its contact.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/bank/diffuse.h"
#include "runtime/dsp/bank/modal_aim.h"
#include "runtime/dsp/bank/modal_field.h"
#include "runtime/dsp/contact/known_impact.h"
#include "runtime/dsp/contact/link.h"
#include "runtime/dsp/ears/path.h"
#include "runtime/dsp/room/early.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_ears sb_ears;

/* Most strikes of known force that begin or still press on one body within a
 * block. Further strikes are dropped and counted. */
enum {
    SB_VOICE_IMPACTS = 64,
    SB_VOICE_SPRINGS = 5, /* inside one body */
    SB_VOICE_ENDED = SB_VOICE_IMPACTS + SB_STRIKERS
};

struct sb_voice;
struct sb_coupling;

typedef struct sb_strike {
    double impulse_ns;
    double duration_s; /* 0: ideal impulse */
    /* approximate power it adds, per impulse squared */
    double response;
    bool is_striker; /* a moving mass: see `striker` */
    sb_striker striker;
    sb_link link;
    /* for a striker: work space for the modes of the body, behind the weights,
     * or that of its pad */
    sb_modal_field field, *room;
    sb_impact_record record; /* reported at the start of a known force */
    bool is_watched;         /* it is traced */
    int mode_count;
    /* A striker that rings itself: another voice, and its weights and work
     * space, behind the above. It is rigid once that voice has left. */
    int second_mode_count; /* 0: none */
    uint32_t second_slot, second_generation;
    float *second_weights;
    struct sb_voice *second; /* in the coming block; NULL: it has left */
    sb_modal_field second_field;
    struct sb_pad *pad; /* its owner (voice_pad.h), or NULL: control frees it */
    /* phi . direction at the contact, one per mode; zeros up to
     * sb_modal_field_padded */
    float *weights;
} sb_strike;

/* A glide from one set of values to another (voice_glide.c). A glide that
 * replaces another continues with its slope; both ends are smooth. */
typedef struct sb_retune {
    int mode_count;
    double glide_blocks; /* duration */
    double done_blocks;
    sb_bank_mode *from, *to; /* mode_count each, behind this struct */
    sb_bank_mode *slope;     /* initial slope, per block */
    sb_bank_mode *calm;      /* present values without the wobble */
    sb_bank_mode *was;       /* the same one block ago */
    sb_bank_mode *now;       /* present values with the wobble, for the bank */
    sb_modal_aims *aims;     /* the new; then those of before; or NULL */
    bool has_aims;           /* they change, too */
    bool has_diffuse;        /* the diffuse part changes, too */
    sb_diffuse_def diffuse;
    int spring_count; /* number of springs that change; 0: none */
    sb_spring springs[SB_VOICE_SPRINGS], springs_from[SB_VOICE_SPRINGS];
    bool wobbles; /* else a present wobble ends */
    sb_wobble wobble;
    double strain_re, strain_im; /* z */
    double *bend;                /* mode_count */
} sb_retune;

/* A force given as samples of the coming block, at a position that moves along
 * the parabola through three sets of weights. */
typedef struct sb_drive {
    const float *impulse_ns;           /* SB_BLOCK_FRAMES */
    float before_ns;                   /* of the frame before the block */
    const float *start, *middle, *end; /* weights, padded */
    bool is_moving;                    /* else all three are equal */
    struct sb_drive *next;             /* on the same voice */
} sb_drive;

/* Sound that was computed elsewhere: a piece of what the body radiates, Pa m at
 * 1 m, from a frame on. Pieces follow each other or overlap; overlapping ones
 * add up. Frames before the present block are skipped. One block of memory
 * each; a finished piece goes back to control. */
typedef struct sb_stream {
    struct sb_stream *next;
    int offset; /* of its first frame, from the start of the coming block */
    int count;
    float samples[];
} sb_stream;

/* The share of a block that a voice gets when there is too much sound:
 * voice_share.h. */
typedef struct sb_share {
    float power;     /* at the louder ear, relative to full scale */
    float keep;      /* its decay per block while it is not measured */
    int wanted;      /* modes that ring, */
    int groups;      /* in this many groups */
    int behind;      /* blocks by which its state is behind */
    bool is_hidden;  /* it is not heard in the coming block */
    bool was_hidden; /* it was not heard in the block before */
    bool is_fresh;   /* measured group by group for the coming block */
    bool may_strike; /* strikes on it fit into the budget */
    bool is_heard;   /* it is heard, other than fading out */
    int fading;      /* the diffuse part: 1 fades in, -1 fades out */
    int going_groups, going_modes;
    double energy_j; /* while hidden */
    bool is_dozing;  /* it is not examined: audio_awake.c */
    int64_t since;   /* since this block */
} sb_share;

/* A turn about an axis of length 1, radians per frame; 0: none. */
typedef struct sb_voice_spin {
    sb_vec3 axis;
    double rate;
} sb_voice_spin;

/* The directions of its modes (modal_aim.h). */
typedef struct sb_voice_aim {
    sb_vec3 at;          /* heard from there ... */
    double until_frames; /* ... at this time */
    sb_voice_spin spin;  /* how, where the path was not yet known */
    bool is_set;         /* it has been aimed */
    bool is_stale;       /* without the modes that were at rest */
    int glide_blocks;    /* until new patterns are reached */
} sb_voice_aim;

/* Its place among connected voices in the coming block: island.c. */
typedef struct sb_voice_island {
    struct sb_voice *leader, *next; /* of its island */
    int bodies, links;              /* of the island; valid for the leader */
    int body;                       /* its index in the island */
    struct sb_coupling *couplings;  /* lasting links, or NULL */
} sb_voice_island;

/* A fade from 1 down to 0. */
typedef struct sb_voice_leaving {
    bool is_set;
    double start; /* from the start of the coming block */
    double step;  /* per frame */
} sb_voice_leaving;

/* With a diffuse part, all forces on the body in the block: the mean force of
 * each frame times its duration, and impulses. */
typedef struct sb_voice_forces {
    float force_ns[SB_BLOCK_FRAMES], impulse_ns[SB_BLOCK_FRAMES];
} sb_voice_forces;

typedef struct sb_voice {
    sb_modal_bank *bank;
    double sample_rate_hz;
    double threshold; /* of hearing, relative to full scale */
    sb_ears *ears;    /* or NULL: mixed without travel time */
    /* largest gain of its path, for which the threshold was set */
    float loudest;
    double moves_until;  /* frame at which its path reaches the target */
    uint32_t generation; /* tells it from others in the same slot */
    int place;           /* index among the playing voices, by arrival */
    /* groups of modes; cached here, because reading the bank would load its
     * memory */
    int groups;
    int ringing_groups; /* groups that are not at rest */
    int ringing_modes;  /* audible modes of these */
    sb_share share;
    bool was_muted; /* in a block since it was added */
    bool is_told;   /* control has been shown that */
    sb_voice_leaving leaving;
    sb_retune *retune; /* present glide, or NULL */
    bool is_gliding;   /* the coming block ends at retune->now */
    int impact_count;
    sb_drive *drives; /* for the coming block only, or NULL */
    bool is_driven;   /* a drive was rendered with it in this block */
    int flying_count;
    int spring_count;
    sb_modal_field spring_field; /* work space for the modes, with springs */
    sb_voice_island island;
    sb_modal_aims *aims; /* NULL: alike in all directions */
    sb_voice_aim aim;
    sb_diffuse *diffuse;     /* or NULL */
    sb_voice_forces *forces; /* on the diffuse part; or NULL */
    sb_record *record;       /* of its links, with a diffuse part; or NULL */
    sb_ears *stem;      /* also hears it, without the other voices; or NULL */
    float *dry;         /* gets the coming block before the ears; or NULL */
    sb_stream *streams; /* sound that it plays, in no order; or NULL */
    /* Large members last: an unheard voice is examined often. */
    sb_impact impacts[SB_VOICE_IMPACTS];
    sb_strike *strikes[SB_VOICE_IMPACTS]; /* own the weights */
    /* strikers in flight, and known forces on a body with springs */
    sb_strike *flying[SB_STRIKERS];
    sb_link springs[SB_VOICE_SPRINGS];
    float roomy; /* gain to the room at the end of the last block */
    sb_reflected reflected;
    sb_path path; /* to the ears */
} sb_voice;

/* Bytes for a voice with this many modes and springs. Thread: any. */
size_t sb_voice_bytes(int mode_count, int spring_count);

/* In zeroed memory of that size, aligned to a cache line. `modes` are copied.
 * BAD_ARGUMENT when one is outside its range. */
SB_NODISCARD sb_status sb_voice_init(sb_voice *voice, const sb_bank_mode *modes,
                                     int mode_count, double sample_rate_hz);

/* Add a spring or a distortion (link.h) with one weight per mode; at most
 * SB_VOICE_SPRINGS, and as many as the bytes are for. */
void sb_voice_add_spring(sb_voice *voice, const sb_link *spring,
                         const double *weights);
/* Add a diffuse part, in zeroed memory aligned like the voice's, which must
 * live as long: sb_voice_diffuse_bytes of it. Before it is played. */
size_t sb_voice_diffuse_bytes(void);
void sb_voice_set_diffuse(sb_voice *voice, void *memory,
                          const sb_diffuse_def *def);

/* Modes below the threshold at the louder ear are dropped. */
void sb_voice_set_threshold(sb_voice *voice, double threshold) SB_RT;

/* Where the voice is heard from. The first knot is set before it
 * is played; set_path then moves from the present position at `start_frames` to
 * `knot`. Without a knot the voice is silent. Without ears, as in tests, it is
 * mixed with the gains of its first knot and no travel time. */
void sb_voice_begin_path(sb_voice *voice, const sb_path_knot *knot,
                         double threshold);
void sb_voice_set_path(sb_voice *voice, double start_frames,
                       const sb_path_knot *knot, double threshold) SB_RT;

/* Accept a strike that begins `start_frame` frames after the start of the
 * coming block. Returns a strike that has no room: this one, or the oldest in
 * the air that it replaces; else NULL. */
sb_strike *sb_voice_strike(sb_voice *voice, sb_strike *strike,
                           double start_frame) SB_RT;

/* Play a piece of sound; its offset has been set. */
void sb_voice_stream(sb_voice *voice, sb_stream *stream) SB_RT;
/* Take the first piece out; NULL when there is none. */
sb_stream *sb_streams_take(sb_stream **list) SB_RT;

/* Apply a drive in the coming block. */
void sb_voice_drive(sb_voice *voice, sb_drive *drive) SB_RT;

/* Remove one strike in any state; NULL when there is none. */
sb_strike *sb_voice_take_strike(sb_voice *voice) SB_RT;

/* Begin a glide to retune->to. Returns the glide that it replaces, or NULL. */
sb_retune *sb_voice_retune(sb_voice *voice, sb_retune *retune) SB_RT;

/* Before each block: advance the glide. Returns it when it is complete. */
sb_retune *sb_voice_glide(sb_voice *voice) SB_RT;

/* Fade out linearly from `start_frame` of the coming block on. */
void sb_voice_leave(sb_voice *voice, double start_frame,
                    double fade_frames) SB_RT;

/* It was removed, and there is nothing more to hear of it. */
bool sb_voice_has_left(const sb_voice *voice) SB_RT;

bool sb_voice_is_silent(const sb_voice *voice) SB_RT;

/* Count what rings after the bank's state has changed. */
void sb_voice_count(sb_voice *voice) SB_RT;

/* Before each block that is rendered: hear it from where the listener will be at
 * the end. */
void sb_voice_aim_at(sb_voice *voice) SB_RT;
/* From the coming block on: what it was aimed at is no longer where it goes. */
void sb_voice_aim_anew(sb_voice *voice) SB_RT;
/* Whether it still is, from a new leg of its path. */
void sb_voice_aim_check(sb_voice *voice, double start_frames,
                        const sb_path_knot *knot) SB_RT;

/* Before each block: forget the forces on the diffuse part, if it has one. */
void sb_voice_begin_diffuse(sb_voice *voice) SB_RT;

/* The results of a block besides sound, for all voices of an island. */
typedef struct sb_voice_report {
    sb_strike *ended[SB_ISLAND_BODIES * SB_VOICE_ENDED]; /* finished strikes */
    int ended_count;
    sb_stream *ended_streams; /* linked */
    sb_impact_log log;        /* times from the start of the block */
    int muted;                /* voices set to rest: was_muted */
    int dropped;              /* strikes for which there was no time */
} sb_voice_report;

/* Report a strike of known force that has begun. */
void sb_voice_log(const sb_strike *strike, double start_frame,
                  sb_voice_report *report) SB_RT;

/* A block of one voice, in this order: ring freely, or prepare for a
 * contact, */
void sb_voice_ring(sb_voice *voice, float *mono) SB_RT;
void sb_voice_prepare_contact(sb_voice *voice) SB_RT;
/* then apply known strikes, return finished ones, and mix into `stereo`. A
 * voice with NaN, infinite or absurdly large samples is set to rest and adds
 * nothing. */
void sb_voice_finish(sb_voice *voice, float *mono, float *stereo,
                     sb_voice_report *report) SB_RT;
