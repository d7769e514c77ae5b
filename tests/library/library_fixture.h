/* SPDX-License-Identifier: MIT */
/* tests/library/library_fixture.h -- scenes through sandbell.h, for its tests. */
#pragma once

#include "bindings/library/sandbell.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000 };

#define ck_well(call)                                                        \
    do {                                                                     \
        sandbell_error why_ = {0};                                           \
        int status_ = (call);                                                \
        ck_assert_msg(status_ == 0, "%s: %s", sandbell_status_name(status_), \
                      why_.text);                                            \
    } while (0)
#define ERR &why_

static inline sandbell_scene *open_text(const char *lua) {
    sandbell_scene *scene = NULL;
    ck_well(sandbell_scene_open_text(lua, NULL, NULL, &scene, ERR));
    return scene;
}

/* The next frames, `at_once` per call. */
static inline void pull(sandbell_scene *scene, float *stereo, int frames,
                        int at_once) {
    for (int n = 0; n < frames; n += at_once) {
        int count = frames - n < at_once ? frames - n : at_once;
        ck_well(sandbell_advance(scene, sandbell_clock(scene) + count, ERR));
        sandbell_render(scene, stereo + 2 * n, count);
    }
}

static inline double peak_of(const float *samples, int count) {
    double peak = 0.0;
    for (int i = 0; i < count; i++)
        peak = fmax(peak, fabs((double)samples[i]));
    return peak;
}
