/* runtime/base/state_path.h -- files of one user that outlive a run.
 *
 * Thread: any.
 */
#ifndef SB_BASE_STATE_PATH_H
#define SB_BASE_STATE_PATH_H

#include <limits.h>
#include <stdbool.h>

/* $XDG_STATE_HOME/sandbell/NAME, or ~/.local/state/sandbell/NAME. Folders that
 * are missing are made, for this user alone. False without a home folder. */
bool sb_state_path(const char *name, char path[PATH_MAX]);

/* Put a text into such a file, which nobody else may read. */
bool sb_state_put(const char *path, const char *text);

#endif
