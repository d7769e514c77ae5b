/* SPDX-License-Identifier: MIT */
/* Cuts bodies into triangles. Thread: any. */
#include "bindings/studio/session/body_surface.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"

#include <math.h>
#include <string.h>

enum { ALONG = 96, ACROSS = 12, SIDE = 48, ROUND = 72, RADIAL = 24, WIRE = 16 };

/* Edge of the floor that is drawn, and radius of a stand-in, m. */
#define FLOOR_M    4.0
#define STAND_IN_M 0.02

void surface_free(surface *self) {
    sb_free_all(self->positions, self->normals, self->uvs, self->points,
                self->faces);
    *self = (surface){0};
}

/* --- building ------------------------------------------------------------- */

/* Room for all that will be added; false: no memory. */
static bool reserve(surface *self, int vertices, int faces) {
    size_t v = (size_t)vertices;
    self->positions = sb_alloc(v, sizeof *self->positions);
    self->normals = sb_alloc(v, sizeof *self->normals);
    self->uvs = sb_alloc(v, sizeof *self->uvs);
    self->points = sb_alloc(v, sizeof *self->points);
    self->faces = sb_alloc((size_t)faces, sizeof *self->faces);
    return self->positions && self->normals && self->uvs && self->points &&
           self->faces;
}

/* Add a vertex at a place of the model; returns its number. */
static int add(surface *self, const sb_model *model, sb_model_point point,
               sb_vec3 at) {
    int v = self->vertex_count++;
    double u = 0.0, w = 0.0;
    if (sb_model_has_uv(model)) sb_model_uv(model, point, &u, &w);
    self->positions[v][0] = (float)at.x;
    self->positions[v][1] = (float)at.y;
    self->positions[v][2] = (float)at.z;
    self->uvs[v][0] = (float)u;
    self->uvs[v][1] = (float)w;
    self->points[v] = point;
    return v;
}

static void add_face(surface *self, int a, int b, int c) {
    uint32_t *face = self->faces[self->face_count++];
    face[0] = (uint32_t)a;
    face[1] = (uint32_t)b;
    face[2] = (uint32_t)c;
}

static sb_vec3 vertex(const surface *self, uint32_t v) {
    const float *p = self->positions[v];
    return (sb_vec3){p[0], p[1], p[2]};
}

/* As long as twice the area. */
static sb_vec3 face_normal(const surface *self, const uint32_t *f) {
    sb_vec3 a = vertex(self, f[0]);
    return sb_vec3_span(a, vertex(self, f[1]), vertex(self, f[2]));
}

/* Means of the faces around each vertex, by their areas. */
static void find_normals(surface *self) {
    for (int i = 0; i < self->face_count; i++) {
        const uint32_t *f = self->faces[i];
        sb_vec3 n = face_normal(self, f);
        for (int c = 0; c < 3; c++) {
            float *to = self->normals[f[c]];
            to[0] += (float)n.x;
            to[1] += (float)n.y;
            to[2] += (float)n.z;
        }
    }
    for (int v = 0; v < self->vertex_count; v++) {
        float *n = self->normals[v];
        float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int c = 0; c < 3 && length > 0; c++)
            n[c] /= length;
        if (!(length > 0)) n[1] = 1.0F;
    }
}

/* --- closed forms --------------------------------------------------------- */

/* A grid of `rows` by `columns` cells whose vertices begin at `first`. */
static void add_cells(surface *self, int first, int rows, int columns,
                      bool is_turned) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            int a = first + i * (columns + 1) + j, b = a + columns + 1;
            if (is_turned) {
                add_face(self, a, a + 1, b);
                add_face(self, a + 1, b + 1, b);
            } else {
                add_face(self, a, b, a + 1);
                add_face(self, a + 1, b, b + 1);
            }
        }
    }
}

/* Where row i and column j of a grid lie in (u, v): circles about the middle,
 * or lines. */
static sb_model_point grid_point(bool is_round, double row, double column) {
    if (!is_round) return (sb_model_point){0, column, row};
    return (sb_model_point){0, 0.5 + 0.5 * row * cos(SB_TAU * column),
                            0.5 + 0.5 * row * sin(SB_TAU * column)};
}

static void add_side(surface *out, const sb_model *model, int rows, int columns,
                     bool is_round, double drop, bool is_below) {
    int first = out->vertex_count;
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= columns; j++) {
            sb_model_point point =
                grid_point(is_round, (double)i / rows, (double)j / columns);
            sb_vec3 at = sb_model_position(model, point);
            at.y -= drop;
            (void)add(out, model, point, at);
        }
    }
    add_cells(out, first, rows, columns, is_round != is_below);
}

/* The wall between top and bottom along one border. */
static void add_wall(surface *out, const sb_model *model, int count,
                     const double from[2], const double to[2], bool is_round,
                     double drop) {
    int first = out->vertex_count;
    for (int side = 0; side < 2; side++) {
        for (int j = 0; j <= count; j++) {
            double s = (double)j / count;
            sb_model_point point =
                grid_point(is_round, from[0] + s * (to[0] - from[0]),
                           from[1] + s * (to[1] - from[1]));
            sb_vec3 at = sb_model_position(model, point);
            at.y -= side * drop;
            (void)add(out, model, point, at);
        }
    }
    add_cells(out, first, 1, count, is_round);
}

/* Plates, disks, bars and membranes: top, bottom and rim. */
static bool take_flat(const sb_model *model, const sb_shape *shape,
                      bool is_round, surface *out) {
    bool is_bar = shape->kind == SB_SHAPE_BAR;
    int rows = is_round ? RADIAL : is_bar ? ACROSS : SIDE;
    int columns = is_round ? ROUND : is_bar ? ALONG : SIDE;
    double drop = shape->thickness;
    int grid = (rows + 1) * (columns + 1), rim = 4 * (rows + columns + 4);
    if (!reserve(out, 2 * grid + 2 * rim, 4 * rows * columns + 2 * rim))
        return false;
    add_side(out, model, rows, columns, is_round, 0.0, false);
    add_side(out, model, rows, columns, is_round, drop, true);
    if (drop > 0 && is_round) {
        add_wall(out, model, columns, (double[]){1, 0}, (double[]){1, 1}, true,
                 drop);
    } else if (drop > 0) {
        static const double corners[5][2] = {
            {0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}};
        for (int i = 0; i < 4; i++)
            add_wall(out, model, i % 2 ? rows : columns, corners[i + 1],
                     corners[i], false, drop);
    }
    return true;
}

/* A tube about the line of a string. */
static bool take_line(const sb_model *model, const sb_shape *shape,
                      surface *out) {
    double radius = 0.5 * shape->diameter;
    if (!reserve(out, (ALONG + 1) * (WIRE + 1), 2 * ALONG * WIRE)) return false;
    for (int i = 0; i <= WIRE; i++) {
        for (int j = 0; j <= ALONG; j++) {
            double angle = SB_TAU * i / WIRE;
            sb_model_point point = {0, (double)j / ALONG, 0.5};
            sb_vec3 at = sb_model_position(model, point);
            at.y += radius * (cos(angle) - 1.0);
            at.z += radius * sin(angle);
            (void)add(out, model, point, at);
        }
    }
    add_cells(out, 0, WIRE, ALONG, false);
    return true;
}

/* A profile may run either way: turn the faces so that they look outward. */
static void face_outward(const sb_model *model, surface *self) {
    double sum = 0;
    for (int i = 0; i < self->face_count; i++) {
        const uint32_t *f = self->faces[i];
        sb_vec3 n = face_normal(self, f);
        sum += sb_vec3_dot(n, sb_model_normal(model, self->points[f[0]]));
    }
    for (int i = 0; i < self->face_count && sum < 0; i++) {
        uint32_t second = self->faces[i][1];
        self->faces[i][1] = self->faces[i][2];
        self->faces[i][2] = second;
    }
}

/* Rings and shells of revolution: u is an angle, v another or a length. */
static bool take_turned(const sb_model *model, bool is_torus, surface *out) {
    int rows = is_torus ? WIRE : SIDE;
    if (!reserve(out, (rows + 1) * (ROUND + 1), 2 * rows * ROUND)) return false;
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= ROUND; j++) {
            sb_model_point point = {0, (double)j / ROUND, (double)i / rows};
            (void)add(out, model, point, sb_model_position(model, point));
            out->uvs[out->vertex_count - 1][0] = (float)point.u;
            out->uvs[out->vertex_count - 1][1] = (float)point.v;
        }
    }
    add_cells(out, 0, rows, ROUND, false);
    face_outward(model, out);
    return true;
}

/* --- solids that do not ring ----------------------------------------------- */

static void add_at(surface *out, const sb_model *model, sb_vec3 at) {
    (void)add(out, model, sb_model_nearest(model, at), at);
}

static bool take_ball(const sb_model *model, double radius, bool is_stand_in,
                      surface *out) {
    if (!reserve(out, (WIRE + 1) * (2 * WIRE + 1), 4 * WIRE * WIRE))
        return false;
    for (int i = 0; i <= WIRE; i++) {
        for (int j = 0; j <= 2 * WIRE; j++) {
            double a = SB_PI * i / WIRE, b = SB_PI * j / WIRE;
            sb_vec3 at = {radius * sin(a) * cos(b), radius * cos(a),
                          radius * sin(a) * sin(b)};
            if (is_stand_in) {
                (void)add(out, model, (sb_model_point){0, 0.5, 0.5}, at);
            } else {
                add_at(out, model, at);
            }
        }
    }
    add_cells(out, 0, WIRE, 2 * WIRE, true);
    out->is_stand_in = is_stand_in;
    return true;
}

static bool take_box(const sb_model *model, sb_vec3 size, surface *out) {
    static const double corners[6][4][3] = {
        {{-1, 1, -1}, {-1, 1, 1}, {1, 1, -1}, {1, 1, 1}},
        {{-1, -1, 1}, {-1, -1, -1}, {1, -1, 1}, {1, -1, -1}},
        {{-1, 1, 1}, {-1, -1, 1}, {1, 1, 1}, {1, -1, 1}},
        {{1, 1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, -1}},
        {{1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {1, -1, -1}},
        {{-1, 1, -1}, {-1, -1, -1}, {-1, 1, 1}, {-1, -1, 1}}};
    if (!reserve(out, 24, 12)) return false;
    for (int f = 0; f < 6; f++) {
        int first = out->vertex_count;
        for (int c = 0; c < 4; c++) {
            const double *k = corners[f][c];
            add_at(out, model,
                   (sb_vec3){0.5 * size.x * k[0], 0.5 * size.y * k[1],
                             0.5 * size.z * k[2]});
        }
        add_face(out, first, first + 1, first + 2);
        add_face(out, first + 2, first + 1, first + 3);
    }
    return true;
}

static bool take_cylinder(const sb_model *model, const sb_shape *shape,
                          surface *out) {
    /* Rows: the middle of the top, its edge twice, that of the bottom twice,
     * and the middle of the bottom. */
    static const double radii[6] = {0, 1, 1, 1, 1, 0};
    static const double heights[6] = {0.5, 0.5, 0.5, -0.5, -0.5, -0.5};
    if (!reserve(out, 6 * (ROUND + 1), 6 * ROUND)) return false;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= ROUND; j++) {
            double angle = SB_TAU * j / ROUND;
            double r = radii[i] * shape->radius;
            add_at(out, model,
                   (sb_vec3){r * cos(angle), heights[i] * shape->length,
                             r * sin(angle)});
        }
    }
    for (int pair = 0; pair < 3; pair++)
        add_cells(out, 2 * pair * (ROUND + 1), 1, ROUND, true);
    return true;
}

static bool take_floor(const sb_model *model, surface *out) {
    if (!reserve(out, 4, 2)) return false;
    for (int i = 0; i < 4; i++) {
        sb_vec3 at = {i % 2 ? FLOOR_M : -FLOOR_M, 0.0,
                      i / 2 ? FLOOR_M : -FLOOR_M};
        add_at(out, model, at);
    }
    add_cells(out, 0, 1, 1, false);
    return true;
}

static bool take_solid(const sb_model *model, const sb_shape *shape,
                       surface *out) {
    switch ((int)shape->kind) {
    case SB_SHAPE_SPHERE:
        return take_ball(model, shape->radius, false, out);
    case SB_SHAPE_BOX:
    case SB_SHAPE_HOLLOW:
        return take_box(
            model, (sb_vec3){shape->width, shape->height, shape->depth}, out);
    case SB_SHAPE_CYLINDER:
        return take_cylinder(model, shape, out);
    case SB_SHAPE_FLOOR:
        return take_floor(model, out);
    default:
        return take_ball(model, STAND_IN_M, true, out);
    }
}

static bool take_form(const sb_model *model, const sb_shape *shape,
                      surface *out) {
    switch (sb_shape_family_of(shape)->layout) {
    case SB_UV_RECTANGLE:
        return take_flat(model, shape, false, out);
    case SB_UV_ROUND:
        return take_flat(model, shape, sb_shape_is_round(shape), out);
    case SB_UV_LINE:
        return take_line(model, shape, out);
    case SB_UV_TORUS:
        return take_turned(model, true, out);
    case SB_UV_TURNED:
        return take_turned(model, false, out);
    case SB_UV_FACES:
        return take_solid(model, shape, out);
    case SB_UV_NONE:
        break;
    }
    double radius = shape->radius > 0 ? shape->radius : STAND_IN_M;
    return take_ball(model, radius, true, out);
}

/* --- bodies of elements --------------------------------------------------- */

/* Where a vertex of the solution is used: by the first face, or, where a chart
 * of the texture begins, by another with other coordinates. */
typedef struct split {
    float uv[2];
    int made; /* the vertex made for it */
    int next; /* or -1 */
} split;

static bool take_solved(const sb_model *model, const sb_solution *solved,
                        surface *out) {
    int corners = 3 * solved->face_count, split_count = 0;
    split *splits = sb_alloc((size_t)corners, sizeof *splits);
    int *first = sb_alloc((size_t)solved->vertex_count, sizeof *first);
    bool is_made = splits && first && reserve(out, corners, solved->face_count);
    for (int v = 0; v < solved->vertex_count && is_made; v++)
        first[v] = -1;
    for (int i = 0; i < corners && is_made; i++) {
        int face = i / 3, c = i % 3, v = solved->faces[face][c];
        const float none[2] = {0, 0};
        const float *uv = solved->uvs ? solved->uvs[face][c] : none;
        int at = first[v];
        while (at >= 0 &&
               (splits[at].uv[0] != uv[0] || splits[at].uv[1] != uv[1])) {
            at = splits[at].next;
        }
        if (at < 0) {
            sb_model_point point = {face, c == 1, c == 2};
            at = split_count++;
            splits[at] = (split){{uv[0], uv[1]}, out->vertex_count, first[v]};
            first[v] = at;
            int made = add(out, model, point, sb_model_position(model, point));
            out->uvs[made][0] = uv[0];
            out->uvs[made][1] = uv[1];
        }
        out->faces[face][c] = (uint32_t)splits[at].made;
    }
    out->face_count = is_made ? solved->face_count : 0;
    sb_free(splits);
    sb_free(first);
    return is_made;
}

/* --- all ------------------------------------------------------------------- */

sb_status surface_make(const sb_model *model, const sb_shape *shape,
                       surface *out, sb_error *err) {
    const sb_solution *solved = sb_model_solution(model);
    surface made = {0};
    bool is_made = solved ? take_solved(model, solved, &made)
                          : take_form(model, shape, &made);
    if (!is_made) {
        surface_free(&made);
        return sb_no_memory(err, "surface");
    }
    find_normals(&made);
    made.has_uv = sb_model_has_uv(model) && !made.is_stand_in;
    *out = made;
    return SB_OK;
}

static void include(sb_vec3 at, sb_vec3 *low, sb_vec3 *high) {
    *low =
        (sb_vec3){fmin(low->x, at.x), fmin(low->y, at.y), fmin(low->z, at.z)};
    *high = (sb_vec3){fmax(high->x, at.x), fmax(high->y, at.y),
                      fmax(high->z, at.z)};
}

void surface_bounds(const sb_model *model, const sb_shape *shape, sb_vec3 *low,
                    sb_vec3 *high) {
    const sb_solution *solved = sb_model_solution(model);
    *low = (sb_vec3){INFINITY, INFINITY, INFINITY};
    *high = (sb_vec3){-INFINITY, -INFINITY, -INFINITY};
    if (!solved) {
        /* Closed forms are small. */
        surface made;
        if (surface_make(model, shape, &made, NULL) == SB_OK) {
            for (int v = 0; v < made.vertex_count; v++) {
                const float *p = made.positions[v];
                include((sb_vec3){p[0], p[1], p[2]}, low, high);
            }
            surface_free(&made);
        }
    }
    for (int i = 0; solved && i < solved->face_count; i++) {
        for (int c = 0; c < 3; c++) {
            sb_model_point point = {i, c == 1, c == 2};
            include(sb_model_position(model, point), low, high);
        }
    }
    if (!(low->x <= high->x)) *low = *high = (sb_vec3){0, 0, 0};
}
