#include "runtime/base/pi.h"
#include "runtime/model/moments.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Solids of revolution about one axis: their inertia about it and across. */
static void spread(sb_heft *heft, int axis, double along, double across) {
    for (int i = 0; i < 3; i++)
        heft->inertia[i] = i == axis ? along : across;
}

/* A cylinder with half a ball on each end; of unit density. */
static sb_heft capsule(double r, double length) {
    double middle = SB_PI * r * r * length,
           ends = 4.0 / 3.0 * SB_PI * r * r * r;
    double out = 0.5 * length; /* from the centre to where the balls are cut */
    double across = middle * (r * r / 4.0 + length * length / 12.0) +
                    ends * (0.4 * r * r + out * out + 0.75 * r * out);
    sb_heft heft = {.mass_kg = middle + ends};
    spread(&heft, 0, middle * r * r / 2.0 + ends * 0.4 * r * r, across);
    return heft;
}

/* Of unit density. */
static sb_heft of_collider(const sb_collider *c) {
    sb_heft heft = {0};
    double r = c->radius, w = c->wire_radius, m = 0.0;
    if (c->kind == SB_COLLIDER_SPHERE) {
        heft.mass_kg = m = 4.0 / 3.0 * SB_PI * r * r * r;
        spread(&heft, 0, 0.4 * m * r * r, 0.4 * m * r * r);
    } else if (c->kind == SB_COLLIDER_BOX) {
        double x = c->width * c->width, y = c->height * c->height,
               z = c->depth * c->depth;
        heft.mass_kg = m = c->width * c->height * c->depth;
        heft.inertia[0] = m * (y + z) / 12.0;
        heft.inertia[1] = m * (z + x) / 12.0;
        heft.inertia[2] = m * (x + y) / 12.0;
    } else if (c->kind == SB_COLLIDER_CYLINDER) {
        heft.mass_kg = m = SB_PI * r * r * c->length;
        spread(&heft, 1, 0.5 * m * r * r,
               m * (r * r / 4.0 + c->length * c->length / 12.0));
    } else if (c->kind == SB_COLLIDER_CAPSULE) {
        heft = capsule(r, c->length);
    } else if (c->kind == SB_COLLIDER_RING) {
        heft.mass_kg = m = 2.0 * SB_PI * r * SB_PI * w * w;
        spread(&heft, 1, m * (r * r + 0.75 * w * w),
               m * (0.5 * r * r + 0.625 * w * w));
    }
    return heft;
}

/* From its faces, of unit density. */
static sb_heft of_faces(const sb_moments *sum) {
    sb_heft heft = {.mass_kg = sum->volume};
    if (sum->volume > 0.0)
        sb_moments_inertia(sum, 1.0, &heft.centre, heft.inertia);
    return heft;
}

static sb_heft of_hull(const sb_solid_faces *f) {
    sb_moments sum = {0};
    for (int i = 0; i < f->face_count; i++) {
        sb_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            const double *at = &f->points[3 * f->corners[3 * i + k]];
            p[k] = (sb_vec3){at[0], at[1], at[2]};
        }
        sb_moments_add(&sum, p, 0.0);
    }
    return of_faces(&sum);
}

/* A sheet weighs on its faces, a closed mesh inside of them. */
static sb_heft of_mesh(const sb_mesh *mesh, double thickness_m) {
    sb_moments sum = {0};
    for (int i = 0; i < mesh->face_count; i++) {
        sb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = mesh->vertices[mesh->faces[i][k]];
        sb_moments_add(&sum, p, thickness_m);
    }
    return of_faces(&sum);
}

/* Something that nothing runs into and that has a mass: a ball of that mass
 * and of water's density. */
static sb_heft of_nothing(double mass_kg) {
    double r = cbrt(mass_kg / 1000.0 * 0.75 / SB_PI);
    sb_heft heft = {.mass_kg = mass_kg};
    spread(&heft, 0, 0.4 * mass_kg * r * r, 0.4 * mass_kg * r * r);
    return heft;
}

static sb_heft unit_heft(const sb_solid_def *def, const sb_solid_faces *f) {
    const sb_shape *shape = def->shape;
    sb_collider_kind kind = def->collider.kind;
    if (kind == SB_COLLIDER_NONE) return of_nothing(def->mass_kg);
    /* What it is, rather than what others run into. */
    if (shape && shape->mesh) {
        const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
        const sb_mesh_report *report = sb_mesh_source_report(shape->mesh);
        if (shape->thickness > 0.0) return of_mesh(mesh, shape->thickness);
        if (report->is_closed) return of_mesh(mesh, 0.0);
    }
    if (kind == SB_COLLIDER_HULL) return of_hull(f);
    return of_collider(&def->collider);
}

sb_status sb_heft_of(const sb_solid_def *def, const sb_solid_faces *faces,
                     sb_heft *out, sb_error *err) {
    sb_heft heft = unit_heft(def, faces);
    double mass =
        def->mass_kg != 0.0 ? def->mass_kg : heft.mass_kg * def->density;
    if (!(heft.mass_kg > 0.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a free solid's mesh encloses nothing: expected a "
                       "closed one, or a thickness");
    if (!(mass >= 1e-9 && mass <= 1e9))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a free solid's mass is %g kg; expected 1e-9 to 1e9",
                       mass);
    double scale = mass / heft.mass_kg;
    for (int i = 0; i < 6; i++)
        heft.inertia[i] *= scale;
    /* A sheet that is flat, a needle: no axis may be without inertia. */
    double most = fmax(heft.inertia[0], fmax(heft.inertia[1], heft.inertia[2]));
    for (int i = 0; i < 3; i++)
        heft.inertia[i] = fmax(heft.inertia[i], 1e-6 * most);
    heft.mass_kg = mass;
    *out = heft;
    return SB_OK;
}
