/* SPDX-License-Identifier: MIT */
/* Weight textures that are saved again while their body rings: contacts take
 * the new weights without a click, and a broken file keeps the old ones. */
#include "runtime/base/pi.h"
#include "runtime/scene/contact/lasting.h"
#include "tests/bindings/reload_fixture.h"

#include <png.h>

static running a, b;

enum { SECOND = 48000, TEXELS = 8 };
static float sound[2 * SECOND], other[2 * SECOND];

/* Two modes and a picture of each: grey from end to end. */
static void paint(int mode, int grey) {
    char name[32];
    (void)snprintf(name, sizeof name, "w_%d.png", mode);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = TEXELS,
                       .height = 1,
                       .format = PNG_FORMAT_GRAY};
    unsigned char row[TEXELS];
    memset(row, grey, sizeof row);
    ck_assert(
        png_image_write_to_file(&image, scratch_path(name), 0, row, 0, NULL));
}

static void spoil(int mode) {
    char name[32];
    (void)snprintf(name, sizeof name, "w_%d.png", mode);
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs("\x89PNG\r\n\x1a\n and no more", file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local it = sb.body('it', { shape = sb.modes { { 300, 1 }, { 2000, 1 } },\n"
    "  weights = sb.texture 'w_%d.png' })\n"
    "state.ticks = 0\n"
    "function scene.start()\n"
    "  sb.every(0.01, function() state.ticks = state.ticks + 1 end)\n"
    "  it:contact { kind = 'slide', force = 1, speed = 0.5, slip = 0.5 }\n"
    "end\n"
    "function scene.reload() print 'ran again' end\n";

static void begin_watching(running *self) {
    sb_host_def def = live_def(self);
    def.watches = true;
    begin_with(self, scene_text, &def);
}

/* How strong a pitch is, by correlation. */
static double level_at(const float *stereo, int frames, double freq_hz) {
    double re = 0, im = 0;
    for (int n = 0; n < frames; n++) {
        double angle = 2 * SB_PI * freq_hz * n / RATE_HZ;
        double window = sin(SB_PI * n / frames);
        re += window * window * (double)stereo[2 * n] * cos(angle);
        im += window * window * (double)stereo[2 * n] * sin(angle);
    }
    return hypot(re, im) / frames;
}

/* Mean over the width of a pitch that is rung by noise. */
static double level_near(const float *stereo, int frames, double freq_hz) {
    double sum = 0;
    for (int i = -8; i <= 8; i++) {
        double level = level_at(stereo, frames, freq_hz + i);
        sum += level * level;
    }
    return sqrt(sum);
}

START_TEST(what_slides_on_goes_over_to_the_new_weights) {
    paint(1, 255);
    paint(2, 0);
    begin_watching(&a);
    hear(&a, sound, SECOND);
    double low = level_near(sound, SECOND, 300);
    double high = level_near(sound, SECOND, 2000);
    ck_assert_double_gt(low, 100 * high);
    paint(1, 0);
    paint(2, 255);
    ck_assert_msg(wait_for(&a, "1 painted"), "%s", a.said);
    /* The contact and the timers are those that were. */
    ck_assert_int_eq(sb_scene_contact_count(sb_host_scene(a.host)), 1);
    ck_assert(!strstr(a.said, "ran again"));
    for (int i = 0; i < 3; i++) /* the first mode dies away */
        hear(&a, sound, SECOND);
    double low_after = level_near(sound, SECOND, 300);
    double high_after = level_near(sound, SECOND, 2000);
    ck_assert_double_gt(high_after, 100 * low_after);
    ck_assert_double_gt(high_after, 100 * high);
    end(&a);
}
END_TEST

START_TEST(a_picture_that_cannot_be_read_leaves_the_old_one) {
    paint(1, 255);
    paint(2, 128);
    begin_watching(&a);
    begin(&b, scene_text); /* does not look */
    spoil(2);
    ck_assert_msg(wait_for(&a, "still running"), "%s", a.said);
    ck_assert_msg(strstr(a.said, "w_2.png: is damaged or cut off"), "%s",
                  a.said);
    while (b.pulled < a.pulled)
        hear(&b, other, STEP_FRAMES);
    ck_assert_int_eq(a.pulled, b.pulled);
    hear(&a, sound, SECOND);
    hear(&b, other, SECOND);
    ck_assert_mem_eq(sound, other, sizeof sound);
    end(&b);
    /* The next good one counts. */
    paint(2, 0);
    ck_assert_msg(wait_for(&a, "1 painted"), "%s", a.said);
    end(&a);
}
END_TEST

START_TEST(the_same_paint_in_another_file_changes_no_sample) {
    paint(1, 255);
    paint(2, 128);
    begin_watching(&a);
    begin(&b, scene_text);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = TEXELS,
                       .height = 1,
                       .format = PNG_FORMAT_RGB};
    unsigned char row[3 * TEXELS];
    memset(row, 255, sizeof row);
    ck_assert(png_image_write_to_file(&image, scratch_path("w_1.png"), 0, row,
                                      0, NULL));
    ck_assert_msg(wait_for(&a, "1 kept"), "%s", a.said);
    while (b.pulled < a.pulled)
        hear(&b, other, STEP_FRAMES);
    hear(&a, sound, SECOND);
    hear(&b, other, SECOND);
    ck_assert_mem_eq(sound, other, sizeof sound);
    end(&a);
    end(&b);
}
END_TEST

START_TEST(a_script_that_is_saved_runs_again_and_takes_new_paint) {
    paint(1, 255);
    paint(2, 0);
    begin_watching(&a);
    char changed[1024];
    (void)snprintf(changed, sizeof changed, "%s-- a remark\n", scene_text);
    paint(2, 255);
    save(&a, changed);
    ck_assert_msg(wait_for(&a, "ran again"), "%s", a.said);
    ck_assert_msg(strstr(a.said, "1 painted"), "%s", a.said);
    end(&a);
}
END_TEST

/* Something that lies still on the body bends it a little. New weights bend it
 * otherwise: in one step that would strike it, over 20 ms it hardly rings. */
START_TEST(new_paint_does_not_click) {
    static const char resting[] =
        "local sb = require 'sandbell'\n"
        "local it = sb.body('it', { shape = sb.modes { { 2000, 0.2 } },\n"
        "  weights = sb.texture 'w_%d.png' })\n"
        "function scene.start()\n"
        "  it:contact { kind = 'rattle', force = 100, mass = 0.01 }\n"
        "end\n";
    paint(1, 255);
    sb_host_def def = live_def(&a);
    def.watches = true;
    begin_with(&a, resting, &def);
    double struck = 0, painted = 0;
    for (int i = 0; i < 2; i++) {
        hear(&a, sound, SECOND);
        for (int n = 0; n < 2 * SECOND && i == 0; n++)
            struck = fmax(struck, fabs((double)sound[n])); /* as it is put on */
    }
    paint(1, 64);
    float block[2 * STEP_FRAMES];
    int left = 20;
    for (int i = 0; i < 500 && left > 0; i++) {
        hear(&a, block, STEP_FRAMES);
        sleep_ms(2);
        for (int n = 0; n < 2 * STEP_FRAMES; n++)
            painted = fmax(painted, fabs((double)block[n]));
        if (strstr(a.said, "painted")) left--;
    }
    ck_assert_msg(strstr(a.said, "1 painted"), "%s", a.said);
    ck_assert_double_lt(painted, 0.15 * struck); /* in one step: 1.1 */
    end(&a);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("paint");
    TCase *tcase = tcase_create("paint");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, what_slides_on_goes_over_to_the_new_weights);
    tcase_add_test(tcase, a_picture_that_cannot_be_read_leaves_the_old_one);
    tcase_add_test(tcase, the_same_paint_in_another_file_changes_no_sample);
    tcase_add_test(tcase,
                   a_script_that_is_saved_runs_again_and_takes_new_paint);
    tcase_add_test(tcase, new_paint_does_not_click);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
