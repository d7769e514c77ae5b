/* runtime/store/export/principal.h -- principal axes of an inertia tensor.
 *
 * Jacobi rotations.
 *
 * Thread: any.
 */
#ifndef SB_STORE_EXPORT_PRINCIPAL_H
#define SB_STORE_EXPORT_PRINCIPAL_H

/* tensor: xx yy zz xy yz zx. `turn` is the unit quaternion x y z w that rotates
 * the principal axes, those of `diagonal`, to the axes of the tensor. */
void sb_principal(const double tensor[6], double diagonal[3], double turn[4]);

/* The inverse of sb_principal. */
void sb_principal_tensor(const double diagonal[3], const double turn[4],
                         double tensor[6]);

#endif
