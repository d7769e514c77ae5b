#include "bindings/cli/bench_world_plot.h"

#include "runtime/media/graph.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define AT(field) offsetof(bench_world_point, field)

static const sb_colour colours[BENCH_WORLD_WAYS] = {
    {230, 120, 100, 255}, {240, 200, 110, 255}, {130, 200, 255, 255}};
static const char *const names[BENCH_WORLD_WAYS] = {"nothing", "saving",
                                                    "scaling"};

/* The next 1, 2 or 5 above. */
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
        const double *at = (const double *)((const char *)&points[i] + offset);
        for (int k = 0; k < curves; k++)
            most = fmax(most, at[k]);
    }
    return round_up(most);
}

static sb_graph_panel panel_of(const char *name, const char *unit,
                               const bench_world_point *points, int count,
                               size_t offset) {
    sb_graph_panel panel = {
        .name = name,
        .unit = unit,
        .high = most_of(points, count, offset, BENCH_WORLD_WAYS),
        .curve_count = BENCH_WORLD_WAYS};
    for (int i = 0; i < BENCH_WORLD_WAYS; i++)
        panel.curves[i] = (sb_graph_curve){names[i], colours[i],
                                           offset + (size_t)i * sizeof(double)};
    return panel;
}

sb_status bench_world_plot(const char *path, const bench_world_point *points,
                           int count, const bench_world_rings *of,
                           sb_error *err) {
    char facts[96];
    (void)snprintf(facts, sizeof facts, "%d rings  %d impacts  %.0f Hz",
                   of->rings, of->impacts, of->rate_hz);
    sb_graph_panel panels[3] = {
        panel_of("audio frames", "1/s", points, count, AT(fps)),
        panel_of("modes mixed", "", points, count, AT(modes)),
        {.name = "modes of a bar",
         .unit = "",
         .high = most_of(points, count, AT(bar), 2),
         .curves = {{"tau 0.01", colours[0], AT(bar)},
                    {"tau 2", colours[2], AT(bar) + sizeof(double)}},
         .curve_count = 2}};
    sb_graph_def def = {.title = "rings on a table",
                        .facts = facts,
                        .points = points,
                        .point_size = sizeof *points,
                        .point_count = count,
                        .time_offset = AT(time_s),
                        .step_s = BENCH_BLOCK_S,
                        .panels = panels,
                        .panel_count = 3,
                        .to_s = {count * BENCH_BLOCK_S},
                        .view_count = 1};
    return sb_graph_write(path, &def, err);
}
