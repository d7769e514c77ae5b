/* SPDX-License-Identifier: MIT */
/* A flat rectangle: free, clamped at all edges or at one, or simply supported.
 * Its bending modes come from Kirchhoff's theory of thin plates or Mindlin's of
 * thick ones, whichever is needed (plate_ritz.h, rectangle.c); a plate thicker
 * than a fifth of its shorter side is solved as a solid. Motion in its plane is
 * not part of the closed forms: a strike across excites it through Poisson's
 * contraction only. Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/rectangle.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/shapes/plate_ritz.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>

enum { CLASS_MOST = 1280 };

/* Polynomials need half a term per radian. With this many more, the highest of
 * 300 modes is right to 1e-5 and most are to 1e-8. Where a clamped edge meets a
 * free one the corner is singular: all modes are right to 2e-6 then. */
#define MARGIN 8

/* Clamped beams have k L = (n + 1/2) pi, the first one 4.73004 = 1.50562 pi. */
#define CLAMPED_SHIFT 0.5057

static void free_ritz(void *extra) {
    plate_ritz *all = extra;
    if (!all) return;
    sb_ritz_axis_free(&all->x);
    sb_ritz_axis_free(&all->z);
    for (int i = 0; i < PLATE_CLASSES; i++) {
        sb_free(all->classes[i].terms);
        sb_free(all->classes[i].coefs);
    }
    sb_free(all);
}

/* --- size ----------------------------------------------------------------- */

static int terms_for(double k, double side) {
    return (int)ceil(0.5 * k * side) + MARGIN;
}

/* Terms in the largest class: half of each axis, where it has a symmetry. */
static int class_size(const plate_job *of, double k) {
    const sb_shape *plate = &of->model->shape;
    int x = terms_for(k, plate->width);
    int z = (terms_for(k, of->depth) + 1) / 2;
    if (plate->support != SB_SUPPORT_CLAMPED_FREE) x = (x + 1) / 2;
    return x * z;
}

/* A wave number below which there are at least limits.max_modes modes. A
 * clamped plate has no fewer than the lattice of clamped beams. A plate with
 * free edges has no fewer than a pinned one, its rigid motions included, and,
 * when it is a strip, no fewer than it has along its length. */
static double k_for_count(const plate_job *of) {
    const sb_model *model = of->model;
    double a = model->shape.width, b = of->depth;
    int count = model->limits.max_modes;
    if (model->shape.support == SB_SUPPORT_CLAMPED) {
        return sb_rectangle_wave_number(a, b, CLAMPED_SHIFT, count);
    }
    return fmin(sb_rectangle_wave_number(a, b, 0, count + 3),
                (count + 2) * SB_PI / fmax(a, b));
}

/* The highest wave number to solve for: by pitch, by the number of modes, and
 * by CLASS_MOST. */
static double highest_k(const plate_job *of, double k) {
    double a = of->model->shape.width, b = of->depth;
    k = fmin(k, k_for_count(of));
    /* At least enough to resolve the lowest modes. */
    k = fmax(k, 24 / fmax(a, b));
    while (terms_for(k, a) > PLATE_AXIS_MOST ||
           terms_for(k, b) > PLATE_AXIS_MOST ||
           class_size(of, k) > CLASS_MOST) {
        k *= 0.98;
    }
    return k;
}

/* --- one symmetry class --------------------------------------------------- */

bool plate_is_in_class(const sb_model *model, int which, int i, int j) {
    if (j % 2 != which % 2) return false;
    if (model->shape.support == SB_SUPPORT_CLAMPED_FREE) return which < 2;
    return i % 2 == which / 2;
}

static sb_status list_terms(const plate_job *of, int which, sb_error *err) {
    const plate_ritz *all = of->all;
    plate_class *part = &of->all->classes[which];
    bool is_free = of->model->shape.support == SB_SUPPORT_FREE;
    size_t most = (size_t)all->x.count * (size_t)all->z.count;
    part->terms = sb_alloc(most, sizeof *part->terms);
    if (!part->terms) {
        return sb_no_memory(err, "plate");
    }
    for (int i = 0; i < all->x.count; i++) {
        for (int j = 0; j < all->z.count; j++) {
            if (is_free && i + j < 2) continue; /* rigid */
            if (!plate_is_in_class(of->model, which, i, j)) continue;
            part->terms[part->term_count++] =
                (sb_ritz_term){(short)i, (short)j};
        }
    }
    return SB_OK;
}

bool plate_is_mirrored(const sb_model *model) {
    return model->shape.width == model->shape.depth &&
           model->shape.support != SB_SUPPORT_CLAMPED_FREE &&
           !sb_material_is_orthotropic(&model->material);
}

sb_status plate_mirror_terms(const plate_job *of, sb_error *err) {
    const plate_class *from = &of->all->classes[PLATE_EVEN_ODD];
    plate_class *to = &of->all->classes[PLATE_ODD_EVEN];
    to->terms = sb_alloc((size_t)from->term_count, sizeof *to->terms);
    if (!to->terms) return sb_no_memory(err, "plate");
    to->term_count = from->term_count;
    for (int i = 0; i < from->term_count; i++) {
        to->terms[i] = (sb_ritz_term){from->terms[i].j, from->terms[i].i};
    }
    return SB_OK;
}

/* --- shapes --------------------------------------------------------------- */

static void products(const plate_class *part, const double *x, const double *z,
                     double *out) {
    for (int i = 0; i < part->term_count; i++) {
        out[i] = x[part->terms[i].i] * z[part->terms[i].j];
    }
}

typedef double four __attribute__((vector_size(32), aligned(8)));

/* Sixteen independent sums: fewer would wait for each addition. A contact that
 * moves on a plate of 500 modes spends most of its time here. */
static double dot(const double *a, const double *b, int count) {
    four sum[4] = {{0}};
    double rest = 0;
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const four *x = (const four *)(a + i), *y = (const four *)(b + i);
        sum[0] += x[0] * y[0];
        sum[1] += x[1] * y[1];
        sum[2] += x[2] * y[2];
        sum[3] += x[3] * y[3];
    }
    for (; i < count; i++) {
        rest += a[i] * b[i];
    }
    four all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return ((all[0] + all[1]) + (all[2] + all[3])) + rest;
}

/* The sign is positive at the first point where the shape is not small against
 * its rms of 1/2, on a line from the corner that is not a line of symmetry. */
static void fix_sign(const plate_ritz *all, const plate_class *part,
                     double *c) {
    double x[PLATE_AXIS_MOST], z[PLATE_AXIS_MOST], product[CLASS_MOST];
    for (int step = 0; step <= 64; step++) {
        double t = -1 + step / 64.0;
        sb_ritz_axis_at(&all->x, t, x);
        sb_ritz_axis_at(&all->z, -1 + 0.6 * (t + 1), z);
        products(part, x, z, product);
        double value = dot(c, product, part->term_count);
        if (fabs(value) < 0.15) continue;
        for (int i = 0; value < 0 && i < part->term_count; i++) {
            c[i] = -c[i];
        }
        return;
    }
}

static void weights(const sb_model *model, double u, double v,
                    sb_vec3 direction, double *out) {
    const plate_ritz *all = model->extra;
    double x[PLATE_AXIS_MOST], z[PLATE_AXIS_MOST], product[CLASS_MOST];
    sb_ritz_axis_at(&all->x, 2 * u - 1, x);
    sb_ritz_axis_at(&all->z, 2 * v - 1, z);
    double scale = 2 / sqrt(model->mass_kg) * direction.y;
    for (int which = 0; which < PLATE_CLASSES; which++) {
        const plate_class *part = &all->classes[which];
        if (part->mode_count == 0) continue;
        products(part, x, z, product);
        int n = part->term_count;
        for (int k = 0; k < model->mode_count; k++) {
            const sb_mode_shape *shape = &model->shapes[k];
            if (shape->kind != which) continue;
            const double *c = part->coefs + (size_t)shape->m * (size_t)n;
            out[k] = scale * dot(c, product, n);
        }
    }
}

/* --- Kirchhoff's modes ---------------------------------------------------- */

sb_status plate_reserve(plate_class *part, int mode_count, sb_error *err) {
    size_t n = (size_t)part->term_count;
    part->coefs = sb_alloc(n * (size_t)mode_count, sizeof *part->coefs);
    if (part->coefs) return SB_OK;
    return sb_no_memory(err, "plate");
}

sb_status plate_add_mode(const plate_job *of, int which, double freq_hz,
                         const double *c, double amplitude, double share,
                         sb_error *err) {
    sb_model *model = of->model;
    plate_class *part = &of->all->classes[which];
    size_t n = (size_t)part->term_count;
    double mean_square = share * (2 * model->shape.width * model->shape.depth /
                                  (model->area_m2 * model->mass_kg));
    double *to = part->coefs + n * (size_t)part->mode_count;
    for (size_t i = 0; i < n; i++)
        to[i] = amplitude * c[i];
    fix_sign(of->all, part, to);
    sb_mode_shape shape = {.kind = which, .m = part->mode_count++};
    return sb_model_add(model, freq_hz, mean_square, &shape, err, "%s", "");
}

static sb_status add_modes(plate_job *of, int which,
                           const sb_ritz_solution *solution, sb_error *err) {
    sb_model *model = of->model;
    plate_class *part = &of->all->classes[which];
    size_t n = (size_t)part->term_count;
    double a = model->shape.width;
    sb_status status = plate_reserve(part, solution->count, err);
    for (int k = 0; k < solution->count && !status; k++) {
        double k2 = 4 / (a * a) * solution->values[k];
        double freq_hz = of->speed * k2 / SB_TAU;
        if (k2 > of->k_most * of->k_most) {
            /* not resolved, but near enough for a message */
            sb_model_note(model, freq_hz);
            break;
        }
        const double *c = solution->vectors + n * (size_t)k;
        double share = 1;
        if (model->shape.theory != SB_PLATE_KIRCHHOFF) {
            double factor =
                plate_thick_factor(of, part, c, SB_TAU * freq_hz, &share);
            if (freq_hz <= model->limits.max_hz)
                of->error = fmax(of->error, 1 / factor - 1);
            if (of->corrects) freq_hz *= factor;
        }
        if (!of->corrects) share = 1;
        status = plate_add_mode(of, which, freq_hz, c, sqrt(share), share, err);
    }
    return status;
}

static sb_status add_class(plate_job *of, int which, sb_error *err) {
    bool mirrored = plate_is_mirrored(of->model);
    if (which == PLATE_ODD_EVEN && mirrored) return SB_OK; /* with its image */
    sb_status status = list_terms(of, which, err);
    const plate_class *part = &of->all->classes[which];
    if (status || part->term_count == 0) return status;
    sb_ritz_solution solution = {0};
    status = sb_ritz_solve(&of->problem, part->terms, part->term_count,
                           &solution, err);
    if (!status) status = add_modes(of, which, &solution, err);
    if (!status && which == PLATE_EVEN_ODD && mirrored) {
        status = plate_mirror_terms(of, err);
        if (!status) status = add_modes(of, PLATE_ODD_EVEN, &solution, err);
    }
    sb_ritz_solution_free(&solution);
    return status;
}

/* --- the model ------------------------------------------------------------ */

/* The axes and their integrals; `power` is that of the functions at a clamped
 * edge. */
static sb_status set_up(plate_job *of, int power, sb_error *err) {
    const sb_shape *plate = &of->model->shape;
    plate_ritz *all = of->all;
    sb_ritz_problem *problem = &of->problem;
    int low = plate->support != SB_SUPPORT_FREE ? power : 0;
    int high = plate->support == SB_SUPPORT_CLAMPED ? power : 0;
    problem->x_count = terms_for(of->k_most, plate->width);
    problem->z_count = terms_for(of->k_most, of->depth);
    sb_status status =
        sb_ritz_axis_init(&all->x, problem->x_count, low, high, err);
    if (!status) {
        status = sb_ritz_axis_init(&all->z, problem->z_count, high, high, err);
    }
    if (!status) status = sb_ritz_axis_matrices(&all->x, &problem->x, err);
    if (!status) status = sb_ritz_axis_matrices(&all->z, &problem->z, err);
    double aspect = plate->width / plate->depth;
    problem->ratio = aspect * aspect;
    return status;
}

static void set_stiffness(plate_job *of) {
    const sb_material *material = &of->model->material;
    const sb_shape *plate = &of->model->shape;
    const sb_plate_stiffness *s = &of->plate;
    double nu = material->poisson_ratio;
    of->plate = sb_plate_stiffness_of(material, plate->thickness);
    of->speed = sb_plate_speed(material, plate->thickness);
    of->depth = plate->depth;
    of->problem.poisson_ratio = nu;
    of->problem.across = 1;
    of->problem.twist = 2 * (1 - nu);
    if (!sb_material_is_orthotropic(material)) return;
    of->speed = sqrt(s->d11 / s->mass);
    of->depth *= pow(s->d11 / s->d22, 0.25);
    of->problem.poisson_ratio = s->d12 / s->d11;
    of->problem.across = s->d22 / s->d11;
    of->problem.twist = 4 * s->d66 / s->d11;
}

/* Throw away what was built. */
static void clear(plate_job *of) {
    sb_model *model = of->model;
    free_ritz(model->extra);
    model->extra = of->all = NULL;
    model->draft_count = 0;
    model->lowest_hz = 0;
}

static sb_status solve(plate_job *of, bool is_thick, sb_error *err) {
    of->all = sb_alloc(1, sizeof *of->all);
    if (!of->all) return sb_no_memory(err, "plate");
    of->model->extra = of->all;
    sb_status status = set_up(of, is_thick ? 1 : 2, err);
    if (!status && is_thick) status = plate_thick_build(of, err);
    for (int which = 0; which < PLATE_CLASSES && !status && !is_thick;
         which++) {
        status = add_class(of, which, err);
    }
    sb_free(of->problem.x.bend);
    sb_free(of->problem.z.bend);
    of->problem.x.bend = of->problem.z.bend = NULL;
    return status;
}

/* Kirchhoff's theory, unless a wave as short as the highest mode's shows
 * already that it errs. */
static sb_status try_thin(plate_job *of, bool *is_done, sb_error *err) {
    const sb_shape *plate = &of->model->shape;
    double omega = SB_TAU * of->model->limits.max_hz;
    of->k_most = highest_k(of, sqrt(omega / of->speed));
    *is_done = plate->theory == SB_PLATE_KIRCHHOFF;
    double thin = sb_kirchhoff_omega(&of->plate, of->k_most, 0);
    double thick = sb_mindlin_omega(&of->plate, of->k_most, 0, NULL);
    if (plate->theory == SB_PLATE_MINDLIN ||
        (!*is_done && thin > (1 + SB_KIRCHHOFF_ERROR) * thick)) {
        return SB_OK;
    }
    of->model->theory = "Kirchhoff";
    sb_status status = solve(of, false, err);
    if (status || *is_done) return status;
    *is_done = of->error <= SB_KIRCHHOFF_ERROR;
    if (!*is_done) clear(of);
    return SB_OK;
}

static sb_status build(sb_model *model, sb_error *err) {
    const sb_shape *plate = &model->shape;
    sb_model_set_box(model, plate->width, plate->thickness, plate->depth);
    plate_job work = {.model = model};
    bool is_done = false;
    set_stiffness(&work);
    sb_status status = try_thin(&work, &is_done, err);
    if (status || is_done) return status;
    double kx, kz;
    sb_mindlin_wave_numbers(&work.plate, SB_TAU * model->limits.max_hz, &kx,
                            &kz);
    work.k_most = highest_k(&work, fmax(kx, kz * plate->depth / work.depth));
    bool fits = plate_thick_fits(plate, class_size(&work, work.k_most));
    model->theory = fits ? "Mindlin" : "Mindlin by wave number";
    work.corrects = !fits;
    return solve(&work, fits, err);
}

static const sb_model_ops ritz_ops = {
    .method = "analytic",
    .build = build,
    .weights = weights,
    .position = sb_rectangle_position,
    .nearest = sb_rectangle_nearest,
    .free_extra = free_ritz,
};

/* --- the row -------------------------------------------------------------- */

enum { ASPECT_MOST = 100 };

static sb_status check(const sb_shape *plate, sb_error *err) {
    sb_status status = sb_shape_not_above(plate, "thickness", plate->thickness,
                                          "its width", plate->width, err);
    if (!status) {
        status = sb_shape_not_above(plate, "thickness", plate->thickness,
                                    "its depth", plate->depth, err);
    }
    if (status || plate->support == SB_SUPPORT_PINNED) return status;
    /* Other supports are solved by polynomials, of which a strip would need
     * thousands; and a strip is a bar. */
    double ratio = plate->width / plate->depth;
    if (ratio < 1) ratio = 1 / ratio;
    if (ratio <= ASPECT_MOST) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "plate: width and depth must not differ more than %d to 1 "
                   "unless pinned, got %g to 1; use a bar",
                   (int)ASPECT_MOST, ratio);
}

static const sb_model_ops *choose_ops(const sb_shape *plate) {
    return plate->support == SB_SUPPORT_PINNED ? &sb_pinned_plate_ops
                                               : &ritz_ops;
}

/* A little more than the bound, for sizes that a script computes. */
static bool is_too_thick(const sb_shape *plate) {
    double side = fmin(plate->width, plate->depth);
    return plate->theory == SB_PLATE_AUTO &&
           plate->thickness > (1 + 1e-9) * SB_PLATE_THICK_MOST * side;
}

static sb_sheet sheet(const sb_shape *plate) {
    return (sb_sheet){.x_m = plate->width,
                      .z_m = plate->depth,
                      .thickness_m = plate->thickness,
                      .holds_sides = true};
}

static double aspect(const sb_shape *plate) {
    return plate->depth / plate->width;
}

static sb_vec3 usual(const sb_shape *plate) {
    return sb_usual_on_rectangle(plate->width, plate->thickness, plate->depth);
}

static sb_collider collider(const sb_shape *plate) {
    return sb_collider_box(plate->width, plate->thickness, plate->depth);
}

static const char *const support_names[] = {
    "free", "clamped", "clamped-free", "pinned", "simply-supported", NULL};
static const int supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED,
                               SB_SUPPORT_CLAMPED_FREE, SB_SUPPORT_PINNED,
                               SB_SUPPORT_PINNED};

const sb_field sb_plate_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(width, "along x"),
    SB_SHAPE_LENGTH_NEEDED(depth, "along z"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "along y"),
    SB_SHAPE_CHOICE(support, support_names, supports,
                    "how it is held; default free"),
    SB_SHAPE_PLATE_THEORY,
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_plate = {
    .fields = sb_plate_fields,
    .supports = SB_ALL_BITS & ~SB_BIT(SB_SUPPORT_CLAMPED_PINNED),
    .support_words = "free, clamped, clamped-free or pinned",
    .methods = SB_ALL_BITS,
    .check = check,
    .choose_ops = choose_ops,
    .is_too_thick = is_too_thick,
    .is_rescalable = true,
    .sheet = sheet,
    .solid_elements = SB_SHEET_SOLID_ELEMENTS,
    .aspect = aspect,
    .usual = usual,
    .collider = collider,
};
