#include "runtime/dsp/rub_inside.h"

#include <math.h>

enum { FRAMES = SB_BLOCK_FRAMES };

/* The low-pass as it stands. */
static void filter(double state[2], const double b[3], const double a[2],
                   const float *in, double *out) {
    double s0 = state[0], s1 = state[1];
    double b0 = b[0], b1 = b[1], b2 = b[2], a0 = a[0], a1 = a[1];
    for (int n = 0; n < FRAMES; n++) {
        double x = (double)in[n], y = b0 * x + s0;
        s0 = (b1 * x + s1) - a0 * y;
        s1 = b2 * x - a1 * y;
        out[n] = y;
    }
    state[0] = s0;
    state[1] = s1;
}

/* The same on the way between two corners. All filters on the straight line
 * between two stable ones are stable. */
static void filter_ramp(double state[2], const sb_rub_pose *from,
                        const sb_rub_pose *to, const float *in, double *out) {
    double b[3], a[2], db[3], da[2];
    for (int i = 0; i < 3; i++) {
        b[i] = from->b[i];
        db[i] = (to->b[i] - b[i]) * (1.0 / FRAMES);
    }
    for (int i = 0; i < 2; i++) {
        a[i] = from->a[i];
        da[i] = (to->a[i] - a[i]) * (1.0 / FRAMES);
    }
    for (int n = 0; n < FRAMES; n++) {
        double x = (double)in[n], y = (b[0] + n * db[0]) * x + state[0];
        state[0] = (b[1] + n * db[1]) * x + state[1] - (a[0] + n * da[0]) * y;
        state[1] = (b[2] + n * db[2]) * x - (a[1] + n * da[1]) * y;
        out[n] = y;
    }
}

void sb_rub_scrape(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *lift_m_s, const float *swell,
                   float *impulse_ns) {
    double out[FRAMES];
    if (from->corner_rad_s == to->corner_rad_s) {
        filter(rub->state, to->b, to->a, lift_m_s, out);
    } else {
        filter_ramp(rub->state, from, to, lift_m_s, out);
    }
    float gain = (float)from->profile_gain;
    float rise = (float)((to->profile_gain - from->profile_gain) / FRAMES);
    float force[FRAMES];
    for (int n = 0; n < FRAMES; n++)
        force[n] = (float)out[n] * (gain + rise * (float)n);
    if (swell)
        for (int n = 0; n < FRAMES; n++)
            force[n] *= swell[n];
    for (int n = 0; n < FRAMES; n++)
        impulse_ns[n] += force[n];
}
