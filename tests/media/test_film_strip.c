/* SPDX-License-Identifier: MIT */
/* Film strips: sizes, places and what hides what are those of the bodies; all
 * frames share a camera; what cannot be drawn gets a sentence. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/media/picture/film_strip.h"
#include "tests/media/picture_reader.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#include <math.h>

enum {
    AROUND = 64,
    DOWN = 32,
    BALL_VERTICES = AROUND * (DOWN + 1),
    BALL_FACES = 2 * AROUND * DOWN
};

static int ball_faces[BALL_FACES][3];
static const int square_faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
static const sb_colour red = {255, 0, 0, 255}, blue = {0, 0, 255, 255};

static void setup(void) {
    scratch_make();
    for (int i = 0; i < DOWN * AROUND; i++) {
        int a = i, b = i / AROUND * AROUND + (i + 1) % AROUND;
        int pair[2][3] = {{a, b, a + AROUND}, {b, b + AROUND, a + AROUND}};
        memcpy(ball_faces[2 * i], pair, sizeof pair);
    }
}

static void make_ball(sb_vec3 *out, sb_vec3 centre, double radius) {
    for (int v = 0; v < BALL_VERTICES; v++) {
        double theta = SB_PI * (v / AROUND) / DOWN;
        double phi = SB_TAU * (v % AROUND) / AROUND;
        sb_vec3 ray = {sin(theta) * sin(phi), cos(theta),
                       sin(theta) * cos(phi)};
        out[v] = sb_vec3_add(centre, sb_vec3_scale(ray, radius));
    }
}

static sb_film_body ball_body(sb_colour colour) {
    return (sb_film_body){
        "ball",     BALL_VERTICES, (const int(*)[3])ball_faces,
        BALL_FACES, colour,        false};
}

static sb_picture *draw(const sb_film_def *def, sb_film_layout *layout) {
    sb_picture *picture = NULL;
    sb_error err = {0};
    sb_film_def small = *def;
    small.page_width = 500;
    ck_assert_msg(sb_film_strip_draw(&picture, &small, layout, &err) == SB_OK,
                  "%s", err.message);
    return picture;
}

static const uint8_t *pixel_of(const sb_picture *p, int x, int y) {
    /* No assertion: Check writes each one to a file. */
    return p->pixels + ((ptrdiff_t)y * p->width + x) * 3;
}

/* Red or blue far above the others; else ' '. */
static char colour_at(const sb_picture *p, int x, int y) {
    const uint8_t *at = pixel_of(p, x, y);
    if (at[0] > at[2] + 30) return 'r';
    return at[2] > at[0] + 30 ? 'b' : ' ';
}

/* The pixels of a colour in a frame: their number and mean place. */
typedef struct patch {
    int count, left, right, top, bottom;
    double x, y;
} patch;

static patch find(const sb_picture *p, const sb_film_layout *l, int frame,
                  char colour) {
    int left = l->left + frame % l->columns * l->step_x;
    int top = l->top + frame / l->columns * l->step_y;
    patch found = {.left = l->width, .top = l->height, .right = -1};
    for (int y = 0; y < l->height; y++) {
        for (int x = 0; x < l->width; x++) {
            if (colour_at(p, left + x, top + y) != colour) continue;
            found.count++;
            found.x += x;
            found.y += y;
            if (x < found.left) found.left = x;
            if (x > found.right) found.right = x;
            if (y < found.top) found.top = y;
            if (y > found.bottom) found.bottom = y;
        }
    }
    if (found.count == 0) return found;
    found.x /= found.count;
    found.y /= found.count;
    return found;
}

/* --- sizes and places ----------------------------------------------------- */

START_TEST(a_sphere_is_a_disk_of_its_radius_from_everywhere) {
    static sb_vec3 at[BALL_VERTICES];
    const sb_vec3 *positions[] = {at};
    sb_film_frame frame = {0, positions};
    sb_film_body body = ball_body(red);
    for (int i = 0; i < 6; i++) {
        double radius = 0.5 * pow(10, i - 3);
        make_ball(at, (sb_vec3){3 * radius, -2 * radius, radius}, radius);
        sb_film_def def = {.bodies = &body,
                           .body_count = 1,
                           .frames = &frame,
                           .frame_count = 1,
                           .has_view = i > 0,
                           .azimuth = 1.1 * i,
                           .elevation = 0.25 * i};
        sb_film_layout l;
        sb_picture *p = draw(&def, &l);
        patch disk = find(p, &l, 0, 'r');
        double r = radius * l.scale;
        ck_assert_double_gt(r, 90);
        ck_assert_double_eq_tol(disk.count / (SB_PI * r * r), 1, 0.015);
        ck_assert_double_eq_tol(disk.right - disk.left + 1, 2 * r, 2);
        ck_assert_double_eq_tol(disk.bottom - disk.top + 1, 2 * r, 2);
        ck_assert_double_eq_tol(disk.x, 0.5 * (l.width - 1), 0.5);
        ck_assert_double_eq_tol(disk.y, 0.5 * (l.height - 1), 0.5);
        sb_picture_destroy(p);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(one_camera_sees_all_frames) {
    enum { COUNT = 5 };
    static sb_vec3 at[COUNT][BALL_VERTICES];
    const sb_vec3 *positions[COUNT];
    sb_film_frame frames[COUNT];
    sb_film_body body = ball_body(red);
    for (int i = 0; i < COUNT; i++) {
        make_ball(at[i], (sb_vec3){0.3 * i, 0.2 * i, 0}, 0.2);
        positions[i] = at[i];
        frames[i] = (sb_film_frame){0.1 * i, &positions[i]};
    }
    sb_film_def def = {.bodies = &body,
                       .body_count = 1,
                       .frames = frames,
                       .frame_count = COUNT,
                       .has_view = true}; /* along z */
    sb_film_layout l;
    sb_picture *p = draw(&def, &l);
    patch first = find(p, &l, 0, 'r');
    for (int i = 1; i < COUNT; i++) {
        patch disk = find(p, &l, i, 'r');
        ck_assert_double_eq_tol(disk.count, first.count, 0.02 * first.count);
        ck_assert_double_eq_tol(disk.x - first.x, 0.3 * i * l.scale, 0.6);
        ck_assert_double_eq_tol(disk.y - first.y, -0.2 * i * l.scale, 0.6);
    }
    sb_picture_destroy(p);
}
END_TEST

START_TEST(frames_of_any_number_and_form_fit_the_page) {
    static sb_vec3 at[BALL_VERTICES];
    const sb_vec3 *positions[] = {at};
    sb_film_frame frames[SB_FILM_FRAMES_MOST];
    for (int i = 0; i < SB_FILM_FRAMES_MOST; i++)
        frames[i] = (sb_film_frame){0.01 * i, positions};
    sb_film_body body = ball_body(red);
    const double forms[] = {0.02, 1, 50};
    for (int form = 0; form < 3; form++) {
        make_ball(at, (sb_vec3){0, 0, 0}, 1);
        for (int v = 0; v < BALL_VERTICES; v++)
            at[v].y *= forms[form];
        const int counts[] = {2, 7, SB_FILM_FRAMES_MOST};
        for (int i = 0; i < 3; i++) {
            sb_film_def def = {.bodies = &body,
                               .body_count = 1,
                               .frames = frames,
                               .frame_count = counts[i],
                               .has_view = true};
            sb_film_layout l;
            sb_picture *p = draw(&def, &l);
            ck_assert_int_ge(l.columns * l.rows, counts[i]);
            ck_assert_int_le(p->width, 500);
            ck_assert_int_ge(l.height, 72);
            ck_assert_int_ge(l.step_x, l.width);
            ck_assert_int_ge(l.step_y, l.height);
            ck_assert_int_le(l.left + (l.columns - 1) * l.step_x + l.width,
                             p->width);
            ck_assert_int_le(l.top + l.rows * l.step_y, p->height);
            ck_assert_int_gt(find(p, &l, counts[i] - 1, 'r').count, 20);
            sb_picture_destroy(p);
        }
    }
}
END_TEST

/* --- what hides what ------------------------------------------------------ */

/* A square across the view along z. */
static void make_square(sb_vec3 out[4], double half, double z, double tilt) {
    const double x[4] = {-1, 1, 1, -1}, y[4] = {-1, -1, 1, 1};
    for (int i = 0; i < 4; i++)
        out[i] = (sb_vec3){half * x[i], half * y[i], z + tilt * x[i]};
}

static sb_film_body square_body(sb_colour colour) {
    return (sb_film_body){"square", 4, square_faces, 2, colour, false};
}

START_TEST(the_nearer_body_hides_the_farther_one) {
    sb_vec3 near[4], far[4];
    make_square(near, 0.3, 1, 0);
    make_square(far, 1, -1, 0);
    for (int order = 0; order < 2; order++) {
        sb_film_body bodies[2] = {square_body(order ? red : blue),
                                  square_body(order ? blue : red)};
        const sb_vec3 *positions[2] = {order ? far : near, order ? near : far};
        sb_film_frame frame = {0, positions};
        sb_film_def def = {.bodies = bodies,
                           .body_count = 2,
                           .frames = &frame,
                           .frame_count = 1,
                           .has_view = true};
        sb_film_layout l;
        sb_picture *p = draw(&def, &l);
        double square = 4 * l.scale * l.scale;
        ck_assert_double_eq_tol(find(p, &l, 0, 'b').count, 0.09 * square,
                                0.005 * square);
        ck_assert_double_eq_tol(find(p, &l, 0, 'r').count, 0.91 * square,
                                0.01 * square);
        sb_picture_destroy(p);
        /* From behind it is the other way around. */
        def.azimuth = SB_PI;
        p = draw(&def, &l);
        ck_assert_int_eq(find(p, &l, 0, 'b').count, 0);
        sb_picture_destroy(p);
    }
}
END_TEST

/* Red of the pixel at a place of a square of half side 1, from -1 to 1. */
static int red_at(const sb_picture *p, const sb_film_layout *l, double x,
                  double y) {
    int column = (int)lround(l->left + 0.5 * (l->width - 1) + x * l->scale);
    int row = (int)lround(l->top + 0.5 * (l->height - 1) - y * l->scale);
    return pixel_of(p, column, row)[0];
}

START_TEST(faces_have_lines_around_them_if_asked_for) {
    sb_vec3 at[4];
    const sb_vec3 *positions[1] = {at};
    make_square(at, 1, 0, 0);
    for (int has_edges = 0; has_edges < 2; has_edges++) {
        sb_film_body body = square_body(red);
        body.has_edges = has_edges;
        sb_film_frame frame = {0, positions};
        sb_film_def def = {.bodies = &body,
                           .body_count = 1,
                           .frames = &frame,
                           .frame_count = 1,
                           .has_view = true};
        sb_film_layout l;
        sb_picture *p = draw(&def, &l);
        /* The faces meet along the diagonal from the lower left. */
        int face = red_at(p, &l, -0.4, 0.4), edge = red_at(p, &l, 0.3, 0.3);
        ck_assert_int_gt(face, 120);
        ck_assert_msg(has_edges ? edge < 0.6 * face : edge == face,
                      "%d on the edge, %d beside it", edge, face);
        sb_picture_destroy(p);
    }
}
END_TEST

START_TEST(bodies_that_cross_hide_each_other_in_part) {
    sb_vec3 one[4], other[4];
    make_square(one, 1, 0, 0.4);
    make_square(other, 1, 0, -0.4);
    sb_film_body bodies[2] = {square_body(red), square_body(blue)};
    const sb_vec3 *positions[2] = {one, other};
    sb_film_frame frame = {0, positions};
    sb_film_def def = {.bodies = bodies,
                       .body_count = 2,
                       .frames = &frame,
                       .frame_count = 1,
                       .has_view = true};
    sb_film_layout l;
    sb_picture *p = draw(&def, &l);
    patch right = find(p, &l, 0, 'r'), left = find(p, &l, 0, 'b');
    ck_assert_int_ge(right.left, l.width / 2 - 1);
    ck_assert_int_le(left.right, l.width / 2 + 1);
    ck_assert_double_eq_tol(right.count, left.count, 0.01 * left.count);
    sb_picture_destroy(p);
}
END_TEST

START_TEST(a_body_that_is_not_there_is_not_drawn) {
    static sb_vec3 at[BALL_VERTICES];
    make_ball(at, (sb_vec3){0, 0, 0}, 1);
    sb_film_body body = ball_body(red);
    const sb_vec3 *there[] = {at}, *gone[] = {NULL};
    sb_film_frame frames[] = {{0, there}, {1, gone}};
    sb_film_def def = {
        .bodies = &body, .body_count = 1, .frames = frames, .frame_count = 2};
    sb_film_layout l;
    sb_picture *p = draw(&def, &l);
    ck_assert_int_gt(find(p, &l, 0, 'r').count, 1000);
    ck_assert_int_eq(find(p, &l, 1, 'r').count, 0);
    sb_picture_destroy(p);
}
END_TEST

/* --- the floor ------------------------------------------------------------ */

static double brightness(const sb_picture *p, const sb_film_layout *l) {
    double sum = 0;
    for (int y = 0; y < l->height; y++) {
        for (int x = 0; x < l->width; x++)
            sum += pixel_of(p, l->left + x, l->top + y)[1];
    }
    return sum;
}

START_TEST(the_floor_hides_what_is_below_and_shows_shadows) {
    static sb_vec3 at[BALL_VERTICES];
    sb_film_body body = ball_body(red);
    const sb_vec3 *positions[] = {at};
    sb_film_frame frame = {0, positions};
    sb_film_floor floor = {{5, 0, 5}, {0, 3, 0}};
    double light[3];
    int seen[3];
    /* On the floor, half below it, below it. */
    for (int i = 0; i < 3; i++) {
        make_ball(at, (sb_vec3){0, 1 - i, 0}, 1);
        sb_film_def def = {.bodies = &body,
                           .body_count = 1,
                           .frames = &frame,
                           .frame_count = 1,
                           .floor = &floor,
                           .has_view = true,
                           .elevation = 1.5};
        sb_film_layout l;
        sb_picture *p = draw(&def, &l);
        seen[i] = find(p, &l, 0, 'r').count;
        sb_picture_destroy(p);
        def.bodies = &(sb_film_body){.name = "ball",
                                     .vertex_count = BALL_VERTICES,
                                     .faces = body.faces,
                                     .face_count = BALL_FACES,
                                     .colour = {70, 74, 84, 255}};
        p = draw(&def, &l);
        light[i] = brightness(p, &l);
        sb_picture_destroy(p);
    }
    ck_assert_int_gt(seen[0], 5000);
    ck_assert_double_eq_tol(seen[1], seen[0], 0.03 * seen[0]);
    ck_assert_int_eq(seen[2], 0);
    ck_assert_double_lt(light[0], 0.99 * light[1]); /* a larger shadow */
}
END_TEST

/* --- mistakes ------------------------------------------------------------- */

typedef struct mistake {
    sb_vec3 at[BALL_VERTICES];
    const sb_vec3 *positions[1];
    sb_film_frame frames[2];
    sb_film_body body;
    sb_film_def def;
} mistake;

static mistake *good(void) {
    static mistake m;
    make_ball(m.at, (sb_vec3){0, 0, 0}, 1);
    m.positions[0] = m.at;
    m.frames[0] = (sb_film_frame){0, m.positions};
    m.frames[1] = (sb_film_frame){0.25, m.positions};
    m.body = ball_body(red);
    m.def = (sb_film_def){.page_width = 500,
                          .bodies = &m.body,
                          .body_count = 1,
                          .frames = m.frames,
                          .frame_count = 2};
    return &m;
}

static void refuses(const mistake *m, const char *sentence) {
    sb_error err = {0};
    ck_assert_int_eq(sb_film_strip_write(scratch_path("x.png"), &m->def, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, sentence) != NULL, "%s", err.message);
    ck_assert_int_eq(scratch_entries(0), 0);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}

START_TEST(what_cannot_be_drawn_gets_a_sentence) {
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e12};
    for (int i = 0; i < 4; i++) {
        mistake *m = good();
        m->at[17].y = bad[i];
        refuses(m, "frame 1 (0 s): vertex 17 of 'ball' is at ");
        m = good();
        m->frames[1].time_s = i < 3 ? bad[i] : NAN;
        refuses(m, "the time of frame 2 is not finite");
    }
    mistake *m = good();
    m->def.frame_count = 0;
    refuses(m, "1 to 64 frames, got 0");
    m->def.frame_count = 65;
    refuses(m, "1 to 64 frames, got 65");
    m = good();
    m->def.page_width = 399;
    refuses(m, "a page is 400 to 4096 pixels wide, got 399");
    m = good();
    m->def.body_count = 0;
    refuses(m, "1 to 4096 bodies, got 0");
    m = good();
    m->body.vertex_count--;
    refuses(m, "of 'ball' has vertex 2111 of 2111");
    m = good();
    m->body.face_count = 0;
    refuses(m, "'ball' has 2112 vertices and 0 faces");
    m = good();
    sb_film_floor floor = {{0, 0, 0}, {0, 0, 0}};
    m->def.floor = &floor;
    refuses(m, "a normal that is not 0");
    m = good();
    m->def.has_view = true;
    m->def.elevation = NAN;
    refuses(m, "azimuth and elevation must be finite");
}
END_TEST

START_TEST(failures_leave_nothing_behind) {
    mistake *m = good();
    sb_error err = {0};
    sb_film_floor floor = {{0, 0, 0}, {0, 1, 0}};
    m->def.floor = &floor;
    int failures = 0;
    for (;; failures++) {
        sb_picture *picture;
        sb_memory_fail_after(failures);
        sb_status status = sb_film_strip_draw(&picture, &m->def, NULL, &err);
        sb_memory_fail_after(-1);
        if (status == SB_OK) {
            sb_picture_destroy(picture);
            break;
        }
        ck_assert_int_eq(sb_memory_live_blocks(), 0);
        ck_assert_int_eq(status, SB_NO_MEMORY);
    }
    ck_assert_int_ge(failures, 6);
    ck_assert_int_eq(sb_film_strip_write(scratch_path("x.png"), &m->def, &err),
                     SB_OK);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
    read_picture first = picture_read(scratch_path("x.png"));
    ck_assert_int_eq(sb_film_strip_write(scratch_path("y.png"), &m->def, &err),
                     SB_OK);
    read_picture second = picture_read(scratch_path("y.png"));
    ck_assert_mem_eq(first.pixels, second.pixels,
                     (size_t)first.width * (size_t)first.height * 3);
    free(first.pixels);
    free(second.pixels);
    ck_assert_int_eq(
        sb_film_strip_write(scratch_path("nowhere/x.png"), &m->def, &err),
        SB_NOT_FOUND);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("film_strip");
    TCase *tests = tcase_create("film_strip");
    tcase_add_checked_fixture(tests, setup, scratch_remove);
    tcase_add_test(tests, a_sphere_is_a_disk_of_its_radius_from_everywhere);
    tcase_add_test(tests, one_camera_sees_all_frames);
    tcase_add_test(tests, frames_of_any_number_and_form_fit_the_page);
    tcase_add_test(tests, the_nearer_body_hides_the_farther_one);
    tcase_add_test(tests, bodies_that_cross_hide_each_other_in_part);
    tcase_add_test(tests, a_body_that_is_not_there_is_not_drawn);
    tcase_add_test(tests, the_floor_hides_what_is_below_and_shows_shadows);
    tcase_add_test(tests, faces_have_lines_around_them_if_asked_for);
    tcase_add_test(tests, what_cannot_be_drawn_gets_a_sentence);
    tcase_add_test(tests, failures_leave_nothing_behind);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
