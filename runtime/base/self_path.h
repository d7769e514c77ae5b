/* runtime/base/self_path.h -- files that come with the running program.
 *
 * They are found relative to the folder of the program, so that the same
 * program works in a build folder, under any installation prefix and in a
 * package, without a path compiled in. The build folder has the layout of an
 * installation: bin/, libexec/sandbell, share/sandbell.
 *
 * Thread: any.
 */
#ifndef SB_BASE_SELF_PATH_H
#define SB_BASE_SELF_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the running program, a slash and `relative`
 * ("../share/sandbell"). False when that is too long or cannot be found out;
 * whether the file exists is not checked. */
bool sb_self_path(const char *relative, char *out, size_t size);

#endif
