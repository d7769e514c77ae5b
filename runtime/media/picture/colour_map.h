/* runtime/media/picture/colour_map.h -- numbers as colours that look evenly spaced.
 *
 * From black through violet, red and orange to a pale yellow, as glowing
 * metal. Lightness in the Oklab colour space rises in proportion to the
 * number, so that equal steps look equal, in grey print and to the colour
 * blind as well; hue and chroma only help the eye.
 *
 * Thread: any.
 * Source: B. Ottosson, A perceptual color space for image processing, 2020
 *         (Oklab and its matrices). The path through it is our own.
 */
#ifndef SB_MEDIA_PICTURE_COLOUR_MAP_H
#define SB_MEDIA_PICTURE_COLOUR_MAP_H

#include "runtime/media/picture/picture.h"

enum { SB_COLOUR_MAP_SIZE = 256 };

/* From the darkest to the brightest. */
void sb_colour_map_fill(sb_colour map[SB_COLOUR_MAP_SIZE]);

#endif
