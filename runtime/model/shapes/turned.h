/* runtime/model/shapes/turned.h -- columns that tubes, cones and turned
 * profiles share.
 *
 * Their `turned` column gives the profile; the rest follows from it. A wall
 * without borders sounds outward only, an open one on both faces. Other bodies
 * run into the middle of the wall, as into a mesh.
 *
 * Thread: any.
 */
#ifndef SB_MODEL_SHAPES_TURNED_H
#define SB_MODEL_SHAPES_TURNED_H

#include "runtime/model/model_draft.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/shapes/family.h"

extern const sb_model_ops sb_turned_ops;

/* The profile of such a shape as a curve; `def` holds its points. */
sb_outline sb_turned_outline(const sb_shape *shape, sb_turned_def *def);

/* A wall that is thicker than its body is wide, points that coincide, a profile
 * that turns back: BAD_ARGUMENT naming the point. */
SB_NODISCARD sb_status sb_turned_check(const sb_shape *shape, sb_error *err);

sb_status sb_turned_surface(const sb_shape *shape, int resolution, sb_mesh *out,
                            sb_error *err);
sb_status sb_turned_collider_mesh(const sb_shape *shape, sb_mesh *out,
                                  sb_error *err);
/* Near the wider of its free rims, where its lowest modes move most; where it
 * is widest if it has none. */
sb_vec3 sb_turned_usual(const sb_shape *shape);
sb_collider sb_turned_collider(const sb_shape *shape);
sb_hold sb_turned_hold(const sb_shape *shape, sb_vec3 at);
bool sb_turned_is_closed(const sb_shape *shape);
sb_shape_mass sb_turned_mass(const sb_shape *shape);
double sb_turned_aspect(const sb_shape *shape);
void sb_turned_set_mass(sb_model *model);
void sb_turned_face_uv(const sb_shape *shape, const sb_vec3 at[3],
                       float uvs[3][2]);

#define SB_TURNED_COLUMNS                                                     \
    .methods = SB_BIT(SB_METHOD_AUTO) | SB_BIT(SB_METHOD_ANALYTIC) |          \
               SB_BIT(SB_METHOD_SHELL),                                       \
    .method_words = "analytic or shell; it is a thin wall",                   \
    .ops = &sb_turned_ops, .is_rescalable = true,                             \
    .set_mass = sb_turned_set_mass, .surface = sb_turned_surface,             \
    .hold = sb_turned_hold, .layout = SB_UV_TURNED,                           \
    .aspect = sb_turned_aspect, .face_uv = sb_turned_face_uv,                 \
    .collider = sb_turned_collider, .collider_mesh = sb_turned_collider_mesh, \
    .mass = sb_turned_mass, .is_closed = sb_turned_is_closed

#endif
