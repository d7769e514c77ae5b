/* SPDX-License-Identifier: MIT */
/* runtime/store/export/pose_writer.h -- the motion of deforming surfaces as a
 * file for other programs.
 *
 * .glb: a glTF binary with a mesh per body, a morph target per pose, and an
 * animation of their weights: pose n has weight 1 at its own time and 0 at all
 * others, so that linear interpolation of weights is that of positions.
 *
 * .pc2: a point cache, as the Mesh Cache of animation programs reads it, with
 * the positions of all vertices of all bodies, pose after pose; and beside it,
 * with the ending .obj, the surface at the base with its vertices in the same
 * order. All integers and floats are little-endian:
 *     "POINTCACHE2\0", version 1 (int), points (int), start 0 (float),
 *     frames per sample 1 (float), samples (int), then 3 floats per point.
 *
 * A surface alone is a Wavefront OBJ file.
 *
 * Poses go to a temporary file beside the target first. With a stream path it
 * has a name and stays, so that a later process can go on where this one ended.
 * The target appears complete at close, or not at all (out_file.h).
 *
 * Thread: control, workers; one thread per writer.
 * Memory: one pose, whatever their number. close and abort free the writer.
 * Source: Khronos Group, glTF 2.0 Specification, sections 3.7.2.2 and 4.4.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdint.h>

typedef struct sb_mesh sb_mesh;

enum { SB_POSE_BODIES_MOST = 4096 };

typedef struct sb_pose_body {
    const char *name; /* or NULL */
    const sb_vec3 *base;
    int vertex_count;
    const int (*faces)[3]; /* counter-clockwise from outside */
    int face_count;
    uint8_t colour[3]; /* sRGB; all 0: grey */
} sb_pose_body;

typedef struct sb_pose_writer_def {
    const char *path; /* ends in .glb or .pc2 */
    const sb_pose_body *bodies;
    int body_count;     /* 1 .. SB_POSE_BODIES_MOST */
    const char *stream; /* path of the temporary file; NULL: nameless */
    int64_t kept;       /* poses that the stream has already; later ones go */
} sb_pose_writer_def;

typedef struct sb_pose_writer sb_pose_writer;

/* Begin a file; everything in the definition is copied. BAD_ARGUMENT for
 * another ending, a number out of range, a face without its vertices or a base
 * that is not finite; BAD_FORMAT for a stream with fewer poses than `kept`;
 * errors of sb_out_file_create. */
SB_NODISCARD sb_status sb_pose_writer_open(sb_pose_writer **out,
                                           const sb_pose_writer_def *def,
                                           sb_error *err);

/* Append a pose: per body its positions, m. Times ascend; in a .pc2 their
 * distance is constant. BAD_ARGUMENT names the body and vertex that is not
 * finite, or a file that would be too long; IO_ERROR when the disk is full. On
 * failure the pose is not in the file, and the others are. */
SB_NODISCARD sb_status sb_pose_writer_add(sb_pose_writer *writer, double time_s,
                                          const sb_vec3 *const *positions,
                                          sb_error *err);

/* Write the file and move it into place. BAD_ARGUMENT without any pose;
 * IO_ERROR, and then there is no new file. */
SB_NODISCARD sb_status sb_pose_writer_close(sb_pose_writer *writer,
                                            sb_error *err);

void sb_pose_writer_abort(sb_pose_writer *writer); /* NULL is allowed */

/* Write vertices in metres, faces in their order, and texture coordinates per
 * corner (NULL: none); equal coordinates of a vertex are written once. The file
 * appears complete or not at all; errors of out_file.h. */
SB_NODISCARD sb_status sb_obj_write(const char *path, const sb_mesh *mesh,
                                    const float (*uvs)[3][2], sb_error *err);
