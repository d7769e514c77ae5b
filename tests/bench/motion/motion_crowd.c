/* SPDX-License-Identifier: MIT */
/* Far too many solids at one point: they must part, but not explode. Thread:
 * control. */
#include "runtime/model/shape.h"
#include "tests/bench/motion/motion_mesh.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

enum { MOST = 1000, KINDS = 4 };

static sb_solid_def member(int kind, sb_vec3 at, const sb_shape *gem) {
    if (kind == 0) return motion_solid(sb_collider_sphere(0.01), at);
    if (kind == 1) return motion_solid(sb_collider_box(0.02, 0.015, 0.01), at);
    if (kind == 2) return motion_ring(0.015, 0.002, at);
    sb_solid_def def =
        motion_solid((sb_collider){.kind = SB_COLLIDER_HULL}, at);
    def.shape = gem;
    return def;
}

static void count_overlap(void *user, uint32_t first, uint32_t second,
                          double depth_m) {
    (void)first, (void)second, (void)depth_m;
    ++*(int *)user;
}

typedef struct crowd {
    int count;
    double seconds;
    double fastest_m_s; /* at any time */
    int overlaps;       /* in the end */
} crowd;

static sb_status run_crowd(crowd *out, const sb_shape *gem, sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_random random = sb_random_make(3, 0);
    sb_solid_def floor = motion_floor();
    floor.pose.position.y = -0.5;
    (void)motion_put(&scene, &floor);
    sb_solid_id ids[MOST];
    for (int i = 0; i < out->count; i++) {
        sb_vec3 at = {motion_some(&random, 5e-5), motion_some(&random, 5e-5),
                      motion_some(&random, 5e-5)};
        sb_solid_def def = member(KINDS * i / out->count, at, gem);
        def.user = (uint32_t)i + 1;
        ids[i] = motion_put(&scene, &def);
    }
    while (motion_time_s(&scene) < out->seconds && motion_step(&scene))
        for (int i = 0; i < out->count; i++) {
            sb_pose pose = motion_pose(&scene, ids[i]);
            out->fastest_m_s =
                fmax(out->fastest_m_s, sb_vec3_length(pose.velocity));
        }
    if (!scene.status)
        (void)sb_world_overlaps(scene.world, count_overlap, &out->overlaps);
    return motion_close(&scene);
}

sb_status motion_crowd(bool is_quick, figure_sheet *out, sb_error *err) {
    sb_mesh_source *source = NULL;
    sb_status status = motion_gem_mesh(0.012, &source, err);
    if (status) return status;
    sb_shape gem = {.kind = SB_SHAPE_MESH, .mesh = source};
    /* A second of all takes half a minute. */
    crowd all = is_quick ? (crowd){.count = 60, .seconds = 4.0}
                         : (crowd){.count = MOST, .seconds = 1.0};
    status = run_crowd(&all, &gem, err);
    sb_mesh_source_release(source);
    if (status) return status;
    figures_add(out, all.fastest_m_s, 10.0, "m/s", "%d: highest speed",
                all.count);
    figures_add(out, all.overlaps, 0.0, "", "%d: pairs overlapping after %g s",
                all.count, all.seconds);
    return SB_OK;
}
