/* runtime/model/linear/workers.h -- parts of a calculation, spread over threads.
 *
 * The caller cuts the work into parts by size alone, and every part writes to
 * its own place. So the bits of the result do not depend on the number of
 * threads, nor on which of them took which part.
 *
 * Thread: control, workers. Memory: none is kept.
 */
#ifndef SB_MODEL_LINEAR_WORKERS_H
#define SB_MODEL_LINEAR_WORKERS_H

enum { SB_WORKERS_MAX = 8 };

typedef void (*sb_work)(void *context, int part);

/* Cores of the machine, at most SB_WORKERS_MAX. */
int sb_workers_default(void);

/* Runs parts 0 .. part_count - 1 and returns when all are done. The caller's
 * thread works, too; should no other start, it does everything. */
void sb_workers_run(int thread_count, int part_count, sb_work work,
                    void *context);

#endif
