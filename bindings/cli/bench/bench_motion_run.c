/* sandbell bench motion and bench deformable: runs its parts and prints them as a table or as JSON.
 * Thread: control. */
#include "bindings/cli/bench/bench_motion_run.h"

#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/base/memory.h"
#include "runtime/bench/bench_deformable.h"

#include <stdio.h>
#include <string.h>

const bench_motion_table bench_table_motion = {
    "motion", "how right the world moves", sb_bench_motion_parts};
const bench_motion_table bench_table_deformable = {
    "deformable", "how fast and how right deformable bodies are",
    sb_bench_deformable_parts};

static sb_status unknown_part(const bench_motion_table *table, const char *name,
                              sb_error *err) {
    char known[256] = "";
    int count;
    const sb_bench_motion_part *parts = table->parts(&count);
    for (int i = 0, at = 0; i < count && at < (int)sizeof known; i++)
        at += snprintf(known + at, sizeof known - (size_t)at, "%s%s",
                       i ? ", " : "", parts[i].name);
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "'%.40s' is no part of bench %s; known are %s", name,
                   table->name, known);
}

sb_status bench_motion_measure(const bench_motion_table *table, bool is_quick,
                               const char *only, bench_motion *out,
                               sb_error *err) {
    int count;
    bool has_any = false;
    const sb_bench_motion_part *parts = table->parts(&count);
    out->table = table;
    sb_bench_motion_def def = {.is_quick = is_quick};
    out->sheets = sb_alloc((size_t)count, sizeof *out->sheets);
    if (!out->sheets)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for figures");
    sb_status status = SB_OK;
    for (int i = 0; i < count && !status; i++) {
        if (only && strcmp(parts[i].name, only) != 0) continue;
        has_any = true;
        progress_show("measuring", -1.0, parts[i].title);
        status = sb_bench_motion_run(&parts[i], &def, &out->sheets[i], err);
    }
    progress_end();
    if (!status && !has_any) status = unknown_part(table, only, err);
    if (status) bench_motion_free(out);
    return status;
}

void bench_motion_free(bench_motion *motion) {
    sb_free(motion->sheets);
    motion->sheets = NULL;
}

static void print_figure(const sb_bench_figure *f) {
    (void)printf("    %-60s %9.4g %7g %-5s %s\n", f->what, f->value, f->bound,
                 f->unit, f->is_ok ? "ok" : "no");
}

void bench_motion_print(const bench_motion *motion) {
    int count, good = 0, all = 0;
    const sb_bench_motion_part *parts = motion->table->parts(&count);
    (void)printf("%s\n\n  %-62s %9s %7s\n", motion->table->title, "",
                 "measured", "bound");
    for (int i = 0; i < count; i++) {
        const sb_bench_motion_sheet *sheet = &motion->sheets[i];
        if (sheet->count > 0) (void)printf("  %s\n", parts[i].title);
        for (int k = 0; k < sheet->count; k++, all++) {
            print_figure(&sheet->figures[k]);
            good += sheet->figures[k].is_ok;
        }
    }
    (void)printf("\n  %d of %d figures are within their bounds\n", good, all);
}

void bench_motion_put(cJSON *to, const bench_motion *motion) {
    int count, good = 0;
    const sb_bench_motion_part *parts = motion->table->parts(&count);
    cJSON *json = cJSON_AddObjectToObject(to, motion->table->name);
    cJSON *list = cJSON_AddArrayToObject(json, "figures");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < motion->sheets[i].count; k++) {
            const sb_bench_figure *f = &motion->sheets[i].figures[k];
            cJSON *entry = cJSON_CreateObject();
            (void)cJSON_AddStringToObject(entry, "part", parts[i].name);
            (void)cJSON_AddStringToObject(entry, "what", f->what);
            (void)cJSON_AddNumberToObject(entry, "value", f->value);
            (void)cJSON_AddNumberToObject(entry, "bound", f->bound);
            (void)cJSON_AddStringToObject(entry, "unit", f->unit);
            (void)cJSON_AddBoolToObject(entry, "is_ok", f->is_ok);
            (void)cJSON_AddBoolToObject(entry, "is_timed", f->is_timed);
            (void)cJSON_AddItemToArray(list, entry);
            good += f->is_ok;
        }
    (void)cJSON_AddNumberToObject(json, "within_bounds", good);
    (void)cJSON_AddNumberToObject(json, "count", cJSON_GetArraySize(list));
}

int bench_motion_run(const bench_motion_options *options) {
    sb_error err;
    bench_motion motion;
    sb_status status = bench_motion_measure(options->table, options->is_quick,
                                            options->part, &motion, &err);
    if (status) return fail_with(&err);
    char *text = NULL;
    if (options->is_json) {
        cJSON *json = cJSON_CreateObject();
        bench_motion_put(json, &motion);
        text = cJSON_Print(json);
        if (text) (void)printf("%s\n", text);
        cJSON_free(text);
        cJSON_Delete(json);
    } else {
        bench_motion_print(&motion);
    }
    bench_motion_free(&motion);
    return options->is_json && !text ? EXIT_SCRIPT : EXIT_OK;
}
