/* SPDX-License-Identifier: MIT */
/* tests/model/mesh/mesh_file_fixture.h -- reads meshes and checks that no
 * descriptor, child process or memory block is left. */
#pragma once

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh/mesh_wire.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>
#include <sys/wait.h>

static inline const char *mesh_path(const char *name) {
    static char paths[4][400];
    static int next;
    char *path = paths[next++ & 3];
    (void)snprintf(path, sizeof paths[0], "%s/%s", MESHES, name);
    return path;
}

static inline int count_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(directory);
    int count = 0;
    while (readdir(directory)) {
        count++;
    }
    (void)closedir(directory);
    return count;
}

/* Every read in these tests uses this function. */
static inline sb_status read_mesh(const char *path, double scale, sb_mesh *out,
                                  sb_mesh_report *report, sb_error *err) {
    int descriptors = count_descriptors();
    long blocks = sb_memory_live_blocks();
    *err = (sb_error){0};
    sb_mesh mesh = {.face_count = 77};
    sb_status status = sb_mesh_read(path, scale, &mesh, report, err);
    ck_assert_int_eq(count_descriptors(), descriptors);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child process is
                                                       * left either */
    if (status) {
        ck_assert_int_eq(mesh.face_count, 77);
        ck_assert_int_eq(sb_memory_live_blocks(), blocks);
        size_t shown = strlen(path) < 200 ? strlen(path) : 200;
        ck_assert_msg(!strncmp(err->message, path, shown), "%s", err->message);
        ck_assert_msg(strlen(err->message) > shown + 5, "%s", err->message);
    } else {
        *out = mesh;
    }
    return status;
}

static inline sb_mesh read_good(const char *path, sb_mesh_report *report) {
    sb_mesh mesh = {0};
    sb_error err;
    sb_status status = read_mesh(path, 1, &mesh, report, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return mesh;
}

static inline void expect_sentence(const char *path, sb_status status,
                                   const char *words) {
    sb_mesh mesh = {0};
    sb_error err;
    sb_status got = read_mesh(path, 1, &mesh, NULL, &err);
    ck_assert_msg(got == status, "%s: %s", sb_status_name(got), err.message);
    ck_assert_msg(strstr(err.message, words), "%s", err.message);
}

static inline TCase *add_case(Suite *suite, const char *name) {
    TCase *tcase = tcase_create(name);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    return tcase;
}
