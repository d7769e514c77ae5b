/* SPDX-License-Identifier: MIT */
/* bench first_sound: how long each scene of the gallery takes from its start to
 * its first sample.
 *
 * Each scene is rendered for 20 ms by a process of its own with an empty cache,
 * so that every body is solved. The table has seconds by the clock, seconds of
 * processor time, and the unknowns of the largest solve that was announced.
 * Thread: control; caches are in a temporary folder. */
#include "bindings/cli/console/terminal.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a user is willing to wait, and how much of a scene is rendered. */
#define LONGEST_S  5.0
#define RENDERED_S "0.02"

enum { SCENES_MOST = 256, NAME_SIZE = 64, LINE_SIZE = 512, WAIT_MS = 20 };

typedef struct row {
    char name[NAME_SIZE];
    double clock_s, processor_s;
    int unknowns; /* of the largest solve; 0: none was announced */
    int code;     /* of the process; 0 is success */
} row;

typedef struct bench {
    char scenes[PATH_MAX], program[PATH_MAX];
    char folder[BENCH_PATH]; /* temporary: caches, sound, messages */
    row rows[SCENES_MOST];
    int count;
} bench;

/* --- files ---------------------------------------------------------------- */

static int by_name(const void *left, const void *right) {
    return strcmp(((const row *)left)->name, ((const row *)right)->name);
}

/* The scenes in a folder; `below` is its name in front of theirs. */
static sb_status list_folder(bench *self, const char *below, sb_error *err) {
    static const char ending[] = ".lua";
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/%s", self->scenes, below);
    DIR *folder = opendir(path);
    if (!folder) {
        return sb_fail(err, SB_IO_ERROR, "%.200s: no scenes there", path);
    }
    for (struct dirent *entry = readdir(folder); entry;
         entry = readdir(folder)) {
        size_t length = strlen(entry->d_name), tail = sizeof ending - 1;
        if (length <= tail || strlen(below) + length - tail >= NAME_SIZE ||
            self->count == SCENES_MOST ||
            strcmp(entry->d_name + length - tail, ending) != 0)
            continue;
        row *to = &self->rows[self->count++];
        (void)snprintf(to->name, sizeof to->name, "%s%.*s", below,
                       (int)(length - tail), entry->d_name);
    }
    (void)closedir(folder);
    return SB_OK;
}

/* A library of somebody's own may have no lessons. */
static bool folder_is_there(const bench *self, const char *name) {
    char path[PATH_MAX + 16];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/%s", self->scenes, name);
    return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static sb_status list_scenes(bench *self, sb_error *err) {
    sb_status status = list_folder(self, "", err);
    if (!status && folder_is_there(self, "lessons"))
        status = list_folder(self, "lessons/", err);
    qsort(self->rows, (size_t)self->count, sizeof *self->rows, by_name);
    return status;
}

static bool find_scenes(bench *self) {
    char library[PATH_MAX];
    if (!sb_self_find(SB_SELF_LIBRARY, library, sizeof library)) return false;
    int length =
        snprintf(self->scenes, sizeof self->scenes, "%s/scripts", library);
    return length > 0 && length < (int)sizeof self->scenes;
}

static sb_status find_places(bench *self, sb_error *err) {
    if (!find_scenes(self) ||
        !sb_self_path("sandbell", self->program, sizeof self->program)) {
        return sb_fail(err, SB_IO_ERROR, "the scenes are not to be found");
    }
    return folder_make(self->folder, err);
}

/* --- one scene ------------------------------------------------------------ */

/* "NAME: 22815 unknowns, about 198 MB and 1.5 s" */
static int most_unknowns(const char *path) {
    char line[LINE_SIZE];
    int most = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *word = strstr(line, " unknowns, about");
        const char *at = word;
        while (at && at > line && at[-1] >= '0' && at[-1] <= '9')
            at--;
        int count = at < word ? (int)strtol(at, NULL, 10) : 0;
        if (count > most) most = count;
    }
    if (file) (void)fclose(file);
    return most;
}

static int start(const bench *self, const char *scene, const char *messages,
                 pid_t *pid) {
    char sound[PATH_MAX + 16];
    (void)snprintf(sound, sizeof sound, "%s/sound.wav", self->folder);
    const char *const arguments[] = {self->program, "render",   scene,
                                     "--duration",  RENDERED_S, "-o",
                                     sound,         NULL};
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO,
                                            "/dev/null", O_WRONLY, 0);
    if (!code) {
        code = posix_spawn_file_actions_addopen(
            &actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC,
            0600);
    }
    if (!code) {
        code = posix_spawn(pid, self->program, &actions, NULL,
                           (char *const *)(uintptr_t)arguments, environ);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Waits for the process; Ctrl-C ends it. */
static sb_status await(pid_t pid, row *out, double began_s, sb_error *err) {
    int state = 0;
    struct rusage usage;
    while (wait4(pid, &state, WNOHANG, &usage) == 0) {
        if (must_stop_now(NULL)) {
            (void)kill(pid, SIGKILL);
            (void)waitpid(pid, &state, 0);
            return sb_fail(err, SB_INTERRUPTED,
                           "bench first_sound: interrupted");
        }
        (void)usleep(WAIT_MS * 1000);
    }
    out->clock_s = sb_clock_s() - began_s;
    out->processor_s =
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    out->code = WIFEXITED(state) ? WEXITSTATUS(state) : 128;
    return SB_OK;
}

static sb_status measure_one(bench *self, row *out, sb_error *err) {
    char scene[PATH_MAX + NAME_SIZE + 8], messages[PATH_MAX + 16];
    (void)snprintf(scene, sizeof scene, "%s/%s.lua", self->scenes, out->name);
    (void)snprintf(messages, sizeof messages, "%s/messages", self->folder);
    pid_t pid = 0;
    double began_s = sb_clock_s();
    int code = start(self, scene, messages, &pid);
    if (code) {
        return sb_fail(err, SB_IO_ERROR, "%.200s: %s", self->program,
                       strerror(code));
    }
    sb_status status = await(pid, out, began_s, err);
    if (!status) out->unknowns = most_unknowns(messages);
    folder_empty(self->folder);
    return status;
}

static sb_status measure(bench *self, sb_error *err) {
    sb_status status = find_places(self, err);
    if (!status) status = list_scenes(self, err);
    if (!status && setenv("SANDBELL_CACHE", self->folder, 1) != 0)
        status = sb_fail(err, SB_NO_MEMORY, "bench: out of memory");
    for (int i = 0; i < self->count && !status; i++) {
        progress_show("first sounds", (double)i / self->count,
                      self->rows[i].name);
        status = measure_one(self, &self->rows[i], err);
    }
    folder_remove(self->folder);
    return status;
}

/* --- printing ------------------------------------------------------------- */

static void report_rows(const bench *self, report *to) {
    static const report_column columns[] = {
        {"seconds", "seconds", "%8.2f", 0},
        {"processor_s", "processor", "%10.2f", 0},
        {NULL, "unknowns", "%10.0f", 0},
        {"unknowns", NULL, NULL, 0},
        {"exit_code", NULL, NULL, 0},
        {NULL, NULL, NULL, 0}};
    const row *longest = &self->rows[0];
    int over = 0, failed = 0;
    report_say(to, "from the start of the program to the first sample, nothing "
                   "cached\n\n");
    report_table(to, "rows", "scene", "scene", 28, columns);
    for (int i = 0; i < self->count; i++) {
        const row *at = &self->rows[i];
        bool is_over = at->clock_s > LONGEST_S;
        to->note = at->code ? "  failed" : is_over ? "  too long" : NULL;
        cJSON *json =
            report_row(to, at->name, NULL,
                       (double[]){at->clock_s, at->processor_s,
                                  at->unknowns > 0 ? at->unknowns : (double)NAN,
                                  at->unknowns, at->code});
        if (json) (void)cJSON_AddBoolToObject(json, "is_over", is_over);
        if (at->clock_s > longest->clock_s) longest = at;
        over += at->code == 0 && is_over;
        failed += at->code != 0;
    }
    report_end(to);
    report_say(to, "\nlongest %.2f s (%s); %d of %d over %g s, %d failed\n",
               longest->clock_s, longest->name, over, self->count, LONGEST_S,
               failed);
}

sb_status bench_first_sound(const bench_options *options, report *to,
                            sb_error *err) {
    (void)options;
    bench *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_fail(err, SB_NO_MEMORY, "bench: out of memory");
    catch_interrupts();
    sb_status status = measure(self, err);
    if (!status) report_rows(self, to);
    sb_free(self);
    return status;
}
