/* A simulation from the deformable bodies of a scene and what they may touch.
 * Control thread. */
#include "runtime/base/memory.h"
#include "runtime/deform/deform.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <string.h>

/* Bodies that hover are not pulled down. */
static sb_deform_body_def body_def(const scene_body *body) {
    const sb_body_def *def = &body->declared.def;
    sb_deform_body_def out = sb_deform_body_def_default();
    out.name = body->declared.name;
    out.shape = &def->shape;
    out.material = def->material;
    out.position_m = def->position;
    out.rotation = def->moves.rotation;
    out.velocity_m_s = def->moves.velocity;
    out.spin_rad_s = def->moves.spin;
    out.hovers = def->moves.motion == SB_MOTION_FIXED;
    return out;
}

static void list_bodies(const sb_scene *scene, scene_deform *deform,
                        sb_deform_body_def *defs) {
    for (int i = 0; i < scene->order_count; i++) {
        const scene_body *body = &scene->bodies[scene->order[i]];
        if (!body->declared.def.is_deformable ||
            deform->body_count == SB_DEFORM_BODIES)
            continue;
        defs[deform->body_count] = body_def(body);
        deform->bodies[deform->body_count++] = sb_scene_body_at(scene, i);
    }
}

static sb_status fill_colliders(const scene_deform *deform, sb_deform_def *def,
                                sb_deform_collider **out, sb_error *err) {
    *out = sb_alloc((size_t)deform->collider_count, sizeof **out);
    if (!*out)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    for (int i = 0; i < deform->collider_count; i++)
        (*out)[i] = deform->colliders[i].collider;
    def->collider_count = deform->collider_count;
    def->colliders = *out;
    return SB_OK;
}

static sb_status create(const sb_scene *scene, scene_deform *deform,
                        sb_deform_body_def *defs, sb_error *err) {
    sb_deform_def def = sb_deform_def_default();
    sb_deform_collider *colliders;
    sb_status status = fill_colliders(deform, &def, &colliders, err);
    if (status) return status;
    const sb_deform_ear ear = {scene->listener.position, {0, 0, 0}};
    def.body_count = deform->body_count;
    def.bodies = defs;
    def.bodies_touch = deform->body_count > 1;
    def.ear_count = 1;
    def.ears = &ear;
    def.is_source = true;
    def.gravity_m_s2 = scene->world_rules.gravity;
    def.air_density = scene->world_rules.air_kg_m3;
    def.speed_of_sound_m_s = sb_air_speed(&scene->listener.air);
    def.threads = deform->def.threads;
    def.memory_bytes = deform->def.memory_bytes;
    def.must_stop = deform->def.must_stop;
    status = sb_deform_create(&def, &deform->sim, err);
    sb_free(colliders);
    deform->ear = ear.position_m;
    return status;
}

/* The state at the beginning, whose first number is the fingerprint. */
static sb_status keep_begin(scene_deform *deform, sb_error *err) {
    size_t bytes = sb_deform_state_bytes(deform->sim);
    deform->begin_state = sb_alloc_aligned(bytes);
    if (!deform->begin_state)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    sb_deform_save(deform->sim, deform->begin_state);
    memcpy(&deform->sizes.fingerprint, deform->begin_state,
           sizeof deform->sizes.fingerprint);
    deform->sizes.bodies = deform->body_count;
    deform->sizes.colliders = deform->collider_count;
    deform->sizes.channels = sb_deform_channel_count(deform->sim);
    for (int i = 0; i < deform->body_count; i++) {
        deform->sizes.vertices += sb_deform_surface_nodes(deform->sim, i);
        deform->begins[i] = sb_deform_centre(deform->sim, i, NULL);
    }
    return SB_OK;
}

/* More than this makes a contact throw a body out. */
#define OVERLAP_M 1e-6

static sb_status check_overlap(const sb_scene *scene,
                               const scene_deform *deform, sb_error *err) {
    int body, collider;
    double depth = sb_deform_overlap(deform->sim, &body, &collider);
    if (!(depth > OVERLAP_M)) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "deformable body '%s' begins %.3g mm inside body '%s' (a "
                   "sheet has half its thickness on each side): move it out",
                   sb_scene_body_name(scene, deform->bodies[body]), 1e3 * depth,
                   sb_scene_body_name(scene, deform->colliders[collider].body));
}

sb_status scene_deform_make(sb_scene *scene, scene_deform *deform,
                            sb_error *err) {
    sb_deform_body_def defs[SB_DEFORM_BODIES];
    list_bodies(scene, deform, defs);
    sb_status status = create(scene, deform, defs, err);
    if (!status) status = check_overlap(scene, deform, err);
    if (!status) status = keep_begin(deform, err);
    if (!status) status = deform_tick_make(&deform->tick, &deform->sizes, err);
    if (!status) status = scene_deform_take_pose(deform, err);
    if (!status)
        status = deform_tick_make(&deform->ahead_tick, &deform->sizes, err);
    if (!status)
        status = resample_make(&deform->sound, deform->sizes.channels,
                               sb_engine_sample_rate(scene->engine), err);
    return status;
}
