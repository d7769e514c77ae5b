#include "runtime/model/closed_forms/quadrature.h"

#include "runtime/base/pi.h"

#include <math.h>

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
