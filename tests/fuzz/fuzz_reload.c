/* SPDX-License-Identifier: MIT */
/* tests/fuzz/fuzz_reload.c -- reload pairs: a scene of scripts/ and the same
 * with random edits, old and new in turn, as an editor saves them.
 *
 * A save may fail, with a sentence; the scene then plays on. It may not crash,
 * take away what played before, leave memory behind, or make a sample that is
 * not finite. The old text must always load again. */
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/commit.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/random_host.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_SCENES = 64,
    MOST_TEXT = 1 << 15,
    MOST_LINES = 600,
    MOST_EDITS = 4,
    TURNS = 2,
    STEPS = 3,
    STEP_FRAMES = 480
};

static char scenes[MOST_SCENES][MOST_TEXT];
static int scene_count;

static void demand(bool is_so, const char *what) {
    if (is_so) return;
    (void)fprintf(stderr, "a reload broke its word: %s\n", what);
    abort();
}

/* --- the scenes ----------------------------------------------------------- */

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* So that no body takes half a second: shapes have the quick law of radiation. */
static const char quickly[] =
    "do local sb = require 'sandbell' for name, make in pairs(sb) do"
    " if ('bar plate disk tube cone sphere box revolve'):find(name, 1,"
    " true) then sb[name] = function(def, ...)"
    " if type(def) == 'table' then def.radiation = 'quick' end"
    " return make(def, ...) end end end end ";

/* Without those that solve meshes or deform: each would take seconds. */
static void read_scenes(void) {
    struct dirent **entries;
    int count = scandir(SCRIPTS, &entries, NULL, by_name);
    demand(count > 0, "no scenes");
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX], *text = scenes[scene_count];
        const char *dot = strrchr(entries[i]->d_name, '.');
        (void)snprintf(path, sizeof path, SCRIPTS "/%s", entries[i]->d_name);
        FILE *in = dot && !strcmp(dot, ".lua") ? fopen(path, "r") : NULL;
        free(entries[i]);
        if (!in) continue;
        size_t size = fread(text, 1, MOST_TEXT - 1, in);
        (void)fclose(in);
        text[size] = '\0';
        bool is_slow = strstr(text, "models/") || strstr(text, "deformable") ||
                       strstr(text, "sb.revolve") || strstr(text, "method");
        scene_count += !is_slow && scene_count + 1 < MOST_SCENES;
    }
    free(entries);
    demand(scene_count > 9, "fewer scenes than there are");
}

/* --- edits ---------------------------------------------------------------- */

typedef struct page {
    const char *lines[MOST_LINES];
    int lengths[MOST_LINES];
    int count;
} page;

static void split(const char *text, page *p) {
    p->count = 0;
    while (*text && p->count < MOST_LINES - MOST_EDITS) {
        int length = (int)strcspn(text, "\n");
        p->lines[p->count] = text;
        p->lengths[p->count++] = length;
        text += length + (text[length] == '\n');
    }
}

/* The line with one of its numbers changed, in one of MOST_EDITS buffers. */
static void change_number(fuzz_bytes *b, page *p, int at, char *room) {
    static const char *const odd[] = {"0",     "-1",   "1e308", "0/0",
                                      "1e-30", "1000", "nil",   "'x'"};
    int digits[64], count = 0;
    const char *line = p->lines[at];
    for (int i = 0; i < p->lengths[at] && count < 64; i++) {
        bool is_start = line[i] >= '0' && line[i] <= '9' &&
                        (i == 0 || !strchr("0123456789.", line[i - 1]));
        if (is_start) digits[count++] = i;
    }
    if (count == 0) return;
    int from = digits[take_below(b, count)];
    char *end = NULL;
    double value = strtod(line + from, &end);
    char text[40];
    if (take_byte(b) % 4 == 0) {
        (void)snprintf(text, sizeof text, "%s", odd[take_below(b, 8)]);
    } else {
        (void)snprintf(text, sizeof text, "%.5g", value * take_log(b, .1, 10));
    }
    int rest = p->lengths[at] - (int)(end - line);
    if (rest < 0) rest = 0;
    p->lengths[at] =
        snprintf(room, 1024, "%.*s%s%.*s", from, line, text, rest, end);
    p->lines[at] = room;
    if (p->lengths[at] > 1023) p->lengths[at] = 1023;
}

static void move_lines(page *p, int at, int by) {
    size_t count = (size_t)(p->count - at);
    memmove(p->lines + at + by, p->lines + at, count * sizeof *p->lines);
    memmove(p->lengths + at + by, p->lengths + at, count * sizeof *p->lengths);
    p->count += by;
}

static void edit(fuzz_bytes *b, page *p, char *room) {
    int at = take_below(b, p->count), other = take_below(b, p->count);
    unsigned kind = take_byte(b) % 8;
    const char *line = p->lines[other];
    int length = p->lengths[other];
    switch (kind) {
    case 0: /* delete */
        if (p->count > 1 && at + 1 < p->count) move_lines(p, at + 1, -1);
        break;
    case 1: /* swap */
        p->lines[other] = p->lines[at], p->lengths[other] = p->lengths[at];
        p->lines[at] = line, p->lengths[at] = length;
        break;
    case 2: /* double */
        move_lines(p, at, 1);
        p->lines[at] = line, p->lengths[at] = length;
        break;
    case 3: { /* a line of another scene */
        static page q;
        split(scenes[take_below(b, scene_count)], &q);
        int which = take_below(b, q.count);
        p->lines[at] = q.lines[which], p->lengths[at] = q.lengths[which];
        break;
    }
    default:
        change_number(b, p, at, room);
    }
}

static void make_new(fuzz_bytes *b, const char *old, char *text) {
    static char rooms[MOST_EDITS][1024];
    static page p;
    split(old, &p);
    int edits = 1 + take_below(b, MOST_EDITS);
    for (int i = 0; i < edits; i++)
        edit(b, &p, rooms[i]);
    size_t at = 0;
    for (int i = 0; i < p.count && at + (size_t)p.lengths[i] + 2 < MOST_TEXT;
         i++) {
        memcpy(text + at, p.lines[i], (size_t)p.lengths[i]);
        at += (size_t)p.lengths[i];
        text[at++] = '\n';
    }
    text[at] = '\0';
}

/* --- in turn -------------------------------------------------------------- */

static void save(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    demand(out && fputs(quickly, out) >= 0 && fputs(text, out) >= 0 &&
               fclose(out) == 0,
           "no file");
}

static void play(sb_host *host, int *step) {
    static float stereo[2 * STEP_FRAMES];
    sb_engine *engine = sb_host_engine(host);
    for (int i = 0; i < STEPS; i++, ++*step) {
        sb_error err = {0};
        demand(!sb_host_step(host, *step * .01, (*step + 1) * .01, &err),
               err.message);
        (void)sb_engine_flush(engine, (*step + 1) * (int64_t)STEP_FRAMES);
        sb_engine_pull(engine, stereo, STEP_FRAMES);
        for (int n = 0; n < 2 * STEP_FRAMES; n++)
            demand(isfinite(stereo[n]) && fabsf(stereo[n]) <= 1.0F,
                   "a sample beyond full scale");
    }
}

static void alternate(sb_host *host, const char *path, const char *old,
                      const char *edited) {
    int step = 0;
    sb_commit_counts counts;
    play(host, &step);
    for (int turn = 0; turn < TURNS; turn++) {
        sb_error err = {0};
        save(path, edited);
        if (sb_host_reload_now(host, turn > 0, step * .01, &counts, &err))
            demand(strlen(err.message) > 5, "a failure without a sentence");
        play(host, &step);
        save(path, old);
        demand(!sb_host_reload_now(host, turn > 0, step * .01, &counts, &err),
               err.message);
        play(host, &step);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char edited[MOST_TEXT], path[] = "/tmp/sandbell-fuzz-XXXXXX";
    fuzz_bytes b = {bytes, bytes + count};
    if (scene_count == 0) {
        read_scenes();
        (void)close(mkstemp(path));
    }
    const char *old = scenes[take_below(&b, scene_count)];
    make_new(&b, old, edited);
    if (getenv("SHOW")) (void)puts(edited);
    save(path, old);
    long before = sb_memory_live_blocks();
    sb_host_def def = random_host(50e6);
    sb_host *host = NULL;
    sb_error err = {0};
    if (!sb_host_open(path, &def, &host, &err)) {
        alternate(host, path, old, edited);
        sb_host_close(host);
    } else { /* some take more memory than that */
        demand(err.status == SB_NO_MEMORY || strstr(err.message, "--memory"),
               err.message);
    }
    (void)unlink(path);
    demand(sb_memory_live_blocks() == before, "memory left behind");
    return 0;
}
