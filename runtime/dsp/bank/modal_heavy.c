/* SPDX-License-Identifier: MIT */
#include "runtime/dsp/bank/modal_bank_internal.h"

#include <math.h>

typedef struct motion {
    double q, velocity;
} motion;

typedef struct propagator {
    double qq, qv, vq, vv;
} propagator;

/* Above critical damping the slow exponent s - r is computed as w0^2 / (s + r):
 * the difference would lose all digits. */
void sb_modal_decay_pair(double omega, double sigma, double t, double *c,
                         double *s) {
    double square = (sigma - omega) * (sigma + omega);
    if (square >= 0) {
        double r = sqrt(square);
        double slow = exp(-omega * omega / (sigma + r) * t);
        double fast = exp(-(sigma + r) * t);
        double x = 2 * r * t;
        *c = 0.5 * (slow + fast);
        *s = x > 1e-8 ? slow * -expm1(-x) / (2 * r) : slow * t;
    } else {
        double wd = sqrt(-square);
        double x = wd * t;
        double shrink = exp(-sigma * t);
        *c = shrink * cos(x);
        *s = x > 1e-8 ? shrink * sin(x) / wd : shrink * t;
    }
}

static propagator propagate_over(const sb_modal_group *group, int lane,
                                 double t) {
    double omega = group->omega[lane], sigma = group->sigma[lane];
    double c, s;
    sb_modal_decay_pair(omega, sigma, t, &c, &s);
    return (propagator){c + sigma * s, s, -omega * omega * s, c - sigma * s};
}

static motion apply(const propagator *by, motion m) {
    return (motion){by->qq * m.q + by->qv * m.velocity,
                    by->vq * m.q + by->vv * m.velocity};
}

static void add_to_state(sb_modal_group *group, int lane, motion m) {
    group->u.re[lane] += m.velocity;
    group->u.im[lane] += m.q * group->omega[lane];
    group->active = (uint16_t)(group->active | 1u << lane);
}

static motion run(const sb_modal_group *group, int lane, motion m, int first,
                  double dt_s, float *out) {
    propagator step = propagate_over(group, lane, dt_s);
    for (int n = first; n < SB_BLOCK_FRAMES; n++) {
        out[n] += (float)(sb_modal_out(group, lane) * m.velocity);
        m = apply(&step, m);
    }
    return m;
}

void sb_modal_heavy_render(sb_modal_group *group, double dt_s, float *out) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        if (!(group->heavy & group->active & 1u << lane)) continue;
        motion m = {group->u.im[lane] / group->omega[lane], group->u.re[lane]};
        m = run(group, lane, m, 0, dt_s, out);
        group->u.re[lane] = m.velocity;
        group->u.im[lane] = m.q * group->omega[lane];
    }
}

void sb_modal_heavy_impulse(sb_modal_group *group, int lane, double at_frame,
                            double step_q, double step_velocity, double dt_s,
                            float *out) {
    int first = (int)ceil(at_frame);
    propagator to_first =
        propagate_over(group, lane, (first - at_frame) * dt_s);
    motion m = apply(&to_first, (motion){step_q, step_velocity});
    add_to_state(group, lane, run(group, lane, m, first, dt_s, out));
}

void sb_modal_heavy_drive(sb_modal_group *group, int lane,
                          const sb_modal_curve *weight, const float *impulse_ns,
                          double dt_s, float *out) {
    propagator step = propagate_over(group, lane, dt_s);
    motion m = {0, 0};
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        double phi = weight->start + n * (weight->slope + n * weight->bend);
        m.velocity += phi * (double)impulse_ns[n];
        out[n] += (float)(sb_modal_out(group, lane) * m.velocity);
        m = apply(&step, m);
    }
    add_to_state(group, lane, m);
}
