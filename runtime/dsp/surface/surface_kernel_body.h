/* SPDX-License-Identifier: MIT */
/* runtime/dsp/surface/surface_kernel_body.h -- the source of surface_kernel.h
 * for any vector width.
 *
 * A .c file per instruction set defines LANES, of vector.h, and KERNEL, the name
 * of the table, and then includes this.
 */
#include "runtime/base/pi.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/surface/surface_kernel.h"
#include "runtime/dsp/vector/vector.h"

/* --- half-sine pulses -----------------------------------------------------*/

static inline vd vd_least(vd a, vd b) {
    return vd_select((vi)(a < b), a, b);
}

/* cos y for |y| <= pi / 2, to 1e-14. */
static inline vd vd_half_wave(vd y) {
    return vd_polynomial(
        y * y,
        (const double[]){1.0 / 2432902008176640000.0, -1.0 / 6402373705728000.0,
                         1.0 / 20922789888000.0, -1.0 / 87178291200.0,
                         1.0 / 479001600.0, -1.0 / 3628800.0, 1.0 / 40320.0,
                         -1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0},
        11);
}

/* P of a unit impulse `t` frames after its start; w = pi / T. */
static inline vd pulse_twice(vd t, vd duration, vd w, vd scale) {
    vd inside = vd_least(t, duration), zero = VD_SPLAT(0.0);
    vd beyond = t - inside;
    inside = vd_select((vi)(inside > zero), inside, zero);
    vd sine = vd_half_wave((inside - VD_SPLAT(0.5) * duration) * w);
    return VD_FMA(VD_SPLAT(0.5), VD_FNMA(sine, scale, inside), beyond);
}

/* Processes whole vectors of frames from `first` on, a multiple of 8. */
static void pulse(const sb_pulse *p, int first, int count, float *impulse_ns) {
    enum { AHEAD = SB_PULSES_AHEAD };
    /* A pulse of zero duration is replaced by a very short one. */
    const double T = p->duration_frames > 1e-6 ? p->duration_frames : 1e-6;
    const double w = SB_PI / T;
    const double J = p->impulse_ns, d3 = J * (1.0 / 90.0);
    const double d2 = J * (-1.0 / 12.0 - 6.0 / 90.0);
    const double d1 = J * (1.0 + 4.0 / 12.0 + 15.0 / 90.0);
    const double d0 = J * (-2.0 - 6.0 / 12.0 - 20.0 / 90.0);
    double twice[SB_BLOCK_FRAMES + 2 * HALF + 2 * AHEAD];
    vd count_up; /* 0, 1, 2 ... */
    UNROLL
    for (int i = 0; i < HALF; i++)
        count_up[i] = i;
    vd t = count_up + VD_SPLAT(first - AHEAD - p->start_frame);
    for (int n = 0; n < count + 2 * AHEAD; n += HALF) {
        *(vd_unaligned *)(twice + n) =
            pulse_twice(t, VD_SPLAT(T), VD_SPLAT(w), VD_SPLAT(T / SB_PI));
        t += VD_SPLAT(HALF);
    }
    for (int n = 0; n < count; n += HALF) {
        const double *at = twice + n;
        vd near = load_unaligned(at + 2) + load_unaligned(at + 4);
        vd next = load_unaligned(at + 1) + load_unaligned(at + 5);
        vd far = load_unaligned(at) + load_unaligned(at + 6);
        vd sum = VD_FMA(VD_SPLAT(d1), near,
                        VD_SPLAT(d0) * load_unaligned(at + AHEAD));
        sum = VD_FMA(VD_SPLAT(d3), far, VD_FMA(VD_SPLAT(d2), next, sum));
        vh frames = load_half(impulse_ns + first + n);
        frames += __builtin_convertvector(sum, vh);
        memcpy(impulse_ns + first + n, &frames, sizeof frames);
    }
}

/* --- slopes of a profile --------------------------------------------------*/

enum { QUADS = LANES == 4 ? 1 : 2, PLACES = 4 * QUADS };

typedef float v4 __attribute__((vector_size(16)));
typedef float vq __attribute__((vector_size(PLACES * 4)));
typedef int32_t vq_whole __attribute__((vector_size(PLACES * 4)));
typedef uint64_t vu __attribute__((vector_size(LANES * 4)));
typedef uint32_t vu_half __attribute__((vector_size(LANES * 2)));

static inline v4 quad_at(const float *at) {
    v4 quad;
    memcpy(&quad, at, sizeof quad);
    return quad;
}

/* Four coefficients of one position, and of the fourth one after it. */
static inline vq coefficients_at(const float *spline, const uint32_t *index) {
#if LANES == 4
    return quad_at(spline + index[0]);
#else
    return __builtin_shufflevector(quad_at(spline + index[0]),
                                   quad_at(spline + index[4]), 0, 1, 2, 3, 4, 5,
                                   6, 7);
#endif
}

/* a0 b0 a1 b1 of every four; the other half; a0 a1 b0 b1; a2 a3 b2 b3. */
#if LANES == 4
#define ZIP_LOW(a, b)   __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b)  __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define JOIN_LOW(a, b)  __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define JOIN_HIGH(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define ZIP_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define JOIN_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define JOIN_HIGH(a, b) \
    __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#endif

/* Twice the slope, per point. */
static inline vq spline_slopes(const float *spline, const uint32_t *index,
                               vq t) {
    vq a = coefficients_at(spline, index);
    vq b = coefficients_at(spline, index + 1);
    vq c = coefficients_at(spline, index + 2);
    vq d = coefficients_at(spline, index + 3);
    /* Transpose: four coefficients of each position to all positions of
     * each. */
    vq ab = ZIP_LOW(a, b), cd = ZIP_LOW(c, d);
    vq c0 = JOIN_LOW(ab, cd), c1 = JOIN_HIGH(ab, cd);
    ab = ZIP_HIGH(a, b);
    cd = ZIP_HIGH(c, d);
    vq c2 = JOIN_LOW(ab, cd), c3 = JOIN_HIGH(ab, cd);
    vq d0 = c1 - c0, d1 = c2 - c1, d2 = c3 - c2, bend = d1 - d0;
    return d0 + d1 + t * (bend + bend + t * (d2 - d1 - bend));
}

/* The cell of each position, and the fraction in units of 2^-24. */
static inline void find_cells(const sb_surface_level *level,
                              const uint64_t *phases, int count,
                              uint32_t *index, int32_t *part) {
    const uint64_t third = level->factor == 3 ? 0 : ~(uint64_t)0;
    const uint64_t shift = (uint64_t)(unsigned)level->shift;
    vu is_four = third - (vu){0}, by = shift - (vu){0}, up = 64 - by;
    for (int n = 0; n < count; n += HALF) {
        vu phase;
        memcpy(&phase, phases + n, sizeof phase);
        phase >>= 2;
        /* Times 3 or 4. */
        vu place = phase + phase + phase + (phase & is_four);
        vu_half whole = __builtin_convertvector(place >> by, vu_half);
        vu_half rest = __builtin_convertvector(place << up >> 40, vu_half);
        memcpy(index + n, &whole, sizeof whole);
        memcpy(part + n, &rest, sizeof rest);
    }
}

static void slopes(const sb_surface_level *level, const float *spline,
                   float scale, const uint64_t *phases, const float *speeds,
                   int count, float *out) {
    enum { MOST = 128 };
    uint32_t index[MOST];
    int32_t part[MOST];
    for (int done = 0; done < count; done += MOST) {
        int here = count - done < MOST ? count - done : MOST;
        find_cells(level, phases + done, here, index, part);
        for (int n = 0; n < here; n += PLACES) {
            vq_whole parts;
            vq speed, sum;
            memcpy(&parts, part + n, sizeof parts);
            memcpy(&speed, speeds + done + n, sizeof speed);
            memcpy(&sum, out + done + n, sizeof sum);
            vq t = __builtin_convertvector(parts, vq) * (1.0f / 16777216.0f);
            sum += spline_slopes(spline, index + n, t) * scale * speed;
            memcpy(out + done + n, &sum, sizeof sum);
        }
    }
}

/* --- a low-pass of second order -------------------------------------------*/

enum { STEP = SB_LOWPASS_STEP, STEP_VECTORS = STEP / HALF };

/* Frame by frame each output would depend on the one before. With the impulse
 * response h,
 *
 *     y[j] = sum over i <= j of h[j - i] x'[i]
 *            + h[j + 1] y[-1] - a[1] h[j] y[-2],
 *
 * x' being b applied to x, so that only the last two of eight are recursive.
 */
typedef struct impulse_response {
    double room[STEP + STEP + 1]; /* h[0] follows STEP zeros */
    double second[STEP];          /* -a[1] h */
} impulse_response;

static inline void find_response(const double a[2], impulse_response *by) {
    double *h = by->room + STEP;
    for (int i = 0; i < STEP; i++)
        by->room[i] = 0.0;
    h[0] = 1.0;
    h[1] = -a[0];
    for (int i = 2; i <= STEP; i++)
        h[i] = -a[0] * h[i - 1] - a[1] * h[i - 2];
    for (int i = 0; i < STEP; i++)
        by->second[i] = -a[1] * h[i];
}

static inline void lowpass_step(const impulse_response *by, const double *x,
                                double state[2], double *y) {
    const double *h = by->room + STEP;
    vd out[STEP_VECTORS];
    UNROLL
    for (int v = 0; v < STEP_VECTORS; v++)
        out[v] = VD_SPLAT(x[0]) * load_unaligned(h + v * HALF);
    UNROLL
    for (int i = 1; i < STEP; i++) {
        vd from = VD_SPLAT(x[i]);
        UNROLL
        for (int v = i / HALF; v < STEP_VECTORS; v++)
            out[v] = VD_FMA(from, load_unaligned(h + v * HALF - i), out[v]);
    }
    vd last = VD_SPLAT(state[1]), before = VD_SPLAT(state[0]);
    UNROLL
    for (int v = 0; v < STEP_VECTORS; v++) {
        vd second = load_unaligned(by->second + v * HALF);
        out[v] = VD_FMA(before, second, out[v]);
        out[v] = VD_FMA(last, load_unaligned(h + 1 + v * HALF), out[v]);
        *(vd_unaligned *)(y + v * HALF) = out[v];
    }
    state[0] = y[STEP - 2];
    state[1] = y[STEP - 1];
}

static void lowpass(const double b[3], const double a[2], const float *in,
                    int count, double state[2], float *out) {
    double x[SB_BLOCK_FRAMES], y[STEP];
    impulse_response by;
    find_response(a, &by);
    for (int n = 0; n < count; n += HALF) {
        vd now = VD_FROM_HALF(load_half(in + n));
        vd last = VD_FROM_HALF(load_half(in + n - 1));
        vd before = VD_FROM_HALF(load_half(in + n - 2));
        vd sum = VD_FMA(VD_SPLAT(b[1]), last, VD_SPLAT(b[2]) * before);
        *(vd_unaligned *)(x + n) = VD_FMA(VD_SPLAT(b[0]), now, sum);
    }
    for (int n = 0; n < count; n += STEP) {
        lowpass_step(&by, x + n, state, y);
        UNROLL
        for (int i = 0; i < STEP; i += HALF)
            store_half(out + n + i, load_unaligned(y + i));
    }
}

const sb_surface_kernel KERNEL = {
    .pulse = pulse,
    .slopes = slopes,
    .lowpass = lowpass,
};
