/* SPDX-License-Identifier: MIT */
/* .modal files that lie with good checksums: whatever the reader accepts is a
 * model that can be used in every way, with finite answers. */
#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "tests/model/model_test.h"
#include "tests/scratch.h"
#include "tests/store/model_doors.h"

enum { MOST_BYTES = 1 << 20, ROUNDS = 4000 };

static _Alignas(8) char good[MOST_BYTES], lie[MOST_BYTES];
static size_t byte_count;

/* A plate of few elements, with modes, finish and texture coordinates. */
static void make_good(void) {
    sb_shape plate = {.kind = SB_SHAPE_PLATE,
                      .width = .3,
                      .depth = .2,
                      .thickness = .004,
                      .method = SB_METHOD_SHELL,
                      .elements = 4,
                      .max_hz = 3000};
    sb_maker no_cache = {.cache = {.folder = ""}};
    sb_material material = steel();
    sb_model *model;
    ck_assert_int_eq(
        sb_maker_make(&no_cache, &plate, &material, NULL, &model, NULL), SB_OK);
    sb_model_file file = {
        .solution = (sb_solution *)(uintptr_t)sb_model_solution(model),
        .has_material = true,
        .material = material,
        .has_finished = true,
        .finish = sb_solved_finish_def(&plate),
        .finished = *sb_model_finished(model)};
    const char *path = scratch_path("good.modal");
    ck_assert_int_eq(sb_model_file_write(path, &file, NULL), SB_OK);
    FILE *in = fopen(path, "rb");
    byte_count = fread(good, 1, sizeof good, in);
    (void)fclose(in);
    ck_assert(byte_count < sizeof good);
    sb_model_release(model);
}

/* --- lies ----------------------------------------------------------------- */

/* Writes one value that is extreme, or a random one, over an aligned word. */
static void put_word(sb_random *random, char *at, int size) {
    static const double doubles[] = {0,     -0.0, -1,    1e-300, 1e300, 1e18,
                                     1e-18, NAN,  -1e18, 1,      1e9,   1e-9};
    static const int32_t ints[] = {0, 1, -1, 2, 3, 4, 5, 6, 1 << 30, INT32_MIN};
    int kind = (int)(sb_random_unit(random) * 4);
    double d = doubles[(int)(sb_random_unit(random) * 12)];
    float f = (float)d;
    int32_t i = ints[(int)(sb_random_unit(random) * 10)];
    if (kind == 0 && size >= 8) memcpy(at, &d, sizeof d);
    if (kind == 1) memcpy(at, &f, sizeof f);
    if (kind == 2) memcpy(at, &i, sizeof i);
    if (kind == 3) *at ^= (char)(1 << (int)(sb_random_unit(random) * 8));
}

static void tell_lies(sb_random *random) {
    sb_model_header *header = (void *)lie;
    sb_section *table = (void *)(lie + sizeof *header);
    memcpy(lie, good, byte_count);
    int count = 1 + (int)(sb_random_unit(random) * 3);
    for (int n = 0; n < count; n++) {
        /* Half of them in the facts, which decide the most. */
        double pick = sb_random_unit(random);
        uint32_t s =
            pick < .5 ? 0 : (uint32_t)((2 * pick - 1) * header->section_count);
        uint64_t words = table[s].bytes / 4;
        if (words == 0) continue;
        uint64_t word = (uint64_t)(sb_random_unit(random) * (double)words);
        put_word(random, lie + table[s].offset + 4 * word,
                 word + 1 < words ? 8 : 4);
    }
    doors_sign(lie, byte_count);
}

START_TEST(what_is_accepted_can_be_used) {
    make_good();
    sb_random random = sb_random_make(17, (uint64_t)_i);
    sb_material material = steel();
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("lie.modal"));
    int accepted = 0;
    long before = sb_memory_live_blocks();
    for (int n = 0; n < ROUNDS / 4; n++) {
        tell_lies(&random);
        FILE *out = fopen(path, "wb");
        ck_assert_uint_eq(fwrite(lie, 1, byte_count, out), byte_count);
        ck_assert_int_eq(fclose(out), 0);
        bool is_read;
        const char *fault = doors_open(path, &material, &is_read);
        ck_assert_msg(!fault, "%s", fault);
        accepted += is_read;
    }
    /* Some lies do no harm, so that the doors are really opened. */
    ck_assert_int_gt(accepted, ROUNDS / 100);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model_lies");
    TCase *lies = tcase_create("lies");
    tcase_add_checked_fixture(lies, scratch_make, scratch_remove);
    tcase_add_loop_test(lies, what_is_accepted_can_be_used, 0, 4);
    suite_add_tcase(suite, lies);
    return run_suite(suite);
}
