/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/mix_and_stems.h -- the sound files of a render: one of the
 * mix and, with --stems, one of every body.
 *
 *     render scene.lua -o scene.wav --stems:  scene.bell.wav, scene.bar.wav
 *
 * A take is one file whose level is chosen at its end. Without --normalize
 * frames go to the file as they come. With it they are kept as floats in a
 * nameless temporary file, and written with a gain when the peak of the whole
 * render is known. The file appears complete or not at all.
 *
 * The stems add up to the mix before the limiter, frame by frame. A body that
 * appears later has silence before. Letters, digits, '-', '_', '+' and bytes
 * beyond ASCII of the body's name are kept, others become '_'; a name that is
 * then taken, also by another option of the render, gets a number.
 *
 * Thread: control.
 * Memory: the caller's structs, stems initialised to zero; close or abort frees
 *         what they hold.
 */
#pragma once

#include "bindings/cli/console/console.h"
#include "runtime/media/sound_file.h"
#include "runtime/scene/scene.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct take {
    sb_sound_writer *writer;
    FILE *kept; /* NULL: written at once */
    double peak;
    bool clips; /* 24-bit samples were beyond full scale */
    bool is_float;
} take;

SB_NODISCARD sb_status take_open(take *self, const char *path,
                                 const sb_sound_def *def, bool is_kept,
                                 sb_error *err);
SB_NODISCARD sb_status take_add(take *self, const float *stereo, int frames,
                                sb_error *err);
/* `gain` applies to a take that was kept. */
SB_NODISCARD sb_status take_close(take *self, double gain, sb_error *err);
void take_abort(take *self);

typedef struct stem_file {
    take take;
    char body[SB_NAME_SIZE];
    char path[PATH_MAX];
    float *held; /* frames that the mix does not have yet */
    int held_frames;
} stem_file;

typedef struct stems {
    const char *mix; /* path of the mix; NULL: no stems are wanted */
    const cli_verb *verb;
    const void *options; /* of the verb */
    sb_sound_def def;
    bool is_kept;
    stem_file **files;
    int count, capacity;
    int64_t skipped; /* frames of look-ahead left out so far */
    int64_t written; /* frames of every file */
} stems;

/* After each block that was computed. */
SB_NODISCARD sb_status stems_compute(stems *self, const sb_scene *scene,
                                     const sb_engine *engine, sb_error *err);
/* The mix has that many more frames. */
SB_NODISCARD sb_status stems_add(stems *self, int frames, sb_error *err);
SB_NODISCARD sb_status stems_close(stems *self, double gain, sb_error *err);
void stems_abort(stems *self);
