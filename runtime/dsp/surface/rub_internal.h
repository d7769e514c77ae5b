/* SPDX-License-Identifier: MIT */
/* runtime/dsp/surface/rub_internal.h -- shared by rub.c, which runs a block and
 * moves along the surfaces, and rub_forces.c; and by their tests.
 *
 * Thread: audio. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/surface/rub.h"

/* The parameters of the contact under a load; a contact at rest takes its slip
 * ratio from `before`. */
void sb_rub_pose_find(const sb_rub *rub, const sb_contact_load *load,
                      const sb_rub_pose *before, sb_rub_pose *pose) SB_RT;

/* The low-pass from dh/dt to F / m at a corner. */
void sb_rub_filter(double corner_rad_s, double damping, double rate_hz,
                   double b[3], double a[2]) SB_RT;

/* dh/dt of both surfaces at every frame; advances the positions to the end of
 * the block. False when it is all zero. */
bool sb_rub_places_speed(sb_rub *rub, const sb_contact_load *from,
                         const sb_contact_load *to,
                         float lift_m_s[SB_BLOCK_FRAMES]) SB_RT;

/* The wobble at every frame as the first body turns from `turn` on, which is
 * advanced. */
void sb_rub_places_wobble(const sb_rub *rub, double *turn,
                          const sb_contact_load *from,
                          const sb_contact_load *to,
                          float swell[SB_BLOCK_FRAMES]) SB_RT;

/* Add the profile's force. `swell` may be NULL. */
void sb_rub_scrape(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *lift_m_s, const float *swell,
                   float *impulse_ns) SB_RT;

/* Start the pulses of this block. */
void sb_rub_impacts(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                    const float *swell) SB_RT;
void sb_rub_gravel(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *swell) SB_RT;
void sb_rub_creak(sb_rub *rub, const sb_rub_pose *from,
                  const sb_rub_pose *to) SB_RT;

/* Draw the first distances. */
void sb_rub_events_start(sb_rub *rub) SB_RT;
