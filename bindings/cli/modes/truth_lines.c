/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/truth_lines.c -- sandbell truth --recording --plot: the
 * spectrum of a recording, and over it the predicted partials as lines, each
 * with its error in cents.
 *
 * Thread: control. */
#include "bindings/cli/modes/truth.h"
#include "runtime/base/memory.h"
#include "runtime/media/picture/graph.h"
#include "runtime/media/spectrum.h"

#include <math.h>
#include <stdio.h>

enum { LABEL_SIZE = 17, PADDING = 4 };
/* Long enough to separate modes 12 Hz apart, short enough for those that decay
 * first. */
#define WINDOW_S 0.17
#define RANGE_DB 90.0

typedef struct line_point {
    double hz, level_db;
} line_point;

static const sb_colour recorded_colour = {120, 200, 255, 255};
static const sb_colour predicted_colour = {240, 190, 90, 255};

/* The spectrum at the onset, from 0 to `high_hz`. */
static sb_status measure(const truth_comparison *found, double high_hz,
                         line_point **out, int *count, sb_error *err) {
    int size = (int)(WINDOW_S * found->rate_hz) / 2 * 2;
    int start = (int)(found->onset_s * found->rate_hz) - size / 8;
    sb_spectrum *spectrum;
    sb_status status = sb_spectrum_create(&spectrum, size, PADDING * size,
                                          SB_WINDOW_BLACKMAN_HARRIS, err);
    if (status) return status;
    int bins = sb_spectrum_bin_count(spectrum);
    double step_hz = (double)found->rate_hz / (PADDING * size);
    *count = (int)fmin(bins, high_hz / step_hz);
    float *levels = sb_alloc((size_t)bins, sizeof *levels);
    *out = sb_alloc((size_t)bins, sizeof **out);
    if (levels && *out) {
        sb_stretch stretch = {found->samples, found->sample_count, 1, 0};
        sb_spectrum_levels(spectrum, &stretch, start, levels);
        for (int k = 0; k < *count; k++)
            (*out)[k] = (line_point){k * step_hz, (double)levels[k]};
    } else {
        status = sb_fail(err, SB_NO_MEMORY, "truth: out of memory");
    }
    sb_free(levels);
    sb_spectrum_destroy(spectrum);
    return status;
}

static double highest_hz(const truth_comparison *found) {
    double most = 0.0;
    for (int i = 0; i < found->count; i++) {
        const truth_partial *row = &found->partials[i];
        most = fmax(most, fmax(row->predicted.freq_hz, row->recorded.freq_hz));
    }
    return fmin(1.1 * most, 0.5 * found->rate_hz);
}

/* The predicted partials, each with its error in cents if it was matched. */
static int make_marks(const truth_comparison *found, sb_graph_mark *marks,
                      char (*labels)[LABEL_SIZE]) {
    int count = 0;
    for (int i = 0; i < found->count; i++) {
        const truth_partial *row = &found->partials[i];
        if (!row->predicted.label) continue;
        if (row->recorded.label)
            (void)snprintf(labels[count], LABEL_SIZE, "%+.0f cents",
                           truth_partial_cents(row));
        else
            (void)snprintf(labels[count], LABEL_SIZE, "not found");
        marks[count] = (sb_graph_mark){row->predicted.freq_hz, labels[count]};
        count++;
    }
    return count;
}

static sb_status draw(const line_point *points, int count,
                      const sb_graph_mark *marks, int mark_count,
                      const char *scene, const char *recording,
                      const char *path, sb_error *err) {
    double top_db = SB_SPECTRUM_FLOOR_DB;
    for (int k = 0; k < count; k++)
        top_db = fmax(top_db, points[k].level_db);
    sb_graph_panel panel = {.name = "recorded",
                            .unit = "dB",
                            .low = top_db - RANGE_DB,
                            .high = top_db + 3.0,
                            .curve_count = 1};
    panel.curves[0] =
        (sb_graph_curve){NULL, recorded_colour, offsetof(line_point, level_db)};
    char title[160];
    (void)snprintf(title, sizeof title, "%.70s over %.70s", file_name(scene),
                   file_name(recording));
    sb_graph_def def = {.title = title,
                        .facts = "",
                        .points = points,
                        .point_size = sizeof *points,
                        .point_count = count,
                        .time_offset = offsetof(line_point, hz),
                        .step_s = points[1].hz,
                        .across = "frequency",
                        .across_unit = "Hz",
                        .panels = &panel,
                        .panel_count = 1,
                        .to_s = {points[count - 1].hz},
                        .view_count = 1,
                        .panel_height = 420,
                        .marks = marks,
                        .mark_count = mark_count,
                        .marks_name = "predicted",
                        .marks_colour = predicted_colour};
    return sb_graph_write(path, &def, err);
}

sb_status truth_plot_recording(const truth_comparison *found, const char *scene,
                               const char *recording, const char *path,
                               sb_error *err) {
    line_point *points = NULL;
    int count = 0;
    sb_graph_mark *marks =
        sb_alloc((size_t)found->predicted_count, sizeof *marks);
    char(*labels)[LABEL_SIZE] =
        sb_alloc((size_t)found->predicted_count, sizeof *labels);
    sb_status status = SB_OK;
    if (!marks || !labels)
        status = sb_fail(err, SB_NO_MEMORY, "truth: out of memory");
    if (!status)
        status = measure(found, highest_hz(found), &points, &count, err);
    if (!status)
        status = draw(points, count, marks, make_marks(found, marks, labels),
                      scene, recording, path, err);
    sb_free(points);
    sb_free(marks);
    sb_free(labels);
    return status;
}
