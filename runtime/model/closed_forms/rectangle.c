/* SPDX-License-Identifier: MIT */
/* Rectangular sheets with pinned edges: the simply supported plate and the
 * membrane. Both have the same shapes and differ in how the frequency follows
 * from the wave number k:
 *
 *     phi = (2 / sqrt(m)) sin(i pi u) sin(j pi v)
 *     k^2 = (i pi / a)^2 + (j pi / b)^2
 *     plate     omega = k^2 sqrt(D / rho h), or Mindlin's (mindlin.h)
 *     membrane  omega = k sqrt(T / sigma)
 *
 * Mindlin's plate has the same shapes if its edges do not turn about their
 * normals ("hard" support); its rotation takes part of the energy of motion, so
 * that phi is smaller. Thread: control, workers. */
#include "runtime/model/closed_forms/rectangle.h"

#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/mindlin.h"

#include <math.h>

enum { SINES_MOST = 4096 }; /* no model has more modes, so no index is higher */

sb_vec3 sb_rectangle_position(const sb_model *model, double u, double v) {
    const sb_shape *sheet = &model->shape;
    return (sb_vec3){(u - 0.5) * sheet->width, 0.5 * sheet->thickness,
                     (v - 0.5) * sheet->depth};
}

void sb_rectangle_nearest(const sb_model *model, sb_vec3 point_m, double *u,
                          double *v) {
    *u = point_m.x / model->shape.width + 0.5;
    *v = point_m.z / model->shape.depth + 0.5;
}

/* How many waves have a wave number up to k; stops counting beyond `enough`. */
static int count_waves(double a, double b, double shift, double k, int enough) {
    double count = 0;
    for (int i = 1; count <= enough; i++) {
        double along = (i + shift) * SB_PI / a, rest = k * k - along * along;
        if (rest <= 0) break;
        double across = floor(b / SB_PI * sqrt(rest) - shift);
        count += fmin(fmax(across, 0), SINES_MOST);
    }
    return (int)fmin(count, 2.0 * SINES_MOST);
}

double sb_rectangle_wave_number(double a, double b, double shift, int count) {
    double low = 0, high = SB_PI / fmax(a, b);
    while (count_waves(a, b, shift, high, count) < count) {
        high *= 2;
    }
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (count_waves(a, b, shift, middle, count) < count) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high * (1 + 1e-9); /* keep both modes of an equal pair */
}

/* omega = factor k^power */
static sb_status add_sines(sb_model *model, double factor, int power,
                           double mean_square, sb_error *err) {
    const sb_shape *sheet = &model->shape;
    double ki = SB_PI / sheet->width, kj = SB_PI / sheet->depth;
    double limit = SB_TAU * model->limits.max_hz / factor;
    double k_most = power == 2 ? sqrt(limit) : limit;
    /* A vast thin sheet would fill the memory with modes beyond the limit. */
    k_most = fmin(k_most, sb_rectangle_wave_number(sheet->width, sheet->depth,
                                                   0, model->limits.max_modes));
    for (int i = 1; i <= SINES_MOST; i++) {
        for (int j = 1; j <= SINES_MOST; j++) {
            double k2 = i * ki * i * ki + j * kj * j * kj;
            bool is_lowest = i == 1 && j == 1;
            if (k2 > k_most * k_most && !is_lowest) break;
            double omega = factor * (power == 2 ? k2 : sqrt(k2));
            sb_mode_shape shape = {.m = i, .n = j, .c = {1}};
            sb_status status = sb_model_add(model, omega / SB_TAU, mean_square,
                                            &shape, err, "(%d,%d)", i, j);
            if (status) return status;
        }
        if ((i + 1) * ki > k_most) break;
    }
    return SB_OK;
}

/* The same for a plate whose waves are not k^2 times a number: thick, or with a
 * grain. */
static sb_status add_waves(sb_model *model, const sb_plate_stiffness *plate,
                           bool is_thick, double mean_square, sb_error *err) {
    const sb_shape *sheet = &model->shape;
    double ki = SB_PI / sheet->width, kj = SB_PI / sheet->depth;
    double alike = sheet->depth * pow(plate->d11 / plate->d22, 0.25);
    double k = sb_rectangle_wave_number(sheet->width, alike, 0,
                                        model->limits.max_modes);
    /* Lattices of other waves hold fewer modes: half as many again. */
    double most = fmin(SB_TAU * model->limits.max_hz,
                       1.5 * sb_kirchhoff_omega(plate, k, 0));
    for (int i = 1; i <= SINES_MOST; i++) {
        int j = 1;
        for (; j <= SINES_MOST; j++) {
            double share = 1, omega = sb_kirchhoff_omega(plate, i * ki, j * kj);
            if (is_thick)
                omega = sb_mindlin_omega(plate, i * ki, j * kj, &share);
            bool is_lowest = i == 1 && j == 1;
            if (omega > most && !is_lowest) break;
            sb_mode_shape shape = {.m = i, .n = j, .c = {sqrt(share)}};
            sb_status status =
                sb_model_add(model, omega / SB_TAU, mean_square * share, &shape,
                             err, "(%d,%d)", i, j);
            if (status) return status;
        }
        if (j == 1) break;
    }
    return SB_OK;
}

/* Whether a wave as short as that of the highest mode shows that Kirchhoff
 * errs; the error is largest along or across the grain. */
static bool is_thick_plate(const sb_model *model,
                           const sb_plate_stiffness *plate) {
    const sb_shape *sheet = &model->shape;
    if (sheet->theory != SB_PLATE_AUTO)
        return sheet->theory == SB_PLATE_MINDLIN;
    double omega = SB_TAU * model->limits.max_hz;
    double alike = sheet->depth * pow(plate->d11 / plate->d22, 0.25);
    double by_count = sb_rectangle_wave_number(sheet->width, alike, 0,
                                               model->limits.max_modes);
    double k = fmin(by_count, sqrt(omega / sqrt(plate->d11 / plate->mass)));
    double across = k * alike / sheet->depth;
    double bound = 1 + SB_KIRCHHOFF_ERROR;
    return sb_kirchhoff_omega(plate, k, 0) >
               bound * sb_mindlin_omega(plate, k, 0, NULL) ||
           sb_kirchhoff_omega(plate, 0, across) >
               bound * sb_mindlin_omega(plate, 0, across, NULL);
}

static sb_status build_plate(sb_model *model, sb_error *err) {
    const sb_shape *sheet = &model->shape;
    const sb_material *material = &model->material;
    double h = sheet->thickness;
    sb_plate_stiffness plate = sb_plate_stiffness_of(material, h);
    sb_model_set_box(model, sheet->width, h, sheet->depth);
    /* phi^2 averages to 1 / m over each of the two faces. */
    double faces = 2 * sheet->width * sheet->depth / model->area_m2;
    bool is_thick = is_thick_plate(model, &plate);
    model->theory = is_thick ? "Mindlin" : "Kirchhoff";
    if (is_thick || sb_material_is_orthotropic(material)) {
        return add_waves(model, &plate, is_thick, faces / model->mass_kg, err);
    }
    return add_sines(model, sb_plate_speed(material, h), 2,
                     faces / model->mass_kg, err);
}

static sb_status build_membrane(sb_model *model, sb_error *err) {
    const sb_shape *sheet = &model->shape;
    double area = sheet->width * sheet->depth;
    model->mass_kg = sheet->surface_density * area;
    model->area_m2 = 2 * area;
    model->is_held = true;
    return add_sines(model, sqrt(sheet->tension / sheet->surface_density), 1,
                     1 / model->mass_kg, err);
}

double sb_plate_speed(const sb_material *material, double thickness_m) {
    double nu = material->poisson_ratio;
    return thickness_m * sqrt(material->youngs_modulus /
                              (12 * (1 - nu * nu) * material->density));
}

static void weights(const sb_model *model, double u, double v,
                    sb_vec3 direction, double *out) {
    double sine_u[SINES_MOST + 1], sine_v[SINES_MOST + 1];
    int m_most = 0, n_most = 0;
    for (int k = 0; k < model->mode_count; k++) {
        const sb_mode_shape *shape = &model->shapes[k];
        for (; m_most < shape->m; m_most++) {
            sine_u[m_most + 1] = sin(SB_PI * (m_most + 1) * u);
        }
        for (; n_most < shape->n; n_most++) {
            sine_v[n_most + 1] = sin(SB_PI * (n_most + 1) * v);
        }
        out[k] = sine_u[shape->m] * sine_v[shape->n] * shape->c[0];
    }
    double scale = 2 / sqrt(model->mass_kg) * direction.y;
    for (int k = 0; k < model->mode_count; k++) {
        out[k] *= scale;
    }
}

const sb_model_ops sb_pinned_plate_ops = {
    .method = "analytic",
    .build = build_plate,
    .weights = weights,
    .position = sb_rectangle_position,
    .nearest = sb_rectangle_nearest,
};

const sb_model_ops sb_rectangular_membrane_ops = {
    .method = "analytic",
    .build = build_membrane,
    .weights = weights,
    .position = sb_rectangle_position,
    .nearest = sb_rectangle_nearest,
};
