/* runtime/fit/refine_internal.h -- what the files of refine.h share. */
#ifndef SB_FIT_REFINE_INTERNAL_H
#define SB_FIT_REFINE_INTERNAL_H

#include "runtime/fit/refine.h"

/* What is known at a set of poles. */
typedef struct sb_refine_point {
    sb_pole *poles;
    double *amplitudes; /* of each take: of u, of v */
    double *normal;     /* 2 count squared: of the steps */
    double *slope;      /* 2 count */
    double rest;
} sb_refine_point;

struct sb_refine {
    const sb_takes *takes;
    int count, capacity;
    double least_decay, most_decay;
    sb_refine_point here, there; /* where we are, and a step on */
    /* Products with recordings: of each mode and take u x, v x, n u x, n v x.
     * They are kept until the mode's pole changes. */
    double *products;
    sb_pole *known;   /* what they belong to; a turn of 0 is nobody's */
    double *whitened; /* of one take, 4 count */
    double *scales;   /* of the Gram matrix, 4 count */
    double *gram;     /* 4 count squared, then its factor */
    double *outer;    /* 2 count squared: of the derivatives' own part */
    double *corner;   /* 2 count squared: workspace */
};

/* Products of the exponentials with each recording. */
void sb_refine_correlate(sb_refine *refine, const sb_pole *poles);

/* The Gram matrix of 4 count functions over `length` samples. */
void sb_refine_gram(const sb_pole *poles, int count, int length, double *gram);

/* Its factor after scaling it to a diagonal of ones, in refine->gram and
 * refine->scales; false when it is singular. */
bool sb_refine_factor(sb_refine *refine, const sb_pole *poles, int length);

#endif
