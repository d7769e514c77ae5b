/* Pictures from files: every kind, every depth, and what is wrong with a file. */
#include "runtime/media/image/image.h"

#include "tests/scratch.h"
#include "tests/suite.h"

#include <check.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const char *name, const void *bytes, size_t count) {
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

/* Rows of bytes as they stand in the file: 16 bits with the high byte first. */
static void put_png(const char *name, int width, int height, int bits,
                    int colour, const unsigned char *rows, size_t row_bytes) {
    FILE *file = fopen(scratch_path(name), "wb");
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    ck_assert_ptr_nonnull(info);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits,
                 colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < height; y++)
        png_write_row(png, rows + (size_t)y * row_bytes);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    ck_assert_int_eq(fclose(file), 0);
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
    refuses("text.png", SB_BAD_FORMAT, "is no PNG");
    put("anim.gif", "GIF89a..........", 16);
    refuses("anim.gif", SB_BAD_FORMAT, "is no PNG");
    put("anim.tga", "GIF89a..........", 16);
    refuses("anim.tga", SB_BAD_FORMAT, "is no PNG");
    put("head.png", "\x89PNG\r\n\x1a\n", 8);
    refuses("head.png", SB_BAD_FORMAT, "is cut off");
    unsigned char huge[54] = {'B', 'M', 62, 0, 0, 0, 0, 0, 0, 0, 54};
    huge[14] = 40, huge[20] = 1, huge[22] = 1, huge[26] = 1, huge[28] = 24;
    put("huge.bmp", huge, sizeof huge);
    refuses("huge.bmp", SB_BAD_FORMAT, "65536 x 1 pixels are more than 16384");
}
END_TEST

/* Cut off anywhere, it is a sentence or, where the decoder can tell, a picture;
 * never more. */
START_TEST(a_file_cut_off_anywhere_is_no_harm) {
    unsigned char rows[64 * 3 * 16];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (unsigned char)(i * 7 + i / 5);
    put_png("whole.png", 64, 16, 8, PNG_COLOR_TYPE_RGB, rows, 192);
    FILE *file = fopen(scratch_path("whole.png"), "rb");
    unsigned char bytes[8192];
    size_t count = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    for (size_t cut = 1; cut < count; cut += 13) {
        sb_image image;
        put("cut.png", bytes, cut);
        if (sb_image_read(&image, scratch_path("cut.png"), NULL) == SB_OK)
            sb_image_free(&image);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("image");
    TCase *tcase = tcase_create("image");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, sixteen_bits_of_grey_keep_all_of_them);
    tcase_add_test(tcase, values_are_linear_and_colours_are_averaged);
    tcase_add_test(tcase, bmp_tga_and_hdr_are_read);
    tcase_add_test(tcase, what_is_wrong_is_said_and_nothing_is_taken);
    tcase_add_test(tcase, a_file_cut_off_anywhere_is_no_harm);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
