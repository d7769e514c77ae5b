/* runtime/media/picture/spectrogram_internal.h -- the parts of a spectrogram.
 *
 * Private to the files of the spectrogram: the state they share while one
 * picture is drawn, and the functions that draw it, listed in the order of
 * drawing.
 *
 * Thread: control.
 * Memory: an sb_drawing lives on the stack of sb_spectrogram_write.
 */
#ifndef SB_MEDIA_PICTURE_SPECTROGRAM_INTERNAL_H
#define SB_MEDIA_PICTURE_SPECTROGRAM_INTERNAL_H

#include "runtime/media/levels.h"
#include "runtime/media/picture/colour_map.h"
#include "runtime/media/picture/font.h"
#include "runtime/media/picture/picture.h"
#include "runtime/media/picture/spectrogram.h"

enum {
    SB_DRAWING_SCALE = 2, /* of all text: still legible when the picture is
                           * shrunk a little */
    SB_DRAWING_LETTER = SB_FONT_ADVANCE * SB_DRAWING_SCALE,
    SB_DRAWING_CAPITAL = SB_FONT_CAPITAL * SB_DRAWING_SCALE,
    SB_DRAWING_TICK = 6,
    SB_DRAWING_PAD = 8,
    SB_DRAWING_TITLE_TOP = 16,
    SB_DRAWING_TEXT_SIZE = 64
};

typedef struct sb_drawing {
    const sb_spectrogram_def *def;
    sb_spectrogram_layout layout;
    sb_levels_def axis; /* rows and columns of the spectrogram */
    sb_picture *picture;
    float *levels_db;
    double top_db; /* top of the colour scale */
    double peak;   /* the largest sample's magnitude */
    sb_colour map[SB_COLOUR_MAP_SIZE];
} sb_drawing;

/* spectrogram_panels.c */
void sb_drawing_title(sb_drawing *drawing);
void sb_drawing_wave(sb_drawing *drawing);
void sb_drawing_levels(sb_drawing *drawing);
void sb_drawing_bar(sb_drawing *drawing);

/* spectrogram_axes.c */
void sb_drawing_time_axis(sb_drawing *drawing);
void sb_drawing_frequency_axis(sb_drawing *drawing);
void sb_drawing_marks(sb_drawing *drawing);
int sb_drawing_marks_width(const sb_spectrogram_def *def); /* pixels */

/* spectrogram_text.c. A label left of, below, or rotated at the point (x, y),
 * centred on it in the other direction. */
void sb_drawing_text_left(sb_drawing *drawing, int x, double y,
                          const char *text);
void sb_drawing_text_right(sb_drawing *drawing, int x, double y,
                           const char *text, sb_colour colour);
void sb_drawing_text_below(sb_drawing *drawing, double x, int y,
                           const char *text);
void sb_drawing_text_up(sb_drawing *drawing, int x, double y, const char *text);

/* A thin frame just outside the rectangle. */
void sb_drawing_frame(sb_drawing *drawing, int x, int y, int width, int height);

/* The smallest of 1, 2 and 5 times a power of ten that is >= `least`, which is
 * > 0. */
double sb_drawing_nice_step(double least);

/* The colours of background, frames, grid and text. */
extern const sb_colour sb_drawing_ground;
extern const sb_colour sb_drawing_title_text;
extern const sb_colour sb_drawing_label_text;
extern const sb_colour sb_drawing_line;
extern const sb_colour sb_drawing_grid;

#endif
