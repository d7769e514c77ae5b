/* SPDX-License-Identifier: MIT */
/* runtime/store/model_maker.h -- models, computed or taken from the cache.
 *
 * A model with a closed form is computed directly. For the others, a solution
 * by finite elements is looked up in the cache, or solved and stored there, and
 * then finished for its material. What is heard of closed forms and solutions
 * alike is kept in the same cache (memo.h). What is cached gives the same
 * numbers as what is new.
 *
 * Thread: control, workers.
 */
#pragma once

#include "runtime/base/stop.h"
#include "runtime/store/model_cache.h"

typedef struct sb_material sb_material;
typedef struct sb_model sb_model;
typedef struct sb_model_limits sb_model_limits;
typedef struct sb_shape sb_shape;
typedef struct sb_solution sb_solution;

typedef struct sb_maker {
    sb_model_cache cache;
    sb_progress progress; /* may be NULL; stages as in solve.h, "radiation" and
                           * "cached" */
    void *context;
    double memory_bytes; /* of a solve (solve.h); 0: the default */
    /* Not NULL: radiation by boundary elements that is not in the cache is put
     * off, and about how long it takes is added here; the model has the quick
     * law. */
    double *put_off_s;
    sb_solution *known; /* of the shape; NULL: to be found */
} sb_maker;

sb_maker sb_maker_default(void);

/* Like sb_model_create. A NULL `maker` means the default one. With a progress
 * callback it returns INTERRUPTED within a tenth of a second after the callback
 * has returned false, in any phase. */
SB_NODISCARD sb_status sb_maker_make(const sb_maker *maker,
                                     const sb_shape *shape,
                                     const sb_material *material,
                                     const sb_model_limits *limits,
                                     sb_model **out, sb_error *err);

/* Like sb_model_rescale. */
SB_NODISCARD sb_status sb_maker_rescale(const sb_maker *maker, sb_model *model,
                                        const sb_shape *shape,
                                        const sb_material *material,
                                        sb_model **out, sb_error *err);

/* How many threads that were left, as their work was not wanted any more, still
 * run. */
int sb_make_jobs_left(void);
