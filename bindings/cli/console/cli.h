/* bindings/cli/console/cli.h -- the verbs of the command line and what they
 * share.
 *
 * Results go to standard output, everything else to standard error. A verb
 * returns the exit code of the program.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_CONSOLE_CLI_H
#define SB_BINDINGS_CLI_CONSOLE_CLI_H

#include "bindings/host/host.h"
#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

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
    OPTION_NUMBER, /* double */
    OPTION_PAIR,   /* two doubles, "u,v" */
    OPTION_PLACES, /* option_places, may be given more than once */
    OPTION_SETTING /* option_settings, may be given more than once */
} option_kind;

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

/* What every verb that opens a scene takes. */
typedef struct scene_options {
    double rate_hz;
    double seed;
    option_settings settings;
    bool is_trusted;
} scene_options;

/* One row per option: parsed from here, explained by `help` from here. */
typedef struct option_row {
    const char *name;       /* "--rate"; NULL ends the list */
    const char *short_name; /* "-o", or NULL */
    option_kind kind;
    size_t offset; /* into the verb's own struct */
    double min, max;
    const char *value; /* "HZ": how help calls the value; NULL for a flag */
    const char *help;
} option_row;

/* The rows of a scene_options called `scene` in the verb's own struct. */
#define SCENE_OPTION_ROWS(type)                                               \
    {"--rate", NULL,   OPTION_NUMBER, offsetof(type, scene.rate_hz),          \
     8000,     384000, "HZ",          "sample rate (default 48000)"},         \
        {"--seed", NULL, OPTION_NUMBER, offsetof(type, scene.seed),           \
         0,        9e15, "N",           "seed of math.random (default 1)"},   \
        {"--set",                                                             \
         NULL,                                                                \
         OPTION_SETTING,                                                      \
         offsetof(type, scene.settings),                                      \
         0,                                                                   \
         0,                                                                   \
         "NAME=VALUE",                                                        \
         "set a param of the scene; may be repeated"},                        \
    {                                                                         \
        "--trust", NULL, OPTION_FLAG, offsetof(type, scene.is_trusted), 0, 0, \
            NULL,                                                             \
            "trust the script: all of Lua, with files and programs, without " \
            "limits"                                                          \
    }

#define SCENE_OPTIONS_DEFAULT \
    { .rate_hz = 48000.0, .seed = 1.0 }

typedef struct cli_verb {
    const char *name;
    const char *arguments; /* "SCENE [options]" */
    const char *summary;   /* one line */
    const char *details;   /* more, or NULL */
    const option_row *options;
    int (*run)(int argc, char **argv); /* what follows the verb */
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

/* Fill `def` and the `positional` arguments, of which there must be from
 * `least` to `most`. False after printing what is wrong: exit with USAGE. */
bool parse_options(const cli_verb *verb, int argc, char **argv, void *def,
                   const char **positional, int least, int most);

/* Add "u,v", or several of them with spaces between, each from `min` to `max`.
 * False, and nothing is added, when it is something else or too much. */
bool read_places(const char *text, double min, double max,
                 option_places *places);

/* What the options say to a host that reports to the terminal and ends with
 * Ctrl-C. False after printing what is wrong: exit with USAGE. */
bool host_def_of(const cli_verb *verb, const scene_options *options,
                 sb_host_def *out);

/* "sandbell: " and the sentence on standard error; returns the exit code that
 * belongs to the status. */
int fail_with(const sb_error *err);
int exit_code_of(sb_status status);

/* Install once; is_interrupted is true after Ctrl-C. A second one ends the
 * program at once. */
void catch_interrupts(void);
bool is_interrupted(void);

/* While they are kept, is_interrupted is false: somebody asks for them here. */
void keep_interrupts(bool are_kept);
bool take_interrupt(void); /* true once after Ctrl-C */

/* The same, for sb_host_def.must_stop. */
bool must_stop_now(void *user);

/* For sb_host_def.report: to standard error, above any progress bar. */
void report_line(void *user, const char *message);

/* Play a scene, with a prompt: the work of `run` and `repl`, which may do
 * without a scene. */
int play_scene(const cli_verb *verb, int argc, char **argv);

/* "1 body", "2 bodies": for the end of a printf's list. */
#define COUNTED(count, one, many) (count), (count) == 1 ? (one) : (many)

/* A line on standard error when the limiter took more than 0.1 dB away from
 * what `engine` played so far. */
void report_limiting(const char *verb, const sb_engine *engine);

/* "world: 101 bodies, 480 steps per second" on standard error, if there is one.
 */
void report_world(const sb_scene *scene);

/* "A4 +3": the nearest note of equal temperament (A4 = 440 Hz) and cents. */
void note_name(double freq_hz, char text[16]);

#endif
