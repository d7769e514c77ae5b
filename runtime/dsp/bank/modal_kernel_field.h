/* runtime/dsp/bank/modal_kernel_field.h -- the inner loops of modal_field.c.
 *
 * Part of modal_kernel_body.h. All arrays are aligned and padded to whole
 * groups; the weights are only padded.
 */
#ifndef SB_DSP_BANK_MODAL_KERNEL_FIELD_H
#define SB_DSP_BANK_MODAL_KERNEL_FIELD_H

#include "runtime/dsp/bank/modal_field.h"
#include "runtime/dsp/bank/modal_kernel_math.h"

static inline vd load_weights(const float *from) {
    vh half;
    memcpy(&half, from, sizeof half);
    return VD_FROM_HALF(half);
}

/* Pairwise, to shorten the chain of additions. */
static inline double vd_sum(vd v) {
#if LANES == 4
    return v[0] + v[1];
#elif LANES == 8
    return (v[0] + v[2]) + (v[1] + v[3]);
#else
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#endif
}

static sb_point_motion field_advance(sb_modal_field *field,
                                     const sb_modal_stride *stride,
                                     const float *weights) {
    vd moved = VD_SPLAT(0.0), speed = moved;
    for (int k = 0; k < field->count; k += HALF) {
        vd q = load_double(field->q + k), v = load_double(field->v + k);
        vd s = load_double(stride->s + k);
        vd p = -load_double(field->stiffness + k) * q;
        vd dq = VD_FMA(load_double(stride->g + k), p, s * v);
        vd vn = VD_FMA(load_double(stride->t + k), v, s * p);
        store_double(field->dq + k, dq);
        store_double(field->vn + k, vn);
        vd phi = load_weights(weights + k);
        moved = VD_FMA(phi, dq, moved);
        speed = VD_FMA(phi, vn, speed);
    }
    return (sb_point_motion){vd_sum(moved), vd_sum(speed), 0};
}

static void field_commit(sb_modal_field *field, const sb_modal_stride *stride,
                         const float *weights, double force_n) {
    vd force = VD_SPLAT(force_n);
    for (int k = 0; k < field->count; k += HALF) {
        vd p = load_weights(weights + k) * force;
        vd dq = load_double(field->dq + k), vn = load_double(field->vn + k);
        dq = VD_FMA(load_double(stride->g + k), p, dq);
        vn = VD_FMA(load_double(stride->s + k), p, vn);
        store_double(field->q + k, load_double(field->q + k) + dq);
        store_double(field->v + k, vn);
    }
}

/* A commit and the next advance in one pass, with a force at each of `count`
 * points, and the motion of each. `count` is a constant wherever this is
 * inlined, so that the sums stay in registers. */
static inline __attribute__((always_inline)) double
step_points(sb_modal_field *field, const sb_modal_stride *stride,
            const float *const *weights, const double *force_n, int count,
            sb_point_motion *seen) {
    vd moved[SB_FIELD_POINTS], speed[SB_FIELD_POINTS], force[SB_FIELD_POINTS];
    vd heard = VD_SPLAT(0.0);
    UNROLL
    for (int i = 0; i < count; i++) {
        moved[i] = speed[i] = heard;
        force[i] = VD_SPLAT(force_n[i]);
    }
    for (int k = 0; k < field->count; k += HALF) {
        vd phi[SB_FIELD_POINTS], push = VD_SPLAT(0.0);
        UNROLL
        for (int i = 0; i < count; i++) {
            phi[i] = load_weights(weights[i] + k);
            push = VD_FMA(phi[i], force[i], push);
        }
        vd g = load_double(stride->g + k), s = load_double(stride->s + k);
        vd dq = VD_FMA(g, push, load_double(field->dq + k));
        vd v = VD_FMA(s, push, load_double(field->vn + k));
        vd q = load_double(field->q + k) + dq;
        vd p = -load_double(field->stiffness + k) * q;
        dq = VD_FMA(g, p, s * v);
        vd vn = VD_FMA(load_double(stride->t + k), v, s * p);
        store_double(field->q + k, q);
        store_double(field->v + k, v);
        store_double(field->dq + k, dq);
        store_double(field->vn + k, vn);
        heard = VD_FMA(load_double(field->gain + k), v, heard);
        UNROLL
        for (int i = 0; i < count; i++) {
            moved[i] = VD_FMA(phi[i], dq, moved[i]);
            speed[i] = VD_FMA(phi[i], vn, speed[i]);
        }
    }
    for (int i = 0; i < count; i++)
        seen[i] = (sb_point_motion){vd_sum(moved[i]), vd_sum(speed[i]), 0};
    return vd_sum(heard);
}

static sb_point_motion field_step(sb_modal_field *field,
                                  const sb_modal_stride *stride,
                                  const float *weights, double force_n) {
    sb_point_motion seen;
    double heard = step_points(field, stride, &weights, &force_n, 1, &seen);
    seen.heard = heard;
    return seen;
}

static double field_step_points(sb_modal_field *field,
                                const sb_modal_stride *stride,
                                const float *const *weights,
                                const double *force_n, int count,
                                sb_point_motion *seen) {
    switch (count) {
    case 1:
        return step_points(field, stride, weights, force_n, 1, seen);
    case 2:
        return step_points(field, stride, weights, force_n, 2, seen);
    case 3:
        return step_points(field, stride, weights, force_n, 3, seen);
    case 4:
        return step_points(field, stride, weights, force_n, 4, seen);
    case 5:
        return step_points(field, stride, weights, force_n, 5, seen);
    default:
        return step_points(field, stride, weights, force_n, SB_FIELD_POINTS,
                           seen);
    }
}
static double field_energy(const double *stiffness, const double *q,
                           const double *v, int count) {
    vd sum = VD_SPLAT(0.0);
    for (int k = 0; k < count; k += HALF) {
        vd x = load_double(q + k), y = load_double(v + k);
        sum += VD_FMA(load_double(stiffness + k) * x, x, y * y);
    }
    return vd_sum(sum);
}

/* Two sums at once: phi a and phi b. */
static sb_point_motion field_sums(const double *a, const double *b,
                                  const float *weights, int count) {
    vd first = VD_SPLAT(0.0), second = first;
    for (int k = 0; k < count; k += HALF) {
        vd phi = load_weights(weights + k);
        first = VD_FMA(phi, load_double(a + k), first);
        second = VD_FMA(phi, load_double(b + k), second);
    }
    return (sb_point_motion){vd_sum(first), vd_sum(second), 0};
}

static double field_hear(const double *gain, const double *v, int count) {
    vd sum = VD_SPLAT(0.0);
    for (int k = 0; k < count; k += HALF)
        sum = VD_FMA(load_double(gain + k), load_double(v + k), sum);
    return vd_sum(sum);
}

#endif
