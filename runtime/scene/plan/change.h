/* runtime/scene/plan/change.h -- what a commit changes about one body.
 *
 * Thread: any.
 */
#ifndef SB_SCENE_PLAN_CHANGE_H
#define SB_SCENE_PLAN_CHANGE_H

/* What changed about one body. */
typedef enum sb_change {
    SB_CHANGE_NONE,
    SB_CHANGE_PLACE,  /* position, gain, motion or impacts */
    SB_CHANGE_PAINT,  /* its texture, and possibly position or gain */
    SB_CHANGE_TUNING, /* the same modes, noise bands or springs, other values */
    SB_CHANGE_MODEL   /* other modes, bands or places, or whether it rings */
} sb_change;

#endif
