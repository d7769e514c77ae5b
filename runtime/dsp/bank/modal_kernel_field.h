/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel_field.h -- the inner loops of modal_field.c.
 *
 * Part of modal_kernel_body.h. All arrays are aligned and padded to whole
 * groups; the weights are only padded.
 */
#pragma once

/* First: it defines SCALAR_FMA. */
#include "runtime/dsp/bank/modal_kernel_math.h"

#include "runtime/dsp/bank/hertz_step.h"
#include "runtime/dsp/bank/modal_field.h"

static inline vd load_weights(const float *from) {
    return VD_FROM_HALF(load_half(from));
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

static double field_energy_j(const sb_modal_field *field) {
    vd sum = VD_SPLAT(0.0);
    for (int k = 0; k < field->count; k += HALF) {
        vd x = load_double(field->q + k), y = load_double(field->v + k);
        sum += VD_FMA(load_double(field->stiffness + k) * x, x, y * y);
    }
    return 0.5 * vd_sum(sum);
}

/* Two sums at once: phi a and phi b. */
static inline sb_point_motion sums_of(const double *a, const double *b,
                                      const float *weights, int count) {
    vd first = VD_SPLAT(0.0), second = first;
    for (int k = 0; k < count; k += HALF) {
        vd phi = load_weights(weights + k);
        first = VD_FMA(phi, load_double(a + k), first);
        second = VD_FMA(phi, load_double(b + k), second);
    }
    return (sb_point_motion){vd_sum(first), vd_sum(second), 0};
}

static sb_point_motion field_read(const sb_modal_field *field,
                                  const float *weights) {
    return sums_of(field->q, field->v, weights, field->count);
}

static sb_point_motion field_point(const sb_modal_field *field,
                                   const float *weights) {
    return sums_of(field->dq, field->vn, weights, field->count);
}

static double field_hear(const sb_modal_field *field) {
    vd sum = VD_SPLAT(0.0);
    for (int k = 0; k < field->count; k += HALF)
        sum = VD_FMA(load_double(field->gain + k), load_double(field->v + k),
                     sum);
    return vd_sum(sum);
}

/* --- a single contact, and free ringing -------------------------------------
 *
 * In a step without a force
 *
 *     q' = (1 - G k) q + S v,    v' = T v - S k q,    k = w0^2
 *
 * and the point moves by sum phi (S v - G k q). Substituting one into the other
 * gives the motion in the next step as a sum over the present q and v; `ahead`
 * holds the factors. */

static sb_modal_aim field_aim(sb_modal_field *field,
                              const sb_modal_stride *stride,
                              const float *weights) {
    vd give = VD_SPLAT(0.0), later = give, moved = give;
    for (int k = 0; k < field->count; k += HALF) {
        vd phi = load_weights(weights + k), square = phi * phi;
        vd stiffness = load_double(field->stiffness + k);
        vd g = load_double(stride->g + k), s = load_double(stride->s + k);
        vd t = load_double(stride->t + k);
        vd gk = g * stiffness, sk = s * stiffness;
        vd by_q = VD_FMA(gk, VD_SPLAT(1.0) - gk, s * sk);
        store_double(field->ahead[0] + k, -(phi * by_q));
        store_double(field->ahead[1] + k, phi * (s * (t - gk)));
        give = VD_FMA(square, g, give);
        later = VD_FMA(square, VD_FNMA(gk, g, s * s), later);
        vd dq = VD_FNMA(gk, load_double(field->q + k),
                        s * load_double(field->v + k));
        moved = VD_FMA(phi, dq, moved);
    }
    return (sb_modal_aim){vd_sum(give), vd_sum(later), vd_sum(moved)};
}

/* Partial sums over q and over v separately, so that neither waits for the
 * other. */
typedef struct ahead_sums {
    vd by_q, by_v, heard;
} ahead_sums;

static inline ahead_sums ahead_begin(void) {
    vd zero = VD_SPLAT(0.0);
    return (ahead_sums){zero, zero, zero};
}

static inline void ahead_add(ahead_sums *sums, const sb_modal_field *field,
                             int k, vd q, vd v) {
    sums->by_q = VD_FMA(load_double(field->ahead[0] + k), q, sums->by_q);
    sums->by_v = VD_FMA(load_double(field->ahead[1] + k), v, sums->by_v);
    sums->heard = VD_FMA(load_double(field->gain + k), v, sums->heard);
}

static inline sb_point_motion ahead_end(const ahead_sums *sums) {
    return (sb_point_motion){vd_sum(sums->by_q + sums->by_v), 0.0,
                             vd_sum(sums->heard)};
}

static sb_point_motion field_ahead(const sb_modal_field *field) {
    ahead_sums sums = ahead_begin();
    for (int k = 0; k < field->count; k += HALF)
        ahead_add(&sums, field, k, load_double(field->q + k),
                  load_double(field->v + k));
    return ahead_end(&sums);
}

/* Advance the modes from `from` to `to` by one step. */
static inline __attribute__((always_inline)) void
press_some(const sb_modal_field *field, const sb_modal_stride *stride,
           const float *weights, vd force, int from, int to, ahead_sums *sums) {
    for (int k = from; k < to; k += HALF) {
        vd q = load_double(field->q + k), v = load_double(field->v + k);
        vd s = load_double(stride->s + k);
        IN_REGISTER(q); /* loads are the bottleneck here */
        IN_REGISTER(v);
        IN_REGISTER(s);
        vd p = VD_FNMA(load_double(field->stiffness + k), q,
                       load_weights(weights + k) * force);
        q += VD_FMA(load_double(stride->g + k), p, s * v);
        v = VD_FMA(load_double(stride->t + k), v, s * p);
        store_double(field->q + k, q);
        store_double(field->v + k, v);
        ahead_add(sums, field, k, q, v);
    }
}

static sb_point_motion field_press(sb_modal_field *field,
                                   const sb_modal_stride *stride,
                                   const float *weights, double force_n) {
    ahead_sums sums = ahead_begin();
    press_some(field, stride, weights, VD_SPLAT(force_n), 0, field->count,
               &sums);
    return ahead_end(&sums);
}

/* The contact's chain of square roots and divisions has a long latency. The
 * modes, which do not depend on each other, are advanced meanwhile. The two
 * must be interleaved in the code, because the out-of-order window is short. */
static inline __attribute__((always_inline)) sb_point_motion
press_and_step(const sb_modal_field *field, const sb_modal_stride *stride,
               const float *weights, double force_n, sb_hertz_step *hertz) {
    const int count = field->count, quarter = count / 4 / HALF * HALF;
    ahead_sums sums = ahead_begin();
    vd force = VD_SPLAT(force_n);
    hertz_roots(hertz);
    press_some(field, stride, weights, force, 0, quarter, &sums);
    hertz_quotient(hertz);
    press_some(field, stride, weights, force, quarter, 2 * quarter, &sums);
    hertz_slope(hertz);
    press_some(field, stride, weights, force, 2 * quarter, 3 * quarter, &sums);
    hertz_end(hertz);
    press_some(field, stride, weights, force, 3 * quarter, count, &sums);
    return ahead_end(&sums);
}

/* From one force to the next guess is a single operation: everything else is
 * prepared from the depth that would be reached without that force. */
static int field_hold(sb_modal_field *field, const sb_modal_stride *stride,
                      const float *weights, sb_modal_hold *hold, int steps) {
    const double h = stride->step_s, give = hold->give, yield = hold->yield;
    const double g = hold->gravity_m_s2, by_force = give + h * h * yield;
    double force = hold->force_n[0], last = hold->force_n[1];
    double before = hold->force_n[2], ahead = hold->ahead_m;
    double free_m = SCALAR_FMA(give, force, hold->depth_m);
    double speed = hold->speed_m_s + h * (yield * force - g);
    sb_hertz_step m = {
        .stiffness = hold->stiffness, .loss = hold->lambda / h, .give = give};
    int n = 0;
    hold->is_open = false;
    while (n < steps) {
        double there = free_m + h * (speed + 1.5 * g * h) - ahead;
        double guess = give * (3.0 * last - before);
        double all = by_force + hold->later;
        m.x0 = SCALAR_FMA(-give, force, free_m);
        m.free_m = SCALAR_FMA(-all, force, there);
        m.guess_m = SCALAR_FMA(-(all + 3.0 * give), force, there + guess);
        if (!(m.x0 > 0.0) || !(m.guess_m > 0.0)) break;
        sb_point_motion now = press_and_step(field, stride, weights, force, &m);
        speed += h * (g - yield * force);
        free_m = m.free_m;
        ahead = now.moved_m;
        hold->heard[n] = (float)now.heard;
        double depth = SCALAR_FMA(-give, m.force_n, free_m);
        if (!m.is_converged || !(depth > 0.0)) {
            hold->is_open = true;
            break;
        }
        before = last;
        last = force;
        force = m.force_n;
        hold->forces_n[n] = force;
        hold->depths_m[n] = depth;
        n++;
    }
    hold->free_m = free_m;
    hold->ahead_m = ahead;
    return n;
}

/* Modes without a force, two vectors at a time, so that the latency of one is
 * filled by the other. */
typedef struct free_pair {
    vd q[2], v[2], gain[2];
    vd qq[2], qv[2], vq[2], vv[2]; /* q' = qq q + qv v, v' = vq q + vv v */
} free_pair;

static inline free_pair free_begin(const sb_modal_field *field, int k) {
    const sb_modal_stride *stride = &field->whole;
    free_pair f;
    UNROLL
    for (int i = 0; i < 2; i++) {
        int at = k + i * HALF;
        vd stiffness = load_double(field->stiffness + at);
        f.q[i] = load_double(field->q + at);
        f.v[i] = load_double(field->v + at);
        f.gain[i] = load_double(field->gain + at);
        f.qv[i] = load_double(stride->s + at);
        f.vv[i] = load_double(stride->t + at);
        f.vq[i] = -(f.qv[i] * stiffness);
        f.qq[i] =
            VD_FNMA(load_double(stride->g + at), stiffness, VD_SPLAT(1.0));
    }
    return f;
}

static inline void free_step(free_pair *f) {
    UNROLL
    for (int i = 0; i < 2; i++) {
        vd q = f->q[i];
        f->q[i] = VD_FMA(f->qq[i], q, f->qv[i] * f->v[i]);
        f->v[i] = VD_FMA(f->vv[i], f->v[i], f->vq[i] * q);
    }
}

static inline vd free_sum(const vd by[2], const vd x[2], vd sum) {
    return VD_FMA(by[0], x[0], VD_FMA(by[1], x[1], sum));
}

static void field_coast(sb_modal_field *field, int frames, float *out) {
    vd sum[SB_BLOCK_FRAMES];
    for (int n = 0; n < frames; n++)
        sum[n] = VD_SPLAT(0.0);
    for (int k = 0; k < field->count; k += 2 * HALF) {
        free_pair f = free_begin(field, k);
        for (int n = 0; n < frames; n++) {
            sum[n] = free_sum(f.gain, f.v, sum[n]);
            free_step(&f);
        }
        UNROLL
        for (int i = 0; i < 2; i++) {
            store_double(field->q + k + i * HALF, f.q[i]);
            store_double(field->v + k + i * HALF, f.v[i]);
        }
    }
    for (int n = 0; n < frames; n++)
        out[n] += (float)vd_sum(sum[n]);
}

static void field_watch(sb_modal_field *field, const float *weights, int frames,
                        float *heard, double *path_m) {
    vd sum[SB_BLOCK_FRAMES], path[SB_BLOCK_FRAMES + 1];
    for (int n = 0; n < frames; n++)
        sum[n] = path[n] = VD_SPLAT(0.0);
    path[frames] = VD_SPLAT(0.0);
    for (int k = 0; k < field->count; k += 2 * HALF) {
        free_pair f = free_begin(field, k);
        const vd phi[2] = {load_weights(weights + k),
                           load_weights(weights + k + HALF)};
        for (int n = 0; n < frames; n++) {
            sum[n] = free_sum(f.gain, f.v, sum[n]);
            path[n] = free_sum(phi, f.q, path[n]);
            free_step(&f);
        }
        path[frames] = free_sum(phi, f.q, path[frames]);
        UNROLL
        for (int i = 0; i < 2; i++) {
            store_double(field->dq + k + i * HALF, f.q[i]);
            store_double(field->vn + k + i * HALF, f.v[i]);
        }
    }
    for (int n = 0; n < frames; n++)
        heard[n] += (float)vd_sum(sum[n]);
    for (int n = 0; n <= frames; n++)
        path_m[n] = vd_sum(path[n]);
}
