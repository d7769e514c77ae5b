/* SPDX-License-Identifier: MIT */
/* Contacts of a substep: made from the points that were found, matched with
 * those of the substep before; and what is reported of them. Runs on the
 * control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/world/tracker/contact_point.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Points nearer than this are contacts even if nothing moves: resting solids
 * keep theirs. */
static const double NEAR_M = 2e-5;

/* The most that rolling friction may be of a solid's radius: nothing is held up
 * by it. */
static const double MOST_SHARE = 0.2;

/* The edge of a disk or the wire of a ring that leans by this sine from upright
 * rubs as much as it rolls. */
static const double EDGE_SINE = 0.5;

/* Two free solids roll on each other with this many times the resistance: they
 * cross at small patches that slip as well, those of two rings the most. */
static const double FREE_TIMES = 4.0, RINGS_TIMES = 8.0;

/* A contact that rolls on must close faster than this part of what the motion of
 * its place changes in a substep to be a blow: that much of it is not exact. */
static const double ROLL_SHARE = 0.5;

/* A contact that moves farther round its solid in a substep has jumped. */
static const double JUMP_RAD = 0.3;

/* --- making --------------------------------------------------------------- */

static void mix(const sb_world *world, sb_pair *pair) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    sb_pair_mix_values *m = &pair->mix;
    pair->is_mixed = true;
    m->friction = sb_pair_mix(a->surface.friction, a->surface.given.friction,
                              b->surface.friction, b->surface.given.friction);
    m->restitution =
        sb_pair_mix(a->surface.restitution, a->surface.given.restitution,
                    b->surface.restitution, b->surface.given.restitution);
    if (a->surface.given.lever || b->surface.given.lever)
        m->lever_m = sb_pair_mix(a->surface.lever_m, a->surface.given.lever,
                                 b->surface.lever_m, b->surface.given.lever);
    else
        m->rolling = sb_pair_mix(a->surface.rolling, a->surface.given.rolling,
                                 b->surface.rolling, b->surface.given.rolling);
    bool are_rings = a->collider.kind == SB_COLLIDER_RING &&
                     b->collider.kind == SB_COLLIDER_RING;
    if (a->motion == SB_MOTION_FREE && b->motion == SB_MOTION_FREE)
        m->rolling =
            fmin(m->rolling * (are_rings ? RINGS_TIMES : FREE_TIMES), 1.0);
}

/* The axis of a body of revolution, if it is one. */
static bool has_axis(const sb_solid *s, sb_vec3 *axis) {
    bool is_cylinder = s->collider.kind == SB_COLLIDER_CYLINDER;
    if (is_cylinder)
        *axis = sb_quat_turn(s->rotation, (sb_vec3){0.0, 1.0, 0.0});
    else
        *axis = s->faces.rims ? s->axle : s->axes[1];
    return is_cylinder || s->faces.rims || s->collider.kind == SB_COLLIDER_RING;
}

/* Lever of rolling friction, of one solid: a share of its radius of curvature along
 * the rolling direction. That of a body of revolution is its distance from the axis
 * over the sine of the angle between axis and normal (Meusnier's theorem). Without
 * an axis it is the height of the centre: a prism rolls as the cylinder that it
 * resembles.
 * The contact of a rim that lies nearly flat runs round faster than the solid
 * turns, by one over that sine, and loads and unloads the material at that speed
 * (contour friction). It is what ends the wobbling of coins and rings. On a free
 * solid contacts do not run round.
 * Source: Leine, Arch. Appl. Mech. 79 (2009). */
static double lever_on(const sb_solid *s, const sb_contact *c, sb_vec3 arm,
                       double rolling, bool is_on_free) {
    sb_vec3 axis;
    if (s->collider.kind == SB_COLLIDER_SPHERE ||
        s->collider.kind == SB_COLLIDER_CAPSULE)
        return rolling * s->collider.radius;
    if (!has_axis(s, &axis)) return rolling * fabs(sb_vec3_dot(arm, c->normal));
    double radius_m = sb_vec3_length(sb_vec3_cross(axis, arm));
    if (is_on_free) return rolling * radius_m;
    double sine = sb_vec3_length(sb_vec3_cross(axis, c->normal));
    double lean = sb_vec3_dot(axis, c->normal) / EDGE_SINE;
    double edge = s->faces.rims ? 0.0 : fmin(lean * lean, 1.0);
    double share = rolling * (1.0 / fmax(sine, 1e-6) + edge);
    return radius_m * fmin(share, fmax(rolling, MOST_SHARE));
}

static double lever_of(const sb_world *world, const sb_pair_mix_values *m,
                       const sb_contact *c) {
    if (!(m->rolling > 0.0)) return m->lever_m;
    const sb_solid *s[2] = {&world->solids[c->solid[0]],
                            &world->solids[c->solid[1]]};
    bool is_free[2] = {s[0]->motion == SB_MOTION_FREE,
                       s[1]->motion == SB_MOTION_FREE};
    double lever_m = 0.0;
    for (int i = 0; i < 2; i++)
        if (is_free[i])
            lever_m = fmax(lever_m, lever_on(s[i], c, c->arm[i], m->rolling,
                                             is_free[1 - i]));
    return lever_m;
}

static bool is_crossing(const sb_world *world, const sb_contact *c) {
    for (int i = 0; i < 2; i++) {
        const sb_solid *s = &world->solids[c->solid[i]];
        if (s->motion != SB_MOTION_FREE ||
            s->collider.kind == SB_COLLIDER_SPHERE)
            return false;
    }
    return true;
}

static const sb_contact *find_old(const sb_world *world, const sb_pair *pair,
                                  uint32_t feature) {
    for (int i = 0; i < pair->count; i++) {
        const sb_contact *c = &world->old.items[pair->start + i];
        if (c->feature == feature) return c;
    }
    return NULL;
}

/* Two tangents that depend on the normal alone. */
static void set_sides(sb_contact *c) {
    sb_vec3 n = c->normal, e = {0.0, 0.0, 1.0};
    if (fabs(n.z) > 0.6) e = (sb_vec3){1.0, 0.0, 0.0};
    c->side[0] = sb_vec3_normalised(sb_vec3_cross(e, n));
    c->side[1] = sb_vec3_cross(n, c->side[0]);
}

/* Where the contact will be at the end of the substep, from its last two
 * places. It must not change the velocity by more than the load can. */
static void set_end(sb_world *world, const sb_contact *old, sb_contact *c) {
    const sb_solid *s[2] = {&world->solids[c->solid[0]],
                            &world->solids[c->solid[1]]};
    if (!c->is_round || !(sb_contact_load(old) > 0.0)) return;
    if (s[0]->motion == SB_MOTION_FREE && s[1]->motion == SB_MOTION_FREE)
        return;
    sb_vec3 change = {0.0, 0.0, 0.0}, v = change, moved[2];
    double turned = 0.0;
    for (int i = 0; i < 2; i++) {
        double sign = i == 0 ? 1.0 : -1.0;
        moved[i] = sb_vec3_scale(sb_vec3_sub(c->arm[i], old->arm[i]), 0.5);
        change =
            sb_vec3_plus(change, sb_vec3_cross(s[i]->spin, moved[i]), sign);
        sb_vec3 at =
            sb_vec3_add(s[i]->velocity, sb_vec3_cross(s[i]->spin, c->arm[i]));
        v = sb_vec3_plus(v, at, sign);
        if (s[i]->motion == SB_MOTION_FREE)
            turned = 2.0 * sb_vec3_length(moved[i]) /
                     fmax(sb_vec3_length(c->arm[i]), 1e-9);
    }
    /* A jump to another place of the rim is not a motion along it. */
    if (turned > JUMP_RAD) return;
    world->rim_rad_s = fmax(world->rim_rad_s, turned / world->last_substep_s);
    sb_vec3 bent = sb_vec3_scale(sb_vec3_sub(c->normal, old->normal), 0.5);
    double size = sb_vec3_length(change) + fabs(sb_vec3_dot(bent, v));
    double most = 0.75 * sb_contact_load(old) / old->mass_kg;
    double share = size > most ? most / size : 1.0;
    for (int i = 0; i < 2; i++)
        c->end_arm[i] = sb_vec3_plus(c->arm[i], moved[i], share);
    c->end_normal = sb_vec3_normalised(sb_vec3_plus(c->normal, bent, share));
    c->rest_m_s = fmax(SB_REST_M_S, ROLL_SHARE * share * size);
    c->has_end = true;
}

/* Impulses of the last substep along the present tangents. */
static void carry_impulses(const sb_contact *old, double scale, sb_contact *c) {
    sb_vec3 rub = sb_vec3_plus(sb_vec3_scale(old->side[0], old->rub_ns[0]),
                               old->side[1], old->rub_ns[1]);
    sb_vec3 roll = sb_vec3_plus(sb_vec3_scale(old->side[0], old->roll_nms[0]),
                                old->side[1], old->roll_nms[1]);
    c->push_ns = scale * old->push_ns;
    c->spin_nms = scale * old->spin_nms;
    for (int k = 0; k < 2; k++) {
        c->rub_ns[k] = scale * sb_vec3_dot(rub, c->side[k]);
        c->roll_nms[k] = scale * sb_vec3_dot(roll, c->side[k]);
    }
}

static void add_contact(sb_world *world, sb_pair *pair, const sb_found *found,
                        double scale) {
    const sb_pair_mix_values *m = &pair->mix;
    sb_contact *c = &world->contacts[world->contact_count++];
    const sb_contact *old = find_old(world, pair, found->feature);
    *c = (sb_contact){.solid = {pair->first, pair->second},
                      .feature = found->feature,
                      .on = found->on,
                      .is_round = found->is_round,
                      .is_faceted = found->is_faceted,
                      .point = found->point,
                      .normal = found->normal,
                      .gap_m = found->gap_m,
                      .friction = m->friction,
                      .restitution = m->restitution,
                      .rest_m_s = SB_REST_M_S};
    for (int i = 0; i < 2; i++)
        c->arm[i] = c->end_arm[i] =
            sb_vec3_sub(found->point, world->solids[c->solid[i]].position);
    c->end_normal = c->normal;
    c->lever_m = lever_of(world, m, c);
    c->is_crossing = is_crossing(world, c);
    set_sides(c);
    if (!old) return;
    c->sum = old->sum;
    ((sb_contact *)old)->sum.is_filled = false; /* has moved on */
    carry_impulses(old, scale, c);
    set_end(world, old, c);
}

static bool is_sound(const sb_found *f) {
    double length = sb_vec3_dot(f->normal, f->normal);
    return length > 0.9 && length < 1.1 && isfinite(f->gap_m) &&
           isfinite(f->point.x + f->point.y + f->point.z);
}

static bool make_pair(sb_world *world, sb_pair *pair, double substep_s,
                      double scale) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    sb_found found[SB_RAW_POINTS];
    int start = world->contact_count;
    if (sb_solid_moves(a) || sb_solid_moves(b)) {
        double fall = sb_vec3_length(world->gravity) * substep_s;
        double margin =
            (a->bounds.fast_m_s + b->bounds.fast_m_s + fall) * substep_s +
            NEAR_M;
        int count = sb_pair_find(world, pair, margin, found);
        if (count < 0) return false;
        if (count > 0 && !pair->is_mixed) mix(world, pair);
        for (int i = 0; i < count; i++) {
            if (!is_sound(&found[i])) continue;
            if (world->contact_count >= world->contact_capacity) {
                world->has_limited = true;
                break;
            }
            add_contact(world, pair, &found[i], scale);
        }
    }
    pair->start = start;
    pair->count = world->contact_count - start;
    return true;
}

/* Room for all contacts of a step is made before anything moves. */
static bool make_room(sb_world *world) {
    int need = world->pair_count < SB_MOST_CONTACTS / SB_PAIR_POINTS
                   ? world->pair_count * SB_PAIR_POINTS
                   : SB_MOST_CONTACTS;
    return sb_grow_list(world->contacts, world->contact_capacity, need) &&
           sb_grow_list(world->old.items, world->old.capacity, need);
}

static void swap_contacts(sb_world *world) {
    sb_contact *contacts = world->contacts;
    int capacity = world->contact_capacity;
    world->contacts = world->old.items;
    world->contact_capacity = world->old.capacity;
    world->old.items = contacts;
    world->old.capacity = capacity;
    world->old.count = world->contact_count;
    world->contact_count = 0;
}

static bool report(sb_world *world, const sb_contact *c);

/* Contacts that have ended since the last substep are reported with the
 * step. */
static bool report_ended(sb_world *world) {
    for (int i = 0; i < world->old.count; i++) {
        sb_contact *c = &world->old.items[i];
        if (c->sum.is_filled && !report(world, c)) return false;
        c->sum.is_filled = false;
    }
    return true;
}

sb_status sb_world_make_contacts(sb_world *world, double substep_s,
                                 sb_error *err) {
    if (!make_room(world)) return sb_no_memory_for(err, "contacts");
    double scale =
        world->last_substep_s > 0.0 ? substep_s / world->last_substep_s : 0.0;
    world->last_substep_s = substep_s;
    swap_contacts(world);
    for (int i = 0; i < world->pair_count; i++) {
        if (sb_stop_is_wanted())
            world->pairs[i].count = 0;
        else if (!make_pair(world, &world->pairs[i], substep_s, scale))
            return sb_no_memory_for(err, "contacts");
    }
    if (!report_ended(world)) return sb_no_memory_for(err, "contacts");
    return sb_stop_check(err);
}

/* --- reports -------------------------------------------------------------- */

static void fill(const sb_world *world, sb_contact *c) {
    c->sum = (sb_contact_sum){.is_filled = true,
                              .approach_m_s = -INFINITY,
                              .restitution = c->restitution};
    for (int i = 0; i < 2; i++) {
        const sb_solid *s = &world->solids[c->solid[i]];
        c->sum.velocity[i] =
            sb_vec3_add(s->velocity, sb_vec3_cross(s->spin, c->arm[i]));
        c->sum.centre[i] = s->velocity;
    }
}

void sb_contact_begin_sum(const sb_world *world, sb_contact *c) {
    if (!c->sum.is_filled) fill(world, c);
}

static void sum_up(sb_contact *c, double since_s, double substep_s) {
    sb_contact_sum *sum = &c->sum;
    double push = c->push_ns + c->blow.push_ns;
    double rub[2] = {c->rub_ns[0] + c->blow.rub_ns[0],
                     c->rub_ns[1] + c->blow.rub_ns[1]};
    sum->impulse_ns += push;
    sum->rub_ns = sb_vec3_plus(sb_vec3_plus(sum->rub_ns, c->side[0], rub[0]),
                               c->side[1], rub[1]);
    sum->depth_m = fmax(sum->depth_m, -c->part.end_gap_m);
    if (c->is_blown && (!sum->is_blown || c->closing_m_s > sum->approach_m_s)) {
        sum->is_blown = true;
        sum->point = c->blow.point;
        sum->approach_m_s = c->closing_m_s;
        sum->time_s = since_s + c->blow.time_s;
    } else if (!isfinite(sum->approach_m_s)) {
        sum->approach_m_s = c->closing_m_s;
        sum->time_s = since_s + 0.5 * substep_s;
    }
    sum->blow_ns += c->blow.push_ns;
}

void sb_world_sum_contacts(sb_world *world, double since_s) {
    for (int i = 0; i < world->contact_count; i++) {
        sb_contact *c = &world->contacts[i];
        sum_up(c, since_s, world->last_substep_s);
        if (!(c->push_ns + c->blow.push_ns > 0.0)) continue;
        for (int k = 0; k < 2; k++)
            world->solids[c->solid[k]].touch_count++;
    }
}

static bool report(sb_world *world, const sb_contact *c) {
    const sb_contact_sum *sum = &c->sum;
    if (!(sum->impulse_ns > 0.0) && !(sum->depth_m > 0.0)) return true;
    if (world->report.count >= SB_MOST_CONTACTS) return true;
    if (!sb_grow_list(world->report.points, world->report.capacity,
                      world->report.count + 1))
        return false;
    sb_contact_point *p = &world->report.points[world->report.count++];
    *p = (sb_contact_point){.point = sum->is_blown ? sum->point : c->point,
                            .normal = c->normal,
                            .depth_m = sum->depth_m,
                            .time_s =
                                fmin(fmax(sum->time_s, 0.0), world->step_s),
                            .approach_m_s = sum->approach_m_s,
                            .impulse_ns = sum->impulse_ns,
                            .blow_ns = sum->blow_ns,
                            .rub_ns = sum->rub_ns,
                            .restitution = sum->restitution,
                            .is_smooth = c->is_faceted};
    for (int i = 0; i < 2; i++) {
        const sb_solid *s = &world->solids[c->solid[i]];
        p->user[i] = s->user;
        p->velocity[i] = sum->velocity[i];
        p->centre[i] = sum->centre[i];
        p->inverse_mass[i] = c->inverse_mass[i];
    }
    return true;
}

sb_status sb_world_report_contacts(sb_world *world, sb_error *err) {
    for (int i = 0; i < world->contact_count; i++) {
        sb_contact *c = &world->contacts[i];
        bool is_room = report(world, c);
        c->sum.is_filled = false;
        if (!is_room) return sb_no_memory_for(err, "contacts");
    }
    return SB_OK;
}

const sb_contact_point *sb_world_contact_points(const sb_world *world,
                                                int *count) {
    *count = world->report.count;
    return world->report.points;
}
