/* SPDX-License-Identifier: MIT */
/* Densely spaced modes as filtered noise: tuning of the bands, and their
 * sound block by block. Thread: audio. */
#include "runtime/dsp/bank/diffuse.h"

#include "runtime/base/pi.h"
#include "runtime/base/voice_types.h"

#include <math.h>
#include <string.h>

/* A band that ends above this share of the sample rate is left out. */
#define HIGHEST_SHARE 0.45

/* Energies below this are set to zero. */
#define SILENT 1e-20

/* --- the bands ------------------------------------------------------------*/

/* The filter of a band: for each section the tangent of half the angle of its
 * centre, and 1/Q. Both edges are prewarped, so that they are the same at every
 * sample rate. */
typedef struct tuning {
    int sections;
    double centre; /* tangent of half the angle */
    double g[SB_DIFFUSE_STEEP], k[SB_DIFFUSE_STEEP];
} tuning;

/* With the pole x + iy and its conjugate. */
static void add_section(tuning *at, double x, double y) {
    double size = sqrt(x * x + y * y);
    at->g[at->sections] = at->centre * size;
    at->k[at->sections++] = -2.0 * x / size;
}

/* A pole p of Butterworth's low-pass becomes both roots h +- sqrt(h^2 - 1) of
 * s^2 - 2 h s + 1, h = p B / 2, B the width over the centre; a real one with
 * its conjugate is one section. */
static void tune_steep(tuning *at, int sections, double width) {
    for (int j = 0; 2 * j < sections; j++) {
        double angle = SB_PI * (0.5 + (2 * j + 1) / (2.0 * sections));
        double x = 0.5 * width * cos(angle), y = 0.5 * width * sin(angle);
        double real = x * x - y * y - 1.0, imaginary = 2.0 * x * y;
        double size = sqrt(real * real + imaginary * imaginary);
        double root_y = -sqrt(0.5 * (size - real));
        double root_x = root_y < 0.0 ? 0.5 * imaginary / root_y : 0.0;
        add_section(at, x + root_x, y + root_y);
        if (2 * j + 1 < sections) add_section(at, x - root_x, y - root_y);
    }
}

static tuning tune(const sb_diffuse_band *band, int sections, bool is_steep,
                   double rate) {
    double low = tan(SB_PI * band->low_hz / rate);
    double high = tan(SB_PI * band->high_hz / rate);
    tuning at = {.centre = sqrt(low * high)};
    double width = (high - low) / at.centre;
    if (is_steep) {
        tune_steep(&at, sections, width);
        return at;
    }
    double edge = sqrt(pow(2.0, 1.0 / sections) - 1.0);
    for (at.sections = 0; at.sections < sections; at.sections++) {
        at.g[at.sections] = at.centre;
        at.k[at.sections] = width / edge;
    }
    return at;
}

/* A trapezoidal state-variable filter, solved for its two states: v = (a + g (x
 * - b)) / (1 + g (g + k)), y = k v, a <- 2 v - a, b <- b + 2 g v. */
static void set_filter(sb_diffuse_filter *filter, int i, const tuning *at) {
    for (int j = 0; j < at->sections; j++) {
        sb_diffuse_section *to = &filter->sections[j];
        double g = at->g[j], k = at->k[j], give = 1.0 / (1.0 + g * (g + k));
        to->aa[i] = (float)(2.0 * give - 1.0);
        to->ab[i] = (float)(2.0 * g * give);
        to->bb[i] = (float)(1.0 - 2.0 * g * g * give);
        to->bx[i] = (float)(2.0 * g * g * give);
        to->ya[i] = (float)(k * give);
        to->yx[i] = (float)(k * g * give);
    }
}

/* The share of power that passes, at a tangent of half the angle. */
static double pass_share(const tuning *at, double tangent) {
    double share = 1.0;
    for (int j = 0; j < at->sections; j++) {
        double w = tangent / at->g[j], x = (w - 1.0 / w) / at->k[j];
        share /= 1.0 + x * x;
    }
    return share;
}

/* The equivalent noise bandwidth in Hz: an integral over the octaves about the
 * centre. */
static double width_hz(const tuning *at, double rate) {
    enum { STEPS = 400, OCTAVES = 16 };
    double sum = 0.0, step = (double)OCTAVES / STEPS;
    for (int j = 0; j < STEPS; j++) {
        double tangent =
            at->centre * pow(2.0, (j + 0.5) * step - OCTAVES / 2.0);
        sum += pass_share(at, tangent) * tangent /
               (1.0 + tangent * tangent); /* dw / d octave */
    }
    return sum * step * log(2.0) * rate / SB_PI;
}

/* Of the slowest section, per frame. */
static double slowest(const tuning *at) {
    double least = at->g[0] * at->k[0];
    for (int j = 1; j < at->sections; j++)
        least = fmin(least, at->g[j] * at->k[j]);
    return least;
}

static void set_values(sb_diffuse *diffuse, const sb_diffuse_def *def) {
    double dt_s = 1.0 / diffuse->sample_rate_hz;
    for (int b = 0; b < diffuse->band_count; b++) {
        const sb_diffuse_band *band = &def->bands[b];
        diffuse->four[b / 4].fade[b % 4] =
            (float)exp(-2.0 * band->sigma_per_s * dt_s);
        diffuse->goal[b] = diffuse->share[b] * sqrt(band->power);
    }
    diffuse->first_place = def->first_place;
    diffuse->place_count = def->place_count;
    memcpy(diffuse->place, def->place, sizeof diffuse->place);
    diffuse->is_toned = def->is_toned;
    memcpy(diffuse->place_of, def->place_of, sizeof diffuse->place_of);
}

/* Bands below the first one with a power are not computed. Bands that fade out
 * count until they are silent. */
static void set_extent(sb_diffuse *diffuse) {
    int first = 0;
    while (first < diffuse->band_count - 1 && !(diffuse->goal[first] > 0.0) &&
           !(diffuse->four[first / 4].gain[first % 4] > 0.0f))
        first++;
    diffuse->first_four = first / 4;
    diffuse->tail_blocks = 1;
    for (int b = first; b < diffuse->band_count; b++) {
        if (diffuse->tail[b] > diffuse->tail_blocks)
            diffuse->tail_blocks = diffuse->tail[b];
    }
}

float sb_diffuse_gain(const sb_diffuse *diffuse, const float *weights) {
    if (diffuse->place_count == 0 || !weights) return 1.0f;
    const float *from = weights + diffuse->first_place;
    float sum = 0.0f;
    for (int i = 0; i < diffuse->place_count; i++)
        sum += diffuse->place[i] * from[i] * from[i];
    return sqrtf(sum);
}

void sb_diffuse_act(sb_diffuse *diffuse, const float *weights) {
    if (!diffuse->is_toned || !weights) return;
    float gain = sb_diffuse_gain(diffuse, weights);
    float scale = gain > 0.0f ? (float)diffuse->place_count / (gain * gain) : 0;
    for (int b = 0; b < diffuse->band_count; b++) {
        int i = diffuse->place_of[b];
        float weight = weights[diffuse->first_place + i];
        diffuse->tones[b] += scale * diffuse->place[i] * weight * weight;
    }
    diffuse->tone_count++;
}

static void set_tone(sb_diffuse *diffuse) {
    if (diffuse->tone_count == 0) return;
    for (int b = 0; b < diffuse->band_count; b++) {
        diffuse->four[b / 4].tone[b % 4] =
            diffuse->tones[b] / (float)diffuse->tone_count;
        diffuse->tones[b] = 0.0f;
    }
    diffuse->tone_count = 0;
}

/* False when the band is too high. */
static bool set_band(sb_diffuse *diffuse, int b, const sb_diffuse_band *band) {
    double rate = diffuse->sample_rate_hz;
    sb_diffuse_four *four = &diffuse->four[b / 4];
    if (!(band->high_hz < HIGHEST_SHARE * rate)) return false;
    bool is_steep = diffuse->is_steep;
    tuning in = tune(band, SB_DIFFUSE_IN, is_steep, rate);
    tuning out = tune(band, is_steep ? SB_DIFFUSE_STEEP : SB_DIFFUSE_OUT,
                      is_steep, rate);
    set_filter(&four->in, b % 4, &in);
    set_filter(&four->out, b % 4, &out);
    /* Raw noise has variance 1/3, spread up to half the rate. */
    diffuse->raw[b] = sqrt(2.0 * width_hz(&out, rate) / (3.0 * rate));
    diffuse->share[b] =
        1.0 / (diffuse->raw[b] * sqrt(2.0 * width_hz(&in, rate)));
    /* The filter of the force decays by e every 1 / (g k) frames: wait for
     * 1e-6. */
    diffuse->tail[b] = (int)ceil(20.0 / (slowest(&in) * SB_BLOCK_FRAMES)) + 1;
    return true;
}

void sb_diffuse_init(sb_diffuse *diffuse, const sb_diffuse_def *def,
                     double sample_rate_hz) {
    int count = 0;
    diffuse->sample_rate_hz = sample_rate_hz;
    diffuse->is_steep = def->is_steep;
    while (count < def->band_count &&
           set_band(diffuse, count, &def->bands[count]))
        count++;
    diffuse->band_count = count;
    set_values(diffuse, def);
    /* Any odd multiplier gives distinct seeds; none may be zero. */
    for (int b = 0; b < SB_DIFFUSE_BANDS; b++) {
        diffuse->four[b / 4].noise[b % 4] =
            (def->seed * 2654435761u + (uint32_t)b * 40503u) | 1u;
        diffuse->four[b / 4].gain[b % 4] = (float)diffuse->goal[b];
        diffuse->four[b / 4].tone[b % 4] = 1.0f;
    }
    set_extent(diffuse);
}

void sb_diffuse_retune(sb_diffuse *diffuse, const sb_diffuse_def *def,
                       double blocks) {
    set_values(diffuse, def);
    set_extent(diffuse);
    diffuse->step_blocks = fmax(blocks, 1.0);
}

void sb_diffuse_set_threshold(sb_diffuse *diffuse, double amplitude) {
    diffuse->threshold = amplitude;
}

bool sb_diffuse_is_silent(const sb_diffuse *diffuse) {
    return !diffuse->is_awake;
}

static void clear_filter(sb_diffuse_filter *filter) {
    for (int i = 0; i < SB_DIFFUSE_STEEP; i++)
        filter->sections[i].a = filter->sections[i].b = (sb_four){0};
}

/* Clear the remains of past forces. */
static void forget_force(sb_diffuse *diffuse) {
    for (int i = 0; i < SB_DIFFUSE_FOURS; i++)
        clear_filter(&diffuse->four[i].in);
}

void sb_diffuse_reset(sb_diffuse *diffuse) {
    forget_force(diffuse);
    for (int i = 0; i < SB_DIFFUSE_FOURS; i++) {
        clear_filter(&diffuse->four[i].out);
        diffuse->four[i].account = (sb_four){0};
    }
    diffuse->mean_before[0] = diffuse->mean_before[1] = 0.0f;
    diffuse->is_awake = false;
    diffuse->ringing = 0;
}

/* --- a block --------------------------------------------------------------*/

/* Both kinds of force as one signal. The mean over a frame attenuates high
 * frequencies by sin(x) / x; (-1, 26, -1) / 24 compensates that to 0.2 dB at a
 * quarter of the rate, a frame later. False when there is none. */
static bool gather(sb_diffuse *diffuse, const float *impulse_ns,
                   const float *force_ns, float *force_n) {
    float *before = diffuse->mean_before;
    float rate = (float)diffuse->sample_rate_hz, any = 0.0f;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float mean = before[1] + (2.0f * before[1] - before[0] - force_ns[n]) *
                                     (1.0f / 24.0f);
        before[0] = before[1];
        before[1] = force_ns[n];
        force_n[n] = (impulse_ns[n] + mean) * rate;
        any += fabsf(force_n[n]);
    }
    return any != 0.0f || before[0] != 0.0f || before[1] != 0.0f;
}

static inline sb_four pass(sb_diffuse_filter *filter, int sections, sb_four x) {
    for (int i = 0; i < sections; i++) {
        sb_diffuse_section *at = &filter->sections[i];
        sb_four a = at->a, b = at->b;
        at->a = at->aa * a + at->ab * (x - b);
        at->b = at->ab * a + at->bb * b + at->bx * x;
        x = at->ya * a + at->yx * (x - b);
    }
    return x;
}

static inline sb_four root(sb_four x) {
    return (sb_four){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
}

/* The energies of four bands over a block, as amplitudes. */
static void keep_accounts(sb_diffuse_four *four, const float *force_n,
                          float dt_s, sb_four level[SB_BLOCK_FRAMES]) {
    sb_diffuse_filter in = four->in;
    sb_four account = four->account, scale = four->tone * dt_s;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float f = force_n[n];
        sb_four y = pass(&in, SB_DIFFUSE_IN, (sb_four){f, f, f, f});
        account = account * four->fade + y * y * scale;
        level[n] = root(account);
    }
    four->in = in;
    four->account = account;
}

/* The same without a force: they only decay. */
static void let_fade(sb_diffuse_four *four, sb_four level[SB_BLOCK_FRAMES]) {
    sb_four now = root(four->account), fade = root(four->fade);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        now *= fade;
        level[n] = now;
    }
    four->account = now * now;
}

/* The noise of four bands at those levels. */
static inline void sound_by(sb_diffuse_four *four, int sections,
                            const sb_four level[SB_BLOCK_FRAMES], float *out) {
    typedef int32_t sb_four_ints __attribute__((vector_size(16)));
    sb_diffuse_filter filter = four->out;
    sb_four_bits x = four->noise;
    sb_four gain = four->gain;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        sb_four raw = __builtin_convertvector((sb_four_ints)x, sb_four) *
                      (1.0f / 2147483648.0f);
        sb_four y = pass(&filter, sections, raw) * level[n] * gain;
        gain += four->step;
        out[n] += (y[0] + y[1]) + (y[2] + y[3]);
    }
    four->out = filter;
    four->noise = x;
    four->gain = gain;
}

static void sound(const sb_diffuse *diffuse, sb_diffuse_four *four,
                  const sb_four level[SB_BLOCK_FRAMES], float *out) {
    if (diffuse->is_steep) {
        sound_by(four, SB_DIFFUSE_STEEP, level, out);
    } else {
        sound_by(four, SB_DIFFUSE_OUT, level, out);
    }
}

/* One block of the glide to new powers. */
static void aim(sb_diffuse *diffuse) {
    double blocks = diffuse->step_blocks;
    for (int b = 0; b < diffuse->band_count; b++) {
        sb_diffuse_four *four = &diffuse->four[b / 4];
        double left = diffuse->goal[b] - (double)four->gain[b % 4];
        if (blocks < 1.0) four->gain[b % 4] = (float)diffuse->goal[b];
        four->step[b % 4] =
            blocks < 1.0 ? 0.0f : (float)(left / (blocks * SB_BLOCK_FRAMES));
    }
    diffuse->step_blocks = fmax(blocks - 1.0, 0.0);
}

static bool is_heard(const sb_diffuse *diffuse) {
    double least = fmax(diffuse->threshold, SILENT);
    for (int b = 0; b < diffuse->band_count; b++) {
        const sb_diffuse_four *four = &diffuse->four[b / 4];
        double gain = fmax((double)four->gain[b % 4], diffuse->goal[b]);
        double rms = sqrt((double)four->account[b % 4]) * gain;
        /* True for NaN as well: the voice handles that. */
        if (!(rms * diffuse->raw[b] < least)) return true;
    }
    return false;
}

void sb_diffuse_render(sb_diffuse *diffuse, const float *impulse_ns,
                       const float *force_ns, float *out) {
    float force_n[SB_BLOCK_FRAMES];
    sb_four level[SB_BLOCK_FRAMES];
    float dt_s = (float)(1.0 / diffuse->sample_rate_hz);
    set_tone(diffuse);
    if (gather(diffuse, impulse_ns, force_ns, force_n)) {
        diffuse->ringing = diffuse->tail_blocks;
        diffuse->is_awake = true;
    }
    if (!diffuse->is_awake) return;
    aim(diffuse);
    for (int i = diffuse->first_four; i * 4 < diffuse->band_count; i++) {
        if (diffuse->ringing > 0) {
            keep_accounts(&diffuse->four[i], force_n, dt_s, level);
        } else {
            let_fade(&diffuse->four[i], level);
        }
        sound(diffuse, &diffuse->four[i], level, out);
    }
    if (diffuse->ringing > 0 && --diffuse->ringing == 0) forget_force(diffuse);
    if (diffuse->ringing == 0 && !is_heard(diffuse)) sb_diffuse_reset(diffuse);
}

void sb_diffuse_coast(sb_diffuse *diffuse, int blocks) {
    if (!diffuse->is_awake) return;
    double frames = (double)blocks * SB_BLOCK_FRAMES;
    for (int b = 0; b < diffuse->band_count; b++) {
        sb_diffuse_four *four = &diffuse->four[b / 4];
        double fade = (double)four->fade[b % 4];
        four->account[b % 4] *= (float)pow(fade, frames);
        four->gain[b % 4] = (float)diffuse->goal[b];
    }
    diffuse->step_blocks = 0.0;
    diffuse->ringing -= blocks;
    if (diffuse->ringing <= 0) {
        diffuse->ringing = 0;
        forget_force(diffuse);
        if (!is_heard(diffuse)) sb_diffuse_reset(diffuse);
    }
}

double sb_diffuse_power(const sb_diffuse *diffuse) {
    double sum = 0.0;
    for (int b = 0; diffuse->is_awake && b < diffuse->band_count; b++) {
        const sb_diffuse_four *four = &diffuse->four[b / 4];
        double gain = (double)four->gain[b % 4] * diffuse->raw[b];
        sum += (double)four->account[b % 4] * gain * gain;
    }
    return sum;
}
