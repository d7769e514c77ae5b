/* SPDX-License-Identifier: MIT */
/* Measured ears through the whole scene: the same bytes however they are asked
 * for, and a body that goes round without a click. */
#include "runtime/base/fft.h"
#include "runtime/scene/state/state.h"
#include "tests/scene/scene_fixture.h"
#include "tests/scratch.h"

enum { FRAMES = 96000, STEP = 480, START = 30464, SIZE = 65536 };

static float heard[2 * FRAMES], other[2 * FRAMES];

/* A tone that does not decay. */
static sb_hand_mode tone[1] = {{1000, 1e4, 1}};

static sb_listener ears_of(sb_ears_kind kind) {
    sb_listener listener = sb_listener_default();
    listener.position = (sb_vec3){0, 0, 0};
    listener.ears = kind;
    return listener;
}

static void set_ears(stage on, sb_ears_kind kind, double time_s) {
    sb_listener listener = ears_of(kind);
    sb_error err = {0};
    ck_assert_msg(!sb_scene_set_listener(on.scene, &listener, time_s, &err),
                  "%s", err.message);
}

static sb_body_id add_tone(stage on, double hz, sb_vec3 position) {
    tone[0].freq_hz = hz;
    sb_body_def def = sb_body_def_default();
    def.name = "tone";
    def.shape =
        (sb_shape){.kind = SB_SHAPE_MODES, .modes = tone, .mode_count = 1};
    def.position = position;
    def.gain = 20;
    return add(on, def);
}

/* One leg of a circle about the head, 2 m away. */
static void go(stage on, sb_body_id id, double from_s, double turns_per_s) {
    double w = 2 * SB_PI * turns_per_s, to_s = from_s + STEP / RATE_HZ;
    double a = w * from_s, b = w * to_s, r = 2;
    sb_leg leg = {.from_s = from_s,
                  .to_s = to_s,
                  .start = {r * sin(a), 0, -r * cos(a)},
                  .start_velocity = {w * r * cos(a), 0, w * r * sin(a)},
                  .end = {r * sin(b), 0, -r * cos(b)},
                  .end_velocity = {w * r * cos(b), 0, w * r * sin(b)},
                  .start_turn = sb_quat_identity(),
                  .end_turn = sb_quat_identity()};
    ck_assert_int_eq(
        scene_send_motion(on.scene, scene_body_of(on.scene, id), &leg, NULL),
        SB_OK);
}

/* Round the head, in pieces of so many frames. */
static void go_round(sb_ears_kind kind, double hz, double turns_per_s,
                     int piece, float *out) {
    stage on = stage_new();
    set_ears(on, kind, 0);
    sb_body_id id = add_tone(on, hz, (sb_vec3){0, 0, -2});
    strike(on, id, 0.05, 0.01);
    int sent = 0;
    for (int n = 0; n < FRAMES; n += piece) {
        int some = piece < FRAMES - n ? piece : FRAMES - n;
        for (; sent < n + some + SB_BLOCK_FRAMES; sent += STEP) {
            go(on, id, sent / RATE_HZ, turns_per_s);
            ck_assert(sb_engine_flush(on.engine, sent + STEP));
        }
        sb_engine_pull(on.engine, out + (ptrdiff_t)2 * n, some);
    }
    stage_free(on);
}

START_TEST(pieces_of_any_size_are_the_same_bytes) {
    static const int pieces[] = {64, 100, 128, 333};
    go_round(SB_EARS_MEASURED, 1000, 1, 480, heard);
    go_round(SB_EARS_MEASURED, 1000, 1, pieces[_i], other);
    ck_assert_mem_eq(heard, other, sizeof heard);
    go_round(SB_EARS_HEAD, 1000, 1, 480, other);
    ck_assert(memcmp(heard, other, sizeof heard) != 0);
}
END_TEST

/* Lines of the motion: those of the pattern, and those of the delay, which goes
 * to and fro by 0.43 ms per turn. Nothing else is above -90 dB. */
START_TEST(a_body_goes_round_the_listener_without_a_click) {
    static const double tones_hz[] = {400, 1000, 2500, 6000};
    static double complex x[SIZE];
    double hz = tones_hz[_i], turns = 0.5;
    go_round(SB_EARS_MEASURED, hz, turns, 480, heard);
    static const double a[] = {0.27105140069342, -0.43329793923448,
                               0.21812299954311, -0.06592544638803,
                               0.01081174209837, -0.00077658482522,
                               0.00001388721735};
    for (int n = 0; n < SIZE; n++) {
        double window = 0;
        for (int k = 0; k < 7; k++)
            window += a[k] * cos(2 * SB_PI * k * n / SIZE);
        x[n] = window * (double)heard[2 * (START + n)];
    }
    sb_fft *fft = sb_fft_create(SIZE);
    sb_fft_forward(fft, x);
    sb_fft_destroy(fft);
    double top = 0, step_hz = RATE_HZ / SIZE;
    for (int k = 0; k < SIZE / 2; k++)
        top = fmax(top, cabs(x[k]));
    double widest = turns * (10 + 2 * SB_PI * hz * 0.43e-3 + 20) + 8;
    for (int k = 0; k < SIZE / 2; k++) {
        double db = 20 * log10(cabs(x[k]) / top + 1e-12);
        ck_assert_msg(fabs(k * step_hz - hz) < widest || db < -90,
                      "%g Hz: a line of %g dB at %g Hz", hz, db, k * step_hz);
    }
}
END_TEST

/* Where the sound exceeds a tenth of its peak, frames. */
static int onset(int ear) {
    float peak = 0;
    for (int n = 0; n < 6000; n++)
        peak = fmaxf(peak, fabsf(heard[2 * n + ear]));
    for (int n = 0; n < 6000; n++)
        if (fabsf(heard[2 * n + ear]) > 0.1f * peak) return n;
    return -1;
}

START_TEST(a_body_to_the_right_is_heard_first_on_the_right) {
    stage on = stage_new();
    set_ears(on, SB_EARS_MEASURED, 0);
    sb_body_id id = add_tone(on, 1500, (sb_vec3){2, 0, 0});
    strike(on, id, 0.01, 0.01);
    play(on, heard, 9600);
    double power[2] = {0};
    for (int n = 4800; n < 9600; n++)
        for (int ear = 0; ear < 2; ear++)
            power[ear] +=
                (double)heard[2 * n + ear] * (double)heard[2 * n + ear];
    ck_assert_double_gt(10 * log10(power[1] / power[0]), 3);
    /* 0.65 ms are 31 frames. */
    ck_assert_int_ge(onset(0) - onset(1), 27);
    ck_assert_int_le(onset(0) - onset(1), 37);
    stage_free(on);
}
END_TEST

START_TEST(ears_change_while_it_sounds) {
    stage on = stage_new();
    set_ears(on, SB_EARS_HEAD, 0);
    sb_body_id id = add_tone(on, 300, (sb_vec3){1, 0, -1});
    strike(on, id, 0.01, 0.01);
    play(on, heard, 12000);
    set_ears(on, SB_EARS_MEASURED, 12000 / RATE_HZ + 0.01);
    play(on, heard + 24000, 12000);
    set_ears(on, SB_EARS_HEAD, 24000 / RATE_HZ + 0.01);
    play(on, heard + 48000, 12000);
    float most = 0, peak = 0;
    for (int n = 6000; n < 36000; n++) {
        float third = heard[2 * n] - 3 * heard[2 * n - 2] +
                      3 * heard[2 * n - 4] - heard[2 * n - 6];
        most = fmaxf(most, fabsf(third));
        peak = fmaxf(peak, fabsf(heard[2 * n]));
    }
    ck_assert_float_gt(peak, 0.001f);
    ck_assert_msg(most < 5e-4f * peak, "a step of %g", (double)(most / peak));
    stage_free(on);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_file_that_is_no_head_changes_nothing) {
    stage on = stage_new();
    scratch_make();
    FILE *file = fopen(scratch_path("bad.sofa"), "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs("not a head\n", file);
    (void)fclose(file);
    sb_listener before = sb_scene_listener(on.scene);
    sb_listener listener = ears_of(SB_EARS_MEASURED);
    (void)snprintf(listener.file.path, sizeof listener.file.path, "%s",
                   scratch_path("bad.sofa"));
    sb_error err = {0};
    ck_assert_int_eq(sb_scene_set_listener(on.scene, &listener, 0, &err),
                     SB_BAD_FORMAT);
    ck_assert_msg(strstr(err.message, "bad.sofa: not a SOFA file of ears"),
                  "%s", err.message);
    sb_listener after = sb_scene_listener(on.scene);
    ck_assert(sb_listener_is_same(&before, &after));
    scratch_remove();
    stage_free(on);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(without_memory_nothing_changes) {
    stage on = stage_new();
    sb_listener before = sb_scene_listener(on.scene);
    long blocks = sb_memory_live_blocks();
    sb_listener listener = ears_of(SB_EARS_MEASURED);
    sb_status status = SB_NO_MEMORY;
    int tries = 0;
    for (; status; tries++) {
        sb_memory_fail_only(tries);
        status = sb_scene_set_listener(on.scene, &listener, 0, NULL);
        sb_memory_fail_only(-1);
        if (!status) break;
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), blocks);
        sb_listener after = sb_scene_listener(on.scene);
        ck_assert(sb_listener_is_same(&before, &after));
    }
    ck_assert_int_gt(tries, 8);
    stage_free(on);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("measured_ears");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, pieces_of_any_size_are_the_same_bytes, 0, 4);
    tcase_add_loop_test(tc, a_body_goes_round_the_listener_without_a_click, 0,
                        4);
    tcase_add_test(tc, a_body_to_the_right_is_heard_first_on_the_right);
    tcase_add_test(tc, ears_change_while_it_sounds);
    tcase_add_test(tc, a_file_that_is_no_head_changes_nothing);
    tcase_add_test(tc, without_memory_nothing_changes);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
