/* runtime/dsp/contact/striker.h -- a thing that flies at a body, presses it and
 * bounces.
 *
 * A mass m moves along the line of the blow, pulled by gravity g along it, and
 * meets the surface with a nonlinear contact (contact.h) that pushes both
 * apart:
 *
 *     m y'' = m g - f,      f = f(x, x'),   x = y - r - sum phi q
 *     q'' + 2 s q' + w0^2 q = phi f,        r'' = f / M
 *
 * The weights phi that drive the modes also read them, so that the two are one
 * passive system. 1/M is what the body as a whole gives way; once the striker
 * has left, whatever holds the body takes that motion up.
 *
 * Several strikers on one body push and feel the same modes; their forces are
 * solved together, one after the other in turn until they agree.
 *
 * Time goes in frames. A frame in which nothing touches is one step; one in
 * which something does is cut into as many as the shortest contact in it needs
 * for 32 steps, up to 64. Blocks in which nothing can come near cost nothing.
 *
 * A striker that gravity brings back bounces until it is 300 times slower than
 * it came, or rests, or is old; then gravity lets go of it slowly, so that
 * its weight does not leave with a click. One that nothing brings back is over
 * as soon as the surface cannot reach it any more.
 *
 * Symbols: y position_m, x depth_m, 1/M inverse_mass.
 * Thread:  audio. Memory: the caller's; `weights` must outlive the flight.
 * Source:  Maunsbach & Serafin 2019, sections 3 and 4.1.
 */
#ifndef SB_DSP_CONTACT_STRIKER_H
#define SB_DSP_CONTACT_STRIKER_H

#include "runtime/dsp/bank/modal_field.h"
#include "runtime/dsp/contact/contact.h"

#include <stdbool.h>
#include <stdint.h>

/* Strikers under way on one body at once, and steps in a frame at most. */
enum { SB_STRIKERS = 32, SB_STRIKER_PARTS = 64 };

/* One contact from touch to release, as it was. Speeds are the striker's toward
 * and away from the body as a whole, its vibration apart. */
typedef struct sb_impact_record {
    double time_frames; /* of the touch, from the start of the block */
    double duration_s;
    double impulse_ns;
    double peak_force_n;
    double speed_in_m_s, speed_out_m_s;
    double restitution; /* out / in; < 0: not known */
    uint32_t label;     /* the strike's own */
} sb_impact_record;

/* Records of a block. What finds no place is counted. */
enum { SB_IMPACT_LOG = 64 };
typedef struct sb_impact_log {
    sb_impact_record items[SB_IMPACT_LOG];
    int count, lost;
} sb_impact_log;

void sb_impact_log_add(sb_impact_log *log, const sb_impact_record *item) SB_RT;

typedef enum sb_striker_phase {
    SB_STRIKER_WAITING, /* its time has not come */
    SB_STRIKER_AWAY,    /* in the air */
    SB_STRIKER_TOUCHING,
    SB_STRIKER_OVER
} sb_striker_phase;

typedef struct sb_striker {
    /* Set by the caller, the rest 0. */
    sb_contact_law law;
    bool is_kmethod;      /* else by the gradient */
    double mass_kg;       /* > 0 */
    double inverse_mass;  /* 1/M of the body, >= 0 */
    double speed_m_s;     /* toward the body when it touches, > 0 */
    double gravity_m_s2;  /* toward the body; < 0 pulls it away */
    double limit_s;       /* lets go of it after this long; > 0 */
    double start_frame;   /* of the touch, from the start of the coming block */
    const float *weights; /* phi, padded: see modal_field.h */
    uint32_t label;
    /* Its own. */
    sb_striker_phase phase;
    int parts;         /* steps a frame that its contact needs */
    double position_m; /* y, in the air */
    double depth_m;    /* x, near the surface */
    double velocity_m_s, body_velocity_m_s;
    double closing_m_s; /* x' */
    double force_n; /* of the last step: its mean; the K-method's: at its end */
    double force_change_before_n;
    double force_change_n; /* since the one before */
    double age_s, touching_s, loose_s;
    bool is_loose;            /* gravity lets go of it */
    bool is_near;             /* may touch in this block */
    sb_impact_record contact; /* the one under way */
} sb_striker;

/* Fill in what the striker must know about the body, once. */
void sb_striker_prepare(sb_striker *striker, int mode_count,
                        double sample_rate_hz) SB_RT;

/* Look at the block to come: true when any may touch, and so must be played
 * with the modes taken out of the bank. */
bool sb_strikers_look(sb_striker *const *strikers, int count,
                      const sb_modal_bank *bank, double dt_s) SB_RT;

/* How many parts a frame needs for those that may. */
int sb_strikers_parts(sb_striker *const *strikers, int count) SB_RT;

/* A block in which something may touch: adds what is heard to `out` and moves
 * the field and those that are near over the block. */
void sb_strikers_play(sb_striker *const *strikers, int count,
                      sb_modal_field *field, float *out,
                      sb_impact_log *log) SB_RT;

/* In every block, after the above if that was needed: those that are not near
 * fly on, and those that are done are marked OVER. */
void sb_strikers_fly(sb_striker *const *strikers, int count,
                     const sb_modal_bank *bank, double dt_s) SB_RT;

#endif
