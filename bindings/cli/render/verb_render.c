/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/verb_render.c -- sandbell render: writes the sound of a
 * scene to a file, faster than real time, with logs and images on request.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/render/render_job.h"
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/media/sound_file.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/state/hear.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(render_options, field)
const option_row render_rows[] = {
    OPTION_ROW("--output", "-o", OUTPUT, output, 0, 0, "FILE",
               "a .wav or .flac file, or - for WAV on standard output"),
    NUMBER_ROW("--duration", duration_s, 0.001, 36000, "SECONDS",
               "length of the file"),
    NUMBER_ROW("--until-silent", silence_dbfs, -200, 0, "DBFS",
               "stop when no event is due and the peak stays below this "
               "(default -80)"),
    NUMBER_ROW("--limit", limit_s, 0.1, 36000, "SECONDS",
               "with --until-silent, the greatest length (default 60)"),
    FLAG_ROW("--float", is_float,
             "32-bit float samples instead of 24-bit (WAV)"),
    OPTION_ROW("--normalize", NULL, MAYBE, normalize, -60, 0, "[DBFS]",
               "give the file this peak level (default -1)"),
    FLAG_ROW("--stems", wants_stems,
             "also write a file per body: FILE.BODY.wav, before the limiter"),
    TEXT_ROW("--solo", TEXT, solo, "removed",
             "only the modes that merging and the number of modes took away, "
             "at the gain of the usual render, without the diffuse field"),
    TEXT_ROW("--spectrogram", OUTPUT, spectrogram, "PNG",
             "draw a spectrogram, with the modes of the bodies marked"),
    TEXT_ROW(
        "--spectrum", OUTPUT, spectrum.path, "PNG",
        "draw the spectrum of a sixth of a second; --at says where it begins"),
    TEXT_ROW("--at", TEXT, spectrum.at, "SECONDS",
             "begin of the spectrum, or up to three: 0.2,5.2 "
             "(default: the loudest)"),
    NUMBER_ROW("--window", spectrum.window_s, 0.005, 10, "SECONDS",
               "length of what the spectrum is taken of (default 0.17)"),
    NUMBER_ROW("--max-hz", spectrum.highest_hz, 50, 192000, "HZ",
               "end of the spectrum's frequency axis (default 4000)"),
    TEXT_ROW("--lines", FILE, spectrum.lines, "FILE",
             "draw predicted lines over the spectrum: a frequency per line and "
             "a label, or what modes --json and modes --export write"),
    TEXT_ROW("--over", FILE, spectrum.over, "WAV",
             "draw the spectrum of a recording beside it, from its own loudest "
             "frame on, with equal peaks"),
    TEXT_ROW("--events", OUTPUT, events, "JSONL",
             "write one line per strike and impact, and one every 10 ms "
             "per contact"),
    TEXT_ROW("--poses", OUTPUT, poses, "FILE",
             "write the poses of all moving bodies, one JSON line every 10 ms; "
             ".glb and .pc2: the surfaces of deformable ones"),
    TEXT_ROW(
        "--contacts", OUTPUT, contacts, "CSV",
        "write one contact sample by sample: force, depth, speeds, energies"),
    TEXT_ROW("--contact-plot", OUTPUT, contact_plot, "PNG",
             "draw that contact"),
    NUMBER_ROW("--contact", contact, 1, 1e9, "N",
               "which contact: the Nth strike or lasting contact (default 1)"),
    NUMBER_ROW("--film", film_frames, 1, 64, "N",
               "draw N frames of deformable bodies, and of what is beside "
               "them: FILE.film.png"),
    TEXT_ROW("--film-span", TEXT, film_span, "FROM,TO",
             "seconds that the film covers (default: all)"),
    NUMBER_ROW("--exaggerate", exaggerate, 1, 1e9, "X",
               "draw their deformation X times as large "
               "(for bodies that do not turn)"),
    FLAG_ROW("--resume", resumes,
             "go on where a render with deformable bodies was interrupted"),
    NUMBER_ROW(
        "--checkpoint", checkpoint_s, 0.001, 1e6, "SECONDS",
        "of processor time between checkpoints for --resume (default 10)"),
    NUMBER_ROW("--threads", threads, 1, 16, "N",
               "for deformable bodies (default: one per core)"),
    TEXT_ROW("--press", TEXT, press, "ACTION",
             "run this action of a lesson (sb.action) instead of scene.start"),
    FLAG_ROW("--json", is_json, "print one JSON object about the render"),
    SCENE_OPTION_ROWS,
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

static bool wants_contact(const render_options *options) {
    return options->contacts || options->contact_plot;
}

/* Collect the contacts since the last call. */
static sb_status collect(render_job *render, sb_error *err) {
    const render_options *options = render->options;
    sb_scene *scene = sb_host_scene(render->host);
    sb_status status =
        events_collect(&render->events, scene, render->reached_s, err);
    if (!status && wants_contact(options))
        status = contact_collect(&render->contact, scene,
                                 sb_host_engine(render->host), err);
    return status;
}

static double rendered_s(const render_job *render) {
    return (double)render->frames / render->options->scene.rate_hz;
}

static sb_status after_step(void *user, double to_s, sb_error *err) {
    render_job *render = user;
    render->reached_s = to_s;
    deform_work_tell(&render->deform, "render", sb_host_scene(render->host));
    report_world(sb_host_scene(render->host), &render->has_said_world);
    sb_status status = collect(render, err);
    if (!status && render->posed) {
        status = render->posed;
        if (err) *err = render->posed_err;
    }
    if (!status)
        status = poses_add(&render->poses, sb_host_scene(render->host),
                           rendered_s(render), err);
    return status;
}

/* Deformable bodies have moved: at each surface that is kept. */
static void posed(void *user, const sb_scene *scene) {
    render_job *render = user;
    if (!render->posed)
        render->posed = film_add(&render->film, scene, &render->posed_err);
    if (!render->posed)
        render->posed =
            surfaces_add(&render->surfaces, scene, &render->posed_err);
}

static sb_status sink(void *user, const float *stereo, int frames,
                      sb_error *err) {
    render_job *render = user;
    render->frames += frames;
    if (render->options->spectrogram || render->options->spectrum.path) {
        sb_status status =
            picture_samples_add(&render->samples, stereo, frames, err);
        if (status) return status;
    }
    sb_status status = take_add(&render->take, stereo, frames, err);
    return status ? status : stems_add(&render->stems, frames, err);
}

static sb_status computed(void *user, sb_error *err) {
    render_job *render = user;
    return stems_compute(&render->stems, sb_host_scene(render->host),
                         sb_host_engine(render->host), err);
}

static bool must_stop(void *user, double now_s) {
    render_job *render = user;
    const render_options *options = render->options;
    char note[DEFORM_NOTE_SIZE];
    bool is_known = options->duration_s > 0.0;
    deform_work_note(&render->deform, sb_host_scene(render->host), now_s,
                     options->duration_s, note);
    progress_show("rendering", is_known ? now_s / options->duration_s : -1.0,
                  note);
    return is_interrupted();
}

/* scripts/marimba.lua -> marimba.wav in the current folder. */
static void default_output(const char *scene, char path[256]) {
    const char *name = file_name(scene), *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    (void)snprintf(path, 256, "%.*s.wav", length, name);
}

static sb_status open_writer(render_job *render, sb_error *err) {
    sb_sound_def def = sb_sound_def_default();
    def.rate_hz = (int)render->options->scene.rate_hz;
    def.channel_count = 2;
    def.format = render->options->is_float ? SB_SOUND_FLOAT32 : SB_SOUND_PCM24;
    bool is_kept = render->options->normalize.is_given;
    render->stems = (stems){.verb = &verb_render,
                            .options = render->options,
                            .def = def,
                            .is_kept = is_kept};
    if (render->options->wants_stems)
        render->stems.mix = render->options->output;
    return take_open(&render->take, render->options->output, &def, is_kept,
                     err);
}

/* Close the mix and the stems, all with the gain of --normalize. */
static sb_status close_files(render_job *render, sb_conduct_result *result,
                             sb_error *err) {
    const option_maybe *normalize = &render->options->normalize;
    render->gain = 1.0;
    if (normalize->is_given && result->peak > 0.0)
        render->gain = pow(10.0, normalize->value / 20.0) / result->peak;
    result->peak *= render->gain;
    for (int64_t i = 0; i < 2 * render->samples.frames; i++)
        render->samples.stereo[i] =
            (float)(render->gain * (double)render->samples.stereo[i]);
    sb_status status = take_close(&render->take, render->gain, err);
    return status ? status : stems_close(&render->stems, render->gain, err);
}

static sb_status conduct(render_job *render, sb_conduct_result *result,
                         sb_error *err) {
    sb_host_hooks hooks = {.after = after_step,
                           .sink = sink,
                           .computed = computed,
                           .must_stop = must_stop,
                           .user = render};
    sb_span span = {render->options->duration_s, render->options->silence_dbfs,
                    render->options->limit_s};
    sb_status status = sb_host_render(render->host, &hooks, &span, result, err);
    progress_end();
    return status;
}

static sb_status write_contact(const render_job *render, const char *scene_path,
                               sb_error *err) {
    const render_options *options = render->options;
    const contact_rows *contact = &render->contact;
    long long number = (long long)options->contact;
    if (!wants_contact(options)) return SB_OK;
    sb_status status =
        contact_check(contact, sb_host_scene(render->host), number, err);
    if (!status && options->contacts)
        status = contact_write(contact, options->contacts, err);
    if (!status && options->contact_plot)
        status = contact_plot(contact, options->scene.rate_hz, scene_path,
                              number, options->contact_plot, err);
    return status;
}

/* Write the sound first, then the image, then the logs: after a failure the
 * files already written are complete. */
static int perform(render_job *render, const char *scene_path) {
    sb_error err;
    sb_conduct_result result;
    sb_status status = open_writer(render, &err);
    if (status) return fail_with(&err);
    status = conduct(render, &result, &err);
    bool is_over =
        !status && render->options->duration_s <= 0.0 && !result.was_cut;
    deform_work_end(&render->deform, "render", sb_host_scene(render->host),
                    status, is_over);
    /* What sounded up to Ctrl-C is written as any other render. */
    render->is_short = status == SB_INTERRUPTED && result.frames > 0;
    if (render->is_short) status = SB_OK;
    if (!status && render->options->solo && result.peak <= 0.0)
        status = sb_fail(&err, SB_NO_MODES,
                         "--solo removed: no mode that was removed sounds; "
                         "nothing is written");
    if (!status) status = close_files(render, &result, &err);
    if (!status) status = collect(render, &err);
    double end_s = rendered_s(render);
    int rate_hz = (int)render->options->scene.rate_hz;
    if (!status) status = events_write(&render->events, end_s, &err);
    if (!status) status = json_log_write(&render->poses, end_s, &err);
    if (!status) status = surfaces_write(&render->surfaces, &err);
    if (!status) status = write_contact(render, scene_path, &err);
    if (!status && render->options->spectrogram)
        status = picture_write(render->options->spectrogram, scene_path,
                               sb_host_scene(render->host), &render->samples,
                               rate_hz, &err);
    if (!status)
        status = spectrum_write(&render->spectrum, scene_path, &render->samples,
                                rate_hz, &err);
    if (!status) status = film_write(&render->film, scene_path, &err);
    if (status) return fail_with(&err);
    int code = render_report(render, &result, &err);
    return code == EXIT_OK && render->deform.has_failed ? EXIT_SOLVE : code;
}

/* An image option must name a PNG, or it could overwrite the sound file. */
static bool is_picture(const char *option, const char *path) {
    if (!path || ends_in(path, ".png")) return true;
    complain("render", "%s needs a name that ends in .png, got '%s'", option,
             path);
    return false;
}

static bool check(const render_options *options) {
    bool to_stdout = strcmp(options->output, "-") == 0;
    int code = EXIT_OK;
    if (to_stdout && options->is_json)
        code = complain("render",
                        "--json and -o - cannot both have standard output");
    else if (to_stdout && options->wants_stems)
        code =
            complain("render", "--stems needs a file: give -o FILE, not -o -");
    else if (options->solo && strcmp(options->solo, "removed") != 0)
        code = complain("render", "--solo needs the word removed, got '%s'",
                        options->solo);
    else if (options->contact != floor(options->contact))
        code = complain("render", "--contact needs a whole number, got %g",
                        options->contact);
    if (code != EXIT_OK) return false;
    return is_picture("--spectrogram", options->spectrogram) &&
           is_picture("--spectrum", options->spectrum.path) &&
           spectrum_check(&options->spectrum) &&
           is_picture("--contact-plot", options->contact_plot);
}

/* --solo removed: `def` gets the gain of the usual scene, which is loaded for
 * it, and then opens a scene of which only the removed modes are heard. */
static sb_status begin_solo(const char *path, sb_host_def *def, sb_error *err) {
    sb_host *host;
    sb_host_def usual = *def;
    usual.print = print_nothing; /* the script prints once */
    sb_status status = open_host(path, &usual, &host, err);
    if (status) return status;
    const sb_scene *scene = sb_host_scene(host);
    if (sb_scene_listener(scene).is_exposed)
        def->exposure = sb_scene_exposure(scene);
    sb_host_close(host);
    def->hears_removed = true;
    return SB_OK;
}

/* A scene without bodies may make some while it runs. */
static sb_status check_removed(const sb_scene *scene, sb_error *err) {
    if (count_modes(scene) == 0 || count_removed(scene) > 0) return SB_OK;
    return sb_fail(err, SB_NO_MODES,
                   "--solo removed: nothing was removed: no modes are merged, "
                   "and their number is not limited");
}

static void release(render_job *render) {
    picture_samples_free(&render->samples);
    spectrum_free(&render->spectrum);
    events_abort(&render->events);
    json_log_abort(&render->poses);
    surfaces_abort(&render->surfaces);
    take_abort(&render->take);
    stems_abort(&render->stems);
    contact_rows_free(&render->contact);
    film_free(&render->film);
    sb_host_close(render->host);
}

/* What becomes of deformable bodies. */
static sb_scene_deform_def deform_of(render_job *render) {
    const render_options *options = render->options;
    if (surfaces_is_name(options->poses))
        render->surfaces.path = options->poses;
    return (sb_scene_deform_def){.how = options->resumes ? SB_DEFORM_RESUME
                                                         : SB_DEFORM_COMPUTE,
                                 .threads = (int)options->threads,
                                 .mark_s = options->checkpoint_s,
                                 .pose_s = film_step_s(&render->film),
                                 .posed = posed,
                                 .user = render,
                                 .must_stop = interrupt_flag()};
}

/* As at the prompt, before the scene starts. */
static sb_status press(sb_host *host, const char *action, sb_error *err) {
    char line[200], *result = NULL;
    bool is_incomplete;
    if (strlen(action) > 100 || strpbrk(action, "\"\\\n\r"))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "--press takes the name of an action");
    (void)snprintf(line, sizeof line, "scene.start = nil sb.press(\"%s\")",
                   action);
    sb_status status =
        sb_host_evaluate(host, line, &result, &is_incomplete, err);
    sb_free(result);
    return status;
}

/* The scene has been loaded. */
static int render_opened(render_job *render, const char *scene_path) {
    const render_options *options = render->options;
    sb_scene *scene = sb_host_scene(render->host);
    sb_error err;
    if (!is_scene_safe(&verb_render, options, render->host)) return EXIT_USAGE;
    posed(render, scene); /* before anything moves */
    deform_work_begin(&render->deform, "render", scene, options->duration_s);
    report_world(scene, &render->has_said_world);
    if (!options->solo) warn_of_scene("render", scene, options->scene.rate_hz);
    if ((options->press && press(render->host, options->press, &err)) ||
        (options->solo && check_removed(scene, &err)) ||
        (wants_contact(options) &&
         sb_scene_watch(scene, (long long)options->contact, false, &err)) ||
        (options->events && json_log_open(&render->events.log, options->events,
                                          "the events", &err)) ||
        (options->poses && !surfaces_is_name(options->poses) &&
         json_log_open(&render->poses, options->poses, "poses", &err)))
        return fail_with(&err);
    return perform(render, scene_path);
}

static bool is_film_separate(const render_job *render) {
    const char *path = render->film.path;
    const char *other =
        *path ? option_that_names(&verb_render, render->options, path) : NULL;
    if (!other) return true;
    complain("render", "--film writes %s, which %s names", path, other);
    return false;
}

int render_main(int argc, char **argv) {
    render_options options = {.silence_dbfs = -80.0,
                              .limit_s = 60.0,
                              .contact = 1.0,
                              .normalize = {.value = -1.0},
                              .exaggerate = 1.0,
                              .spectrum = SPECTRUM_OPTIONS_DEFAULT,
                              .scene = SCENE_OPTIONS_DEFAULT};
    const char *scene_path;
    char output[256];
    if (!parse_options(&verb_render, argc, argv, &options, &scene_path, 1, 1))
        return EXIT_USAGE;
    if (!options.output) {
        default_output(scene_path, output);
        options.output = output;
    }
    sb_host_def def;
    if (!check(&options) || !are_outputs_separate(&verb_render, &options) ||
        !host_def_of(&verb_render, &options.scene, &def)) {
        return EXIT_USAGE;
    }
    render_job render = {.options = &options};
    if (!film_open(&render.film, options.output, (int)options.film_frames,
                   options.film_span, options.exaggerate) ||
        !is_film_separate(&render))
        return EXIT_USAGE;
    /* Standard output is the sound's, or the JSON document's. */
    if (!options.is_json && strcmp(options.output, "-") != 0) {
        def.print = print_line;
        results_are_files();
    }
    def.wants_stems = options.wants_stems;
    def.deform = deform_of(&render);
    catch_interrupts();
    sb_error err;
    if (spectrum_open(&render.spectrum, &options.spectrum, &err)) {
        int failed = fail_with(&err);
        spectrum_free(&render.spectrum);
        return err.status == SB_NO_MEMORY ? failed : EXIT_ASSET;
    }
    if ((options.solo && begin_solo(scene_path, &def, &err)) ||
        open_host(scene_path, &def, &render.host, &err)) {
        spectrum_free(&render.spectrum);
        return fail_with(&err);
    }
    sb_scene_want_impacts(sb_host_scene(render.host), options.events != NULL);
    int code = render_opened(&render, scene_path);
    release(&render);
    return code;
}
