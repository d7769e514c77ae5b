/* Shows progress on standard error: a bar on a terminal, a line per 10 %
 * elsewhere.
 * Thread: control. */
#include "bindings/cli/console/progress.h"

#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/base/clock.h"

#include <stdio.h>
#include <string.h>

#define QUIET_S 0.3

/* Solves of less are not announced. */
enum { QUIET_MS = 500 };

/* Start of each stage in the bar. Finding the modes takes most of the time. */
static const struct {
    const char *name;
    double from;
} stages[] = {{"mesh", 0.0},      {"thinning", 0.0},      {"assembly", 0.05},
              {"ordering", 0.08}, {"factorisation", 0.1}, {"modes", 0.15}};

static struct {
    double began_s; /* 0: no solve under way */
    char body[SB_NAME_SIZE];
    int stage, tenth; /* last reported for this body; -1: none */
    double fraction;  /* last drawn for this body */
    bool was_cached;
    int unknowns, megabytes; /* of the solve under way */
} now;

static int stage_of(const char *name) {
    int count = (int)(sizeof stages / sizeof stages[0]);
    for (int i = 0; i < count; i++) {
        if (strcmp(stages[i].name, name) == 0) return i;
    }
    return -1;
}

static void begin_body(const char *body) {
    if (now.began_s > 0.0 && strcmp(now.body, body) == 0) return;
    if (now.began_s == 0.0) now.began_s = sb_clock_s();
    (void)snprintf(now.body, sizeof now.body, "%s", body);
    now.stage = now.tenth = -1;
    now.fraction = 0.0;
}

/* The solver repeats the factor stage for each slice of eigenvalues. The bar
 * never moves back for it, and only a later stage prints a new line. */
static void draw(int stage, double fraction, const char *note) {
    double from = stages[stage].from;
    double reached = from + (1.0 - from) * fraction;
    if (reached > now.fraction) now.fraction = reached;
    progress_show(now.body, now.fraction, note);
}

static void write_line(int stage, double fraction, const char *note) {
    int tenth = (int)(fraction * 10.0 + 1e-9);
    if (stage < now.stage || (stage == now.stage && tenth <= now.tenth)) return;
    now.stage = stage;
    now.tenth = tenth;
    (void)fprintf(stderr, "%s: %s\n", now.body, note);
}

/* The size of a solve is printed before it, unless it is a matter of an
 * instant. */
static void show_size(int milliseconds) {
    if (milliseconds < QUIET_MS) return;
    progress_end();
    (void)fprintf(stderr, "%s: %d unknowns, about %d MB and %.*f s\n", now.body,
                  now.unknowns, now.megabytes, milliseconds < 10000 ? 1 : 0,
                  1e-3 * milliseconds);
}

static void show_coarse(int thousandths) {
    progress_end();
    (void)fprintf(stderr,
                  "%s: warning: smaller elements need more memory; modes may "
                  "be off by %.1f %% (--memory)\n",
                  now.body, 0.1 * thousandths);
}

void solving_show(void *user, const char *body, const char *stage, int done,
                  int expected) {
    (void)user;
    begin_body(body);
    now.was_cached = strcmp(stage, "cached") == 0;
    if (strcmp(stage, "size") == 0) {
        now.unknowns = done;
        now.megabytes = expected;
    } else if (strcmp(stage, "time") == 0) {
        show_size(done);
    } else if (strcmp(stage, "coarse") == 0) {
        show_coarse(done);
    }
    int index = stage_of(stage);
    if (index < 0 || sb_clock_s() - now.began_s < QUIET_S) return;
    char note[64];
    double fraction = 0.0;
    if (expected > 0) {
        fraction = done < expected ? (double)done / expected : 1.0;
        (void)snprintf(note, sizeof note, "%s %d of %d", stage, done, expected);
    } else if (done > 0) {
        (void)snprintf(note, sizeof note, "%s, %d found", stage, done);
    } else {
        (void)snprintf(note, sizeof note, "%s", stage);
    }
    if (terminal_is_live()) {
        draw(index, fraction, note);
    } else {
        write_line(index, fraction, note);
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
