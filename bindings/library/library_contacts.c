/* SPDX-License-Identifier: MIT */
/* Strikes, contacts that last, and contact points of another physics engine, for
 * programs in C. Thread: control. */
#include "bindings/library/library_internal.h"

#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_pad.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/contact/pad.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/strike/strike.h"
#include "runtime/scene/world/foreign_step.h"

#include <math.h>
#include <string.h>

/* A physics step may be this far ahead of the scene. */
#define AHEAD_S 60.0
/* Largest element of an array of points or poses, bytes. */
enum { ELEMENT_MOST = 4096 };

/* --- places and strikers --------------------------------------------------------- */

/* `given` may be NULL: the usual place. */
static sb_status read_place(const sandbell_place *given, sb_place *out,
                            sb_error *err) {
    sandbell_place place;
    sb_status status =
        library_read(SANDBELL_PLACE, given, &place, sizeof place, err);
    if (status) return status;
    if (place.kind < SANDBELL_PLACE_USUAL || place.kind > SANDBELL_PLACE_LOCAL)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "place: kind is %d: no such choice", (int)place.kind);
    sb_vec3 point = vec3_in(place.point), along = vec3_in(place.direction);
    double sum = place.u + place.v + point.x + point.y + point.z + along.x +
                 along.y + along.z;
    if (!isfinite(sum))
        return sb_fail(err, SB_BAD_ARGUMENT, "place: a number is not finite");
    *out = (sb_place){.u = place.u,
                      .v = place.v,
                      .is_usual = place.kind == SANDBELL_PLACE_USUAL,
                      .point = point,
                      .has_point = place.kind >= SANDBELL_PLACE_POINT,
                      .direction = along,
                      .has_direction = sb_vec3_dot(along, along) > 0.0,
                      .is_local = place.kind == SANDBELL_PLACE_LOCAL};
    return SB_OK;
}

static sb_status read_strike(const sandbell_strike_def *given,
                             sb_strike_def *out, sb_error *err) {
    sandbell_strike_def def;
    sb_status status =
        library_read(SANDBELL_STRIKE_DEF, given, &def, sizeof def, err);
    if (status) return status;
    if (isnan(def.speed_m_s)) def.speed_m_s = def.impulse_ns > 0.0 ? 0.0 : 1.0;
    if (def.speed_m_s == 0.0 && def.impulse_ns == 0.0)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "strike: speed_m_s and impulse_ns must not both be 0");
    *out = (sb_strike_def){.speed_m_s = def.speed_m_s,
                           .impulse_ns = def.impulse_ns,
                           .model = (sb_impact_model)def.model,
                           .bounces = def.bounces,
                           .striker = {.mass_kg = def.mass_kg,
                                       .radius_m = def.radius_m,
                                       .hardness_n_m = def.hardness_n_m,
                                       .stiffness = def.stiffness,
                                       .exponent = def.exponent,
                                       .lambda = def.lambda,
                                       .has_material = def.material != NULL}};
    status = sb_fields_check(sb_strike_fields, true, out, "strike", err);
    if (!status && def.material)
        status = library_material(def.material, &out->striker.material, err);
    return status;
}

int sandbell_strike(sandbell_scene *scene, sandbell_body body,
                    const sandbell_place *place, const sandbell_strike_def *def,
                    int64_t frame, sandbell_impact *estimate,
                    sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_place at;
    sb_strike_def own;
    sb_impact_estimate played;
    sb_status status = read_place(place, &at, &call.why);
    if (!status) status = read_strike(def, &own, &call.why);
    if (!status)
        status = sb_scene_strike(sb_host_scene(scene->host), body_in(body), &at,
                                 &own, library_time_s(scene, frame), &played,
                                 &call.why);
    if (!status && estimate) {
        sandbell_impact out = {.impulse_ns = played.impulse_ns,
                               .duration_s = played.duration_s,
                               .peak_force_n = played.peak_force_n,
                               .speed_m_s = played.speed_m_s,
                               .mass_kg = played.mass_kg};
        library_write(&out, sizeof out, estimate);
    }
    return library_leave(&call, status, err);
}

/* --- pads ------------------------------------------------------------------------- */

int sandbell_pad_prepare(sandbell_scene *scene, sandbell_body body,
                         const sandbell_place *place,
                         const sandbell_strike_def *def, sandbell_pad *out,
                         sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_place at;
    sb_strike_def own;
    sb_pad_id id;
    sb_status status = read_place(place, &at, &call.why);
    if (!status) status = read_strike(def, &own, &call.why);
    if (!status)
        status = sb_scene_prepare_pad(sb_host_scene(scene->host), body_in(body),
                                      &at, &own, &id, &call.why);
    if (!status) *out = (sandbell_pad){id.index, id.generation};
    return library_leave(&call, status, err);
}

void sandbell_pad_release(sandbell_scene *scene, sandbell_pad pad) {
    library_call call = library_enter(scene);
    sb_scene_release_pad(sb_host_scene(scene->host),
                         (sb_pad_id){pad.index, pad.generation});
    (void)library_leave(&call, SB_OK, NULL);
}

bool sandbell_pad_hit(sandbell_scene *scene, sandbell_pad pad, double speed_m_s,
                      int64_t frame) {
    if (!(speed_m_s > 0.0 && speed_m_s <= SB_STRIKE_FASTEST_M_S)) return false;
    return sb_engine_hit_pad(scene->steps.def.engine,
                             (sb_pad_id){pad.index, pad.generation}, speed_m_s,
                             frame);
}

bool sandbell_pad_post(sandbell_scene *scene, sandbell_pad pad,
                       double speed_m_s, int64_t frame) {
    if (!(speed_m_s > 0.0 && speed_m_s <= SB_STRIKE_FASTEST_M_S)) return false;
    library_call call = library_enter(scene);
    bool is_sent = sb_engine_post_hit(scene->steps.def.engine,
                                      (sb_pad_id){pad.index, pad.generation},
                                      speed_m_s, frame);
    (void)library_leave(&call, SB_OK, NULL);
    return is_sent;
}

/* --- contacts that last ------------------------------------------------------------ */

static sb_status read_kind(const char *name, sb_lasting_setup *setup,
                           sb_error *err) {
    for (int i = 0; name && i < SB_CONTACT_KINDS; i++) {
        setup->kind = (sb_contact_kind)i;
        if (strcmp(sb_contact_kind_names[i], name) == 0) return SB_OK;
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "kind must be roll, profile, slide, creak, rub, buzz or "
                   "rattle, got '%.40s'",
                   name ? name : "NULL");
}

static sb_status read_param(const sandbell_setting *param,
                            sb_lasting_setup *setup, sb_error *err) {
    const char *name = param->name ? param->name : "NULL";
    const sb_field *row = sb_field_find(sb_lasting_fields, name);
    if (!row || row->kind != SB_FIELD_NUMBER)
        return sb_fail(err, SB_BAD_ARGUMENT, "a contact has no param '%.40s'",
                       name);
    *sb_field_slot(row, setup) = param->value;
    return sb_field_check(row, setup, "contact", err);
}

static sb_status read_setup(const sandbell_contact_def *def,
                            sb_lasting_setup *setup, sb_error *err) {
    *setup =
        (sb_lasting_setup){.body = body_in(def->body),
                           .with = body_in(def->with),
                           .level = def->level,
                           .thing = {.mass_kg = def->mass_kg,
                                     .radius_m = def->radius_m,
                                     .hardness_n_m = def->hardness_n_m,
                                     .stiffness = def->stiffness,
                                     .exponent = def->exponent,
                                     .lambda = def->lambda,
                                     .has_material = def->material != NULL}};
    sb_status status = read_kind(def->kind, setup, err);
    if (!status && def->material)
        status = library_material(def->material, &setup->thing.material, err);
    if (!status &&
        (def->param_count < 0 || (def->param_count > 0 && !def->params)))
        status = sb_fail(err, SB_BAD_ARGUMENT, "contact: params are missing");
    for (int i = 0; !status && i < def->param_count; i++)
        status = read_param(&def->params[i], setup, err);
    return status ? status : sb_lasting_check(setup, err);
}

static sb_status read_load(const sandbell_load *given, bool rolls,
                           sb_lasting_change *out, sb_error *err) {
    sandbell_load load;
    sb_status status =
        library_read(SANDBELL_LOAD, given, &load, sizeof load, err);
    *out = (sb_lasting_change){.ramp_s = load.ramp_s};
    double *speed = out->load.speed_m_s;
    out->has_force = !isnan(load.force_n);
    out->has_slip = !isnan(load.slip_m_s);
    if (out->has_force) out->load.force_n = load.force_n;
    if (out->has_slip) out->load.slip_m_s = load.slip_m_s;
    for (int i = 0; i < 2; i++) {
        out->has_speed[i] = !isnan(load.speed_m_s[i]);
        if (out->has_speed[i]) speed[i] = load.speed_m_s[i];
    }
    if (!status)
        status =
            sb_fields_check(sb_lasting_change_fields, false, out, "load", err);
    sb_lasting_change_settle(out, rolls);
    for (int i = 0; i < 2 && !status; i++) {
        out->has_place[i] = load.place[i] != NULL;
        status = read_place(load.place[i], &out->place[i], err);
    }
    return status;
}

int sandbell_contact_begin(sandbell_scene *scene,
                           const sandbell_contact_def *given,
                           const sandbell_load *load, int64_t frame,
                           sandbell_contact *out, sandbell_error *err) {
    library_call call = library_enter(scene);
    sandbell_contact_def def;
    sb_lasting_setup setup;
    sb_lasting_change first;
    sb_contact_id id;
    sb_status status =
        library_read(SANDBELL_CONTACT_DEF, given, &def, sizeof def, &call.why);
    if (!status) status = read_setup(&def, &setup, &call.why);
    if (!status)
        status = read_load(load, sb_contact_kind_rolls(setup.kind), &first,
                           &call.why);
    if (!status)
        status = sb_scene_begin_contact(sb_host_scene(scene->host), &setup,
                                        &first, library_time_s(scene, frame),
                                        &id, &call.why);
    if (!status) *out = (sandbell_contact){id.index, id.generation};
    return library_leave(&call, status, err);
}

int sandbell_contact_move(sandbell_scene *scene, sandbell_contact contact,
                          const sandbell_load *load, int64_t frame,
                          sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_contact_id id = {contact.index, contact.generation};
    sb_scene *own = sb_host_scene(scene->host);
    sb_lasting_change change;
    sb_status status = SB_OK;
    if (!sb_scene_has_contact(own, id))
        status = sb_fail(&call.why, SB_STALE_HANDLE, "the contact has ended");
    if (!status)
        status = read_load(load, sb_scene_contact_rolls(own, id), &change,
                           &call.why);
    if (!status)
        status = sb_scene_move_contact(own, id, &change,
                                       library_time_s(scene, frame), &call.why);
    return library_leave(&call, status, err);
}

int sandbell_contact_end(sandbell_scene *scene, sandbell_contact contact,
                         int64_t frame, double fade_s, sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_contact_id id = {contact.index, contact.generation};
    sb_status status = SB_OK;
    if (!(fade_s >= 0.0 && fade_s <= 1e6))
        status =
            sb_fail(&call.why, SB_BAD_ARGUMENT, "fade_s must be from 0 to 1e6");
    if (!status)
        status = sb_scene_end_contact(sb_host_scene(scene->host), id,
                                      library_time_s(scene, frame), fade_s,
                                      &call.why);
    return library_leave(&call, status, err);
}

/* --- another physics engine ---------------------------------------------------------- */

static sb_foreign_point point_in(const sandbell_point *point) {
    return (sb_foreign_point){
        .body = {body_in(point->a), body_in(point->b)},
        .point_m = vec3_in(point->point),
        .normal = vec3_in(point->normal),
        .depth_m = point->depth_m,
        .closing_m_s = point->closing_m_s,
        .impulse_ns = point->impulse_ns,
        .rub_ns = vec3_in(point->friction_ns),
        .velocity = {vec3_in(point->velocity_a), vec3_in(point->velocity_b)},
        .centre = {vec3_in(point->centre_velocity_a),
                   vec3_in(point->centre_velocity_b)},
        .inverse_mass = {point->inverse_mass_a, point->inverse_mass_b},
        .restitution = point->restitution,
        .is_smooth = point->is_smooth,
        .time_s = point->time_s};
}

/* Both arrays are freed by the caller. */
static sb_status read_step(const sandbell_step *step, sb_foreign_point *points,
                           sb_foreign_pose *poses, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < step->point_count && !status; i++) {
        sandbell_point point;
        status = library_read(SANDBELL_POINT,
                              (const char *)step->points +
                                  (size_t)i * step->point_size,
                              &point, sizeof point, err);
        points[i] = point_in(&point);
    }
    for (int i = 0; i < step->pose_count && !status; i++) {
        sandbell_pose pose;
        status = library_read(SANDBELL_POSE,
                              (const char *)step->poses +
                                  (size_t)i * step->pose_size,
                              &pose, sizeof pose, err);
        poses[i] = (sb_foreign_pose){body_in(pose.body), pose_in(&pose)};
    }
    return status;
}

static sb_status check_step(const sandbell_step *step, sb_error *err) {
    if (step->point_count < 0 || step->pose_count < 0 ||
        (step->point_count > 0 && !step->points) ||
        (step->pose_count > 0 && !step->poses))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "step: points or poses are missing");
    if (step->point_size < sizeof(sandbell_point) ||
        step->point_size > ELEMENT_MOST ||
        step->pose_size < sizeof(sandbell_pose) ||
        step->pose_size > ELEMENT_MOST)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "step: point_size is %u and pose_size %u: begin with "
                       "sandbell_step_default()",
                       step->point_size, step->pose_size);
    return SB_OK;
}

/* Where it begins: as it says, even if control is ahead: only what has been
 * rendered already is late. */
static sb_status find_frame(const sandbell_scene *scene, int64_t *frame,
                            sb_error *err) {
    int64_t next = atomic_load(&scene->next_frame);
    int64_t until = scene->physics_until;
    if (*frame == SANDBELL_NOW) *frame = next > until ? next : until;
    double ahead_s = (double)(*frame - next) / scene->steps.rate_hz;
    /* Frames are rounded: two steps may overlap by one. */
    if (*frame < 0 || *frame < until - 1)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "step: it begins at frame %lld, but the last one ended "
                       "at frame %lld",
                       (long long)*frame, (long long)until);
    if (ahead_s > AHEAD_S)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "step: it begins at frame %lld, %.3g s ahead of the "
                       "scene; at most %g s are allowed",
                       (long long)*frame, ahead_s, AHEAD_S);
    if (*frame < until) *frame = until;
    return SB_OK;
}

int sandbell_physics_step(sandbell_scene *scene, const sandbell_step *given,
                          sandbell_error *err) {
    library_call call = library_enter(scene);
    sandbell_step step;
    sb_foreign_point *points = NULL;
    sb_foreign_pose *poses = NULL;
    sb_status status =
        library_read(SANDBELL_STEP, given, &step, sizeof step, &call.why);
    if (!status) status = check_step(&step, &call.why);
    if (!status) {
        points = sb_alloc((size_t)step.point_count + 1, sizeof *points);
        poses = sb_alloc((size_t)step.pose_count + 1, sizeof *poses);
        if (!points || !poses)
            status = sb_fail(&call.why, SB_NO_MEMORY, "out of memory");
    }
    if (!status) status = read_step(&step, points, poses, &call.why);
    int64_t from = step.frame;
    if (!status) status = find_frame(scene, &from, &call.why);
    if (!status) {
        double rate_hz = scene->steps.rate_hz;
        sb_foreign_step own = {.from_s = sb_conductor_time_s(rate_hz, from),
                               .step_s = step.step_s,
                               .gravity_m_s2 = vec3_in(step.gravity),
                               .points = points,
                               .count = step.point_count,
                               .poses = poses,
                               .pose_count = step.pose_count};
        status =
            sb_scene_foreign_step(sb_host_scene(scene->host), &own, &call.why);
        if (!status)
            scene->physics_until = from + llround(step.step_s * rate_hz);
        /* Frames that are prepared but not rendered: now, or a full ring says
         * when. */
        if (!status)
            (void)sb_engine_flush(scene->steps.def.engine,
                                  sb_engine_horizon(scene->steps.def.engine));
    }
    sb_free(points);
    sb_free(poses);
    return library_leave(&call, status, err);
}

void sandbell_physics_forget(sandbell_scene *scene, sandbell_body body) {
    library_call call = library_enter(scene);
    sb_scene_foreign_forget(sb_host_scene(scene->host), body_in(body));
    (void)library_leave(&call, SB_OK, NULL);
}
