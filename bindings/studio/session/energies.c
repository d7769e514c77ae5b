/* SPDX-License-Identifier: MIT */
/* Energies of modes, who is heard, and contacts sample by sample.
 * Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "runtime/base/clock.h"
#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/state/hear.h"

#include <math.h>
#include <string.h>

/* --- energies of modes ---------------------------------------------------------- */

static bool watches(const session_hand *hand, uint32_t body) {
    return hand->watch == body && (hand->topics & TOPIC_ENERGIES);
}

/* The bodies that hands watch, without repetition. */
static int find_watched(session *self, uint32_t watched[SB_GAUGES]) {
    int count = 0;
    for (int i = 0; i < SESSION_HANDS && count < SB_GAUGE_SCRIPT; i++) {
        const session_hand *hand = &self->hands[i];
        bool is_known = !hand->watch || !watches(hand, hand->watch);
        for (int k = 0; k < count; k++)
            is_known = is_known || watched[k] == hand->watch;
        if (!is_known) watched[count++] = hand->watch;
    }
    return count;
}

static void send_gauge(session *self, int which, const session_body *body) {
    static struct {
        uint32_t head[4];
        float energy_j[SB_GAUGE_MODES];
    } record;
    int count = sb_engine_read_gauge(sb_host_engine(self->host), which,
                                     record.energy_j, SB_GAUGE_MODES);
    if (count > body->mode_count) count = body->mode_count;
    if (count <= 0) return;
    record.head[0] = body->number;
    record.head[1] = (uint32_t)count;
    record.head[2] = body->modes_rev;
    session_news news = {.class = NEWS_STREAM,
                         .type = RECORD_ENERGIES,
                         .time_s = self->clock.now_s,
                         .bytes = &record,
                         .count = sizeof record.head +
                                  (size_t)count * sizeof *record.energy_j};
    for (int i = 0; i < SESSION_HANDS; i++)
        if (watches(&self->hands[i], body->number))
            news.hands[news.hand_count++] = self->hands[i].number;
    if (news.hand_count > 0) self->def.send(self->def.user, &news);
}

void session_send_energies(session *self) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_engine *engine = sb_host_engine(self->host);
    uint32_t watched[SB_GAUGES] = {0};
    int count = find_watched(self, watched);
    for (int i = 0; i < SB_GAUGE_SCRIPT; i++) {
        const session_body *body =
            i < count ? session_body_of(self, watched[i]) : NULL;
        bool is_there = body && sb_scene_has(scene, body->id);
        sb_voice_id voice = {0};
        if (is_there) voice = sb_scene_voice(scene, body->id);
        /* What was read until now belongs to the voice before. */
        bool is_same = voice.index == self->stream.gauged[i].index &&
                       voice.generation == self->stream.gauged[i].generation;
        if (is_same && is_there) send_gauge(self, i, body);
        if (is_same) continue;
        sb_engine_gauge(engine, i, voice);
        self->stream.gauged[i] = voice;
    }
}

void session_send_heard(session *self) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_engine *engine = sb_host_engine(self->host);
    bool is_wanted = session_has_listener(self, TOPIC_STATS);
    if (is_wanted != self->stream.wants_heard) {
        self->stream.wants_heard = is_wanted;
        sb_engine_want_heard(engine, is_wanted);
        return; /* nothing is noted yet */
    }
    if (!is_wanted) return;
    cJSON *json = session_message("heard");
    cJSON *items = cJSON_AddArrayToObject(json, "items");
    for (int i = 0; i < self->roster.count; i++) {
        const session_body *body = &self->roster.bodies[i];
        int wanted = 0, mixed = 0;
        if (sb_scene_has(scene, body->id))
            sb_engine_read_heard(engine, sb_scene_voice(scene, body->id),
                                 &wanted, &mixed);
        if (wanted == 0) continue;
        const double row[3] = {body->number, wanted, mixed};
        json_add_numbers(items, row, 3);
    }
    session_send_all(self, NEWS_EVENT, TOPIC_STATS, json);
}

/* --- a contact sample by sample --------------------------------------------------- */

enum { TRACE_COLUMNS = 8, TRACE_ROWS = 512, TRACE_MOST = 4096 };
#define TRACE_PAUSE_S 0.05 /* after this time without rows it has ended */
#define TRACE_REST_S  0.2  /* between parts of a contact that lasts */
#define TRACE_WAIT_S  0.3  /* for the rows of a contact that has begun */

/* Watch the next contact that begins. */
static void arm_trace(session *self) {
    sb_scene *scene = sb_host_scene(self->host);
    self->trace.begun = sb_scene_contacts_begun(scene);
    self->trace.due_s = 0.0;
    /* Its memory is there since the start. */
    sb_status status = sb_scene_watch(scene, 1, true, NULL);
    (void)status;
}

/* The contact that was watched has no rows, as one that was left out for lack
 * of time: watch another. */
static void look_for_rows(session *self) {
    double now_s = sb_clock_s();
    if (self->trace.rows >= 0 || sb_scene_contacts_begun(sb_host_scene(
                                     self->host)) == self->trace.begun) {
        self->trace.due_s = 0.0;
    } else if (self->trace.due_s == 0.0) {
        self->trace.due_s = now_s + TRACE_WAIT_S;
    } else if (now_s > self->trace.due_s) {
        arm_trace(self);
    }
}

static void begin_trace(session *self, double time_s) {
    cJSON *json = session_message("trace.begin");
    const char *kind;
    const session_body *body = session_body_named(
        self, sb_scene_watched(sb_host_scene(self->host), &kind));
    json_number(json, "body", body ? (double)body->number : (double)NAN);
    json_text(json, "kind", kind);
    json_number(json, "t", time_s);
    session_send_all(self, NEWS_MUST, TOPIC_TRACE, json);
    self->trace.from_s = time_s;
    self->trace.rows = 0;
}

static void end_trace(session *self) {
    cJSON *json = session_message("trace.end");
    json_number(json, "rows", self->trace.rows);
    json_number(json, "lost",
                (double)sb_engine_rows_lost(sb_host_engine(self->host)));
    session_send_all(self, NEWS_MUST, TOPIC_TRACE, json);
    bool is_cut = self->trace.rows >= TRACE_MOST;
    self->trace.rows = -1;
    self->trace.rest_s = sb_clock_s() + (is_cut ? TRACE_REST_S : 0.0);
    arm_trace(self);
}

static void take_rows(session *self) {
    sb_scene *scene = sb_host_scene(self->host);
    double rate = sb_engine_sample_rate(sb_host_engine(self->host));
    static struct {
        uint16_t counts[8];
        float rows[TRACE_ROWS][TRACE_COLUMNS];
    } record;
    sb_traced traced;
    int count = 0;
    double now_s = sb_clock_s();
    while (count < TRACE_ROWS && sb_scene_next_traced(scene, &traced)) {
        double time_s = traced.time_frames / rate;
        if (now_s < self->trace.rest_s || self->trace.rows >= TRACE_MOST)
            continue;
        if (self->trace.rows < 0) begin_trace(self, time_s);
        const sb_trace_row *r = &traced.row;
        const double values[TRACE_COLUMNS] = {time_s - self->trace.from_s,
                                              r->force_n,
                                              r->depth_m,
                                              r->speed_m_s[0],
                                              r->speed_m_s[1],
                                              r->in_j,
                                              r->lost_j,
                                              r->kept_j};
        for (int c = 0; c < TRACE_COLUMNS; c++)
            record.rows[count][c] = (float)values[c];
        count++;
        self->trace.rows++;
        self->trace.seen_s = now_s;
    }
    if (count == 0) return;
    record.counts[0] = (uint16_t)count;
    record.counts[1] = TRACE_COLUMNS;
    session_send_record(
        self, TOPIC_TRACE, NEWS_QUEUE, RECORD_TRACE, self->clock.now_s, &record,
        sizeof record.counts + (size_t)count * sizeof *record.rows);
}

void session_send_trace(session *self) {
    bool is_wanted =
        self->trace.is_wanted && session_has_listener(self, TOPIC_TRACE);
    sb_engine *engine = sb_host_engine(self->host);
    if (is_wanted != self->trace.is_on) {
        self->trace.is_on = is_wanted;
        if (is_wanted) {
            self->trace.rows = -1;
            arm_trace(self);
        } else {
            sb_engine_end_energy(engine);
        }
    }
    if (!is_wanted) return;
    take_rows(self);
    bool is_over = sb_clock_s() - self->trace.seen_s > TRACE_PAUSE_S;
    if (self->trace.rows >= TRACE_MOST || (self->trace.rows >= 0 && is_over))
        end_trace(self);
    look_for_rows(self);
}
