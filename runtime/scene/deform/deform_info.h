/* SPDX-License-Identifier: MIT */
/* runtime/scene/deform/deform_info.h -- how far deformable bodies have got.
 *
 * Thread: control.
 */
#pragma once

#include "runtime/deform/deform.h"
#include "runtime/scene/deform/scene_deform.h"

typedef struct sb_deform_info {
    bool is_open;
    sb_deform_how how;
    sb_deform_cost cost;
    int body_count;    /* see sb_scene_deform_limit */
    double time_s;     /* reached, s of the scene */
    double resumed_s;  /* where a RESUME began to compute; 0: at the start */
    double kept_s;     /* last checkpoint; 0: none yet */
    double computed_s; /* processor time that steps took */
    double ends_s;     /* REPLAY: end of the journal */
    bool is_over;      /* REPLAY: at its end the scene was over, too */
    int lead_frames;   /* at 48 kHz: sound is complete this much later */
    bool is_changed;   /* a reload has changed them: they are silent */
    sb_error failure;  /* of a check (deform.h); status 0: none */
    sb_error remark;   /* once: the journal cannot be written; likewise */
} sb_deform_info;
sb_deform_info sb_scene_deform_info(const sb_scene *scene);
/* How far body 0 .. body_count - 1 is heard (deform.h), and which it is. */
sb_deform_limit sb_scene_deform_limit(const sb_scene *scene, int index,
                                      sb_body_id *body);
