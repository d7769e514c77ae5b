/* SPDX-License-Identifier: MIT */
/* Legendre functions Q of half-odd degree: what rings of charge have. */
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem_rings.h"

#include <math.h>

/* K and E of complete elliptic integrals, by the mean of Gauss; the squares of
 * both moduli are given, and sum to 1. */
static void elliptic(double square, double other, double *k, double *e) {
    double a = 1, b = sqrt(other), sum = square / 2, power = 0.5;
    for (int i = 0; i < 12 && fabs(a - b) > 1e-16 * a; i++) {
        double c = (a - b) / 2, mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
        power *= 2;
        sum += power * c * c;
    }
    *k = SB_PI / (2 * a);
    *e = *k * (1 - sum);
}

/* (m + 1/2) Q_{m+1} = 2 m chi Q_m - (m - 1/2) Q_{m-1}, Q_m being that of degree
 * m - 1/2: upwards where it grows little on the way, else downwards from far
 * above. */
void sb_bem_toroidal(double off, int most, double *q) {
    double chi = 1 + off, k, e;
    double eta = log1p(off + sqrt(off * (off + 2)));
    double modulus = sqrt(2 / (off + 2));
    elliptic(2 / (off + 2), off / (off + 2), &k, &e);
    q[0] = modulus * k;
    if (most < 1) return;
    if (eta * most < 4) {
        q[1] = chi * modulus * k - sqrt(2 * (off + 2)) * e;
        for (int m = 1; m < most; m++)
            q[m + 1] = (2 * m * chi * q[m] - (m - 0.5) * q[m - 1]) / (m + 0.5);
        return;
    }
    double farthest = fmin(most + 8 + 20 / eta, fmax(600 / eta, 2));
    double above = 0, own = 1e-280;
    for (int m = (int)farthest; m >= 0; m--) {
        if (m <= most) q[m] = own;
        double below =
            m > 0 ? (2 * m * chi * own - (m + 0.5) * above) / (m - 0.5) : 0;
        above = own;
        own = below;
    }
    double scale = modulus * k / q[0];
    for (int m = 0; m <= most; m++)
        q[m] = m <= (int)farthest ? scale * q[m] : 0;
}
