/* SPDX-License-Identifier: MIT */
/* bindings/cli/console/console_messages.c -- what the verbs say alike: errors and
 * exit codes, levels, notes, and what is probably a mistake in a scene.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/base/utf8.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/world/scene_world.h"
#include "runtime/world/collider_choice.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int exit_code_of(sb_status status) {
    switch (status) {
    case SB_OK:
        return EXIT_OK;
    case SB_NOT_FOUND:
    case SB_BAD_ARGUMENT:
        return EXIT_USAGE;
    case SB_IO_ERROR:
        return EXIT_ASSET;
    case SB_NO_MODES:
    case SB_NO_CONVERGENCE:
    case SB_NO_MEMORY: /* nearly always a solve over --memory */
        return EXIT_SOLVE;
    case SB_NO_DEVICE:
        return EXIT_DEVICE;
    case SB_INTERRUPTED:
        return EXIT_INTERRUPTED;
    case SB_BAD_FORMAT:
    case SB_STALE_HANDLE:
    case SB_QUEUE_FULL:
    case SB_STATUS_COUNT:
        break;
    }
    return EXIT_SCRIPT;
}

int fail_with(const sb_error *err) {
    progress_end();
    const char *red = terminal_has_colour() ? "\033[31m" : "";
    const char *plain = terminal_has_colour() ? "\033[0m" : "";
    (void)fprintf(stderr, "%ssandbell:%s ", red, plain);
    terminal_put(stderr, err->message);
    (void)fputc('\n', stderr);
    return exit_code_of(err->status);
}

int(complain)(const char *verb, const char *format, ...) {
    va_list arguments;
    (void)fprintf(stderr, "sandbell%s%s: ", verb ? " " : "", verb ? verb : "");
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return EXIT_USAGE;
}

void announce(const char *verb, const char *format, ...) {
    char text[SB_MESSAGE_SIZE + 320], line[sizeof text + 64];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(line, sizeof line, "%s%s%s%s", verb ? "sandbell " : "",
                   verb ? verb : "", verb ? ": " : "", text);
    report_line(NULL, line);
}

void add_number(cJSON *json, const char *name, double value) {
    (void)cJSON_AddNumberToObject(json, name, value);
}

void add_text(cJSON *json, const char *name, const char *text) {
    (void)cJSON_AddStringToObject(json, name, text);
}

int print_json(cJSON *json) {
    char *text = cJSON_Print(json);
    cJSON_Delete(json);
    sb_utf8_mend(text);
    if (!text) {
        complain(NULL, "out of memory");
        return EXIT_SCRIPT;
    }
    (void)printf("%s\n", text);
    cJSON_free(text);
    return EXIT_OK;
}

const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Below this peak a sound is lost beside others; a cure puts the peak here. */
#define QUIET_DBFS (-40.0)
#define CURED_DBFS (-12.0)

double decibels(double amplitude) {
    return amplitude > 1e-10 ? 20.0 * log10(amplitude) : -200.0;
}

/* A gain with two digits, changed by this many decibels. */
static double cured(const sb_scene *scene, double db) {
    double gain = sb_scene_listener(scene).gain * pow(10.0, db / 20.0);
    double unit = pow(10.0, floor(log10(fmax(gain, 1e-9))) - 1.0);
    return round(gain / unit) * unit;
}

static void report_quiet(const char *verb, const sb_scene *scene,
                         double peak_db, const char *within) {
    double gain = cured(scene, CURED_DBFS - peak_db);
    (void)fprintf(stderr, "sandbell %s: very quiet: the peak is %.1f dBFS%s; ",
                  verb, peak_db, within);
    if (gain <= SB_LISTENER_GAIN_MOST)
        (void)fprintf(stderr, "sb.listener { gain = %g } would cure it\n",
                      gain);
    else
        (void)fprintf(stderr,
                      "no gain of the listener would cure it: strike harder, "
                      "or make the bodies larger\n");
}

void report_level(const char *verb, const sb_scene *scene,
                  const sb_engine *engine, double peak, const char *within) {
    double taken_db = -decibels(sb_engine_read_stats(engine).limiter_least);
    bool is_muted = !(sb_scene_listener(scene).gain > 0.0);
    if (taken_db >= 0.1) {
        (void)fprintf(
            stderr,
            "sandbell %s: too loud: the limiter took up to %.1f dB away%s; "
            "sb.listener { gain = %g } would cure it\n",
            verb, taken_db, within, cured(scene, -taken_db - 1.0));
    } else if (peak > 0.0 && decibels(peak) < QUIET_DBFS && !is_muted) {
        report_quiet(verb, scene, decibels(peak), within);
    }
}

const char *gain_note(const sb_scene *scene, char text[GAIN_NOTE_SIZE]) {
    sb_listener listener = sb_scene_listener(scene);
    text[0] = '\0';
    if (listener.is_exposed && sb_scene_exposure(scene) > 0.0) {
        (void)snprintf(text, GAIN_NOTE_SIZE, ", listener gain %g (automatic)",
                       listener.gain);
    }
    return text;
}

void report_world(const sb_scene *scene, bool *is_said) {
    if (*is_said) return;
    sb_world_info world = sb_scene_world_info(scene);
    *is_said = world.is_there;
    /* Deformable bodies need its clock even if nothing is in it. */
    if (!world.is_there || world.bodies == 0) return;
    announce(NULL, "world: %d %s, %g steps per second of %d substeps or more",
             COUNTED(world.bodies, "body", "bodies"), world.rate_hz,
             world.substeps);
}

void note_name(double freq_hz, char text[16]) {
    static const char *const names[] = {"C",  "C#", "D",  "D#", "E",  "F",
                                        "F#", "G",  "G#", "A",  "A#", "B"};
    double number = 69.0 + 12.0 * log2(freq_hz / 440.0);
    long nearest = lround(number);
    int cents = (int)lround((number - (double)nearest) * 100.0);
    if (!(freq_hz > 0.0) || nearest < 0 || nearest > 200) {
        (void)snprintf(text, 16, "-");
        return;
    }
    (void)snprintf(text, 16, "%s%ld %+d", names[nearest % 12], nearest / 12 - 1,
                   cents);
}

static void show_hz(double hz, char *text, size_t size) {
    (void)snprintf(text, size, hz >= 1000.0 ? "%.3g kHz" : "%.3g Hz",
                   hz >= 1000.0 ? hz / 1000.0 : hz);
}

void beyond_line(const sb_beyond_report *report, char *text, size_t size) {
    char from[24], to[24];
    text[0] = '\0';
    if (!report->is_cut) return;
    show_hz(report->from_hz, from, sizeof from);
    show_hz(report->has_bands ? report->bands_hz : report->max_hz, to,
            sizeof to);
    const char *format = "modes to %s, none from there to %s";
    if (report->has_bands) {
        format = report->is_rough
                     ? "modes to %s, diffuse field from there to %s, which "
                       "strong damping may make several dB too loud"
                     : "modes to %s, diffuse field from there to %s";
    } else if (report->is_off) {
        format = "modes to %s, too dense from there to %s: cut off "
                 "(diffuse = false)";
    }
    (void)snprintf(text, size, format, from, to);
}

void report_beyond(const char *verb, const sb_scene *scene) {
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        const sb_planned *planned =
            sb_scene_body_planned(scene, sb_scene_body_at(scene, i));
        sb_beyond_report report = sb_planned_beyond(planned);
        char line[128];
        beyond_line(&report, line, sizeof line);
        if (!line[0]) continue;
        if (!report.is_off) {
            (void)printf("%s: %s\n", planned->name, line);
        } else {
            (void)fprintf(stderr, "sandbell %s: warning: body '%s': %s\n", verb,
                          planned->name, line);
        }
    }
}

/* --- what is probably a mistake ------------------------------------------- */

enum { OVERLAPS_MOST = 5 };

typedef struct warnings {
    const char *verb;
    const sb_scene *scene;
    int overlap_count;
} warnings;

/* Meshes are measured where they are read. */
static void check_size(const char *verb, const char *name,
                       const sb_shape *shape) {
    char remark[96];
    if (!sb_shape_size_remark(shape, remark, sizeof remark)) return;
    complain(verb,
             "warning: '%s' is a %s of %.3g m; lengths are in metres "
             "(millimetres?)",
             name, sb_shape_kind_name(shape->kind), sb_shape_largest_m(shape));
}

/* Modes that are not solved for; those above half the sample rate are said
 * already. */
static void check_limit(const char *verb, const char *name,
                        const sb_shape *shape, double rate_hz) {
    double limit_hz = sb_shape_max_hz(shape);
    int above = 0;
    for (int k = 0; shape->modes && k < shape->mode_count; k++)
        above += shape->modes[k].freq_hz > limit_hz &&
                 shape->modes[k].freq_hz < 0.5 * rate_hz;
    if (above == 0) return;
    complain(verb,
             "warning: %d of the %d modes given for '%s' %s above %g Hz and %s "
             "left out",
             above, shape->mode_count, name, above == 1 ? "is" : "are",
             limit_hz, above == 1 ? "is" : "are");
}

static void check_modes(const char *verb, const char *name,
                        const sb_shape *shape, double rate_hz) {
    int above = 0;
    for (int k = 0; shape->modes && k < shape->mode_count; k++)
        above += shape->modes[k].freq_hz >= 0.5 * rate_hz;
    check_limit(verb, name, shape, rate_hz);
    if (above == 0) return;
    complain(verb,
             "warning: %d of the %d modes given for '%s' %s not below %g Hz, "
             "half the sample rate, and will not sound",
             above, shape->mode_count, name, above == 1 ? "is" : "are",
             0.5 * rate_hz);
}

/* A free open mesh collides as its hull, or with its faces if it is flat. */
static void check_hull(const char *verb, const char *name,
                       const sb_body_def *def) {
    if (def->moves.collider.kind != SB_COLLIDER_AUTO) return;
    if (def->moves.motion != SB_MOTION_FREE) return;
    if (!sb_collider_is_open(&def->shape)) return;
    bool is_sheet = sb_collider_of(&def->shape).kind == SB_COLLIDER_MESH;
    complain(
        verb,
        is_sheet
            ? "warning: '%s' is a flat open mesh, and collides as a sheet "
              "without thickness (collider = \"mesh\" says that this is "
              "meant)"
            : "warning: '%s' is a free open mesh, and collides as its "
              "convex hull: nothing falls into it (collider = \"mesh\" "
              "has its faces, collider = \"hull\" says that this is meant)",
        name);
}

static void check_overlap(void *user, sb_body_id first, sb_body_id second,
                          double depth_m) {
    warnings *self = user;
    const sb_scene *scene = self->scene;
    if (!sb_scene_has(scene, first) || !sb_scene_has(scene, second)) return;
    if (self->overlap_count++ >= OVERLAPS_MOST) return;
    char text[SB_OVERLAP_TEXT_SIZE];
    sb_scene_overlap_text(scene, first, second, depth_m, text);
    complain(self->verb, "warning: %s", text);
}

static void check_overlaps(warnings *self) {
    bool is_whole = sb_scene_overlaps(self->scene, check_overlap, self);
    int more = self->overlap_count - OVERLAPS_MOST;
    if (is_interrupted()) return;
    if (more > 0) {
        complain(self->verb,
                 "warning: %s%d more pairs of bodies begin inside others",
                 is_whole ? "" : "at least ", more);
    } else if (!is_whole) {
        complain(self->verb, "warning: too many bodies are near each other: "
                             "not all pairs are checked for overlaps");
    }
}

void warn_of_scene(const char *verb, const sb_scene *scene, double rate_hz) {
    warnings self = {.verb = verb, .scene = scene};
    int count = sb_scene_body_count(scene);
    bool has_world = sb_scene_world_info(scene).is_there;
    if (count == 0)
        complain(verb, "warning: the scene is empty: sb.body adds a body");
    for (int i = 0; i < count; i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        const sb_planned *planned = sb_scene_body_planned(scene, id);
        check_size(verb, planned->name, &planned->def.shape);
        check_modes(verb, planned->name, &planned->def.shape, rate_hz);
        if (has_world) check_hull(verb, planned->name, &planned->def);
    }
    check_overlaps(&self);
}
