/* Ids, names and facts of a scene's bodies. Control thread. */
#include "runtime/base/pi.h"
#include "runtime/scene/state/body.h"

#include "runtime/base/memory.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/state/state.h"

#include <assert.h>

static const char *name_at(const void *owner, int place) {
    return ((const sb_scene *)owner)->bodies[place].declared.name;
}

int scene_find(const sb_scene *scene, const char *name) {
    return sb_names_find(&scene->names, name, name_at, scene);
}

sb_body_id scene_id_at(const sb_scene *scene, int place) {
    return (sb_body_id){(uint32_t)place, scene->bodies[place].generation};
}

sb_body_id sb_scene_find(const sb_scene *scene, const char *name) {
    int place = scene_find(scene, name);
    return place == SB_NO_NAME ? (sb_body_id){0, 0} : scene_id_at(scene, place);
}

bool sb_scene_has(const sb_scene *scene, sb_body_id id) {
    return (id.generation & 1) && id.index < (uint32_t)scene->body_count &&
           scene->bodies[id.index].generation == id.generation;
}

scene_body *scene_body_of(const sb_scene *scene, sb_body_id id) {
    assert(sb_scene_has(scene, id));
    return &scene->bodies[id.index];
}

sb_status scene_check_body(const sb_scene *scene, sb_body_id id,
                           sb_error *err) {
    if (sb_scene_has(scene, id)) return SB_OK;
    return sb_fail(err, SB_STALE_HANDLE, "this body has been removed");
}

sb_status scene_check_modal(const sb_scene *scene, sb_body_id id,
                            const char *what, sb_error *err) {
    const sb_planned *declared = &scene_body_of(scene, id)->declared;
    if (!declared->def.is_deformable) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s' is deformable, and %s needs a body of modes: "
                   "body:linear() makes one of the same shape",
                   declared->name, what);
}

int sb_scene_body_count(const sb_scene *scene) {
    return scene->order_count;
}

sb_body_id sb_scene_body_at(const sb_scene *scene, int i) {
    return scene_id_at(scene, scene->order[i]);
}

const char *sb_scene_body_name(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->declared.name;
}

const sb_model *sb_scene_body_model(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->declared.model;
}

const sb_planned *sb_scene_body_planned(const sb_scene *scene, sb_body_id id) {
    return &scene_body_of(scene, id)->declared;
}

double sb_scene_body_gain(const sb_scene *scene, sb_body_id id) {
    return scene_body_of(scene, id)->gain;
}

double scene_frames(const sb_scene *scene, double time_s) {
    return time_s * sb_engine_sample_rate(scene->engine);
}

sb_pose scene_declared_pose(const sb_planned *planned) {
    const sb_motion_part *moves = &planned->def.moves;
    return (sb_pose){planned->def.position, moves->rotation, moves->velocity,
                     moves->spin};
}

void scene_discretise(const sb_scene *scene, const sb_planned *planned,
                      sb_bank_mode *modes) {
    sb_discretisation how = planned->def.discretisation;
    double rate_hz = sb_engine_sample_rate(scene->engine);
    if (how == SB_DISCRETISE_EXACT) return;
    for (int k = 0; k < sb_model_mode_count(planned->model); k++) {
        sb_played_mode played = sb_discretise(how, modes[k].omega_rad_s,
                                              modes[k].sigma_per_s, rate_hz);
        /* The bank mutes what is above the Nyquist frequency. */
        modes[k].omega_rad_s =
            played.is_silent ? SB_TAU * rate_hz : played.omega_rad_s;
        if (!played.is_silent) modes[k].sigma_per_s = played.sigma_per_s;
    }
}

sb_bank_mode *scene_bank_modes(const sb_planned *planned) {
    int count = sb_model_mode_count(planned->model);
    const sb_mode *from = sb_model_modes(planned->model);
    int yields = sb_planned_yield_count(planned);
    sb_bank_mode *modes = sb_alloc((size_t)(count + yields), sizeof *modes);
    for (int i = 0; modes && i < yields; i++) {
        const sb_yield_mode *yield = &planned->noise->yields[i];
        modes[count + i] = (sb_bank_mode){SB_TAU * yield->freq_hz,
                                          yield->sigma_per_s, yield->radiation};
    }
    for (int k = 0; modes && k < count; k++) {
        modes[k] = (sb_bank_mode){SB_TAU * from[k].freq_hz, from[k].sigma_per_s,
                                  from[k].radiation};
        if (planned->kept && planned->kept[k]) modes[k].out_gain = 0.0;
    }
    return modes;
}
