/* runtime/scene/watch.h -- has a file of the scene been saved?
 *
 * Editors save in many ways: in place, truncated and written in pieces, as a
 * new file renamed over the old one, by turning a link. So the folders are
 * watched, not the files; what happens there is only a reason to look. After a
 * short quiet the files' contents are compared with what they were, and a
 * change of contents, however it came about, is reported once.
 *
 * On Linux folders are watched with inotify; elsewhere, and where that is not
 * to be had, the files' dates are looked at on every poll.
 *
 * Thread: control. Memory: paths are copied.
 */
#ifndef SB_SCENE_WATCH_H
#define SB_SCENE_WATCH_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_watch sb_watch;

SB_NODISCARD sb_status sb_watch_create(sb_watch **out, sb_error *err);
void sb_watch_destroy(sb_watch *watch); /* NULL is allowed */

/* Watch this file too; it need not be there yet. What it holds now is what
 * later contents are compared with. Files already watched stay as they are. */
SB_NODISCARD sb_status sb_watch_add(sb_watch *watch, const char *path,
                                    sb_error *err);

/* True once after a file has other contents than before. Cheap: call it on
 * every control step. */
bool sb_watch_poll(sb_watch *watch);

/* Those that the last poll that was true found changed, in turn; NULL after the
 * last. `at` starts at 0. */
const char *sb_watch_next_changed(const sb_watch *watch, int *at);

#endif
