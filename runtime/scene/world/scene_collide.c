/* An impact that the world tells of, heard on both bodies.
 *
 * The world knows impulse and speed; how long the two press is Hertz' contact of
 * their materials and of how round they are there. Both are pushed by the same
 * half-sine, the one against the other, at its time between two frames. A body
 * also yields by vibrating, which the world knows nothing of: of the impulse J
 * of two that have the mass m in common, J / (1 + m Y) is heard, Y being what
 * the modes yield (strike.h), so that never more energy rings than was there.
 */
#include "runtime/scene/world/world_internal.h"

#include "runtime/scene/contact/weigh.h"

#include <math.h>

#define TWO_PI 6.283185307179586

/* The edge of a box is rounded by this share of its least side. */
#define EDGE_SHARE 0.1

/* What nobody knows the size of. */
#define USUAL_EDGE_M 1e-3

/* A nonlinear contact that has not parted by then is let go of. */
#define LONGEST_S 0.02

/* --- where they touch ------------------------------------------------------- */

static double least_of(double a, double b, double c) {
    return fmin(a, fmin(b, c));
}

static double size_m(const scene_body *body) {
    const sb_body_def *def = &body->declared.def;
    double mass_kg = sb_model_mass_kg(body->declared.model);
    double density = def->has_material ? def->material.density : 1000.0;
    double size = cbrt(mass_kg / density);
    return size > 0.0 && isfinite(size) ? size : USUAL_EDGE_M / EDGE_SHARE;
}

double scene_curvature_m(const sb_scene *scene, sb_body_id id, double *edge_m) {
    const scene_body *body = scene_body_of(scene, id);
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

/* Two flat ones meet at an edge of the lighter. */
static double radius_of(const sb_scene *scene, const sb_body_id body[2]) {
    double edge_m[2], round_m[2], mass_kg[2];
    for (int i = 0; i < 2; i++) {
        const scene_body *b = scene_body_of(scene, body[i]);
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
    return isfinite(edge) && edge > 0.0 ? edge : USUAL_EDGE_M;
}

sb_hertz scene_hertz(const sb_scene *scene, const sb_body_id body[2],
                     double mass_kg) {
    const sb_material *material[2];
    for (int i = 0; i < 2; i++)
        material[i] =
            scene_material(&scene_body_of(scene, body[i])->declared.def);
    /* One of them may be rigid. */
    int soft = material[0] ? 0 : 1;
    sb_blow blow = {.mass_kg = mass_kg, .radius_m = radius_of(scene, body)};
    if (material[soft]) {
        blow.material = *material[soft];
        blow.has_material = true;
    }
    return sb_blow_hertz(&blow, material[1 - soft]);
}

/* --- what is heard ------------------------------------------------------------- */

typedef struct collision {
    const sb_tracked *event;
    sb_body_id body[2];
    sb_place place[2]; /* local, with the way of the push */
    bool rings[2];
    double frames;
    bool is_watched;
} collision;

static void weigh(const sb_scene *scene, const collision *c, int side,
                  double sign, double *weights) {
    scene_weights(scene_body_of(scene, c->body[side]), &c->place[side], sign,
                  weights);
}

static double modes_yield(const sb_scene *scene, const collision *c, int side,
                          double duration_s) {
    const sb_model *model = scene_body_of(scene, c->body[side])->declared.model;
    const sb_mode *modes = sb_model_modes(model);
    double sum = 0.0;
    weigh(scene, c, side, 1.0, scene->weights);
    for (int k = 0; k < sb_model_mode_count(model); k++)
        sum += sb_blow_mode_yield(duration_s, scene->weights[k],
                                  TWO_PI * modes[k].freq_hz);
    return sum;
}

static sb_status push(sb_scene *scene, const collision *c,
                      const sb_blow_result *heard) {
    sb_status status = SB_OK;
    bool is_watched = c->is_watched;
    for (int i = 0; i < 2 && !status; i++) {
        if (!c->rings[i]) continue;
        weigh(scene, c, i, 1.0, scene->weights);
        sb_strike_def def = {.impulse_ns = heard->impulse_ns,
                             .duration_s = heard->duration_s,
                             .weights = scene->weights,
                             .is_watched = is_watched};
        is_watched = false;
        status = sb_engine_strike(scene->engine,
                                  scene_body_of(scene, c->body[i])->voice,
                                  c->frames, &def, NULL);
    }
    return status;
}

/* lambda v / K of a contact that keeps the share e of the speed. */
static double loss_for(double e) {
    double low = 0.0, high = 1e3;
    if (e >= 1.0) return 0.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (sb_blow_restitution(middle) > e) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The mass that both have in common flies into the one that rings; if both do,
 * it is the second. */
static sb_status press(sb_scene *scene, const collision *c, sb_hertz hertz) {
    const sb_tracked *e = c->event;
    hertz.law.lambda =
        loss_for(e->restitution) * hertz.law.stiffness / e->speed_m_s;
    sb_striker striker = {.law = hertz.law,
                          .mass_kg = e->mass_kg,
                          .speed_m_s = e->speed_m_s,
                          .limit_s = LONGEST_S};
    int at = c->rings[0] ? 0 : 1;
    weigh(scene, c, at, 1.0, scene->weights);
    sb_strike_def def = {.striker = &striker,
                         .weights = scene->weights,
                         .is_watched = c->is_watched};
    if (c->rings[0] && c->rings[1]) {
        double *other = scene->weights + scene->weights_capacity;
        weigh(scene, c, 1, -1.0, other);
        def.second = scene_body_of(scene, c->body[1])->voice;
        def.second_weights = other;
    }
    return sb_engine_strike(scene->engine,
                            scene_body_of(scene, c->body[at])->voice, c->frames,
                            &def, NULL);
}

static bool find_sides(const sb_scene *scene, collision *c) {
    for (int i = 0; i < 2; i++) {
        c->body[i] = scene_world_body(scene->world, c->event->user[i]);
        if (!sb_scene_has(scene, c->body[i])) return false;
        const scene_body *body = scene_body_of(scene, c->body[i]);
        sb_place place = {
            .point = c->event->point,
            .has_point = true,
            .direction = sb_vec3_scale(c->event->normal, i == 0 ? 1.0 : -1.0),
            .has_direction = true};
        c->place[i] = scene_to_local(body, &place);
        c->rings[i] = sb_planned_rings(&body->declared) && !body->is_lost &&
                      sb_engine_has_voice(scene->engine, body->voice);
    }
    return true;
}

void scene_collide(sb_scene *scene, const sb_tracked *event, double time_s) {
    collision c = {.event = event, .frames = scene_frames(scene, time_s)};
    if (!find_sides(scene, &c)) return;
    double mass_kg = event->mass_kg, speed_m_s = event->speed_m_s;
    if (!(mass_kg > 0.0) || !(speed_m_s > 0.0) || !isfinite(mass_kg)) return;
    sb_hertz hertz = scene_hertz(scene, c.body, mass_kg);
    sb_blow blow = {.speed_m_s = speed_m_s};
    sb_blow_result heard = sb_blow_press(&blow, &hertz, 0.0);
    /* Where many press at once the solver may give one of them what no two
     * bodies that meet can have. */
    heard.impulse_ns = fmin(event->impulse_ns, 2.0 * mass_kg * speed_m_s);
    double yields = 0.0;
    for (int i = 0; i < 2; i++)
        if (c.rings[i]) yields += modes_yield(scene, &c, i, heard.duration_s);
    heard.impulse_ns /= 1.0 + mass_kg * yields;
    sb_status status = SB_OK;
    if (c.rings[0] || c.rings[1]) {
        c.is_watched = scene_begins(scene);
        status = scene->world_rules.is_gradient ? press(scene, &c, hertz)
                                                : push(scene, &c, &heard);
    }
    if (status) scene->world->unheard++;
    scene_world_tell(scene, SB_WORLD_IMPACT, c.body, event, time_s, &heard);
}
