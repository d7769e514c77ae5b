/* Triangles in a tree of boxes (form.h). A branch is the half of a range of
 * triangles, sorted by their centres along the longest side of its box. Thread:
 * any, after it is made. */
#include "runtime/deform/contact/form.h"

#include "runtime/base/memory.h"
#include "runtime/deform/deform_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, DEEP = 64 };

typedef struct branch {
    double low[3], high[3];
    int first, count; /* of `order`; a leaf if count is above 0 */
    int next;         /* its second child; the first follows it */
} branch;

typedef struct triangle {
    sb_vec3 corners[3], normal;
    double centre[3];
    bool is_border[3]; /* side from corner k to k + 1 */
    bool ends_at[3];   /* corner k is on the border */
    int axis;          /* to sort by */
} triangle;

struct form_tree {
    int count, branch_count;
    triangle *triangles;
    branch *branches;
};

typedef struct side {
    int low, high, face, k;
} side;

static int by_points(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return 0;
}

/* Sides that no other triangle has, and their ends. */
static sb_status find_border(const sb_deform_faces *faces, triangle *out) {
    size_t count = 3 * (size_t)faces->face_count;
    side *sides = sb_alloc(count, sizeof *sides);
    bool *ends = sb_alloc((size_t)faces->point_count, sizeof *ends);
    if (!sides || !ends) {
        sb_free(sides);
        sb_free(ends);
        return SB_NO_MEMORY;
    }
    for (int i = 0; i < (int)count; i++) {
        const int *face = faces->faces[i / 3];
        int a = face[i % 3], b = face[(i + 1) % 3];
        sides[i] = (side){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
    }
    qsort(sides, count, sizeof *sides, by_points);
    for (size_t i = 0; i < count; i++) {
        bool is_shared =
            (i > 0 && by_points(&sides[i], &sides[i - 1]) == 0) ||
            (i + 1 < count && by_points(&sides[i], &sides[i + 1]) == 0);
        if (is_shared) continue;
        out[sides[i].face].is_border[sides[i].k] = true;
        ends[sides[i].low] = ends[sides[i].high] = true;
    }
    for (int i = 0; i < (int)count; i++) {
        out[i / 3].ends_at[i % 3] = ends[faces->faces[i / 3][i % 3]];
    }
    sb_free(sides);
    sb_free(ends);
    return SB_OK;
}

static int by_centre(const void *left, const void *right) {
    const triangle *a = left, *b = right;
    double x = a->centre[a->axis], y = b->centre[b->axis];
    return (x > y) - (x < y);
}

static void bound(const triangle *triangles, int count, branch *out) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = INFINITY;
        out->high[k] = -INFINITY;
    }
    for (int i = 0; i < 3 * count; i++) {
        sb_vec3 p = triangles[i / 3].corners[i % 3];
        const double at[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++) {
            out->low[k] = fmin(out->low[k], at[k]);
            out->high[k] = fmax(out->high[k], at[k]);
        }
    }
}

static void split(form_tree *tree, int first, int count) {
    branch *own = &tree->branches[tree->branch_count++];
    int axis = 0;
    bound(tree->triangles + first, count, own);
    own->first = first;
    own->count = count <= LEAF ? count : 0;
    if (own->count > 0) return;
    for (int k = 1; k < 3; k++) {
        if (own->high[k] - own->low[k] > own->high[axis] - own->low[axis])
            axis = k;
    }
    for (int i = first; i < first + count; i++) {
        tree->triangles[i].axis = axis;
    }
    qsort(tree->triangles + first, (size_t)count, sizeof *tree->triangles,
          by_centre);
    split(tree, first, count / 2);
    own->next = tree->branch_count;
    split(tree, first + count / 2, count - count / 2);
}

sb_status form_tree_make(const sb_deform_faces *faces, form_tree **out) {
    size_t count = (size_t)faces->face_count;
    form_tree *tree = sb_alloc(1, sizeof *tree);
    if (!tree) return SB_NO_MEMORY;
    *out = tree;
    tree->triangles = sb_alloc(count, sizeof *tree->triangles);
    tree->branches = sb_alloc(2 * count, sizeof *tree->branches);
    if (!tree->triangles || !tree->branches ||
        find_border(faces, tree->triangles))
        return SB_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        triangle own = tree->triangles[i];
        sb_vec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            own.corners[k] = faces->points[faces->faces[i][k]];
            sum = sb_vec3_add(sum, own.corners[k]);
        }
        own.normal = sb_vec3_normalised(
            sb_vec3_cross(sb_vec3_sub(own.corners[1], own.corners[0]),
                          sb_vec3_sub(own.corners[2], own.corners[0])));
        own.centre[0] = sum.x / 3;
        own.centre[1] = sum.y / 3;
        own.centre[2] = sum.z / 3;
        /* Those without an area are parts of others' sides. */
        if (sb_vec3_length(own.normal) > 0)
            tree->triangles[tree->count++] = own;
    }
    if (tree->count > 0) split(tree, 0, tree->count);
    return SB_OK;
}

void form_tree_free(form_tree *tree) {
    if (!tree) return;
    sb_free(tree->triangles);
    sb_free(tree->branches);
    sb_free(tree);
}

static double box_square(const branch *own, const double at[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(fmax(own->low[k] - at[k], at[k] - own->high[k]), 0);
        sum += off * off;
    }
    return sum;
}

/* Of two that are equally near, that which is seen more from above decides on
 * the side. */
static bool is_nearer(const form_nearest *a, const form_nearest *b, sb_vec3 p) {
    double slack = 1e-9 * b->distance;
    if (a->distance < b->distance - slack) return true;
    if (a->distance > b->distance + slack) return false;
    return fabs(sb_vec3_dot(a->normal, sb_vec3_sub(p, a->at))) >
           fabs(sb_vec3_dot(b->normal, sb_vec3_sub(p, b->at)));
}

static form_nearest nearest_in(const triangle *own, sb_vec3 p) {
    form_nearest near = {.normal = own->normal, .at = {0, 0, 0}};
    double shares[3];
    near.distance = deform_shares(own->corners, p, shares);
    near.is_over = shares[0] > 0 && shares[1] > 0 && shares[2] > 0;
    for (int k = 0; k < 3; k++) {
        near.at =
            sb_vec3_add(near.at, sb_vec3_scale(own->corners[k], shares[k]));
        if (shares[k] == 1) near.is_border |= own->ends_at[k];
        if (shares[(k + 2) % 3] == 0) near.is_border |= own->is_border[k];
    }
    return near;
}

bool form_tree_find(const form_tree *tree, sb_vec3 p, double reach,
                    form_nearest *out) {
    const double at[3] = {p.x, p.y, p.z};
    int stack[DEEP], depth = 0;
    form_nearest best = {.distance = reach};
    bool is_found = false;
    if (tree->count > 0) stack[depth++] = 0;
    while (depth > 0) {
        int index = stack[--depth];
        const branch *own = &tree->branches[index];
        double most = best.distance * (1 + 1e-9);
        if (box_square(own, at) > most * most) continue;
        for (int i = own->first; i < own->first + own->count; i++) {
            form_nearest near = nearest_in(&tree->triangles[i], p);
            near.face = i;
            if (is_found ? !is_nearer(&near, &best, p)
                         : !(near.distance <= reach))
                continue;
            best = near;
            is_found = true;
        }
        if (own->count > 0) continue;
        int far = own->next, near = index + 1;
        if (box_square(&tree->branches[far], at) <
            box_square(&tree->branches[near], at)) {
            far = index + 1;
            near = own->next;
        }
        stack[depth++] = far;
        stack[depth++] = near;
    }
    *out = best;
    return is_found;
}
