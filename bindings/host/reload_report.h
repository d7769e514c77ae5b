/* bindings/host/reload_report.h -- what a reload says of itself.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_HOST_RELOAD_REPORT_H
#define SB_BINDINGS_HOST_RELOAD_REPORT_H

#include "runtime/base/status.h"
#include "runtime/scene/commit.h"

#include <stdbool.h>
#include <time.h>

#define RELOAD_TEXT_SIZE (SB_MESSAGE_SIZE + 400)

/* "reloaded glass.lua in 3.1 ms: 2 retuned, 14 kept, 1 removed" */
void reload_success_text(char text[RELOAD_TEXT_SIZE], const char *path,
                         const sb_commit_counts *counts, double took_ms,
                         bool is_reset);

/* The message, the script line that it names (or ""), and when the version that
 * keeps running was loaded. */
void reload_failure_text(char text[RELOAD_TEXT_SIZE], const sb_error *err,
                         const char *quote, time_t version);

#endif
