/* Strikes, pushes and drives from their definitions. Thread: as deform.h. */
#include "runtime/deform/deform_state.h"

#include <math.h>

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
        .place = deform_nearest(deform, def->body, def->at_m),
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
        made.place = deform_nearest(deform, def->body, def->low_m);
    }
    for (int i = made.first; i < made.last && !made.has_place; i++) {
        if (!is_in_box(deform, body, i, def->low_m, def->high_m)) continue;
        deform->push_of[i] |= 1u << index;
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
        int *own = &deform->drive_of[i];
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
        deform->drive_of[node] = index + 1;
        deform->has_push[deform->chunk_of[node]] |= DRIVEN;
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
