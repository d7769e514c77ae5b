/* SPDX-License-Identifier: MIT */
/* The prompt: takes lines from the terminal or a pipe, runs them in the scene
 * and prints the results; and shows the meter, level and load in one line:
 *
 *     -18.2 dBFS ██████████████░░░░░░  128 modes  cpu 3.2 %  0 missed
 *
 * Thread: control. */
#include "bindings/cli/prompt/prompt.h"

#include "bindings/cli/console/console.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/prompt/history_file.h"
#include "bindings/cli/prompt/line_editor.h"
#include "bindings/host/host.h"
#include "bindings/reference/complete.h"
#include "bindings/script/script.h"
#include "bindings/script/script_output.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- lines from standard input, without blocking --------------------------- */

/* Of longer lines, only the beginning is returned. */
enum { LINES_SIZE = 1 << 16 };

typedef struct lines {
    char bytes[LINES_SIZE];
    size_t start, end; /* bytes not yet returned */
    bool is_over;
    bool is_skipping; /* the rest of a line that was too long */
} lines;

static void read_more(lines *self) {
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    memmove(self->bytes, self->bytes + self->start, self->end - self->start);
    self->end -= self->start;
    self->start = 0;
    if (self->is_over || self->end + 1 >= LINES_SIZE ||
        poll(&wait, 1, 0) <= 0) {
        return;
    }
    ssize_t count =
        read(STDIN_FILENO, self->bytes + self->end, LINES_SIZE - 1 - self->end);
    if (count > 0) {
        self->end += (size_t)count;
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        self->is_over = true;
    }
}

/* Discard what is left of a line that was too long. */
static void skip(lines *self) {
    const char *rest = self->bytes + self->start;
    const char *newline = memchr(rest, '\n', self->end - self->start);
    self->start = newline ? (size_t)(newline - self->bytes) + 1 : self->end;
    self->is_skipping = !newline && !self->is_over;
}

/* Return the first line if it is complete. */
static char *take_line(lines *self) {
    if (self->is_skipping) skip(self);
    char *line = self->bytes + self->start;
    size_t length = self->end - self->start;
    char *newline = memchr(line, '\n', length);
    bool is_last = self->is_over && length > 0;
    if (!newline && !is_last && length + 1 < LINES_SIZE) return NULL;
    size_t taken = newline ? (size_t)(newline - line) + 1 : length;
    line[newline ? taken - 1 : taken] = '\0';
    self->is_skipping = !newline && !is_last;
    self->start += taken;
    /* Replace zero bytes, which would end the text. */
    for (size_t i = 0; i + 1 < taken; i++)
        if (line[i] == '\0') line[i] = '?';
    return line;
}

/* The next line, valid until the next call; NULL if none is complete yet. */
static const char *lines_next(lines *self) {
    char *line = take_line(self);
    if (!line) {
        read_more(self);
        line = take_line(self);
    }
    size_t length = line ? strlen(line) : 0;
    if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
    return line;
}

static bool lines_is_over(const lines *self) {
    return self->is_over && self->start == self->end;
}

/* --- the meter ------------------------------------------------------------ */

#define FLOOR_DB      -60.0
#define FALL_DB_PER_S 30.0 /* slow enough to read a strike */
#define QUIET         1e-3 /* -60 dBFS */

enum { CELLS = 20 };

typedef struct meter {
    double peak;                /* since it was last shown, full scale is 1 */
    double level_db;            /* displayed level, falls slowly */
    double quiet_s;             /* time since the level was above -60 dBFS */
    double busy_frames, frames; /* of the audio thread, when last shown */
    double share;
} meter;

typedef struct meter_look {
    int columns;
    bool is_utf8;
    bool has_colour; /* in \001 ... \001, for line_editor.h */
} meter_look;

/* Measure the frames that are played. */
static void meter_take(meter *self, const float *stereo, int frames,
                       double rate_hz) {
    double peak = 0.0;
    for (int i = 0; i < 2 * frames; i++)
        peak = fmax(peak, fabs((double)stereo[i]));
    self->peak = fmax(self->peak, peak);
    self->quiet_s = peak > QUIET ? 0.0 : self->quiet_s + frames / rate_hz;
}

static void fall(meter *self, double span_s) {
    self->level_db =
        fmax(decibels(self->peak), self->level_db - FALL_DB_PER_S * span_s);
    self->peak = 0.0;
}

/* Load since the meter was last shown, not since the start. */
static void weigh(meter *self, double share, double frames) {
    double busy = share * frames;
    if (frames > self->frames) {
        double now = (busy - self->busy_frames) / (frames - self->frames);
        self->share = fmin(fmax(now, 0.0), 9.99);
    }
    self->busy_frames = busy;
    self->frames = frames;
}

static void add(char *out, size_t size, const char *text) {
    size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s", text);
}

static void add_bar(const meter *self, const meter_look *look, char *out,
                    size_t size) {
    double part = (self->level_db - FLOOR_DB) / -FLOOR_DB;
    int full = (int)lround(fmin(fmax(part, 0.0), 1.0) * CELLS);
    const char *colour = self->level_db > -1.0    ? "\001\033[31m\001"
                         : self->level_db > -12.0 ? "\001\033[33m\001"
                                                  : "\001\033[32m\001";
    if (look->has_colour) add(out, size, colour);
    for (int i = 0; i < CELLS; i++) {
        const char *cell =
            look->is_utf8 ? (i < full ? "█" : "░") : (i < full ? "#" : ".");
        add(out, size, cell);
    }
    if (look->has_colour) add(out, size, "\001\033[0m\001");
}

/* Write the meter as text, `span_s` seconds after the last call. */
static void meter_show(meter *self, const sb_host *host, double span_s,
                       const meter_look *look, char *out, size_t size) {
    char text[160];
    script_output load = sb_host_read_output(host);
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(host));
    fall(self, span_s);
    weigh(self, load.share, (double)stats.frames);
    out[0] = '\0';
    if (self->level_db < -99.0) {
        add(out, size, "  -inf dBFS ");
    } else {
        (void)snprintf(text, sizeof text, "%6.1f dBFS ", self->level_db);
        add(out, size, text);
    }
    (void)snprintf(text, sizeof text, "%6d modes  cpu %4.1f %%  %lld missed",
                   stats.active_modes, self->share * 100.0, load.missed);
    /* In a narrow window the bar, or all of the text, is omitted. */
    int room = look->columns - 1 - (int)(strlen(out) + strlen(text));
    if (room >= CELLS) add_bar(self, look, out, size);
    if (room >= 0) {
        add(out, size, text);
    } else {
        out[0] = '\0';
    }
}

/* --- the prompt ----------------------------------------------------------- */

#define METER_S 0.1
/* Seconds after which a lone R on the line means reset and not the beginning
 * of a longer line. */
#define RESET_S 1.0
/* Seconds of silence that end a scene, as in a render: longer than one period
 * of the slowest beat. */
#define FADED_S 0.3

enum { CHUNK_SIZE = 1 << 16, LIST_SIZE = 8192 };

struct prompt {
    prompt_def def;
    line_editor *editor; /* or NULL: standard input is a pipe */
    lines pipe;
    history_file *history;
    terminal_tenant tenant;
    meter meter;
    double shown_s, rate_hz;
    char chunk[CHUNK_SIZE]; /* incomplete chunk, line by line */
    const char *line;       /* to be run in the next step, or NULL */
    bool is_over;
    int error_count;
    completions found;
    char list[LIST_SIZE];
};

/* --- what the editor asks ------------------------------------------------- */

static const char *prompt_text(void *user) {
    const prompt *self = user;
    return *self->chunk ? ">> " : "> ";
}

/* List the completions in columns as wide as the longest. */
static void list_words(prompt *self) {
    size_t width = 0, used = 0;
    const completions *found = &self->found;
    for (int i = 0; i < found->count; i++) {
        size_t length = strlen(found->words[i]);
        if (length > width) width = length;
    }
    size_t columns = (size_t)line_editor_columns(self->editor) / (width + 2);
    if (columns == 0) columns = 1;
    for (int i = 0; i < found->count && used + width + 4 < LIST_SIZE; i++) {
        bool is_last = ((size_t)i + 1) % columns == 0 || i + 1 == found->count;
        used += (size_t)snprintf(self->list + used, LIST_SIZE - used, "%-*s%s",
                                 is_last ? 0 : (int)width + 2, found->words[i],
                                 is_last ? "\n" : "");
    }
}

static void complete_line(void *user, const char *line, char *insert,
                          size_t size, const char **list) {
    prompt *self = user;
    char text[CHUNK_SIZE + 4096];
    (void)snprintf(text, sizeof text, "%s%s", self->chunk, line);
    complete(sb_host_script(self->def.host), text, &self->found);
    size_t typed = strlen(text) - self->found.start;
    size_t common = completions_common(&self->found);
    if (common > typed) {
        (void)snprintf(insert, size, "%.*s", (int)(common - typed),
                       self->found.words[0] + typed);
    } else if (self->found.count > 1) {
        list_words(self);
        *list = self->list;
    }
}

static void hide(void *user) {
    line_editor_hide(((prompt *)user)->editor);
}

static void show(void *user) {
    const prompt *self = user;
    /* Show the editor only after the line has run: its output comes first. */
    if (!self->line) line_editor_show(self->editor);
}

/* --- opening and closing -------------------------------------------------- */

static void remember(void *user, const char *line) {
    line_editor_remember(((prompt *)user)->editor, line);
}

static sb_status open_editor(prompt *self, sb_error *err) {
    line_editor_def def = {prompt_text, complete_line, self};
    sb_status status = line_editor_open(&def, &self->editor, err);
    if (status) return status;
    self->history = history_file_open(remember, self);
    self->tenant = (terminal_tenant){hide, show, self};
    terminal_set_tenant(&self->tenant);
    return SB_OK;
}

sb_status prompt_open(const prompt_def *def, prompt **out, sb_error *err) {
    bool is_live = line_editor_is_possible();
    *out = NULL;
    if (!is_live && !def->reads_pipe) return SB_OK;
    prompt *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "prompt");
    self->def = *def;
    self->meter.level_db = -200.0;
    self->rate_hz = sb_engine_sample_rate(sb_host_engine(def->host));
    sb_status status = is_live ? open_editor(self, err) : SB_OK;
    if (status) {
        prompt_close(self);
        return status;
    }
    *out = self;
    return SB_OK;
}

void prompt_close(prompt *self) {
    if (!self) return;
    keep_interrupts(false);
    terminal_set_tenant(NULL);
    line_editor_close(self->editor);
    history_file_close(self->history);
    sb_free(self);
}

/* --- between the steps ---------------------------------------------------- */

static void draw_meter(prompt *self) {
    double now_s = sb_clock_s(), span_s = now_s - self->shown_s;
    char text[400];
    if (!self->def.has_meter || span_s < METER_S) return;
    meter_look look = {.columns = line_editor_columns(self->editor),
                       .is_utf8 = line_editor_is_utf8(self->editor),
                       .has_colour = terminal_has_colour()};
    meter_show(&self->meter, self->def.host, span_s, &look, text, sizeof text);
    self->shown_s = now_s;
    line_editor_set_banner(self->editor, text);
}

static void load_again(prompt *self, bool is_reset) {
    if (!self->def.has_file && !is_reset) {
        report_line(NULL, "there is no file to load again; `reset` empties "
                          "the scene");
        return;
    }
    sb_host_request_reload(self->def.host, is_reset);
}

/* Ctrl-C discards the typed text, if there is any. */
static void handle_interrupt(prompt *self) {
    bool has_line = *self->chunk || *line_editor_typed(self->editor);
    keep_interrupts(has_line);
    if (!has_line || !take_interrupt()) return;
    self->chunk[0] = '\0';
    line_editor_clear(self->editor);
}

static void check_shift_r(prompt *self) {
    double age_s =
        sb_clock_s() - (double)line_editor_last_key_ns(self->editor) * 1e-9;
    if (age_s < RESET_S || *self->chunk ||
        strcmp(line_editor_typed(self->editor), "R") != 0) {
        return;
    }
    line_editor_clear(self->editor);
    load_again(self, true);
}

static void poll_editor(prompt *self) {
    switch (line_editor_poll(self->editor)) {
    case EDITOR_LINE:
        self->line = line_editor_line(self->editor);
        keep_interrupts(false); /* Ctrl-C now stops the script */
        return;
    case EDITOR_END:
        self->is_over = true;
        return;
    case EDITOR_NOTHING:
        break;
    }
    handle_interrupt(self);
    check_shift_r(self);
    draw_meter(self);
}

void prompt_poll(prompt *self) {
    if (!self || self->line || self->is_over) return;
    if (self->editor) {
        poll_editor(self);
        return;
    }
    self->line = lines_next(&self->pipe);
    if (!self->line && lines_is_over(&self->pipe)) {
        self->is_over = true;
        if (*self->chunk) self->line = ""; /* run it, to report the error */
    }
}

/* --- in a step ------------------------------------------------------------ */

/* True if the line is a command of the prompt and not Lua. */
static bool take_command(prompt *self, const char *line) {
    if (*self->chunk) return false;
    bool is_reload = strcmp(line, "r") == 0 || strcmp(line, "R") == 0;
    bool is_reset = strcmp(line, "RR") == 0 || strcmp(line, "reset") == 0;
    if (is_reload || is_reset) {
        load_again(self, is_reset);
    } else if (strcmp(line, "help") == 0 || strcmp(line, "?") == 0) {
        (void)fputs(PROMPT_HELP, stderr);
    } else if (strcmp(line, "exit") == 0 || strcmp(line, "quit") == 0) {
        self->is_over = true;
    } else {
        return false;
    }
    return true;
}

static void tell_error(prompt *self, const sb_error *err) {
    const char *red = terminal_has_colour() ? "\033[31m" : "";
    const char *plain = terminal_has_colour() ? "\033[0m" : "";
    if (err->status == SB_INTERRUPTED && self->editor) (void)take_interrupt();
    if (!self->editor) self->error_count++;
    (void)fputs(red, stderr);
    terminal_put(stderr, err->message);
    (void)fprintf(stderr, "%s\n", plain);
}

static void run_chunk(prompt *self) {
    char *result = NULL;
    bool is_incomplete = false;
    sb_error err;
    sb_status status = sb_host_evaluate(self->def.host, self->chunk, &result,
                                        &is_incomplete, &err);
    bool may_go_on = self->editor || !self->is_over;
    if (status && is_incomplete && may_go_on) return;
    if (status) {
        tell_error(self, &err);
    } else if (result) {
        print_line(NULL, result);
    }
    sb_free(result);
    self->chunk[0] = '\0';
}

static void run_line(prompt *self, const char *line) {
    size_t used = strlen(self->chunk);
    if (used + strlen(line) + 8 >= CHUNK_SIZE) {
        (void)fprintf(stderr, "that is too long for the prompt\n");
        if (!self->editor) self->error_count++;
        self->chunk[0] = '\0';
        return;
    }
    bool is_asked = used == 0 && *line == '='; /* like the prompt of Lua 5.2 */
    (void)snprintf(self->chunk + used, CHUNK_SIZE - used, "%s%s\n",
                   is_asked ? "return " : "", line + is_asked);
    run_chunk(self);
}

void prompt_step(prompt *self, double time_s) {
    if (!self || !self->line) return;
    const char *line = self->line + strspn(self->line, " \t");
    terminal_make_room();
    script_set_now(sb_host_script(self->def.host), time_s);
    if (*line || *self->chunk) {
        history_file_add(self->history, self->line);
        if (self->editor) line_editor_remember(self->editor, self->line);
        if (!take_command(self, line)) run_line(self, self->line);
    }
    self->line = NULL;
    terminal_give_back();
}

/* --- the rest ------------------------------------------------------------- */

void prompt_hear(prompt *self, const float *stereo, int frames) {
    if (self) meter_take(&self->meter, stereo, frames, self->rate_hz);
}

bool prompt_is_over(const prompt *self) {
    if (!self || !self->is_over || self->line) return false;
    if (self->editor) return true;
    return !self->def.stays && self->meter.quiet_s > FADED_S &&
           !sb_host_is_busy(self->def.host);
}

int prompt_error_count(const prompt *self) {
    return self ? self->error_count : 0;
}
