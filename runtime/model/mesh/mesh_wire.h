/* runtime/model/mesh/mesh_wire.h -- receives and checks the mesh reader's
 * output.
 *
 * Thread: any but audio. Memory: the soup is the caller's.
 */
#ifndef SB_MODEL_MESH_MESH_WIRE_H
#define SB_MODEL_MESH_MESH_WIRE_H

#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh/mesh_child.h"

typedef enum sb_wire_answer {
    SB_WIRE_GOT_MESH,
    SB_WIRE_GOT_SENTENCE, /* in `err`, with its status */
    SB_WIRE_GOT_NONSENSE, /* or too few bytes; the child's end explains it */
    SB_WIRE_NO_MEMORY
} sb_wire_answer;

/* Reads one message as defined in wire.h. Every count and every corner of
 * the mesh is checked; coordinates are not. */
sb_wire_answer sb_mesh_wire_read(sb_mesh_child *child, sb_mesh *soup,
                                 sb_error *err);

#endif
