/* bindings/cli/render/spectrum_of.h -- the spectrum of a render at given times,
 * with predicted lines and a recording for comparison.
 *
 * The recording may have any rate. It is measured as long after its loudest
 * frame as the first stretch of the render is after its own, and drawn with the
 * gain that makes both highest peaks equal.
 *
 * Thread: control. Memory: spectrum_free frees the lines and the recording.
 */
#ifndef SB_BINDINGS_CLI_RENDER_SPECTRUM_OF_H
#define SB_BINDINGS_CLI_RENDER_SPECTRUM_OF_H

#include "bindings/cli/render/lines_file.h"
#include "bindings/cli/render/picture_of.h"
#include "runtime/base/status.h"
#include "runtime/media/sound_file.h"

#include <stdbool.h>

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

#endif
