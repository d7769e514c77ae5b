/* SPDX-License-Identifier: MIT */
/* Boxes on each other and on a slope, and a ball that bounces. Thread:
 * control. */
#include "runtime/world/tracker/contact_point.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

/* --- a stack -------------------------------------------------------------- */

enum { BOXES = 20 };

/* Height of the centre of box i. */
static double box_at_m(int i) {
    return 0.025 + 0.05 * i;
}

/* How far any box has been from its place, m. Without sleep all boxes are woken
 * in each step. */
static sb_status stack_boxes(double seconds, bool may_sleep, double *worst_m,
                             sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_solid_def floor = motion_floor();
    floor.restitution = 0.0;
    (void)motion_put(&scene, &floor);
    sb_solid_id ids[BOXES];
    for (int i = 0; i < BOXES; i++) {
        sb_solid_def def = motion_solid(sb_collider_box(0.1, 0.05, 0.1),
                                        (sb_vec3){0, box_at_m(i), 0});
        def.restitution = 0.0;
        def.user = (uint32_t)i + 1;
        ids[i] = motion_put(&scene, &def);
    }
    *worst_m = 0.0;
    while (motion_time_s(&scene) < seconds && motion_step(&scene)) {
        for (int i = 0; i < BOXES; i++) {
            sb_vec3 at = motion_pose(&scene, ids[i]).position;
            at.y -= box_at_m(i);
            *worst_m = fmax(*worst_m, sb_vec3_length(at));
            if (!may_sleep)
                sb_world_push(scene.world, ids[i], (sb_vec3){0, 0, 0}, NULL);
        }
    }
    return motion_close(&scene);
}

sb_status motion_stack(bool is_quick, figure_sheet *out, sb_error *err) {
    double worst_m;
    sb_status status = stack_boxes(60.0, true, &worst_m, err);
    if (status) return status;
    figures_add(out, 1e3 * worst_m, 0.1, "mm", "60 s: displacement");
    double awake_s = is_quick ? 2.0 : 60.0;
    status = stack_boxes(awake_s, false, &worst_m, err);
    if (status) return status;
    figures_add(out, 1e3 * worst_m, 0.1, "mm", "%g s, kept awake: displacement",
                awake_s);
    return SB_OK;
}

/* --- a slope -------------------------------------------------------------- */

static const double FRICTION = 0.3;

/* The way of a box from rest, m. */
static sb_status slide(double slope_rad, double seconds, double *way_m,
                       sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_solid_def floor = motion_floor();
    floor.pose.rotation = sb_quat_about((sb_vec3){0, 0, 1}, slope_rad);
    (void)motion_put(&scene, &floor);
    sb_vec3 up = {-sin(slope_rad), cos(slope_rad), 0.0};
    sb_solid_def def =
        motion_solid(sb_collider_box(0.1, 0.05, 0.1), sb_vec3_scale(up, 0.025));
    def.pose.rotation = floor.pose.rotation;
    def.friction = FRICTION;
    def.given.friction = true;
    def.restitution = 0.0;
    sb_solid_id id = motion_put(&scene, &def);
    while (motion_time_s(&scene) < seconds - 1e-9 && motion_step(&scene))
        continue;
    sb_vec3 end = motion_pose(&scene, id).position;
    *way_m = sb_vec3_length(sb_vec3_sub(end, def.pose.position));
    return motion_close(&scene);
}

sb_status motion_incline(bool is_quick, figure_sheet *out, sb_error *err) {
    (void)is_quick;
    const double seconds = 2.0, aside = 0.5 * MOTION_DEGREE;
    double steep = atan(FRICTION) + aside, way_m;
    sb_status status = slide(steep, seconds, &way_m, err);
    if (status) return status;
    double exact_m = 0.5 * MOTION_G * seconds * seconds *
                     (sin(steep) - FRICTION * cos(steep));
    figures_add(out, 100.0 * fabs(way_m / exact_m - 1.0), 0.5, "%",
                "steeper, %g s: %.1f mm, exact %.1f mm", seconds, 1e3 * way_m,
                1e3 * exact_m);
    status = slide(atan(FRICTION) - aside, 5.0, &way_m, err);
    if (status) return status;
    figures_add(out, 1e3 * way_m, 0.1, "mm", "less steep, 5 s: creep");
    return SB_OK;
}

/* --- bounces -------------------------------------------------------------- */

enum { BOUNCES = 6 };

/* Fall t, then each flight 2 v / g with v shrinking by e. */
static void bounce_times(double height_m, double e, double times_s[BOUNCES]) {
    double fall_s = sqrt(2.0 * height_m / MOTION_G), flight_s = 2.0 * fall_s;
    times_s[0] = fall_s;
    for (int i = 1; i < BOUNCES; i++) {
        flight_s *= e;
        times_s[i] = times_s[i - 1] + flight_s;
    }
}

/* Times of blows; those after the sixth are not needed. */
static sb_status drop_ball(double rate_hz, double times_s[BOUNCES],
                           sb_error *err) {
    motion_scene scene = motion_open(rate_hz, err);
    sb_solid_def floor = motion_floor();
    (void)motion_put(&scene, &floor);
    sb_solid_def def =
        motion_solid(sb_collider_sphere(0.02), (sb_vec3){0.0, 1.02, 0.0});
    def.restitution = 0.8;
    def.given.restitution = true;
    (void)motion_put(&scene, &def);
    int found = 0;
    for (int i = 0; i < BOUNCES; i++)
        times_s[i] = INFINITY;
    while (found < BOUNCES && motion_time_s(&scene) < 4.0) {
        double start_s = motion_time_s(&scene);
        if (!motion_step(&scene)) break;
        int count = 0;
        const sb_contact_point *points =
            sb_world_contact_points(scene.world, &count);
        for (int i = 0; i < count && found < BOUNCES; i++)
            if (points[i].blow_ns > 0.0)
                times_s[found++] = start_s + points[i].time_s;
    }
    return motion_close(&scene);
}

sb_status motion_drop(bool is_quick, figure_sheet *out, sb_error *err) {
    (void)is_quick;
    static const double rates[] = {240.0, MOTION_RATE, MOTION_TWICE};
    double exact_s[BOUNCES];
    bounce_times(1.0, 0.8, exact_s);
    for (int i = 0; i < 3; i++) {
        double times_s[BOUNCES], worst_s = 0.0;
        sb_status status = drop_ball(rates[i], times_s, err);
        if (status) return status;
        for (int k = 0; k < BOUNCES; k++)
            worst_s = fmax(worst_s, fabs(times_s[k] - exact_s[k]));
        figures_add(out, 1e6 * worst_s, 1.0, "us", "%g Hz: times of %d bounces",
                    rates[i], BOUNCES);
    }
    return SB_OK;
}
