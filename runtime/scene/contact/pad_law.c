/* SPDX-License-Identifier: MIT */
/* The numbers of a hit of a prepared place. Thread: audio. */
#include "runtime/scene/contact/pad_law.h"

#include <math.h>

/* The cubic through the four rows around it. */
static double read_rows(const pad_law *law, double duration_s) {
    if (law->row_count <= 1) return law->row_count == 1 ? law->rows[0] : 0.0;
    double at = (log(duration_s) - law->first_log_s) / law->step_log_s;
    at = fmax(0.0, fmin(at, law->row_count - 1.0));
    int first = (int)at - 1;
    if (first < 0) first = 0;
    if (first > law->row_count - 4) first = law->row_count - 4;
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double term = law->rows[first + i];
        for (int j = 0; j < 4; j++)
            if (j != i) term *= (at - first - j) / (i - j);
        sum += term;
    }
    return sum;
}

/* Hertz's law as this strike hardens it, and its estimate. */
static sb_impact_estimate press(const pad_law *law, const sb_strike_def *def,
                                sb_hertz *hertz) {
    *hertz = law->hertz;
    sb_strike_harden(def, law->inverse_mass, hertz);
    return sb_strike_press(def, hertz, law->inverse_mass);
}

double pad_law_duration(const pad_law *law, double speed_m_s) {
    sb_strike_def def = law->def;
    sb_hertz hertz;
    def.speed_m_s = speed_m_s;
    return law->presses
               ? press(law, &def, &hertz).duration_s
               : sb_strike_push(&def, law->inverse_mass, law->hardness_n_m)
                     .duration_s;
}

static bool press_blow(const pad_law *law, const sb_strike_def *def,
                       sb_blow *out) {
    sb_hertz hertz;
    sb_impact_estimate e = press(law, def, &hertz);
    if (!(e.speed_m_s > 0.0)) return false;
    if (law->row_count > 0)
        hertz.law.lambda +=
            read_rows(law, e.duration_s) * hertz.law.stiffness / e.speed_m_s;
    out->law = hertz.law;
    out->speed_m_s = e.speed_m_s;
    out->duration_s = e.duration_s;
    return true;
}

bool pad_law_blow(const void *data, double speed_m_s, sb_blow *out) {
    const pad_law *law = data;
    sb_strike_def def = law->def;
    if (!(speed_m_s > 0.0)) return false; /* NaN, too */
    def.speed_m_s = fmin(speed_m_s, PAD_FASTEST_M_S);
    if (law->presses) return press_blow(law, &def, out);
    sb_impact_estimate e =
        sb_strike_push(&def, law->inverse_mass, law->hardness_n_m);
    if (!(e.impulse_ns > 0.0)) return false;
    e = sb_strike_yield(&def, e, law->inverse_mass,
                        read_rows(law, e.duration_s));
    out->impulse_ns = e.impulse_ns;
    out->duration_s = e.duration_s;
    out->record = sb_strike_record(&e, law->inverse_mass);
    return true;
}
