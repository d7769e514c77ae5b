/* SPDX-License-Identifier: MIT */
/* test_sandbox FOLDER [all | NAME | PART OF]: every attack under
 * tests/sandbox/, each phase in a process of its own.
 *
 *   load       as the scene itself: it is refused, or contained
 *   update     in scene.update, while a bell rings: the bell's samples equal
 *              those of a scene without the attack
 *   coroutine  the same in sb.go
 *   reload     saved over a scene that rings: its samples go on, and the next
 *              good save is taken within a second
 *
 * Limits: the budget of processor time (guard.h), the memory cap and 8 MB above
 * what the bell alone takes, never the word "escaped" in a report.
 *
 * With `all`, the bench, an attack may take twice its budget, and every attack
 * runs in every phase, which takes two minutes on two idle cores. Otherwise, as
 * a test, it may take ten times its budget: that separates what is stopped from
 * what is not, however busy the machine is. A load then has an eighth of its
 * budget (see whole_budget), and an attack is either loaded or reloaded, by
 * turns. With PART OF, only every OF-th attack runs, one process at a time: the
 * parts run in parallel as tests of their own. */
#include "bindings/host/host.h"
#include "bindings/sandbox/guard.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 480, STEPS = 12, MOST_ATTACKS = 300, JOBS = 2 };

#define LOAD_S     2.0
#define CALL_S     0.05
#define STEP_S     0.01
#define NEXT_S     1.0
#define PATIENCE_S 30.0
#define MOST_BYTES (GUARD_MEMORY_CAP + ((size_t)8 << 20))

/* How many times its budget an attack may take; set once, by main. */
static double most_budgets = 10.0;

/* Share of its budget that a load has; set by each child for its attack. */
static double load_share = 1.0;

/* As a test, an attack that only time or ticks can end has an eighth of the
 * budget. An attack whose file holds this line needs all of it: something else
 * ends it, later. */
static const char whole_budget[] = "\n-- Needs the whole budget";
#define SHORT_SHARE 0.125

typedef enum phase { LOAD, UPDATE, COROUTINE, RELOAD, PHASE_COUNT } phase;
static const char *const phase_names[] = {"load", "update", "coroutine",
                                          "reload"};

static const char bell[] =
    "local sb = require 'sandbell'\n"
    "local bell = sb.body('bell', { shape = sb.modes {\n"
    "  { 440, 30 }, { 1320.5, 20, 0.5 }, { 2777.7, 10, 0.25 } } })\n"
    "function scene.start() bell:strike { impulse = 0.001 } end\n";

/* What one process finds; sent to the parent. */
typedef struct finding {
    char fault[200]; /* empty: none */
    double spent_s;  /* the longest load or step, processor time */
    double next_s;   /* wall time of the reload after it */
    double megabytes;
    char ended_by[8]; /* what ended the load */
} finding;

typedef struct reports {
    bool has_escaped, is_reloaded; /* a reload has ended, well or not */
    int good_count;                /* reloads that ended well */
} reports;

static void on_report(void *user, const char *message) {
    reports *reported = user;
    if (strncmp(message, "escaped", 7) == 0) reported->has_escaped = true;
    if (strstr(message, "still running") ||
        strncmp(message, "reloaded", 8) == 0) {
        reported->is_reloaded = true;
    }
    if (getenv("SHOW")) (void)fprintf(stderr, "  | %.300s\n", message);
}

static void on_loaded(void *user, const sb_commit_counts *counts,
                      const sb_error *err) {
    (void)counts;
    ((reports *)user)->good_count += !err;
}

static void fail(finding *found, const char *what, double value) {
    if (found->fault[0]) return;
    (void)snprintf(found->fault, sizeof found->fault, what, value);
}

/* --- scenes --------------------------------------------------------------- */

/* The text lies in a static buffer, which a child inherits. */
static const char *read_file(const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t count = fread(text, 1, sizeof text - 1, file);
    text[count] = '\0';
    (void)fclose(file);
    return text;
}

/* Write the bell, and the attack in its phase, as scene.lua here. */
static void write_scene(const char *attack, phase at) {
    FILE *file = fopen("scene.tmp", "wb");
    const char *before = "", *after = "";
    if (at == UPDATE) {
        before = "function scene.update()\n";
        after = "\nend\n";
    } else if (at == COROUTINE) {
        before = "sb.go(function()\n";
        after = "\nend)\n";
    } else if (attack) {
        before = "do\n";
        after = "\nend\n";
    }
    (void)fprintf(file, "%s%s%s%s", bell, before, attack ? attack : "", after);
    (void)fclose(file);
    (void)rename("scene.tmp", "scene.lua");
}

static sb_status open_scene(sb_host **host, reports *reported, sb_error *err) {
    sb_host_def def = sb_host_def_default();
    def.load_share = load_share;
    def.parks_errors = true;
    def.is_live = true;
    def.report = on_report;
    def.loaded = on_loaded;
    def.user = reported;
    return sb_host_open("scene.lua", &def, host, err);
}

/* Run one control step and pull its samples; returns its processor time. */
static double step(sb_host *host, int n, float stereo[2 * BLOCK]) {
    sb_error err;
    double began_s = sb_clock_read_s(CLOCK_THREAD_CPUTIME_ID);
    sb_status status = sb_host_step(host, n * STEP_S, (n + 1) * STEP_S, &err);
    double spent_s = sb_clock_read_s(CLOCK_THREAD_CPUTIME_ID) - began_s;
    if (status && getenv("SHOW")) (void)fprintf(stderr, "%s\n", err.message);
    (void)sb_engine_flush(sb_host_engine(host), (long)(n + 1) * BLOCK);
    sb_engine_pull(sb_host_engine(host), stereo, BLOCK);
    return spent_s;
}

/* --- phases --------------------------------------------------------------- */

/* What ended a load that was refused with `message`. */
static const char *reason_of(const char *message) {
    if (strstr(message, " ms without")) return "time";
    if (strstr(message, "instructions without")) return "ticks";
    return strstr(message, "out of memory") ? "memory" : "error";
}

static void attack_load(const char *attack, finding *found, reports *reported) {
    sb_host *host = NULL;
    sb_error err = {.message = ""};
    write_scene(attack, LOAD);
    double began_s = sb_clock_read_s(CLOCK_THREAD_CPUTIME_ID);
    sb_status status = open_scene(&host, reported, &err);
    found->spent_s = sb_clock_read_s(CLOCK_THREAD_CPUTIME_ID) - began_s;
    if (getenv("SHOW")) (void)fprintf(stderr, "  ! %s\n", err.message);
    if (!status) sb_host_close(host);
    (void)snprintf(found->ended_by, sizeof found->ended_by, "%s",
                   status ? reason_of(err.message) : "itself");
    if (found->spent_s >
        most_budgets * LOAD_S * load_share * guard_time_scale()) {
        fail(found, "loading took %.2f s", found->spent_s);
    }
    if (sb_memory_live_blocks()) {
        fail(found, "%.0f blocks are lost", (double)sb_memory_live_blocks());
    }
}

/* A second host plays the same without the attack. */
static void attack_call(const char *attack, phase at, finding *found,
                        reports *reported) {
    sb_host *host, *quiet;
    sb_error err;
    float ours[2 * BLOCK], wanted[2 * BLOCK];
    write_scene(NULL, LOAD);
    if (open_scene(&quiet, reported, &err)) abort();
    write_scene(attack, at);
    if (open_scene(&host, reported, &err)) {
        sb_host_close(quiet); /* refused: it does not compile */
        return;
    }
    for (int n = 0; n < STEPS; n++) {
        found->spent_s = fmax(found->spent_s, step(host, n, ours));
        (void)step(quiet, n, wanted);
        if (memcmp(ours, wanted, sizeof ours) != 0) {
            fail(found, "the sound differs in step %.0f", n);
        }
    }
    if (found->spent_s > most_budgets * CALL_S * guard_time_scale()) {
        fail(found, "a step took %.3f s", found->spent_s);
    }
    sb_host_close(host);
    sb_host_close(quiet);
}

/* Step both hosts, 2 ms apart, until a reload has ended. Returns the number of
 * the step after that. */
static int live_on(sb_host *host, sb_host *quiet, int n, reports *reported,
                   finding *found) {
    float ours[2 * BLOCK], wanted[2 * BLOCK];
    reported->is_reloaded = false;
    double end_s = sb_clock_read_s(CLOCK_MONOTONIC) +
                   most_budgets * LOAD_S * guard_time_scale();
    for (; !reported->is_reloaded && sb_clock_read_s(CLOCK_MONOTONIC) < end_s;
         n++) {
        found->spent_s = fmax(found->spent_s, step(host, n, ours));
        (void)step(quiet, n, wanted);
        if (memcmp(ours, wanted, sizeof ours) != 0) {
            fail(found, "the sound differs in step %.0f", n);
        }
        (void)usleep(2000);
    }
    if (!reported->is_reloaded)
        fail(found, "the reload has not ended by step %.0f", n);
    return n;
}

static void attack_reload(const char *attack, finding *found,
                          reports *reported) {
    sb_host *host, *quiet;
    reports ignored = {0};
    sb_error err;
    write_scene(NULL, LOAD);
    if (open_scene(&host, reported, &err) ||
        open_scene(&quiet, &ignored, &err)) {
        abort();
    }
    int n = 0;
    float stereo[2 * BLOCK];
    for (; n < 3; n++) {
        (void)step(host, n, stereo);
        (void)step(quiet, n, stereo);
    }
    write_scene(attack, LOAD);
    sb_host_request_reload(host, false);
    n = live_on(host, quiet, n, reported, found);
    write_scene(NULL, LOAD);
    int before = reported->good_count;
    sb_host_request_reload(host, false);
    double began_s = sb_clock_read_s(CLOCK_MONOTONIC);
    (void)live_on(host, quiet, n, reported, found);
    found->next_s = sb_clock_read_s(CLOCK_MONOTONIC) - began_s;
    if (reported->good_count != before + 1) {
        fail(found, "the next good reload failed%.0s", 0.0);
    }
    if (found->next_s > most_budgets / 2.0 * NEXT_S * guard_time_scale()) {
        fail(found, "the next reload took %.2f s", found->next_s);
    }
    if (found->spent_s > most_budgets * CALL_S * guard_time_scale()) {
        fail(found, "a step took %.3f s", found->spent_s);
    }
    sb_host_close(host);
    sb_host_close(quiet);
}

/* --- processes ------------------------------------------------------------ */

static double peak_bytes(void) {
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024.0;
}

/* Make a folder for the scene, beside a secret, with links to the secret. */
static void make_folder(char path[64]) {
    (void)snprintf(path, 64, "/tmp/sandbell_attack_XXXXXX");
    if (!mkdtemp(path) || chdir(path)) abort();
    FILE *file = fopen("secret.lua", "wb");
    (void)fputs("print 'escaped' return 1\n", file);
    (void)fclose(file);
    if (mkdir("scene", 0700) || symlink("..", "scene/outside") ||
        symlink("../secret.lua", "scene/secret.lua") || chdir("scene")) {
        abort();
    }
}

static void remove_folder(const char *path) {
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", path);
    if (chdir("/") || system(command)) abort();
}

/* Memory that any scene takes is not counted against the attack. */
static void open_bell_once(reports *reported) {
    sb_host *host = NULL;
    write_scene(NULL, LOAD);
    sb_status status = open_scene(&host, reported, NULL);
    (void)status;
    sb_host_close(host);
}

static void run_child(const char *attack, phase at, int pipe_end) {
    finding found = {.fault = ""};
    reports reported = {0};
    char folder[64];
    (void)alarm(
        (unsigned)(PATIENCE_S * guard_time_scale())); /* never stopped */
    make_folder(folder);
    open_bell_once(&reported);
    bool is_short = most_budgets > 2.0 && !strstr(attack, whole_budget);
    load_share = is_short ? SHORT_SHARE : 1.0;
    double before = peak_bytes();
    if (at == LOAD) {
        attack_load(attack, &found, &reported);
    } else if (at == RELOAD) {
        attack_reload(attack, &found, &reported);
    } else {
        attack_call(attack, at, &found, &reported);
    }
    double grown = peak_bytes() - before;
    found.megabytes = grown / 1048576.0;
    if (grown > (double)MOST_BYTES && guard_time_scale() < 2.0) {
        fail(&found, "memory grew by %.0f MB", found.megabytes);
    }
    if (reported.has_escaped) fail(&found, "it escaped%.0s", 0.0);
    remove_folder(folder);
    if (write(pipe_end, &found, sizeof found) != sizeof found) abort();
    exit(0); /* not _exit: the leak sanitizer runs at exit */
}

typedef struct job {
    pid_t process;
    int pipe_end, attack;
    phase at;
} job;

static finding findings[MOST_ATTACKS][PHASE_COUNT];

static job start_job(const char *text, int attack, phase at) {
    int ends[2];
    if (pipe(ends)) abort();
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        (void)close(ends[0]);
        run_child(text, at, ends[1]);
    }
    (void)close(ends[1]);
    return (job){process, ends[0], attack, at};
}

static void end_job(job *jobs, int count) {
    int status = 0;
    pid_t ended = wait(&status);
    for (int i = 0; i < count; i++) {
        if (jobs[i].process != ended) continue;
        finding *found = &findings[jobs[i].attack][jobs[i].at];
        bool is_read = read(jobs[i].pipe_end, found, sizeof *found) ==
                       (ssize_t)sizeof *found;
        (void)close(jobs[i].pipe_end);
        jobs[i].process = 0;
        if (!is_read || !WIFEXITED(status) || WEXITSTATUS(status)) {
            fail(found, "it ended with status %.0f", status);
        }
    }
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_lua(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".lua") == 0;
}

static int print_row(const char *name, const finding row[PHASE_COUNT]) {
    int faults = 0;
    (void)printf("%-24s %6.0f %6.0f %6.0f %6.0f %6.0f %6.0f  %s\n", name,
                 row[LOAD].spent_s * 1e3, row[UPDATE].spent_s * 1e3,
                 row[COROUTINE].spent_s * 1e3, row[RELOAD].spent_s * 1e3,
                 row[RELOAD].next_s * 1e3,
                 fmax(row[LOAD].megabytes, row[RELOAD].megabytes),
                 row[LOAD].ended_by);
    for (int at = 0; at < PHASE_COUNT; at++) {
        if (!row[at].fault[0]) continue;
        faults++;
        (void)printf("  %s: %s\n", phase_names[at], row[at].fault);
    }
    return faults;
}

int main(int argc, char **argv) {
    struct dirent **names;
    int count = argc > 1 ? scandir(argv[1], &names, is_lua, by_name) : -1;
    int part = argc > 3 ? atoi(argv[2]) : 0, of = argc > 3 ? atoi(argv[3]) : 1;
    const char *only = argc == 3 ? argv[2] : NULL;
    bool is_all = only && strcmp(only, "all") == 0;
    if (is_all) {
        only = NULL;
        most_budgets = 2.0;
    }
    job jobs[JOBS] = {0};
    int faults = 0, running = 0, most_running = of > 1 ? 1 : JOBS;
    if (count < 45 || count > MOST_ATTACKS) return 2;
    for (int i = 0; i < count * PHASE_COUNT; i++) {
        char path[512];
        const char *name = names[i / PHASE_COUNT]->d_name;
        int n = i / PHASE_COUNT, at = i % PHASE_COUNT;
        if (n % of != part) continue;
        int left_out = n / of % 2 ? LOAD : RELOAD;
        if (!is_all && !only && at == left_out) continue;
        if (only && strncmp(name, only, strlen(only)) != 0) continue;
        (void)snprintf(path, sizeof path, "%s/%s", argv[1], name);
        const char *text = read_file(path);
        if (!text) return 2;
        if (running == most_running) end_job(jobs, JOBS), running--;
        int free_job = 0;
        while (jobs[free_job].process)
            free_job++;
        jobs[free_job] = start_job(text, n, (phase)at);
        running++;
    }
    for (; running > 0; running--)
        end_job(jobs, JOBS);
    (void)printf("%-24s %6s %6s %6s %6s %6s %6s  %s\n", "ms, processor time",
                 "load", "update", "corout", "reload", "next", "MB",
                 "load ended by");
    for (int i = 0; i < count; i++) {
        if (i % of != part) continue;
        if (only && strncmp(names[i]->d_name, only, strlen(only)) != 0)
            continue;
        faults += print_row(names[i]->d_name, findings[i]);
    }
    (void)printf("%d faults\n", faults);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return faults ? 1 : 0;
}
