/* SPDX-License-Identifier: MIT */
/* .modal files: back as they were, or refused with a sentence. */
#include "runtime/base/memory.h"
#include "runtime/store/model_sections.h"
#include "tests/model/fill/skin.h"
#include "tests/scratch.h"
#include "tests/suite.h"

static const sb_material glass = {2600, 6.2e10, 0.3, 1, 1e-7, 1e9,
                                  1e-6, 0.5,    0.4, 0, 0};

/* A whole file's contents: with texture coordinates, material and finish. */
static sb_model_file contents(surface *skin) {
    *skin = skin_sphere(4, 0.1);
    skin_random_modes(skin, 20, 2, 300, 9000, &glass);
    sb_solution parts = skin_solution(skin);
    float(*uvs)[3][2] = calloc((size_t)skin->face_count, sizeof *uvs);
    for (int i = 0; i < skin->face_count; i++)
        uvs[i][1][0] = (float)i / 7;
    parts.uvs = (const float(*)[3][2])uvs;
    sb_model_file file = {.has_material = true,
                          .material = glass,
                          .has_finished = true,
                          .finish = sb_finish_def_default()};
    strcpy(file.key, "0123456789abcdef");
    ck_assert_int_eq(sb_solution_create(&parts, &file.solution, NULL), SB_OK);
    ck_assert_int_eq(sb_solution_finish(file.solution, &glass, &file.finish,
                                        &file.finished, NULL),
                     SB_OK);
    free(uvs);
    return file;
}

static void expect_same_arrays(const sb_solution *p, const sb_solution *q) {
    size_t vertices = (size_t)p->vertex_count, faces = (size_t)p->face_count;
    size_t modes = (size_t)p->mode_count;
    ck_assert_mem_eq(p->vertices, q->vertices, vertices * 12);
    ck_assert_mem_eq(p->faces, q->faces, faces * 12);
    ck_assert_mem_eq(p->uvs, q->uvs, faces * 24);
    ck_assert_mem_eq(p->lambdas, q->lambdas, modes * 8);
    ck_assert_mem_eq(p->shapes, q->shapes, vertices * modes * 12);
}

static void expect_same_solution(const sb_solution *p, const sb_solution *q) {
    ck_assert_mem_eq(&p->facts, &q->facts, sizeof p->facts);
    ck_assert_int_eq(p->vertex_count, q->vertex_count);
    ck_assert_int_eq(p->face_count, q->face_count);
    ck_assert_int_eq(p->mode_count, q->mode_count);
    expect_same_arrays(p, q);
}

static void expect_same_finished(const sb_finished *f, const sb_finished *g,
                                 size_t vertices) {
    ck_assert_int_eq(f->mode_count, g->mode_count);
    ck_assert_int_eq(f->member_count, g->member_count);
    ck_assert_mem_eq(f->modes, g->modes,
                     (size_t)f->mode_count * sizeof *f->modes);
    ck_assert_mem_eq(f->shapes, g->shapes,
                     vertices * (size_t)f->member_count * 12);
    ck_assert_mem_eq(&f->report, &g->report, sizeof f->report);
}

static void expect_same(const sb_model_file *a, const sb_model_file *b) {
    expect_same_solution(a->solution, b->solution);
    ck_assert_str_eq(a->key, b->key);
    ck_assert_mem_eq(&a->material, &b->material, sizeof a->material);
    expect_same_finished(&a->finished, &b->finished,
                         (size_t)a->solution->vertex_count);
}

START_TEST(a_file_comes_back_as_it_was) {
    surface skin;
    sb_model_file file = contents(&skin), back;
    sb_error err = {0};
    const char *path = scratch_path("a.modal");
    ck_assert_int_eq(sb_model_file_write(path, &file, &err), SB_OK);
    ck_assert_int_eq(scratch_entries(0), 1);
    sb_status status = sb_model_file_read(path, &back, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    expect_same(&file, &back);
    ck_assert_uint_eq((uintptr_t)back.solution->shapes % 64, 0);
    sb_material other = glass;
    ck_assert(sb_model_file_is_finished_for(&back, &glass, &file.finish));
    other.beta *= 2;
    ck_assert(!sb_model_file_is_finished_for(&back, &other, &file.finish));
    file.finish.merge = false;
    ck_assert(!sb_model_file_is_finished_for(&back, &glass, &file.finish));
    /* The mapping outlives the file's name and the rest of the struct. */
    sb_solution *kept = sb_solution_retain(back.solution);
    sb_model_file_free(&back);
    ck_assert_int_eq(remove(path), 0);
    ck_assert_float_eq(kept->shapes[100], file.solution->shapes[100]);
    sb_solution_release(kept);
    sb_model_file_free(&file);
    skin_free(&skin);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* Modes heard by boundary elements are not taken for those of the quick law. */
START_TEST(exact_radiation_comes_back) {
    surface skin;
    sb_model_file file = contents(&skin), back;
    sb_finish_def quick = file.finish;
    file.finish.radiation = file.finished.radiation = SB_RADIATES_EXACT;
    file.finished.exact_count = 7;
    sb_patterns *patterns = sb_patterns_make(file.finished.mode_count);
    const float coefs[4][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    const sb_pattern pattern = {1, 0.25f, coefs};
    ck_assert(sb_patterns_put(patterns, 1, &pattern));
    file.finished.patterns = patterns;
    const char *path = scratch_path("exact.modal");
    ck_assert_int_eq(sb_model_file_write(path, &file, NULL), SB_OK);
    ck_assert_int_eq(sb_model_file_read(path, &back, NULL), SB_OK);
    expect_same(&file, &back);
    ck_assert_int_eq(back.finished.exact_count, 7);
    const sb_pattern *got = back.finished.patterns->modes;
    ck_assert_int_eq(got[0].order, -1);
    ck_assert_int_eq(got[1].order, 1);
    ck_assert(got[1].rest == 0.25f);
    ck_assert_mem_eq(got[1].coefs, coefs, sizeof coefs);
    ck_assert(sb_model_file_is_finished_for(&back, &glass, &file.finish));
    ck_assert(!sb_model_file_is_finished_for(&back, &glass, &quick));
    ck_assert_int_eq(remove(path), 0);
    sb_model_file_free(&back);
    sb_model_file_free(&file);
    skin_free(&skin);
}
END_TEST

START_TEST(a_grain_comes_back) {
    surface skin;
    sb_model_file file = contents(&skin), back;
    file.material.youngs_modulus_across = 1e9;
    file.material.shear_modulus = 7e8;
    const char *path = scratch_path("grain.modal");
    ck_assert_int_eq(sb_model_file_write(path, &file, NULL), SB_OK);
    ck_assert_int_eq(sb_model_file_read(path, &back, NULL), SB_OK);
    expect_same(&file, &back);
    ck_assert(!sb_model_file_is_finished_for(&back, &glass, &file.finish));
    ck_assert_int_eq(remove(path), 0);
    sb_model_file_free(&back);
    sb_model_file_free(&file);
    skin_free(&skin);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(a_bare_solution_needs_no_more) {
    surface skin;
    sb_model_file file = contents(&skin), back;
    sb_model_file bare = {.solution = file.solution};
    const char *path = scratch_path("a.modal");
    ck_assert_int_eq(sb_model_file_write(path, &bare, NULL), SB_OK);
    ck_assert_int_eq(sb_model_file_read(path, &back, NULL), SB_OK);
    ck_assert(!back.has_material && !back.has_finished);
    ck_assert_str_eq(back.key, "");
    sb_model_file_free(&back);
    bare.has_finished = true;
    bare.finished = file.finished;
    ck_assert_int_eq(sb_model_file_write(path, &bare, NULL), SB_BAD_ARGUMENT);
    sb_model_file_free(&file);
    skin_free(&skin);
}
END_TEST

/* --- refusals ------------------------------------------------------------- */

static char *bytes_of(const char *path, long *count) {
    char *bytes = malloc(1 << 22);
    *count = scratch_get(path, bytes, 1 << 22);
    ck_assert_int_gt(*count, 0);
    ck_assert_int_lt(*count, 1 << 22);
    return bytes;
}

static void put_bytes(const char *path, const char *bytes, long count) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, (size_t)count, file), (size_t)count);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect_refused(const char *path, const char *sentence) {
    sb_model_file back;
    memset(&back, 0x5a, sizeof back);
    sb_error err = {0};
    long live = sb_memory_live_blocks();
    ck_assert_int_eq(sb_model_file_read(path, &back, &err), SB_BAD_FORMAT);
    ck_assert_int_eq(sb_memory_live_blocks(), live);
    ck_assert_int_eq(((char *)&back)[0], 0x5a); /* untouched */
    ck_assert_int_eq(strncmp(err.message, path, strlen(path)), 0);
    if (sentence) ck_assert_str_eq(err.message + strlen(path), sentence);
}

START_TEST(a_changed_file_is_refused) {
    surface skin;
    sb_model_file file = contents(&skin);
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("a.modal"));
    ck_assert_int_eq(sb_model_file_write(path, &file, NULL), SB_OK);
    long count;
    char *bytes = bytes_of(path, &count);
    FILE *changed = fopen(path, "r+b");
    for (long at = 0; at < count; at += at < 1024 ? 1 : 397) {
        char flipped = (char)(bytes[at] ^ (1 << (at % 8)));
        (void)fseek(changed, at, SEEK_SET);
        (void)fwrite(&flipped, 1, 1, changed);
        (void)fflush(changed);
        expect_refused(path, NULL);
        (void)fseek(changed, at, SEEK_SET);
        (void)fwrite(&bytes[at], 1, 1, changed);
        (void)fflush(changed);
    }
    (void)fclose(changed);
    sb_model_file back;
    ck_assert_int_eq(sb_model_file_read(path, &back, NULL), SB_OK);
    sb_model_file_free(&back);
    free(bytes);
    sb_model_file_free(&file);
    skin_free(&skin);
}
END_TEST

START_TEST(sentences_say_what_is_wrong) {
    surface skin;
    sb_model_file file = contents(&skin), back;
    char path[400], expected[200];
    (void)snprintf(path, sizeof path, "%s", scratch_path("a.modal"));
    ck_assert_int_eq(sb_model_file_write(path, &file, NULL), SB_OK);
    long count;
    char *bytes = bytes_of(path, &count);
    for (long cut = 0; cut < count; cut += cut < 400 ? 7 : 5003) {
        put_bytes(path, bytes, cut);
        (void)snprintf(expected, sizeof expected,
                       " is cut short: it has %ld of %ld bytes", cut, count);
        expect_refused(path, cut < 32 ? NULL : expected);
    }
    bytes[8] = 2;
    put_bytes(path, bytes, count);
    expect_refused(path, " has version 2; this program reads version 1");
    bytes[8] = 1;
    bytes[count - 70]++;
    put_bytes(path, bytes, count);
    expect_refused(path, " is damaged: its finished shapes do not match their "
                         "checksum");
    put_bytes(path, "a sound, not a model; much longer than a header", 47);
    expect_refused(path, " is not a .modal file");
    sb_error err = {0};
    ck_assert_int_eq(sb_model_file_read(scratch_path("none"), &back, &err),
                     SB_NOT_FOUND);
    ck_assert_int_eq(sb_model_file_read("/dev/null", &back, &err), SB_IO_ERROR);
    ck_assert_int_eq(sb_model_file_write(scratch_path("no/a"), &file, &err),
                     SB_NOT_FOUND);
    free(bytes);
    sb_model_file_free(&file);
    skin_free(&skin);
}
END_TEST

/* Checksums made good again after the change: each lie must be found by what
 * it says. */
typedef void (*lie)(char *bytes, sb_section *table);

static void *part(char *bytes, sb_section *table, int kind) {
    for (int i = 0;; i++) {
        if ((int)table[i].kind == kind) return bytes + table[i].offset;
    }
}

static sb_head_section *head_of(char *bytes, sb_section *table) {
    return part(bytes, table, SB_SECTION_HEAD);
}

static void lie_vertices(char *bytes, sb_section *table) {
    head_of(bytes, table)->vertex_count++;
}
static void lie_negative(char *bytes, sb_section *table) {
    head_of(bytes, table)->vertex_count = -1;
}
static void lie_modes(char *bytes, sb_section *table) {
    head_of(bytes, table)->mode_count = 0x7fffffff;
}
static void lie_method(char *bytes, sb_section *table) {
    head_of(bytes, table)->facts.method = 99;
}
/* A method that makes no elements: such a model had no functions. */
static void lie_analytic(char *bytes, sb_section *table) {
    head_of(bytes, table)->facts.method = SB_METHOD_ANALYTIC;
}
static void lie_material(char *bytes, sb_section *table) {
    head_of(bytes, table)->material.density = -1;
}
static void lie_key(char *bytes, sb_section *table) {
    memset(head_of(bytes, table)->key, 'a', 72);
}
static void lie_face(char *bytes, sb_section *table) {
    ((int32_t *)part(bytes, table, SB_SECTION_FACES))[7] = 1 << 30;
}
static void lie_shape(char *bytes, sb_section *table) {
    ((float *)part(bytes, table, SB_SECTION_SHAPES))[7] = NAN;
}
static void lie_lambda(char *bytes, sb_section *table) {
    ((double *)part(bytes, table, SB_SECTION_LAMBDAS))[3] = -1;
}
static void lie_member(char *bytes, sb_section *table) {
    sb_finished_mode *modes = part(bytes, table, SB_SECTION_FINISHED_MODES);
    modes[1].first_member = 1000;
}
static void lie_members(char *bytes, sb_section *table) {
    sb_finish_section *finish = part(bytes, table, SB_SECTION_FINISH);
    finish->member_count--;
}
static void lie_sigma(char *bytes, sb_section *table) {
    sb_finished_mode *modes = part(bytes, table, SB_SECTION_FINISHED_MODES);
    modes[0].sigma_per_s = NAN;
}
static void lie_twice(char *bytes, sb_section *table) {
    (void)bytes;
    table[2].kind = SB_SECTION_VERTICES;
}
static void lie_offset(char *bytes, sb_section *table) {
    (void)bytes;
    table[1].offset = UINT64_MAX - 63;
}
static void lie_bytes(char *bytes, sb_section *table) {
    (void)bytes;
    table[1].bytes = UINT64_MAX - 10;
}

START_TEST(lies_with_good_checksums_are_refused) {
    static const lie lies[] = {
        lie_vertices, lie_negative, lie_modes,  lie_method,
        lie_analytic, lie_material, lie_key,    lie_face,
        lie_shape,    lie_lambda,   lie_member, lie_members,
        lie_sigma,    lie_offset,   lie_bytes,  lie_twice};
    surface skin;
    sb_model_file file = contents(&skin);
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("a.modal"));
    ck_assert_int_eq(sb_model_file_write(path, &file, NULL), SB_OK);
    long count;
    char *bytes = bytes_of(path, &count), *changed = malloc((size_t)count);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        memcpy(changed, bytes, (size_t)count);
        sb_model_header *header = (void *)changed;
        sb_section *table = (void *)(changed + sizeof *header);
        lies[i](changed, table);
        for (uint32_t s = 0; s < header->section_count; s++) {
            if (table[s].offset < (uint64_t)count &&
                table[s].bytes < (uint64_t)count) {
                table[s].checksum = sb_checksum(changed + table[s].offset,
                                                (size_t)table[s].bytes);
            }
        }
        header->table_checksum =
            sb_checksum(table, header->section_count * sizeof *table);
        put_bytes(path, changed, count);
        expect_refused(path, NULL);
    }
    free(bytes);
    free(changed);
    sb_model_file_free(&file);
    skin_free(&skin);
}
END_TEST

START_TEST(every_failed_allocation_leaves_nothing) {
    surface skin;
    sb_model_file file = contents(&skin), back;
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("a.modal"));
    for (int is_read = 0; is_read < 2; is_read++) {
        long live = sb_memory_live_blocks();
        sb_status status = SB_NO_MEMORY;
        for (long n = 0; status != SB_OK; n++) {
            ck_assert_int_lt(n, 50);
            ck_assert(is_read || scratch_entries(0) == 0);
            sb_memory_fail_after(n);
            status = is_read ? sb_model_file_read(path, &back, NULL)
                             : sb_model_file_write(path, &file, NULL);
            sb_memory_fail_after(-1);
            if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
            if (is_read && !status) sb_model_file_free(&back);
            ck_assert_int_eq(sb_memory_live_blocks(), live);
        }
    }
    sb_model_file_free(&file);
    skin_free(&skin);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model_file");
    TCase *tcase = tcase_create("model_file");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, a_file_comes_back_as_it_was);
    tcase_add_test(tcase, a_grain_comes_back);
    tcase_add_test(tcase, exact_radiation_comes_back);
    tcase_add_test(tcase, a_bare_solution_needs_no_more);
    tcase_add_test(tcase, a_changed_file_is_refused);
    tcase_add_test(tcase, sentences_say_what_is_wrong);
    tcase_add_test(tcase, lies_with_good_checksums_are_refused);
    tcase_add_test(tcase, every_failed_allocation_leaves_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
