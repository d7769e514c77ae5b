/* SPDX-License-Identifier: MIT */
/* The ears: ring buffers, the low-pass of the head shadow, and the output.
 * Thread: audio, except init. */
#include "runtime/dsp/ears/ears.h"

#include "runtime/base/pi.h"
#include "runtime/base/select.h"
#include "runtime/dsp/ears/through_head.h"
#include "runtime/dsp/vector/isa.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The longest delay; bodies beyond some 1.1 km are heard from there. */
#define FARTHEST_S 3.2

/* Kaiser window with images 90 dB down; 24 taps then pass three quarters of the
 * band. */
#define KAISER_BETA 9.2

/* Limits of the reading speed, frames heard per frame sent. A body that
 * approaches at more than nine tenths of the speed of sound is limited to that
 * and catches up later. */
#define HEAR_SLOWEST 0.1
#define HEAR_FASTEST 4.0

/* Half of the interpolation filter: its taps reach from 11 before to 12
 * after. */
enum { HEAR_HALF = SB_HEAR_TAPS / 2 };

/* Fade time of an old position after a jump. */
#define HEAR_FADE_S 0.02

/* A smaller relative change of distance keeps the air filter. */
#define SAME_AIR 0.002

#define SHADOW_S  0.00133
#define DC_HZ     5.0
#define DC_AT_END 3e-7 /* a hundredth of a 16-bit step counts as silence */

/* --- instruction sets -----------------------------------------------------*/

static const sb_hear_kernel *const kernels[SB_ISA_COUNT] = {
    [SB_ISA_PORTABLE] = &sb_hear_kernel_portable,
#if defined(__x86_64__)
    [SB_ISA_AVX2] = &sb_hear_kernel_avx2,
    [SB_ISA_AVX512] = &sb_hear_kernel_avx2,
#endif
};

/* --- life -----------------------------------------------------------------*/

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
    ears->head_taps = sb_head_taps(sample_rate_hz);
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

/* --- hearing --------------------------------------------------------------*/

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

/* --- sending --------------------------------------------------------------*/

/* A part of a block in which one cubic holds. */
typedef struct piece {
    double from, to; /* e */
    sb_path_knot a, middle, b;
    double weight[3]; /* of a fade, at start, middle and end */
    double origin;    /* e of the first absorbed frame */
} piece;

/* --- the air --------------------------------------------------------------*/

/* Cross-fade between the air filters at the start and at the end of the
 * block. */
static void blend(sb_ears *ears, sb_path *path, const float *coefs,
                  float *out) {
    float then[SB_BLOCK_FRAMES];
    ears->kernel->filter(path->raw + ears->air_half, coefs, ears->air_half,
                         then, SB_BLOCK_FRAMES);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        out[n] += (then[n] - out[n]) * ((float)(n + 1) / SB_BLOCK_FRAMES);
}

static void find_air(const sb_ears *ears, double distance_m, float *coefs) {
    if (ears->air && !ears->air->is_clear && distance_m > 0.0) {
        sb_air_look(ears->air, distance_m, coefs);
        return;
    }
    memset(coefs, 0, (size_t)(ears->air_half + 1) * sizeof *coefs);
    coefs[0] = 1.0f;
}

static void pass_air(sb_ears *ears, sb_path *path, double distance_m) {
    float *out = path->aired + SB_HEAR_TAPS;
    bool is_first = path->aired_m < 0.0;
    bool is_same = path->air == ears->air &&
                   fabs(distance_m - path->aired_m) <= SAME_AIR * distance_m;
    if (is_first) find_air(ears, distance_m, path->coefs);
    ears->kernel->filter(path->raw + ears->air_half, path->coefs,
                         ears->air_half, out, SB_BLOCK_FRAMES);
    if (!is_first && !is_same) {
        float coefs[SB_AIR_HALF_MAX + 1];
        find_air(ears, distance_m, coefs);
        blend(ears, path, coefs, out);
        memcpy(path->coefs, coefs, sizeof coefs);
    }
    if (is_first || !is_same) path->aired_m = distance_m;
    path->air = ears->air;
}

/* --- to the ears ----------------------------------------------------------*/

static void add_to_ring(const sb_ears *ears, float *ring, int64_t from,
                        const float *y, const float gain[3], int count) {
    uint32_t place = (uint32_t)from & ears->mask;
    uint32_t left = ears->mask + 1 - place;
    int some = (uint32_t)count < left ? count : (int)left;
    ears->kernel->add(ring + place, y, gain, some);
    if (some == count) return;
    float n = (float)some;
    float rest[3] = {gain[0] + n * (gain[1] + n * gain[2]),
                     gain[1] + 2.0f * n * gain[2], gain[2]};
    ears->kernel->add(ring, y + some, rest, count - some);
}

/* Delays are limited to what the ring buffers hold. */
static double heard_delay(const sb_ears *ears, const sb_ear_knot *knot) {
    return sb_max(sb_min(knot->delay, ears->delay_max), 0.0);
}

/* The parabola through three gains at u = 0, 1/2, 1 in frames: u = u0 + n
 * du. */
static void bow(double a, double middle, double b, double u0, double du,
                float out[3]) {
    double c1 = 4.0 * middle - 3.0 * a - b, c2 = 2.0 * (a + b - 2.0 * middle);
    out[0] = (float)(a + u0 * (c1 + u0 * c2));
    out[1] = (float)(du * (c1 + 2.0 * u0 * c2));
    out[2] = (float)(du * du * c2);
}

/* A cubic with end slopes of up to three times the mean is monotonic. */
static double invert_speed(double heard, double span, double rate) {
    return sb_min(heard / sb_max(1.0 + rate, HEAR_SLOWEST), 3.0 * span);
}

/* The position that an ear reads while e goes from a to b and the ear hears
 * from `start` to `end`: the inverse as a cubic, from both end slopes. */
static void invert(const piece *p, int ear, double start, double end, double u0,
                   double du, double w[4]) {
    double span = p->to - p->from, heard = end - start;
    double v0 = invert_speed(heard, span, p->a.ear[ear].rate);
    double v1 = invert_speed(heard, span, p->b.ear[ear].rate);
    double c2 = 3.0 * span - 2.0 * v0 - v1, c3 = v0 + v1 - 2.0 * span;
    w[0] = p->from - p->origin + u0 * (v0 + u0 * (c2 + u0 * c3));
    w[1] = du * (v0 + u0 * (2.0 * c2 + 3.0 * u0 * c3));
    w[2] = du * du * (c2 + 3.0 * u0 * c3);
    w[3] = du * du * du * c3;
}

static bool is_still(const piece *p, int ear, double start, double end) {
    return p->a.ear[ear].rate == 0.0 && p->b.ear[ear].rate == 0.0 &&
           fabs((end - start) - (p->to - p->from)) < 1e-6;
}

/* The sound of the block on its way to an ear. */
static const float *sound_of(const sb_path *path, int ear) {
    return path->measured.is_on ? path->measured.ear[ear] : path->aired;
}

/* The sound of the block at its arrival, one frame per output. */
static void read_sound(const sb_ears *ears, const sb_path *path, const piece *p,
                       int ear, double start, double end, double u0, double du,
                       float *y, int count) {
    double w[4];
    invert(p, ear, start, end, u0, du, w);
    if (!is_still(p, ear, start, end)) {
        ears->kernel->moving(sound_of(path, ear), w, ears->rows, y, count);
        return;
    }
    int frame = (int)w[0];
    ears->kernel->still(sound_of(path, ear) + frame, w[0] - frame, ears->rows,
                        y, count);
}

/* Add to the ring buffers with the gains of the whole and of the low part. */
static void add_sound(sb_ears *ears, int ear, int64_t first, const float *y,
                      const float full[3], const float dull[3], int count) {
    int64_t after = first + count;
    add_to_ring(ears, ears->full[ear], first, y, full, count);
    if (after > ears->busy_until) ears->busy_until = after;
    if (dull[0] == 0.0f && dull[1] == 0.0f && dull[2] == 0.0f) return;
    add_to_ring(ears, ears->dull[ear], first, y, dull, count);
    if (after > ears->dull_until) ears->dull_until = after;
}

enum { OUT_MAX = (int)HEAR_FASTEST * SB_BLOCK_FRAMES + 2 * SB_PATH_SLACK };

static void send_ear(sb_ears *ears, sb_path_leg *leg, const sb_path *path,
                     const piece *p, int ear) {
    double span = p->to - p->from, start = leg->arrival[ear];
    double delay = heard_delay(ears, &p->b.ear[ear]);
    double heard = p->to + delay - start;
    heard = sb_max(sb_min(heard, HEAR_FASTEST * span), HEAR_SLOWEST * span);
    double end = start + heard;
    leg->arrival[ear] = end;
    double first = ceil(start), after = ceil(end);
    int count = (int)(after - first);
    if (count <= 0) return;

    double du = 1.0 / heard, u0 = (first - start) * du;
    float y[OUT_MAX];
    read_sound(ears, path, p, ear, start, end, u0, du, y, count);
    const sb_ear_knot *a = &p->a.ear[ear], *m = &p->middle.ear[ear],
                      *b = &p->b.ear[ear];
    const double *w = p->weight;
    float full[3], dull[3];
    bow((double)a->full * w[0], (double)m->full * w[1], (double)b->full * w[2],
        u0, du, full);
    bow((double)a->dull * w[0], (double)m->dull * w[1], (double)b->dull * w[2],
        u0, du, dull);
    add_sound(ears, ear, (int64_t)first, y, full, dull, count);
}

/* --- piece by piece -------------------------------------------------------*/

static void send_leg(sb_ears *ears, sb_path *path, sb_path_leg *leg,
                     double from, double to, bool is_old) {
    double middle = 0.5 * (from + to);
    piece p = {.from = from,
               .to = to,
               .origin =
                   (double)(ears->frame - ears->air_half - (HEAR_HALF + 1))};
    sb_path_look(leg, from, &p.a);
    if (from >= leg->to.time_frames) {
        /* A leg that has reached its target stays there. */
        for (int ear = 0; ear < 2; ear++)
            p.a.ear[ear].rate = 0.0;
        p.middle = p.b = p.a;
    } else {
        sb_path_look(leg, middle, &p.middle);
        sb_path_look(leg, to, &p.b);
    }
    double times[3] = {from, middle, to};
    for (int i = 0; i < 3; i++) {
        double in = sb_path_faded_in(path, times[i]);
        p.weight[i] = is_old ? 1.0 - in : in;
    }
    for (int ear = 0; ear < 2; ear++)
        send_ear(ears, leg, path, &p, ear);
}

static bool is_fading(const sb_path *path) {
    return path->fade_frames > 0.0;
}

/* The end of the piece that begins at `e`: the next event. */
static double piece_end(const sb_path *path, double e, double end) {
    if (path->turn_count > 0) end = sb_min(end, path->turns[0].start_frames);
    if (path->now.to.time_frames > e)
        end = sb_min(end, path->now.to.time_frames);
    if (is_fading(path)) {
        end = sb_min(end, path->fade_start + path->fade_frames);
        if (path->old.to.time_frames > e)
            end = sb_min(end, path->old.to.time_frames);
    }
    return end;
}

static void send_block(sb_ears *ears, sb_path *path, double end) {
    double fade = HEAR_FADE_S * ears->sample_rate_hz;
    double e = path->heard;
    /* Every piece ends at a turn, a knot, the fade's end, or the block's. */
    for (int i = 0; i < 4 * SB_PATH_TURNS && e < end; i++) {
        while (path->turn_count > 0 && path->turns[0].start_frames <= e)
            sb_path_turn_over(path, fade);
        if (is_fading(path) && e >= path->fade_start + path->fade_frames)
            path->fade_frames = 0.0;
        double to = piece_end(path, e, end);
        if (is_fading(path)) send_leg(ears, path, &path->old, e, to, true);
        send_leg(ears, path, &path->now, e, to, false);
        e = to;
    }
    path->heard = end;
}

/* --- standing still -------------------------------------------------------*/

/* The body is at its target, nothing fades, and everything sent has been heard
 * from there: the frames of a block arrive one by one. */
static bool stands_still(const sb_ears *ears, const sb_path *path) {
    const sb_path_leg *leg = &path->now;
    if (path->turn_count > 0 || is_fading(path) ||
        path->heard < leg->to.time_frames)
        return false;
    for (int ear = 0; ear < 2; ear++) {
        double arrival = path->heard + heard_delay(ears, &leg->to.ear[ear]);
        if (!(fabs(arrival - leg->arrival[ear]) < 1e-6)) return false;
    }
    return true;
}

/* Both ears read the same frames; only the fraction differs. */
static void send_from_there(sb_ears *ears, sb_path *path) {
    float y[2][SB_BLOCK_FRAMES];
    double first[2], part[2];
    for (int ear = 0; ear < 2; ear++) {
        double start = path->heard + heard_delay(ears, &path->now.to.ear[ear]);
        first[ear] = ceil(start);
        part[ear] = first[ear] - start;
        path->now.arrival[ear] = start + SB_BLOCK_FRAMES;
    }
    /* The first frame that is sent has HEAR_HALF others before it. */
    if (path->measured.is_on) {
        for (int ear = 0; ear < 2; ear++)
            ears->kernel->still(sound_of(path, ear) + 1, part[ear], ears->rows,
                                y[ear], SB_BLOCK_FRAMES);
    } else {
        ears->kernel->still_pair(path->aired + 1, part, ears->rows,
                                 (float *const[2]){y[0], y[1]},
                                 SB_BLOCK_FRAMES);
    }
    for (int ear = 0; ear < 2; ear++) {
        const sb_ear_knot *knot = &path->now.to.ear[ear];
        add_sound(ears, ear, (int64_t)first[ear], y[ear],
                  (float[3]){knot->full}, (float[3]){knot->dull},
                  SB_BLOCK_FRAMES);
    }
}

/* The body was silent: all turns since then are complete, and nothing earlier
 * is heard any more. */
static void set_out(sb_ears *ears, sb_path *path) {
    memset(path->raw, 0, sizeof path->raw);
    memset(path->aired, 0, sizeof path->aired);
    path->heard = (double)(ears->frame - ears->lag);
    sb_path_pass(path, path->heard);
    path->fade_frames = 0.0;
    path->aired_m = -1.0;
    path->measured.is_on = false;
    sb_path_knot here;
    sb_path_look(&path->now, path->heard, &here);
    for (int ear = 0; ear < 2; ear++)
        path->now.arrival[ear] =
            path->heard + heard_delay(ears, &here.ear[ear]);
}

static void pass_head(const sb_ears *ears, sb_path *path) {
    double first =
        (double)(ears->frame - ears->air_half) - (HEAR_HALF + 1) + SB_HEAR_TAPS;
    sb_through_head(ears->head, ears->kernel, ears->head_taps, path, first,
                    HEAR_FADE_S * ears->sample_rate_hz);
}

static void note_loud(sb_ears *ears, const sb_path *path, const float *mono) {
    int64_t end =
        (int64_t)sb_max(path->now.arrival[0], path->now.arrival[1]) + ears->lag;
    if (end <= ears->loud_until) return;
    float peak = ears->kernel->peak(mono, SB_BLOCK_FRAMES);
    float gain = sb_maxf(sb_path_loudest(&path->now.from),
                         sb_path_loudest(&path->now.to));
    if (peak * gain > ears->silence) ears->loud_until = end;
}

void sb_ears_take(sb_ears *ears, sb_path *path, const float *mono) {
    if (path->next_frame != ears->frame) set_out(ears, path);
    path->next_frame = ears->frame + SB_BLOCK_FRAMES;
    int before = 2 * ears->air_half;
    memcpy(path->raw + before, mono, SB_BLOCK_FRAMES * sizeof *mono);
    double end = (double)(ears->frame + SB_BLOCK_FRAMES - ears->lag);
    if (stands_still(ears, path)) {
        pass_air(ears, path, (double)path->now.to.distance_m);
        pass_head(ears, path);
        send_from_there(ears, path);
        path->heard = end;
    } else {
        sb_path_knot there;
        sb_path_look(&path->now, end, &there);
        pass_air(ears, path, (double)there.distance_m);
        pass_head(ears, path);
        send_block(ears, path, end);
    }
    note_loud(ears, path, mono);
    memmove(path->raw, path->raw + SB_BLOCK_FRAMES,
            (size_t)before * sizeof *path->raw);
    memmove(path->aired, path->aired + SB_BLOCK_FRAMES,
            SB_HEAR_TAPS * sizeof *path->aired);
}
