/* SPDX-License-Identifier: MIT */
/* What hands are told as it happens: poses, contacts, numbers.
 * Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/script/script_output.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/deform/scene_deform.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <string.h>

#define POSES_S   (1.0 / 60.0)
#define ALL_S     1.0
#define CONTACT_S 0.03
#define STATS_S   0.25
#define LOOK_S    0.1
#define ENERGY_S  (1.0 / 30.0)

/* HEAD: bytes of a record of surfaces before the bodies; PART: of a body before
 * its vertices. */
enum { POSE_BYTES = 32, HEAD = 16, PART = 32, MOST_CONTACTS = 64 };

static bool is_due(double *last_s, double every_s, double now_s) {
    if (now_s - *last_s < every_s) return false;
    *last_s = now_s;
    return true;
}

/* 0: there is none. */
static double number_of(const session_body *body) {
    return body ? body->number : 0;
}

/* --- poses -------------------------------------------------------------------- */

static void write_pose(unsigned char *to, uint32_t number,
                       const sb_pose *pose) {
    float values[7] = {(float)pose->position.x, (float)pose->position.y,
                       (float)pose->position.z, (float)pose->rotation.x,
                       (float)pose->rotation.y, (float)pose->rotation.z,
                       (float)pose->rotation.w};
    memcpy(to, &number, 4);
    memcpy(to + 4, values, sizeof values);
}

static void send_poses(session *self, bool is_all) {
    const sb_scene *scene = sb_host_scene(self->host);
    size_t room = 16 + (size_t)self->roster.count * POSE_BYTES, bytes = 16;
    unsigned char *record = sb_alloc(room, 1);
    uint32_t head[4] = {0, is_all, self->roster.rev, 0};
    if (!record) return;
    for (int i = 0; i < self->roster.count; i++) {
        session_body *body = &self->roster.bodies[i];
        if (!sb_scene_has(scene, body->id)) continue;
        sb_pose pose = sb_scene_pose(scene, body->id);
        bool has_moved = memcmp(&pose.position, &body->pose.position,
                                sizeof pose.position) != 0 ||
                         memcmp(&pose.rotation, &body->pose.rotation,
                                sizeof pose.rotation) != 0;
        if (!has_moved && !is_all) continue;
        body->pose = pose;
        write_pose(record + bytes, body->number, &pose);
        bytes += POSE_BYTES;
        head[0]++;
    }
    memcpy(record, head, sizeof head);
    if (head[0] > 0)
        session_send_record(self, TOPIC_POSES, NEWS_STREAM, RECORD_POSES,
                            self->clock.now_s, record, bytes);
    sb_free(record);
}

/* --- surfaces of deformable bodies as they bend ------------------------------------ */

static size_t part_bytes(int vertex_count) {
    return PART + (6 * (size_t)vertex_count + 15) / 16 * 16;
}

/* Vertices in 16 bits of the box around them. */
static void write_part(unsigned char *to, uint32_t number,
                       const sb_deform_surface *surface) {
    float low[3], high[3], box[6];
    int count = surface->vertex_count;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = surface->vertices[axis];
        for (int k = 1; k < count; k++) {
            float x = surface->vertices[3 * k + axis];
            low[axis] = fminf(low[axis], x);
            high[axis] = fmaxf(high[axis], x);
        }
        box[axis] = low[axis];
        box[3 + axis] = (high[axis] - low[axis]) / 65535.0F;
    }
    uint32_t head[2] = {number, (uint32_t)count};
    memcpy(to, head, sizeof head);
    memcpy(to + 8, box, sizeof box);
    for (int i = 0; i < 3 * count; i++) {
        float step = box[3 + i % 3];
        float code =
            step > 0.0F ? (surface->vertices[i] - low[i % 3]) / step : 0.0F;
        uint16_t value = (uint16_t)lrintf(fminf(fmaxf(code, 0.0F), 65535.0F));
        memcpy(to + PART + 2 * (size_t)i, &value, 2);
    }
}

static void send_surfaces(session *self, bool is_again) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_deform_surface surface;
    size_t bytes = HEAD;
    uint32_t count = 0;
    for (; sb_scene_deform_surface(scene, (int)count, &surface); count++)
        bytes += part_bytes(surface.vertex_count);
    if (count == 0 || (!is_again && surface.time_s == self->stream.surfaced_s))
        return;
    unsigned char *record =
        bytes <= SESSION_RECORD_BYTES ? sb_alloc(bytes, 1) : NULL;
    if (!record) {
        if (!self->stream.has_said_large)
            session_log(self, "error",
                        "deformable bodies have too many vertices to be shown "
                        "bent: they are drawn at rest");
        self->stream.has_said_large = true;
        return;
    }
    self->stream.surfaced_s = surface.time_s;
    memcpy(record, &count, 4);
    unsigned char *to = record + HEAD;
    for (uint32_t i = 0; i < count; i++) {
        (void)sb_scene_deform_surface(scene, (int)i, &surface);
        write_part(to,
                   (uint32_t)number_of(session_body_with(self, surface.body)),
                   &surface);
        to += part_bytes(surface.vertex_count);
    }
    session_send_record(self, TOPIC_POSES, NEWS_STREAM, RECORD_SURFACES,
                        surface.time_s, record, bytes);
    sb_free(record);
}

static bool find_surface(const session *self, const session_body *body,
                         sb_deform_surface *out) {
    const sb_scene *scene = sb_host_scene(self->host);
    for (int i = 0; sb_scene_deform_surface(scene, i, out); i++)
        if (out->body.index == body->id.index &&
            out->body.generation == body->id.generation)
            return true;
    return false;
}

bool session_deforms(const session *self, const session_body *body) {
    sb_deform_surface surface;
    return find_surface(self, body, &surface);
}

void *session_deformed_faces(const session *self, const session_body *body,
                             size_t *count) {
    sb_deform_surface surface;
    if (!find_surface(self, body, &surface)) return NULL;
    size_t faces = 12 * (size_t)surface.face_count;
    unsigned char *bytes = sb_alloc(16 + faces, 1);
    if (!bytes) return NULL;
    uint32_t head[4] = {0, (uint32_t)surface.vertex_count,
                        (uint32_t)surface.face_count, 0};
    memcpy(head, "SBD1", 4);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + 16, surface.faces, faces);
    *count = 16 + faces;
    return bytes;
}

/* --- contacts ------------------------------------------------------------------ */

static double number_named(session *self, const char *name) {
    return number_of(session_body_named(self, name));
}

static void add_numbers(cJSON *list, const double *numbers, int count) {
    for (int i = 0; i < count; i++)
        json_push(list,
                  cJSON_CreateNumber(isfinite(numbers[i]) ? numbers[i] : 0.0));
}

static void add_item(cJSON *list, double time_s, double a, double b,
                     double impulse, sb_vec3 at, sb_vec3 normal,
                     const char *kind, const double rest[3]) {
    const double head[10] = {time_s, a,    b,        impulse,  at.x,
                             at.y,   at.z, normal.x, normal.y, normal.z};
    cJSON *item = cJSON_CreateDoubleArray(head, 10);
    json_add_text(item, kind);
    add_numbers(item, rest, 3);
    json_push(list, item);
}

/* Strikes and impacts of the world; returns how many there are, of which at most
 * MOST_CONTACTS are listed. */
static int add_events(session *self, cJSON *list) {
    sb_event event;
    int count = 0;
    while (sb_scene_next_event(sb_host_scene(self->host),
                               &self->stream.event_reader, &event)) {
        /* What lasts is reported with that of scripts. */
        if (event.kind > SB_EVENT_IMPACT || !sb_event_is_played(&event) ||
            count++ >= MOST_CONTACTS)
            continue;
        const double rest[3] = {event.duration_s, event.speed_m_s,
                                event.force_n};
        add_item(list, event.time_s,
                 number_of(session_body_with(self, event.body[0])),
                 number_of(session_body_with(self, event.body[1])),
                 event.impulse_ns, event.spot.point, event.spot.normal,
                 event.kind == SB_EVENT_IMPACT ? "world"
                                               : sb_event_kind_name(event.kind),
                 rest);
    }
    return count;
}

/* What rolls, slides and rubs, of scripts, hands and the world. */
static void add_lasting(session *self, cJSON *list) {
    sb_lasting_report report;
    int count = 0;
    while (sb_scene_next_lasting(sb_host_scene(self->host), &report)) {
        if (count++ >= MOST_CONTACTS) continue;
        cJSON *item = cJSON_CreateArray();
        const sb_contact_load *load = &report.load;
        sb_vec3 at = report.spot.point;
        const double head[3] = {report.time_s,
                                number_named(self, report.name[0]),
                                number_named(self, report.name[1])};
        const double tail[5] = {
            at.x, at.y, at.z, load->force_n,
            fmax(fabs(load->speed_m_s[0]), fabs(load->slip_m_s))};
        add_numbers(item, head, 3);
        json_add_text(item, report.kind);
        json_add_text(item, report.phase == SB_LASTING_GOES_ON
                                ? "go"
                                : sb_lasting_phase_name(report.phase));
        add_numbers(item, tail, 5);
        json_push(list, item);
    }
}

/* A message with these items, and how many more there were; or none. */
static void send_items(session *self, const char *type, cJSON *items,
                       double lost) {
    if (cJSON_GetArraySize(items) == 0 && !(lost > 0.0)) {
        cJSON_Delete(items);
        return;
    }
    cJSON *json = session_message(type);
    json_add(json, "items", items);
    if (isfinite(lost)) json_number(json, "lost", lost);
    session_send_all(self, NEWS_EVENT, TOPIC_CONTACTS, json);
}

static void send_contacts(session *self) {
    cJSON *items = cJSON_CreateArray(), *lasting = cJSON_CreateArray();
    int count = add_events(self, items);
    send_items(self, "contacts", items, fmax(count - MOST_CONTACTS, 0));
    add_lasting(self, lasting);
    send_items(self, "lasting", lasting, NAN);
}

/* --- numbers ------------------------------------------------------------------- */

static void send_stats(session *self) {
    const sb_engine *engine = sb_host_engine(self->host);
    sb_engine_stats stats = sb_engine_read_stats(engine);
    script_output load = sb_host_read_output(self->host);
    sb_engine_energy energy = sb_engine_read_energy(engine);
    session_news all = {0};
    session_find_listeners(self, 0, &all);
    cJSON *json = session_message("stats");
    json_number(json, "time", self->clock.now_s);
    json_number(json, "origin", self->clock.origin_s);
    json_number(json, "cpu", load.share);
    json_number(json, "missed", (double)load.missed);
    json_number(json, "late", (double)stats.late);
    json_number(json, "strikes", (double)stats.strikes);
    json_number(json, "peak", 20.0 * log10(stats.peak + 1e-10));
    json_number(json, "modes_wanted", stats.modes_wanted);
    json_number(json, "modes_mixed", stats.modes_mixed);
    json_number(json, "dropped_db", stats.dropped_db);
    json_number(json, "voices", stats.voices);
    json_number(json, "sounding", stats.sounding);
    json_number(json, "flying", stats.flying);
    json_number(json, "touching", stats.touching);
    json_number(json, "units", stats.units);
    json_number(json, "budget_units", stats.budget_units);
    json_number(json, "limiter", stats.limiter_gain);
    json_number(json, "clients", all.hand_count);
    json_number(json, "pages_s", self->stream.spent_s);
    cJSON *account = cJSON_AddObjectToObject(json, "energy");
    json_number(account, "in", energy.in_j);
    json_number(account, "out", energy.out_j);
    json_number(account, "now", energy.now_j);
    json_number(account, "drift", energy.drift);
    session_send_all(self, NEWS_EVENT, TOPIC_STATS, json);
}

/* Tell all hands what one of them, or the script, has set. */
static void send_if_new(session *self, const char *type, char **last,
                        cJSON *json, unsigned topics) {
    json_text(json, "type", type);
    char *text = cJSON_PrintUnformatted(json);
    bool is_new = text && (!*last || strcmp(text, *last) != 0);
    if (is_new && *last) {
        session_send_all(self, NEWS_MUST, topics, json);
    } else {
        cJSON_Delete(json);
    }
    if (is_new) {
        cJSON_free(*last);
        *last = text;
    } else {
        cJSON_free(text);
    }
}

static void send_changes(session *self) {
    session_stream *stream = &self->stream;
    cJSON *params = cJSON_CreateObject();
    json_add(params, "params", session_describe_params(self));
    send_if_new(self, "params", &stream->params, params, TOPIC_PARAMS);
    send_if_new(self, "settings", &stream->settings,
                session_describe_settings(self), 0);
    send_if_new(self, "quality", &stream->quality,
                session_describe_quality(self), 0);
    send_if_new(self, "room", &stream->room, session_describe_room(self), 0);
}

void session_say_soon(session *self, char *told) {
    if (told) told[0] = '\0';
    self->stream.looked_s = 0.0;
}

void session_send_news(session *self) {
    double now_s = sb_clock_s();
    if (is_due(&self->stream.looked_s, LOOK_S, now_s)) {
        session_look(self);
        send_changes(self);
    }
    if (is_due(&self->stream.posed_s, POSES_S, now_s) &&
        session_has_listener(self, TOPIC_POSES)) {
        bool is_all = is_due(&self->stream.all_posed_s, ALL_S, now_s);
        send_poses(self, is_all);
        send_surfaces(self, is_all);
    }
    if (is_due(&self->stream.contacted_s, CONTACT_S, now_s))
        send_contacts(self);
    if (is_due(&self->stream.told_s, STATS_S, now_s)) {
        send_stats(self);
        session_send_heard(self);
    }
    if (is_due(&self->stream.energy_s, ENERGY_S, now_s))
        session_send_energies(self);
    session_send_trace(self);
}
