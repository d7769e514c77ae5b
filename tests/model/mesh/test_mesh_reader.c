/* SPDX-License-Identifier: MIT */
/* Readers that crash, hang, send invalid data or are missing, and the
 * calling program. */
#include "runtime/model/mesh/mesh_wire.h"
#include "tests/model/mesh/mesh_file_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* --- readers that misbehave ----------------------------------------------- */

static void use_reader(const char *script) {
    scratch_put("reader", script);
    ck_assert_int_eq(chmod(scratch_path("reader"), 0755), 0);
    ck_assert_int_eq(setenv("SANDBELL_MESH_READER", scratch_path("reader"), 1),
                     0);
}

/* A reader that writes these bytes and ends in the given manner. */
static void use_answer(const void *bytes, size_t size, const char *ending) {
    FILE *file = fopen(scratch_path("answer"), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), (size_t)size);
    ck_assert_int_eq(fclose(file), 0);
    char script[300];
    (void)snprintf(script, sizeof script, "#!/bin/sh\ncat '%s'\n%s\n",
                   scratch_path("answer"), ending);
    use_reader(script);
}

static void expect_of_reader(const char *words) {
    sb_mesh mesh = {0};
    sb_error err;
    ck_assert_int_ne(
        read_mesh(mesh_path("good/cube.obj"), 1, &mesh, NULL, &err), SB_OK);
    ck_assert_msg(strstr(err.message, words), "%s", err.message);
}

START_TEST(a_reader_that_crashes_is_survived) {
    use_reader("#!/bin/sh\nkill -SEGV $$\n");
    expect_of_reader("cube.obj: the importer crashed while reading it (signal "
                     "11); the file is probably damaged");
    use_reader("#!/bin/sh\nexit 3\n");
    expect_of_reader("exit code 3");
    use_reader("#!/bin/sh\nexit 0\n");
    expect_of_reader("output is invalid");
}
END_TEST

START_TEST(a_reader_that_hangs_is_killed) {
    sb_mesh_read_set_time_limit(300);
    use_reader("#!/bin/sh\nsleep 1000\n");
    expect_of_reader("took too long");
    use_reader("#!/bin/sh\ntrap '' TERM\nsleep 1000 & wait\n");
    expect_of_reader("took too long");
    use_reader("#!/bin/sh\nexec >&-\nsleep 1000\n");
    expect_of_reader("took too long");
    sb_mesh_read_set_time_limit(0);
    /* Not waited for: its output is invalid from the start. */
    use_reader("#!/bin/sh\nwhile :; do echo nonsense nonsense; done\n");
    expect_of_reader("output is invalid");
}
END_TEST

START_TEST(a_reader_that_is_not_there_is_named) {
    ck_assert_int_eq(setenv("SANDBELL_MESH_READER", "/nowhere/reader", 1), 0);
    expect_of_reader("is missing at /nowhere/reader; install it, or "
                     "set SANDBELL_MESH_READER");
    use_reader("no program\n");
    expect_of_reader("cannot be started");
    ck_assert_int_eq(setenv("SANDBELL_MESH_READER", "", 1), 0);
    sb_mesh mesh = read_good(mesh_path("good/cube.obj"), NULL);
    sb_mesh_free(&mesh);
}
END_TEST

/* A triangle in the format of mesh_wire.h. */
struct answer {
    sb_wire_head head;
    double points[3][3];
    int32_t face[3];
    float uvs[3][2];
    char end[SB_WIRE_MARK];
};

static const size_t answer_size = offsetof(struct answer, end) + SB_WIRE_MARK;

static struct answer make_answer(void) {
    struct answer answer = {
        .head = {.vertex_count = 3, .face_count = 1, .has_uvs = 1},
        .points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        .face = {0, 1, 2},
        .uvs = {{0.25f, 0.5f}, {NAN, 1}, {1, INFINITY}}};
    memcpy(answer.head.mark, SB_WIRE_MESH, SB_WIRE_MARK);
    memcpy(answer.end, SB_WIRE_END, SB_WIRE_MARK);
    return answer;
}

START_TEST(an_answer_is_believed_only_when_it_is_whole) {
    struct answer good = make_answer();
    use_answer(&good, answer_size, "");
    sb_mesh mesh = read_good(mesh_path("good/cube.obj"), NULL);
    ck_assert_int_eq(mesh.vertex_count, 3);
    ck_assert_float_eq(mesh.uvs[0][0][1], 0.5f);
    ck_assert_float_eq(mesh.uvs[0][1][1], 0);
    ck_assert_float_eq(mesh.uvs[0][2][0], 0);
    sb_mesh_free(&mesh);
    for (size_t size = 0; size < answer_size; size += 25) {
        use_answer(&good, size, "");
        expect_of_reader("output is invalid");
    }
    use_answer(&good, answer_size, "kill -ABRT $$");
    expect_of_reader("crashed while reading it (signal 6)");
    use_answer(&good, answer_size, "exit 1");
    expect_of_reader("exit code 1");
}
END_TEST

START_TEST(false_counts_and_corners_are_found_out) {
    static const struct {
        size_t offset;
        int32_t value;
    } lies[] = {{offsetof(sb_wire_head, vertex_count), INT32_MAX},
                {offsetof(sb_wire_head, vertex_count), -1},
                {offsetof(sb_wire_head, vertex_count), SB_WIRE_MOST_VERTICES},
                {offsetof(sb_wire_head, face_count), SB_WIRE_MOST_FACES + 1},
                {offsetof(sb_wire_head, face_count), INT32_MIN},
                {offsetof(sb_wire_head, tet_count), SB_WIRE_MOST_TETS},
                {offsetof(sb_wire_head, tet_count), 0x40000000},
                {offsetof(sb_wire_head, has_uvs), 2},
                {offsetof(sb_wire_head, status), 5},
                {offsetof(sb_wire_head, text_size), 100},
                {offsetof(sb_wire_head, mark), 0},
                {offsetof(struct answer, face), 3},
                {offsetof(struct answer, face), -1},
                {offsetof(struct answer, end), 0}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct answer lie = make_answer();
        memcpy((char *)&lie + lies[i].offset, &lies[i].value, sizeof(int32_t));
        use_answer(&lie, answer_size, "");
        expect_of_reader("output is invalid");
    }
    struct answer nowhere = make_answer();
    nowhere.points[1][2] = NAN;
    use_answer(&nowhere, answer_size, "");
    expect_of_reader("vertex 1 (counted from 0) at (1, 0, nan)");
}
END_TEST

START_TEST(a_sentence_cannot_carry_control_characters) {
    static const char text[] = "red \033[31malert\n";
    struct {
        sb_wire_head head;
        char rest[sizeof text - 1 + SB_WIRE_MARK];
    } said = {{.status = SB_BAD_FORMAT, .text_size = sizeof text - 1}, {0}};
    memcpy(said.head.mark, SB_WIRE_SENTENCE, SB_WIRE_MARK);
    memcpy(said.rest, text, sizeof text - 1);
    memcpy(said.rest + sizeof text - 1, SB_WIRE_END, SB_WIRE_MARK);
    size_t size = sizeof said.head + sizeof text - 1 + SB_WIRE_MARK;
    use_answer(&said, size, "");
    expect_of_reader("cube.obj: red ?[31malert?");
    said.head.status = SB_OK;
    use_answer(&said, size, "");
    expect_of_reader("output is invalid");
    said.head.status = SB_STATUS_COUNT;
    use_answer(&said, size, "");
    expect_of_reader("output is invalid");
}
END_TEST

/* The reader inherits the pipe and no other descriptor of the program. */
START_TEST(a_reader_inherits_no_descriptors) {
    int open_one = open(mesh_path("good/cube.obj"), O_RDONLY);
    ck_assert_int_ge(open_one, 0);
    /* A descriptor so high that the shell does not use it itself. */
    ck_assert_int_eq(dup2(open_one, 60), 60);
    use_reader("#!/bin/sh\n[ -e /proc/$$/fd/60 ] && exit 9\nexit 4\n");
    expect_of_reader("exit code 4");
    (void)close(60);
    (void)close(open_one);
}
END_TEST

/* --- the calling program -------------------------------------------------- */

START_TEST(every_failed_allocation_is_survived) {
    const char *path = mesh_path("good/uv_sphere.obj");
    sb_status status = SB_NO_MEMORY;
    long n = 0;
    for (; status && n < 100; n++) {
        sb_mesh mesh = {0};
        sb_error err;
        sb_memory_fail_after(n);
        status = read_mesh(path, 1, &mesh, NULL, &err);
        sb_memory_fail_after(-1);
        if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
        sb_mesh_free(&mesh);
    }
    ck_assert_int_eq(status, SB_OK);
    ck_assert_int_gt(n, 10);
}
END_TEST

START_TEST(ignored_and_blocked_signals_do_not_matter) {
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    sb_mesh mesh = read_good(mesh_path("good/cube.obj"), NULL);
    sb_mesh_free(&mesh);
    use_reader("#!/bin/sh\nkill -ABRT $$\n");
    expect_of_reader("signal 6");
    (void)unsetenv("SANDBELL_MESH_READER");
    (void)signal(SIGCHLD, SIG_IGN); /* children are reaped automatically */
    mesh = read_good(mesh_path("good/cube.obj"), NULL);
    sb_mesh_free(&mesh);
}
END_TEST

static void *read_some(void *faces) {
    for (int i = 0; i < 5; i++) {
        sb_mesh mesh = {0};
        if (sb_mesh_read((i & 1) ? MESHES "/good/cube.node"
                                 : MESHES "/good/cube.gltf",
                         1, &mesh, NULL, NULL) == SB_OK) {
            *(int *)faces += mesh.face_count;
        }
        sb_mesh_free(&mesh);
    }
    return NULL;
}

START_TEST(several_threads_read_at_once) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int faces[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, read_some, &faces[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_int_eq(faces[i], 60);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mesh_reader");
    TCase *tcase = add_case(suite, "readers");
    tcase_add_test(tcase, a_reader_that_crashes_is_survived);
    tcase_add_test(tcase, a_reader_that_hangs_is_killed);
    tcase_add_test(tcase, a_reader_that_is_not_there_is_named);
    tcase_add_test(tcase, an_answer_is_believed_only_when_it_is_whole);
    tcase_add_test(tcase, false_counts_and_corners_are_found_out);
    tcase_add_test(tcase, a_sentence_cannot_carry_control_characters);
    tcase_add_test(tcase, a_reader_inherits_no_descriptors);
    tcase_add_test(tcase, every_failed_allocation_is_survived);
    tcase_add_test(tcase, ignored_and_blocked_signals_do_not_matter);
    tcase_add_test(tcase, several_threads_read_at_once);
    return run_suite(suite);
}
