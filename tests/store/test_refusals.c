/* SPDX-License-Identifier: MIT */
/* Files that are damaged in one place: each gets a sentence that says where. */
#include "runtime/media/sound_file.h"
#include "runtime/store/export/model_gltf.h"
#include "runtime/store/texture_read.h"
#include "tests/scratch.h"
#include "tests/store/model_doors.h"
#include "tests/suite.h"

#include <sys/stat.h>

enum { MOST_BYTES = 1 << 20 };

static size_t read_corpus(const char *name, char *to) {
    char path[400];
    (void)snprintf(path, sizeof path, CORPUS "/%s", name);
    FILE *in = fopen(path, "rb");
    ck_assert_msg(in, "%s", path);
    size_t count = fread(to, 1, MOST_BYTES - 1, in);
    ck_assert_int_eq(fclose(in), 0);
    to[count] = '\0';
    return count;
}

static void put(const char *name, const void *bytes, size_t count) {
    FILE *out = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(bytes, 1, count, out), count);
    ck_assert_int_eq(fclose(out), 0);
}

/* --- glTF ----------------------------------------------------------------- */

static char gltf_text[MOST_BYTES];
static uint32_t gltf_words[MOST_BYTES / 4];

static size_t decode(const char *from, const char *end, unsigned char *to) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0;
    uint32_t bits = 0;
    for (int n = 1; from < end && *from != '='; from++, n++) {
        bits = bits << 6 | (uint32_t)(strchr(letters, *from) - letters);
        if (n % 4 != 1)
            to[count++] =
                (unsigned char)(bits >> (n % 4 ? 8 - 2 * (n % 4) : 0));
    }
    return count;
}

/* The plate of the corpus with its numbers in a file beside it, with our extras
 * or as another program writes it: how many bytes that file has. */
static size_t split_gltf(bool has_extras) {
    (void)read_corpus("plate.gltf", gltf_text);
    char *uri = strstr(gltf_text, "data:application/octet-stream;base64,");
    ck_assert_ptr_nonnull(uri);
    char *data = strchr(uri, ',') + 1, *end = strchr(data, '"');
    size_t count = decode(data, end, (unsigned char *)gltf_words);
    memcpy(uri, "data.bin", 8);
    memmove(uri + 8, end, strlen(end) + 1);
    for (char *at = gltf_text;
         (at = strstr(at, "\"sandbell\"")) && !has_extras;)
        at[1] = 'X';
    put("plate.gltf", gltf_text, strlen(gltf_text));
    put("data.bin", gltf_words, count);
    return count;
}

static sb_status import(sb_error *err) {
    sb_gltf_model model = {0};
    *err = (sb_error){0};
    sb_status status =
        sb_model_import_gltf(scratch_path("plate.gltf"), &model, err);
    if (!status) sb_gltf_model_free(&model);
    return status;
}

START_TEST(every_number_of_a_gltf_is_checked) {
    static const char *const sentences[] = {
        "is not finite", "refers to point", "has the same point twice",
        "has a frequency of", "the shape of mode"};
    static const uint32_t odd[] = {0x7fc00000, 0xbf800000, 0xffffffff, 0};
    enum { SENTENCES = sizeof sentences / sizeof *sentences };
    int seen[SENTENCES] = {0};
    sb_error err;
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        size_t count = split_gltf(!is_plain);
        size_t all = count / 4 * (sizeof odd / sizeof *odd);
        ck_assert_int_eq(import(&err), SB_OK);
        for (size_t i = 0; i < all; i++) {
            uint32_t *word = &gltf_words[i % (count / 4)], before = *word;
            *word = odd[i / (count / 4)];
            put("data.bin", gltf_words, count);
            *word = before;
            if (!import(&err)) continue;
            ck_assert_int_eq(err.status, SB_BAD_FORMAT);
            for (int s = 0; s < SENTENCES; s++)
                seen[s] += strstr(err.message, sentences[s]) != NULL;
        }
    }
    for (int s = 0; s < SENTENCES; s++)
        ck_assert_msg(seen[s] > 0, "never said: %s", sentences[s]);
}
END_TEST

START_TEST(a_gltf_needs_its_data_whole) {
    sb_error err;
    size_t count = split_gltf(true);
    put("data.bin", gltf_words, count - 4);
    ck_assert_int_eq(import(&err), SB_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "buffers[0]: data.bin has"));
    ck_assert_int_eq(remove(scratch_path("data.bin")), 0);
    ck_assert_int_eq(import(&err), SB_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "data.bin cannot be read"));
    ck_assert_int_eq(mkdir(scratch_path("data.bin"), 0700), 0);
    ck_assert_int_eq(import(&err), SB_BAD_FORMAT); /* as base/in_file.h says */
    ck_assert_ptr_nonnull(strstr(err.message, "not a regular file"));
    ck_assert_int_eq(rmdir(scratch_path("data.bin")), 0);
}
END_TEST

/* --- .modal ---------------------------------------------------------------- */

static sb_status read_model(const char *bytes, size_t count, sb_error *err) {
    sb_model_file file;
    put("a.modal", bytes, count);
    sb_status status = sb_model_file_read(scratch_path("a.modal"), &file, err);
    if (!status) sb_model_file_free(&file);
    return status;
}

START_TEST(a_model_is_as_long_as_its_header_says) {
    static _Alignas(16) char bytes[MOST_BYTES];
    sb_error err;
    size_t count = read_corpus("plate.modal", bytes);
    ck_assert_int_eq(read_model(bytes, count, &err), SB_OK);
    ck_assert_int_eq(read_model(bytes, count + 1, &err), SB_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "longer than its header states"));
    ck_assert_int_eq(read_model(bytes, count - 1, &err), SB_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "is cut short"));
    /* More bytes than its sections have, though the header says so. */
    doors_sign(bytes, count + 64);
    ck_assert_int_eq(read_model(bytes, count + 64, &err), SB_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "its section table is invalid"));
}
END_TEST

/* --- pictures and sounds ---------------------------------------------------- */

START_TEST(a_weight_beyond_all_measure_is_refused) {
    static const char head[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"
                               "-Y 2 +X 1\n";
    static const unsigned char pixels[] = {128, 128, 128, 200, /* 2^71 */
                                           128, 128, 128, 128};
    char bytes[sizeof head + sizeof pixels];
    int at = snprintf(bytes, sizeof bytes, "%s", head);
    memcpy(bytes + at, pixels, sizeof pixels);
    put("a.hdr", bytes, (size_t)at + sizeof pixels);
    const char *paths[] = {scratch_path("a.hdr")};
    sb_texture_files files = {.paths = paths, .path_count = 1};
    sb_texture *texture = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_texture_read(&files, &texture, &err), SB_BAD_FORMAT);
    ck_assert_msg(strstr(err.message, "the largest weight is 1e+06"), "%s",
                  err.message);
}
END_TEST

START_TEST(a_sound_file_has_a_name_and_an_end) {
    sb_sound_def def = {.rate_hz = 48000, .channel_count = 2};
    sb_sound_writer *writer = NULL;
    sb_error err = {0};
    ck_assert_int_eq(sb_sound_writer_open(&writer, NULL, &def, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "a sound file needs a name");
    ck_assert_int_eq(
        sb_sound_writer_open(&writer, scratch_path("a.wav"), &def, &err),
        SB_OK);
    float frame[2] = {0, 0};
    ck_assert_int_eq(
        sb_sound_writer_write(writer, frame, (int64_t)1 << 40, &err),
        SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "is limited to 4 GiB"));
    ck_assert_int_eq(sb_sound_writer_write(writer, frame, 1, &err), SB_OK);
    ck_assert_int_eq(sb_sound_writer_close(writer, &err), SB_OK);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("refusals");
    TCase *refusals = tcase_create("refusals");
    tcase_add_checked_fixture(refusals, scratch_make, scratch_remove);
    tcase_add_test(refusals, every_number_of_a_gltf_is_checked);
    tcase_add_test(refusals, a_gltf_needs_its_data_whole);
    tcase_add_test(refusals, a_model_is_as_long_as_its_header_says);
    tcase_add_test(refusals, a_weight_beyond_all_measure_is_refused);
    tcase_add_test(refusals, a_sound_file_has_a_name_and_an_end);
    suite_add_tcase(suite, refusals);
    return run_suite(suite);
}
