/* Names and checks of colliders. Runs on any thread but audio. */
#include "runtime/world/collider_choice.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh/hull.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/family.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <stdlib.h>

#define LARGE_M 1e3 /* the largest size */

/* Adjacent faces of a round body meet at an angle below this: a wire with
 * eight sides counts as round. Edges below FLAT_DEGREES lie inside a flat
 * part and are ignored. */
#define ROUND_DEGREES 46.0
#define FLAT_DEGREES  1.0

#define DEGREE (SB_PI / 180.0)

static const char *const kind_names[SB_COLLIDER_KINDS] = {
    [SB_COLLIDER_AUTO] = "auto",         [SB_COLLIDER_NONE] = "none",
    [SB_COLLIDER_SPHERE] = "sphere",     [SB_COLLIDER_BOX] = "box",
    [SB_COLLIDER_CYLINDER] = "cylinder", [SB_COLLIDER_CAPSULE] = "capsule",
    [SB_COLLIDER_RING] = "ring",         [SB_COLLIDER_HULL] = "hull",
    [SB_COLLIDER_MESH] = "mesh",         [SB_COLLIDER_FLOOR] = "floor",
};

const char *sb_collider_kind_name(sb_collider_kind kind) {
    return kind < SB_COLLIDER_KINDS ? kind_names[kind] : "unknown";
}

/* --- is a mesh smooth? ---------------------------------------------------- */

typedef struct half_edge {
    int low, high, face;
} half_edge;

static int by_ends(const void *left, const void *right) {
    const half_edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

static sb_vec3 normal_of(const sb_mesh *mesh, int face) {
    sb_vec3 a = mesh->vertices[mesh->faces[face][0]];
    sb_vec3 b = mesh->vertices[mesh->faces[face][1]];
    sb_vec3 c = mesh->vertices[mesh->faces[face][2]];
    return sb_vec3_normalised(
        sb_vec3_cross(sb_vec3_sub(b, a), sb_vec3_sub(c, a)));
}

/* True when more than half of the length of the bent edges has a small
 * angle. */
static bool is_mostly_round(const sb_mesh *mesh, const half_edge *edges,
                            int count) {
    double bent = 0, round = 0;
    for (int i = 0; i + 1 < count; i++) {
        const half_edge *one = &edges[i], *other = &edges[i + 1];
        if (one->low != other->low || one->high != other->high) continue;
        double cosine = sb_vec3_dot(normal_of(mesh, one->face),
                                    normal_of(mesh, other->face));
        double length = sb_vec3_length(
            sb_vec3_sub(mesh->vertices[one->low], mesh->vertices[one->high]));
        if (cosine > cos(FLAT_DEGREES * DEGREE)) continue;
        bent += length;
        if (cosine > cos(ROUND_DEGREES * DEGREE)) round += length;
    }
    return bent > 0 && round > 0.5 * bent;
}

/* If memory runs out the mesh counts as faceted, and its contact is not
 * smoothed. */
static bool is_smooth_mesh(const sb_mesh *mesh) {
    int count = 3 * mesh->face_count;
    half_edge *edges = sb_alloc((size_t)count, sizeof *edges);
    if (!edges) return false;
    for (int i = 0; i < count; i++) {
        const int *face = mesh->faces[i / 3];
        int a = face[i % 3], b = face[(i + 1) % 3];
        edges[i] = (half_edge){a < b ? a : b, a < b ? b : a, i / 3};
    }
    qsort(edges, (size_t)count, sizeof *edges, by_ends);
    bool is_smooth = is_mostly_round(mesh, edges, count);
    sb_free(edges);
    return is_smooth;
}

/* --- is a mesh flat? ------------------------------------------------------ */

/* A sheet that is less bent than this part of its size has no hull worth
 * having. */
#define FLAT_PART 1e-4

static bool is_flat_mesh(const sb_mesh *mesh) {
    sb_vec3 along = {0, 0, 0}, first = mesh->vertices[mesh->faces[0][0]];
    double most = 0, size = 0, low = 0, high = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        const int *face = mesh->faces[i];
        sb_vec3 a = mesh->vertices[face[0]];
        sb_vec3 area = sb_vec3_cross(sb_vec3_sub(mesh->vertices[face[1]], a),
                                     sb_vec3_sub(mesh->vertices[face[2]], a));
        if (sb_vec3_length(area) <= most) continue;
        most = sb_vec3_length(area);
        along = sb_vec3_normalised(area);
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_vec3 off = sb_vec3_sub(mesh->vertices[i], first);
        size = fmax(size, sb_vec3_length(off));
        low = fmin(low, sb_vec3_dot(off, along));
        high = fmax(high, sb_vec3_dot(off, along));
    }
    return high - low < FLAT_PART * size;
}

/* --- is a closed mesh convex? --------------------------------------------- */

/* A volume smaller than this part of its hull's has hollows that things fall
 * into; smaller ones are not worth the time that faces take. */
#define HOLLOW_PART 0.9

static double volume_of(const sb_vec3 *points, const int (*corners)[3],
                        int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += sb_vec3_dot(
            points[corners[i][0]],
            sb_vec3_cross(points[corners[i][1]], points[corners[i][2]]));
    return fabs(sum) / 6.0;
}

/* If memory runs out it counts as convex. */
static bool is_hollow_mesh(const sb_mesh_source *source) {
    const sb_mesh *mesh = sb_mesh_source_mesh(source);
    const sb_hull *hull;
    if (sb_mesh_source_hull(source, &hull, NULL)) return false;
    double inside = volume_of(mesh->vertices, (const int(*)[3])mesh->faces,
                              mesh->face_count);
    double outside = volume_of(hull->points, (const int(*)[3])hull->corners,
                               hull->face_count);
    return inside < HOLLOW_PART * outside;
}

bool sb_collider_is_open(const sb_shape *shape) {
    return shape->mesh && !sb_mesh_source_report(shape->mesh)->is_closed;
}

sb_collider sb_collider_of(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (!family->collider) return (sb_collider){.kind = SB_COLLIDER_NONE};
    sb_collider collider = family->collider(shape);
    if (shape->mesh) {
        const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
        collider.is_smooth = is_smooth_mesh(mesh);
        collider.is_guessed = true;
        if (sb_collider_is_open(shape) ? is_flat_mesh(mesh)
                                       : is_hollow_mesh(shape->mesh))
            collider.kind = SB_COLLIDER_MESH;
    }
    return collider;
}

/* --- checks --------------------------------------------------------------- */

static sb_status is_length(const sb_collider *collider, const char *field,
                           double value, sb_error *err) {
    if (value >= SB_COLLIDER_THIN_M && value <= LARGE_M)
        return SB_OK; /* a NaN is not */
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "collider: %s of a %s must be %g to %g m, got %g", field,
                   sb_collider_kind_name(collider->kind), SB_COLLIDER_THIN_M,
                   LARGE_M, value);
}

static sb_status check_box(const sb_collider *collider, sb_error *err) {
    sb_status status = is_length(collider, "width", collider->width, err);
    if (!status) status = is_length(collider, "height", collider->height, err);
    if (!status) status = is_length(collider, "depth", collider->depth, err);
    return status;
}

static sb_status check_round(const sb_collider *collider, sb_error *err) {
    sb_status status = is_length(collider, "radius", collider->radius, err);
    if (status) return status;
    if (collider->kind == SB_COLLIDER_CYLINDER ||
        collider->kind == SB_COLLIDER_CAPSULE) {
        return is_length(collider, "length", collider->length, err);
    }
    if (collider->kind != SB_COLLIDER_RING) return SB_OK;
    double wire = collider->wire_radius;
    status = is_length(collider, "wire_radius", wire, err);
    if (status || wire <= collider->radius) return status;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "collider: wire_radius of a ring must not exceed its radius "
                   "(%g m), got %g m",
                   collider->radius, wire);
}

sb_status sb_collider_check(const sb_collider *collider, const sb_shape *shape,
                            sb_error *err) {
    switch (collider->kind) {
    case SB_COLLIDER_BOX:
        return check_box(collider, err);
    case SB_COLLIDER_SPHERE:
    case SB_COLLIDER_CYLINDER:
    case SB_COLLIDER_CAPSULE:
    case SB_COLLIDER_RING:
        return check_round(collider, err);
    case SB_COLLIDER_HULL:
    case SB_COLLIDER_MESH:
        if (shape->mesh || sb_shape_family_of(shape)->collider_mesh)
            return SB_OK;
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "collider: a %s collider needs a mesh, and a %s has none",
            sb_collider_kind_name(collider->kind),
            sb_shape_kind_name(shape->kind));
    case SB_COLLIDER_AUTO:
    case SB_COLLIDER_NONE:
    case SB_COLLIDER_FLOOR:
        return SB_OK;
    case SB_COLLIDER_KINDS:
        break;
    }
    return sb_fail(err, SB_BAD_ARGUMENT, "collider: unknown kind %d",
                   (int)collider->kind);
}
