/* SPDX-License-Identifier: MIT */
/* Output files appear whole or not at all: commit, abort, two writers, full
 * disks, links, devices, and the error of every refusal. */
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "tests/scratch.h"
#include "tests/suite.h"

static sb_out_file *begin(const char *name) {
    sb_out_file *file = NULL;
    sb_error err;
    sb_status status = sb_out_file_create(&file, scratch_path(name), &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return file;
}

static void put(sb_out_file *file, const char *text) {
    ck_assert_int_eq(sb_out_file_write(file, text, strlen(text), NULL), SB_OK);
}

static void expect_refusal(const char *path, sb_status status,
                           const char *part) {
    sb_out_file *file = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_out_file_create(&file, path, &err), status);
    ck_assert_ptr_null(file);
    ck_assert_int_eq(err.status, status);
    ck_assert_msg(strstr(err.message, part), "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

START_TEST(commit_puts_the_file_in_place) {
    scratch_put("x", "old");
    sb_out_file *file = begin("x");
    put(file, "new");
    scratch_expect("x", "old");
    ck_assert_int_eq(sb_out_file_commit(file, NULL), SB_OK);
    scratch_expect("x", "new");
    ck_assert_int_eq(scratch_entries(0), 1);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(abort_leaves_the_old_file_and_nothing_else) {
    scratch_put("x", "old");
    sb_out_file *file = begin("x");
    put(file, "new");
    sb_out_file_abort(file);
    scratch_expect("x", "old");
    ck_assert_int_eq(scratch_entries(0), 1);
    sb_out_file_abort(begin("y"));
    ck_assert_int_eq(scratch_entries(0), 1);
    sb_out_file_abort(NULL);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(two_writers_of_one_file_do_not_meet) {
    sb_out_file *one = begin("x");
    sb_out_file *two = begin("x");
    put(one, "one");
    put(two, "two");
    ck_assert_int_eq(sb_out_file_commit(one, NULL), SB_OK);
    scratch_expect("x", "one");
    ck_assert_int_eq(sb_out_file_commit(two, NULL), SB_OK);
    scratch_expect("x", "two");
    ck_assert_int_eq(scratch_entries(0), 1);
}
END_TEST

START_TEST(a_failing_write_leaves_the_old_file) {
    scratch_put("x", "old");
    sb_out_file *file = begin("x");
    scratch_limit(1000);
    static const char bytes[5000];
    sb_error err = {0};
    sb_status status = sb_out_file_write(file, bytes, sizeof bytes, &err);
    scratch_unlimit();
    ck_assert_int_eq(status, SB_IO_ERROR);
    ck_assert_msg(strstr(err.message, "too large"), "%s", err.message);
    sb_out_file_abort(file);
    scratch_expect("x", "old");
    ck_assert_int_eq(scratch_entries(0), 1);
}
END_TEST

START_TEST(a_directory_gone_before_the_commit_is_an_error) {
    ck_assert_int_eq(mkdir(scratch_path("d"), 0777), 0);
    sb_out_file *file = begin("d/x");
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", scratch_path("d"));
    ck_assert_int_eq(system(command), 0);
    sb_error err = {0};
    ck_assert_int_eq(sb_out_file_commit(file, &err), SB_NOT_FOUND);
    ck_assert_msg(strstr(err.message, "d/x"), "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(refusals_say_why) {
    scratch_put("plain", "");
    ck_assert_int_eq(mkdir(scratch_path("d"), 0777), 0);
    ck_assert_int_eq(symlink("nowhere", scratch_path("link")), 0);
    expect_refusal("", SB_BAD_ARGUMENT, "empty");
    expect_refusal(scratch_path("no/x"), SB_NOT_FOUND,
                   "directory does not exist");
    expect_refusal(scratch_path("no/"), SB_NOT_FOUND, "does not exist");
    expect_refusal(scratch_path("plain/x"), SB_NOT_FOUND, "Not a directory");
    expect_refusal(scratch_path("d"), SB_IO_ERROR, "is a directory");
    expect_refusal(scratch_path("link"), SB_NOT_FOUND, "link");
    if (geteuid() != 0) { /* root may write everywhere */
        ck_assert_int_eq(chmod(scratch_path("d"), 0555), 0);
        expect_refusal(scratch_path("d/x"), SB_IO_ERROR, "ermission");
        ck_assert_int_eq(chmod(scratch_path("plain"), 0444), 0);
        expect_refusal(scratch_path("plain"), SB_IO_ERROR, "ermission");
    }
    expect_refusal("/proc/x", SB_NOT_FOUND, "/proc/x");
}
END_TEST

START_TEST(a_link_is_followed_and_permissions_stay) {
    scratch_put("real", "old");
    ck_assert_int_eq(chmod(scratch_path("real"), 0640), 0);
    ck_assert_int_eq(symlink("real", scratch_path("link")), 0);
    sb_out_file *file = begin("link");
    put(file, "new");
    ck_assert_int_eq(sb_out_file_commit(file, NULL), SB_OK);
    scratch_expect("real", "new");
    struct stat info;
    ck_assert_int_eq(lstat(scratch_path("link"), &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
    ck_assert_int_eq(stat(scratch_path("real"), &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0640);
}
END_TEST

START_TEST(devices_are_written_through) {
    sb_error err = {0};
    sb_out_file *file = NULL;
    ck_assert_int_eq(sb_out_file_create(&file, "/dev/null", NULL), SB_OK);
    put(file, "gone");
    ck_assert_int_eq(sb_out_file_commit(file, &err), SB_OK);
    struct stat info;
    ck_assert_int_eq(stat("/dev/null", &info), 0);
    ck_assert(S_ISCHR(info.st_mode));
    ck_assert_int_eq(sb_out_file_create(&file, "/dev/full", NULL), SB_OK);
    put(file, "too much");
    ck_assert_int_eq(sb_out_file_commit(file, &err), SB_IO_ERROR);
    ck_assert_msg(strstr(err.message, "No space"), "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* --- in a folder of a stranger ------------------------------------------------ */

static void make_strange_folder(void) {
    ck_assert_int_eq(mkdir(scratch_path("in"), 0777), 0);
    ck_assert_int_eq(mkdir(scratch_path("in/sub"), 0777), 0);
    ck_assert_int_eq(mkdir(scratch_path("out"), 0777), 0);
    scratch_put("out/x", "mine");
    scratch_put("in/sub/x", "old");
    ck_assert_int_eq(symlink("../out/x", scratch_path("in/link")), 0);
    ck_assert_int_eq(symlink("../out/new", scratch_path("in/dangling")), 0);
    ck_assert_int_eq(symlink("../out", scratch_path("in/folder")), 0);
    ck_assert_int_eq(symlink("in", scratch_path("other")), 0);
}

/* Nothing was written outside. */
static void end_strange_folder(void) {
    scratch_expect("out/x", "mine");
    ck_assert_int_ne(access(scratch_path("out/new"), F_OK), 0);
    char command[200];
    (void)snprintf(command, sizeof command, "rm -r %s/*", scratch_directory);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

START_TEST(no_name_leads_out_of_the_folder) {
    static const char *const names[] = {
        "link",           "dangling",    "folder/x", "folder/new",
        "../out/x",       "..",          ".",        "",
        "/tmp/x",         "sub/../link", "sub//x",   "sub/./x",
        "sub/",           "sub",         "none/x",   "folder",
        "sub/../../out/x"};
    make_strange_folder();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_error err = {0};
        sb_status status =
            sb_out_file_put_in(scratch_path("in"), names[i], "new", 3, &err);
        ck_assert_msg(status != SB_OK, "'%s' was written", names[i]);
        ck_assert_msg(strstr(err.message, names[i]), "%s", err.message);
    }
    ck_assert_int_ne(
        sb_out_file_put_in(scratch_path("other"), "y", "new", 3, NULL), SB_OK);
    ck_assert_int_eq(
        sb_out_file_put_in(scratch_path("in"), "sub/x", "new", 3, NULL), SB_OK);
    scratch_expect("in/sub/x", "new");
    ck_assert_int_eq(
        sb_out_file_put_in(scratch_path("in"), "y", "two", 3, NULL), SB_OK);
    scratch_expect("in/y", "two");
    end_strange_folder();
}
END_TEST

/* A second name of the user's file is replaced, not written through. */
START_TEST(a_hard_link_is_replaced) {
    make_strange_folder();
    ck_assert_int_eq(link(scratch_path("out/x"), scratch_path("in/hard")), 0);
    ck_assert_int_eq(
        sb_out_file_put_in(scratch_path("in"), "hard", "new", 3, NULL), SB_OK);
    scratch_expect("in/hard", "new");
    end_strange_folder();
}
END_TEST

/* Links that come while the file is being written. */
START_TEST(links_that_come_later_are_not_followed) {
    sb_out_file *file = NULL;
    make_strange_folder();
    ck_assert_int_eq(
        sb_out_file_create_in(&file, scratch_path("in"), "sub/x", NULL), SB_OK);
    put(file, "new");
    ck_assert_int_eq(unlink(scratch_path("in/sub/x")), 0);
    ck_assert_int_eq(symlink("../../out/x", scratch_path("in/sub/x")), 0);
    ck_assert_int_eq(rename(scratch_path("in/sub"), scratch_path("in/moved")),
                     0);
    ck_assert_int_eq(symlink("../out", scratch_path("in/sub")), 0);
    ck_assert_int_eq(sb_out_file_commit(file, NULL), SB_OK);
    scratch_expect("in/moved/x", "new");
    end_strange_folder();
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    int is_done = 0;
    for (long n = 0; !is_done; n++) {
        ck_assert_int_lt(n, 20);
        sb_out_file *file = NULL;
        sb_error err = {0};
        sb_memory_fail_after(n);
        sb_status status = sb_out_file_create(&file, scratch_path("x"), &err);
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_uint_gt(strlen(err.message), 0);
        }
        sb_out_file_abort(file);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
        ck_assert_int_eq(scratch_entries(0), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("out_file");
    TCase *tcase = tcase_create("out_file");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, commit_puts_the_file_in_place);
    tcase_add_test(tcase, abort_leaves_the_old_file_and_nothing_else);
    tcase_add_test(tcase, two_writers_of_one_file_do_not_meet);
    tcase_add_test(tcase, a_failing_write_leaves_the_old_file);
    tcase_add_test(tcase, a_directory_gone_before_the_commit_is_an_error);
    tcase_add_test(tcase, refusals_say_why);
    tcase_add_test(tcase, a_link_is_followed_and_permissions_stay);
    tcase_add_test(tcase, devices_are_written_through);
    tcase_add_test(tcase, no_name_leads_out_of_the_folder);
    tcase_add_test(tcase, a_hard_link_is_replaced);
    tcase_add_test(tcase, links_that_come_later_are_not_followed);
    tcase_add_test(tcase, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
