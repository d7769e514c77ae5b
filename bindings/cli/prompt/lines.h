/* bindings/cli/prompt/lines.h -- reads lines from standard input without
 * blocking.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_PROMPT_LINES_H
#define SB_BINDINGS_CLI_PROMPT_LINES_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct lines lines;

SB_NODISCARD sb_status lines_open(lines **out, sb_error *err);
void lines_close(lines *self); /* NULL is allowed */

/* The next line, valid until the next call; NULL if none is complete yet. */
const char *lines_next(lines *self);
bool lines_is_over(const lines *self); /* the input has ended */

#endif
