/* Ray casts for scripts and for occlusion. Runs on the control thread. */
#include "runtime/world/world_internal.h"

#include <math.h>

/* Whether the ray may meet the ball round the solid. */
static bool may_meet(const sb_solid *solid, sb_vec3 from, sb_vec3 along,
                     double most_m) {
    if (solid->collider.kind == SB_COLLIDER_FLOOR) return true;
    sb_vec3 to = sb_vec3_sub(solid->position, from);
    double at = fmin(fmax(sb_vec3_dot(to, along), 0.0), most_m);
    sb_vec3 off = sb_vec3_plus(to, along, -at);
    double reach = solid->reach_m + solid->skin_m + 1e-6;
    return sb_vec3_dot(off, off) <= reach * reach;
}

bool sb_world_raycast(sb_world *world, sb_vec3 from, sb_vec3 direction,
                      double most_m, uint32_t skip, sb_ray_hit *out) {
    double length = sb_vec3_length(direction);
    double far = sb_vec3_length(from);
    if (!(length > 0.0 && length < INFINITY && far < 1e9 && most_m > 0.0))
        return false;
    sb_vec3 along = sb_vec3_normalised(sb_vec3_scale(direction, 1.0 / length));
    double nearest = INFINITY;
    most_m = fmin(most_m, 1e9);
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &world->solids[i];
        if (!solid->is_used || solid->is_lost || solid->user == skip ||
            !may_meet(solid, from, along, most_m))
            continue;
        sb_vec3 normal = {0, 0, 0};
        double at = sb_geoms_ray(solid, from, along, most_m, &normal);
        if (!(at < nearest)) continue;
        nearest = at;
        *out = (sb_ray_hit){.solid = {(uint32_t)i, solid->generation},
                            .user = solid->user,
                            .point = sb_vec3_plus(from, along, at),
                            .normal = normal,
                            .distance_m = at};
    }
    return isfinite(nearest);
}
