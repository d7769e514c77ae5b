/* SPDX-License-Identifier: MIT */
/* Least squares for four gains. Thread: any. */
#include "runtime/dsp/room/early_fit.h"

#include "runtime/base/cmplx.h"
#include "runtime/base/pi.h"

#include <math.h>

enum { PARTS = SB_EARLY_PARTS, STEPS = 12 };

/* Keeps gains small where frequencies cannot tell parts apart. */
#define STIFFNESS 1e-7

static double complex low_pass(double pole, double turn) {
    return pole / (1.0 - (1.0 - pole) * CMPLX(cos(turn), -sin(turn)));
}

/* The parts at a frequency. */
static void parts_at(double rate_hz, double freq_hz, double complex *out) {
    float poles[PARTS - 1];
    sb_early_split_poles(rate_hz, poles);
    out[0] = 1.0;
    for (int k = 1; k < PARTS; k++)
        out[k] = low_pass((double)poles[k - 1], SB_TAU * freq_hz / rate_hz);
}

static double complex response(double rate_hz, const double *gain,
                               double freq_hz) {
    double complex parts[PARTS], sum = 0.0;
    parts_at(rate_hz, freq_hz, parts);
    for (int k = 0; k < PARTS; k++)
        sum += gain[k] * parts[k];
    return sum;
}

/* Solve a x = b, a symmetric and positive definite; x replaces b. */
static void solve(double a[PARTS][PARTS], double *b) {
    for (int i = 0; i < PARTS; i++) {
        for (int j = i + 1; j < PARTS; j++) {
            double share = a[j][i] / a[i][i];
            for (int k = i; k < PARTS; k++)
                a[j][k] -= share * a[i][k];
            b[j] -= share * b[i];
        }
    }
    for (int i = PARTS - 1; i >= 0; i--) {
        for (int k = i + 1; k < PARTS; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

/* The gains that are nearest to the complex response `want`. */
static void nearest(const sb_early_fit *fit, const double complex *want,
                    double *gain) {
    double a[PARTS][PARTS] = {{0}};
    for (int i = 0; i < PARTS; i++) {
        a[i][i] = STIFFNESS;
        gain[i] = 0.0;
    }
    for (int f = 0; f < fit->count; f++) {
        double complex parts[PARTS];
        parts_at(fit->sample_rate_hz, fit->freq_hz[f], parts);
        double size = fmax(cabs(want[f]), 1e-3), weight = 1.0 / (size * size);
        for (int i = 0; i < PARTS; i++) {
            gain[i] += weight * creal(conj(parts[i]) * want[f]);
            for (int k = 0; k < PARTS; k++)
                a[i][k] += weight * creal(conj(parts[i]) * parts[k]);
        }
    }
    solve(a, gain);
}

static void hand_out(const double *gain, float *out) {
    for (int k = 0; k < PARTS; k++)
        out[k] = (float)gain[k];
}

void sb_early_fit_loss(const sb_early_fit *fit, const double *magnitude,
                       float gain[PARTS]) {
    double g[PARTS] = {1.0};
    for (int step = 0; step < STEPS; step++) {
        double complex want[SB_EARLY_FREQS];
        for (int f = 0; f < fit->count; f++) {
            double complex now =
                response(fit->sample_rate_hz, g, fit->freq_hz[f]);
            double size = cabs(now);
            want[f] = magnitude[f] * (size > 0.0 ? now / size : 1.0);
        }
        nearest(fit, want, g);
    }
    hand_out(g, gain);
}

void sb_early_fit_low(const sb_early_fit *fit, const float from[PARTS],
                      double corner_hz, float gain[PARTS]) {
    double whole[PARTS], g[PARTS];
    double complex want[SB_EARLY_FREQS];
    for (int k = 0; k < PARTS; k++)
        whole[k] = (double)from[k];
    double pole = 1.0 - exp(-SB_TAU * corner_hz / fit->sample_rate_hz);
    for (int f = 0; f < fit->count; f++) {
        double turn = SB_TAU * fit->freq_hz[f] / fit->sample_rate_hz;
        want[f] = low_pass(pole, turn) *
                  response(fit->sample_rate_hz, whole, fit->freq_hz[f]);
    }
    nearest(fit, want, g);
    hand_out(g, gain);
}

double sb_early_response(double sample_rate_hz, const float gain[PARTS],
                         double freq_hz) {
    double whole[PARTS];
    for (int k = 0; k < PARTS; k++)
        whole[k] = (double)gain[k];
    return cabs(response(sample_rate_hz, whole, freq_hz));
}
