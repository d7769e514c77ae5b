/* Texture coordinates from fine faces to coarse ones (uv_transfer.h). Thread:
 * control, workers. */
#include "runtime/model/textures/uv_transfer.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/triangle_tree.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>

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
    float(*uvs)[3][2] =
        sb_alloc((size_t)coarse->face_count, sizeof(float[3][2]));
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
    if (!uvs) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    *out = uvs;
    return SB_OK;
}
