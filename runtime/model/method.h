/* SPDX-License-Identifier: MIT */
/* runtime/model/method.h -- methods of computing modes, and of playing
 * them.
 *
 * Thread: any.
 */
#pragma once

typedef enum sb_method {
    SB_METHOD_AUTO,
    SB_METHOD_ANALYTIC,
    SB_METHOD_SHELL,
    SB_METHOD_SOLID,
    SB_METHOD_TET4,
    SB_METHOD_SPRINGS,
    SB_METHOD_SPRINGS_LITERAL,
    SB_METHOD_COUNT
} sb_method;

/* "auto", "analytic", "shell", "solid", "tet4", "springs",
 * "springs-literal". -1 for an unknown name. */
int sb_method_from_name(const char *name);
const char *sb_method_name(sb_method method);

/* Constraint of a node. */
typedef enum sb_hold {
    SB_HOLD_FREE,
    SB_HOLD_PINNED, /* no displacement; may rotate */
    SB_HOLD_CLAMPED /* neither displacement nor rotation */
} sb_hold;

/* How loud each mode is in the air (sound/radiation.h): by a law that takes no
 * time, or by boundary elements where they can be had. */
typedef enum sb_radiating { SB_RADIATES_QUICK, SB_RADIATES_EXACT } sb_radiating;

/* Of a shape that does not say: scripts, the library, mesh files. */
#define SB_RADIATES_USUALLY SB_RADIATES_EXACT

/* How an oscillator is sampled for the ears (sound/discretise.h). */
typedef enum sb_discretisation {
    SB_DISCRETISE_EXACT,
    SB_DISCRETISE_DIRECT,
    SB_DISCRETISE_EULER,
    SB_DISCRETISE_BILINEAR,
    SB_DISCRETISE_NAIVE,
    SB_DISCRETISATIONS
} sb_discretisation;
