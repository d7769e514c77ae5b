/* runtime/fit/refine_internal.h -- shared by the files that implement
 * refine_modes.h. */
#ifndef SB_FIT_REFINE_INTERNAL_H
#define SB_FIT_REFINE_INTERNAL_H

#include "runtime/fit/refine_modes.h"

/* A set of poles and what was computed for it. */
typedef struct sb_refine_point {
    sb_pole *poles;
    double *amplitudes; /* per take: of u, of v */
    double *normal;     /* (2 count)^2: normal matrix of a step */
    double *slope;      /* 2 count: gradient */
    double rest;
} sb_refine_point;

struct sb_refine {
    const sb_takes *takes;
    int count, capacity;
    double least_decay, most_decay;
    sb_refine_point here, there; /* the current point and a trial point */
    /* Products with recordings, per mode and take: u x, v x, n u x, n v x. They
     * are cached until the mode's pole changes. */
    double *products;
    sb_pole *known;   /* poles of the cached products; turn 0: empty */
    double *whitened; /* 4 count, of one take */
    double *scales;   /* 4 count, of the Gram matrix */
    double *gram;     /* (4 count)^2, then its factor */
    double *outer;    /* (2 count)^2: derivatives orthogonal to bases */
    double *corner;   /* (2 count)^2: workspace */
};

/* Products of the exponentials with each recording. */
void sb_refine_correlate(sb_refine *refine, const sb_pole *poles);

/* The Gram matrix of the 4 count functions over `length` samples. */
void sb_refine_gram(const sb_pole *poles, int count, int length, double *gram);

/* Scale the Gram matrix to a unit diagonal and factor it into refine->gram and
 * refine->scales; false when it is singular. */
bool sb_refine_factor(sb_refine *refine, const sb_pole *poles, int length);

#endif
