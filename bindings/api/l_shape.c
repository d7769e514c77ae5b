/* bindings/api/l_shape.c -- sandbell.Shape: geometry by its sizes.
 *
 *     sb.bar { length = 0.35, width = 0.05, thickness = 0.021 }
 *     sb.modes { { 440, 2.0, 1.0 }, { freq = 1100, t60 = 1.2, gain = 0.4 } }
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/model/shapes/solid.h"

#include <stdio.h>
#include <string.h>

#define AT(field)           offsetof(shape_def, field)
#define LENGTH(field, text) FIELD(#field, AT(shape.field), 1e-5, 100, "m", text)
#define LENGTH_NEEDED(field, text) \
    FIELD_NEEDED(#field, AT(shape.field), 1e-5, 100, "m", text)
#define SUPPORT(list) \
    FIELD_CHOICE("support", AT(support), list, "how it is held; default free")

#define METHOD                                                            \
    FIELD_CHOICE("method", AT(method), method_names,                      \
                 "how its modes are found; default analytic, the others " \
                 "cut it into elements"),                                 \
        FIELD("elements", AT(elements), 1, 500, "",                       \
              "along its longest side; default as many as are good")

enum { MOST_HAND_MODES = 4096 };

typedef struct shape_def {
    sb_shape shape;
    int support; /* a place in the list of names the shape accepts */
    int theory;
    int method; /* a place in `method_names` */
    double elements;
} shape_def;

/* A shape, and after it its modes where they are given by hand. */
typedef struct shape_box {
    sb_shape shape;
    sb_hand_mode modes[];
} shape_box;

static const char *const bar_supports[] = {
    "free",           "clamped", "clamped-clamped",
    "clamped-free",   "pinned",  "pinned-pinned",
    "clamped-pinned", "hinged",  NULL};
static const char *const plate_supports[] = {
    "free", "clamped", "clamped-free", "pinned", "simply-supported", NULL};
static const char *const disk_supports[] = {"free", "clamped", "pinned",
                                            "simply-supported", NULL};
static const char *const method_names[] = {
    "analytic", "shell", "solid", "tet4", "springs", "springs-literal", NULL};
static const char *const theories[] = {"timoshenko", "euler", NULL};

static const bind_field bar_fields[] = {
    LENGTH_NEEDED(length, "along x"),
    LENGTH_NEEDED(width, "along z"),
    LENGTH_NEEDED(thickness, "along y, the way it is struck"),
    SUPPORT(bar_supports),
    FIELD_CHOICE("theory", AT(theory), theories,
                 "timoshenko, the default, minds shear and rotary inertia"),
    METHOD,
    FIELD_END};
static const bind_field plate_fields[] = {LENGTH_NEEDED(width, "along x"),
                                          LENGTH_NEEDED(depth, "along z"),
                                          LENGTH_NEEDED(thickness, "along y"),
                                          SUPPORT(plate_supports),
                                          METHOD,
                                          FIELD_END};
static const bind_field disk_fields[] = {
    LENGTH_NEEDED(radius, "in the plane of x and z"),
    LENGTH_NEEDED(thickness, "along y"), SUPPORT(disk_supports), METHOD,
    FIELD_END};
static const bind_field membrane_fields[] = {
    LENGTH(radius, "round; or width and depth"),
    LENGTH(width, "along x"),
    LENGTH(depth, "along z"),
    FIELD_NEEDED("tension", AT(shape.tension), 1e-3, 1e8, "N/m",
                 "pull on a metre of its edge"),
    FIELD_NEEDED("surface_density", AT(shape.surface_density), 1e-4, 1e4,
                 "kg/m^2", "mass of a square metre"),
    FIELD_END};
static const bind_field string_fields[] = {
    LENGTH_NEEDED(length, "between the bridges"),
    LENGTH_NEEDED(diameter, "of the wire"),
    FIELD_NEEDED("tension", AT(shape.tension), 1e-3, 1e8, "N",
                 "pull on its ends"),
    FIELD_END};
static const bind_field ring_fields[] = {
    LENGTH_NEEDED(radius, "to the middle of the wire"),
    LENGTH(wire_radius, "round wire; or width and thickness"),
    LENGTH(width, "of flat wire, along y"),
    LENGTH(thickness, "of flat wire, along the radius"),
    METHOD,
    FIELD_END};
static const bind_field sphere_fields[] = {
    LENGTH_NEEDED(radius, "of the full ball"), FIELD_END};
static const bind_field box_fields[] = {
    LENGTH_NEEDED(width, "along x"), LENGTH_NEEDED(height, "along y, up"),
    LENGTH_NEEDED(depth, "along z"), FIELD_END};
static const bind_field cylinder_fields[] = {
    LENGTH_NEEDED(radius, "in the plane of x and z"),
    LENGTH_NEEDED(length, "along its axis, y"), FIELD_END};
static const bind_field floor_fields[] = {FIELD_END};
static const bind_field rigid_fields[] = {
    FIELD("radius", AT(shape.radius), 1e-5, 100, "m",
          "it is a ball of the body's material; default an ideal half-space"),
    FIELD_END,
};
static const bind_field mode_fields[] = {
    FIELD("freq", offsetof(sb_hand_mode, freq_hz), 1, 1e5, "Hz",
          "or the first of a list"),
    FIELD("t60", offsetof(sb_hand_mode, t60_s), 1e-4, 1e4, "s",
          "time to fall by 60 dB; or the second of a list"),
    FIELD("gain", offsetof(sb_hand_mode, gain), -1e3, 1e3, "",
          "default 1; or the third of a list"),
    FIELD_END};

const sb_shape *check_shape(lua_State *L, int index, const char *where) {
    shape_box *box = luaL_testudata(L, index, SHAPE_TYPE);
    const char *misfortune = script_misfortune(script_of(L));
    if (!box && lua_isnil(L, index) && *misfortune) {
        bind_error(L, "%s: there is no shape: %s", where, misfortune);
    }
    if (!box) {
        bind_error(L,
                   "%s: shape must be a shape such as sb.bar { ... }, got %s",
                   where, bind_show(L, index));
        return NULL;
    }
    return &box->shape;
}

sb_shape *shape_push(lua_State *L, const sb_shape *shape) {
    size_t bytes = (size_t)shape->mode_count * sizeof(sb_hand_mode);
    shape_box *box = lua_newuserdatauv(L, sizeof *box + bytes, 0);
    box->shape = *shape;
    if (shape->modes) {
        memcpy(box->modes, shape->modes, bytes);
        box->shape.modes = box->modes;
    }
    luaL_setmetatable(L, SHAPE_TYPE);
    return &box->shape;
}

static int push_shape(lua_State *L, const char *where, const sb_shape *shape) {
    sb_error err;
    if (sb_shape_check(shape, &err)) {
        /* The runtime's sentence starts with the kind: "bar: ...". */
        return bind_error(L, "sb.%s", err.message);
    }
    (void)where;
    (void)shape_push(L, shape);
    return 1;
}

static int new_shape(lua_State *L, const char *where, sb_shape_kind kind,
                     const bind_field *fields, const char *const *supports) {
    shape_def def = {.shape.kind = kind};
    luaL_checkstack(L, 8, NULL);
    lua_settop(L, 1);
    bind_read_fields(L, 1, where, fields, &def);
    /* What a kind needs one of, the runtime says. */
    bind_need(L, 1, where, fields);
    if (supports) {
        def.shape.support =
            (sb_support)sb_support_from_name(supports[def.support]);
    }
    def.shape.theory = (sb_bar_theory)def.theory;
    bool is_full = sb_solid_is(&def.shape); /* and has no method to choose */
    def.shape.method =
        is_full ? SB_METHOD_AUTO
                : (sb_method)sb_method_from_name(method_names[def.method]);
    def.shape.elements = (int)def.elements;
    return push_shape(L, where, &def.shape);
}

static int shape_bar(lua_State *L) {
    return new_shape(L, "sb.bar", SB_SHAPE_BAR, bar_fields, bar_supports);
}

static int shape_plate(lua_State *L) {
    return new_shape(L, "sb.plate", SB_SHAPE_PLATE, plate_fields,
                     plate_supports);
}

static int shape_disk(lua_State *L) {
    return new_shape(L, "sb.disk", SB_SHAPE_DISK, disk_fields, disk_supports);
}

static int shape_membrane(lua_State *L) {
    return new_shape(L, "sb.membrane", SB_SHAPE_MEMBRANE, membrane_fields,
                     NULL);
}

static int shape_string(lua_State *L) {
    return new_shape(L, "sb.string", SB_SHAPE_STRING, string_fields, NULL);
}

static int shape_ring(lua_State *L) {
    return new_shape(L, "sb.ring", SB_SHAPE_RING, ring_fields, NULL);
}

static int shape_sphere(lua_State *L) {
    return new_shape(L, "sb.sphere", SB_SHAPE_SPHERE, sphere_fields, NULL);
}

static int shape_box_of(lua_State *L) {
    return new_shape(L, "sb.box", SB_SHAPE_BOX, box_fields, NULL);
}

static int shape_cylinder(lua_State *L) {
    return new_shape(L, "sb.cylinder", SB_SHAPE_CYLINDER, cylinder_fields,
                     NULL);
}

/* sb.floor() and sb.rigid() do without the braces. */
static void allow_no_table(lua_State *L) {
    if (!lua_isnoneornil(L, 1)) return;
    lua_settop(L, 0);
    lua_newtable(L);
}

static int shape_floor(lua_State *L) {
    allow_no_table(L);
    return new_shape(L, "sb.floor", SB_SHAPE_FLOOR, floor_fields, NULL);
}

static int shape_rigid(lua_State *L) {
    allow_no_table(L);
    return new_shape(L, "sb.rigid", SB_SHAPE_RIGID, rigid_fields, NULL);
}

/* { 440, 2.0, 0.5 } or { freq = 440, t60 = 2.0, gain = 0.5 }, on top. */
static sb_hand_mode read_mode(lua_State *L, int n) {
    sb_hand_mode mode = {0.0, 0.0, 1.0};
    char where[48];
    (void)snprintf(where, sizeof where, "sb.modes, mode %d", n);
    bind_check_table(L, -1, where);
    int table = lua_gettop(L);
    int count = bind_list_length(L, table, 3);
    if (count <= 0) {
        bind_read_fields(L, table, where, mode_fields, &mode);
    }
    for (int i = 0; i < count; i++) {
        const bind_field *field = &mode_fields[i];
        lua_rawgeti(L, table, i + 1);
        *(double *)(void *)((char *)&mode + field->offset) = bind_check_number(
            L, -1, where, field->name, field->min, field->max, field->unit);
        lua_pop(L, 1);
    }
    if (mode.freq_hz <= 0.0 || mode.t60_s <= 0.0) {
        bind_error(L, "%s needs a frequency and a T60: { 440, 2.0, gain }",
                   where);
    }
    return mode;
}

static int shape_modes(lua_State *L) {
    bind_check_table(L, 1, "sb.modes");
    lua_settop(L, 1);
    int count = bind_list_length(L, 1, MOST_HAND_MODES);
    if (count < 1) {
        return bind_error(L,
                          "sb.modes needs a list of 1 to %d modes "
                          "{ freq, t60, gain }, without holes or names",
                          (int)MOST_HAND_MODES);
    }
    sb_hand_mode *modes =
        lua_newuserdatauv(L, (size_t)count * sizeof *modes, 0);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, i);
        modes[i - 1] = read_mode(L, i);
        lua_pop(L, 1);
    }
    sb_shape shape = {
        .kind = SB_SHAPE_MODES, .modes = modes, .mode_count = count};
    return push_shape(L, "sb.modes", &shape);
}

static int shape_tostring(lua_State *L) {
    const shape_box *box = bind_check_self(L, 1, SHAPE_TYPE, "shape");
    lua_pushfstring(L, "shape (%s)", sb_shape_kind_name(box->shape.kind));
    return 1;
}

static int shape_gc(lua_State *L) {
    shape_box *box = lua_touserdata(L, 1);
    sb_mesh_source_release(box->shape.mesh);
    box->shape.mesh = NULL;
    return 0;
}

/* --- as it is described ------------------------------------------------------- */

static const bind_function functions[] = {
    {"bar", shape_bar, "def: sandbell.BarDef", "sandbell.Shape",
     "A straight bar, struck across its thickness."},
    {"plate", shape_plate, "def: sandbell.PlateDef", "sandbell.Shape",
     "A flat rectangle."},
    {"disk", shape_disk, "def: sandbell.DiskDef", "sandbell.Shape",
     "A flat round plate."},
    {"membrane", shape_membrane, "def: sandbell.MembraneDef", "sandbell.Shape",
     "A drum skin, round or a rectangle."},
    {"string", shape_string, "def: sandbell.StringDef", "sandbell.Shape",
     "A stretched string."},
    {"ring", shape_ring, "def: sandbell.RingDef", "sandbell.Shape",
     "A ring of wire, hanging free."},
    {"modes", shape_modes, "list: (number[]|sandbell.ModeDef)[]",
     "sandbell.Shape",
     "Modes given by hand: { freq, t60, gain } each, 1 to 4096 of them."},
    {"sphere", shape_sphere, "def: sandbell.SphereDef", "sandbell.Shape",
     "A full ball."},
    {"box", shape_box_of, "def: sandbell.BoxDef", "sandbell.Shape",
     "A full box, such as a die or a domino."},
    {"cylinder", shape_cylinder, "def: sandbell.CylinderDef", "sandbell.Shape",
     "A full cylinder, upright."},
    {"floor", shape_floor, "def?: sandbell.FloorDef", "sandbell.Shape",
     "The half-space below y = 0: it stays where it is and does not ring."},
    {"rigid", shape_rigid, "def?: sandbell.RigidDef", "sandbell.Shape",
     "Something that does not ring itself."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.BarDef", "What sb.bar takes.", bar_fields},
    {"sandbell.PlateDef", "What sb.plate takes.", plate_fields},
    {"sandbell.DiskDef", "What sb.disk takes.", disk_fields},
    {"sandbell.MembraneDef", "What sb.membrane takes.", membrane_fields},
    {"sandbell.StringDef", "What sb.string takes.", string_fields},
    {"sandbell.RingDef", "What sb.ring takes.", ring_fields},
    {"sandbell.SphereDef", "What sb.sphere takes.", sphere_fields},
    {"sandbell.BoxDef", "What sb.box takes.", box_fields},
    {"sandbell.CylinderDef", "What sb.cylinder takes.", cylinder_fields},
    {"sandbell.FloorDef", "What sb.floor takes: nothing.", floor_fields},
    {"sandbell.RigidDef", "What sb.rigid takes.", rigid_fields},
    {"sandbell.ModeDef", "One mode of sb.modes.", mode_fields},
    {NULL, NULL, NULL},
};

static const bind_function methods[] = {{NULL, NULL, NULL, NULL, NULL}};
static const luaL_Reg meta[] = {
    {"__tostring", shape_tostring}, {"__gc", shape_gc}, {NULL, NULL}};
static const bind_type type = {
    .name = SHAPE_TYPE,
    .help = "A geometry, for sb.body.",
    .methods = methods,
    .meta = meta,
};

const api_chapter shape_chapter = {"Shapes", functions, records, &type};
