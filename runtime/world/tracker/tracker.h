/* SPDX-License-Identifier: MIT */
/* runtime/world/tracker/tracker.h -- turns the contact points of each
 * step into contacts that begin, last and end.
 *
 * The points of every step are matched with the contacts of the step before
 * (Menzies 2.4.2): same pair, nearest place. A point without a contact begins
 * one; a contact without a point for some steps ends. The speed along the
 * normal decides what is an impact (Maunsbach & Serafin 4.4): a contact that
 * begins, or closes again, faster than the chatter of the solver. Points of a
 * pair that lie close together are one contact. A pair that touches on a wide
 * area has a few contacts, spaced out.
 *
 * A resting contact has a force but no speeds, and is silent. Where a faceted
 * collider stands for a smooth shape (2.4.3), force and speeds are low-passed
 * and the small impacts of the facets are ignored.
 *
 * With h the step and g gravity:
 *
 *   impact      The contact closes faster than 3 g h and 1 cm/s when it begins
 *               or after it was open for two steps. While it bears a load, only
 *               if its impulse is twice that of the load, and not within 4 ms
 *               of the last impact. Its impulse excludes that of the load, or
 *               the weight that its points bear (weight_ns) if that is more.
 *               Several points of one contact in one step are one impact.
 *               Weak impacts (below 12 g h) that repeat at one place without
 *               decaying are artefacts of the solver: after 24 on one contact,
 *               or 8 below 6 g h, they are ignored until one second passes
 *               without any. A contact that moves along a surface needs a
 *               closing speed of at least 0.05 of its own speed.
 *   contact     Begins when it bears a load in two consecutive steps. Ends
 *               after 8 ms (at least three steps) without a point, after 40 ms
 *               at rest or over facets. A bounce is only an impact. Points
 *               within 3 mm, or within a fifth of the area in which the pair
 *               touches, are one contact (2.5 cm over facets, 1 cm from the
 *               only contact of a pair). A pair has at most four contacts.
 *   speeds      The velocity of the contact is that of its place from step to
 *               step, unless the place jumps further than the bodies move.
 *               Force and speeds are smoothed over 4 ms, over facets 30 ms.
 *   rest        All speeds along the surface are below 3 mm/s and g h / 4 for
 *               20 ms. Rest ends at twice these speeds. One MOVE with zero
 *               speeds then reports the force.
 *   slide       Begins when the slip is above 0.3 of the faster surface speed,
 *               ends below 0.15.
 *   facets      No impact below 0.65 of the speed along the surface once the
 *               pair touches.
 *
 * Points with NaN or without a unit normal are ignored. The order of the points
 * does not affect the result. A step takes time in proportion to its points
 * and contacts.
 *
 * Thread: control. Memory: the tracker's own; events are valid until the next
 *         step.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/world/tracker/contact_point.h"

typedef struct sb_tracker sb_tracker;

typedef struct sb_tracker_def {
    double step_s;       /* of the world */
    double gravity_m_s2; /* magnitude; determines the chatter at rest */
} sb_tracker_def;

typedef enum sb_tracked_kind {
    SB_TRACKED_IMPACT, /* at an instant; may also begin a contact */
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
    sb_contact_state state; /* for all but impacts */
    uint32_t contact;       /* its id, never 0, never reused */
    uint32_t user[2];
    double time_s;         /* from the start of the step. BEGIN, MOVE and
                            * END: the end of the step; 0 for contacts of a
                            * forgotten solid */
    sb_vec3 point, normal; /* out of the second into the first */
    /* IMPACT */
    double speed_m_s;  /* along the normal, > 0 */
    double impulse_ns; /* along the normal, without that of the load */
    double mass_kg;    /* effective mass of both: 1 / sum of inverse masses */
    double restitution;
    bool is_given; /* of contact_point.h */
    /* BEGIN, MOVE */
    double force_n;         /* along the normal, mean of the step (smoothed) */
    sb_vec3 slip_m_s;       /* of the first over the second; also for impacts */
    sb_vec3 surface_m_s[2]; /* velocity of the contact over each of the two
                         * surfaces */
} sb_tracked;

/* BAD_ARGUMENT: a step outside 1e-6 .. 1 s, gravity outside 0 .. 1e4 m/s^2.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_tracker_create(const sb_tracker_def *def,
                                         sb_tracker **out, sb_error *err);
void sb_tracker_destroy(sb_tracker *tracker); /* NULL is allowed */

/* The next step starts at `now_s`, unless that is earlier than the end of the
 * last one, and has this length and gravity. BAD_ARGUMENT: as above. */
SB_NODISCARD sb_status sb_tracker_retime(sb_tracker *tracker,
                                         const sb_tracker_def *def,
                                         double now_s, sb_error *err);

/* Processes the contact points of a step and returns its events ordered by
 * time. NO_MEMORY: the call can be repeated. */
SB_NODISCARD sb_status sb_tracker_step(sb_tracker *tracker,
                                       const sb_contact_point *points,
                                       int count, const sb_tracked **events,
                                       int *event_count, sb_error *err);

/* Ends all contacts of a solid that was removed or placed elsewhere. Their END
 * events come with the next step. */
void sb_tracker_forget(sb_tracker *tracker, uint32_t user);

/* Contacts that have begun and not ended. */
int sb_tracker_count(const sb_tracker *tracker);
