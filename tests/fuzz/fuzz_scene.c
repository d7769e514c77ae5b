/* SPDX-License-Identifier: MIT */
/* tests/fuzz/fuzz_scene.c -- random scenes: calls of the Lua API with values
 * from the documented ranges, just outside them, and of wrong types.
 *
 * A scene may fail, with a sentence. It may not crash, take longer than its
 * budget, leave memory behind, or make a sample that is not finite. */
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/random_host.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TEXT = 1 << 15, MOST_CALLS = 24, STEPS = 8, STEP_FRAMES = 480 };

static void demand(bool is_so, const char *what) {
    if (is_so) return;
    (void)fprintf(stderr, "a scene broke its word: %s\n", what);
    abort();
}

/* --- the grammar ---------------------------------------------------------- */

/* In a template # is a number, @ a body, $ a name, ~ a place, ? any value. */
static const char *const at_load[] = {
    "sb.body($, { shape = sb.modes { { #, # }, { #, #, # } }, gain = ? })",
    ("sb.body($, { shape = sb.bar { length = #, width = #, thickness = # },"
     " material = 'steel' })"),
    ("sb.body($, { shape = sb.string { length = #, tension = #, radius = # },"
     " material = 'steel', position = ~ })"),
    ("sb.body($, { shape = sb.sphere { radius = # }, material = 'glass',"
     " motion = 'free', position = ~, velocity = ~ })"),
    "sb.body($, { shape = sb.floor {}, material = 'oak', friction = # })",
    "sb.body($, { shape = sb.rigid(), position = ~, motion = ? })",
    "sb.material($, { base = 'steel', density = #, alpha = ? })",
    "sb.world { gravity = ~, rate = # }",
    "sb.listener { position = ~, facing = ~, gain = # }",
    "sb.param($, { min = #, max = #, default = # })",
    "sb.force { direction = ~, acceleration = # }",
    "sb.joint($, { kind = 'hinge', a = @, b = @, anchor = ~, axis = ~ })",
    "sb.surface($, { kind = 'grid', period = #, depth = # })",
    "sb.air { temperature = #, humidity = # }",
    "sb.body(?, ?)",
    "sb.modes(?)",
};

static const char *const at_run[] = {
    "@:strike { speed = #, mass = #, at = { #, # } }",
    "@:strike { impulse = # }",
    "@:strike { speed = #, contact = 'kmethod', hardness = # }",
    "@:contact { kind = 'roll', force = #, speed = # }",
    "@:contact { kind = 'rub', force = #, speed = # }",
    "@:place(~)",
    "@:gain(#)",
    "@:push { impulse = ~ }",
    "@:touch { damping = #, at = { #, # } }",
    "@:remove()",
    "sb.raycast(~, ~, #)",
    "sb.after(#, function() @:strike { speed = # } end)",
    "sb.every(#, function() end)",
    "sb.go(function() sb.sleep(#) @:strike { impulse = # } end)",
    "sb.body($, { shape = sb.modes { { #, # } } })",
    "sb.stats()",
    "print(?, tostring(?))",
    "@:strike(?)",
    "@:contact(?)",
};

typedef struct writer {
    fuzz_bytes *bytes;
    char text[MOST_TEXT];
    size_t count;
} writer;

static void put(writer *w, const char *text) {
    size_t length = strlen(text);
    if (w->count + length + 1 > sizeof w->text) return;
    memcpy(w->text + w->count, text, length + 1);
    w->count += length;
}

static void put_number(writer *w) {
    static const char *const odd[] = {
        "0",      "-1",   "0/0", "1/0", "-1/0", "1e308",   "-0.0",
        "1e-300", "2^53", "'1'", "nil", "true", "1 << 62", "math.pi"};
    char text[40];
    if (take_byte(w->bytes) % 8 == 7) {
        put(w, odd[take_below(w->bytes, 14)]);
        return;
    }
    (void)snprintf(text, sizeof text, "%.6g",
                   take_signed(w->bytes, 1e-4, 1e4) +
                       (take_byte(w->bytes) % 2 ? 0.1 : 0.0));
    put(w, text);
}

static void put_any(writer *w) {
    static const char *const values[] = {"nil",      "true",
                                         "'text'",   "{}",
                                         "{ {} }",   "print",
                                         "sb",       "scene",
                                         "-1",       "{ 1, 2, 3 }",
                                         "0/0",      "''",
                                         "_G",       "function() error() end",
                                         "{ x = 1 }"};
    put(w, values[take_below(w->bytes, 15)]);
}

static void put_call(writer *w, const char *call) {
    char name[24];
    put(w, "pcall(function() ");
    for (; *call; call++) {
        (void)snprintf(name, sizeof name, "b%d", take_below(w->bytes, 4));
        char plain[2] = {*call, '\0'};
        if (*call == '#') {
            put_number(w);
        } else if (*call == '?') {
            put_any(w);
        } else if (*call == '$') {
            put(w, "'"), put(w, name), put(w, "'");
        } else if (*call == '@') {
            put(w, "sb.find '"), put(w, name), put(w, "'");
        } else if (*call == '~') {
            put(w, "{ "), put_number(w), put(w, ", "), put_number(w);
            put(w, ", "), put_number(w), put(w, " }");
        } else {
            put(w, plain);
        }
    }
    put(w, " end)\n");
}

static void write_scene(writer *w) {
    put(w, "local sb = require 'sandbell'\n");
    int calls = 1 + take_below(w->bytes, MOST_CALLS);
    for (int i = 0; i < calls; i++)
        put_call(w, at_load[take_below(
                        w->bytes, (int)(sizeof at_load / sizeof *at_load))]);
    put(w, "local n = 0\nfunction scene.update()\nn = n + 1\n");
    calls = take_below(w->bytes, MOST_CALLS);
    for (int i = 0; i < calls; i++) {
        char when[40];
        (void)snprintf(when, sizeof when, "if n == %d then ",
                       1 + take_below(w->bytes, STEPS));
        put(w, when);
        put_call(w, at_run[take_below(w->bytes,
                                      (int)(sizeof at_run / sizeof *at_run))]);
        put(w, "end\n");
    }
    put(w, "end\n");
}

/* --- running it ----------------------------------------------------------- */

static void run_steps(sb_host *host) {
    static float stereo[2 * STEP_FRAMES];
    sb_engine *engine = sb_host_engine(host);
    for (int i = 0; i < STEPS; i++) {
        sb_error err = {0};
        if (sb_host_step(host, i * 0.01, (i + 1) * 0.01, &err)) {
            demand(strlen(err.message) > 5, "a failure without a sentence");
            return;
        }
        if (!sb_engine_flush(engine, (i + 1) * (int64_t)STEP_FRAMES)) return;
        sb_engine_pull(engine, stereo, STEP_FRAMES);
        for (int n = 0; n < 2 * STEP_FRAMES; n++)
            demand(isfinite(stereo[n]) && fabsf(stereo[n]) <= 1.0F,
                   "a sample beyond full scale");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static writer w;
    static char path[] = "/tmp/sandbell-fuzz-XXXXXX";
    static bool has_path = false;
    fuzz_bytes b = {bytes, bytes + count};
    if (!has_path) (void)close(mkstemp(path));
    has_path = true;
    w = (writer){.bytes = &b};
    write_scene(&w);
    FILE *out = fopen(path, "w");
    if (!out) return 0;
    (void)fputs(w.text, out);
    (void)fclose(out);
    if (getenv("SHOW")) (void)puts(w.text);
    long before = sb_memory_live_blocks();
    /* With 10 MB few bodies are solved by elements, and more than twice as many
     * scenes are tried. */
    sb_host_def def = random_host(count % 8 == 0 ? 50e6 : 10e6);
    sb_host *host = NULL;
    sb_error err = {0};
    if (!sb_host_open(path, &def, &host, &err)) {
        run_steps(host);
        sb_host_close(host);
    } else {
        demand(strlen(err.message) > 5, "a failure without a sentence");
    }
    (void)unlink(path);
    demand(sb_memory_live_blocks() == before, "memory left behind");
    return 0;
}
