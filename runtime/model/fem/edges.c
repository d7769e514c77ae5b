#include "runtime/model/fem/edges.h"

#include "runtime/base/memory.h"
#include "runtime/model/fem/assembly.h"

#include <limits.h>
#include <stdlib.h>

/* The area is the last key, so that sums do not depend on the order of
 * faces. */
static int compare(const void *left, const void *right) {
    const sb_edge *l = left, *r = right;
    if (l->a != r->a) return l->a < r->a ? -1 : 1;
    if (l->b != r->b) return l->b < r->b ? -1 : 1;
    return (l->area_m2 > r->area_m2) - (l->area_m2 < r->area_m2);
}

static int merge(sb_edge *list, int count) {
    int kept = 0;
    for (int i = 1; i < count; i++) {
        if (list[i].a == list[kept].a && list[i].b == list[kept].b) {
            list[kept].area_m2 += list[i].area_m2;
        } else {
            list[++kept] = list[i];
        }
    }
    return kept + 1;
}

sb_status sb_edges_find(const sb_mesh *mesh, sb_edges *out, sb_error *err) {
    sb_edge *list = NULL;
    if (mesh->face_count <= INT_MAX / 3) {
        list = sb_alloc(3 * (size_t)mesh->face_count, sizeof *list);
    }
    if (!list) {
        return sb_fail(err, SB_NO_MEMORY,
                       "mesh: out of memory for the edges of %d faces",
                       mesh->face_count);
    }
    int count = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        double area = sb_face_area_m2(mesh, i);
        for (int j = 0; j < 3; j++) {
            int a = mesh->faces[i][j], b = mesh->faces[i][(j + 1) % 3];
            list[count++] = (sb_edge){a < b ? a : b, a < b ? b : a, area};
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare);
    *out = (sb_edges){merge(list, count), list};
    return SB_OK;
}

void sb_edges_free(sb_edges *edges) {
    sb_free(edges->list);
    *edges = (sb_edges){0};
}
