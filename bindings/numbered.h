/* bindings/numbered.h -- numbered file names: "bar_%d.png".
 *
 * One place for a number, %d or with leading zeros %03d, in the last part of
 * the path. Any other use of a percent sign is refused: names come from scripts
 * and are never used as a format.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_BINDINGS_NUMBERED_H
#define SB_BINDINGS_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>

bool numbered_is_pattern(const char *pattern);
void numbered_name(const char *pattern, int number, char *out, size_t size);

/* The lowest number above `missing` for which a file exists, or -1. `sibling`
 * is the path of an existing file of the series. */
int numbered_beyond(const char *pattern, const char *sibling, int missing);

#endif
