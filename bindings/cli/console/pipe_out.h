/* SPDX-License-Identifier: MIT */
/* bindings/cli/console/pipe_out.h -- standard output and error where they are
 * pipes.
 *
 * A pipe that is full stops whoever writes to it until its reader reads, and a
 * signal does not end that wait if another thread handles it. So a thread
 * writes, and stdio fills its queue. A full queue is waited for until Ctrl-C;
 * while sound plays it is not, and what does not fit is counted and said: one
 * line for all lines left out. Files and terminals are written as ever. Where
 * the result is sound or a file, a reader that goes away ends nothing either.
 *
 * Thread: control.
 * Memory: static; used until the process ends.
 */
#pragma once

#include <stdbool.h>

/* Put queues in front of stdout and stderr, if they are pipes or sockets. */
void pipe_out_open(void);

/* From now on nothing waits: lines are left out instead. */
void pipe_out_go_live(void);

/* From now on the process lives on when a reader goes away, as `head` does, and
 * what is written to it is dropped. Without this SIGPIPE ends the process, as
 * usual. pipe_out_go_live includes it. */
void pipe_out_outlive_readers(void);

/* Wait until all is written; after Ctrl-C, as long as somebody reads. False: a
 * write to standard output has failed. */
bool pipe_out_drain(void);
