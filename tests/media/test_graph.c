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
    tcase_add_test(tests, a_place_that_cannot_be_written_is_named);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
