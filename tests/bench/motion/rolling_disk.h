/* SPDX-License-Identifier: MIT */
/* tests/bench/motion/rolling_disk.h -- a disk that rolls on its rim, by its own
 * differential equations: the reference for the world's disks and coins.
 *
 * Radius r, half thickness c, axis e, angular velocity w. The contact is at
 *
 *   a = -c e + r d,   d = (e (e.y) - y) / |e (e.y) - y|,  y up
 *
 * from the centre. Rolling without slip gives the centre the velocity a x w, so
 * with force F at the contact and torque T, per unit mass:
 *
 *   F = (a x w)' + g y
 *   A w' + (C - A) [(w'.e) e + (w.e) w x e] = a x F + T
 *
 * Rolling friction of lever l opposes tangential and normal spin separately:
 * T = -l N (wt/|wt| + sign(w.y) y), with N = F.y, which is linear in w'. The
 * centre is free to wander. Fourth-order Runge-Kutta in e and w.
 *
 * Symbols: A across_m2 = r^2/4 + c^2/3, C along_m2 = r^2/2 (moments per mass).
 * Thread: any. Memory: plain values.
 * Source: K. Easwar, F. Rouyer, N. Menon, Speeding to a stop, Phys. Rev. E 66,
 *         2002, for the scene; the equations are Newton's and Euler's.
 */
#pragma once

#include "runtime/base/vec3.h"

typedef struct disk_size {
    double radius_m, thickness_m, lever_m;
} disk_size;

typedef struct rolling_disk {
    sb_vec3 axis, spin;
} rolling_disk;

/* Moments per unit mass, m^2. */
double disk_across_m2(const disk_size *size);
double disk_along_m2(const disk_size *size);
/* From the centre to the lowest point of the rim. */
sb_vec3 disk_arm(const disk_size *size, sb_vec3 axis);
/* Precession, rad/s, at which it keeps its tilt with the centre still. */
double disk_precession(const disk_size *size, double tilt_rad);
/* In steady precession at `tilt_rad`. */
rolling_disk disk_steady(const disk_size *size, double tilt_rad);
void disk_advance(const disk_size *size, double step_s, rolling_disk *disk);
double disk_tilt_rad(sb_vec3 axis);
