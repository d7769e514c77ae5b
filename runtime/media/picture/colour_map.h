/* runtime/media/picture/colour_map.h -- a perceptually uniform colour map.
 *
 * From black through violet, red and orange to a pale yellow, like glowing
 * metal. Lightness in the Oklab colour space is proportional to the value, so
 * that equal steps look equal, also in grey print and to colour-blind readers;
 * hue and chroma only help to tell values apart.
 *
 * Thread: any.
 * Source: B. Ottosson, A perceptual color space for image processing, 2020
 *         (Oklab and its matrices). The path through it is our own.
 */
#ifndef SB_MEDIA_PICTURE_COLOUR_MAP_H
#define SB_MEDIA_PICTURE_COLOUR_MAP_H

#include "runtime/media/picture/picture.h"

enum { SB_COLOUR_MAP_SIZE = 256 };

/* Fill the map from the darkest to the brightest colour. */
void sb_colour_map_fill(sb_colour map[SB_COLOUR_MAP_SIZE]);

#endif
