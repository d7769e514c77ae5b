/* runtime/dsp/surface/rub_internal.h -- shared by the rub_*.c files.
 *
 * rub.c runs a block, rub_pose.c computes the parameters at its ends,
 * rub_places.c moves along the surfaces, rub_asperities.c makes the noise of the
 * asperities, rub_scrape.c filters the profile, and rub_events.c starts
 * micro-impacts, grains and creaks.
 *
 * Thread: audio. Memory: the caller's.
 */
#ifndef SB_DSP_SURFACE_RUB_INTERNAL_H
#define SB_DSP_SURFACE_RUB_INTERNAL_H

#include "runtime/dsp/surface/rub.h"

/* A mass on the heights takes them as joined by straight lines, and its force
 * counts by its mean in every frame: sinc^3, which is 1.9 dB at 10 kHz and 48
 * kHz, and the steps of the contact lose a little more. A second difference
 * makes up for most of it. */
#define SB_RUB_SHARPEN (1.0 / 7.0)

/* The parameters of the contact under a load; a contact at rest takes its slip
 * ratio from `before`. */
void sb_rub_pose_find(const sb_rub *rub, const sb_contact_load *load,
                      const sb_rub_pose *before, sb_rub_pose *pose) SB_RT;

/* The parameters at both ends of a block. */
typedef struct sb_rub_ends {
    const sb_rub_pose *start, *end;
    /* used where they differ from the end of the last block */
    sb_rub_pose made[2];
} sb_rub_ends;

void sb_rub_ends_find(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, sb_rub_ends *ends) SB_RT;

/* The heights of the asperities, in units of asperities_m, at the start of each
 * frame and at the end of the last, sharpened like those of a surface. False when
 * there are none, or they do not move. */
bool sb_rub_asperities_block(sb_rub *rub, const sb_rub_ends *ends,
                             double sharpen,
                             double height[SB_BLOCK_FRAMES + 1]) SB_RT;

/* The low-pass of the heights under a ball. */
void sb_rub_lag_block(sb_rub *rub, double corner_hz,
                      double height_m[SB_BLOCK_FRAMES + 1]) SB_RT;

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

#endif
