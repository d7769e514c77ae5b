/* runtime/media/picture/font.h -- the bitmap font of our pictures.
 *
 * Fixed width, printable ASCII. Capitals are 7 pixels high; y counts down from
 * their top, and rows from 7 on are below the baseline.
 *
 * Thread: any.
 */
#ifndef SB_MEDIA_PICTURE_FONT_H
#define SB_MEDIA_PICTURE_FONT_H

#include <stdbool.h>

enum {
    SB_FONT_WIDTH = 5,
    SB_FONT_ADVANCE = 6, /* from one character to the next */
    SB_FONT_CAPITAL = 7,
    SB_FONT_HEIGHT = 9
};

/* Is this pixel of the character set? False outside its box. Characters that
 * are not printable ASCII are drawn as a hollow box. */
bool sb_font_is_set(int code, int x, int y);

#endif
