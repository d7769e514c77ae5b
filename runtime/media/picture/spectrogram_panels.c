/* Draws the title, the waveform, the levels and the colour scale of a
 * spectrogram. Control thread. */
#include "runtime/media/picture/spectrogram_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const sb_colour wave_colour = {104, 140, 214, 255};
static const sb_colour wave_core = {164, 196, 255, 255};
static const sb_colour wave_clipped = {255, 84, 72, 255};

void sb_drawing_title(sb_drawing *d) {
    const sb_spectrogram_def *def = d->def;
    char facts[160];
    char level[SB_DRAWING_TEXT_SIZE] = "silent";
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
    int facts_length = sb_picture_text_length(facts, SB_DRAWING_SCALE);
    int x = d->layout.left;
    int right = def->width - SB_DRAWING_PAD - SB_DRAWING_CAPITAL;
    sb_picture_text(d->picture, right - facts_length, SB_DRAWING_TITLE_TOP,
                    facts, SB_DRAWING_SCALE, SB_TEXT_RIGHT,
                    sb_drawing_label_text);
    if (!def->title) return;
    /* A long title is truncated in favour of the facts. */
    char title[256];
    int room = (right - facts_length - x) / SB_DRAWING_LETTER - 1;
    if (room < 1) return;
    int length = (int)strlen(def->title);
    bool is_cut = length > room;
    if (is_cut) length = room - 2 > 0 ? room - 2 : 0;
    (void)snprintf(title, sizeof title, "%.*s%s", length, def->title,
                   is_cut ? ".." : "");
    sb_picture_text(d->picture, x, SB_DRAWING_TITLE_TOP, title,
                    SB_DRAWING_SCALE, SB_TEXT_RIGHT, sb_drawing_title_text);
}

typedef struct wave_column {
    float low, high, rms;
} wave_column;

static wave_column measure_wave(const sb_drawing *d, int column) {
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

static void draw_wave_column(sb_drawing *d, int column, double full) {
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

void sb_drawing_wave(sb_drawing *d) {
    sb_spectrogram_layout l = d->layout;
    double full = d->peak > 0.0 ? sb_drawing_nice_step(d->peak) : 1.0;
    double half = l.wave_height / 2.0;
    double middle = l.wave_top + half - 0.5;
    for (int i = -1; i <= 1; i++) {
        double y = middle - i * half / 2.0;
        sb_picture_rectangle(d->picture, l.left, (int)lrint(y), l.width, 1,
                             sb_drawing_grid);
    }
    for (int column = 0; column < l.width; column++) {
        draw_wave_column(d, column, full);
    }
    sb_drawing_frame(d, l.left, l.wave_top, l.width, l.wave_height);
    for (int i = -1; i <= 1; i++) {
        char text[SB_DRAWING_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%.6g", i * full);
        /* Keeps the outer labels inside the panel. */
        double y = middle - i * (half - SB_DRAWING_CAPITAL / 2.0);
        sb_drawing_text_left(d, l.left - SB_DRAWING_TICK - SB_DRAWING_PAD / 2,
                             y, text);
    }
}

static sb_colour colour_at(const sb_drawing *d, double level_db) {
    double t = 1.0 + (level_db - d->top_db) / d->def->range_db;
    t = fmin(fmax(t, 0.0), 1.0);
    return d->map[(int)lrint(t * (SB_COLOUR_MAP_SIZE - 1))];
}

void sb_drawing_levels(sb_drawing *d) {
    sb_spectrogram_layout l = d->layout;
    for (int row = 0; row < l.height; row++) {
        for (int column = 0; column < l.width; column++) {
            float level = d->levels_db[(ptrdiff_t)row * l.width + column];
            sb_picture_pixel(d->picture, l.left + column, l.top + row,
                             colour_at(d, (double)level));
        }
    }
    sb_drawing_frame(d, l.left, l.top, l.width, l.height);
}

void sb_drawing_bar(sb_drawing *d) {
    sb_spectrogram_layout l = d->layout;
    double range_db = d->def->range_db;
    for (int row = 0; row < l.height; row++) {
        double level_db = d->top_db - range_db * (row + 0.5) / l.height;
        sb_picture_rectangle(d->picture, l.bar_left, l.top + row, l.bar_width,
                             1, colour_at(d, level_db));
    }
    sb_drawing_frame(d, l.bar_left, l.top, l.bar_width, l.height);
    double db_per_pixel = range_db / l.height;
    double step_db =
        db_per_pixel * 2.5 * SB_DRAWING_CAPITAL < 10.0 ? 10.0 : 20.0;
    int edge = l.bar_left + l.bar_width;
    double last = d->top_db - range_db;
    int first = (int)floor(d->top_db / step_db);
    for (int i = first; i * step_db >= last - 1e-9; i--) {
        double level = i * step_db;
        double y = l.top + (d->top_db - level) / db_per_pixel;
        char text[SB_DRAWING_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%4.0f", level);
        sb_picture_rectangle(d->picture, edge, (int)lrint(y), SB_DRAWING_TICK,
                             1, sb_drawing_line);
        sb_drawing_text_right(d, edge + SB_DRAWING_TICK + SB_DRAWING_PAD / 2, y,
                              text, sb_drawing_label_text);
    }
    sb_drawing_text_up(d, d->def->width - SB_DRAWING_CAPITAL - SB_DRAWING_PAD,
                       l.top + l.height / 2.0, "level, dBFS");
}
