/* SPDX-License-Identifier: MIT */
/* A scene that is changed while it rings: what stays, what glides, what goes,
 * and what a mistake does not change. */
#include "bindings/host/host.h"
#include "bindings/script/script.h"
#include "runtime/model/sound/finish.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/state/body.h"
#include "tests/bindings/reload_fixture.h"

#include <stdlib.h>

static running a, b;

enum { SECOND = 48000, SETTLE_FRAMES = 4800 };
static float left[2 * SECOND], right[2 * SECOND];

static const char two_bars[] =
    "local sb = require 'sandbell'\n"
    "local E = 2e11\n"
    "local s = sb.material('s', { base = 'steel', youngs_modulus = E })\n"
    "local one = sb.body('one', { shape = sb.bar { length = 0.2, width = 0.02,"
    " thickness = 0.005 }, material = s })\n"
    "sb.body('two', { shape = sb.plate { width = 0.3, depth = 0.2,"
    " thickness = 0.003 }, material = 'steel' })\n"
    "function scene.start()\n"
    "  one:strike { at = { 0.1, 0.5 }, impulse = 0.05 }\n"
    "  sb.find('two'):strike { at = { 0.2, 0.3 }, impulse = 0.05 }\n"
    "end\n";

/* The text with every `from` made `to`. */
static const char *changed(const char *text, const char *from, const char *to) {
    static char outs[2][4096];
    static int next;
    char *out = outs[next++ & 1];
    char *at = out;
    while (*text) {
        if (strncmp(text, from, strlen(from)) == 0) {
            at += sprintf(at, "%s", to);
            text += strlen(from);
        } else {
            *at++ = *text++;
        }
    }
    *at = '\0';
    return out;
}

static double level(const float *stereo, int frames) {
    double sum = 0.0;
    for (int n = 0; n < 2 * frames; n++)
        sum += (double)stereo[n] * (double)stereo[n];
    return sqrt(sum / (2 * frames));
}

START_TEST(saving_the_same_again_changes_no_sample) {
    sb_commit_counts counts;
    begin(&a, two_bars);
    hear(&a, left, SECOND);
    end(&a);
    begin(&a, two_bars);
    hear(&a, right, SECOND / 4);
    save(&a, changed(two_bars, "local E", "-- a remark\nlocal E"));
    reload(&a, &counts);
    ck_assert_int_eq(counts.kept, 2);
    hear(&a, right + SECOND / 2, SECOND - SECOND / 4);
    end(&a);
    ck_assert_mem_eq(left, right, sizeof left);
    ck_assert_double_gt(level(left, SECOND), 1e-4);
}
END_TEST

START_TEST(other_impacts_change_no_sample) {
    sb_commit_counts counts;
    begin(&a, two_bars);
    hear(&a, left, SECOND);
    end(&a);
    begin(&a, two_bars);
    hear(&a, right, SECOND / 4);
    save(&a, changed(two_bars, "material = s ",
                     "material = s, impacts = { curve = { { 1, 2 } } } "));
    reload(&a, &counts);
    ck_assert(counts.moved == 1 && counts.kept == 1);
    save(&a, changed(two_bars, "material = s ",
                     "material = s, impacts = { curve = { { 1, 3 } } } "));
    reload(&a, &counts);
    ck_assert(counts.moved == 1 && counts.kept == 1);
    hear(&a, right + SECOND / 2, SECOND - SECOND / 4);
    end(&a);
    ck_assert_mem_eq(left, right, sizeof left);
}
END_TEST

START_TEST(a_mistake_changes_no_sample_and_says_where_it_is) {
    static const char *const mistakes[][2] = {
        {"local E", "local E ="},
        {"length", "lenght"},
        {"'steel' })\nfunc", "'steal' })\nfunc"},
        {"local E", "error 'no'\nlocal E"},
        {"local E", "sb.go(1)\nlocal E"},
        {"length = 0.2", "length = 0/0"},
        {"'two'", "'one'"},
        {"local E", "while true do end\nlocal E"},
    };
    begin(&a, two_bars);
    hear(&a, left, SECOND);
    end(&a);
    begin(&a, two_bars);
    hear(&a, right, SECOND / 4);
    save(&a, changed(two_bars, mistakes[_i][0], mistakes[_i][1]));
    sb_commit_counts counts;
    sb_error err;
    ck_assert(sb_host_reload_now(a.host, false, now_of(&a), &counts, &err));
    ck_assert_msg(strstr(err.message, "scene.lua:"), "%s", err.message);
    hear(&a, right + SECOND / 2, SECOND - SECOND / 4);
    /* The next good one works. */
    save(&a, two_bars);
    reload(&a, &counts);
    end(&a);
    ck_assert_mem_eq(left, right, sizeof left);
}
END_TEST

START_TEST(a_thousand_good_and_bad_saves_change_no_sample) {
    static float tail[2 * 96], wanted[2 * 96];
    sb_commit_counts counts;
    begin(&a, two_bars);
    begin(&b, two_bars); /* the same file: it holds the same text */
    int good = 0;
    for (int i = 0; i < 1000; i++) {
        save(&a,
             changed(two_bars, "local E", i % 2 ? "local E =" : "--\nlocal E"));
        sb_error err;
        sb_status status =
            sb_host_reload_now(a.host, false, now_of(&a), &counts, &err);
        ck_assert_int_eq(status != SB_OK, i % 2);
        good += !status && counts.kept == 2;
        hear(&a, tail, 96);
        hear(&b, wanted, 96);
        ck_assert_mem_eq(tail, wanted, sizeof tail);
    }
    ck_assert_int_eq(good, 500);
    end(&a);
    end(&b);
}
END_TEST

START_TEST(changes_are_counted_by_what_they_are) {
    sb_commit_counts c;
    begin(&a, two_bars);
    hear(&a, left, SECOND / 8);
    save(&a, changed(two_bars, "2e11", "2.2e11"));
    reload(&a, &c);
    ck_assert(c.retuned == 1 && c.kept == 1);
    save(&a, changed(two_bars, "'two'", "'three'"));
    reload(&a, &c);
    ck_assert(c.retuned == 1 && c.added == 1 && c.removed == 1);
    save(&a, changed(two_bars, "material = s", "material = s, gain = 0.5"));
    reload(&a, &c);
    ck_assert(c.moved == 1 && c.added == 1 && c.removed == 1);
    end(&a);
}
END_TEST

START_TEST(other_proportions_are_a_new_voice_that_is_silent) {
    sb_commit_counts c;
    begin(&a, two_bars);
    hear(&a, left, SECOND / 8);
    save(&a, changed(changed(two_bars, "width = 0.02", "width = 0.03"),
                     "depth = 0.2", "depth = 0.21"));
    reload(&a, &c);
    ck_assert_int_eq(c.replaced + c.retuned, 2);
    ck_assert_int_ge(c.replaced, 1);
    hear(&a, left, SECOND / 4);
    ck_assert_double_lt(level(left + SECOND / 4, SECOND / 8), 1.0);
    end(&a);
}
END_TEST

START_TEST(removed_bodies_fade_in_fifty_milliseconds) {
    begin(&a, two_bars);
    hear(&a, left, SECOND / 8);
    save(&a, "-- nothing is left\n");
    sb_commit_counts counts;
    reload(&a, &counts);
    ck_assert_int_eq(counts.removed, 2);
    /* Look-ahead, a metre's way, the step under way, 50 ms, and the time in
     * which the high-pass before the limiter forgets what is below hearing. */
    int latency = sb_engine_latency(sb_host_engine(a.host));
    int fade = latency + 140 + 2 * STEP_FRAMES + 2400 + 256 + SETTLE_FRAMES;
    hear(&a, left, fade);
    hear(&a, left, SECOND / 8);
    ck_assert_double_eq(level(left, SECOND / 8), 0.0);
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(a.host));
    ck_assert_int_eq(stats.voices, 0);
    end(&a);
}
END_TEST

/* --- state, timers, callbacks --------------------------------------------- */

static const char counting[] =
    "local sb = require 'sandbell'\n"
    "state.loads = (state.loads or 0) + 1\n"
    "state.list = state.list or { 1, 2, x = { 3 } }\n"
    "state.list.self = state.list\n"
    "sb.every(0.1, function() state.ticks = (state.ticks or 0) + 1 end)\n"
    "function scene.start() state.starts = (state.starts or 0) + 1 end\n"
    "function scene.reload() state.reloads = (state.reloads or 0) + 1 end\n";

static void expect(running *self, const char *expression, const char *wanted) {
    char *result = NULL;
    bool is_incomplete;
    sb_error err;
    ck_assert_msg(!sb_host_evaluate(self->host, expression, &result,
                                    &is_incomplete, &err),
                  "%s: %s", expression, err.message);
    ck_assert_msg(result && strcmp(result, wanted) == 0, "%s is %s, not %s",
                  expression, result ? result : "nothing", wanted);
    sb_free(result);
}

START_TEST(contacts_end_with_the_script_that_made_them) {
    static float stereo[2 * 24000];
    running self;
    sb_commit_counts counts;
    begin(&self,
          "local sb = require 'sandbell'\n"
          "local b = sb.body('b', { shape = sb.modes {\n"
          "  { freq = 1000, t60 = 0.01 } } })\n"
          "if state.c then\n"
          "  function scene.update() state.lasts = state.c:lasts() end\n"
          "  sb.after(0.1, function() assert(state.lasts == false) end)\n"
          "  return\n"
          "end\n"
          "function scene.start()\n"
          "  state.c = b:contact { kind = 'slide', speed = 1,\n"
          "    force = 1 }\n"
          "end\n");
    sb_engine *engine = sb_host_engine(self.host);
    hear(&self, stereo, 24000);
    ck_assert_int_eq(sb_engine_read_stats(engine).touching, 1);
    ck_assert_float_ne(stereo[2 * 20000], 0);
    reload(&self, &counts);
    ck_assert_int_eq(counts.kept, 1);
    hear(&self, stereo, 24000);
    ck_assert_int_eq(sb_engine_read_stats(engine).touching, 0);
    for (int n = 12000; n < 24000; n++)
        ck_assert_float_eq_tol(stereo[2 * n], 0, 1e-9f);
    ck_assert_str_eq(self.said, "");
    end(&self);
}
END_TEST

START_TEST(state_survives_a_reload_and_is_emptied_by_a_reset) {
    sb_commit_counts counts;
    begin(&a, counting);
    hear(&a, left, SECOND / 2);
    expect(&a, "state.loads, state.starts, state.reloads", "1\t1\tnil");
    expect(&a, "state.ticks", "5");
    reload(&a, &counts);
    hear(&a, left, SECOND / 2);
    expect(&a, "state.loads, state.starts, state.reloads", "2\t1\t1");
    expect(&a, "state.list.x[1], state.list.self == state.list", "3\ttrue");
    /* Only the new run's timer ticks on. */
    expect(&a, "state.ticks <= 10 and state.ticks >= 9", "true");
    sb_error err;
    ck_assert(!sb_host_reload_now(a.host, true, now_of(&a), &counts, &err));
    hear(&a, left, SECOND / 20);
    expect(&a, "state.loads, state.starts, state.reloads", "1\t1\tnil");
    end(&a);
}
END_TEST

/* A reset whose text is wrong changes nothing, and the next save is a reload. */
START_TEST(a_reset_that_fails_silences_nothing) {
    sb_commit_counts counts;
    sb_error err;
    begin(&a, two_bars);
    hear(&a, left, SECOND);
    end(&a);
    begin(&a, two_bars);
    hear(&a, right, SECOND / 4);
    save(&a, changed(two_bars, "local E", "local E ="));
    ck_assert(sb_host_reload_now(a.host, true, now_of(&a), &counts, &err));
    save(&a, two_bars);
    reload(&a, &counts);
    ck_assert_int_eq(counts.kept, 2);
    hear(&a, right + SECOND / 2, SECOND - SECOND / 4);
    end(&a);
    ck_assert_mem_eq(left, right, sizeof left);
}
END_TEST

START_TEST(bodies_in_state_are_the_same_bodies_after_a_reload) {
    static const char text[] =
        "local sb = require 'sandbell'\n"
        "local bar = sb.body('bar', { shape = sb.modes { { 440, 1 } } })\n"
        "function scene.start() state.it = bar state.f = print end\n";
    sb_commit_counts counts;
    begin(&a, text);
    hear(&a, left, 960);
    expect(&a, "state.it:name()", "bar");
    reload(&a, &counts);
    hear(&a, left, 960);
    expect(
        &a,
        "state.it:name(), state.it == require('sandbell').find 'bar', state.f",
        "bar\ttrue\tnil");
    end(&a);
}
END_TEST

START_TEST(a_turned_param_stays_and_a_new_default_counts) {
    static const char text[] =
        "local sb = require 'sandbell'\n"
        "p = sb.param('p', { min = 0, max = 10, default = 3 })\n"
        "q = sb.param('q', { min = 0, max = 10, default = 4 })\n";
    sb_commit_counts counts;
    begin(&a, text);
    hear(&a, left, 960);
    char *none = NULL;
    bool is_incomplete;
    ck_assert(
        !sb_host_evaluate(a.host, "p:set(7)", &none, &is_incomplete, NULL));
    ck_assert_ptr_null(none);
    save(&a, changed(text, "default = 4", "default = 5"));
    reload(&a, &counts);
    expect(&a, "p(), q()", "7.0\t5.0");
    end(&a);
}
END_TEST

START_TEST(an_error_in_a_callback_is_told_once_and_cleared_by_the_next_save) {
    static const char text[] =
        "local sb = require 'sandbell'\n"
        "state.n = 0\n"
        "function scene.update() state.n = state.n + 1 local x = nil + 1 end\n";
    sb_commit_counts counts;
    begin(&a, text);
    hear(&a, left, SECOND / 4);
    ck_assert_int_eq(times_said(&a, "scene.lua:3: attempt to"), 1);
    expect(&a, "state.n", "1");
    save(&a, changed(text, " local x = nil + 1", ""));
    reload(&a, &counts);
    hear(&a, left, SECOND / 4);
    expect(&a, "state.n > 20", "true");
    ck_assert_int_eq(times_said(&a, "scene.lua:3: attempt to"), 1);
    end(&a);
}
END_TEST

START_TEST(a_thousand_reloads_leave_memory_where_it_was) {
    sb_commit_counts counts;
    static char other[4096];
    (void)snprintf(other, sizeof other, "%s",
                   changed(two_bars, "2e11", "2.1e11"));
    begin(&a, two_bars);
    long blocks = 0;
    size_t bytes = 0;
    for (int i = 0; i < 1000; i++) {
        save(&a, i % 2 ? two_bars : other);
        reload(&a, &counts);
        ck_assert_int_eq(counts.retuned, 1);
        hear(&a, left, 4800);
        if (i == 99) {
            blocks = sb_memory_live_blocks();
            bytes = script_bytes(sb_host_script(a.host));
        }
    }
    ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    ck_assert_uint_eq(script_bytes(sb_host_script(a.host)), bytes);
    end(&a);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

static sb_radiating radiating(const running *self, int *exact) {
    sb_scene *scene = sb_host_scene(self->host);
    return sb_model_radiating(
        sb_scene_body_model(scene, sb_scene_find(scene, "bar")), exact);
}

/* A scene that plays begins with the quick law, says how long the exact one
 * takes, and is retuned when it is there; others wait for it. */
START_TEST(radiation_follows_while_a_scene_plays) {
    static const char bars[] =
        "local sb = require 'sandbell'\n"
        "for i = 1, 3 do sb.body(i == 1 and 'bar' or 'other' .. i, { shape ="
        " sb.bar { length = 0.4 + 0.01 * i, width = 0.04, thickness = 0.01,"
        " max_hz = 5000, radiation = 'exact' }, material = 'steel' }) end\n"
        "local function strike() sb.find('bar'):strike { speed = 1 } end\n"
        "scene.start = strike sb.every(0.5, strike)\n";
    int exact;
    (void)setenv("SANDBELL_CACHE", "off", 1);
    begin(&a, bars);
    ck_assert_int_eq(radiating(&a, &exact), SB_RADIATES_EXACT);
    ck_assert_int_gt(exact, 3);
    end(&a);
    sb_host_def def = live_def(&a);
    def.is_live = def.puts_off_air = true;
    begin_with(&a, bars, &def);
    ck_assert_int_eq(radiating(&a, &exact), SB_RADIATES_QUICK);
    hear(&a, left, STEP_FRAMES);
    ck_assert_ptr_nonnull(
        strstr(a.said, "radiation of 3 bodies by boundary elements: about "));
    for (int i = 0; i < 6000 && radiating(&a, &exact) == SB_RADIATES_QUICK;
         i++) {
        hear(&a, left, STEP_FRAMES);
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    ck_assert_int_eq(radiating(&a, &exact), SB_RADIATES_EXACT);
    ck_assert_int_gt(exact, 3);
    hear(&a, left, SETTLE_FRAMES);
    ck_assert_double_gt(level(left, SETTLE_FRAMES), 0);
    end(&a); /* also while the others are computed */
}
END_TEST

int main(void) {
    TCase *sound = tcase_create("sound");
    tcase_add_checked_fixture(sound, scratch_make, scratch_remove);
    tcase_add_test(sound, saving_the_same_again_changes_no_sample);
    tcase_add_test(sound, radiation_follows_while_a_scene_plays);
    tcase_add_test(sound, other_impacts_change_no_sample);
    tcase_add_loop_test(sound, a_mistake_changes_no_sample_and_says_where_it_is,
                        0, 8);
    tcase_add_test(sound, a_thousand_good_and_bad_saves_change_no_sample);
    tcase_add_test(sound, changes_are_counted_by_what_they_are);
    tcase_add_test(sound, other_proportions_are_a_new_voice_that_is_silent);
    tcase_add_test(sound, removed_bodies_fade_in_fifty_milliseconds);

    TCase *script = tcase_create("script");
    tcase_add_checked_fixture(script, scratch_make, scratch_remove);
    tcase_add_test(script, contacts_end_with_the_script_that_made_them);
    tcase_add_test(script, state_survives_a_reload_and_is_emptied_by_a_reset);
    tcase_add_test(script, a_reset_that_fails_silences_nothing);
    tcase_add_test(script, bodies_in_state_are_the_same_bodies_after_a_reload);
    tcase_add_test(script, a_turned_param_stays_and_a_new_default_counts);
    tcase_add_test(
        script,
        an_error_in_a_callback_is_told_once_and_cleared_by_the_next_save);
    tcase_add_test(script, a_thousand_reloads_leave_memory_where_it_was);

    Suite *suite = suite_create("reload");
    suite_add_tcase(suite, sound);
    suite_add_tcase(suite, script);
    return run_suite(suite);
}
