/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_turned.h -- the sound of walls of revolution, one number
 * of waves round the axis at a time.
 *
 * What is cos(n a) round the axis makes sound that is cos(n a) too. So the
 * equations of bem.h have unknowns along the profile only, mu(s) cos(n a), and
 * the integrals round the axis are those of rings, a = a' - a'':
 *
 *     G_m = integral G cos(m a) da,    C = (G_{n+1} + G_{n-1}) / 2,
 *                                      S = (G_{n-1} - G_{n+1}) / 2
 *
 *     <w, W mu> = double integral r r' ds ds' {
 *         k^2 w mu (t_y t_y' C + t_r t_r' G_n) - dw dmu C
 *         - n (dw mu t_r' / r' + w dmu t_r / r) S
 *         - n^2 / (r r') w mu (t_r t_r' C + t_y t_y' G_n) }
 *
 * with the tangent t and the slopes dw, dmu along the profile; w and mu are
 * linear between its points. Of 1 / 4 pi r, G_m is a Legendre function,
 * Q_{m-1/2}(chi) / 2 pi sqrt(r r'), whatever the frequency; the rest of G is
 * smooth, and summed over equal angles. There is no error round the axis.
 *
 * Symbols: r, y a point of the profile, m; n waves round y.
 * Thread:  control, workers. The result does not depend on their number.
 * Memory:  16 bytes times the square of the points per n, 32 if it is closed.
 * Source:  M. Abramowitz, I. A. Stegun, Handbook of mathematical functions,
 *          1964, chapter 8.
 */
#pragma once

#include "runtime/model/bem/bem.h"

/* A profile: free at ends that are not on the axis; closed without such ends,
 * and as a ring, whose last point is joined to the first. */
typedef struct sb_bem_profile {
    int count;
    const double (*points)[2]; /* r, y */
    bool is_ring;
} sb_bem_profile;

typedef struct sb_bem_turned_mode {
    double freq_hz; /* above 0 */
    int waves;
    bool is_sine; /* sin(n a), else cos(n a); a from x to z */
    /* [point] outward from the axis and along it, where that is 1; modes of one
     * frequency that share them are solved once */
    const double (*motion)[2];
} sb_bem_turned_mode;

typedef struct sb_bem_turned_def {
    sb_bem_profile profile;
    int mode_count;
    const sb_bem_turned_mode *modes;
    double density_kg_m3; /* of the air; 0: 1.204 */
    double speed_m_s;     /* of sound; 0: 343.2 */
} sb_bem_turned_def;

/* Patterns round the origin; there are no loads. A mode with more waves than
 * patterns have orders has a pattern of order -1, its power as rest. NO_MEMORY,
 * INTERRUPTED, or BAD_ARGUMENT for a frequency of 0 or a profile without
 * length. */
SB_NODISCARD sb_status sb_bem_turned_solve(const sb_bem_turned_def *def,
                                           sb_bem_result *out, sb_error *err);
