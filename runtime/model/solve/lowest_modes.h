/* runtime/model/solve/lowest_modes.h -- fewer modes, where more would take too long.
 *
 * A large soft body has thousands of modes, of which a number is found that
 * nobody asked for (SB_SOLVE_SOLID_MODES and the like). The last of them have
 * the shortest waves and determine the size of the elements. If the script did
 * not choose that number, it is lowered until the elements have about
 * SB_FEWER_UNKNOWNS unknowns, which takes a few seconds; the model then is cut
 * at a lower frequency, which `modes` and `check` report, and the diffuse field
 * goes on from there (sound/beyond.h).
 *
 * Thread: control, workers. Memory: the caller's.
 */
#ifndef SB_MODEL_SOLVE_LOWEST_MODES_H
#define SB_MODEL_SOLVE_LOWEST_MODES_H

#include "runtime/model/solve/attempt.h"

/* Of a solid; rounding makes up to a half more. A cube of rubber took 20 s of
 * processor time with 36,500, and takes 7 s with 20,600. */
enum { SB_FEWER_UNKNOWNS = 18000, SB_FEWER_LEAST = 24 };

/* Of a mesh that is filled: what takes some ten seconds. */
enum { SB_FEWER_MESH = 40000 };

/* How many modes a coarse solve looks for to see how high they reach: those of
 * more have waves far too short for its elements. */
int sb_fewer_looked_for(const sb_attempt *attempt);

/* How many of the modes that a coarse solve found can be had with so many
 * unknowns, at `per_wave` elements per wave: at least SB_FEWER_LEAST. */
int sb_fewer_modes(const sb_attempt *attempt, const sb_solution *coarse,
                   double per_wave);

/* A solution with its lowest `count` modes, complete up to the last of them.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_fewer_keep(const sb_solution *from, int count,
                                     sb_solution **out, sb_error *err);

#endif
