/* SPDX-License-Identifier: MIT */
/* tests/dsp/surface/rub_fixture.h -- a lasting contact let run, and its
 * spectrum. */
#pragma once

#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"
#include "runtime/dsp/surface/surface_internal.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { RATE_COUNT = 4, BANDS = 24, LINES = 6 };
static const double rates_hz[RATE_COUNT] = {44100, 48000, 96000, 192000};

static inline sb_surface *make_surface(const sb_surface_def *def) {
    sb_surface *surface = 0;
    sb_error err;
    sb_status status = sb_surface_create(def, &surface, &err);
    ck_assert_msg(status == SB_OK, "%s", status ? err.message : "");
    return surface;
}

/* Make the contact as stiff as this at its load. */
static inline void set_stiffness(sb_rub_def *def, double stiffness_n_m) {
    sb_rolling *c = &def->contact;
    double a = c->law.exponent;
    c->law.stiffness = c->load_n / pow(a * c->load_n / stiffness_n_m, a);
}

/* The loss that damps its resonance by this share of the critical at `load_n`.
 */
static inline void set_damping(sb_rub_def *def, double load_n, double damping) {
    sb_rolling at = def->contact;
    at.load_n = load_n;
    double inverse = 1 / at.mass_kg + at.inverse_mass;
    double loss = 2 * damping * sqrt(sb_rolling_stiffness_n_m(&at) / inverse);
    def->contact.law.lambda = at.law.stiffness * loss / load_n;
}

/* Run under a load that stays, for `count` blocks, the impulses to `out`. */
static inline void run_steady(sb_rub *rub, sb_contact_load load, int count,
                              float *out) {
    memset(out, 0, sizeof(float) * SB_BLOCK_FRAMES * (size_t)count);
    for (int i = 0; i < count; i++)
        sb_rub_block(rub, &load, &load, out + i * SB_BLOCK_FRAMES);
}

/* Energy in the third octaves from 50 Hz to 10 kHz of `seconds` of a force, at
 * the same lines whatever the rate. */
static inline void third_octaves(const float *impulse_ns, double rate_hz,
                                 double seconds, double energy[BANDS]) {
    int count = (int)(seconds * rate_hz);
    for (int band = 0; band < BANDS; band++) {
        energy[band] = 0;
        for (int line = 0; line < LINES; line++) {
            double octaves = (band + (line + 0.5) / LINES - 0.5) / 3;
            double w = 2 * SB_PI * 50 * exp2(octaves) / rate_hz;
            double c = cos(w), s = sin(w), x = 1, y = 0, re = 0, im = 0;
            for (int n = 0; n < count; n++) {
                re += x * (double)impulse_ns[n];
                im += y * (double)impulse_ns[n];
                double next = c * x - s * y;
                y = s * x + c * y;
                x = next;
            }
            energy[band] += re * re + im * im;
        }
    }
}

static inline void fade(float *impulse_ns, double rate_hz, double seconds) {
    int count = (int)(seconds * rate_hz);
    for (int n = 0; n < count; n++)
        impulse_ns[n] *=
            (float)(0.5 - 0.5 * cos(2 * SB_PI * n / (seconds * rate_hz)));
}
