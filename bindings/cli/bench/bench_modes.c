/* sandbell bench modes: from matrices and meshes to modes. Each row is printed
 * as soon as it is measured, because the whole bench takes minutes.
 * Thread: control. */
#include "bindings/cli/bench/bench_modes.h"

#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/terminal.h"
#include "runtime/bench/bench_eigen.h"
#include "runtime/bench/bench_modes.h"

#include <cjson/cJSON.h>
#include <stdio.h>

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

typedef struct run {
    bool is_quick;
    cJSON *json; /* NULL: a table is printed */
} run;

static void add(cJSON *to, const char *name, double value) {
    (void)cJSON_AddNumberToObject(to, name, value);
}

static double megabytes(size_t bytes) {
    return (double)bytes * 1e-6;
}

/* --- the same matrices ---------------------------------------------------- */

static const char *seconds(const sb_bench_eigen_cost *cost, char text[16]) {
    if (cost->wall_s <= 0) return "-";
    (void)snprintf(text, 16, "%.2f", cost->wall_s);
    return text;
}

static void print_eigen(const sb_bench_eigen_result *r) {
    char dense[16];
    (void)printf("  %8d %9s %9.2f %9.2f %10.1e %9.1e %7.0f %7.0f\n",
                 r->unknowns, seconds(&r->dense, dense), r->ours.wall_s,
                 r->ours.cpu_s, r->ours.worst_residual, r->disagreement,
                 megabytes(r->factor_bytes), megabytes(r->ours.peak_bytes));
    (void)fflush(stdout);
}

static void keep_eigen(cJSON *list, const sb_bench_eigen_result *r) {
    cJSON *row = cJSON_CreateObject();
    add(row, "unknowns", r->unknowns);
    add(row, "modes", r->modes);
    add(row, "lapack_s", r->dense.wall_s);
    add(row, "ours_s", r->ours.wall_s);
    add(row, "ours_cpu_s", r->ours.cpu_s);
    add(row, "worst_residual", r->ours.worst_residual);
    add(row, "disagreement", r->disagreement);
    add(row, "factor_mb", megabytes(r->factor_bytes));
    add(row, "ours_mb", megabytes(r->ours.peak_bytes));
    (void)cJSON_AddItemToArray(list, row);
}

static void print_eigen_head(void) {
    (void)printf(
        "500 modes of a plate of beams, the same matrices for all, in seconds\n"
        "\n  %8s %9s %9s %9s %10s %9s %7s %7s\n",
        "unknowns", "LAPACK", "ours", "our cpu", "residual", "differ", "L, MB",
        "all, MB");
}

static sb_status run_eigen(const run *own, sb_error *err) {
    static const int sides[] = {22, 50, 71};
    int count = own->is_quick ? 2 : 3;
    cJSON *list =
        own->json ? cJSON_AddArrayToObject(own->json, "same_matrices") : NULL;
    if (!own->json) print_eigen_head();
    for (int i = 0; i < count; i++) {
        sb_bench_eigen_def def = {
            .side = sides[i], .modes = 500, .with_dense = i == 0};
        sb_bench_eigen_result result;
        progress_show("measuring", -1.0, "LAPACK, ours");
        sb_status status = sb_bench_eigen(&def, &result, err);
        progress_end();
        if (status) return status;
        if (own->json) {
            keep_eigen(list, &result);
        } else {
            print_eigen(&result);
        }
    }
    return SB_OK;
}

/* --- from a mesh to a model ----------------------------------------------- */

static void print_body(const char *name, const sb_bench_body_result *r,
                       double other_s) {
    (void)printf("  %-7s %8d %8d %7.3f %7.3f %8.3f %7.2f %7.3f %7.2f %7.2f",
                 name, r->vertices, r->unknowns, r->clean_s, r->fill_s,
                 r->assembly_s, r->modes_s, r->finish_s, r->total_s, r->cpu_s);
    if (other_s > 0)
        (void)printf(" %6.0f %6.0f", other_s, other_s / r->total_s);
    (void)printf("\n");
    (void)fflush(stdout);
}

static void print_body_head(const char *others) {
    (void)printf("\n  %-7s %8s %8s %7s %7s %8s %7s %7s %7s %7s%s\n", "",
                 "vertices", "unknowns", "clean", "fill", "assemble", "modes",
                 "finish", "total", "cpu", others);
}

static void keep_body(cJSON *list, const char *name,
                      const sb_bench_body_result *r, double other_s) {
    cJSON *row = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(row, "body", name);
    add(row, "vertices", r->vertices);
    add(row, "nodes", r->nodes);
    add(row, "unknowns", r->unknowns);
    add(row, "modes", r->modes);
    add(row, "clean_s", r->clean_s);
    add(row, "fill_s", r->fill_s);
    add(row, "assembly_s", r->assembly_s);
    add(row, "modes_s", r->modes_s);
    add(row, "finish_s", r->finish_s);
    add(row, "total_s", r->total_s);
    add(row, "cpu_s", r->cpu_s);
    add(row, "peak_mb", megabytes(r->peak_bytes));
    if (other_s > 0) {
        add(row, "mesh2faust_s", other_s);
        add(row, "mesh2faust_over_ours", other_s / r->total_s);
    }
    (void)cJSON_AddItemToArray(list, row);
}

static sb_status show_body(const sb_bench_body_def *def, cJSON *list,
                           double other_s, sb_bench_body_result *result,
                           sb_error *err) {
    const char *name = sb_bench_form_name(def->form);
    progress_show("measuring", -1.0, name);
    sb_status status = sb_bench_body(def, result, err);
    progress_end();
    if (status) return status;
    if (list) {
        keep_body(list, name, result, other_s);
    } else {
        print_body(name, result, other_s);
    }
    return SB_OK;
}

static void show_growth(const run *own, const double growth[SHELL_FORMS],
                        int from, int to) {
    cJSON *json =
        own->json ? cJSON_AddObjectToObject(own->json, "growth") : NULL;
    if (!json) (void)printf("\n  time grows with vertices to the power of");
    for (int f = 0; f < SHELL_FORMS; f++) {
        const char *name = sb_bench_form_name((sb_bench_form)f);
        if (json) {
            add(json, name, growth[f]);
        } else {
            (void)printf("%s %.2f (%s)", f ? "," : "", growth[f], name);
        }
    }
    if (!json) (void)printf(", from %d to %d\n", from, to);
}

static sb_status run_shells(const run *own, sb_error *err) {
    int sizes = own->is_quick ? QUICK_SIZES : SIZES;
    double growth[SHELL_FORMS];
    cJSON *list =
        own->json ? cJSON_AddArrayToObject(own->json, "shells") : NULL;
    if (!list) {
        (void)printf("\n%d modes of shells 2 mm thick, from soup to model, in "
                     "seconds, beside\nthose noted for mesh2faust (Michon, "
                     "Martin, Smith, ICMC 2017), not of this run\n",
                     (int)MODES);
        print_body_head("  mesh2faust, times");
    }
    for (int f = 0; f < SHELL_FORMS; f++) {
        sb_bench_body_result results[SIZES];
        for (int i = 0; i < sizes; i++) {
            sb_bench_body_def def = {.form = (sb_bench_form)f,
                                     .vertices = mesh2faust[i].vertices,
                                     .modes = MODES,
                                     .thickness_m = 0.002};
            sb_status status = show_body(&def, list, mesh2faust[i].seconds[f],
                                         &results[i], err);
            if (status) return status;
        }
        growth[f] = sb_bench_growth(&results[0], &results[sizes - 1]);
    }
    show_growth(own, growth, mesh2faust[0].vertices,
                mesh2faust[sizes - 1].vertices);
    return SB_OK;
}

static sb_status run_solid(const run *own, sb_error *err) {
    cJSON *list =
        own->json ? cJSON_AddArrayToObject(own->json, "solids") : NULL;
    sb_bench_body_def def = {
        .form = SB_BENCH_TORUS, .vertices = 5000, .modes = MODES};
    sb_bench_body_result result;
    if (!list) {
        (void)printf("\n%d modes of a closed surface, filled\n", (int)MODES);
        print_body_head("");
    }
    return show_body(&def, list, 0, &result, err);
}

static sb_status run_cached(const run *own, sb_error *err) {
    sb_bench_body_def def = {
        .form = SB_BENCH_BELL, .vertices = 5000, .thickness_m = 0.002};
    sb_bench_cached_result r;
    progress_show("measuring", -1.0, "a cached model");
    sb_status status = sb_bench_cached(&def, &r, err);
    progress_end();
    if (status) return status;
    if (own->json) {
        cJSON *json = cJSON_AddObjectToObject(own->json, "cached");
        add(json, "vertices", r.vertices);
        add(json, "modes", r.modes);
        add(json, "file_mb", megabytes(r.file_bytes));
        add(json, "solve_s", r.solve_s);
        add(json, "read_ms", 1e3 * r.read_s);
        add(json, "make_ms", 1e3 * r.make_s);
        return SB_OK;
    }
    (void)printf(
        "\na bell of %d vertices up to 22 kHz, %d modes after merging: "
        "%.1f s\n\n  found again in a file of %.0f MB: %.1f ms to "
        "read, %.1f ms to be a model\n",
        r.vertices, r.modes, r.solve_s, megabytes(r.file_bytes), 1e3 * r.read_s,
        1e3 * r.make_s);
    return SB_OK;
}

int bench_modes(bool is_quick, bool is_json) {
    sb_error err;
    run own = {is_quick, is_json ? cJSON_CreateObject() : NULL};
    sb_status status = run_eigen(&own, &err);
    if (!status) status = run_shells(&own, &err);
    if (!status) status = run_solid(&own, &err);
    if (!status) status = run_cached(&own, &err);
    char *text = !status && own.json ? cJSON_Print(own.json) : NULL;
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(own.json);
    return status ? fail_with(&err) : EXIT_OK;
}
