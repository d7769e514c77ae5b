/* SPDX-License-Identifier: MIT */
/* runtime/deform/contact/deform_collider.h -- rigid bodies that deformable ones touch; private.
 *
 * A collider flies freely, by closed forms, until something pushes it. From
 * then on it moves by leapfrog with the nodes: what pushed it in step n is
 * summed in a fixed order when step n + 1 begins, or when the steps end.
 *
 * A contact is a spring along the normal n, with shares s of nodes of mass m
 * and a collider of mass M, whose point is at r from its centre:
 *
 *     k = c / (dt^2 i),  i = sum s^2 / m + N [1 / M + (r x n) . I^-1 (r x n)]
 *
 * c is 0.4 for nodes and 0.1 for beads. N is the number of places where the
 * collider may be touched, so that all of them together are stable too. Friction
 * is Coulomb's, and never more than half of what would stop the motion.
 *
 * Thread: contacts by members of the team, the rest by member 0.
 * Memory: of the sb_deform.
 */
#pragma once

#include "runtime/deform/deform_state.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct collider_form collider_form;

typedef struct deform_beads deform_beads; /* beads.h */
typedef struct deform_heard deform_heard; /* deform_collider.c */

/* Where a collider is in this step. The inverses are times N. */
typedef struct collider_pose {
    sb_vec3 at, velocity_m_s, spin_rad_s;
    sb_quat rotation;
    double inverse_mass, inverse_inertia[3], inverse_most;
    double friction;
} collider_pose;

/* What a collider is given in one step, by one chunk. */
typedef struct collider_hit {
    sb_vec3 impulse_ns, moment_nms;
    sb_vec3 arm; /* sum of |impulse| (point - position) */
    double size; /* sum of |impulse| */
} collider_hit;

struct deform_colliders {
    collider_form *forms; /* [collider] */
    deform_beads *beads;
    deform_heard *heard;
    int hit_rows;      /* chunks of surfaces, and beads at last */
    int *row_of;       /* [node chunk]: row of hits, -1: inside */
    void *scratch;     /* all arrays that are no state */
    bool is_near_step; /* distances of all are found anew */
    collider_pose *poses;
    collider_hit *hits;   /* [row][collider] */
    int *near_counts;     /* [row][collider]: nodes, of a near step */
    deform_mask *hit_now; /* [row]: whose hits are not summed yet */
    /* state */
    deform_mask *near; /* [row]: colliders that may be touched */
    signed char *side; /* [node][meshes]: of meshes; 0: not known */
    int mesh_count;
};

SB_NODISCARD sb_status deform_colliders_make(sb_deform *deform,
                                             const sb_deform_def *def,
                                             sb_error *err);
void deform_colliders_free(sb_deform *deform);
void deform_colliders_place(sb_deform *deform, deform_layout *layout);
/* Sums what happened before `step` and moves what was pushed. */
void deform_colliders_settle(sb_deform *deform, int64_t step);
/* The same, then poses and what beads meet; when a step begins. False: too many
 * places could touch. */
bool deform_colliders_begin(sb_deform *deform, int64_t step);
void deform_colliders_forget(sb_deform *deform); /* what is not summed yet */
enum { HEARD_FRAMES = 2048 }; /* of sb_deform_next_touch that may be unread */
/* Whether there is room for all that may happen until a frame. */
bool deform_heard_has_room(const sb_deform *deform, double frame);

/* deform_contact.c: what a contact does */
typedef struct collider_touch {
    sb_vec3 at, normal; /* of the collider, outward */
    double depth;
    sb_vec3 velocity_m_s; /* of what touches it there */
    double stiffness;     /* 0.4 or less */
    double inverse_mass;  /* of that: sum s^2 / m */
} collider_touch;
/* How far a collider and something that moves may come nearer before the next
 * check, with a margin. */
double deform_reach(const sb_deform *deform, const collider_pose *pose,
                    const collider_form *form, double speed);
/* Force on what touches; its reaction goes to `hit`. */
sb_vec3 deform_collider_push(const sb_deform *deform, const collider_pose *pose,
                             const collider_touch *touch, collider_hit *hit);
/* Nodes of a chunk against forms. */
void deform_collide_chunk(sb_deform *deform, int chunk);

static inline bool mask_has(const deform_mask *mask, int i) {
    return mask->bits[i / 64] >> (i % 64) & 1;
}

static inline void mask_set(deform_mask *mask, int i) {
    mask->bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline bool mask_is_empty(const deform_mask *mask) {
    return mask->bits[0] == 0 && mask->bits[1] == 0;
}
