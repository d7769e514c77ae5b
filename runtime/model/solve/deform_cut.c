/* The mesh of a deformable body (deform_cut.h). Thread: control, workers. */
#include "runtime/model/solve/deform_cut.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/boundary.h"
#include "runtime/model/grid/sheet.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/moments.h"
#include "runtime/model/shapes/family.h"

#include <math.h>

/* Default numbers of elements: bars within 1 % of their pitch, plates within
 * 1.5 %. Lumped masses make solids twist too slowly: it takes six rows across a
 * bar for 1 %. Where the script says how many elements, it has two at least. */
enum {
    SHEET_ELEMENTS = 24,
    SOLID_ELEMENTS = 30,
    SOLID_ROWS = 6,
    SOLID_ROWS_LEAST = 2,
    BLOCK_ELEMENTS = 6,   /* boxes, cylinders, spheres */
    FILLED_ELEMENTS = 24, /* closed meshes; an undercut bar is within 1 % */
    FILLED_CELLS = 250    /* but no more than these in compact ones */
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
    double cell_m = cbrt(volume_of(mesh) / FILLED_CELLS);
    double fit = sb_frame_longest_side_m(mesh) / cell_m;
    return (int)fmax(BLOCK_ELEMENTS, fmin(FILLED_ELEMENTS, round(fit)));
}

static int default_elements(const sb_shape *shape) {
    bool is_solid = shape->method == SB_METHOD_SOLID;
    if (shape->mesh)
        return is_solid || shape->thickness == 0
                   ? filled_elements(sb_mesh_source_mesh(shape->mesh))
                   : SHEET_ELEMENTS;
    if (sb_shape_is_solid(shape)) return BLOCK_ELEMENTS;
    return is_solid ? SOLID_ELEMENTS : SHEET_ELEMENTS;
}

static sb_status hold(const sb_shape *shape, sb_discrete *cut, sb_error *err) {
    if (shape->support == SB_SUPPORT_FREE) return SB_OK;
    cut->holds = sb_alloc((size_t)cut->node_count, sizeof *cut->holds);
    if (!cut->holds)
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                       sb_shape_kind_name(shape->kind));
    return sb_shape_holds(shape, cut->nodes, cut->node_count, cut->holds);
}

/* Bars and plates as solids: one layer of quadratic elements. */
static sb_status cut_flat(const sb_shape *shape, int rows, sb_discrete *cut,
                          sb_error *err) {
    sb_sheet sheet = sb_shape_family_of(shape)->sheet(shape);
    sheet.least_layers = 1;
    sheet.least_rows = rows;
    sb_solid_mesh *solid = &cut->solid;
    sb_status status =
        sb_sheet_solid(&sheet, shape->support, shape->elements, solid, err);
    if (status) return status;
    cut->method = SB_METHOD_SOLID;
    cut->nodes = solid->nodes;
    cut->node_count = solid->node_count;
    return hold(shape, cut, err);
}

/* Rectangles as sheets: right triangles, two across at least. Rows of
 * equilateral ones end in halves, which make the step a third shorter. */
static sb_status cut_cells(const sb_shape *shape, sb_discrete *cut,
                           sb_error *err) {
    sb_sheet sheet = sb_shape_family_of(shape)->sheet(shape);
    sb_status status =
        sb_sheet_cells(&sheet, shape->elements, &cut->sheet, err);
    if (status) return status;
    cut->method = SB_METHOD_SHELL;
    cut->thickness_m = sheet.thickness_m;
    cut->nodes = cut->sheet.vertices;
    cut->node_count = cut->sheet.vertex_count;
    return hold(shape, cut, err);
}

sb_status sb_deform_cut(const sb_shape *given, sb_discrete *out,
                        sb_error *err) {
    sb_shape shape = *given;
    bool is_solid = shape.method == SB_METHOD_SOLID;
    int rows = shape.elements == 0 ? SOLID_ROWS : SOLID_ROWS_LEAST;
    if (shape.elements == 0) shape.elements = default_elements(&shape);
    const sb_shape_family *family = sb_shape_family_of(&shape);
    bool is_flat = !shape.mesh && family->sheet;
    bool is_cells = is_flat && !is_solid && family->sheet(&shape).radius_m == 0;
    sb_discrete made = {0};
    sb_status status;
    shape.is_for_deform = false;
    if (is_flat && is_solid)
        status = cut_flat(&shape, rows, &made, err);
    else if (is_cells)
        status = cut_cells(&shape, &made, err);
    else
        status = sb_discrete_make(&shape, &made, err);
    if (status) {
        sb_discrete_free(&made);
        return status;
    }
    made.is_lumped = true;
    *out = made;
    return SB_OK;
}
