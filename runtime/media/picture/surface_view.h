/* SPDX-License-Identifier: MIT */
/* runtime/media/picture/surface_view.h -- triangle surfaces by parallel
 * projection, with depth and shading.
 *
 * Triangles are filled one by one into a z-buffer, in any order. A pixel keeps
 * what is nearest to the viewer. Both sides of a triangle are lit, from the
 * upper left in front. A value given at the corners is interpolated; each pixel
 * has its distance on the screen from the line where the value d is 0,
 * |d| / |grad d|, with the gradient of its own triangle: an edge at which d
 * jumps is no such line.
 *
 * Thread: control; one thread per view. Memory: sb_view_free frees the pixels.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/media/picture/picture.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_view_pixel {
    float depth; /* towards the viewer, m; -INFINITY: empty */
    float value; /* that of the corners, interpolated */
    float line;  /* pixels to the line of value 0; INFINITY: none near */
    float shade, gloss;
    int16_t surface; /* as given to sb_view_triangle */
    bool is_back;    /* the corners are clockwise for the viewer */
} sb_view_pixel;

typedef struct sb_view {
    int width, height;
    sb_view_pixel *pixels; /* rows from the top */
} sb_view;

typedef struct sb_camera {
    sb_vec3 right, down, toward; /* unit vectors */
    double scale;                /* pixels per metre */
    double x, y;                 /* position of the origin, pixels */
} sb_camera;

typedef struct sb_view_corner {
    double x, y, depth, value;
    sb_vec3 normal;
} sb_view_corner;

/* What a camera sees, in metres along its right and down. */
typedef struct sb_view_extent {
    double left, right, top, bottom;
} sb_view_extent;

/* An empty view. NO_MEMORY. */
SB_NODISCARD sb_status sb_view_make(int width, int height, sb_view *out,
                                    sb_error *err);
void sb_view_free(sb_view *view); /* leaves it empty */
void sb_view_clear(sb_view *view);

/* A camera without scale and place: from `azimuth` about y, 0 along z, and
 * `elevation` above the horizon, rad. */
sb_camera sb_camera_from(double azimuth, double elevation);

sb_view_extent sb_view_extent_none(void);
void sb_view_extent_add(sb_view_extent *extent, const sb_camera *camera,
                        sb_vec3 point);

/* Scale and place the camera so that the extent, and `slack` metres more of
 * width and height, fill `width` x `height` pixels within the margin. */
void sb_camera_fit(sb_camera *camera, const sb_view_extent *extent, int width,
                   int height, double margin, double slack);

/* A point as a corner, without value and normal. */
sb_view_corner sb_camera_project(const sb_camera *camera, sb_vec3 point);

/* Direction to the light, a unit vector. */
sb_vec3 sb_camera_light(const sb_camera *camera);

/* Fill a triangle; triangles of no area on the screen are not drawn. */
void sb_view_triangle(sb_view *view, const sb_camera *camera,
                      const sb_view_corner corners[3], int surface);

/* Normals of the vertices: means of their faces', weighted by area. */
void sb_view_normals(const sb_vec3 *vertices, int vertex_count,
                     const int (*faces)[3], int face_count, sb_vec3 *normals);
sb_vec3 sb_view_face_normal(const sb_vec3 *vertices, const int face[3]);

/* The normal of a corner: its vertex's, or its face's at an edge of the body,
 * where these differ much. */
sb_vec3 sb_view_corner_normal(sb_vec3 of_vertex, sb_vec3 of_face);

/* --- colours, 0 .. 255 per channel ----------------------------------------
 */

typedef struct sb_rgb {
    double red, green, blue;
} sb_rgb;

sb_rgb sb_rgb_mix(sb_rgb a, sb_rgb b, double share); /* 0: a, 1: b */
sb_rgb sb_rgb_lit(sb_rgb base, const sb_view_pixel *pixel);
sb_colour sb_rgb_colour(sb_rgb rgb);
