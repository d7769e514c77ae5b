/* SPDX-License-Identifier: MIT */
/* runtime/model/shapes/plate_ritz.h -- plates with free or clamped edges.
 *
 * By Ritz's method, in one of three ways:
 *
 *   Kirchhoff   thin plates (ritz.h)
 *   Mindlin     thick plates (ritz.h): three fields instead of one
 *   between     a plate too thin, or with too many modes, for three fields:
 *               Kirchhoff's modes, each lowered by what Mindlin's waves of its
 *               length and direction, and the edges, take off it. Against
 *               three fields it is right to 0.05 % at thickness / side 0.007,
 *               0.2 % at 0.02, 0.5 % at 0.05 (with a grain 0.6 %)
 *
 * Kirchhoff's frequencies are kept where none of them is more than
 * SB_KIRCHHOFF_ERROR too high.
 *
 * At a free edge the twisting moment turns into a shear force within a layer of
 * width l = sqrt(D66 / S), about a third of the thickness (as at the edges of a
 * twisted strip, whose J = b h^3 / 3 (1 - 2 l / b)). To first order it lowers
 * the energy of a mode by 4 D66 l times the integral of w,xz^2 along the edges.
 *
 * Even and odd functions about the middle do not mix, which splits the problem
 * in four classes (two when one edge alone is clamped) and picks a basis in
 * every degenerate pair.
 *
 * Private to runtime/model/shapes.   Thread: control, workers.
 */
#pragma once

#include "runtime/model/closed_forms/mindlin.h"
#include "runtime/model/closed_forms/ritz.h"
#include "runtime/model/model_draft.h"

/* Even or odd in x, then in z; 0 is even in both. */
enum { PLATE_EVEN_ODD = 1, PLATE_ODD_EVEN = 2, PLATE_CLASSES = 4 };
enum { PLATE_AXIS_MOST = 1024 };

typedef struct plate_class {
    int term_count, mode_count;
    sb_ritz_term *terms;
    double *coefs; /* [mode_count][term_count]; phi = 2 / sqrt(m) sum */
} plate_class;

typedef struct plate_ritz {
    sb_ritz_axis x, z;
    plate_class classes[PLATE_CLASSES];
} plate_ritz;

/* Data for building that the model does not keep. */
typedef struct plate_job {
    sb_model *model;
    plate_ritz *all;
    sb_ritz_problem problem;
    sb_plate_stiffness plate;
    double speed;  /* sqrt(D11 / rho h) */
    double depth;  /* of a plate as stiff across as along the grain */
    double k_most; /* highest wave number along x to solve for */
    bool corrects; /* Kirchhoff's frequencies are lowered */
    double error;  /* the largest by which one of them is too high */
} plate_job;

/* --- between plate.c and plate_thick.c --- */

/* Whether a product of degrees i and j is in the class. */
bool plate_is_in_class(const sb_model *model, int which, int i, int j);
/* On a square, what is even in x and odd in z is the mirror image of what is
 * odd in x and even in z: one solution serves both, to the last bit. */
bool plate_is_mirrored(const sb_model *model);

/* Add one mode of a class; amplitude c[term_count] is kept. Its squares add up
 * to `share`, the part of the energy of motion that is not rotation. */
SB_NODISCARD sb_status plate_add_mode(const plate_job *of, int which,
                                      double freq_hz, const double *c,
                                      double amplitude, double share,
                                      sb_error *err);
/* Make room for the modes of a class. */
SB_NODISCARD sb_status plate_reserve(plate_class *part, int mode_count,
                                     sb_error *err);
/* The terms of the class that mirrors EVEN_ODD. */
SB_NODISCARD sb_status plate_mirror_terms(const plate_job *of, sb_error *err);

/* By how much Kirchhoff's frequency of a mode is to be multiplied; `share` as
 * above. */
double plate_thick_factor(const plate_job *of, const plate_class *part,
                          const double *c, double omega, double *share);
/* Whether three fields are worth it, and their terms few enough. */
bool plate_thick_fits(const sb_shape *plate, int class_size);
/* All modes, by Mindlin. */
SB_NODISCARD sb_status plate_thick_build(plate_job *of, sb_error *err);
