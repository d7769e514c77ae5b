/* SPDX-License-Identifier: MIT */
/* SOFA files: KEMAR's head is read, and what is no such file is refused with a
 * sentence. */
#include "runtime/base/memory.h"
#include "runtime/media/sofa_file.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

START_TEST(kemar_has_710_directions_of_unit_length) {
    sb_sofa sofa;
    sb_error err = {0};
    sb_status status = sb_sofa_read(&sofa, sb_sofa_kemar(), &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_eq(sofa.count, 710);
    ck_assert_int_eq(sofa.frames, 512);
    ck_assert_double_eq(sofa.rate_hz, 44100);
    int ahead = -1, right = -1;
    for (int i = 0; i < sofa.count; i++) {
        sb_vec3 at = sofa.toward[i];
        ck_assert_double_eq_tol(sb_vec3_length(at), 1, 1e-6);
        if (at.z > 0.9999) ahead = i;
        if (at.x > 0.9999) right = i;
    }
    ck_assert_int_ge(ahead, 0);
    ck_assert_int_ge(right, 0);
    /* From the right, the right ear hears more. */
    double power[2] = {0};
    for (int n = 0; n < 2 * sofa.frames; n++) {
        double x = (double)sofa.responses[right * 2 * sofa.frames + n];
        power[n / sofa.frames] += x * x;
    }
    ck_assert_double_gt(power[1], 4 * power[0]);
    sb_sofa_free(&sofa);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

static void expect_refused(const char *path, sb_status status,
                           const char *sentence) {
    sb_sofa sofa;
    sb_error err = {0};
    ck_assert_int_eq(sb_sofa_read(&sofa, path, &err), status);
    ck_assert_msg(strstr(err.message, sentence), "%s", err.message);
    ck_assert_msg(strstr(err.message, path), "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

static void put_file(const char *name, const void *bytes, size_t count) {
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

static const char refusal[] = "not a SOFA file of ears (AES69, "
                              "SimpleFreeFieldHRIR, two receivers)";

START_TEST(what_is_no_sofa_file_is_refused) {
    expect_refused("/nowhere/own.sofa", SB_NOT_FOUND, "cannot be read");
    put_file("text.sofa", "a text\n", 7);
    expect_refused(scratch_path("text.sofa"), SB_BAD_FORMAT, refusal);
    ck_assert_int_eq(mkfifo(scratch_path("pipe.sofa"), 0600), 0);
    expect_refused(scratch_path("pipe.sofa"), SB_BAD_FORMAT, "regular file");
    put_file("empty.sofa", "", 0);
    expect_refused(scratch_path("empty.sofa"), SB_BAD_FORMAT, refusal);
}
END_TEST

START_TEST(a_file_that_ends_early_is_refused) {
    static unsigned char bytes[2000000];
    FILE *file = fopen(sb_sofa_kemar(), "rb");
    ck_assert_ptr_nonnull(file);
    size_t count = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    static const double shares[] = {0.0001, 0.001, 0.01, 0.1, 0.5, 0.9};
    put_file("short.sofa", bytes, (size_t)((double)count * shares[_i]));
    expect_refused(scratch_path("short.sofa"), SB_BAD_FORMAT, refusal);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sofa_file");
    TCase *tc = tcase_create("all");
    tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
    tcase_add_test(tc, kemar_has_710_directions_of_unit_length);
    tcase_add_test(tc, what_is_no_sofa_file_is_refused);
    tcase_add_loop_test(tc, a_file_that_ends_early_is_refused, 0, 6);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
