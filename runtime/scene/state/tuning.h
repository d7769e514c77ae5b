/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/tuning.h -- touching and bending a body while it rings.
 *
 * Touches and strains change frequencies and decays of the ringing modes, and
 * end with the script that made them.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/scene/state/body.h"

typedef struct sb_wobble sb_wobble;

/* --- touches ------------------------------------------------------------- */

/* A damper on a body, such as a finger or a felt: a dashpot c. A mode with the
 * shape value phi decays faster by c phi^2 / 2 per second, phi^2 averaged over
 * the covered patch. A mode that does not move there is not damped. Touches
 * add up. */
typedef struct sb_touch_def {
    sb_place place;
    double damping_ns_m; /* c, of the whole patch, >= 0 */
    double radius_m;     /* of the patch; 0: a point */
    double ramp_s;       /* time to set in, or to change */
} sb_touch_def;

typedef struct sb_touch_id {
    sb_body_id body;
    uint64_t number; /* 0: no touch */
} sb_touch_id;

/* Lasts until it is lifted, the body is removed or another script takes over.
 * A body that does not ring may be touched, too. STALE_HANDLE, NO_MEMORY,
 * QUEUE_FULL. */
SB_NODISCARD sb_status sb_scene_touch(sb_scene *scene, sb_body_id id,
                                      const sb_touch_def *def, double time_s,
                                      sb_touch_id *out, sb_error *err);
bool sb_scene_has_touch(const sb_scene *scene, sb_touch_id id);
sb_touch_def sb_scene_touch_def(const sb_scene *scene, sb_touch_id id);
/* Change place, damping or size. */
SB_NODISCARD sb_status sb_scene_set_touch(sb_scene *scene, sb_touch_id id,
                                          const sb_touch_def *def,
                                          double time_s, sb_error *err);
SB_NODISCARD sb_status sb_scene_lift(sb_scene *scene, sb_touch_id id,
                                     double ramp_s, double time_s,
                                     sb_error *err);

/* --- strain -------------------------------------------------------------- */

/* A strain e moves mode k from w to w sqrt(1 + bend_k e). The default bend_k is
 * w_1 / w_k, as for a sheet under tension along its plane: the lowest mode
 * moves most. */
typedef struct sb_bend {
    const double *items; /* lowest mode first; the last is used for the rest */
    int count;           /* 0: the default */
    bool is_given;       /* else unchanged */
} sb_bend;

/* Strain the body to `strain`, over `ramp_s`. */
SB_NODISCARD sb_status sb_scene_deform(sb_scene *scene, sb_body_id id,
                                       double strain, const sb_bend *bend,
                                       double ramp_s, double time_s,
                                       sb_error *err);

/* Make the strain swing about that value (base/voice_types.h). */
SB_NODISCARD sb_status sb_scene_flex(sb_scene *scene, sb_body_id id,
                                     const sb_wobble *wobble,
                                     const sb_bend *bend, double time_s,
                                     sb_error *err);

/* --- silent modes -------------------------------------------------------- */

/* Modes that ring, and yield, but are not heard, one truth value per mode;
 * NULL: all are heard. They change in `ramp_s`, and end like touches.
 * STALE_HANDLE, NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_silence(sb_scene *scene, sb_body_id id,
                                        const bool *modes, double ramp_s,
                                        double time_s, sb_error *err);

/* Frequency and decay of a mode, touches and strain included. */
void sb_scene_mode_now(const sb_scene *scene, sb_body_id id, int k,
                       double *freq_hz, double *sigma_per_s);
