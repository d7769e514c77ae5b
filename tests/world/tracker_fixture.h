/* SPDX-License-Identifier: MIT */
/* tests/world/tracker_fixture.h -- a tracker, and statistics of its events. */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/world/tracker/tracker.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define G 9.81

typedef struct course {
    sb_tracker *tracker;
    double step_s;
    long steps;
    const sb_tracked *events; /* of the last step */
    int event_count;
    int counts[4]; /* by kind, of all steps */
    double impulse_ns;
    double impact_s[256]; /* of the first ones, from the start */
    sb_tracked impacts[256];
    sb_tracked last[4]; /* by kind */
} course;

static inline course course_start(double step_s) {
    course c = {.step_s = step_s};
    sb_tracker_def def = {step_s, G};
    ck_assert_int_eq(sb_tracker_create(&def, &c.tracker, NULL), SB_OK);
    return c;
}

static inline void course_step(course *c, const sb_contact_point *points,
                               int count) {
    /* Check records every assertion, which takes longer than a step. */
    if (sb_tracker_step(c->tracker, points, count, &c->events, &c->event_count,
                        NULL) != SB_OK)
        ck_abort_msg("no memory");
    double before = 0;
    for (int i = 0; i < c->event_count; i++) {
        const sb_tracked *e = &c->events[i];
        if (!(e->time_s >= before && e->time_s <= c->step_s) || !e->contact) {
            ck_abort_msg("contact %u at %g s after %g s", e->contact, e->time_s,
                         before);
        }
        before = e->time_s;
        if (e->kind == SB_TRACKED_IMPACT) {
            int n = c->counts[SB_TRACKED_IMPACT];
            if (n < 256) {
                c->impact_s[n] = (double)c->steps * c->step_s + e->time_s;
                c->impacts[n] = *e;
            }
            c->impulse_ns += e->impulse_ns;
        }
        c->counts[e->kind]++;
        c->last[e->kind] = *e;
    }
    c->steps++;
}

static inline void course_forget_counts(course *c) {
    memset(c->counts, 0, sizeof c->counts);
    c->impulse_ns = 0;
}

static inline void course_end(course *c) {
    sb_tracker_destroy(c->tracker);
}

/* Contact of solid 1 on the fixed solid 2 below it, at the end of a step. */
static inline sb_contact_point on_floor(double x, double z, double impulse_ns,
                                        double mass_kg) {
    return (sb_contact_point){.user = {1, 2},
                              .point = {x, 0, z},
                              .normal = {0, 1, 0},
                              .depth_m = 1e-5,
                              .impulse_ns = impulse_ns,
                              .inverse_mass = {1 / mass_kg, 0},
                              .restitution = 0.5};
}

/* From -1 to 1. */
static inline double swing(sb_random *random) {
    return 2 * sb_random_unit(random) - 1;
}

static inline double length(sb_vec3 v) {
    return sb_vec3_length(v);
}
