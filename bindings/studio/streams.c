/* What pages are told as it happens: poses, contacts, numbers.
 * Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/script/script_output.h"
#include "runtime/base/clock.h"
#include "runtime/base/utf8.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <string.h>

#define POSES_S   (1.0 / 60.0)
#define ALL_S     1.0
#define CONTACT_S 0.03
#define STATS_S   0.25
#define LOOK_S    0.1
#define ENERGY_S  (1.0 / 30.0)

enum { POSE_BYTES = 32, MOST_CONTACTS = 64 };

static bool is_due(double *last_s, double every_s, double now_s) {
    if (now_s - *last_s < every_s) return false;
    *last_s = now_s;
    return true;
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

static void send_poses(studio *self, bool is_all) {
    const sb_scene *scene = sb_host_scene(self->host);
    size_t room = (size_t)self->body_count * POSE_BYTES;
    letter *mail = studio_record(self, RECORD_POSES, 16 + room, self->now_s);
    uint32_t count = 0;
    if (!mail) return;
    for (int i = 0; i < self->body_count; i++) {
        studio_body *body = &self->bodies[i];
        if (!sb_scene_has(scene, body->id)) continue;
        sb_pose pose = sb_scene_pose(scene, body->id);
        bool has_moved = memcmp(&pose.position, &body->pose.position,
                                sizeof pose.position) != 0 ||
                         memcmp(&pose.rotation, &body->pose.rotation,
                                sizeof pose.rotation) != 0;
        if (!has_moved && !is_all) continue;
        body->pose = pose;
        write_pose(mail->bytes + 32 + (size_t)count * POSE_BYTES, body->number,
                   &pose);
        count++;
    }
    if (count == 0) {
        letter_drop(mail);
        return;
    }
    uint32_t header[4] = {count, is_all, self->rev, 0};
    uint16_t size = (uint16_t)(1 + count * POSE_BYTES / 16);
    memcpy(mail->bytes + 2, &size, 2);
    memcpy(mail->bytes + 16, header, sizeof header);
    mail->count = 32 + (size_t)count * POSE_BYTES;
    studio_send_record(self, TOPIC_POSES, MAIL_STREAM, RECORD_POSES, mail);
}

/* --- contacts ------------------------------------------------------------------ */

static double number_of(studio *self, const char *name) {
    const studio_body *body = studio_body_named(self, name);
    return body ? body->number : 0;
}

static void add_item(cJSON *list, double time_s, double a, double b,
                     double impulse, sb_vec3 at, sb_vec3 normal,
                     const char *kind, const double rest[3]) {
    const double head[10] = {time_s, a,    b,        impulse,  at.x,
                             at.y,   at.z, normal.x, normal.y, normal.z};
    cJSON *item = cJSON_CreateDoubleArray(head, 10);
    (void)cJSON_AddItemToArray(item, cJSON_CreateString(kind));
    for (int i = 0; i < 3; i++)
        (void)cJSON_AddItemToArray(
            item, cJSON_CreateNumber(isfinite(rest[i]) ? rest[i] : 0.0));
    (void)cJSON_AddItemToArray(list, item);
}

static int add_strikes(studio *self, cJSON *list) {
    sb_scene_impact impact;
    int count = 0;
    while (sb_scene_next_impact(sb_host_scene(self->host), &impact)) {
        if (impact.kind == SB_IMPACT_WORLD) continue;
        if (count++ >= MOST_CONTACTS) continue;
        const double rest[3] = {impact.record.duration_s,
                                impact.record.speed_in_m_s,
                                impact.record.peak_force_n};
        add_item(list, impact.time_s, number_of(self, impact.body),
                 number_of(self, impact.striker), impact.record.impulse_ns,
                 impact.spot.point, impact.spot.normal,
                 sb_impact_kind_name(impact.kind), rest);
    }
    return count;
}

static double number_of_id(studio *self, sb_body_id id) {
    for (int i = 0; i < self->body_count; i++)
        if (self->bodies[i].id.index == id.index &&
            self->bodies[i].id.generation == id.generation) {
            return self->bodies[i].number;
        }
    return 0;
}

static int add_world(studio *self, cJSON *list) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_world_event event;
    int count = 0;
    while (sb_scene_next_event(scene, &self->event_reader, &event)) {
        /* What lasts is reported with that of scripts. */
        if (event.kind != SB_WORLD_IMPACT || count++ >= MOST_CONTACTS) continue;
        const double rest[3] = {event.duration_s, event.speed_m_s,
                                event.force_n};
        add_item(list, event.time_s, number_of_id(self, event.body[0]),
                 number_of_id(self, event.body[1]), event.impulse_ns,
                 event.point, event.normal, "world", rest);
    }
    return count;
}

static void add_numbers(cJSON *list, const double *numbers, int count) {
    for (int i = 0; i < count; i++)
        (void)cJSON_AddItemToArray(
            list, cJSON_CreateNumber(isfinite(numbers[i]) ? numbers[i] : 0.0));
}

/* What rolls, slides and rubs, of scripts, pages and the world. */
static void add_lasting(studio *self, cJSON *list) {
    sb_lasting_report report;
    int count = 0;
    while (sb_scene_next_lasting(sb_host_scene(self->host), &report)) {
        if (count++ >= MOST_CONTACTS) continue;
        cJSON *item = cJSON_CreateArray();
        const sb_contact_load *load = &report.load;
        sb_vec3 at = report.spot.point;
        const double head[3] = {report.time_s, number_of(self, report.name[0]),
                                number_of(self, report.name[1])};
        const double tail[5] = {
            at.x, at.y, at.z, load->force_n,
            fmax(fabs(load->speed_m_s[0]), fabs(load->slip_m_s))};
        add_numbers(item, head, 3);
        (void)cJSON_AddItemToArray(item, cJSON_CreateString(report.kind));
        (void)cJSON_AddItemToArray(
            item,
            cJSON_CreateString(report.phase == SB_LASTING_GOES_ON
                                   ? "go"
                                   : sb_lasting_phase_name(report.phase)));
        add_numbers(item, tail, 5);
        (void)cJSON_AddItemToArray(list, item);
    }
}

static void send_contacts(studio *self) {
    cJSON *items = cJSON_CreateArray(), *lasting = cJSON_CreateArray();
    int strikes = add_strikes(self, items);
    int world = add_world(self, items);
    add_lasting(self, lasting);
    int shown = cJSON_GetArraySize(items);
    long long lost = strikes > MOST_CONTACTS ? strikes - MOST_CONTACTS : 0;
    if (world > MOST_CONTACTS) lost += world - MOST_CONTACTS;
    if (shown > 0 || lost > 0) {
        cJSON *json = studio_message("contacts");
        (void)cJSON_AddItemToObject(json, "items", items);
        json_number(json, "lost", (double)lost);
        studio_send_all(self, MAIL_EVENT, TOPIC_CONTACTS, json);
    } else {
        cJSON_Delete(items);
    }
    if (cJSON_GetArraySize(lasting) > 0) {
        cJSON *json = studio_message("lasting");
        (void)cJSON_AddItemToObject(json, "items", lasting);
        studio_send_all(self, MAIL_EVENT, TOPIC_CONTACTS, json);
    } else {
        cJSON_Delete(lasting);
    }
}

/* --- numbers ------------------------------------------------------------------- */

static int client_count(const studio *self) {
    int count = 0;
    for (int i = 0; i < NET_CLIENTS; i++)
        count += self->clients[i].has_hello;
    return count;
}

static void send_stats(studio *self) {
    const sb_engine *engine = sb_host_engine(self->host);
    sb_engine_stats stats = sb_engine_read_stats(engine);
    script_output load = sb_host_read_output(self->host);
    sb_engine_energy energy = sb_engine_read_energy(engine);
    cJSON *json = studio_message("stats");
    json_number(json, "time", self->now_s);
    json_number(json, "origin", self->origin_s);
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
    json_number(json, "clients", client_count(self));
    json_number(json, "pages_s", self->pages_s);
    cJSON *account = cJSON_AddObjectToObject(json, "energy");
    json_number(account, "in", energy.in_j);
    json_number(account, "out", energy.out_j);
    json_number(account, "now", energy.now_j);
    json_number(account, "drift", energy.drift);
    studio_send_all(self, MAIL_EVENT, TOPIC_STATS, json);
}

/* Tell all pages what one of them, or the script, has set. */
static void send_if_new(studio *self, char **last, cJSON *json,
                        unsigned topics) {
    char *text = cJSON_PrintUnformatted(json);
    sb_utf8_mend(text);
    bool is_new = text && (!*last || strcmp(text, *last) != 0);
    if (is_new && *last) {
        studio_send_all(self, MAIL_MUST, topics, json);
    } else {
        cJSON_Delete(json);
    }
    if (!is_new) {
        cJSON_free(text);
        return;
    }
    cJSON_free(*last);
    *last = text;
}

void studio_send_changes(studio *self) {
    cJSON *params = studio_message("params");
    (void)cJSON_AddItemToObject(params, "params", studio_describe_params(self));
    send_if_new(self, &self->params, params, TOPIC_PARAMS);
    cJSON *settings = studio_describe_settings(self);
    json_text(settings, "type", "settings");
    send_if_new(self, &self->settings, settings, 0);
    cJSON *quality = studio_describe_quality(self);
    json_text(quality, "type", "quality");
    send_if_new(self, &self->quality, quality, 0);
}

void studio_stream(studio *self) {
    double now_s = sb_clock_s();
    if (!self->host) return;
    if (is_due(&self->looked_s, LOOK_S, now_s)) {
        studio_look(self);
        studio_send_changes(self);
    }
    if (is_due(&self->posed_s, POSES_S, now_s) &&
        studio_has_listener(self, TOPIC_POSES)) {
        bool is_all = is_due(&self->all_posed_s, ALL_S, now_s);
        send_poses(self, is_all);
        studio_send_surfaces(self, is_all);
    }
    if (is_due(&self->contacted_s, CONTACT_S, now_s)) send_contacts(self);
    if (is_due(&self->told_s, STATS_S, now_s)) {
        send_stats(self);
        studio_send_heard(self);
    }
    if (is_due(&self->energy_s, ENERGY_S, now_s)) studio_send_energies(self);
    studio_send_trace(self);
}
