/* Solid bodies as tetrahedra. Nodes have displacements only, so pinned and
 * clamped nodes are the same; a face whose nodes are all fixed is clamped. */
#include "runtime/base/stop.h"
#include "runtime/model/fem/assembly.h"
#include "runtime/model/fem/lump.h"
#include "runtime/model/fem/skin.h"
#include "runtime/model/fem/tet10.h"
#include "runtime/model/fill/fill.h"

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

static sb_status assemble(const sb_solid_mesh *solid,
                          const sb_material *material, const sb_hold *holds,
                          bool is_quadratic, bool is_lumped, sb_fem *out,
                          sb_error *err) {
    sb_assembly assembly;
    int per_tet = is_quadratic ? 10 : 4;
    sb_status status = check(solid, material, err);
    if (status) return status;
    const sb_assembly_def def = {
        .nodes = solid->nodes,
        .node_count = is_quadratic ? solid->node_count : solid->corner_count,
        .per_node = 3,
        .holds = holds,
        .cells = {&solid->tets[0][0], 10, per_tet, solid->tet_count},
        .lumped_dofs = is_lumped ? 3 : 0,
    };
    status = sb_assembly_begin(&assembly, &def, err);
    if (status) return status;
    status = add_tets(&assembly, solid, material, per_tet, err);
    if (!status) {
        status = sb_skin_find(solid, is_quadratic, &assembly.fem.faces,
                              &assembly.fem.face_count, err);
    }
    return sb_assembly_end(&assembly, status, out);
}

sb_status sb_fem_solid(const sb_solid_mesh *solid, const sb_material *material,
                       const sb_hold *holds, sb_fem *out, sb_error *err) {
    return assemble(solid, material, holds, true, false, out, err);
}

sb_status sb_fem_solid_lumped(const sb_solid_mesh *solid,
                              const sb_material *material, const sb_hold *holds,
                              sb_fem *out, sb_error *err) {
    return assemble(solid, material, holds, true, true, out, err);
}

sb_status sb_fem_tet4(const sb_solid_mesh *solid, const sb_material *material,
                      const sb_hold *holds, sb_fem *out, sb_error *err) {
    return assemble(solid, material, holds, false, false, out, err);
}
