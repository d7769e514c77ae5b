/* SPDX-License-Identifier: MIT */
/* A uniform bar of rectangular section: bending in two planes, twist and
 * stretch. Its grain, if the material has one, runs along it. The motion at a
 * surface point (x, y, z) is
 *
 *     flexural      (-y psi, w, 0)           psi the turn of the section
 *     lateral       (-z psi, 0, w)
 *     torsion       (0, -theta z, theta y)   St Venant, without warping
 *     longitudinal  (a, 0, 0)                without Poisson's contraction
 *
 * Euler and Bernoulli's theory has no rotary inertia, so there psi is not part
 * of the motion and every mode's mass is that of w alone. Thread: control,
 * workers. */
#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/special.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/material.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shape.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/shapes/solid.h"

#include <math.h>
#include <stdbool.h>

/* --- bending modes of a uniform beam -------------------------------------- */

/* Timoshenko's beam, with shear and rotary inertia, along xi = x / L:
 *
 *     w'' + b^2 s^2 w = (L psi)',    b = omega L^2 sqrt(rho A / E I)
 *     w = c0 e^(-p xi) + c1 e^(-p (1 - xi)) + c2 cos(q xi) + c3 sin(q xi)
 *     L psi = g (-c0 e^(-p xi) + c1 e^(-p (1 - xi)))
 *             + h (-c2 sin(q xi) + c3 cos(q xi))
 *     g = (p^2 + b^2 s^2) / p,   h = (q^2 - b^2 s^2) / q
 *
 * r = s = 0 is Euler and Bernoulli's beam. The growing exponential is written
 * from the far end, so that high modes keep all their digits.
 *
 * Above b = 1 / (r s) the exponentials turn into a second family of waves
 * across the section; beam theory ends there, and so do the modes.
 *
 * Symbols: r^2 = I / (A L^2) rotary; s^2 = E I / (kappa G A L^2) shear.
 * Source: T. C. Huang, J. Appl. Mech. 28 (1961) 579; the frequency equations
 *         are solved here for their phase, which grows with b. */

typedef struct timoshenko {
    double rotary; /* r^2 */
    double shear;  /* s^2 */
    sb_support ends;
} timoshenko;

typedef struct beam_mode {
    double b;          /* omega L^2 sqrt(rho A / E I) */
    double p, q, g, h; /* as above */
    double c[4];
    double mean_square; /* of w over the length */
} beam_mode;

enum { PANEL_POINTS = 16 };

static void set_waves(const timoshenko *beam, double b, beam_mode *mode) {
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
static double phase_symmetric(const beam_mode *mode, bool is_clamped, int n) {
    double p = mode->p, q = mode->q, t = tanh(0.5 * p);
    double ratio =
        is_clamped ? mode->h / mode->g : mode->g * p * p / (mode->h * q * q);
    /* even: tan(q/2) = -tanh(p/2) / ratio, odd: tan(q/2) = ratio tanh(p/2) */
    double turn = n % 2 ? -atan(t / ratio) : atan(ratio * t);
    int half_turns = (n + 1) / 2;
    return 0.5 * q - turn - SB_PI * half_turns;
}

/* 2 / cosh p + (X + 1/X) cos q + (p/q - q/p) tanh p sin q = 0, X = g p / h q */
static double phase_cantilever(const beam_mode *mode, int n) {
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
static double phase(const timoshenko *beam, int n, double b) {
    beam_mode mode;
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

static bool solve_phase(const timoshenko *beam, int n, double *b) {
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
static void set_symmetric(beam_mode *mode, bool is_clamped, int n) {
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
static void set_cantilever(beam_mode *mode) {
    double p = mode->p, q = mode->q, g = mode->g, h = mode->h;
    double fade = exp(-p), c = h * q * cos(q), s = g * q * sin(q);
    mode->c[0] = 1;
    mode->c[1] = -(g * p * fade + c - s) / (g * p + fade * (c + s));
    mode->c[2] = -mode->c[0] - mode->c[1] * fade;
    mode->c[3] = g / h * (mode->c[0] - mode->c[1] * fade);
}

/* The clamped half of a clamped beam of twice the length, in odd motion, is
 * pinned in the middle. */
static bool solve_clamped_pinned(const timoshenko *beam, int n,
                                 beam_mode *mode) {
    const timoshenko twice = {beam->rotary / 4, beam->shear / 4,
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

/* w and L psi at xi. */
static void beam_at(const beam_mode *mode, double xi, double *w,
                    double *l_psi) {
    double near = mode->c[0] * exp(-mode->p * xi);
    double far = mode->c[1] * exp(-mode->p * (1 - xi));
    double c = cos(mode->q * xi), s = sin(mode->q * xi);
    *w = near + far + mode->c[2] * c + mode->c[3] * s;
    *l_psi =
        mode->g * (far - near) + mode->h * (mode->c[3] * c - mode->c[2] * s);
}

static void normalise(const timoshenko *beam, beam_mode *mode) {
    double nodes[PANEL_POINTS], weights[PANEL_POINTS];
    sb_gauss_legendre(PANEL_POINTS, nodes, weights);
    int panels =
        1 + (int)(mode->q / 4); /* 4 rad per panel: exact to rounding */
    double sum_w = 0, sum_psi = 0, w = 0, l_psi = 0;
    for (int i = 0; i < panels; i++) {
        for (int j = 0; j < PANEL_POINTS; j++) {
            double xi = (i + 0.5 + 0.5 * nodes[j]) / panels;
            beam_at(mode, xi, &w, &l_psi);
            sum_w += weights[j] * w * w;
            sum_psi += weights[j] * l_psi * l_psi;
        }
    }
    sum_w *= 0.5 / panels;
    sum_psi *= 0.5 / panels;
    double scale = 1 / sqrt(sum_w + beam->rotary * sum_psi);
    beam_at(mode, 0.05 / (1 + mode->q), &w, &l_psi);
    if (w < 0) scale = -scale;
    for (int i = 0; i < 4; i++) {
        mode->c[i] *= scale;
    }
    mode->mean_square = sum_w * scale * scale;
}

/* The n-th bending mode, n >= 1, with integral of w^2 + r^2 (L psi)^2 over xi
 * equal to 1 and w positive near xi = 0. False when it lies above the range of
 * the theory. */
static bool beam_solve(const timoshenko *beam, int n, beam_mode *out) {
    beam_mode mode = {0};
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

/* --- bars ----------------------------------------------------------------- */

enum { FLEXURAL, LATERAL, TORSION, LONGITUDINAL, KIND_COUNT };

static const char *const kind_names[KIND_COUNT] = {"flexural", "lateral",
                                                   "torsion", "longitudinal"};

/* shape.c[]: p, q, c0 .. c3, g / L, h / L of the beam, in kg^-1/2. */
enum { P, Q, C0, C1, C2, C3, G, H };

double sb_rectangle_torsion(double width_m, double height_m) {
    double a = fmax(width_m, height_m), b = fmin(width_m, height_m);
    /* The sum of tanh(n pi a / 2 b) / n^5 over odd n is 31/32 zeta(5) minus the
     * sum of (1 - tanh) / n^5, which converges exponentially. */
    double sum = 31.0 / 32.0 * 1.0369277551433699263;
    for (int n = 1; n < 40; n += 2) {
        double lack = 2 / (exp(n * SB_PI * a / b) + 1);
        sum -= lack / pow(n, 5);
    }
    double pi5 = pow(SB_PI, 5);
    return a * b * b * b / 3 * (1 - 192 / pi5 * b / a * sum);
}

/* s^2 of the beam, E I / (kappa G A L^2), from r^2. Cowper's kappa for a
 * rectangle, 10 (1 + nu) / (12 + 11 nu), is 5 E / (6 E - nu G), which holds for
 * a grain along the bar, too (S. Dharmarajan and H. McCutchen, J. Compos. Mater.
 * 7 (1973) 530). */
static double shear_of(const sb_material *material, double rotary) {
    double nu = material->poisson_ratio;
    if (sb_material_is_orthotropic(material)) {
        double ratio = material->youngs_modulus / material->shear_modulus;
        return rotary * (1.2 * ratio - 0.2 * nu);
    }
    double kappa = 10 * (1 + nu) / (12 + 11 * nu);
    return rotary * 2 * (1 + nu) / kappa;
}

/* Bending whose deflection runs along the side `height`; `breadth` is the
 * other side of the section. */
static sb_status add_bending(sb_model *model, int kind, double height,
                             double breadth, sb_error *err) {
    const sb_shape *bar = &model->shape;
    const sb_material *mat = &model->material;
    double length = bar->length;
    bool is_thick = bar->theory == SB_BAR_TIMOSHENKO;
    double slender = height * height / (12 * length * length);
    timoshenko beam = {.ends = bar->support};
    if (is_thick) {
        beam.rotary = slender;
        beam.shear = shear_of(mat, slender);
    }
    double unit_rad_s = height / (length * length) *
                        sqrt(mat->youngs_modulus / (12 * mat->density));
    double amplitude = 1 / sqrt(model->mass_kg);
    for (int n = 1; n <= model->limits.max_modes; n++) {
        beam_mode mode;
        if (!beam_solve(&beam, n, &mode)) break;
        double freq_hz = mode.b * unit_rad_s / SB_TAU;
        sb_mode_shape shape = {.kind = kind, .n = n};
        shape.c[P] = mode.p;
        shape.c[Q] = mode.q;
        for (int i = 0; i < 4; i++) {
            shape.c[C0 + i] = mode.c[i] * amplitude;
        }
        shape.c[G] = is_thick ? mode.g / length : 0;
        shape.c[H] = is_thick ? mode.h / length : 0;
        double w = 0, psi0 = 0, psi1 = 0;
        beam_at(&mode, 0, &w, &psi0);
        beam_at(&mode, 1, &w, &psi1);
        /* Two long faces move by w; the ends tilt by psi. */
        double faces = 2 * breadth * length * mode.mean_square;
        double tilt = is_thick ? psi0 * psi0 + psi1 * psi1 : 0;
        double ends = breadth * height * slender * tilt;
        sb_status status = sb_model_add(
            model, freq_hz, (faces + ends) / (model->mass_kg * model->area_m2),
            &shape, err, "%s %d", kind_names[kind], n);
        if (status) return status;
        if (freq_hz > model->limits.max_hz) break;
    }
    return SB_OK;
}

/* Twist and stretch follow the wave equation: cosines between free ends,
 * sines from a held one. */
static sb_status add_waves(sb_model *model, int kind, double speed_m_s,
                           double modal_mass, double held_mean_square,
                           double free_mean_square, sb_error *err) {
    const sb_shape *bar = &model->shape;
    bool is_free = bar->support == SB_SUPPORT_FREE;
    bool is_half = bar->support == SB_SUPPORT_CLAMPED_FREE;
    for (int n = 1; n <= model->limits.max_modes; n++) {
        double q = SB_PI * (is_half ? n - 0.5 : n);
        double freq_hz = q / bar->length * speed_m_s / SB_TAU;
        double amplitude = sqrt(2 / modal_mass);
        sb_mode_shape shape = {.kind = kind, .n = n};
        shape.c[Q] = q;
        shape.c[is_free ? C2 : C3] = amplitude;
        int free_ends = is_free ? 2 : is_half ? 1 : 0;
        double mean_square =
            (held_mean_square + free_ends * free_mean_square) / modal_mass;
        sb_status status = sb_model_add(model, freq_hz, mean_square, &shape,
                                        err, "%s %d", kind_names[kind], n);
        if (status) return status;
        if (freq_hz > model->limits.max_hz) break;
    }
    return SB_OK;
}

static sb_status build(sb_model *model, sb_error *err) {
    const sb_shape *bar = &model->shape;
    const sb_material *mat = &model->material;
    double length = bar->length, width = bar->width, height = bar->thickness;
    sb_model_set_box(model, length, height, width);
    model->theory = bar->theory == SB_BAR_TIMOSHENKO ? "Timoshenko" : "Euler";
    double section = width * height;
    double polar = section * (width * width + height * height) / 12;
    double stiffness =
        sb_elastic_of(mat).g12 * sb_rectangle_torsion(width, height);

    sb_status status = add_bending(model, FLEXURAL, height, width, err);
    if (!status) status = add_bending(model, LATERAL, width, height, err);
    if (!status) {
        /* Faces z theta and y theta; theta^2 averages to 1 / modal mass. */
        double faces = length *
                       (width * width * width + height * height * height) /
                       (6 * model->area_m2);
        status =
            add_waves(model, TORSION, sqrt(stiffness / (mat->density * polar)),
                      mat->density * polar * length, faces, 0, err);
    }
    if (!status) {
        /* Only free ends move outward; the squared amplitude there is 2 / modal
         * mass. */
        status = add_waves(
            model, LONGITUDINAL, sqrt(mat->youngs_modulus / mat->density),
            model->mass_kg, 0, 2 * section / model->area_m2, err);
    }
    return status;
}

static sb_vec3 position(const sb_model *model, double u, double v) {
    const sb_shape *bar = &model->shape;
    return (sb_vec3){(u - 0.5) * bar->length, 0.5 * bar->thickness,
                     (v - 0.5) * bar->width};
}

static void nearest(const sb_model *model, sb_vec3 point_m, double *u,
                    double *v) {
    *u = point_m.x / model->shape.length + 0.5;
    *v = point_m.z / model->shape.width + 0.5;
}

static void side_weights(const sb_model *model, sb_vec3 at, sb_vec3 direction,
                         double *out) {
    double u = at.x / model->shape.length + 0.5;
    /* Displacement along `direction` per unit of w (or theta, or a) and of
     * psi. */
    const double along[KIND_COUNT] = {
        [FLEXURAL] = direction.y,
        [LATERAL] = direction.z,
        [TORSION] = direction.z * at.y - direction.y * at.z,
        [LONGITUDINAL] = direction.x,
    };
    const double turning[KIND_COUNT] = {
        [FLEXURAL] = -at.y * direction.x, [LATERAL] = -at.z * direction.x};
    for (int k = 0; k < model->mode_count; k++) {
        const sb_mode_shape *shape = &model->shapes[k];
        const double *c = shape->c;
        double cosine = cos(c[Q] * u), sine = sin(c[Q] * u);
        double w = c[C2] * cosine + c[C3] * sine, psi = 0;
        if (c[P] > 0) {
            double near = c[C0] * exp(-c[P] * u);
            double far = c[C1] * exp(-c[P] * (1 - u));
            w += near + far;
            psi = c[G] * (far - near) + c[H] * (c[C3] * cosine - c[C2] * sine);
        }
        out[k] = along[shape->kind] * w + turning[shape->kind] * psi;
    }
}

static void weights(const sb_model *model, double u, double v,
                    sb_vec3 direction, double *out) {
    side_weights(model, position(model, u, v), direction, out);
}

static const sb_model_ops ops = {
    .method = "analytic",
    .sides = &sb_box_form,
    .side_weights = side_weights,
    .peaks_u = 385,
    .peaks_v = 3,
    .build = build,
    .weights = weights,
    .position = position,
    .nearest = nearest,
};

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *bar, sb_error *err) {
    sb_status status = sb_shape_not_above(bar, "thickness", bar->thickness,
                                          "its length", bar->length, err);
    if (!status) {
        status = sb_shape_not_above(bar, "width", bar->width, "its length",
                                    bar->length, err);
    }
    if (!status && bar->theory != SB_BAR_TIMOSHENKO &&
        bar->theory != SB_BAR_EULER) {
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "bar: theory must be timoshenko or euler, got %d",
                         (int)bar->theory);
    }
    return status;
}

/* Twisting needs two layers, and cells about as narrow as the bar is thick
 * along its width: the stress turns round the edges of the section within that
 * distance. Wider cells make the bar some 3 % too stiff. */
static sb_sheet sheet(const sb_shape *bar) {
    double rows = round(1.5 * bar->width / bar->thickness);
    return (sb_sheet){.x_m = bar->length,
                      .z_m = bar->width,
                      .thickness_m = bar->thickness,
                      .least_rows = (int)fmin(fmax(3, rows), 12),
                      .least_layers = 2};
}

/* All six sides radiate. */
static sb_status outside(const sb_shape *bar, sb_mesh *out, sb_error *err) {
    bool is_fine = bar->radiation == SB_RADIATES_EXACT;
    const int cells[3] = {is_fine ? 72 : 16, 1, 2};
    const double sides_m[3] = {bar->length, bar->thickness, bar->width};
    return sb_grid_box_surface(sides_m, cells, out, err);
}

static double aspect(const sb_shape *bar) {
    return bar->width / bar->length;
}

static sb_collider collider(const sb_shape *bar) {
    return sb_collider_box(bar->length, bar->thickness, bar->width);
}

static const char *const support_names[] = {
    "free",           "clamped", "clamped-clamped",
    "clamped-free",   "pinned",  "pinned-pinned",
    "clamped-pinned", "hinged",  NULL};
static const int supports[] = {
    SB_SUPPORT_FREE,           SB_SUPPORT_CLAMPED, SB_SUPPORT_CLAMPED,
    SB_SUPPORT_CLAMPED_FREE,   SB_SUPPORT_PINNED,  SB_SUPPORT_PINNED,
    SB_SUPPORT_CLAMPED_PINNED, SB_SUPPORT_PINNED};
static const char *const theories[] = {"timoshenko", "euler", NULL};

const sb_field sb_bar_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(length, "along x"),
    SB_SHAPE_LENGTH_NEEDED(width, "along z"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "along y, the direction of a strike"),
    SB_SHAPE_CHOICE(support, support_names, supports,
                    "how it is held; default free"),
    SB_SHAPE_CHOICE(
        theory, theories, NULL,
        "timoshenko, the default, includes shear and rotary inertia"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_bar = {
    .fields = sb_bar_fields,
    .supports = SB_ALL_BITS,
    .methods = SB_ALL_BITS,
    .check = check,
    .ops = &ops,
    .is_rescalable = true,
    .sheet = sheet,
    .solid_elements = SB_SHEET_SOLID_ELEMENTS,
    .outside = outside,
    .aspect = aspect,
    .collider = collider,
};
