/* A rectangular plate with free or clamped edges, by Ritz's method (ritz.h).
 * Pinned edges have a closed form: rectangle.c.
 *
 * Even and odd functions about the middle do not mix, which splits the problem
 * in four classes (two when one edge alone is clamped) and picks a basis in
 * every degenerate pair. The three rigid motions of a free plate are the
 * products of degree 0 and 1 and are left out.
 *
 * Size: enough terms for every mode below the limits; at most CLASS_MOST in
 * one class, beyond which the highest modes are left out: a free square plate
 * has at most some 1250 modes, solved in a few seconds, and one clamped at one
 * edge, having fewer symmetries, some 580. Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/closed_forms/rectangle.h"
#include "runtime/model/closed_forms/ritz.h"
#include "runtime/model/model_internal.h"
#include "runtime/model/shapes/family.h"

#include <math.h>
#include <string.h>

/* Even or odd in x, then in z; 0 is even in both. */
enum { EVEN_ODD = 1, ODD_EVEN = 2, CLASS_COUNT = 4 };
enum { CLASS_MOST = 1280, AXIS_MOST = 1024, ASPECT_MOST = 100 };

/* Polynomials need half a term per radian. With this many more, the highest of
 * 300 modes is right to 1e-5 and most are to 1e-8. Where a clamped edge meets a
 * free one the corner is singular: all modes are right to 2e-6 then. */
#define MARGIN 8

/* Clamped beams have k L = (n + 1/2) pi, the first one 4.73004 = 1.50562 pi. */
#define CLAMPED_SHIFT 0.5057

typedef struct ritz_class {
    int term_count, mode_count;
    sb_ritz_term *terms;
    double *coefs; /* [mode_count][term_count]; phi = 2 / sqrt(m) sum */
} ritz_class;

typedef struct ritz {
    sb_ritz_axis x, z;
    ritz_class classes[CLASS_COUNT];
} ritz;

/* Data for building that the model does not keep. */
typedef struct job {
    sb_model *model;
    ritz *all;
    sb_ritz_problem problem;
    double speed;  /* sqrt(D / rho h) */
    double k_most; /* highest wave number to solve for */
} job;

static void free_ritz(void *extra) {
    ritz *all = extra;
    if (!all) return;
    sb_ritz_axis_free(&all->x);
    sb_ritz_axis_free(&all->z);
    for (int i = 0; i < CLASS_COUNT; i++) {
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
static int class_size(const sb_model *model, double k) {
    int x = terms_for(k, model->shape.width);
    int z = (terms_for(k, model->shape.depth) + 1) / 2;
    if (model->shape.support != SB_SUPPORT_CLAMPED_FREE) x = (x + 1) / 2;
    return x * z;
}

/* A wave number below which there are at least limits.max_modes modes. A
 * clamped plate has no fewer than the lattice of clamped beams. A plate with
 * free edges has no fewer than a pinned one, its rigid motions included, and,
 * when it is a strip, no fewer than it has along its length. */
static double k_for_count(const sb_model *model) {
    double a = model->shape.width, b = model->shape.depth;
    int count = model->limits.max_modes;
    if (model->shape.support == SB_SUPPORT_CLAMPED) {
        return sb_rectangle_wave_number(a, b, CLAMPED_SHIFT, count);
    }
    return fmin(sb_rectangle_wave_number(a, b, 0, count + 3),
                (count + 2) * SB_PI / fmax(a, b));
}

/* The highest wave number to solve for: by pitch, by the number of modes, and
 * by CLASS_MOST. */
static double highest_k(const sb_model *model, double speed) {
    double a = model->shape.width, b = model->shape.depth;
    double k = sqrt(SB_TAU * model->limits.max_hz / speed);
    k = fmin(k, k_for_count(model));
    /* At least enough to resolve the lowest modes. */
    k = fmax(k, 24 / fmax(a, b));
    while (terms_for(k, a) > AXIS_MOST || terms_for(k, b) > AXIS_MOST ||
           class_size(model, k) > CLASS_MOST) {
        k *= 0.98;
    }
    return k;
}

/* --- one symmetry class --------------------------------------------------- */

static bool is_in_class(const sb_model *model, int which, int i, int j) {
    bool is_free = model->shape.support == SB_SUPPORT_FREE;
    if (is_free && i + j < 2) return false; /* rigid */
    if (j % 2 != which % 2) return false;
    if (model->shape.support == SB_SUPPORT_CLAMPED_FREE) return which < 2;
    return i % 2 == which / 2;
}

static sb_status list_terms(const job *of, int which, sb_error *err) {
    const ritz *all = of->all;
    ritz_class *part = &of->all->classes[which];
    size_t most = (size_t)all->x.count * (size_t)all->z.count;
    part->terms = sb_alloc(most, sizeof *part->terms);
    if (!part->terms) {
        return sb_fail(err, SB_NO_MEMORY, "plate: out of memory");
    }
    for (int i = 0; i < all->x.count; i++) {
        for (int j = 0; j < all->z.count; j++) {
            if (!is_in_class(of->model, which, i, j)) continue;
            part->terms[part->term_count++] =
                (sb_ritz_term){(short)i, (short)j};
        }
    }
    return SB_OK;
}

/* --- shapes --------------------------------------------------------------- */

static void products(const ritz_class *part, const double *x, const double *z,
                     double *out) {
    for (int i = 0; i < part->term_count; i++) {
        out[i] = x[part->terms[i].i] * z[part->terms[i].j];
    }
}

/* Four independent sums: a single one would wait for each addition. */
static double dot(const double *a, const double *b, int count) {
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        sum[0] += a[i] * b[i];
        sum[1] += a[i + 1] * b[i + 1];
        sum[2] += a[i + 2] * b[i + 2];
        sum[3] += a[i + 3] * b[i + 3];
    }
    for (; i < count; i++) {
        sum[0] += a[i] * b[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The sign is positive at the first point where the shape is not small against
 * its rms of 1/2, on a line from the corner that is not a line of symmetry. */
static void fix_sign(const ritz *all, const ritz_class *part, double *c) {
    double x[AXIS_MOST], z[AXIS_MOST], product[CLASS_MOST];
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
    const ritz *all = model->extra;
    double x[AXIS_MOST], z[AXIS_MOST], product[CLASS_MOST];
    sb_ritz_axis_at(&all->x, 2 * u - 1, x);
    sb_ritz_axis_at(&all->z, 2 * v - 1, z);
    double scale = 2 / sqrt(model->mass_kg) * direction.y;
    for (int which = 0; which < CLASS_COUNT; which++) {
        const ritz_class *part = &all->classes[which];
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

/* --- the model ------------------------------------------------------------ */

static sb_status add_modes(const job *of, int which,
                           const sb_ritz_solution *solution, sb_error *err) {
    sb_model *model = of->model;
    ritz_class *part = &of->all->classes[which];
    size_t n = (size_t)part->term_count;
    double a = model->shape.width;
    double mean_square =
        2 * a * model->shape.depth / (model->area_m2 * model->mass_kg);
    part->coefs = sb_alloc(n * (size_t)solution->count, sizeof *part->coefs);
    if (!part->coefs) {
        return sb_fail(err, SB_NO_MEMORY, "plate: out of memory");
    }
    for (int k = 0; k < solution->count; k++) {
        double k2 = 4 / (a * a) * solution->quarter_k2[k];
        double freq_hz = of->speed * k2 / SB_TAU;
        if (k2 > of->k_most * of->k_most) {
            sb_model_note(
                model,
                freq_hz); /* not resolved, but near enough for a message */
            break;
        }
        double *c = part->coefs + n * (size_t)part->mode_count;
        memcpy(c, solution->vectors + n * (size_t)k, n * sizeof *c);
        fix_sign(of->all, part, c);
        sb_mode_shape shape = {.kind = which, .m = part->mode_count++};
        sb_status status =
            sb_model_add(model, freq_hz, mean_square, &shape, "", err);
        if (status) return status;
    }
    return SB_OK;
}

/* On a square, what is even in x and odd in z is the mirror image of what is
 * odd in x and even in z: one solution serves both, to the last bit. */
static bool is_mirrored(const sb_model *model) {
    return model->shape.width == model->shape.depth &&
           model->shape.support != SB_SUPPORT_CLAMPED_FREE;
}

static sb_status add_mirrored(const job *of, const sb_ritz_solution *solution,
                              sb_error *err) {
    sb_status status = list_terms(of, ODD_EVEN, err);
    if (status) return status;
    const ritz_class *from = &of->all->classes[EVEN_ODD];
    ritz_class *to = &of->all->classes[ODD_EVEN];
    for (int i = 0; i < from->term_count; i++) {
        to->terms[i] = (sb_ritz_term){from->terms[i].j, from->terms[i].i};
    }
    return add_modes(of, ODD_EVEN, solution, err);
}

static sb_status add_class(const job *of, int which, sb_error *err) {
    bool mirrored = is_mirrored(of->model);
    if (which == ODD_EVEN && mirrored) return SB_OK; /* with its image */
    sb_status status = list_terms(of, which, err);
    const ritz_class *part = &of->all->classes[which];
    if (status || part->term_count == 0) return status;
    sb_ritz_solution solution = {0};
    status = sb_ritz_solve(&of->problem, part->terms, part->term_count,
                           &solution, err);
    if (!status) status = add_modes(of, which, &solution, err);
    if (!status && which == EVEN_ODD && mirrored) {
        status = add_mirrored(of, &solution, err);
    }
    sb_ritz_solution_free(&solution);
    return status;
}

static sb_status set_up(job *of, sb_error *err) {
    const sb_shape *plate = &of->model->shape;
    ritz *all = of->all;
    bool is_clamped = plate->support == SB_SUPPORT_CLAMPED;
    bool is_held_low = plate->support != SB_SUPPORT_FREE;
    int x_count = terms_for(of->k_most, plate->width);
    int z_count = terms_for(of->k_most, plate->depth);
    sb_status status =
        sb_ritz_axis_init(&all->x, x_count, is_held_low, is_clamped, err);
    if (!status) {
        status =
            sb_ritz_axis_init(&all->z, z_count, is_clamped, is_clamped, err);
    }
    if (!status) status = sb_ritz_axis_matrices(&all->x, &of->problem.x, err);
    if (!status) status = sb_ritz_axis_matrices(&all->z, &of->problem.z, err);
    double aspect = plate->width / plate->depth;
    of->problem.x_count = x_count;
    of->problem.z_count = z_count;
    of->problem.ratio = aspect * aspect;
    of->problem.poisson_ratio = of->model->material.poisson_ratio;
    return status;
}

static sb_status build(sb_model *model, sb_error *err) {
    const sb_shape *plate = &model->shape;
    sb_model_set_box(model, plate->width, plate->thickness, plate->depth);
    job work = {.model = model, .all = sb_alloc(1, sizeof(ritz))};
    if (!work.all) return sb_fail(err, SB_NO_MEMORY, "plate: out of memory");
    model->extra = work.all;
    work.speed = sb_plate_speed(&model->material, plate->thickness);
    work.k_most = highest_k(model, work.speed);
    sb_status status = set_up(&work, err);
    for (int which = 0; which < CLASS_COUNT && !status; which++) {
        status = add_class(&work, which, err);
    }
    sb_free(work.problem.x.bend);
    sb_free(work.problem.z.bend);
    return status;
}

static const sb_model_ops ops = {
    .method = "analytic",
    .build = build,
    .weights = weights,
    .position = sb_rectangle_position,
    .nearest = sb_rectangle_nearest,
    .free_extra = free_ritz,
};

/* --- the row -------------------------------------------------------------- */

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
    return plate->support == SB_SUPPORT_PINNED ? &sb_pinned_plate_ops : &ops;
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
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_plate = {
    .fields = sb_plate_fields,
    .supports = SB_ALL_BITS & ~SB_BIT(SB_SUPPORT_CLAMPED_PINNED),
    .support_words = "free, clamped, clamped-free or pinned",
    .methods = SB_ALL_BITS,
    .check = check,
    .choose_ops = choose_ops,
    .is_rescalable = true,
    .sheet = sheet,
    .solid_elements = SB_SHEET_SOLID_ELEMENTS,
    .aspect = aspect,
    .usual = usual,
    .collider = collider,
};
