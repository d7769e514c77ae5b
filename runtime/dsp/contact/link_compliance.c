/* The compliance matrix of the near links: how far each link moves per newton
 * on another. Thread: audio. */
#include "runtime/dsp/contact/link_internal.h"

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

void link_set_surface(const link_set *c, int link, double *at_m,
                      double *speed_m_s) {
    *at_m = *speed_m_s = 0.0;
    for (int f = 0; f < c->island->body_count; f++) {
        for (int p = link_set_first_port(c, f); p < c->port_end[f]; p++) {
            if (c->ports[p].link != link) continue;
            double q, v;
            sb_modal_field_read(c->island->field[f], c->ports[p].weights, &q,
                                &v);
            *at_m += c->ports[p].sign * q;
            *speed_m_s += c->ports[p].sign * v;
        }
    }
}
