/* runtime/model/mesh/wire.h -- the format that sandbell-mesh-reader writes to
 * its standard output.
 *
 *   a mesh:     head, vertices (3 double each), faces (3 int32), texture
 *               coordinates of the faces if it has them (6 float), tetrahedra
 *               (4 int32), end mark
 *   a sentence: head with the length of it, the sentence, end mark
 *
 * Both ends run on one machine, in its byte order. The receiver trusts none
 * of it.
 */
#ifndef SB_MODEL_MESH_WIRE_H
#define SB_MODEL_MESH_WIRE_H

#include <stdint.h>

#define SB_WIRE_MESH     "sbmesh1\n"
#define SB_WIRE_SENTENCE "sbsaid1\n"
#define SB_WIRE_END      "sbends1\n"

enum {
    SB_WIRE_MARK = 8, /* bytes, without the final zero */
    SB_WIRE_MOST_FACES = 2000000,
    SB_WIRE_MOST_TETS = 2000000,
    /* One per face corner, and as many unused ones. */
    SB_WIRE_MOST_VERTICES = 6 * SB_WIRE_MOST_FACES,
    SB_WIRE_MOST_TEXT = 400
};

typedef struct sb_wire_head {
    char mark[SB_WIRE_MARK];
    int32_t vertex_count;
    int32_t face_count;
    int32_t tet_count;
    int32_t has_uvs;   /* 0 or 1 */
    int32_t status;    /* sb_status, of a sentence; else 0 */
    int32_t text_size; /* bytes of the sentence; else 0 */
} sb_wire_head;

#endif
