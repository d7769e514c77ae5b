#include "runtime/media/picture/spectrogram_internal.h"

#include <math.h>

const sb_colour sb_drawing_ground = {14, 15, 20, 255};
const sb_colour sb_drawing_title_text = {238, 239, 244, 255};
const sb_colour sb_drawing_label_text = {176, 180, 192, 255};
const sb_colour sb_drawing_line = {120, 124, 136, 255};
const sb_colour sb_drawing_grid = {255, 255, 255, 26};

void sb_drawing_text_left(sb_drawing *d, int x, double y, const char *text) {
    sb_picture_text(d->picture,
                    x - sb_picture_text_length(text, SB_DRAWING_SCALE),
                    (int)lrint(y) - SB_DRAWING_CAPITAL / 2, text,
                    SB_DRAWING_SCALE, SB_TEXT_RIGHT, sb_drawing_label_text);
}

void sb_drawing_text_right(sb_drawing *d, int x, double y, const char *text,
                           sb_colour colour) {
    sb_picture_text(d->picture, x, (int)lrint(y) - SB_DRAWING_CAPITAL / 2, text,
                    SB_DRAWING_SCALE, SB_TEXT_RIGHT, colour);
}

void sb_drawing_text_below(sb_drawing *d, double x, int y, const char *text) {
    int length = sb_picture_text_length(text, SB_DRAWING_SCALE);
    sb_picture_text(d->picture, (int)lrint(x) - length / 2, y, text,
                    SB_DRAWING_SCALE, SB_TEXT_RIGHT, sb_drawing_label_text);
}

void sb_drawing_text_up(sb_drawing *d, int x, double y, const char *text) {
    int length = sb_picture_text_length(text, SB_DRAWING_SCALE);
    sb_picture_text(d->picture, x, (int)lrint(y) + length / 2, text,
                    SB_DRAWING_SCALE, SB_TEXT_UP, sb_drawing_label_text);
}

void sb_drawing_frame(sb_drawing *d, int x, int y, int width, int height) {
    sb_picture *picture = d->picture;
    sb_picture_rectangle(picture, x - 1, y - 1, width + 2, 1, sb_drawing_line);
    sb_picture_rectangle(picture, x - 1, y + height, width + 2, 1,
                         sb_drawing_line);
    sb_picture_rectangle(picture, x - 1, y, 1, height, sb_drawing_line);
    sb_picture_rectangle(picture, x + width, y, 1, height, sb_drawing_line);
}

double sb_drawing_nice_step(double least) {
    double power = pow(10.0, floor(log10(least)));
    const double steps[] = {1.0, 2.0, 5.0};
    for (int i = 0; i < 3; i++) {
        if (steps[i] * power >= least * 0.999999) return steps[i] * power;
    }
    return 10.0 * power;
}
