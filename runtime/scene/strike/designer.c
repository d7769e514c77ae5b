/* SPDX-License-Identifier: MIT */
/* Scatter and graze (designer.h), and contact law and mass of an indenter, from
 * its material. Any thread. */
#include "runtime/base/pi.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>

/* --- scatter --------------------------------------------------------------- */

/* With E a sum of exponential waiting times, the next event of a process of
 * varying rate comes when the integral of the rate, N (1 - e^(-t/T)), reaches
 * E. There is none once E > N. */
int sb_scatter_draw(const sb_scatter *scatter, double speed_m_s,
                    sb_random *random,
                    sb_micro_impact impacts[SB_SCATTER_IMPACTS]) {
    double expected = scatter->per_m_s * speed_m_s, reached = 0.0;
    if (!(expected > 0.0)) return 0;
    int count = 0;
    while (count < SB_SCATTER_IMPACTS) {
        reached -= log1p(-sb_random_unit(random));
        if (reached >= expected) break;
        impacts[count++] = (sb_micro_impact){
            .after_s = -scatter->spread_s * log1p(-reached / expected),
            .share = scatter->level * sb_random_unit(random),
        };
    }
    return count;
}

/* --- graze ----------------------------------------------------------------- */

sb_graze_def sb_graze_def_default(void) {
    return (sb_graze_def){
        .time_s = SB_GRAZE_TIME_S, .slide = SB_GRAZE_SLIDE, .level = 1.0};
}

sb_graze_split sb_graze_split_of(sb_vec3 normal, sb_vec3 direction,
                                 double speed_m_s) {
    sb_graze_split split = {.into_m_s = speed_m_s};
    double out = sb_vec3_length(normal), length = sb_vec3_length(direction);
    if (!(out > 0.0) || !(length > 0.0)) return split;
    sb_vec3 in = sb_vec3_scale(normal, -1.0 / out);
    sb_vec3 toward = sb_vec3_scale(direction, 1.0 / length);
    double into = sb_vec3_dot(toward, in);
    sb_vec3 rest = sb_vec3_sub(toward, sb_vec3_scale(in, into));
    /* Its length rather than sqrt(1 - cos^2), which cancels when the strike is
     * nearly perpendicular. */
    double along = sb_vec3_length(rest);
    /* Less is rounding and has no direction. */
    if (along > 1e-9) split.along = sb_vec3_scale(rest, 1.0 / along);
    split.into_m_s = fmax(0.0, into) * speed_m_s;
    split.along_m_s = along * speed_m_s;
    split.along_share = along * along / (along * along + into * into);
    return split;
}

sb_graze sb_graze_of(const sb_graze_def *def, const sb_graze_split *split,
                     double impulse_ns, double weight_n) {
    sb_graze graze = {.time_s = def->time_s * split->along_share,
                      .contact_m_s = split->along_m_s,
                      .slip_m_s = def->slide * split->along_m_s,
                      .roughness_m = def->roughness_m,
                      .along = split->along};
    /* Less is perpendicular, to rounding. */
    if (!(split->along_share > 1e-12)) return (sb_graze){0};
    graze.force_n =
        fmax(0.0, weight_n) + 2.0 * SB_GRAZE_SHARE * impulse_ns / def->time_s;
    return graze;
}

/* --- Hertz ----------------------------------------------------------------- */

/* Default material: that of the body, or steel on a rigid body. */
static const sb_material *material_of(const sb_indenter *indenter,
                                      const sb_material *body) {
    if (indenter->has_material) return &indenter->material;
    return body ? body : sb_material_find("steel");
}

static double compliance(const sb_material *material) {
    double nu = material->poisson_ratio;
    return (1.0 - nu * nu) / material->youngs_modulus;
}

sb_hertz sb_indenter_hertz(const sb_indenter *indenter,
                           const sb_material *body) {
    const sb_material *material = material_of(indenter, body);
    double mass = indenter->mass_kg, radius = indenter->radius_m;
    double ball = 4.0 / 3.0 * SB_PI * material->density; /* kg at 1 m */
    if (mass <= 0.0) {
        mass =
            radius > 0.0 ? ball * radius * radius * radius : SB_STRIKER_MASS_KG;
    }
    if (radius <= 0.0) radius = cbrt(mass / ball);
    double give = compliance(material) + (body ? compliance(body) : 0.0);
    sb_hertz hertz = {
        .law = {.stiffness = 4.0 / 3.0 * sqrt(radius) / give,
                .exponent = indenter->exponent > 0.0 ? indenter->exponent : 1.5,
                .lambda = indenter->lambda},
        .mass_kg = mass,
    };
    if (indenter->stiffness > 0.0) hertz.law.stiffness = indenter->stiffness;
    return hertz;
}
