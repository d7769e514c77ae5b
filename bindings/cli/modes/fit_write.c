/* bindings/cli/modes/fit_write.c -- writes the modes of a fit as a table, as a
 * Lua module and as textures.
 * Thread: control. */
#include "bindings/cli/modes/fit.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/utf8.h"
#include "runtime/media/image/png16.h"
#include "runtime/store/export/text_out.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_head(const fit_job *job, sb_text_out *text) {
    sb_text_print(text, "-- Written by `sandbell fit` from:\n");
    for (int r = 0; r < job->take_count; r++) {
        sb_text_print(text, "--   %.200s", base_name(job->paths[r]));
        if (job->spread.count > 0)
            sb_text_print(text, " at %g,%g", job->spread.places[r][0],
                          job->spread.places[r][1]);
        sb_text_print(text, "\n");
    }
    sb_text_print(
        text,
        "-- modes:   { frequency (Hz), T60 (s), gain }, for sb.modes. A gain "
        "is the mode's\n"
        "--          largest in any recording; the loudest mode has 1, which "
        "is %.6g there.\n"
        "-- weights: of each mode, at each place: a part of that gain, with a "
        "sign%s.\n",
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
    const char *pattern = job->options->textures;
    const char *percent = strchr(pattern, '%');
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%.*s%d%s", (int)(percent - pattern),
                   pattern, k + 1, percent + 2);
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

int fit_write(const fit_job *job) {
    sb_error err;
    if (job->options->output && write_lua(job, &err)) return fail_with(&err);
    if (job->options->textures) {
        if (job->agreement < 0.7) {
            (void)fprintf(stderr,
                          "sandbell fit: warning: phases of the recordings do "
                          "not agree, so all weights are positive\n");
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
    (void)cJSON_AddNumberToObject(row, "freq_hz", mode->freq_hz);
    (void)cJSON_AddNumberToObject(row, "t60_s", mode->t60_s);
    (void)cJSON_AddItemToObject(
        row, "gains", numbers(&job->fit.gains[at(job, k, 0)], job->take_count));
    (void)cJSON_AddItemToObject(
        row, "weights", numbers(&job->weights[at(job, k, 0)], job->take_count));
    (void)cJSON_AddNumberToObject(row, "freq_deviation_hz",
                                  mode->freq_deviation_hz);
    (void)cJSON_AddNumberToObject(row, "t60_deviation_s",
                                  mode->t60_deviation_s);
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
        (void)cJSON_AddStringToObject(row, "file", job->paths[r]);
        (void)cJSON_AddNumberToObject(row, "onset_s", job->fit.onsets_s[r]);
        (void)cJSON_AddNumberToObject(row, "noise", job->fit.noise[r]);
    }
    (void)cJSON_AddNumberToObject(root, "sign_agreement", job->agreement);
    if (report) (void)cJSON_AddItemToObject(root, "compare", report);
    char *printed = cJSON_Print(root);
    sb_utf8_mend(printed);
    if (printed) (void)printf("%s\n", printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    return printed ? EXIT_OK : EXIT_SCRIPT;
}

int fit_report(const fit_job *job, cJSON *report) {
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
