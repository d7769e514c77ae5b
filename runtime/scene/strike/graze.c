#include "runtime/scene/strike/graze.h"

#include <math.h>

sb_graze_def sb_graze_def_default(void) {
    return (sb_graze_def){
        .time_s = SB_GRAZE_TIME_S, .slide = SB_GRAZE_SLIDE, .level = 1.0};
}

sb_graze_split sb_graze_split_of(sb_vec3 normal, sb_vec3 direction,
                                 double speed_m_s) {
    sb_graze_split split = {.into_m_s = speed_m_s, .into_share = 1.0};
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
    split.into_share = 1.0 - split.along_share;
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
