/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/verb_fit.c -- sandbell fit: reads recordings, fits the modes
 * they share, and writes them as a table, JSON, Lua and textures.
 * Thread: control. */
#include "bindings/cli/modes/verb_fit.h"
#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/media/image/png_file.h"
#include "runtime/media/sound_file.h"
#include "runtime/store/export/text_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(fit_options, field)
const option_row fit_rows[] = {
    OPTION_ROW("--at", NULL, PLACES, places, 0, 1, "U,V",
               "where the object was struck, one per recording, in order"),
    FLAG_ROW("--line", is_line, "the places lie along a line, as on a bar"),
    FLAG_ROW(
        "--round", is_round,
        "the object is round: weights depend on the distance from the middle"),
    FLAG_ROW("--scattered", is_scattered, "the places lie anywhere (default)"),
    OPTION_ROW("--output", "-o", OUTPUT, output, 0, 0, "TABLE.lua",
               "write modes and weights as a Lua module"),
    TEXT_ROW("--textures", OUTPUT, textures, "NAME_%d.png",
             "write the weights as textures, one image per mode"),
    NUMBER_ROW("--size", size, 1, 4096, "N",
               "texels per side (default 64; with --line, N x 1)"),
    FLAG_ROW("--compare", compares,
             "compare the fit with each recording and report the differences"),
    TEXT_ROW("--picture", OUTPUT, picture, "PNG",
             "draw that comparison (default fit.png)"),
    FLAG_ROW("--json", is_json, "print one JSON object"),
    NUMBER_ROW("--modes", mode_count, 1, SB_FIT_MAX_MODES, "N",
               "only the loudest N modes (default 128)"),
    NUMBER_ROW("--range", range_db, 1, 120, "DB",
               "ignore modes more than this below the loudest (default 60)"),
    NUMBER_ROW("--low", low_hz, 5, 1e5, "HZ",
               "ignore modes below this frequency (default 20)"),
    NUMBER_ROW("--high", high_hz, 20, 1e5, "HZ",
               "ignore modes above this frequency (default 20000)"),
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

/* --- recordings ----------------------------------------------------------- */

/* Three consecutive samples at full scale are taken as clipping. */
static void report_clipping(const char *path, const float *x, int count) {
    int clipped = 0, run = 0;
    for (int n = 0; n < count; n++) {
        run = fabsf(x[n]) >= 0.9999f ? run + 1 : 0;
        if (run == 3) clipped += 3;
        if (run > 3) clipped++;
    }
    if (clipped > 0) {
        complain("fit",
                 "warning: %s is clipped (%d samples at full scale): gains and "
                 "decays may be wrong",
                 path, clipped);
    }
}

static bool has_numbers_only(const char *path, const sb_sound *sound) {
    int64_t all = sound->frame_count * sound->channel_count;
    int64_t bad = 0, first = -1;
    for (int64_t n = 0; n < all; n++) {
        if (isfinite(sound->samples[n])) continue;
        if (bad++ == 0) first = n / sound->channel_count;
    }
    if (bad == 0) return true;
    complain(
        NULL,
        "%s: %lld of its %lld samples are NaN or infinite, the first at %.3f "
        "s; a fit needs numbers",
        path, (long long)bad, (long long)all, (double)first / sound->rate_hz);
    return false;
}

static int read_recording(fit_job *job, int r) {
    sb_sound sound;
    sb_error err;
    const char *path = job->paths[r];
    if (sb_sound_read(&sound, path, &err)) {
        int code = fail_with(&err);
        return err.status == SB_NO_MEMORY ? code : EXIT_ASSET;
    }
    int code = EXIT_OK;
    if (r > 0 && sound.rate_hz != job->rate_hz) {
        complain(NULL,
                 "%s: %d samples per second, but %s has %d; a fit needs "
                 "recordings of one rate",
                 path, sound.rate_hz, job->paths[0], job->rate_hz);
        code = EXIT_ASSET;
    }
    if (code == EXIT_OK && !has_numbers_only(path, &sound)) code = EXIT_ASSET;
    job->rate_hz = sound.rate_hz;
    size_t count = (size_t)sound.frame_count;
    job->counts[r] = (int)count;
    job->samples[r] = sb_alloc(count + 1, sizeof(float));
    for (size_t n = 0; job->samples[r] && n < count; n++) {
        double sum = 0.0;
        for (int c = 0; c < sound.channel_count; c++)
            sum +=
                (double)
                    sound.samples[n * (size_t)sound.channel_count + (size_t)c];
        job->samples[r][n] = (float)(sum / sound.channel_count);
    }
    if (code == EXIT_OK && (double)count < 0.1 * job->rate_hz) {
        complain(NULL, "%s: only %.3f s long; a fit needs 0.1 s at least", path,
                 (double)count / job->rate_hz);
        code = EXIT_ASSET;
    } else if (job->samples[r]) {
        report_clipping(path, sound.samples,
                        (int)(count * (size_t)sound.channel_count));
    }
    sb_sound_free(&sound);
    return code;
}

int fit_read(fit_job *job) {
    job->samples = sb_alloc((size_t)job->take_count, sizeof *job->samples);
    job->counts = sb_alloc((size_t)job->take_count, sizeof *job->counts);
    int code = EXIT_OK;
    bool ok = job->samples && job->counts;
    for (int r = 0; ok && code == EXIT_OK && r < job->take_count; r++) {
        code = read_recording(job, r);
        ok = code != EXIT_OK || job->samples[r] != NULL;
    }
    if (!ok) {
        complain("fit", "out of memory");
        return EXIT_SCRIPT;
    }
    return code;
}

/* --- the fit -------------------------------------------------------------- */

int fit_find(fit_job *job) {
    sb_recording recordings[SB_FIT_MAX_TAKES];
    for (int r = 0; r < job->take_count; r++)
        recordings[r] = (sb_recording){job->samples[r], job->counts[r]};
    sb_fit_def def = sb_fit_def_default();
    if (job->options->mode_count > 0)
        def.max_modes = (int)job->options->mode_count;
    if (job->options->range_db > 0) def.range_db = job->options->range_db;
    if (job->options->low_hz > 0) def.low_hz = job->options->low_hz;
    if (job->options->high_hz > 0) def.high_hz = job->options->high_hz;
    sb_error err;
    if (sb_fit_modes(&job->fit, recordings, job->take_count, job->rate_hz, &def,
                     &err)) {
        return fail_with(&err);
    }
    size_t count = (size_t)job->fit.mode_count;
    job->weights =
        sb_alloc(count * (size_t)job->take_count, sizeof *job->weights);
    job->largest = sb_alloc(count, sizeof *job->largest);
    if (!job->weights || !job->largest) {
        complain("fit", "out of memory");
        return EXIT_SCRIPT;
    }
    job->agreement = sb_fit_weights(&job->fit, job->weights, job->largest);
    return EXIT_OK;
}

static size_t at(const fit_job *job, int k, int r) {
    return (size_t)k * (size_t)job->take_count + (size_t)r;
}

static double loudest(const fit_job *job) {
    double most = 0.0;
    for (int k = 0; k < job->fit.mode_count; k++)
        most = fmax(most, job->largest[k]);
    return most;
}

/* --- Lua ------------------------------------------------------------------ */

static void write_head(const fit_job *job, sb_text_out *text) {
    sb_text_print(text, "-- Written by `sandbell fit` from:\n");
    for (int r = 0; r < job->take_count; r++) {
        sb_text_print(text, "--   %.200s", file_name(job->paths[r]));
        if (job->spread.count > 0)
            sb_text_print(text, " at %g,%g", job->spread.places[r][0],
                          job->spread.places[r][1]);
        sb_text_print(text, "\n");
    }
    sb_text_print(
        text,
        "-- modes:   { frequency (Hz), T60 (s), gain }, for sb.modes. A gain "
        "is the mode's\n--          largest in any recording; the loudest mode "
        "has 1, which is %.6g there.\n-- weights: of each mode, at each place: "
        "a part of that gain, with a sign%s.\n",
        loudest(job), job->agreement < 0.7 ? " that could not be told" : "");
}

/* Undamped frequency, which sb.modes expects: slightly above the damped
 * frequency that is heard. */
static double undamped_hz(const sb_fit_mode *mode) {
    return hypot(mode->freq_hz, log(1000.0) / (2.0 * SB_PI * mode->t60_s));
}

static sb_status write_lua(const fit_job *job, sb_error *err) {
    sb_text_out text;
    sb_status status = sb_text_begin(&text, job->options->output, err);
    if (status) return status;
    double most = loudest(job);
    write_head(job, &text);
    sb_text_print(&text, "return {\n  modes = {\n");
    for (int k = 0; k < job->fit.mode_count; k++) {
        const sb_fit_mode *mode = &job->fit.modes[k];
        sb_text_print(&text, "    { %.6f, %.6g, %.6g },\n", undamped_hz(mode),
                      mode->t60_s, job->largest[k] / most);
    }
    sb_text_print(&text, "  },\n");
    if (job->spread.count > 0) {
        sb_text_print(&text, "  places = {");
        for (int r = 0; r < job->take_count; r++)
            sb_text_print(&text, " { %.6g, %.6g },", job->spread.places[r][0],
                          job->spread.places[r][1]);
        sb_text_print(&text, " },\n");
    }
    sb_text_print(&text, "  weights = {\n");
    for (int k = 0; k < job->fit.mode_count; k++) {
        sb_text_print(&text, "    {");
        for (int r = 0; r < job->take_count; r++)
            sb_text_print(&text, " %.6g,", job->weights[at(job, k, r)]);
        sb_text_print(&text, " },\n");
    }
    sb_text_print(&text, "  },\n}\n");
    return sb_text_end(&text);
}

/* --- textures ------------------------------------------------------------- */

static sb_status write_texture(const fit_job *job, int k, int width, int height,
                               float *texels, uint16_t *codes, sb_error *err) {
    sb_status status = sb_spread_fill(
        &job->spread, &job->weights[at(job, k, 0)], width, height, texels, err);
    if (status) return status;
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        codes[i] =
            sb_code_of_weight(fmin(fmax((double)texels[i], -1.0), 1.0), 1.0);
    char path[PATH_MAX];
    name_numbered(path, job->options->textures, k + 1);
    sb_png_text text = {SB_IMAGE_NOTE_KEYWORD, "signed"};
    return sb_png16_write(path, width, height, codes, &text, 1, err);
}

static sb_status write_textures(const fit_job *job, sb_error *err) {
    int width = (int)job->options->size;
    int height = job->spread.kind == SB_SPREAD_LINE ? 1 : width;
    size_t count = (size_t)width * (size_t)height;
    float *texels = sb_alloc(count, sizeof *texels);
    uint16_t *codes = sb_alloc(count, sizeof *codes);
    sb_status status = SB_OK;
    if (!texels || !codes)
        status = sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    for (int k = 0; !status && k < job->fit.mode_count; k++)
        status = write_texture(job, k, width, height, texels, codes, err);
    sb_free(texels);
    sb_free(codes);
    return status;
}

static int fit_write(const fit_job *job) {
    sb_error err;
    if (job->options->output && write_lua(job, &err)) return fail_with(&err);
    if (job->options->textures) {
        if (job->agreement < 0.7) {
            complain("fit", "warning: phases of the recordings do not agree, "
                            "so all weights are positive");
        }
        if (write_textures(job, &err)) return fail_with(&err);
    }
    return EXIT_OK;
}

/* --- what is printed ------------------------------------------------------ */

static cJSON *numbers(const double *values, int count) {
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++)
        (void)cJSON_AddItemToArray(list, cJSON_CreateNumber(values[i]));
    return list;
}

static cJSON *mode_object(const fit_job *job, int k) {
    const sb_fit_mode *mode = &job->fit.modes[k];
    cJSON *row = cJSON_CreateObject();
    add_number(row, "freq_hz", mode->freq_hz);
    add_number(row, "t60_s", mode->t60_s);
    (void)cJSON_AddItemToObject(
        row, "gains", numbers(&job->fit.gains[at(job, k, 0)], job->take_count));
    (void)cJSON_AddItemToObject(
        row, "weights", numbers(&job->weights[at(job, k, 0)], job->take_count));
    add_number(row, "freq_deviation_hz", mode->freq_deviation_hz);
    add_number(row, "t60_deviation_s", mode->t60_deviation_s);
    return row;
}

static int tell_json(const fit_job *job, cJSON *report) {
    cJSON *root = cJSON_CreateObject();
    cJSON *modes = cJSON_AddArrayToObject(root, "modes");
    for (int k = 0; k < job->fit.mode_count; k++)
        (void)cJSON_AddItemToArray(modes, mode_object(job, k));
    cJSON *recordings = cJSON_AddArrayToObject(root, "recordings");
    for (int r = 0; r < job->take_count; r++) {
        cJSON *row = cJSON_CreateObject();
        (void)cJSON_AddItemToArray(recordings, row);
        add_text(row, "file", job->paths[r]);
        add_number(row, "onset_s", job->fit.onsets_s[r]);
        add_number(row, "noise", job->fit.noise[r]);
    }
    add_number(root, "sign_agreement", job->agreement);
    if (report) (void)cJSON_AddItemToObject(root, "compare", report);
    return print_json(root);
}

/* `report` may be NULL; it is deleted. */
static int fit_report(const fit_job *job, cJSON *report) {
    if (job->options->is_json) return tell_json(job, report);
    cJSON_Delete(report);
    double most = loudest(job);
    (void)printf("%d modes in %d recordings; gains in dB below the loudest\n",
                 job->fit.mode_count, job->take_count);
    (void)printf("  %4s %12s %10s %9s  %s\n", "mode", "freq (Hz)", "note",
                 "T60 (s)", "gains");
    for (int k = 0; k < job->fit.mode_count; k++) {
        const sb_fit_mode *mode = &job->fit.modes[k];
        char note[16];
        note_name(mode->freq_hz, note);
        (void)printf("  %4d %12.3f %10s %9.4f ", k + 1, mode->freq_hz, note,
                     mode->t60_s);
        for (int r = 0; r < job->take_count; r++) {
            double part = job->fit.gains[at(job, k, r)] / most;
            (void)printf(" %6.1f", 20.0 * log10(fmax(part, 1e-6)));
        }
        (void)printf("\n");
    }
    return EXIT_OK;
}

static int work(fit_job *job) {
    int code = fit_read(job);
    if (code == EXIT_OK) code = fit_find(job);
    if (code == EXIT_OK) code = fit_write(job);
    cJSON *report = NULL;
    if (code == EXIT_OK && job->options->compares)
        code = fit_compare(job, &report);
    if (code == EXIT_OK) return fit_report(job, report);
    cJSON_Delete(report);
    return code;
}

void fit_release(fit_job *job) {
    for (int r = 0; job->samples && r < job->take_count; r++)
        sb_free(job->samples[r]);
    sb_free(job->samples);
    sb_free(job->counts);
    sb_free(job->weights);
    sb_free(job->largest);
    sb_fit_free(&job->fit);
}

/* --- the command line ----------------------------------------------------- */

/* Move words that are places to those of --at, so that one --at may be followed
 * by several. Returns the number of recordings left. */
static int sort_words(const char **words, int count, option_places *places) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!read_places(words[i], 0.0, 1.0, places)) words[kept++] = words[i];
    return kept;
}

static int check(const fit_options *options, int take_count) {
    if (take_count < 1) return complain("fit", "there is no recording to fit");
    if (take_count > SB_FIT_MAX_TAKES)
        return complain("fit", "more than 64 recordings are too many");
    int kinds = options->is_line + options->is_round + options->is_scattered;
    if (kinds > 1)
        return complain("fit",
                        "only one of --line, --round and --scattered can be");
    if (options->places.count > 0 && options->places.count != take_count) {
        return complain(
            "fit", "%d recordings, but %d places (--at U,V for each recording)",
            take_count, options->places.count);
    }
    if (options->textures && options->places.count == 0)
        return complain("fit", "--textures needs --at U,V for each recording");
    if (options->textures && (!is_numbered(options->textures) ||
                              !ends_in(options->textures, ".png"))) {
        return complain("fit",
                        "--textures needs a name that ends in .png and has one "
                        "%%d where the number goes, as in glass_%%d.png");
    }
    if (options->output && !ends_in(options->output, ".lua"))
        return complain("fit", "-o needs a name that ends in .lua");
    if (options->picture && !ends_in(options->picture, ".png"))
        return complain("fit", "--picture needs a name that ends in .png");
    if (options->size != floor(options->size) ||
        options->mode_count != floor(options->mode_count)) {
        return complain("fit", "--size and --modes need whole numbers");
    }
    return EXIT_OK;
}

int fit_main(int argc, char **argv) {
    fit_options options = {.size = 64};
    const char *words[2 * SB_FIT_MAX_TAKES + 2];
    memset(words, 0, sizeof words);
    int most = sizeof words / sizeof words[0];
    if (!parse_options(&verb_fit, argc, argv, &options, words, 1, most) ||
        !are_outputs_separate(&verb_fit, &options))
        return EXIT_USAGE;
    int count = 0;
    while (count < most && words[count])
        count++;
    count = sort_words(words, count, &options.places);
    if (options.picture) options.compares = true;
    int code = check(&options, count);
    if (code != EXIT_OK) return code;
    if (options.output && !options.is_json) results_are_files();
    catch_interrupts();
    fit_job job = {.options = &options, .paths = words, .take_count = count};
    job.spread.kind = options.is_line    ? SB_SPREAD_LINE
                      : options.is_round ? SB_SPREAD_ROUND
                                         : SB_SPREAD_SCATTERED;
    job.spread.count = options.places.count;
    memcpy(job.spread.places, options.places.items, sizeof job.spread.places);
    code = work(&job);
    fit_release(&job);
    return code;
}
