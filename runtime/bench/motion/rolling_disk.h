/* runtime/bench/motion/rolling_disk.h -- a disk that rolls on its rim, by its own
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
#ifndef SB_BENCH_MOTION_ROLLING_DISK_H
#define SB_BENCH_MOTION_ROLLING_DISK_H

#include "runtime/base/vec3.h"

typedef struct sb_disk_size {
    double radius_m, thickness_m, lever_m;
} sb_disk_size;

typedef struct sb_rolling_disk {
    sb_vec3 axis, spin;
} sb_rolling_disk;

/* Moments per unit mass, m^2. */
double sb_disk_across_m2(const sb_disk_size *size);
double sb_disk_along_m2(const sb_disk_size *size);
/* From the centre to the lowest point of the rim. */
sb_vec3 sb_disk_arm(const sb_disk_size *size, sb_vec3 axis);
/* Precession, rad/s, at which it keeps its tilt with the centre still. */
double sb_disk_precession(const sb_disk_size *size, double tilt_rad);
/* In steady precession at `tilt_rad`. */
sb_rolling_disk sb_disk_steady(const sb_disk_size *size, double tilt_rad);
void sb_disk_advance(const sb_disk_size *size, double step_s,
                     sb_rolling_disk *disk);
double sb_disk_tilt_rad(sb_vec3 axis);

#endif
