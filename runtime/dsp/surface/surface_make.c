/* SPDX-License-Identifier: MIT */
/* Checks the definition of a surface and creates it. Thread: control. */
#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub.h"
#include "runtime/dsp/surface/surface.h"
#include "runtime/dsp/surface/surface_internal.h"

#include <math.h>
#include <string.h>

sb_surface_def sb_surface_default(sb_surface_kind kind) {
    sb_surface_def def = {.kind = kind,
                          .seed = 1,
                          .roughness_m = 5e-6,
                          .grain_m = 0.2e-3,
                          .exponent = 2.0,
                          .longest_m = 0.05,
                          .shortest_m = 0.1e-3,
                          .period_m = 0.01,
                          .depth_m = 1e-3,
                          .width_m = 2e-3,
                          .edge_m = 0.3e-3,
                          .variety = 0.5,
                          .rows = 1,
                          .spacing_m = 0.1e-3,
                          .row_spacing_m = 0.1e-3};
    if (kind == SB_SURFACE_FRACTAL) def.roughness_m = 20e-6;
    if (kind == SB_SURFACE_COBBLES) {
        def.period_m = 0.08;
        def.depth_m = 8e-3;
    }
    if (kind == SB_SURFACE_GRAVEL)
        def.gravel = (sb_gravel){100.0, 1500.0, 1e-4, {30e-6, 150e-6}};
    return def;
}

typedef struct rule {
    const char *name;
    double value, least, most;
    unsigned kinds; /* kinds that use the field, one bit each */
} rule;

static sb_status check_rules(const char *what, const rule *rules,
                             unsigned count, unsigned kinds, sb_error *err) {
    for (unsigned i = 0; i < count; i++) {
        const rule *r = &rules[i];
        if ((r->kinds & kinds) == kinds &&
            !(r->value >= r->least && r->value <= r->most))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: %s is %g; expected %g to %g", what, r->name,
                           r->value, r->least, r->most);
    }
    return SB_OK;
}

enum {
    NOISE = 1 << SB_SURFACE_NOISE | 1 << SB_SURFACE_GRAVEL,
    FRACTAL = 1 << SB_SURFACE_FRACTAL,
    GRID = 1 << SB_SURFACE_GRID,
    COBBLES = 1 << SB_SURFACE_COBBLES,
    STORED = 1 << SB_SURFACE_STORED,
    ALL = NOISE | FRACTAL | GRID | COBBLES | STORED
};

static sb_status check_numbers(const sb_surface_def *d, sb_error *err) {
    const double tiny = 1e-7, far = 1e4;
    const sb_gravel *g = &d->gravel;
    bool has_grains = g->per_n2s > 0.0;
    const rule rules[] = {
        {"length", d->length_m, 0.0, far, ALL},
        {"roughness", d->roughness_m, 0.0, 1.0, NOISE | FRACTAL},
        {"grain", d->grain_m, tiny, far, NOISE},
        {"exponent", d->exponent, 0.0, 6.0, FRACTAL},
        {"shortest", d->shortest_m, tiny, far, FRACTAL},
        {"longest", d->longest_m, d->shortest_m, far, FRACTAL},
        {"period", d->period_m, tiny, far, GRID | COBBLES},
        {"depth", d->depth_m, 0.0, 10.0, GRID | COBBLES},
        {"width", d->width_m, 0.0, 0.5 * d->period_m, GRID},
        {"edge", d->edge_m, 0.0, d->width_m, GRID},
        {"variety", d->variety, 0.0, 1.0, COBBLES},
        {"points", d->points, 2, SB_SURFACE_MOST_POINTS / 4.0, STORED},
        {"rows", d->rows, 1, 65536, STORED},
        {"spacing", d->spacing_m, tiny, far, STORED},
        {"row_spacing", d->row_spacing_m, tiny, far, STORED},
        {"grains activity", g->per_n2s, 0.0, 1e12, ALL},
        {"grains most", g->most_hz, 1.0, 2e4, has_grains ? ALL : 0},
        {"grains impulse", g->impulse_ns, 0.0, 1e3, ALL},
        {"grains shortest", g->duration_s[0], 0.0, 0.01, ALL},
        {"grains longest", g->duration_s[1], g->duration_s[0], 0.01, ALL},
    };
    return check_rules("surface", rules, sizeof rules / sizeof *rules,
                       1u << d->kind, err);
}

static sb_status check(const sb_surface_def *def, sb_error *err) {
    if ((unsigned)def->kind >= SB_SURFACE_KIND_COUNT)
        return sb_fail(err, SB_BAD_ARGUMENT, "surface: there is no kind %d",
                       (int)def->kind);
    sb_status status = check_numbers(def, err);
    if (status || def->kind != SB_SURFACE_STORED) return status;
    if (!def->heights_m)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "surface: a stored one has no heights");
    if ((unsigned)def->end > SB_SURFACE_CLAMP)
        return sb_fail(err, SB_BAD_ARGUMENT, "surface: there is no end %d",
                       (int)def->end);
    for (long i = 0; i < (long)def->points * def->rows; i++)
        if (!(fabsf(def->heights_m[i]) <= 10.0f))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "surface: height %ld is %g m; expected -10 to 10",
                           i + 1, (double)def->heights_m[i]);
    return SB_OK;
}

long sb_surface_size(const sb_surface_def *def) {
    double period_m;
    long rows = def->kind == SB_SURFACE_STORED ? def->rows : 1;
    return rows * sb_surface_points(def, &period_m);
}

/* The continuation of the spectrum below the shortest waves of the table: of
 * noise as 1 / c^2, of a fractal with its own exponent. Gravel is stones. */
static sb_surface_grain grain_of(const sb_surface_def *def) {
    if (def->kind == SB_SURFACE_NOISE)
        return (sb_surface_grain){def->roughness_m, def->grain_m, 0.5};
    if (def->kind == SB_SURFACE_FRACTAL)
        return (sb_surface_grain){def->roughness_m, def->longest_m,
                                  fmax(0.5 * (def->exponent - 1.0), 0.0)};
    return (sb_surface_grain){0};
}

double sb_surface_rough_m(const sb_surface *surface, double width_m) {
    const sb_surface_grain *grain = &surface->grain;
    if (!(grain->rough_m > 0.0)) return 0.0;
    return grain->rough_m *
           pow(fmin(width_m / grain->length_m, 1.0), grain->growth);
}

sb_status sb_surface_create(const sb_surface_def *def, sb_surface **out,
                            sb_error *err) {
    sb_status status = check(def, err);
    if (status) return status;
    double period_m;
    int points = sb_surface_points(def, &period_m);
    bool is_stored = def->kind == SB_SURFACE_STORED;
    bool is_clamped = is_stored && def->end == SB_SURFACE_CLAMP;
    sb_surface_table table = {.points = points,
                              .rows = is_stored ? def->rows : 1,
                              .spacing_m = period_m / points,
                              .row_spacing_m = def->row_spacing_m,
                              .length_m =
                                  is_clamped ? 0.5 * period_m : period_m,
                              .is_clamped = is_clamped,
                              .gravel = def->gravel,
                              .grain = grain_of(def)};
    if ((long)points * table.rows > SB_SURFACE_MOST_POINTS)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "surface: %d rows of %d points are too many; expected "
                       "at most %d points in all",
                       table.rows, points, (int)SB_SURFACE_MOST_POINTS);
    table.heights_m =
        sb_alloc((size_t)table.rows * (size_t)points, sizeof(float));
    if (!table.heights_m)
        return sb_no_memory_for(err, "a surface of %d points", points);
    status = sb_surface_shape(def, &table, err);
    if (!status) status = sb_surface_build(&table, out, err);
    sb_free(table.heights_m);
    return status;
}

/* --- levels ---------------------------------------------------------------*/

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
        return sb_no_memory_for(err, "a surface of %d points", table->points);
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

/* --- rings ----------------------------------------------------------------*/

/* Share of the ring in which its end passes into its beginning. */
#define SEAM 0.1

/* Fewer points have no profile. */
enum { LEAST_POINTS = 8 };

/* Both ends overlap in the seam, with weights whose squares sum to one: the
 * heights of a random surface keep their mean square. */
static void close_ring(const sb_surface *surface, float *heights, int points) {
    double mean = surface->mean_m;
    int seam = (int)(SEAM * points);
    for (int i = 0; i < points; i++) {
        double h = (double)surface->heights_m[i] - mean;
        if (i < seam) {
            double beyond = (double)surface->heights_m[points + i] - mean;
            double turn = 0.5 * SB_PI * (i + 0.5) / seam;
            h = sin(turn) * h + cos(turn) * beyond;
        }
        heights[i] = (float)(mean + h);
    }
}

sb_status sb_surface_loop(sb_surface *surface, double length_m,
                          sb_surface **out, sb_error *err) {
    double spacing_m = surface->period_m / surface->points;
    double points = round(length_m / spacing_m);
    bool is_short = !((1.0 + SEAM) * points <= surface->points);
    if (is_short || points < LEAST_POINTS || surface->is_clamped) {
        *out = sb_surface_retain(surface);
        return SB_OK;
    }
    int count = (int)points;
    float *heights = sb_alloc((size_t)count, sizeof *heights);
    if (!heights) return sb_no_memory_for(err, "a rim of %d points", count);
    close_ring(surface, heights, count);
    sb_surface_def def = sb_surface_default(SB_SURFACE_STORED);
    def.heights_m = heights;
    def.points = count;
    def.rows = 1;
    def.spacing_m = length_m / count;
    def.gravel = surface->gravel;
    sb_status status = sb_surface_create(&def, out, err);
    if (!status) {
        (*out)->grain = surface->grain;
        (*out)->is_ring = true;
    }
    sb_free(heights);
    return status;
}

/* --- the definition of a lasting contact ----------------------------------*/

sb_rub_def sb_rub_default(void) {
    return (sb_rub_def){.gain = {1.0, 0.0, 0.0, 0.0},
                        .seed = 1,
                        .contact = {.law = {1.72e9, 1.5, 0.0},
                                    .mass_kg = 0.01,
                                    .radius_m = 0.01,
                                    .load_n = 0.1},
                        .gap_m = {0.5e-3, 1.5e-3},
                        .slope = 0.01,
                        .variation = 0.5,
                        .strength_exponent = 0.5,
                        .creak_drop = 0.15,
                        .creak_stiffness_n_m = 1e4,
                        .creak_mass_kg = 1e-3,
                        .creak_speed_m_s = 0.1,
                        .creak_jitter = 0.05};
}

sb_status sb_rub_check(const sb_rub_def *d, sb_error *err) {
    const double far = 1e9, loud = 1e6;
    const rule rules[] = {
        {"start[1]", d->start_m[0], -far, far, ALL},
        {"start[2]", d->start_m[1], -far, far, ALL},
        {"across[1]", d->across_m[0], -far, far, ALL},
        {"across[2]", d->across_m[1], -far, far, ALL},
        {"gain of the profile", d->gain[SB_RUB_PROFILE], 0, loud, ALL},
        {"gain of the impacts", d->gain[SB_RUB_IMPACTS], 0, loud, ALL},
        {"gain of the gravel", d->gain[SB_RUB_GRAVEL], 0, loud, ALL},
        {"gain of the creak", d->gain[SB_RUB_CREAK], 0, loud, ALL},
        {"mass", d->contact.mass_kg, 1e-9, 1e6, ALL},
        {"inverse mass", d->contact.inverse_mass, 0, 1e9, ALL},
        {"stiffness", d->contact.law.stiffness, 1e-3, 1e22, ALL},
        {"exponent", d->contact.law.exponent, 1, 4, ALL},
        {"lambda", d->contact.law.lambda, 0, 1e22, ALL},
        {"load", d->contact.load_n, 1e-6, 1e6, ALL},
        {"radius", d->contact.radius_m, 1e-6, 1e3, ALL},
        {"roughness", d->contact.rough_m, 0, 1, ALL},
        {"mobility", d->contact.mobility, 0, 1e9, ALL},
        {"eccentricity", d->eccentricity, 0, 1, ALL},
        {"gap[1]", d->gap_m[0], 0, 1e3, ALL},
        {"gap[2]", d->gap_m[1], 2.0 * d->gap_m[0] + 1e-9, 1e4, ALL},
        {"gap_time[1]", d->gap_s[0], 0, 1e3, ALL},
        {"gap_time[2]", d->gap_s[1], d->gap_s[1] != 0.0 ? d->gap_s[0] : 0, 1e3,
         ALL},
        {"slope", d->slope, 0, 10, ALL},
        {"variation", d->variation, 0, 1, ALL},
        {"strength_exponent", d->strength_exponent, 0, 2, ALL},
        {"creak_drop", d->creak_drop, 1e-6, 10, ALL},
        {"creak_stiffness", d->creak_stiffness_n_m, 1e-3, 1e12, ALL},
        {"creak_mass", d->creak_mass_kg, 1e-9, 1e6, ALL},
        {"creak_speed", d->creak_speed_m_s, 1e-6, 1e3, ALL},
        {"creak_jitter", d->creak_jitter, 0, 1, ALL}};
    return check_rules("contact", rules, sizeof rules / sizeof *rules, 1, err);
}
