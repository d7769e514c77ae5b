/* runtime/model/closed_forms/quadrature.h -- integrals by Gauss and Legendre.
 *
 * n points integrate polynomials up to degree 2 n - 1 exactly.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_MODEL_CLOSED_FORMS_QUADRATURE_H
#define SB_MODEL_CLOSED_FORMS_QUADRATURE_H

/* Nodes, ascending in (-1, 1), and weights; n >= 1. */
void sb_gauss_legendre(int n, double *nodes, double *weights);

#endif
