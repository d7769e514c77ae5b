/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/reader/input.h -- what the readers of all formats share:
 * files in the folder of a mesh, numbers from lines of text, and a mesh that
 * grows while a file is read.
 *
 * A mesh file may name further files: a glTF its buffers, an OBJ its materials.
 * They are opened only if, after following links, they are inside the folder of
 * the mesh. Whole files are read into memory.
 *
 * Thread: the reader's only one. Memory: bytes are the caller's, sb_free; a
 * text owns the file's bytes; a soup is freed with sb_mesh_free(&soup->mesh).
 */
#pragma once

#include "runtime/model/mesh/mesh.h"

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

typedef struct sb_text {
    char *bytes;
    const char *next; /* start of the next line */
    const char *end;
    const char *at; /* position in this line, which ends with a zero */
    int line;       /* counted from 1 */
    char where[96]; /* " of cube.ele" if it is not the mesh's own file */
} sb_text;

/* Reads a file in the mesh's folder. */
SB_NODISCARD sb_status sb_text_open(sb_text *text, const char *mesh_path,
                                    const char *path, sb_error *err);
void sb_text_close(sb_text *text);

/* Advances to the next line with content other than spaces and # comments;
 * false at the end. */
bool sb_text_line(sb_text *text);

/* Parses a number from the line; false, and nothing consumed, if the next
 * word is not one. */
bool sb_text_int(sb_text *text, long long *value);
bool sb_text_double(sb_text *text, double *value);

/* True when the rest of the line is exactly that word. */
bool sb_text_is(const sb_text *text, const char *word);

/* Error such as: line 12 of cube.ele: a point has three coordinates, not "x
 * 1 2" */
sb_status sb_text_fail(const sb_text *text, sb_error *err, const char *what);

/* Memory grows with the data, never with the counts in a header. Every add
 * fails with a message when there is too much data or no memory. */
typedef struct sb_soup {
    sb_mesh mesh;
    int vertex_room, face_room, uv_room, tet_room;
} sb_soup;

SB_NODISCARD sb_status sb_soup_add_vertex(sb_soup *soup, sb_vec3 point_m,
                                          sb_error *err);
/* `uvs` may be NULL. Faces without them get (0, 0) if any face has them. */
SB_NODISCARD sb_status sb_soup_add_face(sb_soup *soup, const int corners[3],
                                        const float (*uvs)[2], sb_error *err);
SB_NODISCARD sb_status sb_soup_add_tet(sb_soup *soup, const int corners[4],
                                       sb_error *err);

/* One function per file format. */
SB_NODISCARD sb_status sb_read_assimp(const char *path, sb_soup *soup,
                                      sb_error *err);
SB_NODISCARD sb_status sb_read_ply(const char *path, sb_soup *soup,
                                   sb_error *err);
SB_NODISCARD sb_status sb_read_tetgen(const char *path, sb_soup *soup,
                                      sb_error *err);
SB_NODISCARD sb_status sb_read_gmsh(const char *path, sb_soup *soup,
                                    sb_error *err);
