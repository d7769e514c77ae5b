/* Draws the first twelve modes of a body on one page.
 * Thread: control. */
#include "bindings/cli/modes/mode_plot.h"

#include "bindings/cli/modes/mode_paint.h"
#include "bindings/cli/modes/mode_surface.h"
#include "bindings/cli/modes/mode_view.h"
#include "runtime/model/modal_model.h"

#include <math.h>
#include <stdio.h>

enum {
    COLUMNS = 4,
    ROWS = 3,
    FINE = MODE_PAINT_FINE,
    PANEL = 332,
    PANEL_LEAST = 96, /* least height, for long and narrow bodies */
    GAP = 16,
    MARGIN = 28,
    HEAD = 64,
    CAPTION = 44,
    INSET = 12
};

/* --- the page ------------------------------------------------------------- */

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
                    mode_paint_faint);
    (void)snprintf(text, sizeof text,
                   of->freq_hz < 1000 ? "%.1f Hz" : "%.0f Hz", of->freq_hz);
    sb_picture_text(self->picture, left + 36, top, text, 2, SB_TEXT_RIGHT,
                    mode_paint_ink);
    note_name(of->freq_hz, note);
    (void)snprintf(text, sizeof text, "%s%s", note,
                   self->view.is_in_plane ? "  along the surface" : "");
    sb_picture_text(self->picture, left + 36, top + 20, text, 1, SB_TEXT_RIGHT,
                    mode_paint_faint);
    int width = sb_picture_text_length(of->label, 1);
    sb_picture_text(self->picture, left + PANEL - width - 2, top + 20,
                    of->label, 1, SB_TEXT_RIGHT, mode_paint_faint);
}

static void paint_panel(plot *self, int mode) {
    int left = MARGIN + (mode % COLUMNS) * (PANEL + GAP);
    int top = HEAD + (mode / COLUMNS) * (self->panel_height + CAPTION + GAP);
    mode_view_draw(&self->view, &self->surface, mode, INSET * FINE);
    mode_paint(self->picture, &self->view.view, self->surface.is_flat, left,
               top);
    write_caption(self, mode, left, top + self->panel_height + 10);
}

static void write_head(const plot *self) {
    const char *material = mode_body_material(self->body);
    char text[200];
    sb_picture_text(self->picture, MARGIN, 20, self->body->name, 3,
                    SB_TEXT_RIGHT, mode_paint_ink);
    sb_vec3 size = sb_vec3_sub(self->surface.high, self->surface.low);
    double thickness = self->body->shape.thickness;
    if (!(size.y > 0))
        size.y = thickness; /* a sheet has no height of its own */
    (void)snprintf(text, sizeof text, "%s%s%s, %.3g x %.3g x %.3g m, %d modes",
                   material ? material : "", material ? ", " : "",
                   sb_model_method(self->body->model), size.x, size.y, size.z,
                   sb_model_mode_count(self->body->model));
    int width = sb_picture_text_length(text, 2);
    sb_picture_text(self->picture, self->picture->width - MARGIN - width, 27,
                    text, 2, SB_TEXT_RIGHT, mode_paint_faint);
}

static int panel_height(const mode_surface *surface) {
    double high = (PANEL - 2 * INSET) * mode_view_aspect(surface) + 2 * INSET;
    if (!surface->is_flat) high *= 1.1; /* space for the deformation */
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
    sb_picture_fill(self->picture, mode_paint_page);
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
