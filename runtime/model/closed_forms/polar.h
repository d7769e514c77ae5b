/* runtime/model/closed_forms/polar.h -- modes of disks and round membranes.
 *
 * In polar coordinates, r from 0 to 1 at the rim, every mode is
 *
 *     phi = (A J_n(l r) + B I_n(l r)) cos n t   or   sin n t
 *
 * with l a root of the rim's condition. The caller gives that condition and the
 * relation between l and frequency; sb_polar_build finds the roots.
 *
 * Private to runtime/model.   Thread: control, workers.
 */
#ifndef SB_MODEL_CLOSED_FORMS_POLAR_H
#define SB_MODEL_CLOSED_FORMS_POLAR_H

#include "runtime/model/model_internal.h"

typedef struct sb_polar_rim {
    /* Zero where l belongs to a mode of n nodal diameters. */
    double (*condition)(const sb_model *model, int n, double l);
    /* B e^l / A for the mode of that root; NULL: no I_n. */
    double (*mix)(const sb_model *model, int n, double l);
    double factor;     /* omega = factor l^power */
    int power;         /* 1 membrane, 2 plate */
    bool is_free;      /* lowest n = 0, 1 without a nodal circle are rigid */
    int first_circle;  /* the s of the label (n,s) of the lowest root */
    double face_kg_m2; /* mass per face area */
} sb_polar_rim;

SB_NODISCARD sb_status sb_polar_build(sb_model *model, const sb_polar_rim *rim,
                                      sb_error *err);
void sb_polar_weights(const sb_model *model, double u, double v,
                      sb_vec3 direction, double *weights);
sb_vec3 sb_polar_position(const sb_model *model, double u, double v);
void sb_polar_nearest(const sb_model *model, sb_vec3 point_m, double *u,
                      double *v);

#endif
