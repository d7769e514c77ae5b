/* SPDX-License-Identifier: MIT */
/* runtime/world/tracker/tracker_internal.h -- shared by the files of the contact
 * tracker.
 *
 * One step: the points are sorted into a canonical order. The pairs are visited
 * together with the contacts of the step before, which are stored in the same
 * order (tracker.c). The points of a pair are
 * assigned to its contacts or to new ones (tracker_match.c), and each contact
 * advances with the sum of its points (tracker_life.c).
 *
 * Thread: control. Memory: the tracker's own.
 */
#pragma once

#include "runtime/world/tracker/tracker.h"

enum {
    SB_PATCHES_TOUCHED = 4, /* patches per pair with points in a step; more
                             * are merged */
    SB_PATCHES_KEPT = 8,    /* patches per pair from step to step, including
                             * those without a point at present */
    SB_PATCHES_MOST = SB_PATCHES_KEPT + SB_PATCHES_TOUCHED
};

/* Points whose normals differ by more than 45 degrees are on different
 * faces. */
#define SB_SAME_FACE 0.7

/* State of a contact from one step to the next. */
typedef struct sb_contact_patch {
    uint64_t pair;
    uint32_t contact; /* 0: no event yet */
    sb_contact_state state;
    bool has_begun, is_over, is_smooth;
    bool is_settled;  /* at rest, and its last MOVE was sent */
    bool has_parted;  /* has separated since it last bore a load */
    double missing_s; /* time without a point */
    int idle;         /* steps without a load */
    int steady;       /* consecutive steps in which its velocity hardly
                      * changed */
    int count;        /* number of values in the means below */
    double calm_s;    /* time for which all speeds have been small */
    int weak_count;   /* of weak impacts that do not decay */
    double place_s, impact_s, weak_s, weak_m_s;
    sb_vec3 point, normal;
    sb_vec3 follower; /* follows the point of a faceted contact */
    sb_vec3 weak_point;
    sb_vec3 raw_m_s; /* velocity of the point in the last step, not smoothed */
    double turn;     /* of that velocity about the normal, rad per step */
    double force_n;
    sb_vec3 own_m_s, matter_m_s[2]; /* smoothed */
} sb_contact_patch;

/* Weighted sums, then means, over the contact points of a patch in a step. */
typedef struct sb_patch_sum {
    bool is_new, is_kept, has_parted, is_smooth;
    double weight, impulse_ns, inverse_mass;
    sb_vec3 point, normal, velocity[2], centre[2];
    double centre_inverse_mass[2];
    /* Only over points that close faster than chatter. */
    double impact_ns, impact_weight_ns, impact_m_s, impact_time_s,
        impact_inverse_mass, impact_restitution;
    bool is_given;
    sb_vec3 impact_point, impact_normal, impact_slip;
} sb_patch_sum;

typedef struct sb_tracked_list {
    sb_tracked *items;
    int count, capacity;
} sb_tracked_list;

struct sb_tracker {
    double step_s;
    double share, share_facets; /* weight of a step's values in the smoothed
                                 * ones */
    double impact_m_s; /* closing speeds below this are chatter of the solver */
    double rest_m_s;   /* so are tangential speeds below this */
    double now_s;      /* the start of the step */
    uint32_t last_contact;
    int count;
    sb_contact_patch *patches, *next; /* sorted by pair */
    int patch_count, patch_capacity, next_count, next_capacity;
    const sb_contact_point **points; /* likewise */
    int point_capacity;
    int *owners; /* index of the contact of each point within its pair, or -1 */
    int owner_capacity;
    sb_tracked_list timed, late; /* events within the step; events at its end */
    int late_start;              /* index of the first late event in its list */
};

/* Inlined, unlike fmax and fmin; nothing here is NaN. */
static inline double sb_larger(double a, double b) {
    return a > b ? a : b;
}

static inline double sb_smaller(double a, double b) {
    return a < b ? a : b;
}

static inline double sb_length_squared(sb_vec3 v) {
    return sb_vec3_dot(v, v);
}

static inline uint64_t sb_pair_key(const sb_contact_point *p) {
    return (uint64_t)p->user[0] << 32 | p->user[1];
}

static inline sb_vec3 sb_along_surface(sb_vec3 v, sb_vec3 normal) {
    return sb_vec3_plus(v, normal, -sb_vec3_dot(v, normal));
}

/* Assigns the points of one pair to its contacts, and appends new contacts
 * up to SB_PATCHES_MOST in all. Returns the new number of contacts. */
int sb_tracker_match(sb_tracker *tracker, const sb_contact_point *const *points,
                     int count, sb_contact_patch *patches, int patch_count,
                     sb_patch_sum *sums);

/* Advances one patch by a step. False when it has ended. */
bool sb_contact_patch_step(sb_tracker *tracker, sb_contact_patch *patch,
                           const sb_patch_sum *sum);
/* Ends a patch at a time within the step. */
void sb_contact_patch_end(const sb_contact_patch *patch, sb_tracked_list *list,
                          double time_s);
