/* SPDX-License-Identifier: MIT */
/* runtime/deform/contact/form.h -- distances from rigid forms; private.
 *
 * Planes, spheres, boxes, cylinders, capsules and rings have closed forms.
 * Inside a hull, the nearest of its planes counts; outside, as for a mesh, the
 * nearest triangle, found in a tree of boxes. A mesh has no inside: a point
 * stays on the side where it was first near it.
 *
 * All is in the form's own axes.
 *
 * Thread: any, after it is made. Memory: sb_form_free.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/deform/deform_def.h"

/* A small ball of the form, or with radius 0 a point of it, that is tested
 * against triangles: nodes alone would let it through between them. */
typedef struct form_bead {
    sb_vec3 at;
    double radius_m;
} form_bead;

typedef struct form_tree form_tree;

typedef struct collider_form {
    sb_deform_form form;
    sb_vec3 sizes_m;
    double reach_m;  /* of all its points from its position */
    bool has_nodes;  /* nodes are tested against it */
    int mesh;        /* index among meshes; -1: none */
    int plane_count; /* of a hull: normal . x = offset */
    sb_vec3 *normals;
    double *offsets;
    form_tree *tree; /* of hulls and meshes */
    int bead_count;
    form_bead *beads;
} collider_form;

/* Beads along edges are `spacing_m` apart, or more if they become too many. */
SB_NODISCARD sb_status form_make(const sb_deform_collider *def,
                                 const char *name, double spacing_m,
                                 collider_form *out, sb_error *err);
void form_free(collider_form *form);

/* Distance of a point from the surface, below 0 inside, and the normal there.
 * Beyond `reach` it may be less than the true one. `side` is that of a mesh, 1
 * or -1; 0 takes the side where the point is. */
double form_distance(const collider_form *form, sb_vec3 p, double reach,
                     int side, sb_vec3 *normal);

/* The side of a mesh where a point is; 0: beyond its border, or far away. */
int form_side(const collider_form *form, sb_vec3 p, double reach);

/* beads.c */
SB_NODISCARD sb_status form_beads_make(const sb_deform_collider *def,
                                       double spacing_m, collider_form *form);
