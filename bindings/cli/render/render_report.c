/* Prints what came of a render (render_job.h). Thread: control. */
#include "bindings/cli/render/render_job.h"
#include "bindings/host/host.h"
#include "runtime/base/digest.h"
#include "runtime/base/utf8.h"
#include "runtime/engine/engine.h"
#include "runtime/model/modal_model.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/plan/removed_part.h"
#include "runtime/scene/state/hear.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double decibels(double amplitude) {
    return amplitude > 1e-10 ? 20.0 * log10(amplitude) : -200.0;
}

int count_modes(const sb_scene *scene) {
    int count = 0;
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        count += sb_model_mode_count(sb_scene_body_model(scene, id));
    }
    return count;
}

int count_removed(const sb_scene *scene) {
    int count = 0;
    for (int i = 0; i < sb_scene_body_count(scene); i++)
        count += sb_planned_removed_count(
            sb_scene_body_planned(scene, sb_scene_body_at(scene, i)));
    return count;
}

static cJSON *stems_json(const stems *all) {
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < all->count; i++) {
        const stem_file *stem = all->files[i];
        cJSON *item = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(item, "body", stem->body);
        (void)cJSON_AddStringToObject(item, "file", stem->path);
        (void)cJSON_AddNumberToObject(item, "peak_dbfs",
                                      decibels(stem->take.peak));
        (void)cJSON_AddItemToArray(list, item);
    }
    return list;
}

static int print_json(const render_job *render, const sb_conduct_result *result,
                      const char *digest) {
    const render_options *options = render->options;
    const sb_scene *scene = sb_host_scene(render->host);
    double seconds = (double)result->frames / options->scene.rate_hz;
    cJSON *json = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(json, "file", options->output);
    (void)cJSON_AddNumberToObject(json, "sample_rate", options->scene.rate_hz);
    (void)cJSON_AddNumberToObject(json, "frames", (double)result->frames);
    (void)cJSON_AddNumberToObject(json, "channels", 2);
    (void)cJSON_AddNumberToObject(json, "seed", options->scene.seed);
    (void)cJSON_AddNumberToObject(json, "duration_s", seconds);
    if (render->is_short) (void)cJSON_AddBoolToObject(json, "is_short", true);
    (void)cJSON_AddNumberToObject(json, "peak_dbfs", decibels(result->peak));
    if (options->normalize.is_given)
        (void)cJSON_AddNumberToObject(json, "gain_db", decibels(render->gain));
    if (options->wants_stems)
        (void)cJSON_AddItemToObject(json, "stems", stems_json(&render->stems));
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(render->host));
    (void)cJSON_AddNumberToObject(
        json, "listener_gain",
        sb_scene_listener(sb_host_scene(render->host)).gain);
    (void)cJSON_AddNumberToObject(json, "limiter_db",
                                  decibels(stats.limiter_least));
    (void)cJSON_AddNumberToObject(json, "bodies", sb_scene_body_count(scene));
    (void)cJSON_AddNumberToObject(json, "modes", count_modes(scene));
    if (options->solo)
        (void)cJSON_AddNumberToObject(json, "removed", count_removed(scene));
    (void)cJSON_AddNumberToObject(json, "realtime_factor",
                                  seconds / fmax(result->seconds, 1e-9));
    if (*digest) (void)cJSON_AddStringToObject(json, "sha256", digest);
    char *text = cJSON_Print(json);
    sb_utf8_mend(text);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
    if (!text) return EXIT_SCRIPT;
    return render->is_short ? EXIT_INTERRUPTED : EXIT_OK;
}

/* Whether the stems are what the mix is made of. */
static void warn_of_stems(const render_job *render) {
    double least =
        sb_engine_read_stats(sb_host_engine(render->host)).limiter_least;
    if (render->options->wants_stems && decibels(least) < -0.1)
        (void)fprintf(stderr,
                      "sandbell render: the stems are without the limiter: "
                      "their sum is up to %.1f dB louder than the mix\n",
                      -decibels(least));
    for (int i = 0; i < render->stems.count; i++) {
        const stem_file *stem = render->stems.files[i];
        if (!stem->take.clips) continue;
        (void)fprintf(stderr,
                      "sandbell render: %s is clipped: its peak is %.1f dBFS; "
                      "--float has no limit\n",
                      stem->path, decibels(stem->take.peak));
    }
}

static void print_stems(const render_job *render) {
    for (int i = 0; i < render->stems.count; i++) {
        const stem_file *stem = render->stems.files[i];
        if (stem->take.peak > 0.0)
            (void)printf("%s: body '%s', peak %.1f dBFS\n", stem->path,
                         stem->body, decibels(stem->take.peak));
        else
            (void)printf("%s: body '%s', silent\n", stem->path, stem->body);
    }
}

static void warn_of_silence(const render_job *render,
                            const sb_conduct_result *result) {
    sb_host_report_muted(render->host);
    bool is_muted =
        sb_engine_read_stats(sb_host_engine(render->host)).muted > 0;
    if (result->peak > 0.0 || is_muted) return;
    (void)fprintf(stderr, "sandbell render: warning: nothing sounded; does "
                          "scene.start strike a body?\n");
}

int render_report(const render_job *render, const sb_conduct_result *result,
                  sb_error *err) {
    const render_options *options = render->options;
    bool to_stdout = strcmp(options->output, "-") == 0;
    warn_of_silence(render, result);
    if (!options->normalize.is_given && !options->solo) {
        report_level("render", sb_host_scene(render->host),
                     sb_host_engine(render->host), result->peak, "");
    }
    warn_of_stems(render);
    if (result->was_cut) {
        (void)fprintf(stderr,
                      "sandbell render: still sounding after %g s, cut there "
                      "(--limit or --duration say how long)\n",
                      options->limit_s);
    }
    if (render->is_short) {
        (void)fprintf(stderr,
                      "sandbell render: interrupted after %.2f s: %s is "
                      "short\n",
                      (double)render->frames / options->scene.rate_hz,
                      to_stdout ? "the sound" : options->output);
    }
    if (options->is_json) {
        char digest[SB_DIGEST_TEXT_SIZE];
        sb_status status =
            sb_digest_file(options->output, INT64_MAX, digest, err);
        if (status && status != SB_BAD_FORMAT) return fail_with(err);
        if (status) *digest = '\0'; /* a device or a pipe */
        return print_json(render, result, digest);
    }
    double seconds = (double)result->frames / options->scene.rate_hz;
    int bodies = sb_scene_body_count(sb_host_scene(render->host));
    int modes = count_modes(sb_host_scene(render->host));
    char gain[40] = "", note[GAIN_NOTE_SIZE];
    if (options->normalize.is_given)
        (void)snprintf(gain, sizeof gain, " (a gain of %+.1f dB)",
                       decibels(render->gain));
    (void)fprintf(to_stdout ? stderr : stdout,
                  "%s: %.2f s, peak %.1f dBFS%s, %d %s, %d %s%s, %.0f times "
                  "real time\n",
                  to_stdout ? "standard output" : options->output, seconds,
                  decibels(result->peak), gain,
                  COUNTED(bodies, "body", "bodies"),
                  COUNTED(modes, "mode", "modes"),
                  gain_note(sb_host_scene(render->host), note),
                  seconds / fmax(result->seconds, 1e-9));
    print_stems(render);
    if (options->solo)
        (void)fprintf(to_stdout ? stderr : stdout,
                      "only what was removed: %d of %d modes\n",
                      count_removed(sb_host_scene(render->host)), modes);
    return render->is_short ? EXIT_INTERRUPTED : EXIT_OK;
}
