/* One element of a shell of revolution (ring_element.h). Thread: any. */
#include "runtime/model/revolve/ring_element.h"

#include <math.h>
#include <string.h>

enum { STRAINS = 5 }; /* ss, aa, sa, and across the wall sn, an */

#define SHEAR_SHARE (5.0 / 6.0)

/* Near the tip of a cone the inner face would lie beyond the axis. */
#define LEAST_SHARE 0.2

/* A scalar field, and its slopes along xi and zeta, later along r and y. */
typedef struct scalar {
    double value, xi, zeta;
} scalar;

/* All that is known of a point of the wall: xi along the element, zeta across
 * the wall, both -1 .. 1. */
typedef struct place {
    double n[3], slope[3]; /* of the three nodes */
    double zeta;
    double r, r_xi, r_zeta, y_xi, y_zeta;
    double det;
} place;

static place place_at(const sb_meridian *meridian, int element, double xi,
                      double zeta) {
    place at = {.n = {0.5 * xi * (xi - 1), 1 - xi * xi, 0.5 * xi * (xi + 1)},
                .slope = {xi - 0.5, -2 * xi, xi + 0.5},
                .zeta = zeta};
    double middle = 0;
    for (int i = 0; i < 3; i++) {
        const sb_director *d = &meridian->directors[element][i];
        const sb_meridian_node *node =
            &meridian->nodes[sb_meridian_node_of(meridian, element, i)];
        double half_r = 0.5 * d->wall_m * d->unit[0];
        double half_y = 0.5 * d->wall_m * d->unit[1];
        middle += at.n[i] * node->r;
        at.r += at.n[i] * (node->r + zeta * half_r);
        at.r_xi += at.slope[i] * (node->r + zeta * half_r);
        at.y_xi += at.slope[i] * (node->y + zeta * half_y);
        at.r_zeta += at.n[i] * half_r;
        at.y_zeta += at.n[i] * half_y;
    }
    at.r = fmax(at.r, LEAST_SHARE * middle);
    at.det = at.r_xi * at.y_zeta - at.y_xi * at.r_zeta;
    return at;
}

/* What one number of the element moves: a direction (r, a, y) times a scalar
 * field. */
static scalar motion_of(const sb_meridian *meridian, int element,
                        const place *at, int dof, double direction[3]) {
    int i = dof / SB_RING_NODE, which = dof % SB_RING_NODE;
    const sb_director *d = &meridian->directors[element][i];
    memset(direction, 0, 3 * sizeof *direction);
    if (which < 3) {
        direction[which] = 1;
        return (scalar){at->n[i], at->slope[i], 0};
    }
    double half = 0.5 * d->wall_m;
    if (which == 3) {
        direction[0] = d->tangent[0];
        direction[2] = d->tangent[1];
    } else {
        direction[1] = 1;
    }
    return (scalar){at->n[i] * at->zeta * half, at->slope[i] * at->zeta * half,
                    at->n[i] * half};
}

/* The strains along the wall (s), round it (a) and across it (n). */
static void strain_of(const place *at, int waves, scalar f,
                      const double direction[3], double out[STRAINS]) {
    double u = direction[0], v = direction[1], w = direction[2];
    double f_r = (f.xi * at->y_zeta - f.zeta * at->y_xi) / at->det;
    double f_y = (f.zeta * at->r_xi - f.xi * at->r_zeta) / at->det;
    double turn = waves * f.value / at->r;
    double rr = u * f_r, yy = w * f_y, ry = u * f_y + w * f_r;
    double ra = -u * turn + v * (f_r - f.value / at->r);
    double ya = v * f_y - w * turn;
    double length = hypot(at->r_xi, at->y_xi);
    double s_r = at->r_xi / length, s_y = at->y_xi / length;
    double n_r = s_y, n_y = -s_r;
    out[0] = s_r * s_r * rr + s_y * s_y * yy + s_r * s_y * ry;
    out[1] = u * f.value / at->r + v * turn;
    out[2] = s_r * ra + s_y * ya;
    out[3] =
        2 * s_r * n_r * rr + 2 * s_y * n_y * yy + (s_r * n_y + s_y * n_r) * ry;
    out[4] = n_r * ra + n_y * ya;
}

static void add_stiffness(const sb_meridian *meridian, int element,
                          const place *at, int waves, double nu, double weight,
                          sb_ring_element *out) {
    double b[SB_RING_DOFS][STRAINS], stress[STRAINS];
    double plane = weight / (1 - nu * nu), shear = weight / (2 * (1 + nu));
    for (int i = 0; i < SB_RING_DOFS; i++) {
        double direction[3];
        scalar f = motion_of(meridian, element, at, i, direction);
        strain_of(at, waves, f, direction, b[i]);
    }
    for (int i = 0; i < SB_RING_DOFS; i++) {
        stress[0] = plane * (b[i][0] + nu * b[i][1]);
        stress[1] = plane * (b[i][1] + nu * b[i][0]);
        stress[2] = shear * b[i][2];
        stress[3] = SHEAR_SHARE * shear * b[i][3];
        stress[4] = SHEAR_SHARE * shear * b[i][4];
        for (int j = 0; j < SB_RING_DOFS; j++) {
            double sum = 0;
            for (int k = 0; k < STRAINS; k++)
                sum += stress[k] * b[j][k];
            out->k[i][j] += sum;
        }
    }
}

static void add_mass(const sb_meridian *meridian, int element, const place *at,
                     double weight, sb_ring_element *out) {
    double motions[SB_RING_DOFS][3];
    for (int i = 0; i < SB_RING_DOFS; i++) {
        scalar f = motion_of(meridian, element, at, i, motions[i]);
        for (int c = 0; c < 3; c++)
            motions[i][c] *= f.value;
    }
    for (int i = 0; i < SB_RING_DOFS; i++) {
        for (int j = 0; j < SB_RING_DOFS; j++) {
            out->m[i][j] += weight * (motions[i][0] * motions[j][0] +
                                      motions[i][1] * motions[j][1] +
                                      motions[i][2] * motions[j][2]);
        }
    }
}

void sb_ring_element_make(const sb_meridian *meridian, int element, int waves,
                          double poisson_ratio, sb_ring_element *out) {
    static const double two = 0.5773502691896257, three = 0.7745966692414834;
    const double thirds[3] = {-three, 0, three};
    const double shares[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    memset(out, 0, sizeof *out);
    for (int side = 0; side < 2; side++) {
        double zeta = side == 0 ? -two : two;
        for (int i = 0; i < 2; i++) {
            place at = place_at(meridian, element, i == 0 ? -two : two, zeta);
            add_stiffness(meridian, element, &at, waves, poisson_ratio,
                          at.r * fabs(at.det), out);
        }
        for (int i = 0; i < 3; i++) {
            place at = place_at(meridian, element, thirds[i], zeta);
            add_mass(meridian, element, &at, shares[i] * at.r * fabs(at.det),
                     out);
        }
    }
}
