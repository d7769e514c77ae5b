/* SPDX-License-Identifier: MIT */
/* The energy balance of an island: input, stored and dissipated energy. Thread:
 * audio. */
#include "runtime/dsp/contact/link_internal.h"

double sb_link_energy_j(const sb_link *link) {
    const sb_striker *s = link->striker;
    double sum = 0.0;
    if (link->kind == SB_LINK_STRIKER || link->kind == SB_LINK_PRESS) {
        double v = s->velocity_m_s, r = s->body_velocity_m_s;
        bool is_over =
            link->kind == SB_LINK_STRIKER && s->phase == SB_STRIKER_OVER;
        if (is_over || link_is_waiting(link)) return 0.0;
        sum = 0.5 * s->mass_kg * v * v;
        if (s->inverse_mass > 0.0) sum += 0.5 * r * r / s->inverse_mass;
    }
    if (s) return sum + sb_contact_energy_j(&s->law, s->depth_m);
    if (link->kind == SB_LINK_FRICTION) {
        const sb_link_rub *rub = &link->rub;
        double z = rub->stretch_m, v = rub->speed_m_s;
        return 0.5 * (rub->rub_mass_kg * v * v + rub->rub_stiffness * z * z) +
               sb_bristle_energy_j(rub->law, &rub->state);
    }
    if (link->kind == SB_LINK_SPRING) {
        double square = link->depth_m * link->depth_m;
        return square * (0.5 * link->spring.linear_n_m +
                         0.25 * link->spring.cubic_n_m3 * square);
    }
    return 0.0;
}

static double modes_energy(const link_set *c) {
    double sum = 0.0;
    for (int f = 0; f < c->island->body_count; f++) {
        const sb_modal_field *field = c->island->field[f];
        if (c->port_end[f] > link_set_first_port(c, f))
            sum += field->loops->energy_j(field);
    }
    return sum;
}

static double links_energy(const link_set *c) {
    double sum = 0.0;
    for (int i = 0; i < c->count; i++)
        sum += sb_link_energy_j(c->near[i]);
    return sum;
}

/* Changes since the last block come from outside. */
void link_set_trace_begin(link_set *c) {
    sb_trace *t = c->island->trace;
    double kept = modes_energy(c) + links_energy(c);
    double more = kept - t->kept_j;
    t->in_j += fmax(more, 0.0);
    t->lost_j += fmax(-more, 0.0);
    t->kept_j = kept;
    t->point_count = 0;
    t->found_in_j = t->in_j;
    t->found_kept_j = kept;
    t->found_lost_j = t->lost_j;
    c->to_modes_j = c->push_ns = 0.0;
    c->was = (link_account){t->in_j, modes_energy(c), links_energy(c)};
}

void link_set_trace_step(link_set *c, int i, double h, double from_m,
                         double to_m) {
    const sb_link *link = c->near[i];
    const link_motion *m = &c->motion[i];
    sb_trace *t = c->island->trace;
    double force = c->force_n[i];
    double own = m->own_m - 0.5 * h * h * link_loose(link) * force;
    if (link == t->link) c->push_ns += h * force;
    if (link->kind == SB_LINK_STRIKER) {
        const sb_striker *s = link->striker;
        double fall =
            h * (s->velocity_m_s + 0.5 * h * (m->load - force / s->mass_kg));
        t->in_j += s->mass_kg * m->load * fall;
    } else if (link->kind == SB_LINK_PRESS) {
        t->in_j += m->load * own;
    } else if (link->kind == SB_LINK_FRICTION && link->rub.rub_mass_kg > 0.0) {
        double mass = link->rub.rub_mass_kg;
        own = m->own_m - link_swing_of(&link->rub, h).g * force / mass;
        t->in_j -= mass * m->load * own;
    }
    if (link->kind == SB_LINK_PULSE) t->in_j -= force * (to_m - from_m);
    t->in_j += force * m->drive_m;
    c->to_modes_j += force * (own + m->drive_m - (to_m - from_m));
}

/* The velocities of masses. */
static void look_at_masses(const sb_link *link, int n, double speed_m_s[2]) {
    const sb_striker *s = link->striker;
    speed_m_s[0] = speed_m_s[1] = 0.0;
    if (link->kind == SB_LINK_STRIKER || link->kind == SB_LINK_PRESS) {
        speed_m_s[0] = s->body_velocity_m_s; // NOLINT: both kinds have one
        speed_m_s[1] = s->velocity_m_s;
    }
    if (link->kind == SB_LINK_FRICTION) {
        const double *slip = link->rub.slip_m_s;
        double part = (n + 1.0) / SB_BLOCK_FRAMES;
        speed_m_s[1] =
            slip[0] + part * (slip[1] - slip[0]) + link->rub.speed_m_s;
    }
}

/* The velocities of the surfaces of both sides. */
static void look_at_sides(const link_set *c, const sb_link *link, int n,
                          double speed_m_s[2]) {
    look_at_masses(link, n, speed_m_s);
    for (int f = 0; f < c->island->body_count; f++) {
        for (int p = link_set_first_port(c, f); p < c->port_end[f]; p++) {
            const link_port *port = &c->ports[p];
            const sb_modal_field *field = c->island->field[f];
            if (c->near[port->link] != link) continue;
            speed_m_s[port->side != link->side] +=
                field->loops->read(field, port->weights).velocity_m_s;
        }
    }
}

/* Modes and links separately: a spurious gain of one must not be hidden by a
 * loss of the other. */
static void account(link_set *c) {
    sb_trace *t = c->island->trace;
    double modes = modes_energy(c), links = links_energy(c);
    double in = t->in_j - c->was.in_j;
    double to_modes = c->to_modes_j;
    t->lost_j += fmax(0.0, in - to_modes - (links - c->was.links_j)) +
                 fmax(0.0, to_modes - (modes - c->was.modes_j));
    t->kept_j = modes + links;
    c->was = (link_account){t->in_j, modes, links};
    c->to_modes_j = 0.0;
}

/* After the account. */
static void fill_row(const link_set *c, int n, double force,
                     sb_trace_row *row) {
    const sb_trace *t = c->island->trace;
    *row = (sb_trace_row){
        .in_j = t->in_j, .kept_j = t->kept_j, .lost_j = t->lost_j};
    double left = t->in_j - t->kept_j - t->lost_j;
    if (t->in_j > 0.0) row->drift = left / t->in_j;
    if (!t->link) return;
    row->force_n = force;
    row->depth_m =
        t->link->striker ? t->link->striker->depth_m : t->link->depth_m;
    if (t->link->kind == SB_LINK_FRICTION)
        row->depth_m = t->link->rub.state.stretch_m;
    if (t->link->striker && t->link->striker->is_gone) row->depth_m = NAN;
    look_at_sides(c, t->link, n, row->speed_m_s);
}

void link_set_trace_frame(link_set *c, int n) {
    account(c);
    fill_row(c, n, c->push_ns / c->island->dt_s, &c->island->trace->rows[n]);
    c->push_ns = 0.0;
}

bool link_set_has_points(const link_set *c) {
    const sb_trace *t = c->island->trace;
    return t && t->has_points && t->link && t->link->kind == SB_LINK_STRIKER &&
           t->point_count + c->island->parts < SB_TRACE_POINTS;
}

void link_set_trace_part(link_set *c, const link_step *step) {
    sb_trace *t = c->island->trace;
    double force = 0.0;
    int n = (int)step->frame;
    for (int i = 0; i < c->count; i++)
        if (c->near[i] == t->link) force = c->force_n[i];
    if (force > 0.0 && !(t->was_force_n > 0.0)) {
        sb_trace_point *touch = &t->points[t->point_count++];
        touch->n = n;
        touch->frame = step->frame;
        touch->row = (sb_trace_row){0.0, 0.0, {NAN, NAN}, NAN, NAN, NAN, NAN};
    }
    account(c);
    sb_trace_point *point = &t->points[t->point_count++];
    point->n = n;
    point->frame = step->frame + step->frames;
    fill_row(c, n, force, &point->row);
    t->was_force_n = force;
}
