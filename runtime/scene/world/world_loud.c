/* SPDX-License-Identifier: MIT */
/* How loud bodies will be that are about to move, for the automatic gain
 * (contact/exposure.h). Control thread. */
#include "runtime/base/pi.h"
#include "runtime/dsp/contact/rolling.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

/* A body is looked for under another this far down, and a slope lets what is round
 * run this far, m. */
#define DEEPEST_M 10.0
#define RUN_M     0.3

/* How far ahead a body looks that moves, m. */
#define AHEAD_M 2.0

/* What is nearer to its ground lies on it; what is slower makes no sound. */
#define LIES_M      0.001
#define LEAST_M_S   0.02
#define LEAST_SLOPE 0.01

/* The peak of noise, in root mean squares; of six scenes it then is at -25 to -10
 * dBFS. */
#define NOISE_CREST 5.0

/* As scene/contact/surfaces.c makes surfaces of a roughness. */
#define ROUGHNESS_M   5e-6
#define GRAIN_RATIO   40.0
#define GRAIN_LEAST_M 2e-5

/* A body, what is under it, and how fast they meet. */
typedef struct meeting {
    sb_body_id body[2]; /* the second may be the null id */
    double down_m_s, along_m_s;
    bool lies;
} meeting;

/* --- what will happen ----------------------------------------------------- */

/* The ground under a body and the gap between them; false: there is none. */
static bool find_ground(const sb_scene *scene, const scene_body *body,
                        sb_vec3 down, sb_ray_hit *ground, double *gap_m) {
    sb_world *world = scene->world->world;
    if (!sb_world_raycast(world, body->pose.position, down, DEEPEST_M,
                          body->user, ground))
        return false;
    /* Back, from below the ground, lest it begins on what lies there. */
    sb_ray_hit back;
    sb_vec3 below = sb_vec3_plus(ground->point, down, LIES_M);
    *gap_m = ground->distance_m;
    if (sb_world_raycast(world, below, sb_vec3_scale(down, -1.0),
                         ground->distance_m + LIES_M, ground->user, &back) &&
        back.user == body->user)
        *gap_m = fmax(back.distance_m - LIES_M, 0.0);
    return true;
}

static bool find_meeting(const sb_scene *scene, sb_body_id id, meeting *out) {
    const scene_body *body = scene_body_of(scene, id);
    sb_vec3 gravity = scene->declared.world.gravity, v = body->pose.velocity;
    double g = sb_vec3_length(gravity), gap_m;
    sb_ray_hit ground;
    *out = (meeting){.body = {id}};
    if (body->user == 0 || !(g > 0.0) ||
        body->declared.def.moves.motion != SB_MOTION_FREE)
        return false;
    sb_vec3 down = sb_vec3_scale(gravity, 1.0 / g);
    if (!find_ground(scene, body, down, &ground, &gap_m)) return false;
    out->body[1] = scene_world_body(scene->world, ground.user);
    double falls = sb_vec3_dot(v, down);
    double level = fmin(fabs(sb_vec3_dot(ground.normal, down)), 1.0);
    double slope = sqrt(1.0 - level * level);
    out->lies = gap_m < LIES_M;
    out->down_m_s = out->lies ? 0.0 : sqrt(2.0 * g * gap_m + falls * falls);
    out->along_m_s = sb_vec3_length(sb_vec3_plus(v, down, -falls));
    double edge_m;
    if (slope > LEAST_SLOPE && isfinite(scene_curvature_m(scene, id, &edge_m)))
        out->along_m_s = hypot(out->along_m_s, sqrt(2.0 * g * slope * RUN_M));
    return true;
}

/* What a body runs into as it goes. */
static bool find_ahead(const sb_scene *scene, sb_body_id id, meeting *out) {
    const scene_body *body = scene_body_of(scene, id);
    sb_vec3 v = body->pose.velocity;
    sb_ray_hit hit;
    *out = (meeting){.body = {id}, .down_m_s = sb_vec3_length(v)};
    if (body->user == 0 || !(out->down_m_s > LEAST_M_S) ||
        !sb_world_raycast(scene->world->world, body->pose.position, v, AHEAD_M,
                          body->user, &hit))
        return false;
    out->body[1] = scene_world_body(scene->world, hit.user);
    return true;
}

/* --- how loud it is ------------------------------------------------------- */

static double mass_of(const sb_scene *scene, sb_body_id id) {
    double mass_kg = sb_model_mass_kg(scene_side(scene, id)->declared.model);
    return mass_kg > 0.0 && isfinite(mass_kg) ? mass_kg : 1.0;
}

static bool is_free(const sb_scene *scene, sb_body_id id) {
    return scene_side(scene, id)->declared.def.moves.motion == SB_MOTION_FREE;
}

static scene_impact sides_of(const sb_scene *scene, const meeting *meets) {
    sb_place usual = {.is_usual = true, .is_local = true};
    scene_impact impact = {0};
    for (int i = 0; i < 2; i++) {
        if (meets->body[i].generation == 0) continue;
        scene_body *body = scene_body_of(scene, meets->body[i]);
        impact.side[i] = scene_impact_side(body, &usual);
    }
    return impact;
}

static double fall_pa(const sb_scene *scene, const meeting *meets) {
    double inverse = 1.0 / mass_of(scene, meets->body[0]);
    if (is_free(scene, meets->body[1]))
        inverse += 1.0 / mass_of(scene, meets->body[1]);
    sb_hertz hertz = scene_hertz(scene, meets->body, 1.0 / inverse);
    sb_strike_def strike = {.speed_m_s = meets->down_m_s};
    sb_impact_estimate blow = sb_strike_press(&strike, &hertz, 0.0);
    scene_impact impact = sides_of(scene, meets);
    scene_impact_weigh(scene, &impact);
    double yields = scene_impact_modes_yield(&impact, blow.duration_s);
    blow.impulse_ns /= 1.0 + hertz.mass_kg * yields;
    double most = 0.0;
    for (int i = 0; i < 2; i++)
        if (impact.side[i].rings)
            most = fmax(most, scene_peak_pa(&impact.side[i], &blow, NULL));
    return most;
}

/* What is heard of the roughness between two bodies (dsp/contact/rolling.h). */
typedef struct rubbing {
    sb_rolling rolling;
    double grain_m; /* of the profile that is followed; 0: none */
    double profile_m, speed_m_s, stiffness_n_m, resonance_hz, damping;
    double corner_hz[SB_ROLLING_NOISES], noise_n[SB_ROLLING_NOISES];
} rubbing;

static double roughness_of(const sb_scene *scene, sb_body_id id) {
    const sb_body_def *def = &scene_side(scene, id)->declared.def;
    return def->has_material ? def->material.roughness : ROUGHNESS_M;
}

static void set_rough(const sb_scene *scene, const meeting *meets, bool slides,
                      rubbing *out) {
    enum { ROUNDS = 8 };
    double rough_m = hypot(roughness_of(scene, meets->body[0]),
                           roughness_of(scene, meets->body[1]));
    double grain_m = fmax(GRAIN_RATIO * rough_m, GRAIN_LEAST_M);
    sb_rolling *r = &out->rolling;
    if (slides) r->radius_m = grain_m * grain_m / (8.0 * rough_m);
    double width_m = 0.0;
    for (int i = 0; i < ROUNDS; i++) {
        width_m = 2.0 * sb_rolling_patch_m(r);
        r->rough_m = rough_m * sqrt(fmin(width_m / grain_m, 1.0));
    }
    bool follows = !slides && width_m < grain_m;
    out->grain_m = follows ? grain_m : 0.0;
    out->profile_m = follows ? rough_m : 0.0;
}

static rubbing rubbing_of(const sb_scene *scene, const meeting *meets) {
    double edge_m, mass_kg = mass_of(scene, meets->body[0]);
    double round_m = scene_curvature_m(scene, meets->body[0], &edge_m);
    bool slides = !isfinite(round_m);
    sb_hertz hertz = scene_hertz(scene, meets->body, mass_kg);
    double g = sb_vec3_length(scene->declared.world.gravity);
    rubbing out = {.rolling = {.law = hertz.law,
                               .mass_kg = mass_kg,
                               .radius_m = slides ? edge_m : round_m,
                               .load_n = g * mass_kg},
                   .speed_m_s = meets->along_m_s};
    set_rough(scene, meets, slides, &out);
    const sb_rolling *r = &out.rolling;
    out.stiffness_n_m = sb_rolling_stiffness_n_m(r);
    out.resonance_hz = sqrt(out.stiffness_n_m / mass_kg) / (2.0 * SB_PI);
    out.damping = sb_rolling_damping(r);
    sb_rolling_corners_hz(r, out.corner_hz);
    double v = meets->along_m_s;
    double noise_n = sb_rolling_asperities_n(r) *
                     sb_rolling_gain(sb_rolling_junctions(r), v);
    for (int i = 0; i < SB_ROLLING_NOISES; i++)
        out.noise_n[i] = i == 0 || slides ? noise_n : 0.0;
    return out;
}

/* Power per hertz of a noise of this root mean square and corner. */
static double density(double rms, double corner_hz, double freq_hz) {
    double x = freq_hz / corner_hz;
    return rms * rms * 2.0 / (SB_PI * corner_hz * (1.0 + x * x));
}

static double force_density(const rubbing *rub, double freq_hz) {
    double sum = 0.0, v = rub->speed_m_s;
    for (int i = 0; i < SB_ROLLING_NOISES; i++)
        if (rub->noise_n[i] > 0.0)
            sum += density(rub->noise_n[i], rub->corner_hz[i] * v, freq_hz);
    if (rub->profile_m > 0.0) {
        double x =
            2.0 * SB_PI * freq_hz / v * sb_rolling_patch_m(&rub->rolling);
        double patch = x > 1e-6 ? sin(x) / x : 1.0;
        sum += density(patch * rub->stiffness_n_m * rub->profile_m,
                       v / (2.0 * SB_PI * rub->grain_m), freq_hz);
    }
    double f2 = freq_hz * freq_hz, r2 = rub->resonance_hz * rub->resonance_hz;
    double apart = f2 - r2, damped = 2.0 * rub->damping * freq_hz;
    damped *= rub->resonance_hz;
    return sum * f2 * f2 / (apart * apart + damped * damped);
}

/* A mode of the weight w has under a force of the density G the mean square
 * velocity w^2 G / 8 s. */
static double rub_pa(const sb_scene *scene, const meeting *meets) {
    rubbing rub = rubbing_of(scene, meets);
    scene_impact impact = sides_of(scene, meets);
    scene_impact_weigh(scene, &impact);
    double most = 0.0;
    for (int i = 0; i < 2; i++) {
        const impact_side *side = &impact.side[i];
        if (!side->rings) continue;
        const sb_model *model = side->body->declared.model;
        const sb_mode *modes = sb_model_modes(model);
        double sum = 0.0;
        for (int k = 0; k < sb_model_mode_count(model); k++) {
            double level = modes[k].radiation * side->weights[k];
            sum += level * level * force_density(&rub, modes[k].freq_hz) /
                   (8.0 * fmax(modes[k].sigma_per_s, 0.1));
        }
        most = fmax(most, NOISE_CREST * sqrt(sum));
    }
    return most;
}

static bool any_rings(const sb_scene *scene) {
    for (int i = 0; i < scene->order_count; i++)
        if (sb_planned_rings(&scene->bodies[scene->order[i]].declared))
            return true;
    return false;
}

/* Each look may meet every body: of more than the root of this many, some are
 * looked at, evenly spread. */
#define LOOKS_MOST 1e6

scene_loudness scene_world_loudness(const sb_scene *scene) {
    scene_loudness out = {0};
    double looks = (double)scene->order_count * (double)scene->order_count;
    int step = (int)ceil(fmax(looks / LOOKS_MOST, 1.0));
    if (!scene->world || !any_rings(scene)) return out;
    for (int i = 0; i < scene->order_count; i += step) {
        meeting meets;
        sb_body_id id = sb_scene_body_at(scene, i);
        if (find_ahead(scene, id, &meets))
            out.fall_pa = fmax(out.fall_pa, fall_pa(scene, &meets));
        if (!find_meeting(scene, id, &meets)) continue;
        if (meets.down_m_s > LEAST_M_S)
            out.fall_pa = fmax(out.fall_pa, fall_pa(scene, &meets));
        if (meets.lies && meets.along_m_s > LEAST_M_S)
            out.roll_pa = fmax(out.roll_pa, rub_pa(scene, &meets));
    }
    return out;
}
