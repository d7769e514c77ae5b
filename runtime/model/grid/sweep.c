/* Sweeps a flat mesh through space: prisms, split into tetrahedra (flat.h).
 * Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/grid/flat.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { TETS_MOST = 20000000 };

/* Four unknowns per tetrahedron, with eighty entries of 12 bytes in the matrix
 * of each, and as many of its factor; by half, to be sure. */
#define BYTES_LEAST 4000.0

typedef struct sweep {
    const sb_flat *flat;
    int layers, levels; /* levels: of vertices */
    bool is_closed;
    sb_place place;
    const void *context;
    sb_solid_mesh solid;
    int slot_count; /* a power of two */
    int *slots;     /* mid-edge node by hash of its edge; 0: empty */
    int (*ends)[2]; /* ends of the edge, by slot */
} sweep;

/* Rows: the six permutations that bring the lowest vertex to the front. */
void sb_flat_split_prism(const int corners[6], int tets[3][4]) {
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
        sb_flat_split_prism(corners, tets);
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
                        sb_place place, const void *context, sb_solid_mesh *out,
                        sb_error *err) {
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
    if (layers < (is_closed ? 3 : 1) || tets > TETS_MOST) {
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
