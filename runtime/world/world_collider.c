/* Checks the collider of a solid; sets its sizes and faces. Runs on the control
 * thread. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/hull.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/family.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <string.h>

/* --- checks --------------------------------------------------------------- */

static sb_status check_size(double value, const char *name, sb_error *err) {
    if (value >= 1e-5 && value <= 1e3) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "a collider's %s is %g m; expected 1e-5 to 1000", name,
                   value);
}

static sb_status check_mesh(const sb_shape *shape, sb_error *err) {
    if (shape && (shape->mesh || sb_shape_family_of(shape)->collider_mesh))
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "a collider is a hull or mesh, but its shape has no mesh");
}

static sb_status check_two(double a, const char *a_name, double b,
                           const char *b_name, sb_error *err) {
    sb_status status = check_size(a, a_name, err);
    return status == SB_OK ? check_size(b, b_name, err) : status;
}

static sb_status check_ring(const sb_collider *c, sb_error *err) {
    sb_status status =
        check_two(c->radius, "radius", c->wire_radius, "wire_radius", err);
    if (status != SB_OK) return status;
    if (c->wire_radius < c->radius) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "a ring collider's wire_radius is %g m; expected less than "
                   "its radius, %g",
                   c->wire_radius, c->radius);
}

sb_status sb_solid_check_collider(const sb_solid_def *def, sb_error *err) {
    const sb_collider *c = &def->collider;
    sb_status status = SB_OK;
    switch (c->kind) {
    case SB_COLLIDER_NONE:
    case SB_COLLIDER_FLOOR:
        if (def->motion != SB_MOTION_FREE) return SB_OK;
        if (c->kind == SB_COLLIDER_NONE && def->mass_kg > 0.0) return SB_OK;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a free solid has no mass: expected a collider other "
                       "than a floor or none");
    case SB_COLLIDER_SPHERE:
        return check_size(c->radius, "radius", err);
    case SB_COLLIDER_BOX:
        status = check_two(c->width, "width", c->height, "height", err);
        return status == SB_OK ? check_size(c->depth, "depth", err) : status;
    case SB_COLLIDER_CYLINDER:
    case SB_COLLIDER_CAPSULE:
        return check_two(c->radius, "radius", c->length, "length", err);
    case SB_COLLIDER_RING:
        return check_ring(c, err);
    case SB_COLLIDER_HULL:
    case SB_COLLIDER_MESH:
        return check_mesh(def->shape, err);
    case SB_COLLIDER_AUTO:
    case SB_COLLIDER_KINDS:
        break;
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "a solid's collider has no valid kind; "
                   "expected the result of sb_collider_of");
}

/* --- sizes ---------------------------------------------------------------- */

/* Sets the bounding box, and the skin thickness from its least side. */
static void set_size(const sb_world *world, sb_solid *solid, sb_vec3 half,
                     double thin_m) {
    solid->half = half;
    solid->thin_m = thin_m;
    solid->skin_m = fmin(0.5 * world->skin_m, 0.01 * thin_m);
}

static void size_simple(const sb_world *world, sb_solid *solid) {
    const sb_collider *c = &solid->collider;
    double r = c->radius, w = c->wire_radius;
    if (c->kind == SB_COLLIDER_SPHERE) {
        set_size(world, solid, (sb_vec3){r, r, r}, r);
    } else if (c->kind == SB_COLLIDER_BOX) {
        sb_vec3 half = {0.5 * c->width, 0.5 * c->height, 0.5 * c->depth};
        set_size(world, solid, half, fmin(half.x, fmin(half.y, half.z)));
    } else if (c->kind == SB_COLLIDER_CYLINDER) {
        set_size(world, solid, (sb_vec3){r, 0.5 * c->length, r},
                 fmin(r, 0.5 * c->length));
    } else if (c->kind == SB_COLLIDER_CAPSULE) {
        set_size(world, solid, (sb_vec3){0.5 * c->length + r, r, r}, r);
    } else if (c->kind == SB_COLLIDER_RING) {
        set_size(world, solid, (sb_vec3){r + w, w, r + w}, w);
    } else { /* a floor */
        set_size(world, solid, (sb_vec3){1e3, 1e3, 1e3}, 1e3);
    }
}

static void set_box_of(const sb_world *world, sb_solid *solid) {
    const sb_solid_faces *f = &solid->faces;
    sb_vec3 low = f->points[0], high = low;
    for (int i = 1; i < f->point_count; i++) {
        sb_vec3 p = f->points[i];
        low.x = fmin(low.x, p.x), high.x = fmax(high.x, p.x);
        low.y = fmin(low.y, p.y), high.y = fmax(high.y, p.y);
        low.z = fmin(low.z, p.z), high.z = fmax(high.z, p.z);
    }
    sb_vec3 half = sb_vec3_scale(sb_vec3_sub(high, low), 0.5);
    set_size(world, solid, half, fmin(half.x, fmin(half.y, half.z)));
    /* A flat sheet is as thick as it is narrow to what flies at it: balls know
     * their side of it, and other solids are stopped by their own size. */
    if (f->is_sheet) solid->thin_m = fmax(half.x, fmax(half.y, half.z));
    solid->middle = sb_vec3_scale(sb_vec3_add(low, high), 0.5);
    solid->skin_m = 0.0; /* ODE uses the faces unchanged */
}

/* --- faces ---------------------------------------------------------------- */

static sb_status copy_faces(const sb_vec3 *points, int point_count,
                            const int (*corners)[3], int face_count,
                            sb_solid_faces *f, sb_error *err) {
    f->points = sb_alloc((size_t)point_count, sizeof *f->points);
    f->corners = sb_alloc((size_t)face_count, sizeof *f->corners);
    if (!f->points || !f->corners)
        return sb_fail(err, SB_NO_MEMORY, "no memory for a mesh collider");
    f->point_count = point_count;
    f->face_count = face_count;
    memcpy(f->points, points, (size_t)point_count * sizeof *points);
    memcpy(f->corners, corners, (size_t)face_count * sizeof *corners);
    return SB_OK;
}

static sb_status finish_faces(sb_world *world, sb_solid *solid, double thick_m,
                              sb_error *err) {
    set_box_of(world, solid);
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
static sb_status make_faces(sb_world *world, sb_solid *solid,
                            const sb_shape *shape, sb_error *err) {
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
    return status ? status : finish_faces(world, solid, shape->thickness, err);
}

/* The farthest corner of the bounding box from the centre of mass. */
void sb_solid_set_reach(sb_solid *solid) {
    sb_vec3 off = sb_vec3_sub(solid->middle, solid->mass.centre);
    sb_vec3 far = {fabs(off.x) + solid->half.x, fabs(off.y) + solid->half.y,
                   fabs(off.z) + solid->half.z};
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
        solid->rotor != SB_ROTOR_ROUND)
        return SB_OK;
    int k = solid->rotor_axis, counts[MOST_RIMS] = {0}, count = 0;
    sb_vec3 axis =
        sb_quat_turn(solid->principal, (sb_vec3){k == 0, k == 1, k == 2});
    sb_solid_rim rims[MOST_RIMS];
    double same_m = SAME_SHARE * sb_vec3_length(solid->half);
    for (int i = 0; i < f->point_count; i++) {
        sb_vec3 p = sb_vec3_sub(f->points[i], solid->mass.centre);
        sb_solid_rim at = {sb_vec3_dot(p, axis),
                           sb_vec3_length(sb_vec3_cross(p, axis))};
        if (!add_to_rim(rims, counts, &count, at, same_m)) return SB_OK;
    }
    for (int i = 0; i < count; i++)
        if (counts[i] < RIM_POINTS && rims[i].radius_m > same_m) return SB_OK;
    f->rims = sb_alloc((size_t)count, sizeof *f->rims);
    if (!f->rims) return sb_fail(err, SB_NO_MEMORY, "no memory for a collider");
    memcpy(f->rims, rims, (size_t)count * sizeof *rims);
    f->rim_count = count;
    return SB_OK;
}

sb_status sb_solid_make_collider(sb_world *world, sb_solid *solid,
                                 const sb_shape *shape, sb_error *err) {
    sb_collider_kind kind = solid->collider.kind;
    solid->thin_m = 1e3;
    if (kind == SB_COLLIDER_NONE) return SB_OK;
    sb_status status = SB_OK;
    if (kind == SB_COLLIDER_HULL || kind == SB_COLLIDER_MESH)
        status = make_faces(world, solid, shape, err);
    else
        size_simple(world, solid);
    return status == SB_OK ? sb_geoms_make(solid, err) : status;
}

void sb_solid_free_collider(sb_solid *solid) {
    sb_geoms_free(solid);
    sb_sheet_free(solid->sheet);
    sb_free(solid->faces.points);
    sb_free(solid->faces.corners);
    sb_free(solid->faces.rims);
    solid->faces = (sb_solid_faces){0};
    solid->sheet = NULL;
}
