/* Strikes of a script, with a mallet or with another body: turns a definition
 * and a place into impacts (impact.h), micro-impacts and a slide.
 * Control thread. */
#include "runtime/scene/contact/scene_strike.h"

#include "runtime/base/pi.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/plan/diffuse_part.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>
#include <stdio.h>

/* Of the world, downwards. */
#define GRAVITY_M_S2 9.81

typedef struct meeting {
    scene_impact impact;  /* side 0 is struck; side 1 strikes, or is empty */
    sb_graze_split split; /* of a strike of 1 m/s */
    scene_pair pair;
    sb_spot spot;
    double time_s;
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

/* --- a force that is known beforehand ------------------------------------ */

static sb_impact_record record_of(const sb_impact_estimate *e,
                                  double inverse_mass) {
    return sb_strike_record(e, inverse_mass);
}

static deform_strike deform_strike_of(const sb_scene *scene,
                                      const impact_side *at) {
    return (deform_strike){
        .body = scene_id_at(scene, (int)(at->body - scene->bodies)),
        .at_m = sb_model_position(at->body->declared.model, at->point),
        .direction = at->has_direction ? at->direction : (sb_vec3){0, 0, 0}};
}

/* On a deformable body; what is reported is the estimate. */
static sb_status strike_deform(sb_scene *scene, const meeting *m,
                               const deform_strike *strike,
                               const sb_impact_record *record, sb_error *err) {
    if (!scene->deform) return SB_OK; /* it is still and silent */
    sb_status status = scene_deform_strike(scene, strike, m->time_s, err);
    if (status || m->impact.label == 0) return status;
    sb_impact_record noted = *record;
    noted.label = m->impact.label;
    return scene_note(scene, noted, m->impact.frames, err);
}

static sb_status push(sb_scene *scene, const meeting *m,
                      const sb_strike_def *def, sb_impact_estimate *out,
                      sb_error *err) {
    const scene_impact *impact = &m->impact;
    const impact_side *at = &impact->side[0];
    *out = sb_strike_push(def, at->inverse_mass, scene_hardness(def_of(at)));
    *out = yield(m, def, *out);
    sb_impact_record record = record_of(out, at->inverse_mass);
    if (def_of(at)->is_deformable) {
        deform_strike known = deform_strike_of(scene, at);
        known.impulse_ns = out->impulse_ns;
        known.duration_s = out->duration_s;
        return strike_deform(scene, m, &known, &record, err);
    }
    sb_status status = scene_impact_push(scene, impact, out->impulse_ns,
                                         out->duration_s, &record, err);
    if (status || at->rings) return status;
    if (impact->is_watched)
        status = scene_trace_pulse(scene, impact->frames, out->impulse_ns,
                                   out->duration_s, err);
    if (status || impact->label == 0) return status;
    record.label = impact->label;
    return scene_note(scene, record, impact->frames, err);
}

/* --- a mass that presses ------------------------------------------------- */

/* Modes that are heard as noise (diffuse_part.h) are not in the bank, but they
 * take energy from the striker in its first contact all the same. */
static void lose_to_noise(const impact_side *side, const sb_impact_estimate *e,
                          sb_hertz *hertz) {
    const sb_model *model = side->body->declared.model;
    const sb_mode *modes = sb_model_modes(model);
    double yields = 0.0,
           mass = 1.0 / (1.0 / hertz->mass_kg + side->inverse_mass);
    int first = sb_planned_mode_count(&side->body->declared);
    if (first >= sb_model_mode_count(model)) return;
    for (int k = first; k < sb_model_mode_count(model); k++) {
        yields += sb_impact_mode_yield(e->duration_s, side->weights[k],
                                       SB_TAU * modes[k].freq_hz);
    }
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

/* The contact does not depend on which of the two moves, only on the sum of
 * their inverse masses. */
static sb_status press(sb_scene *scene, const meeting *m,
                       const sb_strike_def *def, sb_impact_estimate *out,
                       sb_error *err) {
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
    if (out->speed_m_s <= 0.0) return SB_OK;
    out->bounces = def->bounces && gravity > 0.0;
    if (def_of(at)->is_deformable) {
        sb_status status = check_law(at, &hertz.law, out->bounces, err);
        if (status) return status;
        deform_strike ball = deform_strike_of(scene, at);
        ball.mass_kg = hertz.mass_kg;
        ball.speed_m_s = out->speed_m_s;
        ball.stiffness = hertz.law.stiffness;
        sb_impact_record record = record_of(out, at->inverse_mass);
        return strike_deform(scene, m, &ball, &record, err);
    }
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
    m->time_s = time_s;
    return sb_impact_model_is_nonlinear(def->model)
               ? press(scene, m, def, out, err)
               : push(scene, m, def, out, err);
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
    m->pair.kind = SB_IMPACT_SCATTER;
    m->impact.is_watched = false;
    sb_status status = SB_OK;
    m->pair.bounces = false;
    if (count > 0)
        status = scene_label(scene, &m->pair, &m->spot, &m->impact.label, err);
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
    m->split = (sb_graze_split){.into_m_s = 1.0, .into_share = 1.0};
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

static sb_status meet(sb_scene *scene, meeting *m, const sb_strike_def *def,
                      double time_s, sb_impact_estimate *out, sb_error *err) {
    impact_side *at = &m->impact.side[0];
    if (sb_impact_model_is_nonlinear(def->model) &&
        scene_is_half_space(def_of(at)))
        at->inverse_mass = 0.0;
    m->pair.model = def->model;
    (void)snprintf(m->pair.body, sizeof m->pair.body, "%s",
                   at->body->declared.name);
    (void)snprintf(m->pair.striker, sizeof m->pair.striker, "%s",
                   def->name ? def->name : "");
    m->impact.is_watched = scene_begins(scene, at->body, "strike");
    scene_impact_weigh(scene, &m->impact);
    sb_strike_def into = *def;
    into.speed_m_s *= m->split.into_m_s;
    into.impulse_ns *= m->split.into_m_s;
    m->pair.bounces = def->bounces && sb_impact_model_is_nonlinear(def->model);
    m->spot = scene_spot(at->body, at->point);
    sb_status status =
        scene_label(scene, &m->pair, &m->spot, &m->impact.label, err);
    sb_impact_estimate estimate;
    if (!status) status = strike_once(scene, m, &into, time_s, &estimate, err);
    if (status) return status;
    scene_blow_add(scene, &m->impact, 0, &estimate, time_s);
    if (m->split.along_m_s > 0.0) estimate.graze = graze_of(m, def, &estimate);
    *out = estimate;
    return scatter(scene, m, &into, &estimate, time_s, err);
}

double scene_striker_mass_kg(const impact_side *at) {
    double mass_kg = sb_model_mass_kg(at->body->declared.model);
    if (!(mass_kg > 0.0)) return SB_STRIKER_MASS_KG;
    return fmin(SB_STRIKER_MASS_KG, SB_STRIKER_SHARE * mass_kg);
}

sb_status sb_scene_strike(sb_scene *scene, sb_body_id id, const sb_place *place,
                          const sb_strike_def *def, double time_s,
                          sb_impact_estimate *out, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
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
    scene_hit_add(scene, id, &m.impact, def->by, out, time_s);
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
    scene_hit_add(scene, id, &m.impact, def->by, out, time_s);
    return scene_graze(scene, &full, &out->graze, (sb_body_id[2]){id, striker},
                       (sb_place[2]){*place, *striker_place}, time_s, err);
}
