/* Shared by shells and springs: surfaces whose faces have a thickness. */
#include "runtime/base/memory.h"
#include "runtime/model/fem/assembly.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>
#include <string.h>

static double squared(sb_vec3 a) {
    return sb_vec3_dot(a, a);
}

double sb_face_area_m2(const sb_mesh *mesh, int face) {
    const int *at = mesh->faces[face];
    sb_vec3 a = sb_vec3_sub(mesh->vertices[at[1]], mesh->vertices[at[0]]);
    sb_vec3 b = sb_vec3_sub(mesh->vertices[at[2]], mesh->vertices[at[0]]);
    return 0.5 * sb_vec3_length(sb_vec3_cross(a, b));
}

/* An angle below 1e-9 leaves no direction in double precision. */
static sb_status check_face(const sb_mesh *mesh, int face, sb_error *err) {
    const int *at = mesh->faces[face];
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        if (at[i] < 0 || at[i] >= mesh->vertex_count) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "mesh: face %d refers to vertex %d of %d", face,
                           at[i], mesh->vertex_count);
        }
    }
    for (int i = 0; i < 3; i++) {
        double edge = squared(sb_vec3_sub(mesh->vertices[at[i]],
                                          mesh->vertices[at[(i + 1) % 3]]));
        if (!(edge <= longest)) longest = edge;
    }
    if (!(sb_face_area_m2(mesh, face) > 1e-9 * longest)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mesh: face %d has no area; drop it or weld its corners",
                       face);
    }
    return SB_OK;
}

sb_status sb_sheet_check(const sb_mesh *mesh, const sb_material *material,
                         double thickness_m, sb_error *err) {
    sb_status status = SB_OK;
    if (!(thickness_m > 0 && isfinite(thickness_m))) {
        status =
            sb_fail(err, SB_BAD_ARGUMENT,
                    "mesh: thickness must be above 0, got %g m", thickness_m);
    } else if (mesh->face_count < 1) {
        status = sb_fail(err, SB_BAD_ARGUMENT, "mesh: it has no faces");
    } else {
        status = sb_elastic_check(material, err);
    }
    for (int i = 0; i < mesh->face_count && !status; i++) {
        status = check_face(mesh, i, err);
    }
    return status;
}

sb_status sb_sheet_finish(sb_assembly *assembly, const sb_mesh *mesh,
                          double mass_kg_m2, sb_error *err) {
    sb_fem *fem = &assembly->fem;
    size_t count = (size_t)mesh->face_count;
    double *thirds = sb_alloc((size_t)mesh->vertex_count, sizeof *thirds);
    fem->faces = sb_alloc(count, sizeof *fem->faces);
    if (!thirds || !fem->faces) {
        sb_free(thirds);
        return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for %d faces",
                       mesh->face_count);
    }
    memcpy(fem->faces, mesh->faces, count * sizeof *fem->faces);
    fem->face_count = mesh->face_count;
    double area = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        double own = sb_face_area_m2(mesh, i);
        area += own;
        for (int j = 0; j < 3; j++) {
            thirds[mesh->faces[i][j]] += own / 3;
        }
    }
    fem->mass_kg = mass_kg_m2 * area;
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_assembly_add_mass(assembly, i, mass_kg_m2 * thirds[i]);
    }
    sb_free(thirds);
    return SB_OK;
}
