/* Groups of triangles (kernel.h) and their lumped masses and inertias (lump.h).
 * Thread: as deform.h. */
#include "runtime/deform/run/build.h"

#include "runtime/base/pi.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/model/fem/lump.h"
#include "runtime/model/fem/shell_element.h"

#include <math.h>

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

static bool add_masses(sb_deform *deform, deform_body *body,
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
            &deform->shells[body->group_first + i / SB_DEFORM_LANES];
        sb_vec3 corners[3];
        for (int n = 0; n < 3; n++) {
            nodes[n] =
                body->node_first + raw->number[raw->sheet->faces[face][n]];
            group->nodes[n][lane] = nodes[n];
            corners[n] = row_vec3(deform->rest, nodes[n]);
        }
        if (is_real && !add_masses(deform, body, corners, nodes))
            return bad_face(raw, face, err);
        set_element(group, lane, corners, &section, body->material.density,
                    is_real);
        body->slowest_s2 = fmax(body->slowest_s2, group->slowest[lane]);
        coarsest = fmax(coarsest, spacing(corners));
    }
    body->limit_hz = resolved_hz(body, coarsest);
    return SB_OK;
}
