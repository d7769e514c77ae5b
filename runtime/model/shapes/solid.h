/* runtime/model/shapes/solid.h -- spheres, boxes, cylinders and the floor as bodies.
 *
 * A full body that is small or stiff has all its modes above what can be heard:
 * a steel ball of 20 mm has its lowest at 62.5 kHz. It is rigid then, and all
 * that is asked of it is where its surface is and how it moves when pushed. A
 * larger or softer one is cut into elements (solve.h) like any other shape.
 *
 * Faces are numbered: of a box 0 top, 1 bottom, 2 and 3 right and left (x), 4
 * and 5 front and back (z); of a cylinder 0 top, 1 bottom, 2 the side; others
 * have face 0 only. Each has coordinates 0 .. 1 of its own. As texture
 * coordinates those of face i are moved by 2 i along v, so that 0 .. 1 is the
 * top of a box.
 *
 * Thread: any.
 * Source: physics of free bars, plates and spheres; Timoshenko's beam by
 * Dunkerley's sum.
 */
#ifndef SB_MODEL_SHAPES_SOLID_H
#define SB_MODEL_SHAPES_SOLID_H

#include "runtime/model/material/material.h"
#include "runtime/model/shape.h"

/* A sphere, box or cylinder? */
bool sb_solid_is(const sb_shape *shape);

/* Hz: its lowest mode is above this, and not above so many times this. */
#define SB_SOLID_LEAST_MOST 1.5
double sb_solid_least_hz(const sb_shape *shape, const sb_material *material);

/* A solid that has no mode below the limit of what it is to have: nothing is
 * to be solved. False where that is not sure. */
bool sb_solid_is_silent(const sb_shape *shape, const sb_material *material);

/* The texture coordinates of a point of its surface where that faces along
 * `normal`. */
void sb_solid_uv(const sb_shape *shape, sb_vec3 at, sb_vec3 normal,
                 double uv[2]);

#endif
