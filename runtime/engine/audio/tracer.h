/* runtime/engine/audio/tracer.h -- where energy goes, and one contact frame by
 * frame.
 *
 * When somebody asks, the audio thread keeps an account of all that rings and
 * flies: what came in (blows, weights, what moves or drives a contact), what
 * went (damping, strikers that fly off, bodies that leave) and what is there
 * now. All three are measured each for itself, so that
 *
 *     in - out - now = 0
 *
 * says that no step makes or swallows energy; what is left over, as a share of
 * what came in, is the drift. In islands in - out is link.h's account; what
 * rings by itself, and what flies, is weighed before and after. The noise of a
 * diffuse part has no energy here, and blows between bodies that do not ring
 * are not played here at all.
 *
 * One contact may be watched: its rows go to the control thread, frame by frame
 * of every block in which it may touch.
 *
 * Nobody asks, and it costs a glance a block.
 *
 * Thread: audio; the atomics may be read, and wants_account set, from any.
 * Memory: the caller's, zeroed.
 */
#ifndef SB_ENGINE_AUDIO_TRACER_H
#define SB_ENGINE_AUDIO_TRACER_H

#include "runtime/base/ring.h"
#include "runtime/dsp/contact/impact.h"
#include "runtime/dsp/contact/link.h"
#include "runtime/dsp/surface/contact_load.h"

#include <stdatomic.h>

/* Rows on their way to control; a power of two. */
enum { SB_TRACER_ROWS = 1 << 14 };

/* What is not known is not a number. */
typedef struct sb_traced {
    double time_frames; /* the frame's end */
    sb_trace_row row;
} sb_traced;

typedef struct sb_tracer {
    atomic_bool wants_account;
    sb_ring *rows; /* of sb_traced; NULL: nothing is watched */
    bool is_on;    /* in the block under way */
    int64_t clock; /* its start */
    sb_trace watched, other;
    double in_j, out_j, now_j;
    double found_j, left_j; /* by the block, in what it has played so far */
    /* The same, to be read. */
    _Atomic double shown_in_j, shown_out_j, shown_now_j, shown_drift;
    atomic_llong rows_lost;
} sb_tracer;

/* An island while it is played: what its parts held when last looked at. */
typedef struct sb_weighing {
    double bank_j[SB_ISLAND_BODIES], link_j[SB_ISLAND_LINKS];
    int first_row; /* of the watched one; it begins there */
} sb_weighing;

void sb_tracer_begin(sb_tracer *tracer, int64_t clock) SB_RT;
void sb_tracer_end(sb_tracer *tracer) SB_RT;

/* The steps of an island, while is_on, in this order: it has been looked at;
 * one of its bodies has changed by itself; what is near was played; those in
 * the air flew on; all is done. */
void sb_tracer_looked(sb_tracer *tracer, sb_island *island, bool is_near,
                      sb_weighing *weighing) SB_RT;
void sb_tracer_weigh(sb_tracer *tracer, const sb_island *island, int body,
                     sb_weighing *weighing) SB_RT;
void sb_tracer_played(sb_tracer *tracer, const sb_island *island, bool is_well,
                      sb_weighing *weighing) SB_RT;
void sb_tracer_flew(sb_tracer *tracer, const sb_island *island,
                    sb_weighing *weighing) SB_RT;
void sb_tracer_left(sb_tracer *tracer, const sb_island *island,
                    const sb_weighing *weighing) SB_RT;

/* A body that is not heard in the block (quality.h), before and after. */
void sb_tracer_passed(sb_tracer *tracer, double before_j, double after_j) SB_RT;

/* Rows of a blow of known force, before it advances, and of a lasting contact
 * of such a force, whose load goes from one to the other. */
void sb_tracer_impact(sb_tracer *tracer, const sb_impact *impact,
                      double dt_s) SB_RT;
void sb_tracer_drive(sb_tracer *tracer, const float *impulse_ns, double dt_s,
                     const sb_contact_load *from,
                     const sb_contact_load *to) SB_RT;

/* The share of a blow that falls into a frame, as a mean force. */
double sb_pulse_frame_n(double impulse_ns, double start_frame,
                        double duration_frames, int frame, double dt_s) SB_RT;

#endif
