/* SPDX-License-Identifier: MIT */
/* One solid: its velocities, inertia, extent, motion without forces, and mass
 * properties. Runs on the control thread. */
#include "runtime/base/pi.h"
#include "runtime/base/principal.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/moments.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/world/world_internal.h"

#include <math.h>

void sb_solid_wake(sb_solid *solid) {
    solid->is_asleep = solid->is_roused = false;
    solid->rest.idle_s = solid->rest.heap_s = 0.0;
}

bool sb_solid_moves(const sb_solid *solid) {
    if (solid->motion == SB_MOTION_FREE)
        return !solid->is_asleep && !solid->is_lost;
    return solid->motion == SB_MOTION_SCRIPTED && !solid->is_lost &&
           (sb_vec3_dot(solid->velocity, solid->velocity) > 0.0 ||
            sb_vec3_dot(solid->spin, solid->spin) > 0.0);
}

sb_vec3 sb_solid_velocity_at(const sb_solid *solid, sb_vec3 point) {
    sb_vec3 arm = sb_vec3_sub(point, solid->position);
    return sb_vec3_add(solid->velocity, sb_vec3_cross(solid->spin, arm));
}

sb_vec3 sb_solid_origin(const sb_solid *solid) {
    sb_vec3 at = solid->mass.centre;
    if (at.x == 0.0 && at.y == 0.0 && at.z == 0.0) return solid->position;
    return sb_vec3_sub(solid->position, sb_quat_turn(solid->rotation, at));
}

double sb_solid_extent(const sb_solid *solid, sb_vec3 direction) {
    const sb_collider *c = &solid->collider;
    sb_vec3 d = sb_quat_turn_back(solid->rotation, direction);
    sb_vec3 off = sb_vec3_sub(solid->size.middle, solid->mass.centre);
    double centre = sb_vec3_dot(d, off);
    if (c->kind == SB_COLLIDER_SPHERE) return centre + c->radius;
    if (c->kind == SB_COLLIDER_RING)
        return centre + c->radius * sqrt(d.x * d.x + d.z * d.z) +
               c->wire_radius;
    if (c->kind == SB_COLLIDER_CYLINDER)
        return centre + c->radius * sqrt(d.x * d.x + d.z * d.z) +
               0.5 * c->length * fabs(d.y);
    if (c->kind == SB_COLLIDER_CAPSULE)
        return centre + c->radius + 0.5 * c->length * fabs(d.x);
    return centre + fabs(d.x) * solid->size.half.x +
           fabs(d.y) * solid->size.half.y + fabs(d.z) * solid->size.half.z;
}

/* --- inertia -------------------------------------------------------------- */

static bool are_equal(double a, double b) {
    return fabs(a - b) <= 1e-9 * (a + b);
}

void sb_solid_set_rotor(sb_solid *solid) {
    sb_principal(solid->mass.inertia, solid->inertia.moments,
                 &solid->inertia.principal);
    const double *p = solid->inertia.moments;
    bool xy = are_equal(p[0], p[1]), yz = are_equal(p[1], p[2]),
         zx = are_equal(p[2], p[0]);
    solid->inertia.rotor = xy && yz         ? SB_ROTOR_BALL
                           : xy || yz || zx ? SB_ROTOR_ROUND
                                            : SB_ROTOR_OTHER;
    solid->inertia.axis = xy ? 2 : yz ? 0 : 1;
    int k = solid->inertia.axis;
    if (solid->inertia.rotor == SB_ROTOR_ROUND)
        solid->gyration = 1.0 - p[k] / p[(k + 1) % 3];
}

void sb_solid_turn_inertia(sb_solid *solid) {
    double *m = solid->inverse_inertia;
    if (solid->collider.kind == SB_COLLIDER_RING)
        for (int k = 0; k < 3; k++)
            solid->axes[k] = sb_quat_turn(solid->rotation,
                                          (sb_vec3){k == 0, k == 1, k == 2});
    if (solid->motion != SB_MOTION_FREE) return;
    const double *p = solid->inertia.moments;
    if (solid->inertia.rotor == SB_ROTOR_BALL) {
        m[0] = m[1] = m[2] = 1.0 / p[0];
        m[3] = m[4] = m[5] = 0.0;
        return;
    }
    sb_quat q = sb_quat_times(solid->rotation, solid->inertia.principal);
    if (solid->inertia.rotor == SB_ROTOR_ROUND) {
        int k = solid->inertia.axis;
        sb_vec3 e = solid->axle =
            sb_quat_turn(q, (sb_vec3){k == 0, k == 1, k == 2});
        double across = 1.0 / p[(k + 1) % 3], by = 1.0 / p[k] - across;
        m[0] = across + by * e.x * e.x, m[1] = across + by * e.y * e.y;
        m[2] = across + by * e.z * e.z, m[3] = by * e.x * e.y;
        m[4] = by * e.y * e.z, m[5] = by * e.z * e.x;
        return;
    }
    for (int k = 0; k < 6; k++)
        m[k] = 0.0;
    for (int k = 0; k < 3; k++) {
        sb_vec3 e = sb_quat_turn(q, (sb_vec3){k == 0, k == 1, k == 2});
        double by = 1.0 / p[k];
        m[0] += by * e.x * e.x, m[1] += by * e.y * e.y, m[2] += by * e.z * e.z;
        m[3] += by * e.x * e.y, m[4] += by * e.y * e.z, m[5] += by * e.z * e.x;
    }
}

/* --- motion without forces ------------------------------------------------ */

/* The rotation by a vector. Small ones by series: exact to 1e-16 of a turn. */
static sb_quat quat_by(sb_vec3 by) {
    double s = 0.25 * sb_vec3_dot(by, by); /* (angle / 2)^2 */
    if (s > 1e-3) return sb_quat_about(by, sb_vec3_length(by));
    double c = 1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0));
    double f = 0.5 * (1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0)));
    return (sb_quat){c, f * by.x, f * by.y, f * by.z};
}

sb_quat sb_quat_turned(sb_quat q, sb_vec3 by) {
    return sb_quat_normalised(sb_quat_times(quat_by(by), q));
}

static sb_vec3 unit(int axis) {
    return (sb_vec3){axis == 0, axis == 1, axis == 2};
}

/* A body of revolution with moments C about its axis e and A across it turns
 * at w = L / A + L.e (1/C - 1/A) e. The angular momentum L stays, so e turns
 * about L at L / A, and the body about e: exact for any time. */
static void spin_round(sb_solid *solid, double time_s) {
    int k = solid->inertia.axis;
    double along = solid->inertia.moments[k],
           across = solid->inertia.moments[(k + 1) % 3];
    sb_quat q = sb_quat_times(solid->rotation, solid->inertia.principal);
    sb_vec3 e = sb_quat_turn(q, unit(k));
    double we = sb_vec3_dot(solid->spin, e);
    /* L / A, and the rest of the spin along e */
    double extra = we * (1.0 - along / across);
    sb_vec3 about = sb_vec3_plus(solid->spin, e, -extra);
    q = sb_quat_times(q, quat_by(sb_vec3_scale(unit(k), extra * time_s)));
    q = sb_quat_turned(q, sb_vec3_scale(about, time_s));
    solid->rotation =
        sb_quat_times(q, sb_quat_inverse(solid->inertia.principal));
    e = sb_quat_turn(q, unit(k));
    solid->spin = sb_vec3_plus(about, e, extra);
}

/* Other bodies: turns about one principal axis after the other and back, which
 * keeps the angular momentum exactly and the energy to third order.
 * Source: Dullweber, Leimkuhler & McLachlan, J. Chem. Phys. 107 (1997). */
static void spin_other(sb_solid *solid, double time_s) {
    static const int order[5] = {0, 1, 2, 1, 0};
    sb_quat q = sb_quat_times(solid->rotation, solid->inertia.principal);
    sb_vec3 w = sb_quat_turn_back(q, solid->spin);
    const double *p = solid->inertia.moments;
    sb_vec3 l = {p[0] * w.x, p[1] * w.y, p[2] * w.z};
    for (int i = 0; i < 5; i++) {
        int k = order[i];
        double angle =
            (i == 2 ? 1.0 : 0.5) * time_s * sb_vec3_part(l, k) / p[k];
        sb_quat turn = quat_by(sb_vec3_scale(unit(k), angle));
        l = sb_quat_turn_back(turn, l);
        q = sb_quat_times(q, turn);
    }
    q = sb_quat_normalised(q);
    solid->rotation = sb_quat_normalised(
        sb_quat_times(q, sb_quat_inverse(solid->inertia.principal)));
    solid->spin =
        sb_quat_turn(q, (sb_vec3){l.x / p[0], l.y / p[1], l.z / p[2]});
}

void sb_solid_drift(sb_solid *solid, double time_s) {
    double spin = sb_vec3_dot(solid->spin, solid->spin);
    solid->position = sb_vec3_plus(solid->position, solid->velocity, time_s);
    if (!(spin > 0.0)) return;
    if (solid->motion != SB_MOTION_FREE ||
        solid->inertia.rotor == SB_ROTOR_BALL)
        solid->rotation =
            sb_quat_turned(solid->rotation, sb_vec3_scale(solid->spin, time_s));
    else if (solid->inertia.rotor == SB_ROTOR_ROUND)
        spin_round(solid, time_s);
    else
        spin_other(solid, time_s);
}

/* --- mass properties ------------------------------------------------------ */

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

/* At unit density. With a thickness the mass lies on the faces, else inside the
 * closed surface. */
static sb_mass_properties of_faces(const sb_vec3 *points, int (*corners)[3],
                                   int count, double thickness_m) {
    sb_moments sum = {0};
    for (int i = 0; i < count; i++) {
        sb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = points[corners[i][k]];
        sb_moments_add(&sum, p, thickness_m);
    }
    sb_mass_properties mass = {.mass_kg = sum.volume};
    if (sum.volume > 0.0)
        sb_moments_inertia(&sum, 1.0, &mass.centre, mass.inertia);
    return mass;
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
        if (shape->thickness > 0.0)
            return of_faces(mesh->vertices, mesh->faces, mesh->face_count,
                            shape->thickness);
        if (report->is_closed)
            return of_faces(mesh->vertices, mesh->faces, mesh->face_count, 0.0);
    }
    if (kind == SB_COLLIDER_HULL)
        return of_faces(f->points, f->corners, f->face_count, 0.0);
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
