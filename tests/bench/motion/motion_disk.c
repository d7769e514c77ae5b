/* SPDX-License-Identifier: MIT */
/* Euler's disk and the spun coin: a cylinder that rolls on its rim, compared
 * with exact times. Thread: control. */
#include "runtime/base/pi.h"
#include "tests/bench/motion/motion_scene.h"
#include "tests/bench/motion/rolling_disk.h"

#include <math.h>
#include <stdio.h>

enum { TILTS = 5 };
static const double tilts_deg[TILTS] = {10.0, 5.0, 2.0, 1.0, 0.5};
static const double START_RAD = 30.0 * MOTION_DEGREE;

typedef struct spun_disk {
    motion_scene scene;
    sb_solid_id id;
    disk_size size;
} spun_disk;

static spun_disk spin_disk(const disk_size *size, double rate_hz,
                           sb_error *err) {
    spun_disk out = {.scene = motion_open(rate_hz, err), .size = *size};
    sb_solid_def floor = motion_floor();
    floor.restitution = 0.0;
    floor.friction = 5.0;
    (void)motion_put(&out.scene, &floor);
    sb_solid_def def =
        motion_solid(sb_collider_cylinder(size->radius_m, size->thickness_m),
                     (sb_vec3){0.0, 0.0, 0.0});
    def.restitution = 0.0;
    def.friction = 5.0;
    def.density = 7850.0;
    def.lever_m = size->lever_m;
    def.given =
        (sb_solid_given){.friction = true, .lever = size->lever_m > 0.0};
    rolling_disk start = disk_steady(size, START_RAD);
    def.pose.rotation = sb_quat_about((sb_vec3){0, 0, 1}, -START_RAD);
    def.pose.position.y = -disk_arm(size, start.axis).y;
    def.pose.spin = start.spin;
    out.id = motion_put(&out.scene, &def);
    return out;
}

/* --- without loss --------------------------------------------------------- */

/* Per unit mass. */
static double energy_of(const disk_size *size, const sb_pose *pose) {
    sb_vec3 w = sb_quat_turn_back(pose->rotation, pose->spin);
    double across = disk_across_m2(size), along = disk_along_m2(size);
    return 0.5 * sb_vec3_dot(pose->velocity, pose->velocity) +
           0.5 * (across * (w.x * w.x + w.z * w.z) + along * w.y * w.y) +
           MOTION_G * pose->position.y;
}

/* Largest deviation of the energy, and that of the precession, in percent. */
static sb_status keep_spinning(const disk_size *size, double rate_hz,
                               double seconds, double out[2], sb_error *err) {
    spun_disk disk = spin_disk(size, rate_hz, err);
    sb_pose pose = motion_pose(&disk.scene, disk.id);
    double first = energy_of(size, &pose), turned = 0.0, worst = 0.0;
    sb_vec3 axis = sb_quat_turn(pose.rotation, (sb_vec3){0, 1, 0});
    double last = atan2(axis.z, axis.x);
    while (motion_time_s(&disk.scene) < seconds - 1e-9 &&
           motion_step(&disk.scene)) {
        pose = motion_pose(&disk.scene, disk.id);
        axis = sb_quat_turn(pose.rotation, (sb_vec3){0, 1, 0});
        double now = atan2(axis.z, axis.x);
        turned += remainder(now - last, 2.0 * SB_PI);
        last = now;
        worst = fmax(worst, fabs(energy_of(size, &pose) / first - 1.0));
    }
    double exact = disk_precession(size, START_RAD) * seconds;
    out[0] = 100.0 * worst;
    out[1] = 100.0 * fabs(fabs(turned) / exact - 1.0);
    return motion_close(&disk.scene);
}

sb_status motion_disk(bool is_quick, figure_sheet *out, sb_error *err) {
    static const disk_size sizes[] = {{0.0375, 0.013, 0.0},
                                      {0.012, 0.002, 0.0}};
    double seconds = is_quick ? 5.0 : 10.0;
    for (int i = 0; i < (is_quick ? 1 : 2); i++) {
        double off[2];
        sb_status status =
            keep_spinning(&sizes[i], MOTION_RATE, seconds, off, err);
        if (status) return status;
        double mm = 1e3 * sizes[i].radius_m;
        figures_add(out, off[0], 0.1, "%", "r %g mm, %g s: energy", mm,
                    seconds);
        figures_add(out, off[1], 0.1, "%", "r %g mm, %g s: precession", mm,
                    seconds);
    }
    return SB_OK;
}

/* --- with a lever --------------------------------------------------------- */

/* Times at which the tilt first falls below each of the first `count`. */
static sb_status fall_times(const disk_size *size, double rate_hz, int count,
                            double times_s[TILTS], sb_error *err) {
    spun_disk disk = spin_disk(size, rate_hz, err);
    double before_s = 0.0, before = START_RAD;
    for (int k = 0; k < TILTS; k++)
        times_s[k] = INFINITY;
    for (int k = 0; k < count && before_s < 60.0;) {
        if (!motion_step(&disk.scene)) break;
        sb_pose pose = motion_pose(&disk.scene, disk.id);
        double tilt =
            disk_tilt_rad(sb_quat_turn(pose.rotation, (sb_vec3){0, 1, 0}));
        double now_s = motion_time_s(&disk.scene);
        for (; k < count && tilt < tilts_deg[k] * MOTION_DEGREE; k++)
            times_s[k] =
                before_s + (now_s - before_s) *
                               (before - tilts_deg[k] * MOTION_DEGREE) /
                               (before - tilt);
        before = tilt;
        before_s = now_s;
    }
    return motion_close(&disk.scene);
}

/* The same by the equations of rolling_disk.h. */
static void exact_times(const disk_size *size, int count,
                        double times_s[TILTS]) {
    const double step_s = 5e-5;
    rolling_disk disk = disk_steady(size, START_RAD);
    int k = 0;
    for (long n = 1; k < count && n < 1000000; n++) {
        disk_advance(size, step_s, &disk);
        double tilt = disk_tilt_rad(disk.axis);
        for (; k < count && tilt < tilts_deg[k] * MOTION_DEGREE; k++)
            times_s[k] = (double)n * step_s;
    }
    for (; k < TILTS; k++)
        times_s[k] = INFINITY;
}

/* Largest relative deviation, in percent. */
static double worst_of(const double *got, const double *exact, int count) {
    double worst = 0.0;
    for (int k = 0; k < count; k++) {
        double off = 100.0 * fabs(got[k] / exact[k] - 1.0);
        worst = off <= worst ? worst : off; /* a NaN stays */
    }
    return worst;
}

static sb_status compare(const disk_size *size, const double *exact_s,
                         int count, bool at_twice, figure_sheet *out,
                         sb_error *err) {
    static const double rates[2] = {MOTION_RATE, MOTION_TWICE};
    static const double bounds[2] = {1.0, 0.5};
    for (int i = 0; i < (at_twice ? 2 : 1); i++) {
        double got_s[TILTS];
        sb_status status = fall_times(size, rates[i], count, got_s, err);
        if (status) return status;
        figures_add(out, worst_of(got_s, exact_s, count), bounds[i], "%",
                    "r %g mm, lever %g mm, to %g degrees, %g Hz",
                    1e3 * size->radius_m, 1e3 * size->lever_m,
                    tilts_deg[count - 1], rates[i]);
    }
    return SB_OK;
}

/* Times of an independent integration, s. */
static const struct known {
    disk_size size;
    double times_s[TILTS];
} knowns[] = {
    {{0.0375, 0.013, 1e-4}, {10.460, 15.260, 19.448, 21.552, 23.007}},
    {{0.012, 0.002, 6e-5}, {3.002, 4.363, 5.560, 6.153, 6.569}},
};
enum { KNOWNS = sizeof knowns / sizeof *knowns };

sb_status motion_lever(bool is_quick, figure_sheet *out, sb_error *err) {
    for (int i = 0; i < KNOWNS; i++) {
        bool is_large = i == 0;
        int count = is_quick && is_large ? 1 : TILTS;
        sb_status status = compare(&knowns[i].size, knowns[i].times_s, count,
                                   !(is_quick && is_large), out, err);
        if (status) return status;
    }
    for (int i = 0; i < KNOWNS; i++) {
        double own_s[TILTS];
        exact_times(&knowns[i].size, TILTS, own_s);
        /* The times of the table are rounded to 1 ms. */
        figures_add(out, worst_of(own_s, knowns[i].times_s, TILTS), 0.03, "%",
                    "r %g mm: own integration against the table",
                    1e3 * knowns[i].size.radius_m);
    }
    return SB_OK;
}

sb_status motion_sizes(bool is_quick, figure_sheet *out, sb_error *err) {
    static const disk_size sizes[] = {
        {0.008, 0.0015, 8e-5}, {0.06, 0.006, 3e-4}, {0.02, 0.004, 1e-4}};
    int size_count = is_quick ? 1 : 3;
    for (int i = 0; i < size_count; i++) {
        double exact_s[TILTS];
        exact_times(&sizes[i], TILTS, exact_s);
        sb_status status = compare(&sizes[i], exact_s, TILTS, true, out, err);
        if (status) return status;
    }
    return SB_OK;
}
