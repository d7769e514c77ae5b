/* SPDX-License-Identifier: MIT */
/* Blows: contacts that close faster than SB_REST_M_S rebound by their
 * restitution. Runs on the control thread.
 *
 * The pair that closes fastest is solved first, alone: all its points together,
 * so that a box that lands flat does not tip. Then pairs that now close because
 * of it, and so on, until none does. Pairs that are due wait in a queue, a binary
 * heap; an entry whose speed is no longer that of its pair is passed over. A blow so passes through a row of balls,
 * each of which leaves the pair's restitution to the next; each is reported as
 * an impact. What remains is left to the solver. No pair gains energy, and each
 * is solved a bounded number of times.
 *
 * A blow happens at its own time. With the gap g0 and velocity v0 along the
 * normal when the substep began, and the acceleration a, it is the first zero T
 * of  g0 + v0 T + a T^2 / 2.  In terms of velocities after the kick, v = v0 + a h,
 * it closes with c = -(v - a (h - T)) and leaves with e c + a (h - T).
 */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/world/tracker/contact_point.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Solutions of one pair in a substep. After so many of them, in a jam, the time
 * of a blow is not known well enough to correct positions by it. */
enum {
    MOST_TIMES = 8,
    TIMED = 2,
    ITERATIONS = 24,
    MOST_KNOCKS = SB_PAIR_POINTS + 24
};

/* Iterations end when velocities change by less than this part of the fastest
 * approach. */
static const double SETTLED = 1e-4;

/* Points struck, per second of the world, and how many may be saved up. A jam
 * that takes more is solved once per pair and substep, in few iterations. */
static const double KNOCKS_HZ = 1e7, KNOCKS_SAVED = 1e6;
enum { ITERATIONS_JAMMED = 4 };

/* A pair that is due for a blow, with its speed when that was found. */
struct sb_due_pair {
    double closing_m_s;
    int pair;
};

static bool is_jammed(const sb_world *world) {
    return world->blows.spent > KNOCKS_SAVED;
}

/* Points of a pair that touch this part of a substep later are struck as well:
 * an edge that lands flat does so with both its ends. */
static const double LATER = 0.2;

/* Contacts this near bear a solid. */
static const double SUPPORT_M = 5e-6;

/* A blow that may be due at a contact. */
typedef struct due {
    double time_s;  /* since the substep began */
    double closing; /* m/s, at that time */
    double fall;    /* a (h - T): velocity that gravity still adds */
} due;

static sb_vec3 pull_on(const sb_world *world, const sb_solid *solid) {
    if (solid->motion != SB_MOTION_FREE || !sb_solid_moves(solid))
        return (sb_vec3){0.0, 0.0, 0.0};
    return sb_vec3_add(world->gravity, solid->force.push_m_s2);
}

/* Relative acceleration along the normal in free flight. */
static double pull_along(const sb_world *world, const sb_contact *c) {
    sb_vec3 a = pull_on(world, &world->solids[c->solid[0]]);
    sb_vec3 b = pull_on(world, &world->solids[c->solid[1]]);
    return sb_vec3_dot(sb_vec3_sub(a, b), c->normal);
}

/* Normal velocity at the contact's present place. */
static double velocity_now(const sb_world *world, const sb_contact *c) {
    const sb_solid *a = &world->solids[c->solid[0]],
                   *b = &world->solids[c->solid[1]];
    sb_vec3 v = sb_vec3_sub(a->velocity, b->velocity);
    v = sb_vec3_add(v, sb_vec3_cross(a->spin, c->arm[0]));
    v = sb_vec3_sub(v, sb_vec3_cross(b->spin, c->arm[1]));
    return sb_vec3_dot(v, c->normal);
}

/* Time of the first contact, INFINITY: not until `last_s`. */
static double first_touch(double gap, double v, double a, double h,
                          double last_s) {
    if (gap <= 0.0) return v < 0.0 ? fmax(-gap / v, -h) : 0.0;
    double root = v * v - 2.0 * a * gap;
    if (root < 0.0) return INFINITY;
    double by = -v + sqrt(root);
    double time = by > 0.0 ? 2.0 * gap / by : INFINITY;
    return time <= last_s ? time : INFINITY;
}

/* `since_s`: the time of the blow that changed the velocities, or 0. `last_s`:
 * what touches later is not due. */
static bool is_due(const sb_world *world, const sb_contact *c, double h,
                   double since_s, double last_s, due *out) {
    double a = pull_along(world, c), after = velocity_now(world, c);
    double last = sb_vec3_dot(sb_contact_velocity(world, c), c->end_normal);
    double v0 = after - a * h;
    double time = first_touch(c->gap_m - 0.5 * h * v0, v0, a, h, last_s);
    /* Where another blow has changed the velocity, the gap of the substep's
     * start is not on this path. */
    if (c->blow.time_s > since_s) since_s = c->blow.time_s;
    if (since_s > 0.0 && time < since_s) {
        double gap =
            fmax(c->gap_m + (since_s - 0.5 * h) * c->blow.before_m_s, 0.0);
        time = after < 0.0 ? since_s - gap / after : INFINITY;
        if (!(time <= h)) return false;
    }
    if (!isfinite(time)) return false;
    time = fmin(time, h);
    out->time_s = time;
    out->fall = a * (h - fmax(time, 0.0));
    out->closing = out->fall - last;
    return out->closing > c->rest_m_s;
}

/* --- one pair ------------------------------------------------------------- */

static double rebound_of(const sb_world *world, const sb_contact *c,
                         const due *d) {
    const sb_solid *s[2] = {&world->solids[c->solid[0]],
                            &world->solids[c->solid[1]]};
    bool is_given =
        s[0]->surface.given.restitution || s[1]->surface.given.restitution;
    if (is_given || !world->rebound) return c->restitution;
    sb_contact_point p = {.user = {s[0]->user, s[1]->user},
                          .point = c->point,
                          .normal = c->normal,
                          .depth_m = fmax(-c->gap_m, 0.0),
                          .time_s = d->time_s,
                          .approach_m_s = d->closing,
                          .restitution = c->restitution,
                          .is_smooth = c->is_faceted};
    for (int i = 0; i < 2; i++) {
        p.velocity[i] = c->sum.velocity[i];
        p.centre[i] = c->sum.centre[i];
        p.inverse_mass[i] = c->inverse_mass[i];
    }
    return world->rebound(world->rebound_user, &p);
}

/* Where the contact was `time_s` from now: its point moves with the solid on
 * whose surface it lies. */
static sb_vec3 point_after(const sb_world *world, const sb_contact *c,
                           double time_s) {
    sb_vec3 v[2];
    for (int i = 0; i < 2; i++) {
        const sb_solid *s = &world->solids[c->solid[i]];
        v[i] = sb_vec3_add(s->velocity, sb_vec3_cross(s->spin, c->arm[i]));
    }
    double first = 0.5 * (1 + c->on);
    sb_vec3 moved = sb_vec3_plus(sb_vec3_scale(v[0], first), v[1], 1.0 - first);
    return sb_vec3_plus(c->point, moved, time_s);
}

/* A contact while its pair is solved. */
typedef struct knock {
    sb_contact *c;
    due due;
    sb_vec3 point;
    double target, push, rub[2];
} knock;

static bool is_ring(const sb_world *world, int solid) {
    return world->solids[solid].collider.kind == SB_COLLIDER_RING;
}

/* A wheel or cylinder that lands with both its rims shares the blow evenly to begin
 * with: iterations that begin at one of two points close to each other take hundreds
 * to part it, and the wheel tips. */
static void knock_evenly(sb_world *world, knock *knocks, int count) {
    if (count != 2) return;
    for (int i = 0; i < 2; i++) {
        const sb_contact *c = knocks[i].c;
        bool is_rim = c->is_round && !is_ring(world, c->solid[0]) &&
                      !is_ring(world, c->solid[1]);
        if (!is_rim || !(knocks[i].due.closing > 0.0)) return;
    }
    for (int i = 0; i < 2; i++) {
        knock *k = &knocks[i];
        const sb_contact *c = k->c;
        sb_vec3 v = sb_contact_velocity(world, c);
        double off = sb_vec3_dot(v, c->end_normal) - k->target;
        k->push = fmax(-0.5 * c->mass_kg * off, 0.0);
        sb_contact_rub(c, sb_vec3_scale(v, 0.5), c->friction * k->push, k->rub);
    }
    for (int i = 0; i < 2; i++)
        sb_contact_apply(world, knocks[i].c, knocks[i].push, knocks[i].rub[0],
                         knocks[i].rub[1]);
}

/* Returns the largest change of velocity. */
static double knock_once(sb_world *world, knock *k) {
    sb_contact *c = k->c;
    sb_vec3 v = sb_contact_velocity(world, c);
    double off = sb_vec3_dot(v, c->end_normal) - k->target;
    double push = fmax(k->push - c->mass_kg * off, 0.0);
    double changed = fabs(push - k->push) / fmax(c->mass_kg, 1e-300);
    sb_contact_apply(world, c, push - k->push, 0.0, 0.0);
    k->push = push;
    v = sb_contact_velocity(world, c);
    double rub[2] = {k->rub[0], k->rub[1]};
    sb_contact_rub(c, v, c->friction * k->push, rub);
    sb_contact_apply(world, c, 0.0, rub[0] - k->rub[0], rub[1] - k->rub[1]);
    double moved = fabs(rub[0] - k->rub[0]) + fabs(rub[1] - k->rub[1]);
    changed = fmax(changed, moved / fmax(c->mass_kg, 1e-300));
    k->rub[0] = rub[0];
    k->rub[1] = rub[1];
    return changed;
}

/* The impulse acted at `time_s`, not in mid-substep. */
static void shift(sb_world *world, const knock *k, double time_s, double h) {
    const sb_contact *c = k->c;
    double lever = 0.5 * h - time_s;
    sb_vec3 j = sb_vec3_scale(c->normal, k->push);
    j = sb_vec3_plus(sb_vec3_plus(j, c->side[0], k->rub[0]), c->side[1],
                     k->rub[1]);
    for (int i = 0; i < 2; i++) {
        if (!(c->light[i] > 0.0)) continue;
        sb_solid *s = &world->solids[c->solid[i]];
        double by = i == 0 ? lever : -lever;
        s->fix.shift = sb_vec3_plus(s->fix.shift, j, by * c->light[i]);
        s->fix.turn = sb_vec3_plus(s->fix.turn, c->turn[i][0], by * k->push);
        s->fix.turn = sb_vec3_plus(s->fix.turn, c->turn[i][1], by * k->rub[0]);
        s->fix.turn = sb_vec3_plus(s->fix.turn, c->turn[i][2], by * k->rub[1]);
    }
}

static void keep(knock *k) {
    sb_contact *c = k->c;
    c->blow.push_ns += k->push;
    c->blow.rub_ns[0] += k->rub[0];
    c->blow.rub_ns[1] += k->rub[1];
    if (k->due.closing > c->rest_m_s &&
        (!c->is_blown || k->due.closing > c->closing_m_s)) {
        c->is_blown = true;
        c->closing_m_s = k->due.closing;
        c->blow.point = k->point;
    }
    c->blow.time_s = fmax(k->due.time_s, 0.0);
}

/* Contacts of a solid with what is fixed, on which it stands: a body that is
 * struck turns about its foot, it does not first leave the ground. */
static int add_supports(sb_world *world, int solid, const sb_pair *except,
                        double h, knock *knocks, int count) {
    if (world->solids[solid].motion != SB_MOTION_FREE) return count;
    for (int at = world->blows.heads.items[solid]; at >= 0;
         at = world->blows.links.items[at]) {
        const sb_pair *pair = &world->pairs[at / 2];
        int other = pair->first == solid ? pair->second : pair->first;
        if (pair == except || world->solids[other].motion == SB_MOTION_FREE)
            continue;
        for (int i = 0; i < pair->count && count < MOST_KNOCKS; i++) {
            sb_contact *c = &world->contacts[pair->start + i];
            if (c->gap_m > SUPPORT_M || c->closing_m_s > c->rest_m_s) continue;
            knocks[count++] = (knock){.c = c, .due = {.time_s = 0.5 * h}};
        }
    }
    return count;
}

/* Impulses that oppose each other, as in a jam, must act at one time: the mean
 * of theirs. Overlaps from before the substep are not its business. */
static double time_of(const knock *knocks, int count, double h) {
    double sum_ns = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++) {
        if (!(knocks[i].due.closing > 0.0)) continue; /* it rests */
        sum_ns += knocks[i].push;
        sum += knocks[i].push * fmax(knocks[i].due.time_s, 0.0);
    }
    return sum_ns > 0.0 ? sum / sum_ns : 0.5 * h;
}

/* Returns the time of the blow. */
static double solve_pair(sb_world *world, const sb_pair *pair, double h,
                         double since_s, bool is_linked) {
    knock knocks[MOST_KNOCKS];
    int count = 0;
    for (int i = 0; i < pair->count; i++) {
        sb_contact *c = &world->contacts[pair->start + i];
        knock *k = &knocks[count];
        *k = (knock){.c = c};
        if (is_due(world, c, h, since_s, (1.0 + LATER) * h, &k->due)) {
            double e = rebound_of(world, c, &k->due);
            k->target = fmax(e * k->due.closing + k->due.fall, 0.0);
            k->point = point_after(world, c, k->due.time_s - 0.5 * h);
        } else if (c->gap_m < SB_SLOP_M) {
            /* A point that rests must not be pressed in. */
            k->due.time_s = 0.5 * h;
        } else {
            continue;
        }
        count++;
    }
    if (is_linked) {
        count = add_supports(world, pair->first, pair, h, knocks, count);
        count = add_supports(world, pair->second, pair, h, knocks, count);
    }
    knock_evenly(world, knocks, count);
    int most = is_jammed(world) ? ITERATIONS_JAMMED : ITERATIONS;
    for (int n = 0; n < most; n++) {
        double changed = 0.0;
        for (int i = 0; i < count; i++)
            changed = fmax(changed, knock_once(world, &knocks[i]));
        world->blows.spent += count;
        world->blows.count += count;
        if (changed < SETTLED * pair->closing_m_s) break;
    }
    double time_s = time_of(knocks, count, h);
    for (int i = 0; i < count; i++) {
        if (!(knocks[i].push > 0.0)) continue;
        if (pair->times < TIMED) shift(world, &knocks[i], time_s, h);
        keep(&knocks[i]);
    }
    return time_s;
}

/* --- all pairs ------------------------------------------------------------ */

static double pair_closing(const sb_world *world, const sb_pair *pair, double h,
                           double since_s) {
    double most = 0.0;
    for (int i = 0; i < pair->count; i++) {
        due d;
        if (is_due(world, &world->contacts[pair->start + i], h, since_s, h, &d))
            most = fmax(most, d.closing);
    }
    return most;
}

/* Chains of the pairs of each solid: links[2 p + side] is the next such place
 * of the same solid, or -1. Without memory blows do not pass on. */
static bool link_pairs(sb_world *world) {
    sb_world_blow *b = &world->blows;
    if (!sb_ints_grow(&b->heads, world->solid_count) ||
        !sb_ints_grow(&b->links, 2 * world->pair_count))
        return false;
    for (int i = 0; i < world->solid_count; i++)
        b->heads.items[i] = -1;
    for (int p = world->pair_count - 1; p >= 0; p--) {
        sb_pair *pair = &world->pairs[p];
        if (pair->count == 0) continue;
        int solid[2] = {pair->first, pair->second};
        for (int side = 0; side < 2; side++) {
            b->links.items[2 * p + side] = b->heads.items[solid[side]];
            b->heads.items[solid[side]] = 2 * p + side;
        }
    }
    return true;
}

/* Puts a pair into the queue. Without memory its blow is left to the solver. */
static void enqueue(sb_world *world, int p) {
    sb_world_blow *b = &world->blows;
    double speed = world->pairs[p].closing_m_s;
    int most = is_jammed(world) ? 1 : MOST_TIMES;
    if (!(speed > 0.0) || world->pairs[p].times >= most) return;
    if (!sb_grow_list(b->due, b->due_capacity, b->due_count + 1)) return;
    sb_due_pair *queue = b->due;
    int at = b->due_count++;
    for (; at > 0 && queue[(at - 1) / 2].closing_m_s < speed; at = (at - 1) / 2)
        queue[at] = queue[(at - 1) / 2];
    queue[at] = (sb_due_pair){speed, p};
}

/* The pair that closes fastest, or -1. */
static int dequeue(sb_world *world) {
    sb_world_blow *b = &world->blows;
    sb_due_pair *queue = b->due;
    while (b->due_count > 0) {
        sb_due_pair top = queue[0], last = queue[--b->due_count];
        int at = 0, count = b->due_count;
        for (int k = 1; k < count; k = 2 * at + 1) {
            if (k + 1 < count &&
                queue[k + 1].closing_m_s > queue[k].closing_m_s)
                k++;
            if (queue[k].closing_m_s <= last.closing_m_s) break;
            queue[at] = queue[k];
            at = k;
        }
        if (count > 0) queue[at] = last;
        if (world->pairs[top.pair].closing_m_s == top.closing_m_s)
            return top.pair;
    }
    return -1;
}

static void look_at_neighbours(sb_world *world, int solid, int except, double h,
                               double since_s) {
    if (world->solids[solid].motion != SB_MOTION_FREE) return;
    for (int at = world->blows.heads.items[solid]; at >= 0;
         at = world->blows.links.items[at]) {
        sb_pair *pair = &world->pairs[at / 2];
        if (at / 2 == except) continue;
        pair->closing_m_s = pair_closing(world, pair, h, since_s);
        pair->since_s = since_s;
        enqueue(world, at / 2);
    }
}

/* The state of each contact before blows. */
static bool look_at(const sb_world *world, sb_contact *c, double h) {
    double fall = h * pull_along(world, c);
    double last = sb_vec3_dot(sb_contact_velocity(world, c), c->end_normal);
    c->closing_m_s = fall - last;
    c->blow.before_m_s =
        c->has_end ? velocity_now(world, c) - fall : last - fall;
    return c->closing_m_s + fabs(fall) > c->rest_m_s;
}

/* True when a blow is due. */
static bool look_at_all(sb_world *world, double h) {
    bool has_any = false;
    world->blows.due_count = 0;
    for (int p = 0; p < world->pair_count; p++) {
        sb_pair *pair = &world->pairs[p];
        bool closes = false;
        pair->closing_m_s = pair->since_s = 0.0;
        pair->times = 0;
        for (int i = 0; i < pair->count; i++)
            closes |= look_at(world, &world->contacts[pair->start + i], h);
        if (closes) pair->closing_m_s = pair_closing(world, pair, h, 0.0);
        enqueue(world, p);
        has_any |= pair->closing_m_s > 0.0;
    }
    return has_any;
}

/* Contacts that still approach fast, but touch later, are left alone; others
 * may close their gap within the substep. */
static void set_targets(sb_world *world, double h) {
    for (int i = 0; i < world->contact_count; i++) {
        sb_contact *c = &world->contacts[i];
        c->target_m_s = c->gap_m > 0.0 && !c->is_blown ? -c->gap_m / h : 0.0;
        c->is_active = c->gap_m <= SB_SLOP_M || c->is_blown;
        if (c->is_active) continue;
        sb_vec3 v = sb_contact_velocity(world, c);
        double closing = -sb_vec3_dot(v, c->end_normal);
        c->is_active = closing <= 2.0 * SB_REST_M_S;
    }
}

void sb_world_blows(sb_world *world, double h) {
    world->blows.spent = fmax(world->blows.spent - KNOCKS_HZ * h, 0.0);
    if (look_at_all(world, h)) {
        bool is_linked = link_pairs(world);
        int p;
        while ((p = dequeue(world)) >= 0 && !sb_stop_is_wanted()) {
            sb_pair *pair = &world->pairs[p];
            double at = solve_pair(world, pair, h, pair->since_s, is_linked);
            pair->times++;
            pair->since_s = at;
            pair->closing_m_s = 0.0;
            if (!is_linked) continue;
            look_at_neighbours(world, pair->first, p, h, at);
            look_at_neighbours(world, pair->second, p, h, at);
        }
    }
    if (is_jammed(world)) {
        world->has_limited = true;
        world->blows.spent = KNOCKS_SAVED + 1.0;
    }
    set_targets(world, h);
}
