/* Pairs of solids whose bounds overlap during a step, by a sweep along x; and
 * which sleeping solids a moving one wakes. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pair is kept while its bounds are this near, so that a contact is not
 * forgotten for a moment. */
static const double SPARE_M = 1e-4;

/* A sleeping solid wakes at blows above this speed, and when one on which it
 * leans has moved away by this much. */
static const double WAKE_M_S = 0.02, APART_M = 1e-4;
/* ... or presses by this share of its weight more or less. */
static const double SIDE_SHARE = 0.03, DOWN_SHARE = 0.5;

void sb_pair_free(sb_pair *pair) {
    sb_free(pair->anchors);
    sb_free(pair->roots);
    pair->anchors = NULL;
    pair->roots = NULL;
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
        set_bounds(world, solid);
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

static bool sweep(sb_world *world, int *count) {
    for (int i = 0; i < world->sorted_count; i++) {
        int a = world->sorted[i];
        double high = world->solids[a].high.x;
        for (int k = i + 1; k < world->sorted_count; k++) {
            int b = world->sorted[k];
            if (world->solids[b].low.x > high) break;
            if (is_wanted(world, a, b) && !add_pair(world, count, a, b))
                return false;
        }
    }
    return true;
}

static int by_key(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static uint64_t key_of(const sb_pair *pair) {
    return (uint64_t)pair->first << 32 | (uint64_t)pair->second;
}

/* Pairs that go on keep what was found of them. */
static void carry_over(sb_world *world, int count) {
    int old = 0;
    for (int i = 0; i < count; i++) {
        uint64_t key = world->keys[i];
        sb_pair *next = &world->next_pairs[i];
        while (old < world->pair_count && key_of(&world->pairs[old]) < key)
            sb_pair_free(&world->pairs[old++]);
        if (old < world->pair_count && key_of(&world->pairs[old]) == key)
            *next = world->pairs[old++];
        else
            *next = (sb_pair){.first = (int)(key >> 32),
                              .second = (int)(key & 0xffffffffu)};
    }
    while (old < world->pair_count)
        sb_pair_free(&world->pairs[old++]);
    sb_pair *pairs = world->pairs;
    int capacity = world->pair_capacity;
    world->pairs = world->next_pairs;
    world->pair_capacity = world->next_capacity;
    world->pair_count = count;
    world->next_pairs = pairs;
    world->next_capacity = capacity;
}

/* --- waking --------------------------------------------------------------- */

static bool sleeps(const sb_solid *solid) {
    return solid->motion == SB_MOTION_FREE && solid->is_asleep;
}

sb_vec3 sb_pair_force(const sb_world *world, const sb_pair *pair) {
    sb_vec3 sum = {0.0, 0.0, 0.0};
    if (!(world->last_substep_s > 0.0)) return sum;
    for (int i = 0; i < pair->count; i++) {
        const sb_contact *c = &world->contacts[pair->start + i];
        sum = sb_vec3_plus(sum, c->normal, c->push_ns);
        sum = sb_vec3_plus(sum, c->side[0], c->rub_ns[0]);
        sum = sb_vec3_plus(sum, c->side[1], c->rub_ns[1]);
    }
    return sb_vec3_scale(sum, 1.0 / world->last_substep_s);
}

/* Whether one that leans on a sleeping solid presses otherwise than when that
 * fell asleep: by a part of its weight sideways, which may tip it over, or by
 * more along gravity. */
static bool is_pressed(const sb_world *world, const sb_pair *pair,
                       const sb_solid *sleeper) {
    sb_vec3 change = sb_vec3_sub(sb_pair_force(world, pair), pair->lean_n);
    double gravity = sb_vec3_length(world->gravity);
    double weight = sleeper->mass.mass_kg * gravity;
    if (!(gravity > 0.0)) return sb_vec3_dot(change, change) > 0.0;
    sb_vec3 down = sb_vec3_scale(world->gravity, 1.0 / gravity);
    double along = sb_vec3_dot(change, down);
    sb_vec3 side = sb_vec3_plus(change, down, -along);
    return sb_vec3_length(side) > SIDE_SHARE * weight ||
           fabs(along) > DOWN_SHARE * weight;
}

/* A sleeping solid wakes when a moving one strikes it, also through others that
 * touch it, or one that it leans on moves away. What gently leans on it finds it as hard as a fixed one. */
static bool is_disturbed(const sb_world *world, sb_pair *pair,
                         bool *is_struck) {
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
        *is_struck =
            (touches && closing > WAKE_M_S) ||
            (found[i].gap_m <= APART_M && (a->is_struck || b->is_struck));
        if (*is_struck) return true;
        has_touched |= touches;
        is_near |= found[i].gap_m <= APART_M;
    }
    bool has_parted = pair->is_leaning && !is_near;
    if (!pair->is_leaning) pair->lean_n = (sb_vec3){0.0, 0.0, 0.0};
    pair->is_leaning = is_near && (pair->is_leaning || has_touched);
    const sb_solid *sleeper = sleeps(a) ? a : b;
    return has_parted || (pair->is_leaning && is_pressed(world, pair, sleeper));
}

/* Solids at rest on one that has woken wake as well. */
static void wake_touched(sb_world *world) {
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
            bool is_one = sleeps(a) != sleeps(b);
            sb_solid *other = sleeps(a) ? b : a;
            bool is_struck = false;
            if (!is_one || !sb_solid_moves(other) ||
                !is_disturbed(world, pair, &is_struck))
                continue;
            sb_solid *sleeper = sleeps(a) ? a : b;
            sb_solid_wake(sleeper);
            sleeper->is_struck = is_struck;
            has_woken = true;
        }
    }
}

sb_status sb_world_find_pairs(sb_world *world, sb_error *err) {
    world->has_limited = false;
    sb_status status = gather(world, err);
    if (status != SB_OK) return status;
    int count = 0;
    if (!sweep(world, &count) ||
        !sb_grow((void **)&world->next_pairs, &world->next_capacity, count,
                 sizeof *world->next_pairs))
        return sb_fail(err, SB_NO_MEMORY, "no memory for pairs of solids");
    if (count > 1)
        qsort(world->keys, (size_t)count, sizeof *world->keys, by_key);
    carry_over(world, count);
    wake_touched(world);
    return SB_OK;
}
