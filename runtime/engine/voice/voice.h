/* runtime/engine/voice/voice.h -- a body as the audio thread knows it.
 *
 * A bank of modes, perhaps a noise for those that are too many to be told apart
 * (diffuse.h), the strikes under way on it, and a path to each ear. Strikes of
 * a known force are handed to the bank (impact.h); strikers that press and
 * bounce, and springs inside the body, are played with the modes taken out of
 * it (link.h), together with the other voices that they join (island.h).
 *
 * Thread: made on the control thread, then used by the audio thread alone
 *         until it comes back retired.
 * Memory: one block holds voice and bank; a striker brings the room that its
 *         contact needs.
 */
#ifndef SB_ENGINE_VOICE_VOICE_H
#define SB_ENGINE_VOICE_VOICE_H

#include "runtime/base/status.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/dsp/contact/impact.h"
#include "runtime/dsp/contact/link.h"
#include "runtime/dsp/diffuse.h"
#include "runtime/dsp/ears/propagation.h"
#include "runtime/engine/voice/wobble.h"

#include <stdbool.h>
#include <stdint.h>

/* Strikes of a known force that may begin, or still press, on one body within
 * one block. Beyond this many a strike is dropped, and counted. */
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
    /* power it adds to what rings, per impulse squared; about */
    double response;
    bool is_striker; /* a moving mass instead, which the next says */
    sb_striker striker;
    sb_link link;
    sb_modal_field field;  /* of a striker: room for the body's modes while it
                             touches, behind the weights */
    sb_impact_record told; /* reported of a known force when it begins */
    bool is_watched;       /* its frames are told */
    int mode_count;
    /* A striker that rings itself: another voice, and its weights and room,
     * behind all that. Rigid from when that voice has left. */
    int second_mode_count; /* 0: none */
    uint32_t second_slot, second_generation;
    float *second_weights;
    struct sb_voice *second; /* in the coming block; NULL: not there */
    sb_modal_field second_field;
    float weights[]; /* phi . direction at the contact, one a mode; zeros up to
                        sb_modal_field_padded */
} sb_strike;

/* A glide from one set of values to another (voice_glide.c). One that takes
 * over from another goes on with its slope; both ends are smooth. */
typedef struct sb_retune {
    int mode_count;
    double glide_blocks; /* how long it takes */
    double done_blocks;
    sb_bank_mode *from, *to; /* mode_count each, behind this struct */
    sb_bank_mode *slope;     /* a block, to set off with */
    sb_bank_mode *calm;      /* on the way, without the wobble */
    sb_bank_mode *was;       /* the same, a block ago */
    sb_bank_mode *now;       /* with the wobble: what the bank is given */
    bool has_diffuse;        /* the diffuse part gets these values, too */
    sb_diffuse_def diffuse;
    int spring_count; /* so do that many of its springs; 0: they stay */
    sb_spring springs[SB_VOICE_SPRINGS], springs_from[SB_VOICE_SPRINGS];
    bool wobbles; /* else one that is under way is dropped */
    sb_wobble wobble;
    double strain_re, strain_im; /* z */
    double *bend;                /* mode_count */
} sb_retune;

/* A force of known samples in the coming block, at a place that moves along the
 * quadratic through three sets of weights. */
typedef struct sb_drive {
    const float *impulse_ns;           /* SB_BLOCK_FRAMES */
    float before_ns;                   /* of the frame before the block */
    const float *start, *middle, *end; /* weights, padded */
    bool is_moving;                    /* else all three are the same */
    struct sb_drive *next;             /* on the same voice */
} sb_drive;

/* What it gets of a block when there is too much sound: voice_share.h. */
typedef struct sb_share {
    float power;     /* at the louder ear, of full scale */
    float keep;      /* of it from block to block while nobody looks */
    int wanted;      /* modes that ring, */
    int groups;      /* in so many groups */
    int behind;      /* blocks that its state is behind */
    bool is_hidden;  /* nothing of it is heard in the coming block */
    bool was_hidden; /* nor in the one before */
    bool is_fresh;   /* measured group by group for the coming block */
    bool may_strike; /* blows on it find room */
    bool is_heard;   /* some of it is, and not only while it goes */
    int fading;      /* the diffuse part: 1 comes, -1 goes */
    int going_groups, going_modes;
    double energy_j; /* while it is hidden */
    bool is_dozing;  /* nor looked at: audio_awake.h */
    int64_t since;   /* from this block on */
} sb_share;

typedef struct sb_voice {
    sb_modal_bank *bank;
    double sample_rate_hz;
    double threshold;    /* of hearing, of full scale */
    sb_ears *ears;       /* or NULL: mixed without travel time */
    float loudest;       /* that the threshold is for, of its path */
    double moves_until;  /* the frame at which it has arrived */
    uint32_t generation; /* tells it from others in the same place */
    int place;           /* among all that play, in order of arrival */
    int groups;          /* of modes: to ask the bank would fetch it, */
    int ringing_groups; /* so these are kept, too: those that are not at rest, */
    int ringing_modes;  /* and modes of them that are heard */
    sb_share share;
    bool is_leaving;
    double fade_start; /* frames from the start of the coming block */
    double fade_step;  /* per frame, from 1 down to 0 */
    sb_retune *retune; /* under way, or NULL */
    bool is_gliding;   /* the coming block ends at retune->now */
    int impact_count;
    sb_drive *drives; /* for the coming block only, or NULL */
    bool is_driven;   /* one of them has rung with it in this block */
    int flying_count;
    int spring_count;
    sb_modal_field spring_field; /* room for the modes, of one with springs */
    /* Of the coming block: see island.h. */
    struct sb_voice *leader, *next; /* of those it hangs together with */
    int bodies, links;              /* of these all; the leader's count */
    int body;                       /* its place among them */
    struct sb_coupling *couplings;  /* lasting ones, or NULL */
    sb_diffuse *diffuse;            /* or NULL */
    /* Large things last: a body that is not heard is looked at every block. */
    sb_impact impacts[SB_VOICE_IMPACTS];
    sb_strike *strikes[SB_VOICE_IMPACTS]; /* owners of the weights */
    sb_strike *flying[SB_STRIKERS];       /* strikers under way, and known
                                             blows on a body with springs */
    sb_link springs[SB_VOICE_SPRINGS];
    /* With a diffuse part, all that pushes the body in the block adds to these:
     * the mean force of each frame times its length, and impulses. */
    float force_ns[SB_BLOCK_FRAMES], impulse_ns[SB_BLOCK_FRAMES];
    sb_path path; /* to the ears */
} sb_voice;

/* Bytes for a voice of `mode_count` modes and so many springs. Thread: any. */
size_t sb_voice_bytes(int mode_count, int spring_count);

/* In zeroed memory of that size, aligned to a cache line. The bank takes
 * copies of `modes`. BAD_ARGUMENT when one breaks its range. */
SB_NODISCARD sb_status sb_voice_init(sb_voice *voice, const sb_bank_mode *modes,
                                     int mode_count, double sample_rate_hz);

/* Then, at most SB_VOICE_SPRINGS times and as often as the bytes are for: a
 * spring or a distortion (link.h), with one weight a mode. */
void sb_voice_add_spring(sb_voice *voice, const sb_link *spring,
                         const double *weights);
/* Give it a diffuse part, in zeroed memory aligned like the voice's, which must
 * live as long. Before it is played. */
void sb_voice_set_diffuse(sb_voice *voice, sb_diffuse *memory,
                          const sb_diffuse_def *def);

/* Modes below the threshold at the louder ear are dropped. */
void sb_voice_set_threshold(sb_voice *voice, double threshold) SB_RT;

/* voice_path.c. Where the voice is heard from: the first knot, set before it is
 * played, and then, from `start_frames` on, the way from where it is to `knot`.
 * Without a knot it is silent. Without ears, as in tests, it is mixed with the
 * gains of its first knot and no travel time. */
void sb_voice_begin_path(sb_voice *voice, const sb_path_knot *knot,
                         double threshold);
void sb_voice_set_path(sb_voice *voice, double start_frames,
                       const sb_path_knot *knot, double threshold) SB_RT;

/* Take up a strike that begins `start_frame` frames after the start of the
 * coming block. Hands back the strike that has no place: this one, or an old
 * one in the air that made room for it; else NULL. */
sb_strike *sb_voice_strike(sb_voice *voice, sb_strike *strike,
                           double start_frame) SB_RT;

/* Drive it in the coming block. */
void sb_voice_drive(sb_voice *voice, sb_drive *drive) SB_RT;

/* Take one strike away, whatever it is doing; NULL when there is none. */
sb_strike *sb_voice_take_strike(sb_voice *voice) SB_RT;

/* Begin a glide to retune->to. A glide already under way ends where it is and
 * is handed back, else NULL. */
sb_retune *sb_voice_retune(sb_voice *voice, sb_retune *retune) SB_RT;

/* Before each block: one block further on the glide. Hands it back when it has
 * arrived. */
sb_retune *sb_voice_glide(sb_voice *voice) SB_RT;

/* Fade out in a straight line from `start_frame` of the coming block on. */
void sb_voice_leave(sb_voice *voice, double start_frame,
                    double fade_frames) SB_RT;

/* It was told to leave, and there is nothing more to hear of it. */
bool sb_voice_has_left(const sb_voice *voice) SB_RT;

bool sb_voice_is_silent(const sb_voice *voice) SB_RT;

/* Its bank's state has changed: count what rings. */
void sb_voice_count(sb_voice *voice) SB_RT;

/* voice_diffuse.c, in this order in a block: begin to listen; a strike of known
 * force, before it advances; add what is heard. All do nothing for a voice
 * without a diffuse part. */
void sb_voice_begin_diffuse(sb_voice *voice) SB_RT;
void sb_voice_drive_diffuse(sb_voice *voice, const sb_impact *impact) SB_RT;
void sb_voice_add_diffuse(sb_voice *voice, float *mono) SB_RT;

/* What came out of a block besides sound, of all voices of an island. */
typedef struct sb_voice_report {
    sb_strike *ended[SB_ISLAND_BODIES * SB_VOICE_ENDED]; /* handed back */
    int ended_count;
    sb_impact_log log; /* times from the block's start */
    int muted;         /* voices that were set to rest */
    int dropped;       /* blows there was no time for */
} sb_voice_report;

/* A block of one voice, in this order. It rings, or meets what touches it: */
void sb_voice_ring(sb_voice *voice, float *mono) SB_RT;
void sb_voice_ready_for_touch(sb_voice *voice) SB_RT;
/* and then takes its known blows, hands back what is over, and is mixed into
 * `stereo`. One whose samples are not finite, or absurd, is set to rest and
 * adds nothing. */
void sb_voice_finish(sb_voice *voice, float *mono, float *stereo,
                     sb_voice_report *report) SB_RT;

#endif
