/* The scene's strikes: what a blow is to the body that is struck, at its place,
 * and to the one it is struck with. */
#include "runtime/scene/scene.h"

#include "runtime/scene/contact/weigh.h"
#include "runtime/scene/diffuse_part.h"
#include "runtime/scene/scene_internal.h"

#include <math.h>
#include <stdio.h>

#define TWO_PI 6.283185307179586

/* Of the world, downwards. */
#define GRAVITY_M_S2 9.81

/* A striker that will not stop bouncing is let go of. */
#define BOUNCING_S 10.0

sb_model_point scene_spot(const scene_body *body, const sb_place *place) {
    const sb_model *model = body->declared.model;
    if (!place->has_point) return sb_model_point_at(model, place->u, place->v);
    return sb_model_nearest(model, scene_to_local(body, place).point);
}

sb_place scene_to_local(const scene_body *body, const sb_place *place) {
    sb_place local = *place;
    if (place->is_local) return local;
    local.point = sb_pose_to_local(&body->pose, place->point);
    local.direction = sb_quat_turn_back(body->pose.rotation, place->direction);
    local.is_local = true;
    return local;
}

sb_place scene_to_world(const scene_body *body, const sb_place *place) {
    sb_place world = *place;
    if (!place->is_local) return world;
    world.point = sb_pose_to_world(&body->pose, place->point);
    world.direction = sb_quat_turn(body->pose.rotation, place->direction);
    world.is_local = false;
    return world;
}

/* In the body's own axes. */
static void weigh_planned(const scene_body *body, const sb_planned *planned,
                          const sb_place *place, double *weights) {
    sb_place local = scene_to_local(body, place);
    sb_planned_weights(planned, scene_spot(body, &local),
                       local.has_direction ? &local.direction : NULL, weights);
}

void sb_scene_weights(const sb_scene *scene, sb_body_id id,
                      const sb_place *place, double *weights) {
    const scene_body *body = scene_body_of(scene, id);
    weigh_planned(body, &body->declared, place, weights);
}

void scene_weights(const scene_body *body, const sb_place *place, double sign,
                   double *weights) {
    weigh_planned(body, &body->declared, place, weights);
    for (int k = 0; k < sb_model_mode_count(body->declared.model); k++)
        weights[k] *= sign;
}

void scene_weights_between(const sb_scene *scene, const scene_body *body,
                           const sb_place *place, double sign, double share,
                           double *weights) {
    scene_weights(body, place, sign, weights);
    if (!body->faded || share <= 0.0) return;
    double *old = scene->weights + scene->weights_capacity;
    weigh_planned(body, body->faded, place, old);
    for (int k = 0; k < sb_model_mode_count(body->declared.model); k++)
        weights[k] += share * (sign * old[k] - weights[k]);
}

/* --- what bodies are to a blow -------------------------------------------------- */

/* Contact springs of bodies of no stated material: the stiffest there is for a
 * rigid one or a floor, something like hard wood for modes given by hand. */
#define RIGID_HARDNESS 1e12
#define GIVEN_HARDNESS 1e8

static bool is_unyielding(const sb_body_def *def) {
    return def->shape.kind == SB_SHAPE_RIGID ||
           def->shape.kind == SB_SHAPE_FLOOR;
}

static double hardness_of(const sb_body_def *def) {
    if (def->has_material) return def->material.hardness;
    return is_unyielding(def) ? RIGID_HARDNESS : GIVEN_HARDNESS;
}

const sb_material *scene_material(const sb_body_def *def) {
    /* Modes given by hand say nothing of a surface; take hard wood. */
    if (def->has_material) return &def->material;
    return is_unyielding(def) ? NULL : sb_material_find("oak");
}

/* A floor, or a rigid body of no size, is an ideal half-space: it stays where
 * it is. */
static bool is_half_space(const sb_body_def *def) {
    return is_unyielding(def) && def->shape.radius <= 0.0;
}

/* A body at the place where it is touched. */
typedef struct side {
    scene_body *body;
    const sb_body_def *def;
    const sb_model *model;
    sb_model_point spot;
    sb_vec3 way; /* of the push, when has_way; else into the surface; in the
                    body's own axes */
    bool has_way, rings;
    double inverse_mass;
} side;

static const sb_vec3 *way_of(const side *s) {
    return s->has_way ? &s->way : NULL;
}

static side side_of(scene_body *body, const sb_place *place) {
    sb_place local = scene_to_local(body, place);
    side s = {.body = body,
              .def = &body->declared.def,
              .model = body->declared.model,
              .spot = scene_spot(body, &local),
              .way = local.direction,
              .has_way = local.has_direction,
              .rings = sb_planned_rings(&body->declared)};
    s.inverse_mass = sb_model_inverse_mass(s.model, s.spot, way_of(&s));
    return s;
}

/* --- the meeting ---------------------------------------------------------------- */

/* A body that is struck, and perhaps another that it is struck with. */
typedef struct meeting {
    side at, with;
    bool has_with;
    sb_graze_split split; /* of a blow of 1 m/s */
    scene_pair pair;
    uint32_t label;
    bool is_watched;
} meeting;

static void weigh(const sb_scene *scene, const side *s) {
    sb_planned_weights(&s->body->declared, s->spot, way_of(s), scene->weights);
}

/* The striker's own weights, toward the body that it strikes: against the way
 * in which the contact pushes it. */
static const double *weigh_striker(const sb_scene *scene, const side *with) {
    double *weights = scene->weights + scene->weights_capacity;
    sb_planned_weights(&with->body->declared, with->spot, way_of(with),
                       weights);
    for (int k = 0; k < sb_model_mode_count(with->model); k++)
        weights[k] = -weights[k];
    return weights;
}

/* How much the modes of one side give way to a blow. */
static double modes_yield(const sb_scene *scene, const side *s,
                          double duration_s) {
    const sb_mode *modes = sb_model_modes(s->model);
    double sum = 0.0;
    weigh(scene, s);
    for (int k = 0; k < sb_model_mode_count(s->model); k++) {
        sum += sb_blow_mode_yield(duration_s, scene->weights[k],
                                  TWO_PI * modes[k].freq_hz);
    }
    return sum;
}

static sb_blow_result yield(const sb_scene *scene, const meeting *m,
                            const sb_blow *blow, sb_blow_result result) {
    double modes = 0.0;
    if (m->at.rings) modes += modes_yield(scene, &m->at, result.duration_s);
    if (m->has_with && m->with.rings)
        modes += modes_yield(scene, &m->with, result.duration_s);
    return sb_blow_yield(blow, result, m->at.inverse_mass, modes);
}

/* How much of the world's gravity pulls along the blow. */
static double gravity_along(const side *at, const sb_blow *blow) {
    if (blow->has_gravity) return blow->gravity_m_s2;
    sb_vec3 way = at->has_way
                      ? at->way
                      : sb_vec3_scale(sb_model_normal(at->model, at->spot), -1);
    double length = sb_vec3_length(way);
    way = sb_quat_turn(at->body->pose.rotation, way);
    return length > 0.0 ? -GRAVITY_M_S2 * way.y / length : 0.0;
}

/* What is known of a force beforehand. */
static sb_impact_record foretell(const sb_blow_result *r, double inverse_mass) {
    sb_impact_record told = {.duration_s = r->duration_s,
                             .impulse_ns = r->impulse_ns,
                             .peak_force_n = r->peak_force_n,
                             .speed_in_m_s = r->speed_m_s,
                             .restitution = -1.0};
    if (r->speed_m_s > 0.0) {
        told.speed_out_m_s =
            r->impulse_ns * (1.0 / r->mass_kg + inverse_mass) - r->speed_m_s;
        told.restitution = told.speed_out_m_s / r->speed_m_s;
    }
    return told;
}

static sb_status play(sb_scene *scene, const side *s, sb_strike_def *def,
                      double time_s, sb_error *err) {
    weigh(scene, s);
    def->weights = scene->weights;
    return sb_engine_strike(scene->engine, s->body->voice,
                            scene_frames(scene, time_s), def, err);
}

/* The same impulse for both, the one against the other; told of once. */
static sb_status push(sb_scene *scene, const meeting *m, const sb_blow *blow,
                      double time_s, sb_blow_result *out, sb_error *err) {
    *out = sb_blow_strike(blow, m->at.inverse_mass, hardness_of(m->at.def));
    *out = yield(scene, m, blow, *out);
    sb_strike_def def = {.impulse_ns = out->impulse_ns,
                         .duration_s = out->duration_s,
                         .told = foretell(out, m->at.inverse_mass)};
    sb_status status = SB_OK;
    if (m->has_with && m->with.rings)
        status = play(scene, &m->with, &def, time_s, err);
    if (status) return status;
    def.told.label = m->label;
    def.is_watched = m->is_watched;
    if (m->at.rings) return play(scene, &m->at, &def, time_s, err);
    if (m->is_watched)
        status = scene_trace_blow(scene, scene_frames(scene, time_s),
                                  def.impulse_ns, def.duration_s, err);
    if (status || m->label == 0) return status;
    return scene_note(scene, def.told, scene_frames(scene, time_s), err);
}

/* However much it loses, it comes off again. */
#define LEAST_KEPT 0.05

/* Modes that are heard as noise are not there to be pushed, but what they would
 * have taken from the striker in its first contact is lost all the same. They
 * are so many that they resist as a dashpot does: of its speed it keeps
 * (1 - m Y) / (1 + m Y), Y being the sum of what they yield. */
static void lose_to_noise(const sb_scene *scene, const side *at,
                          const sb_blow_result *result, sb_hertz *hertz) {
    const sb_mode *modes = sb_model_modes(at->model);
    double yields = 0.0, mass = 1.0 / (1.0 / hertz->mass_kg + at->inverse_mass);
    for (int k = sb_planned_mode_count(&at->body->declared);
         k < sb_model_mode_count(at->model); k++) {
        yields += sb_blow_mode_yield(result->duration_s, scene->weights[k],
                                     TWO_PI * modes[k].freq_hz);
    }
    if (!(yields > 0.0) || result->speed_m_s <= 0.0) return;
    double kept =
        fmax((1.0 - mass * yields) / (1.0 + mass * yields), LEAST_KEPT);
    double low = 0.0, high = 1e3;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (sb_blow_restitution(middle) > kept) {
            low = middle;
        } else {
            high = middle;
        }
    }
    hertz->law.lambda += low * hertz->law.stiffness / result->speed_m_s;
}

/* A nonlinear contact plays on both, or on the one that rings: which of the two
 * flies and which is struck does not matter to it then, only what gives way in
 * all. */
static sb_status press(sb_scene *scene, const meeting *m, const sb_blow *blow,
                       double time_s, sb_blow_result *out, sb_error *err) {
    sb_hertz hertz = sb_blow_hertz(blow, scene_material(m->at.def));
    sb_blow_harden(blow, m->at.inverse_mass, &hertz);
    *out = sb_blow_press(blow, &hertz, m->at.inverse_mass);
    *out = yield(scene, m, blow, *out);
    if (out->speed_m_s <= 0.0) return SB_OK;
    if (m->at.rings) lose_to_noise(scene, &m->at, out, &hertz);
    sb_striker striker = {
        .law = hertz.law,
        .is_kmethod = blow->model == SB_CONTACT_KMETHOD,
        .mass_kg = hertz.mass_kg,
        .inverse_mass = m->at.inverse_mass,
        .speed_m_s = out->speed_m_s,
        .gravity_m_s2 = gravity_along(&m->at, blow),
        .limit_s = BOUNCING_S,
        .label = m->label,
    };
    sb_strike_def def = {.striker = &striker,
                         .told.label = m->label,
                         .is_watched = m->is_watched};
    bool both_ring = m->has_with && m->at.rings && m->with.rings;
    if (both_ring) {
        def.second = m->with.body->voice;
        def.second_weights = weigh_striker(scene, &m->with);
    }
    if (m->at.rings) return play(scene, &m->at, &def, time_s, err);
    if (m->has_with && m->with.rings)
        return play(scene, &m->with, &def, time_s, err);
    if (m->label == 0 && !m->is_watched) return SB_OK;
    return scene_play_on_wall(scene, striker, scene_frames(scene, time_s),
                              m->is_watched, err);
}

static sb_status strike_once(sb_scene *scene, const meeting *m,
                             const sb_blow *blow, double time_s,
                             sb_blow_result *out, sb_error *err) {
    return sb_contact_is_nonlinear(blow->model)
               ? press(scene, m, blow, time_s, out, err)
               : push(scene, m, blow, time_s, out, err);
}

/* The micro-hits that follow: each a smaller blow of its own, which nothing
 * brings back. */
static sb_status scatter(sb_scene *scene, meeting *m, const sb_blow *blow,
                         const sb_blow_result *first, double time_s,
                         sb_error *err) {
    sb_scatter_hit hits[SB_SCATTER_HITS];
    int count = sb_scatter_draw(&blow->scatter, first->strength_m_s,
                                &m->at.body->random, hits);
    sb_blow small = *blow;
    small.curve.count = 0;
    small.limit_ns = 0.0;
    small.has_gravity = true;
    small.gravity_m_s2 = 0.0;
    m->pair.kind = SB_IMPACT_SCATTER;
    m->is_watched = false;
    sb_status status = SB_OK;
    if (count > 0) status = scene_label(scene, &m->pair, &m->label, err);
    for (int i = 0; i < count && !status; i++) {
        sb_blow_result unused;
        if (blow->impulse_ns > 0.0) {
            small.impulse_ns = hits[i].share * first->impulse_ns;
        } else {
            small.speed_m_s = hits[i].share * first->speed_m_s;
        }
        status = strike_once(scene, m, &small, time_s + hits[i].after_s,
                             &unused, err);
    }
    return status;
}

static void turn_straight(side *s) {
    s->has_way = false;
    s->inverse_mass = sb_model_inverse_mass(s->model, s->spot, NULL);
}

/* A blow at an angle that grazes: what strikes goes straight into the surface,
 * and what runs along it is left over. */
static void aim(meeting *m, const sb_blow *blow) {
    m->split = (sb_graze_split){.into_m_s = 1.0, .into_share = 1.0};
    if (!blow->grazes || !m->at.has_way) return;
    m->split = sb_graze_split_of(sb_model_normal(m->at.model, m->at.spot),
                                 m->at.way, 1.0);
    turn_straight(&m->at);
    if (m->has_with) turn_straight(&m->with);
}

/* What goes on along the surface, once the impact is known. */
static sb_graze graze_of(const meeting *m, const sb_blow *blow,
                         const sb_blow_result *r) {
    double yields = 1.0 / r->mass_kg + m->at.inverse_mass;
    double speed = blow->impulse_ns > 0.0 ? 0.5 * blow->impulse_ns * yields
                                          : blow->speed_m_s;
    sb_graze_split split = m->split;
    split.along_m_s *= speed;
    return sb_graze_of(&blow->graze, &split, r->impulse_ns,
                       r->mass_kg * gravity_along(&m->at, blow));
}

static sb_status meet(sb_scene *scene, meeting *m, const sb_blow *blow,
                      double time_s, sb_blow_result *out, sb_error *err) {
    if (sb_contact_is_nonlinear(blow->model) && is_half_space(m->at.def))
        m->at.inverse_mass = 0.0;
    m->pair.model = blow->model;
    (void)snprintf(m->pair.body, sizeof m->pair.body, "%s",
                   m->at.body->declared.name);
    (void)snprintf(m->pair.striker, sizeof m->pair.striker, "%s",
                   blow->name ? blow->name : "");
    m->is_watched = scene_begins(scene);
    sb_blow into = *blow;
    into.speed_m_s *= m->split.into_m_s;
    into.impulse_ns *= m->split.into_m_s;
    sb_status status = scene_label(scene, &m->pair, &m->label, err);
    sb_blow_result result;
    if (!status) status = strike_once(scene, m, &into, time_s, &result, err);
    if (status) return status;
    if (m->split.along_m_s > 0.0) result.graze = graze_of(m, blow, &result);
    *out = result;
    return scatter(scene, m, &into, &result, time_s, err);
}

sb_status sb_scene_strike(sb_scene *scene, sb_body_id id, const sb_place *place,
                          const sb_blow *blow, double time_s,
                          sb_blow_result *out, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (status) return status;
    meeting m = {.at = side_of(scene_body_of(scene, id), place)};
    aim(&m, blow);
    sb_blow clear = *blow;
    clear.model = sb_blow_model(blow);
    status = meet(scene, &m, &clear, time_s, out, err);
    if (status) return status;
    return scene_graze(scene, &clear, &out->graze, (sb_body_id[2]){id},
                       (sb_place[2]){*place}, time_s, err);
}

/* --- one body with another ------------------------------------------------------- */

static sb_status check_striker(const side *with, const sb_blow *blow,
                               sb_error *err) {
    const char *name = with->body->declared.name;
    if (with->def->role == SB_ROLE_RESONATOR) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' is a resonator and strikes nobody", name);
    }
    bool moves = with->inverse_mass > 0.0 && !is_half_space(with->def);
    if (!moves && blow->mass_kg <= 0.0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s' is held and does not move by itself; give "
                       "the mass it strikes with",
                       name);
    }
    return SB_OK;
}

/* The blow of a striker that is this body. */
static sb_blow blow_of(const sb_blow *blow, const side *with) {
    sb_blow full = *blow;
    full.model = sb_blow_model(blow);
    full.name = with->body->declared.name;
    if (full.mass_kg <= 0.0) full.mass_kg = 1.0 / with->inverse_mass;
    if (full.radius_m <= 0.0 && (with->def->shape.kind == SB_SHAPE_RIGID ||
                                 with->def->shape.kind == SB_SHAPE_SPHERE))
        full.radius_m = with->def->shape.radius;
    if (full.hardness_n_m <= 0.0) full.hardness_n_m = hardness_of(with->def);
    const sb_material *material = scene_material(with->def);
    full.has_material = material != NULL;
    if (material) full.material = *material;
    return full;
}

sb_status sb_scene_strike_with(sb_scene *scene, sb_body_id id,
                               const sb_place *place, sb_body_id striker,
                               const sb_place *striker_place,
                               const sb_blow *blow, double time_s,
                               sb_blow_result *out, sb_error *err) {
    sb_status status = scene_check_body(scene, id, err);
    if (!status) status = scene_check_body(scene, striker, err);
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
    meeting m = {.at = side_of(scene_body_of(scene, id), place),
                 .with = side_of(scene_body_of(scene, striker), &against),
                 .has_with = true};
    aim(&m, blow);
    status = check_striker(&m.with, blow, err);
    if (status) return status;
    sb_blow full = blow_of(blow, &m.with);
    status = meet(scene, &m, &full, time_s, out, err);
    if (status) return status;
    return scene_graze(scene, &full, &out->graze, (sb_body_id[2]){id, striker},
                       (sb_place[2]){*place, *striker_place}, time_s, err);
}
