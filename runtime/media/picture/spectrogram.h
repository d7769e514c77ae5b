/* SPDX-License-Identifier: MIT */
/* runtime/media/picture/spectrogram.h -- a sound as a labelled picture.
 *
 * From top to bottom: a title, the waveform, and the level of each frequency
 * over time, with axes, a colour scale and, if given, marks at the right edge
 * for expected frequencies.
 *
 * Thread: control.
 * Memory: the definition's pointers are used during the call only. Working
 *         memory does not grow with the length of the sound.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SB_SPECTROGRAM_MIN_WIDTH = 480,
    SB_SPECTROGRAM_MIN_HEIGHT = 320,
    SB_SPECTROGRAM_MAX_SIDE = 8192,
    SB_SPECTROGRAM_MAX_MARKS = 512 /* further ones are not drawn */
};

/* Where two labels would overlap, the mark whose row is louder is drawn; of
 * equal ones the first. */
typedef struct sb_spectrogram_mark {
    double freq_hz;
    const char *label; /* NULL: the frequency */
} sb_spectrogram_mark;

typedef struct sb_spectrogram_def {
    const float *samples; /* interleaved, full scale at +-1 */
    int64_t frame_count;  /* > 0 */
    int channel_count;    /* 1 .. 64 */
    int rate_hz;          /* 1000 .. 1000000; default 48000 */
    const char *title;    /* printed before rate, length and peak; NULL: none */
    int width, height;    /* pixels; default 1200 x 700 */
    double low_hz;        /* bottom of the frequency axis; default 40 */
    double high_hz;       /* top, at most half the rate; default 20000 */
    bool is_linear;       /* linear instead of logarithmic frequency */
    double range_db;      /* below the loudest, 20 .. 150; default 90 */
    const sb_spectrogram_mark *marks; /* NULL: none */
    int mark_count;
} sb_spectrogram_def;

sb_spectrogram_def sb_spectrogram_def_default(void);

/* Draw the sound and save it as PNG. BAD_ARGUMENT names the field that is out
 * of range; NO_MEMORY; errors of out_file.h. */
SB_NODISCARD sb_status sb_spectrogram_write(const char *path,
                                            const sb_spectrogram_def *def,
                                            sb_error *err);

/* Positions in the picture, so that tests can find its parts. */
typedef struct sb_spectrogram_layout {
    int left, width;           /* of the waveform and the spectrogram */
    int wave_top, wave_height; /* of the waveform */
    int top, height;           /* of the spectrogram */
    int bar_left, bar_width;   /* of the colour scale */
    double span_s;             /* of the time axis */
    double low_hz, high_hz;    /* of the frequency axis */
} sb_spectrogram_layout;

sb_spectrogram_layout sb_spectrogram_layout_of(const sb_spectrogram_def *def);
