/* SPDX-License-Identifier: MIT */
/* bench levels: how loud things of 3 to 50 cm are when struck with defaults.
 * Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "runtime/base/memory.h"
#include "tests/bench/bench.h"
#include "tests/bench/scene_player.h"

#include <math.h>
#include <stdio.h>

/* What a user expects of a thing that is struck. */
#define QUIETEST_DBFS (-40.0)
#define LOUDEST_DBFS  (-6.0)
#define PLAYED_S      0.3

/* Lua in which s is the size in metres. */
static const struct form {
    const char *name, *text;
} forms[] = {
    {"bar", "sb.bar { length = s, width = s / 10, thickness = s / 40 }"},
    {"plate", "sb.plate { width = s, depth = 0.8 * s, thickness = s / 100 }"},
    {"disk", "sb.disk { radius = s / 2, thickness = s / 100 }"},
    {"membrane", "sb.membrane { radius = s / 2, tension = 2000, "
                 "surface_density = 0.26 }"},
    {"string", "sb.string { length = s, diameter = 0.0005, tension = 60 }"},
    {"ring", "sb.ring { radius = s / 2, wire_radius = s / 50 }"},
    {"sphere", "sb.sphere { radius = s / 2 }"},
    {"box", "sb.box { width = s, depth = s / 2, height = s / 4 }"},
    {"cylinder", "sb.cylinder { radius = s / 10, length = s }"},
    {"tube", "sb.tube { length = s, radius = s / 20, thickness = s / 200 }"},
    {"cone", "sb.cone { radius = s / 2, height = s / 2, thickness = s / 100 }"},
    {"bowl", "sb.revolve { profile = { { 0, 0 }, { s / 4, s / 16 }, "
             "{ s / 2, s / 3 } }, thickness = s / 100 }"},
    {"hollow", "sb.hollow { width = s, height = s / 2, depth = s / 2, "
               "thickness = s / 50 }"},
};
static const char *const materials[] = {"steel", "bronze", "aluminium",
                                        "glass", "oak",    "polycarbonate"};
static const double sizes_m[] = {0.03, 0.08, 0.2, 0.5};

enum {
    FORMS = sizeof forms / sizeof *forms,
    MATERIALS = sizeof materials / sizeof *materials,
    SIZES = sizeof sizes_m / sizeof *sizes_m
};

typedef struct levels {
    double dbfs[FORMS][MATERIALS][SIZES]; /* NaN: no modes */
    double least, most;
    int count, outside;
} levels;

static double peak_dbfs(const bench_stage *stage) {
    float peak = 0.0f;
    for (int64_t i = 0; i < 2 * stage->sound_frames; i++)
        peak = fmaxf(peak, fabsf(stage->sound[i]));
    return peak > 0.0f ? 20.0 * log10((double)peak) : (double)NAN;
}

static sb_status play(const struct form *form, const char *material,
                      double size_m, double *dbfs, sb_error *err) {
    char text[512];
    (void)snprintf(text, sizeof text,
                   "local sb, s = require 'sandbell', %g\n"
                   "local body = sb.body('thing', { shape = %s, "
                   "material = '%s' })\n"
                   "function scene.start() body:strike { speed = 1 } end\n",
                   size_m, form->text, material);
    bench_stage stage = {0};
    int64_t frames = (int64_t)(PLAYED_S * BENCH_RATE_HZ);
    sb_status status = bench_stage_open(&stage, text, false, err);
    if (!status) {
        stage.sound = sb_alloc((size_t)(2 * frames), sizeof *stage.sound);
        stage.sound_frames = frames;
        if (!stage.sound)
            status = sb_fail(err, SB_NO_MEMORY, "bench: out of memory");
    }
    if (!status) status = bench_stage_play(&stage, PLAYED_S, 0.0, err);
    if (!status) *dbfs = peak_dbfs(&stage);
    sb_free(stage.sound);
    bench_stage_close(&stage);
    return status;
}

static void count(levels *all, double dbfs) {
    if (isnan(dbfs)) return;
    all->least = all->count == 0 ? dbfs : fmin(all->least, dbfs);
    all->most = all->count == 0 ? dbfs : fmax(all->most, dbfs);
    all->count++;
    if (dbfs < QUIETEST_DBFS || dbfs > LOUDEST_DBFS) all->outside++;
}

static sb_status measure(levels *all, sb_error *err) {
    int cells = FORMS * MATERIALS * SIZES;
    for (int i = 0; i < cells; i++) {
        int f = i / (MATERIALS * SIZES), m = i / SIZES % MATERIALS,
            s = i % SIZES;
        double *dbfs = &all->dbfs[f][m][s];
        progress_show("striking", (double)i / cells, forms[f].name);
        sb_status status = play(&forms[f], materials[m], sizes_m[s], dbfs, err);
        if (status) return status;
        if (must_stop_now(NULL))
            return sb_fail(err, SB_INTERRUPTED, "bench levels: interrupted");
        count(all, *dbfs);
    }
    return SB_OK;
}

static void report_all(const levels *all, report *to) {
    static const report_column columns[] = {{NULL, "3 cm", "%8.1f", 0},
                                            {NULL, "8 cm", "%8.1f", 0},
                                            {NULL, "20 cm", "%8.1f", 0},
                                            {NULL, "50 cm", "%8.1f", 0},
                                            {NULL, NULL, NULL, 0}};
    report_say(to, "peaks in dBFS of body:strike { speed = 1 }, all defaults; "
                   "-: no modes in the audible range\n\n");
    report_table(to, NULL, NULL, "", 25, columns);
    for (int i = 0; i < FORMS * MATERIALS; i++) {
        int f = i / MATERIALS, m = i % MATERIALS;
        char label[32];
        (void)snprintf(label, sizeof label, "%-10s %s",
                       m == 0 ? forms[f].name : "", materials[m]);
        (void)report_row(to, NULL, label, all->dbfs[f][m]);
    }
    report_end(to);
    report_say(to, "\nfrom %.1f to %.1f dBFS; %d of %d outside %g .. %g dBFS\n",
               all->least, all->most, all->outside, all->count, QUIETEST_DBFS,
               LOUDEST_DBFS);
    report_put(to, "least_dbfs", all->least);
    report_put(to, "most_dbfs", all->most);
    report_put(to, "count", all->count);
    report_put(to, "outside", all->outside);
}

static void put_each(const levels *all, report *to) {
    static const report_column columns[] = {{"size_m", NULL, NULL, 0},
                                            {"peak_dbfs", NULL, NULL, 0},
                                            {NULL, NULL, NULL, 0}};
    report_table(to, "rows", "shape", NULL, 0, columns);
    for (int i = 0; i < FORMS * MATERIALS * SIZES; i++) {
        int f = i / (MATERIALS * SIZES), m = i / SIZES % MATERIALS,
            s = i % SIZES;
        cJSON *row = report_row(to, forms[f].name, NULL,
                                (double[]){sizes_m[s], all->dbfs[f][m][s]});
        (void)cJSON_AddStringToObject(row, "material", materials[m]);
    }
    report_end(to);
}

sb_status bench_levels(const bench_options *options, report *to,
                       sb_error *err) {
    (void)options;
    levels all = {0};
    catch_interrupts();
    sb_status status = measure(&all, err);
    if (status) return status;
    report_all(&all, to);
    if (to->root) put_each(&all, to);
    return SB_OK;
}
