/* SPDX-License-Identifier: MIT */
#include "runtime/media/picture/picture.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/media/image/png_file.h"

#include <math.h>
#include <stdbool.h>

/* --- the font ------------------------------------------------------------- */

/* clang-format off */

/* The glyphs, 12 per band: 5 by 7 pixels above the baseline and two rows below
 * it for descenders, with one empty column to the right of each. The last cell
 * is the glyph for characters that the font lacks. */
static const char *const bands[] = {
    /* space ! " # $ % & ' ( ) * + */
    "........#....#.#...#.#....#...##.....##.....#......#...#................",
    "........#....#.#...#.#...####.##..#.#..#....#.....#.....#.....#.....#...",
    "........#....#.#..#####.#.#......#..#.#.....#....#.......#..#.#.#...#...",
    "........#..........#.#...###....#....#...........#.......#...###..#####.",
    "........#.........#####...#.#..#....#.#.#........#.......#..#.#.#...#...",
    "...................#.#..####..#..##.#..#..........#.....#.....#.....#...",
    "........#..........#.#....#......##..##.#..........#...#................",
    "........................................................................",
    "........................................................................",
    /* , - . / 0 1 2 3 4 5 6 7 */
    "..........................#.....#....###..#####....#..#####...##..#####.",
    "......................#..#.#...##...#...#....#....##..#......#........#.",
    ".....................#..#...#...#.......#...#....#.#..####..#........#..",
    "......#####.........#...#...#...#......#.....#..#..#......#.####....#...",
    "...................#....#...#...#.....#.......#.#####.....#.#...#..#....",
    "..##.........##...#......#.#....#....#....#...#....#..#...#.#...#..#....",
    "..#..........##...........#....###..#####..###.....#...###...###...#....",
    ".#......................................................................",
    "........................................................................",
    /* 8 9 : ; < = > ? @ A B C */
    ".###...###..................#.......#......###...###...###..####...###..",
    "#...#.#...#..##....##......#.........#....#...#.#...#.#...#.#...#.#...#.",
    "#...#.#...#..##....##.....#...#####...#.......#.....#.#...#.#...#.#.....",
    ".###...####..............#.............#.....#...##.#.#####.####..#.....",
    "#...#.....#..##....##.....#...#####...#.....#...#.#.#.#...#.#...#.#.....",
    "#...#....#...##.....#......#.........#..........#.#.#.#...#.#...#.#...#.",
    ".###...##..........#........#.......#.......#....###..#...#.####...###..",
    "........................................................................",
    "........................................................................",
    /* D E F G H I J K L M N O */
    "###...#####.#####..###..#...#..###....###.#...#.#.....#...#.#...#..###..",
    "#..#..#.....#.....#...#.#...#...#......#..#..#..#.....##.##.#...#.#...#.",
    "#...#.#.....#.....#.....#...#...#......#..#.#...#.....#.#.#.##..#.#...#.",
    "#...#.####..####..#.###.#####...#......#..##....#.....#.#.#.#.#.#.#...#.",
    "#...#.#.....#.....#...#.#...#...#......#..#.#...#.....#...#.#..##.#...#.",
    "#..#..#.....#.....#...#.#...#...#...#..#..#..#..#.....#...#.#...#.#...#.",
    "###...#####.#......####.#...#..###...##...#...#.#####.#...#.#...#..###..",
    "........................................................................",
    "........................................................................",
    /* P Q R S T U V W X Y Z [ */
    "####...###..####...####.#####.#...#.#...#.#...#.#...#.#...#.#####..###..",
    "#...#.#...#.#...#.#.......#...#...#.#...#.#...#.#...#.#...#.....#..#....",
    "#...#.#...#.#...#.#.......#...#...#.#...#.#...#..#.#...#.#.....#...#....",
    "####..#...#.####...###....#...#...#.#...#.#.#.#...#.....#.....#....#....",
    "#.....#.#.#.#.#.......#...#...#...#.#...#.#.#.#..#.#....#....#.....#....",
    "#.....#..#..#..#......#...#...#...#..#.#..##.##.#...#...#...#......#....",
    "#......##.#.#...#.####....#....###....#...#...#.#...#...#...#####..###..",
    "........................................................................",
    "........................................................................",
    /* backslash ] ^ _ ` a b c d e f g */
    ".......###....#..........#..........#...............#.........##........",
    "#........#...#.#..........#.........#...............#........#..#.......",
    ".#.......#..#...#..............###..#.##...###...##.#..###...#.....####.",
    "..#......#........................#.##..#.#.....#..##.#...#.###...#...#.",
    "...#.....#.....................####.#...#.#.....#...#.#####..#....#...#.",
    "....#....#....................#...#.#...#.#...#.#...#.#......#....#...#.",
    ".......###.....................####.####...###...####..###...#.....####.",
    "..................#####...............................................#.",
    "...................................................................###..",
    /* h i j k l m n o p q r s */
    "#.......#......#..#......##.............................................",
    "#.................#.......#.............................................",
    "#.##...##.....##..#..#....#...##.#..#.##...###..####...####.#.##...####.",
    "##..#...#......#..#.#.....#...#.#.#.##..#.#...#.#...#.#...#.##..#.#.....",
    "#...#...#......#..##......#...#.#.#.#...#.#...#.#...#.#...#.#......###..",
    "#...#...#......#..#.#.....#...#.#.#.#...#.#...#.#...#.#...#.#.........#.",
    "#...#..###.....#..#..#...###..#...#.#...#..###..####...####.#.....####..",
    "............#..#................................#.........#.............",
    ".............##.................................#.........#.............",
    /* t u v w x y z { | } ~ */
    ".#...........................................##...#...##..........#####.",
    ".#..........................................#.....#.....#.........#...#.",
    "###...#...#.#...#.#...#.#...#.#...#.#####...#.....#.....#....#....#...#.",
    ".#....#...#.#...#.#...#..#.#..#...#....#...#......#......#..#.#.#.#...#.",
    ".#....#...#.#...#.#.#.#...#...#...#...#.....#.....#.....#......#..#...#.",
    ".#..#.#..##..#.#..#.#.#..#.#..#...#..#......#.....#.....#.........#...#.",
    "..##...##.#...#....#.#..#...#..####.#####....##...#...##..........#####.",
    "..................................#.....................................",
    "...............................###......................................",
};
/* clang-format on */

enum { PER_BAND = 12, CELL_COUNT = 96 };

/* Is this pixel of the character set? False outside its box. Characters that
 * are not printable ASCII are drawn as a hollow box. */
static bool is_set(int code, int x, int y) {
    if (x < 0 || x >= SB_FONT_WIDTH || y < 0 || y >= SB_FONT_HEIGHT) {
        return false;
    }
    int cell = code - ' ';
    if (cell < 0 || cell >= CELL_COUNT) cell = CELL_COUNT - 1;
    int column = cell % PER_BAND * SB_FONT_ADVANCE + x;
    return bands[cell / PER_BAND * SB_FONT_HEIGHT + y][column] == '#';
}

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
        return sb_no_memory_for(err, "a picture of %d x %d pixels", width,
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
    bool beside = is_set(code, x + dx, y);
    bool above = is_set(code, x, y + dy);
    bool far_beside = is_set(code, x - dx, y);
    bool far_above = is_set(code, x, y - dy);
    if (beside == above && beside != far_above && above != far_beside) {
        return beside;
    }
    return is_set(code, x, y);
}

static bool is_ink(int code, int u, int v, int scale) {
    int x = u / scale;
    int y = v / scale;
    if (scale % 2 != 0) return is_set(code, x, y);
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

sb_status sb_picture_save(const sb_picture *picture, const char *path,
                          sb_error *err) {
    sb_png_out png = {.kind = SB_PNG_RGB8,
                      .width = picture->width,
                      .height = picture->height,
                      .bytes = picture->pixels};
    return sb_png_write(path, &png, err);
}

/* --- labels --------------------------------------------------------------- */

const sb_colour sb_colour_ground = {14, 15, 20, 255};
const sb_colour sb_colour_title = {238, 239, 244, 255};
const sb_colour sb_colour_label = {176, 180, 192, 255};
const sb_colour sb_colour_line = {120, 124, 136, 255};
const sb_colour sb_colour_grid = {255, 255, 255, 26};

void sb_label_left(sb_picture *picture, int x, double y, const char *text) {
    sb_picture_text(picture, x - sb_picture_text_length(text, SB_LABEL_SCALE),
                    (int)lrint(y) - SB_LABEL_CAPITAL / 2, text, SB_LABEL_SCALE,
                    SB_TEXT_RIGHT, sb_colour_label);
}

void sb_label_right(sb_picture *picture, int x, double y, const char *text,
                    sb_colour colour) {
    sb_picture_text(picture, x, (int)lrint(y) - SB_LABEL_CAPITAL / 2, text,
                    SB_LABEL_SCALE, SB_TEXT_RIGHT, colour);
}

void sb_label_below(sb_picture *picture, double x, int y, const char *text) {
    int length = sb_picture_text_length(text, SB_LABEL_SCALE);
    sb_picture_text(picture, (int)lrint(x) - length / 2, y, text,
                    SB_LABEL_SCALE, SB_TEXT_RIGHT, sb_colour_label);
}

void sb_label_up(sb_picture *picture, int x, double y, const char *text) {
    int length = sb_picture_text_length(text, SB_LABEL_SCALE);
    sb_picture_text(picture, x, (int)lrint(y) + length / 2, text,
                    SB_LABEL_SCALE, SB_TEXT_UP, sb_colour_label);
}

void sb_picture_frame(sb_picture *picture, int x, int y, int width,
                      int height) {
    sb_picture_rectangle(picture, x - 1, y - 1, width + 2, 1, sb_colour_line);
    sb_picture_rectangle(picture, x - 1, y + height, width + 2, 1,
                         sb_colour_line);
    sb_picture_rectangle(picture, x - 1, y, 1, height, sb_colour_line);
    sb_picture_rectangle(picture, x + width, y, 1, height, sb_colour_line);
}

double sb_nice_step(double least) {
    double power = pow(10.0, floor(log10(least)));
    const double steps[] = {1.0, 2.0, 5.0};
    for (int i = 0; i < 3; i++) {
        if (steps[i] * power >= least * 0.999999) return steps[i] * power;
    }
    return 10.0 * power;
}

/* --- a perceptually uniform colour map ------------------------------------ */

/* Corners of the path: hue in degrees and chroma at the value t. */
static const struct {
    double t, hue_deg, chroma;
} path[] = {
    {0.00, 285, 0.030}, {0.20, 292, 0.130}, {0.40, 335, 0.170},
    {0.55, 375, 0.185}, {0.72, 410, 0.170}, {0.88, 445, 0.150},
    {1.00, 465, 0.060},
};
enum { PATH_COUNT = sizeof path / sizeof *path };

/* Lightness of the two ends: the first is nearly black, the last off-white. */
static const double dark = 0.13;
static const double bright = 0.97;

static bool is_shown(double x) {
    return x >= -1e-4 && x <= 1.0001;
}

/* Oklab to linear sRGB; false if the colour is outside the sRGB gamut. */
static bool as_linear(double lightness, double a, double b, double rgb[3]) {
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    return is_shown(rgb[0]) && is_shown(rgb[1]) && is_shown(rgb[2]);
}

static uint8_t as_byte(double linear) {
    double x = fmin(fmax(linear, 0.0), 1.0);
    double curved =
        x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    return (uint8_t)lrint(255.0 * curved);
}

static sb_colour colour_of(double t) {
    int i = 0;
    while (i < PATH_COUNT - 2 && t > path[i + 1].t)
        i++;
    double u = (t - path[i].t) / (path[i + 1].t - path[i].t);
    double hue = path[i].hue_deg + u * (path[i + 1].hue_deg - path[i].hue_deg);
    double chroma = path[i].chroma + u * (path[i + 1].chroma - path[i].chroma);
    double lightness = dark + t * (bright - dark);
    double angle = hue * SB_PI / 180.0;
    double rgb[3];
    /* Outside the gamut: reduce chroma at the same lightness and hue. */
    while (
        !as_linear(lightness, chroma * cos(angle), chroma * sin(angle), rgb)) {
        chroma *= 0.99;
    }
    return (sb_colour){as_byte(rgb[0]), as_byte(rgb[1]), as_byte(rgb[2]), 255};
}

void sb_colour_map_fill(sb_colour map[SB_COLOUR_MAP_SIZE]) {
    for (int i = 0; i < SB_COLOUR_MAP_SIZE; i++) {
        map[i] = colour_of((double)i / (SB_COLOUR_MAP_SIZE - 1));
    }
}
