/* SPDX-License-Identifier: MIT */
/* Strikes of a script, with a mallet or with another body: turns a definition
 * and a place into impacts (impact.h), micro-impacts and a slide.
 * Control thread. */
#include "runtime/scene/contact/scene_strike.h"

#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>
#include <stdio.h>

/* Of the world, downwards. */
#define GRAVITY_M_S2 9.81

typedef struct meeting {
    scene_impact impact;  /* side 0 is struck; side 1 strikes, or is empty */
    sb_graze_split split; /* of a strike of 1 m/s */
    sb_event event;       /* what is told of it */
} meeting;

static const sb_body_def *def_of(const impact_side *side) {
    return &side->body->declared.def;
}

static impact_side side_of(scene_body *body, const sb_place *place) {
    impact_side side = scene_impact_side(body, place);
    side.inverse_mass = scene_impact_inverse_mass(&side);
    return side;
}

static sb_impact_estimate yield(const meeting *m, const sb_strike_def *def,
                                sb_impact_estimate estimate) {
    double modes = scene_impact_modes_yield(&m->impact, estimate.duration_s);
    return sb_strike_yield(def, estimate, m->impact.side[0].inverse_mass,
                           modes);
}

/* The part of gravity along the strike. */
static double gravity_along(const impact_side *side, const sb_strike_def *def) {
    if (def->has_gravity) return def->gravity_m_s2;
    sb_vec3 into =
        side->has_direction
            ? side->direction
            : sb_vec3_scale(
                  sb_model_normal(side->body->declared.model, side->point), -1);
    double length = sb_vec3_length(into);
    into = sb_quat_turn(side->body->pose.rotation, into);
    return length > 0.0 ? -GRAVITY_M_S2 * into.y / length : 0.0;
}

/* Tell of a strike before it is played, and label what will be measured of it.
 * Micro-impacts share an event, of which only that is told. */
static void tell(sb_scene *scene, meeting *m, sb_event_stage stage,
                 const sb_impact_record *record) {
    if (m->event.kind != SB_EVENT_STRIKE) return;
    scene_event_fill(&m->event, record);
    m->event.stage = stage;
    m->event.number = scene_event_add(scene, &m->event)->number;
    m->impact.label = scene_event_label(scene, &m->event);
}

/* --- a force that is known beforehand ------------------------------------ */

static deform_strike deform_strike_of(const sb_scene *scene,
                                      const impact_side *at) {
    return (deform_strike){
        .body = scene_id_at(scene, (int)(at->body - scene->bodies)),
        .at_m = sb_model_position(at->body->declared.model, at->point),
        .direction = at->has_direction ? at->direction : (sb_vec3){0, 0, 0}};
}

static sb_status push(sb_scene *scene, meeting *m, const sb_strike_def *def,
                      sb_impact_estimate *out, sb_error *err) {
    const scene_impact *impact = &m->impact;
    const impact_side *at = &impact->side[0];
    *out = sb_strike_push(def, at->inverse_mass, scene_hardness(def_of(at)));
    *out = yield(m, def, *out);
    sb_impact_record record = sb_strike_record(out, at->inverse_mass);
    bool is_deformable = def_of(at)->is_deformable;
    bool is_measured = at->rings && !is_deformable;
    tell(scene, m, is_measured ? SB_EVENT_EXPECTED : SB_EVENT_WHOLE, &record);
    if (!is_measured && m->event.kind == SB_EVENT_SCATTER) {
        record.time_frames = impact->frames;
        record.label = impact->label;
        scene_event_measured(scene, &record);
    }
    if (is_deformable) {
        if (!scene->deform) return SB_OK; /* it is still and silent */
        deform_strike known = deform_strike_of(scene, at);
        known.impulse_ns = out->impulse_ns;
        known.duration_s = out->duration_s;
        return scene_deform_strike(scene, &known, m->event.time_s, err);
    }
    sb_status status = scene_impact_push(scene, impact, out->impulse_ns,
                                         out->duration_s, &record, err);
    if (status || at->rings || !impact->is_watched) return status;
    return scene_trace_pulse(scene, impact->frames, out->impulse_ns,
                             out->duration_s, err);
}

/* --- a mass that presses ------------------------------------------------- */

/* Modes that are heard as noise (diffuse_part.c) are not in the bank, but they
 * take energy from the striker in its first contact all the same. */
static void lose_to_noise(const impact_side *side, const sb_impact_estimate *e,
                          sb_hertz *hertz) {
    const sb_planned *planned = &side->body->declared;
    double mass = 1.0 / (1.0 / hertz->mass_kg + side->inverse_mass);
    double yields =
        scene_modes_yield(planned, side->weights,
                          sb_planned_mode_count(planned), false, e->duration_s);
    if (!(yields > 0.0) || e->speed_m_s <= 0.0) return;
    hertz->law.lambda += sb_strike_noise_loss(mass * yields) *
                         hertz->law.stiffness / e->speed_m_s;
}

/* Strikers of deformable bodies follow Hertz's law and are gone when they come
 * off. */
static sb_status check_law(const impact_side *at, const sb_contact_law *law,
                           bool bounces, sb_error *err) {
    const char *name = at->body->declared.name;
    if (bounces)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' is deformable: its strikers do not bounce; "
                       "let a free body fall on it",
                       name);
    if (law->exponent == 1.5 && law->lambda == 0.0) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s' is deformable: its strikers have exponent = 1.5 "
                   "and lambda = 0, got %g and %g",
                   name, law->exponent, law->lambda);
}

/* What comes of it is known when it is over (scene_report_deform). */
static sb_status press_deform(sb_scene *scene, meeting *m,
                              const sb_hertz *hertz,
                              const sb_impact_record *record, sb_error *err) {
    const impact_side *at = &m->impact.side[0];
    sb_status status = check_law(at, &hertz->law, m->event.comes_back, err);
    if (status) return status;
    /* Without it the body is still and silent: then this is all. */
    tell(scene, m, scene->deform ? SB_EVENT_HIDDEN : SB_EVENT_WHOLE, record);
    if (!scene->deform) return SB_OK;
    deform_strike ball = deform_strike_of(scene, at);
    ball.mass_kg = hertz->mass_kg;
    ball.speed_m_s = record->speed_in_m_s;
    ball.stiffness = hertz->law.stiffness;
    ball.inverse_mass = at->inverse_mass;
    ball.event = m->event.number;
    return scene_deform_strike(scene, &ball, m->event.time_s, err);
}

void scene_report_deform(sb_scene *scene) {
    deform_blow_done done;
    while (scene_deform_next_blow(scene, &done)) {
        sb_impact_record record = {
            .label = done.event,
            .time_frames = scene_frames(scene, done.time_s),
            .duration_s = done.contact_s,
            .impulse_ns = done.impulse_ns,
            .peak_force_n = done.peak_n,
            .speed_in_m_s = done.speed_in_m_s,
            .speed_out_m_s = done.speed_out_m_s,
            .restitution = done.speed_out_m_s / done.speed_in_m_s};
        scene_event_measured(scene, &record);
    }
}

/* The contact does not depend on which of the two moves, only on the sum of
 * their inverse masses. */
static sb_status press(sb_scene *scene, meeting *m, const sb_strike_def *def,
                       sb_impact_estimate *out, sb_error *err) {
    const scene_impact *impact = &m->impact;
    const impact_side *at = &impact->side[0];
    sb_hertz hertz =
        sb_indenter_hertz(&def->striker, scene_material(def_of(at)));
    sb_strike_harden(def, at->inverse_mass, &hertz);
    *out = sb_strike_press(def, &hertz, at->inverse_mass);
    *out = yield(m, def, *out);
    /* One blow is a mallet in a hand, which carries its weight. */
    double gravity =
        def->bounces || def->has_gravity ? gravity_along(at, def) : 0.0;
    sb_impact_record record = sb_strike_record(out, at->inverse_mass);
    out->bounces = out->speed_m_s > 0.0 && def->bounces && gravity > 0.0;
    m->event.comes_back = out->bounces;
    if (def_of(at)->is_deformable && out->speed_m_s > 0.0)
        return press_deform(scene, m, &hertz, &record, err);
    tell(scene, m, SB_EVENT_EXPECTED, &record);
    if (out->speed_m_s <= 0.0) return SB_OK;
    if (at->rings) lose_to_noise(at, out, &hertz);
    sb_striker striker = {
        .law = hertz.law,
        .is_kmethod = def->model == SB_IMPACT_MODEL_KMETHOD ||
                      def->model == SB_IMPACT_MODEL_TRAPEZOID,
        .is_coarse = def->model == SB_IMPACT_MODEL_TRAPEZOID,
        .is_one_blow = !def->bounces,
        .mass_kg = hertz.mass_kg,
        .inverse_mass = at->inverse_mass,
        .speed_m_s = out->speed_m_s,
        .gravity_m_s2 = gravity,
        .limit_s = SCENE_BOUNCING_S,
        .label = impact->label,
    };
    if (at->rings || impact->side[1].rings)
        return scene_impact_press(scene, impact, &striker, err);
    if (impact->label == 0 && !impact->is_watched) return SB_OK;
    return scene_play_on_wall(scene, striker, impact->frames,
                              impact->is_watched, err);
}

static sb_status strike_once(sb_scene *scene, meeting *m,
                             const sb_strike_def *def, double time_s,
                             sb_impact_estimate *out, sb_error *err) {
    m->impact.frames = scene_frames(scene, time_s);
    m->event.time_s = time_s;
    return sb_impact_model_is_nonlinear(def->model)
               ? press(scene, m, def, out, err)
               : push(scene, m, def, out, err);
}

/* --- the slide of a strike at an angle ------------------------------------ */

/* The contact law is that of the impact. A striker that slides is a needle,
 * however round it is: its edge scrapes, and the surface need not be rolled
 * over for each striker. */
static sb_lasting_setup setup_of(sb_scene *scene, const sb_strike_def *def,
                                 sb_body_id body, sb_body_id with) {
    scene_body *struck = scene_body_of(scene, body);
    sb_hertz hertz =
        sb_indenter_hertz(&def->striker, scene_material(&struck->declared.def));
    bool slides = def->graze.slide >= 1.0;
    sb_lasting_setup setup = {.kind =
                                  slides ? SB_CONTACT_SLIDE : SB_CONTACT_ROLL,
                              .body = body,
                              .with = with,
                              .thing = def->striker,
                              .level = def->graze.level,
                              .seed = sb_random_u32(&struck->random)};
    setup.thing.mass_kg = hertz.mass_kg;
    setup.thing.stiffness = hertz.law.stiffness;
    setup.thing.exponent = hertz.law.exponent;
    if (slides) setup.thing.radius_m = 0.0;
    return setup;
}

/* A striker that rolls has a speed along its own surface; slip reduces it. */
static sb_lasting_change change_of(const sb_graze *graze, const sb_place *place,
                                   const sb_place *with_place) {
    sb_lasting_change change = {
        .load = {graze->force_n,
                 {graze->contact_m_s, graze->contact_m_s - graze->slip_m_s},
                 graze->slip_m_s},
        .has_force = true,
        .has_speed = {true, true},
        .has_slip = true,
        .place = {*place, *with_place}};
    for (int i = 0; i < 2; i++)
        change.place[i].has_direction = false;
    return change;
}

sb_status scene_graze(sb_scene *scene, const sb_strike_def *def,
                      const sb_graze *graze, const sb_body_id body[2],
                      const sb_place place[2], double time_s, sb_error *err) {
    if (!(graze->time_s > 0.0)) return SB_OK;
    sb_lasting_setup setup = setup_of(scene, def, body[0], body[1]);
    sb_lasting_change change = change_of(graze, &place[0], &place[1]);
    sb_status status = SB_OK;
    if (graze->roughness_m > 0.0) {
        status = scene_rough(scene, graze->roughness_m, &setup.surface[0], err);
        if (status) return status;
    }
    /* For the three calls below, so that a contact that has begun can end. */
    status = sb_engine_reserve(scene->engine, 5, err);
    if (status) return status;
    sb_contact_id id;
    status = sb_scene_begin_contact(scene, &setup, &change, time_s, &id, err);
    if (status) return status;
    change = (sb_lasting_change){
        .has_speed = {true, true}, .has_slip = true, .ramp_s = graze->time_s};
    status = sb_scene_move_contact(scene, id, &change, time_s, err);
    double fade_s = status ? 0.0 : graze->time_s;
    sb_status ended = scene_end_contact(scene, id, time_s, fade_s,
                                        time_s + fade_s, status ? NULL : err);
    return status ? status : ended;
}

/* --- a strike, micro-impacts, slide -------------------------------------- */

/* Each micro-impact is a smaller strike that gravity does not bring back. */
static sb_status scatter(sb_scene *scene, meeting *m, const sb_strike_def *def,
                         const sb_impact_estimate *first, double time_s,
                         sb_error *err) {
    sb_micro_impact impacts[SB_SCATTER_IMPACTS];
    int count = sb_scatter_draw(&def->scatter, first->strength_m_s,
                                &m->impact.side[0].body->random, impacts);
    sb_strike_def small = *def;
    small.curve.count = 0;
    small.limit_ns = 0.0;
    small.has_gravity = true;
    small.gravity_m_s2 = 0.0;
    small.bounces = false;
    m->event.kind = SB_EVENT_SCATTER;
    m->event.stage = SB_EVENT_HIDDEN;
    m->event.bounces = m->event.comes_back = m->impact.is_watched = false;
    if (count > 0) {
        m->event.number = scene_event_add(scene, &m->event)->number;
        m->impact.label = scene_event_label(scene, &m->event);
    }
    sb_status status = SB_OK;
    for (int i = 0; i < count && !status; i++) {
        sb_impact_estimate unused;
        if (def->impulse_ns > 0.0) {
            small.impulse_ns = impacts[i].share * first->impulse_ns;
        } else {
            small.speed_m_s = impacts[i].share * first->speed_m_s;
        }
        status = strike_once(scene, m, &small, time_s + impacts[i].after_s,
                             &unused, err);
    }
    return status;
}

static void turn_straight(impact_side *side) {
    side->has_direction = false;
    side->inverse_mass = scene_impact_inverse_mass(side);
}

/* A strike at an angle that grazes: only its part into the surface strikes. */
static void aim(meeting *m, const sb_strike_def *def) {
    impact_side *side = m->impact.side;
    m->impact.first = 1;
    m->split = (sb_graze_split){.into_m_s = 1.0};
    if (!def->grazes || !side[0].has_direction) return;
    m->split = sb_graze_split_of(
        sb_model_normal(side[0].body->declared.model, side[0].point),
        side[0].direction, 1.0);
    turn_straight(&side[0]);
    if (side[1].body) turn_straight(&side[1]);
}

/* The slide along the surface, once the impact is known. */
static sb_graze graze_of(const meeting *m, const sb_strike_def *def,
                         const sb_impact_estimate *e) {
    const impact_side *at = &m->impact.side[0];
    double yields = 1.0 / e->mass_kg + at->inverse_mass;
    double speed =
        def->impulse_ns > 0.0 ? 0.5 * def->impulse_ns * yields : def->speed_m_s;
    sb_graze_split split = m->split;
    split.along_m_s *= speed;
    return sb_graze_of(&def->graze, &split, e->impulse_ns,
                       e->mass_kg * gravity_along(at, def));
}

static void describe(const sb_scene *scene, meeting *m,
                     const sb_strike_def *def) {
    const impact_side *side = m->impact.side;
    m->event = (sb_event){.kind = SB_EVENT_STRIKE,
                          .spot = scene_spot(side[0].body, side[0].point),
                          .model = def->model,
                          .bounces = def->bounces &&
                                     sb_impact_model_is_nonlinear(def->model)};
    for (int i = 0; i < 2; i++)
        if (side[i].body)
            m->event.body[i] =
                scene_id_at(scene, (int)(side[i].body - scene->bodies));
    scene_event_name(scene, &m->event);
    (void)snprintf(m->event.name[1], SB_NAME_SIZE, "%s",
                   def->name ? def->name : "");
    (void)snprintf(m->event.by, SB_NAME_SIZE, "%s", def->by ? def->by : "");
}

static sb_status meet(sb_scene *scene, meeting *m, const sb_strike_def *def,
                      double time_s, sb_impact_estimate *out, sb_error *err) {
    impact_side *at = &m->impact.side[0];
    if (sb_impact_model_is_nonlinear(def->model) &&
        scene_is_half_space(def_of(at)))
        at->inverse_mass = 0.0;
    describe(scene, m, def);
    m->impact.is_watched = scene_begins(scene, at->body, "strike");
    scene_impact_weigh(scene, &m->impact);
    sb_strike_def into = *def;
    into.speed_m_s *= m->split.into_m_s;
    into.impulse_ns *= m->split.into_m_s;
    sb_impact_estimate estimate;
    sb_status status = strike_once(scene, m, &into, time_s, &estimate, err);
    sb_event *told = scene_event_find(scene, m->event.number);
    if (status && told) told->stage = SB_EVENT_HIDDEN;
    if (status) return status;
    scene_blow_add(scene, &m->impact, 0, &estimate, time_s);
    if (m->split.along_m_s > 0.0) estimate.graze = graze_of(m, def, &estimate);
    if (told) told->slip_m_s = estimate.graze.slip_m_s;
    if (told && told->stage != SB_EVENT_HIDDEN)
        scene_hit_add(scene, told, &m->impact);
    *out = estimate;
    return scatter(scene, m, &into, &estimate, time_s, err);
}

double scene_striker_mass_kg(const impact_side *at) {
    double mass_kg = sb_model_mass_kg(at->body->declared.model);
    if (!(mass_kg > 0.0)) return SB_STRIKER_MASS_KG;
    return fmin(SB_STRIKER_MASS_KG, SB_STRIKER_SHARE * mass_kg);
}

static sb_status check_blow(const sb_strike_def *def, sb_error *err) {
    return def->speed_m_s > 0.0 && def->impulse_ns > 0.0
               ? sb_fail(err, SB_BAD_ARGUMENT,
                         "strike: give speed (m/s) or impulse (N s), one of "
                         "them")
               : SB_OK;
}

sb_status sb_scene_strike(sb_scene *scene, sb_body_id id, const sb_place *place,
                          const sb_strike_def *def, double time_s,
                          sb_impact_estimate *out, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = check_blow(def, err);
    if (status) return status;
    if (def->grazes) status = scene_check_modal(scene, id, "graze", err);
    if (status) return status;
    meeting m = {.impact = {.first = 0}};
    m.impact.side[0] = side_of(scene_body_of(scene, id), place);
    aim(&m, def);
    sb_strike_def full = *def;
    full.model = sb_strike_model(def);
    if (!(def->striker.mass_kg > 0.0) && !(def->striker.radius_m > 0.0))
        full.striker.mass_kg = scene_striker_mass_kg(&m.impact.side[0]);
    status = meet(scene, &m, &full, time_s, out, err);
    if (status) return status;
    return scene_graze(scene, &full, &out->graze, (sb_body_id[2]){id},
                       (sb_place[2]){*place}, time_s, err);
}

/* --- one body with another ----------------------------------------------- */

static sb_status check_striker(const impact_side *with,
                               const sb_strike_def *def, sb_error *err) {
    const char *name = with->body->declared.name;
    if (def_of(with)->role == SB_ROLE_RESONATOR) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' is a resonator and cannot strike", name);
    }
    bool moves = with->inverse_mass > 0.0 && !scene_is_half_space(def_of(with));
    if (!moves && def->striker.mass_kg <= 0.0) {
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "body '%s' cannot move as a whole; give the mass that it "
            "strikes with",
            name);
    }
    return SB_OK;
}

/* The definition with this body as the striker. */
static sb_strike_def fill_striker(const sb_strike_def *def,
                                  const impact_side *with) {
    sb_strike_def full = *def;
    sb_indenter *striker = &full.striker;
    const sb_body_def *body = def_of(with);
    full.model = sb_strike_model(def);
    full.name = with->body->declared.name;
    if (striker->mass_kg <= 0.0) striker->mass_kg = 1.0 / with->inverse_mass;
    if (striker->radius_m <= 0.0 && (body->shape.kind == SB_SHAPE_RIGID ||
                                     body->shape.kind == SB_SHAPE_SPHERE))
        striker->radius_m = body->shape.radius;
    if (striker->hardness_n_m <= 0.0)
        striker->hardness_n_m = scene_hardness(body);
    const sb_material *material = scene_material(body);
    striker->has_material = material != NULL;
    if (material) striker->material = *material;
    return full;
}

sb_status sb_scene_strike_with(sb_scene *scene, sb_body_id id,
                               const sb_place *place, sb_body_id striker,
                               const sb_place *striker_place,
                               const sb_strike_def *def, double time_s,
                               sb_impact_estimate *out, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_body(scene, striker, err);
    if (!status) status = scene_check_modal(scene, id, "`with`", err);
    if (!status) status = scene_check_modal(scene, striker, "`with`", err);
    if (!status) status = check_blow(def, err);
    if (status) return status;
    if (id.index == striker.index) {
        return sb_fail(err, SB_BAD_ARGUMENT, "body '%s' cannot strike itself",
                       sb_scene_body_name(scene, id));
    }
    sb_place against = *striker_place;
    if (place->has_direction) {
        sb_place world = scene_to_world(scene_body_of(scene, id), place);
        against = scene_to_world(scene_body_of(scene, striker), &against);
        against.has_direction = true;
        against.direction = sb_vec3_scale(world.direction, -1.0);
    }
    meeting m = {
        .impact.side = {side_of(scene_body_of(scene, id), place),
                        side_of(scene_body_of(scene, striker), &against)}};
    aim(&m, def);
    status = check_striker(&m.impact.side[1], def, err);
    if (status) return status;
    sb_strike_def full = fill_striker(def, &m.impact.side[1]);
    status = meet(scene, &m, &full, time_s, out, err);
    if (status) return status;
    return scene_graze(scene, &full, &out->graze, (sb_body_id[2]){id, striker},
                       (sb_place[2]){*place, *striker_place}, time_s, err);
}
