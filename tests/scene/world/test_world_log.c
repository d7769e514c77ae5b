/* A recorded world, replayed from its log, gives the same samples and poses;
 * a log of another scene is refused. */
#include "runtime/scene/world/scene_world_state.h"
#include "runtime/scene/world/world_log.h"
#include "tests/world/world_stage.h"

#include <stdlib.h>

enum { STEPS = 120, FRAMES = STEPS * STEP_FRAMES, BALLS = 3 };
static float heard[2 * FRAMES], again[2 * FRAMES];

/* A slab, and `count` balls beside each other that roll and bounce on it. */
static stage stage_of(int count) {
    stage on = stage_new();
    add(on, slab_def());
    for (int i = 0; i < count; i++) {
        char name[16];
        sb_body_def ball = ball_def();
        (void)snprintf(name, sizeof name, "ball %d", i);
        ball.name = name;
        ball.position = (sb_vec3){0.03 * (i % BALLS), 0.02 + 0.05 * (i % BALLS),
                                  0.2 * (i / BALLS)};
        ball.moves.velocity = (sb_vec3){0.2 * (i % BALLS), 0, 0};
        add(on, ball);
    }
    return on;
}

static sb_world_log *record(float *out) {
    sb_world_log *log;
    stage on = stage_of(BALLS);
    ck_assert_int_eq(sb_world_log_create(&log, NULL), SB_OK);
    ck_assert_int_eq(sb_scene_record(on.scene, log, NULL), SB_OK);
    advance(on, 0, STEPS, STEP_FRAMES, out);
    stage_free(on);
    return log;
}

START_TEST(a_replay_gives_the_same_bytes) {
    sb_world_log *log = record(heard);
    ck_assert_int_gt(sb_world_log_impacts(log), 5);
    stage on = stage_of(BALLS);
    ck_assert_int_eq(sb_scene_replay(on.scene, log, NULL), SB_OK);
    advance(on, 0, STEPS, STEP_FRAMES, again);
    ck_assert_int_eq(memcmp(heard, again, sizeof heard), 0);
    stage_free(on);
    sb_world_log_destroy(log);
}
END_TEST

START_TEST(a_replay_moves_nothing_but_reports_the_poses) {
    sb_world_log *log = record(heard);
    stage on = stage_of(BALLS);
    sb_body_id id = sb_scene_find(on.scene, "ball 2");
    double from_m = sb_scene_pose(on.scene, id).position.y;
    ck_assert_int_eq(sb_scene_replay(on.scene, log, NULL), SB_OK);
    ck_assert(sb_scene_is_moving(on.scene));
    advance(on, 0, 10, STEP_FRAMES, NULL);
    ck_assert_double_lt(sb_scene_pose(on.scene, id).position.y, from_m - 0.03);
    ck_assert_int_eq(sb_scene_replay(on.scene, NULL, NULL), SB_OK);
    ck_assert_double_eq(sb_scene_pose(on.scene, id).position.y, from_m);
    stage_free(on);
    sb_world_log_destroy(log);
}
END_TEST

START_TEST(copies_are_as_many_impacts_on_other_bodies) {
    sb_world_log *log = record(heard), *copies;
    ck_assert_int_eq(sb_world_log_copies(log, 4, 2, 3, &copies, NULL), SB_OK);
    ck_assert_int_eq(sb_world_log_impacts(copies),
                     4 * sb_world_log_impacts(log));
    ck_assert_int_eq(scene_log_steps(copies), scene_log_steps(log) + 9);
    stage on = stage_of(4 * BALLS);
    sb_error err = {0};
    ck_assert_msg(sb_scene_replay(on.scene, copies, &err) == SB_OK, "%s",
                  err.message);
    advance(on, 0, STEPS, STEP_FRAMES, NULL);
    int hits[4] = {0};
    uint64_t reader = 0;
    sb_world_event event;
    while (sb_scene_next_event(on.scene, &reader, &event)) {
        int number;
        if (event.kind != SB_WORLD_IMPACT) continue;
        ck_assert(sscanf(event.name[1], "ball %d", &number) == 1 ||
                  sscanf(event.name[0], "ball %d", &number) == 1);
        hits[number / BALLS]++;
    }
    /* The last of one that comes later may be beyond the end. */
    for (int i = 0; i < 4; i++)
        ck_assert_int_le(abs(hits[i] - sb_world_log_impacts(log)), 1);
    stage_free(on);
    sb_world_log_destroy(copies);
    sb_world_log_destroy(log);
}
END_TEST

START_TEST(a_log_of_others_is_refused) {
    sb_world_log *log = record(heard);
    sb_error err = {0};
    stage on = stage_of(1);
    ck_assert_int_eq(sb_scene_replay(on.scene, log, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "has 4 bodies, the scene has 2"));
    stage_free(on);
    on = stage_new();
    ck_assert_int_eq(sb_scene_record(on.scene, log, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "nothing moves"));
    stage_free(on);
    sb_world_log_destroy(log);
}
END_TEST

START_TEST(a_failed_allocation_is_reported) {
    int refused = 0;
    for (long n = 0; n < 40; n++) {
        sb_world_log *log = NULL;
        stage on = stage_of(BALLS);
        ck_assert_int_eq(sb_world_log_create(&log, NULL), SB_OK);
        ck_assert_int_eq(sb_scene_record(on.scene, log, NULL), SB_OK);
        sb_memory_fail_after(n);
        for (int i = 0; i < 12; i++)
            refused += sb_scene_advance(on.scene, i * STEP_S, (i + 1) * STEP_S,
                                        NULL) == SB_NO_MEMORY;
        sb_memory_fail_after(-1);
        stage_free(on);
        sb_world_log_destroy(log);
    }
    ck_assert_int_gt(refused, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("world_log");
    TCase *tests = tcase_create("world_log");
    tcase_add_test(tests, a_replay_gives_the_same_bytes);
    tcase_add_test(tests, a_replay_moves_nothing_but_reports_the_poses);
    tcase_add_test(tests, copies_are_as_many_impacts_on_other_bodies);
    tcase_add_test(tests, a_log_of_others_is_refused);
    tcase_add_test(tests, a_failed_allocation_is_reported);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
