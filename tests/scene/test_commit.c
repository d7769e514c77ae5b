/* SPDX-License-Identifier: MIT */
/* A commit turns the running scene into the planned one, completely or not at
 * all, and unchanged bodies go on ringing. */
#include "tests/scene/scene_fixture.h"

enum { FRAMES = 9600, BODIES_MAX = 64 };

static float a[2 * FRAMES], b[2 * FRAMES];

static sb_plan *plan_new(void) {
    sb_plan *plan = NULL;
    ck_assert_int_eq(sb_plan_create(&plan, NULL), SB_OK);
    return plan;
}

static void put(sb_plan *plan, sb_body_def def) {
    int index;
    sb_error err = {0};
    ck_assert_msg(sb_plan_add(plan, &def, &index, &err) == SB_OK, "%s",
                  err.message);
}

static sb_status try_commit(stage on, sb_plan *plan, double time_s,
                            sb_body_id *ids, sb_commit_counts *counts,
                            sb_error *err) {
    sb_plan *running = NULL;
    sb_status status = sb_scene_snapshot(on.scene, &running, err);
    if (!status) status = sb_plan_solve(plan, running, err);
    if (!status)
        status = sb_scene_commit(on.scene, plan, time_s, ids, counts, err);
    sb_plan_destroy(running);
    return status;
}

/* Takes the plan. */
static sb_commit_counts commit(stage on, sb_plan *plan, double time_s) {
    sb_body_id ids[BODIES_MAX];
    sb_commit_counts counts = {0};
    sb_error err = {0};
    ck_assert_msg(try_commit(on, plan, time_s, ids, &counts, &err) == SB_OK,
                  "%s", err.message);
    for (int i = 0; i < sb_plan_count(plan); i++)
        ck_assert(sb_scene_has(on.scene, ids[i]));
    sb_plan_destroy(plan);
    return counts;
}

static void expect_counts(sb_commit_counts got, sb_commit_counts expected) {
    ck_assert_int_eq(got.kept, expected.kept);
    ck_assert_int_eq(got.moved, expected.moved);
    ck_assert_int_eq(got.retuned, expected.retuned);
    ck_assert_int_eq(got.replaced, expected.replaced);
    ck_assert_int_eq(got.added, expected.added);
    ck_assert_int_eq(got.removed, expected.removed);
}

static sb_plan *first_plan(void) {
    sb_plan *plan = plan_new();
    put(plan, bar_def("bar"));
    put(plan, hand_def("bell"));
    put(plan, rigid_def("rock"));
    return plan;
}

static void strike_named(stage on, const char *name, double time_s) {
    strike(on, sb_scene_find(on.scene, name), time_s, 0.01);
}

START_TEST(a_plan_becomes_a_scene) {
    stage on = stage_new();
    expect_counts(commit(on, first_plan(), 0), (sb_commit_counts){.added = 3});
    ck_assert_int_eq(sb_scene_body_count(on.scene), 3);
    ck_assert_str_eq(
        sb_scene_body_name(on.scene, sb_scene_body_at(on.scene, 1)), "bell");
    strike_named(on, "bar", 0.01);
    strike_named(on, "bell", 0.01);
    strike_named(on, "rock", 0.01);
    play(on, a, FRAMES);
    ck_assert(a[2 * 2000] != 0);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).sounding, 2);
    stage_free(on);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_plan_takes_a_name_once) {
    sb_plan *plan = first_plan();
    sb_body_def def = rigid_def("bell");
    int index = 99;
    sb_error err = {0};
    ck_assert_int_eq(sb_plan_add(plan, &def, &index, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "'bell'"));
    ck_assert_int_eq(index, 99);
    ck_assert_int_eq(sb_plan_count(plan), 3);
    sb_plan_destroy(plan);
}
END_TEST

START_TEST(bodies_alike_share_one_model) {
    stage on = stage_new();
    sb_plan *plan = plan_new();
    put(plan, bar_def("one"));
    put(plan, bar_def("two"));
    sb_body_def other = bar_def("three");
    other.shape.length = 0.21;
    put(plan, other);
    (void)commit(on, plan, 0);
    const sb_model *models[3];
    for (int i = 0; i < 3; i++)
        models[i] =
            sb_scene_body_model(on.scene, sb_scene_body_at(on.scene, i));
    ck_assert_ptr_eq(models[0], models[1]);
    ck_assert_ptr_ne(models[0], models[2]);
    /* The shared model remains when its first body is removed. */
    take_away(on, sb_scene_find(on.scene, "one"), 0);
    strike_named(on, "two", 0.01);
    play(on, a, FRAMES);
    ck_assert(a[2 * 2000] != 0);
    stage_free(on);
}
END_TEST

static void ring_and_commit(bool again, float *out) {
    stage on = stage_new();
    (void)commit(on, first_plan(), 0);
    strike_named(on, "bar", 0.01);
    strike_named(on, "bell", 0.02);
    play(on, out, 4800);
    if (again)
        expect_counts(commit(on, first_plan(), 0.11),
                      (sb_commit_counts){.kept = 3});
    play(on, out, FRAMES);
    stage_free(on);
}

START_TEST(what_is_the_same_goes_on_ringing) {
    ring_and_commit(false, a);
    ring_and_commit(true, b);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert(a[2 * 2000] != 0);
}
END_TEST

START_TEST(changes_are_distinguished) {
    stage on = stage_new();
    sb_plan *plan = first_plan();
    put(plan, bar_def("leaves"));
    put(plan, bar_def("moves"));
    put(plan, bar_def("grows"));
    (void)commit(on, plan, 0);
    sb_body_id bar = sb_scene_find(on.scene, "bar");
    strike_named(on, "bar", 0.01);
    play(on, a, 4800);

    plan = plan_new();
    sb_body_def tuned = bar_def("bar"), moved = bar_def("moves");
    sb_body_def grown = bar_def("grows");
    tuned.material.alpha = 20;
    moved.position.x = 1;
    grown.shape =
        (sb_shape){.kind = SB_SHAPE_RING, .radius = 0.05, .wire_radius = 0.002};
    put(plan, tuned);
    put(plan, moved);
    put(plan, grown);
    put(plan, hand_def("bell"));
    put(plan, rigid_def("rock"));
    put(plan, hand_def("comes"));
    expect_counts(commit(on, plan, 0.11), (sb_commit_counts){.kept = 2,
                                                             .moved = 1,
                                                             .retuned = 1,
                                                             .replaced = 1,
                                                             .added = 1,
                                                             .removed = 1});
    ck_assert(sb_scene_has(on.scene, bar)); /* a name is an identity */
    ck_assert(!sb_scene_has(on.scene, sb_scene_find(on.scene, "leaves")));
    play(on, a, FRAMES);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).sounding, 1);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).late, 0);
    stage_free(on);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* A plan that changes everything in a ringing scene. */
static sb_plan *second_plan(void) {
    sb_plan *plan = plan_new();
    sb_body_def tuned = bar_def("bar");
    tuned.material.alpha = 50;
    put(plan, tuned);
    put(plan, bar_def("bell")); /* other modes than by hand */
    put(plan, hand_def("new"));
    sb_plan_listener(plan)->position.z = 3;
    return plan;
}

/* 1 on success, 0 on failure. With n < 0 no allocation fails. */
static int commit_without_memory(long n, float *out) {
    stage on = stage_new();
    (void)commit(on, first_plan(), 0);
    strike_named(on, "bar", 0.01);
    strike_named(on, "bell", 0.02);
    play(on, out, 4800);
    sb_plan *plan = second_plan();
    sb_body_id ids[BODIES_MAX];
    sb_commit_counts counts;
    sb_error err = {0};
    sb_status status = SB_NO_MEMORY;
    if (n >= 0) {
        sb_memory_fail_after(n);
        status = try_commit(on, plan, 0.11, ids, &counts, &err);
        sb_memory_fail_after(-1);
    }
    if (status) {
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_int_eq(sb_scene_body_count(on.scene), 3);
        ck_assert(sb_scene_has(on.scene, sb_scene_find(on.scene, "rock")));
        ck_assert_double_eq(sb_scene_listener(on.scene).position.z, 0.8);
    }
    play(on, out, FRAMES);
    if (status) /* no silent voice stays behind */
        ck_assert_int_eq(sb_engine_read_stats(on.engine).voices, 2);
    if (status && n >= 0) /* and it can be tried again */
        ck_assert_int_eq(try_commit(on, plan, 0.5, ids, &counts, &err), SB_OK);
    sb_plan_destroy(plan);
    stage_free(on);
    ck_assert_msg(sb_memory_live_blocks() == 0,
                  "allocation %ld: %ld blocks leaked", n,
                  sb_memory_live_blocks());
    return status == SB_OK;
}

START_TEST(any_allocation_may_fail_and_not_a_sample_changes) {
    (void)commit_without_memory(-1, a);
    long n = 0;
    for (; !commit_without_memory(n, b); n++)
        ck_assert_msg(memcmp(a, b, sizeof a) == 0, "allocation %ld", n);
    ck_assert_int_gt(n, 10);
    ck_assert_int_ne(memcmp(a, b, sizeof a), 0);
}
END_TEST

START_TEST(more_bodies_than_places_change_nothing) {
    enum { TOO_MANY = 4097 };
    static sb_body_id ids[TOO_MANY];
    stage on = stage_new();
    (void)commit(on, first_plan(), 0);
    sb_plan *plan = plan_new();
    char name[SB_NAME_SIZE];
    for (int i = 0; i < TOO_MANY; i++) {
        (void)snprintf(name, sizeof name, "b%d", i);
        put(plan, hand_def(name));
    }
    sb_commit_counts counts;
    sb_error err = {0};
    ck_assert_int_eq(try_commit(on, plan, 0.1, ids, &counts, &err),
                     SB_NO_MEMORY);
    ck_assert_ptr_nonnull(strstr(err.message, "4096"));
    ck_assert_int_eq(sb_scene_body_count(on.scene), 3);
    sb_plan_destroy(plan);
    for (int i = 0; i < 2; i++)
        play(on, a, FRAMES);
    ck_assert_int_eq(sb_engine_read_stats(on.engine).voices, 2);
    stage_free(on);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("commit");
    TCase *tcase = tcase_create("commit");
    tcase_add_test(tcase, a_plan_becomes_a_scene);
    tcase_add_test(tcase, a_plan_takes_a_name_once);
    tcase_add_test(tcase, bodies_alike_share_one_model);
    tcase_add_test(tcase, what_is_the_same_goes_on_ringing);
    tcase_add_test(tcase, changes_are_distinguished);
    tcase_add_test(tcase, any_allocation_may_fail_and_not_a_sample_changes);
    tcase_add_test(tcase, more_bodies_than_places_change_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
