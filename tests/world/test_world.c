/* SPDX-License-Identifier: MIT */
/* Worlds: mass properties, rest, ray casts, lost solids, repeatability. */
#include "tests/world/world_fixture.h"

#include "runtime/model/mesh_source.h"
#include "runtime/model/shape.h"
#include "runtime/world/tracker/contact_point.h"
#include "tests/model/fill/boundaries.h"

static const double G = 9.81;

/* --- mass ----------------------------------------------------------------- */

static double inertia(const sb_world *world, sb_solid_id id, sb_vec3 arm,
                      sb_vec3 along) {
    double still = 1 / mass_of(world, id);
    sb_vec3 at = sb_vec3_add(sb_world_pose(world, id).position, arm);
    double turn = inverse_mass_of(world, id, at, along) - still;
    return sb_vec3_dot(arm, arm) / turn;
}

static const sb_vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

static void weigh(sb_solid_def def, double mass, double x, double y, double z) {
    sb_world *world = world_at(1000);
    def.density = 2000;
    sb_solid_id id = put(world, &def);
    ck_assert_double_eq_tol(mass_of(world, id) / mass, 1, 1e-9);
    ck_assert_double_eq_tol(inertia(world, id, Y, Z) / x, 1, 1e-9);
    ck_assert_double_eq_tol(inertia(world, id, Z, X) / y, 1, 1e-9);
    ck_assert_double_eq_tol(inertia(world, id, X, Y) / z, 1, 1e-9);
    sb_world_destroy(world);
}

START_TEST(mass_and_inertia_are_those_of_the_shape) {
    const double r = .1, w = .02, l = .3, pi = SB_PI;
    const sb_vec3 at = {1, 2, 3};
    sb_solid_def ball = a_ball(r, at);
    double m = 2000 * 4. / 3 * pi * r * r * r, i = .4 * m * r * r;
    weigh(ball, m, i, i, i);
    m = 2000 * .1 * .2 * .3;
    weigh(a_box((sb_vec3){.1, .2, .3}, at), m, m * (.04 + .09) / 12,
          m * (.01 + .09) / 12, m * (.01 + .04) / 12);
    sb_solid_def round = ball;
    round.collider.kind = SB_COLLIDER_CYLINDER;
    round.collider.length = l;
    m = 2000 * pi * r * r * l, i = m * (r * r / 4 + l * l / 12);
    weigh(round, m, i, m * r * r / 2, i);
    m = 2000 * 2 * pi * r * pi * w * w, i = m * (r * r / 2 + w * w * 5 / 8);
    weigh(a_ring(r, w, at), m, i, m * (r * r + .75 * w * w), i);
}
END_TEST

static sb_mesh_source *source_of(sb_mesh *mesh) {
    sb_mesh soup = {0}, clean = {0};
    sb_mesh_report report;
    sb_mesh_source *source = NULL;
    ck_assert(sb_mesh_copy(&soup, mesh, NULL) == SB_OK);
    ck_assert(sb_mesh_clean(&soup, &clean, &report, NULL) == SB_OK);
    ck_assert(sb_mesh_source_create("test", &clean, &report, &source, NULL) ==
              SB_OK);
    return source;
}

/* A box given as a mesh with an offset has the mass properties of a box. */
START_TEST(hulls_and_meshes_weigh_what_they_enclose) {
    for (int kind = SB_COLLIDER_HULL; kind <= SB_COLLIDER_MESH; kind++) {
        surface_begin();
        surface_add_box((sb_vec3){0, 0, 0}, (sb_vec3){.1, .2, .3});
        sb_mesh_source *source = source_of(&surface_mesh);
        sb_shape shape = {.kind = SB_SHAPE_MESH, .mesh = source};
        sb_solid_def def = default_solid();
        def.collider.kind = (sb_collider_kind)kind;
        def.shape = &shape;
        def.density = 500;
        def.pose.rotation = sb_quat_about((sb_vec3){1, 2, 3}, 1);
        def.pose.spin = (sb_vec3){0, 0, 2};
        sb_world *world = world_at(1000);
        sb_solid_id id = put(world, &def);
        ck_assert_double_eq_tol(mass_of(world, id), 3, 1e-9);
        sb_pose pose = sb_world_pose(world, id);
        ck_assert_double_eq_tol(sb_vec3_length(pose.position), 0, 1e-15);
        ck_assert_double_eq_tol(sb_vec3_length(pose.velocity), 0, 1e-15);
        sb_vec3 centre = sb_pose_to_world(&pose, (sb_vec3){.05, .1, .15});
        ck_assert_double_eq_tol(inverse_mass_of(world, id, centre, X), 1. / 3,
                                1e-9);
        sb_world_destroy(world);
        sb_mesh_source_release(source);
    }
}
END_TEST

/* The hull of a sphere is nearly a sphere; all of them come to rest on a
 * face. */
START_TEST(hulls_and_meshes_come_to_rest) {
    for (int kind = SB_COLLIDER_HULL; kind <= SB_COLLIDER_MESH; kind++)
        for (int ground = 0; ground < 3; ground++) {
            sb_mesh_source *ball = source_of(surface_sphere(.05, 12, 24));
            surface_begin();
            surface_add_box((sb_vec3){-1, -.1, -1}, (sb_vec3){1, 0, 1});
            sb_mesh_source *slab = source_of(&surface_mesh);
            sb_shape shapes[2] = {{.kind = SB_SHAPE_MESH, .mesh = ball},
                                  {.kind = SB_SHAPE_MESH, .mesh = slab}};
            sb_world *world = world_at(400);
            sb_solid_def def = a_floor(0);
            if (ground == 1)
                def = a_box((sb_vec3){2, .1, 2}, (sb_vec3){0, -.05, 0});
            if (ground == 2) def.collider.kind = SB_COLLIDER_MESH;
            def.shape = &shapes[1];
            def.motion = SB_MOTION_FIXED;
            def.restitution = .3;
            def.rolling = .05;
            put(world, &def);
            def = default_solid();
            def.collider.kind = (sb_collider_kind)kind;
            def.shape = &shapes[0];
            def.pose.position.y = .2;
            def.rolling = .05;
            sb_solid_id id = put(world, &def);
            seconds(world, 2.5);
            ck_assert(sb_world_is_asleep(world, id));
            double y = sb_world_pose(world, id).position.y;
            ck_assert_msg(y > .047 && y < .0501, "kind %d, ground %d: %g m",
                          kind, ground, y);
            sb_world_destroy(world);
            sb_mesh_source_release(ball);
            sb_mesh_source_release(slab);
        }
}
END_TEST

/* An open mesh has no inside: it supports solids on either side, in either
 * orientation of its faces, also when the world has moved its solids since. */
START_TEST(a_sheet_bears_on_either_side) {
    for (int side = 0; side < 2; side++) {
        surface_begin();
        for (int k = 0; k < 4; k++)
            surface_vertex(k & 1 ? .5 : -.5, 0, k & 2 ? .5 : -.5);
        if (side == 0) {
            surface_quad(0, 2, 3, 1);
        } else {
            surface_quad(0, 1, 3, 2);
        }
        sb_mesh_source *sheet = source_of(&surface_mesh);
        sb_shape shape = {.kind = SB_SHAPE_MESH, .mesh = sheet};
        sb_world *world = world_at(1000);
        sb_solid_def def = default_solid();
        def.motion = SB_MOTION_FIXED;
        def.collider.kind = SB_COLLIDER_MESH;
        def.shape = &shape;
        put(world, &def);
        for (int i = 0; i < 100; i++) {
            def = a_box((sb_vec3){.1, .1, .1}, (sb_vec3){i, -9, 0});
            def.motion = SB_MOTION_FIXED;
            put(world, &def);
        }
        def = a_ball(.01, (sb_vec3){.1, .1, .2});
        sb_solid_id id = put(world, &def);
        seconds(world, 1.5);
        double y = sb_world_pose(world, id).position.y;
        ck_assert_msg(fabs(y - .01) < 2e-4, "side %d: it is at %g m", side, y);
        sb_world_destroy(world);
        sb_mesh_source_release(sheet);
    }
}
END_TEST

/* --- rest and energy ------------------------------------------------------ */

typedef struct heap {
    sb_world *world;
    sb_solid_id ids[40];
    int count;
} heap;

/* Balls, boxes and rings over a table. */
static heap heap_of(double rate_hz, int count, int kinds) {
    heap h = {world_at(rate_hz), {{0, 0}}, count};
    sb_solid_def ground = a_floor(0);
    ground.restitution = .5;
    put(h.world, &ground);
    for (int i = 0; i < count; i++) {
        sb_vec3 at = {.03 * (i % 3), .1 + .08 * i, .04 * (i % 2)};
        sb_solid_def def = a_ball(.03, at);
        if (i % kinds == 1) def = a_box((sb_vec3){.06, .04, .05}, at);
        if (i % kinds == 2) def = a_ring(.04, .008, at);
        def.pose.rotation = sb_quat_about((sb_vec3){1, i, 2}, i);
        def.user = (uint32_t)i + 1;
        h.ids[i] = put(h.world, &def);
    }
    return h;
}

static double energy_of(const heap *h) {
    double sum = 0;
    for (int i = 0; i < h->count; i++) {
        sb_pose p = sb_world_pose(h->world, h->ids[i]);
        double m = mass_of(h->world, h->ids[i]);
        /* Balls only: their inertia is the same about every axis. */
        sum += m * (G * p.position.y + sb_vec3_dot(p.velocity, p.velocity) / 2 +
                    .2 * .03 * .03 * sb_vec3_dot(p.spin, p.spin));
    }
    return sum;
}

START_TEST(energy_never_grows_in_a_heap_of_balls) {
    const double rates[] = {240, 1000};
    for (int r = 0; r < 2; r++) {
        heap h = heap_of(rates[r], 20, 1);
        double before = energy_of(&h), first = before;
        for (int n = 0; n < 2 * (int)rates[r]; n++) {
            steps(h.world, 1);
            double now = energy_of(&h);
            ck_assert_msg(now < before + 1e-4 * first,
                          "%g Hz, step %d: from %g J to %g", rates[r], n,
                          before, now);
            before = fmin(before, now);
        }
        ck_assert_double_lt(before, .5 * first);
        sb_world_destroy(h.world);
    }
}
END_TEST

START_TEST(a_heap_falls_asleep_and_is_woken) {
    sb_world *world = world_at(1000);
    sb_solid_def ground = a_floor(0);
    put(world, &ground);
    sb_solid_id ids[8];
    for (int i = 0; i < 8; i++) {
        sb_solid_def def =
            a_box((sb_vec3){.1, .05, .1}, (sb_vec3){0, .03 + .055 * i, 0});
        ids[i] = put(world, &def);
    }
    seconds(world, 2.5);
    ck_assert_int_eq(sb_world_awake_count(world), 0);
    sb_pose pose = sb_world_pose(world, ids[7]);
    ck_assert_double_eq_tol(pose.position.y, .375, 1e-3);
    seconds(world, .5);
    ck_assert(memcmp(&pose, &(sb_pose){0}, sizeof pose) != 0);
    sb_pose still = sb_world_pose(world, ids[7]);
    ck_assert(memcmp(&pose, &still, sizeof pose) == 0);
    sb_world_push(world, ids[7], (sb_vec3){0, .1, 0}, NULL);
    ck_assert(!sb_world_is_asleep(world, ids[7]));
    ck_assert(sb_world_is_asleep(world, ids[0]));
    seconds(world, 2);
    ck_assert_int_eq(sb_world_awake_count(world), 0);
    /* A solid falls when its support is removed. */
    sb_world_remove(world, ids[0]);
    seconds(world, 2.5);
    ck_assert_double_eq_tol(sb_world_pose(world, ids[7]).position.y, .325,
                            2e-3);
    ck_assert_int_eq(sb_world_awake_count(world), 0);
    sb_world_destroy(world);
}
END_TEST

START_TEST(a_tower_of_turned_boxes_stands) {
    const double rates[] = {240, 1000};
    for (int r = 0; r < 2; r++) {
        sb_world *world = world_at(rates[r]);
        sb_solid_def ground = a_floor(0);
        put(world, &ground);
        sb_solid_id top = {0, 0};
        for (int i = 0; i < 5; i++) {
            sb_solid_def def =
                a_box((sb_vec3){.1, .05, .1}, (sb_vec3){0, .026 + .051 * i, 0});
            def.pose.rotation = sb_quat_about(Y, .3 * i);
            top = put(world, &def);
        }
        seconds(world, 2);
        ck_assert_int_eq(sb_world_awake_count(world), 0);
        sb_pose pose = sb_world_pose(world, top);
        ck_assert_double_eq_tol(pose.position.y, .225, 2e-3);
        ck_assert_double_eq_tol(pose.position.x, 0, 1e-3);
        sb_world_destroy(world);
    }
}
END_TEST

/* The contact impulses of the floor sum to m g h in every step. */
START_TEST(touches_bear_the_weight) {
    sb_world *world = world_at(500);
    sb_solid_def ground = a_floor(0);
    ground.user = 9;
    put(world, &ground);
    sb_solid_def def = a_box((sb_vec3){.1, .1, .1}, (sb_vec3){0, .05, 0});
    sb_solid_id id = put(world, &def);
    seconds(world, .4);
    int count = 0;
    const sb_contact_point *touch = sb_world_contact_points(world, &count);
    ck_assert_int_eq(count, 4);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += touch[i].impulse_ns;
        ck_assert_uint_eq(touch[i].user[0], 9);
        ck_assert_uint_eq(touch[i].user[1], 1);
        ck_assert_double_eq_tol(touch[i].normal.y, -1, 1e-12);
        ck_assert_double_eq_tol(touch[i].approach_m_s, 0, 1e-3);
        ck_assert_double_eq_tol(fabs(touch[i].point.x), .05, 1e-3);
        ck_assert_double_eq(touch[i].inverse_mass[0], 0);
        ck_assert_double_eq_tol(touch[i].inverse_mass[1],
                                1 + 2 * .0025 * 6 / .01, 1e-1);
    }
    ck_assert_double_eq_tol(sum / (mass_of(world, id) * G / 500), 1, .02);
    sb_world_destroy(world);
}
END_TEST

/* --- repeatability -------------------------------------------------------- */

static void run_heap(heap *h) {
    for (int n = 0; n < 600; n++) {
        steps(h->world, 1);
        if (n == 200) sb_world_remove(h->world, h->ids[4]);
        if (n == 300) {
            sb_solid_def def = a_ball(.05, (sb_vec3){0, .5, 0});
            h->ids[4] = put(h->world, &def);
        }
    }
}

START_TEST(the_same_calls_give_the_same_bits) {
    heap a = heap_of(400, 30, 3);
    run_heap(&a);
    sb_world *between = world_at(100);
    heap b = heap_of(400, 30, 3);
    void *hole = malloc(12345);
    run_heap(&b);
    free(hole);
    for (int i = 0; i < a.count; i++) {
        sb_pose p = sb_world_pose(a.world, a.ids[i]),
                q = sb_world_pose(b.world, b.ids[i]);
        ck_assert(memcmp(&p, &q, sizeof p) == 0);
    }
    int m = 0, n = 0;
    const sb_contact_point *s = sb_world_contact_points(a.world, &m),
                           *t = sb_world_contact_points(b.world, &n);
    ck_assert_int_eq(m, n);
    ck_assert_int_gt(m, 0);
    for (int i = 0; i < m; i++) {
        ck_assert(s[i].impulse_ns == t[i].impulse_ns);
        ck_assert(s[i].point.x == t[i].point.x);
    }
    sb_world_destroy(a.world);
    sb_world_destroy(b.world);
    sb_world_destroy(between);
}
END_TEST

/* --- rays ----------------------------------------------------------------- */

START_TEST(rays_see_the_nearest) {
    sb_world *world = world_at(1000);
    sb_solid_def ground = a_floor(0);
    ground.user = 3;
    put(world, &ground);
    sb_solid_def ball = a_ball(.1, (sb_vec3){0, 1, 0});
    ball.motion = SB_MOTION_FIXED;
    put(world, &ball);
    sb_solid_def ring = a_ring(.2, .02, (sb_vec3){0, 2, 0});
    ring.motion = SB_MOTION_FIXED;
    ring.user = 2;
    put(world, &ring);
    sb_ray_hit hit;
    sb_vec3 down = {0, -2, 0};
    ck_assert(sb_world_raycast(world, (sb_vec3){0, 3, 0}, down, 10, 77, &hit));
    ck_assert_uint_eq(hit.user, 1);
    ck_assert_double_eq_tol(hit.distance_m, 1.9, 1e-4);
    ck_assert_double_eq_tol(hit.point.y, 1.1, 1e-4);
    ck_assert_double_eq_tol(hit.normal.y, 1, 1e-4);
    ck_assert(sb_world_raycast(world, (sb_vec3){0, 3, 0}, down, 10, 1, &hit));
    ck_assert_uint_eq(hit.user, 3);
    ck_assert(sb_world_raycast(world, (sb_vec3){.2, 3, 0}, down, 10, 77, &hit));
    ck_assert_uint_eq(hit.user, 2);
    ck_assert_double_eq_tol(hit.distance_m, .98, 1e-3);
    ck_assert(!sb_world_raycast(world, (sb_vec3){0, 3, 0}, down, 1, 77, &hit));
    ck_assert(!sb_world_raycast(world, (sb_vec3){0, 3, 0}, (sb_vec3){0, 0, 0},
                                10, 77, &hit));
    ck_assert(
        !sb_world_raycast(world, (sb_vec3){NAN, 3, 0}, down, 10, 77, &hit));
    sb_world_destroy(world);
}
END_TEST

START_TEST(scripted_ones_go_their_way_and_carry) {
    sb_world *world = world_at(1000);
    sb_solid_def belt = a_box((sb_vec3){4, .1, 1}, (sb_vec3){0, -.05, 0});
    belt.motion = SB_MOTION_SCRIPTED;
    belt.pose.velocity.x = .5;
    belt.restitution = 0;
    sb_solid_id moves = put(world, &belt);
    sb_solid_def load = a_box((sb_vec3){.1, .1, .1}, (sb_vec3){0, .05, 0});
    sb_solid_id carried = put(world, &load);
    seconds(world, 2);
    ck_assert_double_eq_tol(sb_world_pose(world, moves).position.x, 1, 1e-9);
    ck_assert_double_eq_tol(sb_world_pose(world, moves).position.y, -.05,
                            1e-12);
    ck_assert_double_eq_tol(sb_world_pose(world, carried).velocity.x, .5, 1e-3);
    /* mu = .5: it slides for .5 / (.5 g) s and loses v^2 / (2 mu g). */
    ck_assert_double_eq_tol(sb_world_pose(world, carried).position.x,
                            1 - .25 / G, 3e-3);
    sb_world_destroy(world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world");
    TCase *world = tcase_create("world");
    tcase_add_test(world, mass_and_inertia_are_those_of_the_shape);
    tcase_add_test(world, hulls_and_meshes_weigh_what_they_enclose);
    tcase_add_test(world, a_sheet_bears_on_either_side);
    tcase_add_test(world, hulls_and_meshes_come_to_rest);
    tcase_add_test(world, energy_never_grows_in_a_heap_of_balls);
    tcase_add_test(world, a_heap_falls_asleep_and_is_woken);
    tcase_add_test(world, a_tower_of_turned_boxes_stands);
    tcase_add_test(world, touches_bear_the_weight);
    tcase_add_test(world, the_same_calls_give_the_same_bits);
    tcase_add_test(world, rays_see_the_nearest);
    tcase_add_test(world, scripted_ones_go_their_way_and_carry);
    suite_add_tcase(suite, world);
    return run_suite(suite);
}
