/* SPDX-License-Identifier: MIT */
/* Links before and after each block: which are near, how many steps they need,
 * and the flight of strikers that are not near. Thread: audio. */
#include "runtime/dsp/contact/link.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/contact/link_internal.h"

#include <float.h>
#include <string.h>

/* A striker that touches for longer than this rests on the surface. */
#define RESTING_S 0.25

/* Steps per period of the oscillation of a lasting contact. What presses on a
 * profile also has to follow it at 10 kHz. */
#define PERIOD_STEPS 8.0
#define PRESS_STEPS  24.0

/* A spring matters while it shifts a pitch by this share, and a distortion
 * while the speed exceeds this share of its knee. */
#define LEAST_SHIFT 1e-5
#define LEAST_SPEED 1e-6

/* Smaller displacements are inaudible. */
#define LEAST_REACH_M 1e-13

/* --- making ---------------------------------------------------------------*/

static void init(sb_link *link, sb_link_kind kind, double first_sign) {
    memset(link, 0, sizeof *link);
    link->kind = kind;
    link->parts = 1;
    for (int s = 0; s < 2; s++) {
        link->side[s].body = -1;
        link->side[s].sign = s == 0 ? first_sign : -first_sign;
    }
}

void sb_link_init_striker(sb_link *link, sb_striker *striker) {
    init(link, SB_LINK_STRIKER, 1.0);
    link->striker = striker;
    link->side[0].body = 0;
    link->side[0].weights = striker->weights;
    link->is_near = striker->is_near;
    link->parts = striker->parts;
}

void sb_link_init_press(sb_link *link, sb_striker *room,
                        const sb_contact_law *law, double mass_kg,
                        double inverse_mass) {
    init(link, SB_LINK_PRESS, 1.0);
    *room = (sb_striker){
        .law = *law, .mass_kg = mass_kg, .inverse_mass = inverse_mass};
    link->striker = room;
}

void sb_link_init_buzz(sb_link *link, sb_striker *room,
                       const sb_contact_law *law, double gap_m) {
    init(link, SB_LINK_BUZZ, -1.0);
    *room = (sb_striker){.law = *law, .phase = SB_STRIKER_AWAY};
    link->striker = room;
    link->gap_m = gap_m;
}

void sb_link_init_friction(sb_link *link, const sb_bristle *law,
                           double rub_mass_kg, double rub_stiffness) {
    init(link, SB_LINK_FRICTION, 1.0);
    link->rub.law = law;
    link->rub.rub_mass_kg = rub_mass_kg;
    link->rub.rub_stiffness = rub_stiffness;
}

void sb_link_init_spring(sb_link *link, const sb_spring *spring,
                         bool is_distortion) {
    init(link, is_distortion ? SB_LINK_DISTORTION : SB_LINK_SPRING, -1.0);
    link->spring = *spring;
}

void sb_link_init_pulse(sb_link *link, const sb_link_pulse *pulse) {
    init(link, SB_LINK_PULSE, 1.0);
    link->pulse = *pulse;
    link->pulse.is_over = false;
    link->parts = SB_PULSE_PARTS;
}

/* --- before the block -----------------------------------------------------*/

/* The sum over the ringing sides of a quantity of the bank at a point. */
typedef double reading(const sb_modal_bank *bank, const float *weights);

static double over_sides(const sb_island *island, const sb_link *link,
                         reading *read) {
    double sum = 0.0;
    for (int s = 0; s < 2; s++)
        if (link_has_side(link, s))
            sum +=
                read(island->bank[link->side[s].body], link->side[s].weights);
    return sum;
}

static double sum_squares(const float *weights, int count) {
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += (double)weights[k] * (double)weights[k];
    return sum;
}

static double squares(const sb_modal_bank *bank, const float *weights) {
    return sum_squares(weights, sb_modal_bank_mode_count(bank));
}

void sb_link_prepare_striker(sb_link *link, const int mode_count[2],
                             double sample_rate_hz) {
    double yields = link_loose(link);
    for (int s = 0; s < 2; s++)
        if (mode_count[s] > 0)
            yields += sum_squares(link->side[s].weights, mode_count[s]);
    striker_set_parts(link->striker, yields, sample_rate_hz);
    link->parts = link->striker->parts;
}

/* Powers of two, so that a fluctuating load rarely changes it. */
static int lasting_parts(double period_frames, double steps) {
    int parts = 1;
    while (parts < SB_LASTING_PARTS && parts * period_frames < steps)
        parts *= 2;
    return parts;
}

/* From the stiffness and the sum of the inverse masses. */
static int stiff_parts(double stiffness_n_m, double yields, double dt_s,
                       double steps) {
    double w = sqrt(stiffness_n_m * yields);
    return lasting_parts(SB_TAU / (w * dt_s), steps);
}

static void look_at_striker(const sb_island *island, sb_link *link) {
    sb_striker *striker = link->striker;
    striker->is_near = striker->phase == SB_STRIKER_TOUCHING;
    if (striker->phase == SB_STRIKER_WAITING) {
        striker->is_near = striker->start_frame < SB_BLOCK_FRAMES;
    } else if (striker->phase == SB_STRIKER_AWAY) {
        double reach = over_sides(island, link, sb_modal_field_max_reach);
        double top = striker_top(striker, striker->position_m,
                                 SB_BLOCK_FRAMES * island->dt_s);
        striker->is_near = top > -1.001 * reach - DBL_MIN;
    }
    link->is_near = striker->is_near;
    link->parts = striker->parts;
}

static double load_of(const sb_link *link) {
    return fmax(link->load_n[0], link->load_n[1]);
}

static void look_at_press(const sb_island *island, sb_link *link) {
    sb_striker *s = link->striker;
    double load = load_of(link);
    link->is_near = load > 0.0 || s->phase == SB_STRIKER_TOUCHING;
    if (!link->is_near) {
        /* Lifted off: it will be put down again. */
        s->phase = SB_STRIKER_WAITING;
        s->velocity_m_s = s->body_velocity_m_s = s->force_n = 0.0;
        return;
    }
    /* The approximate depth at which it carries the load. */
    double a = s->law.exponent;
    double depth = pow(load / s->law.stiffness, 1.0 / a);
    double yields = link_loose(link) + over_sides(island, link, squares);
    link->parts = 1;
    if (depth > 0.0)
        link->parts =
            stiff_parts(a * load / depth, yields, island->dt_s, PRESS_STEPS);
}

static void look_at_buzz(const sb_island *island, sb_link *link) {
    sb_striker *s = link->striker;
    double reach = over_sides(island, link, sb_modal_field_max_reach);
    link->is_near =
        s->phase == SB_STRIKER_TOUCHING || 1.001 * reach > link->gap_m;
    if (!link->is_near) {
        s->depth_m = 0.0;
        return;
    }
    double yields = over_sides(island, link, squares);
    double max_speed = over_sides(island, link, sb_modal_field_max_speed);
    double period = 2.0 * sb_contact_time_s(&s->law, 1.0 / yields, max_speed);
    link->parts = lasting_parts(period / island->dt_s, PERIOD_STEPS);
}

static void look_at_rub(const sb_island *island, sb_link *link) {
    sb_link_rub *rub = &link->rub;
    double load = load_of(link);
    if (rub->press) load = load_of(rub->press);
    link->is_near = load > 0.0;
    if (!link->is_near) {
        memset(&rub->state, 0, sizeof rub->state);
        rub->stretch_m = rub->speed_m_s = 0.0;
        return;
    }
    double yields = over_sides(island, link, squares);
    if (rub->rub_mass_kg > 0.0) yields += 1.0 / rub->rub_mass_kg;
    link->parts = stiff_parts(load * rub->law->stiffness_per_m, yields,
                              island->dt_s, PERIOD_STEPS);
}

static void look_at_spring(const sb_island *island, sb_link *link) {
    const sb_spring *spring = &link->spring;
    if (link->kind == SB_LINK_DISTORTION) {
        double max_speed = over_sides(island, link, sb_modal_field_max_speed);
        link->is_near = max_speed > LEAST_SPEED * spring->knee_m_s;
        return;
    }
    /* A linear spring is part of the body for as long as that is audible. */
    double reach = over_sides(island, link, sb_modal_field_max_reach);
    double softest = over_sides(island, link, sb_modal_field_softest);
    double stiffer = 0.75 * spring->cubic_n_m3 * reach * reach;
    link->is_near = 0.5 * stiffer * softest > LEAST_SHIFT ||
                    (spring->linear_n_m > 0.0 && reach > LEAST_REACH_M);
}

static void look_at(const sb_island *island, sb_link *link) {
    switch (link->kind) {
    case SB_LINK_STRIKER:
        look_at_striker(island, link);
        break;
    case SB_LINK_PRESS:
        look_at_press(island, link);
        break;
    case SB_LINK_BUZZ:
        look_at_buzz(island, link);
        break;
    case SB_LINK_FRICTION:
        look_at_rub(island, link);
        break;
    case SB_LINK_SPRING:
    case SB_LINK_DISTORTION:
        look_at_spring(island, link);
        break;
    case SB_LINK_PULSE:
        link->is_near =
            !link->pulse.is_over && link->pulse.start_frame < SB_BLOCK_FRAMES;
        break;
    }
}

static bool is_inside(const sb_link *link) {
    return link->kind == SB_LINK_SPRING || link->kind == SB_LINK_DISTORTION;
}

/* A hard contact within the block needs the springs of that body from the
 * start: if they joined later, they would add the energy they then store. */
static void wake_springs(const sb_island *island) {
    bool is_hit[SB_ISLAND_BODIES] = {false};
    for (int i = 0; i < island->link_count; i++) {
        const sb_link *link = island->link[i];
        bool is_hard = link->kind == SB_LINK_STRIKER ||
                       link->kind == SB_LINK_PULSE ||
                       link->kind == SB_LINK_BUZZ;
        for (int s = 0; s < 2 && is_hard && link->is_near; s++)
            if (link_has_side(link, s)) is_hit[link->side[s].body] = true;
    }
    for (int i = 0; i < island->link_count; i++) {
        sb_link *link = island->link[i];
        if (is_inside(link) && link_has_side(link, 0))
            link->is_near |= is_hit[link->side[0].body];
    }
}

bool sb_island_look(sb_island *island) {
    bool is_any_near = false;
    island->parts = 1;
    memset(island->is_touched, 0, sizeof island->is_touched);
    for (int i = 0; i < island->link_count; i++)
        look_at(island, island->link[i]);
    wake_springs(island);
    for (int i = 0; i < island->link_count; i++) {
        const sb_link *link = island->link[i];
        if (!link->is_near) continue;
        is_any_near = true;
        if (link->parts > island->parts) island->parts = link->parts;
        for (int s = 0; s < 2; s++)
            if (link_has_side(link, s))
                island->is_touched[link->side[s].body] = true;
    }
    return is_any_near;
}

/* --- the block ------------------------------------------------------------*/

static void rest(sb_link *link) {
    sb_striker *s = link->striker;
    link->force_n = link->depth_m = 0.0;
    if (link->kind == SB_LINK_PULSE) link->pulse.is_over = true;
    if (link->kind == SB_LINK_FRICTION) {
        memset(&link->rub.state, 0, sizeof link->rub.state);
        link->rub.stretch_m = link->rub.speed_m_s = 0.0;
    }
    if (!s) return;
    s->phase = link->kind == SB_LINK_STRIKER ? SB_STRIKER_OVER
               : link->kind == SB_LINK_PRESS ? SB_STRIKER_WAITING
                                             : SB_STRIKER_AWAY;
    s->depth_m = s->position_m = s->velocity_m_s = s->body_velocity_m_s = 0.0;
    s->force_n = s->force_change_n = s->force_change_before_n = 0.0;
}

static bool is_sane(const sb_island *island) {
    double sum = 0.0;
    for (int f = 0; f < island->body_count; f++) {
        const sb_modal_field *field = island->field[f];
        if (island->is_touched[f]) sum += field->loops->energy_j(field);
    }
    for (int i = 0; i < island->link_count; i++)
        if (island->link[i]->is_near) sum += sb_link_energy_j(island->link[i]);
    return isfinite(sum);
}

bool sb_island_play(sb_island *island) {
    float heard[SB_ISLAND_BODIES][SB_BLOCK_FRAMES];
    float *out[SB_ISLAND_BODIES];
    memcpy(out, island->out, sizeof out);
    for (int f = 0; f < island->body_count; f++) {
        if (!island->is_touched[f]) continue;
        memset(heard[f], 0, sizeof heard[f]);
        island->out[f] = heard[f];
        sb_modal_field_load(island->field[f], island->bank[f], island->parts);
    }
    sb_island_play_fields(island);
    memcpy(island->out, out, sizeof out);
    bool is_well = is_sane(island);
    for (int f = 0; f < island->body_count; f++) {
        if (!island->is_touched[f]) continue;
        if (!is_well) {
            sb_modal_bank_reset(island->bank[f]);
            continue;
        }
        sb_modal_field_store(island->field[f], island->bank[f]);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            out[f][n] += heard[f][n]; // NOLINT: is_touched stays as it was
    }
    for (int i = 0; i < island->link_count && !is_well; i++)
        if (island->link[i]->is_near) rest(island->link[i]);
    return is_well;
}

/* --- after the block ------------------------------------------------------*/

static bool is_over(const sb_island *island, const sb_link *link) {
    const sb_striker *s = link->striker;
    if (s->phase == SB_STRIKER_OVER || s->is_gone) return true;
    if (s->phase == SB_STRIKER_TOUCHING) {
        return s->loose_s > 4.0 * STRIKER_LETTING_GO_S; /* it stays down */
    }
    if (s->is_loose && s->loose_s >= STRIKER_LETTING_GO_S) return true;
    if (striker_gravity(s) > 0.0 || s->velocity_m_s > 0.0) return false;
    double reach = over_sides(island, link, sb_modal_field_max_reach);
    return -s->position_m > 1.001 * reach;
}

static void grow_older(sb_striker *s, double span_s) {
    s->age_s += span_s;
    if (s->is_loose) s->loose_s += span_s;
    if (s->age_s > s->limit_s) s->is_loose = true;
    if (s->phase == SB_STRIKER_TOUCHING && s->touching_s > RESTING_S)
        s->is_loose = true;
}

void sb_island_fly(sb_island *island) {
    double span_s = SB_BLOCK_FRAMES * island->dt_s;
    for (int i = 0; i < island->link_count; i++) {
        sb_link *link = island->link[i];
        sb_striker *s = link->striker;
        if (link->kind == SB_LINK_PULSE) {
            sb_link_pulse *pulse = &link->pulse;
            pulse->start_frame -= SB_BLOCK_FRAMES;
            pulse->is_over |=
                pulse->start_frame + pulse->duration_s / island->dt_s < -1.0;
        }
        if (link->kind != SB_LINK_STRIKER) continue;
        s->start_frame -= SB_BLOCK_FRAMES;
        s->released_frame -= SB_BLOCK_FRAMES;
        if (s->phase == SB_STRIKER_WAITING) continue;
        s->is_gone |= striker_is_late(s, 0.0, island->dt_s);
        if (!s->is_near) {
            double g = striker_gravity(s);
            s->position_m += span_s * (s->velocity_m_s + 0.5 * g * span_s);
            s->velocity_m_s += g * span_s;
        }
        grow_older(s, span_s);
        if (is_over(island, link)) s->phase = SB_STRIKER_OVER;
    }
}
