/* SPDX-License-Identifier: MIT */
#include "runtime/model/closed_forms/special.h"

#include "runtime/base/pi.h"

#include <math.h>

/* --- Bessel functions ----------------------------------------------------- */

void sb_bessel_j(int n, double x, double j[2]) {
    j[0] = jn(n, x);
    j[1] = jn(n + 1, x);
}

void sb_bessel_i_scaled(int n, double x, double i[2]) {
    i[0] = i[1] = 0;
    if (x <= 0) {
        if (n == 0) i[0] = 1;
        return;
    }
    /* I_k falls as e^(-k^2 / 2x): from this order on all is below rounding. */
    int start = (int)sqrt((double)n * n + 80 * x) + 14;
    double above = 0, now = 1e-280, sum = 0, step = 2 / x;
    for (int k = start; k > 0; k--) {
        double below = above + k * step * now;
        sum += now;
        if (k == n + 1) i[1] = now;
        if (k == n) i[0] = now;
        above = now;
        now = below;
        if (now > 1e200) {
            now *= 1e-250;
            above *= 1e-250;
            sum *= 1e-250;
            i[0] *= 1e-250;
            i[1] *= 1e-250;
        }
    }
    if (n == 0) i[0] = now;
    sum = now + 2 * sum;
    i[0] /= sum;
    i[1] /= sum;
}

/* --- Gauss and Legendre --------------------------------------------------- */

/* P_n and its derivative at x, by the three-term recurrence. */
static double legendre(int n, double x, double *slope) {
    double before = 1, now = x;
    for (int i = 2; i <= n; i++) {
        double next = ((2 * i - 1) * x * now - (i - 1) * before) / i;
        before = now;
        now = next;
    }
    *slope = n * (x * now - before) / (x * x - 1);
    return now;
}

void sb_gauss_legendre(int n, double *nodes, double *weights) {
    if (n == 1) {
        nodes[0] = 0;
        weights[0] = 2;
        return;
    }
    for (int i = 0; i < (n + 1) / 2; i++) {
        double x = -cos(SB_PI * (i + 0.75) / (n + 0.5)); /* Tricomi's guess */
        double slope = 1;
        for (int step = 0; step < 10; step++) { /* 3 to 5 are enough */
            double move = legendre(n, x, &slope) / slope;
            x -= move;
            if (fabs(move) < 1e-16) break;
        }
        (void)legendre(n, x, &slope);
        if (2 * i + 1 == n) x = 0; /* else it is zero only to rounding */
        nodes[i] = x;
        nodes[n - 1 - i] = -x;
        weights[i] = weights[n - 1 - i] = 2 / ((1 - x * x) * slope * slope);
    }
}
