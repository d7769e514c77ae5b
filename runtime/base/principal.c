/* SPDX-License-Identifier: MIT */
#include "runtime/base/principal.h"

#include <math.h>
#include <string.h>

/* One rotation of Jacobi's method that makes m[p][q] zero. */
static void rotate(double m[3][3], double axes[3][3], int p, int q) {
    if (m[p][q] == 0.0) return;
    double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
    double c = 1.0 / hypot(t, 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        a = axes[k][p], b = axes[k][q];
        axes[k][p] = c * a - s * b;
        axes[k][q] = s * a + c * b;
    }
}

/* The rotation whose columns are the axes, which are right-handed. */
static sb_quat quat_of(double m[3][3]) {
    double trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > 0.0) {
        double w = 0.5 * sqrt(1.0 + trace), by = 0.25 / w;
        return (sb_quat){w, by * (m[2][1] - m[1][2]), by * (m[0][2] - m[2][0]),
                         by * (m[1][0] - m[0][1])};
    }
    int i = m[1][1] > m[0][0] ? 1 : 0;
    if (m[2][2] > m[i][i]) i = 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double v[3], a = 0.5 * sqrt(1.0 + m[i][i] - m[j][j] - m[k][k]);
    v[i] = a;
    v[j] = 0.25 / a * (m[j][i] + m[i][j]);
    v[k] = 0.25 / a * (m[k][i] + m[i][k]);
    return (sb_quat){0.25 / a * (m[k][j] - m[j][k]), v[0], v[1], v[2]};
}

void sb_principal(const double tensor[6], double diagonal[3], sb_quat *turn) {
    const double *i = tensor;
    double m[3][3] = {
        {i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 12; sweep++) {
        rotate(m, axes, 0, 1);
        rotate(m, axes, 1, 2);
        rotate(m, axes, 0, 2);
    }
    for (int k = 0; k < 3; k++)
        diagonal[k] = m[k][k];
    *turn = sb_quat_normalised(quat_of(axes));
}

void sb_principal_tensor(const double diagonal[3], sb_quat turn,
                         double tensor[6]) {
    static const int rows[6] = {0, 1, 2, 0, 1, 2},
                     columns[6] = {0, 1, 2, 1, 2, 0};
    memset(tensor, 0, 6 * sizeof *tensor);
    for (int k = 0; k < 3; k++) {
        sb_vec3 v = sb_quat_turn(turn, (sb_vec3){k == 0, k == 1, k == 2});
        const double axis[3] = {v.x, v.y, v.z};
        for (int i = 0; i < 6; i++)
            tensor[i] += axis[rows[i]] * diagonal[k] * axis[columns[i]];
    }
}
