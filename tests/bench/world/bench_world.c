/* SPDX-License-Identifier: MIT */
/* bench world: runs its parts and reports them. Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "runtime/base/memory.h"
#include "tests/bench/bench.h"
#include "tests/bench/world/rings_world.h"

typedef struct world_bench {
    bench_world_def def;
    bench_world_rings rings;
    bench_world_many many;
    bench_world_bar bar;
    bench_world_crowd crowd;
    bench_world_rest rest;
    bench_world_point *points;
    int point_count;
} world_bench;

static const char *const way_names[BENCH_WORLD_WAYS] = {
    "with nothing", "compressed and truncated", "and quality scaling"};
static const char *const way_keys[BENCH_WORLD_WAYS] = {"plain", "saving",
                                                       "scaling"};

/* Columns of a load, and their values in the same order. */
#define LOAD_COLUMNS                                                       \
    {"p50", "p50", "%5.1f %%", 100}, {"p99", "p99", "%5.1f %%", 100},      \
        {"worst", "worst", "%5.1f %%", 100}, {"late", "late", "%6.0f", 0}, \
        {"contacts_lasting", "lasting", "%7.0f", 0},                       \
        {"modes_wanted", "wanted", "%9.0f", 0},                            \
        {"modes_mixed", "mixed", "%9.0f", 0}, {"blocks", NULL, NULL, 0},   \
        {"late_by_the_wall_clock", NULL, NULL, 0},                         \
        {"dropped_share", NULL, NULL, 0}, {                                \
        NULL, NULL, NULL, 0                                                \
    }
#define LOAD_VALUES(load)                                                    \
    (load)->share.p50, (load)->share.p99, (load)->share.worst, (load)->late, \
        (load)->touching, (load)->wanted, (load)->mixed, (load)->blocks,     \
        (load)->late_wall, (load)->dropped_share

static void report_ways(report *to, const bench_world_rings *r) {
    static const report_column columns[] = {{"modes", "modes", "%8.0f", 0},
                                            {"fps", "frames/s", "%10.0f", 0},
                                            {"fps_least", "least", "%10.0f", 0},
                                            LOAD_COLUMNS};
    report_table(to, "", NULL, "audio, one core", 28, columns);
    for (int i = 0; i < BENCH_WORLD_WAYS; i++) {
        const bench_world_way *w = &r->ways[i];
        (void)report_row(
            to, way_keys[i], way_names[i],
            (double[]){w->modes, w->fps, w->fps_least, LOAD_VALUES(&w->load)});
    }
    report_end(to);
    report_say(to,
               "  (100 frames per second are real time; scaling had %.2f %% of "
               "a core, half of what was wanted)\n\n",
               100.0 * r->budget);
}

static void report_rings(report *to, const bench_world_rings *r) {
    static const report_column columns[] = {{NULL, "mean", "%6.1f %%", 100},
                                            {NULL, "busiest", "%6.1f %%", 100},
                                            {NULL, NULL, NULL, 0}};
    const char *const parts[2][3] = {
        {"world", "world_most", "moving the world"},
        {"audio", "audio_most", "audio"}};
    const double shares[2][2] = {{r->world, r->world_most},
                                 {r->audio, r->audio_most}};
    report_say(to,
               "%d bronze rings rain on a wooden table: %.0f events in %.0f s, "
               "%.0f steps of the world a second\n\n",
               r->rings, r->events, r->seconds, r->rate_hz);
    report_begin(to, "rings");
    report_put(to, "rings", r->rings);
    report_put(to, "seconds", r->seconds);
    report_put(to, "events", r->events);
    report_put(to, "world_rate", r->rate_hz);
    report_put(to, "budget", r->budget);
    report_ways(to, r);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            report_put(to, parts[i][k], shares[i][k]);
    report_put_flag(to, "is_realtime", r->is_realtime);
    report_put(to, "rings_realtime", r->realtime);
    report_put_flag(to, "perhaps_more", r->is_more);
    report_end(to);
    report_table(to, NULL, NULL, "of real time", 28, columns);
    for (int i = 0; i < 2; i++)
        (void)report_row(to, NULL, parts[i][2], shares[i]);
    report_end(to);
    report_say(to, "  %-28s %s; at 240 steps per second %d rings are%s\n\n",
               "in real time on two cores", r->is_realtime ? "yes" : "no",
               r->realtime, r->is_more ? ", and perhaps more" : "");
}

static void report_many(report *to, const bench_world_many *r) {
    static const report_column columns[] = {
        {"rings", "rings", "%8.0f", 0},     {"events", "events", "%8.0f", 0},
        {"unheard", "unheard", "%8.0f", 0}, {"seconds", NULL, NULL, 0},
        {"budget", NULL, NULL, 0},          LOAD_COLUMNS};
    report_say(to, "audio of many, a budget of %.0f %%\n\n", 100.0 * r->budget);
    report_table(to, "many", "name", NULL, 0, columns);
    (void)report_row(to, NULL, NULL,
                     (double[]){r->rings, r->events, (double)r->unheard,
                                r->seconds, r->budget, LOAD_VALUES(&r->load)});
    report_end(to);
}

static void report_crowd(report *to, const bench_world_crowd *c) {
    static const report_column columns[] = {
        {"bodies", "bodies", "%8.0f", 0},
        {"modes", "modes", "%9.0f", 0},
        {"modes_fitting", "fitting", "%9.0f", 0},
        {"budget", "budget", "%5.0f %%", 100},
        {"impacts_dropped", "dropped", "%8.0f", 0},
        {"ten_loudest_worst_db", "loudest, dB", "%11.2f", 0},
        LOAD_COLUMNS};
    report_say(to, "\nfar more modes than fit into the budget; how far the ten "
                   "loudest bodies are from a render of everything\n\n");
    report_table(to, "", NULL, NULL, 0, columns);
    (void)report_row(to, "crowd", NULL,
                     (double[]){c->bodies, c->modes, c->fitting, c->budget,
                                (double)c->impacts_dropped, c->worst_db,
                                LOAD_VALUES(&c->load)});
    report_end(to);
}

static void report_rest(report *to, const world_bench *b) {
    report_begin(to, "bar");
    report_say(to, "\na struck bar of %d modes\n\n", b->bar.modes);
    report_put(to, "modes", b->bar.modes);
    report_value(to, "mixed_at_0.01", "modes mixed per block at tau = 0.01",
                 "%8.1f", 1, b->bar.mixed[0]);
    report_value(to, "mixed_at_2", "at tau = 2", "%8.1f", 1, b->bar.mixed[1]);
    report_value(to, "saving", "saved", "%8.0f %%", 100, b->bar.saving);
    report_value(to, "difference_db", "difference of the sounds", "%8.0f dB", 1,
                 b->bar.differ_db);
    report_end(to);
    report_begin(to, "rest");
    report_say(to, "\nall rings at rest\n\n");
    report_value(to, "silent_after_s", "silent after", "%8.0f s", 1,
                 b->rest.waited_s);
    report_value(to, "rest_us", "a block costs", "%8.2f us", 1,
                 1e6 * b->rest.rest_s);
    report_value(to, "empty_us", "a block of an empty scene", "%8.2f us", 1,
                 1e6 * b->rest.empty_s);
    report_end(to);
}

static sb_status measure(world_bench *b, sb_error *err) {
    progress_show("measuring", -1.0, "rings, about two minutes in all");
    sb_status status = bench_world_rings_run(&b->def, &b->rings, &b->points,
                                             &b->point_count, err);
    progress_show("measuring", -1.0, "how many in real time");
    if (!status) status = bench_world_realtime(&b->def, &b->rings, err);
    progress_show("measuring", -1.0, "many");
    if (!status) status = bench_world_many_run(&b->def, &b->many, err);
    progress_show("measuring", -1.0, "a bar, a crowd, and peace");
    if (!status)
        status = bench_world_bar_run(b->points, b->point_count, &b->bar, err);
    if (!status) status = bench_world_crowd_run(&b->def, &b->crowd, err);
    if (!status) status = bench_world_rest_run(&b->def, &b->rest, err);
    return status;
}

sb_status bench_world(const bench_options *options, report *to, sb_error *err) {
    int rings = (int)options->rings;
    bool is_quick = options->is_quick;
    world_bench bench = {.def = {.rings = rings,
                                 .seconds = is_quick ? 0.6 : 3.0,
                                 .many = 5 * rings,
                                 .crowd_times = is_quick ? 0.2 : 10.0,
                                 .tries = is_quick ? 1 : 3}};
    sb_status status = measure(&bench, err);
    if (!status && options->plot)
        status = bench_world_plot(options->plot, bench.points,
                                  bench.point_count, &bench.rings, err);
    sb_free(bench.points);
    if (status) return status;
    report_rings(to, &bench.rings);
    report_many(to, &bench.many);
    report_crowd(to, &bench.crowd);
    report_rest(to, &bench);
    report_say(to, "\n");
    report_begin(to, "motion");
    status = bench_motion(options, to, err);
    report_end(to);
    return status;
}
