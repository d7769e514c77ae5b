#include "bindings/cli/mode_plot.h"

#include "bindings/cli/mode_view.h"
#include "runtime/media/picture.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum {
    COLUMNS = 4,
    ROWS = 3,
    FINE = 3, /* a pixel is the mean of so many by so many */
    PANEL = 332,
    PANEL_LEAST = 96, /* high, where a thing is long and narrow */
    GAP = 16,
    MARGIN = 28,
    HEAD = 64,
    CAPTION = 44,
    INSET = 12
};

typedef struct rgb {
    double red, green, blue;
} rgb;

static const rgb page = {17, 19, 23}, panel = {24, 27, 32};
static const rgb metal = {52, 57, 64}, body_grey = {176, 178, 180};
static const rgb up = {232, 112, 48}, down = {56, 128, 232};
static const rgb sand = {244, 232, 204};
static const sb_colour ink = {232, 230, 224, 255};
static const sb_colour faint = {150, 154, 160, 255};

static rgb mix(rgb a, rgb b, double share) {
    return (rgb){a.red + (b.red - a.red) * share,
                 a.green + (b.green - a.green) * share,
                 a.blue + (b.blue - a.blue) * share};
}

static uint8_t byte_of(double value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

static sb_colour colour_of(rgb c) {
    return (sb_colour){byte_of(c.red), byte_of(c.green), byte_of(c.blue), 255};
}

/* --- pixels -------------------------------------------------------------- */

/* 0 .. 1, the same for the same place. */
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

/* What is seen through one fine pixel, and how much sand lies there. */
static rgb look(const view_pixel *pixel, bool is_flat, double *grains) {
    *grains = 0;
    if (!(pixel->depth > -INFINITY)) return panel;
    double value = pixel->value, size = fabs(value);
    rgb tint = value > 0 ? up : down;
    if (is_flat) {
        /* Sand lies thick on the line, and thinner where little moves. */
        *grains = fmax(bell_curve(pixel->line / (1.9 * FINE)),
                       0.34 * bell_curve(size / 0.09));
        return mix(metal, tint, 0.5 * pow(size, 1.3));
    }
    rgb base = mix(body_grey, tint, 0.92 * pow(size, 0.75));
    rgb lit = mix((rgb){8, 10, 14}, base, pixel->shade);
    lit = mix(lit, (rgb){255, 255, 255}, 0.22 * pixel->gloss);
    double line = bell_curve(pixel->line / (1.05 * FINE));
    return mix(lit, sand, 0.95 * line);
}

static void paint_pixel(sb_picture *picture, const mode_view *view,
                        bool is_flat, int x, int y, int left, int top) {
    rgb sum = {0, 0, 0};
    double grains = 0;
    for (int i = 0; i < FINE * FINE; i++) {
        size_t row = (size_t)(FINE * y + i / FINE);
        size_t at = row * (size_t)view->width + (size_t)(FINE * x + i % FINE);
        double here;
        rgb seen = look(&view->pixels[at], is_flat, &here);
        sum.red += seen.red;
        sum.green += seen.green;
        sum.blue += seen.blue;
        grains += here;
    }
    double share = 1.0 / (FINE * FINE);
    rgb mean = {sum.red * share, sum.green * share, sum.blue * share};
    grains *= share;
    if (noise(x, y) < grains) {
        double bright = 0.72 + 0.28 * noise(y + 7919, x);
        mean = mix(mean, sand, bright);
    }
    sb_picture_pixel(picture, left + x, top + y, colour_of(mean));
}

/* --- the page ------------------------------------------------------------ */

typedef struct plot {
    const mode_body *body;
    mode_surface surface;
    mode_view view;
    sb_picture *picture;
    int panel_height;
} plot;

static void write_caption(const plot *self, int mode, int left, int top) {
    const sb_mode *of = &sb_model_modes(self->body->model)[mode];
    char text[64], note[16];
    (void)snprintf(text, sizeof text, "%d", mode + 1);
    sb_picture_text(self->picture, left + 2, top, text, 2, SB_TEXT_RIGHT,
                    faint);
    (void)snprintf(text, sizeof text,
                   of->freq_hz < 1000 ? "%.1f Hz" : "%.0f Hz", of->freq_hz);
    sb_picture_text(self->picture, left + 36, top, text, 2, SB_TEXT_RIGHT, ink);
    note_name(of->freq_hz, note);
    (void)snprintf(text, sizeof text, "%s%s", note,
                   self->view.is_in_plane ? "  along the surface" : "");
    sb_picture_text(self->picture, left + 36, top + 20, text, 1, SB_TEXT_RIGHT,
                    faint);
    int width = sb_picture_text_length(of->label, 1);
    sb_picture_text(self->picture, left + PANEL - width - 2, top + 20,
                    of->label, 1, SB_TEXT_RIGHT, faint);
}

static void paint_panel(plot *self, int mode) {
    int left = MARGIN + (mode % COLUMNS) * (PANEL + GAP);
    int top = HEAD + (mode / COLUMNS) * (self->panel_height + CAPTION + GAP);
    mode_view_draw(&self->view, &self->surface, mode, INSET * FINE);
    for (int y = 0; y < self->panel_height; y++) {
        for (int x = 0; x < PANEL; x++) {
            paint_pixel(self->picture, &self->view, self->surface.is_flat, x, y,
                        left, top);
        }
    }
    write_caption(self, mode, left, top + self->panel_height + 10);
}

static void write_head(const plot *self) {
    const char *material = mode_body_material(self->body);
    char text[200];
    sb_picture_text(self->picture, MARGIN, 20, self->body->name, 3,
                    SB_TEXT_RIGHT, ink);
    sb_vec3 size = sb_vec3_sub(self->surface.high, self->surface.low);
    double thickness = self->body->shape.thickness;
    if (!(size.y > 0)) size.y = thickness; /* a sheet is drawn without */
    (void)snprintf(text, sizeof text, "%s%s%s, %.3g x %.3g x %.3g m, %d modes",
                   material ? material : "", material ? ", " : "",
                   sb_model_method(self->body->model), size.x, size.y, size.z,
                   sb_model_mode_count(self->body->model));
    int width = sb_picture_text_length(text, 2);
    sb_picture_text(self->picture, self->picture->width - MARGIN - width, 27,
                    text, 2, SB_TEXT_RIGHT, faint);
}

static int panel_height(const mode_surface *surface) {
    double high = (PANEL - 2 * INSET) * mode_view_aspect(surface) + 2 * INSET;
    if (!surface->is_flat) high *= 1.1; /* bending takes room */
    return (int)fmin(PANEL, fmax(PANEL_LEAST, ceil(high)));
}

static sb_status paint(plot *self, sb_error *err) {
    self->panel_height = panel_height(&self->surface);
    int width = 2 * MARGIN + COLUMNS * PANEL + (COLUMNS - 1) * GAP;
    int height = HEAD + ROWS * (self->panel_height + CAPTION + GAP);
    sb_status status = mode_view_make(PANEL * FINE, self->panel_height * FINE,
                                      &self->view, err);
    if (!status) status = sb_picture_create(&self->picture, width, height, err);
    if (status) return status;
    sb_picture_fill(self->picture, colour_of(page));
    write_head(self);
    for (int k = 0; k < self->surface.mode_count; k++)
        paint_panel(self, k);
    return SB_OK;
}

sb_status plot_modes(const mode_body *body, const char *path, sb_error *err) {
    plot self = {.body = body};
    sb_status status =
        mode_surface_make(body, COLUMNS * ROWS, &self.surface, err);
    if (!status) status = paint(&self, err);
    if (!status) status = sb_picture_save(self.picture, path, err);
    sb_picture_destroy(self.picture);
    mode_view_free(&self.view);
    mode_surface_free(&self.surface);
    return status;
}
