/* Colours the surface of a mode: orange against blue, nodal lines as sand.
 * Thread: control. */
#include "bindings/cli/modes/mode_paint.h"

#include "runtime/media/picture/surface_view.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

const sb_colour mode_paint_page = {17, 19, 23, 255};
const sb_colour mode_paint_panel = {24, 27, 32, 255};
const sb_colour mode_paint_ink = {232, 230, 224, 255};
const sb_colour mode_paint_faint = {150, 154, 160, 255};

static const sb_rgb panel = {24, 27, 32};
static const sb_rgb metal = {52, 57, 64}, body_grey = {176, 178, 180};
static const sb_rgb up = {232, 112, 48}, down = {56, 128, 232};
static const sb_rgb sand = {244, 232, 204};

/* --- pixels --------------------------------------------------------------- */

/* Noise 0 .. 1, a function of the position only. */
static double noise(int x, int y) {
    uint32_t n = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    n ^= n >> 15;
    n *= 0x2c1b3c6du;
    n ^= n >> 12;
    n *= 0x297a2d39u;
    n ^= n >> 15;
    return n / 4294967296.0;
}

static double bell_curve(double x) {
    return exp(-x * x);
}

/* Colour of one fine pixel, and the amount of sand on it. */
static sb_rgb look(const sb_view_pixel *pixel, bool is_flat, double *grains) {
    *grains = 0;
    if (!(pixel->depth > -INFINITY)) return panel;
    double value = pixel->value, size = fabs(value);
    sb_rgb tint = value > 0 ? up : down;
    if (is_flat) {
        /* Sand is dense on the nodal line and sparse where the motion is small.
         */
        *grains = fmax(bell_curve(pixel->line / (1.9 * MODE_PAINT_FINE)),
                       0.34 * bell_curve(size / 0.09));
        return sb_rgb_mix(metal, tint, 0.5 * pow(size, 1.3));
    }
    sb_rgb base = sb_rgb_mix(body_grey, tint, 0.92 * pow(size, 0.75));
    sb_rgb lit = sb_rgb_lit(base, pixel);
    double line = bell_curve(pixel->line / (1.05 * MODE_PAINT_FINE));
    return sb_rgb_mix(lit, sand, 0.95 * line);
}

static void paint_pixel(sb_picture *picture, const sb_view *view, bool is_flat,
                        int x, int y, int left, int top) {
    sb_rgb sum = {0, 0, 0};
    double grains = 0;
    for (int i = 0; i < MODE_PAINT_FINE * MODE_PAINT_FINE; i++) {
        size_t row = (size_t)(MODE_PAINT_FINE * y + i / MODE_PAINT_FINE);
        size_t at = row * (size_t)view->width +
                    (size_t)(MODE_PAINT_FINE * x + i % MODE_PAINT_FINE);
        double here;
        sb_rgb seen = look(&view->pixels[at], is_flat, &here);
        sum.red += seen.red;
        sum.green += seen.green;
        sum.blue += seen.blue;
        grains += here;
    }
    double share = 1.0 / (MODE_PAINT_FINE * MODE_PAINT_FINE);
    sb_rgb mean = {sum.red * share, sum.green * share, sum.blue * share};
    grains *= share;
    if (noise(x, y) < grains) {
        double bright = 0.72 + 0.28 * noise(y + 7919, x);
        mean = sb_rgb_mix(mean, sand, bright);
    }
    sb_picture_pixel(picture, left + x, top + y, sb_rgb_colour(mean));
}

void mode_paint(sb_picture *picture, const sb_view *view, bool is_flat,
                int left, int top) {
    for (int y = 0; y < view->height / MODE_PAINT_FINE; y++) {
        for (int x = 0; x < view->width / MODE_PAINT_FINE; x++)
            paint_pixel(picture, view, is_flat, x, y, left, top);
    }
}
