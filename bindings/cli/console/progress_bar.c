/* Shows progress on standard error: a bar on a terminal, a line per 10 %
 * elsewhere.
 * Thread: control. */
#include "bindings/cli/console/progress_bar.h"

#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/host/host.h"
#include "runtime/base/clock.h"
#include "runtime/base/name.h"

#include <stdio.h>
#include <string.h>

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
    for (int i = 0; i < count; i++) {
        if (strcmp(stages[i].name, name) == 0) return i;
    }
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
    if (now.solve > 0) {
        (void)snprintf(solve, sizeof solve, "solve %d, ", now.solve + 1);
    }
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
