/* runtime/model/solve/fits.h -- what fits into the memory that a solve may take.
 *
 * Elements of one size are made and their cost is estimated, without solving.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOLVE_FITS_H
#define SB_MODEL_SOLVE_FITS_H

#include "runtime/model/solve/discrete.h"
#include "runtime/model/solve/solve.h"

/* The limit of memory, bytes. */
double sb_fits_limit(const sb_solve_def *def);

/* What it takes with elements of this size; INFINITY if it cannot be made. */
double sb_fits_bytes(const sb_solve_def *def, sb_grain grain);

/* Fails with the reason and what would fit; `first` are the largest elements.
 */
SB_NODISCARD sb_status sb_fits_advise(const sb_solve_def *def, sb_grain first,
                                      const sb_error *reason, sb_error *err);

#endif
