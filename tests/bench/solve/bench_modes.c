/* SPDX-License-Identifier: MIT */
/* bench modes: from matrices and meshes to modes. Each row is printed
 * as soon as it is measured, because the whole bench takes minutes.
 * Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "tests/bench/bench.h"
#include "tests/bench/solve/eigen_plate.h"
#include "tests/bench/solve/mesh_to_model.h"

#include <math.h>

/* Seconds that mesh2faust (R. Michon, S. Martin, J. Smith, ICMC 2017) takes
 * from a mesh to 200 modes: figures noted for this project, not measured here.
 * It fills its meshes with tetrahedra, so compare only the order of magnitude.
 */
typedef struct known {
    int vertices;
    double seconds[3]; /* plate, sphere, bell */
} known;

static const known mesh2faust[] = {{2000, {8, 18, 46}},
                                   {5000, {26, 80, 187}},
                                   {10000, {71, 336, 548}},
                                   {20000, {0, 0, 0}}};
enum { SIZES = 4, QUICK_SIZES = 2, SHELL_FORMS = 3, MODES = 200 };

/* NaN: it did not run. */
static double seconds(const bench_eigen_cost *cost) {
    return cost->wall_s > 0 ? cost->wall_s : (double)NAN;
}

static const report_column eigen_columns[] = {
    {"unknowns", "unknowns", "%8.0f", 0},
    {"modes", NULL, NULL, 0},
    {"lapack_s", "LAPACK", "%9.2f", 0},
    {"ours_s", "ours", "%9.2f", 0},
    {"ours_cpu_s", "our cpu", "%9.2f", 0},
    {"worst_residual", "residual", "%10.1e", 0},
    {"disagreement", "differ", "%9.1e", 0},
    {"factor_mb", "L, MB", "%7.0f", 0},
    {"ours_mb", "all, MB", "%7.0f", 0},
    {NULL, NULL, NULL, 0}};

static sb_status run_eigen(bool is_quick, report *to, sb_error *err) {
    static const int sides[] = {22, 50, 71};
    report_say(to, "500 modes of a plate of beams, the same matrices for all, "
                   "in seconds\n\n");
    report_table(to, "same_matrices", "name", NULL, 0, eigen_columns);
    for (int i = 0; i < (is_quick ? 2 : 3); i++) {
        bench_eigen_def def = {
            .side = sides[i], .modes = 500, .with_dense = i == 0};
        bench_eigen_result r;
        progress_show("measuring", -1.0, "LAPACK, ours");
        sb_status status = bench_eigen(&def, &r, err);
        if (status) return status;
        (void)report_row(to, NULL, NULL,
                         (double[]){r.unknowns, r.modes, seconds(&r.dense),
                                    r.ours.wall_s, r.ours.cpu_s,
                                    r.ours.worst_residual, r.disagreement,
                                    1e-6 * (double)r.factor_bytes,
                                    1e-6 * (double)r.ours.peak_bytes});
    }
    report_end(to);
    return SB_OK;
}

/* --- from a mesh to a model ----------------------------------------------- */

static const report_column body_columns[] = {
    {"vertices", "vertices", "%8.0f", 0},
    {"nodes", NULL, NULL, 0},
    {"unknowns", "unknowns", "%8.0f", 0},
    {"modes", NULL, NULL, 0},
    {"clean_s", "clean", "%7.3f", 0},
    {"fill_s", "fill", "%7.3f", 0},
    {"assembly_s", "assemble", "%8.3f", 0},
    {"modes_s", "modes", "%7.2f", 0},
    {"finish_s", "finish", "%7.3f", 0},
    {"total_s", "total", "%7.2f", 0},
    {"cpu_s", "cpu", "%7.2f", 0},
    {"peak_mb", NULL, NULL, 0},
    {"mesh2faust_s", "mesh2faust", "%10.0f", 0},
    {"mesh2faust_over_ours", "times", "%6.0f", 0},
    {NULL, NULL, NULL, 0}};

static sb_status run_body(const bench_body_def *def, double other_s,
                          bench_body_result *r, report *to, sb_error *err) {
    const char *name = bench_form_name(def->form);
    progress_show("measuring", -1.0, name);
    sb_status status = bench_body(def, r, err);
    if (status) return status;
    double other = other_s > 0 ? other_s : (double)NAN;
    (void)report_row(to, name, NULL,
                     (double[]){r->vertices, r->nodes, r->unknowns, r->modes,
                                r->clean_s, r->fill_s, r->assembly_s,
                                r->modes_s, r->finish_s, r->total_s, r->cpu_s,
                                1e-6 * (double)r->peak_bytes, other,
                                other / r->total_s});
    return SB_OK;
}

static sb_status run_shells(bool is_quick, report *to, sb_error *err) {
    int sizes = is_quick ? QUICK_SIZES : SIZES;
    double growth[SHELL_FORMS];
    report_say(to,
               "\n%d modes of shells 2 mm thick, from soup to model, in "
               "seconds, beside\nthose noted for mesh2faust (Michon, Martin, "
               "Smith, ICMC 2017), not of this run\n\n",
               (int)MODES);
    report_table(to, "shells", "body", "", 7, body_columns);
    for (int f = 0; f < SHELL_FORMS; f++) {
        bench_body_result results[SIZES];
        for (int i = 0; i < sizes; i++) {
            bench_body_def def = {.form = (bench_form)f,
                                  .vertices = mesh2faust[i].vertices,
                                  .modes = MODES,
                                  .thickness_m = 0.002};
            sb_status status =
                run_body(&def, mesh2faust[i].seconds[f], &results[i], to, err);
            if (status) return status;
        }
        growth[f] = bench_growth(&results[0], &results[sizes - 1]);
    }
    report_end(to);
    report_say(to,
               "\n  time grows with vertices, from %d to %d, to the power of\n",
               mesh2faust[0].vertices, mesh2faust[sizes - 1].vertices);
    report_begin(to, "growth");
    for (int f = 0; f < SHELL_FORMS; f++) {
        const char *name = bench_form_name((bench_form)f);
        report_value(to, name, name, "%8.2f", 1, growth[f]);
    }
    report_end(to);
    return SB_OK;
}

static sb_status run_solid(report *to, sb_error *err) {
    bench_body_def def = {
        .form = BENCH_TORUS, .vertices = 5000, .modes = MODES};
    bench_body_result result;
    report_say(to, "\n%d modes of a closed surface, filled\n\n", (int)MODES);
    report_table(to, "solids", "body", "", 7, body_columns);
    sb_status status = run_body(&def, 0, &result, to, err);
    report_end(to);
    return status;
}

static sb_status run_cached(report *to, sb_error *err) {
    bench_body_def def = {
        .form = BENCH_BELL, .vertices = 5000, .thickness_m = 0.002};
    bench_cached_result r;
    progress_show("measuring", -1.0, "a cached model");
    sb_status status = bench_cached(&def, &r, err);
    if (status) return status;
    report_say(to,
               "\na bell of %d vertices up to 22 kHz, %d modes after merging, "
               "found again in a file\n\n",
               r.vertices, r.modes);
    report_begin(to, "cached");
    report_put(to, "vertices", r.vertices);
    report_put(to, "modes", r.modes);
    report_value(to, "solve_s", "solved", "%8.1f s", 1, r.solve_s);
    report_value(to, "file_mb", "the file", "%8.0f MB", 1,
                 1e-6 * (double)r.file_bytes);
    report_value(to, "read_ms", "read", "%8.1f ms", 1, 1e3 * r.read_s);
    report_value(to, "make_ms", "read and made a model", "%8.1f ms", 1,
                 1e3 * r.make_s);
    report_end(to);
    return SB_OK;
}

sb_status bench_modes(const bench_options *options, report *to, sb_error *err) {
    sb_status status = run_eigen(options->is_quick, to, err);
    if (!status) status = run_shells(options->is_quick, to, err);
    if (!status) status = run_solid(to, err);
    if (!status) status = run_cached(to, err);
    return status;
}
