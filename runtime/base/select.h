/* runtime/base/select.h -- the larger and the smaller of two, in one instruction.
 *
 * The C library's fmax and fmin are calls wherever the compiler must mind what is
 * no number: in the audio thread's inner loops they took more time than the sums
 * beside them. Here the second argument must be a number; a first one that is
 * none gives the second, as in the library.
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
