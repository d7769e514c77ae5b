/* SPDX-License-Identifier: MIT */
/* Callbacks of a live scene take less processor time than the scene lasts,
 * however many timers they make; the rest waits, and one line says so. */
#include "bindings/sandbox/guard.h"
#include "runtime/base/clock.h"
#include "tests/bindings/reload_fixture.h"

#include <lauxlib.h>

static const char *const greedy[] = {
    "local function again() sb.after(0, again) end\n"
    "for i = 1, 10 do sb.after(0, again) end\n",
    "for i = 1, 20000 do sb.every(0.001, function()\n"
    "  for k = 1, 20 do n = n + k end end) end\n",
    "local function breed() sb.go(breed) sb.sleep(0.001) breed() end\n"
    "sb.go(breed)\n",
    "function scene.update() for k = 1, turns do n = n + k end end\n",
    "for i = 1, 300 do sb.go(function() while true do\n"
    "  for k = 1, 1e4 do n = n + k end sb.sleep(0) end end) end\n",
};

/* Turns of the loop above that take 15 ms of this processor without a budget:
 * more than the 6 ms of a step, less than the 50 ms of a callback. */
static int turns_of_15_ms(void) {
    lua_State *L = luaL_newstate();
    ck_assert_ptr_nonnull(L);
    double began_s = sb_clock_thread_s();
    ck_assert_int_eq(
        luaL_dostring(L, "local n = 0 for k = 1, 5e6 do n = n + k end"),
        LUA_OK);
    double spent_s = sb_clock_thread_s() - began_s;
    lua_close(L);
    return (int)(2e6 * 0.015 / spent_s);
}

/* Steps of 10 ms of scene time; their processor time, s. */
static double take_steps(running *self, int count) {
    float stereo[2 * STEP_FRAMES];
    double began_s = sb_clock_thread_s();
    for (int i = 0; i < count; i++)
        hear(self, stereo, STEP_FRAMES);
    return sb_clock_thread_s() - began_s;
}

START_TEST(callbacks_leave_time_to_the_scene) {
    char text[1000];
    running self = {0};
    (void)snprintf(text, sizeof text,
                   "local sb = require 'sandbell'\n"
                   "local n, turns = 0, %d\n%s",
                   turns_of_15_ms(), greedy[_i]);
    sb_host_def def = live_def(&self);
    def.is_live = true;
    begin_with(&self, text, &def);
    double spent_s = take_steps(&self, 200) / guard_time_scale();
    /* 0.6 of 2 s, the first 40 ms, and what is not of the script. */
    ck_assert_msg(spent_s < 1.7, "2 s of scene took %.2f s", spent_s);
    const char *said =
        strstr(self.said, "updates and timers that are due wait");
    ck_assert_msg(said || strstr(self.said, "timers ran in one step"), "'%s'",
                  self.said);
    ck_assert(!said || !strstr(said + 1, "updates and timers"));
    end(&self);
}
END_TEST

/* A scene that can be kept up with waits for nothing. */
START_TEST(a_modest_scene_is_on_time) {
    running self = {0};
    sb_host_def def = live_def(&self);
    def.is_live = true;
    begin_with(&self,
               "local sb = require 'sandbell'\n"
               "function scene.update(dt) assert(dt < 0.011) end\n"
               "for i = 1, 20 do sb.every(0.01, function() end) end\n",
               &def);
    (void)take_steps(&self, 100);
    ck_assert_int_eq(sb_host_error_count(self.host), 0);
    end(&self);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("step_budget");
    TCase *budget = tcase_create("budget");
    tcase_add_checked_fixture(budget, scratch_make, scratch_remove);
    tcase_add_loop_test(budget, callbacks_leave_time_to_the_scene, 0,
                        (int)(sizeof greedy / sizeof *greedy));
    tcase_add_test(budget, a_modest_scene_is_on_time);
    suite_add_tcase(suite, budget);
    return run_suite(suite);
}
