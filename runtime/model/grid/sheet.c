/* SPDX-License-Identifier: MIT */
#include "runtime/model/grid/grid.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/mesh/mesh.h"

#include <assert.h>
#include <math.h>

/* --- flat patterns -------------------------------------------------------- */

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

/* Rectangle centred at the origin: a from -width / 2, b from -depth / 2.
 * Triangles are near-equilateral: rows of `along` edges in the direction of
 * a, every other row shifted by half an edge. `rows` is even, so that the
 * mesh is symmetric. */
static sb_status flat_rectangle(double width, double depth, int along, int rows,
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

/* --- sheets --------------------------------------------------------------- */

/* Edge length: at most 1.5 times the narrow side, since longer triangles are
 * inaccurate in bending. */
static double edge_of(const sb_sheet *sheet, int resolution) {
    double x = sheet->x_m, z = sheet->z_m;
    return fmin(fmax(x, z) / resolution, 1.5 * fmin(x, z));
}

static sb_status make_flat(const sb_sheet *sheet, int resolution, sb_flat *out,
                           sb_error *err) {
    double x = sheet->x_m, z = sheet->z_m, edge = edge_of(sheet, resolution);
    if (sheet->radius_m > 0) {
        return sb_flat_disk(sheet->radius_m, (resolution + 1) / 2, out, err);
    }
    double along = fmax(1, round(x / edge));
    double rows = 2 * fmax(1, round(z / (sqrt(3.0) * edge)));
    return flat_rectangle(x, z, (int)along, (int)rows, out, err);
}

static sb_status make_arrays(const sb_flat *flat, sb_mesh *mesh,
                             sb_error *err) {
    size_t vertices = (size_t)flat->vertex_count;
    size_t faces = (size_t)flat->face_count;
    *mesh = (sb_mesh){
        .vertex_count = flat->vertex_count,
        .face_count = flat->face_count,
        .vertices = sb_alloc(vertices, sizeof *mesh->vertices),
        .faces = sb_alloc(faces, sizeof *mesh->faces),
        .uvs = sb_alloc(faces, sizeof *mesh->uvs),
    };
    if (mesh->vertices && mesh->faces && mesh->uvs) return SB_OK;
    sb_free_all(mesh->vertices, mesh->faces, mesh->uvs);
    return sb_fail(err, SB_NO_MEMORY, "grid: out of memory for %d vertices",
                   flat->vertex_count);
}

/* The order of corners is reversed, since (x, z) seen from above is
 * left-handed. */
static void fill_mesh(const sb_flat *flat, double x, double z, sb_mesh *mesh) {
    for (int i = 0; i < flat->vertex_count; i++) {
        const double *at = flat->vertices[i];
        mesh->vertices[i] = (sb_vec3){at[0], 0, at[1]};
    }
    for (int i = 0; i < flat->face_count; i++) {
        for (int j = 0; j < 3; j++) {
            int vertex = flat->faces[i][2 - j];
            const double *at = flat->vertices[vertex];
            mesh->faces[i][j] = vertex;
            mesh->uvs[i][j][0] = (float)(at[0] / x + 0.5);
            mesh->uvs[i][j][1] = (float)(at[1] / z + 0.5);
        }
    }
}

/* Frees `flat`. */
static sb_status surface_of(const sb_sheet *sheet, sb_flat *flat, sb_mesh *out,
                            sb_error *err) {
    sb_mesh mesh;
    sb_status status = make_arrays(flat, &mesh, err);
    if (!status) {
        fill_mesh(flat, sheet->x_m, sheet->z_m, &mesh);
        *out = mesh;
    }
    sb_flat_free(flat);
    return status;
}

sb_status sb_sheet_surface(const sb_sheet *sheet, int resolution, sb_mesh *out,
                           sb_error *err) {
    sb_flat flat;
    sb_status status = make_flat(sheet, resolution, &flat, err);
    return status ? status : surface_of(sheet, &flat, out, err);
}

sb_status sb_sheet_cells(const sb_sheet *sheet, int resolution, sb_mesh *out,
                         sb_error *err) {
    sb_flat flat;
    double edge = fmax(sheet->x_m, sheet->z_m) / resolution;
    int along = (int)fmax(2, round(sheet->x_m / edge));
    int rows = (int)fmax(2, round(sheet->z_m / edge));
    sb_status status =
        sb_flat_cells(sheet->x_m, sheet->z_m, along, rows, &flat, err);
    return status ? status : surface_of(sheet, &flat, out, err);
}

static sb_status make_floor(const sb_sheet *sheet, sb_grain grain, sb_flat *out,
                            sb_error *err) {
    double x = sheet->x_m, z = sheet->z_m;
    if (sheet->radius_m > 0) {
        int rings = sb_grain_count(grain, 0.5 * grain.elements, 1);
        if (grain.finer == 1)
            rings = sb_grain_fewer(grain, (grain.elements + 1) / 2, 1);
        return sb_flat_disk(sheet->radius_m, rings, out, err);
    }
    double edge = edge_of(sheet, grain.elements);
    double along = fmax(1, round(x / edge));
    double rows = fmax(round(z / edge), fmax(1, sheet->least_rows));
    rows = fmax(rows, grain.least);
    return sb_flat_cells(x, z, sb_grain_count(grain, along, 1),
                         sb_grain_count(grain, rows, 1), out, err);
}

static sb_vec3 raise(const void *context, double a, double b, double c) {
    const sb_sheet *sheet = context;
    return (sb_vec3){a, sheet->thickness_m * (c - 0.5), b};
}

/* Hinges need corner nodes at half the thickness, for linear tetrahedra too. */
static int layers_of(const sb_sheet *sheet, sb_support support,
                     sb_grain grain) {
    double layers = sheet->thickness_m / edge_of(sheet, grain.elements);
    bool is_hinged =
        support == SB_SUPPORT_PINNED || support == SB_SUPPORT_CLAMPED_PINNED;
    if (is_hinged) {
        return 2 * sb_grain_count(grain, fmax(1, round(0.5 * layers)), 1);
    }
    int least = sheet->least_layers > 1 ? sheet->least_layers : 1;
    layers = fmax(fmax(least, grain.least), round(layers));
    return sb_grain_count(grain, layers, 1);
}

sb_status sb_sheet_solid(const sb_sheet *sheet, sb_support support,
                         sb_grain grain, sb_solid_mesh *out, sb_error *err) {
    sb_flat flat;
    sb_status status = make_floor(sheet, grain, &flat, err);
    if (status) return status;
    status = sb_flat_sweep(&flat, layers_of(sheet, support, grain), false,
                           raise, sheet, out, err);
    sb_flat_free(&flat);
    return status;
}

sb_hold sb_sheet_hold(const sb_sheet *sheet, sb_support support, sb_vec3 at) {
    double x = sheet->x_m, z = sheet->z_m;
    const double slack = 1e-6;
    bool is_left = at.x < -x * (0.5 - slack);
    bool is_right = at.x > x * (0.5 - slack);
    bool is_edge = is_left || is_right;
    if (sheet->radius_m > 0) {
        is_edge = hypot(at.x, at.z) > sheet->radius_m * (1 - slack);
    } else if (sheet->holds_sides) {
        is_edge = is_edge || fabs(at.z) > z * (0.5 - slack);
    }
    bool is_middle = fabs(at.y) < slack * sheet->thickness_m;
    sb_hold hinge = is_middle ? SB_HOLD_PINNED : SB_HOLD_FREE;
    switch (support) {
    case SB_SUPPORT_CLAMPED:
        return is_edge ? SB_HOLD_CLAMPED : SB_HOLD_FREE;
    case SB_SUPPORT_PINNED:
        return is_edge ? hinge : SB_HOLD_FREE;
    case SB_SUPPORT_CLAMPED_PINNED:
        if (is_right) return hinge;
        return is_left ? SB_HOLD_CLAMPED : SB_HOLD_FREE;
    case SB_SUPPORT_CLAMPED_FREE:
        return is_left ? SB_HOLD_CLAMPED : SB_HOLD_FREE;
    case SB_SUPPORT_FREE:
    case SB_SUPPORT_COUNT:
        break;
    }
    return SB_HOLD_FREE;
}
