/* SPDX-License-Identifier: MIT */
/* Nodes against rigid forms, and what a contact does (deform_collider.h). Thread:
 * members of the team; overlaps as deform.h. */
#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/contact/form.h"

#include <math.h>

/* Of a unit impulse at `arm` along n: N [1 / M + (r x n) . I^-1 (r x n)]. */
static double yield_of(const collider_pose *pose, sb_vec3 arm, sb_vec3 n) {
    if (pose->inverse_mass == 0) return 0;
    sb_vec3 l = sb_quat_turn_back(pose->rotation, sb_vec3_cross(arm, n));
    const double *by = pose->inverse_inertia;
    return pose->inverse_mass + l.x * l.x * by[0] + l.y * l.y * by[1] +
           l.z * l.z * by[2];
}

sb_vec3 deform_collider_push(const sb_deform *deform, const collider_pose *pose,
                             const collider_touch *touch, collider_hit *hit) {
    sb_vec3 arm = sb_vec3_sub(touch->at, pose->at), n = touch->normal;
    double dt = deform->step_s;
    double inverse = touch->inverse_mass + yield_of(pose, arm, n);
    if (!(inverse > 0)) return (sb_vec3){0, 0, 0};
    double normal = touch->stiffness / (inverse * dt * dt) * touch->depth;
    sb_vec3 v = sb_vec3_sub(
        touch->velocity_m_s,
        sb_vec3_add(pose->velocity_m_s, sb_vec3_cross(pose->spin_rad_s, arm)));
    v = sb_vec3_plus(v, n, -sb_vec3_dot(n, v));
    double slip = sb_vec3_length(v);
    double across = touch->inverse_mass + pose->inverse_mass +
                    sb_vec3_dot(arm, arm) * pose->inverse_most;
    double rub = fmin(pose->friction * normal, 0.5 * slip / (dt * across));
    sb_vec3 force = sb_vec3_scale(n, normal);
    if (slip > 0) force = sb_vec3_plus(force, v, -rub / slip);
    sb_vec3 given = sb_vec3_scale(force, -dt);
    double size = sb_vec3_length(given);
    hit->impulse_ns = sb_vec3_add(hit->impulse_ns, given);
    hit->moment_nms = sb_vec3_add(hit->moment_nms, sb_vec3_cross(arm, given));
    hit->arm = sb_vec3_plus(hit->arm, arm, size);
    hit->size += size;
    return force;
}

typedef struct chunk_box {
    sb_vec3 middle;
    double radius, speed; /* of its nodes */
} chunk_box;

static chunk_box box_of(const sb_deform *deform, const node_chunk *own) {
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0;
    for (int i = own->first; i < own->last; i++) {
        if (deform->mass[i] == 0) continue;
        for (int k = 0; k < 3; k++) {
            double x = deform->positions[4 * (size_t)i + (size_t)k];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
        sb_vec3 v = row_vec3(deform->velocities, i);
        most = fmax(most, sb_vec3_dot(v, v));
    }
    sb_vec3 half = {0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]),
                    0.5 * (high[2] - low[2])};
    return (chunk_box){{low[0] + half.x, low[1] + half.y, low[2] + half.z},
                       sb_vec3_length(half),
                       sqrt(most)};
}

double deform_reach(const sb_deform *deform, const collider_pose *pose,
                    const collider_form *form, double speed) {
    double spin = sb_vec3_length(pose->spin_rad_s);
    if (spin > 0 && isfinite(form->reach_m)) speed += spin * form->reach_m;
    speed += sb_vec3_length(pose->velocity_m_s);
    return 1e-3 + 4 * CHECK_STEPS * deform->step_s * speed;
}

static sb_vec3 into(const collider_pose *pose, sb_vec3 p) {
    return sb_quat_turn_back(pose->rotation, sb_vec3_sub(p, pose->at));
}

/* Nodes of the chunk that are near, and for meshes on which side they are. */
static int count_near(sb_deform *deform, const node_chunk *own, int c,
                      double reach) {
    deform_colliders *all = deform->colliders;
    const collider_form *form = &all->forms[c];
    int count = 0;
    for (int i = own->first; i < own->last; i++) {
        if (deform->mass[i] == 0) continue;
        sb_vec3 p = into(&all->poses[c], row_vec3(deform->positions, i));
        sb_vec3 normal;
        if (form->mesh >= 0) {
            signed char *side = &all->side[(size_t)i * (size_t)all->mesh_count +
                                           (size_t)form->mesh];
            int now = form_side(form, p, reach);
            if (now == 0 || *side == 0) *side = (signed char)now;
        }
        count += form_distance(form, p, reach, 1, &normal) < reach;
    }
    return count;
}

/* At checks: nodes that cannot reach a collider before the next one need no
 * tests until then. */
static void find_near(sb_deform *deform, int chunk, int row) {
    deform_colliders *all = deform->colliders;
    const node_chunk *own = &deform->chunks.nodes[chunk];
    double apart = 0.5 * deform->bodies[own->body].thickness_m;
    chunk_box box = box_of(deform, own);
    all->near[row] = (deform_mask){0};
    for (int c = 0; c < deform->collider_count; c++) {
        const collider_form *form = &all->forms[c];
        const collider_pose *pose = &all->poses[c];
        int *count = &all->near_counts[row * deform->collider_count + c];
        *count = 0;
        if (!form->has_nodes) continue;
        double reach = apart + deform_reach(deform, pose, form, box.speed);
        sb_vec3 middle = into(pose, box.middle);
        double far = form->form == SB_DEFORM_PLANE
                         ? middle.y
                         : sb_vec3_length(middle) - form->reach_m;
        if (far - box.radius > reach) continue;
        *count = count_near(deform, own, c, reach);
        if (*count > 0) mask_set(&all->near[row], c);
    }
}

static void collide_node(sb_deform *deform, int node, int c, double apart,
                         collider_hit *hit) {
    const deform_colliders *all = deform->colliders;
    const collider_form *form = &all->forms[c];
    const collider_pose *pose = &all->poses[c];
    sb_vec3 at = row_vec3(deform->positions, node), normal;
    int side = 1;
    if (form->mesh >= 0)
        side = all->side[(size_t)node * (size_t)all->mesh_count +
                         (size_t)form->mesh];
    /* Through a mesh it may have come by as much as its step allows. */
    double reach = form->mesh >= 0 ? apart + 1e-3 : apart;
    double depth =
        apart - form_distance(form, into(pose, at), reach, side, &normal);
    if (!(depth > 0)) return;
    const collider_touch touch = {
        .at = at,
        .normal = sb_quat_turn(pose->rotation, normal),
        .depth = depth,
        .stiffness = 0.4,
        .velocity_m_s = row_vec3(deform->velocities, node),
        .inverse_mass = deform->inverse_mass[node],
    };
    deform_push_node(deform, node,
                     deform_collider_push(deform, pose, &touch, hit));
}

void deform_collide_chunk(sb_deform *deform, int chunk) {
    deform_colliders *all = deform->colliders;
    const node_chunk *own = &deform->chunks.nodes[chunk];
    double apart = 0.5 * deform->bodies[own->body].thickness_m;
    int row = all->row_of[chunk];
    if (all->is_near_step) find_near(deform, chunk, row);
    if (mask_is_empty(&all->near[row])) return;
    for (int c = 0; c < deform->collider_count; c++) {
        if (!mask_has(&all->near[row], c)) continue;
        collider_hit hit = {0};
        for (int i = own->first; i < own->last; i++) {
            /* Padding has no mass; what is held may push a collider. */
            if (deform->mass[i] > 0) collide_node(deform, i, c, apart, &hit);
        }
        if (hit.size == 0) continue;
        all->hits[row * deform->collider_count + c] = hit;
        mask_set(&all->hit_now[row], c);
    }
}

/* --- overlaps at the beginning -------------------------------------------- */

/* Bodies that begin inside rigid ones (deform.h): the contact would throw them
 * out with a speed of its depth per step. */

/* Depth of the deepest node of a body in a collider. Which side of a mesh is
 * the inside is not known. */
static double depth_in(const sb_deform *deform, const deform_body *body,
                       int index) {
    const collider_form *form = &deform->colliders->forms[index];
    const sb_deform_collider *own = &deform->state->colliders[index].def;
    double apart = 0.5 * body->thickness_m, most = -INFINITY;
    if (form->mesh >= 0) return most;
    for (int i = 0; i < body->surface_count; i++) {
        int node = body->node_first + i;
        sb_vec3 off =
            sb_vec3_sub(row_vec3(deform->positions, node), own->position_m);
        sb_vec3 normal, p = sb_quat_turn_back(own->rotation, off);
        if (deform->inverse_mass[node] == 0) continue;
        most = fmax(most, apart - form_distance(form, p, 1, 1, &normal));
    }
    return most;
}

double sb_deform_overlap(const sb_deform *deform, int *body, int *collider) {
    double most = -INFINITY;
    for (int b = 0; b < deform->body_count; b++) {
        for (int c = 0; c < deform->collider_count; c++) {
            double depth = depth_in(deform, &deform->bodies[b], c);
            if (!(depth > most)) continue;
            most = depth;
            *body = b;
            *collider = c;
        }
    }
    return most;
}
