/* runtime/model/mesh/reader/glb_chunks.h -- are the chunks of a GLB file inside
 * the file?
 *
 * A GLB file (glTF 2.0, section 4.4) is a head of 12 bytes, then chunks: length
 * and type of four bytes each, then that many bytes. Assimp allocates and
 * clears what the first length says before it looks how long the file is: 33
 * bytes can cost 1.6 GB and many seconds. The total length in the head is not
 * checked: assimp does not use it.
 *
 * Thread: the reader's only one. Memory: none.
 */
#ifndef SB_MODEL_MESH_READER_GLB_CHUNKS_H
#define SB_MODEL_MESH_READER_GLB_CHUNKS_H

#include "runtime/base/status.h"

#include <stddef.h>

/* Files of other versions and without the mark "glTF" pass: assimp refuses
 * them with a message. */
SB_NODISCARD sb_status sb_glb_check_chunks(const char *bytes, size_t size,
                                           sb_error *err);

#endif
