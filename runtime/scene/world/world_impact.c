/* SPDX-License-Identifier: MIT */
/* Impacts of the rigid-body world, played on both bodies. Control thread.
 *
 * The world gives impulse and relative speed; the duration follows from Hertz'
 * contact of the two materials and of the curvatures at the contact point. The
 * same half-sine pushes both bodies in opposite directions, at its own time
 * between two frames.
 *
 * A body also yields by vibrating. Its material's restitution is what the
 * contact itself keeps; the rebound is less by what the modes take (strike.h,
 * sb_impact_rebound), which the rigid world asks for at each impact. So what
 * the modes get is counted once, and taken from the motion. A restitution that
 * a script gave to a body is its rebound, whatever the modes take, and so is
 * that of a body whose weights a script gave (sb.modes, textures). Of the
 * impulse J of two bodies with the reduced mass m, J / (1 + m Y) is then played,
 * where Y is the yield of the modes.
 */
#include "runtime/base/pi.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

/* The edge of a box is rounded by this share of its least side. */
#define EDGE_SHARE 0.1

/* Edge radius of a body of unknown size. */
#define DEFAULT_EDGE_M 1e-3

/* A nonlinear contact that has not separated by then is ended. */
#define LONGEST_S 0.02

/* --- curvature at the contact point -------------------------------------- */

static double least_of(double a, double b, double c) {
    return fmin(a, fmin(b, c));
}

static double size_m(const scene_body *body) {
    const sb_body_def *def = &body->declared.def;
    double mass_kg = sb_model_mass_kg(body->declared.model);
    double density = def->has_material ? def->material.density : 1000.0;
    double size = cbrt(mass_kg / density);
    return size > 0.0 && isfinite(size) ? size : DEFAULT_EDGE_M / EDGE_SHARE;
}

double scene_curvature_m(const sb_scene *scene, sb_body_id id, double *edge_m) {
    const scene_body *body = scene_side(scene, id);
    sb_collider c = body->collider;
    *edge_m = INFINITY;
    switch (c.kind) {
    case SB_COLLIDER_SPHERE:
    case SB_COLLIDER_CAPSULE:
        return c.radius;
    case SB_COLLIDER_RING:
        return c.wire_radius;
    case SB_COLLIDER_CYLINDER:
        *edge_m = EDGE_SHARE * fmin(c.radius, c.length);
        return c.length > c.radius ? c.radius : INFINITY;
    case SB_COLLIDER_BOX:
        *edge_m = EDGE_SHARE * least_of(c.width, c.height, c.depth);
        return INFINITY;
    case SB_COLLIDER_HULL:
    case SB_COLLIDER_MESH:
        *edge_m = EDGE_SHARE * size_m(body);
        return c.is_smooth ? 0.5 * size_m(body) : INFINITY;
    case SB_COLLIDER_AUTO:
    case SB_COLLIDER_NONE:
    case SB_COLLIDER_FLOOR:
    case SB_COLLIDER_KINDS:
        break;
    }
    return INFINITY;
}

/* Two flat bodies meet at an edge of the lighter one. */
static double radius_of(const sb_scene *scene, const sb_body_id body[2]) {
    double edge_m[2], round_m[2], mass_kg[2];
    for (int i = 0; i < 2; i++) {
        const scene_body *b = scene_side(scene, body[i]);
        round_m[i] = scene_curvature_m(scene, body[i], &edge_m[i]);
        mass_kg[i] = b->declared.def.moves.motion == SB_MOTION_FREE
                         ? sb_model_mass_kg(b->declared.model)
                         : INFINITY;
    }
    double curvature = 1.0 / round_m[0] + 1.0 / round_m[1];
    if (curvature > 0.0) return 1.0 / curvature;
    int lighter = mass_kg[1] < mass_kg[0] ||
                  (mass_kg[1] == mass_kg[0] && edge_m[1] < edge_m[0]);
    double edge = edge_m[lighter];
    return isfinite(edge) && edge > 0.0 ? edge : DEFAULT_EDGE_M;
}

sb_hertz scene_hertz(const sb_scene *scene, const sb_body_id body[2],
                     double mass_kg) {
    const sb_material *material[2];
    for (int i = 0; i < 2; i++)
        material[i] = scene_material(&scene_side(scene, body[i])->declared.def);
    /* One of them may be rigid. */
    int soft = material[0] ? 0 : 1;
    sb_indenter indenter = {.mass_kg = mass_kg,
                            .radius_m = radius_of(scene, body)};
    if (material[soft]) {
        indenter.material = *material[soft];
        indenter.has_material = true;
    }
    return sb_indenter_hertz(&indenter, material[1 - soft]);
}

/* --- playing it ---------------------------------------------------------- */

/* False when one of the bodies has left the scene. */
static bool find_sides(const sb_scene *scene, const uint32_t user[2],
                       sb_vec3 point, sb_vec3 normal, sb_body_id body[2],
                       scene_impact *impact) {
    for (int i = 0; i < 2; i++) {
        if (!scene_tracked_body(scene, user[i], &body[i])) return false;
        if (body[i].generation == 0) continue;
        scene_body *b = scene_body_of(scene, body[i]);
        sb_place place = {.point = point,
                          .has_point = true,
                          .direction =
                              sb_vec3_scale(normal, i == 0 ? 1.0 : -1.0),
                          .has_direction = true};
        impact->side[i] = scene_impact_side(b, &place);
        impact->side[i].rings &=
            !b->is_lost && sb_engine_has_voice(scene->engine, b->voice);
    }
    impact->reporter = impact->side[0].rings ? 0 : 1;
    return true;
}

/* x of strike.h, and how long the contact lasts. */
static double mass_yield(const sb_scene *scene, scene_impact *impact,
                         const sb_hertz *hertz, double speed_m_s,
                         sb_impact_estimate *heard) {
    sb_strike_def strike = {.speed_m_s = speed_m_s};
    *heard = sb_strike_press(&strike, hertz, 0.0);
    scene_impact_weigh(scene, impact);
    return hertz->mass_kg * scene_impact_modes_yield(impact, heard->duration_s);
}

/* Whether the pair rebounds by its restitution whatever its modes take: a
 * script gave it, or the weights of the modes, which then are no masses. */
static bool is_given(const sb_scene *scene, const sb_body_id body[2]) {
    for (int i = 0; i < 2; i++) {
        const sb_body_def *def = &scene_side(scene, body[i])->declared.def;
        if (def->moves.restitution >= 0.0 || def->weights ||
            def->shape.kind == SB_SHAPE_MODES) {
            return true;
        }
    }
    return false;
}

double scene_rebound(void *user, const sb_contact_point *point) {
    const sb_scene *scene = user;
    double inverse = point->inverse_mass[0] + point->inverse_mass[1];
    scene_impact impact = {0};
    sb_body_id body[2];
    if (!(inverse > 0.0) || !find_sides(scene, point->user, point->point,
                                        point->normal, body, &impact)) {
        return point->restitution;
    }
    bool rings = impact.side[0].rings || impact.side[1].rings;
    if (!rings || is_given(scene, body)) return point->restitution;
    sb_hertz hertz = scene_hertz(scene, body, 1.0 / inverse);
    sb_impact_estimate heard;
    double x = mass_yield(scene, &impact, &hertz, point->approach_m_s, &heard);
    return sb_impact_rebound(point->restitution, x);
}

/* The reduced mass flies into the side that rings. The loss of its contact
 * gives the restitution that the world used. */
static sb_status press(sb_scene *scene, const scene_impact *impact,
                       const sb_tracked *event, sb_hertz hertz,
                       double speed_m_s) {
    hertz.law.lambda =
        sb_impact_loss(event->restitution) * hertz.law.stiffness / speed_m_s;
    sb_striker striker = {.law = hertz.law,
                          .mass_kg = event->mass_kg,
                          .speed_m_s = speed_m_s,
                          .limit_s = LONGEST_S};
    return scene_impact_press(scene, impact, &striker, NULL);
}

static double half_sine_peak(const sb_impact_estimate *e) {
    if (!(e->duration_s > 0.0)) return 0.0;
    return 0.5 * SB_PI * e->impulse_ns / e->duration_s;
}

/* Where many bodies press at once the solver may give one pair more than two
 * bodies that meet can exchange. */
static double played_ns(const sb_tracked *event, bool is_rebound_given,
                        double x) {
    double once_ns = event->mass_kg * event->speed_m_s;
    if (is_rebound_given)
        return fmin(event->impulse_ns, 2.0 * once_ns) / (1.0 + x);
    return fmin(event->impulse_ns,
                sb_impact_exchange(event->restitution, x) * once_ns);
}

/* Force and duration of a nonlinear contact are measured as it is played. */
static uint32_t report_impact(sb_scene *scene, const sb_body_id body[2],
                              const sb_tracked *event,
                              const sb_impact_estimate *heard, bool is_measured,
                              double time_s) {
    sb_event *report = scene_world_report(scene, SB_EVENT_IMPACT, body, event,
                                          time_s, heard->duration_s);
    report->force_n = scene->declared.world.is_gradient ? heard->peak_force_n
                                                        : half_sine_peak(heard);
    uint32_t label = is_measured ? scene_event_label(scene, report) : 0;
    if (label > 0) report->stage = SB_EVENT_EXPECTED;
    return label;
}

void scene_collide(sb_scene *scene, const sb_tracked *event, double time_s,
                   bool shakes) {
    scene_impact impact = {.frames = scene_frames(scene, time_s)};
    sb_body_id body[2];
    if (!find_sides(scene, event->user, event->point, event->normal, body,
                    &impact)) {
        return;
    }
    double mass_kg = event->mass_kg, speed_m_s = event->speed_m_s;
    if (!(mass_kg > 0.0) || !(speed_m_s > 0.0) || !isfinite(mass_kg)) return;
    sb_hertz hertz = scene_hertz(scene, body, mass_kg);
    sb_impact_estimate heard;
    double x = mass_yield(scene, &impact, &hertz, speed_m_s, &heard);
    double full_ns = 2.0 * mass_kg * speed_m_s;
    heard.impulse_ns =
        played_ns(event, event->is_given || is_given(scene, body), x);
    heard.peak_force_n *= heard.impulse_ns / full_ns;
    for (int i = 0; i < 2 && shakes; i++)
        scene_blow_add(scene, &impact, i, &heard, time_s);
    scene_design_impact(scene_design(scene, body), &hertz, &heard);
    sb_status status = SB_OK;
    bool is_gradient = scene->declared.world.is_gradient;
    bool is_heard = heard.impulse_ns > 0.0 &&
                    (impact.side[0].rings || impact.side[1].rings);
    impact.label = report_impact(scene, body, event, &heard,
                                 is_heard && is_gradient, time_s);
    if (is_heard) {
        sb_impact_record unreported = {0};
        impact.is_watched = scene_begins(scene, impact.side[0].body, "world");
        status = is_gradient
                     ? press(scene, &impact, event, hertz, heard.speed_m_s)
                     : scene_impact_push(scene, &impact, heard.impulse_ns,
                                         heard.duration_s, &unreported, NULL);
    }
    if (status) scene->world->unheard++;
    sb_event *report = status ? scene_event_find(scene, impact.label) : NULL;
    if (report) report->stage = SB_EVENT_WHOLE;
    scene_follow_impact(scene, &impact, body, event, &hertz, &heard, time_s);
}
