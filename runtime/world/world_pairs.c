/* SPDX-License-Identifier: MIT */
/* Pairs of solids whose bounds overlap during a step, by a sweep along x. Those
 * of which neither moves are not looked at: they stay as they are. Crowds have no
 * pairs. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <string.h>

/* A pair is kept while its bounds are this near, so that a contact is not
 * forgotten for a moment. */
static const double SPARE_M = 1e-4;

void sb_pair_free(sb_pair *pair) {
    sb_free_all(pair->anchors, pair->roots, pair->lean);
    pair->anchors = NULL;
    pair->roots = NULL;
    pair->lean = NULL;
}

bool sb_world_may_collide(const sb_world *world, int a, int b) {
    const sb_solid *first = &world->solids[a], *second = &world->solids[b];
    if (first->motion != SB_MOTION_FREE && second->motion != SB_MOTION_FREE)
        return false;
    if (first->is_lost || second->is_lost) return false;
    return !sb_world_are_joined(world, a, b);
}

/* --- bounds --------------------------------------------------------------- */

static void set_bounds(const sb_world *world, sb_solid *solid) {
    const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double low[3], high[3], spare = SPARE_M + solid->size.skin_m;
    double h = world->step_s;
    if (sb_solid_moves(solid)) {
        sb_vec3 pull = sb_vec3_add(world->gravity, solid->force.push_m_s2);
        double turned = fmin(sb_vec3_length(solid->spin) * h, 2.0);
        spare += 1.5 * sb_vec3_length(solid->velocity) * h +
                 2.0 * sb_vec3_length(pull) * h * h + solid->reach_m * turned;
    }
    for (int k = 0; k < 3; k++) {
        double at = k == 0   ? solid->position.x
                    : k == 1 ? solid->position.y
                             : solid->position.z;
        low[k] =
            at - spare - sb_solid_extent(solid, sb_vec3_scale(axes[k], -1.0));
        high[k] = at + spare + sb_solid_extent(solid, axes[k]);
    }
    if (solid->collider.kind == SB_COLLIDER_FLOOR)
        for (int k = 0; k < 3; k++)
            low[k] = -INFINITY, high[k] = INFINITY;
    solid->bounds.low = (sb_vec3){low[0], low[1], low[2]};
    solid->bounds.high = (sb_vec3){high[0], high[1], high[2]};
}

static bool is_there(const sb_solid *solid) {
    return solid->is_used && !solid->is_lost &&
           solid->collider.kind != SB_COLLIDER_NONE;
}

static bool do_overlap(const sb_solid *a, const sb_solid *b) {
    return a->bounds.low.y <= b->bounds.high.y &&
           b->bounds.low.y <= a->bounds.high.y &&
           a->bounds.low.z <= b->bounds.high.z &&
           b->bounds.low.z <= a->bounds.high.z &&
           a->bounds.low.x <= b->bounds.high.x &&
           b->bounds.low.x <= a->bounds.high.x;
}

/* The height of the lowest part of a solid above a floor, with its motion. */
static bool is_near_floor(const sb_world *world, const sb_solid *floor,
                          const sb_solid *solid) {
    sb_vec3 up = sb_quat_turn(floor->rotation, (sb_vec3){0.0, 1.0, 0.0});
    sb_vec3 to = sb_vec3_sub(solid->position, sb_solid_origin(floor));
    double height =
        sb_vec3_dot(up, to) - sb_solid_extent(solid, sb_vec3_scale(up, -1.0));
    sb_vec3 v = sb_vec3_sub(solid->velocity, floor->velocity);
    double h = world->step_s;
    sb_vec3 pull = sb_vec3_add(world->gravity, solid->force.push_m_s2);
    double turned = fmin(sb_vec3_length(solid->spin) * h, 2.0);
    double way = 1.5 * sb_vec3_length(v) * h +
                 2.0 * sb_vec3_length(pull) * h * h + solid->reach_m * turned;
    double far = sb_vec3_length(to);
    return height <= SPARE_M + way + far * sb_vec3_length(floor->spin) * h;
}

/* --- crowds --------------------------------------------------------------- */

/* Crowds: many solids in one place, as when a script puts all of them at one
 * point. Contacts of all with all would take seconds per step and push in all
 * directions at once. A crowd spreads instead, without contacts between its
 * members, until none is near another or time is up. Its velocities stay as they
 * are.
 *
 * A solid is crowded if the centres of MANY others are nearer than its and their
 * least half thickness: solids that do not overlap cannot be. */

enum { MANY = 12 };

/* How fast a member moves away from one that is at the same place, for how long
 * at most, and until it is away by which part of their sizes. */
static const double SPREAD_M_S = 1.0, LONGEST_S = 0.3, NEAR_SHARE = 0.8;

static void begin_crowds(sb_world *world) {
    for (int i = 0; i < world->solid_count; i++) {
        world->solids[i].crowd.count = 0;
        world->solids[i].crowd.spread_m_s = (sb_vec3){0.0, 0.0, 0.0};
    }
}

/* Directions spread evenly over a sphere, for members at the same point. */
static sb_vec3 some_direction(int index) {
    double turn = SB_PI * (3.0 - sqrt(5.0)) * index;
    double up = remainder(0.6180339887498949 * index, 1.0) * 2.0;
    double out = sqrt(fmax(1.0 - up * up, 0.0));
    return (sb_vec3){out * cos(turn), up, out * sin(turn)};
}

/* Counts a pair whose bounds overlap. True if both belong to a crowd: then they
 * have no contacts. */
static bool meet_in_crowd(sb_world *world, int first, int second) {
    sb_solid *a = &world->solids[first], *b = &world->solids[second];
    if (a->motion != SB_MOTION_FREE || b->motion != SB_MOTION_FREE)
        return false;
    sb_vec3 off = sb_vec3_sub(a->position, b->position);
    double apart = sb_vec3_length(off),
           reach = NEAR_SHARE * (a->reach_m + b->reach_m);
    if (apart < 0.9 * (a->size.thin_m + b->size.thin_m)) {
        a->crowd.count++;
        b->crowd.count++;
    }
    if (!a->crowd.is_in || !b->crowd.is_in) return false;
    if (apart >= reach) return true;
    sb_vec3 away = apart > 1e-6 ? sb_vec3_scale(off, 1.0 / apart)
                                : some_direction(first + second);
    double speed = SPREAD_M_S * (1.0 - apart / reach);
    a->crowd.spread_m_s = sb_vec3_plus(a->crowd.spread_m_s, away, speed);
    b->crowd.spread_m_s = sb_vec3_plus(b->crowd.spread_m_s, away, -speed);
    return true;
}

/* True when solids have become crowded. */
static bool find_crowds(sb_world *world) {
    bool has_new = false;
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (solid->crowd.is_in || solid->crowd.count < MANY) continue;
        if (solid->crowd.spread_s > LONGEST_S) continue;
        solid->crowd.is_in = has_new = true;
    }
    return has_new;
}

static void spread_crowds(sb_world *world) {
    double pull = sb_vec3_length(world->gravity);
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (!solid->crowd.is_in) continue;
        sb_vec3 v = solid->crowd.spread_m_s;
        double down = sb_vec3_dot(v, world->gravity);
        /* Nobody is pressed into the ground. */
        if (solid->touch_count > 0 && down > 0.0)
            v = sb_vec3_plus(v, world->gravity, -down / (pull * pull));
        double speed = sb_vec3_length(v);
        solid->crowd.spread_s += world->step_s;
        solid->crowd.is_in = speed > 0.0 && solid->crowd.spread_s < LONGEST_S;
        if (!solid->crowd.is_in) continue;
        world->has_limited = true;
        double way = fmin(speed, SPREAD_M_S) * world->step_s;
        solid->position = sb_vec3_plus(solid->position, v, way / speed);
        solid->bounds.path_m += way;
    }
}

/* --- the sweep ------------------------------------------------------------ */

/* Insertion sort: the order hardly changes from step to step. */
static void sort_solids(sb_world *world) {
    sb_world_sweep *s = &world->sweep;
    int *order = s->sorted.items;
    for (int i = 1; i < s->sorted.count; i++) {
        int moved = order[i], k = i;
        double low = world->solids[moved].bounds.low.x;
        for (; k > 0; k--) {
            double other = world->solids[order[k - 1]].bounds.low.x;
            if (other < low || (other == low && order[k - 1] < moved)) break;
            order[k] = order[k - 1];
        }
        order[k] = moved;
    }
}

static sb_status gather(sb_world *world, sb_error *err) {
    sb_world_sweep *s = &world->sweep;
    if (!sb_ints_grow(&s->sorted, world->solid_count + 1))
        return sb_no_memory_for(err, "a step");
    /* Those that are still there keep their order. */
    int kept = 0;
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].rest.member_count = 0;
    for (int i = 0; i < s->sorted.count; i++) {
        int index = s->sorted.items[i];
        if (index >= world->solid_count || !is_there(&world->solids[index]) ||
            world->solids[index].rest.member_count)
            continue;
        world->solids[index].rest.member_count = 1;
        s->sorted.items[kept++] = index;
    }
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (!is_there(solid)) continue;
        bool moves = sb_solid_moves(solid);
        if (moves || !solid->bounds.are_kept) set_bounds(world, solid);
        solid->bounds.are_kept = !moves;
        if (!solid->rest.member_count) s->sorted.items[kept++] = i;
    }
    s->sorted.count = kept;
    sort_solids(world);
    return SB_OK;
}

static bool add_pair(sb_world *world, int *count, int a, int b) {
    sb_world_sweep *s = &world->sweep;
    if (*count >= SB_MOST_PAIRS) {
        world->has_limited = true;
        return true;
    }
    if (!sb_grow_list(s->keys, s->key_capacity, *count + 1)) return false;
    uint64_t first = (uint64_t)(a < b ? a : b),
             second = (uint64_t)(a < b ? b : a);
    s->keys[(*count)++] = first << 32 | second;
    return true;
}

static bool is_wanted(const sb_world *world, int a, int b) {
    const sb_solid *first = &world->solids[a], *second = &world->solids[b];
    if (!do_overlap(first, second) || !sb_world_may_collide(world, a, b))
        return false;
    if (first->collider.kind == SB_COLLIDER_FLOOR)
        return is_near_floor(world, first, second);
    return second->collider.kind != SB_COLLIDER_FLOOR ||
           is_near_floor(world, second, first);
}

static bool sweep_once(sb_world *world, int *count) {
    sb_world_sweep *s = &world->sweep;
    const sb_solid *solids = world->solids;
    begin_crowds(world);
    *count = 0;
    for (int i = 0; i < s->sorted.count && !sb_stop_is_wanted(); i++) {
        int a = s->sorted.items[i];
        double high = solids[a].bounds.high.x;
        for (int k = i + 1; k < s->sorted.count; k++) {
            int b = s->sorted.items[k];
            if (solids[b].bounds.low.x > high) break;
            /* Both bounds are of solids at rest. */
            if (solids[a].bounds.are_kept && solids[b].bounds.are_kept)
                continue;
            if (!is_wanted(world, a, b) || meet_in_crowd(world, a, b)) continue;
            if (!add_pair(world, count, a, b)) return false;
        }
    }
    return true;
}

/* Once more where solids are found to be crowded. */
static bool sweep(sb_world *world, int *count) {
    if (!sweep_once(world, count)) return false;
    return !find_crowds(world) || sweep_once(world, count);
}

/* A pass of a counting sort, by the index in 32 bits of the keys. */
static void sort_by(const sb_world *world, const uint64_t *from, uint64_t *to,
                    int count, int shift, int *bins) {
    memset(bins, 0, ((size_t)world->solid_count + 1) * sizeof *bins);
    for (int i = 0; i < count; i++)
        bins[(uint32_t)(from[i] >> shift) + 1]++;
    for (int i = 0; i < world->solid_count; i++)
        bins[i + 1] += bins[i];
    for (int i = 0; i < count; i++)
        to[bins[(uint32_t)(from[i] >> shift)]++] = from[i];
}

/* By the first index, then by the second. */
static bool sort_keys(sb_world *world, int count) {
    sb_world_sweep *s = &world->sweep;
    if (!sb_grow_list(s->key_room, s->key_room_capacity, count) ||
        !sb_ints_grow(&s->bins, world->solid_count + 1))
        return false;
    sort_by(world, s->keys, s->key_room, count, 0, s->bins.items);
    sort_by(world, s->key_room, s->keys, count, 32, s->bins.items);
    return true;
}

static uint64_t key_of(const sb_pair *pair) {
    return (uint64_t)pair->first << 32 | (uint64_t)pair->second;
}

/* Whether a pair goes on that is not among those of moving solids. */
static bool stays(const sb_world *world, const sb_pair *pair) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    return is_there(a) && is_there(b) && a->bounds.are_kept &&
           b->bounds.are_kept;
}

/* The old pairs and the keys, both sorted, become the new pairs. Pairs that go
 * on keep what was found of them. */
static void carry_over(sb_world *world, int count) {
    sb_world_sweep *s = &world->sweep;
    int old = 0, next = 0;
    for (int i = 0; i <= count; i++) {
        uint64_t key = i < count ? s->keys[i] : UINT64_MAX;
        for (; old < world->pair_count && key_of(&world->pairs[old]) < key;
             old++) {
            if (stays(world, &world->pairs[old]))
                s->next_pairs[next++] = world->pairs[old];
            else
                sb_pair_free(&world->pairs[old]);
        }
        if (i == count) break;
        if (old < world->pair_count && key_of(&world->pairs[old]) == key)
            s->next_pairs[next++] = world->pairs[old++];
        else
            s->next_pairs[next++] = (sb_pair){
                .first = (int)(key >> 32), .second = (int)(key & 0xffffffffu)};
    }
    sb_pair *pairs = world->pairs;
    int capacity = world->pair_capacity;
    world->pairs = s->next_pairs;
    world->pair_capacity = s->next_capacity;
    world->pair_count = next;
    s->next_pairs = pairs;
    s->next_capacity = capacity;
}

sb_status sb_world_find_pairs(sb_world *world, sb_error *err) {
    sb_world_sweep *s = &world->sweep;
    world->has_limited = false;
    sb_status status = gather(world, err);
    if (status != SB_OK) return status;
    int count = 0;
    if (!sweep(world, &count) || !sort_keys(world, count) ||
        !sb_grow_list(s->next_pairs, s->next_capacity,
                      count + world->pair_count))
        return sb_no_memory_for(err, "pairs of solids");
    carry_over(world, count);
    spread_crowds(world);
    sb_world_wake_touched(world);
    return sb_stop_check(err);
}
