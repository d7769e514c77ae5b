/* SPDX-License-Identifier: MIT */
/* From measured responses to the harmonics of a head. Thread: control. */
#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/ears/head.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Below this no head matters, and loudspeakers fail: levels go to 1. */
#define LOW_HZ 250.0

/* The most by which what all directions share is raised. */
#define RAISE_MOST 100.0

/* Delays are those of what is below this: people locate by it. */
#define DELAY_HZ 3000.0

#define LEAST_MAGNITUDE 1e-7

/* How much harmonics of degree l are damped: by this times (l (l + 1))^2. It
 * matters only where nothing was measured, below the head. */
#define DAMPING 1e-6

enum { SIDES = 2, ROWS = SB_HEAD_HARMONICS };

/* --- one direction --------------------------------------------------------*/

/* Both ears of one direction are transformed together, as real and imaginary
 * part. */
typedef struct splitter {
    const sb_head_data *data;
    double rate_hz;           /* of the filters */
    int size, out_size, taps; /* of transforms: at the file's rate, at ours */
    sb_fft *fft, *out_fft;
    double complex *x, *y;      /* work */
    double complex *ear[SIDES]; /* spectra at the file's rate */
    double *common;             /* factor per line, for all directions */
    double *level[SIDES];       /* log magnitudes of these */
} splitter;

static int power_of_two(double least) {
    int size = 1024;
    while (size < least)
        size *= 2;
    return size;
}

static void close_splitter(splitter *s) {
    sb_fft_destroy(s->fft);
    sb_fft_destroy(s->out_fft);
    sb_free(s->x);
    sb_free(s->level[0]);
}

static bool open_splitter(splitter *s) {
    s->size = power_of_two(2.0 * s->data->frames);
    s->out_size = power_of_two(s->size * s->rate_hz / s->data->rate_hz);
    int most = s->size > s->out_size ? s->size : s->out_size;
    s->fft = sb_fft_create(s->size);
    s->out_fft = sb_fft_create(s->out_size);
    s->x = sb_alloc(4 * (size_t)most, sizeof *s->x);
    s->level[0] = sb_alloc(3 * (size_t)most, sizeof *s->level[0]);
    if (!s->fft || !s->out_fft || !s->x || !s->level[0]) return false;
    s->y = s->x + most;
    s->ear[0] = s->x + 2 * (size_t)most;
    s->ear[1] = s->x + 3 * (size_t)most;
    s->level[1] = s->level[0] + most;
    s->common = s->level[1] + most;
    return true;
}

/* The spectra of both ears, up to half the file's rate. */
static void transform(splitter *s, int i) {
    int frames = s->data->frames;
    const float *left = s->data->responses + (size_t)i * 2 * (size_t)frames;
    for (int n = 0; n < s->size; n++)
        s->x[n] =
            n < frames ? CMPLX((double)left[n], (double)left[frames + n]) : 0.0;
    sb_fft_forward(s->fft, s->x);
    for (int k = 0; k <= s->size / 2; k++)
        sb_fft_part(s->x, s->size, k, &s->ear[0][k], &s->ear[1][k]);
}

/* As measured, for delays, or relative to what all directions share. */
static void find_levels(splitter *s, bool is_raw) {
    for (int k = 0; k <= s->size / 2; k++) {
        double hz = k * s->data->rate_hz / s->size;
        double share = is_raw ? 1.0 : fmin(hz / LOW_HZ, 1.0);
        double factor = is_raw ? 1.0 : s->common[k];
        for (int side = 0; side < SIDES; side++) {
            double magnitude = factor * cabs(s->ear[side][k]);
            s->level[side][k] = share * log(fmax(magnitude, LEAST_MAGNITUDE));
        }
    }
}

static double level_at(const splitter *s, int side, double place) {
    int last = s->size / 2 - 1;
    int k = place < last ? (int)place : last;
    double part = fmin(place - k, 1.0);
    const double *level = s->level[side];
    return level[k] + part * (level[k + 1] - level[k]);
}

/* Minimum-phase spectra of both ears, as one transform of both: the cepstrum
 * without its negative times, doubled after 0. `ratio`: of the file's frequency
 * step to ours. */
static void make_minimum_phase(const splitter *s, sb_fft *fft, double ratio) {
    int size = sb_fft_size(fft);
    double complex *x = s->x;
    for (int k = 0; k <= size / 2; k++) {
        x[k] = CMPLX(level_at(s, 0, k * ratio), level_at(s, 1, k * ratio));
        if (k > 0) x[size - k] = x[k];
    }
    sb_fft_backward(fft, x);
    for (int n = 0; n < size; n++) {
        double twice = n == 0 || n == size / 2 ? 1.0 : n < size / 2 ? 2.0 : 0.0;
        x[n] *= twice / size;
    }
    sb_fft_forward(fft, x);
    for (int k = 0; k <= size / 2; k++) {
        double complex left, right;
        sb_fft_part(x, size, k, &left, &right);
        left = cexp(left);
        right = cexp(right);
        double complex up = CMPLX(0.0, 1.0);
        s->y[k] = left + up * right;
        if (k > 0) s->y[size - k] = conj(left) + up * conj(right);
    }
}

/* The place of the largest of `count` real parts, which repeat, by a parabola;
 * the later half is before 0. */
static double find_peak(const double complex *x, int count, bool is_right) {
    int best = 0;
    for (int n = 0; n < count; n++) {
        double here = is_right ? cimag(x[n]) : creal(x[n]);
        double top = is_right ? cimag(x[best]) : creal(x[best]);
        if (here > top) best = n;
    }
    double v[3];
    for (int i = 0; i < 3; i++) {
        double complex at = x[(best + i - 1 + count) % count];
        v[i] = is_right ? cimag(at) : creal(at);
    }
    double bend = v[0] - 2.0 * v[1] + v[2];
    double off = bend < 0.0 ? 0.5 * (v[0] - v[2]) / bend : 0.0;
    return (best < count / 2 ? best : best - count) + off;
}

/* How much later the responses are than their minimum-phase filters. */
static void find_delays(const splitter *s, int i, double delay_s[SIDES]) {
    make_minimum_phase(s, s->fft, 1.0);
    double complex up = CMPLX(0.0, 1.0);
    for (int k = 0; k <= s->size / 2; k++) {
        double complex left, right;
        sb_fft_part(s->y, s->size, k, &left, &right);
        double hz = k * s->data->rate_hz / s->size / DELAY_HZ;
        double low = exp(-hz * hz);
        left = low * s->ear[0][k] * conj(left);
        right = low * s->ear[1][k] * conj(right);
        s->x[k] = left + up * right;
        if (k > 0) s->x[s->size - k] = conj(left) + up * conj(right);
    }
    sb_fft_backward(s->fft, s->x);
    for (int side = 0; side < SIDES; side++)
        delay_s[side] =
            (find_peak(s->x, s->size, side == 1) +
             (double)s->data->delays[(size_t)i * 2 + (size_t)side]) /
            s->data->rate_hz;
}

/* Left, then right; the last eighth fades. */
static void find_filters(const splitter *s, double *filters) {
    make_minimum_phase(s, s->out_fft,
                       (s->rate_hz / s->out_size) /
                           (s->data->rate_hz / s->size));
    sb_fft_backward(s->out_fft, s->y);
    int fade = s->taps / 8;
    for (int n = 0; n < s->taps; n++) {
        int left = s->taps - n;
        double share =
            left > fade ? 1.0 : 0.5 - 0.5 * cos(SB_PI * left / (fade + 1));
        double complex value = s->y[n] * share / s->out_size;
        filters[n] = creal(value);
        filters[s->taps + n] = cimag(value);
    }
}

/* --- all directions -------------------------------------------------------*/

/* Least squares by normal equations: matrix times solution = right sides. */
typedef struct fit {
    int columns; /* of the right sides: both filters, both delays */
    double *matrix, *right, *values;
} fit;

/* The share of the sphere for which a direction stands: the fewer others are
 * near, the more. */
static double area_of(const sb_head_data *data, int i) {
    const double near = 0.94; /* cosine of 20 degrees */
    double crowd = 0.0;
    for (int j = 0; j < data->count; j++) {
        double cosine = sb_vec3_dot(data->toward[i], data->toward[j]);
        if (cosine > near) crowd += (cosine - near) * (cosine - near);
    }
    return 1.0 / crowd;
}

/* What makes the mean power over all directions 1. Returns the sum of areas. */
static double find_common(splitter *s) {
    double all = 0.0, top = 0.0;
    int half = s->size / 2;
    double *power = s->common;
    for (int i = 0; i < s->data->count; i++) {
        double area = area_of(s->data, i);
        all += area;
        transform(s, i);
        for (int k = 0; k <= half; k++)
            for (int side = 0; side < SIDES; side++)
                power[k] +=
                    0.5 * area * creal(s->ear[side][k] * conj(s->ear[side][k]));
    }
    for (int k = 0; k <= half; k++)
        top = fmax(top, power[k]);
    double least = fmax(top / RAISE_MOST / RAISE_MOST, 1e-30);
    for (int k = 0; k <= half; k++)
        s->common[k] = sqrt(all / fmax(power[k], least));
    return all;
}

static void add_direction(fit *f, double weight, sb_vec3 toward) {
    float y[ROWS];
    sb_harmonics(SB_HEAD_ORDER, toward, y);
    for (int k = 0; k < ROWS; k++) {
        double share = weight * (double)y[k];
        for (int j = 0; j <= k; j++)
            f->matrix[k * ROWS + j] += share * (double)y[j];
        double *right = f->right + (size_t)k * (size_t)f->columns;
        for (int c = 0; c < f->columns; c++)
            right[c] += share * f->values[c];
    }
}

static void damp(fit *f, double weight) {
    for (int l = 0; l <= SB_HEAD_ORDER; l++)
        for (int k = l * l; k < (l + 1) * (l + 1); k++) {
            double bend = l * (l + 1.0);
            f->matrix[k * ROWS + k] += weight * DAMPING * bend * bend;
        }
}

/* In place: Cholesky's factor, then both triangles. Damping makes the matrix
 * positive but for a constant, which every direction has. */
static void solve(fit *f) {
    double *a = f->matrix;
    size_t columns = (size_t)f->columns;
    for (int k = 0; k < ROWS; k++) {
        double *row = f->right + (size_t)k * columns;
        for (int j = 0; j <= k; j++) {
            double sum = a[k * ROWS + j];
            for (int i = 0; i < j; i++)
                sum -= a[k * ROWS + i] * a[j * ROWS + i];
            a[k * ROWS + j] = j < k ? sum / a[j * ROWS + j] : sqrt(sum);
        }
        for (int j = 0; j < k; j++)
            for (size_t c = 0; c < columns; c++)
                row[c] -= a[k * ROWS + j] * f->right[(size_t)j * columns + c];
        for (size_t c = 0; c < columns; c++)
            row[c] /= a[k * ROWS + k];
    }
    for (int k = ROWS - 1; k >= 0; k--) {
        double *row = f->right + (size_t)k * columns;
        for (int j = k + 1; j < ROWS; j++)
            for (size_t c = 0; c < columns; c++)
                row[c] -= a[j * ROWS + k] * f->right[(size_t)j * columns + c];
        for (size_t c = 0; c < columns; c++)
            row[c] /= a[k * ROWS + k];
    }
}

static void fit_all(splitter *s, fit *f) {
    double all = find_common(s);
    for (int i = 0; i < s->data->count; i++) {
        transform(s, i);
        find_levels(s, true);
        find_delays(s, i, f->values + 2 * (size_t)s->taps);
        find_levels(s, false);
        find_filters(s, f->values);
        add_direction(f, area_of(s->data, i), s->data->toward[i]);
    }
    damp(f, all);
    solve(f);
}

static void take_fit(const fit *f, sb_head *head, sb_head_delays *delays) {
    int filters = 2 * head->taps;
    for (int k = 0; k < ROWS; k++) {
        const double *row = f->right + (size_t)k * (size_t)f->columns;
        for (int n = 0; n < filters; n++)
            head->rows[k * filters + n] = (float)row[n];
        for (int side = 0; side < SIDES; side++)
            delays->c_s[side][k] = row[filters + side];
    }
    sb_vec3 ahead = {0, 0, 1};
    double mean_s = 0.5 * (sb_head_delay_s(delays, 0, ahead) +
                           sb_head_delay_s(delays, 1, ahead));
    for (int side = 0; side < SIDES; side++)
        delays->c_s[side][0] -= mean_s;
}

sb_head *sb_head_make(const sb_head_data *data, double sample_rate_hz,
                      sb_head_delays *delays) {
    splitter s = {.data = data,
                  .rate_hz = sample_rate_hz,
                  .taps = sb_head_taps(sample_rate_hz)};
    fit f = {.columns = 2 * s.taps + SIDES};
    size_t wide = (size_t)f.columns, rows = (size_t)(2 * s.taps) * ROWS;
    f.matrix = sb_alloc((wide + ROWS) * ROWS + wide, sizeof *f.matrix);
    sb_head *head =
        sb_alloc_aligned((sizeof *head + rows * sizeof(float) + 63) / 64 * 64);
    if (f.matrix && head && open_splitter(&s)) {
        f.right = f.matrix + ROWS * ROWS;
        f.values = f.right + wide * ROWS;
        head->taps = s.taps;
        fit_all(&s, &f);
        take_fit(&f, head, delays);
    } else {
        sb_free(head);
        head = NULL;
    }
    close_splitter(&s);
    sb_free(f.matrix);
    return head;
}
