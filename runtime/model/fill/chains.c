/* SPDX-License-Identifier: MIT */
/* Joins sharp edges into chains between corners, and represents them by edges
 * of a mesh. Runs on the control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/fill/boundary.h"
#include "runtime/model/fill/fill_internal.h"

static const double SHARP_COSINE = 0.8191520442889918; /* cosine of 35
                                                        * degrees */
static const double TURN_COSINE = 0.6; /* 53 degrees; sharper turns are
                                        * corners */

/* The sharp edges as a graph: edge e has ends[2 e] and ends[2 e + 1]; the
 * ends at vertex v are at_vertex[starts[v]] ... as indices into `ends`. */
typedef struct graph {
    int edge_count;
    int *ends;
    int *starts;
    int *at_vertex;
    bool *is_used;
    bool *is_corner;
} graph;

static void graph_free(graph *g) {
    sb_free_all(g->ends, g->starts, g->at_vertex, g->is_used, g->is_corner);
}

static bool is_sharp(const sb_boundary *boundary, const sb_side *sides,
                     int count) {
    if (count != 2) return true;
    sb_vec3 a = boundary->normals[sides[0].place / 3];
    sb_vec3 b = boundary->normals[sides[1].place / 3];
    return sb_vec3_dot(a, b) < SHARP_COSINE;
}

/* If `ends` is NULL it only counts. */
static int sharp_edges(const sb_boundary *boundary, const sb_side *sides,
                       int count, int *ends) {
    int found = 0;
    for (int i = 0, end; i < count; i = end) {
        end = sb_sides_end(sides, count, i);
        if (!is_sharp(boundary, sides + i, end - i)) continue;
        if (ends) {
            ends[2 * found] = sides[i].low;
            ends[2 * found + 1] = sides[i].high;
        }
        found++;
    }
    return found;
}

static bool graph_make(graph *g, const sb_boundary *boundary,
                       const sb_side *sides, int count) {
    g->edge_count = sharp_edges(boundary, sides, count, NULL);
    size_t edges = (size_t)g->edge_count,
           vertices = (size_t)boundary->vertex_count;
    g->ends = sb_alloc(2 * edges, sizeof *g->ends);
    g->starts = sb_alloc(vertices + 2, sizeof *g->starts);
    g->at_vertex = sb_alloc(2 * edges, sizeof *g->at_vertex);
    g->is_used = sb_alloc(edges, sizeof *g->is_used);
    g->is_corner = sb_alloc(vertices, sizeof *g->is_corner);
    if (!g->ends || !g->starts || !g->at_vertex || !g->is_used ||
        !g->is_corner) {
        return false;
    }
    (void)sharp_edges(boundary, sides, count, g->ends);
    for (int i = 0; i < 2 * g->edge_count; i++) {
        g->starts[g->ends[i] + 2]++;
    }
    for (int v = 0; v < boundary->vertex_count; v++) {
        g->starts[v + 2] += g->starts[v + 1];
    }
    for (int i = 0; i < 2 * g->edge_count; i++) {
        g->at_vertex[g->starts[g->ends[i] + 1]++] = i;
    }
    return true;
}

static void find_corners(graph *g, const sb_boundary *boundary) {
    for (int v = 0; v < boundary->vertex_count; v++) {
        int degree = g->starts[v + 1] - g->starts[v];
        if (degree == 2) {
            int a = g->ends[g->at_vertex[g->starts[v]] ^ 1];
            int b = g->ends[g->at_vertex[g->starts[v] + 1] ^ 1];
            sb_vec3 in = sb_vec3_normalised(
                sb_vec3_sub(boundary->vertices[v], boundary->vertices[a]));
            sb_vec3 on = sb_vec3_normalised(
                sb_vec3_sub(boundary->vertices[b], boundary->vertices[v]));
            g->is_corner[v] = sb_vec3_dot(in, on) < TURN_COSINE;
        } else {
            g->is_corner[v] = degree > 0;
        }
    }
}

static int unused_at(const graph *g, int v) {
    for (int i = g->starts[v]; i < g->starts[v + 1]; i++) {
        if (!g->is_used[g->at_vertex[i] / 2]) return g->at_vertex[i];
    }
    return -1;
}

/* Follows unused edges from `v` to a corner, or back to `v`. */
static void string_from(sb_boundary *boundary, graph *g, int v, int end,
                        int *vertex_count) {
    sb_chain *chain = &boundary->chains[boundary->chain_count++];
    *chain = (sb_chain){.first = *vertex_count, .count = 1};
    boundary->chain_vertices[(*vertex_count)++] = v;
    int start = v;
    while (end >= 0) {
        g->is_used[end / 2] = true;
        int to = g->ends[end ^ 1];
        chain->length_m += sb_vec3_length(
            sb_vec3_sub(boundary->vertices[to], boundary->vertices[v]));
        v = to;
        boundary->chain_vertices[(*vertex_count)++] = v;
        chain->count++;
        end = g->is_corner[v] || v == start ? -1 : unused_at(g, v);
    }
    chain->is_closed = v == start && !g->is_corner[start];
}

sb_status sb_boundary_string_chains(sb_boundary *boundary, const sb_side *sides,
                                    int count, sb_error *err) {
    graph g = {0};
    bool ok = graph_make(&g, boundary, sides, count);
    if (ok) {
        size_t most = 2 * (size_t)g.edge_count + 1;
        boundary->chains = sb_alloc(most, sizeof *boundary->chains);
        boundary->chain_vertices = sb_alloc(most, sizeof(int));
        ok = boundary->chains && boundary->chain_vertices;
    }
    int vertex_count = 0;
    if (ok) find_corners(&g, boundary);
    for (int loops = 0; ok && loops < 2; loops++) {
        for (int v = 0; v < boundary->vertex_count; v++) {
            if (loops == 0 && !g.is_corner[v]) continue;
            int end = -1;
            while ((end = unused_at(&g, v)) >= 0) {
                string_from(boundary, &g, v, end, &vertex_count);
            }
        }
    }
    graph_free(&g);
    if (!ok) return sb_no_memory_for(err, "sharp edges");
    return SB_OK;
}

sb_vec3 sb_chain_nearest(const sb_boundary *boundary, int chain, sb_vec3 point,
                         double *s_m) {
    const sb_chain *c = &boundary->chains[chain];
    const int *v = boundary->chain_vertices + c->first;
    double best = INFINITY, s = 0;
    sb_vec3 found = boundary->vertices[v[0]];
    for (int i = 0; i + 1 < c->count; i++) {
        sb_vec3 a = boundary->vertices[v[i]];
        sb_vec3 ab = sb_vec3_sub(boundary->vertices[v[i + 1]], a);
        double length2 = sb_vec3_dot(ab, ab), length = sqrt(length2);
        double t = sb_vec3_dot(sb_vec3_sub(point, a), ab) / length2;
        t = fmin(1, fmax(0, t));
        sb_vec3 at = t == 1 ? boundary->vertices[v[i + 1]]
                            : sb_vec3_add(a, sb_vec3_scale(ab, t));
        double distance = sb_vec3_length(sb_vec3_sub(at, point));
        if (distance < best) {
            best = distance;
            found = at;
            if (s_m) *s_m = s + t * length;
        }
        s += length;
    }
    return found;
}

/* The point at arc length `s_m`, which is clamped to an open chain and wraps
 * round a closed one. */
static sb_vec3 sb_chain_at(const sb_boundary *boundary, int chain, double s_m) {
    const sb_chain *c = &boundary->chains[chain];
    const int *v = boundary->chain_vertices + c->first;
    if (c->is_closed) s_m -= c->length_m * floor(s_m / c->length_m);
    if (s_m <= 0) return boundary->vertices[v[0]];
    for (int i = 0; i + 1 < c->count; i++) {
        sb_vec3 a = boundary->vertices[v[i]];
        sb_vec3 ab = sb_vec3_sub(boundary->vertices[v[i + 1]], a);
        double length = sb_vec3_length(ab);
        if (s_m < length) {
            return sb_vec3_add(a, sb_vec3_scale(ab, s_m / length));
        }
        s_m -= length;
    }
    return boundary->vertices[v[c->count - 1]];
}

bool sb_chain_runs(const sb_boundary *boundary, int chain, sb_vec3 a,
                   sb_vec3 b) {
    double from = 0, to = 0, length = boundary->chains[chain].length_m;
    double straight = sb_vec3_length(sb_vec3_sub(a, b));
    sb_vec3 on_a = sb_chain_nearest(boundary, chain, a, &from);
    sb_vec3 on_b = sb_chain_nearest(boundary, chain, b, &to);
    if (sb_vec3_length(sb_vec3_sub(on_a, a)) > 1e-6 * straight ||
        sb_vec3_length(sb_vec3_sub(on_b, b)) > 1e-6 * straight) {
        return false;
    }
    double along = fabs(to - from);
    if (boundary->chains[chain].is_closed) along = fmin(along, length - along);
    return along < 1.4 * straight;
}

/* --- chains as edges of a mesh -------------------------------------------- */

/* A point may be moved onto a sharp edge if its tetrahedra keep this least
 * sine. */
static const double MOVE_QUALITY = 0.14;
static const double LEAST_QUALITY = 0.02;

typedef struct tracer {
    const sb_boundary *boundary;
    sb_tet_mesh *mesh;
    int *point_of; /* mesh point + 1 of each boundary vertex that is a corner */
} tracer;

/* A position in the star of a point: a tetrahedron, and coordinates along
 * its three edges from the point. It is outside the star if they sum to more
 * than 1. */
typedef struct place {
    int tet, corner;
    double along[4]; /* by corner of the tetrahedron */
    double sum;
} place;

static double worst_along(const place *p) {
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        if (k != p->corner) least = fmin(least, p->along[k]);
    }
    return least / fmax(p->sum, 1e-9);
}

static bool solve_place(const sb_tet_mesh *mesh, int tet, int corner,
                        sb_vec3 at, place *out) {
    const int *t = mesh->tets[tet];
    sb_vec3 o = mesh->points[t[corner]].at, e[3], d = sb_vec3_sub(at, o);
    for (int k = 0; k < 3; k++) {
        e[k] = sb_vec3_sub(mesh->points[t[(corner + 1 + k) & 3]].at, o);
    }
    double det = sb_vec3_dot(e[0], sb_vec3_cross(e[1], e[2]));
    if (det == 0) return false;
    *out = (place){.tet = tet, .corner = corner};
    for (int k = 0; k < 3; k++) {
        double a =
            sb_vec3_dot(d, sb_vec3_cross(e[(k + 1) % 3], e[(k + 2) % 3]));
        out->along[(corner + 1 + k) & 3] = a / det;
        out->sum += a / det;
    }
    return true;
}

/* The tetrahedron of the star whose cone contains `at`, within rounding. */
static place place_in_star(const sb_tet_mesh *mesh, int point, sb_vec3 at) {
    place best = {.tet = -1, .sum = INFINITY};
    double best_along = -INFINITY;
    for (int s = mesh->points[point].star; s >= 0;
         s = mesh->next[s / 4][s % 4]) {
        place p;
        if (!solve_place(mesh, s / 4, s % 4, at, &p)) continue;
        if (p.sum > 0 && worst_along(&p) > best_along) {
            best_along = worst_along(&p);
            best = p;
        }
    }
    return best;
}

static double distance(sb_vec3 a, sb_vec3 b) {
    return sb_vec3_length(sb_vec3_sub(a, b));
}

/* A point that is already on the surface may only move along it, because
 * another part of the surface needs it there. */
static bool may_leave(const tracer *t, int p, sb_vec3 to) {
    const sb_tet_point *point = &t->mesh->points[p];
    double on = 1e-6 * point->size;
    if (sb_triangle_tree_nearest(&t->boundary->tree, point->at, on).face < 0) {
        return true;
    }
    sb_vec3 middle = sb_vec3_scale(sb_vec3_add(point->at, to), 0.5);
    return sb_triangle_tree_nearest(&t->boundary->tree, middle, on).face >= 0;
}

static bool move_onto(tracer *t, int p, sb_vec3 to, sb_hold_on hold, int chain,
                      double quality) {
    sb_tet_point *point = &t->mesh->points[p];
    if (point->hold != SB_ON_NOTHING || !may_leave(t, p, to) ||
        sb_tet_mesh_star_quality(t->mesh, p, to) < quality) {
        return false;
    }
    point->at = to;
    point->side = 0;
    point->hold = (unsigned char)hold;
    point->chain = chain;
    return true;
}

/* Inserts a point in the tetrahedron of `where`, or on a face or edge of it
 * that is close. */
static int put_point(tracer *t, const place *where, sb_vec3 at, sb_hold_on hold,
                     int chain) {
    const int *tet = t->mesh->tets[where->tet];
    sb_tet_point point = t->mesh->points[tet[where->corner]];
    point.at = at;
    point.side = 0;
    point.hold = (unsigned char)hold;
    point.chain = chain;
    static const double too_little[] = {0.18, 0.08, 1e-7};
    for (int i = 0; i < 3; i++) {
        int span[4], count = 0;
        for (int k = 0; k < 4; k++) {
            double part = where->along[k];
            if (k == where->corner) part = 1 - where->sum;
            if (part > too_little[i]) span[count++] = tet[k];
        }
        if (count < 2) continue;
        int p = sb_tet_mesh_insert(t->mesh, span, count, point);
        if (p >= 0 || t->mesh->is_out_of_memory) return p;
    }
    return -1;
}

static int nearest_point(const sb_tet_mesh *mesh, sb_vec3 at) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < mesh->point_count; i++) {
        double d = distance(mesh->points[i].at, at);
        if (mesh->points[i].star >= 0 && d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

static bool find_tet(const sb_tet_mesh *mesh, sb_vec3 at, place *where) {
    double best = -1e-9;
    bool is_found = false;
    for (int i = 0; i < mesh->tet_count; i++) {
        place p;
        if (!sb_tet_is_live(mesh, i) || !solve_place(mesh, i, 0, at, &p)) {
            continue;
        }
        double least =
            fmin(fmin(p.along[1], p.along[2]), fmin(p.along[3], 1 - p.sum));
        if (least > best) {
            best = least;
            *where = p;
            is_found = true;
        }
    }
    return is_found;
}

/* The mesh point for this place of the surface: an existing point moved
 * there, or a new one. */
static int take_place(tracer *t, sb_vec3 at, sb_hold_on hold, int chain) {
    int p = nearest_point(t->mesh, at);
    if (p < 0) return -1;
    if (distance(t->mesh->points[p].at, at) < 0.55 * t->mesh->points[p].size &&
        move_onto(t, p, at, hold, chain, MOVE_QUALITY)) {
        return p;
    }
    place where;
    if (!find_tet(t->mesh, at, &where)) return -1;
    return put_point(t, &where, at, hold, chain);
}

/* Follows the chain from point `from` at `s` to where it leaves the star. */
static place leave_star(const tracer *t, int chain, int from, double *s,
                        double end) {
    double step = 0.1 * t->mesh->points[from].size, inside, out = *s;
    place p;
    do {
        inside = out;
        out = fmin(out + step, end);
        p = place_in_star(t->mesh, from, sb_chain_at(t->boundary, chain, out));
    } while (p.sum < 1 - 1e-9 && out < end);
    for (int i = 0; i < 40 && p.sum >= 1; i++) {
        double middle = 0.5 * (inside + out);
        place q = place_in_star(t->mesh, from,
                                sb_chain_at(t->boundary, chain, middle));
        if (q.sum < 1) {
            inside = middle;
        } else {
            out = middle;
            p = q;
        }
    }
    *s = out;
    return p;
}

static int heaviest(const place *p) {
    int best = -1;
    for (int k = 0; k < 4; k++) {
        if (k == p->corner) continue;
        if (best < 0 || p->along[k] > p->along[best]) best = k;
    }
    return best;
}

/* Moves a nearby point of the face through which the chain leaves onto the
 * chain, if there is one. Its new position may be beyond the face. */
static int move_near(tracer *t, int chain, const place *exit, double *s,
                     double from_s, double end, double quality) {
    int k = heaviest(exit);
    if (exit->along[k] < 0.45) return -1;
    int p = t->mesh->tets[exit->tet][k];
    const sb_tet_point *point = &t->mesh->points[p];
    double at_s = *s, room = 0.35 * point->size;
    sb_vec3 at = sb_chain_nearest(t->boundary, chain, point->at, &at_s);
    if (at_s < from_s) at_s += t->boundary->chains[chain].length_m;
    if (at_s < from_s + room || at_s > end - room || at_s > *s + point->size) {
        return -1;
    }
    if (distance(at, point->at) > 0.5 * point->size ||
        !move_onto(t, p, at, SB_ON_EDGE, chain, quality)) {
        return -1;
    }
    *s = at_s;
    return p;
}

/* One step along the chain: the next point on it, or -1. */
static int next_on_chain(tracer *t, int chain, int from, int last, double *s,
                         double end) {
    double from_s = *s;
    place exit = leave_star(t, chain, from, s, end);
    if (exit.tet < 0) return -1;
    const int *tet = t->mesh->tets[exit.tet];
    for (int k = 0; k < 4; k++) {
        bool is_near = *s >= end - 1e-9 || exit.along[k] > 0.97;
        if (k != exit.corner && tet[k] == last && is_near) return last;
    }
    int p = move_near(t, chain, &exit, s, from_s, end, MOVE_QUALITY);
    if (p >= 0) return p;
    sb_vec3 at = sb_chain_at(t->boundary, chain, *s);
    if (*s < end) p = put_point(t, &exit, at, SB_ON_EDGE, chain);
    if (p >= 0 || t->mesh->is_out_of_memory) return p;
    return move_near(t, chain, &exit, s, from_s, end, LEAST_QUALITY);
}

/* A chain that cannot be followed to its end is kept as far as it was
 * traced: the rest is cut like a smooth part of the surface. */
static void trace(tracer *t, int chain, int first, int last, double s) {
    double end = t->boundary->chains[chain].length_m + s;
    int from = first;
    for (int steps = 0; steps < 100000; steps++) {
        from = next_on_chain(t, chain, from, last, &s, end);
        if (from < 0 || from == last) return;
    }
}

static bool is_long_enough(const tracer *t, int chain) {
    const sb_chain *c = &t->boundary->chains[chain];
    int v = t->boundary->chain_vertices[c->first];
    int near = nearest_point(t->mesh, t->boundary->vertices[v]);
    double size = near >= 0 ? t->mesh->points[near].size : INFINITY;
    return c->length_m > (c->is_closed ? 4 : 1) * size;
}

static int corner_point(tracer *t, int vertex) {
    int *number = &t->point_of[vertex];
    if (*number == 0) {
        *number =
            take_place(t, t->boundary->vertices[vertex], SB_ON_CORNER, -1) + 1;
    }
    return *number - 1;
}

/* Corners before edges, since their position is fixed. */
static void trace_all(tracer *t, bool *is_wanted) {
    const sb_boundary *boundary = t->boundary;
    for (int i = 0; i < boundary->chain_count; i++) {
        const sb_chain *c = &boundary->chains[i];
        const int *v = boundary->chain_vertices + c->first;
        is_wanted[i] = is_long_enough(t, i);
        if (!is_wanted[i] || c->is_closed) continue;
        (void)corner_point(t, v[0]);
        (void)corner_point(t, v[c->count - 1]);
    }
    for (int i = 0; i < boundary->chain_count; i++) {
        const sb_chain *c = &boundary->chains[i];
        const int *v = boundary->chain_vertices + c->first;
        if (!is_wanted[i] || t->mesh->is_out_of_memory) continue;
        if (c->is_closed) {
            int p = take_place(t, boundary->vertices[v[0]], SB_ON_EDGE, i);
            if (p >= 0) trace(t, i, p, p, 0);
        } else {
            int first = corner_point(t, v[0]);
            int last = corner_point(t, v[c->count - 1]);
            if (first >= 0 && last >= 0) trace(t, i, first, last, 0);
        }
    }
}

sb_status sb_cut_trace_chains(const sb_boundary *boundary, sb_tet_mesh *mesh,
                              sb_error *err) {
    if (boundary->chain_count == 0) return SB_OK;
    tracer t = {.boundary = boundary, .mesh = mesh};
    t.point_of = sb_alloc((size_t)boundary->vertex_count, sizeof *t.point_of);
    bool *is_wanted =
        sb_alloc((size_t)boundary->chain_count, sizeof *is_wanted);
    bool ok = t.point_of && is_wanted;
    if (ok) trace_all(&t, is_wanted);
    sb_free(t.point_of);
    sb_free(is_wanted);
    if (!ok || mesh->is_out_of_memory) {
        return sb_no_memory_for(err, "sharp edges");
    }
    return SB_OK;
}
