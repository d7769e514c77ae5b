/* SPDX-License-Identifier: MIT */
/* Numbers in mesh files: every spelling that C reads, in any locale. */
#include "tests/model/mesh/mesh_file_fixture.h"
#include "tests/model/mesh/mesh_measure.h"

/* One half, in ways that exporters and people write it. */
static const char *const halves[] = {"0.5",     ".5",    "+.5",    "+0.5",
                                     "5e-1",    "5E-1",  ".5e0",   ".5E+0",
                                     "50.e-2",  "00.5",  "0x1p-1", "0X.8p0",
                                     "0.50000", ".05e1", "0.5e-0", "500e-3"};

/* Minus this; the spelling with its sign changed. */
static const char *minus(const char *half) {
    static char text[32];
    (void)snprintf(text, sizeof text, "-%s", half + (*half == '+'));
    return text;
}

static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

static void put_point(FILE *out, const char *half, int corner,
                      const char *between) {
    for (int axis = 0; axis < 3; axis++)
        (void)fprintf(out, "%s%s", axis ? between : "",
                      corner >> axis & 1 ? half : minus(half));
}

static void put_obj(FILE *out, const char *half, const char *between) {
    for (int i = 0; i < 8; i++) {
        (void)fputs("v ", out);
        put_point(out, half, i, between);
        (void)fprintf(out, "\nvt %s 0\n", half);
    }
    for (int i = 0; i < 6; i++) {
        const int *q = quads[i];
        (void)fprintf(out, "f %d/%d %d/%d %d/%d %d/%d\n", q[0] + 1, q[0] + 1,
                      q[1] + 1, q[1] + 1, q[2] + 1, q[2] + 1, q[3] + 1,
                      q[3] + 1);
    }
}

static void put_ply(FILE *out, const char *half) {
    (void)fputs("ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\n"
                "property float y\nproperty float z\nelement face 6\n"
                "property list uchar int vertex_indices\nend_header\n",
                out);
    for (int i = 0; i < 8; i++) {
        put_point(out, half, i, " ");
        (void)fputs("\n", out);
    }
    for (int i = 0; i < 6; i++) {
        const int *q = quads[i];
        (void)fprintf(out, "4 %d %d %d %d\n", q[0], q[1], q[2], q[3]);
    }
}

static void put_stl(FILE *out, const char *half) {
    (void)fputs("solid cube\n", out);
    for (int i = 0; i < 12; i++) {
        const int *q = quads[i / 2];
        const int corners[3] = {q[0], q[i % 2 ? 2 : 1], q[i % 2 ? 3 : 2]};
        (void)fputs("facet normal 0 0 0\nouter loop\n", out);
        for (int c = 0; c < 3; c++) {
            (void)fputs("vertex ", out);
            put_point(out, half, corners[c], " ");
            (void)fputs("\n", out);
        }
        (void)fputs("endloop\nendfacet\n", out);
    }
    (void)fputs("endsolid cube\n", out);
}

static void expect_unit_cube(const char *name, const char *half) {
    sb_mesh_report report;
    sb_mesh mesh = {0};
    sb_error err;
    sb_status status = read_mesh(scratch_path(name), 1, &mesh, &report, &err);
    ck_assert_msg(status == SB_OK, "%s: %s", half, err.message);
    ck_assert_msg(mesh.vertex_count == 8 && mesh.face_count == 12,
                  "%s as %s: %d vertices, %d faces", half, name,
                  mesh.vertex_count, mesh.face_count);
    ck_assert_double_eq_tol(mesh_volume_m3(&mesh), 1, 1e-6);
    for (int i = 0; i < 8; i++)
        ck_assert_double_eq_tol(mesh.vertices[i].x * mesh.vertices[i].x, .25,
                                1e-6);
    if (mesh.uvs) ck_assert_double_eq_tol((double)mesh.uvs[0][0][0], .5, 1e-6);
    sb_mesh_free(&mesh);
}

static void expect_in_all_formats(const char *half) {
    bool is_hex = strpbrk(half, "xX") != NULL;
    FILE *out = fopen(scratch_path("cube.obj"), "w");
    put_obj(out, half, " ");
    (void)fclose(out);
    expect_unit_cube("cube.obj", half);
    out = fopen(scratch_path("cube.obj"), "w");
    put_obj(out, half, " \\\n\t"); /* each number in a line of its own */
    (void)fclose(out);
    expect_unit_cube("cube.obj", half);
    out = fopen(scratch_path("cube.ply"), "w");
    put_ply(out, half);
    (void)fclose(out);
    expect_unit_cube("cube.ply", half);
    if (is_hex) return; /* no exporter of STL writes that */
    out = fopen(scratch_path("cube.stl"), "w");
    put_stl(out, half);
    (void)fclose(out);
    expect_unit_cube("cube.stl", half);
}

START_TEST(numbers_are_read_as_c_reads_them) {
    expect_in_all_formats(halves[_i]);
}
END_TEST

START_TEST(the_locale_does_not_matter) {
    /* The reader is a process of its own and sees only the environment. */
    ck_assert_int_eq(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
    ck_assert_int_eq(setenv("LC_NUMERIC", "de_DE.UTF-8", 1), 0);
    expect_in_all_formats(".5");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mesh_numbers");
    TCase *numbers = add_case(suite, "numbers");
    tcase_add_loop_test(numbers, numbers_are_read_as_c_reads_them, 0,
                        (int)(sizeof halves / sizeof *halves));
    tcase_add_test(numbers, the_locale_does_not_matter);
    return run_suite(suite);
}
