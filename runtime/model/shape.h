/* SPDX-License-Identifier: MIT */
/* runtime/model/shape.h -- geometry, without a material.
 *
 * Local axes: x along the length (bar, string) or width (plate), y up out of
 * the surface, z along the width of a bar or the depth of a plate. The origin
 * is the centre. A point on the surface is (u, v), each 0 .. 1:
 *
 *   bar       u along x, v along z, on the top face
 *   plate, rectangular membrane     u along x, v along z
 *   disk, circular membrane         x = (2u - 1) R, z = (2v - 1) R; the centre
 *                                   is (0.5, 0.5); a point outside the rim
 *                                   stands for the nearest one on it
 *   string    u along x
 *   mesh      its texture coordinates
 *   ring      u = angle / 2 pi in the x-z plane, v = angle / 2 pi around the
 *             wire: 0 outward, 0.25 up, 0.5 inward, 0.75 down
 *   box, hollow                     u along x, v along z, on the top face
 *   cylinder  as a disk, on the top; its axis is y
 *   sphere    u = longitude / 2 pi in the x-z plane from x on, v the latitude:
 *             0 the lowest point, 0.5 the equator, 1 the highest
 *   tube, cone, revolve             u = angle / 2 pi in the x-z plane from x on,
 *             v along the profile from its first to its last point, on the
 *             outer face; a tube and a cone run from the lower to the upper end
 *   floor     u = x, v = z, in metres: it is the half-space below y = 0
 *
 * Spheres, boxes and cylinders are full bodies. One whose lowest mode is above
 * the audible range does not ring (solid.h): it is rigid, with mass properties
 * and a surface.
 *
 * Thread: any. Memory: `modes`, `mesh` and `profile` belong to the caller.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/method.h"
#include "runtime/model/profile.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_mesh_source sb_mesh_source;

/* SB_SHAPE_RIGID is 0, then SB_SHAPE_BAR and the other rows of shapes.def. */
typedef enum sb_shape_kind {
#define SHAPE(kind, name, def, argument, fields, help) SB_SHAPE_##kind,
#include "runtime/model/shapes.def"
    SB_SHAPE_KIND_COUNT
} sb_shape_kind;

typedef enum sb_support {
    SB_SUPPORT_FREE,
    SB_SUPPORT_CLAMPED,        /* all edges; both ends of a bar */
    SB_SUPPORT_CLAMPED_FREE,   /* bar; plate: the edge u = 0 */
    SB_SUPPORT_CLAMPED_PINNED, /* bar */
    SB_SUPPORT_PINNED,         /* simply supported; both ends of a bar */
    SB_SUPPORT_COUNT
} sb_support;

/* 0 is Timoshenko's for a bar; for a plate or disk it is Kirchhoff's where that
 * is right, else Mindlin's, else the plate is solved as a solid. */
typedef enum sb_theory {
    SB_BAR_TIMOSHENKO,
    SB_BAR_EULER,
    SB_PLATE_KIRCHHOFF,
    SB_PLATE_MINDLIN,
    SB_PLATE_AUTO = 0
} sb_theory;

typedef struct sb_hand_mode {
    double freq_hz; /* 1 .. 1e5 */
    double t60_s;   /* 1e-4 .. 1e4 */
    double gain;    /* -1e3 .. 1e3 */
} sb_hand_mode;

/* Which nodes of a mesh are held. */
typedef enum sb_hold_where {
    SB_HOLD_NOWHERE,
    SB_HOLD_IN_BOX,
    SB_HOLD_AT_BORDER, /* the open edges of a surface */
    SB_HOLD_LISTED     /* sb_mesh_source_hold */
} sb_hold_where;

typedef struct sb_hold_rule {
    sb_hold_where where;
    sb_hold how;       /* in a box and at the border */
    sb_vec3 low, high; /* of the box, m, edges included */
} sb_hold_rule;

/* Fields a kind does not use are 0. Lengths are 1e-5 .. 100 m. */
typedef struct sb_shape {
    sb_shape_kind kind;
    sb_support support;
    sb_theory theory;
    int mode_count; /* modes given by hand */
    /* double length, width, ...: see shapes.def. */
#define SIZE(field)   double field;
#define NUMBER(field) double field;
#include "runtime/model/shapes.def"
    const sb_hand_mode *modes;
    const sb_profile *profile; /* revolve */

    /* How its modes are found. AUTO means the closed form if there is one; for
     * a mesh it means shell if it has a thickness, else solid. */
    sb_method method;
    int elements;       /* along its longest side; 0: chosen by the method */
    bool is_for_deform; /* the mesh of a deformable body (discrete.h) */
    const sb_mesh_source *mesh;
    sb_hold_rule hold; /* of a mesh */
    bool keeps_beats;  /* close modes are not merged */
    double merge;      /* 0 .. 100 just noticeable differences; 0: default */
    sb_radiating radiation;
    double max_hz; /* 1 .. 1e6; 0: 22000 */
    int max_modes; /* 1 .. 4096; 0: chosen by the method */
} sb_shape;

/* How many SIZE rows shapes.def has. */
enum {
#define SIZE(field) SB_SHAPE_SIZE_OF_##field,
#include "runtime/model/shapes.def"
    SB_SHAPE_SIZE_COUNT
};

/* Count its mesh and its profile as used once more or once less: for a copy of
 * the struct that keeps them. */
void sb_shape_retain(const sb_shape *shape);
void sb_shape_release(const sb_shape *shape);

/* Its sizes in the order of shapes.def, m. */
void sb_shape_sizes(const sb_shape *shape, double sizes[SB_SHAPE_SIZE_COUNT]);

/* Its longest side or diameter, m; 0 for meshes and modes given by hand. */
double sb_shape_largest_m(const sb_shape *shape);

/* "it is 0.0008 m long; lengths are in metres (millimetres?)" for what is
 * shorter than 1 mm or longer than 5 m. False, and no text: its size is usual,
 * or it is a mesh, which sb_mesh_size_remark measures. */
bool sb_shape_size_remark(const sb_shape *shape, char *text, size_t size);

/* Whether all that describes the geometry is equal: kind, support, numbers and
 * modes given by hand; not the mesh, nor how modes are computed. */
bool sb_shape_is_same_form(const sb_shape *a, const sb_shape *b);

const char *sb_shape_kind_name(sb_shape_kind kind); /* "bar" */

/* The highest frequency its modes may have: max_hz, or the default. */
#define SB_SHAPE_MAX_HZ 22000.0
double sb_shape_max_hz(const sb_shape *shape);

/* The scale of merging: `merge`, or the default: 0 with keeps_beats and for
 * closed forms, else 1. */
double sb_shape_merge(const sb_shape *shape, bool is_computed);

/* "free", "clamped", "clamped-free", "clamped-pinned", "pinned". */
const char *sb_support_name(sb_support support);
