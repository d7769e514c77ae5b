/* SPDX-License-Identifier: MIT */
/* Draws the measurements of bench world as figures 8 and 4 of the paper.
 * Thread: control. */
#include "tests/bench/world/rings_world.h"

#include "runtime/media/picture/graph.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(bench_world_point, field)

static const sb_colour colours[BENCH_WORLD_WAYS] = {
    {230, 120, 100, 255}, {240, 200, 110, 255}, {130, 200, 255, 255}};
static const char *const names[BENCH_WORLD_WAYS] = {"nothing", "saving",
                                                    "scaling"};

/* Round up to 1, 2 or 5 times a power of ten. */
static double round_up(double x) {
    double power = pow(10.0, floor(log10(fmax(x, 1.0))));
    for (int i = 0; i < 3; i++) {
        static const double steps[3] = {1.0, 2.0, 5.0};
        if (steps[i] * power >= x) return steps[i] * power;
    }
    return 10.0 * power;
}

static double most_of(const bench_world_point *points, int count, size_t offset,
                      int curves) {
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        const double *at = (const void *)((const char *)&points[i] + offset);
        for (int k = 0; k < curves; k++)
            most = fmax(most, at[k]);
    }
    return round_up(most);
}

static sb_graph_panel panel_of(const char *name, const char *unit, double high,
                               size_t offset) {
    sb_graph_panel panel = {.name = name,
                            .unit = unit,
                            .high = high,
                            .curve_count = BENCH_WORLD_WAYS};
    for (int i = 0; i < BENCH_WORLD_WAYS; i++)
        panel.curves[i] = (sb_graph_curve){names[i], colours[i],
                                           offset + (size_t)i * sizeof(double)};
    return panel;
}

static sb_graph_def graph_of(const bench_world_point *points, int count,
                             const sb_graph_panel *panels, int panel_count) {
    return (sb_graph_def){.points = points,
                          .point_size = sizeof *points,
                          .point_count = count,
                          .time_offset = AT(time_s),
                          .step_s = BENCH_BLOCK_S,
                          .panels = panels,
                          .panel_count = panel_count,
                          .to_s = {count * BENCH_BLOCK_S},
                          .view_count = 1};
}

/* Before the first ring lands the rate is almost unlimited: the axis ends at
 * four times the minimum of the best variant. */
static sb_status plot_rings(const char *path, bench_world_point *points,
                            int count, const bench_world_rings *of,
                            sb_error *err) {
    char facts[96];
    (void)snprintf(facts, sizeof facts, "%d rings  %.0f events  %.0f Hz",
                   of->rings, of->events, of->rate_hz);
    double high = 0.0;
    for (int k = 0; k < BENCH_WORLD_WAYS; k++)
        high = fmax(high, 4.0 * of->ways[k].fps_least);
    high = round_up(high);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < BENCH_WORLD_WAYS; k++)
            points[i].fps[k] = fmin(points[i].fps[k], high);
    sb_graph_panel panels[2] = {
        panel_of("audio frames", "1/s", high, AT(fps)),
        panel_of("modes mixed", "",
                 most_of(points, count, AT(modes), BENCH_WORLD_WAYS),
                 AT(modes))};
    sb_graph_def def = graph_of(points, count, panels, 2);
    def.title = "rings on a table";
    def.facts = facts;
    return sb_graph_write(path, &def, err);
}

static sb_status plot_bar(const char *path, const bench_world_point *points,
                          int count, sb_error *err) {
    sb_graph_panel panel = {
        .name = "modes mixed",
        .unit = "",
        .high = most_of(points, count, AT(bar), 2),
        .curves = {{"tau 0.01", colours[0], AT(bar)},
                   {"tau 2", colours[2], AT(bar) + sizeof(double)}},
        .curve_count = 2};
    sb_graph_def def = graph_of(points, count, &panel, 1);
    def.title = "a struck bar";
    def.facts = "";
    /* Two views: the whole time, and the beginning. */
    def.view_count = 2;
    def.to_s[0] = fmin(count * BENCH_BLOCK_S, 1.0);
    def.to_s[1] = fmin(count * BENCH_BLOCK_S, 0.1);
    return sb_graph_write(path, &def, err);
}

sb_status bench_world_plot(const char *path, bench_world_point *points,
                           int count, const bench_world_rings *of,
                           sb_error *err) {
    char beside[4096];
    const char *dot = strrchr(path, '.');
    int stem = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);
    int length =
        snprintf(beside, sizeof beside, "%.*s_bar%s", stem, path, path + stem);
    if (length < 0 || (size_t)length >= sizeof beside)
        return sb_fail(err, SB_BAD_ARGUMENT, "%.200s: the path is too long",
                       path);
    sb_status status = plot_rings(path, points, count, of, err);
    return status ? status : plot_bar(beside, points, count, err);
}
