/* SPDX-License-Identifier: MIT */
#include "runtime/model/fem/shell_element.h"

#include <string.h>

/* Fraction of the linear strain's energy. (1 - 4 nu^2) / 2 would make a
 * rectangle of two triangles exact in bending, but it resists rotation of
 * the corners so much that the frequencies of thin curved sheets are too
 * high: by 6 % for a cylinder with 32 edges around and 150 times wider than
 * thick, by 11 % on an uneven mesh. A tenth of that leaves 1 and 3 %, and
 * the in-plane bending of a bar four triangles wide half a per cent too low. */
static const double linear_share = 0.04;

typedef double row[SB_SHELL_DOFS];

typedef struct triangle {
    sb_vec3 e1, e2, e3;  /* local axes; e3 is the normal */
    double x[3], y[3];   /* corners */
    double gx[3], gy[3]; /* gradients of the area coordinates */
    double area;
} triangle;

static triangle lay_flat(const sb_vec3 corners[3]) {
    triangle t = {0};
    sb_vec3 a = sb_vec3_sub(corners[1], corners[0]);
    sb_vec3 b = sb_vec3_sub(corners[2], corners[0]);
    sb_vec3 normal = sb_vec3_cross(a, b);
    t.area = 0.5 * sb_vec3_length(normal);
    t.e1 = sb_vec3_normalised(a);
    t.e3 = sb_vec3_normalised(normal);
    t.e2 = sb_vec3_cross(t.e3, t.e1);
    t.x[1] = sb_vec3_length(a);
    t.x[2] = sb_vec3_dot(b, t.e1);
    t.y[2] = sb_vec3_dot(b, t.e2);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        t.gx[i] = (t.y[j] - t.y[k]) / (2 * t.area);
        t.gy[i] = (t.x[k] - t.x[j]) / (2 * t.area);
    }
    return t;
}

/* Adds c times the displacement (part 0) or rotation (part 1) of a corner
 * along `axis` to a row. */
static void put(row r, int corner, int part, sb_vec3 axis, double c) {
    double *at = &r[6 * corner + 3 * part];
    at[0] += c * axis.x;
    at[1] += c * axis.y;
    at[2] += c * axis.z;
}

/* k += weight rows' C rows, upper half only; C is that of plane stress for E
 * = 1. */
static void add_energy(double k[SB_SHELL_DOFS][SB_SHELL_DOFS], row strain[3],
                       double poisson_ratio, double weight) {
    double nu = poisson_ratio, c = weight / (1 - nu * nu);
    for (int i = 0; i < SB_SHELL_DOFS; i++) {
        double sx = c * (strain[0][i] + nu * strain[1][i]);
        double sy = c * (strain[1][i] + nu * strain[0][i]);
        double sxy = c * 0.5 * (1 - nu) * strain[2][i];
        for (int j = i; j < SB_SHELL_DOFS; j++) {
            k[i][j] +=
                sx * strain[0][j] + sy * strain[1][j] + sxy * strain[2][j];
        }
    }
}

/* The mean strain: the constant strain of the corner displacements, plus the
 * contribution of corner rotations, which bulge the two adjacent edges. */
static void add_mean_strain(const triangle *t, const sb_shell_section *section,
                            double k[SB_SHELL_DOFS][SB_SHELL_DOFS]) {
    row strain[3] = {0};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        double xj = t->x[j] - t->x[i], yj = t->y[j] - t->y[i];
        double xl = t->x[l] - t->x[i], yl = t->y[l] - t->y[i];
        put(strain[0], i, 0, t->e1, t->gx[i]);
        put(strain[1], i, 0, t->e2, t->gy[i]);
        put(strain[2], i, 0, t->e1, t->gy[i]);
        put(strain[2], i, 0, t->e2, t->gx[i]);
        put(strain[0], i, 1, t->e3, -0.25 * t->gx[i] * (yj + yl));
        put(strain[1], i, 1, t->e3, 0.25 * t->gy[i] * (xj + xl));
        put(strain[2], i, 1, t->e3, 0.25 * (xj * yj - xl * yl) / t->area);
    }
    add_energy(k, strain, section->poisson_ratio,
               section->youngs_modulus * section->thickness_m * t->area);
}

/* Strain xx, yy, xy from a strain along edge ij and zero strain along the
 * others; `e` is that strain times the edge length squared. */
static void from_edge(const triangle *t, int i, int j, double e,
                      double strain[3]) {
    int l = 3 - i - j; /* the opposite corner */
    double xi = t->x[i] - t->x[l], yi = t->y[i] - t->y[l];
    double xj = t->x[j] - t->x[l], yj = t->y[j] - t->y[l];
    double c = e / (4 * t->area * t->area);
    strain[0] += c * yi * yj;
    strain[1] += c * xi * xj;
    strain[2] -= c * (xi * yj + xj * yi);
}

/* The rotation of each corner relative to the mean rotation of the triangle. */
static void own_turns(const triangle *t, row turns[3]) {
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            put(turns[c], i, 0, t->e2, -0.5 * t->gx[i]);
            put(turns[c], i, 0, t->e1, 0.5 * t->gy[i]);
        }
        put(turns[c], c, 1, t->e3, 1);
    }
}

/* Strain along the edge from corner `edge` to the next, at corner `at`,
 * times its length squared, for 2/3 of the area and a unit rotation of
 * corner `turned`. Corners are counted from the first end of the edge. */
static double bulge_strain(int edge, int at, int turned) {
    static const double table[3][3] = {{1, 2, 1}, {-2, -1, -1}, {1, -1, 0}};
    return table[(at - edge + 3) % 3][(turned - edge + 3) % 3];
}

/* Strain xx, yy, xy at the middle of edge q for a unit rotation of a corner. */
static void strain_of_turn(const triangle *t, int q, int turned,
                           double strain[3]) {
    for (int e = 0; e < 3; e++) {
        double sum =
            bulge_strain(e, q, turned) + bulge_strain(e, (q + 1) % 3, turned);
        from_edge(t, e, (e + 1) % 3, sum * t->area / 3, strain);
    }
}

static void add_scaled(row sum, const row of, double c) {
    for (int n = 0; n < SB_SHELL_DOFS; n++) {
        sum[n] += c * of[n];
    }
}

/* Adds the energy of the linear strain, integrated at the middles of the
 * edges. */
static void add_linear_strain(const triangle *t,
                              const sb_shell_section *section,
                              double k[SB_SHELL_DOFS][SB_SHELL_DOFS]) {
    row turns[3] = {0};
    own_turns(t, turns);
    for (int q = 0; q < 3; q++) {
        row strain[3] = {0};
        for (int turned = 0; turned < 3; turned++) {
            double at[3] = {0};
            strain_of_turn(t, q, turned, at);
            for (int c = 0; c < 3; c++) {
                add_scaled(strain[c], turns[turned], at[c]);
            }
        }
        add_energy(k, strain, section->poisson_ratio,
                   0.75 * linear_share * section->youngs_modulus *
                       section->thickness_m * t->area);
    }
}

/* Slopes at a corner from its rotation: w,x = -rotation about y, w,y =
 * rotation about x. */
static void put_slope(row r, const triangle *t, int corner, double cx,
                      double cy) {
    put(r, corner, 1, t->e2, -cx);
    put(r, corner, 1, t->e1, cy);
}

/* a_ij of the edge opposite corner k, and its direction. */
static void edge_bulge(const triangle *t, int k, row a, double *sx,
                       double *sy) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double x = t->x[j] - t->x[i], y = t->y[j] - t->y[i];
    double length = sqrt(x * x + y * y);
    *sx = x / length;
    *sy = y / length;
    put(a, i, 0, t->e3, -1.5 / length);
    put(a, j, 0, t->e3, 1.5 / length);
    put_slope(a, t, i, -0.75 * *sx, -0.75 * *sy);
    put_slope(a, t, j, -0.75 * *sx, -0.75 * *sy);
}

static void add_bending(const triangle *t, const sb_shell_section *section,
                        double k[SB_SHELL_DOFS][SB_SHELL_DOFS]) {
    row linear[3] = {0}, bulge[3] = {0};
    double sx[3], sy[3], h = section->thickness_m;
    for (int i = 0; i < 3; i++) {
        put_slope(linear[0], t, i, t->gx[i], 0);
        put_slope(linear[1], t, i, 0, t->gy[i]);
        put_slope(linear[2], t, i, t->gy[i], t->gx[i]);
        edge_bulge(t, i, bulge[i], &sx[i], &sy[i]);
    }
    /* The energy is quadratic, so the rule of edge midpoints is exact. */
    for (int q = 0; q < 3; q++) {
        row strain[3];
        memcpy(strain, linear, sizeof strain);
        for (int e = 0; e < 3; e++) {
            int i = (e + 1) % 3, j = (e + 2) % 3;
            double li = i == q ? 0 : 2, lj = j == q ? 0 : 2; /* 4 L */
            double dx = li * t->gx[j] + lj * t->gx[i];
            double dy = li * t->gy[j] + lj * t->gy[i];
            add_scaled(strain[0], bulge[e], dx * sx[e]);
            add_scaled(strain[1], bulge[e], dy * sy[e]);
            add_scaled(strain[2], bulge[e], dy * sx[e] + dx * sy[e]);
        }
        add_energy(k, strain, section->poisson_ratio,
                   section->youngs_modulus * h * h * h / 12 * t->area / 3);
    }
}

void sb_shell_element(const sb_vec3 corners[3], const sb_shell_section *section,
                      double k[SB_SHELL_DOFS][SB_SHELL_DOFS]) {
    triangle t = lay_flat(corners);
    memset(k, 0, sizeof(double) * SB_SHELL_DOFS * SB_SHELL_DOFS);
    add_mean_strain(&t, section, k);
    add_linear_strain(&t, section, k);
    add_bending(&t, section, k);
    for (int i = 0; i < SB_SHELL_DOFS; i++) {
        for (int j = 0; j < i; j++) {
            k[i][j] = k[j][i];
        }
    }
}

double sb_lump_inertia(double mass_kg, double thickness_m, double area_m2) {
    return mass_kg * fmax(thickness_m * thickness_m, area_m2) / 12;
}
