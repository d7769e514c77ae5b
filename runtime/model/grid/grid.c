#include "runtime/model/grid/grid.h"

#include "runtime/base/memory.h"
#include "runtime/model/grid/flat.h"
#include "runtime/model/grid/grid_ring.h"

#include <math.h>

enum { RESOLUTION_MOST = 2000 };

static sb_status check(const sb_shape *shape, int resolution, sb_error *err) {
    if (resolution < 1 || resolution > RESOLUTION_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "grid: resolution must be 1 .. %d, got %d",
                       (int)RESOLUTION_MOST, resolution);
    }
    if (shape->kind != SB_SHAPE_BAR && shape->kind != SB_SHAPE_PLATE &&
        shape->kind != SB_SHAPE_DISK && shape->kind != SB_SHAPE_RING) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "grid: a %s has no mesh; a bar, plate, disk or ring has",
                       sb_shape_kind_name(shape->kind));
    }
    return sb_shape_check(shape, err);
}

/* Sides along x and z. */
static void sides_of(const sb_shape *shape, double *x, double *z) {
    *x = *z = 2 * shape->radius;
    if (shape->kind == SB_SHAPE_BAR) {
        *x = shape->length;
        *z = shape->width;
    } else if (shape->kind == SB_SHAPE_PLATE) {
        *x = shape->width;
        *z = shape->depth;
    }
}

/* Length of an edge. Much longer than the shape is narrow, a triangle is too
 * long to bend well. */
static double edge_of(const sb_shape *shape, int resolution) {
    double x, z;
    sides_of(shape, &x, &z);
    return fmin(fmax(x, z) / resolution, 1.5 * fmin(x, z));
}

static sb_status make_flat(const sb_shape *shape, int resolution, sb_flat *out,
                           sb_error *err) {
    double x, z, edge = edge_of(shape, resolution);
    sides_of(shape, &x, &z);
    if (shape->kind == SB_SHAPE_DISK) {
        return sb_flat_disk(shape->radius, (resolution + 1) / 2, out, err);
    }
    double along = fmax(1, round(x / edge));
    double rows = 2 * fmax(1, round(z / (sqrt(3.0) * edge)));
    return sb_flat_rectangle(x, z, (int)along, (int)rows, out, err);
}

static sb_status make_arrays(const sb_flat *flat, sb_mesh *mesh,
                             sb_error *err) {
    size_t vertices = (size_t)flat->vertex_count;
    size_t faces = (size_t)flat->face_count;
    *mesh = (sb_mesh){
        .vertex_count = flat->vertex_count,
        .face_count = flat->face_count,
        .vertices = sb_alloc(vertices, sizeof *mesh->vertices),
        .faces = sb_alloc(faces, sizeof *mesh->faces),
        .uvs = sb_alloc(faces, sizeof *mesh->uvs),
    };
    if (mesh->vertices && mesh->faces && mesh->uvs) return SB_OK;
    sb_free(mesh->vertices);
    sb_free(mesh->faces);
    sb_free(mesh->uvs);
    return sb_fail(err, SB_NO_MEMORY, "grid: out of memory for %d vertices",
                   flat->vertex_count);
}

/* Turned round, since (x, z) seen from above is left-handed. */
static void fill_mesh(const sb_flat *flat, double x, double z, sb_mesh *mesh) {
    for (int i = 0; i < flat->vertex_count; i++) {
        const double *at = flat->vertices[i];
        mesh->vertices[i] = (sb_vec3){at[0], 0, at[1]};
    }
    for (int i = 0; i < flat->face_count; i++) {
        for (int j = 0; j < 3; j++) {
            int vertex = flat->faces[i][2 - j];
            const double *at = flat->vertices[vertex];
            mesh->faces[i][j] = vertex;
            mesh->uvs[i][j][0] = (float)(at[0] / x + 0.5);
            mesh->uvs[i][j][1] = (float)(at[1] / z + 0.5);
        }
    }
}

sb_status sb_grid_surface(const sb_shape *shape, int resolution, sb_mesh *out,
                          sb_error *err) {
    sb_flat flat;
    sb_mesh mesh;
    double x, z;
    sb_status status = check(shape, resolution, err);
    if (status) return status;
    if (shape->kind == SB_SHAPE_RING) {
        return sb_grid_ring_surface(shape, resolution, out, err);
    }
    status = make_flat(shape, resolution, &flat, err);
    if (status) return status;
    status = make_arrays(&flat, &mesh, err);
    if (!status) {
        sides_of(shape, &x, &z);
        fill_mesh(&flat, x, z, &mesh);
        *out = mesh;
    }
    sb_flat_free(&flat);
    return status;
}

/* The stress of a twisted bar bends round the sides of its section, within a
 * thickness of them: cells that narrow, or it is some 3 % too stiff. */
static double rows_least(const sb_shape *shape) {
    if (shape->kind != SB_SHAPE_BAR) return 1;
    return fmin(fmax(3, round(1.5 * shape->width / shape->thickness)), 12);
}

static sb_status make_floor(const sb_shape *shape, int resolution, sb_flat *out,
                            sb_error *err) {
    double x, z, edge = edge_of(shape, resolution);
    sides_of(shape, &x, &z);
    if (shape->kind == SB_SHAPE_DISK) {
        return make_flat(shape, resolution, out, err);
    }
    double along = fmax(1, round(x / edge));
    double rows = fmax(round(z / edge), rows_least(shape));
    return sb_flat_cells(x, z, (int)along, (int)rows, out, err);
}

static sb_vec3 raise(const void *context, double a, double b, double c) {
    const sb_shape *shape = context;
    return (sb_vec3){a, shape->thickness * (c - 0.5), b};
}

static bool is_hinged(const sb_shape *shape) {
    return shape->support == SB_SUPPORT_PINNED ||
           shape->support == SB_SUPPORT_CLAMPED_PINNED;
}

/* Hinges need corners at half the thickness, for linear tetrahedra too. A bar
 * that twists needs two layers. */
static int layers_of(const sb_shape *shape, int resolution) {
    double layers = shape->thickness / edge_of(shape, resolution);
    if (is_hinged(shape)) return 2 * (int)fmax(1, round(0.5 * layers));
    return (int)fmax(shape->kind == SB_SHAPE_BAR ? 2 : 1, round(layers));
}

sb_status sb_grid_solid(const sb_shape *shape, int resolution,
                        sb_solid_mesh *out, sb_error *err) {
    sb_flat flat;
    sb_status status = check(shape, resolution, err);
    if (status) return status;
    if (shape->kind == SB_SHAPE_RING) {
        return sb_grid_ring_solid(shape, resolution, out, err);
    }
    status = make_floor(shape, resolution, &flat, err);
    if (status) return status;
    status = sb_flat_sweep(&flat, layers_of(shape, resolution), false, raise,
                           shape, out, err);
    sb_flat_free(&flat);
    return status;
}

static sb_hold hold_at(const sb_shape *shape, sb_vec3 at) {
    double x, z;
    sides_of(shape, &x, &z);
    const double slack = 1e-6;
    bool is_left = at.x<-x *(0.5 - slack), is_right = at.x> x * (0.5 - slack);
    bool is_edge = is_left || is_right;
    if (shape->kind == SB_SHAPE_PLATE) {
        is_edge = is_edge || fabs(at.z) > z * (0.5 - slack);
    } else if (shape->kind == SB_SHAPE_DISK) {
        is_edge = hypot(at.x, at.z) > shape->radius * (1 - slack);
    }
    bool is_middle = fabs(at.y) < slack * shape->thickness;
    sb_hold hinge = is_middle ? SB_HOLD_PINNED : SB_HOLD_FREE;
    switch (shape->support) {
    case SB_SUPPORT_CLAMPED:
        return is_edge ? SB_HOLD_CLAMPED : SB_HOLD_FREE;
    case SB_SUPPORT_PINNED:
        return is_edge ? hinge : SB_HOLD_FREE;
    case SB_SUPPORT_CLAMPED_PINNED:
        if (is_right) return hinge;
        return is_left ? SB_HOLD_CLAMPED : SB_HOLD_FREE;
    case SB_SUPPORT_CLAMPED_FREE:
        return is_left ? SB_HOLD_CLAMPED : SB_HOLD_FREE;
    case SB_SUPPORT_FREE:
    case SB_SUPPORT_COUNT:
        break;
    }
    return SB_HOLD_FREE;
}

sb_status sb_grid_holds(const sb_shape *shape, const sb_vec3 *nodes, int count,
                        sb_hold *holds) {
    sb_status status = check(shape, 1, NULL);
    if (status) return status;
    for (int i = 0; i < count; i++) {
        holds[i] = hold_at(shape, nodes[i]);
    }
    return SB_OK;
}
