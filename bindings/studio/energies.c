/* Energies of modes, who is heard, and contacts sample by sample.
 * Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/state/hear.h"

#include <math.h>
#include <string.h>

/* --- energies of modes ---------------------------------------------------------- */

/* The bodies that pages watch, without repetition. */
static int find_watched(studio *self, uint32_t watched[SB_GAUGES]) {
    int count = 0;
    for (int i = 0; i < NET_CLIENTS && count < SB_GAUGE_SCRIPT; i++) {
        const studio_client *client = &self->clients[i];
        bool is_known = !client->watch || !(client->topics & TOPIC_ENERGIES);
        for (int k = 0; k < count; k++)
            is_known = is_known || watched[k] == client->watch;
        if (!is_known) watched[count++] = client->watch;
    }
    return count;
}

static void send_gauge(studio *self, int which, const studio_body *body) {
    static float energy_j[SB_GAUGE_MODES];
    int count = sb_engine_read_gauge(sb_host_engine(self->host), which,
                                     energy_j, SB_GAUGE_MODES);
    if (count > body->mode_count) count = body->mode_count;
    if (count <= 0) return;
    size_t bytes = (size_t)count * sizeof *energy_j;
    letter *mail =
        studio_record(self, RECORD_ENERGIES, 16 + bytes, self->now_s);
    if (!mail) return;
    uint32_t header[4] = {body->number, (uint32_t)count, body->modes_rev, 0};
    memcpy(mail->bytes + 16, header, sizeof header);
    memcpy(mail->bytes + 32, energy_j, bytes);
    for (int i = 0; i < NET_CLIENTS; i++) {
        const studio_client *client = &self->clients[i];
        if (client->has_hello && client->watch == body->number &&
            (client->topics & TOPIC_ENERGIES)) {
            net_send(self->net, client->number, MAIL_STREAM, RECORD_ENERGIES,
                     mail);
        }
    }
    letter_drop(mail);
}

void studio_send_energies(studio *self) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_engine *engine = sb_host_engine(self->host);
    uint32_t watched[SB_GAUGES] = {0};
    int count = find_watched(self, watched);
    for (int i = 0; i < SB_GAUGE_SCRIPT; i++) {
        const studio_body *body =
            i < count ? studio_body_of(self, watched[i]) : NULL;
        bool is_there = body && sb_scene_has(scene, body->id);
        sb_voice_id voice = {0};
        if (is_there) voice = sb_scene_voice(scene, body->id);
        /* What was read until now belongs to the voice before. */
        bool is_same = voice.index == self->gauged[i].index &&
                       voice.generation == self->gauged[i].generation;
        if (is_same && is_there) send_gauge(self, i, body);
        if (is_same) continue;
        sb_engine_gauge(engine, i, voice);
        self->gauged[i] = voice;
    }
}

void studio_send_heard(studio *self) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_engine *engine = sb_host_engine(self->host);
    bool is_wanted = studio_has_listener(self, TOPIC_STATS);
    if (is_wanted != self->wants_heard) {
        self->wants_heard = is_wanted;
        sb_engine_want_heard(engine, is_wanted);
        return; /* nothing is noted yet */
    }
    if (!is_wanted) return;
    cJSON *json = studio_message("heard");
    cJSON *items = cJSON_AddArrayToObject(json, "items");
    for (int i = 0; i < self->body_count; i++) {
        const studio_body *body = &self->bodies[i];
        int wanted = 0, mixed = 0;
        if (sb_scene_has(scene, body->id))
            sb_engine_read_heard(engine, sb_scene_voice(scene, body->id),
                                 &wanted, &mixed);
        if (wanted == 0) continue;
        const double row[3] = {body->number, wanted, mixed};
        (void)cJSON_AddItemToArray(items, cJSON_CreateDoubleArray(row, 3));
    }
    studio_send_all(self, MAIL_EVENT, TOPIC_STATS, json);
}

/* --- a contact sample by sample --------------------------------------------------- */

enum { TRACE_COLUMNS = 8, TRACE_ROWS = 512, TRACE_MOST = 4096 };
#define TRACE_PAUSE_S 0.05 /* after this time without rows it has ended */
#define TRACE_REST_S  0.2  /* between parts of a contact that lasts */
#define TRACE_WAIT_S  0.3  /* for the rows of a contact that has begun */

/* Watch the next contact that begins. */
static void arm_trace(studio *self) {
    sb_scene *scene = sb_host_scene(self->host);
    self->trace_begun = sb_scene_contacts_begun(scene);
    self->trace_due_s = 0.0;
    /* Its memory is there since the start. */
    sb_status status = sb_scene_watch(scene, 1, true, NULL);
    (void)status;
}

/* The contact that was watched has no rows, as one that was left out for lack
 * of time: watch another. */
static void look_for_rows(studio *self) {
    double now_s = sb_clock_s();
    if (self->trace_rows >= 0 || sb_scene_contacts_begun(sb_host_scene(
                                     self->host)) == self->trace_begun) {
        self->trace_due_s = 0.0;
    } else if (self->trace_due_s == 0.0) {
        self->trace_due_s = now_s + TRACE_WAIT_S;
    } else if (now_s > self->trace_due_s) {
        arm_trace(self);
    }
}

static void begin_trace(studio *self, double time_s) {
    cJSON *json = studio_message("trace.begin");
    const char *kind;
    const studio_body *body = studio_body_named(
        self, sb_scene_watched(sb_host_scene(self->host), &kind));
    json_number(json, "body", body ? (double)body->number : (double)NAN);
    json_text(json, "kind", kind);
    json_number(json, "t", time_s);
    studio_send_all(self, MAIL_MUST, TOPIC_TRACE, json);
    self->trace_from_s = time_s;
    self->trace_rows = 0;
}

static void end_trace(studio *self) {
    cJSON *json = studio_message("trace.end");
    json_number(json, "rows", self->trace_rows);
    json_number(json, "lost",
                (double)sb_engine_rows_lost(sb_host_engine(self->host)));
    studio_send_all(self, MAIL_MUST, TOPIC_TRACE, json);
    bool is_cut = self->trace_rows >= TRACE_MOST;
    self->trace_rows = -1;
    self->trace_rest_s = sb_clock_s() + (is_cut ? TRACE_REST_S : 0.0);
    arm_trace(self);
}

static void send_rows(studio *self, float rows[][TRACE_COLUMNS], int count) {
    size_t bytes = (size_t)count * sizeof *rows;
    letter *mail = studio_record(self, RECORD_TRACE, 16 + bytes, self->now_s);
    if (!mail) return;
    uint16_t counts[2] = {(uint16_t)count, TRACE_COLUMNS};
    memcpy(mail->bytes + 16, counts, sizeof counts);
    memcpy(mail->bytes + 32, rows, bytes);
    studio_send_record(self, TOPIC_TRACE, MAIL_QUEUE, RECORD_TRACE, mail);
}

static void take_rows(studio *self) {
    sb_scene *scene = sb_host_scene(self->host);
    double rate = sb_engine_sample_rate(sb_host_engine(self->host));
    static float rows[TRACE_ROWS][TRACE_COLUMNS];
    sb_traced traced;
    int count = 0;
    double now_s = sb_clock_s();
    while (count < TRACE_ROWS && sb_scene_next_traced(scene, &traced)) {
        double time_s = traced.time_frames / rate;
        if (now_s < self->trace_rest_s || self->trace_rows >= TRACE_MOST)
            continue;
        if (self->trace_rows < 0) begin_trace(self, time_s);
        const sb_trace_row *r = &traced.row;
        const double values[TRACE_COLUMNS] = {time_s - self->trace_from_s,
                                              r->force_n,
                                              r->depth_m,
                                              r->speed_m_s[0],
                                              r->speed_m_s[1],
                                              r->in_j,
                                              r->lost_j,
                                              r->kept_j};
        for (int c = 0; c < TRACE_COLUMNS; c++)
            rows[count][c] = (float)values[c];
        count++;
        self->trace_rows++;
        self->trace_seen_s = now_s;
    }
    if (count > 0) send_rows(self, rows, count);
}

void studio_send_trace(studio *self) {
    bool is_wanted = self->traces && studio_has_listener(self, TOPIC_TRACE);
    sb_engine *engine = sb_host_engine(self->host);
    if (is_wanted != self->is_tracing) {
        self->is_tracing = is_wanted;
        if (is_wanted) {
            self->trace_rows = -1;
            arm_trace(self);
        } else {
            sb_engine_end_energy(engine);
        }
    }
    if (!is_wanted) return;
    take_rows(self);
    bool is_over = sb_clock_s() - self->trace_seen_s > TRACE_PAUSE_S;
    if (self->trace_rows >= TRACE_MOST || (self->trace_rows >= 0 && is_over))
        end_trace(self);
    look_for_rows(self);
}
