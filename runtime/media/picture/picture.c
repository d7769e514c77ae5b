/* A canvas of pixels: rectangles, antialiased lines and text. Control
 * thread. */
#include "runtime/media/picture/picture.h"

#include "runtime/base/memory.h"
#include "runtime/media/picture/font.h"

#include <math.h>
#include <stdbool.h>

sb_status sb_picture_create(sb_picture **out, int width, int height,
                            sb_error *err) {
    if (width < 1 || width > SB_PICTURE_MAX_SIDE || height < 1 ||
        height > SB_PICTURE_MAX_SIDE) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a picture's sides must be 1 to %d pixels, not %d x %d",
                       SB_PICTURE_MAX_SIDE, width, height);
    }
    sb_picture *picture = sb_alloc(1, sizeof *picture);
    uint8_t *pixels = sb_alloc((size_t)width * (size_t)height, 3);
    if (!picture || !pixels) {
        sb_free(picture);
        sb_free(pixels);
        return sb_fail(err, SB_NO_MEMORY,
                       "no memory for a picture of %d x %d pixels", width,
                       height);
    }
    *picture = (sb_picture){width, height, pixels};
    *out = picture;
    return SB_OK;
}

void sb_picture_destroy(sb_picture *picture) {
    if (!picture) return;
    sb_free(picture->pixels);
    sb_free(picture);
}

static uint8_t *pixel_at(const sb_picture *picture, int x, int y) {
    size_t index = (size_t)y * (size_t)picture->width + (size_t)x;
    return picture->pixels + index * 3;
}

static uint8_t mix(uint8_t below, uint8_t above, int opacity) {
    int sum = below * (255 - opacity) + above * opacity;
    return (uint8_t)((sum + 127) / 255);
}

static void blend(uint8_t *pixel, sb_colour colour) {
    pixel[0] = mix(pixel[0], colour.red, colour.opacity);
    pixel[1] = mix(pixel[1], colour.green, colour.opacity);
    pixel[2] = mix(pixel[2], colour.blue, colour.opacity);
}

void sb_picture_pixel(sb_picture *picture, int x, int y, sb_colour colour) {
    if (x < 0 || x >= picture->width || y < 0 || y >= picture->height) return;
    blend(pixel_at(picture, x, y), colour);
}

void sb_picture_rectangle(sb_picture *picture, int x, int y, int width,
                          int height, sb_colour colour) {
    /* Clip first: a rectangle may be far larger than the picture. */
    int64_t right = (int64_t)x + width;
    int64_t bottom = (int64_t)y + height;
    int x_end = right < picture->width ? (int)right : picture->width;
    int y_end = bottom < picture->height ? (int)bottom : picture->height;
    for (int row = y < 0 ? 0 : y; row < y_end; row++) {
        for (int column = x < 0 ? 0 : x; column < x_end; column++) {
            blend(pixel_at(picture, column, row), colour);
        }
    }
}

void sb_picture_fill(sb_picture *picture, sb_colour colour) {
    sb_picture_rectangle(picture, 0, 0, picture->width, picture->height,
                         colour);
}

static void pixel_part(sb_picture *picture, int x, int y, double cover,
                       sb_colour colour) {
    colour.opacity = (uint8_t)lrint(colour.opacity * cover);
    sb_picture_pixel(picture, x, y, colour);
}

/* X. Wu, An Efficient Antialiasing Technique, SIGGRAPH 1991: at each step along
 * the longer axis, the two nearest pixels share the intensity. */
void sb_picture_line(sb_picture *picture, double x0, double y0, double x1,
                     double y1, sb_colour colour) {
    bool is_steep = fabs(y1 - y0) > fabs(x1 - x0);
    double a0 = is_steep ? y0 : x0, b0 = is_steep ? x0 : y0;
    double a1 = is_steep ? y1 : x1, b1 = is_steep ? x1 : y1;
    if (a0 > a1) {
        double a = a0, b = b0;
        a0 = a1, b0 = b1;
        a1 = a, b1 = b;
    }
    double slope = a1 > a0 ? (b1 - b0) / (a1 - a0) : 0.0;
    int side = is_steep ? picture->height : picture->width;
    /* Written so that NaN and infinities are rejected too. */
    if (!(a1 >= -0.5 && a0 <= side && fabs(b0) < 1e6 && fabs(b1) < 1e6)) return;
    int first = a0 < 0.0 ? 0 : (int)lrint(a0);
    int last = a1 > side ? side : (int)lrint(a1);
    for (int a = first; a <= last; a++) {
        double b = b0 + slope * (a - a0);
        double whole = floor(b);
        double part = b - whole;
        int near = (int)whole;
        if (is_steep) {
            pixel_part(picture, near, a, 1.0 - part, colour);
            pixel_part(picture, near + 1, a, part, colour);
        } else {
            pixel_part(picture, a, near, 1.0 - part, colour);
            pixel_part(picture, a, near + 1, part, colour);
        }
    }
}

/* --- text ----------------------------------------------------------------- */

/* Is a quarter of a font pixel set when text is drawn at an even scale? Corners
 * between two set neighbours are filled, and protruding corners of diagonals
 * are cut: the Scale2x rule (A. Mazzoleni, 2001), which smooths the stairs of a
 * small font. */
static bool is_quarter_set(int code, int x, int y, bool is_right, bool is_low) {
    int dx = is_right ? 1 : -1;
    int dy = is_low ? 1 : -1;
    bool beside = sb_font_is_set(code, x + dx, y);
    bool above = sb_font_is_set(code, x, y + dy);
    bool far_beside = sb_font_is_set(code, x - dx, y);
    bool far_above = sb_font_is_set(code, x, y - dy);
    if (beside == above && beside != far_above && above != far_beside) {
        return beside;
    }
    return sb_font_is_set(code, x, y);
}

static bool is_ink(int code, int u, int v, int scale) {
    int x = u / scale;
    int y = v / scale;
    if (scale % 2 != 0) return sb_font_is_set(code, x, y);
    int half = scale / 2;
    return is_quarter_set(code, x, y, u % scale >= half, v % scale >= half);
}

static void draw_letter(sb_picture *picture, int x, int y, int code, int scale,
                        sb_text_direction direction, sb_colour colour) {
    for (int v = 0; v < SB_FONT_HEIGHT * scale; v++) {
        for (int u = 0; u < SB_FONT_WIDTH * scale; u++) {
            if (!is_ink(code, u, v, scale)) continue;
            if (direction == SB_TEXT_UP) {
                sb_picture_pixel(picture, x + v, y - u, colour);
            } else {
                sb_picture_pixel(picture, x + u, y + v, colour);
            }
        }
    }
}

/* A byte of a UTF-8 character after its first. */
static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

void sb_picture_text(sb_picture *picture, int x, int y, const char *text,
                     int scale, sb_text_direction direction, sb_colour colour) {
    if (scale < 1) scale = 1;
    for (int count = 0; *text && count < SB_PICTURE_MAX_SIDE; text++) {
        if (is_continuation(*text)) continue;
        draw_letter(picture, x, y, (unsigned char)*text, scale, direction,
                    colour);
        if (direction == SB_TEXT_UP) {
            y -= SB_FONT_ADVANCE * scale;
        } else {
            x += SB_FONT_ADVANCE * scale;
        }
        count++;
    }
}

int sb_picture_text_length(const char *text, int scale) {
    int count = 0;
    for (; *text && count < SB_PICTURE_MAX_SIDE; text++) {
        if (!is_continuation(*text)) count++;
    }
    if (scale < 1) scale = 1;
    int gap = SB_FONT_ADVANCE - SB_FONT_WIDTH;
    return count ? (count * SB_FONT_ADVANCE - gap) * scale : 0;
}
