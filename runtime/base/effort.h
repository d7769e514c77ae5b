/* runtime/base/effort.h -- processor time of a piece of work on several threads.
 *
 * A limit in seconds of the wall clock takes time from a load for what other
 * programs do. The effort of a thread is its own processor time and that of the
 * threads that have worked for it.
 *
 * Thread: any. Memory: sb_effort_helped returns the address of a variable of
 * the calling thread, valid until that thread ends.
 */
#ifndef SB_BASE_EFFORT_H
#define SB_BASE_EFFORT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef atomic_int_least64_t sb_effort_ns;

/* The effort of the calling thread so far, in s. */
double sb_effort_s(void);

/* Another thread has worked this long for the calling one. */
void sb_effort_add_ns(int64_t ns);

/* What others have done for the calling thread. */
sb_effort_ns *sb_effort_helped(void);

/* The effort of a thread that still runs, with its sb_effort_helped. 0 if it
 * cannot be read. */
int64_t sb_effort_of_ns(pthread_t thread, const sb_effort_ns *helped);

#endif
