/* Joins sharp edges into chains between corners. Runs on the control thread or
 * a worker. */
#include "runtime/model/fill/boundary.h"

#include "runtime/base/memory.h"

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
    sb_free(g->ends);
    sb_free(g->starts);
    sb_free(g->at_vertex);
    sb_free(g->is_used);
    sb_free(g->is_corner);
}

static bool is_sharp(const sb_boundary *boundary, const sb_half_edge *halves,
                     int count) {
    if (count != 2) return true;
    sb_vec3 a = boundary->normals[halves[0].face];
    sb_vec3 b = boundary->normals[halves[1].face];
    return sb_vec3_dot(a, b) < SHARP_COSINE;
}

/* If `ends` is NULL it only counts. */
static int sharp_edges(const sb_boundary *boundary, const sb_half_edge *halves,
                       int count, int *ends) {
    int found = 0;
    for (int i = 0, end = 0; i < count; i = end) {
        for (end = i; end < count && halves[end].low == halves[i].low &&
                      halves[end].high == halves[i].high;
             end++) {
        }
        if (!is_sharp(boundary, halves + i, end - i)) continue;
        if (ends) {
            ends[2 * found] = halves[i].low;
            ends[2 * found + 1] = halves[i].high;
        }
        found++;
    }
    return found;
}

static bool graph_make(graph *g, const sb_boundary *boundary,
                       const sb_half_edge *halves, int count) {
    g->edge_count = sharp_edges(boundary, halves, count, NULL);
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
    (void)sharp_edges(boundary, halves, count, g->ends);
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

sb_status sb_boundary_string_chains(sb_boundary *boundary,
                                    const sb_half_edge *halves, int count,
                                    sb_error *err) {
    graph g = {0};
    bool ok = graph_make(&g, boundary, halves, count);
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
    if (!ok) return sb_fail(err, SB_NO_MEMORY, "no memory for sharp edges");
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

sb_vec3 sb_chain_at(const sb_boundary *boundary, int chain, double s_m) {
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
