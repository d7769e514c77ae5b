/* SPDX-License-Identifier: MIT */
/* runtime/engine/lasting_def.h -- a contact that lasts, and its moves.
 *
 * Thread: control. Memory: the engine copies it.
 */
#pragma once

#include "runtime/base/voice_types.h"
#include "runtime/dsp/contact/bristle.h"
#include "runtime/dsp/surface/rub.h"

#include <stdbool.h>

typedef struct sb_ride_def sb_ride_def;

typedef struct sb_lasting_def {
    sb_voice_id voice[2];     /* the bodies; null: that side does not ring */
    const double *weights[2]; /* at the contact, one per mode of each voice */
    sb_surface *surface[2];   /* of each side, retained; NULL: smooth */
    sb_rub_def rub;           /* without its surfaces */
    sb_lasting_model model;
    /* KNOWN: a ball that rolls, and a gain of its force; or NULL */
    const sb_ride_def *ride;
    double ride_gain;
    /* PRESS, BUZZ */
    sb_contact_law law;
    double mass_kg, inverse_mass; /* of the pressing mass; 1/M of the body */
    double gap_m;                 /* BUZZ */
    /* FRICTION */
    sb_bristle bristle;
    /* of the rubbing side and its spring; 0: it moves at the given slip */
    double rub_mass_kg, rub_stiffness;
    bool is_watched; /* see sb_engine_trace */
} sb_lasting_def;

typedef struct sb_move_def {
    sb_contact_load to;
    bool has_force, has_speed[2],
        has_slip;  /* which values change; the others continue as before */
    double ramp_s; /* duration, >= 0 */
    bool is_last;  /* the contact ends with this move */
    /* positions at equal intervals from the present one to the target; 0: as
     * before */
    int rows;
    const double *weights[2]; /* `rows` times one per mode of each voice */
} sb_move_def;
