/* SPDX-License-Identifier: MIT */
/* Only regular files of a limited size are opened, and nothing waits. */
#include "runtime/base/digest.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "tests/scratch.h"
#include "tests/suite.h"

static void expect_refusal(const char *path, sb_status status,
                           const char *part) {
    char *bytes = NULL, digest[SB_DIGEST_TEXT_SIZE] = "as before";
    FILE *file = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_in_file_read(path, 4, &bytes, NULL, &err), status);
    ck_assert_msg(strstr(err.message, part), "%s", err.message);
    ck_assert_ptr_null(bytes);
    ck_assert_int_eq(sb_in_file_open(path, 4, &file, NULL), status);
    ck_assert_ptr_null(file);
    ck_assert_int_eq(sb_digest_file(path, 4, digest, &err), status);
    ck_assert_str_eq(digest, "as before");
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

START_TEST(a_file_is_read_whole) {
    char *bytes = NULL, one[SB_DIGEST_TEXT_SIZE], two[SB_DIGEST_TEXT_SIZE];
    size_t count = 0;
    scratch_put("x", "four");
    ck_assert_int_eq(
        sb_in_file_read(scratch_path("x"), 4, &bytes, &count, NULL), SB_OK);
    ck_assert_uint_eq(count, 4);
    ck_assert_str_eq(bytes, "four");
    sb_free(bytes);
    FILE *file = NULL;
    char line[8] = "";
    ck_assert_int_eq(sb_in_file_open(scratch_path("x"), 4, &file, NULL), SB_OK);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "four");
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(sb_digest_file(scratch_path("x"), 4, one, NULL), SB_OK);
    sb_digest_bytes("four", 4, two);
    ck_assert_str_eq(one, two);
    scratch_put("x", "");
    ck_assert_int_eq(
        sb_in_file_read(scratch_path("x"), 0, &bytes, &count, NULL), SB_OK);
    ck_assert_uint_eq(count, 0);
    ck_assert_str_eq(bytes, "");
    sb_free(bytes);
}
END_TEST

START_TEST(other_things_are_refused_at_once) {
    scratch_put("large", "large");
    ck_assert_int_eq(mkfifo(scratch_path("pipe"), 0600), 0);
    ck_assert_int_eq(symlink("/dev/zero", scratch_path("zero")), 0);
    expect_refusal(scratch_path("large"), SB_BAD_FORMAT, "it is larger than");
    expect_refusal(scratch_path("pipe"), SB_BAD_FORMAT, "not a regular file");
    expect_refusal(scratch_path("zero"), SB_BAD_FORMAT, "not a regular file");
    expect_refusal(scratch_directory, SB_BAD_FORMAT, "not a regular file");
    expect_refusal(scratch_path("none"), SB_NOT_FOUND, "No such file");
    expect_refusal(scratch_path("large/x"), SB_NOT_FOUND, "Not a directory");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("in_file");
    TCase *tcase = tcase_create("in_file");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, a_file_is_read_whole);
    tcase_add_test(tcase, other_things_are_refused_at_once);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
