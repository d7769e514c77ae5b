/* SPDX-License-Identifier: MIT */
/* Prints what came of a render (render_job.h). Thread: control. */
#include "bindings/cli/render/render_job.h"
#include "bindings/host/host.h"
#include "runtime/base/digest.h"
#include "runtime/engine/engine.h"
#include "runtime/model/model.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/around.h"
#include "runtime/scene/state/hear.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
        add_text(item, "body", stem->body);
        add_text(item, "file", stem->path);
        add_number(item, "peak_dbfs", decibels(stem->take.peak));
        (void)cJSON_AddItemToArray(list, item);
    }
    return list;
}

/* Of the peak at the ears, before --normalize; the gain is that of the end. */
static double level_of(const render_job *render,
                       const sb_conduct_result *result) {
    sb_listener listener = sb_scene_listener(sb_host_scene(render->host));
    return sb_listener_db_spl(&listener, result->peak / render->gain);
}

static int print_report(const render_job *render,
                        const sb_conduct_result *result, const char *digest) {
    const render_options *options = render->options;
    const sb_scene *scene = sb_host_scene(render->host);
    double seconds = (double)result->frames / options->scene.rate_hz;
    cJSON *json = cJSON_CreateObject();
    add_text(json, "file", options->output);
    add_number(json, "sample_rate", options->scene.rate_hz);
    add_number(json, "frames", (double)result->frames);
    add_number(json, "channels", 2);
    add_number(json, "seed", options->scene.seed);
    add_number(json, "duration_s", seconds);
    if (render->is_short) (void)cJSON_AddBoolToObject(json, "is_short", true);
    add_number(json, "peak_dbfs", decibels(result->peak));
    add_number(json, "peak_db_spl", level_of(render, result));
    if (options->normalize.is_given)
        add_number(json, "gain_db", decibels(render->gain));
    if (options->wants_stems)
        (void)cJSON_AddItemToObject(json, "stems", stems_json(&render->stems));
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(render->host));
    add_number(json, "listener_gain",
               sb_scene_listener(sb_host_scene(render->host)).gain);
    add_number(json, "limiter_db", decibels(stats.limiter_least));
    add_number(json, "bodies", sb_scene_body_count(scene));
    add_number(json, "modes", count_modes(scene));
    if (options->solo) add_number(json, "removed", count_removed(scene));
    add_number(json, "realtime_factor", seconds / fmax(result->seconds, 1e-9));
    if (*digest) add_text(json, "sha256", digest);
    int code = print_json(json);
    return code == EXIT_OK && render->is_short ? EXIT_INTERRUPTED : code;
}

/* Whether the stems are what the mix is made of. */
static void warn_of_stems(const render_job *render) {
    double least =
        sb_engine_read_stats(sb_host_engine(render->host)).limiter_least;
    if (render->options->wants_stems && decibels(least) < -0.1)
        complain("render",
                 "the stems are without the limiter: their sum is up to %.1f "
                 "dB louder than the mix",
                 -decibels(least));
    sb_room_def room = sb_scene_room(sb_host_scene(render->host));
    if (render->options->wants_stems && sb_room_is_on(&room))
        complain("render", "the stems are without the room");
    for (int i = 0; i < render->stems.count; i++) {
        const stem_file *stem = render->stems.files[i];
        if (!stem->take.clips) continue;
        complain("render",
                 "%s is clipped: its peak is %.1f dBFS; --float has no limit",
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
    complain("render",
             "warning: nothing sounded; does scene.start strike a body?");
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
        complain("render",
                 "still sounding after %g s, cut there (--limit or --duration "
                 "say how long)",
                 options->limit_s);
    }
    if (render->is_short) {
        complain("render", "interrupted after %.2f s: %s is short",
                 (double)render->frames / options->scene.rate_hz,
                 to_stdout ? "the sound" : options->output);
    }
    if (options->is_json) {
        char digest[SB_DIGEST_TEXT_SIZE];
        sb_status status =
            sb_digest_file(options->output, INT64_MAX, digest, err);
        if (status && status != SB_BAD_FORMAT) return fail_with(err);
        if (status) *digest = '\0'; /* a device or a pipe */
        return print_report(render, result, digest);
    }
    double seconds = (double)result->frames / options->scene.rate_hz;
    int bodies = sb_scene_body_count(sb_host_scene(render->host));
    int modes = count_modes(sb_host_scene(render->host));
    char gain[40] = "", level[40] = "", note[GAIN_NOTE_SIZE];
    if (options->normalize.is_given)
        (void)snprintf(gain, sizeof gain, " (a gain of %+.1f dB)",
                       decibels(render->gain));
    if (isfinite(level_of(render, result)))
        (void)snprintf(level, sizeof level, ", %.0f dB SPL",
                       level_of(render, result));
    (void)fprintf(to_stdout ? stderr : stdout,
                  "%s: %.2f s, peak %.1f dBFS%s%s, %d %s, %d %s%s, %.0f times "
                  "real time\n",
                  to_stdout ? "standard output" : options->output, seconds,
                  decibels(result->peak), gain, level,
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
