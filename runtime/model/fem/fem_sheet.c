/* SPDX-License-Identifier: MIT */
/* Surfaces whose faces have a thickness: as shells, and as masses and springs.
 * Control thread or a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/fem/assembly.h"
#include "runtime/model/fem/shell_element.h"
#include "runtime/model/mesh/mesh.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double squared(sb_vec3 a) {
    return sb_vec3_dot(a, a);
}

static double face_area_m2(const sb_mesh *mesh, int face) {
    return 0.5 *
           sb_vec3_length(sb_face_cross(mesh->vertices, mesh->faces[face]));
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
    if (!(face_area_m2(mesh, face) > 1e-9 * longest)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mesh: face %d has no area; drop it or weld its corners",
                       face);
    }
    return SB_OK;
}

static sb_status check_sheet(const sb_mesh *mesh, const sb_material *material,
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

static sb_status finish_sheet(sb_assembly *assembly, const sb_mesh *mesh,
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
        double own = face_area_m2(mesh, i);
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

/* --- shells --------------------------------------------------------------- */

/* Flat triangles with six degrees of freedom per vertex. Only displacements
 * carry mass. Rotational inertia would add spurious modes, and those of the
 * rotations about the normals would lie among the true ones. */
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
        double area = face_area_m2(mesh, i / 3);
        sb_assembly_add_inertia(
            assembly, mesh->faces[i / 3][i % 3],
            sb_lump_inertia(mass_kg_m2 * area / 3, thickness_m, area));
    }
}

static sb_status assemble_shell(const sb_fem_def *fem, sb_fem *out,
                                sb_error *err) {
    const sb_mesh *mesh = fem->sheet;
    const sb_assembly_def def = {
        .nodes = mesh->vertices,
        .node_count = mesh->vertex_count,
        .per_node = 6,
        .holds = fem->holds,
        .cells = {&mesh->faces[0][0], 3, 3, mesh->face_count},
        .lumped_dofs = fem->is_lumped ? 6 : 3,
        .has_inertia = fem->is_lumped,
    };
    sb_assembly assembly;
    sb_status status = sb_assembly_begin(&assembly, &def, err);
    if (status) return status;
    const sb_shell_section section = {fem->material->youngs_modulus,
                                      fem->material->poisson_ratio,
                                      fem->thickness_m};
    add_faces(&assembly, mesh, &section);
    double mass_kg_m2 = fem->material->density * fem->thickness_m;
    if (fem->is_lumped)
        add_inertias(&assembly, mesh, mass_kg_m2, fem->thickness_m);
    status = finish_sheet(&assembly, mesh, mass_kg_m2, err);
    return sb_assembly_end(&assembly, status, out);
}

/* --- the edges of a surface, each once ------------------------------------ */

typedef struct mesh_edge {
    int a, b;       /* vertices, a < b; first member, as sb_cells requires */
    double area_m2; /* of all faces that share it */
} mesh_edge;

typedef struct edge_list {
    int count;
    mesh_edge *list; /* ascending by a, then b */
} edge_list;

/* The area is the last key, so that sums do not depend on the order of
 * faces. */
static int compare_edges(const void *left, const void *right) {
    const mesh_edge *l = left, *r = right;
    if (l->a != r->a) return l->a < r->a ? -1 : 1;
    if (l->b != r->b) return l->b < r->b ? -1 : 1;
    return (l->area_m2 > r->area_m2) - (l->area_m2 < r->area_m2);
}

static int merge_edges(mesh_edge *list, int count) {
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

static sb_status find_edges(const sb_mesh *mesh, edge_list *out,
                            sb_error *err) {
    mesh_edge *list = NULL;
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
        double area = face_area_m2(mesh, i);
        for (int j = 0; j < 3; j++) {
            int a = mesh->faces[i][j], b = mesh->faces[i][(j + 1) % 3];
            list[count++] = (mesh_edge){a < b ? a : b, a < b ? b : a, area};
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare_edges);
    *out = (edge_list){merge_edges(list, count), list};
    return SB_OK;
}

/* --- springs -------------------------------------------------------------- */

/* Two layers: each vertex is two points at +-t / sqrt 12 along its normal,
 * which gives the right moment of inertia of the section. In each layer every
 * edge is a spring of E (t / 2) (area of its faces) / length^2. This is exact
 * on equilateral triangles, where it acts as nu = 1/3. A rod joins the two
 * points of a vertex, and braces join both diagonals of every edge: without
 * braces the layers slide, and much stiffer ones lock. The unknowns of a
 * vertex are the mean u of its two points and their half-difference d: the
 * points are u + d and u - d, and u is the displacement of the surface. On
 * meshes far from equilateral the frequencies are off by some 15 %.
 *
 * Literal: one layer, E t on every edge (Raghuvanshi & Lin 2006, 3.1). A flat
 * mesh of N vertices then has N + 3 motions without stiffness. */
static const double rod_stiffness = 10;  /* relative to E t, N/m */
static const double brace_stiffness = 3; /* relative to E t, N/m */

/* k += stiffness r r' for one spring; r is the derivative of its elongation. */
static void add_spring(double *k, const double *r, int n, double stiffness) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            k[i * n + j] += stiffness * r[i] * r[j];
        }
    }
}

typedef struct layers {
    const sb_mesh *mesh;
    sb_vec3 *offsets; /* vector from the surface to the upper layer */
    double stiffness; /* E t, N/m */
} layers;

/* Adds a spring between vertex a's point on side sa (+1 upper, -1 lower) and
 * b's on sb. */
static void add_link(double k[144], const layers *of, const mesh_edge *edge,
                     double side_a, double side_b, double stiffness) {
    sb_vec3 from = sb_vec3_add(of->mesh->vertices[edge->a],
                               sb_vec3_scale(of->offsets[edge->a], side_a));
    sb_vec3 to = sb_vec3_add(of->mesh->vertices[edge->b],
                             sb_vec3_scale(of->offsets[edge->b], side_b));
    sb_vec3 s = sb_vec3_normalised(sb_vec3_sub(to, from));
    const double r[12] = {
        -s.x, -s.y, -s.z, -side_a * s.x, -side_a * s.y, -side_a * s.z,
        s.x,  s.y,  s.z,  side_b * s.x,  side_b * s.y,  side_b * s.z};
    add_spring(k, r, 12, stiffness);
}

static void add_edge(sb_assembly *assembly, const layers *of,
                     const mesh_edge *edge) {
    const int nodes[2] = {edge->a, edge->b};
    sb_vec3 along =
        sb_vec3_sub(of->mesh->vertices[edge->b], of->mesh->vertices[edge->a]);
    double layer =
        0.5 * of->stiffness * edge->area_m2 / sb_vec3_dot(along, along);
    double brace = brace_stiffness * of->stiffness;
    double k[144] = {0};
    add_link(k, of, edge, 1, 1, layer);
    add_link(k, of, edge, -1, -1, layer);
    add_link(k, of, edge, 1, -1, brace);
    add_link(k, of, edge, -1, 1, brace);
    sb_assembly_add_k(assembly, nodes, 2, k);
}

static void add_rod(sb_assembly *assembly, const layers *of, int vertex) {
    sb_vec3 s = sb_vec3_normalised(of->offsets[vertex]);
    const double r[6] = {0, 0, 0, 2 * s.x, 2 * s.y, 2 * s.z};
    double k[36] = {0};
    add_spring(k, r, 6, rod_stiffness * of->stiffness);
    sb_assembly_add_k(assembly, &vertex, 1, k);
}

/* Normals weighted by area. Where opposite faces cancel, the normal of the
 * first face is used. */
static void find_offsets(const sb_mesh *mesh, double offset_m,
                         sb_vec3 *offsets) {
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        sb_vec3 *sum = &offsets[mesh->faces[i / 3][i % 3]];
        *sum = sb_vec3_add(*sum,
                           sb_face_cross(mesh->vertices, mesh->faces[i / 3]));
    }
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        sb_vec3 *sum = &offsets[mesh->faces[i / 3][i % 3]];
        sb_vec3 own = sb_face_cross(mesh->vertices, mesh->faces[i / 3]);
        if (sb_vec3_length(*sum) < 1e-6 * sb_vec3_length(own)) *sum = own;
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        offsets[i] = sb_vec3_scale(sb_vec3_normalised(offsets[i]), offset_m);
    }
}

static sb_status add_two_layers(sb_assembly *assembly, const sb_mesh *mesh,
                                const edge_list *edges, double stiffness,
                                double thickness_m, sb_error *err) {
    layers of = {.mesh = mesh, .stiffness = stiffness};
    of.offsets = sb_alloc((size_t)mesh->vertex_count, sizeof *of.offsets);
    if (!of.offsets) {
        return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for %d normals",
                       mesh->vertex_count);
    }
    find_offsets(mesh, thickness_m / sqrt(12.0), of.offsets);
    for (int i = 0; i < edges->count; i++) {
        add_edge(assembly, &of, &edges->list[i]);
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        add_rod(assembly, &of, i);
    }
    assembly->fem.element_count = 4 * edges->count + mesh->vertex_count;
    sb_free(of.offsets);
    return SB_OK;
}

static void add_one_layer(sb_assembly *assembly, const sb_mesh *mesh,
                          const edge_list *edges, double stiffness) {
    for (int i = 0; i < edges->count; i++) {
        const int nodes[2] = {edges->list[i].a, edges->list[i].b};
        sb_vec3 s = sb_vec3_normalised(
            sb_vec3_sub(mesh->vertices[nodes[1]], mesh->vertices[nodes[0]]));
        const double r[6] = {-s.x, -s.y, -s.z, s.x, s.y, s.z};
        double k[36] = {0};
        add_spring(k, r, 6, stiffness);
        sb_assembly_add_k(assembly, nodes, 2, k);
    }
}

static sb_status assemble_springs(const sb_fem_def *fem, const edge_list *edges,
                                  sb_fem *out, sb_error *err) {
    const sb_mesh *mesh = fem->sheet;
    bool is_literal = fem->method == SB_METHOD_SPRINGS_LITERAL;
    int dofs = is_literal ? 3 : 6;
    double stiffness = fem->material->youngs_modulus * fem->thickness_m;
    const sb_assembly_def def = {
        .nodes = mesh->vertices,
        .node_count = mesh->vertex_count,
        .per_node = dofs,
        .holds = fem->holds,
        .cells = {&edges->list[0].a, (int)(sizeof(mesh_edge) / sizeof(int)), 2,
                  edges->count},
        .lumped_dofs = dofs, /* each point has half the mass: u and d have
                              * equal mass */
    };
    sb_assembly assembly;
    sb_status status = sb_assembly_begin(&assembly, &def, err);
    if (status) return status;
    if (is_literal) {
        add_one_layer(&assembly, mesh, edges, stiffness);
    } else {
        status = add_two_layers(&assembly, mesh, edges, stiffness,
                                fem->thickness_m, err);
    }
    if (!status) {
        status = finish_sheet(&assembly, mesh,
                              fem->material->density * fem->thickness_m, err);
    }
    return sb_assembly_end(&assembly, status, out);
}

sb_status sb_fem_of_sheet(const sb_fem_def *def, sb_fem *out, sb_error *err) {
    edge_list edges = {0};
    sb_status status =
        check_sheet(def->sheet, def->material, def->thickness_m, err);
    if (status) return status;
    if (def->method == SB_METHOD_SHELL) return assemble_shell(def, out, err);
    status = find_edges(def->sheet, &edges, err);
    if (status) return status;
    status = assemble_springs(def, &edges, out, err);
    sb_free(edges.list);
    return status;
}
