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
static void integrate(sb_pulses *all, const sb_pulse *p, int first, int count,
                      double *out) {
    double t = first - p->start_frame, T = p->duration_frames;
    int n = 0;
    for (; n < count && t + n <= 0.0; n++)
        out[n] = 0.0;
    if (n < count && t + n < T) {
        double w = PI / T, scale = 1.0 / w;
        if (all->turn_frames != T) {
            all->turn_frames = T;
            all->turn_cos = cos(w);
            all->turn_sin = sin(w);
        }
        double c = all->turn_cos, s = all->turn_sin;
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

typedef double pair __attribute__((vector_size(16)));

static inline pair pair_at(const double *x) {
    return (pair){x[0], x[1]};
}

static void add(sb_pulses *all, const sb_pulse *p, float *impulse_ns) {
    double end = p->start_frame + p->duration_frames;
    if (p->start_frame >= SB_BLOCK_FRAMES + AHEAD || end <= -AHEAD) return;
    /* One frame more than needed is 0, and costs less than rounding down. */
    int first = (int)(p->start_frame + SB_BLOCK_FRAMES) - SB_BLOCK_FRAMES;
    first = p->start_frame < AHEAD ? 0 : first - AHEAD;
    int last = end + AHEAD + 1.0 < SB_BLOCK_FRAMES ? (int)(end + AHEAD + 1.0)
                                                   : SB_BLOCK_FRAMES - 1;
    int count = last - first + 1;
    double twice[SB_BLOCK_FRAMES + 2 * AHEAD + 1];
    integrate(all, p, first - AHEAD, count + 2 * AHEAD + (count & 1), twice);
    const double J = p->impulse_ns, d3 = J * (1.0 / 90.0);
    const double d2 = J * (-1.0 / 12.0 - 6.0 / 90.0);
    const double d1 = J * (1.0 + 4.0 / 12.0 + 15.0 / 90.0);
    const double d0 = J * (-2.0 - 6.0 / 12.0 - 20.0 / 90.0);
    for (int n = 0; n < count; n += 2) {
        const double *at = twice + n + AHEAD;
        pair sum = d0 * pair_at(at) + d1 * (pair_at(at - 1) + pair_at(at + 1)) +
                   d2 * (pair_at(at - 2) + pair_at(at + 2)) +
                   d3 * (pair_at(at - 3) + pair_at(at + 3));
        impulse_ns[first + n] += (float)sum[0];
        if (n + 1 < count) impulse_ns[first + n + 1] += (float)sum[1];
    }
}

void sb_pulses_block(sb_pulses *pulses, float *impulse_ns) {
    int kept = 0;
    for (int i = 0; i < pulses->count; i++) {
        sb_pulse p = pulses->pulse[i];
        add(pulses, &p, impulse_ns);
        p.start_frame -= SB_BLOCK_FRAMES;
        if (p.start_frame + p.duration_frames > -AHEAD)
            pulses->pulse[kept++] = p;
    }
    pulses->count = kept;
}
