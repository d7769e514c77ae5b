/* SPDX-License-Identifier: MIT */
/* A lesson on a terminal: its text in lines, and its pictures as files, drawn by
 * the verbs render and modes. Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/lesson/lesson_files.h"
#include "bindings/lesson/formula.h"
#include "bindings/lesson/lesson.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 78 };

/* --- pictures ------------------------------------------------------------------- */

enum { WORDS_MOST = 20 };

/* What the verbs print is not part of a lesson. Returns their exit code. */
static int run_quietly(int (*verb)(int argc, char **argv), int argc,
                       char **argv) {
    (void)fflush(stdout);
    (void)fflush(stderr);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    int code = EXIT_ASSET;
    if (nowhere >= 0 && out >= 0 && report >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        code = verb(argc, argv);
        (void)fflush(stdout);
        (void)fflush(stderr);
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(report, STDERR_FILENO);
    }
    if (nowhere >= 0) (void)close(nowhere);
    if (out >= 0) (void)close(out);
    if (report >= 0) (void)close(report);
    return code;
}

/* Words of a command line: main functions take char *. */
static char duration[] = "--duration", o[] = "-o", press[] = "--press",
            rate_word[] = "--rate", set[] = "--set",
            spectrogram[] = "--spectrogram", body_word[] = "--body",
            plot[] = "--plot", shorter[] = "3", longer[] = "6.5";

static bool draw_sound(const lesson_files *lesson, char *action, char *png) {
    char wav[PATH_MAX + 8], rate[32], script[PATH_MAX];
    char *setting = strchr(action, ',');
    if (setting) *setting++ = '\0';
    (void)snprintf(wav, sizeof wav, "%s.wav", png);
    (void)snprintf(rate, sizeof rate, "%g",
                   lesson->rate_hz > 0.0 ? lesson->rate_hz : 48000.0);
    (void)snprintf(script, sizeof script, "%s", lesson->script);
    char *words[WORDS_MOST] = {script,    o,        wav,
                               rate_word, rate,     spectrogram,
                               png,       duration, *action ? longer : shorter};
    int count = 9;
    if (*action) {
        words[count++] = press;
        words[count++] = action;
    }
    if (setting) {
        words[count++] = set;
        words[count++] = setting;
    }
    int code = run_quietly(render_main, count, words);
    (void)unlink(wav);
    return code == EXIT_OK;
}

static bool draw_modes(const lesson_files *lesson, char *body, char *png) {
    char script[PATH_MAX];
    (void)snprintf(script, sizeof script, "%s", lesson->script);
    char *words[] = {script, body_word, body, plot, png};
    return run_quietly(modes_main, 5, words) == EXIT_OK;
}

bool lesson_draw(const lesson_files *lesson, const char *source,
                 const char *png, char message[200]) {
    char rest[200], path[PATH_MAX];
    const char *slash = strchr(source, '/');
    size_t length = slash ? (size_t)(slash - source) : strlen(source);
    (void)snprintf(rest, sizeof rest, "%s", slash ? slash + 1 : "");
    (void)snprintf(path, sizeof path, "%s", png);
    bool is_drawn = false;
    if (length == 11 && strncmp(source, "spectrogram", length) == 0) {
        is_drawn = draw_sound(lesson, rest, path);
    } else if (length == 5 && strncmp(source, "modes", length) == 0) {
        is_drawn = draw_modes(lesson, rest, path);
    }
    if (!is_drawn)
        (void)snprintf(message, 200, "the picture '%.100s' was not drawn",
                       source);
    return is_drawn;
}

/* --- text ----------------------------------------------------------------------- */

char *lesson_plain_text(const char *text) {
    char *out = NULL;
    size_t size;
    FILE *stream = open_memstream(&out, &size);
    lesson_span span;
    if (!stream) return NULL;
    while (lesson_next_span(&text, &span)) {
        char piece[2000];
        (void)snprintf(piece, sizeof piece, "%.*s", span.count, span.text);
        if (span.kind == SPAN_MATH) {
            formula_text(stream, piece);
        } else {
            (void)fputs(piece, stream);
        }
    }
    (void)fclose(stream);
    return out;
}

/* Characters, not bytes. */
static int width_of(const char *text, size_t bytes) {
    int width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

static void print_filled(const char *first, const char *text) {
    int indent = width_of(first, strlen(first)), at = indent;
    (void)fputs(first, stdout);
    for (const char *word = text; *word;) {
        size_t bytes = strcspn(word, " ");
        int width = width_of(word, bytes);
        if (at + width + 1 > WIDTH && at > indent) {
            (void)printf("\n%*s", indent, "");
            at = indent;
        }
        (void)printf("%s%.*s", at > indent ? " " : "", (int)bytes, word);
        at += width + (at > indent);
        word += bytes;
        while (*word == ' ')
            word++;
    }
    (void)putchar('\n');
}

/* As many words as fit into `width`, at least one, and blanks up to it if
 * something follows. */
static void print_piece(const char **text, int width, bool is_filled) {
    int at = 0;
    while (**text) {
        size_t bytes = strcspn(*text, " ");
        int wide = width_of(*text, bytes);
        if (at > 0 && at + 1 + wide > width) break;
        (void)printf("%s%.*s", at > 0 ? " " : "", (int)bytes, *text);
        at += wide + (at > 0);
        *text += bytes + strspn(*text + bytes, " ");
    }
    (void)printf("%*s", is_filled && at < width ? width - at : 0, "");
}

/* Columns of one width; a cell takes as many lines as it needs. */
static void print_cells(const char *row, bool is_head) {
    enum { MOST_CELLS = 8 };
    char *cells[MOST_CELLS], cell[LESSON_CELL_SIZE];
    const char *left[MOST_CELLS];
    int count = 0;
    while (count < MOST_CELLS && lesson_next_cell(&row, cell)) {
        cells[count] = lesson_plain_text(cell);
        left[count] = cells[count] ? cells[count] : "";
        count++;
    }
    int width = (WIDTH - 4) / (count > 3 ? count : 3) - 1;
    for (bool has_more = true; has_more;) {
        has_more = false;
        (void)printf("   ");
        for (int i = 0; i < count; i++) {
            (void)putchar(' ');
            print_piece(&left[i], width, i + 1 < count);
            has_more = has_more || *left[i];
        }
        (void)putchar('\n');
    }
    for (int i = 0; i < count; i++)
        free(cells[i]); /* allocated by open_memstream */
    if (is_head)
        (void)printf("    %.*s\n", WIDTH - 8,
                     "------------------------------------------------"
                     "------------------------------------------");
}

static void print_formula(const char *tex) {
    (void)fputs("        ", stdout);
    formula_text(stdout, tex);
    (void)putchar('\n');
}

static void print_picture(const lesson_files *lesson, const lesson_part *part,
                          int number) {
    char png[LESSON_NAME_SIZE + 32], message[200];
    (void)snprintf(png, sizeof png, "%s_%d.png", lesson->name, number);
    if (lesson_draw(lesson, part->source, png, message)) {
        (void)printf("  [%s: %s]\n", png, part->text);
    } else {
        (void)printf("  [%s]\n", part->text);
        (void)fprintf(stderr, "sandbell lesson: %s\n", message);
    }
}

int lesson_print(const lesson_files *lesson, const lesson_doc *doc,
                 bool is_for_teachers) {
    static const char *const heads[LESSON_KINDS] = {
        [LESSON_PRESS] = "  press    ",
        [LESSON_TURN] = "  turn     ",
        [LESSON_PREDICT] = "  predict  ",
        [LESSON_TASK] = "  task     ",
        [LESSON_ANSWER] = "  answer   "};
    int pictures = 0;
    for (int i = 0; i < lesson_doc_count(doc); i++) {
        const lesson_part *part = lesson_doc_at(doc, i);
        if (part->kind == LESSON_LIST) continue; /* for the page */
        if (part->is_for_teacher && !is_for_teachers) continue;
        bool is_row = part->kind == LESSON_ROW && !part->is_first;
        if (i > 0 && !is_row) (void)putchar('\n');
        char *text = lesson_plain_text(part->text);
        if (!text) return EXIT_ASSET;
        if (part->kind == LESSON_ROW) {
            print_cells(part->text, part->is_first);
        } else if (part->kind == LESSON_FORMULA) {
            print_formula(part->text);
        } else if (part->kind == LESSON_PICTURE) {
            print_picture(lesson, part, ++pictures);
        } else {
            char head[80] = "";
            if (heads[part->kind])
                (void)snprintf(head, sizeof head, "%s%.40s%s",
                               heads[part->kind],
                               part->kind == LESSON_TURN ? part->name : "",
                               part->kind == LESSON_TURN ? ": " : "");
            print_filled(head, text);
            if (part->kind == LESSON_TITLE || part->kind == LESSON_HEADING)
                (void)printf("%.*s\n", width_of(text, strlen(text)),
                             "================================================"
                             "==============================");
        }
        free(text); /* allocated by open_memstream */
    }
    (void)printf("\nWith a browser: sandbell lesson %d --print-url\n",
                 lesson->number);
    if (!is_for_teachers)
        (void)printf("For teachers:   sandbell lesson %d --teacher\n",
                     lesson->number);
    return EXIT_OK;
}
