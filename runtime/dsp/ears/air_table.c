/* SPDX-License-Identifier: MIT */
/* The absorption of the air and the filters that reproduce it. Thread:
 * control. */
#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/ears/air_filter.h"

#include <math.h>

/* --- fitting --------------------------------------------------------------*/

/* Below this gain errors are inaudible. */
#define FLOOR 1e-5

/* Frequencies above this are given no weight. */
#define HEARD_HZ 18000.0
#define UNHEARD  0.02

/* More points than coefficients, evenly up to half the rate, and some more
 * where the loss of low frequencies is determined. */
enum { LOW_POINTS = 6 };
static const double low_hz[LOW_POINTS] = {60, 125, 250, 375, 700, 1000};

typedef struct fit {
    int rows, columns;
    double *a; /* rows x columns */
    double *b;
} fit;

/* Householder reflections make a x = b triangular, in place. */
static void triangulate(fit *f) {
    for (int k = 0; k < f->columns; k++) {
        double norm2 = 0.0;
        for (int i = k; i < f->rows; i++)
            norm2 += f->a[i * f->columns + k] * f->a[i * f->columns + k];
        double *pivot = &f->a[k * f->columns + k];
        double turned = *pivot > 0.0 ? -sqrt(norm2) : sqrt(norm2);
        double scale = norm2 - turned * *pivot;
        if (scale <= 0.0) continue;
        double first = *pivot - turned;
        for (int j = k + 1; j <= f->columns; j++) {
            double *column = j < f->columns ? f->a + j : f->b;
            int stride = j < f->columns ? f->columns : 1;
            double dot = first * column[k * stride];
            for (int i = k + 1; i < f->rows; i++)
                dot += f->a[i * f->columns + k] * column[i * stride];
            dot /= scale;
            column[k * stride] -= dot * first;
            for (int i = k + 1; i < f->rows; i++)
                column[i * stride] -= dot * f->a[i * f->columns + k];
        }
        *pivot = turned;
    }
}

static void solve_triangle(const fit *f, float *x) {
    for (int k = f->columns - 1; k >= 0; k--) {
        double sum = f->b[k];
        for (int j = k + 1; j < f->columns; j++)
            sum -= f->a[k * f->columns + j] * f->b[j];
        f->b[k] = sum / f->a[k * f->columns + k];
    }
    for (int k = 0; k < f->columns; k++)
        x[k] = (float)f->b[k];
}

static void fit_distance(const sb_air *air, double rate_hz, double distance_m,
                         fit *f, float *coefs) {
    int even = f->rows - LOW_POINTS;
    for (int i = 0; i < f->rows; i++) {
        double hz = i < even ? 0.5 * rate_hz * i / (even - 1)
                             : fmin(low_hz[i - even], 0.5 * rate_hz);
        double loss_db = sb_air_loss_db_m(air, hz) * distance_m;
        double gain = fmax(pow(10.0, -loss_db / 20.0), FLOOR);
        double weight = hz > HEARD_HZ ? UNHEARD : 1.0;
        for (int k = 0; k < f->columns; k++)
            f->a[i * f->columns + k] = (k ? 2.0 : 1.0) *
                                       cos(2.0 * SB_PI * k * hz / rate_hz) *
                                       weight / gain;
        f->b[i] = weight;
    }
    triangulate(f);
    solve_triangle(f, coefs);
}

static double distance_of(int stop) {
    return SB_AIR_FIRST_M * (pow(SB_AIR_GROWTH, stop - 1) - 1.0) /
           (SB_AIR_GROWTH - 1.0);
}

static void make_clear(sb_air_table *table) {
    table->is_clear = true;
    for (int i = 0; i < SB_AIR_STOPS; i++)
        table->coefs[i * (table->half + 1)] = 1.0f;
}

sb_air_table *sb_air_table_make(const sb_air *air, double sample_rate_hz) {
    int half = sb_air_half(sample_rate_hz), count = half + 1;
    size_t floats = (size_t)(SB_AIR_STOPS * count);
    sb_air_table *table = sb_alloc(1, sizeof *table + floats * sizeof(float));
    fit f = {.rows = 3 * count + LOW_POINTS, .columns = count};
    f.a = sb_alloc((size_t)(f.rows * (f.columns + 1)), sizeof *f.a);
    if (table && f.a) {
        f.b = f.a + f.rows * f.columns;
        table->half = half;
        if (!air->absorbs) make_clear(table);
        for (int i = 0; i < SB_AIR_STOPS && air->absorbs; i++)
            fit_distance(air, sample_rate_hz, distance_of(i), &f,
                         table->coefs + i * count);
    } else {
        sb_free(table);
        table = NULL;
    }
    sb_free(f.a);
    return table;
}
