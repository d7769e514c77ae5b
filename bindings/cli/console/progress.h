/* bindings/cli/console/progress.h -- how far the computing of bodies is.
 *
 * On a terminal one bar, from the mesh to the last mode; else a line for every
 * stage and every tenth of the modes. What is done within 0.3 s is not worth a
 * word.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_CONSOLE_PROGRESS_H
#define SB_BINDINGS_CLI_CONSOLE_PROGRESS_H

#include "bindings/host/host.h"

/* For sb_host_def.progress. Stages are those of model_maker.h. */
void solving_show(void *user, const char *body, const char *stage, int done,
                  int expected);

/* For sb_maker.progress: the context is the body's name; stops at Ctrl-C. */
bool solving_goes_on(void *name, const char *stage, int done, int expected);

/* Was the last body found in the cache? Asked once, then forgotten. */
bool solving_was_cached(void);

/* Take the bar away; the next solve begins anew. */
void solving_end(void);

/* sb_host_open, with the bar gone after it. */
SB_NODISCARD sb_status open_host(const char *path, const sb_host_def *def,
                                 sb_host **out, sb_error *err);

#endif
