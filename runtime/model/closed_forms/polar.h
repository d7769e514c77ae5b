/* SPDX-License-Identifier: MIT */
/* runtime/model/closed_forms/polar.h -- modes of disks and round membranes.
 *
 * In polar coordinates, r from 0 to 1 at the rim, every mode is
 *
 *     phi = (A J_n(l r) + B I_n(m r)) cos n t   or   sin n t
 *
 * with l a root of the rim's condition, and m = l unless the caller says so; if
 * m is negative, the second part is J_n(-m r). The caller gives that condition
 * and the relation between l and frequency; sb_polar_build finds the roots.
 *
 * Private to runtime/model.   Thread: control, workers.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>

typedef struct sb_model sb_model;

/* A mode of a thick plate, with A = 1: see disk.c for the turns. */
typedef struct sb_polar_mode {
    double omega;          /* rad/s */
    double mix, second;    /* B e^m (B if m < 0) and m */
    double twist, third;   /* the same of the part of the turns that is not a
                           * slope */
    double turn_1, turn_2; /* turns over slopes of the first two parts */
} sb_polar_mode;

typedef struct sb_polar_rim {
    /* Zero where l belongs to a mode of n nodal diameters. */
    double (*condition)(const sb_model *model, int n, double l);
    /* B e^l / A for the mode of that root; NULL: no I_n. */
    double (*mix)(const sb_model *model, int n, double l);
    /* Of a thick plate instead of `mix` and `factor`; the squared turns of its
     * sections at r, times `turn_share`, are added to w^2. */
    void (*thick)(const sb_model *model, int n, double l, sb_polar_mode *out);
    double (*turns)(const sb_polar_mode *mode, int n, double l, double r);
    double turn_share;
    double most;       /* the highest root by pitch; 0: by `factor` */
    double crowded;    /* above it the roots are closer; 0: nowhere */
    double factor;     /* omega = factor l^power */
    int power;         /* 1 membrane, 2 plate */
    bool is_free;      /* lowest n = 0, 1 without a nodal circle are rigid */
    int first_circle;  /* the s of the label (n,s) of the lowest root */
    double face_kg_m2; /* mass per face area */
} sb_polar_rim;

/* f = I_n(m r) e^-m, or J_n(-m r) if m is negative, and df / dr. */
void sb_polar_wave(int n, double m, double r, double *f, double *slope);

SB_NODISCARD sb_status sb_polar_build(sb_model *model, const sb_polar_rim *rim,
                                      sb_error *err);
void sb_polar_weights(const sb_model *model, double u, double v,
                      sb_vec3 direction, double *weights);
sb_vec3 sb_polar_position(const sb_model *model, double u, double v);
void sb_polar_nearest(const sb_model *model, sb_vec3 point_m, double *u,
                      double *v);
