/* SPDX-License-Identifier: MIT */
/* tests/bench/motion/motion_scene.h -- worlds of a few lines each, whose
 * outcome is known, and the parts of bench motion.
 *
 * A scene keeps its first error: later calls do nothing, and the part returns
 * it at the end.
 *
 * Thread: control. Memory: close frees the world.
 */
#pragma once

#include "runtime/base/random.h"
#include "runtime/world/world.h"
#include "tests/bench/figures.h"

#define MOTION_G      9.81
#define MOTION_RATE   1000.0
#define MOTION_TWICE  2000.0
#define MOTION_DEGREE 0.017453292519943295

typedef struct motion_scene {
    sb_world *world;
    double step_s;
    sb_status status;
    sb_error *err;
} motion_scene;

motion_scene motion_open(double rate_hz, sb_error *err);
sb_status motion_close(motion_scene *scene);

sb_solid_id motion_put(motion_scene *scene, const sb_solid_def *def);
sb_pose motion_pose(const motion_scene *scene, sb_solid_id id);
bool motion_is_asleep(const motion_scene *scene, sb_solid_id id);
/* False after an error. */
bool motion_step(motion_scene *scene);
/* Simulated time so far. */
double motion_time_s(const motion_scene *scene);
/* The deepest overlap of the last step, m. */
double motion_depth_m(const motion_scene *scene);

/* Restitution and friction 0.5, density 1000, user 1. */
sb_solid_def motion_solid(sb_collider collider, sb_vec3 position);
sb_solid_def motion_ring(double radius, double wire, sb_vec3 position);
/* The half-space below y = 0, user 0. */
sb_solid_def motion_floor(void);
/* In -most .. most. */
double motion_some(sb_random *random, double most);

/* Two rings are linked if the mid-line of one pierces the disk of the other
 * once. */
bool motion_is_linked(const sb_pose *a, const sb_pose *b, double radius);

/* --- the parts ------------------------------------------------------------ */

extern const figure_part motion_parts[];
figures_measure motion_disk, motion_lever, motion_sizes, motion_coin,
    motion_chain, motion_heap, motion_tray, motion_big_heap, motion_stack,
    motion_incline, motion_drop, motion_bowl, motion_turned_bowl, motion_crowd,
    motion_cradle, motion_landing, motion_rolling_down, motion_cone;
