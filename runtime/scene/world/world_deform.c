/* SPDX-License-Identifier: MIT */
/* Rigid bodies and deformable ones: what these may touch, and what rigid ones
 * feel of it. Control thread.
 *
 * A world step moves the rigid bodies as if nothing deformable were there. The
 * simulation then goes through the same step with copies of them, which start
 * where they were and are moved by what they touch, in its own short steps.
 * The difference from free flight is added to the world. */
#include "runtime/base/memory.h"
#include "runtime/deform/deform.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/deform/scene_deform_run.h"
#include "runtime/scene/world/scene_world_state.h"

static bool is_touched(const sb_scene *scene, const world_solid *solid) {
    return solid->solid.generation != 0 && sb_scene_has(scene, solid->body);
}

static void set_form(const sb_solid_body *from, deform_rigid_body *to) {
    const sb_collider *own = &from->collider;
    sb_deform_collider *c = &to->collider;
    switch (own->kind) {
    case SB_COLLIDER_SPHERE:
        c->form = SB_DEFORM_SPHERE;
        c->sizes_m.x = own->radius;
        break;
    case SB_COLLIDER_BOX:
        c->form = SB_DEFORM_BOX;
        c->sizes_m =
            (sb_vec3){0.5 * own->width, 0.5 * own->height, 0.5 * own->depth};
        break;
    case SB_COLLIDER_CYLINDER:
    case SB_COLLIDER_CAPSULE:
        c->form = own->kind == SB_COLLIDER_CAPSULE ? SB_DEFORM_CAPSULE
                                                   : SB_DEFORM_CYLINDER;
        c->sizes_m = (sb_vec3){own->radius, 0.5 * own->length, 0.0};
        break;
    case SB_COLLIDER_RING:
        c->form = SB_DEFORM_RING;
        c->sizes_m = (sb_vec3){own->radius, own->wire_radius, 0.0};
        break;
    case SB_COLLIDER_HULL:
    case SB_COLLIDER_MESH:
        c->form =
            own->kind == SB_COLLIDER_HULL ? SB_DEFORM_HULL : SB_DEFORM_MESH;
        break;
    case SB_COLLIDER_FLOOR:
    case SB_COLLIDER_AUTO:
    case SB_COLLIDER_NONE:
    case SB_COLLIDER_KINDS:
        c->form = SB_DEFORM_PLANE;
        break;
    }
}

/* Faces in the axes of the collider: about the centre of mass, along the
 * principal axes. */
static sb_status set_faces(const sb_solid_body *from, deform_rigid_body *to,
                           sb_error *err) {
    if (to->collider.form != SB_DEFORM_HULL &&
        to->collider.form != SB_DEFORM_MESH)
        return SB_OK;
    sb_vec3 *points = sb_alloc((size_t)from->point_count, sizeof *points);
    if (!points) return sb_no_memory(err, "deformable bodies");
    for (int i = 0; i < from->point_count; i++)
        points[i] = sb_quat_turn_back(to->principal,
                                      sb_vec3_sub(from->points[i], to->centre));
    to->collider.faces = (sb_deform_faces){.points = points,
                                           .point_count = from->point_count,
                                           .faces = from->corners,
                                           .face_count = from->face_count};
    return SB_OK;
}

/* Where it is now; other forms than hulls and meshes lie about the origin of
 * their shape, which is their centre of mass. */
static void set_pose(const sb_scene *scene, deform_rigid_body *to) {
    sb_pose pose = sb_scene_pose(scene, to->body);
    sb_deform_collider *c = &to->collider;
    sb_vec3 arm = sb_quat_turn(pose.rotation, to->centre);
    c->position_m = sb_vec3_add(pose.position, arm);
    c->rotation = sb_quat_times(pose.rotation, to->principal);
    c->velocity_m_s = sb_vec3_add(pose.velocity, sb_vec3_cross(pose.spin, arm));
    c->spin_rad_s = pose.spin;
}

static sb_status add_collider(const sb_scene *scene, const world_solid *solid,
                              scene_deform *deform, sb_error *err) {
    const scene_body *body = scene_body_of(scene, solid->body);
    sb_solid_body from = sb_world_body(scene->world->world, solid->solid);
    deform_rigid_body *to = &deform->colliders[deform->collider_count++];
    *to = (deform_rigid_body){.body = solid->body,
                              .principal = sb_quat_identity()};
    set_form(&from, to);
    bool has_faces = to->collider.form == SB_DEFORM_HULL ||
                     to->collider.form == SB_DEFORM_MESH;
    if (has_faces) {
        to->centre = from.centre;
        to->principal = from.principal;
    }
    to->collider.friction = from.friction;
    to->collider.mass_kg = from.mass_kg;
    for (int k = 0; k < 3; k++)
        to->collider.inertia_kg_m2[k] = from.moments[k];
    if (from.mass_kg > 0.0)
        to->collider.acceleration_m_s2 = scene->declared.world.gravity;
    to->collider.is_heard = sb_planned_rings(&body->declared);
    set_pose(scene, to);
    return set_faces(&from, to, err);
}

sb_status scene_world_colliders(sb_scene *scene, scene_deform *deform,
                                sb_error *err) {
    const scene_world *world = scene->world;
    int count = 0;
    for (int i = 1; world && i < world->solid_count; i++)
        count += is_touched(scene, &world->solids[i]);
    if (count > SB_DEFORM_COLLIDERS)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: the scene has %d rigid bodies that "
                       "they could touch, and %d is the most; give the others "
                       "collider = \"none\"",
                       count, (int)SB_DEFORM_COLLIDERS);
    deform->colliders = sb_alloc((size_t)count, sizeof *deform->colliders);
    if (!deform->colliders) return sb_no_memory(err, "deformable bodies");
    sb_status status = SB_OK;
    for (int i = 1; world && i < world->solid_count && !status; i++) {
        if (is_touched(scene, &world->solids[i]))
            status = add_collider(scene, &world->solids[i], deform, err);
    }
    return status;
}

void scene_world_free_faces(scene_deform *deform) {
    for (int i = 0; deform->colliders && i < deform->collider_count; i++) {
        sb_free((void *)(uintptr_t)deform->colliders[i].collider.faces.points);
        deform->colliders[i].collider.faces = (sb_deform_faces){0};
    }
}

void scene_world_deform_begin(sb_scene *scene) {
    scene_deform *deform = scene->deform;
    for (int i = 0; i < deform->collider_count; i++) {
        if (sb_scene_has(scene, deform->colliders[i].body))
            set_pose(scene, &deform->colliders[i]);
    }
}

static void react(sb_scene *scene, const deform_rigid_body *own,
                  const sb_deform_reaction *felt) {
    if (!(own->collider.mass_kg > 0.0) || !sb_scene_has(scene, own->body))
        return;
    if (sb_vec3_length(felt->impulse_ns) == 0.0 &&
        sb_vec3_length(felt->moment_nms) == 0.0)
        return;
    scene_body *body = scene_body_of(scene, own->body);
    const world_solid *solid = scene_solid(scene->world, body->user);
    if (!solid) return;
    const sb_solid_nudge nudge = {felt->velocity_m_s, felt->spin_rad_s,
                                  felt->shift_m, felt->turn_rad};
    sb_world_nudge(scene->world->world, solid->solid, &nudge);
    body->pose = sb_world_pose(scene->world->world, solid->solid);
}

sb_status scene_world_deform_end(sb_scene *scene, double to_s, sb_error *err) {
    scene_deform *deform = scene->deform;
    double before_s = deform->time_s;
    sb_status status = scene_deform_advance(scene, to_s, err);
    scene_report_deform(scene);
    if (status || deform->time_s == before_s) return status;
    for (int i = 0; i < deform->collider_count; i++)
        react(scene, &deform->colliders[i], &deform->tick.reactions[i]);
    return SB_OK;
}
