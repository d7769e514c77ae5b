/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/weigh.c -- mode weights of a body at a place.
 *
 * A weight is how strongly a force at a place drives a mode, and how strongly
 * the mode moves that place. It comes from the mode shape, or from the body's
 * texture of weights: a mode for which the texture has a plane takes its value
 * at the (u, v) of the place. A texture describes a force straight into the
 * surface; of another force its component into the surface counts. All code
 * that drives or reads modes at a place uses these weights: a contact with two
 * different sets could gain energy.
 *
 * Thread: as the plan. Memory: the caller's.
 */
#include "runtime/scene/plan/planned.h"

#include "runtime/base/memory.h"
#include "runtime/model/clicks.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/sound/beyond.h"
#include "runtime/model/textures/texture.h"
#include "runtime/scene/plan/noise_part.h"

#include <math.h>
#include <string.h>

/* Frequencies for which the factor of a place is computed. */
enum { FACTORS = 16 };

#define SQRT_2 1.4142135623730951

/* The component of a unit force along `direction` into the surface. Modes given
 * by hand have no surface and respond alike to all directions. */
static double share_inward(const sb_planned *planned, sb_model_point point,
                           const sb_vec3 *direction) {
    if (!direction) return 1.0;
    sb_vec3 unit = sb_vec3_normalised(*direction);
    if (planned->def.shape.kind == SB_SHAPE_MODES) return sb_vec3_length(unit);
    return -sb_vec3_dot(sb_model_normal(planned->model, point), unit);
}

/* Factors at some frequencies to those of all silent modes, straight between
 * them. */
static void spread_factors(const sb_noise_part *noise, const double *freqs_hz,
                           const double *some, double *factors) {
    int j = 0;
    for (int i = 0; i < noise->yield_count; i++) {
        double hz = noise->yields[i].freq_hz;
        while (j < FACTORS - 2 && freqs_hz[j + 1] < hz)
            j++;
        double part = (hz - freqs_hz[j]) / (freqs_hz[j + 1] - freqs_hz[j]);
        factors[i] = fmax(some[j] + part * (some[j + 1] - some[j]), 0.0);
    }
}

/* phi^2 of the silent modes at a place over its mean. A painted body moves as
 * its last modes do. */
static void find_factors(const sb_planned *planned, sb_model_point point,
                         const sb_vec3 *direction, const double *weights,
                         double factors[SB_YIELD_MOST]) {
    const sb_noise_part *noise = planned->noise;
    double freqs_hz[FACTORS], some[FACTORS], sum = 0.0;
    double first = noise->yields[0].freq_hz;
    double ratio = noise->yields[noise->yield_count - 1].freq_hz / first;
    for (int i = 0; i < FACTORS; i++)
        freqs_hz[i] = first * pow(ratio, i / (FACTORS - 1.0));
    if (!planned->def.weights &&
        sb_model_beyond_at(planned->model, point, freqs_hz, FACTORS, some)) {
        double share = share_inward(planned, point, direction);
        for (int i = 0; i < FACTORS; i++)
            some[i] *= share * share;
        spread_factors(noise, freqs_hz, some, factors);
        return;
    }
    for (int i = 0; i < noise->last_count; i++) {
        double weight = weights[noise->first_last + i];
        sum += (double)noise->last[i] * weight * weight;
    }
    for (int i = 0; i < noise->yield_count; i++)
        factors[i] = sum;
}

static void weigh_yields(const sb_planned *planned, sb_model_point point,
                         const sb_vec3 *direction, double *weights) {
    double factors[SB_YIELD_MOST];
    int count = sb_model_mode_count(planned->model);
    sb_vec3 at = sb_model_position(planned->model, point);
    find_factors(planned, point, direction, weights, factors);
    for (int i = 0; i < planned->noise->yield_count; i++) {
        const sb_yield_mode *yield = &planned->noise->yields[i];
        weights[count + i] = sqrt(factors[i]) * yield->weight;
        if (yield->is_heard) {
            double phase = sb_vec3_dot(yield->wave_per_m, at) + yield->phase;
            weights[count + i] *= SQRT_2 * cos(phase);
        }
    }
}

static void weigh_modes(const sb_planned *planned, sb_model_point point,
                        const sb_vec3 *direction, double *weights) {
    const sb_model *model = planned->model;
    const sb_texture *texture = planned->def.weights;
    int count = sb_model_mode_count(model);
    if (!texture || !sb_texture_has_all(texture, count))
        sb_model_weights(model, point, direction, weights);
    if (!texture) return;
    double u, v, share = share_inward(planned, point, direction);
    sb_model_uv(model, point, &u, &v);
    sb_texture_weights(texture, u, v, count, planned->peaks, weights);
    for (int k = 0; share != 1.0 && k < count; k++) {
        if (sb_texture_plane_of(texture, k) >= 0) weights[k] *= share;
    }
}

sb_model_point sb_planned_usual_point(const sb_planned *planned) {
    const sb_shape *shape = &planned->def.shape;
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (!family->usual) return sb_model_point_at(planned->model, 0.5, 0.5);
    return sb_model_nearest(planned->model, family->usual(shape));
}

int sb_planned_click_count(const sb_planned *planned) {
    bool has_none = planned->kept || planned->def.is_deformable ||
                    planned->def.diffuse.is_on;
    return has_none ? 0 : sb_model_clicks(planned->model, NULL);
}

void sb_planned_weights(const sb_planned *planned, sb_model_point point,
                        const sb_vec3 *direction, double *weights) {
    int before =
        sb_model_mode_count(planned->model) + sb_planned_yield_count(planned);
    weigh_modes(planned, point, direction, weights);
    if (sb_planned_yield_count(planned) > 0)
        weigh_yields(planned, point, direction, weights);
    if (sb_planned_click_count(planned) > 0)
        sb_model_click_weights(planned->model, point, direction,
                               weights + before);
}

void sb_planned_turn(const sb_planned *planned, double sign, double *weights) {
    int modes = sb_model_mode_count(planned->model);
    int yields = sb_planned_yield_count(planned);
    for (int k = 0; k < sb_planned_mode_count(planned); k++)
        if (k < modes || k >= modes + yields) weights[k] *= sign;
}

static sb_status check(const sb_planned *planned, sb_error *err) {
    if (sb_model_mode_count(planned->model) == 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s': weights needs a shape that rings, and a "
                       "rigid one does not",
                       planned->name);
    }
    if (sb_model_has_uv(planned->model)) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "body '%s': its mesh has no texture coordinates for weights "
                   "to lie on; 'sandbell bake --unwrap' gives it some",
                   planned->name);
}

sb_status sb_planned_fill_peaks(sb_planned *planned, const sb_planned *before,
                                sb_error *err) {
    sb_free(planned->peaks); /* of an earlier attempt */
    planned->peaks = NULL;
    if (!planned->def.weights) return SB_OK;
    sb_status status = check(planned, err);
    if (status) return status;
    int count = sb_model_mode_count(planned->model);
    int most = sb_texture_mode_count(planned->def.weights);
    if (count > most) count = most;
    if (!sb_texture_is_relative(planned->def.weights, count)) return SB_OK;
    planned->peaks = sb_alloc((size_t)count, sizeof *planned->peaks);
    if (!planned->peaks) {
        return sb_no_memory(err, "body '%s'", planned->name);
    }
    planned->peak_count = count;
    if (before && before->peaks && before->peak_count >= count &&
        before->model == planned->model) {
        memcpy(planned->peaks, before->peaks,
               (size_t)count * sizeof *planned->peaks);
        return SB_OK;
    }
    return sb_model_peaks(planned->model, count, planned->peaks, err);
}
