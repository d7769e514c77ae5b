/* SPDX-License-Identifier: MIT */
#include "runtime/model/bem/bem_far.h"

#include "runtime/base/pi.h"

#include <math.h>

/* Beyond the order that counts; rings at least; of Gauss' rule at most, and
 * directions of the cloud at most. */
enum { SPARE = 6, RINGS_LEAST = 6, RINGS_MOST = 24, PAIRS_MOST = 1500 };
#define LEFT_OUT 0.003

static double spare_order(double wavenumber_radius) {
    return ceil(fmin(wavenumber_radius, 1e6)) + SPARE;
}

int sb_bem_far_order(double wavenumber_radius) {
    return (int)fmin(spare_order(wavenumber_radius) - 3,
                     SB_HARMONICS_ORDER_MOST);
}

/* Even, so that half of them are one of each pair. */
int sb_bem_far_rings(double wavenumber_radius) {
    int count = (int)fmin(spare_order(wavenumber_radius), 1e4) + 1;
    count = count < RINGS_LEAST ? RINGS_LEAST : count;
    return count + count % 2;
}

int sb_bem_far_pairs(double wavenumber_radius) {
    int rings = sb_bem_far_rings(wavenumber_radius);
    if (rings <= RINGS_MOST) return rings * rings;
    double pairs = 1.0 * rings * rings;
    return pairs < PAIRS_MOST ? (int)pairs : PAIRS_MOST;
}

/* The i-th node of Gauss and Legendre's rule of n points, and its weight; all
 * weights sum to 1. */
double sb_bem_gauss(int n, int i, double *weight) {
    double x = cos(SB_PI * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 8; step++) {
        double before = 1, now = x;
        for (int l = 2; l <= n; l++) {
            double next = ((2 * l - 1) * x * now - (l - 1) * before) / l;
            before = now;
            now = next;
        }
        slope = n * (x * now - before) / (x * x - 1);
        x -= now / slope;
    }
    *weight = 1 / ((1 - x * x) * slope * slope);
    return x;
}

/* Y_lm changes its sign with the direction where l is odd. */
static void add_pair(sb_bem_heard *to, int order, sb_vec3 r, double at[2][2],
                     double weight) {
    float y[(SB_HARMONICS_ORDER_MOST + 1) * (SB_HARMONICS_ORDER_MOST + 1)];
    sb_harmonics(order, r, y);
    double parts[2][2];
    for (int part = 0; part < 2; part++) {
        to->square +=
            weight * (at[0][part] * at[0][part] + at[1][part] * at[1][part]);
        parts[0][part] = weight * (at[0][part] + at[1][part]);
        parts[1][part] = weight * (at[0][part] - at[1][part]);
    }
    for (int l = 0; l <= order; l++) {
        for (int i = l * l; i < (l + 1) * (l + 1); i++) {
            to->coefs[i][0] += parts[l % 2][0] * y[i];
            to->coefs[i][1] += parts[l % 2][1] * y[i];
        }
    }
}

static void listen(const sb_bem_sources *sources, double wavenumber,
                   double weight, double z, double angle, int order,
                   sb_bem_heard *to) {
    double flat = sqrt(fmax(1 - z * z, 0));
    sb_vec3 r = {flat * cos(angle), flat * sin(angle), z};
    const double direction[3] = {r.x, r.y, r.z};
    double at[2][2];
    sb_bem_kernel_best()->far(sources, direction, wavenumber, at);
    add_pair(to, order, r, at, weight);
}

void sb_bem_far_cut(const sb_bem_heard *from, int order, double scale,
                    sb_pattern *pattern, float (*coefs)[2]) {
    double left = from->square, least = 0;
    pattern->order = order;
    for (int l = 0; l <= order; l++) {
        for (int i = l * l; i < (l + 1) * (l + 1); i++) {
            left -= from->coefs[i][0] * from->coefs[i][0] +
                    from->coefs[i][1] * from->coefs[i][1];
            coefs[i][0] = (float)(scale * from->coefs[i][0]);
            coefs[i][1] = (float)(scale * from->coefs[i][1]);
        }
        if (l == order || left < LEFT_OUT * from->square) {
            pattern->order = l;
            break;
        }
    }
    pattern->rest = (float)(scale * scale * fmax(left, least));
    pattern->coefs = (const float(*)[2])coefs;
}

void sb_bem_far(const sb_bem_sources *sources, double wavenumber,
                double radius_m, double scale, sb_pattern *pattern,
                float (*coefs)[2]) {
    sb_bem_heard to = {0};
    double size = wavenumber * radius_m;
    int order = sb_bem_far_order(size), rings = sb_bem_far_rings(size);
    if (rings <= RINGS_MOST) {
        for (int i = 0; i < rings / 2; i++) {
            double weight, z = sb_bem_gauss(rings, i, &weight);
            for (int j = 0; j < 2 * rings; j++) {
                listen(sources, wavenumber, weight / (2 * rings), z,
                       SB_TAU * j / (2 * rings), order, &to);
            }
        }
    } else {
        int pairs = sb_bem_far_pairs(size);
        for (int i = 0; i < pairs; i++) {
            double golden = SB_PI * (1 + sqrt(5.0));
            listen(sources, wavenumber, 0.5 / pairs, (i + 0.5) / pairs,
                   golden * i, order, &to);
        }
    }
    sb_bem_far_cut(&to, order, scale, pattern, coefs);
}
