/* SPDX-License-Identifier: MIT */
/* Rings that fall on a floor or into a tray until they sleep. A ring of solid
 * wire cannot become linked with another, so each linked pair is an error of
 * the world. Thread: control. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

static const double RADIUS_M = 0.045, WIRE_M = 0.003, APART_M = 0.13,
                    LOWEST_M = 0.5;
static const double WINDOW_S = 0.25; /* of the busiest time */
static const double CALM_S = 3.0, REST_S = 6.0;
enum { PER_ROW = 6, PER_LAYER = 18 };

typedef struct ring_heap {
    motion_scene scene;
    sb_solid_id *ids;
    int count;
    bool is_tray, is_quick; /* is_quick: nothing is seen of CALM_S .. REST_S */
    double fallen_s;        /* when the last ring has fallen to the floor */
    /* results */
    int linked, awake_calm, rocking;
    double depth_m, cores, cores_peak;
} ring_heap;

static void put_ring(ring_heap *heap, int i, sb_random *random) {
    int column = i % PER_ROW, row = i / PER_ROW % (PER_LAYER / PER_ROW);
    sb_vec3 at = {APART_M * (column - 0.5 * (PER_ROW - 1)),
                  LOWEST_M + APART_M * (i / PER_LAYER) +
                      0.02 * sb_random_unit(random),
                  APART_M * (row - 1)};
    sb_solid_def def = motion_ring(RADIUS_M, WIRE_M, at);
    def.density = 8700.0;
    def.friction = 0.4;
    def.restitution = 0.4;
    def.rolling = 0.002;
    def.user = (uint32_t)i + 1;
    sb_vec3 axis = {motion_some(random, 1.0), motion_some(random, 1.0),
                    motion_some(random, 1.0)};
    def.pose.rotation = sb_quat_about(axis, 3.0 * sb_random_unit(random));
    def.pose.spin =
        (sb_vec3){motion_some(random, 3.0), motion_some(random, 3.0),
                  motion_some(random, 3.0)};
    heap->ids[i] = motion_put(&heap->scene, &def);
}

static void put_floor(ring_heap *heap) {
    sb_solid_def floor = motion_floor();
    floor.rolling = 0.01;
    (void)motion_put(&heap->scene, &floor);
}

/* Four walls 0.3 m high. */
static void put_walls(ring_heap *heap) {
    const double half_x = 0.45, half_z = 0.3, thick = 0.1, high = 0.3;
    for (int side = 0; side < 4; side++) {
        double sign = side % 2 ? -1.0 : 1.0;
        bool is_x = side < 2;
        sb_vec3 at = {is_x ? sign * (half_x + 0.5 * thick) : 0.0, 0.5 * high,
                      is_x ? 0.0 : sign * (half_z + 0.5 * thick)};
        sb_collider wall =
            is_x ? sb_collider_box(thick, high, 2.0 * half_z)
                 : sb_collider_box(2.0 * (half_x + thick), high, thick);
        sb_solid_def def = motion_solid(wall, at);
        def.motion = SB_MOTION_FIXED;
        def.rolling = 0.01;
        def.user = 0;
        (void)motion_put(&heap->scene, &def);
    }
}

static int awake_count(const ring_heap *heap) {
    return heap->scene.status ? 0 : sb_world_awake_count(heap->scene.world);
}

/* Awake, but not a ring that rolls away upright or in a circle. */
static int rocking_count(const ring_heap *heap) {
    int count = 0;
    for (int i = 0; i < heap->count; i++) {
        if (heap->scene.status || motion_is_asleep(&heap->scene, heap->ids[i]))
            continue;
        sb_pose pose = motion_pose(&heap->scene, heap->ids[i]);
        sb_vec3 axis = sb_quat_turn(pose.rotation, (sb_vec3){0, 1, 0});
        double speed = hypot(pose.velocity.x, pose.velocity.z);
        bool rolls = speed > 0.2 || (fabs(axis.y) < 0.5 && speed > 0.03);
        count += !rolls;
    }
    return count;
}

static void run(ring_heap *heap) {
    double began_s = sb_clock_thread_s(), window_s = began_s;
    double next_s = WINDOW_S, now_s = 0.0;
    double end_s = heap->fallen_s + (heap->is_quick ? CALM_S : REST_S);
    heap->awake_calm = -1;
    while (now_s < end_s && motion_step(&heap->scene)) {
        now_s = motion_time_s(&heap->scene);
        heap->depth_m = fmax(heap->depth_m, motion_depth_m(&heap->scene));
        if (now_s >= next_s) {
            double clock_s = sb_clock_thread_s();
            heap->cores_peak =
                fmax(heap->cores_peak, (clock_s - window_s) / WINDOW_S);
            window_s = clock_s;
            next_s += WINDOW_S;
        }
        if (heap->awake_calm < 0 && now_s >= heap->fallen_s + CALM_S)
            heap->awake_calm = awake_count(heap);
        if (now_s > heap->fallen_s && awake_count(heap) == 0) break;
    }
    heap->rocking = rocking_count(heap);
    if (heap->awake_calm < 0) heap->awake_calm = 0;
    heap->cores = (sb_clock_thread_s() - began_s) / now_s;
}

static void count_linked(ring_heap *heap) {
    for (int i = 0; i < heap->count; i++) {
        sb_pose a = motion_pose(&heap->scene, heap->ids[i]);
        for (int k = 0; k < i; k++) {
            sb_pose b = motion_pose(&heap->scene, heap->ids[k]);
            heap->linked += motion_is_linked(&a, &b, RADIUS_M);
        }
    }
}

static sb_status run_heap(ring_heap *heap, int seed, sb_error *err) {
    sb_random random = sb_random_make((uint64_t)seed, 0);
    heap->ids = sb_alloc((size_t)heap->count, sizeof *heap->ids);
    if (!heap->ids) return sb_fail(err, SB_NO_MEMORY, "no memory for a heap");
    heap->scene = motion_open(MOTION_RATE, err);
    put_floor(heap);
    if (heap->is_tray) put_walls(heap);
    for (int i = 0; i < heap->count; i++)
        put_ring(heap, i, &random);
    double highest_m =
        LOWEST_M + APART_M * ((heap->count - 1) / PER_LAYER) + 0.02;
    heap->fallen_s = sqrt(2.0 * highest_m / MOTION_G);
    run(heap);
    if (!heap->scene.status) count_linked(heap);
    sb_free(heap->ids);
    return motion_close(&heap->scene);
}

/* The worst of several seeds; cores are the highest peak and the mean. */
static sb_status worst_heap(int seeds, ring_heap *worst, sb_error *err) {
    for (int seed = 1; seed <= seeds; seed++) {
        ring_heap heap = {.count = worst->count,
                          .is_tray = worst->is_tray,
                          .is_quick = worst->is_quick};
        sb_status status = run_heap(&heap, seed, err);
        if (status) return status;
        worst->linked += heap.linked;
        worst->depth_m = fmax(worst->depth_m, heap.depth_m);
        if (heap.awake_calm > worst->awake_calm)
            worst->awake_calm = heap.awake_calm;
        worst->rocking += heap.rocking;
        worst->cores_peak = fmax(worst->cores_peak, heap.cores_peak);
        worst->cores += heap.cores / seeds;
    }
    return SB_OK;
}

static sb_status measure(int seeds, ring_heap *heap, const double cores[2],
                         figure_sheet *out, sb_error *err) {
    sb_status status = worst_heap(seeds, heap, err);
    if (status) return status;
    const char *of = seeds > 1 ? "seeds" : "seed";
    figures_add(out, heap->linked, 0.0, "", "%d %s: pairs interlocked", seeds,
                of);
    figures_add(out, 1e3 * heap->depth_m, 1.0, "mm", "%d %s: depth", seeds, of);
    figures_add(out, 100.0 * heap->awake_calm / heap->count, 5.0, "%",
                "%d %s: awake %g s after the last has fallen", seeds, of,
                CALM_S);
    if (!heap->is_quick)
        figures_add(out, heap->rocking, 0.0, "", "%d %s: rocking after %g s",
                    seeds, of, REST_S);
    figures_add_timed(out, heap->cores_peak, cores[0], "cores",
                      "busiest quarter of a second");
    figures_add_timed(out, heap->cores, cores[1], "cores",
                      "mean until all sleep");
    return SB_OK;
}

static const double few_cores[2] = {0.7, 0.4};

sb_status motion_heap(bool is_quick, figure_sheet *out, sb_error *err) {
    ring_heap heap = {.count = 100, .is_quick = is_quick};
    return measure(is_quick ? 2 : 10, &heap, few_cores, out, err);
}

sb_status motion_tray(bool is_quick, figure_sheet *out, sb_error *err) {
    if (is_quick) return SB_OK;
    ring_heap heap = {.count = 100, .is_tray = true};
    return measure(10, &heap, few_cores, out, err);
}

/* The world runs on one of two cores; the other one plays. */
sb_status motion_big_heap(bool is_quick, figure_sheet *out, sb_error *err) {
    static const double one_core[2] = {1.0, 1.0};
    if (is_quick) return SB_OK;
    ring_heap heap = {.count = 500};
    return measure(1, &heap, one_core, out, err);
}
