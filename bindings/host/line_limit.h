/* bindings/host/line_limit.h -- how much a scene may print.
 *
 * A long table at once, then about as fast as one can read; what is more is
 * counted, and one line says how much it was. Time is scene time, so that a
 * render leaves out the same lines on every machine. Printed lines and messages
 * are counted apart: what a script prints hides no error.
 *
 * Thread: control.
 * Memory: the caller's struct; counts are zero at first.
 */
#ifndef SB_BINDINGS_HOST_LINE_LIMIT_H
#define SB_BINDINGS_HOST_LINE_LIMIT_H

#include <stdbool.h>

typedef enum line_stream {
    LINE_REPORTED,
    LINE_PRINTED,
    LINE_STREAMS
} line_stream;

typedef struct line_count {
    double lines, bytes; /* in stock at `at_s`; they fall with time */
    double at_s;
    double said_s;      /* when lines were last said to be left out */
    long long left_out; /* since then */
} line_count;

typedef struct line_limit {
    void (*put[LINE_STREAMS])(void *user, const char *line); /* or NULL */
    void *user;
    bool is_unlimited;
    line_count counts[LINE_STREAMS];
} line_limit;

/* Put a line, or leave it out. */
void line_limit_put(line_limit *self, line_stream stream, double now_s,
                    const char *line);

/* Say how many lines were left out: once per second, or at once if this is the
 * last call. */
void line_limit_say(line_limit *self, double now_s, bool is_last);

#endif
