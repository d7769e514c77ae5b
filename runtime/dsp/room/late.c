/* SPDX-License-Identifier: MIT */
/* The late field: octave filters and delay network. Thread: see late.h. */
#include "runtime/dsp/room/late.h"

#include "runtime/base/pi.h"
#include "runtime/base/voice_types.h"

#include <math.h>
#include <stdbool.h>

enum {
    BANDS = SB_LATE_BANDS,
    LINES = SB_LATE_LINES,
    SIDE = 10, /* sections of one edge of an octave: order 20 */
    SECTIONS = 2 * SIDE,
    LANES = 4 /* octaves at a time */
};

/* The delays are spread over these multiples of their mean, evenly in their
 * logarithm; their mean is then 1. */
#define SHORTEST 0.54
#define LONGEST  1.65

/* A delay shorter than a block would be heard in the block it comes from. */
enum { LEAST_FRAMES = SB_BLOCK_FRAMES + 1 };

/* Above this share of the rate there is no octave. */
#define HIGHEST 0.45

typedef float vf __attribute__((vector_size(4 * LANES), may_alias));
typedef double vd __attribute__((vector_size(16), may_alias));

/* A section of a filter for all octaves, and its state (transposed form II). */
typedef struct section {
    double b0[BANDS], b1[BANDS], b2[BANDS], a1[BANDS], a2[BANDS];
    double s1[BANDS], s2[BANDS];
} section;

struct sb_late {
    _Alignas(64) section sections[SECTIONS];
    _Alignas(64) float gain[LINES][BANDS], input[LINES][BANDS];
    float *line[LINES]; /* length times BANDS */
    int length[LINES], at[LINES];
};

double sb_late_band_hz(int band) {
    return 125.0 * (double)(1 << band);
}

/* --- delays ---------------------------------------------------------------*/

static bool is_prime(int n) {
    for (int k = 2; k * k <= n; k++)
        if (n % k == 0) return false;
    return true;
}

#define PRIME_RATE_HZ 48000.0

int sb_late_size(double mean_s) {
    double steps = 2.0 * log(mean_s / sb_late_mean_s(1)) / log(2.0);
    int size = 1 + (int)floor(steps + 0.5);
    return size < 1 ? 1 : size > SB_LATE_SIZES ? SB_LATE_SIZES : size;
}

double sb_late_mean_s(int size) {
    return 0.008 * pow(2.0, 0.5 * (size - 1));
}

/* Distinct primes at 48 kHz: echoes of different lines coincide as late as
 * possible. The same times at other rates. */
static int find_lengths(double rate_hz, int size, int *out) {
    double mean = sb_late_mean_s(size) * PRIME_RATE_HZ;
    int sum = 0, last = 0;
    for (int i = 0; i < LINES; i++) {
        double share = SHORTEST * pow(LONGEST / SHORTEST, i / (LINES - 1.0));
        int frames = (int)(share * mean);
        if (frames <= last) frames = last + 1;
        while (!is_prime(frames))
            frames++;
        last = frames;
        out[i] = (int)(frames * rate_hz / PRIME_RATE_HZ + 0.5);
        if (out[i] < LEAST_FRAMES) out[i] = LEAST_FRAMES;
        sum += out[i];
    }
    return sum;
}

double sb_late_gain(int size, double density) {
    int lengths[LINES];
    int sum = find_lengths(PRIME_RATE_HZ, size, lengths);
    return sqrt(density * sum / PRIME_RATE_HZ);
}

/* --- octave filters -------------------------------------------------------*/

static void set_pass(section *s, int band) {
    s->b0[band] = 1.0;
}

/* Section `k` of a Butterworth filter at `freq_hz`, by the bilinear
 * transform. */
static void set_edge(section *s, int band, int k, double freq_hz,
                     double rate_hz, bool is_high) {
    double w = 2 * SB_PI * freq_hz / rate_hz, c = cos(w);
    double alpha = sin(w) * cos((2 * k + 1) * SB_PI / (4 * SIDE));
    double a0 = 1.0 + alpha, side = is_high ? 1.0 + c : 1.0 - c;
    s->b0[band] = 0.5 * side / a0;
    s->b1[band] = (is_high ? -side : side) / a0;
    s->b2[band] = 0.5 * side / a0;
    s->a1[band] = -2.0 * c / a0;
    s->a2[band] = (1.0 - alpha) / a0;
}

static void make_filters(sb_late *late, double rate_hz) {
    for (int band = 0; band < BANDS; band++) {
        double low_hz = sb_late_band_hz(band) * sqrt(0.5);
        double high_hz = sb_late_band_hz(band) * sqrt(2.0);
        bool is_there = band == 0 || low_hz < HIGHEST * rate_hz;
        bool is_last = band == BANDS - 1 || high_hz >= HIGHEST * rate_hz;
        for (int k = 0; is_there && k < SIDE; k++) {
            section *low = &late->sections[k];
            section *high = &late->sections[SIDE + k];
            if (band == 0) {
                set_pass(low, band);
            } else {
                set_edge(low, band, k, low_hz, rate_hz, true);
            }
            if (is_last) {
                set_pass(high, band);
            } else {
                set_edge(high, band, k, high_hz, rate_hz, false);
            }
        }
    }
}

/* One frame through all sections. */
static void split(sb_late *late, double x, float *out) {
    vd y[BANDS / 2];
    for (int i = 0; i < BANDS / 2; i++)
        y[i] = (vd){x, x};
    for (int k = 0; k < SECTIONS; k++) {
        section *s = &late->sections[k];
        const vd *b0 = (const vd *)s->b0, *b1 = (const vd *)s->b1;
        const vd *b2 = (const vd *)s->b2;
        const vd *a1 = (const vd *)s->a1, *a2 = (const vd *)s->a2;
        vd *s1 = (vd *)s->s1, *s2 = (vd *)s->s2;
        for (int i = 0; i < BANDS / 2; i++) {
            vd in = y[i], now = b0[i] * in + s1[i];
            s1[i] = b1[i] * in - a1[i] * now + s2[i];
            s2[i] = b2[i] * in - a2[i] * now;
            y[i] = now;
        }
    }
    for (int i = 0; i < BANDS; i++)
        out[i] = (float)y[i / 2][i % 2];
}

/* --- life -----------------------------------------------------------------*/

size_t sb_late_bytes(const sb_late_def *def) {
    int lengths[LINES];
    int sum = find_lengths(def->sample_rate_hz, def->size, lengths);
    return sizeof(sb_late) + (size_t)sum * BANDS * sizeof(float);
}

/* Per size, per octave. Neighbours have different signs, so they add in
 * power. */
static const uint16_t best_signs[SB_LATE_SIZES][BANDS] = {
#include "runtime/dsp/room/late_signs.def"
};

static float sign_of(const sb_late_def *def, int line, int band) {
    const uint16_t *signs = def->signs ? def->signs : best_signs[def->size - 1];
    return signs[band] >> line & 1 ? -1.0f : 1.0f;
}

sb_late *sb_late_init(void *memory, const sb_late_def *def) {
    sb_late *late = memory;
    float *at = (float *)(void *)(late + 1);
    (void)find_lengths(def->sample_rate_hz, def->size, late->length);
    for (int i = 0; i < LINES; i++) {
        late->line[i] = at;
        at += (size_t)late->length[i] * BANDS;
        double pass_s = late->length[i] / def->sample_rate_hz;
        for (int band = 0; band < BANDS; band++) {
            /* 1/4 makes the matrix of signs orthogonal. */
            late->gain[i][band] =
                (float)(0.25 * pow(10.0, -3.0 * pass_s / def->t60_s[band]));
            /* 1/4 spreads an energy of 1 over the lines, of which each ear
             * hears eight, times 1/4. */
            late->input[i][band] = (float)(sqrt(1.0 / 8.0) * def->gain[band]) *
                                   sign_of(def, i, band);
        }
    }
    make_filters(late, def->sample_rate_hz);
    return late;
}

int sb_late_longest(const sb_late *late) {
    return late->length[LINES - 1];
}

/* --- the network ----------------------------------------------------------*/

/* v becomes the product with the matrix of signs of order 16. */
static inline void mix(vf v[LINES]) {
    for (int step = 1; step < LINES; step *= 2) {
        for (int i = 0; i < LINES; i++) {
            if (i & step) continue;
            vf a = v[i], b = v[i + step];
            v[i] = a + b;
            v[i + step] = a - b;
        }
    }
}

static inline float sum_of(vf v) {
    return (v[0] + v[1]) + (v[2] + v[3]);
}

/* A block of the octaves `first` .. `first` + 3. */
static void run_lanes(sb_late *late, int first, const float (*u)[BANDS],
                      float *stereo) {
    vf v[LINES];
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        vf in = *(const vf *)&u[n][first], left = {0}, right = {0};
        for (int i = 0; i < LINES; i++) {
            int at = late->at[i] + n;
            if (at >= late->length[i]) at -= late->length[i];
            vf s = *(const vf *)&late->line[i][at * BANDS + first];
            v[i] = s * *(const vf *)&late->gain[i][first];
            if (i % 2) {
                right += v[i];
            } else {
                left += v[i];
            }
        }
        mix(v);
        for (int i = 0; i < LINES; i++) {
            int at = late->at[i] + n;
            if (at >= late->length[i]) at -= late->length[i];
            *(vf *)&late->line[i][at * BANDS + first] =
                v[i] + in * *(const vf *)&late->input[i][first];
        }
        stereo[2 * n] += sum_of(left);
        stereo[2 * n + 1] += sum_of(right);
    }
}

void sb_late_run(sb_late *late, const float *u, float *stereo) {
    _Alignas(64) float bands[SB_BLOCK_FRAMES][BANDS];
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        split(late, (double)u[n], bands[n]);
    for (int first = 0; first < BANDS; first += LANES)
        run_lanes(late, first, (const float(*)[BANDS])bands, stereo);
    for (int i = 0; i < LINES; i++) {
        late->at[i] += SB_BLOCK_FRAMES;
        if (late->at[i] >= late->length[i]) late->at[i] -= late->length[i];
    }
}
