/* SPDX-License-Identifier: MIT */
/* Constraints and loose parts: clamps by box, border and list, components,
 * rigid motions, and bodies that are refused because they are mechanisms. */
#include "runtime/model/solve/discrete.h"
#include "tests/model/fill/boundaries.h"
#include "tests/model/solve_fixture.h"

static sb_mesh copy_of(const sb_mesh *mesh) {
    sb_mesh copy = {0};
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&copy, mesh, &err), SB_OK);
    return copy;
}

static sb_hold_rule box_rule(sb_hold how, sb_vec3 low, sb_vec3 high) {
    return (sb_hold_rule){SB_HOLD_IN_BOX, how, low, high};
}

static const sb_vec3 far_low = {-9, -9, -9}, far_high = {9, 9, 9};

static const double p2_hz[] = {193.775, 395.214, 395.214,
                               582.729, 708.542, 711.902};
static const double p5_hz[] = {106.293, 265.731, 265.731,
                               425.170, 531.463, 531.463};

static sb_shape plate_mesh(void) {
    sb_shape shape = shape_of(square(.3, 24, ALTERNATING), .002);
    shape.max_hz = 800;
    return shape;
}

START_TEST(a_clamped_border_is_a_clamped_plate) {
    sb_shape shape = plate_mesh();
    shape.hold =
        (sb_hold_rule){.where = SB_HOLD_AT_BORDER, .how = SB_HOLD_CLAMPED};
    sb_model *model = solved(shape, heard_steel());
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    expect_hz("P2 border", model, heard_steel(), p2_hz, 6, 1.5);
    sb_model_point middle = sb_model_nearest(model, (sb_vec3){0, 0, 0});
    ck_assert_double_eq(sb_model_inverse_mass(model, middle, NULL), 0);
    sb_model_release(model);
    shape.hold.how = SB_HOLD_PINNED;
    model = solved_mesh(shape, heard_steel());
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    expect_hz("P5 border", model, heard_steel(), p5_hz, 6, 1.5);
    sb_model_release(model);
}
END_TEST

START_TEST(a_list_holds_what_it_names) {
    sb_shape shape = plate_mesh();
    const sb_mesh *mesh = sb_mesh_source_mesh(shape.mesh);
    sb_hold *holds = sb_alloc((size_t)mesh->vertex_count, sizeof *holds);
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_vec3 p = mesh->vertices[i];
        bool is_edge = fabs(p.x) > .1499 || fabs(p.z) > .1499;
        holds[i] = is_edge ? SB_HOLD_CLAMPED : SB_HOLD_FREE;
    }
    sb_mesh_source *held = NULL;
    sb_error err;
    ck_assert_int_eq(
        sb_mesh_source_hold(shape.mesh, holds, mesh->vertex_count, &held, &err),
        SB_OK);
    sb_shape listed = shape;
    listed.mesh = held;
    listed.hold.where = SB_HOLD_LISTED;
    sb_model *model = solved(listed, heard_steel());
    expect_hz("P2 list", model, heard_steel(), p2_hz, 6, 1.5);
    sb_model_release(model);
    /* A list of another length belongs to another mesh. */
    sb_mesh_source *few = NULL;
    ck_assert_int_eq(sb_mesh_source_hold(shape.mesh, holds, 10, &few, &err),
                     SB_OK);
    listed.mesh = few;
    refused(listed, heard_steel(), SB_BAD_ARGUMENT,
            "test.obj: the clamp lists 10 of its 625 nodes");
    sb_mesh_source_release(few);
    sb_mesh_source_release(held);
    sb_mesh_source_release(shape.mesh);
    sb_free(holds);
}
END_TEST

START_TEST(a_box_holds_one_end) {
    static const double sheet_hz[] = {101.873}, solid_hz[] = {101.873, 636.572};
    sb_material m = heard_steel();
    sb_mesh bar = copy_of(surface_box(.2, .005, .02));
    sb_shape shape = shape_of(bar, 0);
    shape.elements = 40;
    shape.max_hz = 1200;
    shape.hold = box_rule(SB_HOLD_CLAMPED, far_low, (sb_vec3){1e-6, 9, 9});
    sb_model *model = solved_mesh(shape, m);
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    expect_hz("B1 held", model, m, solid_hz, 1, 1);
    sb_model_release(model);
    sb_mesh strip = square(.2, 40, SAME);
    for (int i = 0; i < strip.vertex_count; i++)
        strip.vertices[i].z *= 0.1;
    shape = shape_of(strip, .005);
    shape.max_hz = 800;
    shape.hold = box_rule(SB_HOLD_CLAMPED, far_low, (sb_vec3){-.0999, 9, 9});
    model = solved_mesh(shape, m);
    ck_assert_int_eq(sb_model_rigid_modes(model), 0);
    expect_hz("B1 sheet held", model, m, sheet_hz, 1, 1.5);
    sb_model_release(model);
}
END_TEST

/* Partly held: the number of rigid motions that remain of six. */
static int rigid_of_square(sb_hold how, sb_vec3 low, sb_vec3 high) {
    sb_shape shape = shape_of(square(.2, 8, SAME), .002);
    shape.max_hz = 1500;
    shape.hold = box_rule(how, low, high);
    sb_model *model = solved_mesh(shape, heard_steel());
    int count = sb_model_rigid_modes(model);
    sb_model_release(model);
    return count;
}

START_TEST(what_is_pinned_can_still_turn) {
    const sb_vec3 corner = {-.0999, 9, -.0999}, edge = {-.0999, 9, 9};
    ck_assert_int_eq(rigid_of_square(SB_HOLD_PINNED, far_low, corner), 3);
    ck_assert_int_eq(rigid_of_square(SB_HOLD_PINNED, far_low, edge), 1);
    ck_assert_int_eq(rigid_of_square(SB_HOLD_CLAMPED, far_low, corner), 0);
    ck_assert_int_eq(rigid_of_square(SB_HOLD_CLAMPED, far_low, edge), 0);
}
END_TEST

/* The nodes of a solid have no rotation: constraints at a point, a line and
 * a face. */
START_TEST(a_solid_turns_about_what_holds_it) {
    static const sb_vec3 high[] = {
        {1e-6, 1e-6, 1e-6}, {1e-6, 1e-6, 9}, {1e-6, 9, 9}};
    static const int left[] = {3, 1, 0};
    for (int i = 0; i < 3; i++) {
        sb_shape shape = shape_of(copy_of(surface_box(.1, .02, .04)), 0);
        shape.elements = 6;
        shape.hold = box_rule(SB_HOLD_CLAMPED, far_low, high[i]);
        sb_model *model = solved_mesh(shape, heard_steel());
        ck_assert_int_eq(sb_model_rigid_modes(model), left[i]);
        sb_model_release(model);
    }
}
END_TEST

/* A box that contains only mid-edge nodes holds them, too. */
START_TEST(middle_nodes_hold_as_well) {
    sb_shape shape = shape_of(copy_of(surface_box(.1, .02, .04)), 0);
    shape.elements = 6;
    sb_discrete cut;
    sb_error err;
    ck_assert_int_eq(sb_discrete_make(&shape, &cut, &err), SB_OK);
    int middle = cut.solid.corner_count;
    ck_assert_int_lt(middle, cut.node_count);
    sb_hold *holds = sb_alloc((size_t)cut.node_count, sizeof *holds);
    holds[middle] = SB_HOLD_PINNED;
    sb_mesh_source *held = NULL;
    ck_assert_int_eq(
        sb_mesh_source_hold(shape.mesh, holds, cut.node_count, &held, &err),
        SB_OK);
    sb_shape listed = shape;
    listed.mesh = held;
    listed.hold.where = SB_HOLD_LISTED;
    sb_model *model = solved_mesh(listed, heard_steel());
    ck_assert_int_eq(sb_model_rigid_modes(model), 3);
    sb_model_release(model);
    sb_mesh_source_release(shape.mesh);
    sb_discrete_free(&cut);
    sb_free(holds);
}
END_TEST

/* --- parts ---------------------------------------------------------------- */

static sb_mesh two_squares(double gap) {
    sb_mesh one = square(.1, 4, SAME);
    sb_mesh both = empty_mesh(2 * one.vertex_count, 2 * one.face_count);
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < one.vertex_count; i++) {
            sb_vec3 p = one.vertices[i];
            double shift = part * (.1 + gap);
            both.vertices[both.vertex_count++] =
                (sb_vec3){p.x + shift, p.y, p.z + shift};
        }
        for (int i = 0; i < one.face_count; i++) {
            int first = part * one.vertex_count;
            add_triangle(&both, first + one.faces[i][0],
                         first + one.faces[i][1], first + one.faces[i][2]);
        }
    }
    sb_mesh_free(&one);
    return both;
}

START_TEST(two_parts_move_on_their_own) {
    sb_material m = heard_steel();
    sb_shape one = shape_of(square(.1, 4, SAME), .002);
    sb_shape two = shape_of(two_squares(.05), .002);
    one.max_hz = two.max_hz = 5000;
    sb_model *single = solved_mesh(one, m), *pair = solved(two, m);
    ck_assert_int_eq(sb_model_rigid_modes(pair), 12);
    ck_assert_double_eq_tol(sb_model_mass_kg(pair),
                            2 * sb_model_mass_kg(single), 1e-12);
    for (int k = 0; k < 4; k++) {
        double lone = solved_hz(single, m, k);
        ck_assert_double_eq_tol(solved_hz(pair, m, 2 * k), lone, 1e-7 * lone);
        ck_assert_double_eq_tol(solved_hz(pair, m, 2 * k + 1), lone,
                                1e-7 * lone);
    }
    /* A strike moves the component that it meets, at its centre and at its
     * corner. */
    const double places[] = {0, .049};
    for (int i = 0; i < 4; i++) {
        double x = places[i / 2], shift = i % 2 * .15;
        sb_model_point lone = sb_model_nearest(single, (sb_vec3){x, 0, x});
        sb_model_point there =
            sb_model_nearest(pair, (sb_vec3){x + shift, 0, x + shift});
        double want = sb_model_inverse_mass(single, lone, NULL);
        ck_assert_double_eq_tol(sb_model_inverse_mass(pair, there, NULL), want,
                                1e-6 * want);
    }
    sb_model_release(pair);
    /* One of them clamped. */
    two.hold = box_rule(SB_HOLD_CLAMPED, far_low, (sb_vec3){-.0499, 9, 9});
    pair = solved_mesh(two, m);
    ck_assert_int_eq(sb_model_rigid_modes(pair), 6);
    sb_model_release(pair);
    sb_model_release(single);
}
END_TEST

/* Each mode of `single` is there twice. Takes both shapes. */
static void expect_pairs(const char *what, sb_shape one, sb_shape two,
                         double tolerance) {
    sb_material m = heard_steel();
    sb_model *single = solved_mesh(one, m), *pair = solved_mesh(two, m);
    ck_assert_int_eq(sb_model_rigid_modes(pair), 12);
    for (int k = 0; k < 4; k++) {
        double lone = solved_hz(single, m, k);
        for (int i = 2 * k; i < 2 * k + 2; i++) {
            double hz = solved_hz(pair, m, i);
            ck_assert_msg(fabs(hz / lone - 1) < tolerance,
                          "%s: mode %d at %.9g Hz, alone %.9g", what, i, hz,
                          lone);
        }
    }
    sb_model_release(pair);
    sb_model_release(single);
}

START_TEST(sheets_on_one_point_are_cut_apart) {
    const sb_method methods[] = {SB_METHOD_SHELL, SB_METHOD_SPRINGS};
    for (int i = 0; i < 2; i++) {
        sb_shape one = shape_of(square(.1, 4, SAME), .002);
        sb_shape two = shape_of(two_squares(0), .002);
        ck_assert_int_eq(sb_mesh_source_report(two.mesh)->cut_points, 1);
        one.max_hz = two.max_hz = 5000;
        one.method = two.method = methods[i];
        expect_pairs("sheets", one, two, 1e-7);
    }
    sb_shape held = shape_of(two_squares(0), .002);
    held.max_hz = 5000;
    held.hold = box_rule(SB_HOLD_CLAMPED, far_low, (sb_vec3){-.0499, 9, 9});
    sb_model *model = solved_mesh(held, heard_steel());
    ck_assert_int_eq(sb_model_rigid_modes(model), 6);
    sb_model_release(model);
}
END_TEST

/* A row of triangles, each on a corner of the last: all are cut apart, one
 * after the other. Bent to a ring, each hangs on two. */
START_TEST(a_row_of_sheets_is_cut_and_a_ring_is_not) {
    enum { ROW = 5 };
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        sb_mesh row = empty_mesh(2 * ROW + 1, ROW);
        for (int i = 0; i <= ROW; i++) {
            double turn = 6.283185307179586 * (i % ROW) / ROW;
            row.vertices[i] = is_ring
                                  ? (sb_vec3){.1 * cos(turn), 0, .1 * sin(turn)}
                                  : (sb_vec3){.1 * i, 0, 0};
        }
        for (int i = 0; i < ROW; i++) {
            sb_vec3 p = sb_vec3_add(row.vertices[i], row.vertices[i + 1]);
            row.vertices[ROW + 1 + i] = is_ring ? p : (sb_vec3){p.x / 2, 0, .1};
            add_triangle(&row, i, i + 1, ROW + 1 + i);
        }
        row.vertex_count = 2 * ROW + 1;
        sb_shape shape = shape_of(row, .002);
        const sb_mesh_report *report = sb_mesh_source_report(shape.mesh);
        ck_assert_int_eq(report->cut_points, is_ring ? 0 : ROW - 1);
        ck_assert_int_eq(report->component_count, is_ring ? 1 : ROW);
        if (is_ring) {
            refused(shape, heard_steel(), SB_NO_CONVERGENCE,
                    "a part of 1 triangles hangs on two points");
        }
        sb_mesh_source_release(shape.mesh);
    }
}
END_TEST

START_TEST(boxes_on_one_point_or_edge_are_cut_apart) {
    for (int i = 0; i < 2; i++) {
        double up = i == 0 ? .04 : 0;
        surface_begin();
        surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){.1, .06, .04});
        sb_shape one = shape_of(copy_of(&surface_mesh), 0);
        surface_add_box((sb_vec3){.1, .06, up}, (sb_vec3){.2, .12, .04 + up});
        sb_shape two = shape_of(copy_of(&surface_mesh), 0);
        const sb_mesh_report *report = sb_mesh_source_report(two.mesh);
        char said[200];
        ck_assert_int_eq(report->cut_points, i + 1);
        ck_assert(sb_mesh_cut_remark(report, said, sizeof said));
        ck_assert_str_eq(said,
                         i == 0 ? "parts of it only touch, at 1 vertex: cut "
                                  "there, each vibrates on its own"
                                : "parts of it only touch, at 2 vertices: cut "
                                  "there, each vibrates on its own");
        ck_assert_int_eq(report->nonmanifold_edges, 0);
        ck_assert(report->is_closed);
        one.elements = 4, two.elements = 8;
        one.max_hz = two.max_hz = 40000;
        /* The same cells, with corners that differ in the last digits. */
        expect_pairs(i == 0 ? "point" : "edge", one, two, 1e-3);
    }
}
END_TEST

/* Two tetrahedra, and the first of them alone. */
static sb_shape tets_on_one_edge(int count) {
    sb_mesh tets = empty_mesh(6, 1);
    const sb_vec3 at[6] = {{0, 0, 0},  {.1, 0, 0},  {0, .1, 0},
                           {0, 0, .1}, {-.1, 0, 0}, {0, -.1, 0}};
    memcpy(tets.vertices, at, sizeof at);
    tets.vertex_count = 6;
    tets.tets = sb_alloc(2, sizeof *tets.tets);
    const int corners[2][4] = {{0, 1, 2, 3}, {0, 4, 5, 3}};
    memcpy(tets.tets, corners, sizeof corners);
    tets.tet_count = count;
    sb_shape shape = shape_of(tets, 0);
    shape.max_hz = 1e6;
    return shape;
}

START_TEST(tetrahedra_on_one_edge_are_cut_apart) {
    sb_shape two = tets_on_one_edge(2);
    const sb_mesh_report *report = sb_mesh_source_report(two.mesh);
    ck_assert_int_eq(report->cut_points, 2);
    ck_assert(report->is_closed);
    expect_pairs("tetrahedra", tets_on_one_edge(1), two, 1e-7);
}
END_TEST

/* --- refused input -------------------------------------------------------- */

START_TEST(what_cannot_be_solved_gets_a_sentence) {
    sb_material m = heard_steel();
    sb_shape open = shape_of(square(.2, 4, SAME), 0);
    refused(open, m, SB_BAD_ARGUMENT,
            "test.obj: its surface is open (1 hole, 16 border edges), so it "
            "has no inside: give a thickness, or close it");
    open.method = SB_METHOD_SHELL;
    refused(open, m, SB_BAD_ARGUMENT,
            "mesh: method = \"shell\" needs a thickness (m)");
    open.method = SB_METHOD_ANALYTIC;
    refused(open, m, SB_BAD_ARGUMENT, "mesh: a mesh has no closed form");
    open.method = SB_METHOD_AUTO;
    open.thickness = .002;
    open.elements = 1;
    open.hold = box_rule(SB_HOLD_CLAMPED, (sb_vec3){5, 5, 5}, far_high);
    refused(open, m, SB_BAD_ARGUMENT,
            "test.obj: clamp holds none of its 25 nodes; places are in metres "
            "after scaling, and the mesh spans -0.1..0.1, 0..0, -0.1..0.1");
    open.hold = box_rule(SB_HOLD_CLAMPED, far_low, far_high);
    refused(open, m, SB_BAD_ARGUMENT,
            "mesh: every node is held, so nothing can move");
    open.hold = (sb_hold_rule){0};
    open.max_hz = 20;
    refused(open, m, SB_NO_MODES,
            "the lowest mode of this mesh lies at 150 Hz, above the limit of "
            "20 Hz");
    open.max_hz = 0.5;
    refused(open, m, SB_BAD_ARGUMENT,
            "mesh: max_hz must be a number from 1 to 1e+06 Hz");
    open.max_hz = 0;
    open.max_modes = 5000;
    refused(open, m, SB_BAD_ARGUMENT, "mesh: modes must be 1 to 4096");
    sb_mesh_source_release(open.mesh);
    sb_shape full = shape_of(copy_of(surface_box(.1, .02, .04)), 0);
    full.hold =
        (sb_hold_rule){.where = SB_HOLD_AT_BORDER, .how = SB_HOLD_CLAMPED};
    refused(full, m, SB_BAD_ARGUMENT,
            "test.obj: a solid has no border to hold; give a box or a "
            "function");
    /* A closed surface as a shell has no border either. */
    full.thickness = .001;
    full.elements = 1;
    refused(full, m, SB_BAD_ARGUMENT, "clamp holds none of its 8 nodes");
    sb_mesh_source_release(full.mesh);
    sb_shape none = {.kind = SB_SHAPE_MESH};
    refused(none, m, SB_BAD_ARGUMENT, "mesh: no mesh is given");
}
END_TEST

START_TEST(literal_springs_are_for_small_meshes) {
    sb_shape shape = shape_of(square(.3, 40, SAME), .002);
    shape.method = SB_METHOD_SPRINGS_LITERAL;
    refused(shape, heard_steel(), SB_BAD_ARGUMENT,
            "test.obj: 1681 vertices are more than the 1500 that method = "
            "\"springs-literal\" can take: make it coarser");
    sb_mesh_source_release(shape.mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve_held");
    TCase *held = tcase_create("held");
    tcase_add_test(held, a_clamped_border_is_a_clamped_plate);
    tcase_add_test(held, a_list_holds_what_it_names);
    tcase_add_test(held, a_box_holds_one_end);
    tcase_add_test(held, what_is_pinned_can_still_turn);
    tcase_add_test(held, a_solid_turns_about_what_holds_it);
    tcase_add_test(held, middle_nodes_hold_as_well);
    suite_add_tcase(suite, held);
    TCase *parts = tcase_create("parts");
    tcase_add_test(parts, two_parts_move_on_their_own);
    tcase_add_test(parts, sheets_on_one_point_are_cut_apart);
    tcase_add_test(parts, a_row_of_sheets_is_cut_and_a_ring_is_not);
    tcase_add_test(parts, boxes_on_one_point_or_edge_are_cut_apart);
    tcase_add_test(parts, tetrahedra_on_one_edge_are_cut_apart);
    suite_add_tcase(suite, parts);
    TCase *refusals = tcase_create("refused");
    tcase_add_test(refusals, what_cannot_be_solved_gets_a_sentence);
    tcase_add_test(refusals, literal_springs_are_for_small_meshes);
    suite_add_tcase(suite, refusals);
    return run_suite(suite);
}
