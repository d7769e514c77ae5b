/* SPDX-License-Identifier: MIT */
/* The noise resonator: levels and decays equal its formulas at every sample
 * rate, and its energy stays finite. */
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/bank/diffuse.h"
#include "runtime/media/spectrum.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LN_1000 6.907755278982137

static const double rates_hz[] = {48000, 44100, 96000, 192000};
static const float nothing[SB_BLOCK_FRAMES];

/* Half octaves from 800 Hz, each with its own power and decay. */
static sb_diffuse_def some_bands(int count) {
    sb_diffuse_def def = {.band_count = count, .seed = 7};
    for (int b = 0; b < count; b++) {
        double low = 800 * pow(2, 0.5 * b);
        def.bands[b] = (sb_diffuse_band){low, low * sqrt(2.0), 1.0 + b,
                                         LN_1000 / (0.6 - 0.05 * b)};
    }
    return def;
}

static sb_diffuse made(const sb_diffuse_def *def, double rate_hz) {
    sb_diffuse diffuse;
    memset(&diffuse, 0, sizeof diffuse);
    sb_diffuse_init(&diffuse, def, rate_hz);
    return diffuse;
}

static double energy_of(const float *out, int count) {
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum += (double)out[n] * (double)out[n];
    return sum;
}

/* Of one strike, averaged over many noises. */
enum { NOISES = 60, BLOCKS = 150 };

static void mean_decay(sb_diffuse_def def, double energy[BLOCKS]) {
    memset(energy, 0, BLOCKS * sizeof *energy);
    for (uint32_t seed = 0; seed < NOISES; seed++) {
        def.seed = seed;
        sb_diffuse diffuse = made(&def, 48000);
        float knock[SB_BLOCK_FRAMES] = {0.5f};
        for (int i = 0; i < BLOCKS; i++) {
            float out[SB_BLOCK_FRAMES] = {0};
            sb_diffuse_render(&diffuse, i == 0 ? knock : nothing, nothing, out);
            energy[i] += energy_of(out, SB_BLOCK_FRAMES) / NOISES;
        }
    }
}

START_TEST(every_band_decays_at_its_own_rate) {
    sb_diffuse_def def = some_bands(9), alone = {.band_count = 1};
    double energy[BLOCKS], t = 0, y = 0, tt = 0, ty = 0;
    alone.bands[0] = def.bands[_i];
    mean_decay(alone, energy);
    int first = 12; /* the noise takes a while to swing in */
    for (int i = first; i < BLOCKS; i++) {
        double time_s = i * SB_BLOCK_FRAMES / 48000.0;
        double level = log(energy[i]);
        t += time_s, y += level, tt += time_s * time_s, ty += time_s * level;
    }
    int n = BLOCKS - first;
    double slope = (n * ty - t * y) / (n * tt - t * t);
    double t60_s = -2 * LN_1000 / slope,
           wanted = LN_1000 / alone.bands[0].sigma_per_s;
    ck_assert_msg(fabs(t60_s / wanted - 1) < 0.05, "%.3f s, not %.3f", t60_s,
                  wanted);
}
END_TEST

/* p J^2 / 2 s in all, as modes with sum g^2 phi^2 / 2 = p have it. */
START_TEST(a_strike_gives_the_energy_of_the_modes_it_stands_for) {
    sb_diffuse_def def = some_bands(9), alone = {.band_count = 1};
    alone.bands[0] = def.bands[_i];
    double energy[BLOCKS], sum = 0, sigma = alone.bands[0].sigma_per_s;
    mean_decay(alone, energy);
    for (int i = 0; i < BLOCKS; i++)
        sum += energy[i] / 48000;
    double cut = 1 - exp(-2 * sigma * BLOCKS * SB_BLOCK_FRAMES / 48000.0);
    double wanted = alone.bands[0].power * 0.25 / (2 * sigma) * cut;
    double off_db = 10 * log10(sum / wanted);
    ck_assert_msg(fabs(off_db) < 0.5, "%.2f dB off", off_db);
}
END_TEST

START_TEST(twice_the_force_is_twice_the_sound) {
    sb_diffuse_def def = some_bands(9);
    sb_diffuse one = made(&def, 48000), two = made(&def, 48000);
    sb_random random = sb_random_make(1, 1);
    for (int i = 0; i < 40; i++) {
        float a[SB_BLOCK_FRAMES] = {0}, b[SB_BLOCK_FRAMES] = {0};
        float force[SB_BLOCK_FRAMES], twice[SB_BLOCK_FRAMES];
        for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
            force[n] = i < 20 ? (float)sb_random_unit(&random) : 0.0f;
            twice[n] = 2 * force[n];
        }
        sb_diffuse_render(&one, nothing, force, a);
        sb_diffuse_render(&two, nothing, twice, b);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            ck_assert(b[n] == 2 * a[n]);
    }
}
END_TEST

/* --- spectra ---------------------------------------------------------------*/

enum { THIRDS = 12, SIZE = 8192 }; /* from 800 Hz to 10 kHz */

static void add_thirds(sb_spectrum *spectrum, const float *sound, int count,
                       double rate_hz, double third[THIRDS]) {
    static float power[SIZE / 2 + 1];
    sb_stretch stretch = {sound, count, 1, 0};
    for (int at = 0; at + SIZE <= count; at += SIZE / 2) {
        sb_spectrum_power(spectrum, &stretch, at, power);
        for (int k = 1; k < SIZE / 2; k++) {
            int i = (int)floor(3 * log2(k * rate_hz / SIZE / 800));
            if (i >= 0 && i < THIRDS) third[i] += (double)power[k];
        }
    }
}

/* Impulses at random, as many per second at every rate; third octaves, dB. */
static void thirds_of_rain(double rate_hz, double third[THIRDS]) {
    enum { MOST = 8 * 192000 };
    static float sound[MOST];
    sb_diffuse_def def = some_bands(9);
    sb_diffuse diffuse = made(&def, rate_hz);
    sb_random random = sb_random_make(3, 3);
    int count = (int)(8 * rate_hz) / SB_BLOCK_FRAMES * SB_BLOCK_FRAMES;
    memset(sound, 0, sizeof sound);
    for (int at = 0; at < count; at += SB_BLOCK_FRAMES) {
        float knock[SB_BLOCK_FRAMES];
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            knock[n] = sb_random_unit(&random) < 3000 / rate_hz ? 0.01f : 0.0f;
        sb_diffuse_render(&diffuse, knock, nothing, sound + at);
    }
    sb_spectrum *spectrum;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    memset(third, 0, THIRDS * sizeof *third);
    int from = (int)rate_hz; /* after a second it is steady */
    add_thirds(spectrum, sound + from, count - from, rate_hz, third);
    sb_spectrum_destroy(spectrum);
    int windows = (count - from) / (SIZE / 2) - 1;
    for (int i = 0; i < THIRDS; i++)
        third[i] = 10 * log10(third[i] / windows);
}

START_TEST(it_sounds_the_same_at_every_rate) {
    double here[THIRDS], there[THIRDS];
    thirds_of_rain(rates_hz[0], here);
    thirds_of_rain(rates_hz[_i], there);
    /* The sum of a window's power is the mean square but for its rate's share
     * of it, which is that of SIZE frames at every rate. */
    for (int i = 0; i < THIRDS; i++) {
        double off_db = there[i] - here[i];
        ck_assert_msg(fabs(off_db) < 0.5, "%.0f Hz, third %d: %.2f dB",
                      rates_hz[_i], i, off_db);
    }
}
END_TEST

/* What a strike leaves in the accounts needs no averaging. */
START_TEST(a_strike_is_noted_alike_at_every_rate) {
    double worst_db = 0;
    for (int kind = 0; kind < 2; kind++) {
        double account[2][9];
        for (int which = 0; which < 2; which++) {
            double rate = rates_hz[which ? _i : 3];
            sb_diffuse_def def = some_bands(9);
            for (int b = 0; b < 9; b++)
                def.bands[b].sigma_per_s = 1e-3;
            sb_diffuse diffuse = made(&def, rate);
            float knock[SB_BLOCK_FRAMES] = {0}, force[SB_BLOCK_FRAMES] = {0};
            double frames = 0.0001 * rate; /* a half-sine of 0.1 ms */
            for (int n = 0; n < frames; n++) {
                double from = SB_PI * n / frames,
                       to = SB_PI * fmin(n + 1, frames) / frames;
                force[n] = (float)(0.5 * (cos(from) - cos(to)));
            }
            knock[0] = 1;
            for (int i = 0; i < 40; i++) {
                float out[SB_BLOCK_FRAMES] = {0};
                sb_diffuse_render(&diffuse, i || kind ? nothing : knock,
                                  i || !kind ? nothing : force, out);
            }
            for (int b = 0; b < 9; b++) {
                double heard = diffuse.share[b] * diffuse.raw[b];
                account[which][b] =
                    (double)diffuse.four[b / 4].account[b % 4] * heard * heard;
            }
        }
        for (int b = 0; b < 8; b++) { /* up to 12.8 kHz */
            double off_db = 10 * log10(account[1][b] / account[0][b]);
            worst_db = fmax(worst_db, fabs(off_db));
        }
    }
    (void)printf("%.0f Hz: %.3f dB from 192 kHz\n", rates_hz[_i], worst_db);
    ck_assert_msg(worst_db < 0.5, "%.2f dB", worst_db);
}
END_TEST

/* A tone given by its mean over each frame, for a tenth of a second, as the
 * account of the band that it is the middle of has it. */
static double tone_account(int b, double rate_hz) {
    sb_diffuse_def def = some_bands(9);
    def.bands[b].sigma_per_s = 1e-3;
    sb_diffuse diffuse = made(&def, rate_hz);
    double w = 2 * SB_PI * 800 * pow(2, 0.25 + 0.5 * b) / rate_hz;
    int count = (int)(0.1 * rate_hz);
    for (int at = 0; at < count + 10 * SB_BLOCK_FRAMES; at += SB_BLOCK_FRAMES) {
        float force[SB_BLOCK_FRAMES] = {0}, out[SB_BLOCK_FRAMES] = {0};
        for (int n = at; n < at + SB_BLOCK_FRAMES && n < count; n++)
            force[n - at] =
                (float)((cos(w * n) - cos(w * (n + 1))) / w / rate_hz);
        sb_diffuse_render(&diffuse, nothing, force, out);
    }
    return (double)diffuse.four[b / 4].account[b % 4];
}

START_TEST(the_mean_over_a_frame_loses_no_treble) {
    for (int b = 0; b < 8; b++) {
        double off_db = 10 * log10(tone_account(b, rates_hz[_i]) / 0.05);
        ck_assert_msg(fabs(off_db) < 0.3, "band %d: %.2f dB", b, off_db);
    }
}
END_TEST

START_TEST(the_sound_has_the_spectrum_of_the_force) {
    sb_diffuse_def def = some_bands(9);
    for (int b = 0; b < 9; b++)
        def.bands[b].power = 1, def.bands[b].sigma_per_s = 20;
    sb_diffuse diffuse = made(&def, 48000);
    enum { COUNT = 48000 / SB_BLOCK_FRAMES * SB_BLOCK_FRAMES };
    static float sound[COUNT];
    double hz = 800 * pow(2, 0.25 + 0.5 * _i); /* in the middle of a band */
    for (int at = 0; at < COUNT; at += SB_BLOCK_FRAMES) {
        float force[SB_BLOCK_FRAMES];
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            force[n] = (float)(sin(2 * SB_PI * hz * (at + n) / 48000) / 48000);
        sb_diffuse_render(&diffuse, nothing, force, sound + at);
    }
    for (int b = 0; b < 9; b++) {
        double own = (double)diffuse.four[_i / 4].account[_i % 4];
        double other = (double)diffuse.four[b / 4].account[b % 4];
        double db = 10 * log10(other / own);
        double apart = fabs((double)b - _i);
        /* Three two-pole sections: 18 dB per octave, and more nearby. */
        if (apart >= 2) ck_assert_msg(db < -8.5 * apart, "%.1f dB", db);
    }
    sb_spectrum *spectrum;
    double third[THIRDS] = {0}, near = 0, all = 0;
    ck_assert_int_eq(
        sb_spectrum_create(&spectrum, SIZE, SIZE, SB_WINDOW_HANN, NULL), SB_OK);
    add_thirds(spectrum, sound, COUNT, 48000, third);
    sb_spectrum_destroy(spectrum);
    for (int i = 0; i < THIRDS; i++) {
        all += third[i];
        if (fabs((i + 0.5) / 3 - (_i + 0.5) / 2) < 0.75) near += third[i];
    }
    ck_assert_msg(near > 0.85 * all, "only %.2f near %.0f Hz", near / all, hz);
}
END_TEST

/* --- rest ------------------------------------------------------------------*/

START_TEST(silence_is_silent_and_comes_back) {
    sb_diffuse_def def = some_bands(9);
    sb_diffuse diffuse = made(&def, 48000);
    float out[SB_BLOCK_FRAMES] = {0}, knock[SB_BLOCK_FRAMES] = {0, 0, 1e-3f};
    sb_diffuse_set_threshold(&diffuse, 1e-7);
    sb_diffuse_render(&diffuse, nothing, nothing, out);
    ck_assert(sb_diffuse_is_silent(&diffuse) && energy_of(out, 128) == 0);
    sb_diffuse_render(&diffuse, knock, nothing, out);
    ck_assert(!sb_diffuse_is_silent(&diffuse) && energy_of(out, 128) > 0);
    int blocks = 0;
    for (; !sb_diffuse_is_silent(&diffuse) && blocks < 1000; blocks++)
        sb_diffuse_render(&diffuse, nothing, nothing, out);
    /* 1e-3 sqrt(p) falls to 1e-7 in 80 dB of 0.6 s for 60. */
    double seconds = blocks * SB_BLOCK_FRAMES / 48000.0;
    ck_assert_msg(seconds > 0.5 && seconds < 0.85, "%.2f s", seconds);
    memset(out, 0, sizeof out);
    sb_diffuse_render(&diffuse, nothing, nothing, out);
    ck_assert(energy_of(out, SB_BLOCK_FRAMES) == 0);
}
END_TEST

/* Pushed without end, it settles where as much fades as comes in. */
START_TEST(energy_stays_finite) {
    sb_diffuse_def def = some_bands(9);
    sb_diffuse diffuse = made(&def, 48000);
    float knock[SB_BLOCK_FRAMES];
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        knock[n] = 1;
    knock[5] = -3e4f;
    double peak = 0;
    for (int i = 0; i < 2000; i++) {
        float out[SB_BLOCK_FRAMES] = {0};
        sb_diffuse_render(&diffuse, knock, nothing, out);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
            ck_assert(isfinite(out[n]));
            peak = fmax(peak, fabs((double)out[n]));
        }
    }
    ck_assert_double_lt(peak, 1e8);
}
END_TEST

START_TEST(another_power_glides_in) {
    sb_diffuse_def def = some_bands(9), none = def;
    sb_diffuse diffuse = made(&def, 48000);
    for (int b = 0; b < 9; b++)
        none.bands[b].power = 0;
    float knock[SB_BLOCK_FRAMES] = {1}, out[SB_BLOCK_FRAMES] = {0};
    sb_diffuse_render(&diffuse, knock, nothing, out);
    float before = diffuse.four[1].gain[0];
    sb_diffuse_retune(&diffuse, &none, 8);
    for (int i = 1; i <= 8; i++) {
        sb_diffuse_render(&diffuse, nothing, nothing, out);
        float wanted = before * (float)(8 - i) / 8;
        ck_assert_float_eq_tol(diffuse.four[1].gain[0], wanted, 1e-3f * before);
    }
    memset(out, 0, sizeof out);
    sb_diffuse_render(&diffuse, nothing, nothing, out);
    ck_assert(energy_of(out, SB_BLOCK_FRAMES) == 0);
}
END_TEST

START_TEST(bands_beyond_the_rate_are_left_out) {
    sb_diffuse_def def = some_bands(9);
    ck_assert_int_eq(made(&def, 48000).band_count, 9);
    ck_assert_int_eq(made(&def, 16000).band_count, 6);
    ck_assert_int_eq(made(&def, 1000).band_count, 0);
    sb_diffuse mute = made(&def, 1000);
    float knock[SB_BLOCK_FRAMES] = {1}, out[SB_BLOCK_FRAMES] = {0};
    for (int i = 0; i < 50; i++)
        sb_diffuse_render(&mute, i ? nothing : knock, nothing, out);
    ck_assert(energy_of(out, SB_BLOCK_FRAMES) == 0);
    ck_assert(sb_diffuse_is_silent(&mute));
}
END_TEST

int main(void) {
    TCase *levels = tcase_create("levels");
    tcase_add_loop_test(levels, every_band_decays_at_its_own_rate, 0, 9);
    tcase_add_loop_test(
        levels, a_strike_gives_the_energy_of_the_modes_it_stands_for, 0, 9);
    tcase_add_test(levels, twice_the_force_is_twice_the_sound);
    tcase_add_loop_test(levels, it_sounds_the_same_at_every_rate, 1, 4);
    tcase_add_loop_test(levels, a_strike_is_noted_alike_at_every_rate, 0, 3);
    tcase_add_loop_test(levels, the_mean_over_a_frame_loses_no_treble, 0, 4);
    tcase_add_loop_test(levels, the_sound_has_the_spectrum_of_the_force, 0, 7);
    TCase *rest = tcase_create("rest");
    tcase_add_test(rest, silence_is_silent_and_comes_back);
    tcase_add_test(rest, energy_stays_finite);
    tcase_add_test(rest, another_power_glides_in);
    tcase_add_test(rest, bands_beyond_the_rate_are_left_out);
    Suite *suite = suite_create("diffuse");
    suite_add_tcase(suite, levels);
    suite_add_tcase(suite, rest);
    return run_suite(suite);
}
