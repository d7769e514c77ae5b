/* SPDX-License-Identifier: MIT */
/* The near links of an island through the frames of a block. Thread: audio. */
#include "runtime/dsp/contact/link_internal.h"

#include <float.h>

/* Frames between two checks whether the strikers in the air are out of
 * reach. */
enum { LOOK_AGAIN = 4 };

/* --- gathering ------------------------------------------------------------*/

static link_step part_step(const link_set *c, int n, int part) {
    double frames = 1.0 / c->island->parts;
    return (link_step){false, c->island->dt_s * frames, n + part * frames,
                       frames};
}

static link_step whole_step(const link_set *c, int n) {
    return (link_step){true, c->island->dt_s, n, 1.0};
}

static void add_ports(link_set *c, int body) {
    int end = link_set_first_port(c, body);
    for (int i = 0; i < c->count; i++) {
        for (int s = 0; s < 2; s++) {
            const sb_link_side *side = &c->near[i]->side[s];
            if (side->body != body || !side->weights) continue;
            link_port *port = &c->ports[end++];
            *port = (link_port){i, side->sign, side->weights, side, 0.0};
            c->has_moving |= side->end != NULL;
            if (!c->has_lasting)
                port->softness = sb_modal_field_softness(c->island->field[body],
                                                         side->weights);
        }
    }
    c->port_end[body] = end;
}

static void gather(link_set *c, sb_island *island) {
    c->island = island;
    c->count = 0;
    c->has_moving = c->has_lasting = false;
    for (int i = 0; i < island->link_count; i++) {
        sb_link *link = island->link[i];
        if (!link->is_near) continue;
        c->climb_m[c->count] = 0.0;
        c->near[c->count++] = link;
        c->has_lasting |= link->kind != SB_LINK_STRIKER;
    }
    for (int f = 0; f < island->body_count; f++)
        add_ports(c, f);
}

/* --- beginnings -----------------------------------------------------------*/

static void begin(link_set *c, int i, double frame) {
    striker_begin(c->near[i]->striker, link_set_surface(c, i).velocity_m_s,
                  frame, c->island->dt_s);
    if (c->island->trace)
        c->island->trace->in_j += sb_link_energy_j(c->near[i]);
}

/* Other strikes may have moved the surface between blocks. A mass in contact is
 * carried along; one in the air is at most at the surface. */
static void approach(link_set *c) {
    for (int i = 0; i < c->count; i++) {
        sb_link *link = c->near[i];
        sb_striker *s = link->striker;
        sb_point_motion surface = link_set_surface(c, i);
        double surface_m = surface.moved_m;
        if (link->kind == SB_LINK_SPRING || link->kind == SB_LINK_DISTORTION)
            link->depth_m = -surface_m;
        if (!s) continue;
        if (link->kind == SB_LINK_BUZZ) {
            /* Strikes may have driven them into each other: no deeper than
             * before, because that would add energy. */
            s->depth_m = fmin(-surface_m - link->gap_m, fmax(s->depth_m, 0.0));
        } else if (link->kind == SB_LINK_PRESS &&
                   s->phase == SB_STRIKER_WAITING) {
            s->depth_m = 0.0; /* it is put down wherever the surface is */
            s->phase = SB_STRIKER_AWAY;
        } else if (s->phase == SB_STRIKER_AWAY) {
            s->depth_m = fmin(s->position_m - surface_m, 0.0);
        }
        s->closing_m_s =
            s->velocity_m_s - s->body_velocity_m_s - surface.velocity_m_s;
    }
}

/* The parabola through the three sets of weights at a frame. */
static void bend(const sb_link_side *side, int count, double frame) {
    double t = frame / SB_BLOCK_FRAMES;
    double a = (1.0 - t) * (1.0 - 2.0 * t), b = 4.0 * t * (1.0 - t),
           e = t * (2.0 * t - 1.0);
    for (int k = 0; k < count; k++)
        side->now[k] =
            (float)(a * (double)side->weights[k] + b * (double)side->middle[k] +
                    e * (double)side->end[k]);
}

/* The weights at the end of frame n, used for all of it, and how far the points
 * climb in it. */
static void move_weights(link_set *c, int n) {
    for (int i = 0; i < c->count; i++)
        c->climb_m[i] = 0.0;
    for (int f = 0; f < c->island->body_count; f++) {
        const sb_modal_field *field = c->island->field[f];
        for (int p = link_set_first_port(c, f); p < c->port_end[f]; p++) {
            link_port *port = &c->ports[p];
            if (!port->side->end) continue;
            double from = field->loops->read(field, port->weights).moved_m;
            bend(port->side, field->count, n + 1.0);
            port->weights = port->side->now;
            double to = field->loops->read(field, port->weights).moved_m;
            c->climb_m[port->link] -= port->sign * (to - from);
        }
    }
    link_step part = part_step(c, n, 0), whole = whole_step(c, n);
    link_set_compliances(c, &part, false);
    if (c->has_lasting && c->island->parts > 1)
        link_set_compliances(c, &whole, false);
}

/* --- frames ---------------------------------------------------------------*/

static bool all_touch(const link_set *c) {
    for (int i = 0; i < c->count; i++)
        if (!link_is_touching(c->near[i])) return false;
    return true;
}

static void hear(link_set *c, int n) {
    for (int f = 0; f < c->island->body_count; f++) {
        const sb_modal_field *field = c->island->field[f];
        if (c->port_end[f] > link_set_first_port(c, f))
            c->island->out[f][n] += (float)field->loops->hear(field);
    }
}

/* All steps of a frame that is split; the first has been begun. */
static void play_parts(link_set *c, int n, bool is_last) {
    int parts = c->island->parts;
    bool has_points = link_set_has_points(c);
    for (int part = 0; part < parts; part++) {
        link_step step = part_step(c, n, part);
        (void)link_set_predict(c, &step);
        link_set_end_step(c, &step, is_last && part == parts - 1);
        if (has_points) link_set_trace_part(c, &step);
    }
    if (c->island->trace) link_set_trace_frame(c, n);
}

/* From frame `n` on for as long as all links touch: like play_frame, with the
 * end of every step and the beginning of the next in one pass. Returns the next
 * frame. */
static int press_on(link_set *c, int n) {
    link_step step = part_step(c, n, 0);
    hear(c, n);
    link_set_begin_step(c, &step);
    for (;;) {
        play_parts(c, n++, false);
        if (n == SB_BLOCK_FRAMES || !all_touch(c)) return n;
        for (int f = 0; f < c->island->body_count; f++) {
            int ports = c->port_end[f] - link_set_first_port(c, f);
            const sb_modal_field *field = c->island->field[f];
            if (ports == 0) continue;
            double heard = ports <= SB_FIELD_POINTS ? c->heard[f]
                                                    : field->loops->hear(field);
            c->island->out[f][n] += (float)heard;
        }
    }
}

/* Split a frame when a link that needs short steps touches, or would before its
 * end. Otherwise its single step has been begun. */
static bool must_cut(link_set *c, const link_step *whole) {
    if (c->island->parts == 1) return true;
    for (int i = 0; i < c->count; i++)
        if (link_is_short(c->near[i]) && link_is_touching(c->near[i]))
            return true;
    link_set_begin_step(c, whole);
    return link_set_predict(c, whole);
}

static void drop_late(link_set *c, int n) {
    for (int i = 0; i < c->count; i++) {
        sb_striker *s = c->near[i]->striker;
        if (c->near[i]->kind == SB_LINK_STRIKER &&
            striker_is_late(s, n, c->island->dt_s))
            striker_go(s);
    }
}

/* Returns the next frame. */
static int play_frame(link_set *c, int n) {
    drop_late(c, n);
    for (int i = 0; i < c->count; i++)
        if (link_is_waiting(c->near[i]) &&
            c->near[i]->striker->start_frame < n + 1.0)
            begin(c, i, n);
    if (c->has_moving) move_weights(c, n);
    link_step whole = whole_step(c, n), part = part_step(c, n, 0);
    bool is_cut = must_cut(c, &whole);
    if (is_cut && c->is_one && !link_is_waiting(c->near[0]))
        return link_set_press_alone(c, n);
    hear(c, n);
    if (is_cut) {
        link_set_begin_step(c, &part);
        play_parts(c, n, true);
        return n + 1;
    }
    link_set_end_step(c, &whole, true);
    if (c->island->trace) link_set_trace_frame(c, n);
    return n + 1;
}

/* --- when nothing touches -------------------------------------------------*/

/* The largest displacement of a link's surfaces from rest. */
static double swing_of(const link_set *c, int link) {
    double swing = 0.0;
    for (int f = 0; f < c->island->body_count; f++) {
        const sb_modal_field *field = c->island->field[f];
        for (int p = link_set_first_port(c, f); p < c->port_end[f]; p++) {
            if (c->ports[p].link != link) continue;
            swing += sqrt(2.0 * field->loops->energy_j(field) *
                          c->ports[p].softness);
        }
    }
    return swing;
}

/* Frames from `n` on in which nothing can touch: until the first striker
 * begins, or to the end of the block when all that have begun stay out of
 * reach. */
static int idle_frames(const link_set *c, int n) {
    double until = SB_BLOCK_FRAMES;
    double span_s = (SB_BLOCK_FRAMES - n) * c->island->dt_s;
    if (c->has_lasting) return 0;
    for (int i = 0; i < c->count; i++) {
        const sb_striker *s = c->near[i]->striker;
        if (s->phase == SB_STRIKER_WAITING) {
            until = fmin(until, floor(fmax(s->start_frame, n)));
            continue;
        }
        /* The check costs more than a frame, so only for those that move
         * away. */
        if (s->phase == SB_STRIKER_TOUCHING || s->closing_m_s > 0.0) return 0;
        double surface_m = link_set_surface(c, i).moved_m;
        double top = striker_top(s, s->depth_m + surface_m, span_s);
        if (top > -1.001 * swing_of(c, i) - DBL_MIN) return 0;
    }
    return (int)until - n;
}

/* Advance by some frames in which nothing touches. */
static void coast(link_set *c, int n, int frames) {
    double surface_m[SB_ISLAND_LINKS], span_s = frames * c->island->dt_s;
    for (int i = 0; i < c->count; i++)
        surface_m[i] = link_set_surface(c, i).moved_m;
    for (int f = 0; f < c->island->body_count; f++) {
        sb_modal_field *field = c->island->field[f];
        if (c->port_end[f] > link_set_first_port(c, f))
            field->loops->coast(field, frames, c->island->out[f] + n);
    }
    for (int i = 0; i < c->count; i++) {
        sb_striker *s = c->near[i]->striker;
        if (s->phase == SB_STRIKER_WAITING) continue;
        double g = striker_gravity(s);
        sb_point_motion now = link_set_surface(c, i);
        double fall = span_s * (s->velocity_m_s + 0.5 * g * span_s);
        s->depth_m += surface_m[i] - now.moved_m + fall;
        s->velocity_m_s += g * span_s;
        s->closing_m_s =
            s->velocity_m_s - s->body_velocity_m_s - now.velocity_m_s;
        if (c->island->trace) c->island->trace->in_j += s->mass_kg * g * fall;
    }
    for (int k = n; k < n + frames && c->island->trace; k++)
        link_set_trace_frame(c, k);
}

/* --- the block ------------------------------------------------------------*/

static void leave(link_set *c) {
    for (int i = 0; i < c->count; i++) {
        sb_striker *s = c->near[i]->striker;
        if (!s) continue;
        s->position_m = s->depth_m + link_set_surface(c, i).moved_m;
        s->contact.time_frames -= SB_BLOCK_FRAMES;
    }
}

/* The near link, if it is a plain striker and the only one; or NULL. */
static sb_link *lone_striker(const sb_island *island) {
    sb_link *lone = NULL;
    for (int i = 0; i < island->link_count; i++) {
        if (!island->link[i]->is_near) continue;
        if (lone) return NULL;
        lone = island->link[i];
    }
    bool is_plain = lone && lone->kind == SB_LINK_STRIKER && !island->trace &&
                    !lone->striker->is_kmethod && link_has_side(lone, 0) &&
                    !link_has_side(lone, 1);
    return is_plain ? lone : NULL;
}

void sb_island_play_fields(sb_island *island) {
    sb_link *lone = lone_striker(island);
    if (lone) {
        int body = lone->side[0].body;
        lone->striker->weights = lone->side[0].weights;
        sb_striker_play_alone(lone->striker, island->field[body],
                              island->out[body], &lone->side[0], island->log);
        return;
    }
    link_set c;
    gather(&c, island);
    link_step part = part_step(&c, 0, 0), whole = whole_step(&c, 0);
    link_set_compliances(&c, &part, true);
    if (c.has_lasting && island->parts > 1)
        link_set_compliances(&c, &whole, true);
    approach(&c);
    if (island->trace) link_set_trace_begin(&c);
    c.is_one = link_set_is_one_contact(&c);
    int looked = -LOOK_AGAIN;
    /* A trace shows every frame of a flight, too. */
    bool is_watched = island->trace && island->trace->link;
    for (int n = 0; n < SB_BLOCK_FRAMES;) {
        int idle = 0;
        if (n - looked >= LOOK_AGAIN && !is_watched) {
            idle = idle_frames(&c, n);
            looked = n;
        }
        if (idle > 0) {
            coast(&c, n, idle);
            n += idle;
        } else if (!c.has_moving && all_touch(&c)) {
            n = c.is_one ? link_set_press_alone(&c, n) : press_on(&c, n);
        } else {
            n = play_frame(&c, n);
        }
    }
    leave(&c);
}
