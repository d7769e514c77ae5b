/* SPDX-License-Identifier: MIT */
#include "runtime/model/textures/atlas.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- packing -------------------------------------------------------------- */

/* A chart lying flat, its lower left corner at the origin. */
typedef struct sb_chart {
    int first, face_count; /* of `order` */
    double wide, high;     /* m */
    double x, y;           /* where it is set, of the square's side */
} sb_chart;

/* Four texels of 256: a bake continues each chart by two. */
#define MARGIN (4.0 / 256)

/* Places rows from the top at this scale; false if they do not fit. */
static bool set_rows(sb_chart *charts, const int *order, int count,
                     double scale, double margin) {
    double x = margin / 2, y = margin / 2, row = 0;
    for (int i = 0; i < count; i++) {
        sb_chart *chart = &charts[order[i]];
        double wide = chart->wide * scale, high = chart->high * scale;
        if (x + wide > 1 - margin / 2) {
            x = margin / 2;
            y += row + margin;
            row = 0;
        }
        if (x + wide > 1 - margin / 2 || y + high > 1 - margin / 2)
            return false;
        chart->x = x;
        chart->y = y;
        x += wide + margin;
        row = fmax(row, high);
    }
    return true;
}

/* Highest first, equal ones in their order: a shell sort with fixed gaps. */
static void sort_by_height(const sb_chart *charts, int *order, int count) {
    static const int gaps[] = {29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int g = 0; g < 10; g++) {
        for (int i = gaps[g]; i < count; i++) {
            int chart = order[i], j = i;
            double high = charts[chart].high;
            while (j >= gaps[g]) {
                int before = order[j - gaps[g]];
                double other = charts[before].high;
                if (other > high || (other == high && before < chart)) break;
                order[j] = before;
                j -= gaps[g];
            }
            order[j] = chart;
        }
    }
}

/* Sets x and y; returns the scale, the square's sides per metre. */
static double pack_charts(sb_chart *charts, int *order, int count,
                          double *margin) {
    double longest = 0, low = 0;
    for (int i = 0; i < count; i++)
        longest = fmax(longest, fmax(charts[i].wide, charts[i].high));
    sort_by_height(charts, order, count);
    *margin = MARGIN;
    /* Margins must leave half of the square. */
    while ((double)count * *margin * *margin > 0.25)
        *margin /= 2;
    double high = 1 / longest;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (set_rows(charts, order, count, middle, *margin)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (void)set_rows(charts, order, count, low, *margin);
    return low;
}

/* --- charts --------------------------------------------------------------- */

/* Faces turned away by more than 55 degrees belong to another chart. */
#define LEAST_COSINE 0.57

enum {
    PASSES = 3, /* repetitions with the mean direction of the faces found */
    ANGLES = 32,
    CELLS_LEAST = 16,
    CELLS_MOST = 256
};

typedef struct half_edge {
    int low, high, face, side;
} half_edge;

typedef struct maker {
    const sb_mesh *mesh;
    int (*neighbours)[3]; /* over side c, from corner c to the next; or -1 */
    sb_vec3 *normals;
    double *areas_m2;
    int *by_area;
    int *mark;  /* the pass that reached a face last */
    int *order; /* faces, chart by chart */
    bool *is_placed;
    double (*flat)[3][2]; /* corners in their chart, m */
    int *cells;           /* owner of each cell: face + 1 */
    sb_chart *charts;
    int *chart_order;
    int placed_count, chart_count, pass;
} maker;

/* --- the mesh ------------------------------------------------------------- */

static int by_ends(const void *left, const void *right) {
    const half_edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    if (a->face != b->face) return a->face < b->face ? -1 : 1;
    return 0;
}

static bool find_neighbours(maker *self) {
    const sb_mesh *mesh = self->mesh;
    int count = 3 * mesh->face_count;
    half_edge *edges = sb_alloc((size_t)count, sizeof *edges);
    if (!edges) return false;
    for (int i = 0; i < count; i++) {
        int a = mesh->faces[i / 3][i % 3], b = mesh->faces[i / 3][(i + 1) % 3];
        edges[i] = (half_edge){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
        self->neighbours[i / 3][i % 3] = -1;
    }
    qsort(edges, (size_t)count, sizeof *edges, by_ends);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && edges[end].low == edges[i].low &&
                          edges[end].high == edges[i].high;)
            end++;
        if (end - i != 2) continue; /* a border, or several faces at one edge */
        self->neighbours[edges[i].face][edges[i].side] = edges[i + 1].face;
        self->neighbours[edges[i + 1].face][edges[i + 1].side] = edges[i].face;
    }
    sb_free(edges);
    return true;
}

typedef struct sized_face {
    double area_m2;
    int face;
} sized_face;

static int by_size(const void *left, const void *right) {
    const sized_face *a = left, *b = right;
    if (a->area_m2 != b->area_m2) return a->area_m2 > b->area_m2 ? -1 : 1;
    return a->face < b->face ? -1 : 1;
}

static bool measure_faces(maker *self) {
    const sb_mesh *mesh = self->mesh;
    sized_face *sized = sb_alloc((size_t)mesh->face_count, sizeof *sized);
    if (!sized) return false;
    for (int f = 0; f < mesh->face_count; f++) {
        const int *c = mesh->faces[f];
        sb_vec3 a = mesh->vertices[c[0]];
        sb_vec3 cross =
            sb_vec3_span(a, mesh->vertices[c[1]], mesh->vertices[c[2]]);
        self->normals[f] = sb_vec3_normalised(cross);
        self->areas_m2[f] = 0.5 * sb_vec3_length(cross);
        sized[f] = (sized_face){self->areas_m2[f], f};
    }
    qsort(sized, (size_t)mesh->face_count, sizeof *sized, by_size);
    for (int i = 0; i < mesh->face_count; i++)
        self->by_area[i] = sized[i].face;
    sb_free(sized);
    return true;
}

/* --- a chart -------------------------------------------------------------- */

/* Appends the faces that can be reached from the seed and face along
 * `direction`, nearest first; returns their number. The seed is always one. */
static int grow(maker *self, int seed, sb_vec3 direction) {
    int *found = self->order + self->placed_count, count = 0;
    self->pass++;
    self->mark[seed] = self->pass;
    found[count++] = seed;
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            int next = self->neighbours[found[i]][c];
            if (next < 0 || self->is_placed[next] ||
                self->mark[next] == self->pass ||
                sb_vec3_dot(self->normals[next], direction) < LEAST_COSINE) {
                continue;
            }
            self->mark[next] = self->pass;
            found[count++] = next;
        }
    }
    return count;
}

static sb_vec3 mean_direction(const maker *self, int count, sb_vec3 fallback) {
    sb_vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        int f = self->order[self->placed_count + i];
        sum = sb_vec3_add(sum,
                          sb_vec3_scale(self->normals[f], self->areas_m2[f]));
    }
    return sb_vec3_length(sum) > 0 ? sb_vec3_normalised(sum) : fallback;
}

typedef struct plane {
    sb_vec3 right, up;
} plane;

/* right x up points to the viewer. */
static plane plane_across(sb_vec3 direction, double angle) {
    double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    sb_vec3 axis = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    sb_vec3 right = sb_vec3_normalised(sb_vec3_cross(axis, direction));
    sb_vec3 up = sb_vec3_cross(direction, right);
    double c = cos(angle), s = sin(angle);
    return (plane){
        sb_vec3_add(sb_vec3_scale(right, c), sb_vec3_scale(up, s)),
        sb_vec3_sub(sb_vec3_scale(up, c), sb_vec3_scale(right, s)),
    };
}

/* Lays the chart's faces down; its box, from the origin. */
static void lay(maker *self, sb_chart *chart, plane on) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    const int *faces = self->order + chart->first;
    for (int i = 0; i < chart->face_count; i++) {
        for (int c = 0; c < 3; c++) {
            sb_vec3 p = self->mesh->vertices[self->mesh->faces[faces[i]][c]];
            double *at = self->flat[faces[i]][c];
            at[0] = sb_vec3_dot(p, on.right);
            at[1] = sb_vec3_dot(p, on.up);
            for (int k = 0; k < 2; k++) {
                low[k] = fmin(low[k], at[k]);
                high[k] = fmax(high[k], at[k]);
            }
        }
    }
    for (int i = 0; i < 3 * chart->face_count; i++) {
        double *at = self->flat[faces[i / 3]][i % 3];
        at[0] -= low[0];
        at[1] -= low[1];
    }
    chart->wide = high[0] - low[0];
    chart->high = high[1] - low[1];
}

/* --- what lies on top of each other --------------------------------------- */

static bool is_inside(double (*p)[2], double x, double y) {
    for (int c = 0; c < 3; c++) {
        const double *a = p[c], *b = p[(c + 1) % 3];
        double side = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        if (!(side > 1e-9 * (fabs(b[0] - a[0]) + fabs(b[1] - a[1])))) {
            return false;
        }
    }
    return true;
}

/* Claims the cells whose middles a face covers; false if one is taken. */
static bool take_cells(maker *self, int face, double cell, int across,
                       int down) {
    double(*p)[2] = self->flat[face];
    int left = (int)floor(fmin(p[0][0], fmin(p[1][0], p[2][0])) / cell);
    int right = (int)floor(fmax(p[0][0], fmax(p[1][0], p[2][0])) / cell);
    int top = (int)floor(fmin(p[0][1], fmin(p[1][1], p[2][1])) / cell);
    int bottom = (int)floor(fmax(p[0][1], fmax(p[1][1], p[2][1])) / cell);
    if (right >= across) right = across - 1;
    if (bottom >= down) bottom = down - 1;
    for (int taking = 0; taking < 2; taking++) {
        for (int y = top; y <= bottom; y++) {
            for (int x = left; x <= right; x++) {
                if (!is_inside(p, (x + 0.5) * cell, (y + 0.5) * cell)) continue;
                int *owner = &self->cells[y * across + x];
                if (!taking && *owner) return false;
                *owner = taking ? face + 1 : *owner;
            }
        }
    }
    return true;
}

/* Keeps the faces of the chart that do not overlap earlier ones. */
static void keep_apart(maker *self, sb_chart *chart) {
    int fine = (int)(8 * sqrt(chart->face_count));
    fine = fine < CELLS_LEAST ? CELLS_LEAST : fine;
    fine = fine > CELLS_MOST ? CELLS_MOST : fine;
    double cell = fmax(chart->wide, chart->high) / fine;
    int across = (int)fmin(ceil(chart->wide / cell) + 1, CELLS_MOST + 1);
    int down = (int)fmin(ceil(chart->high / cell) + 1, CELLS_MOST + 1);
    memset(self->cells, 0, (size_t)across * (size_t)down * sizeof *self->cells);
    int *faces = self->order + chart->first, kept = 0;
    for (int i = 0; i < chart->face_count; i++) {
        if (take_cells(self, faces[i], cell, across, down) || i == 0)
            faces[kept++] = faces[i];
    }
    chart->face_count = kept;
}

/* The angle at which its bounding box is smallest, wider than high. */
static void turn(maker *self, sb_chart *chart, sb_vec3 direction) {
    double best = INFINITY, angle = 0;
    for (int i = 0; i < ANGLES; i++) {
        double tried = 0.5 * SB_PI * i / ANGLES;
        lay(self, chart, plane_across(direction, tried));
        double size = chart->wide * chart->high;
        if (size < best * (1 - 1e-9)) {
            best = size;
            angle = tried;
        }
    }
    lay(self, chart, plane_across(direction, angle));
    if (chart->high > chart->wide)
        lay(self, chart, plane_across(direction, angle + 0.5 * SB_PI));
}

static void add_chart(maker *self, int seed) {
    sb_vec3 direction = self->normals[seed];
    int count = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        count = grow(self, seed, direction);
        sb_vec3 mean = mean_direction(self, count, direction);
        if (sb_vec3_dot(mean, self->normals[seed]) < LEAST_COSINE) break;
        direction = mean;
    }
    count = grow(self, seed, direction);
    sb_chart *chart = &self->charts[self->chart_count++];
    *chart = (sb_chart){.first = self->placed_count, .face_count = count};
    lay(self, chart, plane_across(direction, 0));
    keep_apart(self, chart);
    turn(self, chart, direction);
    for (int i = 0; i < chart->face_count; i++)
        self->is_placed[self->order[chart->first + i]] = true;
    self->placed_count += chart->face_count;
}

/* --- all of them ---------------------------------------------------------- */

static void write_uvs(const maker *self, sb_atlas *out) {
    double scale = pack_charts(self->charts, self->chart_order,
                               self->chart_count, &out->margin);
    double used = 0;
    for (int k = 0; k < self->chart_count; k++) {
        const sb_chart *chart = &self->charts[k];
        for (int i = 0; i < chart->face_count; i++) {
            int face = self->order[chart->first + i];
            double(*p)[2] = self->flat[face];
            for (int c = 0; c < 3; c++) {
                out->uvs[face][c][0] = (float)(chart->x + p[c][0] * scale);
                out->uvs[face][c][1] = (float)(chart->y + p[c][1] * scale);
            }
            used += 0.5 * scale * scale *
                    fabs((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
                         (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]));
        }
    }
    out->chart_count = self->chart_count;
    out->used = used;
}

static bool reserve(maker *self, int faces) {
    size_t count = (size_t)faces, side = CELLS_MOST + 1;
    self->neighbours = sb_alloc(count, sizeof *self->neighbours);
    self->normals = sb_alloc(count, sizeof *self->normals);
    self->areas_m2 = sb_alloc(count, sizeof *self->areas_m2);
    self->by_area = sb_alloc(count, sizeof *self->by_area);
    self->mark = sb_alloc(count, sizeof *self->mark);
    self->order = sb_alloc(count, sizeof *self->order);
    self->is_placed = sb_alloc(count, sizeof *self->is_placed);
    self->flat = sb_alloc(count, sizeof *self->flat);
    self->charts = sb_alloc(count, sizeof *self->charts);
    self->chart_order = sb_alloc(count, sizeof *self->chart_order);
    self->cells = sb_alloc(side * side, sizeof *self->cells);
    return self->neighbours && self->normals && self->areas_m2 &&
           self->by_area && self->mark && self->order && self->is_placed &&
           self->flat && self->charts && self->chart_order && self->cells;
}

static void dispose(maker *self) {
    sb_free_all(self->neighbours, self->normals, self->areas_m2, self->by_area,
                self->mark, self->order, self->is_placed, self->flat,
                self->charts, self->chart_order, self->cells);
}

sb_status sb_atlas_make(const sb_mesh *mesh, sb_atlas *out, sb_error *err) {
    maker self = {.mesh = mesh};
    sb_atlas made = {.uvs =
                         sb_alloc((size_t)mesh->face_count, sizeof *made.uvs)};
    bool ok = reserve(&self, mesh->face_count) && made.uvs &&
              find_neighbours(&self) && measure_faces(&self);
    for (int i = 0; ok && i < mesh->face_count; i++) {
        if (!self.is_placed[self.by_area[i]]) add_chart(&self, self.by_area[i]);
    }
    if (ok) write_uvs(&self, &made);
    dispose(&self);
    if (!ok) {
        sb_atlas_free(&made);
        return sb_no_memory_for(err, "spreading out %d faces",
                                mesh->face_count);
    }
    *out = made;
    return SB_OK;
}

void sb_atlas_free(sb_atlas *atlas) {
    sb_free(atlas->uvs);
    memset(atlas, 0, sizeof *atlas);
}
