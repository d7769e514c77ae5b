/* SPDX-License-Identifier: MIT */
/* Flat meshes swept through space: prisms, split into tetrahedra; spheres,
 * boxes and cylinders as tetrahedra; walls of boxes as triangles. Thread:
 * control, workers. */
#include "runtime/model/grid/grid.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shape.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* --- swept sections ------------------------------------------------------- */

enum { SWEPT_MOST = 20000000 };

/* Four unknowns per tetrahedron, with eighty entries of 12 bytes in the matrix
 * of each, and as many of its factor; by half, to be sure. */
#define BYTES_LEAST 4000.0

typedef struct sweep {
    const sb_flat *flat;
    int layers, levels; /* levels: of vertices */
    bool is_closed;
    sb_flat_place place;
    const void *context;
    sb_solid_mesh solid;
    int slot_count; /* a power of two */
    int *slots;     /* mid-edge node by hash of its edge; 0: empty */
    int (*ends)[2]; /* ends of the edge, by slot */
} sweep;

/* Rows: the six permutations that bring the lowest vertex to the front. */
static void flat_split_prism(const int corners[6], int tets[3][4]) {
    static const int turns[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3},
                                    {2, 0, 1, 5, 3, 4}, {3, 5, 4, 0, 2, 1},
                                    {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
    static const int cuts[2][3][4] = {
        {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}},
        {{0, 1, 2, 4}, {0, 4, 2, 5}, {0, 4, 5, 3}}};
    int lowest = 0, v[6];
    for (int i = 1; i < 6; i++) {
        if (corners[i] < corners[lowest]) lowest = i;
    }
    for (int i = 0; i < 6; i++) {
        v[i] = corners[turns[lowest][i]];
    }
    int first = v[1] < v[5] ? v[1] : v[5], second = v[2] < v[4] ? v[2] : v[4];
    for (int i = 0; i < 12; i++) {
        tets[i / 4][i % 4] = v[cuts[first > second][i / 4][i % 4]];
    }
}

static void put_corners(sweep *s) {
    int per_level = s->flat->vertex_count;
    for (int level = 0; level < s->levels; level++) {
        for (int i = 0; i < per_level; i++) {
            const double *at = s->flat->vertices[i];
            s->solid.nodes[level * per_level + i] =
                s->place(s->context, at[0], at[1], (double)level / s->layers);
        }
    }
    s->solid.corner_count = s->solid.node_count = per_level * s->levels;
}

static bool is_positive(const sb_vec3 *p, const int *at) {
    sb_vec3 a = sb_vec3_sub(p[at[1]], p[at[0]]);
    sb_vec3 b = sb_vec3_sub(p[at[2]], p[at[0]]);
    sb_vec3 c = sb_vec3_sub(p[at[3]], p[at[0]]);
    return sb_vec3_dot(sb_vec3_cross(a, b), c) > 0;
}

static void put_tets(sweep *s) {
    int per_level = s->flat->vertex_count;
    for (int i = 0; i < s->layers * s->flat->face_count; i++) {
        int layer = i / s->flat->face_count;
        const int *face = s->flat->faces[i % s->flat->face_count];
        int corners[6], tets[3][4];
        for (int j = 0; j < 3; j++) {
            corners[j] = layer * per_level + face[j];
            corners[j + 3] = (layer + 1) % s->levels * per_level + face[j];
        }
        flat_split_prism(corners, tets);
        for (int j = 0; j < 3; j++) {
            if (!is_positive(s->solid.nodes, tets[j])) {
                int kept = tets[j][2];
                tets[j][2] = tets[j][3];
                tets[j][3] = kept;
            }
            memcpy(s->solid.tets[s->solid.tet_count++], tets[j],
                   sizeof tets[j]);
        }
    }
}

/* from < to. Across the seam, level 0 stands for the level after the last. */
static sb_vec3 middle(const sweep *s, int from, int to) {
    int per_level = s->flat->vertex_count;
    const double *p = s->flat->vertices[from % per_level];
    const double *q = s->flat->vertices[to % per_level];
    double a = 0.5 * (p[0] + q[0]), b = 0.5 * (p[1] + q[1]);
    int from_level = from / per_level, to_level = to / per_level;
    if (s->is_closed && to_level - from_level > 1) from_level += s->layers;
    double rim = s->flat->radius * (1 - 1e-9);
    if (rim > 0 && hypot(p[0], p[1]) > rim && hypot(q[0], q[1]) > rim) {
        double out = s->flat->radius / hypot(a, b);
        a *= out;
        b *= out;
    }
    return s->place(s->context, a, b,
                    0.5 * (from_level + to_level) / s->layers);
}

static int middle_node(sweep *s, int from, int to) {
    int low = from < to ? from : to, high = from < to ? to : from;
    uint32_t mask = (uint32_t)s->slot_count - 1;
    uint64_t key = (uint64_t)(uint32_t)low << 32 | (uint32_t)high;
    uint32_t slot = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (s->slots[slot]) {
        if (s->ends[slot][0] == low && s->ends[slot][1] == high) {
            return s->slots[slot];
        }
        slot = (slot + 1) & mask;
    }
    s->ends[slot][0] = low;
    s->ends[slot][1] = high;
    s->solid.nodes[s->solid.node_count] = middle(s, low, high);
    return s->slots[slot] = s->solid.node_count++;
}

static void put_middles(sweep *s) {
    static const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2},
                                    {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < s->solid.tet_count; i++) {
        int *tet = s->solid.tets[i];
        for (int e = 0; e < 6; e++) {
            tet[4 + e] = middle_node(s, tet[edges[e][0]], tet[edges[e][1]]);
        }
    }
}

/* Edges of the solid: those of the flat mesh on each level; in each layer
 * one up from every vertex and one diagonal over every edge. */
static sb_status make(sweep *s, sb_error *err) {
    size_t faces = (size_t)s->flat->face_count;
    size_t vertices = (size_t)s->flat->vertex_count;
    size_t flat_edges = vertices + faces; /* Euler's formula: one more than
                                           * the edges */
    size_t levels = (size_t)s->levels, layers = (size_t)s->layers;
    size_t edges = levels * flat_edges + layers * (vertices + flat_edges);
    size_t slots = 2;
    while (slots < 2 * edges) {
        slots *= 2;
    }
    s->slot_count = (int)slots;
    s->slots = sb_alloc(slots, sizeof *s->slots);
    s->ends = sb_alloc(slots, sizeof *s->ends);
    s->solid.nodes = sb_alloc(levels * vertices + edges, sizeof(sb_vec3));
    s->solid.tets = sb_alloc(3 * faces * layers, sizeof *s->solid.tets);
    if (s->slots && s->ends && s->solid.nodes && s->solid.tets) return SB_OK;
    sb_free(s->solid.nodes);
    sb_free(s->solid.tets);
    return sb_fail(err, SB_NO_MEMORY, "grid: out of memory for %zu tetrahedra",
                   3 * faces * layers);
}

sb_status sb_flat_sweep(const sb_flat *flat, int layers, bool is_closed,
                        sb_flat_place place, const void *context,
                        sb_solid_mesh *out, sb_error *err) {
    sweep s = {.flat = flat,
               .layers = layers,
               .levels = is_closed ? layers : layers + 1,
               .is_closed = is_closed,
               .place = place,
               .context = context};
    double tets = 3.0 * flat->face_count * layers;
    /* Asked before it is spent: not even the matrices would fit. */
    if (tets * BYTES_LEAST > (double)sb_memory_left()) {
        return sb_fail(err, SB_NO_MEMORY,
                       "%.3g elements need more than %.2g GB of memory", tets,
                       1e-9 * tets * BYTES_LEAST);
    }
    if (layers < (is_closed ? 3 : 1) || tets > SWEPT_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "grid: %d layers of %d triangles cannot be made", layers,
                       flat->face_count);
    }
    sb_status status = make(&s, err);
    if (!status) {
        put_corners(&s);
        put_tets(&s);
        put_middles(&s);
        *out = s.solid;
    }
    sb_free(s.slots);
    sb_free(s.ends);
    return status;
}

/* --- boxes, cylinders, balls ---------------------------------------------- */

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

sb_status sb_grid_box(const sb_shape *shape, sb_grain grain, sb_solid_mesh *out,
                      sb_error *err) {
    const double sides[3] = {shape->width, shape->height, shape->depth};
    int cells[3];
    sb_flat flat;
    count_cells(sides, grain, cells);
    sb_status status =
        sb_flat_cells(sides[0], sides[2], cells[0], cells[2], &flat, err);
    return status ? status
                  : sweep_up(shape, &flat, cells[1], sides[1], out, err);
}

sb_status sb_grid_cylinder(const sb_shape *shape, sb_grain grain,
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
        return sb_no_memory(err, "grid");
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

static void put_tet(sb_mesh *to, const int tet[4]) {
    int *put = to->tets[to->tet_count++];
    memcpy(put, tet, 4 * sizeof *tet);
    if (is_positive(to->vertices, put)) return;
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
        flat_split_prism(corners, tets);
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

sb_status sb_grid_ball(const sb_shape *shape, sb_grain grain,
                       sb_solid_mesh *out, sb_error *err) {
    int usual = grain.elements > 0 ? grain.elements : BALL_ELEMENTS;
    int elements = sb_grain_count(grain, usual, 2);
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
        status = sb_no_memory(err, "grid");
    }
    sb_mesh_free(&sphere);
    sb_mesh_free(&ball);
    return status;
}

/* --- walls of boxes ------------------------------------------------------- */

/* Corners of the cells on all six sides, without inner ones. */
typedef struct box {
    int cells[3];
    double size[3];
    sb_mesh *mesh;
} box;

static int corner(const box *self, const int at[3], int *numbers) {
    int wide = self->cells[0] + 1, tall = self->cells[1] + 1;
    int *number = &numbers[(at[2] * tall + at[1]) * wide + at[0]];
    if (*number == 0) {
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = self->size[i] * ((double)at[i] / self->cells[i] - 0.5);
        self->mesh->vertices[self->mesh->vertex_count++] =
            (sb_vec3){x[0], x[1], x[2]};
        *number = self->mesh->vertex_count;
    }
    return *number - 1;
}

static void add_cell(box *self, int axis, bool is_high, int i, int j,
                     int *numbers) {
    int a = (axis + 1) % 3, b = (axis + 2) % 3, corners[4];
    for (int k = 0; k < 4; k++) {
        int at[3];
        at[axis] = is_high ? self->cells[axis] : 0;
        at[a] = i + (k == 1 || k == 2);
        at[b] = j + (k >= 2);
        corners[k] = corner(self, at, numbers);
    }
    int first = self->mesh->face_count, turn = is_high ? 1 : 3;
    int faces[2][3] = {{corners[0], corners[turn], corners[2]},
                       {corners[0], corners[2], corners[4 - turn]}};
    memcpy(self->mesh->faces[first], faces, sizeof faces);
    self->mesh->face_count += 2;
}

sb_status sb_grid_box_surface(const double sides_m[3], const int cells[3],
                              sb_mesh *out, sb_error *err) {
    box self = {{cells[0], cells[1], cells[2]},
                {sides_m[0], sides_m[1], sides_m[2]},
                out};
    int count =
        2 * (cells[0] * cells[1] + cells[0] * cells[2] + cells[2] * cells[1]);
    size_t corners = (size_t)(cells[0] + 1) * (size_t)(cells[1] + 1) *
                     (size_t)(cells[2] + 1);
    int *numbers = sb_alloc(corners, sizeof *numbers);
    out->vertices = sb_alloc(corners, sizeof *out->vertices);
    out->faces = sb_alloc(2 * (size_t)count, sizeof *out->faces);
    bool is_made = numbers && out->vertices && out->faces;
    for (int side = 0; is_made && side < 6; side++) {
        int axis = side / 2;
        for (int i = 0; i < self.cells[(axis + 1) % 3]; i++) {
            for (int j = 0; j < self.cells[(axis + 2) % 3]; j++)
                add_cell(&self, axis, side % 2, i, j, numbers);
        }
    }
    sb_free(numbers);
    return is_made ? SB_OK : sb_no_memory(err, "grid");
}
