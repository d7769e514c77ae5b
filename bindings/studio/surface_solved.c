/* Surfaces of bodies that were solved by elements. Thread: any. */
#include "bindings/studio/body_surface_internal.h"

#include "runtime/base/memory.h"

/* --- bodies of elements --------------------------------------------------- */

/* The corner of a face as a place on the model. */
static sb_model_point corner_point(int face, int corner) {
    return (sb_model_point){face, corner == 1, corner == 2};
}

/* Where a vertex of the solution is used: by the first face, or, where a chart
 * of the texture begins, by another with other coordinates. */
typedef struct split {
    float uv[2];
    int made; /* the vertex made for it */
    int next; /* or -1 */
} split;

bool surface_take_solved(const sb_model *model, const sb_solution *solved,
                         surface *out) {
    int corners = 3 * solved->face_count, split_count = 0;
    split *splits = sb_alloc((size_t)corners, sizeof *splits);
    int *first = sb_alloc((size_t)solved->vertex_count, sizeof *first);
    bool is_made =
        splits && first && surface_reserve(out, corners, solved->face_count);
    for (int v = 0; v < solved->vertex_count && is_made; v++)
        first[v] = -1;
    for (int i = 0; i < corners && is_made; i++) {
        int face = i / 3, c = i % 3, v = solved->faces[face][c];
        const float none[2] = {0, 0};
        const float *uv = solved->uvs ? solved->uvs[face][c] : none;
        int at = first[v];
        while (at >= 0 &&
               (splits[at].uv[0] != uv[0] || splits[at].uv[1] != uv[1])) {
            at = splits[at].next;
        }
        if (at < 0) {
            sb_model_point point = corner_point(face, c);
            at = split_count++;
            splits[at] = (split){{uv[0], uv[1]}, out->vertex_count, first[v]};
            first[v] = at;
            int made =
                surface_add(out, model, point, sb_model_position(model, point));
            out->uvs[made][0] = uv[0];
            out->uvs[made][1] = uv[1];
        }
        out->faces[face][c] = (uint32_t)splits[at].made;
    }
    out->face_count = is_made ? solved->face_count : 0;
    sb_free(splits);
    sb_free(first);
    return is_made;
}
