/* Normals of faces, including needles. Runs on the control thread or a
 * worker. */
#include "runtime/model/fill/boundary.h"

#include "runtime/base/memory.h"

/* Coordinates from files have seven digits. The normal of a face whose
 * height, relative to the size of the whole, is below this is determined by
 * rounding, and would create false sharp edges. */
static const double NEEDLE_HEIGHT = 1e-5;
enum { ROUNDS_MOST = 64 }; /* bounds the length of a row of adjacent needles */

typedef struct looks {
    bool *is_sure;
    double *lengths;  /* length of the longest edge shared with a reliable
                       * face, m; 0: none */
    sb_vec3 *lenders; /* normal of that face */
} looks;

static void looks_free(looks *l) {
    sb_free(l->is_sure);
    sb_free(l->lengths);
    sb_free(l->lenders);
}

static bool looks_alloc(looks *l, sb_boundary *boundary) {
    size_t faces = (size_t)boundary->face_count;
    boundary->normals = sb_alloc(faces, sizeof *boundary->normals);
    l->is_sure = sb_alloc(faces, sizeof *l->is_sure);
    l->lengths = sb_alloc(faces, sizeof *l->lengths);
    l->lenders = sb_alloc(faces, sizeof *l->lenders);
    return boundary->normals && l->is_sure && l->lengths && l->lenders;
}

static void look_of_itself(sb_boundary *boundary, looks *l, int face) {
    const int *f = boundary->faces[face];
    sb_vec3 sides[3];
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        sides[k] = sb_vec3_sub(boundary->vertices[f[(k + 1) % 3]],
                               boundary->vertices[f[k]]);
        longest = fmax(longest, sb_vec3_length(sides[k]));
    }
    sb_vec3 across = sb_vec3_cross(sides[0], sides[1]);
    double size = sb_vec3_length(sb_vec3_sub(boundary->high, boundary->low));
    boundary->normals[face] = sb_vec3_normalised(across);
    l->is_sure[face] = sb_vec3_length(across) > NEEDLE_HEIGHT * size * longest;
}

static void lend(const sb_boundary *boundary, looks *l,
                 const sb_half_edge *edge, int from, int to) {
    double length = sb_vec3_length(sb_vec3_sub(boundary->vertices[edge->low],
                                               boundary->vertices[edge->high]));
    if (!l->is_sure[from] || l->is_sure[to] || length <= l->lengths[to]) return;
    l->lengths[to] = length;
    l->lenders[to] = boundary->normals[from];
}

/* A needle takes the normal of its neighbour along its longest edge. */
static bool lend_round(sb_boundary *boundary, looks *l,
                       const sb_half_edge *halves, int count) {
    bool any = false;
    for (int i = 0; i + 1 < count; i++) {
        const sb_half_edge *a = &halves[i], *b = a + 1;
        if (a->low != b->low || a->high != b->high) continue;
        lend(boundary, l, a, a->face, b->face);
        lend(boundary, l, a, b->face, a->face);
    }
    for (int i = 0; i < boundary->face_count; i++) {
        if (l->is_sure[i] || !(l->lengths[i] > 0)) continue;
        boundary->normals[i] = l->lenders[i];
        l->is_sure[i] = any = true;
    }
    return any;
}

sb_status sb_boundary_find_normals(sb_boundary *boundary,
                                   const sb_half_edge *halves, int count,
                                   sb_error *err) {
    looks l = {0};
    bool ok = looks_alloc(&l, boundary);
    for (int i = 0; ok && i < boundary->face_count; i++)
        look_of_itself(boundary, &l, i);
    for (int i = 0; ok && i < ROUNDS_MOST; i++) {
        if (!lend_round(boundary, &l, halves, count)) break;
    }
    looks_free(&l);
    if (!ok) return sb_fail(err, SB_NO_MEMORY, "no memory for the normals");
    return SB_OK;
}
