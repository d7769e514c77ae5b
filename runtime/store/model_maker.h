/* runtime/store/model_maker.h -- models, made or found.
 *
 * What has a closed form is computed; what elements have to compute is looked
 * for in the cache first, solved if it is not there, kept, and finished for
 * its material. Whether it was found makes no difference to the numbers.
 *
 * Thread: control, workers.
 */
#ifndef SB_STORE_MODEL_MAKER_H
#define SB_STORE_MODEL_MAKER_H

#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/modal_model.h"
#include "runtime/store/model_cache.h"

typedef struct sb_maker {
    sb_model_cache cache;
    sb_progress progress; /* or NULL; stages as in solve.h, and "cached" */
    void *context;
} sb_maker;

sb_maker sb_maker_default(void);

/* As sb_model_create. `maker` NULL is the default one. */
SB_NODISCARD sb_status sb_maker_make(const sb_maker *maker,
                                     const sb_shape *shape,
                                     const sb_material *material,
                                     const sb_model_limits *limits,
                                     sb_model **out, sb_error *err);

#endif
