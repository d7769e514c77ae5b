#include "runtime/base/memory.h"
#include "runtime/dsp/surface_inside.h"

#include <math.h>
#include <string.h>

#define PI 3.141592653589793

void sb_surface_turns(double complex *turn, int turns) {
    for (int j = 0; j < turns; j++)
        turn[j] = cexp(2.0 * PI * I * j / turns);
}

static void reorder(double complex *x, int count) {
    for (int i = 1, j = 0; i < count; i++) {
        int bit = count >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            double complex other = x[i];
            x[i] = x[j];
            x[j] = other;
        }
    }
}

void sb_surface_fourier(double complex *x, int count, double sign,
                        const double complex *turn, int turns) {
    reorder(x, count);
    for (int half = 1; half < count; half *= 2) {
        long stride = turns / (2 * half);
        for (int start = 0; start < count; start += 2 * half)
            for (int j = 0; j < half; j++) {
                double c = creal(turn[j * stride]);
                double s = sign * cimag(turn[j * stride]);
                double complex a = x[start + j], b = x[start + j + half];
                double re = c * creal(b) - s * cimag(b);
                double im = c * cimag(b) + s * creal(b);
                x[start + j] = a + CMPLX(re, im);
                x[start + j + half] = a - CMPLX(re, im);
            }
    }
}

/* Room to work in. */
typedef struct bench {
    int points;
    double complex *turn, *spectrum, *parts; /* `points` each */
} bench;

/* What a level lets through at `cycles` a point, 0 .. 0.5, over what the spline
 * between its points takes away. */
static double level_gain(double cycles) {
    double x = PI * cycles, fall = x == 0.0 ? 1.0 : sin(x) / x;
    double gain = 1.0 / (fall * fall * fall * fall);
    if (cycles <= 0.36) return gain;
    if (cycles >= 0.5) return 0.0;
    return gain * 0.5 * (1.0 + cos(PI * (cycles - 0.36) / 0.14));
}

/* The spectrum's line k, -points / 2 <= k < points / 2, as a level has it. */
static double complex level_line(const bench *b, int k, int points) {
    double gain = level_gain(fabs((double)k) / points) / b->points;
    return gain * b->spectrum[k < 0 ? k + b->points : k];
}

/* The lines k = first, first + step, ... of a level of `points`, transformed in
 * b->parts. */
static double complex *transform_part(const bench *b, int points, int first,
                                      int step) {
    int count = points / step;
    double complex *part = b->parts + (long)first * count;
    for (int q = 0; q < count; q++) {
        int k = step * q + first;
        part[q] = level_line(b, 2 * k < points ? k : k - points, points);
    }
    sb_surface_fourier(part, count, 1.0, b->turn, b->points);
    return part;
}

/* The coefficients of a level: of 2^a points at once, of 3 2^a as three. */
static void fill_level(const bench *b, const sb_surface_level *level,
                       float *spline) {
    int points = level->points, step = level->factor == 3 ? 3 : 1;
    double complex *part[3] = {0, 0, 0};
    for (int first = 0; first < step; first++)
        part[first] = transform_part(b, points, first, step);
    int count = points / step;
    for (int j = 0; j < points; j++) {
        double height = creal(part[0][j % count]);
        for (int first = 1; first < step; first++) {
            double complex turn = cexp(2.0 * PI * I * j * first / points);
            height += creal(turn * part[first][j % count]);
        }
        spline[(j + 1) % points] = (float)height;
    }
    for (int i = 0; i < 3; i++)
        spline[points + i] = spline[i];
}

static void add_bands(const bench *b, double period_m, int rows,
                      sb_surface *surface) {
    for (int k = 1; k < b->points / 2; k++) {
        int band = 0;
        while (k >> (band + 1))
            band++;
        double size = cabs(b->spectrum[k]) / b->points;
        double slope = size * 2.0 * PI * k / period_m;
        surface->band_slope2[band] += 2.0 * slope * slope / rows;
        if (band >= surface->band_count) surface->band_count = band + 1;
    }
    surface->band_per_m = 1.4142135623730951 / period_m;
}

static int level_points(int points, int level) {
    return (level & 1 ? 3 : 4) * ((points / 4) >> (level / 2));
}

static size_t block_floats(const sb_surface_table *table, int *level_count) {
    size_t rows = (size_t)table->rows;
    size_t floats = rows * (size_t)table->points;
    int l = 0;
    while (l < SB_SURFACE_LEVELS && level_points(table->points, l) >= 6)
        floats += rows * (size_t)(level_points(table->points, l++) + 3);
    *level_count = l;
    return floats;
}

/* The rows one by one: their spectrum, and from it all levels. */
static void fill(const sb_surface_table *table, const bench *b,
                 sb_surface *surface, float *splines) {
    int shift = 62;
    while ((1 << (64 - shift)) < table->points)
        shift--;
    for (int l = 0; l < surface->level_count; l++) {
        int points = level_points(table->points, l);
        surface->level[l] =
            (sb_surface_level){surface->period_m / points, points,
                               l & 1 ? 3 : 4, shift + l / 2, splines};
        splines += (size_t)table->rows * (size_t)(points + 3);
    }
    for (int row = 0; row < table->rows; row++) {
        const float *heights = table->heights_m + (long)row * table->points;
        for (int i = 0; i < table->points; i++)
            b->spectrum[i] = (double)heights[i];
        sb_surface_fourier(b->spectrum, b->points, -1.0, b->turn, b->points);
        add_bands(b, surface->period_m, table->rows, surface);
        for (int l = 0; l < surface->level_count; l++) {
            const sb_surface_level *level = &surface->level[l];
            /* The block is the maker's until it is handed out. */
            fill_level(b, level,
                       (float *)level->spline + row * (level->points + 3L));
        }
    }
}

sb_status sb_surface_build(const sb_surface_table *table, sb_surface **out,
                           sb_error *err) {
    int level_count;
    size_t floats = block_floats(table, &level_count);
    size_t head = (sizeof(sb_surface) + 63) / 64 * 64;
    sb_surface *surface = sb_alloc_aligned(head + floats * sizeof(float));
    double complex *work =
        sb_alloc((size_t)table->points, 3 * sizeof(double complex));
    if (!surface || !work) {
        sb_free(surface);
        sb_free(work);
        return sb_fail(err, SB_NO_MEMORY,
                       "no memory for a surface of %d points", table->points);
    }
    float *heights = (float *)((char *)surface + head);
    size_t count = (size_t)table->rows * (size_t)table->points;
    *surface = (sb_surface){.period_m = table->points * table->spacing_m,
                            .length_m = table->length_m,
                            .is_clamped = table->is_clamped,
                            .rows = table->rows,
                            .row_spacing_m = table->row_spacing_m,
                            .points = table->points,
                            .level_count = level_count,
                            .heights_m = heights,
                            .gravel = table->gravel};
    memcpy(heights, table->heights_m, count * sizeof(float));
    bench b = {table->points, work, work + table->points,
               work + 2L * table->points};
    sb_surface_turns(b.turn, b.points);
    fill(table, &b, surface, heights + count);
    sb_free(work);
    *out = surface;
    return SB_OK;
}

void sb_surface_destroy(sb_surface *surface) {
    sb_free(surface);
}
