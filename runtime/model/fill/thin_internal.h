/* SPDX-License-Identifier: MIT */
/* runtime/model/fill/thin_internal.h -- a surface while its edges are
 * collapsed.
 *
 * thin.c collapses; thin_start.c makes the lists, quadrics and lines that are
 * kept.
 *
 * Thread: control, workers. Memory: sb_thinning_free.
 */
#pragma once

#include "runtime/base/vec3.h"
#include "runtime/model/fill/thin.h"

#include <stdbool.h>

/* Squared distance to planes: x'Ax + 2 b'x + c, with A symmetric. */
typedef struct sb_quadric {
    double a[6]; /* xx xy xz yy yz zz */
    double b[3];
    double c;
    double weight;
} sb_quadric;

typedef struct sb_thin_edge {
    double cost;
    int ends[2];
    int stamps[2]; /* of the ends when it was made: later ones are stale */
} sb_thin_edge;

typedef struct sb_thin_heap {
    sb_thin_edge *edges;
    int count, room;
} sb_thin_heap;

/* Where a vertex may go. */
typedef enum sb_thin_place {
    SB_THIN_FREE,
    SB_THIN_LINE,  /* along a line between its two fellows */
    SB_THIN_FIXED, /* the end or the crossing of lines */
    SB_THIN_GONE
} sb_thin_place;

typedef struct sb_thin_vertex {
    sb_vec3 at;
    sb_quadric q;
    sb_thin_place place;
    int fellows[2]; /* of LINE: its neighbours along the line */
    int first;      /* corner 3 f + c that it has, or -1: see `next` */
    int stamp;
} sb_thin_vertex;

typedef struct sb_thinning {
    int vertex_count, face_count;
    sb_thin_vertex *vertices;
    int (*faces)[3]; /* -1 in the first corner: gone */
    int *next;       /* of each corner: the next one at the same vertex */
    sb_thin_heap heap;
    double least_quality; /* of new triangles */
} sb_thinning;

/* NO_MEMORY. */
SB_NODISCARD sb_status sb_thinning_start(sb_thinning *self, const sb_mesh *mesh,
                                         sb_error *err);
void sb_thinning_free(sb_thinning *self);

/* v'Qv / w, never below 0. */
double sb_quadric_at(const sb_quadric *q, sb_vec3 v);
void sb_quadric_add(sb_quadric *to, const sb_quadric *from);
/* The place where it is least; `near` decides where it is flat. */
sb_vec3 sb_quadric_least(const sb_quadric *q, sb_vec3 near);

bool sb_thin_push(sb_thinning *self, int a, int b); /* false: no memory */
