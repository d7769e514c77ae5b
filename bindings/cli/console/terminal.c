#include "bindings/cli/console/terminal.h"

#include "bindings/cli/console/cli.h"
#include "runtime/base/clock.h"
#include "runtime/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Shortest time between two drawings: faster is not visible and would flood a
 * slow connection. */
#define REDRAW_S 0.05

static bool bar_is_drawn;
static double last_drawn_s;
static int last_tenth = -1;

bool terminal_is_live(void) {
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

void print_to_stderr(void) {
    prints_to_stderr = true;
}
