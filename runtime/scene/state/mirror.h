/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/mirror.h -- mirror images of bodies in the walls of a hall.
 *
 * A wall shows a body at the mirrored place. Images of images, up to three walls,
 * are sources, too: 6 + 18 + 38. Along one axis, image n of a body at x in a
 * room 0 .. L is at n L + x for even n, at n L + L - x for odd n, after
 * (|n| + 1) / 2 reflections at one wall and |n| / 2 at the other. Each takes
 * the amplitude sqrt(1 - absorption), each metre what the air takes.
 *
 * Symbols: n, L, x -> see above. Thread: control.
 * Memory:  one block, sb_free.
 * Source:  J. B. Allen & D. A. Berkley, Image method for efficiently simulating
 *          small-room acoustics, JASA 65:943, 1979.
 */
#pragma once

#include "runtime/dsp/room/early.h"
#include "runtime/scene/plan/listener.h"
#include "runtime/scene/plan/room_def.h"

enum {
    SCENE_MIRROR_ORDER = 3,
    SCENE_IMAGES = 62,
    SCENE_MIRROR_STOPS = 6 /* distances for which losses are tabulated */
};

typedef struct scene_image {
    int n[3];
    /* For the whole sound, and for its low part in the shadow of the head. */
    float gain[SCENE_MIRROR_STOPS][2][SB_EARLY_PARTS];
} scene_image;

typedef struct scene_mirror {
    sb_vec3 low, size; /* corner of least coordinates */
    double sample_rate_hz;
    scene_image images[SCENE_IMAGES];
} scene_mirror;

/* NULL when out of memory. */
scene_mirror *scene_mirror_make(const sb_hall_def *hall, const sb_air *air,
                                double sample_rate_hz);

/* Where an image of a body is. Outside the room a body is seen as at the nearest
 * place inside. */
sb_vec3 scene_mirror_image(const scene_mirror *mirror, int image, sb_vec3 body);

/* What all images of a body send to the ears; NULL when out of memory. */
sb_taps *scene_mirror_taps(const scene_mirror *mirror,
                           const sb_listener *listener, sb_vec3 body,
                           double gain);

/* The longest delay of a tap, s, wherever body and listener are inside. */
double scene_mirror_longest_s(const sb_hall_def *hall, const sb_air *air);
