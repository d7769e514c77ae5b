/* SPDX-License-Identifier: MIT */
/* runtime/media/picture/film_internal.h -- private to film_strip.c and
 * film_paint.c.
 */
#pragma once

#include "runtime/media/picture/film_strip.h"
#include "runtime/media/picture/surface_view.h"

/* A pixel of the picture is the mean of FILM_FINE x FILM_FINE of the view. */
enum { FILM_FINE = 3 };

typedef struct film {
    const sb_film_def *def;
    sb_film_layout layout;
    sb_camera camera; /* fitted to a view of fine pixels */
    sb_picture *picture;
    sb_view view;
    uint8_t *shadow, *row; /* darkness per fine pixel; a copy of a line of it */
    sb_vec3 *normals;      /* of the largest body */
    sb_vec3 *dropped;      /* its shadow's vertices */
} film;

/* Draw a frame with its top left corner at (left, top) of the picture. */
void film_paint_frame(film *film, const sb_film_frame *frame, int left,
                      int top);
