/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/body.h -- the bodies of a scene, by id and by name.
 *
 * Thread: control.
 * Memory: the scene owns its bodies and retains their models.
 */
#pragma once

#include "runtime/base/name.h"
#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_model sb_model;
typedef struct sb_planned sb_planned;
typedef struct sb_scene sb_scene;

/* A stale id is detected, not followed; the all-zero id is "no body". */
typedef struct sb_body_id {
    uint32_t index;
    uint32_t generation;
} sb_body_id;

bool sb_scene_has(const sb_scene *scene, sb_body_id id);
sb_body_id sb_scene_find(const sb_scene *scene, const char *name);

/* Bodies in the order of their creation. */
int sb_scene_body_count(const sb_scene *scene);
/* Events so far: a reader of contact/scene_event.h that starts now. */
uint64_t sb_scene_event_count(const sb_scene *scene);
sb_body_id sb_scene_body_at(const sb_scene *scene, int i);

/* The body must exist: these assert and do not check. */
const char *sb_scene_body_name(const sb_scene *scene, sb_body_id id);
const sb_model *sb_scene_body_model(const sb_scene *scene, sb_body_id id);
/* As the script declared it; valid until the body is removed or changed. */
const sb_planned *sb_scene_body_planned(const sb_scene *scene, sb_body_id id);
double sb_scene_body_gain(const sb_scene *scene, sb_body_id id);

/* A place on a body's surface, and the direction of a force there. */
typedef struct sb_place {
    double u, v;   /* used unless has_point or is_usual */
    bool is_usual; /* where such a thing is usually struck (shapes.h) */
    sb_vec3 point; /* world, m */
    bool has_point;
    sb_vec3 direction;  /* need not be unit length */
    bool has_direction; /* else straight into the surface */
    bool is_local; /* point and direction are in the body's own axes and move
                      with it */
} sb_place;

/* Where a contact was, for reports. */
typedef struct sb_spot {
    sb_vec3 point, normal; /* world; into the body */
    double u, v;           /* when has_uv */
    bool has_uv;
} sb_spot;

/* Weights of all modes for a force at a place on the body, which must exist;
 * room for SB_BEHIND_MOST more. */
void sb_scene_weights(const sb_scene *scene, sb_body_id id,
                      const sb_place *place, double *weights);

/* The spot of a place on the body, which must exist. */
sb_spot sb_scene_spot(const sb_scene *scene, sb_body_id id,
                      const sb_place *place);
