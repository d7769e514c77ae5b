/* SPDX-License-Identifier: MIT */
/* bindings/api/l_mesh.c -- sb.mesh: a shape from a file.
 *
 *     sb.mesh("models/bowl.obj", { thickness = 0.003 })
 *     sb.mesh("models/fork.obj", { clamp = function(p) return p.y < 0 end })
 *
 * Thread: the one that runs the script. */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/sandbox/guard.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/discrete.h"
#include "runtime/model/solve/mesh_prepare.h"
#include "runtime/model/solve/solve.h"
#include "runtime/store/model_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct mesh_def {
    double scale, thickness, elements, modes, max_hz;
    int method, hold, radiation;
} mesh_def;

#define AT(field) offsetof(mesh_def, field)

static const char *const methods[] = {
    "auto", "shell", "solid", "tet4", "springs", "springs-literal", NULL};
static const char *const holds[] = {"clamped", "pinned", NULL};

static const bind_field mesh_fields[] = {
    FIELD("scale", AT(scale), 1e-9, 1e9, "",
          "all lengths of the file times this; default 1"),
    FIELD_CHOICE(
        "method", AT(method), methods,
        "default auto: shell with a thickness, else solid; see thickness"),
    FIELD("thickness", AT(thickness), 1e-6, 10, "m",
          "of the sheet whose middle the surface is; a closed surface that is "
          "thinner inside than two such walls is full"),
    FIELD_OTHER("clamp", "(fun(p: sandbell.Point): any)|sandbell.Box|string",
                "", "nodes to hold: a test of points, a box, or \"edges\""),
    FIELD_CHOICE("hold", AT(hold), holds,
                 "what clamp does; pinned lets it turn"),
    FIELD("modes", AT(modes), 1, 4096, "", "compute at most this many"),
    FIELD("max_hz", AT(max_hz), 1, 1e6, "Hz",
          "compute modes up to here; default 22000"),
    FIELD("elements", AT(elements), 1, 500, "",
          "least number along the longest side; default chosen by size"),
    FIELD_OTHER(
        "merge", "number|boolean", "",
        "modes nearer than this many just noticeable differences become one; 0 "
        "or false keeps them all, and so their beats; default 1"),
    FIELD_CHOICE("radiation", AT(radiation), sb_radiating_names,
                 "how loud its modes are in the air; exact, the default: by "
                 "boundary elements, in about half a second, once, and they "
                 "lose it; quick: by a law too soft for the low modes of free "
                 "plates"),
    FIELD_END,
};

static const bind_field model_fields[] = {
    FIELD("modes", AT(modes), 1, 4096, "", "take at most this many"),
    FIELD("max_hz", AT(max_hz), 1, 1e6, "Hz",
          "take modes up to here; default 22000"),
    FIELD_OTHER("merge", "number|boolean", "", "as for sb.mesh"),
    FIELD_CHOICE("radiation", AT(radiation), sb_radiating_names,
                 "as for sb.mesh"),
    FIELD_END,
};

static const bind_field box_fields[] = {
    FIELD_VEC3("low", 0, SB_FARTHEST_M, "m", "its lowest corner"),
    FIELD_VEC3("high", sizeof(sb_vec3), SB_FARTHEST_M, "m",
               "its highest corner"),
    FIELD_END,
};

static const bind_field point_fields[] = {
    FIELD_OTHER("x", "number", "m", "to the right"),
    FIELD_OTHER("y", "number", "m", "up"),
    FIELD_OTHER("z", "number", "m", "towards the listener"),
    FIELD_END,
};

/* --- what is held --------------------------------------------------------- */

static void read_box(lua_State *L, const char *where, sb_hold_rule *rule) {
    static const sb_vec3 unset = {NAN, NAN, NAN};
    sb_vec3 corners[2] = {unset, unset};
    bind_read_fields(L, 3, where, box_fields, corners);
    rule->where = SB_HOLD_IN_BOX;
    rule->low = corners[0];
    rule->high = corners[1];
    if (!(rule->low.x <= rule->high.x && rule->low.y <= rule->high.y &&
          rule->low.z <= rule->high.z)) {
        bind_error(L,
                   "%s: clamp needs low = { x, y, z } and high = { x, y, z }, "
                   "low not above high",
                   where);
    }
}

static sb_hold ask(lua_State *L, sb_vec3 at, sb_hold how, const char *where) {
    lua_pushvalue(L, -1);
    lua_createtable(L, 0, 3);
    bind_set_number(L, "x", at.x);
    bind_set_number(L, "y", at.y);
    bind_set_number(L, "z", at.z);
    lua_call(L, 1, 1);
    sb_hold answer = lua_toboolean(L, -1) ? how : SB_HOLD_FREE;
    if (lua_type(L, -1) == LUA_TSTRING) {
        const char *name = lua_tostring(L, -1);
        if (strcmp(name, "pinned") == 0) {
            answer = SB_HOLD_PINNED;
        } else if (strcmp(name, "clamped") == 0) {
            answer = SB_HOLD_CLAMPED;
        } else {
            bind_error(L,
                       "%s: clamp must answer true, false, \"clamped\" or "
                       "\"pinned\", got %s",
                       where, bind_show(L, -1));
        }
    }
    lua_pop(L, 1);
    return answer;
}

static int free_discrete(lua_State *L) {
    sb_discrete_free(lua_touserdata(L, 1));
    return 0;
}

/* Push a discretization owned by Lua, because the following code may raise an
 * error. */
static sb_discrete *push_discrete(lua_State *L) {
    sb_discrete *discrete = lua_newuserdatauv(L, sizeof *discrete, 0);
    memset(discrete, 0, sizeof *discrete);
    if (luaL_newmetatable(L, "sandbell.Discrete")) {
        lua_pushcfunction(L, free_discrete);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return discrete;
}

/* Call the function at `asked` for every node of the discretized mesh. */
static sb_status ask_nodes(lua_State *L, int asked, const char *where,
                           sb_shape *shape, const sb_mesh_source **held,
                           sb_error *err) {
    sb_hold how = shape->hold.how;
    shape->hold = (sb_hold_rule){.where = SB_HOLD_NOWHERE};
    sb_discrete *discrete = push_discrete(L);
    sb_status status = sb_discrete_make(shape, discrete, err);
    if (status) return status;
    int count = discrete->node_count;
    sb_hold *answers = lua_newuserdatauv(L, (size_t)count * sizeof *answers, 0);
    lua_pushvalue(L, asked);
    for (int i = 0; i < count; i++)
        answers[i] = ask(L, discrete->nodes[i], how, where);
    shape->hold = (sb_hold_rule){.where = SB_HOLD_LISTED};
    sb_mesh_source *source;
    status = sb_mesh_source_hold(shape->mesh, answers, count, &source, err);
    if (!status) *held = source;
    return status;
}

/* --- the file ------------------------------------------------------------- */

static sb_status read_source(const char *path, const char *name, double scale,
                             sb_mesh_source **out, sb_error *err) {
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_status status = sb_mesh_read(path, scale, &mesh, &report, err);
    if (status) sb_error_rename(err, path, name);
    if (status) return status;
    return sb_mesh_source_create(name, &mesh, &report, out, err);
}

/* Return nil, message, code. sb.body quotes the message when it gets no shape.
 */
static int return_error(lua_State *L, const char *where, const sb_error *err) {
    script_set_asset_error(script_of(L), err->message);
    return bind_fail(L, where, err);
}

/* Read the field clamp. True if it is a function, which is left at index 3 and
 * called later. */
static bool read_clamp(lua_State *L, const char *where, sb_shape *shape) {
    int type = bind_get(L, 2, "clamp");
    if (type == LUA_TTABLE) {
        read_box(L, where, &shape->hold);
    } else if (type == LUA_TSTRING &&
               strcmp(lua_tostring(L, 3), "edges") == 0) {
        shape->hold.where = SB_HOLD_AT_BORDER;
    } else if (type != LUA_TNIL && type != LUA_TFUNCTION) {
        bind_error(L,
                   "%s: clamp must be a function of a point, a box "
                   "{ low = ..., high = ... } or \"edges\", got %s",
                   where, bind_show(L, 3));
    }
    return type == LUA_TFUNCTION;
}

static void check_time(lua_State *L, const char *where) {
    if (!script_plan(script_of(L))) {
        bind_error(L,
                   "%s: meshes are read while the scene loads; put this at "
                   "the top of the script",
                   where);
    }
    guard_spend(L, 1000); /* cost of file access */
}

static const char mesh_name[] = "sb.mesh";

/* Work on a mesh ends by itself and is not time of the script, but its scene
 * has a budget for it. Raises an error when that is used up. */
static script_work begin_work(lua_State *L, bool waits) {
    script_work work;
    if (!script_begin_work(L, waits, &work)) script_raise_late(L, mesh_name);
    return work;
}

typedef bool (*remark_fn)(const sb_mesh_report *, char *, size_t);

static void say(lua_State *L, const char *name, const sb_mesh_source *source,
                remark_fn remark) {
    char text[200];
    if (!remark(sb_mesh_source_report(source), text, sizeof text)) return;
    lua_pushfstring(L, "%s: %s", name, text);
    script_report(script_of(L), lua_tostring(L, -1));
    lua_pop(L, 1);
}

/* Read the mesh into `self`, which Lua owns and frees if an error is raised
 * later. */
static sb_status read_into(lua_State *L, const char *name, double scale,
                           sb_shape *self, sb_error *err) {
    char path[PATH_MAX];
    sb_mesh_source *source = NULL;
    sb_status status = script_asset(L, name, path, err);
    if (!status) {
        guard_spend(L, 1000000); /* cost of a process and its input */
        script_work work = begin_work(L, true);
        status = read_source(path, name, scale, &source, err);
        script_end_work(L, &work);
    }
    if (status) return status;
    self->mesh = source;
    say(L, name, source, sb_mesh_size_remark);
    say(L, name, source, sb_mesh_cut_remark);
    return SB_OK;
}

/* Decide whether a closed surface with a thickness is full, and say so, or
 * that the mesh will be thinned. */
static sb_status settle_wall(lua_State *L, sb_shape *self, sb_error *err) {
    char remark[512];
    script_work work = begin_work(L, false);
    sb_status status = sb_wall_settle(self, remark, sizeof remark, err);
    script_end_work(L, &work);
    if (!status && remark[0]) script_report(script_of(L), remark);
    if (!status && sb_thinned_remark(self, remark, sizeof remark))
        script_report(script_of(L), remark);
    return status;
}

typedef struct thinning {
    lua_State *L;
    script_work work;
} thinning;

static bool thinning_goes_on(void *user, const char *stage, int done,
                             int expected) {
    const thinning *self = user;
    (void)stage;
    (void)done;
    (void)expected;
    return !guard_must_stop(self->L) &&
           !script_is_work_late(self->L, &self->work);
}

/* Make a large mesh coarser. A function that clamps needs its nodes now, before
 * the material is known. */
static sb_status thin_now(lua_State *L, sb_shape *self, sb_error *err) {
    sb_mesh_source *thinned;
    thinning state = {L, begin_work(L, false)};
    sb_thinned_def thin = {.shape = self,
                           .max_lambda = INFINITY,
                           .max_modes = SB_SOLVE_MODES,
                           .progress = thinning_goes_on,
                           .context = &state};
    sb_status status = sb_thinned_make(&thin, &thinned, err);
    script_end_work(L, &state.work);
    if (status == SB_INTERRUPTED && !guard_must_stop(L))
        script_raise_late(L, mesh_name);
    if (status || !thinned) return status;
    sb_mesh_source_release(self->mesh);
    self->mesh = thinned;
    return SB_OK;
}

/* Clamp the nodes for which the function at `asked` returns true. */
static sb_status hold_asked(lua_State *L, int asked, const char *where,
                            sb_shape *self, sb_error *err) {
    sb_status status = thin_now(L, self, err);
    if (status) return status;
    const sb_mesh_source *before = self->mesh;
    const sb_mesh_source *held = before;
    status = ask_nodes(L, asked, where, self, &held, err);
    if (status) return status;
    self->mesh = held;
    sb_mesh_source_release(before);
    return SB_OK;
}

static int mesh_new(lua_State *L) {
    const char *where = mesh_name;
    mesh_def def = {.scale = 1, .radiation = SB_RADIATES_USUALLY};
    const char *name = bind_check_text(L, 1, where, "the path");
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    bind_read_fields(L, 2, where, mesh_fields, &def);
    lua_settop(L, 2);
    check_time(L, where);
    sb_shape shape = {
        .kind = SB_SHAPE_MESH,
        .method = (sb_method)sb_method_from_name(methods[def.method]),
        .thickness = def.thickness,
        .elements = (int)def.elements,
        .max_modes = (int)def.modes,
        .max_hz = def.max_hz,
        .radiation = (sb_radiating)def.radiation,
        .hold.how = def.hold == 1 ? SB_HOLD_PINNED : SB_HOLD_CLAMPED,
    };
    read_merge(L, 2, where, &shape);
    bool is_function = read_clamp(L, where, &shape);
    sb_shape *self = shape_push(L, &shape);
    sb_error err;
    sb_status status = read_into(L, name, def.scale, self, &err);
    if (!status) status = settle_wall(L, self, &err);
    if (status) return return_error(L, where, &err);
    status = sb_shape_check(self, &err);
    /* The runtime's sentence starts with the kind: "mesh: ...". */
    if (status) return bind_error(L, "sb.%s", err.message);
    status = sb_discrete_check(self, &err);
    if (!status && is_function) status = hold_asked(L, 3, where, self, &err);
    if (status) return return_error(L, where, &err);
    lua_settop(L, 4);
    return 1;
}

/* --- solved before -------------------------------------------------------- */

static int model_new(lua_State *L) {
    static const char where[] = "sb.model";
    mesh_def def = {.scale = 1, .radiation = SB_RADIATES_USUALLY};
    const char *name = bind_check_text(L, 1, where, "the path");
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    bind_read_fields(L, 2, where, model_fields, &def);
    lua_settop(L, 2);
    check_time(L, where);
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .max_modes = (int)def.modes,
                      .max_hz = def.max_hz,
                      .radiation = (sb_radiating)def.radiation};
    read_merge(L, 2, where, &shape);
    sb_shape *self = shape_push(L, &shape);
    char path[PATH_MAX];
    sb_error err;
    sb_mesh_source *source;
    sb_status status = script_asset(L, name, path, &err);
    if (!status && !sb_model_source_is_file(path)) {
        status = sb_fail(&err, SB_BAD_FORMAT,
                         "%.300s: a model is a .modal or .gltf file; sb.mesh "
                         "reads meshes",
                         name);
    } else if (!status) {
        status = sb_model_source_read(path, name, &source, &err);
        if (status) sb_error_rename(&err, path, name);
    }
    if (status) return return_error(L, where, &err);
    self->mesh = source;
    return 1;
}

static const bind_function functions[] = {
    {"mesh", mesh_new, "path: string, def?: sandbell.MeshDef",
     "sandbell.Shape?, string?, string?",
     "A shape from a file: OBJ, PLY, STL, glTF, GLB, TetGen or Gmsh."},
    {"model", model_new, "path: string, def?: sandbell.ModelDef",
     "sandbell.Shape?, string?, string?",
     "A shape whose modes are in a file: .modal, or .gltf with "
     "KHR_audio_rigid_bodies."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.MeshDef", "What sb.mesh takes.", mesh_fields},
    {"sandbell.ModelDef", "What sb.model takes.", model_fields},
    {"sandbell.Box", "A box with its edges along the axes.", box_fields},
    {"sandbell.Point", "A point that is passed to clamp.", point_fields},
    {NULL, NULL, NULL},
};

const api_chapter mesh_chapter = {"Meshes", functions, records, NULL};
