#include "bindings/cli/prompt/lines.h"

#include "runtime/base/memory.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Of longer lines, only the beginning is returned. */
enum { SIZE = 1 << 16 };

struct lines {
    char bytes[SIZE];
    size_t start, end; /* bytes not yet returned */
    bool is_over;
    bool is_skipping; /* the rest of a line that was too long */
};

sb_status lines_open(lines **out, sb_error *err) {
    *out = sb_alloc(1, sizeof **out);
    return *out ? SB_OK : sb_fail(err, SB_NO_MEMORY, "prompt: out of memory");
}

void lines_close(lines *self) {
    sb_free(self);
}

static void read_more(lines *self) {
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    memmove(self->bytes, self->bytes + self->start, self->end - self->start);
    self->end -= self->start;
    self->start = 0;
    if (self->is_over || self->end + 1 >= SIZE || poll(&wait, 1, 0) <= 0) {
        return;
    }
    ssize_t count =
        read(STDIN_FILENO, self->bytes + self->end, SIZE - 1 - self->end);
    if (count > 0) {
        self->end += (size_t)count;
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        self->is_over = true;
    }
}

/* Discard what is left of a line that was too long. */
static void skip(lines *self) {
    const char *rest = self->bytes + self->start;
    const char *newline = memchr(rest, '\n', self->end - self->start);
    self->start = newline ? (size_t)(newline - self->bytes) + 1 : self->end;
    self->is_skipping = !newline && !self->is_over;
}

/* Return the first line if it is complete. */
static char *take(lines *self) {
    if (self->is_skipping) skip(self);
    char *line = self->bytes + self->start;
    size_t length = self->end - self->start;
    char *newline = memchr(line, '\n', length);
    bool is_last = self->is_over && length > 0;
    if (!newline && !is_last && length + 1 < SIZE) return NULL;
    size_t taken = newline ? (size_t)(newline - line) + 1 : length;
    line[newline ? taken - 1 : taken] = '\0';
    self->is_skipping = !newline && !is_last;
    self->start += taken;
    /* Replace zero bytes, which would end the text. */
    for (size_t i = 0; i + 1 < taken; i++) {
        if (line[i] == '\0') line[i] = '?';
    }
    return line;
}

const char *lines_next(lines *self) {
    char *line = take(self);
    if (!line) {
        read_more(self);
        line = take(self);
    }
    size_t length = line ? strlen(line) : 0;
    if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
    return line;
}

bool lines_is_over(const lines *self) {
    return self->is_over && self->start == self->end;
}
