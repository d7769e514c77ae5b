/* runtime/store/make_job.h -- makes a model on a thread that can be left.
 *
 * A phase of a solve may take seconds in which it reports nothing: filling a
 * mesh, ordering, a dense eigenproblem. The work runs on a thread of its own
 * with copies of what it needs. The calling thread waits, calls the progress
 * callback at least ten times a second, and leaves when it returns false: then
 * the thread ends at its next question (stop.h) and frees what it has made.
 *
 * Thread: control, workers. The callback runs on the calling thread.
 */
#ifndef SB_STORE_MAKE_JOB_H
#define SB_STORE_MAKE_JOB_H

#include "runtime/base/status.h"

typedef struct sb_maker sb_maker;
typedef struct sb_material sb_material;
typedef struct sb_model sb_model;
typedef struct sb_model_limits sb_model_limits;
typedef struct sb_shape sb_shape;

/* What the thread calls: as sb_maker_make. */
typedef sb_status (*sb_make)(const sb_maker *maker, const sb_shape *shape,
                             const sb_material *material,
                             const sb_model_limits *limits, sb_model **out,
                             sb_error *err);

/* INTERRUPTED when the maker's progress callback returns false. Without a
 * callback, or when no thread can be started, `make` runs here. */
SB_NODISCARD sb_status sb_make_job(sb_make make, const sb_maker *maker,
                                   const sb_shape *shape,
                                   const sb_material *material,
                                   const sb_model_limits *limits,
                                   sb_model **out, sb_error *err);

/* How many threads that were left still run. */
int sb_make_jobs_left(void);

#endif
