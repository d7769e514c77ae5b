/* SPDX-License-Identifier: MIT */
/* One step of the near links of an island. Thread: audio. */
#include "runtime/dsp/contact/link_internal.h"
#include "runtime/dsp/contact/record.h"

/* --- where all would be ---------------------------------------------------*/

static void see(link_set *c, const link_port *port, sb_point_motion seen) {
    c->seen_m[port->link] += port->sign * seen.moved_m;
    c->seen_m_s[port->link] += port->sign * seen.velocity_m_s;
}

static void begin_body(link_set *c, int f, const link_step *step) {
    sb_modal_field *field = c->island->field[f];
    int first = link_set_first_port(c, f);
    for (int p = first; p < c->port_end[f]; p++) {
        const link_port *port = &c->ports[p];
        see(c, port,
            p == first ? field->loops->advance(
                             field, link_set_stride(c, f, step), port->weights)
                       : field->loops->point(field, port->weights));
    }
}

static void forget_seen(link_set *c) {
    for (int i = 0; i < c->count; i++)
        c->seen_m[i] = c->seen_m_s[i] = 0.0;
}

void link_set_begin_step(link_set *c, const link_step *step) {
    forget_seen(c);
    for (int f = 0; f < c->island->body_count; f++)
        begin_body(c, f, step);
}

/* The rise of the profile in the step. */
static double profile_rise(const sb_link *link, const link_step *step) {
    int n = (int)step->frame;
    if (!link->profile_m || n >= SB_BLOCK_FRAMES) return 0.0;
    return (link->profile_m[n + 1] - link->profile_m[n]) * step->frames;
}

static link_motion mass_motion(const sb_link *link, double pull, double h) {
    const sb_striker *s = link->striker;
    double v = s->velocity_m_s - s->body_velocity_m_s;
    return (link_motion){.own_m = h * (v + 0.5 * pull * h),
                         .own_m_s = v + pull * h};
}

static link_motion rub_motion(const sb_link *link, const link_step *step,
                              double dt_s) {
    const sb_link_rub *rub = &link->rub;
    double h = step->h;
    double v = link_ramp(rub->slip_m_s, step->frame + 0.5 * step->frames);
    link_motion m = {.drive_m = v * h, .drive_m_s = v};
    if (!(rub->rub_mass_kg > 0.0)) return m;
    link_swing swing = link_swing_of(rub, h);
    m.load = (rub->slip_m_s[1] - rub->slip_m_s[0]) / (SB_BLOCK_FRAMES * dt_s);
    double push =
        -rub->rub_stiffness / rub->rub_mass_kg * rub->stretch_m - m.load;
    m.own_m = swing.g * push + swing.s * rub->speed_m_s;
    m.own_m_s = swing.t * rub->speed_m_s + swing.s * push;
    return m;
}

/* The motion of link i in the step without a force. */
static inline link_motion move(const link_set *c, int i,
                               const link_step *step) {
    const sb_link *link = c->near[i];
    double middle = step->frame + 0.5 * step->frames, h = step->h;
    link_motion m = {.own_m = 0.0};
    if (link->kind == SB_LINK_STRIKER) {
        double g = striker_gravity(link->striker);
        m = mass_motion(link, g, h);
        m.load = g;
    } else if (link->kind == SB_LINK_PRESS) {
        double load = link_ramp(link->load_n, middle);
        m = mass_motion(link, load * link_loose(link), h);
        m.load = load;
        m.drive_m = profile_rise(link, step);
        m.drive_m_s = m.drive_m / h;
    } else if (link->kind == SB_LINK_FRICTION) {
        m = rub_motion(link, step, c->island->dt_s);
    }
    m.drive_m += c->climb_m[i] * step->frames;
    return m;
}

bool link_set_predict(link_set *c, const link_step *step) {
    bool has_contact = false;
    for (int i = 0; i < c->count; i++) {
        const sb_link *link = c->near[i];
        c->force_n[i] = 0.0;
        if (link_is_waiting(link)) continue;
        link_motion *m = &c->motion[i];
        *m = move(c, i, step);
        double x = link->striker ? link->striker->depth_m : link->depth_m;
        c->free_m[i] = x + m->own_m + m->drive_m - c->seen_m[i];
        c->free_m_s[i] = m->own_m_s + m->drive_m_s - c->seen_m_s[i];
        has_contact |= link_is_short(link) &&
                       (!link->striker || x > 0.0 || c->free_m[i] > 0.0);
    }
    return has_contact;
}

/* --- measuring ------------------------------------------------------------*/

static void follow_contact(link_set *c, int i, const link_step *step, double x,
                           double closing) {
    const sb_link *link = c->near[i];
    sb_striker *s = link->striker;
    double force = c->force_n[i], h = step->h, load = c->motion[i].load;
    if (force > 0.0 && s->phase != SB_STRIKER_TOUCHING)
        striker_touch(s, (striker_when){step->frame, c->island->dt_s, h});
    if (link->kind == SB_LINK_STRIKER) {
        s->velocity_m_s += h * (load - force / s->mass_kg);
        s->body_velocity_m_s += h * force * s->inverse_mass;
    } else if (link->kind == SB_LINK_PRESS) {
        s->velocity_m_s += h * (load - force) / s->mass_kg;
        s->body_velocity_m_s += h * (force - load) * s->inverse_mass;
    }
    s->given_j = fmax(0.0, s->given_j + force * (x - s->depth_m));
    s->depth_m = x;
    s->closing_m_s = closing;
    s->force_change_before_n = s->force_change_n;
    s->force_change_n = force - s->force_n;
    s->force_n = s->is_kmethod ? fmax(0.0, 2.0 * force - s->force_n) : force;
    if (s->phase != SB_STRIKER_TOUCHING) return;
    bool is_flying = link->kind == SB_LINK_STRIKER;
    if (is_flying)
        striker_measure(s, force, sb_contact_force(&s->law, x, closing), h);
    if (x > 0.0 || (s->is_kmethod && s->force_n > 0.0)) return;
    striker_come_off(s, h, step->frame, is_flying, c->island->log);
    s->given_j = 0.0;
}

static void follow_rub(link_set *c, int i, double h) {
    sb_link_rub *rub = &c->near[i]->rub;
    double force = c->force_n[i];
    rub->state = rub->after;
    if (!(rub->rub_mass_kg > 0.0)) return;
    link_swing swing = link_swing_of(rub, h);
    rub->stretch_m += c->motion[i].own_m - swing.g * force / rub->rub_mass_kg;
    rub->speed_m_s = c->motion[i].own_m_s - swing.s * force / rub->rub_mass_kg;
}

/* Add the force to the sides that record it. */
static void record_force(const sb_link *link, const link_step *step) {
    if (link->excess_ns) {
        double load = link_ramp(link->load_n, step->frame + 0.5 * step->frames);
        link->excess_ns[(int)step->frame] += step->h * (link->force_n - load);
    }
    for (int i = 0; i < 2; i++) {
        const sb_link_side *side = &link->side[i];
        if (side->record)
            sb_record_add(side->record, step->frame, step->frames,
                          (double)side->record_gain * step->h * link->force_n);
    }
}

/* Advance link i to the end of the solved step. */
static void follow(link_set *c, int i, const link_step *step) {
    sb_link *link = c->near[i];
    const link_gives *gives = &c->gives[step->is_whole];
    double x = c->free_m[i], closing = c->free_m_s[i];
    double from = link->striker ? link->striker->depth_m : link->depth_m;
    for (int j = 0; j < c->count; j++) {
        if (c->force_n[j] == 0.0) continue; /* gives may not be set then */
        x -= gives->give[i][j] * c->force_n[j];
        closing -= gives->speed[i][j] * c->force_n[j];
    }
    if (c->island->trace) link_set_trace_step(c, i, step->h, from, x);
    if (link->striker) {
        follow_contact(c, i, step, x, closing);
    } else if (link->kind == SB_LINK_FRICTION) {
        follow_rub(c, i, step->h);
    } else if (link->kind != SB_LINK_PULSE) {
        link->depth_m = x;
    }
    link->force_n = c->force_n[i];
    record_force(link, step);
}

/* --- the end of the step --------------------------------------------------*/

/* End the step and begin the next in one pass, for all points of a body. */
static void end_points(link_set *c, int f, const link_step *step) {
    int first = link_set_first_port(c, f), count = c->port_end[f] - first;
    const link_port *ports = &c->ports[first];
    const float *weights[SB_FIELD_POINTS] = {NULL};
    double force_n[SB_FIELD_POINTS] = {0.0};
    sb_point_motion seen[SB_FIELD_POINTS];
    for (int i = 0; i < count; i++) {
        weights[i] = ports[i].weights;
        force_n[i] = ports[i].sign * c->force_n[ports[i].link];
    }
    sb_modal_field *field = c->island->field[f];
    c->heard[f] = field->loops->step_points(field, link_set_stride(c, f, step),
                                            weights, force_n, count, seen);
    for (int i = 0; i < count; i++)
        see(c, &ports[i], seen[i]);
}

static void end_body(link_set *c, int f, const link_step *step, bool is_last) {
    sb_modal_field *field = c->island->field[f];
    const sb_modal_stride *stride = link_set_stride(c, f, step);
    int first = link_set_first_port(c, f), end = c->port_end[f];
    const link_port *port = &c->ports[first];
    double force = port->sign * c->force_n[port->link];
    if (end == first + 1 && !is_last) {
        sb_point_motion seen =
            field->loops->step(field, stride, port->weights, force);
        c->heard[f] = seen.heard;
        see(c, port, seen);
        return;
    }
    if (end - first <= SB_FIELD_POINTS && !is_last) {
        end_points(c, f, step);
        return;
    }
    field->loops->commit(field, stride, port->weights, force);
    for (int p = first + 1; p < end; p++) {
        force = c->ports[p].sign * c->force_n[c->ports[p].link];
        if (force == 0.0) continue;
        sb_modal_field_push(field, stride, c->ports[p].weights, force);
    }
    if (!is_last) begin_body(c, f, step);
}

void link_set_end_step(link_set *c, const link_step *step, bool is_last) {
    bool has_any = false;
    for (int i = 0; i < c->count; i++) {
        const sb_link *link = c->near[i];
        if (link_is_waiting(link)) continue;
        has_any |= !link->striker || link->striker->depth_m > 0.0 ||
                   c->free_m[i] > 0.0;
    }
    if (has_any) link_set_solve(c, step);
    forget_seen(c);
    for (int f = 0; f < c->island->body_count; f++)
        if (c->port_end[f] > link_set_first_port(c, f))
            end_body(c, f, step, is_last);
    for (int i = 0; i < c->count; i++)
        if (!link_is_waiting(c->near[i])) follow(c, i, step);
}

/* --- one alone ------------------------------------------------------------*/

bool link_set_is_one_contact(const link_set *c) {
    int ports = c->port_end[c->island->body_count - 1];
    return c->count == 1 && ports == 1 && c->near[0]->striker &&
           !c->island->trace && !c->has_moving;
}

int link_set_press_alone(link_set *c, int n) {
    const link_port *port = &c->ports[0];
    sb_link *link = c->near[0];
    sb_striker *s = link->striker;
    sb_modal_field *field = c->island->field[port->side->body];
    const sb_modal_stride *stride = &field->part;
    float *out = c->island->out[port->side->body];
    int parts = c->island->parts;
    double give = c->gives[0].give[0][0], speed = c->gives[0].speed[0][0];
    link_step step = {false, stride->step_s, n, 1.0 / parts};
    double heard = field->loops->hear(field);
    sb_point_motion seen = field->loops->advance(field, stride, port->weights);
    do {
        out[n] += (float)heard;
        for (int part = 0; part < parts; part++) {
            step.frame = n + part * step.frames;
            link_motion m = c->motion[0] = move(c, 0, &step);
            double free_m =
                s->depth_m + m.own_m + m.drive_m - port->sign * seen.moved_m;
            double free_m_s =
                m.own_m_s + m.drive_m_s - port->sign * seen.velocity_m_s;
            double force =
                link_set_contact_force(c, 0, &step, free_m, free_m_s);
            c->force_n[0] = force;
            seen = field->loops->step(field, stride, port->weights,
                                      port->sign * force);
            follow_contact(c, 0, &step, free_m - give * force,
                           free_m_s - speed * force);
            link->force_n = force;
            record_force(link, &step);
        }
        heard = seen.heard;
        n++;
    } while (n < SB_BLOCK_FRAMES && s->phase == SB_STRIKER_TOUCHING);
    return n;
}
