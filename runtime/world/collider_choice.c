/* SPDX-License-Identifier: MIT */
/* The collider of a shape, its name and checks; and sizes and faces of that of a
 * solid. Runs on any thread but audio. */
#include "runtime/world/collider_choice.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh/hull.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    return sb_vec3_normalised(sb_vec3_span(a, b, c));
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
        sb_vec3 area =
            sb_vec3_span(a, mesh->vertices[face[1]], mesh->vertices[face[2]]);
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
        if (shape && (shape->mesh || sb_shape_family_of(shape)->collider_mesh))
            return SB_OK;
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "collider: a %s collider needs a mesh, and a %s has none",
            sb_collider_kind_name(collider->kind),
            shape ? sb_shape_kind_name(shape->kind) : "body without a shape");
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

sb_status sb_solid_check_collider(const sb_solid_def *def, sb_error *err) {
    sb_collider_kind kind = def->collider.kind;
    bool has_mass = kind != SB_COLLIDER_FLOOR &&
                    (kind != SB_COLLIDER_NONE || def->mass_kg > 0.0);
    if (kind == SB_COLLIDER_AUTO || kind >= SB_COLLIDER_KINDS)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a solid's collider has no valid kind; "
                       "expected the result of sb_collider_of");
    if (def->motion == SB_MOTION_FREE && !has_mass)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a free solid has no mass: expected a collider other "
                       "than a floor or none");
    return sb_collider_check(&def->collider, def->shape, err);
}

/* --- sizes ---------------------------------------------------------------- */

/* Sets the bounding box, and the skin thickness from its least side. */
static void set_size(sb_solid *solid, sb_vec3 half, double thin_m) {
    solid->size.half = half;
    solid->size.thin_m = thin_m;
    solid->size.skin_m = fmin(0.5 * SB_SKIN_M, 0.01 * thin_m);
}

static void size_simple(sb_solid *solid) {
    const sb_collider *c = &solid->collider;
    double r = c->radius, w = c->wire_radius;
    if (c->kind == SB_COLLIDER_SPHERE) {
        set_size(solid, (sb_vec3){r, r, r}, r);
    } else if (c->kind == SB_COLLIDER_BOX) {
        sb_vec3 half = {0.5 * c->width, 0.5 * c->height, 0.5 * c->depth};
        set_size(solid, half, fmin(half.x, fmin(half.y, half.z)));
    } else if (c->kind == SB_COLLIDER_CYLINDER) {
        set_size(solid, (sb_vec3){r, 0.5 * c->length, r},
                 fmin(r, 0.5 * c->length));
    } else if (c->kind == SB_COLLIDER_CAPSULE) {
        set_size(solid, (sb_vec3){0.5 * c->length + r, r, r}, r);
    } else if (c->kind == SB_COLLIDER_RING) {
        set_size(solid, (sb_vec3){r + w, w, r + w}, w);
    } else { /* a floor */
        set_size(solid, (sb_vec3){1e3, 1e3, 1e3}, 1e3);
    }
}

static void set_box_of(sb_solid *solid) {
    const sb_solid_faces *f = &solid->faces;
    sb_vec3 low = f->points[0], high = low;
    for (int i = 1; i < f->point_count; i++) {
        sb_vec3 p = f->points[i];
        low.x = fmin(low.x, p.x), high.x = fmax(high.x, p.x);
        low.y = fmin(low.y, p.y), high.y = fmax(high.y, p.y);
        low.z = fmin(low.z, p.z), high.z = fmax(high.z, p.z);
    }
    sb_vec3 half = sb_vec3_scale(sb_vec3_sub(high, low), 0.5);
    set_size(solid, half, fmin(half.x, fmin(half.y, half.z)));
    /* A flat sheet is as thick as it is narrow to what flies at it: balls know
     * their side of it, and other solids are stopped by their own size. */
    if (f->is_sheet) solid->size.thin_m = fmax(half.x, fmax(half.y, half.z));
    solid->size.middle = sb_vec3_scale(sb_vec3_add(low, high), 0.5);
    solid->size.skin_m = 0.0; /* ODE uses the faces unchanged */
}

/* --- faces ---------------------------------------------------------------- */

static sb_status copy_faces(const sb_vec3 *points, int point_count,
                            const int (*corners)[3], int face_count,
                            sb_solid_faces *f, sb_error *err) {
    f->points = sb_alloc((size_t)point_count, sizeof *f->points);
    f->corners = sb_alloc((size_t)face_count, sizeof *f->corners);
    if (!f->points || !f->corners)
        return sb_no_memory_for(err, "a mesh collider");
    f->point_count = point_count;
    f->face_count = face_count;
    memcpy(f->points, points, (size_t)point_count * sizeof *points);
    memcpy(f->corners, corners, (size_t)face_count * sizeof *corners);
    return SB_OK;
}

static sb_status finish_faces(sb_solid *solid, double thick_m, sb_error *err) {
    set_box_of(solid);
    return sb_sheet_make(&solid->faces, solid->collider.is_smooth, thick_m,
                         &solid->sheet, err);
}

static sb_status copy_mesh(const sb_mesh *mesh, bool is_sheet,
                           sb_solid_faces *f, sb_error *err) {
    f->is_sheet = is_sheet;
    return copy_faces(mesh->vertices, mesh->vertex_count,
                      (const int(*)[3])mesh->faces, mesh->face_count, f, err);
}

static sb_status copy_hull(const sb_mesh_source *source, sb_solid_faces *f,
                           sb_error *err) {
    const sb_hull *hull;
    sb_status status = sb_mesh_source_hull(source, &hull, err);
    return status ? status
                  : copy_faces(hull->points, hull->point_count,
                               (const int(*)[3])hull->corners, hull->face_count,
                               f, err);
}

static sb_status make_hull(const sb_mesh *mesh, sb_solid_faces *f,
                           sb_error *err) {
    sb_hull hull;
    sb_status status =
        sb_hull_make(mesh->vertices, mesh->vertex_count, &hull, err);
    if (!status)
        *f = (sb_solid_faces){.points = hull.points,
                              .corners = hull.corners,
                              .point_count = hull.point_count,
                              .face_count = hull.face_count};
    return status;
}

/* The hull or the faces of a mesh, or of the one that the shape's family makes:
 * the wall of a tube or bowl, which stops solids on both sides. */
static sb_status make_faces(sb_solid *solid, const sb_shape *shape,
                            sb_error *err) {
    bool is_hull = solid->collider.kind == SB_COLLIDER_HULL;
    sb_status status;
    if (shape->mesh && is_hull) {
        status = copy_hull(shape->mesh, &solid->faces, err);
    } else if (shape->mesh) {
        bool is_closed = sb_mesh_source_report(shape->mesh)->is_closed;
        status = copy_mesh(sb_mesh_source_mesh(shape->mesh), !is_closed,
                           &solid->faces, err);
    } else {
        sb_mesh mesh;
        status = sb_shape_family_of(shape)->collider_mesh(shape, &mesh, err);
        if (status) return status;
        status = is_hull ? make_hull(&mesh, &solid->faces, err)
                         : copy_mesh(&mesh, true, &solid->faces, err);
        sb_mesh_free(&mesh);
    }
    return status ? status : finish_faces(solid, shape->thickness, err);
}

/* The farthest corner of the bounding box from the centre of mass. */
void sb_solid_set_reach(sb_solid *solid) {
    sb_vec3 off = sb_vec3_sub(solid->size.middle, solid->mass.centre);
    sb_vec3 far = {fabs(off.x) + solid->size.half.x,
                   fabs(off.y) + solid->size.half.y,
                   fabs(off.z) + solid->size.half.z};
    solid->reach_m = sb_vec3_length(far);
    if (solid->collider.kind == SB_COLLIDER_SPHERE)
        solid->reach_m = solid->collider.radius;
}

/* Vertices that differ by less than this part of the size are on one rim; a rim
 * has as many at least; and a body of revolution has this many rims at most. */
static const double SAME_SHARE = 1e-4;
enum { RIM_POINTS = 6, MOST_RIMS = 128 };

/* Adds a vertex to its rim. False: there are too many. */
static bool add_to_rim(sb_solid_rim *rims, int *counts, int *count,
                       sb_solid_rim at, double same_m) {
    int i = 0;
    while (i < *count && (fabs(rims[i].along_m - at.along_m) > same_m ||
                          fabs(rims[i].radius_m - at.radius_m) > same_m))
        i++;
    if (i == MOST_RIMS) return false;
    if (i == *count) rims[(*count)++] = at;
    counts[i]++;
    return true;
}

sb_status sb_solid_set_rims(sb_solid *solid, sb_error *err) {
    sb_solid_faces *f = &solid->faces;
    const sb_collider *c = &solid->collider;
    if (f->point_count == 0 || !c->is_smooth || c->is_guessed ||
        solid->inertia.rotor != SB_ROTOR_ROUND)
        return SB_OK;
    int k = solid->inertia.axis, counts[MOST_RIMS] = {0}, count = 0;
    sb_vec3 axis = sb_quat_turn(solid->inertia.principal,
                                (sb_vec3){k == 0, k == 1, k == 2});
    sb_solid_rim rims[MOST_RIMS];
    double same_m = SAME_SHARE * sb_vec3_length(solid->size.half);
    for (int i = 0; i < f->point_count; i++) {
        sb_vec3 p = sb_vec3_sub(f->points[i], solid->mass.centre);
        sb_solid_rim at = {sb_vec3_dot(p, axis),
                           sb_vec3_length(sb_vec3_cross(p, axis))};
        if (!add_to_rim(rims, counts, &count, at, same_m)) return SB_OK;
    }
    for (int i = 0; i < count; i++)
        if (counts[i] < RIM_POINTS && rims[i].radius_m > same_m) return SB_OK;
    f->rims = sb_alloc((size_t)count, sizeof *f->rims);
    if (!f->rims) return sb_no_memory_for(err, "a collider");
    memcpy(f->rims, rims, (size_t)count * sizeof *rims);
    f->rim_count = count;
    return SB_OK;
}

sb_status sb_solid_make_collider(sb_solid *solid, const sb_shape *shape,
                                 sb_error *err) {
    sb_collider_kind kind = solid->collider.kind;
    solid->size.thin_m = 1e3;
    if (kind == SB_COLLIDER_NONE) return SB_OK;
    sb_status status = SB_OK;
    if (kind == SB_COLLIDER_HULL || kind == SB_COLLIDER_MESH)
        status = make_faces(solid, shape, err);
    else
        size_simple(solid);
    return status == SB_OK ? sb_geoms_make(solid, err) : status;
}

void sb_solid_free_collider(sb_solid *solid) {
    sb_geoms_free(solid);
    sb_sheet_free(solid->sheet);
    sb_free_all(solid->faces.points, solid->faces.corners, solid->faces.rims);
    solid->faces = (sb_solid_faces){0};
    solid->sheet = NULL;
}
