/* SPDX-License-Identifier: MIT */
#include "runtime/model/mesh/mesh.h"

#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"

#include <stdio.h>
#include <string.h>

void sb_mesh_free(sb_mesh *mesh) {
    sb_free_all(mesh->vertices, mesh->faces, mesh->uvs, mesh->tets);
    *mesh = (sb_mesh){0};
}

/* NULL stays NULL; false when out of memory. */
static bool copy_array(void *to_pointer, const void *from, int count,
                       size_t item_size) {
    if (!from) return true;
    void *copy = sb_alloc((size_t)count, item_size);
    if (!copy) return false;
    if (count > 0) memcpy(copy, from, (size_t)count * item_size);
    memcpy(to_pointer, &copy, sizeof copy);
    return true;
}

sb_status sb_mesh_copy(sb_mesh *out, const sb_mesh *mesh, sb_error *err) {
    sb_mesh copy = *mesh;
    copy.vertices = NULL;
    copy.faces = NULL;
    copy.uvs = NULL;
    copy.tets = NULL;
    if (copy_array(&copy.vertices, mesh->vertices, mesh->vertex_count,
                   sizeof *mesh->vertices) &&
        copy_array(&copy.faces, mesh->faces, mesh->face_count,
                   sizeof *mesh->faces) &&
        copy_array(&copy.uvs, mesh->uvs, mesh->face_count, sizeof *mesh->uvs) &&
        copy_array(&copy.tets, mesh->tets, mesh->tet_count,
                   sizeof *mesh->tets)) {
        *out = copy;
        return SB_OK;
    }
    sb_mesh_free(&copy);
    return sb_no_memory_for(err, "a copy of the mesh");
}

static void join(int *parent, const int *vertices, int count) {
    for (int i = 1; i < count; i++) {
        (void)sb_union_find_join(parent, vertices[0], vertices[i]);
    }
}

sb_status sb_mesh_components(const sb_mesh *mesh, int *component_of, int *count,
                             sb_error *err) {
    int vertex_count = mesh->vertex_count;
    int *parent = sb_alloc((size_t)vertex_count, sizeof *parent);
    if (!parent) {
        return sb_no_memory_for(err, "a mesh's components");
    }
    sb_union_find_init(parent, vertex_count);
    for (int f = 0; f < mesh->face_count; f++) {
        join(parent, mesh->faces[f], 3);
    }
    for (int t = 0; t < mesh->tet_count; t++) {
        join(parent, mesh->tets[t], 4);
    }
    int found = 0;
    for (int i = 0; i < vertex_count; i++) {
        int root = sb_union_find_root(parent, i);
        if (root == i) found++;
        /* A root is the first of its set, so it is numbered before the
         * others. */
        if (component_of) {
            component_of[i] = root == i ? found - 1 : component_of[root];
        }
    }
    sb_free(parent);
    *count = found;
    return SB_OK;
}

static void print_length(char *text, size_t size, double length_m) {
    if (length_m >= 1) {
        (void)snprintf(text, size, "%.3g m", length_m);
    } else if (length_m >= 1e-3) {
        (void)snprintf(text, size, "%.3g mm", length_m * 1e3);
    } else {
        (void)snprintf(text, size, "%.3g um", length_m * 1e6);
    }
}

bool sb_mesh_size_remark(const sb_mesh_report *report, char *text,
                         size_t size) {
    sb_vec3 side_m = sb_vec3_sub(report->high_m, report->low_m);
    double largest_m = fmax(side_m.x, fmax(side_m.y, side_m.z));
    if (largest_m >= 1e-3 && largest_m <= 5) return false;
    char now[32], then[32];
    double factor = largest_m < 1 ? 1e3 : 1e-3;
    print_length(now, sizeof now, largest_m);
    print_length(then, sizeof then, largest_m * factor);
    if (factor > 1) {
        (void)snprintf(text, size,
                       "its largest side is %s; files are read as metres, and "
                       "scale = 1000 would make it %s",
                       now, then);
    } else {
        (void)snprintf(text, size,
                       "its largest side is %s; files are read as metres: if "
                       "it is in millimetres, scale = 0.001 makes it %s",
                       now, then);
    }
    return true;
}

bool sb_mesh_cut_remark(const sb_mesh_report *report, char *text, size_t size) {
    if (report->cut_points == 0) return false;
    (void)snprintf(text, size,
                   "parts of it only touch, at %d %s: cut there, each vibrates "
                   "on its own",
                   report->cut_points,
                   report->cut_points == 1 ? "vertex" : "vertices");
    return true;
}
