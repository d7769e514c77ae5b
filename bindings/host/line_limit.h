/* bindings/host/line_limit.h -- how much a scene may print.
 *
 * A long table at once, then about as fast as one can read; what is more is
 * counted, and one line says how much it was. Time is scene time, so that a
 * render leaves out the same lines on every machine.
 *
 * Thread: control.
 * Memory: the caller's struct; all zeros is a fresh one.
 */
#ifndef SB_BINDINGS_HOST_LINE_LIMIT_H
#define SB_BINDINGS_HOST_LINE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct line_limit {
    double lines, bytes; /* in stock at `at_s`; they fall with time */
    double at_s;
    double said_s;      /* when lines were last said to be left out */
    long long left_out; /* since then */
} line_limit;

/* Count a line of this many bytes. False: leave it out. */
bool line_limit_pass(line_limit *self, double now_s, size_t bytes);

/* The number of lines left out, once per second or, if `is_last`, at once; 0:
 * nothing is to be said. */
long long line_limit_take(line_limit *self, double now_s, bool is_last);

#endif
