/* SPDX-License-Identifier: MIT */
/* runtime/media/picture/picture.h -- a canvas to draw diagrams on, saved as
 * PNG, and what all our diagrams share: labels, colours, a colour map.
 *
 * 8 bits each of red, green and blue, sRGB. The origin is the top left, x goes
 * right and y down; pixel (x, y) has its centre at the coordinates (x, y).
 * Everything is clipped at the edges and blended with what is below it by the
 * opacity of its colour.
 *
 * Thread: control; one thread per picture.
 * Memory: sb_picture_destroy frees the picture.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdint.h>

enum { SB_PICTURE_MAX_SIDE = 16384 };

typedef struct sb_colour {
    uint8_t red, green, blue;
    uint8_t opacity; /* 255 is opaque, 0 is invisible */
} sb_colour;

typedef struct sb_picture {
    int width, height; /* pixels, 1 .. SB_PICTURE_MAX_SIDE */
    uint8_t *pixels;   /* rows from the top, three bytes per pixel */
} sb_picture;

typedef enum sb_text_direction {
    SB_TEXT_RIGHT,
    SB_TEXT_UP /* rotated by 90 degrees, read from bottom to top */
} sb_text_direction;

/* A black picture. BAD_ARGUMENT for a side out of range, NO_MEMORY. */
SB_NODISCARD sb_status sb_picture_create(sb_picture **out, int width,
                                         int height, sb_error *err);

void sb_picture_destroy(sb_picture *picture); /* NULL is allowed */

void sb_picture_fill(sb_picture *picture, sb_colour colour);

void sb_picture_pixel(sb_picture *picture, int x, int y, sb_colour colour);

/* A filled rectangle of `width` by `height` pixels; (x, y) is its top left
 * corner. */
void sb_picture_rectangle(sb_picture *picture, int x, int y, int width,
                          int height, sb_colour colour);

/* An antialiased line, one pixel wide, both ends included. */
void sb_picture_line(sb_picture *picture, double x0, double y0, double x1,
                     double y1, sb_colour colour);

/* Characters of `scale` times 5 by 7 pixels. (x, y) is the top left corner of
 * the first capital, as the reader sees it. Characters beyond ASCII (UTF-8) are
 * drawn as boxes. */
void sb_picture_text(sb_picture *picture, int x, int y, const char *text,
                     int scale, sb_text_direction direction, sb_colour colour);

/* Length of a text in pixels, along its direction. */
int sb_picture_text_length(const char *text, int scale);

/* Save as PNG. The file appears complete or not at all; errors of out_file.h.
 * Equal pictures give equal bytes. */
SB_NODISCARD sb_status sb_picture_save(const sb_picture *picture,
                                       const char *path, sb_error *err);

/* --- what our diagrams share ---------------------------------------------- */

/* The bitmap font is of fixed width and has printable ASCII. Capitals are 7
 * pixels high; two more rows are below the baseline. */
enum {
    SB_FONT_WIDTH = 5,
    SB_FONT_ADVANCE = 6, /* from one character to the next */
    SB_FONT_CAPITAL = 7,
    SB_FONT_HEIGHT = 9
};

enum {
    SB_LABEL_SCALE = 2, /* of all text: still legible when the picture is
                         * shrunk a little */
    SB_LABEL_LETTER = SB_FONT_ADVANCE * SB_LABEL_SCALE,
    SB_LABEL_CAPITAL = SB_FONT_CAPITAL * SB_LABEL_SCALE,
    SB_LABEL_TICK = 6,
    SB_LABEL_PAD = 8,
    SB_LABEL_TITLE_TOP = 16,
    SB_LABEL_TEXT_SIZE = 64
};

/* A label left of, right of, below, or rotated at the point (x, y), centred on
 * it in the other direction. */
void sb_label_left(sb_picture *picture, int x, double y, const char *text);
void sb_label_right(sb_picture *picture, int x, double y, const char *text,
                    sb_colour colour);
void sb_label_below(sb_picture *picture, double x, int y, const char *text);
void sb_label_up(sb_picture *picture, int x, double y, const char *text);

/* A thin frame just outside the rectangle. */
void sb_picture_frame(sb_picture *picture, int x, int y, int width, int height);

/* The smallest of 1, 2 and 5 times a power of ten that is >= `least`, which is
 * > 0. */
double sb_nice_step(double least);

/* The colours of background, titles, labels, frames and grid. */
extern const sb_colour sb_colour_ground, sb_colour_title, sb_colour_label,
    sb_colour_line, sb_colour_grid;

/* A perceptually uniform colour map, from black through violet, red and orange
 * to a pale yellow, like glowing metal. Lightness in the Oklab colour space is
 * proportional to the value, so that equal steps look equal, also in grey print
 * and to colour-blind readers; hue and chroma only help to tell values apart.
 * Source: B. Ottosson, A perceptual color space for image processing, 2020
 * (Oklab and its matrices). The path through it is our own. */
enum { SB_COLOUR_MAP_SIZE = 256 };
void sb_colour_map_fill(sb_colour map[SB_COLOUR_MAP_SIZE]);
