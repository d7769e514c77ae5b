/* Beads that meet triangles in a step (beads.h). Thread: member 0 of the team.
 */
#include "runtime/deform/contact/beads.h"

#include "runtime/deform/contact/form.h"

#include <math.h>

/* A ball meets at most so many triangles in one step. */
enum { MEETINGS = 4 };

/* A light ball is off again after few steps: with the 0.4 of nodes, it would
 * gain or lose up to 3 % of its energy. With this it sinks in four times as
 * far, which is still little. */
static const double bead_stiffness = 0.1;

static bead_meeting meet(const sb_deform *deform, const bead_pair *pair,
                         sb_vec3 p, double apart) {
    bead_meeting own = {.at = {0, 0, 0}};
    sb_vec3 c[3];
    corners_of(deform, pair->body, pair->face, own.nodes, c);
    own.distance = deform_shares(c, p, own.shares);
    for (int k = 0; k < 3; k++) {
        own.at = sb_vec3_add(own.at, sb_vec3_scale(c[k], own.shares[k]));
    }
    sb_vec3 over = sb_vec3_scale(normal_of(c), pair->side);
    double height = sb_vec3_dot(over, sb_vec3_sub(p, c[0]));
    own.normal = over;
    if (own.distance <= fabs(height) * (1 + 1e-9)) {
        own.depth = apart - height;
    } else {
        /* Beside it: from the side or corner, but not from behind. */
        own.normal = sb_vec3_scale(sb_vec3_sub(p, own.at), 1 / own.distance);
        own.depth =
            sb_vec3_dot(own.normal, over) > -0.5 ? apart - own.distance : 0;
    }
    own.is_out = !(own.depth > 0);
    return own;
}

static bool share_node(const bead_meeting *a, const bead_meeting *b) {
    for (int k = 0; k < 9; k++) {
        if (a->nodes[k / 3] == b->nodes[k % 3]) return true;
    }
    return false;
}

/* Leaves out what continues the surface that was met, and its other side. */
static void leave_out(bead_meeting *all, int count, const bead_meeting *met) {
    for (int i = 0; i < count; i++) {
        double along = sb_vec3_dot(all[i].normal, met->normal);
        if (along < -0.5 || (along > 0.85 && share_node(&all[i], met)))
            all[i].is_out = true;
    }
}

static void press(sb_deform *deform, const bead_pair *pair,
                  const bead_meeting *own) {
    deform_colliders *all = deform->colliders;
    int row = all->hit_rows - 1;
    collider_touch touch = {
        .at = own->at,
        .normal = sb_vec3_scale(own->normal, -1),
        .depth = own->depth,
        .stiffness = bead_stiffness,
    };
    for (int k = 0; k < 3; k++) {
        double share = own->shares[k];
        touch.inverse_mass +=
            share * share * deform->inverse_mass[own->nodes[k]];
        touch.velocity_m_s = sb_vec3_add(
            touch.velocity_m_s,
            sb_vec3_scale(row_vec3(deform->velocities, own->nodes[k]), share));
    }
    collider_hit *hit =
        &all->hits[row * deform->collider_count + pair->collider];
    if (!mask_has(&all->hit_now[row], pair->collider)) *hit = (collider_hit){0};
    sb_vec3 force =
        deform_collider_push(deform, &all->poses[pair->collider], &touch, hit);
    mask_set(&all->hit_now[row], pair->collider);
    for (int k = 0; k < 3; k++) {
        deform_push_node(deform, own->nodes[k],
                         sb_vec3_scale(force, own->shares[k]));
    }
}

/* All pairs of one bead and one body. */
static void push_bead(sb_deform *deform, const bead_pair *pairs, int count) {
    const deform_colliders *all = deform->colliders;
    const collider_pose *pose = &all->poses[pairs->collider];
    const form_bead *bead = &all->forms[pairs->collider].beads[pairs->bead];
    bead_meeting *meetings = all->beads->meetings;
    sb_vec3 p = sb_vec3_add(pose->at, sb_quat_turn(pose->rotation, bead->at));
    double apart =
        bead->radius_m + 0.5 * deform->bodies[pairs->body].thickness_m;
    for (int i = 0; i < count; i++) {
        meetings[i] = meet(deform, &pairs[i], p, apart);
    }
    for (int n = 0; n < (bead->radius_m > 0 ? MEETINGS : 1); n++) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (!meetings[i].is_out &&
                (best < 0 || meetings[i].distance < meetings[best].distance))
                best = i;
        }
        if (best < 0) return;
        press(deform, &pairs[best], &meetings[best]);
        meetings[best].is_out = true;
        leave_out(meetings, count, &meetings[best]);
    }
}

static bool is_same(const bead_pair *a, const bead_pair *b) {
    return a->collider == b->collider && a->bead == b->bead &&
           a->body == b->body;
}

void deform_beads_push(sb_deform *deform) {
    const deform_beads *beads = deform->colliders->beads;
    for (int i = 0; i < *beads->count;) {
        int first = i;
        while (i < *beads->count &&
               is_same(&beads->pairs[i], &beads->pairs[first])) {
            i++;
        }
        push_bead(deform, &beads->pairs[first], i - first);
    }
}
