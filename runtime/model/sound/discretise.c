/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/discretise.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <stddef.h>

const char *const sb_discretisation_names[] = {"exact",    "direct", "euler",
                                               "bilinear", "naive",  NULL};

/* Lowest frequency that an oscillator may fold to: the bank has none at 0. */
#define LEAST_RAD_S 1.0

/* Of z^2 - a z + b = 0, with one mode in place of the two poles. */
typedef struct pole_pair {
    double sum;           /* a */
    double product_and_1; /* b - 1, which keeps its digits */
} pole_pair;

static sb_played_mode silent(void) {
    return (sb_played_mode){.is_silent = true};
}

/* s' and w' from logarithms of the poles. */
static sb_played_mode mode_of(pole_pair pair, double rate_hz) {
    double half = 0.5 * pair.sum, product = 1.0 + pair.product_and_1;
    /* (a/2)^2 - b without the difference of two numbers near 1. */
    double root = (half - 1.0) * (half + 1.0) - pair.product_and_1;
    sb_played_mode played = {0};
    if (product <= 0.0) return silent();
    played.sigma_per_s = -0.5 * log1p(pair.product_and_1) * rate_hz;
    if (root < 0.0) {
        double damped = atan2(sqrt(-root), half) * rate_hz;
        played.omega_rad_s = hypot(damped, played.sigma_per_s);
    } else {
        /* Two real poles: an overdamped mode, unless one grows or alternates. */
        double apart = sqrt(root), high = half + apart, low = half - apart;
        if (low <= 0.0 || high >= 1.0) return silent();
        double fast = -log(low) * rate_hz, slow = -log(high) * rate_hz;
        played.omega_rad_s = sqrt(fast * slow);
        played.sigma_per_s = 0.5 * (fast + slow);
    }
    if (played.sigma_per_s < 0.0) return silent();
    return played;
}

static pole_pair euler(double w_t, double s_t) {
    return (pole_pair){2.0 - 2.0 * s_t - w_t * w_t, -2.0 * s_t};
}

static pole_pair bilinear(double w_t, double s_t) {
    double square = 0.25 * w_t * w_t, below = 1.0 + s_t + square;
    return (pole_pair){2.0 * (1.0 - square) / below, -2.0 * s_t / below};
}

/* The coefficients of a two-pole filter in float. */
static pole_pair direct(double damped_t, double s_t) {
    double radius = exp(-s_t);
    float sum = (float)(2.0 * radius * cos(damped_t));
    float product = (float)(radius * radius);
    return (pole_pair){(double)sum, (double)product - 1.0};
}

static double folded(double damped_t) {
    double turn = fmod(damped_t, SB_TAU);
    return turn > SB_PI ? SB_TAU - turn : turn;
}

static sb_played_mode naive(double damped_t, double sigma, double rate_hz) {
    double damped = fmax(folded(damped_t) * rate_hz, LEAST_RAD_S);
    return (sb_played_mode){.omega_rad_s = hypot(damped, sigma),
                            .sigma_per_s = sigma};
}

static double damped_of(double omega, double sigma) {
    return sigma < omega ? sqrt((omega - sigma) * (omega + sigma)) : 0.0;
}

sb_played_mode sb_discretise(sb_discretisation how, double omega_rad_s,
                             double sigma_per_s, double rate_hz) {
    double w_t = omega_rad_s / rate_hz, s_t = sigma_per_s / rate_hz;
    double damped = damped_of(omega_rad_s, sigma_per_s);
    sb_played_mode played = {.omega_rad_s = omega_rad_s,
                             .sigma_per_s = sigma_per_s};
    bool rings = damped > 0.0; /* an overdamped one does not fold */
    if (how == SB_DISCRETISE_NAIVE && rings) {
        played = naive(damped / rate_hz, sigma_per_s, rate_hz);
    } else if (how == SB_DISCRETISE_EULER) {
        played = mode_of(euler(w_t, s_t), rate_hz);
    } else if (how == SB_DISCRETISE_BILINEAR) {
        played = mode_of(bilinear(w_t, s_t), rate_hz);
    } else if (w_t >= SB_PI) {
        return silent();
    } else if (how == SB_DISCRETISE_DIRECT && rings) {
        played = mode_of(direct(damped / rate_hz, s_t), rate_hz);
    }
    double heard = damped_of(played.omega_rad_s, played.sigma_per_s);
    if (rings && heard > 0.0 && how != SB_DISCRETISE_EXACT)
        played.cents = 1200.0 * log2(heard / damped);
    return played;
}
