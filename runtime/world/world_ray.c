/* Ray casts for scripts, and sweeps for solids that move far in a step.
 * Runs on the control thread. */
#include "runtime/world/world_internal.h"

#include <math.h>

/* After a step the geoms are still where the solids were before correction. */
void sb_world_refresh(sb_world *world) {
    if (!world->is_stale) return;
    world->is_stale = false;
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (solid->is_used && solid->geom && sb_solid_moves(solid))
            sb_geom_place(solid);
    }
}

/* --- shared by rays and sweeps -------------------------------------------- */

typedef struct look {
    sb_world *world;
    int self;          /* the solid that is swept, or -1 */
    sb_vec3 direction; /* unit vector */
    uint32_t skip;     /* ray cast: user to ignore */
    bool has_hit;
    double nearest; /* ray cast: m; sweep: s */
    int solid;
    sb_vec3 point, normal;
} look;

/* Time at which the swept solid reaches a hit; never, if the obstacle moves
 * along with it. */
static double when(const look *l, int other, double distance_m) {
    const sb_solid *self = &l->world->solids[l->self];
    const sb_solid *hit = &l->world->solids[other];
    double speed =
        sb_vec3_dot(sb_vec3_sub(self->velocity, hit->velocity), l->direction);
    bool is_fast = speed * l->world->step_s > 0.7 * self->thin_m;
    return is_fast ? distance_m / speed : INFINITY;
}

static void on_hit(void *data, dGeomID one, dGeomID other) {
    look *l = data;
    dGeomID geom = one == l->world->ray ? other : one;
    if (dGeomIsSpace(geom)) {
        dSpaceCollide2(l->world->ray, geom, data, on_hit);
        return;
    }
    int index = (int)((intptr_t)dGeomGetData(geom) - 1);
    const sb_solid *solid = &l->world->solids[index];
    if (index == l->self || solid->is_lost) return;
    if (l->self >= 0 && (dGeomGetClass(geom) == dPlaneClass ||
                         sb_world_are_joined(l->world, l->self, index)))
        return;
    if (l->self < 0 && solid->user == l->skip) return;
    dContactGeom c[4];
    int count = dCollide(l->world->ray, geom, 4, c, sizeof c[0]);
    for (int i = 0; i < count; i++) {
        double far = l->self >= 0 ? when(l, index, c[i].depth) : c[i].depth;
        bool is_nearer = far < l->nearest ||
                         (l->has_hit && far == l->nearest && index < l->solid);
        if (!is_nearer) continue;
        l->has_hit = true;
        l->nearest = far;
        l->solid = index;
        l->point = (sb_vec3){c[i].pos[0], c[i].pos[1], c[i].pos[2]};
        l->normal = (sb_vec3){c[i].normal[0], c[i].normal[1], c[i].normal[2]};
    }
}

static void cast(look *l, sb_vec3 from, double most_m) {
    dGeomID ray = l->world->ray;
    dGeomRaySetLength(ray, most_m);
    dGeomRaySet(ray, from.x, from.y, from.z, l->direction.x, l->direction.y,
                l->direction.z);
    dGeomRaySetClosestHit(ray, 1);
    dSpaceCollide2(ray, (dGeomID)l->world->space, l, on_hit);
}

bool sb_world_sweep(sb_world *world, int index, sb_vec3 direction,
                    double most_m, double *time_s, sb_vec3 *normal) {
    look l = {.world = world,
              .self = index,
              .direction = direction,
              .nearest = INFINITY};
    cast(&l, world->solids[index].position, most_m);
    *time_s = l.nearest;
    *normal = l.normal;
    return l.has_hit;
}

bool sb_world_raycast(sb_world *world, sb_vec3 from, sb_vec3 direction,
                      double most_m, uint32_t skip, sb_ray_hit *out) {
    double length = sb_vec3_length(direction);
    double far = sb_vec3_length(from);
    if (!(length > 0.0 && length < INFINITY && far < 1e9 && most_m > 0.0))
        return false;
    sb_world_enter();
    sb_world_refresh(world);
    look l = {.world = world,
              .self = -1,
              .direction =
                  sb_vec3_normalised(sb_vec3_scale(direction, 1.0 / length)),
              .skip = skip,
              .nearest = INFINITY};
    cast(&l, from, fmin(most_m, 1e9));
    if (!l.has_hit) return false;
    const sb_solid *solid = &world->solids[l.solid];
    *out = (sb_ray_hit){.solid = {(uint32_t)l.solid, solid->generation},
                        .user = solid->user,
                        .point = l.point,
                        .normal = l.normal,
                        .distance_m = l.nearest};
    return true;
}
