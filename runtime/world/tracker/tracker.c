/* SPDX-License-Identifier: MIT */
/* The tracker's memory and its step: visits the pairs and orders the events.
 * Runs on the control thread. */
#include "runtime/world/tracker/tracker.h"

#include "runtime/base/memory.h"
#include "runtime/world/tracker/tracker_internal.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At rest the solver shows closing speeds as large as gravity gives in one
 * step, and sometimes twice that. A solid that closes faster has been
 * falling for more than three steps. */
static const double impact_falls = 3.0;
static const double least_impact_m_s = 0.01;
static const double rest_falls = 0.25;
static const double least_rest_m_s = 0.003;

/* Time constants of the low-pass of force and speeds. */
static const double smooth_s = 0.004, smooth_facets_s = 0.03;

static double share_of(double step_s, double tau_s) {
    return 1 - exp(-step_s / fmax(tau_s, 2 * step_s));
}

static sb_status set_step(sb_tracker *t, const sb_tracker_def *def,
                          sb_error *err) {
    if (!(def->step_s >= 1e-6 && def->step_s <= 1)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the tracker's step is %g s, expected 1e-6 .. 1",
                       def->step_s);
    }
    if (!(def->gravity_m_s2 >= 0 && def->gravity_m_s2 <= 1e4)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the tracker's gravity is %g m/s^2, expected 0 .. 1e4",
                       def->gravity_m_s2);
    }
    double fall_m_s = def->gravity_m_s2 * def->step_s;
    t->step_s = def->step_s;
    t->share = share_of(t->step_s, smooth_s);
    t->share_facets = share_of(t->step_s, smooth_facets_s);
    t->impact_m_s = fmax(least_impact_m_s, impact_falls * fall_m_s);
    t->rest_m_s = fmax(least_rest_m_s, rest_falls * fall_m_s);
    return SB_OK;
}

sb_status sb_tracker_create(const sb_tracker_def *def, sb_tracker **out,
                            sb_error *err) {
    sb_tracker *t = sb_alloc(1, sizeof *t);
    if (t == NULL) return sb_no_memory_for(err, "a contact tracker");
    sb_status status = set_step(t, def, err);
    if (status) {
        sb_free(t);
        return status;
    }
    *out = t;
    return SB_OK;
}

sb_status sb_tracker_retime(sb_tracker *t, const sb_tracker_def *def,
                            double now_s, sb_error *err) {
    sb_status status = set_step(t, def, err);
    if (!status) t->now_s = sb_larger(t->now_s, now_s);
    return status;
}

void sb_tracker_destroy(sb_tracker *t) {
    if (t == NULL) return;
    sb_free_all(t->patches, t->next, t->points, t->owners, t->timed.items,
                t->late.items, t);
}

static bool grow_list(sb_tracked_list *list, int need) {
    return sb_grow_list(list->items, list->capacity, need);
}

/* Reserves all memory that a step may need before anything changes. A point
 * begins at most one contact; a contact has at most one impact or end within
 * the step, and at most two events at the end of the step. The late events
 * are stored behind a gap that is large enough for the timed ones, so only
 * the late ones, which are few, are moved. */
static bool make_room(sb_tracker *t, int points) {
    int patches = t->patch_count + points;
    t->late_start = patches;
    return sb_grow((void **)&t->points, &t->point_capacity, points,
                   sizeof(void *)) &&
           sb_grow_list(t->owners, t->owner_capacity, points) &&
           sb_grow_list(t->next, t->next_capacity, patches) &&
           grow_list(&t->timed, patches) && grow_list(&t->late, 3 * patches);
}

/* --- order ---------------------------------------------------------------- */

static bool is_vec3_finite(sb_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* All values are finite and the normal has unit length. */
static bool is_sound(const sb_contact_point *p) {
    double length = sb_length_squared(p->normal);
    return is_vec3_finite(p->point) && length > 0.9 && length < 1.1 &&
           isfinite(p->depth_m) && isfinite(p->time_s) &&
           isfinite(p->approach_m_s) && isfinite(p->impulse_ns) &&
           is_vec3_finite(p->velocity[0]) && is_vec3_finite(p->velocity[1]) &&
           is_vec3_finite(p->centre[0]) && is_vec3_finite(p->centre[1]) &&
           isfinite(p->inverse_mass[0]) && isfinite(p->inverse_mass[1]) &&
           isfinite(p->restitution);
}

static int compare_numbers(double a, double b) {
    return (a > b) - (a < b);
}

static int compare_points(const void *left, const void *right) {
    const sb_contact_point *a = *(const sb_contact_point *const *)left;
    const sb_contact_point *b = *(const sb_contact_point *const *)right;
    uint64_t pair_a = sb_pair_key(a), pair_b = sb_pair_key(b);
    if (pair_a != pair_b) return pair_a < pair_b ? -1 : 1;
    int c = compare_numbers(a->point.x, b->point.x);
    if (c == 0) c = compare_numbers(a->point.z, b->point.z);
    if (c == 0) c = compare_numbers(a->point.y, b->point.y);
    if (c == 0) c = compare_numbers(a->impulse_ns, b->impulse_ns);
    if (c == 0) c = compare_numbers(a->approach_m_s, b->approach_m_s);
    return c != 0 ? c : compare_numbers(a->time_s, b->time_s);
}

/* The world reports pairs mostly in this order already, each with a few points:
 * inserting them takes time in proportion to their number. False: it would be
 * more. */
static bool insert_all(const sb_contact_point **points, int count) {
    int moves = 16 * count;
    for (int i = 1; i < count; i++) {
        const sb_contact_point *moved = points[i];
        int k = i;
        for (; k > 0 && compare_points(&points[k - 1], &moved) > 0; k--)
            points[k] = points[k - 1];
        points[k] = moved;
        moves -= i - k;
        if (moves < 0) return false;
    }
    return true;
}

/* Fills tracker->points with the valid points, in an order that does not
 * depend on the order of the input. Returns their number. */
static int sort_points(sb_tracker *t, const sb_contact_point *points,
                       int count) {
    int sound = 0;
    for (int i = 0; i < count; i++)
        if (is_sound(&points[i])) t->points[sound++] = &points[i];
    if (!insert_all(t->points, sound))
        qsort(t->points, (size_t)sound, sizeof(void *), compare_points);
    return sound;
}

/* --- a step --------------------------------------------------------------- */

/* When a pair has more patches than are kept, ends those that have been
 * without a point for longest. Returns the number that remain. */
static int drop_stalest(sb_tracker *t, sb_contact_patch *patches, int count) {
    while (count > SB_PATCHES_KEPT) {
        int stalest = 0;
        for (int i = 1; i < count; i++)
            if (patches[i].missing_s > patches[stalest].missing_s) stalest = i;
        sb_contact_patch_end(&patches[stalest], &t->late, t->step_s);
        count--;
        memmove(&patches[stalest], &patches[stalest + 1],
                (size_t)(count - stalest) * sizeof *patches);
    }
    return count;
}

static void step_pair(sb_tracker *t, const sb_contact_point *const *points,
                      int count, const sb_contact_patch *old, int old_count) {
    sb_contact_patch *patches = t->next + t->next_count;
    sb_patch_sum sums[SB_PATCHES_MOST];
    int live = 0, n = 0;
    for (int i = 0; i < old_count; i++) {
        patches[n] = old[i];
        if (!old[i].is_over) {
            n++;
        } else {
            sb_contact_patch_end(&patches[n], &t->timed, 0);
        }
    }
    n = sb_tracker_match(t, points, count, patches, n, sums);
    for (int i = 0; i < n; i++) {
        if (sb_contact_patch_step(t, &patches[i], &sums[i])) {
            if (live < i) patches[live] = patches[i];
            live++;
        }
    }
    if (live > SB_PATCHES_KEPT) live = drop_stalest(t, patches, live);
    for (int i = 0; i < live; i++)
        t->count += patches[i].has_begun;
    t->next_count += live;
}

static int compare_events(const void *left, const void *right) {
    const sb_tracked *a = left, *b = right;
    if (a->time_s != b->time_s) return a->time_s < b->time_s ? -1 : 1;
    /* Contacts of forgotten solids end before any impact. */
    if (a->kind != b->kind) return a->kind == SB_TRACKED_END ? -1 : 1;
    return (a->contact > b->contact) - (a->contact < b->contact);
}

static void step_pairs(sb_tracker *t, int count) {
    int p = 0, s = 0;
    while (p < count || s < t->patch_count) {
        uint64_t next_p = p < count ? sb_pair_key(t->points[p]) : UINT64_MAX;
        uint64_t next_s = s < t->patch_count ? t->patches[s].pair : UINT64_MAX;
        uint64_t pair = next_p < next_s ? next_p : next_s;
        int p_end = p, s_end = s;
        while (p_end < count && sb_pair_key(t->points[p_end]) == pair)
            p_end++;
        while (s_end < t->patch_count && t->patches[s_end].pair == pair)
            s_end++;
        step_pair(t, t->points + p, p_end - p, t->patches + s, s_end - s);
        p = p_end;
        s = s_end;
    }
}

sb_status sb_tracker_step(sb_tracker *t, const sb_contact_point *points,
                          int count, const sb_tracked **events,
                          int *event_count, sb_error *err) {
    assert(count >= 0 && (points != NULL || count == 0));
    if (count > INT_MAX / 4 - t->patch_count || !make_room(t, count)) {
        return sb_no_memory_for(err, "%d contact points", count);
    }
    t->timed.count = t->next_count = t->count = 0;
    t->late.count = t->late_start;
    step_pairs(t, sort_points(t, points, count));
    sb_contact_patch *patches = t->patches;
    int capacity = t->patch_capacity;
    t->patches = t->next;
    t->patch_capacity = t->next_capacity;
    t->patch_count = t->next_count;
    t->next = patches;
    t->next_capacity = capacity;
    if (t->timed.count > 1) {
        qsort(t->timed.items, (size_t)t->timed.count, sizeof *t->timed.items,
              compare_events);
    }
    sb_tracked *first = t->late.items + t->late_start - t->timed.count;
    for (int i = 0; i < t->timed.count; i++)
        first[i] = t->timed.items[i];
    t->now_s += t->step_s;
    *events = first;
    *event_count = t->late.count - t->late_start + t->timed.count;
    return SB_OK;
}

void sb_tracker_forget(sb_tracker *t, uint32_t user) {
    for (int i = 0; i < t->patch_count; i++) {
        sb_contact_patch *s = &t->patches[i];
        if (s->is_over ||
            ((uint32_t)(s->pair >> 32) != user && (uint32_t)s->pair != user))
            continue;
        s->is_over = true;
        t->count -= s->has_begun;
    }
}

int sb_tracker_count(const sb_tracker *t) {
    return t->count;
}
