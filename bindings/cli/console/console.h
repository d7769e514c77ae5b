/* SPDX-License-Identifier: MIT */
/* bindings/cli/console/console.h -- the verbs of the command line and what they
 * share.
 *
 * Results go to standard output, everything else to standard error. A verb
 * returns the exit code of the program.
 *
 * Thread: control.
 */
#pragma once

#include "runtime/base/field.h"
#include "runtime/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cJSON cJSON;
typedef struct sb_beyond_report sb_beyond_report;
typedef struct sb_engine sb_engine;
typedef struct sb_host sb_host;
typedef struct sb_host_def sb_host_def;
typedef struct sb_scene sb_scene;

typedef enum exit_code {
    EXIT_OK = 0,
    EXIT_SCRIPT = 1,
    EXIT_USAGE = 2,
    EXIT_ASSET = 3,
    EXIT_SOLVE = 4,
    EXIT_DEVICE = 5,
    EXIT_INTERRUPTED = 130
} exit_code;

typedef enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char * */
    OPTION_FILE,   /* const char *, the name of a file */
    OPTION_OUTPUT, /* const char *, the name of a file that is written */
    OPTION_NUMBER, /* double */
    OPTION_MEMORY, /* double, GB; MB or GB may follow it */
    OPTION_MAYBE,  /* option_maybe: the number may be left out */
    OPTION_PAIR,   /* two doubles, "u,v" */
    OPTION_PLACES, /* option_places, may be given more than once */
    OPTION_SETTING /* option_settings, may be given more than once */
} option_kind;

typedef struct option_maybe {
    bool is_given;
    double value; /* initially the default */
} option_maybe;

enum { MOST_PLACES = 64 };

typedef struct option_places {
    double items[MOST_PLACES][2];
    int count;
} option_places;

enum { MOST_SETTINGS = 64 };

typedef struct option_settings {
    sb_setting items[MOST_SETTINGS];
    char names[MOST_SETTINGS][64];
    int count;
} option_settings;

/* Options of every verb that opens a scene. */
typedef struct scene_options {
    double rate_hz;
    double seed;
    option_settings settings;
    bool is_trusted;
    double memory_gb; /* of the scene, and of a solve */
    bool is_linear;   /* deformable bodies as modes */
} scene_options;

/* One row per option, used by the parser and by `help`. */
typedef struct option_row {
    const char *name;       /* "--rate"; NULL ends the list */
    const char *short_name; /* "-o", or NULL */
    option_kind kind;
    size_t offset; /* into the verb's own struct */
    double min, max;
    const char *value; /* "HZ": name of the value in help; NULL for a flag */
    const char *help;
} option_row;

/* The members of a row for a member of AT's struct, which each verb defines. */
#define OPTION_ROW(name, short_name, kind, field, min, max, value, help) \
    { name, short_name, OPTION_##kind, AT(field), min, max, value, help }
#define FLAG_ROW(name, field, help) \
    OPTION_ROW(name, NULL, FLAG, field, 0, 0, NULL, help)
#define NUMBER_ROW(name, field, min, max, value, help) \
    OPTION_ROW(name, NULL, NUMBER, field, min, max, value, help)
#define TEXT_ROW(name, kind, field, value, help) \
    OPTION_ROW(name, NULL, kind, field, 0, 0, value, help)

/* Rows for a member `scene` (scene_options) of the verb's own struct. */
#define SCENE_OPTION_ROWS                                                 \
    NUMBER_ROW("--rate", scene.rate_hz, 8000, 384000, "HZ",               \
               "sample rate (default 48000)"),                            \
        OPTION_ROW("--memory", NULL, MEMORY, scene.memory_gb, 0.05, 1000, \
                   "GB",                                                  \
                   "memory that the scene, and solving it, may take, "    \
                   "or 500MB (default 2)"),                               \
        FLAG_ROW("--linear", scene.is_linear,                             \
                 "play deformable bodies as bodies of modes"),            \
        NUMBER_ROW("--seed", scene.seed, 0, 9e15, "N",                    \
                   "seed of math.random (default 1)"),                    \
        TEXT_ROW("--set", SETTING, scene.settings, "NAME=VALUE",          \
                 "set a param of the scene; may be repeated"),            \
        FLAG_ROW("--trust", scene.is_trusted,                             \
                 "trust the script: all of Lua, "                         \
                 "with files and programs, without limits")

#define SCENE_OPTIONS_DEFAULT \
    { .rate_hz = 48000.0, .seed = 1.0, .memory_gb = 2.0 }

typedef struct cli_verb {
    const char *name;
    const char *arguments; /* "SCENE [options]" */
    const char *summary;   /* one line */
    const char *details;   /* more, or NULL */
    const option_row *options;
    int (*run)(int argc, char **argv); /* arguments after the verb */
} cli_verb;

/* From verbs.def: an object verb_NAME per row, its option table, its function.
 */
#define VERB(name, usage, summary, rows, function, help) \
    extern const cli_verb verb_##name;                   \
    extern const option_row rows[];                      \
    int function(int argc, char **argv);
#include "bindings/cli/console/verbs.def"
#undef VERB
extern const cli_verb *const all_verbs[]; /* NULL-ended */

const cli_verb *find_verb(const char *name); /* or NULL */

/* Fill `def` and the `positional` arguments, whose number must be from `least`
 * to `most`. On failure prints a message and returns false: exit with USAGE. */
bool parse_options(const cli_verb *verb, int argc, char **argv, void *def,
                   const char **positional, int least, int most);

/* False, with a message, if two options name the same file and one of them
 * writes it. */
bool are_outputs_separate(const cli_verb *verb, const void *def);
/* The option that names this file, which the program would write besides; or
 * NULL. */
const char *option_that_names(const cli_verb *verb, const void *def,
                              const char *path);
/* Call first: a standard stream that is closed is opened, so that no file gets
 * its number and what is printed. Writing to it and reading from it fail. */
void hold_streams(void);
/* The results of this verb are files, and what it prints is about them: where
 * standard output is closed, it goes to standard error, and whoever stops reading
 * it does not end the verb. */
void results_are_files(void);
/* False, with a message, if an output option names the file `input`;
 * parse_options checks the positional arguments. */
bool is_output_separate(const cli_verb *verb, const void *def,
                        const char *input);
/* The same for each file that the scene has read. */
bool is_scene_safe(const cli_verb *verb, const void *def, const sb_host *host);

/* Add "u,v", or several of them separated by spaces, each number from `min` to
 * `max`. False, and nothing added, if the text is malformed or there are too
 * many. */
bool read_places(const char *text, double min, double max,
                 option_places *places);

/* Make a host definition from the options. The host reports to the terminal and
 * stops at Ctrl-C. On failure prints a message and returns false: exit with
 * USAGE. */
bool host_def_of(const cli_verb *verb, const scene_options *options,
                 sb_host_def *out);

/* Print "sandbell: " and the message to standard error; returns the exit code
 * for the status. */
int fail_with(const sb_error *err);

/* As printf to standard error, after "sandbell VERB: ", or "sandbell: " if that
 * is NULL, and with a newline. Returns EXIT_USAGE, for those that want it. */
int complain(const char *verb, const char *format, ...) SB_PRINTF(2, 3);
#ifdef __clang_analyzer__ /* as sb_fail */
#define complain(...) ((void)(complain)(__VA_ARGS__), EXIT_USAGE)
#endif

/* The same as report_line writes it: above a progress bar and the prompt. With
 * NULL the text alone. */
void announce(const char *verb, const char *format, ...) SB_PRINTF(2, 3);

/* Members of a JSON object. NaN and infinity are written as null. */
void add_number(cJSON *json, const char *name, double value);
void add_text(cJSON *json, const char *name, const char *text);
/* Print a document to standard output and delete it; returns an exit code. */
int print_json(cJSON *json);

const char *file_name(const char *path); /* what follows the last slash */
bool ends_in(const char *path, const char *ending); /* in either case */

/* Install the signal handlers; call once. is_interrupted is true after Ctrl-C.
 * A second Ctrl-C ends the program at once. Long work of this thread ends as
 * well (stop.h). */
void catch_interrupts(void);
bool is_interrupted(void);

/* Set by the handler: for work that polls it on other threads. */
const atomic_bool *interrupt_flag(void);

/* While interrupts are kept, is_interrupted stays false after Ctrl-C and the
 * caller polls take_interrupt instead. */
void keep_interrupts(bool are_kept);
bool take_interrupt(void); /* true once after Ctrl-C */

/* is_interrupted as a callback for sb_host_def.must_stop. */
bool must_stop_now(void *user);

/* For sb_host_def.report: prints to standard error, above any progress bar. */
void report_line(void *user, const char *message);
/* The same on standard output: what a script prints in run, repl and render. */
void print_line(void *user, const char *line);
/* In place of it, for a script that prints another time. */
void print_nothing(void *user, const char *line);
/* Standard output is for something else: these lines go to standard error. */
void print_to_stderr(void);

/* Options of `sandbell bench`, for the program, which prints their help, and for
 * sandbell_bench (tests/bench), which measures. */
typedef struct bench_options {
    bool is_json, is_quick, is_campaign;
    double sets, reloads, rings;
    const char *plot; /* a PNG to write, or NULL */
    const char *part; /* of a table of figures, or NULL: all */
} bench_options;

/* The name of the bench is *what, unchanged if there is none. False, with a
 * message: exit with USAGE. */
bool bench_options_read(int argc, char **argv, bench_options *out,
                        const char **what);

/* "1 body", "2 bodies": the last two arguments of a printf. */
#define COUNTED(count, one, many) (count), (count) == 1 ? (one) : (many)

/* 20 log10, from -200 on. */
double decibels(double amplitude);

/* Print a warning to standard error if the limiter has reduced the level by
 * more than 0.1 dB, or if this peak is below -40 dBFS, with the gain of the
 * listener that would cure it. `within` says what the peak is of: "", or
 * " in the first 1 s". */
void report_level(const char *verb, const sb_scene *scene,
                  const sb_engine *engine, double peak, const char *within);

/* ", listener gain 3.4 (automatic)", or "" if the script gives the gain or
 * nothing rings. */
enum { GAIN_NOTE_SIZE = 48 };
const char *gain_note(const sb_scene *scene, char text[GAIN_NOTE_SIZE]);

/* Print to standard error, a line each, what is probably a mistake: an empty
 * scene, bodies that begin inside others, open meshes taken as hulls, sizes in
 * millimetres, given modes above half the rate. */
void warn_of_scene(const char *verb, const sb_scene *scene, double rate_hz);

/* Print "world: 101 bodies, 1000 steps per second of 4 substeps or more" to
 * standard error once the scene has a world: at the start, or when the script
 * makes the first body that moves. */
void report_world(const sb_scene *scene, bool *is_said);

/* A line per body whose modes are too many to hold, on standard output, or a
 * warning if they are cut off. */
void report_beyond(const char *verb, const sb_scene *scene);

/* "modes to 2.31 kHz, diffuse field from there to 19.8 kHz", or that they are cut
 * off; empty if there is nothing to say. */
void beyond_line(const sb_beyond_report *report, char *text, size_t size);

/* "A4 +3": the nearest note of equal temperament (A4 = 440 Hz) and cents. */
void note_name(double freq_hz, char text[16]);
