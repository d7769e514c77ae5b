/* runtime/world/contact_tracker.h -- turns the contact points of each step into
 * contacts that begin, last and end.
 *
 * The points of every step are matched with the contacts of the step before
 * (Menzies 2.4.2): same pair, nearest place. A point without a contact begins
 * one, a contact without a point for some steps ends. The speed along the
 * normal decides what is an impact (Maunsbach & Serafin 4.4): a contact that
 * begins, or closes again, faster than the solver's own chatter. Points of a
 * pair that lie close together are one contact; those of a pair that touch on a
 * wide area are a few, spaced out.
 *
 * A resting contact has a force, no speeds and makes no sound. Where the
 * collider has facets but is meant to be smooth (2.4.3), force and speeds go
 * through a low-pass and the small impacts of the facets are no impacts.
 *
 * With h the step and g gravity:
 *
 *   impact      closes faster than 3 g h and 1 cm/s, as the contact begins or
 *               after it was open for two steps; while it bears a load, only
 *               when its impulse is twice that of the load, and not within 4 ms
 *               of the last. Its impulse excludes the load's. Points of one
 *               contact that strike in one step are one impact. Weak ones,
 *               below 12 g h, that go on at one place without dying away are
 *               the solver's: after 24 on one contact, 8 below 6 g h, there are
 *               no more until a second without. A contact that moves along a
 *               surface strikes with at least 0.05 of its speed.
 *   contact     begins when it bears a load in two steps running, and ends
 *               after 8 ms (three steps at least) without a point, 40 ms at
 *               rest or over facets. A bounce is an impact alone. Points within
 *               3 mm, or within a fifth of the area that the pair touches on,
 *               are one contact (2.5 cm over facets, 1 cm from the pair's only
 *               one); a pair has four at most.
 *   speeds      the contact's own velocity is that of its place from step to
 *               step, unless it jumps further than the bodies go; force and
 *               speeds are smoothed over 4 ms, over facets 30 ms.
 *   rest        all speeds along the surface below 3 mm/s and g h / 4 for 20
 *               ms; it ends at twice that. One MOVE with zero speeds then
 *               reports the force.
 *   slide       slip above 0.3 of the faster surface speed, until below 0.15.
 *   facets      no impact below 0.65 of the speed at which it goes by, once the
 *               pair touches.
 *
 * Points with NaN or without a unit normal are ignored. The order of the points
 * does not affect the result. A step takes time in proportion to its points
 * and contacts.
 *
 * Thread: control. Memory: the tracker's own; events are valid until the next
 *         step.
 */
#ifndef SB_WORLD_CONTACT_TRACKER_H
#define SB_WORLD_CONTACT_TRACKER_H

#include "runtime/base/status.h"
#include "runtime/world/contact_point.h"

typedef struct sb_tracker sb_tracker;

typedef struct sb_tracker_def {
    double step_s;       /* of the world */
    double gravity_m_s2; /* magnitude: sets the chatter at rest */
} sb_tracker_def;

typedef enum sb_tracked_kind {
    SB_TRACKED_IMPACT, /* at one time; may also begin a contact */
    SB_TRACKED_BEGIN,
    SB_TRACKED_MOVE, /* once per step while not resting, and once when it
                        comes to rest */
    SB_TRACKED_END
} sb_tracked_kind;

/* How the two surfaces of a lasting contact move. */
typedef enum sb_contact_state {
    SB_RESTING,
    SB_ROLLING,
    SB_SLIDING
} sb_contact_state;

typedef struct sb_tracked {
    sb_tracked_kind kind;
    sb_contact_state state; /* of all but impacts */
    uint32_t contact;       /* its id, never 0, never reused */
    uint32_t user[2];
    double time_s;         /* from the start of the step; of BEGIN, MOVE and END
                             the end of the step, 0 of what was forgotten */
    sb_vec3 point, normal; /* out of the second into the first */
    /* IMPACT */
    double speed_m_s;  /* along the normal, > 0 */
    double impulse_ns; /* along the normal, without the load's */
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

/* BAD_ARGUMENT: a step outside 1e-6 .. 1 s, gravity outside 0 .. 1e4 m/s^2.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_tracker_create(const sb_tracker_def *def,
                                         sb_tracker **out, sb_error *err);
void sb_tracker_destroy(sb_tracker *tracker); /* NULL is allowed */

/* Takes the contact points of a step; returns its events in order of time.
 * NO_MEMORY: the call can be repeated. */
SB_NODISCARD sb_status sb_tracker_step(sb_tracker *tracker,
                                       const sb_contact_point *points,
                                       int count, const sb_tracked **events,
                                       int *event_count, sb_error *err);

/* Ends all contacts of a solid that was removed or placed elsewhere. Their END
 * events come with the next step. */
void sb_tracker_forget(sb_tracker *tracker, uint32_t user);

/* Contacts that have begun and not ended. */
int sb_tracker_count(const sb_tracker *tracker);

#endif
