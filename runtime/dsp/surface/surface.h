/* SPDX-License-Identifier: MIT */
/* runtime/dsp/surface/surface.h -- the height profile of a surface.
 *
 * A surface is a profile h(s) in metres, s metres along it, stored as a table
 * that repeats: rolling back over a position meets the same height again. Every
 * kind states its period. A contact that passes v / fs metres per frame must
 * not see wavelengths below two frames. So the profile is stored at many
 * levels, each with 3/4 or 2/3 of the points of the one before, flat up to 0.36
 * cycles per point and with nothing above 0.5. Reading uses the finest level
 * that has at most one point per frame: nothing aliases, and everything below
 * 0.24 fs is present: 10.5 kHz at 44.1 kHz. Between points the levels are cubic
 * B-splines, prefiltered for a flat response.
 *
 * A position is a fraction of the period in 64 bits, so that hours of rolling
 * lose no precision and going back is exact.
 *
 * Symbols: s along_m, h height_m, k cycles per metre.
 * Thread:  created and destroyed by control; read by any.
 * Memory:  one block, reference-counted, immutable. About 18 bytes per point.
 * Source:  Menzies, Phya and VFoley, 2.2.1 to 2.2.3.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum sb_surface_kind {
    SB_SURFACE_NOISE,   /* random heights, fixed to their positions */
    SB_SURFACE_FRACTAL, /* power ~ 1 / k^exponent between two lengths */
    SB_SURFACE_GRID,    /* equidistant grooves */
    SB_SURFACE_COBBLES, /* rounded stones of uneven size, side by side */
    SB_SURFACE_STORED,  /* a table: recorded, drawn, a row or all of an image */
    SB_SURFACE_GRAVEL,  /* noise, and loose grains (see sb_gravel) */
    SB_SURFACE_KIND_COUNT
} sb_surface_kind;

/* What lies beyond the ends of a stored table. */
typedef enum sb_surface_end {
    SB_SURFACE_REPEAT, /* the table again */
    SB_SURFACE_MIRROR, /* the table backwards, then forwards */
    SB_SURFACE_CLAMP   /* level ground at the height of the end */
} sb_surface_end;

/* Loose grains that the contact sets in motion. They collide at random, at the
 * mean rate r / (1 + r / most_hz), r = per_n2s F^2, F being the root mean
 * square force of profile and micro-impacts. */
typedef struct sb_gravel {
    double per_n2s;    /* collisions per second and square newton; 0: none */
    double most_hz;    /* > 0 */
    double impulse_ns; /* of the largest grain */
    /* impact duration of the smallest and of the largest grain */
    double duration_s[2];
} sb_gravel;

/* Roughness at every scale, whether the table has it or not: the heights within
 * a width w vary by rough_m (w / length_m)^growth, at most by rough_m. */
typedef struct sb_surface_grain {
    double rough_m; /* 0: only shapes, as grooves and stones */
    double length_m, growth;
} sb_surface_grain;

typedef struct sb_surface_def {
    sb_surface_kind kind;
    uint64_t seed;
    /* minimal period; 0: chosen by the kind. The shortest is a few hundred
     * grains or 8 stones. Not for grid and stored, which have their own */
    double length_m;
    /* noise, gravel, fractal */
    double roughness_m; /* root mean square of the heights */
    double grain_m;     /* noise, gravel: correlation length (1/e) */
    /* fractal */
    double exponent; /* of the power spectrum, 0 .. 6 */
    double longest_m, shortest_m;
    /* grid, cobbles */
    double period_m; /* of the grid; mean size of a stone */
    double depth_m;  /* of a groove; of the gap between stones */
    double width_m;  /* grid: of a groove, at half depth */
    double edge_m;   /* grid: width of an edge, <= width_m */
    double variety;  /* cobbles: variation of sizes and heights, 0 .. 1 */
    /* stored: heights_m[row * points + i], read only during creation */
    const float *heights_m;
    int points, rows;
    double spacing_m, row_spacing_m;
    sb_surface_end end;
    sb_gravel gravel; /* for any kind */
} sb_surface_def;

enum {
    SB_SURFACE_LEVELS = 48,
    SB_SURFACE_BANDS = 24,
    SB_SURFACE_MOST_POINTS = 1 << 22 /* of all rows together */
};

typedef struct sb_surface_level {
    double spacing_m;
    int points;          /* `factor` times 2^(62 - shift) */
    int factor, shift;   /* 3 or 4 */
    const float *spline; /* coefficients; the cell of point i uses i .. i + 3 */
} sb_surface_level;

typedef struct sb_surface {
    atomic_int users;
    double period_m; /* of the table; mirrored, clamped: twice its length */
    double length_m; /* the requested length: clamps stop there */
    bool is_clamped;
    int rows;
    double row_spacing_m;
    int points; /* of the finest level */
    int level_count;
    sb_surface_level level[SB_SURFACE_LEVELS];
    /* Mean square slopes per octave of k, from one wave per period on. */
    int band_count;
    double band_per_m; /* centre of the first band */
    double band_slope2[SB_SURFACE_BANDS];
    double mean_m;
    const float *heights_m; /* the table before filtering */
    sb_gravel gravel;
    sb_surface_grain grain;
    bool is_ring; /* made by sb_surface_loop */
} sb_surface;

/* The default definition of a kind:
 * noise, gravel  roughness 5 um, grain 0.2 mm, period 16,384 grains
 * fractal        rms 20 um, exponent 2, from 50 mm down to 0.1 mm
 * grid           period 10 mm, grooves 1 mm deep, 2 mm wide, edges of 0.3 mm
 * cobbles        stones of 80 mm, gaps 8 mm deep, variety 0.5, 256 stones
 * stored         spacing 0.1 mm, one row, repeated
 */
sb_surface_def sb_surface_default(sb_surface_kind kind);

/* Number of points that sb_surface_create computes, at about 0.2 us each. */
long sb_surface_size(const sb_surface_def *def);

/* BAD_ARGUMENT, naming the field and its range, or NO_MEMORY. */
SB_NODISCARD sb_status sb_surface_create(const sb_surface_def *def,
                                         sb_surface **out, sb_error *err);

/* The path of the lowest point of a ball of this radius that rolls over the
 * surface: the maximum of h(s + t) + sqrt(R^2 - t^2) - R over t. Where the ball
 * passes from one edge to the next, the path has a corner: a micro-impact. A
 * ball that is pressed in touches over a patch, and follows the mean over its
 * width, from -patch_m to patch_m (rolling.h); 0: none. With a radius of 0 there
 * is only the mean. */
SB_NODISCARD sb_status sb_surface_roll(const sb_surface *surface,
                                       double radius_m, double patch_m,
                                       sb_surface **out, sb_error *err);

/* The beginning of the surface, closed into a ring of this length: what rolls
 * along it meets every height again once per turn. In a tenth of the ring its
 * end passes into its beginning. A surface that is shorter, or clamped, is
 * returned itself, with one more reference. */
SB_NODISCARD sb_status sb_surface_loop(sb_surface *surface, double length_m,
                                       sb_surface **out, sb_error *err);

/* Root mean square of the heights within this width, of what has a grain. */
double sb_surface_rough_m(const sb_surface *surface, double width_m);

/* The creator holds the first reference; the last release frees it. NULL is
 * allowed. */
sb_surface *sb_surface_retain(sb_surface *surface);
void sb_surface_release(sb_surface *surface);

/* A position as a phase: 2^64 per period. */
uint64_t sb_surface_phase(const sb_surface *surface, double along_m) SB_RT;

/* The finest level with at most one point per `stretch_m`; level_count when
 * even the coarsest has more, and then nothing is audible. The search starts at
 * `level`. */
int sb_surface_level_for(const sb_surface *surface, double stretch_m,
                         int level) SB_RT;

/* Heights and slopes at `count` positions of a level, `across_m` metres across
 * the rows. Slopes are multiplied by `speeds`, one per position, which gives
 * dh/dt, and added to `out`; `count` is a multiple of 8. Level level_count is
 * flat, at the mean height. */
void sb_surface_heights(const sb_surface *surface, int level, double across_m,
                        const uint64_t *phases, int count, double *out) SB_RT;
void sb_surface_slopes(const sb_surface *surface, int level, double across_m,
                       const uint64_t *phases, const float *speeds, int count,
                       float *out) SB_RT;
