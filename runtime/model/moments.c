/* SPDX-License-Identifier: MIT */
#include "runtime/model/moments.h"

#include <math.h>
#include <stdbool.h>

/* A simplex of `count` corners and this volume: the mean of x x' is
 * (sum p p' + (sum p)(sum p)') / (count (count + 1)). */
static void add_simplex(sb_moments *sum, const sb_vec3 *corners, int count,
                        double volume) {
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                    {0, 1}, {1, 2}, {2, 0}};
    double total[3] = {0}, p[4][3];
    for (int i = 0; i < count; i++) {
        p[i][0] = corners[i].x, p[i][1] = corners[i].y, p[i][2] = corners[i].z;
        for (int c = 0; c < 3; c++)
            total[c] += p[i][c];
    }
    sum->volume += volume;
    for (int c = 0; c < 3; c++)
        sum->first[c] += volume * total[c] / count;
    for (int k = 0; k < 6; k++) {
        int a = pairs[k][0], b = pairs[k][1];
        double product = total[a] * total[b];
        for (int i = 0; i < count; i++)
            product += p[i][a] * p[i][b];
        sum->second[k] += volume * product / (count * (count + 1));
    }
}

void sb_moments_add(sb_moments *sum, const sb_vec3 corners[3],
                    double thickness_m) {
    sb_vec3 p[4] = {corners[0], corners[1], corners[2], {0, 0, 0}};
    sb_vec3 cross = sb_vec3_span(p[0], p[1], p[2]);
    if (thickness_m > 0) {
        add_simplex(sum, p, 3, 0.5 * sb_vec3_length(cross) * thickness_m);
    } else {
        add_simplex(sum, p, 4, sb_vec3_dot(p[0], cross) / 6);
    }
}

void sb_moments_inertia(const sb_moments *sum, double scale, sb_vec3 *centre_m,
                        double inertia_m5[6]) {
    double x = sum->first[0] / sum->volume, y = sum->first[1] / sum->volume,
           z = sum->first[2] / sum->volume;
    double about[6] = {x * x, y * y, z * z, x * y, y * z, z * x}, s[6];
    for (int k = 0; k < 6; k++)
        s[k] = scale * (sum->second[k] - sum->volume * about[k]);
    *centre_m = (sb_vec3){x, y, z};
    inertia_m5[0] = s[1] + s[2];
    inertia_m5[1] = s[2] + s[0];
    inertia_m5[2] = s[0] + s[1];
    for (int k = 3; k < 6; k++)
        inertia_m5[k] = -s[k];
}

void sb_moments_invert(const double m[6], double out[6]) {
    double xx = m[1] * m[2] - m[4] * m[4], xy = m[4] * m[5] - m[3] * m[2];
    double zx = m[3] * m[4] - m[1] * m[5];
    double scale = m[0] * xx + m[3] * xy + m[5] * zx;
    const double numerators[6] = {
        xx, m[0] * m[2] - m[5] * m[5], m[0] * m[1] - m[3] * m[3],
        xy, m[3] * m[5] - m[0] * m[4], zx};
    bool is_good = scale > 0;
    for (int i = 0; i < 6; i++) {
        out[i] = numerators[i] / scale;
        is_good = is_good && fabs(out[i]) <= SB_INVERSE_INERTIA_MOST;
    }
    for (int i = 0; i < 6 && !is_good; i++)
        out[i] = 0;
}
