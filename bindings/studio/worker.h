/* bindings/studio/worker.h -- a thread for what takes too long for the control
 * thread: surfaces, mode shapes, models for other materials.
 *
 * Thread: post from control. Jobs run one after the other, in order.
 * Memory: a job frees itself when it runs; what has not run when the worker
 *         closes is run then with `is_over`.
 */
#ifndef SB_BINDINGS_STUDIO_WORKER_H
#define SB_BINDINGS_STUDIO_WORKER_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct worker worker;

/* `is_over`: only free the job. */
typedef void worker_job(void *job, bool is_over);

SB_NODISCARD sb_status worker_open(worker **out, sb_error *err);
void worker_close(worker *self); /* NULL is allowed */
/* False: no memory, or too many wait; the job is still the caller's. */
bool worker_post(worker *self, worker_job *run, void *job);

#endif
