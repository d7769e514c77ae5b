/* Sorts keys by vertices: distributes them into buckets by the lowest
 * vertex, then sorts each bucket, which is small for real meshes, by
 * comparison. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_internal.h"

#include <stdlib.h>

enum { FEW = 24 }; /* insertion sort is faster below this */

static int compare(const void *left, const void *right) {
    const sb_mesh_key *a = left, *b = right;
    for (int i = 0; i < 4; i++) {
        if (a->vertices[i] != b->vertices[i]) {
            return a->vertices[i] < b->vertices[i] ? -1 : 1;
        }
    }
    return (a->id > b->id) - (a->id < b->id);
}

static void sort_bucket(sb_mesh_key *keys, int count) {
    if (count > FEW) {
        qsort(keys, (size_t)count, sizeof *keys, compare);
        return;
    }
    for (int i = 1; i < count; i++) {
        sb_mesh_key key = keys[i];
        int at = i;
        for (; at > 0 && compare(&key, &keys[at - 1]) < 0; at--) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

sb_mesh_key *sb_mesh_keys_sort(sb_mesh_key *keys, int count, int vertex_count) {
    sb_mesh_key *sorted = sb_alloc((size_t)count, sizeof *sorted);
    int *end = sb_alloc((size_t)vertex_count + 1, sizeof *end);
    if (!sorted || !end) {
        sb_free(keys);
        sb_free(sorted);
        sb_free(end);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        end[keys[i].vertices[0] + 1]++;
    }
    for (int v = 0; v < vertex_count; v++) {
        end[v + 1] += end[v];
    }
    for (int i = 0; i < count; i++) { /* end[v]: end of v's bucket */
        sorted[end[keys[i].vertices[0]]++] = keys[i];
    }
    sb_free(keys);
    for (int v = 0, start = 0; v < vertex_count; start = end[v++]) {
        sort_bucket(sorted + start, end[v] - start);
    }
    sb_free(end);
    return sorted;
}

bool sb_mesh_keys_equal(const sb_mesh_key *a, const sb_mesh_key *b) {
    for (int i = 0; i < 4; i++) {
        if (a->vertices[i] != b->vertices[i]) return false;
    }
    return true;
}

sb_mesh_key sb_mesh_key_of(const int *vertices, int count, int id) {
    sb_mesh_key key = {{0}, id};
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && vertices[i] < key.vertices[at - 1]; at--) {
            key.vertices[at] = key.vertices[at - 1];
        }
        key.vertices[at] = vertices[i];
    }
    return key;
}
