/* SPDX-License-Identifier: MIT */
/* runtime/store/export/pose_stream.h -- poses of deforming surfaces in a
 * temporary file; private to the pose writers.
 *
 * A record is the time (double) and, for all vertices of all bodies, the
 * displacement d = x - x0 from the base position x0, in floats. x0 is the base
 * rounded to float, so that x0 + d in floats is x to the last digit or two.
 * Memory holds one record.
 *
 * Symbols: x -> positions, m; x0 -> base; d -> moves, m.
 * Thread: control, workers; one thread per stream.
 * Memory: sb_pose_stream_close frees everything but a named file.
 */
#pragma once

#include "runtime/store/export/pose_writer.h"
#include "runtime/store/export/text_out.h"

#include <stddef.h>

typedef struct sb_pose_stream {
    char *path;     /* of the file that is written in the end, for messages */
    int descriptor; /* of the temporary file; -1: none */
    int body_count;
    sb_pose_body *bodies; /* their own copy; base is NULL */
    int *first;           /* per body, the number of its first vertex */
    int vertex_count;     /* of all bodies */
    int face_count;
    size_t name_bytes;  /* of all bodies */
    float (*base)[3];   /* per vertex */
    int (*faces)[3];    /* of all bodies, over the vertices of their own */
    char *record;       /* one record */
    size_t record_size; /* bytes */
    int64_t count;      /* of poses */
    double last_s, step_s;
} sb_pose_stream;

/* See sb_pose_writer_def. Zero-initialise first; close after a failure, too. */
SB_NODISCARD sb_status sb_pose_stream_open(sb_pose_stream *stream,
                                           const sb_pose_writer_def *def,
                                           sb_error *err);
void sb_pose_stream_close(sb_pose_stream *stream);

SB_NODISCARD sb_status sb_pose_stream_add(sb_pose_stream *stream, double time_s,
                                          const sb_vec3 *const *positions,
                                          sb_error *err);

/* Load a pose into the record. */
SB_NODISCARD sb_status sb_pose_stream_load(sb_pose_stream *stream,
                                           int64_t index, sb_error *err);
const float (*sb_pose_stream_moves(const sb_pose_stream *stream))[3];

/* --- a stream of poses as glTF binary --- */

/* BAD_ARGUMENT if so many poses do not fit into the 4 GiB of a file. */
SB_NODISCARD sb_status sb_pose_glb_check(const sb_pose_stream *stream,
                                         int64_t pose_count, sb_error *err);

/* Print the whole file; the caller ends the text. */
SB_NODISCARD sb_status sb_pose_glb_write(sb_pose_stream *stream,
                                         sb_text_out *text, sb_error *err);
