/* SPDX-License-Identifier: MIT */
/* Times each stage from a mesh to a model. Runs on the control thread. */
#include "tests/bench/solve/mesh_to_model.h"

#include "runtime/base/clock.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/model.h"
#include "runtime/model/shape.h"
#include "runtime/model/solve/solve.h"
#include "tests/bench/measure.h"

#include <math.h>
#include <string.h>

static const double short_s = 3; /* shorter runs are repeated */
enum { REPEATS = 3 };

/* Times at which sb_solve reached its stages. */
typedef struct stages {
    double mesh_s, assembly_s, modes_s;
} stages;

static bool note_stage(void *context, const char *stage, int done,
                       int expected) {
    stages *own = context;
    double now = sb_clock_s();
    (void)done;
    (void)expected;
    if (strcmp(stage, "mesh") == 0) own->mesh_s = now;
    if (strcmp(stage, "assembly") == 0) own->assembly_s = now;
    /* The last two may come in either order. */
    if (strcmp(stage, "mesh") != 0 && strcmp(stage, "assembly") != 0 &&
        own->modes_s == 0) {
        own->modes_s = now;
    }
    return true;
}

sb_status bench_mesh_source(const bench_body_def *def, sb_mesh_source **source,
                            double *seconds, sb_error *err) {
    sb_mesh soup = {0}, mesh = {0};
    sb_mesh_report report;
    sb_status status = bench_mesh(def->form, def->vertices, &soup, err);
    if (status) return status;
    double began = sb_clock_s();
    status = sb_mesh_clean(&soup, &mesh, &report, err);
    if (!status) {
        status = sb_mesh_source_create(bench_form_name(def->form), &mesh,
                                       &report, source, err);
    }
    *seconds = sb_clock_s() - began;
    return status;
}

static sb_shape shape_of(const bench_body_def *def,
                         const sb_mesh_source *source) {
    return (sb_shape){.kind = SB_SHAPE_MESH,
                      .method = def->thickness_m > 0 ? SB_METHOD_SHELL
                                                     : SB_METHOD_SOLID,
                      .thickness = def->thickness_m,
                      .mesh = source,
                      .max_modes = def->modes};
}

static sb_status solve(const bench_body_def *def, const sb_shape *shape,
                       sb_solution **solution, bench_body_result *out,
                       sb_error *err) {
    const sb_material *steel = sb_material_find("steel");
    stages at = {0};
    sb_solve_def solve_def = {.shape = shape,
                              .poisson_ratio = steel->poisson_ratio,
                              .max_lambda = INFINITY,
                              .max_modes = def->modes,
                              .progress = note_stage,
                              .context = &at};
    sb_status status = sb_solve(&solve_def, solution, err);
    double end = sb_clock_s();
    if (status) return status;
    out->fill_s = at.assembly_s - at.mesh_s;
    out->assembly_s = at.modes_s - at.assembly_s;
    out->modes_s = end - at.modes_s;
    out->unknowns = (*solution)->facts.dof_count;
    out->nodes = out->unknowns / (def->thickness_m > 0 ? 6 : 3);
    out->modes = (*solution)->mode_count;
    return SB_OK;
}

/* Finish the model with all of its modes, also inaudible ones. */
static sb_status finish(const sb_shape *shape, sb_solution *solution,
                        sb_model **model, double *seconds, sb_error *err) {
    const sb_material *steel = sb_material_find("steel");
    double began = sb_clock_s();
    sb_finish_def def = sb_solved_finish_def(shape);
    sb_finished finished = {0};
    sb_status status =
        sb_solution_finish(solution, steel, &def, &finished, err);
    if (!status) {
        status = sb_model_from_solution(shape, steel, solution, &finished,
                                        model, err);
    }
    *seconds = sb_clock_s() - began;
    return status;
}

static sb_status measure(const bench_body_def *def, bench_body_result *out,
                         sb_error *err) {
    bench_body_result result = {0};
    sb_mesh_source *source = NULL;
    sb_solution *solution = NULL;
    sb_model *model = NULL;
    size_t before = peak_begin();
    double cpu_s = sb_clock_process_s();
    sb_status status = bench_mesh_source(def, &source, &result.clean_s, err);
    if (!status) {
        sb_shape shape = shape_of(def, source);
        result.vertices = sb_mesh_source_mesh(source)->vertex_count;
        status = solve(def, &shape, &solution, &result, err);
        if (!status) {
            status = finish(&shape, solution, &model, &result.finish_s, err);
        }
    }
    if (!status) {
        result.total_s = result.clean_s + result.fill_s + result.assembly_s +
                         result.modes_s + result.finish_s;
        result.cpu_s = sb_clock_process_s() - cpu_s;
        result.peak_bytes = peak_end(before);
        *out = result;
    }
    sb_model_release(model);
    sb_solution_release(solution);
    sb_mesh_source_release(source);
    return status;
}

sb_status bench_body(const bench_body_def *def, bench_body_result *out,
                     sb_error *err) {
    bench_body_result best = {0};
    sb_status status = measure(def, &best, err);
    for (int i = 1; !status && i < REPEATS && best.total_s < short_s; i++) {
        bench_body_result next = {0};
        status = measure(def, &next, err);
        if (next.total_s < best.total_s) best = next;
    }
    if (!status) *out = best;
    return status;
}

double bench_growth(const bench_body_result *small,
                    const bench_body_result *large) {
    return log(large->total_s / small->total_s) /
           log((double)large->vertices / small->vertices);
}
