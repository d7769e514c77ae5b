/* Which sleeping solids a moving one wakes. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <math.h>

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

static bool sleeps(const sb_solid *solid) {
    return solid->motion == SB_MOTION_FREE && solid->is_asleep;
}

/* Force of the contacts of a pair on `solid`, in the last substep, N, and its
 * moment about the centre, Nm. */
static sb_pair_load load_on(const sb_world *world, const sb_pair *pair,
                            const sb_solid *solid) {
    sb_pair_load sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
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

void sb_pair_begin_lean(const sb_world *world, sb_pair *pair) {
    const sb_solid *a = &world->solids[pair->first],
                   *b = &world->solids[pair->second];
    if (!pair->lean) pair->lean = sb_alloc(1, sizeof *pair->lean);
    pair->is_leaning = pair->lean != NULL;
    if (!pair->lean) return;
    pair->lean->then = load_on(world, pair, sleeps(a) ? a : b);
    pair->lean->more = (sb_pair_load){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}

static sb_vec3 low_pass(sb_vec3 state, sb_vec3 value, double part) {
    return sb_vec3_plus(state, sb_vec3_sub(value, state), part);
}

/* Whether one that leans on a sleeping solid presses otherwise than when that
 * fell asleep: by a part of its weight sideways or elsewhere, which may tip it
 * over, or by more along gravity. */
static bool is_pressed(const sb_world *world, sb_pair *pair,
                       const sb_solid *sleeper) {
    sb_pair_load now = load_on(world, pair, sleeper), *more = &pair->lean->more;
    const sb_pair_load *then = &pair->lean->then;
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

/* One begins to lean on a solid that sleeps already: all of its load is new. */
static void begin_touch(sb_pair *pair) {
    if (!pair->lean) pair->lean = sb_alloc(1, sizeof *pair->lean);
    pair->is_leaning = pair->lean != NULL;
    if (pair->lean) *pair->lean = (sb_pair_lean){.try_count = 0};
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
    if (!pair->is_leaning && is_near && has_touched) begin_touch(pair);
    if (has_parted) return LEFT;
    const sb_solid *sleeper = sleeps(a) ? a : b, *other = sleeps(a) ? b : a;
    /* One that is about to sleep itself, or is only tried, hardly moves. */
    bool may_press = pair->is_leaning && other->idle_s < QUIET_S;
    return may_press && is_pressed(world, pair, sleeper) ? PRESSED : NONE;
}

static void wake_by(sb_pair *pair, sb_solid *sleeper, const sb_solid *other,
                    disturbance what) {
    if (what == PRESSED && pair->lean->try_count < MOST_TRIES)
        pair->lean->try_count++;
    if (what == STRUCK && other->is_struck)
        sb_solid_rouse(sleeper);
    else if (what == PRESSED)
        sb_solid_try(sleeper, TRY_S);
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
