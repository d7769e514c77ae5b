/* SPDX-License-Identifier: MIT */
/* runtime/deform/run/build.h -- from definitions to groups of elements; private.
 *
 * A raw body is a mesh with what is needed to number its nodes. All raw bodies
 * are made first, so that the memory is known before it is taken.
 *
 * Thread: as deform.h. Memory: sb_raw_body_free.
 */
#pragma once

#include "runtime/deform/deform_state.h"
#include "runtime/model/solve/discrete.h"

typedef struct raw_body {
    const sb_deform_body_def *def;
    const char *name;
    sb_discrete cut; /* of a shape */
    const sb_mesh *sheet;
    const sb_solid_mesh *solid;
    const sb_vec3 *nodes;
    const sb_hold *holds; /* or NULL */
    double thickness_m;
    bool is_open; /* the sheet has a border */
    int node_count, element_count, surface_count;
    int (*skin)[3]; /* faces over the nodes, outward; owned for a solid */
    int skin_count;
    int *number; /* of each node among the body's; surface first */
    int *order;  /* of the elements */
} raw_body;

SB_NODISCARD sb_status raw_body_make(const sb_deform_body_def *def,
                                     raw_body *out, sb_error *err);
void raw_body_free(raw_body *raw);

/* Whether all middles of edges are between their ends. */
bool deform_is_straight(const sb_solid_mesh *solid);

/* About what all bodies take, before anything large is taken. */
double deform_bytes_for(const sb_deform *deform, double elements);

/* Groups, masses and volume of one body. The node arrays are filled. */
SB_NODISCARD sb_status deform_fill_tets(sb_deform *deform, deform_body *body,
                                        const raw_body *raw, sb_error *err);
SB_NODISCARD sb_status deform_fill_shells(sb_deform *deform, deform_body *body,
                                          const raw_body *raw, sb_error *err);
