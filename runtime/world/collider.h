/* runtime/world/collider.h -- what of a body others run into.
 *
 * Taken from its shape, or given. Local axes are the shape's (shape.h): y up.
 *
 *   shape                       collider
 *   sphere, rigid with a radius sphere
 *   box, bar, plate, rectangular membrane   box
 *   cylinder, disk, round membrane          cylinder, its axis along y
 *   string                      capsule along x
 *   ring                        a ring of capsules in the x-z plane
 *   mesh                        its convex hull; free concave ones may ask for
 *                               the triangles themselves
 *   floor                       the half-space below y = 0
 *   modes by hand, rigid without a radius   none: nothing runs into it
 *
 * Thread: any. Memory: plain values; a mesh is borrowed from the shape.
 */
#ifndef SB_WORLD_COLLIDER_H
#define SB_WORLD_COLLIDER_H

#include "runtime/base/status.h"
#include "runtime/model/shape.h"

typedef enum sb_collider_kind {
    SB_COLLIDER_AUTO, /* as the shape is */
    SB_COLLIDER_NONE,
    SB_COLLIDER_SPHERE,
    SB_COLLIDER_BOX,
    SB_COLLIDER_CYLINDER,
    SB_COLLIDER_CAPSULE,
    SB_COLLIDER_RING,
    SB_COLLIDER_HULL,
    SB_COLLIDER_MESH,
    SB_COLLIDER_FLOOR,
    SB_COLLIDER_KINDS
} sb_collider_kind;

typedef struct sb_collider {
    sb_collider_kind kind;
    double radius;               /* sphere, cylinder, capsule, ring */
    double wire_radius;          /* ring */
    double width, height, depth; /* box: along x, y, z */
    double length; /* cylinder along y, capsule along x (without its caps) */
    /* Meant to be smooth where the collider has facets: a ring, a mesh whose
     * faces meet at small angles. What is heard of it is smoothed. */
    bool is_smooth;
} sb_collider;

const char *sb_collider_kind_name(sb_collider_kind kind);

/* The collider of a shape. Never AUTO. */
sb_collider sb_collider_of(const sb_shape *shape);

/* BAD_ARGUMENT naming a size that is missing, not finite or absurd (1e-5 .. 1e3
 * m), or a hull or mesh for a shape that has no mesh. */
SB_NODISCARD sb_status sb_collider_check(const sb_collider *collider,
                                         const sb_shape *shape, sb_error *err);

#endif
