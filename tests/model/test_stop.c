/* Solvers give up when their work is no longer wanted. */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "tests/model/model_test.h"

static atomic_bool is_unwanted;

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

int main(void) {
    Suite *suite = suite_create("stop");
    TCase *stop = tcase_create("stop");
    tcase_add_loop_test(stop, unwanted_work_ends, 0,
                        (int)(sizeof shapes / sizeof *shapes));
    suite_add_tcase(suite, stop);
    return run_suite(suite);
}
