/* SPDX-License-Identifier: MIT */
/* runtime/model/shapes/solid.h -- spheres, boxes, cylinders and the floor as
 * bodies.
 *
 * A full body that is small or stiff has all its modes above the audible range:
 * a steel ball of 20 mm has its lowest at 62.5 kHz. Such a body is rigid: it
 * has a surface and mass properties but no modes. A larger or softer one is cut
 * into elements (solve.h) like any other shape.
 *
 * Faces are numbered: of a box 0 top, 1 bottom, 2 and 3 right and left (x), 4
 * and 5 front and back (z); of a cylinder 0 top, 1 bottom, 2 the side; others
 * have face 0 only. Each has its own coordinates, 0 .. 1. As texture
 * coordinates those of face i are moved by 2 i along v, so that 0 .. 1 is the
 * top of a box.
 *
 * Thread: any.
 * Source: physics of free bars, plates and spheres; Timoshenko's beam by
 * Dunkerley's sum.
 */
#pragma once

#include "runtime/model/model_draft.h"

/* A solid's lowest mode is above this (Hz), and at most SB_SOLID_LEAST_MOST
 * times this. */
#define SB_SOLID_LEAST_MOST 1.5
double sb_solid_least_hz(const sb_shape *shape, const sb_material *material);

/* Whether a solid certainly has no mode below the limit, so that nothing needs
 * to be solved. */
bool sb_solid_is_silent(const sb_shape *shape, const sb_material *material);

/* --- for the rows of solids and of the floor ------------------------------ */

/* The functions of a rigid body whose row has `faces`. */
extern const sb_model_ops sb_solid_ops;

/* What all rows of full bodies have. */
#define SB_SOLID_COLUMNS                                                     \
    .methods = SB_BIT(SB_METHOD_AUTO) | SB_BIT(SB_METHOD_SOLID) |            \
               SB_BIT(SB_METHOD_TET4),                                       \
    .method_words = "auto, solid or tet4; it is full", .ops = &sb_solid_ops, \
    .is_computed = true, .is_rescalable = true, .layout = SB_UV_FACES

/* Of boxes, full and hollow: their faces, and where they are struck. */
extern const sb_face_form sb_box_form;

/* The face_uv column. */
void sb_solid_face_uv(const sb_shape *shape, const sb_vec3 at[3],
                      float uvs[3][2]);

/* Refuses a solid more than 200 times as long as thin. */
SB_NODISCARD sb_status sb_solid_check_aspect(const sb_shape *shape,
                                             double least, double most,
                                             sb_error *err);

/* Free bending of a beam whose section has this radius of gyration: Euler's
 * frequency in series with that of a beam which only shears. */
double sb_solid_bending_hz(double length, double gyration, double along_m_s,
                           double shear_m_s);

/* u in 0 .. 1; a NaN becomes 0. */
double sb_solid_unit_range(double u);
