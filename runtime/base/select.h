/* runtime/base/select.h -- maximum and minimum of two numbers in one
 * instruction.
 *
 * The C library's fmax and fmin are function calls unless the compiler may
 * ignore NaN; in the audio thread's inner loops these calls took more time than
 * the arithmetic around them. Here the second argument must not be NaN; if the
 * first is NaN the result is the second, as with fmax and fmin.
 *
 * Thread: any.
 */
#ifndef SB_BASE_SELECT_H
#define SB_BASE_SELECT_H

static inline double sb_max(double x, double bound) {
    return x > bound ? x : bound;
}

static inline double sb_min(double x, double bound) {
    return x < bound ? x : bound;
}

static inline float sb_maxf(float x, float bound) {
    return x > bound ? x : bound;
}

static inline float sb_minf(float x, float bound) {
    return x < bound ? x : bound;
}

#endif
