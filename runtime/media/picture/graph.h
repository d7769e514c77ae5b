/* SPDX-License-Identifier: MIT */
/* runtime/media/picture/graph.h -- curves in panels over time or another axis.
 *
 * All panels share the horizontal axis, which may be shown in two views side by
 * side: all of it, and an enlarged part. Where many points fall on a pixel, a
 * curve is drawn as the band that they fill; where few do, as a line, with a
 * dot per point when there is room. A point that is NaN, or more than 1.5 steps
 * after the one before, interrupts the line.
 *
 * Marks are vertical lines through all panels. Their labels are above the first
 * panel, written upwards; where marks are close, the labels move apart and thin
 * lines lead to them.
 *
 * The style is that of our spectrograms.
 *
 * Thread: control. Memory: the caller's; nothing is kept.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/media/picture/picture.h"

#include <stddef.h>

enum { SB_GRAPH_CURVES = 4, SB_GRAPH_PANELS = 6, SB_GRAPH_VIEWS = 2 };

typedef struct sb_graph_curve {
    const char *name; /* label; NULL: the panel's name suffices */
    sb_colour colour;
    size_t offset; /* of the curve's double in a point */
} sb_graph_curve;

typedef struct sb_graph_panel {
    const char *name, *unit; /* "force", "N" */
    double low, high;        /* of the axis; low < high */
    sb_graph_curve curves[SB_GRAPH_CURVES];
    int curve_count;
} sb_graph_panel;

typedef struct sb_graph_mark {
    double at;         /* on the horizontal axis */
    const char *label; /* up to 16 characters are drawn; NULL: none */
} sb_graph_mark;

typedef struct sb_graph_def {
    const char *title, *facts;
    const void *points; /* in order of time */
    size_t point_size;
    int point_count;
    size_t time_offset; /* of the time in a point, a double in s */
    double step_s;      /* regular distance of points; larger ones are gaps */
    const char *across, *across_unit; /* axis label; NULL: "time" in "s" */
    const sb_graph_panel *panels;
    int panel_count;
    double from_s[SB_GRAPH_VIEWS], to_s[SB_GRAPH_VIEWS];
    int view_count;
    int panel_height;           /* pixels; 0: 200 */
    const sb_graph_mark *marks; /* in ascending order, or NULL */
    int mark_count;
    const char *marks_name; /* in the legend, or NULL */
    sb_colour marks_colour;
} sb_graph_def;

/* Labels are drawn at every n-th mark of a view; 1 unless there are too many to
 * be legible. */
int sb_graph_label_step(const sb_graph_def *def, int view);

/* Draw the graph and save it as PNG. The file appears complete or not at all;
 * errors of picture.h. */
SB_NODISCARD sb_status sb_graph_write(const char *path, const sb_graph_def *def,
                                      sb_error *err);
