/* SPDX-License-Identifier: MIT */
/* Who may talk to the studio: hosts, origins, tokens; and files that are served
 * only from their folders. */
#include "bindings/studio/net/net_guard.h"
#include "runtime/base/in_file.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <string.h>

START_TEST(tokens_differ_and_are_compared_whole) {
    char a[STUDIO_TOKEN_SIZE], b[STUDIO_TOKEN_SIZE], text[200];
    ck_assert(studio_token_make(a) && studio_token_make(b));
    ck_assert_uint_eq(strlen(a), 64);
    ck_assert_str_ne(a, b);
    ck_assert(studio_token_is(a, a));
    ck_assert(!studio_token_is(a, b));
    ck_assert(!studio_token_is(a, ""));
    ck_assert(!studio_token_is(a, NULL));
    (void)snprintf(text, sizeof text, "%s0", a);
    ck_assert(!studio_token_is(a, text));
    text[63] = '\0';
    ck_assert(!studio_token_is(a, text));
    /* A studio without a token lets nobody in. */
    ck_assert(!studio_token_is("", ""));
    (void)snprintf(text, sizeof text, "Bearer %s", a);
    ck_assert(studio_bearer_is(a, text));
    ck_assert(!studio_bearer_is(a, a));
    ck_assert(!studio_bearer_is(b, text));
    (void)snprintf(text, sizeof text, "sandbell.v1, token.%s", a);
    ck_assert(studio_protocols_are(a, text));
    ck_assert(!studio_protocols_are(b, text));
    (void)snprintf(text, sizeof text, "token.%s,sandbell.v1", a);
    ck_assert(studio_protocols_are(a, text));
    (void)snprintf(text, sizeof text, "token.%s", a);
    ck_assert(!studio_protocols_are(a, text));
    ck_assert(!studio_protocols_are(a, "sandbell.v1"));
}
END_TEST

START_TEST(only_loopback_names_are_hosts) {
    static const char *const good[] = {"127.0.0.1",   "127.0.0.1:8080",
                                       "localhost",   "LOCALHOST:1",
                                       "[::1]:65535", "[::1]"};
    static const char *const bad[] = {
        "",           "evil.com",          "127.0.0.1.evil.com",
        "localhost.", "localhost:80:80",   "127.0.0.1:",
        "127.0.0.2",  "localhost:http",    "127.0.0.1:123456",
        "[::1",       "localhost.evil.org"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(studio_host_is_loopback(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!studio_host_is_loopback(bad[i]), "%s", bad[i]);
    ck_assert(!studio_host_is_loopback(NULL));
}
END_TEST

START_TEST(the_origin_is_the_host) {
    ck_assert(studio_origin_is_own("", "localhost:80"));
    ck_assert(studio_origin_is_own(NULL, "localhost:80"));
    ck_assert(studio_origin_is_own("http://localhost:80", "localhost:80"));
    ck_assert(!studio_origin_is_own("http://localhost:81", "localhost:80"));
    ck_assert(!studio_origin_is_own("https://localhost:80", "localhost:80"));
    ck_assert(!studio_origin_is_own("http://evil.com", "localhost:80"));
    ck_assert(!studio_origin_is_own("null", "localhost:80"));
}
END_TEST

static void write_file(const char *path) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs("x", file);
    (void)fclose(file);
}

START_TEST(files_stay_in_their_folder) {
    char inner[300], found[PATH_MAX];
    (void)snprintf(inner, sizeof inner, "%s", scratch_path("in"));
    ck_assert_int_eq(mkdir(inner, 0700), 0);
    write_file(scratch_path("secret.lua"));
    write_file(scratch_path("in/a.lua"));
    ck_assert_int_eq(symlink("../secret.lua", scratch_path("in/b.lua")), 0);
    ck_assert_int_eq(symlink("a.lua", scratch_path("in/c.lua")), 0);
    ck_assert_int_eq(symlink("..", scratch_path("in/up")), 0);
    ck_assert(sb_in_file_resolve(inner, "a.lua", found));
    ck_assert(sb_in_file_resolve(inner, "c.lua", found));
    ck_assert(!sb_in_file_resolve(inner, "b.lua", found));
    ck_assert(!sb_in_file_resolve(inner, "../secret.lua", found));
    ck_assert(!sb_in_file_resolve(inner, "up/secret.lua", found));
    ck_assert(!sb_in_file_resolve(inner, "up/in", found));
    ck_assert(!sb_in_file_resolve(inner, ".", found));
    ck_assert(!sb_in_file_resolve(inner, "none.lua", found));
    (void)unlink(scratch_path("in/a.lua"));
    (void)unlink(scratch_path("in/b.lua"));
    (void)unlink(scratch_path("in/c.lua"));
    (void)unlink(scratch_path("in/up"));
    (void)rmdir(inner);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("studio: guard");
    TCase *tcase = tcase_create("guard");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, tokens_differ_and_are_compared_whole);
    tcase_add_test(tcase, only_loopback_names_are_hosts);
    tcase_add_test(tcase, the_origin_is_the_host);
    tcase_add_test(tcase, files_stay_in_their_folder);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
