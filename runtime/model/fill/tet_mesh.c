/* SPDX-License-Identifier: MIT */
/* Storage and local changes of a tetrahedral mesh. Runs on the control thread
 * or a worker. */
#include "runtime/model/fill/fill_internal.h"

#include "runtime/base/memory.h"

#include <string.h>

void sb_tet_mesh_free(sb_tet_mesh *mesh) {
    sb_free_all(mesh->points, mesh->tets, mesh->next, mesh->spare);
    *mesh = (sb_tet_mesh){0};
}

int sb_tet_mesh_point(sb_tet_mesh *mesh, sb_tet_point point) {
    if (!sb_grow_list(mesh->points, mesh->point_capacity,
                      mesh->point_count + 1)) {
        mesh->is_out_of_memory = true;
        return -1;
    }
    point.star = -1;
    mesh->points[mesh->point_count] = point;
    return mesh->point_count++;
}

bool sb_tet_mesh_room(sb_tet_mesh *mesh, int tets) {
    int need = mesh->tet_count + tets;
    int capacity = mesh->tet_capacity, next_capacity = mesh->tet_capacity;
    if (need > capacity) {
        if (!sb_grow_list(mesh->next, next_capacity, need) ||
            !sb_grow_list(mesh->tets, capacity, need)) {
            mesh->is_out_of_memory = true;
            return false;
        }
        mesh->tet_capacity = capacity;
    }
    if (!sb_grow_list(mesh->spare, mesh->spare_capacity, mesh->tet_capacity)) {
        mesh->is_out_of_memory = true;
        return false;
    }
    return true;
}

void sb_tet_mesh_put(sb_tet_mesh *mesh, const int tet[4]) {
    int place = mesh->spare_count > 0 ? mesh->spare[--mesh->spare_count]
                                      : mesh->tet_count++;
    for (int i = 0; i < 4; i++) {
        mesh->tets[place][i] = tet[i];
        mesh->next[place][i] = mesh->points[tet[i]].star;
        mesh->points[tet[i]].star = 4 * place + i;
    }
}

void sb_tet_mesh_take(sb_tet_mesh *mesh, int tet) {
    for (int i = 0; i < 4; i++) {
        int *link = &mesh->points[mesh->tets[tet][i]].star;
        while (*link != 4 * tet + i) {
            link = &mesh->next[*link / 4][*link % 4];
        }
        *link = mesh->next[tet][i];
    }
    mesh->tets[tet][0] = -1;
    mesh->spare[mesh->spare_count++] = tet;
}

bool sb_tet_has(const int tet[4], int point) {
    return tet[0] == point || tet[1] == point || tet[2] == point ||
           tet[3] == point;
}

int sb_tet_mesh_around(const sb_tet_mesh *mesh, const int *points, int count,
                       int *found, int most) {
    int found_count = 0;
    for (int s = mesh->points[points[0]].star; s >= 0;
         s = mesh->next[s / 4][s % 4]) {
        const int *tet = mesh->tets[s / 4];
        bool has_all = true;
        for (int i = 1; i < count && has_all; i++) {
            has_all = sb_tet_has(tet, points[i]);
        }
        if (!has_all) continue;
        if (found_count == most) return -1;
        found[found_count++] = s / 4;
    }
    return found_count;
}

int sb_tet_mesh_across(const sb_tet_mesh *mesh, int tet, int corner) {
    const int *t = mesh->tets[tet];
    int face[3] = {t[(corner + 1) & 3], t[(corner + 2) & 3],
                   t[(corner + 3) & 3]};
    int found[2];
    int count = sb_tet_mesh_around(mesh, face, 3, found, 2);
    if (count < 2) return -1;
    return found[0] == tet ? found[1] : found[0];
}

static bool all_have_volume(const sb_tet_mesh *mesh, const int *around,
                            int around_count, const int *points, int count,
                            sb_vec3 at) {
    for (int i = 0; i < around_count; i++) {
        const int *t = mesh->tets[around[i]];
        for (int k = 0; k < 4; k++) {
            bool is_replaced = false;
            for (int j = 0; j < count; j++) {
                is_replaced = is_replaced || points[j] == t[k];
            }
            if (!is_replaced) continue;
            sb_vec3 c[4];
            double edge = 0;
            for (int j = 0; j < 4; j++) {
                c[j] = j == k ? at : mesh->points[t[j]].at;
                sb_vec3 e = sb_vec3_sub(c[j], c[0]);
                edge = fmax(edge, sb_vec3_dot(e, e));
            }
            double v = sb_tet_volume6(c[0], c[1], c[2], c[3]);
            if (v <= 1e-9 * edge * sqrt(edge)) return false;
        }
    }
    return true;
}

int sb_tet_mesh_insert(sb_tet_mesh *mesh, const int *points, int count,
                       sb_tet_point point) {
    int around[SB_STAR_MOST];
    int n = sb_tet_mesh_around(mesh, points, count, around, SB_STAR_MOST);
    if (n <= 0 || !all_have_volume(mesh, around, n, points, count, point.at) ||
        !sb_tet_mesh_room(mesh, n * count)) {
        return -1;
    }
    int p = sb_tet_mesh_point(mesh, point);
    if (p < 0) return -1;
    for (int i = 0; i < n; i++) {
        int old[4];
        memcpy(old, mesh->tets[around[i]], sizeof old);
        sb_tet_mesh_take(mesh, around[i]);
        for (int j = 0; j < count; j++) {
            int fresh[4];
            for (int k = 0; k < 4; k++) {
                fresh[k] = old[k] == points[j] ? p : old[k];
            }
            sb_tet_mesh_put(mesh, fresh);
        }
    }
    return p;
}

double sb_tet_volume6(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 d) {
    return sb_vec3_dot(sb_vec3_sub(d, a), sb_vec3_span(a, b, c));
}

/* sin = 3 V l / (2 A A') at the edge of length l between faces A and A'. */
double sb_tet_quality(sb_vec3 a, sb_vec3 b, sb_vec3 c, sb_vec3 d) {
    sb_vec3 p[4] = {a, b, c, d};
    static const int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double area2[4];
    for (int f = 0; f < 4; f++) {
        sb_vec3 o = p[faces[f][0]];
        area2[f] =
            sb_vec3_length(sb_vec3_span(o, p[faces[f][1]], p[faces[f][2]]));
    }
    double volume6 = sb_tet_volume6(a, b, c, d), least = INFINITY;
    for (int i = 0; i < 4; i++) {
        for (int j = i + 1; j < 4; j++) {
            int k = i == 0 ? (j == 1 ? 2 : 1) : 0;
            int l = 6 - i - j - k;
            double product = area2[k] * area2[l];
            if (product <= 0) return -1;
            double length = sb_vec3_length(sb_vec3_sub(p[i], p[j]));
            double sine = volume6 * length / product;
            if (sine < least) least = sine;
        }
    }
    return least;
}

double sb_tet_mesh_quality(const sb_tet_mesh *mesh, const int tet[4]) {
    return sb_tet_quality(mesh->points[tet[0]].at, mesh->points[tet[1]].at,
                          mesh->points[tet[2]].at, mesh->points[tet[3]].at);
}

double sb_tet_mesh_star_quality(const sb_tet_mesh *mesh, int point,
                                sb_vec3 at) {
    double least = INFINITY;
    for (int s = mesh->points[point].star; s >= 0;
         s = mesh->next[s / 4][s % 4]) {
        sb_vec3 p[4];
        for (int k = 0; k < 4; k++) {
            int v = mesh->tets[s / 4][k];
            p[k] = v == point ? at : mesh->points[v].at;
        }
        least = fmin(least, sb_tet_quality(p[0], p[1], p[2], p[3]));
    }
    return least;
}
