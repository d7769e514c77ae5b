/* SPDX-License-Identifier: MIT */
#include "runtime/media/picture/graph.h"

#include "runtime/media/picture/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The part of a panel within one view. */
typedef struct graph_box {
    int left, top, width, height;
    double from_s, to_s;
    double low, high;
    const char *across, *unit; /* horizontal axis; NULL: time in s */
    int label_room;            /* for labels of marks, above the frame */
} graph_box;

enum {
    WIDTH = 1600,
    LEFT = 118,
    RIGHT = 28,
    BETWEEN = 22, /* between views */
    TOP = 66,
    PANEL = 200,
    GAP = 34, /* between panels, for the names of curves */
    BOTTOM = 72,
    DOT_ROOM = 7 /* least distance of points that are drawn as dots, pixels */
};
enum { VALUE_STEP = 34, TIME_STEP = 100, STEPS_MAX = 100 };

/* An SI prefix: each is a thousand times the one before. */
typedef struct prefix {
    double factor;
    const char *letter;
} prefix;

static prefix prefix_of(double size) {
    static const prefix prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                                      {1.0, ""},   {1e-3, "m"}, {1e-6, "u"},
                                      {1e-9, "n"}, {1e-12, "p"}};
    int last = (int)(sizeof prefixes / sizeof *prefixes) - 1;
    for (int i = 0; i < last; i++)
        if (size >= prefixes[i].factor * 0.9999999) return prefixes[i];
    return prefixes[last];
}

static int decimals_of(double step) {
    return step < 1.0 ? (int)ceil(-log10(step) - 1e-9) : 0;
}

static double x_of(const graph_box *box, double time_s) {
    double way = (time_s - box->from_s) / (box->to_s - box->from_s);
    return box->left + way * (box->width - 1);
}

static double y_of(const graph_box *box, double value) {
    double way = (value - box->low) / (box->high - box->low);
    way = fmin(fmax(way, -0.01), 1.01); /* clip just outside the frame */
    return box->top + (1.0 - way) * (box->height - 1);
}

/* Grid, frame and ticks; value labels only beside the first view. */
static void draw_values(sb_picture *picture, const graph_box *box,
                        const sb_graph_panel *panel, bool has_labels) {
    double span = box->high - box->low;
    double step = sb_nice_step(VALUE_STEP * span / box->height);
    prefix p = prefix_of(fmax(fabs(box->low), fabs(box->high)));
    int decimals = decimals_of(step / p.factor);
    double first = ceil(box->low / step - 1e-9);
    for (int i = 0; i < STEPS_MAX; i++) {
        double value = (first + i) * step;
        if (value > box->high + 1e-9 * span) break;
        int row = (int)lrint(y_of(box, value));
        sb_picture_rectangle(picture, box->left, row, box->width, 1,
                             sb_colour_grid);
        if (first + i == 0.0) /* a brighter line at zero */
            sb_picture_rectangle(picture, box->left, row, box->width, 1,
                                 sb_colour_grid);
        if (!has_labels) continue;
        char text[SB_LABEL_TEXT_SIZE];
        sb_picture_rectangle(picture, box->left - 1 - SB_LABEL_TICK, row,
                             SB_LABEL_TICK, 1, sb_colour_line);
        (void)snprintf(text, sizeof text, "%.*f", decimals,
                       value / p.factor + 0.0);
        sb_label_left(picture, box->left - SB_LABEL_TICK - SB_LABEL_PAD / 2,
                      row, text);
    }
    sb_picture_frame(picture, box->left, box->top, box->width, box->height);
    if (!has_labels) return;
    char name[SB_LABEL_TEXT_SIZE];
    (void)snprintf(name, sizeof name, "%s, %s%s", panel->name, p.letter,
                   panel->unit);
    sb_label_up(picture, SB_LABEL_PAD, box->top + box->height / 2.0, name);
}

/* The labels of a short range far from 0 count from its beginning. */
static double origin_of(const graph_box *box) {
    double span = box->to_s - box->from_s;
    if (box->from_s < 20.0 * span) return 0.0;
    double step = sb_nice_step(span);
    return ceil(box->from_s / step) * step;
}

static void draw_times(sb_picture *picture, const graph_box *box,
                       bool is_last) {
    double span = box->to_s - box->from_s, origin = origin_of(box);
    double step = sb_nice_step(TIME_STEP * span / box->width);
    /* Times get no prefix above 1: kiloseconds are not used. */
    prefix p = prefix_of(fmin(fmax(span, step), box->across ? INFINITY : 1.0));
    int decimals = decimals_of(step / p.factor);
    int bottom = box->top + box->height;
    double first = ceil((box->from_s - origin) / step - 1e-9);
    char text[SB_LABEL_TEXT_SIZE];
    for (int i = 0; i < STEPS_MAX; i++) {
        double time_s = (first + i) * step;
        if (origin + time_s > box->to_s + 1e-9 * span) break;
        double x = x_of(box, origin + time_s);
        sb_picture_rectangle(picture, (int)lrint(x), box->top, 1, box->height,
                             sb_colour_grid);
        if (!is_last) continue;
        sb_picture_rectangle(picture, (int)lrint(x), bottom, 1, SB_LABEL_TICK,
                             sb_colour_line);
        (void)snprintf(text, sizeof text, "%.*f", decimals,
                       time_s / p.factor + 0.0);
        sb_label_below(picture, x, bottom + SB_LABEL_TICK + SB_LABEL_PAD, text);
    }
    if (!is_last) return;
    const char *across = box->across ? box->across : "time";
    const char *unit = box->across ? box->unit : "s";
    if (origin == 0.0) {
        (void)snprintf(text, sizeof text, "%s, %s%s", across, p.letter, unit);
    } else {
        (void)snprintf(text, sizeof text, "%s%s after %.9g %s", p.letter, unit,
                       origin, unit);
    }
    sb_label_below(picture, box->left + box->width / 2.0,
                   bottom + SB_LABEL_TICK + 2 * SB_LABEL_PAD + SB_LABEL_CAPITAL,
                   text);
}

static int write_name(sb_picture *picture, int x, int y, const char *name,
                      sb_colour colour) {
    sb_picture_text(picture, x, y, name, SB_LABEL_SCALE, SB_TEXT_RIGHT, colour);
    return x + sb_picture_text_length(name, SB_LABEL_SCALE) +
           2 * SB_LABEL_LETTER;
}

static void draw_names(sb_picture *picture, const graph_box *box,
                       const sb_graph_panel *panel, const sb_graph_def *def) {
    int x = box->left;
    int y = box->top - box->label_room - SB_LABEL_CAPITAL - SB_LABEL_PAD;
    for (int i = 0; i < panel->curve_count; i++) {
        const sb_graph_curve *curve = &panel->curves[i];
        if (curve->name)
            x = write_name(picture, x, y, curve->name, curve->colour);
    }
    if (panel == def->panels && def->marks_name && def->mark_count > 0)
        (void)write_name(picture, x, y, def->marks_name, def->marks_colour);
}

enum {
    LABEL_MOST = 16, /* characters */
    LEADER = 18,     /* height of the lines that lead to labels, pixels */
    /* Distance of labels: a line of text, with descenders. */
    DISTANCE = SB_FONT_HEIGHT * SB_LABEL_SCALE + 2,
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

/* Width of a view, pixels. */
static int view_width(const sb_graph_def *def) {
    int room = WIDTH - LEFT - RIGHT - BETWEEN * (def->view_count - 1);
    return room / def->view_count;
}

int sb_graph_label_step(const sb_graph_def *def, int view) {
    int fit = view_width(def) / DISTANCE, count = 0;
    for (int i = 0; i < def->mark_count; i++)
        count += has_label(def, i, view);
    return count <= fit ? 1 : (count + fit - 1) / fit;
}

/* Pixels, for labels of marks, above the first panel. */
static int label_room_of(const sb_graph_def *def) {
    int longest = 0;
    for (int v = 0; v < def->view_count; v++) {
        for (int i = 0; i < def->mark_count; i++) {
            if (!has_label(def, i, v)) continue;
            char text[LABEL_MOST + 1];
            clip(def->marks[i].label, text);
            int length = sb_picture_text_length(text, SB_LABEL_SCALE);
            if (length > longest) longest = length;
        }
    }
    return longest > 0 ? longest + LEADER + SB_LABEL_PAD : 0;
}

static void draw_marks(sb_picture *picture, const sb_graph_def *def,
                       const graph_box *box) {
    for (int i = 0; i < def->mark_count; i++) {
        double at = def->marks[i].at;
        if (!(at >= box->from_s && at <= box->to_s)) continue;
        sb_picture_rectangle(picture, (int)lrint(x_of(box, at)), box->top, 1,
                             box->height, def->marks_colour);
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

static void draw_mark_labels(sb_picture *picture, const sb_graph_def *def,
                             int view, const graph_box *box) {
    double wanted[FIT_MOST], x[FIT_MOST];
    int chosen[FIT_MOST], count = 0, seen = 0;
    int step = sb_graph_label_step(def, view);
    for (int i = 0; i < def->mark_count && count < FIT_MOST; i++) {
        if (!has_label(def, i, view) || seen++ % step != 0) continue;
        wanted[count] = x_of(box, def->marks[i].at);
        chosen[count++] = i;
    }
    spread(box, wanted, count, x);
    sb_colour leader = def->marks_colour;
    leader.opacity = (uint8_t)(leader.opacity / 2);
    for (int i = 0; i < count; i++) {
        char text[LABEL_MOST + 1];
        clip(def->marks[chosen[i]].label, text);
        sb_picture_line(picture, x[i], box->top - LEADER, wanted[i],
                        box->top - 2, leader);
        sb_picture_text(picture, (int)lrint(x[i]) - SB_LABEL_CAPITAL / 2,
                        box->top - LEADER - SB_LABEL_PAD / 2, text,
                        SB_LABEL_SCALE, SB_TEXT_UP, sb_colour_label);
    }
}

/* From this many points per pixel on, a curve is drawn as a band. */
#define CROWDED 3.0

static double read(const sb_graph_def *def, int i, size_t offset) {
    const char *point = (const char *)def->points + (size_t)i * def->point_size;
    return *(const double *)(const void *)(point + offset);
}

/* The index of the first point at or after a time. */
static int find(const sb_graph_def *def, double time_s) {
    int low = 0, high = def->point_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (read(def, middle, def->time_offset) < time_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void fill_column(sb_picture *picture, const graph_box *box, int column,
                        double least, double most, sb_colour colour) {
    int top = (int)lrint(y_of(box, most));
    int bottom = (int)lrint(y_of(box, least));
    sb_picture_rectangle(picture, box->left + column, top, 1, bottom - top + 2,
                         colour);
}

/* Draw a band; each column is connected to the last point of the one before. */
static void draw_band(sb_picture *picture, const sb_graph_def *def,
                      const graph_box *box, const sb_graph_curve *curve) {
    int i = find(def, box->from_s);
    double before = NAN, before_s = -INFINITY;
    for (int column = 0; column < box->width; column++) {
        double end_s = box->from_s +
                       (box->to_s - box->from_s) * (column + 1.0) / box->width;
        double least = INFINITY, most = -INFINITY;
        for (; i < def->point_count; i++) {
            double time_s = read(def, i, def->time_offset);
            double value = read(def, i, curve->offset);
            if (time_s >= end_s) break;
            if (isnan(value)) continue;
            bool follows = time_s - before_s < 1.5 * def->step_s;
            least = fmin(least, follows ? fmin(value, before) : value);
            most = fmax(most, follows ? fmax(value, before) : value);
            before = value;
            before_s = time_s;
        }
        if (least <= most && most >= box->low && least <= box->high)
            fill_column(picture, box, column, least, most, curve->colour);
    }
}

static void draw_line(sb_picture *picture, const sb_graph_def *def,
                      const graph_box *box, const sb_graph_curve *curve) {
    double step = def->step_s * box->width / (box->to_s - box->from_s);
    double last_s = -INFINITY, last_x = 0.0, last_y = 0.0;
    bool was_out = false;
    for (int i = find(def, box->from_s); i < def->point_count; i++) {
        double time_s = read(def, i, def->time_offset);
        double value = read(def, i, curve->offset);
        if (time_s > box->to_s) break;
        if (isnan(value)) continue;
        double x = x_of(box, time_s), y = y_of(box, value);
        bool is_out = value < box->low || value > box->high;
        if (is_out && was_out) {
            last_s = -INFINITY;
        } else if (time_s - last_s < 1.5 * def->step_s) {
            sb_picture_line(picture, last_x, last_y, x, y, curve->colour);
            sb_picture_line(picture, last_x, last_y + 1.0, x, y + 1.0,
                            curve->colour);
        }
        if (!is_out && (step > DOT_ROOM || time_s - last_s > 1.5 * def->step_s))
            sb_picture_rectangle(picture, (int)lrint(x) - 1, (int)lrint(y) - 1,
                                 4, 4, curve->colour);
        was_out = is_out;
        last_s = time_s;
        last_x = x;
        last_y = y;
    }
}

static void draw_box(sb_picture *picture, const sb_graph_def *def, int panel,
                     int view, const graph_box *box) {
    const sb_graph_panel *of = &def->panels[panel];
    draw_values(picture, box, of, view == 0);
    draw_times(picture, box, panel == def->panel_count - 1);
    draw_marks(picture, def, box);
    double points = (box->to_s - box->from_s) / def->step_s;
    for (int i = 0; i < of->curve_count; i++) {
        if (points > CROWDED * box->width) {
            draw_band(picture, def, box, &of->curves[i]);
        } else {
            draw_line(picture, def, box, &of->curves[i]);
        }
    }
    if (view == 0) draw_names(picture, box, of, def);
    if (panel == 0) draw_mark_labels(picture, def, view, box);
}

static int panel_height(const sb_graph_def *def) {
    return def->panel_height > 0 ? def->panel_height : PANEL;
}

static void draw(sb_picture *picture, const sb_graph_def *def) {
    int width = view_width(def), height = panel_height(def);
    int room = label_room_of(def);
    sb_picture_fill(picture, sb_colour_ground);
    for (int v = 0; v < def->view_count; v++) {
        for (int p = 0; p < def->panel_count; p++) {
            draw_box(picture, def, p, v,
                     &(graph_box){LEFT + v * (width + BETWEEN),
                                  TOP + room + p * (height + GAP), width,
                                  height, def->from_s[v], def->to_s[v],
                                  def->panels[p].low, def->panels[p].high,
                                  def->across, def->across_unit,
                                  p == 0 ? room : 0});
        }
    }
    sb_picture_text(picture, LEFT, SB_LABEL_TITLE_TOP, def->title,
                    SB_LABEL_SCALE, SB_TEXT_RIGHT, sb_colour_title);
    int length = sb_picture_text_length(def->facts, SB_LABEL_SCALE);
    sb_picture_text(picture, WIDTH - RIGHT - length, SB_LABEL_TITLE_TOP,
                    def->facts, SB_LABEL_SCALE, SB_TEXT_RIGHT, sb_colour_label);
}

sb_status sb_graph_write(const char *path, const sb_graph_def *def,
                         sb_error *err) {
    int height = TOP + label_room_of(def) +
                 def->panel_count * (panel_height(def) + GAP) - GAP + BOTTOM;
    sb_picture *picture;
    sb_status status = sb_picture_create(&picture, WIDTH, height, err);
    if (status) return status;
    draw(picture, def);
    status = sb_picture_save(picture, path, err);
    sb_picture_destroy(picture);
    return status;
}
