/* runtime/media/image/png16.h -- signed weights as 16-bit grey PNG pictures.
 *
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
 * Thread: control, workers.
 * Memory: the caller's.
 * Source: PNG specification, second edition, 11.3.4 (text chunks).
 */
#ifndef SB_MEDIA_IMAGE_PNG16_H
#define SB_MEDIA_IMAGE_PNG16_H

#include "runtime/media/image/image.h"
#include "runtime/media/image/png_out.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
