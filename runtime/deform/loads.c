/* Loads of strikes and pushes in a step; member 0 computes them. Thread: member
 * 0 of the team. */
#include "runtime/deform/deform_state.h"

#include "runtime/base/pi.h"

#include <math.h>

double deform_signal_at(const sb_deform_signal *signal, double time_s) {
    double t = time_s - signal->start_s;
    int last = signal->count - 1, i = 0;
    double value = signal->values[last];
    if (t < signal->times_s[last]) {
        while (i < last && t >= signal->times_s[i]) {
            i++;
        }
        value = signal->values[i];
        if (i > 0) {
            double from = signal->times_s[i - 1], to = signal->times_s[i];
            double share = (t - from) / (to - from);
            value = (1 - share) * signal->values[i - 1] + share * value;
        }
    }
    if (signal->freq_hz > 0) value *= sin(SB_TAU * signal->freq_hz * t);
    return value;
}

void deform_push_node(sb_deform *deform, int node, sb_vec3 force_n) {
    add_row(deform->push, node, force_n);
    deform->has_push[deform->chunk_of[node]] |= PUSHED;
}

static void push_place(sb_deform *deform, const deform_place *place,
                       sb_vec3 force_n) {
    for (int k = 0; k < 3; k++) {
        deform_push_node(deform, place->nodes[k],
                         sb_vec3_scale(force_n, place->shares[k]));
    }
}

static double along(const double *rows, const strike_state *strike) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += strike->place.shares[k] *
               sb_vec3_dot(row_vec3(rows, strike->place.nodes[k]),
                           strike->direction);
    }
    return sum;
}

/* The ball moves by leapfrog, as the nodes do. */
static void press(sb_deform *deform, strike_state *strike) {
    sb_deform_blow *blow = &strike->blow;
    double dt = deform->step_s, surface = along(deform->positions, strike);
    if (!blow->has_begun) {
        blow->has_begun = true;
        strike->at_m = surface;
    }
    double depth = strike->at_m - surface, force = 0;
    if (depth > 0) {
        force = strike->stiffness * depth * sqrt(depth);
        blow->contact_s += dt;
        blow->impulse_ns += force * dt;
        blow->peak_n = fmax(blow->peak_n, force);
        push_place(deform, &strike->place,
                   sb_vec3_scale(strike->direction, force));
    } else if (blow->impulse_ns > 0) {
        blow->is_over = true;
        strike->is_used = false;
        deform->state->strikes_used--;
    }
    strike->speed_m_s -= dt * force / strike->mass_kg;
    strike->at_m += dt * strike->speed_m_s;
    blow->speed_m_s = strike->speed_m_s;
}

static void hit(sb_deform *deform, strike_state *strike) {
    double impulse = strike->mass_kg * strike->speed_m_s;
    strike->blow = (sb_deform_blow){true,    true, deform->step_s,
                                    impulse, 0,    impulse / deform->step_s};
    strike->is_used = false;
    deform->state->strikes_used--;
    push_place(deform, &strike->place,
               sb_vec3_scale(strike->direction, strike->blow.peak_n));
}

static void push_place_moment(sb_deform *deform, const deform_place *place,
                              sb_vec3 moment_nm) {
    if (sb_vec3_length(moment_nm) == 0) return;
    for (int k = 0; k < 3; k++) {
        add_row(deform->push_moment, place->nodes[k],
                sb_vec3_scale(moment_nm, place->shares[k]));
    }
}

static void push_box(sb_deform *deform, int index, sb_vec3 force,
                     sb_vec3 moment) {
    const push_state *push = &deform->state->pushes[index];
    bool is_sheet = deform->bodies[push->body].is_sheet;
    for (int i = push->first; i < push->last; i++) {
        if (!(deform->push_of[i] >> index & 1)) continue;
        double share = deform->mass[i] / push->mass_kg;
        deform_push_node(deform, i, sb_vec3_scale(force, share));
        if (is_sheet)
            add_row(deform->push_moment, i, sb_vec3_scale(moment, share));
    }
}

/* It ends at 0 and has reached its end. */
static bool is_finished(const sb_deform_signal *signal, double time_s) {
    int last = signal->count - 1;
    return signal->values[last] == 0 &&
           time_s - signal->start_s >= signal->times_s[last];
}

static void forget(sb_deform *deform, int index) {
    push_state *own = &deform->state->pushes[index];
    for (int i = own->first; i < own->last; i++) {
        deform->push_of[i] &= ~(1u << index);
    }
    own->is_used = false;
    deform->state->pushes_used--;
}

static void push(sb_deform *deform, int index, int64_t step) {
    const push_state *own = &deform->state->pushes[index];
    double time_s = (double)step * deform->step_s;
    if (time_s < own->signal.start_s) return;
    double value = deform_signal_at(&own->signal, time_s);
    if (value == 0) {
        if (is_finished(&own->signal, time_s)) forget(deform, index);
        return;
    }
    sb_vec3 force = sb_vec3_scale(own->force_n, value);
    sb_vec3 moment = sb_vec3_scale(own->moment_nm, value);
    if (own->has_place) {
        push_place(deform, &own->place, force);
        push_place_moment(deform, &own->place, moment);
    } else {
        push_box(deform, index, force, moment);
    }
}

void deform_load(sb_deform *deform, int64_t step) {
    state_head *state = deform->state;
    for (int i = 0; i < STRIKES_MOST && state->strikes_used > 0; i++) {
        strike_state *strike = &state->strikes[i];
        if (!strike->is_used || step < strike->start) continue;
        if (strike->stiffness > 0)
            press(deform, strike);
        else
            hit(deform, strike);
    }
    for (int i = 0; i < PUSHES_MOST && state->pushes_used > 0; i++) {
        if (state->pushes[i].is_used) push(deform, i, step);
    }
}
