/* SPDX-License-Identifier: MIT */
/* runtime/model/linear/workers.h -- runs the parts of a calculation on several
 * threads.
 *
 * The caller divides the work by size alone, and each part writes to its own
 * memory. So the bits of the result depend neither on the number of threads nor
 * on which thread ran which part.
 *
 * Thread: control, workers. Memory: none is kept.
 */
#pragma once

enum { SB_WORKERS_MAX = 8 };

typedef void (*sb_work)(void *context, int part);

/* Cores of the machine, at most SB_WORKERS_MAX. */
int sb_workers_default(void);

/* Runs parts 0 .. part_count - 1 and returns when all are done. The calling
 * thread works, too; when no other can be started, it runs all parts. When the
 * work is no longer wanted (stop.h) the other parts are left out: whoever calls
 * it asks sb_stop_check before the result is used. */
void sb_workers_run(int thread_count, int part_count, sb_work work,
                    void *context);
