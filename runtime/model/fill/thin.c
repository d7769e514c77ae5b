/* SPDX-License-Identifier: MIT */
#include "runtime/model/fill/thin_internal.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>
#include <string.h>

enum {
    NEIGHBOURS_MOST = 100, /* of a vertex; one with more is left alone */
    REPORT_EVERY = 2000    /* collapses */
};

static const double SHARPNESS = 1000; /* weight of the deviation: thin.h */
static const double LEAST_TURN = 0.3; /* cosine between old and new normals */
/* Least 4 sqrt(3) area / (sum of squared sides), which is 1 for an equilateral
 * triangle: in the first round, and in the last. */
static const double GOOD_QUALITY = 0.4, LEAST_QUALITY = 0.02;

static double squared(sb_vec3 v) {
    return sb_vec3_dot(v, v);
}

/* --- the heap ------------------------------------------------------------- */

/* Equal costs are ordered by the ends, so that the result does not depend on
 * the history of the heap. */
static bool is_before(const sb_thin_edge *a, const sb_thin_edge *b) {
    if (a->cost != b->cost) return a->cost < b->cost;
    if (a->ends[0] != b->ends[0]) return a->ends[0] < b->ends[0];
    return a->ends[1] < b->ends[1];
}

static bool heap_push(sb_thin_heap *heap, const sb_thin_edge *edge) {
    if (!sb_grow((void **)&heap->edges, &heap->room, heap->count + 1,
                 sizeof *edge))
        return false;
    int at = heap->count++;
    while (at > 0 && is_before(edge, &heap->edges[(at - 1) / 2])) {
        heap->edges[at] = heap->edges[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->edges[at] = *edge;
    return true;
}

static bool heap_pop(sb_thin_heap *heap, sb_thin_edge *out) {
    if (heap->count == 0) return false;
    *out = heap->edges[0];
    const sb_thin_edge last = heap->edges[--heap->count];
    int at = 0, child = 1;
    while (child < heap->count) {
        if (child + 1 < heap->count &&
            is_before(&heap->edges[child + 1], &heap->edges[child])) {
            child++;
        }
        if (!is_before(&heap->edges[child], &last)) break;
        heap->edges[at] = heap->edges[child];
        at = child;
        child = 2 * at + 1;
    }
    heap->edges[at] = last;
    return true;
}

/* --- one edge ------------------------------------------------------------- */

static bool are_fellows(const sb_thin_vertex *line, int other) {
    return line->fellows[0] == other || line->fellows[1] == other;
}

static int other_fellow(const sb_thin_vertex *line, int fellow) {
    return line->fellows[line->fellows[0] == fellow];
}

/* Two vertices on lines join along a line only, and never close a loop of
 * three. */
static bool may_join(const sb_thinning *self, int a, int b) {
    const sb_thin_vertex *p = &self->vertices[a], *q = &self->vertices[b];
    if (p->place == SB_THIN_FREE || q->place == SB_THIN_FREE) return true;
    if (p->place == SB_THIN_FIXED && q->place == SB_THIN_FIXED) return false;
    if (p->place == SB_THIN_LINE && !are_fellows(p, b)) return false;
    if (q->place == SB_THIN_LINE && !are_fellows(q, a)) return false;
    if (p->place == SB_THIN_LINE && q->place == SB_THIN_LINE)
        return other_fellow(p, b) != other_fellow(q, a);
    const sb_thin_vertex *line = p->place == SB_THIN_LINE ? p : q;
    return line->fellows[0] != line->fellows[1];
}

/* Where the edge between two vertices would go, and its cost. False: it must
 * stay. */
static bool aim(const sb_thinning *self, int a, int b, sb_vec3 *at,
                double *cost, double *deviation2) {
    const sb_thin_vertex *p = &self->vertices[a], *q = &self->vertices[b];
    if (!may_join(self, a, b)) return false;
    sb_quadric sum = p->q;
    sb_quadric_add(&sum, &q->q);
    sb_vec3 middle = sb_vec3_scale(sb_vec3_add(p->at, q->at), 0.5);
    if (p->place == q->place) {
        *at = sb_quadric_least(&sum, middle);
    } else {
        *at = p->place > q->place ? p->at : q->at; /* the one less free */
    }
    double length2 = squared(sb_vec3_sub(p->at, q->at));
    /* The least of a nearly flat quadric may lie far away. */
    if (!(squared(sb_vec3_sub(*at, middle)) <= length2)) *at = middle;
    *deviation2 = sb_quadric_at(&sum, *at);
    *cost = length2 + SHARPNESS * *deviation2;
    return true;
}

bool sb_thin_push(sb_thinning *self, int a, int b) {
    sb_vec3 at;
    double cost, deviation2;
    if (!aim(self, a, b, &at, &cost, &deviation2)) return true;
    sb_thin_edge edge = {
        .cost = cost,
        .ends = {a < b ? a : b, a < b ? b : a},
    };
    for (int i = 0; i < 2; i++)
        edge.stamps[i] = self->vertices[edge.ends[i]].stamp;
    return heap_push(&self->heap, &edge);
}

/* --- whether the surface stays a good one --------------------------------- */

typedef struct ring {
    int vertices[NEIGHBOURS_MOST];
    int count;
} ring;

static bool has(const ring *around, int vertex) {
    for (int i = 0; i < around->count; i++) {
        if (around->vertices[i] == vertex) return true;
    }
    return false;
}

static bool find_ring(const sb_thinning *self, int vertex, ring *out) {
    out->count = 0;
    for (int i = self->vertices[vertex].first; i >= 0; i = self->next[i]) {
        const int *face = self->faces[i / 3];
        for (int c = 0; c < 3; c++) {
            if (face[c] == vertex || has(out, face[c])) continue;
            if (out->count == NEIGHBOURS_MOST) return false;
            out->vertices[out->count++] = face[c];
        }
    }
    return true;
}

static bool face_has(const int *face, int vertex) {
    return face[0] == vertex || face[1] == vertex || face[2] == vertex;
}

/* The link condition: every common neighbour is the third corner of a face at
 * the edge. Otherwise two sheets would be glued together. */
static bool keeps_connection(const sb_thinning *self, int a, int b,
                             const ring *of_a, const ring *of_b) {
    int common = 0, faces = 0;
    for (int i = 0; i < of_a->count; i++)
        common += has(of_b, of_a->vertices[i]);
    for (int i = self->vertices[a].first; i >= 0; i = self->next[i])
        faces += face_has(self->faces[i / 3], b);
    /* A closed surface of four faces must not collapse. */
    return faces > 0 && common == faces &&
           of_a->count + of_b->count - common > 4;
}

static double quality(const sb_vec3 p[3]) {
    sb_vec3 ab = sb_vec3_sub(p[1], p[0]), ac = sb_vec3_sub(p[2], p[0]);
    double sides = squared(ab) + squared(ac) + squared(sb_vec3_sub(ab, ac));
    double area2 = sb_vec3_length(sb_vec3_cross(ab, ac));
    return sides > 0 ? 2 * sqrt(3.0) * area2 / sides : 0;
}

static bool is_good_face(const sb_thinning *self, int corner, sb_vec3 at,
                         double longest_m) {
    const int *face = self->faces[corner / 3];
    sb_vec3 before[3], after[3];
    for (int c = 0; c < 3; c++)
        before[c] = after[c] = self->vertices[face[c]].at;
    int own = corner % 3;
    after[own] = at;
    for (int c = 0; c < 3; c++) {
        double was = squared(sb_vec3_sub(before[c], before[own]));
        double is = squared(sb_vec3_sub(after[c], at));
        if (is > was && is > longest_m * longest_m) return false;
    }
    sb_vec3 old = sb_vec3_span(before[0], before[1], before[2]);
    sb_vec3 new = sb_vec3_span(after[0], after[1], after[2]);
    if (!(sb_vec3_dot(old, new) >=
          LEAST_TURN * sb_vec3_length(old) * sb_vec3_length(new))) {
        return false;
    }
    double is = quality(after);
    return is >= self->least_quality || is >= quality(before);
}

static bool keeps_faces(const sb_thinning *self, int vertex, int other,
                        sb_vec3 at, double longest_m) {
    for (int i = self->vertices[vertex].first; i >= 0; i = self->next[i]) {
        if (face_has(self->faces[i / 3], other)) continue;
        if (!is_good_face(self, i, at, longest_m)) return false;
    }
    return true;
}

/* --- collapsing ----------------------------------------------------------- */

/* Take a corner out of the list of its vertex. */
static void unlist(sb_thinning *self, int vertex, int corner) {
    int *link = &self->vertices[vertex].first;
    while (*link != corner)
        link = &self->next[*link];
    *link = self->next[corner];
}

static void drop_faces(sb_thinning *self, int a, int b) {
    int corner = self->vertices[b].first;
    while (corner >= 0) {
        int following = self->next[corner], f = corner / 3;
        if (face_has(self->faces[f], a)) {
            for (int c = 0; c < 3; c++)
                unlist(self, self->faces[f][c], 3 * f + c);
            self->faces[f][0] = self->faces[f][1] = self->faces[f][2] = -1;
        }
        corner = following;
    }
}

/* The line through b now goes through a. */
static void join_lines(sb_thinning *self, int a, int b) {
    sb_thin_vertex *p = &self->vertices[a], *q = &self->vertices[b];
    if (q->place != SB_THIN_LINE || p->place == SB_THIN_FREE) return;
    int beyond = other_fellow(q, a);
    sb_thin_vertex *far = &self->vertices[beyond];
    if (p->place == SB_THIN_LINE) p->fellows[p->fellows[1] == b] = beyond;
    if (far->place == SB_THIN_LINE) far->fellows[far->fellows[1] == b] = a;
}

/* Merge b into a, the less free of the two. */
static void collapse(sb_thinning *self, int a, int b, sb_vec3 at) {
    sb_thin_vertex *p = &self->vertices[a], *q = &self->vertices[b];
    drop_faces(self, a, b);
    join_lines(self, a, b);
    int last = -1;
    for (int i = q->first; i >= 0; i = self->next[i]) {
        self->faces[i / 3][i % 3] = a;
        last = i;
    }
    if (last >= 0) {
        self->next[last] = p->first;
        p->first = q->first;
    }
    q->first = -1;
    q->place = SB_THIN_GONE;
    q->stamp++;
    sb_quadric_add(&p->q, &q->q);
    p->at = at;
    p->stamp++;
}

/* Collapses an edge if that is allowed; *is_done says whether it was. False:
 * no memory. */
static bool try_edge(sb_thinning *self, const sb_thin_def *def,
                     const sb_thin_edge *edge, bool has_to, bool *is_done) {
    int a = edge->ends[0], b = edge->ends[1];
    sb_vec3 at;
    double cost, deviates2;
    ring of_a, of_b;
    *is_done = false;
    if (self->vertices[b].place > self->vertices[a].place) {
        a = edge->ends[1];
        b = edge->ends[0];
    }
    if (!aim(self, a, b, &at, &cost, &deviates2)) return true;
    if (!has_to && deviates2 > def->fidelity_m * def->fidelity_m) return true;
    if (!find_ring(self, a, &of_a) || !find_ring(self, b, &of_b)) return true;
    if (!keeps_connection(self, a, b, &of_a, &of_b) ||
        !keeps_faces(self, a, b, at, def->longest_m) ||
        !keeps_faces(self, b, a, at, def->longest_m)) {
        return true;
    }
    collapse(self, a, b, at);
    *is_done = true;
    if (!find_ring(self, a, &of_a)) return true;
    for (int i = 0; i < of_a.count; i++) {
        if (!sb_thin_push(self, a, of_a.vertices[i])) return false;
    }
    return true;
}

static bool is_stale(const sb_thinning *self, const sb_thin_edge *edge) {
    for (int i = 0; i < 2; i++) {
        const sb_thin_vertex *end = &self->vertices[edge->ends[i]];
        if (end->place == SB_THIN_GONE || end->stamp != edge->stamps[i])
            return true;
    }
    return false;
}

/* The state of one thinning. */
typedef struct course {
    sb_thinning *self;
    const sb_thin_def *def;
    int left, turns;
    double dearest; /* cost of this round */
} course;

static bool goes_on(course *c) {
    const sb_thin_def *def = c->def;
    int all = c->self->vertex_count;
    return !def->progress || c->turns++ % REPORT_EVERY != 0 ||
           def->progress(def->context, all - c->left, all - def->target);
}

static sb_status use_up_heap(course *c, sb_error *err) {
    sb_thin_edge edge;
    while (c->left > c->def->target && heap_pop(&c->self->heap, &edge)) {
        bool is_done;
        if (!goes_on(c))
            return sb_fail(err, SB_INTERRUPTED, "interrupted while thinning");
        if (edge.cost > c->dearest) break;
        if (is_stale(c->self, &edge)) continue;
        if (!try_edge(c->self, c->def, &edge, c->left > c->def->most,
                      &is_done)) {
            return sb_no_memory_for(err, "a coarser surface");
        }
        c->left -= is_done;
    }
    return SB_OK;
}

static bool push_all(sb_thinning *self) {
    for (int i = 0; i < 3 * self->face_count; i++) {
        const int *face = self->faces[i / 3];
        int a = face[i % 3], b = face[(i + 1) % 3];
        if (a >= 0 && !sb_thin_push(self, a, b)) return false;
    }
    return true;
}

/* The squared edge of equilateral triangles on this area. */
static double edge2_of(const sb_mesh *mesh, int vertex_count) {
    double area2 = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        area2 += sb_vec3_length(sb_face_cross(mesh->vertices, mesh->faces[i]));
    }
    return area2 / (sqrt(3.0) * vertex_count);
}

/* An edge that had to stay may go after its surroundings have changed, or if
 * worse triangles are allowed: the rest is tried again, round by round. Only
 * the last round takes edges that are longer than the target's, or deviate:
 * otherwise they would go instead of those that had to stay. */
static sb_status collapse_all(course *c, double edge2, sb_error *err) {
    sb_thinning *self = c->self;
    self->least_quality = GOOD_QUALITY;
    c->dearest = edge2;
    sb_status status = use_up_heap(c, err);
    while (!status && c->left > c->def->target && isfinite(c->dearest)) {
        self->least_quality *= 0.5;
        if (self->least_quality < LEAST_QUALITY) c->dearest = INFINITY;
        self->heap.count = 0;
        if (!push_all(self)) {
            return sb_no_memory_for(err, "a coarser surface");
        }
        status = use_up_heap(c, err);
    }
    return status;
}

/* --- the result ----------------------------------------------------------- */

/* Vertices and faces keep their order. */
static sb_status copy_out(const sb_thinning *self, sb_mesh *out,
                          sb_error *err) {
    sb_mesh made = {0};
    int *number = sb_alloc((size_t)self->vertex_count, sizeof *number);
    made.vertices = sb_alloc((size_t)self->vertex_count, sizeof *made.vertices);
    made.faces = sb_alloc((size_t)self->face_count, sizeof *made.faces);
    if (!number || !made.vertices || !made.faces) {
        sb_free(number);
        sb_mesh_free(&made);
        return sb_no_memory_for(err, "a coarser surface");
    }
    for (int v = 0; v < self->vertex_count; v++) {
        if (self->vertices[v].first < 0) continue;
        number[v] = made.vertex_count;
        made.vertices[made.vertex_count++] = self->vertices[v].at;
    }
    for (int f = 0; f < self->face_count; f++) {
        if (self->faces[f][0] < 0) continue;
        for (int c = 0; c < 3; c++)
            made.faces[made.face_count][c] = number[self->faces[f][c]];
        made.face_count++;
    }
    sb_free(number);
    *out = made;
    return SB_OK;
}

sb_status sb_mesh_thin(const sb_mesh *mesh, const sb_thin_def *def,
                       sb_mesh *out, sb_error *err) {
    sb_thinning self;
    sb_status status = sb_thinning_start(&self, mesh, err);
    if (status) return status;
    course c = {.self = &self, .def = def, .left = mesh->vertex_count};
    status = collapse_all(&c, edge2_of(mesh, def->target), err);
    if (!status) status = copy_out(&self, out, err);
    sb_thinning_free(&self);
    return status;
}
