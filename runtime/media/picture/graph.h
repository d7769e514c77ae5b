/* runtime/media/picture/graph.h -- curves over time, in panels one below the other, or over
 * anything else that grows.
 *
 * All panels share the time axis, which may be shown in two pieces side by side:
 * the whole of it, and a part of it enlarged. Where many points fall on a pixel,
 * a curve is drawn as the band that they fill; where few do, as a line, with a
 * dot for each point when there is room. A point that is no number, or that does
 * not follow the one before within 1.5 steps, ends the line.
 *
 * In the look of our spectrograms.
 *
 * Thread: control. Memory: the caller's; nothing is kept.
 */
#ifndef SB_MEDIA_PICTURE_GRAPH_H
#define SB_MEDIA_PICTURE_GRAPH_H

#include "runtime/base/status.h"
#include "runtime/media/picture/picture.h"

#include <stddef.h>

enum { SB_GRAPH_CURVES = 3, SB_GRAPH_PANELS = 6, SB_GRAPH_VIEWS = 2 };

typedef struct sb_graph_curve {
    const char *name; /* beside it; NULL: the panel's says it */
    sb_colour colour;
    size_t offset; /* of its double in a point */
} sb_graph_curve;

typedef struct sb_graph_panel {
    const char *name, *unit; /* "force", "N" */
    double low, high;        /* of the axis; low < high */
    sb_graph_curve curves[SB_GRAPH_CURVES];
    int curve_count;
} sb_graph_panel;

typedef struct sb_graph_def {
    const char *title, *facts;
    const void *points; /* in the order of their times */
    size_t point_size;
    int point_count;
    size_t time_offset; /* of its time, a double in s */
    double step_s;      /* from one to the next, where none is missing */
    const char *across, *across_unit; /* instead of "time" and "s"; or NULL */
    const sb_graph_panel *panels;
    int panel_count;
    double from_s[SB_GRAPH_VIEWS], to_s[SB_GRAPH_VIEWS];
    int view_count;
} sb_graph_def;

/* Draw and save it as PNG, whole or not at all; errors of picture.h. */
SB_NODISCARD sb_status sb_graph_write(const char *path, const sb_graph_def *def,
                                      sb_error *err);

#endif
