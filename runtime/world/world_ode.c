/* SPDX-License-Identifier: MIT */
/* The collision library, ODE: contact points of boxes, cylinders, hulls and
 * meshes where no closed form is at hand, and rays. The only file that knows
 * it. Runs on the control thread.
 *
 * Geoms are in no space; they are placed before each call. Its solver is not
 * used. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>
#include <ode/ode.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

/* Number of capsules of a ring. */
enum { RING_PARTS = 12, MOST_POINTS = 16 };

/* A geom and its place on the solid. */
typedef struct part {
    dGeomID geom;
    sb_vec3 at;
    sb_quat turn;
} part;

struct sb_geoms {
    part parts[RING_PARTS];
    int count;
    /* Arrays of a hull or mesh that ODE borrows. */
    double *points;
    dTriIndex *corners;
    dTriMeshDataID mesh;
};

/* --- errors --------------------------------------------------------------- */

/* ODE calls its handler on internal errors, such as an overflow, and ends the
 * process when the handler returns. longjmp is the only escape. The handlers are
 * the whole process's: ours serve the threads that are in a call of ours, and
 * pass the others on to the handlers that were there before. */
static _Thread_local jmp_buf *way_out; /* NULL: not in a call of ours */

typedef struct handlers {
    dMessageFunction *error, *debug, *message;
} handlers;

static handlers old;
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

/* ODE's own default is to print. */
static void pass_on(dMessageFunction *to, int number, const char *text,
                    va_list args) {
    if (to) {
        to(number, text, args);
        return;
    }
    (void)fprintf(stderr, "ODE %d: ", number);
    (void)vfprintf(stderr, text, args);
    (void)fputc('\n', stderr);
}

static void on_error(int number, const char *text, va_list args) {
    if (way_out) longjmp(*way_out, 1);
    pass_on(old.error, number, text, args);
}

static void on_debug(int number, const char *text, va_list args) {
    if (way_out) longjmp(*way_out, 1);
    pass_on(old.debug, number, text, args);
}

static void on_message(int number, const char *text, va_list args) {
    if (!way_out) pass_on(old.message, number, text, args);
}

static bool are_ours(void) {
    return dGetErrorHandler() == on_error && dGetDebugHandler() == on_debug &&
           dGetMessageHandler() == on_message;
}

/* Once, and again after the program has set its own. */
static void set_handlers(void) {
    (void)pthread_mutex_lock(&handlers_lock);
    if (dGetErrorHandler() != on_error) old.error = dGetErrorHandler();
    if (dGetDebugHandler() != on_debug) old.debug = dGetDebugHandler();
    if (dGetMessageHandler() != on_message) old.message = dGetMessageHandler();
    dSetErrorHandler(on_error);
    dSetDebugHandler(on_debug);
    dSetMessageHandler(on_message);
    (void)pthread_mutex_unlock(&handlers_lock);
}

static void start(void) {
    (void)dInitODE2(0);
}

/* ODE keeps caches for each thread that collides meshes. */
static void enter(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local bool has_entered = false;
    if (!are_ours()) set_handlers();
    if (has_entered) return;
    (void)pthread_once(&once, start);
    has_entered = true;
    (void)dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
}

/* dCollide, with 0 points where it gives up. */
static int collide(dGeomID one, dGeomID other, int most, dContactGeom *found) {
    jmp_buf here;
    volatile int count = 0;
    way_out = &here;
    if (setjmp(here) == 0)
        count = dCollide(one, other, most, found, sizeof *found);
    way_out = NULL;
    return count;
}

/* --- making --------------------------------------------------------------- */

/* Capsules along the sides of a polygon circumscribed about the circle: it
 * touches whatever the circle touches. */
static void make_ring(sb_solid *solid) {
    const sb_collider *c = &solid->collider;
    double side = 2.0 * c->radius * tan(SB_PI / RING_PARTS);
    solid->geoms->count = RING_PARTS;
    for (int i = 0; i < RING_PARTS; i++) {
        double angle = 2.0 * SB_PI * i / RING_PARTS;
        part *p = &solid->geoms->parts[i];
        p->geom =
            dCreateCapsule(NULL, c->wire_radius + solid->size.skin_m, side);
        /* ODE's capsules lie along z, which is the tangent at angle 0. */
        p->turn = sb_quat_about((sb_vec3){0.0, 1.0, 0.0}, -angle);
        p->at = (sb_vec3){c->radius * cos(angle), 0.0, c->radius * sin(angle)};
    }
}

static void make_simple(sb_solid *solid) {
    const sb_collider *c = &solid->collider;
    part *p = &solid->geoms->parts[0];
    double skin = solid->size.skin_m;
    p->turn = sb_quat_identity();
    solid->geoms->count = 1;
    if (c->kind == SB_COLLIDER_SPHERE) {
        p->geom = dCreateSphere(NULL, c->radius + skin);
    } else if (c->kind == SB_COLLIDER_BOX) {
        p->geom = dCreateBox(NULL, c->width + 2.0 * skin,
                             c->height + 2.0 * skin, c->depth + 2.0 * skin);
    } else if (c->kind == SB_COLLIDER_CYLINDER) {
        p->geom =
            dCreateCylinder(NULL, c->radius + skin, c->length + 2.0 * skin);
        p->turn = sb_quat_about((sb_vec3){1.0, 0.0, 0.0}, 0.5 * SB_PI);
    } else if (c->kind == SB_COLLIDER_CAPSULE) {
        p->geom = dCreateCapsule(NULL, c->radius + skin, c->length);
        p->turn = sb_quat_about((sb_vec3){0.0, 1.0, 0.0}, 0.5 * SB_PI);
    } else {
        p->geom = dCreatePlane(NULL, 0.0, 1.0, 0.0, 0.0);
    }
}

/* ODE stops only solids that come from the outer side of a face. An open
 * sheet has no outer side, so each of its faces is stored twice, once per
 * side. Hulls are meshes as well: for convex geoms ODE returns one point at a
 * time, on which nothing comes to rest, and with some other geoms it fails. */
static sb_status make_mesh(sb_solid *solid, sb_error *err) {
    const sb_solid_faces *f = &solid->faces;
    sb_geoms *g = solid->geoms;
    int sides = f->is_sheet ? 2 : 1, faces = sides * f->face_count;
    g->points = sb_alloc((size_t)f->point_count * 3, sizeof *g->points);
    g->corners = sb_alloc((size_t)faces * 3, sizeof *g->corners);
    if (!g->points || !g->corners)
        return sb_no_memory_for(err, "a mesh collider");
    for (int i = 0; i < f->point_count; i++) {
        g->points[3 * i] = f->points[i].x;
        g->points[3 * i + 1] = f->points[i].y;
        g->points[3 * i + 2] = f->points[i].z;
    }
    for (int i = 0; i < faces; i++) {
        const int *c = f->corners[i % f->face_count];
        for (int k = 0; k < 3; k++)
            g->corners[3 * i + k] = (dTriIndex)c[i < f->face_count ? k : 2 - k];
    }
    g->mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(g->mesh, g->points, 3 * sizeof *g->points,
                                f->point_count, g->corners, 3 * faces,
                                3 * sizeof *g->corners);
    g->parts[0] =
        (part){.geom = dCreateTriMesh(NULL, g->mesh, NULL, NULL, NULL),
               .turn = sb_quat_identity()};
    g->count = 1;
    return SB_OK;
}

sb_status sb_geoms_make(sb_solid *solid, sb_error *err) {
    enter();
    solid->geoms = sb_alloc(1, sizeof *solid->geoms);
    if (!solid->geoms) return sb_no_memory_for(err, "a collider");
    sb_collider_kind kind = solid->collider.kind;
    if (kind == SB_COLLIDER_HULL || kind == SB_COLLIDER_MESH)
        return make_mesh(solid, err);
    if (kind == SB_COLLIDER_RING)
        make_ring(solid);
    else
        make_simple(solid);
    return SB_OK;
}

void sb_geoms_free(sb_solid *solid) {
    sb_geoms *g = solid->geoms;
    if (!g) return;
    for (int i = 0; i < g->count; i++)
        if (g->parts[i].geom) dGeomDestroy(g->parts[i].geom);
    if (g->mesh) dGeomTriMeshDataDestroy(g->mesh);
    sb_free_all(g->points, g->corners, g);
    solid->geoms = NULL;
}

/* Places the geoms of a solid in coordinates that begin at `base`. */
static void place(const sb_solid *solid, sb_vec3 base) {
    sb_vec3 origin = sb_vec3_sub(sb_solid_origin(solid), base);
    sb_quat q = solid->rotation;
    if (solid->collider.kind == SB_COLLIDER_FLOOR) {
        sb_vec3 up = sb_quat_turn(q, (sb_vec3){0.0, 1.0, 0.0});
        dGeomPlaneSetParams(solid->geoms->parts[0].geom, up.x, up.y, up.z,
                            sb_vec3_dot(up, origin) + solid->size.skin_m);
        return;
    }
    for (int i = 0; i < solid->geoms->count; i++) {
        const part *p = &solid->geoms->parts[i];
        sb_vec3 at = sb_vec3_add(origin, sb_quat_turn(q, p->at));
        sb_quat turn = sb_quat_normalised(sb_quat_times(q, p->turn));
        dQuaternion ode = {turn.w, turn.x, turn.y, turn.z};
        dGeomSetPosition(p->geom, at.x, at.y, at.z);
        dGeomSetQuaternion(p->geom, ode);
    }
}

/* --- contact points ------------------------------------------------------- */

/* The capsules of a ring lie on a polygon: corrects the gap to that of the
 * circle. */
static double on_circle(const sb_solid *ring, const sb_found *f, double sign) {
    const double side = 2.0 * SB_PI / RING_PARTS;
    if (ring->collider.kind != SB_COLLIDER_RING) return 0.0;
    sb_vec3 at = sb_quat_turn_back(
        ring->rotation, sb_vec3_sub(f->point, sb_solid_origin(ring)));
    sb_vec3 out =
        sb_quat_turn_back(ring->rotation, sb_vec3_scale(f->normal, -sign));
    double far = hypot(at.x, at.z);
    if (!(far > 0.0)) return 0.0;
    double angle = atan2(at.z, at.x);
    double off = angle - side * round(angle / side);
    double extra = ring->collider.radius * (1.0 / cos(off) - 1.0);
    return extra * (at.x * out.x + at.z * out.z) / far;
}

static bool boxes_overlap(dGeomID one, dGeomID other) {
    dReal a[6], b[6];
    dGeomGetAABB(one, a);
    dGeomGetAABB(other, b);
    return a[0] <= b[1] && b[0] <= a[1] && a[2] <= b[3] && b[2] <= a[3] &&
           a[4] <= b[5] && b[4] <= a[5];
}

static int add(const sb_solid *first, const sb_solid *second,
               const dContactGeom *c, sb_found *out) {
    sb_vec3 normal = {c->normal[0], c->normal[1], c->normal[2]};
    double length = sb_vec3_length(normal);
    if (!(length > 0.5 && length < 2.0) || !isfinite(c->depth)) return 0;
    double skin = first->size.skin_m + second->size.skin_m;
    *out = (sb_found){.point = {c->pos[0], c->pos[1], c->pos[2]},
                      .normal = sb_vec3_scale(normal, 1.0 / length),
                      .gap_m = skin - c->depth};
    out->gap_m += on_circle(first, out, 1.0) + on_circle(second, out, -1.0);
    return 1;
}

int sb_geoms_collide(const sb_solid *first, const sb_solid *second,
                     sb_found *out) {
    dContactGeom found[MOST_POINTS];
    int count = 0;
    if (!first->geoms || !second->geoms) return 0;
    enter();
    place(first, (sb_vec3){0.0, 0.0, 0.0});
    place(second, (sb_vec3){0.0, 0.0, 0.0});
    for (int i = 0; i < first->geoms->count; i++)
        for (int j = 0; j < second->geoms->count; j++) {
            dGeomID one = first->geoms->parts[i].geom;
            dGeomID other = second->geoms->parts[j].geom;
            if (!boxes_overlap(one, other)) continue;
            int n = collide(one, other, MOST_POINTS, found);
            for (int k = 0; k < n && count < SB_RAW_POINTS; k++)
                count += add(first, second, &found[k], out + count);
        }
    return count;
}

/* --- rays ----------------------------------------------------------------- */

/* The nearest point at which a ray enters one of the geoms; INFINITY: none. */
static double cast(const sb_solid *solid, dGeomID ray, sb_vec3 along,
                   sb_vec3 *normal) {
    double nearest = INFINITY;
    for (int i = 0; i < solid->geoms->count; i++) {
        dContactGeom c[4];
        int count = collide(ray, solid->geoms->parts[i].geom, 4, c);
        for (int k = 0; k < count; k++) {
            sb_vec3 n = {c[k].normal[0], c[k].normal[1], c[k].normal[2]};
            /* The true surface lies below the skin. */
            double steep = fmax(-sb_vec3_dot(n, along), 0.1);
            double at = c[k].depth + solid->size.skin_m / steep;
            if (!(at < nearest)) continue;
            nearest = at;
            *normal = n;
        }
    }
    return nearest;
}

/* ODE takes differences of squares of the distance from the ray's beginning,
 * in which a small solid far away has no size: it raises an error, or misses.
 * So the ray begins just before the ball round the solid, in coordinates about
 * its centre. A floor has no centre, and ODE's form for it is exact. */
double sb_geoms_ray(const sb_solid *solid, sb_vec3 from, sb_vec3 direction,
                    double most_m, sb_vec3 *normal) {
    if (!solid->geoms) return INFINITY;
    enter();
    bool is_floor = solid->collider.kind == SB_COLLIDER_FLOOR;
    sb_vec3 base = is_floor ? from : solid->position;
    sb_vec3 start = sb_vec3_sub(from, base);
    double before = 0.0, length = most_m;
    if (!is_floor) {
        double reach = 2.0 * (solid->reach_m + solid->size.skin_m);
        before = fmax(-sb_vec3_dot(start, direction) - reach, 0.0);
        start = sb_vec3_plus(start, direction, before);
        length = fmin(most_m - before, sb_vec3_length(start) + reach);
    }
    if (!(length > 0.0)) return INFINITY;
    place(solid, base);
    dGeomID ray = dCreateRay(NULL, length);
    dGeomRaySet(ray, start.x, start.y, start.z, direction.x, direction.y,
                direction.z);
    dGeomRaySetClosestHit(ray, 1);
    double at = cast(solid, ray, direction, normal);
    dGeomDestroy(ray);
    return before + at;
}
