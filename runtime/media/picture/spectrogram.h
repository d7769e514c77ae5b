/* runtime/media/picture/spectrogram.h -- a sound as a picture a person can read.
 *
 * At the top what it is, below it the waveform, below that the loudness of
 * each frequency over time, with axes, a scale of colours, and, if given,
 * marks at the right edge for the frequencies one expects to see there.
 *
 * Thread: control.
 * Memory: the definition's pointers are used during the call only. The call's
 *         own needs do not grow with the length of the sound.
 */
#ifndef SB_MEDIA_PICTURE_SPECTROGRAM_H
#define SB_MEDIA_PICTURE_SPECTROGRAM_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SB_SPECTROGRAM_MIN_WIDTH = 480,
    SB_SPECTROGRAM_MIN_HEIGHT = 320,
    SB_SPECTROGRAM_MAX_SIDE = 8192,
    SB_SPECTROGRAM_MAX_MARKS = 512 /* further ones are not drawn */
};

/* Where two labels would overlap, the mark whose row sounds more has
 * precedence; of equal ones the earlier. */
typedef struct sb_spectrogram_mark {
    double freq_hz;
    const char *label; /* NULL: the frequency */
} sb_spectrogram_mark;

typedef struct sb_spectrogram_def {
    const float *samples; /* interleaved, full scale at +-1 */
    int64_t frame_count;  /* > 0 */
    int channel_count;    /* 1 .. 64 */
    int rate_hz;          /* 1000 .. 1000000; 48000 */
    const char *title;    /* before rate, length and peak; NULL: none */
    int width, height;    /* pixels; 1200 x 700 */
    double low_hz;        /* bottom of the frequency axis; 40 */
    double high_hz;       /* top, at most half the rate; 20000 */
    bool is_linear;       /* frequency in Hz instead of octaves; false */
    double range_db;      /* shown below the loudest, 20 .. 150; 90 */
    const sb_spectrogram_mark *marks; /* NULL: none */
    int mark_count;
} sb_spectrogram_def;

sb_spectrogram_def sb_spectrogram_def_default(void);

/* Draw the sound and save it as PNG. BAD_ARGUMENT names the field that is out
 * of range; NO_MEMORY; errors of out_file.h. */
SB_NODISCARD sb_status sb_spectrogram_write(const char *path,
                                            const sb_spectrogram_def *def,
                                            sb_error *err);

/* Where things are in the picture, so that one can find them again. */
typedef struct sb_spectrogram_layout {
    int left, width;           /* of the waveform and the spectrogram */
    int wave_top, wave_height; /* of the waveform */
    int top, height;           /* of the spectrogram */
    int bar_left, bar_width;   /* of the scale of colours */
    double span_s;             /* of the time axis */
    double low_hz, high_hz;    /* of the frequency axis */
} sb_spectrogram_layout;

sb_spectrogram_layout sb_spectrogram_layout_of(const sb_spectrogram_def *def);

#endif
