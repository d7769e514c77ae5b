/* SPDX-License-Identifier: MIT */
/* Graphs: lines and bands are drawn where their values are, gaps stay empty,
 * and a file that cannot be written is named. */
#include "runtime/base/memory.h"
#include "runtime/media/picture/graph.h"
#include "tests/media/picture_reader.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>
#include <stdbool.h>

typedef struct point {
    double time_s, value;
} point;

enum { COUNT = 40000 };
static point points[COUNT];
static const double step_s = 1e-3;

static const sb_colour red = {255, 0, 0, 255};

static bool is_red(const read_picture *p, int x, int y) {
    const unsigned char *at = p->pixels + ((ptrdiff_t)y * p->width + x) * 3;
    return at[0] > 150 && at[1] < 90 && at[2] < 90;
}

static void setup(void) {
    scratch_make();
    for (int i = 0; i < COUNT; i++)
        points[i] = (point){i * step_s, 0};
}

/* One panel from -1 to 1. */
static read_picture draw(int count, double from_s, double to_s) {
    sb_graph_panel panel = {
        .name = "what",
        .unit = "m",
        .low = -1,
        .high = 1,
        .curves = {{NULL, red, offsetof(point, value)}},
        .curve_count = 1,
    };
    sb_graph_def def = {.title = "test",
                        .facts = "",
                        .points = points,
                        .point_size = sizeof *points,
                        .point_count = count,
                        .time_offset = offsetof(point, time_s),
                        .step_s = step_s,
                        .panels = &panel,
                        .panel_count = 1,
                        .from_s = {from_s},
                        .to_s = {to_s},
                        .view_count = 1};
    sb_error err = {0};
    sb_status status = sb_graph_write(scratch_path("x.png"), &def, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
    return picture_read(scratch_path("x.png"));
}

/* Rows in which a column is red, from the first to the last; false: none. */
static bool find(const read_picture *p, int x, int *first, int *last) {
    *first = *last = -1;
    for (int y = 0; y < p->height; y++) {
        if (!is_red(p, x, y)) continue;
        if (*first < 0) *first = y;
        *last = y;
    }
    return *first >= 0;
}

static int row_of(int count, double value) {
    for (int i = 0; i < COUNT; i++)
        points[i].value = value;
    read_picture p = draw(count, 0, count * step_s);
    int first, last;
    ck_assert(find(&p, p.width / 2, &first, &last));
    ck_assert_int_le(last - first, 6);
    free(p.pixels);
    return first;
}

START_TEST(lines_and_bands_are_as_high_as_their_values) {
    const int counts[] = {100, COUNT}; /* a line with dots, a band */
    int zero = row_of(COUNT, 0), half = row_of(COUNT, 0.5);
    ck_assert_int_gt(zero - half, 30);
    for (int i = 0; i < 2; i++) {
        int low = row_of(counts[i], -0.5), high = row_of(counts[i], 0.5);
        ck_assert_int_le(abs(high - half), 2);
        ck_assert_int_le(abs(low - zero - (zero - half)), 3);
    }
}
END_TEST

START_TEST(a_single_point_among_thousands_is_seen) {
    points[20000].value = 0.9;
    read_picture p = draw(COUNT, 0, COUNT * step_s);
    int tall = 0;
    for (int x = 0; x < p.width; x++) {
        int first, last;
        if (find(&p, x, &first, &last) && last - first > 60) tall++;
    }
    ck_assert_int_ge(tall, 1);
    ck_assert_int_le(tall, 2);
    free(p.pixels);
}
END_TEST

START_TEST(what_is_missing_is_not_drawn) {
    for (int count = 1000; count <= COUNT; count += COUNT - 1000) {
        for (int i = 0; i < COUNT; i++)
            points[i].value = i > count / 4 && i < 3 * count / 4 ? NAN : 0.5;
        read_picture p = draw(count, 0, count * step_s);
        int first, last;
        ck_assert(find(&p, p.width / 5, &first, &last));
        ck_assert(!find(&p, p.width / 2, &first, &last));
        ck_assert(find(&p, 9 * p.width / 10, &first, &last));
        free(p.pixels);
    }
}
END_TEST

/* Columns in which most of the panel's rows are green. */
static int find_marks(const read_picture *p, int columns[], int most) {
    int found = 0;
    for (int x = 0; x < p->width; x++) {
        int rows = 0;
        for (int y = 0; y < p->height; y++) {
            const unsigned char *at =
                p->pixels + ((ptrdiff_t)y * p->width + x) * 3;
            rows += at[1] > 200 && at[0] < 90 && at[2] < 90;
        }
        if (rows > 100 && found < most) columns[found++] = x;
    }
    return found;
}

static read_picture draw_marks(const sb_graph_mark *marks, int count,
                               int *step) {
    sb_graph_panel panel = {
        .name = "what",
        .unit = "m",
        .low = -1,
        .high = 1,
        .curves = {{NULL, red, offsetof(point, value)}},
        .curve_count = 1,
    };
    sb_graph_def def = {.title = "",
                        .facts = "",
                        .points = points,
                        .point_size = sizeof *points,
                        .point_count = 1001,
                        .time_offset = offsetof(point, time_s),
                        .step_s = step_s,
                        .panels = &panel,
                        .panel_count = 1,
                        .to_s = {1},
                        .view_count = 1,
                        .marks = marks,
                        .mark_count = count,
                        .marks_name = "marks",
                        .marks_colour = {0, 255, 0, 255}};
    *step = sb_graph_label_step(&def, 0);
    ck_assert_int_eq(sb_graph_write(scratch_path("m.png"), &def, NULL), SB_OK);
    return picture_read(scratch_path("m.png"));
}

START_TEST(marks_are_where_the_curve_has_the_same_abscissa) {
    /* The curve is a spike at 0.25 and one at 0.75. */
    points[250].value = points[750].value = 0.9;
    const sb_graph_mark marks[] = {{0.25, "a"}, {0.75, NULL}, {1.5, "out"}};
    int columns[8], step, first, last;
    read_picture p = draw_marks(marks, 3, &step);
    ck_assert_int_eq(step, 1);
    int count = find_marks(&p, columns, 8);
    ck_assert_int_ge(count, 2);
    ck_assert_int_le(count, 4);
    for (int i = 0; i < count; i++) {
        int tallest = 0;
        for (int x = columns[i] - 1; x <= columns[i] + 1; x++)
            if (find(&p, x, &first, &last) && last - first > tallest)
                tallest = last - first;
        ck_assert_int_gt(tallest, 60);
    }
    free(p.pixels);
}
END_TEST

/* Groups of columns in the row of the labels that contain bright pixels. */
static int count_labels(const read_picture *p, int above) {
    int groups = 0, gap = 100;
    for (int x = 60; x < p->width; x++) {
        bool is_lit = false;
        for (int y = above - 24; y < above - 20; y++)
            is_lit = is_lit || picture_brightness(p, x, y) > 120;
        if (is_lit && gap > 3) groups++;
        gap = is_lit ? 0 : gap + 1;
    }
    return groups;
}

START_TEST(labels_of_close_marks_do_not_overlap) {
    enum { MANY = 300 };
    static sb_graph_mark marks[MANY];
    const int counts[] = {1, 10, 60, MANY};
    for (int c = 0; c < 4; c++) {
        int count = counts[c], step;
        for (int i = 0; i < count; i++)
            marks[i] = (sb_graph_mark){0.995 + 0.004 * i / count, "H"};
        read_picture p = draw_marks(marks, count, &step);
        ck_assert_int_eq(step > 1, count == MANY);
        int above = p.height - 72 - 200; /* top of the panel */
        ck_assert_int_eq(count_labels(&p, above), (count + step - 1) / step);
        free(p.pixels);
    }
}
END_TEST

START_TEST(a_place_that_cannot_be_written_is_named) {
    sb_graph_panel panel = {.name = "a", .unit = "m", .high = 1};
    sb_graph_def def = {.title = "",
                        .facts = "",
                        .points = points,
                        .point_size = sizeof *points,
                        .time_offset = offsetof(point, time_s),
                        .step_s = 1,
                        .panels = &panel,
                        .panel_count = 1,
                        .to_s = {1},
                        .view_count = 1};
    sb_error err = {0};
    ck_assert_int_eq(sb_graph_write(scratch_path("nowhere/x.png"), &def, &err),
                     SB_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "nowhere"));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("graph");
    TCase *tests = tcase_create("graph");
    tcase_add_checked_fixture(tests, setup, scratch_remove);
    tcase_add_test(tests, lines_and_bands_are_as_high_as_their_values);
    tcase_add_test(tests, a_single_point_among_thousands_is_seen);
    tcase_add_test(tests, what_is_missing_is_not_drawn);
    tcase_add_test(tests, marks_are_where_the_curve_has_the_same_abscissa);
    tcase_add_test(tests, labels_of_close_marks_do_not_overlap);
    tcase_add_test(tests, a_place_that_cannot_be_written_is_named);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
