/* Checks the definition of a spectrogram, lays out its panels and draws them.
 * Control thread. */
#include "runtime/media/picture/spectrogram.h"

#include "runtime/base/memory.h"
#include "runtime/media/picture/spectrogram_internal.h"

#include <math.h>

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
    int marks = sb_drawing_marks_width(def);
    layout.left = SB_DRAWING_CAPITAL + 6 * SB_DRAWING_LETTER + SB_DRAWING_PAD;
    layout.bar_width = 18;
    int right = marks + 2 * SB_DRAWING_PAD + layout.bar_width +
                SB_DRAWING_TICK + 2 * SB_DRAWING_PAD + 4 * SB_DRAWING_LETTER +
                SB_DRAWING_PAD + SB_DRAWING_CAPITAL;
    layout.width = def->width - layout.left - right;
    layout.bar_left = layout.left + layout.width + marks + 2 * SB_DRAWING_PAD;
    layout.wave_top =
        SB_DRAWING_TITLE_TOP + SB_DRAWING_CAPITAL + 2 * SB_DRAWING_PAD;
    layout.wave_height = def->height / 7;
    layout.top = layout.wave_top + layout.wave_height + 2 * SB_DRAWING_PAD;
    int below = SB_DRAWING_TICK + SB_DRAWING_PAD + 2 * SB_DRAWING_CAPITAL +
                2 * SB_DRAWING_PAD + SB_DRAWING_PAD / 2;
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
static double top_of(const sb_drawing *d) {
    float loudest = -150.0f;
    size_t count = (size_t)d->layout.width * (size_t)d->layout.height;
    for (size_t i = 0; i < count; i++) {
        loudest = fmaxf(loudest, d->levels_db[i]);
    }
    return loudest > -150.0f ? 5.0 * ceil((double)loudest / 5.0) : 0.0;
}

static void draw(sb_drawing *d) {
    d->top_db = top_of(d);
    d->peak = peak_of(d->def);
    sb_colour_map_fill(d->map);
    sb_picture_fill(d->picture, sb_drawing_ground);
    sb_drawing_title(d);
    sb_drawing_wave(d);
    sb_drawing_levels(d);
    sb_drawing_bar(d);
    sb_drawing_time_axis(d);
    sb_drawing_frequency_axis(d);
    sb_drawing_marks(d);
}

static sb_status compute_and_save(sb_drawing *d, const char *path,
                                  sb_error *err) {
    size_t count = (size_t)d->layout.width * (size_t)d->layout.height;
    d->levels_db = sb_alloc(count, sizeof *d->levels_db);
    if (!d->levels_db) {
        return sb_fail(err, SB_NO_MEMORY, "no memory for a spectrogram");
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
    sb_drawing d = {.def = def, .layout = sb_spectrogram_layout_of(def)};
    d.axis = axis_of(def, &d.layout);
    status = sb_picture_create(&d.picture, def->width, def->height, err);
    if (status != SB_OK) return status;
    status = compute_and_save(&d, path, err);
    sb_picture_destroy(d.picture);
    return status;
}
