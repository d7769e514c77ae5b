/* SPDX-License-Identifier: MIT */
/* sandbell_bench, started by `sandbell bench`: finds the bench and runs it.
 * Compare ratios within one run. Thread: control. */
#include "bindings/cli/console/pipe_out.h"
#include "bindings/cli/console/terminal.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"

#include <stdio.h>
#include <string.h>

typedef struct bench_row {
    const char *name, *json; /* json: the object's name, NULL for the root */
    const char *takes;       /* how long */
    bench_run *run;
} bench_row;

static const bench_row benches[] = {
    {"modal_bank", "modal_bank", "about five seconds", bench_modal_bank},
    {"live", "live", "about two minutes", bench_live},
    {"modes", NULL, "minutes", bench_modes},
    {"contacts", "contacts", "a few seconds", bench_contacts},
    {"room", "room", "a few seconds", bench_room},
    {"ears", "ears", "a few seconds", bench_ears},
    {"directions", "directions", "a few seconds", bench_directions},
    {"textures", "textures", "about ten seconds", bench_textures},
    {"world", "world", "minutes", bench_world},
    {"motion", "motion", "ten minutes", bench_motion},
    {"deformable", "deformable", "six minutes", bench_deformable},
    {"air", "air", "a few seconds", bench_air},
    {"levels", "levels", "minutes", bench_levels},
    {"first_sound", "first_sound", "a minute", bench_first_sound},
};
enum { BENCHES = sizeof benches / sizeof *benches };

static const bench_row campaign = {"contacts", "energy",
                                   "some minutes for a million", bench_energy};

static int unknown(const char *what) {
    (void)fprintf(stderr, "sandbell bench: '%s' is not measured; known are ",
                  what);
    for (int i = 0; i < BENCHES; i++)
        (void)fprintf(stderr, "%s%s",
                      i == 0             ? ""
                      : i + 1 == BENCHES ? " and "
                                         : ", ",
                      benches[i].name);
    (void)fprintf(stderr, "\n");
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    bench_options options;
    const char *what = "modal_bank";
    hold_streams();
    choose_blas(argv);
    if (!bench_options_read(argc - 1, argv + 1, &options, &what))
        return EXIT_USAGE;
    const bench_row *row = NULL;
    for (int i = 0; i < BENCHES; i++)
        if (strcmp(benches[i].name, what) == 0) row = &benches[i];
    if (!row) return unknown(what);
    if (row->run == bench_contacts && options.is_campaign) row = &campaign;
    sb_error err;
    report to;
    report_open(&to, row->json, options.is_json);
    progress_show("measuring", -1.0, row->takes);
    sb_status status = row->run(&options, &to, &err);
    progress_end();
    int code = report_close(&to, status != SB_OK);
    if (status) code = fail_with(&err);
    (void)pipe_out_drain();
    return code;
}
