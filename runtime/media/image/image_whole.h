/* runtime/media/image/image_whole.h -- is a picture's file all there?
 *
 * The decoder takes a file that ends early for one that is dark from there on,
 * and does not look at the sums that would tell of a flipped bit. A weight of
 * zero means something here, so this is asked first:
 *
 *   JPEG  the end marker is there; and it is grey or RGB, not CMYK
 *   BMP, TGA, HDR   there are as many bytes as the header says pixels; packed
 *         rows are walked through
 *
 * Thread: control, workers. Memory: nothing is kept.
 */
#ifndef SB_MEDIA_IMAGE_IMAGE_WHOLE_H
#define SB_MEDIA_IMAGE_IMAGE_WHOLE_H

#include <stddef.h>

/* NULL, or the rest of a sentence that begins with the path. TGA is what is
 * none of the others. */
const char *sb_image_flaw(const unsigned char *bytes, size_t count);

#endif
