/* runtime/world/contact_tracker.h -- from nameless touch points to contacts with
 * a beginning, a life and an end.
 *
 * The points of every step are matched with the contacts of the step before
 * (Menzies 2.4.2): same pair, nearest place. A point without a contact begins
 * one, a contact without a point for some steps ends. The speed along the normal
 * decides what is an impact (Maunsbach & Serafin 4.4): a contact that begins, or
 * one that is hit again, with more of it than the solver's own chatter. Points of
 * a pair that lie close together are one contact; those of a pair that touch on
 * a wide area are a few, spaced out.
 *
 * A resting contact has a force, no speeds and makes no sound. Where the collider
 * has facets but is meant to be smooth (2.4.3), force and speeds go through a
 * low-pass and the small impacts of the facets are no impacts.
 *
 * Thread: control. Memory: the tracker's own; events are valid until the next
 *         step.
 */
#ifndef SB_WORLD_CONTACT_TRACKER_H
#define SB_WORLD_CONTACT_TRACKER_H

#include "runtime/base/status.h"
#include "runtime/world/touch_point.h"

typedef struct sb_tracker sb_tracker;

typedef struct sb_tracker_def {
    double step_s;       /* of the world */
    double gravity_m_s2; /* its size: what chatter there is at rest */
} sb_tracker_def;

typedef enum sb_tracked_kind {
    SB_TRACKED_IMPACT, /* at one time; may also begin a contact */
    SB_TRACKED_BEGIN,
    SB_TRACKED_MOVE, /* goes on: once a step for each that is not resting */
    SB_TRACKED_END
} sb_tracked_kind;

/* How a lasting contact moves. */
typedef enum sb_tracked_way {
    SB_WAY_REST,
    SB_WAY_ROLL,
    SB_WAY_SLIDE
} sb_tracked_way;

typedef struct sb_tracked {
    sb_tracked_kind kind;
    sb_tracked_way way; /* of all but impacts */
    uint32_t contact;   /* its number, never 0, not used again */
    uint32_t user[2];
    double time_s;         /* from the start of the step; of BEGIN and MOVE, the
                             end of the step */
    sb_vec3 point, normal; /* out of the second into the first */
    /* IMPACT */
    double speed_m_s;  /* along the normal, > 0 */
    double impulse_ns; /* along the normal: of the blow alone, without what
                             bears the weight */
    double mass_kg;    /* effective, of both: 1 / sum of inverse masses */
    double restitution;
    /* BEGIN, MOVE */
    double force_n;   /* along the normal, mean of the step (smoothed) */
    sb_vec3 slip_m_s; /* of the first over the second; of impacts too */
    sb_vec3
        surface_m_s[2]; /* how fast the contact's place moves over the matter
                               of each */
    double age_s;       /* since it began */
} sb_tracked;

SB_NODISCARD sb_status sb_tracker_create(const sb_tracker_def *def,
                                         sb_tracker **out, sb_error *err);
void sb_tracker_destroy(sb_tracker *tracker); /* NULL is allowed */

/* Take what touched in a step. The events, in the order of their times. */
SB_NODISCARD sb_status sb_tracker_step(sb_tracker *tracker,
                                       const sb_touch_point *points, int count,
                                       const sb_tracked **events,
                                       int *event_count, sb_error *err);

/* A solid has gone or was put elsewhere: its contacts are over. The END events
 * come with the next step. */
void sb_tracker_forget(sb_tracker *tracker, uint32_t user);

int sb_tracker_count(const sb_tracker *tracker); /* contacts now */

#endif
