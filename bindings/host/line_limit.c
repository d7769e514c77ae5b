/* How much a scene may print (line_limit.h). Thread: control. */
#include "bindings/host/line_limit.h"

#include "bindings/script/script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_LINES  1000.0
#define LINES_PER_S 100.0
#define MOST_BYTES  131072.0
#define BYTES_PER_S 16384.0
#define SAY_EVERY_S 1.0

static bool may_pass(line_count *count, double now_s, double bytes) {
    double span_s = fmax(now_s - count->at_s, 0.0);
    count->at_s = now_s;
    count->lines = fmax(count->lines - span_s * LINES_PER_S, 0.0);
    count->bytes = fmax(count->bytes - span_s * BYTES_PER_S, 0.0);
    if (count->left_out > 0 || count->lines + 1.0 > MOST_LINES ||
        count->bytes + bytes > MOST_BYTES) {
        if (count->left_out++ == 0) count->said_s = now_s;
        return false;
    }
    count->lines += 1.0;
    count->bytes += bytes;
    return true;
}

void line_limit_put(line_limit *self, line_stream stream, double now_s,
                    const char *line) {
    if (!self->put[stream]) return;
    if (self->is_unlimited ||
        may_pass(&self->counts[stream], now_s, (double)strlen(line) + 1.0))
        self->put[stream](self->user, line);
}

void line_limit_say(line_limit *self, double now_s, bool is_last) {
    for (int i = 0; i < LINE_STREAMS; i++) {
        line_count *count = &self->counts[i];
        if (!is_last && now_s - count->said_s < SAY_EVERY_S) continue;
        char line[64];
        (void)snprintf(line, sizeof line, SCRIPT_LINES_MORE, count->left_out);
        if (count->left_out > 0) self->put[i](self->user, line);
        count->said_s = now_s;
        count->left_out = 0;
    }
}
