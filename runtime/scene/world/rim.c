/* Speeds of a contact that runs round the rim of a body: a coin or a ring that
 * comes to rest. Control thread.
 *
 * The tracker measures the velocity of a contact's place from step to step. On
 * a rim it is known from the motion of the body: the contact is at its lowest
 * point. With the axis d, up along the normal n of the ground, and the spin w,
 *
 *     s = n - (n.d) d,   e = -s / |s|,   d' = w x d,
 *     contact = centre + r e - c d,      velocity = v + r e' - c d',
 *
 * where r is the radius and c half the thickness; a ring of wire instead touches
 * at its wire's radius below its middle line. It holds however flat the body
 * lies, also when the contact passes a good part of the rim in a step.
 */
#include "runtime/base/pi.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

/* Steeper bodies roll as wheels do, at the speed of their centre. */
#define LEAST_UP 0.3

/* Flatter bodies have no lowest point. */
#define LEAST_SINE 1e-5

/* The contact is on the rim, but for the way of a step; in radii. */
#define NEAR 0.6

/* Most turns per second of a contact. */
#define MOST_TURNS 2000.0

typedef struct rim {
    double radius_m, below_m; /* below_m: down along the axis, or the normal */
    bool is_wire;
} rim;

static rim rim_of(const scene_body *body) {
    sb_collider c = body->collider;
    if (c.kind == SB_COLLIDER_CYLINDER)
        return (rim){c.radius, 0.5 * c.length, false};
    if (c.kind == SB_COLLIDER_RING) return (rim){c.radius, c.wire_radius, true};
    return (rim){0.0, 0.0, false};
}

static sb_vec3 along(sb_vec3 v, sb_vec3 normal) {
    return sb_vec3_sub(v, sb_vec3_scale(normal, sb_vec3_dot(v, normal)));
}

/* Offset of the lowest point from the centre, and its velocity. False when
 * there is none. */
static bool lowest(const rim *at, const sb_pose *pose, sb_vec3 n,
                   sb_vec3 *offset, sb_vec3 *moves) {
    sb_vec3 d = sb_quat_turn(pose->rotation, (sb_vec3){0.0, 1.0, 0.0});
    if (sb_vec3_dot(d, n) < 0.0) d = sb_vec3_scale(d, -1.0);
    double up = sb_vec3_dot(d, n);
    sb_vec3 s = sb_vec3_sub(n, sb_vec3_scale(d, up));
    double sine = sb_vec3_length(s);
    if (up < LEAST_UP || sine < LEAST_SINE) return false;
    sb_vec3 turns = sb_vec3_cross(pose->spin, d);
    sb_vec3 e = sb_vec3_scale(s, -1.0 / sine);
    sb_vec3 changes =
        sb_vec3_scale(sb_vec3_add(sb_vec3_scale(d, sb_vec3_dot(n, turns)),
                                  sb_vec3_scale(turns, up)),
                      1.0 / sine); /* -s' / |s| */
    changes = along(changes, e);
    *offset = sb_vec3_scale(e, at->radius_m);
    *moves = sb_vec3_scale(changes, at->radius_m);
    if (at->is_wire) {
        *offset = sb_vec3_sub(*offset, sb_vec3_scale(n, at->below_m));
    } else {
        *offset = sb_vec3_sub(*offset, sb_vec3_scale(d, at->below_m));
        *moves = sb_vec3_sub(*moves, sb_vec3_scale(turns, at->below_m));
    }
    return sb_vec3_length(changes) < SB_TAU * MOST_TURNS;
}

static bool run_round(const sb_scene *scene, sb_body_id id, int side,
                      sb_tracked *event) {
    const scene_body *body = scene_side(scene, id);
    rim at = rim_of(body);
    sb_vec3 n = sb_vec3_scale(event->normal, side == 0 ? 1.0 : -1.0);
    sb_vec3 offset, moves;
    if (!(at.radius_m > 0.0) || !lowest(&at, &body->pose, n, &offset, &moves))
        return false;
    sb_vec3 place = sb_vec3_add(body->pose.position, offset);
    if (sb_vec3_length(sb_vec3_sub(place, event->point)) > NEAR * at.radius_m)
        return false;
    sb_vec3 matter = sb_vec3_cross(body->pose.spin, offset);
    sb_vec3 over = along(sb_vec3_add(body->pose.velocity, moves), n);
    event->surface_m_s[side] = along(sb_vec3_sub(moves, matter), n);
    event->surface_m_s[1 - side] = over;
    event->slip_m_s = sb_vec3_sub(event->surface_m_s[1], event->surface_m_s[0]);
    return true;
}

void scene_rim(const sb_scene *scene, const sb_body_id body[2],
               sb_tracked *event) {
    if (event->state != SB_ROLLING) return;
    for (int i = 0; i < 2; i++) {
        const sb_body_def *def = &scene_side(scene, body[1 - i])->declared.def;
        if (def->moves.motion == SB_MOTION_FIXED &&
            run_round(scene, body[i], i, event))
            return;
    }
}
