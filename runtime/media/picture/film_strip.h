/* SPDX-License-Identifier: MIT */
/* runtime/media/picture/film_strip.h -- frames of moving surfaces side by side.
 *
 * One camera, by parallel projection, sees all bodies of all frames, so that
 * sizes and places can be compared from frame to frame. Bodies are shaded and
 * hide each other; the inner side of a sheet is darker, and faces may have lines
 * around them. A floor shows a grid
 * and the bodies' shadows. The frames are laid out in rows, from left to right,
 * as large as the page allows; each has its time below it.
 *
 * Thread: control. Memory: the caller's; nothing of a definition is kept.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/media/picture/picture.h"

#include <stdbool.h>

enum { SB_FILM_FRAMES_MOST = 64, SB_FILM_BODIES_MOST = 4096 };

typedef struct sb_film_body {
    const char *name; /* for messages */
    int vertex_count;
    const int (*faces)[3]; /* counter-clockwise from outside */
    int face_count;
    sb_colour colour; /* opacity 0: one of eight, by the body's index */
    bool has_edges;   /* its faces have lines around them, where they are large
                         enough on the page */
} sb_film_body;

typedef struct sb_film_frame {
    double time_s;
    const sb_vec3 *const *positions; /* per body, m; NULL: it is not there */
} sb_film_frame;

typedef struct sb_film_floor {
    sb_vec3 point_m, normal; /* any point of it; upwards, of any length */
} sb_film_floor;

typedef struct sb_film_def {
    const char *title, *facts; /* at the top left and right, or NULL */
    const sb_film_body *bodies;
    int body_count; /* 1 .. SB_FILM_BODIES_MOST */
    const sb_film_frame *frames;
    int frame_count;            /* 1 .. SB_FILM_FRAMES_MOST */
    const sb_film_floor *floor; /* or NULL */
    int page_width;             /* pixels, 400 .. 4096; 0: 1600 */
    bool has_view;              /* false: from the side and above */
    double azimuth, elevation;  /* of the viewer, rad: about y from z; up */
} sb_film_def;

/* Where the frames are in the picture, pixels. */
typedef struct sb_film_layout {
    int columns, rows;
    int left, top;     /* of the first frame */
    int width, height; /* of a frame */
    int step_x, step_y;
    double scale;    /* pixels per metre */
    double x_m, y_m; /* at its centre, (width - 1) / 2: along right, down */
    double grid_m;   /* distance of the floor's lines */
} sb_film_layout;

/* Draw the strip; the caller destroys the picture. `layout` may be NULL.
 * BAD_ARGUMENT names the frame, body and vertex that is not finite, or the
 * number out of range; NO_MEMORY. */
SB_NODISCARD sb_status sb_film_strip_draw(sb_picture **out,
                                          const sb_film_def *def,
                                          sb_film_layout *layout,
                                          sb_error *err);

/* Draw it and save it as PNG, complete or not at all; also the errors of
 * sb_picture_save. */
SB_NODISCARD sb_status sb_film_strip_write(const char *path,
                                           const sb_film_def *def,
                                           sb_error *err);
