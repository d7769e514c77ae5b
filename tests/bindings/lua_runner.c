/* SPDX-License-Identifier: MIT */
/* lua_runner SCENE: run a Lua test as a scene, and render it unheard.
 *
 * Comments in the script's first lines say what is expected:
 *
 *     -- seconds: 2          of scene time (default 1)
 *     -- set: name=value     as on the command line
 *     -- seed: 7             of math.random
 *     -- parks               errors in callbacks are reported, not fatal
 *     -- says: text          a report must hold this; one line each, in order
 *     -- lesson: name        the scene is that lesson, and the test runs in it
 *                            like a line of the prompt, which may sleep
 *     -- fails: text         loading or running must fail with a message that
 *                            has this text, and that of each such line
 *
 * A script that does not fail must print "done" once all its checks have run:
 * a test that never got there does not pass. Samples must be finite, and every
 * block of memory must be back in the end.
 */
#include "bindings/host/host.h"
#include "runtime/base/field.h"
#include "runtime/base/memory.h"
#include "runtime/scene/conductor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 16, LINE_SIZE = 400 };

typedef struct expected {
    double seconds;
    double seed;
    bool parks;
    char scene[LINE_SIZE + 32]; /* a lesson; else the test itself */
    sb_setting settings[MOST_LINES];
    int setting_count;
    char lines[MOST_LINES][LINE_SIZE]; /* of all "says" and the settings */
    int line_count;
    const char *says[MOST_LINES];
    int says_count;
    const char *fails[MOST_LINES];
    int fails_count;
} expected;

typedef struct running {
    const expected *wanted;
    int said_count; /* of wanted->says */
    bool is_done;
    bool is_broken; /* a sample was not finite */
} running;

static const char *after(const char *line, const char *key) {
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length : NULL;
}

static void read_setting(expected *wanted, char *text) {
    char *equals = strchr(text, '=');
    if (!equals) return;
    *equals = '\0';
    wanted->settings[wanted->setting_count++] =
        (sb_setting){text, strtod(equals + 1, NULL)};
}

static void read_line(expected *wanted, char *line) {
    const char *value;
    if ((value = after(line, "-- seconds: "))) {
        wanted->seconds = strtod(value, NULL);
    } else if ((value = after(line, "-- seed: "))) {
        wanted->seed = strtod(value, NULL);
    } else if ((value = after(line, "-- lesson: "))) {
        (void)snprintf(wanted->scene, sizeof wanted->scene,
                       "../scripts/lessons/%s.lua", value);
    } else if (after(line, "-- parks")) {
        wanted->parks = true;
    } else if (after(line, "-- set: ")) {
        read_setting(wanted, line + strlen("-- set: "));
    } else if ((value = after(line, "-- says: "))) {
        wanted->says[wanted->says_count++] = value;
    } else if ((value = after(line, "-- fails: "))) {
        wanted->fails[wanted->fails_count++] = value;
    }
}

static bool read_expected(const char *path, expected *wanted) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    while (wanted->line_count < MOST_LINES) {
        char *line = wanted->lines[wanted->line_count++];
        if (!fgets(line, LINE_SIZE, file) || strncmp(line, "--", 2) != 0) break;
        line[strcspn(line, "\n")] = '\0';
        read_line(wanted, line);
    }
    (void)fclose(file);
    return true;
}

static void on_report(void *user, const char *message) {
    running *run = user;
    const expected *wanted = run->wanted;
    (void)printf("  | %s\n", message);
    if (strcmp(message, "done") == 0) run->is_done = true;
    if (run->said_count < wanted->says_count &&
        strstr(message, wanted->says[run->said_count])) {
        run->said_count++;
    }
}

static sb_status sink(void *user, const float *stereo, int frames,
                      sb_error *err) {
    (void)err;
    running *run = user;
    for (int i = 0; i < 2 * frames; i++)
        run->is_broken = run->is_broken || !isfinite(stereo[i]);
    return SB_OK;
}

static sb_status run_in_lesson(sb_host *host, const char *path, sb_error *err) {
    static char text[1 << 16];
    char *result = NULL;
    bool is_incomplete;
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) (void)fclose(file);
    text[count] = '\0';
    sb_status status =
        sb_host_evaluate(host, text, &result, &is_incomplete, err);
    sb_free(result);
    return status;
}

static sb_status play(const char *path, const expected *wanted, running *run,
                      sb_error *err) {
    sb_host_def def = sb_host_def_default();
    def.deform.how = SB_DEFORM_COMPUTE;
    def.seed = (uint64_t)wanted->seed;
    def.settings = wanted->settings;
    def.setting_count = wanted->setting_count;
    def.parks_errors = wanted->parks;
    def.report = on_report;
    def.user = run;
    sb_host *host;
    sb_status status =
        sb_host_open(*wanted->scene ? wanted->scene : path, &def, &host, err);
    if (status) return status;
    if (*wanted->scene) status = run_in_lesson(host, path, err);
    sb_host_hooks hooks = {.sink = sink, .user = run};
    sb_span span = {.duration_s = wanted->seconds};
    sb_conduct_result result;
    if (!status) status = sb_host_render(host, &hooks, &span, &result, err);
    sb_host_close(host);
    return status;
}

static int judge(const expected *wanted, const running *run, sb_status status,
                 const sb_error *err) {
    int faults = 0;
    bool must_fail = wanted->fails_count > 0;
    if (must_fail && !status) {
        faults += printf("it should have failed: %s\n", wanted->fails[0]);
    }
    for (int i = 0; status && i < wanted->fails_count; i++) {
        if (strstr(err->message, wanted->fails[i])) continue;
        faults += printf("it failed with\n  %s\nand not with\n  %s\n",
                         err->message, wanted->fails[i]);
    }
    if (!must_fail && status) {
        faults += printf("it failed: %s\n", err->message);
    } else if (!must_fail && !run->is_done) {
        faults += printf("it never got to print \"done\"\n");
    }
    if (run->said_count < wanted->says_count) {
        faults += printf("it never said: %s\n", wanted->says[run->said_count]);
    }
    if (run->is_broken) faults += printf("a sample is not finite\n");
    return faults;
}

int main(int argc, char **argv) {
    static expected wanted = {.seconds = 1.0, .seed = 1.0};
    if (argc != 2 || !read_expected(argv[1], &wanted)) {
        (void)fprintf(stderr, "usage: lua_runner SCENE\n");
        return 2;
    }
    running run = {.wanted = &wanted};
    sb_error err = {.message = ""};
    long blocks = sb_memory_live_blocks();
    sb_status status = play(argv[1], &wanted, &run, &err);
    int faults = judge(&wanted, &run, status, &err);
    if (sb_memory_live_blocks() != blocks) {
        faults += printf("%ld blocks of memory are lost\n",
                         sb_memory_live_blocks() - blocks);
    }
    if (status) (void)printf("  ! %s\n", err.message);
    return faults ? 1 : 0;
}
