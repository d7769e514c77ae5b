/* Windows and filters of sound.h. Thread: as deform.h. */
#include "runtime/deform/sound/sound.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

void deform_window(int fine_steps, double *weights) {
    size_t length = 4 * (size_t)fine_steps;
    memset(weights, 0, length * sizeof *weights);
    weights[0] = 1;
    for (int box = 0; box < 4; box++) {
        /* A running mean over fine_steps, from the end, in place. */
        for (size_t i = length; i-- > 0;) {
            double sum = 0;
            for (size_t k = 0; k < (size_t)fine_steps && k <= i; k++) {
                sum += weights[i - k];
            }
            weights[i] = sum / fine_steps;
        }
    }
}

/* Gain of the window at a frequency in cycles per 192 kHz sample. */
static double window_gain(double f, int fine_steps) {
    if (f == 0) return 1;
    double g = sin(SB_PI * f) / (fine_steps * sin(SB_PI * f / fine_steps));
    return g * g * g * g;
}

/* 1 up to 20 kHz, 0 from 28 kHz on. */
static double passes(double f) {
    const double low = 20000.0 / FINE_RATE_HZ, high = 28000.0 / FINE_RATE_HZ;
    if (f <= low) return 1;
    if (f >= high) return 0;
    return 0.5 + 0.5 * cos(SB_PI * (f - low) / (high - low));
}

static double bessel_i0(double x) {
    double sum = 1, term = 1;
    for (int k = 1; k < 40; k++) {
        term *= (0.5 * x / k) * (0.5 * x / k);
        sum += term;
    }
    return sum;
}

static double kaiser(double x, double beta) {
    return x * x < 1 ? bessel_i0(beta * sqrt(1 - x * x)) / bessel_i0(beta) : 0;
}

/* Constants have no second derivative, and that of t^2 is 2; windowing has
 * disturbed both a little. */
static void correct_second(double h[SOUND_TAPS]) {
    double sum = 0, square = 0, m0 = 0, m2 = 0, m4 = 0;
    for (int i = 0; i < SOUND_TAPS; i++) {
        double k = i - SOUND_HALF, w = kaiser(k / (SOUND_HALF + 1), 5);
        sum += h[i];
        square += k * k * h[i];
        m0 += w;
        m2 += w * k * k;
        m4 += w * k * k * k * k;
    }
    double det = m0 * m4 - m2 * m2, r0 = -sum, r2 = 2 - square;
    double a = (r0 * m4 - r2 * m2) / det, b = (m0 * r2 - m2 * r0) / det;
    for (int i = 0; i < SOUND_TAPS; i++) {
        double k = i - SOUND_HALF, w = kaiser(k / (SOUND_HALF + 1), 5);
        h[i] += w * (a + b * k * k);
    }
}

void deform_filters(int fine_steps, double value[SOUND_TAPS],
                    double second[SOUND_TAPS]) {
    enum { POINTS = 8192 };
    double sum = 0;
    for (int i = 0; i < SOUND_TAPS; i++) {
        int k = i - SOUND_HALF;
        double w = kaiser((double)k / (SOUND_HALF + 1), 5);
        value[i] = second[i] = 0;
        for (int p = 0; p < POINTS; p++) {
            double f = 0.5 * (p + 0.5) / POINTS, omega = SB_TAU * f;
            double gain = passes(f);
            if (gain == 0) break;
            gain *= cos(omega * k) / window_gain(f, fine_steps) / POINTS;
            value[i] += w * gain;
            second[i] -= w * omega * omega * gain;
        }
        sum += value[i];
    }
    for (int i = 0; i < SOUND_TAPS; i++) {
        value[i] /= sum;
    }
    correct_second(second);
    for (int i = 0; i < SOUND_TAPS; i++) {
        second[i] *= (double)FINE_RATE_HZ * FINE_RATE_HZ;
    }
}

void deform_splat_table(double table[SPLAT_PHASES + 1][SPLAT_TAPS]) {
    const double half = SPLAT_TAPS / 2;
    for (int p = 0; p <= SPLAT_PHASES; p++) {
        double sum = 0;
        for (int k = 0; k < SPLAT_TAPS; k++) {
            double x = k - (half - 1) - (double)p / SPLAT_PHASES;
            double sinc = x == 0 ? 1 : sin(SB_PI * x) / (SB_PI * x);
            table[p][k] = sinc * kaiser(x / half, 6);
            sum += table[p][k];
        }
        for (int k = 0; k < SPLAT_TAPS; k++) {
            table[p][k] /= sum;
        }
    }
}
