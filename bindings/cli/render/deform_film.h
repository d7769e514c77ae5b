/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/deform_film.h -- `render --film`: frames of the deformable
 * bodies of a scene, with the edges of their elements, and of the rigid ones
 * beside them, from the beginning of a span to its end.
 *
 * Surfaces come every 10 ms, or as often as the span needs. While the length of
 * a render is not known, twice as many as needed are kept: when there are too
 * many, every second one is dropped.
 *
 * Thread: control. Memory: the caller's; film_free.
 */
#pragma once

#include "runtime/scene/deform/scene_deform.h"

typedef struct film_surface {
    double time_s;
    sb_vec3 *points; /* of all bodies */
} film_surface;

typedef struct deform_film {
    int wanted; /* frames; 0: no film */
    double from_s, to_s;
    double exaggerate;
    char path[1024];
    double last_s;  /* of the surface that was looked at last */
    double every_s; /* surfaces nearer than this to the last are not kept */
    film_surface *kept;
    int count, capacity, point_count;
    sb_vec3 *first; /* before anything moved */
    struct film_shape *shapes;
    int shape_count, deformable_count; /* these come first */
    bool has_floor;
    sb_vec3 floor_m, floor_normal;
} deform_film;

/* False, and a message: a span that cannot be read. */
bool film_open(deform_film *film, const char *output, int frames,
               const char *span, double exaggerate);
/* How often surfaces are needed, s; 0: the default. */
double film_step_s(const deform_film *film);
SB_NODISCARD sb_status film_add(deform_film *film, const sb_scene *scene,
                                sb_error *err);
/* Draws it and prints its name. Nothing to show is an error. */
SB_NODISCARD sb_status film_write(deform_film *film, const char *title,
                                  sb_error *err);
void film_free(deform_film *film);
