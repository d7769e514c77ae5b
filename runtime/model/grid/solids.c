/* Spheres, boxes and cylinders as tetrahedra. Thread: control, workers. */
#include "runtime/model/grid/solids.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/grid/flat.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shape.h"

#include <math.h>
#include <string.h>

enum {
    CELLS = 200,      /* default for a box; six tetrahedra each */
    CELLS_ALONG = 30, /* for a long box */
    FLAT = 6,         /* so many times as wide as thick: a plate */
    BALL_ELEMENTS = 6,
    TETS_MOST = 1000000
};

/* Angle of an icosahedron's edge seen from its centre, rad. */
#define ICOSAHEDRON_ARC 1.1071

/* --- cells per side ------------------------------------------------------- */

static void swap_if(const double sides[3], int *a, int *b) {
    if (sides[*a] <= sides[*b]) return;
    int kept = *a;
    *a = *b;
    *b = kept;
}

/* Cells as close to cubes as their number allows; at least two per side,
 * otherwise torsion is too stiff. */
static void count_cells(const double sides[3], sb_grain grain, int cells[3]) {
    int thin = 0, middle = 1, along = 2;
    swap_if(sides, &thin, &middle);
    swap_if(sides, &middle, &along);
    swap_if(sides, &thin, &middle);
    if (grain.elements > 0) {
        for (int i = 0; i < 3; i++) {
            double count = round(sides[i] * grain.elements / sides[along]);
            int least = i == along ? 1 : 2;
            cells[i] = sb_grain_count(grain, fmax(least, count), least);
        }
        return;
    }
    double left = CELLS;
    double edge = cbrt(sides[thin] * sides[middle] * sides[along] / left);
    cells[thin] = (int)fmax(2, round(sides[thin] / edge));
    left /= cells[thin];
    edge = sqrt(sides[middle] * sides[along] / left);
    cells[middle] = (int)fmax(2, round(sides[middle] / edge));
    left /= cells[middle];
    cells[along] = (int)fmin(fmax(2, round(left)), CELLS_ALONG);
    /* Two grids tell how much is left of the error; with one cell across, the
     * coarser of them would be of little use. Twist needs cells about as wide
     * as a bar is thick. */
    double flat = sides[middle] / sides[thin];
    if (flat < FLAT) cells[thin] = (int)fmax(3, cells[thin]);
    double wide = fmin(round(1.5 * flat), FLAT);
    cells[middle] = (int)fmax(fmax(3, wide), cells[middle]);
    for (int i = 0; i < 3; i++)
        cells[i] = sb_grain_count(grain, cells[i], 1);
}

static sb_status check_count(const sb_shape *shape, double tets,
                             sb_error *err) {
    if (tets <= TETS_MOST) return SB_OK;
    return sb_fail(
        err, SB_BAD_ARGUMENT,
        "%s: so many elements make %.0f tetrahedra, more than the limit of %d",
        sb_shape_kind_name(shape->kind), tets, (int)TETS_MOST);
}

/* --- boxes and cylinders -------------------------------------------------- */

static sb_vec3 raise(const void *context, double a, double b, double c) {
    const double *height = context;
    return (sb_vec3){a, *height * (c - 0.5), b};
}

static sb_status sweep_up(const sb_shape *shape, sb_flat *flat, int layers,
                          double height, sb_solid_mesh *out, sb_error *err) {
    sb_status status = check_count(shape, 3.0 * flat->face_count * layers, err);
    if (!status) {
        status = sb_flat_sweep(flat, layers, false, raise, &height, out, err);
    }
    sb_flat_free(flat);
    return status;
}

static sb_status cut_box(const sb_shape *shape, sb_grain grain,
                         sb_solid_mesh *out, sb_error *err) {
    const double sides[3] = {shape->width, shape->height, shape->depth};
    int cells[3];
    sb_flat flat;
    count_cells(sides, grain, cells);
    sb_status status =
        sb_flat_cells(sides[0], sides[2], cells[0], cells[2], &flat, err);
    return status ? status
                  : sweep_up(shape, &flat, cells[1], sides[1], out, err);
}

static sb_status cut_cylinder(const sb_shape *shape, sb_grain grain,
                              sb_solid_mesh *out, sb_error *err) {
    double across = 2 * shape->radius;
    const double sides[3] = {across, shape->length, across};
    int cells[3];
    sb_flat flat;
    count_cells(sides, (sb_grain){.elements = grain.elements, .finer = 1},
                cells);
    int rings = (cells[0] < cells[2] ? cells[0] : cells[2]) / 2;
    if (rings < 3 && grain.elements == 0) rings = 3; /* as above */
    rings = sb_grain_count(grain, rings, 1);
    cells[1] = sb_grain_count(grain, cells[1], 1);
    sb_status status = sb_flat_disk(shape->radius, rings, &flat, err);
    return status ? status
                  : sweep_up(shape, &flat, cells[1], sides[1], out, err);
}

/* --- balls ---------------------------------------------------------------- */

/* The triangles of an icosahedron of radius 1, each cut into `n` x `n`. */
static sb_status make_sphere(int n, sb_mesh *out, sb_error *err) {
    static const double g = 1.6180339887498949; /* the golden ratio */
    static const int faces[20][3] = {
        {0, 1, 8},  {0, 5, 4},  {0, 8, 4},  {0, 1, 10},  {0, 10, 5},
        {1, 7, 8},  {1, 6, 10}, {1, 6, 7},  {2, 3, 9},   {2, 4, 9},
        {2, 5, 4},  {2, 3, 11}, {2, 5, 11}, {3, 7, 9},   {3, 6, 7},
        {3, 6, 11}, {4, 8, 9},  {7, 8, 9},  {5, 10, 11}, {6, 10, 11}};
    const sb_vec3 tips[12] = {{-1, g, 0}, {1, g, 0},  {-1, -g, 0},
                              {1, -g, 0}, {-g, 0, 1}, {-g, 0, -1},
                              {g, 0, -1}, {g, 0, 1},  {0, 1, g},
                              {0, -1, g}, {0, 1, -g}, {0, -1, -g}};
    sb_mesh soup = {.vertex_count = 60 * n * n, .face_count = 20 * n * n};
    soup.vertices = sb_alloc((size_t)soup.vertex_count, sizeof *soup.vertices);
    soup.faces = sb_alloc((size_t)soup.face_count, sizeof *soup.faces);
    if (!soup.vertices || !soup.faces) {
        sb_mesh_free(&soup);
        return sb_fail(err, SB_NO_MEMORY, "grid: out of memory");
    }
    int corner = 0;
    for (int f = 0; f < 20; f++) {
        sb_vec3 o = tips[faces[f][0]];
        sb_vec3 a = sb_vec3_scale(sb_vec3_sub(tips[faces[f][1]], o), 1.0 / n);
        sb_vec3 b = sb_vec3_scale(sb_vec3_sub(tips[faces[f][2]], o), 1.0 / n);
        for (int i = 0; i < n * n; i++) {
            int row = i / n, column = i % n;
            bool is_upper = row + column >= n; /* reflected back into the
                                                * triangle */
            int p = is_upper ? n - column : row,
                q = is_upper ? n - row : column;
            int turn = is_upper ? -1 : 1;
            const int at[3][2] = {{p, q}, {p + turn, q}, {p, q + turn}};
            for (int c = 0; c < 3; c++, corner++) {
                soup.vertices[corner] = sb_vec3_normalised(
                    sb_vec3_add(o, sb_vec3_add(sb_vec3_scale(a, at[c][0]),
                                               sb_vec3_scale(b, at[c][1]))));
                soup.faces[corner / 3][c] = corner;
            }
        }
    }
    return sb_mesh_clean(&soup, out, NULL, err);
}

static bool is_positive(const sb_mesh *mesh, const int tet[4]) {
    sb_vec3 o = mesh->vertices[tet[0]];
    sb_vec3 a = sb_vec3_sub(mesh->vertices[tet[1]], o);
    sb_vec3 b = sb_vec3_sub(mesh->vertices[tet[2]], o);
    sb_vec3 c = sb_vec3_sub(mesh->vertices[tet[3]], o);
    return sb_vec3_dot(sb_vec3_cross(a, b), c) > 0;
}

static void put_tet(sb_mesh *to, const int tet[4]) {
    int *put = to->tets[to->tet_count++];
    memcpy(put, tet, 4 * sizeof *tet);
    if (is_positive(to, put)) return;
    put[2] = tet[3];
    put[3] = tet[2];
}

/* Vertex 0 is the centre, followed by the shells from inside out. */
static void put_shells(const sb_mesh *sphere, double radius, int layers,
                       sb_mesh *to) {
    int shell = sphere->vertex_count;
    for (int i = 0; i < layers * shell; i++) {
        double share = (double)(i / shell + 1) / layers;
        to->vertices[1 + i] =
            sb_vec3_scale(sphere->vertices[i % shell], radius * share);
    }
    for (int f = 0; f < sphere->face_count; f++) {
        const int *face = sphere->faces[f];
        put_tet(to, (int[4]){0, 1 + face[0], 1 + face[1], 1 + face[2]});
    }
    for (int i = 0; i < (layers - 1) * sphere->face_count; i++) {
        const int *face = sphere->faces[i % sphere->face_count];
        int corners[6], tets[3][4], first = 1 + i / sphere->face_count * shell;
        for (int c = 0; c < 3; c++) {
            corners[c] = first + face[c];
            corners[c + 3] = first + shell + face[c];
        }
        sb_flat_split_prism(corners, tets);
        for (int t = 0; t < 3; t++)
            put_tet(to, tets[t]);
    }
}

/* Mid-edge nodes get the mean radius of the ends. */
static void make_round(sb_solid_mesh *solid) {
    static const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2},
                                    {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < solid->tet_count; i++) {
        const int *tet = solid->tets[i];
        for (int e = 0; e < 6; e++) {
            double from = sb_vec3_length(solid->nodes[tet[edges[e][0]]]);
            double to = sb_vec3_length(solid->nodes[tet[edges[e][1]]]);
            sb_vec3 *at = &solid->nodes[tet[4 + e]];
            *at = sb_vec3_scale(sb_vec3_normalised(*at), 0.5 * (from + to));
        }
    }
}

static sb_status cut_ball(const sb_shape *shape, int elements,
                          sb_solid_mesh *out, sb_error *err) {
    int layers = (elements + 1) / 2;
    int n = (int)fmax(1, round(0.5 * ICOSAHEDRON_ARC * elements));
    sb_status status = check_count(shape, 20.0 * n * n * (3 * layers - 2), err);
    sb_mesh sphere;
    if (!status) status = make_sphere(n, &sphere, err);
    if (status) return status;
    size_t tets = (size_t)sphere.face_count * (3 * (size_t)layers - 2);
    sb_mesh ball = {.vertex_count = 1 + layers * sphere.vertex_count};
    ball.vertices = sb_alloc((size_t)ball.vertex_count, sizeof *ball.vertices);
    ball.tets = sb_alloc(tets, sizeof *ball.tets);
    if (ball.vertices && ball.tets) {
        put_shells(&sphere, shape->radius, layers, &ball);
        status = sb_solid_from_tets(&ball, out, err);
        if (!status) make_round(out);
    } else {
        status = sb_fail(err, SB_NO_MEMORY, "grid: out of memory");
    }
    sb_mesh_free(&sphere);
    sb_mesh_free(&ball);
    return status;
}

/* --- by number, or by default --------------------------------------------- */

sb_status sb_grid_box(const sb_shape *shape, int elements, sb_solid_mesh *out,
                      sb_error *err) {
    return cut_box(shape, (sb_grain){.elements = elements, .finer = 1}, out,
                   err);
}

sb_status sb_grid_cylinder(const sb_shape *shape, int elements,
                           sb_solid_mesh *out, sb_error *err) {
    return cut_cylinder(shape, (sb_grain){.elements = elements, .finer = 1},
                        out, err);
}

sb_status sb_grid_ball(const sb_shape *shape, int elements, sb_solid_mesh *out,
                       sb_error *err) {
    return cut_ball(shape, elements ? elements : BALL_ELEMENTS, out, err);
}

sb_status sb_grid_fine_box(const sb_shape *shape, sb_grain grain,
                           sb_solid_mesh *out, sb_error *err) {
    return cut_box(shape, grain, out, err);
}

sb_status sb_grid_fine_cylinder(const sb_shape *shape, sb_grain grain,
                                sb_solid_mesh *out, sb_error *err) {
    return cut_cylinder(shape, grain, out, err);
}

sb_status sb_grid_fine_ball(const sb_shape *shape, sb_grain grain,
                            sb_solid_mesh *out, sb_error *err) {
    int usual = grain.elements > 0 ? grain.elements : BALL_ELEMENTS;
    return cut_ball(shape, sb_grain_count(grain, usual, 2), out, err);
}
