#include "bindings/cli/console/bench_options.h"

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

bool bench_options_read(int argc, char **argv, bench_options *out,
                        const char **what) {
    static const cli_verb verb = {.name = "bench", .options = bench_rows};
    *out = (bench_options){.reloads = 10000, .sets = 1e6, .rings = 100};
    return parse_options(&verb, argc, argv, out, what, 0, 1);
}
