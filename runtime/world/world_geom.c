/* Checks the collider of a solid; makes, places and frees its ODE geoms.
 * Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/shapes/family.h"
#include "runtime/world/world_internal.h"

#include <math.h>

int sb_collider_geoms(const sb_collider *collider) {
    if (collider->kind == SB_COLLIDER_RING) return SB_RING_PARTS;
    return collider->kind != SB_COLLIDER_NONE;
}

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

sb_status sb_geom_check(const sb_solid_def *def, sb_error *err) {
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

/* --- making --------------------------------------------------------------- */

static bool make_parts(sb_solid *solid, int count) {
    solid->parts = sb_alloc((size_t)count, sizeof *solid->parts);
    if (!solid->parts) return false;
    for (int i = 0; i < count; i++)
        solid->parts[i].turn = sb_quat_identity();
    solid->part_count = count;
    return true;
}

/* Sets the bounding box, and the skin thickness from its least side. */
static void set_size(const sb_world *world, sb_solid *solid, sb_vec3 half,
                     double thin_m) {
    solid->half = half;
    solid->thin_m = thin_m;
    solid->skin_m = fmin(0.5 * world->skin_m, 0.01 * thin_m);
}

/* Capsules along the sides of a polygon circumscribed about the circle: it
 * touches whatever the circle touches. */
static void make_ring(sb_world *world, sb_solid *solid, dSpaceID space) {
    const sb_collider *c = &solid->collider;
    double side = 2.0 * c->radius * tan(SB_PI / SB_RING_PARTS);
    sb_vec3 up = {0.0, 1.0, 0.0};
    double wide = c->radius / cos(SB_PI / SB_RING_PARTS) + c->wire_radius;
    set_size(world, solid, (sb_vec3){wide, c->wire_radius, wide},
             c->wire_radius);
    for (int i = 0; i < SB_RING_PARTS; i++) {
        double angle = 2.0 * SB_PI * i / SB_RING_PARTS;
        sb_part *part = &solid->parts[i];
        part->geom =
            dCreateCapsule(space, c->wire_radius + solid->skin_m, side);
        /* ODE's capsules lie along z, which is the tangent at angle 0. */
        part->turn = sb_quat_about(up, -angle);
        part->at =
            (sb_vec3){c->radius * cos(angle), 0.0, c->radius * sin(angle)};
    }
}

static void make_simple(sb_world *world, sb_solid *solid, dSpaceID space) {
    const sb_collider *c = &solid->collider;
    sb_part *part = &solid->parts[0];
    double r = c->radius;
    if (c->kind == SB_COLLIDER_SPHERE) {
        set_size(world, solid, (sb_vec3){r, r, r}, r);
        part->geom = dCreateSphere(space, r + solid->skin_m);
    } else if (c->kind == SB_COLLIDER_BOX) {
        sb_vec3 half = {0.5 * c->width, 0.5 * c->height, 0.5 * c->depth};
        set_size(world, solid, half, fmin(half.x, fmin(half.y, half.z)));
        double skin = 2.0 * solid->skin_m;
        part->geom = dCreateBox(space, c->width + skin, c->height + skin,
                                c->depth + skin);
    } else if (c->kind == SB_COLLIDER_CYLINDER) {
        set_size(world, solid, (sb_vec3){r, 0.5 * c->length, r},
                 fmin(r, 0.5 * c->length));
        part->geom = dCreateCylinder(space, r + solid->skin_m,
                                     c->length + 2.0 * solid->skin_m);
        part->turn = sb_quat_about((sb_vec3){1.0, 0.0, 0.0}, 0.5 * SB_PI);
    } else if (c->kind == SB_COLLIDER_CAPSULE) {
        set_size(world, solid, (sb_vec3){0.5 * c->length + r, r, r}, r);
        part->geom = dCreateCapsule(space, r + solid->skin_m, c->length);
        part->turn = sb_quat_about((sb_vec3){0.0, 1.0, 0.0}, 0.5 * SB_PI);
    } else { /* a floor */
        set_size(world, solid, (sb_vec3){1e3, 1e3, 1e3}, 1e3);
        solid->skin_m = 0.5 * world->skin_m;
        part->geom = dCreatePlane(space, 0.0, 1.0, 0.0, 0.0);
    }
}

static void set_box_of(const sb_world *world, sb_solid *solid,
                       const sb_vec3 *points, int count) {
    sb_vec3 low = points[0], high = points[0];
    for (int i = 1; i < count; i++) {
        low.x = fmin(low.x, points[i].x), high.x = fmax(high.x, points[i].x);
        low.y = fmin(low.y, points[i].y), high.y = fmax(high.y, points[i].y);
        low.z = fmin(low.z, points[i].z), high.z = fmax(high.z, points[i].z);
    }
    sb_vec3 half = sb_vec3_scale(sb_vec3_sub(high, low), 0.5);
    set_size(world, solid, half, fmin(half.x, fmin(half.y, half.z)));
    solid->middle = sb_vec3_scale(sb_vec3_add(low, high), 0.5);
    solid->skin_m = 0.0; /* ODE uses the faces unchanged */
}

/* Hulls become trimeshes as well: for convex geoms ODE returns one point at
 * a time, on which nothing comes to rest, and with some other geoms it
 * fails. */
static void make_trimesh(sb_world *world, sb_solid *solid) {
    sb_solid_faces *f = &solid->faces;
    f->mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(f->mesh, f->points, 3 * sizeof *f->points,
                                f->point_count, f->corners, 3 * f->face_count,
                                3 * sizeof *f->corners);
    solid->parts[0].geom =
        dCreateTriMesh(world->space, f->mesh, NULL, NULL, NULL);
}

/* ODE stops only solids that come from the outer side of a face. An open
 * sheet has no outer side, so each of its faces is stored twice, once per
 * side. */
static sb_status copy_faces(const sb_mesh *mesh, bool is_sheet,
                            sb_solid_faces *f, sb_error *err) {
    int sides = is_sheet ? 2 : 1;
    f->points = sb_alloc((size_t)mesh->vertex_count * 3, sizeof *f->points);
    f->corners = sb_alloc((size_t)mesh->face_count * 3 * (size_t)sides,
                          sizeof *f->corners);
    if (!f->points || !f->corners)
        return sb_fail(err, SB_NO_MEMORY, "no memory for a mesh collider");
    f->point_count = mesh->vertex_count;
    f->face_count = sides * mesh->face_count;
    for (int i = 0; i < mesh->vertex_count; i++) {
        f->points[3 * i] = mesh->vertices[i].x;
        f->points[3 * i + 1] = mesh->vertices[i].y;
        f->points[3 * i + 2] = mesh->vertices[i].z;
    }
    for (int i = 0; i < 3 * mesh->face_count; i++)
        f->corners[i] = (dTriIndex)mesh->faces[i / 3][i % 3];
    for (int i = 3 * mesh->face_count; i < 3 * f->face_count; i++)
        f->corners[i] =
            (dTriIndex)mesh->faces[i / 3 - mesh->face_count][2 - i % 3];
    return SB_OK;
}

static sb_status make_faces_of(sb_world *world, sb_solid *solid,
                               const sb_mesh *mesh, bool is_sheet,
                               sb_error *err) {
    sb_status status = solid->collider.kind == SB_COLLIDER_HULL
                           ? sb_hull_make(mesh->vertices, mesh->vertex_count,
                                          &solid->faces, err)
                           : copy_faces(mesh, is_sheet, &solid->faces, err);
    if (status != SB_OK) return status;
    make_trimesh(world, solid);
    set_box_of(world, solid, mesh->vertices, mesh->vertex_count);
    return SB_OK;
}

/* The faces of a mesh, or those that the shape's family makes: the wall of a
 * tube or bowl, which stops solids on both sides. */
static sb_status make_faces(sb_world *world, sb_solid *solid,
                            const sb_shape *shape, sb_error *err) {
    if (shape->mesh) {
        bool is_closed = sb_mesh_source_report(shape->mesh)->is_closed;
        return make_faces_of(world, solid, sb_mesh_source_mesh(shape->mesh),
                             !is_closed, err);
    }
    sb_mesh mesh;
    sb_status status =
        sb_shape_family_of(shape)->collider_mesh(shape, &mesh, err);
    if (status) return status;
    status = make_faces_of(world, solid, &mesh, true, err);
    sb_mesh_free(&mesh);
    return status;
}

static sb_status make_geoms(sb_world *world, sb_solid *solid,
                            const sb_shape *shape, sb_error *err) {
    dSpaceID space = world->space;
    if (solid->collider.kind == SB_COLLIDER_RING) {
        space = dSimpleSpaceCreate(world->space);
        dSpaceSetCleanup(space, 0);
        solid->geom = (dGeomID)space;
        make_ring(world, solid, space);
        return SB_OK;
    }
    if (solid->collider.kind == SB_COLLIDER_HULL ||
        solid->collider.kind == SB_COLLIDER_MESH)
        return make_faces(world, solid, shape, err);
    make_simple(world, solid, space);
    return SB_OK;
}

sb_status sb_geom_make(sb_world *world, sb_solid *solid, const sb_shape *shape,
                       sb_error *err) {
    int count = sb_collider_geoms(&solid->collider);
    solid->thin_m = 1e3;
    if (count == 0) return SB_OK;
    if (!make_parts(solid, count))
        return sb_fail(err, SB_NO_MEMORY, "no memory for a collider");
    sb_status status = make_geoms(world, solid, shape, err);
    if (status != SB_OK) return status;
    if (!solid->geom) solid->geom = solid->parts[0].geom;
    /* Solids that are not free collide only with free ones. */
    bool is_free = solid->motion == SB_MOTION_FREE;
    dGeomSetCategoryBits(solid->geom, is_free ? 1UL : 2UL);
    dGeomSetCollideBits(solid->geom, is_free ? 3UL : 1UL);
    return SB_OK;
}

void sb_geom_free(sb_solid *solid) {
    for (int i = 0; i < solid->part_count; i++)
        if (solid->parts[i].geom) dGeomDestroy(solid->parts[i].geom);
    if (solid->geom && solid->collider.kind == SB_COLLIDER_RING)
        dGeomDestroy(solid->geom);
    if (solid->faces.mesh) dGeomTriMeshDataDestroy(solid->faces.mesh);
    sb_free(solid->faces.points);
    sb_free(solid->faces.corners);
    sb_free(solid->parts);
    solid->faces = (sb_solid_faces){0};
    solid->parts = NULL;
    solid->part_count = 0;
    solid->geom = NULL;
}

void sb_geom_place(sb_solid *solid) {
    sb_vec3 origin = sb_solid_origin(solid);
    sb_quat q = solid->rotation;
    if (solid->collider.kind == SB_COLLIDER_FLOOR) {
        sb_vec3 up = sb_quat_turn(q, (sb_vec3){0.0, 1.0, 0.0});
        dGeomPlaneSetParams(solid->geom, up.x, up.y, up.z,
                            sb_vec3_dot(up, origin) + solid->skin_m);
        return;
    }
    for (int i = 0; i < solid->part_count; i++) {
        const sb_part *part = &solid->parts[i];
        sb_vec3 at = sb_vec3_add(origin, sb_quat_turn(q, part->at));
        sb_quat turn = sb_quat_normalised(sb_quat_times(q, part->turn));
        dQuaternion ode = {turn.w, turn.x, turn.y, turn.z};
        dGeomSetPosition(part->geom, at.x, at.y, at.z);
        dGeomSetQuaternion(part->geom, ode);
    }
}
