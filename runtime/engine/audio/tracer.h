/* SPDX-License-Identifier: MIT */
/* runtime/engine/audio/tracer.h -- the energy balance, and one traced contact.
 *
 * On request the audio thread keeps an energy balance of everything that rings
 * and flies: the input (strikes, weights, what moves or drives a contact), the
 * output (damping, strikers that fly off, bodies that leave) and the energy
 * that is stored. The three are measured independently, so that
 *
 *     in - out - now = 0
 *
 * means that no step creates or destroys energy. The remainder relative to the
 * input is the drift. In islands in - out comes from link.h; free ringing and
 * flight are measured before and after each block. The noise of a diffuse part
 * has no energy here, and impacts between bodies that do not ring are not
 * rendered here at all.
 *
 * One contact may be traced: its rows go to the control thread, for every frame
 * of every block in which it may touch; on request, while a striker touches,
 * for every step, some 32 to a contact, beginning without a force.
 *
 * Without a request the cost is one check per block.
 *
 * Thread: audio; the atomics may be read, and wants_account set, from any.
 * Memory: the caller's, zeroed.
 */
#pragma once

#include "runtime/base/ring.h"
#include "runtime/dsp/contact/link.h"

#include <stdatomic.h>

typedef struct sb_contact_load sb_contact_load;
typedef struct sb_impact sb_impact;

/* Capacity of the ring of rows to control; a power of two. */
enum { SB_TRACER_ROWS = 1 << 14 };

/* Unknown values are NaN. */
typedef struct sb_traced {
    double time_frames; /* end of the frame, or of the step */
    sb_trace_row row;
} sb_traced;

typedef struct sb_tracer {
    atomic_bool wants_account;
    atomic_bool wants_steps; /* of the traced contact */
    sb_ring *rows;           /* of sb_traced; NULL: no contact is traced */
    bool is_on;              /* in the present block */
    int64_t clock;           /* start of the block */
    sb_trace watched, other;
    double in_j, out_j, now_j;
    double found_j, left_j; /* found and left by the block so far */
    /* The same for other threads. */
    _Atomic double shown_in_j, shown_out_j, shown_now_j, shown_drift;
    atomic_llong rows_lost;
} sb_tracer;

/* An island during a block: the energies of its parts when last measured. */
typedef struct sb_weighing {
    double bank_j[SB_ISLAND_BODIES], link_j[SB_ISLAND_LINKS];
    int first_row; /* first row of the traced contact */
} sb_weighing;

void sb_tracer_begin(sb_tracer *tracer, int64_t clock) SB_RT;
void sb_tracer_end(sb_tracer *tracer) SB_RT;

/* The steps of an island, while is_on, in this order: it has been examined; one
 * of its bodies has changed by itself; the near links were solved; strikers in
 * the air flew on; the block is complete. */
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

/* Rows of an impact of known force, before it advances, and of a lasting
 * contact of known force, whose load goes from one to the other. */
void sb_tracer_impact(sb_tracer *tracer, const sb_impact *impact,
                      double dt_s) SB_RT;
void sb_tracer_drive(sb_tracer *tracer, const float *impulse_ns, double dt_s,
                     const sb_contact_load *from,
                     const sb_contact_load *to) SB_RT;

/* The mean force of a half-sine pulse over some frames, or a part of one. */
double sb_pulse_mean_n(double impulse_ns, double start_frame,
                       double duration_frames, double from_frame, double frames,
                       double dt_s) SB_RT;
