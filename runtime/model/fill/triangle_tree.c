/* SPDX-License-Identifier: MIT */
#include "runtime/model/fill/triangle_tree.h"

#include "runtime/base/memory.h"

#include <stdlib.h>

enum { LEAF_FACES = 4, STACK_DEPTH = 128 };

/* Inlined, unlike fmin and fmax; nothing here is NaN. */
static double lower(double a, double b) {
    return a < b ? a : b;
}

static double higher(double a, double b) {
    return a > b ? a : b;
}

static sb_vec3 low_of(sb_vec3 a, sb_vec3 b) {
    return (sb_vec3){lower(a.x, b.x), lower(a.y, b.y), lower(a.z, b.z)};
}

static sb_vec3 high_of(sb_vec3 a, sb_vec3 b) {
    return (sb_vec3){higher(a.x, b.x), higher(a.y, b.y), higher(a.z, b.z)};
}

/* A tree under construction, and three times the centre of each face. */
typedef struct growing {
    sb_triangle_tree *tree;
    double (*centres)[3];
} growing;

/* Ties are broken by the index of the face, so that the tree does not depend
 * on the order in which the partition visits them. */
static bool comes_before(const growing *own, int a, int b, int axis) {
    double ca = own->centres[a][axis], cb = own->centres[b][axis];
    return ca < cb || (ca == cb && a < b);
}

/* Hoare's selection: moves the lower half of order[first ..] before the
 * rest. */
static void put_median_in_place(const growing *own, int first, int count,
                                int axis) {
    const sb_triangle_tree *tree = own->tree;
    int low = first, high = first + count - 1, middle = first + count / 2;
    while (low < high) {
        int pivot = tree->order[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (comes_before(own, tree->order[i], pivot, axis)) {
                i++;
            }
            while (comes_before(own, pivot, tree->order[j], axis)) {
                j--;
            }
            if (i > j) break;
            int swap = tree->order[i];
            tree->order[i++] = tree->order[j];
            tree->order[j--] = swap;
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static void fit_box(const sb_triangle_tree *tree, sb_tree_node *node) {
    sb_vec3 far = {INFINITY, INFINITY, INFINITY};
    node->low = far;
    node->high = sb_vec3_scale(far, -1);
    for (int i = 0; i < node->count; i++) {
        const int *f = tree->faces[tree->order[node->first + i]];
        for (int k = 0; k < 3; k++) {
            node->low = low_of(node->low, tree->vertices[f[k]]);
            node->high = high_of(node->high, tree->vertices[f[k]]);
        }
    }
}

static int longest_side(const sb_tree_node *node) {
    sb_vec3 size = sb_vec3_sub(node->high, node->low);
    int axis = size.y > size.x ? 1 : 0;
    return size.z > sb_vec3_along(size, axis) ? 2 : axis;
}

static void find_centres(const growing *own, int face_count) {
    for (int i = 0; i < face_count; i++) {
        const int *f = own->tree->faces[i];
        sb_vec3 a = own->tree->vertices[f[0]], b = own->tree->vertices[f[1]];
        sb_vec3 sum = sb_vec3_add(sb_vec3_add(a, b), own->tree->vertices[f[2]]);
        own->centres[i][0] = sum.x;
        own->centres[i][1] = sum.y;
        own->centres[i][2] = sum.z;
    }
}

static void halve_nodes(const growing *own) {
    sb_triangle_tree *tree = own->tree;
    int node_count = 1;
    for (int n = 0; n < node_count; n++) {
        sb_tree_node *node = &tree->nodes[n];
        fit_box(tree, node);
        if (node->count <= LEAF_FACES) continue;
        put_median_in_place(own, node->first, node->count, longest_side(node));
        int half = node->count / 2;
        tree->nodes[node_count] =
            (sb_tree_node){.first = node->first, .count = half};
        tree->nodes[node_count + 1] = (sb_tree_node){
            .first = node->first + half, .count = node->count - half};
        node->first = node_count;
        node->count = 0;
        node_count += 2;
    }
}

sb_status sb_triangle_tree_build(const sb_vec3 *vertices, const int (*faces)[3],
                                 int face_count, sb_triangle_tree *out,
                                 sb_error *err) {
    sb_triangle_tree tree = {.vertices = vertices, .faces = faces};
    tree.order = sb_alloc((size_t)face_count, sizeof *tree.order);
    tree.nodes = sb_alloc((size_t)face_count * 2 + 1, sizeof *tree.nodes);
    growing own = {&tree, sb_alloc((size_t)face_count, sizeof *own.centres)};
    if (!tree.order || !tree.nodes || !own.centres) {
        sb_free(own.centres);
        sb_triangle_tree_free(&tree);
        return sb_no_memory_for(err, "a tree of %d faces", face_count);
    }
    for (int i = 0; i < face_count; i++) {
        tree.order[i] = i;
    }
    tree.nodes[0].count = face_count;
    find_centres(&own, face_count);
    halve_nodes(&own);
    sb_free(own.centres);
    sb_vec3 size = sb_vec3_sub(tree.nodes[0].high, tree.nodes[0].low);
    tree.reach = face_count > 0 ? sb_vec3_length(size) : 0;
    tree.ray_axis = size.y < size.x ? 1 : 0;
    if (size.z < sb_vec3_along(size, tree.ray_axis)) tree.ray_axis = 2;
    *out = tree;
    return SB_OK;
}

void sb_triangle_tree_free(sb_triangle_tree *tree) {
    sb_free(tree->order);
    sb_free(tree->nodes);
    *tree = (sb_triangle_tree){0};
}

static sb_vec3 along(sb_vec3 from, sb_vec3 direction, double t) {
    return sb_vec3_add(from, sb_vec3_scale(direction, t));
}

bool sb_triangle_shares(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 p,
                        double *share_b, double *share_c) {
    sb_vec3 ab = sb_vec3_sub(b, a), ac = sb_vec3_sub(c, a);
    sb_vec3 ap = sb_vec3_sub(p, a);
    double bb = sb_vec3_dot(ab, ab), cc = sb_vec3_dot(ac, ac);
    double bc = sb_vec3_dot(ab, ac), pb = sb_vec3_dot(ap, ab);
    double pc = sb_vec3_dot(ap, ac), scale = bb * cc - bc * bc;
    if (!(scale > 0)) return false;
    *share_b = (cc * pb - bc * pc) / scale;
    *share_c = (bb * pc - bc * pb) / scale;
    return true;
}

/* By the seven regions of the triangle's plane: three corners, three edges,
 * the inside. */
sb_vec3 sb_triangle_nearest(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 p) {
    sb_vec3 ab = sb_vec3_sub(b, a), ac = sb_vec3_sub(c, a);
    sb_vec3 ap = sb_vec3_sub(p, a);
    double d1 = sb_vec3_dot(ab, ap), d2 = sb_vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    sb_vec3 bp = sb_vec3_sub(p, b);
    double d3 = sb_vec3_dot(ab, bp), d4 = sb_vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return along(a, ab, d1 / (d1 - d3));
    sb_vec3 cp = sb_vec3_sub(p, c);
    double d5 = sb_vec3_dot(ab, cp), d6 = sb_vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return along(a, ac, d2 / (d2 - d6));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return along(b, sb_vec3_sub(c, b), t);
    }
    double sum = va + vb + vc;
    return along(along(a, ab, vb / sum), ac, vc / sum);
}

/* How far p lies outside low .. high. fmax is a call to the C library; filling
 * a surface would spend a tenth of its time in it. */
static double outside(double p, double low, double high) {
    double below = low - p, above = p - high;
    double most = below > above ? below : above;
    return most > 0 ? most : 0;
}

static double box_distance2(const sb_tree_node *node, sb_vec3 p) {
    double x = outside(p.x, node->low.x, node->high.x);
    double y = outside(p.y, node->low.y, node->high.y);
    double z = outside(p.z, node->low.z, node->high.z);
    return x * x + y * y + z * z;
}

static void nearest_of_leaf(const sb_triangle_tree *tree,
                            const sb_tree_node *node, sb_vec3 point,
                            double *best2, sb_triangle_tree_point *found) {
    for (int i = 0; i < node->count; i++) {
        int face = tree->order[node->first + i];
        const int *f = tree->faces[face];
        sb_vec3 at =
            sb_triangle_nearest(tree->vertices[f[0]], tree->vertices[f[1]],
                                tree->vertices[f[2]], point);
        sb_vec3 d = sb_vec3_sub(at, point);
        double d2 = sb_vec3_dot(d, d);
        if (d2 >= *best2) continue;
        *best2 = d2;
        found->at = at;
        found->face = face;
    }
}

sb_triangle_tree_point sb_triangle_tree_nearest(const sb_triangle_tree *tree,
                                                sb_vec3 point, double within) {
    sb_triangle_tree_point found = {.distance = INFINITY, .face = -1};
    double best2 = within * within;
    int stack[STACK_DEPTH], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const sb_tree_node *node = &tree->nodes[stack[--depth]];
        if (box_distance2(node, point) >= best2) continue;
        if (node->count > 0) {
            nearest_of_leaf(tree, node, point, &best2, &found);
            continue;
        }
        int near = node->first, other = node->first + 1;
        if (box_distance2(&tree->nodes[other], point) <
            box_distance2(&tree->nodes[near], point)) {
            near = node->first + 1;
            other = node->first;
        }
        stack[depth++] = other;
        stack[depth++] = near;
    }
    if (found.face >= 0) found.distance = sqrt(best2);
    return found;
}

/* A corner in the coordinates of the ray: two across, one along. */
typedef struct seen {
    double x, y, z;
} seen;

/* The ray of the winding number runs along an axis with these slopes. They
 * are skew, so that it hits no face of a box edge-on. */
static const double SLOPE_X = 0.0713205183, SLOPE_Y = 0.0419370437;

/* Rotates the axes so that the ray's axis is z. */
static sb_vec3 turned(const sb_triangle_tree *tree, sb_vec3 v) {
    if (tree->ray_axis == 0) return (sb_vec3){v.y, v.z, v.x};
    if (tree->ray_axis == 1) return (sb_vec3){v.z, v.x, v.y};
    return v;
}

static seen sheared(const sb_triangle_tree *tree, int vertex, sb_vec3 p) {
    sb_vec3 v = turned(tree, tree->vertices[vertex]);
    double z = v.z - p.z;
    return (seen){v.x - p.x - SLOPE_X * z, v.y - p.y - SLOPE_Y * z, z};
}

/* a.x b.y - a.y b.x with the right sign, however small. */
static double cross_of(seen a, seen b) {
    double p = a.x * b.y, q = a.y * b.x, e = p - q;
    if (fabs(e) > 1e-12 * (fabs(p) + fabs(q))) return e;
    return e + (fma(a.x, b.y, -p) - fma(a.y, b.x, -q));
}

/* On which side of edge ab the ray passes; exactly the negative for ba. A
 * ray that hits the edge is treated as shifted by (eps, eps^2). So it hits
 * as many of the triangles at an edge or corner as a ray beside them. */
static int side_of_ray(seen a, seen b, int ia, int ib, double *area) {
    int turn = 1;
    if (ia > ib) {
        seen swap = a;
        a = b;
        b = swap;
        turn = -1;
    }
    double e = cross_of(a, b);
    *area = turn * e;
    if (e == 0) e = a.y - b.y;
    if (e == 0) e = b.x - a.x;
    return e >= 0 ? turn : -turn;
}

static int crossing(const sb_triangle_tree *tree, int face, sb_vec3 p) {
    const int *f = tree->faces[face];
    seen a = sheared(tree, f[0], p);
    seen b = sheared(tree, f[1], p);
    seen c = sheared(tree, f[2], p);
    double wa = 0, wb = 0, wc = 0;
    int sc = side_of_ray(a, b, f[0], f[1], &wc);
    int sa = side_of_ray(b, c, f[1], f[2], &wa);
    int sb = side_of_ray(c, a, f[2], f[0], &wb);
    if (sa != sb || sb != sc) return 0;
    double sum = wa + wb + wc;
    if (sum == 0) return 0;
    double z = (wa * a.z + wb * b.z + wc * c.z) / sum;
    return z > 0 ? sa : 0;
}

static bool ray_meets_box(const sb_triangle_tree *tree,
                          const sb_tree_node *node, sb_vec3 p) {
    double pad = 1e-12 * tree->reach;
    sb_vec3 low = turned(tree, node->low), high = turned(tree, node->high);
    double z0 = low.z - p.z - pad, z1 = high.z - p.z + pad;
    if (z1 < 0) return false;
    if (z0 < 0) z0 = 0;
    return p.x + SLOPE_X * z1 >= low.x - pad &&
           p.x + SLOPE_X * z0 <= high.x + pad &&
           p.y + SLOPE_Y * z1 >= low.y - pad &&
           p.y + SLOPE_Y * z0 <= high.y + pad;
}

int sb_triangle_tree_winding(const sb_triangle_tree *tree, sb_vec3 point) {
    int stack[STACK_DEPTH], depth = 0, winding = 0;
    stack[depth++] = 0;
    point = turned(tree, point);
    while (depth > 0) {
        const sb_tree_node *node = &tree->nodes[stack[--depth]];
        if (!ray_meets_box(tree, node, point)) continue;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
            continue;
        }
        for (int i = 0; i < node->count; i++) {
            winding += crossing(tree, tree->order[node->first + i], point);
        }
    }
    return winding;
}

static bool segment_meets_box(const sb_tree_node *node, sb_vec3 from,
                              sb_vec3 step, double pad, double most) {
    double t0 = 0, t1 = most;
    for (int axis = 0; axis < 3; axis++) {
        double s = sb_vec3_along(step, axis), o = sb_vec3_along(from, axis);
        double low = sb_vec3_along(node->low, axis) - pad;
        double high = sb_vec3_along(node->high, axis) + pad;
        if (s == 0) {
            if (o < low || o > high) return false;
            continue;
        }
        double a = (low - o) / s, b = (high - o) / s;
        t0 = fmax(t0, fmin(a, b));
        t1 = fmin(t1, fmax(a, b));
    }
    return t0 <= t1;
}

/* Tolerant at the edges: a crossing that is found twice is harmless here,
 * but one that is missed between two triangles is not. */
static double triangle_hit(const sb_triangle_tree *tree, int face, sb_vec3 from,
                           sb_vec3 step) {
    const int *f = tree->faces[face];
    sb_vec3 a = tree->vertices[f[0]];
    sb_vec3 ab = sb_vec3_sub(tree->vertices[f[1]], a);
    sb_vec3 ac = sb_vec3_sub(tree->vertices[f[2]], a);
    sb_vec3 across = sb_vec3_cross(step, ac);
    double det = sb_vec3_dot(ab, across);
    if (det == 0) return INFINITY;
    sb_vec3 o = sb_vec3_sub(from, a);
    double u = sb_vec3_dot(o, across) / det;
    sb_vec3 other = sb_vec3_cross(o, ab);
    double v = sb_vec3_dot(step, other) / det;
    if (u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9) return INFINITY;
    return sb_vec3_dot(ac, other) / det;
}

double sb_triangle_tree_first_hit(const sb_triangle_tree *tree, sb_vec3 from,
                                  sb_vec3 to, double least, int *face) {
    sb_vec3 step = sb_vec3_sub(to, from);
    double first = 1 + 1e-12, pad = 1e-12 * tree->reach;
    int stack[STACK_DEPTH], depth = 0, hit = -1;
    stack[depth++] = 0;
    while (depth > 0) {
        const sb_tree_node *node = &tree->nodes[stack[--depth]];
        if (!segment_meets_box(node, from, step, pad, first)) continue;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
            continue;
        }
        for (int i = 0; i < node->count; i++) {
            int candidate = tree->order[node->first + i];
            double t = triangle_hit(tree, candidate, from, step);
            if (t <= least || t >= first) continue;
            first = t;
            hit = candidate;
        }
    }
    if (face) *face = hit;
    return hit >= 0 ? first : INFINITY;
}

/* --- sides ---------------------------------------------------------------- */

static sb_side side_at(const int (*faces)[3], int place) {
    const int *f = faces[place / 3];
    int a = f[place % 3], b = f[(place + 1) % 3];
    return (sb_side){a < b ? a : b, a < b ? b : a, place};
}

static int compare_sides(const void *left, const void *right) {
    const sb_side *a = left, *b = right;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Counted by the lower end, then sorted within the few that share it. */
sb_side *sb_sides_sorted(const int (*faces)[3], int face_count,
                         int vertex_count) {
    int count = 3 * face_count;
    sb_side *sides = sb_alloc((size_t)count, sizeof *sides);
    int *starts = sb_alloc((size_t)vertex_count + 1, sizeof *starts);
    if (!sides || !starts) {
        sb_free(sides);
        sb_free(starts);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        starts[side_at(faces, i).low + 1]++;
    for (int v = 0; v < vertex_count; v++)
        starts[v + 1] += starts[v];
    for (int i = 0; i < count; i++) {
        sb_side one = side_at(faces, i);
        sides[starts[one.low]++] = one;
    }
    /* Now each start is the end of its vertex. */
    for (int v = 0, from = 0; v < vertex_count; from = starts[v++]) {
        size_t own = (size_t)(starts[v] - from);
        if (own > 1) qsort(sides + from, own, sizeof *sides, compare_sides);
    }
    sb_free(starts);
    return sides;
}

int sb_sides_end(const sb_side *sides, int count, int first) {
    int end = first + 1;
    while (end < count && sides[end].low == sides[first].low &&
           sides[end].high == sides[first].high)
        end++;
    return end;
}

int sb_by_number(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}
