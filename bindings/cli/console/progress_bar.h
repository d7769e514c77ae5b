/* bindings/cli/console/progress_bar.h -- progress while bodies are solved.
 *
 * On a terminal it is one bar, from the mesh to the last mode, for each size of
 * elements; elsewhere a line per stage and per 10 %. Work that takes less than 0.3 s is not reported.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_CONSOLE_PROGRESS_BAR_H
#define SB_BINDINGS_CLI_CONSOLE_PROGRESS_BAR_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_host sb_host;
typedef struct sb_host_def sb_host_def;

/* For sb_host_def.progress. Stages are those of model_maker.h. */
void solving_show(void *user, const char *body, const char *stage, int done,
                  int expected);

/* For sb_maker.progress: the context is the body's name; stops at Ctrl-C. */
bool solving_goes_on(void *name, const char *stage, int done, int expected);

/* True if the last body was read from the cache. The call clears the flag. */
bool solving_was_cached(void);

/* Remove the bar; the next solve starts a new one. */
void solving_end(void);

/* sb_host_open, then remove the bar. */
SB_NODISCARD sb_status open_host(const char *path, const sb_host_def *def,
                                 sb_host **out, sb_error *err);

#endif
