/* Sheets as flat triangles with six degrees of freedom per vertex. Only
 * displacements carry mass. Rotational inertia would add spurious modes, and
 * those of the rotations about the normals would lie among the true ones. */
#include "runtime/model/fem/assembly.h"
#include "runtime/model/fem/lump.h"
#include "runtime/model/fem/shell_element.h"
#include "runtime/model/mesh/mesh.h"

static void add_faces(sb_assembly *assembly, const sb_mesh *mesh,
                      const sb_shell_section *section) {
    double k[SB_SHELL_DOFS][SB_SHELL_DOFS];
    for (int i = 0; i < mesh->face_count; i++) {
        const int *at = mesh->faces[i];
        const sb_vec3 corners[3] = {mesh->vertices[at[0]],
                                    mesh->vertices[at[1]],
                                    mesh->vertices[at[2]]};
        sb_shell_element(corners, section, k);
        sb_assembly_add_k(assembly, at, 3, &k[0][0]);
    }
}

static void add_inertias(sb_assembly *assembly, const sb_mesh *mesh,
                         double mass_kg_m2, double thickness_m) {
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        double area = sb_face_area_m2(mesh, i / 3);
        sb_assembly_add_inertia(
            assembly, mesh->faces[i / 3][i % 3],
            sb_lump_inertia(mass_kg_m2 * area / 3, thickness_m, area));
    }
}

static sb_status assemble(const sb_mesh *mesh, const sb_material *material,
                          double thickness_m, const sb_hold *holds,
                          bool has_inertia, sb_fem *out, sb_error *err) {
    sb_assembly assembly;
    sb_status status = sb_sheet_check(mesh, material, thickness_m, err);
    if (status) return status;
    const sb_assembly_def def = {
        .nodes = mesh->vertices,
        .node_count = mesh->vertex_count,
        .per_node = 6,
        .holds = holds,
        .cells = {&mesh->faces[0][0], 3, 3, mesh->face_count},
        .lumped_dofs = has_inertia ? 6 : 3,
        .has_inertia = has_inertia,
    };
    status = sb_assembly_begin(&assembly, &def, err);
    if (status) return status;
    const sb_shell_section section = {material->youngs_modulus,
                                      material->poisson_ratio, thickness_m};
    add_faces(&assembly, mesh, &section);
    double mass_kg_m2 = material->density * thickness_m;
    if (has_inertia) add_inertias(&assembly, mesh, mass_kg_m2, thickness_m);
    status = sb_sheet_finish(&assembly, mesh, mass_kg_m2, err);
    return sb_assembly_end(&assembly, status, out);
}

sb_status sb_fem_shell(const sb_mesh *mesh, const sb_material *material,
                       double thickness_m, const sb_hold *holds, sb_fem *out,
                       sb_error *err) {
    return assemble(mesh, material, thickness_m, holds, false, out, err);
}

sb_status sb_fem_shell_lumped(const sb_mesh *mesh, const sb_material *material,
                              double thickness_m, const sb_hold *holds,
                              sb_fem *out, sb_error *err) {
    return assemble(mesh, material, thickness_m, holds, true, out, err);
}
