/* SPDX-License-Identifier: MIT */
/* runtime/media/image/png_file.h -- rows of samples into a PNG file, and signed
 * weights as 16-bit grey pictures.
 *
 * The only writer of PNG, for pictures to look at (picture.h) and for numbers.
 * A weight w is stored as the code v, 1 .. 65535. Weight 0 has a code of its
 * own, so that a mode is exactly silent on its nodal lines:
 *
 *     w = (v - 32768) / 32767 * scale
 *
 * The note of the picture (image.h) is `signed scale=0.25` (kg^-1/2, with all
 * digits), or `signed` alone where weights are relative to the largest of their
 * mode. A picture without a note is plain grey, 0 .. 1.
 *
 * Symbols: w weight, v -> code, scale (kg^-1/2, or 1).
 * Thread: control, workers; one thread per file.
 * Memory: the caller's; nothing is kept.
 * Source: PNG specification, second edition, 11.3.4 (text chunks).
 */
#pragma once

#include "runtime/media/image/image.h"

#include <stdbool.h>
#include <stdint.h>

/* A tEXt chunk, written before the pixels. */
typedef struct sb_png_text {
    const char *keyword; /* 1 .. 79 characters of Latin-1 */
    const char *text;
} sb_png_text;

typedef enum sb_png_kind {
    SB_PNG_RGB8,  /* three bytes per pixel, marked as sRGB */
    SB_PNG_GREY16 /* two bytes per pixel, big-endian; no gamma */
} sb_png_kind;

typedef struct sb_png_out {
    sb_png_kind kind;
    int width, height;
    const unsigned char *bytes; /* rows from the top, without gaps */
    const sb_png_text *texts;   /* or NULL */
    int text_count;
} sb_png_out;

/* The file appears complete or not at all; errors of out_file.h. Equal contents
 * give equal bytes. */
SB_NODISCARD sb_status sb_png_write(const char *path, const sb_png_out *out,
                                    sb_error *err);

enum { SB_CODE_ZERO = 32768, SB_CODE_REACH = 32767 };

/* Write 16-bit grey values unchanged, row by row from the top. The file appears
 * complete or not at all; errors of out_file.h, BAD_ARGUMENT for a side outside
 * 1 .. 16384. */
SB_NODISCARD sb_status sb_png16_write(const char *path, int width, int height,
                                      const uint16_t *values,
                                      const sb_png_text *texts, int text_count,
                                      sb_error *err);

/* Write signed weights. `scale` is > 0 and should be at least the largest
 * |weight|; larger weights are clipped. */
SB_NODISCARD sb_status sb_png16_write_weights(const char *path, int width,
                                              int height, const float *weights,
                                              double scale, sb_error *err);

/* Opposite weights have codes at equal distances from 32768. */
uint16_t sb_code_of_weight(double weight, double scale);

/* The interpretation that a picture's note declares. */
typedef struct sb_weights_note {
    bool has_scale; /* false: relative to the largest weight of the mode */
    double scale;   /* kg^-1/2; 1 without a scale */
} sb_weights_note;

/* False unless `text` is `signed` or `signed scale=` and a number above 0 and
 * below 1e12; `out` is then unchanged. */
bool sb_weights_note_read(const char *text, sb_weights_note *out);
