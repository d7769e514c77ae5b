/* Crowds: many solids in one place, as when a script puts all of them at one
 * point. Contacts of all with all would take seconds per step and push in all
 * directions at once. A crowd spreads instead, without contacts between its
 * members, until none is near another or time is up. Its velocities stay as they
 * are. Runs on the control thread.
 *
 * A solid is crowded if the centres of MANY others are nearer than its and their
 * least half thickness: solids that do not overlap cannot be.
 */
#include "runtime/world/world_internal.h"

#include "runtime/base/pi.h"

#include <math.h>

enum { MANY = 12 };

/* How fast a member moves away from one that is at the same place, for how long
 * at most, and until it is away by which part of their sizes. */
static const double SPREAD_M_S = 1.0, LONGEST_S = 0.3, NEAR_SHARE = 0.8;

void sb_crowd_begin(sb_world *world) {
    for (int i = 0; i < world->solid_count; i++) {
        world->solids[i].crowd_count = 0;
        world->solids[i].spread_m_s = (sb_vec3){0.0, 0.0, 0.0};
    }
}

/* Directions spread evenly over a sphere, for members at the same point. */
static sb_vec3 some_direction(int index) {
    double turn = SB_PI * (3.0 - sqrt(5.0)) * index;
    double up = remainder(0.6180339887498949 * index, 1.0) * 2.0;
    double out = sqrt(fmax(1.0 - up * up, 0.0));
    return (sb_vec3){out * cos(turn), up, out * sin(turn)};
}

bool sb_crowd_meet(sb_world *world, int first, int second) {
    sb_solid *a = &world->solids[first], *b = &world->solids[second];
    if (a->motion != SB_MOTION_FREE || b->motion != SB_MOTION_FREE)
        return false;
    sb_vec3 off = sb_vec3_sub(a->position, b->position);
    double apart = sb_vec3_length(off),
           reach = NEAR_SHARE * (a->reach_m + b->reach_m);
    if (apart < 0.9 * (a->thin_m + b->thin_m)) {
        a->crowd_count++;
        b->crowd_count++;
    }
    if (!a->is_crowded || !b->is_crowded) return false;
    if (apart >= reach) return true;
    sb_vec3 away = apart > 1e-6 ? sb_vec3_scale(off, 1.0 / apart)
                                : some_direction(first + second);
    double speed = SPREAD_M_S * (1.0 - apart / reach);
    a->spread_m_s = sb_vec3_plus(a->spread_m_s, away, speed);
    b->spread_m_s = sb_vec3_plus(b->spread_m_s, away, -speed);
    return true;
}

bool sb_crowd_find(sb_world *world) {
    bool has_new = false;
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (solid->is_crowded || solid->crowd_count < MANY) continue;
        if (solid->crowd_s > LONGEST_S) continue;
        solid->is_crowded = has_new = true;
    }
    return has_new;
}

void sb_crowd_spread(sb_world *world) {
    double pull = sb_vec3_length(world->gravity);
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (!solid->is_crowded) continue;
        sb_vec3 v = solid->spread_m_s;
        double down = sb_vec3_dot(v, world->gravity);
        /* Nobody is pressed into the ground. */
        if (solid->touch_count > 0 && down > 0.0)
            v = sb_vec3_plus(v, world->gravity, -down / (pull * pull));
        double speed = sb_vec3_length(v);
        solid->crowd_s += world->step_s;
        solid->is_crowded = speed > 0.0 && solid->crowd_s < LONGEST_S;
        if (!solid->is_crowded) continue;
        world->has_limited = true;
        double way = fmin(speed, SPREAD_M_S) * world->step_s;
        solid->position = sb_vec3_plus(solid->position, v, way / speed);
        solid->path_m += way;
    }
}
