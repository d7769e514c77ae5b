/* Draws the time and frequency axes and the frequency marks of a spectrogram.
 * Control thread. */
#include "runtime/media/picture/spectrogram_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const sb_colour mark_colour = {130, 224, 200, 255};

enum { MAX_LABEL_LETTERS = 16 };

/* --- time ----------------------------------------------------------------- */

void sb_drawing_time_axis(sb_drawing *d) {
    sb_spectrogram_layout l = d->layout;
    double pixels_per_s = l.width / l.span_s;
    double step_s = sb_drawing_nice_step(90.0 / pixels_per_s);
    int decimals = step_s < 1.0 ? (int)ceil(-log10(step_s) - 1e-9) : 0;
    int bottom = l.top + l.height;
    for (int i = 0; i * step_s <= l.span_s * (1.0 + 1e-9); i++) {
        double x = l.left + i * step_s * pixels_per_s;
        int column = (int)lrint(x);
        if (i > 0 && column < l.left + l.width) {
            sb_picture_rectangle(d->picture, column, l.wave_top, 1,
                                 l.wave_height, sb_drawing_grid);
            sb_picture_rectangle(d->picture, column, l.top, 1, l.height,
                                 sb_drawing_grid);
        }
        sb_picture_rectangle(d->picture, column, bottom, 1, SB_DRAWING_TICK,
                             sb_drawing_line);
        char text[SB_DRAWING_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%.*f", decimals, i * step_s);
        sb_drawing_text_below(d, x, bottom + SB_DRAWING_TICK + SB_DRAWING_PAD,
                              text);
    }
    sb_drawing_text_below(d, l.left + l.width / 2.0,
                          bottom + SB_DRAWING_TICK + 2 * SB_DRAWING_PAD +
                              SB_DRAWING_CAPITAL,
                          "time, s");
}

/* --- frequency ------------------------------------------------------------ */

static void draw_frequency(sb_drawing *d, double freq_hz, bool has_label) {
    sb_spectrogram_layout l = d->layout;
    double y = l.top + sb_levels_row(&d->axis, freq_hz);
    if (y < l.top - 0.5 || y > l.top + l.height + 0.5) return;
    int row = (int)lrint(y);
    int tick = has_label ? SB_DRAWING_TICK : SB_DRAWING_TICK / 2;
    sb_picture_rectangle(d->picture, l.left - 1 - tick, row, tick, 1,
                         sb_drawing_line);
    if (!has_label) return;
    if (row > l.top && row < l.top + l.height) {
        sb_picture_rectangle(d->picture, l.left, row, l.width, 1,
                             sb_drawing_grid);
    }
    char text[SB_DRAWING_TEXT_SIZE];
    bool is_large = freq_hz >= 999.5;
    (void)snprintf(text, sizeof text, is_large ? "%gk" : "%g",
                   is_large ? freq_hz / 1000.0 : freq_hz);
    sb_drawing_text_left(d, l.left - SB_DRAWING_TICK - SB_DRAWING_PAD / 2, y,
                         text);
}

static void draw_octave_ticks(sb_drawing *d) {
    double low_hz = d->layout.low_hz;
    double high_hz = d->layout.high_hz;
    /* A low picture has room for few labels; a narrow range needs more of
     * them. */
    double decade_height =
        fabs(sb_levels_row(&d->axis, 10.0) - sb_levels_row(&d->axis, 100.0));
    bool has_many = decade_height > 10.0 * 2.0 * SB_DRAWING_CAPITAL * 1.6;
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

void sb_drawing_frequency_axis(sb_drawing *d) {
    sb_spectrogram_layout l = d->layout;
    if (d->axis.is_linear) {
        double hz_per_pixel = (l.high_hz - l.low_hz) / l.height;
        double step_hz = sb_drawing_nice_step(40.0 * hz_per_pixel);
        for (int i = (int)ceil(l.low_hz / step_hz);
             i * step_hz <= l.high_hz * 1.0001; i++) {
            draw_frequency(d, i * step_hz, true);
        }
    } else {
        draw_octave_ticks(d);
    }
    sb_drawing_text_up(d, SB_DRAWING_PAD, l.top + l.height / 2.0,
                       "frequency, Hz");
}

/* --- marks ---------------------------------------------------------------- */

static const char *mark_text(const sb_spectrogram_mark *mark,
                             char text[SB_DRAWING_TEXT_SIZE]) {
    const char *format = mark->freq_hz < 100.0 ? "%.1f" : "%.0f";
    if (mark->label) {
        (void)snprintf(text, SB_DRAWING_TEXT_SIZE, "%.*s", MAX_LABEL_LETTERS,
                       mark->label);
    } else {
        (void)snprintf(text, SB_DRAWING_TEXT_SIZE, format, mark->freq_hz);
    }
    return text;
}

static int drawn_marks(const sb_spectrogram_def *def) {
    if (!def->marks) return 0;
    return def->mark_count < SB_SPECTROGRAM_MAX_MARKS
               ? def->mark_count
               : SB_SPECTROGRAM_MAX_MARKS;
}

int sb_drawing_marks_width(const sb_spectrogram_def *def) {
    int widest = 0;
    for (int i = 0; i < drawn_marks(def); i++) {
        char text[SB_DRAWING_TEXT_SIZE];
        int length = sb_picture_text_length(mark_text(&def->marks[i], text),
                                            SB_DRAWING_SCALE);
        if (length > widest) widest = length;
    }
    return widest ? widest + 2 * SB_DRAWING_TICK + SB_DRAWING_PAD : 0;
}

/* Is a label at y far enough from the `count` labels already drawn? */
static bool is_clear(const double *used, int count, double y) {
    for (int i = 0; i < count; i++) {
        if (fabs(used[i] - y) < SB_DRAWING_CAPITAL + 4.0) return false;
    }
    return true;
}

typedef struct ranked {
    int mark;
    double row;
    double level_db; /* mean over time: prefers partials to impacts */
} ranked;

static double mean_level_db(const sb_drawing *d, double row) {
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

static int rank_marks(const sb_drawing *d, ranked *out) {
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

void sb_drawing_marks(sb_drawing *d) {
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
        int tick = has_label ? 2 * SB_DRAWING_TICK : SB_DRAWING_TICK;
        sb_picture_rectangle(d->picture, right - SB_DRAWING_TICK, (int)lrint(y),
                             SB_DRAWING_TICK + tick, 1, mark_colour);
        if (!has_label) continue;
        char text[SB_DRAWING_TEXT_SIZE];
        sb_drawing_text_right(d, right + tick + SB_DRAWING_PAD / 2, y,
                              mark_text(mark, text), mark_colour);
        used[used_count++] = y;
    }
}
