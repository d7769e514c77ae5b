/* SPDX-License-Identifier: MIT */
/* bindings/cli/lesson/verb_lesson.c -- sandbell lessons and sandbell lesson:
 * lists the lessons; opens one in the studio, prints it, or copies it.
 * Thread: control. */
#include "bindings/cli/console/console.h"

#include "bindings/cli/lesson/lesson_files.h"
#include "bindings/lesson/lesson.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/base/self_path.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* --- the files of lessons ----------------------------------------------------- */

enum { FILE_MOST = 64 << 20 };

double lesson_rate(const char *path) {
    FILE *file = NULL;
    char line[200];
    double rate = 0.0;
    if (sb_in_file_open(path, FILE_MOST, &file, NULL)) return 0.0;
    while (rate == 0.0 && fgets(line, sizeof line, file)) {
        if (strncmp(line, "--", 2) != 0) break;
        if (strncmp(line, "-- rate: ", 9) == 0) rate = strtod(line + 9, NULL);
    }
    (void)fclose(file);
    return rate >= 8000.0 && rate <= 384000.0 ? rate : 0.0;
}

/* Is it NN_name.md with its script beside it? */
static bool take(const char *folder, const char *file, lesson_files *out) {
    size_t length = strlen(file);
    if (length < 7 || length - 3 >= sizeof out->name ||
        strcmp(file + length - 3, ".md") != 0 ||
        !isdigit((unsigned char)file[0]) || !isdigit((unsigned char)file[1]) ||
        file[2] != '_') {
        return false;
    }
    *out = (lesson_files){.number = 10 * (file[0] - '0') + (file[1] - '0')};
    (void)snprintf(out->name, sizeof out->name, "%.*s", (int)length - 3, file);
    (void)snprintf(out->text, sizeof out->text, "%.3000s/%s", folder, file);
    (void)snprintf(out->script, sizeof out->script, "%.3000s/%s.lua", folder,
                   out->name);
    if (access(out->script, R_OK) != 0) return false;
    out->rate_hz = lesson_rate(out->script);
    return true;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int list_folder(const char *folder, lesson_files list[LESSONS_MOST]) {
    struct dirent **files = NULL;
    int count = 0, file_count = scandir(folder, &files, NULL, by_name);
    for (int i = 0; i < file_count; i++) {
        if (count < LESSONS_MOST)
            count += take(folder, files[i]->d_name, &list[count]);
        free(files[i]); /* allocated by scandir */
    }
    free(files);
    return count;
}

/* All shipped lessons in their order. */
static sb_status lessons_list(lesson_files list[LESSONS_MOST], int *count,
                              sb_error *err) {
    char library[PATH_MAX], folder[PATH_MAX + 32];
    *count = 0;
    if (!sb_self_find(SB_SELF_LIBRARY, library, sizeof library))
        return sb_fail(err, SB_NOT_FOUND,
                       "the program's data are not to be found");
    (void)snprintf(folder, sizeof folder, "%s/scripts/lessons", library);
    *count = list_folder(folder, list);
    if (*count > 0) return SB_OK;
    return sb_fail(err, SB_NOT_FOUND, "%.300s: there are no lessons", folder);
}

static sb_status choose(const char *name, int number, lesson_files *out,
                        sb_error *err) {
    lesson_files *list = sb_alloc(LESSONS_MOST, sizeof *list);
    int count = 0;
    if (!list) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    sb_status status = lessons_list(list, &count, err);
    bool is_found = false;
    for (int i = 0; i < count && !is_found; i++) {
        is_found =
            name ? strcmp(list[i].name, name) == 0 : list[i].number == number;
        if (is_found) *out = list[i];
    }
    sb_free(list);
    if (status || is_found) return status;
    if (name)
        return sb_fail(err, SB_NOT_FOUND, "there is no lesson '%.80s'", name);
    return sb_fail(err, SB_NOT_FOUND,
                   "there is no lesson %d; `sandbell lessons` lists them",
                   number);
}

sb_status lesson_named(const char *name, lesson_files *out, sb_error *err) {
    return choose(name, 0, out, err);
}

/* The lesson of that number, or the one in a folder. */
static sb_status lesson_find(const char *word, lesson_files *out,
                             sb_error *err) {
    char *rest;
    long number = strtol(word, &rest, 10);
    struct stat facts;
    if (*word && !*rest && number >= 0 && number <= LESSONS_MOST)
        return choose(NULL, (int)number, out, err);
    if (stat(word, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return sb_fail(err, SB_NOT_FOUND,
                       "'%.200s' is neither the number of a lesson nor a "
                       "folder that `sandbell lesson N --copy` made",
                       word);
    lesson_files *list = sb_alloc(LESSONS_MOST, sizeof *list);
    if (!list) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    int count = list_folder(word, list);
    if (count > 0) *out = list[0];
    sb_free(list);
    if (count > 0) return SB_OK;
    return sb_fail(err, SB_NOT_FOUND, "%.300s holds no lesson", word);
}

char *lesson_read(const char *path, size_t *count) {
    char *text = NULL;
    return sb_in_file_read(path, FILE_MOST, &text, count, NULL) ? NULL : text;
}

static sb_status copy_file(const char *from, const char *folder,
                           const char *name, const char *suffix,
                           sb_error *err) {
    char file[200];
    size_t count = 0;
    char *text;
    sb_status status = sb_in_file_read(from, FILE_MOST, &text, &count, err);
    if (status) return status;
    (void)snprintf(file, sizeof file, "%.150s%s", name, suffix);
    status = sb_out_file_put_in(folder, file, text, count, err);
    sb_free(text);
    return status;
}

/* Copy it into a new folder, with an empty answers.json. */
static sb_status lesson_copy(const lesson_files *lesson, const char *folder,
                             sb_error *err) {
    char text[300];
    if (strlen(folder) > 3000)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the name of the folder is too "
                       "long");
    bool is_made = mkdir(folder, 0777) == 0;
    if (!is_made && errno == EEXIST)
        return sb_fail(err, SB_IO_ERROR,
                       "%.200s is there already: open it with `sandbell lesson "
                       "%.200s`, or choose another name",
                       folder, folder);
    if (!is_made)
        return sb_fail(err, SB_IO_ERROR, "%.400s: cannot be made: %s", folder,
                       strerror(errno));
    sb_status status =
        copy_file(lesson->script, folder, lesson->name, ".lua", err);
    if (!status)
        status = copy_file(lesson->text, folder, lesson->name, ".md", err);
    int length = snprintf(text, sizeof text,
                          "{\n\t\"sandbell\": \"answers\",\n"
                          "\t\"version\": 1,\n\t\"lesson\": \"%s\",\n"
                          "\t\"answers\": {},\n\t\"predictions\": {},\n"
                          "\t\"sessions\": []\n}\n",
                          lesson->name);
    if (!status)
        status = sb_out_file_put_in(folder, "answers.json", text,
                                    (size_t)length, err);
    return status;
}

/* --- the verbs ------------------------------------------------------------------ */

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

/* The page, as sandbell studio serves it. Main functions take char *. */
static int open_page(const lesson_files *lesson,
                     const lesson_options *options) {
    static char rate[] = "--rate", port[] = "--port", seconds[] = "--for",
                backend_word[] = "--backend", no_open[] = "--no-open",
                print_url[] = "--print-url";
    const struct {
        char *word;
        double value; /* 0: the default */
    } numbers[] = {{rate, lesson->rate_hz},
                   {port, options->port},
                   {seconds, options->duration_s}};
    char script[PATH_MAX], values[3][32], backend[64];
    char *words[20] = {script};
    int count = 1;
    (void)snprintf(script, sizeof script, "%s", lesson->script);
    for (int i = 0; i < 3; i++) {
        if (!(numbers[i].value > 0.0)) continue;
        (void)snprintf(values[i], sizeof values[i], "%.17g", numbers[i].value);
        words[count++] = numbers[i].word;
        words[count++] = values[i];
    }
    if (options->backend) {
        (void)snprintf(backend, sizeof backend, "%s", options->backend);
        words[count++] = backend_word;
        words[count++] = backend;
    }
    if (options->opens_nothing) words[count++] = no_open;
    if (options->prints_url) words[count++] = print_url;
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
