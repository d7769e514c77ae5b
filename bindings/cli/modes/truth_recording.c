/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/truth_recording.c -- sandbell truth --recording: what a
 * scene plays beside a recording of the thing.
 *
 * Predicted are the modes of the scene's bodies. How loud they are is measured in
 * what the scene plays in the time of the recording, and what is more than 60 dB
 * below the loudest is left out. The recording is fitted (fit.h). Partials are
 * matched by frequency. A recording's gain is not known, so levels are compared
 * after their differences have lost their median.
 *
 * Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/modes/modes.h"
#include "bindings/cli/modes/truth.h"
#include "bindings/cli/modes/verb_fit.h"
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/known_modes.h"
#include "runtime/model/model.h"
#include "runtime/scene/state/body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_frequency(const void *a, const void *b) {
    const truth_tone *x = a, *y = b;
    return (x->freq_hz > y->freq_hz) - (x->freq_hz < y->freq_hz);
}

#define RANGE_DB 60.0
/* As of a fit. */
#define LOW_HZ  20.0
#define HIGH_HZ 20000.0
#define HIGH    0.46 /* of the rate */

/* --- the sound of the scene ----------------------------------------------- */

typedef struct played {
    float *samples; /* as many as the recording's, one channel */
    int count, most, rate_hz;
    sb_fit_mode modes[SB_FIT_MAX_MODES];
    char labels[SB_FIT_MAX_MODES][TRUTH_NAME_SIZE];
    double gains[SB_FIT_MAX_MODES];
    int mode_count;
} played;

static sb_status take_frames(void *user, const float *stereo, int frames,
                             sb_error *err) {
    played *self = user;
    (void)err;
    for (int n = 0; n < frames && self->count < self->most; n++)
        self->samples[self->count++] =
            0.5f * (stereo[2 * n] + stereo[2 * n + 1]);
    return SB_OK;
}

/* As it is heard: damped. */
static void take_mode(played *self, const char *body, const sb_mode *mode) {
    double turn_hz = mode->sigma_per_s / (2.0 * SB_PI);
    double hz =
        sqrt(fmax(mode->freq_hz * mode->freq_hz - turn_hz * turn_hz, 0));
    if (hz < LOW_HZ || hz > fmin(HIGH_HZ, HIGH * self->rate_hz) ||
        self->mode_count == SB_FIT_MAX_MODES)
        return;
    int k = self->mode_count++;
    self->modes[k] = (sb_fit_mode){
        .freq_hz = hz, .t60_s = log(1000.0) / fmax(mode->sigma_per_s, 1e-6)};
    (void)snprintf(self->labels[k], TRUTH_NAME_SIZE, "%.16s%s%s", body,
                   *body ? ": " : "", mode->label);
}

static void take_modes(played *self, const sb_scene *scene) {
    int count = sb_scene_body_count(scene);
    for (int i = 0; i < count; i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        const sb_model *model = sb_scene_body_model(scene, id);
        const char *body = count > 1 ? sb_scene_body_name(scene, id) : "";
        for (int k = 0; k < sb_model_mode_count(model); k++)
            take_mode(self, body, &sb_model_modes(model)[k]);
    }
}

static int play(const char *path, const scene_options *options, played *self) {
    sb_host_def def;
    sb_host *host;
    sb_error err;
    double peak = 0.0;
    if (!host_def_of(&verb_truth, options, &def)) return EXIT_USAGE;
    def.print = print_nothing;
    if (open_host(path, &def, &host, &err)) return fail_with(&err);
    sb_host_hooks hooks = {
        .sink = take_frames, .must_stop = truth_must_stop, .user = self};
    double seconds = (double)self->most / self->rate_hz;
    sb_status status = sb_host_run(host, &hooks, seconds, &peak, &err);
    if (!status) {
        take_modes(self, sb_host_scene(host));
        if (peak > 0.0)
            report_level("truth", sb_host_scene(host), sb_host_engine(host),
                         peak, "");
    }
    sb_host_close(host);
    if (status) return fail_with(&err);
    if (peak > 0.0 && self->mode_count > 0) return EXIT_OK;
    complain(
        "truth",
        "%s plays no modes in %.2f s; its scene.start must strike the body "
        "where and as it was struck in the recording",
        path, seconds);
    return EXIT_SOLVE;
}

/* Play the scene at the rate of the recording, and measure its modes. */
static int predict(const char *path, const scene_options *options,
                   const fit_job *recording, played *self) {
    sb_error err;
    scene_options at_its_rate = *options;
    at_its_rate.rate_hz = self->rate_hz = recording->rate_hz;
    self->most = recording->counts[0];
    self->samples = sb_alloc((size_t)self->most + 1, sizeof(float));
    if (!self->samples) {
        complain("truth", "out of memory");
        return EXIT_SCRIPT;
    }
    int code = play(path, &at_its_rate, self);
    if (code != EXIT_OK) return code;
    sb_recording sound = {self->samples, self->count};
    sb_status status = sb_fit_known(&sound, self->rate_hz, self->modes,
                                    self->mode_count, self->gains, &err);
    return status ? fail_with(&err) : EXIT_OK;
}

/* Keep what is loud enough, by frequency. */
static int list_tones(const played *self, truth_tone *out) {
    double most = 0.0;
    int count = 0;
    for (int k = 0; k < self->mode_count; k++)
        most = fmax(most, self->gains[k]);
    for (int k = 0; k < self->mode_count; k++) {
        if (!(self->gains[k] > most * pow(10.0, -RANGE_DB / 20.0))) continue;
        out[count++] =
            (truth_tone){self->labels[k], self->modes[k].freq_hz,
                         decibels(self->gains[k]), self->modes[k].t60_s};
    }
    qsort(out, (size_t)count, sizeof *out, by_frequency);
    return count;
}

/* --- partials ------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `values` is sorted. */
static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static truth_tone tone_of(const fit_job *job, int k) {
    return (truth_tone){"", job->fit.modes[k].freq_hz,
                        decibels(job->fit.gains[k]), job->fit.modes[k].t60_s};
}

static bool is_pair(const truth_partial *row) {
    return row->predicted.label && row->recorded.label;
}

/* The predicted levels get the recording's gain. */
static void level_off(truth_comparison *out, double *differences) {
    for (int i = 0; i < out->count; i++) {
        const truth_partial *row = &out->partials[i];
        if (is_pair(row))
            differences[out->matched++] =
                row->recorded.level_db - row->predicted.level_db;
    }
    double gain_db = out->matched > 0 ? median(differences, out->matched) : 0.0;
    for (int i = 0; i < out->count; i++)
        out->partials[i].predicted.level_db += gain_db;
}

/* The partial that the next matched mode from k on is matched with. */
static int next_fellow(const int *fellows, int count, int k, int others) {
    while (k < count && fellows[k] < 0)
        k++;
    return k < count ? fellows[k] : others;
}

/* In the order of frequency: matches keep it. */
static void align(const truth_tone *tones, int count, const fit_job *recording,
                  const int *fellows, truth_comparison *out) {
    const sb_fit *fit = &recording->fit;
    int next = 0;
    for (int k = 0; k < count; k++) {
        int until = next_fellow(fellows, count, k, fit->mode_count);
        bool is_alone = fellows[k] < 0;
        while (next < until &&
               !(is_alone && fit->modes[next].freq_hz > tones[k].freq_hz))
            out->partials[out->count++].recorded = tone_of(recording, next++);
        truth_partial *row = &out->partials[out->count++];
        row->predicted = tones[k];
        if (!is_alone) row->recorded = tone_of(recording, next++);
    }
    while (next < fit->mode_count)
        out->partials[out->count++].recorded = tone_of(recording, next++);
}

static bool match(const played *scene, const fit_job *recording,
                  truth_comparison *out) {
    int most = scene->mode_count, others = recording->fit.mode_count;
    truth_tone *tones = sb_alloc((size_t)most, sizeof *tones);
    double *numbers = sb_alloc((size_t)(2 * most + others), sizeof *numbers);
    int *fellows = sb_alloc((size_t)most, sizeof *fellows);
    out->partials = sb_alloc((size_t)(most + others), sizeof *out->partials);
    bool ok = tones && numbers && fellows && out->partials;
    if (ok) out->predicted_count = list_tones(scene, tones);
    for (int k = 0; ok && k < out->predicted_count; k++)
        numbers[k] = tones[k].freq_hz;
    for (int k = 0; ok && k < others; k++)
        numbers[most + k] = recording->fit.modes[k].freq_hz;
    ok = ok && match_modes(numbers, out->predicted_count, numbers + most,
                           others, fellows);
    if (ok) {
        align(tones, out->predicted_count, recording, fellows, out);
        level_off(out, numbers);
    }
    sb_free(tones);
    sb_free(numbers);
    sb_free(fellows);
    return ok;
}

/* --- what is printed ------------------------------------------------------ */

static void print_tone(const truth_tone *tone) {
    if (tone->label)
        (void)printf(" %10.2f %7.1f %8.4f", tone->freq_hz, tone->level_db,
                     tone->t60_s);
    else
        (void)printf(" %10s %7s %8s", "-", "-", "-");
}

static void print_rows(const truth_comparison *found, const char *scene,
                       const char *recording) {
    (void)printf("%s predicted, %s recorded; levels in dB, the predicted ones "
                 "with the recording's gain\n",
                 scene, recording);
    (void)printf(" %10s %7s %8s %10s %7s %8s %8s %7s  mode\n", "predicted",
                 "level", "T60 (s)", "recorded", "level", "T60 (s)", "cents",
                 "dB");
    for (int i = 0; i < found->count; i++) {
        const truth_partial *row = &found->partials[i];
        print_tone(&row->predicted);
        print_tone(&row->recorded);
        if (is_pair(row))
            (void)printf(" %+8.1f %+7.1f", truth_partial_cents(row),
                         row->predicted.level_db - row->recorded.level_db);
        else
            (void)printf(" %8s %7s", "", "");
        (void)printf("  %s\n",
                     row->predicted.label ? row->predicted.label : "");
    }
    (void)printf("%d of %d predicted partials are in the recording\n",
                 found->matched, found->predicted_count);
}

static void add_tone(cJSON *json, const char *name, const truth_tone *tone) {
    if (!tone->label) return;
    cJSON *row = cJSON_AddObjectToObject(json, name);
    if (*tone->label) add_text(row, "label", tone->label);
    add_number(row, "freq_hz", tone->freq_hz);
    add_number(row, "level_db", tone->level_db);
    add_number(row, "t60_s", tone->t60_s);
}

static int print_as_json(const truth_comparison *found, const char *scene,
                         const char *recording) {
    cJSON *root = cJSON_CreateObject();
    add_text(root, "scene", scene);
    add_text(root, "recording", recording);
    cJSON *rows = cJSON_AddArrayToObject(root, "partials");
    for (int i = 0; i < found->count; i++) {
        const truth_partial *partial = &found->partials[i];
        cJSON *row = cJSON_CreateObject();
        (void)cJSON_AddItemToArray(rows, row);
        add_tone(row, "predicted", &partial->predicted);
        add_tone(row, "recorded", &partial->recorded);
        if (!is_pair(partial)) continue;
        add_number(row, "error_cents", truth_partial_cents(partial));
        add_number(row, "error_db",
                   partial->predicted.level_db - partial->recorded.level_db);
    }
    add_number(root, "matched", found->matched);
    return print_json(root);
}

double truth_partial_cents(const truth_partial *partial) {
    return cents_between(partial->predicted.freq_hz, partial->recorded.freq_hz);
}

/* --- all of it ------------------------------------------------------------ */

static int compare(const char *path, const played *scene,
                   const fit_job *recording, bool is_json, const char *plot) {
    truth_comparison found = {.samples = recording->samples[0],
                              .sample_count = recording->counts[0],
                              .rate_hz = recording->rate_hz,
                              .onset_s = recording->fit.onsets_s[0]};
    sb_error err;
    int code = EXIT_OK;
    if (!match(scene, recording, &found)) {
        complain("truth", "out of memory");
        code = EXIT_SCRIPT;
    } else if (plot && truth_plot_recording(&found, path, recording->paths[0],
                                            plot, &err)) {
        code = fail_with(&err);
    } else if (is_json) {
        code = print_as_json(&found, path, recording->paths[0]);
    } else {
        print_rows(&found, file_name(path), file_name(recording->paths[0]));
    }
    sb_free(found.partials);
    return code;
}

int truth_compare_recording(const char *path, const char *recording,
                            const scene_options *options, bool is_json,
                            const char *plot) {
    fit_options defaults = {0};
    fit_job job = {.options = &defaults, .paths = &recording, .take_count = 1};
    played *scene = sb_alloc(1, sizeof *scene);
    int code = EXIT_SCRIPT;
    if (scene)
        code = fit_read(&job);
    else
        complain("truth", "out of memory");
    if (code == EXIT_OK) code = predict(path, options, &job, scene);
    if (code == EXIT_OK) code = fit_find(&job);
    if (code == EXIT_OK) code = compare(path, scene, &job, is_json, plot);
    fit_release(&job);
    if (scene) sb_free(scene->samples);
    sb_free(scene);
    return code;
}
