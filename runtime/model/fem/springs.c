/* Sheets as masses and springs. Runs on the control thread or a worker.
 *
 * Two layers: each vertex is two points at +-t / sqrt 12 along its normal,
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
 * mesh of N vertices then has N + 3 motions without stiffness.
 */
#include "runtime/base/memory.h"
#include "runtime/model/fem/assembly.h"
#include "runtime/model/fem/edges.h"

#include <math.h>

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
static void add_link(double k[144], const layers *of, const sb_edge *edge,
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
                     const sb_edge *edge) {
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

/* Normal vector whose length is twice the area. */
static sb_vec3 twice_area(const sb_mesh *mesh, int face) {
    const int *at = mesh->faces[face];
    const sb_vec3 *p = mesh->vertices;
    return sb_vec3_cross(sb_vec3_sub(p[at[1]], p[at[0]]),
                         sb_vec3_sub(p[at[2]], p[at[0]]));
}

/* Normals weighted by area. Where opposite faces cancel, the normal of the
 * first face is used. */
static void find_offsets(const sb_mesh *mesh, double offset_m,
                         sb_vec3 *offsets) {
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        sb_vec3 *sum = &offsets[mesh->faces[i / 3][i % 3]];
        *sum = sb_vec3_add(*sum, twice_area(mesh, i / 3));
    }
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        sb_vec3 *sum = &offsets[mesh->faces[i / 3][i % 3]];
        sb_vec3 own = twice_area(mesh, i / 3);
        if (sb_vec3_length(*sum) < 1e-6 * sb_vec3_length(own)) *sum = own;
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        offsets[i] = sb_vec3_scale(sb_vec3_normalised(offsets[i]), offset_m);
    }
}

static sb_status add_two_layers(sb_assembly *assembly, const sb_mesh *mesh,
                                const sb_edges *edges, double stiffness,
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
                          const sb_edges *edges, double stiffness) {
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

typedef struct sheet {
    const sb_mesh *mesh;
    const sb_material *material;
    double thickness_m;
    const sb_hold *holds;
    bool is_literal;
} sheet;

static sb_status add_all(const sheet *of, const sb_edges *edges, sb_fem *out,
                         sb_error *err) {
    sb_assembly assembly;
    int dofs = of->is_literal ? 3 : 6;
    double stiffness = of->material->youngs_modulus * of->thickness_m;
    const sb_assembly_def def = {
        .nodes = of->mesh->vertices,
        .node_count = of->mesh->vertex_count,
        .per_node = dofs,
        .holds = of->holds,
        .cells = {&edges->list[0].a, (int)(sizeof(sb_edge) / sizeof(int)), 2,
                  edges->count},
        .lumped_dofs = dofs, /* each point has half the mass: u and d have
                              * equal mass */
    };
    sb_status status = sb_assembly_begin(&assembly, &def, err);
    if (status) return status;
    if (of->is_literal) {
        add_one_layer(&assembly, of->mesh, edges, stiffness);
    } else {
        status = add_two_layers(&assembly, of->mesh, edges, stiffness,
                                of->thickness_m, err);
    }
    if (!status) {
        status = sb_sheet_finish(&assembly, of->mesh,
                                 of->material->density * of->thickness_m, err);
    }
    return sb_assembly_end(&assembly, status, out);
}

static sb_status assemble(const sheet *of, sb_fem *out, sb_error *err) {
    sb_edges edges;
    sb_status status =
        sb_sheet_check(of->mesh, of->material, of->thickness_m, err);
    if (!status) status = sb_edges_find(of->mesh, &edges, err);
    if (status) return status;
    status = add_all(of, &edges, out, err);
    sb_edges_free(&edges);
    return status;
}

sb_status sb_fem_springs(const sb_mesh *mesh, const sb_material *material,
                         double thickness_m, const sb_hold *holds, sb_fem *out,
                         sb_error *err) {
    const sheet of = {mesh, material, thickness_m, holds, false};
    return assemble(&of, out, err);
}

sb_status sb_fem_springs_literal(const sb_mesh *mesh,
                                 const sb_material *material,
                                 double thickness_m, const sb_hold *holds,
                                 sb_fem *out, sb_error *err) {
    const sheet of = {mesh, material, thickness_m, holds, true};
    return assemble(&of, out, err);
}
