/* Nodes against rigid colliders: F = k depth along the normal, k = 0.4 m / dt^2
 * of the node's own mass, which is stable for every mesh. Friction is Coulomb's,
 * and never more than would stop the node. Thread: members of the team. */
#include "runtime/deform/deform_internal.h"

#include <math.h>

static const double stiffness = 0.4;

typedef struct pose {
    sb_vec3 at;
    sb_quat rotation;
} pose;

static pose pose_at(const sb_deform *deform, int index, int64_t step) {
    const sb_deform_collider *own = &deform->state->colliders[index];
    double t =
        (double)(step - deform->state->collider_since[index]) * deform->step_s;
    pose now = {
        sb_vec3_add(own->position_m, sb_vec3_scale(own->velocity_m_s, t)),
        own->rotation};
    double angle = t * sb_vec3_length(own->spin_rad_s);
    if (angle != 0)
        now.rotation =
            sb_quat_times(sb_quat_about(own->spin_rad_s, angle), own->rotation);
    return now;
}

/* Nearest side of a box for a point in its own axes. */
static double box_distance(sb_vec3 half, sb_vec3 p, sb_vec3 *normal) {
    double size[3] = {half.x, half.y, half.z}, at[3] = {p.x, p.y, p.z};
    double out[3], squares = 0, inner = -INFINITY;
    int side = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = fabs(at[k]) - size[k];
        out[k] = beyond > 0 ? copysign(beyond, at[k]) : 0;
        squares += out[k] * out[k];
        if (beyond > inner) {
            inner = beyond;
            side = k;
        }
    }
    if (squares > 0) {
        *normal = sb_vec3_normalised((sb_vec3){out[0], out[1], out[2]});
        return sqrt(squares);
    }
    double sign = at[side] < 0 ? -1 : 1;
    *normal = (sb_vec3){side == 0 ? sign : 0, side == 1 ? sign : 0,
                        side == 2 ? sign : 0};
    return inner;
}

/* Distance of a point from the surface, below 0 inside, and the normal there,
 * in the world. */
static double distance_to(const sb_deform_collider *own, const pose *now,
                          sb_vec3 point, sb_vec3 *normal) {
    sb_vec3 p = sb_vec3_sub(point, now->at);
    double distance = 0;
    switch (own->form) {
    case SB_DEFORM_PLANE:
        *normal = sb_quat_turn(now->rotation, (sb_vec3){0, 1, 0});
        return sb_vec3_dot(*normal, p);
    case SB_DEFORM_SPHERE:
        *normal = sb_vec3_normalised(p);
        return sb_vec3_length(p) - own->sizes_m.x;
    case SB_DEFORM_BOX:
        distance = box_distance(own->sizes_m,
                                sb_quat_turn_back(now->rotation, p), normal);
        *normal = sb_quat_turn(now->rotation, *normal);
        return distance;
    case SB_DEFORM_CYLINDER:
    case SB_DEFORM_CAPSULE:
    case SB_DEFORM_RING:
    case SB_DEFORM_HULL:
    case SB_DEFORM_MESH:
        break;
    }
    return INFINITY;
}

/* At checks: nodes that cannot reach a collider before the next one need no
 * tests until then. */
void deform_find_near(sb_deform *deform, int chunk, int64_t step) {
    const node_chunk *own = &deform->node_chunks[chunk];
    double apart = 0.5 * deform->bodies[own->body].thickness_m;
    bool is_near = false;
    for (int c = 0; c < deform->collider_count && !is_near; c++) {
        const sb_deform_collider *collider = &deform->state->colliders[c];
        pose now = pose_at(deform, c, step);
        for (int i = own->first; i < own->last && !is_near; i++) {
            sb_vec3 normal;
            double speed = sb_vec3_length(row_vec3(deform->velocities, i)) +
                           sb_vec3_length(collider->velocity_m_s);
            double reach = 1e-3 + 4 * CHECK_STEPS * deform->step_s * speed;
            double distance = distance_to(
                collider, &now, row_vec3(deform->positions, i), &normal);
            is_near = distance - apart < reach;
        }
    }
    deform->is_near[chunk] = is_near;
}

static sb_vec3 contact_force(const sb_deform *deform, int node, int index,
                             const pose *now, double apart) {
    const sb_deform_collider *own = &deform->state->colliders[index];
    sb_vec3 x = row_vec3(deform->positions, node), n;
    double depth = apart - distance_to(own, now, x, &n);
    if (!(depth > 0)) return (sb_vec3){0, 0, 0};
    double dt = deform->step_s, mass = deform->mass[node];
    double normal = stiffness * mass / (dt * dt) * depth;
    sb_vec3 arm = sb_vec3_sub(x, now->at);
    sb_vec3 v = sb_vec3_sub(
        row_vec3(deform->velocities, node),
        sb_vec3_add(own->velocity_m_s, sb_vec3_cross(own->spin_rad_s, arm)));
    v = sb_vec3_sub(v, sb_vec3_scale(n, sb_vec3_dot(n, v)));
    double slip = sb_vec3_length(v);
    double rub = fmin(own->friction * normal, 0.5 * mass * slip / dt);
    sb_vec3 force = sb_vec3_scale(n, normal);
    if (slip > 0) force = sb_vec3_sub(force, sb_vec3_scale(v, rub / slip));
    return force;
}

void deform_collide_chunk(sb_deform *deform, int chunk, int64_t step) {
    const node_chunk *own = &deform->node_chunks[chunk];
    double apart = 0.5 * deform->bodies[own->body].thickness_m;
    for (int c = 0; c < deform->collider_count; c++) {
        pose now = pose_at(deform, c, step);
        double *impulse =
            deform->chunk_impulse +
            8 * ((size_t)chunk * (size_t)deform->collider_count + (size_t)c);
        for (int i = own->first; i < own->last; i++) {
            if (deform->inverse_mass[i] == 0) continue;
            sb_vec3 force = contact_force(deform, i, c, &now, apart);
            if (force.x == 0 && force.y == 0 && force.z == 0) continue;
            deform_push_node(deform, i, force);
            sb_vec3 given = sb_vec3_scale(force, -deform->step_s);
            sb_vec3 arm = sb_vec3_sub(row_vec3(deform->positions, i), now.at);
            add_row(impulse, 0, given);
            add_row(impulse, 1, sb_vec3_cross(arm, given));
        }
    }
}

sb_deform_reaction sb_deform_take_reaction(sb_deform *deform, int collider) {
    sb_deform_reaction sum = {0};
    for (int c = 0; c < deform->node_chunk_count; c++) {
        int at = 2 * (c * deform->collider_count + collider);
        double *rows = deform->chunk_impulse;
        sum.impulse_ns = sb_vec3_add(sum.impulse_ns, row_vec3(rows, at));
        sum.moment_nms = sb_vec3_add(sum.moment_nms, row_vec3(rows, at + 1));
        set_row(rows, at, (sb_vec3){0, 0, 0});
        set_row(rows, at + 1, (sb_vec3){0, 0, 0});
    }
    return sum;
}

sb_vec3 sb_deform_take_impulse(sb_deform *deform, int collider) {
    return sb_deform_take_reaction(deform, collider).impulse_ns;
}

bool sb_deform_next_touch(sb_deform *deform, sb_deform_touch_frame *out) {
    (void)deform;
    (void)out;
    return false;
}

void sb_deform_set_collider(sb_deform *deform, int collider,
                            const sb_deform_collider *now) {
    (void)sb_deform_take_reaction(deform, collider);
    deform->state->colliders[collider] = *now;
    deform->state->collider_since[collider] = deform->state->step;
    /* Until the next check it may be anywhere. */
    for (int c = 0; c < deform->node_chunk_count; c++) {
        deform->is_near[c] = deform->node_chunks[c].is_surface;
    }
}
