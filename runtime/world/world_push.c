/* Parts solids that overlap, by velocities that last for one substep and leave
 * the true ones alone. Runs on the control thread. */
#include "runtime/world/world_internal.h"

#include <math.h>

/* The share of an overlap that goes in a substep, and the fastest parting. */
static const double SHARE = 0.2, FASTEST_M_S = 3.0;
enum { PASSES = 2 };

/* Relative velocity along the normal of two velocity fields. */
static double along(const sb_contact *c, sb_vec3 a_v, sb_vec3 a_w, sb_vec3 b_v,
                    sb_vec3 b_w) {
    sb_vec3 v = sb_vec3_add(a_v, sb_vec3_cross(a_w, c->arm[0]));
    v = sb_vec3_sub(v, sb_vec3_add(b_v, sb_vec3_cross(b_w, c->arm[1])));
    return sb_vec3_dot(v, c->normal);
}

/* The gap at the end of the substep. */
static double gap_after(const sb_world *world, const sb_contact *c,
                        double substep_s) {
    const sb_solid *a = &world->solids[c->solid[0]],
                   *b = &world->solids[c->solid[1]];
    return c->gap_m +
           0.5 * substep_s *
               along(c, a->velocity, a->spin, b->velocity, b->spin) +
           along(c, a->shift, a->turn, b->shift, b->turn);
}

static void push(sb_world *world, const sb_contact *c, double impulse) {
    for (int i = 0; i < 2; i++) {
        if (!(c->light[i] > 0.0)) continue;
        sb_solid *s = &world->solids[c->solid[i]];
        double by = i == 0 ? impulse : -impulse;
        s->part_m_s = sb_vec3_plus(s->part_m_s, c->normal, by * c->light[i]);
        s->part_rad_s = sb_vec3_plus(s->part_rad_s, c->turn[i][0], by);
    }
}

void sb_world_part(sb_world *world, double substep_s) {
    bool has_any = false;
    for (int i = 0; i < world->contact_count; i++) {
        sb_contact *c = &world->contacts[i];
        c->end_gap_m = gap_after(world, c, substep_s);
        double over = -c->end_gap_m - SB_SLOP_M;
        c->part_ns = 0.0;
        c->part_m_s =
            over > 0.0 ? fmin(SHARE * over / substep_s, FASTEST_M_S) : 0.0;
        has_any |= over > 0.0;
    }
    for (int pass = 0; has_any && pass < PASSES; pass++)
        for (int i = 0; i < world->contact_count; i++) {
            sb_contact *c = &world->contacts[i];
            if (!(c->part_m_s > 0.0)) continue;
            const sb_solid *a = &world->solids[c->solid[0]],
                           *b = &world->solids[c->solid[1]];
            double off = along(c, a->part_m_s, a->part_rad_s, b->part_m_s,
                               b->part_rad_s) -
                         c->part_m_s;
            double next = fmax(c->part_ns - c->mass_kg * off, 0.0);
            push(world, c, next - c->part_ns);
            c->part_ns = next;
        }
}
