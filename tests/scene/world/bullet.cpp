/* SPDX-License-Identifier: MIT */
/* Bullet behind functions of C. */
#include "tests/scene/world/bullet.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

struct bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase pairs;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &pairs, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMotionState>> states;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
};

static btVector3 vector_of(const double v[3]) {
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

static void put(const btVector3 &v, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = double(v[i]);
}

bullet *bullet_new(double gravity_m_s2) {
    bullet *b = new bullet;
    b->world.setGravity(btVector3(0, btScalar(-gravity_m_s2), 0));
    /* So that slow bounces keep their restitution, too. */
    b->world.getSolverInfo().m_restitutionVelocityThreshold = 0.02f;
    return b;
}

void bullet_free(bullet *b) {
    for (auto &body : b->bodies)
        b->world.removeRigidBody(body.get());
    delete b;
}

int bullet_add(bullet *b, const bullet_body *def) {
    b->shapes.emplace_back(def->radius > 0
                               ? static_cast<btCollisionShape *>(
                                     new btSphereShape(btScalar(def->radius)))
                               : static_cast<btCollisionShape *>(
                                     new btBoxShape(vector_of(def->half))));
    btCollisionShape *shape = b->shapes.back().get();
    btVector3 inertia(0, 0, 0);
    if (def->mass_kg > 0)
        shape->calculateLocalInertia(btScalar(def->mass_kg), inertia);
    b->states.emplace_back(new btDefaultMotionState(
        btTransform(btQuaternion::getIdentity(), vector_of(def->position))));
    btRigidBody::btRigidBodyConstructionInfo info(
        btScalar(def->mass_kg), b->states.back().get(), shape, inertia);
    info.m_restitution = btScalar(def->restitution);
    info.m_friction = btScalar(def->friction);
    b->bodies.emplace_back(new btRigidBody(info));
    btRigidBody *body = b->bodies.back().get();
    body->setLinearVelocity(vector_of(def->velocity));
    body->setAngularVelocity(vector_of(def->spin));
    body->setUserIndex(int(b->bodies.size()) - 1);
    b->world.addRigidBody(body);
    return body->getUserIndex();
}

void bullet_step(bullet *b, double step_s) {
    b->world.stepSimulation(btScalar(step_s), 0);
}

bullet_pose bullet_pose_of(const bullet *b, int body) {
    const btRigidBody *at = b->bodies[size_t(body)].get();
    btQuaternion q = at->getWorldTransform().getRotation();
    bullet_pose pose = {};
    put(at->getWorldTransform().getOrigin(), pose.position);
    put(at->getLinearVelocity(), pose.velocity);
    put(at->getAngularVelocity(), pose.spin);
    pose.rotation[0] = double(q.w());
    pose.rotation[1] = double(q.x());
    pose.rotation[2] = double(q.y());
    pose.rotation[3] = double(q.z());
    return pose;
}

int bullet_points(const bullet *b, bullet_point *out, int most) {
    int count = 0;
    for (int i = 0; i < b->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *m =
            const_cast<bullet *>(b)->dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < m->getNumContacts() && count < most; k++) {
            const btManifoldPoint &p = m->getContactPoint(k);
            bullet_point *to = &out[count++];
            to->body[0] = m->getBody0()->getUserIndex();
            to->body[1] = m->getBody1()->getUserIndex();
            put(p.getPositionWorldOnB(), to->point);
            put(p.m_normalWorldOnB, to->normal);
            to->impulse_ns = double(p.getAppliedImpulse());
        }
    }
    return count;
}
