/* Groups of quadratic tetrahedra (kernel.h) and their lumped masses (lump.h).
 * Thread: as deform.h. */
#include "runtime/deform/run/build.h"

#include "runtime/deform/kernel/kernel.h"
#include "runtime/model/fem/lump.h"
#include "runtime/model/fem/tet10.h"

#include <math.h>

/* dN_a / dL_i at the integration point nearest to corner q. */
static void slopes_at(int q, double d[10][4]) {
    double a = (5 - sqrt(5)) / 20, l[4] = {a, a, a, a};
    l[q] = 1 - 3 * a;
    for (int n = 0; n < 10; n++) {
        for (int i = 0; i < 4; i++) {
            d[n][i] = 0;
        }
    }
    for (int i = 0; i < 4; i++) {
        d[i][i] = 4 * l[i] - 1;
    }
    for (int e = 0; e < 6; e++) {
        int i = sb_tet_edges[e][0], j = sb_tet_edges[e][1];
        d[4 + e][i] = 4 * l[j];
        d[4 + e][j] = 4 * l[i];
    }
}

/* T = R^-1 of J0 = Q R by Gram and Schmidt, and det J0. */
static double find_metric(const sb_vec3 nodes[10], int q, double t[6]) {
    double d[10][4];
    sb_vec3 x[4] = {0};
    slopes_at(q, d);
    for (int n = 0; n < 10; n++) {
        for (int i = 0; i < 4; i++) {
            x[i] = sb_vec3_add(x[i], sb_vec3_scale(nodes[n], d[n][i]));
        }
    }
    sb_vec3 a = sb_vec3_sub(x[1], x[0]), b = sb_vec3_sub(x[2], x[0]);
    sb_vec3 c = sb_vec3_sub(x[3], x[0]);
    double r00 = sb_vec3_length(a);
    sb_vec3 q0 = sb_vec3_normalised(a);
    double r01 = sb_vec3_dot(q0, b), r02 = sb_vec3_dot(q0, c);
    b = sb_vec3_sub(b, sb_vec3_scale(q0, r01));
    double r11 = sb_vec3_length(b);
    sb_vec3 q1 = sb_vec3_normalised(b), q2 = sb_vec3_cross(q0, q1);
    double r12 = sb_vec3_dot(q1, c), r22 = sb_vec3_dot(q2, c);
    t[0] = 1 / r00;
    t[1] = -r01 / (r00 * r11);
    t[2] = 1 / r11;
    t[3] = (r01 * r12 - r02 * r11) / (r00 * r11 * r22);
    t[4] = -r12 / (r11 * r22);
    t[5] = 1 / r22;
    return r00 * r11 * r22;
}

bool deform_is_straight(const sb_solid_mesh *solid) {
    for (int i = 0; i < 6 * solid->tet_count; i++) {
        const int *tet = solid->tets[i / 6], *ends = sb_tet_edges[i % 6];
        sb_vec3 a = solid->nodes[tet[ends[0]]], b = solid->nodes[tet[ends[1]]];
        sb_vec3 middle = sb_vec3_scale(sb_vec3_add(a, b), 0.5);
        sb_vec3 off = sb_vec3_sub(solid->nodes[tet[4 + i % 6]], middle);
        double length = sb_vec3_length(sb_vec3_sub(b, a));
        if (!(sb_vec3_length(off) <= 1e-9 * length)) return false;
    }
    return true;
}

static sb_status bad_tet(const raw_body *raw, int tet, sb_error *err) {
    sb_vec3 at = raw->nodes[raw->solid->tets[tet][0]];
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: tetrahedron %d, with a corner at (%g, %g, %g) m, is "
                   "flat or inside out",
                   raw->name, tet, at.x, at.y, at.z);
}

static void add_masses(sb_deform *deform, deform_body *body,
                       const raw_body *raw, int tet,
                       const sb_tet_matrices *element) {
    double mass = body->material.density * element->volume_m3, lumps[10];
    sb_lump_tet10(element, mass, lumps);
    for (int n = 0; n < 10; n++) {
        int node = raw->number[raw->solid->tets[tet][n]];
        deform->mass[body->node_first + node] += lumps[n];
    }
    body->volume_m3 += element->volume_m3;
    body->mass_kg += mass;
}

sb_status deform_fill_tets(sb_deform *deform, deform_body *body,
                           const raw_body *raw, sb_error *err) {
    sb_tet_matrices element;
    int points = body->is_straight ? 1 : SB_TET_POINTS;
    for (int i = 0; i < body->group_count * SB_DEFORM_LANES; i++) {
        int lane = i % SB_DEFORM_LANES;
        bool is_real = i < raw->element_count;
        int tet = raw->order[is_real ? i : raw->element_count - 1];
        sb_tet_group *group =
            &deform->tets[body->group_first + i / SB_DEFORM_LANES];
        sb_tet_metric *metric =
            &deform->metrics[body->metric_first + i / SB_DEFORM_LANES * points];
        sb_vec3 nodes[10];
        for (int n = 0; n < 10; n++) {
            int node = body->node_first + raw->number[raw->solid->tets[tet][n]];
            group->nodes[n][lane] = node;
            nodes[n] = row_vec3(deform->rest, node);
        }
        if (is_real && !sb_tet10(nodes, &body->material, &element))
            return bad_tet(raw, tet, err);
        if (is_real) add_masses(deform, body, raw, tet, &element);
        for (int q = 0; q < points; q++) {
            double t[6], det = find_metric(nodes, q, t);
            if (!(det > 0)) return bad_tet(raw, tet, err);
            for (int k = 0; k < 6; k++) {
                metric[q].of[k][lane] = t[k];
            }
            metric[q].of[6][lane] = is_real ? det / 24 : 0;
        }
    }
    double e = body->material.youngs_modulus;
    double nu = body->material.poisson_ratio;
    body->lame = e * nu / ((1 + nu) * (1 - 2 * nu));
    body->shear_twice = e / (1 + nu);
    return SB_OK;
}
