/* SPDX-License-Identifier: MIT */
/* The forces of a step for all near links together: Gauss-Seidel rounds, then
 * Newton steps where those converge slowly. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/contact/link_internal.h"

#include <assert.h>
#include <float.h>
#include <string.h>

/* --- laws without a contact spring ----------------------------------------*/

enum { ITERATIONS = 60 };

/* A root of a strictly increasing function, between two bounds. */
typedef struct bracket {
    double at, low, high;
} bracket;

/* Newton's step, or bisection when it leaves the bracket. */
static bool refine(bracket *b, double miss, double slope) {
    if (miss > 0.0) {
        b->high = b->at;
    } else {
        b->low = b->at;
    }
    double next = b->at - miss / slope;
    if (!(next >= b->low && next <= b->high))
        next = b->low + 0.5 * (b->high - b->low);
    bool is_found = !(fabs(next - b->at) > DBL_EPSILON * fabs(next));
    b->at = next;
    return is_found;
}

static bracket between(double a, double b) {
    return (bracket){a, fmin(a, b), fmax(a, b)};
}

/* F of a step from x0, with x1 = free_m - give F. */
static double spring_force(const sb_spring *spring, double from_m,
                           double free_m, double give) {
    double k1 = 0.5 * spring->linear_n_m, k3 = 0.25 * spring->cubic_n_m3;
    double x = from_m, force = 0.0;
    /* F rises with x1, so x1 lies between the free position and the position
     * under the force there. */
    double sum = free_m + x, squares = free_m * free_m + x * x;
    bracket b = between(free_m, free_m - give * sum * (k1 + k3 * squares));
    for (int i = 0; i < ITERATIONS; i++) {
        double at = b.at;
        sum = at + x;
        squares = at * at + x * x;
        force = sum * (k1 + k3 * squares);
        double slope = k1 + k3 * (squares + 2.0 * at * sum);
        bool is_found =
            refine(&b, at - free_m + give * force, 1.0 + give * slope);
        force += slope * (b.at - at);
        if (is_found) break;
    }
    return force;
}

/* F of a step in which v = free_m_s - give F. */
static double distortion_force(const sb_spring *spring, double free_m_s,
                               double give) {
    double c = spring->loss_ns_m, knee = spring->knee_m_s;
    double force = 0.0;
    bracket b = between(free_m_s, 0.0);
    for (int i = 0; i < ITERATIONS; i++) {
        double v = b.at, r = v / knee, root = sqrt(1.0 + r * r);
        force = c * v / root;
        double slope = c / (root * root * root);
        bool is_found =
            refine(&b, v - free_m_s + give * force, 1.0 + give * slope);
        force += slope * (b.at - v);
        if (is_found) break;
    }
    return force;
}

static double clamp(double x, double top) {
    return fmax(0.0, fmin(x, top));
}

/* The mean of a known force over a step. */
static double pulse_force(const sb_link_pulse *pulse, double frame,
                          double frames, double h) {
    double from = frame - pulse->start_frame, to = from + frames;
    if (!(pulse->duration_s > 0.0)) {
        double share =
            clamp(to * SB_PULSE_PARTS, 1.0) - clamp(from * SB_PULSE_PARTS, 1.0);
        return pulse->impulse_ns * share / h;
    }
    double turn = SB_PI * h / (frames * pulse->duration_s); /* in a frame */
    double a = clamp(turn * from, SB_PI), b = clamp(turn * to, SB_PI);
    /* cos a - cos b, of angles that may be close. */
    double rise = 2.0 * sin(0.5 * (a + b)) * sin(0.5 * (b - a));
    return 0.5 * pulse->impulse_ns * rise / h;
}

/* --- all forces -----------------------------------------------------------*/

/* The largest force of a step from x0 that gives no more than `had_j` back:
 *
 *     F (x0 - xf + C F) <= E
 *
 * With it the trapezoidal rule cannot make energy, whatever the step is. */
static double passive_force(double x0, double free_m, double give,
                            double had_j) {
    double back_m = x0 - free_m;
    double root = sqrt(back_m * back_m + 4.0 * give * had_j);
    if (back_m > 0.0) return 2.0 * had_j / (back_m + root);
    return give > 0.0 ? (root - back_m) / (2.0 * give) : DBL_MAX;
}

double link_set_contact_force(const link_set *c, int i, const link_step *step,
                              double free_m, double free_m_s) {
    const sb_striker *s = c->near[i]->striker;
    const link_gives *gives = &c->gives[step->is_whole];
    assert(s);
    if (!s->is_kmethod) {
        return sb_contact_gradient(
            &s->law, step->h, s->depth_m, free_m, gives->give[i][i],
            s->force_n + 2.0 * s->force_change_n - s->force_change_before_n,
            NULL);
    }
    sb_contact_step k = {free_m, free_m_s, gives->give[i][i],
                         gives->speed[i][i], s->force_n};
    double force = 0.5 * (s->force_n + sb_contact_kmethod(&s->law, &k, NULL));
    if (s->is_coarse) return force;
    return fmin(force, passive_force(s->depth_m, free_m, k.give, s->given_j));
}

/* The force of link i whose free end position is `free_m`. */
static double force_of(link_set *c, int i, const link_step *step, double free_m,
                       double free_m_s) {
    sb_link *link = c->near[i];
    const link_gives *gives = &c->gives[step->is_whole];
    double h = step->h;
    double give = gives->give[i][i], moved_m = free_m - link->depth_m;
    switch (link->kind) {
    case SB_LINK_FRICTION: {
        sb_link_rub *rub = &link->rub;
        double middle = step->frame + 0.5 * step->frames;
        double load = rub->press ? rub->press->striker->force_n
                                 : link_ramp(link->load_n, middle);
        return sb_bristle_force(rub->law, &rub->state, h, load, moved_m / h,
                                give / h, &rub->after);
    }
    case SB_LINK_SPRING:
        return spring_force(&link->spring, link->depth_m, free_m, give);
    case SB_LINK_DISTORTION:
        return distortion_force(&link->spring, moved_m / h, give / h);
    case SB_LINK_PULSE:
        return pulse_force(&link->pulse, step->frame, step->frames, h);
    case SB_LINK_STRIKER:
    case SB_LINK_PRESS:
    case SB_LINK_BUZZ:
        break;
    }
    return link_set_contact_force(c, i, step, free_m, free_m_s);
}

/* The end position of link i without its own force. */
static double free_of(const link_set *c, int i, const link_step *step,
                      double *free_m_s) {
    const link_gives *gives = &c->gives[step->is_whole];
    double free_m = c->free_m[i];
    *free_m_s = c->free_m_s[i];
    for (int j = 0; j < c->count; j++) {
        if (j == i) continue;
        free_m -= gives->give[i][j] * c->force_n[j];
        *free_m_s -= gives->speed[i][j] * c->force_n[j];
    }
    return free_m;
}

static double solve_one(link_set *c, int i, const link_step *step) {
    double free_m_s, free_m = free_of(c, i, step, &free_m_s);
    return force_of(c, i, step, free_m, free_m_s);
}

/* One round over all forces. Every round lowers a convex function of all
 * forces, so the rounds converge; usually two suffice. True when nothing
 * changed. */
static bool solve_round(link_set *c, const link_step *step) {
    double change = 0.0, most = 0.0;
    for (int i = 0; i < c->count; i++) {
        if (link_is_waiting(c->near[i])) continue;
        double force = solve_one(c, i, step);
        change = fmax(change, fabs(force - c->force_n[i]));
        most = fmax(most, fabs(force));
        c->force_n[i] = force;
    }
    return !(change > 1e-14 * most);
}

/* --- when rounds are too slow ---------------------------------------------*/

/* The difference between the forces and the laws, and the slope of each law
 * with respect to the free position of its link. */
typedef struct residual {
    double miss[SB_ISLAND_LINKS], slope[SB_ISLAND_LINKS];
    double most; /* miss relative to the largest force */
} residual;

static void evaluate(link_set *c, const link_step *step, residual *q) {
    double miss = 0.0, most = 0.0;
    for (int i = 0; i < c->count; i++) {
        q->miss[i] = q->slope[i] = 0.0;
        if (link_is_waiting(c->near[i])) continue;
        const sb_striker *s = c->near[i]->striker;
        double free_m_s, free_m = free_of(c, i, step, &free_m_s);
        double from = s ? s->depth_m : c->near[i]->depth_m;
        double aside = 1e-6 * (fabs(free_m) + fabs(from)) + DBL_MIN;
        double near = force_of(c, i, step, free_m + aside, free_m_s);
        double here = force_of(c, i, step, free_m, free_m_s);
        q->miss[i] = here - c->force_n[i];
        q->slope[i] = fmax(0.0, (near - here) / aside);
        miss = fmax(miss, fabs(q->miss[i]));
        most = fmax(most, fabs(here));
    }
    q->most = most > 0.0 ? miss / most : 0.0;
}

/* Newton's step: (1 + slope C) change = miss, C without its diagonal, which the
 * laws already include. */
static void newton(const link_set *c, const link_step *step, const residual *q,
                   double change[SB_ISLAND_LINKS]) {
    const link_gives *gives = &c->gives[step->is_whole];
    double a[SB_ISLAND_LINKS][SB_ISLAND_LINKS];
    int n = c->count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = i == j ? 1.0 : q->slope[i] * gives->give[i][j];
        change[i] = q->miss[i];
    }
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            if (factor == 0.0) continue;
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
            change[i] -= factor * change[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            change[k] -= a[k][j] * change[j];
        change[k] /= a[k][k]; // NOLINT: the caller has set n rows
    }
}

/* Newton's steps may first increase the residual where a law bends sharply, and
 * then converge at once; so take some and keep the best. */
static void settle(link_set *c, const link_step *step, residual *q) {
    enum { STEPS = 8 };
    double change[SB_ISLAND_LINKS], best[SB_ISLAND_LINKS];
    double least = q->most;
    memcpy(best, c->force_n, sizeof best);
    for (int k = 0; k < STEPS && q->most > 1e-14; k++) {
        newton(c, step, q, change);
        for (int i = 0; i < c->count; i++)
            c->force_n[i] += change[i];
        evaluate(c, step, q);
        if (!(q->most < least)) continue;
        least = q->most;
        memcpy(best, c->force_n, sizeof best);
    }
    q->most = least;
    memcpy(c->force_n, best, sizeof best);
}

void link_set_solve(link_set *c, const link_step *step) {
    enum { ROUNDS = 6, TURNS = 8 };
    if (c->count == 1) {
        c->force_n[0] = solve_one(c, 0, step);
        return;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        for (int round = 0; round < ROUNDS; round++)
            if (solve_round(c, step)) return;
        residual q;
        evaluate(c, step, &q);
        settle(c, step, &q);
        if (!(q.most > 1e-13)) return;
    }
}

/* --- compliances ----------------------------------------------------------*/

link_swing link_swing_of(const sb_link_rub *rub, double h) {
    double w = sqrt(rub->rub_stiffness / rub->rub_mass_kg);
    double half = sin(0.5 * w * h);
    if (!(w * h > 1e-8)) return (link_swing){0.5 * h * h, h, 1.0};
    return (link_swing){2.0 * half * half / (w * w), sin(w * h) / w,
                        cos(w * h)};
}

/* The motion of link i per newton on link j, over all bodies that both
 * touch. */
static void give_between(const link_set *c, int i, int j, const link_step *step,
                         double *give, double *speed) {
    *give = *speed = 0.0;
    for (int f = 0; f < c->island->body_count; f++) {
        const sb_modal_field *field = c->island->field[f];
        int first = link_set_first_port(c, f), end = c->port_end[f];
        for (int a = first; a < end; a++) {
            if (c->ports[a].link != i) continue;
            for (int b = first; b < end; b++) {
                if (c->ports[b].link != j) continue;
                double g, s, sign = c->ports[a].sign * c->ports[b].sign;
                sb_modal_field_give(field, link_set_stride(c, f, step),
                                    c->ports[b].weights, c->ports[a].weights,
                                    &g, &s);
                *give += sign * g;
                *speed += sign * s;
            }
        }
    }
}

static void give_itself(const sb_link *link, double h, double *give,
                        double *speed) {
    double loose = link_loose(link);
    *give += 0.5 * h * h * loose;
    *speed += h * loose;
    if (link->kind == SB_LINK_FRICTION && link->rub.rub_mass_kg > 0.0) {
        link_swing swing = link_swing_of(&link->rub, h);
        *give += swing.g / link->rub.rub_mass_kg;
        *speed += swing.s / link->rub.rub_mass_kg;
    }
}

void link_set_compliances(link_set *c, const link_step *step, bool is_first) {
    link_gives *gives = &c->gives[step->is_whole];
    for (int i = 0; i < c->count; i++) {
        bool is_moving = link_is_moving(c->near[i]);
        for (int j = 0; j <= i; j++) {
            if (!is_first && !is_moving && !link_is_moving(c->near[j]))
                continue;
            double give, speed;
            give_between(c, i, j, step, &give, &speed);
            if (i == j) give_itself(c->near[i], step->h, &give, &speed);
            gives->give[i][j] = gives->give[j][i] = give;
            gives->speed[i][j] = gives->speed[j][i] = speed;
        }
    }
}

sb_point_motion link_set_surface(const link_set *c, int link) {
    sb_point_motion sum = {0};
    for (int f = 0; f < c->island->body_count; f++) {
        const sb_modal_field *field = c->island->field[f];
        for (int p = link_set_first_port(c, f); p < c->port_end[f]; p++) {
            const link_port *port = &c->ports[p];
            if (port->link != link) continue;
            sb_point_motion at = field->loops->read(field, port->weights);
            sum.moved_m += port->sign * at.moved_m;
            sum.velocity_m_s += port->sign * at.velocity_m_s;
        }
    }
    return sum;
}
