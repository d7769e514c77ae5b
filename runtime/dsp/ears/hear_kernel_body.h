/* SPDX-License-Identifier: MIT */
/* The inner loops of hear_kernel.h, for vectors of LANES floats. */
#include "runtime/dsp/ears/hear_kernel.h"

#include <string.h>

enum { TAPS = SB_HEAR_TAPS, GROUP = SB_HEAR_LANES };

typedef float vf __attribute__((vector_size(4 * LANES)));
typedef float vf_anywhere
    __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

#define LOAD(p)     ((vf) * (const vf_anywhere *)(const void *)(p))
#define STORE(p, v) (*(vf_anywhere *)(void *)(p) = (v))

/* Four vectors at a time, to hide the latency of the additions. */
static void filter(const float *x, const float *c, int half, float *out,
                   int count) {
    for (int n = 0; n < count; n += 4 * LANES) {
        const float *at = x + n;
        vf c0 = SPLAT(c[0]);
        vf s0 = c0 * LOAD(at), s1 = c0 * LOAD(at + LANES);
        vf s2 = c0 * LOAD(at + 2 * LANES), s3 = c0 * LOAD(at + 3 * LANES);
        for (int k = 1; k <= half; k++) {
            const float *l = at - k, *r = at + k;
            vf ck = SPLAT(c[k]);
            s0 = VF_FMA(ck, LOAD(l) + LOAD(r), s0);
            s1 = VF_FMA(ck, LOAD(l + LANES) + LOAD(r + LANES), s1);
            s2 = VF_FMA(ck, LOAD(l + 2 * LANES) + LOAD(r + 2 * LANES), s2);
            s3 = VF_FMA(ck, LOAD(l + 3 * LANES) + LOAD(r + 3 * LANES), s3);
        }
        STORE(out + n, s0);
        STORE(out + n + LANES, s1);
        STORE(out + n + 2 * LANES, s2);
        STORE(out + n + 3 * LANES, s3);
    }
}

static void make_taps(double frame_part, const float *rows, float taps[TAPS]) {
    double phase = frame_part * SB_HEAR_PHASES;
    const float *row = rows + (int)phase * SB_HEAR_ROW;
    vf q = SPLAT((float)(phase - (int)phase));
    for (int k = 0; k < TAPS; k += LANES)
        STORE(taps + k, VF_FMA(q, LOAD(row + TAPS + k), LOAD(row + k)));
}

static void still(const float *x, double frame_part, const float *rows,
                  float *out, int count) {
    float taps[TAPS];
    make_taps(frame_part, rows, taps);
    int n = 0;
    for (; n + 4 * LANES <= count; n += 4 * LANES) {
        vf s0 = SPLAT(0.0f), s1 = s0, s2 = s0, s3 = s0;
        for (int k = 0; k < TAPS; k++) {
            const float *at = x + n + k;
            vf tap = SPLAT(taps[k]);
            s0 = VF_FMA(tap, LOAD(at), s0);
            s1 = VF_FMA(tap, LOAD(at + LANES), s1);
            s2 = VF_FMA(tap, LOAD(at + 2 * LANES), s2);
            s3 = VF_FMA(tap, LOAD(at + 3 * LANES), s3);
        }
        STORE(out + n, s0);
        STORE(out + n + LANES, s1);
        STORE(out + n + 2 * LANES, s2);
        STORE(out + n + 3 * LANES, s3);
    }
    for (; n < count; n += LANES) {
        vf sum = SPLAT(0.0f);
        for (int k = 0; k < TAPS; k++)
            sum = VF_FMA(SPLAT(taps[k]), LOAD(x + n + k), sum);
        STORE(out + n, sum);
    }
}

static void still_pair(const float *x, const double frame_part[2],
                       const float *rows, float *const out[2], int count) {
    float a[TAPS], b[TAPS];
    make_taps(frame_part[0], rows, a);
    make_taps(frame_part[1], rows, b);
    for (int n = 0; n < count; n += 4 * LANES) {
        vf a0 = SPLAT(0.0f), a1 = a0, a2 = a0, a3 = a0;
        vf b0 = a0, b1 = a0, b2 = a0, b3 = a0;
        for (int k = 0; k < TAPS; k++) {
            const float *at = x + n + k;
            vf ta = SPLAT(a[k]), tb = SPLAT(b[k]), here = LOAD(at);
            a0 = VF_FMA(ta, here, a0);
            b0 = VF_FMA(tb, here, b0);
            here = LOAD(at + LANES);
            a1 = VF_FMA(ta, here, a1);
            b1 = VF_FMA(tb, here, b1);
            here = LOAD(at + 2 * LANES);
            a2 = VF_FMA(ta, here, a2);
            b2 = VF_FMA(tb, here, b2);
            here = LOAD(at + 3 * LANES);
            a3 = VF_FMA(ta, here, a3);
            b3 = VF_FMA(tb, here, b3);
        }
        float *left = out[0] + n, *right = out[1] + n;
        STORE(left, a0);
        STORE(left + LANES, a1);
        STORE(left + 2 * LANES, a2);
        STORE(left + 3 * LANES, a3);
        STORE(right, b0);
        STORE(right + LANES, b1);
        STORE(right + 2 * LANES, b2);
        STORE(right + 3 * LANES, b3);
    }
}

/* The sum over the lanes of each of eight vectors. */
static inline void sum_lanes(const vf a[GROUP], float *out) {
#if defined(__AVX2__)
    __m256 s01 = _mm256_hadd_ps((__m256)a[0], (__m256)a[1]);
    __m256 s23 = _mm256_hadd_ps((__m256)a[2], (__m256)a[3]);
    __m256 s45 = _mm256_hadd_ps((__m256)a[4], (__m256)a[5]);
    __m256 s67 = _mm256_hadd_ps((__m256)a[6], (__m256)a[7]);
    __m256 low = _mm256_hadd_ps(s01, s23), high = _mm256_hadd_ps(s45, s67);
    _mm256_storeu_ps(out,
                     _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20),
                                   _mm256_permute2f128_ps(low, high, 0x31)));
#else
    for (int j = 0; j < GROUP; j++)
        out[j] = (a[j][0] + a[j][1]) + (a[j][2] + a[j][3]);
#endif
}

/* Where outputs are read from: frame, start of the row, and fraction to the
 * next row. Entries past the end are computed in vain, at the last position.
 * They are computed for many at once and stored, which is faster than
 * extracting elements from vectors. */
enum { MANY = 8 * GROUP };

typedef struct places {
    int frame[MANY], row[MANY];
    float between[MANY];
} places;

static inline void find_places(const double w[4], int n, int count,
                               places *out) {
    int some = count - n < MANY ? count - n : MANY;
    some = (some + GROUP - 1) / GROUP * GROUP;
#if defined(__AVX2__)
    const __m256d last = _mm256_set1_pd(count - 1);
    const __m256d w0 = _mm256_set1_pd(w[0]), w1 = _mm256_set1_pd(w[1]);
    const __m256d w2 = _mm256_set1_pd(w[2]), w3 = _mm256_set1_pd(w[3]);
    __m256d next = _mm256_setr_pd(n, n + 1, n + 2, n + 3);
    for (int j = 0; j < some; j += 4) {
        __m256d at = _mm256_min_pd(next, last);
        __m256d place = _mm256_fmadd_pd(at, w3, w2);
        place = _mm256_fmadd_pd(at, place, w1);
        place = _mm256_fmadd_pd(at, place, w0);
        __m128i frame = _mm256_cvttpd_epi32(place);
        __m256d phase =
            _mm256_mul_pd(_mm256_sub_pd(place, _mm256_cvtepi32_pd(frame)),
                          _mm256_set1_pd(SB_HEAR_PHASES));
        __m128i row = _mm256_cvttpd_epi32(phase);
        __m256d rest = _mm256_sub_pd(phase, _mm256_cvtepi32_pd(row));
        row = _mm_mullo_epi32(row, _mm_set1_epi32(SB_HEAR_ROW));
        _mm_storeu_si128((__m128i *)(void *)(out->frame + j), frame);
        _mm_storeu_si128((__m128i *)(void *)(out->row + j), row);
        _mm_storeu_ps(out->between + j, _mm256_cvtpd_ps(rest));
        next = _mm256_add_pd(next, _mm256_set1_pd(4.0));
    }
#else
    for (int j = 0; j < some; j++) {
        double at = n + j < count ? n + j : count - 1;
        double place = w[0] + at * (w[1] + at * (w[2] + at * w[3]));
        out->frame[j] = (int)place;
        double phase = (place - out->frame[j]) * SB_HEAR_PHASES;
        int row = (int)phase;
        out->row[j] = row * SB_HEAR_ROW;
        out->between[j] = (float)(phase - row);
    }
#endif
}

static void moving(const float *x, const double w[4], const float *rows,
                   float *out, int count) {
    places p;
    for (int n = 0; n < count; n += GROUP) {
        int first = n % MANY;
        if (first == 0) find_places(w, n, count, &p);
        vf sums[GROUP];
        for (int j = 0; j < GROUP; j++) {
            const float *taps = rows + p.row[first + j];
            const float *from = x + p.frame[first + j];
            vf q = SPLAT(p.between[first + j]), sum = SPLAT(0.0f);
            for (int k = 0; k < TAPS; k += LANES) {
                vf tap = VF_FMA(q, LOAD(taps + TAPS + k), LOAD(taps + k));
                sum = VF_FMA(tap, LOAD(from + k), sum);
            }
            sums[j] = sum;
        }
        sum_lanes(sums, out + n);
    }
}

static void fir(const float *x, const float *c, int taps, float *out,
                int count) {
    for (int n = 0; n < count; n += 4 * LANES) {
        vf s0 = SPLAT(0.0f), s1 = s0, s2 = s0, s3 = s0;
        for (int k = 0; k < taps; k++) {
            const float *at = x + n - k;
            vf tap = SPLAT(c[k]);
            s0 = VF_FMA(tap, LOAD(at), s0);
            s1 = VF_FMA(tap, LOAD(at + LANES), s1);
            s2 = VF_FMA(tap, LOAD(at + 2 * LANES), s2);
            s3 = VF_FMA(tap, LOAD(at + 3 * LANES), s3);
        }
        STORE(out + n, s0);
        STORE(out + n + LANES, s1);
        STORE(out + n + 2 * LANES, s2);
        STORE(out + n + 3 * LANES, s3);
    }
}

/* Row after row: memory is read in sequence. */
static void weigh(const float *rows, const float *w, int count, float *out,
                  int width) {
    memset(out, 0, (size_t)width * sizeof *out);
    for (int k = 0; k < count; k++) {
        const float *row = rows + (size_t)k * (size_t)width;
        vf share = SPLAT(w[k]);
        for (int i = 0; i < width; i += 2 * LANES) {
            STORE(out + i, VF_FMA(share, LOAD(row + i), LOAD(out + i)));
            STORE(out + i + LANES,
                  VF_FMA(share, LOAD(row + i + LANES), LOAD(out + i + LANES)));
        }
    }
}

static void add(float *to, const float *y, const float g[3], int count) {
    vf g0 = SPLAT(g[0]), g1 = SPLAT(g[1]), g2 = SPLAT(g[2]);
    int n = 0;
    for (; n + LANES <= count; n += LANES) {
        vf at = RAMP + SPLAT((float)n);
        vf gain = VF_FMA(at, VF_FMA(at, g2, g1), g0);
        STORE(to + n, VF_FMA(gain, LOAD(y + n), LOAD(to + n)));
    }
    for (; n < count; n++) {
        float at = (float)n;
        to[n] += y[n] * (g[0] + at * (g[1] + at * g[2]));
    }
}

typedef int vi __attribute__((vector_size(4 * LANES)));
typedef int vi_anywhere
    __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* Non-negative floats are ordered like their bits. */
static float peak(const float *x, int count) {
    vi most = {0};
    for (int n = 0; n < count; n += LANES) {
        vi bits = *(const vi_anywhere *)(const void *)(x + n) & 0x7fffffff;
        vi is_more = bits > most;
        most = (bits & is_more) | (most & ~is_more);
    }
    int top = 0;
    for (int j = 0; j < LANES; j++)
        if (most[j] > top) top = most[j];
    float out;
    memcpy(&out, &top, sizeof out);
    return out;
}

const sb_hear_kernel KERNEL = {filter, still, still_pair, moving,
                               fir,    weigh, add,        peak};
