/* One time step: drift, collide, solve, correct (world_internal.h).
 * Runs on the control thread. */
#include "runtime/world/world_internal.h"

#include <math.h>
#include <setjmp.h>

/* Beyond these a solid is lost. */
static const double FAR_M = 1e6, FAST_M_S = 1e5;

/* --- drift ---------------------------------------------------------------- */

static sb_quat turned(sb_quat q, sb_vec3 by) {
    double angle = sb_vec3_length(by);
    if (!(angle > 0.0)) return q;
    return sb_quat_normalised(sb_quat_times(sb_quat_about(by, angle), q));
}

/* Scripted solids rotate about the centre of their shape, which is their
 * position. */
void sb_solid_drift(sb_world *world, sb_solid *solid, double time_s) {
    sb_vec3 v = solid->velocity;
    if (solid->motion == SB_MOTION_FREE) {
        sb_vec3 gain = sb_vec3_scale(world->gravity, time_s);
        v = sb_vec3_add(v, sb_vec3_scale(gain, 0.5));
        solid->velocity = sb_vec3_add(solid->velocity, gain);
    }
    solid->position = sb_vec3_add(solid->position, sb_vec3_scale(v, time_s));
    solid->rotation =
        turned(solid->rotation, sb_vec3_scale(solid->spin, time_s));
    solid->is_drifted = true;
}

/* Extent of the solid from its centre of mass. */
static double reach(const sb_solid *solid, sb_vec3 direction) {
    const sb_collider *c = &solid->collider;
    sb_vec3 d = sb_quat_turn_back(solid->rotation, direction);
    if (c->kind == SB_COLLIDER_SPHERE) return c->radius;
    if (c->kind == SB_COLLIDER_RING)
        return c->radius * hypot(d.x, d.z) + c->wire_radius;
    if (c->kind == SB_COLLIDER_CYLINDER)
        return c->radius * hypot(d.x, d.z) + 0.5 * c->length * fabs(d.y);
    if (c->kind == SB_COLLIDER_CAPSULE)
        return c->radius + 0.5 * c->length * fabs(d.x);
    sb_vec3 off = sb_vec3_sub(solid->middle, solid->mass.centre);
    return sb_vec3_dot(d, off) + fabs(d.x) * solid->half.x +
           fabs(d.y) * solid->half.y + fabs(d.z) * solid->half.z;
}

/* The time for which a solid may fly. A solid that moves farther in a step
 * than its thickness would end on the wrong side of its obstacle. It is
 * stopped when a part of it is inside the obstacle, which is taken to be
 * flat. */
static double flight(sb_world *world, int index, double time_s,
                     bool has_touched) {
    const sb_solid *solid = &world->solids[index];
    double speed = sb_vec3_length(solid->velocity);
    if (solid->motion != SB_MOTION_FREE || !solid->geom ||
        speed * time_s <= 0.7 * solid->thin_m)
        return time_s;
    sb_vec3 direction = sb_vec3_scale(solid->velocity, 1.0 / speed), normal;
    double most = speed * time_s + 2.0 * sb_vec3_length(solid->half);
    double hit_s = 0.0;
    if (!sb_world_sweep(world, index, direction, most, &hit_s, &normal))
        return time_s;
    double steep = -sb_vec3_dot(direction, normal);
    /* A solid that was stopped without a contact may have turned away, but
     * its centre must not pass the obstacle. */
    if (!has_touched)
        return fmin(fmax(hit_s - 0.5 * solid->thin_m / speed, 0.0), time_s);
    double ahead = reach(solid, sb_vec3_scale(normal, -1.0));
    if (!(steep > 0.01)) return time_s;
    double until = fmax(hit_s - ahead / (speed * steep), 0.0);
    return fmin(until + 0.25 * solid->thin_m / (speed * steep), time_s);
}

static bool is_fast(const sb_world *world, const sb_solid *solid) {
    double most = 0.7 * solid->thin_m / world->step_s;
    return sb_vec3_dot(solid->velocity, solid->velocity) > most * most;
}

static void drift_all(sb_world *world) {
    double h = world->step_s;
    bool has_fast = false;
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        solid->is_drifted = false;
        solid->left_s = 0.0;
        solid->start = solid->position;
        solid->start_turn = solid->rotation;
        solid->touch_count = 0;
        solid->shift = solid->turn = (sb_vec3){0.0, 0.0, 0.0};
        if (solid->is_used && sb_solid_moves(solid))
            has_fast |= is_fast(world, solid);
    }
    /* All sweeps are computed before any solid moves. */
    if (has_fast) sb_world_refresh(world);
    for (int i = 0; has_fast && i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (solid->is_used && sb_solid_moves(solid))
            solid->left_s = h - flight(world, i, h, true);
    }
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (!solid->is_used || !sb_solid_moves(solid)) continue;
        sb_solid_drift(world, solid, h - solid->left_s);
        sb_geom_place(solid);
    }
}

/* --- solve ---------------------------------------------------------------- */

/* The rotation, and for solids with joints the position, is that of the
 * middle of the step. The forces of joints depend on the pose, and only the
 * mid-step force neither damps nor drives a pendulum. Contacts are solved
 * where they are found. */
static void give_to_ode(const sb_world *world, const sb_solid *solid) {
    sb_vec3 x = solid->position, v = solid->velocity, w = solid->spin;
    double back_s = -0.5 * (world->step_s - solid->left_s);
    sb_quat q = turned(solid->rotation, sb_vec3_scale(w, back_s));
    if (solid->motion == SB_MOTION_FREE && solid->joint_count > 0) {
        sb_vec3 mean = sb_vec3_add(v, sb_vec3_scale(world->gravity, back_s));
        x = sb_vec3_add(x, sb_vec3_scale(mean, back_s));
    }
    dQuaternion turn = {q.w, q.x, q.y, q.z};
    if (solid->motion == SB_MOTION_FREE && !sb_solid_moves(solid)) {
        dBodyDisable(solid->body);
        return;
    }
    dBodyEnable(solid->body);
    dBodySetPosition(solid->body, x.x, x.y, x.z);
    dBodySetQuaternion(solid->body, turn);
    dBodySetLinearVel(solid->body, v.x, v.y, v.z);
    dBodySetAngularVel(solid->body, w.x, w.y, w.z);
}

/* ODE calls its handler on internal errors, such as an overflow, and aborts
 * when the handler returns. longjmp is the only escape. */
static _Thread_local jmp_buf way_out;

static void on_trouble(int number, const char *text, va_list args) {
    (void)number, (void)text, (void)args;
    longjmp(way_out, 1);
}

static void on_message(int number, const char *text, va_list args) {
    (void)number, (void)text, (void)args;
}

/* A few contacts get many iterations, many contacts as many as time allows.
 * ODE's exact solver is no better for a few: it puts the load of a face on
 * some of its corners, and towers begin to rock. False: out of memory. */
static bool run_ode(sb_world *world) {
    enum { LEAST = 30, MOST = 120, SHARE = 8000 };
    int iterations = SHARE / (world->touch_count + 1);
    iterations = iterations < LEAST ? LEAST : iterations;
    iterations = iterations > MOST ? MOST : iterations;
    dWorldSetQuickStepNumIterations(world->ode, iterations);
    dRandSetSeed(world->random);
    bool is_done = dWorldQuickStep(world->ode, world->step_s) != 0;
    world->random = dRandGetSeed();
    return is_done;
}

/* --- correct -------------------------------------------------------------- */

static bool is_sound(const sb_solid *solid) {
    const double p[3] = {solid->position.x, solid->position.y,
                         solid->position.z};
    const double v[6] = {solid->velocity.x, solid->velocity.y,
                         solid->velocity.z, solid->spin.x,
                         solid->spin.y,     solid->spin.z};
    for (int i = 0; i < 3; i++)
        if (!(fabs(p[i]) <= FAR_M)) return false;
    for (int i = 0; i < 6; i++)
        if (!(fabs(v[i]) <= FAST_M_S)) return false;
    return true;
}

/* Uses the velocities that ODE has found. */
static void correct(sb_world *world, int index) {
    sb_solid *solid = &world->solids[index];
    sb_solid old = *solid;
    const dReal *v = dBodyGetLinearVel(solid->body),
                *w = dBodyGetAngularVel(solid->body);
    double half = 0.5 * world->step_s;
    solid->velocity = (sb_vec3){v[0], v[1], v[2]};
    solid->spin = (sb_vec3){w[0], w[1], w[2]};
    sb_vec3 gain = sb_vec3_sub(solid->velocity, old.velocity);
    sb_vec3 whirl = sb_vec3_sub(solid->spin, old.spin);
    solid->position = sb_vec3_add(
        solid->position, sb_vec3_add(solid->shift, sb_vec3_scale(gain, half)));
    solid->rotation = turned(
        solid->rotation, sb_vec3_add(solid->turn, sb_vec3_scale(whirl, half)));
    if (is_sound(solid)) return;
    solid->position = old.position;
    solid->rotation = old.rotation;
    sb_world_lose(world, index);
}

/* Completes the part of the step that a sweep cut off. */
static void fly_on(sb_world *world, int index) {
    sb_solid *solid = &world->solids[index];
    double left = solid->left_s;
    solid->left_s = 0.0;
    sb_world_refresh(world);
    double time = flight(world, index, left, solid->touch_count > 0);
    sb_solid_drift(world, solid, time);
    solid->velocity = sb_vec3_add(solid->velocity,
                                  sb_vec3_scale(world->gravity, left - time));
}

static void correct_all(sb_world *world) {
    for (int i = 0; i < world->solid_count; i++) {
        sb_solid *solid = &world->solids[i];
        if (!solid->is_used || solid->motion != SB_MOTION_FREE ||
            !sb_solid_moves(solid))
            continue;
        correct(world, i);
    }
    world->is_stale = true;
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &world->solids[i];
        if (solid->is_used && solid->left_s > 0.0 && !solid->is_lost)
            fly_on(world, i);
    }
    world->is_stale = true;
}

/* --- the step ------------------------------------------------------------- */

static bool has_motion(const sb_world *world) {
    for (int i = 0; i < world->solid_count; i++)
        if (world->solids[i].is_used && sb_solid_moves(&world->solids[i]))
            return true;
    return false;
}

/* Removes lost solids before they move: ODE must not see them. */
static void drop_lost(sb_world *world) {
    for (int i = 0; i < world->solid_count; i++) {
        const sb_solid *solid = &world->solids[i];
        if (solid->is_used && !is_sound(solid)) sb_world_lose(world, i);
    }
}

static sb_status solve(sb_world *world, sb_error *err) {
    sb_status status = sb_world_make_contacts(world, err);
    for (int i = 0; status == SB_OK && i < world->solid_count; i++)
        if (world->solids[i].is_used && world->solids[i].body)
            give_to_ode(world, &world->solids[i]);
    if (status == SB_OK && !run_ode(world))
        status = sb_fail(err, SB_NO_MEMORY, "no memory for a step");
    if (status == SB_OK) {
        sb_world_report_contacts(world);
        correct_all(world);
        sb_world_update_sleep(world);
    } else {
        world->touch_count = 0;
    }
    dJointGroupEmpty(world->contacts);
    return status;
}

/* The state of ODE is undefined now: all free solids stop permanently. */
static void break_down(sb_world *world) {
    world->is_broken = true;
    world->touch_count = 0;
    for (int i = 0; i < world->solid_count; i++)
        if (world->solids[i].is_used &&
            world->solids[i].motion == SB_MOTION_FREE)
            sb_world_lose(world, i);
}

static sb_status step(sb_world *world, sb_error *err) {
    sb_world_wake_joined(world);
    drift_all(world);
    sb_status status = sb_world_collide(world, err);
    return status == SB_OK ? solve(world, err) : status;
}

sb_status sb_world_step(sb_world *world, sb_error *err) {
    world->steps++;
    world->touch_count = 0;
    if (world->is_broken) return SB_OK;
    drop_lost(world);
    if (!has_motion(world)) return SB_OK;
    sb_world_enter();
    dSetMessageHandler(on_message);
    dSetErrorHandler(on_trouble);
    dSetDebugHandler(on_trouble);
    if (setjmp(way_out)) {
        break_down(world);
        return SB_OK;
    }
    return step(world, err);
}

/* Targets a quarter of a core. Measured in heaps: 100 rings of 12 capsules
 * 1.3 ms per step, 50 boxes 0.4 ms, 50 balls 0.25 ms. */
double sb_world_affordable_rate(int free_solids, int geoms) {
    double parts = free_solids > 0 ? (double)geoms : 0.0;
    double cost_s = 1e-5 + 6e-6 * free_solids + 7e-7 * parts;
    return round(fmin(fmax(0.25 / cost_s, 240.0), 1000.0));
}
