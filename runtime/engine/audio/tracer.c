/* SPDX-License-Identifier: MIT */
/* The energy balance of the audio thread, and the rows of a traced contact.
 * Thread: audio. */
#include "runtime/engine/audio/tracer.h"

#include "runtime/base/pi.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/contact/known_impact.h"

#include <math.h>

/* Steps in which a short pulse of known force is shown. */
enum { PULSE_STEPS = 64 };

static void show(_Atomic double *meter, double value) {
    atomic_store_explicit(meter, value, memory_order_relaxed);
}

/* Account for a change that was not accounted for elsewhere. */
static void book(sb_tracer *t, double gain_j) {
    if (gain_j > 0.0) {
        t->in_j += gain_j;
    } else if (gain_j < 0.0) { /* and not for NaN */
        t->out_j -= gain_j;
    }
}

void sb_tracer_begin(sb_tracer *t, int64_t clock) {
    t->is_on = atomic_load_explicit(&t->wants_account, memory_order_relaxed);
    t->clock = clock;
    t->found_j = t->left_j = 0.0;
}

/* Between blocks bodies and contacts are added and removed. */
void sb_tracer_end(sb_tracer *t) {
    if (!t->is_on) return;
    book(t, t->found_j - t->now_j);
    t->now_j = t->left_j;
    double left = t->in_j - t->out_j - t->now_j;
    show(&t->shown_in_j, t->in_j);
    show(&t->shown_out_j, t->out_j);
    show(&t->shown_now_j, t->now_j);
    show(&t->shown_drift, t->in_j > 0.0 ? left / t->in_j : 0.0);
}

/* --- rows -----------------------------------------------------------------*/

static void push_at(sb_tracer *t, double frame, const sb_trace_row *row) {
    sb_traced traced = {(double)t->clock + frame, *row};
    if (!sb_ring_push(t->rows, &traced))
        atomic_fetch_add_explicit(&t->rows_lost, 1, memory_order_relaxed);
}

static void push_row(sb_tracer *t, int n, const sb_trace_row *row) {
    push_at(t, n + 1.0, row);
}

static bool wants_steps(const sb_tracer *t) {
    return atomic_load_explicit(&t->wants_steps, memory_order_relaxed);
}

double sb_pulse_mean_n(double impulse_ns, double start_frame,
                       double duration_frames, double from_frame, double frames,
                       double dt_s) {
    double from = from_frame - start_frame, to = from + frames;
    if (!(duration_frames > 0.0))
        return from <= 0.0 && to > 0.0 ? impulse_ns / (frames * dt_s) : 0.0;
    from = fmin(fmax(from / duration_frames, 0.0), 1.0);
    to = fmin(fmax(to / duration_frames, 0.0), 1.0);
    return 0.5 * impulse_ns * (cos(SB_PI * from) - cos(SB_PI * to)) /
           (frames * dt_s);
}

static sb_trace_row force_row(double force_n) {
    return (sb_trace_row){force_n, NAN, {NAN, NAN}, NAN, NAN, NAN, NAN};
}

/* The steps of a short pulse that end in this block. */
static void push_pulse(sb_tracer *t, const sb_impact *impact, double dt_s) {
    double start = impact->start_frame;
    double step = impact->duration_frames / PULSE_STEPS;
    for (int k = 0; k <= PULSE_STEPS; k++) {
        double end = start + k * step;
        if (end < 0.0 || end >= SB_BLOCK_FRAMES) continue;
        sb_trace_row row =
            force_row(k == 0 ? 0.0
                             : sb_pulse_mean_n(impact->impulse_ns, start,
                                               impact->duration_frames,
                                               end - step, step, dt_s));
        push_at(t, end, &row);
    }
}

void sb_tracer_impact(sb_tracer *t, const sb_impact *impact, double dt_s) {
    double start = impact->start_frame, duration = impact->duration_frames;
    if (wants_steps(t) && duration > 0.0 && duration < PULSE_STEPS) {
        push_pulse(t, impact, dt_s);
        return;
    }
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        if (n + 1.0 <= start || n > start + duration) continue;
        sb_trace_row row = force_row(
            sb_pulse_mean_n(impact->impulse_ns, start, duration, n, 1.0, dt_s));
        push_row(t, n, &row);
    }
}

void sb_tracer_drive(sb_tracer *t, const float *impulse_ns, double dt_s,
                     const sb_contact_load *from, const sb_contact_load *to) {
    const double *a = from->speed_m_s, *b = to->speed_m_s;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        double part = (n + 1.0) / SB_BLOCK_FRAMES;
        sb_trace_row row = {
            (double)impulse_ns[n] / dt_s,
            NAN,
            {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])},
            NAN,
            NAN,
            NAN,
            NAN};
        push_row(t, n, &row);
    }
}

/* --- an island ------------------------------------------------------------*/

static bool is_played(const sb_island *island, bool is_near, int f) {
    return is_near && island->is_touched[f];
}

/* The traced link, if it is near and in this island. */
static const sb_link *find_watched(const sb_tracer *t, const sb_island *island,
                                   int *first_row) {
    if (!t->rows) return NULL;
    for (int i = 0; i < island->link_count; i++) {
        const sb_link *link = island->link[i];
        if (!link->is_watched || !link->is_near) continue;
        double start = 0.0;
        if (link->kind == SB_LINK_PULSE) start = link->pulse.start_frame;
        if (link->kind == SB_LINK_STRIKER &&
            link->striker->phase == SB_STRIKER_WAITING)
            start = link->striker->start_frame;
        *first_row = start > 0.0 ? (int)start : 0;
        return link;
    }
    return NULL;
}

void sb_tracer_looked(sb_tracer *t, sb_island *island, bool is_near,
                      sb_weighing *w) {
    for (int f = 0; f < island->body_count; f++) {
        w->bank_j[f] = sb_modal_bank_energy_j(island->bank[f]);
        if (!is_played(island, is_near, f)) t->found_j += w->bank_j[f];
    }
    for (int i = 0; i < island->link_count; i++) {
        const sb_link *link = island->link[i];
        bool is_striker = link->kind == SB_LINK_STRIKER;
        w->link_j[i] = is_striker ? sb_link_energy_j(link) : 0.0;
        if (!link->is_near) t->found_j += w->link_j[i];
    }
    if (!is_near) return;
    const sb_link *watched = find_watched(t, island, &w->first_row);
    island->trace = watched ? &t->watched : &t->other;
    island->trace->link = watched;
    island->trace->has_points = watched && wants_steps(t);
    if (!watched) t->other.in_j = t->other.kept_j = t->other.lost_j = 0.0;
}

void sb_tracer_weigh(sb_tracer *t, const sb_island *island, int f,
                     sb_weighing *w) {
    double now_j = sb_modal_bank_energy_j(island->bank[f]);
    book(t, now_j - w->bank_j[f]);
    w->bank_j[f] = now_j;
}

/* Everything in the island was set to rest. */
static void write_off(sb_tracer *t, const sb_island *island, sb_weighing *w) {
    double gone = 0.0;
    for (int f = 0; f < island->body_count; f++) {
        if (!island->is_touched[f]) continue;
        gone += w->bank_j[f];
        w->bank_j[f] = 0.0;
    }
    for (int i = 0; i < island->link_count; i++) {
        if (!island->link[i]->is_near) continue;
        gone += w->link_j[i];
        w->link_j[i] = 0.0;
    }
    t->found_j += gone;
    book(t, -gone);
}

void sb_tracer_played(sb_tracer *t, const sb_island *island, bool is_well,
                      sb_weighing *w) {
    sb_trace *trace = island->trace;
    if (!is_well) {
        write_off(t, island, w);
        trace->in_j = trace->kept_j = trace->lost_j = 0.0;
        return;
    }
    double after = 0.0;
    for (int f = 0; f < island->body_count; f++) {
        if (!island->is_touched[f]) continue;
        w->bank_j[f] = sb_modal_bank_energy_j(island->bank[f]);
        after += w->bank_j[f];
    }
    for (int i = 0; i < island->link_count; i++) {
        if (!island->link[i]->is_near) continue;
        w->link_j[i] = sb_link_energy_j(island->link[i]);
        after += w->link_j[i];
    }
    t->found_j += trace->found_kept_j;
    t->in_j += trace->in_j - trace->found_in_j;
    t->out_j += trace->lost_j - trace->found_lost_j;
    /* The bank has set negligible modes to rest. */
    book(t, after - trace->kept_j);
    if (!trace->link) return;
    for (int n = w->first_row, k = 0; n < SB_BLOCK_FRAMES; n++) {
        const sb_trace_point *points = trace->points;
        while (k < trace->point_count && points[k].n < n)
            k++; /* before the first row */
        bool has_steps = k < trace->point_count && points[k].n == n;
        if (!has_steps) push_row(t, n, &trace->rows[n]);
        for (; k < trace->point_count && points[k].n == n; k++)
            push_at(t, points[k].frame, &points[k].row);
    }
}

/* Gravity adds and removes energy; a striker that is over takes its energy
 * along. */
void sb_tracer_flew(sb_tracer *t, const sb_island *island, sb_weighing *w) {
    for (int i = 0; i < island->link_count; i++) {
        const sb_link *link = island->link[i];
        if (link->kind != SB_LINK_STRIKER) continue;
        double now_j = sb_link_energy_j(link), gain_j = now_j - w->link_j[i];
        if (link->is_near || link->striker->phase == SB_STRIKER_OVER) {
            book(t, gain_j);
        } else {
            t->in_j += gain_j;
        }
        w->link_j[i] = now_j;
    }
}

void sb_tracer_left(sb_tracer *t, const sb_island *island,
                    const sb_weighing *w) {
    for (int f = 0; f < island->body_count; f++)
        t->left_j += w->bank_j[f];
    for (int i = 0; i < island->link_count; i++)
        t->left_j += w->link_j[i];
}

void sb_tracer_passed(sb_tracer *t, double before_j, double after_j) {
    t->found_j += before_j;
    book(t, after_j - before_j);
    t->left_j += after_j;
}
