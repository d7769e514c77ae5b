/* runtime/model/elastic.h -- elastic constants, with or without grain.
 *
 * A material with a grain is taken as transversely isotropic: axis 1 is the
 * grain, and all directions across it are alike. Without one, all numbers are
 * those of an isotropic material:
 *
 *     E1 = youngs_modulus       E2 = E3 = youngs_modulus_across
 *     nu12 = nu13 = nu23 = poisson_ratio,  nu21 = nu12 E2 / E1
 *     G12 = G13 = shear_modulus, G23 = E2 / 2 (1 + nu)
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_MODEL_ELASTIC_H
#define SB_MODEL_ELASTIC_H

#include "runtime/model/material.h"

typedef struct sb_elastic {
    double e1, e2;   /* Pa */
    double g12, g23; /* Pa */
    double nu12;
} sb_elastic;

sb_elastic sb_elastic_of(const sb_material *material);

#endif
