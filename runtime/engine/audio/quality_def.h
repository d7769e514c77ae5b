/* runtime/engine/audio/quality_def.h -- what to do when there is too much
 * sound.
 *
 * The words that the script, the scene and the engine share; quality.h has the
 * rest of it.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_ENGINE_AUDIO_QUALITY_DEF_H
#define SB_ENGINE_AUDIO_QUALITY_DEF_H

#include <stdbool.h>

typedef struct sb_quality_def {
    double budget; /* live: the audio thread's share of one core, 0 .. 1; 0: no
                      limit; default 0.6. A render has all the time it wants */
    double slope;  /* S, >= 0: 0 shares out equally, more favours the loudest,
                      infinity serves one after the other; default 8 */
    double tau;    /* modes below it are at rest, in 1/32768 of full scale,
                      0 .. 32768; default 0.01; 2 is the paper's */
    int modes;     /* most modes mixed in a block, live or not; 0: no limit, the
                      default */
    double units;  /* most units of cost in a block, likewise: for tests */
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
