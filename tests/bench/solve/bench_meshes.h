/* SPDX-License-Identifier: MIT */
/* tests/bench/solve/bench_meshes.h -- meshes of any number of vertices, for
 * benches.
 *
 *   plate   0.3 m square, an even grid
 *   sphere  0.1 m in radius, two points and rings of equal angle
 *   bell    a surface of revolution, open below, 0.2 m high
 *   torus   closed, 0.1 and 0.03 m in radius: to be filled
 *
 * All of them are about as fine along as across, so that their matrices are
 * what good meshes have.
 *
 * Thread: control. Memory: the soup is the caller's (sb_mesh_free).
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_mesh sb_mesh;

typedef enum bench_form {
    BENCH_PLATE,
    BENCH_SPHERE,
    BENCH_BELL,
    BENCH_TORUS,
    BENCH_FORMS
} bench_form;

const char *bench_form_name(bench_form form);

/* Make a mesh of about `vertices` vertices: within 3 % from 1,000 on. */
SB_NODISCARD sb_status bench_mesh(bench_form form, int vertices, sb_mesh *soup,
                                  sb_error *err);
