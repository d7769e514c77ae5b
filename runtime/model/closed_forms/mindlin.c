/* SPDX-License-Identifier: MIT */
#include "runtime/model/closed_forms/mindlin.h"

#include "runtime/model/material.h"

#include <math.h>

sb_plate_stiffness sb_plate_stiffness_of(const sb_material *material,
                                         double thickness_m) {
    sb_elastic of = sb_elastic_of(material);
    double h = thickness_m, h3 = h * h * h / 12;
    double nu = of.nu12; /* as far as shear is that of an isotropic material */
    double nu_1 = nu * 2 * (1 + nu) * of.g12 / of.e1;
    double q = 1 / (1 - nu * nu * of.e2 / of.e1);
    return (sb_plate_stiffness){
        .d11 = of.e1 * q * h3,
        .d12 = nu * of.e2 * q * h3,
        .d22 = of.e2 * q * h3,
        .d66 = of.g12 * h3,
        .s1 = 5 / (6 - nu_1) * of.g12 * h,
        .s2 = 5 / (6 - nu) * of.g23 * h,
        .mass = material->density * h,
        .rotary = material->density * h3,
    };
}

double sb_kirchhoff_omega(const sb_plate_stiffness *plate, double kx,
                          double kz) {
    double x = kx * kx, z = kz * kz;
    double energy = plate->d11 * x * x +
                    2 * (plate->d12 + 2 * plate->d66) * x * z +
                    plate->d22 * z * z;
    return sqrt(energy / plate->mass);
}

/* The lowest eigenvalue l of the symmetric matrix [a ab ac; ab b bc; ac bc c],
 * in w and the two turns. */
double sb_mindlin_omega(const sb_plate_stiffness *plate, double kx, double kz,
                        double *share) {
    if (share) *share = 1;
    if (kx == 0 && kz == 0) return 0;
    const sb_plate_stiffness *p = plate;
    double root = sqrt(p->rotary / p->mass); /* psi root has the unit of w */
    double a = p->s1 * kx * kx + p->s2 * kz * kz;
    double b = (p->d11 * kx * kx + p->d66 * kz * kz + p->s1) / (root * root);
    double c = (p->d66 * kx * kx + p->d22 * kz * kz + p->s2) / (root * root);
    double ab = p->s1 * kx / root, ac = p->s2 * kz / root;
    double bc = (p->d12 + p->d66) * kx * kz / (root * root);
    /* det(K - l) = -l^3 + i1 l^2 - i2 l + i3, from below by Newton: convex. */
    double i1 = a + b + c;
    double i2 = a * b + a * c + b * c - ab * ab - ac * ac - bc * bc;
    double i3 = a * (b * c - bc * bc) - ab * (ab * c - ac * bc) +
                ac * (ab * bc - ac * b);
    double l = 0;
    for (int step = 0; step < 100; step++) {
        double value = ((i1 - l) * l - i2) * l + i3;
        double slope = (2 * i1 - 3 * l) * l - i2;
        double next = l - value / slope;
        if (!(next > l) || value <= 0) break;
        l = next;
    }
    if (share) { /* with w = 1, the last two rows give the turns */
        double det = (b - l) * (c - l) - bc * bc;
        double x = (ac * bc - ab * (c - l)) / det;
        double z = (ab * bc - ac * (b - l)) / det;
        *share = 1 / (1 + x * x + z * z);
    }
    return sqrt(l / p->mass);
}

/* Larger root k^2 of
 * D S k^4 - (m D + J S) omega^2 k^2 + m omega^2 (J omega^2 - S) = 0. */
static double along(const sb_plate_stiffness *p, double d, double s,
                    double omega) {
    double o2 = omega * omega;
    double b = (p->mass * d + p->rotary * s) * o2;
    double c = p->mass * o2 * (p->rotary * o2 - s);
    return sqrt((b + sqrt(b * b - 4 * d * s * c)) / (2 * d * s));
}

void sb_mindlin_wave_numbers(const sb_plate_stiffness *plate, double omega,
                             double *kx, double *kz) {
    *kx = along(plate, plate->d11, plate->s1, omega);
    *kz = along(plate, plate->d22, plate->s2, omega);
}

double sb_mindlin_cut_off(const sb_plate_stiffness *plate) {
    return sqrt(fmin(plate->s1, plate->s2) / plate->rotary);
}
