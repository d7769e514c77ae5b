/* SPDX-License-Identifier: MIT */
/* The cache of solved models: hits, misses, damaged files, the size limit,
 * several writers, and what the key contains. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/store/model_cache.h"
#include "runtime/store/model_file.h"
#include "tests/model/fill/skin.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <pthread.h>

static const sb_material glass = {2600, 6.2e10, 0.3, 1, 1e-7, 1e9,
                                  1e-6, 0.5,    0.4, 0, 0};

static sb_model_cache cache_here(void) {
    sb_model_cache cache = {.max_bytes = 1 << 30};
    (void)snprintf(cache.folder, sizeof cache.folder, "%s/a/b",
                   scratch_directory);
    return cache;
}

static void remove_tree(void) {
    char command[200];
    (void)snprintf(command, sizeof command, "rm -rf %s/a", scratch_directory);
    ck_assert_int_eq(system(command), 0);
    scratch_remove();
}

typedef struct key_text {
    char text[SB_DIGEST_TEXT_SIZE];
} key_text;

static key_text key_number(int i) {
    key_text key;
    (void)snprintf(key.text, sizeof key.text, "%064x", (unsigned)i);
    return key;
}

/* Called from threads, too: Check's asserts are not for them. */
static sb_model_file solved(surface *skin, int number, double bound) {
    *skin = skin_sphere(3, 0.1);
    skin_random_modes(skin, 5, 1, 300, 9000, &glass);
    sb_solution parts = skin_solution(skin);
    parts.facts.lambda_bound = bound;
    sb_model_file file = {0};
    strcpy(file.key, key_number(number).text);
    if (sb_solution_create(&parts, &file.solution, NULL) != SB_OK) abort();
    return file;
}

static bool stored(const sb_model_cache *cache, int number, double bound) {
    surface skin;
    sb_model_file file = solved(&skin, number, bound);
    bool ok = sb_model_cache_store(cache, &file);
    sb_model_file_free(&file);
    skin_free(&skin);
    return ok;
}

/* How far the cached solution reaches; -1: a miss. */
static double found(const sb_model_cache *cache, int number, double needed) {
    sb_model_file file;
    if (!sb_model_cache_find(cache, key_number(number).text, needed, &file)) {
        return -1;
    }
    double bound = file.solution->facts.lambda_bound;
    sb_model_file_free(&file);
    return bound;
}

static void path_number(const sb_model_cache *cache, int number,
                        char path[1200]) {
    (void)snprintf(path, 1200, "%s/%s.modal", cache->folder,
                   key_number(number).text);
}

START_TEST(what_was_stored_is_found) {
    sb_model_cache cache = cache_here();
    ck_assert_double_eq(found(&cache, 1, 0), -1);
    ck_assert(stored(&cache, 1, 100));
    ck_assert_double_eq(found(&cache, 1, 100), 100);
    ck_assert_double_eq(found(&cache, 1, 101), -1);
    ck_assert_double_eq(found(&cache, 2, 0), -1);
    ck_assert(stored(&cache, 1, 50)); /* one that reaches further is there */
    ck_assert_double_eq(found(&cache, 1, 0), 100);
    ck_assert(stored(&cache, 1, 200));
    ck_assert_double_eq(found(&cache, 1, 0), 200);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(damage_is_a_miss_and_is_replaced) {
    sb_model_cache cache = cache_here();
    char path[1200];
    path_number(&cache, 1, path);
    ck_assert(stored(&cache, 1, 100));
    FILE *file = fopen(path, "r+b");
    (void)fseek(file, 700, SEEK_SET);
    (void)fputc(0x77, file);
    (void)fclose(file);
    ck_assert_double_eq(found(&cache, 1, 0), -1);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert(stored(&cache, 1, 100));
    ck_assert_double_eq(found(&cache, 1, 0), 100);
    ck_assert_int_eq(truncate(path, 300), 0);
    ck_assert(stored(&cache, 1, 60)); /* also without having been looked for */
    ck_assert_double_eq(found(&cache, 1, 0), 60);
    char other[1200];
    path_number(&cache, 2, other); /* a file under another's name */
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_double_eq(found(&cache, 2, 0), -1);
    ck_assert(stored(&cache, 2, 70));
    ck_assert_double_eq(found(&cache, 2, 0), 70);
}
END_TEST

/* A pipe would be waited at, a link written through. */
START_TEST(only_plain_files_are_written_to) {
    sb_model_cache cache = cache_here();
    char path[1200], kept[1200];
    ck_assert(stored(&cache, 2, 70));
    path_number(&cache, 1, path);
    path_number(&cache, 2, kept);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_double_eq(found(&cache, 1, 0), -1);
    ck_assert(stored(&cache, 1, 100));
    ck_assert_double_eq(found(&cache, 1, 0), 100);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink(kept, path), 0);
    ck_assert(stored(&cache, 1, 100));
    ck_assert_double_eq(found(&cache, 1, 0), 100);
    ck_assert_double_eq(found(&cache, 2, 0), 70);
}
END_TEST

START_TEST(the_longest_unused_go_first) {
    sb_model_cache cache = cache_here();
    char path[1200];
    struct stat info;
    for (int i = 1; i <= 3; i++) {
        ck_assert(stored(&cache, i, 100));
        path_number(&cache, i, path);
        struct timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
        ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_double_eq(found(&cache, 1, 0), 100); /* used just now */
    (void)snprintf(path, sizeof path, "%s/.sandbell-1-1.tmp", cache.folder);
    FILE *file = fopen(path, "wb");
    (void)fclose(file);
    struct timespec times[2] = {{1000, 0}, {1000, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    cache.max_bytes = (uint64_t)info.st_size * 2;
    ck_assert(stored(&cache, 4, 100));
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_double_eq(found(&cache, 2, 0), -1);
    ck_assert_double_eq(found(&cache, 3, 0), -1);
    ck_assert_double_eq(found(&cache, 1, 0), 100);
    ck_assert_double_eq(found(&cache, 4, 0), 100);
    cache.max_bytes = 1;
    ck_assert(stored(&cache, 5, 100)); /* the newest stays, whatever its size */
    ck_assert_double_eq(found(&cache, 5, 0), 100);
    ck_assert_double_eq(found(&cache, 4, 0), -1);
}
END_TEST

START_TEST(without_a_folder_all_is_solved_anew) {
    sb_model_cache cache = cache_here();
    scratch_put("file", "in the way");
    (void)snprintf(cache.folder, sizeof cache.folder, "%s/file/b",
                   scratch_directory);
    ck_assert(!stored(&cache, 1, 100));
    ck_assert_double_eq(found(&cache, 1, 0), -1);
    cache.folder[0] = '\0';
    ck_assert(!stored(&cache, 1, 100));
    ck_assert_double_eq(found(&cache, 1, 0), -1);
    sb_model_file file;
    cache = cache_here();
    ck_assert(!sb_model_cache_find(&cache, "../../etc/passwd", 0, &file));
}
END_TEST

START_TEST(the_environment_says_where) {
    (void)setenv("HOME", "/home/x", 1);
    (void)unsetenv("SANDBELL_CACHE");
    (void)unsetenv("XDG_CACHE_HOME");
    sb_model_cache cache = sb_model_cache_default();
    ck_assert_str_eq(cache.folder, "/home/x/.cache/sandbell");
    ck_assert_uint_eq(cache.max_bytes, 1 << 30);
    (void)setenv("XDG_CACHE_HOME", "/var/y", 1);
    cache = sb_model_cache_default();
    ck_assert_str_eq(cache.folder, "/var/y/sandbell");
    (void)setenv("XDG_CACHE_HOME", "relative", 1);
    cache = sb_model_cache_default();
    ck_assert_str_eq(cache.folder, "/home/x/.cache/sandbell");
    (void)setenv("SANDBELL_CACHE", "/z", 1);
    cache = sb_model_cache_default();
    ck_assert_str_eq(cache.folder, "/z");
    (void)setenv("SANDBELL_CACHE", "off", 1);
    cache = sb_model_cache_default();
    ck_assert_str_eq(cache.folder, "");
}
END_TEST

/* --- company -------------------------------------------------------------- */

static char not_stored[] = "not stored", not_whole[] = "not whole";

static void *busy(void *context) {
    const sb_model_cache *cache = context;
    for (int i = 0; i < 12; i++) {
        surface skin;
        sb_model_file file = solved(&skin, i % 3, 100 + i), back;
        if (!sb_model_cache_store(cache, &file)) return not_stored;
        if (sb_model_cache_find(cache, file.key, 0, &back)) {
            /* Whole, whoever wrote it. */
            if (back.solution->mode_count != 5) return not_whole;
            sb_model_file_free(&back);
        }
        sb_model_file_free(&file);
        skin_free(&skin);
    }
    return NULL;
}

START_TEST(many_may_write_at_once) {
    sb_model_cache cache = cache_here();
    cache.max_bytes = 1 << 16; /* so that they remove each other's, too */
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, busy, &cache), 0);
    for (int i = 0; i < 3; i++) {
        void *trouble = NULL;
        ck_assert_int_eq(pthread_join(threads[i], &trouble), 0);
        ck_assert_msg(!trouble, "%s", (char *)trouble);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

/* --- keys ----------------------------------------------------------------- */

START_TEST(every_part_of_the_problem_is_in_the_key) {
    sb_vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    int faces[1][3] = {{0, 1, 2}};
    float uvs[1][3][2] = {{{0, 0}, {1, 0}, {0, 1}}};
    char held[3] = {0, 0, 1};
    sb_mesh mesh = {.vertex_count = 3,
                    .face_count = 1,
                    .vertices = vertices,
                    .faces = faces};
    sb_problem problem = {.mesh = &mesh,
                          .method = SB_METHOD_SHELL,
                          .poisson_ratio = 0.3,
                          .thickness_m = 0.001,
                          .solver_version = 1};
    char keys[10][SB_DIGEST_TEXT_SIZE], again[SB_DIGEST_TEXT_SIZE];
    int count = 0;
    sb_problem_key(&problem, keys[count++]);
    sb_problem_key(&problem, again);
    ck_assert_str_eq(again, keys[0]);
    vertices[1].x = nextafter(1, 2);
    sb_problem_key(&problem, keys[count++]);
    faces[0][0] = 2;
    sb_problem_key(&problem, keys[count++]);
    problem.method = SB_METHOD_SOLID;
    sb_problem_key(&problem, keys[count++]);
    problem.poisson_ratio = 0.31;
    sb_problem_key(&problem, keys[count++]);
    problem.thickness_m = 0.002;
    sb_problem_key(&problem, keys[count++]);
    problem.solver_version = 2;
    sb_problem_key(&problem, keys[count++]);
    problem.held = held;
    problem.held_bytes = 3;
    sb_problem_key(&problem, keys[count++]);
    mesh.uvs = uvs;
    sb_problem_key(&problem, keys[count++]);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(keys[i], keys[j]);
    }
}
END_TEST

START_TEST(every_failed_allocation_leaves_nothing) {
    sb_model_cache cache = cache_here();
    surface skin;
    sb_model_file file = solved(&skin, 1, 100), back;
    long live = sb_memory_live_blocks();
    bool is_stored = false, is_found = false;
    for (long n = 0; n < 40; n++) {
        sb_memory_fail_after(n);
        is_stored = sb_model_cache_store(&cache, &file);
        is_found = sb_model_cache_find(&cache, key_number(1).text, 0, &back);
        sb_memory_fail_after(-1);
        if (is_found) sb_model_file_free(&back);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
    ck_assert(is_stored && is_found);
    sb_model_file_free(&file);
    skin_free(&skin);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model_cache");
    TCase *tcase = tcase_create("model_cache");
    tcase_add_checked_fixture(tcase, scratch_make, remove_tree);
    tcase_add_test(tcase, what_was_stored_is_found);
    tcase_add_test(tcase, damage_is_a_miss_and_is_replaced);
    tcase_add_test(tcase, only_plain_files_are_written_to);
    tcase_add_test(tcase, the_longest_unused_go_first);
    tcase_add_test(tcase, without_a_folder_all_is_solved_anew);
    tcase_add_test(tcase, the_environment_says_where);
    tcase_add_test(tcase, many_may_write_at_once);
    tcase_add_test(tcase, every_part_of_the_problem_is_in_the_key);
    tcase_add_test(tcase, every_failed_allocation_leaves_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
