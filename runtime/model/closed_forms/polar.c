/* SPDX-License-Identifier: MIT */
#include "runtime/model/closed_forms/polar.h"

#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/model_draft.h"

#include <math.h>

enum { AXIAL, COSINE, SINE, PANEL_POINTS = 16 };

/* shape.c[]: l, A, B e^m, the root's number, the same for cos and sin, and m. */
enum { ROOT, AMPLITUDE, MIX, NUMBER, SECOND };

/* Roots of one n lie about pi apart, so steps of this size miss none; where two
 * families of waves mix, hardly any. */
#define SCAN_STEP 0.2
#define SCAN_FINE 0.01

void sb_polar_wave(int n, double m, double r, double *f, double *slope) {
    double x = fabs(m) * r, both[2];
    if (m < 0) {
        sb_bessel_j(n, x, both);
        *f = both[0];
        *slope = n * both[0] / r + m * both[1];
        return;
    }
    double fade = exp(m * (r - 1));
    sb_bessel_i_scaled(n, x, both);
    *f = fade * both[0];
    *slope = fade * (n * both[0] / r + m * both[1]);
}

static double radial(int n, const double *c, double r) {
    double x = c[ROOT] * r, i[2];
    double value = c[AMPLITUDE] * jn(n, x);
    if (c[MIX] == 0) return value;
    if (c[SECOND] < 0) return value + c[MIX] * jn(n, -c[SECOND] * r);
    double fade = exp(c[SECOND] * (r - 1));
    if (fade < 1e-18) return value;
    sb_bessel_i_scaled(n, c[SECOND] * r, i);
    return value + c[MIX] * fade * i[0];
}

/* Returns the part of the energy of motion that is not rotation. */
static double normalise(const sb_model *model, const sb_polar_rim *rim,
                        const sb_polar_mode *mode, int n, double *c) {
    double nodes[PANEL_POINTS], weights[PANEL_POINTS];
    sb_gauss_legendre(PANEL_POINTS, nodes, weights);
    int panels = 2 + (int)(c[ROOT] / 4);
    double sum = 0, turns = 0;
    for (int i = 0; i < panels; i++) {
        for (int j = 0; j < PANEL_POINTS; j++) {
            double r = (i + 0.5 + 0.5 * nodes[j]) / panels;
            double value = radial(n, c, r);
            sum += weights[j] * r * value * value;
            if (rim->turns)
                turns += weights[j] * r * rim->turns(mode, n, c[ROOT], r);
        }
    }
    double share = sum / (sum + rim->turn_share * turns);
    double radius = model->shape.radius;
    double around = n == 0 ? SB_TAU : SB_PI; /* integral of cos^2 n t */
    sum *= 0.5 / panels * around * radius * radius * rim->face_kg_m2;
    double scale = sqrt(share) / sqrt(sum);
    if (radial(n, c, 1 - 0.05 / (1 + c[ROOT])) < 0) scale = -scale;
    c[AMPLITUDE] *= scale;
    c[MIX] *= scale;
    return share;
}

static double refine(const sb_model *model, const sb_polar_rim *rim, int n,
                     double low, double high) {
    bool rises = rim->condition(model, n, low) < 0;
    for (;;) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) return high;
        if ((rim->condition(model, n, middle) < 0) == rises) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

static sb_status add_root(sb_model *model, const sb_polar_rim *rim, int n,
                          int circle, double l, int number, sb_error *err) {
    sb_polar_mode mode = {.second = l};
    if (rim->thick) {
        rim->thick(model, n, l, &mode);
    } else {
        mode.omega = rim->factor * (rim->power == 2 ? l * l : l);
        mode.mix = rim->mix ? rim->mix(model, n, l) : 0;
    }
    double faces = SB_TAU * model->shape.radius * model->shape.radius;
    double mean_square = faces / model->area_m2 / model->mass_kg;
    sb_mode_shape shape = {.n = n, .c = {[ROOT] = l, [AMPLITUDE] = 1}};
    shape.c[MIX] = mode.mix;
    shape.c[SECOND] = mode.second;
    shape.c[NUMBER] = number;
    mean_square *= normalise(model, rim, &mode, n, shape.c);
    static const char *const endings[] = {"", " cos", " sin"};
    int first = n == 0 ? AXIAL : COSINE, last = n == 0 ? AXIAL : SINE;
    for (shape.kind = first; shape.kind <= last; shape.kind++) {
        sb_status status =
            sb_model_add(model, mode.omega / SB_TAU, mean_square, &shape, err,
                         "(%d,%d)%s", n, circle, endings[shape.kind]);
        if (status) return status;
    }
    return SB_OK;
}

/* The lowest M modes have l below 2 sqrt(M) + 4: Weyl's l^2 / 4 modes below l,
 * less what the rim takes away. At least 10, to find the lowest mode. */
static double highest_root(const sb_model *model, const sb_polar_rim *rim) {
    double by_count = 2 * sqrt(model->limits.max_modes) + 4;
    if (rim->most > 0) return fmax(fmin(by_count, rim->most), 10);
    double by_pitch = SB_TAU * model->limits.max_hz / rim->factor;
    if (rim->power == 2) by_pitch = sqrt(by_pitch);
    return fmax(fmin(by_count, by_pitch), 10);
}

sb_status sb_polar_build(sb_model *model, const sb_polar_rim *rim,
                         sb_error *err) {
    double most = highest_root(model, rim);
    int number = 1;
    for (int n = 0; 0.8 * n <= most; n++) {
        /* No mode has l < 0.8 n, and below it rounding makes false roots. A
         * free disk of Poisson's ratio near -1 dishes at very low l. */
        double low = n == 0 ? 0.2 : fmax(0.8 * n, 1);
        double before = rim->condition(model, n, low);
        int circle = rim->first_circle;
        if (rim->is_free && n < 2) circle++;
        while (low < most) {
            bool is_fine = rim->crowded > 0 && low + SCAN_STEP > rim->crowded;
            double step = is_fine ? SCAN_FINE : SCAN_STEP;
            double high = fmin(low + step, most);
            double after = rim->condition(model, n, high);
            if ((before < 0) != (after < 0)) {
                double l = refine(model, rim, n, low, high);
                sb_status status =
                    add_root(model, rim, n, circle++, l, number++, err);
                if (status) return status;
            }
            low = high;
            before = after;
        }
    }
    return SB_OK;
}

/* Maps the square of (u, v) to the disk; points outside go to the rim. */
static void to_polar(double u, double v, double *r, double *x, double *z) {
    *x = 2 * u - 1;
    *z = 2 * v - 1;
    *r = hypot(*x, *z);
    if (*r <= 1) return;
    *x /= *r;
    *z /= *r;
    *r = 1;
}

void sb_polar_weights(const sb_model *model, double u, double v,
                      sb_vec3 direction, double *weights) {
    double r, x, z, value = 0, number = 0;
    to_polar(u, v, &r, &x, &z);
    double angle = atan2(z, x);
    for (int k = 0; k < model->mode_count; k++) {
        const sb_mode_shape *shape = &model->shapes[k];
        if (shape->c[NUMBER] != number) { /* cos and sin share it */
            number = shape->c[NUMBER];
            value = direction.y * radial(shape->n, shape->c, r);
        }
        double around = 1;
        if (shape->kind == COSINE) around = cos(shape->n * angle);
        if (shape->kind == SINE) around = sin(shape->n * angle);
        weights[k] = value * around;
    }
}

sb_vec3 sb_polar_position(const sb_model *model, double u, double v) {
    double r, x, z, radius = model->shape.radius;
    to_polar(u, v, &r, &x, &z);
    return (sb_vec3){x * radius, 0.5 * model->shape.thickness, z * radius};
}

void sb_polar_nearest(const sb_model *model, sb_vec3 point_m, double *u,
                      double *v) {
    double r, x, z, radius = model->shape.radius;
    to_polar(0.5 + 0.5 * point_m.x / radius, 0.5 + 0.5 * point_m.z / radius, &r,
             &x, &z);
    *u = 0.5 * (x + 1);
    *v = 0.5 * (z + 1);
}
