/* SPDX-License-Identifier: MIT */
/* sandbell.h in a program that is not ours: threads, fork, float modes, locale,
 * signals, the current folder, a control thread of the library, a device. */
#include "tests/library/library_fixture.h"

#include "tests/suite.h"

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

enum { SPAN = 24000, SCENES = 4 };

static const char *const files[SCENES] = {"hello.lua", "bounce.lua",
                                          "marimba.lua", "bowl.lua"};

typedef struct rendered {
    const char *file;
    float stereo[2 * SPAN];
} rendered;

static void render(rendered *out) {
    char path[1024];
    sandbell_scene *scene;
    (void)snprintf(path, sizeof path, SCRIPTS "/%s", out->file);
    ck_well(sandbell_scene_open(path, NULL, &scene, ERR));
    pull(scene, out->stereo, SPAN, 480);
    sandbell_scene_close(scene);
}

static void *render_on_thread(void *user) {
    render(user);
    return NULL;
}

static rendered alone[SCENES], together[SCENES];

START_TEST(scenes_on_threads_give_the_bytes_of_scenes_alone) {
    pthread_t threads[SCENES];
    for (int i = 0; i < SCENES; i++) {
        alone[i].file = together[i].file = files[i];
        render(&alone[i]);
        ck_assert_double_gt(peak_of(alone[i].stereo, 2 * SPAN), 1e-4);
    }
    for (int i = 0; i < SCENES; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, render_on_thread, &together[i]),
            0);
    for (int i = 0; i < SCENES; i++)
        (void)pthread_join(threads[i], NULL);
    for (int i = 0; i < SCENES; i++)
        ck_assert_msg(!memcmp(alone[i].stereo, together[i].stereo,
                              sizeof alone[i].stereo),
                      "%s", files[i]);
}
END_TEST

START_TEST(a_child_process_renders_the_same) {
    alone[0].file = together[0].file = files[0];
    render(&alone[0]);
    sandbell_scene *scene = open_text("require 'sandbell'");
    pid_t child = fork();
    if (child == 0) {
        /* With a scene open that the parent made. */
        sandbell_scene_close(scene);
        render(&together[0]);
        _exit(
            memcmp(alone[0].stereo, together[0].stereo, sizeof alone[0].stereo)
                ? 1
                : 0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    sandbell_scene_close(scene);
}
END_TEST

/* As audio programs set them, and worse. */
START_TEST(float_modes_change_nothing_and_stay) {
    alone[0].file = together[0].file = files[0];
    render(&alone[0]);
    ck_assert_int_eq(fesetround(FE_UPWARD), 0);
#if defined(__SSE2__)
    unsigned mode = _mm_getcsr() | 0x8040u; /* FTZ and DAZ */
    _mm_setcsr(mode);
#endif
    render(&together[0]);
#if defined(__SSE2__)
    ck_assert_uint_eq(_mm_getcsr() & 0xffc0u, mode & 0xffc0u);
#endif
    ck_assert_int_eq(fegetround(), FE_UPWARD);
    (void)fesetenv(FE_DFL_ENV);
    ck_assert(
        !memcmp(alone[0].stereo, together[0].stereo, sizeof alone[0].stereo));
}
END_TEST

START_TEST(a_locale_with_commas_changes_no_text) {
    /* Where it is not installed there is nothing to see. */
    const char *chosen = setlocale(LC_ALL, "de_DE.UTF-8");
    sandbell_scene *scene = open_text("require 'sandbell'");
    char text[32];
    ck_well(sandbell_evaluate(scene, "1.5", text, sizeof text, ERR));
    ck_assert_str_eq(text, "1.5");
    if (chosen) ck_assert_str_eq(setlocale(LC_ALL, NULL), "de_DE.UTF-8");
    sandbell_scene_close(scene);
    (void)setlocale(LC_ALL, "C");
}
END_TEST

static void on_signal(int number) {
    (void)number;
}

START_TEST(handlers_and_folder_are_as_before) {
    static const int numbers[] = {SIGINT,  SIGTERM, SIGURG, SIGPIPE,
                                  SIGCHLD, SIGSEGV, SIGALRM};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    char before[1024], after[1024];
    for (int i = 0; i < COUNT; i++)
        (void)signal(numbers[i], on_signal);
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    alone[3].file = files[3]; /* with a mesh */
    render(&alone[3]);
    for (int i = 0; i < COUNT; i++) {
        struct sigaction now;
        (void)sigaction(numbers[i], NULL, &now);
        ck_assert_msg(now.sa_handler == on_signal, "signal %d", numbers[i]);
        (void)signal(numbers[i], SIG_DFL);
    }
    ck_assert_ptr_nonnull(getcwd(after, sizeof after));
    ck_assert_str_eq(before, after);
}
END_TEST

static void wait_a_little(void) {
    (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* The library's thread prepares while this one renders. */
START_TEST(a_control_thread_keeps_ahead) {
    static float stereo[2 * 480];
    sandbell_scene_def def = sandbell_scene_def_default();
    sandbell_scene *scene;
    sandbell_error err;
    def.control = SANDBELL_CONTROL_THREAD;
    ck_well(sandbell_scene_open(SCRIPTS "/hello.lua", &def, &scene, ERR));
    ck_assert_int_eq(sandbell_advance(scene, 100, &err), SANDBELL_BAD_ARGUMENT);
    double peak = 0.0;
    while (sandbell_clock(scene) < SPAN) {
        while (sandbell_horizon(scene) < sandbell_clock(scene) + 480)
            wait_a_little();
        sandbell_render(scene, stereo, 480);
        peak = fmax(peak, peak_of(stereo, 960));
        ck_assert_int_ge(sandbell_bodies(scene, NULL, 0), 1);
    }
    ck_assert_double_gt(peak, 1e-3);
    ck_well(sandbell_scene_reload(scene, NULL, true, ERR));
    sandbell_scene_close(scene);
}
END_TEST

typedef struct caller {
    sandbell_scene *_Atomic scene;
    atomic_int calls;
    int reload, advance, evaluate;
    sandbell_error err;
} caller;

/* What a log must not do, since the call that it came from would wait. */
static void call_back(void *user, const char *line, bool is_print) {
    caller *self = user;
    sandbell_scene *scene = atomic_load(&self->scene);
    (void)line;
    if (!scene || !is_print || atomic_load(&self->calls) > 0) return;
    self->reload = sandbell_scene_reload(scene, NULL, false, &self->err);
    self->advance = sandbell_advance(scene, SANDBELL_NOW, NULL);
    self->evaluate = sandbell_evaluate(scene, "return 1", NULL, 0, NULL);
    atomic_store(&self->calls, 1);
}

START_TEST(a_log_that_calls_back_gets_an_error) {
    static const char lua[] =
        "local sb = require 'sandbell'\n"
        "sb.body('a', { shape = sb.sphere { radius = .1 }, material = 'glass' })"
        "\nfunction scene.update() print 'here' end";
    for (int control = SANDBELL_CONTROL_CALLER;
         control <= SANDBELL_CONTROL_THREAD; control++) {
        caller self = {0};
        sandbell_scene_def def = sandbell_scene_def_default();
        sandbell_scene *scene;
        def.control = control;
        def.log = call_back;
        def.user = &self;
        ck_well(sandbell_scene_open_text(lua, NULL, &def, &scene, ERR));
        atomic_store(&self.scene, scene);
        static float stereo[2 * 480];
        while (atomic_load(&self.calls) == 0) {
            sandbell_render(scene, stereo, 480);
            if (control == SANDBELL_CONTROL_CALLER)
                ck_well(sandbell_advance(scene, SANDBELL_NOW, ERR));
            wait_a_little();
        }
        ck_assert_int_eq(self.reload, SANDBELL_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(self.err.text, "from a callback"));
        ck_assert_int_eq(self.advance, SANDBELL_BAD_ARGUMENT);
        ck_assert_int_eq(self.evaluate, SANDBELL_BAD_ARGUMENT);
        /* From outside it can. */
        ck_well(sandbell_scene_reload(scene, NULL, false, ERR));
        sandbell_scene_close(scene);
    }
}
END_TEST

START_TEST(deformable_bodies_are_not_computed_on_a_control_thread) {
    static const char lua[] =
        "local sb = require 'sandbell'\n"
        "sb.deformable('strip', { shape = sb.bar { length = .1, width = .01,"
        " thickness = .002 }, material = 'steel', elements = 3 })";
    sandbell_scene_def def = sandbell_scene_def_default();
    sandbell_scene *scene = NULL;
    sandbell_error err;
    def.control = SANDBELL_CONTROL_THREAD;
    ck_assert_int_eq(sandbell_scene_open_text(lua, NULL, &def, &scene, &err),
                     SANDBELL_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "body 'strip' is deformable"));
    ck_assert_ptr_null(scene);
    def.control = SANDBELL_CONTROL_CALLER;
    ck_well(sandbell_scene_open_text(lua, NULL, &def, &scene, ERR));
    sandbell_scene_close(scene);
}
END_TEST

START_TEST(a_scene_plays_on_the_silent_clock) {
    sandbell_scene_def def = sandbell_scene_def_default();
    sandbell_play_def play = sandbell_play_def_default();
    sandbell_scene *scene;
    def.control = SANDBELL_CONTROL_THREAD;
    def.is_live = true;
    play.backend = "null";
    ck_well(sandbell_scene_open(SCRIPTS "/hello.lua", &def, &scene, ERR));
    ck_well(sandbell_play(scene, &play, ERR));
    ck_assert_int_eq(sandbell_play(scene, &play, NULL), SANDBELL_BAD_ARGUMENT);
    while (sandbell_clock(scene) < 9600)
        wait_a_little();
    sandbell_stop(scene);
    int64_t clock = sandbell_clock(scene);
    ck_well(sandbell_play(scene, &play, ERR));
    while (sandbell_clock(scene) < clock + 4800)
        wait_a_little();
    sandbell_scene_close(scene);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("library process");
    TCase *tcase = tcase_create("process");
    tcase_add_test(tcase, scenes_on_threads_give_the_bytes_of_scenes_alone);
    tcase_add_test(tcase, a_child_process_renders_the_same);
    tcase_add_test(tcase, float_modes_change_nothing_and_stay);
    tcase_add_test(tcase, a_locale_with_commas_changes_no_text);
    tcase_add_test(tcase, handlers_and_folder_are_as_before);
    tcase_add_test(tcase, a_control_thread_keeps_ahead);
    tcase_add_test(tcase, a_log_that_calls_back_gets_an_error);
    tcase_add_test(tcase,
                   deformable_bodies_are_not_computed_on_a_control_thread);
    tcase_add_test(tcase, a_scene_plays_on_the_silent_clock);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
