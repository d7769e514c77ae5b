/* runtime/model/mesh/reader/soup.h -- a mesh that grows while a file is
 * read. Memory grows with the data, never with the counts in a header. Every
 * add fails with a message when there is too much data or no memory. Thread:
 * the reader's only one. Memory: free with sb_mesh_free(&soup->mesh). */
#ifndef SB_MODEL_MESH_READER_SOUP_H
#define SB_MODEL_MESH_READER_SOUP_H

#include "runtime/model/mesh/mesh.h"

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

#endif
