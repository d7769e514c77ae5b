/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/fit_compare.c -- synthesises a fit and compares it with the
 * recordings it came from.
 * Thread: control. */
#include "bindings/cli/modes/verb_fit.h"
#include "runtime/base/memory.h"
#include "runtime/fit/fit.h"
#include "runtime/media/picture/picture.h"
#include "runtime/media/spectrum.h"

#include <math.h>
#include <stdio.h>

enum {
    PANEL_WIDTH = 420,
    PANEL_HEIGHT = 180,
    MARGIN = 56,
    GAP = 26,
    HEAD = 40,
    WINDOW = 2048,
    MOST_DRAWN = 8 /* recordings; more do not fit on a page */
};
#define LOW_HZ   40.0
#define HIGH_HZ  20000.0
#define RANGE_DB 90.0

static const sb_colour ink = {220, 220, 220, 255};

typedef struct drawing {
    sb_picture *picture;
    sb_spectrum *spectrum;
    float *levels;
    sb_colour map[SB_COLOUR_MAP_SIZE];
    int rate_hz;
    double top_db; /* the brightest */
} drawing;

static double row_hz(const drawing *d, int row) {
    double high_hz = fmin(HIGH_HZ, 0.5 * d->rate_hz);
    return LOW_HZ * pow(high_hz / LOW_HZ, 1.0 - (row + 0.5) / PANEL_HEIGHT);
}

static double loudest_level(drawing *d, const float *x, int count) {
    sb_stretch stretch = {x, count, 1, 0};
    float most = SB_SPECTRUM_FLOOR_DB;
    for (int64_t start = -WINDOW / 2; start < count; start += WINDOW) {
        sb_spectrum_levels(d->spectrum, &stretch, start, d->levels);
        for (int k = 0; k < sb_spectrum_bin_count(d->spectrum); k++)
            most = fmaxf(most, d->levels[k]);
    }
    return (double)most;
}

static void draw_sound(drawing *d, const float *x, int count, int left,
                       int top) {
    sb_stretch stretch = {x, count, 1, 0};
    int bins = sb_spectrum_bin_count(d->spectrum);
    for (int column = 0; column < PANEL_WIDTH; column++) {
        int64_t middle = (int64_t)((column + 0.5) * count / PANEL_WIDTH);
        sb_spectrum_levels(d->spectrum, &stretch, middle - WINDOW / 2,
                           d->levels);
        for (int row = 0; row < PANEL_HEIGHT; row++) {
            int bin = (int)lround(row_hz(d, row) * WINDOW * 2 / d->rate_hz);
            double db = (double)d->levels[bin < bins ? bin : bins - 1];
            double part = (db - d->top_db + RANGE_DB) / RANGE_DB;
            int shade =
                (int)(fmin(fmax(part, 0.0), 1.0) * (SB_COLOUR_MAP_SIZE - 1));
            sb_picture_pixel(d->picture, left + column, top + row,
                             d->map[shade]);
        }
    }
}

static void draw_axis(const drawing *d, int top) {
    static const struct {
        double hz;
        const char *label;
    } marks[] = {{100, "100"}, {1000, "1k"}, {10000, "10k"}};
    double high_hz = fmin(HIGH_HZ, 0.5 * d->rate_hz);
    for (int i = 0; i < 3; i++) {
        double part = log(marks[i].hz / LOW_HZ) / log(high_hz / LOW_HZ);
        if (part > 1.0) continue;
        int y = top + (int)((1.0 - part) * PANEL_HEIGHT);
        int length = sb_picture_text_length(marks[i].label, 1);
        sb_picture_text(d->picture, MARGIN - length - 6, y - 3, marks[i].label,
                        1, SB_TEXT_RIGHT, ink);
    }
}

static void draw_row(drawing *d, const fit_job *job, int r, const float *played,
                     const sb_likeness *likeness) {
    int top = HEAD + r * (PANEL_HEIGHT + GAP);
    int second = MARGIN + PANEL_WIDTH + GAP;
    d->top_db = loudest_level(d, job->samples[r], job->counts[r]);
    draw_sound(d, job->samples[r], job->counts[r], MARGIN, top);
    draw_sound(d, played, job->counts[r], second, top);
    draw_axis(d, top);
    char text[160];
    (void)snprintf(text, sizeof text, "%.60s, %.2f s", file_name(job->paths[r]),
                   (double)job->counts[r] / job->rate_hz);
    sb_picture_text(d->picture, MARGIN, top + PANEL_HEIGHT + 6, text, 1,
                    SB_TEXT_RIGHT, ink);
    (void)snprintf(text, sizeof text,
                   "spectrum %.2f dB, decay %+.1f %%, left over %.1f dB",
                   likeness->spectral_db, likeness->decay_percent,
                   likeness->left_db);
    sb_picture_text(d->picture, second, top + PANEL_HEIGHT + 6, text, 1,
                    SB_TEXT_RIGHT, ink);
}

static sb_status begin_drawing(drawing *d, const fit_job *job, sb_error *err) {
    int count = job->take_count < MOST_DRAWN ? job->take_count : MOST_DRAWN;
    d->rate_hz = job->rate_hz;
    sb_colour_map_fill(d->map);
    sb_status status =
        sb_picture_create(&d->picture, MARGIN + 2 * PANEL_WIDTH + 2 * GAP,
                          HEAD + count * (PANEL_HEIGHT + GAP) + 8, err);
    if (!status)
        status = sb_spectrum_create(&d->spectrum, WINDOW, 2 * WINDOW,
                                    SB_WINDOW_BLACKMAN_HARRIS, err);
    if (status) return status;
    d->levels =
        sb_alloc((size_t)sb_spectrum_bin_count(d->spectrum), sizeof *d->levels);
    if (!d->levels) return sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    char text[80];
    (void)snprintf(text, sizeof text, "fit: %d modes", job->fit.mode_count);
    sb_picture_text(d->picture, MARGIN, 12, "recorded", 2, SB_TEXT_RIGHT, ink);
    sb_picture_text(d->picture, MARGIN + PANEL_WIDTH + GAP, 12, text, 2,
                    SB_TEXT_RIGHT, ink);
    return SB_OK;
}

static void end_drawing(drawing *d) {
    sb_picture_destroy(d->picture);
    sb_spectrum_destroy(d->spectrum);
    sb_free(d->levels);
}

static void tell_row(const fit_job *job, int r, const sb_likeness *likeness,
                     cJSON *report) {
    if (!job->options->is_json) {
        (void)printf("%s: spectrum off by %.2f dB, decay by %+.1f %%, left "
                     "over %.1f dB\n",
                     job->paths[r], likeness->spectral_db,
                     likeness->decay_percent, likeness->left_db);
    }
    cJSON *row = cJSON_CreateObject();
    (void)cJSON_AddItemToArray(report, row);
    add_text(row, "file", job->paths[r]);
    add_number(row, "spectral_db", likeness->spectral_db);
    add_number(row, "decay_percent", likeness->decay_percent);
    add_number(row, "left_db", likeness->left_db);
}

static sb_status compare_take(const fit_job *job, int r, drawing *d,
                              cJSON *report, sb_error *err) {
    float *played = sb_alloc((size_t)job->counts[r], sizeof *played);
    if (!played) return sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    sb_likeness likeness;
    sb_fit_play(&job->fit, r, job->rate_hz, played, job->counts[r]);
    sb_status status =
        sb_fit_compare(&likeness, &job->fit, r, job->rate_hz, job->samples[r],
                       played, job->counts[r], err);
    if (!status) {
        tell_row(job, r, &likeness, report);
        if (r < MOST_DRAWN) draw_row(d, job, r, played, &likeness);
    }
    sb_free(played);
    return status;
}

int fit_compare(const fit_job *job, cJSON **report) {
    drawing d = {0};
    sb_error err;
    const char *path =
        job->options->picture ? job->options->picture : "fit.png";
    *report = cJSON_CreateArray();
    sb_status status = begin_drawing(&d, job, &err);
    for (int r = 0; !status && r < job->take_count; r++)
        status = compare_take(job, r, &d, *report, &err);
    if (!status) status = sb_picture_save(d.picture, path, &err);
    end_drawing(&d);
    if (status) return fail_with(&err);
    complain("fit", "the comparison is drawn in %s", path);
    return EXIT_OK;
}
