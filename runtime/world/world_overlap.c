/* Solids that overlap where they are put (world.h). Runs on the control
 * thread. */
#include "runtime/world/world_internal.h"

#include <math.h>

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
            sb_vec3_cross(sb_vec3_sub(point_of(faces, f, 1), a),
                          sb_vec3_sub(point_of(faces, f, 2), a)));
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

/* --- pairs ---------------------------------------------------------------- */

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

static bool may_overlap(const sb_world *world, int a, int b) {
    const sb_solid *one = &world->solids[a], *other = &world->solids[b];
    if (!one->is_used || !other->is_used || !one->geoms || !other->geoms)
        return false;
    if (!sb_world_may_collide(world, a, b)) return false;
    if (one->collider.kind == SB_COLLIDER_FLOOR ||
        other->collider.kind == SB_COLLIDER_FLOOR)
        return true;
    double reach = one->reach_m + other->reach_m;
    sb_vec3 apart = sb_vec3_sub(one->position, other->position);
    return sb_vec3_dot(apart, apart) <= reach * reach;
}

static void visit_pair(sb_world *world, int a, int b, sb_overlap_visitor *visit,
                       void *user) {
    if (!may_overlap(world, a, b)) return;
    const sb_solid *one = &world->solids[a], *other = &world->solids[b];
    double depth_m = depth_of_pair(world, a, b);
    double thin_m = fmin(one->thin_m, other->thin_m);
    if (depth_m > fmax(LEAST_M, LEAST_SHARE * thin_m))
        visit(user, one->user, other->user, depth_m);
}

void sb_world_overlaps(sb_world *world, sb_overlap_visitor *visit, void *user) {
    for (int a = 0; a < world->solid_count; a++)
        for (int b = a + 1; b < world->solid_count; b++)
            visit_pair(world, a, b, visit, user);
}

void sb_world_new_overlaps(sb_world *world, sb_overlap_visitor *visit,
                           void *user) {
    if (!world->has_new) return;
    for (int a = 0; visit && a < world->solid_count; a++)
        for (int b = a + 1; b < world->solid_count; b++)
            if (world->solids[a].is_new || world->solids[b].is_new)
                visit_pair(world, a, b, visit, user);
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].is_new = false;
    world->has_new = false;
}
