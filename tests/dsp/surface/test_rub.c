/* SPDX-License-Identifier: MIT */
/* Lasting contacts: the same at every sample rate, silent at rest, and as often
 * and as strong as stated. */
#include "runtime/base/fft.h"
#include "tests/dsp/surface/rub_fixture.h"

#include "runtime/dsp/vector/isa.h"

/* Metres along the surface, 0 .. period_m. */
static double along_m(const sb_surface *surface, uint64_t phase) {
    return ldexp((double)(int64_t)(phase >> 1), -63) * surface->period_m;
}

static float force[192000];

/* Of a contact over 0.4 s, at all rates against the highest, in all bands in
 * which there is something: not 50 dB below the strongest. */
static void check_rates(const sb_rub_def *def, sb_contact_load load,
                        const char *what) {
    const double seconds = 0.4;
    double energy[RATE_COUNT][BANDS];
    for (int r = RATE_COUNT - 1; r >= 0; r--) {
        sb_rub rub;
        sb_rub_init(&rub, def, rates_hz[r]);
        int blocks = (int)(seconds * rates_hz[r] / SB_BLOCK_FRAMES) + 1;
        run_steady(&rub, load, blocks, force);
        fade(force, rates_hz[r], seconds);
        third_octaves(force, rates_hz[r], seconds, energy[r]);
        double most = 0;
        for (int b = 0; b < BANDS; b++)
            most = fmax(most, energy[3][b]);
        for (int b = 0; b < BANDS; b++) {
            if (energy[3][b] < 1e-5 * most) continue;
            double db = 10 * log10(energy[r][b] / energy[3][b]);
            ck_assert_msg(fabs(db) < 0.3, "%s at %g Hz, band %g Hz: %g dB",
                          what, rates_hz[r], 50 * exp2(b / 3.0), db);
        }
    }
}

/* All that a contact can do at once, under a load that changes. */
static void run_everything(const sb_surface *surface, float *out, int blocks) {
    sb_rub_def def = sb_rub_default();
    sb_rub rub;
    def.surface[0] = surface;
    def.gain[SB_RUB_IMPACTS] = def.gain[SB_RUB_CREAK] = 1;
    def.eccentricity = 0.5;
    sb_rub_init(&rub, &def, 48000);
    memset(out, 0, sizeof(float) * SB_BLOCK_FRAMES * (size_t)blocks);
    for (int i = 0; i < blocks; i++) {
        double slip = i % 7 ? 0.1 : 0.0;
        sb_contact_load from = {0.1 + 0.01 * i, {0.5 - 0.1 * i, 0.7}, slip};
        sb_contact_load to = {0.11 + 0.01 * i, {0.4 - 0.1 * i, 0.7}, slip};
        sb_rub_block(&rub, &from, i % 3 ? &to : &from,
                     out + i * SB_BLOCK_FRAMES);
    }
}

START_TEST(forces_are_the_same_with_every_instruction_set) {
    enum { BLOCKS = 40, COUNT = BLOCKS * SB_BLOCK_FRAMES };
    static float plain[COUNT];
    static const char *const names[] = {"avx2", "avx512"};
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    sb_surface *surface = make_surface(&noise);
    ck_assert_ptr_nonnull(sb_isa_choose("portable"));
    run_everything(surface, plain, BLOCKS);
    double most = 0;
    for (int n = 0; n < COUNT; n++)
        most = fmax(most, fabs((double)plain[n]));
    ck_assert_double_gt(most, 0);
    for (int i = 0; i < 2; i++) {
        if (!sb_isa_choose(names[i])) continue;
        run_everything(surface, force, BLOCKS);
        for (int n = 0; n < COUNT; n++)
            ck_assert_double_eq_tol((double)force[n], (double)plain[n],
                                    2e-6 * most);
    }
    (void)sb_isa_choose(NULL);
    sb_surface_release(surface);
}
END_TEST

START_TEST(profiles_sound_the_same_at_every_rate) {
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    noise.grain_m = 0.05e-3;
    sb_surface_def fractal = sb_surface_default(SB_SURFACE_FRACTAL);
    sb_rub_def def = sb_rub_default();
    def.surface[0] = make_surface(&noise);
    def.surface[1] = make_surface(&fractal);
    check_rates(&def, (sb_contact_load){0.1, {1, 1}, 0}, "rolling");
    check_rates(&def, (sb_contact_load){0.1, {0, 2.3}, 2.3}, "sliding");
    check_rates(&def, (sb_contact_load){5, {-0.3, 0.7}, 1}, "scraping");
    sb_surface_release((sb_surface *)def.surface[0]);
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

START_TEST(pulses_sound_the_same_at_every_rate) {
    sb_rub_def def = sb_rub_default();
    def.gain[SB_RUB_PROFILE] = 0;
    def.gain[SB_RUB_IMPACTS] = 1;
    check_rates(&def, (sb_contact_load){0.1, {0.5, 0.5}, 0}, "impacts");
    set_stiffness(&def, 1e9); /* 10 us */
    check_rates(&def, (sb_contact_load){0.1, {0.5, 0.5}, 0}, "hard impacts");
    def.gain[SB_RUB_IMPACTS] = 0;
    def.gain[SB_RUB_CREAK] = 1;
    def.creak_mass_kg = 1e-6;
    check_rates(&def, (sb_contact_load){3, {0, 0.02}, 0.02}, "creak");
}
END_TEST

START_TEST(gravel_sounds_the_same_at_every_rate) {
    sb_surface_def gravel = sb_surface_default(SB_SURFACE_GRAVEL);
    gravel.gravel.per_n2s = 1e5;
    sb_rub_def def = sb_rub_default();
    def.surface[1] = make_surface(&gravel);
    def.gain[SB_RUB_GRAVEL] = 1;
    check_rates(&def, (sb_contact_load){0.1, {1, 1}, 0}, "gravel");
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

/* Impacts in so many seconds at 48 kHz. */
static double impacts_in(const sb_rub_def *def, double speed, double seconds) {
    sb_rub rub;
    sb_rub_init(&rub, def, 48000);
    sb_contact_load load = {0.1, {speed, speed}, 0};
    for (int i = 0; i < seconds * 375; i++) {
        float out[SB_BLOCK_FRAMES] = {0};
        sb_rub_block(&rub, &load, &load, out);
    }
    return (double)rub.impact_count;
}

START_TEST(twice_the_speed_is_twice_the_impacts) {
    sb_rub_def def = sb_rub_default();
    def.gain[SB_RUB_PROFILE] = 0;
    def.gain[SB_RUB_IMPACTS] = 1;
    for (int gaps = 0; gaps < 2; gaps++) {
        def.gaps = gaps ? SB_RUB_EXPONENTIAL : SB_RUB_UNIFORM;
        double once = impacts_in(&def, 0.2, 20);
        double twice = impacts_in(&def, 0.4, 10);
        double slow = impacts_in(&def, -0.05, 80);
        /* The same distance: the same impacts, the last one perhaps missing. */
        ck_assert_double_eq_tol(twice, once, 1 + gaps * 0.02 * once);
        ck_assert_double_eq_tol(slow, once, 1 + gaps * 0.02 * once);
        /* 4 m at 1 mm; the mean of 4,000 gaps is good to a few percent. */
        ck_assert_double_eq_tol(once, 4000, gaps ? 200 : 60);
    }
    def.gaps = SB_RUB_UNIFORM;
    def.gap_s[0] = 0.01;
    double held = impacts_in(&def, 1, 10);
    ck_assert_msg(held > 990 && held <= 1001, "%g impacts", held);
    def.gap_s[0] = 0;
    def.gap_s[1] = 0.02;
    double hurried = impacts_in(&def, 0.001, 10);
    ck_assert_msg(hurried >= 499 && hurried < 510, "%g impacts", hurried);
    ck_assert_double_eq(impacts_in(&def, 0, 1), 0);
}
END_TEST

START_TEST(exponential_gaps_are_a_poisson_process) {
    sb_rub_def def = sb_rub_default();
    def.gain[SB_RUB_PROFILE] = 0;
    def.gain[SB_RUB_IMPACTS] = 1;
    def.gaps = SB_RUB_EXPONENTIAL;
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    sb_contact_load load = {0.1, {0.2, 0.2}, 0};
    double sum = 0, squares = 0;
    const int windows = 6000; /* of 10.7 ms */
    for (int i = 0; i < windows; i++) {
        unsigned long before = rub.impact_count;
        for (int j = 0; j < 4; j++) {
            float out[SB_BLOCK_FRAMES] = {0};
            sb_rub_block(&rub, &load, &load, out);
        }
        double count = (double)(rub.impact_count - before);
        sum += count;
        squares += count * count;
    }
    double mean = sum / windows;
    double dispersion = (squares / windows - mean * mean) / mean;
    ck_assert_double_eq_tol(dispersion, 1, 0.1);
    ck_assert_double_eq_tol(mean, 200 * 512 / 48000.0, 0.06);
}
END_TEST

START_TEST(rolling_has_no_pitch) {
    enum { SIZE = 8192, WINDOWS = 40 };
    static double complex x[SIZE], work[SIZE], turn[SIZE];
    static double power[SIZE];
    sb_fft_turns(turn, SIZE);
    for (int narrow = 0; narrow < 2; narrow++) {
        memset(power, 0, sizeof power);
        sb_rub_def def = sb_rub_default();
        def.gain[SB_RUB_PROFILE] = 0;
        def.gain[SB_RUB_IMPACTS] = 1;
        if (narrow) def.gap_m[0] = 0.75e-3;
        sb_rub rub;
        sb_rub_init(&rub, &def, 48000);
        for (int i = 0; i < WINDOWS; i++) {
            run_steady(&rub, (sb_contact_load){0.1, {0.6, 0.6}, 0},
                       SIZE / SB_BLOCK_FRAMES, force);
            for (int n = 0; n < SIZE; n++)
                x[n] = (double)force[n] * (1 - cos(2 * SB_PI * n / SIZE));
            sb_fft_kernel(x, work, SIZE, -1, turn, SIZE);
            for (int k = 0; k < SIZE / 2; k++)
                power[k] +=
                    creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k]);
        }
        for (int k = 40; k < 1700; k++) { /* 230 Hz to 10 kHz */
            double about = 0;
            for (int j = k - 30; j <= k + 30; j++)
                about += power[j] / 61;
            ck_assert_msg(power[k] < 3.98 * about, "%g Hz: %g dB",
                          k * 48000.0 / SIZE, 10 * log10(power[k] / about));
        }
    }
}
END_TEST

START_TEST(there_and_back_is_the_same_ground) {
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    sb_rub_def def = sb_rub_default();
    def.surface[1] = make_surface(&noise);
    def.start_m[1] = 0.02;
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    enum { BLOCKS = 200 };
    static double there[BLOCKS][SB_BLOCK_FRAMES + 1];
    double back[SB_BLOCK_FRAMES + 1];
    sb_contact_load out = {1, {0, 0.7}, 0}, home = {1, {0, -0.7}, 0};
    for (int i = 0; i < BLOCKS; i++)
        sb_rub_profile(&rub, &out, &out, there[i]);
    for (int i = BLOCKS - 1; i >= 0; i--) {
        sb_rub_profile(&rub, &home, &home, back);
        for (int n = 0; n <= SB_BLOCK_FRAMES; n++)
            ck_assert_double_eq(back[n], there[i][SB_BLOCK_FRAMES - n]);
    }
    ck_assert_double_eq_tol(along_m(def.surface[1], rub.place[1].phase), 0.02,
                            1e-15);
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

static bool is_silent(const float *impulse_ns, int count) {
    for (int n = 0; n < count; n++)
        if (impulse_ns[n] != 0) return false;
    return true;
}

/* A profile that stops from full speed within one block. */
START_TEST(a_stopped_profile_dies_away_without_a_step) {
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    sb_rub_def def = sb_rub_default();
    def.surface[1] = make_surface(&noise);
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    sb_contact_load moving = {5, {1, 1}, 0}, rest = {5, {0, 0}, 0};
    run_steady(&rub, moving, 100, force);
    memset(force, 0, sizeof(float) * SB_BLOCK_FRAMES);
    sb_rub_block(&rub, &moving, &rest, force);
    run_steady(&rub, rest, 40, force + SB_BLOCK_FRAMES);
    ck_assert(force[SB_BLOCK_FRAMES] != 0);
    double last = fabs((double)force[SB_BLOCK_FRAMES - 1]), most = last;
    for (int n = SB_BLOCK_FRAMES; n < SB_BLOCK_FRAMES + 8; n++)
        most = fmax(most, fabs((double)force[n]));
    ck_assert_double_lt(fabs((double)force[SB_BLOCK_FRAMES]) - last,
                        0.5 * most);
    ck_assert(is_silent(force + 40 * SB_BLOCK_FRAMES, SB_BLOCK_FRAMES));
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

START_TEST(nothing_sounds_at_rest_or_apart) {
    sb_surface_def gravel = sb_surface_default(SB_SURFACE_GRAVEL);
    sb_rub_def def = sb_rub_default();
    def.surface[0] = def.surface[1] = make_surface(&gravel);
    for (int k = 0; k < SB_RUB_KIND_COUNT; k++)
        def.gain[k] = 1;
    def.eccentricity = 0.5;
    def.gap_s[1] = 0.01;
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    sb_contact_load rest = {5, {0, 0}, 0}, apart = {0, {1, 1}, 0.1};
    sb_contact_load moving = {5, {1, 0.8}, 0.2};
    float last[SB_BLOCK_FRAMES] = {0};
    run_steady(&rub, rest, 100, force);
    ck_assert(is_silent(force, 100 * SB_BLOCK_FRAMES));
    run_steady(&rub, apart, 100, force);
    ck_assert(is_silent(force, 100 * SB_BLOCK_FRAMES));
    run_steady(&rub, moving, 100, force);
    ck_assert(!is_silent(force, 100 * SB_BLOCK_FRAMES));
    sb_rub_block(&rub, &moving, &rest, last);
    run_steady(&rub, rest, 100, force);
    ck_assert(!is_silent(force, SB_BLOCK_FRAMES)); /* it dies away */
    ck_assert(is_silent(force + 50 * SB_BLOCK_FRAMES, 50 * SB_BLOCK_FRAMES));
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

START_TEST(a_clamped_profile_ends_in_level_ground) {
    float heights[64];
    for (int i = 0; i < 64; i++)
        heights[i] = 1e-3f * (float)i;
    sb_surface_def stored = sb_surface_default(SB_SURFACE_STORED);
    stored.heights_m = heights;
    stored.points = 64;
    stored.spacing_m = 1e-3;
    stored.end = SB_SURFACE_CLAMP;
    sb_rub_def def = sb_rub_default();
    def.surface[1] = make_surface(&stored);
    sb_rub rub;
    sb_rub_init(&rub, &def, 48000);
    double height[SB_BLOCK_FRAMES + 1];
    sb_contact_load out = {1, {0, 1}, 0}, back = {1, {0, -1}, 0};
    for (int i = 0; i < 100; i++) /* 0.27 m: far beyond */
        sb_rub_profile(&rub, &out, &out, height);
    for (int n = 0; n <= SB_BLOCK_FRAMES; n++)
        ck_assert_double_eq_tol(height[n], 63e-3, 2e-4);
    run_steady(&rub, out, 50, force);
    ck_assert(is_silent(force + 2560, 2560));
    for (int i = 0; i < 140; i++)
        sb_rub_profile(&rub, &back, &back, height);
    double along = 10 * 128 / 48000.0; /* beyond the middle */
    ck_assert_double_eq_tol(height[SB_BLOCK_FRAMES], along - 0.5e-3, 2e-4);
    sb_surface_release((sb_surface *)def.surface[1]);
}
END_TEST

START_TEST(numbers_that_make_no_contact_are_said) {
    sb_error err;
    sb_rub_def def = sb_rub_default();
    ck_assert_int_eq(sb_rub_check(&def, &err), SB_OK);
    def.gap_m[1] = 0.6e-3;
    ck_assert_int_eq(sb_rub_check(&def, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "gap[2] is 0.0006; expected"));
    def = sb_rub_default();
    def.contact.rough_m = NAN;
    ck_assert_int_eq(sb_rub_check(&def, &err), SB_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "roughness is"));
}
END_TEST

static double decades(sb_random *random, double least, double most) {
    return least * pow(most / least, sb_random_unit(random));
}

START_TEST(wild_numbers_stay_numbers) {
    sb_surface_def grid = sb_surface_default(SB_SURFACE_GRID);
    grid.gravel = (sb_gravel){1e3, 2e4, 1, {0, 0.01}};
    sb_surface *surface = make_surface(&grid);
    sb_random random = sb_random_make(5, 5);
    for (int i = 0; i < 150; i++) {
        sb_rub_def def = sb_rub_default();
        def.surface[0] = i % 3 ? surface : 0;
        def.surface[1] = i % 2 ? surface : 0;
        for (int k = 0; k < SB_RUB_KIND_COUNT; k++)
            def.gain[k] = i >> k & 1;
        def.contact = (sb_rolling){
            .law = {decades(&random, 1e-3, 1e22), 1 + 3 * (i % 4) / 3.0,
                    i % 5 ? 0 : decades(&random, 1e-3, 1e20)},
            .mass_kg = decades(&random, 1e-9, 1e6),
            .inverse_mass = i % 3 ? 0 : decades(&random, 1e-6, 1e6),
            .radius_m = decades(&random, 1e-6, 1e3),
            .load_n = decades(&random, 1e-6, 1e6),
            .rough_m = i % 4 ? decades(&random, 1e-12, 1) : 0};
        def.law = sb_rolling_law(&def.contact);
        def.gap_m[0] = decades(&random, 1e-9, 1);
        def.gap_m[1] = 3 * def.gap_m[0] + 1e-9;
        def.gaps = i % 5 ? SB_RUB_EXPONENTIAL : SB_RUB_UNIFORM;
        def.creak_stiffness_n_m = decades(&random, 1e-3, 1e12);
        def.creak_mass_kg = decades(&random, 1e-9, 1e6);
        def.eccentricity = i % 7 ? 0 : 1;
        ck_assert_int_eq(sb_rub_check(&def, 0), SB_OK);
        sb_rub rub;
        sb_rub_init(&rub, &def, i % 2 ? 8000 : 192000);
        sb_contact_load from = {0}, to = {0};
        for (int block = 0; block < 20; block++) {
            float out[SB_BLOCK_FRAMES] = {0};
            to.force_n = block % 4 ? decades(&random, 1e-9, 1e9) : 0;
            for (int side = 0; side < 2; side++)
                to.speed_m_s[side] = (sb_random_unit(&random) - 0.5) *
                                     decades(&random, 1e-9, 1e6);
            to.slip_m_s = to.speed_m_s[1] - to.speed_m_s[0];
            double height_m[SB_BLOCK_FRAMES + 1];
            sb_rub_profile(&rub, &from, &to, height_m);
            sb_rub_block(&rub, &from, &to, out);
            for (int n = 0; n < SB_BLOCK_FRAMES; n++)
                ck_assert_msg(isfinite(out[n]) && isfinite(height_m[n + 1]),
                              "contact %d", i);
            from = to;
        }
    }
    sb_surface_release(surface);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rub");
    TCase *tests = tcase_create("rub");
    tcase_add_test(tests, forces_are_the_same_with_every_instruction_set);
    tcase_add_test(tests, profiles_sound_the_same_at_every_rate);
    tcase_add_test(tests, pulses_sound_the_same_at_every_rate);
    tcase_add_test(tests, gravel_sounds_the_same_at_every_rate);
    tcase_add_test(tests, twice_the_speed_is_twice_the_impacts);
    tcase_add_test(tests, exponential_gaps_are_a_poisson_process);
    tcase_add_test(tests, rolling_has_no_pitch);
    tcase_add_test(tests, there_and_back_is_the_same_ground);
    tcase_add_test(tests, a_stopped_profile_dies_away_without_a_step);
    tcase_add_test(tests, nothing_sounds_at_rest_or_apart);
    tcase_add_test(tests, a_clamped_profile_ends_in_level_ground);
    tcase_add_test(tests, numbers_that_make_no_contact_are_said);
    tcase_add_test(tests, wild_numbers_stay_numbers);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
