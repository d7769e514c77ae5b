/* SPDX-License-Identifier: MIT */
/* Groups of quadratic tetrahedra and of triangles (kernel.h), their lumped masses
 * and inertias (shell_element.h, tet10.h). Thread: as deform.h. */
#include "runtime/deform/run/build.h"

#include "runtime/base/pi.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/model/fem/shell_element.h"
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
            x[i] = sb_vec3_plus(x[i], nodes[n], d[n][i]);
        }
    }
    sb_vec3 a = sb_vec3_sub(x[1], x[0]), b = sb_vec3_sub(x[2], x[0]);
    sb_vec3 c = sb_vec3_sub(x[3], x[0]);
    double r00 = sb_vec3_length(a);
    sb_vec3 q0 = sb_vec3_normalised(a);
    double r01 = sb_vec3_dot(q0, b), r02 = sb_vec3_dot(q0, c);
    b = sb_vec3_plus(b, q0, -r01);
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

static void add_tet_masses(sb_deform *deform, deform_body *body,
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
            &deform->elements.tets[body->group_first + i / SB_DEFORM_LANES];
        sb_tet_metric *metric =
            &deform->elements
                 .metrics[body->metric_first + i / SB_DEFORM_LANES * points];
        sb_vec3 nodes[10];
        for (int n = 0; n < 10; n++) {
            int node = body->node_first + raw->number[raw->solid->tets[tet][n]];
            group->nodes[n][lane] = node;
            nodes[n] = row_vec3(deform->rest, node);
        }
        if (is_real && !sb_tet10(nodes, &body->material, &element))
            return bad_tet(raw, tet, err);
        if (is_real) add_tet_masses(deform, body, raw, tet, &element);
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

/* --- triangles ------------------------------------------------------------ */

/* Where the local freedoms are among the 18 of shell_element.h. */
static const int membrane_dofs[6] = {6, 12, 13, 5, 11, 17};
static const int bending_dofs[6] = {3, 4, 9, 10, 15, 16};

typedef double matrix[SB_SHELL_DOFS][SB_SHELL_DOFS];

static void take_half(matrix k, const int dofs[6], sb_lanes *half, int lane,
                      double factor) {
    int at = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            half[at++][lane] = factor * k[dofs[i]][dofs[j]];
        }
    }
}

/* Of one triangle alone, with its share of the masses: no frequency of a mesh is
 * above the highest of its elements. By the power method: 64 rounds are within
 * a per cent. */
static double slowest_of(matrix k, const sb_shell_section *section,
                         double density, double area) {
    enum { FREEDOMS = 9, ROUNDS = 64 };
    static const int dofs[FREEDOMS] = {2, 3, 4, 8, 9, 10, 14, 15, 16};
    double third = density * section->thickness_m * area / 3;
    double turn = sb_lump_inertia(third, section->thickness_m, area);
    double v[FREEDOMS] = {1, 2, 3, -4, 5, -6, 7, 8, -9}, size = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double next[FREEDOMS] = {0}, sum = 0;
        for (int i = 0; i < FREEDOMS; i++) {
            for (int j = 0; j < FREEDOMS; j++) {
                next[i] += k[dofs[i]][dofs[j]] * v[j];
            }
            next[i] /= i % 3 == 0 ? third : turn;
        }
        for (int i = 0; i < FREEDOMS; i++) {
            sum += (i % 3 == 0 ? third : turn) * next[i] * next[i];
        }
        size = sqrt(sum);
        for (int i = 0; i < FREEDOMS; i++) {
            v[i] = next[i] / size;
        }
    }
    return 1 / size;
}

static void set_element(sb_shell_group *group, int lane,
                        const sb_vec3 corners[3],
                        const sb_shell_section *section, double density,
                        bool is_real) {
    sb_vec3 side = sb_vec3_sub(corners[1], corners[0]);
    sb_vec3 other = sb_vec3_sub(corners[2], corners[0]);
    sb_vec3 e1 = sb_vec3_normalised(side);
    sb_vec3 e3 = sb_vec3_normalised(sb_vec3_cross(side, other));
    sb_vec3 e2 = sb_vec3_cross(e3, e1);
    const sb_vec3 axes[3] = {e1, e2, e3};
    for (int i = 0; i < 3; i++) {
        group->axes[3 * i][lane] = axes[i].x;
        group->axes[3 * i + 1][lane] = axes[i].y;
        group->axes[3 * i + 2][lane] = axes[i].z;
    }
    double x2 = sb_vec3_length(side), x3 = sb_vec3_dot(e1, other);
    double y3 = sb_vec3_dot(e2, other);
    group->corner[0][lane] = x2;
    group->corner[1][lane] = x3;
    group->corner[2][lane] = y3;
    const sb_vec3 flat[3] = {{0, 0, 0}, {x2, 0, 0}, {x3, y3, 0}};
    matrix k;
    sb_shell_element(flat, section, k);
    take_half(k, membrane_dofs, group->membrane, lane, is_real);
    take_half(k, bending_dofs, group->bending, lane, is_real);
    group->slowest[lane] = slowest_of(k, section, density, 0.5 * x2 * y3);
}

static sb_status bad_face(const raw_body *raw, int face, sb_error *err) {
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: face %d has no area; drop it or weld its corners",
                   raw->name, face);
}

static double longest_side(const sb_vec3 corners[3]) {
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        longest =
            fmax(longest,
                 sb_vec3_length(sb_vec3_sub(corners[i], corners[(i + 1) % 3])));
    }
    return longest;
}

/* The side between the shortest and the longest: of a right triangle the longer
 * leg, which is the distance of two rows of a grid. */
static double spacing(const sb_vec3 corners[3]) {
    double a = sb_vec3_length(sb_vec3_sub(corners[1], corners[0]));
    double b = sb_vec3_length(sb_vec3_sub(corners[2], corners[1]));
    double c = sb_vec3_length(sb_vec3_sub(corners[0], corners[2]));
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* The frequency of a flat sheet's bending wave that is six elements long: those
 * of the mesh are lower by 4 % there, by 9 % with four, which is enough to move
 * lines from one third of an octave to another. Waves in its plane are resolved
 * far beyond. */
static double resolved_hz(const deform_body *body, double spacing_m) {
    const sb_material *of = &body->material;
    double nu = of->poisson_ratio, k = 2 * SB_PI / (6 * spacing_m);
    double wave = sqrt(of->youngs_modulus / (12 * of->density * (1 - nu * nu)));
    return k * k * body->thickness_m * wave / (2 * SB_PI);
}

static bool add_triangle_masses(sb_deform *deform, deform_body *body,
                                const sb_vec3 corners[3], const int nodes[3]) {
    sb_vec3 a = sb_vec3_sub(corners[1], corners[0]);
    sb_vec3 b = sb_vec3_sub(corners[2], corners[0]);
    double area = 0.5 * sb_vec3_length(sb_vec3_cross(a, b));
    double longest = longest_side(corners), t = body->thickness_m;
    if (!(area > 1e-9 * longest * longest)) return false;
    double third = body->material.density * t * area / 3;
    for (int i = 0; i < 3; i++) {
        deform->mass[nodes[i]] += third;
        deform->inertia[nodes[i]] += sb_lump_inertia(third, t, area);
    }
    body->volume_m3 += t * area;
    body->mass_kg += 3 * third;
    return true;
}

sb_status deform_fill_shells(sb_deform *deform, deform_body *body,
                             const raw_body *raw, sb_error *err) {
    const sb_shell_section section = {body->material.youngs_modulus,
                                      body->material.poisson_ratio,
                                      body->thickness_m};
    double coarsest = 0;
    for (int i = 0; i < body->group_count * SB_DEFORM_LANES; i++) {
        int lane = i % SB_DEFORM_LANES, nodes[3];
        bool is_real = i < raw->element_count;
        int face = raw->order[is_real ? i : raw->element_count - 1];
        sb_shell_group *group =
            &deform->elements.shells[body->group_first + i / SB_DEFORM_LANES];
        sb_vec3 corners[3];
        for (int n = 0; n < 3; n++) {
            nodes[n] =
                body->node_first + raw->number[raw->sheet->faces[face][n]];
            group->nodes[n][lane] = nodes[n];
            corners[n] = row_vec3(deform->rest, nodes[n]);
        }
        if (is_real && !add_triangle_masses(deform, body, corners, nodes))
            return bad_face(raw, face, err);
        set_element(group, lane, corners, &section, body->material.density,
                    is_real);
        body->slowest_s2 = fmax(body->slowest_s2, group->slowest[lane]);
        coarsest = fmax(coarsest, spacing(corners));
    }
    body->limit_hz = resolved_hz(body, coarsest);
    return SB_OK;
}
