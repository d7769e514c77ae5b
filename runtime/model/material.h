/* SPDX-License-Identifier: MIT */
/* runtime/model/material.h -- what a body is made of.
 *
 * The damping is Rayleigh's, C = alpha M + beta K: a mode of angular frequency
 * w decays as e^(-s t) with s = (alpha + beta w^2) / 2, T60 = ln(1000) / s.
 *
 * A material with a grain (wood) has three elastic numbers in its plane:
 * youngs_modulus along the grain, youngs_modulus_across it, and the
 * shear_modulus between both. Its poisson_ratio is nu_LT: the share of a strain
 * along the grain that appears across it; nu_TL = nu_LT E_across / E. Where
 * youngs_modulus_across and shear_modulus are 0, the material is isotropic:
 * E_across = E, G = E / (2 (1 + nu)). The grain runs along the length of a bar
 * and along the first side of a plate; other shapes use the numbers along the
 * grain in all directions.
 *
 * Thread: any. Memory: plain values; the library is constant.
 */
#pragma once

#include "runtime/base/field.h"
#include "runtime/base/status.h"

#include <stdbool.h>

/* Ranges, units and meanings are in material_fields.def. */
typedef struct sb_material {
    double density;        /* kg/m^3 */
    double youngs_modulus; /* Pa */
    double poisson_ratio;
    double alpha;       /* 1/s: damping by mass */
    double beta;        /* s: damping by stiffness */
    double hardness;    /* N/m: stiffness of a contact spring */
    double roughness;   /* m rms */
    double restitution; /* share of the velocity left after an impact */
    double friction;    /* Coulomb's */
    /* Both 0 (isotropic), or both given. */
    double youngs_modulus_across; /* Pa */
    double shear_modulus;         /* Pa */
} sb_material;

/* A row of material_fields.def in a list of sb_field. */
#define SB_MATERIAL_ROW(field, ...) \
    SB_FIELD_ROW(#field, offsetof(sb_material, field), __VA_ARGS__),
extern const sb_field sb_material_fields[]; /* ends with a row without name */

/* The library, sorted by name; materials.def gives the source of every row. */
int sb_material_count(void);
const char *sb_material_name(int i);
const sb_material *sb_material_at(int i);
const sb_material *sb_material_find(const char *name); /* or NULL */
const char *sb_material_source(int i); /* of its numbers; or NULL */
/* What the library has that is like a common material it does not have:
 * "stone, marble or concrete" for granite; or NULL. */
const char *sb_material_alike(const char *name);

/* BAD_ARGUMENT naming the first field outside its range (or not finite), or
 * the condition that elastic numbers of a grain violate: a stretched body must
 * store energy, nu^2 E_across / E < 1. */
SB_NODISCARD sb_status sb_material_check(const sb_material *material,
                                         sb_error *err);

/* s above, in 1/s. */
double sb_material_sigma(const sb_material *material, double omega_rad_s);

/* The loss factor eta = 2 s / w = alpha / w + beta w: the share of its energy
 * that a mode loses per radian. T60 = ln(10^6) / (w eta) = 2.2 / (f eta). */
double sb_material_loss(const sb_material *material, double freq_hz);

/* Whether the material has a grain. */
bool sb_material_is_orthotropic(const sb_material *material);

/* Whether equal shapes of both vibrate alike: density, elastic numbers and
 * damping are equal. Hardness and roughness change contacts, not modes. */
bool sb_material_is_same_vibration(const sb_material *a, const sb_material *b);

/* Whether one is the other with another stiffness: Poisson's ratio and the
 * ratios of the elastic numbers are equal, so all modes move by one factor. */
bool sb_material_has_same_ratios(const sb_material *a, const sb_material *b);

/* A new Young's modulus along the grain; that across it and the shear modulus
 * change by the same factor, so that mode ratios stay. */
void sb_material_set_stiffness(sb_material *material, double youngs_modulus);

/* Take the numbers `given` if they pass sb_material_check. A grain that is not
 * given follows a new stiffness by its ratio, and vanishes with either modulus.
 */
SB_NODISCARD sb_status sb_material_take(sb_material *material,
                                        sb_material given, bool has_across,
                                        bool has_shear, sb_error *err);

/* Elastic constants, with or without grain.
 *
 * A material with a grain is taken as transversely isotropic: axis 1 is the
 * grain, and all directions across it are alike. Without one, all numbers are
 * those of an isotropic material:
 *
 *     E1 = youngs_modulus       E2 = E3 = youngs_modulus_across
 *     nu12 = nu13 = nu23 = poisson_ratio,  nu21 = nu12 E2 / E1
 *     G12 = G13 = shear_modulus, G23 = E2 / 2 (1 + nu) */

typedef struct sb_elastic {
    double e1, e2;   /* Pa */
    double g12, g23; /* Pa */
    double nu12;
} sb_elastic;

sb_elastic sb_elastic_of(const sb_material *material);
