/* SPDX-License-Identifier: MIT */
/* bindings/api/open.c -- require "sandbell": the API, from its chapters. */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"

#include <ctype.h>
#include <string.h>

const api_chapter *const api_chapters[] = {
    &body_chapter,
    &deform_chapter,
    &touch_chapter,
    &lasting_chapter,
    &surface_chapter,
    &texture_chapter,
    &shape_chapter,
    &mesh_chapter,
    &material_chapter,
    &world_chapter,
    &listener_chapter,
    &room_chapter,
    &quality_chapter,
    &param_chapter,
    &params_chapter,
    &timer_chapter,
    &scene_chapter,
    &lesson_chapter,
    NULL,
};

const bind_field module_fields[] = {
    FIELD_OTHER("version", "string", "", "of Sandbell"),
    FIELD_OTHER("params", "sandbell.Params", "",
                "the params of the scene, by name"),
    FIELD_END,
};

static int open_module(lua_State *L) {
    luaL_checkversion(L);
    lua_newtable(L);
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        bind_add_functions(L, (*at)->functions);
        if ((*at)->type) bind_new_type(L, (*at)->type);
    }
    lua_pushliteral(L, SANDBELL_VERSION);
    lua_setfield(L, -2, "version");
    params_push(L);
    lua_setfield(L, -2, "params");
    bind_refuse_unknown(L, "sandbell");
    return 1;
}

const script_api sandbell_api = {
    .open = open_module,
    .callbacks = scene_callbacks,
    .push_body = body_push_named,
    .is_body_gone = body_is_gone,
    .announce_contacts = announce_contacts,
};

/* --- looking things up ---------------------------------------------------- */

static const bind_function *find_in(const bind_function *functions,
                                    const char *name) {
    for (; functions && functions->name; functions++) {
        if (strcmp(functions->name, name) == 0) return functions;
    }
    return NULL;
}

const bind_function *api_find_function(const char *name, bool is_method) {
    const bind_function *found = NULL;
    for (const api_chapter *const *at = api_chapters; *at && !found; at++) {
        const bind_type *type = (*at)->type;
        const bind_function *methods = type ? type->methods : NULL;
        found = find_in(is_method ? methods : (*at)->functions, name);
    }
    return found;
}

const bind_record *api_find_record(const char *types) {
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        for (const bind_record *r = (*at)->records; r && r->name; r++) {
            const char *found = strstr(types, r->name);
            /* Do not match sandbell.Mode in sandbell.ModeDef. */
            if (found && !isalpha((unsigned char)found[strlen(r->name)])) {
                return r;
            }
        }
    }
    return NULL;
}

const bind_type *api_find_type(const char *name) {
    for (const api_chapter *const *at = api_chapters; *at; at++) {
        if ((*at)->type && strcmp((*at)->type->name, name) == 0) {
            return (*at)->type;
        }
    }
    return NULL;
}

const bind_field *api_find_field(const bind_field *fields, const char *name,
                                 size_t length) {
    for (; fields && fields->name; fields++) {
        if (strlen(fields->name) == length &&
            memcmp(fields->name, name, length) == 0) {
            return fields;
        }
    }
    return NULL;
}
