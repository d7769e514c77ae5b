/* SPDX-License-Identifier: MIT */
/* runtime/base/harmonics.h -- real spherical harmonics of a direction.
 *
 * Y_lm of the unit vector r, for l = 0 .. order and m = -l .. l, in that order:
 * Y_lm is at index l (l + 1) + m. The polar axis is z. They are real and
 * orthogonal, and the mean of the square of each over all directions is 1, so
 * Y_00 = 1, and of a function sum c_lm Y_lm the mean square is sum |c_lm|^2.
 * A turn of the direction by phi about z is cos m phi, or sin |m| phi for
 * m < 0. The opposite direction gives (-1)^l Y_lm.
 *
 * Thread: any, audio included.
 */
#pragma once

#include "runtime/base/vec3.h"

enum { SB_HARMONICS_ORDER_MOST = 16 };

/* (order + 1)^2 */
static inline int sb_harmonics_count(int order) {
    return (order + 1) * (order + 1);
}

/* `out` has sb_harmonics_count(order) numbers; the length of `unit` is 1.
 *
 * With P_lm = (1 - z^2)^(m/2) Q_lm, normalised such that the mean square of
 * Y_lm = Q_lm Re (x + iy)^m is 1,
 *
 *     Q_mm     = sqrt((2m + 1) / 2m) Q_(m-1)(m-1),   Q_00 = 1, Q_11 = sqrt 3
 *     Q_lm     = a (z Q_(l-1)m - b Q_(l-2)m),
 *     a = sqrt((4 l^2 - 1) / (l^2 - m^2)),
 *     b = sqrt(((l - 1)^2 - m^2) / (4 (l - 1)^2 - 1)),
 *
 * which is stable and has no angle in it. */
static inline void sb_harmonics(int order, sb_vec3 unit, float *out) {
    double x = unit.x, y = unit.y, z = unit.z;
    double re = 1, im = 0, diagonal = 1; /* (x + iy)^m, Q_mm */
    for (int m = 0; m <= order; m++) {
        if (m > 0) {
            double turned = re * x - im * y;
            im = re * y + im * x;
            re = turned;
            diagonal *= m == 1 ? sqrt(3.0) : sqrt((2.0 * m + 1) / (2.0 * m));
        }
        double before = 0, now = diagonal;
        for (int l = m; l <= order; l++) {
            if (l > m) {
                double ll = (double)l * l, mm = (double)m * m;
                double last = (l - 1.0) * (l - 1.0);
                double a = sqrt((4 * ll - 1) / (ll - mm));
                double b = sqrt((last - mm) / (4 * last - 1));
                double next = a * (z * now - b * before);
                before = now;
                now = next;
            }
            out[l * (l + 1) + m] = (float)(now * re);
            if (m > 0) out[l * (l + 1) - m] = (float)(now * im);
        }
    }
}
