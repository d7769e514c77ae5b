/* The low-pass that turns the slope of the profile into a force. Thread:
 * audio. */
#include "runtime/dsp/surface/rub_internal.h"

#include "runtime/dsp/surface/surface_kernel.h"

#include <string.h>

enum { FRAMES = SB_BLOCK_FRAMES };

typedef double pair __attribute__((vector_size(16)));

static inline pair both(double x) {
    return (pair){x, x};
}

static inline pair pair_at(const double *x) {
    return (pair){x[0], x[1]};
}

/* A low-pass for four frames at once, for a corner that moves. Frame by frame
 * each output would depend on the one before; with the impulse response h,
 *
 *     y[j] = sum over i <= j of h[j - i] x'[i]
 *            + h[j + 1] y[-1] - a[1] h[j] y[-2],
 *
 * x' being b applied to x, so that only the last two of four are recursive.
 */
typedef struct four {
    pair b[3];
    pair h1, h2, at_first, at_third; /* within the four frames */
    pair last[2], before[2];         /* from y[-1] and y[-2] */
} four;

static inline four prepare(const double b[3], const double a[2]) {
    double h1 = -a[0], h2 = -a[0] * h1 - a[1];
    double h3 = -a[0] * h2 - a[1] * h1, h4 = -a[0] * h3 - a[1] * h2;
    return (four){{both(b[0]), both(b[1]), both(b[2])},
                  both(h1),
                  both(h2),
                  {0.0, h1},
                  {0.0, h3},
                  {{h1, h2}, {h3, h4}},
                  {{-a[1], -a[1] * h1}, {-a[1] * h2, -a[1] * h3}}};
}

/* From x[-2 .. 3] to y[0 .. 3]; `tail` is the pair of the last outputs. */
static inline void filter_four(const four *f, const double *x, pair *tail,
                               double *y) {
    pair x0 = f->b[0] * pair_at(x) + f->b[1] * pair_at(x - 1) +
              f->b[2] * pair_at(x - 2);
    pair x2 = f->b[0] * pair_at(x + 2) + f->b[1] * pair_at(x + 1) +
              f->b[2] * pair_at(x);
    pair x1 = __builtin_shufflevector(x0, x2, 1, 2);
    pair first = __builtin_shufflevector(x0, x0, 0, 0);
    pair y0 = x0 + f->at_first * first;
    pair y2 = x2 + f->h1 * x1 + (f->h2 * x0 + f->at_third * first);
    pair before = __builtin_shufflevector(*tail, *tail, 0, 0);
    pair last = __builtin_shufflevector(*tail, *tail, 1, 1);
    y0 += f->before[0] * before + f->last[0] * last;
    y2 += f->before[1] * before + f->last[1] * last;
    y[0] = y0[0];
    y[1] = y0[1];
    y[2] = y2[0];
    y[3] = y2[1];
    *tail = y2;
}

/* From one corner to another in 32 steps of four frames. All filters on the
 * straight line between two stable ones are stable. */
static void open_filter(sb_rub *rub, const sb_rub_pose *from,
                        const sb_rub_pose *to, const float *in, float *out) {
    double line[FRAMES + 2], *x = line + 2, y[4];
    for (int n = -2; n < FRAMES; n++)
        x[n] = (double)in[n];
    pair tail = pair_at(rub->state);
    for (int n = 0; n < FRAMES; n += 4) {
        double part = (n + 2) * (1.0 / FRAMES), b[3], a[2];
        for (int i = 0; i < 3; i++)
            b[i] = from->b[i] + part * (to->b[i] - from->b[i]);
        for (int i = 0; i < 2; i++)
            a[i] = from->a[i] + part * (to->a[i] - from->a[i]);
        four f = prepare(b, a);
        filter_four(&f, x + n, &tail, y);
        for (int i = 0; i < 4; i++)
            out[n + i] = (float)y[i];
    }
    rub->state[0] = tail[0];
    rub->state[1] = tail[1];
}

static void filter(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *in, float *out) {
    float line[FRAMES + 2], *x = line + 2;
    line[0] = (float)rub->heard[0];
    line[1] = (float)rub->heard[1];
    memcpy(x, in, FRAMES * sizeof *x);
    if (from->corner_rad_s == to->corner_rad_s) {
        sb_surface_kernel_chosen()->lowpass(to->b, to->a, x, FRAMES, rub->state,
                                            out);
    } else {
        open_filter(rub, from, to, x, out);
    }
    rub->heard[0] = (double)x[FRAMES - 2];
    rub->heard[1] = (double)x[FRAMES - 1];
}

void sb_rub_scrape(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *lift_m_s, const float *swell,
                   float *impulse_ns) {
    float out[FRAMES];
    filter(rub, from, to, lift_m_s, out);
    float gain = (float)from->profile_gain;
    float rise = (float)((to->profile_gain - from->profile_gain) / FRAMES);
    float force[FRAMES];
    for (int n = 0; n < FRAMES; n++)
        force[n] = out[n] * (gain + rise * (float)n);
    if (swell)
        for (int n = 0; n < FRAMES; n++)
            force[n] *= swell[n];
    for (int n = 0; n < FRAMES; n++)
        impulse_ns[n] += force[n];
}
