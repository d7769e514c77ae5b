/* SPDX-License-Identifier: MIT */
#include "runtime/model/solve/discrete.h"

#include "runtime/base/memory.h"
#include "runtime/model/fem/fem.h"
#include "runtime/model/fill/boundary.h"
#include "runtime/model/fill/refine.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/moments.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>
#include <string.h>

enum {
    SHEET_ELEMENTS = 36,           /* default, along the longest side */
    REFINED_VERTICES_MOST = 10000, /* where coarse sheets are made finer */
    LITERAL_ELEMENTS = 20,         /* most of its modes are mechanisms */
    /* Of a filled surface, if they suffice: the modes of a vibraphone bar are
     * then right to 0.13 %. */
    SOLID_NODES = 10000,
    /* What can be solved in reasonable time and memory. */
    SHEET_VERTICES_MOST = 60000,
    SOLID_TETS_MOST = 60000,
    LITERAL_VERTICES_MOST = 1500
};

void sb_discrete_free(sb_discrete *discrete) {
    sb_mesh_free(&discrete->sheet);
    sb_solid_mesh_free(&discrete->solid);
    sb_free(discrete->holds);
    memset(discrete, 0, sizeof *discrete);
}

static bool is_solid(sb_method method) {
    return method == SB_METHOD_SOLID || method == SB_METHOD_TET4;
}

int sb_discrete_element_count(const sb_discrete *discrete) {
    return is_solid(discrete->method) ? discrete->solid.tet_count
                                      : discrete->sheet.face_count;
}

const int *sb_discrete_element(const sb_discrete *discrete, int i, int *count) {
    bool solid = is_solid(discrete->method);
    *count = !solid ? 3 : discrete->method == SB_METHOD_TET4 ? 4 : 10;
    return solid ? discrete->solid.tets[i] : discrete->sheet.faces[i];
}

/* --- which method --------------------------------------------------------- */

static sb_status check_vertices(const sb_mesh *mesh, const char *path,
                                sb_method method, int most, sb_error *err) {
    if (mesh->vertex_count <= most) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: %d vertices are more than the %d that method = \"%s\" "
                   "can take: make it coarser",
                   path, mesh->vertex_count, most, sb_method_name(method));
}

static sb_status choose_method(const sb_shape *shape, sb_method *method,
                               sb_error *err) {
    *method = shape->method;
    if (sb_shape_is_too_thick(shape) ||
        (sb_shape_is_solid(shape) && *method == SB_METHOD_AUTO))
        *method = SB_METHOD_SOLID;
    if (!shape->mesh && *method == SB_METHOD_AUTO) *method = SB_METHOD_SHELL;
    if (!shape->mesh) return SB_OK;
    const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
    const sb_mesh_report *report = sb_mesh_source_report(shape->mesh);
    const char *path = sb_mesh_source_path(shape->mesh);
    bool is_full = mesh->tet_count > 0 || report->is_closed;
    if (*method == SB_METHOD_AUTO) {
        *method = shape->thickness > 0 && mesh->tet_count == 0
                      ? SB_METHOD_SHELL
                      : SB_METHOD_SOLID;
    }
    if (is_solid(*method) && !is_full && report->border_edges == 0) {
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "%s: %d of its edges have three faces or more, so it has no "
            "clear inside: part what only touches there",
            path, report->nonmanifold_edges);
    }
    if (is_solid(*method) && !is_full) {
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "%s: its surface is open (%d %s, %d border edges), so it "
            "has no inside: give a thickness, or close it",
            path, report->hole_count,
            report->hole_count == 1 ? "hole" : "holes", report->border_edges);
    }
    if (is_solid(*method)) {
        if (mesh->tet_count <= SOLID_TETS_MOST) return SB_OK;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: %d tetrahedra are more than the %d that can be "
                       "solved here",
                       path, mesh->tet_count, (int)SOLID_TETS_MOST);
    }
    if (*method != SB_METHOD_SPRINGS_LITERAL) return SB_OK; /* mesh_prepare.h */
    return check_vertices(mesh, path, *method, LITERAL_VERTICES_MOST, err);
}

sb_status sb_discrete_check(const sb_shape *shape, sb_error *err) {
    sb_method method;
    return choose_method(shape, &method, err);
}

/* --- nodes and elements --------------------------------------------------- */

/* Elements as large as their waves are too soft: a plate of two triangles has
 * half its frequency. "springs-literal" takes the mesh unchanged. */
static sb_status cut_sheet(const sb_shape *shape, sb_discrete *out,
                           sb_error *err) {
    const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
    sb_status status = check_vertices(mesh, sb_mesh_source_path(shape->mesh),
                                      out->method, SHEET_VERTICES_MOST, err);
    if (!status) status = sb_mesh_copy(&out->sheet, mesh, err);
    if (status || out->method == SB_METHOD_SPRINGS_LITERAL) return status;
    int elements = shape->elements, most = SHEET_VERTICES_MOST;
    if (elements == 0) most = REFINED_VERTICES_MOST;
    bool is_done;
    status = sb_mesh_refine(&out->sheet, elements, most, &is_done, err);
    if (status || is_done || shape->elements == 0) return status;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: %d elements along it make more than %d vertices",
                   sb_mesh_source_path(shape->mesh), elements, most);
}

static sb_status cut_mesh(const sb_shape *shape, sb_grain grain,
                          sb_discrete *out, sb_error *err) {
    const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
    if (!is_solid(out->method)) return cut_sheet(shape, out, err);
    if (mesh->tet_count > 0) return sb_solid_from_tets(mesh, &out->solid, err);
    sb_fill_def def = sb_fill_def_default();
    if (shape->elements > 0) {
        def.cell_m = sb_frame_longest_side_m(mesh) / shape->elements;
        return sb_fill(mesh, &def, &out->solid, err);
    }
    def.finer = grain.finer / fmax(1, grain.coarser);
    sb_fill_def fewer = def;
    fewer.most_nodes = SOLID_NODES;
    sb_status status = sb_fill(mesh, &fewer, &out->solid, err);
    if (status != SB_BAD_ARGUMENT || def.finer < 1) return status;
    return sb_fill(mesh, &def, &out->solid, err); /* thin parts need more */
}

static sb_status cut_form(const sb_shape *shape, sb_grain grain,
                          sb_discrete *out, sb_error *err) {
    int elements = shape->elements;
    if (is_solid(out->method)) {
        if (elements > 0)
            return sb_shape_solid(shape, elements, &out->solid, err);
        return sb_shape_fine_solid(shape, grain, &out->solid, err);
    }
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (elements == 0 && family->surface_elements)
        elements = family->surface_elements(shape);
    if (elements == 0) {
        elements = out->method == SB_METHOD_SPRINGS_LITERAL ? LITERAL_ELEMENTS
                                                            : SHEET_ELEMENTS;
        if (grain.elements > 0) elements = grain.elements;
        elements = sb_grain_count(grain, elements, 1);
    }
    return sb_shape_surface(shape, elements, &out->sheet, err);
}

/* --- deformable bodies ---------------------------------------------------- */

/* Of a deformable body every element is computed in every step, and the
 * smallest one decides how long a step is, so the mesh is coarser than one for
 * modes: one layer of tetrahedra through bars and plates, right triangles on
 * rectangles. By default bars are within 1 % of their pitch and plates within
 * 1.5 %. Lumped masses make solids twist too slowly: it takes six rows across a
 * bar for 1 %. Where the script says how many elements, it has two at least. */
enum {
    DEFORM_SHEET = 24,
    DEFORM_SOLID = 30,
    DEFORM_ROWS = 6,
    DEFORM_ROWS_LEAST = 2,
    DEFORM_BLOCK = 6,   /* boxes, cylinders, spheres */
    DEFORM_FILLED = 24, /* closed meshes; an undercut bar is within 1 % */
    DEFORM_CELLS = 250  /* but no more than these in compact ones */
};

static double volume_of(const sb_mesh *mesh) {
    sb_moments sum = {0};
    for (int i = 0; i < mesh->face_count; i++) {
        const int *face = mesh->faces[i];
        const sb_vec3 corners[3] = {mesh->vertices[face[0]],
                                    mesh->vertices[face[1]],
                                    mesh->vertices[face[2]]};
        sb_moments_add(&sum, corners, 0);
    }
    return fabs(sum.volume);
}

static int filled_elements(const sb_mesh *mesh) {
    double cell_m = cbrt(volume_of(mesh) / DEFORM_CELLS);
    double fit = sb_frame_longest_side_m(mesh) / cell_m;
    return (int)fmax(DEFORM_BLOCK, fmin(DEFORM_FILLED, round(fit)));
}

static int default_elements(const sb_shape *shape) {
    bool is_solid = shape->method == SB_METHOD_SOLID;
    if (shape->mesh)
        return is_solid || shape->thickness == 0
                   ? filled_elements(sb_mesh_source_mesh(shape->mesh))
                   : DEFORM_SHEET;
    if (sb_shape_is_solid(shape)) return DEFORM_BLOCK;
    return is_solid ? DEFORM_SOLID : DEFORM_SHEET;
}

/* Bars and plates: as solids one layer of quadratic elements, as sheets right
 * triangles, two across at least. Rows of equilateral ones end in halves, which
 * make the step a third shorter. */
static sb_status cut_flat(const sb_shape *shape, int rows, sb_discrete *out,
                          sb_error *err) {
    sb_sheet sheet = sb_shape_family_of(shape)->sheet(shape);
    if (shape->method != SB_METHOD_SOLID) {
        out->method = SB_METHOD_SHELL;
        return sb_sheet_cells(&sheet, shape->elements, &out->sheet, err);
    }
    out->method = SB_METHOD_SOLID;
    sheet.least_layers = 1;
    sheet.least_rows = rows;
    return sb_sheet_solid(&sheet, shape->support,
                          (sb_grain){shape->elements, 1, 1, 1}, &out->solid,
                          err);
}

static bool is_cut_flat(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    return shape->is_for_deform && !shape->mesh && family->sheet &&
           (shape->method == SB_METHOD_SOLID ||
            family->sheet(shape).radius_m == 0);
}

/* --- what is held --------------------------------------------------------- */

static bool is_in_box(const sb_hold_rule *rule, sb_vec3 p) {
    return p.x >= rule->low.x && p.x <= rule->high.x && p.y >= rule->low.y &&
           p.y <= rule->high.y && p.z >= rule->low.z && p.z <= rule->high.z;
}

static sb_status hold_border(const sb_mesh *mesh, sb_hold how, sb_hold *holds,
                             sb_error *err) {
    int(*edges)[2], count;
    sb_status status = sb_mesh_border(mesh, &edges, &count, err);
    if (status) return status;
    for (int i = 0; i < count; i++) {
        holds[edges[i][0]] = holds[edges[i][1]] = how;
    }
    sb_free(edges);
    return SB_OK;
}

static sb_status hold_listed(const sb_shape *shape, sb_discrete *out,
                             sb_error *err) {
    int count;
    const sb_hold *listed = sb_mesh_source_holds(shape->mesh, &count);
    if (!listed || count < out->node_count) {
        return sb_fail(
            err, SB_BAD_ARGUMENT, "%s: the clamp lists %d of its %d nodes",
            sb_mesh_source_path(shape->mesh), count, out->node_count);
    }
    memcpy(out->holds, listed, (size_t)out->node_count * sizeof *listed);
    return SB_OK;
}

static sb_status hold_mesh(const sb_shape *shape, sb_discrete *out,
                           sb_error *err) {
    const sb_hold_rule *rule = &shape->hold;
    switch (rule->where) {
    case SB_HOLD_IN_BOX:
        for (int i = 0; i < out->node_count; i++) {
            if (is_in_box(rule, out->nodes[i])) out->holds[i] = rule->how;
        }
        return SB_OK;
    case SB_HOLD_AT_BORDER:
        if (is_solid(out->method)) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: a solid has no border to hold; give a box or "
                           "a function",
                           sb_mesh_source_path(shape->mesh));
        }
        return hold_border(&out->sheet, rule->how, out->holds, err);
    case SB_HOLD_LISTED:
        return hold_listed(shape, out, err);
    case SB_HOLD_NOWHERE:
        break;
    }
    return SB_OK;
}

static sb_status hold_nodes(const sb_shape *shape, sb_discrete *out,
                            sb_error *err) {
    bool is_mesh = shape->mesh != NULL;
    if (is_mesh ? shape->hold.where == SB_HOLD_NOWHERE
                : shape->support == SB_SUPPORT_FREE) {
        return SB_OK;
    }
    out->holds = sb_alloc((size_t)out->node_count, sizeof *out->holds);
    if (!out->holds) return sb_no_memory(err, "mesh");
    sb_status status = is_mesh ? hold_mesh(shape, out, err)
                               : sb_shape_holds(shape, out->nodes,
                                                out->node_count, out->holds);
    if (status) return status;
    for (int i = 0; i < out->node_count; i++) {
        if (out->holds[i] != SB_HOLD_FREE) return SB_OK;
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: clamp holds none of its %d nodes; places are in metres "
                   "after scaling, and the mesh spans %.4g..%.4g, %.4g..%.4g, "
                   "%.4g..%.4g",
                   sb_mesh_source_path(shape->mesh), out->node_count,
                   sb_mesh_source_report(shape->mesh)->low_m.x,
                   sb_mesh_source_report(shape->mesh)->high_m.x,
                   sb_mesh_source_report(shape->mesh)->low_m.y,
                   sb_mesh_source_report(shape->mesh)->high_m.y,
                   sb_mesh_source_report(shape->mesh)->low_m.z,
                   sb_mesh_source_report(shape->mesh)->high_m.z);
}

bool sb_discrete_is_free(const sb_shape *shape) {
    sb_method method;
    if (shape->elements > 0 || shape->is_for_deform ||
        shape->hold.where == SB_HOLD_LISTED)
        return false;
    if (choose_method(shape, &method, NULL)) return false;
    bool is_sheet = sb_shape_family_of(shape)->sheet != NULL;
    if (!shape->mesh) {
        return is_solid(method) || (is_sheet && method == SB_METHOD_SHELL);
    }
    return is_solid(method) && sb_mesh_source_mesh(shape->mesh)->tet_count == 0;
}

sb_status sb_discrete_make(const sb_shape *shape, sb_discrete *out,
                           sb_error *err) {
    return sb_discrete_make_in(shape, (sb_grain){.finer = 1}, out, err);
}

sb_status sb_discrete_make_in(const sb_shape *given, sb_grain grain,
                              sb_discrete *out, sb_error *err) {
    sb_discrete made = {.is_lumped = given->is_for_deform};
    sb_shape shape = *given;
    int rows = shape.elements == 0 ? DEFORM_ROWS : DEFORM_ROWS_LEAST;
    sb_status status = SB_OK;
    if (shape.is_for_deform && shape.elements == 0)
        shape.elements = default_elements(&shape);
    if (is_cut_flat(&shape)) {
        status = cut_flat(&shape, rows, &made, err);
    } else {
        status = choose_method(&shape, &made.method, err);
        if (status) return status;
        status = shape.mesh ? cut_mesh(&shape, grain, &made, err)
                            : cut_form(&shape, grain, &made, err);
    }
    if (!status) {
        bool solid = is_solid(made.method);
        made.thickness_m = solid ? 0 : shape.thickness;
        made.nodes = solid ? made.solid.nodes : made.sheet.vertices;
        made.node_count = !solid ? made.sheet.vertex_count
                          : made.method == SB_METHOD_TET4
                              ? made.solid.corner_count
                              : made.solid.node_count;
        status = hold_nodes(&shape, &made, err);
    }
    if (status) {
        sb_discrete_free(&made);
        return status;
    }
    *out = made;
    return SB_OK;
}

sb_status sb_discrete_assemble(const sb_discrete *discrete,
                               double poisson_ratio, sb_fem *out,
                               sb_error *err) {
    const sb_material unit = {
        .density = 1, .youngs_modulus = 1, .poisson_ratio = poisson_ratio};
    const sb_fem_def def = {.method = discrete->method,
                            .is_lumped = discrete->is_lumped,
                            .material = &unit,
                            .holds = discrete->holds,
                            .sheet = &discrete->sheet,
                            .thickness_m = discrete->thickness_m,
                            .solid = &discrete->solid};
    return sb_fem_make(&def, out, err);
}
