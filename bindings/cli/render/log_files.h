/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/log_files.h -- what happened during a render, as files.
 *
 * Events: every contact, one JSON object per line. scripts/guide/events.md
 * describes the fields of the three forms: strikes, impacts of the world, and
 * lasting contacts (begin, what they do every 10 ms, end).
 *
 * Poses of all moving bodies, one JSON object per control step:
 *
 *     {"t":0.51,"poses":[{"body":"ball","position":[x,y,z],
 *                         "rotation":[x,y,z,angle]}]}
 *
 * A rotation is an axis and radians about it, as body:rotation() returns.
 * Bodies that are fixed are left out.
 *
 * Lines are sorted by time and written as soon as nothing earlier can follow, so
 * that long renders need little memory. A line after the end of the render is
 * left out: a striker that bounces on a silent body, or a control step that was
 * not rendered, since these run ahead of the sound.
 *
 * Surfaces of deformable bodies: FILE.glb (morph targets) or FILE.pc2 (a point
 * cache).
 *
 * Thread: control.
 * Memory: the caller's structs, initialised to zero; abort unless written.
 */
#pragma once

#include "runtime/base/out_file.h"
#include "runtime/scene/contact/scene_event.h"
#include "runtime/scene/deform/scene_deform.h"
#include "runtime/scene/scene.h"
#include "runtime/scene/world/scene_world.h"
#include "runtime/store/export/pose_writer.h"

typedef struct log_line {
    double time_s;
    int order;
    char *text;
} log_line;

typedef struct json_log {
    sb_out_file *file; /* NULL: not requested */
    const char *name;  /* in messages */
    log_line *lines;
    int count, capacity, order;
} json_log;

SB_NODISCARD sb_status json_log_open(json_log *log, const char *path,
                                     const char *name, sb_error *err);
/* Write the lines up to the end of the render. */
SB_NODISCARD sb_status json_log_write(json_log *log, double end_s,
                                      sb_error *err);
void json_log_abort(json_log *log);

typedef struct events_file {
    json_log log;
    sb_event *open; /* impacts whose force is still being measured */
    int open_count, open_capacity;
    uint64_t reader; /* position in the scene's events */
} events_file;

/* Collect the scene's new contacts, up to `time_s`, the end of the control
 * step. */
SB_NODISCARD sb_status events_collect(events_file *events, sb_scene *scene,
                                      double time_s, sb_error *err);
SB_NODISCARD sb_status events_write(events_file *events, double end_s,
                                    sb_error *err);
void events_abort(events_file *events);

/* `rendered_s` is the length of the render so far. */
SB_NODISCARD sb_status poses_add(json_log *poses, const sb_scene *scene,
                                 double rendered_s, sb_error *err);

typedef struct surfaces_file {
    const char *path; /* NULL: none is wanted */
    sb_pose_writer *writer;
    int body_count;
    sb_vec3 *points;   /* of all bodies */
    sb_vec3 **of_body; /* their parts of it */
} surfaces_file;

/* Is this the name of such a file? */
bool surfaces_is_name(const char *path);
SB_NODISCARD sb_status surfaces_add(surfaces_file *file, const sb_scene *scene,
                                    sb_error *err);
/* Writes it. Without a deformable body: NOT_FOUND. */
SB_NODISCARD sb_status surfaces_write(surfaces_file *file, sb_error *err);
void surfaces_abort(surfaces_file *file);
