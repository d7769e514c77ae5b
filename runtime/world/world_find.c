/* SPDX-License-Identifier: MIT */
/* Contact points of a pair: chooses who finds them, and keeps what was found
 * while the solids hardly move. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Points of the collision library stay on both solids until they have moved by
 * this much; then they are found again. */
static const double STALE_M = 5e-5;

/* Points of the collision library, kept on both solids while they hardly
 * move. */
struct sb_anchors {
    sb_vec3 at[2][SB_PAIR_POINTS];  /* in the axes of each solid */
    sb_vec3 normal[SB_PAIR_POINTS]; /* in the axes of the second */
    uint32_t feature[SB_PAIR_POINTS], next_feature;
    int count;
};

double sb_pair_way(const sb_world *world, const sb_pair *pair, double time_s) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    sb_vec3 v = sb_vec3_sub(a->velocity, b->velocity);
    double fall = sb_vec3_length(world->gravity) * time_s;
    return time_s *
           (sb_vec3_length(v) + fall + a->reach_m * sb_vec3_length(a->spin) +
            b->reach_m * sb_vec3_length(b->spin));
}

/* --- a few of many -------------------------------------------------------- */

static void swap(sb_found *a, sb_found *b) {
    sb_found kept = *a;
    *a = *b;
    *b = kept;
}

int sb_found_choose(sb_found *points, int count, double close_m, int most) {
    if (count < 2) return count;
    int deepest = 0;
    for (int i = 1; i < count; i++)
        if (points[i].gap_m < points[deepest].gap_m) deepest = i;
    swap(&points[0], &points[deepest]);
    int kept = 1;
    while (kept < count && kept < most) {
        int best = -1;
        double far = close_m;
        for (int i = kept; i < count; i++) {
            double least = INFINITY;
            for (int k = 0; k < kept; k++)
                least = fmin(least, sb_vec3_length(sb_vec3_sub(
                                        points[i].point, points[k].point)));
            if (least > far) far = least, best = i;
        }
        if (best < 0) break;
        swap(&points[kept++], &points[best]);
    }
    return kept;
}

/* --- points of the collision library -------------------------------------- */

static sb_vec3 to_local(const sb_solid *solid, sb_vec3 p) {
    return sb_quat_turn_back(solid->rotation, sb_vec3_sub(p, solid->position));
}

static sb_vec3 to_world(const sb_solid *solid, sb_vec3 p) {
    return sb_vec3_add(solid->position, sb_quat_turn(solid->rotation, p));
}

/* The number of the nearest point that was there before, or a new one. */
static uint32_t feature_of(sb_anchors *old, const bool *is_taken, sb_vec3 at,
                           double close_m, int *taken) {
    double least = close_m;
    int found = -1;
    for (int i = 0; i < old->count; i++) {
        double far = sb_vec3_length(sb_vec3_sub(old->at[0][i], at));
        if (far < least && !is_taken[i]) least = far, found = i;
    }
    *taken = found;
    return found < 0 ? ++old->next_feature : old->feature[found];
}

static void keep_anchors(const sb_solid *a, const sb_solid *b,
                         sb_anchors *anchors, sb_found *points, int count) {
    sb_anchors old = *anchors;
    bool is_taken[SB_PAIR_POINTS] = {false};
    double close_m = 0.2 * fmin(a->reach_m, b->reach_m);
    for (int i = 0; i < count; i++) {
        sb_found *p = &points[i];
        sb_vec3 on_a = sb_vec3_plus(p->point, p->normal, 0.5 * p->gap_m);
        sb_vec3 on_b = sb_vec3_plus(p->point, p->normal, -0.5 * p->gap_m);
        int taken;
        anchors->at[0][i] = to_local(a, on_a);
        anchors->at[1][i] = to_local(b, on_b);
        anchors->normal[i] = sb_quat_turn_back(b->rotation, p->normal);
        p->feature = anchors->feature[i] =
            feature_of(&old, is_taken, anchors->at[0][i], close_m, &taken);
        if (taken >= 0) is_taken[taken] = true;
    }
    anchors->next_feature = old.next_feature;
    anchors->count = count;
}

static int use_anchors(const sb_solid *a, const sb_solid *b,
                       const sb_anchors *anchors, sb_found *out) {
    for (int i = 0; i < anchors->count; i++) {
        sb_vec3 on_a = to_world(a, anchors->at[0][i]);
        sb_vec3 on_b = to_world(b, anchors->at[1][i]);
        sb_vec3 n = sb_quat_turn(b->rotation, anchors->normal[i]);
        out[i] = (sb_found){
            .point = sb_vec3_scale(sb_vec3_add(on_a, on_b), 0.5),
            .normal = n,
            .gap_m = sb_vec3_dot(n, sb_vec3_sub(on_a, on_b)),
            .feature = anchors->feature[i],
            .is_faceted = a->collider.is_smooth || b->collider.is_smooth};
    }
    return anchors->count;
}

static int find_by_library(const sb_solid *a, const sb_solid *b, sb_pair *pair,
                           sb_found *out) {
    double paths = a->bounds.path_m + b->bounds.path_m;
    bool is_fresh =
        pair->anchors && pair->is_searched && paths - pair->paths_m < STALE_M;
    if (is_fresh) return use_anchors(a, b, pair->anchors, out);
    int count = sb_geoms_collide(a, b, out);
    pair->is_searched = true;
    pair->paths_m = paths;
    /* Nothing was in reach: looked at again when they have moved. */
    pair->clear_m = count > 0 ? 0.0 : STALE_M;
    if (count == 0) {
        if (pair->anchors) pair->anchors->count = 0;
        return 0;
    }
    if (!pair->anchors) {
        pair->anchors = sb_alloc(1, sizeof *pair->anchors);
        if (!pair->anchors) return -1;
    }
    double close_m = 1e-3 * fmin(a->reach_m, b->reach_m);
    count = sb_found_choose(out, count, close_m, SB_PAIR_POINTS);
    keep_anchors(a, b, pair->anchors, out, count);
    for (int i = 0; i < count; i++)
        out[i].is_faceted = a->collider.is_smooth || b->collider.is_smooth;
    return count;
}

/* --- balls and capsules --------------------------------------------------- */

int sb_find_on_ball(const sb_solid *solid, const sb_solid *ball,
                    double margin_m, sb_found *out) {
    sb_vec3 centre = sb_solid_origin(ball), n;
    double far, r = ball->collider.radius;
    if (!sb_solid_nearest(solid, centre, &n, &far)) return -1;
    double gap = far - r;
    if (gap > margin_m) return 0;
    /* `n` points out of the solid towards the ball. */
    *out = (sb_found){.point = sb_vec3_plus(centre, n, -r),
                      .normal = sb_vec3_scale(n, -1.0),
                      .gap_m = gap,
                      .on = -1,
                      .is_round = true};
    return 1;
}

typedef struct segment {
    sb_vec3 centre, along;
    double half, radius;
} segment;

static segment segment_of(const sb_solid *solid) {
    return (segment){
        .centre = sb_solid_origin(solid),
        .along = sb_quat_turn(solid->rotation, (sb_vec3){1.0, 0.0, 0.0}),
        .half = 0.5 * solid->collider.length,
        .radius = solid->collider.radius};
}

static double held(double t, double half) {
    return fmin(fmax(t, -half), half);
}

/* The contact at place `s` of the first and `t` of the second. */
static int add(const segment *a, const segment *b, double s, double t,
               uint32_t feature, double margin_m, sb_found *out) {
    sb_vec3 p = sb_vec3_plus(a->centre, a->along, s);
    sb_vec3 q = sb_vec3_plus(b->centre, b->along, t);
    sb_vec3 d = sb_vec3_sub(p, q);
    double far = sb_vec3_length(d), gap = far - a->radius - b->radius;
    if (gap > margin_m) return 0;
    sb_vec3 n =
        far > 1e-12 ? sb_vec3_scale(d, 1.0 / far) : (sb_vec3){0.0, 1.0, 0.0};
    *out = (sb_found){.point = sb_vec3_plus(q, n, b->radius + 0.5 * gap),
                      .normal = n,
                      .gap_m = gap,
                      .feature = feature,
                      .is_round = true};
    return 1;
}

/* Two lines have one nearest place; parallel ones touch at both ends of their
 * overlap. */
static int find_capsules(const sb_solid *solid, const sb_solid *other,
                         double margin_m, sb_found *out) {
    segment a = segment_of(solid), b = segment_of(other);
    sb_vec3 off = sb_vec3_sub(b.centre, a.centre);
    double c = sb_vec3_dot(a.along, b.along), sine2 = 1.0 - c * c;
    double on_a = sb_vec3_dot(off, a.along), on_b = sb_vec3_dot(off, b.along);
    if (sine2 < 1e-6) {
        double low = fmax(-a.half, on_a - b.half),
               high = fmin(a.half, on_a + b.half);
        if (low < high) {
            int count = 0;
            double sign = c < 0.0 ? -1.0 : 1.0;
            count += add(&a, &b, low, held(sign * (low - on_a), b.half), 1,
                         margin_m, out);
            count += add(&a, &b, high, held(sign * (high - on_a), b.half), 2,
                         margin_m, out + count);
            return count;
        }
    }
    double s = sine2 > 0.0 ? held((on_a - c * on_b) / sine2, a.half) : 0.0;
    double t = held(c * s - on_b, b.half);
    s = held(c * t + on_a, a.half);
    return add(&a, &b, s, t, 0, margin_m, out);
}

/* --- who finds them ------------------------------------------------------- */

static sb_plane plane_of(const sb_solid *floor) {
    return (sb_plane){sb_quat_turn(floor->rotation, (sb_vec3){0.0, 1.0, 0.0}),
                      sb_solid_origin(floor)};
}

/* Points of `over` on `under`, normals into `over`; -1: not known here. */
static int find_on(const sb_solid *over, const sb_solid *under, sb_pair *pair,
                   int *face, double margin_m, sb_found *out) {
    sb_collider_kind kind = under->collider.kind;
    sb_collider_kind what = over->collider.kind;
    if (kind == SB_COLLIDER_FLOOR) {
        sb_plane plane = plane_of(under);
        return sb_find_on_plane(over, &plane, margin_m, out);
    }
    if (what == SB_COLLIDER_SPHERE &&
        (kind == SB_COLLIDER_MESH || kind == SB_COLLIDER_HULL))
        return sb_find_on_sheet(over, under, pair, margin_m, out);
    if (kind == SB_COLLIDER_BOX)
        return sb_find_on_box(over, under, face, margin_m, out);
    return -1;
}

static void turn_round(sb_found *points, int count) {
    for (int i = 0; i < count; i++) {
        points[i].normal = sb_vec3_scale(points[i].normal, -1.0);
        points[i].on = -points[i].on;
    }
}

static int find_directly(const sb_solid *a, const sb_solid *b, sb_pair *pair,
                         double margin_m, sb_found *out) {
    sb_collider_kind one = a->collider.kind, other = b->collider.kind;
    if (one == SB_COLLIDER_CAPSULE && other == SB_COLLIDER_CAPSULE)
        return find_capsules(a, b, margin_m, out);
    int count = find_on(a, b, pair, &pair->face[1], margin_m, out);
    if (count >= 0) return count;
    count = find_on(b, a, pair, &pair->face[0], margin_m, out);
    turn_round(out, count);
    if (count < 0 && other == SB_COLLIDER_SPHERE)
        return sb_find_on_ball(a, b, margin_m, out);
    if (count < 0 && one == SB_COLLIDER_SPHERE) {
        count = sb_find_on_ball(b, a, margin_m, out);
        turn_round(out, count);
    }
    return count;
}

int sb_pair_find(const sb_world *world, sb_pair *pair, double margin_m,
                 sb_found *out) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    double paths = a->bounds.path_m + b->bounds.path_m;
    if (pair->is_searched && pair->clear_m > margin_m + (paths - pair->paths_m))
        return 0;
    bool are_rings = a->collider.kind == SB_COLLIDER_RING &&
                     b->collider.kind == SB_COLLIDER_RING;
    if (are_rings) return sb_find_rings(a, b, pair, margin_m, out);
    int count = find_directly(a, b, pair, margin_m, out);
    if (count < 0) return find_by_library(a, b, pair, out);
    return sb_found_choose(out, count, 0.0, SB_PAIR_POINTS);
}
