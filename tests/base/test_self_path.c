/* SPDX-License-Identifier: MIT */
/* Where installed files are looked for: what was set, the environment, beside
 * a shared library, beside the program. */
#include "runtime/base/self_path.h"

#include "tests/scratch.h"
#include "tests/suite.h"

#include <dlfcn.h>
#include <limits.h>

static const char *found(sb_self_file which) {
    static char path[PATH_MAX];
    ck_assert(sb_self_find(which, path, sizeof path));
    return path;
}

static void set(sb_self_file which, const char *path) {
    ck_assert_int_eq(sb_self_set(which, path, NULL), SB_OK);
}

START_TEST(a_path_that_is_set_comes_before_the_environment) {
    ck_assert_int_eq(setenv("SANDBELL_LIBRARY", "/of/environment", 1), 0);
    ck_assert_str_eq(found(SB_SELF_LIBRARY), "/of/environment");
    set(SB_SELF_LIBRARY, "/of/host");
    ck_assert_str_eq(found(SB_SELF_LIBRARY), "/of/host");
    ck_assert_str_ne(found(SB_SELF_MESH_READER), "/of/host");
    set(SB_SELF_LIBRARY, NULL);
    ck_assert_str_eq(found(SB_SELF_LIBRARY), "/of/environment");
    set(SB_SELF_MESH_READER, "/of/host/reader");
    ck_assert_str_eq(found(SB_SELF_MESH_READER), "/of/host/reader");
    set(SB_SELF_MESH_READER, "");
    ck_assert_str_ne(found(SB_SELF_MESH_READER), "/of/host/reader");
}
END_TEST

START_TEST(what_is_nowhere_is_beside_the_program) {
    char program[PATH_MAX], expected[PATH_MAX];
    ck_assert_int_eq(unsetenv("SANDBELL_LIBRARY"), 0);
    ck_assert(sb_self_path("", program, sizeof program));
    ck_assert(sb_self_path(SANDBELL_DATA_FROM_BIN, expected, sizeof expected));
    ck_assert_ptr_nonnull(strstr(found(SB_SELF_LIBRARY), program));
    ck_assert_str_eq(found(SB_SELF_LIBRARY), expected);
}
END_TEST

START_TEST(paths_that_are_too_long_are_refused) {
    char path[PATH_MAX + 1], few[4] = "";
    sb_error err;
    memset(path, 'x', PATH_MAX);
    path[PATH_MAX] = '\0';
    set(SB_SELF_LIBRARY, "/kept");
    ck_assert_int_eq(sb_self_set(SB_SELF_LIBRARY, path, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(found(SB_SELF_LIBRARY), "/kept");
    ck_assert(!sb_self_find(SB_SELF_LIBRARY, few, sizeof few));
}
END_TEST

typedef bool find_function(sb_self_file which, char *out, size_t size);

/* Loaded by a relative path from a folder that is not current any more. */
START_TEST(files_are_found_beside_a_shared_library) {
    char command[1200], path[PATH_MAX], real[PATH_MAX], expected[PATH_MAX];
    const char *root = scratch_directory;
    ck_assert_int_eq(unsetenv("SANDBELL_LIBRARY"), 0);
    (void)snprintf(command, sizeof command,
                   "mkdir -p %s/a/b/lib && cp %s %s/a/b/lib/self.so && cd "
                   "%s/a/b/lib && mkdir -p %s",
                   root, SELF_PROBE, root, root, SANDBELL_DATA_FROM_LIB);
    ck_assert_int_eq(system(command), 0);
    (void)snprintf(path, sizeof path, "%s/a/b/lib", root);
    ck_assert_int_eq(chdir(path), 0);
    void *library = dlopen("./self.so", RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library, "%s", dlerror());
    ck_assert_ptr_nonnull(realpath(SANDBELL_DATA_FROM_LIB, expected));
    ck_assert_int_eq(chdir("/"), 0);
    find_function *find;
    *(void **)&find = dlsym(library, "sb_self_find");
    ck_assert(find && find(SB_SELF_LIBRARY, path, sizeof path));
    ck_assert_ptr_nonnull(realpath(path, real));
    ck_assert_str_eq(real, expected);
    (void)dlclose(library);
    (void)snprintf(command, sizeof command, "rm -r %s/a", root);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("self_path");
    TCase *tcase = tcase_create("self_path");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, a_path_that_is_set_comes_before_the_environment);
    tcase_add_test(tcase, what_is_nowhere_is_beside_the_program);
    tcase_add_test(tcase, paths_that_are_too_long_are_refused);
    tcase_add_test(tcase, files_are_found_beside_a_shared_library);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
