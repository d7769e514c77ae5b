/* runtime/scene/state/track.h -- where something is at a time, as far as it is told.
 *
 * A track is told in legs, each between two places with their velocities at two
 * times, by the cubic of Hermite; after the last leg it goes on as fast as it
 * ended, which for what has stopped is not at all.
 *
 * What a script puts somewhere, step by step, is known only once it is there. It
 * moves along the quadratic B-spline of its places, one and a half steps late: no
 * jerk, no overshoot, and at rest two steps after the last place. Something that
 * is put far from where it was has jumped.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_SCENE_STATE_TRACK_H
#define SB_SCENE_STATE_TRACK_H

#include "runtime/base/vec3.h"

#include <stdbool.h>

typedef struct sb_leg {
    double from_s, to_s;
    sb_vec3 start, start_velocity;
    sb_vec3 end, end_velocity;
} sb_leg;

enum { SB_TRACK_LEGS = 2 };

typedef struct sb_track {
    sb_leg legs[SB_TRACK_LEGS]; /* one after the other */
    int count;                  /* at least 1 */
    sb_vec3 last, before;       /* of the places put step by step */
    double put_s, step_s;       /* when, and how long after the one before */
} sb_track;

/* It has always been there. */
sb_track sb_track_rest(sb_vec3 place);

/* Where it is, and how fast. */
sb_vec3 sb_track_at(const sb_track *track, double time_s, sb_vec3 *velocity);

/* From now on it follows this leg. */
void sb_track_follow(sb_track *track, const sb_leg *leg);

/* From `time_s` on it goes at this velocity from this place. */
void sb_track_go(sb_track *track, double time_s, sb_vec3 place,
                 sb_vec3 velocity);

/* It is put there. True when it has jumped: more than `far` from a rest, or from
 * where it was going by more than twenty times that. */
bool sb_track_put(sb_track *track, double time_s, sb_vec3 place, double far);

#endif
