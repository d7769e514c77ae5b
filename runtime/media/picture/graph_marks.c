/* Draws the marks of a graph and places their labels. Control thread. */
#include "runtime/media/picture/graph_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    LABEL_MOST = 16, /* characters */
    LEADER = 18,     /* height of the lines that lead to labels, pixels */
    /* Distance of labels: a line of text, with descenders. */
    DISTANCE = SB_FONT_HEIGHT * SB_DRAWING_SCALE + 2,
    FIT_MOST = 128 /* more labels than fit into the widest view */
};

/* Labels as they are drawn, cut if they are too long. */
static void clip(const char *label, char out[LABEL_MOST + 1]) {
    int length = snprintf(out, LABEL_MOST + 1, "%s", label);
    if (length > LABEL_MOST) out[LABEL_MOST - 1] = out[LABEL_MOST - 2] = '.';
}

static bool is_seen(const sb_graph_def *def, int mark, int view) {
    double at = def->marks[mark].at;
    return at >= def->from_s[view] && at <= def->to_s[view];
}

static bool has_label(const sb_graph_def *def, int mark, int view) {
    return def->marks[mark].label && is_seen(def, mark, view);
}

int sb_graph_label_step(const sb_graph_def *def, int view) {
    int fit = graph_view_width(def) / DISTANCE, count = 0;
    for (int i = 0; i < def->mark_count; i++)
        count += has_label(def, i, view);
    return count <= fit ? 1 : (count + fit - 1) / fit;
}

int graph_label_room(const sb_graph_def *def) {
    int longest = 0;
    for (int v = 0; v < def->view_count; v++) {
        for (int i = 0; i < def->mark_count; i++) {
            if (!has_label(def, i, v)) continue;
            char text[LABEL_MOST + 1];
            clip(def->marks[i].label, text);
            int length = sb_picture_text_length(text, SB_DRAWING_SCALE);
            if (length > longest) longest = length;
        }
    }
    return longest > 0 ? longest + LEADER + SB_DRAWING_PAD : 0;
}

void graph_marks(sb_drawing *d, const sb_graph_def *def, const graph_box *box) {
    for (int i = 0; i < def->mark_count; i++) {
        double at = def->marks[i].at;
        if (!(at >= box->from_s && at <= box->to_s)) continue;
        sb_picture_rectangle(d->picture, (int)lrint(graph_x(box, at)), box->top,
                             1, box->height, def->marks_colour);
    }
}

/* Move labels apart by as little as possible: with y_i = x_i - i * distance,
 * the nearest ascending y in the least squares, by pooling neighbours that are
 * out of order, within the limits. */
static void spread(const graph_box *box, const double *wanted, int count,
                   double *out) {
    double mean[FIT_MOST];
    int size[FIT_MOST], pools = 0;
    for (int i = 0; i < count; i++) {
        mean[pools] = wanted[i] - i * (double)DISTANCE;
        size[pools++] = 1;
        while (pools > 1 && mean[pools - 2] > mean[pools - 1]) {
            int a = size[pools - 2], b = size[pools - 1];
            mean[pools - 2] =
                (a * mean[pools - 2] + b * mean[pools - 1]) / (a + b);
            size[--pools - 1] = a + b;
        }
    }
    double low = box->left;
    double high = low + box->width - 1.0 - (count - 1) * (double)DISTANCE;
    for (int p = 0, i = 0; p < pools; p++) {
        for (int k = 0; k < size[p]; k++, i++)
            out[i] = fmax(low, fmin(mean[p], high)) + i * (double)DISTANCE;
    }
}

void graph_mark_labels(sb_drawing *d, const sb_graph_def *def, int view,
                       const graph_box *box) {
    double wanted[FIT_MOST], x[FIT_MOST];
    int chosen[FIT_MOST], count = 0, seen = 0;
    int step = sb_graph_label_step(def, view);
    for (int i = 0; i < def->mark_count && count < FIT_MOST; i++) {
        if (!has_label(def, i, view) || seen++ % step != 0) continue;
        wanted[count] = graph_x(box, def->marks[i].at);
        chosen[count++] = i;
    }
    spread(box, wanted, count, x);
    sb_colour leader = def->marks_colour;
    leader.opacity = (uint8_t)(leader.opacity / 2);
    for (int i = 0; i < count; i++) {
        char text[LABEL_MOST + 1];
        clip(def->marks[chosen[i]].label, text);
        sb_picture_line(d->picture, x[i], box->top - LEADER, wanted[i],
                        box->top - 2, leader);
        sb_picture_text(d->picture, (int)lrint(x[i]) - SB_DRAWING_CAPITAL / 2,
                        box->top - LEADER - SB_DRAWING_PAD / 2, text,
                        SB_DRAWING_SCALE, SB_TEXT_UP, sb_drawing_label_text);
    }
}
