/* Walls of revolution as meshes (grid_turned.h). Thread: control, workers. */
#include "runtime/model/grid/grid_turned.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/revolve/outline.h"

#include <math.h>
#include <stdint.h>

enum { AROUND_LEAST = 12, AROUND_MOST = 720, ROWS_MOST = 2000 };

/* Rings of vertices, as lengths along the profile. */
typedef struct rows {
    double *at_m;
    int count, capacity;
} rows;

static bool add_row(rows *list, double at_m) {
    if (!sb_grow((void **)&list->at_m, &list->capacity, list->count + 1,
                 sizeof *list->at_m)) {
        return false;
    }
    list->at_m[list->count++] = at_m;
    return true;
}

static bool find_rows(const sb_outline *outline, double edge, rows *list) {
    const sb_profile_point *p = outline->points;
    double at = 0;
    bool ok = add_row(list, 0);
    for (int i = 0; ok && i + 1 < outline->count; i++) {
        double length = hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
        double begun = at - list->at_m[list->count - 1];
        int parts = (int)fmax(1, round(length / edge));
        for (int k = 1; ok && k < parts; k++)
            ok = add_row(list, at + length * k / parts);
        at += length;
        bool is_last = i + 2 == outline->count;
        if (ok && (is_last || parts > 1 || begun + length >= 0.5 * edge))
            ok = add_row(list, at);
    }
    return ok;
}

static double size_of(const sb_outline *outline, double *widest) {
    double low = INFINITY, high = -INFINITY, r = 0;
    for (int i = 0; i < outline->count; i++) {
        low = fmin(low, outline->points[i].y);
        high = fmax(high, outline->points[i].y);
        r = fmax(r, outline->points[i].r);
    }
    *widest = r;
    return fmax(high - low, 2 * r);
}

/* --- vertices and faces --------------------------------------------------- */

typedef struct turning {
    const sb_outline *outline;
    const rows *list;
    int around;
    sb_mesh *mesh;
} turning;

/* A row on the axis is one vertex; the last one of a ring is the first. */
static bool is_tip(const turning *self, int row) {
    return (row == 0 && self->outline->starts_on_axis) ||
           (row == self->list->count - 1 && self->outline->ends_on_axis);
}

static int vertex_at(const turning *self, int row, int i) {
    int rows_before = row;
    if (self->outline->is_ring && row == self->list->count - 1) rows_before = 0;
    if (is_tip(self, row)) return row == 0 ? 0 : self->mesh->vertex_count - 1;
    int first = self->outline->starts_on_axis
                    ? 1 + (rows_before - 1) * self->around
                    : rows_before * self->around;
    return first + i % self->around;
}

static void place_vertices(const turning *self) {
    for (int row = 0; row < self->list->count; row++) {
        double v = self->list->at_m[row] / self->outline->length_m;
        sb_outline_place at = sb_outline_at(self->outline, v);
        for (int i = 0; i < (is_tip(self, row) ? 1 : self->around); i++) {
            double angle = SB_TAU * i / self->around;
            double r = is_tip(self, row) ? 0 : at.r;
            self->mesh->vertices[vertex_at(self, row, i)] =
                (sb_vec3){r * cos(angle), at.y, r * sin(angle)};
        }
    }
}

/* `corners` are (row, column) of a cell; seen from outside they turn
 * counter-clockwise if the outer normal is (dy, -dr). */
static void add_face(const turning *self, int row, int i,
                     const int corners[3][2]) {
    sb_mesh *mesh = self->mesh;
    int at = mesh->face_count++;
    bool is_turned = self->outline->outward < 0;
    for (int k = 0; k < 3; k++) {
        const int *corner = corners[is_turned ? 2 - k : k];
        int down = row + corner[0], along = i + corner[1];
        double u = (double)along / self->around;
        if (is_tip(self, down)) u = (i + 0.5) / self->around;
        mesh->faces[at][k] = vertex_at(self, down, along);
        mesh->uvs[at][k][0] = (float)u;
        mesh->uvs[at][k][1] =
            (float)(self->list->at_m[down] / self->outline->length_m);
    }
}

static void place_faces(const turning *self) {
    static const int first[3][2] = {{0, 0}, {1, 0}, {1, 1}};
    static const int second[3][2] = {{0, 0}, {1, 1}, {0, 1}};
    for (int row = 0; row + 1 < self->list->count; row++) {
        for (int i = 0; i < self->around; i++) {
            if (!is_tip(self, row + 1)) add_face(self, row, i, first);
            if (!is_tip(self, row)) add_face(self, row, i, second);
        }
    }
}

sb_status sb_grid_turned(const sb_outline *outline, int resolution,
                         sb_mesh *out, sb_error *err) {
    double widest, edge = size_of(outline, &widest) / resolution;
    double around =
        fmin(fmax(round(SB_TAU * widest / edge), AROUND_LEAST), AROUND_MOST);
    rows list = {0};
    sb_mesh mesh = {0};
    bool ok =
        find_rows(outline, fmax(edge, outline->length_m / ROWS_MOST), &list);
    if (ok) {
        size_t cells = (size_t)around * (size_t)list.count;
        mesh.vertices = sb_alloc(cells, sizeof *mesh.vertices);
        mesh.faces = sb_alloc(2 * cells, sizeof *mesh.faces);
        mesh.uvs = sb_alloc(2 * cells, sizeof *mesh.uvs);
        ok = mesh.vertices && mesh.faces && mesh.uvs;
    }
    if (ok) {
        turning self = {outline, &list, (int)around, &mesh};
        int tips = outline->starts_on_axis + outline->ends_on_axis;
        int rings = list.count - tips - (outline->is_ring ? 1 : 0);
        mesh.vertex_count = rings * (int)around + tips;
        place_vertices(&self);
        place_faces(&self);
        *out = mesh;
    } else {
        sb_mesh_free(&mesh);
    }
    sb_free(list.at_m);
    return ok ? SB_OK
              : sb_fail(err, SB_NO_MEMORY, "grid: out of memory for a wall");
}
