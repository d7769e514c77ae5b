/* runtime/media/image/png16.h -- numbers as a picture: 16 bits of grey, with a sign.
 *
 * A weight w is stored as the code v, 1 .. 65535. Weight 0 has a code of its own,
 * so that a place where a mode does not move is silent:
 *
 *     w = (v - 32768) / 32767 * scale
 *
 * The note of the picture (image.h) is `signed scale=0.25` (kg^-1/2, with all
 * digits), or `signed` alone where weights are relative to the largest of their
 * mode. A picture without a note is plain grey, 0 .. 1.
 *
 * Symbols: w weight, v -> code, scale (kg^-1/2, or 1).
 * Thread: control, workers.
 * Memory: everything is the caller's.
 * Source: PNG specification, second edition, 11.3.4 (text chunks).
 */
#ifndef SB_MEDIA_IMAGE_PNG16_H
#define SB_MEDIA_IMAGE_PNG16_H

#include "runtime/media/image/image.h"
#include "runtime/media/image/png_out.h"

#include <stdbool.h>
#include <stdint.h>

enum { SB_CODE_ZERO = 32768, SB_CODE_REACH = 32767 };

/* 16 bits of grey as they are, row by row from the top. Whole or not at all;
 * errors of out_file.h, BAD_ARGUMENT for a side that is not 1 .. 16384. */
SB_NODISCARD sb_status sb_png16_write(const char *path, int width, int height,
                                      const uint16_t *values,
                                      const sb_png_text *texts, int text_count,
                                      sb_error *err);

/* Signed weights with their scale, at least the largest |weight| and above
 * zero; what is beyond it is cut off. */
SB_NODISCARD sb_status sb_png16_write_weights(const char *path, int width,
                                              int height, const float *weights,
                                              double scale, sb_error *err);

/* Equal and opposite weights have codes that are so, too. */
uint16_t sb_code_of_weight(double weight, double scale);

/* What a picture's note says of its values. */
typedef struct sb_weights_note {
    bool has_scale; /* false: relative to the largest weight of the mode */
    double scale;   /* kg^-1/2; 1 without one */
} sb_weights_note;

/* False when `text` is neither `signed` nor `signed scale=` and a number above 0
 * and below 1e12; `out` is then unchanged. */
bool sb_weights_note_read(const char *text, sb_weights_note *out);

#endif
