/* SPDX-License-Identifier: MIT */
/* Drawing: the file holds what was drawn, nothing is drawn outside; lines,
 * text, colours, full disks and failing allocations. */
#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/media/picture/picture.h"
#include "tests/media/picture_reader.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>
#include <stdbool.h>

static sb_colour colour_at(const sb_picture *picture, int x, int y) {
    const uint8_t *pixel = picture->pixels + 3 * (y * picture->width + x);
    return (sb_colour){pixel[0], pixel[1], pixel[2], 255};
}

static const sb_colour white = {255, 255, 255, 255};
static const sb_colour red = {255, 0, 0, 255};

static sb_picture *blank(int width, int height) {
    sb_picture *picture = NULL;
    ck_assert_int_eq(sb_picture_create(&picture, width, height, NULL), SB_OK);
    return picture;
}

static int count_ink(const sb_picture *picture) {
    int count = 0;
    for (int y = 0; y < picture->height; y++) {
        for (int x = 0; x < picture->width; x++) {
            count += colour_at(picture, x, y).red > 127;
        }
    }
    return count;
}

START_TEST(a_file_holds_what_was_drawn) {
    sb_picture *picture = blank(31, 17);
    sb_picture_fill(picture, (sb_colour){10, 20, 30, 255});
    sb_picture_pixel(picture, 30, 16, red);
    ck_assert_int_eq(sb_picture_save(picture, scratch_path("a.png"), NULL),
                     SB_OK);
    ck_assert_int_eq(sb_picture_save(picture, scratch_path("b.png"), NULL),
                     SB_OK);
    scratch_expect_equal("a.png", "b.png");
    read_picture read = picture_read(scratch_path("a.png"));
    ck_assert_int_eq(read.width, 31);
    ck_assert_int_eq(read.height, 17);
    ck_assert_mem_eq(read.pixels, picture->pixels, (size_t)31 * 17 * 3);
    free(read.pixels);
    sb_picture_destroy(picture);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(sides_out_of_range_are_refused) {
    sb_picture *picture = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_picture_create(&picture, 0, 5, &err), SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, "0 x 5"), "%s", err.message);
    ck_assert_int_eq(sb_picture_create(&picture, 5, 1 << 20, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_null(picture);
    sb_picture_destroy(NULL);
}
END_TEST

START_TEST(opacity_mixes) {
    sb_picture *picture = blank(1, 1);
    sb_picture_pixel(picture, 0, 0, (sb_colour){200, 100, 0, 128});
    sb_colour mixed = colour_at(picture, 0, 0);
    ck_assert_int_eq(mixed.red, 100);
    ck_assert_int_eq(mixed.green, 50);
    sb_picture_destroy(picture);
}
END_TEST

START_TEST(drawing_outside_touches_nothing_inside) {
    sb_picture *picture = blank(20, 20);
    sb_picture_pixel(picture, -1, 5, white);
    sb_picture_pixel(picture, 20, 5, white);
    sb_picture_rectangle(picture, 25, -100, 2000000000, 2000000000, white);
    sb_picture_rectangle(picture, 5, 5, 0, 9, white);
    sb_picture_rectangle(picture, 5, 5, 9, -4, white);
    sb_picture_line(picture, -50, -10, 70, -10, white);
    sb_picture_line(picture, NAN, 3, 10, INFINITY, white);
    sb_picture_line(picture, 3, 1e300, 10, 2e300, white);
    sb_picture_text(picture, 500, 500, "far away", 3, SB_TEXT_UP, white);
    ck_assert_int_eq(count_ink(picture), 0);
    sb_picture_rectangle(picture, -5, 18, 2000000000, 2000000000, white);
    ck_assert_int_eq(count_ink(picture), 40);
    sb_picture_destroy(picture);
}
END_TEST

START_TEST(lines_reach_both_ends_in_all_directions) {
    for (int turn = 0; turn < 16; turn++) {
        sb_picture *picture = blank(41, 41);
        int x = 20 + (int)lrint(18 * cos(turn * 0.3926990817));
        int y = 20 + (int)lrint(18 * sin(turn * 0.3926990817));
        sb_picture_line(picture, 20, 20, x, y, white);
        ck_assert_int_eq(colour_at(picture, 20, 20).red, 255);
        ck_assert_int_eq(colour_at(picture, x, y).red, 255);
        int longer = abs(x - 20) > abs(y - 20) ? abs(x - 20) : abs(y - 20);
        double ink = 0;
        for (int i = 0; i < 41 * 41; i++) {
            sb_colour colour = colour_at(picture, i % 41, i / 41);
            ink += colour.red / 255.0;
        }
        ck_assert_double_eq_tol(ink, longer + 1.0, 0.2);
        sb_picture_destroy(picture);
    }
}
END_TEST

/* Is this pixel of a character of a text in a picture set, at scale 1? */
static bool is_ink(const sb_picture *picture, int index, int x, int y) {
    return colour_at(picture, index * SB_FONT_ADVANCE + x, y).red > 0;
}

START_TEST(every_character_has_a_shape_of_its_own) {
    enum { FIRST = 33, COUNT = 95 }; /* the last one is the box */
    char text[COUNT + 2] = "";
    for (int i = 0; i < COUNT; i++)
        text[i] = (char)(i < COUNT - 1 ? FIRST + i : '\xC3');
    sb_picture *picture = blank((COUNT + 1) * SB_FONT_ADVANCE, SB_FONT_HEIGHT);
    sb_picture_text(picture, 0, 0, text, 1, SB_TEXT_RIGHT, white);
    for (int a = 0; a < COUNT; a++) {
        for (int b = a + 1; b <= COUNT; b++) {
            int differing = 0;
            for (int i = 0; i < SB_FONT_ADVANCE * SB_FONT_HEIGHT; i++) {
                int x = i % SB_FONT_ADVANCE;
                int y = i / SB_FONT_ADVANCE;
                differing +=
                    is_ink(picture, a, x, y) != is_ink(picture, b, x, y);
            }
            ck_assert_msg(differing > 0, "%c looks like %c", FIRST + a,
                          FIRST + b);
        }
    }
    sb_picture_destroy(picture);
}
END_TEST

START_TEST(text_stays_in_its_box_and_turns) {
    const char *text = "gjpqy|M@W 0189";
    for (int scale = 1; scale <= 4; scale++) {
        int length = sb_picture_text_length(text, scale);
        int thickness = SB_FONT_HEIGHT * scale;
        sb_picture *flat = blank(length, thickness);
        sb_picture *tall = blank(thickness, length);
        sb_picture *large = blank(length + 40, length + 40);
        sb_picture_text(flat, 0, 0, text, scale, SB_TEXT_RIGHT, white);
        sb_picture_text(tall, 0, length - 1, text, scale, SB_TEXT_UP, white);
        sb_picture_text(large, 20, 20, text, scale, SB_TEXT_RIGHT, white);
        int ink = count_ink(flat);
        ck_assert(ink > 50 * scale * scale);
        ck_assert_int_eq(count_ink(large), ink);
        ck_assert_int_eq(count_ink(tall), ink);
        for (int x = 0; x < length; x++) {
            for (int y = 0; y < thickness; y++) {
                ck_assert_int_eq(colour_at(flat, x, y).red,
                                 colour_at(tall, y, length - 1 - x).red);
            }
        }
        sb_picture_destroy(flat);
        sb_picture_destroy(tall);
        sb_picture_destroy(large);
    }
    ck_assert_int_eq(sb_picture_text_length("", 2), 0);
    ck_assert_int_eq(sb_picture_text_length("\xc3\xa4", 1), 5);
}
END_TEST

START_TEST(colours_rise_evenly_from_dark_to_bright) {
    sb_colour map[SB_COLOUR_MAP_SIZE];
    sb_colour_map_fill(map);
    double last = -1.0;
    for (int i = 0; i < SB_COLOUR_MAP_SIZE; i++) {
        double rgb[3] = {map[i].red / 255.0, map[i].green / 255.0,
                         map[i].blue / 255.0};
        for (int c = 0; c < 3; c++) {
            rgb[c] = rgb[c] <= 0.04045 ? rgb[c] / 12.92
                                       : pow((rgb[c] + 0.055) / 1.055, 2.4);
        }
        double light =
            cbrt(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
        ck_assert_msg(light > last - 0.004, "entry %d: %g after %g", i, light,
                      last);
        ck_assert_msg(i == 0 || light - last < 0.012, "a jump at %d", i);
        last = light;
    }
    ck_assert_int_lt(map[0].red, 20);
    ck_assert_int_gt(map[SB_COLOUR_MAP_SIZE - 1].green, 235);
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file) {
    scratch_put("x.png", "old");
    sb_picture *picture = blank(300, 300);
    sb_random random = sb_random_make(1, 1); /* so that it does not compress */
    for (int i = 0; i < 300 * 300 * 3; i++)
        picture->pixels[i] = (uint8_t)sb_random_u32(&random);
    scratch_limit(20000);
    sb_error err = {0};
    sb_status status = sb_picture_save(picture, scratch_path("x.png"), &err);
    scratch_unlimit();
    ck_assert_int_eq(status, SB_IO_ERROR);
    ck_assert_msg(strstr(err.message, "x.png cannot be written"), "%s",
                  err.message);
    scratch_expect("x.png", "old");
    ck_assert_int_eq(scratch_entries(0), 1);
    sb_picture_destroy(picture);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(every_failing_allocation_is_survived) {
    int is_done = 0;
    for (long n = 0; !is_done; n++) {
        ck_assert_int_lt(n, 100);
        sb_picture *picture = NULL;
        sb_error err = {0};
        sb_memory_fail_after(n);
        sb_status status = sb_picture_create(&picture, 64, 48, &err);
        if (status == SB_OK) {
            status = sb_picture_save(picture, scratch_path("x.png"), &err);
        }
        sb_memory_fail_after(-1);
        is_done = status == SB_OK;
        if (!is_done) {
            ck_assert_int_eq(status, SB_NO_MEMORY);
            ck_assert_uint_gt(strlen(err.message), 0);
            ck_assert_int_eq(scratch_entries(0), 0);
        }
        sb_picture_destroy(picture);
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("picture");
    TCase *tcase = tcase_create("picture");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, a_file_holds_what_was_drawn);
    tcase_add_test(tcase, sides_out_of_range_are_refused);
    tcase_add_test(tcase, opacity_mixes);
    tcase_add_test(tcase, drawing_outside_touches_nothing_inside);
    tcase_add_test(tcase, lines_reach_both_ends_in_all_directions);
    tcase_add_test(tcase, every_character_has_a_shape_of_its_own);
    tcase_add_test(tcase, text_stays_in_its_box_and_turns);
    tcase_add_test(tcase, colours_rise_evenly_from_dark_to_bright);
    tcase_add_test(tcase, a_full_disk_leaves_the_old_file);
    tcase_add_test(tcase, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
