/* SPDX-License-Identifier: MIT */
#include "bindings/cli/prompt/line_editor.h"

#include "bindings/cli/console/terminal.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

/* --- keys -----------------------------------------------------------------

   Arrow keys and letters beyond ASCII arrive as several bytes, possibly with
   delays, and a lone Escape looks like the beginning of an arrow key. A key is
   complete when no further byte can belong to it. */

enum { KEY_QUEUE_SIZE = 4096 };

typedef struct key_queue {
    char bytes[KEY_QUEUE_SIZE];
    int count;
    long long came_ns; /* arrival of the last byte */
} key_queue;

typedef enum key_state { KEYS_NONE, KEYS_CAME, KEYS_GONE } key_state;

/* Longest delay between the bytes of one key. */
#define PATIENCE_NS 50000000LL

enum { ESCAPE = 27 };

/* Read the available bytes without waiting. */
static key_state keys_read(key_queue *keys, int descriptor, long long now_ns) {
    struct pollfd wait = {.fd = descriptor, .events = POLLIN};
    int room = KEY_QUEUE_SIZE - keys->count - 1; /* one for keys_put_first */
    if (room <= 0 || poll(&wait, 1, 0) <= 0) return KEYS_NONE;
    ssize_t count = read(descriptor, keys->bytes + keys->count, (size_t)room);
    if (count == 0 || (count < 0 && (wait.revents & (POLLHUP | POLLERR))))
        return KEYS_GONE;
    if (count < 0) return KEYS_NONE;
    keys->count += (int)count;
    keys->came_ns = now_ns;
    return KEYS_CAME;
}

static void drop(key_queue *keys, int count) {
    keys->count -= count;
    memmove(keys->bytes, keys->bytes + count, (size_t)keys->count);
}

/* A byte, or -1. */
static int keys_first(const key_queue *keys) {
    return keys->count ? (unsigned char)keys->bytes[0] : -1;
}

static void keys_put_first(key_queue *keys, char byte) {
    memmove(keys->bytes + 1, keys->bytes, (size_t)keys->count);
    keys->bytes[0] = byte;
    keys->count++;
}

/* How long is the key at the head? 0: not all of it is there. */
static int length_of_utf8(const key_queue *keys) {
    unsigned char first = (unsigned char)keys->bytes[0];
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return length <= keys->count ? length : 0;
}

/* ESC [ ... letter, ESC O letter, ESC letter. */
static int length_of_sequence(const key_queue *keys) {
    if (keys->count < 2) return 0;
    if (keys->bytes[1] == 'O') return keys->count >= 3 ? 3 : 0;
    if (keys->bytes[1] != '[') return 2;
    for (int i = 2; i < keys->count; i++)
        if (keys->bytes[i] >= '@' && keys->bytes[i] <= '~') return i + 1;
    return 0;
}

static const char *const bindings[][2] = {
    {"\t", "sandbell-complete"},
    {"\\036", "sandbell-redraw"},
    {"^D", "ed-delete-next-char"},
    /* These commands would block inside libedit, waiting for keys. */
    {"^R", "ed-search-prev-history"},
    {"^S", "ed-search-next-history"},
    {"^V", "ed-ignore"},
    {"^Q", "ed-ignore"},
    {"\\e[A", "ed-prev-history"},
    {"\\e[B", "ed-next-history"},
    {"\\e[C", "ed-next-char"},
    {"\\e[D", "ed-prev-char"},
    {"\\eOA", "ed-prev-history"},
    {"\\eOB", "ed-next-history"},
    {"\\eOC", "ed-next-char"},
    {"\\eOD", "ed-prev-char"},
    {"\\e[H", "ed-move-to-beg"},
    {"\\e[F", "ed-move-to-end"},
    {"\\eOH", "ed-move-to-beg"},
    {"\\eOF", "ed-move-to-end"},
    {"\\e[1~", "ed-move-to-beg"},
    {"\\e[4~", "ed-move-to-end"},
    {"\\e[3~", "ed-delete-next-char"},
    {"\\e[1;5C", "em-next-word"},
    {"\\e[1;5D", "ed-prev-word"},
};
enum { BINDING_COUNT = sizeof bindings / sizeof *bindings };

/* A sequence that is bound; libedit would insert others as text. */
static bool is_known(const char *bytes, int length) {
    if (length == 2) return true; /* Meta and a letter */
    for (int i = 0; i < BINDING_COUNT; i++) {
        const char *name = bindings[i][0]; /* begins with \\e */
        if (strncmp(name, "\\e", 2) == 0 &&
            (int)strlen(name + 2) == length - 1 &&
            memcmp(name + 2, bytes + 1, (size_t)length - 1) == 0)
            return true;
    }
    return false;
}

/* True if the queue starts with a complete key. Drops a lone Escape and unbound
 * keys. */
static bool keys_is_whole(key_queue *keys, long long now_ns) {
    while (keys->count > 0) {
        if (keys->bytes[0] == '\0') {
            drop(keys, 1);
            continue;
        }
        bool is_sequence = keys->bytes[0] == ESCAPE;
        int length =
            is_sequence ? length_of_sequence(keys) : length_of_utf8(keys);
        if (length > 0 && (!is_sequence || is_known(keys->bytes, length)))
            return true;
        if (length == 0 && now_ns - keys->came_ns < PATIENCE_NS) return false;
        drop(keys, length > 0 ? length : 1);
    }
    return false;
}

/* Remove one character, decoded in the thread's locale. */
static bool keys_take(key_queue *keys, wchar_t *out) {
    if (keys->count == 0) return false;
    mbstate_t state = {0};
    size_t length = mbrtowc(out, keys->bytes, (size_t)keys->count, &state);
    if (length == 0 || length > (size_t)keys->count) {
        *out = L'?'; /* invalid in this locale */
        length = 1;
    }
    drop(keys, (int)length);
    return true;
}

/* --- the editor ----------------------------------------------------------- */

/* KEY_REDRAW is an unused key that is fed to libedit to make it redraw. libedit
 * redraws only at the end of a command, and only what has changed. */
enum { KEY_REDRAW = 0x1e, LINE_SIZE = 4096, BANNER_SIZE = 512 };

struct line_editor {
    line_editor_def def;
    EditLine *edit;
    History *history;
    FILE *out; /* standard error, buffered */
    locale_t locale, outer;
    int depth; /* nesting depth of enter() */
    key_queue keys;
    long long last_key_ns;
    bool is_hidden;
    bool is_ending; /* Enter is being fed */
    char banner[BANNER_SIZE];
    char prompt[BANNER_SIZE + 1024]; /* enough for wide windows */
    char line[LINE_SIZE];
    wchar_t kept[LINE_SIZE]; /* typed text while hidden */
    int kept_cursor;
    const char *list; /* completions to show */
};

/* Switch to the terminal's locale, in this file only: scripts must always run
 * in the same locale. */
static void enter(line_editor *self) {
    if (self->depth++ == 0) self->outer = uselocale(self->locale);
}

static void leave(line_editor *self) {
    if (--self->depth == 0) (void)uselocale(self->outer);
}

static line_editor *of(EditLine *edit) {
    void *self = NULL;
    (void)el_get(edit, EL_CLIENTDATA, &self);
    return self;
}

bool line_editor_is_possible(void) {
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) &&
           tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* --- what libedit asks ---------------------------------------------------- */

/* Columns that the text takes; text between \001 and \001 takes none. */
static int width_of(const char *text) {
    mbstate_t state = {0};
    bool is_counted = true;
    int width = 0;
    while (*text) {
        wchar_t c;
        size_t length = mbrtowc(&c, text, strlen(text), &state);
        if (length == 0 || length > strlen(text)) return width;
        if (c == L'\001') is_counted = !is_counted;
        if (is_counted && wcwidth(c) > 0) width += wcwidth(c);
        text += length;
    }
    return width;
}

/* libedit allows no newline in a prompt: pad the banner to a full row. */
static char *prompt_of(EditLine *edit) {
    line_editor *self = of(edit);
    self->prompt[0] = '\0';
    if (self->is_hidden) return self->prompt;
    bool has_banner = *self->banner && !self->is_ending;
    int rest = line_editor_columns(self) - width_of(self->banner);
    const char *text = self->def.prompt(self->def.user);
    if (has_banner && rest >= 0) {
        (void)snprintf(self->prompt, sizeof self->prompt, "%s%*s%s",
                       self->banner, rest, "", text);
    } else {
        (void)snprintf(self->prompt, sizeof self->prompt, "%s", text);
    }
    return self->prompt;
}

static int next_character(EditLine *edit, wchar_t *out) {
    return keys_take(&of(edit)->keys, out) ? 1 : 0;
}

static unsigned char redraw(EditLine *edit, int key) {
    (void)edit;
    (void)key;
    return CC_REFRESH;
}

static unsigned char complete_word(EditLine *edit, int key) {
    (void)key;
    line_editor *self = of(edit);
    const LineInfo *info = el_line(edit);
    char before[LINE_SIZE], insert[256] = "";
    (void)snprintf(before, sizeof before, "%.*s",
                   (int)(info->cursor - info->buffer), info->buffer);
    if (!self->def.complete) return CC_NORM;
    self->def.complete(self->def.user, before, insert, sizeof insert,
                       &self->list);
    if (!*insert) return CC_NORM;
    return el_insertstr(edit, insert) ? CC_ERROR : CC_REFRESH;
}

/* --- opening -------------------------------------------------------------- */

static void bind_keys(EditLine *edit) {
    (void)el_set(edit, EL_EDITOR, "emacs");
    /* el_set would copy the names and never free them. */
    (void)el_wset(edit, EL_ADDFN, L"sandbell-complete", L"complete",
                  complete_word);
    (void)el_wset(edit, EL_ADDFN, L"sandbell-redraw", L"draw again", redraw);
    for (int i = 0; i < BINDING_COUNT; i++)
        (void)el_set(edit, EL_BIND, bindings[i][0], bindings[i][1], NULL);
}

static bool start_libedit(line_editor *self) {
    int copy = dup(STDERR_FILENO);
    self->out = copy < 0 ? NULL : fdopen(copy, "w");
    self->history = history_init();
    if (!self->out || !self->history) return false;
    HistEvent event;
    (void)history(self->history, &event, H_SETSIZE, 1000);
    (void)history(self->history, &event, H_SETUNIQUE, 1);
    self->edit = el_init("sandbell", stdin, self->out, self->out);
    if (!self->edit) return false;
    (void)el_set(self->edit, EL_CLIENTDATA, self);
    (void)el_set(self->edit, EL_PROMPT_ESC, prompt_of, '\001');
    (void)el_set(self->edit, EL_GETCFN, next_character);
    (void)el_set(self->edit, EL_HIST, history, self->history);
    bind_keys(self->edit);
    (void)el_set(self->edit, EL_UNBUFFERED, 1);
    return true;
}

sb_status line_editor_open(const line_editor_def *def, line_editor **out,
                           sb_error *err) {
    line_editor *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "prompt");
    self->def = *def;
    self->is_hidden = true;
    self->locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!self->locale) self->locale = newlocale(LC_CTYPE_MASK, "C", NULL);
    terminal_guard();
    enter(self);
    bool is_ready = start_libedit(self);
    leave(self);
    if (!is_ready) {
        line_editor_close(self);
        return sb_fail(err, SB_IO_ERROR, "the terminal cannot be used");
    }
    line_editor_show(self);
    *out = self;
    return SB_OK;
}

void line_editor_close(line_editor *self) {
    if (!self) return;
    enter(self);
    if (self->edit) {
        if (!self->is_hidden) line_editor_hide(self);
        (void)el_set(self->edit, EL_UNBUFFERED, 0);
        el_end(self->edit);
    }
    if (self->history) history_end(self->history);
    leave(self);
    if (self->out) (void)fclose(self->out);
    if (self->locale) freelocale(self->locale);
    terminal_restore();
    sb_free(self);
}

/* --- drawing -------------------------------------------------------------- */

/* Run one libedit command for the available keys. */
static const char *feed(line_editor *self, int *count) {
    *count = 0;
    return el_gets(self->edit, count);
}

static void draw(line_editor *self) {
    int count;
    keys_put_first(&self->keys, KEY_REDRAW);
    (void)feed(self, &count);
    (void)fflush(self->out);
}

void line_editor_hide(line_editor *self) {
    if (self->is_hidden) return;
    enter(self);
    const LineInfoW *info = el_wline(self->edit);
    int length = (int)(info->lastchar - info->buffer);
    if (length >= LINE_SIZE) length = LINE_SIZE - 1;
    self->kept_cursor = (int)(info->cursor - info->buffer);
    wmemcpy(self->kept, info->buffer, (size_t)length);
    self->kept[length] = L'\0';
    (void)el_cursor(self->edit, (int)(info->lastchar - info->cursor));
    el_deletestr(self->edit, length);
    self->is_hidden = true;
    draw(self);
    leave(self);
}

void line_editor_show(line_editor *self) {
    if (!self->is_hidden) return;
    enter(self);
    self->is_hidden = false;
    if (*self->kept) {
        (void)el_winsertstr(self->edit, self->kept);
        (void)el_cursor(self->edit,
                        self->kept_cursor - (int)wcslen(self->kept));
        self->kept[0] = L'\0';
    }
    draw(self);
    leave(self);
}

void line_editor_set_banner(line_editor *self, const char *text) {
    if (strcmp(self->banner, text) == 0) return;
    (void)snprintf(self->banner, sizeof self->banner, "%s", text);
    if (self->is_hidden) return;
    enter(self);
    draw(self);
    leave(self);
}

int line_editor_columns(const line_editor *self) {
    struct winsize size;
    if (ioctl(fileno(self->out), TIOCGWINSZ, &size) || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

bool line_editor_is_utf8(const line_editor *self) {
    return strcmp(nl_langinfo_l(CODESET, self->locale), "UTF-8") == 0;
}

/* --- what was typed ------------------------------------------------------- */

long long line_editor_last_key_ns(const line_editor *self) {
    return self->last_key_ns;
}

const char *line_editor_line(const line_editor *self) {
    return self->line;
}

const char *line_editor_typed(line_editor *self) {
    enter(self);
    const LineInfo *info = el_line(self->edit);
    (void)snprintf(self->line, sizeof self->line, "%.*s",
                   (int)(info->lastchar - info->buffer), info->buffer);
    leave(self);
    return self->line;
}

void line_editor_clear(line_editor *self) {
    line_editor_hide(self);
    self->kept[0] = L'\0';
    line_editor_show(self);
}

/* Leave the line without its banner on the screen. */
static void end_line(line_editor *self) {
    int count;
    self->is_ending = true;
    draw(self);
    const char *text = feed(self, &count);
    (void)snprintf(self->line, sizeof self->line, "%s", text ? text : "");
    self->line[strcspn(self->line, "\r\n")] = '\0';
    self->is_ending = false;
    self->is_hidden = true;
    /* Start a new line; nothing is drawn while hidden. */
    (void)el_set(self->edit, EL_UNBUFFERED, 0);
    (void)el_set(self->edit, EL_UNBUFFERED, 1);
    (void)fflush(self->out);
}

static void show_list(line_editor *self) {
    const char *list = self->list;
    self->list = NULL;
    line_editor_hide(self);
    (void)fputs(list, self->out);
    (void)fflush(self->out);
    line_editor_show(self);
}

static bool is_line_empty(line_editor *self) {
    const LineInfoW *info = el_wline(self->edit);
    return info->lastchar == info->buffer;
}

/* Handle the first key of the queue. */
static editor_event take_key(line_editor *self) {
    int count;
    switch (keys_first(&self->keys)) {
    case '\r':
    case '\n':
        end_line(self);
        return EDITOR_LINE;
    case 'D' - '@':
        if (is_line_empty(self)) return EDITOR_END;
        break;
    default:
        break;
    }
    (void)feed(self, &count);
    if (self->list) show_list(self);
    return EDITOR_NOTHING;
}

editor_event line_editor_poll(line_editor *self) {
    long long now_ns = sb_clock_ns();
    key_state state = keys_read(&self->keys, STDIN_FILENO, now_ns);
    if (state == KEYS_GONE) return EDITOR_END;
    if (state == KEYS_CAME) self->last_key_ns = now_ns;
    if (self->is_hidden) return EDITOR_NOTHING; /* keys wait until shown */
    if (terminal_was_disturbed()) {
        enter(self);
        el_resize(self->edit);
        draw(self);
        leave(self);
    }
    editor_event event = EDITOR_NOTHING;
    enter(self);
    while (event == EDITOR_NOTHING && keys_is_whole(&self->keys, now_ns))
        event = take_key(self);
    leave(self);
    return event;
}

void line_editor_remember(line_editor *self, const char *line) {
    HistEvent event;
    enter(self);
    if (*line) (void)history(self->history, &event, H_ENTER, line);
    leave(self);
}
