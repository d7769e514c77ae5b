/* SPDX-License-Identifier: MIT */
/* Allocation number n fails, for every n, while a scene is opened, struck and
 * stepped: it says so, loses nothing, and does not crash. What a scene makes
 * has budgets, and is given back. */
#include "bindings/host/host.h"
#include "bindings/sandbox/guard.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <sys/stat.h>

/* Everything that may want memory: modules, materials, models, voices, timers,
 * coroutines, contacts, params, prints. What returns nil is asserted. */
static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local part = require 'part'\n"
    "assert(sb.param('p', { max = 2 }))\n"
    "local bell = assert(sb.body('bell', { shape = part.shape }))\n"
    "local bar = assert(sb.body('bar', { material = 'steel',\n"
    "  shape = sb.bar { length = 0.1, width = 0.02, thickness = 0.01 } }))\n"
    "assert(sb.body('wall', { shape = sb.rigid() }))\n"
    "assert(sb.body('gong', { shape = part.shape, nonlinear = {} }))\n"
    "print 'described'\n"
    "function scene.start()\n"
    "  assert(bell:strike { impulse = 0.001 })\n"
    "  sb.go(function()\n"
    "    sb.sleep(0.005)\n"
    "    assert(bar:strike { speed = 1 })\n"
    "    local late = assert(sb.body('late', { shape = part.shape }))\n"
    "    assert(late:strike { speed = 1 })\n"
    "    assert(late:place { 0, 0, 1 })\n"
    "    assert(select('#', late:remove()) == 0)\n"
    "  end)\n"
    "  sb.every(0.004, function() assert(bar:gain(0.5)) end)\n"
    "end\n"
    "function scene.contact(c) state[#state + 1] = c.impulse end\n"
    "function scene.update()\n"
    "  assert(select('#', sb.listener { gain = 0.5 }) == 0)\n"
    "  assert(sb.stats().time >= 0)\n"
    "end\n";

static const char part_text[] =
    "local sb = require 'sandbell'\n"
    "return { shape = sb.modes { { 440, 0.2 }, { 660, 0.1, 0.5 } } }\n";

static void ignore(void *user, const char *message) {
    (void)user;
    (void)message;
}

static sb_status run_steps(sb_host *host, sb_error *err) {
    float stereo[2 * 480];
    for (int i = 0; i < 3; i++) {
        sb_status status = sb_host_step(host, i * 0.01, (i + 1) * 0.01, err);
        if (status) return status;
        if (!sb_engine_flush(sb_host_engine(host), (i + 1) * 480)) {
            return sb_fail(err, SB_QUEUE_FULL, "the ring is full");
        }
        sb_engine_pull(sb_host_engine(host), stereo, 480);
    }
    return SB_OK;
}

/* Open, run and close with `n` allocations; true if that was enough. */
static bool survives(const char *path, long n, bool parks, sb_error *err) {
    sb_host_def def = sb_host_def_default();
    def.report = ignore;
    def.parks_errors = parks;
    sb_host *host = NULL;
    *err = (sb_error){.status = SB_OK};
    sb_memory_fail_after(n);
    sb_status status = sb_host_open(path, &def, &host, err);
    if (!status) {
        status = run_steps(host, err);
        if (!status && sb_host_error_count(host)) {
            (void)sb_fail(err, SB_NO_MEMORY, "parked: out of memory");
            status = SB_NO_MEMORY;
        }
        sb_host_close(host);
    } else {
        ck_assert_ptr_null(host);
    }
    sb_memory_fail_after(-1);
    return status == SB_OK;
}

static bool opens(const char *path, long n) {
    sb_host_def def = sb_host_def_default();
    def.report = ignore;
    sb_host *host = NULL;
    sb_error err;
    sb_memory_fail_after(n);
    sb_status status = sb_host_open(path, &def, &host, &err);
    sb_memory_fail_after(-1);
    if (!status) sb_host_close(host);
    return status == SB_OK;
}

/* The least number of allocations that opens the scene, by bisection. */
static long opening_needs(const char *path) {
    long few = 0, enough = 100000;
    while (enough - few > 1) {
        long n = (few + enough) / 2;
        if (opens(path, n))
            enough = n;
        else
            few = n;
    }
    return enough;
}

/* Errors while a scene is opened are never parked: with `parks`, only the
 * allocations after that are failed again. */
static void try_every_n(bool parks) {
    scratch_put("scene.lua", scene_text);
    scratch_put("part.lua", part_text);
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("scene.lua"));
    long blocks = sb_memory_live_blocks();
    sb_error err;
    long first = parks ? opening_needs(path) - 1 : 0;
    long n = first;
    for (; n < 100000; n++) {
        bool is_enough = survives(path, n, parks, &err);
        ck_assert_msg(sb_memory_live_blocks() == blocks,
                      "allocation %ld: %ld blocks are lost (%s)", n,
                      sb_memory_live_blocks() - blocks, err.message);
        if (is_enough) break;
        ck_assert_msg(strstr(err.message, "memory") != NULL,
                      "allocation %ld: '%s'", n, err.message);
    }
    ck_assert_int_gt(n, 500);
    ck_assert_int_gt(n, first + 50);
    ck_assert_int_lt(n, 100000);
    (void)printf("allocations %ld to %ld, each failed once%s\n", first, n - 1,
                 parks ? ", errors parked" : "");
}

START_TEST(every_allocation_may_fail) {
    try_every_n(false);
}
END_TEST

START_TEST(every_allocation_may_fail_when_errors_are_parked) {
    try_every_n(true);
}
END_TEST

/* What each step makes and then forgets. */
static const char *const makings[] = {
    "sb.surface('s' .. n, { seed = n })",
    "sb.surface('s', { kind = 'cobbles', seed = n })",
    "sb.modes(list)",
    "sb.material('m' .. n, { base = 'steel', density = 1000 + n })",
    "sb.body('b' .. n, { shape = part }):remove()",
    "local b = sb.body('b', { shape = sb.modes(list) }) b:remove()",
    "sb.after(100, function() end):cancel()",
    "bell:strike { impulse = 1e-6 }",
    "bell:contact { kind = 'roll', force = 1, speed = 0.1 }:stop()",
    "bell:touch { at = { 0.5, 0.5 }, damping = 1 }:lift()",
    "sb.raycast({ 0, 0, 0 }, { 1, n, 0 }, 10)",
};

static void put_making(const char *making) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "local sb = require 'sandbell'\n"
        "local list = {}\n"
        "for i = 1, 500 do list[i] = { 100 + i, 0.1 } end\n"
        "local part = sb.modes { { 440, 0.2 } }\n"
        "local bell = sb.body('bell', { material = 'steel', shape = "
        "sb.bar { length = 0.1, width = 0.02, thickness = 0.01 } })\n"
        "local n = 0\n"
        "function scene.update() n = n + 1 %s end\n",
        making);
    scratch_put("scene.lua", text);
}

/* Live bytes after this many more steps. */
static size_t step_on(sb_host *host, int *step, int count) {
    float stereo[2 * 480];
    sb_error err;
    for (int i = 0; i < count; i++, ++*step) {
        ck_assert_msg(
            !sb_host_step(host, *step * 0.01, (*step + 1) * 0.01, &err), "%s",
            err.message);
        ck_assert(sb_engine_flush(sb_host_engine(host), (*step + 1) * 480));
        sb_engine_pull(sb_host_engine(host), stereo, 480);
    }
    return sb_memory_live_bytes();
}

START_TEST(what_is_no_longer_held_is_given_back) {
    put_making(makings[_i]);
    sb_host_def def = sb_host_def_default();
    def.report = ignore;
    sb_host *host = NULL;
    sb_error err;
    ck_assert_msg(!sb_host_open(scratch_path("scene.lua"), &def, &host, &err),
                  "%s", err.message);
    int step = 0;
    size_t early = step_on(host, &step, 60);
    size_t most = 0;
    for (int i = 0; i < 20; i++) {
        size_t now = step_on(host, &step, 6);
        if (now > most) most = now;
    }
    ck_assert_msg(most < early + (4 << 20), "%s: %zu kB, then %zu kB",
                  makings[_i], early >> 10, most >> 10);
    sb_host_close(host);
}
END_TEST

static void ignore_progress(void *user, const char *body, const char *stage,
                            int done, int expected) {
    (void)user, (void)body, (void)stage, (void)done, (void)expected;
}

static sb_status open_text(const char *text, double load_share, sb_error *err) {
    scratch_put("scene.lua", text);
    sb_host_def def = sb_host_def_default();
    def.report = ignore;
    def.load_share = load_share;
    def.progress = ignore_progress;
    sb_host *host = NULL;
    sb_status status =
        sb_host_open(scratch_path("scene.lua"), &def, &host, err);
    if (!status) sb_host_close(host);
    return status;
}

/* Few bytes of Lua describe many of models and banks. */
START_TEST(a_scene_has_one_budget_of_bytes) {
    static const char text[] =
        "local sb = require 'sandbell'\n"
        "local list = {}\n"
        "for i = 1, 2000 do list[i] = { 100 + i, 0.1 } end\n"
        "local shape = sb.modes(list)\n"
        "for i = 1, 100 do sb.body('b' .. i, { shape = shape }) end\n";
    sb_error err = {0};
    long blocks = sb_memory_live_blocks();
    sb_memory_set_limit(sb_memory_live_bytes() + (20 << 20));
    sb_status status = open_text(text, 1, &err);
    ck_assert_msg(status == SB_NO_MEMORY, "%s", err.message);
    ck_assert_ptr_nonnull(strstr(err.message, "--memory raises the limit"));
    ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    sb_memory_set_limit(sb_memory_live_bytes() + (400 << 20));
    ck_assert_msg(open_text(text, 1, &err) == SB_OK, "%s", err.message);
    sb_memory_set_limit(0);
}
END_TEST

/* A documented number of elements: fifteen million tetrahedra are refused
 * before they are made, and the message says how many fit. */
START_TEST(elements_are_counted_before_they_are_made) {
    static const char text[] =
        "local sb = require 'sandbell'\n"
        "sb.body('b', { material = 'steel', shape = sb.plate { width = 0.1,\n"
        "  depth = 0.1, thickness = 0.002, method = 'solid',\n"
        "  elements = 500 } })\n";
    sb_error err = {0};
    sb_memory_set_limit(sb_memory_live_bytes() + (400 << 20));
    sb_status status = open_text(text, 1, &err);
    sb_memory_set_limit(0);
    ck_assert_msg(status == SB_NO_MEMORY, "%s", err.message);
    ck_assert_msg(strstr(err.message, "elements need more than") &&
                      strstr(err.message, "fits"),
                  "%s", err.message);
}
END_TEST

/* A reader that takes its time uses up what a scene has for meshes and
 * solving: 2.4 s here. */
START_TEST(time_for_meshes_is_limited) {
    static const char text[] = "local sb = require 'sandbell'\n"
                               "for i = 1, 100 do sb.mesh('ring.obj') end\n";
    char program[80];
    sb_error err = {0};
    (void)snprintf(program, sizeof program, "#!/bin/sh\nsleep %g\nexit 1\n",
                   1.3 * guard_time_scale());
    scratch_put("reader.sh", program);
    scratch_put("ring.obj", "v 0 0 0\n");
    ck_assert_int_eq(chmod(scratch_path("reader.sh"), 0700), 0);
    (void)setenv("SANDBELL_MESH_READER", scratch_path("reader.sh"), 1);
    double began_s = sb_clock_s();
    sb_status status = open_text(text, 0.02, &err);
    double took_s = (sb_clock_s() - began_s) / guard_time_scale();
    (void)unsetenv("SANDBELL_MESH_READER");
    ck_assert_msg(status == SB_BAD_FORMAT, "%s", err.message);
    ck_assert_msg(strstr(err.message, "sb.mesh: reading the meshes and "
                                      "solving the bodies of a scene may "
                                      "take 120 s"),
                  "%s", err.message);
    ck_assert_double_lt(took_s, 3.8);
}
END_TEST

static int thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    while (tasks && readdir(tasks))
        count++;
    if (tasks) (void)closedir(tasks);
    return count;
}

/* Twenty plates of thousands of modes: minutes. A hundredth of the budget is
 * 1.2 s. */
START_TEST(a_scene_has_a_budget_of_solving) {
    static const char text[] =
        "local sb = require 'sandbell'\n"
        "for i = 1, 20 do sb.body('b' .. i, { material = 'steel',\n"
        "  shape = sb.plate { width = 1 + i / 100, depth = 1,\n"
        "    thickness = 0.0005, modes = 4096 } }) end\n";
    sb_error err = {0};
    int before = thread_count() + 1; /* the watchdog of scripts */
    sb_status status = open_text(text, 0.01, &err);
    ck_assert_msg(status == SB_BAD_FORMAT, "%s", err.message);
    ck_assert_ptr_nonnull(strstr(err.message, "solving all bodies took longer "
                                              "than"));
    /* The solve that was left ends by itself. */
    for (int i = 0; i < 1000 && thread_count() > before; i++)
        (void)usleep(20000);
    ck_assert_int_le(thread_count(), before);
}
END_TEST

/* Waits for 2.4 s in all. */
static void dawdle(void *user, const char *body, const char *stage, int done,
                   int expected) {
    static int calls;
    (void)user, (void)body, (void)stage, (void)done, (void)expected;
    if (calls++ < 8) (void)usleep(300000);
}

/* The budget is 1.2 s of processor time, which this plate does not take; the
 * clock goes on by twice as much. */
START_TEST(waiting_takes_nothing_from_the_budget_of_solving) {
    sb_host *host = NULL;
    sb_error err = {0};
    sb_host_def def = sb_host_def_default();
    def.load_share = 0.01;
    def.progress = dawdle;
    (void)setenv("SANDBELL_CACHE", "off", 1);
    scratch_put("slow.lua",
                "local sb = require 'sandbell'\n"
                "sb.body('b', { material = 'steel', shape = sb.plate {\n"
                "  width = 0.2, depth = 0.2, thickness = 0.003,\n"
                "  method = 'shell', elements = 6, modes = 5 } })\n");
    sb_status status =
        sb_host_open(scratch_path("slow.lua"), &def, &host, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    sb_host_close(host);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("host_memory");
    TCase *tcase = tcase_create("host_memory");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, every_allocation_may_fail);
    tcase_add_test(tcase, every_allocation_may_fail_when_errors_are_parked);
    tcase_add_loop_test(tcase, what_is_no_longer_held_is_given_back, 0,
                        (int)(sizeof makings / sizeof *makings));
    tcase_add_test(tcase, a_scene_has_one_budget_of_bytes);
    tcase_add_test(tcase, elements_are_counted_before_they_are_made);
    tcase_add_test(tcase, time_for_meshes_is_limited);
    tcase_add_test(tcase, a_scene_has_a_budget_of_solving);
    tcase_add_test(tcase, waiting_takes_nothing_from_the_budget_of_solving);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
