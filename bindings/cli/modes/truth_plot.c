/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/truth_plot.c -- sandbell truth --plot: a row per object.
 *
 * In the middle, measured values are lines up and computed ones lines down, on a
 * logarithmic axis of the row's own. On the right, errors are dots, in bounds:
 * within the bright band a value holds. A dot at the edge lies beyond it.
 *
 * Thread: control. */
#include "bindings/cli/modes/truth.h"
#include "runtime/media/picture/picture.h"

#include <math.h>
#include <stdio.h>

enum {
    LEFT = 20,
    LINES_LEFT = 500, /* the middle part */
    LINES_WIDTH = 400,
    ERRORS_LEFT = 940,
    ERRORS_WIDTH = 360,
    WIDTH = ERRORS_LEFT + ERRORS_WIDTH + 30,
    TOP = 96,
    ROW = 40,
    HALF = 14, /* of a line, and of the band */
    BOTTOM = 52,
    NAME_LETTERS = (LINES_LEFT - LEFT) / SB_LABEL_LETTER - 1,
    DOT = 5,
    MOST_BOUNDS = 3 /* at the edges */
};

static const sb_colour measured_colour = {240, 190, 90, 255};
static const sb_colour computed_colour = {120, 200, 255, 255};
static const sb_colour band_colour = {255, 255, 255, 40};
static const sb_colour miss_colour = {235, 95, 95, 255};

static void write_at(sb_picture *picture, int x, int y, const char *text,
                     sb_colour colour) {
    sb_picture_text(picture, x, y, text, SB_LABEL_SCALE, SB_TEXT_RIGHT, colour);
}

/* --- the lines ------------------------------------------------------------ */

typedef struct row_scale {
    double low, high;
    bool is_linear; /* levels, in dB already */
} row_scale;

static double place(const row_scale *scale, double value) {
    return scale->is_linear ? value : log(value);
}

static void widen(row_scale *scale, double value) {
    scale->low = fmin(scale->low, place(scale, value));
    scale->high = fmax(scale->high, place(scale, value));
}

static void draw_line(sb_picture *picture, const row_scale *scale, double value,
                      int top, sb_colour colour) {
    double way =
        (place(scale, value) - scale->low) / (scale->high - scale->low);
    int x = LINES_LEFT + (int)lrint(way * (LINES_WIDTH - 1));
    sb_picture_rectangle(picture, x, top, 2, HALF, colour);
}

static void draw_lines(sb_picture *picture, const truth_object *object,
                       int middle) {
    row_scale scale = {(double)INFINITY, -(double)INFINITY,
                       truth_is_level(object)};
    for (int i = 0; i < object->count; i++) {
        widen(&scale, object->values[i].measured);
        if (object->values[i].has_computed)
            widen(&scale, object->values[i].computed);
    }
    double margin = fmax(0.05 * (scale.high - scale.low), 0.05);
    scale.low -= margin;
    scale.high += margin;
    sb_picture_rectangle(picture, LINES_LEFT, middle, LINES_WIDTH, 1,
                         sb_colour_line);
    for (int i = 0; i < object->count; i++) {
        const truth_value *value = &object->values[i];
        draw_line(picture, &scale, value->measured, middle - HALF,
                  measured_colour);
        if (value->has_computed)
            draw_line(picture, &scale, value->computed, middle + 1,
                      computed_colour);
    }
}

/* --- the errors ----------------------------------------------------------- */

static int error_x(double bounds) {
    double way = (bounds / MOST_BOUNDS + 1.0) / 2.0;
    way = fmin(fmax(way, 0.0), 1.0);
    return ERRORS_LEFT + (int)lrint(way * (ERRORS_WIDTH - 1));
}

static void draw_errors(sb_picture *picture, const truth_object *object,
                        int middle) {
    sb_picture_rectangle(picture, error_x(-1), middle - HALF,
                         error_x(1) - error_x(-1), 2 * HALF, band_colour);
    sb_picture_rectangle(picture, ERRORS_LEFT, middle, ERRORS_WIDTH, 1,
                         sb_colour_line);
    for (int i = 0; i < object->count; i++) {
        const truth_value *value = &object->values[i];
        if (!value->has_computed) continue;
        int x = error_x(truth_error(object, value) / value->bound);
        sb_picture_rectangle(picture, x - DOT / 2, middle - DOT / 2, DOT, DOT,
                             truth_value_holds(object, value) ? computed_colour
                                                              : miss_colour);
    }
}

static void draw_axis(sb_picture *picture, int bottom) {
    char text[16];
    for (int b = -MOST_BOUNDS; b <= MOST_BOUNDS; b++) {
        sb_picture_rectangle(picture, error_x(b), TOP - 10, 1,
                             bottom - TOP + 10, sb_colour_grid);
        (void)snprintf(text, sizeof text, "%+d", b);
        sb_label_below(picture, error_x(b), bottom, b ? text : "0");
    }
}

/* --- the page ------------------------------------------------------------- */

static void draw_row(sb_picture *picture, const truth_object *object, int top) {
    char name[NAME_LETTERS + 1];
    int middle = top + ROW / 2;
    (void)snprintf(name, sizeof name, "%s", object->object);
    write_at(picture, LEFT, middle - SB_LABEL_CAPITAL / 2, name,
             object->verdict == TRUTH_HOLDS ? sb_colour_label : miss_colour);
    draw_lines(picture, object, middle);
    draw_errors(picture, object, middle);
}

sb_status truth_plot(const truth_object *objects, int count, const char *path,
                     sb_error *err) {
    sb_picture *picture;
    int bottom = TOP + count * ROW;
    sb_status status = sb_picture_create(&picture, WIDTH, bottom + BOTTOM, err);
    if (status) return status;
    sb_picture_fill(picture, sb_colour_ground);
    write_at(picture, LEFT, SB_LABEL_TITLE_TOP, "measured and computed",
             sb_colour_title);
    write_at(picture, LINES_LEFT, SB_LABEL_TITLE_TOP + 36, "up: measured",
             measured_colour);
    write_at(picture, LINES_LEFT + 200, SB_LABEL_TITLE_TOP + 36,
             "down: computed", computed_colour);
    write_at(picture, ERRORS_LEFT, SB_LABEL_TITLE_TOP + 36, "error, in bounds",
             sb_colour_label);
    draw_axis(picture, bottom);
    for (int i = 0; i < count; i++)
        draw_row(picture, &objects[i], TOP + i * ROW);
    status = sb_picture_save(picture, path, err);
    sb_picture_destroy(picture);
    return status;
}
