/* SPDX-License-Identifier: MIT */
/* Finds islands of solids that touch and puts those at rest to sleep; and which
 * of them a moving one wakes. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* A solid slower than this (low-passed) for this long is at rest. It sleeps
 * once all that touch it have been slow for the second time: whoever moves keeps
 * its neighbours awake, but not the whole heap. */
static const double SLOW_M_S = 0.008, REST_S = 0.5, AROUND_S = 0.25,
                    CALM_S = 0.05;
/* A solid that moves less than this, or than this fraction of its size, in
 * that time is also at rest, even if it jitters. */
static const double STAY_M = 2.5e-4, STAY_SHARE = 0.01;
/* A supported solid that has stayed in place for a while is damped: a heap
 * sleeps only as a whole, and the solver always shakes one of its members. */
static const double DRAIN_AFTER_S = 0.15, DRAIN_S = 0.1;
/* Of a heap of at least this many solids, of which this fraction is idle, the
 * idle ones fall asleep after this time; if none is faster than this, all. */
enum { HEAP_LEAST = 6 };
static const double HEAP_SHARE = 0.8, HEAP_M_S = 0.05, HEAP_S = 0.5;
/* A solid that rocks on others in such a heap or, anywhere, more slowly than
 * ROCK_M_S, and whose centre has moved by less than this share of its size for
 * this long while it moves, is damped over this time: real ones lose energy by
 * slip too small to compute. (The rim of a coin that wobbles is faster to its
 * end.) */
static const double ROCK_SHARE = 0.15, ROCK_S = 1.0, ROCK_DAMP_S = 0.3,
                    ROCK_M_S = 0.03;
/* A falling solid does not stay in place unless gravity is negligible. */
static const double LEAST_FALL = 0.1;

/* Only free solids join islands: a floor does not connect the solids on it. */
static void unite(sb_world *world, int a, int b) {
    if (a < 0 || b < 0) return;
    if (world->solids[a].motion != SB_MOTION_FREE ||
        world->solids[b].motion != SB_MOTION_FREE)
        return;
    (void)sb_union_find_join(world->islands.items, a, b);
}

static sb_vec3 low_pass(sb_vec3 state, sb_vec3 value, double part) {
    return sb_vec3_plus(state, sb_vec3_sub(value, state), part);
}

/* True when it has moved away from its reference position, which is then
 * updated. */
static bool has_left(sb_solid *solid, double size) {
    sb_quat turn =
        sb_quat_times(solid->rotation, sb_quat_inverse(solid->rest.stay_turn));
    double angle =
        2.0 * sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double moved =
        sb_vec3_length(sb_vec3_sub(solid->position, solid->rest.stay)) +
        size * angle;
    if (moved <= fmin(STAY_M, STAY_SHARE * size)) return false;
    solid->rest.stay = solid->position;
    solid->rest.stay_turn = solid->rotation;
    return true;
}

/* Updates the time at rest. The solid must be supported: one that is slow at
 * the top of its flight is not at rest. */
static void watch(const sb_world *world, sb_solid *solid) {
    double part = 1.0 - exp(-world->step_s / CALM_S);
    solid->rest.calm[0] = low_pass(solid->rest.calm[0], solid->velocity, part);
    solid->rest.calm[1] = low_pass(solid->rest.calm[1], solid->spin, part);
    double size = sb_vec3_length(solid->size.half);
    double speed = sb_vec3_length(solid->rest.calm[0]) +
                   size * sb_vec3_length(solid->rest.calm[1]);
    solid->rest.calm_m_s = speed;
    double now =
        sb_vec3_length(solid->velocity) + size * sb_vec3_length(solid->spin);
    double jitter =
        3.0 * SLOW_M_S + 2.0 * sb_vec3_length(world->gravity) * world->step_s;
    bool is_held = solid->touch_count > 0 || solid->joint_count > 0 ||
                   (now == 0.0 && sb_vec3_length(world->gravity) == 0.0);
    bool is_slow = is_held && speed < SLOW_M_S && now < jitter;
    bool falls = sb_vec3_length(world->gravity) > LEAST_FALL;
    bool stays = !has_left(solid, size) && (is_held || falls);
    bool is_idle = is_slow || stays;
    solid->rest.idle_s = is_idle ? solid->rest.idle_s + world->step_s : 0.0;
    if (solid->touch_count == 0 || solid->rest.idle_s < DRAIN_AFTER_S) return;
    double kept = exp(-world->step_s / DRAIN_S);
    solid->velocity = sb_vec3_scale(solid->velocity, kept);
    solid->spin = sb_vec3_scale(solid->spin, kept);
}

static bool is_awake(const sb_solid *solid) {
    return solid->is_used && solid->motion == SB_MOTION_FREE &&
           sb_solid_moves(solid);
}

static void find_islands(sb_world *world) {
    sb_union_find_init(world->islands.items, world->solid_count);
    for (int i = 0; i < world->pair_count; i++)
        if (world->pairs[i].count > 0)
            unite(world, world->pairs[i].first, world->pairs[i].second);
    for (int i = 0; i < world->joint_count; i++)
        if (world->joints[i].is_used)
            unite(world, world->joints[i].solid[0], world->joints[i].solid[1]);
}

/* Sums over each island, kept at its root. */
static void gather(sb_world *world) {
    sb_solid *solids = world->solids;
    for (int i = 0; i < world->solid_count; i++) {
        solids[i].rest.around_s = INFINITY;
        solids[i].rest.fastest_m_s = 0.0;
        solids[i].rest.member_count = solids[i].rest.idle_count = 0;
    }
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &solids[i];
        sb_solid *root = &solids[sb_union_find_root(world->islands.items, i)];
        if (!is_awake(solid)) continue;
        root->rest.fastest_m_s =
            fmax(root->rest.fastest_m_s, solid->rest.calm_m_s);
        root->rest.member_count++;
        root->rest.idle_count += solid->rest.idle_s >= REST_S;
    }
}

static void look_around(sb_solid *a, sb_solid *b) {
    if (!is_awake(a) || !is_awake(b)) return;
    a->rest.around_s = fmin(a->rest.around_s, b->rest.idle_s);
    b->rest.around_s = fmin(b->rest.around_s, a->rest.idle_s);
}

static void gather_around(sb_world *world) {
    sb_solid *solids = world->solids;
    for (int i = 0; i < world->pair_count; i++) {
        const sb_pair *pair = &world->pairs[i];
        if (pair->count > 0)
            look_around(&solids[pair->first], &solids[pair->second]);
    }
    for (int i = 0; i < world->joint_count; i++) {
        const sb_joint *joint = &world->joints[i];
        if (joint->is_used && joint->solid[1] >= 0)
            look_around(&solids[joint->solid[0]], &solids[joint->solid[1]]);
    }
}

static bool is_quiet_heap(const sb_solid *root) {
    return root->rest.member_count >= HEAP_LEAST &&
           root->rest.idle_count >= HEAP_SHARE * root->rest.member_count;
}

/* In a heap that has been quiet for a while, those that are idle; all of them
 * if none is fast. */
static bool rests_in_heap(const sb_solid *solid, const sb_solid *root) {
    return root->rest.heap_s >= HEAP_S &&
           (solid->rest.idle_s >= REST_S || root->rest.fastest_m_s < HEAP_M_S);
}

static void calm_rocking(const sb_world *world, sb_solid *solid,
                         const sb_solid *root) {
    sb_vec3 moved = sb_vec3_sub(solid->position, solid->rest.stayed_at);
    if (sb_vec3_length(moved) > ROCK_SHARE * solid->reach_m ||
        solid->rest.idle_s > 0.1) {
        solid->rest.stayed_at = solid->position;
        solid->rest.stayed_s = 0.0;
    }
    solid->rest.stayed_s += world->step_s;
    double speed = sb_vec3_length(solid->velocity) +
                   solid->reach_m * sb_vec3_length(solid->spin);
    bool rocks =
        root->rest.heap_s >= HEAP_S || solid->rest.leans || speed < ROCK_M_S;
    if (!rocks || solid->rest.stayed_s < ROCK_S || solid->touch_count == 0)
        return;
    double kept = exp(-world->step_s / ROCK_DAMP_S);
    solid->velocity = sb_vec3_scale(solid->velocity, kept);
    solid->spin = sb_vec3_scale(solid->spin, kept);
}

/* --- waking --------------------------------------------------------------- */

/* A sleeping solid wakes at blows above this speed, and when one on which it
 * leans has moved away by this much. */
static const double WAKE_M_S = 0.02, APART_M = 1e-4;
/* ... or presses by this share of its weight more or less, low-passed: then it
 * is awake for this time, and longer if it moves. */
static const double SIDE_SHARE = 0.03, DOWN_SHARE = 0.5, PRESS_S = 0.01,
                    TRY_S = 0.1, QUIET_S = 0.3;
/* If it does not move, twice the change is needed the next time, and so on this
 * many times: forces in a heap wander without moving anything. */
enum { MOST_TRIES = 4 };

/* What the contacts of a pair exert on one of the two, about its centre. */
typedef struct load {
    sb_vec3 force_n, moment_nm;
} load;

/* How one leans on the other, which sleeps. */
struct sb_pair_lean {
    load then;     /* on the one that sleeps, when that began */
    load more;     /* its change since then, low-passed */
    int try_count; /* times that one has woken for it and not moved */
};

static bool sleeps(const sb_solid *solid) {
    return solid->motion == SB_MOTION_FREE && solid->is_asleep;
}

/* Force of the contacts of a pair on `solid`, in the last substep, N, and its
 * moment about the centre, Nm. */
static load load_on(const sb_world *world, const sb_pair *pair,
                    const sb_solid *solid) {
    load sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double sign = solid == &world->solids[pair->first] ? 1.0 : -1.0;
    if (!(world->last_substep_s > 0.0)) return sum;
    double by = sign / world->last_substep_s;
    for (int i = 0; i < pair->count; i++) {
        const sb_contact *c = &world->contacts[pair->start + i];
        sb_vec3 f = sb_vec3_scale(c->normal, c->push_ns);
        f = sb_vec3_plus(f, c->side[0], c->rub_ns[0]);
        f = sb_vec3_plus(f, c->side[1], c->rub_ns[1]);
        sum.force_n = sb_vec3_plus(sum.force_n, f, by);
        sum.moment_nm = sb_vec3_plus(
            sum.moment_nm, sb_vec3_cross(c->arm[sign > 0.0 ? 0 : 1], f), by);
    }
    return sum;
}

/* One of the pair sleeps from now on, under the present load; or, if it sleeps
 * already, all of the load is new. */
static void begin_lean(const sb_world *world, sb_pair *pair, bool is_new) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    if (!pair->lean) pair->lean = sb_alloc(1, sizeof *pair->lean);
    pair->is_leaning = pair->lean != NULL;
    if (!pair->lean) return;
    int tries = is_new ? 0 : pair->lean->try_count;
    *pair->lean = (sb_pair_lean){.try_count = tries};
    if (!is_new) pair->lean->then = load_on(world, pair, sleeps(a) ? a : b);
}

/* Whether one that leans on a sleeping solid presses otherwise than when that
 * fell asleep: by a part of its weight sideways or elsewhere, which may tip it
 * over, or by more along gravity. */
static bool is_pressed(const sb_world *world, sb_pair *pair,
                       const sb_solid *sleeper) {
    load now = load_on(world, pair, sleeper), *more = &pair->lean->more;
    const load *then = &pair->lean->then;
    double part = 1.0 - exp(-world->step_s / PRESS_S);
    sb_vec3 change = more->force_n =
        low_pass(more->force_n, sb_vec3_sub(now.force_n, then->force_n), part);
    sb_vec3 moment = more->moment_nm = low_pass(
        more->moment_nm, sb_vec3_sub(now.moment_nm, then->moment_nm), part);
    double gravity = sb_vec3_length(world->gravity);
    double most = sleeper->mass.mass_kg * gravity;
    most = (1 << pair->lean->try_count) *
           fmax(most, sb_vec3_length(then->force_n));
    if (!(gravity > 0.0)) return sb_vec3_dot(change, change) > 0.0;
    sb_vec3 down = sb_vec3_scale(world->gravity, 1.0 / gravity);
    double along = sb_vec3_dot(change, down);
    sb_vec3 side = sb_vec3_plus(change, down, -along);
    return sb_vec3_length(side) > SIDE_SHARE * most ||
           sb_vec3_length(moment) > SIDE_SHARE * most * sleeper->reach_m ||
           fabs(along) > DOWN_SHARE * most;
}

/* How a moving solid disturbs a sleeping one. */
typedef enum disturbance {
    NONE,
    STRUCK, /* by it, or through it */
    LEFT,   /* it leant on it, and that moves away */
    PRESSED
} disturbance;

/* What gently leans on a sleeping solid finds it as hard as a fixed one. */
static disturbance disturbance_of(const sb_world *world, sb_pair *pair) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    double h = world->step_s;
    double margin = sb_pair_way(world, pair, h) + APART_M;
    sb_found found[SB_RAW_POINTS];
    int count = sb_pair_find(world, pair, margin, found);
    bool is_near = false, has_touched = false;
    for (int i = 0; i < count; i++) {
        sb_vec3 v = sb_vec3_sub(sb_solid_velocity_at(a, found[i].point),
                                sb_solid_velocity_at(b, found[i].point));
        double closing = -sb_vec3_dot(v, found[i].normal);
        bool touches = found[i].gap_m <= 1e-5 + fmax(closing, 0.0) * h;
        if ((touches && closing > WAKE_M_S) ||
            (found[i].gap_m <= APART_M && (a->is_struck || b->is_struck)))
            return STRUCK;
        has_touched |= touches;
        is_near |= found[i].gap_m <= APART_M;
    }
    bool has_parted = pair->is_leaning && !is_near;
    if (has_parted) pair->is_leaning = false;
    if (!pair->is_leaning && is_near && has_touched)
        begin_lean(world, pair, true);
    if (has_parted) return LEFT;
    const sb_solid *sleeper = sleeps(a) ? a : b, *other = sleeps(a) ? b : a;
    /* One that is about to sleep itself, or is only tried, hardly moves. */
    bool may_press = pair->is_leaning && other->rest.idle_s < QUIET_S;
    return may_press && is_pressed(world, pair, sleeper) ? PRESSED : NONE;
}

/* Wakes it for this step; it sleeps on if the step hardly moves it. */
static void rouse(sb_solid *solid) {
    solid->is_asleep = false;
    solid->is_roused = true;
}

/* Likewise for TRY_S. */
static void try_waking(sb_solid *solid) {
    solid->is_asleep = false;
    solid->rest.idle_s = fmax(solid->rest.idle_s - TRY_S, 0.0);
}

static void wake_by(sb_pair *pair, sb_solid *sleeper, const sb_solid *other,
                    disturbance what) {
    if (what == PRESSED && pair->lean->try_count < MOST_TRIES)
        pair->lean->try_count++;
    if (what == STRUCK && other->is_struck)
        rouse(sleeper);
    else if (what == PRESSED)
        try_waking(sleeper);
    else
        sb_solid_wake(sleeper);
    sleeper->is_struck = what == STRUCK;
}

/* Solids at rest on one that has woken wake as well. */
void sb_world_wake_touched(sb_world *world) {
    enum { MOST_PASSES = 256 };
    bool has_woken = true;
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].is_struck = false;
    for (int pass = 0; has_woken && pass < MOST_PASSES; pass++) {
        has_woken = false;
        for (int i = 0; i < world->pair_count; i++) {
            sb_pair *pair = &world->pairs[i];
            sb_solid *a = &world->solids[pair->first],
                     *b = &world->solids[pair->second];
            if (sleeps(a) == sleeps(b)) continue;
            sb_solid *sleeper = sleeps(a) ? a : b, *other = sleeps(a) ? b : a;
            if (!sb_solid_moves(other)) continue;
            disturbance what = disturbance_of(world, pair);
            if (what == NONE) continue;
            wake_by(pair, sleeper, other, what);
            has_woken = true;
        }
    }
}

/* --- sleep ---------------------------------------------------------------- */

/* Whoever leans on a sleeping solid, or is leant on, is watched. */
static void watch_pairs(sb_world *world) {
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].rest.leans = false;
    for (int i = 0; i < world->pair_count; i++) {
        sb_pair *pair = &world->pairs[i];
        sb_solid *a = &world->solids[pair->first],
                 *b = &world->solids[pair->second];
        bool is_one = a->is_asleep || b->is_asleep;
        if (!is_one) pair->is_leaning = false;
        if (pair->count == 0 || !is_one) continue;
        if (!pair->is_leaning) begin_lean(world, pair, false);
        a->rest.leans = b->rest.leans = true;
    }
}

/* The blow that roused it has not reached it. */
static bool sleeps_on(const sb_solid *solid) {
    double speed = sb_vec3_length(solid->velocity) +
                   solid->reach_m * sb_vec3_length(solid->spin);
    return solid->is_roused && solid->touch_count > 0 &&
           solid->joint_count == 0 && speed < SLOW_M_S;
}

static bool is_at_rest(const sb_solid *solid, const sb_solid *root) {
    return (solid->rest.idle_s >= REST_S && solid->rest.around_s >= AROUND_S) ||
           rests_in_heap(solid, root);
}

void sb_world_update_sleep(sb_world *world) {
    sb_solid *solids = world->solids;
    find_islands(world);
    for (int i = 0; i < world->solid_count; i++)
        if (is_awake(&solids[i]) && !sleeps_on(&solids[i])) {
            if (solids[i].is_roused) sb_solid_wake(&solids[i]);
            watch(world, &solids[i]);
        }
    gather(world);
    gather_around(world);
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &solids[i],
                 *root = &solids[sb_union_find_root(world->islands.items, i)];
        if (!is_awake(solid)) continue;
        solid->rest.heap_s =
            is_quiet_heap(root) ? solid->rest.heap_s + world->step_s : 0.0;
        /* The root has the lowest index of its island, so it is tested
         * before the others. */
        if (!solid->is_roused && !is_at_rest(solid, root)) {
            calm_rocking(world, solid, root);
            continue;
        }
        solid->velocity = solid->spin = (sb_vec3){0.0, 0.0, 0.0};
        solid->is_asleep = true;
        solid->is_roused = false;
    }
    watch_pairs(world);
}
