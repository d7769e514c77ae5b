#include "runtime/base/memory.h"
#include "runtime/dsp/surface/surface_internal.h"

#include <math.h>
#include <string.h>

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
