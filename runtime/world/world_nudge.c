/* Solids that another solver moves as well (world.h). Control thread. */
#include "runtime/world/world_internal.h"

#include <assert.h>
#include <math.h>

static sb_solid *solid_of(const sb_world *world, sb_solid_id id) {
    int index = sb_world_find(world, id);
    assert(index >= 0);
    return &world->solids[index];
}

sb_solid_body sb_world_body(const sb_world *world, sb_solid_id id) {
    const sb_solid *solid = solid_of(world, id);
    sb_solid_body out = {.collider = solid->collider,
                         .friction = solid->friction,
                         .principal = {1.0, 0.0, 0.0, 0.0},
                         .points = solid->faces.points,
                         .corners = (const int(*)[3])solid->faces.corners,
                         .point_count = solid->faces.point_count,
                         .face_count = solid->faces.face_count};
    if (!(solid->inverse_mass > 0.0)) return out;
    out.mass_kg = 1.0 / solid->inverse_mass;
    out.centre = solid->mass.centre;
    out.principal = solid->principal;
    for (int k = 0; k < 3; k++)
        out.moments[k] = solid->moments[k];
    return out;
}

void sb_world_nudge(sb_world *world, sb_solid_id id,
                    const sb_solid_nudge *nudge) {
    sb_solid *solid = solid_of(world, id);
    if (solid->motion != SB_MOTION_FREE || solid->is_lost) return;
    sb_solid_wake(solid);
    solid->velocity = sb_vec3_add(solid->velocity, nudge->velocity_m_s);
    solid->spin = sb_vec3_add(solid->spin, nudge->spin_rad_s);
    solid->position = sb_vec3_add(solid->position, nudge->shift_m);
    double angle = sb_vec3_length(nudge->turn_rad);
    if (angle > 0.0) {
        sb_quat turn = sb_quat_about(nudge->turn_rad, angle);
        solid->rotation =
            sb_quat_normalised(sb_quat_times(turn, solid->rotation));
        sb_solid_turn_inertia(solid);
    }
    solid->is_bounded = false;
    /* Neither NaN nor far away. */
    double far_m = sb_vec3_length(solid->position) +
                   sb_vec3_length(solid->velocity) +
                   sb_vec3_length(solid->spin);
    if (!(far_m < 1e6)) sb_world_lose(world, (int)id.index);
}
