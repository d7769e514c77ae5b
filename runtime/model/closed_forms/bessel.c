#include "runtime/model/closed_forms/bessel.h"

#include <math.h>

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
