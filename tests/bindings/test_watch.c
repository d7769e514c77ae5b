/* SPDX-License-Identifier: MIT */
/* The file watcher: every method of saving a file is one change, links and
 * missing files are watched, and the scene is loaded again once. */
#include "bindings/host/host.h"
#include "runtime/scene/watch.h"
#include "tests/bindings/reload_fixture.h"

#include <fcntl.h>
#include <unistd.h>

static sb_watch *watch;

/* How often a change is reported within 150 ms. */
static int changes(void) {
    int count = 0;
    for (int i = 0; i < 150; i++) {
        if (sb_watch_poll(watch)) count++;
        sleep_ms(1);
    }
    return count;
}

static void watch_file(const char *name) {
    scratch_put(name, "one");
    ck_assert_int_eq(sb_watch_create(&watch, NULL), SB_OK);
    ck_assert_int_eq(sb_watch_add(watch, scratch_path(name), NULL), SB_OK);
    ck_assert_int_eq(changes(), 0);
}

static void unwatch(void) {
    sb_watch_destroy(watch);
}

static void write_in_place(void) {
    scratch_put("f.lua", "two");
}

static void truncate_and_write_in_pieces(void) {
    int file = open(scratch_path("f.lua"), O_WRONLY | O_TRUNC);
    ck_assert_int_ge(file, 0);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(write(file, "piece", 5), 5);
        sleep_ms(3);
    }
    ck_assert_int_eq(close(file), 0);
}

static void close_and_open_again(void) {
    scratch_put("f.lua", "half");
    FILE *file = fopen(scratch_path("f.lua"), "a");
    ck_assert_int_ge(fputs(" and half", file), 0);
    (void)fclose(file);
}

static void rename_over(void) {
    scratch_put("f.lua~new", "two");
    ck_assert_int_eq(rename(scratch_path("f.lua~new"), scratch_path("f.lua")),
                     0);
}

static void move_away_and_write(void) {
    ck_assert_int_eq(rename(scratch_path("f.lua"), scratch_path("f.lua~")), 0);
    scratch_put("f.lua", "two");
}

static void remove_and_write(void) {
    ck_assert_int_eq(unlink(scratch_path("f.lua")), 0);
    scratch_put("f.lua", "two");
}

static void swap_a_link(void) {
    scratch_put("target", "two");
    ck_assert_int_eq(symlink(scratch_path("target"), scratch_path("link")), 0);
    ck_assert_int_eq(rename(scratch_path("link"), scratch_path("f.lua")), 0);
}

static void (*const ways[])(void) = {
    write_in_place, truncate_and_write_in_pieces, close_and_open_again,
    rename_over,    move_away_and_write,          remove_and_write,
    swap_a_link,
};

enum { WAYS = sizeof ways / sizeof ways[0] };

/* The last change was of this file alone. */
static void expect_changed(const char *name) {
    int at = 0;
    ck_assert_str_eq(sb_watch_next_changed(watch, &at), scratch_path(name));
    ck_assert_ptr_null(sb_watch_next_changed(watch, &at));
}

START_TEST(every_way_to_save_is_one_change) {
    watch_file("f.lua");
    ways[_i]();
    ck_assert_int_eq(changes(), 1);
    expect_changed("f.lua");
    /* And once more in place, wherever it lies now. */
    scratch_put("f.lua", "three");
    ck_assert_int_eq(changes(), 1);
    unwatch();
}
END_TEST

START_TEST(the_same_contents_are_no_change) {
    watch_file("f.lua");
    scratch_put("f.lua", "one");
    ck_assert_int_eq(changes(), 0);
    scratch_put("other.lua", "two");
    ck_assert_int_eq(changes(), 0);
    ck_assert_int_eq(unlink(scratch_path("f.lua")), 0);
    ck_assert_int_eq(changes(), 0); /* it may come back */
    scratch_put("f.lua", "one");
    ck_assert_int_eq(changes(), 0);
    unwatch();
}
END_TEST

START_TEST(a_file_that_was_not_there_is_noticed_when_it_comes) {
    watch_file("f.lua");
    ck_assert_int_eq(sb_watch_add(watch, scratch_path("late.lua"), NULL),
                     SB_OK);
    scratch_put("late.lua", "here");
    ck_assert_int_eq(changes(), 1);
    expect_changed("late.lua");
    unwatch();
}
END_TEST

START_TEST(a_file_that_is_gone_is_told_once) {
    watch_file("f.lua");
    ck_assert_int_eq(sb_watch_add(watch, scratch_path("never.lua"), NULL),
                     SB_OK);
    for (int turn = 0; turn < 2; turn++) {
        int count = 0;
        ck_assert_int_eq(unlink(scratch_path("f.lua")), 0);
        ck_assert_int_eq(changes(), 0);
        ck_assert_ptr_null(sb_watch_next_gone(watch)); /* it may come back */
        for (int i = 0; i < 10; i++) {
            const char *path = sb_watch_next_gone(watch);
            if (path) ck_assert_str_eq(path, scratch_path("f.lua"));
            count += path != NULL;
            ck_assert_int_eq(changes(), 0);
        }
        ck_assert_int_eq(count, 1);
        scratch_put("f.lua", turn ? "three" : "two");
        ck_assert_int_eq(changes(), 1);
    }
    unwatch();
}
END_TEST

START_TEST(a_links_target_is_watched_too) {
    scratch_put("target", "one");
    ck_assert_int_eq(symlink(scratch_path("target"), scratch_path("f.lua")), 0);
    ck_assert_int_eq(sb_watch_create(&watch, NULL), SB_OK);
    ck_assert_int_eq(sb_watch_add(watch, scratch_path("f.lua"), NULL), SB_OK);
    scratch_put("target", "two");
    ck_assert_int_eq(changes(), 1);
    unwatch();
}
END_TEST

/* --- as a scene meets it -------------------------------------------------- */

static running live;

static const char with_module[] =
    "local m = require 'part'\n"
    "local sb = require 'sandbell'\n"
    "sb.body('b', { shape = sb.modes { { m, 1 } } })\n";

START_TEST(a_saved_scene_or_module_is_loaded_again_once) {
    sb_host_def def = live_def(&live);
    def.watches = true;
    scratch_put("part.lua", "return 440");
    begin_with(&live, with_module, &def);
    scratch_put("part.lua", "return 550");
    ck_assert(wait_for(&live, "1 retuned"));
    save(&live, "-- empty now\n");
    ck_assert(wait_for(&live, "1 removed"));
    save(&live, "x = = 1\n");
    ck_assert(wait_for(&live, "still running the version of"));
    ck_assert_ptr_nonnull(strstr(live.said, "    1 | x = = 1"));
    ck_assert_ptr_nonnull(strstr(live.said, "scene.lua:1: "));
    save(&live, with_module);
    ck_assert(wait_for(&live, "1 added"));
    ck_assert_int_eq(times_said(&live, "reloaded scene.lua in"), 3);
    ck_assert_int_eq(times_said(&live, "still running"), 1);
    end(&live);
}
END_TEST

START_TEST(a_module_that_was_missing_mends_the_scene_when_it_comes) {
    sb_host_def def = live_def(&live);
    def.watches = true;
    begin_with(&live, "-- nothing yet\n", &def);
    save(&live, with_module);
    ck_assert(wait_for(&live, "there is no module 'part'"));
    scratch_put("part.lua", "return 440");
    ck_assert(wait_for(&live, "1 added"));
    end(&live);
}
END_TEST

START_TEST(reload_and_reset_can_be_asked_for) {
    static const char text[] =
        "local sb = require 'sandbell'\n"
        "state.n = (state.n or 0) + 1 print('load ' .. state.n)\n"
        "function scene.start() print 'started' sb.reload() end\n"
        "function scene.reload() print 'again'\n"
        "  if state.n == 2 then sb.reload() else sb.reset() end end\n";
    begin(&live, text);
    ck_assert(wait_for(&live, "load 3\nreloaded scene.lua"));
    ck_assert(wait_for(&live, "load 1\nreset scene.lua"));
    ck_assert_int_ge(times_said(&live, "again"), 2);
    end(&live);
}
END_TEST

static void replace_by_a_pipe(void) {
    ck_assert_int_eq(mkfifo(scratch_path("new"), 0600), 0);
    ck_assert_int_eq(rename(scratch_path("new"), scratch_path("f.lua")), 0);
}

static void replace_by_a_device(void) {
    ck_assert_int_eq(symlink("/dev/zero", scratch_path("new")), 0);
    ck_assert_int_eq(rename(scratch_path("new"), scratch_path("f.lua")), 0);
}

static void replace_by_40_gb(void) {
    scratch_put("new", "");
    ck_assert_int_eq(truncate(scratch_path("new"), (off_t)40 << 30), 0);
    ck_assert_int_eq(rename(scratch_path("new"), scratch_path("f.lua")), 0);
}

static void (*const unreadable[])(void) = {
    replace_by_a_pipe, replace_by_a_device, replace_by_40_gb};

enum { UNREADABLE = sizeof unreadable / sizeof unreadable[0] };

START_TEST(what_cannot_be_read_is_one_change_and_is_not_waited_for) {
    watch_file("f.lua");
    unreadable[_i]();
    ck_assert_int_eq(changes(), 1);
    expect_changed("f.lua");
    scratch_put("other", "");
    ck_assert_int_eq(changes(), 0);
    ck_assert_int_eq(unlink(scratch_path("f.lua")), 0);
    scratch_put("f.lua", "one");
    ck_assert_int_eq(changes(), 1);
    unwatch();
}
END_TEST

int main(void) {
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, scratch_make, scratch_remove);
    tcase_add_loop_test(files, every_way_to_save_is_one_change, 0, WAYS);
    tcase_add_test(files, the_same_contents_are_no_change);
    tcase_add_test(files, a_file_that_was_not_there_is_noticed_when_it_comes);
    tcase_add_test(files, a_file_that_is_gone_is_told_once);
    tcase_add_test(files, a_links_target_is_watched_too);
    tcase_add_loop_test(files,
                        what_cannot_be_read_is_one_change_and_is_not_waited_for,
                        0, UNREADABLE);

    TCase *scenes = tcase_create("scenes");
    tcase_add_checked_fixture(scenes, scratch_make, scratch_remove);
    tcase_add_test(scenes, a_saved_scene_or_module_is_loaded_again_once);
    tcase_add_test(scenes,
                   a_module_that_was_missing_mends_the_scene_when_it_comes);
    tcase_add_test(scenes, reload_and_reset_can_be_asked_for);

    Suite *suite = suite_create("watch");
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, scenes);
    return run_suite(suite);
}
