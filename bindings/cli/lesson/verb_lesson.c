/* bindings/cli/lesson/verb_lesson.c -- sandbell lessons and sandbell lesson:
 * lists the lessons; opens one in the studio, prints it, or copies it.
 * Thread: control. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/lesson/lesson_files.h"
#include "bindings/lesson/lesson_doc.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct lesson_options {
    const char *handout, *copy;
    bool is_text, is_for_students, is_for_teachers;
    double port, duration_s;
    bool opens_nothing, prints_url;
    const char *backend;
} lesson_options;

#define AT(field) offsetof(lesson_options, field)
const option_row lessons_rows[] = {
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};
const option_row lesson_rows[] = {
    {"--handout", NULL, OPTION_OUTPUT, AT(handout), 0, 0, "FILE.html",
     "write one page with formulas and pictures that prints well"},
    {"--student", NULL, OPTION_FLAG, AT(is_for_students), 0, 0, NULL,
     "leave the teacher's page out of the handout"},
    {"--copy", NULL, OPTION_FILE, AT(copy), 0, 0, "DIR",
     "make a folder of one's own, where answers are kept"},
    {"--text", NULL, OPTION_FLAG, AT(is_text), 0, 0, NULL,
     "print the text and draw the pictures, even if there is a display"},
    {"--teacher", NULL, OPTION_FLAG, AT(is_for_teachers), 0, 0, NULL,
     "print the text with the teacher's page"},
    {"--port", NULL, OPTION_NUMBER, AT(port), 1, 65535, "N",
     "port of the page; default that of the last time here"},
    {"--no-open", NULL, OPTION_FLAG, AT(opens_nothing), 0, 0, NULL,
     "do not open a browser"},
    {"--print-url", NULL, OPTION_FLAG, AT(prints_url), 0, 0, NULL,
     "print the address of the page, alone, to standard output"},
    {"--backend", NULL, OPTION_TEXT, AT(backend), 0, 0, "NAME",
     "sound system: pulseaudio, alsa, jack, ...; null is a silent clock"},
    {"--for", NULL, OPTION_NUMBER, AT(duration_s), 0.001, 1e7, "SECONDS",
     "stop after this time"},
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

/* Words of a command line: main functions take char *. */
static char word_backend[] = "--backend";
static char word_for[] = "--for";
static char word_no_open[] = "--no-open";
static char word_port[] = "--port";
static char word_print_url[] = "--print-url";
static char word_rate[] = "--rate";

int lessons_main(int argc, char **argv) {
    char nothing;
    sb_error err;
    int count = 0;
    if (!parse_options(&verb_lessons, argc, argv, &nothing, NULL, 0, 0))
        return EXIT_USAGE;
    lesson_files *list = sb_alloc(LESSONS_MOST, sizeof *list);
    if (!list || lessons_list(list, &count, &err)) {
        sb_free(list);
        return list ? fail_with(&err) : EXIT_ASSET;
    }
    int code = EXIT_OK;
    for (int i = 0; i < count; i++) {
        lesson_doc *doc;
        if (lesson_doc_read(list[i].text, &doc, &err)) {
            code = fail_with(&err);
            continue;
        }
        (void)printf("%s%s\n", list[i].number < 10 ? " " : "",
                     lesson_doc_title(doc));
        lesson_doc_free(doc);
    }
    sb_free(list);
    (void)fprintf(stderr, "sandbell lesson N opens one\n");
    return code;
}

/* The page, as sandbell studio serves it. */
static int open_page(const lesson_files *lesson,
                     const lesson_options *options) {
    char script[PATH_MAX], rate[32], port[32], seconds[32], backend[64];
    char *words[20] = {script};
    int count = 1;
    (void)snprintf(script, sizeof script, "%s", lesson->script);
    if (lesson->rate_hz > 0.0) {
        (void)snprintf(rate, sizeof rate, "%.17g", lesson->rate_hz);
        words[count++] = word_rate;
        words[count++] = rate;
    }
    if (options->port > 0.0) {
        (void)snprintf(port, sizeof port, "%.0f", options->port);
        words[count++] = word_port;
        words[count++] = port;
    }
    if (options->duration_s > 0.0) {
        (void)snprintf(seconds, sizeof seconds, "%.17g", options->duration_s);
        words[count++] = word_for;
        words[count++] = seconds;
    }
    if (options->backend) {
        (void)snprintf(backend, sizeof backend, "%s", options->backend);
        words[count++] = word_backend;
        words[count++] = backend;
    }
    if (options->opens_nothing) words[count++] = word_no_open;
    if (options->prints_url) words[count++] = word_print_url;
    return studio_main(count, words);
}

static int copy(const lesson_files *lesson, const char *folder) {
    sb_error err;
    if (lesson_copy(lesson, folder, &err)) return fail_with(&err);
    results_are_files();
    (void)printf("%s is a lesson of your own; answers are kept there\n"
                 "  sandbell lesson %s     opens it\n"
                 "  sandbell check %s      says what is right\n",
                 folder, folder, folder);
    return EXIT_OK;
}

static bool wants_page(const lesson_options *options) {
    bool has_display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    return !options->is_text && !options->is_for_teachers &&
           (has_display || options->prints_url || options->opens_nothing ||
            options->port > 0.0);
}

int lesson_main(int argc, char **argv) {
    lesson_options options = {0};
    const char *word;
    lesson_files lesson;
    lesson_doc *doc;
    sb_error err;
    if (!parse_options(&verb_lesson, argc, argv, &options, &word, 1, 1))
        return EXIT_USAGE;
    if (lesson_find(word, &lesson, &err)) {
        (void)fail_with(&err);
        return EXIT_USAGE;
    }
    if (options.copy) return copy(&lesson, options.copy);
    if (!options.handout && wants_page(&options))
        return open_page(&lesson, &options);
    if (lesson_doc_read(lesson.text, &doc, &err)) return fail_with(&err);
    int code = options.handout
                   ? lesson_handout(&lesson, doc, options.handout,
                                    options.is_for_students)
                   : lesson_print(&lesson, doc, options.is_for_teachers);
    lesson_doc_free(doc);
    return code;
}
