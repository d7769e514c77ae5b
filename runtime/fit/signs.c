#include "runtime/fit/signs.h"

#include "runtime/base/cmplx.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <stddef.h>

/* Assumed largest error of onsets, and step of the search over delays. */
#define MOST_DELAY_S    3e-4
#define DELAY_STEP_S    2e-6
#define LEAST_AGREEMENT 0.7

static size_t at(const sb_fit *fit, int k, int r) {
    return (size_t)k * (size_t)fit->take_count + (size_t)r;
}

static double total(const sb_fit *fit, int r) {
    double sum = 0.0;
    for (int k = 0; k < fit->mode_count; k++)
        sum += fit->gains[at(fit, k, r)];
    return sum;
}

/* Agreement of the phases of take r, delayed by `delay_s`, with those of
 * another, 1 at best. Phase differences are doubled, so that opposite phases
 * agree. */
static double agreement(const sb_fit *fit, int r, int other, double delay_s) {
    double sum = 0.0, most = 0.0;
    for (int k = 0; k < fit->mode_count; k++) {
        double weight =
            sqrt(fit->gains[at(fit, k, r)] * fit->gains[at(fit, k, other)]);
        double apart = fit->phases_rad[at(fit, k, r)] -
                       fit->phases_rad[at(fit, k, other)] -
                       2.0 * SB_PI * fit->modes[k].freq_hz * delay_s;
        sum += weight * cos(2.0 * apart);
        most += weight;
    }
    return most > 0.0 ? sum / most : 0.0;
}

static double find_delay(const sb_fit *fit, int r, int other, double *best) {
    int steps = (int)(MOST_DELAY_S / DELAY_STEP_S);
    double delay_s = 0.0;
    *best = agreement(fit, r, other, 0.0);
    for (int i = -steps; i <= steps; i++) {
        double value = agreement(fit, r, other, i * DELAY_STEP_S);
        if (value > *best + 1e-9) {
            *best = value;
            delay_s = i * DELAY_STEP_S;
        }
    }
    return delay_s;
}

static void sign_mode(const sb_fit *fit, int k, const double *delays_s,
                      double *weights) {
    double complex axis = 0.0; /* its argument is twice the common phase */
    double complex turned[SB_FIT_MAX_TAKES];
    for (int r = 0; r < fit->take_count; r++) {
        double phase = fit->phases_rad[at(fit, k, r)] -
                       2.0 * SB_PI * fit->modes[k].freq_hz * delays_s[r];
        turned[r] = fit->gains[at(fit, k, r)] * CMPLX(cos(phase), sin(phase));
        axis += turned[r] * turned[r];
    }
    double angle = 0.5 * carg(axis);
    for (int r = 0; r < fit->take_count; r++) {
        double along = creal(turned[r] * CMPLX(cos(angle), -sin(angle)));
        if (along < 0.0) weights[at(fit, k, r)] *= -1.0;
    }
}

double sb_fit_weights(const sb_fit *fit, double *weights, double *largest) {
    double delays_s[SB_FIT_MAX_TAKES] = {0};
    double worst = 1.0;
    int loudest = 0;
    for (int r = 1; r < fit->take_count; r++)
        if (total(fit, r) > total(fit, loudest)) loudest = r;
    for (int r = 0; r < fit->take_count; r++) {
        double value = 1.0;
        if (r != loudest) delays_s[r] = find_delay(fit, r, loudest, &value);
        worst = fmin(worst, value);
    }
    for (int k = 0; k < fit->mode_count; k++) {
        double most = 1e-300;
        for (int r = 0; r < fit->take_count; r++)
            most = fmax(most, fit->gains[at(fit, k, r)]);
        largest[k] = most;
        for (int r = 0; r < fit->take_count; r++)
            weights[at(fit, k, r)] = fit->gains[at(fit, k, r)] / most;
        if (worst >= LEAST_AGREEMENT) sign_mode(fit, k, delays_s, weights);
    }
    return fmax(worst, 0.0);
}
