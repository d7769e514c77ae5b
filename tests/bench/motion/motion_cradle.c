/* SPDX-License-Identifier: MIT */
/* Newton's cradle: balls that hang on ball joints and touch. The blow of the
 * first passes through the row, and each contact of it is reported. Thread:
 * control. */
#include "runtime/world/tracker/contact_point.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

enum { BALLS = 5 };
static const double BALL_M = 0.02, STRING_M = 0.3;

typedef struct cradle {
    motion_scene scene;
    sb_solid_id ids[BALLS];
    bool is_blown[BALLS - 1]; /* contact of each ball with the next */
} cradle;

static sb_vec3 anchor_of(int ball) {
    return (sb_vec3){2.0 * BALL_M * ball, STRING_M, 0.0};
}

static void hang(cradle *c, int ball, double raised_rad) {
    sb_vec3 anchor = anchor_of(ball);
    sb_vec3 at = {anchor.x - STRING_M * sin(raised_rad),
                  anchor.y - STRING_M * cos(raised_rad), 0.0};
    sb_solid_def def = motion_solid(sb_collider_sphere(BALL_M), at);
    def.density = 7850.0;
    def.restitution = 1.0;
    def.given.restitution = true;
    def.friction = 0.0;
    def.user = (uint32_t)ball;
    def.pose.rotation = sb_quat_about((sb_vec3){0, 0, 1}, -raised_rad);
    c->ids[ball] = motion_put(&c->scene, &def);
    if (c->scene.status) return;
    sb_world_joint_def joint = {
        .kind = SB_JOINT_BALL, .solid = {c->ids[ball]}, .anchor = anchor};
    sb_world_joint_id id;
    c->scene.status =
        sb_world_add_joint(c->scene.world, &joint, &id, c->scene.err);
}

/* Notes blows of this step; true if there was one. */
static bool note_blows(cradle *c) {
    int count = 0;
    bool has_any = false;
    const sb_contact_point *points =
        sb_world_contact_points(c->scene.world, &count);
    for (int i = 0; i < count; i++) {
        if (points[i].blow_ns <= 0.0) continue;
        uint32_t a = points[i].user[0], b = points[i].user[1];
        uint32_t left = a < b ? a : b;
        if (left < BALLS - 1) c->is_blown[left] = true;
        has_any = true;
    }
    return has_any;
}

static double speed_of(const cradle *c, int ball) {
    return sb_vec3_length(motion_pose(&c->scene, c->ids[ball]).velocity);
}

sb_status motion_cradle(bool is_quick, figure_sheet *out, sb_error *err) {
    (void)is_quick;
    const double raised_rad = 20.0 * MOTION_DEGREE;
    cradle c = {.scene = motion_open(MOTION_RATE, err)};
    for (int i = 0; i < BALLS; i++)
        hang(&c, i, i == 0 ? raised_rad : 0.0);
    bool is_struck = false;
    while (!is_struck && motion_time_s(&c.scene) < 1.0 && motion_step(&c.scene))
        is_struck = note_blows(&c);
    /* Of a rigid pendulum at the lowest point. */
    double arm =
        STRING_M * STRING_M / (STRING_M * STRING_M + 0.4 * BALL_M * BALL_M);
    double exact_m_s =
        sqrt(2.0 * MOTION_G * STRING_M * arm * (1.0 - cos(raised_rad)));
    double others_m_s = 0.0, last_m_s = speed_of(&c, BALLS - 1);
    for (int i = 0; i < BALLS - 1; i++)
        others_m_s = fmax(others_m_s, speed_of(&c, i));
    int silent = 0;
    for (int i = 0; i < BALLS - 1; i++)
        silent += !c.is_blown[i];
    figures_add(out, 100.0 * fabs(last_m_s / exact_m_s - 1.0), 1.0, "%",
                "speed of the last ball, %.4f m/s, exact %.4f", last_m_s,
                exact_m_s);
    figures_add(out, 100.0 * others_m_s / exact_m_s, 1.0, "%",
                "fastest of the others, of that speed");
    figures_add(out, silent, 0.0, "", "contacts of the row without a blow");
    return motion_close(&c.scene);
}
