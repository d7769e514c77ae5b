/* Orients nested surfaces. A hollow ball is two spheres, the inner one
 * facing the other way. If every patch were turned outward, the cavity would
 * be lost. So a patch inside another keeps the relative orientation of the
 * file, and only the outermost patches are oriented by their own volume.
 * Runs on the control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh_internal.h"

#include <stdlib.h>

/* Limit on the solid angles computed, about one second of work. A mesh that
 * needs more has thousands of fragments; further cavities are not detected. */
static const long most_angles = 20000000;
enum { MOST_PATCHES = 2000 };

static bool is_box_inside(const sb_mesh_patch *in, const sb_mesh_patch *out) {
    return in->low_m.x > out->low_m.x && in->low_m.y > out->low_m.y &&
           in->low_m.z > out->low_m.z && in->high_m.x < out->high_m.x &&
           in->high_m.y < out->high_m.y && in->high_m.z < out->high_m.z;
}

/* The solid angle of a triangle seen from the origin (van Oosterom and
 * Strackee 1983): unlike a ray it cannot hit an edge. */
static double angle_of(sb_vec3 a, sb_vec3 b, sb_vec3 c) {
    double la = sb_vec3_length(a), lb = sb_vec3_length(b);
    double lc = sb_vec3_length(c);
    double up = sb_vec3_dot(a, sb_vec3_cross(b, c));
    double down = la * lb * lc + sb_vec3_dot(a, b) * lc +
                  sb_vec3_dot(b, c) * la + sb_vec3_dot(c, a) * lb;
    return 2 * atan2(up, down);
}

static bool is_inside(const sb_mesh *mesh, const int *list, int count,
                      sb_vec3 p) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const int *face = mesh->faces[list[i]];
        sum += angle_of(sb_vec3_sub(mesh->vertices[face[0]], p),
                        sb_vec3_sub(mesh->vertices[face[1]], p),
                        sb_vec3_sub(mesh->vertices[face[2]], p));
    }
    return fabs(sum) > SB_TAU; /* half of the full sphere */
}

static int compare_volume(const void *left, const void *right) {
    const sb_mesh_patch *const *a = left, *const *b = right;
    double va = fabs((*a)->volume_m3), vb = fabs((*b)->volume_m3);
    if (va != vb) return va > vb ? -1 : 1;
    return ((*a)->first > (*b)->first) - ((*a)->first < (*b)->first);
}

/* The smallest patch around sorted[i], or NULL; larger patches precede it. */
static const sb_mesh_patch *around(const sb_mesh *mesh, const int *face_list,
                                   sb_mesh_patch **sorted, int i,
                                   long *angles) {
    const sb_mesh_patch *in = sorted[i];
    sb_vec3 p = mesh->vertices[mesh->faces[face_list[in->first]][0]];
    for (int k = i - 1; k >= 0; k--) {
        const sb_mesh_patch *out = sorted[k];
        if (!is_box_inside(in, out)) continue;
        *angles += out->face_count;
        if (*angles > most_angles) return NULL;
        if (is_inside(mesh, face_list + out->first, out->face_count, p)) {
            return out;
        }
    }
    return NULL;
}

sb_status sb_mesh_nest(const sb_mesh *mesh, const int *face_list,
                       sb_mesh_patch *patches, int patch_count, sb_error *err) {
    sb_mesh_patch **sorted = sb_alloc((size_t)patch_count, sizeof(void *));
    if (!sorted) {
        return sb_fail(err, SB_NO_MEMORY, "no memory for a mesh's patches");
    }
    int count = 0;
    for (int i = 0; i < patch_count; i++) {
        if (patches[i].is_closed) sorted[count++] = &patches[i];
    }
    qsort((void *)sorted, (size_t)count, sizeof(void *), compare_volume);
    long angles = count > MOST_PATCHES ? most_angles : 0;
    for (int i = 0; i < count; i++) {
        const sb_mesh_patch *out =
            angles < most_angles ? around(mesh, face_list, sorted, i, &angles)
                                 : NULL;
        sorted[i]->must_turn = out ? out->must_turn : sorted[i]->volume_m3 < 0;
    }
    sb_free((void *)sorted);
    return SB_OK;
}
