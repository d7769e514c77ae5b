#include "runtime/media/picture/colour_map.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <stdbool.h>

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
