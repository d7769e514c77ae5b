/* SPDX-License-Identifier: MIT */
/* Surfaces: heights as stated, the same there and back, nothing that aliases,
 * and what a ball feels of them. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/surface.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static sb_surface *make(const sb_surface_def *def) {
    sb_surface *surface = 0;
    sb_error err;
    sb_status status = sb_surface_create(def, &surface, &err);
    ck_assert_msg(status == SB_OK, "%s", status ? err.message : "");
    return surface;
}

static double height_at(const sb_surface *s, int level, double along_m) {
    uint64_t phase = sb_surface_phase(s, along_m);
    double height;
    sb_surface_heights(s, level, 0, &phase, 1, &height);
    return height;
}

/* The mean of h(s) h(s + lag). */
static double correlation(const sb_surface *s, int lag) {
    double sum = 0;
    for (int i = 0; i < s->points; i++)
        sum += (double)s->heights_m[i] *
               (double)s->heights_m[(i + lag) % s->points];
    return sum / s->points;
}

/* The mean power of the lines first .. last of the heights. */
static double power_of_lines(const sb_surface *s, int first, int last) {
    double power = 0;
    for (int k = first; k <= last; k++) {
        double c = cos(2 * SB_PI * k / s->points),
               d = sin(2 * SB_PI * k / s->points);
        double x = 1, y = 0, re = 0, im = 0;
        for (int i = 0; i < s->points; i++) {
            re += (double)s->heights_m[i] * x;
            im += (double)s->heights_m[i] * y;
            double next = c * x - d * y;
            y = d * x + c * y;
            x = next;
        }
        power += re * re + im * im;
    }
    return power / (last - first + 1);
}

/* Metres along the surface, 0 .. period_m. */
static double along_m(const sb_surface *surface, uint64_t phase) {
    return ldexp((double)(int64_t)(phase >> 1), -63) * surface->period_m;
}

START_TEST(noise_is_as_rough_and_as_grainy_as_stated) {
    sb_surface_def def = sb_surface_default(SB_SURFACE_NOISE);
    def.roughness_m = 3e-6;
    def.grain_m = 0.4e-3;
    sb_surface *s = make(&def);
    double power = correlation(s, 0);
    ck_assert_double_eq_tol(sqrt(power), 3e-6, 1e-12);
    int lag = (int)lround(0.4e-3 / (s->period_m / s->points));
    ck_assert_double_eq_tol(correlation(s, lag) / power, exp(-1), 0.05);
    ck_assert_double_eq_tol(s->period_m, 16384 * 0.4e-3, 1e-9);
    def.seed++;
    sb_surface *other = make(&def);
    ck_assert_int_ne(memcmp(s->heights_m, other->heights_m,
                            sizeof(float) * (size_t)s->points),
                     0);
    sb_surface_release(other);
    sb_surface_release(s);
}
END_TEST

START_TEST(fractal_power_falls_with_its_exponent) {
    const double exponents[] = {1, 2, 3.3};
    for (int i = 0; i < 3; i++) {
        sb_surface_def def = sb_surface_default(SB_SURFACE_FRACTAL);
        def.exponent = exponents[i];
        def.length_m = 1;
        sb_surface *s = make(&def);
        ck_assert_double_eq_tol(sqrt(correlation(s, 0)) / 20e-6, 1, 1e-5);
        double low = power_of_lines(s, 200, 240);
        double high = power_of_lines(s, 8000, 8080);
        double got = log(low / high) / log(8040.0 / 220);
        ck_assert_double_eq_tol(got, exponents[i], 0.15);
        int finest = (int)(s->period_m / def.shortest_m);
        double beyond = power_of_lines(s, finest + 5, finest + 9);
        ck_assert_double_lt(beyond, 1e-8 * high);
        sb_surface_release(s);
    }
}
END_TEST

START_TEST(a_grid_has_its_grooves_and_cobbles_their_stones) {
    sb_surface_def def = sb_surface_default(SB_SURFACE_GRID);
    sb_surface *s = make(&def);
    ck_assert_double_eq_tol(s->period_m, 0.01, 1e-15);
    ck_assert_double_eq_tol(height_at(s, 0, 0), 0, 2e-6);
    ck_assert_double_eq_tol(height_at(s, 0, 0.005), -1e-3, 2e-6);
    ck_assert_double_eq_tol(height_at(s, 0, 0.004), -0.5e-3, 2e-6);
    ck_assert_double_eq_tol(height_at(s, 0, -123.004), -0.5e-3, 2e-6);
    ck_assert_double_eq_tol(height_at(s, s->level_count, 0), -0.2e-3, 1e-8);
    ck_assert_double_eq_tol(height_at(s, s->level_count - 1, 0), -0.1e-3,
                            0.2e-3);
    sb_surface_release(s);
    def = sb_surface_default(SB_SURFACE_COBBLES);
    s = make(&def);
    int joints = 0;
    for (int i = 0; i < s->points; i++) {
        float h = s->heights_m[i];
        int n = s->points;
        joints += h < -7.5e-3f && h <= s->heights_m[(i + 1) % n] &&
                  h < s->heights_m[(i + n - 1) % n];
        ck_assert(h <= 0 && h >= -8e-3f);
    }
    ck_assert_int_eq(joints, (int)lround(s->period_m / 0.08));
    sb_surface_release(s);
}
END_TEST

/* A sine of so many waves over 1 m. */
static sb_surface *sine(int waves) {
    enum { POINTS = 8192 };
    static float heights[POINTS];
    for (int i = 0; i < POINTS; i++)
        heights[i] = (float)(1e-3 * sin(2 * SB_PI * waves * i / POINTS));
    sb_surface_def def = sb_surface_default(SB_SURFACE_STORED);
    def.heights_m = heights;
    def.points = POINTS;
    def.spacing_m = 1.0 / POINTS;
    return make(&def);
}

/* The amplitude of frequency f in what is read of dh/dt, over what it is. */
static double read_gain(const sb_surface *s, int waves, double speed,
                        double rate) {
    enum { COUNT = 4096 };
    static uint64_t phases[COUNT];
    static float speeds[COUNT], lift[COUNT];
    double f = waves * speed, re = 0, im = 0, sum = 0;
    for (int n = 0; n < COUNT; n++) {
        phases[n] = sb_surface_phase(s, n * speed / rate);
        speeds[n] = (float)speed;
        lift[n] = 0;
    }
    int level = sb_surface_level_for(s, speed / rate, 0);
    sb_surface_slopes(s, level, 0, phases, speeds, COUNT, lift);
    for (int n = 0; n < COUNT; n++) {
        double window = 1 - cos(2 * SB_PI * (n + 0.5) / COUNT);
        double angle = 2 * SB_PI * f * n / rate;
        re += window * (double)lift[n] * cos(angle);
        im += window * (double)lift[n] * sin(angle);
        sum += window;
    }
    return 2 * hypot(re, im) / sum / (2 * SB_PI * f * 1e-3);
}

START_TEST(reading_is_flat_to_10_khz_and_empty_above_nyquist) {
    const double rates[] = {44100, 48000, 96000, 192000};
    for (int waves = 40; waves <= 640; waves *= 4) {
        sb_surface *s = sine(waves);
        for (int r = 0; r < 4; r++) {
            for (double f = 400; f < 10000; f *= 1.21) {
                double gain = read_gain(s, waves, f / waves, rates[r]);
                ck_assert_msg(fabs(20 * log10(gain)) < 0.1,
                              "%d waves, %g Hz of %g: %g dB", waves, f,
                              rates[r], 20 * log10(gain));
            }
            for (double f = 0.51; f < 8; f *= 1.13) {
                double gain =
                    read_gain(s, waves, f * rates[r] / waves, rates[r]);
                ck_assert_msg(gain < 1e-3, "%d waves, %g rates: %g", waves, f,
                              gain);
            }
        }
        sb_surface_release(s);
    }
}
END_TEST

START_TEST(places_stay_exact_after_hours) {
    sb_surface_def def = sb_surface_default(SB_SURFACE_NOISE);
    sb_surface *s = make(&def);
    uint64_t phase = sb_surface_phase(s, 0.1), pace = sb_surface_phase(s, 7e-5);
    uint64_t back = sb_surface_phase(s, -7e-5);
    uint64_t hours = (uint64_t)48000 * 3600 * 24;
    uint64_t far = phase + hours * pace;
    ck_assert(far + hours * back == phase);
    double exact = fmod(0.1 + 7e-5 * (double)hours, s->period_m);
    ck_assert_double_eq_tol(along_m(s, far), exact, 1e-6);
    ck_assert_double_eq_tol(along_m(s, phase), 0.1, 1e-15);
    sb_surface_release(s);
}
END_TEST

START_TEST(ends_repeat_mirror_or_clamp) {
    enum { POINTS = 256 };
    float heights[POINTS];
    for (int i = 0; i < POINTS; i++)
        heights[i] = (float)(1e-3 * cos(SB_PI * (i + 0.5) / POINTS));
    sb_surface_def def = sb_surface_default(SB_SURFACE_STORED);
    def.heights_m = heights;
    def.points = POINTS;
    def.spacing_m = 1.0 / POINTS;
    def.end = SB_SURFACE_MIRROR;
    sb_surface *s = make(&def);
    ck_assert_double_eq(s->period_m, 2);
    for (double x = -3; x < 3; x += 0.0317)
        ck_assert_double_eq_tol(height_at(s, 0, x), 1e-3 * cos(SB_PI * x),
                                1e-7);
    sb_surface_release(s);
    def.end = SB_SURFACE_CLAMP;
    s = make(&def);
    ck_assert(s->is_clamped);
    ck_assert_double_eq(s->length_m, 1);
    ck_assert_double_eq_tol(height_at(s, 0, 0.25), 1e-3 * cos(SB_PI / 4), 1e-7);
    sb_surface_release(s);
}
END_TEST

START_TEST(rows_of_a_map_blend_evenly) {
    enum { POINTS = 64, ROWS = 3 };
    float heights[ROWS * POINTS];
    for (int i = 0; i < ROWS * POINTS; i++)
        heights[i] = (float)(1e-3 * (i / POINTS == 1 ? 3 : i / POINTS));
    sb_surface_def def = sb_surface_default(SB_SURFACE_STORED);
    def.heights_m = heights;
    def.points = POINTS;
    def.rows = ROWS;
    def.row_spacing_m = 0.5;
    sb_surface *s = make(&def);
    const double across[] = {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, -0.25, 15.125};
    const double wanted[] = {0, 1.5, 3, 2.5, 2, 1, 0, 1, 0.75};
    uint64_t phase = 12345;
    for (int i = 0; i < 9; i++) {
        double height;
        sb_surface_heights(s, 0, across[i], &phase, 1, &height);
        ck_assert_double_eq_tol(height, 1e-3 * wanted[i], 1e-8);
    }
    sb_surface_release(s);
}
END_TEST

/* The floor of a wide groove ends in a step up; a narrow one has two corners
 * between which the ball does not reach the floor. */
START_TEST(a_ball_climbs_a_step_and_sinks_between_corners) {
    const double radius = 0.05, depth = 0.01, widths[] = {0.5, 0.02};
    for (int w = 0; w < 2; w++) {
        sb_surface_def def = sb_surface_default(SB_SURFACE_GRID);
        def.period_m = 1;
        def.depth_m = depth;
        def.width_m = widths[w];
        def.edge_m = 0;
        sb_surface *s = make(&def), *rolled = 0;
        ck_assert_int_eq(sb_surface_roll(s, radius, 0, &rolled, 0), SB_OK);
        for (int i = 0; i < rolled->points; i++) {
            double x = i * rolled->period_m / rolled->points;
            double to_corner = 0.5 * widths[w] - fabs(x - 0.5), exact = -depth;
            if (to_corner <= 0) {
                exact = 0;
            } else if (to_corner < radius) {
                exact = sqrt(radius * radius - to_corner * to_corner) - radius;
                exact = fmax(exact, -depth);
            }
            /* A corner is known to one spacing; the arc is at 37 degrees
             * where it leaves the floor. */
            double got = (double)rolled->heights_m[i];
            ck_assert_msg(fabs(got - exact) < 0.76 / 2048,
                          "width %g at %g: %g not %g", widths[w], x, got,
                          exact);
        }
        double lowest = height_at(rolled, 0, 0.5);
        double exact = sqrt(radius * radius - 1e-4) - radius;
        ck_assert_double_eq_tol(lowest, w == 0 ? -depth : exact, 2e-4);
        sb_surface_release(rolled);
        sb_surface_release(s);
    }
}
END_TEST

/* Every point against every other. */
START_TEST(rolling_finds_the_highest_of_all_supports) {
    const double radii[] = {1e-4, 2e-3, 0.05, 30};
    sb_surface_def def = sb_surface_default(SB_SURFACE_STORED);
    float heights[128];
    for (int i = 0; i < 128; i++)
        heights[i] = (float)(1e-3 * sin(i * i * 0.37) + 2e-4 * (i % 7));
    def.heights_m = heights;
    def.points = 128;
    for (int r = 0; r < 4; r++) {
        sb_surface *s = make(&def), *rolled = 0;
        ck_assert_int_eq(sb_surface_roll(s, radii[r], 0, &rolled, 0), SB_OK);
        int n = s->points;
        double spacing = s->period_m / n;
        for (int i = 0; i < n; i++) {
            double best = -1;
            for (int j = -n; j <= n; j++) {
                double t = j * spacing, inside = radii[r] * radii[r] - t * t;
                if (inside < 0) continue;
                double h = (double)s->heights_m[(i + j + n) % n];
                best = fmax(best, h + sqrt(inside) - radii[r]);
            }
            ck_assert_double_eq_tol((double)rolled->heights_m[i], best, 1e-9);
        }
        sb_surface_release(rolled);
        sb_surface_release(s);
    }
}
END_TEST

/* The rim of a coin: as rough as the surface, of the rim's length, without a
 * step at the seam. */
START_TEST(a_ring_of_a_surface_closes) {
    sb_surface_def def = sb_surface_default(SB_SURFACE_NOISE);
    def.roughness_m = 1e-5;
    def.grain_m = 4e-4;
    sb_surface *s = make(&def), *ring = 0;
    ck_assert_int_eq(sb_surface_loop(s, 0.0754, &ring, 0), SB_OK);
    ck_assert_double_eq_tol(ring->period_m, 0.0754, 1e-12);
    double mean = ring->mean_m, most = 0;
    double rms = sqrt(correlation(ring, 0) - mean * mean);
    ck_assert_double_eq_tol(rms, def.roughness_m, 0.25 * def.roughness_m);
    for (int i = 0; i < ring->points; i++) {
        double next = (double)ring->heights_m[(i + 1) % ring->points];
        most = fmax(most, fabs(next - (double)ring->heights_m[i]));
    }
    /* The step from the last point to the first is one of many. */
    double seam = fabs((double)ring->heights_m[0] -
                       (double)ring->heights_m[ring->points - 1]);
    ck_assert_double_lt(seam, 0.9 * most);
    ck_assert_double_lt(most, def.roughness_m);
    sb_surface_release(ring);
    /* Longer than the surface: the surface itself. */
    ck_assert_int_eq(sb_surface_loop(s, 2 * s->period_m, &ring, 0), SB_OK);
    ck_assert_ptr_eq(ring, s);
    sb_surface_release(ring);
    sb_surface_release(s);
}
END_TEST

START_TEST(what_cannot_be_made_is_said) {
    sb_error err;
    sb_surface *s = 0;
    sb_surface_def def = sb_surface_default(SB_SURFACE_NOISE);
    def.grain_m = 0;
    ck_assert_int_eq(sb_surface_create(&def, &s, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "surface: grain is 0; expected 1e-07 to 10000");
    def = sb_surface_default(SB_SURFACE_FRACTAL);
    def.exponent = NAN;
    ck_assert_int_eq(sb_surface_create(&def, &s, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "exponent is"));
    def = sb_surface_default(SB_SURFACE_STORED);
    def.points = 4;
    ck_assert_int_eq(sb_surface_create(&def, &s, &err), SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "surface: a stored one has no heights");
    const float heights[] = {0, 1e-3f, NAN, 0};
    def.heights_m = heights;
    ck_assert_int_eq(sb_surface_create(&def, &s, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "height 3 is"));
    def.kind = 77;
    ck_assert_int_eq(sb_surface_create(&def, &s, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_null(s);
}
END_TEST

START_TEST(without_memory_nothing_is_made_or_lost) {
    float heights[16] = {0, 1e-3f};
    sb_surface_def def = sb_surface_default(SB_SURFACE_STORED);
    def.heights_m = heights;
    def.points = 16;
    long before = sb_memory_live_blocks();
    int failures = 0;
    for (long n = 0;; n++) {
        sb_surface *s = 0, *rolled = 0;
        sb_memory_fail_after(n);
        sb_status status = sb_surface_create(&def, &s, 0);
        if (!status) status = sb_surface_roll(s, 0.01, 0, &rolled, 0);
        sb_memory_fail_after(-1);
        sb_surface_release(s);
        sb_surface_release(rolled);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
        if (!status) break;
        ck_assert_int_eq(status, SB_NO_MEMORY);
        failures++;
    }
    ck_assert_int_gt(failures, 5);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("surface");
    TCase *made = tcase_create("made");
    tcase_add_test(made, noise_is_as_rough_and_as_grainy_as_stated);
    tcase_add_test(made, fractal_power_falls_with_its_exponent);
    tcase_add_test(made, a_grid_has_its_grooves_and_cobbles_their_stones);
    tcase_add_test(made, ends_repeat_mirror_or_clamp);
    tcase_add_test(made, rows_of_a_map_blend_evenly);
    tcase_add_test(made, a_ring_of_a_surface_closes);
    tcase_add_test(made, what_cannot_be_made_is_said);
    tcase_add_test(made, without_memory_nothing_is_made_or_lost);
    suite_add_tcase(suite, made);
    TCase *read = tcase_create("read");
    tcase_add_test(read, reading_is_flat_to_10_khz_and_empty_above_nyquist);
    tcase_add_test(read, places_stay_exact_after_hours);
    tcase_add_test(read, a_ball_climbs_a_step_and_sinks_between_corners);
    tcase_add_test(read, rolling_finds_the_highest_of_all_supports);
    suite_add_tcase(suite, read);
    return run_suite(suite);
}
