/* Edges with one face (mesh_border.h). Thread: control, workers. */
#include "runtime/model/mesh/mesh_border.h"

#include "runtime/base/memory.h"

#include <stdlib.h>

static int by_ends(const void *left, const void *right) {
    const int *a = left, *b = right;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

sb_status sb_mesh_border(const sb_mesh *mesh, int (**edges)[2], int *count,
                         sb_error *err) {
    int total = 3 * mesh->face_count, found = 0;
    int(*list)[2] = sb_alloc((size_t)total, sizeof *list);
    if (!list) return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory");
    for (int i = 0; i < total; i++) {
        const int *face = mesh->faces[i / 3];
        int a = face[i % 3], b = face[(i + 1) % 3];
        list[i][0] = a < b ? a : b;
        list[i][1] = a < b ? b : a;
    }
    qsort(list, (size_t)total, sizeof *list, by_ends);
    for (int i = 0, next; i < total; i = next) {
        next = i + 1;
        while (next < total && by_ends(list[i], list[next]) == 0)
            next++;
        if (next > i + 1) continue;
        list[found][0] = list[i][0];
        list[found++][1] = list[i][1];
    }
    if (found == 0) sb_free(list);
    *edges = found > 0 ? list : NULL;
    *count = found;
    return SB_OK;
}
