/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/mesh_collapse.h -- edges of a surface are collapsed until
 * few vertices are left: the rules of mesh_coarse.h.
 *
 * Thread: control, workers. Memory: the caller's; a stop that is wanted
 *         (stop.h) leaves vertices over.
 */
#pragma once

#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

/* Each edge has two faces, which look to the same side, or one: then both of
 * its ends are `is_edge`. */
typedef struct sb_collapse_def {
    int vertex_count, face_count, most;
    const sb_vec3 *places;
    int32_t (*faces)[3]; /* those of which [0] is negative are gone */
    const bool *is_edge;
} sb_collapse_def;

/* Changes `faces`. False: out of memory. */
bool sb_collapse(const sb_collapse_def *def);
