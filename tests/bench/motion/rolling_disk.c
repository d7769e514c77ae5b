/* SPDX-License-Identifier: MIT */
/* Equations of a rolling disk, see rolling_disk.h. Thread: any. */
#include "tests/bench/motion/rolling_disk.h"

#include "tests/bench/motion/motion_scene.h"

#include <math.h>

static const sb_vec3 UP = {0.0, 1.0, 0.0};

double disk_across_m2(const disk_size *size) {
    double r = size->radius_m, c = 0.5 * size->thickness_m;
    return r * r / 4.0 + c * c / 3.0;
}

double disk_along_m2(const disk_size *size) {
    return 0.5 * size->radius_m * size->radius_m;
}

/* a + s b */
static sb_vec3 plus(sb_vec3 a, sb_vec3 b, double s) {
    return sb_vec3_add(a, sb_vec3_scale(b, s));
}

/* The unit vector d of steepest descent in the plane of the disk; `length` is
 * the sine of the tilt. */
static sb_vec3 downhill(sb_vec3 axis, double *length) {
    sb_vec3 u = plus(sb_vec3_scale(axis, axis.y), UP, -1.0);
    *length = sb_vec3_length(u);
    return sb_vec3_normalised(u);
}

sb_vec3 disk_arm(const disk_size *size, sb_vec3 axis) {
    double sine;
    sb_vec3 d = downhill(axis, &sine);
    return plus(sb_vec3_scale(axis, -0.5 * size->thickness_m), d,
                size->radius_m);
}

double disk_tilt_rad(sb_vec3 axis) {
    return atan2(hypot(axis.x, axis.z), axis.y);
}

double disk_precession(const disk_size *size, double tilt_rad) {
    double r = size->radius_m, c = 0.5 * size->thickness_m;
    double s = sin(tilt_rad), k = cos(tilt_rad);
    double a = disk_across_m2(size), b = disk_along_m2(size);
    return sqrt(MOTION_G * (r * k - c * s) / (s * (a * k - b * c / r * s)));
}

/* With the centre still, w is parallel to the arm; its part along d is that of
 * the precession. */
rolling_disk disk_steady(const disk_size *size, double tilt_rad) {
    rolling_disk disk = {.axis = {sin(tilt_rad), cos(tilt_rad), 0.0}};
    double sine;
    sb_vec3 d = downhill(disk.axis, &sine);
    double turn = disk_precession(size, tilt_rad) * d.y / size->radius_m;
    disk.spin = sb_vec3_scale(disk_arm(size, disk.axis), turn);
    return disk;
}

/* Solves M x = b, M = p 1 + q e e' - a a', by Cramer's rule. */
static sb_vec3 solve(double p, double q, sb_vec3 e, sb_vec3 a, sb_vec3 b) {
    sb_vec3 columns[3];
    for (int i = 0; i < 3; i++) {
        sb_vec3 unit = {i == 0, i == 1, i == 2};
        sb_vec3 column = sb_vec3_scale(unit, p);
        column = plus(column, e, q * sb_vec3_dot(e, unit));
        columns[i] = plus(column, a, -sb_vec3_dot(a, unit));
    }
    sb_vec3 c12 = sb_vec3_cross(columns[1], columns[2]);
    double det = sb_vec3_dot(columns[0], c12);
    return (sb_vec3){
        sb_vec3_dot(b, c12) / det,
        sb_vec3_dot(columns[0], sb_vec3_cross(b, columns[2])) / det,
        sb_vec3_dot(columns[0], sb_vec3_cross(columns[1], b)) / det};
}

/* Direction of the torque of rolling friction, per lever and load. */
static sb_vec3 against(sb_vec3 w) {
    sb_vec3 tangential = {w.x, 0.0, w.z};
    sb_vec3 out = sb_vec3_scale(sb_vec3_normalised(tangential), -1.0);
    out.y = w.y > 0.0 ? -1.0 : w.y < 0.0 ? 1.0 : 0.0;
    return out;
}

/* Time derivative of axis and spin. */
static rolling_disk slope(const disk_size *size, const rolling_disk *disk) {
    sb_vec3 e = disk->axis, w = disk->spin, e_dot = sb_vec3_cross(w, e);
    double sine, across = disk_across_m2(size);
    double flat = disk_along_m2(size) - across; /* C - A */
    sb_vec3 d = downhill(e, &sine), a = disk_arm(size, e);
    sb_vec3 u_dot = plus(sb_vec3_scale(e_dot, e.y), e, e_dot.y);
    sb_vec3 d_dot =
        sb_vec3_scale(plus(u_dot, d, -sb_vec3_dot(d, u_dot)), 1.0 / sine);
    sb_vec3 a_dot = plus(sb_vec3_scale(e_dot, -0.5 * size->thickness_m), d_dot,
                         size->radius_m);
    /* F = known + a x w', so a x F brings  |a|^2 1 - a a'  to the left. */
    sb_vec3 known = plus(sb_vec3_cross(a_dot, w), UP, MOTION_G);
    sb_vec3 right =
        plus(sb_vec3_cross(a, known), e_dot, -flat * sb_vec3_dot(w, e));
    double p = across + sb_vec3_dot(a, a);
    sb_vec3 free = solve(p, flat, e, a, right);
    sb_vec3 per_load =
        solve(p, flat, e, a, sb_vec3_scale(against(w), size->lever_m));
    /* N = y . (known + a x (free + N per_load)) */
    double load = (known.y + sb_vec3_cross(a, free).y) /
                  (1.0 - sb_vec3_cross(a, per_load).y);
    return (rolling_disk){e_dot, plus(free, per_load, load)};
}

static rolling_disk moved(const rolling_disk *disk, const rolling_disk *rate,
                          double time_s) {
    return (rolling_disk){plus(disk->axis, rate->axis, time_s),
                          plus(disk->spin, rate->spin, time_s)};
}

void disk_advance(const disk_size *size, double step_s, rolling_disk *disk) {
    static const double share[4] = {0.5, 0.5, 1.0, 0.0},
                        weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    rolling_disk at = *disk, sum = *disk;
    for (int i = 0; i < 4; i++) {
        rolling_disk rate = slope(size, &at);
        sum = moved(&sum, &rate, weight[i] * step_s);
        at = moved(disk, &rate, share[i] * step_s);
    }
    sum.axis = sb_vec3_normalised(sum.axis);
    *disk = sum;
}
