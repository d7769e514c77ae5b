/* SPDX-License-Identifier: MIT */
#include "runtime/model/textures/skin_uv.h"

#include "runtime/base/memory.h"
#include "runtime/model/fem/fem.h"
#include "runtime/model/fill/triangle_tree.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>
#include <string.h>

/* How far a corner is moved towards the middle of its face, to find out which
 * side of a seam it is on. */
#define INWARD 0.05

static float (*alloc_uvs(int face_count))[3][2] {
    return sb_alloc((size_t)face_count, sizeof(float[3][2]));
}

/* --- from the mesh that was filled ---------------------------------------- */

/* The linear map of a mesh face, extended beyond its edges. */
static void map_beyond(const sb_mesh *mesh, int face, sb_vec3 at, float uv[2]) {
    const int *corners = mesh->faces[face];
    float(*known)[2] = mesh->uvs[face];
    double s = 0, t = 0;
    (void)sb_triangle_shares(mesh->vertices[corners[0]],
                             mesh->vertices[corners[1]],
                             mesh->vertices[corners[2]], at, &s, &t);
    /* The map of a sliver is steep; it is used up to two faces beyond. */
    s = fmin(fmax(s, -2), 3);
    t = fmin(fmax(t, -2), 3);
    for (int i = 0; i < 2; i++) {
        double u = (double)known[0][i] +
                   s * (double)(known[1][i] - known[0][i]) +
                   t * (double)(known[2][i] - known[0][i]);
        uv[i] = (float)u;
    }
}

static double largest_gap(const float a[2], const float b[2]) {
    return (double)fmaxf(fabsf(a[0] - b[0]), fabsf(a[1] - b[1]));
}

/* Each corner takes the coordinates of the mesh face beneath it. Where those
 * are far from the ones that the face beneath the middle gives, a seam lies
 * between, and the latter are used. */
static void map_face(const sb_mesh *mesh, const sb_triangle_tree *tree,
                     const sb_vec3 corners[3], float uvs[3][2]) {
    sb_vec3 middle = sb_vec3_scale(
        sb_vec3_add(corners[0], sb_vec3_add(corners[1], corners[2])), 1.0 / 3);
    sb_triangle_tree_point beneath =
        sb_triangle_tree_nearest(tree, middle, INFINITY);
    if (beneath.face < 0) return;
    for (int c = 0; c < 3; c++)
        map_beyond(mesh, beneath.face, corners[c], uvs[c]);
    double size =
        fmax(largest_gap(uvs[0], uvs[1]),
             fmax(largest_gap(uvs[1], uvs[2]), largest_gap(uvs[2], uvs[0])));
    for (int c = 0; c < 3; c++) {
        sb_vec3 inward = sb_vec3_sub(middle, corners[c]);
        sb_vec3 near_corner =
            sb_vec3_add(corners[c], sb_vec3_scale(inward, INWARD));
        sb_triangle_tree_point at =
            sb_triangle_tree_nearest(tree, near_corner, INFINITY);
        float uv[2];
        map_beyond(mesh, at.face, corners[c], uv);
        if (largest_gap(uv, uvs[c]) <= size) memcpy(uvs[c], uv, sizeof uv);
    }
}

static sb_status from_mesh(const sb_mesh *mesh, const sb_fem *fem,
                           float (**out)[3][2], sb_error *err) {
    sb_triangle_tree tree = {0};
    sb_status status =
        sb_triangle_tree_build(mesh->vertices, (const int(*)[3])mesh->faces,
                               mesh->face_count, &tree, err);
    if (status) return status;
    float(*uvs)[3][2] = alloc_uvs(fem->face_count);
    for (int i = 0; uvs && i < fem->face_count; i++) {
        sb_vec3 corners[3];
        for (int c = 0; c < 3; c++)
            corners[c] = fem->nodes[fem->faces[i][c]];
        map_face(mesh, &tree, corners, uvs[i]);
    }
    sb_triangle_tree_free(&tree);
    if (!uvs) return sb_no_memory(err, "mesh");
    *out = uvs;
    return SB_OK;
}

/* --- from the position on a closed form ----------------------------------- */

static sb_status from_form(const sb_shape *shape, const sb_fem *fem,
                           float (**out)[3][2], sb_error *err) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    float(*uvs)[3][2] = alloc_uvs(fem->face_count);
    if (!uvs) return sb_no_memory(err, "mesh");
    for (int i = 0; i < fem->face_count; i++) {
        sb_vec3 at[3];
        for (int c = 0; c < 3; c++)
            at[c] = fem->nodes[fem->faces[i][c]];
        if (family->face_uv) {
            family->face_uv(shape, at, uvs[i]);
        } else {
            sb_sheet sheet = family->sheet(shape);
            sb_face_uv_sheet(&sheet, at, uvs[i]);
        }
    }
    *out = uvs;
    return SB_OK;
}

sb_status sb_skin_uv(const sb_shape *shape, const sb_mesh *sheet,
                     const sb_fem *fem, float (**out)[3][2], sb_error *err) {
    *out = NULL;
    if (sheet) {
        if (!sheet->uvs) return SB_OK;
        float(*uvs)[3][2] = alloc_uvs(fem->face_count);
        if (!uvs) return sb_no_memory(err, "mesh");
        memcpy(uvs, sheet->uvs, (size_t)fem->face_count * sizeof *uvs);
        *out = uvs;
        return SB_OK;
    }
    if (!shape->mesh) return from_form(shape, fem, out, err);
    const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
    return mesh->uvs ? from_mesh(mesh, fem, out, err) : SB_OK;
}

/* --- of a thinned mesh ---------------------------------------------------- */

/* Where the lookups are, between the middle (0) and the corner (1). */
#define HALF 0.5
#define NEAR 0.9

typedef struct uv {
    double at[2];
} uv;

static uv look_up(const sb_mesh *fine, const sb_triangle_tree *tree,
                  sb_vec3 point) {
    uv found = {{0.5, 0.5}};
    double s = 0, t = 0;
    sb_triangle_tree_point beneath =
        sb_triangle_tree_nearest(tree, point, INFINITY);
    if (beneath.face < 0) return found;
    const int *f = fine->faces[beneath.face];
    float(*known)[2] = fine->uvs[beneath.face];
    (void)sb_triangle_shares(fine->vertices[f[0]], fine->vertices[f[1]],
                             fine->vertices[f[2]], beneath.at, &s, &t);
    for (int i = 0; i < 2; i++) {
        found.at[i] = (double)known[0][i] +
                      s * (double)(known[1][i] - known[0][i]) +
                      t * (double)(known[2][i] - known[0][i]);
    }
    return found;
}

/* From the values at `a` and `b` to that at 1. */
static uv extend(uv from, double a, uv to, double b) {
    uv out;
    for (int i = 0; i < 2; i++) {
        double rate = (to.at[i] - from.at[i]) / (b - a);
        out.at[i] = to.at[i] + rate * (1 - b);
    }
    return out;
}

static double gap(uv a, uv b) {
    return fmax(fabs(a.at[0] - b.at[0]), fabs(a.at[1] - b.at[1]));
}

static void map_corner(const sb_mesh *fine, const sb_triangle_tree *tree,
                       uv in_middle, sb_vec3 middle, sb_vec3 corner,
                       float out[2]) {
    sb_vec3 outward = sb_vec3_sub(corner, middle);
    uv half =
        look_up(fine, tree, sb_vec3_add(middle, sb_vec3_scale(outward, HALF)));
    uv near =
        look_up(fine, tree, sb_vec3_add(middle, sb_vec3_scale(outward, NEAR)));
    uv by_half = extend(in_middle, 0, half, HALF);
    uv by_near = extend(half, HALF, near, NEAR);
    /* A jump: the last lookup was beyond a seam. */
    bool has_jumped = gap(by_half, by_near) > 2 * gap(in_middle, by_half);
    for (int i = 0; i < 2; i++)
        out[i] = (float)(has_jumped ? by_half : by_near).at[i];
}

sb_status sb_uv_transfer(const sb_mesh *fine, const sb_mesh *coarse,
                         float (**out)[3][2], sb_error *err) {
    sb_triangle_tree tree = {0};
    sb_status status =
        sb_triangle_tree_build(fine->vertices, (const int(*)[3])fine->faces,
                               fine->face_count, &tree, err);
    if (status) return status;
    float(*uvs)[3][2] = alloc_uvs(coarse->face_count);
    for (int f = 0; uvs && f < coarse->face_count; f++) {
        sb_vec3 corners[3], middle = {0, 0, 0};
        for (int c = 0; c < 3; c++) {
            corners[c] = coarse->vertices[coarse->faces[f][c]];
            middle = sb_vec3_add(middle, sb_vec3_scale(corners[c], 1.0 / 3));
        }
        uv in_middle = look_up(fine, &tree, middle);
        for (int c = 0; c < 3; c++)
            map_corner(fine, &tree, in_middle, middle, corners[c], uvs[f][c]);
    }
    sb_triangle_tree_free(&tree);
    if (!uvs) return sb_no_memory(err, "mesh");
    *out = uvs;
    return SB_OK;
}
