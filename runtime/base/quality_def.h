/* runtime/base/quality_def.h -- limits for the amount of sound.
 *
 * The parameters that script, scene and engine share; see quality.h.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_BASE_QUALITY_DEF_H
#define SB_BASE_QUALITY_DEF_H

#include <stdbool.h>

typedef struct sb_quality_def {
    /* live: the audio thread's share of one core, 0 .. 1; 0: no limit;
     * default 0.6. A render has no time limit */
    double budget;
    /* S, >= 0: 0 divides equally, more favours the loudest, infinity serves
     * them one after the other; default 8 */
    double slope;
    /* modes below this are set to rest, in 1/32768 of full scale, 0 ..
     * 32768; default 0.01; 2 in the paper */
    double tau;
    /* most modes mixed per block, live or not; 0: no limit, the default */
    int modes;
    double units; /* most units of cost per block, likewise: for tests */
} sb_quality_def;

static inline bool sb_quality_is_same(const sb_quality_def *a,
                                      const sb_quality_def *b) {
    return a->budget == b->budget && a->slope == b->slope && a->tau == b->tau &&
           a->modes == b->modes && a->units == b->units;
}

static inline sb_quality_def sb_quality_default(void) {
    return (sb_quality_def){.budget = 0.6, .slope = 8.0, .tau = 0.01};
}

#endif
