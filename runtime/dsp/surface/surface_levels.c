/* Builds all levels of a surface from a table of heights, through its
 * spectrum. Thread: control. */
#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/surface_internal.h"

#include <math.h>
#include <string.h>

/* Work buffers. */
typedef struct bench {
    int points;
    double complex *turn, *thirds;      /* for `points` and for 3/4 of them */
    double complex *lines, *work, *row; /* points / 2 + 1 each */
} bench;

static size_t bench_numbers(int points) {
    return (size_t)points + 3 * (size_t)points / 4 +
           3 * ((size_t)points / 2 + 1);
}

static bench lay_out(double complex *room, int points) {
    bench b = {.points = points, .turn = room};
    b.thirds = b.turn + points;
    b.lines = b.thirds + 3 * points / 4;
    b.work = b.lines + points / 2 + 1;
    b.row = b.work + points / 2 + 1;
    sb_fft_turns(b.turn, points);
    sb_fft_turns(b.thirds, 3 * points / 4);
    return b;
}

/* The response of a level at `cycles` per point, 0 .. 0.5, divided by the
 * response of the spline: (x / sin x)^4, x = pi cycles. The real part of the
 * turn e^(2 i x) is 1 - 2 sin^2 x. */
static double level_gain(double cycles, double complex turn) {
    double x2 = SB_PI * SB_PI * cycles * cycles;
    double sin2 = 0.5 * (1.0 - creal(turn));
    double gain = x2 < 1e-4 ? 1.0 + 2.0 / 3.0 * x2 : x2 / sin2 * (x2 / sin2);
    if (cycles <= 0.36) return gain;
    if (cycles >= 0.5) return 0.0;
    return gain * 0.5 * (1.0 + cos(SB_PI * (cycles - 0.36) / 0.14));
}

/* The transform of `count` numbers, three times a power of two, as three
 * transforms; the result is in `out`. */
static void transform_thirds(const bench *b, const double complex *in,
                             int count, double complex *out) {
    int third = count / 3, turns = 3 * b->points / 4;
    long stride = turns / count;
    for (int first = 0; first < 3; first++)
        for (int q = 0; q < third; q++)
            out[first * third + q] = in[3 * q + first];
    for (int first = 0; first < 3; first++)
        /* The input is used as work space. */
        sb_fft_kernel(out + (long)first * third, (double complex *)in, third,
                      1.0, b->turn, b->points);
    double complex w = CMPLX(-0.5, 0.8660254037844386), w2 = conj(w);
    for (int j = 0; j < third; j++) {
        double complex t0 = out[j];
        double complex t1 = b->thirds[j * stride] * out[third + j];
        double complex t2 = b->thirds[2 * j * stride] * out[2 * third + j];
        out[j] = t0 + t1 + t2;
        out[third + j] = t0 + w * t1 + w2 * t2;
        out[2 * third + j] = t0 + w2 * t1 + w * t2;
    }
}

/* The coefficients of a level, of 4 2^a or 3 2^a points. */
static void fill_level(const bench *b, const sb_surface_level *level,
                       float *spline) {
    int points = level->points, half = points / 2;
    bool is_third = level->factor == 3;
    const double complex *turn = is_third ? b->thirds : b->turn;
    int turns = is_third ? 3 * b->points / 4 : b->points;
    double complex *row = b->row;
    for (int k = 0; k <= half; k++) {
        double gain =
            level_gain((double)k / points, turn[(long)k * (turns / points)]);
        row[k] = gain / b->points * b->lines[k];
    }
    sb_fft_pair_lines(row, points, turn, turns);
    if (is_third) {
        transform_thirds(b, row, half, b->work);
        row = b->work;
    } else {
        sb_fft_kernel(row, b->work, half, 1.0, b->turn, b->points);
    }
    for (int j = 0; j < half; j++) {
        spline[2 * j + 1] = (float)creal(row[j]);
        spline[(2 * j + 2) % points] = (float)cimag(row[j]);
    }
    for (int i = 0; i < 3; i++)
        spline[points + i] = spline[i];
}

/* The mean over a patch: sin(x) / x. */
static void average(const bench *b, double period_m, double patch_m) {
    for (int k = 1; k <= b->points / 2; k++) {
        double x = 2.0 * SB_PI * k / period_m * patch_m;
        b->lines[k] *= x < 1e-4 ? 1.0 : sin(x) / x;
    }
}

static void add_bands(const bench *b, double period_m, int rows,
                      sb_surface *surface) {
    for (int k = 1; k < b->points / 2; k++) {
        int band = 0;
        while (k >> (band + 1))
            band++;
        double re = creal(b->lines[k]) / b->points;
        double im = cimag(b->lines[k]) / b->points;
        double per_m = 2.0 * SB_PI * k / period_m;
        surface->band_slope2[band] +=
            2.0 * per_m * per_m * (re * re + im * im) / rows;
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

/* Row by row: the spectrum, and all levels from it. */
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
        sb_fft_kernel_real(heights, b->points, b->lines, b->work, b->turn,
                           b->points);
        if (table->patch_m > 0.0) average(b, surface->period_m, table->patch_m);
        add_bands(b, surface->period_m, table->rows, surface);
        surface->mean_m +=
            creal(b->lines[0]) / ((double)b->points * table->rows);
        for (int l = 0; l < surface->level_count; l++) {
            const sb_surface_level *level = &surface->level[l];
            /* The block is still writable here. */
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
        sb_alloc(bench_numbers(table->points), sizeof(double complex));
    if (!surface || !work) {
        sb_free(surface);
        sb_free(work);
        return sb_fail(err, SB_NO_MEMORY,
                       "no memory for a surface of %d points", table->points);
    }
    float *heights = (void *)((char *)surface + head);
    size_t count = (size_t)table->rows * (size_t)table->points;
    *surface = (sb_surface){.period_m = table->points * table->spacing_m,
                            .length_m = table->length_m,
                            .is_clamped = table->is_clamped,
                            .rows = table->rows,
                            .row_spacing_m = table->row_spacing_m,
                            .points = table->points,
                            .level_count = level_count,
                            .heights_m = heights,
                            .gravel = table->gravel,
                            .grain = table->grain};
    atomic_init(&surface->users, 1);
    memcpy(heights, table->heights_m, count * sizeof(float));
    bench b = lay_out(work, table->points);
    fill(table, &b, surface, heights + count);
    sb_free(work);
    *out = surface;
    return SB_OK;
}

sb_surface *sb_surface_retain(sb_surface *surface) {
    if (surface) atomic_fetch_add(&surface->users, 1);
    return surface;
}

void sb_surface_release(sb_surface *surface) {
    if (surface && atomic_fetch_sub(&surface->users, 1) == 1) sb_free(surface);
}
