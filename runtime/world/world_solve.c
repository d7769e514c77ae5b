/* SPDX-License-Identifier: MIT */
/* Sequential impulses: normal, friction (a cone), rolling and spinning friction
 * of every contact, with a warm start; joints take part in the same iterations.
 * Then overlaps are parted. Runs on the control thread. */
#include "runtime/base/stop.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Iterations end once none changes a velocity by more than this. There are a few
 * at least; more while the step's share of solved contacts lasts, which may be
 * saved up: what begins to touch, as a tower, needs many once. Iterations of
 * short substeps serve as well as more in a long one. */
static const double SETTLED_M_S = 1e-5;
enum {
    LEAST_STEP = 4,
    LEAST_CROWD = 8, /* of many contacts: else they never settle */
    CROWD = 600,
    LEAST = 2,
    MOST = 400,
    TOGETHER = 3,
    SOLVED_STEP = 800,
    SOLVED_SAVED = 100000
};

/* --- preparing ------------------------------------------------------------ */

/* The inverse of the symmetric matrix a, b, c (11, 12, 22). */
static void invert(double a, double b, double c, double out[3]) {
    double det = a * c - b * b;
    if (!(det > 0.0)) {
        out[0] = out[1] = out[2] = 0.0;
        return;
    }
    out[0] = c / det;
    out[1] = -b / det;
    out[2] = a / det;
}

static void prepare_rolling(const sb_world *world, sb_contact *c) {
    sb_vec3 turned[2], up = {0.0, 0.0, 0.0};
    if (!(c->lever_m > 0.0)) return;
    for (int k = 0; k < 2; k++) {
        turned[k] = (sb_vec3){0.0, 0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            const double *m = world->solids[c->solid[i]].inverse_inertia;
            if (c->inverse_mass[i] > 0.0)
                turned[k] = sb_vec3_add(turned[k], sb_sym_times(m, c->side[k]));
        }
    }
    for (int i = 0; i < 2; i++)
        if (c->inverse_mass[i] > 0.0)
            up = sb_vec3_add(
                up, sb_sym_times(world->solids[c->solid[i]].inverse_inertia,
                                 c->normal));
    invert(sb_vec3_dot(c->side[0], turned[0]),
           sb_vec3_dot(c->side[0], turned[1]),
           sb_vec3_dot(c->side[1], turned[1]), c->roll_kg_m2);
    double spin = sb_vec3_dot(c->normal, up);
    c->spin_kg_m2 = spin > 0.0 ? 1.0 / spin : 0.0;
}

static void prepare(const sb_world *world, sb_contact *c) {
    const sb_vec3 axes[3] = {c->normal, c->side[0], c->side[1]};
    double along = 0.0, k11 = 0.0, k12 = 0.0, k22 = 0.0;
    c->cross[0] = c->cross[1] = 0.0;
    for (int i = 0; i < 2; i++) {
        const sb_solid *s = &world->solids[c->solid[i]];
        c->inverse_mass[i] = 0.0;
        if (s->motion != SB_MOTION_FREE || !sb_solid_moves(s)) continue;
        sb_vec3 lever[3];
        for (int k = 0; k < 3; k++) {
            lever[k] = sb_vec3_cross(c->arm[i], axes[k]);
            c->turn[i][k] = sb_sym_times(s->inverse_inertia, lever[k]);
        }
        c->light[i] = s->inverse_mass;
        c->inverse_mass[i] =
            s->inverse_mass + sb_vec3_dot(lever[0], c->turn[i][0]);
        along += c->inverse_mass[i];
        k11 += s->inverse_mass + sb_vec3_dot(lever[1], c->turn[i][1]);
        k12 += sb_vec3_dot(lever[1], c->turn[i][2]);
        k22 += s->inverse_mass + sb_vec3_dot(lever[2], c->turn[i][2]);
        c->cross[0] += sb_vec3_dot(lever[0], c->turn[i][1]);
        c->cross[1] += sb_vec3_dot(lever[0], c->turn[i][2]);
    }
    c->mass_kg = along > 0.0 ? 1.0 / along : 0.0;
    invert(k11, k12, k22, c->side_kg);
    double largest =
        0.5 * (k11 + k22) + sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12);
    c->slide_kg = largest > 0.0 ? 1.0 / largest : 0.0;
    prepare_rolling(world, c);
}

void sb_world_prepare(sb_world *world) {
    for (int i = 0; i < world->contact_count; i++) {
        prepare(world, &world->contacts[i]);
        sb_contact_begin_sum(world, &world->contacts[i]);
    }
}

/* --- one contact ---------------------------------------------------------- */

/* The spin after the half substep of free rotation that follows: that of a body
 * of revolution turns about its angular momentum. */
static sb_vec3 end_spin(const sb_solid *s, double substep_s) {
    double by = -0.5 * substep_s * s->gyration * sb_vec3_dot(s->spin, s->axle);
    return sb_vec3_plus(s->spin, sb_vec3_cross(s->axle, s->spin), by);
}

static inline sb_vec3 velocity_of(const sb_world *world, const sb_contact *c) {
    const sb_solid *a = &world->solids[c->solid[0]],
                   *b = &world->solids[c->solid[1]];
    sb_vec3 wa = a->spin, wb = b->spin;
    if (c->has_end) {
        wa = end_spin(a, world->last_substep_s);
        wb = end_spin(b, world->last_substep_s);
    }
    sb_vec3 v = sb_vec3_sub(a->velocity, b->velocity);
    v = sb_vec3_add(v, sb_vec3_cross(wa, c->end_arm[0]));
    return sb_vec3_sub(v, sb_vec3_cross(wb, c->end_arm[1]));
}

static inline void apply(sb_world *world, const sb_contact *c, double push_ns,
                         double rub0_ns, double rub1_ns) {
    sb_vec3 j = sb_vec3_scale(c->normal, push_ns);
    j = sb_vec3_plus(sb_vec3_plus(j, c->side[0], rub0_ns), c->side[1], rub1_ns);
    for (int i = 0; i < 2; i++) {
        if (!(c->light[i] > 0.0)) continue;
        sb_solid *s = &world->solids[c->solid[i]];
        double sign = i == 0 ? 1.0 : -1.0;
        s->velocity = sb_vec3_plus(s->velocity, j, sign * c->light[i]);
        sb_vec3 turn = sb_vec3_scale(c->turn[i][0], push_ns);
        turn = sb_vec3_plus(turn, c->turn[i][1], rub0_ns);
        turn = sb_vec3_plus(turn, c->turn[i][2], rub1_ns);
        s->spin = sb_vec3_plus(s->spin, turn, sign);
    }
}

sb_vec3 sb_contact_velocity(const sb_world *world, const sb_contact *c) {
    return velocity_of(world, c);
}

void sb_contact_apply(sb_world *world, const sb_contact *c, double push_ns,
                      double rub0_ns, double rub1_ns) {
    apply(world, c, push_ns, rub0_ns, rub1_ns);
}

static void shorten(double v[2], double most) {
    double squared = v[0] * v[0] + v[1] * v[1];
    if (squared <= most * most) return;
    double by = most / sqrt(squared);
    v[0] *= by;
    v[1] *= by;
}

static void apply_torque(sb_world *world, const sb_contact *c, sb_vec3 torque) {
    for (int i = 0; i < 2; i++) {
        if (!(c->light[i] > 0.0)) continue;
        sb_solid *s = &world->solids[c->solid[i]];
        s->spin =
            sb_vec3_plus(s->spin, sb_sym_times(s->inverse_inertia, torque),
                         i == 0 ? 1.0 : -1.0);
    }
}

/* A torque of at most lever times load opposes rolling, and another one
 * spinning about the normal. The impulse of a blow is no load: it is over before
 * the solid has rolled by the lever. */
static void solve_rolling(sb_world *world, sb_contact *c) {
    double most = c->lever_m * sb_contact_load(c);
    sb_vec3 w = sb_vec3_sub(world->solids[c->solid[0]].spin,
                            world->solids[c->solid[1]].spin);
    double w0 = sb_vec3_dot(w, c->side[0]), w1 = sb_vec3_dot(w, c->side[1]);
    const double *k = c->roll_kg_m2;
    double next[2] = {c->roll_nms[0] - (k[0] * w0 + k[1] * w1),
                      c->roll_nms[1] - (k[1] * w0 + k[2] * w1)};
    shorten(next, most);
    double spin = c->spin_nms - c->spin_kg_m2 * sb_vec3_dot(w, c->normal);
    spin = spin > most ? most : spin < -most ? -most : spin;
    sb_vec3 torque = sb_vec3_scale(c->side[0], next[0] - c->roll_nms[0]);
    torque = sb_vec3_plus(torque, c->side[1], next[1] - c->roll_nms[1]);
    torque = sb_vec3_plus(torque, c->normal, spin - c->spin_nms);
    c->roll_nms[0] = next[0];
    c->roll_nms[1] = next[1];
    c->spin_nms = spin;
    apply_torque(world, c, torque);
}

void sb_contact_rub(const sb_contact *c, sb_vec3 v, double most_ns,
                    double rub_ns[2]) {
    double v0 = sb_vec3_dot(v, c->side[0]), v1 = sb_vec3_dot(v, c->side[1]);
    const double *k = c->side_kg;
    double stick[2] = {rub_ns[0] - (k[0] * v0 + k[1] * v1),
                       rub_ns[1] - (k[1] * v0 + k[2] * v1)};
    if (stick[0] * stick[0] + stick[1] * stick[1] <= most_ns * most_ns) {
        rub_ns[0] = stick[0];
        rub_ns[1] = stick[1];
        return;
    }
    rub_ns[0] -= c->slide_kg * v0;
    rub_ns[1] -= c->slide_kg * v1;
    shorten(rub_ns, most_ns);
}

/* Friction, then the normal: what friction changes along the normal is known
 * from the contact's matrix. Returns how much it changes the velocity. */
static double solve_contact(sb_world *world, sb_contact *c) {
    sb_vec3 v = velocity_of(world, c);
    double rub[2] = {c->rub_ns[0], c->rub_ns[1]};
    sb_contact_rub(c, v, c->friction * c->push_ns, rub);
    double change[2] = {rub[0] - c->rub_ns[0], rub[1] - c->rub_ns[1]};
    double off = sb_vec3_dot(v, c->end_normal) - c->target_m_s +
                 c->cross[0] * change[0] + c->cross[1] * change[1];
    double push = c->push_ns - c->mass_kg * off;
    push = push > 0.0 ? push : 0.0;
    double changed =
        fabs(push - c->push_ns) + fabs(change[0]) + fabs(change[1]);
    apply(world, c, push - c->push_ns, change[0], change[1]);
    c->rub_ns[0] = rub[0];
    c->rub_ns[1] = rub[1];
    c->push_ns = push;
    return c->mass_kg > 0.0 ? changed / c->mass_kg : 0.0;
}

/* --- all ------------------------------------------------------------------ */

static void warm_start(sb_world *world) {
    for (int i = 0; i < world->contact_count; i++) {
        sb_contact *c = &world->contacts[i];
        if (!c->is_active) {
            c->push_ns = c->rub_ns[0] = c->rub_ns[1] = 0.0;
            c->roll_nms[0] = c->roll_nms[1] = c->spin_nms = 0.0;
            continue;
        }
        apply(world, c, c->push_ns, c->rub_ns[0], c->rub_ns[1]);
        if (!(c->lever_m > 0.0)) continue;
        sb_vec3 torque = sb_vec3_scale(c->side[0], c->roll_nms[0]);
        torque = sb_vec3_plus(torque, c->side[1], c->roll_nms[1]);
        torque = sb_vec3_plus(torque, c->normal, c->spin_nms);
        apply_torque(world, c, torque);
    }
}

/* The points of a pair are solved together: those of a face share its load, and
 * only what they do as a whole concerns other pairs. */
static double solve_pair(sb_world *world, const sb_pair *pair) {
    sb_contact *contacts = &world->contacts[pair->start];
    double most = 0.0;
    for (int i = 0; i < pair->count; i++)
        if (contacts[i].lever_m > 0.0 && sb_contact_load(&contacts[i]) > 0.0)
            solve_rolling(world, &contacts[i]);
    for (int n = 0; n < TOGETHER; n++) {
        double changed = 0.0;
        for (int i = 0; i < pair->count; i++) {
            if (!contacts[i].is_active) continue;
            double by = solve_contact(world, &contacts[i]);
            changed = by > changed ? by : changed;
        }
        most = changed > most ? changed : most;
        world->solves_spent += pair->count;
        if (pair->count < 2 || changed < SETTLED_M_S) break;
    }
    return most;
}

/* Backward every second time: the load of a tower passes down in one of
 * them. Returns the largest change of a velocity. */
static double iterate(sb_world *world, bool is_backward) {
    double changed = sb_joints_solve(world);
    int count = world->pair_count;
    for (int n = 0; n < count; n++) {
        const sb_pair *pair = &world->pairs[is_backward ? count - 1 - n : n];
        if (pair->count == 0) continue;
        double by = solve_pair(world, pair);
        changed = by > changed ? by : changed;
    }
    return changed;
}

void sb_world_solve(sb_world *world, double substep_s) {
    sb_joints_prepare(world, substep_s);
    warm_start(world);
    int least = world->contact_count > CROWD ? LEAST_CROWD : LEAST_STEP;
    least /= world->substeps_now;
    least = least < LEAST ? LEAST : least;
    world->solves_spent -= SOLVED_STEP / world->substeps_now;
    if (world->solves_spent < 0) world->solves_spent = 0;
    for (int n = 0; n < MOST && !sb_stop_is_wanted(); n++) {
        double changed = iterate(world, n % 2 == 0);
        if (n + 1 < least) continue;
        if (changed < SETTLED_M_S || world->solves_spent > SOLVED_SAVED) break;
    }
    if (world->solves_spent > SOLVED_SAVED) world->solves_spent = SOLVED_SAVED;
    sb_joints_keep(world);
}

/* --- parting overlaps ----------------------------------------------------- */

/* Parts solids that overlap, by velocities that last for one substep and leave
 * the true ones alone. */

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
           along(c, a->fix.shift, a->fix.turn, b->fix.shift, b->fix.turn);
}

static void push(sb_world *world, const sb_contact *c, double impulse) {
    for (int i = 0; i < 2; i++) {
        if (!(c->light[i] > 0.0)) continue;
        sb_solid *s = &world->solids[c->solid[i]];
        double by = i == 0 ? impulse : -impulse;
        s->fix.part_m_s =
            sb_vec3_plus(s->fix.part_m_s, c->normal, by * c->light[i]);
        s->fix.part_rad_s = sb_vec3_plus(s->fix.part_rad_s, c->turn[i][0], by);
    }
}

void sb_world_part(sb_world *world, double substep_s) {
    bool has_any = false;
    for (int i = 0; i < world->contact_count; i++) {
        sb_contact *c = &world->contacts[i];
        c->part.end_gap_m = gap_after(world, c, substep_s);
        double over = -c->part.end_gap_m - SB_SLOP_M;
        c->part.push_ns = 0.0;
        c->part.speed_m_s =
            over > 0.0 ? fmin(SHARE * over / substep_s, FASTEST_M_S) : 0.0;
        has_any |= over > 0.0;
    }
    for (int pass = 0; has_any && pass < PASSES; pass++)
        for (int i = 0; i < world->contact_count; i++) {
            sb_contact *c = &world->contacts[i];
            if (!(c->part.speed_m_s > 0.0)) continue;
            const sb_solid *a = &world->solids[c->solid[0]],
                           *b = &world->solids[c->solid[1]];
            double off = along(c, a->fix.part_m_s, a->fix.part_rad_s,
                               b->fix.part_m_s, b->fix.part_rad_s) -
                         c->part.speed_m_s;
            double next = fmax(c->part.push_ns - c->mass_kg * off, 0.0);
            push(world, c, next - c->part.push_ns);
            c->part.push_ns = next;
        }
}
