/* SPDX-License-Identifier: MIT */
/* A ball slides in a spherical bowl without friction: a pendulum whose length
 * is that of the path of its centre. Thread: control. */
#include "runtime/base/pi.h"
#include "runtime/model/profile.h"
#include "runtime/model/shape.h"
#include "tests/bench/motion/motion_mesh.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

static const double BOWL_M = 0.2, WALL_M = 0.002, BALL_M = 0.01;
static const double RIM_RAD = 1.0, HEADING_RAD = 0.3;

/* Radius of the path of the ball's centre: the bowl is the middle of the
 * wall. */
static double length_m(void) {
    return BOWL_M - 0.5 * WALL_M - BALL_M;
}

typedef struct slid_ball {
    double freq_hz;
    double loss; /* of energy, a share */
} slid_ball;

static double energy_of(const sb_pose *pose) {
    return 0.5 * sb_vec3_dot(pose->velocity, pose->velocity) +
           MOTION_G * (pose->position.y + length_m());
}

/* Times of zero crossings along the heading, between steps. */
typedef struct crossings {
    double first_s, last_s, before;
    int count;
} crossings;

static void cross(crossings *c, const sb_pose *pose, double now_s,
                  double step_s) {
    double now = pose->position.x * cos(HEADING_RAD) +
                 pose->position.z * sin(HEADING_RAD);
    if (now * c->before < 0.0) {
        c->last_s = now_s - step_s * now / (now - c->before);
        if (c->count++ == 0) c->first_s = c->last_s;
    }
    c->before = now;
}

static sb_status slide(const sb_shape *bowl, double start_rad, double seconds,
                       slid_ball *out, sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_solid_def def =
        motion_solid((sb_collider){.kind = SB_COLLIDER_MESH, .is_smooth = true},
                     (sb_vec3){0.0, 0.0, 0.0});
    def.motion = SB_MOTION_FIXED;
    def.shape = bowl;
    def.friction = def.restitution = 0.0;
    (void)motion_put(&scene, &def);
    double out_m = length_m() * sin(start_rad);
    sb_solid_def ball = motion_solid(sb_collider_sphere(BALL_M),
                                     (sb_vec3){out_m * cos(HEADING_RAD),
                                               -length_m() * cos(start_rad),
                                               out_m * sin(HEADING_RAD)});
    ball.friction = ball.restitution = 0.0;
    sb_solid_id id = motion_put(&scene, &ball);
    sb_pose pose = motion_pose(&scene, id);
    double first = energy_of(&pose);
    crossings zero = {0};
    while (motion_time_s(&scene) < seconds && motion_step(&scene)) {
        pose = motion_pose(&scene, id);
        cross(&zero, &pose, motion_time_s(&scene), scene.step_s);
    }
    out->loss = fabs(1.0 - energy_of(&pose) / first);
    out->freq_hz = 0.5 * (zero.count - 1) / (zero.last_s - zero.first_s);
    return motion_close(&scene);
}

/* Of a pendulum, by the arithmetic-geometric mean. */
static double exact_hz(double start_rad) {
    double a = 1.0, b = cos(0.5 * start_rad);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a * sqrt(MOTION_G / length_m()) / (2.0 * SB_PI);
}

/* Small swings stay within a few faces of a mesh; large ones cross many. */
static sb_status measure(const sb_shape *bowl, const char *name, bool is_quick,
                         figure_sheet *out, sb_error *err) {
    static const double starts_deg[2] = {3.0, 30.0};
    double seconds = is_quick ? 4.0 : 10.0;
    for (int i = 0; i < 2; i++) {
        double start_rad = starts_deg[i] * MOTION_DEGREE;
        slid_ball ball;
        sb_status status = slide(bowl, start_rad, seconds, &ball, err);
        if (status) return status;
        double off = fabs(ball.freq_hz / exact_hz(start_rad) - 1.0);
        figures_add(out, 100.0 * off, 0.2, "%",
                    "%s, from %g degrees: frequency", name, starts_deg[i]);
        figures_add(out, 100.0 * ball.loss, 2.0, "%",
                    "%s, from %g degrees, %g s: energy", name, starts_deg[i],
                    seconds);
    }
    return SB_OK;
}

sb_status motion_bowl(bool is_quick, figure_sheet *out, sb_error *err) {
    static const int rings[2] = {24, 48};
    for (int i = 0; i < 2; i++) {
        sb_mesh_source *source = NULL;
        sb_status status = motion_cap_mesh(BOWL_M, RIM_RAD, rings[i],
                                           4 * rings[i], &source, err);
        if (status) return status;
        sb_shape shape = {
            .kind = SB_SHAPE_MESH, .mesh = source, .thickness = WALL_M};
        status = measure(&shape, i ? "48 x 192 vertices" : "24 x 96 vertices",
                         is_quick, out, err);
        sb_mesh_source_release(source);
        if (status) return status;
    }
    return SB_OK;
}

sb_status motion_turned_bowl(bool is_quick, figure_sheet *out, sb_error *err) {
    enum { POINTS = 25 };
    sb_profile_point points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        double tilt = RIM_RAD * i / (POINTS - 1);
        points[i] =
            (sb_profile_point){BOWL_M * sin(tilt), -BOWL_M * cos(tilt), WALL_M};
    }
    sb_profile *profile = NULL;
    sb_status status = sb_profile_create(points, POINTS, 1, &profile, err);
    if (status) return status;
    sb_shape shape = {
        .kind = SB_SHAPE_REVOLVE, .profile = profile, .thickness = WALL_M};
    status = measure(&shape, "profile of 25 points", is_quick, out, err);
    sb_profile_release(profile);
    return status;
}
