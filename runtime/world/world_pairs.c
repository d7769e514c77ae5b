/* Pairs of solids whose bounds overlap during a step, by a sweep along x. Those
 * of which neither moves are not looked at: they stay as they are. Runs on the
 * control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <string.h>

/* A pair is kept while its bounds are this near, so that a contact is not
 * forgotten for a moment. */
static const double SPARE_M = 1e-4;

void sb_pair_free(sb_pair *pair) {
    sb_free(pair->anchors);
    sb_free(pair->roots);
    sb_free(pair->lean);
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
    double low[3], high[3], spare = SPARE_M + solid->skin_m;
    double h = world->step_s;
    if (sb_solid_moves(solid)) {
        sb_vec3 pull = sb_vec3_add(world->gravity, solid->push_m_s2);
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
    solid->low = (sb_vec3){low[0], low[1], low[2]};
    solid->high = (sb_vec3){high[0], high[1], high[2]};
}

static bool is_there(const sb_solid *solid) {
    return solid->is_used && !solid->is_lost &&
           solid->collider.kind != SB_COLLIDER_NONE;
}

static bool do_overlap(const sb_solid *a, const sb_solid *b) {
    return a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z &&
           a->low.x <= b->high.x && b->low.x <= a->high.x;
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
    sb_vec3 pull = sb_vec3_add(world->gravity, solid->push_m_s2);
    double turned = fmin(sb_vec3_length(solid->spin) * h, 2.0);
    double way = 1.5 * sb_vec3_length(v) * h +
                 2.0 * sb_vec3_length(pull) * h * h + solid->reach_m * turned;
    double far = sb_vec3_length(to);
    return height <= SPARE_M + way + far * sb_vec3_length(floor->spin) * h;
}

/* --- the sweep ------------------------------------------------------------ */

/* Insertion sort: the order hardly changes from step to step. */
static void sort_solids(sb_world *world) {
    int *order = world->sorted;
    for (int i = 1; i < world->sorted_count; i++) {
        int moved = order[i], k = i;
        double low = world->solids[moved].low.x;
        for (; k > 0; k--) {
            double other = world->solids[order[k - 1]].low.x;
            if (other < low || (other == low && order[k - 1] < moved)) break;
            order[k] = order[k - 1];
        }
        order[k] = moved;
    }
}

static sb_status gather(sb_world *world, sb_error *err) {
    if (!sb_grow((void **)&world->sorted, &world->sorted_capacity,
                 world->solid_count + 1, sizeof *world->sorted))
        return sb_fail(err, SB_NO_MEMORY, "no memory for a step");
    /* Those that are still there keep their order. */
    int kept = 0;
    for (int i = 0; i < world->solid_count; i++)
        world->solids[i].member_count = 0;
    for (int i = 0; i < world->sorted_count; i++) {
        int index = world->sorted[i];
        if (index >= world->solid_count || !is_there(&world->solids[index]) ||
            world->solids[index].member_count)
            continue;
        world->solids[index].member_count = 1;
        world->sorted[kept++] = index;
    }
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (!is_there(solid)) continue;
        bool moves = sb_solid_moves(solid);
        if (moves || !solid->is_bounded) set_bounds(world, solid);
        solid->is_bounded = !moves;
        if (!solid->member_count) world->sorted[kept++] = i;
    }
    world->sorted_count = kept;
    sort_solids(world);
    return SB_OK;
}

static bool add_pair(sb_world *world, int *count, int a, int b) {
    if (*count >= SB_MOST_PAIRS) {
        world->has_limited = true;
        return true;
    }
    if (!sb_grow((void **)&world->keys, &world->key_capacity, *count + 1,
                 sizeof *world->keys))
        return false;
    uint64_t first = (uint64_t)(a < b ? a : b),
             second = (uint64_t)(a < b ? b : a);
    world->keys[(*count)++] = first << 32 | second;
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
    const sb_solid *solids = world->solids;
    sb_crowd_begin(world);
    *count = 0;
    for (int i = 0; i < world->sorted_count && !sb_stop_is_wanted(); i++) {
        int a = world->sorted[i];
        double high = solids[a].high.x;
        for (int k = i + 1; k < world->sorted_count; k++) {
            int b = world->sorted[k];
            if (solids[b].low.x > high) break;
            /* Both bounds are of solids at rest. */
            if (solids[a].is_bounded && solids[b].is_bounded) continue;
            if (!is_wanted(world, a, b) || sb_crowd_meet(world, a, b)) continue;
            if (!add_pair(world, count, a, b)) return false;
        }
    }
    return true;
}

/* Once more where solids are found to be crowded. */
static bool sweep(sb_world *world, int *count) {
    if (!sweep_once(world, count)) return false;
    return !sb_crowd_find(world) || sweep_once(world, count);
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
    if (!sb_grow((void **)&world->key_room, &world->key_room_capacity, count,
                 sizeof *world->key_room) ||
        !sb_grow((void **)&world->bins, &world->bin_capacity,
                 world->solid_count + 1, sizeof *world->bins))
        return false;
    sort_by(world, world->keys, world->key_room, count, 0, world->bins);
    sort_by(world, world->key_room, world->keys, count, 32, world->bins);
    return true;
}

static uint64_t key_of(const sb_pair *pair) {
    return (uint64_t)pair->first << 32 | (uint64_t)pair->second;
}

/* Whether a pair goes on that is not among those of moving solids. */
static bool stays(const sb_world *world, const sb_pair *pair) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    return is_there(a) && is_there(b) && a->is_bounded && b->is_bounded;
}

/* The old pairs and the keys, both sorted, become the new pairs. Pairs that go
 * on keep what was found of them. */
static void carry_over(sb_world *world, int count) {
    int old = 0, next = 0;
    for (int i = 0; i <= count; i++) {
        uint64_t key = i < count ? world->keys[i] : UINT64_MAX;
        for (; old < world->pair_count && key_of(&world->pairs[old]) < key;
             old++) {
            if (stays(world, &world->pairs[old]))
                world->next_pairs[next++] = world->pairs[old];
            else
                sb_pair_free(&world->pairs[old]);
        }
        if (i == count) break;
        if (old < world->pair_count && key_of(&world->pairs[old]) == key)
            world->next_pairs[next++] = world->pairs[old++];
        else
            world->next_pairs[next++] = (sb_pair){
                .first = (int)(key >> 32), .second = (int)(key & 0xffffffffu)};
    }
    sb_pair *pairs = world->pairs;
    int capacity = world->pair_capacity;
    world->pairs = world->next_pairs;
    world->pair_capacity = world->next_capacity;
    world->pair_count = next;
    world->next_pairs = pairs;
    world->next_capacity = capacity;
}

sb_status sb_world_find_pairs(sb_world *world, sb_error *err) {
    world->has_limited = false;
    sb_status status = gather(world, err);
    if (status != SB_OK) return status;
    int count = 0;
    if (!sweep(world, &count) || !sort_keys(world, count) ||
        !sb_grow((void **)&world->next_pairs, &world->next_capacity,
                 count + world->pair_count, sizeof *world->next_pairs))
        return sb_fail(err, SB_NO_MEMORY, "no memory for pairs of solids");
    carry_over(world, count);
    sb_crowd_spread(world);
    sb_world_wake_touched(world);
    return sb_stop_check(err);
}
