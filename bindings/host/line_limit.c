/* How much a scene may print (line_limit.h). Thread: control. */
#include "bindings/host/line_limit.h"

#include <math.h>

#define MOST_LINES  1000.0
#define LINES_PER_S 100.0
#define MOST_BYTES  131072.0
#define BYTES_PER_S 16384.0
#define SAY_EVERY_S 1.0

bool line_limit_pass(line_limit *self, double now_s, size_t bytes) {
    double span_s = fmax(now_s - self->at_s, 0.0);
    self->at_s = now_s;
    self->lines = fmax(self->lines - span_s * LINES_PER_S, 0.0);
    self->bytes = fmax(self->bytes - span_s * BYTES_PER_S, 0.0);
    if (self->left_out > 0 || self->lines + 1.0 > MOST_LINES ||
        self->bytes + (double)bytes > MOST_BYTES) {
        if (self->left_out++ == 0) self->said_s = now_s;
        return false;
    }
    self->lines += 1.0;
    self->bytes += (double)bytes;
    return true;
}

long long line_limit_take(line_limit *self, double now_s, bool is_last) {
    long long count = self->left_out;
    if (!is_last && now_s - self->said_s < SAY_EVERY_S) return 0;
    self->said_s = now_s;
    self->left_out = 0;
    return count;
}
