/* SPDX-License-Identifier: MIT */
/* bindings/api/l_touch.c -- what lies, rolls or rubs on a body while it rings:
 * body:touch, body:deform and body:flex change its damping and pitch;
 * body:contact begins, changes and ends a lasting contact.
 *
 *     local hand = cymbal:touch { kind = "hand", at = { u = 0.9, v = 0 } }
 *     hand:lift()
 *     sheet:deform { strain = 0.3, ramp = 1 }
 *     sheet:flex { depth = 0.2, rate = 4 }
 *     local marble = board:contact { kind = "roll", radius = 0.008,
 *         force = 0.05, speed = 0.4, at = { u = 0, v = 0.5 } }
 *     marble:set { at = { u = 1, v = 0.5 }, speed = 0.2, ramp = 2 }
 *     marble:stop()
 *
 * The Lua values are ids. All of it ends when the script is loaded again, as
 * timers do. Runs on the control thread.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/base/voice_types.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/state/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LN_1000     6.907755278982137
#define MOST_RAMP_S 1e4
#define RAMP_S      0.02

/* --- touches ------------------------------------------------------------- */

/* Damping constants of whole patches. A fingertip has about 2 N s/m at audible
 * frequencies; a palm has ten times as much on forty times the area; the felt
 * of a damper lies between; on a table the whole foot is damped. */
static const char *const kinds[] = {"finger", "hand", "felt", "table", NULL};
static const struct {
    double damping_ns_m, radius_m;
} kind_values[] = {{2, 0.006}, {20, 0.04}, {8, 0.015}, {60, 0.03}};

typedef struct touch_def {
    sb_touch_def touch;
    int kind;
} touch_def;

#define AT(field) offsetof(touch_def, touch.field)
static const bind_field touch_fields[] = {
    FIELD_OTHER(
        "at", "sandbell.At|number[]", "",
        "{ u =, v = } on the surface, each 0 to 1; default: where such a "
        "thing is usually struck"),
    FIELD_VEC3("point", AT(place.point), SB_FARTHEST_M, "m",
               "in the world; the nearest place on the body is touched"),
    FIELD_VEC3("direction", AT(place.direction), 1e3, "",
               "of the motion that is damped; default normal to the surface"),
    FIELD_CHOICE("kind", offsetof(touch_def, kind), kinds,
                 "a finger has 2 N s/m on 6 mm, a hand 20 on 40 mm, felt 8 on "
                 "15 mm, a table 60 on 30 mm"),
    FIELD("damping", AT(damping_ns_m), 0, 1e6, "N s/m",
          "of the whole patch; adds half of it times the mode shape squared "
          "to a mode's decay rate; give this or kind"),
    FIELD("radius", AT(radius_m), 0, 100, "m",
          "of the patch; default the kind's, else 0: a point"),
    FIELD("ramp", AT(ramp_s), 0, MOST_RAMP_S, "s",
          "time to set in or to change; default 0.02"),
    FIELD_END,
};

static void read_touch(lua_State *L, sb_body_id body, const char *where,
                       sb_touch_def *out) {
    touch_def def = {.touch = *out};
    def.touch.ramp_s = RAMP_S;
    bind_read_fields(L, 2, where, touch_fields, &def);
    sb_place *place = &def.touch.place;
    (void)read_place(L, body, where, place);
    bool is_elsewhere = bind_has(L, 2, "at") || place->has_point;
    if (!is_elsewhere) place->has_point = out->place.has_point;
    if (!place->has_direction) place->has_direction = out->place.has_direction;
    if (bind_has(L, 2, "kind")) {
        if (!bind_has(L, 2, "damping"))
            def.touch.damping_ns_m = kind_values[def.kind].damping_ns_m;
        if (!bind_has(L, 2, "radius"))
            def.touch.radius_m = kind_values[def.kind].radius_m;
    }
    *out = def.touch;
}

int body_touch(lua_State *L) {
    static const char where[] = "body:touch";
    sb_body_id body = check_body(L, where);
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    sb_touch_def def = {.place = {.u = 0.5, .v = 0.5, .is_usual = true}};
    read_touch(L, body, where, &def);
    if (!bind_has(L, 2, "damping") && !bind_has(L, 2, "kind")) {
        return bind_error(L, "%s: give damping (N s/m) or kind", where);
    }
    sb_script *owner = script_of(L);
    sb_touch_id *self = lua_newuserdatauv(L, sizeof *self, 0);
    *self = (sb_touch_id){{0, 0}, 0};
    luaL_setmetatable(L, TOUCH_TYPE);
    sb_error err;
    if (sb_scene_touch(script_scene(owner), body, &def, script_now(owner), self,
                       &err)) {
        return bind_fail(L, where, &err);
    }
    return 1;
}

static int touch_set(lua_State *L) {
    static const char where[] = "touch:set";
    const sb_touch_id *self = bind_check_self(L, 1, TOUCH_TYPE, where);
    sb_script *owner = script_of(L);
    sb_scene *scene = script_scene(owner);
    if (!sb_scene_has_touch(scene, *self)) {
        return bind_error(L, "%s: this touch has been lifted", where);
    }
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    sb_touch_def def = sb_scene_touch_def(scene, *self);
    read_touch(L, self->body, where, &def);
    sb_error err;
    return bind_done(
        L, where,
        sb_scene_set_touch(scene, *self, &def, script_now(owner), &err), &err);
}

static int touch_lift(lua_State *L) {
    static const char where[] = "touch:lift";
    const sb_touch_id *self = bind_check_self(L, 1, TOUCH_TYPE, where);
    double ramp_s =
        lua_isnoneornil(L, 2)
            ? RAMP_S
            : bind_check_number(L, 2, where, "the ramp", 0, MOST_RAMP_S, "s");
    sb_script *owner = script_of(L);
    bool is_there = sb_scene_has_touch(script_scene(owner), *self);
    sb_error err;
    if (is_there && sb_scene_lift(script_scene(owner), *self, ramp_s,
                                  script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    lua_pushboolean(L, is_there);
    return 1;
}

/* --- strain -------------------------------------------------------------- */

typedef struct strain_def {
    double strain, ramp_s;
    double depth, rate_hz, decay_s;
} strain_def;

static const bind_field deform_fields[] = {
    FIELD_NEEDED("strain", offsetof(strain_def, strain), -0.95, 19, "",
                 "moves mode k to w sqrt(1 + bend[k] strain); 0: undeformed"),
    FIELD("ramp", offsetof(strain_def, ramp_s), 0, MOST_RAMP_S, "s",
          "time to reach it; default 0.02"),
    FIELD_OTHER(
        "bend", "number[]", "",
        "sensitivity of each mode, lowest first; the last number is used "
        "for all further modes; default unchanged, initially w1 / wk "
        "as for a sheet under tension"),
    FIELD_END,
};

static const bind_field flex_fields[] = {
    FIELD_NEEDED("depth", offsetof(strain_def, depth), -19, 19, "",
                 "amplitude of the strain; repeated calls add up"),
    FIELD("rate", offsetof(strain_def, rate_hz), 0.01, 50, "Hz",
          "of the wobble; default 3"),
    FIELD("decay", offsetof(strain_def, decay_s), 0.01, 1e4, "s",
          "time to fall by 60 dB; default 2"),
    FIELD_OTHER("bend", "number[]", "", "as for body:deform"),
    FIELD_END,
};

enum { MOST_BENDS = 4096 };

/* The result is valid while its userdata is on the stack. */
static sb_bend read_bend(lua_State *L, const char *where) {
    sb_bend bend = {.is_given = bind_get(L, 2, "bend") != LUA_TNIL};
    if (!bend.is_given) return bend;
    int table = lua_gettop(L);
    int count =
        lua_istable(L, table) ? bind_list_length(L, table, MOST_BENDS) : -1;
    if (count < 1) {
        bind_error(L, "%s: bend must be a list of 1 to %d numbers, got %s",
                   where, (int)MOST_BENDS,
                   lua_istable(L, table) ? "another table"
                                         : bind_show(L, table));
    }
    double *items = lua_newuserdatauv(L, (size_t)count * sizeof(double), 0);
    for (int i = 0; i < count; i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "bend[%d]", i + 1);
        lua_rawgeti(L, table, i + 1);
        items[i] = bind_check_number(L, -1, where, what, -100, 100, "");
        lua_pop(L, 1);
    }
    bend.items = items;
    bend.count = count;
    return bend;
}

static strain_def read_strain(lua_State *L, const char *where,
                              const bind_field *fields) {
    strain_def def = {.ramp_s = RAMP_S, .rate_hz = 3, .decay_s = 2};
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    bind_read_fields(L, 2, where, fields, &def);
    bind_need(L, 2, where, fields);
    return def;
}

int body_deform(lua_State *L) {
    static const char where[] = "body:deform";
    sb_body_id self = check_body(L, where);
    strain_def def = read_strain(L, where, deform_fields);
    sb_bend bend = read_bend(L, where);
    sb_script *owner = script_of(L);
    sb_error err;
    return bind_done(L, where,
                     sb_scene_deform(script_scene(owner), self, def.strain,
                                     &bend, def.ramp_s, script_now(owner),
                                     &err),
                     &err);
}

int body_flex(lua_State *L) {
    static const char where[] = "body:flex";
    sb_body_id self = check_body(L, where);
    strain_def def = read_strain(L, where, flex_fields);
    sb_bend bend = read_bend(L, where);
    sb_wobble wobble = {def.rate_hz, LN_1000 / def.decay_s, def.depth};
    sb_script *owner = script_of(L);
    sb_error err;
    return bind_done(L, where,
                     sb_scene_flex(script_scene(owner), self, &wobble, &bend,
                                   script_now(owner), &err),
                     &err);
}

/* --- tables of the API --------------------------------------------------- */

static const bind_record records[] = {
    {"sandbell.TouchDef", "What body:touch and touch:set take.", touch_fields},
    {"sandbell.DeformDef", "What body:deform takes.", deform_fields},
    {"sandbell.FlexDef", "What body:flex takes.", flex_fields},
    {NULL, NULL, NULL},
};

static const bind_function methods[] = {
    {"set", touch_set, "touch: sandbell.TouchDef", "sandbell.Touch",
     "Change it; fields that are not given keep their values."},
    {"lift", touch_lift, "ramp?: number", "boolean",
     "Lift it, over ramp seconds (default 0.02); false if it has been lifted "
     "already."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const bind_type type = {
    .name = TOUCH_TYPE,
    .help = "A damper on a body.",
    .methods = methods,
    .word = "touch",
};

const api_chapter touch_chapter = {"Touching and bending", NULL, records,
                                   &type};

/* --- lasting contacts ---------------------------------------------------- */

#undef AT
/* Default durations: long enough to avoid a click, too short to be noticed. */
#define CONTACT_RAMP_S 0.01
#define CONTACT_FADE_S 0.02

typedef struct lasting_def {
    sb_lasting_setup setup; /* first, as its rows say */
    sb_lasting_change change;
    double seed;
} lasting_def;

#define AT(field) offsetof(lasting_def, field)
#define CHANGE_FIELDS                                                        \
    SB_LOAD_ROWS(AT(change)),                                                \
        FIELD_OTHER("at", "sandbell.At|number[]", "",                        \
                    "{ u =, v = } where it touches; default the middle"),    \
        FIELD_VEC3("point", AT(change.place[0].point), SB_FARTHEST_M, "m",   \
                   "in the world; the nearest place on the body, not at"),   \
        FIELD_VEC3("direction", AT(change.place[0].direction), 1e3, "",      \
                   "of the force on the body; default into the surface"),    \
        FIELD_OTHER("with_at", "sandbell.At|number[]", "",                   \
                    "the place on the other body that touches"),             \
        FIELD_VEC3("with_direction", AT(change.place[1].direction), 1e3, "", \
                   "of the force on the other body")

static const bind_field change_fields[] = {CHANGE_FIELDS, FIELD_END};

static const bind_field lasting_fields[] = {
    SB_LASTING_ROWS,
    FIELD_OTHER("with", "sandbell.Body", "",
                "the other body, which rings too; default a silent thing"),
    FIELD_OTHER("material", "sandbell.Material|string", "",
                "of the thing; default the body's"),
    FIELD_OTHER("surface", "sandbell.Surface", "",
                "to use for the body instead of its own"),
    FIELD_OTHER("with_surface", "sandbell.Surface", "",
                "of the other body or thing; default smooth"),
    FIELD("seed", AT(seed), 0, 4294967295.0, "", "of the random numbers"),
#define CONTACT_PARAM  SB_CONTACT_PARAM_ROW
#define CONTACT_CHOICE SB_CONTACT_CHOICE_ROW
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_PARAM
#undef CONTACT_CHOICE
    CHANGE_FIELDS,
    FIELD_END,
};

/* The userdata that a script holds. */
typedef struct script_lasting {
    sb_contact_id id;
    sb_body_id body, with;
    bool is_rolling;
} script_lasting;

static const char where_contact[] = "body:contact";

/* Reads load, speeds and place from the table at index 2. */
static void read_change(lua_State *L, const char *where,
                        const script_lasting *self, sb_lasting_change *change) {
    change->has_force = bind_has(L, 2, "force");
    change->has_speed[0] = bind_has(L, 2, "speed");
    change->has_speed[1] = bind_has(L, 2, "with_speed");
    change->has_slip = bind_has(L, 2, "slip");
    sb_lasting_change_settle(change, self->is_rolling);
    (void)read_place(L, self->body, where, &change->place[0]);
    change->has_place[0] = bind_has(L, 2, "at") || bind_has(L, 2, "point");
    change->has_place[1] = bind_has(L, 2, "with_at");
    if (self->with.generation) {
        (void)read_other_place(L, self->with, where, &change->place[1]);
    } else if (bind_has(L, 2, "with_at") || bind_has(L, 2, "with_direction")) {
        bind_error(L,
                   "%s: with_at and with_direction are for a contact with "
                   "another body; give with",
                   where);
    }
}

/* --- body:contact -------------------------------------------------------- */

static void read_surfaces(lua_State *L, sb_lasting_setup *setup) {
    static const char *const fields[] = {"surface", "with_surface"};
    for (int i = 0; i < 2; i++) {
        if (bind_get(L, 2, fields[i]) != LUA_TNIL)
            setup->surface[i] = check_surface(L, -1, where_contact, fields[i]);
        lua_pop(L, 1);
    }
}

static void read_thing(lua_State *L, lasting_def *def) {
    if (bind_get(L, 2, "material") != LUA_TNIL) {
        material_box box = check_material(L, -1, where_contact, "material");
        def->setup.thing.material = box.material;
        def->setup.thing.has_material = true;
    }
    lua_pop(L, 1);
    if (bind_get(L, 2, "with") != LUA_TNIL)
        def->setup.with = check_body_at(L, -1, where_contact, "with");
    lua_pop(L, 1);
    sb_error err;
    if (sb_lasting_check(&def->setup, &err)) bind_raise(L, where_contact, &err);
}

int body_contact(lua_State *L) {
    sb_body_id self = check_body(L, where_contact);
    bind_check_table(L, 2, where_contact);
    lua_settop(L, 2);
    lasting_def def = {.setup = {.level = 1.0},
                       .change = {.ramp_s = CONTACT_RAMP_S}};
    for (int i = 0; i < 2; i++)
        def.change.place[i].u = def.change.place[i].v = 0.5;
    bind_read_fields(L, 2, where_contact, lasting_fields, &def);
    def.setup.body = self;
    def.setup.seed = (uint64_t)def.seed;
    read_thing(L, &def);
    read_surfaces(L, &def.setup);
    script_lasting self_def = {.body = self,
                               .with = def.setup.with,
                               .is_rolling =
                                   sb_contact_kind_rolls(def.setup.kind)};
    read_change(L, where_contact, &self_def, &def.change);
    def.change.has_place[0] = def.change.has_place[1] = true;
    script_lasting *handle = lua_newuserdatauv(L, sizeof *handle, 0);
    *handle = self_def;
    luaL_setmetatable(L, LASTING_TYPE);
    sb_script *owner = script_of(L);
    sb_error err;
    if (sb_scene_begin_contact(script_scene(owner), &def.setup, &def.change,
                               script_now(owner), &handle->id, &err)) {
        if (err.status == SB_QUEUE_FULL)
            script_report_once(owner, SCRIPT_ONCE_CONTACTS,
                               "body:contact: the audio thread has no "
                               "time for all contacts; those that it "
                               "leaves out return nil and why");
        return bind_fail(L, where_contact, &err);
    }
    return 1;
}

/* --- lasting_methods ------------------------------------------------------------- */

static int lasting_set(lua_State *L) {
    static const char where[] = "contact:set";
    const script_lasting *self = bind_check_self(L, 1, LASTING_TYPE, where);
    script_check_running(L, where);
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    sb_script *owner = script_of(L);
    if (!sb_scene_has_contact(script_scene(owner), self->id))
        return bind_error(L, "%s: this contact is over", where);
    lasting_def def = {.change = {.ramp_s = CONTACT_RAMP_S}};
    for (int i = 0; i < 2; i++)
        def.change.place[i].u = def.change.place[i].v = 0.5;
    bind_read_fields(L, 2, where, change_fields, &def);
    read_change(L, where, self, &def.change);
    sb_error err;
    return bind_done(L, where,
                     sb_scene_move_contact(script_scene(owner), self->id,
                                           &def.change, script_now(owner),
                                           &err),
                     &err);
}

static int lasting_stop(lua_State *L) {
    static const char where[] = "contact:stop";
    const script_lasting *self = bind_check_self(L, 1, LASTING_TYPE, where);
    script_check_running(L, where);
    double fade_s = CONTACT_FADE_S;
    if (!lua_isnoneornil(L, 2))
        fade_s = bind_check_number(L, 2, where, "the fade", 0, 1e4, "s");
    sb_script *owner = script_of(L);
    sb_error err;
    if (sb_scene_end_contact(script_scene(owner), self->id, script_now(owner),
                             fade_s, &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static int lasting_is_on(lua_State *L) {
    static const char where[] = "contact:lasts";
    const script_lasting *self = bind_check_self(L, 1, LASTING_TYPE, where);
    const sb_scene *scene = script_scene(script_of(L));
    lua_pushboolean(L, scene && sb_scene_has_contact(scene, self->id));
    return 1;
}

/* --- tables of the API --------------------------------------------------- */

static const bind_record lasting_records[] = {
    {"sandbell.LastingDef", "What body:contact takes.", lasting_fields},
    {"sandbell.LastingChange", "What contact:set takes.", change_fields},
    {NULL, NULL, NULL},
};

static const bind_function lasting_methods[] = {
    {"set", lasting_set, "change: sandbell.LastingChange",
     "sandbell.LastingContact",
     "Change load, speeds or place, over ramp seconds."},
    {"stop", lasting_stop, "fade?: number", "",
     "End the contact with a fade, s; default 0.02."},
    {"lasts", lasting_is_on, "", "boolean",
     "Whether it is going on; it ends when one of its bodies is removed."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const bind_type lasting_type = {
    .name = LASTING_TYPE,
    .help = "Something that rolls, slides, creaks, rubs or buzzes on a body.",
    .methods = lasting_methods,
    .word = "contact",
};

const api_chapter lasting_chapter = {"Lasting contacts", NULL, lasting_records,
                                     &lasting_type};
