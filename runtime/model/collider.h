/* SPDX-License-Identifier: MIT */
/* runtime/model/collider.h -- the geometry of a body for collisions, as data.
 *
 * A shape's row gives its collider (shapes/shapes.h); runtime/world makes the
 * geometry of its collision library from it. Local axes are the shape's
 * (shape.h): y up.
 *
 * Thread: any. Memory: plain values; a mesh is borrowed from the shape.
 */
#pragma once

#include <stdbool.h>

typedef enum sb_collider_kind {
    SB_COLLIDER_AUTO, /* that of the shape */
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

/* The thinnest collider, m. */
#define SB_COLLIDER_THIN_M 1e-5

typedef struct sb_collider {
    sb_collider_kind kind;
    double radius;               /* sphere, cylinder, capsule, ring */
    double wire_radius;          /* ring */
    double width, height, depth; /* box: along x, y, z */
    double length; /* cylinder along y, capsule along x (without its caps) */
    /* The collider has facets but stands for a smooth surface: a ring, a mesh
     * whose faces meet at small angles. Its sound is smoothed. */
    bool is_smooth;
    bool is_guessed; /* is_smooth follows from the mesh, it was not given */
} sb_collider;

static inline sb_collider sb_collider_sphere(double radius) {
    return (sb_collider){.kind = SB_COLLIDER_SPHERE, .radius = radius};
}

static inline sb_collider sb_collider_box(double x, double y, double z) {
    return (sb_collider){
        .kind = SB_COLLIDER_BOX, .width = x, .height = y, .depth = z};
}

static inline sb_collider sb_collider_cylinder(double radius, double length) {
    return (sb_collider){
        .kind = SB_COLLIDER_CYLINDER, .radius = radius, .length = length};
}
