/* SPDX-License-Identifier: MIT */
/* Surfaces with fewer vertices: how they hang together, their volume, edges and
 * corners, and what cannot be taken. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/vec3.h"
#include "runtime/model/mesh/mesh_coarse.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { MOST = 8000 };

static float vertices[MOST][3];
static int32_t faces[2 * MOST][3];
static int vertex_count, face_count;

static int add_vertex(double x, double y, double z) {
    ck_assert_int_lt(vertex_count, MOST);
    float *p = vertices[vertex_count];
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return vertex_count++;
}

static void add_face(int a, int b, int c) {
    memcpy(faces[face_count++], (int32_t[3]){a, b, c}, sizeof faces[0]);
}

static void start(void) {
    vertex_count = face_count = 0;
}

/* n x n cells from `at`, along two sides; neighbours do not share vertices. */
static void add_grid(int n, sb_vec3 at, sb_vec3 u, sb_vec3 v) {
    int first = vertex_count;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
            sb_vec3 p =
                sb_vec3_plus(sb_vec3_plus(at, u, 1.0 * i / n), v, 1.0 * j / n);
            (void)add_vertex(p.x, p.y, p.z);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int a = first + i * (n + 1) + j;
            add_face(a, a + n + 1, a + n + 2);
            add_face(a, a + n + 2, a + 1);
        }
    }
}

/* `sign` -1: seen from within. */
static void add_box(int n, sb_vec3 half, double sign) {
    const double *h = (const double *)&half;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            double at[3], u[3] = {0}, v[3] = {0};
            int one = (axis + 1) % 3, two = (axis + 2) % 3;
            at[axis] = side * h[axis];
            at[one] = -h[one];
            at[two] = -h[two];
            bool is_turned = side * sign < 0;
            (is_turned ? v : u)[one] = 2 * h[one];
            (is_turned ? u : v)[two] = 2 * h[two];
            add_grid(n, (sb_vec3){at[0], at[1], at[2]},
                     (sb_vec3){u[0], u[1], u[2]}, (sb_vec3){v[0], v[1], v[2]});
        }
    }
}

static void add_torus(int round, int across) {
    for (int i = 0; i < round * across; i++) {
        double a = SB_TAU * (i / across) / round;
        double b = SB_TAU * (i % across) / across, r = 1 + 0.3 * cos(b);
        (void)add_vertex(r * cos(a), r * sin(a), 0.3 * sin(b));
    }
    for (int i = 0; i < round * across; i++) {
        int right = (i + across) % (round * across);
        int up = i / across * across + (i + 1) % across;
        int both = right / across * across + up % across;
        add_face(i, right, both);
        add_face(i, both, up);
    }
}

static sb_coarse thin_out(int most) {
    sb_coarse coarse;
    sb_error err = {0};
    ck_assert_msg(sb_coarse_make((const float(*)[3])vertices, vertex_count,
                                 (const int32_t(*)[3])faces, face_count, most,
                                 &coarse, &err) == SB_OK,
                  "%s", err.message);
    return coarse;
}

static const char *refusal(void) {
    static sb_error err;
    sb_coarse coarse;
    ck_assert_int_eq(sb_coarse_make((const float(*)[3])vertices, vertex_count,
                                    (const int32_t(*)[3])faces, face_count, 10,
                                    &coarse, &err),
                     SB_BAD_FORMAT);
    return err.message;
}

static sb_vec3 corner(const sb_coarse *coarse, int f, int j) {
    const float *p = coarse->vertices[coarse->faces[f][j]];
    return (sb_vec3){p[0], p[1], p[2]};
}

typedef struct measures {
    double area, volume;
    int edges; /* doubled: each once per face, and free ones once more */
} measures;

static measures measure(const sb_coarse *coarse) {
    measures sum = {0};
    for (int f = 0; f < coarse->face_count; f++) {
        sb_vec3 a = corner(coarse, f, 0);
        sb_vec3 cross = sb_vec3_cross(sb_vec3_sub(corner(coarse, f, 1), a),
                                      sb_vec3_sub(corner(coarse, f, 2), a));
        sum.area += sb_vec3_length(cross) / 2;
        sum.volume += sb_vec3_dot(cross, a) / 6;
        for (int i = 0; i < 3 * coarse->face_count; i++) {
            const int32_t *own = coarse->faces[f],
                          *other = coarse->faces[i / 3];
            for (int j = 0; j < 3; j++) {
                sum.edges += own[j] == other[(i + 1) % 3] &&
                             own[(j + 1) % 3] == other[i % 3];
            }
        }
    }
    return sum;
}

/* Closed surfaces: V - E + F is 2 for a ball, 0 for a torus. */
static int euler(const sb_coarse *coarse) {
    measures sum = measure(coarse);
    ck_assert_int_eq(sum.edges, 3 * coarse->face_count);
    return coarse->vertex_count - sum.edges / 2 + coarse->face_count;
}

START_TEST(a_ball_stays_a_ball_of_its_volume) {
    start();
    add_box(20, (sb_vec3){1, 1, 1}, 1);
    for (int i = 0; i < vertex_count; i++) {
        float *p = vertices[i];
        double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int j = 0; j < 3; j++)
            p[j] = (float)((double)p[j] / r);
    }
    for (int most = 40; most <= 500; most *= 3) {
        sb_coarse coarse = thin_out(most);
        ck_assert_int_eq(coarse.vertex_count, most);
        ck_assert(!coarse.is_sheet);
        ck_assert_int_eq(euler(&coarse), 2);
        ck_assert_double_eq_tol(measure(&coarse).volume, 4 * SB_PI / 3,
                                0.01 * 4 * SB_PI / 3);
        double mean = sqrt(4 * SB_PI / coarse.face_count * 4 / sqrt(3));
        ck_assert_double_lt(fabs(coarse.edge_m / mean - 1), 0.2);
        for (int v = 0; v < coarse.vertex_count; v++) {
            const float *p = coarse.vertices[v];
            const float *from = vertices[coarse.origins[v]];
            for (int j = 0; j < 3; j++)
                ck_assert_double_eq_tol(p[j], from[j], 0.5 * coarse.edge_m);
        }
        sb_coarse_free(&coarse);
    }
}
END_TEST

START_TEST(a_torus_keeps_its_hole) {
    start();
    add_torus(90, 30);
    sb_coarse coarse = thin_out(150);
    ck_assert_int_eq(euler(&coarse), 0);
    double volume = 2 * SB_PI * SB_PI * 0.09;
    ck_assert_double_eq_tol(measure(&coarse).volume, volume, 0.02 * volume);
    sb_coarse_free(&coarse);
}
END_TEST

/* Its sides share no vertices. With 300 vertices its edges and corners stay,
 * thin as it is; with fewer it loses some of its volume. */
START_TEST(a_bar_keeps_its_edges) {
    const double losses[] = {1e-3, 0.1}, whole = 8 * 0.002;
    for (int i = 0; i < 2; i++) {
        start();
        add_box(24, (sb_vec3){1, 0.1, 0.02}, 1);
        sb_coarse coarse = thin_out(i ? 120 : 300);
        ck_assert_int_le(coarse.vertex_count, i ? 120 : 300);
        ck_assert_int_eq(euler(&coarse), 2);
        ck_assert_double_eq_tol(measure(&coarse).volume, whole,
                                losses[i] * whole);
        sb_coarse_free(&coarse);
    }
}
END_TEST

START_TEST(a_sheet_keeps_its_edge) {
    start();
    add_grid(40, (sb_vec3){0, 0, 0}, (sb_vec3){0.3, 0, 0},
             (sb_vec3){0, 0, 0.2});
    sb_coarse coarse = thin_out(100);
    ck_assert(coarse.is_sheet);
    ck_assert_int_eq(coarse.vertex_count, 100);
    ck_assert_double_eq_tol(measure(&coarse).area, 0.06, 1e-3);
    sb_coarse_free(&coarse);
    coarse = thin_out(5000); /* fewer than that: as it is */
    ck_assert_int_eq(coarse.vertex_count, 41 * 41);
    ck_assert_int_eq(coarse.face_count, 2 * 40 * 40);
    sb_coarse_free(&coarse);
}
END_TEST

/* The air in a tube resonates as its width says. */
START_TEST(an_open_tube_keeps_its_width) {
    enum { AROUND = 96, ALONG = 30 };
    start();
    for (int i = 0; i < AROUND * (ALONG + 1); i++) {
        double a = SB_TAU * (i % AROUND) / AROUND;
        (void)add_vertex(cos(a), sin(a), 4.0 * (i / AROUND) / ALONG - 2);
    }
    for (int i = 0; i < AROUND * ALONG; i++) {
        int right = i / AROUND * AROUND + (i + 1) % AROUND;
        add_face(i, right, right + AROUND);
        add_face(i, right + AROUND, i + AROUND);
    }
    sb_coarse coarse = thin_out(140);
    ck_assert(coarse.is_sheet);
    /* A third of radius times area. */
    double cone = 4 * SB_TAU / 3;
    ck_assert_double_eq_tol(measure(&coarse).volume, cone, 0.005 * cone);
    sb_coarse_free(&coarse);
}
END_TEST

START_TEST(cavities_are_left_out_and_insides_turned) {
    start();
    add_box(6, (sb_vec3){1, 1, 1}, 1);
    int outside = face_count;
    add_box(6, (sb_vec3){0.5, 0.5, 0.5}, -1);
    sb_coarse coarse = thin_out(1000);
    ck_assert_int_eq(coarse.face_count, outside);
    ck_assert_double_eq_tol(measure(&coarse).volume, 8, 1e-4);
    sb_coarse_free(&coarse);
    start();
    add_box(6, (sb_vec3){0.5, 0.5, 0.5}, -1);
    coarse = thin_out(1000);
    ck_assert_double_eq_tol(measure(&coarse).volume, 1, 1e-4);
    sb_coarse_free(&coarse);
}
END_TEST

START_TEST(what_cannot_be_taken_is_said) {
    start();
    for (int i = 0; i < 4; i++)
        (void)add_vertex(i == 1, i == 2, i == 3);
    add_face(0, 1, 2);
    add_face(0, 1, 3);
    ck_assert_str_eq(refusal(),
                     "two neighbouring faces look to opposite sides");
    add_face(1, 0, add_vertex(0, -1, 0));
    ck_assert_str_eq(refusal(), "an edge of the surface has 3 faces");
    start();
    add_box(3, (sb_vec3){1, 1, 1}, 1);
    add_grid(3, (sb_vec3){3, 0, 0}, (sb_vec3){1, 0, 0}, (sb_vec3){0, 1, 0});
    ck_assert_str_eq(refusal(), "some parts of the surface are closed, others "
                                "are not");
    start();
    add_box(4, (sb_vec3){1, 1, 1}, 1);
    long live = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_coarse coarse;
        sb_memory_fail_after(n);
        status = sb_coarse_make((const float(*)[3])vertices, vertex_count,
                                (const int32_t(*)[3])faces, face_count, 20,
                                &coarse, NULL);
        sb_memory_fail_after(-1);
        if (!status) sb_coarse_free(&coarse);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("coarse surfaces");
    TCase *tcase = tcase_create("coarse");
    tcase_add_test(tcase, a_ball_stays_a_ball_of_its_volume);
    tcase_add_test(tcase, a_torus_keeps_its_hole);
    tcase_add_test(tcase, a_bar_keeps_its_edges);
    tcase_add_test(tcase, a_sheet_keeps_its_edge);
    tcase_add_test(tcase, an_open_tube_keeps_its_width);
    tcase_add_test(tcase, cavities_are_left_out_and_insides_turned);
    tcase_add_test(tcase, what_cannot_be_taken_is_said);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
