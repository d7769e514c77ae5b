/* runtime/media/image/image.h -- pictures from files, as plain numbers.
 *
 * PNG of 8 or 16 bits, JPEG, BMP, TGA and Radiance HDR. What comes out are the
 * file's own values, 0 to 1 over its range (HDR: as they are): they mean heights
 * and weights here, not light, so no gamma is undone. Other kinds are refused
 * before they are decoded, and so are files that are not all there
 * (image_whole.h).
 *
 * Thread: control, workers. Memory: the holder's, until sb_image_free.
 */
#ifndef SB_MEDIA_IMAGE_IMAGE_H
#define SB_MEDIA_IMAGE_IMAGE_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Larger ones are a mistake; so many pixels are 1 GB of floats. */
enum { SB_IMAGE_MAX_SIDE = 16384, SB_IMAGE_MAX_PIXELS = 1 << 26 };

#define SB_IMAGE_NOTE_KEYWORD "sandbell.weights"
enum { SB_IMAGE_NOTE_SIZE = 80 };

typedef struct sb_image {
    float *values; /* row by row from the top, channels interleaved */
    int width, height;
    int channel_count;    /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
    int bits;             /* of a value in the file: 8, 16, or 32 for HDR */
    uint64_t fingerprint; /* hash of the file's bytes */
    bool has_note;        /* PNG only */
    /* The text with the keyword SB_IMAGE_NOTE_KEYWORD, which says what the values
     * mean as weights of modes. */
    char note[SB_IMAGE_NOTE_SIZE];
} sb_image;

/* NOT_FOUND, IO_ERROR, NO_MEMORY, or BAD_FORMAT with a sentence that begins
 * with the path. */
SB_NODISCARD sb_status sb_image_read(sb_image *out, const char *path,
                                     sb_error *err);
/* Its head alone: nothing is decoded, `values` stays NULL, and a flaw further on
 * is not found. */
SB_NODISCARD sb_status sb_image_look(sb_image *out, const char *path,
                                     sb_error *err);
void sb_image_free(sb_image *image);

/* How light a pixel is: the mean of its colours, alpha left out. */
float sb_image_grey(const sb_image *image, int x, int y);

#endif
