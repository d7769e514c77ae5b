/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/merge_plot.c -- draws which modes are merged, and why.
 *
 * Both axes are logarithmic. The curve is the least difference of frequency
 * that an ear notices, times `merge`; a dot per mode shows how far above it the
 * next one lies, before and after merging: modes below the curve are taken
 * together. Under it, two rows of ticks show the frequencies themselves.
 *
 * Thread: control.
 * Source: Raghuvanshi & Lin, Interactive Sound Synthesis for Large Scale
 *         Environments, 2006, figure 3 (the curve); compress.h. */
#include "bindings/cli/modes/modes.h"
#include "runtime/media/picture/picture.h"
#include "runtime/model/model.h"
#include "runtime/model/sound/compress.h"
#include "runtime/model/sound/finish.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 1400,
    HEIGHT = 860,
    LEFT = 120,
    RIGHT = 30,
    TOP = 96,
    PANEL = 500,
    ROWS_TOP = TOP + PANEL + 28,
    ROW = 56,
    ROW_GAP = 14,
    SCALE = 2,
    CAPITAL = 14, /* height of a letter */
    DOT = 4
};

static const sb_colour ground = {14, 15, 20, 255};
static const sb_colour ink = {238, 239, 244, 255};
static const sb_colour faint = {176, 180, 192, 255};
static const sb_colour frame = {120, 124, 136, 255};
static const sb_colour grid = {255, 255, 255, 26};
static const sb_colour curve = {230, 100, 100, 255};
static const sb_colour first = {240, 190, 90, 255};   /* before */
static const sb_colour second = {120, 200, 255, 255}; /* after */

/* Frequencies, and how many modes they stand for. */
typedef struct mode_list {
    const sb_mode *modes;
    int count, all;
} mode_list;

typedef struct figure {
    sb_picture *picture;
    double low_hz, high_hz; /* across */
    double least, most;     /* upwards, Hz */
    double merge;
    mode_list before, after;
} figure;

static double x_of(const figure *self, double hz) {
    double way = log(hz / self->low_hz) / log(self->high_hz / self->low_hz);
    return LEFT + way * (WIDTH - LEFT - RIGHT - 1);
}

static double y_of(const figure *self, double hz) {
    double way = log(fmax(hz, self->least) / self->least) /
                 log(self->most / self->least);
    return TOP + (1 - fmin(way, 1)) * (PANEL - 1);
}

static int text(const figure *self, int x, int y, const char *what,
                sb_colour colour) {
    sb_picture_text(self->picture, x, y, what, SCALE, SB_TEXT_RIGHT, colour);
    return x + sb_picture_text_length(what, SCALE);
}

static void box(const figure *self, int top, int height) {
    int width = WIDTH - LEFT - RIGHT;
    sb_picture_rectangle(self->picture, LEFT - 1, top - 1, width + 2, 1, frame);
    sb_picture_rectangle(self->picture, LEFT - 1, top + height, width + 2, 1,
                         frame);
    sb_picture_rectangle(self->picture, LEFT - 1, top, 1, height, frame);
    sb_picture_rectangle(self->picture, LEFT + width, top, 1, height, frame);
}

/* --- axes ----------------------------------------------------------------- */

static void print_hz(char *to, size_t size, double hz) {
    (void)snprintf(to, size, hz < 1000 ? "%.4g" : "%.4gk",
                   hz < 1000 ? hz : hz / 1000);
}

static void frequency_axis(const figure *self, int bottom) {
    static const double steps[3] = {1, 2, 5};
    char label[32];
    for (int decade = -2; decade < 7; decade++) {
        for (int i = 0; i < 3; i++) {
            double hz = steps[i] * pow(10, decade);
            if (hz < self->low_hz || hz > self->high_hz) continue;
            int x = (int)lrint(x_of(self, hz));
            sb_picture_rectangle(self->picture, x, TOP, 1, bottom - TOP, grid);
            sb_picture_rectangle(self->picture, x, bottom, 1, 6, frame);
            print_hz(label, sizeof label, hz);
            int length = sb_picture_text_length(label, SCALE);
            (void)text(self, x - length / 2, bottom + 14, label, faint);
        }
    }
    const char *name = "frequency of the mode, Hz";
    int length = sb_picture_text_length(name, SCALE);
    (void)text(self, (LEFT + WIDTH - RIGHT - length) / 2, bottom + 44, name,
               faint);
}

static void difference_axis(const figure *self) {
    char label[32];
    for (double hz = self->least; hz <= self->most * 1.001; hz *= 10) {
        int y = (int)lrint(y_of(self, hz));
        sb_picture_rectangle(self->picture, LEFT, y, WIDTH - LEFT - RIGHT, 1,
                             grid);
        sb_picture_rectangle(self->picture, LEFT - 7, y, 6, 1, frame);
        print_hz(label, sizeof label, hz);
        int length = sb_picture_text_length(label, SCALE);
        (void)text(self, LEFT - 12 - length, y - CAPITAL / 2, label, faint);
    }
    const char *name = "distance to the next mode, Hz";
    int length = sb_picture_text_length(name, SCALE);
    sb_picture_text(self->picture, 12, TOP + (PANEL + length) / 2, name, SCALE,
                    SB_TEXT_UP, faint);
}

/* --- what is shown -------------------------------------------------------- */

static void limen_curve(const figure *self) {
    if (!(self->merge > 0)) return;
    double before = 0;
    for (int x = LEFT; x < WIDTH - RIGHT; x++) {
        double way = (double)(x - LEFT) / (WIDTH - LEFT - RIGHT - 1);
        double hz = self->low_hz * pow(self->high_hz / self->low_hz, way);
        double y = y_of(self, self->merge * sb_compress_dlc_hz(hz));
        if (x > LEFT) {
            sb_picture_line(self->picture, x - 1, before, x, y, curve);
            sb_picture_line(self->picture, x - 1, before + 1, x, y + 1, curve);
        }
        before = y;
    }
}

static void distances(const figure *self, const mode_list *list, int size,
                      sb_colour colour) {
    colour.opacity = 200;
    for (int k = 0; k + 1 < list->count; k++) {
        double hz = list->modes[k].freq_hz;
        double y = y_of(self, list->modes[k + 1].freq_hz - hz);
        sb_picture_rectangle(self->picture,
                             (int)lrint(x_of(self, hz)) - size / 2,
                             (int)lrint(y) - size / 2, size, size, colour);
    }
}

static void ticks(const figure *self, const mode_list *list, int top,
                  const char *name, sb_colour colour) {
    box(self, top, ROW);
    colour.opacity = 150;
    for (int k = 0; k < list->count; k++) {
        int x = (int)lrint(x_of(self, list->modes[k].freq_hz));
        sb_picture_rectangle(self->picture, x, top, 1, ROW, colour);
    }
    colour.opacity = 255;
    int length = sb_picture_text_length(name, SCALE);
    (void)text(self, LEFT - 12 - length, top + (ROW - CAPITAL) / 2, name,
               colour);
}

static void legend(const figure *self) {
    char line[96];
    int y = TOP - 28;
    int x = text(self, LEFT, y, "before merging", first);
    x = text(self, x + 30, y, "after merging", second);
    if (self->merge > 0) {
        (void)snprintf(line, sizeof line,
                       self->merge == 1 ? "just noticeable difference"
                                        : "%g x the just noticeable difference",
                       self->merge);
        (void)text(self, x + 30, y, line, curve);
    } else {
        (void)text(self, x + 30, y, "merge is off: both are equal", faint);
    }
}

static void title(const figure *self, const char *name) {
    char line[200];
    (void)text(self, LEFT, 24, name, ink);
    (void)snprintf(line, sizeof line, "merge = %g: %d modes become %d",
                   self->merge, self->before.all, self->after.count);
    (void)text(self, WIDTH - RIGHT - sb_picture_text_length(line, SCALE), 24,
               line, ink);
}

static void draw(const figure *self, const char *name) {
    int bottom = ROWS_TOP + 2 * ROW + ROW_GAP;
    sb_picture_fill(self->picture, ground);
    title(self, name);
    legend(self);
    frequency_axis(self, bottom);
    difference_axis(self);
    box(self, TOP, PANEL);
    distances(self, &self->before, DOT, first);
    distances(self, &self->after, DOT, second);
    limen_curve(self);
    ticks(self, &self->before, ROWS_TOP, "before", first);
    ticks(self, &self->after, ROWS_TOP + ROW + ROW_GAP, "after", second);
}

/* --- the modes ------------------------------------------------------------ */

static mode_list list_of(const sb_model *model) {
    int count = sb_model_mode_count(model);
    return (mode_list){sb_model_modes(model), count, count};
}

/* Whether its modes came from elements and were merged. */
static bool has_merged_elements(const mode_body *body) {
    const sb_finish_report *report = sb_model_finish_report(body->model);
    return report && report->merged_count > 0 && !body->shape.keeps_beats;
}

/* The modes of the body with nothing merged. `other` is a model to be released,
 * or NULL. */
static sb_status find_before(const mode_body *body,
                             const modes_options *options, mode_list *out,
                             sb_model **other, sb_error *err) {
    const sb_mode *plain;
    *other = NULL;
    *out = list_of(body->model);
    int count = sb_model_plain_modes(body->model, &plain, NULL);
    if (count > 0) *out = (mode_list){plain, count, count};
    if (!has_merged_elements(body)) return SB_OK;
    mode_body apart = *body;
    apart.model = NULL;
    apart.source = NULL;
    apart.shape.merge = 0;
    apart.shape.keeps_beats = true;
    sb_status status = mode_body_solve(&apart, options, err);
    if (status) return status;
    *other = apart.model;
    *out = list_of(apart.model);
    out->all += sb_model_finish_report(apart.model)->merged_count;
    return SB_OK;
}

static double merge_of(const mode_body *body) {
    bool is_computed = sb_model_solution(body->model) != NULL;
    return sb_shape_merge(&body->shape, is_computed);
}

sb_status plot_merging(const mode_body *body, const modes_options *options,
                       const char *path, sb_error *err) {
    if (sb_model_mode_count(body->model) == 0)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "--merge-plot: '%s' has no modes to merge", body->name);
    figure self = {.least = 0.01, .most = 1e4, .merge = merge_of(body)};
    sb_model *other;
    self.after = list_of(body->model);
    sb_status status = find_before(body, options, &self.before, &other, err);
    if (status) return status;
    const mode_list *before = &self.before;
    self.low_hz = fmin(20, 0.9 * before->modes[0].freq_hz);
    self.high_hz = fmax(22000, before->modes[before->count - 1].freq_hz);
    status = sb_picture_create(&self.picture, WIDTH, HEIGHT, err);
    if (!status) {
        draw(&self, body->name);
        status = sb_picture_save(self.picture, path, err);
    }
    sb_picture_destroy(self.picture);
    sb_model_release(other);
    return status;
}
