/* SPDX-License-Identifier: MIT */
/* runtime/scene/watch.h -- notices when a file of the scene is saved.
 *
 * Editors save in many ways: in place, truncated and written in pieces, as a
 * new file renamed over the old one, by changing a link. So the folders are
 * watched, not the files, and an event there only triggers a check. After a
 * short quiet the contents of the files are compared with what they were, and a
 * change of contents, however it came about, is reported once.
 *
 * On Linux folders are watched with inotify; elsewhere, or if inotify is not
 * available, the dates of the files are read on every poll.
 *
 * Thread: control. Memory: paths are copied.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_watch sb_watch;

SB_NODISCARD sb_status sb_watch_create(sb_watch **out, sb_error *err);
void sb_watch_destroy(sb_watch *watch); /* NULL is allowed */

/* Watch this file, too; it need not exist yet. Later contents are compared with
 * the present ones. Files already watched are not affected. */
SB_NODISCARD sb_status sb_watch_add(sb_watch *watch, const char *path,
                                    sb_error *err);

/* True once after the contents of a file have changed. Cheap: call it in every
 * control step. */
bool sb_watch_poll(sb_watch *watch);

/* Iterates over the files that the last successful poll found changed; NULL
 * after the last. `at` starts at 0. */
const char *sb_watch_next_changed(const sb_watch *watch, int *at);

/* A file that has been missing for a second, each time that it goes, once; NULL
 * if there is none. Call it after sb_watch_poll. */
const char *sb_watch_next_gone(sb_watch *watch);
