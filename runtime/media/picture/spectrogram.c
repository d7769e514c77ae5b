/* SPDX-License-Identifier: MIT */
#include "runtime/media/picture/spectrogram.h"

#include "runtime/base/memory.h"
#include "runtime/media/picture/picture.h"
#include "runtime/media/spectrum.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
    const sb_spectrogram_def *def;
    sb_spectrogram_layout layout;
    sb_levels_def axis; /* rows and columns of the spectrogram */
    sb_picture *picture;
    float *levels_db;
    double top_db; /* top of the colour scale */
    double peak;   /* the largest sample's magnitude */
    sb_colour map[SB_COLOUR_MAP_SIZE];
} drawing;

static const sb_colour wave_colour = {104, 140, 214, 255};
static const sb_colour wave_core = {164, 196, 255, 255};
static const sb_colour wave_clipped = {255, 84, 72, 255};

/* --- panels --------------------------------------------------------------- */

static void draw_title(drawing *d) {
    const sb_spectrogram_def *def = d->def;
    char facts[160];
    char level[SB_LABEL_TEXT_SIZE] = "silent";
    if (d->peak > 0.0) {
        (void)snprintf(level, sizeof level, "peak %.1f dBFS",
                       20.0 * log10(d->peak));
    }
    double length_s = (double)def->frame_count / def->rate_hz;
    bool is_short = length_s < 0.1;
    (void)snprintf(facts, sizeof facts,
                   is_short ? "%d Hz  %.3g ms  %s" : "%d Hz  %.1f s  %s",
                   def->rate_hz, is_short ? 1000.0 * length_s : length_s,
                   level);
    int facts_length = sb_picture_text_length(facts, SB_LABEL_SCALE);
    int x = d->layout.left;
    int right = def->width - SB_LABEL_PAD - SB_LABEL_CAPITAL;
    sb_picture_text(d->picture, right - facts_length, SB_LABEL_TITLE_TOP, facts,
                    SB_LABEL_SCALE, SB_TEXT_RIGHT, sb_colour_label);
    if (!def->title) return;
    /* A long title is truncated in favour of the facts. */
    char title[256];
    int room = (right - facts_length - x) / SB_LABEL_LETTER - 1;
    if (room < 1) return;
    int length = (int)strlen(def->title);
    bool is_cut = length > room;
    if (is_cut) length = room - 2 > 0 ? room - 2 : 0;
    (void)snprintf(title, sizeof title, "%.*s%s", length, def->title,
                   is_cut ? ".." : "");
    sb_picture_text(d->picture, x, SB_LABEL_TITLE_TOP, title, SB_LABEL_SCALE,
                    SB_TEXT_RIGHT, sb_colour_title);
}

typedef struct wave_column {
    float low, high, rms;
} wave_column;

static wave_column measure_wave(const drawing *d, int column) {
    const sb_spectrogram_def *def = d->def;
    double step = d->layout.span_s * def->rate_hz / d->layout.width;
    int64_t first = (int64_t)floor(step * column);
    int64_t end = (int64_t)floor(step * (column + 1.0));
    if (end <= first) end = first + 1;
    if (end > def->frame_count) end = def->frame_count;
    wave_column wave = {0};
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t i = first * def->channel_count; i < end * def->channel_count;
         i++) {
        float x = isfinite(def->samples[i]) ? def->samples[i] : 0.0f;
        if (count == 0) wave.low = wave.high = x;
        wave.low = fminf(wave.low, x);
        wave.high = fmaxf(wave.high, x);
        sum += (double)x * (double)x;
        count++;
    }
    if (count > 0) wave.rms = (float)sqrt(sum / (double)count);
    return wave;
}

static void draw_wave_column(drawing *d, int column, double full) {
    wave_column wave = measure_wave(d, column);
    double half = d->layout.wave_height / 2.0;
    double middle = d->layout.wave_top + half - 0.5;
    int x = d->layout.left + column;
    int top = (int)lrint(middle - half * (double)wave.high / full);
    int bottom = (int)lrint(middle - half * (double)wave.low / full);
    bool is_clipped = wave.high > 1.0f || wave.low < -1.0f;
    sb_picture_rectangle(d->picture, x, top, 1, bottom - top + 1,
                         is_clipped ? wave_clipped : wave_colour);
    double core = fmin((double)wave.rms,
                       (double)fmaxf(fabsf(wave.high), fabsf(wave.low)));
    int core_top = (int)lrint(middle - half * core / full);
    int core_bottom = (int)lrint(middle + half * core / full);
    if (core_top < top) core_top = top;
    if (core_bottom > bottom) core_bottom = bottom;
    sb_picture_rectangle(d->picture, x, core_top, 1, core_bottom - core_top + 1,
                         wave_core);
}

static void draw_wave(drawing *d) {
    sb_spectrogram_layout l = d->layout;
    double full = d->peak > 0.0 ? sb_nice_step(d->peak) : 1.0;
    double half = l.wave_height / 2.0;
    double middle = l.wave_top + half - 0.5;
    for (int i = -1; i <= 1; i++) {
        double y = middle - i * half / 2.0;
        sb_picture_rectangle(d->picture, l.left, (int)lrint(y), l.width, 1,
                             sb_colour_grid);
    }
    for (int column = 0; column < l.width; column++) {
        draw_wave_column(d, column, full);
    }
    sb_picture_frame(d->picture, l.left, l.wave_top, l.width, l.wave_height);
    for (int i = -1; i <= 1; i++) {
        char text[SB_LABEL_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%.6g", i * full);
        /* Keeps the outer labels inside the panel. */
        double y = middle - i * (half - SB_LABEL_CAPITAL / 2.0);
        sb_label_left(d->picture, l.left - SB_LABEL_TICK - SB_LABEL_PAD / 2, y,
                      text);
    }
}

static sb_colour colour_at(const drawing *d, double level_db) {
    double t = 1.0 + (level_db - d->top_db) / d->def->range_db;
    t = fmin(fmax(t, 0.0), 1.0);
    return d->map[(int)lrint(t * (SB_COLOUR_MAP_SIZE - 1))];
}

static void draw_levels(drawing *d) {
    sb_spectrogram_layout l = d->layout;
    for (int row = 0; row < l.height; row++) {
        for (int column = 0; column < l.width; column++) {
            float level = d->levels_db[(ptrdiff_t)row * l.width + column];
            sb_picture_pixel(d->picture, l.left + column, l.top + row,
                             colour_at(d, (double)level));
        }
    }
    sb_picture_frame(d->picture, l.left, l.top, l.width, l.height);
}

static void draw_bar(drawing *d) {
    sb_spectrogram_layout l = d->layout;
    double range_db = d->def->range_db;
    for (int row = 0; row < l.height; row++) {
        double level_db = d->top_db - range_db * (row + 0.5) / l.height;
        sb_picture_rectangle(d->picture, l.bar_left, l.top + row, l.bar_width,
                             1, colour_at(d, level_db));
    }
    sb_picture_frame(d->picture, l.bar_left, l.top, l.bar_width, l.height);
    double db_per_pixel = range_db / l.height;
    double step_db = db_per_pixel * 2.5 * SB_LABEL_CAPITAL < 10.0 ? 10.0 : 20.0;
    int edge = l.bar_left + l.bar_width;
    double last = d->top_db - range_db;
    int first = (int)floor(d->top_db / step_db);
    for (int i = first; i * step_db >= last - 1e-9; i--) {
        double level = i * step_db;
        double y = l.top + (d->top_db - level) / db_per_pixel;
        char text[SB_LABEL_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%4.0f", level);
        sb_picture_rectangle(d->picture, edge, (int)lrint(y), SB_LABEL_TICK, 1,
                             sb_colour_line);
        sb_label_right(d->picture, edge + SB_LABEL_TICK + SB_LABEL_PAD / 2, y,
                       text, sb_colour_label);
    }
    sb_label_up(d->picture, d->def->width - SB_LABEL_CAPITAL - SB_LABEL_PAD,
                l.top + l.height / 2.0, "level, dBFS");
}

static const sb_colour mark_colour = {130, 224, 200, 255};

enum { MAX_LABEL_LETTERS = 16 };

/* --- time ----------------------------------------------------------------- */

static void draw_time_axis(drawing *d) {
    sb_spectrogram_layout l = d->layout;
    double pixels_per_s = l.width / l.span_s;
    double step_s = sb_nice_step(90.0 / pixels_per_s);
    int decimals = step_s < 1.0 ? (int)ceil(-log10(step_s) - 1e-9) : 0;
    int bottom = l.top + l.height;
    for (int i = 0; i * step_s <= l.span_s * (1.0 + 1e-9); i++) {
        double x = l.left + i * step_s * pixels_per_s;
        int column = (int)lrint(x);
        if (i > 0 && column < l.left + l.width) {
            sb_picture_rectangle(d->picture, column, l.wave_top, 1,
                                 l.wave_height, sb_colour_grid);
            sb_picture_rectangle(d->picture, column, l.top, 1, l.height,
                                 sb_colour_grid);
        }
        sb_picture_rectangle(d->picture, column, bottom, 1, SB_LABEL_TICK,
                             sb_colour_line);
        char text[SB_LABEL_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%.*f", decimals, i * step_s);
        sb_label_below(d->picture, x, bottom + SB_LABEL_TICK + SB_LABEL_PAD,
                       text);
    }
    sb_label_below(d->picture, l.left + l.width / 2.0,
                   bottom + SB_LABEL_TICK + 2 * SB_LABEL_PAD + SB_LABEL_CAPITAL,
                   "time, s");
}

/* --- frequency ------------------------------------------------------------ */

static void draw_frequency(drawing *d, double freq_hz, bool has_label) {
    sb_spectrogram_layout l = d->layout;
    double y = l.top + sb_levels_row(&d->axis, freq_hz);
    if (y < l.top - 0.5 || y > l.top + l.height + 0.5) return;
    int row = (int)lrint(y);
    int tick = has_label ? SB_LABEL_TICK : SB_LABEL_TICK / 2;
    sb_picture_rectangle(d->picture, l.left - 1 - tick, row, tick, 1,
                         sb_colour_line);
    if (!has_label) return;
    if (row > l.top && row < l.top + l.height) {
        sb_picture_rectangle(d->picture, l.left, row, l.width, 1,
                             sb_colour_grid);
    }
    char text[SB_LABEL_TEXT_SIZE];
    bool is_large = freq_hz >= 999.5;
    (void)snprintf(text, sizeof text, is_large ? "%gk" : "%g",
                   is_large ? freq_hz / 1000.0 : freq_hz);
    sb_label_left(d->picture, l.left - SB_LABEL_TICK - SB_LABEL_PAD / 2, y,
                  text);
}

static void draw_octave_ticks(drawing *d) {
    double low_hz = d->layout.low_hz;
    double high_hz = d->layout.high_hz;
    /* A low picture has room for few labels; a narrow range needs more of
     * them. */
    double decade_height =
        fabs(sb_levels_row(&d->axis, 10.0) - sb_levels_row(&d->axis, 100.0));
    bool has_many = decade_height > 10.0 * 2.0 * SB_LABEL_CAPITAL * 1.6;
    for (int decade = 0; decade < 9; decade++) {
        double power = pow(10.0, decade);
        for (int digit = 1; digit <= 9; digit++) {
            double freq_hz = digit * power;
            if (freq_hz < low_hz || freq_hz > high_hz * 1.0001) continue;
            bool has_label = digit == 1 || digit == 2 || digit == 5 ||
                             (has_many && digit != 9 && digit != 7);
            draw_frequency(d, freq_hz, has_label);
        }
    }
}

static void draw_frequency_axis(drawing *d) {
    sb_spectrogram_layout l = d->layout;
    if (d->axis.is_linear) {
        double hz_per_pixel = (l.high_hz - l.low_hz) / l.height;
        double step_hz = sb_nice_step(40.0 * hz_per_pixel);
        for (int i = (int)ceil(l.low_hz / step_hz);
             i * step_hz <= l.high_hz * 1.0001; i++) {
            draw_frequency(d, i * step_hz, true);
        }
    } else {
        draw_octave_ticks(d);
    }
    sb_label_up(d->picture, SB_LABEL_PAD, l.top + l.height / 2.0,
                "frequency, Hz");
}

/* --- marks ---------------------------------------------------------------- */

static const char *mark_text(const sb_spectrogram_mark *mark,
                             char text[SB_LABEL_TEXT_SIZE]) {
    const char *format = mark->freq_hz < 100.0 ? "%.1f" : "%.0f";
    if (mark->label) {
        (void)snprintf(text, SB_LABEL_TEXT_SIZE, "%.*s", MAX_LABEL_LETTERS,
                       mark->label);
    } else {
        (void)snprintf(text, SB_LABEL_TEXT_SIZE, format, mark->freq_hz);
    }
    return text;
}

static int drawn_marks(const sb_spectrogram_def *def) {
    if (!def->marks) return 0;
    return def->mark_count < SB_SPECTROGRAM_MAX_MARKS
               ? def->mark_count
               : SB_SPECTROGRAM_MAX_MARKS;
}

static int marks_width(const sb_spectrogram_def *def) {
    int widest = 0;
    for (int i = 0; i < drawn_marks(def); i++) {
        char text[SB_LABEL_TEXT_SIZE];
        int length = sb_picture_text_length(mark_text(&def->marks[i], text),
                                            SB_LABEL_SCALE);
        if (length > widest) widest = length;
    }
    return widest ? widest + 2 * SB_LABEL_TICK + SB_LABEL_PAD : 0;
}

/* Is a label at y far enough from the `count` labels already drawn? */
static bool is_clear(const double *used, int count, double y) {
    for (int i = 0; i < count; i++) {
        if (fabs(used[i] - y) < SB_LABEL_CAPITAL + 4.0) return false;
    }
    return true;
}

typedef struct ranked {
    int mark;
    double row;
    double level_db; /* mean over time: prefers partials to impacts */
} ranked;

static double mean_level_db(const drawing *d, double row) {
    int columns = d->axis.column_count;
    int last = d->axis.row_count - 1;
    const float *levels =
        d->levels_db + (size_t)(row < last ? (int)row : last) * (size_t)columns;
    double sum = 0.0;
    for (int i = 0; i < columns; i++)
        sum += (double)levels[i];
    return sum / columns;
}

static int by_level(const void *left, const void *right) {
    const ranked *a = left;
    const ranked *b = right;
    if (a->level_db != b->level_db) return a->level_db < b->level_db ? 1 : -1;
    return a->mark - b->mark;
}

static int rank_marks(const drawing *d, ranked *out) {
    const sb_spectrogram_layout *l = &d->layout;
    int count = 0;
    for (int i = 0; i < drawn_marks(d->def); i++) {
        double freq_hz = d->def->marks[i].freq_hz;
        /* Written so that NaN counts as out of range. */
        if (!(freq_hz >= l->low_hz && freq_hz <= l->high_hz)) continue;
        double row = sb_levels_row(&d->axis, freq_hz);
        out[count++] = (ranked){i, row, mean_level_db(d, fmax(row, 0.0))};
    }
    qsort(out, (size_t)count, sizeof *out, by_level);
    return count;
}

static void draw_marks(drawing *d) {
    sb_spectrogram_layout l = d->layout;
    ranked marks[SB_SPECTROGRAM_MAX_MARKS];
    double used[SB_SPECTROGRAM_MAX_MARKS];
    int used_count = 0;
    int right = l.left + l.width;
    int count = rank_marks(d, marks);
    for (int i = 0; i < count; i++) {
        const sb_spectrogram_mark *mark = &d->def->marks[marks[i].mark];
        double y = l.top + marks[i].row;
        bool has_label = is_clear(used, used_count, y);
        int tick = has_label ? 2 * SB_LABEL_TICK : SB_LABEL_TICK;
        sb_picture_rectangle(d->picture, right - SB_LABEL_TICK, (int)lrint(y),
                             SB_LABEL_TICK + tick, 1, mark_colour);
        if (!has_label) continue;
        char text[SB_LABEL_TEXT_SIZE];
        sb_label_right(d->picture, right + tick + SB_LABEL_PAD / 2, y,
                       mark_text(mark, text), mark_colour);
        used[used_count++] = y;
    }
}

sb_spectrogram_def sb_spectrogram_def_default(void) {
    return (sb_spectrogram_def){.channel_count = 2,
                                .rate_hz = 48000,
                                .width = 1200,
                                .height = 700,
                                .low_hz = 40.0,
                                .high_hz = 20000.0,
                                .range_db = 90.0};
}

sb_spectrogram_layout sb_spectrogram_layout_of(const sb_spectrogram_def *def) {
    sb_spectrogram_layout layout = {0};
    int marks = marks_width(def);
    layout.left = SB_LABEL_CAPITAL + 6 * SB_LABEL_LETTER + SB_LABEL_PAD;
    layout.bar_width = 18;
    int right = marks + 2 * SB_LABEL_PAD + layout.bar_width + SB_LABEL_TICK +
                2 * SB_LABEL_PAD + 4 * SB_LABEL_LETTER + SB_LABEL_PAD +
                SB_LABEL_CAPITAL;
    layout.width = def->width - layout.left - right;
    layout.bar_left = layout.left + layout.width + marks + 2 * SB_LABEL_PAD;
    layout.wave_top = SB_LABEL_TITLE_TOP + SB_LABEL_CAPITAL + 2 * SB_LABEL_PAD;
    layout.wave_height = def->height / 7;
    layout.top = layout.wave_top + layout.wave_height + 2 * SB_LABEL_PAD;
    int below = SB_LABEL_TICK + SB_LABEL_PAD + 2 * SB_LABEL_CAPITAL +
                2 * SB_LABEL_PAD + SB_LABEL_PAD / 2;
    layout.height = def->height - below - layout.top;
    /* Even a click gets a time axis of at least 10 ms. */
    layout.span_s = fmax((double)def->frame_count / def->rate_hz, 0.01);
    layout.low_hz = def->low_hz;
    layout.high_hz = fmin(def->high_hz, def->rate_hz / 2.0);
    return layout;
}

static sb_status fail_range(sb_error *err, const char *field, double low,
                            double high, double value) {
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "a spectrogram's %s must be %g to %g, not %g", field, low,
                   high, value);
}

static sb_status check_def(const sb_spectrogram_def *def, sb_error *err) {
    const struct {
        const char *field;
        double low, high, value;
    } ranges[] = {
        {"frame_count", 1, 1e12, (double)def->frame_count},
        {"channel_count", 1, 64, def->channel_count},
        {"rate_hz", 1000, 1e6, def->rate_hz},
        {"width", SB_SPECTROGRAM_MIN_WIDTH, SB_SPECTROGRAM_MAX_SIDE,
         def->width},
        {"height", SB_SPECTROGRAM_MIN_HEIGHT, SB_SPECTROGRAM_MAX_SIDE,
         def->height},
        {"low_hz", 1, 1e5, def->low_hz},
        {"high_hz", 2.0 * def->low_hz, 1e9, def->high_hz},
        {"range_db", 20, 150, def->range_db},
    };
    for (int i = 0; i < (int)(sizeof ranges / sizeof *ranges); i++) {
        if (!(ranges[i].value >= ranges[i].low &&
              ranges[i].value <= ranges[i].high)) {
            return fail_range(err, ranges[i].field, ranges[i].low,
                              ranges[i].high, ranges[i].value);
        }
    }
    if (!def->samples) {
        return sb_fail(err, SB_BAD_ARGUMENT, "a spectrogram needs samples");
    }
    if (def->rate_hz / 2.0 < 2.0 * def->low_hz) {
        return fail_range(err, "low_hz", 1, def->rate_hz / 4.0, def->low_hz);
    }
    return SB_OK;
}

static double peak_of(const sb_spectrogram_def *def) {
    float peak = 0.0f;
    for (int64_t i = 0; i < def->frame_count * def->channel_count; i++) {
        float size = fabsf(def->samples[i]);
        if (isfinite(size) && size > peak) peak = size;
    }
    return (double)peak;
}

static sb_levels_def axis_of(const sb_spectrogram_def *def,
                             const sb_spectrogram_layout *layout) {
    return (sb_levels_def){.samples = def->samples,
                           .frame_count = def->frame_count,
                           .channel_count = def->channel_count,
                           .rate_hz = def->rate_hz,
                           .span_s = layout->span_s,
                           .column_count = layout->width,
                           .row_count = layout->height,
                           .low_hz = layout->low_hz,
                           .high_hz = layout->high_hz,
                           .is_linear = def->is_linear};
}

/* The next multiple of 5 dB above the loudest; 0 for silence. */
static double top_of(const drawing *d) {
    float loudest = -150.0f;
    size_t count = (size_t)d->layout.width * (size_t)d->layout.height;
    for (size_t i = 0; i < count; i++) {
        loudest = fmaxf(loudest, d->levels_db[i]);
    }
    return loudest > -150.0f ? 5.0 * ceil((double)loudest / 5.0) : 0.0;
}

static void draw(drawing *d) {
    d->top_db = top_of(d);
    d->peak = peak_of(d->def);
    sb_colour_map_fill(d->map);
    sb_picture_fill(d->picture, sb_colour_ground);
    draw_title(d);
    draw_wave(d);
    draw_levels(d);
    draw_bar(d);
    draw_time_axis(d);
    draw_frequency_axis(d);
    draw_marks(d);
}

static sb_status compute_and_save(drawing *d, const char *path, sb_error *err) {
    size_t count = (size_t)d->layout.width * (size_t)d->layout.height;
    d->levels_db = sb_alloc(count, sizeof *d->levels_db);
    if (!d->levels_db) {
        return sb_no_memory_for(err, "a spectrogram");
    }
    sb_status status = sb_levels_compute(&d->axis, d->levels_db, err);
    if (status == SB_OK) {
        draw(d);
        status = sb_picture_save(d->picture, path, err);
    }
    sb_free(d->levels_db);
    return status;
}

sb_status sb_spectrogram_write(const char *path, const sb_spectrogram_def *def,
                               sb_error *err) {
    sb_status status = check_def(def, err);
    if (status != SB_OK) return status;
    drawing d = {.def = def, .layout = sb_spectrogram_layout_of(def)};
    d.axis = axis_of(def, &d.layout);
    status = sb_picture_create(&d.picture, def->width, def->height, err);
    if (status != SB_OK) return status;
    status = compute_and_save(&d, path, err);
    sb_picture_destroy(d.picture);
    return status;
}
