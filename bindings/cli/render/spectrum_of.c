/* Computes and draws the spectrum of a sound at one or several times.
 * Thread: control. */
#include "bindings/cli/render/spectrum_of.h"

#include "runtime/base/memory.h"
#include "runtime/media/picture/graph.h"
#include "runtime/media/spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Window: long enough to separate modes 12 Hz apart, short enough for a strike
 * on wood. */
#define STRETCH_S 0.17

/* Audible frequencies, and the range in dB below the loudest, as in a
 * spectrogram. */
#define HIGHEST_HZ 4000.0
#define RANGE_DB   80.0

enum { PADDING = 4, NAME_SIZE = 32 };

typedef struct point {
    double freq_hz;
    double level_db[SB_GRAPH_CURVES];
} point;

/* Number of times read, or 0 if the text is malformed. */
static int read_times(const char *text, double out[SB_GRAPH_CURVES]) {
    int count = 0;
    for (const char *at = text; count < SB_GRAPH_CURVES; at++) {
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

bool spectrum_is_times(const char *text) {
    double times[SB_GRAPH_CURVES];
    return read_times(text, times) > 0;
}

static double loudest_s(const picture_samples *samples, int rate_hz) {
    int64_t loudest = 0;
    for (int64_t i = 1; i < 2 * samples->frames; i++)
        if (fabsf(samples->stereo[i]) > fabsf(samples->stereo[loudest]))
            loudest = i;
    int64_t frame = loudest / 2;
    return (double)frame / rate_hz;
}

/* --- levels --------------------------------------------------------------- */

/* Spectrum: mean power of both ears. */
static sb_status measure(const picture_samples *samples, int rate_hz,
                         const double *times, int count, point *points,
                         int point_count, sb_error *err) {
    int size = 2 * (int)lrint(0.5 * STRETCH_S * rate_hz);
    sb_spectrum *spectrum;
    sb_status status = sb_spectrum_create(&spectrum, size, PADDING * size,
                                          SB_WINDOW_HANN, err);
    if (status) return status;
    int bins = sb_spectrum_bin_count(spectrum);
    float *power = sb_alloc((size_t)bins * 2, sizeof *power);
    if (!power) status = sb_fail(err, SB_NO_MEMORY, "spectrum: out of memory");
    for (int i = 0; i < count && !status; i++) {
        for (int ear = 0; ear < 2; ear++) {
            sb_stretch stretch = {samples->stereo, samples->frames, 2, ear};
            sb_spectrum_power(spectrum, &stretch, llrint(times[i] * rate_hz),
                              power + (size_t)ear * (size_t)bins);
        }
        for (int k = 0; k < point_count && k < bins; k++)
            points[k].level_db[i] = (double)sb_power_db(
                0.5F * (power[k] + power[(size_t)bins + (size_t)k]));
    }
    sb_free(power);
    sb_spectrum_destroy(spectrum);
    return status;
}

/* --- the picture ---------------------------------------------------------- */

static sb_status draw(const char *path, const char *title, const point *points,
                      int point_count, const double *times, int count,
                      sb_error *err) {
    static const sb_colour colours[SB_GRAPH_CURVES] = {
        {120, 168, 255, 255}, {244, 150, 76, 255}, {130, 224, 160, 255}};
    char names[SB_GRAPH_CURVES][NAME_SIZE], facts[NAME_SIZE];
    double top = SB_SPECTRUM_FLOOR_DB + RANGE_DB;
    sb_graph_panel panel = {.name = "level", .unit = "dBFS"};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < point_count; k++)
            top = fmax(top, points[k].level_db[i]);
        (void)snprintf(names[i], NAME_SIZE, "from %.3f s", times[i]);
        panel.curves[i] = (sb_graph_curve){names[i], colours[i],
                                           offsetof(point, level_db) +
                                               (size_t)i * sizeof(double)};
    }
    panel.curve_count = count;
    panel.high = 10.0 * ceil(0.1 * top);
    panel.low = panel.high - RANGE_DB;
    (void)snprintf(facts, sizeof facts, "%.0f ms each", 1e3 * STRETCH_S);
    sb_graph_def def = {.title = title,
                        .facts = facts,
                        .points = points,
                        .point_size = sizeof *points,
                        .point_count = point_count,
                        .time_offset = offsetof(point, freq_hz),
                        .step_s = points[1].freq_hz,
                        .across = "frequency",
                        .across_unit = "Hz",
                        .panels = &panel,
                        .panel_count = 1,
                        .to_s = {points[point_count - 1].freq_hz},
                        .view_count = 1};
    return sb_graph_write(path, &def, err);
}

sb_status spectrum_write(const char *path, const char *scene_path,
                         const picture_samples *samples, int rate_hz,
                         const char *times, sb_error *err) {
    double from_s[SB_GRAPH_CURVES] = {0.0};
    int count = times ? read_times(times, from_s) : 1;
    if (!times) from_s[0] = loudest_s(samples, rate_hz);
    for (int i = 0; i < count; i++)
        if (from_s[i] * rate_hz >= (double)samples->frames)
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "--at %g: the sound is over after %.2f s", from_s[i],
                           (double)samples->frames / rate_hz);
    int size = 2 * (int)lrint(0.5 * STRETCH_S * rate_hz);
    double step_hz = (double)rate_hz / (PADDING * size);
    int point_count = (int)(fmin(HIGHEST_HZ, 0.5 * rate_hz) / step_hz);
    point *points = sb_alloc((size_t)point_count, sizeof *points);
    if (!points) return sb_fail(err, SB_NO_MEMORY, "spectrum: out of memory");
    for (int k = 0; k < point_count; k++)
        points[k].freq_hz = k * step_hz;
    const char *slash = strrchr(scene_path, '/');
    sb_status status =
        measure(samples, rate_hz, from_s, count, points, point_count, err);
    if (!status)
        status = draw(path, slash ? slash + 1 : scene_path, points, point_count,
                      from_s, count, err);
    sb_free(points);
    return status;
}
