/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/mode_pages.c -- the modes of a body on one page: the first
 * twelve as figures, or all textures that are baked.
 *
 * Of the figures, a flat body is seen from above. Any other body is seen from the
 * side and a little from above, deformed as in the mode.
 *
 * A texture is drawn in the proportions of the body if the body has its own.
 * For up to MODES_WITH_BODY modes, a body that is not flat is drawn beside its
 * texture: a bell cannot be recognised in its unrolled surface.
 * Thread: control. */
#include "bindings/cli/modes/mode_view.h"
#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/textures/texel_map.h"

#include <math.h>
#include <stdio.h>

enum { FINE = MODE_PAINT_FINE };

static void put(sb_picture *picture, int left, int top, const char *text,
                int scale, sb_colour colour) {
    sb_picture_text(picture, left, top, text, scale, SB_TEXT_RIGHT, colour);
}

static void put_until(sb_picture *picture, int right, int top, const char *text,
                      int scale, sb_colour colour) {
    put(picture, right - sb_picture_text_length(text, scale), top, text, scale,
        colour);
}

static void show_hz(const sb_mode *mode, char text[64]) {
    (void)snprintf(text, 64, mode->freq_hz < 1000 ? "%.1f Hz" : "%.0f Hz",
                   mode->freq_hz);
}

/* --- figures -------------------------------------------------------------- */

enum {
    PLOT_COLUMNS = 4,
    PLOT_ROWS = 3,
    PLOT_PANEL = 332,
    PLOT_PANEL_LEAST = 96, /* least height, for long and narrow bodies */
    PLOT_GAP = 16,
    PLOT_MARGIN = 28,
    PLOT_HEAD = 64,
    PLOT_CAPTION = 44,
    PLOT_INSET = 12
};

typedef struct plot {
    const mode_body *body;
    mode_surface surface;
    sb_view view;
    bool is_in_plane; /* the mode drawn last */
    sb_picture *picture;
    int panel_height;
} plot;

static void write_plot_caption(const plot *self, int mode, int left, int top) {
    const sb_mode *of = &sb_model_modes(self->body->model)[mode];
    char text[64], note[16];
    (void)snprintf(text, sizeof text, "%d", mode + 1);
    put(self->picture, left + 2, top, text, 2, mode_paint_faint);
    show_hz(of, text);
    put(self->picture, left + 36, top, text, 2, mode_paint_ink);
    note_name(of->freq_hz, note);
    (void)snprintf(text, sizeof text, "%s%s", note,
                   self->is_in_plane ? "  along the surface" : "");
    put(self->picture, left + 36, top + 20, text, 1, mode_paint_faint);
    put_until(self->picture, left + PLOT_PANEL - 2, top + 20, of->label, 1,
              mode_paint_faint);
}

static void paint_panel(plot *self, int mode) {
    int left = PLOT_MARGIN + (mode % PLOT_COLUMNS) * (PLOT_PANEL + PLOT_GAP);
    int top = PLOT_HEAD + (mode / PLOT_COLUMNS) *
                              (self->panel_height + PLOT_CAPTION + PLOT_GAP);
    self->is_in_plane =
        mode_view_draw(&self->view, &self->surface, mode, PLOT_INSET * FINE);
    mode_paint(self->picture, &self->view, self->surface.is_flat, left, top);
    write_plot_caption(self, mode, left, top + self->panel_height + 10);
}

static void write_plot_head(const plot *self) {
    const char *material = mode_body_material(self->body);
    char text[200];
    put(self->picture, PLOT_MARGIN, 20, self->body->name, 3, mode_paint_ink);
    sb_vec3 size = sb_vec3_sub(self->surface.high, self->surface.low);
    double thickness = self->body->shape.thickness;
    if (!(size.y > 0))
        size.y = thickness; /* a sheet has no height of its own */
    (void)snprintf(text, sizeof text, "%s%s%s, %.3g x %.3g x %.3g m, %d modes",
                   material ? material : "", material ? ", " : "",
                   sb_model_method(self->body->model), size.x, size.y, size.z,
                   sb_model_mode_count(self->body->model));
    put_until(self->picture, self->picture->width - PLOT_MARGIN, 27, text, 2,
              mode_paint_faint);
}

static int panel_height(const mode_surface *surface) {
    double high = (PLOT_PANEL - 2 * PLOT_INSET) * mode_view_aspect(surface) +
                  2 * PLOT_INSET;
    if (!surface->is_flat) high *= 1.1; /* space for the deformation */
    return (int)fmin(PLOT_PANEL, fmax(PLOT_PANEL_LEAST, ceil(high)));
}

static sb_status paint_plot(plot *self, sb_error *err) {
    self->panel_height = panel_height(&self->surface);
    int width = 2 * PLOT_MARGIN + PLOT_COLUMNS * PLOT_PANEL +
                (PLOT_COLUMNS - 1) * PLOT_GAP;
    int height =
        PLOT_HEAD + PLOT_ROWS * (self->panel_height + PLOT_CAPTION + PLOT_GAP);
    sb_status status = sb_view_make(
        PLOT_PANEL * FINE, self->panel_height * FINE, &self->view, err);
    if (!status) status = sb_picture_create(&self->picture, width, height, err);
    if (status) return status;
    sb_picture_fill(self->picture, mode_paint_page);
    write_plot_head(self);
    for (int k = 0; k < self->surface.mode_count; k++)
        paint_panel(self, k);
    return SB_OK;
}

sb_status plot_modes(const mode_body *body, const char *path, sb_error *err) {
    plot self = {.body = body};
    sb_status status =
        mode_surface_make(body, PLOT_COLUMNS * PLOT_ROWS, &self.surface, err);
    if (!status) status = paint_plot(&self, err);
    if (!status) status = sb_picture_save(self.picture, path, err);
    sb_picture_destroy(self.picture);
    sb_view_free(&self.view);
    mode_surface_free(&self.surface);
    return status;
}

/* --- textures ------------------------------------------------------------- */

enum {
    PANEL_MOST = 256,
    PANEL_LEAST = 64,
    STRIP = 28, /* least height of long and narrow bodies */
    MODES_WITH_BODY = 64,
    GAP = 12,
    MARGIN = 20,
    HEAD = 48,
    CAPTION = 24
};

/* Desired width of the page divided by its height. */
#define WIDER 1.5

/* A mode whose normal motion is below this share moves tangentially. */
#define LEAST_WEIGHT 1e-6

struct bake_sheet {
    const mode_body *body;
    const sb_texel_map *map;
    int columns, cell_width;
    bool has_body;
    sb_view view;
    sb_view body_view;
    mode_surface surface;
    sb_picture *picture;
};

/* --- a texture as a view -------------------------------------------------- */

static int clamp_index(int i, int count) {
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static double texel_at(const sb_texel_map *map, const float *weights, double x,
                       double y) {
    int i = (int)floor(x), j = (int)floor(y);
    double p = x - i, q = y - j, sum = 0;
    for (int c = 0; c < 4; c++) {
        int column = clamp_index(i + (c & 1), map->width);
        int row = clamp_index(j + (c >> 1), map->height);
        double share = (c & 1 ? p : 1 - p) * (c >> 1 ? q : 1 - q);
        sum += share * (double)weights[row * map->width + column];
    }
    return sum;
}

static bool is_surface(const sb_texel_map *map, double x, double y) {
    int column = clamp_index((int)lround(x), map->width);
    int row = clamp_index((int)lround(y), map->height);
    return map->texels[row * map->width + column].kind == SB_TEXEL_COVERED;
}

static sb_view_pixel look_at(const bake_sheet *self, const float *weights,
                             double largest, int column, int row) {
    const sb_texel_map *map = self->map;
    double across = (double)map->width / self->view.width;
    double down = (double)map->height / self->view.height;
    double x = (column + 0.5) * across - 0.5, y = (row + 0.5) * down - 0.5;
    if (!is_surface(map, x, y)) return (sb_view_pixel){.depth = -INFINITY};
    sb_view_pixel pixel = {.line = INFINITY, .shade = 1};
    double value = texel_at(map, weights, x, y) / largest;
    /* Central difference over two texels, per pixel of the view. */
    double dx =
        (texel_at(map, weights, x + 1, y) - texel_at(map, weights, x - 1, y)) *
        0.5 * across / largest;
    double dy =
        (texel_at(map, weights, x, y + 1) - texel_at(map, weights, x, y - 1)) *
        0.5 * down / largest;
    double slope = hypot(dx, dy);
    pixel.value = (float)fmin(fmax(value, -1), 1);
    if (slope > 0) pixel.line = (float)(fabs(value) / slope);
    return pixel;
}

static void fill_view(bake_sheet *self, const float *weights) {
    double largest = sb_texel_map_largest(self->map, weights);
    sb_view_pixel *pixel = self->view.pixels;
    for (int y = 0; y < self->view.height; y++) {
        for (int x = 0; x < self->view.width; x++)
            *pixel++ = look_at(self, weights, largest, x, y);
    }
}

/* --- the page ------------------------------------------------------------- */

/* Height divided by width of the shape. The map of a ring is that of a mesh,
 * and is drawn square. */
static double aspect_of(const sb_shape *shape, bool is_mesh) {
    bool is_torus = sb_shape_family_of(shape)->layout == SB_UV_TORUS;
    return is_mesh && is_torus ? 1 : sb_shape_aspect(shape);
}

static int panel_side(int size, int mode_count) {
    int most = mode_count <= 48 ? PANEL_MOST : mode_count <= 300 ? 128 : 64;
    int side = size < PANEL_LEAST ? PANEL_LEAST : size;
    return side < most ? side : most;
}

static sb_status make_views(bake_sheet *self, int mode_count, sb_error *err) {
    const mode_body *body = self->body;
    bool is_mesh = sb_model_solution(body->model) != NULL;
    double aspect = aspect_of(&body->shape, is_mesh);
    int side = panel_side(self->map->width, mode_count);
    double wide = side, high = side;
    if (aspect < 1) high = fmax(side * aspect, STRIP);
    if (aspect > 1) wide = fmax(side / aspect, 2 * STRIP);
    sb_status status = SB_OK;
    if (is_mesh && mode_count <= MODES_WITH_BODY) {
        status = mode_surface_make(body, mode_count, &self->surface, err);
        self->has_body = !status && !self->surface.is_flat;
    }
    if (!status)
        status =
            sb_view_make((int)wide * FINE, (int)high * FINE, &self->view, err);
    if (!status && self->has_body)
        status = sb_view_make(side * FINE, side * FINE, &self->body_view, err);
    return status;
}

static void write_head(const bake_sheet *self, int mode_count) {
    const char *material = mode_body_material(self->body);
    char text[200];
    put(self->picture, MARGIN, 18, self->body->name, 2, mode_paint_ink);
    (void)snprintf(text, sizeof text, "%s%s%s, %d %s, %d x %d texels",
                   material ? material : "", material ? ", " : "",
                   sb_model_method(self->body->model),
                   COUNTED(mode_count, "mode", "modes"), self->map->width,
                   self->map->height);
    int width = sb_picture_text_length(text, 1);
    int left = self->picture->width - MARGIN - width;
    int name = sb_picture_text_length(self->body->name, 2);
    if (left > 2 * MARGIN + name)
        put(self->picture, left, 24, text, 1, mode_paint_faint);
}

/* Number of columns: near the square root, preferring a full last row. */
static int columns_for(int mode_count, double cells) {
    int middle = (int)fmin(fmax(round(sqrt(cells)), 1), mode_count);
    int best = middle, fewest = mode_count;
    for (int step = 0; step < 3; step++) {
        int columns = middle + (step == 0 ? 0 : step == 1 ? -1 : 1);
        if (columns < 1 || columns > mode_count) continue;
        int empty = (columns - mode_count % columns) % columns;
        if (empty >= fewest) continue;
        best = columns;
        fewest = empty;
    }
    return best;
}

static sb_status make_page(bake_sheet *self, int mode_count, sb_error *err) {
    int wide = self->view.width / FINE, high = self->view.height / FINE;
    if (self->has_body) wide += self->body_view.width / FINE;
    self->cell_width = wide < PANEL_LEAST ? PANEL_LEAST : wide;
    self->columns =
        columns_for(mode_count, WIDER * mode_count * (high + CAPTION + GAP) /
                                    (self->cell_width + GAP));
    int rows = (mode_count + self->columns - 1) / self->columns;
    int width = 2 * MARGIN + self->columns * (self->cell_width + GAP) - GAP;
    int height = HEAD + rows * (high + CAPTION + GAP) + MARGIN - GAP;
    sb_status status = sb_picture_create(&self->picture, width, height, err);
    if (status) return status;
    sb_picture_fill(self->picture, mode_paint_page);
    write_head(self, mode_count);
    return SB_OK;
}

sb_status bake_sheet_begin(const mode_body *body, const sb_texel_map *map,
                           int mode_count, bake_sheet **out, sb_error *err) {
    bake_sheet *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_fail(err, SB_NO_MEMORY, "--sheet: out of memory");
    self->body = body;
    self->map = map;
    sb_status status = make_views(self, mode_count, err);
    if (!status) status = make_page(self, mode_count, err);
    if (status) {
        bake_sheet_free(self);
        return status;
    }
    *out = self;
    return SB_OK;
}

void bake_sheet_free(bake_sheet *sheet) {
    if (!sheet) return;
    mode_surface_free(&sheet->surface);
    sb_view_free(&sheet->view);
    sb_view_free(&sheet->body_view);
    sb_picture_destroy(sheet->picture);
    sb_free(sheet);
}

static void write_remark(const bake_sheet *self, const char *text, int left,
                         int top) {
    put_until(self->picture, left + self->cell_width, top, text, 1,
              mode_paint_faint);
}

static void write_caption(const bake_sheet *self, int mode, int left, int top) {
    const sb_mode *of = &sb_model_modes(self->body->model)[mode];
    char text[64];
    (void)snprintf(text, sizeof text, "%d", mode + 1);
    put(self->picture, left, top, text, 1, mode_paint_faint);
    int indent = sb_picture_text_length(text, 1) + 6;
    show_hz(of, text);
    put(self->picture, left + indent, top, text, 1, mode_paint_ink);
    const sb_finished *finished = sb_model_finished(self->body->model);
    int members = finished ? finished->modes[mode].member_count : 1;
    if (members == 1 || !self->has_body) return;
    (void)snprintf(text, sizeof text, "%d close modes as one", members);
    write_remark(self, text, left, top);
}

/* True if the mode moves tangentially. */
static bool is_still(const bake_sheet *self, const float *weights) {
    double mass_kg = sb_model_mass_kg(self->body->model);
    return sb_texel_map_largest(self->map, weights) <
           LEAST_WEIGHT / sqrt(mass_kg);
}

void bake_sheet_add(bake_sheet *self, int mode, const float *weights) {
    int high = self->view.height / FINE;
    int left = MARGIN + (mode % self->columns) * (self->cell_width + GAP);
    int top = HEAD + (mode / self->columns) * (high + CAPTION + GAP);
    write_caption(self, mode, left, top + high + 7);
    if (is_still(self, weights)) {
        write_remark(self, "moves along it", left, top + high + 7);
        sb_picture_rectangle(self->picture, left, top, self->cell_width, high,
                             mode_paint_panel);
        return;
    }
    fill_view(self, weights);
    /* Sand is drawn only on flat bodies; on a map it would hide the layout. */
    mode_paint(self->picture, &self->view, !self->has_body, left, top);
    if (self->has_body) {
        int side = self->body_view.width / FINE;
        (void)mode_view_draw(&self->body_view, &self->surface, mode,
                             FINE * side / 20.0);
        mode_paint(self->picture, &self->body_view, false,
                   left + self->view.width / FINE, top);
    }
}

sb_status bake_sheet_save(const bake_sheet *sheet, const char *path,
                          sb_error *err) {
    return sb_picture_save(sheet->picture, path, err);
}
