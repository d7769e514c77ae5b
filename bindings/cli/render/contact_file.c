/* SPDX-License-Identifier: MIT */
#include "bindings/cli/render/contact_file.h"

#include "bindings/cli/console/console.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/engine.h"
#include "runtime/media/picture/graph.h"
#include "runtime/scene/contact/scene_strike.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 40 s at 48 kHz: about 160 MB of memory and of file. */
enum { ROWS_MAX = 2000000, LINE_SIZE = 256 };

sb_status contact_collect(contact_rows *rows, sb_scene *scene,
                          const sb_engine *engine, sb_error *err) {
    double rate_hz = sb_engine_sample_rate(engine);
    sb_traced next;
    while (sb_scene_next_traced(scene, &next)) {
        if (rows->count == ROWS_MAX) {
            return sb_fail(err, SB_NO_MEMORY,
                           "the contact that is watched lasts more than %d "
                           "samples; render a shorter time of it, with "
                           "--duration or at a lower --rate",
                           (int)ROWS_MAX);
        }
        if (!sb_grow_list(rows->items, rows->capacity, rows->count + 1)) {
            return sb_no_memory_for(err, "the contact");
        }
        next.time_frames /= rate_hz;
        rows->items[rows->count++] = next;
    }
    if (sb_engine_rows_lost(engine) > 0)
        return sb_fail(err, SB_NO_MEMORY,
                       "samples of the contact came faster than they were "
                       "taken up");
    return SB_OK;
}

sb_status contact_check(const contact_rows *rows, const sb_scene *scene,
                        long long number, sb_error *err) {
    long long begun = sb_scene_contacts_begun(scene);
    if (begun < number) {
        return sb_fail(err, SB_NOT_FOUND,
                       "--contact: there is no contact %lld; the scene began "
                       "%lld in the time that was rendered",
                       number, begun);
    }
    if (rows->count == 0) {
        return sb_fail(err, SB_NOT_FOUND,
                       "--contact: contact %lld never touched in the time that "
                       "was rendered",
                       number);
    }
    return SB_OK;
}

/* ",1.25", or "," for NaN. */
static int add_cell(char *line, int length, double value) {
    size_t room = LINE_SIZE - (size_t)length;
    if (isnan(value)) return length + snprintf(line + length, room, ",");
    return length + snprintf(line + length, room, ",%.12g", value);
}

static int line_of(const sb_traced *traced, char line[LINE_SIZE]) {
    const sb_trace_row *r = &traced->row;
    const double values[] = {r->force_n,      r->depth_m, r->speed_m_s[0],
                             r->speed_m_s[1], r->in_j,    r->kept_j,
                             r->lost_j,       r->drift};
    int length = snprintf(line, LINE_SIZE, "%.9f", traced->time_frames);
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
        length = add_cell(line, length, values[i]);
    line[length++] = '\n';
    return length;
}

sb_status contact_write(const contact_rows *rows, const char *path,
                        sb_error *err) {
    static const char head[] =
        "t_s,force_n,depth_m,speed_a_m_s,speed_b_m_s,energy_in_j,"
        "energy_kept_j,energy_lost_j,drift\n";
    enum { BUFFER = 1 << 16 };
    char buffer[BUFFER];
    sb_out_file *file = NULL;
    sb_status status = sb_out_file_create(&file, path, err);
    if (status) return status;
    status = sb_out_file_write(file, head, strlen(head), err);
    size_t used = 0;
    for (int i = 0; i < rows->count && !status; i++) {
        used += (size_t)line_of(&rows->items[i], buffer + used);
        if (used + LINE_SIZE <= BUFFER && i + 1 < rows->count) continue;
        status = sb_out_file_write(file, buffer, used, err);
        used = 0;
    }
    if (!status) return sb_out_file_commit(file, err);
    sb_out_file_abort(file);
    return status;
}

void contact_rows_free(contact_rows *rows) {
    sb_free(rows->items);
    *rows = (contact_rows){NULL, 0, 0};
}

#define OFFSET(field) offsetof(sb_traced, row.field)

static const sb_colour blue = {120, 168, 255, 255};
static const sb_colour orange = {244, 150, 76, 255};
static const sb_colour green = {130, 224, 160, 255};

/* A contact of more than CALM samples is shown in two views; the second is
 * CLOSE samples long. */
enum { CALM = 2000, CLOSE = 960 };

/* --- when it touches ------------------------------------------------------ */

typedef struct touch_times {
    int count;           /* from touch to release */
    double from_s, to_s; /* the first touch and the last release */
    double most_s;       /* time of the largest force */
    double first_s,
        last_s;   /* begin and end of the touch with the largest force */
    double drift; /* largest absolute value */
} touch_times;

static touch_times find_touches(const contact_rows *rows, double step_s) {
    touch_times t = {.from_s = INFINITY};
    double most = 0.0, begun_s = 0.0, last_s = -INFINITY;
    bool is_greatest = false;
    for (int i = 0; i < rows->count; i++) {
        const sb_traced *row = &rows->items[i];
        double force = fabs(row->row.force_n), at = row->time_frames;
        if (fabs(row->row.drift) > fabs(t.drift)) t.drift = row->row.drift;
        if (!(force > 0.0)) continue;
        if (at - last_s > 1.5 * step_s) {
            t.count++;
            begun_s = at - step_s;
            is_greatest = false;
        }
        t.from_s = fmin(t.from_s, at - step_s);
        t.to_s = last_s = at;
        if (force > most) {
            most = force;
            t.most_s = at;
            t.first_s = begun_s;
            is_greatest = true;
        }
        if (is_greatest) t.last_s = at;
    }
    if (t.count == 0) { /* close, but never touching */
        t.from_s = t.first_s = rows->items[0].time_frames;
        t.to_s = t.last_s = rows->items[rows->count - 1].time_frames;
    }
    return t;
}

/* Choose the time spans of the views; none starts before `earliest_s`. */
static void set_views(const touch_times *t, double step_s, double earliest_s,
                      sb_graph_def *def) {
    double span = t->to_s - t->from_s, touch = t->last_s - t->first_s;
    double margin = fmax(0.05 * span, 3.0 * step_s);
    def->from_s[0] = fmax(t->from_s - margin, earliest_s);
    def->to_s[0] = t->to_s + margin;
    def->view_count = 1;
    if (span < CALM * step_s && touch > 0.125 * span) return;
    def->view_count = 2;
    margin = fmax(0.4 * touch, 4.0 * step_s);
    def->from_s[1] = fmax(t->first_s - margin, earliest_s);
    def->to_s[1] = t->last_s + margin;
    if (touch <= CLOSE * step_s) return;
    def->from_s[1] = fmax(t->most_s - 0.3 * CLOSE * step_s, earliest_s);
    def->to_s[1] = def->from_s[1] + CLOSE * step_s;
}

/* --- what there is to see ------------------------------------------------- */

/* Widen a panel's range to include a curve. For the penetration only samples in
 * contact count; in the air it is the distance. */
static bool measure(const contact_rows *rows, const sb_graph_def *def,
                    const sb_graph_curve *curve, bool touching_only,
                    sb_graph_panel *panel) {
    bool has_any = false;
    for (int i = 0; i < rows->count; i++) {
        const sb_traced *row = &rows->items[i];
        double value;
        memcpy(&value, (const char *)row + curve->offset, sizeof value);
        if (isnan(value)) continue;
        has_any = true;
        if (touching_only && row->row.force_n == 0.0) continue;
        if (row->time_frames < def->from_s[0] ||
            row->time_frames > def->to_s[0])
            continue;
        panel->low = fmin(panel->low, value);
        panel->high = fmax(panel->high, value);
    }
    return has_any;
}

static void add_panel(const contact_rows *rows, sb_graph_def *def,
                      sb_graph_panel *panels, sb_graph_panel panel,
                      bool touching_only) {
    bool has_any = false;
    for (int i = 0; i < panel.curve_count; i++)
        has_any |= measure(rows, def, &panel.curves[i], touching_only, &panel);
    if (!has_any) return;
    /* The last sample may lie after the release, at some distance. */
    if (touching_only && panel.high > 0.0)
        panel.low = fmax(panel.low, -0.3 * panel.high);
    double span = panel.high - panel.low;
    if (!(span > 0.0)) span = 1e-12;
    if (panel.low < 0.0) panel.low -= 0.06 * span;
    panel.high += 0.1 * span;
    panels[def->panel_count++] = panel;
}

static void choose_panels(const contact_rows *rows, sb_graph_def *def,
                          sb_graph_panel panels[SB_GRAPH_PANELS]) {
    const sb_graph_panel all[] = {
        {.name = "force",
         .unit = "N",
         .curves = {{NULL, blue, OFFSET(force_n)}},
         .curve_count = 1},
        {.name = "depth",
         .unit = "m",
         .curves = {{NULL, blue, OFFSET(depth_m)}},
         .curve_count = 1},
        {.name = "speed",
         .unit = "m/s",
         .curves = {{"a: the body", blue, OFFSET(speed_m_s[0])},
                    {"b: the other", orange, OFFSET(speed_m_s[1])}},
         .curve_count = 2},
        {.name = "energy",
         .unit = "J",
         .curves = {{"in", orange, OFFSET(in_j)},
                    {"kept", blue, OFFSET(kept_j)},
                    {"lost", green, OFFSET(lost_j)}},
         .curve_count = 3}};
    for (int i = 0; i < 4; i++)
        add_panel(rows, def, panels, all[i], i == 1);
}

sb_status contact_plot(const contact_rows *rows, double rate_hz,
                       const char *scene_path, long long number,
                       const char *path, sb_error *err) {
    double step_s = 1.0 / rate_hz;
    touch_times t = find_touches(rows, step_s);
    char title[96], facts[96];
    (void)snprintf(title, sizeof title, "%.60s, contact %lld",
                   file_name(scene_path), number);
    (void)snprintf(facts, sizeof facts, "%g Hz  %d %s  drift %.1g", rate_hz,
                   COUNTED(t.count, "touch", "touches"), t.drift);
    sb_graph_panel panels[SB_GRAPH_PANELS];
    sb_graph_def def = {.title = title,
                        .facts = facts,
                        .points = rows->items,
                        .point_size = sizeof *rows->items,
                        .point_count = rows->count,
                        .time_offset = offsetof(sb_traced, time_frames),
                        .step_s = step_s,
                        .panels = panels};
    double earliest_s = rows->items[0].time_frames - 1.5 * step_s;
    set_views(&t, step_s, fmax(earliest_s, 0.0), &def);
    choose_panels(rows, &def, panels);
    return sb_graph_write(path, &def, err);
}
