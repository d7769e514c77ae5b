/* runtime/store/export/principal.h -- the axes a body turns about without wobbling.
 *
 * Jacobi's rotations on the tensor of inertia.   Thread: any.
 */
#ifndef SB_STORE_EXPORT_PRINCIPAL_H
#define SB_STORE_EXPORT_PRINCIPAL_H

/* tensor: xx yy zz xy yz zx. `turn` is the unit quaternion x y z w that turns
 * the axes of `diagonal` into those of the tensor. */
void sb_principal(const double tensor[6], double diagonal[3], double turn[4]);

/* And back. */
void sb_principal_tensor(const double diagonal[3], const double turn[4],
                         double tensor[6]);

#endif
