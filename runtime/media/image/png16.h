/* runtime/media/image/png16.h -- numbers as a picture: 16 bits of grey, with a sign.
 *
 * A weight w is stored as the code v, 1 .. 65535, and zero is a code of its
 * own, so that what stands still there is silent and not merely soft:
 *
 *     w = (v - 32768) / 32767 * scale
 *
 * The text chunk `sandbell.weights` says `signed scale=0.25` (kg^-1/2, with
 * all digits), or `signed` alone where weights are relative to the largest of
 * their mode. A picture without it is plain grey, 0 .. 1.
 *
 * Symbols: w weight, v -> code, scale (kg^-1/2, or 1).
 * Thread: control, workers.
 * Memory: everything is the caller's.
 * Source: PNG specification, second edition, 11.3.4 (text chunks).
 */
#ifndef SB_MEDIA_IMAGE_PNG16_H
#define SB_MEDIA_IMAGE_PNG16_H

#include "runtime/media/image/png_out.h"

#include <stdbool.h>
#include <stdint.h>

#define SB_WEIGHTS_KEYWORD "sandbell.weights"

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
double sb_weight_of_code(uint16_t code, double scale);

/* The text of the first tEXt chunk, or uncompressed iTXt chunk, with this
 * keyword in the bytes of a PNG file; cut to `size`, zero-ended. False: there
 * is none, or the bytes are no PNG. Looks no further than the bytes go;
 * checksums are the decoder's. */
bool sb_png_find_text(const unsigned char *bytes, size_t count,
                      const char *keyword, char *text, size_t size);

/* What the text of `sandbell.weights` says. */
typedef struct sb_weights_note {
    bool is_signed; /* false: plain grey */
    bool has_scale;
    double scale; /* kg^-1/2; 1 without one */
} sb_weights_note;

/* False when it says nothing we know: `signed`, or `signed scale=` and a number
 * above zero. */
bool sb_weights_note_read(const char *text, sb_weights_note *out);

/* Both at once, of a file's bytes: a file without the chunk is plain grey.
 * False when there is a chunk that cannot be understood. */
bool sb_png_find_weights(const unsigned char *bytes, size_t count,
                         sb_weights_note *out);

#endif
