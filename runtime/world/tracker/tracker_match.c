/* SPDX-License-Identifier: MIT */
/* Assigns the contact points of a pair to its patches. Runs on the control
 * thread. */
#include "runtime/world/tracker/tracker_internal.h"

#include <math.h>

/* Points closer than this are one contact, as are points closer than a
 * fraction of the whole area in which the pair touches. */
static const double near_m = 0.003;
static const double near_share = 0.2;
/* A wheel with facets stands on one corner, then on two, then on the next. */
static const double near_smooth_m = 0.025;
/* If a pair touches at one place only, the next place is the same contact
 * further on: the contact of a coin runs round the rim faster than any part
 * of the coin moves. */
static const double near_alone_m = 0.01;
/* A contact that moves along a surface closes on ground ahead that is not
 * quite level: slopes below three degrees count as roughness. */
static const double level_share = 0.05;
/* A body that rolls over n facets closes at 2 tan(pi / n) of its speed each
 * time. This allows as few as ten facets. */
static const double facet_share = 0.65;
/* Keeps the position of contacts without load; negligible in those with
 * load. */
static const double no_weight = 1e-30;

static bool is_bearing(const sb_contact_point *p) {
    return p->impulse_ns > 0;
}

static double speed_along(sb_vec3 v, sb_vec3 normal) {
    return sb_vec3_length(sb_along_surface(v, normal));
}

/* The extent of a pair's points and contacts. */
static double extent_of(const sb_contact_point *const *points, int count,
                        const sb_contact_patch *patches, int patch_count) {
    sb_vec3 low = points[0]->point, high = low;
    for (int i = 1; i < count + patch_count; i++) {
        sb_vec3 p = i < count ? points[i]->point : patches[i - count].point;
        low = (sb_vec3){sb_smaller(low.x, p.x), sb_smaller(low.y, p.y),
                        sb_smaller(low.z, p.z)};
        high = (sb_vec3){sb_larger(high.x, p.x), sb_larger(high.y, p.y),
                         sb_larger(high.z, p.z)};
    }
    return sb_vec3_length(sb_vec3_sub(high, low));
}

static double fastest(const sb_contact_point *const *points, int count) {
    double most = 0;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < 2; i++) {
            most = sb_larger(most, sb_length_squared(points[k]->velocity[i]));
            most = sb_larger(most, sb_length_squared(points[k]->centre[i]));
        }
    }
    return sqrt(most);
}

/* Where a contact of the step before can be now: near its last position or
 * its predicted one, within the distance that the bodies move. */
typedef struct patch_reach {
    sb_vec3 there;
    double reach_squared;
} patch_reach;

static void find_reaches(const sb_tracker *t, const sb_contact_patch *patches,
                         int count, double near, double fast_m_s,
                         patch_reach *out) {
    for (int i = 0; i < count; i++) {
        const sb_contact_patch *s = &patches[i];
        double dt = t->now_s - s->place_s;
        double around = s->is_smooth ? sb_larger(near, near_smooth_m) : near;
        if (count == 1) around = sb_larger(around, near_alone_m);
        double reach = around + 2 * fast_m_s * sb_smaller(dt, 3 * t->step_s);
        out[i].there = sb_vec3_plus(s->point, s->own_m_s, dt);
        out[i].reach_squared = reach * reach;
    }
}

/* The nearest contact on the same face, or -1. */
static int nearest_patch(const sb_contact_point *p,
                         const sb_contact_patch *patches,
                         const patch_reach *reaches, int patch_count) {
    double least = INFINITY;
    int found = -1;
    for (int i = 0; i < patch_count; i++) {
        sb_vec3 to = sb_vec3_sub(p->point, patches[i].point);
        sb_vec3 there = sb_vec3_sub(p->point, reaches[i].there);
        double d = sb_smaller(sb_length_squared(to), sb_length_squared(there));
        if (d < least && d <= reaches[i].reach_squared &&
            sb_vec3_dot(patches[i].normal, p->normal) >= SB_SAME_FACE) {
            least = d;
            found = i;
        }
    }
    return found;
}

static void add_scaled(sb_vec3 *sum, sb_vec3 v, double w) {
    *sum = sb_vec3_plus(*sum, v, w);
}

static void add_impact(sb_patch_sum *sum, const sb_contact_point *p,
                       double inverse) {
    double w = p->impulse_ns;
    sb_vec3 slip = sb_vec3_sub(p->velocity[0], p->velocity[1]);
    sum->impact_ns += w;
    sum->impact_weight_ns += p->weight_ns;
    sum->impact_m_s += w * p->approach_m_s;
    sum->impact_time_s += w * p->time_s;
    sum->impact_inverse_mass += w * inverse;
    sum->impact_restitution += w * p->restitution;
    sum->is_given |= p->is_given;
    add_scaled(&sum->impact_point, p->point, w);
    add_scaled(&sum->impact_normal, p->normal, w);
    add_scaled(&sum->impact_slip, sb_along_surface(slip, p->normal), w);
}

static void add_place(sb_patch_sum *sum, const sb_contact_point *p) {
    double w = sb_larger(p->impulse_ns, no_weight);
    sum->weight += w;
    sum->inverse_mass += w * (p->inverse_mass[0] + p->inverse_mass[1]);
    add_scaled(&sum->point, p->point, w);
    add_scaled(&sum->normal, p->normal, w);
    for (int i = 0; i < 2; i++) {
        add_scaled(&sum->velocity[i], p->velocity[i], w);
        add_scaled(&sum->centre[i], p->centre[i], w);
        sum->centre_inverse_mass[i] += w * p->inverse_mass[i];
    }
    sum->is_smooth |= p->is_smooth;
}

/* `is_far`: the point adds to the impulse but not to the position. */
static void give(const sb_tracker *t, const sb_contact_patch *patch,
                 sb_patch_sum *sum, const sb_contact_point *p, bool is_known,
                 bool is_far) {
    if (!is_bearing(p) && p->approach_m_s < -t->impact_m_s) {
        sum->has_parted = true;
        return;
    }
    sum->is_kept = true;
    sum->impulse_ns += sb_larger(p->impulse_ns, 0);
    double chatter =
        sb_larger(t->impact_m_s, level_share * sb_vec3_length(patch->own_m_s));
    if (p->is_smooth && is_known) {
        sb_vec3 go = sb_vec3_sub(p->centre[0], p->centre[1]);
        sb_vec3 rub = sb_vec3_sub(p->velocity[0], p->velocity[1]);
        double v =
            sb_larger(speed_along(go, p->normal), speed_along(rub, p->normal));
        chatter = sb_larger(chatter, facet_share * v);
    }
    if (is_bearing(p) && p->approach_m_s > chatter)
        add_impact(sum, p, p->inverse_mass[0] + p->inverse_mass[1]);
    if (!is_far) add_place(sum, p);
}

static double within(double time_s, double step_s) {
    return sb_smaller(sb_larger(time_s, 0), step_s);
}

static void finish(sb_patch_sum *sum, double step_s) {
    if (sum->weight > 0) {
        double s = 1 / sum->weight;
        sum->inverse_mass *= s;
        sum->point = sb_vec3_scale(sum->point, s);
        sum->normal = sb_vec3_normalised(sum->normal);
        for (int i = 0; i < 2; i++) {
            sum->velocity[i] = sb_vec3_scale(sum->velocity[i], s);
            sum->centre[i] = sb_vec3_scale(sum->centre[i], s);
            sum->centre_inverse_mass[i] *= s;
        }
    }
    if (sum->impact_ns > 0) {
        double s = 1 / sum->impact_ns;
        sum->impact_m_s *= s;
        sum->impact_time_s = within(sum->impact_time_s * s, step_s);
        sum->impact_inverse_mass *= s;
        sum->impact_restitution *= s;
        sum->impact_point = sb_vec3_scale(sum->impact_point, s);
        sum->impact_normal = sb_vec3_normalised(sum->impact_normal);
        sum->impact_slip = sb_vec3_scale(sum->impact_slip, s);
    }
}

/* The unassigned point with the largest impulse, or -1. */
static int hardest_left(const sb_contact_point *const *points,
                        const int *owners, int count) {
    int found = -1;
    for (int i = 0; i < count; i++) {
        if (owners[i] < 0 && is_bearing(points[i]) &&
            (found < 0 || points[i]->impulse_ns > points[found]->impulse_ns))
            found = i;
    }
    return found;
}

static bool is_beside(const sb_contact_point *a, const sb_contact_point *b,
                      double near) {
    if (a->is_smooth || b->is_smooth) near = sb_larger(near, near_smooth_m);
    return sb_vec3_length(sb_vec3_sub(a->point, b->point)) <= near &&
           sb_vec3_dot(a->normal, b->normal) >= SB_SAME_FACE;
}

/* For points that remain when the pair has its maximum number of patches. */
static int nearest_touched(const sb_contact_point *p,
                           const sb_contact_patch *patches,
                           const sb_patch_sum *sums, int patch_count) {
    double least = INFINITY;
    int found = -1;
    for (int i = 0; i < patch_count; i++) {
        if (!sums[i].is_new && !sums[i].is_kept) continue;
        double d = sb_vec3_length(sb_vec3_sub(p->point, patches[i].point));
        if (sb_vec3_dot(p->normal, patches[i].normal) < SB_SAME_FACE)
            d += 1e6; /* another face: only if there is none on this one */
        if (d < least) {
            least = d;
            found = i;
        }
    }
    return found;
}

static sb_contact_patch new_patch(const sb_tracker *t,
                                  const sb_contact_point *p) {
    return (sb_contact_patch){.pair = sb_pair_key(p),
                              .is_smooth = p->is_smooth,
                              .idle = 1000,
                              .place_s = t->now_s,
                              .impact_s = -INFINITY,
                              .point = p->point,
                              .follower = p->point,
                              .normal = p->normal};
}

/* The points of one pair in a step. */
typedef struct gathering {
    const sb_contact_point *const *points;
    int *owners; /* index of the contact of each point, or -1 */
    int count;
    sb_contact_patch *patches;
    sb_patch_sum *sums;
    int patch_count, old_count, touched;
    double near;
} gathering;

static void take(const sb_tracker *t, gathering *g, int point, int patch,
                 bool is_far) {
    g->owners[point] = patch;
    give(t, &g->patches[patch], &g->sums[patch], g->points[point],
         g->old_count > 0, is_far);
}

static void take_by_old(const sb_tracker *t, gathering *g) {
    patch_reach reaches[SB_PATCHES_KEPT];
    find_reaches(t, g->patches, g->old_count, g->near,
                 fastest(g->points, g->count), reaches);
    for (int i = 0; i < g->count; i++) {
        const sb_contact_point *p = g->points[i];
        int o = nearest_patch(p, g->patches, reaches, g->old_count);
        g->owners[i] = o;
        if (o < 0) {
            continue;
        }
        g->touched += is_bearing(p) && g->sums[o].impulse_ns == 0;
        take(t, g, i, o, false);
    }
}

/* Starts new contacts from points that match no contact of the step before. */
static void take_by_new(const sb_tracker *t, gathering *g) {
    int hardest = hardest_left(g->points, g->owners, g->count);
    for (; hardest >= 0 && g->touched < SB_PATCHES_TOUCHED; g->touched++) {
        const sb_contact_point *first = g->points[hardest];
        int patch = g->patch_count++;
        g->patches[patch] = new_patch(t, first);
        g->sums[patch] = (sb_patch_sum){.is_new = true};
        for (int i = 0; i < g->count; i++) {
            if (g->owners[i] < 0 && is_beside(g->points[i], first, g->near)) {
                take(t, g, i, patch, false);
            }
        }
        hardest = hardest_left(g->points, g->owners, g->count);
    }
    for (int i = 0; i < g->count && hardest >= 0; i++) {
        const sb_contact_point *p = g->points[i];
        if (g->owners[i] >= 0 || !is_bearing(p)) {
            continue;
        }
        int patch = nearest_touched(p, g->patches, g->sums, g->patch_count);
        if (patch >= 0) {
            take(t, g, i, patch, true);
        }
    }
}

int sb_tracker_match(sb_tracker *t, const sb_contact_point *const *points,
                     int count, sb_contact_patch *patches, int patch_count,
                     sb_patch_sum *sums) {
    for (int i = 0; i < patch_count; i++) {
        sums[i] = (sb_patch_sum){0};
    }
    if (count == 0) {
        return patch_count;
    }
    double extent = extent_of(points, count, patches, patch_count);
    gathering g = {.points = points,
                   .owners = t->owners,
                   .count = count,
                   .patches = patches,
                   .sums = sums,
                   .patch_count = patch_count,
                   .old_count = patch_count,
                   .near = sb_larger(near_m, near_share * extent)};
    take_by_old(t, &g);
    take_by_new(t, &g);
    for (int i = 0; i < g.patch_count; i++) {
        finish(&sums[i], t->step_s);
    }
    return g.patch_count;
}
