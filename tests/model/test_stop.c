/* SPDX-License-Identifier: MIT */
/* Solvers give up when their work is no longer wanted. */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "tests/model/model_test.h"

static atomic_bool is_unwanted;

/* Linked with --wrap: question number `last_asked` is answered with yes, and so
 * are all later ones. */
static atomic_int asked;
static int last_asked;

bool __real_sb_stop_is_wanted(void);
bool __wrap_sb_stop_is_wanted(void);
sb_status __real_sb_stop_check(sb_error *err);
sb_status __wrap_sb_stop_check(sb_error *err);

static void count_question(void) {
    if (last_asked > 0 && atomic_fetch_add(&asked, 1) + 1 >= last_asked)
        atomic_store(&is_unwanted, true);
}

bool __wrap_sb_stop_is_wanted(void) {
    count_question();
    return __real_sb_stop_is_wanted();
}

sb_status __wrap_sb_stop_check(sb_error *err) {
    count_question();
    return __real_sb_stop_check(err);
}

static const sb_shape shapes[] = {
    {.kind = SB_SHAPE_BAR, .length = .3, .width = .03, .thickness = .01},
    {.kind = SB_SHAPE_PLATE, .width = .3, .depth = .2, .thickness = .002},
    {.kind = SB_SHAPE_PLATE,
     .width = .3,
     .depth = .2,
     .thickness = .002,
     .support = SB_SUPPORT_PINNED},
    {.kind = SB_SHAPE_PLATE, .width = .3, .depth = .2, .thickness = .05},
    {.kind = SB_SHAPE_DISK, .radius = .1, .thickness = .002},
    {.kind = SB_SHAPE_RING, .radius = .1, .width = .004, .thickness = .004},
    {.kind = SB_SHAPE_PLATE,
     .width = .3,
     .depth = .2,
     .thickness = .004,
     .method = SB_METHOD_SHELL,
     .elements = 6},
};

START_TEST(unwanted_work_ends) {
    sb_material material = steel();
    sb_model *model = NULL;
    sb_error err = {0};
    long before = sb_memory_live_blocks();
    sb_stop_watch(&is_unwanted);
    atomic_store(&is_unwanted, true);
    ck_assert_int_eq(
        sb_model_create(&shapes[_i], &material, NULL, &model, &err),
        SB_INTERRUPTED);
    ck_assert_str_eq(err.message, "interrupted while solving");
    ck_assert_ptr_null(model);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
    atomic_store(&is_unwanted, false);
    ck_assert_msg(sb_model_create(&shapes[_i], &material, NULL, &model, &err) ==
                      SB_OK,
                  "%s", err.message);
    sb_model_release(model);
    sb_stop_watch(NULL);
}
END_TEST

/* Wherever it is when it is told: nothing is left, and no model that lacks what
 * was left out. */
START_TEST(work_ends_at_any_question) {
    sb_material material = steel();
    long before = sb_memory_live_blocks();
    sb_stop_watch(&is_unwanted);
    int ended = 0;
    for (last_asked = 1;; last_asked += 1 + last_asked / 3, ended++) {
        sb_model *model = NULL;
        sb_error err = {0};
        atomic_store(&asked, 0);
        atomic_store(&is_unwanted, false);
        sb_status status =
            sb_model_create(&shapes[_i], &material, NULL, &model, &err);
        if (atomic_load(&asked) < last_asked) {
            ck_assert_int_eq(status, SB_OK);
            sb_model_release(model);
            break;
        }
        ck_assert_int_eq(status, SB_INTERRUPTED);
        ck_assert_ptr_null(model);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    ck_assert_int_gt(ended, 5);
    last_asked = 0;
    atomic_store(&is_unwanted, false);
    sb_stop_watch(NULL);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("stop");
    TCase *stop = tcase_create("stop");
    tcase_add_loop_test(stop, unwanted_work_ends, 0,
                        (int)(sizeof shapes / sizeof *shapes));
    tcase_add_loop_test(stop, work_ends_at_any_question, 0,
                        (int)(sizeof shapes / sizeof *shapes));
    suite_add_tcase(suite, stop);
    return run_suite(suite);
}
