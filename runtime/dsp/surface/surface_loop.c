/* Closes a stretch of a surface into a ring: the rim of a coin. Runs on the
 * control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/surface.h"

#include <math.h>

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
    if (!heights)
        return sb_fail(err, SB_NO_MEMORY, "no memory for a rim of %d points",
                       count);
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
