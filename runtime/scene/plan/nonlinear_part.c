/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/nonlinear_part.c -- bodies that stiffen at high amplitude.
 *
 * A thin body that swings by more than its thickness is stretched and becomes
 * stiffer: its pitch is higher while it is loud, and energy passes between
 * modes that are independent otherwise, mostly upward. Cubic springs at a few
 * places of the surface model that, each F = k3 u^3 (dsp/contact/link.h). The
 * lowest mode alone is then Duffing's oscillator,
 *
 *     q'' + w0^2 q + g q^3 = 0,     g = sum over places k3 phi^4
 *
 * which swings a semitone above w0 where g A^2 = 0.16403 w0^2, exactly, by its
 * elliptic integral. So k3 follows from the amplitude A phi at which that is to
 * happen, taken at the place where the mode has its largest amplitude.
 *
 * The distortion passes the velocity of the first place through a saturating
 * curve and feeds it back as a force that resists:
 * F = c v / sqrt(1 + (v / knee)^2).
 *
 * Weights are stored times the square root of the body's mass, and the springs
 * are scaled to match, so that a body of another size differs in values only.
 *
 * Symbols: k3 stiffness_n_m3, c distortion_ns_m, A phi amplitude_m.
 * Thread:  as the plan. Memory: the plan's.
 * Source:  distortion with feedback: Menzies 2.3.4.
 */
#include "runtime/engine/voice_def.h"
#include "runtime/scene/plan/planned.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/model.h"

#include <math.h>
#include <string.h>

/* g A^2 / w0^2 of Duffing's oscillator a semitone up: the root of
 * sqrt(1 + e) agm(1, sqrt(1 - e / (2 (1 + e)))) = 2^(1/12). */
#define SEMITONE 0.16403171173439823

/* Default amplitude as a share of the thickness: a clamped disk is a semitone
 * up at 0.6 of it, other shapes near that. A body without a thickness gets that
 * of a sheet of 2 mm. */
#define THICKNESS_SHARE   0.5
#define USUAL_AMPLITUDE_M 1e-3

/* A mode moves at a place if its amplitude there is at least this share of its
 * largest. */
#define LEAST_SHARE 0.01

/* Two modes this close are a pair of a round body. */
#define TWIN 1.001

/* Weights of the same body solved twice may differ by this much. */
#define SAME_SHARE 1e-6

enum { CANDIDATES = 48, WATCHED = 64 };

bool sb_nonlinear_part_is_same(const sb_planned *a, const sb_planned *b) {
    const sb_nonlinear_part *c = &a->def.nonlinear, *d = &b->def.nonlinear;
    if (!c->is_on && !d->is_on) return true;
    if (c->is_on != d->is_on || c->stiffens != d->stiffens ||
        c->amplitude_m != d->amplitude_m ||
        c->stiffness_n_m3 != d->stiffness_n_m3 ||
        c->distortion_ns_m != d->distortion_ns_m ||
        c->knee_m_s != d->knee_m_s || c->place_count != d->place_count) {
        return false;
    }
    for (int i = 0; i < c->place_count; i++) {
        if (c->places[i].u != d->places[i].u ||
            c->places[i].v != d->places[i].v) {
            return false;
        }
    }
    return true;
}

static bool has_distortion(const sb_planned *planned) {
    return planned->def.nonlinear.distortion_ns_m > 0.0;
}

bool sb_nonlinear_part_is_alike(const sb_planned *a, const sb_planned *b) {
    if (a->spring_count != b->spring_count) return false;
    if (a->spring_count == 0) return true;
    int count = sb_model_mode_count(a->model);
    if (sb_model_mode_count(b->model) != count) return false;
    if (has_distortion(a) != has_distortion(b)) return false;
    double most = 0.0, off = 0.0;
    for (int k = 0; k < a->spring_count * count; k++) {
        double c = a->spring_weights[k], d = b->spring_weights[k];
        most = fmax(most, fabs(c));
        off = fmax(off, fabs(c - d));
    }
    return off <= SAME_SHARE * most;
}

/* --- places -------------------------------------------------------------- */

/* A point on the surface. The points are spread evenly but not on a grid, which
 * could coincide with the nodes of a mode. */
static sb_model_point candidate(const sb_model *model, int i) {
    if (sb_model_has_uv(model)) {
        /* Powers of 1 / 1.3247: the golden ratio in two dimensions. */
        return sb_model_point_at(model, fmod(0.5 + i * 0.7548776662466927, 1.0),
                                 fmod(0.5 + i * 0.5698402909980532, 1.0));
    }
    /* Directions from far away, on all sides. */
    double y = 1.0 - (2.0 * i + 1.0) / CANDIDATES, r = sqrt(1.0 - y * y);
    double turn = 2.399963229728653 * i, far = 1e3;
    return sb_model_nearest(
        model, (sb_vec3){far * r * cos(turn), far * y, far * r * sin(turn)});
}

/* Amplitudes of the lowest modes at the candidates, each as a share of its
 * largest. */
typedef struct survey {
    double share[CANDIDATES][WATCHED];
    double most[WATCHED]; /* |phi| */
    int watched;
} survey;

static void look_round(const sb_model *model, double *weights, survey *s) {
    int count = sb_model_mode_count(model);
    double *most = s->most;
    memset(s->most, 0, sizeof s->most);
    s->watched = count < WATCHED ? count : WATCHED;
    for (int i = 0; i < CANDIDATES; i++) {
        sb_model_weights(model, candidate(model, i), NULL, weights);
        for (int k = 0; k < s->watched; k++) {
            s->share[i][k] = weights[k] * weights[k];
            most[k] = fmax(most[k], s->share[i][k]);
        }
    }
    for (int k = 0; k < s->watched; k++) {
        for (int i = 0; i < CANDIDATES && most[k] > 0.0; i++)
            s->share[i][k] /= most[k];
        most[k] = sqrt(most[k]);
    }
}

/* First the place where the lowest mode moves most; then, one by one, the place
 * that gains most for the modes that hardly move at the places so far. */
static int choose(const survey *s, int chosen[SB_NONLINEAR_PLACES]) {
    double covered[WATCHED] = {0};
    int count = 0;
    while (count < SB_NONLINEAR_PLACES) {
        int best = -1;
        double best_gain = 1e-9;
        for (int i = 0; i < CANDIDATES; i++) {
            double gain = 0.0;
            int watched = count == 0 ? 1 : s->watched;
            for (int k = 0; k < watched; k++)
                gain += fmax(s->share[i][k] - covered[k], 0.0);
            if (gain <= best_gain) continue;
            best = i;
            best_gain = gain;
        }
        if (best < 0) break; /* all places are alike */
        for (int k = 0; k < s->watched; k++)
            covered[k] = fmax(covered[k], s->share[best][k]);
        chosen[count++] = best;
    }
    return count;
}

static int find_places(const sb_planned *planned, const survey *s,
                       sb_model_point points[SB_NONLINEAR_PLACES]) {
    const sb_nonlinear_part *part = &planned->def.nonlinear;
    const sb_model *model = planned->model;
    for (int i = 0; i < part->place_count; i++)
        points[i] =
            sb_model_point_at(model, part->places[i].u, part->places[i].v);
    if (part->place_count > 0) return part->place_count;
    int chosen[SB_NONLINEAR_PLACES];
    int count = choose(s, chosen);
    for (int i = 0; i < count; i++)
        points[i] = candidate(model, chosen[i]);
    return count;
}

/* --- springs ------------------------------------------------------------- */

static double amplitude_of(const sb_planned *planned) {
    if (planned->def.nonlinear.amplitude_m > 0.0)
        return planned->def.nonlinear.amplitude_m;
    double thickness = planned->def.shape.thickness;
    return thickness > 0.0 ? THICKNESS_SHARE * thickness : USUAL_AMPLITUDE_M;
}

/* The lowest mode at the places. */
typedef struct lowest_mode {
    double sum4;  /* phi^4 over the places */
    double share; /* of its largest, at the best of them */
    double most;  /* |phi| anywhere */
} lowest_mode;

/* Weights of a spring: it does not move what is behind the modes. */
static int row_of(const sb_planned *planned) {
    return sb_model_mode_count(planned->model) +
           sb_planned_click_count(planned);
}

static lowest_mode mode_at(const sb_planned *planned, const survey *s, int k,
                           int place_count) {
    int count = row_of(planned);
    lowest_mode mode = {.most = s->most[k]};
    double best = 0.0;
    for (int i = 0; i < place_count; i++) {
        double phi = fabs(planned->spring_weights[i * count + k]);
        best = fmax(best, phi);
        mode.sum4 += pow(phi, 4.0);
    }
    mode.most = fmax(mode.most, best);
    if (mode.most > 0.0) mode.share = best / mode.most;
    return mode;
}

/* Round bodies have modes in pairs, one at rest where the other moves: take the
 * one that moves more at the places. */
static lowest_mode lowest_of(const sb_planned *planned, const survey *s,
                             int place_count) {
    const sb_mode *modes = sb_model_modes(planned->model);
    lowest_mode mode = mode_at(planned, s, 0, place_count);
    if (s->watched < 2 || modes[1].freq_hz > TWIN * modes[0].freq_hz)
        return mode;
    lowest_mode twin = mode_at(planned, s, 1, place_count);
    return twin.share > mode.share ? twin : mode;
}

static double cubic_of(const sb_planned *planned, const lowest_mode *mode) {
    if (planned->def.nonlinear.stiffness_n_m3 > 0.0)
        return planned->def.nonlinear.stiffness_n_m3;
    double w = SB_TAU * sb_model_modes(planned->model)[0].freq_hz;
    double a = amplitude_of(planned) / mode->most;
    return SEMITONE * w * w / (a * a * mode->sum4);
}

static sb_status at_rest(const sb_planned *planned, sb_error *err) {
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s': nonlinear: its lowest mode does not move %s",
                   planned->name,
                   planned->def.nonlinear.place_count > 0
                       ? "at these places; give others as at, or none"
                       : "anywhere on its surface");
}

/* Turn the weights at the places into springs, scaled as the header says. */
static void make_springs(sb_planned *planned, int place_count, double cubic) {
    const sb_nonlinear_part *part = &planned->def.nonlinear;
    int count = row_of(planned), springs = 0;
    double mass = sb_model_mass_kg(planned->model);
    double *weights = planned->spring_weights;
    if (part->stiffens) {
        for (; springs < place_count; springs++)
            planned->springs[springs] =
                (sb_spring){.cubic_n_m3 = cubic / (mass * mass)};
    }
    if (has_distortion(planned)) {
        memmove(weights + springs * count, weights,
                (size_t)count * sizeof *weights);
        planned->springs[springs++] =
            (sb_spring){.loss_ns_m = part->distortion_ns_m / mass,
                        .knee_m_s = part->knee_m_s * sqrt(mass)};
    }
    for (int k = 0; k < springs * count; k++)
        weights[k] *= sqrt(mass);
    planned->spring_count = springs;
}

static sb_status fill(sb_planned *planned, survey *s, sb_error *err) {
    const sb_model *model = planned->model;
    const sb_nonlinear_part *part = &planned->def.nonlinear;
    int count = row_of(planned);
    if (part->place_count > 0 && !sb_model_has_uv(model)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s': nonlinear: its mesh has no texture "
                       "coordinates, so at has no meaning; leave it out",
                       planned->name);
    }
    sb_model_point points[SB_NONLINEAR_PLACES];
    look_round(model, planned->spring_weights, s);
    int place_count = find_places(planned, s, points);
    for (int i = 0; i < place_count; i++)
        sb_model_weights(model, points[i], NULL,
                         planned->spring_weights + i * count);
    lowest_mode mode = lowest_of(planned, s, place_count);
    if (!(mode.share > LEAST_SHARE)) return at_rest(planned, err);
    make_springs(planned, place_count, cubic_of(planned, &mode));
    return SB_OK;
}

sb_status sb_planned_fill_springs(sb_planned *planned, sb_error *err) {
    sb_free(planned->spring_weights); /* of an earlier attempt */
    planned->spring_weights = NULL;
    planned->spring_count = 0;
    int count = sb_model_mode_count(planned->model);
    if (!planned->def.nonlinear.is_on || count == 0) return SB_OK;
    planned->spring_weights = sb_alloc(
        (size_t)row_of(planned) * SB_NONLINEAR_SPRINGS, sizeof(double));
    survey *s = sb_alloc(1, sizeof *s);
    sb_status status = planned->spring_weights && s
                           ? fill(planned, s, err)
                           : sb_no_memory(err, "body '%s'", planned->name);
    sb_free(s);
    return status;
}

int sb_planned_springs(const sb_planned *planned, sb_spring_def *out) {
    int count = row_of(planned);
    for (int i = 0; i < planned->spring_count; i++) {
        bool is_last = i == planned->spring_count - 1;
        out[i] =
            (sb_spring_def){.spring = planned->springs[i],
                            .is_distortion = is_last && has_distortion(planned),
                            .weights = planned->spring_weights + i * count};
    }
    return planned->spring_count;
}
