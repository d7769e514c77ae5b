/* SPDX-License-Identifier: MIT */
/* Sound files: samples come back, rounded and clipped as documented, and no
 * file is ever left half written. */
#include "runtime/base/memory.h"
#include "runtime/media/sound_file.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <math.h>

enum { FRAMES = 10007 }; /* not a multiple of any block */

static float stereo[2 * FRAMES];

static void make_stereo(void) {
    for (int n = 0; n < FRAMES; n++) {
        float *frame = stereo + (ptrdiff_t)2 * n;
        frame[0] = (float)(0.9 * sin(0.05 * n));
        frame[1] = (float)(0.5 * cos(0.021 * n) * exp(-1e-4 * n));
    }
}

static void setup(void) {
    scratch_make();
    make_stereo();
}

static sb_sound_writer *begin(const char *name, sb_sound_def def) {
    sb_sound_writer *writer = NULL;
    sb_error err = {0};
    sb_status status =
        sb_sound_writer_open(&writer, scratch_path(name), &def, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return writer;
}

static void put(sb_sound_writer *writer, const float *samples, int frames) {
    sb_error err = {0};
    sb_status status = sb_sound_writer_write(writer, samples, frames, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
}

static void finish(sb_sound_writer *writer) {
    sb_error err = {0};
    sb_status status = sb_sound_writer_close(writer, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
}

static void write_stereo(const char *name, sb_sound_format format) {
    sb_sound_def def = sb_sound_def_default();
    def.format = format;
    def.rate_hz = 44100;
    sb_sound_writer *writer = begin(name, def);
    put(writer, stereo, 3);
    put(writer, stereo + 6, FRAMES - 3);
    finish(writer);
}

static sb_sound read_back(const char *name) {
    sb_sound sound = {0};
    sb_error err = {0};
    sb_status status = sb_sound_read(&sound, scratch_path(name), &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return sound;
}

static const struct {
    const char *name;
    sb_sound_format format;
    double tolerance;
} kinds[] = {
    {"a.wav", SB_SOUND_PCM24, 0.5 / 8388608 + 1e-12},
    {"a.FLAC", SB_SOUND_PCM24, 0.5 / 8388608 + 1e-12},
    {"b.wav", SB_SOUND_FLOAT32, 1e-30},
};

START_TEST(samples_come_back) {
    write_stereo(kinds[_i].name, kinds[_i].format);
    sb_sound sound = read_back(kinds[_i].name);
    ck_assert_int_eq(sound.frame_count, FRAMES);
    ck_assert_int_eq(sound.channel_count, 2);
    ck_assert_int_eq(sound.rate_hz, 44100);
    for (int i = 0; i < 2 * FRAMES; i++) {
        ck_assert_double_eq_tol((double)sound.samples[i], (double)stereo[i],
                                kinds[_i].tolerance);
    }
    sb_sound_free(&sound);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(equal_samples_give_equal_bytes) {
    const char *other = strstr(kinds[_i].name, "wav") ? "z.wav" : "z.flac";
    write_stereo(kinds[_i].name, kinds[_i].format);
    (void)usleep(1100000); /* a time stamp would have changed by now */
    write_stereo(other, kinds[_i].format);
    scratch_expect_equal(kinds[_i].name, other);
}
END_TEST

START_TEST(what_is_too_loud_is_clipped_and_nothing_wraps) {
    static const float in[] = {1.0f, -1.0f, 1.5f,      -7.0f,    1e30f,
                               0.5f, NAN,   -INFINITY, 0.99999f, 1e-9f};
    const float top = 8388607.0f / 8388608.0f;
    const float out[] = {top,  -1.0f, top,  -1.0f,    top,
                         0.5f, 0.0f,  0.0f, 0.99999f, 0.0f};
    enum { COUNT = sizeof in / sizeof *in };
    const char *name = _i ? "c.flac" : "c.wav";
    sb_sound_writer *writer = begin(name, (sb_sound_def){48000, 1, 0});
    put(writer, in, COUNT);
    finish(writer);
    sb_sound sound = read_back(name);
    ck_assert_int_eq(sound.frame_count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        ck_assert_float_eq_tol(sound.samples[i], out[i], 1e-7f);
    }
    sb_sound_free(&sound);
}
END_TEST

START_TEST(rounding_is_to_nearest_on_both_sides_of_zero) {
    float in[4], step = 1.0f / 8388608.0f;
    const float parts[4] = {0.6f, -0.6f, 0.4f, -0.4f};
    for (int i = 0; i < 4; i++)
        in[i] = parts[i] * step;
    sb_sound_writer *writer = begin("r.wav", (sb_sound_def){48000, 1, 0});
    put(writer, in, 4);
    finish(writer);
    sb_sound sound = read_back("r.wav");
    ck_assert_float_eq(sound.samples[0], step);
    ck_assert_float_eq(sound.samples[1], -step);
    ck_assert_float_eq(sound.samples[2], 0.0f);
    ck_assert_float_eq(sound.samples[3], 0.0f);
    sb_sound_free(&sound);
}
END_TEST

START_TEST(floats_keep_what_is_loud) {
    const float in[3] = {3.5f, -1e-20f, NAN};
    sb_sound_writer *writer =
        begin("f.wav", (sb_sound_def){96000, 1, SB_SOUND_FLOAT32});
    put(writer, in, 3);
    finish(writer);
    sb_sound sound = read_back("f.wav");
    ck_assert_float_eq(sound.samples[0], 3.5f);
    ck_assert_float_eq(sound.samples[1], -1e-20f);
    ck_assert_float_eq(sound.samples[2], 0.0f);
    sb_sound_free(&sound);
}
END_TEST

START_TEST(an_empty_sound_is_a_sound) {
    const char *name = _i ? "e.flac" : "e.wav";
    finish(begin(name, sb_sound_def_default()));
    sb_sound sound = {0};
    /* A FLAC file without a sample says nothing libsndfile can read. */
    if (_i == 0) {
        sound = read_back(name);
        ck_assert_int_eq(sound.frame_count, 0);
    }
    sb_sound_free(&sound);
    ck_assert_int_eq(scratch_entries(0), 1);
}
END_TEST

START_TEST(abort_leaves_the_old_file) {
    scratch_put("x.wav", "old");
    sb_sound_writer *writer = begin("x.wav", sb_sound_def_default());
    put(writer, stereo, FRAMES);
    scratch_expect("x.wav", "old");
    sb_sound_writer_abort(writer);
    sb_sound_writer_abort(NULL);
    scratch_expect("x.wav", "old");
    ck_assert_int_eq(scratch_entries(0), 1);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* A disk that fills up, at every point of a file's life. */
START_TEST(a_full_disk_leaves_the_old_file) {
    const char *name = _i ? "x.flac" : "x.wav";
    write_stereo(name, SB_SOUND_PCM24);
    struct stat info;
    ck_assert_int_eq(stat(scratch_path(name), &info), 0);
    rlim_t size = (rlim_t)info.st_size;
    scratch_put(name, "old");
    for (rlim_t room = 0; room < size; room += size / 20 - 1) {
        sb_error err = {0};
        sb_sound_writer *writer = NULL;
        sb_sound_def def = sb_sound_def_default();
        scratch_limit(room);
        sb_status opened =
            sb_sound_writer_open(&writer, scratch_path(name), &def, &err);
        sb_status written = SB_IO_ERROR;
        sb_status closed = SB_IO_ERROR;
        if (opened == SB_OK) {
            written = sb_sound_writer_write(writer, stereo, FRAMES, &err);
            closed = sb_sound_writer_close(writer, &err);
        }
        scratch_unlimit();
        ck_assert_int_eq(closed, SB_IO_ERROR);
        if (room > 8000 && room < size / 2)
            ck_assert_int_eq(written, SB_IO_ERROR);
        ck_assert_msg(strstr(err.message, "cannot be written"), "%s",
                      err.message);
        scratch_expect(name, "old");
        ck_assert_int_eq(scratch_entries(0), 1);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

/* On a disk that gets full, at any byte of a frame, what was written before is
 * a file that programs accept, and whole frames of it are there. */
START_TEST(what_a_full_disk_has_taken_can_be_kept) {
    static const int64_t least[] = {5900, 4096, 5900}; /* FLAC has blocks */
    int kind = _i % 3;
    struct stat info;
    write_stereo(kinds[kind].name, kinds[kind].format);
    ck_assert_int_eq(stat(scratch_path(kinds[kind].name), &info), 0);
    sb_sound_def def = sb_sound_def_default();
    def.format = kinds[kind].format;
    sb_sound_writer *writer = begin(kinds[kind].name, def);
    sb_error err = {0};
    sb_status status = SB_OK;
    scratch_limit((rlim_t)(info.st_size * 3 / 5 + _i / 3));
    for (int n = 0; n + 100 <= FRAMES && !status; n += 100)
        status =
            sb_sound_writer_write(writer, stereo + (ptrdiff_t)2 * n, 100, &err);
    int64_t frames = 0;
    sb_status closed = sb_sound_writer_close_short(writer, &frames, &err);
    scratch_unlimit();
    ck_assert_int_eq(status, SB_IO_ERROR);
    ck_assert_msg(closed == SB_OK, "%s", err.message);
    ck_assert_int_ge(frames, least[kind]);
    sb_sound sound = read_back(kinds[kind].name);
    ck_assert_int_eq(sound.frame_count, frames);
    for (int i = 0; i < 2 * frames; i++)
        ck_assert_double_eq_tol(sound.samples[i], stereo[i],
                                kinds[kind].tolerance);
    sb_sound_free(&sound);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(dash_is_a_right_wav_on_a_pipe) {
    write_stereo("file.wav", SB_SOUND_PCM24);
    static char expected[1 << 17], got[1 << 17];
    long size =
        scratch_get(scratch_path("file.wav"), expected, sizeof expected);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_ge(fcntl(ends[1], F_SETPIPE_SZ, 1 << 17), 0);
    (void)fflush(stdout);
    int real_stdout = dup(STDOUT_FILENO);
    ck_assert_int_ge(dup2(ends[1], STDOUT_FILENO), 0);
    sb_sound_writer *writer = NULL;
    sb_sound_def def = {44100, 2, SB_SOUND_PCM24};
    sb_status status = sb_sound_writer_open(&writer, "-", &def, NULL);
    if (status == SB_OK) {
        status = sb_sound_writer_write(writer, stereo, FRAMES, NULL);
        sb_status closed = sb_sound_writer_close(writer, NULL);
        if (status == SB_OK) status = closed;
    }
    ck_assert_int_ge(dup2(real_stdout, STDOUT_FILENO), 0);
    (void)close(ends[1]);
    ck_assert_int_eq(status, SB_OK);
    long count = 0;
    ssize_t part;
    while ((part = read(ends[0], got + count, sizeof got - (size_t)count)) > 0)
        count += part;
    ck_assert_int_eq(count, size);
    ck_assert_mem_eq(got, expected, (size_t)size);
}
END_TEST

static void expect_refusal(const char *path, sb_sound_def def, sb_status status,
                           const char *part) {
    sb_sound_writer *writer = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_sound_writer_open(&writer, path, &def, &err), status);
    ck_assert_ptr_null(writer);
    ck_assert_msg(strstr(err.message, part), "%s", err.message);
    ck_assert_int_eq(scratch_entries(0), 0);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

START_TEST(bad_definitions_are_refused) {
    const char *wav = scratch_path("x.wav");
    const sb_sound_def good = sb_sound_def_default();
    sb_sound_def def = good;
    def.rate_hz = 0;
    expect_refusal(wav, def, SB_BAD_ARGUMENT, "sample rate");
    def = good;
    def.channel_count = 9;
    expect_refusal(wav, def, SB_BAD_ARGUMENT, "channels, not 9");
    def = good;
    def.format = (sb_sound_format)7;
    expect_refusal(wav, def, SB_BAD_ARGUMENT, "format 7");
    expect_refusal(scratch_path("x.ogg"), good, SB_BAD_ARGUMENT, ".wav or");
    expect_refusal(scratch_path("a.wav/x"), good, SB_BAD_ARGUMENT, ".wav or");
    expect_refusal(scratch_path("no/x.wav"), good, SB_NOT_FOUND, "directory");
    def.format = SB_SOUND_FLOAT32;
    expect_refusal(scratch_path("x.flac"), def, SB_BAD_ARGUMENT,
                   "cannot store floats");
}
END_TEST

START_TEST(what_is_no_sound_is_not_read) {
    sb_sound sound = {0};
    sb_error err = {0};
    scratch_put("text.wav", "this is not a sound file at all, only words");
    ck_assert_int_eq(sb_sound_read(&sound, scratch_path("text.wav"), &err),
                     SB_BAD_FORMAT);
    ck_assert_int_eq(sb_sound_read(&sound, scratch_path("none.wav"), &err),
                     SB_NOT_FOUND);
    ck_assert_msg(strstr(err.message, "none.wav"), "%s", err.message);
    ck_assert_int_eq(sb_sound_read(&sound, "/tmp", &err), SB_BAD_FORMAT);
    ck_assert_ptr_null(sound.samples);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    int is_done = 0;
    for (long n = 0; !is_done; n++) {
        ck_assert_int_lt(n, 40);
        sb_sound_writer *writer = NULL;
        sb_sound sound = {0};
        sb_error err = {0};
        sb_sound_def def = {44100, 2, SB_SOUND_PCM24};
        sb_memory_fail_after(n);
        sb_status status =
            sb_sound_writer_open(&writer, scratch_path("x.wav"), &def, &err);
        if (status == SB_OK) {
            put(writer, stereo, FRAMES);
            finish(writer);
            status = sb_sound_read(&sound, scratch_path("x.wav"), &err);
        }
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_sound_free(&sound);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
        ck_assert_int_le(scratch_entries(0), 1);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sound_file");
    TCase *tcase = tcase_create("sound_file");
    tcase_add_checked_fixture(tcase, setup, scratch_remove);
    tcase_add_loop_test(tcase, samples_come_back, 0, 3);
    tcase_add_loop_test(tcase, equal_samples_give_equal_bytes, 0, 3);
    tcase_add_loop_test(tcase, what_is_too_loud_is_clipped_and_nothing_wraps, 0,
                        2);
    tcase_add_test(tcase, rounding_is_to_nearest_on_both_sides_of_zero);
    tcase_add_test(tcase, floats_keep_what_is_loud);
    tcase_add_loop_test(tcase, an_empty_sound_is_a_sound, 0, 2);
    tcase_add_test(tcase, abort_leaves_the_old_file);
    tcase_add_loop_test(tcase, a_full_disk_leaves_the_old_file, 0, 2);
    tcase_add_loop_test(tcase, what_a_full_disk_has_taken_can_be_kept, 0, 24);
    tcase_add_test(tcase, dash_is_a_right_wav_on_a_pipe);
    tcase_add_test(tcase, bad_definitions_are_refused);
    tcase_add_test(tcase, what_is_no_sound_is_not_read);
    tcase_add_test(tcase, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
