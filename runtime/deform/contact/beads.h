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
#ifndef SB_DEFORM_CONTACT_BEADS_H
#define SB_DEFORM_CONTACT_BEADS_H

#include "runtime/deform/contact/deform_collider.h"

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

typedef struct near_face {
    int face;
    double low[3], high[3];
} near_face;

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
void deform_beads_free(deform_beads *beads);
size_t deform_beads_numbers(const deform_beads *beads);
void deform_beads_place(deform_beads *beads, double *state);

/* beads_list.c: after poses are known; false if the list is full. */
bool deform_beads_list(sb_deform *deform);
/* beads.c: pushes of this step */
void deform_beads_push(sb_deform *deform);

static inline void corners_of(const sb_deform *deform, int body, int face,
                              int nodes[3], sb_vec3 at[3]) {
    for (int k = 0; k < 3; k++) {
        nodes[k] = deform->bodies[body].node_first + deform->faces[face][k];
        at[k] = row_vec3(deform->positions, nodes[k]);
    }
}

static inline sb_vec3 normal_of(const sb_vec3 c[3]) {
    return sb_vec3_normalised(
        sb_vec3_cross(sb_vec3_sub(c[1], c[0]), sb_vec3_sub(c[2], c[0])));
}

#endif
