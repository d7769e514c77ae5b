/* SPDX-License-Identifier: MIT */
/* Closed surfaces filled with tetrahedra, against the volume and the moments
 * that the divergence theorem finds from the surface alone. */
#include "runtime/model/fill/fill.h"

#include "runtime/base/memory.h"
#include "tests/model/fill/boundaries.h"
#include "tests/model/fill/solid_moments.h"
#include "tests/suite.h"

#include <string.h>

static bool has_place(const sb_solid_mesh *solid, int node, bool is_corner) {
    return is_corner ? node >= 0 && node < solid->corner_count
                     : node >= solid->corner_count && node < solid->node_count;
}

/* Corners have the low numbers, every mid-edge node is used and lies near
 * the middle of its edge. */
static void check_form(const sb_solid_mesh *solid) {
    bool is_well_numbered = solid->tet_count > 0;
    double furthest = 0;
    for (int i = 0; i < solid->tet_count; i++) {
        const int *t = solid->tets[i];
        for (int k = 0; k < 10; k++) {
            is_well_numbered =
                is_well_numbered && has_place(solid, t[k], k < 4);
        }
        for (int e = 0; e < 6; e++) {
            sb_vec3 a = solid->nodes[t[EDGES[e][0]]];
            sb_vec3 b = solid->nodes[t[EDGES[e][1]]];
            sb_vec3 m = sb_vec3_scale(sb_vec3_add(a, b), 0.5);
            double off = sb_vec3_length(sb_vec3_sub(solid->nodes[t[4 + e]], m));
            furthest = fmax(furthest, off / sb_vec3_length(sb_vec3_sub(a, b)));
        }
    }
    ck_assert(is_well_numbered);
    ck_assert_double_le(furthest, 0.26);
}

static sb_solid_mesh fill(const sb_mesh *mesh, double cell_m, int most_nodes) {
    sb_fill_def def = sb_fill_def_default();
    def.cell_m = cell_m;
    if (most_nodes > 0) def.most_nodes = most_nodes;
    sb_solid_mesh solid;
    sb_error err = {0};
    sb_status status = sb_fill(mesh, &def, &solid, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_le(solid.node_count, def.most_nodes);
    check_form(&solid);
    return solid;
}

static void check_fill(const sb_mesh *mesh, int most_nodes, double tolerance,
                       double angle) {
    sb_solid_mesh solid = fill(mesh, 0, most_nodes);
    moments want = moments_of_surface(mesh), got = moments_of_solid(&solid);
    ck_assert_double_eq_tol(got.volume / want.volume, 1, tolerance);
    double trace = want.second[0] + want.second[1] + want.second[2];
    double reach = sqrt(trace / want.volume);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(got.centre[i], want.centre[i],
                                tolerance * reach);
    }
    for (int k = 0; k < 6; k++) {
        double scale = k < 3 ? want.second[k] : trace;
        ck_assert_double_eq_tol(got.second[k], want.second[k],
                                2 * tolerance * scale);
    }
    double least = 180;
    for (int i = 0; i < solid.tet_count; i++) {
        least = fmin(least, least_angle(&solid, i));
    }
    ck_assert_double_ge(least, angle);
    sb_solid_mesh_free(&solid);
}

START_TEST(boxes_are_exact_however_they_lie) {
    const double sizes[5][3] = {{.05, .05, .05},
                                {.2, .02, .005},
                                {.12, .12, .004},
                                {.3, .3, .002},
                                {.031, .017, .023}};
    for (int i = 0; i < 5; i++) {
        sb_mesh *box = surface_box(sizes[i][0], sizes[i][1], sizes[i][2]);
        check_fill(box, 0, 1e-9, 14);
        surface_turn(box);
        check_fill(box, 0, 1e-9, 14);
    }
}
END_TEST

/* The nodes of the rotated box are the rotated nodes of the box, in any
 * order. */
START_TEST(turning_a_box_turns_its_nodes) {
    sb_mesh *box = surface_box(.04, .03, .02);
    sb_solid_mesh plain = fill(box, 0, 3000);
    moments of_plain = moments_of_solid(&plain);
    surface_turn(box);
    sb_solid_mesh turned = fill(box, 0, 3000);
    moments of_turned = moments_of_solid(&turned);
    ck_assert_int_eq(plain.node_count, turned.node_count);
    ck_assert_int_eq(plain.tet_count, turned.tet_count);
    /* Sums of high powers of the distances from the centre distinguish
     * lattices. */
    double sums[2] = {0, 0};
    for (int i = 0; i < plain.node_count; i++) {
        sb_vec3 a = {of_plain.centre[0], of_plain.centre[1],
                     of_plain.centre[2]};
        sb_vec3 b = {of_turned.centre[0], of_turned.centre[1],
                     of_turned.centre[2]};
        sums[0] += pow(sb_vec3_length(sb_vec3_sub(plain.nodes[i], a)), 7);
        sums[1] += pow(sb_vec3_length(sb_vec3_sub(turned.nodes[i], b)), 7);
    }
    ck_assert_double_eq_tol(sums[0] / sums[1], 1, 1e-9);
    sb_solid_mesh_free(&plain);
    sb_solid_mesh_free(&turned);
}
END_TEST

/* Splits a triangle of the mesh into three at an inner point, rounded to the
 * digits of a file. */
static void split_face(sb_mesh *mesh, int face, double s, double t) {
    int corners[3];
    memcpy(corners, mesh->faces[face], sizeof corners);
    sb_vec3 a = mesh->vertices[corners[0]], b = mesh->vertices[corners[1]];
    sb_vec3 c = mesh->vertices[corners[2]];
    sb_vec3 p = sb_vec3_add(
        a, sb_vec3_add(sb_vec3_scale(sb_vec3_sub(b, a), s * (1 - t)),
                       sb_vec3_scale(sb_vec3_sub(c, a), t)));
    int middle = surface_vertex((float)p.x, (float)p.y, (float)p.z);
    mesh->faces[face][2] = middle;
    surface_face(corners[1], corners[2], middle);
    surface_face(corners[2], corners[0], middle);
}

/* The normal of a needle is determined by rounding: none of its edges may
 * count as sharp. */
START_TEST(needles_in_a_flat_face_change_nothing) {
    sb_mesh *box = surface_box(.2, .02, .005);
    surface_turn(box);
    sb_solid_mesh plain = fill(box, 0, 0);
    int first = box->face_count;
    uint32_t state = 3;
    for (int i = 0; i < 500; i++) {
        uint32_t draws[3];
        for (int k = 0; k < 3; k++)
            draws[k] = (state = state * 1664525u + 1013904223u) >> 8;
        int among = box->face_count - first + 1;
        int face = (int)(draws[0] % (uint32_t)among);
        split_face(box, face == 0 ? 0 : first + face - 1,
                   (draws[1] + 0.5) / 16777216, (draws[2] + 0.5) / 16777216);
    }
    sb_solid_mesh split = fill(box, 0, 0);
    ck_assert_int_eq(split.node_count, plain.node_count);
    ck_assert_int_eq(split.tet_count, plain.tet_count);
    check_fill(box, 0, 1e-6, 14);
    sb_solid_mesh_free(&plain);
    sb_solid_mesh_free(&split);
}
END_TEST

START_TEST(thin_boxes_have_an_element_through_and_cells_not_too_long) {
    sb_mesh *plate = surface_box(.3, .3, .002);
    sb_solid_mesh solid = fill(plate, 0, 0);
    double longest = 0;
    for (int i = 0; i < solid.tet_count; i++) {
        for (int e = 0; e < 6; e++) {
            sb_vec3 a = solid.nodes[solid.tets[i][EDGES[e][0]]];
            sb_vec3 b = solid.nodes[solid.tets[i][EDGES[e][1]]];
            longest = fmax(longest, fabs(a.x - b.x));
        }
    }
    ck_assert_double_le(longest, .0085);
    sb_solid_mesh_free(&solid);
    /* With more nodes allowed, shorter cells rather than flat ones. */
    check_fill(plate, 40000, 1e-9, 14);
}
END_TEST

START_TEST(balls_and_rings_keep_volume_and_moments) {
    check_fill(surface_sphere(.02, 30, 60), 0, 1e-3, 15);
    check_fill(surface_torus(.03, .01, 24, 72), 0, 1e-3, 15);
}
END_TEST

START_TEST(bars_with_an_undercut_keep_volume_and_moments) {
    sb_mesh *bar = surface_undercut_bar(100);
    check_fill(bar, 0, 1e-3, 15);
    surface_turn(bar);
    check_fill(bar, 8000, 2e-3, 12);
}
END_TEST

START_TEST(cups_keep_volume_and_moments) {
    check_fill(surface_cup(.04, .05, .006, 8, 64), 12000, 2e-3, 12);
}
END_TEST

/* Rounded like a real die: x^8 + y^8 + z^8 = 1. */
START_TEST(dice_keep_volume_and_moments) {
    sb_mesh *die = surface_sphere(1, 40, 80);
    for (int i = 0; i < die->vertex_count; i++) {
        sb_vec3 v = die->vertices[i];
        double norm = pow(pow(v.x, 8) + pow(v.y, 8) + pow(v.z, 8), 1.0 / 8);
        die->vertices[i] = sb_vec3_scale(v, .008 / norm);
    }
    check_fill(die, 0, 2e-3, 15);
    surface_turn(die);
    check_fill(die, 0, 2e-3, 15);
}
END_TEST

static sb_mesh *tetrahedron(double edge) {
    surface_begin();
    int a = surface_vertex(0, 0, 0), b = surface_vertex(edge, 0, 0);
    int c = surface_vertex(edge / 2, edge * sqrt(3) / 2, 0);
    int d = surface_vertex(edge / 2, edge * sqrt(3) / 6, edge * sqrt(2. / 3));
    surface_face(a, c, b);
    surface_face(a, b, d);
    surface_face(b, c, d);
    surface_face(c, a, d);
    return &surface_mesh;
}

START_TEST(sharp_edges_and_corners_stay_sharp) {
    sb_mesh *mesh = tetrahedron(.05);
    check_fill(mesh, 0, 1e-3, 12);
    sb_solid_mesh solid = fill(mesh, 0, 0);
    for (int v = 0; v < 4; v++) {
        double nearest = INFINITY;
        for (int i = 0; i < solid.corner_count; i++) {
            nearest = fmin(nearest, sb_vec3_length(sb_vec3_sub(
                                        solid.nodes[i], mesh->vertices[v])));
        }
        ck_assert_double_lt(nearest, 1e-12);
    }
    sb_solid_mesh_free(&solid);
}
END_TEST

/* An angle, and a fork of two prongs and a stem, extruded from polygons with
 * the listed triangulation. */
static sb_mesh *drawn_out(const double (*polygon)[2], int count,
                          const int (*triangles)[3], int triangle_count,
                          double width) {
    surface_begin();
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < count; i++) {
            surface_vertex(polygon[i][0], width * k, polygon[i][1]);
        }
    }
    for (int i = 0; i < triangle_count; i++) {
        const int *t = triangles[i];
        surface_face(t[0], t[1], t[2]);
        surface_face(count + t[0], count + t[2], count + t[1]);
    }
    for (int i = 0; i < count; i++) {
        int j = (i + 1) % count;
        surface_quad(i, count + i, count + j, j);
    }
    return &surface_mesh;
}

START_TEST(brackets_and_forks_are_exact) {
    const double angle[6][2] = {{0, 0},     {.1, 0},   {.1, .01},
                                {.01, .01}, {.01, .1}, {0, .1}};
    const int of_angle[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    check_fill(drawn_out(angle, 6, of_angle, 4, .03), 0, 1e-9, 14);
    const double fork[12][2] = {{-.003, 0},   {.003, 0},     {.003, .04},
                                {.01, .04},   {.01, .13},    {.004, .13},
                                {.004, .048}, {-.004, .048}, {-.004, .13},
                                {-.01, .13},  {-.01, .04},   {-.003, .04}};
    const int of_fork[10][3] = {{0, 1, 2},  {0, 2, 11}, {11, 2, 6}, {11, 6, 7},
                                {2, 3, 6},  {3, 4, 5},  {3, 5, 6},  {10, 11, 7},
                                {10, 7, 8}, {10, 8, 9}};
    sb_mesh *mesh = drawn_out(fork, 12, of_fork, 10, .008);
    check_fill(mesh, 0, 1e-9, 14);
    surface_turn(mesh);
    check_fill(mesh, 0, 1e-9, 14);
}
END_TEST

/* The inner box faces outward, as sb_mesh_clean leaves it, or inward. */
START_TEST(cavities_stay_empty) {
    for (int is_inward = 0; is_inward < 2; is_inward++) {
        surface_begin();
        surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){.06, .05, .04});
        surface_add_box((sb_vec3){.02, .02, .012}, (sb_vec3){.04, .03, .03});
        for (int i = 12; i < 24 && is_inward; i++) {
            int *f = surface_mesh.faces[i], swap = f[0];
            f[0] = f[1];
            f[1] = swap;
        }
        sb_solid_mesh solid = fill(&surface_mesh, 0, 0);
        double want = .06 * .05 * .04 - .02 * .01 * .018;
        ck_assert_double_eq_tol(moments_of_solid(&solid).volume / want, 1,
                                1e-9);
        sb_solid_mesh_free(&solid);
    }
}
END_TEST

START_TEST(each_of_several_bodies_is_filled) {
    surface_begin();
    surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){.02, .02, .06});
    surface_add_box((sb_vec3){.05, .01, 0}, (sb_vec3){.06, .04, .04});
    check_fill(&surface_mesh, 0, 1e-9, 14);
}
END_TEST

/* Two boxes that intersect: their union is filled once. */
START_TEST(bodies_that_cross_are_filled_once) {
    surface_begin();
    surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){.06, .02, .02});
    surface_add_box((sb_vec3){.02, -.02, 0}, (sb_vec3){.04, .04, .02});
    sb_fill_def def = sb_fill_def_default();
    sb_solid_mesh solid;
    sb_error err = {0};
    sb_status status = sb_fill(&surface_mesh, &def, &solid, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    double want = (.06 * .02 + .02 * .04) * .02;
    ck_assert_double_eq_tol(moments_of_solid(&solid).volume / want, 1, .005);
    sb_solid_mesh_free(&solid);
}
END_TEST

START_TEST(the_same_surface_gives_the_same_bytes) {
    sb_mesh *mesh = surface_torus(.03, .01, 16, 40);
    sb_solid_mesh a = fill(mesh, 0, 0), b = fill(mesh, 0, 0);
    ck_assert_int_eq(a.node_count, b.node_count);
    ck_assert_int_eq(a.tet_count, b.tet_count);
    ck_assert_mem_eq(a.nodes, b.nodes, (size_t)a.node_count * sizeof *a.nodes);
    ck_assert_mem_eq(a.tets, b.tets, (size_t)a.tet_count * sizeof *a.tets);
    sb_solid_mesh_free(&a);
    sb_solid_mesh_free(&b);
}
END_TEST

static void check_refusal(const sb_mesh *mesh, sb_fill_def def,
                          const char *sentence) {
    sb_solid_mesh solid = {.node_count = 77};
    sb_error err = {0};
    long before = sb_memory_live_blocks();
    ck_assert_int_eq(sb_fill(mesh, &def, &solid, &err), SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, sentence), "%s", err.message);
    ck_assert_int_eq(solid.node_count, 77);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
}

START_TEST(what_cannot_be_filled_says_why) {
    sb_fill_def def = sb_fill_def_default();
    sb_mesh *box = surface_box(1, 1, 1);
    box->face_count -= 2;
    check_refusal(box, def,
                  "has 1 hole (4 border edges): close it, or give a thickness "
                  "and method = \"shell\"");
    sb_vec3 low = {3, 3, 3}, high = {4, 4, 4};
    box = surface_box(1, 1, 1);
    surface_add_box(low, high);
    box->face_count--;
    box->faces[0][0] = box->faces[12][0]; /* no longer closed either */
    check_refusal(box, def, "holes (");
    surface_begin();
    for (int i = 0; i < 4; i++) {
        surface_vertex(i & 1, i >> 1, 0);
    }
    surface_quad(0, 1, 3, 2);
    surface_quad(0, 2, 3, 1);
    check_refusal(&surface_mesh, def, "encloses no volume");
    box = surface_box(1, 1, 1);
    check_refusal(box, (sb_fill_def){.cell_m = -1, .most_nodes = 20000},
                  "cell_m must be");
    check_refusal(box, (sb_fill_def){.most_nodes = 3}, "most_nodes must be");
    check_refusal(box, (sb_fill_def){.cell_m = .02, .most_nodes = 20000},
                  "more than the 20000");
    check_refusal(surface_cup(.04, .09, .0003, 10, 64),
                  (sb_fill_def){.most_nodes = 2000}, "method = \"shell\"");
}
END_TEST

START_TEST(boxes_on_one_point_are_told_so) {
    surface_begin();
    surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){.1, .1, .1});
    surface_add_box((sb_vec3){.1, .1, .1}, (sb_vec3){.2, .2, .2});
    for (int i = 0; i < surface_mesh.face_count; i++) { /* 8 is 7 */
        for (int k = 0; k < 3; k++) {
            int *corner = &surface_mesh.faces[i][k];
            *corner = *corner == 8 ? 7 : *corner > 8 ? *corner - 1 : *corner;
        }
    }
    memmove(surface_vertices + 8, surface_vertices + 9,
            7 * sizeof *surface_vertices);
    surface_mesh.vertex_count = 15;
    sb_fill_def def = sb_fill_def_default();
    sb_solid_mesh solid;
    sb_error err;
    ck_assert_int_eq(sb_fill(&surface_mesh, &def, &solid, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, "2 pieces that touch in a point"), "%s",
                  err.message);
}
END_TEST

START_TEST(tetrahedra_of_a_file_get_shared_middles) {
    sb_vec3 vertices[5] = {
        {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    int tets[2][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}};
    sb_mesh mesh = {
        .vertex_count = 5, .tet_count = 2, .vertices = vertices, .tets = tets};
    sb_solid_mesh solid;
    sb_error err = {0};
    ck_assert_int_eq(sb_solid_from_tets(&mesh, &solid, &err), SB_OK);
    ck_assert_int_eq(solid.corner_count, 5);
    ck_assert_int_eq(solid.node_count, 5 + 9);
    check_form(&solid);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++) {
            ck_assert_int_eq(solid.tets[i][k], tets[i][k]);
        }
    }
    ck_assert_double_eq_tol(moments_of_solid(&solid).volume, 0.5, 1e-12);
    sb_solid_mesh_free(&solid);
    mesh.tet_count = 0;
    ck_assert_int_eq(sb_solid_from_tets(&mesh, &solid, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "no tetrahedra"));
}
END_TEST

/* A short cylinder has sharp edges to trace and a round side to cut. */
static sb_mesh *cylinder(void) {
    static const double profile[2][2] = {{.01, 0}, {.01, .02}};
    return surface_turned(profile, 2, 24, 0, .02);
}

/* The result of the first successful run equals the one with enough memory:
 * no failed allocation was ignored. */
START_TEST(without_memory_nothing_is_made_and_nothing_leaks) {
    sb_mesh *mesh = cylinder();
    sb_fill_def def = {.cell_m = .008, .most_nodes = 20000};
    sb_solid_mesh want = fill(mesh, def.cell_m, 0);
    long before = sb_memory_live_blocks(), n = 0;
    sb_status status = SB_NO_MEMORY;
    for (; status != SB_OK; n++) {
        sb_solid_mesh solid = {.node_count = 77};
        sb_error err = {0};
        sb_memory_fail_after(n);
        status = sb_fill(mesh, &def, &solid, &err);
        sb_memory_fail_after(-1);
        if (status == SB_OK) {
            ck_assert_int_eq(solid.node_count, want.node_count);
            ck_assert_mem_eq(solid.nodes, want.nodes,
                             (size_t)want.node_count * sizeof *want.nodes);
            sb_solid_mesh_free(&solid);
        } else {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_int_eq(solid.node_count, 77);
        }
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    ck_assert_int_gt(n, 30);
    sb_solid_mesh_free(&want);
}
END_TEST

START_TEST(cylinders_keep_volume_and_moments) {
    check_fill(cylinder(), 0, 2e-3, 12);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fill");
    TCase *tcase = tcase_create("fill");
    tcase_add_test(tcase, boxes_are_exact_however_they_lie);
    tcase_add_test(tcase, turning_a_box_turns_its_nodes);
    tcase_add_test(tcase, needles_in_a_flat_face_change_nothing);
    tcase_add_test(tcase,
                   thin_boxes_have_an_element_through_and_cells_not_too_long);
    tcase_add_test(tcase, balls_and_rings_keep_volume_and_moments);
    tcase_add_test(tcase, bars_with_an_undercut_keep_volume_and_moments);
    tcase_add_test(tcase, cups_keep_volume_and_moments);
    tcase_add_test(tcase, cylinders_keep_volume_and_moments);
    tcase_add_test(tcase, dice_keep_volume_and_moments);
    tcase_add_test(tcase, sharp_edges_and_corners_stay_sharp);
    tcase_add_test(tcase, brackets_and_forks_are_exact);
    tcase_add_test(tcase, cavities_stay_empty);
    tcase_add_test(tcase, each_of_several_bodies_is_filled);
    tcase_add_test(tcase, bodies_that_cross_are_filled_once);
    tcase_add_test(tcase, the_same_surface_gives_the_same_bytes);
    tcase_add_test(tcase, what_cannot_be_filled_says_why);
    tcase_add_test(tcase, boxes_on_one_point_are_told_so);
    tcase_add_test(tcase, tetrahedra_of_a_file_get_shared_middles);
    tcase_add_test(tcase, without_memory_nothing_is_made_and_nothing_leaks);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
