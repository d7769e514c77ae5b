/* runtime/bench/motion/motion_scene.h -- worlds of a few lines each, for the parts of
 * bench_motion.h.
 *
 * A scene keeps its first error: later calls do nothing, and the part returns
 * it at the end.
 *
 * Thread: control. Memory: close frees the world.
 */
#ifndef SB_BENCH_MOTION_MOTION_SCENE_H
#define SB_BENCH_MOTION_MOTION_SCENE_H

#include "runtime/base/random.h"
#include "runtime/bench/motion/bench_motion.h"
#include "runtime/world/world.h"

#define SB_MOTION_G      9.81
#define SB_MOTION_RATE   1000.0
#define SB_MOTION_TWICE  2000.0
#define SB_MOTION_DEGREE 0.017453292519943295

typedef struct sb_motion_scene {
    sb_world *world;
    double step_s;
    sb_status status;
    sb_error *err;
} sb_motion_scene;

sb_motion_scene sb_motion_open(double rate_hz, sb_error *err);
sb_status sb_motion_close(sb_motion_scene *scene);

sb_solid_id sb_motion_put(sb_motion_scene *scene, const sb_solid_def *def);
sb_pose sb_motion_pose(const sb_motion_scene *scene, sb_solid_id id);
bool sb_motion_is_asleep(const sb_motion_scene *scene, sb_solid_id id);
/* False after an error. */
bool sb_motion_step(sb_motion_scene *scene);
/* Simulated time so far. */
double sb_motion_time_s(const sb_motion_scene *scene);
/* The deepest overlap of the last step, m. */
double sb_motion_depth_m(const sb_motion_scene *scene);

/* Restitution and friction 0.5, density 1000, user 1. */
sb_solid_def sb_motion_solid(sb_collider collider, sb_vec3 position);
sb_solid_def sb_motion_ring(double radius, double wire, sb_vec3 position);
/* The half-space below y = 0, user 0. */
sb_solid_def sb_motion_floor(void);
/* In -most .. most. */
double sb_motion_some(sb_random *random, double most);

/* Two rings are linked if the mid-line of one pierces the disk of the other
 * once. */
bool sb_motion_is_linked(const sb_pose *a, const sb_pose *b, double radius);

/* Adds a figure; `what` as for printf. */
void sb_motion_add(sb_bench_motion_sheet *to, double value, double bound,
                   const char *unit, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
void sb_motion_add_timed(sb_bench_motion_sheet *to, double value, double bound,
                         const char *unit, const char *what);

/* --- the parts ------------------------------------------------------------ */

sb_bench_motion_measure sb_motion_disk, sb_motion_lever, sb_motion_sizes,
    sb_motion_coin, sb_motion_chain, sb_motion_heap, sb_motion_tray,
    sb_motion_big_heap, sb_motion_stack, sb_motion_incline, sb_motion_drop,
    sb_motion_bowl, sb_motion_turned_bowl, sb_motion_crowd, sb_motion_cradle,
    sb_motion_landing, sb_motion_rolling_down, sb_motion_cone;

#endif
