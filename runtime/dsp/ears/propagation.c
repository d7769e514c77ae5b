/* The ears: ring buffers, the low-pass of the head shadow, and the output.
 * Thread: audio, except init. */
#include "runtime/dsp/ears/propagation.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/ears/propagation_internal.h"
#include "runtime/dsp/vector/isa.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The longest delay; bodies beyond some 1.1 km are heard from there. */
#define FARTHEST_S 3.2

/* Kaiser window with images 90 dB down; 24 taps then pass three quarters of the
 * band. */
#define KAISER_BETA 9.2

#define SHADOW_S  0.00133
#define DC_HZ     5.0
#define DC_AT_END 3e-7 /* a hundredth of a 16-bit step counts as silence */

/* --- instruction sets ------------------------------------------------------*/

static const sb_hear_kernel *const kernels[SB_ISA_COUNT] = {
    [SB_ISA_PORTABLE] = &sb_hear_kernel_portable,
#if defined(__x86_64__)
    [SB_ISA_AVX2] = &sb_hear_kernel_avx2,
    [SB_ISA_AVX512] = &sb_hear_kernel_avx2,
#endif
};

/* --- life ------------------------------------------------------------------*/

static int shadow_half(double rate_hz) {
    int half = (int)(SHADOW_S * rate_hz + 0.5);
    return half > SB_SHADOW_HALF_MAX ? SB_SHADOW_HALF_MAX : half;
}

static uint32_t ring_frames(double rate_hz) {
    double need = FARTHEST_S * rate_hz + 4 * SB_SHADOW_HALF_MAX +
                  HEAR_FASTEST * SB_BLOCK_FRAMES;
    uint32_t frames = 1024;
    while ((double)frames < need)
        frames *= 2;
    return frames;
}

size_t sb_ears_bytes(double sample_rate_hz) {
    return sizeof(sb_ears) +
           4 * sizeof(float) * (size_t)ring_frames(sample_rate_hz);
}

int sb_ears_latency(double sample_rate_hz) {
    return HEAR_HALF + sb_air_half(sample_rate_hz) +
           shadow_half(sample_rate_hz);
}

static double bessel_i0(double x) {
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 40; k++) {
        term *= (x / (2 * k)) * (x / (2 * k));
        sum += term;
    }
    return sum;
}

static double kaiser(double x, double beta) {
    return bessel_i0(beta * sqrt(fmax(1.0 - x * x, 0.0))) / bessel_i0(beta);
}

/* A windowed sinc for a position between frames 11 and 12 of its taps; its sum
 * is 1, so that low frequencies keep their level at every position. */
static void make_taps(int phase, double taps[SB_HEAR_TAPS]) {
    double sum = 0.0;
    for (int k = 0; k < SB_HEAR_TAPS; k++) {
        double x = k - (HEAR_HALF - 1) - (double)phase / SB_HEAR_PHASES;
        double sinc = x == 0.0 ? 1.0 : sin(SB_PI * x) / (SB_PI * x);
        /* At a frame all other taps are 0, without rounding errors. */
        if (phase % SB_HEAR_PHASES == 0 && fabs(x) > 0.5) sinc = 0.0;
        taps[k] = sinc * kaiser(x / HEAR_HALF, KAISER_BETA);
        sum += taps[k];
    }
    for (int k = 0; k < SB_HEAR_TAPS; k++)
        taps[k] /= sum;
}

static void make_rows(float *rows) {
    double here[SB_HEAR_TAPS], next[SB_HEAR_TAPS];
    make_taps(0, next);
    for (int p = 0; p < SB_HEAR_PHASES; p++) {
        memcpy(here, next, sizeof here);
        make_taps(p + 1, next);
        for (int k = 0; k < SB_HEAR_TAPS; k++) {
            rows[p * SB_HEAR_ROW + k] = (float)here[k];
            rows[p * SB_HEAR_ROW + SB_HEAR_TAPS + k] =
                (float)(next[k] - here[k]);
        }
    }
}

/* The windowed inverse transform of 1 / sqrt(1 + (f / corner)^2), which is the
 * response of a sphere where alpha is 0. Its sum is 1. */
static void make_shadow(sb_ears *ears) {
    enum { STEPS = 1024 };
    int half = ears->shadow_half;
    double corner = SB_SHADOW_HZ / ears->sample_rate_hz, sum = 0.0;
    double c[SB_SHADOW_HALF_MAX + 1];
    for (int k = 0; k <= half; k++) {
        c[k] = 0.0;
        for (int i = 0; i < STEPS; i++) {
            double f = 0.5 * (i + 0.5) / STEPS;
            c[k] += cos(2 * SB_PI * k * f) /
                    sqrt(1.0 + (f / corner) * (f / corner));
        }
        c[k] *= kaiser((double)k / (half + 1), 4.0);
        sum += k ? 2 * c[k] : c[k];
    }
    for (int k = 0; k <= half; k++)
        ears->shadow[k] = (float)(c[k] / sum);
}

sb_ears *sb_ears_init(void *memory, double sample_rate_hz) {
    sb_ears *ears = memory;
    uint32_t frames = ring_frames(sample_rate_hz);
    ears->sample_rate_hz = sample_rate_hz;
    ears->air_half = sb_air_half(sample_rate_hz);
    ears->shadow_half = shadow_half(sample_rate_hz);
    ears->lag = ears->air_half + HEAR_HALF;
    ears->mask = frames - 1;
    ears->delay_max = FARTHEST_S * sample_rate_hz;
    ears->dc_keep = exp(-2 * SB_PI * DC_HZ / sample_rate_hz);
    ears->busy_until = ears->dull_until = ears->loud_until = INT64_MIN / 2;
    ears->kernel = kernels[sb_isa_chosen()];
    float *at = (float *)(void *)(ears + 1);
    for (int ear = 0; ear < 2; ear++) {
        ears->full[ear] = at;
        ears->dull[ear] = at + frames;
        at += 2 * (size_t)frames;
    }
    make_rows(ears->rows);
    make_shadow(ears);
    return ears;
}

void sb_ears_begin(sb_ears *ears, int64_t frame) {
    ears->frame = frame;
}

/* --- hearing ---------------------------------------------------------------*/

/* First frame that is heard in this block. */
static int64_t heard_frame(const sb_ears *ears) {
    return ears->frame - ears->lag - ears->shadow_half;
}

/* Frames until everything that arrived up to `frame` has been output. */
static int64_t frames_until(const sb_ears *ears, int64_t frame) {
    int64_t left = frame + ears->shadow_half - heard_frame(ears);
    return left > 0 ? left : 0;
}

static void read_ring(const sb_ears *ears, const float *ring, int64_t from,
                      float *out, int count) {
    for (int n = 0; n < count;) {
        uint32_t place = (uint32_t)(from + n) & ears->mask;
        uint32_t left = ears->mask + 1 - place;
        int some = (uint32_t)(count - n) < left ? count - n : (int)left;
        memcpy(out + n, ring + place, (size_t)some * sizeof *out);
        n += some;
    }
}

static void clear_ring(const sb_ears *ears, float *ring, int64_t from) {
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        ring[(uint32_t)(from + n) & ears->mask] = 0.0f;
}

static void hear_dull(const sb_ears *ears, float *ring, float *out) {
    float in[SB_BLOCK_FRAMES + 2 * SB_SHADOW_HALF_MAX];
    int half = ears->shadow_half;
    int64_t from = heard_frame(ears) - half;
    read_ring(ears, ring, from, in, SB_BLOCK_FRAMES + 2 * half);
    ears->kernel->filter(in + half, ears->shadow, half, out, SB_BLOCK_FRAMES);
    clear_ring(ears, ring, from);
}

/* y[n] = x[n] - x[n - 1] + keep y[n - 1]; high frequencies are unchanged. */
static void add_without_dc(sb_ears *ears, int ear, const float *x,
                           float *stereo) {
    double in = ears->dc_in[ear], out = ears->dc_out[ear];
    double keep = ears->dc_keep, scale = 0.5 * (1.0 + keep);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        double now = (double)x[n];
        out = scale * (now - in) + keep * out;
        in = now;
        stereo[2 * n + ear] += (float)out;
    }
    ears->dc_in[ear] = in;
    ears->dc_out[ear] = out;
}

static bool is_settled(const sb_ears *ears) {
    return fabs(ears->dc_out[0]) < DC_AT_END &&
           fabs(ears->dc_out[1]) < DC_AT_END;
}

static void hear(sb_ears *ears, int ear, float *out) {
    int64_t from = heard_frame(ears);
    read_ring(ears, ears->full[ear], from, out, SB_BLOCK_FRAMES);
    clear_ring(ears, ears->full[ear], from);
    if (ears->dull_until <= from - ears->shadow_half) return;
    float dull[SB_BLOCK_FRAMES];
    hear_dull(ears, ears->dull[ear], dull);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        out[n] += dull[n];
}

void sb_ears_give(sb_ears *ears, float *stereo) {
    if (frames_until(ears, ears->busy_until) == 0 && is_settled(ears)) {
        memset(ears->dc_in, 0, sizeof ears->dc_in);
        memset(ears->dc_out, 0, sizeof ears->dc_out);
        return;
    }
    for (int ear = 0; ear < 2; ear++) {
        float out[SB_BLOCK_FRAMES];
        hear(ears, ear, out);
        add_without_dc(ears, ear, out, stereo);
    }
}

int64_t sb_ears_travelling(const sb_ears *ears) {
    return frames_until(ears, ears->loud_until);
}
