/* SPDX-License-Identifier: MIT */
/* The room: what hands are told of it, and how they change it. A response is a
 * file, which only a script can name: hands take it away, and bring it back.
 * Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "runtime/scene/state/around.h"
#include "runtime/scene/state/hear.h"

#include <string.h>

/* --- as JSON ---------------------------------------------------------------- */

/* The material of which a wall is, or NULL. */
static const char *material_of(const double *absorption) {
    for (const sb_wall_material *at = sb_wall_materials; at->name; at++)
        if (memcmp(at->absorption, absorption, sizeof at->absorption) == 0)
            return at->name;
    return NULL;
}

static void add_walls(cJSON *json, const sb_hall_def *hall) {
    cJSON *walls = cJSON_AddObjectToObject(json, "walls");
    for (int i = 0; i < SB_WALLS; i++) {
        cJSON *wall = cJSON_AddObjectToObject(walls, sb_wall_names[i]);
        json_text_or_null(wall, "material", material_of(hall->absorption[i]));
        json_numbers(wall, "absorption", hall->absorption[i], SB_ROOM_OCTAVES);
    }
}

cJSON *session_describe_room(session *self) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_room_def room = sb_scene_room(scene);
    sb_listener listener = sb_scene_listener(scene);
    double t60_s[SB_ROOM_OCTAVES];
    for (int i = 0; i < SB_ROOM_OCTAVES; i++)
        t60_s[i] = sb_room_t60_s(&room, &listener.air, i);
    cJSON *json = cJSON_CreateObject();
    json_vec3(json, "size", room.hall.size);
    json_vec3(json, "position", room.hall.position);
    json_text(json, "decay",
              sb_field_find(sb_hall_fields, "decay")->choices[room.hall.law]);
    add_walls(json, &room.hall);
    json_text_or_null(
        json, "response",
        *room.response.path ? session_file_name(room.response.path) : NULL);
    cJSON *reverb = cJSON_AddObjectToObject(json, "reverb");
    json_numbers(reverb, "t60", room.reverb.t60_s, SB_ROOM_OCTAVES);
    json_number(reverb, "level", room.reverb.level_db);
    json_number(reverb, "predelay", room.reverb.predelay_s);
    json_numbers(json, "t60", t60_s, SB_ROOM_OCTAVES);
    return json;
}

cJSON *session_describe_wall_materials(void) {
    cJSON *list = cJSON_CreateArray();
    for (const sb_wall_material *at = sb_wall_materials; at->name; at++) {
        cJSON *json = cJSON_CreateObject();
        json_text(json, "name", at->name);
        json_text(json, "what", at->what);
        json_numbers(json, "absorption", at->absorption, SB_ROOM_OCTAVES);
        json_push(list, json);
    }
    return list;
}

/* --- the act ---------------------------------------------------------------- */

static bool read_wall(session_call *call, const cJSON *item, double *absorption,
                      sb_error *err) {
    const char *name = cJSON_GetStringValue(item);
    const sb_wall_material *found = name ? sb_wall_material_find(name) : NULL;
    if (found) {
        memcpy(absorption, found->absorption, sizeof found->absorption);
        return true;
    }
    if (name)
        return session_fail(call, "bad_field", err,
                            "there is no wall material '%.60s'", name);
    return read_numbers(item, &sb_absorption_row, SB_ROOM_OCTAVES, absorption,
                        err);
}

static bool read_walls(session_call *call, sb_hall_def *hall, sb_error *err) {
    const cJSON *walls = json_field(call->json, "walls");
    for (int i = 0; i < SB_WALLS; i++) {
        const cJSON *item = json_field(walls, sb_wall_names[i]);
        if (item && !read_wall(call, item, hall->absorption[i], err))
            return false;
    }
    return true;
}

static bool read_reverb(session_call *call, sb_reverb_def *reverb,
                        sb_error *err) {
    const cJSON *json = json_field(call->json, "reverb");
    const cJSON *t60 = json_field(json, "t60");
    sb_field row = sb_t60_row;
    if (cJSON_IsArray(t60)) row.zero = NULL;
    return read_fields(json, sb_reverb_fields, reverb, err) &&
           (!t60 ||
            read_numbers(t60, &row, SB_ROOM_OCTAVES, reverb->t60_s, err));
}

bool session_do_room(session_call *call, sb_error *err) {
    session *self = call->session;
    sb_scene *scene = sb_host_scene(self->host);
    sb_room_def room = sb_scene_room(scene);
    bool has_response = room.response.path[0];
    if (has_response) self->response = room.response;
    if (!read_fields(call->json, sb_hall_fields, &room.hall, err) ||
        !read_walls(call, &room.hall, err) ||
        !read_reverb(call, &room.reverb, err) ||
        !read_bool(call->json, "response", &has_response, NULL, err)) {
        return false;
    }
    if (has_response && !self->response.path[0])
        return session_fail(call, "bad_field", err,
                            "the script names no response");
    room.response = has_response ? self->response : (sb_response_def){0};
    sb_status status = sb_scene_set_room(scene, &room, call->time_s, err);
    if (status && status != SB_BAD_ARGUMENT) call->code = "failed";
    session_say_soon(self, self->stream.room);
    return !status;
}
