/* SPDX-License-Identifier: MIT */
/* The terminal: bars, who else draws on it, its settings; and the signals that
 * end the program.
 * Thread: control; the handlers of signals run on any thread. */
#include "bindings/cli/console/terminal.h"

#include "bindings/cli/console/console.h"
#include "bindings/cli/console/pipe_out.h"
#include "bindings/host/host.h"
#include "runtime/base/clock.h"
#include "runtime/base/name.h"
#include "runtime/base/stop.h"
#include "runtime/base/utf8.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Shortest time between two drawings: faster is not visible and would flood a
 * slow connection. */
#define REDRAW_S 0.05

static bool bar_is_drawn;
static double last_drawn_s;
static int last_tenth = -1;

/* True if a line on standard error can be redrawn in place. */
static bool terminal_is_live(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

bool terminal_has_colour(void) {
    const char *no_colour = getenv("NO_COLOR");
    return terminal_is_live() && !(no_colour && *no_colour);
}

static void draw_bar(const char *what, double fraction, const char *note) {
    enum { WIDTH = 30 };
    int full = fraction < 0.0 ? 0 : (int)(fraction * WIDTH + 0.5);
    if (full > WIDTH) full = WIDTH;
    /* Each block character takes three bytes. */
    static const char done[] = "██████████████████████████████";
    static const char left[] = "░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░";
    if (fraction < 0.0) {
        (void)fprintf(stderr, "\r\033[K%s  %s", what, note);
    } else {
        (void)fprintf(stderr, "\r\033[K%s %.*s%.*s %3.0f %%  %s", what,
                      3 * full, done, 3 * (WIDTH - full), left,
                      fraction * 100.0, note);
    }
    (void)fflush(stderr);
    bar_is_drawn = true;
}

void progress_show(const char *what, double fraction, const char *note) {
    if (terminal_is_live()) {
        double now_s = sb_clock_s();
        if (now_s - last_drawn_s < REDRAW_S) return;
        last_drawn_s = now_s;
        draw_bar(what, fraction, note);
        return;
    }
    int tenth = (int)(fraction * 10.0 + 1e-9);
    if (fraction < 0.0 || tenth == last_tenth) return;
    last_tenth = tenth;
    (void)fprintf(stderr, "%s %d %%  %s\n", what, tenth * 10, note);
}

void progress_end(void) {
    if (bar_is_drawn) (void)fprintf(stderr, "\r\033[K");
    (void)fflush(stderr);
    bar_is_drawn = false;
    last_tenth = -1;
}

/* --- who else draws here -------------------------------------------------- */

static const terminal_tenant *tenant;
static int room_depth;

void terminal_set_tenant(const terminal_tenant *who) {
    tenant = who;
}

void terminal_make_room(void) {
    if (room_depth++ == 0 && tenant) tenant->hide(tenant->user);
}

void terminal_give_back(void) {
    (void)fflush(stdout);
    if (--room_depth == 0 && tenant) tenant->show(tenant->user);
}

/* May the character be written to a terminal as it is? */
static bool is_plain(const char *at) {
    return *at == '\n' || *at == '\t' ||
           (sb_utf8_length(at) > 0 && !sb_utf8_is_control(at));
}

void terminal_put(FILE *to, const char *text) {
    while (*text) {
        const char *end = text;
        while (*end && is_plain(end))
            end += sb_utf8_length(end);
        if (end > text) (void)fwrite(text, 1, (size_t)(end - text), to);
        for (; *end && !is_plain(end); end++)
            (void)fprintf(to, "\\x%02x", (unsigned)(unsigned char)*end);
        text = end;
    }
}

static void put_line(FILE *to, const char *message) {
    terminal_make_room();
    if (bar_is_drawn) (void)fprintf(stderr, "\r\033[K");
    bar_is_drawn = false;
    terminal_put(to, message);
    (void)fputc('\n', to);
    terminal_give_back();
}

void report_line(void *user, const char *message) {
    (void)user;
    put_line(stderr, message);
}

static bool prints_to_stderr;

void print_line(void *user, const char *line) {
    (void)user;
    put_line(prints_to_stderr ? stderr : stdout, line);
}

void print_nothing(void *user, const char *line) {
    (void)user, (void)line;
}

void print_to_stderr(void) {
    prints_to_stderr = true;
}

/* --- the terminal's settings ----------------------------------------------

   While a line is edited, the terminal passes on single keys and does not echo
   them. A program that ended in this mode would leave a shell without echo, so
   every exit calls terminal_restore. */

static struct termios found;
static volatile sig_atomic_t is_guarded;
static volatile sig_atomic_t was_disturbed;

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { DEADLY_COUNT = sizeof deadly / sizeof *deadly };
static struct sigaction before[DEADLY_COUNT];

void terminal_restore(void) {
    if (!is_guarded) return;
    int error = errno;
    is_guarded = 0;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &found);
    errno = error;
}

/* Runs once: the signal's default action follows when the handler returns. */
static void on_deadly(int number) {
    terminal_restore();
    for (int i = 0; i < DEADLY_COUNT; i++)
        if (deadly[i] == number) (void)sigaction(number, &before[i], NULL);
    (void)raise(number);
}

static void on_resize(int number) {
    (void)number;
    was_disturbed = 1;
}

static void on_suspend(int number) {
    (void)number;
    int error = errno;
    struct termios own;
    bool is_ours = is_guarded && tcgetattr(STDIN_FILENO, &own) == 0;
    if (is_ours) (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &found);
    (void)kill(getpid(), SIGSTOP);
    /* Continued after Ctrl-Z: set the editing mode again. */
    if (is_ours) (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &own);
    was_disturbed = 1;
    errno = error;
}

static void catch_signal(int number, void (*handler)(int),
                         struct sigaction *old) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, old);
}

void terminal_guard(void) {
    static bool is_ready;
    if (is_guarded || tcgetattr(STDIN_FILENO, &found)) return;
    is_guarded = 1;
    if (is_ready) return;
    is_ready = true;
    (void)atexit(terminal_restore);
    for (int i = 0; i < DEADLY_COUNT; i++)
        catch_signal(deadly[i], on_deadly, &before[i]);
    catch_signal(SIGWINCH, on_resize, NULL);
    catch_signal(SIGTSTP, on_suspend, NULL);
}

bool terminal_was_disturbed(void) {
    bool was = was_disturbed;
    was_disturbed = 0;
    return was;
}

/* --- progress while bodies are solved --------------------------------------- */

#define QUIET_S 0.3

/* Solves of less are not announced, unless lines of progress are written. */
enum { QUIET_MS = 500 };

/* Where each stage begins and ends in the bar. Finding the modes takes most of
 * the time. */
static const struct {
    const char *name;
    double from, to;
} stages[] = {{"mesh", 0.0, 0.05},          {"thinning", 0.0, 0.05},
              {"assembly", 0.05, 0.08},     {"ordering", 0.08, 0.1},
              {"factorisation", 0.1, 0.25}, {"modes", 0.25, 0.95},
              {"radiation", 0.95, 1.0}};

static struct {
    double began_s; /* 0: no solve under way */
    char body[SB_NAME_SIZE];
    int solve;         /* it takes several, with elements of several sizes */
    int stage, tenth;  /* last reported for this solve; -1: none */
    bool is_new_stage; /* no line of it yet */
    double stage_s;    /* when it began */
    double fraction;   /* last drawn for this solve */
    bool was_cached;
    int unknowns, megabytes; /* of the solve under way */
    int announced;           /* unknowns last announced for this body */
} now;

static int stage_of(const char *name) {
    int count = (int)(sizeof stages / sizeof stages[0]);
    for (int i = 0; i < count; i++)
        if (strcmp(stages[i].name, name) == 0) return i;
    return -1;
}

static void begin_body(const char *body) {
    if (now.began_s > 0.0 && strcmp(now.body, body) == 0) return;
    if (now.began_s == 0.0) now.began_s = sb_clock_s();
    (void)snprintf(now.body, sizeof now.body, "%s", body);
    now.solve = now.announced = 0;
    now.stage = now.tenth = -1;
    now.fraction = 0.0;
}

/* A mesh after a later stage: the next size of elements. It counts as another
 * solve if the one before was more than assembled. */
static void begin_stage(int stage) {
    if (stage == 0 && now.stage > 0) {
        if (now.stage > stage_of("assembly")) now.solve++;
        now.stage = now.tenth = -1;
        now.fraction = 0.0;
    }
    if (stage <= now.stage) return;
    now.stage = stage;
    now.is_new_stage = true;
    now.stage_s = sb_clock_s();
}

/* Within a solve the bar never moves back. */
static void reach(int stage, double fraction) {
    double from = stages[stage].from;
    double reached = from + (stages[stage].to - from) * fraction;
    if (reached > now.fraction) now.fraction = reached;
}

/* One per stage, and one per 10 % of the solve. */
static void write_line(const char *note) {
    int tenth = (int)(now.fraction * 10.0 + 1e-9);
    if (!now.is_new_stage && tenth <= now.tenth) return;
    now.tenth = tenth;
    now.is_new_stage = false;
    (void)fprintf(stderr, "%s: %s\n", now.body, note);
}

/* What is done of a stage; of one that cannot be measured, how long it has
 * lasted, which only a bar can show. */
static double describe(int stage, int done, int expected, char *note,
                       size_t size) {
    char solve[24] = "";
    const char *name = stages[stage].name;
    double lasted_s = sb_clock_s() - now.stage_s;
    if (now.solve > 0)
        (void)snprintf(solve, sizeof solve, "solve %d, ", now.solve + 1);
    if (expected > 0 && strcmp(name, "factorisation") == 0) {
        (void)snprintf(note, size, "%s%s %d %%", solve, name, done);
    } else if (expected > 0) {
        (void)snprintf(note, size, "%s%s %d of %d", solve, name, done,
                       expected);
    } else if (done > 0) {
        (void)snprintf(note, size, "%s%s, %d found", solve, name, done);
    } else if (terminal_is_live() && lasted_s > 1.0) {
        (void)snprintf(note, size, "%s%s, %.0f s", solve, name, lasted_s);
    } else {
        (void)snprintf(note, size, "%s%s", solve, name);
    }
    if (expected <= 0) return 0.0;
    return done < expected ? (double)done / expected : 1.0;
}

/* The size of a solve is printed before it, unless it is a matter of an
 * instant. More modes than expected are another estimate of the same solve. */
static void show_size(int milliseconds) {
    bool is_short = milliseconds < QUIET_MS;
    if (is_short && sb_clock_s() - now.began_s < QUIET_S) return;
    if (now.unknowns == now.announced) return;
    now.announced = now.unknowns;
    progress_end();
    (void)fprintf(stderr, "%s: %d unknowns, about %d MB and %.*f s\n", now.body,
                  now.unknowns, now.megabytes, milliseconds < 10000 ? 1 : 0,
                  1e-3 * milliseconds);
}

static void show_coarse(int thousandths, int megabytes) {
    progress_end();
    (void)fprintf(stderr,
                  "%s: warning: modes may be off by %.1f %%: smaller elements "
                  "need more than %.3g GB (--memory)\n",
                  now.body, 0.1 * thousandths, 1e-3 * megabytes);
}

static void show_air(int bodies, int milliseconds) {
    if (milliseconds < QUIET_MS && sb_clock_s() - now.began_s < QUIET_S) return;
    progress_end();
    (void)fprintf(stderr,
                  "radiation of %d bod%s by boundary elements: about %.*f s\n",
                  bodies, bodies == 1 ? "y" : "ies",
                  milliseconds < 10000 ? 1 : 0, 1e-3 * milliseconds);
}

void solving_show(void *user, const char *body, const char *stage, int done,
                  int expected) {
    (void)user;
    if (strcmp(stage, "air") == 0) {
        show_air(done, expected);
        return;
    }
    begin_body(body);
    now.was_cached = strcmp(stage, "cached") == 0;
    if (strcmp(stage, "size") == 0) {
        now.unknowns = done;
        now.megabytes = expected;
    } else if (strcmp(stage, "time") == 0) {
        show_size(done);
    } else if (strcmp(stage, "coarse") == 0) {
        show_coarse(done, expected);
    }
    int index = stage_of(stage);
    if (index < 0) return;
    begin_stage(index);
    if (sb_clock_s() - now.began_s < QUIET_S) return;
    char note[64];
    if (index < now.stage) return;
    reach(index, describe(index, done, expected, note, sizeof note));
    if (terminal_is_live()) {
        progress_show(now.body, now.fraction, note);
    } else {
        write_line(note);
    }
}

bool solving_goes_on(void *name, const char *stage, int done, int expected) {
    solving_show(NULL, name, stage, done, expected);
    return !is_interrupted();
}

bool solving_was_cached(void) {
    bool was = now.was_cached;
    now.was_cached = false;
    return was;
}

void solving_end(void) {
    now.began_s = 0.0;
    progress_end();
}

sb_status open_host(const char *path, const sb_host_def *def, sb_host **out,
                    sb_error *err) {
    sb_status status = sb_host_open(path, def, out, err);
    solving_end();
    return status;
}

/* --- Ctrl-C and the signals that end the program ----------------------------- */

static volatile sig_atomic_t was_interrupted;
static volatile sig_atomic_t interrupts_are_kept;
static volatile sig_atomic_t must_end; /* SIGTERM and others: never kept */
static atomic_bool any_signal;         /* lock-free, so a handler may set it */
static atomic_bool ends_work;          /* likewise; unless it is kept */

/* The second signal ends the program at once, in case it hangs. */
static void on_signal(int number) {
    if (was_interrupted || must_end) {
        terminal_restore();
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
    atomic_store(&any_signal, true);
    if (number != SIGINT || !interrupts_are_kept)
        atomic_store(&ends_work, true);
    if (number == SIGINT) {
        was_interrupted = 1;
    } else {
        must_end = 1;
    }
}

void catch_interrupts(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal}, found_action;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        /* What is ignored stays ignored: nohup and shells set it. */
        bool is_ignored = !sigaction(numbers[i], NULL, &found_action) &&
                          found_action.sa_handler == SIG_IGN;
        if (!is_ignored) (void)sigaction(numbers[i], &action, NULL);
    }
    sb_stop_watch(&ends_work);
    pipe_out_open(); /* a write to a pipe would not be interrupted */
}

void keep_interrupts(bool are_kept) {
    interrupts_are_kept = are_kept;
}

bool take_interrupt(void) {
    bool was = was_interrupted != 0;
    was_interrupted = 0;
    atomic_store(&any_signal, must_end != 0);
    atomic_store(&ends_work, must_end != 0);
    return was;
}

bool is_interrupted(void) {
    return must_end || (was_interrupted && !interrupts_are_kept);
}

const atomic_bool *interrupt_flag(void) {
    return &any_signal;
}

bool must_stop_now(void *user) {
    (void)user;
    return is_interrupted();
}
