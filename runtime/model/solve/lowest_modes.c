/* Chooses and takes the lowest modes of a solve (lowest_modes.h). Thread: control,
 * workers. */
#include "runtime/model/solve/lowest_modes.h"

#include "runtime/base/memory.h"
#include "runtime/model/shape.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS_PER_MODE = 24, LOOKED_LEAST = 120 };

int sb_fewer_looked_for(const sb_attempt *attempt) {
    const sb_solve_def *def = attempt->def;
    int most = attempt->fem.dof_count / UNKNOWNS_PER_MODE;
    if (most < LOOKED_LEAST) most = LOOKED_LEAST;
    bool is_limited = def->shape->max_modes == 0 &&
                      attempt->discrete.method == SB_METHOD_SOLID;
    return is_limited && most < def->max_modes ? most : def->max_modes;
}

int sb_fewer_modes(const sb_attempt *attempt, const sb_solution *coarse,
                   double per_wave) {
    int count = coarse->mode_count;
    while (count > SB_FEWER_LEAST) {
        double found = sb_attempt_per_wave(attempt, coarse->lambdas[count - 1]);
        double finer = fmax(per_wave / found, 1);
        if (attempt->fem.dof_count * finer * finer * finer <= SB_FEWER_UNKNOWNS)
            break;
        count--;
    }
    return count;
}

sb_status sb_fewer_keep(const sb_solution *from, int count, sb_solution **out,
                        sb_error *err) {
    size_t vertices = (size_t)from->vertex_count;
    size_t row = 3 * (size_t)count, old = 3 * (size_t)from->mode_count;
    float *shapes = sb_alloc(vertices * row, sizeof *shapes);
    if (!shapes)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes", count);
    for (size_t v = 0; v < vertices; v++)
        memcpy(shapes + v * row, from->shapes + v * old, row * sizeof *shapes);
    sb_solution parts = *from;
    parts.mode_count = count;
    parts.shapes = shapes;
    parts.facts.lambda_bound = from->lambdas[count - 1];
    sb_status status = sb_solution_create(&parts, out, err);
    sb_free(shapes);
    return status;
}
