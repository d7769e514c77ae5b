/* runtime/deform/contact/deform_touch.h -- deformable bodies against each other; private.
 *
 * Thread: member 0 of the team. Memory: of the sb_deform; the list is part of
 * its state.
 */
#ifndef SB_DEFORM_CONTACT_DEFORM_TOUCH_H
#define SB_DEFORM_CONTACT_DEFORM_TOUCH_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct deform_touch deform_touch;
typedef struct sb_deform sb_deform;

typedef struct touch_pair {
    int node, face; /* of all bodies */
    int side;       /* 1: the node is where the face's normal points */
} touch_pair;

struct deform_touch {
    int most;
    int *faces; /* scratch */
    /* state */
    int *count;
    touch_pair *pairs;
};

SB_NODISCARD sb_status deform_touch_make(sb_deform *deform, sb_error *err);
void deform_touch_free(sb_deform *deform);
/* Numbers of its state, and where they are. */
size_t deform_touch_numbers(const sb_deform *deform);
void deform_touch_place(sb_deform *deform, double *state);

/* Pushes of this step; false if more pairs are near than the list can hold. */
bool deform_touch_bodies(sb_deform *deform, int64_t step);

#endif
