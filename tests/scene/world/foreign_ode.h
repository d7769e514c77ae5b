/* SPDX-License-Identifier: MIT */
/* tests/scene/world/foreign_ode.h -- ODE as the engine of a game, which feeds its
 * steps to a scene (foreign_step.h). */
#pragma once

/* First: complex.h has a macro I, and ODE a member. */
#include <ode/ode.h>

#include "runtime/scene/world/foreign_step.h"
#include "tests/world/world_stage.h"

#define GRAVITY 9.81

enum { FEED_THINGS = 8, FEED_POINTS = 64, FEED_KEPT = 1 << 16 };

typedef struct thing {
    sb_body_id id;
    dBodyID body; /* 0: fixed */
    dGeomID geom;
} thing;

/* What ODE computed at one contact point that bore something. */
typedef struct kept {
    sb_body_id body[2];
    double time_s, closing_m_s, impulse_ns;
} kept;

typedef struct feed {
    stage on;
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    double step_s, now_s, bounce, mu;
    bool leaves_out; /* all that may be left out, but the impulse */
    thing things[FEED_THINGS];
    int thing_count;
    sb_foreign_point points[FEED_POINTS];
    dJointFeedback pushes[FEED_POINTS];
    int point_count;
    kept kept[FEED_KEPT];
    int kept_count;
} feed;

static inline sb_vec3 from_ode(const dReal *v) {
    return (sb_vec3){v[0], v[1], v[2]};
}

static inline feed *feed_new(double rate_hz, double bounce, double mu) {
    static bool has_begun;
    if (!has_begun) dInitODE2(0);
    has_begun = true;
    feed *f = calloc(1, sizeof *f);
    ck_assert(f != NULL);
    f->on = stage_new();
    f->world = dWorldCreate();
    f->space = dSimpleSpaceCreate(0);
    f->joints = dJointGroupCreate(0);
    f->step_s = 1 / rate_hz;
    f->bounce = bounce;
    f->mu = mu;
    dWorldSetGravity(f->world, 0, -GRAVITY, 0);
    /* What is pressed into another comes out without a jump. */
    dWorldSetContactMaxCorrectingVel(f->world, 0.1);
    return f;
}

static inline void feed_free(feed *f) {
    dJointGroupDestroy(f->joints);
    dSpaceDestroy(f->space);
    dWorldDestroy(f->world);
    stage_free(f->on);
    free(f);
}

/* Adds the body to the scene and to ODE, by its collider. */
static inline thing *feed_add(feed *f, sb_body_def def) {
    sb_collider c = def.moves.collider;
    bool is_ball = c.kind == SB_COLLIDER_SPHERE;
    thing *t = &f->things[f->thing_count++];
    t->id = add(f->on, def);
    t->geom = is_ball ? dCreateSphere(f->space, c.radius)
                      : dCreateBox(f->space, c.width, c.height, c.depth);
    dGeomSetData(t->geom, t);
    if (def.moves.motion == SB_MOTION_FREE) {
        dMass mass;
        t->body = dBodyCreate(f->world);
        if (is_ball) {
            dMassSetSphereTotal(&mass, def.moves.mass_kg, c.radius);
        } else {
            dMassSetBoxTotal(&mass, def.moves.mass_kg, c.width, c.height,
                             c.depth);
        }
        dBodySetMass(t->body, &mass);
        dGeomSetBody(t->geom, t->body);
        dBodySetLinearVel(t->body, def.moves.velocity.x, def.moves.velocity.y,
                          def.moves.velocity.z);
        dBodySetAngularVel(t->body, def.moves.spin.x, def.moves.spin.y,
                           def.moves.spin.z);
    }
    dGeomSetPosition(t->geom, def.position.x, def.position.y, def.position.z);
    return t;
}

static inline sb_vec3 velocity_there(const thing *t, sb_vec3 point) {
    dVector3 v = {0, 0, 0};
    if (t->body) dBodyGetPointVel(t->body, point.x, point.y, point.z, v);
    return from_ode(v);
}

static inline sb_foreign_point point_between(const feed *f, const thing *a,
                                             const thing *b,
                                             const dContactGeom *geom) {
    sb_foreign_point p = sb_foreign_point_default();
    p.body[0] = a->id;
    p.body[1] = b->id;
    p.point_m = from_ode(geom->pos);
    p.normal = from_ode(geom->normal);
    p.depth_m = geom->depth;
    p.restitution = f->bounce;
    if (f->leaves_out) return p;
    const thing *side[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        p.velocity[i] = velocity_there(side[i], p.point_m);
        p.centre[i] = side[i]->body ? from_ode(dBodyGetLinearVel(side[i]->body))
                                    : (sb_vec3){0, 0, 0};
    }
    p.closing_m_s =
        sb_vec3_dot(sb_vec3_sub(p.velocity[1], p.velocity[0]), p.normal);
    return p;
}

static inline void feed_near(void *user, dGeomID first, dGeomID second) {
    feed *f = user;
    enum { MOST = 8 };
    dContactGeom geoms[MOST];
    /* A contact's first body must be a free one. */
    if (!dGeomGetBody(first)) {
        dGeomID fixed = first;
        first = second;
        second = fixed;
    }
    if (!dGeomGetBody(first)) return;
    int count = dCollide(first, second, MOST, geoms, sizeof *geoms);
    for (int i = 0; i < count && f->point_count < FEED_POINTS; i++) {
        dContact contact = {.geom = geoms[i]};
        contact.surface.mode = dContactBounce | dContactApprox1;
        contact.surface.mu = f->mu;
        contact.surface.bounce = f->bounce;
        contact.surface.bounce_vel = 0.02;
        dJointID joint = dJointCreateContact(f->world, f->joints, &contact);
        dJointAttach(joint, dGeomGetBody(first), dGeomGetBody(second));
        dJointSetFeedback(joint, &f->pushes[f->point_count]);
        f->points[f->point_count++] = point_between(
            f, dGeomGetData(first), dGeomGetData(second), &geoms[i]);
    }
}

static inline int poses_of(const feed *f, sb_foreign_pose poses[FEED_THINGS]) {
    int count = 0;
    for (int i = 0; i < f->thing_count; i++) {
        const thing *t = &f->things[i];
        if (!t->body) continue;
        const dReal *q = dBodyGetQuaternion(t->body);
        poses[count++] =
            (sb_foreign_pose){t->id,
                              {from_ode(dBodyGetPosition(t->body)),
                               {q[0], q[1], q[2], q[3]},
                               from_ode(dBodyGetLinearVel(t->body)),
                               from_ode(dBodyGetAngularVel(t->body))}};
    }
    return count;
}

/* One step of ODE, then of the scene. */
static inline void feed_step(feed *f) {
    f->point_count = 0;
    dSpaceCollide(f->space, f, feed_near);
    dWorldStep(f->world, f->step_s);
    for (int i = 0; i < f->point_count; i++) {
        sb_foreign_point *p = &f->points[i];
        sb_vec3 force = from_ode(f->pushes[i].f1);
        p->impulse_ns = sb_vec3_dot(force, p->normal) * f->step_s;
        if (p->impulse_ns > 0 && f->kept_count < FEED_KEPT)
            f->kept[f->kept_count++] = (kept){{p->body[0], p->body[1]},
                                              f->now_s,
                                              p->closing_m_s,
                                              p->impulse_ns};
    }
    dJointGroupEmpty(f->joints);
    sb_foreign_pose poses[FEED_THINGS];
    sb_foreign_step step = {.from_s = f->now_s,
                            .step_s = f->step_s,
                            .gravity_m_s2 = {0, -GRAVITY, 0},
                            .points = f->points,
                            .count = f->point_count,
                            .poses = poses,
                            .pose_count = poses_of(f, poses)};
    sb_error err = {0};
    ck_assert_msg(!sb_scene_foreign_step(f->on.scene, &step, &err), "%s",
                  err.message);
    f->now_s += f->step_s;
}

/* Control steps, with the steps of ODE that begin in them. Returns the peak of
 * what is heard. */
static inline double feed_run(feed *f, int first_step, int steps) {
    static float out[2 * STEP_FRAMES];
    double peak = 0;
    for (int i = first_step; i < first_step + steps; i++) {
        while (f->now_s < (i + 1) * STEP_S)
            feed_step(f);
        advance(f->on, i, 1, STEP_FRAMES, out);
        for (int n = 0; n < 2 * STEP_FRAMES; n++)
            peak = fmax(peak, fabs((double)out[n]));
    }
    return peak;
}
