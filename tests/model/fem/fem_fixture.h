/* SPDX-License-Identifier: MIT */
/* tests/model/fem/fem_fixture.h -- meshes, and their modes by finite
 * elements. */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/fem/fem.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shapes/shapes.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

typedef enum diagonals { SAME, ALTERNATING, JITTERED } diagonals;

static inline sb_material elastic(double youngs, double density,
                                  double poisson) {
    return (sb_material){
        .density = density, .youngs_modulus = youngs, .poisson_ratio = poisson};
}

static inline sb_material steel(void) {
    return elastic(200e9, 7850, 0.29);
}

static inline void drop_mesh(sb_mesh *mesh) {
    sb_free(mesh->vertices);
    sb_free(mesh->faces);
    sb_free(mesh->uvs);
    *mesh = (sb_mesh){0};
}

static inline void drop_solid(sb_solid_mesh *solid) {
    sb_free(solid->nodes);
    sb_free(solid->tets);
    *solid = (sb_solid_mesh){0};
}

static inline sb_mesh empty_mesh(int vertices, int faces) {
    sb_mesh mesh = {.vertices = sb_alloc((size_t)vertices, sizeof(sb_vec3)),
                    .faces = sb_alloc((size_t)faces, sizeof(int[3]))};
    ck_assert(mesh.vertices && mesh.faces);
    return mesh;
}

static inline void add_triangle(sb_mesh *mesh, int a, int b, int c) {
    int *at = mesh->faces[mesh->face_count++];
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

/* x and z from -side / 2, y = 0, n x n cells; jittered by up to a quarter of a
 * cell inside. */
static inline sb_mesh square(double side, int n, diagonals pattern) {
    sb_mesh mesh = empty_mesh((n + 1) * (n + 1), 2 * n * n);
    sb_random random = sb_random_make(7, 1);
    double cell = side / n;
    for (int i = 0; i < (n + 1) * (n + 1); i++) {
        int ix = i % (n + 1), iz = i / (n + 1);
        sb_vec3 at = {cell * ix - side / 2, 0, cell * iz - side / 2};
        double dx = 0.5 * cell * (sb_random_unit(&random) - 0.5);
        double dz = 0.5 * cell * (sb_random_unit(&random) - 0.5);
        if (pattern == JITTERED && ix % n && iz % n) {
            at.x += dx;
            at.z += dz;
        }
        mesh.vertices[mesh.vertex_count++] = at;
    }
    for (int i = 0; i < n * n; i++) {
        int low = i / n * (n + 1) + i % n, high = low + n + 1;
        if (pattern != SAME && (i / n + i % n) % 2) {
            add_triangle(&mesh, low, high, low + 1);
            add_triangle(&mesh, low + 1, high, high + 1);
        } else {
            add_triangle(&mesh, low, high + 1, low + 1);
            add_triangle(&mesh, low, high, high + 1);
        }
    }
    return mesh;
}

/* The faces of an icosahedron, cut in four `passes` times and projected onto
 * a sphere. */
static inline sb_mesh ball(double radius, int passes) {
    static const double p = 1.6180339887498949;
    static const int at[20][3] = {
        {0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
        {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
        {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
        {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const sb_vec3 corners[12] = {{-1, p, 0},  {1, p, 0},   {-1, -p, 0},
                                 {1, -p, 0},  {0, -1, p},  {0, 1, p},
                                 {0, -1, -p}, {0, 1, -p},  {p, 0, -1},
                                 {p, 0, 1},   {-p, 0, -1}, {-p, 0, 1}};
    int faces = 20 << (2 * passes);
    sb_mesh mesh = empty_mesh(faces / 2 + 2, faces);
    memcpy(mesh.vertices, corners, sizeof corners);
    memcpy(mesh.faces, at, sizeof at);
    mesh.vertex_count = 12;
    mesh.face_count = 20;
    for (int pass = 0; pass < passes; pass++) {
        int old = mesh.face_count, from = mesh.vertex_count;
        int(*ends)[2] = sb_alloc((size_t)(3 * old), sizeof *ends);
        for (int i = 0; i < old; i++) {
            int *f = mesh.faces[i], m[3];
            for (int j = 0; j < 3; j++) {
                int a = f[j], b = f[(j + 1) % 3], k = from;
                while (k < mesh.vertex_count &&
                       !(ends[k - from][0] == b && ends[k - from][1] == a)) {
                    k++;
                }
                m[j] = k;
                if (k < mesh.vertex_count) continue;
                ends[k - from][0] = a;
                ends[k - from][1] = b;
                mesh.vertices[mesh.vertex_count++] =
                    sb_vec3_add(mesh.vertices[a], mesh.vertices[b]);
            }
            add_triangle(&mesh, f[0], m[0], m[2]);
            add_triangle(&mesh, m[0], f[1], m[1]);
            add_triangle(&mesh, m[2], m[1], f[2]);
            memcpy(f, m, sizeof m);
        }
        sb_free(ends);
        for (int i = 0; i < mesh.vertex_count; i++) {
            mesh.vertices[i] =
                sb_vec3_scale(sb_vec3_normalised(mesh.vertices[i]), radius);
        }
    }
    return mesh;
}

/* Axis along y; every other ring is rotated by half an edge. */
static inline sb_mesh tube(double radius, double length, int around, int rows) {
    sb_mesh mesh = empty_mesh(around * (rows + 1), 2 * around * rows);
    for (int i = 0; i < around * (rows + 1); i++) {
        int row = i / around;
        double angle = 2 * SB_PI * (i % around + 0.5 * (row % 2)) / around;
        mesh.vertices[mesh.vertex_count++] = (sb_vec3){
            radius * cos(angle), length * row / rows, radius * sin(angle)};
    }
    for (int i = 0; i < around * rows; i++) {
        int a = i, b = i / around * around + (i + 1) % around;
        int c = a + around, d = b + around;
        if (i / around % 2 == 0) {
            add_triangle(&mesh, a, c, b);
            add_triangle(&mesh, b, c, d);
        } else {
            add_triangle(&mesh, a, c, d);
            add_triangle(&mesh, a, d, b);
        }
    }
    return mesh;
}

static inline sb_mesh surface_of(sb_shape shape, int resolution) {
    sb_mesh mesh = {0};
    sb_error err = {0};
    sb_status status = sb_shape_surface(&shape, resolution, &mesh, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return mesh;
}

static inline sb_solid_mesh solid_of(sb_shape shape, int resolution) {
    sb_solid_mesh solid = {0};
    sb_error err = {0};
    sb_status status = sb_shape_solid(&shape, resolution, &solid, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return solid;
}

/* Free with sb_free. */
static inline sb_hold *holds_of(sb_shape shape, const sb_vec3 *nodes,
                                int count) {
    sb_hold *holds = sb_alloc((size_t)count, sizeof *holds);
    ck_assert_int_eq(sb_shape_holds(&shape, nodes, count, holds), SB_OK);
    return holds;
}

static inline sb_status make_sheet(sb_method method, const sb_mesh *mesh,
                                   const sb_material *material,
                                   double thickness_m, const sb_hold *holds,
                                   sb_fem *out, sb_error *err) {
    return sb_fem_make(&(sb_fem_def){.method = method,
                                     .material = material,
                                     .holds = holds,
                                     .sheet = mesh,
                                     .thickness_m = thickness_m},
                       out, err);
}

static inline sb_status make_solid(sb_method method, const sb_solid_mesh *solid,
                                   const sb_material *material,
                                   const sb_hold *holds, sb_fem *out,
                                   sb_error *err) {
    return sb_fem_make(&(sb_fem_def){.method = method,
                                     .material = material,
                                     .holds = holds,
                                     .solid = solid},
                       out, err);
}

static inline sb_fem sheet(sb_method method, const sb_mesh *mesh,
                           sb_material material, double thickness_m,
                           const sb_hold *holds) {
    sb_fem fem = {0};
    sb_error err = {0};
    sb_status status =
        make_sheet(method, mesh, &material, thickness_m, holds, &fem, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return fem;
}

/* The lowest `count` modes; scale_hz approximates the first elastic one. */
static inline sb_eigen_result solve(const sb_fem *fem, int count,
                                    double scale_hz) {
    double omega = 2 * SB_PI * scale_hz;
    sb_eigen_def def = {.k = &fem->k,
                        .m = &fem->m,
                        .max_value = INFINITY,
                        .max_count = count,
                        .scale = omega * omega,
                        .threads = 1};
    sb_eigen_result result = {0};
    sb_error err = {0};
    sb_status status = sb_eigen_sparse(&def, &result, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_eq(result.count, count);
    return result;
}

static inline double hz(double value) {
    return sqrt(fabs(value)) / (2 * SB_PI);
}

/* Frees the matrices. freqs[0] is the first mode after the `rigid` motions,
 * each of which is below 1e-6 of it. */
static inline void modes_of(sb_fem *fem, int rigid, int count, double scale_hz,
                            double *freqs) {
    sb_eigen_result result = solve(fem, rigid + count, scale_hz);
    double first = result.values[rigid];
    for (int i = 0; i < rigid; i++) {
        ck_assert_msg(fabs(result.values[i]) < 1e-6 * first,
                      "motion %d: %g of the first elastic one", i,
                      result.values[i] / first);
    }
    ck_assert_double_gt(first, 0);
    for (int k = 0; k < count; k++) {
        freqs[k] = hz(result.values[rigid + k]);
    }
    sb_eigen_result_free(&result);
    sb_fem_free(fem);
}

static inline void expect_near(const char *what, const double *got,
                               const double *want, int count,
                               double tolerance) {
    for (int k = 0; k < count; k++) {
        double error = got[k] / want[k] - 1;
        ck_assert_msg(fabs(error) <= tolerance,
                      "%s, mode %d: %.4f, not %.4f: %+.3f %%", what, k + 1,
                      got[k], want[k], 100 * error);
    }
}

/* omega a^2 sqrt(rho h / D) for 1 Hz. */
static inline double lambda_per_hz(sb_material material, double thickness,
                                   double a) {
    double nu = material.poisson_ratio;
    double speed = thickness * sqrt(material.youngs_modulus /
                                    (12 * (1 - nu * nu) * material.density));
    return 2 * SB_PI * a * a / speed;
}

static inline double sum_of_mass(const sb_fem *fem, int axis) {
    double *ones = sb_alloc((size_t)fem->dof_count, sizeof(double));
    double *got = sb_alloc((size_t)fem->dof_count, sizeof(double)), sum = 0;
    for (int i = 0; i < fem->node_count; i++) {
        if (fem->dofs[i][axis] >= 0) ones[fem->dofs[i][axis]] = 1;
    }
    sb_sparse_multiply(&fem->m, ones, got);
    for (int i = 0; i < fem->dof_count; i++) {
        sum += ones[i] * got[i];
    }
    sb_free(ones);
    sb_free(got);
    return sum;
}

/* A rotation about a skew axis and a shift, or a reflection. */
static inline sb_vec3 moved(sb_vec3 p) {
    const double c = cos(0.7), s = sin(0.7), d = cos(1.1), e = sin(1.1);
    sb_vec3 q = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
    return (sb_vec3){d * q.x + e * q.z + 0.3, q.y - 0.2, d * q.z - e * q.x + 1};
}

static inline sb_vec3 mirrored(sb_vec3 p) {
    return (sb_vec3){-p.x, p.y, p.z};
}

static inline sb_vec3 doubled(sb_vec3 p) {
    return sb_vec3_scale(p, 2);
}

static inline void move_points(sb_vec3 *points, int count,
                               sb_vec3 (*move)(sb_vec3)) {
    for (int i = 0; i < count; i++) {
        points[i] = move(points[i]);
    }
}

/* order[i]: the new index of i; repeatable. Free with sb_free. */
static inline int *shuffled(int count) {
    int *order = sb_alloc((size_t)count, sizeof *order);
    sb_random random = sb_random_make(3, 5);
    for (int i = 0; i < count; i++) {
        int j = (int)(sb_random_unit(&random) * (i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}
