#include "runtime/store/export/principal.h"

#include <math.h>

enum { SWEEPS = 30 }; /* four or five suffice */

/* A rotation in the plane of axes p and q that makes a[p][q] zero. */
static void rotate(double a[3][3], double v[3][3], int p, int q) {
    if (a[p][q] == 0) return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
    double c = 1 / hypot(t, 1), s = t * c;
    for (int i = 0; i < 3; i++) {
        double x = a[i][p], y = a[i][q];
        a[i][p] = c * x - s * y;
        a[i][q] = s * x + c * y;
    }
    for (int i = 0; i < 3; i++) {
        double x = a[p][i], y = a[q][i];
        a[p][i] = c * x - s * y;
        a[q][i] = s * x + c * y;
        x = v[i][p];
        y = v[i][q];
        v[i][p] = c * x - s * y;
        v[i][q] = s * x + c * y;
    }
    a[p][q] = a[q][p] = 0;
}

/* The quaternion of a rotation matrix. Dividing by its largest component avoids
 * cancellation. */
static void quaternion(double v[3][3], double turn[4]) {
    double squares[4] = {
        1 + v[0][0] - v[1][1] - v[2][2], 1 - v[0][0] + v[1][1] - v[2][2],
        1 - v[0][0] - v[1][1] + v[2][2], 1 + v[0][0] + v[1][1] + v[2][2]};
    int most = 3;
    for (int i = 0; i < 3; i++) {
        if (squares[i] > squares[most]) most = i;
    }
    double s = 0.5 / sqrt(squares[most]);
    double twice[3] = {v[2][1] - v[1][2], v[0][2] - v[2][0], v[1][0] - v[0][1]};
    turn[most] = 0.5 * sqrt(squares[most]);
    if (most == 3) {
        for (int i = 0; i < 3; i++)
            turn[i] = twice[i] * s;
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (i != most) turn[i] = (v[i][most] + v[most][i]) * s;
    }
    turn[3] = twice[most] * s;
}

void sb_principal(const double tensor[6], double diagonal[3], double turn[4]) {
    const double *m = tensor;
    double a[3][3] = {
        {m[0], m[3], m[5]}, {m[3], m[1], m[4]}, {m[5], m[4], m[2]}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < SWEEPS; i++) {
        rotate(a, v, 0, 1);
        rotate(a, v, 1, 2);
        rotate(a, v, 0, 2);
    }
    for (int i = 0; i < 3; i++)
        diagonal[i] = a[i][i];
    quaternion(v, turn);
}

void sb_principal_tensor(const double diagonal[3], const double turn[4],
                         double tensor[6]) {
    double x = turn[0], y = turn[1], z = turn[2], w = turn[3];
    double v[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    static const int places[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                     {0, 1}, {1, 2}, {2, 0}};
    for (int i = 0; i < 6; i++) {
        int r = places[i][0], c = places[i][1];
        tensor[i] = 0;
        for (int k = 0; k < 3; k++)
            tensor[i] += v[r][k] * diagonal[k] * v[c][k];
    }
}
