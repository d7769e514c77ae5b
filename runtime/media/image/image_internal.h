/* SPDX-License-Identifier: MIT */
/* runtime/media/image/image_internal.h -- shared by image.c, which also decodes
 * what stb_image can, and png_file.c.
 *
 * The only reader of PNG is on libpng: grey, RGB and palettes of 1 to 16 bits,
 * with or without alpha, interlaced or not. Palettes become RGB, a transparent
 * colour becomes an alpha channel, 1 to 4 bits of grey become 8. Values are not
 * corrected for gamma. The note is the first text with the keyword
 * SB_IMAGE_NOTE_KEYWORD, before or after the pixels, in a chunk of any of the
 * three kinds: tEXt (as we write it), zTXt or iTXt (as paint programs do).
 *
 * When the values are read, every chunk must be there and its checksum correct,
 * up to the last one.
 *
 * Source: PNG specification, second edition, 11.3.4 (text chunks).
 */
#pragma once

#include "runtime/media/image/image.h"

#include <stddef.h>

/* BAD_FORMAT for a picture without pixels or beyond the limits of image.h. */
SB_NODISCARD sb_status sb_image_check_size(const char *path, int64_t width,
                                           int64_t height, sb_error *err);

bool sb_png_is(const unsigned char *bytes, size_t count);

/* Fill size, channels, bits and note of `out`, which must be zeroed, and, if
 * `has_values`, its values. Otherwise the pixels are decoded only if texts
 * follow them. The size is checked before anything is allocated for it.
 * BAD_FORMAT with a message that begins with `path`, or NO_MEMORY; `out` then
 * holds nothing to free. */
SB_NODISCARD sb_status sb_png_read(const char *path, const unsigned char *bytes,
                                   size_t count, bool has_values, sb_image *out,
                                   sb_error *err);
