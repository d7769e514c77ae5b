/* Which of a pair's points belong to which of its contacts. */
#include "runtime/world/tracker_internal.h"

#include <math.h>

/* Points nearer than this are one contact, and so are those nearer than a share
 * of the whole area that the pair touches on. */
static const double near_m = 0.003;
static const double near_share = 0.2;
/* A wheel with facets stands on one corner, then on two, then on the next. */
static const double near_smooth_m = 0.025;
/* Where a pair touches at one place, the next is the same contact further on:
 * the rim of a coin runs round faster than anything of it moves. */
static const double near_alone_m = 0.01;
/* A contact that runs along closes on what is ahead and not quite level: below
 * three degrees that is roughness. */
static const double level_share = 0.05;
/* What rolls over n facets closes with 2 tan(pi / n) of its speed each time:
 * ten are few enough. */
static const double facet_share = 0.65;
/* Keeps the place of contacts that bear nothing, and counts for nothing in
 * those that do. */
static const double no_weight = 1e-30;

static bool is_bearing(const sb_touch_point *p) {
    return p->impulse_ns > 0;
}

static double speed_along(sb_vec3 v, sb_vec3 normal) {
    return sb_vec3_length(sb_along_surface(v, normal));
}

/* How far apart a pair's points and contacts lie. */
static double extent_of(const sb_touch_point *const *points, int count,
                        const sb_spot *spots, int spot_count) {
    sb_vec3 low = points[0]->point, high = low;
    for (int i = 1; i < count + spot_count; i++) {
        sb_vec3 p = i < count ? points[i]->point : spots[i - count].point;
        low = (sb_vec3){sb_smaller(low.x, p.x), sb_smaller(low.y, p.y),
                        sb_smaller(low.z, p.z)};
        high = (sb_vec3){sb_larger(high.x, p.x), sb_larger(high.y, p.y),
                         sb_larger(high.z, p.z)};
    }
    return sb_vec3_length(sb_vec3_sub(high, low));
}

static double fastest(const sb_touch_point *const *points, int count) {
    double most = 0;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < 2; i++) {
            most = sb_larger(most, sb_length_squared(points[k]->velocity[i]));
            most = sb_larger(most, sb_length_squared(points[k]->centre[i]));
        }
    }
    return sqrt(most);
}

/* Where a contact of the step before may be found now: where it was, or where
 * it was going to, and around there as far as the bodies go. */
typedef struct haunt {
    sb_vec3 there;
    double reach_squared;
} haunt;

static void find_haunts(const sb_tracker *t, const sb_spot *spots, int count,
                        double near, double fast_m_s, haunt *out) {
    for (int i = 0; i < count; i++) {
        const sb_spot *s = &spots[i];
        double dt = t->now_s - s->place_s;
        double around = s->is_smooth ? sb_larger(near, near_smooth_m) : near;
        if (count == 1) around = sb_larger(around, near_alone_m);
        double reach = around + 2 * fast_m_s * sb_smaller(dt, 3 * t->step_s);
        out[i].there = sb_vec3_add(s->point, sb_vec3_scale(s->own_m_s, dt));
        out[i].reach_squared = reach * reach;
    }
}

/* The nearest contact on the same face, or -1. */
static int nearest_spot(const sb_touch_point *p, const sb_spot *spots,
                        const haunt *haunts, int spot_count) {
    double least = INFINITY;
    int found = -1;
    for (int i = 0; i < spot_count; i++) {
        sb_vec3 to = sb_vec3_sub(p->point, spots[i].point);
        sb_vec3 there = sb_vec3_sub(p->point, haunts[i].there);
        double d = sb_smaller(sb_length_squared(to), sb_length_squared(there));
        if (d < least && d <= haunts[i].reach_squared &&
            sb_vec3_dot(spots[i].normal, p->normal) >= SB_SAME_FACE) {
            least = d;
            found = i;
        }
    }
    return found;
}

static void add_scaled(sb_vec3 *sum, sb_vec3 v, double w) {
    *sum = sb_vec3_add(*sum, sb_vec3_scale(v, w));
}

static void add_hit(sb_touch *touch, const sb_touch_point *p, double inverse) {
    double w = p->impulse_ns;
    sb_vec3 slip = sb_vec3_sub(p->velocity[0], p->velocity[1]);
    touch->hit_ns += w;
    touch->hit_m_s += w * p->approach_m_s;
    touch->hit_time_s += w * p->time_s;
    touch->hit_inverse_mass += w * inverse;
    touch->hit_restitution += w * p->restitution;
    add_scaled(&touch->hit_point, p->point, w);
    add_scaled(&touch->hit_normal, p->normal, w);
    add_scaled(&touch->hit_slip, sb_along_surface(slip, p->normal), w);
}

static void add_place(sb_touch *touch, const sb_touch_point *p) {
    double w = sb_larger(p->impulse_ns, no_weight);
    touch->weight += w;
    touch->inverse_mass += w * (p->inverse_mass[0] + p->inverse_mass[1]);
    add_scaled(&touch->point, p->point, w);
    add_scaled(&touch->normal, p->normal, w);
    for (int i = 0; i < 2; i++) {
        add_scaled(&touch->velocity[i], p->velocity[i], w);
        add_scaled(&touch->centre[i], p->centre[i], w);
        touch->centre_inverse_mass[i] += w * p->inverse_mass[i];
    }
    touch->is_smooth |= p->is_smooth;
}

/* `is_far`: it is heard, but does not say where the contact is. */
static void give(const sb_tracker *t, const sb_spot *spot, sb_touch *touch,
                 const sb_touch_point *p, bool is_known, bool is_far) {
    if (!is_bearing(p) && p->approach_m_s < -t->impact_m_s) {
        touch->has_parted = true;
        return;
    }
    touch->is_kept = true;
    touch->impulse_ns += sb_larger(p->impulse_ns, 0);
    double chatter =
        sb_larger(t->impact_m_s, level_share * sb_vec3_length(spot->own_m_s));
    if (p->is_smooth && is_known) {
        sb_vec3 go = sb_vec3_sub(p->centre[0], p->centre[1]);
        sb_vec3 rub = sb_vec3_sub(p->velocity[0], p->velocity[1]);
        double v =
            sb_larger(speed_along(go, p->normal), speed_along(rub, p->normal));
        chatter = sb_larger(chatter, facet_share * v);
    }
    if (is_bearing(p) && p->approach_m_s > chatter)
        add_hit(touch, p, p->inverse_mass[0] + p->inverse_mass[1]);
    if (!is_far) add_place(touch, p);
}

static double within(double time_s, double step_s) {
    return sb_smaller(sb_larger(time_s, 0), step_s);
}

static void finish(sb_touch *touch, double step_s) {
    if (touch->weight > 0) {
        double s = 1 / touch->weight;
        touch->inverse_mass *= s;
        touch->point = sb_vec3_scale(touch->point, s);
        touch->normal = sb_vec3_normalised(touch->normal);
        for (int i = 0; i < 2; i++) {
            touch->velocity[i] = sb_vec3_scale(touch->velocity[i], s);
            touch->centre[i] = sb_vec3_scale(touch->centre[i], s);
            touch->centre_inverse_mass[i] *= s;
        }
    }
    if (touch->hit_ns > 0) {
        double s = 1 / touch->hit_ns;
        touch->hit_m_s *= s;
        touch->hit_time_s = within(touch->hit_time_s * s, step_s);
        touch->hit_inverse_mass *= s;
        touch->hit_restitution *= s;
        touch->hit_point = sb_vec3_scale(touch->hit_point, s);
        touch->hit_normal = sb_vec3_normalised(touch->hit_normal);
        touch->hit_slip = sb_vec3_scale(touch->hit_slip, s);
    }
}

/* The point without a contact that was pushed hardest, or -1. */
static int hardest_left(const sb_touch_point *const *points, const int *owners,
                        int count) {
    int found = -1;
    for (int i = 0; i < count; i++) {
        if (owners[i] < 0 && is_bearing(points[i]) &&
            (found < 0 || points[i]->impulse_ns > points[found]->impulse_ns))
            found = i;
    }
    return found;
}

static bool is_beside(const sb_touch_point *a, const sb_touch_point *b,
                      double near) {
    if (a->is_smooth || b->is_smooth) near = sb_larger(near, near_smooth_m);
    return sb_vec3_length(sb_vec3_sub(a->point, b->point)) <= near &&
           sb_vec3_dot(a->normal, b->normal) >= SB_SAME_FACE;
}

/* Points that are left when a pair has as many contacts as are told apart. */
static int nearest_touched(const sb_touch_point *p, const sb_spot *spots,
                           const sb_touch *touches, int spot_count) {
    double least = INFINITY;
    int found = -1;
    for (int i = 0; i < spot_count; i++) {
        if (!touches[i].is_new && !touches[i].is_kept) continue;
        double d = sb_vec3_length(sb_vec3_sub(p->point, spots[i].point));
        if (sb_vec3_dot(p->normal, spots[i].normal) < SB_SAME_FACE)
            d += 1e6; /* another face, only when there is none on this one */
        if (d < least) {
            least = d;
            found = i;
        }
    }
    return found;
}

static sb_spot new_spot(const sb_tracker *t, const sb_touch_point *p) {
    return (sb_spot){.pair = sb_pair_of(p),
                     .is_smooth = p->is_smooth,
                     .idle = 1000,
                     .place_s = t->now_s,
                     .impact_s = -INFINITY,
                     .point = p->point,
                     .follower = p->point,
                     .normal = p->normal};
}

/* A pair in a step. */
typedef struct gathering {
    const sb_touch_point *const *points;
    int *owners; /* which contact each goes to, or -1 */
    int count;
    sb_spot *spots;
    sb_touch *touches;
    int spot_count, old_count, touched;
    double near;
} gathering;

static void take(const sb_tracker *t, gathering *g, int point, int spot,
                 bool is_far) {
    g->owners[point] = spot;
    give(t, &g->spots[spot], &g->touches[spot], g->points[point],
         g->old_count > 0, is_far);
}

static void take_by_old(const sb_tracker *t, gathering *g) {
    haunt haunts[SB_SPOTS_KEPT];
    find_haunts(t, g->spots, g->old_count, g->near,
                fastest(g->points, g->count), haunts);
    for (int i = 0; i < g->count; i++) {
        const sb_touch_point *p = g->points[i];
        int o = nearest_spot(p, g->spots, haunts, g->old_count);
        g->owners[i] = o;
        if (o < 0) {
            continue;
        }
        g->touched += is_bearing(p) && g->touches[o].impulse_ns == 0;
        take(t, g, i, o, false);
    }
}

/* Points that no contact of the step before claims. */
static void take_by_new(const sb_tracker *t, gathering *g) {
    int hardest = hardest_left(g->points, g->owners, g->count);
    for (; hardest >= 0 && g->touched < SB_SPOTS_TOUCHED; g->touched++) {
        const sb_touch_point *first = g->points[hardest];
        int spot = g->spot_count++;
        g->spots[spot] = new_spot(t, first);
        g->touches[spot] = (sb_touch){.is_new = true};
        for (int i = 0; i < g->count; i++) {
            if (g->owners[i] < 0 && is_beside(g->points[i], first, g->near)) {
                take(t, g, i, spot, false);
            }
        }
        hardest = hardest_left(g->points, g->owners, g->count);
    }
    for (int i = 0; i < g->count && hardest >= 0; i++) {
        const sb_touch_point *p = g->points[i];
        if (g->owners[i] >= 0 || !is_bearing(p)) {
            continue;
        }
        int spot = nearest_touched(p, g->spots, g->touches, g->spot_count);
        if (spot >= 0) {
            take(t, g, i, spot, true);
        }
    }
}

int sb_tracker_match(sb_tracker *t, const sb_touch_point *const *points,
                     int count, sb_spot *spots, int spot_count,
                     sb_touch *touches) {
    for (int i = 0; i < spot_count; i++) {
        touches[i] = (sb_touch){0};
    }
    if (count == 0) {
        return spot_count;
    }
    double extent = extent_of(points, count, spots, spot_count);
    gathering g = {.points = points,
                   .owners = t->owners,
                   .count = count,
                   .spots = spots,
                   .touches = touches,
                   .spot_count = spot_count,
                   .old_count = spot_count,
                   .near = sb_larger(near_m, near_share * extent)};
    take_by_old(t, &g);
    take_by_new(t, &g);
    for (int i = 0; i < g.spot_count; i++) {
        finish(&touches[i], t->step_s);
    }
    return g.spot_count;
}
