/* sandbell bench world: runs its parts and prints them as tables or as JSON.
 * Thread: control. */
#include "bindings/cli/bench/bench_world_run.h"

#include "bindings/cli/bench/bench_motion_run.h"
#include "bindings/cli/bench/bench_world.h"
#include "bindings/cli/bench/bench_world_plot.h"
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/base/memory.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

typedef struct world_bench {
    bench_world_def def;
    bench_world_rings rings;
    bench_world_replay replays[2];
    bench_world_bar bar;
    bench_world_crowd crowd;
    bench_world_rest rest;
    bench_motion motion;
    bench_world_point *points;
    int point_count;
    sb_world_log *log;
} world_bench;

static const char *const way_names[BENCH_WORLD_WAYS] = {
    "with nothing", "compressed and truncated", "and quality scaling"};
static const char *const way_keys[BENCH_WORLD_WAYS] = {"plain", "saving",
                                                       "scaling"};

/* --- one JSON object ------------------------------------------------------ */

static void put(cJSON *to, const char *name, double number) {
    (void)cJSON_AddNumberToObject(to, name, number);
}

static void put_load(cJSON *to, const bench_load *load) {
    put(to, "blocks", load->blocks);
    put(to, "p50", load->p50);
    put(to, "p99", load->p99);
    put(to, "worst", load->worst);
    put(to, "late", load->late);
    put(to, "late_by_the_wall_clock", load->late_wall);
    put(to, "modes_wanted", load->wanted);
    put(to, "modes_mixed", load->mixed);
    put(to, "contacts_lasting", load->touching);
    put(to, "dropped_share", load->dropped_share);
}

static void put_rings(cJSON *to, const bench_world_rings *r) {
    cJSON *json = cJSON_AddObjectToObject(to, "rings");
    put(json, "rings", r->rings);
    put(json, "seconds", r->seconds);
    put(json, "impacts", r->impacts);
    put(json, "world_rate", r->rate_hz);
    put(json, "budget", r->budget);
    for (int i = 0; i < BENCH_WORLD_WAYS; i++) {
        cJSON *way = cJSON_AddObjectToObject(json, way_keys[i]);
        put(way, "modes", r->ways[i].modes);
        put(way, "fps", r->ways[i].fps);
        put(way, "fps_least", r->ways[i].fps_least);
        put_load(way, &r->ways[i].load);
    }
    put(json, "world", r->world);
    put(json, "world_most", r->world_most);
    put(json, "telling", r->told);
    put(json, "telling_most", r->told_most);
    put(json, "audio", r->audio);
    put(json, "audio_most", r->audio_most);
    (void)cJSON_AddBoolToObject(json, "is_realtime", r->is_realtime);
    put(json, "rings_realtime", r->realtime);
    (void)cJSON_AddBoolToObject(json, "perhaps_more", r->is_more);
}

static void put_rest(cJSON *to, const world_bench *b) {
    cJSON *replays = cJSON_AddArrayToObject(to, "replays");
    for (int i = 0; i < 2; i++) {
        cJSON *json = cJSON_CreateObject();
        put(json, "rings", b->replays[i].rings);
        put(json, "impacts", b->replays[i].impacts);
        put(json, "seconds", b->replays[i].seconds);
        put(json, "unheard", (double)b->replays[i].unheard);
        put(json, "budget", b->replays[i].budget);
        put_load(json, &b->replays[i].load);
        (void)cJSON_AddItemToArray(replays, json);
    }
    cJSON *bar = cJSON_AddObjectToObject(to, "bar");
    put(bar, "modes", b->bar.modes);
    put(bar, "mixed_at_0.01", b->bar.mixed[0]);
    put(bar, "mixed_at_2", b->bar.mixed[1]);
    put(bar, "saving", b->bar.saving);
    put(bar, "difference_db", b->bar.differ_db);
    cJSON *crowd = cJSON_AddObjectToObject(to, "crowd");
    put(crowd, "bodies", b->crowd.bodies);
    put(crowd, "modes", b->crowd.modes);
    put(crowd, "modes_fitting", b->crowd.fitting);
    put(crowd, "budget", b->crowd.budget);
    put(crowd, "impacts_dropped", (double)b->crowd.impacts_dropped);
    put(crowd, "ten_loudest_worst_db", b->crowd.worst_db);
    put_load(crowd, &b->crowd.load);
    cJSON *rest = cJSON_AddObjectToObject(to, "rest");
    put(rest, "empty_us", b->rest.empty_s * 1e6);
    put(rest, "rest_us", b->rest.rest_s * 1e6);
    put(rest, "silent_after_s", b->rest.waited_s);
}

static int print_json(const world_bench *b) {
    cJSON *json = cJSON_CreateObject();
    cJSON *world = cJSON_AddObjectToObject(json, "world");
    put_rings(world, &b->rings);
    put_rest(world, b);
    bench_motion_put(world, &b->motion);
    char *text = cJSON_Print(json);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
    return text ? EXIT_OK : EXIT_SCRIPT;
}

/* --- a table -------------------------------------------------------------- */

static void print_rings(const bench_world_rings *r) {
    (void)printf(
        "%d bronze rings rain on a wooden table: %d impacts in %.0f s, "
        "%.0f steps of the world a second\n\n",
        r->rings, r->impacts, r->seconds, r->rate_hz);
    (void)printf("  %-28s %8s %8s %10s %10s\n", "audio, one core", "modes",
                 "mixed", "frames/s", "least");
    for (int i = 0; i < BENCH_WORLD_WAYS; i++) {
        const bench_world_way *w = &r->ways[i];
        (void)printf("  %-28s %8d %8.0f %10.0f %10.0f\n", way_names[i],
                     w->modes, w->load.mixed, w->fps, w->fps_least);
    }
    (void)printf(
        "  (100 frames per second are real time; scaling had %.2f %% of "
        "a core, half of what was wanted)\n\n",
        100.0 * r->budget);
    (void)printf("  %-28s %8s %8s of real time\n", "", "mean", "busiest");
    (void)printf("  %-28s %6.1f %% %6.1f %%\n", "moving the world",
                 100.0 * r->world, 100.0 * r->world_most);
    (void)printf("  %-28s %6.1f %% %6.1f %%\n", "telling what is heard",
                 100.0 * r->told, 100.0 * r->told_most);
    (void)printf("  %-28s %6.1f %% %6.1f %%\n", "audio", 100.0 * r->audio,
                 100.0 * r->audio_most);
    (void)printf("  %-28s %s; at 240 steps per second %d rings are%s\n\n",
                 "in real time on two cores", r->is_realtime ? "yes" : "no",
                 r->realtime, r->is_more ? ", and perhaps more" : "");
}

static void print_replays(const bench_world_replay *replays) {
    (void)printf("audio alone, contacts from a log, a budget of %.0f %%\n\n"
                 "  %8s %8s %7s %7s %7s %6s %7s %9s %9s %8s\n",
                 100.0 * replays[0].budget, "rings", "impacts", "p50", "p99",
                 "worst", "late", "lasting", "wanted", "mixed", "unheard");
    for (int i = 0; i < 2; i++) {
        const bench_world_replay *r = &replays[i];
        (void)printf(
            "  %8d %8d %5.1f %% %5.1f %% %5.1f %% %6d %7.0f %9.0f %9.0f "
            "%8lld\n",
            r->rings, r->impacts, 100.0 * r->load.p50, 100.0 * r->load.p99,
            100.0 * r->load.worst, r->load.late, r->load.touching,
            r->load.wanted, r->load.mixed, r->unheard);
    }
}

static void print_rest(const world_bench *b) {
    const bench_world_crowd *c = &b->crowd;
    (void)printf("\n  a struck bar of %d modes mixes %.1f a block at tau = "
                 "0.01 and %.1f at 2: %.0f %% less, %.0f dB apart\n",
                 b->bar.modes, b->bar.mixed[0], b->bar.mixed[1],
                 100.0 * b->bar.saving, b->bar.differ_db);
    (void)printf(
        "  %d bodies of %.0f modes in all, %.1f times what fits into "
        "%.0f %%: p50 %.1f %%, p99 %.1f %%, worst %.1f %%,\n"
        "    %d of %d blocks late (%d by the wall clock), %lld impacts "
        "dropped; the ten loudest within %.2f dB\n",
        c->bodies, c->modes, c->modes / c->fitting, 100.0 * c->budget,
        100.0 * c->load.p50, 100.0 * c->load.p99, 100.0 * c->load.worst,
        c->load.late, c->load.blocks, c->load.late_wall, c->impacts_dropped,
        c->worst_db);
    (void)printf("  at rest a block costs %.2f us, of an empty scene %.2f us: "
                 "%.2f times\n",
                 b->rest.rest_s * 1e6, b->rest.empty_s * 1e6,
                 b->rest.rest_s / b->rest.empty_s);
}

/* --- all of it ------------------------------------------------------------ */

static sb_status measure(world_bench *b, bool is_quick, sb_error *err) {
    progress_show("measuring", -1.0, "rings, about two minutes in all");
    sb_status status = bench_world_rings_run(&b->def, &b->rings, &b->points,
                                             &b->point_count, &b->log, err);
    progress_show("measuring", -1.0, "how many in real time");
    if (!status) status = bench_world_realtime(&b->def, &b->rings, err);
    progress_show("measuring", -1.0, "many, without the world");
    if (!status) status = bench_world_replays(&b->def, b->replays, err);
    progress_show("measuring", -1.0, "a bar, a crowd, and peace");
    if (!status)
        status = bench_world_bar_run(b->points, b->point_count, &b->bar, err);
    if (!status) status = bench_world_crowd_run(&b->def, &b->crowd, err);
    if (!status) status = bench_world_rest_run(&b->def, b->log, &b->rest, err);
    progress_end();
    if (!status)
        status = bench_motion_measure(&bench_table_motion, is_quick, NULL,
                                      &b->motion, err);
    progress_end();
    return status;
}

static int print_all(const world_bench *b, bool is_json) {
    if (is_json) return print_json(b);
    print_rings(&b->rings);
    print_replays(b->replays);
    print_rest(b);
    (void)printf("\n");
    bench_motion_print(&b->motion);
    return EXIT_OK;
}

int bench_world_run(const bench_world_options *options) {
    sb_error err;
    world_bench bench = {.def = {.rings = options->rings,
                                 .seconds = 3.0,
                                 .many = 5 * options->rings,
                                 .copies = 4,
                                 .crowd_times = 10.0,
                                 .tries = 3}};
    if (options->is_quick) {
        bench.def.seconds = 0.6;
        bench.def.crowd_times = 0.2;
        bench.def.tries = 1;
    }
    sb_status status = measure(&bench, options->is_quick, &err);
    if (!status && options->plot)
        status = bench_world_plot(options->plot, bench.points,
                                  bench.point_count, &bench.rings, &err);
    sb_free(bench.points);
    sb_world_log_destroy(bench.log);
    int code = status ? fail_with(&err) : print_all(&bench, options->is_json);
    bench_motion_free(&bench.motion);
    return code;
}
