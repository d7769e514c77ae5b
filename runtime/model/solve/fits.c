/* What a solve takes, and what would fit (fits.h). Thread: control, workers. */
#include "runtime/model/solve/fits.h"

#include "runtime/model/shapes/family.h"
#include "runtime/model/solve/attempt.h"

#include <math.h>

double sb_fits_limit(const sb_solve_def *def) {
    return def->memory_bytes > 0 ? def->memory_bytes : SB_SOLVE_MEMORY;
}

double sb_fits_bytes(const sb_solve_def *def, sb_grain grain) {
    sb_attempt attempt;
    sb_eigen_cost cost = {.bytes = INFINITY};
    sb_status status = sb_attempt_prepare(&attempt, def, grain, NULL);
    if (!status) status = sb_attempt_cost(&attempt, &cost, NULL);
    sb_attempt_free(&attempt);
    return status ? INFINITY : cost.bytes;
}

/* What it takes with this number of elements. */
static double bytes_with(const sb_solve_def *def, int elements) {
    sb_shape shape = *def->shape;
    shape.elements = elements;
    sb_solve_def fewer = *def;
    fewer.shape = &shape;
    return sb_fits_bytes(&fewer, (sb_grain){.finer = 1});
}

/* The largest number of elements that fits, found from above; 0: none. */
static int elements_that_fit(const sb_solve_def *def) {
    int elements = def->shape->elements > 0 ? def->shape->elements : 128;
    while (elements > 3) {
        elements = elements * 9 / 10;
        if (bytes_with(def, elements) <= sb_fits_limit(def)) return elements;
    }
    return 0;
}

/* Memory for the least elements, in MB: an estimate for the modes expected, and
 * some more for those found. 0: unknown. */
static int megabytes_that_fit(const sb_solve_def *def, sb_grain first) {
    sb_solve_def any = *def;
    any.memory_bytes = INFINITY;
    double bytes = sb_fits_bytes(&any, first);
    if (isinf(bytes)) return 0;
    return (int)fmin(ceil(1.15e-6 * fmax(bytes, sb_fits_limit(def))), 1e9);
}

sb_status sb_fits_advise(const sb_solve_def *def, sb_grain first,
                         const sb_error *reason, sb_error *err) {
    /* Scripts cannot give spheres, boxes and cylinders a number. */
    bool has_number = !sb_shape_is_solid(def->shape);
    int elements = has_number ? elements_that_fit(def) : 0;
    int megabytes = elements == 0 ? megabytes_that_fit(def, first) : 0;
    if (megabytes > 0) {
        return sb_fail(err, SB_NO_MEMORY,
                       "%.300s: --memory %dMB fits; or give a lower max_hz",
                       reason->message, megabytes);
    }
    if (elements == 0) {
        return sb_fail(err, SB_NO_MEMORY,
                       "%.300s: give a lower max_hz, or more with --memory",
                       reason->message);
    }
    return sb_fail(
        err, SB_NO_MEMORY,
        "%.300s: elements = %d fits; or give a lower max_hz, or more "
        "with --memory",
        reason->message, elements);
}
