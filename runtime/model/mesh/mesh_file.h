/* SPDX-License-Identifier: MIT */
/* runtime/model/mesh/mesh_file.h -- meshes from files.
 *
 * OBJ, STL, glTF and GLB through the program sandbell-mesh-reader, which holds
 * assimp and runs as a child with limits on time, memory and what it may open:
 * if it crashes, the scene does not. PLY, TetGen's .node and .ele and Gmsh's
 * .msh (2.2 and 4.1, ASCII) by our own readers, in the same child.
 *
 * Thread: control, workers. Memory: the mesh is the caller's.
 */
#pragma once

#include "runtime/model/mesh/mesh.h"

/* Reads, scales all lengths by `scale`, and cleans. For a .node or .ele path
 * the other file is found beside it. At most 2,000,000 triangles or
 * tetrahedra; takes at most 10 s. NOT_FOUND, BAD_FORMAT, IO_ERROR or
 * NO_MEMORY with one sentence that begins with the path; `report` may be
 * NULL. */
SB_NODISCARD sb_status sb_mesh_read(const char *path, double scale,
                                    sb_mesh *out, sb_mesh_report *report,
                                    sb_error *err);
