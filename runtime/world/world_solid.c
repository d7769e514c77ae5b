#include "runtime/world/world_internal.h"

#include <math.h>

void sb_solid_wake(sb_solid *solid) {
    solid->is_asleep = false;
    solid->idle_s = solid->heap_s = 0.0;
}

bool sb_solid_moves(const sb_solid *solid) {
    if (solid->motion == SB_MOTION_FREE)
        return !solid->is_asleep && !solid->is_lost;
    return solid->motion == SB_MOTION_SCRIPTED && !solid->is_lost &&
           (sb_vec3_dot(solid->velocity, solid->velocity) > 0.0 ||
            sb_vec3_dot(solid->spin, solid->spin) > 0.0);
}

sb_vec3 sb_solid_velocity_at(const sb_solid *solid, sb_vec3 point) {
    sb_vec3 arm = sb_vec3_sub(point, solid->position);
    return sb_vec3_add(solid->velocity, sb_vec3_cross(solid->spin, arm));
}

sb_vec3 sb_solid_inverse_inertia(const sb_solid *solid, sb_vec3 torque) {
    const double *m = solid->inverse_inertia;
    sb_vec3 t = sb_quat_turn_back(solid->rotation, torque);
    sb_vec3 w = {m[0] * t.x + m[3] * t.y + m[5] * t.z,
                 m[3] * t.x + m[1] * t.y + m[4] * t.z,
                 m[5] * t.x + m[4] * t.y + m[2] * t.z};
    return sb_quat_turn(solid->rotation, w);
}

double sb_solid_inverse_mass(const sb_solid *solid, sb_vec3 point,
                             sb_vec3 direction) {
    if (solid->motion != SB_MOTION_FREE) return 0.0;
    sb_vec3 n = sb_vec3_normalised(direction);
    sb_vec3 arm = sb_vec3_cross(sb_vec3_sub(point, solid->position), n);
    return solid->inverse_mass +
           sb_vec3_dot(arm, sb_solid_inverse_inertia(solid, arm));
}

sb_vec3 sb_solid_origin(const sb_solid *solid) {
    return sb_vec3_sub(solid->position,
                       sb_quat_turn(solid->rotation, solid->mass.centre));
}
