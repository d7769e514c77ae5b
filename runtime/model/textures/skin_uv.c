#include "runtime/model/textures/skin_uv.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/fill/surface_tree.h"
#include "runtime/model/shapes/solid.h"

#include <math.h>
#include <string.h>

/* How far a corner is moved towards the middle of its face, to find out which
 * side of a seam it is on. */
#define INWARD 0.05

static float (*alloc_uvs(int face_count))[3][2] {
    return sb_alloc((size_t)face_count, sizeof(float[3][2]));
}

/* --- from the mesh that was filled ---------------------------------------------- */

/* The map of a mesh face, linear, also beyond its edges. */
static void map_beyond(const sb_mesh *mesh, int face, sb_vec3 at, float uv[2]) {
    const int *corners = mesh->faces[face];
    float(*known)[2] = mesh->uvs[face];
    double s = 0, t = 0;
    (void)sb_triangle_shares(mesh->vertices[corners[0]],
                             mesh->vertices[corners[1]],
                             mesh->vertices[corners[2]], at, &s, &t);
    /* A sliver's map runs away; two faces beyond is as far as is sensible. */
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

/* Corner by corner from what is beneath it; but where that is far from what
 * the map of the middle says, a seam lies between, and the middle's holds. */
static void map_face(const sb_mesh *mesh, const sb_surface_tree *tree,
                     const sb_vec3 corners[3], float uvs[3][2]) {
    sb_vec3 middle = sb_vec3_scale(
        sb_vec3_add(corners[0], sb_vec3_add(corners[1], corners[2])), 1.0 / 3);
    sb_surface_point beneath = sb_surface_nearest(tree, middle, INFINITY);
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
        sb_surface_point at = sb_surface_nearest(tree, near_corner, INFINITY);
        float uv[2];
        map_beyond(mesh, at.face, corners[c], uv);
        if (largest_gap(uv, uvs[c]) <= size) memcpy(uvs[c], uv, sizeof uv);
    }
}

static sb_status from_mesh(const sb_mesh *mesh, const sb_fem *fem,
                           float (**out)[3][2], sb_error *err) {
    sb_surface_tree tree = {0};
    sb_status status =
        sb_surface_tree_build(mesh->vertices, (const int(*)[3])mesh->faces,
                              mesh->face_count, &tree, err);
    if (status) return status;
    float(*uvs)[3][2] = alloc_uvs(fem->face_count);
    for (int i = 0; uvs && i < fem->face_count; i++) {
        sb_vec3 corners[3];
        for (int c = 0; c < 3; c++)
            corners[c] = fem->nodes[fem->faces[i][c]];
        map_face(mesh, &tree, corners, uvs[i]);
    }
    sb_surface_tree_free(&tree);
    if (!uvs) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    *out = uvs;
    return SB_OK;
}

/* --- from the place on a closed form ----------------------------------------------- */

static void place_on_form(const sb_shape *shape, sb_vec3 at, float uv[2]) {
    double width = shape->width, depth = shape->depth;
    switch (shape->kind) {
    case SB_SHAPE_DISK:
        width = depth = 2 * shape->radius;
        break;
    case SB_SHAPE_BAR:
        depth = shape->width;
        width = shape->length;
        break;
    case SB_SHAPE_RIGID:
    case SB_SHAPE_PLATE:
    case SB_SHAPE_MEMBRANE:
    case SB_SHAPE_STRING:
    case SB_SHAPE_RING:
    case SB_SHAPE_MODES:
    case SB_SHAPE_MESH:
    case SB_SHAPE_SPHERE:
    case SB_SHAPE_BOX:
    case SB_SHAPE_CYLINDER:
    case SB_SHAPE_FLOOR:
    case SB_SHAPE_KIND_COUNT:
        break;
    }
    uv[0] = (float)(at.x / width + 0.5);
    uv[1] = (float)(at.z / depth + 0.5);
}

static void place_on_ring(const sb_shape *shape, sb_vec3 at, float uv[2]) {
    double out = hypot(at.x, at.z) - shape->radius;
    uv[0] = (float)(atan2(at.z, at.x) / (2 * SB_PI));
    uv[1] = (float)(atan2(at.y, out) / (2 * SB_PI));
}

/* Turn the angles of a face's corners so that they lie together, the middle
 * one within 0 .. 1. */
static void unwind(float uvs[3][2], int axis_count) {
    for (int i = 0; i < axis_count; i++) {
        for (int c = 1; c < 3; c++) {
            uvs[c][i] = uvs[0][i] + remainderf(uvs[c][i] - uvs[0][i], 1.0f);
        }
        float middle = (uvs[0][i] + uvs[1][i] + uvs[2][i]) / 3.0f;
        for (int c = 0; c < 3; c++)
            uvs[c][i] -= floorf(middle);
    }
}

/* Longitudes of corners that have none, as the poles, are those between. */
static void settle_poles(const sb_vec3 at[3], float uvs[3][2]) {
    for (int c = 0; c < 3; c++) {
        if (hypot(at[c].x, at[c].z) > 1e-9 * fabs(at[c].y)) continue;
        const float *one = uvs[(c + 1) % 3], *other = uvs[(c + 2) % 3];
        uvs[c][0] = one[0] + 0.5f * remainderf(other[0] - one[0], 1.0f);
    }
}

static void place_on_solid(const sb_shape *shape, const sb_vec3 at[3],
                           float uvs[3][2]) {
    sb_vec3 normal =
        sb_vec3_cross(sb_vec3_sub(at[1], at[0]), sb_vec3_sub(at[2], at[0]));
    for (int c = 0; c < 3; c++) {
        double uv[2];
        sb_solid_uv(shape, at[c], normal, uv);
        uvs[c][0] = (float)uv[0];
        uvs[c][1] = (float)uv[1];
    }
    if (shape->kind == SB_SHAPE_BOX) return;
    if (shape->kind == SB_SHAPE_SPHERE) settle_poles(at, uvs);
    unwind(uvs, 1);
}

static sb_status from_form(const sb_shape *shape, const sb_fem *fem,
                           float (**out)[3][2], sb_error *err) {
    float(*uvs)[3][2] = alloc_uvs(fem->face_count);
    if (!uvs) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    for (int i = 0; i < fem->face_count; i++) {
        sb_vec3 at[3];
        for (int c = 0; c < 3; c++) {
            at[c] = fem->nodes[fem->faces[i][c]];
            if (sb_solid_is(shape)) continue;
            if (shape->kind == SB_SHAPE_RING) {
                place_on_ring(shape, at[c], uvs[i][c]);
            } else {
                place_on_form(shape, at[c], uvs[i][c]);
            }
        }
        if (sb_solid_is(shape)) {
            place_on_solid(shape, at, uvs[i]);
            continue;
        }
        if (shape->kind == SB_SHAPE_RING) {
            unwind(uvs[i], 2);
            continue;
        }
        /* The unit square is the top; the other faces lie beside it. */
        sb_vec3 normal =
            sb_vec3_cross(sb_vec3_sub(at[1], at[0]), sb_vec3_sub(at[2], at[0]));
        bool is_top = normal.y > 0.9 * sb_vec3_length(normal);
        for (int c = 0; !is_top && c < 3; c++)
            uvs[i][c][1] += 2.0f;
    }
    *out = uvs;
    return SB_OK;
}

sb_status sb_skin_uv(const sb_shape *shape, const sb_discrete *discrete,
                     const sb_fem *fem, float (**out)[3][2], sb_error *err) {
    *out = NULL;
    if (discrete->thickness_m > 0) {
        if (!discrete->sheet.uvs) return SB_OK;
        float(*uvs)[3][2] = alloc_uvs(fem->face_count);
        if (!uvs) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
        memcpy(uvs, discrete->sheet.uvs, (size_t)fem->face_count * sizeof *uvs);
        *out = uvs;
        return SB_OK;
    }
    if (shape->kind != SB_SHAPE_MESH) return from_form(shape, fem, out, err);
    const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
    return mesh->uvs ? from_mesh(mesh, fem, out, err) : SB_OK;
}
