/* Draws curves in panels over a shared axis. Control thread. */
#include "runtime/media/picture/graph.h"

#include "runtime/media/picture/graph_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

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

/* From this many points per pixel on, a curve is drawn as a band. */
#define CROWDED 3.0

double graph_x(const graph_box *box, double time_s) {
    double way = (time_s - box->from_s) / (box->to_s - box->from_s);
    return box->left + way * (box->width - 1);
}

double graph_y(const graph_box *box, double value) {
    double way = (value - box->low) / (box->high - box->low);
    way = fmin(fmax(way, -0.01), 1.01); /* clip just outside the frame */
    return box->top + (1.0 - way) * (box->height - 1);
}

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

static void fill_column(sb_drawing *d, const graph_box *box, int column,
                        double least, double most, sb_colour colour) {
    int top = (int)lrint(graph_y(box, most));
    int bottom = (int)lrint(graph_y(box, least));
    sb_picture_rectangle(d->picture, box->left + column, top, 1,
                         bottom - top + 2, colour);
}

/* Draw a band; each column is connected to the last point of the one before. */
static void draw_band(sb_drawing *d, const sb_graph_def *def,
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
            fill_column(d, box, column, least, most, curve->colour);
    }
}

static void draw_line(sb_drawing *d, const sb_graph_def *def,
                      const graph_box *box, const sb_graph_curve *curve) {
    double step = def->step_s * box->width / (box->to_s - box->from_s);
    double last_s = -INFINITY, last_x = 0.0, last_y = 0.0;
    bool was_out = false;
    for (int i = find(def, box->from_s); i < def->point_count; i++) {
        double time_s = read(def, i, def->time_offset);
        double value = read(def, i, curve->offset);
        if (time_s > box->to_s) break;
        if (isnan(value)) continue;
        double x = graph_x(box, time_s), y = graph_y(box, value);
        bool is_out = value < box->low || value > box->high;
        if (is_out && was_out) {
            last_s = -INFINITY;
        } else if (time_s - last_s < 1.5 * def->step_s) {
            sb_picture_line(d->picture, last_x, last_y, x, y, curve->colour);
            sb_picture_line(d->picture, last_x, last_y + 1.0, x, y + 1.0,
                            curve->colour);
        }
        if (!is_out && (step > DOT_ROOM || time_s - last_s > 1.5 * def->step_s))
            sb_picture_rectangle(d->picture, (int)lrint(x) - 1,
                                 (int)lrint(y) - 1, 4, 4, curve->colour);
        was_out = is_out;
        last_s = time_s;
        last_x = x;
        last_y = y;
    }
}

static void draw_box(sb_drawing *d, const sb_graph_def *def, int panel,
                     int view, const graph_box *box) {
    const sb_graph_panel *of = &def->panels[panel];
    graph_values(d, box, of, view == 0);
    graph_times(d, box, panel == def->panel_count - 1);
    graph_marks(d, def, box);
    double points = (box->to_s - box->from_s) / def->step_s;
    for (int i = 0; i < of->curve_count; i++) {
        if (points > CROWDED * box->width) {
            draw_band(d, def, box, &of->curves[i]);
        } else {
            draw_line(d, def, box, &of->curves[i]);
        }
    }
    if (view == 0) graph_names(d, box, of, def);
    if (panel == 0) graph_mark_labels(d, def, view, box);
}

int graph_view_width(const sb_graph_def *def) {
    int room = WIDTH - LEFT - RIGHT - BETWEEN * (def->view_count - 1);
    return room / def->view_count;
}

static int panel_height(const sb_graph_def *def) {
    return def->panel_height > 0 ? def->panel_height : PANEL;
}

static void draw(sb_drawing *d, const sb_graph_def *def) {
    int width = graph_view_width(def), height = panel_height(def);
    int room = graph_label_room(def);
    sb_picture_fill(d->picture, sb_drawing_ground);
    for (int v = 0; v < def->view_count; v++) {
        for (int p = 0; p < def->panel_count; p++) {
            draw_box(d, def, p, v,
                     &(graph_box){LEFT + v * (width + BETWEEN),
                                  TOP + room + p * (height + GAP), width,
                                  height, def->from_s[v], def->to_s[v],
                                  def->panels[p].low, def->panels[p].high,
                                  def->across, def->across_unit,
                                  p == 0 ? room : 0});
        }
    }
    sb_picture_text(d->picture, LEFT, SB_DRAWING_TITLE_TOP, def->title,
                    SB_DRAWING_SCALE, SB_TEXT_RIGHT, sb_drawing_title_text);
    int length = sb_picture_text_length(def->facts, SB_DRAWING_SCALE);
    sb_picture_text(d->picture, WIDTH - RIGHT - length, SB_DRAWING_TITLE_TOP,
                    def->facts, SB_DRAWING_SCALE, SB_TEXT_RIGHT,
                    sb_drawing_label_text);
}

sb_status sb_graph_write(const char *path, const sb_graph_def *def,
                         sb_error *err) {
    int height = TOP + graph_label_room(def) +
                 def->panel_count * (panel_height(def) + GAP) - GAP + BOTTOM;
    sb_drawing d = {.def = NULL};
    sb_status status = sb_picture_create(&d.picture, WIDTH, height, err);
    if (status) return status;
    draw(&d, def);
    status = sb_picture_save(d.picture, path, err);
    sb_picture_destroy(d.picture);
    return status;
}
