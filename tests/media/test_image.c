/* SPDX-License-Identifier: MIT */
/* Pictures from files: every kind and depth of PNG, BMP, TGA and HDR, the
 * notes in them, and the error of every broken file. */
#include "runtime/media/image/image.h"

#include "runtime/base/memory.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <check.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

static void put(const char *name, const void *bytes, size_t count) {
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

typedef struct png_def {
    int width, height, bits, colour;
    const unsigned char *rows; /* as in the file: high byte first */
    size_t row_bytes;
    bool is_interlaced;
    bool has_clear; /* grey 0, RGB 0 or colour 0 of the palette is clear */
    int text_kind;  /* PNG_TEXT_COMPRESSION_*, PNG_ITXT_COMPRESSION_* */
    const char *key, *note;
    bool is_late; /* the note comes after the pixels */
} png_def;

static const png_color palette[2] = {{10, 20, 30}, {40, 50, 60}};

static void put_png_def(const char *name, const png_def *def) {
    FILE *file = fopen(scratch_path(name), "wb");
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png), end;
    ck_assert_ptr_nonnull(info);
    end = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)def->width, (png_uint_32)def->height,
                 def->bits, def->colour,
                 def->is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (def->colour == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 2);
    png_color_16 black = {0};
    const unsigned char clear = 0;
    if (def->has_clear) png_set_tRNS(png, info, &clear, 1, &black);
    png_text text = {.compression = def->text_kind,
                     .key = (char *)(uintptr_t)def->key,
                     .text = (char *)(uintptr_t)def->note};
    if (def->note) png_set_text(png, def->is_late ? end : info, &text, 1);
    png_write_info(png, info);
    if (def->bits < 8) png_set_packing(png);
    int passes = def->is_interlaced ? png_set_interlace_handling(png) : 1;
    for (int pass = 0; pass < passes; pass++) {
        for (int y = 0; y < def->height; y++)
            png_write_row(png, def->rows + (size_t)y * def->row_bytes);
    }
    png_write_end(png, def->is_late ? end : NULL);
    png_destroy_info_struct(png, &end);
    png_destroy_write_struct(&png, &info);
    ck_assert_int_eq(fclose(file), 0);
}

static void put_png(const char *name, int width, int height, int bits,
                    int colour, const unsigned char *rows, size_t row_bytes) {
    put_png_def(name, &(png_def){.width = width,
                                 .height = height,
                                 .bits = bits,
                                 .colour = colour,
                                 .rows = rows,
                                 .row_bytes = row_bytes});
}

static sb_image read_well(const char *name) {
    sb_image image;
    sb_error err;
    sb_status status = sb_image_read(&image, scratch_path(name), &err);
    ck_assert_msg(status == SB_OK, "%s", status ? err.message : "");
    return image;
}

static void refuses(const char *name, sb_status expected, const char *says) {
    sb_image image;
    sb_error err;
    ck_assert_int_eq(sb_image_read(&image, scratch_path(name), &err), expected);
    ck_assert_msg(strstr(err.message, says) != NULL, "'%s' lacks '%s'",
                  err.message, says);
}

START_TEST(sixteen_bits_of_grey_keep_all_of_them) {
    const unsigned char rows[] = {0x00, 0x00, 0x80, 0x00,
                                  0xff, 0xff, 0x12, 0x34};
    put_png("grey.png", 2, 2, 16, PNG_COLOR_TYPE_GRAY, rows, 4);
    sb_image image = read_well("grey.png");
    ck_assert_int_eq(image.width, 2);
    ck_assert_int_eq(image.height, 2);
    ck_assert_int_eq(image.channel_count, 1);
    ck_assert_int_eq(image.bits, 16);
    ck_assert_float_eq(image.values[0], 0.0f);
    ck_assert_float_eq_tol(image.values[1], 0x8000 / 65535.0f, 1e-7f);
    ck_assert_float_eq(image.values[2], 1.0f);
    ck_assert_float_eq_tol(image.values[3], 0x1234 / 65535.0f, 1e-7f);
    sb_image_free(&image);
}
END_TEST

START_TEST(values_are_linear_and_colours_are_averaged) {
    const unsigned char rows[] = {128, 128, 128, 255, 0, 51, 102, 0};
    put_png("colour.png", 2, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, rows, 8);
    sb_image image = read_well("colour.png");
    ck_assert_int_eq(image.channel_count, 4);
    ck_assert_int_eq(image.bits, 8);
    ck_assert_float_eq_tol(sb_image_grey(&image, 0, 0), 128 / 255.0f, 1e-6f);
    ck_assert_float_eq_tol(sb_image_grey(&image, 1, 0), 51 / 255.0f, 1e-6f);
    sb_image_free(&image);
}
END_TEST

/* Whatever the file has, samples of 8 or 16 bits come out; what a look foresees
 * is what a reader gets. */
START_TEST(every_kind_of_png_becomes_samples) {
    static const unsigned char bits[] = {0, 1}, two[] = {0, 3},
                               rgb[] = {0, 0, 0, 5, 6, 7};
    static const unsigned char deep[] = {0,    0,    0, 0, 0, 0,
                                         0x12, 0x34, 0, 0, 0, 1};
    static const struct {
        png_def def;
        int channels, bits;
        float values[8];
    } cases[] = {
        {{2, 1, 1, PNG_COLOR_TYPE_GRAY, bits, .row_bytes = 2}, 1, 8, {0, 255}},
        {{2, 1, 2, PNG_COLOR_TYPE_GRAY, two, .row_bytes = 2}, 1, 8, {0, 255}},
        {{2, 1, 4, PNG_COLOR_TYPE_GRAY, two, .row_bytes = 2}, 1, 8, {0, 51}},
        {{2, 1, 8, PNG_COLOR_TYPE_GRAY, two, 2, .has_clear = true},
         2,
         8,
         {0, 0, 3, 255}},
        {{2, 1, 1, PNG_COLOR_TYPE_PALETTE, bits, .row_bytes = 2},
         3,
         8,
         {10, 20, 30, 40, 50, 60}},
        {{2, 1, 1, PNG_COLOR_TYPE_PALETTE, bits, 2, .has_clear = true},
         4,
         8,
         {10, 20, 30, 0, 40, 50, 60, 255}},
        {{2, 1, 8, PNG_COLOR_TYPE_RGB, rgb, .row_bytes = 6},
         3,
         8,
         {0, 0, 0, 5, 6, 7}},
        {{2, 1, 8, PNG_COLOR_TYPE_RGB, rgb, 6, .has_clear = true},
         4,
         8,
         {0, 0, 0, 0, 5, 6, 7, 255}},
        {{2, 1, 16, PNG_COLOR_TYPE_RGB, deep, 12, .has_clear = true},
         4,
         16,
         {0, 0, 0, 0, 0x1234, 0, 1, 65535}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_png_def("kind.png", &cases[i].def);
        sb_image looked, image = read_well("kind.png");
        ck_assert_int_eq(sb_image_look(&looked, scratch_path("kind.png"), NULL),
                         SB_OK);
        ck_assert_ptr_null(looked.values);
        ck_assert_int_eq(image.channel_count, cases[i].channels);
        ck_assert_int_eq(looked.channel_count, cases[i].channels);
        ck_assert_int_eq(image.bits, cases[i].bits);
        ck_assert_int_eq(looked.bits, cases[i].bits);
        ck_assert_int_eq(looked.width, 2);
        ck_assert_uint_eq(looked.fingerprint, image.fingerprint);
        float most = cases[i].bits == 16 ? 65535.0f : 255.0f;
        for (int k = 0; k < 2 * cases[i].channels; k++)
            ck_assert_float_eq(image.values[k], cases[i].values[k] / most);
        sb_image_free(&image);
    }
}
END_TEST

START_TEST(an_interlaced_png_is_the_same_picture) {
    unsigned char rows[9 * 11 * 3];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (unsigned char)(i * 37 + i / 7);
    png_def def = {9, 11, 8, PNG_COLOR_TYPE_RGB, rows, .row_bytes = 27};
    put_png_def("plain.png", &def);
    def.is_interlaced = true;
    put_png_def("laced.png", &def);
    sb_image plain = read_well("plain.png"), laced = read_well("laced.png");
    ck_assert_mem_eq(plain.values, laced.values, sizeof rows * sizeof(float));
    ck_assert_float_eq(laced.values[30], rows[30] / 255.0f);
    sb_image_free(&plain);
    sb_image_free(&laced);
}
END_TEST

START_TEST(a_note_is_found_in_any_chunk_of_text_and_at_any_place) {
    static const int kinds[] = {
        PNG_TEXT_COMPRESSION_NONE, PNG_TEXT_COMPRESSION_zTXt,
        PNG_ITXT_COMPRESSION_NONE, PNG_ITXT_COMPRESSION_zTXt};
    const unsigned char grey[] = {7};
    for (int i = 0; i < 8; i++) {
        png_def def = {1,
                       1,
                       8,
                       PNG_COLOR_TYPE_GRAY,
                       grey,
                       1,
                       .text_kind = kinds[i / 2],
                       .key = "sandbell.weights",
                       .note = "signed scale=0.25",
                       .is_late = i % 2};
        put_png_def("note.png", &def);
        sb_image looked, image = read_well("note.png");
        ck_assert_int_eq(sb_image_look(&looked, scratch_path("note.png"), NULL),
                         SB_OK);
        ck_assert(image.has_note && looked.has_note);
        ck_assert_str_eq(image.note, "signed scale=0.25");
        ck_assert_str_eq(looked.note, "signed scale=0.25");
        sb_image_free(&image);
        def.key = "sandbell.weights2";
        put_png_def("note.png", &def);
        image = read_well("note.png");
        ck_assert(!image.has_note);
        sb_image_free(&image);
    }
}
END_TEST

START_TEST(a_note_that_is_too_long_is_cut_and_fit_to_print) {
    char text[300];
    const unsigned char grey[] = {7};
    memset(text, 'x', sizeof text);
    memcpy(text, "a\n\xe4", 3);
    text[sizeof text - 1] = '\0';
    png_def def = {1,
                   1,
                   8,
                   PNG_COLOR_TYPE_GRAY,
                   grey,
                   1,
                   .text_kind = PNG_TEXT_COMPRESSION_NONE,
                   .key = "sandbell.weights",
                   .note = text};
    put_png_def("long.png", &def);
    sb_image image = read_well("long.png");
    ck_assert(image.has_note);
    ck_assert_uint_eq(strlen(image.note), SB_IMAGE_NOTE_SIZE - 1);
    ck_assert_int_eq(memcmp(image.note, "a??xxx", 6), 0);
    sb_image_free(&image);
}
END_TEST

START_TEST(without_memory_no_png_is_read_and_none_is_lost) {
    const unsigned char grey[] = {7, 8, 9, 10};
    png_def def = {2,
                   2,
                   8,
                   PNG_COLOR_TYPE_GRAY,
                   grey,
                   2,
                   .text_kind = PNG_TEXT_COMPRESSION_zTXt,
                   .key = "sandbell.weights",
                   .note = "signed"};
    put_png_def("small.png", &def);
    const char *path = scratch_path("small.png");
    sb_image image;
    sb_status status = SB_NO_MEMORY;
    int n = 0;
    for (; status; n++) {
        ck_assert_int_lt(n, 100);
        sb_memory_fail_after(n);
        status = sb_image_read(&image, path, NULL);
        sb_memory_fail_after(-1);
        if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
        if (status) ck_assert_int_eq(sb_memory_live_blocks(), 0);
    }
    ck_assert_int_gt(n, 5);
    ck_assert_str_eq(image.note, "signed");
    sb_image_free(&image);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(bmp_tga_and_hdr_are_read) {
    unsigned char bmp[54 + 8] = {'B', 'M', 62, 0, 0, 0, 0, 0, 0, 0, 54};
    bmp[14] = 40, bmp[18] = 2, bmp[22] = 1, bmp[26] = 1, bmp[28] = 24;
    const unsigned char pixels[6] = {0, 0, 255, 255, 0, 0}; /* red, blue: BGR */
    memcpy(bmp + 54, pixels, sizeof pixels);
    put("two.bmp", bmp, sizeof bmp);
    sb_image image = read_well("two.bmp");
    ck_assert_int_eq(image.width, 2);
    ck_assert_float_eq(image.values[0], 1.0f);
    ck_assert_float_eq(image.values[5], 1.0f);
    sb_image_free(&image);

    unsigned char tga[18 + 2] = {0, 0, 3};
    tga[12] = 2, tga[14] = 1, tga[16] = 8, tga[17] = 0x20;
    tga[18] = 255, tga[19] = 51;
    put("two.tga", tga, sizeof tga);
    image = read_well("two.tga");
    ck_assert_int_eq(image.channel_count, 1);
    ck_assert_float_eq(image.values[0], 1.0f);
    ck_assert_float_eq_tol(image.values[1], 0.2f, 1e-6f);
    sb_image_free(&image);

    const char hdr[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n"
                       "\x80\x80\x80\x82";
    put("one.hdr", hdr, sizeof hdr - 1);
    image = read_well("one.hdr");
    ck_assert_int_eq(image.bits, 32);
    ck_assert_float_eq(image.values[0], 2.0f);
    sb_image_free(&image);
}
END_TEST

START_TEST(what_is_wrong_is_said_and_nothing_is_taken) {
    refuses("nowhere.png", SB_NOT_FOUND, "nowhere.png");
    put("empty.png", "", 0);
    refuses("empty.png", SB_BAD_FORMAT, "is empty");
    put("text.png", "hello, I am text", 16);
    refuses("text.png", SB_BAD_FORMAT, "is not a PNG");
    put("anim.gif", "GIF89a..........", 16);
    refuses("anim.gif", SB_BAD_FORMAT, "is not a PNG");
    put("anim.tga", "GIF89a..........", 16);
    refuses("anim.tga", SB_BAD_FORMAT, "is not a PNG");
    put("head.png", "\x89PNG\r\n\x1a\n", 8);
    refuses("head.png", SB_BAD_FORMAT, "is cut off");
    unsigned char huge[54] = {'B', 'M', 62, 0, 0, 0, 0, 0, 0, 0, 54};
    huge[14] = 40, huge[20] = 1, huge[22] = 1, huge[26] = 1, huge[28] = 24;
    put("huge.bmp", huge, sizeof huge);
    refuses("huge.bmp", SB_BAD_FORMAT,
            "65536 x 1 pixels exceed the limit of 16384");
}
END_TEST

static size_t get_whole(unsigned char *bytes, size_t size) {
    unsigned char rows[64 * 3 * 16];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (unsigned char)(i * 7 + i / 5);
    put_png("whole.png", 64, 16, 8, PNG_COLOR_TYPE_RGB, rows, 192);
    long count = scratch_get(scratch_path("whole.png"), bytes, size);
    ck_assert_int_gt(count, 100);
    return (size_t)count;
}

START_TEST(a_png_cut_off_anywhere_is_refused) {
    static unsigned char bytes[8192];
    size_t count = get_whole(bytes, sizeof bytes);
    for (size_t cut = 8; cut < count; cut += 13) {
        put("cut.png", bytes, cut);
        refuses("cut.png", SB_BAD_FORMAT, "is cut off");
    }
}
END_TEST

/* After the header, at byte 33, a text of which only the length is there. */
START_TEST(a_chunk_longer_than_the_file_takes_no_memory) {
    static unsigned char bytes[8192];
    (void)get_whole(bytes, sizeof bytes);
    const unsigned char head[] = {0x79, 0, 0, 0x22, 't', 'E', 'X', 't'};
    memcpy(bytes + 33, head, sizeof head);
    put("long.png", bytes, 60);
    sb_memory_set_limit(sb_memory_live_bytes() + 100000000);
    refuses("long.png", SB_BAD_FORMAT, "is damaged or cut off");
    sb_memory_set_limit(0);
}
END_TEST

START_TEST(a_flipped_bit_anywhere_is_seen) {
    static unsigned char bytes[8192];
    size_t count = get_whole(bytes, sizeof bytes);
    for (size_t at = 8; at < count; at += 11) {
        sb_image image;
        bytes[at] ^= 0x10;
        put("flip.png", bytes, count);
        ck_assert_int_eq(sb_image_read(&image, scratch_path("flip.png"), NULL),
                         SB_BAD_FORMAT);
        bytes[at] ^= 0x10;
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("image");
    TCase *tcase = tcase_create("image");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, sixteen_bits_of_grey_keep_all_of_them);
    tcase_add_test(tcase, values_are_linear_and_colours_are_averaged);
    tcase_add_test(tcase, every_kind_of_png_becomes_samples);
    tcase_add_test(tcase, an_interlaced_png_is_the_same_picture);
    tcase_add_test(tcase,
                   a_note_is_found_in_any_chunk_of_text_and_at_any_place);
    tcase_add_test(tcase, a_note_that_is_too_long_is_cut_and_fit_to_print);
    tcase_add_test(tcase, without_memory_no_png_is_read_and_none_is_lost);
    tcase_add_test(tcase, bmp_tga_and_hdr_are_read);
    tcase_add_test(tcase, what_is_wrong_is_said_and_nothing_is_taken);
    tcase_add_test(tcase, a_png_cut_off_anywhere_is_refused);
    tcase_add_test(tcase, a_chunk_longer_than_the_file_takes_no_memory);
    tcase_add_test(tcase, a_flipped_bit_anywhere_is_seen);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
