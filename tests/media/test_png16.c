/* SPDX-License-Identifier: MIT */
/* Signed weights in a grey picture: what is written is read back, the sign and
 * the zero, too. */
#include "runtime/media/image/png_file.h"

#include "runtime/base/memory.h"
#include "runtime/media/image/image.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static sb_image read_well(const char *name) {
    sb_image image;
    sb_error err;
    sb_status status = sb_image_read(&image, scratch_path(name), &err);
    ck_assert_msg(status == SB_OK, "%s", status ? err.message : "");
    ck_assert_int_eq(image.bits, 16);
    ck_assert_int_eq(image.channel_count, 1);
    return image;
}

static double weight_of(uint16_t code, double scale) {
    return (code - SB_CODE_ZERO) * scale / SB_CODE_REACH;
}

static uint16_t code_at(const sb_image *image, int i) {
    return (uint16_t)lround((double)image->values[i] * 65535.0);
}

START_TEST(zero_has_a_code_and_opposites_are_opposite) {
    ck_assert_int_eq(sb_code_of_weight(0.0, 3.0), 32768);
    ck_assert_int_eq(sb_code_of_weight(3.0, 3.0), 65535);
    ck_assert_int_eq(sb_code_of_weight(-3.0, 3.0), 1);
    ck_assert_int_eq(sb_code_of_weight(7.0, 3.0), 65535);
    ck_assert_double_eq(weight_of(32768, 3.0), 0.0);
    ck_assert_double_eq(weight_of(65535, 3.0), 3.0);
    for (int i = 0; i < 5000; i++) {
        double weight = 3.0 * i / 5000;
        int up = sb_code_of_weight(weight, 3.0);
        int down = sb_code_of_weight(-weight, 3.0);
        ck_assert_int_eq(up - 32768, 32768 - down);
        double back = weight_of((uint16_t)up, 3.0);
        ck_assert_double_le(fabs(back - weight), 3.0 / 65533);
    }
}
END_TEST

START_TEST(weights_come_back_with_their_scale) {
    float weights[6] = {0.0f, 0.25f, -0.25f, 0.1f, -1e-7f, -0.2f};
    sb_weights_note note;
    double scale = 0.25 * (1 + 0x1p-52);
    ck_assert_int_eq(sb_png16_write_weights(scratch_path("w.png"), 3, 2,
                                            weights, scale, NULL),
                     SB_OK);
    sb_image image = read_well("w.png");
    ck_assert(image.has_note && sb_weights_note_read(image.note, &note));
    ck_assert(note.has_scale);
    ck_assert_double_eq(note.scale, scale);
    ck_assert_int_eq(image.width, 3);
    ck_assert_int_eq(image.height, 2);
    for (int i = 0; i < 6; i++) {
        double back = weight_of(code_at(&image, i), note.scale);
        ck_assert_double_le(fabs(back - (double)weights[i]), scale / 65530);
    }
    ck_assert_int_eq(code_at(&image, 0), 32768);
    ck_assert_int_eq(code_at(&image, 4), 32768);
    sb_image_free(&image);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(every_code_survives) {
    static uint16_t codes[65536];
    for (int i = 0; i < 65536; i++)
        codes[i] = (uint16_t)i;
    ck_assert_int_eq(
        sb_png16_write(scratch_path("all.png"), 256, 256, codes, NULL, 0, NULL),
        SB_OK);
    sb_image image = read_well("all.png");
    for (int i = 0; i < 65536; i++)
        ck_assert_int_eq(code_at(&image, i), i);
    sb_image_free(&image);
}
END_TEST

START_TEST(a_note_that_says_something_else_is_refused) {
    static const char *const wrong[] = {"",
                                        "sign",
                                        "signedness",
                                        "signed ",
                                        "unsigned",
                                        "signed scale=",
                                        "signed scale=0",
                                        "signed scale=-1",
                                        "signed s=1",
                                        "signed scale=1x",
                                        "signed scale=nan",
                                        "signed scale=inf",
                                        "signed scale=1e12"};
    sb_weights_note note;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(!sb_weights_note_read(wrong[i], &note), "'%s'", wrong[i]);
    ck_assert(sb_weights_note_read("signed scale=1e-3", &note));
    ck_assert(note.has_scale);
    ck_assert_double_eq(note.scale, 1e-3);
    ck_assert(sb_weights_note_read("signed", &note));
    ck_assert(!note.has_scale);
    ck_assert_double_eq(note.scale, 1.0);
}
END_TEST

START_TEST(no_memory_leaves_nothing_behind) {
    float weights[4] = {0.5f, -0.5f, 0.25f, 0.0f};
    sb_error err;
    bool is_done = false;
    for (long n = 0; !is_done && n < 100; n++) {
        sb_memory_fail_after(n);
        sb_status status = sb_png16_write_weights(scratch_path("m.png"), 2, 2,
                                                  weights, 0.5, &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
        ck_assert_int_eq(scratch_entries(0), is_done ? 1 : 0);
    }
    ck_assert(is_done);
    ck_assert_int_eq(sb_png16_write_weights(scratch_path("m.png"), 2, 16385,
                                            weights, 0.5, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, "2 x 16385"), "%s", err.message);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("png16");
    TCase *tcase = tcase_create("png16");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, zero_has_a_code_and_opposites_are_opposite);
    tcase_add_test(tcase, weights_come_back_with_their_scale);
    tcase_add_test(tcase, every_code_survives);
    tcase_add_test(tcase, a_note_that_says_something_else_is_refused);
    tcase_add_test(tcase, no_memory_leaves_nothing_behind);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
