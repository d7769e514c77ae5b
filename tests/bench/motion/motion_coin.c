/* SPDX-License-Identifier: MIT */
/* Coins that are dropped at many tilts, until they sleep. Thread: control. */
#include "runtime/base/pi.h"
#include "runtime/world/tracker/contact_point.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

static const double LONGEST_S = 8.0;

typedef struct coin_drops {
    int trials, resting;
    double rest_s;      /* sum over trials */
    double last_blow_s; /* latest of all */
} coin_drops;

static bool has_blow(const motion_scene *scene) {
    int count = 0;
    const sb_contact_point *points =
        sb_world_contact_points(scene->world, &count);
    for (int i = 0; i < count; i++)
        if (points[i].blow_ns > 0.0) return true;
    return false;
}

static sb_status drop_coin(int trial, double rate_hz, coin_drops *out,
                           sb_error *err) {
    sb_random random = sb_random_make((uint64_t)trial + 1, 0);
    motion_scene scene = motion_open(rate_hz, err);
    sb_solid_def floor = motion_floor();
    floor.friction = 0.3;
    floor.rolling = 0.005;
    (void)motion_put(&scene, &floor);
    sb_solid_def def = motion_solid(sb_collider_cylinder(0.012, 0.002),
                                    (sb_vec3){0.0, 0.05, 0.0});
    def.density = 7850.0;
    def.restitution = 0.6;
    def.friction = 0.3;
    def.rolling = 0.005;
    double tilt = (trial + 0.5) / out->trials * SB_PI / 2.0;
    sb_quat heading = sb_quat_about((sb_vec3){0, 1, 0},
                                    2.0 * SB_PI * sb_random_unit(&random));
    def.pose.rotation =
        sb_quat_times(heading, sb_quat_about((sb_vec3){0, 0, 1}, tilt));
    sb_solid_id id = motion_put(&scene, &def);
    while (motion_time_s(&scene) < LONGEST_S && !motion_is_asleep(&scene, id) &&
           motion_step(&scene))
        if (has_blow(&scene))
            out->last_blow_s = fmax(out->last_blow_s, motion_time_s(&scene));
    out->resting += motion_is_asleep(&scene, id);
    out->rest_s += motion_time_s(&scene);
    return motion_close(&scene);
}

sb_status motion_coin(bool is_quick, figure_sheet *out, sb_error *err) {
    static const double rates[2] = {MOTION_RATE, MOTION_TWICE};
    double mean_s[2] = {0.0, 0.0};
    int trials = is_quick ? 12 : 100;
    for (int i = 0; i < 2; i++) {
        coin_drops drops = {.trials = trials};
        for (int trial = 0; trial < trials; trial++) {
            sb_status status = drop_coin(trial, rates[i], &drops, err);
            if (status) return status;
        }
        mean_s[i] = drops.rest_s / trials;
        figures_add(out, trials - drops.resting, 0.0, "",
                    "%d tilts, %g Hz: awake after %g s", trials, rates[i],
                    LONGEST_S);
        figures_add(out, drops.last_blow_s, 4.0, "s",
                    "%d tilts, %g Hz: last blow", trials, rates[i]);
    }
    figures_add(out, 100.0 * fabs(mean_s[1] / mean_s[0] - 1.0), 20.0, "%",
                "mean rest time %.3f s, at twice the rate %.3f s: differ",
                mean_s[0], mean_s[1]);
    return SB_OK;
}
