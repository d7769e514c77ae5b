/* SPDX-License-Identifier: MIT */
/* Computes the heights of every kind of surface. Thread: control. */
#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/dsp/surface/surface_internal.h"

#include <math.h>
#include <string.h>

static int power_of_two(double least) {
    int points = 16;
    while (points < least && points < SB_SURFACE_MOST_POINTS)
        points *= 2;
    return points;
}

int sb_surface_points(const sb_surface_def *def, double *period_m) {
    const double usual = 65536;
    double spacing = 0.0, points = usual, least = 1024;
    switch (def->kind) {
    case SB_SURFACE_NOISE:
    case SB_SURFACE_GRAVEL:
        spacing = 0.25 * def->grain_m;
        break;
    case SB_SURFACE_FRACTAL:
        /* The spectrum ends abruptly; this far below the Nyquist frequency of
         * the points the images of the splines are 50 dB down. */
        spacing = 0.125 * def->shortest_m;
        least = fmax(least, 16.0 * def->longest_m / spacing);
        break;
    case SB_SURFACE_GRID:
        *period_m = def->period_m;
        return 2048;
    case SB_SURFACE_COBBLES:
        spacing = def->period_m / 512.0;
        points = 2.0 * usual;
        least = 8.0 * 512.0; /* stones */
        break;
    case SB_SURFACE_STORED: {
        /* Twice the points keep interpolation errors inaudible. */
        int times = def->end == SB_SURFACE_REPEAT ? 1 : 2;
        *period_m = times * def->points * def->spacing_m;
        return power_of_two(2.0 * times * def->points);
    }
    case SB_SURFACE_KIND_COUNT:
        break;
    }
    /* A given length may also be short, for speed. */
    if (def->length_m > 0.0) points = def->length_m / spacing;
    int count = power_of_two(fmax(points, least));
    *period_m = count * spacing;
    return count;
}

/* A random number that depends on seed and position only. */
static double hash_unit(uint64_t seed, uint64_t index) {
    sb_random random = sb_random_make(seed, index);
    return sb_random_unit(&random);
}

/* A sum of four is nearly Gaussian; mean 0, variance 1/3. */
static double hash_bell(uint64_t seed, uint64_t index) {
    sb_random random = sb_random_make(seed, index);
    double sum = -2.0;
    for (int i = 0; i < 4; i++)
        sum += sb_random_unit(&random);
    return sum;
}

/* The amplitude of the line at k cycles per metre. */
static double line_size(const sb_surface_def *def, double k) {
    if (def->kind != SB_SURFACE_FRACTAL) {
        double x = SB_PI * k * def->grain_m;
        return exp(-0.5 * x * x);
    }
    bool is_within = k * def->longest_m >= 1.0 && k * def->shortest_m <= 1.0;
    return is_within ? pow(k, -0.5 * def->exponent) : 0.0;
}

static void scale_to(double rms, const double complex *x, float *out, int n) {
    double power = 0.0;
    for (int i = 0; i < n / 2; i++)
        power += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    double scale = power > 0.0 ? rms / sqrt(power / n) : 0.0;
    for (int i = 0; i < n / 2; i++) {
        out[2 * i] = (float)(scale * creal(x[i]));
        out[2 * i + 1] = (float)(scale * cimag(x[i]));
    }
}

/* Filtered white noise. */
static sb_status make_noise(const sb_surface_def *def, sb_surface_table *table,
                            sb_error *err) {
    int n = table->points, half = n / 2;
    double complex *x = sb_alloc(2 * (size_t)n + 2, sizeof(double complex));
    if (!x) return sb_no_memory_for(err, "%d random heights", n);
    double complex *work = x + half + 1, *turn = work + half + 1;
    sb_fft_turns(turn, n);
    for (int i = 0; i < n; i++)
        table->heights_m[i] = (float)hash_bell(def->seed, (uint64_t)i);
    sb_fft_kernel_real(table->heights_m, n, x, work, turn, n);
    double per_line = 1.0 / (n * table->spacing_m);
    x[0] = 0.0; /* zero mean */
    for (int k = 1; k <= half; k++)
        x[k] *= line_size(def, per_line * k);
    sb_fft_pair_lines(x, n, turn, n);
    sb_fft_kernel(x, work, half, 1.0, turn, n);
    scale_to(def->roughness_m, x, table->heights_m, n);
    sb_free(x);
    return SB_OK;
}

/* One groove in the middle of the table, with raised-cosine edges. */
static void make_grid(const sb_surface_def *def, sb_surface_table *table) {
    double half = 0.5 * def->width_m, edge = fmax(def->edge_m, 1e-12);
    for (int i = 0; i < table->points; i++) {
        double off = fabs((i - table->points / 2) * table->spacing_m);
        double part = fmin(fmax((off - half) / edge + 0.5, 0.0), 1.0);
        double fall = 0.5 * (1.0 + cos(SB_PI * part));
        table->heights_m[i] = (float)(-def->depth_m * fall);
    }
}

/* Stones as parabolas between gaps. Gap i stays within its own interval, so
 * that stones never overlap and the last meets the first. */
static void make_cobbles(const sb_surface_def *def, sb_surface_table *table) {
    double n = table->points;
    int stones = (int)floor(n * table->spacing_m / def->period_m + 0.5);
    double size = n / stones;
    for (int i = 0; i < stones; i++) {
        double joint[2];
        for (int side = 0; side < 2; side++) {
            uint64_t at = (uint64_t)((i + side) % stones);
            double off = 0.9 * def->variety * (hash_unit(def->seed, at) - 0.5);
            joint[side] = size * (i + side + off);
        }
        uint64_t top_at = (uint64_t)(stones + i);
        double top = 0.5 * def->variety * hash_unit(def->seed, top_at);
        double middle = 0.5 * (joint[0] + joint[1]);
        double half = 0.5 * (joint[1] - joint[0]);
        for (int j = (int)ceil(joint[0]); j < joint[1]; j++) {
            double x = (j - middle) / half;
            double height = -def->depth_m * (top + (1.0 - top) * x * x);
            int place = ((j % table->points) + table->points) % table->points;
            table->heights_m[place] = (float)height;
        }
    }
}

/* Row `row` of a stored table at `at` points from its start, by cubic
 * interpolation. */
static double stored_height(const sb_surface_def *def, int row, double at) {
    const float *heights = def->heights_m + (long)row * def->points;
    int n = def->points, first = (int)floor(at);
    double h[4], t = at - first;
    for (int i = 0; i < 4; i++) {
        int j = first - 1 + i;
        if (def->end == SB_SURFACE_REPEAT) {
            j = ((j % n) + n) % n;
        } else { /* each end point twice: the table is mirrored between them */
            j = ((j % (2 * n)) + 2 * n) % (2 * n);
            if (j >= n) j = 2 * n - 1 - j;
        }
        h[i] = (double)heights[j];
    }
    double rise = 0.5 * (h[2] - h[0]);
    double bend = h[0] - 2.5 * h[1] + 2.0 * h[2] - 0.5 * h[3];
    double twist = 0.5 * (h[3] - h[0]) + 1.5 * (h[1] - h[2]);
    return h[1] + t * (rise + t * (bend + t * twist));
}

/* Point i of the table is at (i + 1/2) spacings, so that both halves of a
 * mirrored table are alike; a repeated table has its first point at 0. */
static void make_stored(const sb_surface_def *def, sb_surface_table *table) {
    double step = table->spacing_m / def->spacing_m;
    double shift = def->end == SB_SURFACE_REPEAT ? 0.0 : -0.5;
    for (int row = 0; row < table->rows; row++)
        for (int i = 0; i < table->points; i++)
            table->heights_m[(long)row * table->points + i] =
                (float)stored_height(def, row, i * step + shift);
}

sb_status sb_surface_shape(const sb_surface_def *def, sb_surface_table *table,
                           sb_error *err) {
    switch (def->kind) {
    case SB_SURFACE_NOISE:
    case SB_SURFACE_GRAVEL:
    case SB_SURFACE_FRACTAL:
        return make_noise(def, table, err);
    case SB_SURFACE_GRID:
        make_grid(def, table);
        break;
    case SB_SURFACE_COBBLES:
        make_cobbles(def, table);
        break;
    case SB_SURFACE_STORED:
        make_stored(def, table);
        break;
    case SB_SURFACE_KIND_COUNT:
        break;
    }
    return SB_OK;
}

/* --- under a rolling ball -------------------------------------------------*/

/* One row under a rolling ball. The arc is concave, so the point that carries
 * the ball moves forward with the ball: between two positions only the points
 * between their carriers need to be searched (n log n in all). */
typedef struct path {
    const float *heights; /* readable `reach` beyond both ends */
    const double *arc;    /* sqrt(R^2 - t^2) - R, t in points, 0 .. reach */
    int reach;
    float *out;
} path;

/* The first point that carries the ball at `x`, and its height. */
static int carrier(const path *p, int x, int first, int last) {
    if (first < x - p->reach) first = x - p->reach;
    if (last > x + p->reach) last = x + p->reach;
    int best = first;
    double highest = -INFINITY;
    for (int i = first; i <= last; i++) {
        double height = (double)p->heights[i] + p->arc[i < x ? x - i : i - x];
        if (height > highest) {
            highest = height;
            best = i;
        }
    }
    p->out[x] = (float)highest;
    return best;
}

static void roll(const path *p, int from, int to, int first, int last) {
    if (from > to) return;
    int middle = from + (to - from) / 2;
    int best = carrier(p, middle, first, last);
    roll(p, from, middle - 1, first, best);
    roll(p, middle + 1, to, best, last);
}

static void roll_rows(const sb_surface *surface, path *p, float *ring,
                      float *out) {
    int n = surface->points;
    for (int row = 0; row < surface->rows; row++) {
        const float *heights = surface->heights_m + (long)row * n;
        for (int i = -p->reach; i < n + p->reach; i++)
            ring[i + p->reach] = heights[((i % n) + n) % n];
        p->heights = ring + p->reach;
        p->out = out + (long)row * n;
        roll(p, 0, n - 1, -p->reach, n - 1 + p->reach);
    }
}

/* Fill `heights` with the path of the ball. */
static sb_status roll_over(const sb_surface *surface, double radius_m,
                           float *heights, sb_error *err) {
    int n = surface->points;
    double spacing = surface->period_m / n;
    /* A whole period covers every point. */
    int reach = (int)fmin(floor(radius_m / spacing), n);
    float *ring = sb_alloc((size_t)n + 2 * (size_t)reach, sizeof(float));
    double *arc = sb_alloc((size_t)reach + 1, sizeof(double));
    sb_status status = SB_OK;
    if (ring && arc) {
        for (int i = 0; i <= reach; i++) {
            double t = i * spacing;
            arc[i] = -t * t / (radius_m + sqrt(radius_m * radius_m - t * t));
        }
        path p = {0, arc, reach, 0};
        roll_rows(surface, &p, ring, heights);
    } else {
        status =
            sb_fail(err, SB_NO_MEMORY, "no memory to roll over %d points", n);
    }
    sb_free(arc);
    sb_free(ring);
    return status;
}

static sb_status check(double radius_m, double patch_m, sb_error *err) {
    bool is_fit = radius_m >= 0.0 && isfinite(radius_m) && patch_m >= 0.0 &&
                  isfinite(patch_m) && radius_m + patch_m > 0.0;
    if (is_fit) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "surface: a ball of radius %g m cannot roll over it; "
                   "expected a radius above 0",
                   radius_m);
}

sb_status sb_surface_roll(const sb_surface *surface, double radius_m,
                          double patch_m, sb_surface **out, sb_error *err) {
    sb_status status = check(radius_m, patch_m, err);
    if (status) return status;
    int n = surface->points;
    size_t count = (size_t)surface->rows * (size_t)n;
    float *heights = sb_alloc(count, sizeof(float));
    if (!heights)
        return sb_fail(err, SB_NO_MEMORY, "no memory to roll over %d points",
                       n);
    memcpy(heights, surface->heights_m, count * sizeof(float));
    if (radius_m > 0.0) status = roll_over(surface, radius_m, heights, err);
    sb_surface_table table = {.points = n,
                              .rows = surface->rows,
                              .spacing_m = surface->period_m / n,
                              .row_spacing_m = surface->row_spacing_m,
                              .length_m = surface->length_m,
                              .is_clamped = surface->is_clamped,
                              .gravel = surface->gravel,
                              .grain = surface->grain,
                              .heights_m = heights,
                              .patch_m = patch_m};
    if (!status) status = sb_surface_build(&table, out, err);
    sb_free(heights);
    return status;
}
