/* Texture coordinates for the faces of a solved skin (skin_uv.h). Thread:
 * control, workers. */
#include "runtime/model/textures/skin_uv.h"

#include "runtime/base/memory.h"
#include "runtime/model/fem/fem.h"
#include "runtime/model/fill/triangle_tree.h"
#include "runtime/model/grid/sheet.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/face_uv.h"
#include "runtime/model/shapes/family.h"

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
    if (!uvs) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    *out = uvs;
    return SB_OK;
}

/* --- from the position on a closed form ----------------------------------- */

static sb_status from_form(const sb_shape *shape, const sb_fem *fem,
                           float (**out)[3][2], sb_error *err) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    float(*uvs)[3][2] = alloc_uvs(fem->face_count);
    if (!uvs) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
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
        if (!uvs) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
        memcpy(uvs, sheet->uvs, (size_t)fem->face_count * sizeof *uvs);
        *out = uvs;
        return SB_OK;
    }
    if (!shape->mesh) return from_form(shape, fem, out, err);
    const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
    return mesh->uvs ? from_mesh(mesh, fem, out, err) : SB_OK;
}
