/* runtime/media/image/image_whole.h -- is a picture file complete?
 *
 * stb_image decodes a truncated file as if the rest were black, and does not
 * check checksums. Since a weight of zero is meaningful here, files are checked
 * before they are decoded:
 *
 *   JPEG  has its end marker, and is grey or RGB, not CMYK
 *   BMP, TGA, HDR   have all the bytes that the header implies; for run-length
 *         encoded rows, the packets are followed
 *
 * Thread: control, workers. Memory: none is kept.
 */
#ifndef SB_MEDIA_IMAGE_IMAGE_WHOLE_H
#define SB_MEDIA_IMAGE_IMAGE_WHOLE_H

#include <stddef.h>

/* NULL, or the rest of a message that begins with the path. A file that is none
 * of the other formats is taken for TGA. */
const char *sb_image_flaw(const unsigned char *bytes, size_t count);

#endif
