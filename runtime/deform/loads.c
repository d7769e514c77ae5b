/* SPDX-License-Identifier: MIT */
/* Strikes, pushes and drives, and their loads in a step. Thread: loads by member 0
 * of the team, the rest as deform.h. */
#include "runtime/base/pi.h"
#include "runtime/deform/deform_state.h"

#include <math.h>

/* --- points of the surface ------------------------------------------------ */

/* Points of the surface. Thread: as deform.h. */

static double clamp01(double x) {
    return fmin(fmax(x, 0), 1);
}

/* Shares of the corners in the point of side ab nearest to p. */
static void on_side(sb_vec3 a, sb_vec3 b, sb_vec3 p, double *sa, double *sb) {
    sb_vec3 side = sb_vec3_sub(b, a);
    double t = sb_vec3_dot(sb_vec3_sub(p, a), side) / sb_vec3_dot(side, side);
    *sb = clamp01(t);
    *sa = 1 - *sb;
}

static sb_vec3 mix(const sb_vec3 c[3], const double s[3]) {
    return sb_vec3_plus(sb_vec3_plus(sb_vec3_scale(c[1], s[1]), c[2], s[2]),
                        c[0], s[0]);
}

double deform_shares(const sb_vec3 c[3], sb_vec3 p, double shares[3]) {
    sb_vec3 u = sb_vec3_sub(c[1], c[0]), v = sb_vec3_sub(c[2], c[0]);
    sb_vec3 normal = sb_vec3_cross(u, v), off = sb_vec3_sub(p, c[0]);
    double by = 1 / sb_vec3_dot(normal, normal);
    shares[1] = sb_vec3_dot(sb_vec3_cross(off, v), normal) * by;
    shares[2] = sb_vec3_dot(sb_vec3_cross(u, off), normal) * by;
    shares[0] = 1 - shares[1] - shares[2];
    if (shares[0] >= 0 && shares[1] >= 0 && shares[2] >= 0)
        return sb_vec3_length(sb_vec3_sub(p, mix(c, shares)));
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        double tried[3] = {0};
        on_side(c[i], c[k], p, &tried[i], &tried[k]);
        double distance = sb_vec3_length(sb_vec3_sub(p, mix(c, tried)));
        if (distance >= best) continue;
        best = distance;
        for (int n = 0; n < 3; n++) {
            shares[n] = tried[n];
        }
    }
    return best;
}

static deform_place nearest(const sb_deform *deform, int index, sb_vec3 at_m) {
    const deform_body *body = &deform->bodies[index];
    sb_vec3 p =
        sb_vec3_add(sb_quat_turn(body->rotation, at_m), body->position_m);
    deform_place place = {0};
    double best = INFINITY;
    for (int i = 0; i < body->face_count; i++) {
        const int *face = deform->faces[body->face_first + i];
        sb_vec3 c[3];
        double shares[3];
        for (int k = 0; k < 3; k++) {
            c[k] = row_vec3(deform->rest, body->node_first + face[k]);
        }
        double distance = deform_shares(c, p, shares);
        if (distance >= best) continue;
        best = distance;
        place.normal = sb_vec3_normalised(sb_vec3_span(c[0], c[1], c[2]));
        for (int k = 0; k < 3; k++) {
            place.nodes[k] = body->node_first + face[k];
            place.shares[k] = shares[k];
        }
    }
    return place;
}

/* --- in a step ------------------------------------------------------------ */

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
    add_row(deform->loads.push, node, force_n);
    deform->chunks.has_push[deform->chunks.of_node[node]] |= PUSHED;
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
        add_row(deform->loads.moment, place->nodes[k],
                sb_vec3_scale(moment_nm, place->shares[k]));
    }
}

static void push_box(sb_deform *deform, int index, sb_vec3 force,
                     sb_vec3 moment) {
    const push_state *push = &deform->state->pushes[index];
    bool is_sheet = deform->bodies[push->body].is_sheet;
    for (int i = push->first; i < push->last; i++) {
        if (!(deform->loads.push_of[i] >> index & 1)) continue;
        double share = deform->mass[i] / push->mass_kg;
        deform_push_node(deform, i, sb_vec3_scale(force, share));
        if (is_sheet)
            add_row(deform->loads.moment, i, sb_vec3_scale(moment, share));
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
        deform->loads.push_of[i] &= ~(1u << index);
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

/* --- from definitions ----------------------------------------------------- */

/* Strikes, pushes and drives from their definitions. Thread: as deform.h. */

static sb_status check_body(const sb_deform *deform, int body, const char *what,
                            sb_error *err) {
    if (body >= 0 && body < deform->body_count) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT, "%s: body %d of %d", what, body,
                   deform->body_count);
}

static bool is_finite(sb_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* The step of a time that has not passed. */
static sb_status find_step(const sb_deform *deform, double time_s,
                           const char *what, int64_t *step, sb_error *err) {
    double now = sb_deform_time_s(deform);
    if (!(time_s >= now - 0.5 * deform->step_s && time_s < 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: time %g s has passed; the motion is at %g s", what,
                       time_s, now);
    *step = (int64_t)llround(time_s / deform->step_s);
    return SB_OK;
}

static sb_status check_signal(const sb_deform_signal *signal, const char *what,
                              sb_error *err) {
    bool ok = signal->count >= 1 && signal->count <= SB_DEFORM_POINTS &&
              isfinite(signal->start_s) && isfinite(signal->freq_hz) &&
              signal->freq_hz >= 0;
    for (int i = 0; i < signal->count && ok; i++) {
        ok = isfinite(signal->times_s[i]) && isfinite(signal->values[i]) &&
             (i == 0 || signal->times_s[i] > signal->times_s[i - 1]);
    }
    if (ok) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: a signal needs 1 to %d points with ascending times and "
                   "finite values",
                   what, (int)SB_DEFORM_POINTS);
}

sb_status sb_deform_strike(sb_deform *deform, const sb_deform_strike_def *def,
                           int *strike, sb_error *err) {
    state_head *state = deform->state;
    int64_t start = 0;
    sb_status status = check_body(deform, def->body, "strike", err);
    if (!status) status = find_step(deform, def->time_s, "strike", &start, err);
    if (status) return status;
    const char *name = deform->bodies[def->body].name;
    if (!(def->mass_kg > 0 && isfinite(def->mass_kg) && def->speed_m_s >= 0 &&
          isfinite(def->speed_m_s) && def->stiffness >= 0 &&
          isfinite(def->stiffness) && is_finite(def->at_m) &&
          is_finite(def->direction)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: a strike needs a mass above 0, a speed and a "
                       "stiffness of at least 0, and a finite place",
                       name);
    strike_state *slot = &state->strikes[state->strike_next % STRIKES_MOST];
    if (slot->is_used)
        return sb_fail(err, SB_QUEUE_FULL,
                       "%s: more than %d strikes at the same time", name,
                       (int)STRIKES_MOST);
    *slot = (strike_state){
        .place = nearest(deform, def->body, def->at_m),
        .start = start,
        .mass_kg = def->mass_kg,
        .stiffness = def->stiffness,
        .speed_m_s = def->speed_m_s,
        .is_used = true,
    };
    slot->direction = sb_vec3_normalised(def->direction);
    if (sb_vec3_length(def->direction) == 0)
        slot->direction = sb_vec3_scale(slot->place.normal, -1);
    slot->blow.speed_m_s = def->speed_m_s;
    if (strike) *strike = state->strike_next;
    state->strike_next++;
    state->strikes_used++;
    return SB_OK;
}

sb_deform_blow sb_deform_blow_of(const sb_deform *deform, int strike) {
    return deform->state->strikes[strike % STRIKES_MOST].blow;
}

static bool is_in_box(const sb_deform *deform, const deform_body *body,
                      int node, sb_vec3 low, sb_vec3 high) {
    sb_vec3 off = sb_vec3_sub(row_vec3(deform->rest, node), body->position_m);
    sb_vec3 p = sb_quat_turn_back(body->rotation, off);
    double slack = 1e-9 * (1 + sb_vec3_length(p)); /* of the rotation */
    return p.x >= low.x - slack && p.x <= high.x + slack &&
           p.y >= low.y - slack && p.y <= high.y + slack &&
           p.z >= low.z - slack && p.z <= high.z + slack;
}

static sb_status none_in_box(const char *name, const char *what, sb_vec3 low,
                             sb_vec3 high, sb_error *err) {
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: %s has no node between (%g, %g, %g) and (%g, %g, %g) m",
                   name, what, low.x, low.y, low.z, high.x, high.y, high.z);
}

sb_status sb_deform_push(sb_deform *deform, const sb_deform_push_def *def,
                         sb_error *err) {
    sb_status status = check_body(deform, def->body, "push", err);
    if (!status) status = check_signal(&def->signal, "push", err);
    if (status) return status;
    const deform_body *body = &deform->bodies[def->body];
    int index = 0;
    while (index < PUSHES_MOST && deform->state->pushes[index].is_used) {
        index++;
    }
    if (index == PUSHES_MOST)
        return sb_fail(err, SB_QUEUE_FULL, "%s: more than %d pushes",
                       body->name, (int)PUSHES_MOST);
    if (!body->is_sheet && sb_vec3_length(def->moment_nm) > 0)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: a moment needs a sheet; push a solid by two forces",
                       body->name);
    push_state made = {.is_used = true,
                       .body = def->body,
                       .first = body->node_first,
                       .last = body->node_first + body->real_count,
                       .force_n = def->force_n,
                       .moment_nm = def->moment_nm,
                       .signal = def->signal};
    sb_vec3 size = sb_vec3_sub(def->high_m, def->low_m);
    if (sb_vec3_length(size) == 0) {
        made.has_place = true;
        made.place = nearest(deform, def->body, def->low_m);
    }
    for (int i = made.first; i < made.last && !made.has_place; i++) {
        if (!is_in_box(deform, body, i, def->low_m, def->high_m)) continue;
        deform->loads.push_of[i] |= 1u << index;
        made.mass_kg += deform->mass[i];
    }
    if (!made.has_place && made.mass_kg == 0)
        return none_in_box(body->name, "a push", def->low_m, def->high_m, err);
    deform->state->pushes[index] = made;
    deform->state->pushes_used++;
    return SB_OK;
}

/* Those that have let go. */
static void forget_drives(sb_deform *deform) {
    for (int i = 0; i < deform->node_count; i++) {
        int *own = &deform->loads.drive_of[i];
        if (*own == 0) continue;
        drive_state *by = &deform->state->drives[*own - 1];
        if (deform->state->step < by->until) continue;
        by->is_used = false;
        *own = 0;
    }
}

sb_status sb_deform_drive(sb_deform *deform, const sb_deform_drive_def *def,
                          sb_error *err) {
    sb_status status = check_body(deform, def->body, "drive", err);
    if (!status) status = check_signal(&def->signal, "drive", err);
    if (status) return status;
    const deform_body *body = &deform->bodies[def->body];
    int index = 0, count = 0;
    forget_drives(deform);
    while (index < DRIVES_MOST && deform->state->drives[index].is_used) {
        index++;
    }
    if (index == DRIVES_MOST)
        return sb_fail(err, SB_QUEUE_FULL, "%s: more than %d drives",
                       body->name, (int)DRIVES_MOST);
    double until = def->until_s / deform->step_s;
    for (int i = 0; i < body->real_count; i++) {
        int node = body->node_first + i;
        if (!is_in_box(deform, body, node, def->low_m, def->high_m)) continue;
        deform->loads.drive_of[node] = index + 1;
        deform->chunks.has_push[deform->chunks.of_node[node]] |= DRIVEN;
        count++;
    }
    if (count == 0)
        return none_in_box(body->name, "a drive", def->low_m, def->high_m, err);
    deform->state->drives[index] = (drive_state){
        .is_used = true,
        .is_clamped = def->is_clamped && body->is_sheet,
        .is_loose = def->is_loose,
        .body = def->body,
        .displacement_m = def->displacement_m,
        .until = until < 9e18 ? (int64_t)llround(until) : INT64_MAX,
        .signal = def->signal};
    return SB_OK;
}
