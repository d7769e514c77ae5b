/* runtime/media/image/image_internal.h -- shared by the picture readers. */
#ifndef SB_MEDIA_IMAGE_IMAGE_INTERNAL_H
#define SB_MEDIA_IMAGE_IMAGE_INTERNAL_H

#include "runtime/media/image/image.h"

/* BAD_FORMAT for a picture without pixels or beyond the limits of image.h. */
SB_NODISCARD sb_status sb_image_check_size(const char *path, int64_t width,
                                           int64_t height, sb_error *err);

/* sb_image_read from bytes in memory, for the fuzzer; `name` replaces the path,
 * whose extension identifies a TGA. */
SB_NODISCARD sb_status sb_image_decode(sb_image *out, const char *name,
                                       const void *bytes, int count,
                                       sb_error *err);

#endif
