/* Contact points of a pair: chooses who finds them, and keeps what was found
 * while the solids hardly move. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Points of the collision library stay on both solids until they have moved by
 * this much; then they are found again. */
static const double STALE_M = 5e-5;

double sb_pair_way(const sb_world *world, const sb_pair *pair, double time_s) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    sb_vec3 v = sb_vec3_sub(a->velocity, b->velocity);
    double fall = sb_vec3_length(world->gravity) * time_s;
    return time_s *
           (sb_vec3_length(v) + fall + a->reach_m * sb_vec3_length(a->spin) +
            b->reach_m * sb_vec3_length(b->spin));
}

/* Where points are found before the solids touch, nothing passes; where a face
 * is remembered, little can; the collision library sees only overlaps. */
double sb_pair_thin_share(const sb_solid *a, const sb_solid *b) {
    sb_collider_kind one = a->collider.kind, other = b->collider.kind;
    if (one == SB_COLLIDER_FLOOR || other == SB_COLLIDER_FLOOR ||
        one == SB_COLLIDER_SPHERE || other == SB_COLLIDER_SPHERE)
        return 2.0;
    return one == SB_COLLIDER_RING || other == SB_COLLIDER_RING ? 0.6 : 0.5;
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
    double paths = a->path_m + b->path_m;
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
        return sb_find_capsules(a, b, margin_m, out);
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
    double paths = a->path_m + b->path_m;
    if (pair->is_searched && pair->clear_m > margin_m + (paths - pair->paths_m))
        return 0;
    bool are_rings = a->collider.kind == SB_COLLIDER_RING &&
                     b->collider.kind == SB_COLLIDER_RING;
    if (are_rings) return sb_find_rings(a, b, pair, margin_m, out);
    int count = find_directly(a, b, pair, margin_m, out);
    if (count < 0) return find_by_library(a, b, pair, out);
    return sb_found_choose(out, count, 0.0, SB_PAIR_POINTS);
}
