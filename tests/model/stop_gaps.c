/* SPDX-License-Identifier: MIT */
/* tests/model/stop_gaps.c -- how long solvers go without asking whether their
 * work is still wanted (stop.h): large solves of each kind, and the longest
 * processor time between two questions. Linked with --wrap, so that it sees
 * every question. Run by hand: its figures are times. */
#include "runtime/base/clock.h"
#include "tests/model/model_test.h"

#include <pthread.h>
#include <stdio.h>

static double asked_s, longest_s, longest_at_s, began_s;

bool __real_sb_stop_is_wanted(void);
bool __wrap_sb_stop_is_wanted(void);
sb_status __real_sb_stop_check(sb_error *err);
sb_status __wrap_sb_stop_check(sb_error *err);

static pthread_t first_thread;

static void note(void) {
    if (!pthread_equal(pthread_self(), first_thread)) return;
    double now_s = sb_clock_thread_s();
    if (now_s - asked_s > longest_s) {
        longest_s = now_s - asked_s;
        longest_at_s = asked_s - began_s;
    }
    asked_s = now_s;
}

bool __wrap_sb_stop_is_wanted(void) {
    note();
    return __real_sb_stop_is_wanted();
}

sb_status __wrap_sb_stop_check(sb_error *err) {
    note();
    return __real_sb_stop_check(err);
}

typedef struct work {
    const char *name;
    sb_shape shape;
} work;

#define PLATE(w, d, t) \
    .kind = SB_SHAPE_PLATE, .width = (w), .depth = (d), .thickness = (t)

static const work works[] = {
    {"plate, free, 4096 modes", {PLATE(1, .9, .0005), .max_modes = 4096}},
    {"plate, clamped, 2 m",
     {PLATE(2, 1.7, .001), .support = SB_SUPPORT_CLAMPED}},
    {"plate, Mindlin", {PLATE(.5, .45, .01), .theory = SB_PLATE_MINDLIN}},
    {"plate, thick", {PLATE(.5, .45, .05)}},
    {"disk, 1 m", {.kind = SB_SHAPE_DISK, .radius = 1, .thickness = .001}},
    {"membrane, 2 m",
     {.kind = SB_SHAPE_MEMBRANE,
      .radius = 2,
      .tension = 10,
      .surface_density = 2}},
    {"bar, thick",
     {.kind = SB_SHAPE_BAR, .length = .3, .width = .1, .thickness = .1}},
    {"bar, solid, 120 elements",
     {.kind = SB_SHAPE_BAR,
      .length = 1,
      .width = .05,
      .thickness = .02,
      .method = SB_METHOD_SOLID,
      .elements = 120}},
    {"plate, shell, 60 elements",
     {PLATE(.5, .5, .002), .method = SB_METHOD_SHELL, .elements = 60}},
    {"plate, springs, 60 elements",
     {PLATE(.5, .5, .002), .method = SB_METHOD_SPRINGS, .elements = 60}},
    {"plate, shell, 12 elements, all modes",
     {PLATE(.5, .5, .002), .method = SB_METHOD_SHELL, .elements = 12,
      .max_modes = 4096, .max_hz = 1e6}},
    {"plate, shell, 24 elements, all modes",
     {PLATE(.5, .5, .002), .method = SB_METHOD_SHELL, .elements = 24,
      .max_modes = 4096, .max_hz = 1e6}},
    {"box, solid, 8 elements, all modes",
     {.kind = SB_SHAPE_BOX,
      .width = .2,
      .height = .2,
      .depth = .2,
      .method = SB_METHOD_SOLID,
      .elements = 8,
      .max_modes = 4096,
      .max_hz = 1e6}},
};

int main(int argc, char **argv) {
    sb_material material = steel();
    double worst_s = 0;
    first_thread = pthread_self();
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        sb_model *model = NULL;
        sb_error err = {0};
        if (argc > 1 && !strstr(works[i].name, argv[1])) continue;
        longest_s = 0;
        began_s = asked_s = sb_clock_thread_s();
        sb_model_limits limits = sb_model_limits_default();
        limits.max_modes = 4096;
        sb_status status =
            sb_model_create(&works[i].shape, &material, &limits, &model, &err);
        note();
        (void)printf("%-40s %6.2f s, %5.0f ms without a question, from %.2f s "
                     "on; %s\n",
                     works[i].name, asked_s - began_s, 1e3 * longest_s,
                     longest_at_s, status ? err.message : "solved");
        (void)fflush(stdout);
        worst_s = fmax(worst_s, longest_s);
        if (!status) {
            (void)printf("%44d modes\n", sb_model_mode_count(model));
            sb_model_release(model);
        }
    }
    (void)printf("longest %.0f ms\n", 1e3 * worst_s);
    return EXIT_SUCCESS;
}
