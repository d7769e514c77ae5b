/* runtime/media/image/png_out.h -- rows of samples into a PNG file.
 *
 * The only writer of PNG, for pictures to look at (picture.h) and for numbers
 * (png16.h).
 *
 * Thread: control, workers; one thread per file.
 * Memory: the caller's; nothing is kept.
 */
#ifndef SB_MEDIA_IMAGE_PNG_OUT_H
#define SB_MEDIA_IMAGE_PNG_OUT_H

#include "runtime/base/status.h"

#include <stddef.h>

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

#endif
