/* SPDX-License-Identifier: MIT */
/* runtime/store/model_source.h -- a shape whose modes are read from a file.
 *
 * A .modal file, or a glTF with the extension KHR_audio_rigid_bodies
 * (model_gltf.h): its surface and its modes become a mesh that need not be
 * solved. Stiffness, density and damping are those of the body, so that it can
 * be retuned; merging and radiation are computed again. The members of a merged
 * mode of a glTF become separate modes of the same frequency.
 *
 * Thread: control, workers. Memory: the caller releases the source.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_material sb_material;
typedef struct sb_mesh_source sb_mesh_source;

/* Does the extension of this path belong to a file with modes? */
bool sb_model_source_is_file(const char *path);

/* `name` is used in messages and as the source's name. NOT_FOUND, IO_ERROR or
 * BAD_FORMAT with a message that begins with the path. */
SB_NODISCARD sb_status sb_model_source_read(const char *path, const char *name,
                                            sb_mesh_source **out,
                                            sb_error *err);

/* The material that the file was made for; false if it has none. */
bool sb_model_source_material(const char *path, sb_material *out);
