/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/radiation.h -- how loud each mode is in the air.
 *
 * A surface that moves with the normal velocity v_n, under the pressure p_s,
 * has the far field in direction r (Kirchhoff and Helmholtz, time e^{iwt})
 *
 *     p R = 1/4pi  integral [ i w rho v_n + i k p_s (n.r) ] e^{i k x.r} dS
 *
 * p_s is approximated by  p_s = z rho c v_n  with z of a sphere of radius a
 * that vibrates in its n-th order: the sound of a compact body then follows its
 * acceleration, that of a body large against the wavelength its velocity, and
 * short waves on the surface cancel each other below coincidence. The order
 * comes from the waves on the surface,
 *
 *     n (n + 1) = (K a)^2,    K^2 = integral |grad v_n|^2 / integral v_n^2
 *
 * and a from the body's second moments: it is the radius of a sphere, about
 * half the width of a bar and 0.42 of the radius of a disk, which gives the
 * disk its added mass. It is exact for every order of a sphere, at any
 * frequency, if K belongs to one order. With K given, far fields are linear in
 * the shape; K is shared by modes of equal frequency, so that they may be
 * mixed.
 *
 * A sheet (open, of thickness t) moves air on both sides in antiphase: the
 * first terms of its sides cancel except for t, the second ones add up,
 * p R = 1/4pi integral i k rho c v_n (2 z + i k t) (n.r) e^{i k x.r} dS.
 *
 * Faces are gathered into at most SB_RADIATION_PATCHES patches of near
 * positions and normals, with their first and second moments. Compared with all
 * faces, a ball of 30 cm with 10,000 of them is right to 0.15 dB up to 10 kHz
 * and to 2 dB at 20 kHz, a plate of 30 by 20 cm to 1 and 2.5 dB.
 *
 * This law is quick, and right for spheres and tubes; the first modes of free
 * plates and bars are 13 to 29 dB too soft where they are small against the
 * wave in the air. Boundary elements are exact (exact.h).
 *
 * Symbols: k wavenumber, 1/m; g = sqrt(mean |p R|^2), Pa m per unit of modal
 *          velocity, the `radiation` of model.h.
 * Thread: control, workers. Memory: results go to the caller's arrays.
 */
#pragma once

#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/patterns.h"
#include "runtime/model/sound/directions.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sb_model sb_model;

enum { SB_RADIATION_PATCHES = 512, SB_FAR_PARTS = 4 * SB_DIRECTION_PAIRS };

/* p R of one mode in all directions, real and imaginary parts in turn, each
 * times the root of its direction's weight; so a product of two is the mean
 * over all directions. */
typedef struct sb_far {
    double parts[SB_FAR_PARTS];
} sb_far;

double sb_far_product(const sb_far *a, const sb_far *b);

/* What a mode loses by radiating with this g: the power 4 pi g^2 q'^2 / (rho c)
 * of its energy q'^2 (rms) takes this much of its amplitude per second. */
static inline double sb_radiation_loss(double g) {
    return SB_TAU * g * g / (SB_AIR_DENSITY * SB_AIR_SPEED);
}

typedef struct sb_radiation_def {
    int vertex_count, face_count, mode_count;
    const float (*vertices)[3];
    const int32_t (*faces)[3];
    const float *shapes; /* [vertex][stride][3] */
    int stride;          /* modes in `shapes`; those heard begin at first */
    int first_mode;
    double shape_scale;     /* phi = shape_scale * shape */
    const double *freqs_hz; /* [mode_count]; equal ones share K */
    double sheet_m;         /* thickness of a sheet; 0: a closed body */
    /* Above 0: of a deformable body by the quick law, whose z is that of
     * sb_surface_radius_m's law with this radius. */
    double deform_radius_m;
    /* Boundary elements for the modes that they can take (exact.h), the law
     * above for the others; then deform_radius_m is 0. */
    bool is_exact;
    bool is_lumped; /* on the coarse mesh of a deformable body */
    /* Whose modes these are, if they are those of a wall of revolution
     * (exact_turned.h); else NULL. */
    const sb_model *turned;
    /* --- results, each of which may be NULL --- */
    int *exact_count;      /* how many those are */
    bool *is_put_off;      /* there is no time for them now (memo.h) */
    double *quick;         /* [mode] g by the law above */
    double *slopes;        /* [mode] sb_pattern_slope of modes heard exactly */
    sb_patterns *patterns; /* of all of `mode_count` modes */
} sb_radiation_def;

/* Far fields of all modes. NO_MEMORY is the only failure. */
SB_NODISCARD sb_status sb_radiation(const sb_radiation_def *def, sb_far *fars,
                                    sb_error *err);

/* z of a sphere of radius a whose waves have the number K: `waves` is K a, x is
 * k a. */
double complex sb_radiation_impedance(double waves, double x);

/* The pressure on a surface that moves, by a law of the first order in time.
 * Deformable bodies compute their sound sample by sample, so that the pressure
 * p_s on a triangle with the normal velocity v_n must follow from its past:
 *
 *     p_s' = rho c v_n' - (q c / a) p_s,    z = p_s / rho c v_n = ika / (q + ika)
 *
 * a is the radius of a sphere like the body. q = 1 is exact for a sphere that
 * pulsates; with q = SB_SURFACE_RATE spheres that swing or deform are within
 * 2 dB for ka up to 8. A disk that swings as a whole has the mean pressure
 * 4 / 3 pi rho v_n' radius on each face; an open sheet is taken as the disk of
 * its area.
 *
 * Modes of a deformable body (body:linear) that are heard by a quick law have this
 * one, so that the two can be compared; other modes have sb_radiation_impedance.
 *
 * Symbols: k wavenumber of the air, 1/m; x is k a. */

#define SB_SURFACE_RATE 1.87 /* q */

/* a, m; area_m2 of one side of a sheet. */
double sb_surface_radius_m(double area_m2, bool has_back);
