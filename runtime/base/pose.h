/* runtime/base/pose.h -- position, orientation and velocity of a body, and how
 * it may move.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_BASE_POSE_H
#define SB_BASE_POSE_H

#include "runtime/base/quat.h"
#include "runtime/base/vec3.h"

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

#endif
