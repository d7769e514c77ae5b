/* runtime/media/picture/graph_internal.h -- private to graph.c,
 * graph_axes.c and graph_marks.c.
 */
#ifndef SB_MEDIA_PICTURE_GRAPH_INTERNAL_H
#define SB_MEDIA_PICTURE_GRAPH_INTERNAL_H

#include "runtime/media/picture/graph.h"
#include "runtime/media/picture/spectrogram_internal.h"

/* The part of a panel within one view. */
typedef struct graph_box {
    int left, top, width, height;
    double from_s, to_s;
    double low, high;
    const char *across, *unit; /* horizontal axis; NULL: time in s */
    int label_room;            /* for labels of marks, above the frame */
} graph_box;

double graph_x(const graph_box *box, double time_s);
double graph_y(const graph_box *box, double value);

/* Grid, frame and ticks; value labels only beside the first view. */
void graph_values(sb_drawing *d, const graph_box *box,
                  const sb_graph_panel *panel, bool has_labels);
void graph_times(sb_drawing *d, const graph_box *box, bool is_last);
void graph_names(sb_drawing *d, const graph_box *box,
                 const sb_graph_panel *panel, const sb_graph_def *def);

/* graph_marks.c */
int graph_label_room(const sb_graph_def *def); /* pixels, for labels of marks */
void graph_marks(sb_drawing *d, const sb_graph_def *def, const graph_box *box);
void graph_mark_labels(sb_drawing *d, const sb_graph_def *def, int view,
                       const graph_box *box);
/* Width of a view, pixels. */
int graph_view_width(const sb_graph_def *def);

#endif
