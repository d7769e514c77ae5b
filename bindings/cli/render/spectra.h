/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/spectra.h -- the spectrogram of a render, with the
 * frequencies of the bodies marked, and its spectrum at given times, with
 * predicted lines and a recording for comparison.
 *
 * The recording may have any rate. It is measured as long after its loudest
 * frame as the first stretch of the render is after its own, and drawn with the
 * gain that makes both highest peaks equal.
 *
 * Thread: control. Memory: spectrum_free frees the lines and the recording.
 */
#pragma once

#include "bindings/cli/render/lines_file.h"
#include "runtime/base/status.h"
#include "runtime/media/sound_file.h"
#include "runtime/scene/scene.h"

#include <stdbool.h>
#include <stdint.h>

/* Stereo frames, collected; zero-initialised is empty. */
typedef struct picture_samples {
    float *stereo;
    int64_t frames;
    int64_t capacity;
} picture_samples;

/* NO_MEMORY, also beyond 20 minutes at 48 kHz. */
SB_NODISCARD sb_status picture_samples_add(picture_samples *samples,
                                           const float *stereo, int frames,
                                           sb_error *err);
void picture_samples_free(picture_samples *samples);

SB_NODISCARD sb_status picture_write(const char *path, const char *scene_path,
                                     const sb_scene *scene,
                                     const picture_samples *samples,
                                     int rate_hz, sb_error *err);

/* What the options say; SPECTRUM_OPTIONS_DEFAULT without any. */
typedef struct spectrum_options {
    const char *path;  /* of the PNG; NULL: no spectrum */
    const char *at;    /* one to three times; NULL: the loudest frame */
    const char *lines; /* file of predicted lines, or NULL */
    const char *over;  /* sound file, or NULL */
    double highest_hz; /* end of the axis */
    double window_s;   /* length of each stretch */
} spectrum_options;

/* Window: long enough to separate modes 12 Hz apart, short enough for a strike
 * on wood. Frequencies: those that make the timbre. */
#define SPECTRUM_OPTIONS_DEFAULT \
    { .highest_hz = 4000.0, .window_s = 0.17 }

typedef struct spectrum_of {
    const spectrum_options *options;
    lines_file lines;
    sb_sound over;
} spectrum_of;

/* Print what is wrong with the options and return false: exit with USAGE. */
bool spectrum_check(const spectrum_options *options);

/* Read the files, before the time of a render is spent. Errors of lines_file.h
 * and sb_sound_read. */
SB_NODISCARD sb_status spectrum_open(spectrum_of *spectrum,
                                     const spectrum_options *options,
                                     sb_error *err);

/* Draw one curve per time, both ears together, and save the image as PNG; say
 * on standard error what is outside of it. Does nothing without a path.
 * BAD_ARGUMENT: a time after the end; NO_MEMORY; errors of graph.h. */
SB_NODISCARD sb_status spectrum_write(const spectrum_of *spectrum,
                                      const char *scene_path,
                                      const picture_samples *samples,
                                      int rate_hz, sb_error *err);

void spectrum_free(spectrum_of *spectrum);
