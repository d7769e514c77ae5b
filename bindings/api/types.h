/* SPDX-License-Identifier: MIT */
/* bindings/api/types.h -- the Lua types, and functions that the files of the
 * API share.
 *
 * Thread: the one that runs the script.
 */
#pragma once

#include "bindings/bind.h"
#include "bindings/script/script.h"
#include "runtime/model/material.h"
#include "runtime/scene/strike/strike_def.h"

#include <lua.h>

typedef struct sb_diffuse_part sb_diffuse_part;
typedef struct sb_motion_part sb_motion_part;
typedef struct sb_nonlinear_part sb_nonlinear_part;
typedef struct sb_shape sb_shape;
typedef struct sb_surface sb_surface;
typedef struct sb_texture sb_texture;

#define MATERIAL_TYPE "sandbell.Material"
#define SHAPE_TYPE    "sandbell.Shape"
#define PARAM_TYPE    "sandbell.Param"
#define PARAMS_TYPE   "sandbell.Params"
#define TIMER_TYPE    "sandbell.Timer"
#define TOUCH_TYPE    "sandbell.Touch"
#define SURFACE_TYPE  "sandbell.Surface"
#define TEXTURE_TYPE  "sandbell.Texture"
#define LASTING_TYPE  "sandbell.LastingContact"

typedef struct material_box {
    char name[SB_NAME_SIZE];
    sb_material material;
} material_box;

/* The material at stack index `index`: a Material, or the name of one in the
 * library. Otherwise raises an error that names `field`. */
material_box check_material(lua_State *L, int index, const char *where,
                            const char *field);
/* The same as the material of a body. */
void take_material(lua_State *L, int index, const char *where,
                   sb_body_def *def);

typedef struct surface_box {
    char name[SB_NAME_SIZE];
    sb_surface *surface; /* a counted reference; NULL if creation failed */
} surface_box;

/* The surface at stack index `index`, or an error. */
sb_surface *check_surface(lua_State *L, int index, const char *where,
                          const char *field);

/* The texture at stack index `index`, or an error. */
sb_texture *check_texture(lua_State *L, int index, const char *where,
                          const char *field);

/* The shape at `index`; its modes are valid as long as the userdata. */
const sb_shape *check_shape(lua_State *L, int index, const char *where);

/* Push a shape userdata, which takes over the reference to its mesh. Modes
 * listed by the script are copied. */
sb_shape *shape_push(lua_State *L, const sb_shape *shape);

/* The body at index 1; raises an error if it has been removed. */
sb_body_id check_body(lua_State *L, const char *method);

/* The body at `index`; raises an error that names the field if it has been
 * removed. */
sb_body_id check_body_at(lua_State *L, int index, const char *where,
                         const char *field);

/* l_strike.c: the method body:strike, its argument and result records, and the
 * record passed to scene.contact. */
int body_strike(lua_State *L);
/* The rows of SB_DESIGNER_ROWS that are no numbers; what is not given stays. */
void read_designer(lua_State *L, int table, const char *where,
                   sb_strike_def *strike);
extern const bind_field strike_fields[], uv_fields[], scatter_fields[],
    graze_fields[], struck_fields[], contact_fields[];

/* l_strike.c: read the fields at, point and direction (or with_at and
 * with_direction) of the table at 2; the numbers of point and direction have
 * been read before. True if any is present. */
bool read_place(lua_State *L, sb_body_id body, const char *where,
                sb_place *place);
bool read_other_place(lua_State *L, sb_body_id body, const char *where,
                      sb_place *place);

/* l_body.c: add the body to the plan or the scene, and push its handle. */
int body_add(lua_State *L, const sb_body_def *def, const char *where);

/* l_deform.c: methods of deformable bodies; deform_push is body:push with a
 * table at 2. */
int body_linear(lua_State *L);
int body_drive(lua_State *L);
int deform_push(lua_State *L, sb_body_id self);

/* l_touch.c: the methods and their argument records. */
int body_touch(lua_State *L);
int body_deform(lua_State *L);
int body_flex(lua_State *L);
int body_contact(lua_State *L);

/* l_shape.c: the field `merge` of the table at `table`: a number, true or false. */
void read_merge(lua_State *L, int table, const char *where, sb_shape *shape);

/* l_body_parts.c: read a part of a body from the table on top. */
void read_diffuse(lua_State *L, sb_diffuse_part *part);
void read_nonlinear(lua_State *L, sb_nonlinear_part *part);
extern const bind_field diffuse_fields[], nonlinear_fields[];

/* l_body_parts.c: read the motion of a body from the table at 2; and its methods.
 */
void read_motion(lua_State *L, const char *where, sb_motion_part *part);
extern const bind_field collider_fields[], impacts_fields[];
int body_place(lua_State *L);
int body_push(lua_State *L);
int body_force(lua_State *L);
int body_position(lua_State *L);
int body_rotation(lua_State *L);
int body_velocity(lua_State *L);
int body_spin(lua_State *L);
int body_is_asleep(lua_State *L);
void push_vec3(lua_State *L, sb_vec3 v);
void push_numbers(lua_State *L, const double *numbers, int count);
/* The { x, y, z } at `arg`, each within `limit`, or an error. */
sb_vec3 check_vec3(lua_State *L, int arg, const char *where, const char *name,
                   double limit, const char *unit);

/* l_world.c: call scene.contact for each world event after *reader. */
void announce_contacts(lua_State *L);

/* Push a handle of the body. */
void body_push_id(lua_State *L, sb_body_id id);
/* True if the value at `index` is a body that has been removed. */
bool body_is_gone(lua_State *L, int index);

/* Push a handle of the body called `name`, which need not exist yet. */
void body_push_named(lua_State *L, const char *name);

extern const script_api sandbell_api; /* open.c: for script_def */

/* Push sb.params. */
void params_push(lua_State *L);
