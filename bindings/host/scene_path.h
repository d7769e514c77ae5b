/* bindings/host/scene_path.h -- the path of a scene, as a user gives it.
 * Thread: any. Memory: the caller's. */
#ifndef SB_BINDINGS_HOST_SCENE_PATH_H
#define SB_BINDINGS_HOST_SCENE_PATH_H

#include "runtime/base/status.h"

#include <limits.h>

/* The folder of the scene; "." without a path, which may be NULL. NOT_FOUND if
 * there is no such file, or if it is a folder or a special file. */
SB_NODISCARD sb_status scene_path_check(const char *path, char folder[PATH_MAX],
                                        sb_error *err);

#endif
