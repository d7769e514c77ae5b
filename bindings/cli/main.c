/* bindings/cli/main.c -- the program: finds the verb and calls its function.
 * Also signals, exit codes and other functions that the verbs share.
 * Thread: control. */
#include "bindings/bind.h"
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/prompt/prompt.h"
#include "runtime/model/linear/blas.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERB(name, usage, summary, rows, function, help) \
    const cli_verb verb_##name = {#name, usage, summary, help, rows, function};
#include "bindings/cli/console/verbs.def"
#undef VERB

#define VERB(name, usage, summary, rows, function, help) &verb_##name,
const cli_verb *const all_verbs[] = {
#include "bindings/cli/console/verbs.def"
    NULL};
#undef VERB

static volatile sig_atomic_t was_interrupted;
static volatile sig_atomic_t interrupts_are_kept;
static volatile sig_atomic_t must_end; /* nobody can keep that */

/* The second one ends the program at once, should it hang. */
static void on_signal(int number) {
    if (was_interrupted || must_end) {
        terminal_restore();
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
    if (number == SIGINT) {
        was_interrupted = 1;
    } else {
        must_end = 1;
    }
}

void catch_interrupts(void) {
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
}

void keep_interrupts(bool are_kept) {
    interrupts_are_kept = are_kept;
}

bool take_interrupt(void) {
    bool was = was_interrupted != 0;
    was_interrupted = 0;
    return was;
}

bool is_interrupted(void) {
    return must_end || (was_interrupted && !interrupts_are_kept);
}

bool must_stop_now(void *user) {
    (void)user;
    return is_interrupted();
}

const cli_verb *find_verb(const char *name) {
    for (const cli_verb *const *verb = all_verbs; *verb; verb++) {
        if (strcmp((*verb)->name, name) == 0) return *verb;
    }
    return NULL;
}

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
        return EXIT_SOLVE;
    case SB_NO_DEVICE:
        return EXIT_DEVICE;
    case SB_INTERRUPTED:
        return EXIT_INTERRUPTED;
    case SB_BAD_FORMAT:
    case SB_NO_MEMORY:
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
    (void)fprintf(stderr, "%ssandbell:%s %s\n", red, plain, err->message);
    return exit_code_of(err->status);
}

void tell_limiting(const char *verb, const sb_engine *engine) {
    double least = sb_engine_read_stats(engine).limiter_least;
    double taken_db = -20.0 * log10(fmax(least, 1e-6));
    if (taken_db < 0.1) return;
    (void)fprintf(stderr,
                  "sandbell %s: too loud: the limiter took up to %.1f dB away "
                  "(sb.listener { gain = ... } turns everything down)\n",
                  verb, taken_db);
}

void tell_world(const sb_scene *scene) {
    sb_world_info world = sb_scene_world_info(scene);
    if (!world.is_there) return;
    (void)fprintf(stderr, "world: %d %s, %g steps a second\n",
                  COUNTED(world.bodies, "body", "bodies"), world.rate_hz);
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

static const char *verb_name_at(const void *names, int i) {
    (void)names;
    return all_verbs[i]->name;
}

static int unknown_verb(const char *name) {
    int count = 0;
    while (all_verbs[count])
        count++;
    const char *near = bind_nearest(name, count, verb_name_at, NULL);
    (void)fprintf(stderr,
                  "sandbell: unknown verb '%s'%s%s%s (sandbell help lists "
                  "them)\n",
                  name, near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
    return EXIT_USAGE;
}

/* OpenBLAS reads its setting when it is loaded, before any of our code runs: so
 * start once more where it has chosen badly. */
static void choose_blas(char **argv) {
    const char *core = sb_blas_better_core();
    if (!core || getenv("OPENBLAS_CORETYPE")) return;
    if (setenv("OPENBLAS_CORETYPE", core, 0)) return;
    (void)execv("/proc/self/exe", argv); /* if not, it is only slower */
}

int main(int argc, char **argv) {
    choose_blas(argv);
    /* A file that grows too large is an error of that write, which cleans up,
     * and not the end of the program. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        (void)verb_help.run(0, NULL);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) {
        (void)printf("sandbell %s\n", SANDBELL_VERSION);
        return EXIT_OK;
    }
    const cli_verb *verb = find_verb(name);
    if (!verb) return unknown_verb(name);
    if (argc > 2 && strcmp(argv[2], "--help") == 0) {
        return verb_help.run(1, &argv[1]);
    }
    int code = verb->run(argc - 2, argv + 2);
    if (fflush(stdout) || ferror(stdout)) {
        (void)fprintf(stderr, "sandbell: writing to standard output failed\n");
        if (code == EXIT_OK) code = EXIT_ASSET;
    }
    return code;
}
