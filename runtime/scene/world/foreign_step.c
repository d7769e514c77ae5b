/* SPDX-License-Identifier: MIT */
/* Steps of another physics engine: checked, completed from the scene's own
 * bodies, and given to the tracker. Control thread. */
#include "runtime/scene/world/foreign_step.h"

#include "runtime/base/memory.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

/* Two steps may overlap by this: their times come from frames. */
#define OVERLAP_S 1e-4

#define NORMAL_ERROR 0.01

/* Closing speeds below this multiple of g h are chatter (tracker.h). */
#define CHATTER_FALLS 3.0

/* The tracker's number of what does not ring: the last of any pair. */
#define NOTHING UINT32_MAX

sb_foreign_point sb_foreign_point_default(void) {
    sb_vec3 unknown = {NAN, NAN, NAN};
    return (sb_foreign_point){.closing_m_s = NAN,
                              .impulse_ns = NAN,
                              .velocity = {unknown, unknown},
                              .centre = {unknown, unknown},
                              .inverse_mass = {-1.0, -1.0},
                              .restitution = -1.0};
}

/* --- bodies and their numbers -------------------------------------------- */

/* Bodies without a collider have no number in the world, so bodies are known to
 * the tracker by their places in the scene. */
static uint32_t number_of(sb_body_id id) {
    return id.generation != 0 ? id.index + 1 : NOTHING;
}

bool scene_tracked_body(const sb_scene *scene, uint32_t user, sb_body_id *out) {
    *out = (sb_body_id){0, 0};
    if (!scene->world->foreign.is_on) {
        *out = scene_world_body(scene->world, user);
    } else if (user == NOTHING) {
        return true;
    } else if (user != 0 && user <= (uint32_t)scene->body_count) {
        *out = scene_id_at(scene, (int)user - 1);
    }
    return sb_scene_has(scene, *out);
}

scene_body *scene_side(const sb_scene *scene, sb_body_id id) {
    return id.generation != 0 ? scene_body_of(scene, id)
                              : &scene->world->nothing;
}

void scene_forget(sb_scene *scene, sb_body_id id) {
    scene_world *world = scene->world;
    scene_body *body = scene_body_of(scene, id);
    world_solid *solid = scene_solid(world, body->user);
    if (solid) solid->is_posed = false;
    if (world->foreign.is_on) body->heard = body->pose;
    sb_tracker_forget(world->tracker,
                      world->foreign.is_on ? number_of(id) : body->user);
}

sb_status scene_check_own(const sb_scene *scene, sb_error *err) {
    if (!scene->world || !scene->world->foreign.is_on) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "another physics engine moves the bodies of this scene, so "
                   "its own world has no forces or joints");
}

void sb_scene_foreign_forget(sb_scene *scene, sb_body_id id) {
    if (!scene->world || !sb_scene_has(scene, id)) return;
    scene_unfollow(scene, id, scene_world_now(scene->world));
    scene_forget(scene, id);
}

sb_status sb_scene_foreign_begin(sb_scene *scene, double time_s,
                                 sb_error *err) {
    const scene_world *own = scene->world;
    if (own && own->foreign.is_on) return SB_OK;
    if (scene->deform)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the scene has deformable bodies, which only its own "
                       "world can meet: it takes no steps of another engine");
    if (own && sb_world_steps(own->world) > 0)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the scene's own world has moved its bodies up to "
                       "%.4g s: steps of another engine must begin before",
                       scene_world_now(own));
    sb_status status = scene_world_ensure(scene, time_s, err);
    if (status) return status;
    scene->world->foreign =
        (world_foreign){.is_on = true, .now_s = time_s, .heard_s = time_s};
    return SB_OK;
}

/* --- checks -------------------------------------------------------------- */

static bool is_unknown(sb_vec3 v) {
    return isnan(v.x) && isnan(v.y) && isnan(v.z);
}

static bool is_known_or_unknown(sb_vec3 v) {
    return is_unknown(v) || scene_is_within(v);
}

static bool is_inverse_mass(double value) {
    return value == -1.0 || (value >= 0.0 && value <= 1e12);
}

/* What of the point is wrong, or NULL. */
static const char *fault_of(const sb_foreign_point *p, double step_s) {
    double length = sb_vec3_length(p->normal);
    if (!scene_is_within(p->point_m)) return "point is not finite";
    if (!(fabs(length - 1.0) <= NORMAL_ERROR))
        return "normal has not the length 1";
    if (!(fabs(p->depth_m) <= 1e6)) return "depth is not finite";
    if (fabs(p->closing_m_s) > 1e4) return "closing speed is above 1e4 m/s";
    if (p->impulse_ns < -1e-6) return "impulse is negative: contacts push";
    if (p->impulse_ns > 1e6) return "impulse is above 1e6 N s";
    if (!scene_is_within(p->rub_ns)) return "friction impulse is not finite";
    if (!is_known_or_unknown(p->velocity[0]) ||
        !is_known_or_unknown(p->velocity[1]) ||
        !is_known_or_unknown(p->centre[0]) ||
        !is_known_or_unknown(p->centre[1]))
        return "velocity is not finite";
    if (!is_inverse_mass(p->inverse_mass[0]) ||
        !is_inverse_mass(p->inverse_mass[1]))
        return "inverse mass is neither -1 nor from 0 to 1e12 1/kg";
    if (p->restitution != -1.0 &&
        !(p->restitution >= 0.0 && p->restitution <= 1.0))
        return "restitution is neither -1 nor from 0 to 1";
    if (!(p->time_s >= 0.0 && p->time_s <= step_s))
        return "time is not within the step";
    return NULL;
}

static sb_status check_point(const sb_scene *scene, const sb_foreign_step *step,
                             int i, sb_error *err) {
    const sb_foreign_point *p = &step->points[i];
    bool is_alone = p->body[1].generation == 0;
    if (!sb_scene_has(scene, p->body[0]) ||
        (!is_alone && !sb_scene_has(scene, p->body[1])))
        return sb_fail(err, SB_STALE_HANDLE,
                       "contact point %d: its body has been removed", i);
    if (!is_alone && p->body[0].index == p->body[1].index)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "contact point %d: body '%s' touches itself", i,
                       sb_scene_body_name(scene, p->body[0]));
    const char *fault = fault_of(p, step->step_s);
    if (!fault) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "contact point %d of body '%s': its %s", i,
                   sb_scene_body_name(scene, p->body[0]), fault);
}

static sb_status check_pose(const sb_scene *scene, const sb_foreign_pose *p,
                            int i, sb_error *err) {
    if (!sb_scene_has(scene, p->body))
        return sb_fail(err, SB_STALE_HANDLE,
                       "pose %d: its body has been removed", i);
    const char *name = sb_scene_body_name(scene, p->body);
    if (sb_scene_motion(scene, p->body) == SB_MOTION_FIXED)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "pose %d: body '%s' is fixed and has none; leave it out "
                       "or declare the body free",
                       i, name);
    sb_quat q = p->pose.rotation;
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (scene_is_within(p->pose.position) &&
        scene_is_within(p->pose.velocity) && scene_is_within(p->pose.spin) &&
        fabs(length - 1.0) <= NORMAL_ERROR)
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "pose %d of body '%s': it must be finite, and its rotation "
                   "a quaternion of length 1",
                   i, name);
}

static sb_status check_step(const sb_scene *scene, const sb_foreign_step *step,
                            sb_error *err) {
    if (!(step->step_s >= SB_FOREIGN_LEAST_S &&
          step->step_s <= SB_FOREIGN_MOST_S))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a step of %g s, expected %g .. %g", step->step_s,
                       SB_FOREIGN_LEAST_S, SB_FOREIGN_MOST_S);
    bool is_on = scene->world && scene->world->foreign.is_on;
    double now_s = is_on ? scene->world->foreign.now_s : 0.0;
    if (!(step->from_s >= now_s - OVERLAP_S && step->from_s <= 1e9))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a step from %.6g s, but the last one ended at "
                       "%.6g s",
                       step->from_s, now_s);
    if (!(sb_vec3_length(step->gravity_m_s2) <= 1e4))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "gravity of a step must be finite and at most "
                       "1e4 m/s^2");
    if (step->count < 0 || step->pose_count < 0 ||
        (step->count > 0 && !step->points) ||
        (step->pose_count > 0 && !step->poses))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a step without its %d points or %d poses", step->count,
                       step->pose_count);
    sb_status status = SB_OK;
    for (int i = 0; i < step->count && !status; i++)
        status = check_point(scene, step, i, err);
    for (int i = 0; i < step->pose_count && !status; i++)
        status = check_pose(scene, &step->poses[i], i, err);
    return status;
}

/* --- points -------------------------------------------------------------- */

/* Mass properties of a free body; else its mass is 0. */
static sb_solid_body mass_of(const sb_scene *scene, sb_body_id id) {
    const world_solid *solid =
        scene_solid(scene->world, scene_side(scene, id)->user);
    return solid ? sb_world_body(scene->world->world, solid->solid)
                 : (sb_solid_body){0};
}

/* 1/m + (r x n) . I^-1 (r x n) */
static double inverse_mass(const sb_solid_body *body, const sb_pose *pose,
                           sb_vec3 point, sb_vec3 normal) {
    if (!(body->mass_kg > 0.0)) return 0.0;
    sb_vec3 arm = sb_vec3_sub(point, sb_pose_to_world(pose, body->centre));
    sb_vec3 twist = sb_quat_turn_back(
        body->principal,
        sb_quat_turn_back(pose->rotation, sb_vec3_cross(arm, normal)));
    return 1.0 / body->mass_kg + twist.x * twist.x / body->moments[0] +
           twist.y * twist.y / body->moments[1] +
           twist.z * twist.z / body->moments[2];
}

/* Where it was not given: from the pose before the step. */
static sb_vec3 velocity_at(const scene_body *body, sb_vec3 given,
                           sb_vec3 point) {
    if (!is_unknown(given)) return given;
    if (body->declared.def.moves.motion == SB_MOTION_FIXED)
        return (sb_vec3){0.0, 0.0, 0.0};
    const sb_pose *pose = &body->pose;
    sb_vec3 arm = sb_vec3_sub(point, pose->position);
    return sb_vec3_add(pose->velocity, sb_vec3_cross(pose->spin, arm));
}

static void fill_side(const sb_scene *scene, const sb_foreign_point *from,
                      int i, sb_contact_point *to) {
    const scene_body *body = scene_side(scene, from->body[i]);
    sb_solid_body mass = mass_of(scene, from->body[i]);
    sb_vec3 centre = sb_pose_to_world(&body->pose, mass.centre);
    to->user[i] = number_of(from->body[i]);
    to->velocity[i] = velocity_at(body, from->velocity[i], from->point_m);
    to->centre[i] = velocity_at(body, from->centre[i], centre);
    to->inverse_mass[i] =
        from->inverse_mass[i] >= 0.0
            ? from->inverse_mass[i]
            : inverse_mass(&mass, &body->pose, to->point, to->normal);
}

static double blow_ns(sb_scene *scene, const sb_contact_point *p) {
    double inverse = p->inverse_mass[0] + p->inverse_mass[1];
    if (!(p->approach_m_s > 0.0) || !(inverse > 0.0)) return 0.0;
    double e = p->is_given ? p->restitution : scene_rebound(scene, p);
    return p->approach_m_s * (1.0 + e) / inverse;
}

#define SWAP(type, pair)         \
    do {                         \
        type first_ = (pair)[0]; \
        (pair)[0] = (pair)[1];   \
        (pair)[1] = first_;      \
    } while (0)

/* Engines name the bodies of a pair in this order or that. */
static void put_in_order(sb_contact_point *p) {
    if (p->user[0] < p->user[1]) return;
    SWAP(uint32_t, p->user);
    SWAP(sb_vec3, p->velocity);
    SWAP(sb_vec3, p->centre);
    SWAP(double, p->inverse_mass);
    p->normal = sb_vec3_scale(p->normal, -1.0);
    p->rub_ns = sb_vec3_scale(p->rub_ns, -1.0);
}

static sb_contact_point point_of(sb_scene *scene,
                                 const sb_foreign_point *from) {
    sb_contact_point p = {.point = from->point_m,
                          .normal = sb_vec3_normalised(from->normal),
                          .depth_m = fmax(from->depth_m, 0.0),
                          .time_s = from->time_s,
                          .rub_ns = from->rub_ns,
                          .is_given = from->restitution >= 0.0,
                          .is_smooth = from->is_smooth};
    for (int i = 0; i < 2; i++)
        fill_side(scene, from, i, &p);
    p.restitution = p.is_given ? from->restitution
                               : scene_pair_restitution(scene, from->body);
    p.approach_m_s = from->closing_m_s;
    if (isnan(p.approach_m_s))
        p.approach_m_s =
            sb_vec3_dot(sb_vec3_sub(p.velocity[1], p.velocity[0]), p.normal);
    p.impulse_ns = isnan(from->impulse_ns) ? blow_ns(scene, &p)
                                           : fmax(from->impulse_ns, 0.0);
    put_in_order(&p);
    return p;
}

/* --- blows and weight ---------------------------------------------------- */

/* Speed that gravity gives the two against each other in the step. */
static double fall_m_s(const sb_contact_point *p, const sb_foreign_step *step) {
    double pull = sb_vec3_dot(step->gravity_m_s2, p->normal) * step->step_s;
    double fall = (p->inverse_mass[1] > 0.0 ? pull : 0.0) -
                  (p->inverse_mass[0] > 0.0 ? pull : 0.0);
    return fmax(fall, 0.0);
}

static double *struck_of(const scene_world *world, uint32_t user) {
    return user != NOTHING ? &world->struck_m_s[user - 1] : NULL;
}

static void note_struck(const scene_world *world, const sb_contact_point *p,
                        double chatter_m_s) {
    if (!(p->impulse_ns > 0.0) || !(p->approach_m_s > chatter_m_s)) return;
    for (int i = 0; i < 2; i++) {
        double *struck = struck_of(world, p->user[i]);
        if (struck && p->inverse_mass[i] > 0.0)
            *struck = fmax(*struck, p->approach_m_s);
    }
}

/* A solver passes a blow on through what touches in one step: the contact under
 * a marble that another hits has a great impulse, but did not close. It closes
 * as if the blow had come later. */
static void pass_on(const scene_world *world, sb_contact_point *p,
                    double chatter_m_s, double fall) {
    double inverse = p->inverse_mass[0] + p->inverse_mass[1], most = 0.0;
    if (p->approach_m_s > chatter_m_s) return;
    for (int i = 0; i < 2; i++) {
        const double *struck = struck_of(world, p->user[i]);
        if (struck) most = fmax(most, *struck);
    }
    double given = (p->impulse_ns * inverse - fall) / (1.0 + p->restitution);
    p->approach_m_s = fmax(p->approach_m_s, fmin(given, most));
}

static void divide(sb_scene *scene, const sb_foreign_step *step) {
    const scene_world *world = scene->world;
    double gravity = sb_vec3_length(step->gravity_m_s2);
    double chatter_m_s = CHATTER_FALLS * gravity * step->step_s;
    for (int i = 0; i < scene->body_count; i++)
        world->struck_m_s[i] = 0.0;
    for (int i = 0; i < step->count; i++)
        note_struck(world, &world->points[i], chatter_m_s);
    for (int i = 0; i < step->count; i++) {
        sb_contact_point *p = &world->points[i];
        double fall = fall_m_s(p, step);
        pass_on(world, p, chatter_m_s, fall);
        double inverse = p->inverse_mass[0] + p->inverse_mass[1];
        if (fall > 0.0 && !isnan(step->points[i].impulse_ns))
            p->weight_ns = fmin(p->impulse_ns, fall / inverse);
    }
}

/* --- a step -------------------------------------------------------------- */

static sb_status track(sb_scene *scene, const sb_foreign_step *step,
                       const sb_tracked **events, int *count, sb_error *err) {
    scene_world *world = scene->world;
    if (!sb_grow_list(world->points, world->point_capacity, step->count) ||
        !sb_grow_list(world->struck_m_s, world->struck_capacity,
                      scene->body_count))
        return sb_no_memory_for(err, "%d contact points", step->count);
    for (int i = 0; i < step->count; i++)
        world->points[i] = point_of(scene, &step->points[i]);
    divide(scene, step);
    sb_tracker_def def = {step->step_s, sb_vec3_length(step->gravity_m_s2)};
    sb_status status =
        sb_tracker_retime(world->tracker, &def, step->from_s, err);
    return status ? status
                  : sb_tracker_step(world->tracker, world->points, step->count,
                                    events, count, err);
}

static void take_poses(sb_scene *scene, const sb_foreign_step *step) {
    scene_world *world = scene->world;
    for (int i = 0; i < scene->order_count; i++) {
        scene_body *body = &scene->bodies[scene->order[i]];
        body->pose.velocity = body->pose.spin = (sb_vec3){0.0, 0.0, 0.0};
    }
    for (int i = 0; i < step->pose_count; i++) {
        scene_body *body = scene_body_of(scene, step->poses[i].body);
        world_solid *solid = scene_solid(world, body->user);
        body->pose = step->poses[i].pose;
        body->pose.rotation = sb_quat_normalised(body->pose.rotation);
        if (!solid) continue;
        if (!solid->is_posed) body->heard = body->pose;
        solid->is_posed = true;
        sb_world_place(world->world, solid->solid, &body->pose);
    }
}

sb_status sb_scene_foreign_step(sb_scene *scene, const sb_foreign_step *step,
                                sb_error *err) {
    sb_status status = check_step(scene, step, err);
    if (!status) status = sb_scene_foreign_begin(scene, step->from_s, err);
    const sb_tracked *events;
    int count = 0, impacts = 0;
    if (!status) status = track(scene, step, &events, &count, err);
    if (status) return status;
    world_foreign *foreign = &scene->world->foreign;
    /* Nothing moves between two steps. */
    if (foreign->heard_s >= foreign->now_s)
        foreign->heard_s = fmax(foreign->heard_s, step->from_s);
    foreign->now_s = step->from_s + step->step_s;
    foreign->gravity = step->gravity_m_s2;
    scene_play_events(scene, events, count, step->from_s, &impacts);
    take_poses(scene, step);
    return SB_OK;
}
