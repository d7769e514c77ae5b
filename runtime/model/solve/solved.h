/* runtime/model/solve/solved.h -- models whose modes were computed by elements.
 *
 * Thread: control, workers. The model retains the solution.
 */
#ifndef SB_MODEL_SOLVE_SOLVED_H
#define SB_MODEL_SOLVE_SOLVED_H

#include "runtime/base/progress.h"
#include "runtime/model/sound/finish.h"

typedef struct sb_shape sb_shape;

/* How the modes of a computed shape are cut off and merged. */
sb_finish_def sb_solved_finish_def(const sb_shape *shape);

/* The largest number of elastic modes to look for. */
int sb_solved_mode_limit(const sb_shape *shape);

/* Solve up to the highest frequency that the shape may have in this material;
 * `progress` may be NULL, `memory_bytes` 0 for the default (solve.h). NO_MODES names the lowest mode: "the lowest mode of
 * this mesh lies at 28.6 kHz, above the limit of 22 kHz". Else as sb_solve. */
SB_NODISCARD sb_status sb_solve_for(const sb_shape *shape,
                                    const sb_material *material,
                                    sb_progress progress, void *context,
                                    double memory_bytes, sb_solution **out,
                                    sb_error *err);

/* Make a model of a solution, finished for this material (sb_solution_finish);
 * `finished` is taken over and left empty, on failure, too. */
SB_NODISCARD sb_status sb_model_from_solution(const sb_shape *shape,
                                              const sb_material *material,
                                              sb_solution *solution,
                                              sb_finished *finished,
                                              sb_model **out, sb_error *err);

#endif
