/* SPDX-License-Identifier: MIT */
/* runtime/base/self_path.h -- files of our own: those that are installed with us,
 * and those of one user that outlive a run.
 *
 * The former are found relative to the file that this code was loaded from, a program
 * or a shared library, or else to the running program, so that the same binary
 * works in a build tree, under any installation prefix and in a package,
 * without a compiled-in path. The build tree has the layout of an installation:
 * bin/, lib/, libexec/sandbell, share/sandbell.
 *
 * Thread: any.
 */
#pragma once

#include "runtime/base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum sb_self_file {
    SB_SELF_LIBRARY,     /* the folder of models/, textures/ and scripts/ */
    SB_SELF_MESH_READER, /* the program that reads mesh files */
    SB_SELF_FILE_COUNT
} sb_self_file;

/* Where a file is: the path that was set, else that of the environment
 * (SANDBELL_LIBRARY, SANDBELL_MESH_READER), else the first of those beside us
 * that exists. It need not exist in any of these places. False when the path is
 * too long or cannot be determined. */
bool sb_self_find(sb_self_file which, char *out, size_t size);

/* Sets a path for the whole process, from now on. NULL or "": as if it had
 * never been set. BAD_ARGUMENT: too long. */
SB_NODISCARD sb_status sb_self_set(sb_self_file which, const char *path,
                                   sb_error *err);

/* Write the directory of the running program, a slash and `relative` to `out`.
 * False when the result is too long or the directory cannot be determined; the
 * file need not exist. */
bool sb_self_path(const char *relative, char *out, size_t size);

/* $XDG_STATE_HOME/sandbell/NAME, or ~/.local/state/sandbell/NAME. Folders that
 * are missing are made, for this user alone. False without a home folder. */
bool sb_state_path(const char *name, char path[PATH_MAX]);

/* Put a text into such a file, which nobody else may read. */
bool sb_state_put(const char *path, const char *text);
