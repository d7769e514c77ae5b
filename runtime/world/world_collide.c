/* Collision detection: pairs whose bounding boxes overlap, then the points
 * at which they collide. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <stdlib.h>

static int index_of(dGeomID geom) {
    return (int)((intptr_t)dGeomGetData(geom) - 1);
}

/* --- candidate pairs ------------------------------------------------------ */

static bool may_collide(const sb_world *world, int a, int b) {
    const sb_solid *first = &world->solids[a], *second = &world->solids[b];
    if (first->motion != SB_MOTION_FREE && second->motion != SB_MOTION_FREE)
        return false;
    if (first->is_lost || second->is_lost) return false;
    return !sb_world_are_joined(world, a, b);
}

static void near_each_other(void *data, dGeomID one, dGeomID other) {
    sb_world *world = data;
    int a = index_of(one), b = index_of(other);
    if (a == b || world->pair_count >= SB_MOST_PAIRS ||
        !may_collide(world, a, b))
        return;
    if (!sb_grow((void **)&world->pairs, &world->pair_capacity,
                 world->pair_count + 1, sizeof *world->pairs)) {
        world->is_full = true;
        return;
    }
    world->pairs[world->pair_count++] =
        (sb_pair){.first = a < b ? a : b, .second = a < b ? b : a};
}

static int by_solids(const void *one, const void *other) {
    const sb_pair *a = one, *b = other;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

/* --- points of a pair ----------------------------------------------------- */

/* The capsules of a ring lie on a polygon: corrects the depth to that of the
 * circle. */
static double on_circle(const sb_solid *ring, const sb_collision *m,
                        double sign) {
    const double part = 2.0 * SB_PI / SB_RING_PARTS;
    sb_vec3 at = sb_quat_turn_back(
        ring->rotation, sb_vec3_sub(m->point, sb_solid_origin(ring)));
    sb_vec3 out =
        sb_quat_turn_back(ring->rotation, sb_vec3_scale(m->normal, -sign));
    double far = hypot(at.x, at.z);
    if (!(far > 0.0)) return m->depth_m;
    double angle = atan2(at.z, at.x);
    double off = angle - part * round(angle / part);
    double extra = ring->collider.radius * (1.0 / cos(off) - 1.0);
    return m->depth_m - extra * (at.x * out.x + at.z * out.z) / far;
}

bool sb_world_boxes_overlap(dGeomID one, dGeomID other) {
    dReal a[6], b[6];
    dGeomGetAABB(one, a);
    dGeomGetAABB(other, b);
    return a[0] <= b[1] && b[0] <= a[1] && a[2] <= b[3] && b[2] <= a[3] &&
           a[4] <= b[5] && b[4] <= a[5];
}

/* For a half-space ODE returns the deepest point of the other solid; the
 * contact point is moved to the face of the half-space. */
static void raise_to_floor(const sb_world *world, sb_collision *m) {
    double sign = 0.0;
    if (world->solids[m->second].collider.kind == SB_COLLIDER_FLOOR) sign = 1.0;
    if (world->solids[m->first].collider.kind == SB_COLLIDER_FLOOR) sign = -1.0;
    m->point =
        sb_vec3_add(m->point, sb_vec3_scale(m->normal, sign * m->depth_m));
}

/* All collisions that ODE finds between the parts of two solids. */
static int collide_parts(const sb_world *world, int a, int b,
                         sb_collision *out) {
    const sb_solid *first = &world->solids[a], *second = &world->solids[b];
    double skin = first->skin_m + second->skin_m;
    int count = 0;
    dContactGeom found[16];
    for (int i = 0; i < first->part_count; i++)
        for (int j = 0; j < second->part_count; j++) {
            dGeomID one = first->parts[i].geom, other = second->parts[j].geom;
            if (j == 0 && !sb_world_boxes_overlap(one, second->geom)) break;
            if (!sb_world_boxes_overlap(one, other)) continue;
            int n = dCollide(one, other, 16, found, sizeof found[0]);
            for (int k = 0; k < n && count < SB_RAW_POINTS; k++) {
                const dContactGeom *c = &found[k];
                sb_vec3 normal = {c->normal[0], c->normal[1], c->normal[2]};
                double length = sb_vec3_length(normal);
                if (!(length > 0.5 && length < 2.0)) continue;
                out[count++] = (sb_collision){
                    .first = a,
                    .second = b,
                    .point = {c->pos[0], c->pos[1], c->pos[2]},
                    .normal = sb_vec3_scale(normal, 1.0 / length),
                    .depth_m = c->depth - skin};
            }
        }
    for (int i = 0; i < count; i++)
        raise_to_floor(world, &out[i]);
    return count;
}

/* Keeps a few of many: the deepest, then repeatedly the one farthest from
 * all kept. Points that coincide with a kept one are dropped. */
static int choose(sb_collision *points, int count, double close_m, int most) {
    if (count < 2) return count;
    int deepest = 0;
    for (int i = 1; i < count; i++)
        if (points[i].depth_m > points[deepest].depth_m) deepest = i;
    sb_collision swap = points[0];
    points[0] = points[deepest];
    points[deepest] = swap;
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
        swap = points[kept];
        points[kept++] = points[best];
        points[best] = swap;
    }
    return kept;
}

static void set_pair(sb_collision *points, int count, int a, int b,
                     double sign) {
    for (int i = 0; i < count; i++) {
        points[i].first = a;
        points[i].second = b;
        points[i].normal = sb_vec3_scale(points[i].normal, sign);
    }
}

/* Collisions of smooth shapes in closed form; -1 if there is no closed form. */
static int collide_smooth(const sb_world *world, int a, int b,
                          sb_collision *out) {
    const sb_solid *first = &world->solids[a], *second = &world->solids[b];
    double skin = first->skin_m + second->skin_m, sign = 1.0;
    int count = -1;
    if (first->collider.kind == SB_COLLIDER_RING)
        count = sb_ring_collide(first, second, skin, out);
    if (count < 0 && second->collider.kind == SB_COLLIDER_RING) {
        count = sb_ring_collide(second, first, skin, out);
        sign = -1.0;
    }
    set_pair(out, count, a, b, sign);
    return count;
}

/* Collisions of solids that may have passed through each other in this step;
 * 0 if that is impossible. The solid with faces is treated as the stationary
 * one, or the first of two. */
static int collide_face(const sb_world *world, int a, int b, double close_m,
                        sb_collision *out) {
    const sb_solid *first = &world->solids[a], *second = &world->solids[b];
    double skin = first->skin_m + second->skin_m;
    bool is_turned = first->motion != SB_MOTION_FREE;
    sb_face face;
    for (int i = 0; i < 2; i++) {
        const sb_solid *over = i == is_turned ? first : second;
        const sb_solid *under = i == is_turned ? second : first;
        if (over->motion != SB_MOTION_FREE ||
            !sb_face_is_needed(world, over, under) ||
            !sb_face_before(over, under, &face))
            continue;
        int count = sb_face_collide(world, over, &face, skin, out);
        if (count <= 0) continue;
        set_pair(out, count, a, b, over == first ? 1.0 : -1.0);
        return choose(out, count, close_m, SB_PAIR_POINTS);
    }
    return 0;
}

int sb_world_collide_pair(const sb_world *world, int a, int b,
                          sb_collision *out) {
    const sb_solid *first = &world->solids[a], *second = &world->solids[b];
    double skin = first->skin_m + second->skin_m;
    double close = 0.05 * fmin(first->thin_m, second->thin_m);
    if (first->collider.kind == SB_COLLIDER_RING &&
        second->collider.kind == SB_COLLIDER_RING) {
        int count = sb_rings_collide(first, second, skin, world->step_s, out);
        set_pair(out, count, a, b, 1.0);
        return choose(out, count, close, SB_RINGS_POINTS);
    }
    int count = collide_face(world, a, b, close, out), kept = 0;
    if (count > 0) return count;
    count = collide_smooth(world, a, b, out);
    if (count >= 0) return count;
    count = collide_parts(world, a, b, out);
    for (int i = 0; i < count; i++) {
        if (first->collider.kind == SB_COLLIDER_RING)
            out[i].depth_m = on_circle(first, &out[i], 1.0);
        if (second->collider.kind == SB_COLLIDER_RING)
            out[i].depth_m = on_circle(second, &out[i], -1.0);
        if (out[i].depth_m > -skin - 1e-12) out[kept++] = out[i];
    }
    return choose(out, kept, close, SB_PAIR_POINTS);
}

/* --- all pairs ------------------------------------------------------------ */

/* Wakes a solid that a moving one touches and lets it fall for the time
 * since the step began, as the others have. */
static bool wake_touched(sb_world *world, int index) {
    sb_solid *solid = &world->solids[index];
    if (solid->motion != SB_MOTION_FREE || !solid->is_asleep) return false;
    sb_solid_wake(solid);
    sb_solid_drift(world, solid, world->step_s);
    sb_geom_place(solid);
    return true;
}

static bool keep(sb_world *world, const sb_collision *points, int count) {
    int total = world->collision_count + count;
    if (!sb_grow((void **)&world->collisions, &world->collision_capacity, total,
                 sizeof *world->collisions))
        return false;
    for (int i = 0; i < count; i++)
        world->collisions[world->collision_count++] = points[i];
    return true;
}

/* One pass over the pairs; true when a solid woke, whose neighbours must
 * then be tested again. */
static bool collide_pairs(sb_world *world) {
    sb_collision points[SB_RAW_POINTS];
    bool has_woken = false;
    for (int i = 0; i < world->pair_count; i++) {
        sb_pair *pair = &world->pairs[i];
        if (pair->is_done || world->collision_count >= SB_MOST_CONTACT_POINTS)
            continue;
        if (!sb_solid_moves(&world->solids[pair->first]) &&
            !sb_solid_moves(&world->solids[pair->second]))
            continue;
        pair->is_done = true;
        int count =
            sb_world_collide_pair(world, pair->first, pair->second, points);
        if (count == 0) continue;
        if (!keep(world, points, count)) {
            world->is_full = true;
            return false;
        }
        has_woken |= wake_touched(world, pair->first);
        has_woken |= wake_touched(world, pair->second);
    }
    return has_woken;
}

/* The points of a pair keep their order: ties are broken by position in the
 * array. */
static int by_pairs(const void *one, const void *other) {
    const sb_collision *a = one, *b = other;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->second != b->second) return a->second < b->second ? -1 : 1;
    if (a->depth_m != b->depth_m) return a->depth_m > b->depth_m ? -1 : 1;
    if (a->point.x != b->point.x) return a->point.x < b->point.x ? -1 : 1;
    return (a->point.z > b->point.z) - (a->point.z < b->point.z);
}

sb_status sb_world_collide(sb_world *world, sb_error *err) {
    enum { MOST_PASSES = 64 };
    world->pair_count = world->collision_count = 0;
    world->is_full = false;
    dSpaceCollide(world->space, world, near_each_other);
    if (world->pair_count > 0)
        qsort(world->pairs, (size_t)world->pair_count, sizeof *world->pairs,
              by_solids);
    for (int pass = 0; pass < MOST_PASSES && collide_pairs(world); pass++) {
    }
    if (world->is_full)
        return sb_fail(err, SB_NO_MEMORY, "no memory for contacts");
    if (world->collision_count > 0)
        qsort(world->collisions, (size_t)world->collision_count,
              sizeof *world->collisions, by_pairs);
    return SB_OK;
}
