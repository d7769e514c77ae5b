/* bindings/cli/modes/verb_fit.c -- sandbell fit: reads the command line and the
 * recordings, and fits the modes they share.
 * Thread: control. */
#include "bindings/cli/modes/bake.h"
#include "bindings/cli/modes/fit.h"
#include "runtime/base/memory.h"
#include "runtime/fit/signs.h"
#include "runtime/media/sound_file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define AT(field) offsetof(fit_options, field)
const option_row fit_rows[] = {
    {"--at", NULL, OPTION_PLACES, AT(places), 0, 1, "U,V",
     "where the object was struck, one per recording, in order"},
    {"--line", NULL, OPTION_FLAG, AT(is_line), 0, 0, NULL,
     "the places lie along a line, as on a bar"},
    {"--round", NULL, OPTION_FLAG, AT(is_round), 0, 0, NULL,
     "the object is round: weights depend on the distance from the middle"},
    {"--scattered", NULL, OPTION_FLAG, AT(is_scattered), 0, 0, NULL,
     "the places lie anywhere (default)"},
    {"--output", "-o", OPTION_OUTPUT, AT(output), 0, 0, "TABLE.lua",
     "write modes and weights as a Lua module"},
    {"--textures", NULL, OPTION_OUTPUT, AT(textures), 0, 0, "NAME_%d.png",
     "write the weights as textures, one image per mode"},
    {"--size", NULL, OPTION_NUMBER, AT(size), 1, 4096, "N",
     "texels per side (default 64; with --line, N x 1)"},
    {"--compare", NULL, OPTION_FLAG, AT(compares), 0, 0, NULL,
     "compare the fit with each recording and report the differences"},
    {"--picture", NULL, OPTION_OUTPUT, AT(picture), 0, 0, "PNG",
     "draw that comparison (default fit.png)"},
    {"--json", NULL, OPTION_FLAG, AT(is_json), 0, 0, NULL,
     "print one JSON object"},
    {"--modes", NULL, OPTION_NUMBER, AT(mode_count), 1, SB_FIT_MAX_MODES, "N",
     "only the loudest N modes (default 128)"},
    {"--range", NULL, OPTION_NUMBER, AT(range_db), 1, 120, "DB",
     "ignore modes more than this below the loudest (default 60)"},
    {"--low", NULL, OPTION_NUMBER, AT(low_hz), 5, 1e5, "HZ",
     "ignore modes below this frequency (default 20)"},
    {"--high", NULL, OPTION_NUMBER, AT(high_hz), 20, 1e5, "HZ",
     "ignore modes above this frequency (default 20000)"},
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

static int refuse(const char *sentence) {
    (void)fprintf(stderr, "sandbell fit: %s\n", sentence);
    return EXIT_USAGE;
}

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
        (void)fprintf(stderr,
                      "sandbell fit: warning: %s is clipped (%d samples at "
                      "full scale): gains and decays may be wrong\n",
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
    (void)fprintf(stderr,
                  "sandbell: %s: %lld of its %lld samples are NaN or infinite, "
                  "the first at %.3f s; a fit needs numbers\n",
                  path, (long long)bad, (long long)all,
                  (double)first / sound->rate_hz);
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
        (void)fprintf(
            stderr,
            "sandbell: %s: %d samples per second, but %s has %d; a fit "
            "needs recordings of one rate\n",
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
        (void)fprintf(stderr,
                      "sandbell: %s: only %.3f s long; a fit needs 0.1 s at "
                      "least\n",
                      path, (double)count / job->rate_hz);
        code = EXIT_ASSET;
    } else if (job->samples[r]) {
        report_clipping(path, sound.samples,
                        (int)(count * (size_t)sound.channel_count));
    }
    sb_sound_free(&sound);
    return code;
}

static int read_recordings(fit_job *job) {
    job->samples = sb_alloc((size_t)job->take_count, sizeof *job->samples);
    job->counts = sb_alloc((size_t)job->take_count, sizeof *job->counts);
    int code = EXIT_OK;
    bool ok = job->samples && job->counts;
    for (int r = 0; ok && code == EXIT_OK && r < job->take_count; r++) {
        code = read_recording(job, r);
        ok = code != EXIT_OK || job->samples[r] != NULL;
    }
    if (!ok) {
        (void)fprintf(stderr, "sandbell fit: out of memory\n");
        return EXIT_SCRIPT;
    }
    return code;
}

/* --- the fit -------------------------------------------------------------- */

static int fit_recordings(fit_job *job) {
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
        (void)fprintf(stderr, "sandbell fit: out of memory\n");
        return EXIT_SCRIPT;
    }
    job->agreement = sb_fit_weights(&job->fit, job->weights, job->largest);
    return EXIT_OK;
}

static int work(fit_job *job) {
    int code = read_recordings(job);
    if (code == EXIT_OK) code = fit_recordings(job);
    if (code == EXIT_OK) code = fit_write(job);
    cJSON *report = NULL;
    if (code == EXIT_OK && job->options->compares)
        code = fit_compare(job, &report);
    if (code == EXIT_OK) return fit_report(job, report);
    cJSON_Delete(report);
    return code;
}

static void release(fit_job *job) {
    for (int r = 0; job->samples && r < job->take_count; r++)
        sb_free(job->samples[r]);
    sb_free(job->samples);
    sb_free(job->counts);
    sb_free(job->weights);
    sb_free(job->largest);
    sb_fit_free(&job->fit);
}

/* --- the command line ----------------------------------------------------- */

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Move words that are places to those of --at, so that one --at may be followed
 * by several. Returns the number of recordings left. */
static int sort_words(const char **words, int count, option_places *places) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (!read_places(words[i], 0.0, 1.0, places)) words[kept++] = words[i];
    }
    return kept;
}

static int check(const fit_options *options, int take_count) {
    if (take_count < 1) return refuse("there is no recording to fit");
    if (take_count > SB_FIT_MAX_TAKES)
        return refuse("more than 64 recordings are too many");
    int kinds = options->is_line + options->is_round + options->is_scattered;
    if (kinds > 1)
        return refuse("only one of --line, --round and --scattered can be");
    if (options->places.count > 0 && options->places.count != take_count) {
        (void)fprintf(stderr,
                      "sandbell fit: %d recordings, but %d places (--at U,V "
                      "for each recording)\n",
                      take_count, options->places.count);
        return EXIT_USAGE;
    }
    if (options->textures && options->places.count == 0)
        return refuse("--textures needs --at U,V for each recording");
    if (options->textures && (!is_numbered(options->textures) ||
                              !ends_in(options->textures, ".png"))) {
        return refuse("--textures needs a name that ends in .png and has one "
                      "%d where the number goes, as in glass_%d.png");
    }
    if (options->output && !ends_in(options->output, ".lua"))
        return refuse("-o needs a name that ends in .lua");
    if (options->picture && !ends_in(options->picture, ".png"))
        return refuse("--picture needs a name that ends in .png");
    if (options->size != floor(options->size) ||
        options->mode_count != floor(options->mode_count)) {
        return refuse("--size and --modes need whole numbers");
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
    release(&job);
    return code;
}
