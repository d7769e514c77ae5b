/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/listener.h -- two ears with a position and a direction.
 *
 * A body radiates the pressure p at 1 m; at the distance r it is p / r, after
 * r / c. The listener has one of four kinds of ears:
 *
 *   head  ears at both ends of an axis through a sphere of radius a. With t the
 *         angle between an ear's end of the axis and the body, sound reaches
 *         that ear earlier by a cos t / c, or, around the head, later by
 *         a (t - pi / 2) / c (Woodworth). High frequencies are louder at the
 *         near ear and softer at the far ear by alpha(t) (Brown & Duda).
 *         Straight ahead both ears receive p / r after r / c.
 *   pair  two microphones, each at its own distance.
 *   pan   no delay; panned by the angle from straight ahead with constant
 *         power: left = sqrt(2) cos(s), right = sqrt(2) sin(s),
 *         s = (1 + side) pi / 4, where side = -1 .. 1 is how far to the right
 *         the body is.
 *
 *   measured  as was measured with a real head in each direction (dsp/ears/
 *         head.h), from far away: a delay like that of a head, and a filter.
 *         The gain is that of the distance.
 *
 * Symbols: full scale is SB_FULL_SCALE_PA, the highest pressure a file holds;
 *          c -> sb_air_speed, a -> SB_HEAD_M.
 * Thread:  any. Memory: plain values.
 */
#pragma once

#include "runtime/base/air.h"
#include "runtime/base/field.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>

/* A sine of 40 Pa peak has a sound pressure level of 123 dB: a hard strike at
 * arm's length stays below it, a soft one is well above the noise. */
#define SB_FULL_SCALE_PA 40.0

/* A body nearer than this sounds as if it were at this distance. */
#define SB_NEAREST_M 0.1

#define SB_HEAD_M 0.0875 /* radius */

typedef enum sb_ears_kind {
    SB_EARS_HEAD,
    SB_EARS_PAIR,
    SB_EARS_PAN,
    SB_EARS_MEASURED,
    SB_EARS_KINDS
} sb_ears_kind;

/* Largest gain of a listener. */
#define SB_LISTENER_GAIN_MOST 1e6

/* What full scale stands for at a gain of 1, Pa: 126 dB SPL. */
#define SB_FULL_SCALE_PA 40.0

enum { SB_EARS_PATH = 512 };

/* Where measured ears come from. */
typedef struct sb_ears_file {
    char path[SB_EARS_PATH]; /* "": KEMAR (media/sofa_file.h) */
    char digest[65];         /* of its content */
} sb_ears_file;

bool sb_ears_file_is_same(const sb_ears_file *a, const sb_ears_file *b);

/* Ranges and meanings are in sb_listener_fields. */
typedef struct sb_listener {
    sb_vec3 position;
    sb_vec3 facing; /* need not be of unit length */
    sb_vec3 velocity;
    double gain;     /* linear, on everything; default 1 */
    bool is_exposed; /* a commit sets the gain (scene/contact/exposure.h) */
    sb_ears_kind ears;
    double spacing_m;  /* of a pair */
    sb_air air;        /* that carries the sound */
    sb_ears_file file; /* of measured ears */
    /* Of measured ears, set and owned by the scene; NULL: those of a sphere. */
    const struct sb_head_delays *delays;
} sb_listener;

extern const sb_field sb_listener_fields[];

/* In the order of sb_ears_kind; ends with NULL. */
extern const char *const sb_ears_names[];

/* BAD_ARGUMENT: a field that its row does not allow, a speed near that of
 * sound, or a facing without direction. */
SB_NODISCARD sb_status sb_listener_check(const sb_listener *listener,
                                         sb_error *err);

/* The level of a peak, full scale being 1, in dB of 20 uPa; -inf: no sound, or a
 * gain of 0. */
double sb_listener_db_spl(const sb_listener *listener, double peak);

sb_listener sb_listener_default(void);
bool sb_listener_is_same(const sb_listener *a, const sb_listener *b);

/* What one ear (0: left) receives from a body at `source`: the delay, and the
 * gains, full scale per (Pa m), of the whole sound and of its low part
 * (dsp/ears/ears.h). */
typedef struct sb_heard {
    double delay_s;
    double full, dull;
    double distance_m; /* through the air; 0 for a pan */
    sb_vec3 toward;    /* of measured ears: right, up, ahead; else { 0 } */
} sb_heard;

sb_heard sb_listener_listen(const sb_listener *listener, int ear,
                            sb_vec3 source);

/* The share of the amplitude that something in the way takes, 0 .. 1, at
 * SB_SHADE_LOW_HZ and SB_SHADE_HIGH_HZ; { 0 }: nothing. */
typedef struct sb_shade {
    double low, high;
} sb_shade;

/* With this in the way: right at both frequencies, unless the loss rises faster
 * between them than that of the low part does; then it is so on average. */
sb_heard sb_heard_behind(sb_heard heard, sb_shade shade);
