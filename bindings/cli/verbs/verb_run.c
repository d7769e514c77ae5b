/* SPDX-License-Identifier: MIT */
/* bindings/cli/verbs/verb_run.c -- sandbell run, repl and studio: play a scene
 * in real time, with a prompt and with pages.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/console/pipe_out.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/lesson/lesson_files.h"
#include "bindings/cli/prompt/prompt.h"
#include "bindings/cli/render/deform_compute.h"
#include "bindings/host/host.h"
#include "bindings/script/script_output.h"
#include "bindings/studio/session/session.h"
#include "bindings/studio/studio.h"
#include "runtime/engine/engine.h"
#include "runtime/media/sound_file.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/conductor.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct run_options {
    const char *backend, *device, *record;
    double duration_s, port;
    bool is_float, needs_device, is_unwatched, is_unmetered;
    bool has_studio, opens_nothing, prints_url;
    scene_options scene;
    const char *session, *replay; /* what pages do */
    const char *output;           /* of a replay */
} run_options;

#define AT(field) offsetof(run_options, field)
#define PAGE_ROWS                                                       \
    NUMBER_ROW("--port", port, 1, 65535, "N",                           \
               "port of the page; default that of the last time here"), \
        FLAG_ROW("--no-open", opens_nothing, "do not open a browser"),  \
        FLAG_ROW("--print-url", prints_url,                             \
                 "print the address of the page, alone, to standard output")
#define SOUND_ROWS                                                            \
    TEXT_ROW(                                                                 \
        "--backend", TEXT, backend, "NAME",                                   \
        "sound system: pulseaudio, alsa, jack, ...; null is a silent clock"), \
        TEXT_ROW("--device", TEXT, device, "NAME",                            \
                 "part of a device's name (sandbell doctor lists them)")
#define TIME_ROW                                           \
    NUMBER_ROW("--for", duration_s, 0.001, 1e7, "SECONDS", \
               "stop after this time")

const option_row studio_rows[] = {
    PAGE_ROWS,
    TEXT_ROW("--record", OUTPUT, session, "FILE",
             "write what is done in the page to a .jsonl file"),
    TEXT_ROW("--replay", FILE, replay, "FILE",
             "do again what such a file says, and write the sound (-o)"),
    OPTION_ROW("--output", "-o", OUTPUT, output, 0, 0, "FILE",
               "sound file of --replay; default replay.wav"),
    SOUND_ROWS,
    TIME_ROW,
    SCENE_OPTION_ROWS,
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};
const option_row play_rows[] = {
    FLAG_ROW("--studio", has_studio,
             "serve a live page for the scene (sandbell help studio)"),
    PAGE_ROWS,
    SOUND_ROWS,
    FLAG_ROW("--require-device", needs_device,
             "exit with code 5 if there is no sound device"),
    FLAG_ROW("--no-watch", is_unwatched,
             "do not reload the scene when one of its files is saved"),
    TIME_ROW,
    TEXT_ROW("--record", OUTPUT, record, "FILE",
             "write the sound to a .wav or .flac file as well"),
    FLAG_ROW("--float", is_float,
             "record 32-bit float samples instead of 24-bit (WAV)"),
    FLAG_ROW("--no-meter", is_unmetered,
             "hide the line with level, modes and load above the prompt"),
    SCENE_OPTION_ROWS,
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

typedef struct playing_scene {
    const cli_verb *verb;
    const run_options *options;
    prompt *prompt; /* or NULL */
    sb_host *host;
    sb_output *output;
    sb_sound_writer *writer; /* or NULL */
    studio *studio;          /* or NULL */
    const char *path;        /* of the scene, or NULL */
    bool has_said_world;
    deform_play deform;
    bool was_opened, is_chosen; /* the scene; by a page */
    bool is_left;               /* for another scene, while it was computed */
    bool is_record_short;       /* it could not be written to its end */
} playing_scene;

/* What pages act on; or NULL. */
static session *session_of(const void *user) {
    return studio_session(((const playing_scene *)user)->studio);
}

static void before_step(void *user, double from_s, double to_s) {
    playing_scene *playing = user;
    prompt_step(playing->prompt, from_s);
    deform_play_tell(&playing->deform, playing->verb->name,
                     sb_host_scene(playing->host));
    studio_step(playing->studio, from_s, to_s);
    report_world(sb_host_scene(playing->host), &playing->has_said_world);
}

/* The recording cannot go on, but the scene can: keep what there is. */
static void end_record(playing_scene *playing, const sb_error *why) {
    const char *verb = playing->verb->name;
    sb_error err;
    int64_t frames = 0;
    sb_status status =
        sb_sound_writer_close_short(playing->writer, &frames, &err);
    playing->writer = NULL;
    playing->is_record_short = true;
    if (status)
        announce(verb, "%s; nothing is kept, the scene plays on", why->message);
    else
        announce(verb, "%s; it holds the first %.2f s, the scene plays on",
                 why->message,
                 (double)frames / playing->options->scene.rate_hz);
}

static sb_status sink(void *user, const float *stereo, int frames,
                      sb_error *err) {
    playing_scene *playing = user;
    (void)err;
    sb_error why;
    prompt_hear(playing->prompt, stereo, frames);
    studio_hear(playing->studio, stereo, frames);
    if (playing->writer &&
        sb_sound_writer_write(playing->writer, stereo, frames, &why))
        end_record(playing, &why);
    return SB_OK;
}

static void idle(void *user) {
    playing_scene *playing = user;
    prompt_poll(playing->prompt);
    studio_idle(playing->studio);
}

static bool must_stop(void *user, double now_s) {
    (void)now_s;
    const playing_scene *playing = user;
    return is_interrupted() || prompt_is_over(playing->prompt) ||
           session_wanted(studio_session(playing->studio));
}

/* --- reports, to the terminal and to pages --------------------------------- */

static void tell(void *user, const char *line) {
    report_line(NULL, line);
    session_tell(session_of(user), line);
}

static void tell_printed(void *user, const char *line) {
    print_line(NULL, line);
    session_tell(session_of(user), line);
}

static void tell_failed(void *user, const sb_error *err, const char *text) {
    session_failed(session_of(user), err, text);
}

/* A page wants another scene than the one that is being opened. */
static atomic_bool wants_another;

static void tell_progress(void *user, const char *body, const char *stage,
                          int done, int expected) {
    studio *pages = ((playing_scene *)user)->studio;
    solving_show(NULL, body, stage, done, expected);
    studio_progress(pages, body, stage, done, expected);
    atomic_store(&wants_another, session_is_left(studio_session(pages)));
}

/* Any thread: ends a script or a solve. */
static bool must_end_load(void *user) {
    (void)user;
    return atomic_load(&wants_another) || is_interrupted();
}

/* The same of deformable bodies, which the terminal shows by itself. Pages see
 * them as they are computed, and may want another scene. */
static void begin_computing(void *user, sb_host *host) {
    const playing_scene *playing = user;
    session_attach_computing(studio_session(playing->studio), host,
                             playing->path);
}

static void end_computing(void *user) {
    session_detach(session_of(user));
}

static bool tell_computed(void *user, double now_s) {
    playing_scene *playing = user;
    double for_s = playing->options->duration_s;
    studio_show_computing(playing->studio, now_s,
                          for_s > 0.0 ? for_s : DEFORM_PLAY_LONGEST_S,
                          for_s > 0.0);
    playing->is_left = session_wanted(studio_session(playing->studio)) != NULL;
    return playing->is_left;
}

static void tell_loaded(void *user, const sb_commit_counts *counts,
                        const sb_error *err) {
    session_loaded(session_of(user), counts, err);
}

/* --- the output ------------------------------------------------------------- */

static void report_device(void *user, const char *message) {
    announce(((const playing_scene *)user)->verb->name, "%s", message);
}

/* Open a sound device, or a silent clock with a message. */
static sb_status open_output(playing_scene *playing, sb_error *err) {
    const run_options *options = playing->options;
    bool is_null = options->backend && strcmp(options->backend, "null") == 0;
    if (is_null && options->needs_device) {
        return sb_fail(err, SB_NO_DEVICE,
                       "--require-device asks for a sound device, --backend "
                       "null for none");
    }
    sb_output_def def = sb_output_def_default();
    def.engine = sb_host_engine(playing->host);
    def.backend = options->backend;
    def.device = options->device;
    def.needs_device = options->needs_device;
    def.report = report_device;
    def.user = playing;
    return sb_output_open(&def, &playing->output, err);
}

static sb_status open_record(playing_scene *playing, sb_error *err) {
    const run_options *options = playing->options;
    if (!options->record) return SB_OK;
    sb_sound_def def = sb_sound_def_default();
    def.rate_hz = (int)options->scene.rate_hz;
    def.channel_count = 2;
    def.format = options->is_float ? SB_SOUND_FLOAT32 : SB_SOUND_PCM24;
    return sb_sound_writer_open(&playing->writer, options->record, &def, err);
}

static void say_what_plays(const playing_scene *playing, const char *path) {
    char note[GAIN_NOTE_SIZE];
    (void)fprintf(stderr, "playing %s on %s (%s), %g Hz%s; Ctrl-C stops\n",
                  path ? path : "an empty scene",
                  sb_output_name(playing->output),
                  sb_output_backend(playing->output),
                  sb_engine_sample_rate(sb_host_engine(playing->host)),
                  gain_note(sb_host_scene(playing->host), note));
}

static void say_how_it_went(const playing_scene *playing,
                            const sb_conduct_result *result) {
    script_output load = sb_host_read_output(playing->host);
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(playing->host));
    (void)fprintf(
        stderr,
        "played %.2f s, peak %.1f dBFS, %lld %s, audio thread "
        "%.1f %% busy, %lld missed %s, %lld late %s\n",
        (double)result->frames / playing->options->scene.rate_hz,
        decibels(result->peak), COUNTED(stats.strikes, "strike", "strikes"),
        load.share * 100.0, COUNTED(load.missed, "deadline", "deadlines"),
        COUNTED(stats.late, "command", "commands"));
    report_level(playing->verb->name, sb_host_scene(playing->host),
                 sb_host_engine(playing->host), result->peak, "");
    if (load.devices.losses + load.devices.returns > 0) {
        (void)fprintf(stderr,
                      "sound devices lost %lld times, found again %lld times\n",
                      load.devices.losses, load.devices.returns);
    }
    if (stats.crowded > 0) {
        (void)fprintf(stderr,
                      "%lld %s left out: the audio thread had no time for "
                      "more\n",
                      COUNTED(stats.crowded, "strike was", "strikes were"));
    }
    if (stats.tap_dropped > 0) {
        complain(
            NULL,
            "%lld frames are missing from the recording: the disk was too slow",
            stats.tap_dropped);
    }
}

static void say_if_short(const playing_scene *playing,
                         const sb_conduct_result *result) {
    const run_options *options = playing->options;
    double played_s = (double)result->frames / options->scene.rate_hz;
    if (!is_interrupted() || !(played_s < options->duration_s)) return;
    complain(playing->verb->name, "interrupted: %s is short: %.2f of %g s",
             options->record, played_s, options->duration_s);
}

static int play(playing_scene *playing, const char *path) {
    sb_error err;
    if (!is_scene_safe(playing->verb, playing->options, playing->host))
        return EXIT_USAGE;
    if (open_record(playing, &err)) return fail_with(&err);
    if (open_output(playing, &err)) return fail_with(&err);
    session_set_output(studio_session(playing->studio), playing->output);
    say_what_plays(playing, path);
    report_world(sb_host_scene(playing->host), &playing->has_said_world);
    if (path) {
        warn_of_scene(playing->verb->name, sb_host_scene(playing->host),
                      playing->options->scene.rate_hz);
    }
    prompt_def asked = {.host = playing->host,
                        .has_file = path != NULL,
                        .reads_pipe = playing->verb == &verb_repl,
                        .stays = playing->options->duration_s > 0.0,
                        .has_meter = !playing->options->is_unmetered};
    if (prompt_open(&asked, &playing->prompt, &err)) return fail_with(&err);

    sb_host_hooks hooks = {.before = before_step,
                           .sink = sink,
                           .must_stop = must_stop,
                           .idle = idle,
                           .user = playing};
    sb_conduct_result result;
    sb_status status =
        sb_host_play(playing->host, &hooks, playing->output,
                     playing->options->duration_s, &result, &err);
    int error_count = sb_host_error_count(playing->host) +
                      prompt_error_count(playing->prompt);
    prompt_close(playing->prompt);
    playing->prompt = NULL;
    if (status) return fail_with(&err);
    say_how_it_went(playing, &result);
    if (playing->writer) {
        sb_sound_writer *writer = playing->writer;
        playing->writer = NULL;
        if (sb_sound_writer_close(writer, &err)) return fail_with(&err);
        say_if_short(playing, &result);
    }
    if (playing->is_record_short) return EXIT_ASSET;
    if (is_interrupted()) return EXIT_INTERRUPTED;
    return error_count ? EXIT_SCRIPT : EXIT_OK;
}

/* --- with pages --------------------------------------------------------------- */

static sb_status open_studio(playing_scene *playing, sb_error *err) {
    const run_options *options = playing->options;
    char folder[PATH_MAX] = ".";
    size_t length =
        playing->path ? (size_t)(file_name(playing->path) - playing->path) : 0;
    if (length > 0)
        (void)snprintf(folder, sizeof folder, "%.*s", (int)length,
                       playing->path);
    studio_def def = {.port = (int)options->port,
                      .folder = folder,
                      .record = options->session,
                      .report = report_line};
    sb_status status = studio_open(&def, &playing->studio, err);
    if (status) return status;
    if (options->prints_url) {
        (void)printf("%s\n", studio_url(playing->studio));
        (void)fflush(stdout);
    } else {
        (void)fprintf(stderr, "studio: %s\n", studio_url(playing->studio));
    }
    if (!options->opens_nothing) studio_open_browser(playing->studio);
    return SB_OK;
}

/* One scene, until it ends or a page wants another one. */
static int play_one(playing_scene *playing, const char *path,
                    const sb_host_def *def) {
    sb_error err;
    bool is_studio = playing->verb == &verb_studio;
    const deform_play_calls calls = {begin_computing, end_computing,
                                     tell_computed};
    playing->path = path;
    sb_status status = deform_play_open(playing->verb->name, path, def,
                                        playing->options->duration_s, &calls,
                                        &playing->host, &err);
    playing->is_left |= atomic_exchange(&wants_another, false);
    if (status) {
        session_detach(studio_session(playing->studio));
        if (playing->is_left) return EXIT_OK;
        session *its = studio_session(playing->studio);
        if (err.line > 0) session_failed(its, &err, err.message);
        session_tell(its, err.message);
        return fail_with(&err);
    }
    playing->was_opened = true;
    playing->has_said_world = false;
    if (playing->is_left) {
        session_detach(studio_session(playing->studio));
        sb_host_close(playing->host);
        playing->host = NULL;
        return EXIT_OK;
    }
    studio_attach(playing->studio, playing->host, NULL, path,
                  is_studio && !path);
    int code = play(playing, path);
    session_detach(studio_session(playing->studio));
    sb_output_close(playing->output);
    sb_sound_writer_abort(playing->writer);
    sb_host_close(playing->host);
    playing->output = NULL;
    playing->writer = NULL;
    playing->host = NULL;
    return code;
}

/* A page has chosen a scene that cannot be opened: back to the gallery. */
static bool may_go_on(playing_scene *playing, const char *path) {
    return path && playing->verb == &verb_studio && !playing->was_opened &&
           playing->is_chosen && !is_interrupted();
}

static int play_all(playing_scene *playing, const char *path,
                    const sb_host_def *def) {
    char next[PATH_MAX];
    sb_error err;
    int code;
    bool has_studio =
        playing->verb == &verb_studio || playing->options->has_studio;
    playing->path = path;
    if (has_studio && open_studio(playing, &err)) return fail_with(&err);
    do {
        playing->was_opened = playing->is_left = false;
        sb_host_def its = *def;
        double rate_hz = playing->is_chosen && path ? lesson_rate(path) : 0.0;
        if (rate_hz > 0.0) its.sample_rate_hz = rate_hz;
        code = play_one(playing, path, &its);
        bool is_wanted =
            session_wanted(studio_session(playing->studio)) != NULL;
        if (is_wanted && (playing->was_opened || playing->is_left)) {
            (void)snprintf(next, sizeof next, "%s",
                           session_wanted(studio_session(playing->studio)));
            path = *next ? next : NULL;
            playing->is_chosen = true;
        } else if (may_go_on(playing, path)) {
            path = NULL;
        } else {
            break;
        }
    } while (!is_interrupted());
    studio_close(playing->studio);
    playing->studio = NULL;
    return code;
}

static sb_status write_sound(void *user, const float *stereo, int frames,
                             sb_error *err) {
    return sb_sound_writer_write(user, stereo, frames, err);
}

/* --replay: what was done in the page, as a sound file. */
static int replay(const run_options *options, const char *path,
                  const sb_host_def *host) {
    sb_error err;
    double seconds;
    const char *output = options->output ? options->output : "replay.wav";
    sb_host_def its = *host;
    its.report = report_line;
    its.print = print_line;
    its.failed = NULL;
    its.loaded = NULL;
    its.progress = solving_show;
    if (!path) return complain("studio", "--replay needs a scene");
    sb_sound_def sound = sb_sound_def_default();
    sb_sound_writer *writer = NULL;
    sound.rate_hz = (int)its.sample_rate_hz;
    sound.channel_count = 2;
    sb_status status = sb_sound_writer_open(&writer, output, &sound, &err);
    session_replaying def = {.scene = path,
                             .file = options->replay,
                             .seconds = options->duration_s,
                             .host = &its,
                             .sink = write_sound,
                             .report = report_line,
                             .user = writer};
    if (!status) status = session_replay(&def, &seconds, &err);
    if (!status)
        status = sb_sound_writer_close(writer, &err);
    else
        sb_sound_writer_abort(writer);
    solving_end();
    if (status) return fail_with(&err);
    (void)fprintf(stderr, "%s: %.2f s\n", output, seconds);
    return EXIT_OK;
}

/* Play a scene with a prompt: implements `run` and `repl`. `repl` needs no
 * scene. */
static int play_scene(const cli_verb *verb, int argc, char **argv) {
    run_options options = {.scene = SCENE_OPTIONS_DEFAULT};
    const char *path = NULL;
    int least = verb == &verb_run ? 1 : 0;
    if (!parse_options(verb, argc, argv, &options, &path, least, 1) ||
        !are_outputs_separate(verb, &options)) {
        return EXIT_USAGE;
    }
    playing_scene playing = {.verb = verb, .options = &options};
    sb_host_def def;
    if (!host_def_of(verb, &options.scene, &def)) return EXIT_USAGE;
    def.report = tell;
    def.print = tell_printed;
    def.failed = tell_failed;
    def.loaded = tell_loaded;
    def.progress = tell_progress;
    def.must_stop = must_end_load;
    def.user = &playing;
    catch_interrupts();
    if (options.replay) return replay(&options, path, &def);
    def.parks_errors = true;
    def.watches = !options.is_unwatched;
    def.is_live = true;
    def.puts_off_air = !options.record;
    pipe_out_go_live();
    /* Standard output is the address's alone, or the sound's. */
    if (options.prints_url ||
        (options.record && strcmp(options.record, "-") == 0))
        print_to_stderr();
    return play_all(&playing, path, &def);
}

int run_main(int argc, char **argv) {
    return play_scene(&verb_run, argc, argv);
}

int repl_main(int argc, char **argv) {
    return play_scene(&verb_repl, argc, argv);
}

int studio_main(int argc, char **argv) {
    return play_scene(&verb_studio, argc, argv);
}
