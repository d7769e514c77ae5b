/* SPDX-License-Identifier: MIT */
/* Makes the meshes that other benches measure with. Runs on the control
 * thread. */
#include "tests/bench/solve/bench_meshes.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>

/* A grid of rows and columns; either may be closed to a ring. */
typedef struct net {
    bench_form form;
    int rows, columns;
    bool rows_close, columns_close;
    bool has_poles; /* one additional point at each end */
} net;

const char *bench_form_name(bench_form form) {
    static const char *const names[BENCH_FORMS] = {"plate", "sphere", "bell",
                                                   "torus"};
    return names[form]; // NOLINT: form < BENCH_FORMS
}

/* Choose rows and columns so that the cells are square at the widest part. */
static net net_of(bench_form form, int vertices) {
    double n = vertices;
    net grid = {.form = form, .columns_close = true};
    switch (form) {
    case BENCH_PLATE:
        grid.columns_close = false;
        grid.columns = (int)lround(sqrt(n));
        break;
    case BENCH_SPHERE:
        grid.has_poles = true;
        grid.columns = (int)lround(sqrt(2 * n));
        break;
    case BENCH_BELL:
        grid.columns = (int)lround(sqrt(2 * n));
        break;
    case BENCH_TORUS:
    case BENCH_FORMS:
        grid.rows_close = true;
        grid.columns = (int)lround(sqrt(3 * n));
        break;
    }
    grid.rows = (int)lround(n / grid.columns);
    return grid;
}

/* Radius and height of a bell, s = 0 at the shoulder, 1 at the rim: a waist
 * that widens towards the mouth. */
static void bell_profile(double s, double *radius, double *height) {
    *radius = 0.03 + 0.04 * sqrt(s) + 0.06 * s * s * s;
    *height = 0.2 * (1 - s);
}

static sb_vec3 place(const net *grid, int row, int column) {
    double a = SB_TAU * column / grid->columns, b, radius, height;
    switch (grid->form) {
    case BENCH_PLATE:
        return (sb_vec3){0.3 * column / (grid->columns - 1), 0,
                         0.3 * row / (grid->rows - 1)};
    case BENCH_SPHERE:
        b = 0.5 * SB_TAU * (row + 1) / (grid->rows + 1);
        radius = 0.1 * sin(b);
        return (sb_vec3){radius * cos(a), 0.1 * cos(b), radius * sin(a)};
    case BENCH_BELL:
        bell_profile((double)row / (grid->rows - 1), &radius, &height);
        return (sb_vec3){radius * cos(a), height, radius * sin(a)};
    case BENCH_TORUS:
    case BENCH_FORMS:
        break;
    }
    b = SB_TAU * row / grid->rows;
    radius = 0.1 + 0.03 * cos(b);
    return (sb_vec3){radius * cos(a), 0.03 * sin(b), radius * sin(a)};
}

static void add_face(sb_mesh *soup, int a, int b, int c) {
    int *face = soup->faces[soup->face_count++];
    face[0] = a, face[1] = b, face[2] = c;
}

static void add_cells(const net *grid, sb_mesh *soup) {
    int rows = grid->rows_close ? grid->rows : grid->rows - 1;
    int columns = grid->columns_close ? grid->columns : grid->columns - 1;
    for (int i = 0; i < rows; i++) {
        int here = i * grid->columns;
        int below = (i + 1) % grid->rows * grid->columns;
        for (int j = 0; j < columns; j++) {
            int next = (j + 1) % grid->columns;
            /* Alternate the diagonals, so that no direction is stiffer. */
            if ((i + j) % 2 == 0) {
                add_face(soup, here + j, here + next, below + next);
                add_face(soup, here + j, below + next, below + j);
            } else {
                add_face(soup, here + j, here + next, below + j);
                add_face(soup, here + next, below + next, below + j);
            }
        }
    }
}

static void add_poles(const net *grid, sb_mesh *soup) {
    int top = soup->vertex_count, bottom = top + 1;
    int last = (grid->rows - 1) * grid->columns;
    soup->vertices[soup->vertex_count++] = (sb_vec3){0, 0.1, 0};
    soup->vertices[soup->vertex_count++] = (sb_vec3){0, -0.1, 0};
    for (int j = 0; j < grid->columns; j++) {
        int next = (j + 1) % grid->columns;
        add_face(soup, top, next, j);
        add_face(soup, bottom, last + j, last + next);
    }
}

sb_status bench_mesh(bench_form form, int vertices, sb_mesh *soup,
                     sb_error *err) {
    net grid = net_of(form, vertices);
    if (vertices < 50 || vertices > 1000000) {
        return sb_fail(err, SB_BAD_ARGUMENT, "a %s of %d vertices",
                       bench_form_name(form), vertices);
    }
    size_t count = (size_t)grid.rows * (size_t)grid.columns + 2;
    sb_mesh made = {0};
    made.vertices = sb_alloc(count, sizeof *made.vertices);
    made.faces = sb_alloc(2 * count, sizeof *made.faces);
    if (!made.vertices || !made.faces) {
        sb_mesh_free(&made);
        return sb_fail(err, SB_NO_MEMORY, "no memory for a mesh of %d vertices",
                       vertices);
    }
    for (int i = 0; i < grid.rows * grid.columns; i++) {
        made.vertices[made.vertex_count++] =
            place(&grid, i / grid.columns, i % grid.columns);
    }
    add_cells(&grid, &made);
    if (grid.has_poles) add_poles(&grid, &made);
    *soup = made;
    return SB_OK;
}
