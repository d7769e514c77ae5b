/* Decides which side of a thin solid another solid came from. A rim that
 * spins fast passes through a plate within one step; ODE then finds points
 * on both sides and pushes some of them the wrong way. So the face of a box,
 * or end of a cylinder, that the other solid was in front of when the step
 * began acts as a half-space in this step. The centre of the other solid
 * cannot have passed it, since sweeps stop a flight at the first obstacle.
 * Runs on the control thread. */
#include "runtime/world/world_internal.h"

#include <math.h>

static double part_of(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool has_faces(const sb_solid *solid) {
    return solid->collider.kind == SB_COLLIDER_BOX ||
           solid->collider.kind == SB_COLLIDER_CYLINDER;
}

bool sb_face_has(const sb_face *face, sb_vec3 point) {
    const sb_solid *on = face->solid;
    if (!on) return true;
    sb_vec3 at = sb_quat_turn_back(on->rotation,
                                   sb_vec3_sub(point, sb_solid_origin(on)));
    sb_vec3 half = on->half;
    if (on->collider.kind == SB_COLLIDER_CYLINDER)
        return hypot(at.x, at.z) <= half.x;
    return (face->axis == 0 || fabs(at.x) <= half.x) &&
           (face->axis == 1 || fabs(at.y) <= half.y) &&
           (face->axis == 2 || fabs(at.z) <= half.z);
}

/* Upper bound of the distance that the surface of a solid moves in a step,
 * relative to another solid. */
static double way_of(const sb_world *world, const sb_solid *solid,
                     const sb_solid *other) {
    sb_vec3 v = sb_vec3_sub(solid->velocity, other->velocity);
    return world->step_s *
           (sb_vec3_length(v) +
            sb_vec3_length(solid->half) * sb_vec3_length(solid->spin));
}

bool sb_face_is_needed(const sb_world *world, const sb_solid *solid,
                       const sb_solid *on) {
    return has_faces(on) && way_of(world, solid, on) > 0.5 * on->thin_m;
}

bool sb_face_before(const sb_solid *solid, const sb_solid *on, sb_face *out) {
    if (!has_faces(on)) return false;
    sb_vec3 at =
        sb_quat_turn_back(on->start_turn, sb_vec3_sub(solid->start, on->start));
    at = sb_vec3_add(at, on->mass.centre);
    bool is_round = on->collider.kind == SB_COLLIDER_CYLINDER;
    double most = -INFINITY;
    int found = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (is_round && axis != 1) continue;
        double ahead = fabs(part_of(at, axis)) - part_of(on->half, axis);
        if (ahead > most) most = ahead, found = axis;
    }
    double sign = part_of(at, found) < 0.0 ? -1.0 : 1.0;
    sb_vec3 n = {found == 0 ? sign : 0.0, found == 1 ? sign : 0.0,
                 found == 2 ? sign : 0.0};
    n = sb_quat_turn(on->rotation, n);
    *out = (sb_face){n,
                     sb_vec3_add(sb_solid_origin(on),
                                 sb_vec3_scale(n, part_of(on->half, found))),
                     on, found};
    return sb_face_has(
        out, sb_vec3_add(sb_solid_origin(on), sb_quat_turn(on->rotation, at)));
}

static int collide_plane(const sb_world *world, const sb_solid *solid,
                         const sb_face *face, double skin_m,
                         sb_collision *out) {
    enum { MOST = 16 };
    dContactGeom found[MOST];
    sb_vec3 n = face->normal;
    int count = 0;
    dGeomPlaneSetParams(world->half_space, n.x, n.y, n.z,
                        sb_vec3_dot(n, face->point) + face->solid->skin_m);
    for (int i = 0; i < solid->part_count; i++) {
        int got = dCollide(solid->parts[i].geom, world->half_space, MOST, found,
                           sizeof found[0]);
        for (int k = 0; k < got && count < SB_FACE_POINTS; k++) {
            const dContactGeom *c = &found[k];
            sb_collision m = {.point = {c->pos[0], c->pos[1], c->pos[2]},
                              .normal = n,
                              .depth_m = c->depth - skin_m};
            if (!sb_face_has(face, m.point)) continue;
            /* ODE returns the deepest point; the contact point is on the
             * face. */
            double off = sb_vec3_dot(n, sb_vec3_sub(m.point, face->point));
            m.point = sb_vec3_sub(m.point, sb_vec3_scale(n, off));
            out[count++] = m;
        }
    }
    return count;
}

int sb_face_collide(const sb_world *world, const sb_solid *solid,
                    const sb_face *face, double skin_m, sb_collision *out) {
    if (solid->collider.kind == SB_COLLIDER_RING)
        return sb_ring_collide_face(solid, face, skin_m, INFINITY, out);
    return collide_plane(world, solid, face, skin_m, out);
}
