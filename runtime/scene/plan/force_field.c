#include "runtime/scene/plan/force_field.h"

#include "runtime/base/pi.h"

/* Nearer to the centre the pull does not grow. */
static const double NEAREST_M = 1e-3;

sb_force_field sb_force_field_default(void) {
    return (sb_force_field){.falloff = 2.0, .within_m = INFINITY};
}

sb_vec3 sb_force_field_at(const sb_force_field *field, sb_vec3 place,
                          double mass_kg, double time_s) {
    sb_vec3 to = sb_vec3_sub(field->centre_m, place);
    double far = sb_vec3_length(to);
    sb_vec3 sum = {0.0, 0.0, 0.0};
    if (!(far <= field->within_m)) return sum;
    sum = sb_vec3_add(field->acceleration,
                      sb_vec3_scale(field->force_n, 1.0 / mass_kg));
    if (field->pull != 0.0 && far > 0.0) {
        double size = field->pull / pow(fmax(far, NEAREST_M), field->falloff);
        sum = sb_vec3_add(sum, sb_vec3_scale(to, size / far));
    }
    if (field->frequency_hz > 0.0)
        sum =
            sb_vec3_scale(sum, cos(2.0 * SB_PI * field->frequency_hz * time_s +
                                   field->phase_rad));
    return sum;
}
