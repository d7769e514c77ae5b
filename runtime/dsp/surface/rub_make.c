#include "runtime/dsp/surface/rub.h"

sb_rub_def sb_rub_default(void) {
    return (sb_rub_def){.gain = {1.0, 0.0, 0.0, 0.0},
                        .seed = 1,
                        .contact = {.law = {1.72e9, 1.5, 0.0},
                                    .mass_kg = 0.01,
                                    .radius_m = 0.01,
                                    .load_n = 0.1},
                        .gap_m = {0.5e-3, 1.5e-3},
                        .slope = 0.01,
                        .variation = 0.5,
                        .strength_exponent = 0.5,
                        .creak_drop = 0.15,
                        .creak_stiffness_n_m = 1e4,
                        .creak_mass_kg = 1e-3,
                        .creak_speed_m_s = 0.1,
                        .creak_jitter = 0.05};
}

typedef struct rule {
    const char *name;
    double value, least, most;
} rule;

static sb_status check_rules(const rule *rules, unsigned count, sb_error *err) {
    for (unsigned i = 0; i < count; i++) {
        const rule *r = &rules[i];
        if (!(r->value >= r->least && r->value <= r->most))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "contact: %s is %g; expected %g to %g", r->name,
                           r->value, r->least, r->most);
    }
    return SB_OK;
}

sb_status sb_rub_check(const sb_rub_def *d, sb_error *err) {
    const double far = 1e9, loud = 1e6;
    const rule rules[] = {
        {"start[1]", d->start_m[0], -far, far},
        {"start[2]", d->start_m[1], -far, far},
        {"across[1]", d->across_m[0], -far, far},
        {"across[2]", d->across_m[1], -far, far},
        {"gain of the profile", d->gain[SB_RUB_PROFILE], 0, loud},
        {"gain of the impacts", d->gain[SB_RUB_IMPACTS], 0, loud},
        {"gain of the gravel", d->gain[SB_RUB_GRAVEL], 0, loud},
        {"gain of the creak", d->gain[SB_RUB_CREAK], 0, loud},
        {"mass", d->contact.mass_kg, 1e-9, 1e6},
        {"inverse mass", d->contact.inverse_mass, 0, 1e9},
        {"stiffness", d->contact.law.stiffness, 1e-3, 1e22},
        {"exponent", d->contact.law.exponent, 1, 4},
        {"lambda", d->contact.law.lambda, 0, 1e22},
        {"load", d->contact.load_n, 1e-6, 1e6},
        {"radius", d->contact.radius_m, 1e-6, 1e3},
        {"roughness", d->contact.rough_m, 0, 1},
        {"mobility", d->contact.mobility, 0, 1e9},
        {"eccentricity", d->eccentricity, 0, 1},
        {"gap[1]", d->gap_m[0], 0, 1e3},
        {"gap[2]", d->gap_m[1], 2.0 * d->gap_m[0] + 1e-9, 1e4},
        {"gap_time[1]", d->gap_s[0], 0, 1e3},
        {"gap_time[2]", d->gap_s[1], d->gap_s[1] != 0.0 ? d->gap_s[0] : 0, 1e3},
        {"slope", d->slope, 0, 10},
        {"variation", d->variation, 0, 1},
        {"strength_exponent", d->strength_exponent, 0, 2},
        {"creak_drop", d->creak_drop, 1e-6, 10},
        {"creak_stiffness", d->creak_stiffness_n_m, 1e-3, 1e12},
        {"creak_mass", d->creak_mass_kg, 1e-9, 1e6},
        {"creak_speed", d->creak_speed_m_s, 1e-6, 1e3},
        {"creak_jitter", d->creak_jitter, 0, 1}};
    return check_rules(rules, sizeof rules / sizeof *rules, err);
}
