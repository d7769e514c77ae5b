/* SPDX-License-Identifier: MIT */
/* Measures how large a click a reload makes, against a run without a reload.
 * Thread: control. */
#include "tests/bench/live/reload_click.h"

#include "runtime/base/pi.h"
#include "runtime/engine/engine.h"
#include "runtime/media/spectrum.h"
#include "runtime/scene/commit.h"
#include "tests/bench/scene_player.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FRAMES = 16384,
    RELOAD_FRAME = 8160, /* a whole number of control steps */
    GLIDE_FRAMES = 1024, /* 20 ms in whole blocks */
    SAVES = 1000,
    LATENCY_MAX = 1024
};

#define SAVED_HZ 1000.0

static const double pitches_hz[] = {110, 440, 1000, 3000, 9000};
enum { PITCHES = sizeof pitches_hz / sizeof *pitches_hz };

/* One mode at half of full scale at 1 m. */
static const char scene_text[] =
    "%s\n"
    "local sb = require 'sandbell'\n"
    "sb.listener { ears = 'pan' }\n"
    "local bell = sb.body('bell', { shape = sb.modes { { %.9f, 20, 1 } } })\n"
    "function scene.start() bell:strike { impulse = 0.484 } end\n";

typedef struct listening {
    char path[BENCH_PATH + 16];
    sb_host *host;
    int64_t step;
} listening;

static sb_status write_scene(const listening *self, const char *remark,
                             double hz, sb_error *err) {
    char text[sizeof scene_text + 64];
    int length = snprintf(text, sizeof text, scene_text, remark, hz);
    if (file_save(self->path, text, (size_t)length)) return SB_OK;
    return sb_fail(err, SB_IO_ERROR, "%s: cannot be written", self->path);
}

static sb_status begin(listening *self, const char *folder, double hz,
                       sb_error *err) {
    sb_host_def def = sb_host_def_default();
    self->step = 0;
    self->host = NULL;
    (void)snprintf(self->path, sizeof self->path, "%s/click.lua", folder);
    sb_status status = write_scene(self, "--", hz, err);
    return status ? status : sb_host_open(self->path, &def, &self->host, err);
}

static double now_of(const listening *self) {
    return (double)(self->step * BENCH_STEP_FRAMES) / BENCH_RATE_HZ;
}

/* Render the next frames of the left ear, without the limiter's look-ahead. */
static sb_status hear(listening *self, float *mono, int frames, sb_error *err) {
    sb_engine *engine = sb_host_engine(self->host);
    for (int n = 0; n < frames;) {
        float stereo[2 * SB_BLOCK_FRAMES];
        int take = frames - n < SB_BLOCK_FRAMES ? frames - n : SB_BLOCK_FRAMES;
        sb_status status =
            bench_reach(self->host, &self->step,
                        sb_engine_clock(engine) + SB_BLOCK_FRAMES, err);
        if (status) return status;
        sb_engine_pull(engine, stereo, take);
        for (int i = 0; i < take; i++)
            mono[n + i] = stereo[2 * i];
        n += take;
    }
    return SB_OK;
}

/* Render FRAMES frames with a reload to `to_hz` in between (0: no reload). */
static sb_status play(const char *folder, double hz, double to_hz, float *mono,
                      sb_error *err) {
    listening self;
    float skipped[LATENCY_MAX];
    sb_commit_counts counts;
    sb_status status = begin(&self, folder, hz, err);
    int latency = status ? 0 : sb_engine_latency(sb_host_engine(self.host));
    assert(latency <= LATENCY_MAX);
    if (!status) status = hear(&self, skipped, latency, err);
    if (!status) status = hear(&self, mono, RELOAD_FRAME, err);
    if (!status && to_hz > 0.0) {
        status = write_scene(&self, "-- saved", to_hz, err);
        if (!status) {
            status = sb_host_reload_now(self.host, false, now_of(&self),
                                        &counts, err);
        }
    }
    if (!status) {
        status = hear(&self, mono + RELOAD_FRAME, FRAMES - RELOAD_FRAME, err);
    }
    sb_host_close(self.host);
    return status;
}

static double largest_difference(const float *a, const float *b, int count) {
    double largest = 0.0;
    for (int n = 0; n < count; n++)
        largest = fmax(largest, fabs((double)a[n] - (double)b[n]));
    return largest;
}

/* The ideal glide at the same time: the frequency changes with every sample. */
static void ideal_glide(float *mono, double level, double hz, double to_hz) {
    double angle = 0.0;
    for (int n = 0; n < FRAMES; n++) {
        double t = (n + 0.5 - RELOAD_FRAME) / GLIDE_FRAMES;
        t = fmin(fmax(t, 0.0), 1.0);
        double way = t * t * t * (10.0 + t * (6.0 * t - 15.0));
        mono[n] = (float)(level * cos(angle));
        angle += SB_TAU * (hz + (to_hz - hz) * way) / BENCH_RATE_HZ;
    }
}

/* Level of everything more than an octave away from the mode during the glide,
 * dBFS. */
static sb_status splatter(const float *mono, double hz, double *dbfs,
                          sb_error *err) {
    static float power[FRAMES / 2 + 1];
    sb_spectrum *spectrum;
    sb_status status = sb_spectrum_create(&spectrum, FRAMES, FRAMES,
                                          SB_WINDOW_BLACKMAN_HARRIS, err);
    if (status) return status;
    sb_stretch stretch = {mono, FRAMES, 1, 0};
    sb_spectrum_power(spectrum, &stretch, 0, power);
    sb_spectrum_destroy(spectrum);
    double sum = 0.0;
    for (int k = 0; k < FRAMES / 2; k++) {
        double at = k * BENCH_RATE_HZ / FRAMES;
        if (at > 2.0 * hz || at < 0.5 * hz) sum += (double)power[k];
    }
    *dbfs = 10.0 * log10(sum * FRAMES / GLIDE_FRAMES + 1e-30);
    return SB_OK;
}

static sb_status many_saves(const char *folder, double *residual,
                            sb_error *err) {
    enum { BETWEEN = 96 };
    listening saved, left_alone;
    sb_status status = begin(&saved, folder, SAVED_HZ, err);
    if (status) return status;
    status = begin(&left_alone, folder, SAVED_HZ, err);
    for (int i = 0; i < SAVES && !status; i++) {
        float a[BETWEEN], b[BETWEEN];
        sb_commit_counts counts;
        sb_error expected;
        status = write_scene(&saved, i % 2 ? "= mistake" : "-- remark",
                             SAVED_HZ, err);
        if (status) break;
        bool failed = sb_host_reload_now(saved.host, false, now_of(&saved),
                                         &counts, &expected) != SB_OK;
        if (failed != (i % 2 == 1)) {
            status = sb_fail(err, SB_BAD_FORMAT, "save %d: %.300s", i,
                             failed ? expected.message : "was not refused");
            break;
        }
        status = hear(&saved, a, BETWEEN, err);
        if (!status) status = hear(&left_alone, b, BETWEEN, err);
        if (!status) {
            *residual = fmax(*residual, largest_difference(a, b, BETWEEN));
        }
    }
    sb_host_close(saved.host);
    sb_host_close(left_alone.host);
    return status;
}

/* Level more than an octave away from a mode at -6 dBFS during a glide by 10 %
 * in stiffness, and the same for a glide computed sample by sample. */
static sb_status one_pitch(const char *folder, double hz, double dbfs[2],
                           double *same_residual, sb_error *err) {
    static float plain[FRAMES], other[FRAMES];
    double to_hz = hz * sqrt(1.1), level = 0.0;
    sb_status status = play(folder, hz, 0.0, plain, err);
    if (!status) status = play(folder, hz, hz, other, err);
    if (status) return status;
    *same_residual =
        fmax(*same_residual, largest_difference(plain, other, FRAMES));
    for (int n = 0; n < FRAMES; n++)
        level = fmax(level, fabs((double)plain[n]));
    status = play(folder, hz, to_hz, other, err);
    if (!status) status = splatter(other, hz, &dbfs[0], err);
    if (status) return status;
    ideal_glide(other, level, hz, to_hz);
    return splatter(other, hz, &dbfs[1], err);
}

sb_status report_clicks(const char *folder, report *to, sb_error *err) {
    static const report_column columns[] = {
        {"hz", "mode at -6 dBFS", "%12.0f Hz", 0},
        {"dbfs", "beside it", "%12.1f dBFS", 0},
        {"ideal_dbfs", "ideal glide", "%12.1f dBFS", 0},
        {NULL, NULL, NULL, 0}};
    double same = 0.0, saves = 0.0, dbfs[PITCHES][2];
    sb_status status = SB_OK;
    for (int i = 0; i < PITCHES && !status; i++)
        status = one_pitch(folder, pitches_hz[i], dbfs[i], &same, err);
    if (!status) status = many_saves(folder, &saves, err);
    if (status) return status;
    report_value(to, "same_residual", "a reload that changes nothing adds",
                 "%8g", 1, same);
    report_value(to, "saves_residual", "1000 good and bad saves in turn add",
                 "%8g", 1, saves);
    report_say(to, "\n  10 %% stiffer while it rings:\n");
    report_table(to, "retune_clicks", "name", NULL, 0, columns);
    for (int i = 0; i < PITCHES; i++)
        (void)report_row(to, NULL, NULL,
                         (double[]){pitches_hz[i], dbfs[i][0], dbfs[i][1]});
    report_end(to);
    report_say(to, "\n");
    return SB_OK;
}
