/* SPDX-License-Identifier: MIT */
/* runtime/base/pose.h -- position, orientation and velocity of a body, and how
 * it may move.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include "runtime/base/vec3.h"

/* A unit quaternion w + x i + y j + z k; { 1, 0, 0, 0 } is the identity. It
 * rotates vectors from the body's own axes to those of the world. */
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

typedef struct sb_pose {
    sb_vec3 position; /* of the centre of its shape, m */
    sb_quat rotation;
    sb_vec3 velocity; /* of that point, m/s */
    sb_vec3 spin;     /* rad/s, about the world's axes */
} sb_pose;

static inline sb_pose sb_pose_default(void) {
    return (sb_pose){.rotation = {1.0, 0.0, 0.0, 0.0}};
}

static inline sb_vec3 sb_pose_to_world(const sb_pose *pose, sb_vec3 local) {
    return sb_vec3_add(pose->position, sb_quat_turn(pose->rotation, local));
}

static inline sb_vec3 sb_pose_to_local(const sb_pose *pose, sb_vec3 world) {
    return sb_quat_turn_back(pose->rotation,
                             sb_vec3_sub(world, pose->position));
}

typedef enum sb_motion {
    SB_MOTION_FIXED,   /* stays where it is placed */
    SB_MOTION_FREE,    /* moved by gravity, contacts and impulses */
    SB_MOTION_SCRIPTED /* moves at its velocity and spin; unaffected by
                        * contacts */
} sb_motion;

typedef enum sb_joint_kind {
    SB_JOINT_BALL,
    SB_JOINT_HINGE,
    SB_JOINT_SLIDER
} sb_joint_kind;
