/* SPDX-License-Identifier: MIT */
/* Solid bodies as tetrahedra. Nodes have displacements only, so pinned and
 * clamped nodes are the same; a face whose nodes are all fixed is clamped. */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/fem/assembly.h"
#include "runtime/model/fem/tet10.h"
#include "runtime/model/fill/fill.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- the skin ------------------------------------------------------------- */

typedef struct side {
    int key[3]; /* corners, ascending */
    int tet, which;
} side;

/* Nodes of the sides, facing outward: corners, then the middles of the edges
 * from first to second, second to third, third to first. */
static const int sides[4][6] = {{0, 2, 1, 6, 5, 4},
                                {0, 1, 3, 4, 8, 7},
                                {1, 2, 3, 5, 9, 8},
                                {0, 3, 2, 7, 9, 6}};

static int compare(const void *left, const void *right) {
    const side *l = left, *r = right;
    for (int i = 0; i < 3; i++) {
        if (l->key[i] != r->key[i]) return l->key[i] < r->key[i] ? -1 : 1;
    }
    if (l->tet != r->tet) return l->tet < r->tet ? -1 : 1;
    return l->which - r->which;
}

static void order(int *a, int *b) {
    if (*a <= *b) return;
    int kept = *a;
    *a = *b;
    *b = kept;
}

static void list_sides(const sb_solid_mesh *solid, side *list) {
    for (int i = 0; i < 4 * solid->tet_count; i++) {
        side s = {.tet = i / 4, .which = i % 4};
        for (int j = 0; j < 3; j++) {
            s.key[j] = solid->tets[s.tet][sides[s.which][j]];
        }
        order(&s.key[0], &s.key[1]);
        order(&s.key[1], &s.key[2]);
        order(&s.key[0], &s.key[1]);
        list[i] = s;
    }
}

/* Keeps the sides that occur once; returns their number. */
static int keep_single(side *list, int count) {
    int kept = 0;
    for (int i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count &&
               memcmp(list[i].key, list[next].key, sizeof list[i].key) == 0) {
            next++;
        }
        if (next == i + 1) list[kept++] = list[i];
    }
    return kept;
}

static void write_faces(const sb_solid_mesh *solid, const side *list, int count,
                        bool is_quadratic, int (*faces)[3]) {
    static const int parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    int each = is_quadratic ? 4 : 1;
    for (int i = 0; i < count; i++) {
        const int *tet = solid->tets[list[i].tet];
        const int *at = sides[list[i].which];
        for (int j = 0; j < each * 3; j++) {
            int corner = is_quadratic ? parts[j / 3][j % 3] : j;
            faces[each * i + j / 3][j % 3] = tet[at[corner]];
        }
    }
}

sb_status sb_skin_find(const sb_solid_mesh *solid, bool is_quadratic,
                       int (**faces)[3], int *face_count, sb_error *err) {
    size_t count = 4 * (size_t)solid->tet_count;
    side *list = NULL;
    int(*made)[3] = NULL;
    int kept = 0;
    if (solid->tet_count <= INT_MAX / 16) list = sb_alloc(count, sizeof *list);
    if (list) {
        list_sides(solid, list);
        qsort(list, count, sizeof *list, compare);
        kept = keep_single(list, (int)count);
        made = sb_alloc(4 * (size_t)kept, sizeof *made);
    }
    if (!made) {
        sb_free(list);
        return sb_fail(err, SB_NO_MEMORY,
                       "mesh: out of memory for the skin of %d tetrahedra",
                       solid->tet_count);
    }
    write_faces(solid, list, kept, is_quadratic, made);
    sb_free(list);
    *faces = made;
    *face_count = is_quadratic ? 4 * kept : kept;
    return SB_OK;
}

/* --- elements ------------------------------------------------------------- */

static sb_status check(const sb_solid_mesh *solid, const sb_material *material,
                       sb_error *err) {
    if (solid->tet_count < 1) {
        return sb_fail(err, SB_BAD_ARGUMENT, "mesh: it has no tetrahedra");
    }
    for (int i = 0; i < 10 * solid->tet_count; i++) {
        int node = solid->tets[i / 10][i % 10];
        bool is_there = node >= 0 && node < solid->node_count;
        if (!is_there || (i % 10 < 4 && node >= solid->corner_count)) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "mesh: tetrahedron %d refers to node %d of %d",
                           i / 10, node, solid->node_count);
        }
    }
    return sb_elastic_check(material, err);
}

static sb_status bad_tet(const sb_solid_mesh *solid, int tet, sb_error *err) {
    sb_vec3 at = solid->nodes[solid->tets[tet][0]];
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "mesh: tetrahedron %d, with a corner at (%g, %g, %g) m, is "
                   "flat or inside out",
                   tet, at.x, at.y, at.z);
}

static void add_lumped(sb_assembly *assembly, const int nodes[10],
                       const sb_tet_matrices *element, double mass_kg) {
    double masses[10];
    sb_lump_tet10(element, mass_kg, masses);
    for (int n = 0; n < 10; n++) {
        sb_assembly_add_mass(assembly, nodes[n], masses[n]);
    }
}

enum { TETS_PER_ASK = 1000 }; /* some hundredths of a second */

static sb_status add_tets(sb_assembly *assembly, const sb_solid_mesh *solid,
                          const sb_material *material, int per_tet,
                          sb_error *err) {
    sb_tet_matrices element;
    bool (*of_tet)(const sb_vec3 *, const sb_material *, sb_tet_matrices *) =
        per_tet == 4                ? sb_tet4
        : assembly->lumped_dofs > 0 ? sb_tet10_four
                                    : sb_tet10;
    for (int i = 0; i < solid->tet_count; i++) {
        const int *at = solid->tets[i];
        if (i % TETS_PER_ASK == 0 && sb_stop_is_wanted())
            return sb_stop_check(err);
        sb_vec3 nodes[SB_TET_NODES_MOST];
        for (int j = 0; j < per_tet; j++) {
            nodes[j] = solid->nodes[at[j]];
        }
        bool is_good = of_tet(nodes, material, &element);
        if (!is_good) return bad_tet(solid, i, err);
        sb_assembly_add_k(assembly, at, per_tet, element.k);
        double mass_kg = material->density * element.volume_m3;
        if (assembly->lumped_dofs > 0)
            add_lumped(assembly, at, &element, mass_kg);
        else
            sb_assembly_add_m(assembly, at, per_tet, element.m);
        assembly->fem.mass_kg += mass_kg;
    }
    return SB_OK;
}

static sb_status assemble(const sb_fem_def *fem, sb_fem *out, sb_error *err) {
    const sb_solid_mesh *solid = fem->solid;
    sb_assembly assembly;
    bool is_quadratic = fem->method == SB_METHOD_SOLID;
    int per_tet = is_quadratic ? 10 : 4;
    sb_status status = check(solid, fem->material, err);
    if (status) return status;
    const sb_assembly_def def = {
        .nodes = solid->nodes,
        .node_count = is_quadratic ? solid->node_count : solid->corner_count,
        .per_node = 3,
        .holds = fem->holds,
        .cells = {&solid->tets[0][0], 10, per_tet, solid->tet_count},
        .lumped_dofs = is_quadratic && fem->is_lumped ? 3 : 0,
    };
    status = sb_assembly_begin(&assembly, &def, err);
    if (status) return status;
    status = add_tets(&assembly, solid, fem->material, per_tet, err);
    if (!status) {
        status = sb_skin_find(solid, is_quadratic, &assembly.fem.faces,
                              &assembly.fem.face_count, err);
    }
    return sb_assembly_end(&assembly, status, out);
}

sb_status sb_fem_make(const sb_fem_def *def, sb_fem *out, sb_error *err) {
    switch (def->method) {
    case SB_METHOD_SHELL:
    case SB_METHOD_SPRINGS:
    case SB_METHOD_SPRINGS_LITERAL:
        return sb_fem_of_sheet(def, out, err);
    case SB_METHOD_SOLID:
    case SB_METHOD_TET4:
        return assemble(def, out, err);
    case SB_METHOD_AUTO:
    case SB_METHOD_ANALYTIC:
    case SB_METHOD_COUNT:
        break;
    }
    return sb_fail(err, SB_BAD_ARGUMENT, "mesh: no such method");
}
