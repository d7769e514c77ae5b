/* SPDX-License-Identifier: MIT */
/* Partitioned convolution of one input to two ears. Thread: see convolve.h. */
#include "runtime/dsp/room/convolve.h"

#include "runtime/base/pi.h"
#include "runtime/base/voice_types.h"

#include <math.h>
#include <string.h>

enum {
    LANES = 4,
    SHORT = SB_BLOCK_FRAMES,
    LONG = SB_LONGEST_PARTITION,
    PHASES = LONG / SHORT, /* blocks per long partition */
    HEAD = 2 * LONG,       /* frames of short partitions */
    LONGEST_FFT = 2 * LONG
};

typedef float vf __attribute__((vector_size(4 * LANES), may_alias));

/* A spectrum: lines 0 .. size, real parts, then imaginary parts. */
typedef struct level {
    int size;  /* frames per partition; its transforms have twice as many */
    int lines; /* padded */
    int count; /* of partitions */
    int newest;
    float *inputs;      /* count spectra, a ring */
    float *response[2]; /* count spectra, per ear */
    float *sum[2];      /* a spectrum, per ear */
    float *window;      /* the last two partitions of input */
    float *turn;        /* cos and sin of 2 pi k / (2 size), k < size */
} level;

struct sb_convolver {
    level head, tail;
    int phase;
    float segment[LONG]; /* input that is collected */
    float done[2 * LONG], now[2 * LONG];
    float work[2 * LONGEST_FFT];
};

/* --- transform ------------------------------------------------------------*/

static void reorder(float *re, float *im, int n) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        float a = re[i], b = im[i];
        re[i] = re[j];
        im[i] = im[j];
        re[j] = a;
        im[j] = b;
    }
}

/* In place; `sign` -1 is forward, +1 backward. n = 2 size of the level. */
static void transform(const level *l, float *re, float *im, float sign) {
    int n = 2 * l->size;
    reorder(re, im, n);
    for (int half = 1; half < n; half *= 2) {
        int stride = l->size / half;
        for (int k = 0; k < half; k++) {
            float c = l->turn[2 * k * stride];
            float s = sign * l->turn[2 * k * stride + 1];
            for (int i = k; i < n; i += 2 * half) {
                int j = i + half;
                float a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
                re[j] = re[i] - a;
                im[j] = im[i] - b;
                re[i] += a;
                im[i] += b;
            }
        }
    }
}

/* --- a level --------------------------------------------------------------*/

static int lines_of(int size) {
    return size + LANES;
}

static size_t level_floats(int size, int count) {
    size_t spectrum = 2 * (size_t)lines_of(size);
    return 3 * (size_t)count * spectrum + 2 * spectrum + 4 * (size_t)size;
}

static float *level_init(level *l, int size, int count, float *at) {
    size_t spectrum = 2 * (size_t)lines_of(size);
    *l = (level){.size = size, .lines = lines_of(size), .count = count};
    l->inputs = at;
    at += (size_t)count * spectrum;
    for (int ear = 0; ear < 2; ear++) {
        l->response[ear] = at;
        at += (size_t)count * spectrum;
        l->sum[ear] = at;
        at += spectrum;
    }
    l->window = at;
    l->turn = at + 2 * size;
    for (int k = 0; k < size; k++) {
        l->turn[2 * k] = (float)cos(SB_PI * k / size);
        l->turn[2 * k + 1] = (float)sin(SB_PI * k / size);
    }
    return at + 4 * size;
}

/* The spectrum of 2 size real numbers. */
static void analyse(const level *l, const float *x, float *work, float *out) {
    int n = 2 * l->size;
    memcpy(work, x, (size_t)n * sizeof *x);
    memset(work + n, 0, (size_t)n * sizeof *x);
    transform(l, work, work + n, -1.0f);
    memcpy(out, work, (size_t)(l->size + 1) * sizeof *x);
    memcpy(out + l->lines, work + n, (size_t)(l->size + 1) * sizeof *x);
}

static void push(level *l, const float *x, float *work) {
    size_t bytes = (size_t)l->size * sizeof *x;
    memcpy(l->window, l->window + l->size, bytes);
    memcpy(l->window + l->size, x, bytes);
    l->newest = (l->newest + 1) % l->count;
    analyse(l, l->window, work,
            l->inputs + (size_t)l->newest * 2 * (size_t)l->lines);
}

static void multiply(const float *x, const float *h, float *sum, int lines) {
    for (int k = 0; k < lines; k += LANES) {
        vf xr = *(const vf *)(x + k), xi = *(const vf *)(x + lines + k);
        vf hr = *(const vf *)(h + k), hi = *(const vf *)(h + lines + k);
        *(vf *)(sum + k) += xr * hr - xi * hi;
        *(vf *)(sum + lines + k) += xr * hi + xi * hr;
    }
}

/* Add the products of the partitions `from` .. `to` - 1. */
static void add_products(level *l, int from, int to) {
    size_t spectrum = 2 * (size_t)l->lines;
    for (int p = from; p < to; p++) {
        int slot = (l->newest - p + l->count) % l->count;
        for (int ear = 0; ear < 2; ear++)
            multiply(l->inputs + (size_t)slot * spectrum,
                     l->response[ear] + (size_t)p * spectrum, l->sum[ear],
                     l->lines);
    }
}

/* `size` stereo frames; the sums begin anew. Both ears are transformed as one
 * complex signal, left + i right. */
static void finish(level *l, float *work, float *stereo) {
    int n = 2 * l->size, lines = l->lines;
    float *re = work, *im = work + n;
    const float *a = l->sum[0], *b = l->sum[1];
    for (int k = 0; k <= l->size; k++) {
        re[k] = a[k] - b[lines + k];
        im[k] = a[lines + k] + b[k];
        if (k == 0 || k == l->size) continue;
        re[n - k] = a[k] + b[lines + k];
        im[n - k] = b[k] - a[lines + k];
    }
    transform(l, re, im, 1.0f);
    for (int i = 0; i < l->size; i++) {
        stereo[2 * i] = re[l->size + i];
        stereo[2 * i + 1] = im[l->size + i];
    }
    for (int ear = 0; ear < 2; ear++)
        memset(l->sum[ear], 0, 2 * (size_t)lines * sizeof(float));
}

/* Spectra of the response from frame `from` on, over 2 size. */
static void cut(level *l, const float *response, int frames, int from,
                float *work) {
    float part[LONGEST_FFT];
    for (int p = 0; p < l->count; p++) {
        for (int ear = 0; ear < 2; ear++) {
            memset(part, 0, sizeof part);
            for (int i = 0; i < l->size; i++) {
                int at = from + p * l->size + i;
                if (at < frames)
                    part[i] = response[2 * (size_t)at + (size_t)ear] /
                              (float)(2 * l->size);
            }
            analyse(l, part, work,
                    l->response[ear] + (size_t)p * 2 * (size_t)l->lines);
        }
    }
}

/* --- both -----------------------------------------------------------------*/

static int partitions(int frames, int size) {
    return frames > 0 ? (frames + size - 1) / size : 0;
}

static int head_count(int frames) {
    return partitions(frames < HEAD ? frames : HEAD, SHORT);
}

static size_t aligned(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

size_t sb_convolver_bytes(int frames) {
    return aligned(sizeof(sb_convolver)) +
           sizeof(float) *
               (level_floats(SHORT, head_count(frames)) +
                level_floats(LONG, partitions(frames - HEAD, LONG)));
}

sb_convolver *sb_convolver_init(void *memory, const float *response,
                                int frames) {
    sb_convolver *c = memory;
    float *at = (float *)(void *)((char *)memory + aligned(sizeof *c));
    at = level_init(&c->head, SHORT, head_count(frames), at);
    (void)level_init(&c->tail, LONG, partitions(frames - HEAD, LONG), at);
    cut(&c->head, response, frames, 0, c->work);
    cut(&c->tail, response, frames, HEAD, c->work);
    return c;
}

/* Input of the last eight blocks becomes a spectrum, its products are added in
 * the next eight, and heard in the eight after those. */
static void run_tail(sb_convolver *c, const float *x, float *stereo) {
    level *l = &c->tail;
    if (c->phase == 0) {
        memcpy(c->now, c->done, sizeof c->now);
        push(l, c->segment, c->work);
    }
    add_products(l, l->count * c->phase / PHASES,
                 l->count * (c->phase + 1) / PHASES);
    memcpy(c->segment + c->phase * SHORT, x, SHORT * sizeof *x);
    for (int i = 0; i < 2 * SHORT; i++)
        stereo[i] += c->now[2 * c->phase * SHORT + i];
    if (++c->phase < PHASES) return;
    finish(l, c->work, c->done);
    c->phase = 0;
}

void sb_convolver_run(sb_convolver *convolver, const float *x, float *stereo) {
    sb_convolver *c = convolver;
    float out[2 * SHORT] = {0};
    push(&c->head, x, c->work);
    add_products(&c->head, 0, c->head.count);
    finish(&c->head, c->work, out);
    for (int i = 0; i < 2 * SHORT; i++)
        stereo[i] += out[i];
    if (c->tail.count > 0) run_tail(c, x, stereo);
}
