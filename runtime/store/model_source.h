/* runtime/store/model_source.h -- a shape whose modes are in a file already.
 *
 * A .modal file, or a glTF with the extension KHR_audio_rigid_bodies
 * (model_gltf.h): its surface and its modes become a mesh that need not be
 * solved. Stiffness, density and damping are the body's own, so it can be
 * retuned; which modes are merged and how loud they are is worked out anew. Of
 * a glTF, the members of a merged mode come as modes of one pitch.
 *
 * Thread: control, workers. Memory: the source is the caller's to release.
 */
#ifndef SB_STORE_MODEL_SOURCE_H
#define SB_STORE_MODEL_SOURCE_H

#include "runtime/model/mesh_source.h"

/* By its ending, can this file hold modes? */
bool sb_model_source_is_file(const char *path);

/* `name` is what messages and the source call it. NOT_FOUND, IO_ERROR or
 * BAD_FORMAT with a sentence that begins with the path. */
SB_NODISCARD sb_status sb_model_source_read(const char *path, const char *name,
                                            sb_mesh_source **out,
                                            sb_error *err);

#endif
