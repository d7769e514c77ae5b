/* runtime/model/material/material.h -- what a body is made of.
 *
 * The damping is Rayleigh's, C = alpha M + beta K: a mode of angular frequency
 * w decays as e^(-s t) with s = (alpha + beta w^2) / 2, T60 = ln(1000) / s.
 *
 * Thread: any. Memory: plain values; the library is constant.
 */
#ifndef SB_MODEL_MATERIAL_MATERIAL_H
#define SB_MODEL_MATERIAL_MATERIAL_H

#include "runtime/base/status.h"

enum { SB_NAME_SIZE = 64 };

typedef struct sb_material {
    double density;        /* kg/m^3, 1 .. 1e5 */
    double youngs_modulus; /* Pa, 1e3 .. 2e12 */
    double poisson_ratio;  /* -0.99 .. 0.499 */
    double alpha;          /* 1/s, 0 .. 1e5: damping by mass */
    double beta;           /* s, 0 .. 1: damping by stiffness */
    double hardness;       /* N/m, 1 .. 1e13: stiffness of a contact spring */
    double roughness;      /* m rms, 0 .. 0.1 */
    double restitution; /* 0 .. 1: share of the velocity left after an impact */
    double friction;    /* Coulomb's, 0 .. 10 */
} sb_material;

/* The library, sorted by name; materials.def gives the source of every row. */
int sb_material_count(void);
const char *sb_material_name(int i);
const sb_material *sb_material_at(int i);
const sb_material *sb_material_find(const char *name); /* or NULL */

/* BAD_ARGUMENT naming the first field outside its range (or not finite). */
SB_NODISCARD sb_status sb_material_check(const sb_material *material,
                                         sb_error *err);

/* s above, in 1/s. */
double sb_material_sigma(const sb_material *material, double omega_rad_s);

#endif
