/* Mass, centre of mass and inertia of solids, from their collider or mesh. Runs
 * on the control thread. */
#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/moments.h"
#include "runtime/model/shapes/family.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Inertia of a solid of revolution: about its axis and across it. */
static void set_inertia(sb_mass_properties *mass, int axis, double along,
                        double across) {
    for (int i = 0; i < 3; i++)
        mass->inertia[i] = i == axis ? along : across;
}

/* A cylinder with a hemisphere on each end, at unit density. */
static sb_mass_properties capsule(double r, double length) {
    double middle = SB_PI * r * r * length,
           ends = 4.0 / 3.0 * SB_PI * r * r * r;
    double out = 0.5 * length; /* from the centre to the hemispheres */
    double across = middle * (r * r / 4.0 + length * length / 12.0) +
                    ends * (0.4 * r * r + out * out + 0.75 * r * out);
    sb_mass_properties mass = {.mass_kg = middle + ends};
    set_inertia(&mass, 0, middle * r * r / 2.0 + ends * 0.4 * r * r, across);
    return mass;
}

/* At unit density. */
static sb_mass_properties of_collider(const sb_collider *c) {
    sb_mass_properties mass = {0};
    double r = c->radius, w = c->wire_radius, m = 0.0;
    if (c->kind == SB_COLLIDER_SPHERE) {
        mass.mass_kg = m = 4.0 / 3.0 * SB_PI * r * r * r;
        set_inertia(&mass, 0, 0.4 * m * r * r, 0.4 * m * r * r);
    } else if (c->kind == SB_COLLIDER_BOX) {
        double x = c->width * c->width, y = c->height * c->height,
               z = c->depth * c->depth;
        mass.mass_kg = m = c->width * c->height * c->depth;
        mass.inertia[0] = m * (y + z) / 12.0;
        mass.inertia[1] = m * (z + x) / 12.0;
        mass.inertia[2] = m * (x + y) / 12.0;
    } else if (c->kind == SB_COLLIDER_CYLINDER) {
        mass.mass_kg = m = SB_PI * r * r * c->length;
        set_inertia(&mass, 1, 0.5 * m * r * r,
                    m * (r * r / 4.0 + c->length * c->length / 12.0));
    } else if (c->kind == SB_COLLIDER_CAPSULE) {
        mass = capsule(r, c->length);
    } else if (c->kind == SB_COLLIDER_RING) {
        mass.mass_kg = m = 2.0 * SB_PI * r * SB_PI * w * w;
        set_inertia(&mass, 1, m * (r * r + 0.75 * w * w),
                    m * (0.5 * r * r + 0.625 * w * w));
    }
    return mass;
}

/* From the moments of its faces, at unit density. */
static sb_mass_properties of_faces(const sb_moments *sum) {
    sb_mass_properties mass = {.mass_kg = sum->volume};
    if (sum->volume > 0.0)
        sb_moments_inertia(sum, 1.0, &mass.centre, mass.inertia);
    return mass;
}

static sb_mass_properties of_hull(const sb_solid_faces *f) {
    sb_moments sum = {0};
    for (int i = 0; i < f->face_count; i++) {
        sb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = f->points[f->corners[i][k]];
        sb_moments_add(&sum, p, 0.0);
    }
    return of_faces(&sum);
}

/* With a thickness the mass lies on the faces, else inside the closed mesh. */
static sb_mass_properties of_mesh(const sb_mesh *mesh, double thickness_m) {
    sb_moments sum = {0};
    for (int i = 0; i < mesh->face_count; i++) {
        sb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = mesh->vertices[mesh->faces[i][k]];
        sb_moments_add(&sum, p, thickness_m);
    }
    return of_faces(&sum);
}

/* Walls: a tube, a hollow box. */
static sb_mass_properties of_walls(const sb_shape *shape) {
    sb_shape_mass walls = sb_shape_family_of(shape)->mass(shape);
    sb_mass_properties mass = {.mass_kg = walls.volume_m3,
                               .centre = walls.centre_m};
    for (int i = 0; i < 3; i++)
        mass.inertia[i] = walls.inertia_m5[i];
    return mass;
}

/* A solid with a mass but no collider has the inertia of a ball of that mass
 * with the density of water. */
static sb_mass_properties of_nothing(double mass_kg) {
    double r = cbrt(mass_kg / 1000.0 * 0.75 / SB_PI);
    sb_mass_properties mass = {.mass_kg = mass_kg};
    set_inertia(&mass, 0, 0.4 * mass_kg * r * r, 0.4 * mass_kg * r * r);
    return mass;
}

static sb_mass_properties at_unit_density(const sb_solid_def *def,
                                          const sb_solid_faces *f) {
    const sb_shape *shape = def->shape;
    sb_collider_kind kind = def->collider.kind;
    if (kind == SB_COLLIDER_NONE) return of_nothing(def->mass_kg);
    if (shape && sb_shape_family_of(shape)->mass) return of_walls(shape);
    /* Uses the mesh itself rather than its collider. */
    if (shape && shape->mesh) {
        const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
        const sb_mesh_report *report = sb_mesh_source_report(shape->mesh);
        if (shape->thickness > 0.0) return of_mesh(mesh, shape->thickness);
        if (report->is_closed) return of_mesh(mesh, 0.0);
    }
    if (kind == SB_COLLIDER_HULL) return of_hull(f);
    return of_collider(&def->collider);
}

sb_status sb_mass_properties_find(const sb_solid_def *def,
                                  const sb_solid_faces *faces,
                                  sb_mass_properties *out, sb_error *err) {
    sb_mass_properties mass = at_unit_density(def, faces);
    double mass_kg =
        def->mass_kg != 0.0 ? def->mass_kg : mass.mass_kg * def->density;
    if (!(mass.mass_kg > 0.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a free solid's mesh encloses nothing: expected a "
                       "closed one, or a thickness");
    if (!(mass_kg >= 1e-9 && mass_kg <= 1e9))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a free solid's mass is %g kg; expected 1e-9 to 1e9",
                       mass_kg);
    double scale = mass_kg / mass.mass_kg;
    for (int i = 0; i < 6; i++)
        mass.inertia[i] *= scale;
    /* A flat sheet or a needle: every axis needs some inertia. */
    double most = fmax(mass.inertia[0], fmax(mass.inertia[1], mass.inertia[2]));
    for (int i = 0; i < 3; i++)
        mass.inertia[i] = fmax(mass.inertia[i], 1e-6 * most);
    mass.mass_kg = mass_kg;
    *out = mass;
    return SB_OK;
}
