/* SPDX-License-Identifier: MIT */
/* Meshes from files of every format, valid and damaged. */
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/model/mesh/mesh_wire.h"
#include "tests/model/mesh/mesh_file_fixture.h"
#include "tests/model/mesh/mesh_measure.h"

/* Sanitizers make the code slow, including the start of the reader. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CUTS = 2, FLIPS = 4, MANY_ROWS = 100 };
#else
enum { CUTS = 5, FLIPS = 10, MANY_ROWS = 708 };
#endif

/* --- good files ----------------------------------------------------------- */

typedef void (*visitor)(const char *name);

static void for_each_in(const char *folder, visitor visit) {
    DIR *directory = opendir(mesh_path(folder));
    ck_assert_ptr_nonnull(directory);
    struct dirent *entry = NULL;
    while ((entry = readdir(directory))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (*entry->d_name == '.' || (dot && !strcmp(dot, ".bin"))) continue;
        visit(entry->d_name);
    }
    (void)closedir(directory);
}

static int cubes_seen;

static void expect_cube(const char *name) {
    if (strncmp(name, "cube", 4) != 0) return;
    cubes_seen++;
    char path[400];
    (void)snprintf(path, sizeof path, "%s/good/%s", MESHES, name);
    sb_mesh_report report;
    sb_mesh mesh = read_good(path, &report);
    ck_assert_msg(mesh.vertex_count == 8 && mesh.face_count == 12,
                  "%s: %d vertices, %d faces", name, mesh.vertex_count,
                  mesh.face_count);
    ck_assert(report.is_closed);
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 1, 1e-12);
    ck_assert_double_eq_tol(mesh_area_m2(&mesh), 6, 1e-12);
    int corners = 0; /* a bit for each corner of the unit cube */
    for (int i = 0; i < 8; i++) {
        sb_vec3 p = mesh.vertices[i];
        corners |= 1 << ((int)p.x + 2 * (int)p.y + 4 * (int)p.z);
    }
    ck_assert_int_eq(corners, 255);
    const char *dot = strrchr(name, '.');
    bool is_volume = !strcmp(dot, ".node") || !strcmp(dot, ".ele") ||
                     !strcmp(name, "cube_41.msh");
    if (is_volume) ck_assert_int_eq(mesh.tet_count, 6);
    sb_mesh_free(&mesh);
}

START_TEST(a_cube_is_the_same_cube_in_every_format) {
    cubes_seen = 0;
    for_each_in("good", expect_cube);
    ck_assert_int_ge(cubes_seen, 21);
}
END_TEST

START_TEST(a_sphere_keeps_its_texture_coordinates_over_the_seam) {
    sb_mesh_report report;
    sb_mesh mesh = read_good(mesh_path("good/uv_sphere.obj"), &report);
    ck_assert_int_eq(mesh.vertex_count, 2 + 11 * 16);
    ck_assert_int_eq(mesh.face_count, 2 * 16 + 2 * 10 * 16);
    ck_assert(report.is_closed && !report.was_inside_out);
    ck_assert_ptr_nonnull(mesh.uvs);
    for (int f = 0; f < mesh.face_count; f++) {
        double lowest = 1, highest = 0;
        for (int c = 0; c < 3; c++) {
            sb_vec3 p = mesh.vertices[mesh.faces[f][c]];
            double v = 1 - acos(fmax(-1, fmin(1, p.y / 0.1))) / SB_PI;
            ck_assert_double_eq_tol(mesh.uvs[f][c][1], v, 1e-3);
            lowest = fmin(lowest, mesh.uvs[f][c][0]);
            highest = fmax(highest, mesh.uvs[f][c][0]);
        }
        /* No face spans the whole texture: the vertices of the seam are
         * separate. */
        ck_assert_double_le(highest - lowest, 1.0 / 16 + 1e-5);
    }
    sb_mesh_free(&mesh);
}
END_TEST

/* Of vertices and of corners of faces; in these files they are x and y. */
START_TEST(ply_files_keep_their_texture_coordinates) {
    static const char *const names[] = {"good/cube_double.ply",
                                        "good/cube_corners.ply"};
    for (int i = 0; i < 2; i++) {
        sb_mesh mesh = read_good(mesh_path(names[i]), NULL);
        ck_assert_ptr_nonnull(mesh.uvs);
        for (int f = 0; f < mesh.face_count; f++) {
            for (int c = 0; c < 3; c++) {
                sb_vec3 p = mesh.vertices[mesh.faces[f][c]];
                ck_assert_double_eq_tol(mesh.uvs[f][c][0], p.x, 1e-6);
                ck_assert_double_eq_tol(mesh.uvs[f][c][1], p.y, 1e-6);
            }
        }
        sb_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(modelled_and_scanned_surfaces_are_described) {
    sb_mesh_report report;
    sb_mesh mesh = read_good(mesh_path("good/icosphere.ply"), &report);
    ck_assert_int_eq(mesh.vertex_count, 162);
    ck_assert(report.is_closed);
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 4.19e-3, 0.15e-3);
    sb_mesh_free(&mesh);
    mesh = read_good(mesh_path("good/blob_with_hole.stl"), &report);
    ck_assert_int_eq(report.hole_count, 1);
    ck_assert_int_eq(report.border_edges, 5);
    ck_assert_int_eq(report.component_count, 1);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(transforms_of_nodes_are_applied) {
    sb_mesh_report report;
    sb_mesh mesh = read_good(mesh_path("good/halves.gltf"), &report);
    ck_assert(report.is_closed);
    ck_assert(!report.was_inside_out); /* though one half is mirrored */
    ck_assert_int_eq(report.component_count, 1);
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 1, 1e-6);
    ck_assert_double_eq_tol(report.low_m.x, 0, 1e-6);
    ck_assert_double_eq_tol(report.high_m.x, 1, 1e-6);
    sb_mesh_free(&mesh);
}
END_TEST

/* An open mesh keeps the orientation of the file, so a mirror must not
 * reverse it: all faces of a box without a lid face away from its centre. */
START_TEST(a_mirrored_node_is_not_inside_out) {
    sb_mesh mesh = read_good(mesh_path("good/mirrored_open.gltf"), NULL);
    ck_assert_int_eq(mesh.face_count, 10);
    sb_vec3 middle = {-0.25, 0.5, 0.5};
    for (int f = 0; f < mesh.face_count; f++) {
        sb_vec3 a = mesh.vertices[mesh.faces[f][0]];
        sb_vec3 b = mesh.vertices[mesh.faces[f][1]];
        sb_vec3 c = mesh.vertices[mesh.faces[f][2]];
        sb_vec3 normal = sb_vec3_cross(sb_vec3_sub(b, a), sb_vec3_sub(c, a));
        ck_assert_double_gt(sb_vec3_dot(normal, sb_vec3_sub(a, middle)), 0);
    }
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(scale_scales_and_must_be_positive) {
    sb_mesh mesh = {0};
    sb_error err;
    const char *path = mesh_path("good/cube.obj");
    ck_assert_int_eq(read_mesh(path, 0.5, &mesh, NULL, &err), SB_OK);
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 0.125, 1e-12);
    sb_mesh_free(&mesh);
    const double wrong[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(read_mesh(path, wrong[i], &mesh, NULL, &err),
                         SB_BAD_ARGUMENT);
    }
    ck_assert_int_eq(read_mesh(path, 1e12, &mesh, NULL, &err), SB_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "1e9 m"));
}
END_TEST

/* --- bad files ------------------------------------------------------------ */

static void expect_line(const char *line) {
    char name[64], words[200], path[400];
    if (*line == '#') return;
    ck_assert_int_eq(sscanf(line, "%63s %199[^\n]", name, words), 2);
    (void)snprintf(path, sizeof path, "%s/bad/%s", MESHES, name);
    ck_assert_msg(access(path, R_OK) == 0, "there is no %s", name);
    sb_mesh mesh = {0};
    sb_error err;
    sb_status status = read_mesh(path, 1, &mesh, NULL, &err);
    bool may_be_ok = !strcmp(words, "ok") || !strcmp(words, "any");
    if (status == SB_OK) {
        ck_assert_msg(may_be_ok, "%s is read", name);
        ck_assert_int_gt(mesh.face_count, 0);
        sb_mesh_free(&mesh);
        return;
    }
    ck_assert_msg(strcmp(words, "ok") != 0, "%s", err.message);
    if (strcmp(words, "any") != 0 && strcmp(words, "refused") != 0) {
        ck_assert_msg(strstr(err.message, words), "%s", err.message);
    }
}

static char expectations[1 << 16];

static void expect_listed(const char *name) {
    char line_start[80];
    (void)snprintf(line_start, sizeof line_start, "\n%s ", name);
    ck_assert_msg(!strcmp(name, "EXPECT") || strstr(expectations, line_start),
                  "%s is not in EXPECT", name);
}

START_TEST(damaged_files_give_what_is_expected_of_them) {
    long size = scratch_get(mesh_path("bad/EXPECT"), expectations,
                            sizeof expectations - 1);
    ck_assert_int_gt(size, 0);
    for_each_in("bad", expect_listed);
    int count = 0;
    for (char *line = strtok(expectations, "\n"); line;
         line = strtok(NULL, "\n")) {
        expect_line(line);
        count++;
    }
    ck_assert_int_ge(count, 150);
}
END_TEST

START_TEST(what_is_no_file_is_named) {
    expect_sentence(scratch_path("nowhere.obj"), SB_NOT_FOUND, "no such file");
    expect_sentence(mesh_path("good"), SB_BAD_FORMAT, "is a folder");
    ck_assert_int_eq(mkfifo(scratch_path("pipe.obj"), 0600), 0);
    expect_sentence(scratch_path("pipe.obj"), SB_BAD_FORMAT, "regular file");
    scratch_put("secret.obj", "v 0 0 0\n");
    ck_assert_int_eq(chmod(scratch_path("secret.obj"), 0), 0);
    if (geteuid() != 0) {
        expect_sentence(scratch_path("secret.obj"), SB_IO_ERROR,
                        "may not be read");
    }
    static char long_name[5000];
    memset(long_name, 'x', sizeof long_name - 5);
    memcpy(long_name + sizeof long_name - 5, ".obj", 5);
    expect_sentence(long_name, SB_NOT_FOUND, "too long");
}
END_TEST

static void copy_file(const char *from, const char *name) {
    static char bytes[1 << 16];
    long size = scratch_get(from, bytes, sizeof bytes);
    ck_assert_int_gt(size, 0);
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, (size_t)size, file), (size_t)size);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(names_may_have_spaces_and_capitals) {
    copy_file(mesh_path("good/cube.obj"), "My Cube (1).OBJ");
    sb_mesh mesh = read_good(scratch_path("My Cube (1).OBJ"), NULL);
    sb_mesh_free(&mesh);
    copy_file(mesh_path("good/cube.node"), "c.NODE");
    copy_file(mesh_path("good/cube.ele"), "c.ELE");
    mesh = read_good(scratch_path("c.ELE"), NULL);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(a_link_out_of_the_folder_is_not_followed) {
    copy_file(mesh_path("good/cube.gltf"), "cube.gltf");
    ck_assert_int_eq(
        symlink(mesh_path("good/cube.bin"), scratch_path("cube.bin")), 0);
    expect_sentence(scratch_path("cube.gltf"), SB_BAD_FORMAT,
                    "cube.bin, which is outside its folder");
    copy_file(mesh_path("good/cube.node"), "cube.node");
    ck_assert_int_eq(
        symlink(mesh_path("good/cube.ele"), scratch_path("cube.ele")), 0);
    expect_sentence(scratch_path("cube.node"), SB_BAD_FORMAT, "link out of");
    (void)unlink(scratch_path("cube.bin"));
    copy_file(mesh_path("good/cube.bin"), "cube.bin");
    sb_mesh mesh = read_good(scratch_path("cube.gltf"), NULL);
    sb_mesh_free(&mesh);
}
END_TEST

/* --- large files ---------------------------------------------------------- */

static void put_floats(FILE *file, double x, double y, double z) {
    float p[3] = {(float)x, (float)y, (float)z};
    ck_assert_uint_eq(fwrite(p, sizeof p, 1, file), 1);
}

static double cos_of[MANY_ROWS], sin_of[MANY_ROWS];

/* A corner of a torus that closes exactly. */
static void put_torus_corner(FILE *file, int i, int j) {
    i %= MANY_ROWS;
    j %= MANY_ROWS;
    double r = 1 + 0.3 * cos_of[j];
    put_floats(file, r * cos_of[i], r * sin_of[i], 0.3 * sin_of[j]);
}

/* About a million triangles, each with three points of its own. */
START_TEST(a_large_scan_is_read) {
    static const int corners[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}},
                                         {{0, 0}, {1, 1}, {0, 1}}};
    FILE *file = fopen(scratch_path("large.stl"), "wb");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < MANY_ROWS; i++) {
        cos_of[i] = cos(2 * SB_PI * i / MANY_ROWS);
        sin_of[i] = sin(2 * SB_PI * i / MANY_ROWS);
    }
    char head[80] = "large";
    uint32_t count = 2 * MANY_ROWS * MANY_ROWS;
    (void)fwrite(head, sizeof head, 1, file);
    (void)fwrite(&count, sizeof count, 1, file);
    for (uint32_t t = 0; t < count; t++) {
        put_floats(file, 0, 0, 0);
        int i = (int)t / 2 / MANY_ROWS, j = (int)t / 2 % MANY_ROWS;
        for (int c = 0; c < 3; c++) {
            const int *step = corners[t % 2][c];
            put_torus_corner(file, i + step[0], j + step[1]);
        }
        (void)fwrite("\0", 2, 1, file);
    }
    ck_assert_int_eq(fclose(file), 0);
    sb_mesh_report report;
    sb_mesh mesh = read_good(scratch_path("large.stl"), &report);
    ck_assert_int_eq(mesh.face_count, count);
    ck_assert_int_eq(mesh.vertex_count, count / 2);
    ck_assert(report.is_closed);
    double volume_m3 = 2 * SB_PI * SB_PI * 0.09;
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), volume_m3, 5e-3);
    sb_mesh_free(&mesh);
}
END_TEST

START_TEST(too_many_triangles_are_refused) {
    FILE *file = fopen(scratch_path("many.ply"), "wb");
    ck_assert_ptr_nonnull(file);
    int count = SB_WIRE_MOST_FACES + 1;
    (void)fprintf(file,
                  "ply\nformat binary_little_endian 1.0\nelement vertex 3\n"
                  "property float x\nproperty float y\nproperty float z\n"
                  "element face %d\nproperty list uchar uchar vertex_indices\n"
                  "end_header\n",
                  count);
    for (int i = 0; i < 3; i++) {
        put_floats(file, i == 0, i == 1, i == 2);
    }
    for (int i = 0; i < count; i++) {
        (void)fwrite("\3\0\1\2", 4, 1, file);
    }
    ck_assert_int_eq(fclose(file), 0);
    expect_sentence(scratch_path("many.ply"), SB_BAD_FORMAT,
                    "more than 2000000 triangles");
}
END_TEST

START_TEST(a_huge_file_is_not_even_opened) {
    scratch_put("huge.obj", "v 0 0 0\n");
    ck_assert_int_eq(truncate(scratch_path("huge.obj"), 600 * 1000000L), 0);
    expect_sentence(scratch_path("huge.obj"), SB_BAD_FORMAT, "512 MB");
}
END_TEST

/* --- random damage -------------------------------------------------------- */

static char fuzz_bytes[1 << 16];
static sb_random fuzz_random;

static long fuzz_rounds(void) { /* SANDBELL_FUZZ_ROUNDS=20 for a long run */
    const char *rounds = getenv("SANDBELL_FUZZ_ROUNDS");
    return rounds ? strtol(rounds, NULL, 10) : 1;
}

static void put_and_read(const char *name, long size) {
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(fuzz_bytes, 1, (size_t)size, file), (size_t)size);
    ck_assert_int_eq(fclose(file), 0);
    sb_mesh mesh = {0};
    sb_error err;
    if (read_mesh(scratch_path(name), 1, &mesh, NULL, &err) == SB_OK) {
        sb_mesh_free(&mesh);
    }
}

static void fuzz(const char *name) {
    char path[400];
    (void)snprintf(path, sizeof path, "%s/good/%s", MESHES, name);
    long size = scratch_get(path, fuzz_bytes, sizeof fuzz_bytes);
    ck_assert_int_gt(size, 0);
    for (long i = 0; i < CUTS * fuzz_rounds(); i++) {
        put_and_read(name, sb_random_u32(&fuzz_random) % size);
    }
    for (long i = 0; i < FLIPS * fuzz_rounds(); i++) {
        long at = sb_random_u32(&fuzz_random) % size;
        char was = fuzz_bytes[at];
        int bit = 1 << (sb_random_u32(&fuzz_random) & 7);
        fuzz_bytes[at] = (char)(was ^ bit);
        put_and_read(name, size);
        fuzz_bytes[at] = was;
    }
    /* Restored, for the other file of the pair, which comes later. */
    put_and_read(name, size);
}

START_TEST(cut_and_flipped_files_give_a_mesh_or_a_sentence) {
    fuzz_random = sb_random_make((uint64_t)fuzz_rounds(), 7);
    sb_mesh_read_set_time_limit(1500);
    copy_file(mesh_path("good/cube.bin"), "cube.bin");
    for_each_in("good", fuzz);
    sb_mesh_read_set_time_limit(0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mesh_file");
    TCase *tcase = add_case(suite, "files");
    tcase_add_test(tcase, a_cube_is_the_same_cube_in_every_format);
    tcase_add_test(tcase, a_sphere_keeps_its_texture_coordinates_over_the_seam);
    tcase_add_test(tcase, ply_files_keep_their_texture_coordinates);
    tcase_add_test(tcase, modelled_and_scanned_surfaces_are_described);
    tcase_add_test(tcase, transforms_of_nodes_are_applied);
    tcase_add_test(tcase, a_mirrored_node_is_not_inside_out);
    tcase_add_test(tcase, scale_scales_and_must_be_positive);
    tcase_add_test(tcase, damaged_files_give_what_is_expected_of_them);
    tcase_add_test(tcase, what_is_no_file_is_named);
    tcase_add_test(tcase, names_may_have_spaces_and_capitals);
    tcase_add_test(tcase, a_link_out_of_the_folder_is_not_followed);
    tcase_add_test(tcase, a_large_scan_is_read);
    tcase_add_test(tcase, too_many_triangles_are_refused);
    tcase_add_test(tcase, a_huge_file_is_not_even_opened);
    tcase_add_test(tcase, cut_and_flipped_files_give_a_mesh_or_a_sentence);
    return run_suite(suite);
}
