/* runtime/deform/contact/heard.h -- what colliders are given, frame by frame; private.
 *
 * The impulses of the steps of a frame are added up; when the frame is over
 * they are queued for sb_deform_next_touch.
 *
 * Thread: member 0 of the team. Memory: of the sb_deform; all but the numbers
 * of places is part of its state.
 */
#ifndef SB_DEFORM_CONTACT_HEARD_H
#define SB_DEFORM_CONTACT_HEARD_H

#include "runtime/deform/contact/deform_collider.h"

enum { HEARD_FRAMES = 2048 }; /* that may be unread */

typedef struct heard_sum {
    sb_vec3 impulse_ns, point; /* sum of |impulse| times point */
    double size;
} heard_sum;

typedef struct heard_head {
    int64_t frame;       /* that is being summed */
    int64_t first, next; /* of the queue */
} heard_head;

struct deform_heard {
    int count;   /* of colliders */
    int *places; /* [collider]: among those heard, or -1 */
    int most;    /* of the queue */
    /* state */
    heard_head *head;
    heard_sum *sums;              /* [heard] */
    sb_deform_touch_frame *queue; /* [most] */
};

SB_NODISCARD sb_status deform_heard_make(sb_deform *deform,
                                         const sb_deform_def *def,
                                         sb_error *err);
void deform_heard_free(deform_heard *heard);
size_t deform_heard_numbers(const deform_heard *heard);
void deform_heard_place(deform_heard *heard, double *state);

void deform_heard_add(sb_deform *deform, int collider, const collider_hit *hit,
                      sb_vec3 at);
/* When `step` begins: frames before its own are over. */
void deform_heard_reach(sb_deform *deform, int64_t step);
/* Whether the queue holds all that may happen until a frame. */
bool deform_heard_has_room(const sb_deform *deform, double frame);

#endif
