/* SPDX-License-Identifier: MIT */
/* Prepares places on bodies for hits from the audio thread. Control thread. */
#include "runtime/scene/contact/pad.h"

#include "runtime/base/memory.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/pad_law.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <stdio.h>

typedef struct scene_pad {
    sb_pad_id id; /* null: not in use */
    sb_body_id body;
    sb_place place; /* local */
    sb_strike_def def;
    sb_event event; /* hidden: what is told of its hits */
} scene_pad;

/* --- the law --------------------------------------------------------------- */

static double row_of(const pad_law *law, const sb_planned *planned,
                     const double *weights, double duration_s) {
    if (!law->presses)
        return scene_modes_yield(planned, weights, 0, true, duration_s);
    double mass_kg = 1.0 / (1.0 / law->hertz.mass_kg + law->inverse_mass);
    int first = sb_planned_mode_count(planned);
    return sb_strike_noise_loss(mass_kg * scene_modes_yield(planned, weights,
                                                            first, false,
                                                            duration_s));
}

/* The shortest and the longest contact. */
static void find_durations(const pad_law *law, double *least, double *most) {
    enum { TRIES = 64 };
    double ratio = PAD_FASTEST_M_S / PAD_SLOWEST_M_S;
    *least = *most = pad_law_duration(law, PAD_FASTEST_M_S);
    for (int i = 0; i < TRIES - 1; i++) {
        double speed = PAD_SLOWEST_M_S * pow(ratio, i / (TRIES - 1.0));
        double duration_s = pad_law_duration(law, speed);
        *least = fmin(*least, duration_s);
        *most = fmax(*most, duration_s);
    }
}

static void fill_rows(pad_law *law, const sb_planned *planned,
                      const double *weights) {
    bool has_noise =
        sb_planned_mode_count(planned) < sb_model_mode_count(planned->model);
    double least, most;
    if (law->presses && !has_noise) return;
    find_durations(law, &least, &most);
    law->row_count = 1;
    law->rows[0] = row_of(law, planned, weights, most);
    /* Equal but for rounding. */
    if (!(least > 0.0 && most > (1.0 + 1e-12) * least)) return;
    law->row_count = PAD_ROWS;
    law->first_log_s = log(least);
    law->step_log_s = log(most / least) / (PAD_ROWS - 1);
    for (int i = 0; i < PAD_ROWS; i++)
        law->rows[i] = row_of(law, planned, weights,
                              exp(law->first_log_s + i * law->step_log_s));
}

static pad_law law_of(const scene_pad *pad, const impact_side *side) {
    const sb_body_def *body = &side->body->declared.def;
    pad_law law = {.def = pad->def,
                   .inverse_mass = side->inverse_mass,
                   .hardness_n_m = scene_hardness(body)};
    law.def.name = law.def.by = NULL;
    law.def.speed_m_s = law.def.impulse_ns = 0.0;
    if (!(law.def.striker.mass_kg > 0.0) && !(law.def.striker.radius_m > 0.0))
        law.def.striker.mass_kg = scene_striker_mass_kg(side);
    law.def.model = sb_strike_model(&law.def);
    law.presses = sb_impact_model_is_nonlinear(law.def.model);
    law.hertz = sb_indenter_hertz(&law.def.striker, scene_material(body));
    return law;
}

/* --- reports --------------------------------------------------------------- */

const sb_event *scene_find_pad(const sb_scene *scene, uint32_t label) {
    for (int i = 0; i < scene->pads.count; i++) {
        const scene_pad *pad = &scene->pads.pads[i];
        if (pad->id.generation != 0 && pad->event.number == label)
            return &pad->event;
    }
    return NULL;
}

static void describe(const sb_scene *scene, scene_pad *pad,
                     const impact_side *side, sb_impact_model model) {
    sb_event *event = &pad->event;
    event->stage = SB_EVENT_HIDDEN;
    event->model = model;
    event->body[0] = pad->body;
    event->spot = scene_spot(side->body, side->point);
    scene_event_name(scene, event);
    const sb_strike_def *def = &pad->def;
    if (def->name)
        (void)snprintf(event->name[1], SB_NAME_SIZE, "%s", def->name);
    if (def->by) (void)snprintf(event->by, SB_NAME_SIZE, "%s", def->by);
}

/* --- life ------------------------------------------------------------------ */

/* Prepare it, again if it has an id. */
static sb_status prepare(sb_scene *scene, scene_pad *pad, sb_error *err) {
    scene_body *body = scene_body_of(scene, pad->body);
    impact_side side = scene_impact_side(body, &pad->place);
    side.inverse_mass = scene_impact_inverse_mass(&side);
    sb_planned_weights(&body->declared, side.point,
                       side.has_direction ? &side.direction : NULL,
                       scene->weights);
    pad_law law = law_of(pad, &side);
    fill_rows(&law, &body->declared, scene->weights);
    bool is_kmethod = law.def.model == SB_IMPACT_MODEL_KMETHOD ||
                      law.def.model == SB_IMPACT_MODEL_TRAPEZOID;
    sb_striker striker = {
        .is_kmethod = is_kmethod,
        .is_coarse = law.def.model == SB_IMPACT_MODEL_TRAPEZOID,
        .is_one_blow = true,
        .mass_kg = law.hertz.mass_kg,
        .inverse_mass = side.inverse_mass,
        .gravity_m_s2 = pad->def.has_gravity ? pad->def.gravity_m_s2 : 0.0,
        .limit_s = SCENE_BOUNCING_S,
    };
    sb_pad_def def = {.voice = body->voice,
                      .weights = scene->weights,
                      .striker = law.presses ? &striker : NULL,
                      .label = scene_event_label(scene, &pad->event),
                      .law = pad_law_blow,
                      .law_data = &law,
                      .law_bytes = sizeof law};
    describe(scene, pad, &side, law.def.model);
    return sb_engine_prepare_pad(scene->engine, &def, &pad->id, err);
}

static sb_status check(const sb_scene *scene, sb_body_id id,
                       const sb_strike_def *def, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_modal(scene, id, "a pad", err);
    if (status) return status;
    const sb_planned *body = &scene_body_of(scene, id)->declared;
    if (!sb_planned_rings(body))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' does not ring: it has no places to prepare",
                       body->name);
    if (!def->bounces && !def->grazes && !(def->scatter.per_m_s > 0.0))
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s': a prepared place takes single blows, without "
                   "%s",
                   body->name,
                   def->bounces  ? "bounces"
                   : def->grazes ? "graze"
                                 : "scatter");
}

/* Keep what was prepared; its place is that of its id. */
static sb_status keep(sb_scene *scene, const scene_pad *pad, sb_error *err) {
    int need = (int)pad->id.index + 1;
    if (!sb_grow_list(scene->pads.pads, scene->pads.capacity, need)) {
        sb_engine_release_pad(scene->engine, pad->id);
        return sb_no_memory_for(err, "a prepared place");
    }
    while (scene->pads.count < need)
        scene->pads.pads[scene->pads.count++] = (scene_pad){0};
    scene->pads.pads[pad->id.index] = *pad;
    return SB_OK;
}

sb_status sb_scene_prepare_pad(sb_scene *scene, sb_body_id id,
                               const sb_place *place, const sb_strike_def *def,
                               sb_pad_id *out, sb_error *err) {
    sb_status status = check(scene, id, def, err);
    if (status) return status;
    scene_pad pad = {.body = id,
                     .place = scene_to_local(scene_body_of(scene, id), place),
                     .def = *def,
                     .event.number = SCENE_PAD_LABEL | ++scene->pads.number};
    status = prepare(scene, &pad, err);
    pad.def.name = pad.def.by = NULL; /* the caller's */
    if (!status) status = keep(scene, &pad, err);
    if (!status) *out = pad.id;
    return status;
}

void sb_scene_release_pad(sb_scene *scene, sb_pad_id id) {
    if (!sb_engine_has_pad(scene->engine, id)) return;
    sb_engine_release_pad(scene->engine, id);
    scene->pads.pads[id.index] = (scene_pad){0};
}

static bool is_on(const scene_pad *pad, sb_body_id body) {
    return pad->id.generation != 0 && pad->body.index == body.index &&
           pad->body.generation == body.generation;
}

void scene_renew_pads(sb_scene *scene, sb_body_id body) {
    for (int i = 0; i < scene->pads.count; i++) {
        scene_pad *pad = &scene->pads.pads[i];
        if (!is_on(pad, body)) continue;
        sb_status status = check(scene, body, &pad->def, NULL);
        if (!status) status = prepare(scene, pad, NULL);
        if (status) sb_scene_release_pad(scene, pad->id);
    }
}

void scene_drop_pads(sb_scene *scene, sb_body_id body) {
    for (int i = 0; i < scene->pads.count; i++)
        if (is_on(&scene->pads.pads[i], body))
            sb_scene_release_pad(scene, scene->pads.pads[i].id);
}

void scene_free_pads(sb_scene *scene) {
    for (int i = 0; i < scene->pads.count; i++)
        sb_engine_release_pad(scene->engine, scene->pads.pads[i].id);
    sb_free(scene->pads.pads);
}
