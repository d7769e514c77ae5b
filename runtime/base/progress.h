/* runtime/base/progress.h -- a callback for work that takes long.
 *
 * Thread: the one that works.
 */
#ifndef SB_BASE_PROGRESS_H
#define SB_BASE_PROGRESS_H

#include <stdbool.h>

/* Called repeatedly; returning false interrupts. `stage` names what is being
 * done ("ordering", "factorisation" in per cent, "modes", ...); `expected` is 0
 * while it is unknown. */
typedef bool (*sb_progress)(void *context, const char *stage, int done,
                            int expected);

#endif
