/* SPDX-License-Identifier: MIT */
/* Plates by Mindlin's theory, and how much thinner theory errs (plate_ritz.h).
 * Thread: control, workers. */
#include "runtime/model/closed_forms/ritz.h"
#include "runtime/model/shapes/plate_ritz.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>

/* Terms of w in one class: with its turns three times as many unknowns, which
 * take some 0.1 s. */
enum { THICK_MOST = 200 };

/* Thinner plates, over their shorter side, need many terms for their edges, and
 * waves by wave number are as good: right to 0.2 %. */
#define THICK_LEAST 0.015

bool plate_thick_fits(const sb_shape *plate, int class_size) {
    return class_size <= THICK_MOST &&
           plate->thickness > THICK_LEAST * fmin(plate->width, plate->depth);
}

/* --- how much Kirchhoff errs ---------------------------------------------- */

/* v' S v with S symmetric, n x n. Half of v is 0: even or odd terms. */
static double square(const double *s, const double *v, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        if (v[i] == 0) continue;
        for (int j = 0; j < n; j++)
            row += s[(size_t)i * (size_t)n + (size_t)j] * v[j];
        sum += v[i] * row;
    }
    return sum;
}

/* The integral of w,xz^2 along one edge across `along`, both in -1 .. 1:
 * `slopes` are those of the other axis there. */
static double edge_twist(const plate_class *part, const double *c, bool is_x,
                         const double *slopes, const sb_ritz_matrices *along,
                         int along_count) {
    double line[PLATE_AXIS_MOST] = {0};
    for (int t = 0; t < part->term_count; t++) {
        sb_ritz_term term = part->terms[t];
        int at = is_x ? term.i : term.j, other = is_x ? term.j : term.i;
        line[at] += c[t] * slopes[other];
    }
    return square(along->slope, line, along_count);
}

/* Twice the energy that free edges take off, in the units of ritz.h. Odd and
 * even shapes are alike at both edges, but one clamped at one edge is not. */
static double edge_loss(const plate_job *of, const plate_class *part,
                        const double *c) {
    double at[3 * PLATE_AXIS_MOST], sum_x = 0, sum_z = 0;
    const sb_ritz_problem *problem = &of->problem;
    const sb_plate_stiffness *plate = &of->plate;
    const sb_shape *shape = &of->model->shape;
    for (int end = -1; end <= 1; end += 2) {
        sb_ritz_axis_derivatives(&of->all->z, end, at);
        sum_x += edge_twist(part, c, true, at + problem->z_count, &problem->x,
                            problem->x_count);
        sb_ritz_axis_derivatives(&of->all->x, end, at);
        sum_z += edge_twist(part, c, false, at + problem->x_count, &problem->z,
                            problem->z_count);
    }
    double layer_z = sqrt(plate->d66 / plate->s1); /* at the edges along x */
    double layer_x = sqrt(plate->d66 / plate->s2);
    return problem->twist * problem->ratio *
           (sum_x * layer_z / (0.5 * shape->depth) +
            sum_z * layer_x / (0.5 * shape->width));
}

/* Its mean squared slopes give the direction of its waves: cosines. */
static void direction_of(const plate_job *of, const plate_class *part,
                         const double *c, double *x, double *z) {
    const sb_ritz_problem *problem = &of->problem;
    double line[PLATE_AXIS_MOST], sum_x = 0, sum_z = 0;
    for (int first = 0; first < part->term_count;) { /* terms of equal i */
        int i = part->terms[first].i, end = first;
        for (int j = 0; j < problem->z_count; j++)
            line[j] = 0;
        for (; end < part->term_count && part->terms[end].i == i; end++)
            line[part->terms[end].j] = c[end];
        sum_z += square(problem->z.slope, line, problem->z_count);
        first = end;
    }
    for (int j = 0; j < problem->z_count; j++) {
        bool is_empty = true;
        for (int i = 0; i < problem->x_count; i++)
            line[i] = 0;
        for (int t = 0; t < part->term_count; t++) {
            if (part->terms[t].j != j) continue;
            line[part->terms[t].i] = c[t];
            is_empty = false;
        }
        if (!is_empty)
            sum_x += square(problem->x.slope, line, problem->x_count);
    }
    *x = sqrt(sum_x) / of->model->shape.width;
    *z = sqrt(sum_z) / of->model->shape.depth;
    double length = hypot(*x, *z);
    *x /= length;
    *z /= length;
}

/* At a clamped edge the near field adds to the shear, and takes from the
 * rotation, of a wave of wave number k that meets it head on: 3 / k and -1 / k
 * of its length. */
static double clamped_gain(const plate_job *of, double k, double x, double z) {
    const sb_plate_stiffness *plate = &of->plate;
    const sb_shape *shape = &of->model->shape;
    if (shape->support == SB_SUPPORT_FREE) return 1;
    bool is_all = shape->support == SB_SUPPORT_CLAMPED;
    double edges_x = is_all ? 2 : 1, edges_z = is_all ? 2 : 0;
    double shear = plate->d11 / plate->s1, turn = plate->rotary / plate->mass;
    double share = (3 * shear - turn) / (shear + turn);
    return 1 + share / k *
                   (edges_x * x * x / shape->width +
                    edges_z * z * z / shape->depth);
}

double plate_thick_factor(const plate_job *of, const plate_class *part,
                          const double *c, double omega, double *share) {
    const sb_shape *shape = &of->model->shape;
    double x = 1, z = 0, edges = 1;
    /* A free isotropic plate is the same in all directions. */
    if (shape->support != SB_SUPPORT_FREE ||
        sb_material_is_orthotropic(&of->model->material)) {
        direction_of(of, part, c, &x, &z);
    }
    if (shape->support != SB_SUPPORT_CLAMPED) {
        double half2 = 0.25 * shape->width * shape->width;
        double value = omega * half2 / of->speed; /* (k width / 2)^2 */
        double loss = edge_loss(of, part, c) / (value * value);
        edges = 1 / sqrt(1 + loss); /* 1 - loss / 2 to first order, and > 0 */
    }
    double k = sqrt(edges * omega / sb_kirchhoff_omega(&of->plate, x, z));
    /* The loss grows with k^2. */
    k *= sqrt(clamped_gain(of, k, x, z));
    return edges * sb_mindlin_omega(&of->plate, k * x, k * z, share) /
           sb_kirchhoff_omega(&of->plate, k * x, k * z);
}

/* --- three fields --------------------------------------------------------- */

/* The terms of one field: its degrees are shifted by one where the field is odd
 * when w is even. */
static void list_field(const plate_job *of, int which, int odd_x, int odd_z,
                       sb_ritz_term *terms, int *count) {
    for (int i = 0; i < of->problem.x_count; i++) {
        for (int j = 0; j < of->problem.z_count; j++) {
            if (!plate_is_in_class(of->model, which, i + odd_x, j + odd_z))
                continue;
            terms[(*count)++] = (sb_ritz_term){(short)i, (short)j};
        }
    }
}

static sb_status list_terms(const plate_job *of, int which,
                            sb_mindlin_terms *out, sb_error *err) {
    plate_class *part = &of->all->classes[which];
    size_t most = (size_t)of->problem.x_count * (size_t)of->problem.z_count;
    out->terms = sb_alloc(3 * most, sizeof *out->terms);
    if (!out->terms) return sb_no_memory(err, "plate");
    list_field(of, which, 0, 0, out->terms, &out->w_count);
    list_field(of, which, 1, 0, out->terms + out->w_count, &out->x_count);
    list_field(of, which, 0, 1, out->terms + out->w_count + out->x_count,
               &out->z_count);
    part->term_count = out->w_count;
    part->terms = sb_alloc((size_t)out->w_count, sizeof *part->terms);
    if (!part->terms) return sb_no_memory(err, "plate");
    for (int i = 0; i < out->w_count; i++)
        part->terms[i] = out->terms[i];
    return SB_OK;
}

/* Modes above the highest wave number are not resolved. */
static sb_status add_modes(const plate_job *of, int which, int stride,
                           const sb_ritz_solution *solution, sb_error *err) {
    const sb_plate_stiffness *plate = &of->plate;
    double half = 0.5 * of->model->shape.width;
    double unit = sqrt(plate->d11 / plate->mass) / (half * half);
    double most = sb_mindlin_omega(plate, of->k_most, 0, NULL);
    int w_count = of->all->classes[which].term_count;
    sb_status status =
        plate_reserve(&of->all->classes[which], solution->count, err);
    for (int k = 0; k < solution->count && !status; k++) {
        double omega = unit * sqrt(solution->values[k]);
        if (omega > most) {
            sb_model_note(of->model, omega / SB_TAU);
            break;
        }
        const double *c = solution->vectors + (size_t)stride * (size_t)k;
        double share = 0; /* of the energy of motion that is w */
        for (int i = 0; i < w_count; i++)
            share += c[i] * c[i];
        status = plate_add_mode(of, which, omega / SB_TAU, c, 1, share, err);
    }
    return status;
}

static sb_status add_class(const plate_job *of,
                           const sb_mindlin_problem *problem, int which,
                           sb_error *err) {
    bool mirrored = plate_is_mirrored(of->model);
    if (which == PLATE_ODD_EVEN && mirrored) return SB_OK; /* with its image */
    sb_mindlin_terms terms = {0};
    sb_ritz_solution solution = {0};
    sb_status status = list_terms(of, which, &terms, err);
    int all = terms.w_count + terms.x_count + terms.z_count;
    if (!status && terms.w_count > 0) {
        /* Half of them are waves that bend it; above the cut-off, others. */
        status =
            sb_mindlin_solve(problem, &terms, terms.w_count, &solution, err);
        if (!status) status = add_modes(of, which, all, &solution, err);
        if (!status && which == PLATE_EVEN_ODD && mirrored) {
            status = plate_mirror_terms(of, err);
            if (!status)
                status = add_modes(of, PLATE_ODD_EVEN, all, &solution, err);
        }
    }
    sb_ritz_solution_free(&solution);
    sb_free(terms.terms);
    return status;
}

sb_status plate_thick_build(plate_job *of, sb_error *err) {
    const sb_shape *plate = &of->model->shape;
    sb_mindlin_problem problem = {
        .x = &of->problem.x,
        .z = &of->problem.z,
        .x_count = of->problem.x_count,
        .z_count = of->problem.z_count,
    };
    sb_mindlin_problem_init(&problem, &of->plate, plate->width, plate->depth);
    sb_status status = SB_OK;
    for (int which = 0; which < PLATE_CLASSES && !status; which++)
        status = add_class(of, &problem, which, err);
    return status;
}
