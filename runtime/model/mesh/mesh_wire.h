/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/mesh_wire.h -- the format that sandbell-mesh-reader writes
 * to its standard output, and its receiver.
 *
 *   a mesh:     head, vertices (3 double each), faces (3 int32), texture
 *               coordinates of the faces if it has them (6 float), tetrahedra
 *               (4 int32), end mark
 *   a sentence: head with the length of it, the sentence, end mark
 *
 * Both ends run on one machine, in its byte order. The receiver trusts none
 * of it.
 *
 * Thread: any but audio; one thread per child. Memory: the soup is the
 * caller's.
 */
#pragma once

#include "runtime/model/mesh/mesh.h"

#include <stdint.h>
#include <sys/types.h>

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

/* The program as a child process that reads one file. It has its own process
 * group, no input, and no descriptors but the pipe. */
typedef struct sb_mesh_child {
    pid_t process;
    int pipe;
    int64_t deadline_ns; /* on the monotonic clock */
    bool is_late;
    bool has_ended; /* it closed its end of the pipe */
} sb_mesh_child;

typedef enum sb_wire_answer {
    SB_WIRE_GOT_MESH,
    SB_WIRE_GOT_SENTENCE, /* in `err`, with its status */
    SB_WIRE_GOT_NONSENSE, /* or too few bytes; the child's end explains it */
    SB_WIRE_NO_MEMORY
} sb_wire_answer;

/* Reads one message as defined above. Every count and every corner of
 * the mesh is checked; coordinates are not. */
sb_wire_answer sb_mesh_wire_read(sb_mesh_child *child, sb_mesh *soup,
                                 sb_error *err);

/* For tests: the time after which the reader is killed; 0 restores the
 * default of 9 s. */
void sb_mesh_read_set_time_limit(int limit_ms);
