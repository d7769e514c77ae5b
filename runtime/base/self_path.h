/* runtime/base/self_path.h -- files that are installed with the program.
 *
 * They are found relative to the directory of the running program, so that the
 * same binary works in a build tree, under any installation prefix and in a
 * package, without a compiled-in path. The build tree has the layout of an
 * installation: bin/, libexec/sandbell, share/sandbell.
 *
 * Thread: any.
 */
#ifndef SB_BASE_SELF_PATH_H
#define SB_BASE_SELF_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Write the directory of the running program, a slash and `relative`
 * ("../share/sandbell") to `out`. False when the result is too long or the
 * directory cannot be determined; the file need not exist. */
bool sb_self_path(const char *relative, char *out, size_t size);

#endif
