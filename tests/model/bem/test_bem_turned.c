/* SPDX-License-Identifier: MIT */
/* Boundary elements per number of waves round an axis: against closed forms, and
 * against those on triangles. */
#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/bem/bem_rings.h"
#include "runtime/model/bem/bem_turned.h"
#include "tests/model/bem/bem_stage.h"
#include "tests/suite.h"

enum { POINTS = 160, TURNED = 64 };

/* A profile and modes on it. */
static struct {
    int point_count, mode_count;
    bool is_ring;
    double points[POINTS][2], motions[TURNED][POINTS][2];
    sb_bem_turned_mode modes[TURNED];
} wall;

static void point(double r, double y) {
    ck_assert_int_lt(wall.point_count, POINTS);
    wall.points[wall.point_count][0] = r;
    wall.points[wall.point_count++][1] = y;
}

/* From (r, y) to another point, which is left to the next line. */
static void line(double r, double y, double to_r, double to_y, int parts) {
    for (int i = 0; i < parts; i++)
        point(r + (to_r - r) * i / parts, y + (to_y - y) * i / parts);
}

static double (*add_turned(double ka, int waves))[2] {
    ck_assert_int_lt(wall.mode_count, TURNED);
    double(*motion)[2] = wall.motions[wall.mode_count];
    memset(motion, 0, sizeof wall.motions[0]);
    wall.modes[wall.mode_count++] = (sb_bem_turned_mode){
        ka * SB_AIR_SPEED / SB_TAU, waves, false, (const double(*)[2])motion};
    return motion;
}

static sb_bem_turned_def turned_def(void) {
    return (sb_bem_turned_def){.profile = {wall.point_count,
                                           (const double(*)[2])wall.points,
                                           wall.is_ring},
                               .mode_count = wall.mode_count,
                               .modes = wall.modes};
}

static sb_bem_result solve_turned(void) {
    const sb_bem_turned_def def = turned_def();
    sb_bem_result result;
    sb_error err = {0};
    ck_assert_msg(sb_bem_turned_solve(&def, &result, &err) == SB_OK, "%s",
                  err.message);
    return result;
}

static sb_bem_result solve_triangles(void) {
    sb_bem_def def = def_of();
    sb_bem_result result;
    ck_assert_int_eq(sb_bem_solve(&def, &result, NULL), SB_OK);
    return result;
}

/* Of a velocity whose square has this integral. */
static double efficiency_of(const sb_bem_result *result, int mode,
                            double square) {
    return 4 * SB_PI * sb_pattern_power(&result->patterns[mode]) /
           (RHO_C * RHO_C * square);
}

/* --- closed forms ------------------------------------------------------------ */

/* Its volume is that of the sphere. */
static void make_ball(int parts) {
    memset(&wall, 0, sizeof wall);
    double volume = 0;
    for (int i = 0; i <= parts; i++) {
        double angle = SB_PI * i / parts;
        point(i == parts ? 0 : sin(angle), -cos(angle));
        if (!i) continue;
        double a = wall.points[i - 1][0], b = wall.points[i][0];
        volume += (a * a + a * b + b * b) / 4 *
                  (wall.points[i][1] - wall.points[i - 1][1]);
    }
    for (int i = 0; i < 2 * wall.point_count; i++)
        wall.points[i / 2][i % 2] /= cbrt(volume);
}

/* Y_lm about y. */
static void add_order(double ka, int l, int m) {
    double(*motion)[2] = add_turned(ka, m);
    for (int i = 0; i < wall.point_count; i++) {
        float y[25];
        double r = wall.points[i][0], z = wall.points[i][1];
        sb_vec3 n = sb_vec3_normalised((sb_vec3){r, 0, z});
        sb_harmonics(l, n, y);
        motion[i][0] = n.x * y[l * (l + 1) + m];
        motion[i][1] = n.z * y[l * (l + 1) + m];
    }
}

/* pi and 4.4934 are the irregular frequencies of the plain equation. */
START_TEST(spheres_of_any_order_radiate_as_they_do) {
    static const double sizes[] = {0.5, 1, 2, SB_PI, 4.4934, 10};
    static const int orders[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1},
                                    {2, 2}, {3, 1}, {4, 3}, {4, 4}};
    make_ball(40);
    for (int i = 0; i < 48; i++)
        add_order(sizes[i / 8], orders[i % 8][0], orders[i % 8][1]);
    sb_bem_result result = solve_turned();
    for (int k = 0; k < wall.mode_count; k++) {
        double error = db(efficiency_of(&result, k, 4 * SB_PI),
                          sphere_efficiency(orders[k % 8][0], sizes[k / 8]));
        ck_assert_msg(fabs(error) < 0.06, "ka %g, order %d, %d: %.3f dB",
                      sizes[k / 8], orders[k % 8][0], orders[k % 8][1], error);
    }
    sb_bem_result_free(&result);
}
END_TEST

/* k L is 40 at least. */
START_TEST(long_cylinders_are_like_endless_ones) {
    static const double sizes[] = {1, 2, 3, 6};
    memset(&wall, 0, sizeof wall);
    line(0, -20, 1, -20, 3);
    line(1, -20, 1, 20, 120);
    line(1, 20, 0, 20, 3);
    point(0, 20);
    for (int k = 0; k < 24; k++) {
        double(*motion)[2] = add_turned(sizes[k / 6], 1 + k % 6);
        for (int i = 3; i <= 123; i++)
            motion[i][0] = 1;
    }
    sb_bem_result result = solve_turned();
    for (int k = 0; k < wall.mode_count; k++) {
        int n = wall.modes[k].waves;
        double error = db(efficiency_of(&result, k, 40 * SB_PI),
                          cylinder_efficiency(n, sizes[k / 6]));
        ck_assert_msg(fabs(error) < 0.4, "ka %g, n %d: %.2f dB", sizes[k / 6],
                      n, error);
    }
    sb_bem_result_free(&result);
}
END_TEST

/* The velocity 1 - 2 r^2 has 0.04 of the power of the disk as a whole. */
START_TEST(a_disk_radiates_by_its_law) {
    memset(&wall, 0, sizeof wall);
    line(0, 0, 1, 0, 24);
    point(1, 0);
    for (int k = 0; k < 2; k++) {
        double(*motion)[2] = add_turned(0.05, 0);
        for (int i = 0; i < wall.point_count; i++)
            motion[i][1] = 1 - 2 * k * pow(wall.points[i][0], 2);
    }
    sb_bem_result result = solve_turned();
    const double law = 0.03002 * pow(0.05, 4);
    for (int k = 0; k < 2; k++) {
        double error =
            db(efficiency_of(&result, k, SB_TAU), k ? 0.04 * law : law);
        ck_assert_msg(fabs(error) < 0.04, "%d: %.3f dB", k, error);
    }
    sb_bem_result_free(&result);
}
END_TEST

/* Q_{m-1/2}(chi) = integral of cos(m a) / sqrt(8 (chi - cos a)) over a turn. */
START_TEST(rings_of_charge_have_legendre_functions) {
    enum { MOST_M = 30, ANGLES = 20000 };
    static const double offs[] = {1e-4, 1e-3, 0.02, 0.3, 4, 500};
    for (int i = 0; i < 6; i++) {
        double q[MOST_M + 1];
        sb_bem_toroidal(offs[i], MOST_M, q);
        for (int m = 0; m <= MOST_M; m++) {
            double sum = 0, size = q[0] + q[m];
            for (int a = 0; a < ANGLES; a++) {
                double angle = SB_TAU * (a + 0.5) / ANGLES;
                double half = sin(angle / 2);
                sum += cos(m * angle) / sqrt(8 * (offs[i] + 2 * half * half));
            }
            ck_assert_double_eq_tol(q[m], sum * SB_TAU / ANGLES, 1e-10 * size);
            ck_assert(q[m] > 0 && (!m || q[m] < q[m - 1]));
        }
    }
}
END_TEST

/* --- triangles --------------------------------------------------------------- */

/* What the triangles are larger by than the profile. */
static double stretched;

/* The bowl of a disk of triangles, of the right area, and its profile. The axis
 * is y. */
static void make_bowl(double depth) {
    make_disk(13);
    on.vertex_count = 0;
    for (int v = 0; v < 1 + 3 * 13 * 14; v++) {
        const float *p = on.vertices[v];
        double part = hypot(p[0], p[1]), angle = depth * part;
        double at = atan2(p[1], p[0]), r = depth > 0 ? sin(angle) : part;
        float moved[3] = {(float)(r * cos(at)), (float)(-cos(angle)),
                          (float)(r * sin(at))};
        memcpy(on.vertices[on.vertex_count++], moved, sizeof moved);
    }
    double area = 0, whole = depth > 0 ? SB_TAU * (1 - cos(depth)) : SB_PI;
    for (int f = 0; f < on.face_count; f++)
        area += sb_vec3_length(area_of(f));
    stretched = sqrt(whole / area);
    stretch(stretched, stretched, stretched);
    memset(&wall, 0, sizeof wall);
    for (int i = 0; i <= 40; i++)
        point(depth > 0 ? sin(depth * i / 40) : i / 40.0, -cos(depth * i / 40));
}

/* Outward and along y on the same profile. */
static double outward(double r, double y, int waves) {
    return waves ? pow(r, waves) : 1 - 1.5 * r * r + 0.2 * y;
}

static void add_both(double ka, int waves, bool is_sine) {
    double(*motion)[2] = add_turned(ka, waves);
    wall.modes[wall.mode_count - 1].is_sine = is_sine;
    for (int i = 0; i < wall.point_count; i++) {
        double r = wall.points[i][0], y = wall.points[i][1];
        motion[i][0] = outward(r, y, waves) * r;
        motion[i][1] = outward(r, y, waves) * y;
    }
    float(*shape)[3] = add_mode(ka);
    for (int v = 0; v < on.vertex_count; v++) {
        const float *at = on.vertices[v];
        double p[3] = {at[0] / stretched, at[1] / stretched, at[2] / stretched};
        double r = hypot(p[0], p[2]), angle = waves * atan2(p[2], p[0]);
        double v_n =
            outward(r, p[1], waves) * (is_sine ? sin(angle) : cos(angle));
        for (int a = 0; a < 3; a++)
            shape[v][a] = (float)(v_n * p[a]);
    }
}

/* The difference of two patterns, of the size of the first. */
static double apart(const sb_pattern *a, const sb_pattern *b) {
    double sum = 0;
    int own = sb_harmonics_count(a->order);
    int other = sb_harmonics_count(b->order);
    for (int i = 0; i < 2 * (own > other ? own : other); i++) {
        double x = i / 2 < own ? a->coefs[i / 2][i % 2] : 0;
        double y = i / 2 < other ? b->coefs[i / 2][i % 2] : 0;
        sum += (x - y) * (x - y);
    }
    return sqrt(sum / sb_pattern_power(a));
}

static void compare(double bound_db, double bound) {
    static const double sizes[] = {0.5, 2};
    for (int k = 0; k < 10; k++)
        add_both(sizes[k / 5], (k % 5 + 1) / 2, k % 5 && k % 2 == 0);
    sb_bem_result own = solve_turned(), other = solve_triangles();
    for (int k = 0; k < wall.mode_count; k++) {
        double error = db(sb_pattern_power(&own.patterns[k]),
                          sb_pattern_power(&other.patterns[k]));
        double difference = apart(&own.patterns[k], &other.patterns[k]);
        ck_assert_msg(fabs(error) < bound_db, "mode %d: %.3f dB", k, error);
        ck_assert_msg(difference < bound, "mode %d: %.3f", k, difference);
    }
    sb_bem_result_free(&own);
    sb_bem_result_free(&other);
}

START_TEST(disks_are_heard_as_by_triangles) {
    make_bowl(0);
    compare(0.2, 0.05);
}
END_TEST

START_TEST(bowls_are_heard_as_by_triangles) {
    make_bowl(SB_PI / 2);
    compare(0.2, 0.06);
}
END_TEST

/* A wheel that swells, tilts and bends. */
START_TEST(wheels_are_heard_as_by_triangles) {
    enum { ROUND = 30, SECTION = 16 };
    memset(&wall, 0, sizeof wall);
    on = (stage){0};
    wall.is_ring = true;
    stretched = 1;
    double full = sqrt(SB_TAU / ROUND / sin(SB_TAU / ROUND));
    for (int j = 0; j < SECTION; j++) {
        double a = SB_TAU * j / SECTION;
        point(1 + 0.4 * cos(a), 0.4 * sin(a));
        for (int i = 0; i < ROUND; i++) {
            double turn = SB_TAU * (i + 0.5 * (j % 2)) / ROUND;
            double r = full * wall.points[j][0];
            (void)vertex(r * cos(turn), wall.points[j][1], r * sin(turn));
        }
    }
    for (int i = 0; i < ROUND * SECTION; i++) {
        int j = i / ROUND, up = (j + 1) % SECTION * ROUND,
            next = (i + 1) % ROUND;
        int a = i, b = j * ROUND + next, c = up + i % ROUND, d = up + next;
        face(a, j % 2 ? d : c, b);
        face(j % 2 ? a : b, c, d);
    }
    compare(0.2, 0.06);
}
END_TEST

/* --- the rest ---------------------------------------------------------------- */

START_TEST(a_sine_is_a_cosine_turned) {
    make_ball(24);
    for (int k = 0; k < 2; k++) {
        add_order(2, 3, 2);
        wall.modes[k].is_sine = k;
        wall.modes[k].motion = wall.modes[0].motion;
    }
    sb_bem_result result = solve_turned();
    for (int i = 0; i < 20; i++) {
        double z = (i + 0.5) / 10 - 1, angle = 2.4 * i, at[2][2];
        for (int k = 0; k < 2; k++) {
            double turned = angle + k * SB_PI / 4, flat = sqrt(1 - z * z);
            sb_vec3 to = {flat * cos(turned), z, flat * sin(turned)};
            sb_pattern_at(&result.patterns[k], to, at[k]);
        }
        for (int part = 0; part < 2; part++)
            ck_assert_double_eq_tol(at[0][part], at[1][part], 1e-4 * RHO_C);
    }
    sb_bem_result_free(&result);
}
END_TEST

/* Above the order of patterns a mode keeps its power. */
START_TEST(many_waves_are_heard_in_all_directions) {
    memset(&wall, 0, sizeof wall);
    line(0, -2, 1, -2, 20);
    line(1, -2, 1, 2, 100);
    line(1, 2, 0, 2, 20);
    point(0, 2);
    double(*motion)[2] = add_turned(24, 20);
    for (int i = 20; i <= 120; i++)
        motion[i][0] = 1;
    sb_bem_result result = solve_turned();
    ck_assert_int_eq(result.patterns[0].order, -1);
    ck_assert_double_lt(fabs(db(efficiency_of(&result, 0, 4 * SB_PI),
                                cylinder_efficiency(20, 24))),
                        0.5);
    sb_bem_result_free(&result);
}
END_TEST

START_TEST(kernels_agree_on_rings) {
    double numbers[4][16];
    for (int i = 0; i < 64; i++)
        numbers[i / 16][i % 16] = 0.5 + 0.5 * sin(i * i);
    const sb_bem_angles angles = {
        16, numbers[0], {numbers[1], numbers[2], numbers[3]}};
    /* Where x is small and where it is not. */
    static const double wavenumbers[] = {1e-3, 0.1, 0.6, 30};
    for (int k = 0; k < 4; k++) {
        double at[2][2][3][2], size = wavenumbers[k];
        const sb_bem_rings rings = {0.01, 0.3};
        const sb_bem_kernel *kernels[] = {&sb_bem_kernel_portable,
                                          sb_bem_kernel_best()};
        for (int j = 0; j < 2; j++)
            kernels[j]->rings(&angles, rings, size, at[j][0], at[j][1]);
        double complex sums[2] = {0};
        for (int i = 0; i < 16; i++) {
            double r = sqrt(rings.square + rings.across * numbers[0][i]);
            double complex e = cexp(-I * size * r);
            sums[0] += numbers[1][i] * (e - 1) / r;
            sums[1] += numbers[1][i] * (1 - (1 + I * size * r) * e) / pow(r, 3);
        }
        for (int i = 0; i < 4; i++) {
            double exact = i % 2 ? cimag(sums[i / 2]) : creal(sums[i / 2]);
            ck_assert_double_eq_tol(at[0][i / 2][0][i % 2], exact,
                                    1e-8 * cabs(sums[i / 2]));
            ck_assert_double_eq_tol(at[1][i / 2][0][i % 2], exact,
                                    1e-8 * cabs(sums[i / 2]));
        }
    }
}
END_TEST

START_TEST(a_lack_of_memory_and_wrong_modes_are_reported) {
    make_ball(6);
    for (int k = 0; k < 3; k++)
        add_order(1 + k, 1 + k, k);
    sb_bem_turned_def def = turned_def();
    long live = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_bem_result result;
        sb_memory_fail_after(n);
        status = sb_bem_turned_solve(&def, &result, NULL);
        if (!status) sb_bem_result_free(&result);
        sb_memory_fail_after(-1);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
    sb_bem_result result;
    atomic_bool stop = true;
    sb_stop_watch(&stop);
    ck_assert_int_eq(sb_bem_turned_solve(&def, &result, NULL), SB_INTERRUPTED);
    sb_stop_watch(NULL);
    wall.points[3][1] = wall.points[2][1];
    wall.points[3][0] = wall.points[2][0];
    ck_assert_int_eq(sb_bem_turned_solve(&def, &result, NULL), SB_BAD_ARGUMENT);
    make_ball(6);
    wall.modes[1].freq_hz = 0;
    ck_assert_int_eq(sb_bem_turned_solve(&def, &result, NULL), SB_BAD_ARGUMENT);
    ck_assert_int_eq(sb_memory_live_blocks(), live);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("boundary elements of turned walls");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, spheres_of_any_order_radiate_as_they_do);
    tcase_add_test(tcase, long_cylinders_are_like_endless_ones);
    tcase_add_test(tcase, a_disk_radiates_by_its_law);
    tcase_add_test(tcase, rings_of_charge_have_legendre_functions);
    tcase_add_test(tcase, disks_are_heard_as_by_triangles);
    tcase_add_test(tcase, bowls_are_heard_as_by_triangles);
    tcase_add_test(tcase, wheels_are_heard_as_by_triangles);
    tcase_add_test(tcase, a_sine_is_a_cosine_turned);
    tcase_add_test(tcase, many_waves_are_heard_in_all_directions);
    tcase_add_test(tcase, kernels_agree_on_rings);
    tcase_add_test(tcase, a_lack_of_memory_and_wrong_modes_are_reported);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
