/* SPDX-License-Identifier: MIT */
/* A load that is abandoned in the middle ends its thread, whatever it does:
 * long calls of Lua's library, closed forms, solves by elements. */
#include "bindings/script/loader.h"
#include "tests/bindings/reload_fixture.h"

static const char good[] = "local sb = require 'sandbell'\n"
                           "sb.body('b', { shape = sb.modes { { 440, 1 } } })";

/* Each would take minutes or hours. */
static const char *const endless[] = {
    "while true do end",
    ("local t = setmetatable({}, { __index = function() return 1 end,"
     " __newindex = function() end })\n"
     "table.move(t, 1, 1 << 40, 2)"),
    "local s = ('1'):rep(1 << 22) while true do tonumber(s) end",
    "local s = ('1'):rep(1 << 22) while true do local x = s + 0 end",
    "local s = ('1'):rep(1 << 22) while true do local x = s .. 'x' end",
    "('a'):rep(100000):find('.-.-.-.-.-b')",
    ("local t = {} for i = 1, 1 << 20 do t[i] = i % 7 end\n"
     "while true do table.sort(t, function(a, b) return a > b end) end"),
    "local s = ('x,'):rep(1 << 22) while true do s:gsub(',', '%0') end",
    "while true do table.concat({ ('x'):rep(1 << 22) }) end",
    "while true do pcall(error) end",
    "while true do coroutine.wrap(function() for i = 1, 1e9 do end end)() end",
    ("local sb = require 'sandbell'\n"
     "for i = 1, 1000 do sb.body('p' .. i, { material = 'steel',"
     " shape = sb.plate { width = 1 + i / 1e3, depth = .9,"
     " thickness = .0005, modes = 4096 } }) end"),
    ("local sb = require 'sandbell'\n"
     "for i = 1, 1000 do sb.body('m' .. i, { material = 'oak', shape = sb.membrane { radius = "
     "2 + i / 1e3, tension = 10, surface_density = 2 } }) end"),
    ("local sb = require 'sandbell'\n"
     "for i = 1, 1000 do sb.body('s' .. i, { material = 'steel',"
     " shape = sb.plate { width = .5 + i / 1e3, depth = .5,"
     " thickness = .002, method = 'shell', elements = 40 } }) end"),
};

static running scene;

static double processor_s(void) {
    struct timespec used;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

START_TEST(threads_of_abandoned_loads_end) {
    enum { WAIT_MS = 60000 };
    long before = sb_memory_live_blocks();
    sb_host_def def = live_def(&scene);
    def.watches = true;
    begin_with(&scene, good, &def);
    save(&scene, endless[_i]);
    sb_error err;
    /* The load is in the middle when it has used this much processor time: a
     * script alone is given up when its budget is used up, which on a fast
     * processor takes less than half a second. */
    double begin_s = processor_s();
    for (int i = 0; i < 6000 && processor_s() - begin_s < 0.1; i++) {
        double from_s = now_of(&scene);
        scene.step++;
        ck_assert(!sb_host_step(scene.host, from_s, now_of(&scene), &err));
        sleep_ms(10);
    }
    ck_assert_msg(!strstr(scene.said, "still running"), "%s", scene.said);
    end(&scene);
    int waited = 0;
    while (loader_left_count() > 0 && waited++ < WAIT_MS)
        sleep_ms(1);
    ck_assert_int_eq(loader_left_count(), 0);
    ck_assert_int_eq(sb_memory_live_blocks(), before);
    if (getenv("SHOW"))
        (void)printf("%.60s: ended after %d ms\n", endless[_i], waited);
}
END_TEST

/* A load that waits, here for the program that reads meshes, as it waits for a
 * processor on a crowded machine, takes no time from its budget. */
START_TEST(waiting_loads_are_not_given_up) {
    sb_host_def def = live_def(&scene);
    def.watches = true;
    begin_with(&scene, good, &def);
    scratch_put("reader.sh", "#!/bin/sh\nsleep 3\nexit 1\n");
    scratch_put("ring.obj", "v 0 0 0\n");
    ck_assert_int_eq(chmod(scratch_path("reader.sh"), 0700), 0);
    (void)setenv("SANDBELL_MESH_READER", scratch_path("reader.sh"), 1);
    save(&scene, "local sb = require 'sandbell'\n"
                 "assert(sb.mesh('ring.obj'))\n");
    sb_error err;
    for (int i = 0; i < 6000 && !strstr(scene.said, "still running"); i++) {
        double from_s = now_of(&scene);
        scene.step++;
        ck_assert(!sb_host_step(scene.host, from_s, now_of(&scene), &err));
        sleep_ms(10);
    }
    (void)unsetenv("SANDBELL_MESH_READER");
    ck_assert_msg(strstr(scene.said, "ring.obj: "), "%s", scene.said);
    ck_assert_msg(!strstr(scene.said, "given up"), "%s", scene.said);
    end(&scene);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("left loads");
    TCase *loads = tcase_create("loads");
    tcase_add_checked_fixture(loads, scratch_make, scratch_remove);
    tcase_add_loop_test(loads, threads_of_abandoned_loads_end, 0,
                        (int)(sizeof endless / sizeof *endless));
    tcase_add_test(loads, waiting_loads_are_not_given_up);
    suite_add_tcase(suite, loads);
    return run_suite(suite);
}
