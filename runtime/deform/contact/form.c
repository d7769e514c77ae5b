/* SPDX-License-Identifier: MIT */
/* Closed forms, hulls and meshes (form.h). Thread: any. */
#include "runtime/deform/contact/form.h"

#include "runtime/base/memory.h"
#include "runtime/deform/deform_state.h"

#include <math.h>
#include <stdlib.h>

/* --- triangles in a tree -------------------------------------------------- */

/* A branch is the half of a range of
 * triangles, sorted by their centres along the longest side of its box. */

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

typedef struct edge {
    int low, high, face, k;
} edge;

static int by_points(const void *left, const void *right) {
    const edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return 0;
}

/* Sides that no other triangle has, and their ends. */
static sb_status find_border(const sb_deform_faces *faces, triangle *out) {
    size_t count = 3 * (size_t)faces->face_count;
    edge *sides = sb_alloc(count, sizeof *sides);
    bool *ends = sb_alloc((size_t)faces->point_count, sizeof *ends);
    if (!sides || !ends) {
        sb_free(sides);
        sb_free(ends);
        return SB_NO_MEMORY;
    }
    for (int i = 0; i < (int)count; i++) {
        const int *face = faces->faces[i / 3];
        int a = face[i % 3], b = face[(i + 1) % 3];
        sides[i] = (edge){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
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

/* Triangles. */
static sb_status make_tree(const sb_deform_faces *faces, form_tree **out) {
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
            sb_vec3_span(own.corners[0], own.corners[1], own.corners[2]));
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

static void free_tree(form_tree *tree) {
    if (!tree) return;
    sb_free_all(tree->triangles, tree->branches, tree);
}

static double box_square(const branch *own, const double at[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(fmax(own->low[k] - at[k], at[k] - own->high[k]), 0);
        sum += off * off;
    }
    return sum;
}

/* The nearest point of the surface. */
typedef struct nearest {
    double distance;
    sb_vec3 at, normal; /* of the triangle */
    bool is_over;       /* not at a side or corner */
    bool is_border;     /* at a side that only one triangle has */
} nearest;

/* Of two that are equally near, that which is seen more from above decides on
 * the side. */
static bool is_nearer(const nearest *a, const nearest *b, sb_vec3 p) {
    double slack = 1e-9 * b->distance;
    if (a->distance < b->distance - slack) return true;
    if (a->distance > b->distance + slack) return false;
    return fabs(sb_vec3_dot(a->normal, sb_vec3_sub(p, a->at))) >
           fabs(sb_vec3_dot(b->normal, sb_vec3_sub(p, b->at)));
}

static nearest nearest_in(const triangle *own, sb_vec3 p) {
    nearest near = {.normal = own->normal, .at = {0, 0, 0}};
    double shares[3];
    near.distance = deform_shares(own->corners, p, shares);
    near.is_over = shares[0] > 0 && shares[1] > 0 && shares[2] > 0;
    for (int k = 0; k < 3; k++) {
        near.at = sb_vec3_plus(near.at, own->corners[k], shares[k]);
        if (shares[k] == 1) near.is_border |= own->ends_at[k];
        if (shares[(k + 2) % 3] == 0) near.is_border |= own->is_border[k];
    }
    return near;
}

/* False: none within `reach`. */
static bool find_nearest(const form_tree *tree, sb_vec3 p, double reach,
                         nearest *out) {
    const double at[3] = {p.x, p.y, p.z};
    int stack[DEEP], depth = 0;
    nearest best = {.distance = reach};
    bool is_found = false;
    if (tree->count > 0) stack[depth++] = 0;
    while (depth > 0) {
        int index = stack[--depth];
        const branch *own = &tree->branches[index];
        double most = best.distance * (1 + 1e-9);
        if (box_square(own, at) > most * most) continue;
        for (int i = own->first; i < own->first + own->count; i++) {
            nearest near = nearest_in(&tree->triangles[i], p);
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

/* --- distances ------------------------------------------------------------ */

/* From how far a point is beyond a body along two directions. */
static double beyond_two(double a, double b, sb_vec3 along_a, sb_vec3 along_b,
                         sb_vec3 *normal) {
    if (a > 0 && b > 0) {
        double length = sqrt(a * a + b * b);
        *normal = sb_vec3_plus(sb_vec3_scale(along_a, a / length), along_b,
                               b / length);
        return length;
    }
    *normal = a > b ? along_a : along_b;
    return a > b ? a : b;
}

static double box_distance(sb_vec3 half, sb_vec3 p, sb_vec3 *normal) {
    double size[3] = {half.x, half.y, half.z}, at[3] = {p.x, p.y, p.z};
    double out[3], squares = 0, inner = -INFINITY;
    int side = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = fabs(at[k]) - size[k];
        out[k] = beyond > 0 ? copysign(beyond, at[k]) : 0;
        squares += out[k] * out[k];
        if (beyond > inner) {
            inner = beyond;
            side = k;
        }
    }
    if (squares > 0) {
        *normal = sb_vec3_normalised((sb_vec3){out[0], out[1], out[2]});
        return sqrt(squares);
    }
    double sign = at[side] < 0 ? -1 : 1;
    *normal = (sb_vec3){side == 0 ? sign : 0, side == 1 ? sign : 0,
                        side == 2 ? sign : 0};
    return inner;
}

/* The direction from the y axis; on it any. */
static sb_vec3 from_axis(sb_vec3 p, double *length) {
    *length = sqrt(p.x * p.x + p.z * p.z);
    if (!(*length > 0)) return (sb_vec3){1, 0, 0};
    return (sb_vec3){p.x / *length, 0, p.z / *length};
}

static double cylinder_distance(sb_vec3 sizes, sb_vec3 p, sb_vec3 *normal) {
    double radius;
    sb_vec3 out = from_axis(p, &radius), up = {0, p.y < 0 ? -1 : 1, 0};
    return beyond_two(radius - sizes.x, fabs(p.y) - sizes.y, out, up, normal);
}

/* A ball of radius r about a point. */
static double ball_distance(sb_vec3 from, double r, sb_vec3 *normal) {
    double length = sb_vec3_length(from);
    *normal = length > 0 ? sb_vec3_scale(from, 1 / length) : (sb_vec3){0, 1, 0};
    return length - r;
}

static double capsule_distance(sb_vec3 sizes, sb_vec3 p, sb_vec3 *normal) {
    p.x -= fmin(fmax(p.x, -sizes.y), sizes.y);
    return ball_distance(p, sizes.x, normal);
}

static double ring_distance(sb_vec3 sizes, sb_vec3 p, sb_vec3 *normal) {
    double radius;
    sb_vec3 on_circle = sb_vec3_scale(from_axis(p, &radius), sizes.x);
    return ball_distance(sb_vec3_sub(p, on_circle), sizes.y, normal);
}

static double hull_distance(const collider_form *form, sb_vec3 p, double reach,
                            sb_vec3 *normal) {
    double most = -INFINITY;
    int best = 0;
    for (int i = 0; i < form->plane_count; i++) {
        double own = sb_vec3_dot(form->normals[i], p) - form->offsets[i];
        if (own <= most) continue;
        most = own;
        best = i;
    }
    *normal = form->normals[best];
    nearest near;
    if (!(most > 0) || most > reach ||
        !find_nearest(form->tree, p, INFINITY, &near))
        return most;
    *normal = sb_vec3_scale(sb_vec3_sub(p, near.at), 1 / near.distance);
    return near.distance;
}

/* Beside all triangles the distance is from a side or corner, and the point is
 * on the wrong side of the surface if it is on that of the triangle. */
static double mesh_distance(const collider_form *form, sb_vec3 p, double reach,
                            int side, sb_vec3 *normal) {
    nearest near;
    if (!find_nearest(form->tree, p, reach, &near)) return INFINITY;
    sb_vec3 off = sb_vec3_sub(p, near.at);
    double height = sb_vec3_dot(near.normal, off);
    if (side == 0) side = height < 0 ? -1 : 1;
    double sign = height < 0 ? -1 : 1;
    if (near.is_over || !(near.distance > 0)) {
        *normal = sb_vec3_scale(near.normal, side);
        return side * sign * near.distance;
    }
    if (near.is_border) sign = side;
    *normal = sb_vec3_scale(off, side * sign / near.distance);
    return side * sign * near.distance;
}

double form_distance(const collider_form *form, sb_vec3 p, double reach,
                     int side, sb_vec3 *normal) {
    switch (form->form) {
    case SB_DEFORM_PLANE:
        *normal = (sb_vec3){0, 1, 0};
        return p.y;
    case SB_DEFORM_SPHERE:
        return ball_distance(p, form->sizes_m.x, normal);
    case SB_DEFORM_BOX:
        return box_distance(form->sizes_m, p, normal);
    case SB_DEFORM_CYLINDER:
        return cylinder_distance(form->sizes_m, p, normal);
    case SB_DEFORM_CAPSULE:
        return capsule_distance(form->sizes_m, p, normal);
    case SB_DEFORM_RING:
        return ring_distance(form->sizes_m, p, normal);
    case SB_DEFORM_HULL:
        return hull_distance(form, p, reach, normal);
    case SB_DEFORM_MESH:
        return mesh_distance(form, p, reach, side, normal);
    }
    return INFINITY;
}

int form_side(const collider_form *form, sb_vec3 p, double reach) {
    nearest near;
    if (!find_nearest(form->tree, p, reach, &near) || near.is_border) return 0;
    return sb_vec3_dot(near.normal, sb_vec3_sub(p, near.at)) < 0 ? -1 : 1;
}

/* How many of the sizes a form needs above 0. */
static int sizes_of(sb_deform_form form) {
    switch (form) {
    case SB_DEFORM_SPHERE:
        return 1;
    case SB_DEFORM_CYLINDER:
    case SB_DEFORM_CAPSULE:
    case SB_DEFORM_RING:
        return 2;
    case SB_DEFORM_BOX:
        return 3;
    case SB_DEFORM_PLANE:
    case SB_DEFORM_HULL:
    case SB_DEFORM_MESH:
        break;
    }
    return 0;
}

static double reach_of(const sb_deform_collider *def) {
    sb_vec3 s = def->sizes_m;
    double most = 0;
    switch (def->form) {
    case SB_DEFORM_PLANE:
        return INFINITY;
    case SB_DEFORM_SPHERE:
        return s.x;
    case SB_DEFORM_BOX:
        return sb_vec3_length(s);
    case SB_DEFORM_CYLINDER:
        return sqrt(s.x * s.x + s.y * s.y);
    case SB_DEFORM_CAPSULE:
    case SB_DEFORM_RING:
        return s.x + s.y;
    case SB_DEFORM_HULL:
    case SB_DEFORM_MESH:
        for (int i = 0; i < def->faces.point_count; i++) {
            most = fmax(most, sb_vec3_length(def->faces.points[i]));
        }
        break;
    }
    return most;
}

static sb_status check_faces(const sb_deform_faces *faces, const char *name,
                             sb_error *err) {
    if (faces->face_count < 1 || faces->point_count < 3)
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: it has no triangles", name);
    for (int i = 0; i < faces->point_count; i++) {
        sb_vec3 p = faces->points[i];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: point %d is at (%g, %g, %g), which is no place",
                           name, i, p.x, p.y, p.z);
    }
    for (int i = 0; i < 3 * faces->face_count; i++) {
        int point = faces->faces[i / 3][i % 3];
        if (point < 0 || point >= faces->point_count)
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: triangle %d refers to point %d of %d", name,
                           i / 3, point, faces->point_count);
    }
    return SB_OK;
}

static sb_status check(const sb_deform_collider *def, const char *name,
                       sb_error *err) {
    const double sizes[3] = {def->sizes_m.x, def->sizes_m.y, def->sizes_m.z};
    for (int k = 0; k < sizes_of(def->form); k++) {
        if (!(sizes[k] > 0) || !isfinite(sizes[k]))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: its sizes must be above 0, got %g m", name,
                           sizes[k]);
    }
    const sb_vec3 pose[] = {def->position_m,
                            def->velocity_m_s,
                            def->spin_rad_s,
                            def->acceleration_m_s2,
                            {def->rotation.x, def->rotation.y, def->rotation.z},
                            {def->rotation.w, def->friction, 0}};
    for (size_t k = 0; k < sizeof pose / sizeof *pose; k++) {
        if (isfinite(pose[k].x) && isfinite(pose[k].y) && isfinite(pose[k].z))
            continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: position, rotation, velocity, spin, acceleration "
                       "and friction must be finite",
                       name);
    }
    if (def->mass_kg != 0) {
        for (int k = 0; k < 3; k++) {
            if (def->mass_kg > 0 && def->inertia_kg_m2[k] > 0) continue;
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: a mass and three moments of inertia must be "
                           "above 0",
                           name);
        }
    }
    bool has_faces = def->form == SB_DEFORM_HULL || def->form == SB_DEFORM_MESH;
    return has_faces ? check_faces(&def->faces, name, err) : SB_OK;
}

static void make_planes(const sb_deform_faces *faces, collider_form *out) {
    for (int i = 0; i < faces->face_count; i++) {
        sb_vec3 c[3];
        for (int k = 0; k < 3; k++) {
            c[k] = faces->points[faces->faces[i][k]];
        }
        sb_vec3 normal = sb_vec3_span(c[0], c[1], c[2]);
        if (!(sb_vec3_length(normal) > 0)) continue;
        normal = sb_vec3_normalised(normal);
        out->normals[out->plane_count] = normal;
        out->offsets[out->plane_count++] = sb_vec3_dot(normal, c[0]);
    }
}

sb_status form_make(const sb_deform_collider *def, const char *name,
                    double spacing_m, collider_form *out, sb_error *err) {
    sb_status status = check(def, name, err);
    if (status) return status;
    *out = (collider_form){.form = def->form,
                           .sizes_m = def->sizes_m,
                           .reach_m = reach_of(def),
                           .has_nodes = true,
                           .mesh = -1};
    size_t faces = (size_t)def->faces.face_count;
    if (def->form == SB_DEFORM_HULL) {
        out->normals = sb_alloc(faces, sizeof *out->normals);
        out->offsets = sb_alloc(faces, sizeof *out->offsets);
        if (!out->normals || !out->offsets)
            return sb_no_memory(err, "%s", name);
        make_planes(&def->faces, out);
    }
    if ((def->form == SB_DEFORM_HULL || def->form == SB_DEFORM_MESH) &&
        make_tree(&def->faces, &out->tree))
        return sb_no_memory(err, "%s", name);
    if (form_beads_make(def, spacing_m, out))
        return sb_no_memory(err, "%s", name);
    return SB_OK;
}

void form_free(collider_form *form) {
    sb_free_all(form->normals, form->offsets, form->beads);
    free_tree(form->tree);
}
