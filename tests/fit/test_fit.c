/* SPDX-License-Identifier: MIT */
/* Fits of modes to recordings: each stage on signals whose modes are known,
 * whole fits with noise and close pairs, and the signs and textures of the
 * weights. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/fit.h"
#include "runtime/fit/search.h"
#include "tests/fit/fit_fixture.h"
#include "tests/suite.h"

#include <stdbool.h>
#include <string.h>

static sb_error err;

/* --- parts --------------------------------------------------------------- */

/* Two signals in which three exponentials begin: two of them 10 Hz apart. */
START_TEST(exponentials_without_noise_are_found_exactly) {
    enum { LENGTH = 20000, RATE = 48000, POLES = 3, SIGNALS = 2, MOST = 16 };
    static const double freqs_hz[POLES] = {1000.0, 1010.0, 3300.0};
    static const double t60s_s[POLES] = {0.2, 0.3, 0.1};
    static const double gains[SIGNALS][POLES] = {{1.0, 0.5, 0.1},
                                                 {0.2, -0.7, 1.0}};
    static double x[SIGNALS][LENGTH];
    sb_takes takes = {.count = SIGNALS, .rate_hz = RATE};
    for (int r = 0; r < SIGNALS; r++) {
        takes.items[r].length = LENGTH;
        for (int n = 0; n < LENGTH; n++) {
            double t = (double)n / RATE;
            x[r][n] = 0.0;
            for (int k = 0; k < POLES; k++)
                x[r][n] += gains[r][k] * pow(1e-3, t / t60s_s[k]) *
                           cos(2.0 * SB_PI * freqs_hz[k] * t + k + r);
        }
    }
    const double *const signals[SIGNALS] = {x[0], x[1]};
    sb_density density;
    ck_assert_int_eq(sb_density_make(&density, &takes, signals, LENGTH, &err),
                     SB_OK);
    memset(density.power, 0, (size_t)density.bin_count * sizeof(double));
    sb_search_def def = {.band_rate_hz = 750.0,
                         .span_s = 1.0,
                         .rows = 96,
                         .low_hz = 20.0,
                         .high_hz = 20000.0,
                         .least_t60_s = 0.01,
                         .most_t60_s = 10.0,
                         .margin = 1.0,
                         .density = &density};
    sb_pole found[MOST];
    int count = 0;
    ck_assert_int_eq(
        sb_search_poles(&takes, signals, &def, found, MOST, &count, &err),
        SB_OK);
    ck_assert_int_eq(count, POLES);
    for (int k = 0; k < POLES; k++) {
        double decay = log(1000.0) / (t60s_s[k] * RATE);
        double turn = 2.0 * SB_PI * freqs_hz[k] / RATE, least = 1.0;
        for (int i = 0; i < count; i++)
            least = fmin(least,
                         hypot(found[i].turn - turn, found[i].decay - decay));
        ck_assert_double_lt(least, 1e-6 * turn);
    }
    sb_density_free(&density);
}
END_TEST

/* --- whole fits ---------------------------------------------------------- */

static double loudest(const made *it) {
    double most = 0.0;
    for (int k = 0; k < it->mode_count; k++)
        for (int r = 0; r < it->take_count; r++)
            most = fmax(most, it->modes[k].gains[r]);
    return most;
}

static int nearest(const sb_fit *fit, double freq_hz) {
    int best = 0;
    for (int i = 1; i < fit->mode_count; i++) {
        if (fabs(fit->modes[i].freq_hz - freq_hz) <
            fabs(fit->modes[best].freq_hz - freq_hz)) {
            best = i;
        }
    }
    return best;
}

/* Frequency within 0.05 %, T60 within 5 %, gains within 0.5 dB. */
static void check_mode(const made *it, const sb_fit *fit, int k, double least) {
    const made_mode *mode = &it->modes[k];
    int i = nearest(fit, mode->freq_hz);
    ck_assert_double_eq_tol(fit->modes[i].freq_hz / mode->freq_hz, 1.0, 5e-4);
    ck_assert_double_eq_tol(fit->modes[i].t60_s / mode->t60_s, 1.0, 0.05);
    for (int r = 0; r < it->take_count; r++) {
        if (mode->gains[r] < least) continue;
        double ratio =
            fit->gains[i * it->take_count + r] / (0.1 * mode->gains[r]);
        ck_assert_double_eq_tol(20.0 * log10(ratio), 0.0, 0.5);
    }
}

static void check_fit(const made *it, const sb_fit *fit) {
    double least = loudest(it) * pow(10.0, -25.0 / 20.0);
    bool is_used[SB_FIT_MAX_MODES] = {false};
    for (int k = 0; k < it->mode_count; k++) {
        double most = 0.0;
        for (int r = 0; r < it->take_count; r++)
            most = fmax(most, it->modes[k].gains[r]);
        if (most >= least) check_mode(it, fit, k, least);
        is_used[nearest(fit, it->modes[k].freq_hz)] = true;
    }
    int false_count = 0;
    for (int i = 0; i < fit->mode_count; i++)
        false_count += !is_used[i];
    ck_assert_int_le(false_count, 1);
    for (int r = 0; r < it->take_count; r++)
        ck_assert_double_eq_tol(fit->onsets_s[r], it->before_s[r], 2e-4);
}

START_TEST(every_mode_is_found) {
    static const int rates_hz[] = {48000, 44100};
    static const double noises_db[] = {40.0, 60.0};
    sb_random random = sb_random_make(20 + (uint64_t)_i, 3);
    made it = {.mode_count = IS_SLOW ? 8 : 24,
               .take_count = IS_SLOW ? 2 : 5,
               .rate_hz = IS_SLOW ? 24000 : rates_hz[_i],
               .length_s = IS_SLOW ? 1.0 : 3.0,
               .noise_db = noises_db[_i]};
    made_choose(&it, &random);
    if (IS_SLOW) {
        for (int k = 0; k < it.mode_count; k++)
            it.modes[k].freq_hz = 300.0 + 700.0 * k;
    }
    made_play(&it, &random);
    sb_fit_def def = sb_fit_def_default();
    sb_fit fit;
    ck_assert_int_eq(sb_fit_modes(&fit, it.recordings, it.take_count,
                                  it.rate_hz, &def, &err),
                     SB_OK);
    check_fit(&it, &fit);
    sb_fit_free(&fit);
    made_free(&it);
}
END_TEST

/* Two modes that begin against each other: a tenth of the peak is reached only
 * some 2.5 ms after the hit. */
START_TEST(an_onset_is_found_before_it_is_loud) {
    sb_random random = sb_random_make(6, 3);
    made it = {.modes = {{50.0, 0.3, {1.0}, {-SB_PI / 2.0}},
                         {80.0, 0.3, {0.625}, {SB_PI / 2.0}}},
               .mode_count = 2,
               .take_count = 1,
               .rate_hz = 24000,
               .length_s = 1.0,
               .noise_db = 60.0,
               .before_s = {0.1}};
    made_play(&it, &random);
    sb_fit_def def = sb_fit_def_default();
    sb_fit fit;
    ck_assert_int_eq(sb_fit_modes(&fit, it.recordings, 1, 24000, &def, &err),
                     SB_OK);
    ck_assert_int_eq(fit.mode_count, 2);
    ck_assert_double_eq_tol(fit.onsets_s[0], 0.1, 1e-3);
    check_mode(&it, &fit, 0, 0.0);
    check_mode(&it, &fit, 1, 0.0);
    sb_fit_free(&fit);
    made_free(&it);
}
END_TEST

START_TEST(a_fit_sounds_as_its_recording) {
    sb_random random = sb_random_make(5, 3);
    made it = {.mode_count = 3,
               .take_count = 1,
               .rate_hz = 24000,
               .length_s = 1.0,
               .noise_db = 50.0};
    made_choose(&it, &random);
    made_play(&it, &random);
    sb_fit_def def = sb_fit_def_default();
    sb_fit fit;
    ck_assert_int_eq(sb_fit_modes(&fit, it.recordings, 1, 24000, &def, &err),
                     SB_OK);
    int count = it.recordings[0].count;
    float *played = malloc((size_t)count * sizeof *played);
    sb_fit_play(&fit, 0, 24000, played, count);
    sb_likeness likeness;
    ck_assert_int_eq(sb_fit_compare(&likeness, &fit, 0, 24000,
                                    it.recordings[0].samples, played, count,
                                    &err),
                     SB_OK);
    ck_assert_double_lt(likeness.spectral_db, 0.1);
    ck_assert_double_lt(fabs(likeness.decay_percent), 2.0);
    ck_assert_double_eq_tol(likeness.left_db, -50.0, 1.0);
    /* Half as loud is 6 dB off, and leaves a quarter of the power. */
    for (int n = 0; n < count; n++)
        played[n] *= 0.5f;
    ck_assert_int_eq(sb_fit_compare(&likeness, &fit, 0, 24000,
                                    it.recordings[0].samples, played, count,
                                    &err),
                     SB_OK);
    ck_assert_double_eq_tol(likeness.spectral_db, 6.02, 0.1);
    ck_assert_double_eq_tol(likeness.left_db, -6.02, 0.1);
    free(played);
    sb_fit_free(&fit);
    made_free(&it);
}
END_TEST

/* White, coloured, starting late, dying away; silence. */
static double noise_of_kind(int kind, double part, sb_random *random,
                            double *memory) {
    double g = gauss(random);
    *memory = 0.99 * *memory + 0.1 * g;
    switch (kind) {
    case 0:
        return g;
    case 1:
        return *memory;
    case 2:
        return part > 0.3 ? g : 1e-3 * g;
    case 3:
        return g * exp(-3.0 * part);
    default:
        return 0.0;
    }
}

START_TEST(noise_has_no_modes) {
    enum { RATE = 12000, COUNT = 12000 };
    sb_random random = sb_random_make(31, 4);
    float samples[2][COUNT];
    sb_recording recordings[2] = {{samples[0], COUNT}, {samples[1], COUNT}};
    for (int r = 0; r < 2; r++) {
        double memory = 0.0;
        for (int n = 0; n < COUNT; n++)
            samples[r][n] = (float)(0.1 * noise_of_kind(_i, (double)n / COUNT,
                                                        &random, &memory));
    }
    sb_fit_def def = sb_fit_def_default();
    sb_fit fit;
    ck_assert_int_eq(sb_fit_modes(&fit, recordings, 2, RATE, &def, &err),
                     SB_NO_MODES);
    ck_assert_ptr_nonnull(strstr(err.message, "no modes found"));
}
END_TEST

START_TEST(a_recording_too_short_is_told) {
    float samples[100] = {1.0f};
    sb_recording recording = {samples, 100};
    sb_fit_def def = sb_fit_def_default();
    sb_fit fit;
    ck_assert_int_eq(sb_fit_modes(&fit, &recording, 1, 48000, &def, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "recording 1 has only 0.002 s"));
}
END_TEST

START_TEST(without_memory_nothing_is_left) {
    sb_random random = sb_random_make(8, 3);
    made it = {.mode_count = 1,
               .take_count = 1,
               .rate_hz = 8000,
               .length_s = 0.2,
               .noise_db = 40.0};
    made_choose(&it, &random);
    it.modes[0].freq_hz = 1000.0;
    made_play(&it, &random);
    sb_fit_def def = sb_fit_def_default();
    def.high_hz = 1500.0;
    sb_status status = SB_NO_MEMORY;
    long before = sb_memory_live_blocks();
    for (long n = 0; status == SB_NO_MEMORY; n += n < 40 ? 1 : 7) {
        sb_fit fit;
        sb_memory_fail_after(n);
        status = sb_fit_modes(&fit, it.recordings, 1, 8000, &def, &err);
        sb_memory_fail_after(-1);
        if (!status) sb_fit_free(&fit);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    ck_assert_int_eq(status, SB_OK);
    made_free(&it);
}
END_TEST

/* --- signs and textures -------------------------------------------------- */

START_TEST(sides_of_a_nodal_line_are_told_apart) {
    enum { MODES = 5, TAKES = 3 };
    sb_fit_mode modes[MODES];
    double gains[MODES * TAKES], phases[MODES * TAKES];
    double weights[MODES * TAKES], largest[MODES];
    static const double delays_s[TAKES] = {0.0, 5e-5, -2.1e-5};
    static const int signs[MODES][TAKES] = {
        {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}, {-1, 1, -1}};
    for (int k = 0; k < MODES; k++) {
        modes[k].freq_hz = 200.0 * (k + 1) * (k + 1);
        for (int r = 0; r < TAKES; r++) {
            int i = k * TAKES + r;
            gains[i] = 0.2 + 0.1 * r;
            phases[i] =
                remainder(0.4 * k + (signs[k][r] < 0 ? SB_PI : 0.0) +
                              2.0 * SB_PI * modes[k].freq_hz * delays_s[r],
                          2.0 * SB_PI);
        }
    }
    sb_fit fit = {.modes = modes,
                  .mode_count = MODES,
                  .take_count = TAKES,
                  .gains = gains,
                  .phases_rad = phases};
    ck_assert_double_gt(sb_fit_weights(&fit, weights, largest), 0.95);
    for (int k = 0; k < MODES; k++) {
        ck_assert_double_eq_tol(largest[k], 0.4, 1e-12);
        for (int r = 0; r < TAKES; r++) {
            double product = weights[k * TAKES + r] * weights[k * TAKES];
            ck_assert_double_eq_tol(fabs(weights[k * TAKES + r]),
                                    (0.2 + 0.1 * r) / 0.4, 1e-9);
            ck_assert(product * signs[k][r] * signs[k][0] > 0.0);
        }
    }
}
END_TEST

static float texel(const float *picture, int size, double u, double v) {
    return picture[(int)(v * size) * size + (int)(u * size)];
}

START_TEST(a_texture_has_at_each_place_what_is_known_there) {
    enum { SIZE = 200 };
    static float picture[SIZE * SIZE];
    static const double values[4] = {1.0, -0.5, 0.25, 0.0};
    sb_spread spread = {.kind = (sb_spread_kind)_i, .count = 4};
    for (int i = 0; i < 4; i++) {
        spread.places[i][0] = 0.5025 + 0.12 * i;
        spread.places[i][1] = 0.5025;
    }
    ck_assert_int_eq(sb_spread_fill(&spread, values, SIZE, SIZE, picture, &err),
                     SB_OK);
    for (int i = 0; i < 4; i++) {
        float got = texel(picture, SIZE, spread.places[i][0], 0.5025);
        ck_assert_double_eq_tol((double)got, values[i], 0.02);
    }
    for (int i = 0; _i != SB_SPREAD_SCATTERED && i < SIZE * SIZE; i++) {
        ck_assert_float_le(picture[i], 1.0f);
        ck_assert_float_ge(picture[i], -0.5f);
    }
    if (_i == SB_SPREAD_ROUND) {
        for (double r = 0.05; r < 0.45; r += 0.05) {
            float right = texel(picture, SIZE, 0.5 + r, 0.5025);
            float top = texel(picture, SIZE, 0.5025, 0.5 - r - 0.0025);
            ck_assert_double_eq_tol((double)right, (double)top, 0.06);
        }
    }
}
END_TEST

START_TEST(what_is_the_same_everywhere_stays_so) {
    float picture[16 * 16];
    static const double values[3] = {0.3, 0.3, 0.3};
    sb_spread spread = {.kind = (sb_spread_kind)_i,
                        .count = 3,
                        .places = {{0.1, 0.2}, {0.8, 0.3}, {0.4, 0.9}}};
    ck_assert_int_eq(sb_spread_fill(&spread, values, 16, 16, picture, &err),
                     SB_OK);
    for (int i = 0; i < 256; i++)
        ck_assert_double_eq_tol((double)picture[i], 0.3, 1e-6);
}
END_TEST

START_TEST(the_same_place_twice_is_refused) {
    float picture[4];
    static const double values[2] = {0.0, 1.0};
    sb_spread spread = {.kind = SB_SPREAD_SCATTERED,
                        .count = 2,
                        .places = {{0.5, 0.5}, {0.5, 0.5}}};
    ck_assert_int_eq(sb_spread_fill(&spread, values, 2, 2, picture, &err),
                     SB_BAD_ARGUMENT);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fit");
    TCase *tcase = tcase_create("fit");
    tcase_add_test(tcase, exponentials_without_noise_are_found_exactly);
    tcase_add_loop_test(tcase, every_mode_is_found, 0, IS_SLOW ? 1 : 2);
    tcase_add_test(tcase, an_onset_is_found_before_it_is_loud);
    tcase_add_test(tcase, a_fit_sounds_as_its_recording);
    tcase_add_loop_test(tcase, noise_has_no_modes, 0, 5);
    tcase_add_test(tcase, a_recording_too_short_is_told);
    tcase_add_test(tcase, without_memory_nothing_is_left);
    tcase_add_test(tcase, sides_of_a_nodal_line_are_told_apart);
    tcase_add_loop_test(tcase, a_texture_has_at_each_place_what_is_known_there,
                        0, 3);
    tcase_add_loop_test(tcase, what_is_the_same_everywhere_stays_so, 0, 3);
    tcase_add_test(tcase, the_same_place_twice_is_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
