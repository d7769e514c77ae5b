/* SPDX-License-Identifier: MIT */
/* The automatic gain of the listener (exposure.h). Control thread. */
#include "runtime/scene/contact/exposure.h"

#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/model/clicks.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

#include <complex.h>
#include <math.h>

/* Spectrum of a half sine of unit area, about its middle. */
static double half_sine(double freq_hz, double duration_s) {
    double x = 2.0 * freq_hz * duration_s;
    if (fabs(x - 1.0) < 1e-6) return SB_PI / 4.0;
    return cos(0.5 * SB_PI * x) / (1.0 - x * x);
}

/* A skin gives way more easily than the contact is pressed in: the contact then
 * lasts until the skin is as stiff as the striker is heavy. */
enum { LONGER = 24 };
#define SQRT_2 1.4142135623730951

static sb_impact_estimate default_strike(const impact_side *at) {
    const sb_body_def *def = &at->body->declared.def;
    sb_strike_def strike = {.speed_m_s = 1.0,
                            .model = SB_IMPACT_MODEL_GRADIENT,
                            .striker.mass_kg = scene_striker_mass_kg(at)};
    sb_hertz hertz = sb_indenter_hertz(&strike.striker, scene_material(def));
    sb_impact_estimate estimate =
        sb_strike_press(&strike, &hertz, at->inverse_mass);
    scene_impact impact = {.side[0] = *at};
    double mass_kg = 1.0 / (1.0 / strike.striker.mass_kg + at->inverse_mass);
    double yields = scene_impact_modes_yield(&impact, estimate.duration_s);
    bool is_taut = def->shape.tension > 0.0;
    for (int i = 0; is_taut && i < LONGER && mass_kg * yields > 1.0; i++) {
        estimate.duration_s *= SQRT_2;
        yields = scene_impact_modes_yield(&impact, estimate.duration_s);
    }
    return sb_strike_yield(&strike, estimate, at->inverse_mass, yields);
}

/* What the power of noise counts. Fitted, not derived: nine sheets of 0.5 to 3 m
 * with noise then peak at -25 to -15 dBFS. */
#define NOISE_SHARE 5.0

/* The square of what noise in place of missing modes adds (beyond_part.c). Its
 * dense modes resist like a dashpot: the force rises within T and then falls
 * slowly, so its spectrum falls only with 1/f. */
static double beyond_pa2(const sb_planned *planned,
                         const sb_impact_estimate *strike, double place) {
    const sb_diffuse_def *bands = sb_planned_bands(planned);
    double sum = 0.0;
    if (!bands || planned->def.diffuse.is_on) return 0.0;
    for (int b = 0; b < bands->band_count; b++) {
        double middle = sqrt(bands->bands[b].low_hz * bands->bands[b].high_hz);
        double push = strike->impulse_ns * place /
                      (1.0 + 2.0 * middle * strike->duration_s);
        sum += NOISE_SHARE * bands->bands[b].power * push * push;
    }
    for (int i = 0; i < sb_planned_yield_count(planned); i++) {
        const sb_yield_mode *yield = &planned->noise->yields[i];
        double push = strike->impulse_ns * place /
                      (1.0 + 2.0 * yield->freq_hz * strike->duration_s);
        double level = yield->radiation * yield->weight * push;
        sum += NOISE_SHARE * 0.5 * level * level;
    }
    return sum;
}

/* The factor of a place (dsp/bank/diffuse.h), from the weights there. */
static double place_factor(const sb_planned *planned, const double *weights) {
    int count = sb_model_mode_count(planned->model);
    if (sb_planned_yield_count(planned) == 0) return 1.0;
    const sb_yield_mode *yields = planned->noise->yields;
    if (!yields[0].is_heard)
        return yields[0].weight > 0.0 ? weights[count] / yields[0].weight : 1.0;
    /* They are waves: their root mean square. */
    double sum = 0.0, mean = 0.0;
    for (int i = 0; i < sb_planned_yield_count(planned); i++) {
        sum += weights[count + i] * weights[count + i];
        mean += yields[i].weight * yields[i].weight;
    }
    return mean > 0.0 ? sqrt(sum / mean) : 1.0;
}

/* The same of its clicks, which do not ring: they follow how fast a slow force
 * changes, pi^2 J / 2 T^2 at most, over w_0^2. Each is a dipole. */
static double clicks_pa2(const sb_planned *planned,
                         const sb_impact_estimate *strike,
                         const double *weights, const sb_vec3 *toward) {
    sb_click clicks[SB_CLICKS_MOST];
    double power = 0.0, sum = 0.0;
    (void)sb_model_clicks(planned->model, clicks);
    for (int i = 0; i < sb_planned_click_count(planned); i++) {
        double slow = 4.0 * clicks[i].freq_hz * strike->duration_s;
        double p = clicks[i].radiation * strike->impulse_ns * weights[i] /
                   (1.0 + 0.5 * slow * slow);
        power += p * p;
        if (toward) sum += p * sqrt(3.0) * sb_vec3_dot(clicks[i].axis, *toward);
    }
    double least = SB_EXPOSURE_EDGE * SB_EXPOSURE_EDGE * power;
    return toward ? fmax(sum * sum, least) : power;
}

/* Modes begin together, and towards the listener each has the sign of its
 * pattern: the peak of their sum within WAVE frames. */
enum { WAVE = 512 };
#define WAVE_HZ 48000.0

static void add_wave(double wave[WAVE], const sb_mode *mode, double amplitude,
                     double from_s) {
    double complex rate = -mode->sigma_per_s + I * SB_TAU * mode->freq_hz;
    double complex turn = cexp(rate / WAVE_HZ);
    double complex now = amplitude * cexp(I * SB_TAU * mode->freq_hz * from_s);
    for (int i = 0; i < WAVE; i++, now *= turn)
        wave[i] += creal(now);
}

static double peak_of(const double wave[WAVE]) {
    double most = 0.0;
    for (int i = 0; i < WAVE; i++)
        most = fmax(most, fabs(wave[i]));
    return most;
}

double scene_peak_pa(const impact_side *at, const sb_impact_estimate *strike,
                     const sb_vec3 *toward) {
    const sb_planned *planned = &at->body->declared;
    const sb_mode *modes = sb_model_modes(planned->model);
    const sb_pattern *patterns = sb_model_patterns(planned->model);
    int count = sb_model_mode_count(planned->model);
    double sum = 0.0, most = 0.0, wave[WAVE] = {0};
    for (int k = 0; k < count; k++) {
        double p = modes[k].radiation * strike->impulse_ns * at->weights[k] *
                   half_sine(modes[k].freq_hz, strike->duration_s);
        double aim =
            toward && patterns ? sb_pattern_aim(&patterns[k], *toward) : 1.0;
        p *= copysign(fmax(fabs(aim), SB_EXPOSURE_EDGE), aim);
        if (toward) add_wave(wave, &modes[k], p, 0.5 * strike->duration_s);
        sum += p * p;
        most += fabs(p);
    }
    double noise =
        beyond_pa2(planned, strike, place_factor(planned, at->weights));
    double rings =
        toward ? peak_of(wave) : fmin(SB_EXPOSURE_CREST * sqrt(sum), most);
    double clicks = clicks_pa2(
        planned, strike, at->weights + count + sb_planned_yield_count(planned),
        toward);
    return sqrt(rings * rings + noise + clicks);
}

/* P of one body that is struck; of one that is free, in all directions. */
static double struck_pa(const sb_scene *scene, scene_body *body, sb_vec3 ear) {
    sb_place usual = {.is_usual = true, .is_local = true};
    scene_impact impact = {.side[0] = scene_impact_side(body, &usual)};
    impact_side *at = &impact.side[0];
    at->inverse_mass = scene_impact_inverse_mass(at);
    scene_impact_weigh(scene, &impact);
    sb_impact_estimate strike = default_strike(at);
    const sb_body_def *def = &body->declared.def;
    sb_vec3 toward = sb_pose_to_local(&body->pose, ear);
    bool turns = def->moves.motion == SB_MOTION_FREE || def->is_deformable;
    if (turns || !(sb_vec3_length(toward) > 0.0))
        return scene_peak_pa(at, &strike, NULL);
    toward = sb_vec3_normalised(toward);
    return scene_peak_pa(at, &strike, &toward);
}

/* A sheet that bends freely swings as a whole, too: as one that reaches this speed
 * within this time, m/s and s. */
#define HEAVE_M_S 1.0
#define HEAVE_S   0.004

/* The dipole of a disk of its area: rho 8/3 a^3 v'' / (4 pi c) at 1 m. */
static double heave_pa(const scene_body *body) {
    const sb_body_def *def = &body->declared.def;
    double thick_m = def->shape.thickness;
    double mass_kg = sb_model_mass_kg(body->declared.model);
    if (!def->is_deformable || !def->has_material || !(thick_m > 0.0))
        return 0.0;
    double area_m2 = mass_kg / (def->material.density * thick_m);
    double jerk = SB_PI * HEAVE_M_S / (HEAVE_S * HEAVE_S);
    return SB_AIR_DENSITY * 8.0 / 3.0 * pow(area_m2 / SB_PI, 1.5) * jerk /
           (4.0 * SB_PI * SB_AIR_SPEED);
}

static double two_digits(double x) {
    double unit = pow(10.0, floor(log10(x)) - 1.0);
    return round(x / unit) * unit;
}

double scene_exposure(const sb_scene *scene, scene_loudness world,
                      sb_vec3 ear) {
    double most_pa = 0.0, bends_pa = 0.0;
    const sb_model *last = NULL; /* many rings share one model */
    for (int i = 0; i < scene->order_count; i++) {
        scene_body *body = &scene->bodies[scene->order[i]];
        const sb_model *model = body->declared.model;
        if (!sb_planned_rings(&body->declared) || model == last) continue;
        last = model;
        double *most = body->declared.def.is_deformable ? &bends_pa : &most_pa;
        *most = fmax(*most, fmax(struck_pa(scene, body, ear), heave_pa(body)));
    }
    double share = world.fall_pa > 0.0   ? SB_EXPOSURE_FALLS
                   : world.roll_pa > 0.0 ? SB_EXPOSURE_ROLLS
                                         : 1.0;
    most_pa = fmax(share * most_pa, fmax(world.fall_pa, world.roll_pa));
    most_pa = fmax(most_pa, bends_pa);
    if (!(most_pa > 0.0)) return 0.0;
    double gain =
        pow(10.0, SB_EXPOSURE_DBFS / 20.0) * SB_FULL_SCALE_PA / most_pa;
    return two_digits(fmin(gain, SB_EXPOSURE_MOST));
}
