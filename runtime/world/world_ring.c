#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>

static double part_of(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Extent of a ring from its centre along d: R |d across its axis| + r. */
static double reach(const sb_solid *ring, sb_vec3 direction) {
    sb_vec3 up = sb_quat_turn(ring->rotation, (sb_vec3){0.0, 1.0, 0.0});
    double along = sb_vec3_dot(up, direction);
    return ring->collider.radius * sqrt(fmax(1.0 - along * along, 0.0)) +
           ring->collider.wire_radius;
}

/* The face of a box with the largest separation from the ring, out of which
 * the ring is pushed. Returns the separation. */
static double nearest_face(const sb_solid *ring, const sb_solid *box,
                           sb_face *out) {
    double most = -INFINITY;
    sb_vec3 centre = sb_solid_origin(ring), origin = sb_solid_origin(box);
    sb_vec3 at = sb_quat_turn_back(box->rotation, sb_vec3_sub(centre, origin));
    for (int i = 0; i < 6; i++) {
        int axis = i / 2;
        double sign = i % 2 ? -1.0 : 1.0, half = part_of(box->half, axis);
        sb_vec3 n = {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0,
                     axis == 2 ? sign : 0.0};
        double ahead = sign * part_of(at, axis) - half;
        n = sb_quat_turn(box->rotation, n);
        double apart = ahead - reach(ring, n);
        if (apart <= most) continue;
        most = apart;
        *out = (sb_face){n, sb_vec3_add(origin, sb_vec3_scale(n, half)), box,
                         axis};
    }
    return most;
}

/* Points of the wire nearest to the face, spread around the ring from its
 * lowest point. */
int sb_ring_collide_face(const sb_solid *ring, const sb_face *f, double skin_m,
                         double deepest_m, sb_collision *out) {
    sb_vec3 up = sb_quat_turn(ring->rotation, (sb_vec3){0.0, 1.0, 0.0});
    sb_vec3 centre = sb_solid_origin(ring);
    sb_vec3 down = sb_vec3_scale(f->normal, -1.0);
    sb_vec3 across =
        sb_vec3_sub(down, sb_vec3_scale(up, sb_vec3_dot(up, down)));
    /* A ring that lies flat has no lowest point: a fixed direction is used. */
    if (sb_vec3_length(across) < 1e-3)
        across = sb_quat_turn(ring->rotation, (sb_vec3){1.0, 0.0, 0.0});
    sb_vec3 e0 = sb_vec3_normalised(across), e1 = sb_vec3_cross(up, e0);
    int count = 0;
    for (int k = 0; k < SB_RING_POINTS; k++) {
        double c = cos(2.0 * SB_PI * k / SB_RING_POINTS),
               s = sin(2.0 * SB_PI * k / SB_RING_POINTS);
        sb_vec3 out_of =
            sb_vec3_add(sb_vec3_scale(e0, c), sb_vec3_scale(e1, s));
        sb_vec3 along = sb_vec3_cross(up, out_of);
        sb_vec3 to = sb_vec3_normalised(
            sb_vec3_sub(down, sb_vec3_scale(along, sb_vec3_dot(down, along))));
        sb_vec3 point = sb_vec3_add(
            centre, sb_vec3_add(sb_vec3_scale(out_of, ring->collider.radius),
                                sb_vec3_scale(to, ring->collider.wire_radius)));
        double depth = sb_vec3_dot(f->normal, sb_vec3_sub(f->point, point));
        if (depth <= -skin_m) continue;
        if (f->solid && (depth > deepest_m || !sb_face_has(f, point)))
            return -1;
        out[count++] = (sb_collision){
            .point = point, .normal = f->normal, .depth_m = depth};
    }
    return count;
}

int sb_ring_collide(const sb_solid *ring, const sb_solid *other, double skin_m,
                    sb_collision *out) {
    sb_face f = {.point = sb_solid_origin(other)};
    if (other->collider.kind == SB_COLLIDER_FLOOR) {
        f.normal = sb_quat_turn(other->rotation, (sb_vec3){0.0, 1.0, 0.0});
        return sb_ring_collide_face(ring, &f, skin_m, INFINITY, out);
    }
    if (other->collider.kind != SB_COLLIDER_BOX) return -1;
    if (nearest_face(ring, other, &f) > skin_m) return 0;
    int count =
        sb_ring_collide_face(ring, &f, skin_m, ring->collider.wire_radius, out);
    return count == 0 ? -1 : count;
}
