/* runtime/model/eigen/lanczos_internal.h -- the state of a Lanczos iteration,
 * shared by lanczos.c (steps), lanczos_block.c (orthogonality) and
 * lanczos_ritz.c (eigenpairs of T).
 *
 * Thread, memory: as lanczos.h.
 */
#ifndef SB_MODEL_EIGEN_LANCZOS_INTERNAL_H
#define SB_MODEL_EIGEN_LANCZOS_INTERNAL_H

#include "runtime/base/random.h"
#include "runtime/model/eigen/lanczos.h"

struct sb_lanczos {
    sb_pencil *pencil;
    int dim;
    int panels, size; /* of a block; size is in vectors */
    int locked;       /* vectors in the panels before the first block */
    int steps;        /* done: A_0 .. A_(steps-1), B_0 .. B_(steps-1) */
    int panel_count, panel_capacity;
    double **v; /* the basis: panels, allocated one by one */
    double *w;  /* the current block */
    int a_capacity, b_capacity, c_capacity;
    double *a;       /* A_j, by columns */
    double *b;       /* B_j, upper triangles by columns */
    double *c;       /* products of the whole basis with a block */
    double *spare;   /* a block */
    double *weighed; /* a block times M */
    double largest;  /* estimate of C's largest eigenvalue */
    sb_random random;
};

enum { SB_LANCZOS_SQUARE = SB_PENCIL_COLUMNS * SB_PENCIL_COLUMNS };

static inline size_t sb_lanczos_panel(const sb_lanczos *lanczos) {
    return (size_t)lanczos->dim * SB_PANEL;
}

/* w = w - V V' M w for `left` panels from v on; leaves -V' M w in
 * lanczos->c. */
void sb_lanczos_take_out(sb_lanczos *lanczos, double *const *v, int left,
                         double *w, int panels);
/* Random vectors in the range of C. */
void sb_lanczos_fill(sb_lanczos *lanczos, double *w, int panels);
/* Makes lanczos->w orthonormal, and orthogonal to the basis. `r` gets an upper
 * triangle by columns such that the old w is the new w times r. */
void sb_lanczos_orthonormalise(sb_lanczos *lanczos, double *r);

#endif
