/* SPDX-License-Identifier: MIT */
/* bindings/api/api.h -- the Lua API, described once.
 *
 * Each file of the API has a chapter: its functions, the tables they take and
 * return, and its type. The module `sandbell` (open.c), the stubs for editors,
 * the reference in bindings/README.md (reference.c) and the completion at the
 * prompt (complete.c) are all made from the chapters, so every function that
 * exists is documented.
 *
 * Thread: any; everything here is constant.
 */
#pragma once

#include "bindings/bind.h"

/* A table with known fields that functions take or return. */
typedef struct bind_record {
    const char *name; /* "sandbell.BarDef"; NULL ends the list */
    const char *help;
    const bind_field *fields;
} bind_record;

typedef struct api_chapter {
    const char *title;
    const bind_function *functions; /* of sb; or NULL */
    const bind_record *records;     /* or NULL */
    const bind_type *type;          /* or NULL */
} api_chapter;

extern const api_chapter material_chapter; /* l_material.c */
extern const api_chapter shape_chapter;    /* l_shape.c */
extern const api_chapter mesh_chapter;     /* l_mesh.c */
extern const api_chapter texture_chapter;  /* l_texture.c */
extern const api_chapter surface_chapter;  /* l_material.c */
extern const api_chapter body_chapter;     /* l_body.c */
extern const api_chapter deform_chapter;   /* l_deform.c */
extern const api_chapter touch_chapter;    /* l_touch.c */
extern const api_chapter lasting_chapter;  /* l_touch.c */
extern const api_chapter world_chapter;    /* l_world.c */
extern const api_chapter listener_chapter; /* l_listener.c */
extern const api_chapter room_chapter;     /* l_room.c */
extern const api_chapter quality_chapter;  /* l_listener.c */
extern const api_chapter param_chapter;    /* l_scene.c */
extern const api_chapter params_chapter;   /* l_scene.c */
extern const api_chapter timer_chapter;    /* l_scene.c */
extern const api_chapter scene_chapter;    /* l_scene.c */
extern const api_chapter lesson_chapter;   /* l_lesson.c */

extern const api_chapter *const api_chapters[]; /* open.c; NULL-ended */

extern const bind_field scene_callbacks[]; /* l_scene.c: of `scene` */
extern const bind_field module_fields[];   /* open.c: of sb, not functions */

/* The function of sb, or the method of some type, called `name`; or NULL. */
const bind_function *api_find_function(const char *name, bool is_method);

/* The first record named in the text `types` ("def: sandbell.BarDef"), or NULL.
 */
const bind_record *api_find_record(const char *types);

/* The type called `name`, or NULL. */
const bind_type *api_find_type(const char *name);

/* The row called `name`, or NULL. */
const bind_field *api_find_field(const bind_field *fields, const char *name,
                                 size_t length);
