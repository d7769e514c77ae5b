/* SPDX-License-Identifier: MIT */
/* Forms of colliders: distances against closed forms and dense samples, and
 * that small bodies find no hole between the nodes. */
#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/contact/form.h"
#include "tests/deform/deform_fixture.h"

static uint64_t seed = 7;

static double chance(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static sb_vec3 anywhere(double most) {
    double x = chance(-most, most), y = chance(-most, most);
    return (sb_vec3){x, y, chance(-most, most)};
}

static collider_form make(const sb_deform_collider *def) {
    collider_form form;
    sb_error err = {0};
    ck_assert_msg(!form_make(def, "form", 0.01, &form, &err), "%s",
                  err.message);
    return form;
}

/* A point of the surface, by two numbers from 0 to 1. */
static sb_vec3 on_surface(const sb_deform_collider *def, double u, double v) {
    double a = SB_TAU * u, r = def->sizes_m.x, h = def->sizes_m.y;
    if (def->form == SB_DEFORM_RING) {
        double b = SB_TAU * v, out = r + h * cos(b);
        return (sb_vec3){out * cos(a), h * sin(b), out * sin(a)};
    }
    if (def->form == SB_DEFORM_CYLINDER) { /* end, side, end */
        double w = 3 * v, share = w < 1 ? w : w < 2 ? 1 : 3 - w;
        double y = w < 1 ? -h : w < 2 ? h * (2 * w - 3) : h;
        return (sb_vec3){r * share * cos(a), y, r * share * sin(a)};
    }
    double w = 3 * v, b = w < 1 ? w : w < 2 ? 1 : 4 - w; /* cap, side, cap */
    double angle = SB_PI / 2 * (w < 1 ? b : w < 2 ? 1 : w - 1);
    double x = w < 1   ? -h - r * cos(angle)
               : w < 2 ? h * (2 * w - 3)
                       : h - r * cos(angle);
    return (sb_vec3){x, r * sin(angle) * cos(a), r * sin(angle) * sin(a)};
}

START_TEST(round_forms_are_as_far_as_their_points) {
    static const sb_deform_collider defs[] = {
        {.form = SB_DEFORM_CYLINDER, .sizes_m = {0.3, 0.2, 0}},
        {.form = SB_DEFORM_CAPSULE, .sizes_m = {0.2, 0.3, 0}},
        {.form = SB_DEFORM_RING, .sizes_m = {0.4, 0.1, 0}}};
    enum { FINE = 300 };
    for (int k = 0; k < 3; k++) {
        collider_form form = make(&defs[k]);
        for (int i = 0; i < 40; i++) {
            sb_vec3 p = anywhere(0.8), normal, to;
            double got = form_distance(&form, p, 1, 1, &normal);
            double least = INFINITY;
            for (int n = 0; n < FINE * FINE; n++) {
                sb_vec3 q = on_surface(&defs[k], (double)(n % FINE) / FINE,
                                       (double)(n / FINE) / FINE);
                least = fmin(least, sb_vec3_length(sb_vec3_sub(p, q)));
            }
            ck_assert_msg(fabs(fabs(got) - least) < 4e-3,
                          "form %d at (%g, %g, %g): %g, not %g", k, p.x, p.y,
                          p.z, got, least);
            /* Down the normal is the surface; out of it, it grows evenly. */
            to = sb_vec3_sub(p, sb_vec3_scale(normal, got));
            ck_assert_double_lt(fabs(form_distance(&form, to, 1, 1, &normal)),
                                1e-12);
            ck_assert_double_le(sb_vec3_length(to), form.reach_m + 1e-12);
        }
        form_free(&form);
    }
    collider_form ring = make(&defs[2]);
    sb_vec3 normal;
    ck_assert_double_lt(
        fabs(form_distance(&ring, (sb_vec3){0, 0, 0}, 1, 1, &normal) - 0.3),
        1e-15);
    ck_assert_double_lt(
        fabs(form_distance(&ring, (sb_vec3){0, 0, 0.4}, 1, 1, &normal) + 0.1),
        1e-15);
    form_free(&ring);
}
END_TEST

static const sb_vec3 cube_points[8] = {
    {-.3, -.2, -.1}, {.3, -.2, -.1}, {-.3, .2, -.1}, {.3, .2, -.1},
    {-.3, -.2, .1},  {.3, -.2, .1},  {-.3, .2, .1},  {.3, .2, .1}};
static const int cube_faces[12][3] = {
    {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
static const sb_deform_faces cube = {cube_points, 8, cube_faces, 12};

START_TEST(hulls_and_meshes_are_like_boxes) {
    const sb_deform_collider defs[3] = {
        {.form = SB_DEFORM_BOX, .sizes_m = {0.3, 0.2, 0.1}},
        {.form = SB_DEFORM_HULL, .faces = cube},
        {.form = SB_DEFORM_MESH, .faces = cube}};
    collider_form forms[3];
    for (int k = 0; k < 3; k++) {
        forms[k] = make(&defs[k]);
    }
    for (int i = 0; i < 3000; i++) {
        sb_vec3 p = anywhere(0.4), normals[3];
        double d[3];
        for (int k = 0; k < 3; k++) {
            d[k] = form_distance(&forms[k], p, 1, 1, &normals[k]);
        }
        for (int k = 1; k < 3; k++) {
            ck_assert_msg(fabs(d[k] - d[0]) < 1e-12, "(%g, %g, %g): %g, not %g",
                          p.x, p.y, p.z, d[k], d[0]);
            ck_assert_double_gt(sb_vec3_dot(normals[k], normals[0]), 1 - 1e-6);
        }
        /* From inside, a mesh is there as well. */
        double inside = form_distance(&forms[2], p, 1, -1, &normals[2]);
        ck_assert_double_lt(fabs(inside + d[0]), 1e-12);
        ck_assert_int_eq(form_side(&forms[2], p, 1), d[0] < 0 ? -1 : 1);
    }
    for (int k = 0; k < 3; k++) {
        form_free(&forms[k]);
    }
}
END_TEST

/* Around the border of an open mesh, one gets to its other side. */
START_TEST(a_mesh_ends_at_its_border) {
    const sb_deform_faces floor = {
        (const sb_vec3[]){{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, 4,
        (const int[][3]){{0, 1, 2}, {0, 2, 3}}, 2};
    const sb_deform_collider def = {.form = SB_DEFORM_MESH, .faces = floor};
    collider_form form = make(&def);
    sb_vec3 n;
    sb_vec3 over = {0.3, 0.01, 0.3}, under = {0.3, -0.01, 0.3};
    sb_vec3 beside = {1.03, -0.04, 0};
    ck_assert_int_eq(form_side(&form, over, 0.1), 1);
    ck_assert_int_eq(form_side(&form, under, 0.1), -1);
    ck_assert_int_eq(form_side(&form, beside, 0.1), 0);
    ck_assert_int_eq(form_side(&form, (sb_vec3){0, 5, 0}, 0.1), 0);
    ck_assert_double_eq_tol(form_distance(&form, over, 1, 1, &n), 0.01, 1e-15);
    ck_assert_double_eq_tol(form_distance(&form, under, 1, 1, &n), -0.01,
                            1e-15);
    ck_assert_double_eq_tol(form_distance(&form, under, 1, -1, &n), 0.01,
                            1e-15);
    ck_assert_double_eq_tol(n.y, -1, 1e-15);
    ck_assert_double_eq_tol(form_distance(&form, beside, 1, 1, &n), 0.05,
                            1e-15);
    ck_assert_double_eq_tol(n.x, 0.6, 1e-12);
    form_free(&form);
}
END_TEST

enum { PLACES = 50 };
static const double thick_m = 1e-3;

/* Colliders over and under a sheet that is clamped round its border. */
static sb_deform *sheet_between(const sb_mesh *mesh,
                                sb_deform_collider all[2 * PLACES],
                                double apart_m) {
    sb_hold *holds = sb_alloc((size_t)mesh->vertex_count, sizeof *holds);
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_vec3 p = mesh->vertices[i];
        if (fmax(fabs(p.x), fabs(p.z)) > 0.05 - 1e-9)
            holds[i] = SB_HOLD_CLAMPED;
    }
    sb_deform_body_def body = sheet_body(mesh, thick_m, holds);
    body.material.youngs_modulus = 2e9;
    body.material.beta = 1e-5;
    for (int i = 0; i < 2 * PLACES; i++) {
        double side = i < PLACES ? 1 : -1, x = chance(-0.045, 0.045);
        all[i].position_m = (sb_vec3){x, side * apart_m, chance(-.045, .045)};
        all[i].velocity_m_s.y = -0.2 * side;
        all[i].acceleration_m_s2.y = -9.81 * side;
        all[i].friction = 0.3;
    }
    sb_deform_def def = sb_deform_def_default();
    def.collider_count = 2 * PLACES;
    def.colliders = all;
    sb_deform *d = create_one(def, &body);
    sb_free(holds);
    return d;
}

/* Height of a point over the sheet, on a side, where it is nearest. */
static double height_over(const sb_deform *d, sb_vec3 p, double side) {
    double best = INFINITY, height = INFINITY;
    for (int f = 0; f < d->face_count; f++) {
        sb_vec3 c[3];
        double shares[3];
        for (int k = 0; k < 3; k++) {
            c[k] = row_vec3(d->positions, d->faces[f][k]);
        }
        double distance = deform_shares(c, p, shares);
        if (distance >= best) continue;
        sb_vec3 n =
            sb_vec3_cross(sb_vec3_sub(c[1], c[0]), sb_vec3_sub(c[2], c[0]));
        double up = sb_vec3_dot(n, sb_vec3_sub(p, c[0])) * n.y * side;
        best = distance;
        height = up < 0 ? -distance : distance;
    }
    return height;
}

START_TEST(a_ball_falls_through_a_sheet_nowhere) {
    const double radius = 4e-3;
    sb_mesh mesh = cells_mesh(0.1, 0.1, 4, 4);
    sb_deform_collider all[2 * PLACES];
    for (int i = 0; i < 2 * PLACES; i++) {
        double mass = 1e-3, inertia = 0.4 * mass * radius * radius;
        all[i] =
            (sb_deform_collider){.form = SB_DEFORM_SPHERE,
                                 .sizes_m = {radius, 0, 0},
                                 .rotation = sb_quat_identity(),
                                 .mass_kg = mass,
                                 .inertia_kg_m2 = {inertia, inertia, inertia}};
    }
    sb_deform *d = sheet_between(&mesh, all, radius + 0.5 * thick_m + 1e-5);
    int touched[2 * PLACES] = {0};
    for (int t = 0; t < 60; t++) {
        steps(d, (int64_t)(2.5e-4 / d->step_s));
        for (int i = 0; i < 2 * PLACES; i++) {
            const collider_state *own = &d->state->colliders[i];
            touched[i] |= own->is_awake;
            if (!own->is_awake) continue;
            /* What bounced over the border may fall there. */
            if (fmax(fabs(own->at.x), fabs(own->at.z)) > 0.048) continue;
            double height = height_over(d, own->at, i < PLACES ? 1 : -1);
            ck_assert_msg(height > 0.5 * thick_m + 0.99 * radius,
                          "ball %d, %d: %g mm", i, t, 1e3 * height);
        }
    }
    for (int i = 0; i < 2 * PLACES; i++) {
        ck_assert_int_eq(touched[i], 1);
    }
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

/* All other forms, turned so that a box stands on its corner. */
START_TEST(a_corner_pierces_a_sheet_nowhere) {
    const double half = 4e-3;
    static const struct {
        sb_deform_form form;
        sb_vec3 sizes_m;
    } kinds[] = {{SB_DEFORM_BOX, {4e-3, 4e-3, 4e-3}},
                 {SB_DEFORM_HULL, {0, 0, 0}},
                 {SB_DEFORM_CYLINDER, {3e-3, 4e-3, 0}},
                 {SB_DEFORM_CAPSULE, {1.5e-3, 4e-3, 0}},
                 {SB_DEFORM_RING, {4e-3, 1e-3, 0}},
                 {SB_DEFORM_MESH, {0, 0, 0}}};
    static sb_vec3 points[8];
    for (int i = 0; i < 8; i++) {
        points[i] = (sb_vec3){i & 1 ? half : -half, i & 2 ? half : -half,
                              i & 4 ? half : -half};
    }
    sb_mesh mesh = cells_mesh(0.1, 0.1, 4, 4);
    sb_deform_collider all[2 * PLACES];
    sb_quat on_corner = sb_quat_about((sb_vec3){1, 0, -1}, acos(sqrt(1 / 3.)));
    for (int i = 0; i < 2 * PLACES; i++) {
        double mass = 1e-3, inertia = 2. / 3 * mass * half * half;
        all[i] =
            (sb_deform_collider){.form = kinds[i % 6].form,
                                 .sizes_m = kinds[i % 6].sizes_m,
                                 .faces = {points, 8, cube_faces, 12},
                                 .rotation = on_corner,
                                 .mass_kg = mass,
                                 .inertia_kg_m2 = {inertia, inertia, inertia}};
    }
    double far = sqrt(3) * half + 0.5 * thick_m + 1e-5;
    sb_deform *d = sheet_between(&mesh, all, far);
    int touched = 0;
    for (int t = 0; t < 60; t++) {
        steps(d, (int64_t)(2.5e-4 / d->step_s));
        for (int i = 0; i < 2 * PLACES; i++) {
            const collider_state *own = &d->state->colliders[i];
            const collider_form *form = &d->colliders->forms[i];
            touched += t == 59 && own->is_awake;
            for (int k = 0; k < form->bead_count && own->is_awake; k++) {
                const form_bead *bead = &form->beads[k];
                sb_vec3 p =
                    sb_vec3_add(own->at, sb_quat_turn(own->rotation, bead->at));
                if (fmax(fabs(p.x), fabs(p.z)) > 0.048) continue;
                double height = height_over(d, p, i < PLACES ? 1 : -1);
                ck_assert_msg(height >
                                  0.5 * thick_m + bead->radius_m - 0.01 * half,
                              "body %d, %d: %g mm", i, t, 1e3 * height);
            }
        }
    }
    ck_assert_int_eq(touched, 2 * PLACES);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

/* A block falls on a mesh of two large triangles, from either side. */
START_TEST(a_block_rests_on_a_mesh) {
    static const sb_vec3 points[4] = {
        {-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
    static const int faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
    sb_solid_mesh solid = cells_solid(0.02, 0.02, 0.01, 2, 2, 1);
    for (int side = -1; side <= 1; side += 2) {
        sb_deform_body_def body = solid_body(&solid, NULL);
        body.material.youngs_modulus = 1e8;
        body.material.beta = 2e-6;
        body.position_m = (sb_vec3){0.003, side * 0.00501, 0.1};
        sb_deform_collider floor = {.form = SB_DEFORM_MESH,
                                    .faces = {points, 4, faces, 2},
                                    .rotation = sb_quat_identity()};
        sb_deform_def def = sb_deform_def_default();
        def.gravity_m_s2 = (sb_vec3){0, -9.81 * side, 0};
        def.collider_count = 1;
        def.colliders = &floor;
        sb_deform *d = create_one(def, &body);
        steps(d, (int64_t)(0.04 / d->step_s));
        deform_motion now = deform_motion_of(d, 0);
        ck_assert_double_lt(fabs(now.centre_m.y - side * 0.005), 5e-5);
        sb_deform_reaction by = sb_deform_take_reaction(d, 0);
        double expected = -9.81 * side * now.mass_kg * sb_deform_time_s(d);
        ck_assert_double_lt(fabs(by.impulse_ns.y / expected - 1), 0.1);
        sb_deform_destroy(d);
    }
    sb_solid_mesh_free(&solid);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_forms");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, round_forms_are_as_far_as_their_points);
    tcase_add_test(cases, hulls_and_meshes_are_like_boxes);
    tcase_add_test(cases, a_mesh_ends_at_its_border);
    tcase_add_test(cases, a_ball_falls_through_a_sheet_nowhere);
    tcase_add_test(cases, a_corner_pierces_a_sheet_nowhere);
    tcase_add_test(cases, a_block_rests_on_a_mesh);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
