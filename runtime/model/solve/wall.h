/* runtime/model/solve/wall.h -- whether a closed mesh with a `thickness` is a
 * shell or a full body.
 *
 * The thickness t of a mesh is that of a sheet whose middle is the surface. For
 * a closed surface that is a hollow body, as long as its walls leave a hollow.
 * With the thickness d of its inside (inside.h: at half of the area, at least,
 * the opposite side is at most d away) the rule is
 *
 *   t < d / 2          a shell: a balloon, a tin, a hollow box
 *   d / 2 <= t <= d    full: somebody gave the thickness of a bar or a plate
 *   t > d              an error: the wall is thicker than the body
 *
 * with a tolerance of 5 % on d, since files hold rounded numbers. A method that
 * was chosen by name is kept: "solid" and "tet4" fill the surface, "shell" and
 * the springs make it hollow.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOLVE_WALL_H
#define SB_MODEL_SOLVE_WALL_H

#include "runtime/base/status.h"
#include "runtime/model/method.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_shape sb_shape;

/* Removes the thickness of a mesh that is full. `remark` receives one sentence
 * that begins with the path if the body is not what the thickness says, else
 * "". BAD_ARGUMENT: the wall is thicker than the body. NO_MEMORY. Shapes other
 * than meshes are left as they are. */
SB_NODISCARD sb_status sb_wall_settle(sb_shape *shape, char *remark,
                                      size_t size, sb_error *err);

/* Whether `method`, by name, solves the body that the shape is: a full body has
 * no shell, an open surface no inside. If not, `why` receives the reason. */
bool sb_wall_allows(const sb_shape *shape, sb_method method, char *why,
                    size_t size);

#endif
