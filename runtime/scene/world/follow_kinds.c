/* SPDX-License-Identifier: MIT */
/* What kinds of contacts that are followed (follow.c) have of their own: a slow
 * slide may squeak, what runs round a rim has its speeds from the body, and what
 * rests damps. Control thread. */
#include "runtime/base/pi.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

/* --- squeaks -------------------------------------------------------------- */

/* What slides slowly between bodies with more friction at rest than in
 * motion sticks and slips. Such a contact rubs (contact_kinds.def) along the
 * surface, while its asperities push into it as those of any slide: it has two
 * lasting contacts. Friction falls from the static to the kinetic coefficient over
 * the slip squeak_m_s of the world's rules, and what falls with speed feeds the
 * modes. The motion has the kinetic friction alone. The slide has the mean of the
 * slip, which is that of the bodies whether they stick in between or not. */

/* A squeak that has begun lasts up to this multiple of the slip. */
#define STAY 1.5

/* Static and kinetic friction of the pair. False: neither has a static one. */
static bool frictions(const sb_scene *scene, const world_contact *contact,
                      double *at_rest, double *moving) {
    double rest[2], slip[2];
    bool has_rest[2], has_slip[2];
    for (int i = 0; i < 2; i++) {
        const sb_body_def *def =
            &scene_side(scene, contact->body[i])->declared.def;
        const sb_motion_part *moves = &def->moves;
        slip[i] = sb_motion_friction(moves, scene_material(def));
        has_slip[i] = moves->friction >= 0.0;
        has_rest[i] = moves->static_friction >= 0.0;
        rest[i] = has_rest[i] ? moves->static_friction : slip[i];
    }
    *at_rest = sb_pair_mix(rest[0], has_rest[0], rest[1], has_rest[1]);
    *moving = sb_pair_mix(slip[0], has_slip[0], slip[1], has_slip[1]);
    return has_rest[0] || has_rest[1];
}

bool scene_squeaks(const sb_scene *scene, const world_contact *contact) {
    double at_rest, moving, most_m_s = scene->declared.world.squeak_m_s;
    if (contact->sounds_as_squeak) most_m_s *= STAY;
    return contact->last.state == SB_SLIDING &&
           sb_vec3_length(contact->last.slip_m_s) < most_m_s &&
           frictions(scene, contact, &at_rest, &moving) && at_rest > moving;
}

void scene_squeak_setup(const sb_scene *scene, const world_contact *contact,
                        sb_lasting_setup *setup) {
    setup->kind = SB_CONTACT_RUB;
    setup->stribeck_m_s = scene->declared.world.squeak_m_s;
    (void)frictions(scene, contact, &setup->mu_static, &setup->mu_kinetic);
    /* 0 stands for the default. */
    setup->mu_kinetic = fmax(setup->mu_kinetic, 1e-9);
}

/* Whether any mode of the body moves along `direction` there. */
static bool yields(const sb_scene *scene, sb_body_id id, sb_vec3 point,
                   sb_vec3 direction) {
    scene_body *body = scene_side(scene, id);
    if (!sb_planned_rings(&body->declared)) return false;
    sb_place place = {.point = point,
                      .has_point = true,
                      .direction = direction,
                      .has_direction = true};
    impact_side side = scene_impact_side(body, &place);
    scene_side_weigh(&side, scene->weights);
    for (int k = 0; k < sb_model_mode_count(body->declared.model); k++)
        if (fabs(scene->weights[k]) > 0.0) return true;
    return false;
}

void scene_squeak_aim(const sb_scene *scene, const world_contact *contact,
                      sb_lasting_change *change) {
    const sb_tracked *e = &contact->last;
    double slip = sb_vec3_length(e->slip_m_s);
    if (!(slip > 0.0)) return;
    /* Friction pulls the ground along with what slides on it. */
    double sign = contact->under == 1 ? 1.0 : -1.0;
    sb_vec3 along = sb_vec3_scale(e->slip_m_s, sign / slip);
    int under = contact->under;
    if (!yields(scene, contact->body[under], e->point, along) &&
        !yields(scene, contact->body[1 - under], e->point, along))
        return;
    change->place[0].direction = along;
    change->place[1].direction = sb_vec3_scale(along, -1.0);
}

/* --- rims ----------------------------------------------------------------- */

/* Speeds of a contact that runs round the rim of a body: a coin or a ring that
 * comes to rest. Control thread.
 *
 * The tracker measures the velocity of a contact's place from step to step. On
 * a rim it is known from the motion of the body: the contact is at its lowest
 * point. With the axis d, up along the normal n of the ground, and the spin w,
 *
 *     s = n - (n.d) d,   e = -s / |s|,   d' = w x d,
 *     contact = centre + r e - c d,      velocity = v + r e' - c d',
 *
 * where r is the radius and c half the thickness; a ring of wire instead touches
 * at its wire's radius below its middle line. It holds however flat the body
 * lies, also when the contact passes a good part of the rim in a step. */

/* Steeper bodies roll as wheels do, at the speed of their centre. */
#define LEAST_UP 0.3

/* Flatter bodies have no lowest point. */
#define LEAST_SINE 1e-5

/* The contact is on the rim, but for the way of a step; in radii. */
#define NEAR 0.6

/* Most turns per second of a contact. */
#define MOST_TURNS 2000.0

typedef struct rim {
    double radius_m, below_m; /* below_m: down along the axis, or the normal */
    bool is_wire;
} rim;

static rim rim_of(const scene_body *body) {
    sb_collider c = body->collider;
    if (c.kind == SB_COLLIDER_CYLINDER)
        return (rim){c.radius, 0.5 * c.length, false};
    if (c.kind == SB_COLLIDER_RING) return (rim){c.radius, c.wire_radius, true};
    return (rim){0.0, 0.0, false};
}

static sb_vec3 along(sb_vec3 v, sb_vec3 normal) {
    return sb_vec3_plus(v, normal, -sb_vec3_dot(v, normal));
}

/* Offset of the lowest point from the centre, and its velocity. False when
 * there is none. */
static bool lowest(const rim *at, const sb_pose *pose, sb_vec3 n,
                   sb_vec3 *offset, sb_vec3 *moves) {
    sb_vec3 d = sb_quat_turn(pose->rotation, (sb_vec3){0.0, 1.0, 0.0});
    if (sb_vec3_dot(d, n) < 0.0) d = sb_vec3_scale(d, -1.0);
    double up = sb_vec3_dot(d, n);
    sb_vec3 s = sb_vec3_plus(n, d, -up);
    double sine = sb_vec3_length(s);
    if (up < LEAST_UP || sine < LEAST_SINE) return false;
    sb_vec3 turns = sb_vec3_cross(pose->spin, d);
    sb_vec3 e = sb_vec3_scale(s, -1.0 / sine);
    sb_vec3 changes = sb_vec3_scale(
        sb_vec3_plus(sb_vec3_scale(d, sb_vec3_dot(n, turns)), turns, up),
        1.0 / sine); /* -s' / |s| */
    changes = along(changes, e);
    *offset = sb_vec3_scale(e, at->radius_m);
    *moves = sb_vec3_scale(changes, at->radius_m);
    if (at->is_wire) {
        *offset = sb_vec3_plus(*offset, n, -at->below_m);
    } else {
        *offset = sb_vec3_plus(*offset, d, -at->below_m);
        *moves = sb_vec3_plus(*moves, turns, -at->below_m);
    }
    return sb_vec3_length(changes) < SB_TAU * MOST_TURNS;
}

static bool run_round(const sb_scene *scene, sb_body_id id, int side,
                      sb_tracked *event) {
    const scene_body *body = scene_side(scene, id);
    rim at = rim_of(body);
    sb_vec3 n = sb_vec3_scale(event->normal, side == 0 ? 1.0 : -1.0);
    sb_vec3 offset, moves;
    if (!(at.radius_m > 0.0) || !lowest(&at, &body->pose, n, &offset, &moves))
        return false;
    sb_vec3 place = sb_vec3_add(body->pose.position, offset);
    if (sb_vec3_length(sb_vec3_sub(place, event->point)) > NEAR * at.radius_m)
        return false;
    sb_vec3 matter = sb_vec3_cross(body->pose.spin, offset);
    sb_vec3 over = along(sb_vec3_add(body->pose.velocity, moves), n);
    event->surface_m_s[side] = along(sb_vec3_sub(moves, matter), n);
    event->surface_m_s[1 - side] = over;
    event->slip_m_s = sb_vec3_sub(event->surface_m_s[1], event->surface_m_s[0]);
    return true;
}

void scene_rim(const sb_scene *scene, const sb_body_id body[2],
               sb_tracked *event) {
    if (event->state != SB_ROLLING) return;
    for (int i = 0; i < 2; i++) {
        const sb_body_def *def = &scene_side(scene, body[1 - i])->declared.def;
        if (def->moves.motion == SB_MOTION_FIXED &&
            run_round(scene, body[i], i, event))
            return;
    }
}

/* --- rest ----------------------------------------------------------------- */

/* A body that lies on another damps both.
 *
 * A thing that rests under the force F on a contact of Hertz' law F = K x^a has
 * the spring k = dF/dx = a K^(1/a) F^((a-1)/a) under its mass m = F / g. A
 * small share of the impedance sqrt(k m) is lost, more if they
 * bounce less:
 *
 *     c = s (1 - e^2) sqrt(k m),     s = 0.01
 *
 * A bronze ring of 100 g on wood then has about 2 N s/m, like a finger; a steel
 * ball of 10 mm on steel 0.1. s is chosen by ear.
 *
 * Symbols: K law.stiffness, a law.exponent, F force_n, e restitution. */

#define LOST_SHARE 0.01
#define RAMP_S     0.02

/* Most resting contacts that damp one body; more add little. */
enum { MOST_RESTING = 4 };

double scene_pair_restitution(const sb_scene *scene, const sb_body_id body[2]) {
    double e[2];
    bool says[2];
    for (int i = 0; i < 2; i++) {
        const sb_body_def *def = &scene_side(scene, body[i])->declared.def;
        e[i] = sb_motion_restitution(&def->moves,
                                     def->has_material ? &def->material : NULL);
        says[i] = def->moves.restitution >= 0.0;
    }
    return sb_pair_mix(e[0], says[0], e[1], says[1]);
}

static double damping_of(const sb_scene *scene, const world_contact *contact) {
    const world_foreign *foreign = &scene->world->foreign;
    double gravity = sb_vec3_length(
        foreign->is_on ? foreign->gravity : scene->declared.world.gravity);
    double force = contact->last.force_n;
    if (!(gravity > 0.0) || !(force > 0.0)) return 0.0;
    double both = scene_pair_restitution(scene, contact->body);
    double kept = both * both;
    double mass_kg = force / gravity;
    sb_hertz hertz = scene_hertz(scene, contact->body, mass_kg);
    double a = hertz.law.exponent;
    double k =
        a * pow(hertz.law.stiffness, 1.0 / a) * pow(force, (a - 1.0) / a);
    return LOST_SHARE * (1.0 - kept) * sqrt(k * mass_kg);
}

static int count_resting(const scene_world *world, sb_body_id id) {
    int count = 0;
    for (int i = 0; i < world->contact_count; i++) {
        for (int k = 0; k < 2; k++) {
            const sb_touch_id *touch = &world->contacts[i].touch[k];
            count += touch->number != 0 && is_same_body(touch->body, id);
        }
    }
    return count;
}

static bool needs_touch(const sb_scene *scene, const world_contact *contact,
                        int side) {
    sb_body_id id = contact->body[side];
    return !sb_scene_has_touch(scene, contact->touch[side]) &&
           sb_planned_rings(&scene_side(scene, id)->declared) &&
           count_resting(scene->world, id) < MOST_RESTING;
}

void scene_rest(sb_scene *scene, world_contact *contact, double time_s) {
    if (contact->is_settled) return;
    for (int i = 0; i < 2; i++) {
        /* A new script removes all touches. */
        if (!sb_scene_has_touch(scene, contact->touch[i]))
            contact->touch[i] = (sb_touch_id){{0, 0}, 0};
        if (!needs_touch(scene, contact, i)) continue;
        sb_touch_def def = {.place = {.point = contact->last.point,
                                      .has_point = true,
                                      .direction = contact->last.normal,
                                      .has_direction = true},
                            .damping_ns_m = damping_of(scene, contact),
                            .ramp_s = RAMP_S};
        if (!(def.damping_ns_m > 0.0)) continue;
        /* When out of memory, the contact does not damp. */
        sb_status status = sb_scene_touch(scene, contact->body[i], &def, time_s,
                                          &contact->touch[i], NULL);
        if (status) contact->touch[i] = (sb_touch_id){{0, 0}, 0};
    }
    contact->is_settled = true;
}

void scene_unrest(sb_scene *scene, world_contact *contact, double time_s) {
    contact->is_settled = false;
    for (int i = 0; i < 2; i++) {
        if (sb_scene_has_touch(scene, contact->touch[i])) {
            /* When out of memory, it stays until the body is removed. */
            sb_status status =
                sb_scene_lift(scene, contact->touch[i], RAMP_S, time_s, NULL);
            (void)status;
        }
        contact->touch[i] = (sb_touch_id){{0, 0}, 0};
    }
}

void scene_rest_again(sb_scene *scene) {
    scene_world *world = scene->world;
    for (int i = 0; world && i < world->contact_count; i++)
        world->contacts[i].is_settled = false;
}
