/* SPDX-License-Identifier: MIT */
/* runtime/deform/contact/beads.h -- beads of rigid forms against triangles; private.
 *
 * At each check, beads and triangles that could meet before the next are
 * listed, with the side of the triangle that the bead is on, as in deform_touch.h. In
 * each step a bead meets the nearest of its triangles, and others that are not
 * the continuation of it: a ball in a fold touches both sides.
 *
 * Thread: member 0 of the team. Memory: of the sb_deform; the list is part of
 * its state.
 */
#pragma once

#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/contact/deform_touch.h"

typedef struct bead_pair {
    int collider, bead;
    int body, face; /* of all faces */
    int side;       /* 1: the bead is where the face's normal points */
} bead_pair;

typedef struct bead_meeting {
    double distance, depth;
    sb_vec3 at, normal; /* the point of the face; normal towards the bead */
    double shares[3];
    int nodes[3];
    bool is_out; /* another one stands for it */
} bead_meeting;

struct deform_beads {
    int most;
    /* scratch */
    near_face *faces;
    bead_meeting *meetings;
    /* state */
    int *count;
    bead_pair *pairs;
};

SB_NODISCARD sb_status deform_beads_make(sb_deform *deform, sb_error *err);
void deform_beads_place(deform_beads *beads, deform_layout *layout);

/* After poses are known; false if the list is full. */
bool deform_beads_list(sb_deform *deform);
/* Pushes of this step. */
void deform_beads_push(sb_deform *deform);
