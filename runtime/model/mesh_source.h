/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh_source.h -- a mesh that shapes share.
 *
 * Thread: control, workers. Immutable once made, but for the hull, which the
 * first question for it makes.
 * Memory: retain and release count users; the last release frees it.
 */
#pragma once

#include "runtime/model/method.h"
#include "runtime/model/solution.h"

typedef struct sb_hull sb_hull;
typedef struct sb_mesh sb_mesh;
typedef struct sb_mesh_report sb_mesh_report;
typedef struct sb_mesh_source sb_mesh_source;

/* Takes over the arrays of `mesh` and leaves it empty, on failure, too. `path`
 * is used in messages. NO_MEMORY. */
SB_NODISCARD sb_status sb_mesh_source_create(const char *path, sb_mesh *mesh,
                                             const sb_mesh_report *report,
                                             sb_mesh_source **out,
                                             sb_error *err);
/* A copy of the mesh in which each of the `count` nodes that a method makes of
 * it (discrete.h) is held as given. NO_MEMORY. */
SB_NODISCARD sb_status sb_mesh_source_hold(const sb_mesh_source *source,
                                           const sb_hold *holds, int count,
                                           sb_mesh_source **out, sb_error *err);

/* Attach a known solution, which is retained. Only for a source that has no
 * other users yet. */
void sb_mesh_source_give(sb_mesh_source *source, sb_solution *solution);
/* NULL if none was attached. */
sb_solution *sb_mesh_source_solution(const sb_mesh_source *source);

sb_mesh_source *sb_mesh_source_retain(const sb_mesh_source *source);
void sb_mesh_source_release(const sb_mesh_source *source); /* NULL is allowed */

const char *sb_mesh_source_path(const sb_mesh_source *source);
const sb_mesh *sb_mesh_source_mesh(const sb_mesh_source *source);
const sb_mesh_report *sb_mesh_source_report(const sb_mesh_source *source);
/* Its convex hull, as long-lived as the source. BAD_ARGUMENT if it is flat;
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_mesh_source_hull(const sb_mesh_source *source,
                                           const sb_hull **out, sb_error *err);
/* NULL unless it was made by sb_mesh_source_hold. */
const sb_hold *sb_mesh_source_holds(const sb_mesh_source *source, int *count);

/* The lengths of `b` over those of `a` if both differ in size only (to 1e-9)
 * and are held at the same nodes; else 0. */
double sb_mesh_source_ratio(const sb_mesh_source *a, const sb_mesh_source *b);
