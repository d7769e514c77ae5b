/* bindings/cli/bench/verb_bench.c -- sandbell bench: reads the command line and
 * runs one of the benches. Compare ratios within one run.
 * Thread: control. */
#include "bindings/cli/bench/bench_contacts_print.h"
#include "bindings/cli/bench/bench_first_sound.h"
#include "bindings/cli/bench/bench_levels.h"
#include "bindings/cli/bench/bench_live.h"
#include "bindings/cli/bench/bench_modes.h"
#include "bindings/cli/bench/bench_motion_run.h"
#include "bindings/cli/bench/bench_textures_run.h"
#include "bindings/cli/bench/bench_world_run.h"
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/bench/bench_modal_bank.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

typedef struct bench_options {
    bool is_json;
    bool is_quick;
    bool is_campaign;
    double sets;
    double reloads;
    double rings;
    const char *plot;
    const char *part;
} bench_options;

const option_row bench_rows[] = {
    {"--json", NULL, OPTION_FLAG, offsetof(bench_options, is_json), 0, 0, NULL,
     "print one JSON object"},
    {"--quick", NULL, OPTION_FLAG, offsetof(bench_options, is_quick), 0, 0,
     NULL,
     "with modes: only the smaller problems; with world, motion and "
     "deformable: shorter runs"},
    {"--reloads", NULL, OPTION_NUMBER, offsetof(bench_options, reloads), 10,
     1e6, "N", "with live: number of reloads (default 10000)"},
    {"--campaign", NULL, OPTION_FLAG, offsetof(bench_options, is_campaign), 0,
     0, NULL, "with contacts: check that no impact gains energy"},
    {"--sets", NULL, OPTION_NUMBER, offsetof(bench_options, sets), 100, 1e9,
     "N", "with --campaign: number of impacts (default 1000000)"},
    {"--rings", NULL, OPTION_NUMBER, offsetof(bench_options, rings), 1, 800,
     "N", "with world: number of rings (default 100)"},
    {"--plot", NULL, OPTION_OUTPUT, offsetof(bench_options, plot), 0, 0, "PNG",
     "with world: draw figure 8 here, figure 4 as ..._bar.png"},
    {"--part", NULL, OPTION_TEXT, offsetof(bench_options, part), 0, 0, "NAME",
     "with motion and deformable: only this part of the table"},
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

/* Other programs slow down both the peak and the bank: show the least disturbed
 * figures. */
static double best_peak_gflops(const sb_bench_modal_result *r) {
    /* Two multiply-adds, that is four operations, per mode and sample. */
    return r->free.best_modes * 4.0 * 48000.0 / r->free.best_share * 1e-9;
}

static int print_json(const sb_bench_modal_result *r) {
    cJSON *json = cJSON_CreateObject();
    cJSON *bank = cJSON_AddObjectToObject(json, "modal_bank");
    (void)cJSON_AddNumberToObject(bank, "fma_peak_gflops", best_peak_gflops(r));
    (void)cJSON_AddNumberToObject(bank, "fma_peak_256_gflops",
                                  r->fma_peak_256_gflops);
    (void)cJSON_AddNumberToObject(bank, "modes_realtime_free",
                                  r->free.best_modes);
    (void)cJSON_AddNumberToObject(bank, "modes_realtime_driven",
                                  r->driven.best_modes);
    (void)cJSON_AddNumberToObject(bank, "modes_realtime_naive",
                                  r->modes_realtime_naive);
    (void)cJSON_AddStringToObject(bank, "isa", r->isa);
    (void)cJSON_AddNumberToObject(bank, "modes_ringing", r->modes_ringing);
    (void)cJSON_AddNumberToObject(bank, "vector_bits", r->vector_bits);
    (void)cJSON_AddNumberToObject(bank, "share_free", r->free.best_share);
    (void)cJSON_AddNumberToObject(bank, "share_driven", r->driven.best_share);
    (void)cJSON_AddNumberToObject(bank, "median_share_free", r->free.share);
    (void)cJSON_AddNumberToObject(bank, "median_share_driven", r->driven.share);
    cJSON *sets = cJSON_AddArrayToObject(bank, "working_sets");
    for (int i = 0; i < SB_BENCH_MODAL_SETS; i++) {
        cJSON *set = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(set, "modes_ringing",
                                      r->sets[i].modes_ringing);
        (void)cJSON_AddNumberToObject(set, "modes_realtime_free",
                                      r->sets[i].free.modes);
        (void)cJSON_AddItemToArray(sets, set);
    }
    char *text = cJSON_Print(json);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
    return text ? EXIT_OK : EXIT_SCRIPT;
}

static void print_rate(const char *what, const sb_bench_rate *rate) {
    (void)printf("  %-34s %10.0f modes  %3.0f %% of the peak (median %.0f, "
                 "%.0f %%)\n",
                 what, rate->best_modes, 100.0 * rate->best_share, rate->modes,
                 100.0 * rate->share);
}

static void print_table(const sb_bench_modal_result *r) {
    (void)printf("modal bank at 48 kHz in blocks of 128 frames, one core, %s, "
                 "%d modes ringing in bodies of %d\n\n",
                 r->isa, r->modes_ringing, r->body_modes);
    (void)printf("  %-34s %10.0f GFLOPS with %d-bit vectors",
                 "multiply-add peak of this core", best_peak_gflops(r),
                 r->vector_bits);
    if (r->fma_peak_256_gflops > 0.0 && r->vector_bits > 256) {
        (void)printf(", %.0f with 256-bit", r->fma_peak_256_gflops);
    }
    (void)printf("\n");
    print_rate("ringing freely, in real time", &r->free);
    print_rate("driven by a force, in real time", &r->driven);
    (void)printf("  %-34s %10.0f modes\n\n", "naive bank, in real time",
                 r->modes_realtime_naive);
    (void)printf("  %10s %8s   in real time, if that many ring\n", "ringing",
                 "MB");
    for (int i = 0; i < SB_BENCH_MODAL_SETS; i++) {
        const sb_bench_modal_set *set = &r->sets[i];
        (void)printf("  %10d %8.1f   %10.0f modes  %3.0f %%\n",
                     set->modes_ringing, set->megabytes, set->free.best_modes,
                     100.0 * set->free.best_share);
    }
}

/* --- live ----------------------------------------------------------------- */

static void add_usage(cJSON *to, const char *name, const bench_live_usage *u) {
    cJSON *json = cJSON_AddObjectToObject(to, name);
    (void)cJSON_AddNumberToObject(json, "resident_kb", (double)u->resident_kb);
    (void)cJSON_AddNumberToObject(json, "descriptors", u->descriptors);
    (void)cJSON_AddNumberToObject(json, "threads", u->threads);
    (void)cJSON_AddNumberToObject(json, "lua_bytes", (double)u->lua_bytes);
    (void)cJSON_AddNumberToObject(json, "live_blocks", (double)u->live_blocks);
}

static int print_live_json(const bench_live_result *r) {
    cJSON *json = cJSON_CreateObject();
    cJSON *live = cJSON_AddObjectToObject(json, "live");
    (void)cJSON_AddNumberToObject(live, "bodies", r->bodies);
    (void)cJSON_AddNumberToObject(live, "modes", r->modes);
    (void)cJSON_AddNumberToObject(live, "save_to_sound_ms",
                                  r->save_to_sound_ms);
    (void)cJSON_AddNumberToObject(live, "save_to_sound_worst_ms",
                                  r->save_to_sound_worst_ms);
    (void)cJSON_AddNumberToObject(live, "same_residual",
                                  r->click.same_residual);
    cJSON *glides = cJSON_AddArrayToObject(live, "retune_clicks");
    for (int i = 0; i < BENCH_CLICK_PITCHES; i++) {
        const bench_click_glide *glide = &r->click.glides[i];
        cJSON *entry = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(entry, "hz", glide->hz);
        (void)cJSON_AddNumberToObject(entry, "dbfs", glide->dbfs);
        (void)cJSON_AddNumberToObject(entry, "ideal_dbfs", glide->ideal_dbfs);
        (void)cJSON_AddItemToArray(glides, entry);
    }
    (void)cJSON_AddNumberToObject(live, "saves_residual",
                                  r->click.saves_residual);
    (void)cJSON_AddNumberToObject(live, "reloads", r->reloads);
    (void)cJSON_AddNumberToObject(live, "reload_ms", r->reload_ms);
    (void)cJSON_AddNumberToObject(live, "blocks", (double)r->blocks);
    (void)cJSON_AddNumberToObject(live, "blocks_late", (double)r->blocks_late);
    (void)cJSON_AddNumberToObject(live, "worst_block", r->worst_block);
    (void)cJSON_AddNumberToObject(live, "empty_late", (double)r->empty_late);
    (void)cJSON_AddNumberToObject(live, "worst_empty", r->worst_empty);
    (void)cJSON_AddNumberToObject(live, "worst_work", r->worst_work);
    add_usage(live, "after_a_tenth", &r->early);
    add_usage(live, "after_all", &r->late);
    char *text = cJSON_Print(json);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
    return text ? EXIT_OK : EXIT_SCRIPT;
}

static void print_live(const bench_live_result *r) {
    const bench_live_usage *e = &r->early, *l = &r->late;
    (void)printf("a scene of %d bodies and %d ringing modes\n\n", r->bodies,
                 r->modes);
    (void)printf("  %-40s %8.1f ms (worst %.1f)\n",
                 "saved to heard, before the device", r->save_to_sound_ms,
                 r->save_to_sound_worst_ms);
    (void)printf("  %-40s %8g\n", "a reload that changes nothing adds",
                 r->click.same_residual);
    for (int i = 0; i < BENCH_CLICK_PITCHES; i++) {
        const bench_click_glide *glide = &r->click.glides[i];
        char what[64];
        (void)snprintf(what, sizeof what, "10 %% stiffer: beside %.0f Hz at -6",
                       glide->hz);
        (void)printf("  %-40s %8.1f dBFS (ideal glide %.1f)\n", what,
                     glide->dbfs, glide->ideal_dbfs);
    }
    (void)printf("  %-40s %8g in %d\n", "good and bad saves in turn add",
                 r->click.saves_residual, r->click.saves);
    (void)printf("  %-40s %8.2f ms\n", "one reload: load, compare, commit",
                 r->reload_ms);
    (void)printf("  %-40s %8d\n", "reloads at 10 a second of scene time",
                 r->reloads);
    (void)printf("  %-40s %8lld of %lld (worst %.0f %%)\n",
                 "blocks later than their deadline", r->blocks_late, r->blocks,
                 100.0 * r->worst_block);
    (void)printf("  %-40s %8lld of %lld (worst %.0f %%)\n",
                 "the same of an empty loop beside them", r->empty_late,
                 r->blocks, 100.0 * r->worst_empty);
    (void)printf("  %-40s %8.0f %%\n", "most work in a block, of its deadline",
                 100.0 * r->worst_work);
    (void)printf("\n  %-24s %14s %14s\n", "", "after a tenth", "after all");
    (void)printf("  %-24s %14ld %14ld\n", "resident memory, kB", e->resident_kb,
                 l->resident_kb);
    (void)printf("  %-24s %14d %14d\n", "file descriptors", e->descriptors,
                 l->descriptors);
    (void)printf("  %-24s %14d %14d\n", "threads", e->threads, l->threads);
    (void)printf("  %-24s %14ld %14ld\n", "Lua bytes", e->lua_bytes,
                 l->lua_bytes);
    (void)printf("  %-24s %14ld %14ld\n", "heap blocks", e->live_blocks,
                 l->live_blocks);
}

static int run_live(const bench_options *options) {
    sb_error err;
    bench_live_result result;
    progress_show("measuring", -1.0, "about two minutes");
    sb_status status = bench_live((int)options->reloads, &result, &err);
    progress_end();
    if (status) return fail_with(&err);
    if (options->is_json) return print_live_json(&result);
    print_live(&result);
    return EXIT_OK;
}

static int run_modal_bank(const bench_options *options) {
    sb_error err;
    sb_bench_modal_result result;
    progress_show("measuring", -1.0, "about five seconds");
    sb_status status = sb_bench_modal_bank(&result, &err);
    progress_end();
    if (status) return fail_with(&err);
    if (options->is_json) return print_json(&result);
    print_table(&result);
    return EXIT_OK;
}

int bench_main(int argc, char **argv) {
    bench_options options = {.reloads = 10000, .sets = 1e6, .rings = 100};
    const char *what = "modal_bank";
    if (!parse_options(&verb_bench, argc, argv, &options, &what, 0, 1)) {
        return EXIT_USAGE;
    }
    if (strcmp(what, "modal_bank") == 0) return run_modal_bank(&options);
    if (strcmp(what, "live") == 0) return run_live(&options);
    if (strcmp(what, "modes") == 0) {
        return bench_modes(options.is_quick, options.is_json);
    }
    if (strcmp(what, "contacts") == 0) {
        return options.is_campaign
                   ? bench_energy_run(options.sets, options.is_json)
                   : bench_contacts_run(options.is_json);
    }
    if (strcmp(what, "textures") == 0)
        return bench_textures_run(options.is_json);
    if (strcmp(what, "levels") == 0) return bench_levels_run(options.is_json);
    if (strcmp(what, "first_sound") == 0)
        return bench_first_sound_run(options.is_json);
    if (strcmp(what, "world") == 0) {
        return bench_world_run(
            &(bench_world_options){.rings = (int)options.rings,
                                   .is_quick = options.is_quick,
                                   .is_json = options.is_json,
                                   .plot = options.plot});
    }
    bool is_deformable = strcmp(what, "deformable") == 0;
    if (is_deformable || strcmp(what, "motion") == 0) {
        return bench_motion_run(&(bench_motion_options){
            .table =
                is_deformable ? &bench_table_deformable : &bench_table_motion,
            .is_quick = options.is_quick,
            .is_json = options.is_json,
            .part = options.part});
    }
    (void)fprintf(stderr,
                  "sandbell bench: '%s' is not measured; known are "
                  "modal_bank, live, modes, contacts, textures, world, "
                  "motion, deformable, levels and first_sound\n",
                  what);
    return EXIT_USAGE;
}
