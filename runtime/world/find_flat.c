/* SPDX-License-Identifier: MIT */
/* Contact points of a solid on a plane: a floor, or a face of a box. Points lie
 * on the solid. And the point of a solid that is nearest to a ball. Runs on the
 * control thread. */
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
        sb_vec3 corner = {i & 1 ? box->size.half.x : -box->size.half.x,
                          i & 2 ? box->size.half.y : -box->size.half.y,
                          i & 4 ? box->size.half.z : -box->size.half.z};
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
        sb_vec3 o = sb_vec3_plus(sb_vec3_scale(d, c[k]), e, s[k]);
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

/* --- faces of boxes ------------------------------------------------------- */

/* The face is the one with the largest separation. Once the solids overlap, it
 * is the face that was in front before: however thin the box is, the solid
 * leaves it on the side from which it came. */

static sb_plane face_plane(const sb_solid *box, int face) {
    int axis = face / 2;
    double sign = face % 2 ? -1.0 : 1.0;
    sb_vec3 n = {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0,
                 axis == 2 ? sign : 0.0};
    n = sb_quat_turn(box->rotation, n);
    return (sb_plane){n, sb_vec3_plus(sb_solid_origin(box), n,
                                      sb_vec3_part(box->size.half, axis))};
}

static double separation(const sb_solid *solid, const sb_plane *plane) {
    return sb_vec3_dot(plane->normal,
                       sb_vec3_sub(solid->position, plane->point)) -
           sb_solid_extent(solid, sb_vec3_scale(plane->normal, -1.0));
}

/* The face that the solid is in front of, and how far. */
static int front_of(const sb_solid *solid, const sb_solid *box,
                    double *apart_m) {
    int best = 0;
    *apart_m = -INFINITY;
    for (int i = 0; i < 6; i++) {
        sb_plane plane = face_plane(box, i);
        double apart = separation(solid, &plane);
        if (apart > *apart_m) *apart_m = apart, best = i;
    }
    return best;
}

/* Whether the point, above the face, is so far inside its edges. */
static bool is_on_face(const sb_solid *box, int axis, sb_vec3 p,
                       double edge_m) {
    sb_vec3 at =
        sb_quat_turn_back(box->rotation, sb_vec3_sub(p, sb_solid_origin(box)));
    for (int k = 0; k < 3; k++)
        if (k != axis && fabs(sb_vec3_part(at, k)) >
                             sb_vec3_part(box->size.half, k) - edge_m)
            return false;
    return true;
}

/* A solid over the face whose points all lie on it is in front of it; if one
 * does not, the edge may touch, too. */
static int on_face(const sb_solid *solid, const sb_solid *box, int face,
                   double margin_m, sb_found *out) {
    sb_plane plane = face_plane(box, face);
    int count = sb_find_on_plane(solid, &plane, margin_m, out), kept = 0;
    bool has_corners = solid->collider.kind == SB_COLLIDER_BOX ||
                       solid->collider.kind == SB_COLLIDER_HULL;
    double edge_m = has_corners ? 1e-4 : 0.0;
    for (int i = 0; i < count; i++) {
        if (!is_on_face(box, face / 2, out[i].point, edge_m)) return -1;
        out[i].feature += 16u * (uint32_t)face;
        out[kept++] = out[i];
    }
    return kept;
}

/* The face in front of which the solid is, or was before they overlapped. One
 * that is now in front of the opposite face, and over it, has passed through. */
static int remember(const sb_solid *solid, const sb_solid *box, int kept,
                    double *apart_m) {
    int front = front_of(solid, box, apart_m);
    if (kept < 0 || !is_on_face(box, kept / 2, solid->position, 0.0))
        return front;
    return *apart_m > 0.0 && front / 2 != kept / 2 ? front : kept;
}

/* A ball over the face touches it there, one beside it the nearest edge. */
static int ball_on(const sb_solid *ball, const sb_solid *box, int face,
                   double margin_m, sb_found *out) {
    if (is_on_face(box, face / 2, ball->position, 0.0)) {
        sb_plane plane = face_plane(box, face);
        return sb_find_on_plane(ball, &plane, margin_m, out);
    }
    int count = sb_find_on_ball(box, ball, margin_m, out);
    if (count > 0) {
        out->normal = sb_vec3_scale(out->normal, -1.0);
        out->on = -out->on;
    }
    return count;
}

int sb_find_on_box(const sb_solid *solid, const sb_solid *box, int *face,
                   double margin_m, sb_found *out) {
    sb_collider_kind kind = solid->collider.kind;
    double apart;
    int front = remember(solid, box, *face - 1, &apart);
    *face = front + 1;
    if (kind == SB_COLLIDER_SPHERE)
        return ball_on(solid, box, front, margin_m, out);
    if (kind == SB_COLLIDER_FLOOR ||
        (kind == SB_COLLIDER_MESH && !solid->faces.rims))
        return -1;
    if (apart > margin_m) return 0;
    if (!is_on_face(box, front / 2, solid->position, 0.0)) return -1;
    return on_face(solid, box, front, margin_m, out);
}

/* --- the nearest point to a ball ------------------------------------------ */

/* Distance of `at` from a box of the given half sides, and its direction. */
static double from_box(sb_vec3 at, sb_vec3 half, sb_vec3 *n) {
    sb_vec3 out = {fabs(at.x) - half.x, fabs(at.y) - half.y,
                   fabs(at.z) - half.z};
    if (out.x <= 0.0 && out.y <= 0.0 && out.z <= 0.0) {
        double most = fmax(out.x, fmax(out.y, out.z));
        *n = (sb_vec3){0.0, 0.0, 0.0};
        if (most == out.y)
            n->y = copysign(1.0, at.y);
        else if (most == out.x)
            n->x = copysign(1.0, at.x);
        else
            n->z = copysign(1.0, at.z);
        return most;
    }
    sb_vec3 d = {copysign(fmax(out.x, 0.0), at.x),
                 copysign(fmax(out.y, 0.0), at.y),
                 copysign(fmax(out.z, 0.0), at.z)};
    double far = sb_vec3_length(d);
    *n = sb_vec3_scale(d, 1.0 / far);
    return far;
}

static double from_cylinder(sb_vec3 at, double r, double half, sb_vec3 *n) {
    double across = hypot(at.x, at.z);
    double out = across - r, up = fabs(at.y) - half;
    sb_vec3 side = across > 0.0 ? (sb_vec3){at.x / across, 0.0, at.z / across}
                                : (sb_vec3){1.0, 0.0, 0.0};
    sb_vec3 end = {0.0, copysign(1.0, at.y), 0.0};
    if (out <= 0.0 || up <= 0.0) {
        *n = out > up ? side : end;
        return fmax(out, up);
    }
    double far = hypot(out, up);
    *n = sb_vec3_scale(sb_vec3_plus(sb_vec3_scale(side, out), end, up),
                       1.0 / far);
    return far;
}

static double from_point(sb_vec3 at, sb_vec3 *n) {
    double far = sb_vec3_length(at);
    *n = far > 0.0 ? sb_vec3_scale(at, 1.0 / far) : (sb_vec3){0.0, 1.0, 0.0};
    return far;
}

bool sb_solid_nearest(const sb_solid *solid, sb_vec3 p, sb_vec3 *normal,
                      double *distance_m) {
    const sb_collider *c = &solid->collider;
    sb_vec3 at = sb_quat_turn_back(solid->rotation,
                                   sb_vec3_sub(p, sb_solid_origin(solid)));
    sb_vec3 n;
    double far;
    if (c->kind == SB_COLLIDER_SPHERE) {
        far = from_point(at, &n) - c->radius;
    } else if (c->kind == SB_COLLIDER_BOX) {
        far = from_box(at, solid->size.half, &n);
    } else if (c->kind == SB_COLLIDER_CYLINDER) {
        far = from_cylinder(at, c->radius, 0.5 * c->length, &n);
    } else if (c->kind == SB_COLLIDER_CAPSULE) {
        double half = 0.5 * c->length;
        at.x -= fmin(fmax(at.x, -half), half);
        far = from_point(at, &n) - c->radius;
    } else if (c->kind == SB_COLLIDER_RING) {
        double across = hypot(at.x, at.z);
        double by = across > 0.0 ? c->radius / across : 0.0;
        sb_vec3 wire = across > 0.0 ? (sb_vec3){by * at.x, 0.0, by * at.z}
                                    : (sb_vec3){c->radius, 0.0, 0.0};
        far = from_point(sb_vec3_sub(at, wire), &n) - c->wire_radius;
    } else {
        return false;
    }
    *normal = sb_quat_turn(solid->rotation, n);
    *distance_m = far;
    return true;
}
