/* SPDX-License-Identifier: MIT */
/* One step of a contact patch: impacts, force, velocities, state, end. Runs on
 * the control thread. */
#include "runtime/world/tracker/tracker_internal.h"

#include <math.h>

static const double deaf_s = 0.004;     /* dead time after an impact, unless
                                         * the contact opens */
static const double patience_s = 0.008; /* time without a point after which a
                                         * contact ends */
static const double long_patience_s = 0.04; /* at rest, or over facets */
static const double calm_s = 0.02;          /* slow for this long counts as
                                             * at rest */

/* Impacts below four times the least closing speed count as weak; those
 * below twice that speed count three times. One second without weak impacts
 * resets the count. */
static const double weak_falls = 4.0, weakest_falls = 2.0, peace_s = 1.0;
static const double one_place_m = 0.003;
static const int weak_count_most = 24;

/* A place that jumps at random moves steadily for three steps now and then,
 * for five steps once in a million. */
static const int steady_steps = 4;

/* A contact that runs round a rim turns from step to step. Beyond this a turn
 * is a jump: a place that alternates between two corners turns by pi. */
static const double most_turn = 1.2;

static const double slide_share = 0.3, roll_share = 0.15;

static sb_tracked *put(sb_tracked_list *list, const sb_contact_patch *s) {
    sb_tracked *e = &list->items[list->count++];
    *e = (sb_tracked){.contact = s->contact,
                      .state = s->state,
                      .user = {(uint32_t)(s->pair >> 32), (uint32_t)s->pair},
                      .point = s->point,
                      .normal = s->normal};
    return e;
}

static void name_it(sb_tracker *t, sb_contact_patch *s) {
    if (s->contact == 0) s->contact = ++t->last_contact;
}

static void report(sb_tracker *t, sb_contact_patch *s, sb_tracked_kind kind) {
    name_it(t, s);
    sb_tracked *e = put(&t->late, s);
    e->kind = kind;
    e->time_s = t->step_s;
    e->force_n = s->force_n;
    if (s->state == SB_RESTING) return;
    for (int i = 0; i < 2; i++) {
        e->surface_m_s[i] = sb_along_surface(
            sb_vec3_sub(s->own_m_s, s->matter_m_s[i]), s->normal);
    }
    e->slip_m_s = sb_vec3_sub(e->surface_m_s[1], e->surface_m_s[0]);
}

void sb_contact_patch_end(const sb_contact_patch *s, sb_tracked_list *list,
                          double time_s) {
    if (!s->has_begun) return;
    sb_tracked *e = put(list, s);
    e->kind = SB_TRACKED_END;
    e->time_s = time_s;
}

/* --- impacts -------------------------------------------------------------- */

static bool is_open(const sb_contact_patch *s) {
    return s->idle >= 2 || s->has_parted;
}

/* A bouncing solid loses speed and a rolling one moves on. Repeated weak
 * impacts at one place that do not decay are an artefact of the solver. */
static bool is_kept_going(const sb_tracker *t, sb_contact_patch *s,
                          const sb_patch_sum *sum) {
    double falls = sum->impact_m_s / t->impact_m_s;
    bool is_dying = sum->impact_m_s < 0.9 * s->weak_m_s;
    sb_vec3 moved = sb_vec3_sub(sum->impact_point, s->weak_point);
    bool is_there = sb_vec3_length(moved) < one_place_m;
    if (falls > weak_falls || t->now_s - s->weak_s > peace_s) s->weak_count = 0;
    s->weak_s = t->now_s;
    s->weak_m_s = sum->impact_m_s;
    s->weak_point = sum->impact_point;
    if (falls <= weak_falls && is_there && !is_dying)
        s->weak_count += falls < weakest_falls ? 3 : 1;
    return s->weak_count > weak_count_most;
}

/* The impulse of an impact, 0 when there is none. */
static double impact_impulse(const sb_tracker *t, sb_contact_patch *s,
                             const sb_patch_sum *sum) {
    if (sum->impact_ns <= 0 || is_kept_going(t, s, sum)) return 0;
    double load_ns = s->force_n * t->step_s;
    double impact_ns =
        sum->impact_ns - sb_larger(load_ns, sum->impact_weight_ns);
    double mass =
        sum->impact_inverse_mass > 0 ? 1 / sum->impact_inverse_mass : 0;
    double whole_ns = mass * sum->impact_m_s; /* impulse that stops the whole
                                               * mass */
    if (is_open(s)) return impact_ns > 0.1 * whole_ns ? impact_ns : 0;
    if (t->now_s + sum->impact_time_s - s->impact_s < deaf_s) return 0;
    return impact_ns > sb_larger(2 * load_ns, 0.3 * whole_ns) ? impact_ns : 0;
}

static void strike(sb_tracker *t, sb_contact_patch *s, const sb_patch_sum *sum,
                   double impact_ns) {
    name_it(t, s);
    s->impact_s = t->now_s + sum->impact_time_s;
    sb_tracked *e = put(&t->timed, s);
    e->kind = SB_TRACKED_IMPACT;
    e->state = SB_RESTING;
    e->time_s = sum->impact_time_s;
    e->point = sum->impact_point;
    e->normal = sum->impact_normal;
    e->speed_m_s = sum->impact_m_s;
    e->impulse_ns = impact_ns;
    /* If neither solid is free, mass = impulse / speed. */
    e->mass_kg = sum->impact_inverse_mass > 0 ? 1 / sum->impact_inverse_mass
                                              : impact_ns / sum->impact_m_s;
    e->restitution = sum->impact_restitution;
    e->is_given = sum->is_given;
    e->slip_m_s = sum->impact_slip;
}

/* --- force and speeds ----------------------------------------------------- */

/* The mean of the first few, then a low-pass. */
static double share_of_new(const sb_tracker *t, const sb_contact_patch *s) {
    return sb_larger(s->is_smooth ? t->share_facets : t->share, 1.0 / s->count);
}

static sb_vec3 blend(sb_vec3 old, sb_vec3 now, double share) {
    return sb_vec3_plus(old, sb_vec3_sub(now, old), share);
}

static sb_vec3 shortened(sb_vec3 v, double most) {
    double squared = sb_length_squared(v);
    return squared > most * most ? sb_vec3_scale(v, most / sqrt(squared)) : v;
}

/* The load, without impulses that did not count as impacts. */
static double load_of(const sb_tracker *t, const sb_contact_patch *s,
                      const sb_patch_sum *sum, double impact_ns) {
    double mass = sum->inverse_mass > 0 ? 1 / sum->inverse_mass : INFINITY;
    double most_n = sb_larger(3 * s->force_n, mass * t->impact_m_s / t->step_s);
    return sb_smaller((sum->impulse_ns - impact_ns) / t->step_s, most_n);
}

/* The greatest speed of the contact's place that the motion of the bodies
 * explains. */
static double explained_m_s(const sb_patch_sum *sum) {
    double most = 0;
    for (int i = 0; i < 2; i++) {
        sb_vec3 v = sb_along_surface(sum->velocity[i], sum->normal);
        sb_vec3 c = sb_along_surface(sum->centre[i], sum->normal);
        most = sb_larger(most, sb_length_squared(v));
        most = sb_larger(most, sb_length_squared(c));
    }
    return sqrt(most);
}

/* Before the first measurement the place is assumed to move with the body
 * that moves more easily. */
static sb_vec3 guessed_m_s(const sb_patch_sum *sum) {
    const double *inverse = sum->centre_inverse_mass;
    return sum->centre[inverse[1] > inverse[0]];
}

static sb_vec3 turned(sb_vec3 v, sb_vec3 normal, double angle) {
    sb_vec3 across = sb_vec3_cross(normal, v);
    return sb_vec3_plus(sb_vec3_scale(v, cos(angle)), across, sin(angle));
}

/* Whether the place goes on as in the step before: at the same velocity,
 * turned as it turned then. Stores both for the next step. */
static bool goes_on_as_before(sb_contact_patch *s, sb_vec3 raw,
                              sb_vec3 normal) {
    sb_vec3 last = s->raw_m_s, expected = turned(last, normal, s->turn);
    double change = sb_vec3_length(sb_vec3_sub(raw, expected));
    double turn = atan2(sb_vec3_dot(sb_vec3_cross(last, raw), normal),
                        sb_vec3_dot(last, raw));
    s->turn = fabs(turn) <= most_turn ? turn : 0;
    s->raw_m_s = raw;
    return change <= 0.3 * sb_vec3_length(raw);
}

/* The velocity of the contact's place. A single jump to another place is not
 * a motion. If the jumps continue steadily they are one: the rim of a coin
 * that comes to rest moves its contact in this manner. */
static sb_vec3 own_velocity(const sb_tracker *t, sb_contact_patch *s,
                            const sb_patch_sum *sum) {
    /* In whole steps: a solver reports all positions at one instant of the
     * step, whenever the contact was made. */
    double dt = t->now_s - s->place_s;
    double most = explained_m_s(sum);
    sb_vec3 held = s->count > 1 ? s->own_m_s : guessed_m_s(sum);
    held = shortened(held, 1.5 * most);
    if (dt < 0.25 * t->step_s) return held;
    sb_vec3 raw = sb_vec3_scale(sb_vec3_sub(sum->point, s->point), 1 / dt);
    raw = sb_along_surface(raw, sum->normal);
    double fast = sb_vec3_length(raw);
    bool is_as_before = goes_on_as_before(s, raw, sum->normal);
    if (s->is_smooth) {
        /* The place jumps from corner to corner. The follower moves there at
         * the speed of the bodies, so that its mean velocity is right. */
        sb_vec3 to = sb_vec3_sub(sum->point, s->follower);
        to = sb_along_surface(to, sum->normal);
        sb_vec3 pace = shortened(sb_vec3_scale(to, 1 / dt), 1.25 * most);
        s->follower = sb_vec3_plus(s->follower, pace, dt);
        return pace;
    }
    s->steady = is_as_before ? s->steady + 1 : 0;
    if (s->steady >= steady_steps) {
        /* The step is the chord of an arc. */
        double half = 0.5 * fabs(s->turn);
        return half > 1e-6 ? sb_vec3_scale(raw, half / sin(half)) : raw;
    }
    return fast <= 1.5 * most + 1e-3 ? raw : held;
}

/* The mean velocity of a contact that runs round turns with it: otherwise it
 * would vanish with the time constant over a turn. */
static void turn_means(sb_contact_patch *s, sb_vec3 normal) {
    if (s->steady < steady_steps) return;
    s->own_m_s = turned(s->own_m_s, normal, s->turn);
    for (int i = 0; i < 2; i++)
        s->matter_m_s[i] = turned(s->matter_m_s[i], normal, s->turn);
}

static void take_place(sb_tracker *t, sb_contact_patch *s,
                       const sb_patch_sum *sum) {
    sb_vec3 own = own_velocity(t, s, sum);
    double share = share_of_new(t, s);
    turn_means(s, sum->normal);
    s->own_m_s = blend(s->own_m_s, own, share);
    for (int i = 0; i < 2; i++)
        s->matter_m_s[i] = blend(s->matter_m_s[i], sum->velocity[i], share);
    s->point = sum->point;
    s->normal = sum->normal;
    s->place_s = t->now_s;
    s->is_smooth |= sum->is_smooth;
}

/* --- roll, slide or rest -------------------------------------------------- */

static void choose_state(const sb_tracker *t, sb_contact_patch *s) {
    sb_vec3 over[2];
    for (int i = 0; i < 2; i++) {
        over[i] = sb_along_surface(sb_vec3_sub(s->own_m_s, s->matter_m_s[i]),
                                   s->normal);
    }
    double surface =
        sb_larger(sb_vec3_length(over[0]), sb_vec3_length(over[1]));
    double slip = sb_vec3_length(sb_vec3_sub(over[1], over[0]));
    bool was_rest = s->state == SB_RESTING;
    double limit = was_rest && s->count > 1 ? 2 * t->rest_m_s : t->rest_m_s;
    s->calm_s = sb_larger(surface, slip) < limit ? s->calm_s + t->step_s : 0;
    if (s->calm_s > 0 && (was_rest || s->calm_s >= calm_s)) {
        s->state = SB_RESTING;
    } else if (s->calm_s == 0) {
        double share = s->state == SB_SLIDING ? roll_share : slide_share;
        s->state = slip > share * surface ? SB_SLIDING : SB_ROLLING;
    }
    if (s->state != SB_RESTING) s->is_settled = false;
}

static void go_on(sb_tracker *t, sb_contact_patch *s) {
    choose_state(t, s);
    if (s->state != SB_RESTING) {
        report(t, s, SB_TRACKED_MOVE);
    } else if (!s->is_settled && s->calm_s >= calm_s) {
        s->is_settled = true;
        report(t, s, SB_TRACKED_MOVE);
    }
}

/* --- a step --------------------------------------------------------------- */

static bool lasts(const sb_tracker *t, const sb_contact_patch *s) {
    bool is_patient = s->is_smooth || (s->has_begun && s->state == SB_RESTING);
    double most_s = is_patient ? sb_larger(long_patience_s, 6 * t->step_s)
                               : sb_larger(patience_s, 3 * t->step_s);
    return s->missing_s <= most_s + 1e-9; /* a sum of steps is not exact */
}

static void begin(sb_tracker *t, sb_contact_patch *s, const sb_patch_sum *sum) {
    s->has_begun = true;
    s->state = SB_RESTING;
    s->count = 1;
    take_place(t, s, sum);
    s->force_n = load_of(t, s, sum, 0);
    choose_state(t, s);
    report(t, s, SB_TRACKED_BEGIN);
}

static bool step_without_load(sb_tracker *t, sb_contact_patch *s,
                              const sb_patch_sum *sum) {
    s->idle++;
    s->has_parted |= sum->has_parted;
    s->missing_s = sum->is_kept && s->has_begun ? 0 : s->missing_s + t->step_s;
    if (!s->has_begun) return lasts(t, s);
    s->count++;
    if (sum->is_kept) take_place(t, s, sum);
    s->force_n -= s->force_n * share_of_new(t, s);
    if (!lasts(t, s)) {
        sb_contact_patch_end(s, &t->late, t->step_s);
        return false;
    }
    go_on(t, s);
    return true;
}

bool sb_contact_patch_step(sb_tracker *t, sb_contact_patch *s,
                           const sb_patch_sum *sum) {
    if (sum->impulse_ns <= 0) return step_without_load(t, s, sum);
    double impact_ns = impact_impulse(t, s, sum);
    if (impact_ns > 0) strike(t, s, sum, impact_ns);
    bool goes_on = !sum->is_new && !is_open(s) && impact_ns <= 0;
    s->missing_s = 0;
    s->idle = 0;
    s->has_parted = false;
    if (s->has_begun) {
        s->count++;
        double load_n = load_of(t, s, sum, impact_ns);
        take_place(t, s, sum);
        s->force_n += (load_n - s->force_n) * share_of_new(t, s);
        go_on(t, s);
    } else if (goes_on) {
        begin(t, s, sum);
    } else {
        s->point = s->follower = sum->point;
        s->normal = sum->normal;
        s->place_s = t->now_s;
    }
    return true;
}
