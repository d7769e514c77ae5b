/* Bending modes of a uniform beam: roots of the end conditions and the shapes
 * that belong to them (beam.h). Thread: any. */
#include "runtime/model/closed_forms/beam.h"

#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/quadrature.h"

#include <math.h>

enum { PANEL_POINTS = 16 };

static void set_waves(const sb_beam *beam, double b, sb_beam_mode *mode) {
    double r2 = beam->rotary, s2 = beam->shear, b2 = b * b;
    double root = sqrt((r2 - s2) * (r2 - s2) + 4 / b2);
    double beta2 = 0.5 * (r2 + s2 + root);             /* (q / b)^2 */
    double alpha2 = fmax(1 / b2 - r2 * s2, 0) / beta2; /* (p / b)^2 */
    mode->b = b;
    mode->p = b * sqrt(alpha2);
    mode->q = b * sqrt(beta2);
    mode->g = (mode->p * mode->p + b2 * s2) / mode->p;
    mode->h = (mode->q * mode->q - b2 * s2) / mode->q;
}

/* Beams with equal ends have modes even and odd about the middle:
 * cosh(p eta), cos(q eta) or sinh, sin, eta = -1/2 .. 1/2. n = 1 is even. */
static double phase_symmetric(const sb_beam_mode *mode, bool is_clamped,
                              int n) {
    double p = mode->p, q = mode->q, t = tanh(0.5 * p);
    double ratio =
        is_clamped ? mode->h / mode->g : mode->g * p * p / (mode->h * q * q);
    /* even: tan(q/2) = -tanh(p/2) / ratio, odd: tan(q/2) = ratio tanh(p/2) */
    double turn = n % 2 ? -atan(t / ratio) : atan(ratio * t);
    int half_turns = (n + 1) / 2;
    return 0.5 * q - turn - SB_PI * half_turns;
}

/* 2 / cosh p + (X + 1/X) cos q + (p/q - q/p) tanh p sin q = 0, X = g p / h q */
static double phase_cantilever(const sb_beam_mode *mode, int n) {
    double p = mode->p, q = mode->q;
    double x = mode->g * p / (mode->h * q);
    double along = x + 1 / x, across = (p / q - q / p) * tanh(p);
    double size = hypot(along, across);
    double swing = acos(fmax(-1.0, -2 / (cosh(fmin(p, 700.0)) * size)));
    int whole = n / 2;
    double turns = 2 * SB_PI * whole;
    double target = n % 2 ? turns + swing : turns - swing;
    return q - atan2(across, along) - target;
}

/* Grows with b through zero at the n-th mode. */
static double phase(const sb_beam *beam, int n, double b) {
    sb_beam_mode mode;
    set_waves(beam, b, &mode);
    switch (beam->ends) {
    case SB_SUPPORT_FREE:
        return phase_symmetric(&mode, false, n);
    case SB_SUPPORT_CLAMPED:
        return phase_symmetric(&mode, true, n);
    case SB_SUPPORT_CLAMPED_FREE:
        return phase_cantilever(&mode, n);
    case SB_SUPPORT_PINNED:
    case SB_SUPPORT_CLAMPED_PINNED:
    case SB_SUPPORT_COUNT:
        break;
    }
    return mode.q - SB_PI * n;
}

static bool solve_phase(const sb_beam *beam, int n, double *b) {
    double product = beam->rotary * beam->shear;
    /* The last 1e-6 is left out: p tends to 0 and g to infinity there. */
    double end = product > 0 ? (1 - 1e-6) / sqrt(product) : INFINITY;
    double low = fmin(1e-3, 0.5 * end), high = fmin(4.0, end);
    while (phase(beam, n, high) < 0) {
        if (high >= end) return false;
        low = high;
        high = fmin(2 * high, end);
    }
    for (;;) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (phase(beam, n, middle) < 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *b = high;
    return true;
}

/* With B = 1 for the trigonometric part, one condition at the end gives the
 * size A of the hyperbolic part, taken as 1 at the end eta = 1/2. */
static void set_symmetric(sb_beam_mode *mode, bool is_clamped, int n) {
    double p = mode->p, q = mode->q, fade = exp(-p);
    double c = cos(0.5 * q), s = sin(0.5 * q);
    double trig = n % 2 ? c : s;
    double size = is_clamped ? -trig : mode->h * q * trig / (mode->g * p);
    if (n % 2) {
        mode->c[0] = mode->c[1] = size / (1 + fade);
        mode->c[2] = c; /* cos(q eta) = cos q/2 cos q xi + sin q/2 sin q xi */
        mode->c[3] = s;
    } else {
        mode->c[1] = size / (1 - fade);
        mode->c[0] = -mode->c[1];
        mode->c[2] = -s; /* sin(q eta) */
        mode->c[3] = c;
    }
}

/* w = psi = 0 at 0, psi' = 0 at 1, with c0 = 1. */
static void set_cantilever(sb_beam_mode *mode) {
    double p = mode->p, q = mode->q, g = mode->g, h = mode->h;
    double fade = exp(-p), c = h * q * cos(q), s = g * q * sin(q);
    mode->c[0] = 1;
    mode->c[1] = -(g * p * fade + c - s) / (g * p + fade * (c + s));
    mode->c[2] = -mode->c[0] - mode->c[1] * fade;
    mode->c[3] = g / h * (mode->c[0] - mode->c[1] * fade);
}

/* The clamped half of a clamped beam of twice the length, in odd motion, is
 * pinned in the middle. */
static bool solve_clamped_pinned(const sb_beam *beam, int n,
                                 sb_beam_mode *mode) {
    const sb_beam twice = {beam->rotary / 4, beam->shear / 4,
                           SB_SUPPORT_CLAMPED};
    double b = 0;
    if (!solve_phase(&twice, 2 * n, &b)) return false;
    set_waves(&twice, b, mode);
    set_symmetric(mode, true, 2 * n);
    mode->c[1] *= exp(-0.5 * mode->p); /* from the end to the middle */
    mode->b /= 4;
    mode->p /= 2;
    mode->q /= 2;
    mode->g /= 2; /* L is half of what it was */
    mode->h /= 2;
    return true;
}

void sb_beam_at(const sb_beam_mode *mode, double xi, double *w, double *l_psi) {
    double near = mode->c[0] * exp(-mode->p * xi);
    double far = mode->c[1] * exp(-mode->p * (1 - xi));
    double c = cos(mode->q * xi), s = sin(mode->q * xi);
    *w = near + far + mode->c[2] * c + mode->c[3] * s;
    *l_psi =
        mode->g * (far - near) + mode->h * (mode->c[3] * c - mode->c[2] * s);
}

static void normalise(const sb_beam *beam, sb_beam_mode *mode) {
    double nodes[PANEL_POINTS], weights[PANEL_POINTS];
    sb_gauss_legendre(PANEL_POINTS, nodes, weights);
    int panels =
        1 + (int)(mode->q / 4); /* 4 rad per panel: exact to rounding */
    double sum_w = 0, sum_psi = 0, w = 0, l_psi = 0;
    for (int i = 0; i < panels; i++) {
        for (int j = 0; j < PANEL_POINTS; j++) {
            double xi = (i + 0.5 + 0.5 * nodes[j]) / panels;
            sb_beam_at(mode, xi, &w, &l_psi);
            sum_w += weights[j] * w * w;
            sum_psi += weights[j] * l_psi * l_psi;
        }
    }
    sum_w *= 0.5 / panels;
    sum_psi *= 0.5 / panels;
    double scale = 1 / sqrt(sum_w + beam->rotary * sum_psi);
    sb_beam_at(mode, 0.05 / (1 + mode->q), &w, &l_psi);
    if (w < 0) scale = -scale;
    for (int i = 0; i < 4; i++) {
        mode->c[i] *= scale;
    }
    mode->mean_square = sum_w * scale * scale;
}

bool sb_beam_solve(const sb_beam *beam, int n, sb_beam_mode *out) {
    sb_beam_mode mode = {0};
    if (beam->ends == SB_SUPPORT_CLAMPED_PINNED) {
        if (!solve_clamped_pinned(beam, n, &mode)) return false;
    } else {
        double b = 0;
        if (!solve_phase(beam, n, &b)) return false;
        set_waves(beam, b, &mode);
        if (beam->ends == SB_SUPPORT_PINNED) {
            mode.q = SB_PI * n;
            mode.c[3] = 1;
        } else if (beam->ends == SB_SUPPORT_CLAMPED_FREE) {
            set_cantilever(&mode);
        } else {
            set_symmetric(&mode, beam->ends == SB_SUPPORT_CLAMPED, n);
        }
    }
    normalise(beam, &mode);
    *out = mode;
    return true;
}
