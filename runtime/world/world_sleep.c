/* Finds islands of solids that touch and puts those at rest to sleep.
 * Runs on the control thread. */
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
    (void)sb_union_find_join(world->islands, a, b);
}

static sb_vec3 low_pass(sb_vec3 state, sb_vec3 value, double part) {
    return sb_vec3_add(state, sb_vec3_scale(sb_vec3_sub(value, state), part));
}

/* True when it has moved away from its reference position, which is then
 * updated. */
static bool has_left(sb_solid *solid, double size) {
    sb_quat turn =
        sb_quat_times(solid->rotation, sb_quat_inverse(solid->stay_turn));
    double angle =
        2.0 * sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double moved = sb_vec3_length(sb_vec3_sub(solid->position, solid->stay)) +
                   size * angle;
    if (moved <= fmin(STAY_M, STAY_SHARE * size)) return false;
    solid->stay = solid->position;
    solid->stay_turn = solid->rotation;
    return true;
}

/* Updates the time at rest. The solid must be supported: one that is slow at
 * the top of its flight is not at rest. */
static void watch(const sb_world *world, sb_solid *solid) {
    double part = 1.0 - exp(-world->step_s / CALM_S);
    solid->calm[0] = low_pass(solid->calm[0], solid->velocity, part);
    solid->calm[1] = low_pass(solid->calm[1], solid->spin, part);
    double size = sb_vec3_length(solid->half);
    double speed =
        sb_vec3_length(solid->calm[0]) + size * sb_vec3_length(solid->calm[1]);
    solid->calm_m_s = speed;
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
    solid->idle_s = is_idle ? solid->idle_s + world->step_s : 0.0;
    if (solid->touch_count == 0 || solid->idle_s < DRAIN_AFTER_S) return;
    double kept = exp(-world->step_s / DRAIN_S);
    solid->velocity = sb_vec3_scale(solid->velocity, kept);
    solid->spin = sb_vec3_scale(solid->spin, kept);
}

static bool is_awake(const sb_solid *solid) {
    return solid->is_used && solid->motion == SB_MOTION_FREE &&
           sb_solid_moves(solid);
}

static void find_islands(sb_world *world) {
    sb_union_find_init(world->islands, world->solid_count);
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
        solids[i].around_s = INFINITY;
        solids[i].fastest_m_s = 0.0;
        solids[i].member_count = solids[i].idle_count = 0;
    }
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &solids[i];
        sb_solid *root = &solids[sb_union_find_root(world->islands, i)];
        if (!is_awake(solid)) continue;
        root->fastest_m_s = fmax(root->fastest_m_s, solid->calm_m_s);
        root->member_count++;
        root->idle_count += solid->idle_s >= REST_S;
    }
}

static void look_around(sb_solid *a, sb_solid *b) {
    if (!is_awake(a) || !is_awake(b)) return;
    a->around_s = fmin(a->around_s, b->idle_s);
    b->around_s = fmin(b->around_s, a->idle_s);
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
    return root->member_count >= HEAP_LEAST &&
           root->idle_count >= HEAP_SHARE * root->member_count;
}

/* In a heap that has been quiet for a while, those that are idle; all of them
 * if none is fast. */
static bool rests_in_heap(const sb_solid *solid, const sb_solid *root) {
    return root->heap_s >= HEAP_S &&
           (solid->idle_s >= REST_S || root->fastest_m_s < HEAP_M_S);
}

static void calm_rocking(const sb_world *world, sb_solid *solid,
                         const sb_solid *root) {
    sb_vec3 moved = sb_vec3_sub(solid->position, solid->stayed_at);
    if (sb_vec3_length(moved) > ROCK_SHARE * solid->reach_m ||
        solid->idle_s > 0.1) {
        solid->stayed_at = solid->position;
        solid->stayed_s = 0.0;
    }
    solid->stayed_s += world->step_s;
    double speed = sb_vec3_length(solid->velocity) +
                   solid->reach_m * sb_vec3_length(solid->spin);
    bool rocks = root->heap_s >= HEAP_S || solid->leans || speed < ROCK_M_S;
    if (!rocks || solid->stayed_s < ROCK_S || solid->touch_count == 0) return;
    double kept = exp(-world->step_s / ROCK_DAMP_S);
    solid->velocity = sb_vec3_scale(solid->velocity, kept);
    solid->spin = sb_vec3_scale(solid->spin, kept);
}

/* Whoever leans on a sleeping solid, or is leant on, is watched. */
static void watch_pairs(sb_world *world) {
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].leans = false;
    for (int i = 0; i < world->pair_count; i++) {
        sb_pair *pair = &world->pairs[i];
        sb_solid *a = &world->solids[pair->first],
                 *b = &world->solids[pair->second];
        bool is_one = a->is_asleep || b->is_asleep;
        if (!is_one) pair->is_leaning = false;
        if (pair->count == 0 || !is_one) continue;
        if (!pair->is_leaning) sb_pair_begin_lean(world, pair);
        a->leans = b->leans = true;
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
    return (solid->idle_s >= REST_S && solid->around_s >= AROUND_S) ||
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
                 *root = &solids[sb_union_find_root(world->islands, i)];
        if (!is_awake(solid)) continue;
        solid->heap_s =
            is_quiet_heap(root) ? solid->heap_s + world->step_s : 0.0;
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
