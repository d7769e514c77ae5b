/* SPDX-License-Identifier: MIT */
/* Chains of rings: one end is held and the rest swings down, or the chain hangs
 * and is then dropped on the floor. Thread: control. */
#include "runtime/base/pi.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

enum { MOST_RINGS = 50 };
static const double DROP_S = 3.0;

typedef struct ring_chain {
    motion_scene scene;
    sb_solid_id ids[MOST_RINGS];
    int count, first; /* first: ring 0, or 1 once it is removed */
    double radius, wire;
    bool is_swung; /* begins along x, else along -y */
} ring_chain;

/* The plane of each ring contains the chain, and is across its neighbours'. */
static void put_ring(ring_chain *chain, int i) {
    double at = i * (2.0 * (chain->radius - chain->wire) - 0.0002);
    sb_vec3 position =
        chain->is_swung ? (sb_vec3){at, 0, 0} : (sb_vec3){0, -at, 0};
    sb_solid_def def = motion_ring(chain->radius, chain->wire, position);
    def.density = 7850.0;
    def.friction = 0.3;
    def.restitution = 0.3;
    def.rolling = 0.002;
    def.user = (uint32_t)i + 1;
    if (i == 0) def.motion = SB_MOTION_FIXED;
    bool is_odd = i % 2 != 0;
    if (!chain->is_swung)
        def.pose.rotation = sb_quat_about(
            is_odd ? (sb_vec3){0, 0, 1} : (sb_vec3){1, 0, 0}, 0.5 * SB_PI);
    else if (is_odd)
        def.pose.rotation = sb_quat_about((sb_vec3){1, 0, 0}, 0.5 * SB_PI);
    chain->ids[i] = motion_put(&chain->scene, &def);
}

static int links_lost(const ring_chain *chain) {
    int lost = 0;
    sb_pose last = motion_pose(&chain->scene, chain->ids[chain->first]);
    for (int i = chain->first + 1; i < chain->count; i++) {
        sb_pose pose = motion_pose(&chain->scene, chain->ids[i]);
        lost += !motion_is_linked(&last, &pose, chain->radius);
        last = pose;
    }
    return lost;
}

/* The most links lost at any time, and the deepest overlap in m. */
static sb_status run_chain(ring_chain *chain, double seconds, int *lost,
                           double *depth_m, sb_error *err) {
    chain->scene = motion_open(MOTION_RATE, err);
    sb_solid_def floor = motion_floor();
    double length = chain->count * 2.0 * (chain->radius - chain->wire);
    floor.pose.position.y = -length - 0.3;
    floor.rolling = 0.01;
    (void)motion_put(&chain->scene, &floor);
    for (int i = 0; i < chain->count; i++)
        put_ring(chain, i);
    *lost = 0;
    *depth_m = 0.0;
    while (motion_time_s(&chain->scene) < seconds) {
        if (!chain->is_swung && chain->first == 0 &&
            motion_time_s(&chain->scene) > DROP_S) {
            sb_world_remove(chain->scene.world, chain->ids[0]);
            chain->first = 1;
        }
        if (!motion_step(&chain->scene)) break;
        int now = links_lost(chain);
        if (now > *lost) *lost = now;
        *depth_m = fmax(*depth_m, motion_depth_m(&chain->scene));
    }
    return motion_close(&chain->scene);
}

static sb_status measure(const ring_chain *def, double seconds,
                         figure_sheet *out, sb_error *err) {
    ring_chain chain = *def;
    int lost;
    double depth_m;
    sb_status status = run_chain(&chain, seconds, &lost, &depth_m, err);
    if (status) return status;
    const char *how = chain.is_swung ? "swung" : "hung, dropped";
    figures_add(out, lost, 0.0, "", "%d rings of %g mm, %s: links lost",
                chain.count, 1e3 * chain.radius, how);
    figures_add(out, 1e3 * depth_m, 1.0, "mm", "%d rings of %g mm, %s: depth",
                chain.count, 1e3 * chain.radius, how);
    return SB_OK;
}

sb_status motion_chain(bool is_quick, figure_sheet *out, sb_error *err) {
    static const ring_chain chains[] = {
        {.count = 15, .radius = 0.012, .wire = 0.002},
        {.count = 15, .radius = 0.012, .wire = 0.002, .is_swung = true},
        {.count = 50, .radius = 0.012, .wire = 0.002},
        {.count = 50, .radius = 0.012, .wire = 0.002, .is_swung = true},
        {.count = 15, .radius = 0.03, .wire = 0.003, .is_swung = true},
        {.count = 50, .radius = 0.03, .wire = 0.003, .is_swung = true},
    };
    int count = is_quick ? 2 : (int)(sizeof chains / sizeof *chains);
    for (int i = 0; i < count; i++) {
        sb_status status = measure(&chains[i], is_quick ? 4.0 : 8.0, out, err);
        if (status) return status;
    }
    return SB_OK;
}
