/* SPDX-License-Identifier: MIT */
#include "bindings/cli/render/spectra.h"

#include "bindings/cli/console/console.h"
#include "runtime/base/memory.h"
#include "runtime/media/picture/graph.h"
#include "runtime/media/picture/spectrogram.h"
#include "runtime/media/spectrum.h"
#include "runtime/model/model.h"
#include "runtime/scene/deform/scene_deform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 20 * 60 * 48000, LABEL_SIZE = 48 };

sb_status picture_samples_add(picture_samples *samples, const float *stereo,
                              int frames, sb_error *err) {
    int64_t need = samples->frames + frames;
    if (need > MOST_FRAMES) {
        return sb_fail(err, SB_NO_MEMORY,
                       "a spectrogram takes at most %d frames; render a "
                       "shorter --duration",
                       (int)MOST_FRAMES);
    }
    if (need > samples->capacity) {
        int64_t larger = need * 2;
        float *moved =
            sb_resize(samples->stereo, (size_t)larger * 2, sizeof *moved);
        if (!moved) return sb_no_memory(err, "spectrogram");
        samples->stereo = moved;
        samples->capacity = larger;
    }
    memcpy(samples->stereo + 2 * samples->frames, stereo,
           (size_t)frames * 2 * sizeof *stereo);
    samples->frames = need;
    return SB_OK;
}

void picture_samples_free(picture_samples *samples) {
    sb_free(samples->stereo);
    *samples = (picture_samples){0};
}

typedef struct mark_list {
    sb_spectrogram_mark items[SB_SPECTROGRAM_MAX_MARKS];
    char labels[SB_SPECTROGRAM_MAX_MARKS][LABEL_SIZE];
    int count;
} mark_list;

static void add_mark(mark_list *marks, const char *body, const sb_mode *mode,
                     bool is_only) {
    if (marks->count == SB_SPECTROGRAM_MAX_MARKS) return;
    char *label = marks->labels[marks->count];
    (void)snprintf(label, LABEL_SIZE, is_only ? "%.0f Hz" : "%.0f %.12s",
                   mode->freq_hz, body);
    marks->items[marks->count] = (sb_spectrogram_mark){mode->freq_hz, label};
    marks->count++;
}

/* Bodies that are driven ring otherwise than free ones, whose modes are known.
 */
static int modes_to_mark(const sb_scene *scene, sb_body_id id) {
    if (sb_scene_is_driven(scene, id)) return 0;
    return sb_model_mode_count(sb_scene_body_model(scene, id));
}

static void say_unmarked(const sb_scene *scene) {
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        if (!sb_scene_is_driven(scene, id)) continue;
        complain("render",
                 "--spectrogram has no labels of '%s': a part of it is driven, "
                 "and its modes are known without that only",
                 sb_scene_body_name(scene, id));
    }
}

/* Mark the lowest mode of every body first: not all marks fit. */
static void collect_marks(const sb_scene *scene, mark_list *marks) {
    int body_count = sb_scene_body_count(scene);
    int most = 0;
    for (int k = 0; k == 0 || k < most; k++) {
        for (int i = 0; i < body_count; i++) {
            sb_body_id id = sb_scene_body_at(scene, i);
            const sb_model *model = sb_scene_body_model(scene, id);
            int count = modes_to_mark(scene, id);
            if (count > most) most = count;
            if (k >= count) continue;
            add_mark(marks, sb_scene_body_name(scene, id),
                     &sb_model_modes(model)[k], body_count == 1);
        }
        if (marks->count == SB_SPECTROGRAM_MAX_MARKS) break;
    }
}

sb_status picture_write(const char *path, const char *scene_path,
                        const sb_scene *scene, const picture_samples *samples,
                        int rate_hz, sb_error *err) {
    mark_list *marks = sb_alloc(1, sizeof *marks);
    if (!marks) return sb_no_memory(err, "spectrogram");
    collect_marks(scene, marks);
    say_unmarked(scene);
    sb_spectrogram_def def = sb_spectrogram_def_default();
    def.samples = samples->stereo;
    def.frame_count = samples->frames;
    def.channel_count = 2;
    def.rate_hz = rate_hz;
    def.title = file_name(scene_path);
    if (def.high_hz > rate_hz / 2.0) def.high_hz = rate_hz / 2.0;
    def.marks = marks->items;
    def.mark_count = marks->count;
    sb_status status = sb_spectrogram_write(path, &def, err);
    sb_free(marks);
    return status;
}

/* The range in dB below the loudest, as in a spectrogram. */
#define RANGE_DB 80.0

enum {
    TIMES_MOST = 3,
    OVER = TIMES_MOST, /* index of the recording's curve */
    PADDING = 4,
    NAME_SIZE = 80,
    TALL = 320 /* height of the panel when there is something to compare */
};

typedef struct point {
    double freq_hz;
    double level_db[SB_GRAPH_CURVES];
} point;

/* All that is drawn. */
typedef struct drawing {
    const spectrum_options *options;
    double times[TIMES_MOST];
    int count;
    bool has_over;
    double over_s, over_db; /* begin and gain of the recording */
    point *points;
    int point_count;
    double highest_hz; /* of the axis */
} drawing;

/* --- options and files ---------------------------------------------------- */

/* Number of times read, or 0 if the text is malformed. */
static int read_times(const char *text, double out[TIMES_MOST]) {
    int count = 0;
    for (const char *at = text; count < TIMES_MOST; at++) {
        char *end;
        double time_s = strtod(at, &end);
        if (end == at || !(time_s >= 0.0) || !isfinite(time_s)) return 0;
        out[count++] = time_s;
        if (*end == '\0') return count;
        if (*end != ',') return 0;
        at = end;
    }
    return 0;
}

bool spectrum_check(const spectrum_options *options) {
    double times[TIMES_MOST];
    spectrum_options usual = SPECTRUM_OPTIONS_DEFAULT;
    if (options->at && (!options->path || !read_times(options->at, times))) {
        complain("render",
                 "--at needs --spectrum, and one to three times in seconds "
                 "such as 0.2,5.2; got '%s'",
                 options->at);
        return false;
    }
    const char *alone = options->lines                            ? "--lines"
                        : options->over                           ? "--over"
                        : options->highest_hz != usual.highest_hz ? "--max-hz"
                        : options->window_s != usual.window_s     ? "--window"
                                                                  : NULL;
    if (options->path || !alone) return true;
    complain("render", "%s needs --spectrum", alone);
    return false;
}

sb_status spectrum_open(spectrum_of *spectrum, const spectrum_options *options,
                        sb_error *err) {
    spectrum->options = options;
    sb_status status = SB_OK;
    if (options->lines)
        status = lines_read(&spectrum->lines, options->lines, err);
    if (!status && options->over)
        status = sb_sound_read(&spectrum->over, options->over, err);
    return status;
}

void spectrum_free(spectrum_of *spectrum) {
    lines_free(&spectrum->lines);
    sb_sound_free(&spectrum->over);
}

/* --- levels --------------------------------------------------------------- */

static double loudest_s(const sb_sound *sound) {
    int64_t loudest = 0, count = sound->frame_count * sound->channel_count;
    for (int64_t i = 1; i < count; i++)
        if (fabsf(sound->samples[i]) > fabsf(sound->samples[loudest]))
            loudest = i;
    int64_t frame = loudest / sound->channel_count;
    return (double)frame / sound->rate_hz;
}

static int window_frames(const drawing *d, int rate_hz) {
    int size = 2 * (int)lrint(0.5 * d->options->window_s * rate_hz);
    return size < SB_SPECTRUM_MIN_SIZE ? SB_SPECTRUM_MIN_SIZE : size;
}

static int padded_frames(const drawing *d, int rate_hz) {
    int size = window_frames(d, rate_hz);
    bool fits = size <= SB_SPECTRUM_MAX_SIZE / PADDING;
    return fits ? PADDING * size : SB_SPECTRUM_MAX_SIZE;
}

/* Level at a frequency between two bins; NaN above half the rate. */
static double level_at(const float *power, int bins, double bin) {
    if (bin > bins - 1) return NAN;
    int low = (int)bin < bins - 1 ? (int)bin : bins - 2;
    double part = bin - low;
    double a = (double)sb_power_db(power[low]),
           b = (double)sb_power_db(power[low + 1]);
    return a + part * (b - a);
}

/* Fill one curve: the mean power of all channels. */
static sb_status measure(const drawing *d, const sb_sound *sound, double from_s,
                         int curve, sb_error *err) {
    sb_spectrum *spectrum;
    int padded = padded_frames(d, sound->rate_hz);
    sb_status status =
        sb_spectrum_create(&spectrum, window_frames(d, sound->rate_hz), padded,
                           SB_WINDOW_HANN, err);
    if (status) return status;
    int bins = sb_spectrum_bin_count(spectrum);
    float *power = sb_alloc((size_t)bins * 2, sizeof *power), *sum;
    if (!power) status = sb_no_memory(err, "spectrum");
    sum = power ? power + bins : NULL;
    for (int c = 0; c < sound->channel_count && !status; c++) {
        sb_stretch stretch = {sound->samples, sound->frame_count,
                              sound->channel_count, c};
        sb_spectrum_power(spectrum, &stretch, llrint(from_s * sound->rate_hz),
                          power);
        for (int k = 0; k < bins; k++)
            sum[k] += power[k] / (float)sound->channel_count;
    }
    for (int k = 0; k < d->point_count && !status; k++)
        d->points[k].level_db[curve] =
            level_at(sum, bins, d->points[k].freq_hz * padded / sound->rate_hz);
    sb_free(power);
    sb_spectrum_destroy(spectrum);
    return status;
}

static double highest_db(const drawing *d, int curve) {
    double top = SB_SPECTRUM_FLOOR_DB;
    for (int k = 0; k < d->point_count; k++)
        top = fmax(top, d->points[k].level_db[curve]);
    return top;
}

/* Fill the curve of the recording, its highest peak as high as the first
 * curve's. */
static sb_status measure_over(drawing *d, const sb_sound *render,
                              const sb_sound *over, sb_error *err) {
    const char *path = d->options->over;
    d->over_s = loudest_s(over) + d->times[0] - loudest_s(render);
    if (d->over_s * over->rate_hz >= (double)over->frame_count)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: it is over after %.2f s, but the spectrum "
                       "would begin at %.2f s",
                       path, (double)over->frame_count / over->rate_hz,
                       d->over_s);
    sb_status status = measure(d, over, d->over_s, OVER, err);
    if (status) return status;
    double top = highest_db(d, OVER), wanted = highest_db(d, 0);
    if (top <= SB_SPECTRUM_FLOOR_DB)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s is silent from %.2f s on, so its level cannot "
                       "be aligned",
                       path, d->over_s);
    d->over_db = wanted > SB_SPECTRUM_FLOOR_DB ? wanted - top : 0.0;
    for (int k = 0; k < d->point_count; k++)
        d->points[k].level_db[OVER] += d->over_db;
    if (d->options->highest_hz > 0.5 * over->rate_hz)
        complain("render",
                 "the curve of %s ends at %g Hz: its sample rate is %d Hz",
                 path, 0.5 * over->rate_hz, over->rate_hz);
    return SB_OK;
}

/* --- the picture ---------------------------------------------------------- */

typedef struct texts {
    char curves[SB_GRAPH_CURVES][NAME_SIZE], lines[NAME_SIZE], facts[NAME_SIZE];
} texts;

static sb_graph_panel panel_of(const drawing *d, texts *t) {
    static const sb_colour colours[SB_GRAPH_CURVES] = {{120, 168, 255, 255},
                                                       {244, 150, 76, 255},
                                                       {130, 224, 160, 255},
                                                       {236, 108, 160, 255}};
    double top = SB_SPECTRUM_FLOOR_DB + RANGE_DB;
    sb_graph_panel panel = {.name = "level", .unit = "dBFS"};
    for (int i = 0; i < SB_GRAPH_CURVES; i++) {
        if (i >= d->count && (i != OVER || !d->has_over)) continue;
        top = fmax(top, highest_db(d, i));
        if (i == OVER) {
            (void)snprintf(t->curves[i], NAME_SIZE,
                           "%.32s from %.3f s, %+.1f dB",
                           file_name(d->options->over), d->over_s, d->over_db);
        } else {
            (void)snprintf(t->curves[i], NAME_SIZE, "from %.3f s", d->times[i]);
        }
        panel.curves[panel.curve_count++] = (sb_graph_curve){
            t->curves[i], colours[i],
            offsetof(point, level_db) + (size_t)i * sizeof(double)};
    }
    panel.high = 10.0 * ceil(0.1 * top);
    panel.low = panel.high - RANGE_DB;
    return panel;
}

static void say_lines(const spectrum_of *spectrum, const sb_graph_def *def) {
    const lines_file *lines = &spectrum->lines;
    const char *path = spectrum->options->lines;
    int outside = 0, step = sb_graph_label_step(def, 0);
    for (int i = 0; i < lines->count; i++)
        outside += lines->lines[i].freq_hz > def->to_s[0];
    if (outside > 0)
        complain("render",
                 "%d of %d lines of %s are above %.0f Hz and not drawn; "
                 "--max-hz says how far the picture goes",
                 outside, lines->count, path, def->to_s[0]);
    if (step > 1)
        complain("render",
                 "%s: every %d%s line has its label; there is no room for more",
                 path, step,
                 step == 2   ? "nd"
                 : step == 3 ? "rd"
                             : "th");
}

static sb_status draw(const spectrum_of *spectrum, const drawing *d,
                      const char *title, sb_error *err) {
    const lines_file *lines = &spectrum->lines;
    texts t;
    sb_graph_panel panel = panel_of(d, &t);
    sb_graph_mark *marks = sb_alloc((size_t)lines->count + 1, sizeof *marks);
    if (!marks) return sb_no_memory(err, "spectrum");
    for (int i = 0; i < lines->count; i++)
        marks[i] =
            (sb_graph_mark){lines->lines[i].freq_hz, lines->lines[i].label};
    (void)snprintf(t.facts, NAME_SIZE, "%.0f ms%s", 1e3 * d->options->window_s,
                   panel.curve_count > 1 ? " each" : "");
    if (d->options->lines)
        (void)snprintf(t.lines, NAME_SIZE, "lines: %.32s",
                       file_name(d->options->lines));
    bool is_compared = d->options->lines || d->options->over;
    sb_graph_def def = {.title = title,
                        .facts = t.facts,
                        .points = d->points,
                        .point_size = sizeof *d->points,
                        .point_count = d->point_count,
                        .time_offset = offsetof(point, freq_hz),
                        .step_s = d->points[1].freq_hz,
                        .across = "frequency",
                        .across_unit = "Hz",
                        .panels = &panel,
                        .panel_count = 1,
                        .to_s = {d->highest_hz},
                        .view_count = 1,
                        .panel_height = is_compared ? TALL : 0,
                        .marks = marks,
                        .mark_count = lines->count,
                        .marks_name = t.lines,
                        .marks_colour = {244, 226, 150, 190}};
    sb_status status = sb_graph_write(d->options->path, &def, err);
    if (!status) say_lines(spectrum, &def);
    sb_free(marks);
    return status;
}

static sb_status find_times(drawing *d, const sb_sound *render, sb_error *err) {
    d->count = d->options->at ? read_times(d->options->at, d->times) : 1;
    if (!d->options->at) d->times[0] = loudest_s(render);
    for (int i = 0; i < d->count; i++)
        if (d->times[i] * render->rate_hz >= (double)render->frame_count)
            return sb_fail(
                err, SB_BAD_ARGUMENT, "--at %g: the sound is over after %.2f s",
                d->times[i], (double)render->frame_count / render->rate_hz);
    return SB_OK;
}

sb_status spectrum_write(const spectrum_of *spectrum, const char *scene_path,
                         const picture_samples *samples, int rate_hz,
                         sb_error *err) {
    drawing d = {.options = spectrum->options,
                 .has_over = spectrum->options->over};
    if (!d.options->path) return SB_OK;
    sb_sound render = {samples->stereo, samples->frames, 2, rate_hz};
    sb_status status = find_times(&d, &render, err);
    if (status) return status;
    double step_hz = (double)rate_hz / padded_frames(&d, rate_hz);
    d.highest_hz = fmin(d.options->highest_hz, 0.5 * rate_hz);
    d.point_count = (int)(d.highest_hz / step_hz) + 1;
    d.points = sb_alloc((size_t)d.point_count, sizeof *d.points);
    if (!d.points) return sb_no_memory(err, "spectrum");
    for (int k = 0; k < d.point_count; k++)
        d.points[k].freq_hz = k * step_hz;
    for (int i = 0; i < d.count && !status; i++)
        status = measure(&d, &render, d.times[i], i, err);
    if (!status && d.has_over)
        status = measure_over(&d, &render, &spectrum->over, err);
    if (!status) status = draw(spectrum, &d, file_name(scene_path), err);
    sb_free(d.points);
    return status;
}
