/* SPDX-License-Identifier: MIT */
/* runtime/scene/deform/scene_deform.h -- the deformable bodies of a scene.
 *
 * They are bodies whose definition says is_deformable. Their model is that of
 * the same shape, solved with as many elements: places, masses and the
 * automatic gain follow from it, and so does what --linear plays. Their sound
 * is not its modes: it is computed by runtime/deform, tick by tick as the
 * world moves, and played by their voices as streams.
 *
 * A tick ends at a world step, or where a script stops the world. Its result
 * (sound, motion, what rigid bodies felt) is all that the rest of the scene
 * sees; a journal keeps it (journal.h). So a scene can be played in real time
 * from a journal, and a render that was interrupted goes on: it reads the
 * journal up to its checkpoint, restores the state there, and computes on.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/scene/state/body.h"
#include "runtime/scene/state/scene_deform_def.h"

typedef struct sb_deform_drive_def sb_deform_drive_def;
typedef struct sb_deform_push_def sb_deform_push_def;

/* Makes ready what is deformable; nothing if nothing is. To be called once,
 * before the first step. BAD_ARGUMENT, NO_MEMORY, NOT_FOUND and BAD_FORMAT of
 * the journal. */
SB_NODISCARD sb_status sb_scene_open_deform(sb_scene *scene,
                                            const sb_scene_deform_def *def,
                                            sb_error *err);

/* Keeps what was computed so far for a later RESUME or REPLAY; `is_over`: the
 * scene was played to its end. Then frees all. */
SB_NODISCARD sb_status sb_scene_close_deform(sb_scene *scene, bool is_over,
                                             sb_error *err);

/* How many bodies the scene has that are deformable. */
int sb_scene_deformable_count(const sb_scene *scene);

/* Forget the remark: it has been said. */
void sb_scene_deform_said(sb_scene *scene);
/* Is one of them still moving as a whole, or will an event happen? */
bool sb_scene_deform_is_moving(const sb_scene *scene);

/* --- what a script does to them ------------------------------------------ */

/* A push or a drive at `time_s`; body and times of the definition are filled
 * in. BAD_ARGUMENT, QUEUE_FULL. */
SB_NODISCARD sb_status sb_scene_push_deform(sb_scene *scene, sb_body_id id,
                                            const sb_deform_push_def *def,
                                            double time_s, sb_error *err);
SB_NODISCARD sb_status sb_scene_drive_deform(sb_scene *scene, sb_body_id id,
                                             const sb_deform_drive_def *def,
                                             double time_s, sb_error *err);

/* Is a part of it driven for ever? Then its modes are not those of its model,
 * which is free there. */
bool sb_scene_is_driven(const sb_scene *scene, sb_body_id id);

/* --- what can be seen ---------------------------------------------------- */

/* The surface of the i-th deformable body as it was at the last multiple of
 * 10 ms: vertices x y z in the world. The faces never change. */
typedef struct sb_deform_surface {
    sb_body_id body;
    double time_s;
    int vertex_count, face_count;
    const float *vertices;
    const int (*faces)[3];
} sb_deform_surface;
bool sb_scene_deform_surface(const sb_scene *scene, int i,
                             sb_deform_surface *out);
