/* Draws the axes, grids and curve names of a graph. Control thread. */
#include "runtime/media/picture/graph_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

void graph_values(sb_drawing *d, const graph_box *box,
                  const sb_graph_panel *panel, bool has_labels) {
    double span = box->high - box->low;
    double step = sb_drawing_nice_step(VALUE_STEP * span / box->height);
    prefix p = prefix_of(fmax(fabs(box->low), fabs(box->high)));
    int decimals = decimals_of(step / p.factor);
    double first = ceil(box->low / step - 1e-9);
    for (int i = 0; i < STEPS_MAX; i++) {
        double value = (first + i) * step;
        if (value > box->high + 1e-9 * span) break;
        int row = (int)lrint(graph_y(box, value));
        sb_picture_rectangle(d->picture, box->left, row, box->width, 1,
                             sb_drawing_grid);
        if (first + i == 0.0) /* a brighter line at zero */
            sb_picture_rectangle(d->picture, box->left, row, box->width, 1,
                                 sb_drawing_grid);
        if (!has_labels) continue;
        char text[SB_DRAWING_TEXT_SIZE];
        sb_picture_rectangle(d->picture, box->left - 1 - SB_DRAWING_TICK, row,
                             SB_DRAWING_TICK, 1, sb_drawing_line);
        (void)snprintf(text, sizeof text, "%.*f", decimals,
                       value / p.factor + 0.0);
        sb_drawing_text_left(
            d, box->left - SB_DRAWING_TICK - SB_DRAWING_PAD / 2, row, text);
    }
    sb_drawing_frame(d, box->left, box->top, box->width, box->height);
    if (!has_labels) return;
    char name[SB_DRAWING_TEXT_SIZE];
    (void)snprintf(name, sizeof name, "%s, %s%s", panel->name, p.letter,
                   panel->unit);
    sb_drawing_text_up(d, SB_DRAWING_PAD, box->top + box->height / 2.0, name);
}

/* The labels of a short range far from 0 count from its beginning. */
static double origin_of(const graph_box *box) {
    double span = box->to_s - box->from_s;
    if (box->from_s < 20.0 * span) return 0.0;
    double step = sb_drawing_nice_step(span);
    return ceil(box->from_s / step) * step;
}

void graph_times(sb_drawing *d, const graph_box *box, bool is_last) {
    double span = box->to_s - box->from_s, origin = origin_of(box);
    double step = sb_drawing_nice_step(TIME_STEP * span / box->width);
    /* Times get no prefix above 1: kiloseconds are not used. */
    prefix p = prefix_of(fmin(fmax(span, step), box->across ? INFINITY : 1.0));
    int decimals = decimals_of(step / p.factor);
    int bottom = box->top + box->height;
    double first = ceil((box->from_s - origin) / step - 1e-9);
    char text[SB_DRAWING_TEXT_SIZE];
    for (int i = 0; i < STEPS_MAX; i++) {
        double time_s = (first + i) * step;
        if (origin + time_s > box->to_s + 1e-9 * span) break;
        double x = graph_x(box, origin + time_s);
        sb_picture_rectangle(d->picture, (int)lrint(x), box->top, 1,
                             box->height, sb_drawing_grid);
        if (!is_last) continue;
        sb_picture_rectangle(d->picture, (int)lrint(x), bottom, 1,
                             SB_DRAWING_TICK, sb_drawing_line);
        (void)snprintf(text, sizeof text, "%.*f", decimals,
                       time_s / p.factor + 0.0);
        sb_drawing_text_below(d, x, bottom + SB_DRAWING_TICK + SB_DRAWING_PAD,
                              text);
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
    sb_drawing_text_below(d, box->left + box->width / 2.0,
                          bottom + SB_DRAWING_TICK + 2 * SB_DRAWING_PAD +
                              SB_DRAWING_CAPITAL,
                          text);
}

static int write_name(sb_drawing *d, int x, int y, const char *name,
                      sb_colour colour) {
    sb_picture_text(d->picture, x, y, name, SB_DRAWING_SCALE, SB_TEXT_RIGHT,
                    colour);
    return x + sb_picture_text_length(name, SB_DRAWING_SCALE) +
           2 * SB_DRAWING_LETTER;
}

void graph_names(sb_drawing *d, const graph_box *box,
                 const sb_graph_panel *panel, const sb_graph_def *def) {
    int x = box->left;
    int y = box->top - box->label_room - SB_DRAWING_CAPITAL - SB_DRAWING_PAD;
    for (int i = 0; i < panel->curve_count; i++) {
        const sb_graph_curve *curve = &panel->curves[i];
        if (curve->name) x = write_name(d, x, y, curve->name, curve->colour);
    }
    if (panel == def->panels && def->marks_name && def->mark_count > 0)
        (void)write_name(d, x, y, def->marks_name, def->marks_colour);
}
