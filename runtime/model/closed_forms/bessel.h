/* runtime/model/closed_forms/bessel.h -- Bessel functions of whole order.
 *
 * J from the C library; I scaled by e^-x, so that it never overflows, by
 * Miller's backward recurrence with  e^x = I0 + 2 (I1 + I2 + ...).
 *
 * Thread: any.
 */
#ifndef SB_MODEL_CLOSED_FORMS_BESSEL_H
#define SB_MODEL_CLOSED_FORMS_BESSEL_H

/* Orders n and n + 1 at x >= 0; n >= 0. */
void sb_bessel_j(int n, double x, double j[2]);
void sb_bessel_i_scaled(int n, double x, double i[2]);

#endif
