/* SPDX-License-Identifier: MIT */
/* Journals of deformable bodies on disk, and their sound at other rates. */
#include "runtime/scene/deform/journal.h"
#include "runtime/scene/deform/resample.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/deform/deform.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const journal_sizes sizes = {.fingerprint = 42,
                                    .channels = 2,
                                    .bodies = 2,
                                    .colliders = 1,
                                    .vertices = 5};

static deform_tick tick_new(void) {
    deform_tick tick;
    ck_assert_int_eq(deform_tick_make(&tick, &sizes, NULL), SB_OK);
    return tick;
}

/* A tick whose numbers all depend on its index. */
static void fill(deform_tick *tick, int index, int frames, bool has_pose) {
    ck_assert_int_eq(deform_tick_grow(tick, &sizes, frames, 1, NULL), SB_OK);
    tick->time_s = 0.001 * (index + 1);
    tick->inputs = (uint64_t)index * 77;
    tick->first = 48 * index;
    tick->count = frames;
    for (int i = 0; i < 2 * frames; i++)
        tick->frames[i] = (float)(index + 0.001 * i);
    tick->touch_count = 1;
    tick->touches[0] = (sb_deform_touch_frame){
        .frame = index, .impulse_ns = {index, 1, 2}, .point_m = {3, 4, 5}};
    tick->reactions[0].shift_m.x = 0.5 * index;
    tick->places[1].centre_m.y = 7 * index;
    tick->has_pose = has_pose;
    for (int i = 0; i < 15; i++)
        tick->pose[i] = (float)(index * i);
}

static void is_filled(const deform_tick *tick, int index, int frames) {
    ck_assert_double_eq(tick->time_s, 0.001 * (index + 1));
    ck_assert(tick->inputs == (uint64_t)index * 77);
    ck_assert_int_eq(tick->first, 48 * index);
    ck_assert_int_eq(tick->count, frames);
    for (int i = 0; i < 2 * frames; i++)
        ck_assert(tick->frames[i] == (float)(index + 0.001 * i));
    ck_assert_int_eq(tick->touches[0].frame, index);
    ck_assert_double_eq(tick->touches[0].impulse_ns.x, index);
    ck_assert_double_eq(tick->reactions[0].shift_m.x, 0.5 * index);
    ck_assert_double_eq(tick->places[1].centre_m.y, 7 * index);
}

START_TEST(what_was_written_is_read_and_cut_where_it_is_wanted) {
    const char *path = scratch_path("journal");
    deform_tick tick = tick_new(), read = tick_new();
    deform_journal journal;
    sb_error err;
    ck_assert_msg(!journal_create(&journal, path, &sizes, &err), "%s",
                  err.message);
    int64_t second = 0;
    for (int i = 0; i < 4; i++) {
        if (i == 2) second = journal.bytes;
        fill(&tick, i, 10 + i, i == 1);
        ck_assert_int_eq(journal_write(&journal, &tick, &err), SB_OK);
    }
    journal_close(&journal);
    ck_assert_int_eq(journal_open(&journal, path, &sizes, true, &err), SB_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert(journal_read(&journal, &read));
        is_filled(&read, i, 10 + i);
        ck_assert_int_eq(read.has_pose, i == 1);
    }
    ck_assert(read.pose[14] == 14.0f);
    ck_assert_int_eq(journal.bytes, second);
    /* The rest is replaced. */
    ck_assert_int_eq(journal_cut(&journal, &err), SB_OK);
    fill(&tick, 9, 3, false);
    ck_assert_int_eq(journal_write(&journal, &tick, &err), SB_OK);
    ck_assert_int_eq(journal_rewind(&journal), SB_OK);
    ck_assert(journal_read(&journal, &read) && journal_read(&journal, &read));
    ck_assert(journal_read(&journal, &read));
    is_filled(&read, 9, 3);
    ck_assert(!journal_read(&journal, &read));
    journal_close(&journal);
    deform_tick_free(&tick);
    deform_tick_free(&read);
}
END_TEST

START_TEST(damaged_and_foreign_journals_are_refused) {
    const char *path = scratch_path("damaged");
    deform_tick tick = tick_new();
    deform_journal journal;
    sb_error err;
    ck_assert_int_eq(journal_create(&journal, path, &sizes, &err), SB_OK);
    fill(&tick, 0, 100, true);
    ck_assert_int_eq(journal_write(&journal, &tick, &err), SB_OK);
    int64_t bytes = journal.bytes;
    journal_close(&journal);
    journal_sizes other = sizes;
    other.fingerprint++;
    ck_assert_int_eq(journal_open(&journal, path, &other, false, &err),
                     SB_BAD_FORMAT);
    for (int64_t cut = bytes - 1; cut > 100; cut -= 97) {
        ck_assert_int_eq(truncate(path, cut), 0);
        ck_assert_int_eq(journal_open(&journal, path, &sizes, false, &err),
                         SB_OK);
        ck_assert(!journal_read(&journal, &tick));
        journal_close(&journal);
    }
    ck_assert_int_eq(truncate(path, 7), 0);
    ck_assert_int_eq(journal_open(&journal, path, &sizes, false, &err),
                     SB_BAD_FORMAT);
    ck_assert_int_eq(journal_open(&journal, "/nowhere/x", &sizes, false, &err),
                     SB_NOT_FOUND);
    deform_tick_free(&tick);
}
END_TEST

START_TEST(a_full_disk_is_said) {
    deform_tick tick = tick_new();
    deform_journal journal;
    sb_error err = {0};
    if (access("/dev/full", W_OK)) return;
    ck_assert_int_eq(journal_create(&journal, "/dev/full", &sizes, &err),
                     SB_OK);
    fill(&tick, 0, 10000, true);
    ck_assert_int_eq(journal_write(&journal, &tick, &err), SB_IO_ERROR);
    ck_assert_ptr_nonnull(strstr(err.message, "No space left"));
    journal_close(&journal);
    deform_tick_free(&tick);
}
END_TEST

START_TEST(checkpoints_come_back_whole_or_not_at_all) {
    const char *path = scratch_path("marked");
    char state[300], name[500];
    deform_journal journal;
    sb_error err;
    for (int i = 0; i < 300; i++)
        state[i] = (char)(i * 7);
    ck_assert_int_eq(journal_create(&journal, path, &sizes, &err), SB_OK);
    deform_checkpoint mark = {.journal_bytes = 1234,
                              .time_s = 0.5,
                              .inputs = 99,
                              .is_over = true,
                              .state = state,
                              .state_bytes = sizeof state},
                      found;
    ck_assert_int_eq(journal_find_mark(path, &sizes, &found, &err),
                     SB_NOT_FOUND);
    ck_assert_int_eq(journal_mark(&journal, &mark, &err), SB_OK);
    journal_close(&journal);
    ck_assert_int_eq(journal_find_mark(path, &sizes, &found, &err), SB_OK);
    ck_assert_int_eq(found.journal_bytes, 1234);
    ck_assert(found.is_over && found.inputs == 99);
    ck_assert_mem_eq(found.state, state, sizeof state);
    sb_free(found.state);
    (void)snprintf(name, sizeof name, "%s.state", path);
    ck_assert_int_eq(truncate(name, 200), 0);
    ck_assert_int_eq(journal_find_mark(path, &sizes, &found, &err),
                     SB_BAD_FORMAT);
    /* A new journal has none. */
    ck_assert_int_eq(journal_create(&journal, path, &sizes, &err), SB_OK);
    ck_assert_int_eq(journal_find_mark(path, &sizes, &found, &err),
                     SB_NOT_FOUND);
    journal_close(&journal);
}
END_TEST

/* A sine of each frequency, taken in odd pieces. */
START_TEST(other_rates_have_the_same_tones) {
    static const double rates[] = {44100, 96000, 32000, 192000};
    for (int r = 0; r < 4; r++) {
        for (double hz = 50; hz < 0.4 * fmin(rates[r], 48000); hz *= 3) {
            deform_resampler self;
            ck_assert_int_eq(resample_make(&self, 1, rates[r], NULL), SB_OK);
            int64_t at = 0;
            for (int piece = 1; piece < 60; piece++) {
                float frames[60];
                for (int i = 0; i < piece; i++, at++)
                    frames[i] = (float)sin(SB_TAU * hz * (double)at / 48000);
                resample_take(&self, frames, piece);
                int ready = resample_ready(&self);
                for (int i = 0; i < ready; i++) {
                    int64_t n = self.next + i;
                    double exact = sin(SB_TAU * hz * (double)n / rates[r]);
                    /* The filter swings in. */
                    if ((double)n * self.ratio > 2 * RESAMPLE_HALF)
                        ck_assert_double_eq_tol(
                            (double)resample_at(&self, i, 0), exact, 2e-3);
                }
                resample_drop(&self, ready);
            }
            ck_assert_int_gt(self.next, (int64_t)(1500 * rates[r] / 48000));
            resample_free(&self);
        }
    }
}
END_TEST

START_TEST(at_48_khz_frames_pass_as_they_are) {
    deform_resampler self;
    float frames[6] = {1, 2, 3, 4, 5, 6};
    ck_assert_int_eq(resample_make(&self, 2, 48000, NULL), SB_OK);
    ck_assert_int_eq(resample_lag(&self), 0);
    resample_take(&self, frames, 3);
    ck_assert_int_eq(resample_ready(&self), 3);
    ck_assert(resample_at(&self, 2, 1) == 6.0f);
    ck_assert(resample_at(&self, 0, 0) == 1.0f);
    resample_free(&self);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("journal");
    TCase *tests = tcase_create("journal");
    tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
    tcase_add_test(tests, what_was_written_is_read_and_cut_where_it_is_wanted);
    tcase_add_test(tests, damaged_and_foreign_journals_are_refused);
    tcase_add_test(tests, a_full_disk_is_said);
    tcase_add_test(tests, checkpoints_come_back_whole_or_not_at_all);
    tcase_add_test(tests, other_rates_have_the_same_tones);
    tcase_add_test(tests, at_48_khz_frames_pass_as_they_are);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
