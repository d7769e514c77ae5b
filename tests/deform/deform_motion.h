/* SPDX-License-Identifier: MIT */
/* tests/deform/deform_motion.h -- momentum and spin of a deformable body, and
 * how it goes on. */
#pragma once

#include "runtime/deform/sound/sound.h"

typedef struct deform_motion {
    double mass_kg;
    sb_vec3 centre_m, momentum_ns, spin_nms; /* spin about the centre */
} deform_motion;

static inline deform_motion deform_motion_of(const sb_deform *deform,
                                             int body) {
    const deform_body *own = &deform->bodies[body];
    deform_motion motion = {.mass_kg = own->mass_kg};
    sb_vec3 first = {0, 0, 0}, p = {0, 0, 0}, l = {0, 0, 0};
    sb_vec3 about = row_vec3(deform->positions, own->node_first);
    for (int i = 0; i < own->real_count; i++) {
        int node = own->node_first + i;
        sb_vec3 x = sb_vec3_sub(row_vec3(deform->positions, node), about);
        sb_vec3 v = row_vec3(deform->velocities, node);
        double mass = deform->mass[node];
        first = sb_vec3_add(first, sb_vec3_scale(x, mass));
        p = sb_vec3_add(p, sb_vec3_scale(v, mass));
        l = sb_vec3_add(l, sb_vec3_scale(sb_vec3_cross(x, v), mass));
        if (own->is_sheet)
            l = sb_vec3_add(l, sb_vec3_scale(row_vec3(deform->spins, node),
                                             deform->inertia[node]));
    }
    sb_vec3 off = sb_vec3_scale(first, 1 / own->mass_kg);
    motion.centre_m = sb_vec3_add(about, off);
    motion.momentum_ns = p;
    motion.spin_nms = sb_vec3_sub(l, sb_vec3_cross(off, p));
    return motion;
}

/* Goes on until so many frames since the beginning are complete: until the last
 * step of their last batch. */
static inline sb_status deform_advance(sb_deform *deform, int64_t frames,
                                       sb_error *err) {
    int64_t all = frames + (deform->sound ? deform->sound->lead : 0);
    int64_t batches = (all + FRAMES_BATCH - 1) / FRAMES_BATCH;
    int64_t fine = FINE_BATCH * batches - FINE_PER_FRAME + SOUND_HALF;
    if (frames <= deform->state->frames) return SB_OK;
    return sb_deform_reach(
        deform, (double)(fine * deform->fine_steps) * deform->step_s, err);
}
