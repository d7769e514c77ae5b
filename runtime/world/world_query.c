/* SPDX-License-Identifier: MIT */
/* Questions to the world that move nothing: solids that overlap where they are
 * put, and rays (world.h). Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <stdlib.h>

/* Solids that touch overlap by rounding, and by a little that was never meant:
 * more than both of these is reported. */
#define LEAST_M     2e-4
#define LEAST_SHARE 0.05

/* --- how deep the centre of one is in another ----------------------------- */

static sb_vec3 point_of(const sb_solid_faces *faces, int face, int corner) {
    return faces->points[faces->corners[face][corner]];
}

/* The distance to the nearest face of a convex hull; negative: outside. */
static double depth_in_hull(const sb_solid_faces *faces, sb_vec3 p) {
    double least = INFINITY;
    for (int f = 0; f < faces->face_count; f++) {
        sb_vec3 a = point_of(faces, f, 0);
        sb_vec3 n = sb_vec3_normalised(
            sb_vec3_span(a, point_of(faces, f, 1), point_of(faces, f, 2)));
        least = fmin(least, sb_vec3_dot(n, sb_vec3_sub(a, p)));
    }
    return isfinite(least) ? least : -1.0;
}

/* Collisions of a solid that is wholly inside a hull are not found: none of its
 * points is near a face. */
static double depth_of_centre(const sb_solid *in, const sb_solid *of) {
    const sb_collider *c = &in->collider;
    if (of->collider.kind == SB_COLLIDER_RING ||
        of->collider.kind == SB_COLLIDER_FLOOR) {
        return -1.0;
    }
    sb_vec3 p = sb_quat_turn_back(
        in->rotation, sb_vec3_sub(of->position, sb_solid_origin(in)));
    switch (c->kind) {
    case SB_COLLIDER_BOX:
        return fmin(
            0.5 * c->width - fabs(p.x),
            fmin(0.5 * c->height - fabs(p.y), 0.5 * c->depth - fabs(p.z)));
    case SB_COLLIDER_SPHERE:
        return c->radius - sb_vec3_length(p);
    case SB_COLLIDER_CYLINDER:
        return fmin(c->radius - hypot(p.x, p.z), 0.5 * c->length - fabs(p.y));
    case SB_COLLIDER_HULL:
        return depth_in_hull(&in->faces, p);
    case SB_COLLIDER_AUTO:
    case SB_COLLIDER_NONE:
    case SB_COLLIDER_CAPSULE:
    case SB_COLLIDER_RING:
    case SB_COLLIDER_MESH:
    case SB_COLLIDER_FLOOR:
    case SB_COLLIDER_KINDS:
        break;
    }
    return -1.0;
}

/* --- a pair --------------------------------------------------------------- */

static double depth_of_pair(const sb_world *world, int a, int b) {
    sb_found points[SB_RAW_POINTS];
    const sb_solid *one = &world->solids[a], *other = &world->solids[b];
    sb_pair pair = {.first = a, .second = b};
    int count = sb_pair_find(world, &pair, 0.0, points);
    double deepest =
        fmax(depth_of_centre(one, other), depth_of_centre(other, one));
    for (int i = 0; i < count; i++)
        deepest = fmax(deepest, -points[i].gap_m);
    sb_pair_free(&pair);
    return deepest;
}

/* --- the sweep ------------------------------------------------------------ */

/* What one check may cost, in units of some 10 ns: a few tenths of a second.
 * Scenes whose solids are apart cost less by orders of magnitude. */
static const int64_t MOST_WORK = 30000000;
enum { PAIR_WORK = 100, FACE_WORK = 50, MOST_FOUND = 200000 };

/* How far a solid reaches along the axis of the sweep. */
typedef struct span {
    double low, high;
    int index;
} span;

typedef struct search {
    sb_world *world;
    bool is_new_only;
    span *spans;
    int span_count;
    uint64_t *keys; /* of pairs that may overlap: both indices */
    int key_count, key_capacity;
    int64_t work;
    bool is_cut; /* not all pairs are looked at */
} search;

/* False once there has been too much work, or the caller is to stop. */
static bool goes_on(search *self, int64_t work) {
    self->work += work;
    self->is_cut |= self->work > MOST_WORK || sb_stop_is_wanted();
    return !self->is_cut;
}

static bool is_floor(const sb_solid *solid) {
    return solid->collider.kind == SB_COLLIDER_FLOOR;
}

/* The axis along which centres are spread the most. */
static int widest_axis(const sb_world *world) {
    int widest = 0;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < world->solid_count; i++) {
            const sb_solid *solid = &world->solids[i];
            if (!solid->is_used || !solid->geoms || is_floor(solid)) continue;
            low = fmin(low, sb_vec3_part(solid->position, k));
            high = fmax(high, sb_vec3_part(solid->position, k));
        }
        if (!(high - low > most)) continue;
        most = high - low;
        widest = k;
    }
    return widest;
}

static int compare_spans(const void *one, const void *other) {
    const span *a = one, *b = other;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_keys(const void *one, const void *other) {
    const uint64_t *a = one, *b = other;
    return *a < *b ? -1 : *a > *b;
}

static bool make_spans(search *self) {
    const sb_world *world = self->world;
    int axis = widest_axis(world);
    self->spans = sb_alloc((size_t)world->solid_count + 1, sizeof(span));
    if (!self->spans) return false;
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &world->solids[i];
        if (!solid->is_used || !solid->geoms) continue;
        double at = sb_vec3_part(solid->position, axis);
        double reach = is_floor(solid) ? INFINITY : solid->reach_m;
        self->spans[self->span_count++] = (span){at - reach, at + reach, i};
    }
    qsort(self->spans, (size_t)self->span_count, sizeof(span), compare_spans);
    return true;
}

static bool may_overlap(search *self, int a, int b) {
    const sb_solid *one = &self->world->solids[a],
                   *other = &self->world->solids[b];
    if (self->is_new_only && !one->is_new && !other->is_new) return false;
    if (!is_floor(one) && !is_floor(other)) {
        double reach = one->reach_m + other->reach_m;
        sb_vec3 apart = sb_vec3_sub(one->position, other->position);
        if (!(sb_vec3_dot(apart, apart) <= reach * reach)) return false;
    }
    /* All joints are searched for one between the two. */
    if (one->joint_count > 0 && other->joint_count > 0)
        self->work += self->world->joint_count / 8;
    return sb_world_may_collide(self->world, a, b);
}

static bool add_key(search *self, int a, int b) {
    if (self->key_count >= MOST_FOUND ||
        !sb_grow_list(self->keys, self->key_capacity, self->key_count + 1))
        return false;
    uint64_t first = (uint64_t)(a < b ? a : b),
             second = (uint64_t)(a < b ? b : a);
    self->keys[self->key_count++] = first << 32 | second;
    return true;
}

static void sweep(search *self) {
    for (int i = 0; i < self->span_count; i++) {
        const span *one = &self->spans[i];
        int k = i + 1;
        for (; k < self->span_count && self->spans[k].low <= one->high; k++) {
            if (!may_overlap(self, one->index, self->spans[k].index)) continue;
            self->is_cut |= !add_key(self, one->index, self->spans[k].index);
            if (self->is_cut) return;
        }
        if (!goes_on(self, k - i)) return;
    }
}

/* --- all pairs ------------------------------------------------------------ */

static void visit_pair(search *self, int a, int b, sb_overlap_visitor *visit,
                       void *user) {
    const sb_solid *one = &self->world->solids[a],
                   *other = &self->world->solids[b];
    double depth_m = depth_of_pair(self->world, a, b);
    double thin_m = fmin(one->size.thin_m, other->size.thin_m);
    if (depth_m > fmax(LEAST_M, LEAST_SHARE * thin_m))
        visit(user, one->user, other->user, depth_m);
}

static int64_t work_of(const search *self, int a, int b) {
    const sb_solid *solids = self->world->solids;
    return PAIR_WORK + (int64_t)FACE_WORK * (solids[a].faces.face_count +
                                             solids[b].faces.face_count);
}

/* Pairs come in the order of their solids. What the sweep spends is not taken
 * from what they may: then some are always looked at. */
static bool visit_all(sb_world *world, bool is_new_only,
                      sb_overlap_visitor *visit, void *user) {
    search self = {.world = world, .is_new_only = is_new_only};
    self.is_cut = !make_spans(&self);
    if (!self.is_cut) sweep(&self);
    bool is_cut = self.is_cut;
    self.is_cut = false;
    self.work = 0;
    if (self.key_count > 0)
        qsort(self.keys, (size_t)self.key_count, sizeof *self.keys,
              compare_keys);
    for (int i = 0; i < self.key_count; i++) {
        int a = (int)(self.keys[i] >> 32);
        int b = (int)(self.keys[i] & 0xffffffffu);
        if (!goes_on(&self, work_of(&self, a, b))) break;
        visit_pair(&self, a, b, visit, user);
    }
    sb_free(self.keys);
    sb_free(self.spans);
    return !is_cut && !self.is_cut;
}

bool sb_world_overlaps(sb_world *world, sb_overlap_visitor *visit, void *user) {
    return visit_all(world, false, visit, user);
}

bool sb_world_new_overlaps(sb_world *world, sb_overlap_visitor *visit,
                           void *user) {
    if (!world->has_new) return true;
    bool is_whole = !visit || visit_all(world, true, visit, user);
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].is_new = false;
    world->has_new = false;
    return is_whole;
}

/* --- rays ----------------------------------------------------------------- */

/* Whether the ray may meet the ball round the solid. */
static bool may_meet(const sb_solid *solid, sb_vec3 from, sb_vec3 along,
                     double most_m) {
    if (solid->collider.kind == SB_COLLIDER_FLOOR) return true;
    sb_vec3 to = sb_vec3_sub(solid->position, from);
    double at = fmin(fmax(sb_vec3_dot(to, along), 0.0), most_m);
    sb_vec3 off = sb_vec3_plus(to, along, -at);
    double reach = solid->reach_m + solid->size.skin_m + 1e-6;
    return sb_vec3_dot(off, off) <= reach * reach;
}

bool sb_world_raycast(sb_world *world, sb_vec3 from, sb_vec3 direction,
                      double most_m, uint32_t skip, sb_ray_hit *out) {
    double length = sb_vec3_length(direction);
    double far = sb_vec3_length(from);
    if (!(length > 0.0 && length < INFINITY && far < 1e9 && most_m > 0.0))
        return false;
    sb_vec3 along = sb_vec3_normalised(sb_vec3_scale(direction, 1.0 / length));
    double nearest = INFINITY;
    most_m = fmin(most_m, 1e9);
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &world->solids[i];
        if (!solid->is_used || solid->is_lost || solid->user == skip ||
            !may_meet(solid, from, along, most_m))
            continue;
        sb_vec3 normal = {0, 0, 0};
        double at = sb_geoms_ray(solid, from, along, most_m, &normal);
        if (!(at < nearest)) continue;
        nearest = at;
        *out = (sb_ray_hit){.user = solid->user,
                            .point = sb_vec3_plus(from, along, at),
                            .normal = normal,
                            .distance_m = at};
    }
    return isfinite(nearest);
}
