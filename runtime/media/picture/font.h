/* runtime/media/picture/font.h -- the letters on our pictures, drawn by hand.
 *
 * A fixed-width bitmap font of the printable ASCII characters. Capitals are 7
 * pixels high; y counts down from their top, and the rows from 7 on are below
 * the baseline.
 *
 * Thread: any.
 */
#ifndef SB_MEDIA_PICTURE_FONT_H
#define SB_MEDIA_PICTURE_FONT_H

#include <stdbool.h>

enum {
    SB_FONT_WIDTH = 5,
    SB_FONT_ADVANCE = 6, /* from one letter to the next */
    SB_FONT_CAPITAL = 7,
    SB_FONT_HEIGHT = 9
};

/* Whether the pixel of the character is ink; outside its box none is. What is
 * not printable ASCII is a hollow box. */
bool sb_font_is_set(int code, int x, int y);

#endif
