/* Contact points of a solid on a plane: a floor, or a face of a box. Points lie
 * on the solid. Runs on the control thread. */
#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>

static double height(const sb_plane *plane, sb_vec3 p) {
    return sb_vec3_dot(plane->normal, sb_vec3_sub(p, plane->point));
}

static int add(const sb_plane *plane, sb_vec3 p, uint32_t feature,
               bool is_round, double margin_m, sb_found *out) {
    double gap = height(plane, p);
    if (gap > margin_m) return 0;
    *out = (sb_found){.point = p,
                      .normal = plane->normal,
                      .gap_m = gap,
                      .feature = feature,
                      .on = 1,
                      .is_round = is_round};
    return 1;
}

static int add_ball(const sb_plane *plane, sb_vec3 centre, double radius,
                    uint32_t feature, double margin_m, sb_found *out) {
    sb_vec3 p = sb_vec3_plus(centre, plane->normal, -radius);
    return add(plane, p, feature, true, margin_m, out);
}

static int box_on(const sb_solid *box, const sb_plane *plane, double margin_m,
                  sb_found *out) {
    sb_vec3 origin = sb_solid_origin(box);
    int count = 0;
    for (unsigned i = 0; i < 8; i++) {
        sb_vec3 corner = {i & 1 ? box->half.x : -box->half.x,
                          i & 2 ? box->half.y : -box->half.y,
                          i & 4 ? box->half.z : -box->half.z};
        sb_vec3 p = sb_vec3_add(origin, sb_quat_turn(box->rotation, corner));
        count += add(plane, p, i, false, margin_m, out + count);
    }
    return count;
}

/* A direction across the axis towards the plane. A rim that lies flat has no
 * lowest point: a fixed direction is used. */
static sb_vec3 downwards(const sb_solid *solid, sb_vec3 axis,
                         const sb_plane *plane) {
    double lean = sb_vec3_dot(axis, plane->normal);
    sb_vec3 d = sb_vec3_sub(sb_vec3_scale(axis, lean), plane->normal);
    if (sb_vec3_dot(d, d) < 1e-18)
        return sb_quat_turn(solid->rotation, (sb_vec3){1.0, 0.0, 0.0});
    return sb_vec3_normalised(d);
}

/* The lowest point of a rim, towards `d`, and three more round it. */
static int rim_on(const sb_plane *plane, sb_vec3 centre, sb_vec3 axis,
                  sb_vec3 d, double radius, uint32_t feature, double margin_m,
                  sb_found *out) {
    const double c[4] = {1, 0, -1, 0}, s[4] = {0, 1, 0, -1};
    sb_vec3 e = sb_vec3_cross(axis, d);
    int count = 0;
    for (unsigned k = 0; k < 4; k++) {
        sb_vec3 p = sb_vec3_plus(sb_vec3_plus(centre, d, radius * c[k]), e,
                                 radius * s[k]);
        int added = add(plane, p, feature + k, true, margin_m, out + count);
        if (added == 0 && k == 0) return 0; /* the others are higher */
        count += added;
    }
    return count;
}

/* The lowest point of each rim, and three more round the lower one. */
static int cylinder_on(const sb_solid *solid, const sb_plane *plane,
                       double margin_m, sb_found *out) {
    sb_vec3 axis = sb_quat_turn(solid->rotation, (sb_vec3){0.0, 1.0, 0.0});
    sb_vec3 centre = sb_solid_origin(solid);
    double half = 0.5 * solid->collider.length, r = solid->collider.radius;
    bool is_top = sb_vec3_dot(axis, plane->normal) < 0.0;
    double sign = is_top ? 1.0 : -1.0;
    sb_vec3 d = downwards(solid, axis, plane);
    sb_vec3 low = sb_vec3_plus(centre, axis, sign * half);
    sb_vec3 high = sb_vec3_plus(centre, axis, -sign * half);
    int count = rim_on(plane, low, axis, d, r, 4u * is_top, margin_m, out);
    sb_vec3 p = sb_vec3_plus(high, d, r);
    count += add(plane, p, 4u * !is_top, true, margin_m, out + count);
    return count;
}

static int capsule_on(const sb_solid *solid, const sb_plane *plane,
                      double margin_m, sb_found *out) {
    sb_vec3 along = sb_quat_turn(solid->rotation, (sb_vec3){1.0, 0.0, 0.0});
    sb_vec3 centre = sb_solid_origin(solid);
    double half = 0.5 * solid->collider.length, r = solid->collider.radius;
    int count = 0;
    for (unsigned k = 0; k < 2; k++) {
        sb_vec3 end = sb_vec3_plus(centre, along, k ? half : -half);
        count += add_ball(plane, end, r, k, margin_m, out + count);
    }
    return count;
}

/* The lowest point of the wire, and three more round the ring. At azimuth o
 * the wire's lowest point is its centre R o plus r times the direction towards
 * the plane across the wire. */
static int ring_on(const sb_solid *solid, const sb_plane *plane,
                   double margin_m, sb_found *out) {
    sb_vec3 axis = solid->axes[1];
    sb_vec3 centre = sb_solid_origin(solid);
    sb_vec3 down = sb_vec3_scale(plane->normal, -1.0);
    sb_vec3 d = downwards(solid, axis, plane), e = sb_vec3_cross(axis, d);
    const double c[4] = {1, 0, -1, 0}, s[4] = {0, 1, 0, -1};
    int count = 0;
    for (unsigned k = 0; k < 4; k++) {
        sb_vec3 o = sb_vec3_add(sb_vec3_scale(d, c[k]), sb_vec3_scale(e, s[k]));
        sb_vec3 along = sb_vec3_cross(axis, o);
        sb_vec3 to = sb_vec3_normalised(
            sb_vec3_plus(down, along, -sb_vec3_dot(down, along)));
        sb_vec3 p =
            sb_vec3_plus(sb_vec3_plus(centre, o, solid->collider.radius), to,
                         solid->collider.wire_radius);
        count += add(plane, p, k, true, margin_m, out + count);
    }
    return count;
}

/* Room for four more points. */
static int make_room(sb_found *out, int count) {
    return count + 4 > SB_RAW_POINTS
               ? sb_found_choose(out, count, 0.0, SB_PAIR_POINTS)
               : count;
}

/* All vertices of a hull; if there are many in reach, those that are lowest or
 * farthest apart are chosen later. */
static int faces_on(const sb_solid *solid, const sb_plane *plane,
                    double margin_m, sb_found *out) {
    const sb_solid_faces *f = &solid->faces;
    sb_vec3 origin = sb_solid_origin(solid);
    sb_vec3 n = sb_quat_turn_back(solid->rotation, plane->normal);
    double base = height(plane, origin);
    int count = 0;
    for (int i = 0; i < f->point_count; i++) {
        if (base + sb_vec3_dot(n, f->points[i]) > margin_m) continue;
        sb_vec3 p =
            sb_vec3_add(origin, sb_quat_turn(solid->rotation, f->points[i]));
        sb_found found;
        if (!add(plane, p, (uint32_t)i, false, margin_m, &found)) continue;
        /* What is not said to be smooth knocks with each facet. */
        found.is_faceted =
            solid->collider.is_smooth && !solid->collider.is_guessed;
        count = make_room(out, count);
        out[count++] = found;
    }
    return count;
}

/* A smooth body of revolution, on its rims. */
static int rims_on(const sb_solid *solid, const sb_plane *plane,
                   double margin_m, sb_found *out) {
    const sb_solid_faces *f = &solid->faces;
    sb_vec3 d = downwards(solid, solid->axle, plane);
    int count = 0;
    for (int i = 0; i < f->rim_count; i++) {
        const sb_solid_rim *rim = &f->rims[i];
        count = make_room(out, count);
        count += rim_on(
            plane, sb_vec3_plus(solid->position, solid->axle, rim->along_m),
            solid->axle, d, rim->radius_m, 4u * (uint32_t)i, margin_m,
            out + count);
    }
    return count;
}

int sb_find_on_plane(const sb_solid *solid, const sb_plane *plane,
                     double margin_m, sb_found *out) {
    switch (solid->collider.kind) {
    case SB_COLLIDER_SPHERE:
        return add_ball(plane, sb_solid_origin(solid), solid->collider.radius,
                        0, margin_m, out);
    case SB_COLLIDER_BOX:
        return box_on(solid, plane, margin_m, out);
    case SB_COLLIDER_CYLINDER:
        return cylinder_on(solid, plane, margin_m, out);
    case SB_COLLIDER_CAPSULE:
        return capsule_on(solid, plane, margin_m, out);
    case SB_COLLIDER_RING:
        return ring_on(solid, plane, margin_m, out);
    case SB_COLLIDER_HULL:
    case SB_COLLIDER_MESH:
        return solid->faces.rims ? rims_on(solid, plane, margin_m, out)
                                 : faces_on(solid, plane, margin_m, out);
    case SB_COLLIDER_AUTO:
    case SB_COLLIDER_NONE:
    case SB_COLLIDER_FLOOR:
    case SB_COLLIDER_KINDS:
        break;
    }
    return 0;
}
