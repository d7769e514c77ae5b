/* Finds, copies and writes the files of lessons. Thread: control. */
#include "bindings/cli/lesson/lesson_files.h"

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

static int compare(const void *a, const void *b) {
    return strcmp(((const lesson_files *)a)->name,
                  ((const lesson_files *)b)->name);
}

static int list_folder(const char *folder, lesson_files list[LESSONS_MOST]) {
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    int count = 0;
    while (dir && count < LESSONS_MOST && (entry = readdir(dir)))
        count += take(folder, entry->d_name, &list[count]);
    if (dir) (void)closedir(dir);
    if (count > 1) qsort(list, (size_t)count, sizeof *list, compare);
    return count;
}

sb_status lessons_list(lesson_files list[LESSONS_MOST], int *count,
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

sb_status lesson_find(const char *word, lesson_files *out, sb_error *err) {
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

sb_status lesson_copy(const lesson_files *lesson, const char *folder,
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
