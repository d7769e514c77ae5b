/* SPDX-License-Identifier: MIT */
/* runtime/deform/contact/deform_touch.h -- deformable bodies against each other,
 * and boxes round what may come near; private.
 *
 * Thread: member 0 of the team. Memory: of the sb_deform; the list is part of
 * its state.
 */
#pragma once

#include "runtime/deform/deform_state.h"

typedef struct deform_box {
    double low[3], high[3];
} deform_box;

/* A triangle, of all bodies. */
typedef struct near_face {
    int face;
    deform_box box;
} near_face;

bool deform_are_apart(const deform_box *a, const deform_box *b, double reach);
/* Round the surface of a body, and the greatest speed of its nodes. */
deform_box deform_body_box(const sb_deform *deform, const deform_body *body,
                           double *speed);
/* Triangles of a body within `reach` of a box; their number. */
int deform_near_faces(const sb_deform *deform, const deform_body *body,
                      const deform_box *where, double reach, near_face *out);
void deform_corners(const sb_deform *deform, const deform_body *body, int face,
                    int nodes[3], sb_vec3 at[3]);
sb_vec3 deform_normal(const sb_vec3 corners[3]);

typedef struct touch_pair {
    int node, face; /* of all bodies */
    int side;       /* 1: the node is where the face's normal points */
} touch_pair;

struct deform_touch {
    int most;
    near_face *faces; /* scratch */
    /* state */
    int *count;
    touch_pair *pairs;
};

SB_NODISCARD sb_status deform_touch_make(sb_deform *deform, sb_error *err);
void deform_touch_free(sb_deform *deform);
void deform_touch_place(sb_deform *deform, deform_layout *layout);

/* Pushes of this step; false if more pairs are near than the list can hold. */
bool deform_touch_bodies(sb_deform *deform, int64_t step);
