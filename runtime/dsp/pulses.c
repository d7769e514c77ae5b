#include "runtime/dsp/pulses.h"

#include <math.h>

#define PI 3.141592653589793

enum { AHEAD = SB_PULSES_AHEAD };

void sb_pulses_add(sb_pulses *pulses, sb_pulse pulse) {
    if (pulses->count < SB_PULSES_MOST) {
        pulses->pulse[pulses->count++] = pulse;
    } else {
        pulses->pulse[SB_PULSES_MOST - 1].impulse_ns += pulse.impulse_ns;
    }
}

/* P of a unit impulse at the frames first, first + 1, ... */
static void integrate(const sb_pulse *p, int first, int count, double *out) {
    double t = first - p->start_frame, T = p->duration_frames;
    int n = 0;
    for (; n < count && t + n <= 0.0; n++)
        out[n] = 0.0;
    if (n < count && t + n < T) {
        double w = PI / T, scale = 1.0 / w;
        double c = cos(w), s = sin(w);
        double x = cos(w * (t + n)), y = sin(w * (t + n));
        for (; n < count && t + n < T; n++) {
            out[n] = 0.5 * (t + n - scale * y);
            double next = c * x - s * y;
            y = s * x + c * y;
            x = next;
        }
    }
    for (; n < count; n++)
        out[n] = t + n - 0.5 * T;
}

static void add(const sb_pulse *p, float *impulse_ns) {
    double end = p->start_frame + p->duration_frames;
    double first_at = fmax(0.0, floor(p->start_frame) - (AHEAD - 1));
    double last_at = fmin(SB_BLOCK_FRAMES - 1.0, ceil(end) + (AHEAD - 1));
    if (!(first_at <= last_at)) return;
    int first = (int)first_at, count = (int)last_at - first + 1;
    double twice[SB_BLOCK_FRAMES + 2 * AHEAD];
    integrate(p, first - AHEAD, count + 2 * AHEAD, twice);
    const double d3 = 1.0 / 90.0, d2 = -1.0 / 12.0 - 6.0 / 90.0;
    const double d1 = 1.0 + 4.0 / 12.0 + 15.0 / 90.0;
    const double d0 = -2.0 - 6.0 / 12.0 - 20.0 / 90.0;
    for (int n = 0; n < count; n++) {
        const double *at = twice + n + AHEAD;
        double sum = d0 * at[0] + d1 * (at[-1] + at[1]) +
                     d2 * (at[-2] + at[2]) + d3 * (at[-3] + at[3]);
        impulse_ns[first + n] += (float)(p->impulse_ns * sum);
    }
}

void sb_pulses_block(sb_pulses *pulses, float *impulse_ns) {
    int kept = 0;
    for (int i = 0; i < pulses->count; i++) {
        sb_pulse p = pulses->pulse[i];
        add(&p, impulse_ns);
        p.start_frame -= SB_BLOCK_FRAMES;
        if (p.start_frame + p.duration_frames > -AHEAD)
            pulses->pulse[kept++] = p;
    }
    pulses->count = kept;
}
