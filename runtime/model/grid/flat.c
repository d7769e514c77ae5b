/* Rectangles and disks cut into triangles (flat.h). Thread: control,
 * workers. */
#include "runtime/model/grid/flat.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <assert.h>
#include <math.h>

enum { VERTICES_MOST = 10000000 };

static sb_status make(sb_flat *flat, double vertices, double faces,
                      sb_error *err) {
    if (!(vertices <= VERTICES_MOST)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "grid: %.0f vertices are more than %d", vertices,
                       (int)VERTICES_MOST);
    }
    flat->vertices = sb_alloc((size_t)vertices, sizeof *flat->vertices);
    flat->faces = sb_alloc((size_t)faces, sizeof *flat->faces);
    if (flat->vertices && flat->faces) return SB_OK;
    sb_flat_free(flat);
    return sb_fail(err, SB_NO_MEMORY, "grid: out of memory for %.0f vertices",
                   vertices);
}

void sb_flat_free(sb_flat *flat) {
    sb_free(flat->vertices);
    sb_free(flat->faces);
    *flat = (sb_flat){0};
}

static int add_vertex(sb_flat *flat, double a, double b) {
    assert(flat->vertices);
    double *at = flat->vertices[flat->vertex_count];
    at[0] = a;
    at[1] = b;
    return flat->vertex_count++;
}

static void add_face(sb_flat *flat, int a, int b, int c) {
    assert(flat->faces);
    int *at = flat->faces[flat->face_count++];
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

/* Even rows have along + 1 vertices, odd ones along + 2: both ends, and the
 * middles of the even rows' edges. */
static int start_of_row(int row, int along) {
    return row * (along + 1) + row / 2;
}

static void fill_row(sb_flat *flat, int along, double width, double b,
                     bool is_odd) {
    int count = along + 1 + is_odd;
    for (int i = 0; i < count; i++) {
        double t = is_odd ? i - 0.5 : i;
        if (i == 0) t = 0;
        if (i == count - 1) t = along;
        (void)add_vertex(flat, width * (t / along - 0.5), b);
    }
}

/* Joins row and row + 1; `even` and `odd` are their first vertices. */
static void join_rows(sb_flat *flat, int along, int even, int odd,
                      bool is_odd_above) {
    for (int i = 0; i <= along; i++) {
        if (is_odd_above) {
            add_face(flat, even + i, odd + i + 1, odd + i);
        } else {
            add_face(flat, even + i, odd + i, odd + i + 1);
        }
        if (i == along) break;
        if (is_odd_above) {
            add_face(flat, even + i, even + i + 1, odd + i + 1);
        } else {
            add_face(flat, even + i, odd + i + 1, even + i + 1);
        }
    }
}

/* -1/2 .. 1/2, computed from the nearer side, so that the mesh is exactly
 * symmetric. */
static double side_of(int row, int rows) {
    return 2 * row <= rows ? (double)row / rows - 0.5
                           : 0.5 - (double)(rows - row) / rows;
}

sb_status sb_flat_rectangle(double width, double depth, int along, int rows,
                            sb_flat *out, sb_error *err) {
    sb_flat flat = {0};
    double vertices = (rows + 1.0) * (along + 1.0) + 0.5 * rows;
    sb_status status = make(&flat, vertices, rows * (2.0 * along + 1), err);
    if (status) return status;
    for (int row = 0; row <= rows; row++) {
        fill_row(&flat, along, width, side_of(row, rows) * depth, row % 2 == 1);
    }
    for (int row = 0; row < rows; row++) {
        int low = start_of_row(row, along), high = start_of_row(row + 1, along);
        bool is_up = row % 2 == 0;
        join_rows(&flat, along, is_up ? low : high, is_up ? high : low, is_up);
    }
    *out = flat;
    return SB_OK;
}

sb_status sb_flat_cells(double width, double depth, int along, int rows,
                        sb_flat *out, sb_error *err) {
    sb_flat flat = {0};
    sb_status status =
        make(&flat, (along + 1.0) * (rows + 1.0), 2.0 * along * rows, err);
    if (status) return status;
    for (int row = 0; row <= rows; row++) {
        fill_row(&flat, along, width, side_of(row, rows) * depth, false);
    }
    for (int i = 0; i < along * rows; i++) {
        int row = i / along, low = row * (along + 1) + i % along;
        int high = low + along + 1;
        if ((row + i % along) % 2) {
            add_face(&flat, low, low + 1, high);
            add_face(&flat, low + 1, high + 1, high);
        } else {
            add_face(&flat, low, low + 1, high + 1);
            add_face(&flat, low, high + 1, high);
        }
    }
    *out = flat;
    return SB_OK;
}

sb_status sb_flat_disk(double radius, int rings, sb_flat *out, sb_error *err) {
    sb_flat flat = {.radius = radius};
    double n = rings;
    sb_status status = make(&flat, 1 + 3 * n * (n + 1), 6 * n * n, err);
    if (status) return status;
    (void)add_vertex(&flat, 0, 0);
    for (int k = 1; k <= rings; k++) {
        for (int i = 0; i < 6 * k; i++) {
            double angle = SB_PI * i / (3 * k), r = radius * k / rings;
            (void)add_vertex(&flat, r * cos(angle), r * sin(angle));
        }
    }
    for (int k = 1; k <= rings; k++) {
        int outer = 1 + 3 * k * (k - 1), inner = outer - 6 * (k - 1);
        int inner_count = k == 1 ? 1 : 6 * (k - 1);
        if (k == 1) inner = 0;
        for (int i = 0; i < 6 * k; i++) {
            /* In each sixth, the next inner ring has one vertex less. */
            int in = i - i / k, next = outer + (i + 1) % (6 * k);
            int at = inner + in % inner_count;
            add_face(&flat, outer + i, next, at);
            if (i % k != k - 1) {
                add_face(&flat, at, next, inner + (in + 1) % inner_count);
            }
        }
    }
    *out = flat;
    return SB_OK;
}
