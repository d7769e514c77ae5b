/* bindings/cli/console/console_messages.c -- exit codes, error messages and note names
 * that the verbs share. Thread: control. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/progress_bar.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/plan/beyond_part.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>

int exit_code_of(sb_status status) {
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

/* Below this peak a sound is lost beside others; a cure puts the peak here. */
#define QUIET_DBFS (-40.0)
#define CURED_DBFS (-12.0)

static double to_db(double ratio) {
    return 20.0 * log10(fmax(ratio, 1e-10));
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
    double taken_db = -to_db(sb_engine_read_stats(engine).limiter_least);
    bool is_muted = !(sb_scene_listener(scene).gain > 0.0);
    if (taken_db >= 0.1) {
        (void)fprintf(
            stderr,
            "sandbell %s: too loud: the limiter took up to %.1f dB away%s; "
            "sb.listener { gain = %g } would cure it\n",
            verb, taken_db, within, cured(scene, -taken_db - 1.0));
    } else if (peak > 0.0 && to_db(peak) < QUIET_DBFS && !is_muted) {
        report_quiet(verb, scene, to_db(peak), within);
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
    char line[120];
    (void)snprintf(line, sizeof line,
                   "world: %d %s, %g steps per second of %d substeps or more",
                   COUNTED(world.bodies, "body", "bodies"), world.rate_hz,
                   world.substeps);
    report_line(NULL, line);
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
