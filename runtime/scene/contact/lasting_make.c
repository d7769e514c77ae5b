/* SPDX-License-Identifier: MIT */
/* Makes the engine's definition of a lasting contact from its setup: the
 * thing and its contact law, the surfaces, and the force, which its row of
 * contact_kinds.def selects. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/contact/rolling.h"
#include "runtime/dsp/contact/rolling_ride.h"
#include "runtime/engine/lasting_def.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>

#define GRAVITY_M_S2 9.81

/* lambda / K, s/m: an impact at 1 m/s keeps 3/4 of its speed. */
#define DEFAULT_LOSS_S_M 0.5

/* Distances of micro-impacts, in bumps of the surface. */
#define BUMPS_LEAST 2.0
#define BUMPS_MOST  6.0

/* Speed of micro-impacts on a smooth surface, as a share of that of the ball. */
#define SMOOTH_SLOPE 0.02

typedef struct parts {
    scene_body *body[2];
    sb_hertz hertz;      /* law and mass of the thing */
    double radius_m;     /* of the thing, where it touches */
    double inverse_mass; /* effective, of the body there */
    double load_n;       /* weight of the thing */
    sb_rolling rolling;  /* under its first load */
} parts;

/* --- the kinds ----------------------------------------------------------- */

typedef enum contact_surface { SMOOTH, NEEDLE, BALL } contact_surface;

/* Sources of a known force. */
enum {
    NEEDLES = 1 << SB_RUB_PROFILE,
    IMPACTS = 1 << SB_RUB_IMPACTS,
    CREAKS = 1 << SB_RUB_CREAK
};

typedef void make_function(const sb_lasting_setup *setup, const parts *p,
                           sb_lasting_def *def);
static make_function make_known, make_ride, make_press, make_friction,
    make_buzz;

typedef struct contact_kind {
    make_function *make;
    unsigned sources;
    contact_surface surface;
    double sign[2];
    bool rolls;
    double least_kg;
} contact_kind;

const char *const sb_contact_kind_names[] = {
#define CONTACT_KIND(kind, name, ...) name,
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_KIND
    NULL};

static const contact_kind kinds[SB_CONTACT_KINDS] = {
#define CONTACT_KIND(kind, name, make, sources, surface, first, second, rolls, \
                     least_kg)                                                 \
    {make_##make, sources, surface, {first, second}, rolls, least_kg},
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_KIND
};

bool sb_contact_kind_rolls(sb_contact_kind kind) {
    return kinds[kind].rolls;
}

double scene_contact_sign(sb_contact_kind kind, int side) {
    return kinds[kind].sign[side];
}

/* --- the thing ----------------------------------------------------------- */

/* Masses and loads that sb_rub_check accepts. */
static const double LIGHTEST_KG = 1e-9, HEAVIEST_KG = 1e5, LEAST_LOAD_N = 1e-6;

static double ball_radius_m(double mass_kg, double density) {
    return cbrt(3.0 * mass_kg / (4.0 * SB_PI * density));
}

/* If the thing is a body, its mass and material are those of the body. */
static sb_indenter thing_of(const sb_lasting_setup *setup,
                            const scene_body *with) {
    sb_indenter thing = setup->thing;
    if (!with) return thing;
    const sb_material *material = scene_material(&with->declared.def);
    double mass_kg = sb_model_mass_kg(with->declared.model);
    if (!thing.has_material && material) {
        thing.material = *material;
        thing.has_material = true;
    }
    if (thing.mass_kg <= 0.0 && mass_kg > 0.0) thing.mass_kg = mass_kg;
    return thing;
}

/* A contact that begins without a load gets its own weight later. The load that
 * the world computes fluctuates; a surface is made for every patch. */
static sb_rolling rolling_of(const parts *p, const sb_lasting_setup *setup,
                             const sb_lasting_change *first) {
    bool has_load =
        first->has_force && first->load.force_n > 0.0 && !setup->is_of_world;
    return (sb_rolling){.law = p->hertz.law,
                        .mass_kg = p->hertz.mass_kg,
                        .inverse_mass = p->inverse_mass,
                        .radius_m = p->radius_m,
                        .load_n = has_load ? first->load.force_n : p->load_n};
}

static parts find_parts(const sb_scene *scene, const sb_lasting_setup *setup,
                        const sb_lasting_change *first) {
    parts p = {.body = {scene_body_of(scene, setup->body), NULL}};
    if (sb_scene_has(scene, setup->with))
        p.body[1] = scene_body_of(scene, setup->with);
    const sb_model *model = p.body[0]->declared.model;
    sb_place place = scene_to_local(p.body[0], &first->place[0]);
    const sb_material *material = scene_material(&p.body[0]->declared.def);
    sb_indenter thing = thing_of(setup, p.body[1]);
    p.hertz = sb_indenter_hertz(&thing, material);
    if (!(thing.mass_kg > 0.0))
        p.hertz.mass_kg = fmax(p.hertz.mass_kg, kinds[setup->kind].least_kg);
    /* That of a ball of its radius may be anything. */
    p.hertz.mass_kg = fmin(fmax(p.hertz.mass_kg, LIGHTEST_KG), HEAVIEST_KG);
    double density = thing.has_material ? thing.material.density
                     : material         ? material->density
                                        : 7850.0;
    p.radius_m = thing.radius_m > 0.0 ? thing.radius_m
                                      : ball_radius_m(p.hertz.mass_kg, density);
    p.inverse_mass =
        sb_model_inverse_mass(model, scene_model_point(p.body[0], &place),
                              place.has_direction ? &place.direction : NULL);
    p.load_n = fmax(GRAVITY_M_S2 * p.hertz.mass_kg, LEAST_LOAD_N);
    p.rolling = rolling_of(&p, setup, first);
    return p;
}

/* --- the surfaces -------------------------------------------------------- */

static sb_status own_surface(const sb_lasting_setup *setup, const parts *p,
                             int side, sb_surface **out, sb_error *err) {
    *out = NULL;
    if (kinds[setup->kind].surface == SMOOTH) return SB_OK;
    *out = setup->surface[side];
    if (*out || !p->body[side]) return SB_OK;
    return scene_surface(p->body[side], out, err);
}

/* A flat body lies on bumps of the rougher surface, of height s and length l:
 * parabolas of radius l^2 / 8 s. */
static void lay_flat(sb_surface *const surface[2], const sb_indenter *thing,
                     const sb_material *material, parts *p) {
    const sb_surface_grain *grain = NULL;
    for (int i = 0; i < 2; i++)
        if (surface[i] && surface[i]->grain.rough_m > 0.0 &&
            (!grain || surface[i]->grain.rough_m > grain->rough_m))
            grain = &surface[i]->grain;
    if (!grain) return;
    sb_indenter bump = *thing;
    bump.radius_m = grain->length_m * grain->length_m / (8.0 * grain->rough_m);
    bump.stiffness = bump.exponent = 0.0;
    p->rolling.radius_m = bump.radius_m;
    p->rolling.law = sb_indenter_hertz(&bump, material).law;
}

/* The asperities between both surfaces, of the scale of the patch, which depends
 * on them in turn. */
static void set_roughness(sb_surface *const surface[2], sb_rolling *rolling) {
    enum { ROUNDS = 8 };
    for (int round = 0; round < ROUNDS; round++) {
        double width_m = 2.0 * sb_rolling_patch_m(rolling), square = 0.0;
        for (int i = 0; i < 2; i++) {
            double s =
                surface[i] ? sb_surface_rough_m(surface[i], width_m) : 0.0;
            square += s * s;
        }
        rolling->rough_m = sqrt(square);
    }
}

/* The profile that the thing follows on one surface. */
static sb_status follow(sb_scene *scene, const sb_lasting_setup *setup,
                        const parts *p, int side, sb_surface **surface,
                        sb_error *err) {
    contact_surface kind = kinds[setup->kind].surface;
    if (!*surface) return SB_OK;
    /* A flat thing bridges the bumps of a rough surface, and so does a patch that
     * is longer than they are: what is left of them is the asperities. A ring
     * is heard by what comes back once per turn. */
    const sb_surface_grain *grain = &(*surface)->grain;
    double width_m = 2.0 * sb_rolling_patch_m(&p->rolling);
    if (grain->rough_m > 0.0 && (setup->is_flat || (width_m > grain->length_m &&
                                                    !(*surface)->is_ring))) {
        *surface = NULL;
        return SB_OK;
    }
    if (kind != BALL && !(setup->thing.radius_m > 0.0)) return SB_OK;
    /* The thing's own roughness is flattened, too. */
    double radius_m = side == 0 ? p->radius_m : 0.0;
    return scene_roll(scene, *surface, radius_m,
                      sb_rolling_patch_m(&p->rolling), surface, err);
}

/* Root mean square of heights and slopes. */
static void roughness_of(const sb_surface *surface, double *height_m,
                         double *slope) {
    double sum = 0.0, square = 0.0, slope2 = 0.0;
    for (int i = 0; i < surface->points; i++)
        sum += (double)surface->heights_m[i];
    double mean = sum / surface->points;
    for (int i = 0; i < surface->points; i++) {
        double h = (double)surface->heights_m[i] - mean;
        square += h * h;
    }
    for (int i = 0; i < surface->band_count; i++)
        slope2 += surface->band_slope2[i];
    *height_m = sqrt(square / surface->points);
    *slope = sqrt(slope2);
}

/* A surface without slopes has micro-impacts, too: that is what they are for. */
static void set_impacts(const sb_lasting_setup *setup,
                        const sb_surface *surface, sb_rub_def *rub) {
    rub->slope = SMOOTH_SLOPE;
    if (surface) {
        double height_m, slope;
        roughness_of(surface, &height_m, &slope);
        double bump_m = slope > 0.0 ? SB_PI * height_m / slope : 0.0;
        rub->slope = fmin(fmax(slope, SMOOTH_SLOPE), 0.3);
        if (bump_m > 0.0) {
            rub->gap_m[0] = fmin(fmax(BUMPS_LEAST * bump_m, 2e-5), 1.0);
            rub->gap_m[1] = BUMPS_MOST / BUMPS_LEAST * rub->gap_m[0];
        }
    }
    double least_m = setup->gap_min_m, most_m = setup->gap_max_m;
    if (least_m > 0.0) rub->gap_m[0] = least_m;
    if (least_m > 0.0 && most_m <= 0.0) rub->gap_m[1] = 3.0 * least_m;
    if (most_m > 0.0) rub->gap_m[1] = most_m;
    if (most_m > 0.0 && least_m <= 0.0) rub->gap_m[0] = most_m / 3.0;
    rub->gap_s[0] = setup->gap_time_min_s;
    rub->gap_s[1] = setup->gap_time_max_s;
    if (setup->strength > 0.0) rub->slope = setup->strength;
    if (setup->spread > 0.0) rub->variation = setup->spread;
    if (setup->gaps == 1) rub->gaps = SB_RUB_EXPONENTIAL;
}

/* --- the force ----------------------------------------------------------- */

static sb_rub_def rub_of(const sb_lasting_setup *setup, const parts *p,
                         sb_surface *const surface[2]) {
    sb_rub_def rub = sb_rub_default();
    rub.seed = setup->seed;
    rub.contact = p->rolling;
    rub.eccentricity = setup->eccentricity;
    bool has_grains = false;
    for (int i = 0; i < 2; i++)
        has_grains |= surface[i] && surface[i]->gravel.per_n2s > 0.0;
    for (int i = 0; i < SB_RUB_KIND_COUNT; i++)
        rub.gain[i] = kinds[setup->kind].sources >> i & 1u ? setup->level : 0.0;
    if (!(setup->gap_min_m > 0.0 || setup->gap_max_m > 0.0))
        rub.gain[SB_RUB_IMPACTS] = 0.0;
    rub.gain[SB_RUB_GRAVEL] = has_grains ? setup->level : 0.0;
    set_impacts(setup, surface[0], &rub);
    if (setup->interval_m_n > 0.0)
        rub.creak_stiffness_n_m = 2.0 * rub.creak_drop / setup->interval_m_n;
    return rub;
}

/* A height map is read along the row that v selects. */
static double across_of(const sb_surface *surface, const sb_place *place) {
    if (!surface || surface->rows < 2 || place->has_point) return 0.0;
    return place->v * (surface->rows - 1) * surface->row_spacing_m;
}

static void make_known(const sb_lasting_setup *setup, const parts *p,
                       sb_lasting_def *def) {
    (void)setup;
    (void)p;
    def->model = SB_LASTING_KNOWN;
}

static void set_mass(const sb_lasting_setup *setup, const parts *p,
                     sb_lasting_def *def) {
    def->mass_kg = p->hertz.mass_kg;
    def->inverse_mass = p->inverse_mass;
    if (kinds[setup->kind].surface == BALL) {
        def->law = def->rub.law = sb_rolling_law(&p->rolling);
        return;
    }
    def->law = p->hertz.law;
    /* Without a loss the thing would never come to rest. */
    if (!(setup->thing.lambda > 0.0))
        def->law.lambda = DEFAULT_LOSS_S_M * def->law.stiffness;
}

static void make_press(const sb_lasting_setup *setup, const parts *p,
                       sb_lasting_def *def) {
    def->model = SB_LASTING_PRESS;
    set_mass(setup, p, def);
}

/* scene_ride may turn it into a known force. */
static void make_ride(const sb_lasting_setup *setup, const parts *p,
                      sb_lasting_def *def) {
    def->model = SB_LASTING_PRESS;
    def->ride_gain = setup->level;
    set_mass(setup, p, def);
}

static double or_default(double given, double value) {
    return given > 0.0 ? given : value;
}

static void make_friction(const sb_lasting_setup *setup, const parts *p,
                          sb_lasting_def *def) {
    double mu_static = or_default(setup->mu_static, 0.4);
    double mu_kinetic = or_default(setup->mu_kinetic, 0.5 * mu_static);
    double stiffness =
        setup->bristle_m > 0.0 ? mu_static / setup->bristle_m : 0.0;
    def->model = SB_LASTING_FRICTION;
    def->bristle =
        sb_bristle_from(mu_static, mu_kinetic, setup->stribeck_m_s, stiffness);
    def->rub_stiffness = setup->rub_stiffness;
    if (setup->rub_stiffness > 0.0) def->rub_mass_kg = p->hertz.mass_kg;
}

static void make_buzz(const sb_lasting_setup *setup, const parts *p,
                      sb_lasting_def *def) {
    def->model = SB_LASTING_BUZZ;
    def->law = p->hertz.law;
    def->gap_m = setup->apart_m;
}

sb_status scene_make_contact(sb_scene *scene, const sb_lasting_setup *setup,
                             const sb_lasting_change *first,
                             sb_lasting_def *def, double *load_n,
                             sb_error *err) {
    parts p = find_parts(scene, setup, first);
    sb_status status = SB_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = own_surface(setup, &p, i, &def->surface[i], err);
        if (p.body[i]) def->voice[i] = p.body[i]->voice;
    }
    if (status) return status;
    sb_indenter thing = thing_of(setup, p.body[1]);
    if (setup->is_flat)
        lay_flat(def->surface, &thing, scene_material(&p.body[0]->declared.def),
                 &p);
    set_roughness(def->surface, &p.rolling);
    for (int i = 0; i < 2 && !status; i++)
        status = follow(scene, setup, &p, i, &def->surface[i], err);
    if (status) return status;
    def->rub = rub_of(setup, &p, def->surface);
    for (int i = 0; i < 2; i++)
        def->rub.across_m[i] = across_of(def->surface[i], &first->place[i]);
    kinds[setup->kind].make(setup, &p, def);
    *load_n = p.load_n;
    return sb_rub_check(&def->rub, err);
}

/* --- a ball that rolls: with all modes of its bodies, as a press, or, where there
 * are many, by a known force (dsp/contact/rolling_ride.h) ------------------ */

/* Balls on one body that are solved together with its modes. The time for each
 * grows with the modes and with the number of balls. */
enum { BALLS_MOST = 4 };

static bool is_same(sb_body_id a, sb_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

/* A held wall or floor that does not ring joins no bodies. */
static bool rings(const sb_scene *scene, sb_body_id id) {
    return sb_scene_has(scene, id) &&
           sb_planned_rings(&scene_body_of(scene, id)->declared);
}

static int count_balls(const sb_scene *scene, sb_body_id body) {
    int count = 0;
    for (int i = 0; i < scene->lasting.count; i++) {
        const scene_contact *contact = &scene->lasting.contacts[i];
        sb_contact_id id = {(uint32_t)i, contact->generation};
        bool is_on =
            is_same(contact->body[0], body) || is_same(contact->body[1], body);
        count += contact->is_ball && is_on && sb_scene_has_contact(scene, id);
    }
    return count;
}

bool scene_rides(const sb_scene *scene, const sb_lasting_setup *setup) {
    if (setup->kind != SB_CONTACT_ROLL) return false;
    /* A press has the force it has. The world may roll anything on anything:
     * its bodies would become one large system. */
    if (setup->level != 1.0 || setup->is_of_world) return true;
    sb_body_id bodies[2] = {setup->body, setup->with};
    for (int i = 0; i < 2; i++)
        if (rings(scene, bodies[i]) &&
            count_balls(scene, bodies[i]) >= BALLS_MOST)
            return true;
    return false;
}

double scene_mobility(const double *weights, const scene_body *body) {
    if (!body || !sb_planned_rings(&body->declared)) return 0.0;
    const sb_mode *modes = sb_model_modes(body->declared.model);
    int count = sb_model_mode_count(body->declared.model);
    double square = 0.0, highest_hz = 0.0;
    for (int k = 0; k < count; k++) {
        square += weights[k] * weights[k];
        highest_hz = fmax(highest_hz, modes[k].freq_hz);
    }
    return highest_hz > 0.0 ? 0.25 * square / highest_hz : 0.0;
}

sb_status scene_ride(const sb_scene *scene, sb_lasting_def *def,
                     const scene_body *const body[2], sb_ride_def *ride,
                     sb_error *err) {
    sb_bank_mode *modes[2] = {NULL, NULL};
    sb_ride_side sides[2] = {{0}};
    sb_status status = SB_OK;
    for (int i = 0; i < 2; i++) {
        if (!body[i] || !sb_planned_rings(&body[i]->declared)) continue;
        modes[i] = scene_tuned_modes(scene, body[i]);
        if (!modes[i]) status = sb_no_memory_for(err, "modes");
        sides[i] = (sb_ride_side){modes[i], def->weights[i],
                                  sb_planned_mode_count(&body[i]->declared)};
    }
    if (!status) {
        ride->law = def->law;
        ride->mass_kg = def->mass_kg;
        ride->inverse_mass = def->inverse_mass;
        sb_ride_choose(ride, sides, sb_engine_sample_rate(scene->engine));
        def->ride = ride;
        def->model = SB_LASTING_KNOWN;
    }
    sb_free(modes[0]);
    sb_free(modes[1]);
    return status;
}
