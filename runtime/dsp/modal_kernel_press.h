/* runtime/dsp/modal_kernel_press.h -- the inner loops of modal_field.c for one
 * contact by itself, and for none.
 *
 * Part of modal_kernel_body.h, which see. In a step without a force
 *
 *     q' = (1 - G k) q + S v,    v' = T v - S k q,    k = w0^2
 *
 * and the point moves by sum phi (S v - G k q). Put one into the other and its
 * next move is a sum over q and v of now; `ahead` are the factors.
 */
#ifndef SB_DSP_MODAL_KERNEL_PRESS_H
#define SB_DSP_MODAL_KERNEL_PRESS_H

#include "runtime/dsp/modal_kernel_field.h"

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

/* The sums on their way; of q and of v apart, so that neither waits for the
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

static inline sb_modal_glimpse ahead_end(const ahead_sums *sums) {
    return (sb_modal_glimpse){vd_sum(sums->by_q + sums->by_v), 0.0,
                              vd_sum(sums->heard)};
}

static sb_modal_glimpse field_ahead(const sb_modal_field *field) {
    ahead_sums sums = ahead_begin();
    for (int k = 0; k < field->count; k += HALF)
        ahead_add(&sums, field, k, load_double(field->q + k),
                  load_double(field->v + k));
    return ahead_end(&sums);
}

static sb_modal_glimpse field_press(sb_modal_field *field,
                                    const sb_modal_stride *stride,
                                    const float *weights, double force_n) {
    ahead_sums sums = ahead_begin();
    vd force = VD_SPLAT(force_n);
    for (int k = 0; k < field->count; k += HALF) {
        vd q = load_double(field->q + k), v = load_double(field->v + k);
        vd s = load_double(stride->s + k);
        IN_REGISTER(q); /* loads are the bottleneck */
        IN_REGISTER(v);
        IN_REGISTER(s);
        vd p = VD_FNMA(load_double(field->stiffness + k), q,
                       load_weights(weights + k) * force);
        q += VD_FMA(load_double(stride->g + k), p, s * v);
        v = VD_FMA(load_double(stride->t + k), v, s * p);
        store_double(field->q + k, q);
        store_double(field->v + k, v);
        ahead_add(&sums, field, k, q, v);
    }
    return ahead_end(&sums);
}

/* Modes without a force, two vectors of them at a time, so that one's operations
 * fill the other's waiting. */
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

#endif
