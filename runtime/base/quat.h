/* runtime/base/quat.h -- the orientation of a body.
 *
 * A unit quaternion w + x i + y j + z k; { 1, 0, 0, 0 } is the identity. It
 * rotates vectors from the body's own axes to those of the world.
 *
 * Thread: any.
 */
#ifndef SB_BASE_QUAT_H
#define SB_BASE_QUAT_H

#include "runtime/base/vec3.h"

typedef struct sb_quat {
    double w, x, y, z;
} sb_quat;

static inline sb_quat sb_quat_identity(void) {
    return (sb_quat){1.0, 0.0, 0.0, 0.0};
}

/* The product a b: the rotation b, followed by a. */
static inline sb_quat sb_quat_times(sb_quat a, sb_quat b) {
    return (sb_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline sb_quat sb_quat_inverse(sb_quat q) {
    return (sb_quat){q.w, -q.x, -q.y, -q.z};
}

/* A quaternion of length 0 becomes the identity. */
static inline sb_quat sb_quat_normalised(sb_quat q) {
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0.0)) return sb_quat_identity();
    return (sb_quat){q.w / length, q.x / length, q.y / length, q.z / length};
}

/* Rotation by `angle_rad` about `axis`, which need not have unit length. */
static inline sb_quat sb_quat_about(sb_vec3 axis, double angle_rad) {
    sb_vec3 n = sb_vec3_normalised(axis);
    double s = sin(0.5 * angle_rad);
    return (sb_quat){cos(0.5 * angle_rad), s * n.x, s * n.y, s * n.z};
}

/* As axis x, y, z and angle in rad, 0 .. 2 pi. Without rotation any axis is
 * correct: the y axis. */
static inline void sb_quat_to_axis(sb_quat q, double out[4]) {
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double by = sine > 0.0 ? 1.0 / sine : 0.0;
    out[0] = q.x * by;
    out[1] = sine > 0.0 ? q.y * by : 1.0;
    out[2] = q.z * by;
    out[3] = 2.0 * atan2(sine, q.w);
}

static inline sb_vec3 sb_quat_turn(sb_quat q, sb_vec3 v) {
    sb_vec3 axis = {q.x, q.y, q.z};
    sb_vec3 t = sb_vec3_scale(sb_vec3_cross(axis, v), 2.0);
    return sb_vec3_add(sb_vec3_add(v, sb_vec3_scale(t, q.w)),
                       sb_vec3_cross(axis, t));
}

static inline sb_vec3 sb_quat_turn_back(sb_quat q, sb_vec3 v) {
    return sb_quat_turn(sb_quat_inverse(q), v);
}

#endif
