/* runtime/model/mesh/reader/folder.h -- reads files in the folder of a mesh,
 * and no others.
 *
 * A mesh file may name further files: a glTF its buffers, an OBJ its
 * materials. They are opened only if, after following links, they
 * are inside the folder of the mesh. Whole files are read into memory.
 *
 * Thread: the reader's only one. Memory: bytes are the caller's, sb_free.
 */
#ifndef SB_MODEL_MESH_READER_FOLDER_H
#define SB_MODEL_MESH_READER_FOLDER_H

#include "runtime/base/status.h"

#include <stddef.h>

typedef enum sb_folder_answer {
    SB_FOLDER_OK,
    SB_FOLDER_MISSING,  /* or unreadable */
    SB_FOLDER_OUTSIDE,  /* outside the folder, or not a regular file */
    SB_FOLDER_NO_MEMORY /* or larger than any mesh we read */
} sb_folder_answer;

/* `path` is the mesh's own or derived from it. The bytes are followed by one
 * zero, which `size` does not include. */
sb_folder_answer sb_folder_read(const char *mesh_path, const char *path,
                                char **bytes, size_t *size);

#endif
