/* SPDX-License-Identifier: MIT */
/* Bodies, materials and the listener, for programs in C. Thread: control. */
#include "bindings/library/library_internal.h"

#include "runtime/engine/engine.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/mesh_prepare.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/scene.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/tuning.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static sb_status check_body(const sandbell_scene *scene, sandbell_body body,
                            sb_error *err) {
    if (sb_scene_has(sb_host_scene(scene->host), body_in(body))) return SB_OK;
    return sb_fail(err, SB_STALE_HANDLE,
                   body.generation ? "the body is not there any more"
                                   : "there is no body");
}

/* --- materials ------------------------------------------------------------------ */

sb_status library_material(const char *name, sb_material *out, sb_error *err) {
    const sb_material *found = sb_material_find(name);
    if (found) {
        *out = *found;
        return SB_OK;
    }
    const char *alike = sb_material_alike(name);
    return sb_fail(err, SB_NOT_FOUND, "there is no material '%.60s'%s%s", name,
                   alike ? "; there is " : "", alike ? alike : "");
}

int sandbell_material_find(const char *name, sandbell_material *out,
                           sandbell_error *err) {
    library_call call = library_enter(NULL);
    sb_material found;
    sb_status status = library_material(name ? name : "", &found, &call.why);
    if (!status) {
        sandbell_material own = {.size = sizeof own};
#define MATERIAL_FIELD(field, ...) own.field = found.field;
#include "runtime/model/material_fields.def"
#undef MATERIAL_FIELD
        out->size = sizeof own;
        *out = own;
    }
    return library_leave(&call, status, err);
}

static sb_status read_material(const sandbell_material *given, sb_material *out,
                               sb_error *err) {
    sandbell_material own;
    sb_status status =
        library_read(SANDBELL_MATERIAL, given, &own, sizeof own, err);
    if (status) return status;
#define MATERIAL_FIELD(field, ...) out->field = own.field;
#include "runtime/model/material_fields.def"
#undef MATERIAL_FIELD
    return sb_material_check(out, err);
}

/* --- adding ----------------------------------------------------------------------- */

static sb_status find_kind(const char *name, sb_shape *shape, sb_error *err) {
    for (int i = 0; name && i < SB_SHAPE_KIND_COUNT; i++) {
        shape->kind = (sb_shape_kind)i;
        if (strcmp(sb_shape_kind_name(shape->kind), name) == 0 &&
            shape->kind != SB_SHAPE_REVOLVE)
            return SB_OK;
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "shape must be bar, plate, disk, membrane, string, ring, "
                   "sphere, box, cylinder, tube, cone, hollow, floor, rigid, "
                   "mesh or modes, got '%.40s'",
                   name ? name : "NULL");
}

static sb_status find_support(const char *name, sb_shape *shape,
                              sb_error *err) {
    for (int i = 0; name && i < SB_SUPPORT_COUNT; i++) {
        shape->support = (sb_support)i;
        if (strcmp(sb_support_name(shape->support), name) == 0) return SB_OK;
    }
    if (!name) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "support must be free, clamped, clamped-free, "
                   "clamped-pinned or pinned, got '%.40s'",
                   name);
}

/* The caller releases shape->mesh. */
static sb_status read_mesh(const sandbell_body_def *def, sb_shape *shape,
                           sb_error *err) {
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_mesh_source *source;
    char remark[512];
    if (!def->mesh) return sb_fail(err, SB_BAD_ARGUMENT, "mesh is missing");
    sb_status status =
        sb_mesh_read(def->mesh, def->mesh_scale, &mesh, &report, err);
    if (!status)
        status = sb_mesh_source_create(def->mesh, &mesh, &report, &source, err);
    if (status) return status;
    shape->mesh = source;
    return sb_wall_settle(shape, remark, sizeof remark, err);
}

/* A number that the kind does not have would be ignored. */
static sb_status check_number(const sb_shape *shape, const char *name,
                              size_t at, double value, sb_error *err) {
    char has[200] = "";
    if (value == 0.0 || shape->kind == SB_SHAPE_MESH) return SB_OK;
    const sb_field *field = sb_shape_family_of(shape)->fields;
    for (; field && field->name; field++) {
        size_t used = strlen(has);
        if (field->offset == at) return SB_OK;
        (void)snprintf(has + used, sizeof has - used, "%s%s", used ? ", " : "",
                       field->name);
    }
    return sb_fail(err, SB_BAD_ARGUMENT, "a %s has no %s; it has: %s",
                   sb_shape_kind_name(shape->kind), name, *has ? has : "none");
}

static sb_status find_radiation(const char *name, sb_shape *shape,
                                sb_error *err) {
    for (int i = 0; name && sb_radiating_names[i]; i++) {
        if (strcmp(name, sb_radiating_names[i]) != 0) continue;
        shape->radiation = (sb_radiating)sb_radiating_values[i];
        return SB_OK;
    }
    shape->radiation = SB_RADIATES_USUALLY;
    if (!name) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "radiation must be quick or exact, got '%.40s'", name);
}

static sb_status read_shape(const sandbell_body_def *def, sb_shape *shape,
                            sb_error *err) {
    sb_status status = find_kind(def->shape, shape, err);
    if (!status) status = find_support(def->support, shape, err);
#define NUMBER(field)                                                   \
    if (!status)                                                        \
        status = check_number(shape, #field, offsetof(sb_shape, field), \
                              def->field, err);                         \
    shape->field = def->field;
#define SIZE(field) NUMBER(field)
#include "runtime/model/shapes.def"
    if (status) return status;
    shape->max_modes = def->max_modes;
    shape->max_hz = def->max_hz;
    status = find_radiation(def->radiation, shape, err);
    if (status) return status;
    if (shape->kind == SB_SHAPE_MESH) return read_mesh(def, shape, err);
    _Static_assert(sizeof(sandbell_hand_mode) == sizeof(sb_hand_mode),
                   "the same three numbers");
    if (shape->kind == SB_SHAPE_MODES) {
        shape->modes = (const sb_hand_mode *)def->modes;
        shape->mode_count = def->modes ? def->mode_count : 0;
    }
    return SB_OK;
}

static sb_status read_substance(const sandbell_body_def *def, sb_body_def *out,
                                sb_error *err) {
    out->has_material = def->own_material || def->material;
    if (def->own_material)
        return read_material(def->own_material, &out->material, err);
    if (!def->material) return SB_OK;
    (void)snprintf(out->material_name, sizeof out->material_name, "%s",
                   def->material);
    return library_material(def->material, &out->material, err);
}

static sb_status read_body(const sandbell_body_def *def, sb_body_def *out,
                           sb_error *err) {
    *out = sb_body_def_default();
    out->name = def->name;
    out->position = vec3_in(def->position);
    out->gain = def->gain;
    out->moves.motion = (sb_motion)def->motion;
    out->moves.rotation = (sb_quat){def->rotation.w, def->rotation.x,
                                    def->rotation.y, def->rotation.z};
    out->moves.velocity = vec3_in(def->velocity);
    out->moves.spin = vec3_in(def->spin);
    out->moves.mass_kg = def->mass_kg;
    sb_status status = read_substance(def, out, err);
    if (!status) status = read_shape(def, &out->shape, err);
    return status ? status : sb_shape_check(&out->shape, err);
}

/* While a scene plays, radiation that takes long follows (sb_host). */
static sb_status solve(const sandbell_scene *scene, sb_planned *planned,
                       const sb_planned *before, sb_error *err) {
    return scene->def.is_live ? sb_planned_solve_soon(planned, before, err)
                              : sb_planned_solve(planned, before, NULL, err);
}

int sandbell_body_add(sandbell_scene *scene, const sandbell_body_def *given,
                      int64_t frame, sandbell_body *out, sandbell_error *err) {
    sandbell_body_def def;
    sb_body_def own = sb_body_def_default();
    sb_planned planned = {0};
    sb_body_id id;
    /* Solved beside the running scene. */
    library_call call = library_enter(NULL);
    sb_status status =
        library_read(SANDBELL_BODY_DEF, given, &def, sizeof def, &call.why);
    if (!status) status = read_body(&def, &own, &call.why);
    if (status)
        status = sb_error_lead(&call.why, status, "body '%.60s'",
                               def.name ? def.name : "");
    if (!status) status = sb_planned_init(&planned, &own, &call.why);
    bool is_planned = !status;
    if (!status) status = solve(scene, &planned, NULL, &call.why);
    sb_mesh_source_release(own.shape.mesh);
    (void)library_leave(&call, SB_OK, NULL);
    sb_error why = call.why;
    call = library_enter(scene);
    call.why = why;
    if (!status)
        status =
            sb_scene_add_planned(sb_host_scene(scene->host), &planned,
                                 library_time_s(scene, frame), &id, &call.why);
    if (!status) *out = body_out(id);
    if (is_planned) sb_planned_free(&planned);
    return library_leave(&call, status, err);
}

int sandbell_body_remove(sandbell_scene *scene, sandbell_body body,
                         int64_t frame, sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_status status =
        sb_scene_remove(sb_host_scene(scene->host), body_in(body),
                        library_time_s(scene, frame), &call.why);
    return library_leave(&call, status, err);
}

/* --- finding ------------------------------------------------------------------------ */

sandbell_body sandbell_body_find(sandbell_scene *scene, const char *name) {
    library_call call = library_enter(scene);
    sb_body_id id = sb_scene_find(sb_host_scene(scene->host), name);
    (void)library_leave(&call, SB_OK, NULL);
    return body_out(id);
}

int sandbell_bodies(sandbell_scene *scene, sandbell_body *out, int most) {
    library_call call = library_enter(scene);
    const sb_scene *own = sb_host_scene(scene->host);
    int count = sb_scene_body_count(own);
    for (int i = 0; i < count && i < most; i++)
        out[i] = body_out(sb_scene_body_at(own, i));
    (void)library_leave(&call, SB_OK, NULL);
    return count;
}

int sandbell_body_name(sandbell_scene *scene, sandbell_body body,
                       char name[SANDBELL_NAME_SIZE]) {
    library_call call = library_enter(scene);
    sb_status status = check_body(scene, body, &call.why);
    if (!status)
        (void)snprintf(
            name, SANDBELL_NAME_SIZE, "%s",
            sb_scene_body_name(sb_host_scene(scene->host), body_in(body)));
    return library_leave(&call, status, NULL);
}

int sandbell_body_modes(sandbell_scene *scene, sandbell_body body,
                        sandbell_mode *out, int most) {
    library_call call = library_enter(scene);
    const sb_scene *own = sb_host_scene(scene->host);
    int count = -1;
    if (!check_body(scene, body, &call.why)) {
        const sb_model *model = sb_scene_body_model(own, body_in(body));
        const sb_mode *modes = sb_model_modes(model);
        count = sb_model_mode_count(model);
        for (int k = 0; k < count && k < most; k++) {
            double freq_hz, sigma_per_s;
            sb_scene_mode_now(own, body_in(body), k, &freq_hz, &sigma_per_s);
            out[k] = (sandbell_mode){.freq_hz = freq_hz,
                                     .t60_s = log(1000.0) / sigma_per_s,
                                     .radiation = modes[k].radiation};
        }
    }
    (void)library_leave(&call, SB_OK, NULL);
    return count;
}

/* --- changing ------------------------------------------------------------------------ */

int sandbell_body_set_pose(sandbell_scene *scene, sandbell_body body,
                           const sandbell_pose *given, int64_t frame,
                           sandbell_error *err) {
    library_call call = library_enter(scene);
    sandbell_pose pose;
    sb_status status =
        library_read(SANDBELL_POSE, given, &pose, sizeof pose, &call.why);
    if (!status) status = check_body(scene, body, &call.why);
    if (!status) {
        sb_pose own = pose_in(&pose);
        status =
            sb_scene_set_pose(sb_host_scene(scene->host), body_in(body), &own,
                              library_time_s(scene, frame), &call.why);
    }
    return library_leave(&call, status, err);
}

int sandbell_body_pose(sandbell_scene *scene, sandbell_body body,
                       sandbell_pose *out) {
    library_call call = library_enter(scene);
    sb_status status = check_body(scene, body, &call.why);
    if (!status) {
        sb_pose pose = sb_scene_pose(sb_host_scene(scene->host), body_in(body));
        sandbell_pose own = {.body = body,
                             .position = vec3_out(pose.position),
                             .rotation = {pose.rotation.w, pose.rotation.x,
                                          pose.rotation.y, pose.rotation.z},
                             .velocity = vec3_out(pose.velocity),
                             .spin = vec3_out(pose.spin)};
        library_write(&own, sizeof own, out);
    }
    return library_leave(&call, status, NULL);
}

int sandbell_body_set_gain(sandbell_scene *scene, sandbell_body body,
                           double gain, int64_t frame, sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_status status =
        sb_scene_set_gain(sb_host_scene(scene->host), body_in(body), gain,
                          library_time_s(scene, frame), &call.why);
    return library_leave(&call, status, err);
}

/* A copy of the body, in a plan of its own, and the same with the material. */
static sb_status plan_material(library_call *call, sandbell_body body,
                               const sb_material *material, sb_plan **before,
                               sb_planned *after) {
    const sb_scene *own = sb_host_scene(call->scene->host);
    sb_status status = check_body(call->scene, body, &call->why);
    if (status) return status;
    const sb_planned *now = sb_scene_body_planned(own, body_in(body));
    status = sb_plan_create(before, &call->why);
    if (!status) status = sb_plan_add_solved(*before, now, &call->why);
    if (status) return status;
    sb_body_def def = now->def;
    def.name = now->name;
    def.material = *material;
    def.has_material = true;
    def.material_name[0] = '\0';
    return sb_planned_init(after, &def, &call->why);
}

int sandbell_body_set_material(sandbell_scene *scene, sandbell_body body,
                               const sandbell_material *given, int64_t frame,
                               sandbell_error *err) {
    sb_material material;
    sb_plan *before = NULL;
    sb_planned after = {0};
    library_call call = library_enter(scene);
    sb_status status = read_material(given, &material, &call.why);
    if (!status)
        status = plan_material(&call, body, &material, &before, &after);
    bool is_planned = !status;
    sb_error why = call.why;
    (void)library_leave(&call, SB_OK, NULL);
    call = library_enter(NULL);
    if (!status) status = solve(scene, &after, sb_plan_at(before, 0), &why);
    (void)library_leave(&call, SB_OK, NULL);
    call = library_enter(scene);
    call.why = why;
    sb_change what;
    if (!status) status = check_body(scene, body, &call.why);
    if (!status)
        status =
            sb_scene_change(sb_host_scene(scene->host), &after,
                            library_time_s(scene, frame), &what, &call.why);
    library_refresh_dry(scene);
    if (is_planned) sb_planned_free(&after);
    sb_plan_destroy(before);
    return library_leave(&call, status, err);
}

/* --- the listener ---------------------------------------------------------------------- */

int sandbell_set_listener(sandbell_scene *scene, const sandbell_listener *given,
                          int64_t frame, sandbell_error *err) {
    library_call call = library_enter(scene);
    sandbell_listener def;
    sb_status status =
        library_read(SANDBELL_LISTENER, given, &def, sizeof def, &call.why);
    if (!status) {
        sb_scene *own = sb_host_scene(scene->host);
        sb_listener listener = sb_scene_listener(own);
        listener.position = vec3_in(def.position);
        listener.facing = vec3_in(def.facing);
        listener.velocity = vec3_in(def.velocity);
        listener.gain = def.gain;
        listener.is_exposed = false;
        listener.ears = (sb_ears_kind)def.ears;
        listener.spacing_m = def.spacing_m;
        status = sb_listener_check(&listener, &call.why);
        if (!status)
            status = sb_scene_set_listener(
                own, &listener, library_time_s(scene, frame), &call.why);
    }
    return library_leave(&call, status, err);
}

/* --- dry bodies -------------------------------------------------------------------------- */

static uint64_t voice_key(sb_voice_id voice) {
    return ((uint64_t)voice.generation << 32) | voice.index;
}

void library_refresh_dry(sandbell_scene *scene) {
    const sb_scene *own = sb_host_scene(scene->host);
    for (int i = 0; i < atomic_load(&scene->dry_count); i++) {
        dry_body *dry = &scene->dry[i];
        sb_voice_id voice = {0, 0};
        if (sb_scene_has(own, dry->body))
            voice = sb_scene_voice(own, dry->body);
        atomic_store(&dry->voice, voice_key(voice));
    }
}

int sandbell_choose_dry(sandbell_scene *scene, const sandbell_body *bodies,
                        int count, sandbell_error *err) {
    library_call call = library_enter(scene);
    sb_status status = SB_OK;
    if (count < 0 || count > scene->def.dry_most) {
        status = sb_fail(&call.why, SB_BAD_ARGUMENT,
                         "%d bodies: the scene has room for %d (dry_most of "
                         "its definition)",
                         count, (int)scene->def.dry_most);
    } else {
        for (int i = 0; i < count; i++)
            scene->dry[i].body = body_in(bodies[i]);
        int before = atomic_load(&scene->dry_count);
        for (int i = count; i < before; i++)
            atomic_store(&scene->dry[i].voice, 0);
        atomic_store(&scene->dry_count, count);
        library_refresh_dry(scene);
    }
    return library_leave(&call, status, err);
}

void sandbell_render_dry(sandbell_scene *scene, float *const *mono, int count,
                         float *stereo, int frames) {
    sb_voice_id voices[256];
    int known = atomic_load(&scene->dry_count);
    for (int i = 0; i < count; i++) {
        uint64_t key = i < known ? atomic_load(&scene->dry[i].voice) : 0;
        if (i < 256)
            voices[i] = (sb_voice_id){(uint32_t)key, (uint32_t)(key >> 32)};
        else
            memset(mono[i], 0, (size_t)frames * sizeof *mono[i]);
    }
    sb_engine_pull_bodies(scene->steps.def.engine, voices, mono,
                          count < 256 ? count : 256, stereo, frames);
    library_count_underrun(scene);
}
