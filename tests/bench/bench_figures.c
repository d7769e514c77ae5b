/* SPDX-License-Identifier: MIT */
/* bench motion, air and deformable: runs their parts and reports the figures
 * beside their bounds. Thread: control. */
#include "tests/bench/bench.h"

#include "bindings/cli/console/terminal.h"
#include "tests/bench/deform/deformable_body.h"
#include "tests/bench/motion/motion_scene.h"
#include "tests/bench/solve/air_parts.h"

#include <stdio.h>
#include <string.h>

static sb_status unknown_part(const char *bench, const figure_part *parts,
                              const char *name, sb_error *err) {
    char known[256] = "";
    for (int i = 0, at = 0; parts[i].name && at < (int)sizeof known; i++)
        at += snprintf(known + at, sizeof known - (size_t)at, "%s%s",
                       i ? ", " : "", parts[i].name);
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "'%.40s' is no part of bench %s; known are %s", name, bench,
                   known);
}

static void report_figure(report *to, cJSON *list, const char *part,
                          const figure *f) {
    cJSON *entry = list ? cJSON_CreateObject() : NULL;
    report_say(to, "    %-60s %9.4g %7g %-5s %s\n", f->what, f->value, f->bound,
               f->unit, f->is_ok ? "ok" : "no");
    if (!entry) return;
    (void)cJSON_AddStringToObject(entry, "part", part);
    (void)cJSON_AddStringToObject(entry, "what", f->what);
    (void)cJSON_AddNumberToObject(entry, "value", f->value);
    (void)cJSON_AddNumberToObject(entry, "bound", f->bound);
    (void)cJSON_AddStringToObject(entry, "unit", f->unit);
    (void)cJSON_AddBoolToObject(entry, "is_ok", f->is_ok);
    (void)cJSON_AddBoolToObject(entry, "is_timed", f->is_timed);
    (void)cJSON_AddItemToArray(list, entry);
}

static sb_status report_figures(report *to, const char *bench,
                                const char *title, const figure_part *parts,
                                const bench_options *options, sb_error *err) {
    int good = 0, all = 0;
    bool has_any = false;
    cJSON *list =
        to->root ? cJSON_AddArrayToObject(to->at[to->depth], "figures") : NULL;
    for (const figure_part *part = parts; part->name; part++) {
        figure_sheet sheet = {0};
        if (options->part && strcmp(part->name, options->part) != 0) continue;
        progress_show("measuring", -1.0, part->title);
        sb_status status = part->measure(options->is_quick, &sheet, err);
        if (status) return status;
        if (!has_any)
            report_say(to, "%s\n\n  %-62s %9s %7s\n", title, "", "measured",
                       "bound");
        has_any = true;
        report_say(to, "  %s\n", part->title);
        for (int k = 0; k < sheet.count; k++, all++) {
            report_figure(to, list, part->name, &sheet.figures[k]);
            good += sheet.figures[k].is_ok;
        }
    }
    if (!has_any) return unknown_part(bench, parts, options->part, err);
    report_put(to, "within_bounds", good);
    report_put(to, "count", all);
    report_say(to, "\n  %d of %d figures are within their bounds\n", good, all);
    return SB_OK;
}

sb_status bench_motion(const bench_options *options, report *to,
                       sb_error *err) {
    return report_figures(to, "motion", "how right the world moves",
                          motion_parts, options, err);
}

sb_status bench_air(const bench_options *options, report *to, sb_error *err) {
    return report_figures(to, "air", "how right and how fast radiation is",
                          air_parts, options, err);
}

sb_status bench_deformable(const bench_options *options, report *to,
                           sb_error *err) {
    return report_figures(to, "deformable",
                          "how fast and how right deformable bodies are",
                          deformable_parts, options, err);
}
