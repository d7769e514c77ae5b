/* SPDX-License-Identifier: MIT */
/* bindings/api/l_deform.c -- sb.deformable: bodies that bend, buckle and snap,
 * computed step by step. Runs on the control thread.
 *
 *     local sheet = sb.deformable("sheet", { shape = sb.plate { ... },
 *       material = "steel", hold = "clamped-free" })
 *     sheet:drive { box = { { 0.1, -1, -1 }, { 1, 1, 1 } },
 *       displacement = { 0, 0.02, 0 }, times = { 0, 0.5 }, values = { 0, 1 } }
 *
 * It is a body, with all methods that make sense without modes.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/deform/deform_def.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/scene/deform/scene_deform.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENTS_MOST = 500 };

static const char *const support_names[] = {
    "free", "clamped", "clamped-free", "clamped-pinned", "pinned", NULL};
static const char *const hover_names[] = {"fixed", "free", NULL};

typedef struct deform_args {
    sb_body_def def;
    int motion, hold;
    double elements;
} deform_args;

#define AT(field) offsetof(deform_args, field)
static const bind_field deform_fields[] = {
    {.name = "shape",
     .kind = SB_FIELD_OTHER,
     .is_needed = true,
     .unit = "",
     .type = "sandbell.Shape",
     .help = "a bar, box or filled mesh becomes tetrahedra; a plate, tube or "
             "mesh with a thickness becomes a shell"},
    {.name = "material",
     .kind = SB_FIELD_OTHER,
     .is_needed = true,
     .unit = "",
     .type = "sandbell.Material|string",
     .help = "or its name"},
    FIELD(
        "elements", AT(elements), 1, ELEMENTS_MOST, "",
        "along its longest side; default 30 for a bar and six across it, else 24; the work "
        "grows with the third or fourth power"),
    FIELD_CHOICE("hold", AT(hold), support_names,
                 "which ends or edges are held; default as the shape says"),
    FIELD_CHOICE("motion", AT(motion), hover_names,
                 "fixed: it stays where it is and is struck there; free: it "
                 "falls, and what is not held moves; default fixed"),
    FIELD_VEC3("position", AT(def.position), SB_FARTHEST_M, "m",
               "of its centre, y is up; default { 0, 0, 0 }"),
    FIELD_OTHER("rotation", "number[]", "",
                "{ x, y, z, angle }: an axis and radians about it; default "
                "no rotation"),
    FIELD_VEC3("velocity", AT(def.moves.velocity), 1e3, "m/s",
               "initial, of a free one; default { 0, 0, 0 }"),
    FIELD_VEC3("spin", AT(def.moves.spin), 1e3, "rad/s",
               "initial, of a free one; default { 0, 0, 0 }"),
    FIELD("gain", AT(def.gain), 0, 1000, "", "of its sound, linear; default 1"),
    FIELD_END,
};

/* --- sb.deformable -------------------------------------------------------- */

/* Strips that are thick enough that tetrahedra are not flat, blocks and filled
 * meshes; the rest are shells. */
static bool is_made_of_tetrahedra(const sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (shape->mesh) return !(shape->thickness > 0.0);
    if (!family->sheet) return !family->surface;
    sb_sheet sheet = family->sheet(shape);
    if (sheet.radius_m > 0.0) return false;
    return fmin(sheet.x_m, sheet.z_m) < 12 * sheet.thickness_m &&
           fmax(sheet.x_m, sheet.z_m) < 144 * sheet.thickness_m;
}

static void choose_method(lua_State *L, const char *where, sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    bool has_elements =
        shape->mesh || family->sheet || family->surface || family->solid;
    if (!has_elements || shape->tension > 0.0)
        bind_error(L,
                   "%s: a %s cannot be deformable; use a bar, plate, box, tube "
                   "or mesh",
                   where, sb_shape_kind_name(shape->kind));
    if (shape->method != SB_METHOD_AUTO && shape->method != SB_METHOD_ANALYTIC)
        return;
    shape->method =
        is_made_of_tetrahedra(shape) ? SB_METHOD_SOLID : SB_METHOD_SHELL;
}

static void choose_support(lua_State *L, const char *where, int hold,
                           sb_shape *shape) {
    const sb_shape_family *family = sb_shape_family_of(shape);
    bool is_held = hold != SB_SUPPORT_FREE;
    if (shape->mesh && is_held)
        bind_error(L, "%s: hold of a mesh is said by sb.mesh: clamp, hold",
                   where);
    if (is_held && !(family->supports & 1u << hold))
        bind_error(L, "%s: hold of a %s must be %s, got \"%s\"", where,
                   sb_shape_kind_name(shape->kind),
                   family->support_words ? family->support_words : "free",
                   support_names[hold]);
    shape->support = (sb_support)hold;
}

static sb_body_def read_deformable(lua_State *L, const char *where) {
    deform_args args = {.def = sb_body_def_default(), .hold = -1};
    bind_read_fields(L, 2, where, deform_fields, &args);
    sb_body_def def = args.def;
    lua_settop(L, 2);
    (void)bind_get(L, 2, "shape");
    def.shape = *check_shape(L, 3, where);
    (void)bind_get(L, 2, "material");
    take_material(L, 4, where, &def);
    def.moves.motion = args.motion ? SB_MOTION_FREE : SB_MOTION_FIXED;
    read_motion(L, where, &def.moves);
    choose_method(L, where, &def.shape);
    if (args.hold >= 0) choose_support(L, where, args.hold, &def.shape);
    if (args.elements > 0.0) def.shape.elements = (int)args.elements;
    def.is_deformable = true;
    def.shape.is_for_deform = true;
    return def;
}

static int deformable_new(lua_State *L) {
    static const char where[] = "sb.deformable";
    const char *name = bind_check_name(L, 1, where);
    sb_body_def def = read_deformable(L, where);
    def.name = name;
    return body_add(L, &def, where);
}

/* --- body:linear ---------------------------------------------------------- */

int body_linear(lua_State *L) {
    static const char where[] = "body:linear";
    const script_body *self = bind_check_self(L, 1, BODY_TYPE, where);
    const sb_plan *plan = script_plan(script_of(L));
    if (!plan)
        return bind_error(L,
                          "%s: bodies of modes are solved while the scene "
                          "loads; call it at the top of the script",
                          where);
    if (self->planned < 0 || self->planned >= sb_plan_count(plan))
        return bind_error(L, "%s: this body is not of this script", where);
    const sb_planned *planned = sb_plan_at(plan, self->planned);
    char name[SB_NAME_SIZE];
    const char *given =
        lua_isnoneornil(L, 2) ? NULL : bind_check_name(L, 2, where);
    (void)snprintf(name, sizeof name, given ? "%s" : "%s linear",
                   given ? given : planned->name);
    sb_body_def def = planned->def;
    def.name = name;
    def.is_deformable = false;
    def.shape.max_modes = 0;
    /* Both are in the same place: they must not strike each other. */
    if (def.moves.motion == SB_MOTION_FIXED)
        def.moves.collider = (sb_collider){.kind = SB_COLLIDER_NONE};
    return body_add(L, &def, where);
}

/* --- pushes and drives ---------------------------------------------------- */

typedef struct load_args {
    sb_vec3 force, moment, displacement;
    double freq_hz, duration;
    sb_vec3 low, high;
    sb_deform_signal signal;
    bool is_clamped, is_loose;
    sb_place place;
} load_args;

#define IN_LOAD(field) offsetof(load_args, field)
#define LOAD_FIELDS                                                         \
    FIELD_OTHER("at", "sandbell.At|number[]", "",                           \
                "{ u =, v = } on the surface: one point"),                  \
        FIELD_OTHER("box", "sandbell.Vec3[]", "m",                          \
                    "{ low, high }: all of it between two corners, in its " \
                    "own axes at rest"),                                    \
        FIELD_OTHER("times", "number[]", "s",                               \
                    "from now on, rising; with `values`"),                  \
        FIELD_OTHER("values", "number[]", "",                               \
                    "at these times, straight lines between them"),         \
        FIELD("freq", IN_LOAD(freq_hz), 0, 24000, "Hz",                     \
              "times a sine of this frequency; default 0: none")

static const bind_field push_fields[] = {
    FIELD_VEC3("force", IN_LOAD(force), 1e9, "N",
               "in the world; shared by mass among what is in the box"),
    FIELD_VEC3("moment", IN_LOAD(moment), 1e9, "N m", "on a sheet"),
    FIELD("duration", IN_LOAD(duration), 1e-6, 1e4, "s",
          "constant for so long; or give times and values"),
    LOAD_FIELDS,
    FIELD_END,
};

static const bind_field drive_fields[] = {
    FIELD_VEC3("displacement", IN_LOAD(displacement), 1e3, "m",
               "in the world, times the values: where what is in the box is "
               "led, from where it is now"),
    FIELD("release", IN_LOAD(duration), 1e-6, 1e4, "s",
          "from now on until it is let go; default: never"),
    FIELD_BOOL("clamped", IN_LOAD(is_clamped), "sheets: nor does it turn"),
    FIELD_BOOL("loose", IN_LOAD(is_loose),
               "led along the displacement only; free across it"),
    LOAD_FIELDS,
    FIELD_END,
};

/* Numbers of the list `name` of the table at 2; their count, 0: none. */
static int read_list(lua_State *L, const char *where, const char *name,
                     double limit, double *out) {
    if (bind_get(L, 2, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    int list = lua_gettop(L);
    int count =
        lua_istable(L, list) ? bind_list_length(L, list, SB_DEFORM_POINTS) : -1;
    if (count < 1)
        bind_error(L, "%s: %s must be a list of 1 to %d numbers", where, name,
                   (int)SB_DEFORM_POINTS);
    for (int i = 0; i < count; i++) {
        char what[40];
        (void)snprintf(what, sizeof what, "%s[%d]", name, i + 1);
        lua_rawgeti(L, list, i + 1);
        out[i] = bind_check_number(L, -1, where, what, -limit, limit, "");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

static void read_signal(lua_State *L, const char *where, load_args *args) {
    sb_deform_signal *signal = &args->signal;
    int times = read_list(L, where, "times", 1e6, signal->times_s);
    int values = read_list(L, where, "values", 1e9, signal->values);
    if (times != values)
        bind_error(L,
                   "%s: times and values must have as many numbers, got %d "
                   "and %d",
                   where, times, values);
    for (int i = 1; i < times; i++) {
        if (signal->times_s[i] < signal->times_s[i - 1])
            bind_error(L, "%s: times[%d] must not be before times[%d]", where,
                       i + 1, i);
    }
    signal->count = times;
    signal->freq_hz = args->freq_hz;
}

static sb_vec3 read_corner(lua_State *L, const char *where, int i) {
    lua_rawgeti(L, -1, i);
    sb_vec3 corner =
        check_vec3(L, lua_gettop(L), where, i == 1 ? "box[1]" : "box[2]",
                   SB_FARTHEST_M, "m");
    lua_pop(L, 1);
    return corner;
}

/* Which part of the body: a box, or one point of its surface. */
static void read_part(lua_State *L, sb_body_id self, const char *where,
                      load_args *args) {
    bool has_box = bind_get(L, 2, "box") != LUA_TNIL;
    if (has_box) {
        if (!lua_istable(L, -1) || bind_list_length(L, lua_gettop(L), 2) != 2)
            bind_error(L, "%s: box must be { low, high }, each { x, y, z }",
                       where);
        args->low = read_corner(L, where, 1);
        args->high = read_corner(L, where, 2);
    }
    lua_pop(L, 1);
    bool has_at = bind_has(L, 2, "at");
    if (has_box == has_at)
        bind_error(L, "%s: give at or box, one of them", where);
    if (!has_at) return;
    (void)read_place(L, self, where, &args->place);
    const sb_model *model =
        sb_scene_body_model(script_scene(script_of(L)), self);
    args->low = args->high = sb_model_position(
        model, sb_model_point_at(model, args->place.u, args->place.v));
}

/* With --linear there is nothing that a load could bend. */
static bool is_left_out(lua_State *L, const char *what) {
    sb_script *owner = script_of(L);
    if (!script_is_linear(owner)) return false;
    char line[120];
    (void)snprintf(line, sizeof line,
                   "--linear: %s has no counterpart and is left out", what);
    script_report_once(owner, SCRIPT_ONCE_LINEAR, line);
    return true;
}

int deform_push(lua_State *L, sb_body_id self) {
    static const char where[] = "body:push";
    load_args args = {.duration = 0.0};
    bind_read_fields(L, 2, where, push_fields, &args);
    read_signal(L, where, &args);
    read_part(L, self, where, &args);
    bool has_duration = args.duration > 0.0;
    if (has_duration == (args.signal.count > 0))
        return bind_error(
            L, "%s: give duration, or times and values, one of them", where);
    if (has_duration) {
        args.signal.count = 3;
        args.signal.times_s[1] = args.duration;
        args.signal.times_s[2] = args.duration * (1.0 + 1e-9);
        args.signal.values[0] = args.signal.values[1] = 1.0;
    }
    if (is_left_out(L, where)) return 0;
    sb_deform_push_def def = {.low_m = args.low,
                              .high_m = args.high,
                              .force_n = args.force,
                              .moment_nm = args.moment,
                              .signal = args.signal};
    sb_script *owner = script_of(L);
    sb_error err;
    return bind_done(L, where,
                     sb_scene_push_deform(script_scene(owner), self, &def,
                                          script_now(owner), &err),
                     &err);
}

int body_drive(lua_State *L) {
    static const char where[] = "body:drive";
    sb_body_id self = check_body(L, where);
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    load_args args = {.duration = INFINITY};
    bind_read_fields(L, 2, where, drive_fields, &args);
    read_signal(L, where, &args);
    read_part(L, self, where, &args);
    if (args.signal.count == 0)
        return bind_error(L, "%s: give times and values", where);
    if (is_left_out(L, where)) return 0;
    sb_deform_drive_def def = {.low_m = args.low,
                               .high_m = args.high,
                               .displacement_m = args.displacement,
                               .until_s = args.duration,
                               .is_loose = args.is_loose,
                               .is_clamped = args.is_clamped,
                               .signal = args.signal};
    sb_script *owner = script_of(L);
    sb_error err;
    return bind_done(L, where,
                     sb_scene_drive_deform(script_scene(owner), self, &def,
                                           script_now(owner), &err),
                     &err);
}

/* --- tables of the API ---------------------------------------------------- */

static const bind_function functions[] = {
    {"deformable", deformable_new, "name: string, def: sandbell.DeformableDef",
     "sandbell.Body",
     "Create a body that bends, buckles and snaps. It is computed, not played "
     "live: render takes seconds per second, and run computes first."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.DeformableDef", "What sb.deformable takes.", deform_fields},
    {"sandbell.PushDef", "What body:push takes for a deformable body.",
     push_fields},
    {"sandbell.DriveDef", "What body:drive takes.", drive_fields},
    {NULL, NULL, NULL},
};

const api_chapter deform_chapter = {
    .title = "Deformable bodies", .functions = functions, .records = records};
