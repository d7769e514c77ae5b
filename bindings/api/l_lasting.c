/* bindings/api/l_lasting.c -- body:contact: begins, changes and ends a lasting
 * contact, in which something rolls, slides or rubs on a body.
 *
 *     local marble = board:contact { kind = "roll", radius = 0.008,
 *         force = 0.05, speed = 0.4, at = { u = 0, v = 0.5 } }
 *     marble:set { at = { u = 1, v = 0.5 }, speed = 0.2, ramp = 2 }
 *     marble:stop()
 *
 * The Lua value is an id. A script's contacts end when it is loaded again.
 * Runs on the control thread.
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/contact/lasting.h"

#include <math.h>
#include <string.h>

/* Default durations: long enough to avoid a click, too short to be noticed. */
#define RAMP_S 0.01
#define FADE_S 0.02

static const char *const kinds[] = {
#define CONTACT_KIND(kind, name, ...) name,
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_KIND
    NULL};

typedef struct lasting_def {
    sb_lasting_setup setup;
    sb_lasting_change change;
    int kind;
    double seed;
} lasting_def;

#define AT(field) offsetof(lasting_def, field)
#define CHANGE_FIELDS                                                        \
    FIELD("force", AT(change.load.force_n), 0, 1e5, "N",                     \
          "normal force; default the weight of the thing"),                  \
        FIELD("speed", AT(change.load.speed_m_s[0]), -1e3, 1e3, "m/s",       \
              "of the contact along the body; default 0"),                   \
        FIELD("with_speed", AT(change.load.speed_m_s[1]), -1e3, 1e3, "m/s",  \
              "along the other surface; default speed for kinds that roll, " \
              "else 0"),                                                     \
        FIELD("slip", AT(change.load.slip_m_s), -1e3, 1e3, "m/s",            \
              "between the two; default speed - with_speed"),                \
        FIELD_OTHER("at", "sandbell.At|number[]", "",                        \
                    "{ u =, v = } where it touches; default the middle"),    \
        FIELD_VEC3("point", AT(change.place[0].point), FARTHEST_M, "m",      \
                   "in the world; the nearest place on the body, not at"),   \
        FIELD_VEC3("direction", AT(change.place[0].direction), 1e3, "",      \
                   "of the force on the body; default into the surface"),    \
        FIELD_OTHER("with_at", "sandbell.At|number[]", "",                   \
                    "the place on the other body that touches"),             \
        FIELD_VEC3("with_direction", AT(change.place[1].direction), 1e3, "", \
                   "of the force on the other body"),                        \
        FIELD("ramp", AT(change.ramp_s), 0, 1e4, "s",                        \
              "time to reach these values; default 0.01")

static const bind_field change_fields[] = {CHANGE_FIELDS, FIELD_END};

static const bind_field lasting_fields[] = {
    FIELD_CHOICE("kind", AT(kind), kinds, "of contact; default roll"),
    FIELD_OTHER("with", "sandbell.Body", "",
                "the other body, which rings too; default a silent thing"),
    FIELD("radius", AT(setup.thing.radius_m), 1e-6, 100, "m",
          "of the thing; default that of a ball of its mass"),
    FIELD("mass", AT(setup.thing.mass_kg), 1e-6, 1e4, "kg",
          "of the thing; default that of a ball of its radius, at most 1e5, "
          "and of what slides at least 0.01, as a tool in a hand; else 0.03"),
    FIELD_OTHER("material", "sandbell.Material|string", "",
                "of the thing; default the body's"),
    FIELD("stiffness", AT(setup.thing.stiffness), 1e-3, 1e20, "N/m^exponent",
          "of the contact; default Hertz's, from materials and radius"),
    FIELD("exponent", AT(setup.thing.exponent), 1, 4, "",
          "force grows with depth to this power; default 1.5"),
    FIELD("lambda", AT(setup.thing.lambda), 0, 1e20, "N s/m^(exponent+1)",
          "loss in the contact"),
    FIELD_OTHER("surface", "sandbell.Surface", "",
                "to use for the body instead of its own"),
    FIELD_OTHER("with_surface", "sandbell.Surface", "",
                "of the other body or thing; default smooth"),
    FIELD("level", AT(setup.level), 0, 1e6, "", "of the force; default 1"),
    FIELD("seed", AT(seed), 0, 4294967295.0, "", "of the random numbers"),
#define CONTACT_PARAM(field, name, least, most, unit, text) \
    FIELD(name, AT(setup.field), least, most, unit, text),
#define CONTACT_CHOICE(field, name, text, ...) \
    FIELD_CHOICE(name, AT(setup.field),        \
                 ((const char *const[]){__VA_ARGS__, NULL}), text),
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

/* Reads load, speeds and place from the table at index 2. With only `speed`
 * given, the other surface moves along if the contact rolls, else it rests. */
static void read_change(lua_State *L, const char *where,
                        const script_lasting *self, sb_lasting_change *change) {
    change->has_force = bind_has(L, 2, "force");
    change->has_speed[0] = bind_has(L, 2, "speed");
    change->has_speed[1] = bind_has(L, 2, "with_speed");
    change->has_slip = bind_has(L, 2, "slip");
    double *speed = change->load.speed_m_s;
    if (change->has_speed[0] && !change->has_speed[1]) {
        speed[1] = self->is_rolling ? speed[0] : 0.0;
        change->has_speed[1] = true;
    }
    if (change->has_speed[0] && !change->has_slip) {
        change->load.slip_m_s = speed[0] - speed[1];
        change->has_slip = true;
    }
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
    if (def->setup.gap_max_m > 0.0 &&
        def->setup.gap_max_m < def->setup.gap_min_m)
        bind_error(L, "%s: gap_max must not be less than gap_min",
                   where_contact);
    /* As sb_rub_check asks for. */
    if (def->setup.gap_max_m > 0.0 &&
        def->setup.gap_max_m < 2.0 * def->setup.gap_min_m + 1e-9)
        bind_error(L, "%s: gap_max must be more than twice gap_min",
                   where_contact);
}

int body_contact(lua_State *L) {
    sb_body_id self = check_body(L, where_contact);
    bind_check_table(L, 2, where_contact);
    lua_settop(L, 2);
    lasting_def def = {.setup = {.level = 1.0}, .change = {.ramp_s = RAMP_S}};
    for (int i = 0; i < 2; i++)
        def.change.place[i].u = def.change.place[i].v = 0.5;
    bind_read_fields(L, 2, where_contact, lasting_fields, &def);
    def.setup.kind = (sb_contact_kind)def.kind;
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

/* --- methods ------------------------------------------------------------- */

static int lasting_set(lua_State *L) {
    static const char where[] = "contact:set";
    const script_lasting *self = bind_check_self(L, 1, LASTING_TYPE, where);
    script_check_running(L, where);
    bind_check_table(L, 2, where);
    lua_settop(L, 2);
    sb_script *owner = script_of(L);
    if (!sb_scene_has_contact(script_scene(owner), self->id))
        return bind_error(L, "%s: this contact is over", where);
    lasting_def def = {.change = {.ramp_s = RAMP_S}};
    for (int i = 0; i < 2; i++)
        def.change.place[i].u = def.change.place[i].v = 0.5;
    bind_read_fields(L, 2, where, change_fields, &def);
    read_change(L, where, self, &def.change);
    sb_error err;
    if (sb_scene_move_contact(script_scene(owner), self->id, &def.change,
                              script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    lua_settop(L, 1);
    return 1;
}

static int lasting_stop(lua_State *L) {
    static const char where[] = "contact:stop";
    const script_lasting *self = bind_check_self(L, 1, LASTING_TYPE, where);
    script_check_running(L, where);
    double fade_s = FADE_S;
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

static int lasting_tostring(lua_State *L) {
    (void)bind_check_self(L, 1, LASTING_TYPE, "contact");
    lua_pushliteral(L, "contact");
    return 1;
}

/* --- tables of the API --------------------------------------------------- */

static const bind_function functions[] = {{NULL, NULL, NULL, NULL, NULL}};

static const bind_record records[] = {
    {"sandbell.LastingDef", "What body:contact takes.", lasting_fields},
    {"sandbell.LastingChange", "What contact:set takes.", change_fields},
    {NULL, NULL, NULL},
};

static const bind_function methods[] = {
    {"set", lasting_set, "change: sandbell.LastingChange",
     "sandbell.LastingContact",
     "Change load, speeds or place, over ramp seconds."},
    {"stop", lasting_stop, "fade?: number", "",
     "End the contact with a fade, s; default 0.02."},
    {"lasts", lasting_is_on, "", "boolean",
     "Whether it is going on; it ends when one of its bodies is removed."},
    {NULL, NULL, NULL, NULL, NULL},
};
static const luaL_Reg meta[] = {{"__tostring", lasting_tostring}, {NULL, NULL}};
static const bind_type type = {
    .name = LASTING_TYPE,
    .help = "Something that rolls, slides, creaks, rubs or buzzes on a body.",
    .methods = methods,
    .meta = meta,
};

const api_chapter lasting_chapter = {"Lasting contacts", functions, records,
                                     &type};
