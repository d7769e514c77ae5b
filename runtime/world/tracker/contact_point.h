/* SPDX-License-Identifier: MIT */
/* runtime/world/tracker/contact_point.h -- one point at which two solids
 * touched in a step.
 *
 * It has no identity: the tracker matches points from step to step.
 *
 * Thread: control. Memory: plain values.
 */
#pragma once

#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_contact_point {
    uint32_t user[2];    /* of the two solids, always in the same order */
    sb_vec3 point;       /* world, m */
    sb_vec3 normal;      /* unit normal, from the second into the first */
    double depth_m;      /* overlap, >= 0 */
    double time_s;       /* of first contact, from the start of the step */
    double approach_m_s; /* closing speed along the normal before the step;
                          * negative: separating */
    double impulse_ns;   /* normal impulse in this step, >= 0 */
    double blow_ns;      /* the part of it that changed speeds at once, by an
                          * impact */
    double weight_ns;    /* the part of it that bears weight in this step; 0
                          * where steps are so short that it does not matter */
    sb_vec3 rub_ns;      /* friction impulse on the first */
    sb_vec3 velocity[2]; /* of each surface at the point, before the step */
    sb_vec3 centre[2];   /* velocity of each solid's centre of mass */
    /* 1 / effective mass along the normal n at arm r from the centre of mass:
     * 1/m + (r x n) . I^-1 (r x n); 0 when the solid is not free. */
    double inverse_mass[2];
    double restitution; /* of the pair */
    bool is_given;      /* it rebounds by that, whatever its modes take */
    bool is_smooth;     /* one of them is faceted but stands for a smooth
                         * shape */
} sb_contact_point;
