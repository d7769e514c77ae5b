/* SPDX-License-Identifier: MIT */
/* runtime/media/image/image.h -- pictures from files, as plain numbers.
 *
 * PNG of 8 or 16 bits, JPEG, BMP, TGA and Radiance HDR. Values are those of the
 * file, scaled to 0 .. 1 (HDR: unscaled). They mean heights and weights here,
 * not light, so there is no gamma correction. Other formats and incomplete
 * files are rejected before decoding.
 *
 * Thread: control, workers. Memory: sb_image_free frees the values.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Larger pictures are taken for mistakes; this many pixels are 1 GB of
 * floats. */
enum { SB_IMAGE_MAX_SIDE = 16384, SB_IMAGE_MAX_PIXELS = 1 << 26 };

#define SB_IMAGE_NOTE_KEYWORD "sandbell.weights"
enum { SB_IMAGE_NOTE_SIZE = 80 };

typedef struct sb_image {
    float *values; /* row by row from the top, channels interleaved */
    int width, height;
    int channel_count;    /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
    int bits;             /* per value in the file: 8, 16, or 32 for HDR */
    uint64_t fingerprint; /* hash of the file's bytes */
    bool has_note;        /* PNG only */
    /* The text with the keyword SB_IMAGE_NOTE_KEYWORD, which declares how the
     * values are to be interpreted as weights of modes. */
    char note[SB_IMAGE_NOTE_SIZE];
} sb_image;

/* NOT_FOUND, IO_ERROR, NO_MEMORY, or BAD_FORMAT with a message that begins with
 * the path. */
SB_NODISCARD sb_status sb_image_read(sb_image *out, const char *path,
                                     sb_error *err);
/* Read only the header: `values` stays NULL, and damage after the header is not
 * detected. */
SB_NODISCARD sb_status sb_image_look(sb_image *out, const char *path,
                                     sb_error *err);
/* sb_image_read from bytes in memory; `name` replaces the path, whose extension
 * identifies a TGA. */
SB_NODISCARD sb_status sb_image_decode(sb_image *out, const char *name,
                                       const void *bytes, int count,
                                       sb_error *err);
void sb_image_free(sb_image *image);

/* The mean of a pixel's colours, without alpha. */
float sb_image_grey(const sb_image *image, int x, int y);
