/* Edges by cost, and the quadrics of vertices (thin_internal.h). Thread:
 * control, workers. */
#include "runtime/model/fill/thin_internal.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <string.h>

/* --- the heap ------------------------------------------------------------- */

/* Equal costs are ordered by the ends, so that the result does not depend on
 * the history of the heap. */
static bool is_before(const sb_thin_edge *a, const sb_thin_edge *b) {
    if (a->cost != b->cost) return a->cost < b->cost;
    if (a->ends[0] != b->ends[0]) return a->ends[0] < b->ends[0];
    return a->ends[1] < b->ends[1];
}

static bool make_room(sb_thin_heap *heap) {
    if (heap->count < heap->room) return true;
    int room = heap->room > 0 ? heap->room + heap->room / 2 : 1024;
    sb_thin_edge *edges = sb_alloc((size_t)room, sizeof *edges);
    if (!edges) return false;
    if (heap->count > 0) {
        memcpy(edges, heap->edges, (size_t)heap->count * sizeof *edges);
    }
    sb_free(heap->edges);
    heap->edges = edges;
    heap->room = room;
    return true;
}

bool sb_thin_heap_push(sb_thin_heap *heap, const sb_thin_edge *edge) {
    if (!make_room(heap)) return false;
    int at = heap->count++;
    while (at > 0 && is_before(edge, &heap->edges[(at - 1) / 2])) {
        heap->edges[at] = heap->edges[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->edges[at] = *edge;
    return true;
}

bool sb_thin_heap_pop(sb_thin_heap *heap, sb_thin_edge *out) {
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

/* --- quadrics ------------------------------------------------------------- */

void sb_quadric_add_plane(sb_quadric *q, sb_vec3 n, sb_vec3 p, double w) {
    double d = -sb_vec3_dot(n, p);
    const double a[6] = {n.x * n.x, n.x * n.y, n.x * n.z,
                         n.y * n.y, n.y * n.z, n.z * n.z};
    for (int i = 0; i < 6; i++)
        q->a[i] += w * a[i];
    q->b[0] += w * d * n.x;
    q->b[1] += w * d * n.y;
    q->b[2] += w * d * n.z;
    q->c += w * d * d;
    q->weight += w;
}

void sb_quadric_add(sb_quadric *to, const sb_quadric *from) {
    for (int i = 0; i < 6; i++)
        to->a[i] += from->a[i];
    for (int i = 0; i < 3; i++)
        to->b[i] += from->b[i];
    to->c += from->c;
    to->weight += from->weight;
}

double sb_quadric_at(const sb_quadric *q, sb_vec3 v) {
    const double *a = q->a, *b = q->b;
    double sum = a[0] * v.x * v.x + a[3] * v.y * v.y + a[5] * v.z * v.z +
                 2 * (a[1] * v.x * v.y + a[2] * v.x * v.z + a[4] * v.y * v.z) +
                 2 * (b[0] * v.x + b[1] * v.y + b[2] * v.z) + q->c;
    return q->weight > 0 ? fmax(sum, 0) / q->weight : 0;
}

/* Solves (A + s I) x = s near - b; s keeps it away from a singular A, and in a
 * flat part x is `near`. */
sb_vec3 sb_quadric_least(const sb_quadric *q, sb_vec3 near) {
    double s = 1e-4 * q->weight;
    if (!(s > 0)) return near;
    double xx = q->a[0] + s, xy = q->a[1], xz = q->a[2];
    double yy = q->a[3] + s, yz = q->a[4], zz = q->a[5] + s;
    sb_vec3 r = {s * near.x - q->b[0], s * near.y - q->b[1],
                 s * near.z - q->b[2]};
    double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz;
    double cz = xy * yz - xz * yy;
    double determinant = xx * cx + xy * cy + xz * cz;
    double dy = xx * zz - xz * xz, dz = xy * xz - xx * yz;
    double ez = xx * yy - xy * xy;
    if (!(determinant > 0)) return near;
    return sb_vec3_scale((sb_vec3){cx * r.x + cy * r.y + cz * r.z,
                                   cy * r.x + dy * r.y + dz * r.z,
                                   cz * r.x + dz * r.y + ez * r.z},
                         1 / determinant);
}
